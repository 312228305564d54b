"""When a series takes place: at the same hour of its wall clock, weeks or months apart.

| rule | test (test_recurrence) |
|---|---|
| every week, every second week: the same weekday and hour, over changes of the clock | test_weeks_over_a_change |
| every month: the same weekday of the month, the last where there is no fifth | test_months |
| an hour that the clock leaves out is moved on; of one shown twice the first counts | test_hours_that_do_not_exist |
| to the last day, at most a year ahead | test_a_year_ahead |
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

Every = Literal["week", "two_weeks", "month"]

WEEKS: Final = {"week": 1, "two_weeks": 2}

AHEAD: Final = timedelta(days=366)
"""Events of a series are made no further ahead."""


def exists(moment: datetime) -> bool:
    """Whether the wall clock of a time's zone ever shows it."""
    return moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) == moment.replace(tzinfo=None)


def twice(moment: datetime) -> bool:
    """Whether the wall clock of a time's zone shows it twice."""
    return exists(moment) and moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()


def at(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """The moment of a wall clock; one that the clock leaves out is moved on by what it leaves out."""
    moment = datetime.combine(day, hour.replace(fold=0), zone)
    return moment if exists(moment) else moment.astimezone(UTC).astimezone(zone)


def occurrences(first: datetime, every: Every, until: date) -> Iterator[datetime]:
    """The times of a series from its first, in its zone, up to the end of ``until``. ``first`` has
    the zone of the series (a ``ZoneInfo``)."""
    zone = first.tzinfo
    if not isinstance(zone, ZoneInfo):
        raise TypeError("a series needs a time with a ZoneInfo")
    for day in _days(first.date(), every, min(until, first.date() + AHEAD)):
        yield at(day, first.time(), zone)


def _days(first: date, every: Every, last: date) -> Iterator[date]:
    day, months = first, 0
    while day <= last:
        yield day
        months += 1
        day = day + timedelta(weeks=WEEKS[every]) if every in WEEKS else same_weekday(first, months)


def same_weekday(first: date, months: int) -> date:
    """The same weekday of its month (the second Tuesday, say) so many months later; the last one of
    a month that has no fifth."""
    number = (first.day - 1) // 7
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    start = date(year, month + 1, 1)
    day = start + timedelta(days=(first.weekday() - start.weekday()) % 7, weeks=number)
    return day if day.month == start.month else day - timedelta(weeks=1)
