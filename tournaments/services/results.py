"""Results of tables: reported by a side, confirmed by the other, typed by a director, given by a
game; and put right at any time, after a look at what that changes.

| the round after it is | what a correction does |
|---|---|
| drawn, not published | standings are counted anew, the draw is made anew |
| published, nobody seated | the director chooses: keep the draw, or draw again |
| begun | the draw stays; standings follow |
| of a bracket, another winner, next match not begun | the next matches are drawn anew |
| of a bracket, another winner, next match begun | the director chooses: let it stand, or void the chain |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.formats.event import EventError, Result, Snapshot
from tournaments.models import Event, EventTable, Place, Report, Round, Seating
from tournaments.playbook import Line
from tournaments.selectors import snapshots
from tournaments.selectors.rights import Actor
from tournaments.selectors.snapshots import Course
from tournaments.services import field, floor, rounds, scoring, texts
from tournaments.services.book import NotAllowed
from tournaments.services.desk import Desk, open_desk
from tournaments.services.scoring import Score

LONGEST_REASON: Final = 300
"""Characters; of longer ones the end is left out."""

Choice = Literal["", "keep", "redraw", "let_stand", "void_chain"]


@dataclass(frozen=True, slots=True)
class Moved:
    """An entrant whose place or score a correction changes."""

    entrant: int
    name: str
    place_before: int | None
    place_after: int | None
    score_before: float
    score_after: float


@dataclass(frozen=True, slots=True)
class Touched:
    """A table of a later match that depends on the result."""

    table_id: int
    round: int
    number: int
    label: str
    state: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would change. ``choices``: what the director has to choose from, the first
    as it is without a word of his; none if there is nothing to choose. ``redrawn`` is the round
    that is drawn anew in any case."""

    table: EventTable
    result: Result
    before: tuple[Line, ...]
    after: tuple[Line, ...]
    moved: tuple[Moved, ...]
    touched: tuple[Touched, ...]
    choices: tuple[Choice, ...]
    redrawn: int | None


# --- verbs ----------------------------------------------------------------------------------------------


def report(*, event_id: int, by: Actor, table_id: int, score: Score, side: int | None = None, reason: str = "") -> str:
    """Say how a table ended; the table's state afterwards. Locks the event.

    A director's or deputy's word counts at once. A side's (the entrant's, or ``side`` of who typed
    the table's code) waits for the other side: the same again confirms it, another score makes it
    disputed, and its own may be changed until then. Saying again what counts already changes
    nothing. UserError for a score that cannot be, for a table that has another result, for one
    that is not being played; NotAllowed for others.
    """
    reason = texts.cut(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="player", kind="reported", reason=reason) as desk:
        table = rounds.find_table(desk, table_id)
        result = scoring.checked(score, table, desk.event)
        if desk.by.scores:
            desk.kind = "entered"
            _enter(desk, table, result, reason)
        else:
            _say(desk, table, result, _side_of(desk, table, side))
        if table.state in EventTable.COUNTS:
            desk.hurry()
        return table.state


def confirm(*, event_id: int, by: Actor, table_id: int, side: int | None = None) -> str:
    """The other side (or a director, or a deputy) agrees with what one side has said; the table's state
    afterwards. Confirmed already, nothing changes."""
    with open_desk(event_id, by=by, needs="player", kind="confirmed") as desk:
        table = rounds.find_table(desk, table_id)
        if not desk.by.scores:
            side = _side_of(desk, table, side)
        if table.state == EventTable.State.CONFIRMED:
            return table.state
        if table.state != EventTable.State.REPORTED:
            raise UserError(_("There is no score to confirm at that table."))
        last = _last_said(table)
        if not desk.by.scores and last is not None and last.side == side:
            raise UserError(_("Your side has entered this score: the other side confirms it."))
        rounds.confirm_reported(desk, [table])
        desk.say(round=table.round.number, table=table.number, points=[table.points_0, table.points_1])
        desk.hurry()
        return table.state


def dispute(*, event_id: int, by: Actor, table_id: int, side: int | None = None, reason: str = "") -> str:
    """A side does not agree with the score of the other: a director has to decide. The table's state
    afterwards. Disputed already, nothing changes."""
    reason = texts.cut(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="player", kind="disputed", reason=reason) as desk:
        table = rounds.find_table(desk, table_id)
        if not desk.by.scores:
            side = _side_of(desk, table, side)
        if table.state == EventTable.State.DISPUTED:
            return table.state
        if table.state != EventTable.State.REPORTED:
            raise UserError(_("That table has no score that could be disputed. Tell a director."))
        desk.change(table, state=EventTable.State.DISPUTED)
        desk.say(round=table.round.number, table=table.number)
        return table.state


