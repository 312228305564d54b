"""How much CPU time a draw of a tournament takes, from 100 to 10,000 entrants, in one run with others.

``python -m tests.bench.formats`` (``--quick``: fewer repeats). Each figure is the least of several
repeats: whatever else the machine does only adds to it. A format adds itself to ``CASES``.
"""

from __future__ import annotations

import gc
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from time import process_time

import numpy as np

from tests.bench import rotation, swiss
from tournaments.formats import arena, duplicate
from tournaments.formats.duplicate_movements import deals_of
from tournaments.formats.event import Entrant, Result, Round, Sides, Snapshot, Table
from tournaments.formats.matching import cheapest

SIZES = (100, 1_000, 10_000)
GROWTH = (100, 300, 1_000, 3_000, 10_000)

Work = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """``prepare`` makes what is measured for a number of entrants; ``target`` is CPU seconds at the
    last of the ``sizes`` on an idle machine, None for a peer."""

    name: str
    prepare: Callable[[int], Work]
    target: float | None = None
    sizes: Sequence[int] = SIZES


def least(work: Work, repeats: int) -> float:
    """CPU seconds of the quickest run; as in timeit, no garbage is collected meanwhile."""
    times = []
    for _ in range(repeats):
        gc.collect()
        gc.disable()
        try:
            began = process_time()
            work()
            times.append(process_time() - began)
        finally:
            gc.enable()
    return min(times)


def ratio(ours: Work, theirs: Work, turns: int = 5) -> float:
    """How many times as quick ours is, in turns: the median."""
    return median(least(theirs, 1) / least(ours, 1) for _ in range(turns))


def _arena(entrants: int, individuals: bool) -> tuple[arena.Moment, arena.Rules]:
    """Everybody waiting after five games each, points from 0 to 10."""
    dice = random.Random(entrants)
    size = 4 if individuals else 2
    rounds = []
    for tick in range(1, 6):
        order = dice.sample(range(entrants), entrants)
        tables = []
        for number, start in enumerate(range(0, entrants - size + 1, size), 1):
            seats = order[start : start + size]
            sides: Sides = (tuple(seats[: size // 2]), tuple(seats[size // 2 :]))
            winner, lost = dice.randrange(2), dice.randrange(10)
            points = (lost, 10) if winner else (10, lost)
            tables.append(Table(number, sides, Result(points, winner=winner)))
        rounds.append(Round(tick, tuple(tables)))
    moment = arena.Moment(
        tuple(Entrant(one, one) for one in range(entrants)),
        tuple(rounds),
        tick=100,
        waiting={one: float(dice.randrange(60)) for one in range(entrants)},
    )
    return moment, arena.Rules(individuals=individuals)


def _tick(individuals: bool) -> Callable[[int], Work]:
    def prepare(entrants: int) -> Work:
        moment, rules = _arena(entrants, individuals)
        return lambda: arena.pair(moment, rules, 1)

    return prepare


def _arena_standings(entrants: int) -> Work:
    moment, rules = _arena(entrants, False)
    return lambda: arena.standings(moment, rules)


def _complete_groups(entrants: int) -> Work:
    """The matching alone, every pair of each group of 100 tried."""
    one, other = (np.array(column) for column in zip(*combinations(range(100), 2), strict=True))
    return lambda: [cheapest(100, one, other, 1000 * (other - one)) for _group in range(entrants // 100)]


def _duplicate(pairs: int) -> Work:
    """Eight rounds of three deals, barometer."""
    dice = random.Random(pairs)
    rules = duplicate.Rules(deals=3)
    rounds = []
    for number in range(1, 9):
        order = dice.sample(range(pairs), pairs)
        tables = tuple(
            Table(
                at // 2 + 1,
                ((order[at],), (order[at + 1],)),
                Result(deals={deal: dice.choice((-4, -2, -1, 1, 2, 4)) for deal in deals_of(number, 3)}),
                f"S{number}",
            )
            for at in range(0, pairs - 1, 2)
        )
        rounds.append(Round(number, tables))
    snapshot = Snapshot(tuple(Entrant(one, one) for one in range(pairs)), tuple(rounds))
    return lambda: duplicate.standings(snapshot, rules)


CASES = [
    Case("arena, pairs", _tick(False), 0.3),
    Case("arena, individuals", _tick(True), 0.3),
    Case("rustworkx on complete groups of 100, matching only", _complete_groups),
    Case("arena, standings", _arena_standings, 0.2),
    Case("duplicate, standings of 24 deals", _duplicate, 0.2, (100, 1_000)),
    Case("Swiss, pairs: round 8", swiss.pairs, 0.05, GROWTH),
    Case("swisspair (C++)", swiss.swisspair, None, GROWTH),
    Case("cardarena-tournament-core (greedy, repeats meetings)", swiss.cardarena),
    Case("rustworkx on the complete graph, matching only", swiss.rustworkx, None, (100, 300)),
    Case("networkx on the complete graph, matching only", swiss.networkx, None, (100, 300)),
    Case("Swiss, individuals: round 10", swiss.individuals, 0.1, GROWTH),
    Case("planner: round 12", rotation.early, 0.1, (40, 100)),
    Case("planner: round 41, when people must meet again", rotation.crowded, 0.1, (40, 100)),
    Case("standings of 15 rounds, every tie-break", swiss.every_tie_break, 0.2, GROWTH),
]


@dataclass
class Formats:
    """CPU seconds by case and number of entrants, what is not installed, and by how much the sum of
    the score gaps of a Swiss draw exceeds the least that parity allows."""

    times: dict[str, dict[int, float]]
    missing: list[str]
    over_the_bound: dict[int, int]
    to_swisspair: float | None = None
    """How many times as quick as swisspair a Swiss draw of 10,000 is."""


def measure(repeats: int = 5, cases: Sequence[Case] = CASES) -> Formats:
    found = Formats({}, [], {size: swiss.over_the_bound(size) for size in GROWTH})
    for case in cases:
        try:
            found.times[case.name] = {size: least(case.prepare(size), repeats) for size in case.sizes}
        except ImportError as lacking:
            found.missing.append(str(lacking.name))
    if "swisspair" not in found.missing:
        found.to_swisspair = ratio(swiss.pairs(GROWTH[-1]), swiss.swisspair(GROWTH[-1]))
    return found


def text(found: Formats) -> str:
    targets = {case.name: case.target for case in CASES}
    lines = [f"{'CPU seconds':54}" + "".join(f"{size:>10,}" for size in GROWTH) + f"{'target':>10}{'growth':>8}"]
    for name, times in found.times.items():
        target, sizes = targets.get(name), sorted(times)
        figures = "".join(f"{times[size]:10.4f}" if size in times else " " * 10 for size in GROWTH)
        line = f"{name:54}{figures}" + (f"{target:10.2f}" if target else " " * 10)
        few, many = sizes[-2], sizes[-1]
        lines.append(line + f"{math.log(times[many] / times[few]) / math.log(many / few):8.2f}")
    lines.append("Growth: the power of n between the last two sizes; n log n is 1.1 there, the square 2.")
    over = ", ".join(f"{size:,}: {more}" for size, more in found.over_the_bound.items())
    lines.append(f"Swiss, pairs: sum of score gaps above the least that parity allows: {over}.")
    if found.to_swisspair:
        lines.append(f"Swiss, pairs: {found.to_swisspair:.1f} times as quick as swisspair (at least 5), in turns.")
    if found.missing:
        lines.append(f"Not installed, and so not compared: {', '.join(found.missing)}.")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(text(measure(2 if "--quick" in sys.argv else 5)), end="")
