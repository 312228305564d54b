"""A table as it stands now, in one or two queries.

The hot read is one hand-written SELECT of the table's row (an ORM query costs several times
as much per move). Seats are cached by ``roster``, which counts seat changes: whoever writes a
seat locks the table's row first and raises its roster, so a pair (table, roster) never changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.db import connection
from django.utils import timezone

from games import ratings
from games.engine import (
    DealState,
    Match,
    Rules,
    Score,
    add_points,
    apply,
    parse_action,
    parse_deck,
    parse_match,
    parse_rules,
    parse_score,
    start_deal,
)
from games.models import Deal, Participation, Seat, Table

_COLUMNS = (
    "id", "title", "ranked", "pace", "rules", "quick", "reserved", "back", "host_id", "phase", "version", "revision",
    "roster", "due_at", "fill_at", "game_id", "deal_number", "dealer", "turn", "score_0", "score_1", "score_2", "match",
    "commitment", "deck", "actions", "played_by", "maker_alone", "ready", "bots", "private",
    "code", "watchable", "patient", "hints", "win_offered", "answers",
)  # fmt: skip


@dataclass(slots=True)
class LiveRow:
    """The row of a table. Times are aware UTC; ``actions`` is the running deal in notation."""

    id: int
    title: str
    ranked: bool
    pace: int
    rules: str
    quick: bool
    reserved: bool
    back: str
    host_id: int | None
    phase: str
    version: int
    revision: int
    roster: int
    due_at: datetime | None
    fill_at: datetime | None
    game_id: int | None
    deal_number: int
    dealer: int
    turn: int | None
    score_0: int
    score_1: int
    score_2: int
    match: str
    commitment: str
    deck: str
    actions: str
    played_by: str
    maker_alone: bool | None
    ready: int
    bots: str
    private: bool
    code: str
    watchable: bool
    patient: bool
    hints: bool
    win_offered: int | None
    answers: int

    @property
    def sides(self) -> int:
        return parse_rules(self.rules).sides

    @property
    def score(self) -> Score:
        """The points of each side."""
        return (self.score_0, self.score_1, self.score_2)[: self.sides]

    @score.setter
    def score(self, points: Score) -> None:
        self.score_0, self.score_1, self.score_2 = (*points, 0, 0, 0)[:3]

    @property
    def running(self) -> bool:
        return self.phase in Table.RUNNING

    def deal(self) -> DealState | None:
        """The running deal, or the one just finished; None before the first."""
        return deal_state(self.rules, self.dealer, self.deck, self.actions) if self.deck else None


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """What everybody at the table may know of a seat. ``rating`` in shown points."""

    pk: int
    index: int
    player_id: int | None
    name: str
    rating: int | None
    give_or_take: int | None
    bot_level: str
    keeper: bool
    left: bool
    lost_at: datetime | None
    missed: int
    ask_alone: bool
    held: bool = True
    """He is there; at a reserved table that waits, not yet if not."""
    program: bool = False
    """A program plays it, with its owner's token."""
    missed_all: int = 0
    """Moves of this game that the clock played; ``missed``: in a row."""
    kept_since: datetime | None = None
    """A bot keeps the seat for its owner since then."""
    guest: bool = False
    """He plays by a name alone."""
    kept: bool = False
    """Kept for a partner who was asked, and has not come."""

    @property
    def is_bot(self) -> bool:
        return bool(self.bot_level)

    @property
    def played_by_bot(self) -> bool:
        return bool(self.bot_level) or self.keeper

    @property
    def person(self) -> bool:
        return self.player_id is not None and not self.bot_level

    @property
    def awaited(self) -> bool:
        """Of a table that waits: nobody sits here, or the one it is kept for has not come."""
        return self.player_id is None or (self.person and not self.held)


@dataclass(frozen=True, slots=True)
class DealLine:
    """A finished deal in the score chart: its points and the score after it, by side."""

    number: int
    points: Score
    score: Score


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A seat's result: shown rating before and after, None where nothing was rated."""

    seat: int
    before: int | None
    after: int | None
    give_or_take_before: int | None
    give_or_take_after: int | None
    left: bool


