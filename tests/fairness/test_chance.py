"""The chi-square test, against tables; and 20,000 decks against chance (a million: make decks)."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from games import engine
from games.chance import Kind, chi_square, chi_square_tail, look
from tests.bench.decks import spread


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (7.815, 3, 0.05),
        (9.488, 4, 0.05),
        (18.467, 4, 0.001),
        (18.307, 10, 0.05),
        (124.342, 100, 0.05),
        (70.065, 100, 0.99),
    ],
)
def test_the_tail_is_that_of_the_tables(statistic: float, freedom: int, p: float):
    assert chi_square_tail(statistic, freedom) == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize("x", [0.01, 0.5, 2.0, 30.0, 700.0])
def test_with_two_degrees_it_is_the_exponential(x: float):
    from math import exp

    assert chi_square_tail(x, 2) == pytest.approx(exp(-x / 2), rel=1e-10)


def test_the_tail_begins_at_one_and_falls_to_nothing():
    assert chi_square_tail(0, 4) == 1
    assert 0 <= chi_square_tail(1e5, 4) < 1e-300
    values = [chi_square_tail(x / 4, 7) for x in range(200)]
    assert values == sorted(values, reverse=True)


def test_counts_as_expected_are_no_surprise():
    assert chi_square([25, 25, 25, 25], [25] * 4) == (0.0, 3, 1.0)
    assert chi_square([40, 20, 20, 20], [25] * 4).p == pytest.approx(0.007383, rel=1e-3)


def test_twenty_thousand_decks_are_even():
    test = spread(20_000)
    assert test.freedom == 23 * 23
    assert abs(test.statistic - test.freedom) < 4.5 * sqrt(2 * test.freedom)


@pytest.mark.parametrize("name", sorted(engine.PRESETS))
def test_what_a_deal_held_adds_up_in_every_preset(name: str):
    rules = engine.PRESETS[name]
    pack = engine.pack(rules.pack)
    right: Counter[int | None] = Counter()
    for number in range(300):
        deck = engine.shuffled(pack, b"%d" % number, number)
        start = engine.start_deal(rules, number % rules.players, deck)
        seen = look(start, deck)
        assert seen.kind == Kind((5,) * rules.players, rules.pack - 5 * rules.players - 1)
        assert seen.kind.cards == rules.pack
        assert seen.up_card == start.up_card
        for place, jack in ((seen.right, "J" + seen.up_card[-1]), (seen.left, None)):
            if place is not None and place < rules.players and jack:
                assert jack in start.hands[(start.dealer + 1 + place) % rules.players]
        right[seen.right] += 1
    assert set(range(rules.players)) <= set(right)
    assert None in right, "the right bower itself is turned up now and then"
