"""Decks: computed as documented, evenly spread, and dealing what combinatorics says."""

from __future__ import annotations

import hashlib
from collections import Counter
from math import comb, sqrt

import pytest

from games.engine import pack, shuffled, start_deal
from tests.engine.table import ARTICLE
from tests.scale import scale

DEALS = scale(100_000)
SIGMAS = 4.5
"""One test of an honest shuffle in about 150,000 would fall outside."""


def secret(number: int) -> bytes:
    """The fixed secret of one of the simulated deals, 32 bytes as in a real game."""
    return hashlib.sha256(b"euchre simulation %d" % number).digest()


@pytest.fixture(scope="module")
def decks() -> list[tuple[str, ...]]:
    return [shuffled(pack(), secret(number), number) for number in range(DEALS)]


def test_the_order_is_that_of_hmac_sha_256_written_out_by_hand():
    def hmac_sha256(key: bytes, message: bytes) -> bytes:  # RFC 2104
        key = key.ljust(64, b"\0")
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
        return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()

    by_hand = sorted(pack(), key=lambda card: hmac_sha256(secret(7), b"a1,b2:7:" + card.encode()))
    assert shuffled(pack(), secret(7), 7, ("a1", "b2")) == tuple(by_hand)


def test_the_secret_the_number_and_every_nonce_change_the_deck():
    decks = {
        shuffled(pack(), secret(1), 1),
        shuffled(pack(), secret(2), 1),
        shuffled(pack(), secret(1), 2),
        shuffled(pack(), secret(1), 1, ("a1",)),
        shuffled(pack(), secret(1), 1, ("a1", "b2")),
        shuffled(pack(), secret(1), 1, ("b2", "a1")),
    }
    assert len(decks) == 6
    assert shuffled(pack(), secret(1), 1) in decks, "the same again from the same secret"
    assert all(sorted(deck) == sorted(pack()) for deck in decks)


def test_every_card_falls_on_every_place_equally_often(decks):
    counts = [Counter(cards) for cards in zip(*decks, strict=True)]
    expected = DEALS / 24
    chi_square = sum((count[card] - expected) ** 2 / expected for count in counts for card in pack())
    freedom = 23 * 23
    assert abs(chi_square - freedom) < SIGMAS * sqrt(2 * freedom)


HANDS = comb(24, 5)
TRUMPS = {"JH", "JD", "AH", "KH", "QH", "TH", "9H"}
LOW = {card for card in pack() if card[0] in "9T"}


def assert_within_sampling_error(hits: int, probability: float) -> None:
    assert abs(hits - DEALS * probability) < SIGMAS * sqrt(DEALS * probability * (1 - probability))


def test_deals_agree_with_exact_combinatorics(decks):
    deals = [start_deal(ARTICLE, number % 4, deck) for number, deck in enumerate(decks)]
    hands = [set(deal.hands[number // 4 % 4]) for number, deal in enumerate(deals)]  # each seat with each dealer
    trumps = Counter(len(hand & TRUMPS) for hand in hands)
    for k, figure in enumerate((0.14559, 0.39196, 0.33597, 0.11199, 0.01400, 0.00049)):
        exact = comb(7, k) * comb(17, 5 - k) / HANDS
        assert exact == pytest.approx(figure, abs=5e-6)
        assert_within_sampling_error(trumps[k], exact)
    for holding, exact, figure in (
        ({"JH", "JD"}, comb(22, 3) / HANDS, 0.03623),
        ({"JH", "JD", "AH"}, comb(21, 2) / HANDS, 0.004941),
    ):
        assert exact == pytest.approx(figure, abs=5e-6)
        assert_within_sampling_error(sum(hand >= holding for hand in hands), exact)
    assert comb(8, 5) / HANDS == pytest.approx(0.0013175, abs=5e-8)
    assert_within_sampling_error(sum(hand <= LOW for hand in hands), comb(8, 5) / HANDS)  # no ace, no face
    assert_within_sampling_error(sum(deal.up_card[0] == "J" for deal in deals), 1 / 6)
