"""Swiss for individuals: a new partner every round, among people of about the same score.

Sorted by score, each four in a row are a table; the first and the last of it play the middle two.
A table where two would be partners again is split otherwise, or somebody changes places with the
nearest table that allows it; where that is not enough an exact matching of partners is.

| rule | test (test_swiss_individuals) |
|---|---|
| fours by score, first and last against the middle, or as the event says | test_fours |
| nobody partners anybody twice while that can be avoided | test_no_partner_twice, test_events |
| few meet the same opponents again | test_opponents |
| 1 to 3 rest: the fewest rests so far, then not twice running, then the lowest score | test_rests |
| rests differ by at most 1 while nobody joins or leaves | test_no_partner_twice |
| others of as many rests rest if only so all have new partners | test_others_rest_so_that_all_have_new_partners |
| partners kept together | test_partners_kept_together, test_a_rest_that_parts_partners |
| partners and opponents kept apart | test_partners_and_opponents_kept_apart |
| tables and rests by hand, fixed tables, absence | test_orders |
| when no partner is left: refused with advice, or the fewest repeats | test_no_partner_left |
| the reasons | test_split_otherwise, test_exchanged_places, test_drawn_anew |
| 10,000 people in 0.1 s | tests/bench/formats.py |
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from operator import itemgetter
from typing import Literal, TypeVar

import numpy as np

from tournaments.formats.columns import (
    NOBODY,
    REST,
    Ints,
    Scoring,
    counted,
    half_wins,
    points_with_credits,
    read,
)
from tournaments.formats.event import CannotPair, Draw, DrawFault, DrawnTable, Sides, Snapshot
from tournaments.formats.matching import cheapest, lexicographic
from tournaments.formats.orders import check, numbers
from tournaments.formats.words import Reason, because

Split = Literal["1+4 v 2+3", "1+3 v 2+4", "1+2 v 3+4"]
Four = list[int]
Found = TypeVar("Found")

SPLITS: dict[Split, tuple[int, int, int, int]] = {
    "1+4 v 2+3": (0, 3, 1, 2),
    "1+3 v 2+4": (0, 2, 1, 3),
    "1+2 v 3+4": (0, 1, 2, 3),
}
"""Who of four in order of score are partners, and whom they play."""

TWOS = list(combinations(range(4), 2))

HARD = 1_000
"""What is wrong with a table counts for this much; an opponent met before counts for ``AGAIN``."""
AGAIN = 10
GAP = 40
"""A point of score between two who change places."""
WORTH_REPAIR = 3 * AGAIN
NEAR = 8
"""Tables on each side that are asked for somebody to change places with."""
WINDOWS = (2, 4, 8, 16, 32, 64)
"""Tables on each side that are drawn anew when that did not help."""
FEW = 64
"""People among whom others may rest if that alone gives everybody a new partner."""
RESTS = 12
"""How many choices of who rests are tried then."""
TRIES = 8
"""Sets of partners that are tried for one in which opponents are kept apart as well."""


@dataclass(frozen=True, slots=True)
class IndividualRules:
    """What people are sorted by, who of a table are partners, and whether partners may be drawn
    together again once there is no other way."""

    score: Literal["points", "wins"] = "points"
    split: Split = "1+4 v 2+3"
    repeats: bool = False
    scoring: Scoring = field(default_factory=lambda: Scoring(rest_average=True))


DEFAULT = IndividualRules()


def pair(snapshot: Snapshot, rules: IndividualRules = DEFAULT, seed: int = 0) -> Draw:
    """The draw of the next round. ``seed`` matters only where several sets of partners are tried.

    CannotPair where no draw keeps to the rules and orders.
    """
    if 0 < snapshot.planned < snapshot.number:
        raise CannotPair("all_played", rounds=snapshot.planned)
    return _Draft(snapshot, rules, seed).draw()


class _Asked(dict[int, Found]):
    """What is worked out about somebody when first asked for."""

    def __init__(self, work_out: Callable[[int], Found]) -> None:
        self.work_out = work_out

    def __missing__(self, one: int) -> Found:
        found = self[one] = self.work_out(one)
        return found


class _Draft:
    """One draw in the making; people are known by their position, the highest score first."""

    def __init__(self, snapshot: Snapshot, rules: IndividualRules, seed: int) -> None:
        self.snapshot = snapshot
        self.orders = snapshot.constraints
        self.rules = rules
        self.repeats = False
        self.seed = seed
        first = SPLITS[rules.split]
        self.splits = [first, *(split for split in SPLITS.values() if split != first)]
        self.ways = [
            (split, TWOS.index(split[:2]), TWOS.index(split[2:]), order) for order, split in enumerate(self.splits)
        ]
        columns = read(snapshot, points=rules.score == "points")
        place = {entrant: index for index, entrant in enumerate(columns.ids)}
        total: Ints
        if rules.score == "points":
            total = points_with_credits(columns, rules.scoring).sum(axis=0)
            if rules.scoring.loner_bonus:
                total += rules.scoring.loner_bonus * counted(snapshot, place, ["loners"])[0]
        else:
            total = half_wins(columns, snapshot, rules.scoring).sum(axis=0)
        at = np.array([place[entrant.id] for entrant in snapshot.present()], dtype=np.int64)
        at = at[np.argsort(-total[at], kind="stable")]
        self.ids: list[int] = [columns.ids[one] for one in at.tolist()]
        self.position = {entrant: index for index, entrant in enumerate(self.ids)}
        self.score: list[int] = total[at].tolist()
        self.numbers = columns.numbers
        where = np.full(len(columns.ids) + 1, NOBODY, dtype=np.int64)
        where[at] = np.arange(len(at))
        self.partner = where[columns.partner[:, at]]
        self.against = where[np.concatenate((columns.opponent[:, at], columns.second[:, at]))]
        rested = (columns.kind == REST)[:, at]
        self.rests: list[int] = rested.sum(axis=0).tolist()
        self.rested_last: list[bool] = rested[-1].tolist() if len(rested) else [False] * len(at)
        self._read_wishes()
        partner, against = self.partner.T.copy(), self.against.T.copy()
        self.partners = _Asked(lambda one: set(partner[one].tolist()))
        self.foes = _Asked(lambda one: Counter(against[one].tolist()))
        self._levels: dict[tuple[int, ...], tuple[Reason]] = {}
        self.why: list[list[Reason]] = []

    def _read_wishes(self) -> None:
        orders, position = self.orders, self.position
        self.couples: dict[int, int] = {}
        for one, other in map(sorted, self._here(orders.always_together)):
            if position[one] in self.couples or position[other] in self.couples:
                raise CannotPair("together_with_two", who=(one if position[one] in self.couples else other,))
            if frozenset((one, other)) in orders.never_together:
                raise CannotPair("always_and_never", who=(one, other))
            self.couples[position[one]] = position[other]
            self.couples[position[other]] = position[one]
        self.together = self.couples
        self.no_partners = {self._two(pair) for pair in self._here(orders.never_together)}
        self.no_opponents = {self._two(pair) for pair in self._here(orders.never_opponents)}
        self.fixed = {position[one]: table for one, table in orders.fixed_table.items() if one in position}
        wishes = (self.couples, self.fixed, *self.no_partners, *self.no_opponents)
        self.wishing = {one for wish in wishes for one in wish}

    def _here(self, pairs: Iterable[frozenset[int]]) -> Iterable[frozenset[int]]:
        return (pair for pair in pairs if len(pair) == 2 and pair <= self.position.keys())

    def _two(self, pair: Iterable[int]) -> tuple[int, int]:
        one, other = sorted(self.position[entrant] for entrant in pair)
        return one, other

    def draw(self) -> Draw:
        by_hand = check(self.orders, frozenset(self.ids), side=2)
        free = [k for k, entrant in enumerate(self.ids) if entrant not in by_hand]
        if len(free) < 4 and not self.orders.tables:
            raise CannotPair("too_few_for_four", who=tuple(self.ids))
        resting, fours = self._resting_and_fours(free)
        self._verify(fours)
        tables = self._told(fours)
        if self.orders.tables:
            tables += (
                (min(self.position[one] for one in sides[0] + sides[1]), sides, (because("by_hand"),))
                for sides in self.orders.tables
            )
            tables.sort(key=itemgetter(0))
        return Draw(
            self.snapshot.number,
            tuple(
                DrawnTable(number, sides, why)
                for number, (_first, sides, why) in zip(
                    numbers([sides for _first, sides, _why in tables], self.orders), tables, strict=True
                )
            ),
            rests=(*self.orders.byes, *(self.ids[k] for k in resting)),
            notes=(
                *(because("rests_by_hand", who=(entrant,)) for entrant in self.orders.byes),
                *(self._why_resting(k) for k in resting),
            ),
        )

    def _resting_and_fours(self, free: list[int]) -> tuple[list[int], list[Four]]:
        trouble: CannotPair | None = None
        for repeats in (False, True)[: 1 + self.rules.repeats]:
            self.repeats = repeats
            for resting in self._rests(free):
                try:
                    return resting, self._fours([k for k in free if k not in resting])
                except CannotPair as refused:
                    trouble = trouble or refused
        assert trouble is not None
        raise trouble

    def _rests(self, free: list[int]) -> Iterator[list[int]]:
        """Who may rest, the best choice first, the others as fair in the number of rests. Partners
        who are kept together rest together if there is room."""
        count = len(free) % 4
        if not count:
            yield []
            return
        queue = sorted(free, key=lambda k: (self.rests[k], self.rested_last[k], self.score[k], -k))
        here = set(free)
        chosen: list[int] = []
        for k in queue:
            unit = [k, self.couples[k]] if self.couples.get(k) in here else [k]
            if k not in chosen and len(chosen) + len(unit) <= count:
                chosen += unit
        chosen += [k for k in queue if k not in chosen][: count - len(chosen)]
        yield chosen
        if len(free) > FEW:
            return
        most = self.rests[queue[count - 1]]
        sure = [k for k in queue[:count] if self.rests[k] < most]
        level = [k for k in queue if self.rests[k] == most][:RESTS]
        choices = combinations(range(len(level)), count - len(sure))
        for choice in sorted(choices, key=sum)[1:RESTS]:
            yield sure + [level[at] for at in choice]

    def _why_resting(self, k: int) -> Reason:
        had, who = self.rests[k], (self.ids[k],)
        return because("rests_lowest_again", who=who, times=had) if had else because("rests_lowest_first", who=who)

    def _wrong(self, a: int, c: int, b: int, d: int) -> int:
        """How much is wrong with a + c against b + d."""
        count = (c in self.partners[a] and self.together.get(a) != c) + (
            d in self.partners[b] and self.together.get(b) != d
        )
        four = (a, c, b, d)
        count += _two(a, c) in self.no_partners
        count += _two(b, d) in self.no_partners
        count += sum(_two(one, other) in self.no_opponents for one in (a, c) for other in (b, d))
        count += sum(
            one in self.together and self.together[one] != partner for one, partner in ((a, c), (c, a), (b, d), (d, b))
        )
        return count + (len({self.fixed[one] for one in four if one in self.fixed}) > 1)

    def _best(self, four: Sequence[int]) -> tuple[int, Four]:
        """The best split of four in order of score, and its cost."""
        first, second, third, fourth = four
        of_first, of_second = self.foes[first], self.foes[second]
        again = (
            of_first.get(second, 0), of_first.get(third, 0), of_first.get(fourth, 0),
            of_second.get(third, 0), of_second.get(fourth, 0), self.foes[third].get(fourth, 0),
        )  # fmt: skip
        total = AGAIN * sum(again)
        wishing = not self.wishing.isdisjoint(four)
        least, best = HARD * HARD, self.splits[0]
        for split, one, other, order in self.ways:
            i, j, k, m = split
            cost = total - AGAIN * (again[one] + again[other]) + order
            if cost < least:
                a, c, b, d = four[i], four[j], four[k], four[m]
                wrong = self._wrong(a, c, b, d) if wishing else (c in self.partners[a]) + (d in self.partners[b])
                cost += HARD * wrong
                if cost < least:
                    least, best = cost, split
        return least, [four[at] for at in best]

    def _fours(self, order: Four) -> list[Four]:
        """All tables, as a + c against b + d."""
        playing = set(order)
        self.together = {k: mate for k, mate in self.couples.items() if k in playing and mate in playing}
        if not order:
            return []
        tables, costs = self._first(order)
        self.why = [[] for _four in tables]
        for worst in (HARD, WORTH_REPAIR):
            for t in range(len(tables)):
                if costs[t] >= worst:
                    self._exchange(tables, costs, t)
        for t in range(len(tables)):
            if costs[t] >= HARD:
                self._draw_anew(tables, costs, t)
        return tables

    def _first(self, order: Four) -> tuple[list[Four], list[int]]:
        fours = np.array(order, dtype=np.int64).reshape(-1, 4)
        best_cost = np.full(len(fours), 4 * HARD, dtype=np.int64)
        best = fours[:, self.splits[0]]
        partners: dict[tuple[int, int], Ints] = {}
        foes: dict[tuple[int, int], Ints] = {}
        for i, j in TWOS:
            one, other = fours[:, i], fours[:, j]
            partners[i, j] = (self.partner[:, one] == other).any(axis=0) * HARD
            foes[i, j] = (self.against[:, one] == other).sum(axis=0) * AGAIN
        for index, split in enumerate(self.splits):
            i, j, k, m = split
            cost = partners[_two(i, j)] + partners[_two(k, m)] + index
            cost += foes[_two(i, k)] + foes[_two(i, m)] + foes[_two(j, k)] + foes[_two(j, m)]
            better = cost < best_cost
            best_cost[better] = cost[better]
            best[better] = fours[better][:, split]
        tables, costs = best.tolist(), best_cost.tolist()
        if self.wishing:
            for t, four in enumerate(tables):
                if not self.wishing.isdisjoint(four):
                    costs[t], tables[t] = self._best(sorted(four))
        return tables, costs

    def _exchange(self, tables: list[Four], costs: list[int], t: int) -> None:
        """Let somebody of a table change places with somebody of a table near it, if that helps."""
        best: tuple[int, int, int, int, tuple[int, Four], tuple[int, Four]] | None = None
        least = 0
        for distance in range(1, NEAR + 1):
            for u in (t + distance, t - distance):
                if not 0 <= u < len(tables):
                    continue
                cost = costs[t] + costs[u] - distance
                for one, other in product(tables[t], tables[u]):
                    gain = cost - GAP * abs(self.score[one] - self.score[other])
                    if gain <= least:
                        continue
                    here = self._best(sorted([other if k == one else k for k in tables[t]]))
                    if gain - here[0] <= least:
                        continue
                    there = self._best(sorted([one if k == other else k for k in tables[u]]))
                    gain -= here[0] + there[0]
                    if gain > least:
                        least = gain
                        best = gain, u, one, other, here, there
            if best is not None and max(best[4][0], best[5][0]) < (HARD if distance > 1 else WORTH_REPAIR):
                break
        if best is None:
            return
        _gain, u, one, other, here, there = best
        why = because("exchanged", who=(self.ids[one], self.ids[other]))
        self.why[t].append(why)
        self.why[u].append(why)
        costs[t], tables[t] = here
        costs[u], tables[u] = there

    def _draw_anew(self, tables: list[Four], costs: list[int], t: int) -> None:
        """Partners, then tables, matched exactly among more and more tables around ``t``."""
        for reach in WINDOWS[-1:] if self.repeats else WINDOWS:
            low, high = max(0, t - reach), min(len(tables), t + reach + 1)
            people = sorted(chain.from_iterable(tables[low:high]))
            found = self._matched(people, repeats=self.repeats)
            if found:
                tables[low:high] = sorted(found, key=min)
                costs[low:high] = [0] * len(found)
                self.why[low:high] = [[because("drawn_anew")] for _four in found]
                return
            if high - low == len(tables):
                break
        number = self.snapshot.number
        if self._matched(people, repeats=True):
            raise CannotPair("no_new_partners", round=number)
        raise CannotPair("no_draw_wishes", round=number)

    def _matched(self, people: Four, *, repeats: bool) -> list[Four]:
        """Tables for some people with nothing wrong, or none."""
        rng = random.Random(self.seed)
        for attempt in range(TRIES):
            partners = self._matched_partners(people, rng if attempt else None, repeats=repeats)
            if 2 * len(partners) < len(people):
                return []
            tables = self._matched_tables(partners)
            if 2 * len(tables) == len(partners):
                return tables
        return []

    def _matched_partners(self, people: Four, rng: random.Random | None, *, repeats: bool) -> list[tuple[int, int]]:
        edges = []
        for j, other in enumerate(people):
            for i, one in enumerate(people[:j]):
                again = other in self.partners[one]
                if self.together.get(one) == other:
                    again = False
                elif one in self.together or other in self.together or (again and not repeats):
                    continue
                if _two(one, other) in self.no_partners or self._table_clash((one,), (other,)):
                    continue
                edges.append((i, j, int(again), rng.randrange(len(people)) ** 2 if rng else (j - i) ** 2))
        if not edges:
            return []
        one_, other_, again_, apart = np.array(edges, dtype=np.int64).T
        found = cheapest(len(people), one_, other_, lexicographic([again_, apart], len(people)))
        return [(people[i], people[j]) for i, j in found]

    def _matched_tables(self, partners: list[tuple[int, int]]) -> list[Four]:
        edges = []
        for j, pair in enumerate(partners):
            for i, rivals in enumerate(partners[:j]):
                if self._table_clash(pair, rivals):
                    continue
                if any(_two(one, other) in self.no_opponents for one in pair for other in rivals):
                    continue
                again = sum(self.foes[one].get(other, 0) for one in pair for other in rivals)
                edges.append((i, j, AGAIN * again**2 + abs(sum(pair) - sum(rivals))))
        if not edges:
            return []
        one_, other_, cost = np.array(edges, dtype=np.int64).T
        return [[*partners[i], *partners[j]] for i, j in cheapest(len(partners), one_, other_, cost)]

    def _table_clash(self, some: Iterable[int], others: Iterable[int]) -> bool:
        return len({self.fixed[one] for one in (*some, *others) if one in self.fixed}) > 1

    def _verify(self, fours: list[Four]) -> None:
        if self.repeats:
            return
        a, c, b, d = np.array(fours, dtype=np.int64).reshape(-1, 4).T
        again = (self.partner[:, a] == c).any(axis=0) | (self.partner[:, b] == d).any(axis=0)
        doubtful = range(len(fours)) if self.wishing else np.flatnonzero(again).tolist()
        for four in (fours[t] for t in doubtful):
            if self._wrong(*four):
                raise DrawFault(f"#{self.ids[four[0]]} sits at a table that breaks a rule")

    def _told(self, fours: list[Four]) -> list[tuple[int, Sides, tuple[Reason, ...]]]:
        """Who is best at each table, the best tables first, the sides and the reasons."""
        people = np.array(fours, dtype=np.int64).reshape(-1, 4)
        order = np.argsort(people.min(axis=1))
        people = people[order]
        ranked = np.sort(people, axis=1)
        levels = map(self._level, map(tuple, np.array(self.score, dtype=np.int64)[ranked].tolist()))
        seats = np.array(self.ids, dtype=np.int64)[people].tolist()
        told: list[tuple[int, Sides, tuple[Reason, ...]]] = [
            (first, ((a, c), (b, d)), level)
            for first, (a, c, b, d), level in zip(ranked[:, 0].tolist(), seats, levels, strict=True)
        ]
        more = self._parted(people, ranked[:, self.splits[0]])
        for at, t in enumerate(order.tolist()):
            if self.together or self.repeats:
                more[at] += self._joined(fours[t])
            if self.why[t] or at in more:
                first, sides, level = told[at]
                told[at] = first, sides, (*level, *more[at], *self.why[t])
        return told

    def _parted(self, people: Ints, usual: Ints) -> dict[int, list[Reason]]:
        """At which of the tables those are not partners who usually would be, since they were before."""
        found: dict[int, list[Reason]] = defaultdict(list)
        for one, other in (usual[:, :2].T, usual[:, 2:].T):
            were = (self.partner[:, one] == other) & (people != usual).any(axis=1)
            for at in np.flatnonzero(were.any(axis=0)).tolist():
                row = np.flatnonzero(were[:, at])[-1]
                who = self.ids[one[at]], self.ids[other[at]]
                found[at].append(because("were_partners", who=who, round=self.numbers[row]))
        return found

    def _joined(self, four: Four) -> Iterator[Reason]:
        """Who are partners since they are kept together, or again for want of another."""
        for one, other in (four[:2], four[2:]):
            who = self.ids[one], self.ids[other]
            if self.together.get(one) == other:
                yield because("kept_together", who=who)
            elif self.repeats and other in self.partners[one]:
                yield because("partners_no_other_way", who=who)

    def _level(self, scores: tuple[int, ...]) -> tuple[Reason]:
        found = self._levels.get(scores)
        if found is None:
            by_wins = self.rules.score == "wins"
            shown = ", ".join(f"{score / 2 if by_wins else score:g}" for score in scores)
            found = (because("scores_wins" if by_wins else "scores_points", scores=shown),)
            self._levels[scores] = found
        return found


def _two(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
