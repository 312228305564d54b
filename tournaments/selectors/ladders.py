"""Ladders as their logs make them, and what their pages show."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from heapq import merge
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Final, Literal

from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Player
from games.models import Table as LiveTable
from games.selectors.paging import page_of
from tournaments.formats import ladder as pure
from tournaments.formats.event import EventError
from tournaments.formats.ladder import Challenge, Change, Course, Entry, Rules, State
from tournaments.formats.words import Reason, words
from tournaments.models import (
    Club,
    Ladder,
    LadderAsk,
    LadderEntry,
    LadderMatch,
    LadderPair,
    Membership,
)
from tournaments.selectors.clubs import Page

clock = timezone.now
"""What time it is on ladders."""

HISTORY_A_PAGE: Final = 50
LATEST: Final = 8
"""Of the history, what the ladder's own page shows."""

NEVER: Final = timedelta(days=365_000)
"""In place of the days after which nothing happens."""

TICK: Final = timedelta(microseconds=1)
"""No two entries of a ladder are of one moment."""

TERMS: Final = ("reach", "share", "answer_days", "rest_days", "idle_days")
"""The settings that the format reads."""

TOLD_FOR: Final = timedelta(days=7)
"""So long somebody is told whose pair was taken off a ladder."""

_BY_TIME: Final = ("no_answer", "no_game")
"""The reasons of changes that nobody made."""


@dataclass(frozen=True)
class Book:
    """A ladder as its log has it. ``rows`` are the entries in the order of the log, without those
    struck out; ``log`` those the format knows, ``of_log`` their rows."""

    rows: tuple[LadderEntry, ...]
    log: tuple[Entry, ...]
    of_log: tuple[LadderEntry, ...]
    course: Course
    _kept: dict[str, State] = field(default_factory=dict, compare=False)

    def state(self, now: datetime) -> State:
        """At a moment after the last entry. What time has done before is kept: years of a ladder that nobody
        plays on are thousands of moves."""
        kept = self._kept.get("state", self.last)
        state = pure.advance(kept if kept.at <= now else self.last, self.course[-1][1], now)
        self._kept["state"] = state
        return state

    @cached_property
    def last(self) -> State:
        """At the last entry, of whatever kind."""
        return pure.replay(self.log, self.course, self.rows[-1].at)

    def number_of(self, entry_id: int) -> int | None:
        """Where an entry stands in ``log``."""
        return next((at for at, row in enumerate(self.of_log) if row.pk == entry_id), None)


@dataclass(frozen=True)
class Board:
    """A ladder at a moment: its book, and everybody in it by number."""

    ladder: Ladder
    book: Book
    pairs: dict[int, LadderPair]
    state: State
    rules: Rules

    def pair_of(self, player_id: int | None) -> LadderPair | None:
        """The pair on the ladder that somebody belongs to."""
        if player_id is None:
            return None
        on = (self.pairs[number] for number in self.state.order)
        return next((pair for pair in on if player_id in pair.player_ids), None)

    def name_of(self, number: int) -> str:
        return str(self.pairs[number]) if number in self.pairs else f"#{number}"

    def tell(self, reason: Reason) -> str:
        """A reason of the format in the active language."""
        return words(reason, self.name_of, translation)

    def refusal(self, error: EventError) -> str:
        return f"{self.tell(error.problem)} {self.tell(error.advice)}"

    def challenge_of(self, match: LadderMatch) -> Challenge | None:
        """The open challenge that a match is, None if it is not open any more. One query but for
        matches read with their entries."""
        made = next((one for one in match.entries.all() if one.kind == LadderEntry.Kind.CHALLENGE), None)
        if made is None or made.struck:
            return None
        lower, upper = self.number_of(match.lower_id), self.number_of(match.upper_id)
        return next(
            (one for one in self.state.challenges if (one.lower, one.upper, one.at) == (lower, upper, made.at)), None
        )

    def named(self, moved: Iterable[pure.Moved]) -> tuple[Moved, ...]:
        return tuple(Moved(self.pairs[number], old, new) for number, old, new in moved)

    def number_of(self, pair_id: int) -> int:
        return next(number for number, pair in self.pairs.items() if pair.pk == pair_id)


