"""Who is at the table: seen, lost, gone, replaced by a bot, back again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.live.hub import HEARTBEAT
from games.models import Player, Seat, Table
from games.selectors import tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services import deals, offers, seating
from games.services.errors import UserError
from games.services.row import lock_table, save_row

MISSED_LIMIT = 3
"""Moves in a row played by the clock, after which a bot keeps the seat."""

SILENCE = timedelta(seconds=2.5 * HEARTBEAT)
"""After this long without a heartbeat a seat counts as lost (its process may have died)."""


def own_seat(seats: Iterable[SeatInfo], player_id: int | None) -> SeatInfo:
    """The player's seat. UserError for everybody else."""
    for seat in seats:
        if player_id is not None and seat.player_id == player_id:
            return seat
    raise UserError(_("You are watching this table; only the players at it can act."))


def take_back(*, table_id: int, player_id: int) -> None:
    """The owner takes his seat back from the bot; the next action of the seat is his.

    Locks the table. Does nothing when the seat is his already. UserError when he meanwhile
    holds a seat at another table.
    """
    with transaction.atomic():
        row = lock_table(table_id)
        seat = own_seat(tables.seats_of(row), player_id)
        if not row.running:
            raise UserError(_("The game is over."))
        if not seat.keeper:
            return
        now = timezone.now()
        try:
            with transaction.atomic():
                Seat.objects.filter(pk=seat.pk).update(
                    held=True, bot_since=None, left_at=None, lost_at=None, missed=0, seen_at=now
                )
        except IntegrityError:
            raise UserError(_("You hold a seat at another table. Finish or leave that game first.")) from None
        row.roster += 1
        if row.turn == seat.index:
            row.due_at = now + deals.persons_time(row)
        offers.weigh(row, now)
        save_row(row)


def leave(*, table_id: int, player_id: int) -> None:
    """Leave: an open table at once; a running game to a bot (who is not back by the end takes
    the loss); a finished game's table for good. Locks the table; repeating it changes nothing."""
    with transaction.atomic():
        row = lock_table(table_id)
        seat = own_seat(tables.seats_of(row), player_id)
        now = timezone.now()
        if row.phase == Table.Phase.OPEN:
            seating.vacate(row, seat, now)
        elif row.running:
            if seat.left:
                return
            hand_to_bot(row, seat, now, left=True)
        else:
            _get_up(row, seat, now)
        save_row(row)


def _get_up(row: LiveRow, seat: SeatInfo, now: datetime) -> None:
    """Leave the table of a finished game; those who wait for a rematch do not wait for him."""
    others = [other for other in tables.seats_of(row) if other.person and other.index != seat.index]
    seating.empty_seat(seat)
    row.roster += 1
    row.ready &= ~(1 << seat.index)
    _go_on_with(row, others, now)


def _go_on_with(row: LiveRow, people: Sequence[SeatInfo], now: datetime) -> None:
    """At a finished game's table only these are left: nobody waits for anybody else."""
    if not people:
        row.phase, row.due_at = Table.Phase.CLOSED, None
    elif row.phase == Table.Phase.OVER and row.ready:
        _rematch_if_ready(row, people, now)


def wait_no_longer(*, table_id: int) -> None:
    """Somebody who sat at a finished game's table is gone for good: the others wait for a rematch
    without him. On a table that the caller has locked."""
    row = lock_table(table_id)
    _go_on_with(row, [seat for seat in tables.read_seats(table_id) if seat.person], timezone.now())
    save_row(row)


def hand_to_bot(row: LiveRow, seat: SeatInfo, now: datetime, *, left: bool = False) -> None:
    """A bot keeps the seat from now on; the table says so. If that leaves one side alone, it is offered
    the win, or has it. On a locked row, saved by the caller."""
    Seat.objects.filter(pk=seat.pk).update(bot_since=now, **({"left_at": now, "held": False} if left else {}))
    row.roster += 1
    if row.turn == seat.index:
        row.due_at = now + timedelta(seconds=settings.EUCHRE_BOT_DELAY)
    offers.weigh(row, now)


def set_ask_alone(*, table_id: int, player_id: int, ask: bool) -> None:
    """Change the standing answer to "do you go alone?" on other people's calls (G8). Locks the
    table and remembers the choice for the next one."""
    with transaction.atomic():
        row = lock_table(table_id)
        seat = own_seat(tables.seats_of(row), player_id)
        if seat.ask_alone == ask:
            return
        Seat.objects.filter(pk=seat.pk).update(ask_alone=ask)
        Player.objects.filter(pk=player_id).update(ask_alone=ask)
        row.roster += 1
        save_row(row)


