"""The standings, as a page, as the part of it that filters change, and as CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.converters import whole_number
from games.names import MAX_LENGTH
from games.selectors.standings import (
    PROVISIONAL_GAMES,
    Filters,
    Page,
    Ranking,
    Row,
    period_start,
    read_page,
    read_ranking,
)  # fmt: skip
from games.views.sheets import sheet

POOLS: Final = {
    "everyone": pgettext_lazy("standings of", "Everyone"),
    "bots": pgettext_lazy("standings of", "Bots"),
}
PERIODS: Final = {
    "season": pgettext_lazy("period", "This season"),
    "90days": pgettext_lazy("period", "Last 90 days"),
    "all": pgettext_lazy("period", "All time"),
}
HEADINGS: Final = {
    ("everyone", "season"): _("Everyone, this season"),
    ("everyone", "90days"): _("Everyone, last 90 days"),
    ("everyone", "all"): _("Everyone, all time"),
    ("bots", "season"): _("Bots, this season"),
    ("bots", "90days"): _("Bots, last 90 days"),
    ("bots", "all"): _("Bots, all time"),
}
MINIMUMS: Final = (1, 10, 25, 100)
COLUMNS: Final = (
    "rank", "name", "bot", "rating", "give_or_take", "games", "won", "won_percent", "calls", "euchred",
    "euchred_percent",
)  # fmt: skip


@require_safe
@vary_on_headers("HX-Request", "HX-Target")
def standings(request: HttpRequest) -> HttpResponse:
    """A plain GET form; what it does not understand falls back to the default. htmx gets the
    table alone when it asks for that, ``format`` csv or json all the rows."""
    filters = read_filters(request.GET)
    now = timezone.now()
    ranking = read_ranking(filters, request.user.pk, now)
    match request.GET.get("format"):
        case "csv":
            return sheet("standings", COLUMNS, (_plain(_cells(row)) for row in ranking.rows))
        case "json":
            return _json(ranking, filters)
    page = read_page(ranking, whole_number(request.GET.get("page"), 6, 1), filters.people_only)
    alone = (request.headers.get("HX-Target") or "").endswith("#ladder")
    return render(request, "standings/_update.html" if alone else "standings.html", _context(filters, page, now))


def read_filters(query: QueryDict) -> Filters:
    """The filters of an address; every value that is not one of the choices is the default."""
    minimum = whole_number(query.get("min"), 6, 1)
    pool, period = query.get("pool"), query.get("period")
    return Filters(
        pool="bots" if pool == "bots" else "everyone",
        period=period if period in PERIODS else "season",  # type: ignore[arg-type]  # just checked
        minimum=minimum if minimum in MINIMUMS else 1,
        people_only=query.get("people") == "1",
        search=" ".join(query.get("q", "").split())[:MAX_LENGTH],
    )


def _context(filters: Filters, page: Page, now: Any) -> dict[str, Any]:
    return {
        "filters": filters,
        "page": page,
        "heading": HEADINGS[filters.pool, filters.period],
        "since": period_start(filters.period, now) if filters.period != "all" else None,
        "now": now,
        "pools": POOLS.items(),
        "periods": PERIODS.items(),
        "minimums": [
            (number, ngettext_lazy("%(count)d game", "%(count)d games", number) % {"count": number})
            for number in MINIMUMS
        ],
        "provisional": PROVISIONAL_GAMES,
    }


def _cells(row: Row) -> tuple[Any, ...]:
    return (
        row.rank, row.name, bool(row.bot_level), row.rating, row.give_or_take, row.games, row.won, row.won_percent,
        row.calls, row.euchred, row.euchred_percent,
    )  # fmt: skip


def _plain(cells: Iterable[Any]) -> list[Any]:
    return ["" if cell is None else ("yes" if cell else "no") if isinstance(cell, bool) else cell for cell in cells]


def _json(ranking: Ranking, filters: Filters) -> JsonResponse:
    response = JsonResponse(
        {
            "pool": filters.pool,
            "period": filters.period,
            "minimum": filters.minimum,
            "people_only": filters.people_only,
            "search": filters.search,
            "players": [dict(zip(COLUMNS, _cells(row), strict=True)) for row in ranking.rows],
        },
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )
    response["Content-Disposition"] = 'attachment; filename="standings.json"'
    return response
