"""Games at random under any rules, and what is left of one that went through EGN."""

from __future__ import annotations

import random

from games.engine import DealRecord, GameRecord, Rules, apply, pack, replay, start_deal
from games.records.common import Course


def random_game(rules: Rules, seed: int, deals: int = 100) -> GameRecord:
    """A game of random legal actions, at most so many deals."""
    rng = random.Random(seed)
    dealer = rng.randrange(rules.players)
    course, played = Course(rules, dealer, ()), []
    while course.winner is None and len(played) < deals:
        deck = tuple(rng.sample(pack(rules.pack), rules.pack))
        state = start_deal(rules, course.dealer, deck)
        while state.legal:
            state = apply(state, rng.choice(state.legal))
        played.append(DealRecord(deck, tuple(action for _seat, action in state.history)))
        course.add(state)
    return GameRecord(rules, dealer, tuple(played))


def without_kitty_order(record: GameRecord) -> GameRecord:
    """The record with the cards nobody ever saw in their plain order."""
    deals = []
    for deal, final in zip(record.deals, replay(record).deals, strict=True):
        seen = len(deal.deck) - len(final.kitty)
        deals.append(DealRecord(deal.deck[:seen] + tuple(sorted(final.kitty)), deal.actions))
    return GameRecord(record.rules, record.first_dealer, tuple(deals), record.start)
