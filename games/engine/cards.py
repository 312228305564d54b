"""Cards, packs and their order under a trump (rules R4-R13, R42-R46).

A card is a string of two characters, rank then suit: ``"JD"`` is the jack of diamonds. The
joker of the larger packs, the Benny, is ``"B"``. A suit is one of ``"CDHS"``. Trump matters
everywhere: the jack of the trump suit (right bower) and the other jack of that colour (left
bower) are its two highest cards, and both *belong* to the trump suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Card = str
Suit = str
Play = tuple[int, Card]
"""One card on the table: the seat that played it, and the card."""

SUITS = "CDHS"
RANKS = "789TJQKA"
BENNY = "B"

_NEXT_SUIT = {"C": "S", "S": "C", "D": "H", "H": "D"}


def next_suit(suit: Suit) -> Suit:
    """The other suit of the same colour, home of the left bower (R11)."""
    return _NEXT_SUIT[suit]


@lru_cache
def pack(lowest: str = "9", joker: bool = False) -> tuple[Card, ...]:
    """All cards of a pack in their plain order: 24 from the nine, 32 from the seven, and the
    joker last where there is one (R4-R7)."""
    ranks = RANKS[RANKS.index(lowest) :]
    return tuple(rank + suit for suit in SUITS for rank in ranks) + ((BENNY,) if joker else ())


CARDS = frozenset(pack("7", joker=True))
"""Every card there is, in any pack."""


def effective_suit(card: Card, trump: Suit) -> Suit:
    """The suit a card belongs to: the left bower and the joker are trumps (R12, R44)."""
    if card == BENNY or card == "J" + next_suit(trump):
        return trump
    return card[1]


def strength(card: Card, trump: Suit) -> int:
    """How high a card stands within its effective suit; comparable only there, and any trump
    is above any other card (R9-R11, R46)."""
    if card == BENNY:
        return 18
    if card == "J" + trump:
        return 17
    if card == "J" + next_suit(trump):
        return 16
    return RANKS.index(card[0]) + (8 if card[1] == trump else 0)


# The two questions of every trick, answered once for each trump and each card led.
FOLLOWERS: dict[Suit, dict[Card, frozenset[Card]]] = {
    trump: {
        led: frozenset(card for card in CARDS if effective_suit(card, trump) == effective_suit(led, trump))
        for led in CARDS
    }
    for trump in SUITS
}
"""``FOLLOWERS[trump][led]``: the cards that follow the card led."""

TRICK_STRENGTH: dict[Suit, dict[Card, dict[Card, int]]] = {
    trump: {
        led: {
            card: strength(card, trump) if card in following or effective_suit(card, trump) == trump else -1
            for card in CARDS
        }
        for led, following in FOLLOWERS[trump].items()
    }
    for trump in SUITS
}
"""``TRICK_STRENGTH[trump][led][card]``: greatest wins the trick; -1 cannot win it."""


def legal_cards(hand: Sequence[Card], led: Card, trump: Suit) -> Sequence[Card]:
    """The cards of a hand that may be played to a card led: those that follow it, any card if
    none does (R42, R43)."""
    followers = FOLLOWERS[trump][led]
    return [card for card in hand if card in followers] or hand


def trick_winner(plays: Sequence[Play], trump: Suit) -> int:
    """The seat that wins a trick: the highest trump, else the highest card of the suit led
    (R45, R46). ``plays`` holds at least the lead."""
    strengths = TRICK_STRENGTH[trump][plays[0][1]]
    winner, best = -1, -1
    for seat, card in plays:
        if strengths[card] > best:
            winner, best = seat, strengths[card]
    return winner
