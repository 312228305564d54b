"""Files, frames for other sites, calendars."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from games.models import Player
from tests.events.evening import Evening
from tournaments.models import Club, Entrant, Event
from tournaments.services import entrants
from tournaments.views.exports import own_calendar

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(club: Club, cast: Any) -> Evening:
    made = Evening(club, cast.director, "swiss_individuals", 0, title="Thursday", rounds_planned=3)
    entrants.add_names(event_id=made.id, by=made.by, text="=1+1\n@home\n=cmd\n+Plus\nפלונית\nAnn")
    made.start()
    made.play_round()
    return made


def rows(client: Client, path: str) -> list[list[str]]:
    answer = client.get(path)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = answer.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_standings_are_the_same_in_both_files(evening: Evening) -> None:
    head, *lines = rows(Client(), f"/events/{evening.id}/standings.csv")
    told = Client().get(f"/events/{evening.id}/standings.json").json()
    assert head[:3] == ["Place", "Number", "Name"]
    assert head[3:] == [column["label"] for column in told["columns"]]
    assert [line[1] for line in lines] == [str(row["number"]) for row in told["rows"]]
    for line, row in zip(lines, told["rows"], strict=True):
        values = [float(value) for value in line[3:]]
        assert values == pytest.approx(list(row["values"].values()), abs=0.01)
    assert told["after_round"] == 1


def test_no_spreadsheet_takes_a_name_for_a_formula(evening: Evening) -> None:
    for path in ("standings.csv", "pairings.csv"):
        for row in rows(Client(), f"/events/{evening.id}/{path}"):
            for cell in row:
                number = cell.lstrip("-").replace(".", "", 1).isdigit()
                assert number or cell[:1] not in ("=", "+", "-", "@", "\t"), cell


def test_pairings_tell_rounds_tables_and_who_sat_out(evening: Evening) -> None:
    told = Client().get(f"/events/{evening.id}/pairings.json").json()
    assert [each["number"] for each in told["rounds"]] == [1, 2]
    first = told["rounds"][0]
    seated = [who["number"] for table in first["tables"] for side in table["sides"] for who in side]
    everybody = list(Entrant.objects.order_by("number").values_list("number", flat=True))
    assert sorted(seated + [who["number"] for who in first["rests"]]) == everybody
    assert "code" not in str(told)
    lines = rows(Client(), f"/events/{evening.id}/pairings.csv")[1:]
    assert len(lines) == sum(len(each["tables"]) + len(each["byes"]) + len(each["rests"]) for each in told["rounds"])


def test_only_the_embedded_page_may_stand_in_a_frame(evening: Evening) -> None:
    embedded = Client().get(f"/events/{evening.id}/embed/")
    assert "X-Frame-Options" not in embedded
    assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    for path in ("", "standings/", "wall/", "entrants/"):
        other = Client().get(f"/events/{evening.id}/{path}")
        assert other["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]


# --- calendars -----------------------------------------------------------------------------------------


def appointments(path: str) -> dict[str, Any]:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    calendar.walk("VTIMEZONE")
    return {str(each["summary"]): each for each in calendar.walk("VEVENT")} | {"": calendar}


@pytest.mark.parametrize(
    ("zone", "month", "day"),
    [("America/New_York", 3, 14), ("America/New_York", 11, 7), ("Europe/Berlin", 3, 28), ("Asia/Kolkata", 6, 1)],
)
def test_hours_are_right_over_daylight_saving(club: Club, zone: str, month: int, day: int) -> None:
    """An evening that begins before the clocks change and ends after it."""
    begins = datetime(2027, month, day, 1, 0, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    event = Event.objects.create(
        club=club, title="Night", format="swiss", state="open", starts_at=begins, zone=zone,
        rounds_planned=4, round_minutes=60,
    )  # fmt: skip
    found = appointments(f"/clubs/{club.slug}/calendar.ics")
    night = found["Night"]
    assert night["dtstart"].dt.astimezone(UTC) == begins
    assert night["dtend"].dt.astimezone(UTC) == begins + timedelta(hours=4)
    assert night["dtstart"].params["TZID"] == zone
    assert [str(each["tzid"]) for each in found[""].walk("VTIMEZONE")] == [zone]
    assert f"/events/{event.pk}/" in str(night["url"])


def test_a_club_calendar_has_what_is_announced(club: Club) -> None:
    soon = timezone.now() + timedelta(days=3)
    for title, state in (("Draft", "draft"), ("Open", "open"), ("Off", "cancelled"), ("Done", "finished")):
        Event.objects.create(club=club, title=title, format="swiss", state=state, starts_at=soon)
    Event.objects.create(club=club, title="Any time", format="swiss", state="open")
    found = appointments(f"/clubs/{club.slug}/calendar.ics")
    assert set(found) == {"", "Open", "Off", "Done"}
    assert str(found["Off"]["status"]) == "CANCELLED"
    assert not found[""].errors


def test_the_own_calendar(club: Club, cast: Any, event: Event) -> None:
    Event.objects.update(starts_at=timezone.now() + timedelta(days=1))
    Club.objects.update(public=False)
    assert "Thursday" in appointments(own_calendar(cast.member))
    assert "Thursday" not in appointments(own_calendar(cast.stranger))
    for key in ("", "x", "x" * 5000, own_calendar(cast.member).partition("key=")[2] + "x"):
        assert Client().get("/events/mine.ics", {"key": key}).status_code == 404
    old = own_calendar(cast.member)
    player = Player.objects.get(pk=cast.member.pk)
    player.set_password("another one 4")
    player.save()
    assert Client().get(old).status_code == 404
    client = Client()
    client.force_login(player)
    page = client.get(f"/events/{event.pk}/about/").content.decode()
    assert own_calendar(player).replace("&", "&amp;") in page


def test_a_calendar_says_nothing_private(club: Club, cast: Any, event: Event) -> None:
    Player.objects.update(email="somebody@example.org")
    Event.objects.update(starts_at=timezone.now() + timedelta(days=1))
    text = Client().get(own_calendar(cast.member)).content.decode()
    assert "example.org" not in text
