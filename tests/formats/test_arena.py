"""Arena: who is drawn when, and what it is worth."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import arena
from tournaments.formats.arena import AWAY, NO_SHOW, TICK, Moment, Row, Rules
from tournaments.formats.event import (
    CannotPair,
    Constraints,
    Draw,
    DrawnTable,
    Entrant,
    EventError,
    Result,
    Round,
    Side,
    Sides,
    State,
    Table,
    pair_of,
)
from tournaments.formats.matching import cheapest

TABLES = Path(__file__).parent / "tables"
FOURS = Rules(individuals=True)
WON, LOST, TIED = Result((10, 4), winner=0), Result((4, 10), winner=1), Result((6, 6))


def game(one: int, other: int, result: Result = WON, number: int = 1) -> Table:
    return Table(number, ((one,), (other,)), result)


def four(one: Side, other: Side, result: Result = WON, number: int = 1) -> Table:
    return Table(number, (one, other), result)


def moment(count: int, *ticks: Table | tuple[Table, ...], waits: float = 100, **more: object) -> Moment:
    """Entrants 1 to ``count``, all waiting, after ticks of one or several tables."""
    rounds = tuple(
        Round(number, (tables,) if isinstance(tables, Table) else tables) for number, tables in enumerate(ticks, 1)
    )
    known: dict[str, object] = {"tick": len(ticks) + 1, "waiting": dict.fromkeys(range(1, count + 1), waits)}
    return replace(Moment(tuple(Entrant(one, one) for one in range(1, count + 1)), rounds), **(known | more))  # type: ignore[arg-type]


def met(draw: Draw) -> set[frozenset[int]]:
    return {frozenset(table.seated) for table in draw.tables}


def pairs(*found: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(one) for one in found}


def row(rows: list[Row], entrant: int) -> Row:
    return next(one for one in rows if one.entrant == entrant)


# --- who is drawn


def test_who_is_in_the_pool() -> None:
    states: dict[int, State] = {5: "paused", 6: "withdrawn"}
    here = moment(
        9,
        playing=(DrawnTable(1, ((8,), (9,))),),
        away={1: AWAY - 1, 2: AWAY},
        waiting=dict.fromkeys(range(1, 10), 60.0) | {4: 60.0},
        constraints=Constraints(absent=frozenset({7})),
    )
    here = replace(
        here,
        entrants=tuple(
            Entrant(one.id, one.seed, states.get(one.id, "active"), joined=9 if one.id == 4 else 1)
            for one in here.entrants
        ),
    )
    draw = arena.pair(here)
    assert met(draw) == pairs((1, 3))
    assert [table.number for table in draw.tables] == [2]
    assert met(arena.pair(replace(here, tick=9))) & pairs((1, 3), (3, 4), (1, 4))
    assert said(arena.pair(replace(here, over=True)).notes) == ("The time is up: no more games are drawn.",)
    ready = {one: seconds for one, seconds in here.waiting.items() if one != 1}
    assert not arena.pair(replace(here, waiting=ready)).tables


@pytest.mark.parametrize(("seconds", "wait"), [(60, 15), (180, 24), (300, 36), (600, 50), (3000, 50)])
def test_waiting_rule(seconds: int, wait: float) -> None:
    rules = Rules(game_seconds=seconds)
    assert rules.wait == wait
    just, short = {1: wait, 2: wait, 3: 0.0}, {1: wait + 500, 2: wait - 1, 3: 0.0}
    assert len(arena.pair(moment(3, waiting=just), rules).tables) == 1
    held = arena.pair(moment(3, waiting=short), rules)
    assert not held.tables and said(held.notes) == ("3 waiting.",)
    assert not arena.pair(moment(100, waits=0), rules).tables
    assert len(arena.pair(moment(101, waits=0), rules).tables) == 50
    fours = replace(rules, individuals=True)
    assert not arena.pair(
        moment(8, waiting=dict.fromkeys(range(4, 9), 0.0) | dict.fromkeys((1, 2, 3), 99)), fours
    ).tables
    assert (
        len(
            arena.pair(
                moment(8, waiting=dict.fromkeys(range(5, 9), 0.0) | dict.fromkeys((1, 2, 3, 4), 99)), fours
            ).tables
        )
        == 2
    )


def test_rematches() -> None:
    two = arena.pair(moment(2, game(1, 2)))
    assert met(two) == pairs((1, 2))
    assert said(two.tables[0].reasons) == ("1st against 2nd", "a rematch: nobody else is there for them")
    busy = moment(4, game(1, 2), playing=(DrawnTable(3, ((3,), (4,))),))
    assert not arena.pair(busy).tables
    third = moment(3, game(1, 2), waiting={1: 60, 2: 60})
    assert met(arena.pair(third)) == pairs((1, 2)), "who is not ready is not active"
    # Nobody else, ever: the third shall meet neither of them.
    kept = Constraints(never_opponents=frozenset({pair_of(1, 3), pair_of(2, 3)}))
    assert met(arena.pair(moment(3, game(1, 2), constraints=kept))) == pairs((1, 2))
    half = Constraints(never_opponents=frozenset({pair_of(1, 3)}))
    assert met(arena.pair(moment(3, game(1, 2), constraints=half))) == pairs((2, 3))
    # A game that is void was not played.
    assert met(arena.pair(moment(4, game(3, 4), game(1, 2, Result(outcome="void"))))) == pairs((1, 3), (2, 4))


def test_near_ranks_and_why() -> None:
    played = (game(1, 2), game(3, 4, number=2), game(5, 6, number=3))
    draw = arena.pair(moment(6, played))
    order = [one.entrant for one in arena.standings(moment(6, played))]
    assert order == [1, 3, 5, 2, 4, 6]
    assert met(draw) == pairs((1, 3), (5, 2), (4, 6))
    after = arena.pair(moment(4, (game(1, 3), game(2, 4, number=2)), (game(1, 2), game(3, 4, number=2))))
    assert met(after) == pairs((1, 3), (2, 4))
    reasons = {frozenset(table.seated): said(table.reasons) for table in after.tables}
    assert reasons[pair_of(1, 3)] == ("1st against 3rd", "rematch avoided: #1 and #2")
    # 2 met 1 last, though 1 has met 3 since.
    draw = arena.pair(moment(4, game(1, 2), game(1, 3)))
    reasons = {frozenset(table.seated): said(table.reasons) for table in draw.tables}
    assert reasons[pair_of(1, 4)] == ("1st against 4th", "rematch avoided: #1 and #2")


def test_the_newest_waits() -> None:
    waits = {1: 90.0, 2: 5.0, 3: 80.0, 4: 70.0, 5: 60.0}
    assert met(arena.pair(moment(5, waiting=waits))) == pairs((1, 3), (4, 5))
    # The others are an opponent short without him: then somebody else waits.
    just_met = moment(3, game(1, 2), waiting={1: 90, 2: 80, 3: 10})
    assert met(arena.pair(just_met)) == pairs((1, 3))
    many = moment(205, waiting=dict.fromkeys(range(1, 206), 60.0) | {17: 1.0})
    assert set(range(1, 206)) - frozenset().union(*met(arena.pair(many))) == {17}


def two(dice: random.Random, people: Sequence[int]) -> tuple[int, int]:
    one, other = dice.sample(people, 2)
    return one, other


def brute(people: list[int], barred: set[frozenset[int]]) -> int:
    """The most games there can be."""
    if len(people) < 2:
        return 0
    first, rest = people[0], people[1:]
    most = brute(rest, barred)
    for other in rest:
        if frozenset((first, other)) not in barred:
            most = max(most, 1 + brute([one for one in rest if one != other], barred))
    return most


def test_small_pools() -> None:
    for lot in range(scale(3_000, 150)):
        small_pool_exactly(lot)


def small_pool_exactly(lot: int) -> None:
    """With few waiting, whoever has met whom: as many games as there can be."""
    dice = random.Random(lot)
    count = dice.randrange(2, 8)
    ticks = []
    for _tick in range(dice.randrange(8)):
        ticks.append(game(*two(dice, range(1, count + 1)), dice.choice([WON, LOST, TIED])))
    never = frozenset(pair_of(*two(dice, range(1, count + 1))) for _ in range(dice.randrange(3)))
    here = moment(count, *ticks, constraints=Constraints(never_opponents=never))
    last: dict[int, int] = {}
    for table in ticks:
        one, other = table.seated
        last.update({one: other, other: one})
    barred = {pair_of(*each) for each in last.items()} | never
    games = met(arena.pair(here, seed=lot))
    assert not games & never
    rematches = games & barred
    for one, other in rematches:
        assert all(
            pair_of(one, each) in never and pair_of(other, each) in never
            for each in range(1, count + 1)
            if each not in (one, other)
        )
    assert len(games) >= brute(list(range(1, count + 1)), barred)


def test_least_cost() -> None:
    for lot in range(scale(1_000, 40)):
        of_least_cost(lot)


def of_least_cost(lot: int) -> None:
    """Trying only near opponents loses nothing: the complete graph has no better draw."""
    dice = random.Random(lot)
    count = 2 * dice.randrange(2, 20)
    everybody = list(range(1, count + 1))
    ticks: list[Table] = []
    for _ in range(dice.randrange(1, 4 * count)):
        ticks.append(game(*two(dice, everybody[:: dice.choice([1, 3])]), dice.choice([WON, LOST])))
    dense = dice.choice([0, count, 4 * count])
    never = frozenset(pair_of(*two(dice, everybody)) for _ in range(dense))
    here = moment(count, *ticks, constraints=Constraints(never_opponents=never))
    order = [one.entrant for one in sorted(arena.standings(here), key=lambda one: (one.rank, one.entrant))]
    last: dict[int, int] = {}
    for table in ticks:
        one, other = table.seated
        last.update({one: other, other: one})
    lonely = {
        pair
        for pair in (pair_of(*each) for each in last.items())
        if all({pair_of(one, other) for one in pair} <= never for other in everybody if other not in pair)
    }
    barred = ({pair_of(*each) for each in last.items()} - lonely) | never
    bottom = count - 1
    edges = [
        (one, other, (300 + 1700 * (bottom - one) // bottom) * (other - one))
        for one, other in combinations(range(count), 2)
        if pair_of(order[one], order[other]) not in barred
    ]
    least = {(one, other): cost for one, other, cost in edges}
    best = cheapest(count, *np.array(edges, dtype=np.int64).reshape(-1, 3).T)
    draw = arena.pair(here)
    place = {entrant: at for at, entrant in enumerate(order)}
    found = [least[min(two), max(two)] for two in ([place[one] for one in table.seated] for table in draw.tables)]
    assert len(found) == len(best)
    if 2 * len(best) == count:
        assert sum(found) == sum(least[two] for two in best)


def test_leaders_meet() -> None:
    """Of two draws that are as near, the one that is nearer for the leaders."""
    games = [game(1, 2), game(3, 4, number=2), game(5, 6, number=3)]
    apart = Constraints(never_opponents=frozenset({pair_of(1, 3)}))
    here = moment(300, tuple(games), constraints=apart)
    draw = arena.pair(here)
    assert len(draw.tables) == 150
    ranks = {one.entrant: place for place, one in enumerate(arena.standings(here))}
    spans = [abs(ranks[table.seated[0]] - ranks[table.seated[1]]) for table in draw.tables]
    assert max(spans) <= 3


def test_someone_left_over_goes_on_to_the_next_group() -> None:
    """In the first hundred one may meet nobody of the hundred."""
    kept = frozenset(pair_of(1, other) for other in range(2, 101))
    draw = arena.pair(moment(200, constraints=Constraints(never_opponents=kept)))
    assert len(draw.tables) == 100
    assert next(max(two) for two in met(draw) if 1 in two) > 100


def test_same_draw() -> None:
    here = moment(30, game(1, 2))
    assert arena.pair(here, seed=5) == arena.pair(here, seed=5)
    first_seats = {arena.pair(here, seed=seed).tables[0].sides for seed in range(20)}
    assert len(first_seats) == 2


# --- individuals


def test_fours() -> None:
    draw = arena.pair(moment(8), FOURS)
    assert [set(table.sides) for table in draw.tables] == [{(1, 4), (2, 3)}, {(5, 8), (6, 7)}]
    again = arena.pair(moment(4, four((1, 4), (2, 3))), FOURS)
    # The ranks are now 1 4 2 3.
    assert {frozenset(side) for side in again.tables[0].sides} == pairs((1, 3), (2, 4))
    twice = arena.pair(moment(4, four((1, 3), (2, 4)), four((1, 2), (3, 4), LOST)), FOURS)
    assert not {frozenset(side) for side in twice.tables[0].sides} & pairs((1, 2), (3, 4))


def test_partners_parted_tells_why() -> None:
    # Ranks 1 2 3 4 after these games, 1 and 4 partners of the last one.
    ticks = (four((1, 2), (3, 4)), four((1, 3), (2, 4)), four((1, 4), (2, 3)))
    here = moment(4, *ticks)
    assert [one.entrant for one in arena.standings(here, FOURS)] == [1, 2, 3, 4]
    (table,) = arena.pair(here, FOURS).tables
    assert {frozenset(side) for side in table.sides} == pairs((1, 3), (2, 4))
    assert said(table.reasons)[1:] == (
        "partners of the last game parted: #1 and #4",
        "partners of the last game parted: #2 and #3",
    )


def legal_four(people: tuple[int, ...], partners: dict[int, int]) -> bool:
    one, *rest = people
    for mate in rest:
        left = [other for other in rest if other != mate]
        if all(partners.get(a) != b and partners.get(b) != a for a, b in ((one, mate), (left[0], left[1]))):
            return True
    return False


def most_fours(people: tuple[int, ...], partners: dict[int, int]) -> int:
    if len(people) < 4:
        return 0
    most = most_fours(people[1:], partners)
    for trio in combinations(people[1:], 3):
        if legal_four((people[0], *trio), partners):
            most = max(most, 1 + most_fours(tuple(one for one in people[1:] if one not in trio), partners))
    return most


def test_fours_to_the_end() -> None:
    for lot in range(scale(2_000, 120)):
        fours_to_the_end(lot)


def fours_to_the_end(lot: int) -> None:
    """Up to eleven waiting, whoever partnered whom: as many tables as there can be."""
    dice = random.Random(lot)
    count = dice.randrange(4, 10)
    ticks, partners = [], {}
    for _ in range(dice.randrange(9)):
        a, b, c, d = (
            dice.sample(range(1, count + 1), 4) if dice.random() < 0.5 else [1, *dice.sample(range(2, count + 1), 3)]
        )
        ticks.append(four((a, b), (c, d), dice.choice([WON, LOST])))
        partners.update({a: b, b: a, c: d, d: c})
    draw = arena.pair(moment(count, *ticks), FOURS, lot)
    for table in draw.tables:
        for one, other in table.sides:
            assert partners.get(one) != other and partners.get(other) != one
    assert len(draw.tables) == most_fours(tuple(range(1, count + 1)), partners)


def test_the_newest_of_five_waits_unless_he_is_needed() -> None:
    waits = dict.fromkeys(range(1, 6), 90.0) | {2: 60.0}
    assert met(arena.pair(moment(5, waiting=waits), FOURS)) == pairs((1, 3, 4, 5))
    # 1 was the last partner of 3, 4 and 5: he can be with no two of them.
    ticks = (four((3, 1), (6, 7)), four((4, 1), (6, 7)), four((5, 1), (6, 7)))
    draw = arena.pair(moment(7, *ticks, waiting=waits), FOURS)
    assert len(draw.tables) == 1 and 2 in draw.tables[0].seated


def kept_apart(pairs: Iterable[tuple[int, int]]) -> Constraints:
    """No two of these at one table."""
    kept = frozenset(pair_of(*two) for two in pairs)
    return Constraints(never_opponents=kept, never_together=kept)


def test_the_nearest_four_give_way() -> None:
    draw = arena.pair(moment(8, constraints=kept_apart([(5, 7)])), FOURS)
    assert met(draw) == pairs((1, 2, 3, 5), (4, 6, 7, 8))


def test_hopeless_fours_end() -> None:
    """Where nearly nobody may sit with anybody, the search gives up with what it has."""
    draw = arena.pair(moment(40, constraints=kept_apart(combinations(range(12, 41), 2))), FOURS)
    assert 2 <= len(draw.tables) <= 3


# --- wishes


def test_wishes() -> None:
    by_hand: Sides = ((2,), (5,))
    wishes = Constraints(tables=(by_hand,), fixed_table={3: 7, 1: 9})
    draw = arena.pair(moment(6, waits=60, constraints=wishes))
    assert pair_of(2, 5) in met(draw) and pair_of(1, 3) not in met(draw)
    assert {3: 7, 1: 9}.items() <= {one: table.number for table in draw.tables for one in table.seated}.items()
    assert said(next(table for table in draw.tables if 2 in table.seated).reasons) == ("put together by hand",)
    # Tables by hand are drawn at once, the others when it is time.
    assert met(arena.pair(moment(6, waits=0, constraints=wishes))) == pairs((2, 5))
    # Who cannot leave a table that is being played at waits for it.
    busy = moment(4, playing=(DrawnTable(7, ((5,), (6,))),), constraints=Constraints(fixed_table={3: 7}))
    assert 3 not in {one for table in arena.pair(busy).tables for one in table.seated}
    at_once = replace(busy, constraints=Constraints(fixed_table={3: 7}, tables=(((3,), (1,)),)))
    with pytest.raises(CannotPair, match="by #3 and #1, who cannot all sit there: it is that of #5 and #6"):
        arena.pair(at_once)
    for wrong, words in (
        (Constraints(byes=(1,)), "An arena has no byes, but #1 is given one"),
        (Constraints(always_together=frozenset({pair_of(1, 2)})), "nobody is joined"),
        (Constraints(tables=(((1,), (9,)),)), "not here"),
        (Constraints(fixed_table={1: 4, 4: 4}), "both to stay at table 4"),
        (Constraints(fixed_table={1: 4, 2: 5}, tables=(((1,), (2,)),)), "who cannot all sit there"),
    ):
        with pytest.raises(CannotPair, match=words):
            arena.pair(moment(6, constraints=wrong))


def test_wishes_of_individuals() -> None:
    wishes = Constraints(
        always_together=frozenset({pair_of(1, 2)}),
        never_together=frozenset({pair_of(3, 4)}),
        never_opponents=frozenset({pair_of(5, 6)}),
        fixed_table={4: 3, 1: 5},
    )
    ticks: tuple[Table, ...] = ()
    for _ in range(12):
        draw = arena.pair(moment(8, *ticks, constraints=wishes), FOURS)
        assert len(draw.tables) == 2
        sides = {frozenset(side) for table in draw.tables for side in table.sides}
        assert pair_of(1, 2) in sides and pair_of(3, 4) not in sides
        for table in draw.tables:
            assert {5, 6} & set(table.seated) in ({5, 6}, {5}, {6}, set())
            assert not (5 in table.seated and 6 in table.seated) or pair_of(5, 6) in sides
            assert (4 in table.seated) == (table.number == 3) and (1 in table.seated) == (table.number == 5)
        ticks += tuple(Table(table.number, table.sides, WON) for table in draw.tables[:1])
    # Who has a partner for good waits for him.
    alone = moment(6, waiting=dict.fromkeys((1, 3, 4, 5, 6), 99.0))
    wishes = Constraints(always_together=frozenset({pair_of(1, 2)}))
    assert met(arena.pair(replace(alone, constraints=wishes), FOURS)) == pairs((3, 4, 5, 6))


# --- a night of many ticks


class Night:
    """An arena played through, everybody a little unreliable. Keeps its own memory of who met whom
    and checks every draw against it."""

    def __init__(self, count: int, rules: Rules, seed: int) -> None:
        self.dice, self.rules = random.Random(seed), rules
        self.state: dict[int, State] = dict.fromkeys(range(1, count + 1), "active")
        self.since = dict.fromkeys(self.state, 0)
        self.away = dict.fromkeys(self.state, 0)
        self.playing: list[tuple[DrawnTable, int, int]] = []
        self.ended: dict[int, list[Table]] = {}
        self.opponents: dict[int, Side] = {}
        self.partners: dict[int, int] = {}
        self.games = self.rematches = 0

    def busy(self) -> set[int]:
        return {one for table, _drawn, _ends in self.playing for one in table.seated}

    def moment(self, tick: int) -> Moment:
        return Moment(
            tuple(Entrant(one, one, state) for one, state in self.state.items()),
            tuple(Round(number, tuple(tables)) for number, tables in sorted(self.ended.items())),
            tick=tick,
            waiting={one: float(TICK * (tick - since)) for one, since in self.since.items() if one not in self.busy()},
            playing=tuple(table for table, _drawn, _ends in self.playing),
            away=self.away,
        )

    def end(self, tick: int) -> None:
        for table, drawn, ends in [one for one in self.playing if one[2] <= tick]:
            self.playing.remove((table, drawn, ends))
            result = self.dice.choice([WON, LOST])
            if self.dice.random() < 0.03:
                missing = {self.dice.choice(table.seated)}
                shown = arena.no_show(table.sides, set(table.seated) - missing, 60)
                assert shown is not None
                result = shown
                self.state.update(dict.fromkeys(missing, "paused"))
            self.ended.setdefault(drawn, []).append(Table(table.number, table.sides, result))
            for side, others in (table.sides, table.sides[::-1]):
                self.opponents.update(dict.fromkeys(side, others))
                if len(side) == 2:
                    self.partners.update({side[0]: side[1], side[1]: side[0]})
            self.since.update(dict.fromkeys(table.seated, tick))

    def wander(self, tick: int) -> None:
        for one, state in self.state.items():
            if self.dice.random() < (0.01 if state == "active" else 0.1):
                self.state[one] = "paused" if state == "active" else "active"
                self.since[one] = tick
            self.away[one] = self.away[one] + 1 if self.dice.random() < (0.7 if self.away[one] else 0.03) else 0

    def legal(self, people: tuple[int, ...]) -> bool:
        if self.rules.individuals:
            return legal_four(people, self.partners)
        one, other = people
        return other not in self.opponents.get(one, ()) and one not in self.opponents.get(other, ())

    def step(self, tick: int) -> None:
        self.end(tick)
        self.wander(tick)
        here = self.moment(tick)
        draw = arena.pair(here, self.rules, tick)
        pool = {one for one in here.waiting if self.state[one] == "active" and self.away[one] < AWAY}
        active = {one for one in self.state if self.state[one] == "active" and one in pool} | self.busy()
        seated: set[int] = set()
        for table in draw.tables:
            assert not seated & set(table.seated) and set(table.seated) <= pool
            seated.update(table.seated)
            if not self.rules.individuals and not self.legal(table.seated):
                assert len(active) == 2
                self.rematches += 1
            if self.rules.individuals:
                assert all(self.partners.get(a) != b and self.partners.get(b) != a for a, b in table.sides)
        patient = [one for one in sorted(pool - seated) if here.waiting[one] >= self.rules.wait + TICK]
        assert not any(self.legal(people) for people in combinations(patient, self.rules.table_size))
        numbers = [table.number for table in draw.tables] + [table.number for table in here.playing]
        assert len(set(numbers)) == len(numbers)
        self.games += len(draw.tables)
        self.playing += [(table, tick, tick + self.dice.randrange(3, 30)) for table in draw.tables]

    def check_standings(self, tick: int) -> None:
        rows = arena.standings(self.moment(tick), self.rules)
        assert sorted(one.entrant for one in rows) == sorted(self.state)
        assert all(one.score == sum(one.sheet) for one in rows)
        if not self.rules.individuals:
            assert sum(one.games for one in rows) == 2 * sum(
                table.result.played for tables in self.ended.values() for table in tables
            )
        ranks = [one.rank for one in rows if one.rank is not None]
        assert ranks == sorted(ranks) and ranks[0] == 1


@pytest.mark.parametrize(
    ("count", "individuals"),
    [
        (2, False),
        (3, False),
        (4, False),
        (5, False),
        (7, False),
        (12, False),
        (31, False),
        (4, True),
        (6, True),
        (9, True),
        (25, True),
    ],
)
def test_nobody_is_left_idle(count: int, individuals: bool) -> None:
    """Thousands of ticks: no rematch with three active, no partner twice running, nobody drawn who
    is away, paused or playing, and nobody left waiting longer than the rule who could play."""
    rematches = 0
    for seed in range(scale(40, 8 if count <= 5 else 3 if count < 10 else 1)):
        night = Night(count, Rules(180, individuals=individuals), seed)
        for tick in range(1, 161):
            night.step(tick)
        night.check_standings(161)
        assert night.games >= (count if count > 4 or not individuals else 2)
        rematches += night.rematches
    assert rematches or individuals or count > 3


# --- what it is worth


def sheet(results: str, rules: Rules = arena.DEFAULT) -> Row:
    how = {"W": WON, "D": TIED, "L": LOST}
    ticks = [game(1, 2, how[result]) for result in results]
    return row(arena.standings(moment(2, *ticks), rules), 1)


def test_published_sheets() -> None:
    published = json.loads((TABLES / "arena_scoring.json").read_text())["examples"]
    assert [sheet(one["results"]).score for one in published] == [one["points"] for one in published]
    assert sheet("WLWWDWWWW").sheet == (2, 0, 2, 2, 2, 2, 2, 4, 4)
    assert sheet("WWW").on_streak and not sheet("WWWL").on_streak and not sheet("W").on_streak
    flat = sheet("WWWW", Rules(streaks=False))
    assert flat.score == 8 and not flat.on_streak and flat.wins == flat.games == 4


def test_started_before_the_end() -> None:
    ticks = (game(1, 2), game(1, 2, number=4))
    here = moment(2, *ticks, late=frozenset({(2, 4)}))
    assert row(arena.standings(here), 1).score == 4
    assert row(arena.standings(here, Rules(late_games=False)), 1).sheet == (2,)
    void = moment(2, *ticks, game(1, 2, Result(outcome="void")))
    assert row(arena.standings(void), 1).score == 4


def test_no_show() -> None:
    sides: Sides = ((1,), (2,))
    assert arena.no_show(sides, {1}, 59) is None
    assert arena.no_show(sides, {1, 2}, 600) is None
    result = arena.no_show(sides, {1}, 60)
    assert result == Result(outcome="forfeit", absent=1, winner=0, counters={NO_SHOW: {2: 1}})
    both = arena.no_show(sides, set(), 60)
    assert both is not None and both.outcome == "double_forfeit"
    # Two wins, a win by default, a win: the one by default is outside the streak.
    here = moment(3, game(1, 3), game(1, 3), game(1, 2, result), game(1, 3), game(3, 2, both))
    rows = arena.standings(here)
    winner, absent = row(rows, 1), row(rows, 2)
    assert winner.sheet == (2, 2, 2, 4) and winner.games == 3 and winner.wins == 4
    assert absent.sheet == (0, 0) and absent.games == 0 and absent.performance is None
    # Without names the whole side had not come.
    unnamed = Result(outcome="forfeit", absent=0)
    rows = arena.standings(moment(4, four((1, 2), (3, 4), unnamed)), FOURS)
    assert [row(rows, one).sheet for one in (1, 2, 3, 4)] == [(0,), (0,), (2,), (2,)]


def test_no_show_of_an_individual() -> None:
    sides: Sides = ((1, 2), (3, 4))
    result = arena.no_show(sides, {1, 3, 4}, 60)
    assert result is not None and result.absent == 0
    rows = arena.standings(moment(4, four((1, 2), (3, 4)), four(*sides, result), four((1, 3), (2, 4))), FOURS)
    assert row(rows, 1).sheet == (2, 2), "his partner did not come: nothing for him, and no end of a streak"
    assert row(rows, 2).sheet == (2, 0, 0) and row(rows, 3).sheet == (0, 2, 2)
    at_once = arena.pair(moment(5, four(*sides, result), waits=0), FOURS)
    assert said(at_once.notes)[0] == "Drawn at once: #3, #4 and #1 had been left sitting."
    both = arena.no_show(sides, {1, 3}, 60)
    assert both is not None
    rows = arena.standings(moment(4, four(*sides, both)), FOURS)
    assert [row(rows, one).sheet for one in (1, 2, 3, 4)] == [(), (0,), (), (0,)]


def test_drawn_at_once() -> None:
    result = Result(outcome="forfeit", absent=1, winner=0)
    here = moment(3, game(1, 2, result), waits=0)
    draw = arena.pair(replace(here, entrants=(Entrant(1, 1), Entrant(2, 2, "paused"), Entrant(3, 3))))
    assert met(draw) == pairs((1, 3))
    assert said(draw.notes) == ("Drawn at once: #1 had been left sitting.",)
    assert not arena.pair(moment(3, game(1, 2), waits=0)).tables
    # With nobody else there he waits.
    alone = replace(here, entrants=(Entrant(1, 1), Entrant(2, 2, "paused")), waiting={1: 0.0})
    assert not arena.pair(alone).tables


def test_rank_ties() -> None:
    ratings = {5: 1700, 6: 1600}
    won = [game(1, 5), game(2, 6, number=2), game(3, 6, Result((10, 1), winner=0), number=3)]
    rows = arena.standings(moment(6, tuple(won), ratings=ratings))
    assert [one.entrant for one in rows[:3]] == [1, 3, 2], "performance, then points difference"
    assert [one.performance for one in rows[:3]] == [2200, 2100, 2100]
    level = arena.standings(moment(6, (game(1, 5), game(2, 6, number=2))))
    assert [(one.rank, one.entrant) for one in level] == [(1, 1), (1, 2), (3, 5), (3, 6), (5, 3), (5, 4)]
    # 2 and 3 have nothing to show but 2 has played more often for it.
    fewer = arena.standings(moment(4, game(1, 2), game(4, 2, TIED), game(1, 2), game(4, 3, LOST), game(1, 3)))
    assert row(fewer, 3).games < row(fewer, 2).games
    fours = arena.standings(moment(4, four((1, 2), (3, 4)), ratings={3: 1501, 4: 1502}), FOURS)
    assert row(fours, 1).performance == 2002, "half up"


def test_somebody_unknown() -> None:
    with pytest.raises(EventError, match="seats #7, not among the entrants"):
        arena.standings(moment(4, game(1, 7)))


def test_no_game_ranks_below() -> None:
    absent = Result(outcome="forfeit", absent=1, winner=0)
    ticks = (game(1, 2), game(3, 4, absent), game(2, 6, LOST))
    states: dict[int, State] = {6: "withdrawn", 1: "disqualified"}
    here = moment(6, *ticks)
    here = replace(here, entrants=tuple(Entrant(one, one, states.get(one, "active")) for one in range(1, 7)))
    rows = arena.standings(here)
    assert [(one.rank, one.entrant) for one in rows] == [(1, 3), (2, 2), (3, 4), (3, 5), (None, 1), (None, 6)]
    kept = arena.standings(here, Rules(rank_withdrawn=True))
    assert [one.entrant for one in kept] == [6, 3, 2, 4, 5, 1] and kept[-1].rank is None
