"""The deal of the day in a browser: all of it by keyboard, without a script, and under axe's eyes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.test_axe import assert_nothing_found
from tests.browser.test_dialogs import assert_sound_and_close
from tests.browser.visitor import PHONE, Visitor
from tests.faults.stack import Stack

KNOWN = """
import django
django.setup()
from datetime import timedelta
from unittest import mock
from django.utils import timezone
from games.models import Player
from games.selectors.daily import day_of, state_of
from games.services import daily

def is_wanted(deal):
    state = daily._answered(deal, state_of(deal, None), Player(), None)
    return deal.seat == deal.dealer and (state.phase, state.turn) == ("bid1", deal.seat)

for ahead in range(2):
    day = day_of(timezone.now()) + timedelta(days=ahead)
    for number in range(256):
        with mock.patch("secrets.token_bytes", return_value=bytes([number]) * 32):
            deal = daily.deal_of(day)
        if is_wanted(deal):
            break
        deal.delete()
    daily.find_par(deal_id=deal.pk)
"""
"""Deals for the days on which the test may run: all pass up to the player, who deals. Par is known."""


@pytest.fixture(autouse=True, scope="module")
def known_deal(stack: Stack) -> None:
    stack.python("-c", KNOWN)


def open_and_look(north: Visitor) -> None:
    """At what opens over the felt, as wide as a phone: by keyboard too."""
    desk = north.page.viewport_size
    assert desk is not None
    north.page.set_viewport_size(PHONE["viewport"])
    for panel in ("tmenu", "rail"):
        north.page.locator(f"[popovertarget={panel}]:not([popovertargetaction])").focus()
        north.press_key("Enter")
        assert_sound_and_close(north.page, panel)
    north.page.set_viewport_size(desk)


def play_by_keyboard(north: Visitor) -> list[str]:
    """From the felt to its end, by the keys that the buttons show and those of the cards: the phases."""
    page, phases = north.page, []
    while (shown := north.shown())["phase"] != "between":
        phases.append(shown["phase"])
        if shown["phase"] == "bid1":
            north.press_key("o")
        elif shown["phase"] == "exchange":
            north.press_key("1")
            expect(north.button("(Take it, bury|Bury)")).to_be_visible()
            north.press_key("Enter")
        elif shown["phase"] == "alone":
            north.press_key("p")
        else:
            if "play" not in phases[:-1]:
                assert_nothing_found(north, "the deal of the day while it is played")
                open_and_look(north)
            legal = "cards => cards.findIndex(card => card.querySelector('.is-legal')) + 1"
            north.press_key(str(page.locator("#hand li").evaluate_all(legal)))
        expect(north.table).not_to_have_attribute("data-version", shown["version"])
    return phases


def test_a_deal_by_keyboard(joined: Callable[..., Visitor], visit: Callable[..., Visitor]) -> None:
    stranger = visit()
    stranger.page.goto("/daily/")
    assert_nothing_found(stranger, "the deal of the day for a visitor")

    north = joined("North")
    page = north.page
    page.goto("/")
    page.get_by_role("link", name="Play it").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Deal of the day", level=1)).to_be_visible()
    north.tab_to("Deal me in")
    page.keyboard.press("Enter")
    expect(north.table).to_have_attribute("data-turn", "mine")

    phases = play_by_keyboard(north)
    assert phases == ["bid1", "exchange", "alone", *["play"] * 5]
    further = page.get_by_role("link", name=re.compile("^All hands and the field"))
    expect(further).to_be_visible()
    expect(north.announced).to_contain_text(re.compile("for you|for them|Nobody scores"))
    assert_nothing_found(north, "the end of the deal of the day")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^Deal of the day: "))).to_be_visible()
    expect(page.get_by_text("The best call of the player’s side was")).to_be_visible()
    assert_nothing_found(north, "what came of the deal of the day")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text("Move 1 of")


def test_a_deal_without_a_script(joined: Callable[..., Visitor]) -> None:
    east = joined("East", java_script_enabled=False)
    page = east.page
    page.goto("/daily/")
    page.get_by_role("button", name="Deal me in").click()
    heading = page.get_by_role("heading", name=re.compile("^Deal of the day: "))
    for _action in range(12):
        if heading.count():
            break
        page.locator("#prompt .ask__b button:not([disabled]), #hand button[name=action]").first.click()
    expect(heading).to_be_visible()
