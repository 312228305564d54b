"""A replay's cards: what is on the table after which step, for the page and for its script."""

from __future__ import annotations

from typing import Protocol

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from .euchre import card as whole_card
from .euchre import mini

register = template.Library()


class HeldCard(Protocol):
    """A card of a hand, as :class:`games.selectors.games.HeldCard` has it."""

    @property
    def card(self) -> str: ...
    @property
    def since(self) -> int: ...
    @property
    def gone(self) -> int: ...
    @property
    def idle(self) -> bool: ...


@register.simple_tag
def held_card(held: HeldCard, step: int) -> SafeString:
    """A card of a hand face up. The script replays what these attributes say: there from step
    ``since``, left behind by step ``gone``. Cards that are gone are not read out."""
    marks = format_html(
        ' data-since="{}" data-gone="{}"{}{}{}',
        held.since,
        held.gone,
        SafeString(" data-idle" if held.idle else ""),
        SafeString(" hidden" if step < held.since else ""),
        SafeString(' aria-hidden="true"' if step >= held.gone else ""),
    )
    state = ""
    if step >= held.gone:
        state = "is-now" if step == held.gone and not held.idle else "is-gone"
    return _marked(mini(held.card, state), marks)


@register.simple_tag
def laid_card(code: str, place: str, since: int, until: int, step: int) -> SafeString:
    """A card on the mat from step ``since`` to before step ``until``."""
    return _marked(whole_card(code, place), shown_between(since, until, step))


@register.simple_tag
def shown_between(since: int, until: int, step: int) -> SafeString:
    """The attributes of anything that is on the page from one step to before another."""
    hidden = "" if since <= step < until else " hidden"
    return format_html(' data-since="{}" data-until="{}"{}', since, until, SafeString(hidden))


def _marked(element: SafeString, attributes: SafeString) -> SafeString:
    tag, rest = element.split(" ", 1)
    return SafeString(f"{tag}{attributes} {rest}")
