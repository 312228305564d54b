"""Exactly what one seat, or a spectator, may know of a deal (section 4.7).

The only door from a deal to players, bots and templates. A finished deal reveals no more.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.actions import Action
from games.engine.cards import BIT, Card, Play, Suit, Trump
from games.engine.deal import DealState, Phase, Trick, UpCardState
from games.engine.rules import Rules

_FACE_DOWN = {"discard": Action("discard"), "give": Action("give")}
"""What is put away or given, as those see it who may not know the card (G6, V6)."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A deal as one seat sees it; ``seat`` is None for a spectator, who holds no cards."""

    seat: int | None
    rules: Rules
    score: tuple[int, ...]
    """By side, before this deal."""
    phase: Phase
    dealer: int
    turn: int | None
    hand: tuple[Card, ...]
    """Nobody sees his hand while the dealer names the joker's suit blind (V3)."""
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    up_card: Card
    up_card_state: UpCardState
    trump: Trump | None
    maker: int | None
    loners: tuple[int, ...]
    sitting_out: tuple[int, ...]
    history: tuple[tuple[int, Action], ...]
    """Every action so far; what others put away or gave has no card (G6)."""
    trick: tuple[Play, ...]
    tricks: tuple[Trick, ...]
    tricks_won: tuple[int, ...]
    points: tuple[int, ...]
    passed_out: bool
    redeal: bool
    shown: tuple[Card, ...]
    """The weak hand that was declared for a new deal; () else (O13)."""
    discard: Card | None
    """One's own discard as the dealer who took the up-card."""
    put_away: tuple[Card, ...]
    """All cards one has put away oneself."""
    leader: int | None
    """The seat that leads or led the trick in progress; None when no cards are being played."""
    legal_actions: tuple[Action, ...]
    """What this seat may do now; () when it is not its turn."""

    @property
    def proposed(self) -> Suit | None:
        """The suit the up-card proposes; None where the dealer names it."""
        return self.rules.proposed_suit(self.up_card)

    def side(self, seat: int) -> int:
        """The side a seat plays for."""
        return self.rules.side(seat)


def view(state: DealState, seat: int | None, score: tuple[int, ...] = ()) -> SeatView:
    """The deal as ``seat`` may know it, or as everybody may for None. ``score`` stands before
    the deal; () is nothing yet."""
    own_discard = seat == state.dealer
    leader = None
    if state.phase == "play":
        leader = state.trick[0][0] if state.trick else state.turn
    blind = state.phase == "benny" and state.rules.joker_up == "dealer_blind"
    up_card_state, counts = state.up_card_state, [len(hand) for hand in state.hands]
    if up_card_state == "given" and not _knows_gift(state, seat):  # it may as well have been of the dealer's hand
        up_card_state = "declined"
        counts[state.dealer] -= 1
    put_away = state.put_away
    return SeatView(
        seat=seat,
        rules=state.rules,
        score=score or (0,) * state.rules.sides,
        phase=state.phase,
        dealer=state.dealer,
        turn=state.turn,
        hand=() if seat is None or blind else state.hands[seat],
        counts=tuple(counts),
        up_card=state.up_card,
        up_card_state=up_card_state,
        trump=state.trump,
        maker=state.maker,
        loners=state.loners,
        sitting_out=state.sitting_out,
        history=_as_seen(state.history, seat) if put_away else state.history,
        trick=state.trick,
        tricks=state.tricks,
        tricks_won=state.tricks_won,
        points=state.points,
        passed_out=state.passed_out,
        redeal=state.redeal,
        shown=state.hands[state.history[-1][0]] if state.redeal else (),
        discard=state.discard if own_discard else None,
        put_away=tuple([card for owner, card in put_away if owner == seat]) if put_away else (),
        leader=leader,
        legal_actions=state.legal if seat is not None and seat == state.turn else (),
    )


def _knows_gift(state: DealState, viewer: int | None) -> bool:
    """That the dealer gave the up-card is known to him and the loner, and to all once it is played (V6)."""
    partners = viewer is not None and viewer % 2 == state.dealer % 2
    return partners or bool(state.played & BIT[state.up_card])


def _as_seen(history: tuple[tuple[int, Action], ...], viewer: int | None) -> tuple[tuple[int, Action], ...]:
    """A discard is known to who made it, a gift to giver and receiver."""
    return tuple(
        [
            (seat, action)
            if action.kind not in _FACE_DOWN
            or seat == viewer
            or (action.kind == "give" and viewer is not None and (viewer + 2) % 4 == seat)
            else (seat, _FACE_DOWN[action.kind])
            for seat, action in history
        ]
    )
