"""Progressive euchre: see the tables of rules in the module."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import get_args

import pytest

from tests.formats.evenings import crowd, evening, eventful, faults, people, played, sides_of, wishing
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import history, planner, progressive
from tournaments.formats.event import CannotPair, Draw, Entrant, Result, Round, Sides, Snapshot, Table, pair_of
from tournaments.formats.progressive import STEPS, Movement, Rules, Steps, advice, first_repeat, free_of_repeats

MOVEMENTS = json.loads((Path(__file__).parent / "tables" / "euchre_movements.json").read_text())["movements"]
MOVING: list[Movement] = ["winners_up", "losers_down", "steps", "colours"]


def by(movement: Movement) -> progressive.Rules:
    return Rules(movement)


def drawn(snapshot: Snapshot, movement: Movement = "winners_up", seed: int = 1) -> Draw:
    return progressive.pair(snapshot, Rules(movement), seed)


def ended(sides: dict[int, Sides], results: dict[int, Result] | None = None, count: int = 0) -> Snapshot:
    """An event whose first round was played at these tables, won by side 0 or as told."""
    won = Result(points=(9, 4), winner=0)
    tables = tuple(Table(number, seats, (results or {}).get(number, won)) for number, seats in sides.items())
    most = max(one for seats in sides.values() for side in seats for one in side)
    return replace(people(max(count, most)), rounds=(Round(1, tables),))


THREE: dict[int, Sides] = {1: ((1, 2), (3, 4)), 2: ((5, 6), (7, 8)), 3: ((9, 10), (11, 12))}


def at_tables(draw: Draw) -> list[set[int]]:
    return [set(table.seated) for table in draw.tables]


def parted(draw: Draw, snapshot: Snapshot) -> bool:
    before = {pair_of(*side) for table in snapshot.rounds[-1].tables for side in table.sides}
    return not before & {pair_of(*side) for side in sides_of(draw)}


def test_first_round_by_lot() -> None:
    draw = drawn(people(12))
    assert faults(people(12), draw) == [] and said(draw.notes) == ("seats by lot",)
    assert [said(table.reasons) for table in draw.tables] == [("head table",), ("seats by lot",), ("seats by lot",)]
    assert draw == drawn(people(12)) != drawn(people(12), seed=2)


def test_winners_up() -> None:
    snapshot = ended(THREE, {2: Result(points=(3, 8), winner=1)})
    draw = drawn(snapshot)
    assert at_tables(draw) == [{1, 2, 7, 8}, {5, 6, 9, 10}, {11, 12, 3, 4}]
    assert parted(draw, snapshot)
    assert said(draw.tables[0].reasons)[:2] == ("head table", "#1 and #2 stay")
    assert said(draw.tables[0].reasons)[2] in ("#7 and #8 come from table 2", "#8 and #7 come from table 2")
    one_table = ended({1: THREE[1]})
    assert parted(drawn(one_table), one_table) and at_tables(drawn(one_table)) == [{1, 2, 3, 4}]


def test_losers_down() -> None:
    snapshot = ended(THREE, {2: Result(points=(3, 8), winner=1)})
    draw = drawn(snapshot, "losers_down")
    assert at_tables(draw) == [{1, 2, 11, 12}, {7, 8, 3, 4}, {9, 10, 5, 6}]
    assert parted(draw, snapshot)


def test_steps() -> None:
    snapshot = ended(THREE)
    draw = drawn(snapshot, "steps")
    # N stays, S goes up one, E down one, W down two.
    assert [table.sides for table in draw.tables] == [((1, 6), (11, 8)), ((5, 10), (3, 12)), ((9, 2), (7, 4))]
    snapshot = ended(
        {number: ((4 * number, 4 * number + 1), (4 * number + 2, 4 * number + 3)) for number in range(1, 8)}
    )
    snapshot = replace(snapshot, entrants=snapshot.entrants[3:])
    met: Counter[frozenset[int]] = Counter()
    for _ in range(6):
        draw = drawn(snapshot, "steps")
        snapshot = played(snapshot, draw, random.Random(1))
    past = history.read(snapshot)
    met = past.partners + past.opponents
    assert max(met.values()) == 1 and len(met) == 7 * 7 * 6, "nobody meets anybody twice in seven rounds"


def test_colours() -> None:
    snapshot = ended(THREE)
    draw = drawn(snapshot, "colours")
    for number, table in enumerate(draw.tables, start=1):
        came = Counter((one - 1) // 4 + 1 for one in table.seated)
        assert sorted(came.values()) == [2, 2] and number not in came
    assert parted(draw, snapshot)
    two = ended({number: THREE[number] for number in (1, 2)})
    assert [len(table & {1, 2, 3, 4}) for table in at_tables(drawn(two, "colours"))] == [2, 2]


def test_chart() -> None:
    draws = [
        draw for _snapshot, draw in evening(people(8, planned=7), 7, lambda snapshot, seed: drawn(snapshot, "chart"))
    ]
    assert Counter(pair_of(*side) for draw in draws for side in sides_of(draw)).most_common(1)[0][1] == 1
    assert "whist table" in said(draws[0].notes)[0]


def _repeats(movement: Movement, tables: int, nights: int = 12) -> float:
    again = total = 0
    for seed in range(nights):
        snapshot = people(4 * tables)
        for before, draw in evening(snapshot, 10, lambda snapshot, seed: drawn(snapshot, movement, seed), seed):
            snapshot = played(before, draw)
        partners = history.read(snapshot).partners
        again += sum(times - 1 for times in partners.values())
        total += sum(partners.values())
    return again / total


def test_fewer_repeats() -> None:
    """Below what a movement without a choice of partners has: 39, 26 and 19 to 21 per cent."""
    for movement in ("winners_up", "losers_down"):
        assert 0.24 < _repeats(movement, 2) < 0.36
        assert 0.10 < _repeats(movement, 3) < 0.21
        assert 0.06 < _repeats(movement, 5) < 0.16


def test_no_winner() -> None:
    level = ended(THREE, {2: Result(points=(5, 5))})
    with pytest.raises(CannotPair, match="Table 2 ended level") as refused:
        drawn(level)
    assert "one more hand" in str(refused.value.advice)
    assert faults(level, drawn(level, "steps")) == [], "nobody has to win where seats move by steps"
    forfeit = ended(THREE, {2: Result(outcome="forfeit", absent=0)})
    assert {7, 8} <= at_tables(drawn(forfeit))[0]
    for outcome in ("void", "double_forfeit"):
        lots = ended(THREE, {2: Result(outcome=outcome)})  # type: ignore[arg-type]
        assert "table 2 had no winner: the sides drew lots" in said(drawn(lots).notes)
        assert len({frozenset(at_tables(drawn(lots, seed=seed))[0]) for seed in range(8)}) == 2


def test_ghost_seat() -> None:
    for movement in MOVING:
        alone: Counter[int] = Counter()
        for snapshot, draw in evening(people(11), 9, lambda snapshot, seed, by=movement: drawn(snapshot, by)):
            assert faults(snapshot, draw) == [] and not draw.rests
            single = [(table, side[0]) for table in draw.tables for side in table.sides if len(side) == 1]
            assert len(single) == 1
            table, one = single[0]
            assert table.number == 3 or movement == "steps"
            alone[one] += 1
            assert any(reason.startswith(f"#{one} plays alone, for the") for reason in said(table.reasons))
        assert max(alone.values()) <= 4
    assert [len(table.seated) for table in drawn(people(3)).tables] == [3]


def test_ghost_seat_moves_by_its_steps() -> None:
    draws = [draw for _snapshot, draw in evening(people(19), 5, lambda snapshot, seed: drawn(snapshot, "steps"))]
    ghosts = [table.number for draw in draws for table in draw.tables if len(table.seated) == 3]
    assert ghosts == [5, 2, 4, 1, 3]
    met = Counter(pair_of(*pair) for draw in draws for table in draw.tables for pair in combinations(table.seated, 2))
    assert set(met.values()) == {1}


@pytest.mark.parametrize("movement", MOVING)
@pytest.mark.parametrize("count", [5, 6, 9, 10, 14, 21])
def test_rests(movement: Movement, count: int) -> None:
    rests = Counter(dict.fromkeys(range(1, count + 1), 0))
    before: tuple[int, ...] = ()
    for snapshot, draw in evening(people(count), 12, lambda snapshot, seed: drawn(snapshot, movement)):
        assert faults(snapshot, draw) == []
        assert len(draw.rests) == count % 4
        rests.update(draw.rests)
        assert max(rests.values()) - min(rests.values()) <= 1
        assert not set(before) & set(draw.rests)
        if before and count == 9 and movement in ("winners_up", "losers_down"):
            assert all(one in draw.tables[-1].seated for one in before)
        before = draw.rests
    assert all(any(note.startswith(f"#{one} rests: has ") for note in said(draw.notes)) for one in draw.rests)


def test_late() -> None:
    snapshot = ended(THREE)
    for late, tables, resting in ((1, 3, 1), (2, 3, 2), (3, 4, 0), (4, 4, 0)):
        here = replace(
            snapshot,
            entrants=(*snapshot.entrants, *(Entrant(12 + k, seed=12 + k, joined=2) for k in range(1, late + 1))),
        )
        draw = drawn(here)
        assert faults(here, draw) == []
        assert (len(draw.tables), len(draw.rests)) == (tables, resting)
        assert set(draw.rests) <= {13, 14}, "who has just come waits"
        if late >= 3:
            assert {13, 14, 15} <= set(draw.tables[3].seated)
            assert any("come in" in reason for reason in said(draw.tables[3].reasons))
    ghost = ended({1: ((1, 2), (3, 4)), 2: ((5, 6), (7,))}, count=8)
    assert len(drawn(ghost).tables[1].seated) == 4 and not drawn(ghost).rests


def test_leaving() -> None:
    snapshot = ended(THREE)
    for leaving in range(1, 9):
        here = replace(
            snapshot,
            entrants=tuple(
                replace(one, state="withdrawn", left=2) if one.id <= leaving else one for one in snapshot.entrants
            ),
        )
        for movement in MOVING:
            draw = drawn(here, movement)
            assert faults(here, draw) == []
            assert len(draw.tables) == (12 - leaving + 1) // 4


def test_gap_is_filled_from_the_last_table() -> None:
    gone = ended(THREE)
    gone = replace(gone, entrants=gone.entrants[1:])
    draw = drawn(gone)
    assert len(draw.tables[0].seated) == 4 and len(draw.tables[2].seated) == 3
    assert {2, 5, 6} < set(draw.tables[0].seated)
    assert any("from table" in reason for reason in said(draw.tables[0].reasons))
    # All of the last table should stay where they are told: still one of them moves up.
    last_kept = wishing(gone, fixed_table={11: 1, 12: 2, 3: 3})
    assert faults(last_kept, drawn(last_kept)) == []


def _simulated(steps: Steps, tables: int) -> int | None:
    """The first round in which two people meet a second time, by walking."""
    met: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    for turn in range(tables):
        at: dict[int, list[tuple[int, int]]] = {}
        for seat, step in enumerate(steps):
            for start in range(tables):
                at.setdefault((start + step * turn) % tables, []).append((seat, start))
        for four in at.values():
            for pair in ((one, other) for one in four for other in four if one < other):
                if pair in met:
                    return turn + 1
                met.add(pair)
    return None


def test_theorem() -> None:
    dice = random.Random(3)
    for tables in range(1, 20):
        for steps in (*STEPS.values(), *(_some_steps(dice) for _ in range(4))):
            if len(set(steps)) == 4:
                assert first_repeat(steps, tables) == _simulated(steps, tables), (steps, tables)


def _some_steps(dice: random.Random) -> Steps:
    return (0, dice.randint(-5, 5), dice.randint(-5, 5), dice.randint(-5, 5))


@pytest.mark.parametrize("published", MOVEMENTS[:2], ids=["WEF", "Chatgamers"])
def test_as_published(published: dict[str, dict[str, int]]) -> None:
    steps = published["steps"]
    order = (steps["N"], steps["S"], steps["E"], steps["W"])
    assert order in STEPS.values()
    expected = {int(tables): again for tables, again in published["first_repeat_round"].items()}
    assert {tables: first_repeat(order, tables) for tables in expected} == expected
    for tables in (4, 6, 8, 9, 12):
        met: set[frozenset[int]] = set()
        rules = Rules("steps", order)
        rounds = evening(
            people(4 * tables), tables, lambda snapshot, seed, rules=rules: progressive.pair(snapshot, rules, seed)
        )
        again = None
        for _snapshot, draw in rounds:
            now = {pair_of(*pair) for table in draw.tables for pair in permutations(table.seated, 2)}
            if now & met:
                again = draw.round
                break
            met |= now
        assert again == expected[tables]


def test_which_tables() -> None:
    free = [tables for tables in range(1, 31) if free_of_repeats(tables)]
    assert free == [5, 7, 11, 13, 17, 19, 23, 25, 29]
    assert all(len(free_of_repeats(tables)) == len(STEPS) for tables in free)
    for tables in (4, 6, 8, 9):
        others = ((0, a, b, c) for a, b, c in permutations(range(1, tables), 3))
        assert all(first_repeat(steps, tables) is not None for steps in others), "no steps at all would do"


def test_a_search_for_want_of_a_chart_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """52 people have no chart: the planner tells how far it is, and may be stopped."""
    monkeypatch.setattr(planner, "STEP", 10)
    second = played(people(52), drawn(people(52), "chart"))
    seen: list[planner.Progress] = []
    progressive.pair(second, Rules("chart"), 1, lambda progress: bool(seen.append(progress)))
    assert len(seen) == 1 and seen[0].round == 2 and len(seen[0].tables) == 13


def test_advice() -> None:
    steps = Rules("steps")
    assert str(advice(28, 7, steps)) == "Nobody meets anybody twice in 7 rounds."
    assert str(advice(28, 9, steps)).startswith("At 7 tables the first meet again in round 8.")
    assert str(advice(48, 4, steps)) == "Nobody meets anybody twice in 4 rounds; in round 5 the first would."
    assert str(advice(48, 12, Rules("steps", STEPS["World Euchre Federation"]))).startswith(
        "At 12 tables the first meet again in round 4. Use the planner"
    )
    assert "needs full tables" in str(advice(27, 7, steps)) and "needs full tables" in str(advice(0, 7, steps))
    assert "one in three" in str(advice(8, 10, Rules())) and "one in nine" in str(advice(40, 10, Rules()))
    assert "half of the people never meet" in str(advice(16, 10, Rules("colours")))
    assert "one in three" in str(advice(8, 10, Rules("colours")))
    assert str(advice(8, 7, Rules("chart"))).startswith("7 rounds") and "planner" in str(advice(52, 7, Rules("chart")))


def test_wishes() -> None:
    snapshot = ended(THREE)
    # 1 and 5 would be of a table; they can sit as opponents, or as partners.
    for apart in ("never_together", "never_opponents"):
        here = wishing(snapshot, **{apart: frozenset((pair_of(1, 5), pair_of(2, 5)))})
        draw = drawn(here)
        assert faults(here, draw) == []
    both = wishing(snapshot, never_together=frozenset((pair_of(1, 5),)), never_opponents=frozenset((pair_of(1, 5),)))
    draw = drawn(both)
    assert faults(both, draw) == []
    assert any("changed places to keep a wish" in reason for reason in said(draw.tables[0].reasons))
    everybody = frozenset(pair_of(1, other) for other in range(2, 13))
    with pytest.raises(CannotPair, match="no change of places keeps every wish"):
        drawn(wishing(snapshot, never_together=everybody))
    with pytest.raises(CannotPair, match="Partners change every round"):
        drawn(wishing(snapshot, always_together=frozenset((pair_of(1, 2),))))
    ghost = replace(snapshot, entrants=snapshot.entrants[:11])
    for seed in range(10):
        together = at_tables(drawn(ghost, seed=seed))[2]
        pair = frozenset((pair_of(*sorted(together)[:2]),))
        for stays in sorted(together):
            apart = wishing(ghost, never_together=pair, never_opponents=pair, fixed_table={stays: 3})
            draw = drawn(apart, seed=seed)
            assert faults(apart, draw) == [] and at_tables(draw)[2] != together


def test_orders() -> None:
    snapshot = ended(THREE, count=14)
    here = wishing(snapshot, tables=(((1, 7), (9, 3)),), byes=(14,), fixed_table={11: 2})
    draw = drawn(here)
    assert faults(here, draw) == []
    assert draw.tables[2].sides == ((1, 7), (9, 3)) and said(draw.tables[2].reasons)[0] == "put together by hand"
    assert draw.rests[0] == 14 and said(draw.notes)[1] == "#14 rests by hand"
    placed = drawn(wishing(snapshot, tables=(((1, 7), (9, 3)),), fixed_table={7: 1}))
    assert placed.tables[0].sides == ((1, 7), (9, 3))
    only = wishing(people(5), tables=(((1, 2), (3, 4)),))
    assert drawn(only).rests == (5,)
    moves = drawn(wishing(ended(THREE), fixed_table={9: 3}))
    assert 9 in moves.tables[2].seated
    assert any("changed places so that who cannot move stays" in reason for reason in said(moves.tables[2].reasons))
    for wishes, sentence in (
        ({"fixed_table": {1: 9}}, "#1 is to stay at table 9, which is not free"),
        ({"tables": (((1, 7), (9, 3)),), "fixed_table": {1: 9}}, "Table 9 is kept for"),
        ({"absent": frozenset(range(1, 11))}, "only 2 can play"),
    ):
        with pytest.raises(CannotPair, match=sentence):
            drawn(wishing(ended(THREE), **wishes))
    assert (
        faults(
            wishing(ended(THREE), fixed_table={1: 9}, absent=frozenset((1,))),
            drawn(wishing(ended(THREE), fixed_table={1: 9}, absent=frozenset((1,)))),
        )
        == []
    )


@pytest.mark.parametrize("movement", get_args(Movement))
def test_generated_events(movement: Movement) -> None:
    for seed in range(scale(2_000, 20 if movement == "chart" else 100)):
        for snapshot, draw in eventful(
            seed, lambda snapshot, seed: drawn(snapshot, movement, seed), together=False, wishes_from=16
        ):
            assert faults(snapshot, draw) == [], seed
            sizes = Counter(len(table.seated) for table in draw.tables)
            assert sizes[3] <= 1 and sizes[3] + sizes[4] == len(draw.tables)


def test_rebuilt_from_its_log() -> None:
    for movement in MOVING:
        for seed in range(10):
            log = list(
                eventful(seed, lambda snapshot, seed: drawn(snapshot, movement, seed), together=False, wishes_from=16)
            )
            assert [drawn(snapshot, movement, seed) for snapshot, _draw in log] == [draw for _snapshot, draw in log]
    assert crowd(table.sides for table in drawn(people(8)).tables) != crowd(
        table.sides for table in drawn(people(8), seed=2).tables
    )
