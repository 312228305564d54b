"""One deal as a state machine: ``start_deal``, ``legal_actions``, ``apply`` (rules.md 4.3-4.6).

States never change; ``apply`` gives the next one. ``legal_actions`` is the one source of what
may be done: ``apply`` accepts nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

from games.engine.actions import ALONE, CALL, DECLINE, DISCARD, ORDER_UP, PASS, PLAY, TOGETHER, Action, IllegalAction
from games.engine.cards import EFFECTIVE, SUITS, Card, Suit, playable, trick_winner
from games.engine.rules import Rules
from games.engine.scoring import deal_points

PACKETS = (3, 2, 3, 2, 2, 3, 2, 3)
"""Cards of each packet, from the dealer's left, twice round (R19)."""


class Trick(NamedTuple):
    """A finished trick: (seat, card) in the order of play, and the seat that won it."""

    plays: tuple[tuple[int, Card], ...]
    winner: int


class DealState(NamedTuple):
    """A deal between two actions. Seats are 0-3 clockwise, teams seat % 2."""

    rules: Rules
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    up_card: Card
    kitty: tuple[Card, ...]
    phase: str = "bid1"
    turn: int | None = None
    history: tuple[tuple[int, Action], ...] = ()
    up_card_state: str = "up"
    trump: Suit | None = None
    maker: int | None = None
    discard: Card | None = None
    loners: tuple[int, ...] = ()
    leader: int | None = None
    trick: tuple[tuple[int, Card], ...] = ()
    tricks: tuple[Trick, ...] = ()
    tricks_won: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    passed_out: bool = False

    @property
    def sitting_out(self) -> tuple[int, ...]:
        """The partners of those who play alone (R36)."""
        return tuple((seat + 2) % 4 for seat in self.loners)


def start_deal(rules: Rules, dealer: int, deck: tuple[Card, ...]) -> DealState:
    """Deal the shuffled pack in packets of 3-2-3-2 and 2-3-2-3 and turn the next card up
    (R16, R17, R19). ``deck`` is dealt from index 0."""
    hands: list[list[Card]] = [[], [], [], []]
    at = 0
    for turn, size in enumerate(PACKETS):
        hands[(dealer + 1 + turn) % 4].extend(deck[at : at + size])
        at += size
    return DealState(
        rules, dealer, tuple(tuple(hand) for hand in hands), deck[at], deck[at + 1 :], turn=(dealer + 1) % 4
    )


def legal_actions(state: DealState) -> tuple[Action, ...]:
    """What the seat whose turn it is may do; nothing when the deal is done."""
    phase, turn = state.phase, state.turn
    if phase == "done" or turn is None:
        return ()
    if phase == "play":
        led = state.trick[0][1] if state.trick else None
        return tuple(PLAY[card] for card in playable(state.hands[turn], led, state.trump or ""))
    if phase == "bid1":
        return (PASS, ORDER_UP)
    if phase == "bid2":
        calls = tuple(CALL[suit] for suit in SUITS if suit != state.up_card[1])  # G4
        stuck = state.rules.stick_the_dealer and turn == state.dealer  # R32
        return calls if stuck else (PASS, *calls)
    if phase == "exchange":
        discards = tuple(DISCARD[card] for card in (*state.hands[turn], state.up_card))  # G5
        return discards if state.maker == state.dealer else (DECLINE, *discards)  # R25, R27
    return (TOGETHER, ALONE)


def apply(state: DealState, action: Action) -> DealState:
    """The state after ``action`` of the seat whose turn it is. IllegalAction if it may not."""
    if action not in legal_actions(state):
        raise _refusal(state, action)
    turn = state.turn
    assert turn is not None
    state = state._replace(history=(*state.history, (turn, action)))
    if state.phase == "play":
        return _play(state, turn, action.card or "")
    if state.phase == "bid1":
        return _bid_first(state, turn, action)
    if state.phase == "bid2":
        return _bid_second(state, turn, action)
    if state.phase == "exchange":
        return _exchange(state, turn, action)
    return _answer_alone(state, turn, action)


def _bid_first(state: DealState, turn: int, action: Action) -> DealState:
    if action is ORDER_UP or action == ORDER_UP:
        return state._replace(phase="exchange", turn=state.dealer, trump=state.up_card[1], maker=turn)
    if turn == state.dealer:  # R26, R29
        return state._replace(phase="bid2", turn=(turn + 1) % 4, up_card_state="turned_down")
    return state._replace(turn=(turn + 1) % 4)


