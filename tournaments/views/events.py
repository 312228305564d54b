"""Events as everybody who may see them meets them: the list, an event's tabs, signing up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.converters import whole_number
from games.engine import NotationError, Rules, RulesExcluded, parse_rules
from games.services.errors import UserError
from tournaments.live import pages
from tournaments.live.pages import Parts
from tournaments.models import Entrant, Event
from tournaments.playbook import Plan
from tournaments.selectors import event_pages
from tournaments.selectors.event_pages import Mine
from tournaments.selectors.rights import Actor
from tournaments.services import entrants, field, signup
from tournaments.views.clubs import page_of, search_of
from tournaments.views.event_frame import at, at_event, event_page
from tournaments.views.exports import own_calendar
from tournaments.views.frame import log_in_first

MANY: Final = 200
"""Rounds of an event that has no number of them."""

LONGEST_NAME: Final = 60
"""Characters of a name that are kept of what was typed."""


@never_cache
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """Events of public clubs and of one's own: what runs and what comes, or what is past."""
    player_id = request.user.pk if request.user.is_authenticated else None
    when: event_pages.When_ = "past" if request.GET.get("when") == "past" else "now"
    search = search_of(request)
    context = {
        "page": event_pages.read_listed(when, search, page_of(request), player_id),
        "search": search,
        "when": when,
        "own_calendar": own_calendar(request.user) if request.user.is_authenticated else "",
    }
    return render(request, "events/list.html", context)


