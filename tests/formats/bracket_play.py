"""Play events out: draw after draw, until the format says that it is over."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tournaments.formats.event import CannotPair, Draw, DrawnTable, Entrant, Result, Snapshot

Decide = Callable[[DrawnTable], Result | None]
"""The result of a table, or None while it is still being played."""

TABLES = Path(__file__).parent / "tables"


def published(name: str) -> Any:
    return json.loads((TABLES / f"{name}.json").read_text())


def entrants(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, number) for number in range(1, count + 1))


def won_by(side: int) -> Result:
    return Result((10, 4) if side == 0 else (4, 10), winner=side)


def favourite(table: DrawnTable) -> Result:
    """The lower number wins."""
    return won_by(int(table.sides[0] > table.sides[1]))


def by_lot(seed: int) -> Decide:
    lots = random.Random(seed)
    return lambda table: won_by(lots.randrange(2))


DOUBLE_FORFEIT = Result(outcome="double_forfeit")


def absent(side: int) -> Result:
    return Result(outcome="forfeit", absent=side)


def finish(snapshot: Snapshot, draw: Draw, decide: Decide) -> Snapshot:
    """The snapshot after the drawn round."""
    results = {drawn.number: result for drawn in draw.tables if (result := decide(drawn)) is not None}
    return replace(snapshot, rounds=(*snapshot.rounds, draw.finished(results)))


def play_out(
    pair: Callable[[Snapshot], Draw],
    snapshot: Snapshot,
    decide: Decide,
    before: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot,
) -> tuple[Snapshot, list[Draw]]:
    """The finished event and its draws; ``before`` may change the snapshot ahead of each draw."""
    draws: list[Draw] = []
    while True:
        snapshot = before(snapshot)
        try:
            draw = pair(snapshot)
        except CannotPair as over:
            if "is decided" not in str(over):
                raise
            return snapshot, draws
        draws.append(draw)
        snapshot = finish(snapshot, draw, decide)
        assert len(draws) < 1000


def leave(snapshot: Snapshot, entrant: int) -> Snapshot:
    """The entrant withdraws before the next draw."""
    return replace(
        snapshot,
        entrants=tuple(
            replace(one, state="withdrawn", left=snapshot.number) if one.id == entrant else one
            for one in snapshot.entrants
        ),
    )


def correct(snapshot: Snapshot, label: str, result: Result) -> Snapshot:
    """The result of a match is entered anew."""
    return replace(
        snapshot,
        rounds=tuple(
            replace(
                played,
                tables=tuple(
                    replace(table, result=result) if table.label == label and table.result.outcome != "void" else table
                    for table in played.tables
                ),
            )
            for played in snapshot.rounds
        ),
    )


VOID = Result(outcome="void")
