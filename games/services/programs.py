"""What programs do with the personal token of their owner: the same as he does, at friendly tables.

Whatever a program does at a table marks its seat as a program's, for all to see, before it counts.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Participation, Player, Seat, Token
from games.names import clean_name
from games.selectors import tables
from games.selectors.programs import NOTED, Owner, digest_of
from games.selectors.tables import LiveRow
from games.services import play, seating
from games.services.errors import UserError
from games.services.row import lock_table, save_row

MOST_TOKENS = 10
"""A person may have so many at a time."""

LONGEST_NAME = 40
PREFIX = "euchre_"
"""Tokens begin with it, so that people and scanners know one when they see it."""


class NoTable(UserError):
    """There is no such table."""


class NotForPrograms(UserError):
    """Only people may do that."""


# --- tokens -----------------------------------------------------------------------------------


def make_token(*, player_id: int, name: str) -> str:
    """Make a token under a name that tells it from the others; the token, which is stored nowhere and
    cannot be shown again. Locks the player. UserError for guests, without a name, with too many."""
    name = clean_name(name)
    if not name or not name.isprintable():
        raise UserError(_("Give the program a name, so that you know it again."))
    if len(name) > LONGEST_NAME:
        raise UserError(_("The name may have %(count)d characters.") % {"count": LONGEST_NAME})
    token = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=player_id)
        if player.guest:
            raise UserError(_("Guests have no programs. Choose a password first; your name stays yours."))
        if Token.objects.filter(player=player).count() >= MOST_TOKENS:
            raise UserError(_("You have %(count)d programs. Revoke one you no longer use.") % {"count": MOST_TOKENS})
        Token.objects.create(player=player, name=name, digest=digest_of(token), tail=token[-4:])
    return token


def revoke_token(*, player_id: int, token_id: int) -> str | None:
    """From now on the token is nothing. Its name; None where it is not there, or somebody else's."""
    token = Token.objects.filter(pk=token_id, player_id=player_id).first()
    if token is None:
        return None
    token.delete()
    return token.name


def note_use(owner: Owner, now: datetime) -> None:
    """Write down when a token was used. One UPDATE, and none if that was done a moment ago."""
    if owner.used_at is None or owner.used_at < now - timedelta(seconds=NOTED):
        Token.objects.filter(pk=owner.token_id).update(used_at=now)


# --- at a table -------------------------------------------------------------------------------


def act(
    *,
    table_id: int,
    player_id: int,
    action: str,
    version: int | None = None,
    alone: bool = False,
    code: str = "",
) -> None:
    """:func:`games.services.play.submit_action` for a program: everything it says holds here. What is
    done marks the seat in the same transaction, if it is not marked yet. NoTable where there is none,
    NotForPrograms at tables that are for people only."""
    row = tables.read_row(table_id)
    if row is None:
        raise NoTable(_("There is no such table."))
    _check(row)
    seat = next((seat for seat in tables.seats_of(row) if seat.player_id == player_id), None)
    submit = partial(
        play.submit_action,
        table_id=table_id, player_id=player_id, action=action, version=version, alone=alone, code=code,
    )  # fmt: skip
    if seat is not None and seat.program and not action.startswith("sit"):
        submit()
        return
    with transaction.atomic():
        _mark(table_id, player_id)
        submit()
        _mark(table_id, player_id)


def quick_match(*, player_id: int, pace: int, stick: seating.Stick, bots: str = "") -> int:
    """:func:`games.services.seating.quick_match` for a program; the table's id. Locks as that does."""
    with transaction.atomic():
        table_id = seating.quick_match(player_id=player_id, ranked=False, pace=pace, stick=stick, bots=bots)
        row = lock_table(table_id)
        _check(row)
        _mark(table_id, player_id)
    return table_id


def _check(row: LiveRow) -> None:
    if row.ranked:
        raise NotForPrograms(_("Programs play friendly games only; this table is ranked. Play it yourself."))
    if row.reserved:
        raise NotForPrograms(_("Programs cannot play at this table: its game counts elsewhere. Play it yourself."))


def _mark(table_id: int, player_id: int) -> None:
    """Everybody sees from now on that a program plays the seat; its game remembers it."""
    row = lock_table(table_id)
    seat = Seat.objects.filter(table_id=table_id, player_id=player_id, program=False).first()
    if seat is None:
        return
    Seat.objects.filter(pk=seat.pk).update(program=True)
    if row.game_id is not None:
        Participation.objects.filter(game_id=row.game_id, player_id=player_id).update(program=True)
    row.roster += 1
    save_row(row)
