"""The director's desk: the round that is on, the one next step, the clock, the log, the links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.services.errors import UserError
from tournaments.formats.event import EventError
from tournaments.models import Event, EventLink, Round
from tournaments.selectors import desk as selectors
from tournaments.selectors import event_pages, snapshots
from tournaments.selectors.event_lists import wall_time
from tournaments.selectors.rights import LINKS, Actor, find_link
from tournaments.services import entrants, events, rounds
from tournaments.services.desk import undo as undo_step
from tournaments.services.event_fields import plan_of
from tournaments.views.clubs import page_of
from tournaments.views.desk_frame import act, back, chosen, desk_page
from tournaments.views.event_frame import at, at_event, remember
from tournaments.views.frame import number_in


@at_event("deputy", "GET", "HEAD")
def desk(request: HttpRequest, event: Event, actor: Actor, number: int | None = None) -> HttpResponse:
    """The desk with the round that is on, or another one."""
    plan = plan_of(event)
    view = selectors.read_desk(event, plan, timezone.now(), number)
    if view is None:
        raise Http404("no such round")
    starts = wall_time(event.starts_at, event.zone)
    context = {"desk": view, "starts": starts, "mine": event_pages.read_mine(event, actor, plan)}
    return desk_page(request, event, actor, "events/desk/desk.html", context)


@at_event("direct", "POST")
def go(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The course of the event: announced, checked in, started, ended, called off, taken up again."""
    reason = request.POST.get("reason", "")
    who: dict[str, Any] = {"event_id": event.pk, "by": actor}
    verbs: dict[str, Callable[[], Any]] = {
        "announce": lambda: events.announce(**who),
        "check_in": lambda: events.open_check_in(**who),
        "start": lambda: _start(event, actor),
        "finish": lambda: events.finish(**who),
        "cancel": lambda: events.cancel(**who, reason=reason),
        "reopen": lambda: events.reopen(**who, reason=reason),
        "next_round": lambda: rounds.next_round(**who, after=number_in(request, "after")),
        "go_on": lambda: _go_on(event, actor, number_in(request, "after")),
        "draw": lambda: rounds.draw(**who, number=number_in(request, "after") + 1),
    }
    said = {
        "announce": _("The event is announced: people can sign up."),
        "check_in": _("Check-in is open."),
        "start": _("The event has started."),
        "finish": _("The event is finished."),
        "cancel": _("The event is called off."),
        "reopen": _("The event is taken up again."),
    }
    return act(request, event, chosen(request, verbs), said.get(request.POST.get("do", ""), ""))


@at_event("direct", "POST")
def go_in_round(request: HttpRequest, event: Event, actor: Actor, number: int) -> HttpResponse:
    """The course of one round and its clock."""
    this: dict[str, Any] = {"event_id": event.pk, "by": actor, "number": number}
    verbs: dict[str, Callable[[], Any]] = {
        "publish": lambda: rounds.publish(**this),
        "begin": lambda: rounds.begin(**this),
        "close": lambda: rounds.close_round(**this),
        "close_unplayed": lambda: rounds.close_round(**this, unplayed=True),
        "redraw": lambda: rounds.redraw(**this, reason=request.POST.get("reason", "").strip()[:300]),
        "pause": lambda: rounds.pause_clock(**this),
        "resume": lambda: rounds.resume_clock(**this),
        "minutes": lambda: rounds.add_minutes(**this, minutes=number_in(request, "minutes", digits=3)),
        "swap": lambda: rounds.swap(
            **this,
            one=number_in(request, "one", _("Choose who changes places.")),
            other=number_in(request, "other", _("Choose who changes places.")),
            reason=request.POST.get("reason", "").strip()[:300],
        ),
    }
    said = {
        "redraw": _("The round is drawn again. Locked tables stayed as they were."),
        "swap": _("They have changed places. Their tables are locked."),
        "close": _("The round is closed."),
        "close_unplayed": _("The round is closed. Tables without a score do not count."),
    }
    return act(request, event, chosen(request, verbs), said.get(request.POST.get("do", ""), ""))


