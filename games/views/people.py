"""A person's people: friends and who of them is here, requests, whom he blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.converters import whole_number
from games.models import Player
from games.selectors import people as selectors
from games.selectors.players import find_player
from games.services import people as services
from games.services.errors import UserError
from games.views.guests import name_first
from games.views.pages import too_many

ACTS: Final[dict[str, tuple[Callable[..., object], str]]] = {
    "ask": (services.ask, gettext_noop("%(name)s has been asked. You are friends once the answer comes.")),
    "part": (services.part, gettext_noop("%(name)s is not among your friends.")),
    "block": (services.block, gettext_noop("You are not seated with %(name)s any more, and read nothing from there.")),
    "unblock": (services.unblock, gettext_noop("%(name)s is not blocked any more.")),
    "mute": (services.mute, gettext_noop("You read nothing from %(name)s any more.")),
    "unmute": (services.unmute, gettext_noop("You read %(name)s again.")),
}
"""What the buttons do, and what is said of it."""


@never_cache
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return name_first(reverse("people"))
    found = selectors.read_people(request.user.pk, timezone.now())
    return render(request, "people/people.html", {"people": found})


@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """A button beside somebody's name: ``act`` and ``player``, his id or (typed) ``name``. Goes back to
    ``next``."""
    if not request.user.is_authenticated:
        return name_first(_back(request))
    if not ratelimit.consume(request, action="people", user=request.user):
        return too_many(request)
    chosen = ACTS.get(request.POST.get("act", ""))
    other = _other(request)
    if chosen is None or other is None:
        messages.error(request, _("There is nobody of that name.") if chosen else _("Use the buttons of the page."))
        return HttpResponseRedirect(_back(request))
    serve, said = chosen
    try:
        friends = serve(player_id=request.user.pk, other_id=other.pk) is True
    except UserError as error:
        messages.error(request, str(error))
    else:
        said = gettext_noop("You and %(name)s are friends.") if friends else said
        messages.success(request, _(said) % {"name": other.name})
    return HttpResponseRedirect(_back(request))


def _other(request: HttpRequest) -> Player | None:
    if name := request.POST.get("name", "").strip():
        return find_player(name[:100])
    return Player.objects.filter(pk=whole_number(request.POST.get("player"), 18, None)).first()


def _back(request: HttpRequest) -> str:
    then = request.POST.get("next", "")
    local = url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure())
    return then if local else reverse("people")
