"""What people say at a table. Players and watchers have a room each: while a game is played, its
players do not read what is said among those who may see all four of them."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import live
from games.live import sayings
from games.models import LONGEST_MESSAGE, Message, Report, Table
from games.selectors import tables, talk
from games.selectors.tables import LiveRow
from games.services import sanctions, unwanted
from games.services.errors import UserError
from games.services.row import find_table

LIMITS: Final = ((4, timedelta(seconds=8)), (15, timedelta(minutes=1)))
"""Messages of one person, at all tables together."""

KEPT: Final = timedelta(days=30)
"""After this long what was said is deleted, unless somebody has reported it."""

_DELETED_AT_ONCE: Final = 1000
_OVERRIDES: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the text around them."""
_MARKS: Final = 2
"""Marks that one letter may bear."""


def say(*, table_id: int, player_id: int | None, text: str = "", phrase: str = "") -> int:
    """Say something at a table, by a quick phrase's key or in words; the message's number.

    Who has a seat speaks to the players, anybody else to the watchers: that he may look at the table
    is the caller's business. No lock; not idempotent. UserError with a sentence for who is muted or
    too quick, for an empty, long or unwanted text, and for anything but a phrase between two deals of
    a ranked game.
    """
    if player_id is None:
        raise UserError(_("You are watching. Log in to talk."))
    row, now = find_table(table_id), timezone.now()
    seated = any(seat.player_id == player_id for seat in tables.seats_of(row))
    sanctions.check_may_talk(player_id, now)
    if phrase and phrase not in sayings.PHRASES:
        raise UserError(_("That phrase is not known here. Pick one of the list."))
    text = "" if phrase else clean(text)
    refusal = refusal_at(row.ranked, row.phase, seated=seated, phrase=bool(phrase))
    if refusal:
        raise UserError(refusal)
    unwanted.check(text)
    _check_rate(player_id, now)
    return _store(row, player_id, seated, phrase, text, now)


def refusal_at(ranked: bool, phase: str, *, seated: bool, phrase: bool) -> str:
    """Why this cannot be said at a table in this phase, as a sentence; "" if it can."""
    if phase == Table.Phase.CLOSED:
        return _("This table is closed. Nobody hears you here any more.")
    if not ranked or not seated:
        return ""
    if phase in Table.DEALING:
        return _("In a ranked game players talk between the deals, not during one.")
    return "" if phrase else _("In a ranked game players talk by the quick phrases only.")


def clean(text: str) -> str:
    """A message as it is stored. UserError if nothing is left, or too much."""
    text = one_line(text)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in text):
        raise UserError(_("Type something first, or pick a phrase."))
    if len(text) > LONGEST_MESSAGE:
        raise UserError(
            ngettext(
                "A message has at most %(most)d characters; this one has %(count)d.",
                "A message has at most %(most)d characters; this one has %(count)d.",
                len(text),
            )
            % {"most": LONGEST_MESSAGE, "count": len(text)}
        )
    return text


def one_line(text: str) -> str:
    """What somebody typed as one line, without characters that turn or pile up others, or are none."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind == "Cc" or char.isspace():
            kept.append(" ")
        elif kind not in ("Cs", "Co", "Cn") and char not in _OVERRIDES and marks <= _MARKS:
            kept.append(char)
    return " ".join("".join(kept).split())


def _check_rate(player_id: int, now: datetime) -> None:
    """The messages themselves are counted, so the limit is one for all processes."""
    most = max(count for count, _span in LIMITS)
    lately = list(Message.objects.filter(sender_id=player_id).order_by("-pk").values_list("at", flat=True)[:most])
    for count, span in LIMITS:
        if len(lately) >= count and lately[count - 1] > now - span:
            raise UserError(_("That is a lot at once. Wait a few seconds, then say it."))


def _store(row: LiveRow, player_id: int, seated: bool, phrase: str, text: str, now: datetime) -> int:
    with transaction.atomic():
        message = Message.objects.create(
            table_id=row.id,
            game_id=row.game_id,
            deal_number=row.deal_number,
            room=Message.Room.SEATS if seated else Message.Room.WATCHERS,
            sender_id=player_id,
            phrase=phrase,
            text=text,
            at=now,
        )
        line = talk.read_line(message.pk)
        assert line is not None
        transaction.on_commit(lambda: live.said(line), robust=True)
    return message.pk


def tidy(now: datetime) -> int:
    """Delete what was said long ago; how many messages. What stands beside a report stays until the
    report is closed. Any number of callers may do it."""
    open_reports = Report.objects.filter(closed_at=None, table__isnull=False)
    old = Message.objects.filter(at__lt=now - KEPT).exclude(table__in=open_reports.values("table"))
    found = list(old.order_by("pk").values_list("pk", flat=True)[:_DELETED_AT_ONCE])
    return Message.objects.filter(pk__in=found).delete()[0] if found else 0
