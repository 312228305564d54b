"""Round robins and their groups.

What directors have complained about elsewhere:

| complaint | test |
|---|---|
| byes of an odd number (tournament-organizer 35, Friends-Tournament 6) | test_odd_counts, test_everybody_meets |
| somebody added or gone breaks the rounds (liwords 855, 481, 1039; PGSwiss 77) | test_late_entry, test_random_events |
| dropped after a result, paired against himself (tournament-organizer 10) | test_withdrawal_at_every_point |
| withdrawn ones at the top (lila 511) | test_withdrawal_below_half, test_withdrawal_above_half |
| ties of a group (sendou 1564, bracket 1676) | test_level_in_a_group |
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.formats.bracket_play import (
    DOUBLE_FORFEIT,
    VOID,
    absent,
    by_lot,
    entrants,
    favourite,
    finish,
    leave,
    play_out,
    published,
    won_by,
)
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import single_elimination
from tournaments.formats.event import (
    CannotPair,
    Constraints,
    Draw,
    Entrant,
    EventError,
    Result,
    Round,
    Snapshot,
    Table,
    pair_of,
)
from tournaments.formats.round_robin import (
    Finish,
    Rules,
    berger,
    counted,
    groups,
    pair,
    playoff_seeding,
    schedule,
    tables,
)

ONCE = Rules()


def pairing(rules: Rules = ONCE) -> Callable[[Snapshot], Draw]:
    return lambda snapshot: pair(snapshot, rules, 0)


def meetings(snapshot: Snapshot) -> Counter[frozenset[int]]:
    return Counter(pair_of(*table.seated) for _, table in snapshot.tables() if table.result.outcome != "void")


def test_berger_as_published() -> None:
    for count, rounds in published("berger")["tables"].items():
        assert [[list(two) for two in pairs] for pairs in berger(int(count))] == rounds


def test_everybody_meets() -> None:
    for count in range(2, 65):
        everybody_meets(count)


def everybody_meets(count: int) -> None:
    """Each two once, nobody twice in a round; of an odd number each one bye; seats as even as can be."""
    rounds = schedule(Snapshot(entrants(count)), ONCE)[0]
    assert len(rounds) == count - 1 + count % 2
    met: Counter[frozenset[int]] = Counter()
    byes: Counter[int] = Counter()
    seats: Counter[int] = Counter()
    for pairs in rounds:
        assert sorted(one for two in pairs for one in two if one is not None) == list(range(1, count + 1))
        for one, other in pairs:
            if other is None:
                byes[one] += 1
            else:
                met[pair_of(one, other)] += 1
                seats[one] += 1
                seats[other] -= 1
    assert set(met.values()) == {1} and len(met) == count * (count - 1) // 2
    assert byes == (Counter(range(1, count + 1)) if count % 2 else {})
    assert max(map(abs, seats.values())) <= 1


@pytest.mark.parametrize("count", [2, 5, 8, 13])
def test_draws_follow_the_schedule(count: int) -> None:
    snapshot, draws = play_out(pairing(), Snapshot(entrants(count)), by_lot(1))
    for draw, pairs in zip(draws, schedule(snapshot, ONCE)[0], strict=True):
        assert [table.seated for table in draw.tables] == [two for two in pairs if two[1] is not None]
        assert said(draw.tables[0].reasons) == (f"round {draw.round} of the Berger table",)
        assert draw.rests == ()
    for number, draw in enumerate(draws):
        assert pair(replace(snapshot, rounds=snapshot.rounds[:number]), ONCE, 0) == draw


def test_odd_counts() -> None:
    _, draws = play_out(pairing(Rules(legs=2)), Snapshot(entrants(7)), by_lot(1))
    assert Counter(bye for draw in draws for bye in draw.byes) == dict.fromkeys(range(1, 8), 2)
    assert all(said(draw.notes) == (f"#{draw.byes[0]} has the bye of this round.",) for draw in draws)


def test_legs() -> None:
    first, second = (schedule(Snapshot(entrants(6)), Rules(legs=2, seats_matter=matter))[0] for matter in (False, True))
    once = schedule(Snapshot(entrants(6)), ONCE)[0]
    assert first[:5] == once
    assert first[5:] == tuple(tuple((other, one) for one, other in pairs) for pairs in once)
    assert second == (*first[:3], first[4], first[3], *first[5:])
    assert schedule(Snapshot(entrants(6)), Rules(legs=3))[0][10:] == once
    snapshot, draws = play_out(pairing(Rules(legs=3)), Snapshot(entrants(5)), by_lot(1))
    assert set(meetings(snapshot).values()) == {3}
    assert said(draws[5].tables[0].reasons) == ("round 1 of the Berger table, leg 2",)


def test_snake() -> None:
    assert groups(Snapshot(entrants(10)), Rules(groups=3)) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))
    with pytest.raises(CannotPair, match="3 groups need 6 entrants; there are 5"):
        groups(Snapshot(entrants(5)), Rules(groups=3))
    with pytest.raises(CannotPair, match="needs two entrants; there are 1"):
        groups(Snapshot(entrants(1)), ONCE)


def test_groups_play_side_by_side() -> None:
    rules = Rules(groups=3)
    snapshot, draws = play_out(pairing(rules), Snapshot(entrants(13)), by_lot(2))
    assert len(draws) == 5
    assert {table.label for table in draws[0].tables} == {"G1", "G2", "G3"}
    expected = {
        pair_of(one, other) for group in groups(snapshot, rules) for one in group for other in group if one != other
    }
    assert meetings(snapshot) == dict.fromkeys(expected, 1)


@pytest.mark.parametrize("legs", [1, 2])
@pytest.mark.parametrize("newcomers", [1, 2, 3])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9])
def test_late_entry(count: int, newcomers: int, legs: int) -> None:
    def before(now: Snapshot) -> Snapshot:
        if now.number != 2:
            return now
        late = tuple(Entrant(50 + number, 50, joined=2) for number in range(newcomers))
        return replace(now, entrants=now.entrants + late)

    rules = Rules(legs=legs)
    first = pair(Snapshot(entrants(count)), rules, 0)
    snapshot, draws = play_out(pairing(rules), Snapshot(entrants(count)), by_lot(count), before)
    assert draws[0] == first
    everybody = count + newcomers
    met = meetings(snapshot)
    assert len(met) == everybody * (everybody - 1) // 2 and set(met.values()) == {legs}
    missed = (everybody - 2 * len(first.tables)) // 2
    assert len(draws) == legs * (everybody - 1 + everybody % 2) + (missed > 0), "one extra round if any"
    if missed:
        assert len(draws[-1].tables) == missed
        assert said(draws[-1].tables[0].reasons) == ("extra match: postponed or missed before",)


def test_late_entry_goes_to_the_smallest_group() -> None:
    snapshot = Snapshot(entrants(5))
    rules = Rules(groups=2)
    snapshot = finish(snapshot, pair(snapshot, rules, 0), favourite)
    snapshot = replace(snapshot, entrants=(*snapshot.entrants, Entrant(9, 9, joined=2)))
    assert groups(snapshot, rules) == ((1, 4, 5), (2, 3, 9))
    done, _ = play_out(pairing(rules), snapshot, favourite)
    assert set(meetings(done).values()) == {1} and len(meetings(done)) == 6


def test_too_late() -> None:
    snapshot = Snapshot(entrants(4))
    for _ in range(2):
        snapshot = finish(snapshot, pair(snapshot, ONCE, 0), favourite)
    late = replace(snapshot, entrants=(*snapshot.entrants, Entrant(9, 9, joined=3)))
    with pytest.raises(CannotPair, match="takes nobody after its first round") as refused:
        pair(late, ONCE, 0)
    assert "next event" in str(refused.value.advice)


def leaving(who: int, moment: int) -> Callable[[Snapshot], Snapshot]:
    return lambda now: leave(now, who) if now.number == moment else now


def test_withdrawal_below_half() -> None:
    snapshot, draws = play_out(pairing(), Snapshot(entrants(6)), favourite, leaving(1, 3))
    assert all(1 not in table.seated for draw in draws[2:] for table in draw.tables)
    assert any("has withdrawn" in note for note in said(draws[2].notes))
    assert len(draws[2].rests) == 1
    counting = counted(snapshot, ONCE)
    assert [table.result.outcome for _, table in counting.tables() if 1 in table.seated] == ["void", "void"]
    assert len([table for _, table in snapshot.tables() if 1 in table.seated]) == 2, "the archive keeps them"
    (lines,) = tables(snapshot, ONCE)
    assert [line.entrant for line in lines] == [2, 3, 4, 5, 6, 1]
    assert [line.games for line in lines] == [4, 4, 4, 4, 4, 0]
    assert lines[-1].withdrawn


def test_withdrawal_above_half() -> None:
    snapshot, _ = play_out(pairing(), Snapshot(entrants(6)), favourite, leaving(1, 4))
    (lines,) = tables(snapshot, ONCE)
    assert [(line.entrant, line.score, line.games) for line in lines] == [
        (2, 8 + 2 * (not _played(snapshot, 1, 2)), 5),
        (3, 6 + 2 * (not _played(snapshot, 1, 3)), 5),
        (4, 4 + 2 * (not _played(snapshot, 1, 4)), 5),
        (5, 2 + 2 * (not _played(snapshot, 1, 5)), 5),
        (6, 0 + 2 * (not _played(snapshot, 1, 6)), 5),
        (1, 6, 5),
    ]
    forfeits = counted(snapshot, ONCE).rounds[-1]
    assert len(forfeits.tables) == 2 and {table.result.outcome for table in forfeits.tables} == {"forfeit"}


def _played(snapshot: Snapshot, one: int, other: int) -> bool:
    return bool(meetings(snapshot)[pair_of(one, other)])


def test_half_is_of_games_he_came_to() -> None:
    """Two games of four, one of them a forfeit of his own."""
    for side, gone in ((0, "void"), (1, "played")):
        snapshot = Snapshot(entrants(5))

        def decide(table: Table, side: int = side) -> Result:
            if table.seated in ((5, 2), (2, 5), (1, 2), (2, 1)):
                return absent(table.seated.index(2) if side == 0 else 1 - table.seated.index(2))
            return favourite(table)  # type: ignore[arg-type]

        while sum(2 in table.seated for _, table in snapshot.tables()) < 2:
            snapshot = finish(snapshot, pair(snapshot, ONCE, 0), decide)  # type: ignore[arg-type]
        snapshot = leave(snapshot, 2)
        outcomes = {table.result.outcome for _, table in counted(snapshot, ONCE).tables() if 2 in table.seated}
        assert ("void" in outcomes) == (gone == "void")


def test_withdrawal_at_every_point() -> None:
    for count in (5, 6):
        for who in range(1, count + 1):
            for moment in range(1, count + 1):
                snapshot, draws = play_out(pairing(), Snapshot(entrants(count)), by_lot(who), leaving(who, moment))
                assert all(who not in table.seated for draw in draws[moment - 1 :] for table in draw.tables)
                others = [pair for pair in meetings(snapshot) if who not in pair]
                assert len(others) == (count - 1) * (count - 2) // 2
                assert tables(snapshot, ONCE)[0][-1].entrant == who or moment in (1, count)


def test_all_but_two_leave() -> None:
    """A round in which nobody would play is not drawn: what is left comes at once."""
    snapshot = Snapshot(entrants(6))
    snapshot = finish(snapshot, pair(snapshot, ONCE, 0), favourite)
    for who in (3, 4, 5, 6):
        snapshot = leave(snapshot, who)
    draw = pair(snapshot, ONCE, 0)
    assert [table.seated for table in draw.tables] == [(1, 2)] and draw.byes == () and draw.rests == ()
    away = replace(snapshot, rounds=(*snapshot.rounds, Round(2, ())))
    assert said(pair(away, ONCE, 0).tables[0].reasons) == ("extra match: nothing else could be played in this round",)


def test_two_leave_who_were_to_meet() -> None:
    snapshot = leave(leave(Snapshot(entrants(6)), 1), 6)
    late = replace(snapshot, entrants=tuple(replace(one, left=None) for one in snapshot.entrants))
    draw = pair(late, ONCE, 0)
    assert [table.seated for table in draw.tables] == [(2, 5), (3, 4)]
    assert not draw.notes


@pytest.mark.parametrize("state", ["absent", "paused"])
def test_postponed(state: str) -> None:
    def before(now: Snapshot) -> Snapshot:
        missing = {1, 5} if now.number == 2 else {1} if now.number in (3, 4) else set()
        if state == "absent":
            return replace(now, constraints=Constraints(absent=frozenset(missing)))
        return replace(
            now, entrants=tuple(replace(one, state="paused" if one.id in missing else "active") for one in now.entrants)
        )

    for count in (6, 7):
        snapshot, draws = play_out(pairing(), Snapshot(entrants(count)), by_lot(3), before)
        assert any("is postponed: #1 absent" in note for note in said(draws[2].notes))
        assert all(1 not in table.seated for draw in draws[1:4] for table in draw.tables)
        assert len(meetings(snapshot)) == count * (count - 1) // 2 and set(meetings(snapshot).values()) == {1}
        filled = any("not free" in said(table.reasons)[0] for table in draws[1].tables)
        assert filled == (count == 6), "of six two are left alone and play each other"


def test_nobody_to_play() -> None:
    snapshot = Snapshot(entrants(3), constraints=Constraints(absent=frozenset({1, 2})))
    with pytest.raises(CannotPair, match="No match can be played") as refused:
        pair(snapshot, ONCE, 0)
    assert "absent" in str(refused.value.advice)


def test_void_comes_back_at_the_end() -> None:
    seen: list[int] = []

    def decide(table: object) -> Result:
        if set(table.seated) == {1, 2} and not seen:  # type: ignore[attr-defined]
            seen.append(1)
            return VOID
        return favourite(table)  # type: ignore[arg-type]

    snapshot, draws = play_out(pairing(), Snapshot(entrants(4)), decide)
    assert len(draws) == 4 and [table.seated for table in draws[-1].tables] == [(1, 2)]
    assert set(meetings(snapshot).values()) == {1}


def test_random_events() -> None:
    """Whatever happens, everybody who stays plays all who stay, as often as there are legs."""
    for seed in range(scale(2_000, 40)):
        lots = random.Random(seed)
        count = lots.randint(4, 12)
        rules = Rules(lots.randint(1, 2), lots.randint(1, 2), bool(lots.randrange(2)))

        def before(now: Snapshot, lots: random.Random = lots) -> Snapshot:
            if now.number > 1 and lots.random() < 0.1:
                now = leave(now, lots.choice([one.id for one in now.entrants if one.state == "active"] or [1]))
            if now.number == 2 and lots.random() < 0.5:
                now = replace(now, entrants=(*now.entrants, Entrant(99, 99, joined=2)))
            gone = frozenset(lots.sample(range(1, 5), lots.choice([0, 0, 0, 1])))
            return replace(now, constraints=Constraints(absent=gone))

        def decide(table: object, lots: random.Random = lots) -> Result:
            return lots.choice([won_by(0), won_by(1), Result((8, 8)), absent(0), DOUBLE_FORFEIT])

        now = Snapshot(entrants(count))
        while True:
            now = before(now)
            try:
                draw = pair(now, rules, 0)
            except CannotPair as refused:
                if "is decided" in str(refused):
                    break
                now = replace(now, constraints=Constraints())
                draw = pair(now, rules, 0)
            now = finish(now, draw, decide)
            assert now.number < 200
        stay = {one.id for one in now.entrants if one.state == "active"}
        expected = {
            pair_of(one, other): rules.legs
            for group in groups(now, rules)
            for one in stay.intersection(group)
            for other in stay.intersection(group)
            if one < other
        }
        met = {two: times for two, times in meetings(now).items() if two <= stay}
        assert met == expected
        games = Counter(one for _, table in counted(now, rules).tables() for one in table.seated)
        for lines in tables(now, rules):
            assert {line.withdrawn for line in lines} in ({False}, {True}, {False, True})
            assert sorted(line.place for line in lines) == [line.place for line in lines]
            assert all(line.games <= games[line.entrant] for line in lines)


def test_tables_by_hand() -> None:
    made = Constraints(tables=(((2,), (1,)),))
    snapshot = Snapshot(entrants(6), constraints=made)
    draw = pair(snapshot, ONCE, 0)
    assert draw.tables[0].seated == (2, 1) and said(draw.tables[0].reasons) == ("put together by hand",)
    assert len(draw.tables) == 3, "the two whose opponents were taken meet"
    snapshot = replace(finish(snapshot, draw, favourite), constraints=Constraints())
    done, _ = play_out(pairing(), snapshot, favourite)
    assert len(meetings(done)) == 15 and set(meetings(done).values()) == {1}
    with pytest.raises(CannotPair, match="cannot be put") as refused:
        pair(replace(snapshot, constraints=made), ONCE, 0)
    assert "no match left" in str(refused.value.advice)
    across = Constraints(tables=(((1,), (2,)),))
    with pytest.raises(CannotPair, match="cannot be put"):
        pair(Snapshot(entrants(4), constraints=across), Rules(groups=2), 0)


def test_bye_of_who_is_seated_by_hand_or_absent() -> None:
    bye = pair(Snapshot(entrants(5)), ONCE, 0).byes[0]
    made = Constraints(tables=(((bye,), (2,)),))
    assert pair(Snapshot(entrants(5), constraints=made), ONCE, 0).byes == ()
    away = Constraints(absent=frozenset({bye}))
    assert pair(Snapshot(entrants(5), constraints=away), ONCE, 0).byes == ()


def test_never_opponents() -> None:
    wish = Constraints(never_opponents=frozenset({pair_of(1, 4)}))
    snapshot = Snapshot(entrants(4), constraints=wish)
    draw = pair(snapshot, ONCE, 0)
    assert [table.seated for table in draw.tables] == [(2, 3)] and draw.rests == (1, 4)
    assert said(draw.notes) == ("No match between #1 and #4, who shall not meet.",)
    done, _ = play_out(pairing(), snapshot, favourite)
    assert len(meetings(done)) == 5


def test_wishes_without_place() -> None:
    with pytest.raises(CannotPair, match="by the table of the round robin, not by hand"):
        pair(Snapshot(entrants(4), constraints=Constraints(byes=(1,))), ONCE, 0)


def test_counted() -> None:
    snapshot, _ = play_out(pairing(), Snapshot(entrants(5)), favourite)
    assert all(len(played.byes) == 1 for played in snapshot.rounds)
    assert all(played.byes == () and len(played.rests) == 1 for played in counted(snapshot, ONCE).rounds)


def circle(scores: dict[tuple[int, int], tuple[int, int]], count: int) -> Snapshot:
    """A group in which the games named ended so, each in a round of its own."""
    rounds = [
        Round(number, (Table(1, ((one,), (other,)), Result(points, winner=int(points[1] > points[0]))),))
        for number, ((one, other), points) in enumerate(scores.items(), 1)
    ]
    return Snapshot(entrants(count), tuple(rounds))


def test_level_in_a_group() -> None:
    """1, 2 and 3 beat each other in a circle and all beat 4: the games among them decide, though
    3 has the best difference overall."""
    snapshot = circle(
        {(1, 2): (10, 3), (2, 3): (10, 5), (3, 1): (10, 8), (1, 4): (10, 9), (2, 4): (10, 9), (3, 4): (10, 0)}, 4
    )
    (lines,) = tables(snapshot, ONCE)
    assert [(line.place, line.entrant, line.difference) for line in lines] == [
        (1, 1, 6), (2, 2, -1), (3, 3, 7), (4, 4, -12),
    ]  # fmt: skip
    level = circle(
        {(1, 2): (10, 5), (2, 3): (10, 5), (3, 1): (10, 5), (1, 4): (10, 0), (2, 4): (10, 5), (3, 4): (10, 5)}, 4
    )
    (lines,) = tables(level, ONCE)
    assert [(line.place, line.entrant) for line in lines] == [(1, 1), (2, 2), (2, 3), (4, 4)]
    with pytest.raises(EventError, match="#2 and #3 are level") as asked:
        playoff_seeding([lines], 2)
    assert "Cut the cards" in str(asked.value.advice)
    assert playoff_seeding([lines], 1) == (1,)


def line(place: int, entrant: int, score: int, games: int = 3, withdrawn: bool = False) -> Finish:
    return Finish(place, entrant, score, games, 0, 0, withdrawn)


def test_playoff_seeding() -> None:
    first = [line(1, 11, 4), line(2, 12, 2), line(3, 13, 0)]
    second = [line(1, 21, 6), line(2, 22, 4), line(3, 23, 2)]
    assert playoff_seeding([first, second], 2) == (21, 11, 22, 12), "each winner meets the other runner-up"
    second[1] = line(2, 22, 1)
    assert playoff_seeding([first, second], 2) == (21, 11, 22, 12), "swapped: 22 would have met 21"
    bigger = [line(1, 31, 5, games=4), line(2, 32, 1, games=4)]
    assert playoff_seeding([first, bigger], 1) == (11, 31), "by score a game"


def test_playoff_seeding_decided_by_the_director() -> None:
    lines = [line(1, 1, 4), line(2, 2, 2), line(2, 3, 2), line(4, 4, 0)]
    seeds = playoff_seeding([lines, [line(1, 9, 6), line(2, 8, 0)]], 2, by_director=(3, 2))
    assert seeds == (9, 1, 8, 3), "3 goes through, and is moved away from 1 of his group"


def test_playoff_seeding_without_who_withdrew() -> None:
    lines = [line(1, 1, 4), line(2, 2, 2, withdrawn=True)]
    assert playoff_seeding([lines, [line(1, 9, 6), line(2, 8, 0)]], 2) == (9, 1, 8)


@pytest.mark.parametrize("group_count", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("qualify", [2, 3, 4])
def test_playoffs_part_the_groups(group_count: int, qualify: int) -> None:
    for seed in range(3):
        lots = random.Random(seed)
        rules = Rules(groups=group_count)
        snapshot, _ = play_out(pairing(rules), Snapshot(entrants(5 * group_count)), by_lot(seed))
        finished = tables(snapshot, rules)
        order = list(range(1, 5 * group_count + 1))
        lots.shuffle(order)
        seeds = playoff_seeding(finished, qualify, by_director=order)
        assert len(set(seeds)) == group_count * qualify
        home = {one: number for number, group in enumerate(groups(snapshot, rules)) for one in group}
        field = tuple(Entrant(one, place) for place, one in enumerate(seeds, 1))
        draw = single_elimination.pair(Snapshot(field), single_elimination.Rules(), 0)
        size = 1 << (len(seeds) - 1).bit_length()
        for table in draw.tables:
            if len(seeds) == size or table.label.startswith("R1"):
                assert home[table.sides[0][0]] != home[table.sides[1][0]]


def test_one_group_cannot_be_parted() -> None:
    with pytest.raises(CannotPair, match="may meet nobody"):
        playoff_seeding([[line(1, 1, 4), line(2, 2, 2)]], 2)
