"""Who plays whom with which cards: movements of a duplicate event, as values.

A movement knows *places*, counted from 0, and *sets* of deals, counted from 1. Side 0 sits
north-south. Nothing here knows who sits at a place.

| rule | test (test_duplicate_movements) |
|---|---|
| barometer: all tables play the same set in a round, whoever meets | test_barometer |
| Mitchell, odd: north-south sit, east-west a table up, sets a table down | test_mitchell_moves |
| Mitchell, even: east-west skip a table after half the rounds, one round is lost | test_mitchell |
| or all rounds: the first and last table share their sets, one rests half way | test_mitchell, test_relay |
| 2 to 25 tables: nobody meets twice, nobody has a set twice | test_mitchell |
| Howell, 8 to 32 pairs: every two pairs meet once, every pair plays every set once | test_howell |
| the squares are the stored ones | test_howell_as_stored |
| Howell, 4 and 6 pairs: no square exists; all tables share the set of the round | test_small_howell |
| an odd number of pairs: the place left empty gives each a rest in turn | test_odd_howell |
| barometer without a schedule: every two pairs meet once, any number of them | test_everybody_meets |
| individuals: any schedule of partners, such as a whist table, as a barometer | test_barometer |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.formats.event import CannotPair, Sides

ROOM = {
    8: "6,2,6 4,5,5 1,3,3",
    10: "1,2,1 5,8,8 4,6,2 3,7,7",
    12: "2,5,4 8,9,5 4,6,1 7,1,3 10,3,9",
    14: "6,10,10 4,5,4 3,8,2 9,11,6 1,7,5 12,2,12",
    16: "5,12,13 14,2,14 9,13,8 1,7,7 3,8,4 10,11,9 4,6,5",
    18: "10,14,10 9,11,14 4,5,8 3,8,6 12,1,4 16,2,16 7,15,12 6,13,15",
    20: "4,13,2 8,14,16 18,6,14 9,12,17 7,11,1 2,10,7 15,1,3 3,5,11 16,17,5",
    22: "12,20,10 15,16,11 14,19,9 7,9,5 1,5,15 13,2,6 4,10,7 18,6,18 17,3,1 8,11,2",
    24: "4,14,5 1,7,15 8,17,21 9,12,2 10,18,18 19,3,1 11,15,20 2,13,8 5,6,12 20,22,4 16,21,9",
    26: "1,10,14 7,9,9 6,16,3 23,4,23 8,20,22 21,24,5 3,14,8 5,13,7 22,2,1 11,15,24 17,18,15 12,19,19",
    28: "4,11,12 17,26,11 9,21,24 16,22,16 8,18,1 7,10,10 2,3,22 13,15,26 24,1,2 19,5,3 20,25,9 6,14,7 12,23,19",
    30: (
        "24,3,2 8,20,1 4,5,20 14,21,23 18,22,18 6,9,14 11,25,22 13,26,19 23,28,7 19,1,9 2,12,15 10,16,3 15,17,26 "
        "27,7,24"
    ),
    32: (
        "25,29,8 23,2,6 18,27,17 4,16,11 13,19,30 26,9,27 1,6,24 21,3,7 28,8,26 30,14,18 17,20,25 5,12,14 22,24,16 "
        "7,15,9 10,11,10"
    ),
}
"""By number of pairs: ``x,y,a`` for places x+r and y+r to play set r-a in round r, all modulo the
number of rounds. Found by hill climbing as starters and adders of Room squares."""


@dataclass(frozen=True, slots=True)
class Play:
    """Two sides at a table for the deals of a set."""

    table: int
    sides: Sides
    set: int


@dataclass(frozen=True, slots=True)
class Movement:
    """``lines`` is 2 where those who sit north-south never sit east-west: two fields, two winners."""

    places: int
    sets: int
    rounds: tuple[tuple[Play, ...], ...]
    lines: int = 1


def barometer(schedule: Iterable[Iterable[Sides]]) -> Movement:
    """Everybody plays the same set at the same time. ``schedule`` tells who meets in each round."""
    rounds = tuple(
        tuple(Play(table, sides, number) for table, sides in enumerate(tables, 1))
        for number, tables in enumerate(schedule, 1)
    )
    seated = [place for tables in rounds for play in tables for side in play.sides for place in side]
    return Movement(max(seated, default=-1) + 1, len(rounds), rounds)


def mitchell(tables: int, share: bool = False) -> Movement:
    """Places 0 to ``tables`` - 1 sit north-south, the others move. ``share`` is for an even number
    of tables: no round is lost, but two tables share their deals. Raises CannotPair."""
    if tables < 2:
        raise CannotPair("mitchell_small")
    even = tables % 2 == 0
    return Movement(
        2 * tables,
        tables,
        tuple(
            tuple(
                _mitchell(tables, number, table, even and share, even and not share and 2 * number >= tables)
                for table in range(tables)
            )
            for number in range(tables - (even and not share))
        ),
        lines=2,
    )


def _mitchell(tables: int, number: int, table: int, share: bool, skipped: bool) -> Play:
    relay = share and 2 * table >= tables
    visitor = tables + (table - number - skipped) % tables
    return Play(table + 1, ((table,), (visitor,)), (table + relay + number) % tables + 1)


def everybody_meets(pairs: int) -> Movement:
    """Every two pairs meet once, as a barometer. Raises CannotPair for fewer than 4."""
    if pairs < 4:
        raise CannotPair("pairs_few")
    rounds = pairs - 1 + pairs % 2
    return barometer(
        [
            [
                ((rounds,), (number,)),
                *((((number + k) % rounds,), ((number - k) % rounds,)) for k in range(1, (rounds + 1) // 2)),
            ]
            for number in range(rounds)
        ]
    )


def howell(pairs: int) -> Movement:
    """Everybody meets everybody. An odd number leaves one of the places empty.
    Raises CannotPair for fewer than 4 or more than 32."""
    if pairs > 32:
        raise CannotPair("no_howell", pairs=pairs)
    places = pairs + pairs % 2
    if places not in ROOM:
        return everybody_meets(pairs)
    still = rounds = places - 1
    square = [[int(part) for part in entry.split(",")] for entry in ROOM[places].split()]
    return Movement(
        places,
        rounds,
        tuple(
            (
                Play(1, ((still,), (number,)), number + 1),
                *(
                    Play(table, (((x + number) % rounds,), ((y + number) % rounds,)), (number - a) % rounds + 1)
                    for table, (x, y, a) in enumerate(square, 2)
                ),
            )
            for number in range(rounds)
        ),
    )


def deals_of(set_number: int, deals: int) -> range:
    """The numbers of the deals of a set, ``deals`` to a set, from 1."""
    return range((set_number - 1) * deals + 1, set_number * deals + 1)


def meetings(movement: Movement, rounds: int) -> Sequence[tuple[int, Sides]]:
    """Who meets in which of the first ``rounds`` rounds, counted from 1."""
    return [(number, play.sides) for number, tables in enumerate(movement.rounds[:rounds], 1) for play in tables]
