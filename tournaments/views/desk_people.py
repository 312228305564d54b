"""Who takes part, at the desk: lists pasted, people let in, out and back, substitutes, wishes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.converters import whole_number
from games.services.errors import UserError
from tournaments.models import Entrant, Event, Wish
from tournaments.selectors import desk as selectors
from tournaments.selectors.rights import Actor
from tournaments.services import entrants, lineup
from tournaments.services.entrants import Added
from tournaments.services.event_fields import plan_of
from tournaments.views.clubs import page_of, search_of
from tournaments.views.desk_frame import act, back, chosen, desk_page
from tournaments.views.event_frame import at, at_event
from tournaments.views.frame import number_in

SHOWS = ("", "waiting", "spare", "absent", "out")
"""Parts of the list of people that can be shown alone."""

DEPUTIES = ("check_in", "check_out", "note")
"""What deputies may do with an entrant."""

OUT = ("withdraw", "pause", "disqualify")
"""What takes an entrant out of the draws to come, not out of one that is made."""


@at_event("deputy", "GET", "HEAD")
def people(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Everybody who takes part, who waits, and who is out."""
    show = request.GET.get("show", "")
    show = show if show in SHOWS else ""
    search = search_of(request)
    page = selectors.read_people(event, search, show, page_of(request))
    context = {
        "page": page,
        "search": search,
        "show": show,
        "plan": plan_of(event),
        "spare": selectors.read_spare(event) if page.counts.spare else [],
    }
    return desk_page(request, event, actor, "events/desk/people.html", context)


