"""Pages in the languages that are written from right to left, and in the one with the longest words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.axe import Theme
from tests.browser.visitor import PHONE, Visitor, look_over

PAGES = (
    "/",
    "/rules/",
    "/standings/",
    "/events/",
    "/clubs/",
    "/tables/new/",
    "/people/",
    "/preferences/",
    "/fair-play/",
)


@pytest.mark.parametrize(("language", "theme"), [("he", "light"), ("ar", "dark"), ("sl", "light")])
def test_axe_finds_nothing_and_nothing_is_too_wide(joined: Callable[..., Visitor], language: str, theme: Theme) -> None:
    """The colours in one theme each: their pages differ from the English ones in the length of words only."""
    north = joined("North", **PHONE)
    north.page.goto("/")
    north.speak(language)
    for address in PAGES:
        look_over(north.page, north.site, address, themes=[theme])
        assert north.page.locator("html").get_attribute("lang") == language
    assert not north.complaints
