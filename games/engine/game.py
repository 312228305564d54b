"""Deals to the target (R2, R15, R56, G2, G14), and whole games replayed from their record."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.cards import Card
from games.engine.rules import Rules


def next_dealer(dealer: int) -> int:
    """The deal moves one seat left after every deal, passed out or played (R31, G2)."""
    return (dealer + 1) % 4


def winner(score: tuple[int, int], rules: Rules) -> int | None:
    """The team (0 or 1) that has reached the target; None while nobody has (R2, R56)."""
    if max(score) < rules.target_score:
        return None
    return 0 if score[0] > score[1] else 1


class DealRecord(NamedTuple):
    """What is needed to replay a deal: who dealt, the shuffled pack, the actions in notation."""

    dealer: int
    deck: tuple[Card, ...]
    actions: str


class GameRecord(NamedTuple):
    rules: Rules
    deals: tuple[DealRecord, ...]