def say_ready(*, table_id: int, player_id: int, want: str) -> None:
    """Ready for the ``next`` deal, or for a ``rematch`` after the game. When every person has
    said so, the table goes on. Locks the table; repeating it changes nothing."""
    with transaction.atomic():
        row = lock_table(table_id)
        seats = tables.seats_of(row)
        seat = own_seat(seats, player_id)
        phase = Table.Phase.BETWEEN if want == "next" else Table.Phase.OVER
        if row.phase != phase or row.ready & 1 << seat.index:
            return
        if want == "next" and seat.keeper:
            raise UserError(_("A bot is playing for you. Take your seat back first."))
        if want == "rematch" and row.reserved:
            raise UserError(_("There is no rematch at this table: its game counts elsewhere."))
        row.ready |= 1 << seat.index
        now = timezone.now()
        if want == "rematch":
            _rematch_if_ready(row, seats, now)
        elif _all_ready(row, seats):
            deals.deal_next(row, seats, now)
        save_row(row)


def _rematch_if_ready(row: LiveRow, seats: Iterable[SeatInfo], now: datetime) -> None:
    gone = _sitting_elsewhere(row, seats)
    if _all_ready(row, [seat for seat in seats if seat.index not in gone]):
        seating.play_again(row, now)


def _all_ready(row: LiveRow, seats: Iterable[SeatInfo]) -> bool:
    return all(not seat.person or seat.keeper or row.ready & 1 << seat.index for seat in seats)


def _sitting_elsewhere(row: LiveRow, seats: Iterable[SeatInfo]) -> list[int]:
    """Seats whose players hold one at another table by now: nobody waits for them."""
    places = {seat.player_id: seat.index for seat in seats if seat.person}
    elsewhere = Seat.objects.filter(player__in=places, held=True).exclude(table_id=row.id)
    return [places[player_id] for player_id in elsewhere.values_list("player_id", flat=True)]


def arrive(*, table_id: int, player_id: int | None) -> None:
    """A player looks at his table (page, form or socket): he is there, and no longer lost.

    Locks the table only if he counted as lost; otherwise one UPDATE at most.
    """
    if player_id is None:
        return
    now = timezone.now()
    seat = Seat.objects.filter(table_id=table_id, player_id=player_id).values_list("pk", "lost_at", "index").first()
    if seat is None:
        return
    if seat[1] is None:
        Seat.objects.filter(pk=seat[0]).update(seen_at=now)
        return
    with transaction.atomic():
        row = lock_table(table_id)
        Seat.objects.filter(pk=seat[0]).update(seen_at=now, lost_at=None, **({"missed": 0} if row.patient else {}))
        row.roster += 1
        if row.patient and row.turn == seat[2] and row.due_at is None:
            row.due_at = now + deals.persons_time(row)
        save_row(row)


def heartbeat(seat_pks: Iterable[int]) -> None:
    """The seats connected to this process are still there. One UPDATE, and one lock for each
    seat that counted as lost."""
    pks = list(seat_pks)
    Seat.objects.filter(pk__in=pks).update(seen_at=timezone.now())
    for table_id, player_id in Seat.objects.filter(pk__in=pks, lost_at__isnull=False).values_list(
        "table_id", "player_id"
    ):
        arrive(table_id=table_id, player_id=player_id)


def lose(*, seat_pks: Iterable[int], since: datetime) -> None:
    """These seats have lost their connection and were not seen since. Locks each table in turn."""
    for pk, table_id in Seat.objects.filter(
        pk__in=list(seat_pks), held=True, lost_at__isnull=True, seen_at__lte=since, table__phase__in=Table.RUNNING
    ).values_list("pk", "table_id"):
        with transaction.atomic():
            row = lock_table(table_id)
            if row.running and Seat.objects.filter(pk=pk, lost_at__isnull=True, seen_at__lte=since).update(
                lost_at=since
            ):
                row.roster += 1
                save_row(row)


def keep_seats(now: datetime) -> None:
    """For the sweep: mark silent seats as lost, and give seats lost for long enough to a bot."""
    silent = Seat.objects.filter(
        held=True, lost_at__isnull=True, seen_at__lt=now - SILENCE, table__phase__in=Table.RUNNING
    ).values_list("pk", "seen_at")
    for pk, seen_at in silent:
        assert seen_at is not None  # it is less than something
        lose(seat_pks=[pk], since=seen_at)
    away = Seat.objects.filter(
        held=True,
        bot_since__isnull=True,
        lost_at__lt=now - timedelta(seconds=settings.EUCHRE_AWAY_AFTER),
        table__phase__in=Table.RUNNING,
        table__patient=False,
    )
    for pk, table_id, index in away.values_list("pk", "table_id", "index"):
        with transaction.atomic():
            row = lock_table(table_id)
            if row.running and away.filter(pk=pk).exists():
                hand_to_bot(row, tables.seats_of(row)[index], now)
                save_row(row)


def count_missed(row: LiveRow, seat: SeatInfo, now: datetime) -> None:
    """The clock has played for this seat; after three in a row a bot keeps it."""
    Seat.objects.filter(pk=seat.pk).update(missed=F("missed") + 1, missed_all=F("missed_all") + 1)
    row.roster += 1
    if seat.missed + 1 >= MISSED_LIMIT:
        hand_to_bot(row, seat, now)


def clear_missed(row: LiveRow, seat: SeatInfo) -> None:
    """The player has moved himself."""
    Seat.objects.filter(pk=seat.pk).update(missed=0)
    row.roster += 1
