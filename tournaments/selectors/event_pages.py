"""Events as everybody who may see them reads them: lists, rounds, standings, brackets, one entrant.

A constant number of queries each, however large the event. A round that is drawn but not published
is nobody's here, and neither are the codes of tables nor the directors' notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.names import name_key
from games.selectors.paging import page_of
from tournaments.formats.bracket import Bracket, Match, Slot
from tournaments.formats.event import EventError
from tournaments.formats.rotation import Profile
from tournaments.formats.words import restored, title, words
from tournaments.models import (
    Ban,
    Club,
    Entrant,
    Event,
    EventTable,
    Member,
    Membership,
    PartnerRequest,
    Report,
    Round,
    Seating,
)
from tournaments.playbook import PLAYBOOKS, Line, Plan
from tournaments.playbook.advice import minutes_of
from tournaments.selectors.clubs import Page
from tournaments.selectors.rights import Actor
from tournaments.selectors.snapshots import Course, read_course, tell

EVENTS_A_PAGE: Final = 20
OWN_EVENTS: Final = 3
"""Events of one's own on the front page."""

HAS_A_PLACE: Final = (*Entrant.LISTED, *Entrant.PLAYING)
SMALL: Final = 24
"""Up to so many tables a round is shown with reasons and drawn scores."""

MATRIX: Final = 40
"""Up to so many people the proof of balance is a table of everybody against everybody."""

BRACKETS: Final = ("single_elimination", "double_elimination", "groups")
When_ = Literal["now", "past"]


# --- lists of events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event in a list. ``round`` is the number of its newest published round, ``mine`` the state
    of the reader's own entry, "" for none."""

    event: Event
    entrants: int
    round: int
    mine: str

    @property
    def day(self) -> datetime | None:
        return self.event.starts_at or self.event.started_at

    @property
    def entry(self) -> str:
        """The state of the own entry in words."""
        return str(Entrant.State(self.mine).label) if self.mine else ""

    @property
    def is_in(self) -> bool:
        return self.mine in HAS_A_PLACE


def read_listed(when: When_, search: str, page: int, player_id: int | None) -> Page[ListedEvent]:
    """Events of public clubs and of those the reader belongs to: what runs and what comes, the next
    first, or what is past, the last first; events that a closed club cannot hold are past. Two queries."""
    open_ones = Q(state=Event.State.RUNNING) | Q(state__in=Event.AHEAD, club__closed_at=None)
    past = Q(state__in=Event.ENDED) | Q(state__in=Event.AHEAD, club__closed_at__isnull=False)
    found = Event.objects.filter(_seen_by(player_id), past if when == "past" else open_ones)
    for word in search.split():
        found = found.filter(Q(title__icontains=word) | Q(club__name__icontains=word) | _key(word))
    total = found.count()
    number, pages, held = page_of(total, page, EVENTS_A_PAGE)
    if when == "past":
        ordered = found.order_by(Coalesce("finished_at", "starts_at", "created_at").desc(), "-pk")
    else:
        running = Case(When(state=Event.State.RUNNING, then=0), default=1, output_field=IntegerField())
        ordered = found.order_by(running, F("starts_at").asc(nulls_last=True), "pk")
    rows = _listed(ordered, player_id)[held]
    return Page([_row(event) for event in rows], number, pages, total)


def read_own(player_id: int, limit: int = OWN_EVENTS) -> list[ListedEvent]:
    """What runs or comes next of the events somebody is in, and of the clubs he belongs to. One query."""
    inside = Exists(Member.objects.filter(event=OuterRef("pk"), player=player_id, gone=False))
    of_club = Exists(Membership.objects.filter(club=OuterRef("club"), player=player_id))
    found = Event.objects.filter(inside | of_club, state__in=(*Event.AHEAD, Event.State.RUNNING))
    over = timezone.now() - timedelta(days=2)
    coming = Q(starts_at=None) | Q(starts_at__gte=over)
    found = found.filter((coming & Q(club__closed_at=None)) | Q(state=Event.State.RUNNING))
    first = Case(When(Exists(_entry(player_id)), then=0), default=1, output_field=IntegerField())
    return [
        _row(event) for event in _listed(found.order_by(first, F("starts_at").asc(nulls_last=True)), player_id)[:limit]
    ]


