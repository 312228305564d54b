"""The standings: everybody with a ranked game in a period, by rating less one deviation.

Two flat queries load the results and the ratings, pure code ranks them, and two more fetch the
last games of the rows on the page: four queries, whatever the number of players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Literal, NamedTuple

from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from games import ratings
from games.models import Game, Participation, Player, Rating
from games.names import name_key
from games.selectors.paging import page_of
from games.selectors.shares import percent

Pool = Literal["everyone", "bots"]
Period = Literal["season", "90days", "30days", "all"]

PAGE_SIZE = 50
FORM_LENGTH = 10
PROVISIONAL_GAMES = 10
"""Whoever has fewer in the period is listed after the rest, without a rank. Bots never have one."""

_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""Before any game: asking for games since then lets one index serve every period."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which standings. ``minimum``: ranked games in the period; ``people_only`` leaves out the
    games with bots, and so the bots; ``search``: part of a name."""

    pool: Pool = "everyone"
    period: Period = "season"
    minimum: int = 1
    people_only: bool = False
    search: str = ""


class Row(NamedTuple):
    """A player's line. ``rank`` counts people only and is None for bots and for those listed after
    the rest; ``calls`` are the player's own, ``euchred`` those of them that failed."""

    player_id: int
    name: str
    name_key: str
    bot_level: str
    mu: float
    sigma: float
    games: int = 0
    won: int = 0
    calls: int = 0
    euchred: int = 0
    rank: int | None = None

    @property
    def group(self) -> Literal["ranked", "new", "bots"]:
        """People with a rank, people without one yet, bots: in this order they are listed."""
        return "bots" if self.bot_level else "new" if self.rank is None else "ranked"

    @property
    def rating(self) -> int:
        return ratings.shown(self.mu)

    @property
    def give_or_take(self) -> int:
        return ratings.give_or_take(self.sigma)

    @property
    def won_percent(self) -> int | None:
        return percent(self.won, self.games)

    @property
    def euchred_percent(self) -> int | None:
        return percent(self.euchred, self.calls)


@dataclass(frozen=True, slots=True)
class Ranking:
    """All rows of some standings in their order; ``own`` is the viewer's, which may be missing
    from ``rows`` or without any game. ``ranked`` counts the rows with a rank, before the search."""

    rows: Sequence[Row]
    ranked: int
    own: Row | None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a ranking. ``own_stands``: where the viewer's row is to be shown."""

    rows: Sequence[Row]
    number: int
    pages: int
    first: int
    total: int
    own: Row | None
    own_stands: Literal["", "here", "above", "below"]
    own_page: int | None
    """The page that holds the viewer's row, if one does."""
    forms: dict[int, str] = field(default_factory=dict)
    """By player: his last ranked games of any period, oldest first, as W and L."""

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def period_start(period: Period, now: datetime) -> datetime:
    """When a period began. A season is a quarter of the year, in the site's time zone."""
    if period == "all":
        return _BEGINNING
    if period == "season":
        today = timezone.localtime(now)
        month = today.month - (today.month - 1) % 3
        return today.replace(month=month, day=1, hour=0, minute=0, second=0, microsecond=0)
    return now - timedelta(days=30 if period == "30days" else 90)


def standing_games(people_only: bool = False) -> Q:
    """What counts: ranked games played to the end whose ratings stand, of Participation."""
    counts = Q(game__status=Game.Status.FINISHED, game__ranked=True, game__voided_at__isnull=True)
    return counts & Q(game__with_bots=False) if people_only else counts


def read_ranking(filters: Filters, viewer_id: int | None, now: datetime) -> Ranking:
    """The whole ranking. Two queries."""
    tallies = _tallies(filters, now)
    rated = Rating.objects.filter(player__is_active=True).values_list(
        "player_id", "player__name", "player__name_key", "player__bot_level", "mu", "sigma"
    )
    played: list[Row] = []
    own: Row | None = None
    for player_id, name, key, bot_level, mu, sigma in rated:
        row = Row(player_id, name, key, bot_level, mu, sigma, *tallies.get(player_id, (0, 0, 0, 0)))
        if row.games >= filters.minimum and (filters.pool == "everyone" or bot_level):
            played.append(row)
        elif player_id == viewer_id:
            own = row
    rows = rank(played)
    ranked = sum(row.rank is not None for row in rows)
    own = next((row for row in rows if row.player_id == viewer_id), own)
    return Ranking([row for row in rows if _is_called(row, filters.search)], ranked, own)


