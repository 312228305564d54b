"""A golden record per phase and per preset: a record made by today's engine, and the state it
must always give. A change here rewrites the history of every stored game, so look twice.

``python -m tests.engine.test_golden`` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from games.engine import PRESETS, DealState, Phase, format_actions, format_game, parse_game, replay, view

GOLDEN = Path(__file__).parent / "golden"


def described(state: DealState) -> str:
    """A state, and what seat 1 and a spectator know of it, one fact a line."""
    facts = [f"{name}: {_text(value)}" for name, value in state._asdict().items() if name != "rules"]
    facts.append(f"passed_out: {_text(state.passed_out)}")
    for label, seat in (("seat 1", 1), ("spectator", None)):
        seen = view(state, seat)
        facts.append(f"{label} hand: {_text(seen.hand)}")
        facts.append(f"{label} history: {format_actions(action for _seat, action in seen.history)}")
        facts.append(f"{label} may: {_text(seen.legal_actions)}")
    return "".join(fact.rstrip() + "\n" for fact in facts)


def _text(value: object) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], str) and hasattr(value, "kind"):
        return str(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_text, value)) + ")"
    return str(value)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_golden_record_still_gives_the_same_state(path):
    record, state = path.read_text().split("\n\n")
    parsed = parse_game(record + "\n")
    assert format_game(parsed) == record + "\n"
    assert described(replay(parsed).deals[-1]) == state


def test_every_phase_and_every_preset_has_a_golden_record():
    deals = [replay(parse_game(path.read_text().split("\n\n")[0] + "\n")).deals[-1] for path in GOLDEN.iterdir()]
    assert {deal.phase for deal in deals} == set(get_args(Phase))
    assert {deal.rules for deal in deals if deal.phase == "done"} >= set(PRESETS.values())


if __name__ == "__main__":
    for path in GOLDEN.glob("*.txt"):
        record = path.read_text().split("\n\n")[0].rstrip("\n") + "\n"
        path.write_text(record + "\n" + described(replay(parse_game(record)).deals[-1]))
