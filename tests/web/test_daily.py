"""The pages of the deal of the day: what they say, whom they let act, and that no hidden card is in them."""

from __future__ import annotations

import random
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from celery import current_app
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games import engine
from games.models import DailyDeal, DailyPlay, Player
from games.selectors import daily as selectors
from games.services import daily
from tests.services.test_daily import known_secrets  # noqa: F401
from tests.web.test_hidden_cards import PACK, cards_in

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 29)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Clock:
    """The time that the pages go by."""

    now = NOON

    def go(self, days: int) -> None:
        self.now += timedelta(days=days)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("games.views.daily.timezone.now", lambda: clock.now)
    monkeypatch.setattr(current_app, "send_task", lambda *_args, **_options: None)
    cache.clear()
    return clock


@pytest.fixture
def north() -> Player:
    return Player.objects.create_user("North")


@pytest.fixture
def own(north: Player) -> Client:
    client = Client()
    client.force_login(north)
    return client


def begun(client: Client) -> DailyPlay:
    response = client.post("/daily/")
    assert (response.status_code, response["Location"]) == (303, "/daily/2026-11-29/")
    return DailyPlay.objects.select_related("deal").get()


def page(client: Client, address: str = "/daily/2026-11-29/", status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def act(client: Client, action: str, version: int, *, script: bool = False):
    headers = {"HX-Request": "true"} if script else {}
    return client.post("/daily/2026-11-29/act/", {"action": action, "version": version}, headers=headers)


def unknown(play: DailyPlay, state: engine.DealState) -> set[str]:
    """The cards that the player may not know, from the record alone: all but those he was dealt, the
    up-card and what was played."""
    start = selectors.state_of(play.deal, None)
    played = {action.card for _seat, action in state.history if action.kind == "play"}
    return set(PACK) - set(start.hands[play.deal.seat]) - {start.up_card} - played


def play_through(client: Client, seed: int, script: bool = False) -> list[str]:
    """Play to the end by chance; every answer, each searched for hidden cards."""
    rng, texts = random.Random(seed), []
    while True:
        play = DailyPlay.objects.select_related("deal").get()
        state = selectors.state_of(play.deal, play)
        if not texts:
            texts.append(page(client))
        if play.finished_at is not None:
            return texts
        hidden = unknown(play, state)
        assert len(hidden) >= 3
        found = cards_in(texts[-1], state.trump)
        assert not found & hidden
        assert set(state.hands[play.deal.seat]) <= found
        assert bytes(play.deal.secret).hex() not in texts[-1]
        action = rng.choice([action for action in state.legal if action.kind != "claim"])
        answer = act(client, str(action), len(state.history), script=script)
        if script:
            assert answer.status_code == 200
            texts.append(answer.content.decode())
        else:
            assert (answer.status_code, answer["Location"]) == (303, "/daily/2026-11-29/")
            texts.append(page(client))


# --- before ---------------------------------------------------------------------------------------------


def test_a_visitor_is_told_what_it_is_and_invited(client: Client) -> None:
    text = page(client, "/daily/")
    assert "Everybody gets the same hand" in text
    assert "midnight UTC" in text
    assert "on odd days" in text
    assert 'href="/accounts/signup/?next=/daily/"' in text
    assert "Deal me in" not in text
    assert not DailyDeal.objects.exists()
    response = client.post("/daily/")
    assert response["Location"] == "/accounts/signup/?next=%2Fdaily%2F"
    assert not cards_in(text)


def test_the_front_page_and_every_footer_lead_to_it(client: Client) -> None:
    assert page(client, "/").count('href="/daily/"') >= 2
    assert 'href="/daily/"' in page(client, "/rules/")


def test_days_without_a_deal(client: Client, own: Client) -> None:
    for address in (
        "/daily/2026-11-28/",
        "/daily/2026-11-30/",
        "/daily/2026-13-45/",
        "/daily/0000-00-00/",
        "/daily/x/",
    ):
        assert client.get(address).status_code == 404
    assert client.get("/daily/2026-11-29/")["Location"] == "/daily/"
    begun(own)
    assert client.get("/daily/2026-11-29/")["Location"] == "/daily/"


# --- while it is played -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("script", [False, True])
def test_no_hidden_card_leaves_before_the_end(own: Client, seed: int, script: bool) -> None:
    deal = daily.deal_of(DAY)
    deal.dealer = (deal.seat + 3 + seed) % 4  # first to speak, last to speak, in between
    deal.save()
    begun(own)
    texts = play_through(own, seed, script)
    last = page(own)
    assert cards_in(last) == set(PACK)
    assert "The field" in last
    if script and len(texts) > 1:
        assert "All hands and the field" in texts[-1]


def test_others_see_nothing_of_it_meanwhile(client: Client, own: Client, clock: Clock) -> None:
    begun(own)
    play_through(own, 1)
    south = Client()
    south.force_login(Player.objects.create_user("South"))
    clock.go(1)
    for other in (client, south):
        text = page(other)
        assert "Some are still playing this deal" in text
        assert "from 1 December 2026 on" in text
        assert not cards_in(text)
        assert act(other, "pass", 0).status_code in (302, 303)
    clock.go(1)
    for other in (client, south):
        text = page(other)
        assert cards_in(text) == set(PACK)
        assert "You did not play this deal" in text


def test_the_felt_asks_no_clock_and_says_what_may_be_done(own: Client) -> None:
    play = begun(own)
    state = selectors.state_of(play.deal, play)
    text = page(own, "/daily/")
    assert "Seconds left" not in text
    assert "Connected" not in text.split('id="away"')[0] or "tbl--daily" in text
    assert 'action="/daily/2026-11-29/act/"' in text
    assert f'name="version" value="{len(state.history)}"' in text
    assert "Nov. 30, 2026, UTC" in text
    status = re.search(r'<div id="announce"[^>]*>(.*?)</div>', text)
    assert status is not None and "Your turn." in status[1]


def test_sentences_for_what_cannot_be(own: Client, client: Client, clock: Clock) -> None:
    play = begun(own)
    state = selectors.state_of(play.deal, play)
    version, legal = len(state.history), str(state.legal[0])

    assert "/accounts/login/" in act(client, legal, version)["Location"]
    assert "You are logged out" in act(client, legal, version, script=True).content.decode()

    def said(action: str, shown: object, words: str) -> None:
        assert act(own, action, shown).status_code == 303  # type: ignore[arg-type]
        assert words in page(own)
        assert words in act(own, action, shown, script=True).content.decode()  # type: ignore[arg-type]
        assert DailyPlay.objects.get().actions == play.actions

    said(legal, version + 1, "The deal has moved on")
    said(legal, "many", "The deal has moved on")
    said("play:JD' --", version, "does not know that action")
    said("claim", version, "Order the up-card or pass")

    assert act(own, legal, version).status_code == 303
    now = DailyPlay.objects.get().actions
    assert act(own, legal, version).status_code == 303  # sent twice
    assert DailyPlay.objects.get().actions == now
    clock.go(2)
    assert act(own, legal, len(now.split())).status_code == 303
    text = page(own)
    assert "open until the end of the day after its own" in text
    assert "You did not finish this deal in time" in text


def test_nobody_plays_for_somebody_else(own: Client) -> None:
    play = begun(own)
    south = Client()
    south.force_login(Player.objects.create_user("South"))
    state = selectors.state_of(play.deal, play)
    response = act(south, str(state.legal[0]), len(state.history))
    assert (response.status_code, response["Location"]) == (303, "/daily/2026-11-29/")
    assert "You have not begun this deal" in page(south, "/daily/")
    assert DailyPlay.objects.get().actions == play.actions
    answer = act(south, str(state.legal[0]), len(state.history), script=True).content.decode()
    assert "You have not begun this deal" in answer
    assert not cards_in(answer)


def test_over_midnight_it_goes_on(own: Client, clock: Clock) -> None:
    begun(own)
    clock.go(1)
    assert "Deal me in" in page(own, "/daily/")
    assert "finish it" in page(own, "/daily/")
    play_through(own, 5)
    assert "not finished" not in page(own, "/daily/")


def test_a_form_without_its_token_is_refused(north: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(north)
    assert strict.post("/daily/").status_code == 403
    assert not DailyPlay.objects.exists()


# --- what came of it ----------------------------------------------------------------------------------------


def test_the_result_beside_par_and_the_field(own: Client, north: Player) -> None:
    play = begun(own)
    play_through(own, 2)
    play.refresh_from_db()
    text = page(own)
    assert "A worker is finding par" in text
    daily.find_par(deal_id=play.deal.pk)
    for name, points in (("B", 4), ("C", -4)):
        DailyPlay.objects.create(
            deal=play.deal, player=Player.objects.create_user(name), points=points, maker=0, trump="S", alone=True,
            finished_at=timezone.now(),
        )  # fmt: skip
    text = page(own)
    assert "A worker is finding par" not in text
    assert "Had everybody seen all cards" in text
    assert "The best call of the player’s side was" in text
    assert "of 3" in text
    assert 'class="is-me"' in text
    assert "What was called" in text
    assert "the field may still grow" in text
    assert "next deal comes at midnight UTC" in text
    assert page(own, "/daily/").count("The field") == text.count("The field")
    stepped = page(own, "/daily/2026-11-29/?deal=1&step=2")
    assert "Move 2 of" in stepped


def test_the_pages_ask_few_questions(own: Client, django_assert_max_num_queries) -> None:
    begun(own)
    with django_assert_max_num_queries(6):
        page(own)
    play_through(own, 2)
    daily.find_par(deal_id=DailyDeal.objects.get().pk)
    with django_assert_max_num_queries(13):
        page(own)
