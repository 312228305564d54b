"""Who stands where, and why (tournaments/standings.py)."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.formats.rounds import after, come_and_go, forfeit, game, play, snapshot, table, wild
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import swiss, swiss_individuals
from tournaments.formats.columns import Scoring
from tournaments.formats.event import CannotPair, EventError, Result, Snapshot, Table
from tournaments.formats.words import because
from tournaments.standings import CLUB, CLUB_WINS, KEYS, SWISS, Key, Row, StandingsRules, Term, standings

ALL = StandingsRules(order=tuple(key for key in KEYS if key != "wins"))


def told(row: Row, key: Key) -> tuple[Term, ...]:
    """The terms of a number, with the words for them."""
    return tuple(replace(term, what=str(term.what)) for term in row.breakdown(key).terms)


def values(event: Snapshot, key: str, rules: StandingsRules = ALL) -> list[float]:
    """One number of everybody, in order of the entrants' ids."""
    rows = sorted(standings(event, rules), key=lambda row: row.entrant)
    return [row.breakdown(key).value for row in rows]


def order(event: Snapshot, rules: StandingsRules) -> list[int]:
    return [row.entrant for row in standings(event, rules)]


def three_rounds() -> Snapshot:
    """Six pairs: a tie, a forfeit, a bye, one who leaves."""
    event = after(snapshot(6), game(1, 4, (10, 6)), game(2, 5, (10, 8)), game(3, 6, (10, 2)))
    event = after(event, game(1, 2, (10, 9)), game(3, 4, (8, 8)), forfeit(5, 6, absent=0))
    event = after(event, game(3, 1, (10, 4)), game(4, 6, (10, 5)), byes=[2])
    gone = replace(event.entrants[4], state="withdrawn", left=3)
    return replace(event, entrants=(*event.entrants[:4], gone, event.entrants[5]))


def test_scores():
    event = three_rounds()
    assert values(event, "wins") == [2, 2, 2.5, 1.5, 0, 1]
    assert values(event, "points") == [24, 29, 28, 24, 8, 11]
    assert values(event, "average") == [8, 9.5, 28 / 3, 8, 8, 3.5]


def test_bye_is_a_win_with_the_own_average():
    """10 and 9: 9.5, so 10; 2 and 5: 3.5, so 4 for the game the others did not come to."""
    rows = {row.entrant: row for row in standings(three_rounds(), ALL)}
    assert told(rows[2], "points") == (
        Term(10, "10-8 against #5", 1),
        Term(9, "9-10 against #1", 2),
        Term(10, "bye: own average", 3),
    )
    assert told(rows[6], "points")[1] == Term(4, "the others did not come: own average", 2)
    assert told(rows[5], "points")[1] == Term(0, "did not come", 2)
    assert told(rows[2], "wins") == (
        Term(1, "won against #5", 1),
        Term(0, "lost to #1", 2),
        Term(1, "bye", 3),
    )


def test_fide_unplayed():
    """5 has half a win for the round missed at the end and none for the forfeit; the own bye of 2
    counts his own 2 wins, and is not cut first since it was not of his own will."""
    event = three_rounds()
    assert values(event, "buchholz") == [6, 4.5, 4.5, 5.5, 2, 5]
    assert values(event, "buchholz_cut1") == [4.5, 4, 3.5, 4.5, 2, 4]
    assert values(event, "sonneborn_berger") == [3.5, 2.5, 3.75, 2.25, 0, 1]
    rows = {row.entrant: row for row in standings(event, ALL)}
    assert told(rows[2], "buchholz_cut1") == (
        Term(0.5, "#5 with 0 and 0.5 for rounds missed at the end", 1, cut=True),
        Term(2, "#1 with 2", 2),
        Term(2, "not played (bye): own 2", 3),
    )
    assert told(rows[3], "sonneborn_berger")[1] == Term(0.75, "0.5 x #4 with 1.5", 2)


