"""Everything of events that happens because time has passed, or because the last result is in.

``Event.due_at`` is the truth: a sweep every two seconds finds what is due, claims an event by
putting the time off (compare and swap), and does what comes next: check-in, start, draw, publish,
begin, no-shows, close, finish. Every one of those is a verb that changes nothing the second
time, so any number of workers may do it, and one that dies has its claim run out. Verbs set
``due_at`` to now whenever something has changed, and the next moment is worked out here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from games.models import Game
from games.models import Table as LiveTable
from games.services.errors import UserError
from tournaments.formats.event import EventError
from tournaments.models import Event, EventTable, Report, Round, Step
from tournaments.selectors import snapshots
from tournaments.selectors.rights import Actor
from tournaments.services import events, floor, no_shows, results, rounds
from tournaments.services.desk import UNDO, open_desk

log = logging.getLogger(__name__)

CLAIM: Final = timedelta(seconds=30)
"""A claimed event is due again after this long, should its claimer have died."""

LOOK: Final = timedelta(seconds=60)
"""A running event is looked at this often at least, also one that could not start."""

FAR: Final = timedelta(hours=6)
"""One that is ahead, this often."""

SILENCE: Final = timedelta(minutes=3)
"""After this long without a word of the other side a reported score is taken as it is."""

SEATS: Final = 4

STEPS: Final = 6
"""Done for one event in a row, before others get their turn."""

LIVE: Final = (*Event.AHEAD, Event.State.RUNNING)

BY_ITSELF: Final = ("drew", "redrew", "published", "began", "closed_round", "next_round", "started", "finished")
"""Kinds of steps that the schedule would take again at once: if one is undone, it waits for the
director to do something."""

Doing = Callable[[], Any]


def sweep(now: datetime) -> int:
    """Do all that is due; the number of events claimed. Safe with any number of callers."""
    floor.tidy()
    due = Event.objects.filter(Q(due_at__lte=now) | Q(due_at=None), state__in=LIVE, club__closed_at=None)
    claimed = 0
    for event_id, due_at in list(due.order_by("due_at").values_list("pk", "due_at")[:200]):
        if Event.objects.filter(pk=event_id, due_at=due_at).update(due_at=now + CLAIM):
            claimed += 1
            try:
                advance(event_id, now, claim=now + CLAIM)
            except Exception:  # whatever is wrong with one event must not keep the others waiting
                log.exception("event %s could not go on", event_id)
    return claimed


def advance(event_id: int, now: datetime, *, claim: datetime | None = None) -> int:
    """Let an event go on as far as it can now; how many things were done. ``claim`` is the due time
    that the caller has set for himself: the next one takes its place, unless something has happened
    meanwhile and the event is due at once anyway. Idempotent."""
    done = 0
    while done < STEPS:
        event = Event.objects.select_related("club").filter(pk=event_id).first()
        doing = _next(event, now) if event is not None else None
        if doing is None:
            break
        try:
            doing()
        except UserError as error:  # a director has to see to it; his page says the same
            log.info("event %s waits: %s", event_id, error)
            break
        done += 1
    if claim is not None:
        event = Event.objects.filter(pk=event_id).first()
        Event.objects.filter(pk=event_id, due_at=claim).update(
            due_at=next_look(event, now) if event is not None else None
        )
    return done


def next_look(event: Event, now: datetime) -> datetime | None:
    """When an event has to be looked at again; None if it never has to. At most two queries."""
    if event.state not in LIVE:
        return None
    if event.state in Event.AHEAD:
        start = event.starts_at
        times = [now + (FAR if start is None or start > now else LOOK)]
        if start is not None:
            times += [start, start - timedelta(minutes=event.check_in)]
        return min(at for at in times if at > now)
    times = [now + LOOK]
    last = _last(event)
    if last is not None and last.state == Round.State.PUBLISHED and last.starts_at is not None:
        times += [last.starts_at]
    if last is not None and last.state == Round.State.PLAYING:
        if last.ends_at is not None:
            times += [last.ends_at]
        if event.no_show_minutes and last.starts_at is not None:
            times += [last.starts_at + timedelta(minutes=event.no_show_minutes)]
    if last is not None and last.closed_at is not None and event.pairing != Event.Pairing.CLICK:
        times += [last.closed_at + timedelta(minutes=event.break_minutes)]
    return min(at for at in times if at > now)


# --- what comes next ------------------------------------------------------------------------------------------


def _next(event: Event, now: datetime) -> Doing | None:
    """What has to be done now, None for nothing."""
    by = Actor.SYSTEM
    if event.club.closed_at is not None:
        return None
    if event.state in Event.AHEAD:
        if event.starts_at is None:
            return None
        if event.starts_at <= now:
            return lambda: events.start(event_id=event.pk, by=by)
        opens = event.starts_at - timedelta(minutes=event.check_in)
        if event.check_in and event.state == Event.State.OPEN and opens <= now:
            return lambda: events.open_check_in(event_id=event.pk, by=by)
        return None
    if event.state != Event.State.RUNNING or _held(event):
        return None
    last = _last(event)
    if last is None:
        return _after(event, None, now)
    match last.state:
        case Round.State.DRAWN:
            if _is_stale(event, last):
                return lambda: rounds.freshen(event_id=event.pk, by=by, number=last.number)
            if event.pairing == Event.Pairing.AUTOMATIC:
                return lambda: rounds.publish(event_id=event.pk, by=by, number=last.number)
        case Round.State.PUBLISHED:
            if last.starts_at is None or last.starts_at <= now:
                return lambda: rounds.begin(event_id=event.pk, by=by, number=last.number)
        case Round.State.PLAYING:
            return _of_playing(event, last, now)
        case Round.State.CLOSED:
            return _after(event, last, now)
    return None


def _of_playing(event: Event, last: Round, now: datetime) -> Doing | None:
    by = Actor.SYSTEM
    open_tables = list(
        EventTable.objects.filter(round=last, state__in=EventTable.OPEN)
        .order_by("number")
        .values("pk", "kind", "state", "live_table_id", "live_table__phase")
    )
    if not open_tables:
        return lambda: rounds.close_round(event_id=event.pk, by=by, number=last.number)
    over = (LiveTable.Phase.OVER, LiveTable.Phase.CLOSED)
    ended = [each["live_table_id"] for each in open_tables if each["live_table__phase"] in over]
    games = Game.objects.filter(table__in=ended, status=Game.Status.FINISHED) if ended else Game.objects.none()
    game_id = games.values_list("pk", flat=True).first()
    if game_id is not None:
        return lambda: results.report_game(game_id=game_id)
    if floor.called_off(last).exists():
        return lambda: rounds.open_again(event_id=event.pk, by=by, number=last.number)
    waiting = any(each["live_table__phase"] == LiveTable.Phase.OPEN for each in open_tables)
    if waiting and _to_see_to(event, now):
        return lambda: _see_to_no_shows(event, now)
    said = [each["pk"] for each in open_tables if each["state"] == EventTable.State.REPORTED]
    up = last.ends_at is not None and last.ends_at <= now
    if said and not up:
        quiet = Report.objects.filter(table__in=said, at__gt=now - SILENCE).values("table")
        said = [each["pk"] for each in EventTable.objects.filter(pk__in=said).exclude(pk__in=quiet).values("pk")]
    if said:
        return lambda: _take_as_said(event.pk, said)
    return None


def _to_see_to(event: Event, now: datetime) -> bool:
    """Whether something can be done about who has not come. A director who seats substitutes is told
    by his page."""
    late = no_shows.overdue(event, now)
    if event.no_show != Event.NoShow.SUBSTITUTE:
        return bool(late)
    return any(len(missing) in (0, SEATS) for missing in late.values())


def _see_to_no_shows(event: Event, now: datetime) -> None:
    if not no_shows.see_to(event_id=event.pk, now=now):
        raise UserError("nothing can be done about who has not come")


def _take_as_said(event_id: int, table_ids: list[int]) -> None:
    with open_desk(event_id, by=Actor.SYSTEM, needs="direct", kind="took_as_said") as desk:
        tables = list(EventTable.objects.filter(event=desk.event, pk__in=table_ids).select_related("round"))
        if rounds.confirm_reported(desk, tables):
            desk.say(round=tables[0].round.number, tables=[table.number for table in tables])


def _after(event: Event, last: Round | None, now: datetime) -> Doing | None:
    try:
        over = snapshots.read_course(event).over()
    except EventError as error:
        log.info("event %s waits: %s", event.pk, error)
        return None
    if over:
        return lambda: events.finish(event_id=event.pk, by=Actor.SYSTEM)
    if event.pairing == Event.Pairing.CLICK:
        return None
    pause = timedelta(minutes=event.break_minutes)
    if pause and last is not None and last.closed_at is not None and last.closed_at + pause > now:
        return None
    number = 1 if last is None else last.number + 1
    return lambda: rounds.draw(event_id=event.pk, by=Actor.SYSTEM, number=number)


def _is_stale(event: Event, last: Round) -> bool:
    try:
        return rounds.is_stale(snapshots.read_course(event), last)
    except EventError:
        return False


def _held(event: Event) -> bool:
    """Whether the newest step undoes what the schedule would do again at once."""
    newest = Step.objects.filter(event=event).order_by("-number").values_list("kind", "words").first()
    return newest is not None and newest[0] == UNDO and newest[1].get("kind") in BY_ITSELF


def _last(event: Event) -> Round | None:
    return Round.objects.filter(event=event).order_by("-number").first()
