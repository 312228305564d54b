"""Exactly what one seat, or a spectator, may know: the only door to a deal for bots, pages and
frames (rules.md 4.7, G6, G7)."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.actions import Action
from games.engine.cards import Card, Suit
from games.engine.deal import DealState, Trick, legal_actions
from games.engine.rules import Rules

HIDDEN_DISCARD = Action("discard")
"""A discard as everybody but the dealer knows it: without its card."""


class SeatView(NamedTuple):
    """A deal as ``seat`` sees it; ``seat`` None is a spectator. ``counts`` are the cards in each
    hand, ``score`` the game's before this deal; ``legal_actions`` is empty unless it is the
    seat's turn."""

    seat: int | None
    rules: Rules
    score: tuple[int, int]
    phase: str
    dealer: int
    turn: int | None
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    up_card: Card
    up_card_state: str
    trump: Suit | None
    maker: int | None
    loners: tuple[int, ...]
    sitting_out: tuple[int, ...]
    history: tuple[tuple[int, Action], ...]
    leader: int | None
    trick: tuple[tuple[int, Card], ...]
    tricks: tuple[Trick, ...]
    tricks_won: tuple[int, int]
    points: tuple[int, int]
    passed_out: bool
    discard: Card | None
    legal_actions: tuple[Action, ...]


def view(state: DealState, seat: int | None, score: tuple[int, int] = (0, 0)) -> SeatView:
    """The deal through the eyes of ``seat`` (0-3), or of a spectator (None)."""
    own_discard = seat is not None and seat == state.dealer
    history = state.history
    if state.discard is not None and not own_discard:
        history = tuple((who, HIDDEN_DISCARD if act.kind == "discard" else act) for who, act in history)
    return SeatView(
        seat=seat,
        rules=state.rules,
        score=score,
        phase=state.phase,
        dealer=state.dealer,
        turn=state.turn,
        hand=state.hands[seat] if seat is not None else (),
        counts=tuple(len(hand) for hand in state.hands),
        up_card=state.up_card,
        up_card_state=state.up_card_state,
        trump=state.trump,
        maker=state.maker,
        loners=state.loners,
        sitting_out=state.sitting_out,
        history=history,
        leader=state.leader,
        trick=state.trick,
        tricks=state.tricks,
        tricks_won=state.tricks_won,
        points=state.points,
        passed_out=state.passed_out,
        discard=state.discard if own_discard else None,
        legal_actions=legal_actions(state) if seat is not None and seat == state.turn else (),
    )
