"""Guests, and a private table among friends: how few actions it takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import DESKTOP, PHONE, Visitor, look_over

FIRST_CARD = 2
"""Actions from the front page: the button, the name."""


def test_a_guest_has_cards_after_the_button_and_his_name(visit: Visit, a_name: Callable[[str], str]) -> None:
    guest = visit(**PHONE)
    guest.page.goto("/")
    guest.press("Deal me in")
    name = guest.page.get_by_role("textbox", name="Your name at the table")
    name.fill(a_name("Guest"))
    name.press("Enter")  # the name and its Enter are one action
    guest.actions += 1
    bots = guest.button("Start with bots now")
    expect(guest.hand.first.or_(bots)).to_be_visible()
    assert guest.actions == FIRST_CARD
    if bots.is_visible():  # somebody else is on the site and might come
        guest.press_at_table(bots)
    guest.sees_a_hand()
    expect(guest.page.locator("#seat-S")).to_contain_text("guest")


def test_friends_meet_at_a_private_table(
    visit: Visit, joined: Callable[..., Visitor], a_name: Callable[[str], str]
) -> None:
    host, friend = joined("Host"), visit(**DESKTOP)
    host.page.goto("/")
    host.follow("Play with friends")
    host.press("Get the link")
    link = host.page.locator("#invite-link")
    expect(link).to_be_visible()
    assert host.actions == 2
    address = link.inner_text()
    assert address == link.evaluate("link => link.href")

    friend.page.goto(address)
    name = friend.page.get_by_role("textbox", name="Your name at the table")
    name.fill(a_name("Friend"))
    friend.press("Sit down")
    expect(friend.table).to_be_visible()
    assert friend.actions == 1
    expect(host.page.locator("#prompt")).to_contain_text("2 of 4 are here")
    assert link.inner_text() == address  # a frame has come, and it still stands there in full

    host.press_at_table(host.page.locator("button[popovertarget=chairs]").first)
    elsewhere = host.page.get_by_role("button", name=re.compile("^Seat [234].*Friend")).first
    seat = int((elsewhere.get_attribute("value") or "").rpartition(":")[2]) + 1
    host.press_at_table(elsewhere)
    expect(host.page.locator("#chairs")).to_contain_text(re.compile(rf"Friend.*, seat {seat}"))
    host.press_at_table(host.page.get_by_role("button", name=re.compile("^Ask to get up.*Friend")))
    expect(friend.page.locator("#notice")).to_contain_text("the host asked you to")
    friend.press_at_table(friend.button("Join this game"))
    expect(host.page.locator("#prompt")).to_contain_text("2 of 4 are here")
    host.press("Done")
    host.press_at_table(host.button("Start with bots now"))
    for visitor in (host, friend):
        visitor.sees_a_hand()


def test_axe_finds_nothing_on_their_pages(visit: Visit, joined: Callable[..., Visitor]) -> None:
    host, visitor = joined("Host"), visit(**PHONE)
    look_over(host.page, host.site, "/people/")
    look_over(visitor.page, visitor.site, "/guest/")
    look_over(host.page, host.site, "/tables/new/?who=link")
    host.press("Get the link")
    door = host.page.locator("#invite-link").inner_text().removeprefix(host.site)
    look_over(visitor.page, visitor.site, door)
    look_over(host.page, host.site, urlsplit(host.page.url).path)
