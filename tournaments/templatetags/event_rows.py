"""Rows of events' pages, put together here because there are hundreds of them on a page."""

from __future__ import annotations

import re
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi, gettext, pgettext

from games.templatetags.euchre import bot_badge, fives, icon
from tournaments.playbook.texts import FORMATS
from tournaments.templatetags.seasons import amount

register = template.Library()

FIVES: Final = 10
"""The most points that two fives show; a few more still fill them."""

_BETWEEN: Final = re.compile("( & |, )")
_RIGHT_TO_LEFT: Final = "\u200f"

_BADGES: Final = {"reported": " badge--info", "disputed": " badge--live", "waiting": " badge--warn"}


@register.filter
def format_name(key: str) -> str:
    """The name of a format."""
    return gettext(FORMATS[key][0]) if key in FORMATS else key


@register.filter
def doing(entrant: Any, event: Any) -> str:
    """What an entrant does in an event, or did."""
    return event.word_of(entrant.state)


@register.filter
def figure(value: float) -> str:
    """A number of the standings, with a minus, not a hyphen."""
    return amount(value).replace("-", "−", 1)


@register.filter
def apart(names: str) -> SafeString:
    """What an entrant is called, each name of a pair by itself: those of several scripts keep their order, which
    is that of the language around them, within another ``bdi`` too."""
    parts = _BETWEEN.split(str(names))
    mark = _RIGHT_TO_LEFT if len(parts) > 1 and get_language_bidi() else ""
    shown = (part if at % 2 else f"<bdi>{part}</bdi>" for at, part in enumerate(map(escape, parts)))
    return SafeString(mark + "".join(shown))


def _name(who: Any) -> str:
    return f"{apart(who.name)}{bot_badge() if who.bot else ''}"


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


@register.simple_tag(takes_context=True)
def desk_rows(context: Any) -> SafeString:
    """The tables of a round at the director's desk: each a form for its score, or a link to its deals."""
    desk, event, here = context["desk"], context["event"], context["here"]
    hidden = f"{context['csrf_token']}"
    frame = (
        f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(hidden)}">'
        f'<input type="hidden" name="next" value="{escape(here)}">'
    )
    return SafeString("\n".join(_desk_row(row, desk, event, frame) for row in desk.rows))


def _desk_row(row: Any, desk: Any, event: Any, frame: str) -> str:
    table = row.table
    more = reverse("desk_table", args=[event.pk, table.pk])
    number, sides = table.number, [escape(side) for side in row.sides]
    title = f'<small class="faint">{escape(row.title)}</small>' if row.title else ""
    flags = ("is-flag" if table.state == "disputed" else "") + (" is-in" if row.done else "")
    return (
        f'<tr id="t{table.pk}" class="{flags}"><td class="num n"><b>{number}</b></td>'
        f'<th scope="row">{apart(row.sides[0])}{title}</th><td>{apart(row.sides[1])}</td>'
        f'<td class="x">{_entry(row, desk, event, frame, sides, more) if desk.begun else ""}</td>'
        f'<td class="st">{_states(row, desk, event)}</td><td class="act num"><a class="iconbtn"'
        f' href="{more}" data-sheet aria-label="{_with(gettext("More for table %(number)s"), number=number)}">'
        f"{icon('more')}</a></td></tr>"
    )


def _entry(row: Any, desk: Any, event: Any, frame: str, sides: list[str], more: str) -> str:
    table, number, points = row.table, row.table.number, row.points
    if row.deals:
        word = f"{points[0]}–{points[1]}" if row.done else escape(gettext("Deals"))
        said = _with(gettext("Deals of table %(number)s"), number=number)
        return f'<a class="btn btn--quiet btn--sm" href="{more}" data-sheet aria-label="{said}">{word}</a>'
    fields = [
        f'<input class="input input--num" id="{name}{table.pk}" name="{name}" inputmode="numeric" maxlength="3"'
        f' autocomplete="off" aria-label="{_with(gettext("Table %(number)s, %(side)s"), number=number, side=side)}"'
        f' value="{points[at]}">'
        for at, (name, side) in enumerate(zip("ab", sides, strict=True))
    ]
    winner = _winner(table, points) if desk.asks_winner else ""
    return (
        f'<form id="f{table.pk}" method="post" action="{reverse("desk_score", args=[event.pk, table.pk])}" data-desk'
        f' data-row>{frame}{fields[0]}<span aria-hidden="true"> – </span>{fields[1]}{winner}'
        f'<button class="btn btn--sm go" tabindex="-1"'
        f' aria-label="{_with(gettext("Save table %(number)s"), number=number)}">{escape(gettext("Save"))}</button>'
        f"</form>"
    )


def _winner(table: Any, points: Any) -> str:
    said = _with(gettext("Table %(number)s, extra hand won by"), number=table.number)
    words = (pgettext("winner of an extra hand", "N–S"), pgettext("winner of an extra hand", "E–W"))
    chosen = table.winner if points[0] == points[1] else None
    options = "".join(
        f'<option value="{at}"{" selected" if chosen == at else ""}>{escape(word)}</option>'
        for at, word in enumerate(words)
    )
    return (
        f'<select class="input" name="winner" id="w{table.pk}" aria-label="{said}"><option value="">–</option>'
        f"{options}</select>"
    )


def _states(row: Any, desk: Any, event: Any) -> str:
    kind, check = f" badge--{row.badge}" if row.badge else "", icon("check") if row.badge == "good" else ""
    told = [f'<span class="badge{kind}">{check}{escape(row.word)}</span>']
    if row.table.locked and not desk.begun:
        told.append(f'<span class="badge">{icon("lock")}{escape(gettext("Locked"))}</span>')
    if row.table.kind != event.kind:
        where = gettext("Hall") if row.table.kind == "hall" else gettext("Online")
        told.append(f'<span class="badge">{escape(where)}</span>')
    return "".join(told)


def _with(sentence: str, **words: Any) -> str:
    """A sentence with words that are escaped already."""
    return escape(sentence) % words


@register.simple_tag
def moved_rows(moved: Any) -> SafeString:
    """Whose place or score another result changes."""
    before, after = escape(gettext("from")), escape(gettext("to"))
    made = []
    for one in moved:
        way = ' class="up"' if one["up"] else ' class="down"' if one["down"] else ""
        places = ["–" if one[name] is None else one[name] for name in ("before", "after")]
        scores = [amount(one[f"score_{name}"]) for name in ("before", "after")]
        made.append(
            f'<tr><th scope="row">{apart(one["name"])}</th><td class="num"><span class="vh">{before} </span>'
            f'{places[0]} <span aria-hidden="true">→</span><span class="vh">{after}</span> <b{way}>{places[1]}</b></td>'
            f'<td class="num">{scores[0]} <span aria-hidden="true">→</span><span class="vh">{after}</span>'
            f" <b>{scores[1]}</b></td></tr>"
        )
    return SafeString("\n".join(made))


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