def test_fide_rounds_missed_at_the_end():
    """Worked by hand: 2 did not come to his last game, then was absent: that game counts 0, the absence
    half a win; 3 was absent, then did not come: the same; 4 was absent and then won by forfeit: 0."""
    event = after(snapshot(6), game(1, 2, (10, 0)), game(3, 4, (10, 0)), game(5, 6, (10, 0)))
    event = after(event, forfeit(5, 2, absent=1), game(1, 6, (10, 0)))
    event = after(event, forfeit(1, 3, absent=1), forfeit(4, 6, absent=1))
    assert values(event, "wins") == [3, 0, 1, 1, 2, 0]
    rows = {row.entrant: row for row in standings(event, ALL)}
    assert [term.value for term in rows[1].breakdown("buchholz").terms] == [0.5, 0, 3], "2: 0 + 0 + half; 6: 0"
    assert [term.value for term in rows[4].breakdown("buchholz").terms] == [1.5, 1, 1], "3: 1 + half + 0"
    assert [term.value for term in rows[3].breakdown("buchholz").terms] == [1, 1, 1], "4: 0 + 0 + 1"
    assert values(event, "buchholz_cut1") == [3.5, 3, 2, 2.5, 2, 5.5], "4 is cut the round of his own absence, 1"
    assert [term.cut for term in rows[4].breakdown("buchholz_cut1").terms] == [False, True, False]
    assert [term.cut for term in rows[1].breakdown("buchholz_cut1").terms] == [False, True, False]
    assert values(event, "sonneborn_berger") == [0.5 + 0 + 3, 0, 1, 1, 0 + 2, 0]


