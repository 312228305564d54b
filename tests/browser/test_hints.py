"""Hints at a friendly table: asked for by key, said, marked, and gone once the move is made."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

TERMS = {"Game": "Friendly", "Hints": "On", "Seconds a move": "300"}


def test_a_hint_is_said_and_marked_until_the_move_is_made(joined: Callable[..., Visitor]) -> None:
    north = joined("North")
    north.open_table(**TERMS)
    expect(north.page.locator(".tbar__t")).to_contain_text("with hints")
    north.press_at_table(north.button("Start with bots now"))
    hint, told = north.page.get_by_role("button", name="Hint", exact=True), north.page.locator("#advice")
    for _turn in range(2):
        north.wait_until_asked()
        north.press_key("i")
        expect(told).to_be_visible()
        expect(north.announced).to_contain_text(told.locator("p").first.inner_text())
        marked = north.table.locator("button.is-hinted")
        expect(marked).to_have_count(1)
        expect(marked).to_be_enabled()
        north.act(alone=False)
        expect(told).to_be_hidden()
    expect(hint).to_have_attribute("aria-disabled", re.compile("true|false"))


def test_nobody_waits_for_a_hint_that_does_not_come(joined: Callable[..., Visitor]) -> None:
    north = joined("North")
    north.open_table(**TERMS)
    north.press_at_table(north.button("Start with bots now"))
    north.wait_until_asked()
    north.page.route("**/hint/**", lambda route: route.fulfill(json={"state": "wait"}))
    north.page.clock.install()
    north.press_key("i")
    north.page.clock.run_for(7000)
    expect(north.page.locator("#advice")).to_have_text("The hint did not come in time.")
    north.page.clock.resume()
    north.act(alone=False)
    expect(north.page.locator("#advice")).to_be_hidden()
