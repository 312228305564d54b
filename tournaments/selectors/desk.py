"""What the director's desk shows: a round and its tables, what needs somebody, who takes part.

The number of queries does not depend on how large an event is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Case, Count, IntegerField, Q, Value, When
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Table as LiveTable
from games.selectors import tables as live_tables
from tournaments.formats.event import EventError
from tournaments.formats.words import restored, title, words
from tournaments.models import Entrant, Event, EventLink, EventTable, Member, Report, Round, Seating, Step, Wish
from tournaments.playbook import Plan
from tournaments.selectors import steps
from tournaments.selectors.snapshots import read_course

SHOWN: Final = 40
"""People beside the scores."""

PAGE: Final = 50
"""People, or steps of the log, on a page."""

IN: Final = (*Entrant.LISTED, *Entrant.PLAYING)
"""States of an entrant that has a place."""

FOR_GOOD: Final = ("undid", "created")
"""Kinds of steps that cannot be undone."""

_PLAYED: Final = (EventTable.State.CONFIRMED, EventTable.State.REPORTED)
_BADGES: Final[Mapping[str, str]] = {
    EventTable.State.WAITING: "",
    EventTable.State.PLAYING: "info",
    EventTable.State.REPORTED: "warn",
    EventTable.State.DISPUTED: "live",
    EventTable.State.CONFIRMED: "good",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A table as the desk shows it. ``says`` are the last words of its sides, ``missing`` the names
    of who has not come to an online table, ``deals`` the numbers of those a score is typed for."""

    table: EventTable
    sides: tuple[str, str]
    title: str
    badge: str
    word: str
    says: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    deals: tuple[int, ...] = ()

    @property
    def done(self) -> bool:
        return self.table.state in EventTable.COUNTS

    @property
    def points(self) -> tuple[int | str, int | str]:
        """What stands in the two fields: a score that counts or was reported."""
        if self.table.state not in _PLAYED or self.table.points_0 is None or self.table.points_1 is None:
            return "", ""
        return self.table.points_0, self.table.points_1


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that needs somebody at the desk."""

    row: Row
    told: str
    more: str
    bad: bool


@dataclass(frozen=True, slots=True)
class Next:
    """The one next step: what the button sends, what it says, and why it cannot be pressed yet."""

    do: str
    label: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Entrants by what they are: with a place, checked in, out, and those who wait to be let in or
    for a partner."""

    taking: int
    here: int
    out: int
    waiting: int
    spare: int


@dataclass(frozen=True, slots=True)
class DeskView:
    """The desk of an event. ``round`` is the one shown, ``rounds`` are all of them; ``left`` are the
    seconds of its clock, None where it has none."""

    plan: Plan
    rounds: Sequence[Round]
    round: Round | None
    planned: int
    rows: Sequence[Row]
    alerts: Sequence[Alert]
    next: Next | None
    counts: Counts
    people: Sequence[Entrant]
    undo: tuple[int, str] | None
    left: int | None
    resting: str
    asks_winner: bool

    @property
    def done(self) -> int:
        return sum(row.done for row in self.rows)

    @property
    def missing(self) -> int:
        return len(self.rows) - self.done

    @property
    def on_paper(self) -> bool:
        """Whether a table of the round shown is in the hall, and has a slip."""
        return any(row.table.kind == Event.Kind.HALL for row in self.rows)

    @property
    def newest(self) -> bool:
        """Whether the round shown is the one that is on."""
        return self.round is not None and self.round == self.rounds[-1]

    @property
    def begun(self) -> bool:
        return self.round is not None and self.round.state in (Round.State.PLAYING, Round.State.CLOSED)

    @property
    def bars(self) -> list[str]:
        """A part of the bar of progress for each table."""
        states = sorted((row.table.state for row in self.rows), key=_order)
        return ["on" if state in EventTable.COUNTS else "now" if _order(state) == 1 else "" for state in states]

    @property
    def summary(self) -> str:
        """How many tables are not done, by what they are."""
        counted = {state: sum(row.table.state == state for row in self.rows) for state in EventTable.OPEN}
        told = (
            (_("%(n)d playing"), counted[EventTable.State.PLAYING]),
            (_("%(n)d reported by one side"), counted[EventTable.State.REPORTED]),
            (_("%(n)d disputed"), counted[EventTable.State.DISPUTED]),
            (_("%(n)d not started"), counted[EventTable.State.WAITING]),
        )
        return ", ".join(text % {"n": n} for text, n in told if n)


