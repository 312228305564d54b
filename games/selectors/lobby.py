"""What the lobby shows: who is here, the tables that wait, the table worth watching, one's week.

A constant number of queries, whatever the number of tables. Nothing in here holds a hidden
card: the top table is seen as a spectator sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.db.models import Avg, Count, F, OuterRef, Q, Subquery

from games import engine, ratings
from games.engine import Rules, SeatView
from games.models import Participation, Player, Rating, RatingChange, Seat, Table
from games.selectors import tables
from games.selectors.tables import SeatInfo

AWAY = timedelta(seconds=60)
"""Who holds a seat at a waiting table and was not seen for this long has gone."""

IN_LOBBY = timedelta(seconds=30)
"""Who looked at the lobby this recently still stands in it (its page asks every few seconds)."""

SHOWN_TABLES = 30
WEEK = timedelta(days=7)
LAST_GAMES = 10


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that waits for players, with all that a player wants to know before he sits."""

    id: int
    title: str
    ranked: bool
    pace: int
    rules: Rules
    sitters: tuple[Player | None, ...]
    bots_come: bool
    bots: str = ""
    private: bool = False
    watchable: bool = True
    patient: bool = False
    hints: bool = False

    @property
    def sides(self) -> tuple[tuple[Player | None, ...], ...]:
        """Who plays together: of four 0 and 2, 1 and 3 (R14); of two or three nobody."""
        return tuple(self.sitters[side :: self.rules.sides] for side in range(self.rules.sides))


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of the top table as it is drawn; ``card`` is what it has played to the trick."""

    side: Literal["n", "w", "e", "s"]
    seat: SeatInfo
    card: str | None
    is_turn: bool


DRAWN: dict[int, tuple[tuple[Literal["n", "w", "e", "s"], int], ...]] = {
    2: (("n", 1), ("s", 0)),
    3: (("w", 1), ("e", 2), ("s", 0)),
    4: (("n", 2), ("w", 1), ("e", 3), ("s", 0)),
}
"""Where the seats of two, three and four players are drawn."""


@dataclass(frozen=True, slots=True)
class Side:
    """Two partners, or a player without one, and their points."""

    names: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class TopTable:
    """A running game as any spectator sees it. ``view`` holds public cards only."""

    id: int
    title: str
    ranked: bool
    seats: tuple[SeatInfo, ...]
    view: SeatView
    between: bool

    @property
    def places(self) -> tuple[Place, ...]:
        """The seats in reading order; seat 0 is at the bottom, the others follow clockwise."""
        played = dict(self.view.trick)
        return tuple(
            Place(side, self.seats[index], played.get(index), self.view.turn == index)
            for side, index in DRAWN[len(self.seats)]
        )

    @property
    def sides(self) -> tuple[Side, ...]:
        names = tuple(seat.name for seat in self.seats)
        count = len(self.view.score)
        return tuple(Side(names[side::count], points) for side, points in enumerate(self.view.score))

    @property
    def maker_name(self) -> str:
        return self.seats[self.view.maker].name if self.view.maker is not None else ""

    @property
    def in_the_barn(self) -> bool:
        """Whether a side is one point from the game."""
        rules = self.view.rules
        return not rules.num_deals and max(self.view.score) == rules.target_score - 1


@dataclass(frozen=True, slots=True)
class Resume:
    """The table a player belongs to. ``state``: what he has to know about it."""

    table_id: int
    title: str
    ranked: bool
    state: Literal["waiting", "kept", "turn", "playing", "bot", "left"]
    held: bool = True
    """He cannot take another seat."""
    asker: str = ""
    """Who wants him as his partner and keeps the seat opposite for him."""


@dataclass(frozen=True, slots=True)
class Week:
    """A player's last seven days; ``form`` is his last games, oldest first, as W and L."""

    rating: int | None
    give_or_take: int | None
    change: int
    games: int
    form: str

    @property
    def loss(self) -> int:
        """The change without its sign, for a real minus in front of it."""
        return -self.change


@dataclass(frozen=True, slots=True)
class Lobby:
    """``fill_after``: seconds after which bots take the seats still empty; ``company``: whether
    anybody is there to wait for, so that they do not come at once."""

    resume: Resume | None
    open_tables: tuple[OpenTable, ...]
    more_tables: int
    top: TopTable | None
    people: int
    company: bool
    fill_after: int

    @property
    def seated(self) -> bool:
        """Whether the player holds a seat, so that he cannot take another."""
        return self.resume is not None and self.resume.held


def read_lobby(player_id: int | None, now: datetime) -> Lobby:
    """The lobby for one visitor. Nine queries at most."""
    open_tables, more = _open_tables()
    return Lobby(
        resume=read_resume(player_id) if player_id is not None else None,
        open_tables=open_tables,
        more_tables=more,
        top=_top_table(),
        people=people_here(now),
        company=company_about(now, besides=[player_id]),
        fill_after=int(settings.EUCHRE_FILL_AFTER),
    )


def held_table(player_id: int) -> int | None:
    """The table at which the player holds a seat, waiting or playing."""
    return Seat.objects.filter(player_id=player_id, held=True).values_list("table_id", flat=True).first()


