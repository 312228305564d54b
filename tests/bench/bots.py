"""How strong the bots are and how fast they think; ``make bench-bots``, or ``--quick`` for a minute.

Strength is signed points a deal of one side, every deal played twice with the sides changed, with
95 % intervals; all at 0-0. Time is CPU time of this process. What others are compared with:

- the hand-made weights that the rule bot had before any were measured or tuned (``UNTUNED``);
- the computer player of ``euchre-cli`` (tests/bench/others.py), on ours: it knows no lone hands;
- OpenSpiel's ISMCTS with 200 playouts a move, on its own rules (tests/engine/test_openspiel.py).
  Its resampling keeps the true kitty, so it sees more than it should.

What is asked for stands beside each figure. The choices in a process of its own are followed by those
of 50 tables of bots on a site (tests/bench/bot_tables.py), where the load of the machine counts.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from math import sqrt
from statistics import mean

from games.bots import LEVELS, strong, worlds
from games.bots.strong import Strong
from games.bots.weights import TUNED, Weights
from games.engine import PRESETS, Action, DealState, Rules, SeatView, apply, pack, start_deal, view
from tests.bench import bot_tables
from tests.bench.duplicate import between, by_rule, played
from tests.bench.others import EuchreCli
from tests.bots.test_playout import keep_in_step

UNTUNED = Weights(
    first_round=(640, 560, 660, 580),
    second_round=(560, 600, 620, 600),
    next_suit=50,
    cross=30,
)
PEOPLE = {
    "eldest, round 1": 5, "partner, round 1": 17, "pone, round 1": 5, "dealer, round 1": 30,
    "eldest, round 2": 18, "partner, round 2": 11, "others": 14,
}  # fmt: skip
"""Who calls, in 100 deals of people (public)."""


def strength(rules: Rules, name: str, pairs: int, seconds: float) -> None:
    club, asked = LEVELS["club"].bot, {"strong": "asked +0.12, all above +0.09", "learner": "asked below 0"}
    for level in ("strong", "learner"):
        gain, interval, count = between(rules, LEVELS[level].bot, club, pairs, seconds=seconds)
        print(f"{level} against club, {name}: {told(gain, interval, count)}; {asked[level]}, "
              f"sigmas {abs(gain) / interval * 1.96:.1f} (asked 3)", flush=True)  # fmt: skip
    gain, error = by_rule(rules, TUNED, UNTUNED, 200_000, 7)
    print(f"rule bot tuned against untuned, {name}: {gain:+.4f} ± {1.96 * error:.4f} (200,000 pairs; asked +0.04)")


def told(gain: float, interval: float, count: int) -> str:
    return f"{gain:+.3f} ± {interval:.3f} points a deal ({count:,} pairs)"


def against_euchre_cli(rules: Rules, name: str, pairs: int, seconds: float) -> None:
    try:
        other = EuchreCli()
    except ImportError:
        print("euchre-cli is not installed, and so not compared")
        return
    for level in ("strong", "club"):
        found = between(rules, LEVELS[level].bot, other, pairs, seconds=seconds)
        asked = "; asked +0.55" if level == "strong" else ""
        print(f"{level} against euchre-cli, {name}: {told(*found)}{asked}", flush=True)


def latency() -> None:
    for number in (200, 1000):
        bot, taken = Strong(number), defaultdict(list)

        def watch(state: DealState, seen: SeatView, action: Action, cpu: float, taken=taken) -> None:
            if state.turn is not None and state.turn % 2 == 0:
                taken[state.phase].append(cpu * 1000)

        between(PRESETS["article"], bot, LEVELS["club"].bot, 15, watch=watch)
        for phase, times in sorted(taken.items()):
            times.sort()
            p95 = times[int(0.95 * len(times))]
            asked = "; asked below 5" if number == 1000 else ""
            print(f"{number} deals a decision, {phase}: mean {mean(times):.2f} ms, p95 {p95:.2f} ms of CPU{asked}")


def statistics(deals: int) -> None:
    rows = played(PRESETS["article"], (TUNED, TUNED), 3, deals)
    called = rows[rows[:, 0] >= 0]
    print(f"\nThe rule bot against itself, {deals:,} deals:")
    print(f"going alone {100 * (called[:, 2] > 0).mean():.1f} %, euchred {100 * (called[:, 4] < 3).mean():.1f} %, "
          f"march {100 * (called[:, 4] == 5).mean():.1f} % of the deals played")  # fmt: skip
    spread = (rows[:, 5] - rows[:, 6]).std()
    print(f"spread of the points of a deal {spread:.3f} (people 1.665)")
    who = Counter((int(row[0]), bool(row[1] == 3)) for row in called)
    names = ("eldest", "partner", "pone", "dealer")
    for (place, second), count in sorted(who.items(), key=lambda each: (each[0][1], each[0][0])):
        name = f"{names[place]}, round {1 + second}"
        public = f" (people {PEOPLE[name]} %)" if name in PEOPLE else ""
        print(f"  {name}: {100 * count / deals:.1f} %{public}")


def honesty(views: int) -> None:
    """A choice with all cards that cannot be seen dealt anew."""
    rng, done, changed, bot = random.Random(5), 0, 0, Strong()
    while done < views:
        state = start_deal(PRESETS["article"], rng.randrange(4), rng.sample(pack(), 24))
        while state.turn is not None and done < views:
            seen = view(state, state.turn)
            if len(seen.legal_actions) > 1:
                (other,) = worlds.sample(seen, rng)
                changed += bot.choose(view(other, state.turn), random.Random(1)) != bot.choose(seen, random.Random(1))
                done += 1
            state = apply(state, LEVELS["club"].bot.choose(seen, rng))
    print(f"choices changed by dealing anew what cannot be seen: {changed} of {done:,}")


def against_openspiel(pairs: int, seconds: float, stick: bool, playouts: int = 200) -> None:
    import pyspiel

    from tests.engine.test_openspiel import dealt, number

    game = pyspiel.load_game("euchre", {"allow_lone_defender": False, "stick_the_dealer": stick})
    rules = Rules(stick_the_dealer=stick, dealer_exchange="mandatory", alone_who="maker_only",
                  lone_lead="left_of_dealer", lone_defender="4", claim=False)  # fmt: skip
    rng, bot, gains, began = random.Random(9), LEVELS["strong"].bot, [], time.monotonic()
    for pair in range(pairs):
        if time.monotonic() - began > seconds:
            break
        deck, gain = rng.sample(pack(), 24), 0
        for side in (0, 1):
            ours = start_deal(rules, pair % 4, deck)
            theirs = dealt(game, ours)
            searcher = pyspiel.ISMCTSBot(pair, pyspiel.RandomRolloutEvaluator(1, pair), 2.0, playouts)
            while ours.turn is not None:
                may = {number(action, ours.up_card): action for action in ours.legal}
                if ours.turn % 2 == side:
                    action = bot.choose(view(ours, ours.turn), rng)
                    chosen = number(action, ours.up_card)
                    if ours.phase == "exchange" and action.card == ours.up_card:  # not allowed there
                        chosen = next(each for each in may if may[each].card != ours.up_card)
                else:
                    chosen = searcher.step(theirs)
                ours = apply(ours, may[chosen])
                theirs.apply_action(chosen)
            gain += ours.points[side] - ours.points[1 - side]
        gains.append(gain / 2)
    spread = sqrt(mean((gain - mean(gains)) ** 2 for gain in gains))
    name = "stick" if stick else "no stick"
    print(f"strong against OpenSpiel's ISMCTS-{playouts}, {name}: {mean(gains):+.3f} ± "
          f"{1.96 * spread / sqrt(len(gains)):.3f} ({len(gains):,} pairs; asked +0.15)", flush=True)  # fmt: skip


def outcomes(deals: int) -> dict[bool, tuple[int, ...]]:
    """The table of :mod:`games.bots.winning`: of 10,000 deals, what they bring the dealer's side."""
    found = {}
    for stick, preset in ((False, "article"), (True, "tournament_scene")):
        counts: Counter[int] = Counter()
        for place, _up, _lone, _defended, tricks, even, odd, _third in played(
            PRESETS[preset], (TUNED, TUNED), 11, deals
        ).tolist():
            gains = (place in (1, 3)) == (tricks >= 3)
            counts[max(even, odd) if gains else -max(even, odd)] += 1
        found[stick] = tuple([round(10_000 * counts[points] / deals) for points in (-4, -2, -1, 0, 1, 2, 4)])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bots", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about a minute")
    parser.add_argument("--seconds", type=float, default=300, help="at most, for each comparison with the strongest")
    parser.add_argument("--outcomes", action="store_true", help="only the table of games.bots.winning")
    options = parser.parse_args()
    if not strong.warm():
        raise SystemExit("numba is not installed")
    if options.outcomes:
        print(outcomes(1_000_000))
        return
    quick = options.quick
    seconds, pairs = (6.0, 300) if quick else (options.seconds, 5000)
    for rules, name in ((PRESETS["article"], "no stick"), (PRESETS["tournament_scene"], "stick")):
        strength(rules, name, pairs, seconds)
        against_euchre_cli(rules, name, 200 if quick else 2000, seconds / 4)
    for stick in (False, True):
        against_openspiel(1000, seconds / 2, stick)
    latency()
    print(bot_tables.measure(seconds=10 if quick else 60))
    print("(asked: p95 below 25 ms wall, below 150 ms after the pause)", flush=True)
    statistics(20_000 if quick else 200_000)
    honesty(300 if quick else 10_000)
    rng = random.Random(1)
    deals = 200 if quick else 100_000
    for _ in range(deals):
        keep_in_step(rng)
    print(f"play-out and engine in step on {deals:,} deals under random rules")


if __name__ == "__main__":
    main()