def read_desk(event: Event, plan: Plan, now: datetime, number: int | None = None) -> DeskView | None:
    """The desk with round ``number``, or the last one; None if there is no such round. Fourteen queries at
    most."""
    rounds = list(Round.objects.filter(event=event).order_by("number"))
    shown = rounds[-1] if rounds else None
    if number is not None:
        shown = next((one for one in rounds if one.number == number), None)
        if shown is None:
            return None
    entrants = list(Entrant.objects.filter(event=event).order_by("number"))
    rows = _rows(event, shown, plan, {one.number: one.name for one in entrants}, now) if shown else []
    counts = _counted(entrants)
    planned = event.rounds_planned or plan.rounds(counts.taking)
    return DeskView(
        plan=plan,
        rounds=rounds,
        round=shown,
        planned=planned,
        rows=rows,
        alerts=_alerts(event, rows),
        next=_next(event, plan, rounds[-1] if rounds else None, shown, rows, counts, planned),
        counts=counts,
        people=_first(entrants),
        undo=undoable(event),
        left=_left(shown, now),
        resting=_resting(shown, {one.number: one.name for one in entrants}),
        asks_winner=_asks_winner(plan),
    )


def read_row(event: Event, plan: Plan, table_id: int, now: datetime) -> Row | None:
    """One table with its round. Five queries at most."""
    table = EventTable.objects.select_related("round", "live_table").filter(event=event, pk=table_id).first()
    if table is None:
        return None
    return _built(event, plan, [table], names_of(event), now)[0]


def names_of(event: Event) -> dict[int, str]:
    """What entrants are called, by number. One query."""
    return dict(Entrant.objects.filter(event=event).values_list("number", "name"))


def undoable(event: Event) -> tuple[int, str] | None:
    """The number of the last step that could be undone, and what it was. One query."""
    found = Step.objects.filter(event=event, undone=None).exclude(kind__in=FOR_GOOD).defer("changes")
    step = found.order_by("-number").first()
    return (step.number, steps.tell(step)) if step is not None else None


# --- tables -------------------------------------------------------------------------------------------------


def _rows(event: Event, shown: Round, plan: Plan, names: Mapping[int, str], now: datetime) -> list[Row]:
    tables = EventTable.objects.filter(round=shown).select_related("live_table").order_by("number")
    found = list(tables)
    for table in found:
        table.round = shown
    return _built(event, plan, found, names, now)


def _built(
    event: Event, plan: Plan, tables: Sequence[EventTable], names: Mapping[int, str], now: datetime
) -> list[Row]:
    says = _says(table for table in tables if table.state in (EventTable.State.DISPUTED, EventTable.State.REPORTED))
    missing = _missing(event, tables, now)
    return [_row(table, plan, names, says.get(table.pk, {}), missing.get(table.pk, ())) for table in tables]


def _row(
    table: EventTable, plan: Plan, names: Mapping[int, str], says: Mapping[int, str], missing: tuple[str, ...]
) -> Row:
    one, other = (", ".join(names.get(number, f"#{number}") for number in side) for side in table.sides)
    badge, word = _BADGES.get(table.state, ""), str(table.get_state_display())
    live = table.live_table
    if table.state == EventTable.State.WAITING and table.round.state in (Round.State.DRAWN, Round.State.PUBLISHED):
        word = _("Not begun")
    elif table.state == EventTable.State.PLAYING and live is not None and live.phase == LiveTable.Phase.OPEN:
        badge, word = "warn", _("Not started")
    elif table.state == EventTable.State.CONFIRMED and table.game_id is None and len(says) > 1:
        word = _("Both agree")
    heard = tuple((one if side == 0 else other, said) for side, said in sorted(says.items()))
    return Row(table, (one, other), title_of(table.label), badge, word, heard, missing, deals_of(table, plan))


