"""What people say when others have left or are away: take the win, play on, let a bot play for him;
and what time does about it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import parse_rules
from games.models import Seat, Table
from games.selectors import tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services import offers, presence
from games.services.errors import UserError
from games.services.row import lock_table, save_row

PATIENCE = timedelta(minutes=10)
"""When everybody has been away from a patient table for this long, bots finish its game."""

PLAYS_ON = 4
"""Of a table's ``answers``: the bit of seat 0 for "play on"."""


def answer_offer(*, table_id: int, player_id: int, take: bool) -> None:
    """Take the win that is offered, or play on. The game ends once everybody of the side who is here
    takes it; "play on" is said for one deal, and can be taken back by taking the win.

    Locks the table. Repeating it changes nothing. UserError when there is no such offer (any more).
    """
    with transaction.atomic():
        row = lock_table(table_id)
        seat = presence.own_seat(tables.seats_of(row), player_id)
        if not row.running:
            raise UserError(_("The game is over."))
        if row.win_offered is None:
            raise UserError(_("The win is not on offer any more: somebody of the other side is back. Play on."))
        if parse_rules(row.rules).side(seat.index) != row.win_offered:
            raise UserError(_("The win is offered to the others."))
        if seat.keeper:
            raise UserError(_("A bot is playing for you. Take your seat back first."))
        takes, plays_on = 1 << seat.index, 1 << seat.index + PLAYS_ON
        chosen, other = (takes, plays_on) if take else (plays_on, takes)
        if row.answers & chosen:
            return
        row.answers = row.answers & ~other | chosen
        offers.weigh(row, timezone.now())
        save_row(row)


def stand_in(*, table_id: int, player_id: int, index: int) -> None:
    """Somebody at a patient table lets a bot play for seat ``index``, whose player is away or has used
    up his time; he takes the seat back by one click. Locks the table; repeating it changes nothing."""
    with transaction.atomic():
        row = lock_table(table_id)
        seats = tables.seats_of(row)
        own = presence.own_seat(seats, player_id)
        if not row.running:
            raise UserError(_("The game is over."))
        if own.keeper or own.index == index or index >= len(seats):
            raise UserError(_("Only the others at the table can ask a bot to play for somebody."))
        seat = seats[index]
        if seat.played_by_bot:
            return
        if not row.patient or not seat.missed:
            raise UserError(_("%(name)s is here and has time left.") % {"name": seat.name})
        presence.hand_to_bot(row, seat, timezone.now())
        save_row(row)


def remind(row: LiveRow, seat: SeatInfo) -> None:
    """At a patient table somebody's time is up: he goes on thinking, and the others may ask for a bot.
    On a locked row, saved by the caller."""
    Seat.objects.filter(pk=seat.pk).update(missed=1)
    row.roster += 1
    row.due_at = None


def see_to_leavers(now: datetime) -> None:
    """For the sweep: offer the win where the other side has been away for long enough; at patient
    tables tell the others who is away, and let bots finish where nobody is left."""
    gone = Seat.objects.filter(
        bot_since__lte=now - offers.GONE_AFTER,
        table__phase__in=Table.RUNNING,
        table__reserved=False,
        table__win_offered=None,
    )
    for table_id in gone.order_by("table").values_list("table", flat=True).distinct():
        row = tables.read_row(table_id)
        if row and offers.left_alone(parse_rules(row.rules), tables.seats_of(row), now) is not None:
            with transaction.atomic():
                row = lock_table(table_id)
                offers.weigh(row, now)
                save_row(row)
    waiting = Seat.objects.filter(
        held=True,
        bot_since=None,
        missed=0,
        lost_at__lt=now - timedelta(seconds=settings.EUCHRE_AWAY_AFTER),
        table__patient=True,
        table__phase__in=Table.RUNNING,
    )
    for pk, table_id in waiting.values_list("pk", "table_id"):
        with transaction.atomic():
            row = lock_table(table_id)
            if row.running and waiting.filter(pk=pk).update(missed=1):
                row.roster += 1
                save_row(row)
    _finish_deserted(now)


def _finish_deserted(now: datetime) -> None:
    own = Seat.objects.filter(table=OuterRef("pk"), player__bot_level="", bot_since=None)
    here = own.filter(Q(lost_at=None) | Q(lost_at__gt=now - PATIENCE))
    deserted = Table.objects.filter(Exists(own), ~Exists(here), patient=True, phase__in=Table.RUNNING)
    for table_id in deserted.values_list("pk", flat=True):
        with transaction.atomic():
            row = lock_table(table_id)
            if deserted.filter(pk=table_id).exists():
                for seat in tables.seats_of(row):
                    if seat.person and not seat.keeper:
                        presence.hand_to_bot(row, seat, now)
                save_row(row)