def rank(rows: Iterable[Row]) -> list[Row]:
    """Rows in order: people with a rank, people with too few games for one, bots; each of the three
    by rating less one deviation. Pure."""
    settled: list[Row] = []
    provisional: list[Row] = []
    bots: list[Row] = []
    for row in sorted(rows, key=lambda row: (row.sigma - row.mu, -row.games, row.name_key)):
        (bots if row.bot_level else provisional if row.games < PROVISIONAL_GAMES else settled).append(row)
    ranks = count(1)
    return [row._replace(rank=next(ranks)) for row in settled] + provisional + bots


def read_page(ranking: Ranking, number: int, people_only: bool = False) -> Page:
    """Page ``number`` of a ranking, or the nearest there is, with everybody's last games, if asked
    for those without bots. Two queries."""
    total = len(ranking.rows)
    number, pages, part = page_of(total, number, PAGE_SIZE)
    rows = ranking.rows[part]
    own, place = ranking.own, None
    if own is not None:
        place = next((at for at, row in enumerate(ranking.rows) if row.player_id == own.player_id), None)
    stands: Literal["", "here", "above", "below"] = ""
    if own is not None:
        stands = "below"
        if place is not None and place < part.stop:
            stands = "here" if place >= part.start else "above"
    shown = {row.player_id for row in rows} | ({own.player_id} if own else set())
    return Page(
        rows=rows,
        number=number,
        pages=pages,
        first=part.start + 1 if rows else 0,
        total=total,
        own=own,
        own_stands=stands,
        own_page=place // PAGE_SIZE + 1 if place is not None else None,
        forms=_forms(shown, people_only),
    )


def _tallies(filters: Filters, now: datetime) -> dict[int, tuple[int, int, int, int]]:
    """By player: games, games won, calls, calls euchred, in the period."""
    # By the game's date, not the participation's: with it the database begins at the games of the
    # period, which took a fifth of the time with 10,000 players and 100,000 games.
    found = (
        Participation.objects.filter(
            standing_games(filters.people_only),
            game__finished_at__gte=period_start(filters.period, now),
            player__isnull=False,
        )
        .order_by()
        .values_list("player_id")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(won=True)), called=Sum("calls"), failed=Sum("euchred"))
    )
    return {player_id: (games, wins, called, failed) for player_id, games, wins, called, failed in found}


def _is_called(row: Row, search: str) -> bool:
    return not search or search.casefold() in row.name.casefold() or name_key(search) == row.name_key


def _forms(player_ids: set[int], people_only: bool) -> dict[int, str]:
    """The last results of some players.

    The first query finds where each one's last ten games begin, by an index and ten steps: a
    bot's tens of thousands of games are never read.
    """
    counted = standing_games(people_only)
    latest = Participation.objects.filter(counted, player=OuterRef("pk")).order_by("-finished_at")
    since = (
        Player.objects.filter(pk__in=player_ids)
        .annotate(since=Subquery(latest.values("finished_at")[FORM_LENGTH - 1 : FORM_LENGTH]))
        .values_list("pk", "since")
    )
    recent = Q(pk__in=())
    for player_id, begins in since:
        recent |= Q(player=player_id, finished_at__gte=begins or _BEGINNING)
    results = Participation.objects.filter(counted, recent).order_by("-finished_at", "-pk").values_list("player", "won")
    forms: dict[int, str] = defaultdict(str)
    for player_id, won in results:
        if len(forms[player_id]) < FORM_LENGTH:
            forms[player_id] = ("W" if won else "L") + forms[player_id]
    return dict(forms)
