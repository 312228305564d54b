"""A deal as EGN tells it, without notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from games import engine
from games.engine import BENNY, Card, DealState


class Exchange(NamedTuple):
    """Cards that go from one seat to another, or from the kitty (None)."""

    sender: int | None
    receiver: int
    cards: tuple[Card, ...]


def body_of(final: DealState, deck: Sequence[Card], number: int) -> dict[str, Any]:
    """A deal without notes, by its last state and its deck; ``number`` counts from 0."""
    rules = final.rules
    start = engine.start_deal(rules, final.dealer, deck)
    bidding: dict[str, Any] = {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": _calls(start, final)}
    bidding["isAlone"] = final.maker in final.loners
    defender = [seat for seat in final.loners if final.maker is not None and (seat - final.maker) % 2]
    if defender:
        bidding["aloneDefender"] = defender[0]
    if final.discard is not None:
        bidding["discard"] = _name(final.discard)
    if exchanges := exchanges_of(start, final):
        bidding["cardExchanges"] = [_exchange(one) for one in exchanges]
    tricks = [_names(card for _seat, card in trick) for trick in (*(one.plays for one in final.tricks), final.trick)]
    return {
        "dealNumber": number,
        "initialState": {
            "dealer": final.dealer,
            "upCard": _name(final.up_card),
            "playerCards": [_names(hand) for hand in start.hands],
        },
        "phases": [bidding, {"phaseNumber": 1, "type": "TRICK_PLAY", "tricks": [trick for trick in tricks if trick]}],
    }


def _calls(start: DealState, final: DealState) -> list[str]:
    words = {"pass": "Pass", "order_up": "Order", "order_up_alone": "Order"}
    calls = [
        words.get(action.kind) or str(action.suit).lower()
        for _seat, action in final.history
        if action.kind in words or action.suit is not None
    ]
    blind = start.up_card == BENNY and bool(calls) and final.history and calls[0] in "cdhs"
    return ["Pass"] * (final.rules.players - 1) + calls if blind else calls


def exchanges_of(start: DealState, final: DealState) -> list[Exchange]:
    """The cards that changed hands: three of the kitty, two of it, a partner's best."""
    exchanges: list[Exchange] = []
    kitty = start.kitty
    swapped = [seat for seat, action in final.history if action.kind == "declare"]
    if swapped and not final.redeal and len(kitty) - len(final.kitty) >= 3:
        exchanges.append(Exchange(None, swapped[0], kitty[:3]))
        kitty = kitty[3:]
    if len(kitty) > len(final.kitty) and final.maker is not None:
        exchanges.append(Exchange(None, final.maker, kitty[:2]))
    exchanges += [
        Exchange(seat, (seat + 2) % 4, (action.card,))
        for seat, action in final.history
        if action.kind == "give" and action.card
    ]
    return exchanges


def _exchange(one: Exchange) -> dict[str, Any]:
    told: dict[str, Any] = {} if one.sender is None else {"sender": one.sender}
    return {**told, "receiver": one.receiver, "cards": _names(one.cards)}


def _names(cards: Iterable[Card]) -> list[str]:
    return [_name(card) for card in cards]


def _name(card: Card) -> str:
    return card[0] + card[1:].lower()
