"""What all deals played here held, against what chance would do. One query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from games.chance import ChiSquare, Kind, chi_square
from games.models import DealCounts

SUITS = "CDHS"
JOKER = "B"

LEAST_EXPECTED = 5
"""Below this many in any one place the chi-square distribution says little about the statistic
(Cochran 1954): there is no test then."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was counted, and how often it was to be expected."""

    name: str | int
    count: int
    expected: float

    @property
    def off(self) -> str:
        """Above or below what was to be expected, in percent with a sign."""
        if not self.expected:
            return ""
        return f"{100 * (self.count - self.expected) / self.expected:+.1f}\u00a0%".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Lines:
    """Counts that together say how even a shuffle is. ``test`` is None while there are fewer than
    ``needed`` of them for one."""

    lines: tuple[Line, ...]
    needed: int
    test: ChiSquare | None

    @property
    def total(self) -> int:
        return sum(line.count for line in self.lines)

    @property
    def p_percent(self) -> float | None:
        return 100 * self.test.p if self.test else None


@dataclass(frozen=True, slots=True)
class KindCounts:
    """All deals of a kind. ``up`` by suit; ``right`` and ``left`` by place from eldest hand to the
    dealer, then the cards left over."""

    kind: Kind
    deals: int
    passed_out: int
    loners: int
    loners_made: int
    up: Lines
    right: Lines
    left: Lines


@dataclass(frozen=True, slots=True)
class AllCounts:
    """``at``: when they were counted, None before the first time."""

    kinds: tuple[KindCounts, ...]
    at: datetime | None

    @property
    def deals(self) -> int:
        return sum(kind.deals for kind in self.kinds)


def read_counts() -> AllCounts:
    """Every kind of deal that was played, the most frequent first."""
    kept = DealCounts.objects.first()
    if kept is None:
        return AllCounts((), None)
    kinds = [_kind(name, counts) for name, counts in kept.counts.items()]
    return AllCounts(tuple(sorted(kinds, key=lambda kind: -kind.deals)), kept.at)


def _kind(name: str, counts: dict[str, object]) -> KindCounts:
    *hands, left_over = map(int, name.split("."))
    kind = Kind(tuple(hands), left_over)
    up, right, left = counts["up"], counts["right"], counts["left"]
    assert isinstance(up, dict) and isinstance(right, list) and isinstance(left, list)
    joker = kind.cards % 2  # packs of 25 and 33
    suits = [*SUITS, JOKER] if joker else [*SUITS]
    shares = [(kind.cards - joker) / 4] * 4 + [1] * joker
    return KindCounts(
        kind=kind,
        up=_lines(suits, [up.get(suit, 0) for suit in suits], shares),
        right=_lines(range(len(right)), right, kind.places),
        left=_lines(range(len(left)), left, kind.places),
        **{key: int(str(counts[key])) for key in ("deals", "passed_out", "loners", "loners_made")},
    )


def _lines(names: Sequence[str | int], counts: Sequence[int], shares: Sequence[float]) -> Lines:
    total, whole = sum(counts), sum(shares)
    expected = [total * share / whole for share in shares]
    needed = ceil(LEAST_EXPECTED * whole / min(shares))
    test = chi_square(counts, expected) if total >= needed else None
    return Lines(tuple(Line(*line) for line in zip(names, counts, expected, strict=True)), needed, test)
