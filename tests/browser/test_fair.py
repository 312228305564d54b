"""What a browser remembers of a promise, and how the check of a deal compares it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from games import fairness
from games.fairness import Nonce
from games.models import Game, Player, Seat, Table
from games.services import seating
from tests.factories import Cast, make_cast
from tests.services.conftest import play_out_deal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def log_in(page: Page, live_server: Any) -> Callable[[Player], None]:
    def log_in(player: Player) -> None:
        client = Client()
        client.force_login(player)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])

    return log_in


@pytest.fixture
def game(page: Page, live_server: Any, cast: Cast, log_in: Callable[[Player], None]) -> Game:
    """North's browser has added its number at a table; one deal has been played."""
    table = seating.open_table(host=cast.north, ranked=True, pace=20, rules="article")
    log_in(cast.north)
    with page.expect_response("**/act/"):
        page.goto(f"{live_server.url}/tables/{table}/")
    assert Seat.objects.get(table_id=table, index=0).nonce
    for index, player in enumerate((cast.east, cast.south, cast.west), start=1):
        seating.sit(table_id=table, player_id=player.pk, index=index)
    play_out_deal(table)
    Table.objects.filter(pk=table).update(phase=Table.Phase.CLOSED)
    Game.objects.update(status=Game.Status.ENDED)
    return Game.objects.get()


@pytest.fixture
def shown(page: Page, live_server: Any, game: Game) -> Callable[[], tuple[str, str]]:
    """What the page says of the commitment, and of the number of north's seat."""

    def shown() -> tuple[str, str]:
        page.goto(f"{live_server.url}/games/{game.pk}/check/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return (
            page.locator("[data-own-commitment]").text_content() or "",
            page.locator("[data-own-nonce]").first.text_content() or "",
        )

    return shown


def change(game: Game, **changes: Any) -> None:
    """Put another chain into the record, as whoever runs the server could."""
    game.chains = fairness.format_chain(fairness.parse_chain(game.chains)._replace(**changes))
    game.save()


def test_the_promise_that_was_answered_is_known_again(page: Page, shown: Callable[[], tuple[str, str]]) -> None:
    assert shown() == ("This browser was promised the same, and kept it since.", "this one")
    expect(page.locator(".note--good")).to_be_visible()


def test_a_promise_made_up_afterwards_beside_the_same_number_is_told(
    page: Page, game: Game, shown: Callable[[], tuple[str, str]]
) -> None:
    promised = fairness.parse_chain(game.chains).commitment
    change(game, commitment="ab" * 32)
    said = f"This browser added its number to another commitment: {promised}"
    assert shown() == (said, "this one, for another commitment")
    expect(page.locator(".lost", has_text=said)).to_be_visible()


def test_a_number_left_out_is_told_where_the_promise_was_seen(game: Game, shown: Callable[[], tuple[str, str]]) -> None:
    chain = fairness.parse_chain(game.chains)
    change(game, nonces=(Nonce("c" * 32, "server"), *chain.nonces[1:]))
    assert shown()[1] == "this browser’s own came late, or was left out"


def test_a_number_sent_before_any_promise_was_seen_is_told(
    page: Page, game: Game, shown: Callable[[], tuple[str, str]]
) -> None:
    page.evaluate("localStorage.nonces = JSON.stringify(JSON.parse(localStorage.nonces).map(([nonce]) => [nonce, '']))")
    said, number = shown()
    assert said.startswith("This browser has kept no such promise")
    assert number == "this one, before it saw the commitment"


def test_another_browser_says_nothing_of_what_it_cannot_know(page: Page, shown: Callable[[], tuple[str, str]]) -> None:
    page.evaluate("localStorage.clear()")
    assert shown() == ("", "")
