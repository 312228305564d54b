"""A worker may die at any moment of an event: within a step, which is rolled back, or right after it, when nothing
that follows it is done and nobody gives its claim back. Each kind of step of each format dies both ways once here, and
the event that comes out is the one that nothing happened to (tests/faults kills real processes)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.events.evening import Evening, check_log, check_places
from tests.events.test_whole_events import SEASON
from tournaments.models import Event, EventTable, Place, Seating, Step
from tournaments.models import Round as Row
from tournaments.services import events, schedule
from tournaments.services.desk import Desk

pytestmark = pytest.mark.django_db

FEW = SEASON | {
    "single_elimination": (4, {}, {"third_place": True}),
    "double_elimination": (4, {}, {}),
    "round_robin": (3, {}, {}),
    "groups": (4, {}, {}),
    "swiss": (5, {"rounds_planned": 2, "late_until": 0}, {}),
    "swiss_individuals": (5, {"rounds_planned": 2, "late_until": 0}, {}),
    "rotation": (5, {"rounds_planned": 2}, {}),
    "progressive": (5, {"rounds_planned": 2}, {}),
    "arena": (4, {"rounds_planned": 2}, {}),
    "duplicate": (4, {"rounds_planned": 1, "late_until": 0}, {}),
    "teams": (3, {}, {}),
}
"""Entrants, fields of the event and options of the format, as in the evenings that are played without kills."""


class Killed(BaseException):
    """What a process does not live to see the end of."""


class Killer:
    """Kills whoever is at the event's desk: once before a step of each kind is committed, and the schedule once
    right after it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kills = 0
        self._died: set[Any] = set()
        self._last = ""
        close, follows = Desk._close, schedule._next

        def die(key: Any) -> None:
            if key not in self._died:
                self._died.add(key)
                self.kills += 1
                raise Killed

        def closing(desk: Desk) -> None:
            close(desk)
            if desk.changed:
                self._last = desk.kind
                die(("within", desk.kind))

        def following(event: Event, now: Any) -> Callable[[], Any] | None:
            doing = follows(event, now)

            def done() -> None:
                assert doing is not None
                doing()
                die(("after", self._last))

            return done if doing is not None else None

        monkeypatch.setattr(Desk, "_close", closing)
        monkeypatch.setattr(schedule, "_next", following)


def survive(act: Callable[[], Any]) -> None:
    """Again and again, as somebody clicks again or another worker takes over, until it lives to its end."""
    for _again in range(50):
        try:
            act()
        except Killed:
            continue
        return
    raise AssertionError("it never lives")


def minutes() -> Iterator[timedelta]:
    """Sweeps, each late enough for the claims of the dead to have run out."""
    return (schedule.CLAIM * number for number in range(1, 400))


def play(evening: Evening) -> list[Any]:
    """The whole event; what came out of it."""
    survive(lambda: events.announce(event_id=evening.id, by=evening.by))
    survive(lambda: events.start(event_id=evening.id, by=evening.by))
    for later in minutes():
        survive(lambda at=later: evening.sweep(at))
        if evening.event.state == Event.State.FINISHED:
            break
        for table in evening.tables(EventTable.State.PLAYING):
            score = evening.score(table)
            survive(lambda one=table, so=score: evening.enter(one, so, again=False))
    check_log(evening.id)
    check_places(evening.id)
    return [
        list(Row.objects.filter(event=evening.id).order_by("number").values_list("number", "state", "byes", "rests")),
        list(
            EventTable.objects.filter(event=evening.id)
            .order_by("round__number", "number")
            .values_list("round__number", "number", "sides", "state", "points_0", "points_1", "deals")
        ),
        list(
            Seating.objects.filter(round__event=evening.id)
            .order_by("round__number", "table__number", "side", "entrant__number")
            .values_list("round__number", "table__number", "side", "entrant__number")
        ),
        list(Place.objects.filter(event=evening.id).order_by("entrant__number").values_list("place", "score", "wins")),
        list(Step.objects.filter(event=evening.id).order_by("number").values_list("kind", flat=True)),
    ]


@pytest.mark.parametrize("key", SEASON)
def test_an_event_killed_at_each_step_is_the_one_that_was_not(club, cast, monkeypatch, key: str) -> None:
    count, planned, settings = FEW[key]

    def evening() -> Evening:
        made = Evening(club, cast.director, key, count, seed=11, settings=settings, **planned)
        Event.objects.filter(pk=made.id).update(seed=5)
        return made

    quiet, killed = evening(), evening()
    expected = play(quiet)
    killer = Killer(monkeypatch)
    assert play(killed) == expected
    assert killer.kills > len({*expected[-1]} - {"created", "added"})
