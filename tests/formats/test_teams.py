from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest

from tests.formats.bracket_play import (
    DOUBLE_FORFEIT,
    absent,
    by_lot,
    entrants,
    favourite,
    finish,
    leave,
    play_out,
    won_by,
)
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import double_elimination, round_robin, single_elimination
from tournaments.formats.event import BadScore, DrawnTable, EventError, Result, Snapshot
from tournaments.formats.teams import Rules, Sitting, pair, settle, sittings, totals, victory_points, victory_table

LEAGUE = Rules(event=round_robin.Rules())


def test_sittings() -> None:
    match = DrawnTable(3, ((7,), (9,)))
    assert sittings(match, 0) == (Sitting(5, (7, 1), (9, 1)), Sitting(6, (9, 2), (7, 2)))
    assert sittings(match, 1) == (Sitting(5, (7, 1), (9, 2)), Sitting(6, (9, 1), (7, 2)))
    for part in range(5):
        for sitting in sittings(match, part):
            assert sitting.north_south[0] != sitting.east_west[0]
        seated = {pair for sitting in sittings(match, part) for pair in (sitting.north_south, sitting.east_west)}
        assert seated == {(7, 1), (7, 2), (9, 1), (9, 2)}
    met = {(s.north_south, s.east_west) for part in (0, 1) for s in sittings(match, part)}
    assert len({frozenset(two) for two in met}) == 4, "each pair meets each"


def test_odd_matches_refused() -> None:
    for deals in (0, 7):
        with pytest.raises(EventError, match="no two halves") as refused:
            Rules(deals=deals)
        assert "even" in str(refused.value.advice)


def test_totals() -> None:
    """Deal 1: A wins 2 N-S, B wins 1 N-S at the other table; deal 2: E-W score at both."""
    assert totals([(2, 1), (-1, -4)], Rules()) == (2 + 4, 1 + 1)
    with pytest.raises(BadScore, match="Deal 2 cannot bring 3") as refused:
        totals([(1, 1), (1, -3)], Rules())
    assert str(refused.value.advice) == "Possible are 1, 2, 4."
    with pytest.raises(BadScore, match="cannot bring 0"):
        totals([(0, 1)], Rules())


def test_total_difference_is_that_of_the_deals() -> None:
    lots = random.Random(1)
    for _ in range(50):
        deals = [(lots.choice((-4, -2, -1, 1, 2, 4)), lots.choice((-4, -2, -1, 1, 2, 4))) for _ in range(16)]
        one, other = totals(deals, Rules())
        assert one - other == sum(first - second for first, second in deals)


def test_settled_by_difference() -> None:
    settled = settle((20, 24), (), Rules())
    assert (settled.winner, settled.more) == (1, 0)
    assert settled.result == Result((20, 24), winner=1)


def test_extra_sets() -> None:
    level = settle((20, 20), (), Rules())
    assert (level.winner, level.more) == (None, 4)
    with pytest.raises(EventError, match="level") as asked:
        _ = level.result
    assert str(asked.value.advice) == "Play a set of 4 more."
    assert settle((20, 20), [(3, 3)], Rules()).more == 1
    assert settle((20, 20), [(3, 3), (1, 1), (2, 2)], Rules()).more == 1
    decided = settle((20, 20), [(3, 3), (2, 1)], Rules())
    assert decided.result == Result((20, 20), winner=0), "the extra points are not recorded"
    for regular, extra in (((20, 21), [(1, 1)]), ((20, 20), [(1, 2), (2, 1)])):
        with pytest.raises(EventError, match="after the match was settled"):
            settle(regular, extra, Rules())


def test_ties_of_a_round_robin() -> None:
    assert settle((20, 20), (), LEAGUE).result == Result((20, 20))
    with pytest.raises(EventError, match="after the match was settled"):
        settle((20, 20), [(2, 1)], LEAGUE)


@pytest.mark.parametrize("event", [single_elimination.Rules(third_place=True), double_elimination.Rules()])
def test_brackets_of_teams(event: single_elimination.Rules | double_elimination.Rules) -> None:
    rules = Rules(event=event, boards=False)
    format_ = single_elimination if isinstance(event, single_elimination.Rules) else double_elimination
    snapshot, draws = play_out(lambda now: pair(now, rules, 0), Snapshot(entrants(6)), by_lot(1))
    plain, plain_draws = play_out(lambda now: format_.pair(now, event, 0), Snapshot(entrants(6)), by_lot(1))  # type: ignore[arg-type]
    assert snapshot == plain and [len(draw.tables) for draw in draws] == [len(draw.tables) for draw in plain_draws]
    assert said(draws[0].tables[1].reasons)[-1] == (
        "tables 3 and 4, 16 deals, deals of its own at each; pairs swap opponents after 8"
    )


