"""What the rule bot weighs by: the worth of cards and the bars that a hand must reach to be called.

All in hundredths of a low trump. The numbers of four players and 24 cards were tuned by duplicate
deals, the bot against itself with one number changed (``python -m tests.bench.tune``); the others
are measured: about where a call begins to bring more than a pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.engine import Rules

# Places in the row of integers that the rules of thumb read. The first eleven: each trump by
# rank, seven to ace, then left bower, right bower, joker.
ACE = 11
BARE_KING = 12
VOID_SUIT = 13
UP_SHARE = 14
BAR1 = 15
BAR2 = 19
NO_TRUMP_BAR = 23
NEXT_SUIT = 24
CROSS = 25
ALONE_BAR = 26
DEFEND_BAR = 27
STOP_BAR = 28
ONE_SHORT = 29
TWO_SHORT = 30
NO_TRUMP_RUN = 31
NO_TRUMP_KING = 32
NO_TRUMP_QUEEN = 33


@dataclass(frozen=True)
class Weights:
    trumps: tuple[int, ...] = (80, 90, 100, 110, 0, 130, 160, 200, 260, 320, 340)
    """Seven to ace, left bower, right bower, joker."""
    bowers_under_joker: tuple[int, int] = (240, 290)
    ace: int = 120
    bare_king: int = 20
    void_suit: int = 50
    up_share: int = 60
    """Of the up-card's worth, percent that a call gains (or gives away) by putting it in the dealer's hand."""
    first_round: tuple[int, ...] = (720, 580, 640, 510)
    """By place after the dealer, who is last."""
    second_round: tuple[int, ...] = (590, 560, 600, 540)
    next_suit: int = 160
    """Eldest and pone make it next: the dealer's side has just shown weakness in that colour."""
    cross: int = 120
    """The dealer's side crosses the suit, for the same reason turned round."""
    no_trump_bar: int = 300
    alone: int = 930
    """Measured, going alone pays from 820 on; but a loner that fails annoys people more than a march
    with a partner pleases them, so the bot wants to make about half of its loners."""
    defends_alone: int = 700
    """Measured, where a lone defender's euchre always pays 4."""
    stops_loner: int = 450
    """Measured, a defender with his partner's best card stops a lone march more often than two without."""
    one_short: int = 40
    """Nerve: how much less a hand needs to be worth when the others are one point short, and two."""
    two_short: int = -30
    no_trump: tuple[int, int, int] = (190, 90, 30)
    """Every card of a run from the ace down, else a king or a queen with a lower card."""


ELSEWHERE = Weights()
"""Measured, not tuned: for other packs and fewer players."""
TUNED = Weights(
    trumps=(80, 90, 155, 150, 0, 160, 160, 200, 245, 360, 340),
    first_round=(720, 635, 655, 525),
    second_round=(590, 560, 600, 555),
    next_suit=200,
    alone=1000,
)
"""For four players and 24 cards. With ``alone`` at 930 it would gain 0.015 points a deal more, but go alone
in twice as many deals and make fewer than half of its loners."""

FEWER: dict[int, tuple[tuple[int, ...], tuple[int, ...], int]] = {
    3: ((680, 710, 640), (650, 660, 635), 470),
    2: ((800, 350), (300, 330), 130),
}
"""Of three and two players: both rounds, and no-trump."""
DUMMY_BARS = (200, 0), (0, 0)
"""Both rounds of two players where the maker takes two cards of the kitty."""
PACK_SHIFT = {24: 0, 25: 0, 28: -30, 32: -60, 33: 0}
"""Added to every bar: in a large pack more of the trumps are out of play; the joker makes up for it."""
ALONE_SHIFT = {24: 0, 25: 50, 28: -10, 32: -30, 33: 20}
"""Added by pack to what a loner, maker or defender, must be worth."""
ALONE_WITH_BEST = -80
"""Added to it where the loner may have the partner's best card."""


@lru_cache(maxsize=256)
def row(rules: Rules, weights: Weights = TUNED) -> tuple[int, ...]:
    """The weights under these rules, as the rules of thumb read them."""
    if weights == TUNED and (rules.players, rules.pack) != (4, 24):
        weights = ELSEWHERE
    shift, alone = PACK_SHIFT[rules.pack], ALONE_SHIFT[rules.pack]
    first, second, no_trump_bar = weights.first_round, weights.second_round, weights.no_trump_bar
    if rules.players != 4:
        first, second, no_trump_bar = FEWER[rules.players]
    if rules.two_handed_dummy:
        first, second = DUMMY_BARS
    trumps = weights.trumps
    if rules.joker:
        trumps = (*trumps[:8], *weights.bowers_under_joker, trumps[10])
    none = (0,) * (4 - rules.players)
    return (
        *trumps,
        weights.ace,
        weights.bare_king,
        weights.void_suit,
        weights.up_share,
        *[bar + shift for bar in first],
        *none,
        *[bar + shift for bar in second],
        *none,
        no_trump_bar,
        weights.next_suit,
        weights.cross,
        weights.alone + alone + (ALONE_WITH_BEST if rules.partners_best else 0),
        weights.defends_alone + alone,
        weights.stops_loner,
        weights.one_short,
        weights.two_short,
        *weights.no_trump,
    )
