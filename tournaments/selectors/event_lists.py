"""Lists of events: what is to come and what was, of one club or of all that anybody may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet

from tournaments.models import Club, Entrant, Event
from tournaments.playbook import PLAYBOOKS

PAST: Final = 20
"""Past events on a page of a list."""

TAKING: Final = (*Entrant.LISTED, *Entrant.PLAYING)
_ENDED: Final = (Event.State.FINISHED, Event.State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Listed:
    """An event in a list. ``when`` it begins, or has ended if no hour was set, as the clock shows it
    where it is played, without a zone; ``format`` is to be translated."""

    event: Event
    entrants: int
    when: datetime | None
    format: str


@dataclass(frozen=True, slots=True)
class Events:
    running: list[Listed]
    coming: list[Listed]
    past: list[Listed]
    number: int
    pages: int


def read_events(club: Club | None, *, drafts: bool, page: int = 1) -> Events:
    """Events that run, those to come, the next first, those without an hour last, and those that are over,
    the last first, by pages. Of one club, or of all public ones. Three queries."""
    found = Event.objects.select_related("club").defer("about", "settings")
    found = found.filter(club=club) if club is not None else found.filter(club__public=True)
    if not drafts:
        found = found.exclude(state=Event.State.DRAFT)
    coming = found.exclude(state__in=_ENDED).order_by(F("starts_at").asc(nulls_last=True), "pk")
    past = found.filter(state__in=_ENDED).order_by("-finished_at", "-pk")
    pager = Paginator(past, PAST)
    shown = pager.get_page(page)
    rows = list(coming[:200])
    counts = _counts([*rows, *shown.object_list])
    running = Event.State.RUNNING
    return Events(
        [_listed(event, counts) for event in rows if event.state == running],
        [_listed(event, counts) for event in rows if event.state != running],
        [_listed(event, counts) for event in shown.object_list],
        shown.number,
        pager.num_pages,
    )


def _counts(events: list[Event]) -> dict[int, int]:
    taking: QuerySet[Any] = Event.objects.filter(pk__in=[event.pk for event in events])
    counted = taking.annotate(taking=Count("entrants", filter=Q(entrants__state__in=TAKING)))
    return dict(counted.order_by().values_list("pk", "taking"))


def _listed(event: Event, counts: dict[int, int]) -> Listed:
    book = PLAYBOOKS.get(event.format)
    when = wall_time(event.starts_at or event.finished_at, event.zone)
    return Listed(event, counts.get(event.pk, 0), when, book.label if book else "")


def wall_time(moment: datetime | None, zone: str) -> datetime | None:
    """A moment as the clock shows it there, without its zone, so that nobody reads it in another one."""
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) if moment is not None else None
