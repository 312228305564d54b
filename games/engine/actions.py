"""The actions of a deal, in notation and back, and why one may be refused."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.cards import SUITS, Card, Suit, pack


class EngineError(Exception):
    """Anything the engine refuses."""


class NotationError(EngineError):
    """A text that is no action, deck, deal or game."""


class IllegalAction(EngineError):
    """An action that the rules do not allow now.

    ``code`` names the reason, ``params`` fills it in; the text is a sentence for the player.
    """

    def __init__(self, code: str, sentence: str, **params: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.params = params


class Action(NamedTuple):
    """One action. ``kind`` is pass, order_up, call, decline, discard, alone, together or play;
    ``card`` or ``suit`` complete it where needed. Text and back: ``str(action)``,
    :func:`parse_action`."""

    kind: str
    card: Card | None = None
    suit: Suit | None = None

    def __str__(self) -> str:
        what = self.card or self.suit
        return f"{self.kind}:{what}" if what else self.kind


PASS, ORDER_UP, DECLINE = Action("pass"), Action("order_up"), Action("decline")
ALONE, TOGETHER = Action("alone"), Action("together")
CALL = {suit: Action("call", suit=suit) for suit in SUITS}
DISCARD = {card: Action("discard", card) for card in pack("7")}
PLAY = {card: Action("play", card) for card in pack("7")}

_BY_TEXT = {
    str(action): action
    for action in (PASS, ORDER_UP, DECLINE, ALONE, TOGETHER, *CALL.values(), *DISCARD.values(), *PLAY.values())
}


def parse_action(text: str) -> Action:
    """The action written as ``pass``, ``order_up``, ``call:H``, ``decline``, ``discard:9S``,
    ``alone``, ``together`` or ``play:JD``. NotationError for anything else."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise NotationError(f"{text[:40]!r} is not an action.") from None
