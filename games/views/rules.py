"""The rules for people, of any set of house rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from games.converters import whole_number
from games.engine import PRESETS, Rules, format_rules, parse_rules
from games.models import Table
from games.rulebook import rulebook
from games.selectors.rule_sets import read_rule_sets
from games.services.seating import is_rated
from games.templatetags.house_rules import GROUPS, OPTION_WORDS, PRESET_WORDS, STARTS


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The standard rules, those of ``?preset=british``, or a set of the player's own by ``?set=3``;
    404 for a preset or set there is not."""
    if "set" in request.GET:
        return _of_set(request, whole_number(request.GET["set"], 18, 0))
    preset = request.GET.get("preset", "article")
    if preset not in PRESETS:
        raise Http404("no such preset")
    options = [(title, [OPTION_WORDS[name] for name in names]) for title, names in GROUPS]
    more = {"preset": preset, "name": PRESET_WORDS[preset].label, "starts": STARTS, "options": options}
    return _page(request, PRESETS[preset], more)


@require_safe
def at_table(request: HttpRequest, table_id: int) -> HttpResponse:
    """The rules at a table; what is different there comes first."""
    table = Table.objects.filter(pk=table_id).only("title", "rules", "ranked", "pace", "private").first()
    if table is None:
        raise Http404("no such table")
    if table.private:
        table.title = ""  # not for who has only counted on to its number
    return _page(request, parse_rules(table.rules), {"table": table})


def _of_set(request: HttpRequest, set_id: int) -> HttpResponse:
    kept = next((kept for kept in read_rule_sets(request.user.pk) if kept.id == set_id), None)
    if kept is None:
        raise Http404("no such set of this player")
    response = _page(request, kept.rules, {"kept": kept})
    patch_cache_control(response, private=True)
    return response


def _page(request: HttpRequest, played: Rules, more: dict[str, Any]) -> HttpResponse:
    context = {"rules": played, "book": rulebook(played), "rated": is_rated(format_rules(played))}
    return render(request, "pages/rules.html", context | more)
