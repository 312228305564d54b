"""The lobby: quick match, open tables, a table of one's own."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.forms import OpenTableForm, QuickMatchForm
from games.models import Player
from games.selectors.lobby import read_lobby, read_week
from games.services import seating
from games.services.errors import UserError

WISH: Final = "wish"
"""The cookie of a visitor who pressed the button of quick match: he is dealt in once he has joined."""

WISH_AGE: Final = 3600
"""Seconds."""


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The home page, for visitors and players alike.

    With ``seen`` (what the page asks every few seconds) only what may have changed since, or
    204 when nothing has.
    """
    if request.user.is_authenticated:
        seating.look_in(player=request.user, now=timezone.now())
    if "seen" in request.GET:
        return _news(request, request.GET["seen"])
    return _page(request, QuickMatchForm.remembered(request.COOKIES))


@require_http_methods(["GET", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Deal the player in. A visitor joins first and comes back here by GET, which deals in nobody
    who has not sent the form before."""
    if request.method == "GET":
        return _as_wished(request)
    form = QuickMatchForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    if request.user.is_authenticated:
        response = _deal_in(request, request.user, form)
    else:
        response = _join_first(reverse("quick"))
        _keep(request, response, WISH, "quick", WISH_AGE)
    _keep(request, response, form.COOKIE, form.cookie(), form.COOKIE_AGE)
    return response


def _as_wished(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated or WISH not in request.COOKIES:
        return redirect("lobby")
    form = QuickMatchForm.repeated(request.COOKIES)
    form.full_clean()
    response = _deal_in(request, request.user, form)
    response.delete_cookie(WISH, samesite="Lax")
    return response


def _keep(request: HttpRequest, response: HttpResponse, name: str, value: str, age: int) -> None:
    response.set_cookie(name, value, max_age=age, samesite="Lax", httponly=True, secure=request.is_secure())


def _deal_in(request: HttpRequest, player: Player, form: QuickMatchForm) -> HttpResponse:
    try:
        table_id = seating.quick_match(
            player_id=player.pk,
            ranked=form.ranked,
            pace=form.seconds,
            stick=form.cleaned_data["stick"],
            nonce=request.POST.get("nonce", ""),
        )
    except UserError as error:
        form.add_error(None, str(error))
        return _page(request, form, status=409)
    return redirect("table", table_id)


@require_http_methods(["GET", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    """A form for a table of one's own; the maker is its host and sits down at once."""
    if not request.user.is_authenticated:
        return _join_first(reverse("open_table"))
    form = OpenTableForm(request.POST if request.method == "POST" else None)
    held = None
    if form.is_bound and form.is_valid():
        try:
            table_id = seating.open_table(
                host=request.user,
                ranked=form.ranked,
                pace=form.seconds,
                rules=seating.rules_text(stick_the_dealer=form.cleaned_data["stick"] == "yes"),
                title=form.cleaned_data["title"],
            )
        except seating.SeatHeld as error:
            form.add_error(None, str(error))
            held = error.table_id
        else:
            return redirect("table", table_id)
    return render(request, "lobby/open_table.html", {"form": form, "held": held}, status=422 if form.errors else 200)


def _page(request: HttpRequest, form: QuickMatchForm, *, status: int = 200) -> HttpResponse:
    player_id = request.user.pk
    context = _live(request) | {"form": form}
    if player_id is not None:
        context["week"] = read_week(player_id, timezone.now())
    return render(request, "lobby.html", context, status=status)


def _live(request: HttpRequest) -> dict[str, Any]:
    """What changes while one looks on, and its fingerprint."""
    lobby = read_lobby(request.user.pk, timezone.now())
    return {"lobby": lobby, "fingerprint": blake2b(repr(lobby).encode(), digest_size=9).hexdigest()}


def _news(request: HttpRequest, seen: str) -> HttpResponse:
    context = _live(request)
    if context["fingerprint"] == seen:
        return HttpResponse(status=204)
    return render(request, "lobby/_news.html", context)


def _join_first(then: str) -> HttpResponseRedirect:
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': then})}")
