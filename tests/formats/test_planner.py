"""The planner: see the table of rules in its module."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from tests.formats.evenings import evening, eventful, faults, people, played, sides_of, wishing
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import history, planner
from tournaments.formats.event import CannotPair, Constraints, Draw, Entrant, Result, Sides, Snapshot, pair_of
from tournaments.formats.planner import Progress

RULES = planner.Rules()
QUICK = planner.Rules(tries=60, searches=1)


def quick(snapshot: Snapshot, seed: int) -> Draw:
    return planner.pair(snapshot, QUICK, seed)


def well(snapshot: Snapshot, seed: int) -> Draw:
    return planner.pair(snapshot, RULES, seed)


def last(rounds: Iterator[tuple[Snapshot, Draw]]) -> Snapshot:
    """The event with its last round played."""
    *_, (snapshot, draw) = rounds
    return played(snapshot, draw)


def repeated(snapshot: Snapshot) -> tuple[int, int]:
    """How often somebody partnered somebody again, and pairs that were opponents three times."""
    past = history.read(snapshot)
    return sum(k - 1 for k in past.partners.values() if k > 1), sum(k > 2 for k in past.opponents.values())


def test_any_number_any_rounds() -> None:
    for count in range(4, 65):
        for snapshot, draw in evening(people(count), 2, quick):
            assert faults(snapshot, draw) == []
            assert len(draw.tables) == count // 4 and len(draw.rests) == count % 4
            assert all(len(side) == 2 for side in sides_of(draw))


def test_rests_stay_even() -> None:
    for count in (5, 6, 7, 9, 10, 11, 14, 18, 23):
        rests = Counter(dict.fromkeys(range(1, count + 1), 0))
        before: tuple[int, ...] = ()
        for _snapshot, draw in evening(people(count), 12, quick):
            rests.update(draw.rests)
            assert max(rests.values()) - min(rests.values()) <= 1
            assert count < 6 or not set(before) & set(draw.rests)
            before = draw.rests


def test_late_and_returning_owe_no_rests() -> None:
    snapshot = last(evening(people(9), 9, quick))
    assert set(planner.rest_levels(snapshot).values()) == {1}
    late = replace(snapshot, entrants=(*snapshot.entrants, Entrant(10, seed=10, joined=10)))
    assert planner.rest_levels(late)[10] == 1
    paused = replace(late, entrants=(replace(late.entrants[0], state="paused"), *late.entrants[1:]))
    assert 1 not in planner.rest_levels(paused)
    after = last(evening(paused, 9, quick))
    back = replace(after, entrants=late.entrants)
    assert set(planner.rest_levels(back).values()) == {2}, (
        "who was away for nine rounds is not rested before the others"
    )


@pytest.mark.parametrize(
    ("count", "rounds"), [(8, 6), (11, 8), (14, 10), (16, 12), (18, 10), (22, 10), (30, 12), (40, 12)]
)
def test_measured_fields(count: int, rounds: int) -> None:
    snapshot = last(evening(people(count), rounds, well))
    partners, opponents = repeated(snapshot)
    assert partners == 0
    assert opponents <= {8: 2, 14: 2, 16: 5}.get(count, 0)
    if count >= 22:
        assert sum(k > 1 for k in history.read(snapshot).opponents.values()) <= {22: 6, 30: 3, 40: 0}[count]


def test_large_fields() -> None:
    for count in (53, 100):
        past = history.read(last(evening(people(count), 12, well)))
        assert set(past.partners.values()) == set(past.opponents.values()) == {1}


@pytest.mark.parametrize(("count", "rounds", "late", "leaving"), [(23, 10, 2, 3), (40, 12, 3, 5)])
def test_people_come_and_go(count: int, rounds: int, late: int, leaving: int) -> None:
    snapshot = people(count)
    for number in range(1, rounds + 1):
        entrants = snapshot.entrants
        if number == 3:
            entrants += tuple(Entrant(count + k, seed=count + k, joined=3) for k in range(1, late + 1))
        if number == 6:
            entrants = tuple(replace(one, state="withdrawn", left=6) if one.id <= leaving else one for one in entrants)
        snapshot = replace(snapshot, entrants=entrants)
        draw = well(snapshot, 1)
        assert faults(snapshot, draw) == []
        snapshot = played(snapshot, draw)
    past = history.read(snapshot)
    assert repeated(snapshot) == (0, 0)
    assert {past.rests[one.id] for one in snapshot.present()} <= {0, 1, 2}
    assert all(past.rests[one.id] for one in snapshot.present()) or max(past.rests.values()) == 1


def test_generated_events() -> None:
    met = rounds = 0
    events = scale(2_000, 150)
    for seed in range(events):
        for snapshot, draw in eventful(seed, quick):
            assert faults(snapshot, draw) == [], seed
            rounds += 1
            past = history.read(snapshot)
            wishes = snapshot.constraints
            met += sum(
                past.partnered(*side) > 0 and pair_of(*side) not in wishes.always_together for side in sides_of(draw)
            )
    assert rounds > 2 * events and met <= rounds // 15


def test_same_seed_same_draw() -> None:
    snapshot = last(evening(people(13), 3, quick))
    assert well(snapshot, 7) == well(snapshot, 7) != well(snapshot, 8)
    one, two = (planner.pair(people(8), RULES, seed) for seed in (1, 2))
    assert one.tables[0].sides == ((6, 1), (5, 8)), "the same in every process"
    assert one != two


def test_rebuilt_from_its_log() -> None:
    for seed in range(30):
        log = list(eventful(seed, quick))
        assert [quick(snapshot, seed) for snapshot, _draw in log] == [draw for _snapshot, draw in log]


def test_plan_is_what_will_be_drawn() -> None:
    start = wishing(people(9), byes=(4,), absent=frozenset((9,)), never_together=frozenset((pair_of(1, 2),)))
    draws = planner.plan(start, QUICK, 3, 4)
    assert [draw.round for draw in draws] == [1, 2, 3, 4]
    assert set(draws[0].rests) >= {4} and len(draws[1].rests) == 1
    snapshot = start
    for draw in draws:
        assert quick(snapshot, 3) == draw
        assert pair_of(1, 2) not in {pair_of(*side) for side in sides_of(draw)}
        snapshot = planner.after(snapshot, draw)
    assert snapshot.constraints == Constraints(never_together=frozenset((pair_of(1, 2),)))


def test_wishes_are_kept() -> None:
    wishes = {
        "never_together": frozenset(pair_of(1, other) for other in range(2, 7)),
        "never_opponents": frozenset(pair_of(2, other) for other in range(3, 8)),
        "always_together": frozenset((pair_of(9, 10), pair_of(11, 12))),
    }
    snapshot = people(14)
    for _ in range(12):
        snapshot = wishing(snapshot, **wishes)
        draw = quick(snapshot, 1)
        assert faults(snapshot, draw) == []
        snapshot = played(snapshot, draw)
    past = history.read(snapshot)
    assert past.rests[9] == past.rests[10] and past.rests[11] == past.rests[12]
    assert {past.rests[one] for one in range(1, 15)} <= {1, 2}
    reasons = [reason for table in draw.tables for reason in said(table.reasons)]
    assert "#9 and #10 always play together" in reasons or 9 in draw.rests


def test_all_play_in_fixed_pairs() -> None:
    pairs = frozenset(pair_of(one, one + 1) for one in range(1, 17, 2))
    snapshot = people(16)
    for _ in range(7):
        snapshot = wishing(snapshot, always_together=pairs)
        draw = well(snapshot, 1)
        assert {pair_of(*side) for side in sides_of(draw)} == pairs
        snapshot = played(snapshot, draw)
    assert set(history.read(snapshot).opponents.values()) == {1}, "a round robin of eight pairs"
    alone = wishing(people(15), always_together=frozenset(pair for pair in pairs if 16 not in pair))
    assert 15 in quick(alone, 1).rests, "nobody is left to be his partner"


def test_partner_away() -> None:
    together = frozenset((pair_of(1, 2),))
    for away in ({"absent": frozenset((2,))}, {"byes": (2,)}):
        snapshot = wishing(people(9), always_together=together, **away)
        assert faults(snapshot, quick(snapshot, 1)) == []


def test_fixed_tables() -> None:
    snapshot = people(17)
    for _ in range(5):
        snapshot = wishing(snapshot, fixed_table={3: 2, 8: 9, 11: 1})
        draw = quick(snapshot, 1)
        assert faults(snapshot, draw) == []
        assert {table.number for table in draw.tables} <= {1, 2, 3, 4, 9}
        assert any("#8 stays at this table" in said(table.reasons) for table in draw.tables) or 8 in draw.rests
        snapshot = played(snapshot, draw)


def test_orders_by_hand() -> None:
    snapshot = wishing(people(14), tables=(((1, 2), (3, 4)),), byes=(5,), always_together=frozenset((pair_of(1, 2),)))
    draw = quick(snapshot, 1)
    assert faults(snapshot, draw) == []
    assert said(draw.tables[0].reasons) == (
        "put together by hand",
        "#1 and #2 always play together",
        "new opponents for everybody",
    )
    assert draw.rests[0] == 5 and "#5 rests by hand" in said(draw.notes) and len(draw.rests) == 2
    again = wishing(played(snapshot, draw), tables=(((1, 3), (2, 4)), ((5, 6), (7, 8))))
    assert said(quick(again, 1).tables[0].reasons) == (
        "put together by hand",
        "#1 meets #4 for the 2nd time",
        "#3 meets #2 for the 2nd time",
    )
    only = wishing(people(6), tables=(((1, 2), (3, 4)),))
    assert quick(only, 1).rests == (5, 6)
    assert len(quick(wishing(people(4), tables=(((1, 2), (3, 4)),)), 1).tables) == 1


def test_reasons() -> None:
    snapshot = people(4)
    for _ in range(4):
        draw = quick(snapshot, 1)
        snapshot = played(snapshot, draw)
    (one, two), _others = draw.tables[0].sides
    assert f"#{one} and #{two} are partners for the 2nd time" in said(draw.tables[0].reasons)
    assert f"#{one} meets #{draw.tables[0].sides[1][0]} for the 3rd time" in said(draw.tables[0].reasons)
    assert said(quick(people(5), 1).notes)[0].endswith("has not rested yet")
    assert str(quick(last(evening(people(5), 5, quick)), 1).notes[0]).endswith("has rested 1 time")
    assert str(quick(last(evening(people(5), 10, quick)), 1).notes[0]).endswith("has rested 2 times")


def test_rests_give_way_to_wishes() -> None:
    # Of five, 1 can be nobody's partner: he must rest again and again.
    never = frozenset(pair_of(1, other) for other in range(2, 6))
    snapshot = people(5)
    for number in range(3):
        snapshot = wishing(snapshot, never_together=never)
        draw = quick(snapshot, 1)
        assert draw.rests == (1,)
        assert number == 0 or said(draw.notes)[-1].startswith("not those who have rested least")
        snapshot = played(snapshot, draw)


@pytest.mark.parametrize(
    ("count", "wishes", "sentence"),
    [
        (3, {}, "needs four, but only 3"),
        (6, {"absent": frozenset((1, 2, 3))}, "needs four, but only 3"),
        (8, {"byes": (1, 1)}, "#1 is given a bye, but already"),
        (8, {"byes": (9,)}, "not here"),
        (8, {"tables": (((1,), (2, 3)),)}, "two partners on each side"),
        (8, {"tables": (((1, 2), (3, 4)),), "never_together": frozenset((pair_of(1, 2),))}, "never be partners"),
        (8, {"always_together": frozenset((pair_of(1, 2), pair_of(2, 3)))}, "#2 must always be the partner of two"),
        (
            8,
            {"always_together": frozenset((pair_of(1, 2),)), "never_together": frozenset((pair_of(1, 2),))},
            "always and never",
        ),
        (8, {"always_together": frozenset((pair_of(1, 5),)), "tables": (((1, 2), (3, 4)),)}, "parted by a table"),
        (8, {"fixed_table": {1: 1, 2: 1}}, "both to stay at table 1"),
        (8, {"fixed_table": {1: 1, 2: 2, 3: 3}}, "would share a table"),
        (4, {"never_together": frozenset(pair_of(1, other) for other in (2, 3, 4))}, "would be partners"),
        (4, {"never_opponents": frozenset((pair_of(1, 2), pair_of(1, 3)))}, "would be opponents"),
    ],
)
def test_what_cannot_be_kept(count: int, wishes: dict[str, object], sentence: str) -> None:
    with pytest.raises(CannotPair, match=sentence) as refused:
        quick(wishing(people(count), **wishes), 1)
    assert str(refused.value.advice).endswith(".")


def test_refusals_are_right() -> None:
    """Against every draw that there is of five to eight people."""
    dice = random.Random(5)
    refused = 0
    states = scale(400, 40)
    for _ in range(states):
        count = dice.randint(5, 8)
        pairs = [pair_of(*pair) for pair in combinations(range(1, count + 1), 2)]
        apart = frozenset(dice.sample(pairs, dice.randint(2, len(pairs) // 2)))
        opposed = frozenset(dice.sample(pairs, dice.randint(2, len(pairs) // 2)))
        snapshot = wishing(people(count), never_together=apart, never_opponents=opposed)
        possible = _possible(tuple(range(1, count + 1)), count % 4, apart, opposed)
        try:
            assert faults(snapshot, planner.pair(snapshot, planner.Rules(tries=150), 1)) == []
            assert possible
        except CannotPair:
            refused += 1
            assert not possible
    assert states / 8 < refused < states * 7 / 8


def _possible(
    here: tuple[int, ...], rests: int, apart: frozenset[frozenset[int]], opposed: frozenset[frozenset[int]]
) -> bool:
    def tables(four: tuple[int, ...]) -> Iterator[Sides]:
        a, b, c, d = four
        yield from (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))

    def good(sides: Sides) -> bool:
        return not any(pair_of(*side) in apart for side in sides) and not any(
            pair_of(one, other) in opposed for one in sides[0] for other in sides[1]
        )

    def seat(left: tuple[int, ...]) -> bool:
        return not left or any(
            any(map(good, tables((left[0], *others)))) and seat(tuple(one for one in left[1:] if one not in others))
            for others in combinations(left[1:], 3)
        )

    return any(seat(tuple(one for one in here if one not in idle)) for idle in combinations(here, rests))


def test_progress_and_stop() -> None:
    snapshot = last(evening(people(12), 6, quick))
    told: list[Progress] = []

    def watch(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 3

    def patient(progress: Progress) -> bool:
        told.append(progress)
        return True

    stopped = planner.pair(snapshot, planner.Rules(tries=2_000), 1, watch)
    assert len(told) == 3
    assert sorted(table.sides for table in stopped.tables) == sorted(told[-1].tables)
    assert told[-1].weight > 0 and told[0].done < told[2].done <= told[2].limit
    told.clear()
    whole = planner.pair(snapshot, planner.Rules(tries=2_000), 1, patient)
    assert len(told) > 3 and whole == planner.pair(snapshot, planner.Rules(tries=2_000), 1)
    assert [report.weight for report in told] == sorted((report.weight for report in told), reverse=True)
    assert faults(snapshot, stopped) == []


def test_stopped_before_a_wish_is_kept() -> None:
    never = frozenset(pair_of(1, other) for other in range(2, 6))
    with pytest.raises(CannotPair):
        planner.pair(wishing(people(4), never_together=never), planner.Rules(tries=2_000), 1, lambda _: False)


def test_void_tables_count_for_nothing() -> None:
    snapshot = people(4)
    draw = quick(snapshot, 1)
    done = planner.after(snapshot, draw)
    void = replace(
        done,
        rounds=(
            replace(
                done.rounds[0],
                tables=tuple(replace(table, result=Result(outcome="void")) for table in done.rounds[0].tables),
            ),
        ),
    )
    assert said(quick(void, 1).tables[0].reasons) == ("new opponents for everybody",)
