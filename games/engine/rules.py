"""House rules of a game (rules.md 5). Only what the engine plays is here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game; the defaults are the preset ``article``."""

    target_score: int = 10
    """O1: the side that reaches it first wins (R2, R56)."""

    stick_the_dealer: bool = False
    """O3: the dealer may not pass in the second round (R32)."""


PRESETS = {"article": Rules()}
