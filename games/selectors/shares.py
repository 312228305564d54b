"""Shares as they are shown."""

from __future__ import annotations


def percent(part: int, whole: int) -> int | None:
    """How much of the whole, rounded to whole percent; None of nothing."""
    return round(100 * part / whole) if whole else None
