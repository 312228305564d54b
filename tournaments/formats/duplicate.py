"""Duplicate: the same deals at many tables, so that the cards are the same for all.

Everybody keeps a place of a movement for the whole event; see duplicate_movements. A result tells
the points of each deal, side 0 (north-south) less side 1; a deal is scored against the other tables.

| rule | test (test_duplicate) |
|---|---|
| places by seed or by lot; Mitchell: every other one sits north-south | test_places |
| the draw of a round is the movement's, whatever has happened | test_draws_are_the_movement |
| an odd number, or somebody gone: his opponents sit out | test_sitting_out |
| late: the empty place, else that of somebody who left, from the next round | test_late_entry |
| cannot move: north-south in a Mitchell, the one that stays in a Howell, else any table | test_fixed_tables |
| never opponents: one line of a Mitchell; refused where the movement brings them together | test_never_opponents |
| tables and byes by hand, partners for good: a movement has no place for them | test_wishes_refused |
| matchpoints: 1 for each result beaten, 1/2 for each equal | test_matchpoints |
| fewer results than expected: m' = E(m + 1/2)/A - 1/2 (Neuberg) | test_neuberg |
| both sides of a deal share A(A-1) matchpoints | test_both_sides_share |
| difference: to the other results on average; two tables: -8 to 8 | test_difference |
| board-a-match: 1, 1/2 or 0 against another result, on average | test_board_a_match |
| not played: 60 % innocent, 40 % at fault, 50 % neither; difference: 1, -1, 0 points | test_not_played |
| a table that did not come plays none of its deals | test_forfeit |
| sat out or missed: the own average; ranks are by the average of a deal | test_sitting_out |
| a correction scores only its deal anew | test_correction |
| seeds, wishes or a schedule changed after the first round: refused, places stay | test_places_stay |
| a deal gives -4 -2 -1 1 2 4, or what the house's table says | test_typed |
| a Mitchell has two fields and two winners | test_two_lines |
| level: a shared rank; withdrawn last, without a rank | test_ranks |
| individuals: each has what his side has | test_individuals |
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

from tournaments.formats.duplicate_movements import (
    Movement,
    Play,
    barometer,
    deals_of,
    everybody_meets,
    howell,
    meetings,
    mitchell,
)
from tournaments.formats.event import (
    BadScore,
    CannotPair,
    Draw,
    DrawnTable,
    Entrant,
    EventError,
    NotPlayed,
    Result,
    Sides,
    Snapshot,
    Table,
    pair_of,
)
from tournaments.formats.orders import numbers
from tournaments.formats.scores import HandPoints
from tournaments.formats.words import Reason, because

Score = int | NotPlayed
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Rules:
    """``deals`` to a set. ``schedule`` is who meets in a barometer, by place from 0: of individuals
    two to a side, such as a whist table; without one, every two pairs meet. ``share``: an even
    Mitchell loses no round, two tables share their deals. ``by_lot`` draws the places."""

    movement: Literal["barometer", "mitchell", "howell"] = "barometer"
    schedule: tuple[tuple[Sides, ...], ...] = ()
    deals: int = 2
    share: bool = False
    by_lot: bool = False
    scoring: Literal["matchpoints", "difference", "board_a_match"] = "matchpoints"
    hand: HandPoints = field(default_factory=HandPoints)

    def __post_init__(self) -> None:
        if self.deals < 1:
            raise EventError("no_deals")


DEFAULT = Rules()


@dataclass(frozen=True, slots=True)
class Term:
    """What one deal gave an entrant, and the score of his side on it."""

    deal: int
    points: Fraction
    score: Score


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings. ``total`` is the sum of the terms and of ``credit``, which is the own
    average ``mean`` for each deal sat out. ``percent`` is the share of what could be had, None
    where that has no top. ``line`` is 0 or 1 where north-south and east-west are two fields;
    ``rank`` is None for who withdrew."""

    rank: int | None
    entrant: int
    line: int | None
    terms: tuple[Term, ...]
    credit: Fraction
    mean: Fraction | None
    percent: Fraction | None

    @property
    def total(self) -> Fraction:
        return sum((term.points for term in self.terms), self.credit)


def pair(snapshot: Snapshot, rules: Rules = DEFAULT, seed: int = 0) -> Draw:
    """The next round of the movement. ``seed`` is the draw number, the same all through an event.
    Raises CannotPair."""
    event = _Event(snapshot, rules, seed)
    event.check()
    return event.draw()