@dataclass(frozen=True, slots=True)
class Rung:
    """A line of the ladder. ``match`` is the open one it is in, ``open`` whether the viewer's pair may
    challenge it, ``moved`` the last change of its place, at ``when``, and ``why`` the reason in words."""

    place: int
    pair: LadderPair
    mine: bool
    match: OpenMatch | None
    open: bool
    moved: Moved | None
    when: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A challenge that has no result: to be answered until ``until``, or to be played (None). ``said``:
    the sides that have typed a score."""

    id: int
    lower: LadderPair
    upper: LadderPair
    at: datetime
    until: datetime | None
    said: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """A line of the history: an entry, or what time did (without a ``row``)."""

    at: datetime
    row: LadderEntry | None
    pair: LadderPair | None
    other: LadderPair | None
    moved: tuple[Moved, ...]
    ignored: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """Whose place changed; None is off the ladder."""

    pair: LadderPair
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class Listed:
    ladder: Ladder
    pairs: int


@dataclass(frozen=True, slots=True)
class Own:
    """What somebody is to a ladder: his pair, whom he has asked and who asks him; when the pair goes
    down for want of a game."""

    pair: LadderPair | None
    place: int | None
    match: OpenMatch | None
    idle: datetime | None
    asked: list[LadderAsk]
    asking: list[LadderAsk]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match for its page. ``side`` is the viewer's: 0 lower, 1 upper, None of neither. ``stage``:
    asked, to play, done, or over without a result. ``said`` are the points by side."""

    match: LadderMatch
    side: int | None
    stage: Literal["asked", "play", "done", "over"]
    at: datetime
    until: datetime | None
    said: dict[int, tuple[int, int]]
    points: tuple[int, int] | None
    winner: int | None
    entries: list[LadderEntry]
    online: bool
    live: LiveTable | None
    why: str
    ran_out: datetime | None

    @property
    def disputed(self) -> bool:
        return len(self.said) == 2

    @property
    def speaker(self) -> int | None:
        """The only side that has typed a score."""
        return next(iter(self.said)) if len(self.said) == 1 else None

    @property
    def alone(self) -> bool:
        """Whether the viewer's opponents have no accounts, and so cannot confirm a score."""
        return self.side is not None and not (self.match.upper, self.match.lower)[self.side].player_ids


# --- reading a ladder ------------------------------------------------------------------------------------


def terms_of(ladder: Ladder) -> dict[str, int]:
    """What the format reads of a ladder's settings, as an entry keeps it."""
    return {name: getattr(ladder, name) for name in TERMS}


def rules_of(terms: Mapping[str, int]) -> Rules:
    """The format's rules from the terms of an entry."""
    idle = terms["idle_days"]
    return Rules(
        reach=terms["reach"],
        share=terms["share"],
        answer=timedelta(days=terms["answer_days"]),
        rest=timedelta(days=terms["rest_days"]),
        idle=timedelta(days=idle) if idle else NEVER,
    )


def book_of(rows: Iterable[LadderEntry], numbers: dict[int, int]) -> Book:
    """The book that entries make, in any order; ``numbers`` are those of the pairs by id."""
    kept = sorted((row for row in rows if not row.struck), key=lambda row: (row.at, row.pk))
    of_log = tuple(row for row in kept if row.kind in (*LadderEntry.TOLD, LadderEntry.Kind.REOPEN))
    return Book(tuple(kept), tuple(entry_of(row, numbers) for row in of_log), of_log, _course(kept))


def _course(rows: Iterable[LadderEntry]) -> Course:
    """While it was closed nothing happened; once it is open again the rules of before hold, or new ones."""
    course: list[tuple[datetime, Rules]] = []
    closed: datetime | None = None
    for row in rows:
        if row.kind == LadderEntry.Kind.TERMS:
            course.append((row.at, rules_of(row.terms)))
        elif row.kind == LadderEntry.Kind.CLOSE:
            closed = row.at
        elif row.kind == LadderEntry.Kind.REOPEN and closed is not None:
            rules = course[-1][1]
            course += [(closed, replace(rules, answer=NEVER, idle=NEVER)), (row.at + TICK, rules)]
    return tuple(course)


def entry_of(row: LadderEntry, numbers: dict[int, int]) -> Entry:
    """An entry as the format reads it."""
    other = numbers[row.other_id] if row.other_id is not None else 0
    pair = numbers[row.pair_id] if row.pair_id is not None else 0
    return Entry(row.at, row.kind, pair, other)  # type: ignore[arg-type]