def read_asks(player_id: int) -> list[PartnerRequest]:
    """Who asks somebody to play as a pair, in events that he can still answer for. One query."""
    can = Q(event__state__in=(*Event.AHEAD, Event.State.RUNNING), event__club__closed_at=None)
    sees = Q(event__club__public=True) | Q(
        Exists(Membership.objects.filter(club=OuterRef("event__club"), player=player_id))
    )
    banned = Exists(Ban.objects.filter(club=OuterRef("event__club"), player=player_id))
    found = PartnerRequest.objects.filter(can, sees, ~banned, to=player_id, by__state=Entrant.State.SPARE)
    return list(found.select_related("event__club", "by").defer("event__about", "by__note").order_by("pk"))


def read_calendar(*, club: Club | None = None, player_id: int | None = None) -> list[Event]:
    """Announced events with an hour, of a club or of a person's own, from half a year ago. One query."""
    found = Event.objects.exclude(state=Event.State.DRAFT).filter(starts_at__gte=timezone.now() - timedelta(days=183))
    if club is not None:
        found = found.filter(club=club)
    if player_id is not None:
        inside = Exists(
            Member.objects.filter(event=OuterRef("pk"), player=player_id, gone=False).exclude(
                entrant__state=Entrant.State.WITHDRAWN
            )
        )
        of_club = Exists(Membership.objects.filter(club=OuterRef("club"), player=player_id))
        found = found.filter(inside | of_club)
    return list(found.select_related("club").order_by("starts_at", "pk")[:500])


def expected_length(event: Event, plan: Plan, entrants: int) -> timedelta:
    """How long an event takes, about."""
    rounds = event.rounds_planned or plan.rounds(max(entrants, plan.book.least)) or 1
    minutes = (event.round_minutes or minutes_of(plan)) * rounds + event.break_minutes * (rounds - 1)
    return timedelta(minutes=min(max(minutes, 30), 24 * 60))


def _seen_by(player_id: int | None) -> Q:
    public = Q(club__public=True)
    if player_id is None:
        return public
    return public | Q(Exists(Membership.objects.filter(club=OuterRef("club"), player=player_id)))


def _key(word: str) -> Q:
    key = name_key(word)
    return Q(club__name_key__contains=key) if key else Q(pk=None)


def _entry(player_id: int | None) -> QuerySet[Entrant]:
    return Entrant.objects.filter(event=OuterRef("pk"), members__player=player_id, members__gone=False)


def _listed(events: QuerySet[Event], player_id: int | None) -> QuerySet[Event]:
    entrants = Entrant.objects.filter(event=OuterRef("pk"), state__in=HAS_A_PLACE).order_by().values("event")
    shown = Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAWN).order_by().values("event")
    mine = Subquery(_entry(player_id).values("state")[:1]) if player_id is not None else Value("")
    return events.select_related("club").annotate(
        taking=Coalesce(Subquery(entrants.annotate(all=Count("pk")).values("all")), 0),
        shown_round=Coalesce(Subquery(shown.annotate(last=Max("number")).values("last")), 0),
        mine=mine,
    )


def _row(event: Any) -> ListedEvent:
    return ListedEvent(event, event.taking, event.shown_round, event.mine or "")


# --- one event ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """An entrant by name. ``bot``: a bot is among its members."""

    number: int
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of a round. ``points`` are None until somebody has given them."""

    id: int
    number: int
    kind: str
    sides: tuple[tuple[Shown, ...], ...]
    state: str
    points: tuple[int, int] | None
    winner: int | None
    match: str
    reasons: tuple[str, ...]
    live_table_id: int | None
    game_id: int | None

    @property
    def word(self) -> str:
        return str(EventTable.State(self.state).label)

    @property
    def done(self) -> bool:
        return self.state in EventTable.COUNTS

    @property
    def score(self) -> str:
        return f"{self.points[0]}–{self.points[1]}" if self.points else ""

    @property
    def rows(self) -> tuple[tuple[tuple[Shown, ...], int | None, bool], ...]:
        """Each side with its points, and whether it has won."""
        return tuple(
            (side, self.points[at] if self.points else None, self.winner == at) for at, side in enumerate(self.sides)
        )


@dataclass(frozen=True, slots=True)
class RoundView:
    """A published round. ``left`` is what a stopped clock has left, in seconds."""

    number: int
    state: str
    tables: tuple[TableView, ...]
    byes: tuple[Shown, ...]
    rests: tuple[Shown, ...]
    notes: tuple[str, ...]
    starts_at: datetime | None
    ends_at: datetime | None
    left: int | None
    said: str

    @property
    def done(self) -> int:
        return sum(table.done for table in self.tables)

    @property
    def small(self) -> bool:
        return len(self.tables) <= SMALL

    @property
    def minutes_left(self) -> int | None:
        return None if self.left is None else self.left // 60


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the way through an event."""

    name: str
    line: str
    state: Literal["done", "now", "ahead"]


