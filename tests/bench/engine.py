"""How many random complete deals a second the engine plays, side by side with others in one run.

``make bench`` runs this first; ``python -m tests.bench.engine`` runs nothing else. Every engine is
driven by its public interface: ask what may be done, do one of it at random, until the deal is
done. What counts is CPU time of this process. The decks of our engine and of OpenSpiel are
shuffled beforehand; the others shuffle their own, a tenth of their time or less.

- OpenSpiel's ``euchre`` is C++ behind Python. It has no partner's alone, no exchange to decline
  and by default no lone defender (tests/engine/test_openspiel.py lists all).
- ``euchre-cli`` is a game for the terminal: its output is switched off and its players choose at
  random. It knows no lone hands and deals anew where all pass.
- ``euchrelib`` keeps the state of a game and checks nothing: the bench follows suit for it, and
  clears the trick, which it leaves to its caller. It knows neither discards nor lone hands.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median
from time import process_time

from games.engine import (
    PRESETS,
    Rules,
    apply,
    format_actions,
    format_deck,
    legal_actions,
    pack,
    start_deal,
)

ROUNDS, DEALS = 9, 600
TARGET, IMPORT_TARGET, RECORD_TARGET = 12_000, 50.0, 400
"""Deals a second on an idle machine, milliseconds, bytes."""

OPENSPIEL_THERE = 35_700
"""Deals a second of OpenSpiel on the machine for which the target was set: machines differ, the ratio hardly."""

OURS = "article"

Play = Callable[[random.Random], int]
"""Plays one deal and returns how many actions it took."""


@dataclass
class Engine:
    """What the run found about the engine, and about others where they are installed."""

    rates: dict[str, float] = field(default_factory=dict)
    """Deals a second of CPU time by engine or preset."""
    actions: dict[str, float] = field(default_factory=dict)
    """Actions a deal, dealing apart."""
    ratios: dict[str, float] = field(default_factory=dict)
    """Our rate under the article's rules to that of another, median over the rounds."""
    missing: list[str] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)
    """Microseconds a deal by kind of action, article."""
    bytes: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Mean and largest stored deal by preset."""
    import_ms: float = 0.0


def measure(rounds: int = ROUNDS, deals: int = DEALS) -> Engine:
    found = Engine()
    players: dict[str, Callable[[], Play]] = {
        **{name: lambda rules=rules: _ours(rules) for name, rules in PRESETS.items()},
        "article, no claims": lambda: _ours(replace(PRESETS["article"], claim=False)),
        "OpenSpiel": _openspiel,
        "euchre-cli": _euchre_cli,
        "euchrelib": _euchrelib,
    }
    ready: dict[str, Play] = {}
    for name, make in players.items():
        try:
            ready[name] = make()
        except ImportError:
            found.missing.append(name)
    rates: dict[str, list[float]] = defaultdict(list)
    actions: dict[str, int] = defaultdict(int)
    for number in range(rounds):
        for name, play in ready.items():
            rng = random.Random(number)
            count = deals if name in PRESETS or name == "OpenSpiel" else deals // 4
            began = process_time()
            played = [play(rng) for _ in range(count)]
            rates[name].append(count / (process_time() - began))
            actions[name] += sum(played) * deals // count
    for name, found_rates in rates.items():
        found.rates[name] = median(found_rates)
        found.actions[name] = actions[name] / (rounds * deals)
        ratios = [ours / other for ours, other in zip(rates[OURS], found_rates, strict=True)]
        found.ratios[name] = median(ratios)
    found.parts = _parts(PRESETS[OURS])
    found.bytes = {name: _stored(rules) for name, rules in PRESETS.items()}
    found.import_ms = _import_ms()
    return found


def _decks(size: int) -> Iterator[tuple[str, ...]]:
    """Shuffled decks, made before anything is measured, over and over."""
    rng = random.Random(size)
    decks = [tuple(rng.sample(pack(size), size)) for _ in range(997)]
    while True:
        yield from decks


def _ours(rules: Rules) -> Play:
    decks = _decks(rules.pack)
    next(decks)

    def play(rng: random.Random) -> int:
        pick = rng.random
        state = start_deal(rules, int(pick() * rules.players), next(decks))
        actions = 0
        while legal := legal_actions(state):
            state = apply(state, legal[int(pick() * len(legal))])
            actions += 1
        return actions

    return play


def _openspiel() -> Play:
    import pyspiel

    game = pyspiel.load_game("euchre")
    cards = {card: number for number, card in enumerate(rank + suit for rank in "9TJQKA" for suit in "CDHS")}
    decks = ([cards[card] for card in deck[:21]] for deck in _decks(24))
    next(decks)

    def play(rng: random.Random) -> int:
        pick = rng.random
        state = game.new_initial_state()
        state.apply_action(int(pick() * 4))
        for card in next(decks):
            state.apply_action(card)
        actions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(pick() * len(legal))])
            actions += 1
        return actions

    return play


def _euchre_cli() -> Play:
    import euchre.command.play as cli
    from euchre.abstract import Player, Team
    from euchre.util import hand_winner, rotate_dealer
    from loguru import logger

    cli.output = lambda *_words: None
    logger.disable("euchre")
    taken = 0
    pick = random.random

    class Anybody(Player):
        def call_pick_up(self, face_up_card, partner_is_dealer):
            nonlocal taken
            taken += 1
            return pick() < 0.5

        def pick_up_card(self, card):
            nonlocal taken
            taken += 1
            self.hand.append(card)
            return self.hand.pop(int(pick() * 6))

        def call_trump_suit(self, unsuitable):
            nonlocal taken
            taken += 1
            return self.hand[int(pick() * 5)].suit  # to name the suit that was turned down is to pass

        def play_card(self, played_cards, trump_suit):
            nonlocal taken
            taken += 1
            may = [card for card in self.hand if cli.valid_play(card, self.hand, played_cards, trump_suit)]
            return may[int(pick() * len(may))]

    teams = [Team("one"), Team("two")]
    seats = [Anybody(str(seat), teams[seat % 2]) for seat in range(4)]
    seats[-1].is_dealer = True

    def play(rng: random.Random) -> int:
        nonlocal taken, pick
        taken, pick = 0, rng.random
        cli.hand(1, seats, teams)
        hand_winner(teams)
        rotate_dealer(seats)
        return taken

    return play


def _euchrelib() -> Play:
    from euchrelib.deck import Suit
    from euchrelib.game import Game, RoundStatus

    suits = list(Suit)
    game = Game()
    for seat in range(4):
        game.add_player(str(seat), sid=None)

    def play(rng: random.Random) -> int:
        pick = rng.random
        game.start_round()
        taken = 0
        while game.rnd.status != RoundStatus.PLAYING:
            player, up = game.players[game.turn_index], game.rnd.pickup_card.suit
            first = game.rnd.status == RoundStatus.CALLING_PICKUP
            may = [None, up] if first else [None, *(suit for suit in suits if suit != up)]
            suit = may[int(pick() * len(may))]
            taken += 1
            if suit:
                game.call_trump(suit, username=player.name)
            elif not first and game.turn_index == game.rnd.dealer_index:
                return taken
            else:
                game.pass_trump()
        trick, trump = game.rnd.trick, game.rnd.trump
        while not game.rnd.done:
            player = game.players[game.turn_index]
            may = [card for card in player.hand if card.get_effective_suit(trump) == trick.led] or player.hand
            game.play_card(None, may[int(pick() * len(may))], username=player.name)
            taken += 1
            if trick.done:
                trick.clear()
        return taken

    return play


KINDS = {
    **dict.fromkeys(("pass", "order_up", "call"), "bids"),
    **dict.fromkeys(("decline", "discard"), "the exchange"),
    **dict.fromkeys(("alone", "together"), "going alone"),
    **dict.fromkeys(("play", "claim"), "cards played"),
}


def _parts(rules: Rules, deals: int = 400) -> dict[str, float]:
    """Where the time of a deal goes: the same actions again, one kind after the other."""
    rng, decks = random.Random(1), _decks(rules.pack)
    dealt = [next(decks) for _ in range(deals)]
    groups = defaultdict(list)
    for deck in dealt:
        state = start_deal(rules, 0, deck)
        while state.legal:
            action = rng.choice(state.legal)
            groups[KINDS[action.kind]].append((state, action))
            state = apply(state, action)
    jobs: dict[str, Callable[[], object]] = {"dealing": lambda: [start_deal(rules, 0, deck) for deck in dealt]}
    for kind, done in groups.items():
        jobs[kind] = lambda done=done: [apply(state, action) for state, action in done]
    seconds = {kind: min(_seconds(job) for _ in range(5)) for kind, job in jobs.items()}
    return {kind: spent / deals * 1e6 for kind, spent in seconds.items()}


def _seconds(job: Callable[[], object]) -> float:
    began = process_time()
    job()
    return process_time() - began


def _stored(rules: Rules, deals: int = 500) -> tuple[float, int]:
    """Bytes of a deal as it is stored: deck and actions in notation."""
    rng, decks = random.Random(1), _decks(rules.pack)
    sizes = []
    for _ in range(deals):
        deck = next(decks)
        state = start_deal(rules, 0, deck)
        while state.legal:
            state = apply(state, rng.choice([action for action in state.legal if action.kind != "claim"]))
        sizes.append(len(format_deck(deck)) + 1 + len(format_actions(action for _seat, action in state.history)))
    return mean(sizes), max(sizes)


def _import_ms() -> float:
    """CPU milliseconds that a bare interpreter takes to import the engine; the best of seven."""
    code = "from time import process_time as now; t = now(); import games.engine; print((now() - t) * 1000)"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, "-S", "-c", code]
    return min(float(subprocess.run(command, env=env, check=True, capture_output=True).stdout) for _ in range(7))


def text(found: Engine) -> str:
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Engine) -> Iterator[str]:
    yield "The engine: random complete deals a second of CPU time, side by side in this process."
    yield f"{'':<28}{'deals/s':>12}{'actions':>12}{'ours to it':>12}"
    for name, rate in found.rates.items():
        yield f"{name:<28}{rate:>12,.0f}{found.actions[name]:>12.1f}{found.ratios[name]:>12.2f}"
    yield "OpenSpiel is C++ behind Python. euchre-cli knows no lone hands; euchrelib neither these nor discards,"
    yield "and it checks no play: the bench follows suit for it."
    if found.missing:
        yield f"Not installed, and so not compared: {', '.join(found.missing)}."
    reached = "reached" if found.rates[OURS] >= TARGET else "not reached"
    yield f"Asked for on an idle machine: {TARGET:,} deals a second ({reached} in this run)."
    if ratio := found.ratios.get("OpenSpiel"):
        there = ratio * OPENSPIEL_THERE
        yield (
            f"Where OpenSpiel makes {OPENSPIEL_THERE:,}, as when that was asked, this ratio of {ratio:.2f} makes "
            f"{there:,.0f} ({'reached' if there >= TARGET else 'not reached'})."
        )
    whole = sum(found.parts.values())
    parts = ", ".join(f"{kind} {spent:.0f} ({spent / whole:.0%})" for kind, spent in found.parts.items())
    yield f"Where it goes, us a deal: {parts}."
    yield f"Import in a bare interpreter: {found.import_ms:.0f} ms of CPU (at most {IMPORT_TARGET:.0f})."
    sizes = ", ".join(f"{name} {average:.0f} ({most})" for name, (average, most) in found.bytes.items())
    yield f"Bytes of a stored deal, mean (largest; at most {RECORD_TARGET}): {sizes}."


if __name__ == "__main__":
    print(text(measure()), end="")
