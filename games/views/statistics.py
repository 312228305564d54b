"""A player's numbers: by place at the table, by call, by partner."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.selectors import players
from games.selectors import statistics as selectors
from games.selectors.standings import Period
from games.views.players import PERIODS

PLACES: Final = {
    1: _("Eldest, left of the dealer"),
    2: _("Dealer’s partner"),
    3: _("Third, right of the dealer"),
    0: _("Dealer"),
}
CALLS: Final = {
    "up": _("Ordered or took up"),
    "named": _("Named in the second round"),
    "alone": _("Called and went alone"),
    "partner": _("Partner called"),
    "defended": _("The others called"),
    "passed": _("All passed"),
}


@require_safe
def statistics(request: HttpRequest, name: str) -> HttpResponse:
    """Of the same games as the player's page, with the same choices. Three queries."""
    found = players.find_player(name)
    if found is None:
        raise Http404("no such player")
    if found.name != name:
        query = request.META.get("QUERY_STRING", "")
        address = reverse("player_statistics", args=[found.name])
        return HttpResponsePermanentRedirect(address + (f"?{query}" if query else ""))
    asked = request.GET.get("period")
    period: Period = asked if asked in PERIODS else "all"  # type: ignore[assignment]  # just checked
    people_only = request.GET.get("people") == "1"
    numbers = selectors.read_statistics(found, period, people_only, timezone.now())
    context = {
        "player": found,
        "period": period,
        "periods": PERIODS.items(),
        "people_only": people_only,
        "numbers": numbers,
        "places": [(PLACES[place.place], place) for place in numbers.places],
        "calls": [(kind, CALLS[kind], line) for kind, line in numbers.calls],
        "most": selectors.MOST_PARTNERS,
    }
    return render(request, "statistics.html", context)
