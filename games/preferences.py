"""How a visitor wants the site to look: theme, felt and deck, kept in one cookie.

The page is rendered with the choice on ``<html>``, so there is no flash, no script and no row
in the database; an unknown or forged value is the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

COOKIE: Final = "looks"
COOKIE_AGE: Final = 60 * 60 * 24 * 365
"""Seconds."""

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "felt": ("spruce", "indigo", "damson", "barn"),
    "deck": ("two", "four"),
}
"""The first of each is the default."""


@dataclass(frozen=True, slots=True)
class Preferences:
    theme: str = "auto"
    felt: str = "spruce"
    deck: str = "two"

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


def from_cookie(text: str) -> Preferences:
    """The preferences in a cookie; a forged or damaged cookie gives the defaults."""
    return Preferences().updated(dict(parse_qsl(text)))
