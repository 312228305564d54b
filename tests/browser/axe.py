"""What axe finds on a page as it stands, in each width and theme that is asked for, from one visit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WIDTHS = (1280, 390)
"""Of a desktop and of a phone."""

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that read colours. Themes differ in nothing else (tokens.css), so the second is asked for these only."""

OF_PLACES = ["color-contrast", "target-size", "scrollable-region-focusable"]
"""The rules that ask where things lie: what the other direction of writing may change."""

ASK = """options => axe.run(options).then(({violations}) =>
    violations.map(({id, nodes}) => [id, nodes.map(({target, html}) => [target, html])]))"""


TURN = """() => { const root = document.documentElement, was = root.dir;
    root.dir = was === "rtl" ? "ltr" : "rtl"; return was; }"""


def found(page: Page, rules: Sequence[str] = ()) -> list[Any]:
    """What axe finds, by all of its rules or by these: pairs of a rule's name and the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    answer: list[Any] = page.evaluate(ASK, {"resultTypes": ["violations"], **only})
    return answer


def assert_sound(page: Page, what: str, widths: Sequence[int] = ()) -> None:
    """axe finds nothing in either theme nor in the other direction of writing, and nothing sticks out sideways, as
    wide as the page is or as is said."""
    size = page.viewport_size
    assert size is not None
    for width in widths or [size["width"]]:
        if width != size["width"]:
            page.set_viewport_size({"width": width, "height": 844})
        for theme, rules in (("light", []), ("dark", OF_COLOURS)):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            problems = found(page, rules)
            assert not problems, (what, width, theme, problems)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width)
    was = page.evaluate(TURN)
    problems = found(page, OF_PLACES)
    assert not problems, (what, width, "the other direction", problems)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width, "the other direction")
    page.evaluate("was => { document.documentElement.dir = was; }", was)
    if widths:
        page.set_viewport_size(size)
