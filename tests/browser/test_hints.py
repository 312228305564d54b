"""Hints at a friendly table: asked for by key, said, marked, and gone once the move is made."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

TERMS = {"Game": "Friendly", "Hints": "On", "Seconds a move": "300"}

A_LONG_HINT = {
    "state": "ready",
    "action": "none",
    "alone": False,
    "said": [
        "Ruff with the queen of spades.",
        "The queen of spades wins the trick in 75 of 100 ways in which the unseen cards can lie.",
        "The makers take all five in 34 of 100 ways rather than 19.",
        "It is a close thing.",
    ],
}

LIES_ON_NOTHING = """() => {
  const panel = document.getElementById("advice").getBoundingClientRect();
  const over = (one, other, start, end) => Math.min(one[end], other[end]) - Math.max(one[start], other[start]) > 8;
  const needed = `#prompt > :not(.hurry), #hand .card, #tbar > *, .seat--s .seat__id,
    .seat--n :is(.seat__av, .seat__id)`;
  const boxes = [...document.querySelectorAll(needed)].map((part) => part.getBoundingClientRect());
  const on = boxes.some((box) => over(panel, box, "left", "right") && over(panel, box, "top", "bottom"));
  return panel.right <= innerWidth && !on;
}"""
"""Of what one needs to move. (A script that finds room for the panel runs after the window has its new size.)"""


def test_a_hint_is_said_and_marked_until_the_move_is_made(joined: Callable[..., Visitor]) -> None:
    north = joined("North")
    north.open_table(**TERMS)
    expect(north.page.locator(".tbar__t")).to_contain_text("with hints")
    north.press_at_table(north.button("Start with bots now"))
    hint, told = north.page.get_by_role("button", name="Hint", exact=True), north.page.locator("#advice")
    marked = north.table.locator("button.is-hinted")
    for _turn in range(2):
        north.wait_until_asked()
        for _try in range(20):  # a busy machine's worker stands back: the page may give up on it several times
            north.press_key("i")
            expect(told).to_be_visible()
            if marked.count():
                break
            north.page.keyboard.press("Escape")
        expect(north.announced).to_contain_text(told.locator("p").first.inner_text())
        expect(marked).to_have_count(1)
        expect(marked).to_be_enabled()
        north.act(alone=False)
        expect(told).to_be_hidden()
    expect(hint).to_have_attribute("aria-disabled", re.compile("true|false"))


def test_nobody_waits_for_a_hint_that_does_not_come_and_one_that_comes_hides_nothing_needed(
    joined: Callable[..., Visitor],
) -> None:
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
    north.page.unroute("**/hint/**")
    north.page.route("**/hint/**", lambda route: route.fulfill(json=A_LONG_HINT))
    north.press_key("i")
    expect(north.page.locator("#advice p")).to_have_count(len(A_LONG_HINT["said"]))
    for width, height in ((390, 844), (360, 640), (568, 320), (1280, 800)):
        north.page.set_viewport_size({"width": width, "height": height})
        north.page.wait_for_function(LIES_ON_NOTHING)
    north.act(alone=False)
    expect(north.page.locator("#advice")).to_be_hidden()
