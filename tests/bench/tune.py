"""Tune the weights of the rule bot: what makes a call worth more than a pass, place by place.

``python -m tests.bench.tune`` takes some ten minutes and prints what it found; nothing is changed.
At each place deals are stopped where the seat must call or pass, and both are tried on deals that
agree with its view (:func:`games.bots.strong.values`). What a call brings more is fitted, by least
squares where the choice is close, to what the hand holds; hand and bar follow. Each is printed
with what it gains on deals of its own, and stays if that is more than chance. What is left alone:
the bar of going alone, which is not only about points, nor the one of eldest in the second round
(see :mod:`games.bots.weights`), the second round of the others, who seldom get there, and all that
other numbers of players, other packs and no-trump need.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from games.bots import LEVELS, encoding, strong
from games.bots.weights import TUNED, Hand, Weights
from games.engine import PRESETS, DealState, apply, effective_suit, pack, parse_action, start_deal, view
from tests.bench.duplicate import by_rule

RULES = PRESETS["article"]
RANKS = (2, 3, 5, 6, 7, 8, 9)
"""Nine to ace and the bowers, as places of a hand's trumps."""
UP_RANKS = (3, 5, 6, 7, 9)
A_TRUMP = 155
"""What a trump counts on the average: it fixes the scale."""
WORLDS = 40
CLUB = LEVELS["club"].bot


def openings(place: int, second: bool, number: int, rng: random.Random) -> Iterator[DealState]:
    """Deals in which a place, 0 eldest to 3 the dealer, must call or pass."""
    while number:
        state = start_deal(RULES, rng.randrange(4), rng.sample(pack(), 24))
        for _ in range(4 * second + place):
            assert state.turn is not None
            if CLUB.choose(view(state, state.turn), rng).kind != "pass":
                break
            state = apply(state, parse_action("pass"))
        else:
            number -= 1
            yield state


def called(state: DealState, call: str) -> DealState:
    """After a call, the dealer's discard made."""
    state = apply(state, parse_action(call))
    return (
        apply(state, CLUB.choose(view(state, state.dealer), random.Random(0))) if state.phase == "exchange" else state
    )


def holds(state: DealState, seat: int) -> list[float]:
    """Of a hand: its trumps by rank, aces, kings without them, voids where there is something to ruff with."""
    cards = encoding.cards_row(state.hands[seat], state.trump)
    trumps, sides = cards >> 27, [cards >> shift & 0xFF for shift in (0, 9, 18)]
    voids = sum([not side for side in sides]) if trumps & (trumps - 1) else 0
    aces, kings = sum([side >> 7 for side in sides]), sum([side >> 6 == 1 for side in sides])
    return [*[float(trumps >> rank & 1) for rank in RANKS], float(aces), float(kings), float(voids)]


def tried(place: int, second: bool, number: int, rng: random.Random) -> tuple[list[list[float]], list[float]]:
    """What each call has to go by, and what it brings more than a pass."""
    rows, gains = [], []
    for state in openings(place, second, number, rng):
        seat = state.turn
        assert seat is not None
        found = strong.values(view(state, seat), rng, WORLDS)
        for action, value in found.items():
            if action.kind not in ("order_up", "call"):
                continue
            after = called(state, str(action))
            up_card = encoding.cards_row([state.up_card], after.trump)
            if second:
                colour = effective_suit("J" + state.up_card[1], after.trump) == after.trump
                known = [float(colour)]
            else:
                known = [] if place == 3 else [float(up_card >> 27 + rank & 1) for rank in UP_RANKS]
            rows.append([*holds(after, seat), *known, 1.0])
            gains.append(value.points - found[parse_action("pass")].points)
    return rows, gains


def tried_alone(number: int, rng: random.Random) -> tuple[list[list[float]], list[float]]:
    """The same of going alone, by who holds the best trump."""
    rows, gains = [], []
    while len(rows) < number:
        state = start_deal(RULES, rng.randrange(4), rng.sample(pack(), 24))
        while state.phase in ("bid1", "exchange", "bid2"):
            assert state.turn is not None
            state = apply(state, CLUB.choose(view(state, state.turn), rng))
        if state.phase == "alone" and state.turn == state.maker and holds(state, state.turn)[6]:
            found = strong.values(view(state, state.turn), rng, WORLDS)
            rows.append([*holds(state, state.turn), 1.0])
            gains.append(found[parse_action("alone")].points - found[parse_action("together")].points)
    return rows, gains


def fitted(rows: list[list[float]], gains: list[float]) -> Any:
    """Least squares, again and again with more weight on what is nearly level."""
    import numpy

    held, gained = numpy.array(rows), numpy.array(gains)
    close = numpy.exp(-((gained / 1.5) ** 2))
    for _ in range(6):
        by = (held.T * close) @ held + 1e-6 * numpy.eye(held.shape[1])
        fit = numpy.linalg.solve(by, (held.T * close) @ gained)
        close = numpy.exp(-((held @ fit / 0.4) ** 2)) + 1e-3
    return [round(float(each)) for each in fit * A_TRUMP / abs(fit[:7]).mean()]


def hand_of(fit: list[int]) -> Hand:
    trumps = [0] * 11
    for rank, worth in zip(RANKS, fit, strict=False):
        trumps[rank] = worth
    return Hand(tuple(trumps), *fit[7:10])


def put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])


def found_at(weights: Weights, place: int, second: bool, number: int, rng: random.Random) -> Weights:
    fit = fitted(*tried(place, second, number, rng))
    if second:
        return replace(weights, second_hands=put(weights.second_hands, place, hand_of(fit)), next_suit=fit[10])
    bars = put(weights.first_round, place, -fit[-1])
    found = replace(weights, first_hands=put(weights.first_hands, place, hand_of(fit)), first_round=bars)
    if place == 3:
        return found
    up_card = [0] * 11
    for rank, worth in zip(UP_RANKS, fit[10:], strict=False):
        up_card[rank] = worth
    return replace(found, up_ours=tuple(up_card)) if place == 1 else replace(found, up_theirs=tuple(up_card))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tune", description=__doc__)
    parser.add_argument("--deals", type=int, default=30_000, help="for each place")
    options = parser.parse_args()
    if not strong.warm():
        raise SystemExit("numba is not installed")
    weights, rng = TUNED, random.Random(7)
    steps = [(place, False) for place in (3, 1, 0, 2)] + [(0, True)]
    for number, (place, second) in enumerate(steps):
        tuned = found_at(weights, place, second, options.deals, rng)
        gain, error = by_rule(RULES, tuned, weights, 200_000, 100 + number)
        print(f"place {place}, round {1 + second}: {gain:+.4f} ± {1.96 * error:.4f}", flush=True)
        weights = tuned if gain > 2 * error else weights
    print(weights)
    print("going alone, with its bar last:", fitted(*tried_alone(options.deals, rng)))
    gain, error = by_rule(RULES, weights, TUNED, 500_000, 99)
    print(f"against the weights it began with: {gain:+.4f} ± {1.96 * error:.4f}")


if __name__ == "__main__":
    main()
