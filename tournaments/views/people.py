"""A club's members and who wants to be one."""

from __future__ import annotations

from typing import Final

from allauth.core import ratelimit
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.services.errors import UserError
from games.views.pages import too_many
from tournaments.forms.clubs import BanByNameForm, BanForm, InvitationForm, NoteForm, RequestForm
from tournaments.models import Club, Role
from tournaments.selectors import clubs as selectors
from tournaments.selectors import ladders
from tournaments.selectors.clubs import Viewer
from tournaments.services import clubs, joining
from tournaments.views.clubs import at, page_of, search_of
from tournaments.views.frame import JOINING, at_club, club_page, done, log_in_first

NEW_LINK: Final = "club_invitation"
"""In the session: the token of a link that was just made, until it has been shown, and its club."""

ROLES: Final = {role.name.lower(): role for role in Role}


# --- for oneself ---------------------------------------------------------------------------------------


@at_club("account", "POST", rate=JOINING)
def join(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    form = RequestForm(request.POST)
    back = club.get_absolute_url()
    if not form.is_valid():
        messages.error(request, " ".join(form.errors["message"]))
        return HttpResponseRedirect(back)
    try:
        outcome = joining.join_club(club_id=club.pk, player_id=request.user.pk, **form.cleaned_data)
    except UserError as error:
        messages.error(request, str(error))
    else:
        said = {"joined": _("You are a member now."), "asked": _("You have asked. A director will answer.")}
        messages.success(request, said[outcome])
    return HttpResponseRedirect(back)


@at_club("account", "POST", rate=JOINING)
def withdraw(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    joining.withdraw_request(club_id=club.pk, player_id=request.user.pk)
    messages.success(request, _("You do not ask any more."))
    return redirect(club)


@at_club("account", "POST", rate=JOINING)
def leave(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    if not viewer.member:
        return redirect(club)
    return done(
        request,
        lambda: joining.leave_club(club_id=club.pk, player_id=request.user.pk),
        reverse("clubs"),
        said=_("You have left %(club)s.") % {"club": club.name},
        failed=club.get_absolute_url(),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What a link leads to: the club's name, and a button to join it."""
    if request.method == "POST":
        if not request.user.is_authenticated or request.user.guest:
            return log_in_first(request.path)
        if not ratelimit.consume(request, action=JOINING, user=request.user):
            return too_many(request)
        try:
            slug = joining.join_by_invitation(token=token, player_id=request.user.pk)
        except UserError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("You are a member now."))
            return redirect("club", slug)
    found = selectors.find_invitation(token)
    context = {"invitation": found, "member_count": selectors.count_members(found.club) if found else 0}
    response = render(request, "clubs/invitation.html", context, status=200 if found else 410)
    response["X-Robots-Tag"] = "noindex"
    return response


# --- members ---------------------------------------------------------------------------------------------


@at_club("see", "GET", "HEAD")
def members(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    search = search_of(request)
    context = {"page": selectors.read_members(club, search, page_of(request)), "search": search}
    return club_page(request, club, viewer, "clubs/members.html", context)


@at_club("account", "GET", "HEAD")
def member(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    """What may be done about a member: by directors, and by the member."""
    _check_sees(viewer, player_id)
    return _member_page(request, club, viewer, player_id)


@at_club("account", "POST")
def member_role(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    _check_sees(viewer, player_id)
    role = ROLES.get(request.POST.get("role", ""))
    back = at("club_member", club, player_id)
    if role is None:
        messages.error(request, _("Choose a role: owner, director or member."))
        return HttpResponseRedirect(back)
    return done(
        request,
        lambda: clubs.set_role(club_id=club.pk, by=request.user.pk, player_id=player_id, role=role),
        back,
        said=_("The role is changed."),
    )


@at_club("directs", "POST")
def member_note(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    form = NoteForm(request.POST)
    if form.is_valid():
        return done(
            request,
            lambda: joining.set_note(
                club_id=club.pk, by=request.user.pk, player_id=player_id, note=form.cleaned_data["note"]
            ),
            at("club_member", club, player_id),
            said=_("The note is saved."),
            failed=at("club_members", club),
        )
    return _member_page(request, club, viewer, player_id, note_form=form, status=422)


@at_club("directs", "POST")
def member_remove(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    return done(
        request,
        lambda: joining.remove_member(club_id=club.pk, by=request.user.pk, player_id=player_id),
        at("club_members", club),
        said=_("The player is no member any more."),
    )


@at_club("directs", "POST")
def member_ban(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    form = BanForm(request.POST)
    if form.is_valid():
        return done(
            request,
            lambda: joining.ban_player(
                club_id=club.pk, by=request.user.pk, player_id=player_id, reason=form.cleaned_data["reason"]
            ),
            at("club_door", club),
            said=_("The player is banned."),
        )
    return _member_page(request, club, viewer, player_id, ban_form=form, status=422)


def _check_sees(viewer: Viewer, player_id: int) -> None:
    if not (viewer.directs or (viewer.member and viewer.player_id == player_id)):
        raise PermissionDenied


def _member_page(
    request: HttpRequest, club: Club, viewer: Viewer, player_id: int, *, status: int = 200,
    note_form: NoteForm | None = None, ban_form: BanForm | None = None,
) -> HttpResponse:  # fmt: skip
    found = selectors.find_member(club, player_id)
    if found is None:
        raise Http404("no such member")
    role = Role(found.role)
    own = viewer.player_id == player_id
    context = {
        "member": found,
        "own": own,
        "roles": [
            (name, other)
            for name, other in ROLES.items()
            if other != role and ((own and other > role) or (viewer.owns and (role != Role.OWNER or viewer.staff)))
        ],
        "may_remove": not own and viewer.commands(role),
        "note_form": note_form or NoteForm(initial={"note": found.note}),
        "ban_form": ban_form or BanForm(),
        "standing": ladders.read_standing(club, player_id) if viewer.commands(role) and not club.closed_at else [],
    }
    return club_page(request, club, viewer, "clubs/member.html", context, status=status)


# --- the door --------------------------------------------------------------------------------------------


@at_club("directs", "GET", "HEAD")
def door(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """Requests, invitation links and bans."""
    return _door(request, club, viewer)


@at_club("directs", "POST")
def answer(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    back = at("club_door", club)
    by = request.user.pk
    if request.POST.get("answer") == "accept":
        act, said = joining.accept_request, _("The player is a member now.")
    elif request.POST.get("answer") == "decline":
        act, said = joining.decline_request, _("The request is turned down.")
    else:
        messages.error(request, _("Accept the request or turn it down."))
        return HttpResponseRedirect(back)
    return done(request, lambda: act(club_id=club.pk, by=by, player_id=player_id), back, said=said)


@at_club("directs", "POST")
def invite(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    form = InvitationForm(request.POST)
    if form.is_valid():
        try:
            token = joining.invite(club_id=club.pk, by=request.user.pk, **form.cleaned_data)
        except UserError as error:
            form.add_error(None, str(error))
        else:
            request.session[NEW_LINK] = [club.pk, token]
            return HttpResponseRedirect(f"{at('club_door', club)}#links")
    return _door(request, club, viewer, invitation_form=form, status=422)


@at_club("directs", "POST")
def revoke(request: HttpRequest, club: Club, viewer: Viewer, invitation_id: int) -> HttpResponse:
    return done(
        request,
        lambda: joining.revoke_invitation(club_id=club.pk, by=request.user.pk, invitation_id=invitation_id),
        at("club_door", club),
        said=_("The link lets nobody in any more."),
    )


@at_club("directs", "POST")
def ban(request: HttpRequest, club: Club, viewer: Viewer) -> HttpResponse:
    """Ban by name: for who is no member."""
    form = BanByNameForm(request.POST)
    if form.is_valid():
        player = selectors.find_player(form.cleaned_data["name"])
        try:
            if player is None:
                raise UserError(_("Nobody here is called that. Check the spelling."))
            joining.ban_player(
                club_id=club.pk, by=request.user.pk, player_id=player.pk, reason=form.cleaned_data["reason"]
            )
        except UserError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, _("The player is banned."))
            return HttpResponseRedirect(at("club_door", club))
    return _door(request, club, viewer, ban_form=form, status=422)


@at_club("directs", "POST")
def lift(request: HttpRequest, club: Club, viewer: Viewer, player_id: int) -> HttpResponse:
    return done(
        request,
        lambda: joining.lift_ban(club_id=club.pk, by=request.user.pk, player_id=player_id),
        at("club_door", club),
        said=_("The ban is lifted."),
    )


def _door(
    request: HttpRequest, club: Club, viewer: Viewer, *, status: int = 200,
    invitation_form: InvitationForm | None = None, ban_form: BanByNameForm | None = None,
) -> HttpResponse:  # fmt: skip
    new = request.session.pop(NEW_LINK, None) if request.method == "GET" else None
    link = new and new[0] == club.pk and request.build_absolute_uri(reverse("club_invitation", args=[new[1]]))
    context = {
        "door": selectors.read_door(club),
        "new_link": link,
        "invitation_form": invitation_form or InvitationForm(),
        "ban_form": ban_form or BanByNameForm(),
    }
    return club_page(request, club, viewer, "clubs/door.html", context, status=status)
