"""Arena: a fixed time, and whoever is free plays somebody of about the same rank.

Time is an input: whoever runs the arena makes a :class:`Moment` at every tick and says in it how
long each entrant has waited, who plays and who is away.

| rule | test (test_arena) |
|---|---|
| a tick every 10 s; waiting is who is connected, not playing, not paused | test_who_is_in_the_pool |
| games are drawn when a table's worth has waited 15 to 50 s, or more than 100 wait | test_waiting_rule |
| all who can be seated are seated within that and a tick | test_nobody_is_left_idle, test_small_pools |
| nobody away for two ticks is drawn | test_who_is_in_the_pool, test_nobody_is_left_idle |
| not the opponent of the last game, unless only the two are active | test_rematches, test_nobody_is_left_idle |
| near ranks meet, the leaders nearest: exact in groups of 100 | test_least_cost, test_leaders_meet |
| odd: the newest waits, if the others can be seated without him | test_the_newest_waits |
| individuals: fours, 1st and 4th against 2nd and 3rd, the last partner excluded | test_fours, test_fours_to_the_end |
| wishes, tables by hand, tables that somebody cannot leave | test_wishes, test_wishes_of_individuals |
| win 2, tie 1; after two wins in a row double, until a game is not won | test_published_sheets |
| still playing at the end: counts, or not, as the rules say | test_started_before_the_end |
| 60 s to sit down, then a loss and a pause; the others are not harmed | test_no_show, test_no_show_of_an_individual |
| who was left sitting: a win outside the streak, and drawn at once | test_no_show, test_drawn_at_once |
| level: performance, points difference, fewer games; then the rank is shared | test_rank_ties |
| who has not played ranks below who has; withdrawn last, without a rank | test_no_game_ranks_below |
| the same moment and seed give the same draw | test_same_draw |
| 10,000 waiting in 0.3 s | tests/bench/formats.py |
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from tournaments.formats.event import (
    CannotPair,
    Draw,
    DrawnTable,
    Entrant,
    EventError,
    Result,
    Side,
    Sides,
    Snapshot,
    Table,
    pair_of,
)
from tournaments.formats.matching import cheapest, lexicographic
from tournaments.formats.orders import check, clashes
from tournaments.formats.words import Reason, because

TICK: Final = 10
"""Seconds from one tick to the next."""

SIT_DOWN: Final = 60
"""Seconds to come to one's table."""

AWAY: Final = 2
"""Ticks in a row without a sign of an entrant after which he is not drawn."""

CROWD: Final = 100
"""With more than so many waiting, games are drawn at every tick."""

GROUP: Final = 100
WIN, TIE, STREAK = 2, 1, 2
SWING: Final = 500
"""Performance is the mean rating of the opponents, so much more for a win and less for a defeat."""

UNRATED: Final = 1500
LEADERS, TAIL = 2000, 300
"""What a rank of distance costs the first and the last."""

NO_SHOW: Final = "no_show"
"""The counter of a forfeit that names who of a side did not come; without it, all of the side."""


@dataclass(frozen=True, slots=True)
class Rules:
    """``game_seconds`` is how long a game is expected to last. ``late_games``: a game still played
    when the time is up counts. ``rank_withdrawn``: who withdrew keeps a rank."""

    game_seconds: int = 600
    individuals: bool = False
    streaks: bool = True
    late_games: bool = True
    rank_withdrawn: bool = False

    @property
    def table_size(self) -> int:
        return 4 if self.individuals else 2

    @property
    def wait(self) -> float:
        """Seconds that those who wait are given for more to come."""
        return min(50.0, max(15.0, self.game_seconds / 10 + 6))


DEFAULT = Rules()


