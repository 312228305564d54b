"""What somebody did in ranked games that count: by place at the table, by call, by partner.

Two queries, whatever the number of games; the database does the counting.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Case, Count, F, Q, Sum, Value, When
from django.db.models.functions import Mod

from games.models import Deal, Participation, Player
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
        return round(100 * self.made / self.deals) if self.deals else None

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
    def won_percent(self) -> int:
        return round(100 * self.won / self.games)


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


def _lines(player: Player, since: datetime, people_only: bool) -> dict[tuple[int, str], Line]:
    """By place and call. One query."""
    call = Case(
        When(maker=None, then=Value("passed")),
        *(
            When(
                seat=seat, maker=seat, loners__in=[bits for bits in range(16) if bits >> seat & 1], then=Value("alone")
            )
            for seat in range(4)
        ),
        When(maker=F("seat"), actions__contains="order_up", then=Value("up")),
        When(maker=F("seat"), then=Value("named")),
        When(maker=Mod(F("seat") + 2, 4), then=Value("partner")),
        default=Value("defended"),
    )
    made = Q(maker__in=(0, 2), tricks_0__gte=3) | Q(maker__in=(1, 3), tricks_1__gte=3)
    rows = (
        Deal.objects.filter(
            standing_games(people_only),
            game__participations__player=player,
            game__participations__finished_at__gte=since,
        )
        .order_by()
        .annotate(seat=F("game__participations__seat"))
        .annotate(place=Mod(F("seat") + 4 - F("dealer"), 4), call=call)
        .values_list("place", "call")
        .annotate(
            number=Count("pk"),
            made=Count("pk", filter=made),
            ours=Sum(Case(When(seat__in=(0, 2), then=F("points_0")), default=F("points_1"))),
            theirs=Sum(Case(When(seat__in=(0, 2), then=F("points_1")), default=F("points_0"))),
        )
    )
    return {(place, kind): Line(*numbers) for place, kind, *numbers in rows}


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
