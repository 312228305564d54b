"""A snapshot's past as arrays, a row per round and a column per entrant, for the formats that must
be quick with thousands of entrants. What counts as what is told in history.

| rule | test |
|---|---|
| the same past as history reads, game by game | test_columns: test_the_same_as_history |
| points of a bye or a forfeit won: the own average a game, half up | test_credited_average |
| before the first game of one's own: the average winner's | test_credited_average |
| a rest: nothing, half a win, or the own average, as the event says | test_rests |
| a late entrant: nothing for the rounds missed, or half a win for one | test_late_entry |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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

_OUTCOMES = {"played": 1, "forfeit": 10, "double_forfeit": 19, "void": 28}
"""What a result without a winner (-1) and with nobody absent means, by its outcome; see :func:`_meaning`."""
_SIDES: Mapping[int | None, int] = {0: 0, 1: 1, None: NOBODY}


def _meaning(side: int) -> tuple[Ints, Ints]:
    """What a result is to a side, and its half wins, by 9 * outcome + 3 * (absent + 1) + (winner + 1)."""
    kinds, halves = [], []
    for outcome in range(4):
        for absent in (NOBODY, 0, 1):
            for winner in (NOBODY, 0, 1):
                lost = FORFEIT_WON if outcome == 1 and absent == 1 - side else FORFEIT_LOST
                kinds.append((PLAYED, lost, lost, VOID)[outcome])
                played = {NOBODY: 1, side: 2}.get(winner, 0)
                halves.append({PLAYED: played, FORFEIT_WON: 2}.get(kinds[-1], 0))
    return np.array(kinds), np.array(halves)


_MEANINGS = _meaning(0), _meaning(1)

_points_of = attrgetter("points")


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
            raise EventError("missed_worth")


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


def read(snapshot: Snapshot, *, points: bool = True) -> Columns:
    """The columns of a snapshot; without ``points`` those two stay empty, which is quicker.

    EventError if a round seats somebody whom the snapshot does not list.
    """
    ids = [entrant.id for entrant in snapshot.entrants]
    place = _Places(ids)
    shape = (len(snapshot.rounds), len(ids))
    columns = Columns(
        ids,
        [played.number for played in snapshot.rounds],
        *(np.zeros(shape, dtype=np.int64) for _ in range(4)),
        *(np.full(shape, NOBODY, dtype=np.int64) for _ in range(4)),
    )
    for row, played in enumerate(snapshot.rounds):
        try:
            _read_round(columns, row, played, place, with_points=points)
        except KeyError as unknown:
            raise EventError("unknown_in_round", round=played.number, who=unknown.args[:1]) from None
    return columns


class _Places:
    """The place of each id in the snapshot: by an array as long as the ids are spread, or where that
    is too long by a dictionary, which takes twice the time."""

    SPREAD = 64

    def __init__(self, ids: list[int]) -> None:
        self.by_id = {entrant: index for index, entrant in enumerate(ids)}
        self.first = min(ids, default=0)
        length = max(ids, default=0) - self.first + 1
        self.array: Ints = np.full(length if length <= self.SPREAD * len(ids) else 0, NOBODY, dtype=np.int64)
        if len(self.array):
            self.array[np.array(ids, dtype=np.int64) - self.first] = np.arange(len(ids))

    def of(self, entrants: Iterable[int]) -> Ints:
        """Raises KeyError with an id that is not there."""
        if not len(self.array):
            return np.fromiter(map(self.by_id.__getitem__, entrants), np.int64)
        wanted = np.fromiter(entrants, np.int64)
        at = wanted - self.first
        known = (at >= 0) & (at < len(self.array))
        places: Ints = self.array[np.where(known, at, 0)]
        known &= places != NOBODY
        if not known.all():
            raise KeyError(int(wanted[~known][0]))
        return places


def _read_round(columns: Columns, row: int, played: Round, place: _Places, *, with_points: bool) -> None:
    for what, won, entrants in ((BYE, 2, played.byes), (REST, 0, played.rests)):
        idle = place.of(entrants)
        columns.kind[row, idle] = what
        columns.halves[row, idle] = won
    if not played.tables:
        return
    sides = [side for table in played.tables for side in table.sides]
    seats = place.of(chain.from_iterable(sides))
    partners = len(seats) > len(sides)
    if not partners:
        one = two = seats.reshape(-1, 2)
    elif len(seats) == 2 * len(sides):
        one, two = seats.reshape(-1, 2, 2).transpose(2, 0, 1)
    else:
        sizes = np.fromiter(map(len, sides), np.int64, len(sides))
        ends = np.cumsum(sizes)
        one = seats[ends - sizes].reshape(-1, 2)
        two = np.where(sizes == 2, seats[ends - 1], NOBODY).reshape(-1, 2)
    results = [table.result for table in played.tables]
    count = len(results)
    meaning = np.fromiter([_OUTCOMES[result.outcome] + _SIDES[result.winner] for result in results], np.int64, count)
    outcome = meaning // 9
    for at in np.flatnonzero(outcome == 1).tolist():
        meaning[at] += 3 * _SIDES[results[at].absent] + 3
    met = outcome != 3
    if with_points:
        points = np.fromiter(chain.from_iterable(map(_points_of, results)), np.int64, 2 * count)
        scored = points.reshape(-1, 2) * (outcome == 0)[:, None]
    for side, (kinds, worth) in enumerate(_MEANINGS):
        other = 1 - side
        kind, halves = kinds[meaning], worth[meaning]
        for here, partner in ((one, two), (two, one))[: 1 + partners]:
            seated = np.flatnonzero(here[:, side] != NOBODY)
            sitting = here[seated, side]
            columns.kind[row, sitting] = kind[seated]
            columns.halves[row, sitting] = halves[seated]
            seated = seated[met[seated]]
            sitting = here[seated, side]
            columns.side[row, sitting] = side
            columns.opponent[row, sitting] = one[seated, other]
            if partners:
                columns.partner[row, sitting] = partner[seated, side]
                columns.second[row, sitting] = two[seated, other]
            if with_points:
                columns.points[row, sitting] = scored[seated, side]
                columns.against[row, sitting] = scored[seated, other]


def half_wins(columns: Columns, snapshot: Snapshot, scoring: Scoring) -> Ints:
    """Half wins by round and entrant, with what the event credits for rests and late entry."""
    halves: Ints = columns.halves + (columns.kind == REST) * scoring.rest_halves
    if scoring.late_halves:
        for place, entrant in enumerate(snapshot.entrants):
            missed = entrant.joined - 2
            if 0 <= missed < len(halves) and columns.kind[missed, place] == ABSENT:
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


def counted(snapshot: Snapshot, place: Mapping[int, int], names: Sequence[str]) -> list[Ints]:
    """The sums of some counters of the results played, by entrant."""
    totals = [np.zeros(len(place), dtype=np.int64) for _ in names]
    for played in snapshot.rounds:
        for table in played.tables:
            counters = table.result.counters
            if counters and table.result.played:
                for total, name in zip(totals, names, strict=True):
                    for entrant, number in counters.get(name, {}).items():
                        total[place[entrant]] += number
    return totals


def _half_up(total: Ints, games: Ints) -> Ints:
    average: Ints = np.floor_divide(2 * total + games, np.maximum(2 * games, 1))
    return average
