"""Names of pairs on ladders, put together here because there are hundreds of them on a page."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from tournaments.templatetags.event_rows import apart

register = template.Library()
register.filter(apart)


@register.simple_tag
def pair_names(pair: Any) -> SafeString:
    """Both names, those of accounts as links to their pages."""
    both = (pair.player, pair.player_name), (pair.partner, pair.partner_name)
    word = escape(pgettext("two partners", "and"))
    return SafeString(f" {word} ".join(_name(player, name) for player, name in both))


def _name(player: Any, name: str) -> str:
    if player is None:
        return f"<bdi>{escape(name)}</bdi>"
    return f'<a href="{escape(reverse("player", args=[player.name]))}"><bdi>{escape(player.name)}</bdi></a>'
