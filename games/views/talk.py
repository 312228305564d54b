"""Talk at a table, and the small card of a person there: mute, block, report."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.converters import whole_number
from games.live import sayings
from games.models import Player, Report
from games.selectors import people as relations
from games.selectors import talk as selectors
from games.selectors.tables import TableSnapshot, load_table
from games.services import reports, sanctions
from games.services import talk as services
from games.services.errors import UserError
from games.views.entrance import enter, guarded
from games.views.people import ACTS
from games.views.table import SeeOther
from games.views.talk_panel import panel

VERBS: Final = ("ask", "part", "mute", "unmute", "block", "unblock")
"""Those of the buttons beside a name that the card has."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def talk(request: HttpRequest, table_id: int) -> HttpResponse:
    """Say something. Without a script it is a page of its own, which does not renew itself while
    somebody types; a script gets what was said, on GET all of it, or the panel with ``?panel``."""
    code = request.POST.get("code", "") or request.GET.get("code", "")
    snapshot = _look(request, table_id, code)
    code = snapshot.code if code == snapshot.code else ""
    script = bool(request.headers.get("HX-Request"))
    if request.method == "POST":
        return _say(request, snapshot, code, script)
    if script and "panel" in request.GET:
        return HttpResponse(panel(request, snapshot, code))
    if script:
        seated, reader = snapshot.place_of(request.user.pk) is not None, request.user.pk
        lines = selectors.read_lines(table_id, seated=seated, reader=reader)
        return HttpResponse(sayings.whole(lines, reader, translation.get_language()))
    return render(request, "talk/page.html", _page(request, snapshot, code))


def _say(request: HttpRequest, snapshot: TableSnapshot, code: str, script: bool) -> HttpResponse:
    text, phrase = request.POST.get("text", ""), request.POST.get("phrase", "")
    try:
        pk = services.say(table_id=snapshot.id, player_id=request.user.pk, text=text, phrase=phrase)
    except UserError as error:
        if script:
            return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")
        return render(request, "talk/page.html", _page(request, snapshot, code, str(error), text), status=409)
    if script:
        line = selectors.read_line(pk)
        return HttpResponse(sayings.more([line] if line else [], request.user.pk, translation.get_language()))
    return SeeOther(f"{reverse('table_talk', args=[snapshot.id])}{f'?code={code}' if code else ''}")


def _page(request: HttpRequest, snapshot: TableSnapshot, code: str, error: str = "", text: str = "") -> dict[str, Any]:
    return {
        "panel": panel(request, snapshot, code, error, text),
        "name": snapshot.title or _("Table %(number)d") % {"number": snapshot.id},
        "back": reverse("door", args=[code]) if code else reverse("table", args=[snapshot.id]),
    }


def _look(request: HttpRequest, table_id: int, code: str) -> TableSnapshot:
    snapshot = load_table(table_id)
    if snapshot is None:
        raise Http404("no such table")
    enter(request, snapshot, code)
    return snapshot


@never_cache
@require_http_methods(["GET", "HEAD"])
@guarded
def at_seat(request: HttpRequest, table_id: int, number: int) -> HttpResponse:
    """The card of who sits at a seat, counted from 1, for who may look at the table."""
    snapshot = _look(request, table_id, request.GET.get("code", ""))
    if not 1 <= number <= len(snapshot.seats):
        raise Http404("no such seat")
    player_id = snapshot.seats[number - 1].player_id
    if player_id is None:
        raise Http404("nobody sits there")
    return _card(request, table_id, _person(player_id))


@never_cache
@require_http_methods(["GET", "HEAD"])
def person(request: HttpRequest, table_id: int, player_id: int) -> HttpResponse:
    """The card of somebody at a table: a page, or for a script what a popover shows."""
    return _card(request, table_id, _person(player_id))


@require_POST
def about_person(request: HttpRequest, table_id: int, player_id: int) -> HttpResponse:
    """A button of the card: ``do`` is mute, unmute, block, unblock, report or explain."""
    other = _person(player_id)
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("table", args=[table_id]))
    report_id, said, error = None, "", ""
    try:
        report_id, said = _do(request, table_id, other)
    except UserError as refusal:
        error = str(refusal)
        report_id = whole_number(request.POST.get("report"), 18, None)
    if request.headers.get("HX-Request") or (report_id is not None and request.POST.get("do") == "report") or error:
        return _card(request, table_id, other, said=said, error=error, report_id=report_id)
    messages.success(request, said)
    return SeeOther(reverse("table", args=[table_id]))


def _do(request: HttpRequest, table_id: int, other: Player) -> tuple[int | None, str]:
    """Do it: the number of the report if that is what it was, and a sentence."""
    verb, reader = request.POST.get("do", ""), request.user.pk
    if verb in VERBS:
        serve, sentence = ACTS[verb]
        serve(player_id=reader, other_id=other.pk)
        return None, _(sentence) % {"name": other.name}
    if verb == "report":
        made = reports.report(reporter_id=reader, reported_id=other.pk, table_id=table_id)
        return made, _("Reported. Staff see the deal and what was said; you need not do anything more.")
    if verb == "explain":
        report_id = whole_number(request.POST.get("report"), 18, 0)
        reason, words = request.POST.get("reason", ""), request.POST.get("words", "")
        reports.explain(reporter_id=reader, report_id=report_id, reason=reason, words=words)
        return None, _("Thank you. Staff will read it.")
    raise UserError(_("Use the buttons of the page."))


def _person(player_id: int) -> Player:
    found = selectors.find_person(player_id)
    if found is None:
        raise Http404("no such person")
    return found


def _card(
    request: HttpRequest, table_id: int, other: Player, *, said: str = "", error: str = "", report_id: int | None = None
) -> HttpResponse:
    own = request.user.pk == other.pk
    script = bool(request.headers.get("HX-Request"))
    context = {
        "other": other,
        "in_place": script,
        "table_id": table_id,
        "own": own,
        "relation": relations.read_relation(request.user.pk, other.pk) if request.user.is_authenticated else None,
        "said": said,
        "error": error,
        "report_id": report_id,
        "reasons": Report.Reason.choices,
        "reason": request.POST.get("reason", Report.Reason.OTHER),
        "words": request.POST.get("words", ""),
    }
    return render(request, "talk/_person.html" if script else "talk/person.html", context, status=409 if error else 200)


@require_POST
def put_away(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Somebody has read a warning."""
    if request.user.is_authenticated:
        sanctions.put_away(player_id=request.user.pk, sanction_id=sanction_id)
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    then = request.POST.get("next", "")
    local = url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure())
    return SeeOther(then if local else reverse("lobby"))
