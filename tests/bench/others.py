"""Bots of other projects behind our protocol, for comparisons at duplicate pairs."""

from __future__ import annotations

import random
from collections import Counter

from games.engine import Action, Card, SeatView, effective_suit

NAMES = {"S": ("Spade", "Black"), "C": ("Club", "Black"), "D": ("Diamond", "Red"), "H": ("Heart", "Red")}
FACES = {"9": ("Nine", 9), "T": ("Ten", 10), "J": ("Jack", 11), "Q": ("Queen", 12), "K": ("King", 13), "A": ("Ace", 14)}


class EuchreCli:
    """The computer player of ``euchre-cli`` (PyPI), asked for each choice by its own methods.

    It knows no lone hands and cannot leave the up-card, which it may put away again. Where it
    passes as a stuck dealer, which it does not know either, it names the suit it has most of. Its
    calls "on accident" come from Python's own random numbers, seeded here.
    """

    def __init__(self) -> None:
        from euchre.abstract import Card as TheirCard
        from euchre.abstract import Computer, Face, Suit, Team

        self._suits = {suit: Suit(*told) for suit, told in NAMES.items()}
        self._cards = {
            face + suit: TheirCard(theirs, Face(*told))
            for suit, theirs in self._suits.items()
            for face, told in FACES.items()
        }
        self._ours = {id(card): code for code, card in self._cards.items()}
        self._computer = Computer("computer", Team("one"))

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        random.seed(rng.getrandbits(32))
        computer, seat = self._computer, view.seat
        assert seat is not None
        computer.hand = [self._cards[card] for card in view.hand]
        computer.is_dealer = seat == view.dealer
        kind, card, suit = self._choice(view, (seat + 2) % 4 == view.dealer)
        return next(one for one in view.legal_actions if (one.kind, one.card, one.suit) == (kind, card, suit))

    def _choice(self, view: SeatView, partner_deals: bool) -> tuple[str, Card | None, str | None]:
        computer, up = self._computer, self._cards[view.up_card]
        match view.phase:
            case "bid1":
                return ("order_up" if computer.call_pick_up(up, partner_deals) else "pass"), None, None
            case "bid2":
                return self._call(view)
            case "exchange":
                away = self._ours[id(computer.pick_up_card(up))]
                may = [action.card for action in view.legal_actions]
                return ("discard", away, None) if away in may else ("decline", None, None)
            case "alone":
                return "together", None, None
        trick = [self._cards[card] for _seat, card in view.trick]
        return "play", self._ours[id(computer.play_card(trick, self._suits[view.trump or ""]))], None

    def _call(self, view: SeatView) -> tuple[str, Card | None, str | None]:
        down = self._suits[view.up_card[1]]
        named = self._computer.call_trump_suit(down)
        suit = next(suit for suit, theirs in self._suits.items() if theirs is named)
        if named is not down:
            return "call", None, suit
        if any(action.kind == "pass" for action in view.legal_actions):
            return "pass", None, None
        may = [action.suit for action in view.legal_actions if action.kind == "call"]
        held = Counter(suit for suit in may if suit for card in view.hand if effective_suit(card, suit) == suit)
        return "call", None, max(may, key=lambda suit: held[suit or ""])
