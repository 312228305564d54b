"""Tables at the desk: scores typed, forfeits, tables that do not count, corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from games.converters import whole_number
from games.models import Table as LiveTable
from games.services.errors import UserError
from tournaments.formats.event import NotPlayed
from tournaments.models import Event, EventTable, Round
from tournaments.playbook import Plan
from tournaments.selectors import desk as selectors
from tournaments.selectors.desk import Row
from tournaments.selectors.rights import Actor
from tournaments.services import results, rounds
from tournaments.services.event_fields import plan_of
from tournaments.services.results import Choice, Preview
from tournaments.services.scoring import DOUBLE, FORFEIT_0, FORFEIT_1, VOID, Score
from tournaments.views.desk_frame import act, back, chosen, desk_page
from tournaments.views.event_frame import at, at_event

OUTCOMES: Final[Mapping[str, Score]] = {
    "forfeit_0": FORFEIT_0,
    "forfeit_1": FORFEIT_1,
    "double": DOUBLE,
    "void": VOID,
}
"""What is no score but an end of a table, by what forms call it."""

CHOICES: Final[tuple[str, ...]] = get_args(Choice)
TYPED: Final = ("a", "b", "winner", "outcome")
"""The fields of a score in forms and addresses, and ``d<deal>`` for each deal."""

SURE: Final = "sure"
"""The field of a score that may end a game which is being played online."""


@at_event("deputy", "GET", "HEAD")
def table(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """All that can be done with one table, and what was said of it."""
    plan, row = _find(event, table_id)
    reports = [(report, selectors.score_of(report)) for report in selectors.read_reports(row.table)]
    begun = row.table.round.state in (Round.State.PLAYING, Round.State.CLOSED)
    others = [] if begun else [choice for choice in selectors.read_choices(event) if choice[1] not in _seated(row)]
    names = selectors.names_of(event)
    context = {
        "row": row,
        "reports": reports,
        "begun": begun,
        "others": others,
        "seated": [(number, names.get(number, "")) for number in _seated(row)],
        "typed": typed_of(row, request.GET),
        "plan": plan,
        "played": _is_played(row.table),
    }
    return desk_page(request, event, actor, "events/desk/table.html", context)


@at_event("deputy", "POST")
def score(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """A score typed at the desk. Of a table that has another one already the correction is shown first;
    of one at which people play online the question whether their game is to end."""
    row = _find(event, table_id)[1]
    query = urlencode([(name, value) for name, value in request.POST.items() if _is_typed(name) and value])
    try:
        given = read_score(request.POST, row)
        if row.done and _is_other(row, given):
            return _elsewhere(request, f"{at('desk_correct', event, table_id)}?{query}")
        if not row.done and SURE not in request.POST and _is_played(row.table):
            return _elsewhere(request, f"{at('desk_table', event, table_id)}?{query}")
        results.report(event_id=event.pk, by=actor, table_id=table_id, score=given)
    except UserError as error:
        messages.error(request, _("Table %(number)d: %(told)s") % {"number": row.table.number, "told": error})
        if request.headers.get("HX-Request"):  # what was typed stands in the page that asks
            return HttpResponseRedirect(back(request, event))
        return HttpResponseRedirect(f"{at('desk_table', event, table_id)}?{query}")
    messages.success(request, _("Table %(number)d is saved.") % {"number": row.table.number})
    return HttpResponseRedirect(back(request, event, f"#t{table_id}"))


@at_event("deputy", "POST")
def table_do(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """What a table's menu offers."""
    this: dict[str, Any] = {"event_id": event.pk, "by": actor, "table_id": table_id}
    verbs: dict[str, Callable[[], Any]] = {
        "confirm": lambda: results.confirm(**this),
        "lock": lambda: rounds.lock_table(**this),
        "unlock": lambda: rounds.lock_table(**this, locked=False),
        "online": lambda: rounds.set_kind(**this, kind=Event.Kind.ONLINE),
        "hall": lambda: rounds.set_kind(**this, kind=Event.Kind.HALL),
    }
    for name, outcome in OUTCOMES.items():
        verbs[name] = lambda outcome=outcome: results.report(**this, score=outcome, reason=_reason(request))  # type: ignore[misc]
    done = request.POST.get("do", "")
    if done in OUTCOMES and _find(event, table_id)[1].done:
        query = urlencode({"outcome": done, "reason": _reason(request)})
        return _elsewhere(request, f"{at('desk_correct', event, table_id)}?{query}")
    return act(request, event, chosen(request, verbs), anchor=f"#t{table_id}")