@dataclass(frozen=True)
class Board:
    """An event as far as it may be seen. ``wrong`` says why there are no standings, ``rounds`` are the
    published ones, the first first."""

    event: Event
    course: Course | None
    wrong: str
    rounds: tuple[Round, ...]
    people: Mapping[int, Shown]
    states: Mapping[str, int]

    @property
    def plan(self) -> Plan | None:
        return self.course.plan if self.course else None

    @property
    def last(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def taking(self) -> int:
        """Entrants that have a place."""
        return sum(self.states.get(state, 0) for state in HAS_A_PLACE)

    @property
    def closed(self) -> int:
        """The number of the last closed round."""
        return max((each.number for each in self.rounds if each.state == Round.State.CLOSED), default=0)

    def shown(self, numbers: Iterable[int]) -> tuple[Shown, ...]:
        return tuple(self.people.get(number) or Shown(number, f"#{number}") for number in numbers)


def read_board(event: Event) -> Board:
    """Six queries."""
    wrong, course = "", None
    try:
        course = read_course(event)
    except EventError as error:
        wrong = tell(error)
    rounds = tuple(Round.objects.filter(event=event).exclude(state=Round.State.DRAWN).order_by("number"))
    entrants = Entrant.objects.filter(event=event).annotate(
        bot=Exists(Member.objects.filter(entrant=OuterRef("pk"), gone=False, player__bot_level__gt=""))
    )
    people, states = {}, dict.fromkeys(Entrant.State.values, 0)
    for number, name, state, bot in entrants.values_list("number", "name", "state", "bot"):
        people[number] = Shown(number, name, bot)
        states[state] += 1
    return Board(event, course, wrong, rounds, people, states)


def plan_of(event: Event) -> Plan | None:
    """None for settings that cannot be."""
    try:
        return PLAYBOOKS[event.format].read(event.settings)
    except EventError:
        return None


def has_bracket(plan: Plan | None) -> bool:
    if plan is None:
        return False
    return plan.book.key in BRACKETS or (plan.book.key == "teams" and plan.values["meeting"] != "round_robin")


def changes_partners(plan: Plan | None) -> bool:
    return plan is not None and plan.side == 2


def read_round(board: Board, number: int | None = None) -> RoundView | None:
    """The round of this number, or the newest; None if there is none that may be seen. One query."""
    wanted = number if number is not None else (board.last.number if board.last else None)
    found = next((each for each in board.rounds if each.number == wanted), None)
    if found is None:
        return None
    tables = EventTable.objects.filter(round=found).order_by("number").defer("counters", "deals", "code")
    return _round_view(board, found, tables)


def read_rounds(board: Board) -> list[RoundView]:
    """All that are published. One query."""
    tables: dict[int, list[EventTable]] = {each.pk: [] for each in board.rounds}
    for table in EventTable.objects.filter(round__in=tables).order_by("number").defer("counters", "deals", "code"):
        tables[table.round_id].append(table)
    return [_round_view(board, each, tables[each.pk]) for each in board.rounds]


def _round_view(board: Board, found: Round, tables: Iterable[EventTable]) -> RoundView:
    return RoundView(
        found.number,
        found.state,
        tuple(table_view(board, table) for table in tables),
        board.shown(found.byes),
        board.shown(found.rests),
        tuple(_told(board, note) for note in found.notes),
        found.starts_at,
        found.ends_at,
        found.left,
        found.said,
    )


def table_view(board: Board, table: EventTable) -> TableView:
    points = (table.points_0, table.points_1)
    return TableView(
        table.pk,
        table.number,
        table.kind,
        tuple(board.shown(side) for side in table.sides),
        table.state,
        points if None not in points and table.state != EventTable.State.DISPUTED else None,  # type: ignore[arg-type]
        table.winner if table.state in (EventTable.State.CONFIRMED, EventTable.State.FORFEIT) else None,
        title_of(table.label),
        tuple(_told(board, reason) for reason in table.reasons),
        table.live_table_id,
        table.game_id,
    )


def title_of(label: str) -> str:
    """What a match or a set of deals is called; "" for none."""
    try:
        return words(title(label), language=translation) if label else ""
    except ValueError:
        return label


def _told(board: Board, kept: Sequence[Any]) -> str:
    name_of = board.course.name_of if board.course else str
    try:
        return words(restored(kept), name_of, translation)
    except (KeyError, ValueError, TypeError):  # of another version of the site
        return ""


def rounds_of(board: Board) -> int:
    """How many rounds the event has, about; 0 if nobody can say."""
    if board.plan is None:
        return board.event.rounds_planned or len(board.rounds)
    taking = len(board.course.snapshot.entrants) if board.course and board.rounds else board.taking
    planned = board.event.rounds_planned
    if not planned or has_bracket(board.plan):
        planned = board.plan.rounds(taking) if taking >= board.plan.book.least else 0
    if board.event.state == Event.State.FINISHED:
        return len(board.rounds)
    return max(planned, len(board.rounds))


def stages(board: Board) -> tuple[Stage, ...]:
    """Sign-up, the rounds, the end."""
    event, found = board.event, []
    ahead = event.state in (Event.State.DRAFT, *Event.AHEAD)
    entered = entrants_word(board.plan, board.taking)
    if event.state == Event.State.CHECK_IN:
        found.append(Stage(_("Check-in"), entered, "now"))
    else:
        found.append(Stage(_("Sign-up"), entered, "now" if ahead else "done"))
    by_number = {each.number: each for each in board.rounds}
    for number in range(1, rounds_of(board) + 1):
        name = _("Round %(number)d") % {"number": number}
        each = by_number.get(number)
        if each is None:
            found.append(Stage(name, "", "ahead"))
        elif each.state == Round.State.CLOSED:
            found.append(Stage(name, "", "done"))
        else:
            found.append(Stage(name, _("now") if each.state == Round.State.PLAYING else _("drawn"), "now"))
    finished = event.state == Event.State.FINISHED
    found.append(Stage(_("Finish"), "", "now" if finished else "ahead"))
    return tuple(found)


def entrants_word(plan: Plan | None, count: int) -> str:
    members = plan.members if plan else 1
    if members == 1:
        return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}
    if members == 2:
        return ngettext("%(count)d pair", "%(count)d pairs", count) % {"count": count}
    return ngettext("%(count)d team", "%(count)d teams", count) % {"count": count}