def movement(snapshot: Snapshot, rules: Rules = DEFAULT) -> Movement:
    """The movement for those who were there at the start. Raises CannotPair."""
    count = len(_field(snapshot))
    if rules.movement == "mitchell":
        return mitchell((count + 1) // 2, rules.share)
    if rules.movement == "howell":
        return howell(count)
    if not rules.schedule:
        return everybody_meets(count)
    plan = barometer(rules.schedule)
    if plan.places < count:
        raise CannotPair("schedule_small", places=plan.places, count=count)
    return plan


def places(snapshot: Snapshot, rules: Rules = DEFAULT, seed: int = 0) -> Mapping[int, int]:
    """The place of every entrant who has had one. Raises CannotPair."""
    return _Event(snapshot, rules, seed).place


def result(deals: Mapping[int, Score], set_number: int, rules: Rules = DEFAULT) -> Result:
    """The result of a table from its deals, as typed. Raises BadScore."""
    expected = deals_of(set_number, rules.deals)
    if missing := sorted(set(expected) - set(deals)):
        raise BadScore("deals_missing", deals=_listed(missing), count=len(missing))
    if strange := sorted(set(deals) - set(expected)):
        raise BadScore(
            "deals_strange", set=set_number, deals=_listed(strange), count=len(strange), expected=_listed(expected)
        )
    possible = sorted({one - other for one, other in rules.hand.outcomes()})
    sums = [0, 0]
    for deal, score in sorted(deals.items()):
        if isinstance(score, NotPlayed):
            continue
        if score not in possible:
            raise BadScore("deal_score", deal=deal, score=score, possible=_listed(possible))
        sums[score < 0] += abs(score)
    winner = None if sums[0] == sums[1] else int(sums[1] > sums[0])
    return Result((sums[0], sums[1]), winner=winner, deals=dict(deals))


def score_deal(
    scores: Sequence[Score], expected: int, scoring: str = DEFAULT.scoring
) -> list[tuple[Fraction, Fraction]]:
    """What one deal gives both sides of each table that had it. ``expected`` is how many results a
    deal should have, at least as many as ``scores``."""
    made = Counter(score for score in scores if not isinstance(score, NotPlayed))
    gains = {score: _against(score, made, expected, scoring) for score in made}
    return [
        (_unplayed(score, 0, expected, scoring), _unplayed(score, 1, expected, scoring))
        if isinstance(score, NotPlayed)
        else gains[score]
        for score in scores
    ]


def _against(score: int, made: Counter[int], expected: int, scoring: str) -> tuple[Fraction, Fraction]:
    count = made.total()
    if scoring == "difference":
        gain = Fraction(score * count - sum(made.elements()), max(1, count - 1))
        return gain, -gain
    beaten = sum(tables for other, tables in made.items() if other < score) + HALF * (made[score] - 1)
    if scoring == "board_a_match":
        share = beaten / (count - 1) if count > 1 else HALF
        return share, 1 - share
    points = expected * (beaten + HALF) / count - HALF
    return points, expected - 1 - points


def _unplayed(deal: NotPlayed, side: int, expected: int, scoring: str) -> Fraction:
    judged = -1 if side in deal.at_fault else 1 if deal.at_fault else 0
    if scoring == "difference":
        return Fraction(judged)
    share = HALF + Fraction(judged, 10)
    return share if scoring == "board_a_match" else share * (expected - 1)


def standings(snapshot: Snapshot, rules: Rules = DEFAULT) -> list[Row]:
    """Everybody, best first, line by line where there are two. Raises EventError."""
    terms, top = _terms(snapshot, rules)
    lines = _lines(snapshot) if rules.movement == "mitchell" else {}
    sat_out: Counter[int] = Counter()
    for played in snapshot.rounds:
        sat_out.update(played.rests)
    keyed: list[tuple[_Key, int, Row]] = []
    for entrant in snapshot.entrants:
        own = sorted(terms[entrant.id], key=lambda term: term.deal)
        mean = sum((term.points for term in own), Fraction()) / len(own) if own else None
        percent = None if top is None or mean is None else 100 * mean / top if top else Fraction(50)
        credit = (mean or Fraction()) * sat_out[entrant.id] * rules.deals
        row = Row(None, entrant.id, lines.get(entrant.id), tuple(own), credit, mean, percent)
        gone = entrant.state in ("withdrawn", "disqualified")
        keyed.append(((gone, row.line or 0, mean is None, -(mean or Fraction())), entrant.seed, row))
    keyed.sort(key=lambda one: (one[0], one[1], one[2].entrant))
    first: dict[_Key, int] = {}
    placed: Counter[int] = Counter()
    rows = []
    for key, _seed, row in keyed:
        gone, line = key[:2]
        placed[line] += 1
        rank = first.setdefault(key, placed[line])
        rows.append(row if gone else replace(row, rank=rank))
    return rows


_Key = tuple[bool, int, bool, Fraction]


def _lines(snapshot: Snapshot) -> dict[int, int]:
    return {one: line for _round, table in snapshot.tables() for line, side in enumerate(table.sides) for one in side}


def _terms(snapshot: Snapshot, rules: Rules) -> tuple[dict[int, list[Term]], Fraction | None]:
    """What each deal gave everybody, and the most that a deal can give."""
    had: dict[int, list[tuple[Table, Score]]] = defaultdict(list)
    for _round, table in snapshot.tables():
        for deal, score in _scores(table, rules).items():
            had[deal].append((table, score))
    expected = max(map(len, had.values()), default=1)
    terms: dict[int, list[Term]] = defaultdict(list)
    for deal, tables in had.items():
        gained = score_deal([score for _table, score in tables], expected, rules.scoring)
        for (table, score), both in zip(tables, gained, strict=True):
            for side, points in zip(table.sides, both, strict=True):
                for entrant in side:
                    terms[entrant].append(Term(deal, points, score))
    top = {"matchpoints": Fraction(expected - 1), "board_a_match": Fraction(1)}.get(rules.scoring)
    return terms, top


def _scores(table: Table, rules: Rules) -> Mapping[int, Score]:
    outcome = table.result.outcome
    if outcome == "void":
        return {}
    if outcome == "played":
        return table.result.deals
    at_fault = frozenset((0, 1) if table.result.absent is None else (table.result.absent,))
    return dict.fromkeys(deals_of(_set_of(table.label), rules.deals), NotPlayed(at_fault))


def _label(set_number: int) -> str:
    return f"S{set_number}"


def _set_of(label: str) -> int:
    number = label.removeprefix("S")
    if label == number or not number.isdecimal():
        raise EventError("no_set", label=label)
    return int(number)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _field(snapshot: Snapshot) -> list[Entrant]:
    """Who was there at the start, by seed."""
    here = [one for one in snapshot.entrants if one.joined <= 1 and (one.left is None or one.left > 1)]
    return sorted(here, key=lambda one: (one.seed, one.id))


class _Event:
    """Who has which place."""

    def __init__(self, snapshot: Snapshot, rules: Rules, seed: int) -> None:
        self.snapshot, self.rules = snapshot, rules
        self.plan = movement(snapshot, rules)
        self.length = min(snapshot.planned or len(self.plan.rounds), len(self.plan.rounds))
        self.fixed = snapshot.constraints.fixed_table
        order = [one.id for one in _field(snapshot)]
        if rules.by_lot:
            random.Random(seed).shuffle(order)
        self.place: dict[int, int] = {}
        if rules.movement == "mitchell":
            self._two_lines(order)
        else:
            self._one_line(order)
        self._late()

    def _one_line(self, order: Sequence[int]) -> None:
        free = list(range(self.plan.places))
        for entrant in order if self.rules.movement == "howell" else ():
            if entrant in self.fixed:
                if free[-1] != self.plan.places - 1:
                    raise CannotPair("howell_one", who=tuple(sorted(self.fixed)))
                self.place[entrant] = free.pop()
        self.place.update(zip([one for one in order if one not in self.place], free, strict=False))

    def _two_lines(self, order: Sequence[int]) -> None:
        """North-south by table, then east-west: first who stays where he is, then those together who
        shall not meet, then the others so that the lines are as strong as each other."""
        tables = self.plan.places // 2
        lines: tuple[dict[int, int], dict[int, int]] = {}, {}
        for entrant in order:
            if (table := self.fixed.get(entrant)) is not None:
                if not 1 <= table <= tables or table - 1 in lines[0].values():
                    raise CannotPair("cannot_stay", who=(entrant,), table=table, tables=tables)
                lines[0][entrant] = table - 1
        space = [tables - len(lines[0]), len(order) - tables]
        for group in sorted(self._groups(order), key=len, reverse=True):
            new = [one for one in group if one not in lines[0]]
            line = 0 if len(new) < len(group) or space[0] >= space[1] + len(order) % 2 else 1
            if len(new) > space[line]:
                raise CannotPair("line_full", who=tuple(group))
            space[line] -= len(new)
            lines[line].update(self._seats(new, lines[line], tables))
        self.place.update(lines[0])
        self.place.update({one: tables + seat for one, seat in lines[1].items()})

    @staticmethod
    def _seats(new: Iterable[int], taken: Mapping[int, int], tables: int) -> dict[int, int]:
        free = [seat for seat in range(tables) if seat not in taken.values()]
        return dict(zip(new, free, strict=False))

    def _groups(self, order: Sequence[int]) -> list[list[int]]:
        """Those who must be in one line, by the wishes; everybody is in one group."""
        group = {one: [one] for one in order}
        for one, other in sorted(tuple(sorted(two)) for two in self.snapshot.constraints.never_opponents):
            if one in group and other in group and group[one] is not group[other]:
                group[one] += group[other]
                for each in group[other]:
                    group[each] = group[one]
        return [group[one] for one in order if group[one][0] == one]

    def _late(self) -> None:
        """Who came later has the first empty place, or the one that was left longest ago."""
        gone = sorted((one.left or 0, one.id) for one in self.snapshot.entrants if one.left and one.id in self.place)
        empty = [(1, place) for place in range(self.plan.places) if place not in self.place.values()]
        empty += [(left, self.place[entrant]) for left, entrant in gone]
        late = [one for one in self.snapshot.entrants if one.joined > 1]
        for entrant in sorted(late, key=lambda one: (one.joined, one.seed, one.id)):
            free = next((one for one in empty if one[0] <= entrant.joined), None)
            if free is None:
                raise CannotPair("movement_full", who=(entrant.id,))
            empty.remove(free)
            self.place[entrant.id] = free[1]
            if entrant.left:
                empty.append((entrant.left, free[1]))

    def check(self) -> None:
        """Raises CannotPair where the movement has ended or breaks a wish."""
        wishes = self.snapshot.constraints
        if self.snapshot.number > self.length:
            raise CannotPair("movement_over", rounds=self.length)
        if wishes.tables or wishes.byes:
            raise CannotPair("movement_by_hand")
        if wishes.always_together:
            raise CannotPair("movement_partners")
        self._check_past()
        still_in = {one.id for one in self.snapshot.entrants if one.state in ("active", "paused")}
        holder = {place: entrant for entrant, place in self.place.items() if entrant in still_in}
        for number, sides in meetings(self.plan, self.length):
            people = [[holder[place] for place in side if place in holder] for side in sides]
            broken = [
                two for two in ((a, b) for a in people[0] for b in people[1]) if pair_of(*two) in wishes.never_opponents
            ]
            broken += [
                two for side in people for two in combinations(side, 2) if pair_of(*two) in wishes.never_together
            ]
            if broken:
                raise CannotPair("movement_meets", who=broken[0], round=number)

    def _check_past(self) -> None:
        for played, tables in zip(self.snapshot.rounds, self.plan.rounds, strict=False):
            meant = {play.sides for play in tables}
            for table in played.tables:
                one, other = (tuple(self.place.get(each, -1) for each in side) for side in table.sides)
                if (one, other) not in meant:
                    raise CannotPair("movement_changed", round=played.number, who=table.sides[0], others=table.sides[1])

    def draw(self) -> Draw:
        number = self.snapshot.number
        here = {one.id for one in self.snapshot.present()}
        holder = {place: entrant for entrant, place in self.place.items() if entrant in here}
        tables = self.plan.rounds[number - 1]
        full, rests = [], []
        for play in tables:
            people = [one for side in play.sides for one in side]
            if all(place in holder for place in people):
                full.append(play)
            else:
                rests += [holder[place] for place in people if place in holder]
        seated = {place for play in tables for side in play.sides for place in side}
        rests += [entrant for place, entrant in holder.items() if place not in seated]
        notes = [because("sitting_out", who=tuple(sorted(rests)))] if rests else []
        if self.plan.lines == 2 and (resting := set(range(1, self.plan.sets + 1)) - {play.set for play in tables}):
            notes.append(because("set_rests", set=min(resting)))
        return Draw(number, self._tables(full, holder), rests=tuple(sorted(rests)), notes=tuple(notes))

    def _tables(self, full: Sequence[Play], holder: Mapping[int, int]) -> tuple[DrawnTable, ...]:
        sides = [self._sides(play, holder) for play in full]
        named = [play.table for play in full]
        if self.rules.movement == "barometer":
            named = numbers(sides, self.snapshot.constraints)
        elif self.rules.movement == "howell" and self.fixed:
            stays = next(
                (
                    self.fixed[one]
                    for one, place in self.place.items()
                    if place == self.plan.places - 1 and one in self.fixed
                ),
                1,
            )
            named = [{1: stays, stays: 1}.get(table, table) for table in named]
        drawn = [
            DrawnTable(table, two, self._reasons(play, full), _label(play.set))
            for table, two, play in zip(named, sides, full, strict=True)
        ]
        return tuple(sorted(drawn, key=lambda table: table.number))

    def _sides(self, play: Play, holder: Mapping[int, int]) -> Sides:
        one, other = (tuple(holder[place] for place in side) for side in play.sides)
        return one, other

    def _reasons(self, play: Play, full: Sequence[Play]) -> tuple[Reason, ...]:
        deals = deals_of(play.set, self.rules.deals)
        first, last = deals[0], deals[-1]
        reasons = [because("deal", deal=first) if first == last else because("deals", first=first, last=last)]
        if self.rules.movement == "mitchell":
            reasons += [
                because("shares_deals", table=one.table) for one in full if one.set == play.set and one is not play
            ]
        return tuple(reasons)
