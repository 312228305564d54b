"""A player's page, a person's or a bot's."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.bots import LEVELS
from games.models import Player
from games.selectors import analyses, people
from games.selectors import players as selectors
from games.selectors.standings import PROVISIONAL_GAMES, Period

PERIODS: Final = {
    "30days": pgettext_lazy("period of a player's page", "30 days"),
    "season": pgettext_lazy("period of a player's page", "Season"),
    "all": pgettext_lazy("period of a player's page", "All time"),
}


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The page stands at the name as its owner writes it; other spellings lead there. Ranked
    games make the record, all games are listed. ``people=1`` leaves out games with bots."""
    found = selectors.find_player(name)
    if found is None:
        raise Http404("no such player")
    if found.name != name:
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(found.get_absolute_url() + (f"?{query}" if query else ""))
    asked = request.GET.get("period")
    period: Period = asked if asked in PERIODS else "season"  # type: ignore[assignment]  # just checked
    people_only = request.GET.get("people") == "1"
    page = request.GET.get("page", "")
    now = timezone.now()
    among_people, with_bots = selectors.read_records(found, period, now)
    context = {
        "player": found,
        "own": found.pk == request.user.pk,
        "relation": _relation(request, found),
        "how_it_plays": gettext(LEVELS[found.bot_level].thinks) if found.bot_level in LEVELS else "",
        "period": period,
        "periods": PERIODS.items(),
        "people_only": people_only,
        "standing": selectors.read_standing(found, now),
        "provisional": PROVISIONAL_GAMES,
        "history": selectors.read_history(found, period, now),
        "record": among_people if people_only else among_people + with_bots,
        "split": [(_("People only"), among_people), (_("With bots"), with_bots)],
        "measured": analyses.read_measured(found, period, now),
        "past": selectors.read_games(found, people_only, int(page) if _is_number(page) else 1, request.user.pk),
        "partners": [] if found.is_bot else selectors.read_partners(found, period, people_only, now),
    }
    return render(request, "player.html", context)


def _relation(request: HttpRequest, found: Player) -> people.Relation | None:
    """What the visitor has to do with this person; None for his own page, a bot's, and visitors."""
    if request.user.pk is None or found.is_bot or found.pk == request.user.pk:
        return None
    return people.read_relation(request.user.pk, found.pk)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7
