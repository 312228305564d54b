"""The rounds of an event: drawn, published, begun, closed; tables opened, changed and called off.

A round is ``drawn`` for the directors' eyes, ``published``, ``playing`` from the moment its tables
are open, and ``closed`` once every result is in. Everything here is one step of the event's log.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from games import engine
from games.models import Table as LiveTable
from games.selectors import tables as live_tables
from games.services import reserved, seating
from games.services.errors import UserError
from games.services.reserved import Booking
from tournaments.formats.event import Draw, EventError, Sides
from tournaments.formats.words import stored
from tournaments.models import Entrant, Event, EventTable, Member, Round, Seating
from tournaments.playbook import Plan
from tournaments.selectors import snapshots
from tournaments.selectors.rights import Actor
from tournaments.selectors.snapshots import Course
from tournaments.services import scoring
from tournaments.services.desk import Desk, open_desk
from tournaments.services.event_fields import plan_of

CODE_LETTERS: Final = "2346789BCDFGHJKMPQRTVWXY"
"""None is taken for another, and no word comes out."""

CODE_LENGTH: Final = 5

MISSED_LIMIT: Final = 2
"""No-shows in a row, after which an entrant pauses."""

MOST_MINUTES: Final = 240


# --- verbs: the course of a round -----------------------------------------------------------------------


def draw(*, event_id: int, by: Actor, number: int | None = None) -> int:
    """Draw the next round; its number. Directors. With ``number`` the round meant: drawn already, it
    stays as it is, so that a double click or a second worker changes nothing.

    UserError if the event is not running, the round before is not closed, no round is left, or
    the wishes cannot be kept.
    """
    with open_desk(event_id, by=by, needs="direct", kind="drew") as desk:
        last = _last_round(desk)
        if last is not None and last.number == number:
            return last.number
        drawn = _draw(desk, last)
        desk.hurry()
        return drawn.number


def redraw(
    *,
    event_id: int,
    by: Actor,
    number: int,
    tables: Sequence[Sides] = (),
    byes: Sequence[int] = (),
    absent: Iterable[int] = (),
    reason: str = "",
) -> None:
    """Draw a round anew that has not begun. Directors. Locked tables stay; ``tables`` are put
    together by hand (numbers of entrants, and locked from now on), ``byes`` are given by hand,
    ``absent`` sit this round out. UserError as for :func:`draw`, or if the round has begun.
    """
    with open_desk(event_id, by=by, needs="direct", kind="redrew", reason=reason) as desk:
        old = _find_round(desk, number)
        _check_not_begun(old)
        remake(desk, old, tables=tables, byes=byes, absent=absent)
        desk.hurry()


def publish(*, event_id: int, by: Actor, number: int, at: datetime | None = None) -> None:
    """Show a drawn round to everybody; it begins ``at`` that time, or at once. Directors. Published
    already, nothing changes."""
    with open_desk(event_id, by=by, needs="direct", kind="published") as desk:
        found = _find_round(desk, number)
        if found.state == Round.State.DRAWN:
            _publish(desk, found, at)
            if at is None:
                _begin(desk, found)
            desk.hurry()


def begin(*, event_id: int, by: Actor, number: int) -> None:
    """Open the tables of a published (or drawn) round: the players of online tables are called to
    theirs, the clock starts. Directors. Begun already, nothing changes."""
    with open_desk(event_id, by=by, needs="direct", kind="began") as desk:
        found = _find_round(desk, number)
        if found.state in (Round.State.DRAWN, Round.State.PUBLISHED):
            _publish(desk, found, None)
            _begin(desk, found)
            desk.hurry()


def close_round(*, event_id: int, by: Actor, number: int, unplayed: bool = False) -> None:
    """Close a round that is being played: its results count. Directors. What one side has reported
    is taken as it is. Closed already, nothing changes.

    UserError while tables have no result, unless ``unplayed``: those do not count then, and games
    that still run at them end without a result.
    """
    with open_desk(event_id, by=by, needs="direct", kind="closed_round") as desk:
        found = _find_round(desk, number)
        if found.state != Round.State.CLOSED:
            _close(desk, found, unplayed)
            desk.hurry()


def next_round(*, event_id: int, by: Actor, after: int) -> int:
    """Close round ``after`` (0: none) if all its results are in, draw the next one, publish and begin
    it: one click. Directors. The number of the round that is on now; done twice, nothing changes."""
    with open_desk(event_id, by=by, needs="direct", kind="next_round") as desk:
        last = _last_round(desk)
        if last is not None and last.number > after:
            if last.state in (Round.State.DRAWN, Round.State.PUBLISHED):
                _publish(desk, last, None)
                _begin(desk, last)
                desk.hurry()
            return last.number
        if last is not None and last.state != Round.State.CLOSED:
            _close(desk, last, unplayed=False)
        drawn = _draw(desk, last)
        _publish(desk, drawn, None)
        _begin(desk, drawn)
        desk.hurry()
        return drawn.number


def freshen(*, event_id: int, by: Actor, number: int) -> bool:
    """Draw a round anew that nobody has seen, if who takes part, a result or a wish has changed since;
    whether it was. For the schedule. Idempotent."""
    with open_desk(event_id, by=by, needs="direct", kind="redrew") as desk:
        found = _find_round(desk, number)
        if found.state != Round.State.DRAWN or not is_stale(read(desk), found):
            return False
        remake(desk, found)
        desk.hurry()
        return True


def is_stale(course: Course, found: Round) -> bool:
    """Whether a round was drawn from what is no longer so."""
    return found.drawn_from != course.fingerprint


# --- verbs: tables of a round -----------------------------------------------------------------------------


def lock_table(*, event_id: int, by: Actor, table_id: int, locked: bool = True) -> None:
    """Keep a table as it is when its round is drawn again, or no longer. Directors."""
    with open_desk(event_id, by=by, needs="direct", kind="locked_table" if locked else "unlocked_table") as desk:
        table = find_table(desk, table_id)
        _check_not_begun(table.round)
        desk.change(table, locked=locked)
        desk.say(round=table.round.number, table=table.number)


def set_kind(*, event_id: int, by: Actor, table_id: int, kind: str) -> None:
    """Let a table be played online or in the hall. Directors. In a round that is being played the
    online table opens, or is called off, at once. UserError once it has a result, and for online
    play where somebody has no account."""
    if kind not in Event.Kind.values:
        raise UserError(_("A table is online or in the hall."))
    with open_desk(event_id, by=by, needs="direct", kind="set_kind") as desk:
        table = find_table(desk, table_id)
        if table.kind == kind:
            return
        if table.state not in EventTable.OPEN:
            raise UserError(_("That table has its result."))
        desk.say(round=table.round.number, table=table.number, to=str(kind))
        if kind == Event.Kind.HALL:
            call_off(desk, [table])
            desk.change(table, kind=kind, code=table.code or _codes(desk.event, 1)[0])
            return
        plan = plan_of(desk.event)
        players = _players(desk, [table], plan)
        if table.pk not in players:
            raise UserError(_("Somebody at that table has no account here: it can only be played in the hall."))
        desk.change(table, kind=kind)
        if table.round.state == Round.State.PLAYING:
            _open_live(desk, [table], players, plan)
        desk.hurry()


def swap(*, event_id: int, by: Actor, number: int, one: int, other: int, reason: str = "") -> None:
    """Let two entrants (their numbers) change places in a round that has not begun; also with one
    who has a bye or rests. Directors. UserError where the format gives the places."""
    with open_desk(event_id, by=by, needs="direct", kind="swapped", reason=reason) as desk:
        found = _find_round(desk, number)
        _check_not_begun(found)
        if one == other:
            return
        course = read(desk)
        tables = list(EventTable.objects.filter(round=found))
        if any(table.label for table in tables):
            raise UserError(_("Here the format says who meets whom. Change seeds or wishes and draw again."))
        change = {one: other, other: one}
        here = {number for table in tables for side in table.sides for number in side} | {*found.byes, *found.rests}
        if not change.keys() <= here:
            raise UserError(_("They are not both in this round."))
        for table in tables:
            if any(each in change for side in table.sides for each in side):
                sides = [[change.get(each, each) for each in side] for side in table.sides]
                seats = Seating.objects.filter(table=table, entrant__number__in=change)
                for seat in seats:
                    desk.delete(seat)
                desk.change(table, sides=sides, reasons=[], locked=True)
        entrants = {each.number: each for each in Entrant.objects.filter(event=desk.event, number__in=change)}
        desk.create_all(
            Seating,
            [
                {"round": found, "table": table, "entrant": entrants[each], "side": side}
                for table in tables
                for side, members in enumerate(table.sides)
                for each in members
                if each in change
            ],
        )
        desk.change(
            found,
            byes=[change.get(each, each) for each in found.byes],
            rests=[change.get(each, each) for each in found.rests],
        )
        _settle_kinds(desk, tables, course.plan)
        desk.say(round=number, one=course.name_of(one), other=course.name_of(other))


# --- verbs: the clock ---------------------------------------------------------------------------------------


def add_minutes(*, event_id: int, by: Actor, number: int, minutes: int) -> None:
    """Give a round more time, or less; one without an end gets one. Directors."""
    if not 1 <= abs(minutes) <= MOST_MINUTES:
        raise UserError(_("Add 1 to %(most)d minutes.") % {"most": MOST_MINUTES})
    with open_desk(event_id, by=by, needs="direct", kind="added_minutes") as desk:
        found = _playing_round(desk, number)
        more = timedelta(minutes=minutes)
        if found.left is not None:
            desk.change(found, left=max(0, found.left + 60 * minutes))
        else:
            desk.change(found, ends_at=max(desk.now, (found.ends_at or desk.now) + more))
        desk.say(round=number, minutes=minutes)
        desk.hurry()


def pause_clock(*, event_id: int, by: Actor, number: int) -> None:
    """Stop the clock of a round. Directors. Stopped already, nothing changes."""
    with open_desk(event_id, by=by, needs="direct", kind="paused_clock") as desk:
        found = _playing_round(desk, number)
        if found.left is None and found.ends_at is not None:
            left = max(0, int((found.ends_at - desk.now).total_seconds()))
            desk.change(found, ends_at=None, left=left)
            desk.say(round=number)
            desk.hurry()


def resume_clock(*, event_id: int, by: Actor, number: int) -> None:
    """Let a stopped clock run on. Directors."""
    with open_desk(event_id, by=by, needs="direct", kind="resumed_clock") as desk:
        found = _playing_round(desk, number)
        if found.left is not None:
            desk.change(found, ends_at=desk.now + timedelta(seconds=found.left), left=None)
            desk.say(round=number)
            desk.hurry()


# --- who does not come ----------------------------------------------------------------------------------------


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


def see_to_no_shows(*, event_id: int, now: datetime) -> int:
    """Do with overdue online tables what the event says; how many were seen to. Whose seat was empty
    has missed a round; after two in a row an entrant pauses. For the schedule; idempotent.

    A table that nobody came to is a double forfeit whatever the event says. Where the director
    seats a substitute, nothing is done but telling him (:func:`overdue`).
    """
    with open_desk(event_id, by=Actor.SYSTEM, needs="direct", kind="no_shows") as desk:
        late = overdue(desk.event, now)
        tables = list(EventTable.objects.filter(pk__in=late).select_related("round", "live_table").order_by("number"))
        seen = [_see_to(desk, table, set(late[table.pk])) for table in tables]
        count = sum(seen)
        if count:
            desk.say(tables=[table.number for table, done in zip(tables, seen, strict=True) if done])
        return count


def _see_to(desk: Desk, table: EventTable, missing: set[int]) -> bool:
    assert table.live_table_id is not None
    side_of = _seated_players(table.live_table_id)
    there = {side for player, side in side_of.items() if player not in missing}
    short = {side_of[player] for player in missing if player in side_of}
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


def _seated_players(live_table_id: int) -> dict[int, int]:
    """The side of each player at an online table."""
    seats = live_tables.read_seats(live_table_id)
    return {seat.player_id: seat.index % 2 for seat in seats if seat.player_id is not None}


def _forfeit(desk: Desk, table: EventTable, absent: int | None) -> None:
    call_off(desk, [table])
    state = EventTable.State.DOUBLE if absent is None else EventTable.State.FORFEIT
    winner = None if absent is None else 1 - absent
    desk.change(table, state=state, absent=absent, winner=winner, done_at=desk.now)


def _count_missed(desk: Desk, players: set[int]) -> None:
    entrants = Entrant.objects.filter(event=desk.event, members__player__in=players, members__gone=False).distinct()
    for entrant in entrants:
        missed = entrant.missed + 1
        pauses = missed >= MISSED_LIMIT and entrant.state == Entrant.State.ACTIVE
        desk.change(entrant, missed=missed, **({"state": Entrant.State.PAUSED} if pauses else {}))


# --- at an open desk: for the other services of events -----------------------------------------------------------


def read(desk: Desk) -> Course:
    """The course of the desk's event. UserError for settings that cannot be."""
    try:
        return snapshots.read_course(desk.event)
    except EventError as error:
        raise UserError(snapshots.tell(error)) from error


