"""A whole game without a pointer: by keys alone, and by what the table announces and its controls are called."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.speech import said
from tests.browser.visitor import Visitor
from tests.scale import THOROUGH


def sit_down(visitor: Visitor, language: str) -> None:
    """At a friendly table that plays to five points, with bots."""
    visitor.open_table(**{"Game": "Friendly", "Points to win": "5", "Seconds": "45"})
    expect(visitor.button("Start with bots now")).to_be_visible()
    if language != "en":
        visitor.speak(language)
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
    if phase == "between":
        visitor.press_at_table(visitor.button("Next hand"))
        return
    told = visitor.announced.inner_text().lower()
    if phase == "bid1":
        visitor.press_at_table(visitor.button("(Order it up|Take it up)"))
    elif phase == "bid2":
        visitor.press_at_table(told_of(visitor.button("(Spades|Hearts|Clubs|Diamonds)"), told))
    elif phase == "exchange":
        visitor.press_at_table(visitor.hand.last)
        visitor.press_at_table(visitor.button("(Bury|Take it, bury)"))
    elif phase == "alone":
        visitor.press_at_table(visitor.button("Play together"))
    else:
        visitor.press_at_table(told_of(visitor.playable, told))


def told_of(controls: Locator, told: str) -> Locator:
    """The first of these that the announcement names; of cards any, where it says that all may be played."""
    names = [text.split(",")[0].strip().lower() for text in controls.evaluate_all(
        "all => all.map((one) => one.ariaLabel || one.querySelector('.vh')?.textContent || one.innerText)"
    )]  # fmt: skip
    return controls.nth(next((at for at, name in enumerate(names) if name and name in told), 0))


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("act", [by_keys, by_what_is_said], ids=["keys", "said"])
def test_a_whole_game(
    joined: Callable[..., Visitor],
    last_deal: Callable[[Visitor], None],
    act: Callable[[Visitor, str], None],
    language: str,
) -> None:
    """(complaints.md: "full game by keyboard only", "did not notice it was my turn") Each way in one language; in the
    other two deals."""
    whole = THOROUGH or (act is by_keys) == (language == "en")
    north = joined("North")
    sit_down(north, language)
    my_turn = re.compile("^(" + said("Your turn", language) + ")")
    page, icon = north.page, north.page.locator("#favicon")
    while north.wait_until_asked() != "over":
        shown = north.shown()
        if shown["turn"] == "mine":
            expect(page).to_have_title(my_turn)
            expect(icon).to_have_attribute("href", re.compile("favicon-turn"))
            expect(north.announced).to_contain_text(re.compile(said("Your turn.", language)))
        if shown["phase"] == "between" and not whole:
            last_deal(north)
        act(north, shown["phase"])
        counter = "revision" if shown["phase"] == "between" else "version"
        expect(north.table).not_to_have_attribute(f"data-{counter}", shown[counter])
    expect(page.get_by_role("heading", name=north.named("(You won|You lost)"))).to_be_focused()
    expect(north.announced).to_contain_text(re.compile(said("Game over.", language)))
    expect(page).not_to_have_title(my_turn)
    expect(icon).not_to_have_attribute("href", re.compile("favicon-turn"))