def badge(board: Board) -> tuple[str, str]:
    """The state of the event in words, and the kind of its badge."""
    event, last = board.event, board.last
    if event.state == Event.State.RUNNING and last is not None:
        number = {"number": last.number}
        if last.state == Round.State.PLAYING:
            return _("Round %(number)d is on") % number, "live"
        if last.state == Round.State.PUBLISHED:
            return _("Round %(number)d is drawn") % number, "info"
        return _("Round %(number)d is over") % number, "info"
    kind = {Event.State.OPEN: "good", Event.State.CHECK_IN: "warn", Event.State.RUNNING: "live"}
    return event.word, "warn" if event.club_closed else kind.get(Event.State(event.state), "")


# --- standings ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    line: Line
    who: Shown
    notes: tuple[str, ...]

    def some(self, at: Iterable[int]) -> list[float]:
        """The values of some of the columns."""
        return [self.line.columns[each].value for each in at]


@dataclass(frozen=True, slots=True)
class StandingsView:
    """``groups`` are the lines of each table there is, ``columns`` the key and heading of each number."""

    groups: tuple[tuple[str, tuple[Standing, ...]], ...]
    columns: tuple[tuple[str, str], ...]
    after: int
    wrong: str = ""

    @property
    def rows(self) -> tuple[Standing, ...]:
        return tuple(row for _name, rows in self.groups for row in rows)

    @property
    def brief(self) -> tuple[int, ...]:
        """Which of the columns are shown where there is little room."""
        keys = [key for key, _label in self.columns]
        second = keys.index("difference") if "difference" in keys else 1
        return tuple(dict.fromkeys(at for at in (0, second) if at < len(keys)))

    @property
    def levelled(self) -> str:
        """How who is level is told apart."""
        return ", ".join(label for _key, label in self.columns[1:])


