"""What all pages of the director's desk share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.models import Event
from tournaments.selectors.rights import Actor
from tournaments.views.event_frame import at, event_page
from tournaments.views.frame import done

FRESH = "fresh"
"""In the query of a page that a script reads anew because the event has changed."""

HEADER = "X-Desk"
"""Set by the desk's script when it sends a form and will show the answer within the page."""


def desk_page(
    request: HttpRequest, event: Event, actor: Actor, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """A page of the desk, within the event's frame."""
    more = {"fresh": FRESH in request.GET, "here": request.path} | context
    return event_page(request, event, actor, template, more, status=status)


def back(request: HttpRequest, event: Event, anchor: str = "") -> str:
    """Where a form came from, if it says so, else the desk."""
    desk = at("event_desk", event)
    to = request.POST.get("next", "")
    if not to.startswith(desk) or not to.isascii() or any(sign in to for sign in ("\\", "//", "\n", "\r", "..")):
        to = desk
    return to + anchor


def act(
    request: HttpRequest, event: Event, verb: Callable[[], Any], said: str = "", *, anchor: str = ""
) -> HttpResponse:
    """Do what a button asks for and go back to where it was, with a word about it."""
    return done(request, verb, back(request, event, anchor), said=said)


def chosen(request: HttpRequest, verbs: dict[str, Callable[[], Any]], name: str = "do") -> Callable[[], Any]:
    """The verb that the pressed button names; a refusal for one that there is not."""

    def nothing() -> None:
        raise UserError(_("Choose what to do, with one of the buttons."))

    return verbs.get(request.POST.get(name, ""), nothing)
