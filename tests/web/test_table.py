"""The table's page: watched, played without a script, weighed."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games.engine import legal_actions, pack
from games.models import Player, Table
from games.selectors import tables
from games.services import seating
from games.views.table import SEAT_WISH
from tests.web.test_felt import Markup, known_cards

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> list[Player]:
    return [Player.objects.create_user(name, "a password") for name in ("north", "east", "south", "west")]


@pytest.fixture
def table(cast: list[Player]) -> int:
    """A friendly game of four people, just dealt."""
    number = seating.open_table(host=cast[0], ranked=False, pace=45, rules="article")
    for player in cast[1:]:
        seating.sit(table_id=number, player_id=player.pk)
    return number


def browser(player: Player | None = None) -> Client:
    client = Client(enforce_csrf_checks=True)
    if player is not None:
        client.force_login(player)
    return client


def page(client: Client, table: int) -> tuple[str, Markup]:
    response = client.get(reverse("table", args=[table]))
    assert response.status_code == 200
    text = response.content.decode()
    body = text[text.index("<body") : text.index("</body>")] + "</body>"
    return text, Markup(body)


def submit(client: Client, table: int, markup: Markup, action: str, **fields: str) -> Any:
    form = next(form for form in markup.forms if action in form["actions"])
    kept = {name: value for name, value in form["fields"].items() if name != "alone"}
    return client.post(form["attrs"]["action"], kept | {"action": action} | fields, follow=True)


def on_turn(table: int, cast: list[Player]) -> Player:
    snapshot = tables.load_table(table)
    assert snapshot is not None
    return next(player for player in cast if snapshot.place_of(player.pk) == snapshot.turn)


def test_a_script_that_only_reads_forms_plays_a_whole_deal(table: int, cast: list[Player]):
    browsers = {player: browser(player) for player in cast}
    for _move in range(60):
        snapshot = tables.load_table(table)
        assert snapshot is not None
        if snapshot.phase not in Table.DEALING:
            break
        player = on_turn(table, cast)
        _text, markup = page(browsers[player], table)
        moves = sorted(markup.moves())
        assert set(moves) == {str(action) for action in legal_actions(snapshot.deal)}
        response = submit(browsers[player], table, markup, "order_up" if "order_up" in moves else moves[-1])
        assert response.redirect_chain == [(reverse("table", args=[table]), 303)]
        moved = tables.load_table(table)
        assert moved is not None
        assert moved.version > snapshot.version
    assert snapshot.phase == Table.Phase.BETWEEN


def test_nobody_reads_another_hand_in_a_page(table: int, cast: list[Player], client: Client):
    deal = tables.load_table(table).deal
    for client_, place in [(browser(player), tables.load_table(table).place_of(player.pk)) for player in cast] + [
        (client, None)
    ]:
        text, _markup = page(client_, table)
        hidden = set(pack()) - known_cards(deal, place)
        assert len(hidden) >= 18
        assert not [card for card in hidden if re.search(rf"\b{card}\b", text)]


def test_a_stranger_watches_and_is_sent_to_log_in_when_he_acts(table: int):
    stranger = browser()
    text, markup = page(stranger, table)
    assert not markup.moves()
    assert "You are watching." in text
    token = next(form["fields"]["csrfmiddlewaretoken"] for form in markup.forms)
    response = stranger.post(reverse("table_act", args=[table]), {"action": "pass", "csrfmiddlewaretoken": token})
    assert response.status_code == 302
    assert response.url == f"{reverse('account_login')}?next={reverse('table', args=[table])}"


@pytest.mark.parametrize(("ranked", "door"), [(True, "account_signup"), (False, "guest")])
def test_a_stranger_who_presses_join_has_the_seat_once_he_has_a_name(cast: list[Player], ranked: bool, door: str):
    table = seating.open_table(host=cast[0], ranked=ranked, pace=45, rules="article")
    stranger = browser()
    _text, markup = page(stranger, table)
    assert {"sit", "sit:1", "sit:2", "sit:3"} <= set(markup.actions())
    token = next(form["fields"]["csrfmiddlewaretoken"] for form in markup.forms)
    response = stranger.post(reverse("table_act", args=[table]), {"action": "sit:2", "csrfmiddlewaretoken": token})
    address = reverse("table", args=[table])
    assert response.url == f"{reverse(door)}?{urlencode({'next': address})}"
    stranger.force_login(cast[1])
    text, _markup = page(stranger, table)
    assert ">You<" in text
    assert tables.load_table(table).place_of(cast[1].pk) == 2
    assert not stranger.cookies[SEAT_WISH].value


def test_a_wish_to_sit_counts_at_its_table_alone_and_for_nothing_else(table: int, cast: list[Player]):
    other = seating.open_table(
        host=Player.objects.create_user("host", "a password"), ranked=False, pace=45, rules="article"
    )
    client = browser(Player.objects.create_user("guest", "a password"))
    for wish in (f"{table}:sit", f"{other}:bots", f"{other}:sit:9", "nonsense"):
        client.cookies[SEAT_WISH] = wish
        page(client, other)
        assert sum(seat.player_id is not None for seat in tables.load_table(other).seats) == 1


def test_a_form_without_the_token_is_refused(table: int, cast: list[Player]):
    client = browser(on_turn(table, cast))
    assert client.post(reverse("table_act", args=[table]), {"action": "pass", "version": "1"}).status_code == 403


def test_a_refusal_is_a_sentence_shown_once(table: int, cast: list[Player]):
    player = on_turn(table, cast)
    client = browser(player)
    _text, markup = page(client, table)
    assert "pass" in markup.moves()
    submit(client, table, markup, "pass")
    again = submit(client, table, markup, "pass").content.decode()  # a stale page: the same form once more
    refusal = re.search(r'<div id="notice"[^>]*><p>([^<]+)</p>', again)
    assert refusal is not None
    assert refusal.group(1) == "The table has moved on. This is how it stands now."
    assert refusal.group(1) not in page(client, table)[0]


def test_a_script_gets_frames_instead_of_pages(table: int, cast: list[Player]):
    player = on_turn(table, cast)
    client = browser(player)
    _text, markup = page(client, table)
    fields = next(form["fields"] for form in markup.forms if "pass" in form["actions"])
    headers = {"HX-Request": "true", "X-CSRFToken": fields["csrfmiddlewaretoken"]}
    sent = {"action": "pass", "version": fields["version"]}
    frame = client.post(reverse("table_act", args=[table]), sent, headers=headers)
    assert frame.status_code == 200
    assert 'id="felt"' in frame.content.decode()
    assert 'role="alert"' not in frame.content.decode()
    assert (
        "The table has moved on."
        in client.post(reverse("table_act", args=[table]), sent, headers=headers).content.decode()
    )
    assert client.get(reverse("table", args=[table]), headers={"HX-Request": "true"}).content.startswith(b"<main")


def test_who_leaves_goes_to_the_lobby(cast: list[Player]):
    number = seating.open_table(host=cast[0], ranked=True, pace=20, rules="article")
    client = browser(cast[0])
    _text, markup = page(client, number)
    assert submit(client, number, markup, "leave").redirect_chain == [(reverse("lobby"), 303)]


def test_no_table_is_not_found(client: Client):
    assert client.get(reverse("table", args=[404])).status_code == 404


def test_the_page_asks_again_by_itself_where_scripts_are_off(table: int, client: Client):
    text, _markup = page(client, table)
    assert '<noscript><meta http-equiv="refresh" content="4"></noscript>' in text


def test_the_page_costs_the_same_queries_for_everybody(
    table: int, cast: list[Player], client: Client, django_assert_max_num_queries: Any
):
    page(client, table)
    with django_assert_max_num_queries(2):
        page(client, table)
    seated = browser(cast[0])
    page(seated, table)
    with django_assert_max_num_queries(6):
        page(seated, table)


def test_the_page_weighs_less_than_150_kb_and_asks_only_this_site(table: int, cast: list[Player]):
    text, _markup = page(browser(cast[0]), table)
    addresses = set(re.findall(r'(?:src|href)="([^"#]+)', text))
    assert all(address.startswith("/") and not address.startswith("//") for address in addresses)
    files = [address.removeprefix("/static/") for address in addresses if address.startswith("/static/")]
    assert {"cards.svg", "icons.svg", "js/table.js", "css/table.css"} <= set(files)
    weights = {"": len(gzip.compress(text.encode()))}
    for name in files:
        found = finders.find(name)
        assert found, name
        content = Path(found).read_bytes()
        assert b"http://" not in content.replace(b"http://www.w3.org/", b"") or name.startswith("django_htmx"), name
        weights[name] = len(gzip.compress(content))
    assert sum(weights.values()) < 150_000, weights


def test_the_page_has_no_script_of_its_own(table: int, cast: list[Player]):
    text, markup = page(browser(cast[0]), table)
    assert all('src="' in script for script in re.findall(r"<script[^>]*>", text))
    assert "<style" not in text
    assert not any(key.startswith(("on", "hx-on")) for _tag, attrs in markup.elements for key in attrs)


@pytest.mark.parametrize("number", [987654, 2**63, 10**30])
def test_a_table_that_does_not_exist_is_not_found(client, cast, number):
    client.force_login(cast[0])
    assert client.get(f"/tables/{number}/").status_code == 404
    answer = client.post(f"/tables/{number}/act/", {"action": "pass", "version": "1"})
    assert answer.status_code in (303, 404)