@dataclass(frozen=True, slots=True)
class GameOver:
    winner: int
    """The side that won."""
    deals: tuple[DealLine, ...]
    ratings: tuple[RatingLine, ...]
    by_leave: bool = False
    """The other side had left, and the win was taken."""


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """Everything about a table at one revision. ``deal`` holds hidden cards: it goes to
    :func:`games.engine.view` and nowhere else, least of all into a template."""

    id: int
    title: str
    revision: int
    version: int
    phase: str
    ranked: bool
    pace: int
    rules_text: str
    rules: Rules
    quick: bool
    host_id: int | None
    seats: tuple[SeatInfo, ...]
    ready: int
    game_id: int | None
    deal_number: int
    score: Score
    deal: DealState | None
    turn: int | None
    due_at: datetime | None
    fill_at: datetime | None
    over: GameOver | None
    made_at: datetime
    match: Match | None = None
    """Of the games at this table, where laps or slam count."""
    commitment: str = ""
    reserved: bool = False
    back: str = ""
    bots: str = ""
    """The level of those that may come; "" any, "none" people only."""
    private: bool = False
    code: str = ""
    """Of the link to a private table."""
    watchable: bool = True
    patient: bool = False
    hints: bool = False
    win_offered: int | None = None
    """The side that may take the win, for its opponents have left (``services.offers``)."""
    answers: int = 0
    """To that offer, a bit per seat: takes it; four bits on: plays on."""

    def admits(self, player_id: int | None, code: str = "") -> bool:
        """Whether somebody may look at this table, by page or socket: whoever has a seat; else, of a
        private one, who brings the ``code`` of its link; and where nobody may watch, only while there
        is a seat to take."""
        if self.place_of(player_id) is not None:
            return True
        if self.private and (not self.code or code != self.code):
            return False
        free = self.phase == Table.Phase.OPEN and any(seat.player_id is None for seat in self.seats)
        return self.watchable or free

    def place_of(self, player_id: int | None) -> int | None:
        """The seat of a player, None for watchers."""
        if player_id is None:
            return None
        return next((seat.index for seat in self.seats if seat.player_id == player_id), None)


@lru_cache(maxsize=8192)
def deal_state(rules: str, dealer: int, deck: str, actions: str) -> DealState:
    """The deal rebuilt from its record. States are immutable, so that the state before the
    last action is usually here already and a move costs one ``apply``."""
    head, _, last = actions.rpartition(" ")
    if not last:
        return start_deal(parse_rules(rules), dealer, parse_deck(deck))
    return apply(deal_state(rules, dealer, deck, head), parse_action(last))


def _aware(value: Any) -> datetime | None:
    if isinstance(value, str):  # SQLite, read past the ORM
        value = datetime.fromisoformat(value)
    return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM {Table._meta.db_table} WHERE id = %s"  # noqa: S608  names of columns, ours alone


