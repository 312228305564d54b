"""Who does not come to an online table: a bot plays, or the table is forfeited, as the event says."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from games.models import Table as LiveTable
from games.selectors import tables as live_tables
from games.services import reserved
from games.services.errors import UserError
from tournaments.models import Entrant, Event, EventTable
from tournaments.selectors.rights import Actor
from tournaments.services import floor
from tournaments.services.desk import Desk, open_desk

MISSED_LIMIT: Final = 2
"""No-shows in a row, after which an entrant pauses."""


def overdue(event: Event, now: datetime) -> dict[int, tuple[int, ...]]:
    """Online tables of the round that wait for longer than the event allows: by id, the players who
    have not come. Two queries."""
    if not event.no_show_minutes:
        return {}
    waiting = EventTable.objects.filter(
        event=event,
        state=EventTable.State.PLAYING,
        kind=Event.Kind.ONLINE,
        started_at__lte=now - timedelta(minutes=event.no_show_minutes),
        live_table__phase=LiveTable.Phase.OPEN,
    )
    by_live = dict(waiting.values_list("live_table_id", "pk"))
    missing = live_tables.awaited([live for live in by_live if live is not None])
    return {by_live[live]: tuple(each for each in who if each is not None) for live, who in missing.items()}


def see_to(*, event_id: int, now: datetime) -> int:
    """Do with overdue online tables what the event says; how many were seen to. Whose seat was empty
    has missed a round; after two in a row an entrant pauses. For the schedule; idempotent.

    A table that nobody came to is a double forfeit whatever the event says. Where the director
    seats a substitute, nothing is done but telling him (:func:`overdue`).
    """
    with open_desk(event_id, by=Actor.SYSTEM, needs="direct", kind="no_shows") as desk:
        late = overdue(desk.event, now)
        tables = list(EventTable.objects.filter(pk__in=late).select_related("round", "live_table").order_by("number"))
        seen = [_do(desk, table, set(late[table.pk])) for table in tables]
        count = sum(seen)
        if count:
            desk.say(tables=[table.number for table, done in zip(tables, seen, strict=True) if done])
        return count


def _do(desk: Desk, table: EventTable, missing: set[int]) -> bool:
    assert table.live_table_id is not None
    seats = {(seat.index % 2, seat.player_id) for seat in live_tables.read_seats(table.live_table_id)}
    short = {side for side, player in seats if player is None or player in missing}
    there = {side for side, player in seats if player is not None and player not in missing}
    if not there:
        _forfeit(desk, table, None)
    elif desk.event.no_show == Event.NoShow.FORFEIT:
        _forfeit(desk, table, None if len(short) == 2 else min(short, default=None))
    elif desk.event.no_show == Event.NoShow.BOT or not missing:
        try:
            reserved.begin_without(table_id=table.live_table_id)
        except UserError:  # no bots on this site: the director has to see to it
            return False
    else:
        return False
    _count_missed(desk, missing)
    return True


def _forfeit(desk: Desk, table: EventTable, absent: int | None) -> None:
    floor.call_off(desk, [table])
    state = EventTable.State.DOUBLE if absent is None else EventTable.State.FORFEIT
    winner = None if absent is None else 1 - absent
    desk.change(table, state=state, absent=absent, winner=winner, done_at=desk.now)


def _count_missed(desk: Desk, players: set[int]) -> None:
    entrants = Entrant.objects.filter(event=desk.event, members__player__in=players, members__gone=False).distinct()
    for entrant in entrants:
        missed = entrant.missed + 1
        pauses = missed >= MISSED_LIMIT and entrant.state == Entrant.State.ACTIVE
        desk.change(entrant, missed=missed, **({"state": Entrant.State.PAUSED} if pauses else {}))
