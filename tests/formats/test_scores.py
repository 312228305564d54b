"""Scores that can be typed (tournaments/formats/scores.py)."""

from __future__ import annotations

import random

import pytest

from tournaments.formats.event import BadScore, EventError
from tournaments.formats.scores import HOUSES, HandPoints, ScoreRules, possible, result

TEN = ScoreRules()
EIGHT_HANDS = ScoreRules(hands=8)
EXTRA = ScoreRules(hands=8, ties="extra_hand")
SIDES = ((1, 2), (3, 4))


def test_game_to_ten():
    """Winner 10 to 13, loser 0 to 9; all 26 x 26 others are refused."""
    for one in range(-5, 21):
        for other in range(-5, 21):
            winner, loser = max(one, other), min(one, other)
            right = 10 <= winner <= 13 and 0 <= loser <= 9
            assert possible(TEN, (one, other)) == right
            if right:
                assert result(TEN, (one, other)).winner == int(other > one)
            else:
                with pytest.raises(BadScore):
                    result(TEN, (one, other))


@pytest.mark.parametrize("hands", range(1, 13))
def test_hands(hands):
    """H to 4 H points together; only what no hands of 1, 2 and 4 give is refused among them."""
    rules = ScoreRules(hands=hands)
    for total in range(4 * hands + 3):
        for one in range(total + 1):
            points = (one, total - one)
            if not hands <= total <= 4 * hands:
                assert not possible(rules, points)
    assert possible(rules, (hands, 0)) and possible(rules, (0, 4 * hands))
    assert not possible(rules, (4 * hands - 1, 0))
    thrown = ScoreRules(hands=hands, points=HandPoints(thrown_in=True))
    assert possible(thrown, (0, 0)) and possible(thrown, (1, 0)) and not possible(thrown, (4 * hands, 1))


def test_level_scores():
    assert result(EIGHT_HANDS, (6, 6)).winner is None
    assert result(EXTRA, (6, 6), winner=1).winner == 1
    for rules, winner, said in (
        (EIGHT_HANDS, 1, "a tie counts half a win"),
        (EXTRA, None, "6-6 is level"),
        (EXTRA, 7, "one of the two sides"),
    ):
        with pytest.raises(BadScore, match=said):
            result(rules, (6, 6), winner)
    assert result(EIGHT_HANDS, (7, 5), winner=0).winner == 0
    with pytest.raises(BadScore, match="the other side has won"):
        result(EIGHT_HANDS, (7, 5), winner=1)


def test_house_tables():
    assert possible(ScoreRules(hands=1, points=HOUSES["loner_euchred_3"]), (0, 3))
    assert not possible(ScoreRules(hands=1), (0, 3))
    assert possible(ScoreRules(hands=1, points=HOUSES["loner_euchred_4"]), (4, 0))
    off = ScoreRules(hands=2, points=HOUSES["points_off"])
    assert possible(off, (-4, 4)) and possible(off, (-1, 2)) and possible(off, (-8, 4)) and not possible(off, (-8, 5))
    game = ScoreRules(points=HOUSES["points_off"])
    assert possible(game, (10, -2)) and possible(game, (13, 9)) and not possible(game, (9, -2))
    seven = ScoreRules(target=7, points=HandPoints(loner=5))
    assert possible(seven, (11, 6)) and not possible(seven, (12, 6))
    for wrong in ({"made": 0}, {"euchre": 11}, {"euchre": -1}, {"penalty": -1}, {"loner_penalty": 11}):
        with pytest.raises(EventError):
            HandPoints(**wrong)
    for wrong in ({"target": 0}, {"hands": 41}, {"hands": -1}):
        with pytest.raises(EventError, match="1 to 40"):
            ScoreRules(**wrong)


def test_a_gap_inside_the_bounds():
    """Only march or loner of 4 at once: 11-9 needs a hand of 2, which that house has not."""
    fours = ScoreRules(points=HandPoints(made=4, march=4, loner=4, euchre=4, loner_euchred=4))
    assert possible(fours, (12, 8)) and not possible(fours, (10, 8))
    with pytest.raises(BadScore, match="No game to 10 ends 10-8"):
        result(fours, (10, 8))


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("hands", [0, 5])
def test_every_game_played_is_accepted(house, hands):
    rng = random.Random(house)
    rules = ScoreRules(hands=hands, points=HOUSES[house])
    outcomes = sorted(rules.points.outcomes())
    for _ in range(300):
        one = other = played = 0
        while played < hands if hands else max(one, other) < 10:
            a, b = rng.choice(outcomes)
            one, other, played = one + a, other + b, played + 1
        assert result(rules, (one, other)).points == (one, other)


@pytest.mark.parametrize(
    ("rules", "points", "said"),
    [
        (TEN, (9, 4), "9-4 is not over: nobody has 10 points."),
        (TEN, (11, 10), "Both sides cannot have 10 points"),
        (TEN, (14, 4), "Nobody can win with 14 points in a game to 10."),
        (TEN, (10, -1), "No game to 10 ends 10--1"),
        (EIGHT_HANDS, (3, 4), "3-4 gives 7 points in 8 hands; together they are 8 to 32."),
        (EIGHT_HANDS, (31, 2), "33 points in 8 hands"),
        (EIGHT_HANDS, (31, 0), "No 8 hands give 31-0"),
    ],
)
def test_sentences(rules, points, said):
    with pytest.raises(BadScore) as refused:
        result(rules, points)
    assert said in str(refused.value) and str(refused.value.advice).endswith(".")


def test_counters():
    counters = {"loners": {1: 1}, "loners_tried": {1: 2, 3: 1}, "euchres": {2: 2}, "marches": {1: 1}, "euchred": {3: 2}}
    assert result(TEN, (10, 4), counters=counters, sides=SIDES).counters == counters
    assert result(TEN, (10, 4), counters={"euchres": {2: 2}}).counters == {"euchres": {2: 2}}
    off = ScoreRules(points=HOUSES["points_off"])
    assert result(off, (10, 2), counters={"euchres": {3: 3}}, sides=SIDES).counters


@pytest.mark.parametrize(
    ("rules", "counters", "said"),
    [
        (TEN, {"kittens": {1: 1}}, "'kittens' is not counted"),
        (TEN, {"loners": {9: 1}}, "#9 does not sit at this table"),
        (TEN, {"euchred": {1: -1}}, "#1 cannot have -1 euchres suffered"),
        (EIGHT_HANDS, {"loners_tried": {1: 9}}, "#1 cannot have 9 loners tried"),
        (TEN, {"loners": {1: 2}, "loners_tried": {1: 1}}, "#1 has made 2 loners of 1 tried"),
        (TEN, {"loners": {1: 1}, "loners_tried": {}}, "#1 has made 1 loners of 0 tried"),
        (TEN, {"loners": {3: 1, 4: 1}}, "#3 and #4 cannot have so many loners, euchres or marches with 4 points"),
        (TEN, {"euchres": {3: 3}}, "with 4 points"),
        (TEN, {"marches": {3: 3}}, "with 4 points"),
    ],
)
def test_counters_refused(rules, counters, said):
    with pytest.raises(BadScore, match=said):
        result(rules, (10, 4), counters=counters, sides=SIDES)
