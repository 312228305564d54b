"""The table's row: locked, changed, saved, and shown after the commit."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import live
from games.models import Table
from games.selectors import tables
from games.selectors.tables import LiveRow
from games.services.errors import UserError

log = logging.getLogger(__name__)

BOT_TURN = "games.tasks.bot_turn"

_SAVED = (
    "phase", "version", "revision", "roster", "due_at", "fill_at", "game_id", "deal_number", "dealer", "turn",
    "score_0", "score_1", "score_2", "match", "commitment", "deck", "actions", "played_by", "maker_alone", "ready",
    "win_offered", "answers",
)  # fmt: skip
_UPDATE = f"UPDATE {Table._meta.db_table} SET {', '.join(f'{name} = %s' for name in _SAVED)} WHERE id = %s"  # noqa: S608  ours alone
_REPLACE = f"{_UPDATE} AND revision = %s"


def find_table(table_id: int) -> LiveRow:
    """The table's row as it is now, not locked: write it by :func:`replace_row`. UserError if
    there is no such table."""
    return _found(tables.read_row(table_id))


def lock_table(table_id: int) -> LiveRow:
    """The table's row, locked until the transaction ends. UserError if there is no such table."""
    return _found(tables.read_row(table_id, lock=True))


def _found(row: LiveRow | None) -> LiveRow:
    if row is None:
        raise UserError(_("That table is gone. Pick another one in the lobby."))
    return row


def save_row(row: LiveRow) -> None:
    """Write the row back as its next revision; once that has committed, show it and wake a bot.

    One UPDATE. Call it once, as the last thing in the transaction that holds the lock.
    """
    row.revision += 1
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE, [*_values(row), row.id])
    transaction.on_commit(lambda: _committed(row), robust=True)


def replace_row(row: LiveRow) -> bool:
    """Write back a row that was not locked, if it still is as it was read; show it and wake a
    bot. False, with nothing changed, if somebody else has written it meanwhile.

    One UPDATE that is a transaction by itself: whoever writes a table raises its revision.
    """
    row.revision += 1
    with connection.cursor() as cursor:
        cursor.execute(_REPLACE, [*_values(row), row.id, row.revision - 1])
        if not cursor.rowcount:
            return False
    transaction.on_commit(lambda: _committed(row), robust=True)
    return True


def _values(row: LiveRow) -> list[Any]:
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(getattr(row, name)) if name in ("due_at", "fill_at") else getattr(row, name) for name in _SAVED]


def _committed(row: LiveRow) -> None:
    live.show(row)
    if bot_is_next(row):
        wake_bot(row)


def bot_is_next(row: LiveRow) -> bool:
    """Whether the table waits for no person: a bot's turn, or bots alone between two deals."""
    if not row.running:
        return False
    seats = tables.seats_of(row)
    if row.turn is None:
        return all(seat.played_by_bot for seat in seats)
    return seats[row.turn].played_by_bot


def wake_bot(row: LiveRow) -> None:
    """Ask a worker to act for the table when it is due.

    Only a hint: a message that is lost costs the second until the sweep finds the row overdue.
    """
    wait = max(0.0, (row.due_at - timezone.now()).total_seconds()) if row.due_at else 0.0
    try:
        current_app.send_task(
            BOT_TURN, (row.id, row.version), queue="bots", countdown=wait, expires=wait + 30, retry=False
        )
    except Exception:  # the broker is away: any of kombu's, redis' or the socket's errors
        log.warning("no worker could be told about table %s; the sweep will find it", row.id)
