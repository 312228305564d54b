"""Reload, second tab, lost connection, leaving and coming back: the same seat and the same cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.line import Line
from tests.browser.visitor import Visitor
from tests.faults.stack import Pace, Stack, wait_until

BACK_WITHIN = 3.0
"""Seconds, on a machine that does nothing else."""

ATTEMPTS = 5
"""A busy machine may need more than one for that."""

OF_A_LOST_CONNECTION = ("net::ERR", "WebSocket connection to", "htmx:ws:error")
"""What the console says of one."""

Joined = Callable[..., Visitor]


@pytest.fixture
def line(stack: Stack) -> Iterator[Line]:
    with Line(stack.port) as line:
        yield line


@pytest.fixture
def four(joined: Joined, line: Line) -> list[Visitor]:
    """Four people at a table of theirs, just dealt. The second comes by a line that can be cut."""
    visitors = [
        joined(kind, **{"site": line.url} if kind == "East" else {}) for kind in ("North", "East", "South", "West")
    ]
    address = visitors[0].open_table(Game="Friendly", Seconds="45")
    for number, visitor in enumerate(visitors[1:], start=2):
        visitor.page.goto(address)
        visitor.press_at_table(visitor.button(f"Sit here.*Seat {number}"))
    for visitor in visitors:
        visitor.sees_a_hand()
        # Whoever reloads loses this mark.
        visitor.page.evaluate("window.loadedOnce = true")
    return visitors


def has_not_reloaded(visitor: Visitor) -> bool:
    return bool(visitor.page.evaluate("window.loadedOnce === true"))


def all_see_the_same(visitors: Iterable[Visitor]) -> bool:
    return len({visitor.shown()["revision"] for visitor in visitors}) == 1


def assert_the_same_after_a_reload(visitor: Visitor) -> None:
    before = visitor.shown(), visitor.sees()
    visitor.page.reload()
    assert (visitor.shown(), visitor.sees()) == before


def test_a_reload_in_any_phase_shows_the_same_seat_and_cards(joined: Joined, four: list[Visitor]) -> None:
    """Of a game that is over: see the journey."""
    host = joined("Host")
    host.open_table(Game="Friendly")
    assert_the_same_after_a_reload(host)

    for visitor in four:
        visitor.page.get_by_role("button", name="Table menu").click()
        visitor.ask_about_going_alone()
        visitor.page.keyboard.press("Escape")
    wait_until(lambda: all_see_the_same(four), "the last change")
    seen: set[str] = set()
    deals = 0
    while seen != {"bid1", "bid2", "alone", "exchange", "play", "between"}:
        visitor = Visitor.whose_turn(four)
        phase = visitor.shown()["phase"]
        if phase not in seen:
            assert_the_same_after_a_reload(visitor)
            assert_the_same_after_a_reload(next(other for other in four if other is not visitor))
            seen.add(phase)
        if phase == "between":
            for other in four:
                other.act()
            deals += 1
        else:
            assert visitor.act(first_round=deals > 0, alone=False) != "over"


def test_play_goes_on_in_either_of_two_tabs(joined: Joined) -> None:
    one = joined("North")
    address = one.open_table(Game="Friendly", Seconds="45")
    one.press_at_table(one.button("Start with bots now"))
    one.wait_until_asked()
    other = one.another_tab()
    other.page.goto(address)
    for _turn in range(6):
        one.wait_until_asked()
        wait_until(lambda one=one, other=other: all_see_the_same((one, other)), "the same table")
        assert one.sees() == other.sees()
        other.act()
        one, other = other, one


def test_a_cut_connection_is_back_in_time_with_the_same_cards_and_nobody_else_reloads(
    four: list[Visitor], line: Line
) -> None:
    """Complaint: a drop of less than a minute and no way back in."""
    lost = four[1]
    lost.forgive(*OF_A_LOST_CONNECTION)

    def cut_and_mended() -> float:
        while (asked := Visitor.whose_turn(four)) is lost:
            lost.act(first_round=False)
        hand = lost.sees()["hand"]
        line.cut()
        expect(lost.page.get_by_text("Connection lost.")).to_be_visible()
        asked.act(first_round=False)
        missed = asked.shown()["version"]
        line.mend()
        pace = Pace()
        expect(lost.table).to_have_attribute("data-version", missed)
        took = pace.took()
        expect(lost.page.get_by_text("Connection lost.")).not_to_be_visible()
        assert lost.sees()["hand"] == hand
        assert all(has_not_reloaded(visitor) for visitor in four)
        return took

    assert any(cut_and_mended() < BACK_WITHIN for _attempt in range(ATTEMPTS))


def test_a_restarted_server_is_found_again_by_everybody(stack: Stack, four: list[Visitor]) -> None:
    """Complaint: a server restart kills all games."""
    for visitor in four:
        visitor.forgive(*OF_A_LOST_CONNECTION)

    def restarted() -> float:
        before = [visitor.sees() for visitor in four]
        stack.restart("web")
        pace = Pace()
        asked = Visitor.whose_turn(four)
        asked.act(first_round=False)
        version = asked.shown()["version"]
        for visitor in four:
            expect(visitor.table).to_have_attribute("data-version", version)
        took = pace.took()
        for visitor, seen in zip(four, before, strict=True):
            assert all(visitor.sees()[what] == seen[what] for what in ("seats", "hand"))
        assert all(has_not_reloaded(visitor) for visitor in four)
        return took

    assert any(restarted() < BACK_WITHIN for _attempt in range(ATTEMPTS))


def test_who_left_takes_the_seat_back_by_one_click_and_acts_next(joined: Joined) -> None:
    north = joined("North")
    address = north.open_table(Game="Friendly", Seconds="45")
    north.press_at_table(north.button("Start with bots now"))
    north.wait_until_asked()
    north.page.get_by_role("button", name="Table menu").click()
    north.press("Leave the game")
    north.page.get_by_role("dialog", name="Leave the game?").get_by_role("button", name="Leave the game").click()
    expect(north.page.get_by_role("heading", level=1)).to_have_text("Pull up a chair")

    north.follow("Back to the table")
    expect(north.table.get_by_role("heading", name="You left this game")).to_be_visible()
    assert north.page.url.endswith(address)
    before = north.actions
    north.press_at_table(north.button("Take your seat back"))
    north.wait_until_asked()
    assert north.actions - before == 1
    assert north.act() != "over"
