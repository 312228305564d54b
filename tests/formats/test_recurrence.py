"""When a series takes place."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from tournaments.recurrence import at, exists, occurrences, same_weekday, twice

CHICAGO = ZoneInfo("America/Chicago")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # moves its clock by half an hour


def test_weeks_over_a_change() -> None:
    first = datetime(2026, 10, 27, 19, 0, tzinfo=CHICAGO)
    times = list(occurrences(first, "week", date(2026, 11, 10)))
    assert [moment.isoformat() for moment in times] == [
        "2026-10-27T19:00:00-05:00",
        "2026-11-03T19:00:00-06:00",
        "2026-11-10T19:00:00-06:00",
    ]
    assert [moment.day for moment in occurrences(first, "two_weeks", date(2026, 11, 30))] == [27, 10, 24]


def test_months() -> None:
    first = datetime(2027, 1, 29, 18, 30, tzinfo=CHICAGO)  # the fifth Friday
    days = [moment.date() for moment in occurrences(first, "month", date(2027, 5, 31))]
    assert days == [date(2027, 1, 29), date(2027, 2, 26), date(2027, 3, 26), date(2027, 4, 30), date(2027, 5, 28)]
    assert same_weekday(date(2026, 12, 8), 1) == date(2027, 1, 12)  # the second Tuesday


def test_hours_that_do_not_exist() -> None:
    gone = datetime(2027, 3, 14, 2, 30, tzinfo=CHICAGO)
    assert not exists(gone)
    assert at(gone.date(), gone.time(), CHICAGO).isoformat() == "2027-03-14T03:30:00-05:00"
    assert at(date(2026, 10, 4), time(2, 15), LORD_HOWE).isoformat() == "2026-10-04T02:45:00+11:00"
    both = datetime(2026, 11, 1, 1, 30, tzinfo=CHICAGO)
    assert exists(both) and twice(both)
    assert at(both.date(), both.time(), CHICAGO).astimezone(UTC).hour == 6  # the first of the two
    assert not twice(gone)
    assert not twice(datetime(2026, 11, 2, 1, 30, tzinfo=CHICAGO))


def test_a_year_ahead() -> None:
    first = datetime(2026, 12, 1, 19, 0, tzinfo=CHICAGO)
    times = list(occurrences(first, "week", date(2030, 1, 1)))
    assert len(times) == 53
    assert times[-1].date() == date(2027, 11, 30)


def test_a_series_needs_a_zone() -> None:
    with pytest.raises(TypeError):
        list(occurrences(datetime(2026, 12, 1, 19, 0, tzinfo=UTC), "week", date(2027, 1, 1)))
