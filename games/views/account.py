"""A person's own account: the page that links it all, and its end. The rest is django-allauth's."""

from __future__ import annotations

from typing import cast

from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.accounts import DeleteForm
from games.models import Player
from games.services.accounts import check_free, delete_account
from games.services.errors import UserError
from games.views.pages import too_many


@never_cache
@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Everything that can be set, each with its present state."""
    player = _player(request)
    kinds = Authenticator.objects.filter(user=player).values_list("type", flat=True)
    context = {
        "passkeys": sum(kind == Authenticator.Type.WEBAUTHN for kind in kinds),
        "has_totp": Authenticator.Type.TOTP in kinds,
        "email": EmailAddress.objects.filter(user=player, primary=True).first(),
    }
    return render(request, "account/overview.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Ask for the password, then delete the account for good. What stands in the way is said before."""
    player = _player(request)
    if request.method != "POST":
        return render(request, "account/delete.html", {"form": DeleteForm(player), "obstacle": _obstacle(player)})
    if not ratelimit.consume(request, action="reauthenticate", user=player):
        return too_many(request)
    form = DeleteForm(player, request.POST)
    if form.is_valid():
        try:
            delete_account(player_id=player.pk)
        except UserError as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Come back whenever you like."))
            return redirect("lobby")
    return render(request, "account/delete.html", {"form": form}, status=422)


def _obstacle(player: Player) -> str:
    try:
        check_free(player)
    except UserError as error:
        return str(error)
    return ""


def _player(request: HttpRequest) -> Player:
    return cast(Player, request.user)  # login_required has seen to it
