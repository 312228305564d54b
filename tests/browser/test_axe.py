"""axe finds nothing on the pages of the game, in both themes, on a desktop and on a phone.
(For accounts and the site's own pages see test_accounts, for standings and replays test_records.)"""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
THEMES = ("light", "dark")

_axe = Axe()


def assert_nothing_found(visitor: Visitor, what: str) -> None:
    """As the page stands: in each size and theme. Nothing may stick out sideways either."""
    page = visitor.page
    for size in SIZES:
        page.set_viewport_size(size)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            found = [(problem["id"], problem["nodes"][0]["html"]) for problem in _axe.run(page).response["violations"]]
            assert (what, size["width"], theme, found) == (what, size["width"], theme, [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (what, size)
    page.set_viewport_size(SIZES[0])


def test_axe_finds_nothing_in_the_lobby_and_at_the_table(
    visit: Callable[..., Visitor], joined: Callable[..., Visitor]
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
            last_trick.click()
            expect(page.locator("#last-trick:popover-open")).to_be_visible()
            assert_nothing_found(north, "the last trick")
            page.keyboard.press("Escape")
        deals += asked == "next"
        north.act(first_round=deals > 0)
    assert_nothing_found(north, "the end of the game")
    assert seen >= {"bid1", "play", "between", "last trick"}

    page.goto("/")
    assert_nothing_found(north, "a lobby with a week's games")
