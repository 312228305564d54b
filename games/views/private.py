"""The link to a private table: one click, and a name from who has no account, and one sits there."""

from __future__ import annotations

from typing import Any

import segno
from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts import GuestForm
from games.models import Table
from games.selectors import tables
from games.selectors.tables import TableSnapshot
from games.services import seating
from games.services.errors import UserError
from games.views import table as at_table
from games.views.entrance import guarded
from games.views.guests import come_in
from games.views.pages import too_many


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def door(request: HttpRequest, code: str) -> HttpResponse:
    """Who has a seat is led to it; while one is free, the visitor is asked in; else he watches, if others
    may. A script (htmx's header) gets the frame alone."""
    table_id = _find(code)
    if request.method == "POST":
        return _sit(request, table_id, code)
    snapshot = tables.load_table(table_id)
    assert snapshot is not None  # tables are never deleted
    if snapshot.place_of(request.user.pk) is not None and snapshot.phase != Table.Phase.CLOSED:
        return redirect("table", table_id)
    if request.headers.get("HX-Request") or ("watch" in request.GET and _watched(snapshot, code)):
        return at_table.show(request, table_id, code)
    if not _free(snapshot) and _watched(snapshot, code):
        return at_table.show(request, table_id, code)
    return _page(request, snapshot, code, GuestForm())


@require_POST
def act(request: HttpRequest, code: str) -> HttpResponse:
    """A form of the table, from somebody who looks at it by its link."""
    return at_table.act(request, _find(code), code)


@never_cache
@require_http_methods(["GET", "HEAD"])
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """The link as a QR code, for the phones around."""
    _find(code)
    address = request.build_absolute_uri(reverse("door", args=[code]))
    response = HttpResponse(content_type="image/svg+xml")
    segno.make(address, error="m", micro=False).save(response, kind="svg", border=2, scale=4, light="white")
    return response


def _find(code: str) -> int:
    table_id = tables.find_private(code)
    if table_id is None:
        raise Http404("no such link")
    return table_id


def _sit(request: HttpRequest, table_id: int, code: str) -> HttpResponse:
    form = GuestForm(request.POST)
    if not request.user.is_authenticated:
        if not ratelimit.consume(request, action="signup"):
            return too_many(request)
        if not form.is_valid() or not come_in(request, form):
            return _refused(request, table_id, code, form, status=422)
    try:
        seating.sit(table_id=table_id, player_id=request.user.pk, nonce=request.POST.get("nonce", ""), code=code)
    except seating.SeatHeld as error:
        return _refused(request, table_id, code, GuestForm(), error=str(error), held=error.table_id)
    except UserError as error:
        return _refused(request, table_id, code, GuestForm(), error=str(error))
    return redirect("table", table_id)


def _refused(
    request: HttpRequest, table_id: int, code: str, form: GuestForm, *, status: int = 409, **more: Any
) -> HttpResponse:
    snapshot = tables.load_table(table_id)
    assert snapshot is not None  # tables are never deleted
    return _page(request, snapshot, code, form, status=status, **more)


def _page(
    request: HttpRequest, snapshot: TableSnapshot, code: str, form: GuestForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    sitters = [seat if seat.name else None for seat in snapshot.seats]
    context = {
        "table": snapshot,
        "host": next((seat for seat in snapshot.seats if seat.player_id == snapshot.host_id and seat.person), None),
        "sides": [sitters[side :: snapshot.rules.sides] for side in range(snapshot.rules.sides)],
        "free": _free(snapshot),
        "watched": _watched(snapshot, code),
        "code": code,
        "form": form,
    }
    response = render(request, "lobby/door.html", context | more, status=status)
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "same-origin"
    return response


def _free(snapshot: TableSnapshot) -> bool:
    return snapshot.phase == Table.Phase.OPEN and any(seat.player_id is None for seat in snapshot.seats)


def _watched(snapshot: TableSnapshot, code: str) -> bool:
    return snapshot.watchable and snapshot.phase != Table.Phase.CLOSED and snapshot.admits(None, code)
