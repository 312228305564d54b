"""The actions of a deal, and what is said when one is refused.

There are at most 75 different actions; each exists once, in ``ACTIONS``, and is written as
its notation: ``pass``, ``order_up``, ``call:H``, ``decline``, ``discard:9S``, ``alone``,
``together``, ``play:JD``. ``order_up`` is one action whether it is ordered, assisted or
accepted: that depends only on the seat (R21-R24).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.engine.cards import CARDS, SUITS, Card, Suit


class EngineError(Exception):
    """Whatever the engine refuses. ``str()`` is a sentence for the player."""


class NotationError(EngineError):
    """A text that is not what it should be: an action, a deck, a set of rules, a record."""


class IllegalAction(EngineError):
    """An action the rules do not allow now.

    ``code`` names the reason (``"follow_suit"``) and ``params`` what it concerns, so that
    other layers can say it in another language; ``str()`` says it in English.
    """

    def __init__(self, code: str, sentence: str, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, sentence, params)
        self.code = code
        self.sentence = sentence
        self.params: dict[str, Any] = dict(params or {})

    def __str__(self) -> str:
        return self.sentence


class Action(NamedTuple):
    """What a seat does when it is its turn. Compare with ``==``; ``str()`` is the notation.

    A dealer's discard as others see it has no card.
    """

    kind: str
    card: Card | None = None
    suit: Suit | None = None

    def __str__(self) -> str:
        argument = self.card or self.suit
        return f"{self.kind}:{argument}" if argument else self.kind


PASS, ORDER_UP, DECLINE, ALONE, TOGETHER = map(Action, ("pass", "order_up", "decline", "alone", "together"))
CALL: dict[Suit, Action] = {suit: Action("call", suit=suit) for suit in SUITS}
DISCARD: dict[Card, Action] = {card: Action("discard", card=card) for card in CARDS}
PLAY: dict[Card, Action] = {card: Action("play", card=card) for card in CARDS}
HIDDEN_DISCARD = Action("discard")
"""A discard as everybody but the dealer sees it (G6)."""

ACTIONS: dict[str, Action] = {
    str(action): action
    for action in (PASS, ORDER_UP, DECLINE, ALONE, TOGETHER, *CALL.values(), *DISCARD.values(), *PLAY.values())
}
"""Every action by its notation."""


def parse_action(text: str) -> Action:
    """The action written as ``text``. Raises NotationError for anything else."""
    try:
        return ACTIONS[text]
    except KeyError:
        raise NotationError(f"There is no action {text[:20]!r}.") from None
