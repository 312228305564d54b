"""Events that are played by chance, for the tests of formats that draw one round at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from tournaments.formats.event import CannotPair, Draw, Entrant, Result, Round, Sides, Snapshot, Table, pair_of


def snapshot(count: int, **more) -> Snapshot:
    """An event of entrants 1 to ``count``, seeded so."""
    return Snapshot(tuple(Entrant(number, number) for number in range(1, count + 1)), **more)


def game(one: int, other: int, points: tuple[int, int], number: int = 1, **more) -> Table:
    """A table of two pairs; who has more points has won."""
    return table(((one,), (other,)), points, number, **more)


def table(sides: Sides, points: tuple[int, int], number: int = 1, **more) -> Table:
    winner = None if points[0] == points[1] else int(points[1] > points[0])
    return Table(number, sides, Result(points, **{"winner": winner, **more}))


def forfeit(one: int, other: int, absent: int | None, number: int = 1) -> Table:
    """A table at which one side or, where that is None, both did not come."""
    outcome = "double_forfeit" if absent is None else "forfeit"
    return Table(number, ((one,), (other,)), Result(outcome=outcome, absent=absent))


def after(event: Snapshot, *tables: Table, byes: Iterable[int] = (), rests: Iterable[int] = ()) -> Snapshot:
    """The event when another round has been played."""
    played = Round(event.number, tables, tuple(byes), tuple(rests))
    return replace(event, rounds=(*event.rounds, played))


def result(rng: random.Random, rough: bool = True) -> Result:
    """How a table may end: ties, forfeits and void tables are rare, and none unless ``rough``."""
    lot = rng.random() if rough else 0
    if lot > 0.98:
        return Result(outcome="void")
    if lot > 0.97:
        return Result(outcome="double_forfeit")
    if lot > 0.93:
        return Result(outcome="forfeit", absent=rng.randrange(2))
    if lot > 0.88:
        return Result((8, 8))
    winner, loser = rng.randrange(2), rng.randrange(10)
    return Result((10, loser) if winner == 0 else (loser, 10), winner=winner)


def play(event: Snapshot, draw: Draw, rng: random.Random, rough: bool = True) -> Snapshot:
    """The event when what was drawn has been played."""
    results = {drawn.number: result(rng, rough) for drawn in draw.tables}
    return replace(event, rounds=(*event.rounds, draw.finished(results)))


def come_and_go(event: Snapshot, rng: random.Random, most: int) -> Snapshot:
    """Some leave, pause or come back, and somebody may enter late."""
    entrants = []
    for entrant in event.entrants:
        lot = rng.random()
        if entrant.state == "active" and lot < 0.04:
            entrant = replace(entrant, state="withdrawn", left=event.number)
        elif entrant.state == "active" and lot < 0.07:
            entrant = replace(entrant, state="paused")
        elif entrant.state == "paused" and lot < 0.5:
            entrant = replace(entrant, state="active")
        entrants.append(entrant)
    if rng.random() < 0.15 and len(entrants) < most:
        entrants.append(Entrant(len(entrants) + 1, rng.randrange(1, 99), joined=event.number))
    return replace(event, entrants=tuple(entrants))


def corrected(event: Snapshot, rng: random.Random) -> Snapshot:
    """The event with another result at some table."""
    rounds = list(event.rounds)
    row = rng.randrange(len(rounds))
    tables = list(rounds[row].tables)
    if tables:
        at = rng.randrange(len(tables))
        tables[at] = replace(tables[at], result=result(rng))
    rounds[row] = replace(rounds[row], tables=tuple(tables))
    return replace(event, rounds=tuple(rounds))


def wild(count: int, rng: random.Random, draw: Callable[[Snapshot], Draw]) -> Iterator[tuple[Snapshot, Draw | None]]:
    """An event of one to five rounds with ties, forfeits, corrections, people who come and go: each
    snapshot and its draw, None for the last one if it was refused."""
    event = snapshot(count)
    for _ in range(rng.randrange(1, 6)):
        try:
            drawn = draw(event)
        except CannotPair:
            yield event, None
            return
        yield event, drawn
        event = come_and_go(play(event, drawn, rng), rng, 64)
        if rng.random() < 0.1:
            event = corrected(event, rng)


def drawn_again(log: Iterable[tuple[Snapshot, Draw | None]], draw: Callable[[Snapshot], Draw]) -> bool:
    """Whether every draw of an event comes out the same, to the last reason, when the event is told
    from its log, entrants and tables in another order."""
    return all(draw(another_way_round(event)) == drawn for event, drawn in log if drawn)


def another_way_round(event: Snapshot) -> Snapshot:
    """The same event, as it might come out of a database: entrants, tables and byes in other order."""
    rounds = tuple(
        replace(played, tables=played.tables[::-1], byes=played.byes[::-1], rests=played.rests[::-1])
        for played in event.rounds
    )
    return replace(event, entrants=event.entrants[::-1], rounds=rounds)


def meetings(event: Snapshot) -> set[frozenset[int]]:
    """Who have been opponents."""
    return {
        pair_of(one, other)
        for _round, at in event.tables()
        if at.result.outcome != "void"
        for one in at.sides[0]
        for other in at.sides[1]
    }


def had_bye(event: Snapshot) -> set[int]:
    return {entrant for played in event.rounds for entrant in played.byes}


def pairable(people: frozenset[int], met: set[frozenset[int]]) -> bool:
    """Whether all can be paired without a meeting again, by trying."""
    if not people:
        return True
    options = {one: [other for other in people if other != one and pair_of(one, other) not in met] for one in people}
    one = min(people, key=lambda each: (len(options[each]), each))
    return any(pairable(people - {one, other}, met) for other in options[one])


def matchings(people: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair all."""
    if not people:
        yield []
        return
    one, rest = people[0], people[1:]
    for at, other in enumerate(rest):
        for pairs in matchings(rest[:at] + rest[at + 1 :]):
            yield [(one, other), *pairs]


EVEN, ODD = 230, 214


@cache
def crowded() -> list[Snapshot]:
    """444 events of 4 to 12 entrants, at every round up to the last that can be drawn: each has a
    draw without a repeat or a second bye. Rounds before were drawn at random among the legal ones."""
    rng = random.Random(444)
    found: dict[int, list[Snapshot]] = {0: [], 1: []}
    while len(found[0]) < EVEN or len(found[1]) < ODD:
        count = rng.randrange(4, 13)
        event = snapshot(count)
        while True:
            legal = _legal_round(event, rng)
            if legal is None:
                break
            found[count % 2].append(event)
            pairs, byes = legal
            event = after(
                event, *(Table(k, ((a,), (b,)), result(rng, rough=False)) for k, (a, b) in enumerate(pairs)), byes=byes
            )
    return found[0][:EVEN] + found[1][:ODD]


def _legal_round(event: Snapshot, rng: random.Random) -> tuple[list[tuple[int, int]], list[int]] | None:
    people = [entrant.id for entrant in event.entrants]
    rng.shuffle(people)
    met = meetings(event)
    byes = [one for one in people if one not in had_bye(event)] if len(people) % 2 else [0]
    for bye in byes:
        pairs = _random_pairs([one for one in people if one != bye], met)
        if pairs is not None:
            return pairs, [bye] if bye else []
    return None


def _random_pairs(people: list[int], met: set[frozenset[int]]) -> list[tuple[int, int]] | None:
    if not people:
        return []
    one, *rest = people
    for other in rest:
        if pair_of(one, other) not in met:
            pairs = _random_pairs([each for each in rest if each != other], met)
            if pairs is not None:
                return [(one, other), *pairs]
    return None
