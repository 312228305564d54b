"""What cards are worth in bidding, under each trump and in each pack."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations

from games.engine import BENNY, NO_TRUMP, Card, Suit, Trump, effective_suit, next_suit, strength
from games.engine.cards import CARDS, JOKER_PACKS, PACK_MASK, RANKS, TRUMPS

TRUMP_WORTH = {"7": 0.8, "8": 0.9, "9": 1.0, "T": 1.1, "Q": 1.3, "K": 1.6, "A": 2.0}
LEFT_WORTH, RIGHT_WORTH = 2.6, 3.2
BENNY_WORTH, RIGHT_UNDER_BENNY, LEFT_UNDER_BENNY = 3.4, 2.9, 2.4
"""With the joker in the pack each bower stands one lower."""
ACE_WORTH, BARE_KING_WORTH, VOID_WORTH = 1.2, 0.2, 0.5

NO_TRUMP_RUN, NO_TRUMP_KING, NO_TRUMP_QUEEN = 1.9, 0.9, 0.3
"""At no-trump: every card of a run from the ace down, else a king or a queen with a lower card."""


@dataclass(frozen=True, slots=True)
class Table:
    """All cards under one trump: suit followed, power (any trump above any other card), worth."""

    trump: Trump
    suit: dict[Card, Suit]
    power: dict[Card, int]
    worth: dict[Card, float]


def _table(trump: Trump, joker: bool) -> Table:
    suit = {card: effective_suit(card, trump) for card in CARDS}
    worth = {card: TRUMP_WORTH.get(card[0], 0.0) if suit[card] == trump else 0.0 for card in CARDS}
    if trump != NO_TRUMP:
        worth[BENNY] = BENNY_WORTH
        worth["J" + trump] = RIGHT_UNDER_BENNY if joker else RIGHT_WORTH
        worth["J" + next_suit(trump)] = LEFT_UNDER_BENNY if joker else LEFT_WORTH
    return Table(trump, suit, {card: strength(card, trump) for card in CARDS}, worth)


_WITHOUT, _WITH = ({trump: _table(trump, joker) for trump in TRUMPS} for joker in (False, True))
TABLES: dict[int, dict[Trump, Table]] = {size: _WITH if size in JOKER_PACKS else _WITHOUT for size in PACK_MASK}
"""``TABLES[pack][trump]``"""


def hand_worth(hand: Iterable[Card], table: Table) -> float:
    """What a hand is worth under a trump, in units of a low trump: trumps by rank, plain aces,
    kings without their ace, and plain suits to ruff when there are trumps to ruff with."""
    trump = table.trump
    if trump == NO_TRUMP:
        return _no_trump_worth(hand)
    total = 0.0
    trumps = 0
    plain: dict[Suit, str] = {}
    for card in hand:
        suit = table.suit[card]
        if suit == trump:
            trumps += 1
            total += table.worth[card]
        else:
            plain[suit] = plain.get(suit, "") + card[0]
    for ranks in plain.values():
        if "A" in ranks:
            total += ACE_WORTH
        elif "K" in ranks:
            total += BARE_KING_WORTH
    if trumps >= 2:
        total += VOID_WORTH * (3 - len(plain))
    return total


def _no_trump_worth(hand: Iterable[Card]) -> float:
    suits: dict[Suit, str] = {}
    for card in hand:
        suits[card[1]] = suits.get(card[1], "") + card[0]
    total = 0.0
    for ranks in suits.values():
        run = 0
        while run < len(ranks) and RANKS[-1 - run] in ranks:
            run += 1
        if run:
            total += NO_TRUMP_RUN * run + NO_TRUMP_KING * (len(ranks) - run) * (run >= 2)
        elif len(ranks) >= 2:
            total += NO_TRUMP_KING * ("K" in ranks) + NO_TRUMP_QUEEN * ("Q" in ranks)
    return total


def best_five(cards: Collection[Card], table: Table) -> tuple[Card, ...]:
    """The five cards to keep of six or seven: those worth most, and of equals those that leave
    the lowest out. Trumps and aces are worth keeping, a void is worth making."""
    power = table.power
    return max(combinations(cards, 5), key=lambda kept: (hand_worth(kept, table), sum(power[card] for card in kept)))


def worst(cards: Collection[Card], table: Table) -> Card:
    """The card that the others miss least; of equals the lowest."""
    power = table.power
    return max(cards, key=lambda card: (hand_worth([kept for kept in cards if kept != card], table), -power[card]))
