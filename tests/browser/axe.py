"""What axe finds on a page as it stands, in each width and theme that is asked for, from one visit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Theme = Literal["light", "dark"]

WIDTHS = (1280, 390)
"""Of a desktop and of a phone."""

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that read colours. Themes differ in nothing else (tokens.css), so the second is asked for these only."""

OF_PLACES = ["target-size", "scrollable-region-focusable"]
"""The rules that ask where things lie: what the other direction of writing may change."""

ASK = """([options, changed]) => axe.run(changed ? {include: window.changed} : document, options).then(({violations}) =>
    violations.map(({id, nodes}) => [id, nodes.map(({target, html}) => [target, html])]))"""

LOOKS = """() => {
    const parts = [...document.querySelectorAll("body, body *")].filter((part) => part.checkVisibility());
    const styles = new Map(parts.map((part) => [part, getComputedStyle(part)]));
    const boxes = new Map(parts.map((part) => [part, part.getBoundingClientRect()]));
    const clear = /^(transparent|rgba\\(.*, 0\\))$/;
    const paints = ({backgroundColor, backgroundImage}) => !clear.test(backgroundColor) || backgroundImage !== "none";
    const painted = parts.filter((part) => paints(styles.get(part)));
    window.grounds ??= new Map();
    for (const part of painted) if (!grounds.has(part)) grounds.set(part, grounds.size);
    const holds = (outer, inner) => outer.left <= inner.left + 1 && outer.right >= inner.right - 1
        && outer.top <= inner.top + 1 && outer.bottom >= inner.bottom - 1;
    const meets = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const text = document.createRange();
    const ground = (part) => {
        const has = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
        if (![...part.childNodes].some(has)) return "";
        text.selectNodeContents(part);
        const box = text.getBoundingClientRect(), found = [];
        for (const other of painted) {
            if (part.contains(other)) continue;
            if (other.contains(part) ? !holds(boxes.get(other), box) : meets(boxes.get(other), box))
                found.push(grounds.get(other));
        }
        return found.join(" ");
    };
    const look = (part) => {
        const style = styles.get(part), size = parseFloat(style.fontSize);
        return [style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.clip, style.clipPath,
            size >= 24 || (size >= 18.5 && style.fontWeight >= 700), ground(part)].join();
    };
    const before = window.looks, changed = [];
    window.looks = new Map();
    for (const part of parts) {
        const now = look(part);
        window.looks.set(part, now);
        if (before && before.get(part) !== now && !changed.at(-1)?.contains(part)) changed.push(part);
    }
    window.changed = changed;
    return changed.length;
}"""
"""What of the page has other colours than when this was last asked, or lies on something else, or was not to be
seen: how many parts."""

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
    page.emulate_media(color_scheme="light")
    problems = found(page, changed=True)
    assert not problems, (panel, "light", problems)
    assert_changed_sound(page, (panel,), ["dark"])
    was = page.evaluate(TURN)
    problems = found(page, OF_PLACES + OF_COLOURS, changed=True)
    assert not problems, (panel, "the other direction", problems)
    page.evaluate("was => { document.documentElement.dir = was; }", was)


def assert_sound(
    page: Page, what: str, widths: Sequence[int] = (), *, themes: Sequence[Theme] = ("light", "dark")
) -> None:
    """axe finds nothing in these themes nor in the other direction of writing, and nothing sticks out sideways, as
    wide as the page is or as is said. Of a further width, and of the other direction, colours are read where they or
    what they lie on are not those of the first."""
    size = page.viewport_size
    assert size is not None
    page.evaluate("delete window.looks")
    for number, width in enumerate(widths or [size["width"]]):
        if width != size["width"]:
            page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=themes[0])
        changed = page.evaluate(LOOKS)
        problems = found(page, without=OF_COLOURS if number else ())
        assert not problems, (what, width, themes[0], problems)
        if not number:
            for theme in themes[1:]:
                page.emulate_media(color_scheme=theme)
                problems = found(page, OF_COLOURS)
                assert not problems, (what, width, theme, problems)
        elif changed:
            assert_changed_sound(page, (what, width), themes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width)
    was = page.evaluate(TURN)
    page.emulate_media(color_scheme=themes[0])
    problems = found(page, OF_PLACES)
    assert not problems, (what, width, "the other direction", problems)
    if page.evaluate(LOOKS):
        assert_changed_sound(page, (what, width, "the other direction"), themes)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width, "the other direction")
    page.evaluate("was => { document.documentElement.dir = was; }", was)
    if widths:
        page.set_viewport_size(size)


def assert_changed_sound(page: Page, what: tuple[object, ...], themes: Sequence[Theme]) -> None:
    """axe finds nothing of the colours of what :data:`LOOKS` has found changed."""
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        problems = found(page, OF_COLOURS, changed=True)
        assert not problems, (*what, theme, problems)