def find_table(desk: Desk, table_id: int) -> EventTable:
    """A table of the event with its round. UserError if it is gone."""
    table = EventTable.objects.select_related("round").filter(event=desk.event, pk=table_id).first()
    if table is None:
        raise UserError(_("That is gone: somebody has changed it meanwhile. Look at the page again."))
    return table


def remake(
    desk: Desk, old: Round, *, tables: Sequence[Sides] = (), byes: Sequence[int] = (), absent: Iterable[int] = ()
) -> Round | None:
    """A round that has not begun, drawn again; locked tables stay as they are. It keeps its state.
    None, and the round is gone, if the event is over as it is now."""
    kept = [snapshots.sides_of(table) for table in EventTable.objects.filter(round=old, locked=True).order_by("number")]
    desk.delete(old)
    last = _last_round(desk)
    course = read(desk)
    hand = (*kept, *tables)
    if _is_over(course):
        return None
    label_free = course.plan.bracket(course.snapshot, desk.event.seed) is None if hand else True
    made = _draw(desk, last, tables=hand if label_free else (), byes=tuple(byes), absent=frozenset(absent))
    if old.state == Round.State.PUBLISHED:
        desk.change(made, state=old.state, published_at=desk.now, starts_at=old.starts_at)
    return made


def reseat(desk: Desk, *, out: int, put_in: int) -> None:
    """At the online table where ``out`` plays for this event now, another player or bot (ids) takes
    his seat. Nothing if there is none."""
    table = (
        EventTable.objects.filter(event=desk.event, state__in=EventTable.OPEN, live_table__seats__player=out)
        .exclude(live_table__phase__in=(LiveTable.Phase.OVER, LiveTable.Phase.CLOSED))
        .first()
    )
    if table is not None and table.live_table_id is not None:
        reserved.substitute(table_id=table.live_table_id, out=out, put_in=put_in)


