"""Ladders of a club: looked at by everybody who sees the club, climbed by its members, kept by its directors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from games.converters import whole_number
from games.services.errors import UserError
from games.views.sheets import sheet
from tournaments.forms.ladders import LadderForm
from tournaments.models import Club, Ladder, LadderEntry, LadderMatch
from tournaments.selectors import ladders as selectors
from tournaments.selectors.clubs import Viewer
from tournaments.services import ladders
from tournaments.services.ladders import Correction
from tournaments.services.pasted import Refused
from tournaments.views.clubs import at, page_of
from tournaments.views.frame import Needs, View, at_club, club_page, done, log_in_first, number_in


def at_ladder(needs: Needs, *methods: str) -> Callable[[View], View]:
    """As ``at_club``, for a view of ``(request, club, viewer, ladder, ...)``. One query more."""

    def decorate(view: View) -> View:
        @at_club(needs, *methods)
        @wraps(view)
        def found(
            request: HttpRequest, club: Club, viewer: Viewer, ladder_id: int, *args: Any, **kwargs: Any
        ) -> HttpResponse:
            ladder = selectors.find_ladder(club, ladder_id)
            if ladder is None:
                raise Http404("no such ladder")
            return view(request, club, viewer, ladder, *args, **kwargs)

        return found

    return decorate


def ladder_page(
    request: HttpRequest,
    club: Club,
    viewer: Viewer,
    ladder: Ladder,
    template: str,
    context: dict[str, Any],
    *,
    live: bool = False,
    status: int = 200,
) -> HttpResponse:
    """A page of a ladder, within the club's frame; ``live``: it reads itself anew whenever the ladder moves on."""
    more = {"ladder": ladder, "open": _is_open(club, ladder), "live": live} | context
    return club_page(request, club, viewer, template, more, status=status)


