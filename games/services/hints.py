"""Hints in friendly games: asked for by the seat whose turn it is, worked out by a worker from that
seat's view alone, and given to that seat alone.

Nothing is locked and nothing waits: what comes too late is for a version that is over, and nobody
is shown it.
"""

from __future__ import annotations

import logging
from typing import Final

from celery import current_app
from django.core.cache import cache
from django.utils.translation import gettext as _

from games import engine
from games.bots import advice
from games.bots.advice import Advice
from games.bots.analysis import Reason
from games.engine import SeatView
from games.models import Table
from games.selectors import tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services.errors import StaleVersion, UserError
from games.services.presence import own_seat
from games.services.row import find_table

log = logging.getLogger(__name__)

BOT_HINT: Final = "games.tasks.bot_hint"

PATIENCE: Final = 6
"""Seconds until a hint that has not come is given up, and may be asked for again."""

KEPT: Final = 600
"""Seconds that a hint is kept, for who looks again before he moves."""


def ask(*, table_id: int, player_id: int | None, version: int | None) -> tuple[SeatView, Advice | None]:
    """Have a worker find a hint for a player's own turn, and what he sees: with the hint if it is
    known, or None until then: :func:`find` it.

    UserError, with a sentence, for who may not have one; StaleVersion once the table has moved on.
    """
    row, seat = _asked(table_id, player_id, version)
    found = _kept(row, seat)
    if found is None and cache.add(_key("asked", row, seat), True, PATIENCE):
        try:
            current_app.send_task(BOT_HINT, (row.id, row.version), queue="bots", expires=PATIENCE, retry=False)
        except Exception:  # the broker is away: any of kombu's, redis' or the socket's errors
            log.warning("no worker could be told to find a hint for table %s", row.id)
    return _view(row, seat), found


def find(*, table_id: int, player_id: int | None, version: int | None) -> tuple[SeatView, Advice | None]:
    """What the player sees, and the hint he asked for if it has been found. Errors as of :func:`ask`."""
    row, seat = _asked(table_id, player_id, version)
    return _view(row, seat), _kept(row, seat)


def advise(*, table_id: int, version: int) -> bool:
    """In a worker: find the hint for whose turn it is at this version; False, and nothing is done,
    where the table has moved on or no hints are given."""
    row = tables.read_row(table_id)
    if row is None or row.version != version or row.turn is None or row.phase not in Table.DEALING:
        return False
    seats = tables.seats_of(row)
    if _refusal(row, seats):
        return False
    seat = seats[row.turn]
    found = advice.advise(_view(row, seat), row.version)
    cache.set(_key("found", row, seat), found._asdict() | {"reasons": [one._asdict() for one in found.reasons]}, KEPT)
    return True


def _asked(table_id: int, player_id: int | None, version: int | None) -> tuple[LiveRow, SeatInfo]:
    row = find_table(table_id)
    seats = tables.seats_of(row)
    seat = own_seat(seats, player_id)
    if refusal := _refusal(row, seats):
        raise UserError(refusal)
    if seat.keeper:
        raise UserError(_("A bot is playing for you. Take your seat back first."))
    if row.phase not in Table.DEALING:
        raise StaleVersion(_("There is nothing to decide just now."))
    if row.turn != seat.index:
        raise StaleVersion(_("It is not your turn: hints are for your own."))
    if version != row.version:
        raise StaleVersion(_("The table has moved on. Ask again."))
    return row, seat


def _refusal(row: LiveRow, seats: tuple[SeatInfo, ...]) -> str:
    """Why nobody at a table is given hints; "" where they are."""
    if row.ranked:
        return _("There are no hints in ranked games.")
    if row.reserved or row.back:
        return _("There are no hints in the games of an event.")
    if not row.hints:
        return _("This table was opened without hints.")
    if any(seat.program for seat in seats):
        return _("A program plays at this table: there are no hints here.")
    return ""


def _view(row: LiveRow, seat: SeatInfo) -> SeatView:
    state = row.deal()
    assert state is not None
    return engine.view(state, seat.index, row.score)


def _kept(row: LiveRow, seat: SeatInfo) -> Advice | None:
    told = cache.get(_key("found", row, seat))
    return Advice(**{**told, "reasons": tuple(Reason(**one) for one in told["reasons"])}) if told else None


def _key(what: str, row: LiveRow, seat: SeatInfo) -> str:
    """Of one decision of one seat; a hand of a later game at the table is another."""
    return f"hint-{what}-{row.id}-{row.game_id}-{row.deal_number}-{row.version}-{seat.index}-{seat.player_id}"