def company_about(now: datetime, *, besides: Iterable[int | None]) -> bool:
    """Whether anybody else waits at a table, or stands in the lobby without a seat."""
    known = [pk for pk in besides if pk is not None]
    waiting = Seat.objects.filter(
        held=True, table__phase=Table.Phase.OPEN, table__reserved=False, seen_at__gte=now - AWAY
    )
    standing = Player.objects.filter(seen_at__gte=now - IN_LOBBY).exclude(seats__held=True)
    return waiting.exclude(player__in=known).exists() or standing.exclude(pk__in=known).exists()


def people_here(now: datetime) -> int:
    """People at the tables or in the lobby now. Lost connections do not count, nor do bots."""
    at_table = Seat.objects.filter(held=True, lost_at__isnull=True, bot_since__isnull=True, seen_at__gte=now - AWAY)
    in_lobby = Player.objects.filter(seen_at__gte=now - IN_LOBBY)
    return at_table.order_by().values("player").union(in_lobby.order_by().values("pk")).count()


def _open_tables() -> tuple[tuple[OpenTable, ...], int]:
    waiting = Table.objects.filter(phase=Table.Phase.OPEN, reserved=False, private=False)
    found = list(waiting.annotate(taken=Count("seats__player")).order_by("-taken", "-pk")[: SHOWN_TABLES + 1])
    more = waiting.count() - SHOWN_TABLES if len(found) > SHOWN_TABLES else 0
    rules = {table.pk: engine.parse_rules(table.rules) for table in found[:SHOWN_TABLES]}
    sitters: dict[int, list[Player | None]] = {pk: [None] * played.players for pk, played in rules.items()}
    for seat in Seat.objects.filter(table__in=sitters, player__isnull=False).select_related("player"):
        sitters[seat.table_id][seat.index] = seat.player
    shown = tuple(
        OpenTable(
            id=table.pk,
            title=table.title,
            ranked=table.ranked,
            pace=table.pace,
            rules=rules[table.pk],
            sitters=tuple(sitters[table.pk]),
            bots_come=table.fill_at is not None,
            bots=table.bots,
            watchable=table.watchable,
            patient=table.patient,
            hints=table.hints,
        )
        for table in found[:SHOWN_TABLES]
    )
    return shown, more


def _top_table() -> TopTable | None:
    """Of the games with the most people that may be watched, the one with the best players."""
    best = (
        Table.objects.filter(phase__in=Table.RUNNING, private=False, watchable=True)
        .annotate(
            people=Count("seats", filter=Q(seats__player__bot_level="", seats__bot_since__isnull=True)),
            strength=Avg("seats__player__rating__mu"),
        )
        .order_by("-people", "-strength", "pk")
        .values_list("pk", flat=True)
        .first()
    )
    snapshot = tables.load_table(best) if best is not None else None
    if snapshot is None or snapshot.deal is None:
        return None
    return TopTable(
        id=snapshot.id,
        title=snapshot.title,
        ranked=snapshot.ranked,
        seats=snapshot.seats,
        view=engine.view(snapshot.deal, None, snapshot.score),
        between=snapshot.phase == Table.Phase.BETWEEN,
    )


def read_resume(player_id: int) -> Resume | None:
    """The seat he holds; failing that, one that is kept for him, by a friend too, or one he left in a game
    that still runs and can have back. One query."""
    opposite = Seat.objects.filter(table=OuterRef("table"), index=(OuterRef("index") + 2) % 4)
    seat = (
        Seat.objects.filter(player_id=player_id)
        .filter(
            Q(held=True)
            | Q(table__phase__in=Table.RUNNING)
            | Q(table__phase=Table.Phase.OPEN, table__reserved=True)
            | Q(table__phase=Table.Phase.OPEN, kept_until__isnull=False)
        )
        .annotate(asker=Subquery(opposite.values("player__name")[:1]))
        .select_related("table")
        .order_by("-held", F("left_at").desc(nulls_first=True), "-pk")
        .first()
    )
    if seat is None:
        return None
    state: Literal["waiting", "kept", "turn", "playing", "bot", "left"] = "playing"
    if not seat.held and seat.table.phase == Table.Phase.OPEN:
        state = "kept"
    elif seat.left_at is not None:
        state = "left"
    elif seat.table.phase == Table.Phase.OPEN:
        state = "waiting"
    elif seat.bot_since is not None:
        state = "bot"
    elif seat.table.turn == seat.index:
        state = "turn"
    asker = (seat.asker or "") if state == "kept" and seat.kept_until else ""
    return Resume(seat.table_id, seat.table.title, seat.table.ranked, state, seat.held, asker)


def read_week(player_id: int, now: datetime) -> Week:
    """A player's last seven days. Four queries."""
    rating = Rating.objects.filter(player_id=player_id).first()
    finished = Participation.objects.filter(player_id=player_id, finished_at__isnull=False, won__isnull=False)
    form = finished.order_by("-finished_at").values_list("won", flat=True)[:LAST_GAMES]
    before = (
        RatingChange.objects.filter(player_id=player_id, at__gte=now - WEEK, voided=False)
        .order_by("at")
        .values_list("mu_before", flat=True)
        .first()
    )
    return Week(
        rating=ratings.shown(rating.mu) if rating else None,
        give_or_take=ratings.give_or_take(rating.sigma) if rating else None,
        change=ratings.shown(rating.mu) - ratings.shown(before) if rating and before is not None else 0,
        games=finished.filter(finished_at__gte=now - WEEK).count(),
        form="".join("W" if won else "L" for won in form)[::-1],
    )
