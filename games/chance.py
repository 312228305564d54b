"""What chance does: what a deal held, how far counts may stray from what was to be expected, and how
often they do."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log
from typing import NamedTuple

from games.engine import BENNY, Card, DealState, next_suit


class ChiSquare(NamedTuple):
    """Pearson's test: the statistic, its degrees of freedom, and how often chance alone strays
    at least as far (the p-value)."""

    statistic: float
    freedom: int
    p: float


def chi_square(counts: Sequence[float], expected: Sequence[float]) -> ChiSquare:
    """Counts against what was expected of them, all greater than 0 and of the same sum."""
    statistic = sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))
    freedom = len(counts) - 1
    return ChiSquare(statistic, freedom, chi_square_tail(statistic, freedom))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable with ``freedom`` degrees is at least ``statistic``:
    the regularised upper incomplete gamma function Q(freedom/2, statistic/2), by its series for
    small arguments and Lentz's continued fraction for large ones (Numerical Recipes 6.2)."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        at = a
        while abs(term) > abs(total) * 1e-15:
            at += 1
            term *= x / at
            total += term
        return max(0.0, 1 - scale * total)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for n in range(1, 10_000):
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * fraction


class Kind(NamedTuple):
    """Deals that can be counted together: how many cards each place gets, from eldest hand to the
    dealer, and how many are left over beside the up-card."""

    hands: tuple[int, ...]
    left_over: int

    @property
    def cards(self) -> int:
        return sum(self.hands) + self.left_over + 1

    @property
    def places(self) -> tuple[int, ...]:
        return (*self.hands, self.left_over)


class Seen(NamedTuple):
    """What one deal held. ``right`` and ``left`` are where the two jacks of the up-card's colour
    lay, as an index of :attr:`Kind.places`; None where the up-card is that jack or has no suit."""

    kind: Kind
    up_card: Card
    right: int | None
    left: int | None


def look(start: DealState, deck: Sequence[Card]) -> Seen:
    """What a deal held when it had been dealt and nobody had done anything."""
    seats = len(start.hands)
    hands = [start.hands[(start.dealer + 1 + place) % seats] for place in range(seats)]
    kind = Kind(tuple(map(len, hands)), len(deck) - sum(map(len, hands)) - 1)
    if start.up_card == BENNY:
        return Seen(kind, start.up_card, None, None)
    suit = start.up_card[1]
    right, left = (_place("J" + suit, hands, start.up_card), _place("J" + next_suit(suit), hands, start.up_card))
    return Seen(kind, start.up_card, right, left)


def _place(card: Card, hands: Sequence[Sequence[Card]], up_card: Card) -> int | None:
    if card == up_card:
        return None
    return next((place for place, hand in enumerate(hands) if card in hand), len(hands))
