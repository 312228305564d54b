"""What all pages of an event share: who looks at it, what is refused, the frame around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from allauth.core import ratelimit
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.views.pages import too_many
from tournaments.models import Event
from tournaments.selectors.rights import LINKS, Actor, Needs, read_actor
from tournaments.views.frame import POSTS, log_in_first

TABLES: Final = "event_tables"
"""In the session: ids of the tables in the hall whose code was typed here."""

NAME: Final = "event_name"
"""In the session: what somebody without an account calls himself."""

KEPT: Final = 40
"""Links and tables that a session remembers, the newest."""

View = Callable[..., HttpResponse]


def at_event(needs: Needs, *methods: str, rate: str = POSTS) -> Callable[[View], View]:
    """Decorates a view of ``(request, event, actor, ...)``: finds the event of the address and what the
    visitor is to it. An event that he may not see is not found; who lacks a right is sent to log in
    if he has not, else refused. POSTs are counted. Three queries at most."""

    def decorate(view: View) -> View:
        @never_cache
        @require_http_methods(methods or ("GET", "HEAD", "POST"))
        @wraps(view)
        def found(request: HttpRequest, event_id: int, *args: Any, **kwargs: Any) -> HttpResponse:
            event = Event.objects.select_related("club").filter(pk=event_id).first()
            if event is None:
                raise Http404("no such event")
            actor = actor_of(request, event)
            if not actor.sees:
                raise Http404("no such event")
            if not actor.may(needs):
                if actor.player_id is None:
                    return log_in_first(
                        request.get_full_path() if request.method != "POST" else event.get_absolute_url()
                    )
                raise PermissionDenied
            if request.method == "POST" and not ratelimit.consume(request, action=rate, user=request.user):
                return too_many(request)
            return view(request, event, actor, *args, **kwargs)

        return found

    return decorate


def actor_of(request: HttpRequest, event: Event) -> Actor:
    """What the visitor is to the event, by account and by the links this browser has opened."""
    return read_actor(event, request.user, request.session.get(LINKS, ()), request.session.get(NAME, ""))


def remember(request: HttpRequest, key: str, number: int) -> None:
    """Keep the id of a link or a table in the session, the newest last."""
    kept = [other for other in request.session.get(key, ()) if other != number]
    request.session[key] = [*kept, number][-KEPT:]


def event_page(
    request: HttpRequest, event: Event, actor: Actor, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """A page within the event's frame."""
    return render(request, template, {"event": event, "club": event.club, "actor": actor} | context, status=status)


def at(name: str, event: Event, *args: object) -> str:
    """The address of one of an event's pages."""
    return reverse(name, args=[event.pk, *args])
