"""Rows of events' pages, put together here because there are hundreds of them on a page."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from games.templatetags.euchre import bot_badge, fives
from tournaments.playbook.texts import FORMATS
from tournaments.templatetags.seasons import amount

register = template.Library()

FIVES: Final = 10
"""The most points that two fives show; a few more still fill them."""

_BADGES: Final = {"reported": " badge--info", "disputed": " badge--live", "waiting": " badge--warn"}


@register.filter
def format_name(key: str) -> str:
    """The name of a format."""
    return gettext(FORMATS[key][0]) if key in FORMATS else key


@register.filter
def figure(value: float) -> str:
    """A number of the standings, with a minus, not a hyphen."""
    return amount(value).replace("-", "−", 1)


def _name(who: Any) -> str:
    return f"<bdi>{escape(who.name)}</bdi>{bot_badge() if who.bot else ''}"


@register.simple_tag
def table_side(table: Any, side: int) -> SafeString:
    """The cell of a side; bold, and said so, if it has won."""
    both = f' <span class="faint">{escape(pgettext("two entrants on a side", "and"))}</span> '
    shown = both.join(_name(who) for who in table.sides[side]) or '<span class="faint">–</span>'
    if table.winner == side:
        shown = f'<b>{shown}</b><span class="vh">, {escape(pgettext("result of a game", "won"))}</span>'
    return SafeString(f'<td class="t-pair">{shown}</td>')


@register.simple_tag
def table_score(table: Any, drawn: bool) -> SafeString:
    """The points of both sides; ``drawn`` also as fives."""
    if table.points is None:
        return SafeString('<span class="faint">–</span>')
    one, other = table.points
    if not (drawn and 0 <= one <= FIVES + 4 and 0 <= other <= FIVES + 4):
        return SafeString(f'<bdi dir="ltr">{one}–{other}</bdi>')
    figures = f"{one}{fives(min(one, FIVES))} {fives(min(other, FIVES))}{other}"
    said = escape(gettext("%(one)d to %(other)d") % {"one": one, "other": other})
    return SafeString(
        f'<bdi class="only-s" dir="ltr">{one}–{other}</bdi>'
        f'<bdi class="hide-s" dir="ltr"><span aria-hidden="true">{figures}</span><span class="vh">{said}</span></bdi>'
    )


@register.simple_tag
def table_state(table: Any) -> SafeString:
    """What a table is at: a link to watch or to replay, or its state in a word."""
    if table.done and table.game_id:
        return _link(reverse("game", args=[table.game_id]), gettext("Replay"), table.number)
    if table.state == "playing" and table.live_table_id:
        return _link(reverse("table", args=[table.live_table_id]), gettext("Watch"), table.number)
    if table.state == "confirmed":
        return SafeString(f'<span class="faint">{escape(table.word)}</span>')
    return SafeString(f'<span class="badge{_BADGES.get(table.state, "")}">{escape(table.word)}</span>')


def _link(address: str, word: str, number: int) -> SafeString:
    said = escape(gettext("table %(number)s") % {"number": number})
    return SafeString(f'<a href="{escape(address)}">{escape(word)}<span class="vh">, {said}</span></a>')


@register.simple_tag
def standings_rows(event: Any, rows: Any, bare: bool = False) -> SafeString:
    """The lines of the standings. Unless ``bare``, each name opens to what its numbers are made of,
    which is fetched then."""
    tied, adds_up = escape(gettext("shared")), escape(gettext("How it adds up"))
    made = []
    for row in rows:
        number, place = row.who.number, row.line.place
        shared = f'<span class="vh"> {tied}</span>' if row.line.tied and place is not None else ""
        notes = f'<small class="faint">{escape(" ".join(row.notes))}</small>' if row.notes else ""
        shown = _name(row.who)
        if not bare:
            sheet = reverse("event_entrant", args=[event.pk, number])
            shown = (
                f'<details class="terms" hx-get="{sheet}terms/" hx-trigger="toggle once" hx-target="find .terms__b" '
                f'hx-swap="innerHTML"><summary>{shown}</summary><div class="terms__b"><a href="{sheet}">{adds_up}</a>'
                f"</div></details>"
            )
        cells = "".join(f'<td class="num">{figure(column.value)}</td>' for column in row.line.columns)
        made.append(
            f'<tr id="s-{number}" class=""><td class="num">{"–" if place is None else place}{shared}</td>'
            f'<th scope="row">{shown}{notes}</th>{cells}</tr>'
        )
    return SafeString("\n".join(made))


@register.simple_tag
def entrants_rows(event: Any, listing: Any) -> SafeString:
    """Entrants of one state; people with an account link to their page."""
    word = escape(gettext("Sheet of number"))
    made = []
    for entrant, members in listing.entrants:
        listed = ", ".join(_member(member) for member in members)
        if len(members) > 2:
            listed = f'<b><bdi>{escape(entrant.name)}</bdi></b> <small class="faint">{listed}</small>'
        sheet = reverse("event_entrant", args=[event.pk, entrant.number])
        number = f'<a class="num faint" href="{sheet}" aria-label="{word} {entrant.number}">{entrant.number}</a>'
        made.append(f'<li id="e-{entrant.number}" class="">{number} <span>{listed}</span></li>')
    return SafeString("\n".join(made))


def _member(member: Any) -> str:
    shown = f"<bdi>{escape(member.name)}</bdi>"
    if member.player is None:
        return shown
    linked = f'<a href="{escape(reverse("player", args=[member.player.name]))}">{shown}</a>'
    return linked + (bot_badge() if member.player.bot_level else "")
