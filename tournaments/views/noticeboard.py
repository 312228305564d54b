"""Notices and house rules of a club."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.engine import PRESETS
from games.services.errors import UserError
from games.templatetags.house_rules import STARTS, preset_of
from tournaments.forms.clubs import ClubRulesForm, NoticeForm
from tournaments.models import Club
from tournaments.selectors import clubs as selectors
from tournaments.selectors.clubs import Viewer
from tournaments.services import noticeboard
from tournaments.views.clubs import at
from tournaments.views.frame import at_club, club_page, done


@at_club("directs")
def new_notice(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    form = NoticeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            noticeboard.post_notice(club_id=club.pk, by=request.user.pk, **form.cleaned_data)
        except UserError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The notice is up."))
            return redirect(club)
    return club_page(request, club, viewer, "clubs/notice.html", {"form": form}, status=_status(request))


@at_club("directs")
def edit_notice(request: HttpRequest, club: Club, viewer: Viewer, notice_id: int) -> HttpResponse:
    notice = selectors.find_notice(club, notice_id)
    if notice is None:
        raise Http404("no such notice")
    initial = {"title": notice.title, "text": notice.text, "pinned": notice.pinned}
    form = NoticeForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            noticeboard.rewrite_notice(club_id=club.pk, by=request.user.pk, notice_id=notice_id, **form.cleaned_data)
        except UserError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The notice is changed."))
            return redirect(club)
    context = {"form": form, "notice": notice}
    return club_page(request, club, viewer, "clubs/notice.html", context, status=_status(request))


@at_club("directs", "POST")
def delete_notice(request: HttpRequest, club: Club, viewer: Viewer, notice_id: int) -> HttpResponse:
    return done(
        request,
        lambda: noticeboard.take_notice_down(club_id=club.pk, by=request.user.pk, notice_id=notice_id),
        club.get_absolute_url(),
        said=_("The notice is down."),
    )


@at_club("see", "GET", "HEAD")
def rules(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    return club_page(request, club, viewer, "clubs/rules.html", {"sets": selectors.read_rules(club)})


@at_club("directs")
def new_rules(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """A set of the club's; ``?preset=british`` fills it in."""
    if request.method != "POST":
        start = PRESETS.get(request.GET.get("preset", "article"))
        if start is None:
            raise Http404("no such rules")
        return _rules_page(request, club, viewer, ClubRulesForm.of(start), None)
    return _save(request, club, viewer, None)


@at_club("directs")
def edit_rules(request: HttpRequest, club: Club, viewer: Viewer, set_id: int) -> HttpResponse:
    kept = next((kept for kept in selectors.read_rules(club) if kept.id == set_id), None)
    if kept is None:
        raise Http404("no such rules")
    if request.method != "POST":
        return _rules_page(request, club, viewer, ClubRulesForm.of(kept.rules, kept.name), set_id)
    return _save(request, club, viewer, set_id)


@at_club("directs", "POST")
def delete_rules(request: HttpRequest, club: Club, viewer: Viewer, set_id: int) -> HttpResponse:
    return done(
        request,
        lambda: noticeboard.delete_rules(club_id=club.pk, by=request.user.pk, set_id=set_id),
        at("club_rules", club),
        said=_("The rules are deleted."),
    )


def _save(request: HttpRequest, club: Club, viewer: Viewer, set_id: int | None) -> HttpResponse:
    form = ClubRulesForm(request.POST)
    if form.is_valid():
        name, chosen = form.cleaned_data["name"], form.cleaned_data["rules"]
        try:
            noticeboard.save_rules(club_id=club.pk, by=request.user.pk, name=name, rules=chosen, set_id=set_id)
        except UserError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, _("“%(name)s” is saved.") % {"name": name})
            return HttpResponseRedirect(at("club_rules", club))
    return _rules_page(request, club, viewer, form, set_id)


def _rules_page(
    request: HttpRequest, club: Club, viewer: Viewer, form: ClubRulesForm, set_id: int | None
) -> HttpResponse:
    chosen = form.rules
    context = {
        "form": form,
        "set_id": set_id,
        "rules": chosen,
        "starts": STARTS if set_id is None and not form.is_bound else (),
        "preset": preset_of(chosen) if chosen else None,
    }
    return club_page(request, club, viewer, "clubs/edit_rules.html", context, status=422 if form.errors else 200)


def _status(request: HttpRequest) -> int:
    """Of a form's page: a POST that comes to it was refused."""
    return 422 if request.method == "POST" else 200
