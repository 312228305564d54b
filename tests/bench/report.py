"""What a run found: dataclasses for the JSON, a table for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.bench.client import Tally
from tests.bench.machine import Usage


@dataclass(frozen=True)
class Load:
    """One measured load. Times per action in microseconds, latencies in milliseconds."""

    tables: int
    watchers: int
    actions: int
    rate: float
    """Actions a second, as many as came."""
    cpu: dict[str, float]
    """CPU per action by group of processes."""
    first: tuple[float, float, float]
    """p50, p95, p99 from an action to its frame at the first of the other seats."""
    last: tuple[float, float, float]
    """The same to its frame at the last socket of the table."""
    moves: float
    """Share of the actions that are moves; the others deal on or ask for a rematch."""
    games: int
    frame: int
    """Mean bytes of a frame."""
    others: float
    """Cores used meanwhile by processes that are not part of the run."""


@dataclass
class Product:
    """The site on one database."""

    paced: list[Load] = field(default_factory=list)
    closed: list[Load] = field(default_factory=list)
    bare: list[Load] = field(default_factory=list)
    """The bare fan-out in alternation with ``closed``."""
    parts: dict[str, float] = field(default_factory=dict)
    """CPU of the server per action by part, microseconds."""
    per_watcher: float = 0.0
    """CPU of the server per action and watcher, microseconds."""
    per_table: float = 0.0
    """Bytes of the server per table with its four sockets."""

    @property
    def ratio(self) -> float:
        """Server CPU per action of the bare fan-out to that of the site."""
        return cpu(self.bare) / cpu(self.closed)


def cpu(loads: Sequence[Load], group: str = "server") -> float:
    return median(load.cpu.get(group, 0.0) for load in loads)


def load(tables: int, watchers: int, tally: Tally, used: Usage) -> Load:
    actions = len(tally.last)
    return Load(
        tables=tables,
        watchers=watchers,
        actions=actions,
        rate=actions / used.seconds,
        cpu={name: seconds / max(1, actions) * 1e6 for name, seconds in used.cpu.items()},
        first=_percentiles(tally.first),
        last=_percentiles(tally.last),
        moves=tally.moves / max(1, actions),
        games=tally.games,
        frame=round(tally.octets / max(1, tally.frames)),
        others=used.others,
    )


def _percentiles(seconds: list[float]) -> tuple[float, float, float]:
    ordered = sorted(seconds) or [0.0]
    p50, p95, p99 = (ordered[int(len(ordered) * share)] * 1e3 for share in (0.50, 0.95, 0.99))
    return p50, p95, p99


# What is asked for: (floor, goal); for ratios more is better, for all else less.
RATIOS = {"sqlite": (0.11, 0.20), "postgres": (0.07, 0.16)}
P95_AT_200 = (30.0, 10.0)
PER_WATCHER = (60.0, 25.0)
PER_TABLE = (250.0, 250.0)


def text(products: dict[str, Product]) -> str:
    return "\n".join([*_summary(products), "", *_parts(products), "", *_paced(products)])


def _summary(products: dict[str, Product]) -> Iterable[str]:
    bare = [load for product in products.values() for load in product.bare]
    size = sum(load.frame for load in bare) / len(bare)
    yield f"Fan-out alone: {cpu(bare):.0f} us of server CPU for 1 message in and 4 of {size / 1000:.1f} KB out."
    yield ""
    names = list(products)
    yield _line("", [*names, "floor", "goal", ""])
    found = products.values()
    yield _judged("ratio to the fan-out", names, [p.ratio for p in found], None, "{:.2f}", more=True)
    yield _line("server CPU, us an action", [f"{cpu(p.closed):.0f}" for p in found])
    yield _line("  at best actions/s a core", [f"{1e6 / cpu(p.closed):.0f}" for p in found])
    yield _line("database server CPU, us", [f"{cpu(p.closed, 'database'):.0f}" for p in found])
    yield _line("Valkey CPU, us", [f"{cpu(p.closed, 'valkey'):.0f}" for p in found])
    yield _line("actions/s, closed loop", [f"{median(x.rate for x in p.closed):.0f}" for p in found])
    yield _line("  of these moves", [f"{median(x.moves for x in p.closed):.0%}" for p in found])
    yield _line("  games finished", [f"{sum(x.games for x in p.closed)}" for p in found])
    yield _line("  bytes a frame", [f"{p.closed[0].frame}" for p in found])
    yield _line("  cores used by others", [f"{median(x.others for x in p.closed):.1f}" for p in found])
    at_200 = [next((x.last[1] for x in p.paced if x.tables == 200), None) for p in found]
    yield _judged("p95 at 200 paced tables, ms", names, at_200, P95_AT_200, "{:.1f}")
    yield _judged("us an action and watcher", names, [p.per_watcher for p in found], PER_WATCHER, "{:.0f}")
    yield _judged("KB a table, 4 sockets", names, [p.per_table / 1e3 for p in found], PER_TABLE, "{:.0f}")


def _judged(
    label: str,
    names: list[str],
    values: list[float | None],
    targets: tuple[float, float] | None,
    form: str,
    *,
    more: bool = False,
) -> str:
    """A line with the targets and, last, which of them every database reaches."""
    limits = [targets or RATIOS[name] for name in names]
    better: Callable[[float, float], bool] = float.__ge__ if more else float.__le__
    reached = "below the floor"
    for at, word in enumerate(("floor", "goal")):
        if all(value is None or better(float(value), limit[at]) for value, limit in zip(values, limits, strict=True)):
            reached = word
    shown = ["/".join(dict.fromkeys(form.format(limit[at]) for limit in limits)) for at in (0, 1)]
    return _line(label, [*("-" if value is None else form.format(value) for value in values), *shown, reached])


def _parts(products: dict[str, Product]) -> Iterable[str]:
    yield _line("server CPU by part, us", list(products))
    for part in dict.fromkeys(part for product in products.values() for part in product.parts):
        yield _line(f"  {part}", [f"{product.parts.get(part, 0):.0f}" for product in products.values()])


def _paced(products: dict[str, Product]) -> Iterable[str]:
    yield "One action a table every half second; milliseconds from it to its frame at the last seat."
    for name, product in products.items():
        yield _line(name, ["tables", "actions/s", "p50", "p95", "p99", "CPU us", "others"])
        for x in product.paced:
            latencies = [f"{value:.1f}" for value in x.last]
            row = [str(x.tables), f"{x.rate:.0f}", *latencies, f"{x.cpu['server']:.0f}", f"{x.others:.1f}"]
            yield _line("", row)


def _line(label: str, cells: Sequence[str]) -> str:
    return f"{label:<28}{''.join(f'{cell:>12}' for cell in cells)}".rstrip()
