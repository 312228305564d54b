"""The score page of a table in the hall: opened by its code, without an account.

One side says how the table ended, the other one confirms it or says what it has. Everything is a
plain form; sending one twice changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.converters import whole_number
from games.services.errors import UserError
from games.views.pages import too_many
from tournaments.formats.scores import LONGEST
from tournaments.formats.words import title
from tournaments.models import Entrant, Event, EventTable, Report, Round
from tournaments.playbook import Plan
from tournaments.selectors import event_pages
from tournaments.selectors.rights import Actor, read_actor
from tournaments.services import results
from tournaments.services.scoring import Score
from tournaments.views.event_frame import TABLES, actor_of, remember
from tournaments.views.prints import code_of

SIDE_KEPT: Final = 2 * 24 * 3600
"""Seconds for which a browser remembers for which side of a table it has spoken."""

CODES: Final = "hall_codes"
SCORES: Final = "hall_scores"
"""What is counted: codes that were wrong, scores that were sent."""

COUNTED: Final = ("loners", "euchres")
"""What may be counted beside the points."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def type_code(request: HttpRequest) -> HttpResponse:
    """Where the code of a slip is typed."""
    typed = request.POST.get("code", "") if request.method == "POST" else request.GET.get("code", "")
    if not typed:
        return render(request, "events/code.html", {"typed": ""}, status=422 if request.method == "POST" else 200)
    found = event_pages.find_code(clean_code(typed))
    if len(found) == 1:
        return redirect("event_hall", found[0].event_id, found[0].code)
    if not found and not _count_wrong(request):
        return too_many(request)
    return render(request, "events/code.html", {"typed": typed[:20], "found": found, "wrong": not found}, status=422)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, event_id: int, code: str) -> HttpResponse:
    """A table's slip. The code is the right to it, also at an event of a private club."""
    event = Event.objects.select_related("club").filter(pk=event_id).exclude(state=Event.State.DRAFT).first()
    found = event_pages.find_hall_table(event, clean_code(code)) if event is not None else None
    if event is None or found is None:
        if not _count_wrong(request):
            return too_many(request)
        raise Http404("no such table")
    visitor = actor_of(request, event)
    actor = visitor.at_table(found.pk)
    slip = _read(request, event, found, actor)
    if request.method != "POST":
        if found.pk not in request.session.get(TABLES, ()):
            remember(request, TABLES, found.pk)
        template = "events/_slip.html" if request.GET.get("part") else "events/hall.html"
        return _shown(request, slip, template, sees=visitor.sees)
    if not ratelimit.consume(request, action=SCORES, user=request.user):
        return too_many(request)
    return _act(request, slip, sees=visitor.sees)


def clean_code(typed: str) -> str:
    """A code as it is kept: without blanks and dashes, in capitals."""
    return "".join(letter for letter in typed[:20] if letter.isalnum()).upper()


