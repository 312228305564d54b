"""A name is enough to play: guests come, and go by their own doors to log in, join and leave."""

from __future__ import annotations

from urllib.parse import urlencode

from allauth.account.views import login as account_login
from allauth.account.views import logout as account_logout
from allauth.account.views import signup as account_signup
from allauth.core import ratelimit
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts import GuestForm
from games.services import guests, sanctions, watching
from games.services.errors import UserError
from games.views.pages import too_many

BACKEND = "games.accounts.NameBackend"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest(request: HttpRequest) -> HttpResponse:
    """Asks a visitor for his name alone, and goes on to ``next``."""
    then = _next(request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(then)
    if request.method != "POST":
        return _ask(request, GuestForm(), then)
    if not ratelimit.consume(request, action="signup"):
        return too_many(request)
    form = GuestForm(request.POST)
    if form.is_valid() and come_in(request, form):
        return HttpResponseRedirect(then)
    return _ask(request, form, then)


def come_in(request: HttpRequest, form: GuestForm) -> bool:
    """Make the visitor a guest of the name in a checked form; False, with an error in the form, if that
    was taken in this very moment, or if staff have shut out somebody who has used this browser: guests
    have no log-in that could tell them."""
    users = watching.users_of(request.COOKIES.get(watching.COOKIE, ""))
    for told in filter(None, (sanctions.ban_sentence(one, timezone.now()) for one in users)):
        form.add_error("name", told)
        return False
    try:
        player = guests.add_guest(name=form.cleaned_data["name"])
    except UserError as error:
        form.add_error("name", str(error))
        return False
    login(request, player, BACKEND)
    request.session.set_expiry(guests.STAYS)
    return True


def name_first(then: str) -> HttpResponseRedirect:
    """To the page that asks for a name, and on to ``then``."""
    return redirect(f"{reverse('guest')}?{urlencode({'next': then})}")


def _ask(request: HttpRequest, form: GuestForm, then: str) -> HttpResponse:
    context = {"form": form, "then": then, "login_next": urlencode({"next": then})}
    return render(request, "account/guest.html", context, status=422 if form.errors else 200)


def _next(request: HttpRequest) -> str:
    then = request.POST.get("next") or request.GET.get("next") or ""
    local = url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure())
    return then if local else reverse("lobby")


def log_in(request: HttpRequest) -> HttpResponse:
    """allauth's page, but to a guest the one that makes him an account."""
    return _keep_name(request) if _is_guest(request) else account_login(request)


def sign_up(request: HttpRequest) -> HttpResponse:
    """allauth's page, but to a guest the one that makes him an account."""
    return _keep_name(request) if _is_guest(request) else account_signup(request)


@never_cache
def log_out(request: HttpRequest) -> HttpResponse:
    """allauth's page; a guest is told first that his name is lost, wherever he pressed the button."""
    if request.method == "POST" and _is_guest(request) and "sure" not in request.POST:
        return render(request, "account/logout.html")
    return account_logout(request)


def _is_guest(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.guest


def _keep_name(request: HttpRequest) -> HttpResponse:
    return redirect(f"{reverse('account_set_password')}?{urlencode({'next': _next(request)})}")
