"""Planner: people in fours, new partners every round, for any number of people and rounds.

One round at a time by simulated annealing over the seats, so people can come and go.

| rule | test (tests/formats/test_planner.py) |
|---|---|
| four to a table; of what is left over 1 to 3 rest | test_any_number_any_rounds |
| fewest rests first, then the longest since; rests differ by 1 at most | test_rests_stay_even |
| a late or returning entrant is not owed the rests of others, nor owes any | test_late_and_returning_owe_no_rests |
| no partner again, nobody opposed three times, in the fields measured | test_measured_fields |
| people coming and going: still no partner again | test_people_come_and_go |
| the same snapshot and seed give the same draw, in any process | test_same_seed_same_draw |
| an event rebuilt from its log is the same | test_rebuilt_from_its_log |
| never partners, never opponents, always partners | test_wishes_are_kept |
| who cannot move keeps his table | test_fixed_tables |
| tables by hand are checked and completed; byes by hand are rests | test_orders_by_hand |
| if the fairest rests break a wish, others rest | test_rests_give_way_to_wishes |
| what no draw can keep is told | test_what_cannot_be_kept |
| small fields: a wish is refused only where no draw keeps it | test_refusals_are_right |
| progress with the best so far; can be stopped | test_progress_and_stop |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp
from random import Random

from tournaments.formats import history
from tournaments.formats.event import CannotPair, Draw, DrawnTable, Result, Sides, Snapshot, pair_of
from tournaments.formats.history import History
from tournaments.formats.orders import check, clashes, numbers
from tournaments.formats.words import Reason, because


@dataclass(frozen=True, slots=True)
class Rules:
    """``tries`` are exchanges of seats for each person, ``searches`` how often the search starts
    anew while anybody meets again, ``limit`` the tries of a round whatever its size."""

    tries: int = 400
    searches: int = 3
    limit: int = 36_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: ``done`` of ``limit`` tries, and the best tables so far with their
    ``weight``, 0 if nobody partners or meets anybody again."""

    round: int
    done: int
    limit: int
    weight: int
    tables: tuple[Sides, ...]


Watch = Callable[[Progress], bool]
"""Told of progress every few milliseconds; False stops the search, the best so far is drawn."""

PARTNER, OPPONENT = 1_000, 10
"""Partners of k times before weigh PARTNER (k^2 + k), opponents OPPONENT (2k + 1)^2."""

HARD = 1_000_000_000
"""A broken wish weighs more than all else at a table."""

HOT, COLD = 60.0, 0.5
"""Temperatures of the search, in weights: from half a repeated opponent to none."""

STEP = 4_000
"""Tries between two reports of progress."""

REST_CHOICES = 40
"""How many sets of people to rest are tried before a wish is refused."""


def pair(snapshot: Snapshot, rules: Rules, seed: int, watch: Watch | None = None) -> Draw:
    """The next round. Raises CannotPair where too few are here or the wishes cannot be kept."""
    field = Field(snapshot)
    random = Random(f"planner {seed} {snapshot.number}")
    found = None
    for tried, resting in enumerate(field.rest_choices(random)):
        search = _Search(field, resting, random, rules, watch)
        search.run()
        if search.weight < HARD:
            return field.draw(search, fairest=tried == 0)
        found = found or search
        if search.stopped:
            break
    assert found is not None
    raise CannotPair("wishes_broken", broken=field.broken(found.tables()))


def plan(snapshot: Snapshot, rules: Rules, seed: int, rounds: int, watch: Watch | None = None) -> tuple[Draw, ...]:
    """The next ``rounds`` rounds, if nobody comes or goes: each as :func:`pair` will draw it."""
    draws = []
    for _ in range(rounds):
        draw = pair(snapshot, rules, seed, watch)
        draws.append(draw)
        snapshot = after(snapshot, draw)
    return tuple(draws)


def after(snapshot: Snapshot, draw: Draw) -> Snapshot:
    """The snapshot with a draw played, scores left open; orders for that one round are over."""
    open_scores = {table.number: Result(winner=0) for table in draw.tables}
    return replace(
        snapshot,
        rounds=(*snapshot.rounds, draw.finished(open_scores)),
        constraints=replace(snapshot.constraints, tables=(), byes=(), absent=frozenset()),
    )


