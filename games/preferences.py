"""How somebody wants the site to look and his table to behave: one choice for each name below.

Kept in a cookie and, for who has an account or is a guest, in his profile (``Player.looks``), which
then counts: it comes with him to other devices. Pages are rendered with the choices on ``<html>``, so
there is no flash and no script is needed; an unknown or forged value is the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from games import cookies

COOKIE: Final = "looks"
COOKIE_AGE: Final = 60 * 60 * 24 * 365
"""Seconds."""

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "felt": ("spruce", "indigo", "damson", "barn"),
    "deck": ("two", "four"),
    "sort": ("suit", "left", "right"),
    "tags": ("on", "off"),
    "taps": ("auto", "one", "two"),
    "ahead": ("on", "off"),
    "only": ("off", "on"),
    "keys": ("on", "off"),
    "sound": ("hidden", "on", "off"),
    "notify": ("off", "on"),
    "talk": ("on", "off"),
}
"""The first of each is the default."""


@dataclass(frozen=True, slots=True)
class Preferences:
    theme: str = "auto"
    felt: str = "spruce"
    deck: str = "two"
    sort: str = "suit"
    """The hand: suits in turns of colour always, or trump moved to one end once it is named."""
    tags: str = "on"
    """Bowers say what they are."""
    taps: str = "auto"
    """To play a card: a click or two taps, or one or two of either."""
    ahead: str = "on"
    """A card may be marked before one's turn."""
    only: str = "off"
    """A card that is the only legal one plays itself."""
    keys: str = "on"
    """Single keys do something (WCAG 2.1.4)."""
    sound: str = "hidden"
    """One's turn is heard: while the page is out of sight, always, or never."""
    notify: str = "off"
    """The browser tells of one's turn while the page is out of sight."""
    talk: str = "on"
    """A screen reader reads the talk of the table as it comes."""

    def updated(self, values: Mapping[str, str]) -> Preferences:
        """These preferences with every valid choice in ``values`` taken over; the rest is ignored."""
        valid = {name: values[name] for name in CHOICES if values.get(name) in CHOICES[name]}
        return replace(self, **valid)

    def attributes(self) -> dict[str, str]:
        """The ``data-`` attributes of ``<html>``: what differs from the style sheets' defaults."""
        return {name: value for name, value in asdict(self).items() if value != CHOICES[name][0]}

    def cookie(self) -> str:
        """As text for the cookie; empty when everything is as by default."""
        return urlencode(self.attributes())

    def profile(self) -> str:
        """As text for the profile, where defaults were chosen too: fewer than 300 characters, never empty."""
        return urlencode(asdict(self))


def from_text(text: str) -> Preferences:
    """The preferences in a cookie or a profile; what is forged or damaged gives the defaults."""
    return Preferences().updated(dict(parse_qsl(text)))


def of(request: HttpRequest) -> Preferences:
    """Whoever asks: as his profile says, or else his cookie. (An error page may know no user.)"""
    profile = getattr(getattr(request, "user", None), "looks", "")
    return from_text(profile or request.COOKIES.get(COOKIE, ""))


def keep(looks: Preferences, request: HttpRequest, response: HttpResponseBase) -> None:
    """Put them into the cookie of whoever asks, which need not exist when everything is as by default."""
    if text := looks.cookie():
        cookies.keep(request, response, COOKIE, text, COOKIE_AGE)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def keep_language(language: str, request: HttpRequest, response: HttpResponseBase) -> None:
    """Put the language into the cookie of whoever asks: his pages and sockets go by it."""
    cookies.keep(request, response, settings.LANGUAGE_COOKIE_NAME, language, COOKIE_AGE)
