"""The felt on small screens and in low windows: nothing lies on anything else in any phase, and a thumb hits what it
aims at.

The frames are those of the real engine and renderer, put into one real page, so no game has to be played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games.live import felt
from games.selectors.tables import TableSnapshot
from tests.browser.visitor import Visitor
from tests.web import snapshots

SIZES = {
    "portrait": (360, 640, "en"),
    "narrow": (320, 640, "en"),
    "landscape": (568, 320, "en"),
    "on its side": (640, 360, "sl"),
    "phone": (390, 844, "ar"),
    "large print": (960, 485, "en"),
    "window": (1024, 600, "he"),
    "tablet": (1024, 768, "en"),
    "desk": (1280, 800, "he"),
}
"""In CSS pixels, each in a language. Large print is a desk of 1920 x 970 at 200 %."""

STATES = (
    "bid1", "bid1 third", "bid1 dealer", "bid2", "bid2 stuck", "exchange", "exchange own", "alone", "play first",
    "play follow", "trick done", "trick next", "lone", "done", "done lone", "passed out", "over", "lost", "missed",
    "kept", "left", "win offered", "win half taken", "away", "done kept", "done offered",
    "own left", "long names", "marked names",
)  # fmt: skip

WATCHED = ("bid1", "trick next", "done", "done lone", "long names")

MARKED = (
    "W" * 24,
    "\u05d0\u05b7\u05dc\u05b0" * 6,  # points below
    "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f \u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
    "\u0928\u093f\u0930\u0941\u092a\u092e\u093e \u091a\u0915\u094d\u0930\u0935\u0930\u094d\u0924\u0940",
)
"""Names of up to 24 characters with combining marks, and the widest of one word. (There are none with emoji.)"""

PUT = """frame => {
  const made = new DOMParser().parseFromString(frame, "text/html");
  for (const id of ["felt", "score", "offer"]) document.getElementById(id).replaceWith(made.getElementById(id));
  for (const animation of document.getAnimations()) animation.finish();
}"""

MEASURE = """() => {
  const ofSeat = (letter) => `#seat-${letter} :is(.seat__av, .seat__id, .seat__marks > *)`;
  const parts = {
    bar: "#tbar > *, #tbar b", offer: "#offer:not(:empty)",
    trump: "#trump", tricks: "#tricks", prompt: "#prompt > *", hand: "#hand .card",
    trick: ".trick:not(.past) .card", upcard: ".upcard__k, .upcard__c, .upcard__slot", result: "#result", over: "#over",
    north: ofSeat("N"), west: ofSeat("W"), east: ofSeat("E"), south: ofSeat("S"),
  };
  const mayCover = new Set(["trick result", "result trick", "upcard result", "result upcard"]);
  const found = new Set();
  const boxes = [];
  const screen = document.documentElement.clientWidth; // innerWidth grows with what sticks out
  for (const [name, selector] of Object.entries(parts)) {
    for (const element of document.querySelectorAll(selector)) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (right > left && bottom > top && element.checkVisibility()) boxes.push({ name, left, top, right, bottom });
    }
  }
  boxes.forEach((one, at) => {
    const cut = one.left < -1 || one.right > screen + 1 || one.bottom > innerHeight + 1;
    if (cut) found.add(`${one.name} is cut off`);
    for (const other of boxes.slice(at + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.name === other.name || mayCover.has(`${one.name} ${other.name}`) || wide < 1.5 || high < 1.5) continue;
      found.add(`${one.name} and ${other.name} share ${Math.round(wide)} x ${Math.round(high)}`);
    }
  });
  for (const control of document.querySelectorAll(":is(#felt, #tbar) :is(button, a, label.switch)")) {
    const box = control.getBoundingClientRect();
    const reach = getComputedStyle(control, "::after"); // a link may reach farther than its words
    const farther = (side) => Math.max(box[side], (reach.position === "absolute" && parseFloat(reach[side])) || 0);
    const [width, height] = [farther("width"), farther("height")];
    if (!control.checkVisibility() || Math.min(width, height) > 43.5) continue;
    const called = control.getAttribute("aria-label") ?? control.textContent.trim();
    found.add(`${called} is ${Math.round(width)} x ${Math.round(height)}`);
  }
  for (const name of document.querySelectorAll(".seat__n bdi")) {
    const range = document.createRange();
    range.selectNodeContents(name);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    const words = name.textContent.split(/[\\s\u05be-]+/).length;
    if (lines > words) found.add(`${name.textContent} is broken within a word`);
  }
  if (document.documentElement.scrollWidth > screen) found.add("the page is wider than the screen");
  return [...found];
}"""


LOOK = f"""([dir, frames]) => {{
  const put = {PUT}, measure = {MEASURE};
  document.documentElement.dir = dir;
  return frames.map(([name, frame]) => [name, (put(frame), measure())]).filter(([, trouble]) => trouble.length);
}}"""


@pytest.fixture
def page_of_a_table(joined: Callable[..., Visitor]) -> Any:
    north = joined("North", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640})
    address = north.open_table(Game="Friendly", Seconds="45")
    north.page.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    north.page.goto(address)
    return north.page


def test_nothing_lies_on_anything_else(page_of_a_table: Any) -> None:
    found = {}
    states = snapshots.states()
    states["done kept"] = replace(states["done"], seats=states["kept"].seats)
    states["done offered"] = replace(states["done"], seats=states["win offered"].seats, win_offered=0)
    states["own left"] = snapshots.table(
        states["kept"].deal, seats=(snapshots.seat(0, keeper=True, left=True), *snapshots.SEATS[1:])
    )
    states["marked names"] = replace(
        states["long names"], seats=tuple(snapshots.seat(index, name=name) for index, name in enumerate(MARKED))
    )
    seen: list[tuple[str, TableSnapshot, int | None]] = [
        *((name, states[name], states[name].turn or 0) for name in STATES),
        *((f"{name}, watched", states[name], None) for name in WATCHED),
    ]
    for size, (width, height, language) in SIZES.items():
        page_of_a_table.set_viewport_size({"width": width, "height": height})
        frames = [(name, felt.render(table, place, language)) for name, table, place in seen]
        direction = "rtl" if language in ("he", "ar") else "ltr"
        if trouble := page_of_a_table.evaluate(LOOK, [direction, frames]):
            found[size] = trouble
    assert not found
