"""Who stands where, and why: every number with the terms it is the sum of.

| rule | test (test_standings) |
|---|---|
| score: wins (ties half), points, or average points a game | test_scores |
| a bye or a forfeit won: a win, points of the own average | test_bye_is_a_win_with_the_own_average |
| games won, head-to-head if all who are tied have met | test_games_won, test_head_to_head |
| Buchholz, cut-1, Sonneborn-Berger: unplayed rounds as in FIDE 2024 | test_fide_unplayed, test_fide_recounted |
| euchres, loners, marches, point difference, extra hand or cut | test_counters, test_difference, test_extra |
| the order is the event's, and checked | test_order_is_checked |
| who withdrew stands last, who never came before those | test_withdrawn_and_absent_last |
| who is level on all shares a place | test_shared_places |
| the terms of every number add up to it | test_terms_add_up |
| 10,000 entrants with every tie-break in 0.2 s | tests/bench/formats.py |

Rounds not played, in Buchholz and Sonneborn-Berger: one's own counts as a game against oneself, with
the score at the end; of an opponent, rounds missed after the last that was not missed of his own will
count half a win each. The cut takes a round missed of one's own will first, else the lowest. Missed
of one's own will are rests asked for, absences and forfeits lost; a table that is void is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from tournaments.formats.columns import (
    ABSENT,
    BYE,
    FORFEIT_LOST,
    FORFEIT_WON,
    NOBODY,
    PLAYED,
    REST,
    VOID,
    Flags,
    Ints,
    Scoring,
    counted,
    half_wins,
    points_with_credits,
    read,
)
from tournaments.formats.event import EventError, Snapshot
from tournaments.formats.words import Reason, because

Numbers = npt.NDArray[np.float64] | Ints

Key = Literal[
    "wins",
    "points",
    "average",
    "won",
    "head_to_head",
    "buchholz",
    "buchholz_cut1",
    "sonneborn_berger",
    "euchres",
    "loners",
    "marches",
    "difference",
    "extra",
]

KEYS: tuple[Key, ...] = get_args(Key)
"""Also the codes of their names: ``because(key)``."""

SCORES: tuple[Key, ...] = ("wins", "points", "average")
ONE_AGAINST_ONE: tuple[Key, ...] = ("buchholz", "buchholz_cut1", "sonneborn_berger")
COUNTERS: tuple[Key, ...] = ("euchres", "loners", "marches")

CLUB: tuple[Key, ...] = ("won", "head_to_head", *COUNTERS, "difference", "extra")
"""Tie-breaks where points or averages rank."""
CLUB_WINS: tuple[Key, ...] = ("points", "head_to_head", *COUNTERS, "difference", "extra")
"""Tie-breaks where wins rank."""
SWISS: tuple[Key, ...] = (
    "buchholz_cut1", "buchholz", "sonneborn_berger", "head_to_head", "points", "difference", "extra",
)  # fmt: skip
"""Tie-breaks of a Swiss for pairs, after wins."""


@dataclass(frozen=True, slots=True)
class StandingsRules:
    """How an event ranks; published before round 1. ``extra`` is what the director has entered of an
    extra hand or cut, the higher the better. EventError for an order that cannot be."""

    score: Key = "wins"
    order: tuple[Key, ...] = SWISS
    scoring: Scoring = field(default_factory=Scoring)
    extra: Mapping[int, int] = field(default_factory=dict)
    withdrawn_last: bool = True

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise EventError("not_a_score", key=self.score, possible=", ".join(SCORES))
        for key in self.order:
            if key not in KEYS:
                raise EventError("not_a_tie_break", key=key, possible=", ".join(KEYS))
        keys = (self.score, *self.order)
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice:
            raise EventError("key_twice", key=because(twice))

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.score, *self.order)


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a number: ``value`` is added unless ``cut``. ``round`` is 0 where none is meant;
    ``what`` tells of it."""

    value: float
    what: Reason
    round: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A number and its terms: their sum, divided by ``divisor``, is ``value``."""

    key: Key
    value: float
    terms: tuple[Term, ...]
    divisor: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant. ``values`` are in the order of the event's keys; who shares a place is ``tied``.
    ``notes`` tell who came late, who left and when."""

    place: int
    entrant: int
    values: tuple[float, ...]
    tied: bool
    notes: tuple[Reason, ...]
    sheet: Sheet = field(repr=False, compare=False)

    def breakdown(self, key: Key) -> Breakdown:
        """The terms of one of the numbers."""
        return self.sheet.breakdown(key, self.entrant)

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The terms of all numbers, in the order of the event."""
        return tuple(self.breakdown(key) for key in self.sheet.rules.keys)


def standings(snapshot: Snapshot, rules: StandingsRules) -> tuple[Row, ...]:
    """The rows of all entrants, the first first. EventError if the order has a tie-break that has
    no meaning where partners change."""
    return Sheet(snapshot, rules).rows()


class Sheet:
    """All numbers of an event, worked out by column. Half wins are whole numbers here."""

    def __init__(self, snapshot: Snapshot, rules: StandingsRules) -> None:
        self.snapshot = snapshot
        self.rules = rules
        self.columns = read(snapshot)
        self.place = {entrant: index for index, entrant in enumerate(self.columns.ids)}
        if set(ONE_AGAINST_ONE) & set(rules.keys) and (self.columns.second != NOBODY).any():
            raise EventError("no_buchholz")
        self.played: Flags = self.columns.played
        self._group: Ints = np.zeros(len(self.place), dtype=np.int64)
        self.halves: Ints = half_wins(self.columns, snapshot, rules.scoring)
        self.total: Ints = self.halves.sum(axis=0)

    def rows(self) -> tuple[Row, ...]:
        rules = self.rules
        ids = self.columns.ids
        groups = self._groups()
        keys = [self.value(key) if key != "head_to_head" else np.zeros(len(ids)) for key in rules.keys]
        if "head_to_head" in rules.order:
            at = rules.keys.index("head_to_head")
            keys[at] = self._head_to_head(_sorted([-groups, *keys[:at]]), [groups, *keys[:at]])
        seeds = np.array([entrant.seed for entrant in self.snapshot.entrants], dtype=np.int64)
        order = _sorted([-groups, *keys, -seeds])
        table = np.stack([groups, *keys])[:, order]
        same = np.append(False, (table[:, 1:] == table[:, :-1]).all(axis=0)) if len(ids) else np.zeros(0, dtype=bool)
        places = np.maximum.accumulate(np.where(same, 0, np.arange(1, len(ids) + 1)))
        tied = same | np.append(same[1:], False)
        columns = (key[order].tolist() for key in keys)
        notes = self._notes()
        return tuple(
            Row(place, ids[one], values, level, notes.get(one, ()), self)
            for place, one, values, level in zip(
                places.tolist(), order.tolist(), zip(*columns, strict=True), tied.tolist(), strict=True
            )
        )

    def _groups(self) -> Ints:
        """0 for who played or was there to, 1 for who never was, 2 withdrawn, 3 disqualified."""
        kind = self.columns.kind
        came = ((kind == PLAYED) | (kind == BYE) | (kind == FORFEIT_WON)).any(axis=0)
        groups = np.where(came | (len(kind) == 0), 0, 1)
        if self.rules.withdrawn_last:
            states = {"withdrawn": 2, "disqualified": 3}
            left = np.array([states.get(entrant.state, 0) for entrant in self.snapshot.entrants], dtype=np.int64)
            groups = np.maximum(groups, left)
        return groups

    def _notes(self) -> dict[int, tuple[Reason, ...]]:
        notes = {}
        for place, entrant in enumerate(self.snapshot.entrants):
            said = [because("late", round=entrant.joined)] if entrant.joined > 1 else []
            if entrant.state in ("withdrawn", "disqualified"):
                before = entrant.left
                said.append(because(f"{entrant.state}_before", round=before) if before else because(entrant.state))
            if said:
                notes[place] = tuple(said)
        return notes

    def value(self, key: Key) -> Numbers:
        """One number of everybody, by place in the snapshot (head-to-head apart)."""
        columns = self.columns
        found: Numbers
        match key:
            case "wins":
                found = self.total / 2
            case "points":
                found = self.points.sum(axis=0) + self.bonus
            case "average":
                found = (columns.points.sum(axis=0) + self.bonus) / np.maximum(columns.games(), 1)
            case "won":
                found = (columns.halves == 2).sum(axis=0)
            case "buchholz":
                found = self.strength.sum(axis=0) / 2
            case "buchholz_cut1":
                found = (self.strength.sum(axis=0) - self._at_cut(self.strength)) / 2
            case "sonneborn_berger":
                found = (self.strength * self.halves).sum(axis=0) / 4
            case "difference":
                found = (columns.points - columns.against).sum(axis=0)
            case "extra":
                found = np.array([self.rules.extra.get(entrant, 0) for entrant in columns.ids], dtype=np.int64)
            case _:
                found = self.counters[key]
        return found

    @cached_property
    def points(self) -> Ints:
        return points_with_credits(self.columns, self.rules.scoring)

    @cached_property
    def counters(self) -> dict[Key, Ints]:
        return dict(zip(COUNTERS, counted(self.snapshot, self.place, COUNTERS), strict=True))

    @cached_property
    def bonus(self) -> Ints:
        each = self.rules.scoring.loner_bonus
        return self.counters["loners"] * each

    @cached_property
    def own_will(self) -> Flags:
        """Rounds missed of one's own will."""
        kind = self.columns.kind
        missed: Flags = (kind == ABSENT) | (kind == REST) | (kind == FORFEIT_LOST)
        return missed

    @cached_property
    def adjusted(self) -> Ints:
        """Half wins as they count for opponents, by round: half a win for each round missed after
        the last that was not missed of one's own will."""
        kind = self.columns.kind
        later = np.logical_and.accumulate(self.own_will[::-1], axis=0)[::-1]
        return np.where(later & ((kind == ABSENT) | (kind == REST)), 1, self.halves)

    @cached_property
    def strength(self) -> Ints:
        """What each round brings to Buchholz, in half wins."""
        adjusted = self.adjusted.sum(axis=0)
        return np.where(self.played, adjusted[self.columns.opponent], self.total)

    @cached_property
    def cut(self) -> Ints:
        """The row that the cut takes, by entrant, once a round has been played."""
        big = 4 * len(self.columns.numbers) + 4
        row: Ints = np.argmin(self.strength - big * self.own_will, axis=0)
        return row

    def _at_cut(self, values: Ints) -> Ints:
        if not len(values):
            return np.zeros(len(self.place), dtype=np.int64)
        taken: Ints = values[self.cut, np.arange(len(self.place))]
        return taken

    def _head_to_head(self, order: Ints, before: list[Numbers]) -> Numbers:
        """Wins among those level on everything before, where all of them have met."""
        level = np.stack(before)[:, order]
        starts = np.append(True, (level[:, 1:] != level[:, :-1]).any(axis=0)) if len(order) else order
        group = np.empty(len(order), dtype=np.int64)
        group[order] = np.cumsum(starts)
        one, rival, halves = self._games()
        within = group[one] == group[rival]
        one, rival, halves = one[within], rival[within], halves[within]
        met = np.bincount(np.unique(one * len(order) + rival) // max(1, len(order)), minlength=len(order))
        size = np.bincount(group, minlength=1)
        lacking = np.bincount(group, weights=met < size[group] - 1, minlength=1)
        compared = (size[group] > 1) & (lacking[group] == 0)
        self._group = np.where(compared, group, 0)
        return np.where(compared, np.bincount(one, weights=halves, minlength=len(order)) / 2, 0)

    def _games(self) -> tuple[Ints, Ints, Ints]:
        """Somebody, an opponent of his and his half wins, for every game."""
        columns = self.columns
        row, one = np.nonzero(self.played)
        rival = np.concatenate((columns.opponent[row, one], columns.second[row, one]))
        one, halves = np.tile(one, 2), np.tile(columns.halves[row, one], 2)
        there = rival != NOBODY
        return one[there], rival[there], halves[there]

    def breakdown(self, key: Key, entrant: int) -> Breakdown:
        """The terms of one number of one entrant. For head-to-head, after :meth:`rows`."""
        if key not in self.rules.keys:
            raise EventError("not_ranked_by", key=because(key))
        one = self.place[entrant]
        divisor = max(1, int(self.columns.games()[one])) if key == "average" else 1
        terms = tuple(self._terms(key, one))
        value = sum(term.value for term in terms if not term.cut) / divisor
        return Breakdown(key, value, terms, divisor)

    def _terms(self, key: Key, one: int) -> Iterator[Term]:
        columns = self.columns
        if key == "extra":
            entered = self.rules.extra.get(columns.ids[one])
            if entered is not None:
                yield Term(entered, because("by_director"))
            return
        if key in COUNTERS:
            yield from self._counted(key, columns.ids[one])
            return
        if key == "head_to_head":
            for row in np.flatnonzero(self.played[:, one]).tolist():
                for rival in (int(columns.opponent[row, one]), int(columns.second[row, one])):
                    if rival != NOBODY and self._group[one] and self._group[rival] == self._group[one]:
                        yield Term(int(columns.halves[row, one]) / 2, self._game(row, one), columns.numbers[row])
            return
        for row, number in enumerate(columns.numbers):
            halves = int(self.halves[row, one])
            played = bool(self.played[row, one])
            strength = int(self.strength[row, one]) if key in ONE_AGAINST_ONE else 0
            match key:
                case "wins":
                    yield Term(halves / 2, self._game(row, one), number)
                case "won":
                    yield Term(int(columns.halves[row, one] == 2), self._game(row, one), number)
                case "points":
                    yield Term(int(self.points[row, one]), self._scored(row, one), number)
                case "average" if played:
                    yield Term(int(columns.points[row, one]), self._scored(row, one), number)
                case "difference" if played:
                    difference = int(columns.points[row, one] - columns.against[row, one])
                    yield Term(difference, self._scored(row, one), number)
                case "buchholz":
                    yield Term(strength / 2, self._strength(row, one), number)
                case "buchholz_cut1":
                    yield Term(strength / 2, self._strength(row, one), number, cut=row == int(self.cut[one]))
                case "sonneborn_berger":
                    what = because("share", share=halves / 2, what=self._strength(row, one))
                    yield Term(strength * halves / 4, what, number)
        if key in ("points", "average") and self.bonus[one]:
            yield Term(int(self.bonus[one]), because("loner_bonus"))

    def _counted(self, key: Key, entrant: int) -> Iterator[Term]:
        for played, table in self.snapshot.tables():
            number = table.result.counters.get(key, {}).get(entrant, 0) if table.result.played else 0
            if number:
                yield Term(number, because("at_table", table=table.number), played.number)

    def _opponents(self, row: int, one: int) -> tuple[int, ...]:
        columns = self.columns
        rivals = (int(columns.opponent[row, one]), int(columns.second[row, one]))
        return tuple(columns.ids[rival] for rival in rivals if rival != NOBODY)

    def _game(self, row: int, one: int) -> Reason:
        kind = int(self.columns.kind[row, one])
        if kind == PLAYED:
            how = ("lost_to", "tied_with", "won_against")[int(self.columns.halves[row, one])]
            return because(how, who=self._opponents(row, one))
        if kind == ABSENT and self.halves[row, one]:
            return because("late_half")
        return because(UNPLAYED[kind])

    def _scored(self, row: int, one: int) -> Reason:
        columns = self.columns
        if self.played[row, one]:
            score = f"{columns.points[row, one]}-{columns.against[row, one]}"
            return because("scored", score=score, who=self._opponents(row, one))
        what = because(UNPLAYED[int(columns.kind[row, one])])
        return because("own_average", what=what) if self.points[row, one] else what

    def _strength(self, row: int, one: int) -> Reason:
        if not self.played[row, one]:
            what = because(UNPLAYED[int(self.columns.kind[row, one])])
            return because("own_wins", what=what, wins=int(self.total[one]) / 2)
        rival = int(self.columns.opponent[row, one])
        who, wins = self._opponents(row, one), int(self.total[rival]) / 2
        missed = int((self.adjusted[:, rival] - self.halves[:, rival]).sum())
        if missed:
            return because("strength_missed", who=who, wins=wins, missed=missed / 2)
        return because("strength", who=who, wins=wins)


UNPLAYED = {
    ABSENT: "absent",
    VOID: "void",
    BYE: "bye",
    REST: "rest",
    FORFEIT_WON: "forfeit_won",
    FORFEIT_LOST: "forfeit_lost",
}


def _sorted(keys: Sequence[Numbers]) -> Ints:
    """Places in order, the highest of the first key first, then of the next."""
    order: Ints = np.lexsort([-key for key in reversed(keys)])
    return order
