"""Cards, packs and their order under a trump (rules R4-R13, R42-R46, section 4.2).

A card is a string of two characters, rank then suit: ``"JD"`` is the jack of diamonds. The
joker of the larger packs, the Benny, is ``"B"``. A suit is one of ``"CDHS"``; a trump is a suit
or ``"N"``, no-trump. Trump matters everywhere: the jack of the trump suit (right bower) and the
other jack of that colour (left bower) are its two highest cards after the Benny, and all three
*belong* to the trump suit. At no-trump every jack is plain (O14).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern

Card = str
Suit = str
Trump = str
Play = tuple[int, Card]
"""One card on the table: the seat that played it, and the card."""

SUITS = "CDHS"
NO_TRUMP = "N"
TRUMPS = SUITS + NO_TRUMP
RANKS = "789TJQKA"
BENNY = "B"

_NEXT_SUIT = {"C": "S", "S": "C", "D": "H", "H": "D"}
_PACKS = {24: "9TJQKA", 25: "9TJQKA", 28: "89TJQKA", 32: RANKS, 33: RANKS}
JOKER_PACKS = (25, 33)


def next_suit(suit: Suit) -> Suit:
    """The other suit of the same colour, home of the left bower (R11)."""
    return _NEXT_SUIT[suit]


@lru_cache
def pack(size: int = 24) -> tuple[Card, ...]:
    """All cards of a pack in their plain order: 24 from the nine, 28 from the eight, 32 from the
    seven, and 25 or 33 with the joker last (R4-R7). KeyError for any other size."""
    joker = (BENNY,) if size in JOKER_PACKS else ()
    return tuple(intern(rank + suit) for suit in SUITS for rank in _PACKS[size]) + joker


CARDS = pack(33)
"""Every card there is, in any pack."""

BIT: dict[Card, int] = {card: 1 << place for place, card in enumerate(CARDS)}
"""Each card as one bit: a set of cards is an integer."""


def mask(cards: Iterable[Card]) -> int:
    """Cards as a set of bits."""
    bits = 0
    for card in cards:
        bits |= BIT[card]
    return bits


PACK_MASK: dict[int, int] = {size: mask(pack(size)) for size in _PACKS}


def effective_suit(card: Card, trump: Trump) -> Suit:
    """The suit a card belongs to: the left bower and the joker are trumps (R12, R44)."""
    if card == BENNY or (trump != NO_TRUMP and card == "J" + next_suit(trump)):
        return trump
    return card[1]


def strength(card: Card, trump: Trump) -> int:
    """How high a card stands within its effective suit; comparable only there, and any trump
    is above any other card (R9-R11, R46)."""
    if card == BENNY:
        return 18
    if card == "J" + trump:
        return 17
    if trump != NO_TRUMP and card == "J" + next_suit(trump):
        return 16
    return RANKS.index(card[0]) + (8 if card[1] == trump else 0)


# The questions of every trick, answered once for each trump and each suit that can be led.
FOLLOWERS: dict[Trump, dict[Card, frozenset[Card]]] = {}
"""``FOLLOWERS[trump][led]``: the cards that follow the card led."""

TRICK_STRENGTH: dict[Trump, dict[Card, dict[Card, int]]] = {}
"""``TRICK_STRENGTH[trump][led][card]``: greatest wins the trick; -1 cannot win it."""

HIGHER: dict[Trump, dict[Card, int]] = {}
"""``HIGHER[trump][card]``: the cards of the same effective suit that outrank a card, as bits."""


def _answer(trump: Trump) -> None:
    strengths = {card: strength(card, trump) for card in CARDS}
    following: dict[Suit, list[Card]] = {}
    for card in CARDS:
        following.setdefault(effective_suit(card, trump), []).append(card)
    FOLLOWERS[trump], TRICK_STRENGTH[trump], HIGHER[trump] = {}, {}, {}
    for cards in following.values():
        may_win = {*cards, *following.get(trump, ())}
        in_trick = {card: strengths[card] if card in may_win else -1 for card in CARDS}
        followers = frozenset(cards)
        above = 0
        for card in sorted(cards, key=strengths.__getitem__, reverse=True):
            FOLLOWERS[trump][card], TRICK_STRENGTH[trump][card] = followers, in_trick
            HIGHER[trump][card] = above
            above |= BIT[card]


for _trump in TRUMPS:
    _answer(_trump)

TRUMP_MASK: dict[Trump, int] = {
    trump: mask(card for card in CARDS if effective_suit(card, trump) == trump) for trump in TRUMPS
}
"""All cards that are trumps, as bits."""


def legal_cards(hand: Sequence[Card], led: Card, trump: Trump) -> Sequence[Card]:
    """The cards of a hand that may be played to a card led: those that follow it, any card if
    none does (R42, R43)."""
    followers = FOLLOWERS[trump][led]
    return [card for card in hand if card in followers] or hand


def trick_winner(plays: Sequence[Play], trump: Trump) -> int:
    """The seat that wins a trick: the highest trump, else the highest card of the suit led
    (R45, R46). ``plays`` holds at least the lead."""
    strengths = TRICK_STRENGTH[trump][plays[0][1]]
    winner, best = -1, -1
    for seat, card in plays:
        strength = strengths[card]
        if strength > best:
            winner, best = seat, strength
    return winner
