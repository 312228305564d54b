"""What to do now, and why: a hint for whoever's turn it is, from his view and nothing else.

It weighs what is open to him as the post-mortem does (:mod:`games.bots.analysis`), and leaves the
rule bot's choice only for what is better beyond doubt. Where nothing can be weighed the rule bot's
choice stands alone.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from games.bots import analysis, worlds
from games.bots.analysis import Reason, Weighed
from games.bots.heuristic import Heuristic
from games.bots.learner import Learner
from games.engine import Action, SeatView, apply, view

DOUBT = 1.0
"""In standard errors of the difference."""

_RULE_BOT, _LEARNER = Heuristic(), Learner()


class Advice(NamedTuple):
    action: str
    """In notation."""
    kind: str
    """``call``, ``discard``, ``lead``, ``follow``."""
    alone: bool
    """Of a call that is followed by the question: whether to answer it by going alone."""
    reasons: tuple[Reason, ...]
    """Why it is better than what one might do instead, the most telling first."""
    close: bool
    """Whether something else is as good, as far as can be told."""
    deals: int
    """On how many it was tried; 0 by rule of thumb."""
    only: bool
    """Whether nothing else may be done."""


def advise(seen: SeatView, seed: int = 0) -> Advice:
    """Advice for the seat of a view, whose turn it must be. The same view and seed, the same advice."""
    rng = random.Random(seed)
    thought = _RULE_BOT.choose(seen, rng)
    kind = analysis.kind_of(seen)
    weighed = None if thought.kind == "claim" else analysis.weigh(seen, rng.getrandbits(62))
    if weighed is None:
        only = len([action for action in seen.legal_actions if action.kind != "claim"]) == 1
        return Advice(str(thought), kind, False, (), False, 0, only and thought.kind != "claim")
    legal, tried, means = weighed
    usual = legal.index(thought)
    best = max(range(len(legal)), key=lambda place: (means[place], place == usual))
    if means[best] - means[usual] <= DOUBT * tried.error(best, usual):
        best = usual
    other = _instead(seen, weighed, best, rng)
    return Advice(
        action=str(legal[best]),
        kind=kind,
        alone=_goes_alone(seen, legal[best], rng),
        reasons=tuple(reason for reason in analysis.reasons(seen, weighed, other, best) if _speaks_for_it(reason)),
        close=means[best] - means[_next(weighed, best)] <= analysis.RIGHT,
        deals=len(tried.hands),
        only=False,
    )


def _next(weighed: Weighed, best: int) -> int:
    """The best of the others."""
    return max((place for place in range(len(weighed.legal)) if place != best), key=weighed.means.__getitem__)


def _instead(seen: SeatView, weighed: Weighed, best: int, rng: random.Random) -> int:
    """What one might do instead: pass rather than call, or the other way round; else what a
    learner would, or the next best."""
    legal = weighed.legal
    quiet = [place for place, action in enumerate(legal) if action.kind in ("pass", "together")]
    if quiet:
        return _next(weighed, best) if best in quiet else quiet[0]
    learnt = _LEARNER.choose(seen, rng)
    if learnt in legal and legal.index(learnt) != best:
        return legal.index(learnt)
    return _next(weighed, best)


def _speaks_for_it(reason: Reason) -> bool:
    """Of two that are close, what happens more often may speak for the other one."""
    values = reason.values
    return not isinstance(values.get("chosen"), int) or values["better"] > values["chosen"]


def _goes_alone(seen: SeatView, call: Action, rng: random.Random) -> bool:
    """Whether he should go alone if he calls: weighed at the question as he may come to see it."""
    rules, seat = seen.rules, seen.seat
    if call.kind not in ("order_up", "call") or rules.alone_who == "none" or rules.alone_with_call:
        return False
    found = worlds.sample(seen, rng)
    state = apply(found[0], call) if found else None
    while state is not None and state.turn is not None and state.phase != "play":
        later = view(state, state.turn, seen.score)
        if state.turn == seat and state.phase == "alone":
            return advise(later, rng.getrandbits(30)).action == "alone"
        state = apply(state, _RULE_BOT.choose(later, rng))
    return False
