"""Reasons in English, for the tests that read them."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.formats.words import Reason


def said(reasons: Iterable[Reason]) -> tuple[str, ...]:
    return tuple(map(str, reasons))