def standings(board: Board) -> StandingsView:
    """No query."""
    course = board.course
    if course is None:
        return StandingsView((), (), 0, board.wrong)
    try:
        lines = course.lines()
    except EventError as error:
        return StandingsView((), (), 0, tell(error, course))
    return _standings(board, course, _by_group(lines))


def groups_of(board: Board) -> StandingsView | None:
    """The tables of the groups, where the format has any. No query."""
    course = board.course
    if course is None or course.plan.book.key != "groups":
        return None
    try:
        found = course.plan.groups(course.snapshot, board.event.seed)
    except EventError as error:
        return StandingsView((), (), 0, tell(error, course))
    named = [(_("Group %(number)d") % {"number": number}, lines) for number, lines in enumerate(found, 1)]
    return _standings(board, course, named) if named else None


def _by_group(lines: Sequence[Line]) -> list[tuple[str, Sequence[Line]]]:
    numbers = sorted({line.group for line in lines})
    if len(numbers) < 2:
        return [("", lines)]
    return [
        (_("Group %(number)d") % {"number": number} if number else "", [line for line in lines if line.group == number])
        for number in numbers
    ]


def _standings(board: Board, course: Course, groups: Sequence[tuple[str, Sequence[Line]]]) -> StandingsView:
    first = next((line for _name, lines in groups for line in lines), None)
    columns = tuple((each.key, translation.gettext(each.label)) for each in first.columns) if first else ()
    return StandingsView(
        tuple(
            (
                name,
                tuple(
                    Standing(line, board.shown([line.entrant])[0], tuple(course.tell(note) for note in line.notes))
                    for line in lines
                ),
            )
            for name, lines in groups
        ),
        columns,
        board.closed,
    )


@dataclass(frozen=True, slots=True)
class TermView:
    round: int
    value: float
    what: str
    cut: bool


@dataclass(frozen=True, slots=True)
class ColumnView:
    label: str
    value: float
    terms: tuple[TermView, ...]


def terms(board: Board, number: int) -> tuple[ColumnView, ...] | None:
    """What each number of an entrant's line is made of; None if he is not in the standings. No query."""
    course = board.course
    if course is None:
        return None
    try:
        line = next((line for line in course.lines() if line.entrant == number), None)
    except EventError:
        return None
    if line is None:
        return None
    return tuple(
        ColumnView(
            translation.gettext(column.label),
            column.value,
            tuple(TermView(term.round, term.value, course.tell(term.what), term.cut) for term in column.terms),
        )
        for column in line.columns
    )


# --- one entrant ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sheet:
    """An entrant and what he has played: round, table and side, or None and why not."""

    entrant: Entrant
    who: Shown
    members: tuple[Member, ...]
    rounds: tuple[tuple[int, TableView | None, int, str], ...]


def read_sheet(board: Board, number: int) -> Sheet | None:
    """Three queries."""
    entrant = Entrant.objects.filter(event=board.event, number=number).defer("note").first()
    if entrant is None:
        return None
    members = tuple(Member.objects.filter(entrant=entrant, gone=False).select_related("player").order_by("position"))
    seatings = Seating.objects.filter(entrant=entrant, round__in=board.rounds).select_related("table")
    seats = {seating.round_id: seating for seating in seatings}
    rounds: list[tuple[int, TableView | None, int, str]] = []
    for each in board.rounds:
        seat = seats.get(each.pk)
        if seat is not None:
            rounds.append((each.number, table_view(board, seat.table), seat.side, ""))
        elif number in each.byes:
            rounds.append((each.number, None, 0, _("bye")))
        elif number in each.rests:
            rounds.append((each.number, None, 0, _("rests")))
    return Sheet(entrant, board.shown([number])[0], members, tuple(rounds))


@dataclass(frozen=True, slots=True)
class Listing:
    """Entrants in one state, each with the members who have not been replaced."""

    state: str
    name: str
    entrants: tuple[tuple[Entrant, tuple[Member, ...]], ...]