def find_ladder(club: Club, ladder_id: int) -> Ladder | None:
    """One query."""
    found = Ladder.objects.filter(club=club, pk=ladder_id).first()
    if found is not None:
        found.club = club
    return found


def read_board(ladder: Ladder, now: datetime | None = None, *, afresh: bool = False) -> Board:
    """The ladder as it is now, or as it was when it, or its club, was closed. One query; another one after it was
    written to (``afresh``: in any case, for who writes)."""
    book = _read_book(ladder) if afresh else _remembered(_Key(ladder))
    pairs = list(LadderPair.objects.filter(ladder=ladder).select_related("player", "partner"))  # after the book:
    for pair in pairs:  # whoever joins in between is in no entry yet, rather than in one without a pair
        pair.ladder = ladder
    now = now or clock()
    closed = ladder.closed_at or ladder.club.closed_at
    if closed is not None:
        now = min(now, closed)
    state = book.state(max(now, book.last.at))
    return Board(ladder, book, {pair.number: pair for pair in pairs}, state, book.course[-1][1])


def _read_book(ladder: Ladder) -> Book:
    entries = LadderEntry.objects.filter(ladder=ladder).order_by("at", "pk")
    rows = list(entries.annotate(number=F("pair__number"), other_number=F("other__number")))
    numbers: dict[int, int] = {row.pair_id or 0: row.number for row in rows}
    numbers |= {row.other_id or 0: row.other_number for row in rows}
    return book_of(rows, numbers)


class _Key:
    """A ladder as it was at one version."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.at = ladder.pk, ladder.created_at, ladder.version

    def __hash__(self) -> int:
        return hash(self.at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.at == other.at


@lru_cache(maxsize=64)
def _remembered(key: _Key) -> Book:
    return _read_book(key.ladder)


# --- pages ----------------------------------------------------------------------------------------------


def read_ladders(club: Club) -> list[Listed]:
    """A club's ladders, open ones first, the newest first. One query."""
    counts = Q(entries__struck=False)
    found = club.ladders.annotate(
        joined=Count("entries", filter=counts & Q(entries__kind=LadderEntry.Kind.JOIN)),
        left=Count("entries", filter=counts & Q(entries__kind=LadderEntry.Kind.LEAVE)),
    )
    ladders = sorted(found.order_by("-pk"), key=lambda ladder: ladder.closed_at is not None)
    for ladder in ladders:
        ladder.club = club
    return [Listed(ladder, ladder.joined - ladder.left) for ladder in ladders]


def read_matches(board: Board) -> dict[frozenset[int], OpenMatch]:
    """The open matches by their two numbers. Two queries."""
    found: dict[frozenset[int], OpenMatch] = {}
    if not board.state.challenges:
        return found
    busy = {board.pairs[number].pk for one in board.state.challenges for number in one.pair}
    matches = LadderMatch.objects.filter(ladder=board.ladder, lower__in=busy, upper__in=busy)
    made = Q(entries__kind=LadderEntry.Kind.CHALLENGE, entries__struck=False)
    by_id = {pair.pk: pair for pair in board.pairs.values()}
    for pk, lower, upper, said, at in matches.filter(made).values_list("pk", "lower", "upper", "said", "entries__at"):
        one, other = by_id[lower], by_id[upper]
        challenge = board.state.match_of(one.number)
        if challenge is not None and challenge.at == at and challenge.pair == {one.number, other.number}:
            until = None if challenge.answered else at + board.rules.answer
            found[challenge.pair] = OpenMatch(pk, one, other, at, until, tuple(map(int, said)))
    return found


def read_rungs(board: Board, matches: dict[frozenset[int], OpenMatch], own: LadderPair | None) -> list[Rung]:
    """From the top. No query."""
    state = board.state
    can: tuple[int, ...] = ()
    if own is not None and own.number in state.order and board.ladder.closed_at is None:
        can = pure.challenges_open_to(state, own.number, board.rules)
    last = {change.entrant: change for change in state.changes}
    busy = {number: match for pair, match in matches.items() for number in pair}
    return [
        Rung(
            place,
            board.pairs[number],
            own is not None and own.number == number,
            busy.get(number),
            number in can,
            *_last_move(board, number, place, last.get(number)),
        )
        for place, number in enumerate(state.order, 1)
    ]


