"""Every two cards under every trump, against section 4.2 written out as lists."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.engine import BENNY, NO_TRUMP, SUITS, effective_suit, legal_cards, next_suit, pack, strength, trick_winner
from games.engine.cards import BIT, CARDS, HIGHER, TRUMP_MASK, TRUMPS

PARTNERS = {"C": "S", "S": "C", "D": "H", "H": "D"}
PLAIN = "AKQJT987"


def trumps_from_the_top(trump: str) -> list[str]:
    if trump == NO_TRUMP:
        return []
    return [BENNY, "J" + trump, "J" + PARTNERS[trump], *(rank + trump for rank in PLAIN if rank != "J")]


def cards_under(trump: str) -> list[str]:
    """No joker at no-trump (O14)."""
    return [card for card in CARDS if card != BENNY or trump != NO_TRUMP]


def beats(card: str, led: str, trump: str) -> bool:
    trumps = trumps_from_the_top(trump)
    if card in trumps:
        return led not in trumps or trumps.index(card) < trumps.index(led)
    return led not in trumps and card[1] == led[1] and PLAIN.index(card[0]) < PLAIN.index(led[0])


def follows(card: str, led: str, trump: str) -> bool:
    trumps = trumps_from_the_top(trump)
    if led in trumps or card in trumps:
        return led in trumps and card in trumps
    return card[1] == led[1]


@pytest.mark.parametrize("trump", TRUMPS)
def test_the_better_of_two_cards_wins_whichever_is_led_R42_to_R46(trump):
    for led, card in permutations(cards_under(trump), 2):
        assert trick_winner([(0, led), (1, card)], trump) == beats(card, led, trump), (led, card)
        assert list(legal_cards((card, led), led, trump)) == [card] * follows(card, led, trump) + [led]
        same_suit = effective_suit(card, trump) == effective_suit(led, trump)
        assert same_suit == follows(card, led, trump)
        assert bool(HIGHER[trump][led] & BIT[card]) == (same_suit and beats(card, led, trump))
        if same_suit:
            assert (strength(card, trump) > strength(led, trump)) == beats(card, led, trump)


@pytest.mark.parametrize("trump", SUITS)
def test_the_trumps_of_every_suit_R10_R11_R12_V3(trump):
    trumps = trumps_from_the_top(trump)
    assert {card for card in CARDS if TRUMP_MASK[trump] & BIT[card]} == set(trumps)
    assert next_suit(trump) == PARTNERS[trump]


@pytest.mark.parametrize(
    ("size", "trumps", "next_suit_cards", "others"), [(24, 7, 5, 6), (25, 8, 5, 6), (28, 8, 6, 7), (32, 9, 7, 8)]
)
def test_how_many_cards_each_suit_has_V1_V2_V3(size, trumps, next_suit_cards, others):
    suits = [effective_suit(card, "H") for card in pack(size)]
    assert [suits.count(suit) for suit in "HDCS"] == [trumps, next_suit_cards, others, others]
    assert len(set(pack(size))) == size


def test_there_is_no_pack_of_another_size():
    with pytest.raises(KeyError):
        pack(36)
