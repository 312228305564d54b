"""Every format behind one shape, so that nobody else needs to know formats by name.

``PLAYBOOKS[event.format].read(event.settings)`` is a :class:`~tournaments.playbook.shape.Plan`.
Reading order: shape, options, ranked, brackets, groups, other, advice.

A ladder has no rounds but a log of its own (``tournaments.formats.ladder``), so it is not here but in
``tournaments.services.ladders``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tournaments.formats.swiss_individuals import SPLITS
from tournaments.playbook import options as opt
from tournaments.playbook.advice import Advice, advice, minutes_of
from tournaments.playbook.brackets import DoubleElimination, SingleElimination
from tournaments.playbook.groups import Groups
from tournaments.playbook.other import Arena, Duplicate, Teams
from tournaments.playbook.ranked import Individuals, Progressive, Rotation, RoundRobin, Swiss
from tournaments.playbook.shape import Column, Line, Option, Plan, Playbook

__all__ = ["PLAYBOOKS", "Advice", "Column", "Line", "Option", "Plan", "Playbook", "advice", "choose"]

_ALL = (
    Playbook(
        "single_elimination",
        SingleElimination,
        (*opt.TO_THE_END, opt.flag("third_place"), opt.number("band", 0, 0, 64)),
        least=2,
        most=512,
        members=2,
        side=1,
    ),
    Playbook(
        "double_elimination",
        DoubleElimination,
        (*opt.TO_THE_END, opt.number("band", 0, 0, 64)),
        least=2,
        most=256,
        members=2,
        side=1,
    ),
    Playbook(
        "round_robin",
        RoundRobin,
        (
            *opt.GAME,
            opt.number("legs", 1, 1, 4),
            opt.flag("seats_matter", needs=("legs", (2, 3, 4))),
            opt.ranking("wins"),
            opt.tiebreaks(),
        ),
        least=2,
        most=64,
        members=2,
        side=1,
        defaults=opt.order_of_league,
    ),
    Playbook(
        "groups",
        Groups,
        (
            *opt.GAME,
            opt.number("groups", 2, 1, 32),
            opt.number("legs", 1, 1, 2),
            opt.number("qualify", 2, 1, 16),
            opt.choice("playoffs", "single", "double"),
            opt.flag("third_place", needs=("playoffs", ("single",))),
            opt.flag("lots", True),
        ),
        least=4,
        most=256,
        members=2,
        side=1,
    ),
    Playbook(
        "swiss",
        Swiss,
        (
            *opt.GAME,
            opt.choice("first_round", "seed", "random"),
            opt.flag("repeats", True),
            opt.flag("fair_seats"),
            opt.LATE_HALF,
            opt.ranking("wins"),
            opt.tiebreaks(),
        ),
        least=2,
        most=10_000,
        members=2,
        side=1,
        defaults=opt.order_of_pairs,
    ),
    Playbook(
        "swiss_individuals",
        Individuals,
        (
            *opt.EVENING,
            opt.choice("split", *SPLITS),
            opt.flag("repeats", True),
            opt.REST_AVERAGE,
            opt.REST_HALF,
            opt.LATE_HALF,
            opt.ranking("points"),
            opt.tiebreaks(opt.OF_PEOPLE),
        ),
        least=4,
        most=10_000,
        members=1,
        side=2,
        defaults=opt.order_of_people,
    ),
    Playbook(
        "rotation",
        Rotation,
        (
            *opt.EVENING,
            opt.choice("choice", "best", "table", "planner"),
            opt.REST_AVERAGE,
            opt.REST_HALF,
            opt.ranking("points"),
            opt.tiebreaks(opt.OF_PEOPLE),
        ),
        least=4,
        most=400,
        members=1,
        side=2,
        defaults=opt.order_of_people,
    ),
    Playbook(
        "progressive",
        Progressive,
        (
            *opt.MOVING,
            opt.choice("movement", "winners_up", "losers_down", "steps", "colours", "chart"),
            opt.choice("steps", *opt.STEP_NAMES, needs=("movement", ("steps",))),
            opt.REST_AVERAGE,
            opt.REST_HALF,
            opt.ranking("points"),
            opt.tiebreaks(opt.OF_PEOPLE),
        ),
        least=4,
        most=400,
        members=1,
        side=2,
        defaults=opt.order_of_people,
    ),
    Playbook(
        "arena",
        Arena,
        (
            *opt.GAME,
            opt.flag("individuals"),
            opt.flag("streaks", True),
            opt.number("game_minutes", 10, 1, 60),
            opt.flag("late_games", True),
            opt.flag("rank_withdrawn"),
        ),
        least=2,
        most=10_000,
        members=2,
        side=1,
    ),
    Playbook(
        "duplicate",
        Duplicate,
        (
            opt.flag("individuals"),
            opt.choice("movement", "barometer", "mitchell", "howell", needs=("individuals", (False,))),
            opt.number("deals", 2, 1, 16),
            opt.flag("share", needs=("movement", ("mitchell",))),
            opt.flag("by_lot"),
            opt.choice("scoring", "matchpoints", "difference", "board_a_match"),
            opt.HOUSE,
            opt.flag("thrown_in"),
        ),
        least=4,
        most=200,
        members=2,
        side=1,
    ),
    Playbook(
        "teams",
        Teams,
        (
            opt.choice("meeting", "single", "double", "round_robin"),
            opt.number("deals", 16, 2, 20),
            opt.flag("boards", True),
            opt.HOUSE,
            opt.flag("thrown_in"),
            opt.flag("third_place", needs=("meeting", ("single",))),
            opt.number("band", 0, 0, 64, needs=("meeting", ("single", "double"))),
            opt.number("legs", 1, 1, 4, needs=("meeting", ("round_robin",))),
        ),
        least=2,
        most=64,
        members=4,
        side=1,
    ),
)

PLAYBOOKS: Mapping[str, Playbook] = {book.key: book for book in _ALL}


def choose(people: int, minutes: int = 0, break_minutes: int = 0) -> tuple[Advice, ...]:
    """What each format is like for so many people, as it is by default; with ``minutes``, of as
    many rounds as fit into them where a format lets one choose, and none that takes longer."""
    found = []
    for book in PLAYBOOKS.values():
        plan = book.read()
        entrants, spare = divmod(people, plan.members)
        rounds = plan.rounds(entrants) if book.takes(entrants) else 0
        if minutes and book.key in FREE_ROUNDS:
            rounds = min(rounds, (minutes + break_minutes) // (minutes_of(plan) + break_minutes))
        about = advice(entrants, rounds, plan, break_minutes=break_minutes)
        fits = about.fits and rounds > 0 and (not minutes or about.minutes <= minutes)
        found.append(replace(about, fits=fits, spare=spare))
    return tuple(found)


FREE_ROUNDS = frozenset({"swiss", "swiss_individuals", "rotation", "progressive", "arena", "duplicate"})
"""Formats of as many rounds as one likes; the others end when their matches are decided."""
