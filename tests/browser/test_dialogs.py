"""axe finds nothing on anything that opens at a table, in both themes and directions: on a phone, in Hebrew."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.live import felt
from tests.browser.axe import assert_panel_sound
from tests.browser.forms import FormReader
from tests.browser.test_hints import A_LONG_HINT, TERMS
from tests.browser.visitor import PHONE, Visitor
from tests.web import snapshots

PUT = """frame => {
  const made = new DOMParser().parseFromString(frame, "text/html");
  for (const id of ["felt", "own"]) document.getElementById(id).replaceWith(made.getElementById(id));
  document.dispatchEvent(new CustomEvent("table:frame"));
}"""

CUT_OFF = """panel => { const {left, right, top, bottom} = panel.getBoundingClientRect();
    return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight; }"""


def assert_sound_and_close(page: Page, panel: str) -> None:
    shown = page.locator(f"#{panel}:popover-open")
    expect(shown).to_be_visible()
    shown.evaluate("panel => panel.querySelectorAll('details').forEach((part) => (part.open = true))")
    assert not shown.evaluate(CUT_OFF), panel
    assert_panel_sound(page, f"#{panel}")
    shown.evaluate("panel => panel.hidePopover()")


def test_axe_finds_nothing_on_anything_that_opens_at_the_table(
    joined: Callable[..., Visitor], a_name: Callable[[str], str]
) -> None:
    host = joined("Host", **PHONE)
    page = host.page
    address = host.open_table(**TERMS)
    friend = FormReader(host.site)
    friend.join(a_name("Friend"))
    friend.send(friend.get(address).moves()["sit:2"], ("action", "sit:2"))
    host.speak("he")

    def press(control: str) -> None:
        host.press_at_table(page.locator(control).first)

    def open_and_look(panel: str) -> None:
        press(f"[popovertarget={panel}]:not([popovertargetaction])")
        assert_sound_and_close(page, panel)

    for panel in ("chairs", "rail", "tmenu"):
        open_and_look(panel)
    press("#seat-N [data-person]")
    assert_sound_and_close(page, "person")
    press("#seat-N [data-person]")
    press("#person [value=report]")
    expect(page.locator("#why-words")).to_be_visible()
    assert_sound_and_close(page, "person")

    table = snapshots.states()["trick next"]
    page.evaluate(PUT, felt.render(table, table.turn))
    open_and_look("last-trick")
    press("[popovertarget=tmenu]")
    open_and_look("leaving")
    page.route("**/hint/**", lambda route: route.fulfill(json=A_LONG_HINT))
    press("#ask-hint")
    assert_sound_and_close(page, "advice")
