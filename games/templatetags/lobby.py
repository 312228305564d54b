"""Words of the lobby: what a table is called and who sits at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

register = template.Library()


class Sitter(Protocol):
    """What the words need of a player."""

    name: str

    @property
    def is_bot(self) -> bool: ...


@register.simple_tag
def table_name(table_id: int, title: str) -> SafeString:
    """The title somebody gave the table, set apart from the text around it, or "Table 12"."""
    return format_html("<bdi>{}</bdi>", title or gettext("Table %(number)s") % {"number": table_id})


@register.simple_tag
def sitting(pairs: Sequence[Sequence[Sitter | None]]) -> SafeString:
    """Who sits at a waiting table, pair by pair: "Priya needs a partner; Tom, Hazel (bot)"."""
    people = [_name(player) for pair in pairs for player in pair if player is not None]
    if len(people) == 1:
        return format_html(gettext("{name}, alone so far"), name=people[0])
    return format_html_join("; ", "{}", ((_pair(pair),) for pair in pairs))


def _pair(pair: Sequence[Sitter | None]) -> SafeString:
    names = [_name(player) for player in pair if player is not None]
    if len(names) == 2:
        return format_html_join(", ", "{}", ((name,) for name in names))
    if names:
        return format_html(gettext("{name} needs a partner"), name=names[0])
    return SafeString(gettext("two seats free"))


def _name(player: Sitter) -> SafeString:
    return format_html(
        gettext("{name} (bot)") if player.is_bot else "{name}", name=format_html("<bdi>{}</bdi>", player.name)
    )
