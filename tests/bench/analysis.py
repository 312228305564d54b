"""How long the post-mortem of a whole game takes, compiled and in plain Python.

``python -m tests.bench.analysis`` runs it. Games of twelve deals of 24 cards, played by the rule bot
with one action in six at random. What counts is CPU time of one core, the median of some games; the
first analysis of a process, which loads what is compiled, is told apart.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from statistics import median
from time import process_time

from games import engine
from games.bots import analysis, get_bot
from games.engine import PRESETS, Action, DealState

GAMES, DEALS = 5, 12
TARGET = 2.0
"""CPU seconds a game."""


@dataclass
class Speed:
    game: float
    """CPU seconds, median."""
    decisions: int
    """With a choice, in the median game."""
    start: float
    """CPU seconds until the first deal is analysed."""
    compiled: bool


def measure(games: int = GAMES) -> Speed:
    rng = random.Random(1)
    played = [[_deal(rng, number) for number in range(DEALS)] for _ in range(games)]
    begun = process_time()
    compiled = analysis.warm()
    analysis.analyse(*played[0][0])
    start = process_time() - begun
    times, decisions = [], []
    for deals in played if compiled else played[:1]:
        begun = process_time()
        found = [analysis.analyse(*deal) for deal in deals]
        times.append(process_time() - begun)
        decisions.append(sum(len(one.decisions) for one in found))
    return Speed(median(times), round(median(decisions)), start, compiled)


def _deal(rng: random.Random, number: int) -> tuple[DealState, list[Action]]:
    bot = get_bot("fill_in")
    rules = PRESETS["article"]
    first = state = engine.start_deal(rules, number % 4, tuple(rng.sample(engine.pack(), 24)))
    while state.turn is not None:
        random_action = rng.random() < 1 / 6
        action = rng.choice(state.legal) if random_action else bot.choose(engine.view(state, state.turn), rng)
        state = engine.apply(state, action)
    return first, [action for _seat, action in state.history]


def report(found: Speed) -> str:
    how = "compiled" if found.compiled else "plain Python (no numba)"
    return (
        f"Analysis of a game of {DEALS} deals, {how}: {found.game:.2f} s of CPU for {found.decisions} decisions "
        f"(target {TARGET} s compiled), first deal of a process {found.start:.1f} s"
    )


if __name__ == "__main__":
    speed = measure()
    print(json.dumps(vars(speed)) if "--json" in sys.argv else report(speed))