def read_entrants(event: Event) -> tuple[Listing, ...]:
    """Who takes part or took part, who waits, who looks for a partner, who is out. Two queries."""
    members: dict[int, list[Member]] = {}
    for member in Member.objects.filter(event=event, gone=False).select_related("player").order_by("position", "pk"):
        members.setdefault(member.entrant_id, []).append(member)
    by_state: dict[str, list[tuple[Entrant, tuple[Member, ...]]]] = {}
    order = ("entered_at", "number")
    ended = event.state in Event.ENDED
    for entrant in Entrant.objects.filter(event=event).defer("note").order_by(*order):
        state = Entrant.State.ACTIVE if ended and entrant.state in Entrant.PLAYING else entrant.state
        by_state.setdefault(state, []).append((entrant, tuple(members.get(entrant.pk, ()))))
    states = (
        *(Entrant.State.ACTIVE, Entrant.State.PAUSED, Entrant.State.CHECKED_IN, Entrant.State.ENTERED),
        *(Entrant.State.SPARE, Entrant.State.WAITING, Entrant.State.ASKED),
        *(Entrant.State.WITHDRAWN, Entrant.State.DISQUALIFIED),
    )
    return tuple(
        Listing(state.value, event.word_of(state), tuple(by_state[state])) for state in states if state in by_state
    )


# --- bracket --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlotView:
    """One side of a match: an entrant, "bye", or where he will come from."""

    who: Shown | None
    seed: int
    text: str
    points: int | None
    won: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class MatchView:
    label: str
    name: str
    state: str
    slots: tuple[SlotView, SlotView]
    stands: bool


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """The matches of a round. ``joins``: the next column has half as many."""

    name: str
    matches: tuple[MatchView, ...]
    joins: bool


@dataclass(frozen=True, slots=True)
class BracketPart:
    key: str
    name: str
    columns: tuple[BracketColumn, ...]


@dataclass(frozen=True, slots=True)
class BracketView:
    parts: tuple[BracketPart, ...]
    champion: Shown | None
    wrong: str = ""


def read_bracket(board: Board) -> BracketView:
    """The bracket with what is being played now. One query."""
    course = board.course
    if course is None:
        return BracketView((), None, board.wrong)
    try:
        bracket = course.bracket()
    except EventError as error:
        return BracketView((), None, tell(error, course))
    if bracket is None:
        return BracketView((), None)
    playing: dict[str, EventTable] = {}
    if board.last is not None and board.last.state != Round.State.CLOSED:
        playing = {table.label: table for table in EventTable.objects.filter(round=board.last).defer("code")}
    champion = bracket.champion
    return BracketView(
        tuple(_parts(board, bracket, playing)), board.shown([champion])[0] if champion is not None else None
    )


def _parts(board: Board, bracket: Bracket, playing: Mapping[str, EventTable]) -> Iterable[BracketPart]:
    names = {
        "main": _("Bracket"),
        "winners": _("Winners’ bracket"),
        "losers": _("Losers’ bracket"),
        "final": _("Final"),
        "third": _("Match for third place"),
    }
    for key, name in names.items():
        columns: dict[int, list[Match]] = {}
        for match in bracket.matches:
            if match.part == key and match.state != "unneeded":
                columns.setdefault(match.round, []).append(match)
        if not columns:
            continue
        rounds = sorted(columns)
        made = []
        for at, number in enumerate(rounds):
            matches = sorted(columns[number], key=lambda match: match.number)
            following = len(columns[rounds[at + 1]]) if at + 1 < len(rounds) else 0
            made.append(
                BracketColumn(
                    _column_name(key, len(matches), at, len(rounds)),
                    tuple(_match(board, match, playing.get(match.label)) for match in matches),
                    0 < following < len(matches),
                )
            )
        yield BracketPart(key, name, tuple(made))


def _column_name(part: str, matches: int, at: int, rounds: int) -> str:
    if part == "losers":
        return _("Round %(number)d") % {"number": at + 1}
    if part in ("final", "third"):
        return _("Once more, if need be") if at else (_("Final") if part == "final" else _("Third place"))
    left = rounds - at
    if left == 1:
        return _("Final") if part == "main" else _("Last match")
    if part == "main" and left == 2:
        return _("Semi-finals")
    if part == "main" and left == 3:
        return _("Quarter-finals")
    return _("Round of %(count)d") % {"count": 2 * matches}