@at_event("direct", "POST")
def say(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A word on the page of every table; an empty one takes it back."""
    text = request.POST.get("text", "")
    said = _("All tables are told.") if text.strip() else _("The announcement is taken back.")
    return act(request, event, lambda: events.announce_to_tables(event_id=event.pk, by=actor, text=text), said)


@at_event("direct", "POST")
def undo(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Put back what one step has changed."""

    def back_one() -> None:
        undo_step(event_id=event.pk, by=actor, step_number=number_in(request, "step"))

    return act(request, event, back_one, _("It is undone."))


@at_event("direct", "GET", "HEAD")
def log(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Who did what, when and why, with old and new."""
    with timezone.override(event.zone):
        page = selectors.read_log(event, page_of(request))
        return desk_page(request, event, actor, "events/desk/log.html", {"page": page})


@at_event("direct")
def links(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Links for players, deputies and directors. A new one is shown once, with a code to scan."""
    shown = None
    if request.method == "POST":
        part = request.POST.get("part", "")
        try:
            token = events.make_link(event_id=event.pk, by=actor, part=part)
        except UserError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(at("desk_links", event))
        address = request.build_absolute_uri(at("event_link", event, token))
        shown = {"part": EventLink.Part(part), "address": address, "qr": qr_of(address)}
    context = {"links": selectors.read_links(event), "parts": EventLink.Part.choices, "shown": shown}
    with timezone.override(event.zone):
        return desk_page(request, event, actor, "events/desk/links.html", context)


@at_event("direct", "POST")
def revoke(request: HttpRequest, event: Event, actor: Actor, link_id: int) -> HttpResponse:
    return act(
        request,
        event,
        lambda: events.revoke_link(event_id=event.pk, by=actor, link_id=link_id),
        _("The link gives nobody a part any more."),
    )


def qr_of(address: str) -> str:
    """A code that a phone reads, as the address of a picture."""
    return str(segno.make(address, error="m").svg_data_uri(border=2, scale=4))


@at_event("deputy", "POST")
def for_all(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Everybody is here; bots fill up."""
    told: list[str] = []

    def check_in() -> None:
        here = entrants.check_in_all(event_id=event.pk, by=actor)
        told.append(ngettext("%(n)d is checked in.", "%(n)d are checked in.", here) % {"n": here})

    def fill() -> None:
        wanted = number_in(request, "entrants", digits=4) if request.POST.get("entrants", "").strip() else None
        added = entrants.fill_with_bots(event_id=event.pk, by=actor, entrants=wanted)
        told.append(
            _bots_came(plan_of(event).members, added) if added else _("There are enough already: no bot is needed.")
        )

    verb = chosen(request, {"check_in_all": check_in, "fill": fill})
    try:
        verb()
    except UserError as error:
        messages.error(request, str(error))
    for word in told:
        messages.success(request, word)
    return HttpResponseRedirect(back(request, event))


def _bots_came(members: int, added: int) -> str:
    if members == 1:
        told = ngettext("%(n)d bot plays with you.", "%(n)d bots play with you.", added)
    elif members == 2:
        told = ngettext("%(n)d pair of bots plays with you.", "%(n)d pairs of bots play with you.", added)
    else:
        told = ngettext("%(n)d team of bots plays with you.", "%(n)d teams of bots play with you.", added)
    return told % {"n": added}


@never_cache
@require_safe
def open_link(request: HttpRequest, event_id: int, token: str) -> HttpResponse:
    """Who opens a link of an event has its part from now on, in this browser."""
    link = find_link(event_id, token)
    if link is None:
        raise Http404("no such link")
    remember(request, LINKS, link.pk)
    event = Event.objects.get(pk=event_id)
    return HttpResponseRedirect(
        event.get_absolute_url() if link.part == EventLink.Part.PLAYER else at("event_desk", event)
    )


# --- several steps behind one button ----------------------------------------------------------------------------


def _start(event: Event, actor: Actor) -> None:
    """Start, and draw the first round at once; it begins at once if nobody wants to see it first."""
    events.start(event_id=event.pk, by=actor)
    if event.pairing == Event.Pairing.DRAFT:
        rounds.draw(event_id=event.pk, by=actor, number=1)
    else:
        rounds.next_round(event_id=event.pk, by=actor, after=0)


def _go_on(event: Event, actor: Actor, after: int) -> None:
    """Close the round that is on, and begin the next one, or finish the event."""
    last = Round.objects.filter(event=event).order_by("-number").first()
    if last is not None and last.number > after:
        return  # somebody else, or the schedule, was quicker
    rounds.close_round(event_id=event.pk, by=actor, number=after)
    try:
        over = snapshots.read_course(event.pk).over()
    except EventError as error:
        raise UserError(snapshots.tell(error)) from error
    if over:
        events.finish(event_id=event.pk, by=actor)
    elif event.pairing == Event.Pairing.DRAFT:
        rounds.draw(event_id=event.pk, by=actor, number=after + 1)
    else:
        rounds.next_round(event_id=event.pk, by=actor, after=after)