def title_of(label: str) -> str:
    """What a label of a bracket's or group's table means; empty for no label."""
    if not label:
        return ""
    try:
        return words(title(label), language=translation)
    except ValueError:
        return label


def deals_of(table: EventTable, plan: Plan) -> tuple[int, ...]:
    """The deals of which a table of a duplicate event tells; none in other events."""
    if plan.book.key != "duplicate":
        return ()
    count = plan.number("deals")
    first = (int(dict(title(table.label).values).get("number", 1)) - 1) * count + 1  # type: ignore[arg-type]
    return tuple(range(first, first + count))


def _asks_winner(plan: Plan) -> bool:
    """Whether a level score needs the side that won one more hand."""
    try:
        return bool(plan.score.hands) and plan.score.ties == "extra_hand" and plan.book.key != "duplicate"
    except (EventError, KeyError):
        return False


def _says(tables: Iterable[EventTable]) -> dict[int, dict[int, str]]:
    """The last report of each side of tables that wait for the other one, or that disagree."""
    wanted = [table.pk for table in tables]
    if not wanted:
        return {}
    found: dict[int, dict[int, str]] = {}
    for report in Report.objects.filter(table__in=wanted, source=Report.Source.SIDE).order_by("pk"):
        points = report.values.get("points")
        if report.side is not None and points:
            found.setdefault(report.table_id, {})[report.side] = "–".join(map(str, points))
    return found


def _missing(event: Event, tables: Sequence[EventTable], now: datetime) -> dict[int, tuple[str, ...]]:
    """Who keeps an online table waiting for longer than the event allows, by name."""
    if not event.no_show_minutes:
        return {}
    late = now - timedelta(minutes=event.no_show_minutes)
    waiting = {
        table.live_table_id: table.pk
        for table in tables
        if table.state == EventTable.State.PLAYING
        and table.live_table is not None
        and table.live_table.phase == LiveTable.Phase.OPEN
        and table.started_at is not None
        and table.started_at <= late
    }
    awaited = live_tables.awaited([key for key in waiting if key is not None]) if waiting else {}
    people = {player for players in awaited.values() for player in players}
    called = dict(Member.objects.filter(event=event, gone=False, player__in=people).values_list("player", "name"))
    return {
        waiting[live]: tuple(called[player] for player in players if player in called)
        for live, players in awaited.items()
    }


def _alerts(event: Event, rows: Sequence[Row]) -> list[Alert]:
    found = []
    for row in rows:
        number = row.table.number
        if row.table.state == EventTable.State.DISPUTED:
            said = " ".join(_("%(who)s entered %(score)s.") % {"who": who, "score": score} for who, score in row.says)
            found.append(Alert(row, _("Table %(number)d disagrees.") % {"number": number}, said, bad=True))
        elif row.missing:
            told = _("%(who)s has not come.") if len(row.missing) == 1 else _("%(who)s have not come.")
            more = told % {"who": ", ".join(row.missing)}
            found.append(Alert(row, _("Table %(number)d hasn’t started.") % {"number": number}, more, bad=False))
    return sorted(found, key=lambda alert: not alert.bad)


def _order(state: str) -> int:
    if state in EventTable.COUNTS:
        return 0
    return 2 if state == EventTable.State.WAITING else 1


def _left(shown: Round | None, now: datetime) -> int | None:
    if shown is None or shown.state != Round.State.PLAYING:
        return None
    if shown.left is not None:
        return shown.left
    return max(0, int((shown.ends_at - now).total_seconds())) if shown.ends_at is not None else None


def _resting(shown: Round | None, names: Mapping[int, str]) -> str:
    """Who has no table, and what the format has to say of the draw."""
    if shown is None:
        return ""

    def name_of(number: int) -> str:
        return names.get(number, f"#{number}")

    notes = " ".join(words(restored(note), name_of, translation) for note in shown.notes)
    parts = []
    for numbers, text in ((shown.byes, _("Bye: %(who)s.")), (shown.rests, _("Sitting out: %(who)s."))):
        unsaid = [name for name in map(name_of, numbers) if name not in notes]
        if unsaid:
            parts.append(text % {"who": ", ".join(unsaid)})
    return " ".join([*parts, notes]).strip()