def _last_move(board: Board, number: int, place: int, last: Change | None) -> tuple[Moved | None, datetime | None, str]:
    pair = board.pairs[number]
    if last is None:
        return None, None, ""
    if last.new == place:
        return Moved(pair, last.old, last.new), last.at, board.tell(last.why)
    return Moved(pair, last.new, place), None, _("as others moved")


def read_own(board: Board, matches: dict[frozenset[int], OpenMatch], player_id: int | None) -> Own:
    """Two queries, none for visitors."""
    if player_id is None:
        return Own(None, None, None, None, [], [])
    pair = board.pair_of(player_id)
    asks = LadderAsk.objects.filter(ladder=board.ladder)
    asked = list(asks.filter(by=player_id).select_related("to")) if pair is None else []
    asking = list(asks.filter(to=player_id).select_related("by")) if pair is None else []
    if pair is None:
        return Own(None, None, None, None, asked, asking)
    match = next((match for numbers, match in matches.items() if pair.number in numbers), None)
    idle = None
    last = board.state.place(pair.number) == len(board.state.order)
    if match is None and board.rules.idle != NEVER and not last:
        idle = board.state.active[pair.number] + board.rules.idle
    return Own(pair, board.state.place(pair.number), match, idle, [], [])


def read_partners(board: Board, player_id: int, asked: Iterable[LadderAsk]) -> list[Player]:
    """Whom somebody may ask to be his partner: the members who are on no rung, but for those he has
    asked. One query."""
    taken = {player_id, *(ask.to_id for ask in asked)}
    taken.update(pk for number in board.state.order for pk in board.pairs[number].player_ids)
    members = Player.objects.filter(memberships__club=board.ladder.club, is_active=True).exclude(pk__in=taken)
    return list(members.order_by("name_key"))


def read_history(board: Board, number: int = 1, size: int = HISTORY_A_PAGE) -> Page[Happened]:
    """What happened, the newest first, with what was struck out. Four queries at most; only lines shown are made."""
    rows = list(LadderEntry.objects.filter(ladder=board.ladder).order_by("-at", "-pk").values_list("at", "pk"))
    changes = board.state.changes
    total = len(rows) + sum(change.why.code in _BY_TIME for change in changes)
    number, pages, held = page_of(total, number, size)
    of_time = ((change.at, change) for change in reversed(changes) if change.why.code in _BY_TIME)
    lines: Iterable[tuple[datetime, int | Change]] = merge(rows, of_time, key=itemgetter(0), reverse=True)
    shown = [line for _at, line in islice(lines, held.start, held.stop)]
    entries = LadderEntry.objects.filter(pk__in=[line for line in shown if isinstance(line, int)])
    found = {row.pk: row for row in entries.select_related("by").prefetch_related("corrections__by")}
    teller = _Teller(board)
    told = [
        teller.of_entry(found[line]) if isinstance(line, int) else teller.of_time(line)
        for line in shown
        if not isinstance(line, int) or line in found
    ]
    return Page(told, number, pages, total)


