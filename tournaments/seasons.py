"""A season's table: what somebody's evenings add up to, the worst of them left out.

| rule | test (test_seasons) |
|---|---|
| points by place; who comes after the last that is named has the last | test_points_by_place |
| level places share the points of the places they take | test_level_places_share |
| or the score of each evening itself, if it is the points played | test_scores, test_wins_are_not_added_to_points |
| the worst so many results are left out, evenings not played first | test_the_worst_are_dropped |
| who withdrew has no points, but has played | test_withdrawn |
| level totals: more wins of an evening, then more games won; else a shared place | test_level_totals |
| prizes: most loners, most euchres, highest and lowest score of an evening | test_prizes |
| scores are compared between evenings whose score is the points played | test_scores_of_other_kinds_are_not_compared |
| the terms add up to the total | test_terms_add_up |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Evening:
    """What an event gave somebody. ``place`` is None for who withdrew, ``level`` how many share it.
    ``by_points``: the score is the points of the games, not wins or anything else."""

    event: int
    place: int | None
    score: Fraction
    level: int = 1
    wins: Fraction = Fraction(0)
    counters: Mapping[str, int] = field(default_factory=dict)
    by_points: bool = True


@dataclass(frozen=True, slots=True)
class Rules:
    """``points`` for first, second ... place; empty: each evening's score itself counts, of those whose
    score is the points played. ``drop`` is how many of the season's evenings are left out for everybody."""

    points: tuple[int, ...] = ()
    drop: int = 0

    def counts(self, evening: Evening) -> bool:
        """Whether it counts in the table: wins are not added to points."""
        return bool(self.points) or evening.by_points


@dataclass(frozen=True, slots=True)
class Term:
    """An evening's part of a total; ``counts`` is false for one that was left out."""

    event: int
    place: int | None
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. The terms that count add up to ``total``."""

    place: int
    who: str
    total: Fraction
    terms: tuple[Term, ...]
    firsts: int
    wins: Fraction


@dataclass(frozen=True, slots=True)
class Prize:
    """The best of something, and all who reached it. ``kind``: loners, euchres, high or low."""

    kind: str
    best: Fraction
    who: tuple[str, ...]


def points(rules: Rules, evening: Evening) -> Fraction:
    """What an evening is worth in a season."""
    if evening.place is None:
        return Fraction(0)
    if not rules.points:
        return evening.score
    shared = [_of_place(rules.points, evening.place + after) for after in range(evening.level)]
    return Fraction(sum(shared), len(shared))


def _of_place(scale: Sequence[int], place: int) -> int:
    return scale[min(place, len(scale)) - 1]


def table(evenings: Mapping[str, Sequence[Evening]], events: int, rules: Rules) -> tuple[Row, ...]:
    """Everybody who has played an evening that counts, best first. ``events`` is how many of those the
    season has had; those that somebody missed are the first to be left out."""
    counted = {who: [each for each in played if rules.counts(each)] for who, played in evenings.items()}
    rows = [_row(who, played, events, rules) for who, played in counted.items() if played]
    rows.sort(key=lambda row: (*_rank(row), row.who))
    placed: list[Row] = []
    for _level, together in groupby(rows, key=_rank):
        first = len(placed) + 1
        placed += [Row(first, row.who, row.total, row.terms, row.firsts, row.wins) for row in together]
    return tuple(placed)


def _rank(row: Row) -> tuple[Fraction, int, Fraction]:
    return -row.total, -row.firsts, -row.wins


def _row(who: str, played: Sequence[Evening], events: int, rules: Rules) -> Row:
    worth = [points(rules, evening) for evening in played]
    missed = max(0, events - len(played))
    dropped = max(0, min(rules.drop - missed, len(played) - 1))
    worst = set(sorted(range(len(played)), key=lambda at: (worth[at], at))[:dropped])
    terms = tuple(Term(evening.event, evening.place, worth[at], at not in worst) for at, evening in enumerate(played))
    total = sum((term.points for term in terms if term.counts), Fraction(0))
    firsts = sum(evening.place == 1 for evening in played)
    return Row(0, who, total, terms, firsts, sum((evening.wins for evening in played), Fraction(0)))


def prizes(evenings: Mapping[str, Iterable[Evening]]) -> tuple[Prize, ...]:
    """Most loners and most euchres of the season, the highest and lowest score of an evening. What
    nobody has done is no prize; of those who withdrew only what was counted at their tables. Scores
    that are not points played have no prize."""
    counted: dict[str, dict[str, Fraction]] = {"loners": defaultdict(Fraction), "euchres": defaultdict(Fraction)}
    scores: dict[str, list[Fraction]] = defaultdict(list)
    for who, played in evenings.items():
        for evening in played:
            for kind, sums in counted.items():
                sums[who] += evening.counters.get(kind, 0)
            if evening.place is not None and evening.by_points:
                scores[who].append(evening.score)
    ranked = [(kind, sums, max(sums.values(), default=Fraction(0))) for kind, sums in counted.items()]
    found = [_prize(kind, best, sums) for kind, sums, best in ranked if best > 0]
    if scores:
        highest = {who: max(each) for who, each in scores.items()}
        lowest = {who: min(each) for who, each in scores.items()}
        found.append(_prize("high", max(highest.values()), highest))
        found.append(_prize("low", min(lowest.values()), lowest))
    return tuple(found)


def _prize(kind: str, best: Fraction, of: Mapping[str, Fraction]) -> Prize:
    return Prize(kind, best, tuple(sorted(who for who, value in of.items() if value == best)))
