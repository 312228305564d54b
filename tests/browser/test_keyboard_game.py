"""A whole game without a pointer: by keys alone, and by what the table announces and its controls are called."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

SPOKEN = {
    "bid1": r"(Order it up|Take it up)",
    "suit": r"Name (\w+)",
    "bury": r"(Bury|Take it, bury)",
    "together": r"Play together",
    "cards": r"You may play the (\w+ of \w+)",
    "over": r"You (won|lost)",
    "next": r"Next hand",
}
"""What is said in English, and what the buttons are called."""


def sit_down(visitor: Visitor) -> None:
    """At a friendly table that plays to five points, with bots."""
    page = visitor.page
    page.goto("/tables/new/")
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    for group, choice in {"Game": "Friendly", "Points to win": "5", "Seconds": "45"}.items():
        page.get_by_role("group", name=group).get_by_label(choice, exact=True).check(force=True)
    visitor.press("Open the table")
    expect(visitor.button("Start with bots now")).to_be_visible()
    visitor.press_key("b")


def by_keys(visitor: Visitor, phase: str) -> None:
    keys = {"exchange": ["1", "Enter"], "alone": ["p"], "between": ["Enter"]}.get(phase)
    if phase == "bid1":
        keys = ["a", "o"] if visitor.table.get_by_role("checkbox", name="Go alone").count() else ["o"]
    elif phase == "bid2":
        suits = visitor.page.locator(".suitbtn:enabled").evaluate_all("all => all.map((one) => one.dataset.suit)")
        keys = [suits[0].lower()]
    elif phase == "play":
        legal = visitor.page.locator("#hand [data-card]").evaluate_all(
            "all => all.findIndex((one) => one.matches('.is-legal'))"
        )
        keys = [str(legal + 1)]
    for key in keys or []:
        visitor.press_key(key)


def by_what_is_said(visitor: Visitor, phase: str) -> None:
    """Chooses by the announcement alone, and finds the control by its role and name alone."""
    said = visitor.announced.inner_text()
    if phase == "between":
        visitor.press_at_table(visitor.button(SPOKEN["next"]))
        return
    assert "Your turn." in said
    if phase == "bid1":
        visitor.press_at_table(visitor.button(SPOKEN["bid1"]))
    elif phase == "bid2":
        suit = re.search(SPOKEN["suit"], said)
        assert suit
        visitor.press_at_table(visitor.button(suit[1].capitalize()))
    elif phase == "exchange":
        visitor.press_at_table(visitor.hand.last)
        visitor.press_at_table(visitor.button(SPOKEN["bury"]))
    elif phase == "alone":
        visitor.press_at_table(visitor.button(SPOKEN["together"]))
    else:
        named = re.search(SPOKEN["cards"], said)
        card = visitor.button(named[1].capitalize()) if named else visitor.playable.first
        visitor.press_at_table(card)


@pytest.mark.parametrize("act", [by_keys, by_what_is_said], ids=["keys", "said"])
def test_a_whole_game(joined: Callable[..., Visitor], act: Callable[[Visitor, str], None]) -> None:
    """(complaints.md: "full game by keyboard only", "did not notice it was my turn")"""
    north = joined("North")
    sit_down(north)
    page, icon = north.page, north.page.locator("#favicon")
    while north.wait_until_asked() != "over":
        shown = north.shown()
        if shown["turn"] == "mine":
            expect(page).to_have_title(re.compile("^Your turn"))
            expect(icon).to_have_attribute("href", re.compile("favicon-turn"))
            expect(north.announced).to_contain_text("Your turn.")
        act(north, shown["phase"])
        counter = "revision" if shown["phase"] == "between" else "version"
        expect(north.table).not_to_have_attribute(f"data-{counter}", shown[counter])
    expect(page.get_by_role("heading", name=re.compile(SPOKEN["over"]))).to_be_focused()
    expect(north.announced).to_contain_text("Game over.")
    expect(page).not_to_have_title(re.compile("^Your turn"))
    expect(icon).not_to_have_attribute("href", re.compile("favicon-turn"))
