"""An event's tables for other programs, for other sites, and for calendars."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from csp.decorators import csp_replace
from django.conf import settings
from django.core import signing
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from icalendar import Calendar
from icalendar import Event as Appointment

from games.models import Player
from games.views.sheets import download, text_of
from tournaments.live import pages
from tournaments.models import Club, Event
from tournaments.selectors import event_pages
from tournaments.selectors.clubs import Viewer
from tournaments.selectors.rights import Actor
from tournaments.templatetags.seasons import plain
from tournaments.views.event_frame import at_event
from tournaments.views.frame import at_club

SALT: Final = "tournaments.calendar"


@at_event("see", "GET", "HEAD")
def standings_csv(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return download(f"standings-{event.pk}", pages.sheet(event, "standings.csv", lambda: _standings_csv(event)))


def _standings_csv(event: Event) -> str:
    view = event_pages.standings(event_pages.read_board(event))
    head = [_("Place"), _("Number"), _("Name"), *(label for _key, label in view.columns)]
    rows = (
        ["" if row.line.place is None else row.line.place, row.who.number, row.who.name]
        + [plain(column.value) for column in row.line.columns]
        for row in view.rows
    )
    return text_of(head, rows)


@at_event("see", "GET", "HEAD")
def standings_json(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return _json(event, "standings.json", _standings)


def _standings(event: Event) -> dict[str, Any]:
    view = event_pages.standings(event_pages.read_board(event))
    return {
        "event": event.title,
        "state": event.state,
        "after_round": view.after,
        "columns": [{"key": key, "label": label} for key, label in view.columns],
        "rows": [
            {
                "place": row.line.place,
                "number": row.who.number,
                "name": row.who.name,
                "bot": row.who.bot,
                "group": row.line.group,
                "score": row.line.score,
                "values": {column.key: column.value for column in row.line.columns},
            }
            for row in view.rows
        ],
    }


@at_event("see", "GET", "HEAD")
def pairings_csv(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return download(f"pairings-{event.pk}", pages.sheet(event, "pairings.csv", lambda: _pairings_csv(event)))


def _pairings_csv(event: Event) -> str:
    head = [_("Round"), _("Table"), _("Match"), _("One side"), _("Other side"), _("Points"), _("Points"), _("State")]
    return text_of(head, _tables(event_pages.read_rounds(event_pages.read_board(event))))


def _tables(rounds: Iterable[event_pages.RoundView]) -> Iterable[Sequence[object]]:
    for each in rounds:
        for table in each.tables:
            sides = [" & ".join(who.name for who in side) for side in table.sides]
            points = table.points or ("", "")
            yield [each.number, table.number, table.match, *sides, *points, table.word]
        for word, idle in ((_("Bye"), each.byes), (_("Rest"), each.rests)):
            for who in idle:
                yield [each.number, "", "", who.name, "", "", "", word]


@at_event("see", "GET", "HEAD")
def pairings_json(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return _json(event, "pairings.json", _pairings)


def _json(event: Event, what: str, make: Callable[[Event], dict[str, Any]]) -> HttpResponse:
    text = pages.sheet(event, what, lambda: json.dumps(make(event), cls=DjangoJSONEncoder))
    return HttpResponse(text, content_type="application/json")


def _pairings(event: Event) -> dict[str, Any]:
    def people(side: Iterable[event_pages.Shown]) -> list[dict[str, Any]]:
        return [{"number": who.number, "name": who.name, "bot": who.bot} for who in side]

    rounds = event_pages.read_rounds(event_pages.read_board(event))
    return {
        "event": event.title,
        "rounds": [
            {
                "number": each.number,
                "state": each.state,
                "tables": [
                    {
                        "number": table.number,
                        "kind": table.kind,
                        "match": table.match,
                        "sides": [people(side) for side in table.sides],
                        "state": table.state,
                        "points": table.points,
                        "winner": table.winner,
                        "game": table.game_id,
                    }
                    for table in each.tables
                ],
                "byes": people(each.byes),
                "rests": people(each.rests),
            }
            for each in rounds
        ],
    }


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@at_event("see", "GET", "HEAD")
def embed(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The standings alone, to be put into a page of another site."""
    return render(request, "events/embed.html", {"event": event, "parts": pages.parts(event, "embed")})


# --- calendars ------------------------------------------------------------------------------------------


@at_club("see", "GET", "HEAD")
def club_calendar(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    return _calendar(request, club.name, event_pages.read_calendar(club=club), club.slug)


@never_cache
@require_safe
def my_calendar(request: HttpRequest) -> HttpResponse:
    """The events of one person and his clubs, for calendars: whoever has the address may read it. A
    new password makes a new address."""
    try:
        player_id, mark = _signer().unsign_object(request.GET.get("key", "")[:300])
        player = Player.objects.filter(pk=player_id, is_active=True).first()
    except (signing.BadSignature, ValueError, TypeError):
        player, mark = None, ""
    if player is None or not hmac.compare_digest(str(mark), _mark_of(player)):
        raise Http404("no such calendar")
    found = event_pages.read_calendar(player_id=player.pk)
    return _calendar(request, _("Events of %(name)s") % {"name": player.name}, found, "events")


def own_calendar(player: Player) -> str:
    """The address of a person's own calendar."""
    key = _signer().sign_object([player.pk, _mark_of(player)])
    return f"{reverse('my_calendar')}?{urlencode({'key': key})}"


def _signer() -> signing.Signer:
    """Without a time: the address stays as it is."""
    return signing.Signer(salt=SALT)


def _mark_of(player: Player) -> str:
    return hashlib.sha256(player.get_session_auth_hash().encode()).hexdigest()[:16]


def _calendar(request: HttpRequest, name: str, events: Sequence[Event], file: str) -> HttpResponse:
    made = Calendar()
    made.add("prodid", f"-//{settings.SITE_NAME}//Euchre//")
    made.add("version", "2.0")
    made.add("x-wr-calname", name)
    host = request.get_host()
    for event in events:
        made.add_component(_appointment(request, event, host))
    made.add_missing_timezones()
    response = HttpResponse(made.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{file}.ics"'
    return response


def _appointment(request: HttpRequest, event: Event, host: str) -> Appointment:
    made = Appointment()
    plan = event_pages.plan_of(event)
    begins = _local(event.starts_at, event)
    made.add("uid", f"event-{event.pk}@{host.partition(':')[0]}")
    made.add("dtstamp", timezone.now())
    made.add("sequence", event.version)
    made.add("summary", event.title)
    made.add("dtstart", begins)
    if event.finished_at is not None and event.finished_at > begins:
        made.add("dtend", _local(event.finished_at, event))
    elif plan is not None:
        made.add(
            "dtend", _local(event.starts_at, event, event_pages.expected_length(event, plan, event.capacity or 16))
        )
    made.add("location", event.club.name)
    made.add("url", request.build_absolute_uri(event.get_absolute_url()))
    made.add("description", "\n\n".join(part for part in (event_pages.about_line(event, plan), event.about) if part))
    made.add("status", "CANCELLED" if event.state == Event.State.CANCELLED else "CONFIRMED")
    return made


def _local(at: datetime | None, event: Event, later: Any = None) -> datetime:
    """A moment in the event's zone; ``later`` so much later in real time."""
    assert at is not None
    moment = at if later is None else at + later
    return moment.astimezone(ZoneInfo(event.zone))
