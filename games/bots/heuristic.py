"""The fill-in bot: rules of thumb for bidding and play, no search, no sampling.

It knows every option of section 5: any pack, two, three or four players, the joker, no-trump.
Reading order: worth, bidding, play.
"""

from __future__ import annotations

import random

from games.bots.bidding import DECISIONS
from games.bots.play import play
from games.engine import Action, SeatView


class Heuristic:
    """Rules of thumb. Stateless and deterministic: it draws nothing from ``rng``."""

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        return play(view) if view.phase == "play" else DECISIONS[view.phase](view)
