"""What formats are told and answer (tournaments/formats/event.py)."""

from __future__ import annotations

import pytest

from tournaments.formats.event import (
    Constraints,
    Draw,
    DrawFault,
    DrawnTable,
    Entrant,
    Result,
    Round,
    Snapshot,
    Table,
)


@pytest.mark.parametrize(
    "draw",
    [
        {"tables": (DrawnTable(1, ((1,), (1,))),)},
        {"tables": (DrawnTable(1, ((1,), (2,))), DrawnTable(2, ((3, 4), (5, 1))))},
        {"tables": (DrawnTable(1, ((1,), (2,))),), "byes": (1,)},
        {"tables": (), "byes": (1,), "rests": (1,)},
    ],
)
def test_nobody_is_twice_in_a_round(draw):
    with pytest.raises(DrawFault, match="entrant 1 is twice in round 3"):
        Draw(3, **draw)


def test_a_sound_draw():
    table = DrawnTable(1, ((1, 2), (3, 4)))
    assert table.seated == (1, 2, 3, 4) and Draw(1, (table,), byes=(5,), rests=(6,)).tables == (table,)


def test_a_finished_round_keeps_what_was_drawn():
    draw = Draw(2, (DrawnTable(1, ((1,), (2,)), label="WR2-1"), DrawnTable(2, ((3,), (4,)))), byes=(5,), rests=(6,))
    won = Result((10, 4), winner=0)
    assert draw.finished({1: won}) == Round(2, (Table(1, ((1,), (2,)), won, "WR2-1"),), (5,), (6,))


def test_who_is_present():
    """By seed; not who paused, left, comes later or is absent this time."""
    entrants = (
        Entrant(1, seed=9),
        Entrant(2, seed=3),
        Entrant(3, seed=3),
        Entrant(4, seed=1, state="paused"),
        Entrant(5, seed=1, state="withdrawn"),
        Entrant(6, seed=1, joined=2),
        Entrant(7, seed=1),
    )
    event = Snapshot(entrants, constraints=Constraints(absent=frozenset({7})))
    assert [entrant.id for entrant in event.present()] == [2, 3, 1]