@dataclass(frozen=True)
class Slip:
    """A table as its own page shows it. ``side`` is the one the reader speaks for, if that is known;
    ``handed``: the other one than its phone spoke for before. ``address`` is the page's own."""

    event: Event
    table: EventTable
    actor: Actor
    plan: Plan | None
    names: tuple[tuple[tuple[int, str], ...], ...]
    side: int | None
    said: Mapping[int, Mapping[str, Any]]
    last: int | None
    handed: bool
    address: str

    @property
    def open(self) -> bool:
        """Whether a score can be sent."""
        playing = self.event.state == Event.State.RUNNING and self.table.round.state == Round.State.PLAYING
        return playing and self.table.state in EventTable.OPEN and self.table.live_table_id is None

    @property
    def answers(self) -> bool:
        """Whether the reader may answer what a side has said."""
        return (
            self.open
            and self.table.state == EventTable.State.REPORTED
            and (self.side is None or self.side != self.last)
        )

    @property
    def shared(self) -> bool:
        """Whether the reader may hand the phone to the other side: his own has spoken."""
        said = self.table.state in (EventTable.State.REPORTED, EventTable.State.DISPUTED)
        return self.open and said and not self.handed and self.side in self.said and not self.answers

    @property
    def answering(self) -> int:
        """The side that has to answer."""
        return 1 - (self.last or 0)

    @property
    def picture(self) -> SafeString:
        """The address as a picture for another phone."""
        return code_of(self.address)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(" & ".join(name for _number, name in side) for side in self.names)

    @property
    def deals(self) -> tuple[int, ...]:
        """The deals of a duplicate event that are scored one by one."""
        if self.plan is None or self.plan.book.key != "duplicate":
            return ()
        try:
            number = dict(title(self.table.label).values)["number"]
        except (ValueError, KeyError):
            return ()
        count = self.plan.number("deals")
        first = (int(str(number)) - 1) * count + 1
        return tuple(range(first, first + count))

    @property
    def pad(self) -> tuple[int, ...]:
        """The points to choose from; none where there are too many, or some are below zero."""
        if self.plan is None:
            return ()
        score = self.plan.score
        hands = score.points.outcomes()
        most = max(max(hand) for hand in hands)
        least = min(min(hand) for hand in hands)
        last = score.hands * most if score.hands else score.target - 1 + most
        return tuple(range(last + 1)) if least >= 0 and last <= LONGEST else ()

    @property
    def extra_hand(self) -> bool:
        """Whether a level score needs somebody who won one hand more."""
        if self.plan is None or not self.plan.score.hands:
            return False
        of_bracket = bool(self.table.label) and self.table.label[0] in "WLRFT"
        return self.plan.score.ties == "extra_hand" or of_bracket

    @property
    def entrants(self) -> tuple[tuple[int, str], ...]:
        return tuple(each for side in self.names for each in side)


def _read(request: HttpRequest, event: Event, table: EventTable, actor: Actor) -> Slip:
    numbers = [number for side in table.sides for number in side]
    known = {
        number: (pk, name)
        for pk, number, name in Entrant.objects.filter(event=event, number__in=numbers).values_list(
            "pk", "number", "name"
        )
    }
    names = tuple(tuple((number, known[number][1]) for number in side if number in known) for side in table.sides)
    said: dict[int, Mapping[str, Any]] = {}
    last = None
    for side, values in (
        Report.objects.filter(table=table, source=Report.Source.SIDE).order_by("pk").values_list("side", "values")
    ):
        if side is not None:
            said[side], last = values, side
    own = next(
        (at for at, side in enumerate(table.sides) if actor.entrant_id in [known[n][0] for n in side if n in known]),
        None,
    )
    if own is None:
        own = whole_number(request.get_signed_cookie(_mark(table), "", max_age=SIDE_KEPT), 1, None)
    handed = own in (0, 1) and "hand" in request.GET
    if handed and own is not None:
        own, actor = 1 - own, read_actor(event, AnonymousUser()).at_table(table.pk)
    address = request.build_absolute_uri(reverse("event_hall", args=[event.pk, table.code]))
    return Slip(event, table, actor, event_pages.plan_of(event), names, own, said, last, handed, address)


def _mark(table: EventTable) -> str:
    """The cookie that says for which side of a table this browser has spoken. Not in the session: a
    part that is fetched while the score is on its way would write it back without."""
    return f"side-{table.pk}"


def _act(request: HttpRequest, slip: Slip, *, sees: bool) -> HttpResponse:
    side = slip.side if slip.side is not None else whole_number(request.POST.get("side"), 1, None)
    action = request.POST.get("action", "report")
    try:
        if action == "report":
            score, wrong = _score(request, slip)
            if wrong or score is None:
                raise UserError(wrong)
            if side not in (0, 1) and not slip.actor.scores:
                raise UserError(_("Say for which side you speak."))
            _call(results.report, slip, side, score=score)
        elif action == "confirm":
            _call(results.confirm, slip, side)
        elif action == "dispute":
            _call(results.dispute, slip, side, reason=request.POST.get("reason", "")[:300])
        else:
            raise UserError(_("That button is not known here. Look at the page again."))
    except UserError as error:
        return _shown(
            request, slip, "events/hall.html", sees=sees, error=str(error), typed=_typed(request), side=side, status=422
        )
    messages.success(request, _("Sent."))
    response = HttpResponseRedirect(request.path)
    if side in (0, 1) and not slip.handed:
        response.set_signed_cookie(
            _mark(slip.table),
            str(side),
            max_age=SIDE_KEPT,
            path=reverse("event_hall", args=[slip.event.pk, slip.table.code]).removesuffix(f"{slip.table.code}/"),
            samesite="Lax",
            httponly=True,
            secure=request.is_secure(),
        )
    return response


