"""A snapshot's past as arrays, a row per round and a column per entrant, for the formats that must
be quick with thousands of entrants. What counts as what is told in history.

| rule | test |
|---|---|
| the same past as history reads, game by game | tests/formats/test_columns.py |
| a bye or a forfeit won: the own average a game, half up; before any game the average winner's | tests/formats/test_columns.py |
| a rest: nothing, half a win, or the own average, as the event says | tests/formats/test_columns.py |
| a late entrant: nothing for the rounds missed, or half a win for one of them | tests/formats/test_columns.py |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from tournaments.formats.event import EventError, Round, Snapshot

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

ABSENT, PLAYED, VOID, BYE, REST, FORFEIT_WON, FORFEIT_LOST = range(7)
"""What a round was to an entrant; a double forfeit is lost by both."""

NOBODY: Final = -1

_OUTCOMES = {"played": 0, "forfeit": 1, "double_forfeit": 2, "void": 3}
_SIDES: Mapping[int | None, int] = {0: 0, 1: 1, None: NOBODY}

_sides_of = attrgetter("sides")
_result_of = attrgetter("result")
_points_of = attrgetter("points")
_outcome_of = attrgetter("outcome")
_winner_of = attrgetter("winner")
_absent_of = attrgetter("absent")


@dataclass(frozen=True, slots=True)
class Scoring:
    """What is credited for what was not played; one value for the draws and the standings of an event.

    ``rest_halves`` and ``late_halves`` are half wins, 0 or 1; ``rest_average`` credits a rest with
    the own average of points; ``loner_bonus`` are points of one's own a loner made, where a house
    pays the player more than the partner.
    """

    rest_halves: int = 0
    late_halves: int = 0
    rest_average: bool = False
    loner_bonus: int = 0

    def __post_init__(self) -> None:
        if self.rest_halves not in (0, 1) or self.late_halves not in (0, 1):
            raise EventError("A rest or a missed round is worth nothing or half a win.", "Choose 0 or 1 half wins.")


@dataclass(frozen=True, slots=True)
class Columns:
    """Every array has the shape (rounds, entrants). Entrants are known by their place in the
    snapshot; ``opponent``, ``second`` (the opponent's partner) and ``partner`` are such places, or
    NOBODY. ``halves`` are half wins, ``points`` and ``against`` are those of games that were played."""

    ids: list[int]
    numbers: list[int]
    kind: Ints
    halves: Ints
    points: Ints
    against: Ints
    partner: Ints
    opponent: Ints
    second: Ints
    side: Ints

    @property
    def played(self) -> Flags:
        played: Flags = self.kind == PLAYED
        return played

    def games(self) -> Ints:
        """Games played, by entrant."""
        games: Ints = self.played.sum(axis=0)
        return games


def read(snapshot: Snapshot) -> Columns:
    """The columns of a snapshot.

    EventError if a round seats somebody whom the snapshot does not list.
    """
    ids = [entrant.id for entrant in snapshot.entrants]
    place = {entrant: index for index, entrant in enumerate(ids)}
    shape = (len(snapshot.rounds), len(ids))
    columns = Columns(
        ids,
        [played.number for played in snapshot.rounds],
        *(np.zeros(shape, dtype=np.int64) for _ in range(4)),
        *(np.full(shape, NOBODY, dtype=np.int64) for _ in range(4)),
    )
    for row, played in enumerate(snapshot.rounds):
        try:
            _read_round(columns, row, played, place)
        except KeyError as unknown:
            raise EventError(
                f"Round {played.number} seats #{unknown.args[0]}, who is not among the entrants.",
                "Add the entrant again; who has left stays in the list as withdrawn.",
            ) from None
    return columns


def _read_round(columns: Columns, row: int, played: Round, place: dict[int, int]) -> None:
    for what, worth, entrants in ((BYE, 2, played.byes), (REST, 0, played.rests)):
        idle = [place[entrant] for entrant in entrants]
        columns.kind[row, idle] = what
        columns.halves[row, idle] = worth
    if not played.tables:
        return
    sides = list(chain.from_iterable(map(_sides_of, played.tables)))
    seats = np.fromiter(map(place.__getitem__, chain.from_iterable(sides)), np.int64)
    sizes = np.fromiter(map(len, sides), np.int64, len(sides))
    starts = np.cumsum(sizes) - sizes
    one = seats[starts].reshape(-1, 2)
    two = np.where(sizes == 2, seats[starts + sizes - 1], NOBODY).reshape(-1, 2)
    results = list(map(_result_of, played.tables))
    count = len(results)
    outcome = np.fromiter(map(_OUTCOMES.__getitem__, map(_outcome_of, results)), np.int64, count)
    winner = np.fromiter(map(_SIDES.__getitem__, map(_winner_of, results)), np.int64, count)
    points = np.fromiter(chain.from_iterable(map(_points_of, results)), np.int64, 2 * count).reshape(-1, 2)
    absent = np.full(count, NOBODY, dtype=np.int64)
    for table in np.flatnonzero(outcome == 1).tolist():
        absent[table] = _SIDES[_absent_of(results[table])]
    was_played = outcome == 0
    met = outcome != 3
    for side in (0, 1):
        other = 1 - side
        came = (outcome == 1) & (absent == other)
        kind = np.select([was_played, ~met, came], [PLAYED, VOID, FORFEIT_WON], FORFEIT_LOST)
        halves = np.select([came, was_played & (winner == side), was_played & (winner == NOBODY)], [2, 2, 1], 0)
        for here, partner in ((one[:, side], two[:, side]), (two[:, side], one[:, side])):
            seated = here != NOBODY
            at = here[seated]
            columns.kind[row, at] = kind[seated]
            columns.halves[row, at] = halves[seated]
            columns.points[row, at] = np.where(was_played, points[:, side], 0)[seated]
            columns.against[row, at] = np.where(was_played, points[:, other], 0)[seated]
            columns.side[row, at] = np.where(met, side, NOBODY)[seated]
            columns.partner[row, at] = np.where(met, partner, NOBODY)[seated]
            columns.opponent[row, at] = np.where(met, one[:, other], NOBODY)[seated]
            columns.second[row, at] = np.where(met, two[:, other], NOBODY)[seated]


def half_wins(columns: Columns, snapshot: Snapshot, scoring: Scoring) -> Ints:
    """Half wins by round and entrant, with what the event credits for rests and late entry."""
    halves: Ints = columns.halves + (columns.kind == REST) * scoring.rest_halves
    if scoring.late_halves:
        for place, entrant in enumerate(snapshot.entrants):
            missed = min(entrant.joined, snapshot.number) - 2
            if missed >= 0 and columns.kind[missed, place] == ABSENT:
                halves[missed, place] += 1
    return halves


def points_with_credits(columns: Columns, scoring: Scoring) -> Ints:
    """Points by round and entrant, byes and forfeits won at the entrant's own average."""
    games = columns.games()
    own = _half_up(columns.points.sum(axis=0), games)
    won = columns.played & (columns.halves == 2)
    average = np.where(games > 0, own, _half_up(columns.points[won].sum(), won.sum()))
    credited = (columns.kind == BYE) | (columns.kind == FORFEIT_WON)
    if scoring.rest_average:
        credited |= columns.kind == REST
    return np.where(credited, average, columns.points)


def counted(snapshot: Snapshot, place: Mapping[int, int], name: str) -> Ints:
    """The sum of a counter of the results played, by entrant."""
    total = np.zeros(len(place), dtype=np.int64)
    for _round, table in snapshot.tables():
        if table.result.counters and table.result.played:
            for entrant, number in table.result.counters.get(name, {}).items():
                total[place[entrant]] += number
    return total


def _half_up(total: Ints, games: Ints) -> Ints:
    average: Ints = np.floor_divide(2 * total + games, np.maximum(2 * games, 1))
    return average
