"""The tables of an event: which are played online, by whom, and the live tables opened for them.

For the services of an event, at an open desk.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from games import engine
from games.models import Game
from games.models import Table as LiveTable
from games.services import reserved, seating
from games.services.reserved import Booking
from tournaments.models import Event, EventTable, Member, Round
from tournaments.playbook import Plan
from tournaments.services.desk import Desk

CODE_LETTERS: Final = "2346789BCDFGHJKMPQRTVWXY"
"""None is taken for another, and no word comes out."""

CODE_LENGTH: Final = 5

TITLE: Final = 40
"""The most characters of a live table's title."""


def online_rules(event: Event, plan: Plan) -> str:
    """The rules of the event's online tables in notation: those of the event, to the points or over
    the hands its results are checked by, as far as the tables know them."""
    rules, score = engine.parse_rules(event.rules), plan.score
    if score.hands in engine.OPTIONS["num_deals"]:
        rules = replace(rules, num_deals=score.hands)
    if not score.hands and score.target in engine.OPTIONS["target_score"]:
        rules = replace(rules, target_score=score.target)
    return engine.format_rules(rules)


def settle_kinds(desk: Desk, tables: Sequence[EventTable], plan: Plan) -> None:
    """Tables with somebody who has no account are in the hall."""
    online = [table for table in tables if table.kind == Event.Kind.ONLINE]
    players = players_of(desk, online, plan) if online else {}
    desk.change_all([table for table in online if table.pk not in players], kind=Event.Kind.HALL)


def codes(event: Event, count: int) -> list[str]:
    """Codes that no table of the event has."""
    used = set(EventTable.objects.filter(event=event).exclude(code="").values_list("code", flat=True))
    found: list[str] = []
    while len(found) < count:
        code = "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))
        if code not in used:
            used.add(code)
            found.append(code)
    return found


def players_of(desk: Desk, tables: Sequence[EventTable], plan: Plan) -> dict[int, tuple[int, ...]]:
    """Who sits at a table, clockwise, by the table's id: of those that can be played online. Partners
    sit at 0 and 2, 1 and 3. One query."""
    by_boards = "deals" in plan.values  # the same cards at every table: they are dealt by hand
    if by_boards or plan.members * plan.side != 2 or engine.parse_rules(desk.event.rules).players != 4:
        return {}
    wanted = {number for table in tables for side in table.sides for number in side}
    people: dict[int, list[int | None]] = {}
    members = Member.objects.filter(event=desk.event, gone=False, entrant__number__in=wanted)
    for number, player_id, active in members.order_by("entrant", "position", "pk").values_list(
        "entrant__number", "player_id", "player__is_active"
    ):
        people.setdefault(number, []).append(player_id if active else None)
    found = {}
    for table in tables:
        sides = [[player for number in side for player in people.get(number, [])] for side in table.sides]
        if all(len(side) == 2 for side in sides):
            (north, south), (east, west) = sides
            seats = tuple(player for player in (north, east, south, west) if player is not None)
            if len(set(seats)) == 4:
                found[table.pk] = seats
    return found


def open_live(desk: Desk, tables: Sequence[EventTable], players: dict[int, tuple[int, ...]], plan: Plan) -> None:
    event, rules = desk.event, online_rules(desk.event, plan)
    numbers = dict(Round.objects.filter(event=event).values_list("pk", "number"))
    opened = reserved.reserve(
        [
            Booking(
                title=title_of(event, numbers[table.round_id], table.number),
                rules=rules,
                pace=event.pace,
                ranked=event.rated and seating.is_rated(rules),
                seats=players[table.pk],
                back=f"/events/{event.pk}/",
            )
            for table in tables
        ]
    )
    values: list[tuple[EventTable, dict[str, Any]]] = [
        (table, {"live_table_id": live, "started_at": desk.now}) for table, live in zip(tables, opened, strict=True)
    ]
    desk.change_each(values)


def title_of(event: Event, round_: int, table: int) -> str:
    """What the live table of a table of the event is called by everybody, in the site's own language."""
    with translation.override(settings.LANGUAGE_CODE):
        which = _("round %(round)d, table %(table)d") % {"round": round_, "table": table}
    room = TITLE - len(which) - 2
    named = event.title if len(event.title) <= room else f"{event.title[: room - 1].rstrip()}…"
    return f"{named}, {which}"


def reseat(desk: Desk, *, out: int, put_in: int) -> None:
    """At the online table where ``out`` plays for this event now, another player or bot (ids) takes
    his seat. Nothing if there is none."""
    table = plays_online(desk, out)
    if table is not None and table.live_table_id is not None:
        reserved.substitute(table_id=table.live_table_id, out=out, put_in=put_in)


def plays_online(desk: Desk, player_id: int) -> EventTable | None:
    """The table at which somebody plays online for this event now. One query."""
    mine = EventTable.objects.filter(event=desk.event, state__in=EventTable.OPEN, live_table__seats__player=player_id)
    return mine.exclude(live_table__phase__in=(LiveTable.Phase.OVER, LiveTable.Phase.CLOSED)).first()


def called_off(found: Round) -> QuerySet[EventTable]:
    """Tables that are to be played online in a round, and that nobody can play: their live table is closed."""
    waits = EventTable.objects.filter(round=found, kind=Event.Kind.ONLINE, state=EventTable.State.PLAYING)
    closed = waits.filter(Q(live_table=None) | Q(live_table__phase=LiveTable.Phase.CLOSED))
    return closed.exclude(live_table__games__status=Game.Status.FINISHED)


def call_off(desk: Desk, tables: Iterable[EventTable]) -> None:
    """Close the online tables of these; a game that runs there ends without a result."""
    reserved.call_off(table.live_table_id for table in tables if table.live_table_id is not None)


def tidy() -> None:
    """Call off the online tables that no event and no ladder knows any more: their round was drawn
    again or undone."""
    kept = LiveTable.objects.filter(reserved=True, phase=LiveTable.Phase.OPEN)
    lost = kept.filter(event_table=None, ladder_match=None)
    reserved.call_off(list(lost.values_list("pk", flat=True)[:100]))
