"""A deal as EGN tells it, without notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games import engine
from games.engine import BENNY, Card, DealState


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
    if exchanges := _exchanges(start, final):
        bidding["cardExchanges"] = exchanges
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


def _exchanges(start: DealState, final: DealState) -> list[dict[str, Any]]:
    exchanges: list[dict[str, Any]] = []
    kitty = list(start.kitty)
    swapped = [seat for seat, action in final.history if action.kind == "declare"]
    if swapped and not final.redeal and len(kitty) - len(final.kitty) >= 3:
        exchanges.append({"receiver": swapped[0], "cards": _names(kitty[:3])})
        kitty = kitty[3:]
    if len(kitty) > len(final.kitty):
        exchanges.append({"receiver": final.maker, "cards": _names(kitty[:2])})
    exchanges += [
        {"sender": seat, "receiver": (seat + 2) % 4, "cards": _names([action.card])}
        for seat, action in final.history
        if action.kind == "give" and action.card
    ]
    return exchanges


def _names(cards: Iterable[Card]) -> list[str]:
    return [_name(card) for card in cards]


def _name(card: Card) -> str:
    return card[0] + card[1:].lower()
