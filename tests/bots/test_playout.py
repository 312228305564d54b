"""The play-out on integers: in every step what the engine does, and what the rule bot would do."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games import bots
from games.bots import encoding, layout, playout, rollout, thumb, weights
from games.engine import PRESETS, apply, legal_actions, view
from tests.bots.test_worlds import dealt
from tests.engine.any_rules import random_rules
from tests.scale import scale

RULE_BOT = bots.get_bot(bots.FILL_IN)
UNSET_BEFORE_LEAD = {layout.LED, layout.BEST, layout.WINNER}
KITTY = {layout.SECOND, layout.THIRD}


def keep_in_step(rng: random.Random) -> Counter[str]:
    """One deal under random rules and at a random score, half of its actions foolish."""
    rules, seen_phases = random_rules(rng), Counter[str]()
    state, row = dealt(rules, rng), None
    score = tuple(rng.randrange(rules.target_score) for _ in range(rules.sides))
    told, by = encoding.rules_row(rules), weights.row(rules)
    while state.turn is not None:
        if state.phase in ("weak", "swap"):
            state = apply(state, rng.choice(legal_actions(state)))
            continue
        seen_phases[state.phase] += 1
        seen, truth = view(state, state.turn, score), encoding.deal_row(state, score)
        row = row or truth
        ignored = KITTY if state.trick else KITTY | UNSET_BEFORE_LEAD
        assert not [at for at in range(layout.LENGTH) if row[at] != truth[at] and at not in ignored], (rules, state)
        code = thumb.choose(row, told, by)
        thought = RULE_BOT.choose(seen, rng)
        assert thought in legal_actions(state), (rules, state)
        assert len(seen.legal_actions) == 1 or encoding.code_of(thought, state.trump) == code, (rules, state)
        action = thought if rng.random() < 0.5 else rng.choice(legal_actions(state))
        playout.act(row, told, encoding.code_of(action, state.trump))
        state = apply(state, action)
    if row:
        assert row[layout.PHASE] == layout.DONE
        assert tuple(row[layout.POINTS : layout.POINTS + rules.sides]) == state.points
        assert tuple(row[layout.TRICKS : layout.TRICKS + rules.sides]) == state.tricks_won
    return seen_phases


def test_it_keeps_in_step_with_the_engine_under_random_rules():
    rng, phases = random.Random(51), Counter[str]()
    for _ in range(scale(100_000, daily=300)):
        phases += keep_in_step(rng)
    assert set(phases) == {"benny", "bid1", "exchange", "bid2", "dummy", "alone", "best", "play"}


def test_compiled_and_plain_play_the_same_deals():
    numpy = pytest.importorskip("numpy")
    kernel = pytest.importorskip("games.bots.kernel", exc_type=ImportError)
    rng, deals = random.Random(53), scale(100, daily=40)
    for rules in (*PRESETS.values(), *(random_rules(rng) for _ in range(scale(1_000, daily=20)))):
        told, by = encoding.rules_row(rules), weights.row(rules)
        plain, empty = [0] * (rollout.RECORD * deals), [0] * layout.LENGTH
        chance = [2**61 + 5]
        rows = [numpy.array(row, numpy.int64) for row in (told, by, by, chance, empty, plain)]
        rollout.play_deals(told, by, by, chance, empty, plain, deals)
        kernel.play_deals(*rows, deals)
        assert rows[-1].tolist() == plain and rows[3].tolist() == chance


def test_the_tuned_weights_beat_those_set_by_hand():
    """`make bench-bots` measures by how much."""
    pytest.importorskip("games.bots.kernel", exc_type=ImportError)
    from tests.bench.duplicate import by_rule

    gain, error = by_rule(PRESETS["article"], weights.TUNED, weights.ELSEWHERE, 20_000, 17)
    assert gain > 0.02 > 4 * error