@at_event("direct")
def add(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Names pasted or typed. Lines that cannot be used stay in the box, with the reason."""
    plan = plan_of(event)
    context: dict[str, Any] = {"plan": plan, "text": "", "refused": []}
    if request.method != "POST":
        return desk_page(request, event, actor, "events/desk/add.html", context)
    text = request.POST.get("names", "")
    try:
        added = entrants.add_names(event_id=event.pk, by=actor, text=text)
    except UserError as error:
        context |= {"text": text, "told": str(error)}
        return desk_page(request, event, actor, "events/desk/add.html", context, status=422)
    if not added.entrants and not added.refused:
        context["told"] = _("There is no name in the list.")
        return desk_page(request, event, actor, "events/desk/add.html", context, status=422)
    for sentence in _told(added, event):
        messages.success(request, sentence)
    if added.refused:
        lines = dict.fromkeys(refused.text for refused in added.refused)
        context |= {"text": "\n".join(lines), "refused": added.refused}
        return desk_page(request, event, actor, "events/desk/add.html", context, status=422)
    return HttpResponseRedirect(back(request, event))


def _told(added: Added, event: Event) -> list[str]:
    if not added.entrants:
        return []
    count = len(added.entrants)
    found = [ngettext("%(n)d entrant is added.", "%(n)d entrants are added.", count) % {"n": count}]
    for number, one, many in (
        (added.accounts, _("%(n)d of the names is an account here."), _("%(n)d of the names are accounts here.")),
        (
            added.strangers if event.kind == Event.Kind.ONLINE else 0,
            _("%(n)d has no account here, and so a table in the hall."),
            _("%(n)d have no account here, and so tables in the hall."),
        ),
        (added.spare, _("%(n)d looks for a partner."), _("%(n)d look for a partner.")),
        (added.waiting, _("%(n)d is on the waiting list."), _("%(n)d are on the waiting list.")),
        (
            added.shared,
            _("%(n)d line was read as several people, who play singly here."),
            _("%(n)d lines were read as several people, who play singly here."),
        ),
        (
            added.surnames,
            _("%(n)d was read as one person, the surname before the comma."),
            _("%(n)d were read as one person each, the surname before the comma; for two people write Ann & Bob."),
        ),
    ):
        if number:
            found.append((one if number == 1 else many) % {"n": number})
    return [" ".join(found)]


@at_event("deputy", "GET", "HEAD")
def person(request: HttpRequest, event: Event, actor: Actor, entrant_id: int) -> HttpResponse:
    """All that can be done with one entrant."""
    entrant = _find(event, entrant_id)
    return _person_page(request, event, actor, entrant)


def _person_page(
    request: HttpRequest, event: Event, actor: Actor, entrant: Entrant, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"entrant": entrant, "members": selectors.read_members(entrant), "reason": "", **more}
    return desk_page(request, event, actor, "events/desk/person.html", context, status=status)


@at_event("deputy", "POST")
def person_do(request: HttpRequest, event: Event, actor: Actor, entrant_id: int) -> HttpResponse:
    """Let in, check in, take out, bring back, note, seed."""
    entrant = _find(event, entrant_id)
    this: dict[str, Any] = {"event_id": event.pk, "by": actor, "entrant_id": entrant_id}
    reason = request.POST.get("reason", "")
    verbs: dict[str, Callable[[], Any]] = {
        "accept": lambda: entrants.accept(**this),
        "decline": lambda: entrants.decline(**this, reason=reason),
        "check_in": lambda: entrants.check_in(**this),
        "check_out": lambda: entrants.check_in(**this, here=False),
        "withdraw": lambda: entrants.withdraw(**this, reason=reason),
        "pause": lambda: entrants.pause(**this, reason=reason),
        "bring_back": lambda: entrants.bring_back(**this),
        "disqualify": lambda: entrants.disqualify(**this, reason=reason),
        "remove": lambda: entrants.remove(**this),
        "note": lambda: lineup.set_note(**this, note=request.POST.get("note", "")),
        "seed": lambda: lineup.set_seed(**this, seed=number_in(request, "seed", _("A seed is a whole number."))),
        "extra": lambda: lineup.set_extra(**this, extra=_signed(request, "extra")),
    }
    try:
        chosen(request, verbs)()
    except UserError as error:
        kept = {name: request.POST.get(name, "") for name in ("reason", "note", "seed", "extra")}
        if request.headers.get("HX-Request"):
            messages.error(request, str(error))
            return HttpResponseRedirect(back(request, event))
        return _person_page(request, event, actor, entrant, 422, told=str(error), kept=kept, reason=reason)
    if request.POST.get("do") in OUT and (table := selectors.open_table_of(entrant)) is not None:
        messages.warning(
            request,
            _("%(name)s still has table %(table)d of this round: seat a substitute, or forfeit the table.")
            % {"name": entrant.name, "table": table},
        )
    return HttpResponseRedirect(back(request, event))


@at_event("direct", "POST")
def member_do(request: HttpRequest, event: Event, actor: Actor, member_id: int) -> HttpResponse:
    """Somebody else, or a bot, instead of a person; a name written another way; two people change places."""
    this: dict[str, Any] = {"event_id": event.pk, "by": actor}
    name = request.POST.get("name", "")
    verbs: dict[str, Callable[[], Any]] = {
        "substitute": lambda: lineup.substitute(**this, member_id=member_id, name=name),
        "bot": lambda: lineup.substitute(**this, member_id=member_id, bot=True),
        "rename": lambda: lineup.rename(**this, member_id=member_id, name=name),
    }
    try:
        chosen(request, verbs)()
    except UserError as error:
        found = event.members.filter(pk=member_id).select_related("entrant").first()
        if found is None or request.headers.get("HX-Request"):
            messages.error(request, str(error))
            return HttpResponseRedirect(back(request, event))
        more = {"told": str(error), "typed_name": name, "typed_member": member_id}
        return _person_page(request, event, actor, found.entrant, 422, **more)
    return HttpResponseRedirect(back(request, event))


@at_event("direct", "POST")
def pair(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Make one entrant of several who look for a partner."""
    ids = [key for text in request.POST.getlist("entrant") if (key := whole_number(text, 18, None)) is not None]
    return act(
        request,
        event,
        lambda: entrants.pair_up(event_id=event.pk, by=actor, entrant_ids=ids),
        _("They play together."),
    )


@at_event("direct")
def wishes(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """What every draw from now on has to keep."""
    told, status = "", 200
    if request.method == "POST":
        try:
            kind = request.POST.get("kind", "")
            table = kind == Wish.Kind.FIXED_TABLE
            lineup.add_wish(
                event_id=event.pk,
                by=actor,
                kind=kind,
                one_id=number_in(request, "one", _("Choose whom it is about."), 18),
                other_id=None if table else number_in(request, "other", _("Choose two of them."), 18),
                table=number_in(request, "table", _("Choose the table."), 4) if table else None,
            )
        except UserError as error:
            told, status = str(error), 422
        else:
            messages.success(request, _("Every draw from now on keeps to it."))
            return HttpResponseRedirect(at("desk_wishes", event))
    context = {
        "wishes": selectors.read_wishes(event),
        "kinds": Wish.Kind.choices,
        "choices": selectors.read_choices(event),
        "told": told,
        "typed": {name: request.POST.get(name, "") for name in ("kind", "one", "other", "table")},
    }
    return desk_page(request, event, actor, "events/desk/wishes.html", context, status=status)


@at_event("direct", "POST")
def unwish(request: HttpRequest, event: Event, actor: Actor, wish_id: int) -> HttpResponse:
    return act(
        request,
        event,
        lambda: lineup.remove_wish(event_id=event.pk, by=actor, wish_id=wish_id),
        _("Draws need not keep to it any more."),
    )


def _find(event: Event, entrant_id: int) -> Entrant:
    found = selectors.find_entrant(event, entrant_id)
    if found is None:
        raise Http404("no such entrant")
    return found


def _signed(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "").strip().replace("−", "-")
    found = whole_number(text.removeprefix("-"), 5, None)
    if found is None:
        raise UserError(_("Type a whole number."))
    return -found if text.startswith("-") else found
