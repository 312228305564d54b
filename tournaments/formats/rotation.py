"""Rotation: everybody partners everybody, by whist tables as far as they go.

A whist table is a schedule of a whole event. Prime powers 4n + 1 have a formula: with g a
primitive element of GF(q), the tables of the first round are g^i, -g^i against g^(i+n), -g^(i+n);
zero rests, and each round adds another element. The others, 4 to 51 and 53, 54, 55 and 59 people,
grow from a stored starter. Where the table does not fit, rounds are planned one at a time.

| people | rounds | partners | opponents | rests |
|---|---|---|---|---|
| 4n | v - 1 | each once | each exactly twice | 0 |
| 4n + 1 | v | each once | each exactly twice | 1 |
| 4n + 2 | v | all but one once | that one never, all others exactly twice | 2 |
| 6 and 14 | v | all but one once | once or twice | 2 |
| 4n + 3 | v | all but two once | once or twice (7: never or twice) | 3 |

| rule | test (tests/formats/test_rotation.py) |
|---|---|
| every table is as above, recounted | test_every_table |
| the formula holds for every prime power | test_prime_powers |
| the tables are those that were published with their counts | test_as_the_stored_starters |
| rests differ by 1 at most after every round (4n + 2, n odd: 2 now and then) | test_every_table |
| fewer rounds: those in which the fewest meet twice, rests kept even | test_fewer_rounds |
| more rounds: the table starts anew | test_more_rounds |
| table or planner: fewer partners again, then rests, then opponents | test_the_better_is_chosen |
| no partner again for 8 people and more and rounds up to 12 and v - 1 | test_no_partner_again |
| late entry, leaving, absence, wishes: planned from there on | test_late_and_leaving, test_wishes |
| rounds can be added: the table goes on | test_rounds_added |
| the same snapshot and seed give the same draw; the seed is the same all through an event | test_same_seed |
| what a table promises, in words | test_promises |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Literal

from tournaments.formats import history, planner
from tournaments.formats.event import CannotPair, Draw, DrawnTable, Round, Sides, Snapshot, pair_of
from tournaments.formats.orders import numbers
from tournaments.formats.planner import Watch
from tournaments.formats.starters import ORDERS, STARTERS
from tournaments.formats.words import Reason, because

Choice = Literal["best", "table", "planner"]


@dataclass(frozen=True, slots=True)
class Rules:
    """``choice`` forces the whist table or the planner for whoever takes part from the start."""

    choice: Choice = "best"
    planner: planner.Rules = field(default_factory=planner.Rules)


CLEAR = 0.7
"""Up to this part of the rounds of a table for more than ``SMALL`` people the planner was better
in every field measured; from two rounds short of the whole the table was."""
SMALL = 16

TRIES = 12
"""Orders of the rounds that are tried for the one in which the fewest meet twice."""

Crowd = frozenset[frozenset[frozenset[int]]]


@dataclass(frozen=True, slots=True)
class Profile:
    """Who partnered and met whom how often, and who rested: the proof of a schedule.

    ``rest_spread`` is the most that two people's rests differed by after any round.
    """

    people: tuple[int, ...]
    partners: Counter[frozenset[int]]
    opponents: Counter[frozenset[int]]
    rests: Counter[int]
    rest_spread: int

    @property
    def partner_times(self) -> dict[int, int]:
        """How many pairs were partners how often, from never on."""
        return self._times(self.partners)

    @property
    def opponent_times(self) -> dict[int, int]:
        """How many pairs were opponents how often, from never on."""
        return self._times(self.opponents)

    @property
    def rest_times(self) -> dict[int, int]:
        """How many people rested how often."""
        return dict(sorted(Counter(self.rests[one] for one in self.people).items()))

    @property
    def badness(self) -> tuple[int, bool, int, int]:
        """What makes a schedule worse than another, the most important first: partners again,
        rests that differ by more than 1, pairs that were opponents three times or more, the sum of
        the squares of how often two were."""
        partners = sum(times - 1 for times in self.partners.values() if times > 1)
        met = self.opponents.values()
        return partners, self.rest_spread > 1, sum(times > 2 for times in met), sum(times * times for times in met)

    def _times(self, counted: Counter[frozenset[int]]) -> dict[int, int]:
        pairs = (counted[pair_of(*pair)] for pair in combinations(self.people, 2))
        return dict(sorted(Counter(pairs).items()))


def profile(rounds: Iterable[Draw | Round]) -> Profile:
    """The profile of any rounds, drawn or played."""
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    rests: Counter[int] = Counter()
    people: set[int] = set()
    spread = 0
    for one_round in rounds:
        people.update(one_round.rests)
        rests.update(one_round.rests)
        for table in one_round.tables:
            people.update(table.seated)
            partners.update(pair_of(*side) for side in table.sides if len(side) == 2)
            opponents.update(pair_of(one, other) for one in table.sides[0] for other in table.sides[1])
        counts = [rests[one] for one in people]
        spread = max(spread, max(counts, default=0) - min(counts, default=0))
    return Profile(tuple(sorted(people)), partners, opponents, rests, spread)


def has_table(people: int) -> bool:
    """Whether there is a whist table for so many."""
    return people in STARTERS or (people % 4 == 1 and _prime_power(people) is not None)


@lru_cache(maxsize=64)
def table(people: int) -> tuple[Draw, ...]:
    """The whist table for people numbered from 0, all rounds of it.
    Raises CannotPair for a number that has none."""
    if people in STARTERS:
        rounds = _from_starter(people)
    elif people % 4 == 1 and (power := _prime_power(people)):
        rounds = _by_formula(people, *power)
    else:
        raise CannotPair("no_table", people=people)
    return tuple(
        Draw(number, tuple(DrawnTable(at, sides) for at, sides in enumerate(tables, start=1)), rests=rests)
        for number, (tables, rests) in enumerate(rounds, start=1)
    )


def promise(people: int) -> Reason:
    """What the whole table for so many does. Raises CannotPair where there is none."""
    usual = ("whist_4n", "whist_4n1", "whist_4n2", "whist_4n3")[people % 4]
    code = {6: "whist_4n2_uneven", 14: "whist_4n2_uneven", 7: "whist_7"}.get(people, usual)
    return because(code, rounds=len(table(people)))


def pair(snapshot: Snapshot, rules: Rules, seed: int, watch: Watch | None = None) -> Draw:
    """The next round. ``seed`` deals the places of the table and is the same all through an event.
    Raises CannotPair where there are too few or the wishes cannot be kept."""
    schedule = _Schedule.of(snapshot, seed)
    why = schedule.why_not(rules.choice)
    if why is None:
        order = schedule.order()
        if rules.choice == "table" or snapshot.rounds or schedule.is_better(order, rules, seed, watch):
            return schedule.draw(order)
        why = because("fewer_meet")
    drawn = planner.pair(snapshot, rules.planner, seed, watch)
    return Draw(drawn.round, drawn.tables, drawn.byes, drawn.rests, (because("planned", why=why), *drawn.notes))


def plan(snapshot: Snapshot, rules: Rules, seed: int, watch: Watch | None = None) -> tuple[Draw, ...]:
    """All rounds that are still to come, if nobody comes or goes: the schedule to print."""
    draws: list[Draw] = []
    while snapshot.number <= snapshot.planned:
        draws.append(pair(snapshot, rules, seed, watch))
        snapshot = planner.after(snapshot, draws[-1])
    return tuple(draws)


@dataclass(frozen=True, slots=True)
class _Schedule:
    """The whist table with the people of an event on it. ``used`` are its rounds that have been
    played, or None if another round was among them."""

    snapshot: Snapshot
    people: tuple[int, ...]
    used: tuple[int, ...] | None

    @classmethod
    def of(cls, snapshot: Snapshot, seed: int) -> _Schedule:
        people = sorted(entrant.id for entrant in snapshot.present())
        if snapshot.rounds:
            first = snapshot.rounds[0]
            people = sorted((*first.rests, *(one for table in first.tables for one in table.seated)))
        Random(f"rotation {seed}").shuffle(people)
        if not has_table(len(people)):
            return cls(snapshot, tuple(people), None)
        places: dict[Crowd, int] = {
            _crowd(_seat(table.sides, people) for table in drawn.tables): at
            for at, drawn in enumerate(table(len(people)))
        }
        used = [places.get(_crowd(table.sides for table in played.tables)) for played in snapshot.rounds]
        known = tuple(at for at in used if at is not None)
        return cls(snapshot, tuple(people), known if len(known) == len(used) else None)

    def why_not(self, choice: Choice) -> Reason | None:
        """Why the table cannot be played on, or None."""
        wishes = self.snapshot.constraints
        if choice == "planner":
            return because("director_chose")
        if not has_table(len(self.people)):
            return because("no_whist_table", people=len(self.people))
        if {entrant.id for entrant in self.snapshot.present()} != set(self.people):
            return because("not_same_people")
        if self.used is None:
            return because("as_before")
        if any((wishes.never_together, wishes.always_together, wishes.never_opponents, wishes.tables, wishes.byes)):
            return because("no_room_for_wishes")
        if len(self.people_kept()) > 1:
            return because("two_cannot_move")
        return None

    def people_kept(self) -> list[int]:
        return [one for one in self.people if one in self.snapshot.constraints.fixed_table]

    def order(self) -> tuple[int, ...]:
        """The rounds of this turn of the table, those played first, up to the last planned."""
        assert self.used is not None
        count, planned = len(self.people), self.snapshot.planned
        length = len(table(count))
        begun = len(self.used) // length * length
        used = self.used[begun:]
        wanted = min(max(planned, self.snapshot.number) - begun, length) if planned else length
        order = best_order(count, wanted)
        return order if order[: len(used)] == used else best_order(count, wanted, used)

    def is_better(self, order: Sequence[int], rules: Rules, seed: int, watch: Watch | None) -> bool:
        """Whether these rounds are better than as many planned one at a time."""
        count = len(self.people)
        rounds = table(count)
        planned = self.snapshot.planned or len(rounds)
        if planned >= len(rounds) - 2:
            return True
        if count > SMALL and planned <= CLEAR * len(rounds):
            return False
        other = profile(planner.plan(self.snapshot, rules.planner, seed, planned, watch))
        return profile(rounds[at] for at in order).badness <= other.badness

    def draw(self, order: Sequence[int]) -> Draw:
        """The next round of the table, in this order of its rounds."""
        assert self.used is not None
        rounds = table(len(self.people))
        turn, at = divmod(len(self.used), len(rounds))
        row = rounds[order[at]]
        tables = [_seat(drawn.sides, self.people) for drawn in row.tables]
        past = history.read(self.snapshot)
        kept = self.people_kept()
        drawn = [
            DrawnTable(
                number,
                sides,
                (
                    *(because("stays_at_table", who=(one,)) for one in kept if one in (*sides[0], *sides[1])),
                    *planner.meetings(sides, past),
                ),
            )
            for number, sides in zip(numbers(tables, self.snapshot.constraints), tables, strict=True)
        ]
        note = because("whist_round", round=at + 1, rounds=len(order), people=len(self.people), length=len(rounds))
        return Draw(
            self.snapshot.number,
            tuple(sorted(drawn, key=lambda one: one.number)),
            rests=tuple(self.people[place] for place in row.rests),
            notes=(note, *([because("whist_anew")] if turn and not at else [])),
        )


@lru_cache(maxsize=64)
def best_order(people: int, wanted: int, used: tuple[int, ...] = ()) -> tuple[int, ...]:
    """``wanted`` rounds of the table for so many, ``used`` first: as few pairs as can be found
    meet twice, in an order in which rests stay even. Rounds count from 0."""
    stored = [int(at) for at in ORDERS.get(people, "").split()] or list(range(len(table(people))))
    common = _common(people)
    resting = [drawn.rests for drawn in table(people)]
    orders: list[list[int]] = [
        _greedy(people, wanted, used, common, resting, Random(attempt)) for attempt in range(TRIES)
    ]
    if tuple(stored[: len(used)]) == used:
        orders.insert(0, stored[:wanted])

    def badness(order: list[int]) -> tuple[int, int]:
        counts = [0] * people
        worst = 1
        for at in order:
            for one in resting[at]:
                counts[one] += 1
            worst = max(worst, max(counts) - min(counts))
        return worst, sum(common[one][other] for one, other in combinations(order, 2))

    best: list[int] = min(orders, key=badness)
    return tuple(best)


def _greedy(
    people: int,
    wanted: int,
    used: tuple[int, ...],
    common: list[list[int]],
    resting: list[tuple[int, ...]],
    random: Random,
) -> list[int]:
    counts = [0] * people
    left = list(range(len(resting)))
    random.shuffle(left)
    twice = [0] * len(resting)
    order: list[int] = []

    def uneven(at: int) -> int:
        low = min(counts)
        highest = max(max(counts), *(counts[one] + 1 for one in resting[at]))
        lifted = sum(counts[one] == low for one in resting[at]) == counts.count(low)
        return max(1, highest - low - lifted)

    while len(order) < wanted:
        if len(order) < len(used):
            at = used[len(order)]
        elif people % 4 < 2:
            at = min(left, key=twice.__getitem__)
        else:
            at = min(left, key=lambda one: (uneven(one), twice[one]))
        left.remove(at)
        order.append(at)
        for one in resting[at]:
            counts[one] += 1
        for one in left:
            twice[one] += common[at][one]
    return order


@lru_cache(maxsize=64)
def _common(people: int) -> list[list[int]]:
    """How many pairs are opponents in both of two rounds of the table."""
    met = []
    for drawn in table(people):
        bits = 0
        for sides in (one.sides for one in drawn.tables):
            for one, other in product(*sides):
                bits |= 1 << (min(one, other) * people + max(one, other))
        met.append(bits)
    return [[(one & other).bit_count() for other in met] for one in met]


def _seat(sides: Sides, people: Sequence[int]) -> Sides:
    (a, b), (c, d) = sides
    return (people[a], people[b]), (people[c], people[d])


def _crowd(tables: Iterable[Sides]) -> Crowd:
    return frozenset(frozenset(frozenset(side) for side in sides) for sides in tables)


def _from_starter(people: int) -> list[tuple[list[Sides], tuple[int, ...]]]:
    resting, playing = STARTERS[people]
    modulus = people if resting else people - 1
    start = [
        [[people - 1 if one == "*" else int(one) for one in side.split("+")] for side in four.split("-")]
        for four in playing.split()
    ]

    def add(one: int, step: int) -> int:
        return (one + step) % modulus if one < modulus else one

    return [
        (
            [((add(a, step), add(b, step)), (add(c, step), add(d, step))) for (a, b), (c, d) in start],
            tuple(add(int(one), step) for one in resting.split(",") if one),
        )
        for step in range(modulus)
    ]


def _prime_power(number: int) -> tuple[int, int] | None:
    """The prime and the exponent of a prime power."""
    prime = next((divisor for divisor in range(2, number) if number % divisor == 0), number)
    power = 0
    left = number
    while left > 1 and left % prime == 0:
        left //= prime
        power += 1
    return (prime, power) if left == 1 and power else None


def _by_formula(people: int, prime: int, degree: int) -> list[tuple[list[Sides], tuple[int, ...]]]:
    """The table of a prime power. Field elements are polynomials modulo a primitive one, numbered
    by their coefficients as digits."""
    powers = _powers(people, prime, degree)
    quarter = (people - 1) // 4

    def digits(number: int) -> list[int]:
        return [number // prime**place % prime for place in range(degree)]

    def add(one: int, other: int) -> int:
        return sum(
            (a + b) % prime * prime**place for place, (a, b) in enumerate(zip(digits(one), digits(other), strict=True))
        )

    start = [(powers[i], powers[i + 2 * quarter], powers[i + quarter], powers[i + 3 * quarter]) for i in range(quarter)]
    return [
        (
            [((add(a, step), add(b, step)), (add(c, step), add(d, step))) for a, b, c, d in start],
            (step,),
        )
        for step in range(people)
    ]


def _powers(size: int, prime: int, degree: int) -> list[int]:
    """The powers of a primitive element of the field, from the 0th on: of the first polynomial
    by which multiplying with x reaches every element but zero."""
    tried = (_multiples(remainder, prime) for remainder in product(range(prime), repeat=degree))
    return next(powers for powers in tried if len(powers) == size - 1)


def _multiples(remainder: tuple[int, ...], prime: int) -> list[int]:
    """1, x, x^2 and so on until one comes back, where x to the degree is the ``remainder``."""
    element = [1] + [0] * (len(remainder) - 1)
    found: list[int] = []
    while any(element):
        number = sum(digit * prime**place for place, digit in enumerate(element))
        if number in found:
            break
        found.append(number)
        top = element[-1]
        element = [(low + top * back) % prime for low, back in zip([0, *element[:-1]], remainder, strict=True)]
    return found
