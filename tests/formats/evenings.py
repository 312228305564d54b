"""Evenings of people who change partners: whole events played by a format, with people coming and going."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tournaments.formats.event import (
    NO_CONSTRAINTS,
    Constraints,
    Draw,
    Entrant,
    Result,
    Sides,
    Snapshot,
    pair_of,
)

Format = Callable[[Snapshot, int], Draw]


def people(count: int, planned: int = 0) -> Snapshot:
    return Snapshot(tuple(Entrant(number, seed=number) for number in range(1, count + 1)), planned=planned)


def wishing(snapshot: Snapshot, **wishes: object) -> Snapshot:
    return replace(snapshot, constraints=Constraints(**wishes))  # type: ignore[arg-type]


def played(snapshot: Snapshot, draw: Draw, dice: random.Random | None = None) -> Snapshot:
    """The draw with results: every game won by lot, or by side 0."""
    results = {}
    for table in draw.tables:
        won = dice.randrange(2) if dice else 0
        result = Result(points=(10, 5) if won == 0 else (5, 10), winner=won)
        if dice and dice.random() < 0.05:
            result = Result(outcome="forfeit", absent=1 - won)
        results[table.number] = result
    return replace(snapshot, rounds=(*snapshot.rounds, draw.finished(results)), constraints=NO_CONSTRAINTS)


def evening(snapshot: Snapshot, rounds: int, draw: Format, seed: int = 1) -> Iterator[tuple[Snapshot, Draw]]:
    """Every round of an event that nobody joins or leaves: the snapshot it was drawn from, and the draw."""
    dice = random.Random(seed)
    for _ in range(rounds):
        drawn = draw(snapshot, seed)
        yield snapshot, drawn
        snapshot = played(snapshot, drawn, dice)


def eventful(seed: int, draw: Format, together: bool = True, wishes_from: int = 11) -> Iterator[tuple[Snapshot, Draw]]:
    """An event of 4 to 64 people, most of them small, in which some come late, leave, pause and are absent, and the
    director has wishes, if enough are here: never partners, never opponents, always partners, who
    cannot move, a table and a rest by hand."""
    dice = random.Random(seed)
    count = dice.randint(21, 60) if seed % 20 == 19 else dice.randint(4, 20)
    snapshot = people(count, planned=dice.randint(2, 7))
    for number in range(1, snapshot.planned + 1):
        entrants = list(snapshot.entrants)
        if number > 1:
            for _ in range(dice.choice((0, 0, 1, 3))):
                count += 1
                entrants.append(Entrant(count, seed=count, joined=number))
            for at, entrant in enumerate(entrants):
                luck = dice.random()
                if luck < 0.04:
                    entrants[at] = replace(entrant, state="withdrawn", left=number)
                elif luck < 0.1 and entrant.state in ("active", "paused"):
                    entrants[at] = replace(entrant, state="paused" if entrant.state == "active" else "active")
        snapshot = replace(
            snapshot, entrants=tuple(entrants), constraints=_wishes(dice, entrants, together, wishes_from)
        )
        if len(snapshot.present()) - len(snapshot.constraints.byes) < 4:
            break
        drawn = draw(snapshot, seed)
        yield snapshot, drawn
        snapshot = played(snapshot, drawn, dice)


def _wishes(dice: random.Random, entrants: list[Entrant], together: bool, least: int) -> Constraints:
    here = [entrant.id for entrant in entrants if entrant.state == "active"]
    if len(here) < least or dice.random() < 0.5:
        return NO_CONSTRAINTS
    absent, told, *rest = dice.sample(here, 11)
    a, b, c, d, e, f, g, h, i = rest
    return Constraints(
        never_together=frozenset((pair_of(a, b), pair_of(a, c))),
        never_opponents=frozenset((pair_of(a, d),)),
        always_together=frozenset((pair_of(d, e),)) if together else frozenset(),
        fixed_table={a: 2} if dice.random() < 0.5 else {},
        tables=(((f, g), (h, i)),) if dice.random() < 0.5 else (),
        byes=(told,) if dice.random() < 0.5 else (),
        absent=frozenset((absent,)) if dice.random() < 0.5 else frozenset(),
    )


def faults(snapshot: Snapshot, draw: Draw) -> list[str]:
    """What is wrong with a draw, whatever its format: who is seated, and the director's orders."""
    wishes = snapshot.constraints
    here = {entrant.id for entrant in snapshot.present()}
    seated = [one for table in draw.tables for one in table.seated]
    wrong = []
    if sorted((*seated, *draw.rests)) != sorted(here):
        wrong.append("not everybody once")
    if draw.byes or not set(wishes.byes) <= set(draw.rests):
        wrong.append("byes are not as told")
    if len({table.number for table in draw.tables}) != len(draw.tables):
        wrong.append("two tables of one number")
    partners = Counter(pair_of(*side) for side in sides_of(draw) if len(side) == 2)
    opponents = {pair_of(one, other) for table in draw.tables for one in table.sides[0] for other in table.sides[1]}
    if wishes.never_together & set(partners) or wishes.never_opponents & opponents:
        wrong.append("two not kept apart")
    for together in wishes.always_together:
        if together <= here and not together & set(draw.rests) and together not in partners:
            wrong.append("two not kept together")
    at = {one: table.number for table in draw.tables for one in table.seated}
    if any(one in at and at[one] != number for one, number in wishes.fixed_table.items()):
        wrong.append("somebody moved who cannot")
    if not set(wishes.tables) <= {table.sides for table in draw.tables}:
        wrong.append("a table by hand is not played")
    if any(not table.reasons for table in draw.tables):
        wrong.append("a table without reasons")
    return wrong


def sides_of(draw: Draw) -> Iterator[tuple[int, ...]]:
    for table in draw.tables:
        yield from table.sides


def crowd(sides: Iterable[Sides]) -> frozenset[frozenset[frozenset[int]]]:
    """Tables as sets: who plays with and against whom, whatever seat and number."""
    return frozenset(frozenset(frozenset(side) for side in table) for table in sides)
