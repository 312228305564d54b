"""Run the benchmarks: see the package's docstring, and ``--help``."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bench import engine, formats, machine, parts, report, solver, stack
from tests.bench.client import Fleet
from tests.bench.report import Load, Product
from tests.bench.stack import Server


@dataclass(frozen=True)
class Plan:
    """How much is measured, and for how many seconds each."""

    levels: tuple[int, ...]
    """Tables of the paced loads."""
    paced: float
    rounds: int
    """Closed loops of the bare fan-out and of the site, in turn."""
    closed: float
    profile: float
    watched: float


FULL = Plan((1, 25, 100, 200, 400), paced=10, rounds=3, closed=5, profile=10, watched=8)
QUICK = Plan((1, 100, 200), paced=3, rounds=1, closed=4, profile=4, watched=3)

PACE = 0.5
"""Mean seconds between two actions of a table under a paced load."""

CLOSED_TABLES = 100
"""Enough that no seat reaches the site's limit of ten messages a second."""

WATCHED_TABLES, WATCHERS, WATCHED_PACE = 25, 20, 0.1


class Bench:
    """One server and the fleet that plays on it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.fleet = Fleet(server.port)

    async def grow(self, tables: int) -> None:
        await self.fleet.grow(self.server.seats[len(self.fleet.tables) : tables])

    async def load(
        self, tables: int, seconds: float, *, pace: float | None = None, watchers: int = 0, warm: float = 1.5
    ) -> Load:
        tally, before, after = await self.fleet.play(
            tables, seconds, lambda: machine.read(self.server.groups), warm=warm, pace=pace
        )
        return report.load(tables, watchers, tally, machine.usage(before, after))


async def measure(plan: Plan, database: str, port: int) -> Product:
    """Everything about the site on one database, in one run with the bare fan-out."""
    found = Product()
    with stack.bare(port, CLOSED_TABLES) as yardstick, stack.site(port + 1, max(plan.levels), database) as site:
        bare, product = Bench(yardstick), Bench(site)
        await bare.grow(CLOSED_TABLES)
        for tables in plan.levels:
            await product.grow(tables)
            found.paced.append(await product.load(tables, plan.paced, pace=PACE))
            if tables == plan.levels[0]:
                at_first = machine.memory(site.pid)
        found.per_table = (machine.memory(site.pid) - at_first) / (plan.levels[-1] - plan.levels[0])
        for _round in range(plan.rounds):
            found.bare.append(await bare.load(CLOSED_TABLES, plan.closed))
            found.closed.append(await product.load(CLOSED_TABLES, plan.closed))
        if parts.available():
            whole = report.cpu(found.closed)
            found.parts = {part: whole * share for part, share in (await _profile(product, plan.profile)).items()}
        found.per_watcher = await _watchers(product, plan.watched)
    return found


async def _profile(product: Bench, seconds: float) -> dict[str, float]:
    sampling = asyncio.to_thread(parts.sample, product.server.pid, seconds)
    shares, _load = await asyncio.gather(sampling, product.load(CLOSED_TABLES, seconds + 1))
    return shares


async def _watchers(product: Bench, seconds: float) -> float:
    """What a watcher adds to the CPU of an action, microseconds."""
    without = await product.load(WATCHED_TABLES, seconds, pace=WATCHED_PACE)
    await product.fleet.watch(WATCHED_TABLES, WATCHERS)
    watched = await product.load(WATCHED_TABLES, seconds, pace=WATCHED_PACE, watchers=WATCHERS)
    return (watched.cpu["server"] - without.cpu["server"]) / WATCHERS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter loads: about 90 seconds")
    parser.add_argument("--engine", action="store_true", help="only the engine, without the site: about 15 seconds")
    parser.add_argument("--formats", action="store_true", help="only draws and standings of tournaments: a minute")
    parser.add_argument("--solver", action="store_true", help="only the solver: about 20 seconds")
    parser.add_argument("--database", choices=("sqlite", "postgres"), help="only on this one")
    parser.add_argument("--port", type=int, default=8330, help="the first of two ports of 127.0.0.1 to use")
    parser.add_argument("--json", type=Path, help="where to write all figures")
    options = parser.parse_args()
    logging.disable(logging.INFO)
    stack.pin_client()
    if options.formats:
        print(formats.text(formats.measure(2 if options.quick else 5)))
        return
    if options.solver:
        print(solver.text(solver.measure()))
        return
    rules = engine.measure(rounds=3 if options.quick else engine.ROUNDS)
    print(engine.text(rules))
    if options.engine:
        return
    solved = solver.measure(rounds=3 if options.quick else solver.ROUNDS)
    print(solver.text(solved))
    draws = formats.measure(2 if options.quick else 5)
    print(formats.text(draws))
    databases = [options.database] if options.database else ["sqlite", "postgres"]
    plan = QUICK if options.quick else FULL
    products = {database: asyncio.run(measure(plan, database, options.port)) for database in databases}
    print(report.text(products))
    if options.json:
        figures = {name: asdict(product) | {"ratio": product.ratio} for name, product in products.items()}
        figures |= {"engine": asdict(rules), "formats": asdict(draws)}
        options.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
