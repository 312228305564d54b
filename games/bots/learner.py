"""A bot for learners: it plays soundly and plainly, and errs as careful beginners do.

It waits for better hands than it needs, gives the up-card no thought and seldom goes alone. Now
and then it leads a low plain card where a better lead was there, keeps a winner back, or throws a
card away where it might have ruffed. It never does what annoys a partner: it does not beat or
trump a partner who wins, takes what the last hand can take, and leads to its maker as it should.
"""

from __future__ import annotations

import random
from dataclasses import replace

from games.bots.heuristic import Heuristic
from games.bots.weights import GOOD_HAND, for_all_calls
from games.engine import Action, Card, SeatView, effective_suit, trick_winner
from games.engine.cards import RANKS

CAREFUL = replace(
    for_all_calls(GOOD_HAND),
    up_ours=(0,) * 11,
    up_theirs=(0,) * 11,
    first_round=(830, 745, 765, 635),
    second_round=(680, 650, 690, 645),
    next_suit=40,
    cross=0,
    alone=1060,
)
ERRS = 45
"""In how many of 100 cases where an error would be of the kind that it makes."""


class Learner:
    """Stateless: one may serve any number of tables."""

    def __init__(self) -> None:
        self.careful = Heuristic(CAREFUL)

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        action = self.careful.choose(view, rng)
        if action.kind != "play" or len(view.legal_actions) == 1:
            return action
        errs = rng.randrange(100) < ERRS
        return (_error(view) or action) if errs else action


def _error(view: SeatView) -> Action | None:
    """A card that a careful beginner might play; None where any but the best would be silly."""
    assert view.trump is not None and view.seat is not None and view.maker is not None
    trump, plays = view.trump, view.trick
    legal = {action.card: action for action in view.legal_actions if action.card}
    plain = [card for card in legal if effective_suit(card, trump) != trump]
    if not plays:
        draws_trumps = view.side(view.seat) == view.side(view.maker) and len(plain) < len(legal)
        low = [card for card in plain if card[0] != "A"]
        return None if draws_trumps or not low else legal[min(low, key=_height)]
    winner = trick_winner(plays, trump)
    last = len(plays) + len(view.sitting_out) == view.rules.players - 1
    if last or view.side(winner) == view.side(view.seat) or not plain:
        return None
    return legal[min(plain, key=_height)]


def _height(card: Card) -> tuple[int, Card]:
    return RANKS.index(card[0]), card