def test_fide_recounted():
    """Against a count of another kind, entrant by entrant and round by round."""
    compared = 0
    for seed in range(scale(2_000)):
        rng = random.Random(seed)
        scoring = Scoring(rest_halves=seed % 2, late_halves=seed // 2 % 2)
        *_, (event, _draw) = wild(rng.randrange(4, 13), rng, swiss.pair)
        rules = StandingsRules(order=("buchholz", "buchholz_cut1", "sonneborn_berger"), scoring=scoring)
        for row in standings(event, rules):
            assert row.values == recounted(event, row.entrant, scoring)
            compared += 1
    assert compared > scale(2_000)


def recounted(event: Snapshot, entrant: int, scoring: Scoring) -> tuple[float, float, float, float]:
    """Wins, Buchholz, cut-1 and Sonneborn-Berger."""
    own = sheet(event, entrant, scoring)
    score = sum(worth for _rival, worth, _missed, _forfeit in own)
    parts = []
    for rival, worth, missed, _forfeit in own:
        strength = score
        if rival:
            strength = 0
            others = sheet(event, rival, scoring)
            for at, (_rival, gained, away, forfeit) in enumerate(others):
                at_the_end = all(later[2] for later in others[at:])
                strength += 0.5 if away and at_the_end and not forfeit else gained
        parts.append((not missed, strength, worth))
    cut = min(parts)[1] if parts else 0
    total = sum(strength for _stayed, strength, _worth in parts)
    return score, total, total - cut, sum(strength * worth for _stayed, strength, worth in parts)


def sheet(event: Snapshot, entrant: int, scoring: Scoring) -> list[tuple[int, float, bool, bool]]:
    """By round the opponent if it was played, what it is worth, whether it was missed of one's own
    will, and whether that was a game he did not come to."""
    joined = next(one.joined for one in event.entrants if one.id == entrant)
    rows: list[tuple[int, float, bool, bool]] = []
    for played in event.rounds:
        late = scoring.late_halves / 2 if played.number == joined - 1 else 0
        row = (0, 1.0, False, False) if entrant in played.byes else (0, late, True, False)
        if entrant in played.rests:
            row = (0, scoring.rest_halves / 2, True, False)
        for at in played.tables:
            if entrant not in at.seated:
                continue
            side = at.seated.index(entrant)
            result = at.result
            if result.outcome == "played":
                row = (
                    at.seated[1 - side],
                    0.5 if result.winner is None else float(result.winner == side),
                    False,
                    False,
                )
            elif result.outcome == "void":
                row = (0, 0, False, False)
            else:
                row = (0, 1.0, False, False) if result.absent == 1 - side else (0, 0, True, True)
        rows.append(row)
    return rows


def test_the_cut_takes_a_round_missed_of_ones_own_will_first():
    """1 rests once: his own 2 are cut, though 3 has less."""
    event = after(snapshot(4), game(1, 2, (10, 0)), game(3, 4, (5, 10)))
    event = after(event, game(1, 3, (10, 0)), game(2, 4, (10, 5)))
    event = after(event, game(2, 3, (10, 4)), rests=[1], byes=[4])
    assert values(event, "wins") == [2, 2, 0, 2]
    assert values(event, "buchholz")[0] == 2 + 0 + 2 and values(event, "buchholz_cut1")[0] == 2
    half = replace(ALL, scoring=Scoring(rest_halves=1))
    assert values(event, "wins", half)[0] == 2.5 and values(event, "buchholz_cut1", half)[0] == 2


def test_absence_before_playing_again_counts_nothing_for_the_others():
    """3 missed the first round and then played: 0 for his opponents. 2 missed the last: half a win."""
    event = after(snapshot(3), game(1, 2, (10, 0)))
    event = after(event, game(2, 3, (10, 0)))
    event = after(event, game(1, 3, (10, 2)))
    assert values(event, "buchholz") == [1.5 + 2 + 0, 2 + 0 + 1, 0 + 1.5 + 2]
    assert values(event, "buchholz_cut1") == [1.5, 2, 3.5]


def test_void_tables_are_nobodys_will():
    event = after(snapshot(2), Table(1, ((1,), (2,)), Result(outcome="void")))
    event = after(event, game(1, 2, (10, 0)))
    assert values(event, "buchholz") == [1, 1] and values(event, "buchholz_cut1") == [1, 1]
    assert standings(event, ALL)[0].breakdown("wins").terms[0].what == because("void")


def test_games_won():
    assert values(three_rounds(), "won") == [2, 2, 2, 1, 0, 1]


def test_head_to_head():
    """1, 2 and 3 are level and all have met; 4 and 5 are level and have not."""
    event = after(snapshot(5), game(1, 2, (10, 0)), game(3, 4, (10, 0)), rests=[5])
    event = after(event, game(2, 3, (10, 0)), game(1, 5, (0, 10)), rests=[4])
    event = after(event, game(1, 3, (10, 0)), game(2, 4, (0, 10)), rests=[5])
    event = after(event, game(2, 5, (10, 0)), game(3, 4, (10, 0)), rests=[1])
    rules = StandingsRules(order=("head_to_head", "extra"))
    rows = standings(event, rules)
    assert [(row.place, row.entrant, row.values[:2]) for row in rows] == [
        (1, 1, (2, 2)),
        (2, 2, (2, 1)),
        (3, 3, (2, 0)),
        (4, 4, (1, 0)),
        (4, 5, (1, 0)),
    ]
    assert told(rows[1], "head_to_head") == (Term(0, "lost to #1", 1), Term(1, "won against #3", 2))
    assert rows[3].breakdown("head_to_head").terms == ()


def test_head_to_head_of_partners_who_change():
    event = after(snapshot(4), table(((1, 2), (3, 4)), (10, 5)), table(((1, 3), (2, 4)), (4, 10)))
    event = replace(event, rounds=(replace(event.rounds[0], tables=event.rounds[0].tables[:1]),))
    event = after(event, table(((1, 3), (2, 4)), (5, 10)))
    rules = StandingsRules(score="points", order=("head_to_head",))
    rows = standings(event, rules)
    assert [(row.entrant, row.values) for row in rows] == [(2, (20, 0)), (1, (15, 1)), (4, (15, 1)), (3, (10, 0))]
    assert told(rows[1], "head_to_head") == (
        Term(1, "won against #3 and #4", 1),
        Term(0, "lost to #2 and #4", 2),
    )


def test_counters():
    counters = {"euchres": {1: 2}, "loners": {1: 1, 2: 1}, "marches": {2: 1}}
    event = after(snapshot(2), game(1, 2, (10, 8), number=4, counters=counters))
    assert [values(event, key) for key in ("euchres", "loners", "marches")] == [[2, 0], [1, 1], [0, 1]]
    assert told(standings(event, ALL)[0], "euchres") == (Term(2, "table 4", 1),)
    bonus = StandingsRules(score="points", order=CLUB, scoring=Scoring(loner_bonus=1))
    rows = standings(event, bonus)
    assert [row.values[0] for row in rows] == [11, 9]
    assert told(rows[0], "points")[-1] == Term(1, "extra for loners made")
    void = after(snapshot(2), game(1, 2, (0, 0), counters=counters, outcome="void"))
    assert standings(void, ALL)[0].breakdown("euchres").terms == ()


def test_difference():
    event = three_rounds()
    assert values(event, "difference") == [-1, 1, 14, 1, -2, -13]


def test_extra():
    """A cut of the cards: 2 before 1."""
    event = after(snapshot(2), game(1, 2, (8, 8)))
    assert [row.place for row in standings(event, StandingsRules(order=("extra",)))] == [1, 1]
    rows = standings(event, StandingsRules(order=("extra",), extra={2: 1}))
    assert [row.entrant for row in rows] == [2, 1]
    assert rows[0].breakdown("extra").terms == (Term(1, because("by_director")),)
    assert rows[1].breakdown("extra").terms == ()


def test_order_is_checked():
    for wrong, told in (
        ({"score": "seed"}, "not ranked by 'seed'"),
        ({"order": ("luck",)}, "There is no tie-break 'luck'"),
        ({"order": ("won", "won")}, "In the order stands twice: games won"),
        ({"order": ("wins",)}, "stands twice: wins"),
    ):
        with pytest.raises(EventError, match=told):
            StandingsRules(**wrong)
    event = after(snapshot(4), table(((1, 2), (3, 4)), (10, 4)))
    with pytest.raises(EventError, match="no meaning where partners change"):
        standings(event, StandingsRules())
    assert len(standings(event, StandingsRules(score="points", order=CLUB))) == 4
    with pytest.raises(EventError, match="Does not count in this event: Buchholz"):
        standings(event, StandingsRules(score="points", order=CLUB))[0].breakdown("buchholz")


def test_orders_change_places():
    event = three_rounds()
    assert order(event, StandingsRules()) == [3, 1, 2, 4, 6, 5]
    assert order(event, StandingsRules(order=CLUB_WINS)) == [3, 2, 1, 4, 6, 5]
    assert order(event, StandingsRules(score="points", order=CLUB)) == [2, 3, 1, 4, 6, 5]
    assert order(event, StandingsRules(score="average", order=CLUB))[0] == 2


def test_withdrawn_and_absent_last():
    """lila 511, 18985: whoever left or never came is below who plays, whatever was won before."""
    event = after(snapshot(5), game(1, 2, (10, 0)), game(3, 4, (10, 9)))
    states = {1: ("withdrawn", 2), 3: ("disqualified", None)}
    entrants = tuple(
        replace(one, state=states.get(one.id, ("active", None))[0], left=states.get(one.id, ("", None))[1])
        for one in event.entrants
    )
    event = replace(event, entrants=entrants)
    rows = standings(event, StandingsRules())
    assert [row.entrant for row in rows] == [4, 2, 5, 1, 3]
    assert [said(row.notes) for row in rows[3:]] == [("withdrawn before round 2",), ("disqualified",)]
    assert order(event, StandingsRules(withdrawn_last=False)) == [1, 3, 4, 2, 5]


def test_who_had_a_bye_or_won_by_forfeit_was_there():
    event = after(snapshot(4), game(1, 2, (10, 0)), byes=[3])
    assert order(event, StandingsRules(order=())) == [1, 3, 2, 4]


def test_late_entry_is_told():
    event = replace(snapshot(2), entrants=(*snapshot(2).entrants, replace(snapshot(3).entrants[2], joined=2)))
    event = after(after(event, game(1, 2, (10, 0))), game(2, 3, (10, 0)))
    rules = StandingsRules(scoring=Scoring(late_halves=1))
    rows = {row.entrant: row for row in standings(event, rules)}
    assert said(rows[3].notes) == ("late, joined in round 2",)
    assert rows[3].breakdown("wins").terms[0] == Term(0.5, because("late_half"), 1)


def test_shared_places():
    event = after(snapshot(6), game(1, 2, (10, 4)), game(3, 4, (10, 4)), game(5, 6, (10, 2)))
    rows = standings(event, StandingsRules(order=CLUB_WINS))
    assert [(row.place, row.entrant, row.tied) for row in rows] == [
        (1, 5, False),
        (2, 1, True),
        (2, 3, True),
        (4, 2, True),
        (4, 4, True),
        (6, 6, False),
    ]


@pytest.mark.parametrize("event", [snapshot(0), snapshot(3)], ids=["nobody", "before the start"])
def test_before_the_start(event):
    rows = standings(event, ALL)
    assert [row.place for row in rows] == [1] * len(event.entrants)
    assert all(found.value == 0 for row in rows for found in row.breakdowns())


def random_events():
    rng = random.Random(6)
    for number in range(30):
        event = snapshot(4 + number)
        for _ in range(5):
            try:
                event = come_and_go(play(event, swiss.pair(event), rng), rng, 50)
            except CannotPair:
                break
        yield event, ALL
    for number in range(15):
        event = snapshot(8 + number)
        for _ in range(4):
            event = play(event, swiss_individuals.pair(event), rng)
        scoring = Scoring(rest_average=number % 2 == 0)
        yield event, StandingsRules(score=("points", "average", "wins")[number % 3], order=CLUB, scoring=scoring)


def test_terms_add_up():
    """lila 13694, phase 6349: every number of every row is the sum of its terms, and rows are in order."""
    for event, rules in random_events():
        rows = standings(event, rules)
        for row in rows:
            found = row.breakdowns()
            assert tuple(each.key for each in found) == rules.keys
            for each, value in zip(found, row.values, strict=True):
                assert each.value == value and str(because(each.key))
                assert each.value == sum(term.value for term in each.terms if not term.cut) / each.divisor
                assert all(str(term.what) for term in each.terms)
        last = {entrant.id: entrant.state == "withdrawn" for entrant in event.entrants}
        for one, other in pairwise(rows):
            assert one.place == other.place if one.tied and one.values == other.values else one.place <= other.place
            assert not last[one.entrant] or last[other.entrant]
    assert {*SWISS, *CLUB, *CLUB_WINS} < set(KEYS)