# --- what comes next --------------------------------------------------------------------------------------------


def _next(
    event: Event,
    plan: Plan,
    last: Round | None,
    shown: Round | None,
    rows: Sequence[Row],
    counts: Counts,
    planned: int,
) -> Next | None:
    match event.state:
        case Event.State.DRAFT:
            return Next("announce", _("Announce the event"))
        case Event.State.OPEN if event.check_in:
            return Next("check_in", _("Open check-in"))
        case Event.State.OPEN | Event.State.CHECK_IN:
            return Next("start", _("Start the event"), _too_few(plan, counts, event))
        case Event.State.FINISHED | Event.State.CANCELLED:
            return None
    if last is None:
        return _draw(event, 1)
    match last.state:
        case Round.State.DRAWN:
            return Next("publish", _("Publish round %(number)d") % {"number": last.number})
        case Round.State.PUBLISHED:
            return Next("begin", _("Begin round %(number)d") % {"number": last.number})
        case Round.State.PLAYING:
            why = "" if shown != last or all(_in(row) for row in rows) else _("Needs every score")
            if planned and last.number >= planned:
                return Next("go_on", _("Finish the event"), why)
            return Next("go_on", _("Next round: %(number)d") % {"number": last.number + 1}, why)
    try:
        over = read_course(event).over()
    except EventError:
        over = False
    return Next("finish", _("Finish the event")) if over else _draw(event, last.number + 1)


def _in(row: Row) -> bool:
    return row.done or row.table.state == EventTable.State.REPORTED


def _draw(event: Event, number: int) -> Next:
    if event.pairing == Event.Pairing.DRAFT:
        return Next("draw", _("Draw round %(number)d") % {"number": number})
    return Next("next_round", _("Start round %(number)d") % {"number": number})


def _too_few(plan: Plan, counts: Counts, event: Event) -> str:
    least = max(plan.book.least, 2 * plan.side)
    here = counts.here if event.state == Event.State.CHECK_IN else counts.taking
    if here >= least or event.bots_fill:
        return ""
    return _("Needs at least %(least)d; there are %(count)d") % {"least": least, "count": here}


# --- people ---------------------------------------------------------------------------------------------------


def _counted(entrants: Iterable[Entrant]) -> Counts:
    states = [one.state for one in entrants]
    gone = (Entrant.State.WITHDRAWN, Entrant.State.DISQUALIFIED)
    return Counts(
        taking=sum(state in IN for state in states),
        here=states.count(Entrant.State.CHECKED_IN),
        out=sum(state in gone for state in states),
        waiting=sum(state in (Entrant.State.ASKED, Entrant.State.WAITING) for state in states),
        spare=states.count(Entrant.State.SPARE),
    )


_RANK: Final[Mapping[str, int]] = {
    Entrant.State.ASKED: 0,
    Entrant.State.SPARE: 1,
    Entrant.State.WAITING: 2,
    Entrant.State.PAUSED: 3,
    Entrant.State.ENTERED: 4,
    Entrant.State.CHECKED_IN: 5,
    Entrant.State.ACTIVE: 5,
    Entrant.State.WITHDRAWN: 6,
    Entrant.State.DISQUALIFIED: 6,
}