def test_victory_points() -> None:
    assert victory_points(0, LEAGUE) == (10, 10)
    assert victory_points(20, LEAGUE) == victory_points(33, LEAGUE) == (20, 0), "5 x sqrt(16)"
    assert victory_points(-20, LEAGUE) == (0, 20)
    assert victory_points(1, replace(LEAGUE, scale=15)) == (Decimal("10.31"), Decimal("9.69"))
    curve = [victory_points(difference, LEAGUE)[0] for difference in range(21)]
    gains = [after - before for before, after in pairwise(curve)]
    assert all(gain > 0 for gain in gains)
    assert all(later <= earlier + Decimal("0.01") for earlier, later in pairwise(gains))
    for difference in range(-25, 26):
        points = victory_points(difference, LEAGUE)
        assert sum(points) == 20 and victory_points(-difference, LEAGUE) == points[::-1]


def test_victory_table() -> None:
    snapshot, _ = play_out(lambda now: pair(now, LEAGUE, 0), Snapshot(entrants(4)), favourite)
    rows = victory_table(snapshot, LEAGUE)
    assert [row.team for row in rows] == [1, 2, 3, 4]
    win, loss = victory_points(6, LEAGUE)
    assert rows[0].total == 3 * win and rows[0].terms == (win, win, win)
    assert rows[1].total == 2 * win + loss and sorted(rows[1].terms) == [loss, win, win]
    assert sum(row.total for row in rows) == 6 * 20
    level, _ = play_out(lambda now: pair(now, LEAGUE, 0), Snapshot(entrants(4)), lambda table: Result((8, 8)))
    assert [row.place for row in victory_table(level, LEAGUE)] == [1, 1, 1, 1]


def test_victory_table_with_forfeits() -> None:
    def decide(table: DrawnTable) -> Result:
        if set(table.seated) == {1, 4}:
            return absent(table.seated.index(4))
        if set(table.seated) == {2, 3}:
            return DOUBLE_FORFEIT
        return favourite(table)

    snapshot, _ = play_out(lambda now: pair(now, LEAGUE, 0), Snapshot(entrants(4)), decide)
    rows = {row.team: row for row in victory_table(snapshot, LEAGUE)}
    win, loss = victory_points(6, LEAGUE)
    assert rows[1].terms == (win, win, win), "its own average"
    assert sorted(rows[4].terms) == sorted([loss, loss, Decimal(0)])
    assert rows[2].terms.count(Decimal(0)) == 1

    def nobody(table: DrawnTable) -> Result:
        return absent(1)

    first = finish(Snapshot(entrants(2)), pair(Snapshot(entrants(2)), LEAGUE, 0), nobody)
    assert [row.total for row in victory_table(first, LEAGUE)] == [10, 0], "nothing played: level"


def test_victory_table_of_who_withdrew() -> None:
    snapshot = Snapshot(entrants(4))
    for _ in range(2):
        snapshot = finish(snapshot, pair(snapshot, LEAGUE, 0), favourite)
    rows = victory_table(leave(snapshot, 1), LEAGUE)
    assert rows[-1].team == 1 and rows[-1].place == 4 and rows[-1].terms[-1] == 0


def test_victory_points_of_a_bracket_refused() -> None:
    with pytest.raises(EventError, match="of a round robin"):
        victory_table(Snapshot(entrants(4)), Rules())


def test_generated_events() -> None:
    """Teams meet as the entrants of their event do; the two tables of a match are those of no other,
    and the victory points of a match are 20, but where somebody did not come."""
    kinds = (single_elimination.Rules(), double_elimination.Rules(), round_robin.Rules())
    for seed in range(scale(2_000, 60)):
        lots = random.Random(seed)
        rules = Rules(event=kinds[seed % 3], boards=bool(lots.randrange(2)), deals=2 * lots.randint(1, 12))
        ends = [won_by(0), won_by(1), absent(0), absent(1), DOUBLE_FORFEIT]

        def decide(table: DrawnTable, lots: random.Random = lots, ends: list[Result] = ends) -> Result:
            return lots.choice(ends)

        def before(now: Snapshot, lots: random.Random = lots) -> Snapshot:
            active = [one.id for one in now.entrants if one.state == "active"]
            leaves = now.number > 1 and len(active) > 2 and lots.random() < 0.1
            return leave(now, lots.choice(active)) if leaves else now

        count = lots.randint(2, 12) if seed % 20 else lots.randint(13, 24)
        start = Snapshot(entrants(count))
        snapshot, draws = play_out(lambda now, rules=rules: pair(now, rules, 0), start, decide, before)  # type: ignore[misc]
        for draw in draws:
            seats = [sitting.number for table in draw.tables for sitting in sittings(table, 0)]
            assert len(set(seats)) == len(seats) == 2 * len(draw.tables)
        if isinstance(rules.event, round_robin.Rules):
            rows = victory_table(snapshot, rules)
            assert sorted(row.team for row in rows) == list(range(1, count + 1))
            total = sum((row.total for row in rows), Decimal(0))
            results = [table.result for _, table in round_robin.counted(snapshot, rules.event).tables()]
            assert total >= 20 * sum(result.played for result in results)
            assert any(not result.played for result in results) or total == 20 * len(results)
