"""What those who stay do about those who leave, and one's own data, by browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.visitor import PHONE, Visitor

Joined = Callable[..., Visitor]


def test_everything_about_oneself_is_two_actions_away(joined: Joined, tmp_path: Path):
    visitor = joined("North", **PHONE)
    visitor.page.goto(visitor.site)
    before = visitor.actions
    visitor.follow("Account and settings")
    with visitor.page.expect_download() as download:
        visitor.follow("Download your data")
    assert visitor.actions - before == 2
    download.value.save_as(tmp_path / "data.json")
    assert json.loads((tmp_path / "data.json").read_text())["profile"]["name"] == visitor.name


def test_who_stays_takes_the_win_with_one_press(joined: Joined):
    """Two people, each with a bot: who leaves leaves nobody on his side."""
    north, east = joined("North"), joined("East")
    address = north.open_table(Game="Friendly", Seconds="45")
    east.page.goto(address)
    east.press_at_table(east.button("Sit here.*Seat 2"))
    north.press_at_table(north.button("Start with bots now"))
    east.sees_a_hand()
    north.page.get_by_role("button", name="Table menu").click()
    north.press_at_table(north.page.get_by_role("button", name="Leave the game").first)
    north.press_at_table(north.page.get_by_role("dialog", name="Leave the game?").get_by_role("button").first)
    offer = east.page.get_by_role("status").filter(has_text="The other side has left")
    expect(offer).to_be_visible()
    east.press_at_table(offer.get_by_role("button", name="Take the win"))
    expect(east.page.get_by_role("heading", name="You won: the others have left")).to_be_visible()
