"""A person's programs: their tokens, made, shown once, revoked."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from games.selectors.programs import read_tokens
from games.services import programs as services
from games.services.errors import UserError


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("token")
def programs(request: HttpRequest) -> HttpResponse:
    """All tokens, and a form for one more. A new one is shown by the answer to the form and never
    again: it is stored nowhere."""
    if request.method != "POST":
        return _page(request)
    name = request.POST.get("name", "")
    try:
        token = services.make_token(player_id=_player_id(request), name=name)
    except UserError as error:
        return _page(request, name=name, error=str(error))
    return _page(request, token=token)


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke a token of one's own; what is not there, or somebody else's, is left alone."""
    name = services.revoke_token(player_id=_player_id(request), token_id=token_id)
    if name is not None:
        messages.success(request, _("“%(name)s” is revoked. It can do nothing any more.") % {"name": name})
    return redirect("programs")


def _page(request: HttpRequest, *, token: str = "", name: str = "", error: str = "") -> HttpResponse:
    tokens = read_tokens(_player_id(request))
    context = {
        "tokens": tokens,
        "token": token,
        "name": name,
        "error": error,
        "longest": services.LONGEST_NAME,
        "most": services.MOST_TOKENS,
        "room": len(tokens) < services.MOST_TOKENS,
    }
    return render(request, "account/programs.html", context, status=422 if error else 200)


def _player_id(request: HttpRequest) -> int:
    assert request.user.pk is not None  # login_required has seen to it
    return request.user.pk