def _call(verb: Any, slip: Slip, side: int | None, **more: Any) -> None:
    verb(event_id=slip.event.pk, by=slip.actor, table_id=slip.table.pk, side=side, **more)


def _score(request: HttpRequest, slip: Slip) -> tuple[Score | None, str]:
    """The score that was typed, or what is wrong with it."""
    if slip.deals:
        deals = {deal: _number(request.POST.get(f"deal-{deal}")) for deal in slip.deals}
        if any(points is None for points in deals.values()):
            return None, _("Give the points of every deal.")
        return Score(deals={deal: points for deal, points in deals.items() if points is not None}), ""
    points = [_number(request.POST.get(f"points-{side}")) for side in (0, 1)]
    if points[0] is None or points[1] is None:
        return None, _("Give the points of both sides as numbers.")
    counters: dict[str, dict[int, int]] = {}
    for name in COUNTED:
        for number, _name in slip.entrants:
            typed = request.POST.get(f"{name}-{number}", "").strip()
            if typed:
                count = whole_number(typed, 3, None)
                if count is None:
                    return None, _("Loners and euchres are counted in numbers.")
                counters.setdefault(name, {})[number] = count
    winner = whole_number(request.POST.get("winner"), 1, None)
    return Score((points[0], points[1]), winner=winner if winner in (0, 1) else None, counters=counters), ""


def _number(typed: str | None) -> int | None:
    text = (typed or "").strip().replace("−", "-")
    value = whole_number(text.removeprefix("-").removeprefix("+"), 4, None)
    return value if value is None or not text.startswith("-") else -value


def _typed(request: HttpRequest) -> dict[str, str]:
    """What was typed, as it was."""
    return {
        name: value[:20]
        for name, value in request.POST.items()
        if isinstance(value, str) and name.partition("-")[0] in ("points", "deal", "winner", *COUNTED)
    }


def _shown(
    request: HttpRequest,
    slip: Slip,
    template: str,
    *,
    sees: bool,
    error: str = "",
    typed: Mapping[str, str] | None = None,
    side: int | None = None,
    status: int = 200,
) -> HttpResponse:
    typed = typed or {}
    pad = {str(points) for points in slip.pad}
    points = [typed.get(f"points-{at}", "") for at in (0, 1)]
    context = {
        "slip": slip,
        "event": slip.event,
        "club": slip.event.club,
        "table": slip.table,
        "sees": sees,
        "error": error,
        "side": side if side is not None else slip.side,
        "by_pad": bool(slip.pad) and all(not each or each in pad for each in points),
        "sides": [
            {
                "at": at,
                "label": label,
                "points": points[at],
                "said": slip.said.get(at),
                "entrants": [
                    {
                        "number": number,
                        "name": name,
                        **{counted: typed.get(f"{counted}-{number}", "") for counted in COUNTED},
                    }
                    for number, name in slip.names[at]
                ],
            }
            for at, label in enumerate(slip.labels)
        ],
        "deals": [(deal, typed.get(f"deal-{deal}", "")) for deal in slip.deals],
        "winner": typed.get("winner", ""),
        "live": sees,
    }
    return render(request, template, context, status=status)


def _count_wrong(request: HttpRequest) -> bool:
    """Whether so many wrong codes may come from this address, also by links, which are not counted
    by themselves."""
    sent = copy(request)
    sent.method = "POST"
    return bool(ratelimit.consume(sent, action=CODES))