def _first(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Who needs something first, then the others in order of number."""
    return sorted(entrants, key=lambda one: (_RANK[one.state], one.number))[:SHOWN]


@dataclass(frozen=True, slots=True)
class People:
    """Entrants on a page of their list."""

    rows: Sequence[Entrant]
    counts: Counts
    number: int
    pages: int
    found: int


def read_people(event: Event, search: str, show: str, page: int) -> People:
    """Entrants by name or number, on a page; ``show`` is ``""``, ``waiting``, ``spare``, ``absent``, ``out``.
    Four queries."""
    states = dict(Entrant.objects.filter(event=event).order_by().values_list("state").annotate(n=Count("pk")))
    found = Entrant.objects.filter(event=event)
    wanted = {
        "waiting": (Entrant.State.ASKED, Entrant.State.WAITING),
        "spare": (Entrant.State.SPARE,),
        "absent": (Entrant.State.ENTERED,),
        "out": (Entrant.State.WITHDRAWN, Entrant.State.DISQUALIFIED),
    }.get(show)
    if wanted is not None:
        found = found.filter(state__in=wanted)
    if search:
        named = Q(name__icontains=search)
        found = found.filter(named | Q(number=int(search)) if search.isdecimal() and len(search) < 6 else named)
    rank = Case(*(When(state=state, then=Value(at)) for state, at in _RANK.items()), output_field=IntegerField())
    pager = Paginator(found.annotate(rank=rank).order_by("rank", "number"), PAGE)
    shown = pager.get_page(page)
    expanded = [Entrant(state=state) for state, number in states.items() for _each in range(number)]
    return People(list(shown.object_list), _counted(expanded), shown.number, pager.num_pages, pager.count)


def open_table_of(entrant: Entrant) -> int | None:
    """The number of the table of a drawn round at which an entrant sits without a result. One query."""
    seatings = Seating.objects.filter(entrant=entrant, table__state__in=EventTable.OPEN)
    found = seatings.exclude(round__state=Round.State.CLOSED).order_by("-round__number")
    return found.values_list("table__number", flat=True).first()


def find_entrant(event: Event, entrant_id: int) -> Entrant | None:
    return Entrant.objects.filter(event=event, pk=entrant_id).first()


def read_members(entrant: Entrant) -> list[Member]:
    """Who plays for an entrant, and who did. One query."""
    return list(entrant.members.select_related("player").order_by("gone", "position", "pk"))


def read_spare(event: Event) -> list[Entrant]:
    """Who looks for a partner or a team. One query."""
    return list(Entrant.objects.filter(event=event, state=Entrant.State.SPARE).order_by("number"))


def read_choices(event: Event, *states: str) -> list[tuple[int, int, str]]:
    """Id, number and name of the entrants that are in. One query."""
    found = Entrant.objects.filter(event=event, state__in=states or IN).order_by("number")
    return list(found.values_list("pk", "number", "name"))


def read_wishes(event: Event) -> list[Wish]:
    """One query."""
    return list(Wish.objects.filter(event=event).select_related("one", "other").order_by("kind", "pk"))


def read_links(event: Event) -> list[EventLink]:
    """The links that hold, the newest first. One query."""
    return list(EventLink.objects.filter(event=event, revoked_at=None).select_related("by").order_by("-pk"))


def read_reports(table: EventTable) -> list[Report]:
    """What was said of a table, the newest first. One query."""
    return list(table.reports.select_related("by").order_by("-pk")[:PAGE])


def score_of(report: Report) -> str:
    """What a report says, in a word."""
    values: Mapping[str, Any] = report.values
    if values.get("points"):
        return "–".join(map(str, values["points"]))
    match values.get("outcome"):
        case "forfeit":
            return _("forfeit")
        case "double_forfeit":
            return _("nobody came")
        case "void":
            return _("does not count")
    return ""


# --- the log ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """What a step changed of one row: what it is, and old and new values by name."""

    what: str
    values: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A step of the log; ``more`` rows have changed than are shown; ``may_undo``: it can be tried."""

    step: Step
    told: str
    changes: Sequence[Change]
    more: int
    may_undo: bool


@dataclass(frozen=True, slots=True)
class Log:
    rows: Sequence[Line]
    number: int
    pages: int


FIELDS: Final[Mapping[str, Any]] = {
    "points": gettext_lazy("score"),
    "state": gettext_lazy("state"),
    "kind": gettext_lazy("played"),
    "name": gettext_lazy("name"),
    "note": gettext_lazy("note"),
    "locked": gettext_lazy("locked"),
    "sides": gettext_lazy("sides"),
    "ends_at": gettext_lazy("end"),
    "said": gettext_lazy("announcement"),
    "seed": gettext_lazy("seed"),
    "extra": gettext_lazy("extra hand or cut"),
    "gone": gettext_lazy("replaced"),
    "title": gettext_lazy("title"),
    "about": gettext_lazy("description"),
    "fee": gettext_lazy("fee"),
    "format": gettext_lazy("format"),
    "rules": gettext_lazy("rules of the game"),
    "rounds_planned": gettext_lazy("rounds"),
    "starts_at": gettext_lazy("start"),
    "capacity": gettext_lazy("places"),
    "round_minutes": gettext_lazy("minutes of a round"),
}
"""Columns of which the log shows old and new."""

_CHANGES: Final = 4
_LONGEST: Final = 80

RowKey = tuple[str, int]


def read_log(event: Event, page: int) -> Log:
    """Who did what, the newest first, with old and new of the first few rows. Six queries."""
    found = Step.objects.filter(event=event).select_related("by", "undone").defer("undone__changes")
    pager = Paginator(found.order_by("-number"), PAGE)
    shown = pager.get_page(page)
    lines = [(step, [each for each in step.changes if _tells(*each)]) for step in shown.object_list]
    names = _names_of_rows({(model, key) for _step, rows in lines for model, key, _b, _a in rows[:_CHANGES]})
    return Log([_line(step, rows, names) for step, rows in lines], shown.number, pager.num_pages)


def _tells(_model: str, _key: int, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> bool:
    """Whether there is something old and something new to show."""
    if before is None or after is None:
        return False
    return "points_0" in after or "points_1" in after or not FIELDS.keys().isdisjoint(after)


def _line(step: Step, rows: Sequence[Any], names: Mapping[RowKey, str]) -> Line:
    changes = [Change(names.get((model, key), ""), _values(model, before, after)) for model, key, before, after in rows]
    may = step.undone_id is None and step.kind not in FOR_GOOD
    return Line(step, steps.tell(step), changes[:_CHANGES], max(0, len(changes) - _CHANGES), may)


def _names_of_rows(rows: set[RowKey]) -> dict[RowKey, str]:
    """What the rows of the log's changes are called."""
    keys: dict[str, list[int]] = {}
    for model, key in rows:
        keys.setdefault(model, []).append(key)
    found: dict[RowKey, str] = {row: str(_MODELS.get(row[0], "")) for row in rows}
    for model, table in (("entrant", Entrant), ("member", Member)):
        if model in keys:
            named = table.objects.filter(pk__in=keys[model]).values_list("pk", "name")
            found |= {(model, key): name for key, name in named}
    if "eventtable" in keys:
        tables = EventTable.objects.filter(pk__in=keys["eventtable"]).values_list("pk", "number")
        found |= {("eventtable", key): _("table %(number)s") % {"number": number} for key, number in tables}
    return found


def _values(model: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    found = []
    if "points_0" in after or "points_1" in after:
        found.append((str(FIELDS["points"]), _score(before), _score(after)))
    found += [
        (str(FIELDS[name]), _shown(model, name, before.get(name)), _shown(model, name, value))
        for name, value in after.items()
        if name in FIELDS
    ]
    return tuple(found)


def _score(values: Mapping[str, Any]) -> str:
    one, other = values.get("points_0"), values.get("points_1")
    if one is None and other is None:
        return "–"
    return f"{'·' if one is None else one}–{'·' if other is None else other}"


_MODELS: Final[Mapping[str, Any]] = {
    "event": gettext_lazy("event"),
    "round": gettext_lazy("round"),
    "eventlink": gettext_lazy("link"),
}
_STATES: Final[Mapping[str, Any]] = {
    "event": Event.State,
    "entrant": Entrant.State,
    "round": Round.State,
    "eventtable": EventTable.State,
}


def _shown(model: str, name: str, value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "state" and value in _STATES.get(model, Event.State).values:
        return str(_STATES[model](value).label)
    if name == "kind" and value in Event.Kind.values:
        return str(Event.Kind(value).label)
    if name.endswith("_at"):
        return formats.date_format(timezone.localtime(datetime.fromisoformat(value)), "j M Y, H:i")
    text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
