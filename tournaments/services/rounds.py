"""The rounds of an event: drawn, published, begun, closed; tables opened, changed and called off.

A round is ``drawn`` for the directors' eyes, ``published``, ``playing`` from the moment its tables
are open, and ``closed`` once every result is in. Everything here is one step of the event's log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.formats.event import Draw, EventError, Sides
from tournaments.formats.words import stored
from tournaments.models import Entrant, Event, EventTable, Round, Seating
from tournaments.playbook import Plan
from tournaments.selectors import snapshots
from tournaments.selectors.rights import Actor
from tournaments.selectors.snapshots import Course
from tournaments.services import floor, scoring, texts
from tournaments.services.desk import Desk, open_desk
from tournaments.services.event_fields import plan_of

MOST_MINUTES: Final = 240
"""To add to a round at once."""

LONGEST_REASON: Final = 300
"""Characters; of longer ones the end is left out."""


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
    reason = texts.cut(reason, LONGEST_REASON)
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
            _show(desk, found, at, begin=at is None)
            desk.hurry()


def begin(*, event_id: int, by: Actor, number: int) -> None:
    """Open the tables of a published (or drawn) round: the players of online tables are called to
    theirs, the clock starts. Directors. Begun already, nothing changes."""
    with open_desk(event_id, by=by, needs="direct", kind="began") as desk:
        found = _find_round(desk, number)
        if found.state in (Round.State.DRAWN, Round.State.PUBLISHED):
            _show(desk, found, None, begin=True)
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
                _show(desk, last, None, begin=True)
                desk.hurry()
            return last.number
        if last is not None and last.state != Round.State.CLOSED:
            _close(desk, last, unplayed=False)
        drawn = _draw(desk, last)
        _show(desk, drawn, None, begin=True)
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


def open_again(*, event_id: int, by: Actor, number: int) -> int:
    """Open the online tables of a round that is being played anew which were called off without a
    result, because that was undone; how many. Where somebody has no account, they are in the hall.
    For the schedule. Idempotent."""
    with open_desk(event_id, by=by, needs="direct", kind="opened_again") as desk:
        found = _playing_round(desk, number)
        plan = plan_of(desk.event)
        tables = list(floor.called_off(found).order_by("number"))
        floor.settle_kinds(desk, tables, plan)
        online = [table for table in tables if table.kind == Event.Kind.ONLINE]
        if online:
            floor.open_live(desk, online, floor.players_of(desk, online, plan), plan)
        desk.say(round=number, tables=[table.number for table in tables])
        return len(tables)


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
            floor.call_off(desk, [table])
            desk.change(table, kind=kind, code=table.code or floor.codes(desk.event, 1)[0])
            return
        plan = plan_of(desk.event)
        players = floor.players_of(desk, [table], plan)
        if table.pk not in players:
            raise UserError(_("Somebody at that table has no account here: it can only be played in the hall."))
        desk.change(table, kind=kind)
        if table.round.state == Round.State.PLAYING:
            floor.open_live(desk, [table], players, plan)
        desk.hurry()


def swap(*, event_id: int, by: Actor, number: int, one: int, other: int, reason: str = "") -> None:
    """Let two entrants (their numbers) change places in a round that has not begun; also with one
    who has a bye or rests. Directors. UserError where the format gives the places."""
    reason = texts.cut(reason, LONGEST_REASON)
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
        could = floor.players_of(desk, tables, course.plan)
        for table in tables:
            if any(each in change for side in table.sides for each in side):
                sides = [[change.get(each, each) for each in side] for side in table.sides]
                seats = Seating.objects.filter(table=table, entrant__number__in=change)
                for seat in seats:
                    desk.delete(seat)
                # Where somebody had no account it had to be the hall; now all of them may have one.
                kind = table.kind if table.pk in could else desk.event.kind
                desk.change(table, sides=sides, reasons=[], locked=True, kind=kind)
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
        floor.settle_kinds(desk, tables, course.plan)
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
    """A round that has not begun, drawn again; locked tables stay as they are, unless somebody there
    plays no more. It keeps its state. None, and the round is gone, if the event is over as it is now."""
    here = set(Entrant.objects.filter(event=desk.event, state=Entrant.State.ACTIVE).values_list("number", flat=True))
    locked = EventTable.objects.filter(round=old, locked=True).order_by("number")
    kept = [
        sides for sides in map(snapshots.sides_of, locked) if here.issuperset(one for side in sides for one in side)
    ]
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


def without_those_gone(desk: Desk) -> None:
    """A round that nobody has seen is drawn anew: somebody was struck off the list."""
    last = _last_round(desk)
    if desk.event.state == Event.State.RUNNING and last is not None and last.state == Round.State.DRAWN:
        remake(desk, last)


def confirm_reported(desk: Desk, tables: Iterable[EventTable]) -> int:
    """Take what one side has said of these tables as it is; how many."""
    said = [table for table in tables if table.state == EventTable.State.REPORTED]
    return desk.change_all(said, state=EventTable.State.CONFIRMED, done_at=desk.now)


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
            for table, code in zip(drawn.tables, floor.codes(desk.event, len(drawn.tables)), strict=True)
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
    floor.settle_kinds(desk, laid, plan)
    return laid


def _show(desk: Desk, found: Round, at: datetime | None, *, begin: bool) -> None:
    """Publish a round, and begin it; one that was drawn from what is no longer so is drawn anew first."""
    shown: Round | None = found
    if found.state == Round.State.DRAWN and is_stale(read(desk), found):
        shown = remake(desk, found)
    if shown is not None:
        _publish(desk, shown, at)
        if begin:
            _begin(desk, shown)


def _publish(desk: Desk, found: Round, at: datetime | None) -> None:
    if found.state == Round.State.DRAWN:
        starts_at = max(at, desk.now) if at is not None else desk.now
        desk.change(found, state=Round.State.PUBLISHED, published_at=desk.now, starts_at=starts_at)


def _begin(desk: Desk, found: Round) -> None:
    if desk.event.state != Event.State.RUNNING:
        raise UserError(_("Rounds are played while the event is running."))
    plan = plan_of(desk.event)
    waiting = list(EventTable.objects.filter(round=found, state=EventTable.State.WAITING).order_by("number"))
    tables = _without_walkovers(desk, waiting)
    floor.settle_kinds(desk, tables, plan)
    online = [table for table in tables if table.kind == Event.Kind.ONLINE]
    if online:
        floor.open_live(desk, online, floor.players_of(desk, online, plan), plan)
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


def _without_walkovers(desk: Desk, tables: list[EventTable]) -> list[EventTable]:
    """The tables at which somebody of both sides still plays; the others are forfeited."""
    out = set(
        Entrant.objects.filter(
            event=desk.event, state__in=(Entrant.State.WITHDRAWN, Entrant.State.DISQUALIFIED)
        ).values_list("number", flat=True)
    )
    played = []
    for table in tables:
        absent = [side for side in (0, 1) if out.issuperset(table.sides[side])]
        if not absent:
            played.append(table)
        elif len(absent) == 2:
            desk.change(table, state=EventTable.State.DOUBLE, done_at=desk.now)
        else:
            desk.change(table, state=EventTable.State.FORFEIT, absent=absent[0], winner=1 - absent[0], done_at=desk.now)
    return played


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
    floor.call_off(desk, missing)
    desk.change_all(missing, state=EventTable.State.VOID, done_at=desk.now)
    desk.change(found, state=Round.State.CLOSED, closed_at=desk.now, ends_at=None, left=None)
    desk.say(round=found.number, unplayed=[table.number for table in missing])
