"""What single and double elimination have in common.

What directors have complained about elsewhere:

| complaint | test |
|---|---|
| correcting a score locks up or wipes (brackets-manager 219, 73, 65, 205, 140) | test_correction_swaps, ..._stands |
| a bye does not travel (brackets-manager 54, 184; 5stack 497) | test_every_size_to_the_end of both formats |
| withdrawal in both brackets (brackets-manager 195, tournament-organizer 1) | test_withdrawal_at_every_point |
| both absent (brackets-manager 26) | test_double_forfeit_in_each_match |
| reseeding wipes results (brackets-manager 107) | test_reseeding_refused |
| a second final that nobody needs (cobra 12, showdown 2392) | test_reset_only_when_needed |
| crossing of the losers (jquery-bracket 180) | test_crossing, test_no_early_rematch |
| dropped after a result, paired against himself (tournament-organizer 10) | test_withdrawal_at_every_point |
| undoing a withdrawal (liwords 792, PreRegMe 81) | test_return_of_who_withdrew, test_undone_too_late |
| byes missing from the picture (tournament-organizer 29) | test_every_slot_is_there |
"""

from __future__ import annotations

import random
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from tests.formats.bracket_play import (
    DOUBLE_FORFEIT,
    VOID,
    absent,
    by_lot,
    correct,
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
from tournaments.formats import double_elimination, single_elimination
from tournaments.formats.bracket import affected, keep_apart, seed_order, slots_for
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

FORMATS = [single_elimination, double_elimination]
both = pytest.mark.parametrize("format_", FORMATS, ids=["single", "double"])


def pairing(format_: ModuleType, rules: Any = None) -> Any:
    rules = rules or format_.Rules()
    return lambda snapshot: format_.pair(snapshot, rules, 0)


def bracket_of(format_: ModuleType, snapshot: Snapshot, rules: Any = None) -> Any:
    return format_.bracket(snapshot, rules or format_.Rules(), 0)


def labels(draw: Draw) -> list[str]:
    return [table.label for table in draw.tables]


@pytest.mark.parametrize("size", [4, 8, 16, 32])
@both
def test_round_one_as_brackets_manager(format_: ModuleType, size: int) -> None:
    kind = "single" if format_ is single_elimination else "double"
    draw = format_.pair(Snapshot(entrants(size)), format_.Rules(), 0)
    assert [list(table.seated) for table in draw.tables] == published("brackets_manager")[kind][str(size)]["round1"]


def test_seed_order_holds_every_seed_once() -> None:
    for power in range(1, 11):
        order = seed_order(2**power)
        assert sorted(order) == list(range(1, 2**power + 1))
        assert {one + other for one, other in zip(order[::2], order[1::2], strict=True)} == {2**power + 1}


@both
def test_byes_of_round_one(format_: ModuleType) -> None:
    for count in range(2, 129):
        bracket = bracket_of(format_, Snapshot(entrants(count)))
        first = [match for match in bracket.matches if match.part in ("main", "winners") and match.round == 1]
        byes = [match.winner for match in first if match.state == "walkover"]
        assert sorted(byes) == list(range(1, slots_for(count) - count + 1))
        assert all(match.entrants for match in first)


@both
def test_every_slot_is_there(format_: ModuleType) -> None:
    bracket = bracket_of(format_, Snapshot(entrants(5)))
    assert bracket.size == 8
    seeds = [slot.source.seed for match in bracket.matches for slot in match.slots if slot.source.kind == "seed"]
    assert tuple(seeds) == seed_order(8)
    empty = [slot for match in bracket.matches for slot in match.slots if slot.known and slot.entrant is None]
    assert [slot.source.seed for slot in empty if slot.source.kind == "seed"] == [8, 7, 6]
    assert str(bracket.matches[0].slots[1].source.reason) == "seed 8"


@both
def test_byes_and_rests_of_a_draw(format_: ModuleType) -> None:
    snapshot = Snapshot(entrants(5))
    draw = format_.pair(snapshot, format_.Rules(), 0)
    assert {table.seated for table in draw.tables} == {(4, 5), (2, 3)}
    assert draw.byes == (1,) and draw.rests == ()
    after = finish(snapshot, draw, lambda table: won_by(0) if table.seated == (4, 5) else None)
    later = format_.pair(after, format_.Rules(), 0)
    assert (2, 3) in {table.seated for table in later.tables}, "drawn again until it has a result"
    assert {1, 4} in [set(table.seated) for table in later.tables]
    assert later.rests == ()
    assert later.byes == (() if format_ is single_elimination else (5,)), "byes of round 1 send byes down"


@both
def test_rebuilt_from_its_log(format_: ModuleType) -> None:
    for count in (5, 8, 13):
        rules = format_.Rules(band=4)
        lots = random.Random(count)

        def results(table: Any, lots: random.Random = lots) -> Any:
            return lots.choice([won_by(0), won_by(1), absent(0), DOUBLE_FORFEIT, None])

        snapshot, draws = play_out(
            lambda now, rules=rules: format_.pair(now, rules, 7), Snapshot(entrants(count)), results
        )
        for number, draw in enumerate(draws):
            before = replace(snapshot, rounds=snapshot.rounds[:number])
            assert format_.pair(before, rules, 7) == draw


@both
def test_withdrawal_at_every_point(format_: ModuleType) -> None:
    """Of each entrant, before each draw, of brackets with and without byes."""
    for count in (6, 8):
        rounds = 6 if format_ is double_elimination else 3
        for moment in range(1, rounds + 2):
            for who in range(1, count + 1):

                def before(now: Snapshot, moment: int = moment, who: int = who) -> Snapshot:
                    return leave(now, who) if now.number == moment else now

                snapshot, draws = play_out(pairing(format_), Snapshot(entrants(count)), by_lot(who), before)
                assert all(who not in table.seated for draw in draws[moment - 1 :] for table in draw.tables)
                bracket = bracket_of(format_, snapshot)
                assert bracket.champion is not None and bracket.over
                placed = [one for place in bracket.places for one in place]
                assert sorted(placed) == [one for one in range(1, count + 1) if moment > 1 or one != who]


@both
def test_all_leave_at_once(format_: ModuleType) -> None:
    snapshot = finish(Snapshot(entrants(4)), format_.pair(Snapshot(entrants(4)), format_.Rules(), 0), favourite)
    for who in (1, 2, 3, 4):
        snapshot = leave(snapshot, who)
    bracket = bracket_of(format_, snapshot)
    assert bracket.over and bracket.champion is None
    with pytest.raises(CannotPair, match="nobody has won"):
        format_.pair(snapshot, format_.Rules(), 0)
    assert sorted(one for place in bracket.places for one in place) == [1, 2, 3, 4]


@both
def test_opponent_of_who_withdrew_has_a_bye(format_: ModuleType) -> None:
    first = format_.pair(Snapshot(entrants(8)), format_.Rules(), 0)
    snapshot = leave(finish(Snapshot(entrants(8)), first, favourite), 4)
    draw = format_.pair(snapshot, format_.Rules(), 0)
    assert draw.byes == (1,)
    assert all(4 not in table.seated for table in draw.tables)


@both
def test_double_forfeit_in_each_match(format_: ModuleType) -> None:
    matches = [match.label for match in bracket_of(format_, Snapshot(entrants(8))).matches]
    for empty in matches:

        def results(table: Any, empty: str = empty) -> Result:
            if table.label == empty:
                return DOUBLE_FORFEIT
            if empty == "F2" and table.label == "F":
                return won_by(1)
            return favourite(table)

        snapshot, _ = play_out(pairing(format_), Snapshot(entrants(8)), results)
        bracket = bracket_of(format_, snapshot)
        assert bracket.over
        placed = [one for place in bracket.places for one in place]
        assert sorted(placed) == list(range(1, 9))
        if empty == matches[-1]:
            assert bracket.champion is None and len(bracket.places[0]) == 2
        else:
            assert bracket.places[0] == (bracket.champion,)


@both
def test_random_forfeits(format_: ModuleType) -> None:
    for seed in range(scale(2_000, 20)):
        lots = random.Random(seed)

        def results(table: Any, lots: random.Random = lots) -> Result:
            return lots.choice([won_by(0), won_by(1), absent(0), absent(1), DOUBLE_FORFEIT])

        count = lots.randint(2, 24)
        snapshot, _ = play_out(pairing(format_), Snapshot(entrants(count)), results)
        placed = [one for place in bracket_of(format_, snapshot).places for one in place]
        assert sorted(placed) == list(range(1, count + 1))


@both
def test_random_events(format_: ModuleType) -> None:
    """Results that come late, forfeits, withdrawals and returns, absences, late entries,
    corrections at any time: nobody twice in a round, and everybody has a place in the end."""
    undone = 0
    events = scale(2_000, 15)
    for seed in range(events):
        lots = random.Random(seed)
        now = Snapshot(entrants(lots.randint(2, 20)))
        kinds = [won_by(0), won_by(1), won_by(0), won_by(1), absent(0), absent(1), DOUBLE_FORFEIT, None]
        while True:
            away = frozenset(lots.sample(range(1, 21), lots.choice([0, 0, 1, 3])))
            before = replace(now, constraints=Constraints(absent=away))
            now = disturbed(format_, before, lots)
            try:
                bracket_of(format_, now)
            except EventError as refused:
                if "other entrants belong there" not in str(refused):
                    raise
                now, undone = before, undone + 1
            try:
                draw = format_.pair(now, format_.Rules(), 0)
            except CannotPair as refused:
                if "is decided" in str(refused):
                    break
                now = replace(now, constraints=Constraints())
                draw = format_.pair(now, format_.Rules(), 0)
            gone = {one.id for one in now.entrants if one.state == "withdrawn"}
            involved = {*draw.byes, *draw.rests, *(one for table in draw.tables for one in table.seated)}
            assert not involved & gone
            now = finish(now, draw, lambda table, lots=lots, kinds=kinds: lots.choice(kinds))
            assert now.number < 300
        bracket = bracket_of(format_, now)
        assert sorted(one for place in bracket.places for one in place) == sorted(one.id for one in now.entrants)
        assert bracket.champion is None or bracket.places[0] == (bracket.champion,)
    assert undone < events / 7, "in few wild events something cannot be undone any more"


def disturbed(format_: ModuleType, now: Snapshot, lots: random.Random) -> Snapshot:
    if now.number > 1 and lots.random() < 0.15:
        now = leave(now, lots.choice([one.id for one in now.entrants if one.state == "active"] or [1]))
    if now.number > 1 and lots.random() < 0.3 and format_.open_byes(now, format_.Rules(), 0):
        now = replace(now, entrants=(*now.entrants, Entrant(100 + now.number, 9, joined=now.number)))
    played = [match for match in bracket_of(format_, now).matches if match.state == "played"]
    if played and lots.random() < 0.2:
        now = correct(now, lots.choice(played).label, lots.choice([won_by(0), won_by(1), DOUBLE_FORFEIT]))
    if lots.random() < 0.05:
        now = replace(now, entrants=tuple(replace(one, state="active", left=None) for one in now.entrants))
    return now


@both
def test_return_of_who_withdrew(format_: ModuleType) -> None:
    """Undone before anybody went on because of it, a withdrawal leaves no trace."""
    snapshot = finish(Snapshot(entrants(8)), format_.pair(Snapshot(entrants(8)), format_.Rules(), 0), favourite)
    gone = leave(snapshot, 1)
    assert format_.pair(gone, format_.Rules(), 0) != format_.pair(snapshot, format_.Rules(), 0)
    back = replace(gone, entrants=tuple(replace(one, state="active", left=None) for one in gone.entrants))
    assert format_.pair(back, format_.Rules(), 0) == format_.pair(snapshot, format_.Rules(), 0)


@both
def test_undone_too_late(format_: ModuleType) -> None:
    """1 walked over and played on: the return of 4, or a result in place of a double forfeit,
    does not bring him back up."""
    rules = format_.Rules()
    second = bracket_of(format_, Snapshot(entrants(8))).matches[4].label
    final = "R3-1" if format_ is single_elimination else "WR3-1"

    def second_round(result: Result | None) -> Snapshot:
        snapshot = Snapshot(entrants(8))
        first = format_.pair(snapshot, rules, 0)
        snapshot = finish(
            snapshot, first, lambda table: result if set(table.seated) == {4, 5} and result else favourite(table)
        )
        if result is None:
            snapshot = leave(snapshot, 4)
        while not bracket_of(format_, snapshot).match(final).decided:
            snapshot = finish(snapshot, format_.pair(snapshot, rules, 0), favourite)
        return snapshot

    back = second_round(None)
    back = replace(back, entrants=tuple(replace(one, state="active", left=None) for one in back.entrants))
    label = next(table.label for _, table in back.tables() if set(table.seated) == {4, 5})
    forfeited = correct(second_round(DOUBLE_FORFEIT), label, won_by(0))
    for snapshot in (back, forfeited):
        match = bracket_of(format_, snapshot).match(second)
        assert match.entrants == (1, 4) and match.stands and match.winner == 1 and match.state == "walkover"
        done, _ = play_out(pairing(format_), snapshot, favourite)
        assert bracket_of(format_, done).champion == 1


@both
def test_late_entry(format_: ModuleType) -> None:
    rules = format_.Rules()
    snapshot = Snapshot(entrants(6))
    assert format_.open_byes(snapshot, rules, 0) == (7, 8)
    first = format_.pair(snapshot, rules, 0)
    assert first.byes == (1, 2)
    snapshot = finish(snapshot, first, favourite)
    late = Entrant(7, 7, joined=2)
    snapshot = replace(snapshot, entrants=(*snapshot.entrants, late))
    draw = format_.pair(snapshot, rules, 0)
    assert {2, 7} in [set(table.seated) for table in draw.tables], "against the weaker of those with byes"
    assert any("came late, in round 2, to the place of seed 7" in note for note in said(draw.notes))
    snapshot = finish(snapshot, draw, favourite)
    assert format_.open_byes(snapshot, rules, 0) == ()
    with pytest.raises(CannotPair, match="too late") as refused:
        format_.pair(replace(snapshot, entrants=(*snapshot.entrants, Entrant(8, 8, joined=3))), rules, 0)
    assert "next event" in str(refused.value.advice)
    done, draws = play_out(pairing(format_), snapshot, favourite)
    assert bracket_of(format_, done).champion == 1
    assert bracket_of(format_, done).match(draws[0].tables[0].label).decided


@both
def test_late_entry_keeps_its_place(format_: ModuleType) -> None:
    """Where a late entrant was put does not change with what is played later, nor with others."""
    for seed in range(12):
        lots = random.Random(seed)

        def before(now: Snapshot, lots: random.Random = lots) -> Snapshot:
            if now.number > 1 and format_.open_byes(now, format_.Rules(), 0) and lots.random() < 0.7:
                return replace(now, entrants=(*now.entrants, Entrant(100 + now.number, 50, joined=now.number)))
            return now

        results = lambda table, lots=lots: lots.choice([won_by(0), won_by(1), None])  # noqa: E731
        count = lots.randint(3, 13)
        snapshot, draws = play_out(pairing(format_), Snapshot(entrants(count)), results, before)
        placed = [one for place in bracket_of(format_, snapshot).places for one in place]
        assert sorted(placed) == sorted(one.id for one in snapshot.entrants)
        for number, draw in enumerate(draws, 1):
            then = tuple(one for one in snapshot.entrants if one.joined <= number)
            assert format_.pair(Snapshot(then, snapshot.rounds[: number - 1]), format_.Rules(), 0) == draw


def test_late_entry_beside_a_wish() -> None:
    wish = Constraints(never_opponents=frozenset({pair_of(2, 7), pair_of(4, 5)}))
    snapshot = Snapshot(entrants(6), constraints=wish)
    draw = single_elimination.pair(snapshot, single_elimination.Rules(), 0)
    snapshot = finish(snapshot, draw, lambda table: None)
    snapshot = replace(snapshot, entrants=(*snapshot.entrants, Entrant(7, 7, joined=2)))
    draw = single_elimination.pair(snapshot, single_elimination.Rules(), 0)
    assert {1, 7} in [set(table.seated) for table in draw.tables]


@both
def test_apart(format_: ModuleType) -> None:
    wish = frozenset({pair_of(1, 8), pair_of(2, 5)})
    snapshot = Snapshot(entrants(8), constraints=Constraints(never_opponents=wish))
    draw = format_.pair(snapshot, format_.Rules(), 0)
    assert [table.seated for table in draw.tables] == [(1, 7), (4, 5), (2, 8), (3, 6)]
    assert any("apart in round 1" in note for note in said(draw.notes))
    snapshot = finish(snapshot, draw, lambda table: won_by(int(table.seated == (4, 5))))
    later = format_.pair(snapshot, format_.Rules(), 0)
    assert not any("wished" in reason for table in later.tables for reason in said(table.reasons))
    wish |= {pair_of(3, 6), pair_of(1, 7)}
    wished_later = replace(snapshot, constraints=Constraints(never_opponents=wish))
    assert format_.pair(wished_later, format_.Rules(), 0) == later, "who has met has met"
    taken_away = replace(snapshot, constraints=Constraints())
    with pytest.raises(EventError, match="other entrants belong there"):
        format_.pair(taken_away, format_.Rules(), 0)


def test_apart_later_the_bracket_prevails() -> None:
    snapshot = Snapshot(entrants(4), constraints=Constraints(never_opponents=frozenset({pair_of(1, 2)})))
    rules = single_elimination.Rules()
    snapshot = finish(snapshot, single_elimination.pair(snapshot, rules, 0), favourite)
    (final,) = single_elimination.pair(snapshot, rules, 0).tables
    assert said(final.reasons) == (
        "R2-1: winner of R1-1 against winner of R1-2",
        "they wished not to meet, but the bracket brings them together",
    )


def test_apart_by_a_chain() -> None:
    """No swap of two seats 8, so that three or four have to move."""
    barred = {(1, 8), (2, 8), (4, 8), (1, 6), (4, 6), (4, 7), (1, 5)}
    order = keep_apart(range(1, 9), lambda one, other: (one, other) in barred)
    assert order[:4] == (1, 2, 3, 4)
    assert not barred & set(zip(order[:4], order[:3:-1], strict=True))


def test_apart_cannot_be() -> None:
    wish = frozenset(pair_of(4, one) for one in (1, 2))
    with pytest.raises(CannotPair, match="may meet nobody") as refused:
        single_elimination.pair(
            Snapshot(entrants(4), constraints=Constraints(never_opponents=wish)), single_elimination.Rules(), 0
        )
    assert "wish" in str(refused.value.advice)


@both
def test_bands(format_: ModuleType) -> None:
    snapshot = Snapshot(entrants(16))
    rules = format_.Rules(band=4)
    seen = set()
    for seed in range(20):
        draw = format_.pair(snapshot, rules, seed)
        assert draw == format_.pair(snapshot, rules, seed)
        assert said(draw.notes) == (f"Seeds drawn by lot within bands of 4, draw number {seed}.",)
        for table in draw.tables:
            one, other = ((entrant - 1) // 4 for entrant in table.seated)
            assert one + other == 3, "the first band meets the last, the second the third"
        seen.add(tuple(table.seated for table in draw.tables))
    assert len(seen) > 15


@both
def test_correction_swaps(format_: ModuleType) -> None:
    """The next match has no result yet: whoever is right is in it."""
    rules = format_.Rules()
    first = format_.pair(Snapshot(entrants(8)), rules, 0)
    snapshot = finish(Snapshot(entrants(8)), first, favourite)
    label = first.tables[0].label
    before = format_.pair(snapshot, rules, 0)
    after = format_.pair(correct(snapshot, label, won_by(1)), rules, 0)
    swap = {1: 8, 8: 1}
    expected = [tuple(swap.get(one, one) for one in table.seated) for table in before.tables]
    assert sorted(map(sorted, expected)) == sorted(sorted(table.seated) for table in after.tables)
    touched = {match.label for match in format_.affected(snapshot, label, rules, 0)}
    assert touched == {table.label for table in before.tables if {1, 8} & set(table.seated)}
    assert format_.pair(correct(correct(snapshot, label, won_by(1)), label, won_by(0)), rules, 0) == before


@both
def test_correction_stands(format_: ModuleType) -> None:
    """Of every match, at every later moment: left to stand, the event ends as it would have;
    with the chain void it is played again to an end."""
    played, _ = play_out(pairing(format_), Snapshot(entrants(8)), by_lot(3))
    for number in range(1, len(played.rounds) + 1):
        now = replace(played, rounds=played.rounds[:number])
        as_was = bracket_of(format_, now)
        for match in as_was.matches:
            if match.state != "played":
                continue
            winner = match.table.sides.index((match.winner,))
            wrong = correct(now, match.label, won_by(1 - winner))
            touched = format_.affected(now, match.label, format_.Rules(), 0)
            bracket = bracket_of(format_, wrong)
            if any(one.state == "played" for one in touched):
                stands = bracket.match(match.label)
                assert stands.stands and stands.winner == match.winner
                assert [one.entrants for one in bracket.matches] == [one.entrants for one in as_was.matches]
                replayed = wrong
                for one in touched:
                    replayed = correct(replayed, one.label, VOID)
                done, _ = play_out(pairing(format_), replayed, favourite)
                again = bracket_of(format_, done)
                assert again.match(match.label).winner == match.loser and not again.match(match.label).stands
                assert again.champion is not None
            else:
                assert bracket.match(match.label).winner == match.loser
            assert correct(wrong, match.label, match.table.result) == now
            done, _ = play_out(pairing(format_), wrong, by_lot(4))
            assert bracket_of(format_, done).champion is not None


@both
def test_correction_beyond_a_walkover(format_: ModuleType) -> None:
    """The winner walked over the next match and played the one after it."""
    rules = format_.Rules()
    snapshot = Snapshot(entrants(8))
    snapshot = finish(snapshot, format_.pair(snapshot, rules, 0), favourite)
    snapshot = leave(snapshot, 4)
    for _ in range(2):
        snapshot = finish(snapshot, format_.pair(snapshot, rules, 0), favourite)
    first = "R1-1" if format_ is single_elimination else "WR1-1"
    corrected = bracket_of(format_, correct(snapshot, first, won_by(1)))
    assert corrected.match(first).stands and corrected.match(first).winner == 1


@both
def test_affected_unknown(format_: ModuleType) -> None:
    with pytest.raises(EventError, match="no match X"):
        format_.affected(Snapshot(entrants(4)), "X", format_.Rules(), 0)
    bracket = bracket_of(format_, Snapshot(entrants(4)))
    assert affected(bracket, bracket.matches[0].label) == ()


@both
def test_reseeding_refused(format_: ModuleType) -> None:
    snapshot = finish(Snapshot(entrants(8)), format_.pair(Snapshot(entrants(8)), format_.Rules(), 0), favourite)
    reseeded = tuple(Entrant(9 - one.seed, one.seed) for one in snapshot.entrants)
    format_.pair(replace(snapshot, entrants=reseeded), format_.Rules(), 0)  # mirrored seeds meet the same opponents
    reseeded = tuple(Entrant(one.seed % 8 + 1, one.seed) for one in snapshot.entrants)
    with pytest.raises(EventError, match="other entrants belong there") as refused:
        format_.pair(replace(snapshot, entrants=reseeded), format_.Rules(), 0)
    assert "Seeds and wishes cannot change" in str(refused.value.advice)


@both
def test_result_of_a_match_that_is_not_due(format_: ModuleType) -> None:
    last = ["R2-1"] if format_ is single_elimination else ["F", "F2"]
    for label in (*last, "", "R9-1"):
        table = Table(1, ((1,), (4,)), won_by(0), label)
        with pytest.raises(EventError, match=r"other entrants belong|does not say which match|R9-1"):
            format_.pair(Snapshot(entrants(4), (Round(1, (table,)),)), format_.Rules(), 0)


@both
def test_second_result_refused(format_: ModuleType) -> None:
    snapshot = Snapshot(entrants(4))
    draw = format_.pair(snapshot, format_.Rules(), 0)
    snapshot = finish(finish(snapshot, draw, favourite), draw, favourite)
    with pytest.raises(EventError, match="second result"):
        format_.pair(snapshot, format_.Rules(), 0)


@both
def test_level_score_refused(format_: ModuleType) -> None:
    snapshot = Snapshot(entrants(4))
    level = finish(snapshot, format_.pair(snapshot, format_.Rules(), 0), lambda table: Result((8, 8)))
    with pytest.raises(EventError, match="cannot end level") as refused:
        format_.pair(level, format_.Rules(), 0)
    assert "extra hand" in str(refused.value.advice)


@both
def test_held_matches(format_: ModuleType) -> None:
    rules = format_.Rules()
    snapshot = Snapshot(entrants(4), constraints=Constraints(absent=frozenset({1})))
    draw = format_.pair(snapshot, rules, 0)
    assert [table.seated for table in draw.tables] == [(2, 3)]
    assert draw.rests == (4,)
    assert any("waits for #1" in note for note in said(draw.notes))
    paused = (*snapshot.entrants[:2], replace(snapshot.entrants[2], state="paused"), snapshot.entrants[3])
    with pytest.raises(CannotPair, match="No match can be played") as refused:
        format_.pair(replace(snapshot, entrants=paused), rules, 0)
    assert "forfeit" in str(refused.value.advice)


@both
def test_tables_by_hand_are_those_of_the_bracket(format_: ModuleType) -> None:
    rules = format_.Rules()
    made = Constraints(tables=(((3,), (2,)),))
    assert len(format_.pair(Snapshot(entrants(4), constraints=made), rules, 0).tables) == 2
    wrong = Constraints(tables=(((1,), (2,)),))
    with pytest.raises(CannotPair, match="cannot be put at a table"):
        format_.pair(Snapshot(entrants(4), constraints=wrong), rules, 0)


@both
def test_too_few(format_: ModuleType) -> None:
    one_left = (Entrant(1, 1), Entrant(2, 2, "withdrawn", left=1))
    with pytest.raises(CannotPair, match="needs two entrants; there is 1"):
        format_.pair(Snapshot(one_left), format_.Rules(), 0)
