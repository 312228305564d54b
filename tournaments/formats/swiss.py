"""Swiss for fixed pairs: every round against somebody of about the same score, nobody twice.

| rule | test (test_swiss, where no other is named) |
|---|---|
| nobody meets twice while that can be avoided | test_crowded_states, test_events |
| a bye for nobody twice while that can be avoided | test_crowded_states, test_events |
| of these the lowest score, then rank | test_the_bye_goes_low |
| least squared gaps, no float repeated, fold | test_fold |
| round 1: top half against bottom half by seed, or by lot | test_round_one |
| kept apart, absent, tables and byes by hand, fixed tables | test_wishes |
| who deals first in fair turn, if asked for | test_fair_seats |
| a late entrant starts in the first half of the rounds | test_late_entry_limit |
| when all have met: refused with advice, or the oldest meeting again | test_guarantee_ends |
| the reasons: floats with their number, repeats avoided, what was ordered | test_reasons |
| the same snapshot and seed give the same draw | test_events |
| 10,000 entrants in 0.05 s | tests/bench/formats.py |
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Literal

import numpy as np

from tournaments.formats.columns import BYE, NOBODY, Columns, Ints, Scoring, half_wins, read
from tournaments.formats.event import (
    CannotPair,
    Draw,
    DrawFault,
    DrawnTable,
    Entrant,
    Sides,
    Snapshot,
)
from tournaments.formats.fold import Field, Folding, Pairs, Stuck
from tournaments.formats.orders import check, clashes, numbers
from tournaments.formats.words import Reason, because


@dataclass(frozen=True, slots=True)
class SwissRules:
    """``first_round`` is drawn by seed or by lot. ``repeats`` lets entrants meet again once there
    is no other way, those first whose meeting is longest ago. ``fair_seats`` gives the first seat
    to who has had it less often; else the higher ranked has it."""

    first_round: Literal["seed", "random"] = "seed"
    repeats: bool = False
    fair_seats: bool = False
    scoring: Scoring = field(default_factory=Scoring)


DEFAULT = SwissRules()


def guaranteed_rounds(entrants: int) -> int:
    """How many rounds can always be drawn without a repeat, if nobody leaves (Dirac)."""
    return (entrants + 1) // 2


def recommended_rounds(entrants: int) -> int:
    """Enough for one unbeaten pair and one more, as far as it can be promised."""
    if entrants < 2:
        return 0
    return min((entrants - 1).bit_length() + 1, guaranteed_rounds(entrants))


def last_joinable_round(rounds: int) -> int:
    """The last round that somebody new can start in."""
    return ceil(rounds / 2)


def pair(snapshot: Snapshot, rules: SwissRules = DEFAULT, seed: int = 0) -> Draw:
    """The draw of the next round. ``seed`` matters where lots are drawn: round 1, if the rules say so.

    With ``snapshot.planned`` rounds, none is drawn beyond, and nobody may start later than
    :func:`last_joinable_round`. CannotPair where no draw keeps to the rules and orders.
    """
    present = snapshot.present()
    _check_event(snapshot, present)
    if rules.first_round == "random" and not snapshot.rounds:
        present = tuple(random.Random(seed).sample(present, len(present)))
    return _Draft(snapshot, rules, present).draw()


def _check_event(snapshot: Snapshot, present: tuple[Entrant, ...]) -> None:
    orders = snapshot.constraints
    if orders.always_together or orders.never_together:
        raise CannotPair("fixed_pairs")
    if 0 < snapshot.planned < snapshot.number:
        raise CannotPair("all_played", rounds=snapshot.planned)
    last = last_joinable_round(snapshot.planned) if snapshot.planned else snapshot.number
    late = [entrant for entrant in present if entrant.joined > last]
    if late:
        begun = {one for _round, at in snapshot.tables() for one in at.seated}
        begun.update(one for played in snapshot.rounds for one in played.byes + played.rests)
        late = [entrant for entrant in late if entrant.id not in begun]
    if late:
        raise CannotPair("joined_late", who=tuple(one.id for one in late), last=last, rounds=snapshot.planned)


class _Draft:
    """One draw in the making. Entrants stand by score, then in the order given."""

    def __init__(self, snapshot: Snapshot, rules: SwissRules, present: tuple[Entrant, ...]) -> None:
        self.snapshot = snapshot
        self.rules = rules
        self.orders = snapshot.constraints
        columns = read(snapshot, points=False)
        halves = half_wins(columns, snapshot, rules.scoring)
        place = {entrant: index for index, entrant in enumerate(columns.ids)}
        at = np.array([place[entrant.id] for entrant in present], dtype=np.int64)
        total = halves.sum(axis=0)
        at = at[np.argsort(-total[at], kind="stable")]
        self.at = at
        self.ids: list[int] = [columns.ids[one] for one in at.tolist()]
        self.position = {entrant: index for index, entrant in enumerate(self.ids)}
        self.score: Ints = total[at]
        self.byes: Ints = (columns.kind == BYE).sum(axis=0)[at]
        self.first: Ints = (columns.side == 0).sum(axis=0)[at]
        self.columns = columns
        self.down, self.up, floated = _floats(columns, halves)
        where = np.full(len(columns.ids) + 1, NOBODY, dtype=np.int64)
        where[at] = np.arange(len(at))
        self.field = Field(self.score, where[columns.opponent[:, at]], self._kept_apart(), floated[at])

    def _kept_apart(self) -> Ints:
        """Rows that name everybody's barred opponents, each row a set of separate pairs."""
        barred = {tuple(sorted(pair)) for pair in self.orders.never_opponents if pair <= self.position.keys()}
        barred.update(tuple(sorted(pair)) for pair in clashes(self.orders, self.ids))
        used: dict[int, set[int]] = defaultdict(set)
        rows: list[Ints] = []
        for one, other in sorted(barred):
            row = next(row for row in range(len(rows) + 1) if row not in used[one] and row not in used[other])
            if row == len(rows):
                rows.append(np.full(len(self.ids), NOBODY, dtype=np.int64))
            rows[row][self.position[one]] = self.position[other]
            rows[row][self.position[other]] = self.position[one]
            used[one].add(row)
            used[other].add(row)
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(self.ids))

    def draw(self) -> Draw:
        by_hand = check(self.orders, frozenset(self.ids), side=1)
        nodes = np.array([k for k, entrant in enumerate(self.ids) if entrant not in by_hand], dtype=np.int64)
        if not by_hand and len(nodes) < 2:
            raise CannotPair("too_few", who=tuple(self.ids))
        folding = Folding(self.field, nodes)
        pairs, bye = self._paired(folding)
        self._verify(nodes, pairs, bye)
        pairs.sort()
        byes = [*self.orders.byes, *([] if bye is None else [self.ids[bye]])]
        order = list(zip(pairs, _Reasons(self, folding, pairs).by_pair(), map(self._seated, pairs), strict=True))
        if self.orders.tables:
            order += map(self._by_hand, self.orders.tables)
            order.sort()
        tables = [sides for _pair, _why, sides in order]
        return Draw(
            self.snapshot.number,
            tuple(
                DrawnTable(number, sides, why)
                for number, (_pair, why, sides) in zip(numbers(tables, self.orders), order, strict=True)
            ),
            tuple(byes),
            notes=tuple(self._notes(bye)),
        )

    def _paired(self, folding: Folding) -> tuple[Pairs, int | None]:
        odd = len(folding.nodes) % 2
        preference = np.zeros(len(self.ids), dtype=np.int64)
        preference[np.lexsort((-np.arange(len(self.ids)), self.score, self.byes))] = np.arange(len(self.ids))
        for repeats in (False, True)[: 1 + self.rules.repeats]:
            try:
                if odd:
                    return folding.pairs_and_bye(preference, repeats=repeats)
                return folding.pairs(repeats=repeats), None
            except Stuck:
                continue
        raise self._cannot(folding)

    def _cannot(self, folding: Folding) -> CannotPair:
        number = self.snapshot.number
        free = Folding(replace(self.field, apart=self.field.apart[:0]), folding.nodes)
        try:
            free.pairs_and_bye(np.arange(len(self.ids))) if len(free.nodes) % 2 else free.pairs()
        except Stuck:
            alone = tuple(self.ids[one] for one in free.alone())
            return (
                CannotPair("no_draw_all_met", round=number, who=alone) if alone else CannotPair("no_draw", round=number)
            )
        return CannotPair("no_draw_apart", round=number)

    def _verify(self, nodes: Ints, pairs: Pairs, bye: int | None) -> None:
        one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        drawn = np.concatenate((one, other, np.array([] if bye is None else [bye], dtype=np.int64)))
        if not np.array_equal(np.sort(drawn), nodes):
            raise DrawFault("somebody is left out, or drawn who has a table")
        if (self.field.apart[:, one] == other).any():
            raise DrawFault("two are drawn who are kept apart")
        if not self.rules.repeats and (self.field.met[:, one] == other).any():
            raise DrawFault("two are drawn who have met")

    def _seated(self, pair: tuple[int, int]) -> Sides:
        high, low = pair
        if self.rules.fair_seats and self.first[high] > self.first[low]:
            high, low = low, high
        return (self.ids[high],), (self.ids[low],)

    def _by_hand(self, sides: Sides) -> tuple[tuple[int, int], tuple[Reason, ...], Sides]:
        one, other = (self.position[entrant] for (entrant,) in sides)
        met = np.flatnonzero(self.field.met[:, one] == other).tolist()
        again = (because("met_before", round=self.columns.numbers[row]) for row in met)
        return (min(one, other), max(one, other)), (because("by_hand"), *again), sides

    def _notes(self, bye: int | None) -> Iterable[Reason]:
        for entrant in self.orders.byes:
            had = int(self.byes[self.position[entrant]])
            who = (entrant,)
            yield because("bye_by_hand_again", who=who, times=had + 1) if had else because("bye_by_hand", who=who)
        if bye is not None:
            had, wins = int(self.byes[bye]), int(self.score[bye]) / 2
            yield because("bye_again" if had else "bye_lowest", who=(self.ids[bye],), wins=wins, times=had + 1)