@at_event("deputy")
def correct(request: HttpRequest, event: Event, actor: Actor, table_id: int) -> HttpResponse:
    """What another result would change, and the choice that goes with it; then it is put right."""
    plan, row = _find(event, table_id)
    given = request.POST if request.method == "POST" else request.GET
    preview: Preview | None = None
    told = ""
    status = 200
    if any(_is_typed(name) for name in given):
        try:
            wanted = read_score(given, row)
            if request.method == "POST":
                choice = request.POST.get("choice", "")
                results.correct(
                    event_id=event.pk,
                    by=actor,
                    table_id=table_id,
                    score=wanted,
                    reason=_reason(request),
                    choice=choice if choice in CHOICES else "",  # type: ignore[arg-type]
                )
                messages.success(request, _("Table %(number)d is corrected.") % {"number": row.table.number})
                return HttpResponseRedirect(at("desk_round", event, row.table.round.number) + f"#t{table_id}")
            preview = results.preview(event.pk, table_id, wanted)
        except UserError as error:
            told, status = str(error), 422
    context = {
        "row": row,
        "plan": plan,
        "typed": typed_of(row, given),
        "preview": preview,
        "moved": _moved(preview),
        "told": told,
        "reason": given.get("reason", ""),
        "may": actor.directs or row.table.round.state != Round.State.CLOSED,
    }
    return desk_page(request, event, actor, "events/desk/correct.html", context, status=status)


# --- scores in forms ------------------------------------------------------------------------------------------------


def read_score(given: Mapping[str, str], row: Row) -> Score:
    """What was typed. UserError for what is no score at all; whether a game can end so, the services say."""
    outcome = given.get("outcome", "")
    if outcome in OUTCOMES:
        return OUTCOMES[outcome]
    if row.deals:
        return Score(deals={deal: _deal(given.get(f"d{deal}", ""), deal, row) for deal in row.deals})
    points = [whole_number(given.get(name, "").strip(), 3, None) for name in ("a", "b")]
    if points[0] is None or points[1] is None:
        raise UserError(_("Type the points of both sides, as whole numbers."))
    winner = whole_number(given.get("winner", ""), 1, None)
    return Score((points[0], points[1]), winner=winner if winner in (0, 1) else None)


def _deal(text: str, deal: int, row: Row) -> int | NotPlayed:
    """Points of the first side, below zero where the other side made them; ``x`` for a deal that was
    not played."""
    text = text.strip().replace("−", "-")
    if text in ("x", "X"):
        return NotPlayed(frozenset())
    found = whole_number(text.removeprefix("-").removeprefix("+"), 2, None)
    if found is None:
        raise UserError(
            _("Deal %(deal)d: type the points of %(side)s, below zero if the others made them; x: not played.")
            % {"deal": deal, "side": row.sides[0]}
        )
    return -found if text.startswith("-") else found


def typed_of(row: Row, given: Mapping[str, str]) -> dict[str, Any]:
    """What stands in the fields of a score: what was typed, else what counts now."""
    if any(_is_typed(name) for name in given):
        deals = {deal: given.get(f"d{deal}", "") for deal in row.deals}
        return {name: given.get(name, "") for name in TYPED} | {"deals": deals}
    one, other = row.points
    kept = {int(deal): "x" if isinstance(score, dict) else score for deal, score in row.table.deals.items()}
    winner = "" if row.table.winner is None or one != other else str(row.table.winner)
    return {
        "a": one,
        "b": other,
        "winner": winner,
        "outcome": "",
        "deals": {deal: kept.get(deal, "") for deal in row.deals},
    }


def _is_typed(name: str) -> bool:
    return name in TYPED or (name[:1] == "d" and name[1:].isdecimal())


def _is_other(row: Row, given: Score) -> bool:
    """Whether a score is another than the one that counts."""
    if row.table.state != EventTable.State.CONFIRMED or given.outcome != "played" or given.deals:
        return True
    return given.points != row.points or (given.points[0] == given.points[1] and given.winner != row.table.winner)


# --- within -----------------------------------------------------------------------------------------------------------


def _find(event: Event, table_id: int) -> tuple[Plan, Row]:
    plan = plan_of(event)
    row = selectors.read_row(event, plan, table_id, timezone.now())
    if row is None:
        raise Http404("no such table")
    return plan, row


def _is_played(table: EventTable) -> bool:
    """Whether a game is going on at its live table. One query, if it has one."""
    return LiveTable.objects.filter(pk=table.live_table_id, phase__in=LiveTable.RUNNING).exists()


def _seated(row: Row) -> list[int]:
    return [number for side in row.table.sides for number in side]


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:300]


def _elsewhere(request: HttpRequest, address: str) -> HttpResponse:
    """Another page, also for a form whose answer would be shown within the desk."""
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(address)
    return HttpResponseRedirect(address)


def _moved(preview: Preview | None) -> list[dict[str, Any]]:
    """Who moves, those that come out first first."""
    if preview is None:
        return []
    rows = sorted(preview.moved, key=lambda one: (one.place_after is None, one.place_after or 0))
    return [
        {
            "name": one.name,
            "before": one.place_before,
            "after": one.place_after,
            "score_before": one.score_before,
            "score_after": one.score_after,
            "up": (one.place_after or 10**6) < (one.place_before or 10**6),
            "down": (one.place_after or 10**6) > (one.place_before or 10**6),
        }
        for one in rows
    ]
