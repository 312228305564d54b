"""Two people and their hands: a card marked ahead, no second card by a double click, and word of one's turn.
One person and what else hands do: their order, dragging, claims, the only card that may be played."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from games import engine
from games.live import felt
from tests.browser.visitor import Visitor
from tests.web import snapshots
from tests.web.test_announcements import SURE

OUT_OF_SIGHT = """
  document.hasFocus = () => false;
  window.told = [];
  window.tones = 0;
  window.Notification = class {
    static permission = "default";
    static async requestPermission() { return (this.permission = "granted"); }
    constructor(title, { body }) { told.push(`${title}: ${body}`); }
    close() {}
  };
  const ramps = { linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  window.AudioContext = class { state = "running"; currentTime = 0; async resume() {} };
  window.GainNode = class { gain = ramps; connect() {} };
  window.OscillatorNode = class { connect(next) { return next; } start() { tones += 1; } stop() {} };
"""
"""A browser that is looked away from, and counts what it would have sounded and shown."""

DECIDED = """(count) => document.querySelectorAll("#hand [data-card]").length < count
  || document.getElementById("announce").textContent.includes("may not be played now")"""


def test_marks_double_clicks_and_calls(joined: Callable[..., Visitor]) -> None:
    north, south = joined("North"), joined("South")
    north.context.add_init_script(OUT_OF_SIGHT)
    address = north.open_table(Game="Friendly", Seconds="45")
    page = north.page
    page.get_by_role("button", name="Table menu").click()
    page.get_by_text("Your turn", exact=True).click()
    north.press_at_table(page.get_by_label("Notice while out of sight"))
    page.keyboard.press("Escape")
    south.page.goto(address)
    south.press_at_table(south.button("Sit here.*Seat 3"))
    north.press_at_table(north.button("Start with bots now"))

    marked = doubled = False
    while not (marked and doubled):
        actor = Visitor.whose_turn([north, south])
        phase = actor.shown()["phase"]
        if actor is south and phase == "play" and north.shown()["phase"] == "play" and not marked:
            marked = mark_and_see_it_played(north, south)
        elif actor is north and phase == "play" and not doubled and north.hand.count() > 2:
            before = north.hand.count()
            with north.calmly():
                north.playable.first.dblclick()
            expect(north.hand).to_have_count(before - 1)
            expect(page.get_by_role("button", pressed=True)).to_have_count(0)
            doubled = True
        else:
            assert actor.act(alone=False) != "over"
    assert page.evaluate("tones") >= 2
    assert page.evaluate("told.length") >= 1
    assert all(said.startswith("Your turn: ") for said in page.evaluate("told"))


def mark_and_see_it_played(north: Visitor, south: Visitor) -> bool:
    """North marks his last card while South thinks, unmarks and marks it again. What became of it is told."""
    card = north.hand.last
    name = card.get_attribute("data-card")
    for pressed in ("true", "false", "true"):
        north.press_at_table(card)
        expect(card).to_have_attribute("aria-pressed", pressed)
    expect(north.announced).to_contain_text("Marked: it is played on your turn, if it may be.")
    count = north.hand.count()
    while not north.page.evaluate(DECIDED, count):
        if south.is_asked():  # more than once, if the next trick is led by whoever sits before him
            assert south.act() == "play"
        north.page.wait_for_timeout(20)
    if north.hand.count() < count:
        expect(north.page.locator(f"#hand [data-card='{name}']")).to_have_count(0)
    else:
        expect(north.announced).to_contain_text("The marked card may not be played now.")
        expect(north.page.get_by_role("button", pressed=True)).to_have_count(0)
    return True


def test_the_last_seconds_are_told_and_a_tab_that_slept_shows_no_stale_clock(joined: Callable[..., Visitor]) -> None:
    """Complaint: switching tab shows a stale clock. (The page's clock goes as the test likes, the site's does not.)"""
    north = joined("North")
    page = north.page
    page.clock.install()
    north.open_table(Game="Friendly", Seconds="90")
    north.press_at_table(north.button("Start with bots now"))
    north.wait_until_asked()
    page.clock.run_for(87_000)  # fast-forwarded, the page would ask the site for the time, which has not moved
    expect(north.announced).to_contain_text("Five seconds left.")
    page.evaluate("document.querySelector('.clock__left').getAnimations()[0].currentTime = 0")
    page.evaluate("dispatchEvent(new Event('focus'))")
    assert page.evaluate("document.querySelector('.clock__left').getAnimations()[0].currentTime") >= 87_000


CAUGHT = """
  window.sent = [];
  const {send} = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    const action = /"action":\\s*"([^"]*)"/.exec(data)?.[1];
    if (action) sent.push(action);
    else send.call(this, data);
  };
"""
"""A browser whose moves stay at home, for whoever asks what they were."""

SHOW = """frame => document.dispatchEvent(
  new CustomEvent("htmx:before:ws:message", {detail: {message: {text: frame}}}))"""


def test_order_of_the_hand_two_clicks_drag_claim_and_the_only_card(joined: Callable[..., Visitor]) -> None:
    """At a real page, which is shown deals that were dealt for it."""
    north = joined("North")
    page = north.page
    north.context.add_init_script(CAUGHT)
    north.open_table(Game="Friendly")

    def show(deal: engine.DealState, seat: int) -> None:
        page.evaluate(SHOW, felt.render(snapshots.table(deal), seat))

    def prefer(group: str, choice: str) -> None:
        page.get_by_role("group", name=group).get_by_role("radio", name=choice, exact=True).check(force=True)

    def card(code: str) -> Locator:
        return page.locator(f"#card-{code}")

    def drag_to(place: str) -> None:
        with north.calmly():
            card("QD").hover()
            page.mouse.down()
            box = page.locator(place).bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
            page.mouse.up()

    follows = snapshots.deals()["play follow"]  # hearts are trump, diamonds are led
    show(follows, 0)
    page.get_by_role("button", name="Table menu").click()
    page.locator("#tmenu").get_by_text("Cards", exact=True).click()
    for choice, order in (
        ("By suit", "AS KH QD JD TD"),
        ("Trump left", "JD KH QD TD AS"),
        ("Trump right", "QD TD AS JD KH"),
    ):
        prefer("Order of the hand", choice)
        assert north.sees()["hand"] == order.split()
    prefer("To play a card", "Twice")
    assert not page.get_by_label("Play my only legal card", exact=True).is_checked()
    page.get_by_label("Play my only legal card", exact=True).check(force=True)
    page.keyboard.press("Escape")
    expect(card("JD")).to_have_accessible_name(re.compile("^Jack of diamonds, left bower"))
    expect(card("JD").locator(".card__tag")).to_be_visible()

    drag_to("#seat-N")
    assert page.evaluate("sent") == []
    drag_to("#mat")
    north.press_at_table(card("TD"))
    assert page.evaluate("sent") == ["play:QD"]
    north.press_at_table(card("TD"))
    page.wait_for_function("() => sent.join() === 'play:QD,play:TD'")

    show(snapshots.played(SURE, "order_up discard:9S together together together together"), 1)
    north.press_at_table(north.button("Claim the rest"))
    page.wait_for_function("() => sent.at(-1) === 'claim'")
    show(snapshots.played(follows, "play:TD play:QS"), 0)
    page.wait_for_function("() => sent.at(-1) === 'play:AS'")
