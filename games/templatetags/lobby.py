"""Words of the lobby: what a table is called and who sits at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

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


@register.filter
def a_move(seconds: int) -> str:
    """The time for a move: "45 s a move", "5 min a move"."""
    if seconds > 120:
        return gettext("%(minutes)d min a move") % {"minutes": seconds // 60}
    return gettext("%(seconds)d s a move") % {"seconds": seconds}


class Kept(Protocol):
    """What the words need of a table."""

    bots: str
    private: bool
    watchable: bool
    patient: bool
    hints: bool


@register.filter
def terms(table: Kept) -> list[str]:
    """How a table is kept, where it is not as usual, in a few words each."""
    said = (
        (table.private, gettext("by link only")),
        (table.bots == "none", gettext("people only")),
        (not table.watchable, gettext("no watchers")),
        (table.patient, gettext("waits for who is away")),
        (table.hints, gettext("with hints")),
    )
    return [words for so, words in said if so]


@register.simple_tag
def sitting(sides: Sequence[Sequence[Sitter | None]]) -> SafeString:
    """Who sits at a waiting table, side by side: "Priya needs a partner; Tom, Hazel (bot)", or
    where everybody plays alone "Priya, Tom; one seat free"."""
    people = [_name(player) for side in sides for player in side if player is not None]
    if len(people) == 1:
        return format_html(gettext("{name}, alone so far"), name=people[0])
    if len(sides[0]) > 1:
        return format_html_join("; ", "{}", ((_pair(pair),) for pair in sides))
    names = format_html_join(", ", "{}", ((name,) for name in people))
    free = len(sides) - len(people)
    if not free:
        return names
    seats = ngettext("%(count)d seat free", "%(count)d seats free", free) % {"count": free}
    return format_html("{}; {}", names, seats) if people else SafeString(seats)


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