def _bid_second(state: DealState, turn: int, action: Action) -> DealState:
    if action.kind == "call":
        return state._replace(phase="alone", turn=turn, trump=action.suit, maker=turn)
    if turn == state.dealer:  # R31
        return state._replace(phase="done", turn=None, passed_out=True)
    return state._replace(turn=(turn + 1) % 4)


def _exchange(state: DealState, turn: int, action: Action) -> DealState:
    state = state._replace(phase="alone", turn=state.maker)
    if action.kind == "decline":  # R28, G6
        return state._replace(up_card_state="declined")
    six = (*state.hands[turn], state.up_card)
    hand = tuple(card for card in six if card != action.card)
    hands = tuple(hand if seat == turn else other for seat, other in enumerate(state.hands))
    return state._replace(hands=hands, discard=action.card, up_card_state="taken")


def _answer_alone(state: DealState, turn: int, action: Action) -> DealState:
    """Makers are asked first: the maker, his partner; then the opponent on the maker's left, the
    one on his right. A side whose first has said yes is not asked again (G8, G9)."""
    maker = state.maker
    assert maker is not None
    if action.kind == "alone":
        state = state._replace(loners=(*state.loners, turn))
    step = (turn - maker) % 4  # order of the poll: 0, 2, 1, 3
    if step == 0 and not state.loners:
        return state._replace(turn=(maker + 2) % 4)
    if step in (0, 2):
        return state._replace(turn=(maker + 1) % 4)
    if step == 1 and action.kind != "alone":
        return state._replace(turn=(maker + 3) % 4)
    leader = _first_leader(state, maker)
    return state._replace(phase="play", turn=leader, leader=leader)


def _first_leader(state: DealState, maker: int) -> int:
    if len(state.loners) == 2:  # R41
        return next(seat for seat in state.loners if seat % 2 != maker % 2)
    if state.loners:  # R40
        return (state.loners[0] + 1) % 4
    return (state.dealer + 1) % 4  # R39


def _play(state: DealState, turn: int, card: Card) -> DealState:
    hand = tuple(other for other in state.hands[turn] if other != card)
    hands = tuple(hand if seat == turn else other for seat, other in enumerate(state.hands))
    trick = (*state.trick, (turn, card))
    if len(trick) < 4 - len(state.loners):
        out = state.sitting_out
        following = (turn + 1) % 4
        while following in out:
            following = (following + 1) % 4
        return state._replace(hands=hands, trick=trick, turn=following)
    assert state.trump is not None and state.maker is not None
    winner = trick_winner(trick, state.trump)
    won = state.tricks_won
    won = (won[0] + 1, won[1]) if winner % 2 == 0 else (won[0], won[1] + 1)
    tricks = (*state.tricks, Trick(trick, winner))
    state = state._replace(hands=hands, trick=(), tricks=tricks, tricks_won=won, turn=winner, leader=winner)
    if len(tricks) < 5:
        return state
    makers = state.maker % 2
    points = deal_points(
        makers,
        won[makers],
        lone_maker=any(seat % 2 == makers for seat in state.loners),
        lone_defender=any(seat % 2 != makers for seat in state.loners),
    )
    return state._replace(phase="done", turn=None, points=points)


_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def _refusal(state: DealState, action: Action) -> IllegalAction:
    if state.phase == "done":
        return IllegalAction("over", "The deal is over.")
    turn = state.turn
    assert turn is not None
    if action.kind == "play" and state.phase == "play":
        if action.card not in state.hands[turn]:
            return IllegalAction("not_held", "You do not hold that card.")
        suit = EFFECTIVE[state.trump or ""][state.trick[0][1]]
        return IllegalAction("follow", f"Follow {_SUIT_NAMES[suit]}.", suit=suit)
    if action.kind == "discard" and state.phase == "exchange":
        return IllegalAction("not_held", "You do not hold that card.")
    if action.kind == "decline" and state.phase == "exchange":
        return IllegalAction("must_take", "You accepted the card, so it goes into your hand: bury one.")
    if action.kind == "call" and state.phase == "bid2":
        suit = action.suit or ""
        return IllegalAction("turned_down", f"{_SUIT_NAMES[suit].title()} were turned down. Name another suit.", suit=suit)
    if action.kind == "pass" and state.phase == "bid2":
        return IllegalAction("stuck", "The dealer must name a suit here.")
    return IllegalAction("phase", "That cannot be done now.")
