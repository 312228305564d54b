"""Games of every preset (2,000 in a thorough run), and sets of house rules (20,000): none of them fails
or stalls."""

from __future__ import annotations

import random

import pytest

from games.engine import (
    PRESETS,
    Match,
    Rules,
    apply,
    dealer_after,
    format_actions,
    format_deck,
    format_rules,
    pack,
    parse_rules,
    start_deal,
    winner,
)
from tests.engine.any_rules import random_rules
from tests.engine.promises import cards_add_up, points_add_up
from tests.scale import scale

GAMES = scale(2_000)
OPTION_SETS = scale(20_000)
LONGEST = 400
"""Bytes of a stored deal: deck and actions."""


def random_deal(rules: Rules, dealer: int, rng: random.Random):
    deck = list(pack(rules.pack))
    rng.shuffle(deck)
    state = start_deal(rules, dealer, deck)
    while state.legal:
        state = apply(state, rng.choice(state.legal))
    cards_add_up(state)
    points_add_up(state)
    return deck, state


@pytest.mark.parametrize("preset", PRESETS)
def test_games_of_each_preset_come_to_an_end(preset):
    rules = PRESETS[preset]
    rng = random.Random(preset)
    match = Match((0,) * rules.sides, (0,) * rules.sides)
    for _ in range(GAMES):
        score, dealer, counted = match.carry, rng.randrange(rules.players), 0
        while winner(score, rules, counted) is None:
            _deck, state = random_deal(rules, dealer, rng)
            score = tuple(map(sum, zip(score, state.points, strict=True)))
            dealer = dealer_after(state)
            counted += not state.redeal
        match = match.after(score, rules)
    assert sum(match.games_won) >= GAMES


def test_sets_of_house_rules_are_played_and_recorded():
    rng = random.Random(3)
    seen = set()
    for _ in range(OPTION_SETS):
        rules = random_rules(rng)
        seen.add(rules)
        assert parse_rules(format_rules(rules)) == rules
        deck, state = random_deal(rules, rng.randrange(rules.players), rng)
        record = f"{format_deck(deck)} {format_actions(action for _seat, action in state.history)}"
        assert len(record) < LONGEST
    assert len(seen) > OPTION_SETS * 0.9