def correct(*, event_id: int, by: Actor, table_id: int, score: Score, reason: str = "", choice: Choice = "") -> None:
    """Put a result right, also a forfeit or a table that does not count. Deputies while the round is
    being played, directors at any time, also when the event is finished. Locks the event.

    What becomes of later rounds is :func:`preview`'s; ``choice`` is one of its choices. Ratings of
    games stay as they are. The same result again changes nothing. UserError for a score that
    cannot be, or where the choice does not fit.
    """
    reason = texts.cut(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="deputy", kind="corrected", reason=reason) as desk:
        table = rounds.find_table(desk, table_id)
        if table.round.state == Round.State.CLOSED and not desk.by.directs:
            raise NotAllowed(_("Only the event’s directors can do that."))
        result = scoring.checked(score, table, desk.event)
        if table.state in EventTable.COUNTS and scoring.said(result) == scoring.said(snapshots.result_of(table)):
            return
        seen = _preview(rounds.read(desk), table, result)
        if choice and choice not in seen.choices:
            raise UserError(_("The event has moved on. Look again at what the correction changes."))
        chosen = choice or next(iter(seen.choices), "")
        floor.call_off(desk, [table] if table.state in EventTable.OPEN else [])
        scoring.write(desk, table, result, source=Report.Source.DIRECTOR, reason=reason)
        desk.say(choice=chosen)
        if chosen == "void_chain":
            _void(desk, seen.touched, reason)
        again = seen.redrawn
        if chosen == "redraw":
            again = Round.objects.filter(event=desk.event).order_by("-number").values_list("number", flat=True)[0]
        if again is not None:
            rounds.remake(desk, Round.objects.get(event=desk.event, number=again))
        if desk.event.state == Event.State.FINISHED:
            for place in Place.objects.filter(event=desk.event):
                desk.delete(place)
            desk.create_all(Place, field.places_of(desk.event))
        desk.hurry()


def preview(event_id: int, table_id: int, score: Score) -> Preview:
    """What :func:`correct` would change. A constant number of queries. UserError for a score that
    cannot be, and for a table that is gone."""
    table = EventTable.objects.select_related("round").filter(event=event_id, pk=table_id).first()
    if table is None:
        raise UserError(_("That is gone: somebody has changed it meanwhile. Look at the page again."))
    try:
        course = snapshots.look_at(Event.objects.select_related("club").get(pk=event_id))
    except EventError as error:
        raise UserError(snapshots.tell(error)) from error
    return _preview(course, table, scoring.checked(score, table, course.event))


def report_game(*, game_id: int) -> None:
    """A game has ended: if it was played for an event, its result is that of its table. Locks the event.
    Idempotent; a table that has a result keeps it. One query for all other games."""
    found = (
        EventTable.objects.filter(live_table__games=game_id, state__in=EventTable.OPEN)
        .values_list("event_id", "pk")
        .first()
    )
    if found is None:
        return
    event_id, table_id = found
    with open_desk(event_id, by=Actor.SYSTEM, needs="direct", kind="game_ended") as desk:
        table = EventTable.objects.select_related("round").filter(event=desk.event, pk=table_id).first()
        if table is not None and scoring.take_game(desk, table):
            desk.hurry()


# --- a word about a table ------------------------------------------------------------------------------------


def _enter(desk: Desk, table: EventTable, result: Result, reason: str) -> None:
    if table.state in EventTable.COUNTS:
        if scoring.agree(scoring.said(result), scoring.said(snapshots.result_of(table))):
            return
        raise UserError(
            _("Table %(table)d has a result already: %(result)s. Correct it if it is wrong.")
            % {"table": table.number, "result": shown(table)}
        )
    _check_played(table)
    floor.call_off(desk, [table])
    scoring.write(desk, table, result, source=Report.Source.DIRECTOR, reason=reason)


def _say(desk: Desk, table: EventTable, result: Result, side: int) -> None:
    if result.outcome != "played":
        raise NotAllowed(_("Only the event’s directors and deputies can do that."))
    if desk.event.state == Event.State.CANCELLED:
        raise UserError(_("This event is over."))
    values = scoring.said(result)
    if table.state in EventTable.COUNTS:
        if scoring.agree(values, scoring.said(snapshots.result_of(table))):
            return
        raise UserError(
            _("Table %(table)d has a result already: %(result)s. Tell a director if it is wrong.")
            % {"table": table.number, "result": shown(table)}
        )
    _check_played(table)
    if table.live_table_id is not None:
        raise UserError(_("The game at the online table gives the result by itself."))
    of_others = _last_said(table, besides=side)
    if of_others is None:
        state = EventTable.State.REPORTED
    elif scoring.agree(of_others.values, values):
        state = EventTable.State.CONFIRMED
        counters = {**of_others.values.get("counters", {}), **values["counters"]}
        result = replace(
            result,
            counters={name: {int(who): count for who, count in counts.items()} for name, counts in counters.items()},
        )
    else:
        state = EventTable.State.DISPUTED
    own = _last_said(table, of=side)
    if own is not None and own.values == values and table.state == state:
        return  # a double click
    desk.kind = {EventTable.State.CONFIRMED: "confirmed", EventTable.State.DISPUTED: "disputed"}.get(state, desk.kind)
    scoring.write(desk, table, result, source=Report.Source.SIDE, state=state, side=side)


