"""The live table's page: what a browser gets before its socket, or instead of one."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games import cookies, preferences
from games.converters import whole_number
from games.live import felt
from games.models import Table
from games.selectors.tables import TableSnapshot, load_table
from games.services import play, presence
from games.services.errors import UserError
from games.templatetags.house_rules import chips
from games.templatetags.lobby import a_move, terms
from games.views.entrance import enter, guarded, way_in
from games.views.talk_panel import panel

FELTS = (
    ("spruce", pgettext_lazy("colour of the felt", "Spruce")),
    ("indigo", pgettext_lazy("colour of the felt", "Indigo")),
    ("damson", pgettext_lazy("colour of the felt", "Damson")),
    ("barn", pgettext_lazy("colour of the felt", "Barn red")),
)
THEMES = (
    ("auto", pgettext_lazy("theme", "Auto")),
    ("light", pgettext_lazy("theme", "Light")),
    ("dark", pgettext_lazy("theme", "Dark")),
)

SEAT_WISH, SEAT_WISH_AGE = "seat", 3600
"""The cookie of a visitor who pressed a button to sit down: he is seated once he has joined. Its age in seconds."""

SITS = re.compile(r"sit(:[0-3])?")
"""Actions that take a seat."""

WAITING, DECIDING = 4, 20
"""Seconds after which a browser without scripts asks again: while others act, and on one's turn."""


class SeeOther(HttpResponseRedirect):
    """After a form: fetch the page anew, whatever the browser's history says."""

    status_code = 303


@never_cache
@require_GET
@guarded
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """The table as it stands now, for a seat or a watcher, if he may look. A script (htmx's
    header) gets the frame alone."""
    return show(request, table_id)


def show(request: HttpRequest, table_id: int, code: str = "") -> HttpResponse:
    """The page of a table, or its frame for a script; ``code`` of the link to a private one."""
    wished = request.COOKIES.get(SEAT_WISH, "") if request.user.is_authenticated else ""
    if wished:
        _sit_as_wished(request, table_id, wished)
    presence.arrive(table_id=table_id, player_id=request.user.pk)
    snapshot = _snapshot(request, table_id, code)
    if request.headers.get("HX-Request"):
        return _frame(snapshot, request.user.pk)
    response = render(request, "table/page.html", _context(request, snapshot), using="jinja2")
    if wished:
        response.delete_cookie(SEAT_WISH, samesite="Lax")
    return response


def _sit_as_wished(request: HttpRequest, table_id: int, wished: str) -> None:
    """Seat him who pressed the button before he had joined, if it was at this table."""
    wished_table, _sep, action = wished.partition(":")
    if wished_table != str(table_id) or not SITS.fullmatch(action):
        return
    try:
        play.submit_action(table_id=table_id, player_id=request.user.pk, action=action)
    except UserError as error:
        messages.error(request, str(error))


def _join_first(request: HttpRequest, address: str, snapshot: TableSnapshot, action: str) -> HttpResponse:
    """A name is enough for a friendly game."""
    page = "account_signup" if snapshot.ranked else "guest"
    response = redirect(f"{reverse(page)}?{urlencode({'next': address})}")
    cookies.keep(request, response, SEAT_WISH, f"{snapshot.id}:{action}", SEAT_WISH_AGE)
    return response


@require_POST
@guarded
def act(request: HttpRequest, table_id: int, code: str = "") -> HttpResponse:
    """A form of the table without its socket: the same fields, then back to the table.

    A refusal changes nothing and is shown once. A script gets the new frame instead of a
    redirection.
    """
    action, code = request.POST.get("action", ""), code or request.POST.get("code", "")
    snapshot = _snapshot(request, table_id, code)
    through_door = snapshot.private and snapshot.place_of(request.user.pk) is None
    address = reverse("door", args=[snapshot.code]) if through_door else reverse("table", args=[table_id])
    if not request.user.is_authenticated:
        sits = SITS.fullmatch(action)
        return _join_first(request, address, snapshot, action) if sits else redirect_to_login(address)
    refusal = ""
    try:
        play.submit_action(
            table_id=table_id,
            player_id=request.user.pk,
            action=action,
            version=whole_number(request.POST.get("version"), play.VERSION_DIGITS, None),
            alone="alone" in request.POST,
            nonce=request.POST.get("nonce", ""),
            code=code,
        )
    except UserError as error:
        refusal = str(error)
    if request.headers.get("HX-Request"):
        return _frame(_snapshot(request, table_id, code), request.user.pk, refusal)
    if refusal:
        messages.error(request, refusal)
    return SeeOther(reverse("lobby") if action == "leave" and not refusal else address)


def _frame(snapshot: TableSnapshot, player_id: int | None, refusal: str = "") -> HttpResponse:
    frame = felt.render(snapshot, snapshot.place_of(player_id))
    response = HttpResponse(frame + felt.notice(refusal) if refusal else frame)
    response.headers["Cache-Control"] = "no-store"
    return response


def _snapshot(request: HttpRequest, table_id: int, code: str) -> TableSnapshot:
    """The table as it is now, for who may look at it."""
    snapshot = load_table(table_id)
    if snapshot is None:
        raise Http404("no such table")
    enter(request, snapshot, code)
    return snapshot


def _context(request: HttpRequest, snapshot: TableSnapshot) -> dict[str, Any]:
    """What the page is told. The snapshot holds hidden cards: only its rendered parts go on."""
    place = snapshot.place_of(request.user.pk)
    csrf_input = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))
    looks = preferences.of(request)
    waits = snapshot.phase != Table.Phase.CLOSED
    return {
        "table_id": snapshot.id,
        "code": snapshot.code,
        "place": place,
        "player": request.user.is_authenticated,
        "way_in": way_in(snapshot),
        "name": snapshot.title or _("Table %(number)d") % {"number": snapshot.id},
        "chips": _chips(snapshot),
        "commitment": snapshot.commitment,
        "hints": snapshot.hints,
        "frame": felt.render_page(snapshot, place, csrf_input, f"{request.scheme}://{request.get_host()}"),
        "talk": panel(request, snapshot, snapshot.code),
        "refresh": (DECIDING if place is not None and snapshot.turn == place else WAITING) if waits else 0,
        "looks": format_html_join("", ' data-{}="{}"', looks.attributes().items()),
        "prefs": looks,
        "felts": FELTS,
        "themes": THEMES,
        "messages": messages.get_messages(request),
        "site_name": settings.SITE_NAME,
        "language": translation.get_language() or settings.LANGUAGE_CODE,
        "direction": "rtl" if translation.get_language_bidi() else "ltr",
    }


def _chips(snapshot: TableSnapshot) -> list[str]:
    """What is played here, in a few words."""
    return [
        pgettext("kind of game", "Ranked") if snapshot.ranked else pgettext("kind of game", "Friendly"),
        a_move(snapshot.pace),
        *terms(snapshot),
        *chips(snapshot.rules),
    ]
