"""An event as everybody sees it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tournaments.models import Event
from tournaments.selectors.rights import Actor
from tournaments.views.event_frame import at_event, event_page


@at_event("see", "GET", "HEAD")
def event(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return event_page(request, event, actor, "events/event.html", {})
