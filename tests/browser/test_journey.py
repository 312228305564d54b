"""A stranger comes, plays a ranked game and sees the standings move: in every way that works."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.forms import FormReader, Page
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.faults.stack import Pace, Stack

MOST_ACTIONS, MOST_SECONDS = 6, 60.0
"""From the first page to the first card, on a machine that does nothing else."""


@pytest.mark.parametrize("device", [pytest.param(DESKTOP, marks=pytest.mark.database), PHONE], ids=["desktop", "phone"])
def test_a_stranger_plays_a_ranked_game_and_sees_the_standings_move(
    visit: Visit, a_name: Callable[[str], str], device: dict[str, Any], last_deal: Callable[[Visitor], None]
) -> None:
    """At the desk all of it; on a phone two deals."""
    stranger = visit(**device)
    name, page = a_name("Stranger"), stranger.page
    pace = Pace()
    page.goto("/")
    stranger.choose("Ranked")
    stranger.press("Deal me in")
    stranger.join(name)
    bots = stranger.button("Start with bots now")
    expect(stranger.hand.first.or_(bots)).to_be_visible()
    if bots.is_visible():  # somebody else is on the site and might come
        stranger.press_at_table(bots)
    expect(stranger.hand.first).to_be_visible()
    assert stranger.actions <= MOST_ACTIONS
    assert pace.took() <= MOST_SECONDS

    while (asked := stranger.act()) != "over":
        if asked == "next" and device is PHONE:
            last_deal(stranger)
    before = stranger.sees()
    page.reload()
    assert stranger.sees() == before
    row = stranger.over.get_by_role("row", name=re.compile("^You"))
    *_was, now, change = row.get_by_role("cell").all_inner_texts()  # a phone leaves "was" out
    assert int(now) - 1500 == int(change.replace("−", "-")) != 0

    stranger.follow("Review hands")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Deal ")
    position = page.get_by_role("group", name="Steps").get_by_role("status")
    expect(position).to_contain_text("Move 0 of ")
    stranger.follow("On one")
    expect(position).to_contain_text("Move 1 of ")
    page.keyboard.press("ArrowRight")
    expect(position).to_contain_text("Move 2 of ")
    hands = page.get_by_role("region", name="All hands").get_by_role("group")
    assert name in hands.evaluate_all("groups => groups.map(group => group.getAttribute('aria-label'))")

    stranger.follow("Standings")
    row = page.get_by_role("row", name=re.compile(re.escape(name)))
    expect(row).to_contain_text(now)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_four_play_a_game_among_themselves(
    joined: Callable[..., Visitor], last_deal: Callable[[Visitor], None]
) -> None:
    """The last deal of it. (Of one after another, and of one that is passed round first: see test_reconnect.)"""
    four = [joined(kind) for kind in ("North", "East", "South", "West")]
    address = four[0].open_table(**{"Game": "Friendly", "Points to win": "5", "Seconds": "45"})
    for number, visitor in enumerate(four[1:], start=2):
        visitor.page.goto(address)
        visitor.press_at_table(visitor.button(f"Sit here.*Seat {number}"))
    for visitor in four:
        visitor.sees_a_hand()

    last_deal(four[0])
    while Visitor.whose_turn(four).act() != "over":
        pass
    results = []
    for visitor in four:
        expect(visitor.over).to_be_visible()
        said = visitor.over.get_by_role("heading").inner_text()
        points = sorted(int(number) for number in re.findall(r"\d+", said))
        results.append((said.startswith("You won"), points))
    assert [won for won, _points in results].count(True) == 2
    assert results[0][0] == results[2][0] and results[1][0] == results[3][0]
    assert all(points == results[0][1] for _won, points in results)


def test_the_keyboard_is_enough_for_a_deal(joined: Callable[..., Visitor]) -> None:
    north = joined("North", reduced_motion="no-preference")  # cards fly here; elsewhere they need not
    north.page.goto("/")
    north.tab_to("Deal me in")
    north.press_key("Enter")
    while (asked := north.wait_until_asked()) != "next":
        version = north.shown()["version"]
        if asked == "bid":
            if north.button("(Order it up|Take it up)").is_visible():
                north.press_key("o")
            else:
                north.tab_to(re.compile("^(Spades|Hearts|Clubs|Diamonds)$"))
                north.press_key("Enter")
        elif asked == "exchange":
            north.press_key("1")
            north.press_key("Enter")
        else:
            north.tab_to(re.compile("(Nine|Ten|Jack|Queen|King|Ace) of "))
            north.press_key("Enter")
        expect(north.table).not_to_have_attribute("data-version", version)
    north.press_key("Enter")
    north.sees_a_hand()


def test_a_deal_needs_no_script(joined: Callable[..., Visitor]) -> None:
    north = joined("North", java_script_enabled=False)
    north.page.goto("/")
    north.press("Deal me in")
    while north.act_without_script() != "next":
        pass
    north.sees_a_hand()


def test_a_script_that_knows_only_forms_plays_a_whole_game(stack: Stack, a_name: Callable[[str], str]) -> None:
    script = FormReader(stack.url)
    lobby = script.join(a_name("Script"))
    table = script.send(lobby.form_to("/play/"))
    sent = 0
    while table.main["data-phase"] != "over":
        move = chosen(table)
        if move is None:
            table = script.get(table.address)
            continue
        table = script.send(table.moves()[move], ("action", move))
        assert "moved on" not in table.text
        sent += 1
    assert sent > 20
    assert re.search(r"You (won|lost), \d+ to \d+", table.text)


def chosen(table: Page) -> str | None:
    """What the script does, if anything: it calls when it can, and plays what comes first."""
    moves = list(table.moves())
    for wanted in ("next", "order_up", "call:", "discard:", "play:", "together", "pass"):
        for move in moves:
            if move.startswith(wanted):
                return move
    return None
