"""Analyses of deals that are over, and how well somebody called and played, against the field.

Nothing here may be asked about a game that is being played: it would tell of hidden cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.core.cache import cache
from django.db.models import F, Sum
from django.db.models.functions import TruncMonth

from games.bots import analysis
from games.bots.analysis import PostMortem
from games.models import Accuracy, Analysis, Game, Player
from games.selectors.games import StillPlayed
from games.selectors.standings import Period, period_start

PATIENCE: Final = 90
"""Seconds for which a worker that was asked is waited for."""


def asked_key(game_id: int) -> str:
    """Where the cache keeps that a worker has been asked."""
    return f"analysis-{game_id}"


def is_asked(game: Game) -> bool:
    """Whether a worker is at it, or was told to begin. One query."""
    return cache.get(asked_key(game.pk)) is not None


def read_analyses(game: Game) -> dict[int, PostMortem]:
    """What is known of the deals of a game, by number. StillPlayed if it is not over. One query."""
    if game.status == Game.Status.PLAYING:
        raise StillPlayed
    kept = Analysis.objects.filter(deal__game=game, version=analysis.VERSION)
    return {
        number: analysis.from_json(numbers)
        for number, numbers in kept.order_by("deal__number").values_list("deal__number", "numbers")
    }


def read_analysis(game: Game, number: int) -> PostMortem | None:
    """What is known of one deal. StillPlayed if the game is not over. One query."""
    if game.status == Game.Status.PLAYING:
        raise StillPlayed
    kept = Analysis.objects.filter(deal__game=game, deal__number=number, version=analysis.VERSION)
    numbers = kept.values_list("numbers", flat=True).first()
    return analysis.from_json(numbers) if numbers else None


@dataclass(frozen=True, slots=True)
class Share:
    """Decisions of one kind: all with a choice, those as good as the best, points that the others cost."""

    decisions: int = 0
    right: int = 0
    lost: float = 0.0

    @property
    def percent(self) -> int | None:
        return round(100 * self.right / self.decisions) if self.decisions else None

    @property
    def cost(self) -> float | None:
        """Points a decision."""
        return self.lost / self.decisions if self.decisions else None

    def __add__(self, other: Share) -> Share:
        return Share(self.decisions + other.decisions, self.right + other.right, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class Skill:
    calls: Share = field(default_factory=Share)
    leads: Share = field(default_factory=Share)
    cards: Share = field(default_factory=Share)

    def __add__(self, other: Skill) -> Skill:
        return Skill(self.calls + other.calls, self.leads + other.leads, self.cards + other.cards)


@dataclass(frozen=True, slots=True)
class Measured:
    """Somebody's analysed games of a period, month by month, and those of everybody (bots apart)."""

    own: Skill
    everybody: Skill
    months: tuple[tuple[datetime, Skill], ...]


_COLUMNS = [f"{kind}{part}" for kind in ("calls", "leads", "cards") for part in ("", "_right", "_lost")]
_SUMS = {f"{column}_sum": Sum(column) for column in _COLUMNS}


def read_measured(player: Player, period: Period, now: datetime) -> Measured:
    """Two queries, however many games."""
    since = period_start(period, now)
    games = Accuracy.objects.filter(participation__finished_at__gte=since)
    months = tuple(
        (month, _skill(sums))
        for month, *sums in games.filter(participation__player=player)
        .annotate(month=TruncMonth(F("participation__finished_at")))
        .order_by("month")
        .values_list("month")
        .annotate(**_SUMS)
    )
    everybody = games.filter(participation__player__bot_level="").aggregate(**_SUMS)
    return Measured(
        own=sum((skill for _month, skill in months), Skill()),
        everybody=_skill(list(everybody.values())),
        months=months,
    )


def _skill(sums: list[float | None]) -> Skill:
    numbers = [number or 0 for number in sums]
    shares = [Share(int(numbers[at]), int(numbers[at + 1]), numbers[at + 2]) for at in (0, 3, 6)]
    return Skill(*shares)