@dataclass(frozen=True, slots=True)
class Moment(Snapshot):
    """A snapshot at a tick. A round here is a tick: it holds the tables drawn at it that have
    ended since. ``waiting`` is for how many seconds each who is ready has waited, ``playing`` the
    tables not yet ended, ``away`` for how many ticks in a row nothing was heard of somebody.
    ``late`` are the games, by round and table, that ended after the time was up."""

    tick: int = 1
    waiting: Mapping[int, float] = field(default_factory=dict)
    playing: tuple[DrawnTable, ...] = ()
    away: Mapping[int, int] = field(default_factory=dict)
    ratings: Mapping[int, int] = field(default_factory=dict)
    over: bool = False
    late: frozenset[tuple[int, int]] = frozenset()

    @property
    def number(self) -> int:
        return self.tick


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings. ``sheet`` are the points of each game in order; they add up to
    ``score``. ``rank`` is None for who withdrew, ``performance`` for who has not played."""

    rank: int | None
    entrant: int
    score: int
    performance: int | None
    difference: int
    games: int
    wins: int
    sheet: tuple[int, ...]
    on_streak: bool


@dataclass(slots=True)
class _Card:
    """What an entrant has done so far. ``came`` is whether he was ever at his table; ``owed``
    that he was left sitting in the last game; ``rating`` is twice the sum for his performance."""

    sheet: list[int] = field(default_factory=list)
    streak: int = 0
    wins: int = 0
    games: int = 0
    difference: int = 0
    rating: int = 0
    came: bool = False
    owed: bool = False
    partner: int | None = None
    opponents: Side = ()

    @property
    def performance(self) -> int:
        return (self.rating + self.games) // (2 * self.games) if self.games else 0

    @property
    def standing(self) -> tuple[bool, int, int, int, int]:
        """The less the better; equal for who shares a rank."""
        return not self.came, -sum(self.sheet), -self.performance, -self.difference, self.games


def pair(moment: Moment, rules: Rules = DEFAULT, seed: int = 0) -> Draw:
    """The games that start at this tick, often none. ``seed`` draws who has the first seat.
    Raises CannotPair for a wish or a table by hand that cannot be kept."""
    if moment.over:
        return Draw(moment.tick, (), notes=(because("time_up"),))
    return _Tick(moment, rules, seed).draw()


def no_show(sides: Sides, seated: Collection[int], seconds: float) -> Result | None:
    """What becomes of a table that somebody has not come to, ``seconds`` after it was drawn; None
    while there is time, or if all have come. Whoever is named in its counter loses and is to be
    paused."""
    missing = {one: 1 for side in sides for one in side if one not in seated}
    if not missing or seconds < SIT_DOWN:
        return None
    guilty = [side for side in (0, 1) if any(one in missing for one in sides[side])]
    if len(guilty) == 2:
        return Result(outcome="double_forfeit", counters={NO_SHOW: missing})
    return Result(outcome="forfeit", absent=guilty[0], winner=1 - guilty[0], counters={NO_SHOW: missing})


def standings(moment: Moment, rules: Rules = DEFAULT) -> list[Row]:
    """Everybody, best first; by seed where a rank is shared. Raises EventError."""
    cards = _read(moment, rules)
    out = {
        entrant.id: entrant.state == "disqualified" or (entrant.state == "withdrawn" and not rules.rank_withdrawn)
        for entrant in moment.entrants
    }
    order = sorted(_by_rank(moment.entrants, cards), key=out.__getitem__)
    rows: list[Row] = []
    for place, entrant in enumerate(order, 1):
        card = cards[entrant]
        shared = place > 1 and cards[order[place - 2]].standing == card.standing
        rows.append(
            Row(
                None if out[entrant] else rows[-1].rank if shared else place,
                entrant,
                sum(card.sheet),
                card.performance if card.games else None,
                card.difference,
                card.games,
                card.wins,
                tuple(card.sheet),
                rules.streaks and card.streak >= STREAK,
            )
        )
    return rows


def _read(moment: Moment, rules: Rules) -> dict[int, _Card]:
    cards = {entrant.id: _Card() for entrant in moment.entrants}
    strength = {entrant.id: moment.ratings.get(entrant.id, UNRATED) for entrant in moment.entrants}
    try:
        for table in _counted(moment, rules):
            one, other = table.sides
            for side, members, others in ((0, one, other), (1, other, one)):
                against = strength[others[0]] + strength[others[-1]]
                for entrant in members:
                    card = cards[entrant]
                    card.opponents = others
                    if len(members) == 2:
                        card.partner = members[members[0] == entrant]
                    if table.result.outcome == "played":
                        _played(card, side, table.result, against, rules.streaks)
                    else:
                        _forfeit(card, entrant, side, table.result)
    except KeyError as unknown:
        raise EventError("unknown_in_game", who=unknown.args[:1]) from None
    return cards


def _counted(moment: Moment, rules: Rules) -> Iterator[Table]:
    for played, table in moment.tables():
        if table.result.outcome != "void" and (rules.late_games or (played.number, table.number) not in moment.late):
            yield table


def _played(card: _Card, side: int, result: Result, against: int, streaks: bool) -> None:
    worth = 2 if streaks and card.streak >= STREAK else 1
    card.came, card.owed = True, False
    card.games += 1
    card.difference += result.points[side] - result.points[1 - side]
    if result.winner == side:
        card.wins += 1
        card.streak += 1
        card.rating += against + 2 * SWING
        card.sheet.append(WIN * worth)
    elif result.winner is None:
        card.streak = 0
        card.rating += against
        card.sheet.append(TIE * worth)
    else:
        card.streak = 0
        card.rating += against - 2 * SWING
        card.sheet.append(0)


def _forfeit(card: _Card, entrant: int, side: int, result: Result) -> None:
    present = result.outcome == "forfeit" and result.absent != side
    guilty = not present and entrant in result.counters.get(NO_SHOW, {entrant: 1})
    card.owed = not guilty
    if present:
        card.came = True
        card.wins += 1
        card.sheet.append(WIN)
    elif guilty:
        card.streak = 0
        card.sheet.append(0)


def _by_rank(entrants: Iterable[Entrant], cards: Mapping[int, _Card]) -> list[int]:
    keyed = sorted((cards[entrant.id].standing, entrant.seed, entrant.id) for entrant in entrants)
    return [one for _standing, _seed, one in keyed]


class _Tick:
    """What one tick knows. Ranks count from 0 among all who may play, playing or not."""

    def __init__(self, moment: Moment, rules: Rules, seed: int) -> None:
        self.moment, self.rules = moment, rules
        self.wishes = moment.constraints
        self.lots = random.Random(f"{seed} {moment.tick}")
        self.cards = _read(moment, rules)
        present = moment.present()
        self.order = _by_rank(present, self.cards)
        self.rank = {entrant: rank for rank, entrant in enumerate(self.order)}
        self.in_play = {table.number: table.seated for table in moment.playing}
        busy = {one for table in moment.playing for one in table.seated}
        away = {one for one, ticks in moment.away.items() if ticks >= AWAY}
        self.ready = frozenset(
            one for one in self.order if one in moment.waiting and one not in busy and one not in away
        )
        self.active = self.ready | busy
        self.notes: list[Reason] = []

    def draw(self) -> Draw:
        seated = self._by_hand()
        pool = [one for one in self.order if one in self.ready and one not in seated and self._can_start(one)]
        found: list[Sides] = []
        if self._due(pool):
            seat = self._seat_fours if self.rules.individuals else self._seat_pairs
            found = _in_groups(pool, self._newest_first(pool), self.rules.table_size, seat)
        left = set(pool).difference(*(side for sides in found for side in sides))
        if left:
            self.notes.append(because("waiting", count=len(left)))
        return Draw(self.moment.tick, self._numbered(found, pool), notes=tuple(self.notes))

    def _by_hand(self) -> frozenset[int]:
        if self.wishes.byes:
            raise CannotPair("arena_byes", who=self.wishes.byes)
        if self.wishes.always_together and not self.rules.individuals:
            raise CannotPair("arena_pairs")
        return check(self.wishes, self.ready, self.rules.table_size // 2)

    def _can_start(self, entrant: int) -> bool:
        """Whether his partner for good is free too, and the table that he cannot leave."""
        return self.wishes.fixed_table.get(entrant) not in self.in_play and all(
            pair <= self.ready for pair in self.wishes.always_together if entrant in pair
        )

    def _due(self, pool: Sequence[int]) -> bool:
        size = self.rules.table_size
        owed = [one for one in pool if self.cards[one].owed]
        patient = sum(self.moment.waiting[one] >= self.rules.wait for one in pool)
        if len(pool) > CROWD or patient >= size:
            return True
        if owed and len(pool) >= size:
            self.notes.append(because("drawn_at_once", who=tuple(owed)))
            return True
        return False

    def _newest_first(self, pool: Iterable[int]) -> list[int]:
        return sorted(pool, key=lambda one: (self.moment.waiting[one], -self.rank[one]))

    def _just_met(self, one: int, other: int) -> bool:
        return other in self.cards[one].opponents or one in self.cards[other].opponents

    def _only_two(self, one: int, other: int) -> bool:
        """Whether neither has anybody else to play, now or later."""
        never = self.wishes.never_opponents
        return all(
            each in (one, other) or (pair_of(one, each) in never and pair_of(other, each) in never)
            for each in self.active
        )

    def _seat_pairs(self, people: Sequence[int]) -> list[Sides]:
        """As many games as there can be, then the longest waiting, then the least rank distance.

        If each is barred from at most d of the others, no game of the best draw spans more than
        4d + 2 places: more than 2d games would lie across it, with one of them both of its entrants
        could change opponents, and both new games would be shorter. So only such games are tried.
        """
        at = {one: place for place, one in enumerate(people)}
        barred = self._barred(at)
        most = max((len(those) for those in barred), default=0)
        span = min(4 * most + 2, len(people) - 1)
        one = np.repeat(np.arange(len(people)), span)
        other = one + np.tile(np.arange(1, span + 1), len(people))
        allowed = other < len(people)
        for place, those in enumerate(barred):
            for second in those:
                if place < second <= place + span:
                    allowed[place * span + second - place - 1] = False
        one, other = one[allowed], other[allowed]
        rank = np.array([self.rank[each] for each in people])
        bottom = max(1, len(self.order) - 1)
        weight = TAIL + (LEADERS - TAIL) * (bottom - rank) // bottom
        distance = weight[one] * (rank[other] - rank[one])
        games = cheapest(len(people), one, other, distance)
        if 2 * len(games) < len(people):
            newness = np.empty(len(people), dtype=np.int64)
            newness[[at[each] for each in self._newest_first(people)]] = np.arange(len(people))[::-1]
            games = cheapest(
                len(people), one, other, lexicographic([newness[one] + newness[other], distance], len(people))
            )
        return [((people[first],), (people[second],)) for first, second in games]

    def _barred(self, at: Mapping[int, int]) -> list[set[int]]:
        """Whom each may not meet now, by place."""
        barred: list[set[int]] = [set() for _ in at]

        def bar(one: int, other: int) -> None:
            if one in at and other in at:
                barred[at[one]].add(at[other])
                barred[at[other]].add(at[one])

        for one in at:
            for other in self.cards[one].opponents:
                if other in at and not self._only_two(one, other):
                    bar(one, other)
        for never in self.wishes.never_opponents:
            bar(*never)
        for two in clashes(self.wishes, at):
            bar(*two)
        return barred

    def _seat_fours(self, people: Sequence[int]) -> list[Sides]:
        return _Fours(people, self._split).search()

    def _split(self, four: Sequence[int]) -> Sides | None:
        """How four by rank sit down together: the fairest way that is allowed, if one is."""
        if clashes(self.wishes, four):
            return None
        first, second, third, fourth = four
        for sides in (
            ((first, fourth), (second, third)),
            ((first, third), (second, fourth)),
            ((first, second), (third, fourth)),
        ):
            if all(self._may_partner(*side) for side in sides) and all(
                self._may_oppose(one, other) for one in sides[0] for other in sides[1]
            ):
                return sides
        return None

    def _may_partner(self, one: int, other: int) -> bool:
        both = pair_of(one, other)
        if both in self.wishes.always_together:
            return True
        return both not in self.wishes.never_together and not self._just_partnered(one, other)

    def _may_oppose(self, one: int, other: int) -> bool:
        both = pair_of(one, other)
        return both not in self.wishes.never_opponents and both not in self.wishes.always_together

    def _just_partnered(self, one: int, other: int) -> bool:
        return self.cards[one].partner == other or self.cards[other].partner == one

    def _numbered(self, found: Sequence[Sides], pool: Sequence[int]) -> tuple[DrawnTable, ...]:
        """Tables by number, in the order of the best rank at them, beside those being played."""
        kept = self.wishes.fixed_table
        taken = self.in_play.keys() | kept.values()
        free = (number for number in range(1, len(taken) + len(self.order) + 1) if number not in taken)
        place = {one: at for at, one in enumerate(pool)}
        drawn = [(sides, self._reasons(sides, pool, place)) for sides in found]
        drawn += [(sides, (because("by_hand"),)) for sides in self.wishes.tables]
        used = dict(self.in_play)
        tables = []
        for sides, reasons in sorted(drawn, key=lambda table: min(map(self.rank.__getitem__, _people(table[0])))):
            wanted = sorted({kept[one] for one in _people(sides) if one in kept}) if kept else []
            number = wanted[0] if wanted else next(free)
            if len(wanted) > 1 or number in used:
                who = _people(sides)
                if number in used:
                    raise CannotPair("table_of_others", table=number, who=who, others=used[number])
                raise CannotPair("cannot_sit", table=number, who=who)
            used[number] = _people(sides)
            tables.append(DrawnTable(number, self._by_lot(sides), reasons))
        return tuple(sorted(tables, key=lambda table: table.number))

    def _by_lot(self, sides: Sides) -> Sides:
        return sides if self.lots.random() < 0.5 else (sides[1], sides[0])

    def _reasons(self, sides: Sides, pool: Sequence[int], place: Mapping[int, int]) -> tuple[Reason, ...]:
        ranks = [self.rank[one] + 1 for one in _people(sides)]
        if self.rules.individuals:
            a, b, c, d = ranks
            reasons = [because("ranks_four", one=a, partner=b, other=c, others=d)]
            parted = [two for two in combinations(sorted(_people(sides)), 2) if self._just_partnered(*two)]
            reasons += [because("parted", who=two) for two in parted if two not in sides]
            return tuple(reasons)
        reasons = [because("ranks_two", one=ranks[0], other=ranks[1])]
        one, other = sides[0][0], sides[1][0]
        if self._just_met(one, other):
            return (*reasons, because("rematch"))
        between = pool[place[one] + 1 : place[other]]
        avoided = [(end, near) for near in between for end in (one, other) if self._just_met(end, near)]
        reasons += [because("rematch_avoided", who=avoided[0])] if avoided else []
        return tuple(reasons)


def _people(sides: Sides) -> Side:
    return sides[0] + sides[1]


def _in_groups(
    pool: Sequence[int], newest: Sequence[int], size: int, seat: Callable[[Sequence[int]], list[Sides]]
) -> list[Sides]:
    """Seat a pool that is in order of rank: groups of GROUP, the last up to twice that. Those too
    many wait, the newest first, unless the others of the last group cannot all be seated."""
    spare = set(newest[: len(pool) % size])
    bounds = [*range(0, max(GROUP, len(pool) - len(spare) - GROUP + 1), GROUP), len(pool)]
    stay = [one for one in pool if one not in spare]
    found: list[Sides] = []
    left: list[int] = []
    for start, end in pairwise(bounds):
        group = left + stay[start:end]
        tables = seat(group)
        left = _unseated(group, tables)
        if end == bounds[-1] and left and spare:
            tables = seat([one for one in pool if one in spare.union(group)])
        found += tables
    return found


def _unseated(group: Sequence[int], tables: Sequence[Sides]) -> list[int]:
    seated = {one for sides in tables for side in sides for one in side}
    return [one for one in group if one not in seated]


NEAR: Final = 10
TRIOS: Final = sorted(combinations(range(NEAR), 3), key=lambda trio: (trio[2], sum(trio)))
"""Whom the best of those left sits down with, the nearest first."""


class _Fours:
    """The most tables of four out of people by rank, near ones together. Up to eleven people are
    searched to the end, more until too many tables have been tried."""

    TRIES = 20_000

    def __init__(self, people: Sequence[int], split: Callable[[Sequence[int]], Sides | None]) -> None:
        self.people, self.split = people, split
        self.tables: list[Sides] = []
        self.best: list[Sides] = []
        self.tries = self.TRIES

    def search(self) -> list[Sides]:
        self._from(self.people)
        return self.best

    def _from(self, left: Sequence[int]) -> bool:
        """Whether the search is over."""
        if len(self.tables) > len(self.best):
            self.best = list(self.tables)
        if len(self.best) == len(self.people) // 4 or self.tries <= 0:
            return True
        if len(self.tables) + len(left) // 4 <= len(self.best):
            return False
        first, near = left[0], left[1 : 1 + NEAR]
        for trio in TRIOS:
            if trio[2] >= len(near):
                break
            self.tries -= 1
            sides = self.split((first, *(near[place] for place in trio)))
            if sides is None:
                continue
            self.tables.append(sides)
            if self._from([*(one for place, one in enumerate(near) if place not in trio), *left[1 + NEAR :]]):
                return True
            self.tables.pop()
        return self._from(left[1:])
