"""Exactly what one seat, or a spectator, may know of a deal (section 4.7).

The only door from a deal to players, bots and templates. A finished deal reveals no more.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.actions import HIDDEN_DISCARD, Action
from games.engine.cards import Card, Play, Suit
from games.engine.deal import DealState, Phase, Trick, UpCardState
from games.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class SeatView:
    """A deal as one seat sees it; ``seat`` is None for a spectator, who holds no cards."""

    seat: int | None
    rules: Rules
    score: tuple[int, int]
    """Of team 0 and team 1 before this deal."""
    phase: Phase
    dealer: int
    turn: int | None
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    up_card: Card
    up_card_state: UpCardState
    trump: Suit | None
    maker: int | None
    loners: tuple[int, ...]
    sitting_out: tuple[int, ...]
    history: tuple[tuple[int, Action], ...]
    """Every action so far; the discard has no card unless it is one's own (G6)."""
    trick: tuple[Play, ...]
    tricks: tuple[Trick, ...]
    tricks_won: tuple[int, int]
    points: tuple[int, int]
    passed_out: bool
    discard: Card | None
    """One's own discard."""
    leader: int | None
    """The seat that leads or led the trick in progress; None when no cards are being played."""
    legal_actions: tuple[Action, ...]
    """What this seat may do now; () when it is not its turn."""


def view(state: DealState, seat: int | None, score: tuple[int, int] = (0, 0)) -> SeatView:
    """The deal as ``seat`` may know it, or as everybody may for None."""
    own_discard = seat == state.dealer
    leader = None
    if state.phase == "play":
        leader = state.trick[0][0] if state.trick else state.turn
    return SeatView(
        seat=seat,
        rules=state.rules,
        score=score,
        phase=state.phase,
        dealer=state.dealer,
        turn=state.turn,
        hand=() if seat is None else state.hands[seat],
        counts=tuple(map(len, state.hands)),
        up_card=state.up_card,
        up_card_state=state.up_card_state,
        trump=state.trump,
        maker=state.maker,
        loners=state.loners,
        sitting_out=state.sitting_out,
        history=state.history if own_discard or state.discard is None else _without_discard(state.history),
        trick=state.trick,
        tricks=state.tricks,
        tricks_won=state.tricks_won,
        points=state.points,
        passed_out=state.passed_out,
        discard=state.discard if own_discard else None,
        leader=leader,
        legal_actions=state.legal if seat is not None and seat == state.turn else (),
    )


def _without_discard(history: tuple[tuple[int, Action], ...]) -> tuple[tuple[int, Action], ...]:
    return tuple([(seat, HIDDEN_DISCARD if action.kind == "discard" else action) for seat, action in history])