def call_off(desk: Desk, tables: Iterable[EventTable]) -> None:
    """Close the online tables of these; a game that runs there ends without a result."""
    reserved.call_off(table.live_table_id for table in tables if table.live_table_id is not None)


def confirm_reported(desk: Desk, tables: Iterable[EventTable]) -> int:
    """Take what one side has said of these tables as it is; how many."""
    said = [table for table in tables if table.state == EventTable.State.REPORTED]
    return desk.change_all(said, state=EventTable.State.CONFIRMED, done_at=desk.now)


def online_rules(event: Event, plan: Plan) -> str:
    """The rules of the event's online tables in notation: those of the event, to the points or over
    the hands its results are checked by, as far as the tables know them."""
    rules, score = engine.parse_rules(event.rules), plan.score
    if score.hands in engine.OPTIONS["num_deals"]:
        rules = replace(rules, num_deals=score.hands)
    if not score.hands and score.target in engine.OPTIONS["target_score"]:
        rules = replace(rules, target_score=score.target)
    return engine.format_rules(rules)


# --- within -------------------------------------------------------------------------------------------------------


def _last_round(desk: Desk) -> Round | None:
    return Round.objects.filter(event=desk.event).order_by("-number").first()


def _find_round(desk: Desk, number: int) -> Round:
    found = Round.objects.filter(event=desk.event, number=number).first()
    if found is None:
        raise UserError(_("There is no round %(number)d.") % {"number": number})
    desk.say(round=number)
    return found


