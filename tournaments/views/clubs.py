"""The list of clubs, a club's first page, its founding and its settings."""

from __future__ import annotations

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.converters import whole_number
from games.services.errors import UserError
from games.views.pages import too_many
from tournaments.forms.clubs import ClubForm, FoundingForm, RequestForm
from tournaments.models import Club
from tournaments.selectors import clubs as selectors
from tournaments.selectors import ladders
from tournaments.selectors.clubs import Viewer
from tournaments.services import clubs as services
from tournaments.views.frame import FOUNDING, at_club, club_page, done, log_in_first


@never_cache
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """Public clubs, and one's own first."""
    search = search_of(request)
    context = {
        "page": selectors.read_listed(search, page_of(request)),
        "search": search,
        "own": selectors.read_own(request.user.pk) if request.user.is_authenticated else [],
        "asked": selectors.read_asked(request.user.pk) if request.user.is_authenticated else [],
    }
    return render(request, "clubs/list.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def found(request: HttpRequest) -> HttpResponse:
    if request.user.guest:
        return log_in_first(request.path)
    if request.method != "POST":
        return render(request, "clubs/found.html", {"form": FoundingForm()})
    if not ratelimit.consume(request, action=FOUNDING, user=request.user):
        return too_many(request)
    form = FoundingForm(request.POST)
    if form.is_valid():
        try:
            slug = services.found_club(founder_id=request.user.pk, **form.cleaned_data)
        except services.Taken as error:
            form.add_error(error.field, str(error))
        except UserError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The club is founded, and you own it. Invite the others."))
            return redirect("club", slug)
    return render(request, "clubs/found.html", {"form": form}, status=422)


@at_club("see", "GET", "HEAD")
def club(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """The noticeboard, the house rules and some of the members."""
    context = {
        "notices": selectors.read_notices(club, page_of(request)),
        "first_members": selectors.read_first_members(club),
        "sets": selectors.read_rules(club),
        "request_form": RequestForm(),
        "standing": ladders.read_standing(club, viewer.player_id) if viewer.member and not club.closed_at else [],
    }
    return club_page(request, club, viewer, "clubs/club.html", context)


@at_club("owns")
def settings(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    fields = ("name", "line", "about", "joining", "public")
    if request.method != "POST":
        form = ClubForm(initial={field: getattr(club, field) for field in fields})
        return _settings(request, club, viewer, form)
    form = ClubForm(request.POST)
    if form.is_valid():
        try:
            services.edit_club(club_id=club.pk, by=request.user.pk, **form.cleaned_data)
        except services.Taken as error:
            form.add_error(error.field, str(error))
        except UserError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The settings are saved."))
            return redirect(club)
    return _settings(request, club, viewer, form, status=422)


def _settings(request: HttpRequest, club: Club, viewer: Viewer, form: ClubForm, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "busy": services.why_not_closed(club)}
    return club_page(request, club, viewer, "clubs/settings.html", context, status=status)


@at_club("owns", "POST")
def close(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    return done(
        request,
        lambda: services.close_club(club_id=club.pk, by=request.user.pk),
        club.get_absolute_url(),
        said=_("The club is closed. Its pages stay; you can open it again in its settings."),
    )


@at_club("owns", "POST")
def reopen(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    return done(
        request,
        lambda: services.reopen_club(club_id=club.pk, by=request.user.pk),
        club.get_absolute_url(),
        said=_("The club is open again."),
    )


@at_club("directs", "GET", "HEAD")
def log(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """Who did what."""
    return club_page(request, club, viewer, "clubs/log.html", {"page": selectors.read_log(club, page_of(request))})


def search_of(request: HttpRequest) -> str:
    """The words looked for, as many as a name may have."""
    return " ".join(request.GET.get("q", "").split())[: services.LONGEST_NAME]


def page_of(request: HttpRequest) -> int:
    return whole_number(request.GET.get("page"), 6, 1)


def at(name: str, club: Club, *args: object) -> str:
    """The address of one of a club's pages."""
    return reverse(name, args=[club.slug, *args])
