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


def check(orders: Constraints, present: frozenset[int], side: int) -> frozenset[int]:
    """Who is seated or given a bye by hand. ``side`` is how many sit on a side. Raises CannotPair."""
    done: set[int] = set()
    for sides in orders.tables:
        if any(len(one) != side for one in sides):
            raise CannotPair("one_on_each_side" if side == 1 else "two_on_each_side", who=sides[0], others=sides[1])
        _once([*sides[0], *sides[1]], present, done, "seated_not_here", "seated_twice")
        _apart(sides, orders)
    _once(orders.byes, present, done, "bye_not_here", "bye_twice")
    _fixed(orders, present - done)
    return frozenset(done)


def _once(entrants: Iterable[int], present: frozenset[int], done: set[int], away: str, twice: str) -> None:
    for entrant in entrants:
        if entrant not in present:
            raise CannotPair(away, who=(entrant,))
        if entrant in done:
            raise CannotPair(twice, who=(entrant,))
        done.add(entrant)


def _fixed(orders: Constraints, free: frozenset[int]) -> None:
    at: dict[int, int] = {}
    for entrant, table in orders.fixed_table.items():
        if table < 1:
            raise CannotPair("no_such_table", who=(entrant,), table=table)
        if entrant in free and at.setdefault(table, entrant) != entrant:
            raise CannotPair("two_to_stay", who=(at[table], entrant), table=table)


def _apart(sides: Sides, orders: Constraints) -> None:
    for one in sides[0]:
        for other in sides[1]:
            if pair_of(one, other) in orders.never_opponents:
                raise CannotPair("never_opponents", who=(one, other))
    for partners in sides:
        if len(partners) == 2 and pair_of(*partners) in orders.never_together:
            raise CannotPair("never_partners", who=partners)


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
            table, other = list(wanted)[:2]
            raise CannotPair("stay_apart", who=(wanted[table], wanted[other]), table=table, other=other)
        number = next(iter(wanted), None)
        if number is not None and number in taken:
            raise CannotPair("kept_for_two", table=number, who=taken[number][0], others=sides[0])
        if number is not None:
            taken[number] = sides
        kept.append(number)
    free = (number for number in range(1, len(tables) + len(taken) + 1) if number not in taken)
    return [next(free) if number is None else number for number in kept]


def clashes(fixed: Constraints, present: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of those here who cannot share a table, since each is to stay at another."""
    here = [(one, fixed.fixed_table[one]) for one in present if one in fixed.fixed_table]
    return [(one, other) for at, (one, table) in enumerate(here) for other, wanted in here[:at] if table != wanted]
