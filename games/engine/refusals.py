"""Why an action is refused, in a sentence that tells the player what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.engine.actions import ACTIONS, Action, IllegalAction
from games.engine.cards import BENNY, Card, Suit, effective_suit

if TYPE_CHECKING:
    from games.engine.deal import DealState

_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANK_NAMES = {
    "7": "seven", "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
_WHAT_NOW = {
    "weak": "Say whether you declare a weak hand.",
    "swap": "Choose a card to put under.",
    "benny": "Name a suit for the joker.",
    "bid1": "Order the up-card or pass.",
    "exchange": "Choose one of your six cards to discard.",
    "bid2": "Name a suit.",
    "dummy": "Choose a card to put away.",
    "alone": "Say whether you go alone or play together.",
    "best": "Answer the call for the best card.",
    "play": "Play a card.",
}
_KINDS = {
    "weak": ("keep", "declare"),
    "swap": ("discard",),
    "benny": ("call", "call_alone"),
    "bid1": ("pass", "order_up", "order_up_alone"),
    "exchange": ("decline", "discard"),
    "bid2": ("pass", "call", "call_alone"),
    "dummy": ("discard",),
    "alone": ("alone", "together"),
    "best": ("keep", "discard", "give"),
    "play": ("play", "claim"),
}


def refuse(state: DealState, action: Action) -> IllegalAction:
    """The reason why an action is not among the legal ones.

    Codes, with their params: ``deal_over``, ``unknown_action``, ``wrong_phase`` (phase),
    ``not_weak``, ``must_take``, ``stuck``, ``need_trump``, ``alone_only``, ``not_with_call``,
    ``turned_down`` (suit), ``no_trump``, ``not_certain``, ``follow_suit`` (suit, cards),
    ``not_in_hand`` (card).
    """
    if state.phase == "done":
        return IllegalAction("deal_over", "This deal is over.")
    if str(action) not in ACTIONS:
        return IllegalAction("unknown_action", "There is no such action.")
    offered = {legal.kind for legal in state.legal}
    kind = action.kind
    if kind not in _KINDS[state.phase] or (state.phase == "best" and kind not in offered):
        return IllegalAction("wrong_phase", _WHAT_NOW[state.phase], {"phase": state.phase})
    if kind == "declare":  # O13
        return IllegalAction("not_weak", "Your hand is not weak enough to declare it.")
    if kind == "decline":  # R25, O5
        return IllegalAction("must_take", "You must take the up-card: choose a card to discard.")
    if kind == "pass":  # R32
        return IllegalAction("stuck", "The dealer may not pass now: name a suit.")
    if kind == "claim":  # O16; the same words whatever the cards
        return IllegalAction("not_certain", "The remaining tricks are not certain: play a card.")
    if kind in ("order_up_alone", "call_alone") and not _may_call_alone(state, kind):
        return IllegalAction("not_with_call", "You are asked about going alone later, if at all.")
    if kind in ("order_up", "order_up_alone"):
        if kind == "order_up" and "order_up_alone" in offered:  # O6
            return IllegalAction("alone_only", "The dealer's partner orders up alone or passes.")
        return IllegalAction("need_trump", "You need a card of that suit to make it trump.")  # O12
    if kind in ("call", "call_alone"):
        return _refuse_call(state, action)
    if kind == "play" and action.card in state.hands[state.turn or 0]:  # R42
        assert state.trump is not None
        suit = effective_suit(state.trick[0][1], state.trump)
        cards = tuple(legal.card for legal in state.legal if legal.card)
        names = " or ".join(_name(card, suit) for card in cards)
        return IllegalAction("follow_suit", f"Follow {_SUIT_NAMES[suit]}: {names}.", {"suit": suit, "cards": cards})
    return IllegalAction("not_in_hand", "You do not hold that card.", {"card": action.card})


def _may_call_alone(state: DealState, kind: str) -> bool:
    """O20, and O6 for the dealer's partner in round one."""
    rules = state.rules
    partner = kind == "order_up_alone" and rules.canadian_loner and state.turn == (state.dealer + 2) % 4
    return partner or rules.alone_with_call


def _refuse_call(state: DealState, action: Action) -> IllegalAction:
    suit = action.suit
    if suit not in _SUIT_NAMES:  # O14
        return IllegalAction("no_trump", "No-trump may not be called here: name a suit.")
    rules = state.rules
    if not rules.turned_down_callable and suit == rules.proposed_suit(state.up_card):  # G4
        return IllegalAction(
            "turned_down", f"{_SUIT_NAMES[suit].capitalize()} was turned down: name another suit.", {"suit": suit}
        )
    return IllegalAction("need_trump", "You need a card of that suit to make it trump.")  # O12


def _name(card: Card, suit: Suit) -> str:
    """A card that follows ``suit``: by its rank, a bower of the other suit and the joker in full."""
    if card == BENNY:
        return "joker"
    rank = _RANK_NAMES[card[0]]
    return rank if card[1] == suit else f"{rank} of {_SUIT_NAMES[card[1]]}"
