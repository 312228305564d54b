"""Duplicate pairs: every deal played twice with the sides changed, signed points of one side a deal."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from math import sqrt

from games.bots import Bot, encoding, kernel, layout, rollout, weights
from games.bots.weights import Weights
from games.engine import Action, DealState, Rules, SeatView, apply, pack, start_deal, view


def by_rule(rules: Rules, one: Weights, other: Weights, pairs: int, seed: int) -> tuple[float, float]:
    """What the rule bot gains a deal by some weights, and the standard error; four players, compiled."""
    import numpy

    first, second = (played(rules, each, seed, pairs) for each in ((one, other), (other, one)))
    gains = (first[:, 5] - first[:, 6] - second[:, 5] + second[:, 6]) / 2
    return float(gains.mean()), float(gains.std() / numpy.sqrt(pairs))


def played(rules: Rules, sides: tuple[Weights, Weights], seed: int, deals: int):  # type: ignore[no-untyped-def]
    """Deals between rule bots, compiled: a row of :data:`games.bots.rollout.RECORD` for each."""
    import numpy

    told = [encoding.rules_row(rules), *[weights.row(rules, side) for side in sides], [seed], [0] * layout.LENGTH]
    records = numpy.zeros(deals * rollout.RECORD, numpy.int64)
    kernel.play_deals(*[numpy.array(row, numpy.int64) for row in told], records, deals)
    return records.reshape(deals, rollout.RECORD)


Watch = Callable[[DealState, SeatView, Action, float], None]
"""Is told of every choice among several: the state, the view, the action, CPU seconds."""


def play_deal(
    rules: Rules,
    dealer: int,
    deck: tuple[str, ...],
    bots: tuple[Bot, Bot],
    rng: random.Random,
    watch: Watch | None = None,
) -> DealState:
    """One deal at 0-0, even seats the first bot."""
    state = start_deal(rules, dealer, deck)
    while state.turn is not None:
        seen = view(state, state.turn)
        began = time.process_time()
        action = bots[state.turn % 2].choose(seen, rng)
        if watch and len(seen.legal_actions) > 1:
            watch(state, seen, action, time.process_time() - began)
        state = apply(state, action)
    return state


def between(
    rules: Rules, one: Bot, other: Bot, pairs: int, seed: int = 1, seconds: float = 1e9, watch: Watch | None = None
) -> tuple[float, float, int]:
    """What one bot gains a deal on another, half of the 95 % interval, and the pairs played in the time."""
    rng, began, gains = random.Random(seed), time.monotonic(), []
    while len(gains) < pairs and time.monotonic() - began < seconds:
        deck, dealer = tuple(rng.sample(pack(rules.pack), rules.pack)), len(gains) % 4
        gain = 0
        for bots, sign in (((one, other), 1), ((other, one), -1)):
            points = play_deal(rules, dealer, deck, bots, random.Random(len(gains)), watch).points
            gain += sign * (points[0] - points[1])
        gains.append(gain / 2)
    mean = sum(gains) / len(gains)
    spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / len(gains))
    return mean, 1.96 * spread / sqrt(len(gains)), len(gains)
