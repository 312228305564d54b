"""What holds for every deal under every rules (rules.md section 4), worked out apart from the engine."""

from __future__ import annotations

from collections import Counter

from games.engine import DealState, pack


def cards_add_up(state: DealState) -> None:
    """Every card of the pack lies in exactly one place."""
    places = [*state.kitty, *(card for hand in state.hands for card in hand)]
    places += [card for _seat, card in state.trick]
    places += [card for trick in state.tricks for _seat, card in trick.plays]
    places += [card for _seat, card in state.put_away]
    if state.up_card_state not in ("taken", "given"):
        places.append(state.up_card)
    assert sorted(places) == sorted(pack(state.rules.pack))


def points_add_up(state: DealState) -> None:
    """Five tricks, and the points of section 4.6, V4 and V5."""
    rules, sides = state.rules, state.rules.sides
    claimed = state.phase == "done" and state.history[-1][1].kind == "claim"
    assert len(state.points) == len(state.tricks_won) == sides
    assert sum(state.tricks_won) == (5 if claimed else len(state.tricks))
    if state.phase != "done" or state.maker is None:
        owed = rules.all_pass_penalty if state.passed_out else 0
        assert state.points == tuple(owed * (side != state.dealer % sides) for side in range(sides))
        return
    winners = Counter(trick.winner % sides for trick in state.tricks)
    if claimed:
        winners[state.history[-1][0] % sides] += 5 - len(state.tricks)
    assert state.tricks_won == tuple(winners[side] for side in range(sides))
    makers = state.maker % sides
    m, lone = winners[makers], {seat % sides for seat in state.loners}
    if m >= 3:
        march = 4 if makers in lone else 3 if rules.players == 3 else 2
        expected = [(march if m == 5 else 1) * (side == makers) for side in range(sides)]
    else:
        if lone - {makers}:
            euchre = 4 if m == 0 or rules.lone_defender == "4" else 2
        elif m == 0 and rules.super_euchre:
            euchre = 4
        else:
            euchre = rules.lone_euchred if makers in lone else 2
        expected = [euchre * (side != makers) for side in range(sides)]
    assert state.points == tuple(expected)
