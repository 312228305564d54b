"""Everything that happens because time has passed. Due columns are the truth: these functions
are called by a sweep every second and by messages that only make it prompt."""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games import bots, engine
from games.engine import Action
from games.models import Pulse, Seat, Table
from games.selectors import tables
from games.services import deals, leaving, presence, seating
from games.services.row import lock_table, save_row

CLAIM = timedelta(seconds=10)
"""A claimed table is due again after this long, should its claimer have died."""

EARLY = timedelta(milliseconds=60)
"""A timer may fire this early and still count as due."""

OUTAGE = timedelta(seconds=8)
"""A longer gap between two sweeps means that the site was down: no clock is charged for it."""


def sweep(now: datetime) -> int:
    """Do all that is due; the number of tables acted for. Safe with any number of callers."""
    _forgive_outage(now)
    presence.keep_seats(now)
    leaving.see_to_leavers(now)
    seating.fill_due(now)
    seating.tidy(now)
    acted = 0
    due = Table.objects.filter(due_at__lte=now, phase__in=(*Table.RUNNING, Table.Phase.OVER))
    for table_id, version, due_at in due.order_by("due_at").values_list("pk", "version", "due_at")[:500]:
        if Table.objects.filter(pk=table_id, version=version, due_at=due_at).update(due_at=now + CLAIM):
            act(table_id=table_id, version=version, claim=now + CLAIM)
            acted += 1
    return acted


def act(*, table_id: int, version: int, claim: datetime | None = None) -> None:
    """Act for a table that waits for a bot or has run out of time: play one move, deal the next
    deal, or close the table after its game.

    The bot thinks before the lock is taken; a table that has moved on meanwhile is left alone.
    ``claim`` is the due time that a claimer has set for itself. Idempotent: a second call finds
    another version.
    """
    row = tables.read_row(table_id)
    if row is None or row.version != version:
        return
    choice = _choose(row)
    with transaction.atomic():
        row = lock_table(table_id)
        now = timezone.now()
        if row.version != version or row.due_at is None or (row.due_at > now + EARLY and row.due_at != claim):
            return
        if choice is not None:
            _play(row, choice, now)
        elif row.turn is not None:
            leaving.remind(row, tables.seats_of(row)[row.turn])
        elif row.phase == Table.Phase.BETWEEN:
            deals.deal_next(row, tables.seats_of(row), now)
        elif row.phase == Table.Phase.OVER:
            seating.close(row)
        else:
            return
        save_row(row)


def _choose(row: tables.LiveRow) -> Action | None:
    """What a bot would do in the seat whose turn it is; None where it is nobody's, and where a patient
    table waits for a person."""
    state = row.deal()
    if state is None or row.turn is None:
        return None
    seat = tables.seats_of(row)[row.turn]
    if row.patient and not seat.played_by_bot:
        return None
    view = engine.view(state, row.turn, row.score)
    return bots.get_bot(seat.bot_level or bots.FILL_IN).choose(view, random.Random(secrets.randbits(64)))


def _play(row: tables.LiveRow, choice: Action, now: datetime) -> None:
    """Make the chosen move for the seat on turn: as its bot, or because its clock ran out."""
    assert row.turn is not None
    seats = tables.seats_of(row)
    seat = seats[row.turn]
    if seat.played_by_bot:
        deals.make_move(row, seats, choice, by="b", alone=None, now=now)
        return
    presence.count_missed(row, seat, now)
    if not row.running:  # that was the last of his side, and the others had taken the win
        return
    deals.make_move(row, tables.read_seats(row.id), choice, by="c", alone=False, now=now)


def _forgive_outage(now: datetime) -> None:
    """Note the time of this sweep. After a gap, running clocks get the lost time back and every
    seat that was there before the gap counts as seen."""
    pulse, created = Pulse.objects.get_or_create(name="sweep", defaults={"at": now})
    if created:
        return
    gap = now - pulse.at
    with transaction.atomic():  # other sweeps wait here until the time is given back
        if not Pulse.objects.filter(pk=pulse.pk, at=pulse.at).update(at=now) or gap < OUTAGE:
            return
        Table.objects.filter(phase__in=Table.RUNNING, due_at__isnull=False).update(
            due_at=F("due_at") + gap, revision=F("revision") + 1
        )
        Seat.objects.filter(held=True, lost_at__isnull=True, seen_at__gte=pulse.at - presence.SILENCE).update(
            seen_at=now
        )
        Seat.objects.filter(held=True, lost_at__isnull=False, bot_since__isnull=True).update(lost_at=now)
