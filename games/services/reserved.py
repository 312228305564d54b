"""Tables whose seats are kept for given players, opened by what their games belong to.

Nobody else can sit there, the lobby does not offer them, and there is no rematch. Bots are there
at once, a person once he takes his seat; the game begins when all are there, or without those who
have not come.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import fairness
from games.engine import parse_rules
from games.models import Game, Participation, Player, Seat, Table
from games.selectors import tables
from games.services import deals, seating
from games.services.errors import UserError
from games.services.row import lock_table, save_row


@dataclass(frozen=True, slots=True)
class Booking:
    """A table to be opened. ``seats`` are the ids of players and bots, clockwise; ``back`` is the
    address of what the game belongs to, without the host."""

    title: str
    rules: str
    pace: int
    ranked: bool
    seats: tuple[int, ...]
    back: str = ""


def reserve(bookings: Sequence[Booking]) -> list[int]:
    """Open a table for each; their ids in the same order. A table of bots alone begins with the
    next sweep.

    Locks nothing but the new rows; as many queries for a hundred tables as for a few. Not
    idempotent. UserError, with nothing opened, if a player is gone, or a ranked table has rules
    that are not rated.
    """
    wanted = {player for booking in bookings for player in booking.seats}
    levels = dict(Player.objects.filter(pk__in=wanted, is_active=True).values_list("pk", "bot_level"))
    if len(levels) < len(wanted):
        raise UserError(_("Somebody who should play has no account any more."))
    for booking in bookings:
        if len(booking.seats) != parse_rules(booking.rules).players or len(set(booking.seats)) < len(booking.seats):
            raise UserError(_("A table needs as many different players as its rules have seats."))
        if booking.ranked and not seating.is_rated(booking.rules):
            raise UserError(_("Ranked games are played by the site's own rules. Make it a friendly table."))
    now = timezone.now()
    opened = []
    for booking in bookings:
        seed = secrets.token_bytes(fairness.SEED_BYTES)
        opened.append(
            Table(
                title=booking.title[:40],
                ranked=booking.ranked,
                pace=booking.pace,
                rules=booking.rules,
                reserved=True,
                back=booking.back,
                created_at=now,
                fill_at=now if all(levels[player] for player in booking.seats) else None,
                next_seed=seed,
                commitment=fairness.commitment(seed),
            )
        )
    with transaction.atomic():
        Table.objects.bulk_create(opened)
        Seat.objects.bulk_create(
            Seat(table=table, index=index, player_id=player, seen_at=now if levels[player] else None)
            for table, booking in zip(opened, bookings, strict=True)
            for index, player in enumerate(booking.seats)
        )
        _adopt_wishes(opened)
    return [table.pk for table in opened]


def _adopt_wishes(opened: Sequence[Table]) -> None:
    """Who wants to be asked about going alone is asked here too."""
    Seat.objects.filter(table__in=opened, player__ask_alone=True).update(ask_alone=True)


def begin_without(*, table_id: int) -> tuple[int, ...]:
    """Begin a waiting table although somebody is missing; the ids of those players.

    Bots keep their seats, and one click gives them back; bots take the places of accounts that are
    gone. Such a game is not rated. Locks the table; does nothing once its game has begun.
    """
    with transaction.atomic():
        row = lock_table(table_id)
        if row.phase != Table.Phase.OPEN or not row.reserved:
            return ()
        now = timezone.now()
        missing = [seat for seat in tables.seats_of(row) if seat.awaited]
        Seat.objects.filter(pk__in=[seat.pk for seat in missing if seat.person]).update(bot_since=now)
        if missing:
            row.ranked = False
            Table.objects.filter(pk=table_id).update(ranked=False)
        row.roster += 1
        seating.fill(row, now)
        save_row(row)
    return tuple(seat.player_id for seat in missing if seat.player_id is not None)


def substitute(*, table_id: int, out: int, put_in: int) -> None:
    """Give the seat of one player (id ``out``) to another or to a bot: before the game, or in it.

    A person takes his seat by one click; in a running game a bot plays until then. The game's
    record names who is in the seat at its end. Locks the table; repeating it changes nothing.
    UserError if ``out`` does not sit there, the other one does already, or the game is over.
    """
    with transaction.atomic():
        row = lock_table(table_id)
        seats = tables.seats_of(row)
        seat = next((seat for seat in seats if seat.player_id == out), None)
        others = {other.player_id for other in seats}
        if seat is None and put_in in others:
            return
        if seat is None or put_in in others:
            raise UserError(_("That substitution does not fit the table as it is now."))
        if row.phase != Table.Phase.OPEN and not row.running:
            raise UserError(_("The game is over."))
        player = Player.objects.filter(pk=put_in, is_active=True).first()
        if player is None:
            raise UserError(_("That player’s account is gone."))
        now = timezone.now()
        seating.empty_seat(seat)
        keeper = row.running and not player.is_bot
        Seat.objects.filter(pk=seat.pk).update(
            player=player,
            ask_alone=player.ask_alone,
            bot_since=now if keeper else None,
            seen_at=now if player.is_bot else None,
        )
        row.roster += 1
        if row.running:
            assert row.game_id is not None
            Participation.objects.filter(game=row.game_id, seat=seat.index).update(player=player)
            if player.is_bot:
                Game.objects.filter(pk=row.game_id).update(with_bots=True)
            if row.turn == seat.index:
                row.due_at = now
        elif not any(other.awaited for other in tables.read_seats(table_id)):
            deals.begin_game(row=row, now=now)
        save_row(row)


def call_off(table_ids: Iterable[int]) -> None:
    """Close these tables; a game that runs ends without a result. Locks each table in turn, in the
    order of their ids. Repeating it changes nothing."""
    for table_id in sorted(table_ids):
        with transaction.atomic():
            row = lock_table(table_id)
            if row.phase in (Table.Phase.OVER, Table.Phase.CLOSED):
                continue
            if row.running:
                assert row.game_id is not None
                Game.objects.filter(pk=row.game_id, status=Game.Status.PLAYING).update(
                    status=Game.Status.ENDED,
                    finished_at=timezone.now(),
                    score_0=row.score_0,
                    score_1=row.score_1,
                    score_2=row.score_2,
                )
            seating.close(row)
            save_row(row)
