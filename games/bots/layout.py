"""A deal as a row of integers, for rules of thumb, play-outs and sampling alike.

Plain Python, and at the same time source of what :mod:`games.bots.kernel` compiles, as
:mod:`games.bots.search` is. Cards are bits: before trump is fixed in the engine's order
(:data:`games.engine.cards.BIT`), eight to a suit and the joker above; from then on in the order
of trump that the search uses, where comparing cards is comparing numbers. ``trump`` is 0 to 3 for
the suits C D H S and 4 for no-trump.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bots.search import TOP

# A deal. Four places each for seats, three for sides.
HAND = 0
DEAD = 4
"""What a seat has put away itself."""
UP = 8
"""The up-card."""
UP_STATE = 9
PHASE = 10
TURN = 11
TRUMP = 12
"""-1 until it is fixed."""
MAKER = 13
LONE_MAKER = 14
"""The seat that goes alone on the makers' side, or -1."""
LONE_DEFENDER = 15
LED = 16
"""The suit led, all its cards; 0 before the lead."""
BEST = 17
"""The card that wins the trick so far, and below the seat that played it."""
WINNER = 18
ON_TABLE = 19
"""How many cards the trick in progress has."""
PLAYED = 20
"""All cards played."""
TRICKS = 21
VOID = 24
"""Suits, all their cards, that a seat has failed to follow."""
THREW = 28
"""Suits that a seat has played when another was led."""
PASSES = 32
DEALER = 33
SECOND, THIRD = 34, 35
"""The top two cards of the kitty, which a maker of two takes up (V4 b)."""
POINTS = 36
SCORE = 39
TRICKS_DONE = 42
GAVE = 43
"""Whether the dealer has given his partner a card."""
SITTING = 44
"""The seats that sit out, as bits 0 to 3."""
PROPOSED = 45
"""The suit of the up-card, -1 where the dealer names it."""
PACK_IN_ORDER = 46
"""All cards in the order of trump, once it is fixed."""
LENGTH = 47

UP_LIES, UP_TAKEN, UP_DECLINED, UP_TURNED_DOWN, UP_GIVEN = 0, 1, 2, 3, 4
BENNY, BID1, EXCHANGE, BID2, DUMMY, ALONE, BEST_OUT, BEST_IN, PLAY, DONE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Phases; of partner's best, the loner puts one away and the partner gives one."""

# The rules.
PLAYERS = 0
SIDES = 1
PACK = 2
"""All cards, in the engine's order."""
STICK = 3
PENALTY = 4
TURNED_DOWN_CALLABLE = 5
MUST_HAVE = 6
"""0 nobody, 1 the dealer, 2 anybody."""
MAY_DECLINE = 7
NO_TRUMP = 8
"""0 nobody, 1 anybody in round two, 2 a stuck dealer."""
ALONE_WHO = 9
"""0 nobody, 1 the maker, 2 his side, 3 anybody."""
WITH_CALL = 10
CANADIAN = 11
DEFEND_ALONE = 12
"""0 nobody, 1 against a loner, 2 anybody."""
BEST_GIVEN = 13
LEFT_OF_DEALER = 14
LONE_DEFENDER_4 = 15
LONE_EUCHRED = 16
SUPER_EUCHRE = 17
TAKES_DUMMY = 18
CLAIMS = 19
TARGET = 20
NUM_DEALS = 21
BLIND = 22
"""Whether the dealer names the joker's suit before he sees his hand."""
BEYOND = 23
"""Whether points beyond the target count: for the next game, or where there is no target."""

# Actions, and from CARD on the card by its place in the order of trump.
PASS, ORDER_UP, ORDER_UP_ALONE, CALL, CALL_ALONE = 0, 1, 2, 3, 8
"""Calls: the trump is added."""
DECLINE, GO_ALONE, TOGETHER, KEEP, CLAIM, CARD = 13, 14, 15, 16, 17, 64

BOWERS = 0b111 << 35
"""Left, right and joker."""
ACES = 1 << 7 | 1 << 16 | 1 << 25
"""Of the plain suits under a trump."""


def in_order(cards: int, trump: int) -> int:
    """Cards of the engine's order in the order of trump."""
    if trump == 4:
        return cards & 0xFF | (cards >> 8 & 0xFF) << 9 | (cards >> 16 & 0xFF) << 18 | (cards >> 24 & 0xFF) << 27
    low = 1 if trump == 0 or trump == 3 else 0
    own, other = cards >> 8 * trump & 0xFF, cards >> 8 * (3 - trump) & 0xFF
    placed = (cards >> 8 * low & 0xFF) | (cards >> 8 * (3 - low) & 0xFF) << 9
    placed |= (other & 0xEF) << 18 | (own & 0xEF) << 27
    return placed | (other & 0x10) << 31 | (own & 0x10) << 32 | (cards >> 32 & 1) << 37


def out_of_order(cards: int, trump: int) -> int:
    """Cards of the order of trump in the engine's order."""
    first, second, third, top = cards & 0xFF, cards >> 9 & 0xFF, cards >> 18 & 0xFF, cards >> 27 & 0xFF
    if trump == 4:
        return first | second << 8 | third << 16 | top << 24
    low = 1 if trump == 0 or trump == 3 else 0
    third |= (cards >> 35 & 1) << 4
    top |= (cards >> 36 & 1) << 4
    return (
        first << 8 * low | second << 8 * (3 - low) | third << 8 * (3 - trump) | top << 8 * trump | (cards >> 37) << 32
    )


def side_of(seat: int, rules: Sequence[int]) -> int:
    return seat & 1 if rules[SIDES] == 2 else seat


def trump_cards(trump: int) -> int:
    """All trumps, in the order of trump; none at no-trump."""
    return 0 if trump == 4 else TOP
