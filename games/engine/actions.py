"""The actions of a deal, and what is said when one is refused.

Each action exists once, in ``ACTIONS``, and is written as its notation:

- ``declare``, ``keep``: a weak hand, or none (O13); ``keep`` also means no call for partner's best
- ``pass``, ``order_up``, ``order_up_alone``; ``call:H``, ``call:N``, ``call_alone:H``
- ``decline``, ``discard:9S``; ``alone``, ``together``; ``give:AC``
- ``play:JD``, ``claim``

``order_up`` is one action whether it is ordered, assisted or accepted: that depends only on the
seat (R21-R24).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.engine.cards import CARDS, TRUMPS, Card, Trump


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

    What is put away or given face down has no card in the eyes of the others.
    """

    kind: str
    card: Card | None = None
    suit: Trump | None = None

    def __str__(self) -> str:
        argument = self.card or self.suit
        return f"{self.kind}:{argument}" if argument else self.kind


DECLARE, KEEP, PASS, ORDER_UP, ORDER_UP_ALONE, DECLINE, ALONE, TOGETHER, CLAIM = map(
    Action, ("declare", "keep", "pass", "order_up", "order_up_alone", "decline", "alone", "together", "claim")
)
CALL: dict[Trump, Action] = {trump: Action("call", suit=trump) for trump in TRUMPS}
CALL_ALONE: dict[Trump, Action] = {trump: Action("call_alone", suit=trump) for trump in TRUMPS}
DISCARD: dict[Card, Action] = {card: Action("discard", card=card) for card in CARDS}
GIVE: dict[Card, Action] = {card: Action("give", card=card) for card in CARDS}
PLAY: dict[Card, Action] = {card: Action("play", card=card) for card in CARDS}

ACTIONS: dict[str, Action] = {
    str(action): action
    for action in (
        *(DECLARE, KEEP, PASS, ORDER_UP, ORDER_UP_ALONE, DECLINE, ALONE, TOGETHER, CLAIM),
        *(action for kind in (CALL, CALL_ALONE, DISCARD, GIVE, PLAY) for action in kind.values()),
    )
}
"""Every action by its notation."""


def parse_action(text: str) -> Action:
    """The action written as ``text``. Raises NotationError for anything else."""
    try:
        return ACTIONS[text]
    except KeyError:
        raise NotationError(f"There is no action {text[:20]!r}.") from None
