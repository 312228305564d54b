"""What somebody did in ranked games that count: by place at the table, by call, by partner.

Two queries, whatever the number of games; the database does the counting.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Case, Count, F, Q, Sum, When
from django.db.models.functions import Mod

from games.models import Deal, Participation, Player
from games.selectors.shares import percent
from games.selectors.standings import Period, period_start, standing_games

MOST_PARTNERS = 30

Call = Literal["up", "named", "alone", "partner", "defended", "passed"]
"""What became of a deal for a seat: it ordered up (or took up), named a suit in the second round, called
and went alone; its partner called; the others did; nobody did."""

CALLS: tuple[Call, ...] = ("up", "named", "alone", "partner", "defended", "passed")

OWN = CALLS[:3]
"""The calls of the seat itself."""

PLACES = (1, 2, 3, 0)
"""Seats left of the dealer, in the order of the bidding: eldest, dealer's partner, third, dealer."""


@dataclass(frozen=True, slots=True)
class Line:
    """Some deals: how many, in how many of them the makers took three tricks, and the points of both sides."""

    deals: int = 0
    made: int = 0
    ours: int = 0
    theirs: int = 0

    def __add__(self, other: Line) -> Line:
        return Line(
            self.deals + other.deals, self.made + other.made, self.ours + other.ours, self.theirs + other.theirs
        )

    @property
    def set_back(self) -> int:
        """Deals in which the makers were euchred."""
        return self.deals - self.made

    @property
    def made_percent(self) -> int | None:
        return percent(self.made, self.deals)

    @property
    def balance(self) -> float:
        """Points a deal, of one's own side less the other's."""
        return (self.ours - self.theirs) / self.deals if self.deals else 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """What was done at one place: all deals there, and the seat's own calls."""

    place: int
    all: Line
    calls: Line


@dataclass(frozen=True, slots=True)
class Partner:
    player_id: int
    name: str
    bot_level: str
    games: int
    won: int

    @property
    def won_percent(self) -> int | None:
        return percent(self.won, self.games)


@dataclass(frozen=True, slots=True)
class Statistics:
    """``calls`` by kind: the seat's own three first."""

    deals: int
    places: tuple[Place, ...]
    calls: tuple[tuple[Call, Line], ...]
    partners: tuple[Partner, ...]


def read_statistics(player: Player, period: Period, people_only: bool, now: datetime) -> Statistics:
    """Of finished ranked games that were not taken back."""
    since = period_start(period, now)
    found = _lines(player, since, people_only)
    return Statistics(
        deals=sum(line.deals for line in found.values()),
        places=tuple(
            Place(
                place,
                _sum(line for (at, _call), line in found.items() if at == place),
                _sum(line for (at, call), line in found.items() if at == place and call in OWN),
            )
            for place in PLACES
        ),
        calls=tuple((call, _sum(line for (_at, kind), line in found.items() if kind == call)) for call in CALLS),
        partners=tuple(_partners(player, since, people_only)),
    )


def _lines(player: Player, since: datetime, people_only: bool) -> dict[tuple[int, Call], Line]:
    """By place and call. One query: the database adds up the deals that are alike, what they are called
    is found out here."""
    rows = (
        Deal.objects.filter(
            standing_games(people_only),
            game__participations__player=player,
            game__participations__finished_at__gte=since,
        )
        .order_by()
        .annotate(up=Case(When(actions__contains="order_up", then=True), default=False))
        .values_list("game__participations__seat", "dealer", "maker", "loners", "up")
        .annotate(
            Count("pk"),
            even=Count("pk", filter=Q(tricks_0__gte=3)),
            odd=Count("pk", filter=Q(tricks_1__gte=3)),
            one=Sum("points_0"),
            other=Sum("points_1"),
        )
    )
    found: dict[tuple[int, Call], Line] = {}
    for seat, dealer, maker, loners, up, *counted in rows:
        deals, *by_side = counted
        made, points = by_side[:2], by_side[2:]
        side = seat % 2
        line = Line(deals, made[maker % 2] if maker is not None else 0, points[side], points[1 - side])
        key = ((seat - dealer) % 4, _call(seat, maker, loners, up))
        found[key] = found.get(key, Line()) + line
    return found


def _call(seat: int, maker: int | None, loners: int, up: bool) -> Call:
    if maker is None:
        return "passed"
    if maker != seat:
        return "partner" if maker == (seat + 2) % 4 else "defended"
    if loners >> seat & 1:
        return "alone"
    return "up" if up else "named"


def _sum(lines: Iterable[Line]) -> Line:
    return sum(lines, Line())


def _partners(player: Player, since: datetime, people_only: bool) -> Iterable[Partner]:
    """Everybody who played on the same side, most games first; who is gone is left out. One query."""
    together = (
        Participation.objects.filter(
            standing_games(people_only),
            game__participations__player=player,
            game__participations__seat=Mod(F("seat") + 2, 4),
            game__participations__finished_at__gte=since,
            player__is_active=True,
        )
        .order_by()
        .values_list("player_id", "player__name", "player__bot_level")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(won=True)))
        .order_by("-games", "-wins", "player__name_key")[:MOST_PARTNERS]
    )
    return [Partner(*partner) for partner in together]