def _playing_round(desk: Desk, number: int) -> Round:
    found = _find_round(desk, number)
    if found.state != Round.State.PLAYING:
        raise UserError(_("Round %(number)d is not being played.") % {"number": number})
    return found


def _check_not_begun(found: Round) -> None:
    if found.state not in (Round.State.DRAWN, Round.State.PUBLISHED):
        raise UserError(_("Round %(number)d has begun. Its tables stay as they are.") % {"number": found.number})


def _draw(
    desk: Desk,
    last: Round | None,
    *,
    tables: Sequence[Sides] = (),
    byes: Sequence[int] = (),
    absent: frozenset[int] = frozenset(),
) -> Round:
    if desk.event.state != Event.State.RUNNING:
        raise UserError(_("Rounds are drawn while the event is running."))
    if last is not None and last.state != Round.State.CLOSED:
        raise UserError(_("Round %(number)d is not closed yet.") % {"number": last.number})
    course = read(desk)
    if _is_over(course):
        raise UserError(_("Every round of this event has been played."))
    try:
        drawing = course.with_constraints(tables=tuple(tables), byes=tuple(byes), absent=absent)
        drawn = course.plan.pair(drawing.snapshot, desk.event.seed)
    except EventError as error:
        raise UserError(snapshots.tell(error, course)) from error
    made = desk.create(
        Round,
        number=drawn.round,
        drawn_from=course.fingerprint,
        notes=[stored(note) for note in drawn.notes],
        byes=list(drawn.byes),
        rests=list(drawn.rests),
    )
    _lay_tables(desk, made, drawn, course.plan, {_unordered(sides) for sides in tables})
    desk.say(round=drawn.round, tables=len(drawn.tables))
    return made


