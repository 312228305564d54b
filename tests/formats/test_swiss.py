"""Swiss for fixed pairs (tournaments/formats/swiss.py)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from tests.formats.rounds import (
    after,
    another_way_round,
    crowded,
    drawn_again,
    forfeit,
    game,
    had_bye,
    matchings,
    meetings,
    pairable,
    play,
    snapshot,
    wild,
)
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import swiss
from tournaments.formats.columns import Scoring
from tournaments.formats.event import CannotPair, Constraints, Draw, DrawFault, Entrant, Snapshot, pair_of
from tournaments.formats.swiss import SwissRules, pair
from tournaments.standings import StandingsRules, standings

EVENTS = scale(3_000)


def met(draw: Draw) -> list[tuple[int, int]]:
    return [(table.sides[0][0], table.sides[1][0]) for table in draw.tables]


def ordered(event: Snapshot, **orders) -> Snapshot:
    return replace(event, constraints=Constraints(**orders))


def wins(event: Snapshot) -> Counter[int]:
    """Half wins, counted anew."""
    won: Counter[int] = Counter({entrant.id: 0 for entrant in event.entrants})
    for played in event.rounds:
        won.update(dict.fromkeys(played.byes, 2))
        for table in played.tables:
            (one,), (other,) = table.sides
            result = table.result
            if result.outcome == "forfeit":
                won[other if result.absent == 0 else one] += 2
            elif result.outcome == "played" and result.winner is None:
                won[one] += 1
                won[other] += 1
            elif result.outcome == "played":
                won[(one, other)[result.winner]] += 2
    return won


def check(event: Snapshot, draw: Draw, *, by_lot: bool = False) -> None:
    """Everybody here once, nobody against an opponent of old; the bye as it must be."""
    here = {entrant.id for entrant in event.present()}
    seated = [one for table in draw.tables for one in table.seated]
    assert sorted([*seated, *draw.byes]) == sorted(here) and not draw.rests
    before, byes, won = meetings(event), had_bye(event), wins(event)
    assert not {pair_of(*two) for two in met(draw)} & before
    assert len(draw.byes) == len(here) % 2
    assert [table.number for table in draw.tables] == list(range(1, len(draw.tables) + 1))
    assert all(table.reasons for table in draw.tables)
    place = {entrant.id: (entrant.seed, entrant.id) for entrant in event.entrants}
    for bye in draw.byes:
        for other in here - {bye}:
            lower = not by_lot and (won[other], [-k for k in place[other]]) < (won[bye], [-k for k in place[bye]])
            if (other not in byes and bye in byes) or ((other in byes) == (bye in byes) and lower):
                assert not pairable(frozenset(here - {other}), before)


def test_events():
    """Events of 2 to 64 entrants: what can be drawn is drawn well, and the same from the log."""
    drawn = 0
    for number in range(EVENTS):
        rng = random.Random(number)
        rules = SwissRules(rng.choice(("seed", "random")), fair_seats=rng.random() < 0.3)

        def draw(event: Snapshot, rules: SwissRules = rules, seed: int = number) -> Draw:
            return pair(event, rules, seed)

        log = list(wild(rng.randrange(2, 13) if number % 40 else rng.randrange(13, 65), rng, draw))
        for event, found in log:
            if found:
                check(event, found, by_lot=rules.first_round == "random" and event.number == 1)
                continue
            here = frozenset(entrant.id for entrant in event.present())
            byes = here if len(here) % 2 else {0}
            assert len(here) < 2 or not any(pairable(here - {bye}, meetings(event)) for bye in byes)
        drawn += len(log)
        if number % 10 == 0:
            assert drawn_again(log, draw)
            event, _found = log[-1]
            assert standings(another_way_round(event), StandingsRules()) == standings(event, StandingsRules())
    assert drawn > 2 * EVENTS


def test_crowded_states():
    """444 states up to the last possible round: no repeat, no second bye, none unanswered."""
    states = crowded()
    assert len(states) == 444 and {len(state.entrants) for state in states} == set(range(4, 13))
    assert sum(state.number == len(state.entrants) - 1 for state in states) > 20
    for state in states:
        draw = pair(state)
        check(state, draw)
        assert not set(draw.byes) & had_bye(state)


@pytest.mark.parametrize("entrants", [*range(4, 24), 31, 40])
def test_no_dead_end_within_the_guarantee(entrants):
    rng = random.Random(entrants)
    event = snapshot(entrants)
    for _ in range(swiss.guaranteed_rounds(entrants)):
        draw = pair(event)
        check(event, draw)
        assert not set(draw.byes) & had_bye(event)
        event = play(event, draw, rng, rough=False)


def test_round_one():
    assert met(pair(snapshot(6))) == [(1, 4), (2, 5), (3, 6)]
    by_lot = SwissRules("random")
    draws = {tuple(met(pair(snapshot(8), by_lot, seed))) for seed in range(20)}
    assert len(draws) > 15 and all(len(draw) == 4 for draw in draws)
    event = after(snapshot(4), game(1, 3, (10, 0)), game(2, 4, (10, 0)))
    assert met(pair(event, by_lot, 1)) == met(pair(event, by_lot, 2)) == [(1, 2), (3, 4)]


def test_fold():
    """Four winners fold 1-3 2-4; 4 goes down if there are five, to the first of the losers he may meet."""
    event = after(snapshot(8), *(game(k, k + 4, (10, 2)) for k in (1, 2, 3, 4)))
    assert met(pair(event)) == [(1, 3), (2, 4), (5, 7), (6, 8)]
    event = after(snapshot(10), *(game(k, k + 5, (10, 2)) for k in range(1, 6)))
    draw = pair(event)
    assert met(draw) == [(1, 3), (2, 4), (5, 6), (7, 9), (8, 10)]


def test_few_float_the_same_way_twice_running():
    rng = random.Random(4)
    floats: Counter[bool] = Counter()
    for number in range(20):
        event = snapshot(30 + number % 3)
        for _ in range(6):
            draw = pair(event)
            floats.update(
                "twice running" in reason
                for table in draw.tables
                for reason in said(table.reasons)
                if " floated " in reason
            )
            event = play(event, draw, rng)
    assert floats[True] < 0.08 * floats[False]


def test_the_bye_goes_low():
    event = snapshot(5)
    draw = pair(event)
    assert draw.byes == (5,) and said(draw.notes) == (
        "#5 has the bye with 0 wins, the lowest who had none and could sit out",
    )
    event = after(event, game(1, 3, (10, 2)), game(2, 4, (10, 5)), byes=[5])
    assert pair(event).byes == (4,)


def test_the_bye_goes_to_whose_absence_leaves_a_draw():
    """5 is the lowest; but 4 has met 1, 2 and 3, and only 5 is left for him."""
    event = snapshot(5)
    for one in (1, 2, 3):
        two = [k for k in (1, 2, 3) if k != one]
        event = after(event, game(one, 4, (0, 10)), rests=[*two, 5])
    draw = pair(event)
    assert draw.byes == (3,) and (4, 5) in met(draw)


def test_those_who_had_byes_do_not_meet_more_than_by_chance():
    """cobra 521: over many events, among pairs of one score, meetings of two who had byes against
    what a draw by lot inside the score group gives."""
    rng = random.Random(21)
    seen = expected = 0.0
    for number in range(120):
        event = snapshot(9 + 2 * (number % 3))
        for _ in range(4):
            draw = pair(event, SwissRules("random"), number)
            won, byes, before = wins(event), had_bye(event), meetings(event)
            people = [one for table in draw.tables for one in table.seated]
            for one, other in met(draw):
                seen += won[one] == won[other] and {one, other} <= byes
            for score in set(won.values()):
                group = [one for one in people if won[one] == score]
                legal = [(a, b) for a in group for b in group if a < b and pair_of(a, b) not in before]
                both = sum({a, b} <= byes for a, b in legal)
                expected += (len(group) // 2) * both / max(1, len(legal))
            event = play(event, draw, rng, rough=False)
    assert expected > 10 and seen < 1.5 * expected


def test_wishes():
    event = ordered(snapshot(6), never_opponents=frozenset({pair_of(1, 4), pair_of(2, 4), pair_of(3, 99)}))
    draw = pair(event)
    assert met(draw) == [(1, 3), (2, 5), (4, 6)]
    assert "kept apart as the director asked: #1 and #4" in said(draw.tables[0].reasons)
    apart = frozenset({pair_of(1, 4), pair_of(2, 5), pair_of(3, 6)})
    assert not {pair_of(*two) for two in met(pair(ordered(snapshot(6), never_opponents=apart)))} & apart
    assert len(pair(ordered(snapshot(6), absent=frozenset({3}))).byes) == 1
    event = ordered(snapshot(6), tables=(((6,), (1,)),), byes=(3,), fixed_table={2: 7, 4: 9})
    draw = pair(event)
    assert draw.byes == (3, 5) or len(draw.byes) == 2
    assert draw.tables[0].sides == ((6,), (1,)) and said(draw.tables[0].reasons) == ("put together by hand",)
    assert "#3 has a bye by hand" in said(draw.notes)
    draw = pair(ordered(snapshot(6), fixed_table={1: 7, 4: 9}))
    assert (1, 4) not in met(draw) and {7, 9} < {table.number for table in draw.tables}
    for wish in ("never_together", "always_together"):
        with pytest.raises(CannotPair, match="Partners are fixed"):
            pair(ordered(snapshot(6), **{wish: frozenset({pair_of(1, 2)})}))


def test_only_what_is_ordered():
    draw = pair(ordered(snapshot(3), tables=(((1,), (2,)),), byes=(3,)))
    assert met(draw) == [(1, 2)] and draw.byes == (3,)


def test_a_table_by_hand_may_be_a_repeat_and_a_bye_a_second():
    event = after(snapshot(3), game(1, 2, (10, 0)), byes=[3])
    draw = pair(ordered(event, tables=(((1,), (2,)),), byes=(3,)))
    assert said(draw.tables[0].reasons) == ("put together by hand", "they met in round 1")
    assert said(draw.notes) == ("#3 has a bye by hand, the 2nd",)


def test_bye_by_hand_and_drawn_again():
    """liwords 792: a bye by hand, drawn again and again, stays one."""
    event = ordered(snapshot(7), byes=(2,))
    draw = pair(event)
    assert pair(event) == draw and draw.byes == (2,)


def test_fair_seats():
    event = snapshot(8)
    rng = random.Random(3)
    first: Counter[int] = Counter()
    for _ in range(4):
        draw = pair(event, SwissRules(fair_seats=True))
        for table in draw.tables:
            (one,), (other,) = table.sides
            assert first[one] <= first[other]
            first[one] += 1
        event = play(event, draw, rng, rough=False)
    assert all(table.sides[0] < table.sides[1] for table in pair(snapshot(8)).tables)


@pytest.mark.parametrize(("rounds", "last"), list(enumerate([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8], 1)))
def test_late_entry_limit(rounds, last):
    assert swiss.last_joinable_round(rounds) == last
    event = snapshot(20, planned=rounds)
    rng = random.Random(rounds)
    for number in range(1, min(rounds, 9) + 1):
        late = replace(event, entrants=(*event.entrants, Entrant(21, 21, joined=number)))
        if number <= last:
            assert 21 in [one for table in pair(late).tables for one in table.seated] + list(pair(late).byes)
        else:
            with pytest.raises(CannotPair, match=f"#21 joined after round {last}, the last to start in"):
                pair(late)
        event = play(event, pair(event), rng, rough=False)


def test_who_has_begun_plays_on_when_rounds_are_taken_away():
    event = after(snapshot(4, planned=6), game(1, 3, (10, 0)), game(2, 4, (10, 0)))
    event = replace(event, entrants=(*event.entrants, Entrant(5, 5, joined=2), Entrant(6, 6, joined=2)))
    event = after(event, game(1, 2, (10, 0)), game(3, 5, (10, 0)), byes=[6])
    assert len(pair(replace(event, planned=3)).tables) == 3
    event = replace(event, entrants=(*event.entrants, Entrant(7, 7, joined=3)), planned=3)
    with pytest.raises(CannotPair, match="#7 joined after round 2"):
        pair(event)


def test_half_a_win_for_late_entry():
    event = after(snapshot(4), game(1, 3, (10, 0)), game(2, 4, (10, 0)))
    event = replace(event, entrants=(*event.entrants, Entrant(5, 5, joined=2), Entrant(6, 6, joined=2)))
    draw = pair(event, SwissRules(scoring=Scoring(late_halves=1)))
    assert met(draw) == [(1, 2), (5, 6), (3, 4)] and said(draw.tables[1].reasons) == ("both have ½ win",)
    assert met(pair(event)) == [(1, 2), (3, 5), (4, 6)]


def test_recommended_rounds():
    assert [swiss.recommended_rounds(count) for count in (0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 64, 65)] == [
        0, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8,
    ]  # fmt: skip


def test_no_more_rounds_than_planned():
    event = after(snapshot(4, planned=1), game(1, 3, (10, 0)), game(2, 4, (10, 0)))
    with pytest.raises(CannotPair, match="The 1 round planned has been played") as refused:
        pair(event)
    assert "plan more rounds" in str(refused.value.advice)


@pytest.mark.parametrize("count", [0, 1])
def test_too_few(count):
    with pytest.raises(CannotPair, match=r"only (nobody|#1)\."):
        pair(snapshot(count))


def all_met(count: int) -> Snapshot:
    """Four who have all met: 1-2 and 3-4 first."""
    event = snapshot(count)
    for pairs in list(matchings(tuple(range(1, count + 1)))):
        event = after(event, *(game(a, b, (10, 0)) for a, b in pairs))
    return event


def test_guarantee_ends():
    event = all_met(4)
    with pytest.raises(CannotPair, match=r"Round 4 cannot .* without a repeat: .* met everybody") as refused:
        pair(event)
    assert "Allow repeats" in str(refused.value.advice) and "round robin" in str(refused.value.advice)
    draw = pair(event, SwissRules(repeats=True))
    assert {pair_of(*two) for two in met(draw)} == {pair_of(1, 2), pair_of(3, 4)}
    assert any("a repeat of round 1" in reason for reason in said(draw.tables[0].reasons))


def test_a_dead_end_that_nobody_is_alone_in():
    """1, 2 and 3 have met each other, 4, 5 and 6 too: two threes of those who may meet stay odd."""
    event = snapshot(6)
    for one, other in ((1, 4), (2, 5), (3, 6)):
        for turn in range(3):
            event = after(event, game(one, (4, 5, 6)[(other - 4 + turn) % 3], (10, 0)))
    with pytest.raises(CannotPair, match="some would have to meet again"):
        pair(event)
    assert len(pair(event, SwissRules(repeats=True)).tables) == 3


def test_an_odd_dead_end():
    event = snapshot(3)
    for one, other, bye in ((1, 2, 3), (1, 3, 2), (2, 3, 1)):
        event = after(event, game(one, other, (10, 0)), byes=[bye])
    with pytest.raises(CannotPair, match="without a repeat"):
        pair(event)
    draw = pair(event, SwissRules(repeats=True))
    assert len(draw.tables) == 1 and said(draw.notes)[0].endswith("the 2nd: nobody else could sit out")


def test_wishes_that_leave_no_draw():
    apart = frozenset({pair_of(1, 2), pair_of(1, 3), pair_of(1, 4)})
    with pytest.raises(CannotPair, match="while everybody is kept apart as asked"):
        pair(ordered(snapshot(4), never_opponents=apart))
    both = frozenset({pair_of(1, 2), pair_of(1, 3), pair_of(2, 3)})
    with pytest.raises(CannotPair, match="while everybody is kept apart as asked"):
        pair(ordered(snapshot(3), never_opponents=both))


def test_dropped_at_any_moment():
    """tournament-organizer 10: nobody twice, nobody against himself, whoever leaves when."""
    for gone in range(1, 8):
        for moment in range(3):
            event = snapshot(7)
            rng = random.Random(gone)
            for number in range(3):
                if number == moment:
                    event = replace(
                        event,
                        entrants=tuple(
                            replace(one, state="withdrawn", left=event.number) if one.id == gone else one
                            for one in event.entrants
                        ),
                    )
                draw = pair(event)
                check(event, draw)
                event = play(event, draw, rng, rough=False)


def test_innocent_side_wins_when_the_other_does_not_come():
    """lila 12286."""
    event = after(snapshot(4), forfeit(1, 3, absent=0), game(2, 4, (10, 0)))
    assert met(pair(event)) == [(2, 3), (1, 4)]


def test_reasons():
    """mage 1438: the leaders are not paired together, and the table says why."""
    event = after(snapshot(6), game(1, 2, (8, 8)), game(3, 4, (8, 8)), game(5, 6, (8, 8)))
    event = after(event, game(1, 3, (10, 0)), game(2, 5, (10, 0)), game(4, 6, (8, 8)))
    draw = pair(event)
    assert pair_of(1, 2) not in {pair_of(*two) for two in met(draw)}
    assert "repeat of round 1 avoided: #1 and #2" in said(draw.tables[0].reasons)
    draw = pair(after(snapshot(6), *(game(k, k + 3, (10, 0)) for k in (1, 2, 3))))
    assert said(draw.tables[0].reasons) == ("both have 1 win",)
    assert said(draw.tables[1].reasons)[:2] == (
        "#3 floated down from 1 win, the 1st time",
        "#4 floated up from 0 wins, the 1st time",
    )


def test_a_fault_of_ours_is_not_the_directors(monkeypatch):
    event = after(snapshot(4), game(1, 3, (10, 0)), game(2, 4, (10, 0)))
    monkeypatch.setattr(swiss.Folding, "pairs", lambda self, repeats=False: [(0, 1)])
    with pytest.raises(DrawFault, match="left out"):
        pair(event)
    monkeypatch.setattr(swiss.Folding, "pairs", lambda self, repeats=False: [(0, 2), (1, 3)])
    with pytest.raises(DrawFault, match="have met"):
        pair(event)
    with pytest.raises(DrawFault, match="kept apart"):
        pair(ordered(snapshot(4), never_opponents=frozenset({pair_of(1, 3)})))
