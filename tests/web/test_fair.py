"""The pages of fair deals: the check of a game, how it is done, and what all deals held."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import fairness
from games.models import Deal, DealCounts, Game, Table
from games.services import clock, counts
from tests.factories import make_bots, make_cast, play_game
from tests.services.conftest import cast, play_out_deal, table  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(table) -> Game:  # noqa: F811
    """A game that was dealt and played by the site."""
    while Table.objects.get(pk=table).phase != Table.Phase.OVER:
        play_out_deal(table)
        if Table.objects.get(pk=table).phase == Table.Phase.BETWEEN:
            Table.objects.filter(pk=table).update(due_at=timezone.now() - timedelta(seconds=1))
            clock.sweep(timezone.now())
    return Game.objects.get()


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_every_replay_leads_to_the_check_of_its_deal(client: Client, over: Game):
    page = page_of(client, f"/games/{over.pk}/?deal=2")
    assert f'href="/games/{over.pk}/check/?deal=2"' in page


def test_the_check_shows_all_that_it_rests_on(client: Client, over: Game, django_assert_num_queries):
    chain = fairness.parse_chain(over.chains)
    deal = over.deals.get(number=2)
    with django_assert_num_queries(3):
        page = page_of(client, f"/games/{over.pk}/check/?deal=2")
    assert "<b>OK.</b>" in page
    for text in (chain.commitment, *chain.added, bytes(deal.secret).hex()):
        assert text in page
    follows = page[page.index('id="follows"') : page.index('id="yourself"')]
    assert "".join(re.findall(r'data-card="(\w+)"', follows)) == deal.deck
    assert page.count('class="won">OK') == over.deals.count()


def test_the_lines_of_python_on_the_page_do_what_they_say(client: Client, over: Game, capsys):
    page = page_of(client, f"/games/{over.pk}/check/?deal=2")
    recipe = re.search(r'<pre class="recipe"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert recipe
    exec(recipe[1].replace("&quot;", '"').replace("&#x27;", "'"), {})
    cards, commitment = capsys.readouterr().out.splitlines()
    assert cards.replace(" ", "") == over.deals.get(number=2).deck
    assert commitment == fairness.parse_chain(over.chains).commitment


def test_a_deal_that_was_tampered_with_fails(client: Client, over: Game):
    deal = over.deals.get(number=2)
    Deal.objects.filter(pk=deal.pk).update(deck=deal.deck[2:] + deal.deck[:2])
    page = page_of(client, f"/games/{over.pk}/check/?deal=2")
    assert "<b>Failed.</b>" in page
    assert "Secret and numbers give another deck." in page
    assert "The deck that was dealt" in page
    assert "<b>OK.</b>" in page_of(client, f"/games/{over.pk}/check/?deal=1")


def test_while_a_game_is_played_secrets_of_scored_deals_are_given_out_but_no_cards(client: Client, table):  # noqa: F811
    game = Game.objects.get()
    play_out_deal(table)
    page = page_of(client, f"/games/{game.pk}/check/")
    assert bytes(game.deals.get().secret).hex() in page
    assert fairness.parse_chain(game.chains).commitment in page
    assert "data-card" not in page
    row = Table.objects.get()
    chain = fairness.parse_chain(game.chains)
    for number in (2, 3):
        assert fairness.secret(bytes(row.seed), chain, number).hex() not in page


def test_a_game_without_a_promise_says_so(client: Client):
    game = play_game(make_cast().seated)
    page = page_of(client, f"/games/{game.pk}/check/")
    assert "Nothing was promised" in page
    assert ">OK" not in page


@pytest.mark.parametrize("query", ["?deal=0", "?deal=99", "?deal=x", "?deal=-1", "?deal=99999999999"])
def test_a_deal_out_of_range_is_the_nearest(client: Client, over: Game, query: str):
    assert "<b>OK.</b>" in page_of(client, f"/games/{over.pk}/check/{query}")


def test_what_is_not_there_is_not_there(client: Client):
    for address in ("/games/999/check/", "/tables/999/check/"):
        assert client.get(address).status_code == 404


def test_the_menu_of_a_table_shows_the_commitment_and_leads_to_the_check(client: Client, table):  # noqa: F811
    commitment = Table.objects.get().commitment
    page = page_of(client, f"/tables/{table}/")
    assert f"<code data-commitment-text>{commitment}</code>" in page
    assert f'data-commitment="{commitment}"' in page
    assert client.get(f"/tables/{table}/check/").url == f"/games/{Game.objects.get().pk}/check/"


def test_before_the_first_card_the_menu_leads_to_how_it_is_done(client: Client, cast):  # noqa: F811
    from games.services import seating

    waiting = seating.open_table(host=cast.north, ranked=True, pace=20, rules="article")
    assert client.get(f"/tables/{waiting}/check/").url == reverse("fair")
    assert 'data-nonce="wanted"' not in page_of(client, f"/tables/{waiting}/")
    client.force_login(cast.north)
    assert 'data-nonce="wanted"' in page_of(client, f"/tables/{waiting}/")
    body = {"action": "nonce", "nonce": "a" * 32}
    assert client.post(f"/tables/{waiting}/act/", body, headers={"HX-Request": "true"}).status_code == 200
    assert cast.north.seats.get().nonce == "a" * 32


def test_a_form_that_sits_carries_the_nonce(client: Client, cast):  # noqa: F811
    from games.services import seating

    waiting = seating.open_table(host=cast.north, ranked=True, pace=20, rules="article")
    client.force_login(cast.east)
    client.post(f"/tables/{waiting}/act/", {"action": "sit:1", "nonce": "b" * 32})
    assert cast.east.seats.get().nonce == "b" * 32


@pytest.mark.parametrize("address", ["/fair/", "/fair/deals/"])
def test_the_pages_open_for_everybody_and_before_anything_was_played(client: Client, address: str):
    page = page_of(client, address)
    assert page.count("<h1") == 1
    assert "<script>" not in page


def test_all_pages_lead_to_the_page_about_it(client: Client):
    for address in ("/rules/", "/fair-play/"):
        page = page_of(client, address)
        assert page.count('href="/fair/"') == 2, "in the text and in the footer"


def test_the_statistics_count_what_was_played_in_one_query(client: Client, over: Game, django_assert_num_queries):
    counts.count_deals(timezone.now() + timedelta(minutes=2))
    with django_assert_num_queries(1):
        page = page_of(client, "/fair/deals/")
    assert "24 cards, 4 hands" in page
    assert f"{over.deals.count()} deals, everything played here." in page
    assert page.count("degrees of freedom, p = ") == 0


def test_a_test_comes_with_the_expected_five_in_every_place(client: Client, over: Game):
    counts.count_deals(timezone.now() + timedelta(minutes=2))
    kept = DealCounts.objects.get()
    ((name, kind),) = kept.counts.items()
    up = dict.fromkeys("CDHS", 5)
    kept.counts = {name: kind | {"up": up, "right": [0, 7, 9, 6, 3], "left": [6, 6, 5, 5, 3]}}
    kept.save()
    page = page_of(client, "/fair/deals/")
    assert (
        "Chi-square 0.00 with 3 degrees of freedom, p = 1.000: an honest shuffle strays at least this far in 100.0 %"
        in page
    )
    assert page.count("Too few yet for a test: 25 of 39.") == 2
    assert page.count('<bdi dir="ltr">+0.0\u00a0%</bdi>') == 4  # else the sign stands behind the number in Hebrew


def test_the_record_carries_its_proof(client: Client, over: Game):
    text = page_of(client, f"/games/{over.pk}/record/")
    _game, proof = fairness.split_record(text)
    assert len(proof.secrets) == over.deals.count()
    assert fairness.format_chain(proof.chains[0]) == over.chains


@pytest.mark.parametrize(("nonce", "waits"), [("a" * 32, True), ("", False)])
def test_a_visitor_who_joins_to_play_is_waited_for_if_his_browser_runs_scripts(client: Client, nonce: str, waits: bool):
    make_bots()
    wishes = {"kind": "ranked", "pace": "20", "stick": "no"}
    client.post("/play/", wishes | ({"nonce": nonce} if nonce else {}))
    client.force_login(make_cast().north)
    assert "Start with bots now" not in page_of(client, client.get("/play/").url)
    opened = Table.objects.get()
    assert (opened.phase == Table.Phase.OPEN) == waits
    assert not opened.seats.exclude(nonce="").exists()