@at_club("see", "GET", "HEAD")
def listed(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    return club_page(request, club, viewer, "ladders/list.html", {"ladders": selectors.read_ladders(club)})


@at_ladder("see", "GET", "HEAD")
def ladder(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    """The rungs, what is open, what one may do."""
    board = selectors.read_board(ladder)
    matches = selectors.read_matches(board)
    own = selectors.read_own(board, matches, viewer.player_id)
    is_open = _is_open(club, ladder)
    climbs = viewer.player_id if viewer.member and not viewer.banned and own.pair is None and is_open else None
    context = {
        "at_top": True,
        "rules": board.rules,
        "reach": board.rules.rungs(len(board.state.order)),
        "rungs": selectors.read_rungs(board, matches, own.pair if is_open else None),
        "matches": sorted(matches.values(), key=lambda match: match.at),
        "own": own,
        "partners": selectors.read_partners(board, climbs, own.asked) if climbs else None,
        "history": selectors.read_history(board, size=selectors.LATEST),
    }
    return ladder_page(request, club, viewer, ladder, "ladders/ladder.html", context, live=True)


@at_ladder("see", "GET", "HEAD")
def history(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    """The whole log, and what time did."""
    page = selectors.read_history(selectors.read_board(ladder), page_of(request))
    context = {"page": page, "corrects": viewer.directs}
    return ladder_page(request, club, viewer, ladder, "ladders/history.html", context, live=True)


@at_ladder("see", "GET", "HEAD")
def as_csv(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    head = [_("Place"), _("Name"), _("Partner"), _("Last game")]
    rows = selectors.rows_for_export(selectors.read_board(ladder))
    told = ([place, *pair.names, active.isoformat(timespec="seconds")] for place, pair, active in rows)
    return sheet(f"ladder-{ladder.pk}", head, told)


@at_ladder("see", "GET", "HEAD")
def as_json(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    rows = selectors.rows_for_export(selectors.read_board(ladder))
    return JsonResponse(
        {
            "ladder": ladder.name,
            "closed": ladder.closed_at,
            "rows": [
                {"place": place, "names": pair.names, "last_game": active.isoformat(timespec="seconds")}
                for place, pair, active in rows
            ],
        }
    )


# --- officers ----------------------------------------------------------------------------------------------


@at_club("directs")
def new(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    form = LadderForm(request.POST) if request.method == "POST" else LadderForm()
    if form.is_bound and form.is_valid():
        try:
            made = ladders.create_ladder(club_id=club.pk, by=request.user.pk, terms=form.terms)
        except UserError as error:
            _refuse(form, error)
        else:
            messages.success(request, _("The ladder is up. Members join it in pairs, or you enter them."))
            return HttpResponseRedirect(at("club_ladder", club, made))
    status = 422 if form.errors else 200
    return club_page(request, club, viewer, "ladders/edit.html", {"form": form, "ladder": None}, status=status)


@at_ladder("directs")
def edit(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    """Everything can be changed later; whose place that changes at once is said first."""
    form = LadderForm(request.POST) if request.method == "POST" else LadderForm.of(ladder)
    moved: tuple[selectors.Moved, ...] = ()
    if form.is_bound and form.is_valid():
        try:
            ladders.edit_ladder(
                ladder_id=ladder.pk, by=request.user.pk, terms=form.terms, agreed="agreed" in request.POST
            )
        except ladders.NotAgreed as error:
            moved = error.moved
        except UserError as error:
            _refuse(form, error)
        else:
            messages.success(request, _("The settings are saved. The rules hold from now on."))
            return HttpResponseRedirect(at("club_ladder", club, ladder.pk))
    status = 422 if form.errors or moved else 200
    context = {"form": form, "moved": moved}
    return ladder_page(request, club, viewer, ladder, "ladders/edit.html", context, status=status)


@at_ladder("directs", "POST")
def close(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    return done(
        request,
        lambda: ladders.close_ladder(ladder_id=ladder.pk, by=request.user.pk),
        at("club_ladder", club, ladder.pk),
        said=_("The ladder is closed. It stays to be read."),
    )


@at_ladder("directs", "POST")
def reopen(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    return done(
        request,
        lambda: ladders.reopen_ladder(ladder_id=ladder.pk, by=request.user.pk),
        at("club_ladder", club, ladder.pk),
        said=_("The ladder is open again."),
    )


@at_ladder("directs")
def desk(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    """Pairs entered from a list, and matches that were played without a word here."""
    refused: list[Refused] = []
    problem = ""
    in_match = request.POST.get("action") == "match"
    if request.method == "POST":
        try:
            if in_match:
                return HttpResponseRedirect(at("club_ladder_match", club, ladder.pk, _enter_match(request, ladder)))
            refused = _enter_pairs(request, ladder)
        except UserError as error:
            problem = str(error)
        else:
            if not refused:
                return HttpResponseRedirect(at("club_ladder", club, ladder.pk))
    board = selectors.read_board(_as_it_is(club, ladder))
    context = {
        "refused": refused,
        "problem": problem,
        "typed": "\n".join(line.text for line in refused) if refused else request.POST.get("pairs", ""),
        "rungs": selectors.read_rungs(board, {}, None),
        "post": request.POST,
        "typed_points": _typed_points(request),
        "in_match": in_match,
    }
    status = 422 if problem or refused else 200
    return ladder_page(request, club, viewer, ladder, "ladders/desk.html", context, status=status)


def _enter_match(request: HttpRequest, ladder: Ladder) -> int:
    """The id of the match."""
    made = ladders.enter_match(
        ladder_id=ladder.pk,
        by=request.user.pk,
        lower=number_in(request, "lower", _("Choose who challenged."), 18),
        upper=number_in(request, "upper", _("Choose who was challenged."), 18),
        points=_points(request),
    )
    messages.success(request, _("The match is entered."))
    return made


def _enter_pairs(request: HttpRequest, ladder: Ladder) -> list[Refused]:
    """The lines that could not be used."""
    entered, refused = ladders.enter_pairs(ladder_id=ladder.pk, by=request.user.pk, text=request.POST.get("pairs", ""))
    if not refused:
        messages.success(request, _("Pairs entered: %(count)d.") % {"count": entered})
    elif entered:
        messages.success(request, _("Pairs entered: %(count)d. The other lines are below.") % {"count": entered})
    return refused


@at_ladder("directs")
def entry(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder, entry_id: int) -> HttpResponse:
    """An entry of the log, put right after a look at what that changes."""
    row = ladder.entries.select_related("pair", "other", "match", "by").filter(pk=entry_id).first()
    if row is None or row.kind not in row.TOLD:
        raise Http404("no such entry")
    return _correct(request, club, viewer, ladder, row=row)


@at_ladder("directs")
def late(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder, match_id: int) -> HttpResponse:
    """A challenge that was answered in time after all."""
    return _correct(request, club, viewer, ladder, match=_match(ladder, match_id))


def _correct(
    request: HttpRequest,
    club: Club,
    viewer: Viewer,
    ladder: Ladder,
    *,
    row: LadderEntry | None = None,
    match: LadderMatch | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {"row": row, "match": match, "post": request.POST}
    context["pairs"] = selectors.sides_of(row.match if row is not None else match)
    context["typed_points"] = _typed_points(request)
    if row is not None:
        context["typed_at"] = timezone.localtime(row.at).strftime("%Y-%m-%dT%H:%M")
    if request.method == "POST":
        try:
            change = _change(request, row, match)
            version = whole_number(request.POST.get("version"), 9, None)
            if version is not None:
                ladders.correct(
                    ladder_id=ladder.pk,
                    by=request.user.pk,
                    change=change,
                    version=version,
                    reason=request.POST.get("reason", ""),
                )
                messages.success(request, _("The log is put right."))
                return HttpResponseRedirect(at("club_ladder_history", club, ladder.pk))
            context |= {
                "preview": ladders.preview(ladder_id=ladder.pk, by=request.user.pk, change=change),
                "change": change,
            }
        except UserError as error:
            context["problem"] = str(error)
    status = 422 if "problem" in context else 200
    return ladder_page(request, club, viewer, ladder, "ladders/correct.html", context, status=status)


def _change(request: HttpRequest, row: LadderEntry | None, match: LadderMatch | None) -> Correction:
    if match is not None:
        return Correction("answered", match_id=match.pk)
    assert row is not None
    match request.POST.get("do"):
        case "strike":
            return Correction("strike", entry_id=row.pk)
        case "restore":
            return Correction("restore", entry_id=row.pk)
        case "points":
            return Correction("points", entry_id=row.pk, points=_points(request))
        case "time":
            return Correction("time", entry_id=row.pk, at=_time(request))
    raise UserError(_("Choose what to change."))


# --- members -------------------------------------------------------------------------------------------------


@at_ladder("account", "POST")
def join(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder) -> HttpResponse:
    """Questions between partners, answers, and leaving."""
    by, back = request.user.pk, at("club_ladder", club, ladder.pk)

    def act() -> None:
        other = number_in(request, "player", _("Choose a partner."), 18)
        match request.POST.get("action"):
            case "ask":
                if ladders.ask_partner(ladder_id=ladder.pk, by=by, to=other):
                    messages.success(request, _("You are on the ladder."))
                else:
                    messages.success(request, _("You have asked. Once your partner agrees you are on the ladder."))
            case "accept":
                ladders.accept(ladder_id=ladder.pk, by=by, asked_by=other)
                messages.success(request, _("You are on the ladder."))
            case "decline":
                ladders.drop_ask(ladder_id=ladder.pk, by=by, asked_by=other, to=by)
            case "withdraw":
                ladders.drop_ask(ladder_id=ladder.pk, by=by, asked_by=by, to=other)
            case _:
                raise UserError(_("That button is not known here."))

    return done(request, act, back)


@at_ladder("account", "POST")
def leave(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder, pair_id: int) -> HttpResponse:
    return done(
        request,
        lambda: ladders.leave(ladder_id=ladder.pk, by=request.user.pk, pair_id=pair_id),
        at("club_ladder", club, ladder.pk),
        said=_("The pair is off the ladder.")
        if not viewer.directs
        else _("The pair is off the ladder. Strike that out in the history, and they stand where they stood."),
    )


@at_ladder("account", "POST")
def challenge(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder, pair_id: int) -> HttpResponse:
    try:
        match_id = ladders.challenge(ladder_id=ladder.pk, by=request.user.pk, upper=pair_id)
    except UserError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(at("club_ladder", club, ladder.pk))
    messages.success(request, _("The challenge is made. Now they answer."))
    return HttpResponseRedirect(at("club_ladder_match", club, ladder.pk, match_id))


@at_ladder("see")
def match(request: HttpRequest, club: Club, viewer: Viewer, ladder: Ladder, match_id: int) -> HttpResponse:
    """A match: the challenge, its answer, the table, the score."""
    found = _match(ladder, match_id)
    problem = ""
    if request.method == "POST":
        here = at("club_ladder_match", club, ladder.pk, match_id)
        if viewer.player_id is None:
            return log_in_first(here)
        try:
            return HttpResponseRedirect(_act(request, match_id) or here)
        except UserError as error:
            problem = str(error)
        found = _match(ladder, match_id)
    board = selectors.read_board(_as_it_is(club, ladder) if problem else ladder)
    page = selectors.read_match(board, found, viewer.player_id)
    context = {
        "page": page,
        "problem": problem,
        "sides": _sides(request, found, board),
    }
    status = 422 if problem else 200
    return ladder_page(request, club, viewer, ladder, "ladders/match.html", context, live=True, status=status)


def _act(request: HttpRequest, match_id: int) -> str | None:
    """Do what a button of a match asks for; where to go then, None: back."""
    by = request.user.pk
    match request.POST.get("action"):
        case "answer":
            ladders.answer(match_id=match_id, by=by)
        case "refuse":
            ladders.refuse(match_id=match_id, by=by)
        case "open":
            return reverse("table", args=[ladders.open_table(match_id=match_id, by=by)])
        case "close":
            ladders.close_table(match_id=match_id, by=by)
        case "report":
            if ladders.report(match_id=match_id, by=by, points=_points(request)):
                messages.success(request, _("The result counts."))
            else:
                messages.success(request, _("The score is noted. The other side confirms it."))
        case "confirm":
            ladders.confirm(match_id=match_id, by=by, points=_points(request))
            messages.success(request, _("The result counts."))
        case "walk_over":
            ladders.walk_over(
                match_id=match_id, by=by, winner=number_in(request, "winner", _("Say which side wins."), 18)
            )
        case _:
            raise UserError(_("That button is not known here."))
    return None


def _sides(request: HttpRequest, found: LadderMatch, board: selectors.Board) -> list[dict[str, Any]]:
    return [
        {"at": side, "pair": pair, "place": board.state.place(pair.number), "typed": typed}
        for side, (pair, typed) in enumerate(zip((found.lower, found.upper), _typed_points(request), strict=True))
    ]


def _match(ladder: Ladder, match_id: int) -> LadderMatch:
    found = selectors.find_match(ladder, match_id)
    if found is None:
        raise Http404("no such match")
    return found


def _points(request: HttpRequest) -> tuple[int, int]:
    one, other = (whole_number(typed.strip(), 3, None) for typed in _typed_points(request))
    if one is None or other is None:
        raise UserError(_("Type the points of both sides as whole numbers."))
    return one, other


def _typed_points(request: HttpRequest) -> list[str]:
    """As they were typed, of lower and upper."""
    return [request.POST.get(f"points-{side}", "") for side in (0, 1)]


def _time(request: HttpRequest) -> datetime | None:
    """The time typed, as the site's clock reads; None for what is none."""
    try:
        typed = parse_datetime(request.POST.get("at", ""))
        return timezone.make_aware(typed.replace(tzinfo=None)) if typed is not None else None
    except (ValueError, OverflowError):
        return None


def _as_it_is(club: Club, ladder: Ladder) -> Ladder:
    """The ladder read again, once it may have been written to."""
    return selectors.find_ladder(club, ladder.pk) or ladder


def _is_open(club: Club, ladder: Ladder) -> bool:
    return club.closed_at is None and ladder.closed_at is None


def _refuse(form: LadderForm, error: UserError) -> None:
    form.add_error(error.field if isinstance(error, ladders.BadSetting) else None, str(error))
