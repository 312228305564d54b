"""axe finds nothing on the pages of the game, in both themes, on a desktop and on a phone.
(For accounts and the site's own pages see test_accounts, for standings and replays test_records.)"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.axe import WIDTHS, assert_sound
from tests.browser.visitor import Visitor


def assert_nothing_found(visitor: Visitor, what: str) -> None:
    """As the page stands: in each size and theme. Nothing may stick out sideways either."""
    assert_sound(visitor.page, what, WIDTHS)


def test_axe_finds_nothing_in_the_lobby_and_at_the_table(
    visit: Callable[..., Visitor], joined: Callable[..., Visitor], last_deal: Callable[[Visitor], None]
) -> None:
    stranger = visit()
    stranger.page.goto("/")
    assert_nothing_found(stranger, "a stranger's lobby")

    north = joined("North")
    page = north.page
    page.goto("/")
    assert_nothing_found(north, "the lobby")
    page.goto("/tables/new/")
    assert_nothing_found(north, "a new table")
    page.goto("/tables/new/?preset=british")
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    assert_nothing_found(north, "the house rules of a new table")
    page.goto("/rules/")
    assert_nothing_found(north, "the rules")
    page.goto("/rules/?preset=railroad")
    assert_nothing_found(north, "the rules of railroad")
    page.goto("/tables/new/")
    north.open_table(Game="Ranked", Seconds="45")
    assert_nothing_found(north, "an open table")
    stranger.page.goto("/")
    assert_nothing_found(stranger, "a lobby with an open table")

    page.get_by_role("button", name="Table menu").click()
    assert_nothing_found(north, "the table's menu")
    north.ask_about_going_alone()
    page.keyboard.press("Escape")
    north.press_at_table(north.button("Start with bots now"))
    north.wait_until_asked()  # so that nothing moves meanwhile
    stranger.page.goto(page.url)
    assert_nothing_found(stranger, "a table that is watched")
    stranger.page.goto("/rules/")  # so that nothing more is drawn there

    seen: set[str] = set()
    deals = 0
    while (asked := north.wait_until_asked()) != "over":
        phase = north.shown()["phase"]
        if phase not in seen:
            seen.add(phase)
            assert_nothing_found(north, phase)
        last_trick = north.button("Last trick")
        if "last trick" not in seen and last_trick.is_visible():
            seen.add("last trick")
            north.press_at_table(last_trick)
            expect(page.locator("#last-trick:popover-open")).to_be_visible()
            assert_nothing_found(north, "the last trick")
            page.keyboard.press("Escape")
        if asked == "next":
            deals += 1
            if seen >= {"bid2", "exchange"}:  # soon, but for ill luck
                last_deal(north)
        north.act(first_round=deals % 2 == 1)
    assert_nothing_found(north, "the end of the game")
    assert seen >= {"bid1", "play", "between", "last trick"}

    page.goto("/")
    assert_nothing_found(north, "a lobby with a week's games")
