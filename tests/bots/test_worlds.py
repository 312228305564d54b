"""Sampled deals: in agreement with all that a seat knows, and with nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games import bots
from games.bots import worlds
from games.engine import DealState, Rules, apply, legal_actions, pack, start_deal, view
from tests.engine.any_rules import random_rules

RULE_BOT = bots.get_bot(bots.FILL_IN)


def dealt(rules: Rules, rng: random.Random) -> DealState:
    return start_deal(rules, rng.randrange(rules.players), rng.sample(pack(rules.pack), rules.pack))


def moments(rules: Rules, rng: random.Random, foolish: float = 0.3) -> Iterator[DealState]:
    """All states of a deal by the rule bot, which errs this often."""
    state = dealt(rules, rng)
    while state.turn is not None:
        yield state
        legal = legal_actions(state)
        seen = view(state, state.turn)
        state = apply(state, rng.choice(legal) if rng.random() < foolish else RULE_BOT.choose(seen, rng))


def cards(state: DealState) -> list[str]:
    """Every card wherever it lies."""
    found = [card for hand in state.hands for card in hand] + [card for _, card in state.put_away]
    found += [card for trick in state.tricks for _, card in trick.plays] + [card for _, card in state.trick]
    return [*found, *state.kitty, *({state.up_card} - {*found})]


def test_under_any_rules_a_sampled_deal_looks_to_the_seat_as_the_true_one():
    rng = random.Random(41)
    for _ in range(120):
        rules = random_rules(rng)
        for state in moments(rules, rng):
            assert state.turn is not None
            seen = view(state, state.turn)
            if state.phase in ("weak", "swap") or not seen.hand:
                with pytest.raises(worlds.Unknowable):
                    worlds.sample(seen, rng)
                continue
            (sampled,) = worlds.sample(seen, random.Random(7))
            assert view(sampled, state.turn) == seen
            assert sorted(cards(sampled)) == sorted(pack(rules.pack))
            assert worlds.sample(seen, random.Random(7)) == [sampled]


def test_it_is_not_guessed_what_somebody_else_must_decide():
    state = dealt(Rules(), random.Random(1))
    assert state.turn is not None
    with pytest.raises(worlds.Unknowable):
        worlds.sample(view(state, (state.turn + 1) % 4), random.Random(1))
