"""The month view of a club's events."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tournaments.models import Club, Event
from tournaments.selectors.months import month_of, read_month

pytestmark = pytest.mark.django_db


def put(club: Club, title: str, *when: int, zone: str = "UTC", state: str = Event.State.OPEN) -> Event:
    return Event.objects.create(
        club=club, title=title, format="swiss", state=state, zone=zone, starts_at=datetime(*when, tzinfo=UTC)
    )


def test_an_event_stands_on_the_day_of_its_own_clock(club: Club) -> None:
    """Also on the days of the months beside it that fill the weeks up."""
    put(club, "Late", 2027, 1, 31, 23, 30, zone="Asia/Tokyo")
    put(club, "Early", 2027, 2, 1, 3, 30, zone="America/New_York")
    put(club, "Off", 2027, 1, 5, 19, 0, state=Event.State.CANCELLED)
    put(club, "Draft", 2027, 1, 6, 19, 0, state=Event.State.DRAFT)
    month = month_of(club, date(2027, 1, 1), drafts=False)
    found = {day.day: [each.event.title for each in day.events] for week in month.weeks for day in week if day.events}
    assert found == {date(2027, 1, 31): ["Early"], date(2027, 2, 1): ["Late"]}
    assert all(len(week) == 7 for week in month.weeks)
    assert (month.before, month.after) == (date(2026, 12, 1), date(2027, 2, 1))
    assert not month.empty and month_of(club, date(2027, 7, 1), drafts=True).empty
    drafts = month_of(club, date(2027, 1, 1), drafts=True)
    assert sum(len(day.events) for week in drafts.weeks for day in week) == 3


@pytest.mark.parametrize("asked", ["", "2027", "2027-13", "2027-1", "0001-01", "9999-12", "١٢٣٤-٠١", "x" * 99])
def test_what_is_no_month_shows_the_present_one(asked: str) -> None:
    assert read_month(asked) is None


def test_who_sees_the_club_sees_its_months(club: Club, cast: Any, django_assert_max_num_queries: Any) -> None:
    for day in range(1, 29):
        put(club, f"<b>Night {day}", 2027, 2, day, 19, 0, state=Event.State.DRAFT if day == 28 else Event.State.OPEN)
    address = reverse("club_month", args=[club.slug])
    stranger, director = Client(), Client()
    director.force_login(cast.director)
    page = stranger.get(address, {"month": "2027-02"}).content.decode()
    assert "&lt;b&gt;Night 27" in page and "Night 28" not in page and "2027-03" in page
    with django_assert_max_num_queries(9):
        assert "Night 28" in director.get(address, {"month": "2027-02"}).content.decode()
    assert stranger.get(address, {"month": "nonsense"}).status_code == 200
    Club.objects.update(public=False)
    assert stranger.get(address).status_code == 404


def test_an_event_without_an_hour_stands_on_the_day_it_was_begun(club: Club) -> None:
    begun = {"started_at": datetime(2027, 3, 4, 19, tzinfo=UTC), "finished_at": datetime(2027, 3, 5, 1, tzinfo=UTC)}
    over = Event.State.FINISHED
    Event.objects.create(club=club, title="By hand", format="swiss", state=over, zone="Asia/Tokyo", **begun)
    Event.objects.create(club=club, title="Not begun", format="swiss", state=Event.State.OPEN)
    days = [day for week in month_of(club, date(2027, 3, 1), drafts=False).weeks for day in week if day.events]
    assert [(day.day, day.events[0].event.title) for day in days] == [(date(2027, 3, 5), "By hand")]
