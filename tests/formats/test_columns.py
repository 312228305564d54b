"""A snapshot's past as arrays (tournaments/formats/columns.py)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.formats.rounds import after, come_and_go, forfeit, game, play, result, snapshot, table
from tournaments.formats import history, swiss_individuals
from tournaments.formats.columns import (
    NOBODY,
    PLAYED,
    VOID,
    Scoring,
    counted,
    half_wins,
    points_with_credits,
    read,
)
from tournaments.formats.event import CannotPair, Entrant, EventError, Round, Snapshot, Table


def events():
    rng = random.Random(8)
    for count in (1, 3, 6, 9, 14):
        event = snapshot(count)
        for number in range(4):
            people = [entrant.id for entrant in event.entrants]
            rng.shuffle(people)
            tables = [
                Table(k, ((people[2 * k],), (people[2 * k + 1],)), result(rng)) for k in range(len(people) // 2 - 1)
            ]
            left = people[2 * len(tables) :]
            event = after(event, *tables, byes=left[:1], rests=left[1 : 1 + number % 2])
        yield event
    for count in (4, 7, 13):
        event = snapshot(count)
        for _ in range(3):
            try:
                draw = swiss_individuals.pair(event)
            except CannotPair:
                break
            event = come_and_go(play(event, draw, rng), rng, 20)
        yield event
    yield after(snapshot(3), table(((1, 2), (3,)), (10, 4)))


@pytest.mark.parametrize("event", list(events()), ids=lambda event: f"{len(event.entrants)} entrants")
def test_the_same_as_history(event: Snapshot):
    past, columns = history.read(event), read(event)
    place = {entrant: index for index, entrant in enumerate(columns.ids)}
    won = (columns.halves == 2).sum(axis=0)
    tied = ((columns.halves == 1) & (columns.kind == PLAYED)).sum(axis=0)
    for one, at in place.items():
        assert (past.wins[one], past.ties[one], past.games[one]) == (won[at], tied[at], columns.games()[at])
        assert past.points[one] == columns.points[:, at].sum() and past.against[one] == columns.against[:, at].sum()
        for other, there in place.items():
            if one == other:
                continue
            met = (columns.opponent[:, at] == there).sum() + (columns.second[:, at] == there).sum()
            assert past.met(one, other) == met
            assert past.partnered(one, other) == (columns.partner[:, at] == there).sum()


def test_without_points_all_else_is_the_same():
    for event in events():
        full, quick = read(event), read(event, points=False)
        assert not quick.points.any() and not quick.against.any()
        for name in ("kind", "halves", "partner", "opponent", "second", "side"):
            assert np.array_equal(getattr(full, name), getattr(quick, name))


def test_void_tables_and_rounds_without_tables():
    event = after(after(snapshot(2), game(1, 2, (10, 3), outcome="void")), byes=[1])
    columns = read(event)
    assert columns.kind[0].tolist() == [VOID, VOID] and columns.opponent[0].tolist() == [NOBODY, NOBODY]
    assert columns.points.sum() == 0 and columns.halves.tolist() == [[0, 0], [2, 0]]


def test_who_is_not_listed():
    event = Snapshot(snapshot(2).entrants, (Round(1, (game(1, 7, (10, 2)),)),))
    with pytest.raises(EventError, match="Round 1 seats #7"):
        read(event)
    with pytest.raises(EventError, match="Round 1 seats #9"):
        read(after(snapshot(2), byes=[9]))


def test_ids_far_apart():
    """Small ids are looked up in an array, others in a dictionary."""
    near, far = (
        Snapshot(
            tuple(Entrant(one * apart, one) for one in (1, 2, 3)),
            (Round(1, (game(apart, 3 * apart, (10, 2)),), byes=(2 * apart,)),),
        )
        for apart in (1, 10**9)
    )
    for column in ("kind", "halves", "points", "against", "partner", "opponent", "second", "side"):
        assert np.array_equal(getattr(read(near), column), getattr(read(far), column))
    for wrong in (7, 10**12, -1):
        with pytest.raises(EventError, match=f"Round 2 seats #{wrong},"):
            read(after(far, byes=[wrong]))
        with pytest.raises(EventError, match=f"Round 2 seats #{wrong},"):
            read(after(near, byes=[wrong]))


def test_credited_average():
    """7 and 10: 8.5, so 9. Without a game of one's own: what winners have, (10 + 10 + 11) / 3."""
    event = after(snapshot(5), game(1, 2, (7, 10)), game(3, 4, (10, 2)), byes=[5])
    event = after(event, game(1, 3, (10, 4)), byes=[2])
    event = after(event, forfeit(1, 4, absent=1), game(2, 3, (11, 9)))
    points = points_with_credits(read(event), Scoring())
    assert points.T.tolist() == [[7, 10, 9], [10, 11, 11], [10, 4, 9], [2, 0, 0], [10, 0, 0]]
    nothing = points_with_credits(read(after(snapshot(2), byes=[1])), Scoring())
    assert nothing.tolist() == [[0, 0]]


def test_rests():
    event = after(after(snapshot(3), game(1, 2, (10, 5)), rests=[3]), game(3, 1, (6, 10)), rests=[2])
    columns = read(event)
    assert half_wins(columns, event, Scoring()).T.tolist() == [[2, 2], [0, 0], [0, 0]]
    assert half_wins(columns, event, Scoring(rest_halves=1)).T.tolist() == [[2, 2], [0, 1], [1, 0]]
    assert points_with_credits(columns, Scoring(rest_average=True)).T.tolist() == [[10, 10], [5, 5], [6, 6]]
    with pytest.raises(EventError, match="half a win"):
        Scoring(rest_halves=2)


def test_late_entry():
    late = Scoring(late_halves=1)
    event = snapshot(4)
    entrants = [event.entrants[0], event.entrants[1]]
    entrants += [type(entrants[0])(3, 3, joined=3), type(entrants[0])(4, 4, joined=9)]
    event = Snapshot(tuple(entrants))
    for _ in range(3):
        event = after(event, game(1, 2, (10, 0)))
    columns = read(event)
    assert half_wins(columns, event, late).T.tolist() == [[2, 2, 2], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert half_wins(columns, event, Scoring()).sum() == 6


def test_counters():
    counters = {"loners": {1: 2, 2: 1}, "euchres": {1: 1}}
    event = after(snapshot(2), game(1, 2, (10, 4), counters=counters), game(1, 2, (10, 0)))
    event = after(event, game(1, 2, (0, 0), counters=counters, outcome="void"))
    loners, marches = counted(event, {1: 0, 2: 1}, ["loners", "marches"])
    assert loners.tolist() == [2, 1] and marches.tolist() == [0, 0]
