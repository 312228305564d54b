"""What a format is like for so many people: rounds, tables, rests, repeats and minutes.

Shares of repeats of progressive evenings and arenas are those of simulated events, the others are
what the formats promise or the least there can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from tournaments.formats import progressive, rotation, swiss
from tournaments.formats.words import Reason, because
from tournaments.playbook.brackets import DoubleElimination, SingleElimination
from tournaments.playbook.groups import Groups
from tournaments.playbook.other import Arena, Duplicate, Teams
from tournaments.playbook.ranked import Individuals, Progressive, Rotation, RoundRobin, league_rounds
from tournaments.playbook.shape import Plan

MINUTES_OF_A_HAND: Final = 2
HANDS_OF_A_POINT: Final = 1.2
"""A game to 10 is of about 12 hands."""

PLANNED: Final = 12
"""Rounds that the planner draws without partners again."""
MOVED: Final = {1: 0.7, 2: 0.31, 3: 0.155}
"""Partners again in ten rounds of progressive, by tables; ``MORE_MOVED`` at more."""
MORE_MOVED: Final = 0.11


@dataclass(frozen=True, slots=True)
class Advice:
    """``fits``: so many can play this. ``tables`` at a time; ``idle`` is the least and the most
    that anybody rests or has a bye; ``repeats`` the share of partnerships, or of meetings of fixed
    entrants, that are repeats, None where nobody has counted; ``spare`` people are too many for
    whole entrants. ``said`` are the sentences about it."""

    key: str
    entrants: int
    fits: bool
    rounds: int
    tables: int
    idle: tuple[int, int]
    repeats: float | None
    minutes: int
    said: tuple[Reason, ...]
    spare: int = 0


def minutes_of(plan: Plan) -> int:
    """How long a round is expected to last."""
    if isinstance(plan, Arena):
        return plan.number("game_minutes")
    if isinstance(plan, Teams):
        return MINUTES_OF_A_HAND * plan.number("deals")
    hands = plan.score.hands or HANDS_OF_A_POINT * plan.score.target
    return ceil(MINUTES_OF_A_HAND * hands)


def advice(entrants: int, rounds: int, plan: Plan, round_minutes: int = 0, break_minutes: int = 0) -> Advice:
    """What so many entrants may expect; 0 ``rounds`` are those suggested, 0 ``round_minutes`` those
    that such games are expected to last."""
    book = plan.book
    if not book.takes(entrants):
        return _none(plan, entrants, because("advice_entrants", least=book.least, most=book.most))
    rounds = rounds or plan.rounds(entrants)
    if rounds == 0:
        return _none(plan, entrants, because("advice_no_schedule"))
    tables, idle = _seats(plan, entrants, rounds)
    minutes = rounds * (round_minutes or minutes_of(plan)) + (rounds - 1) * break_minutes
    repeats = _repeats(plan, entrants, rounds)
    said = (*_said(plan, entrants, rounds), *_idle(plan, idle), *_again(plan, repeats))
    return Advice(book.key, entrants, True, rounds, tables, idle, repeats, minutes, said)


def _none(plan: Plan, entrants: int, why: Reason) -> Advice:
    return Advice(plan.book.key, entrants, False, 0, 0, (0, 0), None, 0, (why,))


def _seats(plan: Plan, entrants: int, rounds: int) -> tuple[int, tuple[int, int]]:
    """Tables at a time, and the least and most that anybody is idle."""
    inner = plan.inner if isinstance(plan, Teams) else plan
    both = 2 if isinstance(plan, Teams) else 1
    if isinstance(inner, (SingleElimination, DoubleElimination)):
        size = 1 << (entrants - 1).bit_length()
        first = entrants - size // 2
        second = size // 4 + (first // 2 if isinstance(inner, DoubleElimination) else 0)
        return both * max(first, min(second, entrants // 2)), (0, int(entrants < size))
    if isinstance(inner, Groups):
        sizes = [len(range(group, entrants, inner.rules.groups)) for group in range(inner.rules.groups)]
        legs = inner.rules.legs
        odd = [size % 2 for size in sizes]
        return sum(size // 2 for size in sizes), (legs * min(odd), legs * max(odd))
    if isinstance(plan, Progressive) and entrants % 4 == 3:
        return (entrants + 1) // 4, (0, 0)
    four = 2 * plan.side
    resting = rounds * (entrants % four)
    return both * (entrants // four), (resting // entrants, -(-resting // entrants))


def _fewest(entrants: int, rounds: int, others: int) -> float:
    """The share of repeats where everybody has but so many others, drawn as well as can be."""
    games = rounds * (entrants - entrants % 4) / entrants
    return max(0.0, (games - others) / games)


def _repeats(plan: Plan, entrants: int, rounds: int) -> float | None:
    least = _fewest(entrants, rounds, entrants - 1) if plan.side == 2 else 0.0
    found: float | None = None
    if isinstance(plan, Rotation) or (isinstance(plan, Progressive) and plan.word("movement") == "chart"):
        found = least
    elif isinstance(plan, Individuals):
        sure = (entrants >= 8 and rounds <= 7) or (entrants >= 14 and rounds <= PLANNED)
        found = least if sure or least else None
    elif isinstance(plan, Progressive):
        found = max(least, _moved(plan, entrants, rounds))
    elif isinstance(plan, Arena):
        found = max(least, min(0.6, rounds / 2 / entrants)) if plan.side == 2 else None
    elif isinstance(plan, Duplicate) or plan.book.key in ("swiss", "round_robin"):
        most = {"swiss": swiss.guaranteed_rounds(entrants)}.get(plan.book.key, rounds)
        legs = plan.number("legs") if isinstance(plan, RoundRobin) else 1
        found = 1 - 1 / legs if rounds <= most else None
    return found if found is None else round(found, 2)


def _moved(plan: Progressive, entrants: int, rounds: int) -> float:
    tables = entrants // 4
    if plan.rules.movement == "steps" and entrants % 4 == 0:
        again = progressive.first_repeat(plan.rules.steps, tables)
        if rounds < (again or tables + 1):
            return 0.0
    share = MOVED.get(max(1, tables), MORE_MOVED)
    if plan.rules.movement == "colours" and tables % 2 == 0 and tables > 2:
        share *= 2
    return min(0.8, share * (rounds / 10) ** 2)


def _said(plan: Plan, entrants: int, rounds: int) -> Iterator[Reason]:
    inner = plan.inner if isinstance(plan, Teams) else plan
    match inner:
        case SingleElimination():
            yield because("advice_single", matches=entrants - 1)
        case DoubleElimination():
            yield because("advice_double", matches=2 * entrants - 2)
        case RoundRobin():
            enough = rounds >= league_rounds(entrants, inner.rules.legs)
            yield because("advice_everybody", times=inner.rules.legs) if enough else because("advice_part")
        case Groups():
            size = entrants // inner.rules.groups
            yield because("advice_groups", least=inner.rules.legs * (size - 1), count=inner.number("qualify"))
        case Rotation() if rotation.has_table(entrants) and rounds == len(rotation.table(entrants)):
            yield rotation.promise(entrants)
        case Progressive():
            yield progressive.advice(entrants, rounds, inner.rules)
            if entrants % 4 == 3:
                yield because("advice_alone")
        case _ if plan.book.key == "swiss":
            enough = rounds >= (entrants - 1).bit_length()
            yield because("advice_unbeaten" if enough else "advice_many_unbeaten")
        case _:
            pass


def _idle(plan: Plan, idle: tuple[int, int]) -> Iterator[Reason]:
    inner = plan.inner if isinstance(plan, Teams) else plan
    if isinstance(inner, (SingleElimination, DoubleElimination)):
        if idle[1]:
            yield because("advice_first_byes")
    elif idle[1] == 0:
        if not isinstance(inner, Groups):
            yield because("advice_all_play")
    elif idle[0] == idle[1]:
        yield because("advice_rest", times=idle[1])
    else:
        yield because("advice_rest_most", times=idle[1])


def _again(plan: Plan, repeats: float | None) -> Iterator[Reason]:
    people = plan.side == 2
    if isinstance(plan, (SingleElimination, DoubleElimination, RoundRobin, Groups, Teams)):
        return
    if repeats == 0:
        yield because("advice_new_partners" if people else "advice_new_opponents")
    elif repeats is None:
        yield because("advice_may_repeat" if people else "advice_may_meet")
    elif not isinstance(plan, Progressive):
        yield because("advice_repeats", percent=round(100 * repeats))