class _Teller:
    """Makes the lines of a ladder's history."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.pairs = {pair.pk: pair for pair in board.pairs.values()}
        ignored = {id(entry) for entry in board.state.ignored}
        both = zip(board.book.of_log, board.book.log, strict=True)
        self.ignored = {row.pk for row, entry in both if id(entry) in ignored} if ignored else set()

    def of_entry(self, row: LadderEntry) -> Happened:
        """An entry, with what it moved the two it is about."""
        pair, other = self.pairs.get(row.pair_id or 0), self.pairs.get(row.other_id or 0)
        moved: list[Change] = []
        if not row.struck and row.kind in (LadderEntry.Kind.RESULT, LadderEntry.Kind.REFUSE):
            both = [one.number for one in (pair, other) if one is not None]
            moved = [change for change in self._changes(row.at) if change.entrant in both]
        return Happened(row.at, row, pair, other, _moved(self.board, moved), row.pk in self.ignored)

    def of_time(self, change: Change) -> Happened:
        """A term that ran out; who won by that goes up in the same line."""
        unanswered = change.why.code == "no_answer"
        together = self._changes(change.at)
        moved = [one for one in together if one is change or (unanswered and one.why.code == "won_place")]
        pair, why = self.board.pairs[change.entrant], self.board.tell(change.why)
        return Happened(change.at, None, pair, None, _moved(self.board, moved), why=why)

    def _changes(self, at: datetime) -> Sequence[Change]:
        """Those of a moment."""
        changes, when = self.board.state.changes, attrgetter("at")
        return changes[bisect_left(changes, at, key=when) : bisect_right(changes, at, key=when)]


def _moved(board: Board, changes: Iterable[Change]) -> tuple[Moved, ...]:
    return board.named((change.entrant, change.old, change.new) for change in changes)


def find_match(ladder: Ladder, match_id: int) -> LadderMatch | None:
    """With its entries. Two queries."""
    matches = LadderMatch.objects.filter(ladder=ladder, pk=match_id)
    return (
        matches.select_related("lower__player", "lower__partner", "upper__player", "upper__partner", "live_table")
        .prefetch_related("entries__by")
        .first()
    )


def read_match(board: Board, match: LadderMatch, player_id: int | None) -> MatchPage:
    """A match as its page shows it. No query for a match read with its entries."""
    entries = [row for row in match.entries.all() if not row.struck]
    challenge = board.challenge_of(match)
    result = next((row for row in entries if row.kind == LadderEntry.Kind.RESULT), None)
    refused = next((row for row in entries if row.kind == LadderEntry.Kind.REFUSE), None)
    made = next(row for row in match.entries.all() if row.kind == LadderEntry.Kind.CHALLENGE)
    points = winner = None
    why = ""
    until = ran_out = None
    stage: Literal["asked", "play", "done", "over"]
    if challenge is not None:
        stage = "play" if challenge.answered else "asked"
        until = None if challenge.answered else challenge.at + board.rules.answer
    elif result is not None:
        stage = "done"
        winner = int(result.pair_id == match.upper_id)
        if result.points:
            points = (result.points[winner], result.points[1 - winner])
    else:
        stage = "over"
        ran_out = None if refused is not None else _ran_out(board, match, made)
        if refused is not None:
            why = _("It was refused: the place was lost as by a defeat.")
        elif ran_out is not None:
            why = _("It was not answered in time: the place was lost as by a defeat.")
        else:
            why = _("It was called off.")
    return MatchPage(
        match,
        side_of(match, player_id),
        stage,
        made.at,
        until,
        {int(side): (points[0], points[1]) for side, points in match.said.items()} if stage == "play" else {},
        points,
        winner,
        entries,
        online=can_be_online(board.ladder, match),
        live=match.live_table if match.live_table is not None and is_open(match.live_table) else None,
        why=why,
        ran_out=ran_out,
    )


def sides_of(match: LadderMatch | None) -> tuple[LadderPair, LadderPair] | None:
    """Lower and upper, with their people. One query."""
    if match is None:
        return None
    both = LadderPair.objects.select_related("player", "partner").in_bulk([match.lower_id, match.upper_id])
    return both[match.lower_id], both[match.upper_id]


def side_of(match: LadderMatch, player_id: int | None) -> int | None:
    """0 of the lower pair, 1 of the upper one, None of neither."""
    if player_id is None:
        return None
    return next((side for side, pair in enumerate((match.lower, match.upper)) if player_id in pair.player_ids), None)


def can_be_online(ladder: Ladder, match: LadderMatch) -> bool:
    """Whether all four have accounts, and the ladder plays online."""
    four = {pk for pair in (match.lower, match.upper) for pk in pair.player_ids}
    people = (match.lower.player, match.lower.partner, match.upper.player, match.upper.partner)
    there = all(player is not None and player.is_active for player in people)
    return ladder.where != Ladder.Where.HALL and len(four) == 4 and there


def is_open(table: LiveTable) -> bool:
    """Whether a live table waits or is being played at."""
    return table.phase not in (LiveTable.Phase.OVER, LiveTable.Phase.CLOSED)


def _ran_out(board: Board, match: LadderMatch, made: LadderEntry) -> datetime | None:
    """When a challenge was lost because nobody had answered it."""
    upper = board.number_of(match.upper_id)
    between = [
        row
        for row in board.book.of_log
        if row.kind == LadderEntry.Kind.CHALLENGE and (row.pair_id, row.other_id) == (match.lower_id, match.upper_id)
    ]
    for change in board.state.changes:
        if (change.entrant, change.why.code) == (upper, "no_answer"):
            last = [row for row in between if row.at < change.at][-1:]
            if last and last[0].pk == made.pk:
                return change.at
    return None


# --- somebody's own ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Errand:
    """Something that waits for somebody on a ladder: a challenge to answer, a match to play, a score to
    confirm or that the others confirm, a question of a partner; or the news that his pair with a partner is
    ``off`` it."""

    ladder: Ladder
    kind: Literal["answer", "wait", "play", "confirm", "said", "partner", "off"]
    name: str
    until: datetime | None = None
    match_id: int | None = None

    def get_absolute_url(self) -> str:
        if self.match_id is None:
            return self.ladder.get_absolute_url()
        return reverse("club_ladder_match", args=[self.ladder.club.slug, self.ladder.pk, self.match_id])

    @property
    def urgent(self) -> bool:
        """Whether somebody waits for his answer."""
        return self.kind in ("answer", "confirm", "partner")


def read_errands(player_id: int) -> list[Errand]:
    """Over all open ladders he is on or asked to. One query; a few more for each such ladder."""
    his = Q(pk__in=LadderPair.objects.filter(player=player_id).values("ladder"))
    his |= Q(pk__in=LadderPair.objects.filter(partner=player_id).values("ladder"))
    his |= Q(pk__in=LadderAsk.objects.filter(to=player_id).values("ladder"))
    his &= Q(club__in=Membership.objects.filter(player=player_id).values("club"))
    ladders = list(
        Ladder.objects.filter(his, closed_at=None, club__closed_at=None).select_related("club").order_by("pk")
    )
    if not ladders:
        return []
    asks = LadderAsk.objects.filter(to=player_id, ladder__in=ladders).select_related("ladder__club", "by")
    found = [Errand(ask.ladder, "partner", ask.by.name) for ask in asks.order_by("pk")]
    for ladder in ladders:
        board = read_board(ladder)
        pair = board.pair_of(player_id)
        if pair is None:
            partner = _taken_off_with(board, player_id)
            found += [Errand(ladder, "off", partner)] if partner else []
            continue
        challenge = board.state.match_of(pair.number)
        if challenge is None:
            continue
        match = read_matches(board).get(challenge.pair)
        if match is None:
            continue
        mine_is_upper = challenge.upper == pair.number
        other = str(match.lower if mine_is_upper else match.upper)
        kind: Literal["answer", "wait", "play", "confirm", "said"] = "play"
        if not challenge.answered:
            kind = "answer" if mine_is_upper else "wait"
        elif match.said:
            kind = "said" if match.said == (int(mine_is_upper),) else "confirm"
        found.append(Errand(ladder, kind, other, match.until, match.id))
    return found


def _taken_off_with(board: Board, player_id: int) -> str:
    """The partner of somebody whose pair another one has lately taken off the ladder, "" for none."""
    pairs = {pair.pk: pair for pair in board.pairs.values() if player_id in pair.player_ids}
    last = next((row for row in reversed(board.book.rows) if row.pair_id in pairs), None)
    if last is None or last.kind != LadderEntry.Kind.LEAVE or last.by_id == player_id:
        return ""
    return partner_in(pairs[last.pair_id or 0], player_id) if last.at > clock() - TOLD_FOR else ""


def partner_in(pair: LadderPair, player_id: int) -> str:
    """What the other one of somebody's pair is called."""
    return pair.names[pair.player_id == player_id]


def read_standing(club: Club, player_id: int) -> list[tuple[Ladder, str]]:
    """The open ladders of a club on which somebody stands, with his partner there. One query; two more for each
    ladder that he has ever stood on."""
    mine = LadderPair.objects.filter(Q(player=player_id) | Q(partner=player_id))
    ladders = Ladder.objects.filter(club=club, closed_at=None, pk__in=mine.values("ladder")).order_by("pk")
    found = []
    for ladder in ladders:
        ladder.club = club
        pair = read_board(ladder).pair_of(player_id)
        if pair is not None:
            found.append((ladder, partner_in(pair, player_id)))
    return found


def rows_for_export(board: Board) -> Sequence[tuple[int, LadderPair, datetime]]:
    """Place, pair, and since when it has done what counts as playing."""
    return [
        (place, board.pairs[number], board.state.active[number]) for place, number in enumerate(board.state.order, 1)
    ]
