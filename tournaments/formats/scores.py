"""Which scores a game of an event can end with, by the house's own table of what hands are worth.

A score is possible if some sequence of hands gives it: that is worked out, not guessed from bounds.

| rule | test (test_scores) |
|---|---|
| a game to 10: the winner has 10 to 13, the loser 0 to 9, no tie | test_game_to_ten |
| H hands: each gives one side 1, 2 or 4 points; none where hands may be thrown in | test_hands |
| level after H hands: half a win each, or an extra hand whose points do not count | test_level_scores |
| house tables: points off for a euchre, a loner euchred 2, 3 or 4 | test_house_tables |
| counters: nobody has more than the hands and the points allow | test_counters |
| whatever hands are played, their score is accepted | test_every_game_played_is_accepted |
| the sentence says what is wrong, the advice what could be meant | test_sentences |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from tournaments.formats.event import BadScore, EventError, Result, Sides
from tournaments.formats.words import because

Points = tuple[int, int]

COUNTERS = ("euchres", "euchred", "loners", "loners_tried", "marches")
"""What may be counted for each entrant: euchres made and suffered, loners made and tried, marches."""

LONGEST = 40
"""Hands of a round, and the points of a game, that can be asked for."""


@dataclass(frozen=True, slots=True)
class HandPoints:
    """What a hand is worth to the makers if they make it, and to the defenders if not; ``penalty``
    and ``loner_penalty`` are taken from makers who are euchred."""

    made: int = 1
    march: int = 2
    loner: int = 4
    euchre: int = 2
    loner_euchred: int = 2
    penalty: int = 0
    loner_penalty: int = 0
    thrown_in: bool = False

    def __post_init__(self) -> None:
        values = (self.made, self.march, self.loner, self.euchre, self.loner_euchred)
        if min(self.made, self.march, self.loner) < 1 or min(values) < 0 or max(values) > 10:
            raise EventError("hand_points")
        if not (0 <= self.penalty <= 10 and 0 <= self.loner_penalty <= 10):
            raise EventError("penalties")

    def outcomes(self) -> frozenset[Points]:
        """What a hand may give to the two sides."""
        makers = {(self.made, 0), (self.march, 0), (self.loner, 0)}
        makers |= {(-self.penalty, self.euchre), (-self.loner_penalty, self.loner_euchred)}
        both = makers | {(other, one) for one, other in makers}
        return frozenset(both | {(0, 0)} if self.thrown_in else both)


HOUSES: Mapping[str, HandPoints] = {
    "standard": HandPoints(),
    "loner_euchred_3": HandPoints(loner_euchred=3),
    "loner_euchred_4": HandPoints(loner_euchred=4),
    "points_off": HandPoints(penalty=2, loner_penalty=4),
}
"""Tables seen in public rules. Where a house pays a loner's player more than the partner, see
``loner_bonus`` of columns.Scoring."""


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """A game to ``target`` points, or ``hands`` hands where that is not 0. ``ties`` is what a level
    score after those hands means."""

    target: int = 10
    hands: int = 0
    ties: Literal["half", "extra_hand"] = "half"
    points: HandPoints = field(default_factory=HandPoints)

    def __post_init__(self) -> None:
        if not (1 <= self.target <= LONGEST and 0 <= self.hands <= LONGEST):
            raise EventError("game_length", most=LONGEST)


def result(
    rules: ScoreRules,
    points: Points,
    winner: int | None = None,
    counters: Mapping[str, Mapping[int, int]] | None = None,
    sides: Sides | None = None,
) -> Result:
    """The result that was typed in. ``winner`` is the side that won an extra hand; ``counters`` are
    checked against ``sides``. BadScore for what no game of the event can end with."""
    level = points[0] == points[1]
    if rules.hands:
        _check_hands(rules, points)
    else:
        _check_game(rules, points)
    if level and rules.ties == "extra_hand" and winner is None:
        raise BadScore("score_level", score=_shown(points))
    if level and rules.ties == "half" and winner is not None:
        raise BadScore("tie_has_winner", score=_shown(points))
    if not level:
        ahead = int(points[1] > points[0])
        if winner not in (None, ahead):
            raise BadScore("wrong_winner", score=_shown(points))
        winner = ahead
    elif winner not in (None, 0, 1):
        raise BadScore("winner_unknown")
    _check_counters(rules, points, counters or {}, sides)
    return Result(points, winner=winner, counters=counters or {})


def possible(rules: ScoreRules, points: Points) -> bool:
    """Whether some sequence of hands ends so."""
    outcomes = rules.points.outcomes()
    if rules.hands:
        return points in _after_hands(outcomes, rules.hands)
    winner, loser = max(points), min(points)
    return loser < rules.target <= winner and any(
        gain > 0 and winner - gain < rules.target and _reachable(outcomes, rules.target, winner - gain, loser - off)
        for gain, off in outcomes
    )


@lru_cache(maxsize=64)
def _after_hands(outcomes: frozenset[Points], hands: int) -> frozenset[Points]:
    scores = {(0, 0)}
    for _hand in range(hands):
        scores = {(one + a, other + b) for one, other in scores for a, b in outcomes}
    return frozenset(scores)


@lru_cache(maxsize=64)
def _before_target(outcomes: frozenset[Points], target: int) -> frozenset[Points]:
    """Every score a game to ``target`` can stand at before it is over, down to where nothing is lost
    by looking no further."""
    floor = -4 * target
    scores, fresh = {(0, 0)}, {(0, 0)}
    while fresh:
        fresh = {
            (one + a, other + b)
            for one, other in fresh
            for a, b in outcomes
            if floor <= one + a < target and floor <= other + b < target
        } - scores
        scores |= fresh
    return frozenset(scores)


def _reachable(outcomes: frozenset[Points], target: int, one: int, other: int) -> bool:
    return (one, other) in _before_target(outcomes, target)


def _check_game(rules: ScoreRules, points: Points) -> None:
    if possible(rules, points):
        return
    target, winner, loser = rules.target, max(points), min(points)
    most = target - 1 + max(max(hand) for hand in rules.points.outcomes())
    if winner < target:
        raise BadScore("not_over", score=_shown(points), target=target)
    if loser >= target:
        raise BadScore("both_over", target=target, most=target - 1)
    if winner > most:
        raise BadScore("too_many_points", points=winner, target=target, most=most)
    raise BadScore("no_such_game", target=target, score=_shown(points))


def _check_hands(rules: ScoreRules, points: Points) -> None:
    if possible(rules, points):
        return
    sums = [sum(hand) for hand in rules.points.outcomes()]
    least, most, total = rules.hands * min(sums), rules.hands * max(sums), sum(points)
    if not least <= total <= most:
        raise BadScore("hands_sum", score=_shown(points), total=total, hands=rules.hands, least=least, most=most)
    raise BadScore("no_such_hands", hands=rules.hands, score=_shown(points))


def _check_counters(
    rules: ScoreRules, points: Points, counters: Mapping[str, Mapping[int, int]], sides: Sides | None
) -> None:
    for name, numbers in counters.items():
        if name not in COUNTERS:
            raise BadScore("not_counted", counter=name, possible=", ".join(COUNTERS))
        for entrant, number in numbers.items():
            if sides is not None and entrant not in sides[0] + sides[1]:
                raise BadScore("not_at_table", who=(entrant,))
            if number < 0 or (rules.hands and number > rules.hands):
                raise BadScore("counter_wrong", who=(entrant,), number=number, counter=because(f"count_{name}"))
    loners, tried = counters.get("loners", {}), counters.get("loners_tried")
    for entrant, number in loners.items():
        if tried is not None and number > tried.get(entrant, 0):
            raise BadScore("loners_tried", who=(entrant,), made=number, tried=tried.get(entrant, 0))
    worth = rules.points
    if sides is None or worth.penalty or worth.loner_penalty:
        return
    for side, scored in zip(sides, points, strict=True):
        most = {name: max(counters.get(name, {}).get(entrant, 0) for entrant in side) for name in COUNTERS}
        made = worth.loner * sum(loners.get(entrant, 0) for entrant in side)
        euchres = min(worth.euchre, worth.loner_euchred) * most["euchres"]
        if max(made + euchres, worth.march * most["marches"]) > scored:
            raise BadScore("counters_many", who=side, points=scored)


def _shown(points: Points) -> str:
    return f"{points[0]}-{points[1]}"
