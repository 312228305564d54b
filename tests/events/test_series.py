"""Events that repeat."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.services.errors import UserError
from tournaments.models import Event, EventLink, Series
from tournaments.services import series
from tournaments.services.book import NotAllowed

pytestmark = pytest.mark.django_db

CHICAGO = ZoneInfo("America/Chicago")


@pytest.fixture
def weekly(event: Event) -> Event:
    """Tuesdays at seven in Chicago, sign-up ends on Monday night."""
    start = datetime(timezone.now().year + 1, 10, 5, 19, 0, tzinfo=CHICAGO)
    start += timedelta(days=(1 - start.weekday()) % 7)
    event.zone, event.starts_at, event.closes_at = "America/Chicago", start, start - timedelta(hours=21)
    event.settings = {"target": 7}
    event.save()
    return event


def day(event: Event, weeks: int) -> date:
    assert event.starts_at is not None
    return (event.starts_at + timedelta(weeks=weeks)).date()


def test_an_event_repeats_at_the_same_hour_of_the_wall_clock(weekly: Event, cast: Any) -> None:
    series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="week", until=day(weekly, 6))
    made = list(Event.objects.order_by("starts_at"))
    assert len(made) == 7
    assert {event.starts_at.astimezone(CHICAGO).strftime("%a %H:%M") for event in made} == {"Tue 19:00"}
    assert {event.closes_at.astimezone(CHICAGO).strftime("%a %H:%M") for event in made} == {"Mon 22:00"}
    assert len({event.starts_at.astimezone(UTC).hour for event in made}) == 2  # the clocks went back in between
    assert {event.title for event in made} == {"Thursday"}
    assert all(event.settings == {"target": 7} and event.series_id == made[0].series_id for event in made)
    assert len({event.seed for event in made}) > 1
    assert all(event.state == Event.State.OPEN and event.due_at for event in made[1:])


def test_what_is_not_announced_repeats_unannounced(weekly: Event, cast: Any) -> None:
    Event.objects.filter(pk=weekly.pk).update(state=Event.State.DRAFT)
    series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="two_weeks", until=day(weekly, 4))
    assert {event.state for event in Event.objects.all()} == {Event.State.DRAFT}


@pytest.mark.parametrize(
    ("values", "asked", "sentence"),
    [
        ({}, {"every": "year"}, "how often"),
        ({}, {"weeks": 0}, "nothing repeats"),
        ({"starts_at": None}, {}, "whose start is set"),
        ({"state": Event.State.CANCELLED}, {}, "called off"),
    ],
)
def test_refusals(weekly: Event, cast: Any, values: Any, asked: Any, sentence: str) -> None:
    until = day(weekly, asked.get("weeks", 3))
    Event.objects.filter(pk=weekly.pk).update(**values)
    with pytest.raises(UserError, match=sentence):
        series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every=asked.get("every", "week"), until=until)
    assert Event.objects.count() == 1 and not Series.objects.exists()


def test_an_evening_that_was_played_can_repeat(weekly: Event, cast: Any) -> None:
    began = timezone.now() - timedelta(days=10)
    Event.objects.filter(pk=weekly.pk).update(
        starts_at=None, closes_at=None, started_at=began, state=Event.State.FINISHED
    )
    until = (timezone.now() + timedelta(days=20)).date()
    series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="week", until=until)
    ahead = list(Event.objects.exclude(pk=weekly.pk).order_by("starts_at"))
    assert len(ahead) in (2, 3)
    assert all(event.starts_at > timezone.now() and event.state == Event.State.OPEN for event in ahead)


def test_no_event_is_of_two_series_and_a_club_has_only_so_many(
    weekly: Event, cast: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = day(weekly, 3)
    monkeypatch.setattr(series, "COMING", 3)
    with pytest.raises(UserError, match="more than 3 events"):
        series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="week", until=until)
    monkeypatch.setattr(series, "COMING", 30)
    series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="week", until=until)
    with pytest.raises(UserError, match="one of a series"):
        series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="week", until=until)


def test_a_series_that_ends_keeps_what_people_have_entered(weekly: Event, cast: Any) -> None:
    number = series.repeat_event(event_id=weekly.pk, by=cast.director.pk, every="week", until=day(weekly, 3))
    entered = Event.objects.order_by("starts_at")[2]
    entered.entrants.create(number=1, name="North")
    weekly.entrants.create(number=1, name="North")
    assert series.stop_series(series_id=number, by=cast.director.pk) == (2, 2)
    assert set(Event.objects.all()) == {weekly, entered}
    assert series.stop_series(series_id=number, by=cast.director.pk) == (0, 2)


def test_only_directors_of_the_club(weekly: Event, cast: Any) -> None:
    for who in (cast.member, cast.stranger):
        with pytest.raises(NotAllowed):
            series.repeat_event(event_id=weekly.pk, by=who.pk, every="week", until=day(weekly, 3))


def browser(player: Any) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_the_page_makes_and_stops_a_series(weekly: Event, cast: Any) -> None:
    director, page = browser(cast.director), reverse("event_repeat", args=[weekly.pk])
    refused = director.post(page, {"every": "week", "until": "soon"})
    assert refused.status_code == 422 and "soon" in refused.content.decode()
    director.post(page, {"every": "week", "until": day(weekly, 2).isoformat()})
    shown = director.get(page)
    assert len(shown.context["events"]) == 3
    stopped = director.post(reverse("event_repeat_stop", args=[weekly.pk]), follow=True)
    assert "3 events are deleted" in stopped.content.decode()


def test_the_page_is_for_directors_of_the_club_only(weekly: Event, cast: Any) -> None:
    page = reverse("event_repeat", args=[weekly.pk])
    assert browser(cast.member).get(page).status_code == 403
    assert Client().get(page).status_code == 302
    link = EventLink.objects.create(event=weekly, part="director", token_hash="x")
    helper = browser(cast.stranger)
    session = helper.session
    session["event_links"] = [link.pk]
    session.save()
    assert helper.get(page).status_code == 403
