"""A month of a club's events, as a calendar on a wall shows it."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models.functions import Coalesce
from django.utils.formats import get_format

from tournaments.models import Club, Event

EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 1)
"""Months that can be asked for."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An event of a day; ``when`` it begins, or has begun or ended if no hour was set, as the clock shows it where
    it is played."""

    event: Event
    when: datetime


@dataclass(frozen=True, slots=True)
class Day:
    """``inside``: of the month itself, not of one beside it."""

    day: date
    inside: bool
    events: tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class Month:
    """``before`` and ``after`` are the first days of the months beside it, None at the ends of time."""

    first: date
    before: date | None
    after: date | None
    weeks: tuple[tuple[Day, ...], ...]

    @property
    def empty(self) -> bool:
        return not any(day.events for week in self.weeks for day in week)


def read_month(asked: str) -> date | None:
    """The first day of ``2027-01``; None for what is no month, or one that is too far."""
    try:
        found = date.fromisoformat(f"{asked}-01")
    except ValueError:
        return None
    return found if EARLIEST <= found <= LATEST else None


def month_of(club: Club, first: date, *, drafts: bool) -> Month:
    """The weeks of a month with what begins on their days, each by the clock of its own zone, called off ones
    left out. Without an hour an event stands on the day it was begun by hand. One query."""
    weeks = calendar.Calendar((int(get_format("FIRST_DAY_OF_WEEK")) - 1) % 7).monthdatescalendar(
        first.year, first.month
    )
    start = datetime.combine(weeks[0][0], datetime.min.time(), UTC) - timedelta(days=1)
    found = Event.objects.filter(club=club).annotate(begins=Coalesce("starts_at", "started_at", "finished_at"))
    found = found.filter(begins__gte=start, begins__lt=start + timedelta(days=7 * len(weeks) + 2))
    found = found.exclude(state=Event.State.CANCELLED).defer("about", "settings").order_by("begins", "pk")
    days: dict[date, list[Planned]] = {}
    for event in found if drafts else found.exclude(state=Event.State.DRAFT):
        when = event.begins.astimezone(ZoneInfo(event.zone)).replace(tzinfo=None)
        days.setdefault(when.date(), []).append(Planned(event, when))
    before, after = first - timedelta(days=1), first + timedelta(days=31)
    return Month(
        first,
        before.replace(day=1) if first > EARLIEST else None,
        after.replace(day=1) if first < LATEST else None,
        tuple(tuple(Day(day, day.month == first.month, tuple(days.get(day, ()))) for day in week) for week in weeks),
    )
