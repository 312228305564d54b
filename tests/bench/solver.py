"""How many deals a second the solver solves, compiled and in plain Python, side by side in one run.

``make bench`` runs this after the engine; ``python -m tests.bench.solver`` runs nothing else.
Random deals of 24 cards with trump fixed, five cards in every hand; for loners the maker's partner
sits out. "Points" asks what they are worth, "tricks" how many exactly. What counts is CPU time of
one core; the figures of one run are comparable with each other only.

Plain minimax is the tests' own (:mod:`tests.bots.minimax`): all cards tried, positions at the
start of a trick remembered. OpenSpiel has no solver to compare with: its alpha-beta, in Python,
takes games of two players only and refuses its own Euchre.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time

from games.bots import search, solver
from games.engine import PRESETS, pack
from tests.bots import minimax

ROUNDS, DEALS = 5, 10_000
TARGET = 200_000
"""Deals a second for points on an idle core."""

POINTS, TRICKS = 0b101000, 0b111110


@dataclass
class Solver:
    rates: dict[str, float] = field(default_factory=dict)
    """Deals a second of CPU time, median over the rounds."""
    ratios: dict[str, float] = field(default_factory=dict)
    """The compiled rate for points to each other rate of all four players."""
    starts: dict[str, dict[str, float]] = field(default_factory=dict)
    """CPU seconds and resident megabytes of a process at its first and second start."""
    compiled: bool = True


def measure(rounds: int = ROUNDS, deals: int = DEALS) -> Solver:
    found = Solver()
    together, alone = positions(deals, alone=False), positions(deals, alone=True)
    few = together[: deals // 100]
    jobs: dict[str, tuple[Callable[[], object], int]] = {
        "plain minimax, points": (lambda: [minimax.minimax(at, minimax.points_of_makers(at)) for at in few[:3]], 3),
        "plain Python, points": (_many(few, POINTS, search.reached_all, list), len(few)),
        "plain Python, tricks": (_many(few, TRICKS, search.reached_all, list), len(few)),
    }
    try:
        import numpy

        from games.bots import kernel
    except ImportError:
        found.compiled = False
    else:
        solver.warm()

        def array(numbers: list[int]) -> object:
            return numpy.array(numbers, numpy.int64)

        jobs |= {
            "compiled, points": (_many(together, POINTS, kernel.reached_all, array), deals),
            "compiled, tricks": (_many(together, TRICKS, kernel.reached_all, array), deals),
            "compiled, points, a loner": (_many(alone, POINTS, kernel.reached_all, array), deals),
            "compiled, tricks, a loner": (_many(alone, TRICKS, kernel.reached_all, array), deals),
            "compiled, points, one by one": (lambda: [solver.points(at) for at in together[:1000]], 1000),
            "compiled, every card weighed": (lambda: [solver.best_cards(at) for at in together[:200]], 200),
        }
        found.starts = _starts()
    rates: dict[str, list[float]] = {name: [] for name in jobs}
    for _round in range(rounds):
        for name, (job, count) in jobs.items():
            began = process_time()
            job()
            rates[name].append(count / (process_time() - began))
    found.rates = {name: median(measured) for name, measured in rates.items()}
    if found.compiled:
        ours = rates["compiled, points"]
        for name, measured in rates.items():
            found.ratios[name] = median([a / b for a, b in zip(ours, measured, strict=True)])
    return found


def positions(count: int, *, alone: bool) -> list[solver.Position]:
    rng, rules = random.Random(24), PRESETS["article"]
    found = []
    for _deal in range(count):
        deck = rng.sample(pack(24), 20)
        hands = tuple(tuple(deck[5 * seat : 5 * seat + 5]) for seat in range(4))
        maker, dealer = rng.randrange(4), rng.randrange(4)
        loners = (maker,) if alone else ()
        leader = solver.first_leader(rules, dealer, loners)
        found.append(solver.Position(rules, rng.choice("CDHS"), maker, loners, hands, (), leader, (0, 0)))
    return found


def _many(
    deals: list[solver.Position], steps: int, reached_all: Callable[..., object], array: Callable[[list[int]], object]
) -> Callable[[], object]:
    """All deals in two calls: those whose leader is on the makers' side, and the others."""
    encoded = [solver.encode(at) for at in deals]
    parts = []
    for ours in (True, False):
        hands = [hand for deal in encoded if deal[-1] == ours for hand in deal[:4]]
        parts.append((array(hands), 0, 0, 0, 0, ours, steps, search.TOP, array([0] * (len(hands) // 4))))
    return lambda: [reached_all(*part) for part in parts]


_START = """
import json, os
from time import process_time
from games.bots import solver
from tests.bench import machine
before, began = machine.memory(os.getpid()), process_time()
assert solver.warm()
print(json.dumps({"warm": process_time() - began, "before": before / 1e6, "after": machine.memory(os.getpid()) / 1e6}))
"""


def _starts() -> dict[str, dict[str, float]]:
    """A process that finds nothing compiled, and the next one."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        found = {}
        for name in ("first", "second"):
            command = [sys.executable, "-c", _START]
            found[name] = json.loads(subprocess.run(command, env=env, check=True, capture_output=True).stdout)
        found["second"]["files"] = sum(path.stat().st_size for path in Path(folder).rglob("*.nb*")) / 1024
        return found


def text(found: Solver) -> str:
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Solver) -> Iterator[str]:
    yield "The solver: random deals solved in a second of CPU time, every card known, side by side in this process."
    yield f"{'':<32}{'deals/s':>12}{'compiled to it':>16}"
    for name, rate in found.rates.items():
        ratio = f"{found.ratios[name]:>16,.1f}" if name in found.ratios else ""
        yield f"{name:<32}{rate:>12,.0f}{ratio}"
    yield "OpenSpiel is not compared: its alpha-beta takes games of two players only and refuses Euchre."
    if not found.compiled:
        yield "numba is not installed, and so nothing is compiled."
        return
    rate = found.rates["compiled, points"]
    reached = "reached" if rate >= TARGET else "not reached"
    yield f"Asked for on an idle core: {TARGET:,} deals a second for points ({reached} in this run)."
    for name, start in found.starts.items():
        yield (
            f"The {name} start of a process: {start['warm']:.1f} s of CPU until the compiled search serves, "
            f"memory {start['before']:.0f} MB before and {start['after']:.0f} MB after."
        )
    yield f"Kept between starts: {found.starts['second']['files']:.0f} KB."


if __name__ == "__main__":
    print(text(measure()), end="")
