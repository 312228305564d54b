"""What all pages of a club share: who looks at it, what is refused, the frame around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, Literal
from urllib.parse import urlencode

from allauth.core import ratelimit
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.converters import whole_number
from games.services.errors import UserError
from games.views.pages import too_many
from tournaments.models import Club
from tournaments.selectors import clubs as selectors
from tournaments.selectors.clubs import Viewer

Needs = Literal["see", "account", "directs", "owns"]
"""Who may come to a page: who may see the club, with an account, a director, an owner."""

POSTS: Final = "club_posts"
JOINING: Final = "club_joining"
FOUNDING: Final = "club_founding"

View = Callable[..., HttpResponse]


def at_club(needs: Needs, *methods: str, rate: str = POSTS) -> Callable[[View], View]:
    """Decorates a view of ``(request, club, viewer, ...)``: finds the club of the address and what the
    visitor is to it. A club that he may not see is not found; who needs an account is sent to
    log in; who lacks a right is refused. POSTs are counted."""

    def decorate(view: View) -> View:
        @never_cache
        @require_http_methods(methods or ("GET", "HEAD", "POST"))
        @wraps(view)
        def found(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            club = selectors.find_club(slug)
            if club is None:
                raise Http404("no such club")
            viewer = selectors.read_viewer(club.pk, request.user)
            if not (club.public or viewer.enters):
                raise Http404("no such club")
            if needs != "see" and viewer.player_id is None:
                return log_in_first(request.get_full_path() if request.method != "POST" else club.get_absolute_url())
            if (needs == "directs" and not viewer.directs) or (needs == "owns" and not viewer.owns):
                raise PermissionDenied
            if request.method == "POST" and not ratelimit.consume(request, action=rate, user=request.user):
                return too_many(request)
            return view(request, club, viewer, *args, **kwargs)

        return found

    return decorate


def club_page(
    request: HttpRequest, club: Club, viewer: Viewer, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """A page within the club's frame. Two queries."""
    frame = {
        "club": club,
        "viewer": viewer,
        "member_count": selectors.count_members(club),
        "waiting": selectors.count_requests(club) if viewer.directs else 0,
    }
    return render(request, template, frame | context, status=status)


def done(
    request: HttpRequest, act: Callable[[], Any], back: str, *, said: str = "", failed: str | None = None
) -> HttpResponse:
    """Do what a button asks for and go ``back``, or to ``failed``, with the refusal."""
    try:
        act()
    except UserError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(failed or back)
    if said:
        messages.success(request, said)
    return HttpResponseRedirect(back)


def log_in_first(then: str) -> HttpResponse:
    return redirect(f"{reverse('account_login')}?{urlencode({'next': then})}")


def number_in(request: HttpRequest, name: str, told: str = "", digits: int = 9) -> int:
    """A whole number that was filled in; UserError for anything else."""
    found = whole_number(request.POST.get(name, "").strip(), digits, None)
    if found is None:
        raise UserError(told or _("Type a whole number."))
    return found