def _match(board: Board, match: Match, table: EventTable | None) -> MatchView:
    state = "done" if match.decided else "live" if table is not None else match.state
    points: tuple[int | None, int | None] = (None, None)
    sides: Sequence[Sequence[int]] = ()
    if match.table is not None and match.table.result.played:
        points, sides = match.table.result.points, match.table.sides
    elif table is not None and table.points_0 is not None and table.state != EventTable.State.DISPUTED:
        points, sides = (table.points_0, table.points_1), table.sides
    by_entrant = {side[0]: point for side, point in zip(sides, points, strict=False) if side}
    first, second = (_slot(board, match, slot, by_entrant) for slot in match.slots)
    return MatchView(match.label, title_of(match.label), state, (first, second), match.stands)


def _slot(board: Board, match: Match, slot: Slot, points: Mapping[int, int | None]) -> SlotView:
    entrant = slot.entrant
    seed = slot.source.seed if slot.source.kind == "seed" else 0
    if entrant is None:
        text = _("bye") if slot.known else _source(slot)
        return SlotView(None, seed, text, None, False, False)
    won = match.decided and match.winner == entrant
    lost = match.decided and match.winner is not None and not won
    return SlotView(board.shown([entrant])[0], seed, "", points.get(entrant), won, lost)


def _source(slot: Slot) -> str:
    """Where he will come from who is not known yet."""
    source = slot.source
    if source.kind == "seed":
        return _("Seed %(number)d") % {"number": source.seed}
    word = _("Winner: %(match)s") if source.kind == "winner" else _("Loser: %(match)s")
    return word % {"match": title_of(source.match)}


# --- proof of balance -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Balance:
    """Who partnered and met whom how often, over the closed rounds. ``partner_times`` tells of how many
    pairs of people were partners so many times. ``matrix`` is there up to a number of people: each
    row one's name and, for everybody, times as partner and as opponent, None against oneself."""

    people: tuple[Shown, ...]
    partner_times: tuple[tuple[int, int], ...]
    opponent_times: tuple[tuple[int, int], ...]
    rest_times: tuple[tuple[int, int], ...]
    rows: tuple[tuple[Shown, int, int, int, int, int], ...]
    """Name, different partners, most times with one, different opponents, most times against one, rests."""
    matrix: tuple[tuple[Shown, tuple[tuple[int, int] | None, ...]], ...]


def balance(board: Board) -> Balance | None:
    """None where partners are fixed, and before the first closed round. No query."""
    course = board.course
    if course is None or not course.snapshot.rounds:
        return None
    found = course.plan.proof(course.snapshot)
    return _balance(board, found) if found is not None and found.people else None


def _balance(board: Board, found: Profile) -> Balance:
    people = sorted(found.people)
    partners: dict[int, dict[int, int]] = {one: {} for one in people}
    opponents: dict[int, dict[int, int]] = {one: {} for one in people}
    for counted, by_person in ((found.partners, partners), (found.opponents, opponents)):
        for pair, times in counted.items():
            if len(pair) == 2:
                one, other = sorted(pair)
                by_person.setdefault(one, {})[other] = times
                by_person.setdefault(other, {})[one] = times
    shown = {one: board.shown([one])[0] for one in people}
    matrix = ()
    if len(people) <= MATRIX:
        matrix = tuple(
            (
                shown[one],
                tuple(
                    None if one == other else (partners[one].get(other, 0), opponents[one].get(other, 0))
                    for other in people
                ),
            )
            for one in people
        )
    return Balance(
        tuple(shown.values()),
        tuple(sorted(found.partner_times.items())),
        tuple(sorted(found.opponent_times.items())),
        tuple(sorted(found.rest_times.items())),
        tuple(
            (
                shown[one],
                len(partners[one]),
                max(partners[one].values(), default=0),
                len(opponents[one]),
                max(opponents[one].values(), default=0),
                found.rests[one],
            )
            for one in people
        ),
        matrix,
    )


