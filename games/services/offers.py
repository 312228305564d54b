"""The win that is offered to a side whose opponents have left.

At a table whose seats are reserved nobody is offered it: what its game belongs to decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.engine import Rules, parse_rules
from games.selectors import tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services import deals

GONE_AFTER = timedelta(minutes=2)
"""A seat that a bot has kept for this long counts as left; one whose player pressed Leave, at once."""


def weigh(row: LiveRow, now: datetime) -> None:
    """Offer the win, withdraw the offer, or end the game by it: after any change of seats or answers,
    on a locked row, saved by the caller."""
    if not row.running:
        return
    seats, rules = tables.read_seats(row.id), parse_rules(row.rules)
    side = None if row.reserved else left_alone(rules, seats, now)
    if side != row.win_offered:
        row.win_offered, row.answers = side, 0
    elif side is not None and all(row.answers & 1 << seat.index for seat in here(rules, seats, side)):
        deals.end_by_leave(row, side, now)


def left_alone(rules: Rules, seats: Sequence[SeatInfo], now: datetime) -> int | None:
    """The one side that has not left, if all the others that began with a person have, and somebody
    of it is here. Two or three who play each for themselves are sides of one."""
    people = {rules.side(seat.index) for seat in seats if seat.person}
    staying = {rules.side(seat.index) for seat in seats if seat.person and not _gone(seat, now)}
    if len(people) < 2 or len(staying) != 1:
        return None
    (side,) = staying
    return side if here(rules, seats, side) else None


def here(rules: Rules, seats: Sequence[SeatInfo], side: int) -> list[SeatInfo]:
    """Whose answer counts: the persons of the side who play themselves."""
    return [seat for seat in seats if seat.person and not seat.keeper and rules.side(seat.index) == side]


def _gone(seat: SeatInfo, now: datetime) -> bool:
    return seat.left or (seat.kept_since is not None and seat.kept_since <= now - GONE_AFTER)
