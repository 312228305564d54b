"""Evenings with changing partners half played, for the benchmark of draws."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.formats import planner
from tournaments.formats.event import Entrant, Snapshot

Work = Callable[[], object]

RULES = planner.Rules()
EARLY, CROWDED = 11, 40
"""Rounds played: few enough that a hundred people need not meet again; so many that they must."""


def _planned(rounds: int) -> Callable[[int], Work]:
    def prepare(people: int) -> Work:
        snapshot = Snapshot(tuple(Entrant(one, one) for one in range(1, people + 1)))
        for _ in range(rounds):
            snapshot = planner.after(snapshot, planner.pair(snapshot, RULES, 1))
        return lambda: planner.pair(snapshot, RULES, 1)

    return prepare


early, crowded = _planned(EARLY), _planned(CROWDED)
