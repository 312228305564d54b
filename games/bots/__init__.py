"""Bots. A bot sees a :class:`~games.engine.SeatView` and nothing else, never a deal."""

from __future__ import annotations

import random
from typing import Protocol

from games.bots.heuristic import Heuristic
from games.engine import Action, SeatView


class Bot(Protocol):
    """Chooses for any seat whose turn it is; one instance may serve any number of tables."""

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        """One of ``view.legal_actions``, which must not be empty.

        All randomness comes from ``rng``: the same view and the same seed give the same action.
        """
        ...


FILL_IN = "fill_in"
"""The level that takes empty seats and keeps the seats of people who are away."""

LEVELS: dict[str, Bot] = {FILL_IN: Heuristic()}


def get_bot(level: str) -> Bot:
    """The bot of a level; ``KeyError`` for a level that does not exist."""
    return LEVELS[level]


__all__ = ["FILL_IN", "LEVELS", "Bot", "get_bot"]
