"""Movements of a duplicate event, recounted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tournaments.formats.duplicate_movements import (
    Movement,
    barometer,
    deals_of,
    everybody_meets,
    howell,
    meetings,
    mitchell,
)
from tournaments.formats.event import CannotPair, Sides, pair_of

TABLES = Path(__file__).parent / "tables"


def recount(movement: Movement) -> tuple[Counter[frozenset[int]], Counter[tuple[int, int]]]:
    """How often each two met, and how often each had each set; nobody is twice in a round."""
    met: Counter[frozenset[int]] = Counter()
    had: Counter[tuple[int, int]] = Counter()
    for tables in movement.rounds:
        seated = [side[0] for play in tables for side in play.sides]
        assert len(set(seated)) == len(seated) and set(seated) <= set(range(movement.places))
        assert [play.table for play in tables] == list(range(1, len(tables) + 1))
        for play in tables:
            assert 1 <= play.set <= movement.sets
            met[pair_of(play.sides[0][0], play.sides[1][0])] += 1
            had.update((side[0], play.set) for side in play.sides)
    return met, had


@pytest.mark.parametrize("pairs", range(8, 33, 2))
def test_howell(pairs: int) -> None:
    movement = howell(pairs)
    met, had = recount(movement)
    assert movement.places == pairs and movement.lines == 1 and len(movement.rounds) == movement.sets == pairs - 1
    assert len(met) == pairs * (pairs - 1) // 2 and set(met.values()) == {1}
    assert len(had) == pairs * (pairs - 1) and set(had.values()) == {1}
    for tables in movement.rounds:
        assert len({play.set for play in tables}) == len(tables)


def test_howell_as_stored() -> None:
    stored = json.loads((TABLES / "howell_room.json").read_text())["movements"]
    for name, square in stored.items():
        rounds = int(name) - 1
        for number, tables in enumerate(howell(rounds + 1).rounds):
            ours = {(play.sides[0][0], play.sides[1][0], play.set - 1) for play in tables}
            theirs = {((x + number) % rounds, (y + number) % rounds, (number - a) % rounds) for x, y, a in square}
            assert ours == theirs | {(rounds, number, number)}
    assert len(stored) == 13


@pytest.mark.parametrize("pairs", [4, 6])
def test_small_howell(pairs: int) -> None:
    movement = howell(pairs)
    met, had = recount(movement)
    assert len(met) == pairs * (pairs - 1) // 2 and set(met.values()) == set(had.values()) == {1}
    assert [{play.set for play in tables} for tables in movement.rounds] == [{one} for one in range(1, pairs)]


@pytest.mark.parametrize("pairs", range(5, 32, 2))
def test_odd_howell(pairs: int) -> None:
    """Whichever place is empty, everybody meets it exactly once."""
    movement = howell(pairs)
    assert movement.places == pairs + 1
    met, _had = recount(movement)
    for place in range(movement.places):
        assert sum(place in two for two in met) == movement.places - 1


@pytest.mark.parametrize("pairs", [4, 5, 9, 40, 61])
def test_everybody_meets(pairs: int) -> None:
    movement = everybody_meets(pairs)
    met, had = recount(movement)
    assert movement.places == pairs + pairs % 2 and len(met) == movement.places * (movement.places - 1) // 2
    assert set(met.values()) == set(had.values()) == {1}


def test_no_howell() -> None:
    with pytest.raises(CannotPair, match="no Howell movement for 33 pairs"):
        howell(33)
    for pairs in range(4):
        with pytest.raises(CannotPair, match="four pairs"):
            howell(pairs)


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("tables", range(2, 26))
def test_mitchell(tables: int, share: bool) -> None:
    movement = mitchell(tables, share)
    met, had = recount(movement)
    assert set(met.values()) == set(had.values()) == {1}
    lost = tables % 2 == 0 and not share
    assert len(movement.rounds) == tables - lost and movement.sets == tables and movement.lines == 2
    assert all(min(two) < tables <= max(two) for two in met)
    assert len(met) == tables * len(movement.rounds)
    for round_ in movement.rounds:
        at: dict[int, list[int]] = {}
        for play in round_:
            at.setdefault(play.set, []).append(play.table)
        shared = [where for where in at.values() if len(where) > 1]
        assert shared == ([[1, tables]] if share and tables % 2 == 0 else [])


@pytest.mark.parametrize("tables", [3, 7, 8, 12])
def test_mitchell_moves(tables: int) -> None:
    """North-south sit; east-west go a table up, and once two; sets go a table down."""
    movement = mitchell(tables)
    for number, (before, after) in enumerate(zip(movement.rounds, movement.rounds[1:], strict=False), 1):
        step = 2 if tables % 2 == 0 and 2 * number == tables else 1
        for play in before:
            assert after[play.table - 1].sides[0] == play.sides[0]
            assert after[(play.table - 1 + step) % tables].sides[1] == play.sides[1]
            assert after[(play.table - 2) % tables].set == play.set


def test_relay() -> None:
    """Of eight sets one rests each round: it was at the table above, and goes to the one below."""
    movement = mitchell(8, share=True)
    for tables, after in zip(movement.rounds, movement.rounds[1:], strict=False):
        (resting,) = set(range(1, 9)) - {play.set for play in tables}
        assert after[3].set == resting
        (next_resting,) = set(range(1, 9)) - {play.set for play in after}
        assert tables[4].set == next_resting
    with pytest.raises(CannotPair, match="two tables"):
        mitchell(1)


def test_barometer() -> None:
    whist: list[list[Sides]] = [
        [(((1 + r) % 7, (3 + r) % 7), ((4 + r) % 7, (5 + r) % 7)), (((2 + r) % 7, (6 + r) % 7), (7, r))]
        for r in range(7)
    ]
    movement = barometer(whist)
    assert movement.places == 8 and movement.sets == 7 and movement.lines == 1
    for number, tables in enumerate(movement.rounds, 1):
        assert [play.set for play in tables] == [number, number]
        assert [play.sides for play in tables] == whist[number - 1]
    assert barometer([]) == Movement(0, 0, ())


def test_deals() -> None:
    assert [list(deals_of(number, 3)) for number in (1, 2)] == [[1, 2, 3], [4, 5, 6]]
    assert [number for number, _sides in meetings(mitchell(3), 2)] == [1, 1, 1, 2, 2, 2]