@at_event("see", "GET", "HEAD")
def event(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The round that is on; with ``?round=2`` an earlier one."""
    asked = request.GET.get("round")
    if asked is None:
        return _page(request, event, actor, "now")
    parts = pages.round_parts(event, whole_number(asked, 4, 0))
    if parts is None:
        raise Http404("no such round")
    return _page(request, event, actor, "now", parts=parts)


@at_event("see", "GET", "HEAD")
def standings(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return _page(request, event, actor, "standings")


@at_event("see", "GET", "HEAD")
def bracket(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    if not event_pages.has_bracket(event_pages.plan_of(event)):
        raise Http404("no bracket")
    return _page(request, event, actor, "bracket")


@at_event("see", "GET", "HEAD")
def balance(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    if not event_pages.changes_partners(event_pages.plan_of(event)):
        raise Http404("partners are fixed")
    return _page(request, event, actor, "balance")


@at_event("see", "GET", "HEAD")
def entrants_list(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    return _page(request, event, actor, "entrants")


@at_event("see", "GET", "HEAD")
def about(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    plan = event_pages.plan_of(event)
    context = {
        "rules": _rules(event),
        "format_line": translation.gettext(plan.book.line) if plan else "",
        "levelled": _levelled(plan),
        "own_calendar": own_calendar(request.user) if request.user.is_authenticated else "",
    }
    return _page(request, event, actor, "about", context)


@at_event("see", "GET", "HEAD")
def why(request: HttpRequest, event: Event, actor: Actor, number: int) -> HttpResponse:
    """Why the tables of a round were drawn as they are; for rounds with too many to say so beside them."""
    board = event_pages.read_board(event)
    seen = event_pages.read_round(board, number)
    if seen is None:
        raise Http404("no such round")
    return event_page(request, event, actor, "events/why.html", {"round": seen, "board": board})


@at_event("see", "GET", "HEAD")
def entrant(request: HttpRequest, event: Event, actor: Actor, number: int) -> HttpResponse:
    """What an entrant has played, and what each number of the standings is made of."""
    board = event_pages.read_board(event)
    sheet = event_pages.read_sheet(board, number)
    if sheet is None or (sheet.entrant.state == Entrant.State.ASKED and not actor.directs):
        raise Http404("no such entrant")
    context = {"board": board, "sheet": sheet, "columns": event_pages.terms(board, number)}
    return event_page(request, event, actor, "events/entrant.html", context)


@at_event("see", "GET", "HEAD")
def terms(request: HttpRequest, event: Event, actor: Actor, number: int) -> HttpResponse:
    """The same, to be put into the standings."""
    columns = event_pages.terms(event_pages.read_board(event), number)
    if columns is None:
        raise Http404("no such entrant")
    return render(request, "events/_terms.html", {"event": event, "number": number, "columns": columns})


@at_event("see", "GET", "HEAD")
def mine(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """One's own parts of the page, fetched again when something of them has changed."""
    return render(request, "events/_own.html", _own(event, actor) | {"event": event, "actor": actor})


@at_event("see", "POST")
def entry(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Everything one does about one's own part in an event."""
    action = request.POST.get("action", "")
    if actor.player_id is None:
        return log_in_first(event.get_absolute_url())
    act = _ACTS.get(action)
    if act is None:
        messages.error(request, _("That button is not known here. Look at the page again."))
        return redirect(event)
    try:
        said = act(request, event, actor)
    except UserError as error:
        typed = {name: request.POST.get(name, "")[:140] for name in ("partner", "team")}
        typed["others"] = [each[:140] for each in request.POST.getlist("others")[:5]]
        return _page(request, event, actor, "now", {"entry_error": str(error), "typed": typed}, status=422)
    messages.success(request, said)
    return HttpResponseRedirect(at("event", event))


# --- what buttons do --------------------------------------------------------------------------------------


def _sign_up(request: HttpRequest, event: Event, actor: Actor) -> str:
    partner = "" if request.POST.get("alone") else request.POST.get("partner", "")[: LONGEST_NAME + 1]
    entered = signup.sign_up(
        event_id=event.pk,
        by=actor,
        partner=partner,
        team=request.POST.get("team", "")[: LONGEST_NAME + 1],
        others=[name[: LONGEST_NAME + 1] for name in request.POST.getlist("others")[:6]],
    )
    return _entered(entered)


def _entered(entered: signup.Entry) -> str:
    if entered.asked:
        return _("%(name)s is asked to play with you, and finds the question on this page.") % {"name": entered.asked}
    return {
        Entrant.State.SPARE: _("You are on the list of those who look for a partner."),
        Entrant.State.WAITING: _("You are on the waiting list."),
        Entrant.State.ASKED: _("You have asked to take part. A director will answer."),
        Entrant.State.CHECKED_IN: _("You are in, and checked in."),
    }.get(Entrant.State(entered.state), _("You are in."))


def _ask(request: HttpRequest, event: Event, actor: Actor) -> str:
    name = request.POST.get("partner", "")[: LONGEST_NAME + 1]
    return _entered(signup.ask_partner(event_id=event.pk, by=actor, name=name))


def _answer(accept: bool) -> Callable[[HttpRequest, Event, Actor], str]:
    def act(request: HttpRequest, event: Event, actor: Actor) -> str:
        entered = signup.answer_partner(event_id=event.pk, by=actor, request_id=_id(request), accept=accept)
        return _entered(entered) if entered is not None else _("You have declined.")

    return act


def _take_back(request: HttpRequest, event: Event, actor: Actor) -> str:
    signup.take_back_request(event_id=event.pk, by=actor, request_id=_id(request))
    return _("The request is taken back.")


def _check_in(request: HttpRequest, event: Event, actor: Actor) -> str:
    entrants.check_in(event_id=event.pk, by=actor, entrant_id=_own_entrant(actor))
    return _("You are checked in.")


def _withdraw(request: HttpRequest, event: Event, actor: Actor) -> str:
    entrants.withdraw(event_id=event.pk, by=actor, entrant_id=_own_entrant(actor))
    return _("You have withdrawn.")


def _pause(request: HttpRequest, event: Event, actor: Actor) -> str:
    entrants.pause(event_id=event.pk, by=actor, entrant_id=_own_entrant(actor))
    return _("You sit out until you come back.")


def _back(request: HttpRequest, event: Event, actor: Actor) -> str:
    entrants.bring_back(event_id=event.pk, by=actor, entrant_id=_own_entrant(actor))
    return _("You play again from the next round on.")


_ACTS: dict[str, Callable[[HttpRequest, Event, Actor], str]] = {
    "sign_up": _sign_up,
    "ask": _ask,
    "accept": _answer(True),
    "decline": _answer(False),
    "take_back": _take_back,
    "check_in": _check_in,
    "withdraw": _withdraw,
    "pause": _pause,
    "back": _back,
}


def _id(request: HttpRequest) -> int:
    return whole_number(request.POST.get("request"), 18, 0)


def _own_entrant(actor: Actor) -> int:
    if actor.entrant_id is None:
        raise UserError(_("You are not in this event."))
    return actor.entrant_id


# --- pages ------------------------------------------------------------------------------------------------


def _page(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    tab: str,
    more: dict[str, Any] | None = None,
    *,
    parts: Parts | None = None,
    status: int = 200,
) -> HttpResponse:
    """One of an event's tabs. With ``parts`` it stays as it is; else it follows the event."""
    live = tab if parts is None else ""
    own = _own(event, actor)
    found = parts if parts is not None else pages.parts(event, live)
    plan = event_pages.plan_of(event)
    context = {
        "parts": {name: _marked(part, own["mine"]) for name, part in found.items()},
        "tab": tab,
        "live": live,
        "about_line": event_pages.about_line(event, plan),
        "bracket_tab": event_pages.has_bracket(plan),
        "balance_tab": event_pages.changes_partners(plan),
        "round_number": found["last"],
        "late_until": _late_until(event, plan),
        **own,
        **(more or {}),
    }
    names = {"now": "event"}
    return event_page(request, event, actor, f"events/{names.get(tab, tab)}.html", context, status=status)


def _own(event: Event, actor: Actor) -> dict[str, Any]:
    """What the parts of one's own need."""
    plan = event_pages.plan_of(event)
    mine = event_pages.read_mine(event, actor, plan)
    closes = event.closes_at or event.starts_at
    ahead = event.state in Event.AHEAD
    late = _late_until(event, plan)
    return {
        "mine": mine,
        "plan": plan,
        "members": plan.members if plan else 1,
        "others": range(2, (plan.members if plan else 1) + 1),
        "closes": closes,
        "takes_entries": not event.club_closed
        and (
            (ahead and (closes is None or closes > timezone.now()))
            or (event.state == Event.State.RUNNING and late and field.next_round(event) <= late)
        ),
        "late_until": late,
    }


def _late_until(event: Event, plan: Plan | None) -> int:
    """The last round one can join in, as both the event and its format have it; 0 for none."""
    if plan is None or not event.late_until:
        return 0
    return min(event.late_until, plan.late_until(event.rounds_planned or MANY))


def _marked(part: SafeString, mine: Mine) -> SafeString:
    """A part with the rows of the reader's own entry marked."""
    if mine.entrant is None:
        return part
    text = str(part)
    rows = [f'id="{kind}-{mine.number}" class="' for kind in "spe"]
    if mine.table is not None:
        rows.append(f'id="t-{mine.table.pk}" class="')
    for row in rows:
        text = text.replace(row, f"{row}is-me ", 1)
    own = f' data-e="{mine.number}"'
    return SafeString(text.replace(own, f"{own} data-me"))


def _rules(event: Event) -> Rules | None:
    try:
        return parse_rules(event.rules)
    except (NotationError, RulesExcluded):
        return None


def _levelled(plan: Plan | None) -> str:
    if plan is None or "ranking" not in plan.values:
        return ""
    option = {each.name: each for each in plan.book.options}
    words = dict(option["ranking"].named) | dict(option["tiebreaks"].named)
    keys = [plan.values["ranking"], *plan.values["tiebreaks"]]  # type: ignore[misc]
    return ", ".join(translation.gettext(words.get(str(key), str(key))) for key in keys)
