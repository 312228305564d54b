"""Euchre, and nothing else: no framework, no clock, no files; randomness is passed in.

A deal is a value. ``start_deal`` makes it, ``legal_actions`` says what the seat whose turn it
is may do, ``apply`` gives the deal after that. What one seat may know of it is its ``view``.

>>> import random
>>> rng = random.Random(4)
>>> deal = start_deal(PRESETS["article"], dealer=3, deck=shuffled(pack(), b"a secret", 1))
>>> deal.phase, deal.turn
('bid1', 0)
>>> [str(action) for action in legal_actions(deal)]
['pass', 'order_up']
>>> view(deal, 0).hand == deal.hands[0], view(deal, 0).up_card == deal.up_card
(True, True)
>>> deal = apply(deal, parse_action("order_up"))
>>> deal.phase, deal.turn, deal.trump == deal.up_card[1]
('exchange', 3, True)
>>> while deal.phase != "done":
...     deal = apply(deal, rng.choice(legal_actions(deal)))
>>> sum(deal.tricks_won), sum(deal.points) in (1, 2, 4)
(5, True)
>>> record = format_actions(action for _, action in deal.history)
>>> replay_deal(deal.rules, 3, shuffled(pack(), b"a secret", 1), record) == deal
True
"""

from games.engine.actions import Action, EngineError, IllegalAction, NotationError, parse_action
from games.engine.cards import (
    RANKS,
    SUITS,
    Card,
    Suit,
    effective_suit,
    is_left_bower,
    is_right_bower,
    pack,
    playable,
    strength,
    trick_winner,
)
from games.engine.deal import DealState, Trick, apply, legal_actions, start_deal
from games.engine.game import DealRecord, GameRecord, next_dealer, winner
from games.engine.notation import (
    format_actions,
    format_deck,
    format_game,
    format_rules,
    parse_actions,
    parse_deck,
    parse_game,
    parse_rules,
    replay_deal,
)
from games.engine.rules import PRESETS, Rules
from games.engine.seat_view import SeatView, view
from games.engine.shuffle import shuffled

__all__ = [
    "PRESETS",
    "RANKS",
    "SUITS",
    "Action",
    "Card",
    "DealRecord",
    "DealState",
    "EngineError",
    "GameRecord",
    "IllegalAction",
    "NotationError",
    "Rules",
    "SeatView",
    "Suit",
    "Trick",
    "apply",
    "effective_suit",
    "format_actions",
    "format_deck",
    "format_game",
    "format_rules",
    "is_left_bower",
    "is_right_bower",
    "legal_actions",
    "next_dealer",
    "pack",
    "parse_action",
    "parse_actions",
    "parse_deck",
    "parse_game",
    "parse_rules",
    "playable",
    "replay_deal",
    "shuffled",
    "start_deal",
    "strength",
    "trick_winner",
    "view",
    "winner",
]
