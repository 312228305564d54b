"""One deal as a state machine: bidding, exchange, going alone, five tricks, points.

``start_deal`` makes the first state, ``legal_actions`` says what the seat to act may do, and
``apply`` makes the next state. States never change, so any of them can be kept, compared and
replayed. Who may do what is decided in one place only: every state carries its legal actions,
worked out when it was made, and ``apply`` accepts nothing else.

Seats are 0 to 3 clockwise; partners are two apart; team 0 is seats 0 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from games.engine import refusals
from games.engine.actions import ALONE, CALL, DECLINE, DISCARD, ORDER_UP, PASS, PLAY, TOGETHER, Action
from games.engine.cards import SUITS, Card, Play, Suit, legal_cards, pack, trick_winner
from games.engine.rules import Rules
from games.engine.scoring import deal_points

Phase = Literal["bid1", "exchange", "bid2", "alone", "play", "done"]
UpCardState = Literal["up", "taken", "declined", "turned_down"]
Hands = tuple[tuple[Card, ...], ...]

SEATS = (0, 1, 2, 3)
_PACK = frozenset(pack())
# Where each seat's two packets lie in the deck, eldest first: 3 2 3 2, then 2 3 2 3 (R19).
_PACKETS = ((0, 3, 10, 12), (3, 5, 12, 15), (5, 8, 15, 17), (8, 10, 17, 20))
_UP_CARD = 20


class Trick(NamedTuple):
    """A finished trick: its plays in order, the leader's first, and the seat that won it."""

    plays: tuple[Play, ...]
    winner: int


class DealState(NamedTuple):
    """A deal at one moment, all cards included. Only :func:`games.engine.view` may pass it on
    to players."""

    rules: Rules
    dealer: int
    hands: Hands
    """The cards each seat holds now."""
    up_card: Card
    kitty: tuple[Card, ...]
    """The three cards under the up-card, never seen."""
    phase: Phase
    turn: int | None
    """The seat to act; None when the deal is done."""
    legal: tuple[Action, ...]
    history: tuple[tuple[int, Action], ...]
    """Every action so far with the seat that took it."""
    trump: Suit | None
    maker: int | None
    """The seat whose call fixed trump; its side are the makers (R33)."""
    loners: tuple[int, ...]
    sitting_out: tuple[int, ...]
    trick: tuple[Play, ...]
    """The plays of the unfinished trick."""
    tricks: tuple[Trick, ...]
    discard: Card | None
    """The card the dealer put away after taking the up-card."""
    up_card_state: UpCardState
    tricks_won: tuple[int, int]
    """By team 0 and team 1."""
    points: tuple[int, int]
    """Of team 0 and team 1; (0, 0) until the deal is done, and if all passed."""

    @property
    def passed_out(self) -> bool:
        """All four passed twice: nothing is played and nobody scores (R31)."""
        return self.phase == "done" and self.trump is None


def start_deal(rules: Rules, dealer: int, deck: Sequence[Card]) -> DealState:
    """Deal five cards to each seat from the top of the deck and turn up the next (R16-R19).

    ``deck`` is the whole pack in shuffled order; ValueError if it is not.
    """
    deck = tuple(deck)
    if len(deck) != len(_PACK) or not _PACK.issuperset(deck) or len(set(deck)) != len(_PACK):
        raise ValueError("a deck holds every card of the pack once")
    hands: list[tuple[Card, ...]] = [()] * 4
    for place, (a, b, c, d) in enumerate(_PACKETS, start=1):
        hands[(dealer + place) % 4] = deck[a:b] + deck[c:d]
    return DealState(
        rules=rules,
        dealer=dealer,
        hands=tuple(hands),
        up_card=deck[_UP_CARD],
        kitty=deck[_UP_CARD + 1 :],
        phase="bid1",
        turn=(dealer + 1) % 4,
        legal=(PASS, ORDER_UP),
        history=(),
        trump=None,
        maker=None,
        loners=(),
        sitting_out=(),
        trick=(),
        tricks=(),
        discard=None,
        up_card_state="up",
        tricks_won=(0, 0),
        points=(0, 0),
    )


def legal_actions(state: DealState) -> tuple[Action, ...]:
    """What the seat to act may do, () when the deal is done. The one source of legality."""
    return state.legal


def apply(state: DealState, action: Action) -> DealState:
    """The state after the seat to act does ``action``. IllegalAction if it may not."""
    if action not in state.legal:
        raise refusals.refuse(state, action)
    return _EFFECTS[action.kind](state, action)


# Bidding (R20-R34)


def _pass(state: DealState, action: Action) -> DealState:
    assert state.turn is not None
    history = (*state.history, (state.turn, action))
    turn = (state.turn + 1) % 4
    if state.turn != state.dealer:
        legal = state.legal
        if state.phase == "bid2" and turn == state.dealer and state.rules.stick_the_dealer:
            legal = legal[1:]  # no pass (R32)
        return state._replace(turn=turn, legal=legal, history=history)
    if state.phase == "bid1":  # the up-card is turned face down (R29)
        barred = None if state.rules.turned_down_callable else state.up_card[1]
        legal = (PASS, *(CALL[suit] for suit in SUITS if suit != barred))
        return state._replace(phase="bid2", turn=turn, legal=legal, history=history, up_card_state="turned_down")
    return state._replace(phase="done", turn=None, legal=(), history=history)  # R31


def _order_up(state: DealState, action: Action) -> DealState:
    assert state.turn is not None
    dealer, up_card = state.dealer, state.up_card
    legal = tuple([DISCARD[card] for card in (*state.hands[dealer], up_card)])  # any of the six (G5)
    if state.turn != dealer and state.rules.dealer_exchange == "optional":
        legal = (DECLINE, *legal)  # R27; a dealer who accepts must take it (R25)
    return state._replace(
        phase="exchange",
        turn=dealer,
        legal=legal,
        history=(*state.history, (state.turn, action)),
        trump=up_card[1],
        maker=state.turn,
    )