def _is_over(course: Course) -> bool:
    try:
        return course.over()
    except EventError as error:
        raise UserError(snapshots.tell(error, course)) from error


def _unordered(sides: Sides) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(side) for side in sides)


def _lay_tables(
    desk: Desk, made: Round, drawn: Draw, plan: Plan, by_hand: set[frozenset[frozenset[int]]]
) -> list[EventTable]:
    laid = desk.create_all(
        EventTable,
        [
            {
                "round": made,
                "number": table.number,
                "kind": desk.event.kind,
                "label": table.label,
                "sides": [list(side) for side in table.sides],
                "reasons": [stored(reason) for reason in table.reasons],
                "locked": _unordered(table.sides) in by_hand,
                "code": code,
            }
            for table, code in zip(drawn.tables, _codes(desk.event, len(drawn.tables)), strict=True)
        ],
    )
    entrants = dict(Entrant.objects.filter(event=desk.event).values_list("number", "pk"))
    desk.create_all(
        Seating,
        [
            {"round": made, "table": table, "entrant_id": entrants[one], "side": side}
            for table in laid
            for side, members in enumerate(table.sides)
            for one in members
        ],
    )
    _settle_kinds(desk, laid, plan)
    return laid


def _settle_kinds(desk: Desk, tables: Sequence[EventTable], plan: Plan) -> None:
    """Tables with somebody who has no account are in the hall."""
    online = [table for table in tables if table.kind == Event.Kind.ONLINE]
    players = _players(desk, online, plan) if online else {}
    desk.change_all([table for table in online if table.pk not in players], kind=Event.Kind.HALL)