def rest_levels(snapshot: Snapshot) -> dict[int, int]:
    """How many rests each who is here counts as having had. Who comes late or comes back starts
    at the most that anybody then has: he is owed no rests, and none are owed to him."""
    levels: dict[int, int] = {}
    before: set[int] = set()
    here = {entrant.id for entrant in snapshot.present()}
    for played in (*snapshot.rounds, None):
        idle = (*played.rests, *played.byes) if played else ()
        now = {*idle, *(one for table in played.tables for one in table.seated)} if played else here
        most = max((levels[entrant] for entrant in before & now), default=0)
        for entrant in now - before:
            levels[entrant] = max(most, levels.get(entrant, 0))
        for entrant in idle:
            levels[entrant] += 1
        before = now
    return {entrant: levels[entrant] for entrant in here}


class Field:
    """Who plays the next round, and what is known of them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.wishes = snapshot.constraints
        self.past = history.read(snapshot)
        self.levels = rest_levels(snapshot)
        present = [entrant.id for entrant in snapshot.present()]
        self.ordered = check(self.wishes, frozenset(present), side=2)
        self.free = [entrant for entrant in present if entrant not in self.ordered]
        if len(self.free) < 4 and not self.wishes.tables:
            raise CannotPair("needs_four", count=len(self.free))
        self.mates = self._mates(set(present))
        self.clashes = frozenset(pair_of(*pair) for pair in clashes(self.wishes, self.free))

    def _mates(self, present: set[int]) -> dict[int, int]:
        mates: dict[int, int] = {}
        by_hand = {pair_of(*side) for sides in self.wishes.tables for side in sides}
        for together in sorted(self.wishes.always_together, key=sorted):
            one, other = sorted(together)
            if not together <= present - set(self.wishes.byes) or together in by_hand:
                continue
            if together in self.wishes.never_together:
                raise CannotPair("always_and_never", who=(one, other))
            if together & self.ordered:
                raise CannotPair("parted_by_hand", who=(one, other))
            for twice in together & set(mates):
                raise CannotPair("together_with_two", who=(twice,))
            mates[one], mates[other] = other, one
        return mates

    def rest_choices(self, random: Random) -> list[tuple[int, ...]]:
        """Sets of people to rest, the fairest first; two who always play together rest together."""
        count = len(self.free) % 4
        since = self.past.last_rest
        order = sorted(self.free, key=lambda one: (self.levels[one], since.get(one, 0), random.random()))
        place = {entrant: at for at, entrant in enumerate(order)}
        singles = [(one,) for one in order if one not in self.mates][: count + 6]
        pairs = [(one, self.mates[one]) for one in order if place[one] < place.get(self.mates.get(one, one), 0)]
        units: list[tuple[int, ...]] = [*singles, *pairs[: count + 4]] if count else []
        choices = [
            tuple(sorted(one for unit in chosen for one in unit))
            for size in range(count + 1)
            for chosen in combinations(units, size)
            if sum(map(len, chosen)) == count
        ]

        def fairness(resting: tuple[int, ...]) -> tuple[int, int, int]:
            return (
                sum(self.levels[one] for one in resting),
                sum(since.get(one, 0) for one in resting),
                sum(place[one] for one in resting),
            )

        return sorted(choices, key=fairness)[:REST_CHOICES]

    def draw(self, search: _Search, fairest: bool) -> Draw:
        """The draw with its reasons."""
        tables = (*self.wishes.tables, *search.tables())
        drawn = [
            DrawnTable(number, sides, self.reasons(sides))
            for number, sides in zip(numbers(tables, self.wishes), tables, strict=True)
        ]
        notes = [because("rests_by_hand", who=(entrant,)) for entrant in self.wishes.byes]
        notes += [why_resting(entrant, self.past) for entrant in search.resting]
        if not fairest:
            notes.append(because("not_fairest"))
        return Draw(
            self.snapshot.number,
            tuple(sorted(drawn, key=lambda table: table.number)),
            rests=(*self.wishes.byes, *search.resting),
            notes=tuple(notes),
        )

    def reasons(self, sides: Sides) -> tuple[Reason, ...]:
        """Which orders and wishes are kept at a table, and who has met before."""
        reasons = [because("by_hand")] if sides in self.wishes.tables else []
        kept = self.wishes.fixed_table
        reasons += [because("stays_at_table", who=(one,)) for side in sides for one in side if one in kept]
        return (*reasons, *meetings(sides, self.past, self.wishes.always_together))

    def broken(self, tables: Iterable[Sides]) -> tuple[Reason, ...]:
        """The wishes that these tables break."""
        broken: list[Reason] = []
        for sides in tables:
            opponents = [pair_of(one, other) for one in sides[0] for other in sides[1]]
            partners = [pair_of(*side) for side in sides]
            for what, pairs in (
                ("would_be_partners", self.wishes.never_together & set(partners)),
                ("would_be_opponents", self.wishes.never_opponents & set(opponents)),
                ("would_share", self.clashes & {*opponents, *partners}),
            ):
                broken += [because(what, who=tuple(sorted(pair))) for pair in sorted(pairs, key=sorted)]
        return tuple(broken)


def meetings(sides: Sides, past: History, always: Collection[frozenset[int]] = ()) -> tuple[Reason, ...]:
    """Who of a table partners or meets whom again; or that nobody does."""
    told = []
    for side in sides:
        if pair_of(*side) in always:
            told.append(because("always_together", who=side))
        elif count := past.partners[pair_of(*side)]:
            told.append(because("partners_again", who=side, times=count + 1))
    known = len(told)
    for one in sides[0]:
        for other in sides[1]:
            if count := past.met(one, other):
                told.append(because("meets_again", who=(one,), other=(other,), times=count + 1))
    if len(told) == known:
        told.append(because("new_opponents"))
    return tuple(told)


def why_resting(entrant: int, past: History) -> Reason:
    """That somebody rests, and how often before."""
    had = past.rests[entrant]
    return because("rests_again", who=(entrant,), times=had) if had else because("rests_first", who=(entrant,))


@dataclass(slots=True)
class _Weights:
    """What it weighs if two become partners or opponents, and the temperatures to search at."""

    partners: list[list[int]]
    opponents: list[list[int]]
    hot: float
    cold: float

    @classmethod
    def of(cls, count: int, hot: float, cold: float) -> _Weights:
        return cls([[0] * count for _ in range(count)], [[0] * count for _ in range(count)], hot, cold)


class _Search:
    """Annealing over the seats of one round.

    Seat ``4t + s`` is seat s of table t; 0 and 1 are partners, 2 and 3 too, so from any seat i the
    partner sits at ``i ^ 1`` and the opponents at ``i ^ 2`` and ``i ^ 3``. People are known by
    their place in ``players``.
    """

    def __init__(
        self, field: Field, resting: tuple[int, ...], random: Random, rules: Rules, watch: Watch | None
    ) -> None:
        self.random = random
        self.watch = watch
        self.number = field.snapshot.number
        self.resting = resting
        self.players = [one for one in field.free if one not in resting]
        self.place = {one: at for at, one in enumerate(self.players)}
        self.tries = min(rules.tries * len(self.players), rules.limit // rules.searches)
        self.searches = rules.searches
        self.mates = [self.place.get(field.mates.get(one, -1), -1) for one in self.players]
        count = len(self.players)
        self.again = _Weights.of(count, HOT, COLD)
        self.wishes = _Weights.of(count, HARD, HARD / 10)
        self._weigh(field)
        self.weight = HARD * HARD
        self.best: list[int] = []
        self.done = 0
        self.stopped = False

    def _weigh(self, field: Field) -> None:
        again, wishes = self.again, field.wishes
        self._put(again.partners, ((pair, PARTNER * (k * k + k)) for pair, k in field.past.partners.items()))
        self._put(again.opponents, ((pair, OPPONENT * (2 * k + 1) ** 2) for pair, k in field.past.opponents.items()))
        self._put(again.partners, ((pair, 0) for pair in wishes.always_together))
        for weights in (again, self.wishes):
            self._put(weights.partners, ((pair, HARD) for pair in wishes.never_together | field.clashes))
            self._put(weights.opponents, ((pair, HARD) for pair in wishes.never_opponents | field.clashes))
        self.wishing = bool(wishes.never_together or wishes.never_opponents or field.clashes)

    def _put(self, weights: list[list[int]], of: Iterable[tuple[frozenset[int], int]]) -> None:
        place = self.place
        for pair, weight in of:
            one, other = pair
            if one in place and other in place:
                weights[place[one]][place[other]] = weights[place[other]][place[one]] = weight

    def run(self) -> None:
        """Searches until nobody meets anybody again, or as often as the rules say: each time first
        for tables that keep the wishes, then from there for new partners and opponents."""
        if not self.players:
            self.weight = 0
        for _ in range(self.searches):
            if self.weight == 0 or self.stopped:
                break
            weight, seats = 0, self._start()
            if self.wishing:
                weight, seats = self._anneal(seats, self.wishes)
            if not weight:
                weight, seats = self._anneal(seats, self.again)
            if weight < self.weight:
                self.weight, self.best = weight, seats

    def _start(self) -> list[int]:
        """Everybody at a seat by lot, partners for always side by side."""
        order = list(range(len(self.players)))
        self.random.shuffle(order)
        sides = [(at, self.mates[at]) for at in order if at < self.mates[at]]
        singles = [at for at in order if self.mates[at] < 0]
        sides += zip(singles[::2], singles[1::2], strict=True)
        return [at for side in sides for at in side]

    def _anneal(self, seats: list[int], by: _Weights) -> tuple[int, list[int]]:
        draw = self.random.random
        partners, opponents, mates = by.partners, by.opponents, self.mates
        count = len(seats)

        def weigh(table: int) -> int:
            a, b, c, d = seats[4 * table : 4 * table + 4]
            return partners[a][b] + partners[c][d] + sum(opponents[a][o] + opponents[b][o] for o in (c, d))

        weights = [weigh(table) for table in range(count // 4)]
        total = sum(weights)
        least, best = total, seats.copy()
        heat, cooling = by.hot, (by.cold / by.hot) ** (1 / self.tries)
        uneasy: list[int] = []
        for step in range(self.tries):
            if step % count == 0:
                uneasy = [table for table, weight in enumerate(weights) if weight]
            if step % STEP == STEP - 1:
                self._report(least, best)
            if total == 0 or self.stopped:
                break
            self.done += 1
            heat *= cooling
            i = 4 * uneasy[int(draw() * len(uneasy))] + int(draw() * 4)
            j = int(draw() * count)
            table, other = i >> 2, j >> 2
            x, y = seats[i], seats[j]
            if table != other and mates[x] < 0 and mates[y] < 0:
                a, b, c = seats[i ^ 1], seats[i ^ 2], seats[i ^ 3]
                d, e, f = seats[j ^ 1], seats[j ^ 2], seats[j ^ 3]
                px, py, ox, oy = partners[x], partners[y], opponents[x], opponents[y]
                here = py[a] + oy[b] + oy[c] - px[a] - ox[b] - ox[c]
                there = px[d] + ox[e] + ox[f] - py[d] - oy[e] - oy[f]
                change = here + there
                if change > 0 and draw() >= exp(-change / heat):
                    continue
                seats[i], seats[j] = y, x
            else:
                moved = self._others(seats, i, j)
                if not moved:
                    continue
                here = weigh(table) - weights[table]
                there = weigh(other) - weights[other] if other != table else 0
                change = here + there
                if change > 0 and draw() >= exp(-change / heat):
                    for one, two in moved:
                        seats[one], seats[two] = seats[two], seats[one]
                    continue
            weights[table] += here
            weights[other] += there
            total += change
            if total < least:
                least, best = total, seats.copy()
        return least, best

    def _others(self, seats: list[int], i: int, j: int) -> tuple[tuple[int, int], ...]:
        """Exchanges what is not one seat for one of another table, and says which: two partners
        within a table, whole sides where partners stay together. Nothing if it may not be."""
        moved: tuple[tuple[int, int], ...] = ((i, j), (i ^ 1, j ^ 1))
        if i >> 2 == j >> 2:
            if i >> 1 == j >> 1 or self.mates[seats[i]] >= 0 or self.mates[seats[j]] >= 0:
                return ()
            moved = ((i, j),)
        for one, two in moved:
            seats[one], seats[two] = seats[two], seats[one]
        return moved

    def _report(self, weight: int, seats: list[int]) -> None:
        if self.watch:
            best = min((self.weight, self.best), (weight, seats))
            limit = self.tries * self.searches * (1 + self.wishing)
            self.stopped = not self.watch(Progress(self.number, self.done, limit, best[0], self.tables(best[1])))

    def tables(self, seats: list[int] | None = None) -> tuple[Sides, ...]:
        """The tables of these seats, or of the best."""
        who = [self.players[at] for at in seats or self.best]
        return tuple(((who[at], who[at + 1]), (who[at + 2], who[at + 3])) for at in range(0, len(who), 4))