def _call(state: DealState, action: Action) -> DealState:
    assert state.turn is not None
    history = (*state.history, (state.turn, action))
    return _ask_alone(state._replace(history=history, trump=action.suit, maker=state.turn), 0)


# The dealer's exchange (R25, R27, G5, G6)


def _decline(state: DealState, action: Action) -> DealState:
    history = (*state.history, (state.dealer, action))
    return _ask_alone(state._replace(history=history, up_card_state="declined"), 0)


def _discard(state: DealState, action: Action) -> DealState:
    dealer = state.dealer
    held = (*state.hands[dealer], state.up_card)
    hand = tuple([card for card in held if card != action.card])
    return _ask_alone(
        state._replace(
            hands=(*state.hands[:dealer], hand, *state.hands[dealer + 1 :]),
            history=(*state.history, (dealer, action)),
            discard=action.card,
            up_card_state="taken",
        ),
        0,
    )


# Going alone (R35-R38, G8-G10)

_ALONE_ORDER = (0, 2, 1, 3)
"""Asked in this order, counted from the maker: maker, partner, left and right opponent (G8)."""


def _ask_alone(state: DealState, first: int) -> DealState:
    """Ask the next seat that may go alone, from place ``first`` of the order; else begin play."""
    assert state.maker is not None
    for place in range(first, 4):
        seat = (state.maker + _ALONE_ORDER[place]) % 4
        if _may_go_alone(state, place, seat):
            return state._replace(phase="alone", turn=seat, legal=(ALONE, TOGETHER))
    return _begin_play(state)


def _may_go_alone(state: DealState, place: int, seat: int) -> bool:
    rules, loners = state.rules, state.loners
    if (seat + 2) % 4 in loners:  # one loner a side (G9)
        return False
    if place == 0:
        return rules.alone_who != "none"
    if place == 1:
        return rules.alone_who in ("any", "maker_side")
    return rules.alone_who == "any" and (
        rules.defend_alone == "any" or (rules.defend_alone == "vs_loner" and bool(loners))
    )


def _answer_alone(state: DealState, action: Action) -> DealState:
    assert state.turn is not None
    assert state.maker is not None
    seat = state.turn
    answered = state._replace(
        history=(*state.history, (seat, action)),
        loners=(*state.loners, seat) if action == ALONE else state.loners,
    )
    return _ask_alone(answered, _ALONE_ORDER.index((seat - state.maker) % 4) + 1)


# Play (R39-R47)


def _begin_play(state: DealState) -> DealState:
    sitting_out = tuple([(seat + 2) % 4 for seat in state.loners])
    leader = _first_leader(state, sitting_out)
    legal = tuple([PLAY[card] for card in state.hands[leader]])
    return state._replace(phase="play", turn=leader, legal=legal, sitting_out=sitting_out)


def _first_leader(state: DealState, sitting_out: tuple[int, ...]) -> int:
    assert state.maker is not None
    loners = state.loners
    if loners and state.rules.lone_lead == "left_of_loner":
        if len(loners) == 2:
            return loners[1]  # the defender, who is asked after the makers (R41)
        return (loners[0] + 1) % 4  # R40
    return _next_active(state.dealer, sitting_out)  # R39


def _next_active(seat: int, sitting_out: tuple[int, ...]) -> int:
    """The next seat clockwise that plays (G1)."""
    seat = (seat + 1) % 4
    while seat in sitting_out:
        seat = (seat + 1) % 4
    return seat


def _play(state: DealState, action: Action) -> DealState:
    # Most actions are plays, and so the state is taken apart and put together by position,
    # which costs a quarter of what _replace does.
    (rules, dealer, hands, up_card, kitty, phase, turn, legal, history, trump, maker, loners,
     sitting_out, trick, tricks, discard, up_card_state, tricks_won, points) = state  # fmt: skip
    card = action.card
    assert turn is not None
    assert card is not None
    assert trump is not None
    assert maker is not None
    next_turn: int | None
    hand = hands[turn]
    at = hand.index(card)
    hands = (*hands[:turn], hand[:at] + hand[at + 1 :], *hands[turn + 1 :])
    history = (*history, (turn, action))
    trick = (*trick, (turn, card))
    if len(trick) + len(sitting_out) < 4:
        next_turn = _next_active(turn, sitting_out)
        legal = tuple([PLAY[card] for card in legal_cards(hands[next_turn], trick[0][1], trump)])
    else:
        next_turn = winner = trick_winner(trick, trump)
        tricks = (*tricks, Trick(trick, winner))
        tricks_won = (tricks_won[0] + 1, tricks_won[1]) if winner % 2 == 0 else (tricks_won[0], tricks_won[1] + 1)
        trick = ()
        legal = tuple([PLAY[card] for card in hands[winner]])  # any card may be led (R39, R47)
        if len(tricks) == 5:
            phase, next_turn = "done", None
            points = deal_points(rules, maker, loners, tricks_won)
    return DealState(
        rules, dealer, hands, up_card, kitty, phase, next_turn, legal, history, trump, maker, loners,
        sitting_out, trick, tricks, discard, up_card_state, tricks_won, points,
    )  # fmt: skip


_EFFECTS = {
    "pass": _pass,
    "order_up": _order_up,
    "call": _call,
    "decline": _decline,
    "discard": _discard,
    "alone": _answer_alone,
    "together": _answer_alone,
    "play": _play,
}
