"""A player's page: the rating and how it moved, the record of a period, games, partners.

A constant number of queries, whatever the number of games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Mod

from games import ratings
from games.engine import parse_rules
from games.models import Game, Participation, Player, Rating, RatingChange
from games.names import name_key
from games.selectors.games import open_to
from games.selectors.paging import page_of
from games.selectors.shares import percent
from games.selectors.standings import Filters, Period, Row, period_start, read_ranking, standing_games

PAGE_SIZE = 20
BEST_PARTNERS = 5
CHART_POINTS = 150
"""More than a chart shows apart: longer histories are thinned out."""
TABLE_ROWS = 30


@dataclass(frozen=True, slots=True)
class Record:
    """What somebody did in some ranked games; the meanings are those of Participation's columns."""

    games: int = 0
    won: int = 0
    deals: int = 0
    calls: int = 0
    calls_made: int = 0
    euchred: int = 0
    euchres: int = 0
    marches: int = 0
    loners_tried: int = 0
    loners_made: int = 0

    @property
    def won_percent(self) -> int | None:
        return percent(self.won, self.games)

    @property
    def calls_made_percent(self) -> int | None:
        return percent(self.calls_made, self.calls)

    @property
    def loners_made_percent(self) -> int | None:
        return percent(self.loners_made, self.loners_tried)

    def __add__(self, other: Record) -> Record:
        return Record(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Moment:
    """The rating after a game, or before the first; in points."""

    at: datetime
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class History:
    """How the rating moved: ``moments`` in order, () without a rated game; ``games`` that did it."""

    moments: tuple[Moment, ...]
    games: int

    @property
    def table(self) -> tuple[Moment, ...]:
        """As many of them as one reads, newest first."""
        step = max(1, ceil(len(self.moments) / TABLE_ROWS))
        return self.moments[::-step]


@dataclass(frozen=True, slots=True)
class PastGame:
    """A finished game as one of its players sees it. A player who is gone is None."""

    id: int
    finished_at: datetime
    partner: Player | None
    partnered: bool
    """Of four; two or three play each for themselves."""
    opponents: tuple[Player | None, ...]
    won: bool
    ours: int
    theirs: tuple[int, ...]
    ranked: bool
    voided: bool
    left: bool
    by_leave: bool
    """The win was taken, for the other side had left."""
    change: int | None
    """Of the rating, in points; None where the game did not move it."""


@dataclass(frozen=True, slots=True)
class PastGames:
    """One page of somebody's games, newest first."""

    games: tuple[PastGame, ...]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class Partner:
    """Somebody with whom ranked games were played, and won."""

    player_id: int
    name: str
    bot_level: str
    games: int
    won: int

    @property
    def won_percent(self) -> int | None:
        return percent(self.won, self.games)


@dataclass(frozen=True, slots=True)
class Standing:
    """The rating now and the place in this season's standings. ``rank`` is None before there
    are enough games; ``of`` counts everybody with a rank."""

    rating: int
    give_or_take: int
    rank: int | None
    of: int
    games: int


def find_player(name: str) -> Player | None:
    """The player of that name in any spelling that counts as the same. One query."""
    if "\0" in name:  # PostgreSQL refuses to be asked for it
        return None
    return Player.objects.filter(name_key=name_key(name), is_active=True).select_related("rating").first()


def read_standing(player: Player, now: datetime) -> Standing | None:
    """None for somebody who has never sat down to a game. Two queries."""
    rating: Rating | None = getattr(player, "rating", None)
    if rating is None:
        return None
    ranking = read_ranking(Filters(), player.pk, now)
    row: Row | None = ranking.own
    return Standing(
        rating=ratings.shown(rating.mu),
        give_or_take=ratings.give_or_take(rating.sigma),
        rank=row.rank if row else None,
        of=ranking.ranked,
        games=row.games if row else 0,
    )


def read_history(player: Player, period: Period, now: datetime) -> History:
    """The rating over a period, thinned out to what a chart can show. One query."""
    changes = list(
        RatingChange.objects.filter(player=player, voided=False, at__gte=period_start(period, now))
        .order_by("at", "pk")
        .values_list("at", "mu_before", "sigma_before", "mu_after", "sigma_after")
    )
    if not changes:
        return History((), 0)
    at, mu, sigma, *_after = changes[0]
    step = ceil(len(changes) / CHART_POINTS)
    kept = changes[::-step][::-1]  # counted from the end: the last one is the rating now
    return History((Moment(at, mu, sigma), *(Moment(at, mu, sigma) for at, _m, _s, mu, sigma in kept)), len(changes))


def read_records(player: Player, period: Period, now: datetime) -> tuple[Record, Record]:
    """The record of ranked games among people, and of those with bots. One query."""
    found: Mapping[bool, Sequence[int]] = {
        with_bots: numbers
        for with_bots, *numbers in Participation.objects.filter(
            standing_games(), player=player, finished_at__gte=period_start(period, now)
        )
        .order_by()
        .values_list("game__with_bots")
        .annotate(
            Count("pk"),
            wins=Count("pk", filter=Q(won=True)),
            **{f"{name}_sum": Sum(name) for name in Record.__slots__[2:]},
        )
    }
    return Record(*found.get(False, ())), Record(*found.get(True, ()))


def read_games(player: Player, people_only: bool, number: int, viewer_id: int | None = None) -> PastGames:
    """Page ``number`` of the finished games, or the nearest there is, friendly ones and those
    that staff took back included, those of private tables only for who played there. Three queries."""
    finished = Participation.objects.filter(
        open_to(viewer_id, "game__"),
        player=player,
        game__status=Game.Status.FINISHED,
        **({"game__with_bots": False} if people_only else {}),
    )
    total = finished.count()
    number, pages, shown = page_of(total, number, PAGE_SIZE)
    seats = list(finished.select_related("game", "rating_change").order_by("-finished_at", "-pk")[shown])
    tables: dict[int, dict[int, Player | None]] = {}
    for other in Participation.objects.filter(game__in={seat.game_id for seat in seats}).select_related("player"):
        tables.setdefault(other.game_id, {})[other.seat] = other.player
    return PastGames(tuple(_past_game(seat, tables[seat.game_id]) for seat in seats), number, pages, total)


def read_partners(player: Player, period: Period, people_only: bool, now: datetime) -> list[Partner]:
    """The partners with whom the player won most, in ranked games. One query.

    By the share of wins, counted as if four more games had brought two wins: one lucky game
    does not make the best partner.
    """
    together = (
        Participation.objects.filter(
            standing_games(people_only),
            game__participations__player=player,
            game__participations__seat=Mod(F("seat") + 2, 4),
            game__participations__finished_at__gte=period_start(period, now),
            player__is_active=True,
        )
        .order_by()
        .values_list("player_id", "player__name", "player__bot_level")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(won=True)))
        .order_by((F("wins") + 2.0) / (F("games") + 4.0), "games")
        .reverse()[:BEST_PARTNERS]
    )
    return [Partner(*partner) for partner in together]


def _past_game(seat: Participation, table: Mapping[int, Player | None]) -> PastGame:
    game = seat.game
    players = len(table)
    sides = parse_rules(game.rules).sides
    after = range(seat.seat + 1, seat.seat + players)
    score = (game.score_0, game.score_1, game.score_2)
    change: RatingChange | None = getattr(seat, "rating_change", None)
    assert seat.finished_at is not None
    return PastGame(
        id=game.pk,
        finished_at=seat.finished_at,
        partner=table[(seat.seat + 2) % 4] if players == 4 else None,
        partnered=players == 4,
        opponents=tuple([table[other % players] for other in after if (other - seat.seat) % sides]),
        won=bool(seat.won),
        ours=score[seat.seat % sides],
        theirs=tuple([score[(seat.seat + offset) % sides] for offset in range(1, sides)]),
        ranked=game.ranked,
        voided=game.voided_at is not None,
        left=seat.left,
        by_leave=game.won_by_leave,
        change=ratings.shown(change.mu_after) - ratings.shown(change.mu_before) if change else None,
    )
