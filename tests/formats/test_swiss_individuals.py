"""Swiss for individuals (tournaments/formats/swiss_individuals.py)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from tests.formats.rounds import (
    after,
    drawn_again,
    pairable,
    play,
    snapshot,
    table,
    wild,
)
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import swiss_individuals
from tournaments.formats.columns import Scoring
from tournaments.formats.event import CannotPair, Constraints, Draw, DrawFault, Snapshot, Table, pair_of
from tournaments.formats.event import Result as TableResult
from tournaments.formats.swiss_individuals import IndividualRules, pair

EVENTS = scale(2_000)


def ordered(event: Snapshot, **orders) -> Snapshot:
    return replace(event, constraints=Constraints(**orders))


def partners(draw: Draw) -> list[frozenset[int]]:
    return [pair_of(*side) for table in draw.tables for side in table.sides]


def opponents(draw: Draw) -> list[frozenset[int]]:
    return [pair_of(a, b) for table in draw.tables for a in table.sides[0] for b in table.sides[1]]


def partnered(event: Snapshot) -> set[frozenset[int]]:
    return {pair_of(*side) for _round, at in event.tables() if at.result.outcome != "void" for side in at.sides}


def check(event: Snapshot, draw: Draw) -> None:
    """Everybody here once, no partners again, 0 to 3 resting, those with the fewest rests."""
    here = {entrant.id for entrant in event.present()}
    seated = [one for table in draw.tables for one in table.seated]
    assert sorted([*seated, *draw.rests]) == sorted(here) and not draw.byes
    assert len(draw.rests) == len(here) % 4 and len(draw.notes) == len(draw.rests)
    assert not set(partners(draw)) & partnered(event)
    assert all(table.reasons for table in draw.tables)
    rests = Counter(one for played in event.rounds for one in played.rests)
    if draw.rests and seated:
        assert max(rests[one] for one in draw.rests) <= min(rests[one] for one in seated)


def test_events():
    """Events of 4 to 64 people: what can be drawn is drawn well, and the same from the log."""
    drawn = 0
    for number in range(EVENTS):
        rng = random.Random(number)
        rules = IndividualRules(rng.choice(("points", "wins")), rng.choice(list(swiss_individuals.SPLITS)))

        def draw(event: Snapshot, rules: IndividualRules = rules, seed: int = number) -> Draw:
            return pair(event, rules, seed)

        log = list(wild(rng.randrange(4, 17) if number % 40 else rng.randrange(17, 65), rng, draw))
        for event, found in log:
            if found:
                check(event, found)
                continue
            here = frozenset(entrant.id for entrant in event.present())
            rests = fair_rests(event, here)
            assert len(here) < 4 or not any(pairable(here - set(rest), partnered(event)) for rest in rests)
        drawn += len(log)
        assert number % 10 or drawn_again(log, draw)
    assert drawn > 2 * EVENTS


def fair_rests(event: Snapshot, here: frozenset[int]) -> list[tuple[int, ...]]:
    """Who may rest so that nobody who has rested more does."""
    rests = Counter(one for played in event.rounds for one in played.rests)
    count = len(here) % 4
    least = sorted(here, key=lambda one: rests[one])
    most = rests[least[count - 1]] if count else 0
    sure = [one for one in here if rests[one] < most] if count else []
    level = [one for one in here if rests[one] == most]
    return [(*sure, *choice) for choice in combinations(level, count - len(sure))]


@pytest.mark.parametrize(("count", "rounds"), [(16, 12), (17, 12), (20, 12), (21, 12), (24, 12), (31, 10), (64, 12)])
def test_no_partner_twice(count, rounds):
    """16 people and more, 12 rounds: no partner twice, rests within one of each other at every moment."""
    rng = random.Random(count)
    event = snapshot(count)
    rests: Counter[int] = Counter({entrant.id: 0 for entrant in event.entrants})
    for _ in range(rounds):
        draw = pair(event)
        check(event, draw)
        rests.update(draw.rests)
        assert max(rests.values()) - min(rests.values()) <= 1
        event = play(event, draw, rng, rough=False)


def test_fours():
    assert [table.sides for table in pair(snapshot(8)).tables] == [((1, 4), (2, 3)), ((5, 8), (6, 7))]
    assert pair(snapshot(4), IndividualRules(split="1+3 v 2+4")).tables[0].sides == ((1, 3), (2, 4))
    assert pair(snapshot(4), IndividualRules(split="1+2 v 3+4")).tables[0].sides == ((1, 2), (3, 4))
    event = after(snapshot(8), table(((1, 4), (2, 3)), (3, 9)), table(((5, 8), (6, 7)), (2, 8)))
    draw = pair(event)
    assert {frozenset(at.seated) for at in draw.tables} == {frozenset({2, 3, 6, 7}), frozenset({1, 4, 5, 8})}
    assert said(draw.tables[0].reasons)[0] == "points 9, 9, 8, 8"
    draw = pair(event, IndividualRules("wins"))
    assert said(draw.tables[0].reasons)[0] == "wins 1, 1, 1, 1"
    assert "#2 and #3 were partners in round 1" not in said(draw.tables[0].reasons)


def test_loner_bonus_counts():
    counters = {"loners": {8: 3}}
    event = after(snapshot(8), table(((1, 4), (2, 3)), (9, 3)), table(((5, 8), (6, 7)), (7, 2), counters=counters))
    rules = IndividualRules(scoring=Scoring(rest_average=True, loner_bonus=1))
    assert said(pair(event, rules).tables[0].reasons)[0] == "points 10, 9, 9, 7"


def test_opponents():
    """40 people, 8 rounds: nobody meets anybody more than twice, hardly anybody twice."""
    rng = random.Random(5)
    event = snapshot(40)
    met: Counter[frozenset[int]] = Counter()
    for _ in range(8):
        draw = pair(event)
        met.update(opponents(draw))
        event = play(event, draw, rng, rough=False)
    assert max(met.values()) <= 3 and sum(times > 1 for times in met.values()) < 0.25 * sum(met.values())


def test_rests():
    event = snapshot(6)
    draw = pair(event)
    assert draw.rests == (6, 5)
    assert said(draw.notes)[0] == "#6 rests: has not rested yet, lowest of those who have rested least"
    event = play(event, draw, random.Random(1), rough=False)
    assert not set(pair(event).rests) & {5, 6}
    event = after(after(snapshot(5), rests=[1, 2, 3, 4, 5]), rests=[])
    assert said(pair(event).notes)[0].startswith("#5 rests: has rested 1 time, lowest")
    event = after(after(snapshot(5), rests=[1, 2, 3, 4, 5]), rests=[1, 2, 3, 4, 5])
    assert "2 times" in said(pair(event).notes)[0]


def test_partners_kept_together():
    wish = frozenset({pair_of(1, 2), pair_of(5, 77)})
    event = snapshot(8)
    for _ in range(3):
        draw = pair(ordered(event, always_together=wish))
        assert pair_of(1, 2) in partners(draw)
        assert any("#1 and #2 are kept together" in said(table.reasons) for table in draw.tables)
        event = play(event, draw, random.Random(1), rough=False)
    two = frozenset({pair_of(5, 6), pair_of(1, 2)})
    assert set(pair(ordered(snapshot(6), always_together=two)).rests) == {5, 6}
    draw = pair(ordered(snapshot(5), always_together=frozenset({pair_of(5, 4)})))
    assert draw.rests == (3,) and pair_of(4, 5) in partners(draw)
    every = frozenset({pair_of(1, 2), pair_of(3, 4), pair_of(5, 6), pair_of(7, 8), pair_of(9, 1)})
    with pytest.raises(CannotPair, match="the partner of two people"):
        pair(ordered(snapshot(9), always_together=every))
    one = pair(ordered(snapshot(5), always_together=frozenset({pair_of(1, 2), pair_of(3, 4)}), absent=frozenset({5})))
    assert one.tables[0].sides == ((1, 2), (3, 4))


def test_one_of_partners_rests_where_all_are_kept_together():
    """Three can play of none: of 2 + 2 + 2 with one absent, one has nobody to be kept with."""
    wish = frozenset({pair_of(1, 2), pair_of(3, 4), pair_of(5, 6)})
    draw = pair(ordered(snapshot(6), always_together=wish, absent=frozenset({6})))
    assert draw.rests == (5,)
    event = ordered(snapshot(7), always_together=frozenset({pair_of(1, 2), pair_of(3, 4), pair_of(5, 6)}))
    draw = pair(event)
    assert len(draw.rests) == 3 and 7 in draw.rests


def test_a_rest_that_parts_partners():
    """Somebody whose partner rests or sits elsewhere by hand plays with another."""
    wish = frozenset({pair_of(1, 2), pair_of(3, 4)})
    draw = pair(ordered(snapshot(9), always_together=wish | {pair_of(5, 6), pair_of(7, 8)}, byes=(9,)))
    assert len(draw.tables) == 2 and draw.rests == (9,)
    draw = pair(ordered(snapshot(6), always_together=wish, byes=(6,), absent=frozenset({5})))
    assert draw.tables[0].sides == ((1, 2), (3, 4))
    draw = pair(ordered(snapshot(5), always_together=wish, byes=(4,)))
    assert pair_of(1, 2) in partners(draw) and pair_of(3, 5) in partners(draw)
    couples = frozenset({pair_of(1, 2), pair_of(3, 4), pair_of(5, 6)})
    draw = pair(ordered(snapshot(9), always_together=couples, tables=(((1, 7), (8, 9)),)))
    assert pair_of(3, 4) in partners(draw) and draw.rests == (2,)


def _all(count: int) -> frozenset[frozenset[int]]:
    return frozenset(pair_of(a, b) for a in range(1, count + 1) for b in range(a + 1, count + 1))


def test_partners_and_opponents_kept_apart():
    draw = pair(ordered(snapshot(8), never_together=frozenset({pair_of(1, 4), pair_of(2, 3)})))
    assert not {pair_of(1, 4), pair_of(2, 3)} & set(partners(draw))
    draw = pair(ordered(snapshot(8), never_opponents=frozenset({pair_of(1, 2), pair_of(1, 3), pair_of(1, 4)})))
    assert not {pair_of(1, 2), pair_of(1, 3), pair_of(1, 4)} & set(opponents(draw))
    both = frozenset({pair_of(1, 2)})
    with pytest.raises(CannotPair, match="always and never"):
        pair(ordered(snapshot(4), never_together=both, always_together=both))
    with pytest.raises(CannotPair, match="kept together and apart as asked"):
        pair(ordered(snapshot(4), never_together=_all(4)))
    with pytest.raises(CannotPair, match="kept together and apart as asked"):
        pair(ordered(snapshot(8), never_opponents=_all(8)))


def test_wishes_among_many():
    """Every one of 40 kept from four neighbours, a dozen kept together, three who cannot move."""
    apart = frozenset(pair_of(one, one + step) for one in range(13, 37) for step in (1, 2))
    together = frozenset(pair_of(one, one + 6) for one in range(1, 7))
    fixed = {13: 1, 20: 5, 40: 9}
    event = snapshot(40)
    rng = random.Random(3)
    for _ in range(4):
        draw = pair(
            ordered(event, never_together=apart, never_opponents=apart, always_together=together, fixed_table=fixed)
        )
        assert together <= set(partners(draw))
        assert not apart & (set(partners(draw)) | set(opponents(draw)))
        at = {one: table.number for table in draw.tables for one in table.seated}
        assert {one: at[one] for one in fixed} == fixed
        event = play(event, draw, rng, rough=False)


def test_orders():
    draw = pair(ordered(snapshot(9), tables=(((9, 1), (8, 2)),), byes=(5,), absent=frozenset({3})))
    assert draw.rests[0] == 5 and len(draw.rests) == 4 and said(draw.notes)[0] == "#5 rests by hand"
    assert draw.tables[0].sides == ((9, 1), (8, 2)) and said(draw.tables[0].reasons) == ("put together by hand",)
    draw = pair(ordered(snapshot(8), fixed_table={8: 1, 1: 2}))
    assert {one: table.number for table in draw.tables for one in table.seated}[8] == 1
    with pytest.raises(CannotPair, match="needs two partners"):
        pair(ordered(snapshot(4), tables=(((1,), (2,)),)))


def test_fixed_tables_of_one_four():
    """1 and 2 would sit together but are to stay at tables apart."""
    draw = pair(ordered(snapshot(8), fixed_table={1: 1, 2: 2}))
    at = {one: table.number for table in draw.tables for one in table.seated}
    assert (at[1], at[2]) == (1, 2)
    with pytest.raises(CannotPair, match="kept together and apart"):
        pair(ordered(snapshot(4), fixed_table={1: 1, 2: 2}))


def every_partner(count: int) -> Snapshot:
    """Four who have all been partners."""
    event = snapshot(count)
    for sides in (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))):
        event = after(event, table(sides, (5, 5)))
    return event


def test_no_partner_left():
    with pytest.raises(CannotPair, match="Round 4 cannot be drawn with a new partner for everybody") as refused:
        pair(every_partner(4))
    assert "Allow repeats" in str(refused.value.advice)
    draw = pair(every_partner(4), IndividualRules(repeats=True))
    assert any("are partners again: no other way" in reason for reason in said(draw.tables[0].reasons))


def test_drawn_anew():
    """12 whose partners left are few and far apart: no exchange of two finds a draw, the matching does."""
    rng = random.Random(9)
    anew = 0
    for number in range(80):
        event = snapshot(12)
        apart = frozenset(pair_of(*two) for two in combinations(range(1, 13), 2) if rng.random() < 0.6)
        couple = frozenset({pair_of(1, 7)}) - apart
        try:
            draw = pair(ordered(event, never_together=apart, always_together=couple), seed=number)
        except CannotPair:
            assert not pairable(frozenset(range(1, 13)) - {one for two in couple for one in two}, set(apart))
            continue
        assert not apart & set(partners(draw)) and couple <= set(partners(draw))
        anew += any("drawn anew" in reason for at in draw.tables for reason in said(at.reasons))
    assert anew > 2


def test_others_rest_so_that_all_have_new_partners(monkeypatch):
    """Of six, 5 and 6 should rest; but 1 to 4 have all been partners, so that two of them do."""
    event = snapshot(6)
    for sides in (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))):
        event = after(event, table(sides, (8, 8)))
    draw = pair(event)
    assert draw.rests == (4, 3) and not set(partners(draw)) & partnered(event)
    with pytest.raises(CannotPair, match="new partner for everybody"):
        pair(after(event, rests=[1, 2, 3, 4]))
    monkeypatch.setattr(swiss_individuals, "FEW", 4)
    with pytest.raises(CannotPair, match="new partner for everybody"):
        pair(event)


def test_many_tables_without_a_draw(monkeypatch):
    monkeypatch.setattr(swiss_individuals, "WINDOWS", (0, 1))
    with pytest.raises(CannotPair, match="kept together and apart as asked"):
        pair(ordered(snapshot(12), never_together=_all(12)))


def test_exchanged_places():
    """The first four have been partners in every way: two of them go to the next table."""
    event = snapshot(8)
    for one, other in zip((((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))), _other_four(), strict=True):
        event = after(event, Table(1, one, TableResult((8, 8))), Table(2, other, TableResult((8, 8))))
    draw = pair(event)
    assert any("changed places so that fewer meet again" in reason for at in draw.tables for reason in said(at.reasons))
    check(event, draw)


def _other_four():
    return ((5, 6), (7, 8)), ((5, 7), (6, 8)), ((5, 8), (6, 7))


def test_split_otherwise():
    event = after(snapshot(4), table(((1, 4), (2, 3)), (8, 8)))
    draw = pair(event)
    assert draw.tables[0].sides == ((1, 3), (2, 4))
    assert said(draw.tables[0].reasons)[1:] == (
        "#1 and #4 were partners in round 1",
        "#2 and #3 were partners in round 1",
    )


@pytest.mark.parametrize("count", [0, 3])
def test_too_few(count):
    with pytest.raises(CannotPair, match="Here to play: only"):
        pair(snapshot(count))


def test_no_more_rounds_than_planned():
    event = after(snapshot(4, planned=1), table(((1, 2), (3, 4)), (10, 2)))
    with pytest.raises(CannotPair, match="The 1 round planned has been played"):
        pair(event)


def test_a_fault_of_ours_is_not_the_directors(monkeypatch):
    event = after(snapshot(4), table(((1, 4), (2, 3)), (8, 8)))
    monkeypatch.setattr(swiss_individuals._Draft, "_fours", lambda self, order: [[0, 3, 1, 2]])
    with pytest.raises(DrawFault, match="breaks a rule"):
        pair(event)


def test_reasons_of_the_matching_of_opponents():
    """Opponents kept apart so that the first set of partners has no tables, a later one has."""
    rng = random.Random(1)
    found = 0
    for number in range(40):
        people = list(range(1, 9))
        apart = frozenset(pair_of(*rng.sample(people, 2)) for _ in range(11))
        try:
            draw = pair(ordered(snapshot(8), never_opponents=apart), seed=number)
        except CannotPair:
            continue
        assert not apart & set(opponents(draw))
        found += 1
    assert found > 10
