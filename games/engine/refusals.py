"""Why an action is refused, in a sentence that tells the player what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.engine.actions import ACTIONS, PASS, Action, IllegalAction
from games.engine.cards import Card, Suit, effective_suit

if TYPE_CHECKING:
    from games.engine.deal import DealState

_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANK_NAMES = {"9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_WHAT_NOW = {
    "bid1": "Order the up-card or pass.",
    "exchange": "Choose one of your six cards to discard.",
    "bid2": "Name a suit.",
    "alone": "Say whether you go alone or play together.",
    "play": "Play a card.",
}
_KINDS = {
    "bid1": ("pass", "order_up"),
    "exchange": ("decline", "discard"),
    "bid2": ("pass", "call"),
    "alone": ("alone", "together"),
    "play": ("play",),
}


def refuse(state: DealState, action: Action) -> IllegalAction:
    """The reason why an action is not among the legal ones.

    Codes, with their params: ``deal_over``, ``unknown_action``, ``wrong_phase`` (phase),
    ``must_take``, ``stuck``, ``turned_down`` (suit), ``follow_suit`` (suit, cards),
    ``not_in_hand`` (card).
    """
    if state.phase == "done":
        return IllegalAction("deal_over", "This deal is over.")
    if str(action) not in ACTIONS:
        return IllegalAction("unknown_action", "There is no such action.")
    if action.kind not in _KINDS[state.phase]:
        return IllegalAction("wrong_phase", _WHAT_NOW[state.phase], {"phase": state.phase})
    if action.kind == "decline":  # R25, O5
        return IllegalAction("must_take", "You must take the up-card: choose a card to discard.")
    if action == PASS:  # R32
        return IllegalAction("stuck", "The dealer may not pass now: name a suit.")
    if action.kind == "call":  # G4
        suit = state.up_card[1]
        return IllegalAction(
            "turned_down", f"{_SUIT_NAMES[suit].capitalize()} was turned down: name another suit.", {"suit": suit}
        )
    if action.kind == "play" and action.card in state.hands[state.turn or 0]:  # R42
        assert state.trump is not None
        suit = effective_suit(state.trick[0][1], state.trump)
        cards = tuple(legal.card for legal in state.legal if legal.card)
        names = " or ".join(_name(card, suit) for card in cards)
        return IllegalAction("follow_suit", f"Follow {_SUIT_NAMES[suit]}: {names}.", {"suit": suit, "cards": cards})
    return IllegalAction("not_in_hand", "You do not hold that card.", {"card": action.card})


def _name(card: Card, suit: Suit) -> str:
    """A card that follows ``suit``: by its rank, the left bower in full."""
    rank = _RANK_NAMES[card[0]]
    return rank if card[1] == suit else f"{rank} of {_SUIT_NAMES[card[1]]}"
