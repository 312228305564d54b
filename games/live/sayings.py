"""What people say, as markup. A quick phrase is shown to each reader in his language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_noop

from games.live.texts import gettext as _
from games.live.texts import ngettext, speaking
from games.selectors.talk import Line

PHRASES: Final = {
    "hello": gettext_noop("Hello"),
    "good_luck": gettext_noop("Good luck"),
    "nice": gettext_noop("Nice one"),
    "partner": gettext_noop("Well played, partner"),
    "thanks": gettext_noop("Thanks"),
    "sorry": gettext_noop("Sorry"),
    "moment": gettext_noop("One moment, please"),
    "hurry": gettext_noop("Hurry, please"),
    "leaving": gettext_noop("I have to go soon"),
    "good_game": gettext_noop("Good game"),
}
"""What can be said by one tap, by the key that is stored."""


def phrases() -> list[tuple[str, str]]:
    """Keys and words in the active language."""
    return [(key, _(words)) for key, words in PHRASES.items()]


def words_of(line: Line) -> str:
    """What was said, in the active language."""
    return _(PHRASES[line.phrase]) if line.phrase in PHRASES else line.text or "…"


def item(line: Line, reader: int | None) -> SafeString:
    """A message in the list, in the active language. Whose name it bears can be tapped, but for
    one's own."""
    own = line.sender_id is not None and line.sender_id == reader
    name = format_html("<bdi>{}</bdi>", line.name or _("a former player"))
    if line.sender_id is not None and not own:
        address = reverse("table_person", args=[line.table_id, line.sender_id])
        name = format_html('<a class="said__n" href="{}" data-person>{}</a>', address, name)
    else:
        name = format_html('<span class="said__n">{}</span>', name)
    tag = format_html(' <span class="tag">{}</span>', _("watching")) if line.watching else ""
    return format_html(
        '<li id="said-{}" class="said__m{}{}">{}{} <bdi class="said__w" dir="auto">{}</bdi></li>',
        line.pk,
        " is-own" if own else "",
        " is-phrase" if line.phrase else "",
        name,
        tag,
        words_of(line),
    )


def items(lines: Iterable[Line], reader: int | None) -> SafeString:
    """Messages, in the active language."""
    return mark_safe("".join(item(line, reader) for line in lines))  # noqa: S308  of escaped parts


def more(lines: Sequence[Line], reader: int | None, language: str) -> str:
    """A frame that adds messages to the list (talk.js leaves out what stands there already)."""
    with speaking(language):
        return f'<ol hx-swap-oob="beforeend:#said">{items(lines, reader)}</ol>'


def whole(lines: Sequence[Line], reader: int | None, language: str) -> str:
    """A frame with all of the list: it replaces what stands there."""
    with speaking(language):
        return f'<ol hx-swap-oob="innerHTML:#said">{items(lines, reader)}</ol>'


def standing(key: str) -> str:
    """A frame that has a page fetch its talk anew, if it shows what staff said to its person before."""
    return format_html('<span id="standing" hidden hx-swap-oob="outerMorph" data-standing="{}"></span>', key)


def watched(count: int, language: str | None = None, *, pushed: bool = True) -> str:
    """How many look on, beside the talk; nothing while nobody does."""
    with speaking(language):
        words = ngettext("%(count)s watching", "%(count)s watching", count) % {"count": count} if count else ""
    return format_html(
        '<p id="watched" class="watched"{}>{}</p>', SafeString(' hx-swap-oob="true"') if pushed else "", words
    )
