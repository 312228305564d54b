"""What the rule bot weighs by: the worth of cards and the bars that a hand must reach to be called.

All in hundredths of a low trump. The numbers of four players and 24 cards were tuned
(``python -m tests.bench.tune``): for each place the linear measure that best tells what a call
brings more than a pass, or a loner more than a call with partner. The others are measured: about
where a call begins to bring more than a pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from games.engine import Rules

# Places in the row of integers that the rules of thumb read. A hand takes so many: each trump by
# rank, seven to ace, then left bower, right bower, joker; and what follows them.
ACE, BARE_KING, VOID_SUIT, HAND_LENGTH = 11, 12, 13, 14
KEPT_HAND = 0
LONE_HAND = HAND_LENGTH
FIRST_HANDS = 2 * HAND_LENGTH
SECOND_HANDS = 6 * HAND_LENGTH
"""Hands by place after the dealer, who is last."""
UP_OURS = 10 * HAND_LENGTH
UP_THEIRS = UP_OURS + 11
BAR1 = UP_THEIRS + 11
BAR2 = BAR1 + 4
NO_TRUMP_BAR = BAR2 + 4
NEXT_SUIT = NO_TRUMP_BAR + 1
CROSS = NO_TRUMP_BAR + 2
ALONE_BAR = NO_TRUMP_BAR + 3
DEFEND_BAR = NO_TRUMP_BAR + 4
STOP_BAR = NO_TRUMP_BAR + 5
ONE_SHORT = NO_TRUMP_BAR + 6
TWO_SHORT = NO_TRUMP_BAR + 7
NO_TRUMP_RUN = NO_TRUMP_BAR + 8
NO_TRUMP_KING = NO_TRUMP_BAR + 9
NO_TRUMP_QUEEN = NO_TRUMP_BAR + 10


class Hand(NamedTuple):
    """What the cards of a hand are worth."""

    trumps: tuple[int, ...] = (80, 90, 100, 110, 0, 130, 160, 200, 260, 320, 340)
    """Seven to ace, left bower, right bower, joker."""
    ace: int = 120
    bare_king: int = 20
    void_suit: int = 50
    """With two trumps or more."""


SET_BY_HAND = Hand()


@dataclass(frozen=True)
class Weights:
    kept: Hand = SET_BY_HAND
    """What is put away, and what a defender goes alone with."""
    lone: Hand = SET_BY_HAND
    first_hands: tuple[Hand, ...] = (SET_BY_HAND,) * 4
    second_hands: tuple[Hand, ...] = (SET_BY_HAND,) * 4
    """By place after the dealer, who is last. What counts is what a card brings a call more than a
    pass: the left bower speaks for passing too, since it may be the right one of the second round."""
    up_ours: tuple[int, ...] = (48, 54, 60, 66, 0, 78, 96, 120, 156, 192, 204)
    up_theirs: tuple[int, ...] = (-48, -54, -60, -66, 0, -78, -96, -120, -156, -192, -204)
    """The up-card by rank: what a call gains, or gives away, by putting it in the dealer's hand."""
    bowers_under_joker: tuple[int, int] = (240, 290)
    first_round: tuple[int, ...] = (720, 580, 640, 510)
    second_round: tuple[int, ...] = (590, 560, 600, 540)
    """The bars of each place."""
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


def for_all_calls(hand: Hand) -> Weights:
    """One hand whatever is asked about it; of an up-card a call gains or gives away 60 %."""
    ours = tuple([60 * worth // 100 for worth in hand.trumps])
    theirs = tuple([-worth for worth in ours])
    return Weights(hand, hand, (hand,) * 4, (hand,) * 4, ours, theirs)


ELSEWHERE = Weights()
"""Measured, not tuned: for other packs and fewer players."""
GOOD_HAND = Hand((80, 90, 155, 150, 0, 160, 160, 200, 245, 360, 340))
TUNED = Weights(
    kept=GOOD_HAND,
    lone=Hand((0, 0, 117, 120, 0, 121, 115, 126, 173, 314, 0), 155, 71, 87),
    first_hands=(
        Hand((0, 0, 166, 163, 0, 167, 169, 143, 74, 203, 0), 42, 10, -16),
        Hand((0, 0, 149, 161, 0, 167, 162, 121, 116, 208, 0), 16, 8, 32),
        Hand((0, 0, 156, 156, 0, 155, 147, 120, 115, 236, 0), 48, 9, 36),
        Hand((0, 0, 136, 142, 0, 150, 155, 146, 137, 218, 0), 36, 8, 51),
    ),
    second_hands=(Hand((0, 0, 142, 149, 0, 155, 161, 97, 135, 248, 0), 59, 20, 46), *(GOOD_HAND,) * 3),
    up_ours=(0, 0, 0, 8, 0, 14, 25, 42, 0, 72, 0),
    up_theirs=(0, 0, 0, -1, 0, -8, -17, -33, 0, -126, 0),
    first_round=(460, 304, 477, 443),
    second_round=(525, 560, 600, 555),
    next_suit=150,
    alone=912,
)
"""For four players and 24 cards. With ``alone`` at 870 it would gain 0.011 points a deal more, but go alone
in twice as many deals and make fewer than half of its loners; with 453 as eldest's bar of the second
round 0.005 more, but call next on two low trumps, which annoys partners as much."""

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
    hands: list[int] = []
    for hand in (weights.kept, weights.lone, *weights.first_hands, *weights.second_hands):
        trumps = hand.trumps
        if rules.joker:
            trumps = (*trumps[:8], *weights.bowers_under_joker, trumps[10])
        hands += (*trumps, hand.ace, hand.bare_king, hand.void_suit)
    none = (0,) * (4 - rules.players)
    return (
        *hands,
        *weights.up_ours,
        *weights.up_theirs,
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
