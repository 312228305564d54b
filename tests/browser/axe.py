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

OF_PLACES = ["target-size", "scrollable-region-focusable"]
"""The rules that ask where things lie: what the other direction of writing may change."""

ASK = """([options, changed]) => axe.run(changed ? {include: window.changed} : document, options).then(({violations}) =>
    violations.map(({id, nodes}) => [id, nodes.map(({target, html}) => [target, html])]))"""

LOOKS = """() => {
    const look = (part) => {
        if (!part.checkVisibility()) return "";
        const style = getComputedStyle(part), size = parseFloat(style.fontSize);
        return [style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.clip, style.clipPath,
            size >= 24 || (size >= 18.5 && style.fontWeight >= 700)].join();
    };
    const before = window.looks, changed = [];
    window.looks = new Map();
    for (const part of document.querySelectorAll("body, body *")) {
        const now = look(part);
        window.looks.set(part, now);
        if (before && now && before.get(part) !== now && !changed.at(-1)?.contains(part)) changed.push(part);
    }
    window.changed = changed;
    return changed.length;
}"""
"""What of the page has other colours than when this was last asked, or was not to be seen: how many parts."""

TURN = """() => { const root = document.documentElement, was = root.dir;
    root.dir = was === "rtl" ? "ltr" : "rtl"; return was; }"""


def found(page: Page, rules: Sequence[str] = (), *, without: Sequence[str] = (), changed: bool = False) -> list[Any]:
    """What axe finds, by all of its rules or by these, on the page or on what :data:`LOOKS` has found changed: pairs
    of a rule's name and the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # No rule of the default set reads style sheets, which it would fetch and parse for each run.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    else:
        options["rules"] = {rule: {"enabled": False} for rule in without}
    answer: list[Any] = page.evaluate(ASK, [options, changed])
    return answer


def assert_panel_sound(page: Page, panel: str) -> None:
    """The same as :func:`assert_sound` of what lies open over the page, found by this selector, and of that alone:
    axe knows no top layer, and takes the panel for the background of what it covers."""
    page.evaluate("panel => { window.changed = [document.querySelector(panel)]; }", panel)
    for theme, rules in (("light", []), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        problems = found(page, rules, changed=True)
        assert not problems, (panel, theme, problems)
    was = page.evaluate(TURN)
    problems = found(page, OF_PLACES, changed=True)
    assert not problems, (panel, "the other direction", problems)
    page.evaluate("was => { document.documentElement.dir = was; }", was)


def assert_sound(page: Page, what: str, widths: Sequence[int] = (), *, colours: bool = True) -> None:
    """axe finds nothing in either theme nor in the other direction of writing, and nothing sticks out sideways, as
    wide as the page is or as is said. Of a further width colours are read where they are not those of the first;
    without ``colours``, nowhere."""
    size = page.viewport_size
    assert size is not None
    page.evaluate("delete window.looks")
    for number, width in enumerate(widths or [size["width"]]):
        if width != size["width"]:
            page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="light")
        first = number == 0 and colours
        changed = colours and len(widths) > 1 and page.evaluate(LOOKS)
        problems = found(page, without=() if first else OF_COLOURS)
        assert not problems, (what, width, "light", problems)
        for theme in ("light", "dark") if changed else ("dark",) if first else ():
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            problems = found(page, OF_COLOURS, changed=bool(changed))
            assert not problems, (what, width, theme, problems)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width)
    was = page.evaluate(TURN)
    problems = found(page, OF_PLACES)
    assert not problems, (what, width, "the other direction", problems)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width, "the other direction")
    page.evaluate("was => { document.documentElement.dir = was; }", was)
    if widths:
        page.set_viewport_size(size)
