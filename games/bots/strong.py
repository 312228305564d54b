"""The strongest bot: it fills in what it cannot see, hundreds of times over, tries each action that
it may take on every one of these deals, and lets the rule bot play them all to their end. What is
worth less beyond doubt is left behind on the way; that changes no choice and saves half the time.

What a pass is worth comes from the rest of the auction, and what a call is worth from the better
of going alone and not. It plays for the game, not for points: what an action brings counts by the
chance to win at that score. Same view and same chance, same action.

All this is for the compiled play-out (:func:`warm`). In a process without it the bot plays by the
rules of thumb, since too few deals are worse than none.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

from games.bots import encoding, guess, layout, rollout, search, thumb, winning
from games.bots.heuristic import Heuristic
from games.bots.worlds import Knowledge, Unknowable, knowledge
from games.engine import Action, SeatView

WORLDS = 200
SOLVES = 0
"""From so many tricks left on they are played as if everybody saw all cards."""

FINE = 10_000
"""What is worth 1 in the whole numbers that the play-out compares."""

DOUBT = 1.0
"""In standard errors of what the better one brings."""
ALONE_FOR = 0.1
"""Points that going alone must promise more: a loner that fails annoys people more than the same
points by a march with the partner please them."""

_RULE_BOT = Heuristic()
_evaluate: Callable[..., int] = rollout.evaluate
_row: Callable[[Any], Any] = list


class Value(NamedTuple):
    """What an action is expected to bring the side of the seat that takes it."""

    points: float
    """Own points less the others' (of three, less their mean)."""
    error: float
    """The standard error of ``points``."""
    worth: float
    """The chance to win the game, or where no target counts, the points."""


def warm() -> bool:
    """Use the compiled play-out from now on, in this process. False, and nothing changes, if numba is
    not installed. The first start ever takes 45 seconds of a core, any other a second."""
    global _evaluate, _row
    try:
        import numpy

        from games.bots import kernel
    except ImportError:
        return False
    _evaluate = kernel.evaluate
    _row = lambda numbers: numpy.array(numbers, numpy.int64)  # noqa: E731
    return True


def is_warm() -> bool:
    return _evaluate is not rollout.evaluate


class Strong:
    """Stateless: one may serve any number of tables."""

    def __init__(self, worlds: int = WORLDS, solves: int = SOLVES) -> None:
        self.worlds, self.solves = worlds, solves

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        thought = _RULE_BOT.choose(view, rng)
        if not is_warm() or thought.kind == "claim":
            return thought
        found = values(view, rng, self.worlds, self.solves)
        if not found:
            return thought
        best = max(found, key=lambda action: found[action].worth)
        if found[best].worth - found[thought].worth < _doubt(view, best, found[best]):
            return thought
        return best


def _doubt(view: SeatView, action: Action, value: Value) -> float:
    """How much better than the rule bot's own choice another must look to be taken: more than chance
    would make it look, so that no weak hand is called, and nobody goes alone, for nothing."""
    worth = _worth(view)
    a_point = (worth[12] - worth[4]) / 4
    more = ALONE_FOR if action.kind in ("alone", "call_alone", "order_up_alone") else 0.0
    return max(1e-9, (DOUBT * value.error + more) * a_point)


def values(view: SeatView, rng: random.Random, worlds: int = WORLDS, solves: int = SOLVES) -> dict[Action, Value]:
    """What every action is worth that the seat may take now, a claim apart; {} where it knows too
    little: weak hands are being asked for, or the joker's suit is named blind."""
    try:
        about = knowledge(view)
    except Unknowable:
        return {}
    alike = _alike(view, about)
    options = [(action, answer) for action in alike for answer in _answers(view, action)]
    worth = _worth(view)
    counts = _counts(view, about, options, worth, rng, worlds, solves)
    found: dict[Action, Value] = {}
    for at, (action, _answer) in enumerate(options):
        value = _value(counts[rollout.NETS * at : rollout.NETS * (at + 1)], worth)
        if action not in found or value.worth > found[action].worth:
            found[action] = value
    return {action: found[first] for first, all_alike in alike.items() for action in all_alike}


def _alike(view: SeatView, about: Knowledge) -> dict[Action, list[Action]]:
    """The actions by the first of those that come to the same: cards of a suit with none between
    them that another seat may hold or that lies on the table. The lowest stands for all."""
    found: dict[tuple[object, ...], list[Action]] = {}
    others, bits = 0, {}
    if view.trump is not None:
        bits = encoding.BITS[encoding.NUMBER[view.trump]]
        others = thumb.unseen(about.deal, about.rules, about.deal[layout.TRUMP], about.deal[layout.TURN])
        others |= sum([bits[card] for _seat, card in view.trick])
    for action in sorted(view.legal_actions, key=lambda action: bits.get(action.card or "", 0)):
        if action.kind != "claim":
            bit = bits.get(action.card or "", 0)
            suit = search.suit_of(bit) if bit else 0
            key = (action.kind, action.suit, suit, (others & suit & (bit - 1)).bit_count() if bit else 0)
            found.setdefault(key, []).append(action)
    return {actions[0]: actions for actions in found.values()}


def _answers(view: SeatView, action: Action) -> tuple[int, ...]:
    """How the seat may answer if it is asked next whether it goes alone."""
    rules = view.rules
    asked = action.kind in ("order_up", "call") and rules.alone_who != "none" and not rules.alone_with_call
    return (rollout.STAY, rollout.GO) if asked else (rollout.AS_THOUGHT,)


def _counts(
    view: SeatView,
    about: Knowledge,
    options: list[tuple[Action, int]],
    worth: tuple[float, ...],
    rng: random.Random,
    worlds: int,
    solves: int,
) -> list[int]:
    rows = [_row(row) for row in (about.deal, about.known, about.bids, about.rules, about.weights)]
    tried = [each for action, answer in options for each in (encoding.code_of(action, view.trump), answer)]
    scratch = [_row([0] * length) for length in (guess.FOUND_LENGTH, *[layout.LENGTH] * 3)]
    brought = _row([0] * (rollout.NETS * len(options)))
    solves = solves if view.rules.players == 4 else 0
    told = [_row(tried), _row([round(FINE * each) for each in worth]), _row([rng.getrandbits(62)])]
    _evaluate(*rows, *told, *scratch, brought, len(options), worlds, solves)
    return [int(count) for count in brought]


def _worth(view: SeatView) -> tuple[float, ...]:
    """What each net of points is worth to the side of the seat."""
    rules, seat = view.rules, view.seat
    if rules.sides != 2 or rules.num_deals or rules.laps or seat is None:
        return tuple([net / 2 for net in range(-8, 9)])
    own, other = (view.score[(seat + side) % 2] for side in range(2))
    deals = view.dealer % 2 == seat % 2
    if max(own, other) >= rules.target_score:
        return tuple([net / 2 for net in range(-8, 9)])
    return winning.worth(rules.target_score, rules.stick_the_dealer, own, other, deals)


def _value(counts: list[int], worth: tuple[float, ...]) -> Value:
    number = max(1, sum(counts))
    mean = sum([count * (net - 8) for net, count in enumerate(counts)]) / number / 2
    square = sum([count * (net - 8) ** 2 for net, count in enumerate(counts)]) / number / 4
    error = sqrt(max(0.0, square - mean**2) / number)
    return Value(mean, error, sum([count * each for count, each in zip(counts, worth, strict=True)]) / number)