def _last_said(table: EventTable, *, of: int | None = None, besides: int | None = None) -> Report | None:
    said = Report.objects.filter(table=table, source=Report.Source.SIDE).order_by("-pk")
    if of is not None:
        said = said.filter(side=of)
    if besides is not None:
        said = said.exclude(side=besides)
    return said.first()


def _side_of(desk: Desk, table: EventTable, side: int | None) -> int:
    """The side for which somebody speaks. NotAllowed for who does not sit there."""
    if desk.by.entrant_id is not None:
        own = Seating.objects.filter(table=table, entrant=desk.by.entrant_id).values_list("side", flat=True).first()
        if own is not None:
            return own
    if desk.by.table_id == table.pk:
        if side not in (0, 1):
            raise UserError(_("Say for which side you speak."))
        return side
    raise NotAllowed(_("Only those who sit at that table, and the directors, can enter its score."))


def _check_played(table: EventTable) -> None:
    if table.round.state == Round.State.CLOSED:
        raise UserError(_("Round %(number)d is closed. A director can correct it.") % {"number": table.round.number})


def shown(table: EventTable) -> str:
    """The result of a table in a word."""
    if table.state in (EventTable.State.CONFIRMED, EventTable.State.REPORTED):
        return f"{table.points_0}–{table.points_1}"
    return str(table.get_state_display())


# --- what a correction changes -----------------------------------------------------------------------------------


def _preview(course: Course, table: EventTable, result: Result) -> Preview:
    event = course.event
    old = snapshots.result_of(table)
    before: tuple[Line, ...] = ()
    after: tuple[Line, ...] = ()
    moved: tuple[Moved, ...] = ()
    touched: list[Touched] = []
    choices: list[Choice] = []
    redrawn: int | None = None
    if table.round.state == Round.State.CLOSED:
        new = _with_result(course.snapshot, table, result)
        try:
            before, after = course.lines(), course.plan.rows(new, event.seed)
            free = course.plan.bracket(new, event.seed) is None
            if table.label and _goes_on(old) != _goes_on(result):
                labels = {match.label for match in course.plan.affected(course.snapshot, table.label, event.seed)}
                touched = _touched(event, table, labels)
        except EventError as error:
            raise UserError(snapshots.tell(error, course)) from error
        moved = _moved(course, before, after)
        last = Round.objects.filter(event=event).order_by("-number").first()
        if last is not None and last.number > table.round.number:
            ahead = [each for each in touched if each.round == last.number]
            if last.state == Round.State.DRAWN or (last.state == Round.State.PUBLISHED and ahead):
                redrawn = last.number
            elif last.state == Round.State.PUBLISHED and free:
                choices += ["keep", "redraw"]
            touched = [each for each in touched if each.round != redrawn]
        if touched:
            choices = ["let_stand", "void_chain"]
    return Preview(table, result, before, after, moved, tuple(touched), tuple(choices), redrawn)


def _goes_on(result: Result) -> int | None:
    """The side that goes on in a bracket."""
    return result.winner if result.outcome in ("played", "forfeit") else None


def _with_result(snapshot: Snapshot, table: EventTable, result: Result) -> Snapshot:
    return replace(
        snapshot,
        rounds=tuple(
            each
            if each.number != table.round.number
            else replace(
                each,
                tables=tuple(
                    replace(other, result=result) if other.number == table.number else other for other in each.tables
                ),
            )
            for each in snapshot.rounds
        ),
    )


def _touched(event: Event, table: EventTable, labels: set[str]) -> list[Touched]:
    later = EventTable.objects.filter(event=event, label__in=labels, round__number__gt=table.round.number)
    return [
        Touched(each.pk, each.round.number, each.number, each.label, each.state)
        for each in later.exclude(state=EventTable.State.VOID)
        .select_related("round")
        .order_by("round__number", "number")
    ]


def _moved(course: Course, before: Sequence[Line], after: Sequence[Line]) -> tuple[Moved, ...]:
    old = {line.entrant: line for line in before}
    return tuple(
        Moved(line.entrant, course.name_of(line.entrant), was.place, line.place, was.score, line.score)
        for line in after
        for was in (old[line.entrant],)
        if (was.place, was.score) != (line.place, line.score)
    )


def _void(desk: Desk, touched: Sequence[Touched], reason: str) -> None:
    tables = EventTable.objects.select_related("round").filter(pk__in=[each.table_id for each in touched])
    chain = []
    for table in tables.order_by("round__number", "number"):
        floor.call_off(desk, [table] if table.state in EventTable.OPEN else [])
        desk.create(
            Report,
            table=table,
            source=Report.Source.DIRECTOR,
            by_id=desk.by.player_id,
            by_name=desk.by.name,
            values=scoring.said(Result(outcome="void")),
            reason=reason,
            at=desk.now,
        )
        desk.change(table, state=EventTable.State.VOID, done_at=desk.now)
        chain.append([table.round.number, table.number])
    desk.say(chain=chain)
