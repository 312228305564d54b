"""Tune the weights of the rule bot: one number changed, the bot against itself on duplicate deals.

``python -m tests.bench.tune`` takes some minutes and prints what it found; nothing is changed. A
change stays if it gains more than twice its standard error. What is left alone: the bar of going
alone, which is not only about points (see :mod:`games.bots.weights`), and all that other numbers
of players, other packs and no-trump need.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from games.bots.weights import TUNED, Weights
from games.engine import PRESETS
from tests.bench.duplicate import by_rule

RULES = PRESETS["article"], PRESETS["tournament_scene"]
NUMBERS: dict[str, tuple[int, ...]] = {
    "trumps": (2, 3, 5, 6, 7, 8, 9),
    "first_round": (0, 1, 2, 3),
    "second_round": (0, 1, 2, 3),
    "ace": (),
    "bare_king": (),
    "void_suit": (),
    "up_share": (),
    "next_suit": (),
    "cross": (),
}
"""What is tuned, and of rows which places."""


def changed(weights: Weights, name: str, place: int | None, step: int) -> Weights:
    value = getattr(weights, name)
    if place is None:
        return replace(weights, **{name: value + step})
    return replace(weights, **{name: (*value[:place], value[place] + step, *value[place + 1 :])})


def tune(weights: Weights, steps: tuple[int, ...], pairs: int) -> Iterator[tuple[Weights, str]]:
    number = 0
    for step in steps:
        for name, places in NUMBERS.items():
            for place in places or (None,):
                for way in (step, -step):
                    while True:
                        tried = changed(weights, name, place, way)
                        number += 1
                        found = [by_rule(rules, tried, weights, pairs, number) for rules in RULES]
                        gain, error = (sum(each) / 2 for each in zip(*found, strict=True))
                        if gain <= 1.4 * error:
                            break
                        weights = tried
                        yield (
                            weights,
                            f"{name} {'' if place is None else place} {way:+}: {gain:+.4f} ± {1.96 * error:.4f}",
                        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tune", description=__doc__)
    parser.add_argument("--pairs", type=int, default=60_000)
    options = parser.parse_args()
    weights = TUNED
    for weights, text in tune(TUNED, (40, 15), options.pairs):
        print(text, flush=True)
        print("   ", weights, flush=True)
    for rules in RULES:
        gain, error = by_rule(rules, weights, TUNED, 500_000, 99)
        print(f"against the weights it began with: {gain:+.4f} ± {1.96 * error:.4f}")


if __name__ == "__main__":
    main()
