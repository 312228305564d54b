"""Season tables: read by everybody who sees the club, made by its directors."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.services.errors import UserError
from games.views.sheets import download, text_of
from tournaments.forms.seasons import SeasonForm
from tournaments.live import pages
from tournaments.models import Club, Season
from tournaments.selectors import seasons as selectors
from tournaments.selectors.clubs import Viewer
from tournaments.services import seasons
from tournaments.templatetags.seasons import plain
from tournaments.views.clubs import at
from tournaments.views.frame import at_club, club_page, done


@at_club("see", "GET", "HEAD")
def listed(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """All seasons of the club; the newest one's table is shown."""
    kept = selectors.read_seasons(club)
    return _page(request, club, viewer, kept, kept[0] if kept else None)


@at_club("see", "GET", "HEAD")
def season(request: HttpRequest, club: Club, viewer: Viewer, season_id: int) -> HttpResponse:
    kept = selectors.read_seasons(club)
    found = next((each for each in kept if each.pk == season_id), None)
    if found is None:
        raise Http404("no such season")
    return _page(request, club, viewer, kept, found)


def _page(request: HttpRequest, club: Club, viewer: Viewer, kept: list[Season], shown: Season | None) -> HttpResponse:
    context = {"seasons": kept, "season": shown, "table": _table(club, shown, viewer) if shown else ""}
    return club_page(request, club, viewer, "seasons/season.html", context)


def _table(club: Club, season: Season, viewer: Viewer) -> SafeString:
    """The same for all, but for the viewer's own line."""

    def make() -> str:
        context = {"club": club, "season": season, "table": selectors.season_table(season)}
        return render_to_string("seasons/_table.html", context)

    found = pages.kept(("page", *selectors.season_key(season)), make)
    own = f'<tr data-player="{viewer.player_id}"'
    return SafeString(found.replace(own, f'{own} class="is-me"'))


@at_club("see", "GET", "HEAD")
def as_csv(request: HttpRequest, club: Club, viewer: Viewer, season_id: int) -> HttpResponse:
    """The table with a column for each evening; what was left out is in brackets."""
    found = _found(club, season_id)
    text = pages.kept(("csv", *selectors.season_key(found)), lambda: _csv(found))
    return download(f"season-{found.pk}", text)


def _csv(season: Season) -> str:
    table = selectors.season_table(season)
    head = [_("Place"), _("Name"), _("Total"), *(event.title for event in table.events)]
    rows = (
        [line.row.place, line.name, plain(line.row.total), *(_term(term) for term in line.terms)] for line in table.rows
    )
    return text_of(head, rows)


@at_club("see", "GET", "HEAD")
def as_json(request: HttpRequest, club: Club, viewer: Viewer, season_id: int) -> HttpResponse:
    found = _found(club, season_id)
    text = pages.kept(("json", *selectors.season_key(found)), lambda: json.dumps(_rows(found)))
    return HttpResponse(text, content_type="application/json")


def _rows(season: Season) -> dict[str, Any]:
    table = selectors.season_table(season)
    return {
        "season": season.name,
        "events": [{"id": event.pk, "title": event.title} for event in table.events],
        "rows": [
            {
                "place": line.row.place,
                "name": line.name,
                "total": float(line.row.total),
                "evenings": [
                    None if term is None else {"place": term.place, "points": float(term.points), "counts": term.counts}
                    for term in line.terms
                ],
            }
            for line in table.rows
        ],
    }


@at_club("directs")
def new(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    form = SeasonForm(request.POST) if request.method == "POST" else SeasonForm()
    return _save(request, club, viewer, form, None)


@at_club("directs")
def edit(request: HttpRequest, club: Club, viewer: Viewer, season_id: int) -> HttpResponse:
    found = _found(club, season_id)
    form = SeasonForm(request.POST) if request.method == "POST" else SeasonForm.of(found)
    return _save(request, club, viewer, form, season_id)


@at_club("directs", "POST")
def delete(request: HttpRequest, club: Club, viewer: Viewer, season_id: int) -> HttpResponse:
    return done(
        request,
        lambda: seasons.delete_season(club_id=club.pk, by=request.user.pk, season_id=season_id),
        at("club_seasons", club),
        said=_("The season is deleted. Its events stay."),
    )


def _save(request: HttpRequest, club: Club, viewer: Viewer, form: SeasonForm, season_id: int | None) -> HttpResponse:
    if form.is_bound and form.is_valid():
        try:
            kept = seasons.save_season(club_id=club.pk, by=request.user.pk, terms=form.terms, season_id=season_id)
        except UserError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, _("“%(name)s” is saved.") % {"name": form.terms.name})
            return HttpResponseRedirect(at("club_season", club, kept))
    context = {"form": form, "season_id": season_id}
    return club_page(request, club, viewer, "seasons/edit.html", context, status=422 if form.errors else 200)


def _found(club: Club, season_id: int) -> Season:
    found = selectors.find_season(club, season_id)
    if found is None:
        raise Http404("no such season")
    return found


def _term(term: Any) -> str:
    if term is None:
        return ""
    return plain(term.points) if term.counts else f"({plain(term.points)})"