# --- one's own ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mine:
    """What an event means to its reader. ``table`` is his table of the newest published round, on
    ``side``; ``idle`` says why he has none there. ``to_me`` and ``by_me`` are requests between partners."""

    entrant: Entrant | None = None
    members: tuple[Member, ...] = ()
    round: Round | None = None
    table: EventTable | None = None
    side: int = 0
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    idle: str = ""
    to_me: tuple[PartnerRequest, ...] = ()
    by_me: tuple[PartnerRequest, ...] = ()
    last_side: int | None = None

    @property
    def number(self) -> int:
        return self.entrant.number if self.entrant else 0

    @property
    def reported_by_me(self) -> bool:
        return self.last_side == self.side

    @property
    def partners(self) -> tuple[str, ...]:
        return self.names[self.side] if self.table else ()

    @property
    def opponents(self) -> tuple[str, ...]:
        return self.names[1 - self.side] if self.table else ()


def read_mine(event: Event, actor: Actor, plan: Plan | None) -> Mine:
    """Six queries at most."""
    if actor.player_id is None:
        return Mine()
    to_me: tuple[PartnerRequest, ...] = ()
    by_me: tuple[PartnerRequest, ...] = ()
    answers = event.state in (*Event.AHEAD, Event.State.RUNNING) and not event.club_closed
    if plan is not None and plan.members == 2 and answers:
        about = Q(to=actor.player_id) | Q(by=actor.entrant_id) if actor.entrant_id else Q(to=actor.player_id)
        requests = PartnerRequest.objects.filter(about, event=event).select_related("by", "to").order_by("pk")
        found = list(requests.defer("by__note"))
        to_me = tuple(each for each in found if each.to_id == actor.player_id)
        by_me = tuple(each for each in found if each.by_id == actor.entrant_id)
    if actor.entrant_id is None:
        return Mine(to_me=to_me, by_me=by_me)
    members = tuple(
        Member.objects.filter(entrant=actor.entrant_id, gone=False).select_related("entrant").order_by("position")
    )
    entrant = members[0].entrant
    last = Round.objects.filter(event=event).exclude(state=Round.State.DRAWN).order_by("-number").first()
    if last is None or event.state != Event.State.RUNNING:
        return Mine(entrant, members, to_me=to_me, by_me=by_me)
    seat = Seating.objects.filter(round=last, entrant=entrant).select_related("table").first()
    if seat is None:
        idle = "bye" if entrant.number in last.byes else "rests" if entrant.number in last.rests else ""
        return Mine(entrant, members, last, idle=idle, to_me=to_me, by_me=by_me)
    numbers = [number for side in seat.table.sides for number in side]
    names = dict(Entrant.objects.filter(event=event, number__in=numbers).values_list("number", "name"))
    one, other = (
        tuple(names.get(number, f"#{number}") for number in side if number != entrant.number)
        for side in seat.table.sides
    )
    last_side = None
    if seat.table.state == EventTable.State.REPORTED:
        last_side = last_reported(seat.table)
    return Mine(entrant, members, last, seat.table, seat.side, (one, other), "", to_me, by_me, last_side)


def last_reported(table: EventTable) -> int | None:
    """The side that spoke last. One query."""
    said = Report.objects.filter(table=table, source=Report.Source.SIDE).order_by("-pk")
    return said.values_list("side", flat=True).first()


def find_hall_table(event: Event, code: str) -> EventTable | None:
    """The table of a code, if its round may be seen. One query."""
    found = EventTable.objects.select_related("round").filter(event=event, code=code)
    return found.exclude(code="").exclude(round__state=Round.State.DRAWN).first()


def find_code(code: str) -> list[EventTable]:
    """Tables of this code at events that are running, the newest first. One query."""
    found = EventTable.objects.select_related("event", "event__club", "round").filter(code=code)
    found = found.exclude(code="").exclude(round__state=Round.State.DRAWN).filter(event__state=Event.State.RUNNING)
    return list(found.order_by("-pk")[:2])


def about_line(event: Event, plan: Plan | None) -> str:
    """How it is played, in a line."""
    if plan is None:
        return ""
    label = translation.gettext(plan.book.label)
    who = {1: _("Everybody enters alone"), 2: _("Pairs enter together")}.get(plan.members, _("Teams of four"))
    parts = [label, who]
    if event.rounds_planned and not has_bracket(plan):
        rounds = event.rounds_planned
        parts.append(ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds})
    score = plan.score
    if score.hands:
        parts.append(ngettext("%(count)d hand", "%(count)d hands", score.hands) % {"count": score.hands})
    else:
        parts.append(_("Games to %(points)d") % {"points": score.target})
    return ". ".join(parts) + "."
