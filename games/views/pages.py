"""Pages about the site, the visitor's preferences, the state of the site, and what goes wrong."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import ratings
from games.bots import LEVELS
from games.models import Player
from games.preferences import COOKIE, Preferences, keep, keep_language, of
from games.selectors.health import read_health
from games.services import accounts, leaving, waiting
from games.services.looks import choose

_ON_OFF = {"on": pgettext_lazy("preference", "On"), "off": pgettext_lazy("preference", "Off")}

LOOKS: Final[dict[str, tuple[Any, dict[str, Any]]]] = {
    "theme": (
        pgettext_lazy("preference", "Theme"),
        {
            "auto": pgettext_lazy("theme", "As my device"),
            "light": pgettext_lazy("theme", "Light"),
            "dark": pgettext_lazy("theme", "Dark"),
        },
    ),
    "felt": (
        pgettext_lazy("preference", "Felt"),
        {
            "spruce": pgettext_lazy("felt", "Spruce"),
            "indigo": pgettext_lazy("felt", "Indigo"),
            "damson": pgettext_lazy("felt", "Damson"),
            "barn": pgettext_lazy("felt", "Barn red"),
        },
    ),
    "deck": (
        pgettext_lazy("preference", "Deck"),
        {"two": pgettext_lazy("deck", "Two colours"), "four": pgettext_lazy("deck", "Four colours")},
    ),
    "sort": (
        pgettext_lazy("preference", "Order of the hand"),
        {
            "suit": pgettext_lazy("order of the hand", "By suit"),
            "left": pgettext_lazy("order of the hand", "Trump left"),
            "right": pgettext_lazy("order of the hand", "Trump right"),
        },
    ),
    "taps": (
        pgettext_lazy("preference", "To play a card"),
        {
            "auto": pgettext_lazy("how a card is played", "Click, or tap twice"),
            "one": pgettext_lazy("how a card is played", "Once"),
            "two": pgettext_lazy("how a card is played", "Twice"),
        },
    ),
    "ahead": (pgettext_lazy("preference", "Mark a card before my turn"), _ON_OFF),
    "only": (pgettext_lazy("preference", "Play my only legal card"), _ON_OFF),
    "tags": (pgettext_lazy("preference", "Tags on bowers"), _ON_OFF),
    "sound": (
        pgettext_lazy("preference", "Sound on my turn"),
        {
            "hidden": pgettext_lazy("when a sound is heard", "Out of sight"),
            "on": pgettext_lazy("when a sound is heard", "Always"),
            "off": pgettext_lazy("when a sound is heard", "Never"),
        },
    ),
    "notify": (pgettext_lazy("preference", "Notice from the browser on my turn"), _ON_OFF),
    "keys": (pgettext_lazy("preference", "Keyboard shortcuts at the table"), _ON_OFF),
    "talk": (pgettext_lazy("preference", "Screen readers read talk out"), _ON_OFF),
}
"""Of each preference its legend, and the words of its choices."""


@require_safe
def about_ratings(request: HttpRequest) -> HttpResponse:
    context = {
        "start": ratings.shown(ratings.START.mu),
        "start_give_or_take": ratings.give_or_take(ratings.START.sigma),
    }
    return render(request, "pages/ratings.html", context)


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """The levels of bots: how each thinks, how strong it was measured, who plays at it. Two queries."""
    players: dict[str, list[Player]] = {}
    for bot in Player.objects.exclude(bot_level="").filter(is_active=True).order_by("name_key"):
        players.setdefault(bot.bot_level, []).append(bot)
    levels = [
        {
            "level": level,
            "name": gettext(level.name),
            "thinks": gettext(level.thinks),
            "rating": ratings.shown(level.rating[0]),
            "players": players.get(level.key, ()),
        }
        for level in LEVELS.values()
    ]
    return render(request, "pages/bots.html", {"levels": levels})


@require_safe
def fair_play(request: HttpRequest) -> HttpResponse:
    context = {
        "away_after": round(settings.EUCHRE_AWAY_AFTER),
        "waits": ", ".join(str(minutes) for minutes in waiting.WAITS if minutes),
        "half_life": waiting.HALF_LIFE.days,
        "patience": leaving.PATIENCE.seconds // 60,
    }
    return render(request, "pages/fair_play.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/privacy.html")


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Whether the parts work, for people and (503 when one does not) for monitors."""
    health = read_health(timezone.now())
    return render(request, "pages/status.html", {"health": health}, status=200 if health.well else 503)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """How pages and tables look and behave, and the language: kept in cookies, and the first in the
    profile too. A POST may carry any of them and goes back to ``next`` or to where it came from; what
    is unknown is ignored."""
    looks = of(request)
    if request.method != "POST":
        return render(request, "pages/preferences.html", {"choices": _choices(looks), "languages": settings.LANGUAGES})
    response = _back(request)
    values = request.POST.dict()
    if request.user.is_authenticated:
        cookie = request.COOKIES.get(COOKIE, "")
        keep(choose(player_id=request.user.pk, cookie=cookie, values=values), request, response)
    else:
        keep(looks.updated(values), request, response)
    language = request.POST.get("language", "")
    if translation.check_for_language(language) and language in dict(settings.LANGUAGES):
        keep_language(language, request, response)
        if request.user.is_authenticated:
            accounts.speak(player_id=request.user.pk, language=language)
    if not request.POST.get("next"):
        messages.success(request, gettext("Saved."))
    return response


def _choices(looks: Preferences) -> list[tuple[str, Any, list[tuple[str, Any, bool]]]]:
    """Name, legend and options (value, word, chosen) of each preference."""
    return [
        (name, legend, [(value, word, value == getattr(looks, name)) for value, word in words.items()])
        for name, (legend, words) in LOOKS.items()
    ]


def _back(request: HttpRequest) -> HttpResponseRedirect:
    for address in (request.POST.get("next", ""), request.META.get("HTTP_REFERER", "")):
        if url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
            return HttpResponseRedirect(address)
    return redirect("preferences")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def too_many(request: HttpRequest) -> HttpResponse:
    """What django-allauth answers when somebody tries too often."""
    return render(request, "429.html", status=429)


def broken(request: HttpRequest) -> HttpResponse:
    """The page for our own bugs. It asks nothing of database, session or user: they may be why."""
    page = render_to_string("500.html", {"SITE_NAME": settings.SITE_NAME, "request": request})
    return HttpResponse(page, status=500)