def _codes(event: Event, count: int) -> list[str]:
    """Codes that no table of the event has."""
    used = set(EventTable.objects.filter(event=event).exclude(code="").values_list("code", flat=True))
    found: list[str] = []
    while len(found) < count:
        code = "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))
        if code not in used:
            used.add(code)
            found.append(code)
    return found


def _players(desk: Desk, tables: Sequence[EventTable], plan: Plan) -> dict[int, tuple[int, ...]]:
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


def _publish(desk: Desk, found: Round, at: datetime | None) -> None:
    if found.state == Round.State.DRAWN:
        starts_at = max(at, desk.now) if at is not None else desk.now
        desk.change(found, state=Round.State.PUBLISHED, published_at=desk.now, starts_at=starts_at)


def _begin(desk: Desk, found: Round) -> None:
    if desk.event.state != Event.State.RUNNING:
        raise UserError(_("Rounds are played while the event is running."))
    plan = plan_of(desk.event)
    tables = list(EventTable.objects.filter(round=found, state=EventTable.State.WAITING).order_by("number"))
    _settle_kinds(desk, tables, plan)
    online = [table for table in tables if table.kind == Event.Kind.ONLINE]
    if online:
        _open_live(desk, online, _players(desk, online, plan), plan)
    desk.change_all(tables, state=EventTable.State.PLAYING, started_at=desk.now)
    minutes = desk.event.round_minutes
    desk.change(
        found,
        state=Round.State.PLAYING,
        starts_at=desk.now,
        ends_at=desk.now + timedelta(minutes=minutes) if minutes else None,
        left=None,
    )
    desk.say(round=found.number)


def _open_live(desk: Desk, tables: Sequence[EventTable], players: dict[int, tuple[int, ...]], plan: Plan) -> None:
    event, rules = desk.event, online_rules(desk.event, plan)
    numbers = dict(Round.objects.filter(event=event).values_list("pk", "number"))
    opened = reserved.reserve(
        [
            Booking(
                title=f"{event.title[:28]} {numbers[table.round_id]}–{table.number}",
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


def _close(desk: Desk, found: Round, unplayed: bool) -> None:
    if found.state != Round.State.PLAYING:
        raise UserError(_("Round %(number)d has not begun.") % {"number": found.number})
    tables = list(EventTable.objects.select_related("round").filter(round=found).order_by("number"))
    for table in tables:
        scoring.take_game(desk, table)
    confirm_reported(desk, tables)
    missing = [table for table in tables if table.state in EventTable.OPEN]
    if missing and not unplayed:
        numbers = ", ".join(str(table.number) for table in missing)
        raise UserError(_("There is no result yet from table %(numbers)s.") % {"numbers": numbers})
    call_off(desk, missing)
    desk.change_all(missing, state=EventTable.State.VOID, done_at=desk.now)
    desk.change(found, state=Round.State.CLOSED, closed_at=desk.now, ends_at=None, left=None)
    desk.say(round=found.number, unplayed=[table.number for table in missing])


def tidy() -> None:
    """Call off the online tables that no event knows any more: their round was drawn again or undone."""
    lost = LiveTable.objects.filter(reserved=True, phase=LiveTable.Phase.OPEN, event_table=None)
    for live in list(lost.values_list("pk", flat=True)[:100]):
        with transaction.atomic():
            reserved.call_off([live])
