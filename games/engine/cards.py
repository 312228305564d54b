"""Cards, suits and what a trump suit makes of them (rules.md 1, 4.1, 4.2; R9-R13).

A card is a text of two characters, rank then suit: ``"JD"`` is the jack of diamonds.
"""

from __future__ import annotations

from collections.abc import Iterable

Card = str
Suit = str

SUITS = "CDHS"
RANKS = "789TJQKA"

NEXT_SUIT = {"C": "S", "S": "C", "D": "H", "H": "D"}
"""The other suit of the same colour: its jack is the left bower."""


def pack(lowest: str = "9") -> tuple[Card, ...]:
    """All cards from ``lowest`` up to the ace in four suits, suit by suit (R4: 24 cards from 9)."""
    return tuple(rank + suit for suit in SUITS for rank in RANKS[RANKS.index(lowest) :])


def _effective(card: Card, trump: Suit) -> Suit:
    return trump if card[0] == "J" and card[1] == NEXT_SUIT[trump] else card[1]


def _strength(card: Card, trump: Suit) -> int:
    if _effective(card, trump) != trump:
        return RANKS.index(card[0])
    if card[0] == "J":
        return 101 if card[1] == trump else 100
    return 50 + RANKS.index(card[0])


EFFECTIVE = {trump: {card: _effective(card, trump) for card in pack("7")} for trump in SUITS}
STRENGTH = {trump: {card: _strength(card, trump) for card in pack("7")} for trump in SUITS}


def effective_suit(card: Card, trump: Suit | None) -> Suit:
    """The suit a card belongs to in play: the left bower is a trump (R12, R44). Without a trump
    suit its printed one."""
    return EFFECTIVE[trump][card] if trump else card[1]


def strength(card: Card, trump: Suit) -> int:
    """The rank of a card among those of its effective suit, trumps above all others (R9-R11)."""
    return STRENGTH[trump][card]


def is_right_bower(card: Card, trump: Suit | None) -> bool:
    return trump is not None and card == "J" + trump


def is_left_bower(card: Card, trump: Suit | None) -> bool:
    return trump is not None and card == "J" + NEXT_SUIT[trump]


def playable(hand: Iterable[Card], led: Card | None, trump: Suit) -> tuple[Card, ...]:
    """The cards of a hand that may be played on ``led`` (None: on lead). R39, R42-R44."""
    hand = tuple(hand)
    if led is None:
        return hand
    effective = EFFECTIVE[trump]
    suit = effective[led]
    return tuple(card for card in hand if effective[card] == suit) or hand


def trick_winner(plays: Iterable[tuple[int, Card]], trump: Suit) -> int:
    """The seat that wins a trick, given as (seat, card) in the order of play (R45, R46)."""
    effective, power = EFFECTIVE[trump], STRENGTH[trump]
    best_seat, best = -1, -1
    led: Suit | None = None
    for seat, card in plays:
        suit = effective[card]
        led = led or suit
        if (suit == led or suit == trump) and power[card] > best:
            best_seat, best = seat, power[card]
    return best_seat
