"""Perfect play the plain way: every card of everybody, no pruning. The solver's golden answers.

``python -m tests.bots.minimax`` writes ``golden/solver.txt`` anew, in some minutes: positions out
of deals played at random, each with the tricks and the points of its makers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from games.bots.solver import Position, position
from games.engine import (
    NO_TRUMP,
    Rules,
    apply,
    deal_points,
    format_deck,
    format_rules,
    legal_cards,
    pack,
    parse_rules,
    start_deal,
    trick_winner,
)
from tests.engine.any_rules import random_rules

GOLDEN = Path(__file__).parent / "golden" / "solver.txt"
COUNT = 2000
CARD, PLAY = re.compile("B|.."), re.compile(r"(\d)(B|..)")

Utility = Callable[[int], int]
"""What the makers' tricks are worth to them; the others want the opposite."""


def minimax(at: Position, utility: Utility) -> int:
    """The utility that the makers reach. Positions at the start of a trick are worked out once."""
    rules, trump = at.rules, at.trump
    sitting_out = {(seat + 2) % 4 for seat in at.loners}
    playing = [seat for seat in range(rules.players) if seat not in sitting_out]
    makers = rules.side(at.maker)
    known: dict[object, int] = {}

    def value(hands: tuple[tuple[str, ...], ...], trick: tuple[tuple[int, str], ...], turn: int, made: int) -> int:
        if len(trick) == len(playing):
            winner = trick_winner(trick, trump)
            return start(hands, winner, made + (rules.side(winner) == makers))
        legal = legal_cards(hands[turn], trick[0][1], trump) if trick else hands[turn]
        following = playing[(playing.index(turn) + 1) % len(playing)]
        values = []
        for card in legal:
            left = tuple([held for held in hands[turn] if held != card])
            values.append(value((*hands[:turn], left, *hands[turn + 1 :]), (*trick, (turn, card)), following, made))
        return max(values) if rules.side(turn) == makers else min(values)

    def start(hands: tuple[tuple[str, ...], ...], leader: int, made: int) -> int:
        if not hands[leader]:
            return utility(made)
        key = hands, leader, made
        if key not in known:
            known[key] = value(hands, (), leader, made)
        return known[key]

    return value(at.hands, at.trick, at.turn, at.tricks_won[makers])


def points_of_makers(at: Position) -> Utility:
    """The makers' points for so many tricks, less those of one other side."""
    rules = at.rules
    makers, sides = rules.side(at.maker), range(rules.sides)

    def utility(tricks: int) -> int:
        won = [tricks if side == makers else 5 - tricks for side in sides]
        points = deal_points(rules, at.maker, at.loners, won)
        return points[makers] - points[makers - 1]

    return utility


def random_position(rng: random.Random, cards: int) -> Position:
    """Out of a random deal under random rules, where hands are down to so many cards: at a trick's
    start or up to three plays later; one in ten at no-trump."""
    while True:
        rules = replace(random_rules(rng), claim=False)
        state = start_deal(rules, rng.randrange(rules.players), rng.sample(pack(rules.pack), rules.pack))
        while state.legal and (state.phase != "play" or len(state.hands[state.turn]) > cards):
            kind = rng.choice(sorted({action.kind for action in state.legal}))
            state = apply(state, rng.choice([action for action in state.legal if action.kind == kind]))
        if not rules.joker and not state.trick and rng.random() < 0.1:
            state = state._replace(trump=NO_TRUMP)
        for _play in range(rng.randrange(4)):
            state = apply(state, rng.choice(state.legal)) if state.legal else state
        if state.phase == "play":
            return position(state)


def without_needless(at: Position) -> Position:
    """Only the rules that count from here on, and no hands of those who sit out."""
    old, alone_who = at.rules, "any" if at.rules.players == 4 else "none"
    rules = Rules(
        players=old.players, pack=old.pack, alone_who=alone_who, lone_defender=old.lone_defender,
        lone_euchred=old.lone_euchred, super_euchre=old.super_euchre,
    )  # fmt: skip
    hands = tuple(() if (seat + 2) % 4 in at.loners else hand for seat, hand in enumerate(at.hands))
    return at._replace(rules=rules, hands=hands)


def line(at: Position) -> str:
    fields = (
        format_rules(at.rules).removeprefix("article").strip(), at.trump, at.maker, "".join(map(str, at.loners)),
        "/".join(map(format_deck, at.hands)), "".join(f"{seat}{card}" for seat, card in at.trick), at.turn,
        "".join(map(str, at.tricks_won)),
    )  # fmt: skip
    return ",".join(map(str, fields))


def parsed(text: str) -> tuple[Position, int, int]:
    """A position with the makers' tricks and points."""
    rules, trump, maker, loners, hands, trick, turn, won, tricks, points = text.split(",")
    at = Position(
        parse_rules(f"article {rules}".strip()), trump, int(maker), tuple(map(int, loners)),
        tuple(tuple(CARD.findall(hand)) for hand in hands.split("/")),
        tuple((int(seat), card) for seat, card in PLAY.findall(trick)), int(turn), tuple(map(int, won)),
    )  # fmt: skip
    return at, int(tricks), int(points)


def lines() -> Iterator[str]:
    rng = random.Random(2026)
    for number in range(COUNT):
        at = without_needless(random_position(rng, (5, 4, 3, 4, 5, 4, 2, 4, 3, 4)[number % 10]))
        yield f"{line(at)},{minimax(at, lambda tricks: tricks)},{minimax(at, points_of_makers(at))}"


if __name__ == "__main__":
    with GOLDEN.open("w") as golden:
        for text in lines():
            print(text, file=golden, flush=True)