def read_row(table_id: int, *, lock: bool = False) -> LiveRow | None:
    """The table's row; with ``lock`` held until the transaction ends (SQLite transactions
    here are IMMEDIATE, so they hold it already)."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT + (" FOR UPDATE" if lock and connection.vendor == "postgresql" else ""), (table_id,))
        values = cursor.fetchone()
    if values is None:
        return None
    row = LiveRow(*values)
    row.due_at, row.fill_at = _aware(row.due_at), _aware(row.fill_at)
    row.ranked, row.quick, row.reserved = bool(row.ranked), bool(row.quick), bool(row.reserved)
    row.private, row.watchable, row.patient = bool(row.private), bool(row.watchable), bool(row.patient)
    row.hints = bool(row.hints)
    row.maker_alone = None if row.maker_alone is None else bool(row.maker_alone)
    return row


_OF_A_SEAT = (
    "pk", "index", "player", "player__name", "player__guest", "player__bot_level", "player__rating__mu",
    "player__rating__sigma", "bot_since", "left_at", "lost_at", "missed", "missed_all", "ask_alone", "held", "program",
    "kept_until",
)  # fmt: skip


def read_seats(table_id: int) -> tuple[SeatInfo, ...]:
    """The seats of a table as they are now: two, three or four. One query."""
    seats = Seat.objects.filter(table_id=table_id).order_by("index").values_list(*_OF_A_SEAT, named=True)
    return tuple([_seat_info(seat) for seat in seats])


def _seat_info(seat: Any) -> SeatInfo:
    if seat.player is None:
        return SeatInfo(seat.pk, seat.index, None, "", None, None, "", False, False, None, 0, False)
    rated = seat.player__rating__mu is not None
    return SeatInfo(
        pk=seat.pk,
        index=seat.index,
        player_id=seat.player,
        name=seat.player__name,
        rating=ratings.shown(seat.player__rating__mu) if rated else None,
        give_or_take=ratings.give_or_take(seat.player__rating__sigma) if rated else None,
        bot_level=seat.player__bot_level,
        keeper=seat.bot_since is not None,
        left=seat.left_at is not None,
        lost_at=seat.lost_at,
        missed=seat.missed,
        ask_alone=seat.ask_alone,
        held=seat.held,
        program=seat.program,
        missed_all=seat.missed_all,
        kept_since=seat.bot_since,
        guest=seat.player__guest,
        kept=seat.kept_until is not None,
    )


@lru_cache(maxsize=4096)
def _seats_at(table_id: int, roster: int) -> tuple[SeatInfo, ...]:
    return read_seats(table_id)


def seats_of(row: LiveRow) -> tuple[SeatInfo, ...]:
    """The seats that belong to a row as it was read (not to one changed since)."""
    return _seats_at(row.id, row.roster)


def snapshot_of(row: LiveRow) -> TableSnapshot:
    """A snapshot of a committed row: no query when its seats are cached."""
    return TableSnapshot(
        id=row.id,
        title=row.title,
        revision=row.revision,
        version=row.version,
        phase=row.phase,
        ranked=row.ranked,
        pace=row.pace,
        rules_text=row.rules,
        rules=parse_rules(row.rules),
        quick=row.quick,
        host_id=row.host_id,
        seats=seats_of(row),
        ready=row.ready,
        game_id=row.game_id,
        deal_number=row.deal_number,
        score=row.score,
        match=parse_match(row.match) if row.match else None,
        deal=row.deal(),
        turn=row.turn,
        due_at=row.due_at,
        fill_at=row.fill_at,
        over=game_over(row.game_id) if row.phase in (Table.Phase.OVER, Table.Phase.CLOSED) and row.game_id else None,
        made_at=timezone.now(),
        commitment=row.commitment,
        reserved=row.reserved,
        back=row.back,
        bots=row.bots,
        private=row.private,
        code=row.code,
        watchable=row.watchable,
        patient=row.patient,
        hints=row.hints,
        win_offered=row.win_offered,
        answers=row.answers,
    )


def load_table(table_id: int) -> TableSnapshot | None:
    """The table now, or None where there is none, or one without seats, as those of an older demo are."""
    row = read_row(table_id)
    return snapshot_of(row) if row and seats_of(row) else None


def find_private(code: str) -> int | None:
    """The private table that a link leads to. One query."""
    return Table.objects.filter(code=code, private=True).values_list("pk", flat=True).first() if code else None


_OF_A_PART = (
    "seat", "won", "left", "game__rules", "game__start", "game__won_by_leave", "rating_change__voided",
    "rating_change__mu_before", "rating_change__mu_after", "rating_change__sigma_before", "rating_change__sigma_after",
)  # fmt: skip


def game_over(game_id: int) -> GameOver | None:
    """The result of a finished game. Two queries."""
    parts = list(Participation.objects.filter(game=game_id).order_by("seat").values_list(*_OF_A_PART, named=True))
    if not parts or parts[0].won is None:
        return None
    sides = parse_rules(parts[0].game__rules).sides
    lines, score = [], parse_score(parts[0].game__start) or (0,) * sides
    columns = ("number", "points_0", "points_1", "points_2")
    for number, *all_points in Deal.objects.filter(game=game_id).values_list(*columns):
        points = tuple(all_points[:sides])
        score = add_points(score, points)
        lines.append(DealLine(number, points, score))
    return GameOver(
        winner=next(part.seat for part in parts if part.won) % sides,
        deals=tuple(lines),
        ratings=tuple([_rating_line(part) for part in parts]),
        by_leave=parts[0].game__won_by_leave,
    )


def _rating_line(part: Any) -> RatingLine:
    if part.rating_change__voided is not False:
        return RatingLine(part.seat, None, None, None, None, part.left)
    return RatingLine(
        part.seat,
        ratings.shown(part.rating_change__mu_before),
        ratings.shown(part.rating_change__mu_after),
        ratings.give_or_take(part.rating_change__sigma_before),
        ratings.give_or_take(part.rating_change__sigma_after),
        part.left,
    )


def awaited(table_ids: Iterable[int]) -> dict[int, tuple[int | None, ...]]:
    """Of reserved tables that still wait: the players who have not come, None for an account that
    is gone. One query."""
    found: dict[int, list[int | None]] = {}
    waiting = Seat.objects.filter(table__in=list(table_ids), table__phase=Table.Phase.OPEN)
    for table_id, player_id, held, bot_level in waiting.order_by("table", "index").values_list(
        "table_id", "player_id", "held", "player__bot_level"
    ):
        missing = found.setdefault(table_id, [])
        if not held and not bot_level:
            missing.append(player_id)
    return {table_id: tuple(missing) for table_id, missing in found.items()}


def newer_than(known: dict[int, int]) -> list[int]:
    """Of tables with the revision a process has shown, those that have moved on. One query."""
    rows = Table.objects.filter(pk__in=known).values_list("pk", "revision")
    return [pk for pk, revision in rows if revision > known[pk]]
