"""A club's events, the page that makes one, and the settings of one that is there."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.forms.events import EventForm
from tournaments.models import Club, Event
from tournaments.selectors import months
from tournaments.selectors.clubs import Viewer, read_rules
from tournaments.selectors.event_lists import read_events
from tournaments.selectors.rights import Actor
from tournaments.services import event_fields, events
from tournaments.views.clubs import page_of
from tournaments.views.desk_frame import desk_page
from tournaments.views.event_frame import at, at_event
from tournaments.views.frame import at_club, club_page

LOOK = "look"
"""The button, or the request of htmx, that only wants to see what would be."""


@at_club("see", "GET", "HEAD")
def listed(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """Events to come and those that were; directors see drafts too."""
    found = read_events(club, drafts=viewer.directs, page=page_of(request))
    return club_page(request, club, viewer, "events/of_club.html", {"events": found, "page": found})


@at_club("see", "GET", "HEAD")
def month(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """The days of a month, ``?month=2027-01``; of the present one if none is asked for."""
    today = timezone.localdate()
    first = months.read_month(request.GET.get("month", "")) or today.replace(day=1)
    context = {"month": months.month_of(club, first, drafts=viewer.directs), "today": today}
    return club_page(request, club, viewer, "events/month.html", context)


@at_club("directs")
def new(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """One page: what it is called, when and how it is played; the rest is folded."""
    sets = read_rules(club)
    given = request.POST if request.method == "POST" else request.GET
    if LOOK in given:
        return _new_page(request, club, viewer, EventForm.looking(given, sets=sets))
    if request.method != "POST":
        last = Event.objects.filter(club=club).order_by("-pk").only("zone").first()
        initial = {"zone": last.zone if last is not None else timezone.get_default_timezone_name()}
        return _new_page(request, club, viewer, EventForm(sets=sets, initial=initial))
    form = EventForm(request.POST, sets=sets)
    if form.is_valid():
        try:
            made = events.create_event(club_id=club.pk, by=request.user.pk, **form.values())
        except UserError as error:
            form.refuse(error)
        else:
            event = Event.objects.get(pk=made)
            messages.success(request, _("The event is made. Only directors see it until you announce it."))
            _tell_of_time(request, event)
            return HttpResponseRedirect(at("event_desk", event))
    return _new_page(request, club, viewer, form, status=422)


def _new_page(request: HttpRequest, club: Club, viewer: Viewer, form: EventForm, status: int = 200) -> HttpResponse:
    return club_page(request, club, viewer, "events/new.html", {"form": form}, status=status)


@at_event("direct")
def settings(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Everything can be changed later; what that would undo is said first."""
    sets = read_rules(event.club)
    given = request.POST if request.method == "POST" else request.GET
    if LOOK in given:
        return _settings_page(request, event, actor, EventForm.looking(given, sets=sets, event=event))
    if request.method != "POST":
        return _settings_page(request, event, actor, EventForm(sets=sets, event=event))
    form = EventForm(request.POST, sets=sets, event=event)
    consequences: list[str] = []
    if form.is_valid():
        try:
            agreed = "agreed" in request.POST
            events.edit_event(event_id=event.pk, by=actor, agreed=agreed, **form.values())
        except events.NotAgreed as error:
            consequences = error.consequences
        except UserError as error:
            form.refuse(error)
        else:
            event.refresh_from_db()
            messages.success(request, _("The settings are saved."))
            _tell_of_time(request, event)
            return HttpResponseRedirect(at("event_desk", event))
    return _settings_page(request, event, actor, form, consequences=consequences, status=422)


def _settings_page(
    request: HttpRequest, event: Event, actor: Actor, form: EventForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    return desk_page(request, event, actor, "events/desk/settings.html", {"form": form, **more}, status=status)


def _tell_of_time(request: HttpRequest, event: Event) -> None:
    if told := event_fields.advice_on_time(event.starts_at, event.zone):
        messages.warning(request, told)
