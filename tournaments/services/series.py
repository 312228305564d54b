"""Events that repeat: a club's evening at the same hour, weeks or months apart."""

from __future__ import annotations

import secrets
from datetime import date, datetime
from typing import Final, cast
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments import recurrence
from tournaments.models import Event, LogEntry, Series
from tournaments.services.book import Book, open_as_director
from tournaments.services.desk import write_first_step
from tournaments.services.event_fields import Fields
from tournaments.services.events import COMING

REPEATED: Final = tuple(name for name in Fields.__annotations__ if name not in ("starts_at", "closes_at"))
"""What each event of a series has from the first."""


def repeat_event(*, event_id: int, by: int, every: str, until: date) -> int:
    """Let an event be the first of a series; the series' id. The others are made at once, up to the
    end of ``until``, at most a year ahead, as far on as the first: announced or not. ``by`` is a
    player, a director of the club.

    Locks the player, the club and the event. UserError if it has no start, was called off or is one
    of a series already, if nothing would repeat, and for events too many.
    """
    if every not in Series.Every.values:
        raise UserError(_("Choose how often it repeats."))
    with transaction.atomic():
        book = open_as_director(_club_of(event_id), by)
        event = Event.objects.select_for_update(of=("self",)).get(pk=event_id)
        if event.series_id is not None:
            raise UserError(_("This event is one of a series already. Stop that one first."))
        began = event.starts_at or event.started_at
        if began is None or event.state == Event.State.CANCELLED:
            raise UserError(_("Only an event whose start is set can repeat, and none that was called off."))
        first, now = began.astimezone(ZoneInfo(event.zone)), timezone.now()
        times = recurrence.occurrences(first, cast(recurrence.Every, every), until)
        later = [start for start in times if start > max(first, now)]
        if not later:
            raise UserError(_("By that day nothing repeats. Choose a later one."))
        if Event.objects.filter(club=book.club).exclude(state__in=Event.ENDED).count() + len(later) > COMING:
            told = _("The club would have more than %(most)d events ahead. Choose an earlier day.")
            raise UserError(told % {"most": COMING})
        series = Series.objects.create(
            club=book.club, title=event.title, every=every, first_at=first, zone=event.zone, until=until,
            made_by=book.by,
        )  # fmt: skip
        Event.objects.filter(pk=event.pk).update(series=series)
        for start in later:
            _add(book, series, event, first, start)
        book.note(LogEntry.Kind.SERIES, detail=event.title)
    return series.pk


def stop_series(*, series_id: int, by: int) -> tuple[int, int]:
    """Let a series end: its events to come that nobody has entered are deleted, the others stay.
    How many went, how many stay. Directors of the club. Locks the player and the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(_club_of_series(series_id), by)
        series = Series.objects.get(pk=series_id)
        ahead = Event.objects.filter(series=series, starts_at__gt=timezone.now(), started_at=None)
        empty = list(ahead.filter(entrants=None).values_list("pk", flat=True))
        stay = ahead.exclude(pk__in=empty).count()
        Event.objects.filter(pk__in=empty).delete()
        if series.stopped_at is None:
            series.stopped_at = timezone.now()
            series.save(update_fields=["stopped_at"])
            book.note(LogEntry.Kind.UNSERIES, detail=series.title)
    return len(empty), stay


def _add(book: Book, series: Series, first: Event, began: datetime, start: datetime) -> None:
    zone, closes = ZoneInfo(first.zone), None
    if first.closes_at is not None:
        wall = _wall(start, zone) - (_wall(began, zone) - _wall(first.closes_at, zone))
        closes = recurrence.at(wall.date(), wall.time(), zone)
    announced = first.state != Event.State.DRAFT
    event = Event.objects.create(
        club=book.club, series=series, made_by=book.by, seed=secrets.randbelow(1_000_000_000),
        state=Event.State.OPEN if announced else Event.State.DRAFT, starts_at=start, closes_at=closes,
        due_at=timezone.now() if announced else None, **{name: getattr(first, name) for name in REPEATED},
    )  # fmt: skip
    write_first_step(event, player_id=book.by.pk, name=book.by.name)


def _wall(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def _club_of(event_id: int) -> int:
    club = Event.objects.filter(pk=event_id).values_list("club_id", flat=True).first()
    if club is None:
        raise UserError(_("That event is gone."))
    return club


def _club_of_series(series_id: int) -> int:
    club = Series.objects.filter(pk=series_id).values_list("club_id", flat=True).first()
    if club is None:
        raise UserError(_("That series is gone."))
    return club
