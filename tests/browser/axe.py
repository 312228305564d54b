"""What axe finds on a page as it stands, in each width and theme that is asked for, from one visit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.scale import THOROUGH

Theme = Literal["light", "dark"]

WIDTHS = (1280, 390)
"""Of a desktop and of a phone."""

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that read colours. Themes differ in nothing else (tokens.css), so the second is asked for these only."""

OF_PLACES = ["target-size", "scrollable-region-focusable"]
"""The rules that ask where things lie: what the other direction of writing may change."""

ASK = """([options, changed]) => axe.run(changed ? {include: window.changed} : document, options).then(({violations}) =>
    violations.map(({id, nodes}) => [id, nodes.map(({target, html}) => [target, html])]))"""

LOOKS = """(good) => {
    const known = new Set(good), parts = [...document.querySelectorAll("body, body *")].filter((part) =>
        part.checkVisibility());
    const styles = new Map(parts.map((part) => [part, getComputedStyle(part)]));
    const boxes = new Map(parts.map((part) => [part, part.getBoundingClientRect()]));
    const clear = /^(transparent|rgba\\(.*, 0\\))$/;
    const paints = ({backgroundColor, backgroundImage}) => !clear.test(backgroundColor) || backgroundImage !== "none";
    const painted = parts.filter((part) => paints(styles.get(part)));
    const holds = (outer, inner) => outer.left <= inner.left + 1 && outer.right >= inner.right - 1
        && outer.top <= inner.top + 1 && outer.bottom >= inner.bottom - 1;
    const meets = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const paint = (part) => {
        const {backgroundColor, backgroundImage, opacity, filter, mixBlendMode, clip, clipPath} = styles.get(part);
        return [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, clip, clipPath].join();
    };
    const layers = new Map();
    const above = (part) => { // what it is painted on, if it lies on nothing else than what it stands in
        if (!styles.has(part)) return "";
        if (!layers.has(part)) layers.set(part, paint(part) + "|" + above(part.parentElement));
        return layers.get(part);
    };
    const control = "input, select, textarea";
    const speaks = (part) => part.matches(control)
        || [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const text = document.createRange();
    const aside = (part) => { // what else it lies on, or beside
        text.selectNodeContents(part);
        const box = part.matches(control) ? boxes.get(part) : text.getBoundingClientRect();
        return painted.filter((other) => !part.contains(other)
            && (other.contains(part) ? !holds(boxes.get(other), box) : meets(boxes.get(other), box))).map(paint);
    };
    const isOff = (part) => !!(part.closest(":disabled, [aria-disabled=true]")
        || part.closest("label")?.control?.disabled);
    const hash = (text) => {
        let sum = 7;
        for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
        return `${sum} ${text.length}`;
    };
    const look = (part) => {
        const style = styles.get(part), size = parseFloat(style.fontSize);
        return hash([style.color, style.textShadow, size >= 24 || (size >= 18.5 && style.fontWeight >= 700),
            part.matches(control), isOff(part), above(part), "beside", ...aside(part)].join());
    };
    const looks = new Map();
    window.lookOf = (part) => {
        if (!looks.has(part)) looks.set(part, styles.has(part) ? look(part) : "");
        return looks.get(part);
    };
    window.linkOf = (link) => [lookOf(link), lookOf(link.parentElement), styles.get(link).textDecorationLine].join();
    window.links = parts.filter((part) => part.matches("a") && !known.has(linkOf(part)));
    window.changed = parts.filter((part) => speaks(part) && !known.has(lookOf(part))).concat(links);
    return changed.length;
}"""
"""What of the page has colours, or lies on some, that are not known to be good, as text or as a link within text: how
many parts."""

ASK_COLOURS = """(options) => axe.run({include: window.changed}, options).then(({violations, passes}) => [
    violations.length, links.map(linkOf).concat(passes.filter(({id}) => id === "color-contrast")
        .flatMap(({nodes}) => nodes.map(({element}) => lookOf(element))))])"""
"""What is found of them: how much breaks a rule, and what is good. (Of what axe cannot tell, it is neither.)"""

_good: dict[Theme, set[str]] = {"light": set(), "dark": set()}
"""Looks that axe has found good in a theme, on whichever page: it is not asked of them again, but in a thorough run."""

TURN = """() => { const root = document.documentElement, was = root.dir;
    root.dir = was === "rtl" ? "ltr" : "rtl"; return was; }"""


def found(page: Page, rules: Sequence[str] = (), *, without: Sequence[str] = (), changed: bool = False) -> list[Any]:
    """What axe finds, by all of its rules or by these, on the page or on what :data:`LOOKS` has found: pairs
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
    page.emulate_media(color_scheme="dark")
    problems = found(page, OF_COLOURS, changed=True)
    assert not problems, (panel, "dark", problems)
    was = page.evaluate(TURN)
    problems = found(page, OF_PLACES + OF_COLOURS, changed=True)
    assert not problems, (panel, "the other direction", problems)
    page.evaluate("was => { document.documentElement.dir = was; }", was)


def assert_sound(
    page: Page, what: str, widths: Sequence[int] = (), *, themes: Sequence[Theme] = ("light", "dark")
) -> None:
    """axe finds nothing in these themes nor in the other direction of writing, and nothing sticks out sideways, as
    wide as the page is or as is said."""
    size = page.viewport_size
    assert size is not None
    for width in widths or [size["width"]]:
        if width != size["width"]:
            page.set_viewport_size({"width": width, "height": 844})
        problems = found(page, without=OF_COLOURS)
        assert not problems, (what, width, problems)
        assert_colours_sound(page, (what, width), themes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width)
    was = page.evaluate(TURN)
    problems = found(page, OF_PLACES)
    assert not problems, (what, width, "the other direction", problems)
    assert_colours_sound(page, (what, width, "the other direction"), themes)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width, "the other direction")
    page.evaluate("was => { document.documentElement.dir = was; }", was)
    if widths:
        page.set_viewport_size(size)


def assert_colours_sound(page: Page, what: tuple[object, ...], themes: Sequence[Theme]) -> None:
    """axe finds nothing of the colours of what has others, or lies on others, than it has found good before."""
    options = {
        "resultTypes": ["violations", "passes"], "preload": False, "elementRef": True, "selectors": False,
        "runOnly": {"type": "rule", "values": OF_COLOURS},
    }  # fmt: skip
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        good = set() if THOROUGH else _good[theme]
        if page.evaluate(LOOKS, list(good)):
            broken, looks = page.evaluate(ASK_COLOURS, options)
            problems = found(page, OF_COLOURS, changed=True) if broken else []
            assert not problems, (*what, theme, problems)
            good.update(looks)
