"""The rule bot: rules of thumb for bidding and play, no search, no sampling.

It knows every option of section 5: any pack, two, three or four players, the joker, no-trump.
Reading order: weights, thumb, encoding.
"""

from __future__ import annotations

import random

from games.bots import encoding, thumb, weights
from games.bots.weights import Weights
from games.engine import Action, Card, SeatView
from games.engine.cards import RANKS


class Heuristic:
    """Rules of thumb. Stateless and deterministic: it draws nothing from ``rng``."""

    def __init__(self, by: Weights = weights.TUNED) -> None:
        self.weights = by

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        if view.phase == "weak":
            return legal[-1]  # whoever has nothing but low cards is better off with others
        if view.phase == "swap":
            return min(legal, key=lambda action: _low_worth(view, action.card))
        code = thumb.choose(
            encoding.view_row(view), encoding.rules_row(view.rules), weights.row(view.rules, self.weights)
        )
        return encoding.action_of(code, view.trump, legal[0].kind if legal[0].kind == "give" else view.phase)


def _low_worth(view: SeatView, card: Card | None) -> tuple[bool, int, int, Card]:
    """The lowest card goes under; of the suit that is proposed only when nothing else is left."""
    assert card is not None
    mates = sum(other[1] == card[1] for other in view.hand)
    return card[1] == view.proposed, mates, RANKS.index(card[0]), card