def _floats(columns: Columns, halves: Ints) -> tuple[Ints, Ints, Ints]:
    """By entrant: how often floated down, how often up, and the way of the last round."""
    before = np.cumsum(halves, axis=0) - halves
    rows = np.arange(len(columns.numbers))[:, None]
    gap = np.where(columns.opponent != NOBODY, before - before[rows, columns.opponent], 0)
    down = (gap > 0) | (columns.kind == BYE)
    up = gap < 0
    count = len(columns.ids)
    last = (up.astype(np.int64) - down)[-1] if len(rows) else np.zeros(count, dtype=np.int64)
    return down.sum(axis=0), up.sum(axis=0), last


class _Reasons:
    """Why each pair of positions was drawn."""

    def __init__(self, draft: _Draft, folding: Folding, pairs: Pairs) -> None:
        self.draft = draft
        self.pairs = pairs
        self.natural = folding.natural()
        self.level = {score: (because("level", wins=score / 2),) for score in set(draft.score.tolist())}

    def by_pair(self) -> list[tuple[Reason, ...]]:
        draft = self.draft
        score: list[int] = draft.score.tolist()
        reasons = [
            self.level[score[high]] if score[high] == score[low] else self._floated(high, low)
            for high, low in self.pairs
        ]
        one, other = np.array(self.pairs, dtype=np.int64).reshape(-1, 2).T
        for these, those in ((one, other), (other, one)):
            natural = self.natural[these]
            met = draft.field.met[:, these] == natural
            apart = draft.field.apart[:, these] == natural
            moved = (natural != those) & (natural != NOBODY) & (met.any(axis=0) | apart.any(axis=0))
            for k in np.flatnonzero(moved).tolist():
                here, instead = draft.ids[int(these[k])], draft.ids[int(natural[k])]
                rounds = np.flatnonzero(met[:, k]).tolist()
                reasons[k] += (
                    because("repeat_avoided", round=draft.columns.numbers[rounds[-1]], who=(here, instead))
                    if rounds
                    else because("apart_as_asked", who=(here, instead)),
                )
        if draft.rules.repeats:
            self._repeats(reasons)
        return reasons

    def _floated(self, high: int, low: int) -> tuple[Reason, ...]:
        draft = self.draft
        above, below = int(draft.score[high]) / 2, int(draft.score[low]) / 2
        down, up = int(draft.down[draft.at[high]]) + 1, int(draft.up[draft.at[low]]) + 1
        last = draft.field.floated
        return (
            because(
                "floated_down_again" if last[high] == -1 else "floated_down",
                who=(draft.ids[high],),
                wins=above,
                times=down,
            ),
            because(
                "floated_up_again" if last[low] == 1 else "floated_up", who=(draft.ids[low],), wins=below, times=up
            ),
        )

    def _repeats(self, reasons: list[tuple[Reason, ...]]) -> None:
        for k, (high, low) in enumerate(self.pairs):
            rows = np.flatnonzero(self.draft.field.met[:, high] == low).tolist()
            if rows:
                number = self.draft.columns.numbers[rows[-1]]
                reasons[k] += (because("oldest_repeat", round=number),)
