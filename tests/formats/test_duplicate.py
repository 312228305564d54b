"""Duplicate: who plays which deals, and what their results are worth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest

from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import duplicate
from tournaments.formats.duplicate import Row, Rules, Score, score_deal
from tournaments.formats.duplicate_movements import deals_of
from tournaments.formats.event import (
    BadScore,
    CannotPair,
    Constraints,
    Draw,
    Entrant,
    EventError,
    NotPlayed,
    Result,
    Round,
    Sides,
    Snapshot,
    Table,
    pair_of,
)
from tournaments.formats.scores import HandPoints

HOWELL, MITCHELL, BAROMETER = Rules("howell"), Rules("mitchell"), Rules()
SHARED = Rules("mitchell", share=True)
WHIST: tuple[tuple[Sides, ...], ...] = tuple(
    ((((1 + r) % 7, (3 + r) % 7), ((4 + r) % 7, (5 + r) % 7)), (((2 + r) % 7, (6 + r) % 7), (7, r))) for r in range(7)
)
NEITHER, NORTH, EAST, BOTH = (NotPlayed(frozenset(at_fault)) for at_fault in ((), (0,), (1,), (0, 1)))


def start(count: int, **more: object) -> Snapshot:
    return replace(Snapshot(tuple(Entrant(one, one) for one in range(1, count + 1))), **more)  # type: ignore[arg-type]


def played(draw: Draw, rules: Rules, dice: random.Random) -> Round:
    """The round with some result for every deal."""
    tables = []
    for table in draw.tables:
        number = int(table.label[1:])
        deals: dict[int, Score] = {deal: dice.choice([-4, -2, -1, 1, 2, 4]) for deal in deals_of(number, rules.deals)}
        tables.append(Table(table.number, table.sides, duplicate.result(deals, number, rules), table.label))
    return Round(draw.round, tuple(tables), rests=draw.rests)


def play(snapshot: Snapshot, rules: Rules, rounds: int, seed: int = 0) -> Snapshot:
    dice = random.Random(seed)
    for _ in range(rounds):
        draw = duplicate.pair(snapshot, rules, seed)
        snapshot = replace(snapshot, rounds=(*snapshot.rounds, played(draw, rules, dice)))
    return snapshot


def over(snapshot: Snapshot, rules: Rules, seed: int = 0) -> Snapshot:
    """The event played to its end."""
    return play(snapshot, rules, len(duplicate.movement(snapshot, rules).rounds) - len(snapshot.rounds), seed)


def met(snapshot: Snapshot) -> Counter[frozenset[int]]:
    return Counter(pair_of(table.sides[0][0], table.sides[1][0]) for _round, table in snapshot.tables())


def row(rows: Sequence[Row], entrant: int) -> Row:
    return next(one for one in rows if one.entrant == entrant)


def change(snapshot: Snapshot, entrant: int, **more: object) -> Snapshot:
    return replace(
        snapshot,
        entrants=tuple(replace(one, **more) if one.id == entrant else one for one in snapshot.entrants),  # type: ignore[arg-type]
    )


# --- places and draws


def test_places() -> None:
    assert duplicate.places(start(8), HOWELL) == {one: one - 1 for one in range(1, 9)}
    lines = duplicate.places(start(7), MITCHELL)
    assert [one for one in lines if lines[one] < 4] == [1, 3, 5, 7] and lines[2] == 4
    by_lot = replace(HOWELL, by_lot=True)
    drawn = {tuple(sorted(duplicate.places(start(8), by_lot, seed).items())) for seed in range(9)}
    assert len(drawn) == 9
    assert duplicate.places(start(8), by_lot, 3) == duplicate.places(start(8), by_lot, 3)
    # Who left before the start has no place.
    assert set(duplicate.places(change(start(9), 4, left=1, state="withdrawn"), HOWELL)) == {1, 2, 3, 5, 6, 7, 8, 9}


@pytest.mark.parametrize("rules", [HOWELL, MITCHELL, SHARED, BAROMETER], ids=["howell", "mitchell", "shared", "baro"])
@pytest.mark.parametrize("count", [4, 6, 7, 8, 11, 12, 14])
def test_draws_are_the_movement(count: int, rules: Rules) -> None:
    snapshot = over(start(count), rules, seed=count)
    times = met(snapshot)
    assert set(times.values()) == {1}
    had = Counter(
        (one, deal)
        for _round, table in snapshot.tables()
        for side in table.sides
        for one in side
        for deal in table.result.deals
    )
    assert set(had.values()) == {1}
    if rules.movement != "mitchell":
        assert len(times) == count * (count - 1) // 2
    rests = Counter(one for round_ in snapshot.rounds for one in round_.rests)
    assert max(rests.values(), default=0) <= 1
    assert all(len(round_.rests) == count % 2 for round_ in snapshot.rounds)
    with pytest.raises(CannotPair, match=f"All {len(snapshot.rounds)} rounds of this movement are played"):
        duplicate.pair(snapshot, rules, count)
    assert sum(len(one.terms) for one in duplicate.standings(snapshot, rules)) == had.total()


def test_what_a_table_says() -> None:
    draw = duplicate.pair(start(16), SHARED)
    assert draw.tables[0].label == "S1" and draw.tables[7].label == "S1"
    assert said(draw.tables[0].reasons) == ("deals 1 to 2", "shares its deals with table 8")
    assert draw.tables[4].label == "S6" and said(draw.tables[4].reasons) == ("deals 11 to 12",)
    assert said(draw.notes) == ("Half way up, set 5 rests between two tables.",)
    assert said(duplicate.pair(start(8), replace(BAROMETER, deals=1)).tables[3].reasons) == ("deal 1",)
    with pytest.raises(CannotPair, match="All 2 rounds"):
        duplicate.pair(play(start(8, planned=2), HOWELL, 2), HOWELL)
    with pytest.raises(EventError, match="at least one deal"):
        Rules(deals=0)


def test_sitting_out() -> None:
    rules = replace(HOWELL, deals=3)
    snapshot = over(start(9), rules)
    draw = duplicate.pair(start(9), rules)
    assert len(draw.tables) == 4 and said(draw.notes) == (f"Sitting out, with the own average: #{draw.rests[0]}.",)
    for one in duplicate.standings(snapshot, rules):
        assert one.mean is not None
        assert len(one.terms) == 24 and one.credit == 3 * one.mean and one.total == 27 * one.mean
    # Somebody is absent for a round, somebody leaves: the opponents sit out.
    away = replace(play(start(8), rules, 1), constraints=Constraints(absent=frozenset({3})))
    draw = duplicate.pair(away, rules)
    assert len(draw.tables) == 3 and len(draw.rests) == 1 and 3 not in draw.rests
    gone = duplicate.pair(change(play(start(8), rules, 1), 3, state="withdrawn", left=2), rules)
    assert gone.tables == draw.tables and gone.rests == draw.rests
    nothing = duplicate.standings(start(4), rules)
    assert all(one.rank == 1 and one.mean is None and one.percent is None and not one.total for one in nothing)


def test_late_entry() -> None:
    snapshot = play(start(7), HOWELL, 2)
    late = replace(snapshot, entrants=(*snapshot.entrants, Entrant(8, 8, joined=3)))
    assert duplicate.places(late, HOWELL)[8] == 7
    draw = duplicate.pair(late, HOWELL)
    assert len(draw.tables) == 4 and not draw.rests
    full = over(late, HOWELL)
    assert len(row(duplicate.standings(full, HOWELL), 8).terms) == 5 * HOWELL.deals
    too_late = replace(late, entrants=(*late.entrants, Entrant(9, 9, joined=3)))
    with pytest.raises(CannotPair, match="#9 is too late"):
        duplicate.pair(too_late, HOWELL)
    with pytest.raises(CannotPair, match="#9 is too late"):
        duplicate.places(change(too_late, 2, state="withdrawn", left=4), HOWELL)
    # Somebody leaves: his place is free from then on, and so is that of a successor who leaves.
    left = change(too_late, 2, state="withdrawn", left=3)
    assert duplicate.places(left, HOWELL)[9] == 1
    again = play(left, HOWELL, 1)
    again = change(again, 9, state="withdrawn", left=4)
    again = replace(again, entrants=(*again.entrants, Entrant(10, 10, joined=4)))
    assert duplicate.places(again, HOWELL)[10] == 1
    assert len(duplicate.pair(again, HOWELL).tables) == 4


def test_fixed_tables() -> None:
    wishes = Constraints(fixed_table={5: 3, 2: 1})
    snapshot = over(start(12, constraints=wishes), MITCHELL)
    for _round, table in snapshot.tables():
        for entrant, number in wishes.fixed_table.items():
            assert (entrant in table.sides[0]) == (table.number == number)
    for wrong in ({5: 7}, {5: 0}, {5: 2, 6: 2}):
        with pytest.raises(CannotPair, match="where nobody can"):
            duplicate.pair(start(12, constraints=Constraints(fixed_table=wrong)), MITCHELL)
    howell = over(start(12, constraints=Constraints(fixed_table={5: 3})), HOWELL)
    assert {table.number for _round, table in howell.tables() if 5 in table.seated} == {3}
    assert len(met(howell)) == 66
    for round_ in howell.rounds:
        assert [table.number for table in round_.tables] == [1, 2, 3, 4, 5, 6]
    unknown = start(8, constraints=Constraints(fixed_table={99: 3}))
    assert duplicate.pair(unknown, HOWELL) == duplicate.pair(start(8), HOWELL)
    with pytest.raises(CannotPair, match="one pair can stay, not #2 and #5"):
        duplicate.pair(start(12, constraints=wishes), HOWELL)
    online = duplicate.pair(start(12, constraints=Constraints(fixed_table={5: 3, 6: 9})), BAROMETER)
    assert {one: table.number for table in online.tables for one in table.seated if one in (5, 6)} == {5: 3, 6: 9}


def test_never_opponents() -> None:
    wishes = Constraints(never_opponents=frozenset({pair_of(1, 2), pair_of(3, 2), pair_of(5, 6), pair_of(1, 99)}))
    snapshot = over(start(12, constraints=wishes), MITCHELL)
    assert not set(met(snapshot)) & wishes.never_opponents
    stays = over(start(12, constraints=replace(wishes, fixed_table={2: 4, 6: 1})), MITCHELL)
    assert not set(met(stays)) & wishes.never_opponents
    chain = frozenset(pair_of(one, one + 1) for one in range(1, 8))
    with pytest.raises(CannotPair, match="one line has no room"):
        duplicate.pair(start(12, constraints=Constraints(never_opponents=chain)), MITCHELL)
    apart = Constraints(never_opponents=frozenset({pair_of(3, 4)}))
    late = next(
        round_.number
        for round_ in over(start(8), HOWELL).rounds
        for table in round_.tables
        if {3, 4} == set(table.seated)
    )
    with pytest.raises(CannotPair, match=f"#3 and #4 shall be kept apart, but round {late} brings"):
        duplicate.pair(start(8, constraints=apart), HOWELL)
    play(start(8, constraints=apart, planned=late - 1), HOWELL, late - 1)


def test_wishes_refused() -> None:
    for wishes, words in (
        (Constraints(tables=(((1,), (2,)),)), "not by hand"),
        (Constraints(byes=(1,)), "not by hand"),
        (Constraints(always_together=frozenset({pair_of(1, 2)})), "joins nobody"),
    ):
        with pytest.raises(CannotPair, match=words):
            duplicate.pair(start(8, constraints=wishes), HOWELL)


def test_places_stay() -> None:
    snapshot = play(start(8), HOWELL, 2)
    with pytest.raises(CannotPair, match="Round 1 was not played as this movement has it"):
        duplicate.pair(change(snapshot, 3, seed=9), HOWELL)
    with pytest.raises(CannotPair, match="Round 1 was not played"):
        duplicate.pair(replace(snapshot, entrants=(*snapshot.entrants[1:],)), HOWELL)
    assert duplicate.pair(snapshot, HOWELL) == duplicate.pair(snapshot, HOWELL)


def test_individuals() -> None:
    rules = Rules(schedule=WHIST, deals=3)
    snapshot = over(start(8), rules)
    partners = Counter(pair_of(*side) for _round, table in snapshot.tables() for side in table.sides)
    assert len(partners) == 28 and set(partners.values()) == {1}
    for round_ in snapshot.rounds:
        assert {table.label for table in round_.tables} == {f"S{round_.number}"}
    rows = duplicate.standings(snapshot, rules)
    assert sum(one.total for one in rows) == 7 * 3 * 2 * 2, "both partners have what their side has"
    # A table of nine places where eight are entered: three sit out with the empty place.
    nine = tuple(tuple(tuple((a, b) for a, b in sides) for sides in tables) for tables in WHIST)
    one_less = duplicate.pair(start(7), replace(rules, schedule=nine))  # type: ignore[arg-type]
    assert len(one_less.tables) == 1 and len(one_less.rests) == 3
    five = replace(rules, schedule=((((1, 4), (2, 3)),),))
    assert duplicate.pair(start(5), five).rests == (1,), "place 0 rests in this round"
    with pytest.raises(CannotPair, match="The schedule is for 8, but 9 are entered"):
        duplicate.pair(start(9), rules)
    apart = start(8, constraints=Constraints(never_together=frozenset({pair_of(2, 4)})))
    with pytest.raises(CannotPair, match="#2 and #4 shall be kept apart, but round 1 brings"):
        duplicate.pair(apart, rules)


# --- scores


def both(*gains: tuple[float, float]) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(one), Fraction(other)) for one, other in gains]


def test_matchpoints() -> None:
    gained = score_deal([4, 1, 1, -2], 4)
    assert [one for one, _other in gained] == [3, Fraction(3, 2), Fraction(3, 2), 0]
    assert [other for _one, other in gained] == [0, Fraction(3, 2), Fraction(3, 2), 3]


def test_neuberg() -> None:
    """Eight results expected, six made: the best has 8 x 5.5 / 6 - 1/2, the worst 8 x 0.5 / 6 - 1/2."""
    gained = score_deal([4, 2, 1, -1, -2, -4], 8)
    assert gained[0] == (Fraction(41, 6), Fraction(1, 6)) and gained[5] == (Fraction(1, 6), Fraction(41, 6))
    assert score_deal([1], 8) == [(Fraction(7, 2), Fraction(7, 2))]
    assert score_deal([1, NEITHER], 2) == [(Fraction(1, 2), Fraction(1, 2))] * 2


def test_both_sides_share() -> None:
    for count in range(1, 41):
        both_sides_share(count)


def both_sides_share(count: int) -> None:
    dice = random.Random(count)
    scores: list[Score] = [dice.choice([-4, -2, -1, 1, 2, 4]) for _ in range(count)]
    assert sum(one + other for one, other in score_deal(scores, count)) == count * (count - 1)
    more = score_deal(scores, count + 3)
    assert all(one + other == count + 2 and 0 <= one <= count + 2 for one, other in more)
    beaten = [sum(other < score for other in scores) + Fraction(scores.count(score) - 1, 2) for score in scores]  # type: ignore[operator]
    assert [one for one, _other in score_deal(scores, count)] == beaten


def test_difference() -> None:
    assert score_deal([4, -4], 2, "difference") == both((8, -8), (-8, 8))
    assert score_deal([1, 1, -2], 3, "difference") == both((1.5, -1.5), (1.5, -1.5), (-3, 3))
    assert score_deal([2], 3, "difference") == both((0, 0))


def test_board_a_match() -> None:
    assert score_deal([2, 1], 2, "board_a_match") == both((1, 0), (0, 1))
    assert score_deal([1, 1], 2, "board_a_match") == both((0.5, 0.5), (0.5, 0.5))
    assert score_deal([4, 1, -1], 5, "board_a_match") == both((1, 0), (0.5, 0.5), (0, 1))
    assert score_deal([4], 5, "board_a_match") == both((0.5, 0.5))


@pytest.mark.parametrize(
    ("scoring", "worth"),
    [
        ("matchpoints", {NEITHER: (5, 5), NORTH: (4, 6), EAST: (6, 4), BOTH: (4, 4)}),
        ("board_a_match", {NEITHER: (0.5, 0.5), NORTH: (0.4, 0.6), EAST: (0.6, 0.4), BOTH: (0.4, 0.4)}),
        ("difference", {NEITHER: (0, 0), NORTH: (-1, 1), EAST: (1, -1), BOTH: (-1, -1)}),
    ],
)
def test_not_played(scoring: str, worth: Mapping[NotPlayed, tuple[float, float]]) -> None:
    for deal, (one, other) in worth.items():
        gained = score_deal([deal, 1, 2], 11, scoring)[0]
        assert gained == (Fraction(str(one)), Fraction(str(other)))


def test_forfeit() -> None:
    snapshot = play(start(8), HOWELL, 1)
    (first, second, third, *others) = snapshot.rounds[0].tables
    tables = (
        replace(first, result=Result(outcome="forfeit", absent=1)),
        replace(second, result=Result(outcome="double_forfeit")),
        replace(third, result=Result(outcome="void")),
        *others,
    )
    after = replace(snapshot, rounds=(Round(1, tables),))
    rows = duplicate.standings(after, replace(HOWELL, scoring="board_a_match"))

    def share(entrant: int) -> set[Fraction]:
        return {term.points for term in row(rows, entrant).terms}

    assert share(first.seated[0]) == {Fraction(3, 5)} and share(first.seated[1]) == {Fraction(2, 5)}
    assert share(second.seated[0]) == share(second.seated[1]) == {Fraction(2, 5)}
    assert not share(third.seated[0])
    strange = replace(after, rounds=(Round(1, (replace(tables[0], label="R1-1"),)),))
    with pytest.raises(EventError, match="no set of deals, but 'R1-1'"):
        duplicate.standings(strange, HOWELL)


@pytest.mark.parametrize("scoring", ["matchpoints", "difference", "board_a_match"])
def test_correction(scoring: Literal["matchpoints", "difference", "board_a_match"]) -> None:
    rules = Rules(scoring=scoring)
    snapshot = over(start(10), rules)
    before = duplicate.standings(snapshot, rules)
    round_ = snapshot.rounds[4]
    table = round_.tables[2]
    deal, old = next(iter(table.result.deals.items()))
    new = 4 if old != 4 else -4
    corrected = replace(table, result=duplicate.result({**table.result.deals, deal: new}, 5, rules))
    rounds = list(snapshot.rounds)
    rounds[4] = replace(round_, tables=tuple(corrected if one is table else one for one in round_.tables))
    after = duplicate.standings(replace(snapshot, rounds=tuple(rounds)), rules)
    changed = {
        term.deal
        for one in range(1, 11)
        for term, now in zip(row(before, one).terms, row(after, one).terms, strict=True)
        if term != now
    }
    assert changed == {deal}
    assert duplicate.standings(snapshot, rules) == before, "taken back: as it was"


def test_typed() -> None:
    rules = Rules(deals=3)
    typed = duplicate.result({4: 2, 5: -4, 6: NORTH}, 2, rules)
    assert typed.points == (2, 4) and typed.winner == 1 and typed.deals[6] == NORTH
    assert duplicate.result({1: 1, 2: -1, 3: NEITHER}, 1, rules).winner is None
    assert duplicate.result({1: 1, 2: 1, 3: NEITHER}, 1, rules).winner == 0
    for wrong, words in (
        ({4: 2}, "no score for deals 5, 6"),
        ({4: 2, 5: 1, 6: 1, 7: 1}, "Set 2 has no deal 7"),
        ({4: 3, 5: 1, 6: 1}, "Deal 4 cannot give north-south 3"),
        ({4: 0, 5: 1, 6: 1}, "Deal 4 cannot give north-south 0"),
    ):
        with pytest.raises(BadScore, match=words) as refused:
            duplicate.result(wrong, 2, rules)
    assert str(refused.value.advice) == "It can give -4, -2, -1, 1, 2, 4; minus is for east-west."
    house = replace(rules, hand=HandPoints(loner_euchred=3, thrown_in=True))
    assert duplicate.result({4: 3, 5: 0, 6: -3}, 2, house).points == (3, 3)


def test_two_lines() -> None:
    rows = duplicate.standings(over(start(10), MITCHELL), MITCHELL)
    assert [one.line for one in rows] == [0] * 5 + [1] * 5
    assert rows[0].rank == rows[5].rank == 1
    assert sum(one.total for one in rows[:5]) + sum(one.total for one in rows[5:]) == 10 * 5 * 4
    assert sum(one.percent or 0 for one in rows) == 500
    assert all(one.line is None for one in duplicate.standings(start(10), MITCHELL))


def test_ranks() -> None:
    sides: list[Sides] = [((1,), (2,)), ((3,), (4,)), ((5,), (6,))]
    scores = [1, 1, -1]
    tables = tuple(
        Table(number, two, Result(deals={1: score}), "S1")
        for number, (two, score) in enumerate(zip(sides, scores, strict=True), 1)
    )
    rows = duplicate.standings(start(7, rounds=(Round(1, tables),)), replace(BAROMETER, deals=1))
    assert [(one.rank, one.entrant) for one in rows] == [(1, 6), (2, 1), (2, 3), (4, 2), (4, 4), (6, 5), (7, 7)]
    assert [one.percent for one in rows] == [100, 75, 75, 25, 25, 0, None]
    gone = change(start(7, rounds=(Round(1, tables),)), 6, state="withdrawn")
    assert [(one.rank, one.entrant) for one in duplicate.standings(gone)][-1] == (None, 6)
    assert duplicate.standings(gone)[0].rank == 1
    alone = start(2, rounds=(Round(1, tables[:1]),))
    assert [one.percent for one in duplicate.standings(alone)] == [50, 50]
    assert duplicate.standings(alone, Rules(scoring="difference"))[0].percent is None


def test_generated_events() -> None:
    """Whatever comes between, nobody is twice in a round or meets anybody twice, a set is played once
    by each, and sums are what they must be; a correction moves only the results on its deals."""
    for seed in range(scale(2_000, 60)):
        dice = random.Random(seed)
        rules = dice.choice([HOWELL, MITCHELL, SHARED, BAROMETER])
        count = dice.randint(4, 16) if seed % 20 else dice.randint(17, 32)
        snapshot = start(count)
        for number in range(1, len(duplicate.movement(snapshot, rules).rounds) + 1):
            snapshot = disturbed(snapshot, dice, number)
            try:
                draw = duplicate.pair(snapshot, rules, seed)
            except CannotPair:
                assert snapshot.entrants[-1].joined == number, "only a late entrant may find no place"
                snapshot = replace(snapshot, entrants=snapshot.entrants[:-1])
                draw = duplicate.pair(snapshot, rules, seed)
            assert duplicate.pair(snapshot, rules, seed) == draw
            here = {one.id for one in snapshot.present()}
            seated = {one for table in draw.tables for one in table.seated}
            assert seated | set(draw.rests) == here and not seated & set(draw.rests)
            done = played(draw, rules, dice)
            ends = [forfeited(table, dice) for table in done.tables]
            snapshot = replace(snapshot, rounds=(*snapshot.rounds, replace(done, tables=tuple(ends))), constraints=FREE)
        assert set(met(snapshot).values()) <= {1}
        rows = duplicate.standings(snapshot, rules)
        assert {one.entrant for one in rows} == {one.id for one in snapshot.entrants}
        for one in rows:
            deals = [term.deal for term in one.terms]
            assert len(set(deals)) == len(deals) and one.total == sum((term.points for term in one.terms), one.credit)
        corrected_deals(snapshot, rules, dice)


FREE = Constraints()


def disturbed(snapshot: Snapshot, dice: random.Random, number: int) -> Snapshot:
    """Some leave, some are absent, somebody comes late."""
    if number > 1 and dice.random() < 0.1:
        here = [one.id for one in snapshot.present()]
        snapshot = change(snapshot, dice.choice(here or [1]), state="withdrawn", left=number)
    if number > 1 and dice.random() < 0.15:
        late = len(snapshot.entrants) + 1
        snapshot = replace(snapshot, entrants=(*snapshot.entrants, Entrant(late, late, joined=number)))
    away = frozenset(dice.sample(range(1, 5), dice.choice([0, 0, 0, 1])))
    return replace(snapshot, constraints=Constraints(absent=away))


def forfeited(table: Table, dice: random.Random) -> Table:
    """The table, or one that somebody did not come to."""
    if dice.random() > 0.04:
        return table
    absent = dice.choice([None, 0, 1])
    return replace(table, result=Result(outcome="double_forfeit" if absent is None else "forfeit", absent=absent))


def corrected_deals(snapshot: Snapshot, rules: Rules, dice: random.Random) -> None:
    """Another score on one deal changes terms of that deal alone."""
    before = {one.entrant: one for one in duplicate.standings(snapshot, rules)}
    finished = ((at, table) for at, one in enumerate(snapshot.rounds) for table in one.tables if table.result.played)
    at, table = next(finished, (0, None))
    if table is None:
        return
    deal = dice.choice(list(table.result.deals))
    other = replace(table, result=replace(table.result, deals={**table.result.deals, deal: 4}))
    rounds = list(snapshot.rounds)
    rounds[at] = replace(rounds[at], tables=tuple(other if one is table else one for one in rounds[at].tables))
    for one in duplicate.standings(replace(snapshot, rounds=tuple(rounds)), rules):
        old = {term.deal: term for term in before[one.entrant].terms}
        assert {term.deal for term in one.terms if term != old[term.deal]} <= {deal}
