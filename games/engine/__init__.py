"""Pure Euchre: no framework, no clock, no input or output; randomness is passed in.

A deal is a state, and a state knows what may be done in it:

>>> from games.engine import *
>>> deck = parse_deck("9CTCJCQCKCAC9DTDJDQDKDAD9HTHJHQHKHAH9STSJSQSKSAS")
>>> deal = start_deal(PRESETS["article"], dealer=3, deck=deck)
>>> deal.up_card, deal.hands[3]
('JS', ('JD', 'QD', 'AH', '9S', 'TS'))
>>> format_actions(legal_actions(deal))
'pass order_up'
>>> for text in "pass pass pass order_up discard:QD together together together together".split():
...     deal = apply(deal, parse_action(text))
>>> deal.phase, deal.turn, deal.trump, deal.maker
('play', 0, 'S', 3)
>>> for card in "AD 9H 9D JD  KD TH TD 9S  JS".split():
...     deal = apply(deal, parse_action(f"play:{card}"))
>>> apply(deal, parse_action("play:9C"))  # spades were led, and seat 0 holds the left bower
Traceback (most recent call last):
games.engine.actions.IllegalAction: Follow spades: jack of clubs.
>>> view(deal, seat=1).hand, view(deal, seat=1).counts
(('QC', 'KC', 'JH'), (3, 3, 3, 2))
>>> for card in "JC QC AC  TS 9C JH QH  AH TC KC KH".split():
...     deal = apply(deal, parse_action(f"play:{card}"))
>>> deal.tricks_won, deal.points, winner(deal.points, deal.rules)
((1, 4), (0, 1), None)

Reading order: cards, rules, actions, deal, refusals, scoring, game, seat_view, notation, shuffle.
"""

from games.engine.actions import Action, EngineError, IllegalAction, NotationError, parse_action
from games.engine.cards import (
    BENNY,
    NO_TRUMP,
    SUITS,
    Card,
    Suit,
    Trump,
    effective_suit,
    legal_cards,
    next_suit,
    pack,
    strength,
    trick_winner,
)
from games.engine.deal import DealState, Phase, Trick, apply, legal_actions, start_deal
from games.engine.game import (
    DealRecord,
    Game,
    GameRecord,
    Match,
    Score,
    add_points,
    dealer_after,
    first_dealer,
    next_dealer,
    replay,
    winner,
)
from games.engine.notation import (
    format_actions,
    format_deck,
    format_game,
    format_match,
    format_rules,
    format_score,
    parse_actions,
    parse_deck,
    parse_game,
    parse_match,
    parse_rules,
    parse_score,
    replay_deal,
)
from games.engine.rules import EXCLUSIONS, OPTIONS, PRESETS, Rules, RulesExcluded
from games.engine.scoring import deal_points
from games.engine.seat_view import SeatView, view
from games.engine.shuffle import shuffled

__all__ = [
    "BENNY",
    "EXCLUSIONS",
    "NO_TRUMP",
    "OPTIONS",
    "PRESETS",
    "SUITS",
    "Action",
    "Card",
    "DealRecord",
    "DealState",
    "EngineError",
    "Game",
    "GameRecord",
    "IllegalAction",
    "Match",
    "NotationError",
    "Phase",
    "Rules",
    "RulesExcluded",
    "Score",
    "SeatView",
    "Suit",
    "Trick",
    "Trump",
    "add_points",
    "apply",
    "deal_points",
    "dealer_after",
    "effective_suit",
    "first_dealer",
    "format_actions",
    "format_deck",
    "format_game",
    "format_match",
    "format_rules",
    "format_score",
    "legal_actions",
    "legal_cards",
    "next_dealer",
    "next_suit",
    "pack",
    "parse_action",
    "parse_actions",
    "parse_deck",
    "parse_game",
    "parse_match",
    "parse_rules",
    "parse_score",
    "replay",
    "replay_deal",
    "shuffled",
    "start_deal",
    "strength",
    "trick_winner",
    "view",
    "winner",
]
