"""Two browsers talk at a table; one mutes the other in two actions, and reports him by one more."""

from __future__ import annotations

import re
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.visitor import PHONE, Visitor

Joined = Callable[..., Visitor]


def test_two_people_talk_and_one_mutes_the_other_in_two_actions(joined: Joined) -> None:
    north, south = joined("North"), joined("South", **PHONE)
    address = north.open_table(Game="Friendly", Seconds="45")
    south.page.goto(address)
    south.press_at_table(south.button("Sit here.*Seat 3"))
    talk, opener = north.page.get_by_role("log", name="Talk"), south.page.get_by_role("button", name="Record and talk")
    expect(south.page.locator("#talk")).to_have_attribute("data-seated", "1")

    north.page.get_by_label("Say something").fill("Hello <i>partner</i>")
    north.page.keyboard.press("Enter")
    expect(north.page.get_by_label("Say something")).to_have_value("")
    expect(opener).to_have_accessible_name("Record and talk, new messages: 1")
    south._press(opener)
    expect(opener).to_have_accessible_name("Record and talk")
    expect(south.page.get_by_role("log", name="Talk")).to_contain_text("Hello <i>partner</i>")

    south._press(south.page.get_by_text("Quick phrases"))
    south._press(south.page.get_by_role("button", name="Thanks"))
    expect(talk).to_contain_text(f"{south.name} Thanks")
    expect(north.page.get_by_role("log", name="New messages")).to_contain_text("Thanks")

    before = north.actions
    north._press(north.table.get_by_role("link", name=south.name))
    card = north.page.get_by_role("dialog", name=south.name)
    north._press(card.get_by_role("button", name="Mute"))
    assert north.actions - before == 2
    expect(card.get_by_role("button", name="Unmute")).to_be_visible()  # the card has been drawn anew
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()
    expect(north.table.get_by_role("link", name=south.name)).to_be_focused()
    north.page.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(talk).not_to_contain_text("Thanks")
    expect(talk).to_contain_text("Hello")

    found = Axe().run(north.page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    north._press(card.get_by_role("button", name="Unmute"))
    expect(talk).to_contain_text("Thanks")
    north._press(card.get_by_role("button", name=re.compile("^Report")))
    expect(card.get_by_role("status")).to_contain_text("Reported.")
    north.page.keyboard.press("Escape")
    expect(north.table.get_by_role("link", name=south.name)).to_be_focused()
