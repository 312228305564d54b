"""What a director has ordered by hand, checked, and tables numbered by it: for draws of any size,
of pairs and of individuals.

| rule | test |
|---|---|
| a table by hand seats each once, on sides of the right size, and only who is here | test_orders: test_refused |
| a bye or rest by hand is for somebody here who has no table | test_refused |
| two who are kept apart cannot be seated by hand either | test_refused |
| fixed tables are kept, the others numbered from 1 in order; clashes are refused | test_fixed_tables |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.formats.event import CannotPair, Constraints, Sides, pair_of


def names(entrants: Iterable[int]) -> str:
    """``#3, #4 and #9``."""
    each = [f"#{entrant}" for entrant in entrants]
    return " and ".join(filter(None, [", ".join(each[:-1]), each[-1]])) if each else "nobody"


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``13th``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def check(orders: Constraints, present: frozenset[int], side: int) -> frozenset[int]:
    """Who is seated or given a bye by hand. ``side`` is how many sit on a side. Raises CannotPair."""
    done: set[int] = set()
    for sides in orders.tables:
        if any(len(one) != side for one in sides):
            what = "one entrant" if side == 1 else "two partners"
            raise CannotPair(
                f"The table of {names(sides[0])} against {names(sides[1])} needs {what} on each side.",
                "Put the table together again.",
            )
        _once([*sides[0], *sides[1]], present, done, "is put at a table")
        _apart(sides, orders)
    _once(orders.byes, present, done, "is given a bye")
    _fixed(orders, present - done)
    return frozenset(done)


def _once(entrants: Iterable[int], present: frozenset[int], done: set[int], what: str) -> None:
    for entrant in entrants:
        if entrant not in present:
            raise CannotPair(f"#{entrant} {what}, but is not here.", "Bring the entrant back, or undo it.")
        if entrant in done:
            raise CannotPair(f"#{entrant} {what}, but already has a table or a bye.", "Undo one of the two.")
        done.add(entrant)


def _fixed(orders: Constraints, free: frozenset[int]) -> None:
    at: dict[int, int] = {}
    for entrant, table in orders.fixed_table.items():
        if table < 1:
            raise CannotPair(f"#{entrant} is to stay at table {table}.", "Tables are numbered from 1.")
        if entrant in free and at.setdefault(table, entrant) != entrant:
            raise CannotPair(
                f"#{at[table]} and #{entrant} are both to stay at table {table}.",
                "Let one of them move, or seat them together by hand.",
            )


def _apart(sides: Sides, orders: Constraints) -> None:
    for one in sides[0]:
        for other in sides[1]:
            if pair_of(one, other) in orders.never_opponents:
                raise CannotPair(f"#{one} and #{other} must never meet, but are seated so.", "Undo one of the two.")
    for partners in sides:
        if len(partners) == 2 and pair_of(*partners) in orders.never_together:
            raise CannotPair(f"{names(partners)} must never be partners, but are seated so.", "Undo one of the two.")


def numbers(tables: Sequence[Sides], fixed: Constraints) -> list[int]:
    """The number of each table: that of whoever cannot move, else the next free one in order.
    Raises CannotPair where two tables or two numbers are wanted at once."""
    if not fixed.fixed_table:
        return list(range(1, len(tables) + 1))
    kept: list[int | None] = []
    taken: dict[int, Sides] = {}
    for sides in tables:
        wanted = {fixed.fixed_table[one]: one for one in sides[0] + sides[1] if one in fixed.fixed_table}
        if len(wanted) > 1:
            raise CannotPair(
                f"{names(wanted.values())} meet, but are to stay at tables {' and '.join(map(str, wanted))}.",
                "Let one of them move.",
            )
        number = next(iter(wanted), None)
        if number in taken:
            raise CannotPair(
                f"Table {number} is kept for {names(taken[number][0])} and for {names(sides[0])}.",
                "Let one of them move.",
            )
        if number is not None:
            taken[number] = sides
        kept.append(number)
    free = (number for number in range(1, len(tables) + len(taken) + 1) if number not in taken)
    return [next(free) if number is None else number for number in kept]


def clashes(fixed: Constraints, present: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of those here who cannot share a table, since each is to stay at another."""
    here = [(one, fixed.fixed_table[one]) for one in present if one in fixed.fixed_table]
    return [(one, other) for at, (one, table) in enumerate(here) for other, wanted in here[:at] if table != wanted]
