"""How much the sweeps try: ``make test`` a part of it, ``make thorough`` (THOROUGH=1) all of it."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("THOROUGH"))

DAILY = 10
"""What of a sweep's full number ``make test`` tries: one in this many."""


def scale(full: int, daily: int | None = None) -> int:
    """How many of a sweep to try: ``full`` in a thorough run, in others ``daily`` or a tenth."""
    if THOROUGH:
        return full
    return full // DAILY if daily is None else daily
