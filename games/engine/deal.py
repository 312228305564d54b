"""One deal as a state machine: weak hands, bidding, exchange, going alone, five tricks, points.

``start_deal`` makes the first state, ``legal_actions`` says what the seat to act may do, and
``apply`` makes the next state. States never change, so any of them can be kept, compared and
replayed. Who may do what is decided in one place only: every state carries its legal actions,
worked out when it was made, and ``apply`` accepts nothing else.

Seats run clockwise from 0. Sides score: of four players seats 0 and 2 are side 0 and seats 1
and 3 side 1; of two or three each seat is its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from games.engine import refusals
from games.engine.actions import (
    ALONE,
    CALL,
    CALL_ALONE,
    CLAIM,
    DECLARE,
    DECLINE,
    DISCARD,
    GIVE,
    KEEP,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    PLAY,
    TOGETHER,
    Action,
)
from games.engine.cards import (
    BENNY,
    BIT,
    HIGHER,
    NO_TRUMP,
    PACK_MASK,
    SUITS,
    TRUMP_MASK,
    Card,
    Play,
    Trump,
    legal_cards,
    mask,
    pack,
    trick_winner,
)
from games.engine.rules import Rules
from games.engine.scoring import deal_points

Phase = Literal["weak", "swap", "benny", "bid1", "exchange", "bid2", "dummy", "alone", "best", "play", "done"]
UpCardState = Literal["up", "taken", "declined", "turned_down", "given"]
Hands = tuple[tuple[Card, ...], ...]


def _packets(players: int, first: int) -> tuple[tuple[int, int, int, int], ...]:
    """Where the two packets of each seat lie in the deck, eldest first: 3 2 3 2 then 2 3 2 3 (R19)."""
    sizes = [first if place % 2 == 0 else 5 - first for place in range(players)]
    slices, at, later = [], 0, sum(sizes)
    for size in sizes:
        slices.append((at, at + size, later, later + 5 - size))
        at, later = at + size, later + 5 - size
    return tuple(slices)


_PACKETS = {
    (players, word): _packets(players, first) for players in (2, 3, 4) for word, first in (("3-2", 3), ("2-3", 2))
}
_PACKS = {size: frozenset(pack(size)) for size in PACK_MASK}
_LOW_RANKS = "789T"


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
    """The cards under the up-card, never seen."""
    phase: Phase
    turn: int | None
    """The seat to act; None when the deal is done."""
    legal: tuple[Action, ...]
    history: tuple[tuple[int, Action], ...]
    """Every action so far with the seat that took it."""
    trump: Trump | None
    maker: int | None
    """The seat whose call fixed trump; its side are the makers (R33)."""
    loners: tuple[int, ...]
    sitting_out: tuple[int, ...]
    trick: tuple[Play, ...]
    """The plays of the unfinished trick."""
    tricks: tuple[Trick, ...]
    discard: Card | None
    """The card the dealer put away after taking the up-card."""
    put_away: tuple[tuple[int, Card], ...]
    """Every card put away, with the only seat that knows it."""
    played: int
    """The cards played so far, as bits."""
    up_card_state: UpCardState
    tricks_won: tuple[int, ...]
    """By side; a claim counts all that was left."""
    points: tuple[int, ...]
    """By side; all 0 until the deal is done."""
    redeal: bool
    """A weak hand was declared: the same dealer deals again (O13)."""

    @property
    def passed_out(self) -> bool:
        """All passed twice: nothing is played, and nobody scores unless O21 says so (R31)."""
        return self.phase == "done" and self.trump is None and not self.redeal


def start_deal(rules: Rules, dealer: int, deck: Sequence[Card]) -> DealState:
    """Deal five cards to each seat from the top of the deck and turn up the next (R16-R19).

    ``deck`` is the whole pack of the rules in shuffled order; ValueError if it is not.
    """
    deck = tuple(deck)
    cards, players = _PACKS[rules.pack], rules.players
    if len(deck) != len(cards) or not cards.issuperset(deck) or len(set(deck)) != len(cards):
        raise ValueError("a deck holds every card of the pack once")
    hands: list[tuple[Card, ...]] = [()] * players
    for place, (a, b, c, d) in enumerate(_PACKETS[players, rules.packets], start=1):
        hands[(dealer + place) % players] = deck[a:b] + deck[c:d]
    nothing = (0, 0) if players != 3 else (0, 0, 0)
    state = DealState(
        rules=rules,
        dealer=dealer,
        hands=tuple(hands),
        up_card=deck[5 * players],
        kitty=deck[5 * players + 1 :],
        phase="bid1",
        turn=(dealer + 1) % players,
        legal=(PASS, ORDER_UP),
        history=(),
        trump=None,
        maker=None,
        loners=(),
        sitting_out=(),
        trick=(),
        tricks=(),
        discard=None,
        put_away=(),
        played=0,
        up_card_state="up",
        tricks_won=nothing,
        points=nothing,
        redeal=False,
    )
    if rules.weak_hand == "off" or (state.up_card == BENNY and rules.joker_up == "dealer_blind"):
        return _begin_bidding(state)
    return _ask_weak_hand(state, state.turn)


def legal_actions(state: DealState) -> tuple[Action, ...]:
    """What the seat to act may do, () when the deal is done. The one source of legality."""
    return state.legal


def apply(state: DealState, action: Action) -> DealState:
    """The state after the seat to act does ``action``. IllegalAction if it may not."""
    if action not in state.legal:
        raise refusals.refuse(state, action)
    return _EFFECTS[action.kind](state, action)


# Weak hands, before any bid (O13)


def _ask_weak_hand(state: DealState, seat: int | None) -> DealState:
    """Every seat is asked, also one that can only say no: who was asked would tell."""
    assert seat is not None
    legal = (KEEP, DECLARE) if _is_weak(state.hands[seat], state.rules.weak_hand) else (KEEP,)
    return state._replace(phase="weak", turn=seat, legal=legal)


def _is_weak(hand: Iterable[Card], option: str) -> bool:
    """Farmer's hand: nothing above a ten; ace no face: one ace, and the rest nothing above a ten."""
    high = [card[0] for card in hand if card[0] not in _LOW_RANKS]
    return high == (["A"] if option == "ace_no_face" else [])


def _declare(state: DealState, action: Action) -> DealState:
    history = _with(state, action)
    if state.rules.weak_hand != "farmers_swap":
        return state._replace(phase="done", turn=None, legal=(), history=history, redeal=True)
    assert state.turn is not None
    return state._replace(phase="swap", legal=_discards(state.hands[state.turn]), history=history)


def _swap(state: DealState, card: Card) -> DealState:
    """Three cards go under, then three of the kitty come up."""
    seat = state.turn
    assert seat is not None
    state = _put_away(state, seat, card)
    if len(state.hands[seat]) > 2:
        return state._replace(legal=_discards(state.hands[seat]))
    hand = state.hands[seat] + state.kitty[:3]
    return _begin_bidding(state._replace(hands=_with_hand(state.hands, seat, hand), kitty=state.kitty[3:]))


def _keep(state: DealState, action: Action) -> DealState:
    state = state._replace(history=_with(state, action))
    assert state.turn is not None
    if state.phase == "best":
        return _after_best(state, state.turn)
    if state.turn == state.dealer:
        return _begin_bidding(state)
    return _ask_weak_hand(state, (state.turn + 1) % state.rules.players)


# Bidding (R20-R34)


def _begin_bidding(state: DealState) -> DealState:
    rules = state.rules
    if rules.proposed_suit(state.up_card) is None:  # V3: the dealer names the joker's suit
        legal = tuple(CALL[suit] for suit in SUITS)
        if rules.alone_timing == "with_call" and rules.alone_who != "none":
            legal += tuple(CALL_ALONE[suit] for suit in SUITS)
        return state._replace(phase="benny", turn=state.dealer, legal=legal)
    eldest = (state.dealer + 1) % rules.players
    return state._replace(phase="bid1", turn=eldest, legal=_bids1(state, eldest))


def _bids1(state: DealState, seat: int) -> tuple[Action, ...]:
    rules = state.rules
    if rules.must_have_trump == "any" or (rules.must_have_trump == "dealer" and seat == state.dealer):
        suit = rules.proposed_suit(state.up_card)
        if not any(card[-1] == suit for card in state.hands[seat]):  # the joker and the left bower do not count
            return (PASS,)
    if rules.canadian_loner and seat == (state.dealer + 2) % 4:
        return (PASS, ORDER_UP_ALONE)
    if rules.alone_timing == "with_call" and rules.alone_who != "none":
        return (PASS, ORDER_UP, ORDER_UP_ALONE)
    return (PASS, ORDER_UP)


def _bids2(state: DealState, seat: int) -> tuple[Action, ...]:
    rules = state.rules
    barred = None if rules.turned_down_callable else rules.proposed_suit(state.up_card)
    stuck = seat == state.dealer and rules.stick_the_dealer
    suits = [suit for suit in SUITS if suit != barred]
    if rules.must_have_trump == "any":
        held = [suit for suit in suits if any(card[-1] == suit for card in state.hands[seat])]
        suits = held or (suits if stuck else [])
    if rules.no_trump == "round2" or (rules.no_trump == "stuck_dealer" and stuck):
        suits = [*suits, NO_TRUMP]
    legal = [CALL[suit] for suit in suits]
    if rules.alone_timing == "with_call" and rules.alone_who != "none":
        legal += [CALL_ALONE[suit] for suit in suits]
    if not stuck or rules.all_pass_penalty:
        legal.insert(0, PASS)  # else R32
    return tuple(legal)


def _pass(state: DealState, action: Action) -> DealState:
    rules = state.rules
    assert state.turn is not None
    history = (*state.history, (state.turn, action))
    turn = (state.turn + 1) % rules.players
    if state.turn != state.dealer:
        legal = _bids1(state, turn) if state.phase == "bid1" else _bids2(state, turn)
        return state._replace(turn=turn, legal=legal, history=history)
    if state.phase == "bid1":  # the up-card is turned face down (R29)
        legal = _bids2(state, turn)
        return state._replace(phase="bid2", turn=turn, legal=legal, history=history, up_card_state="turned_down")
    points = state.points
    if rules.all_pass_penalty:  # O21
        sides = len(points)
        points = tuple([int(side != state.dealer % sides) for side in range(sides)])
    return state._replace(phase="done", turn=None, legal=(), history=history, points=points)  # R31


def _order_up(state: DealState, action: Action) -> DealState:
    seat = state.turn
    assert seat is not None
    dealer = state.dealer
    state = state._replace(history=_with(state, action), trump=state.rules.proposed_suit(state.up_card), maker=seat)
    if action == ORDER_UP_ALONE:
        state = state._replace(loners=(seat,))
        if (seat + 2) % 4 == dealer:  # the dealer sits out and needs no card (O6, O20)
            return _settle(state._replace(up_card_state="declined"))
    legal = _discards((*state.hands[dealer], state.up_card))  # any of the six (G5)
    if seat != dealer and state.rules.dealer_exchange == "optional":
        legal = (DECLINE, *legal)  # R27; a dealer who accepts must take it (R25)
    return state._replace(phase="exchange", turn=dealer, legal=legal)


def _call(state: DealState, action: Action) -> DealState:
    seat = state.turn
    assert seat is not None
    loners = (seat,) if action.kind == "call_alone" else ()
    phase = state.phase
    state = state._replace(history=_with(state, action), trump=action.suit, maker=seat, loners=loners)
    if phase == "benny":  # the dealer must take the joker (V3)
        return state._replace(phase="exchange", legal=_discards((*state.hands[seat], state.up_card)))
    return _settle(state)


# Cards that change places: the dealer's exchange (R25, R27, G5, G6), the dummy of two (V4 b)


def _decline(state: DealState, action: Action) -> DealState:
    return _settle(state._replace(history=_with(state, action), up_card_state="declined"))


def _discard(state: DealState, action: Action) -> DealState:
    card = action.card
    assert card is not None
    phase = state.phase
    state = state._replace(history=_with(state, action))
    if phase == "exchange":
        return _exchange(state, card)
    if phase == "swap":
        return _swap(state, card)
    return _discard_for_best(state, card) if phase == "best" else _discard_of_dummy(state, card)


def _exchange(state: DealState, card: Card) -> DealState:
    dealer = state.dealer
    held = (*state.hands[dealer], state.up_card)
    state = state._replace(hands=_with_hand(state.hands, dealer, held), up_card_state="taken", discard=card)
    return _settle(_put_away(state, dealer, card))


def _settle(state: DealState) -> DealState:
    """Trump is fixed and the dealer has his cards: what comes before the lead."""
    maker = state.maker
    assert maker is not None
    if state.rules.two_handed_dummy:
        hand = state.hands[maker] + state.kitty[:2]
        hands, kitty = _with_hand(state.hands, maker, hand), state.kitty[2:]
        return state._replace(phase="dummy", turn=maker, hands=hands, kitty=kitty, legal=_discards(hand))
    if state.loners and state.rules.partners_best:
        return _ask_best(state, maker)
    return _ask_alone(state, 0)


def _discard_of_dummy(state: DealState, card: Card) -> DealState:
    maker = state.maker
    assert maker is not None
    state = _put_away(state, maker, card)
    hand = state.hands[maker]
    return state._replace(legal=_discards(hand)) if len(hand) > 5 else _begin_play(state)


def _put_away(state: DealState, seat: int, card: Card) -> DealState:
    hand = tuple([held for held in state.hands[seat] if held != card])
    return state._replace(hands=_with_hand(state.hands, seat, hand), put_away=(*state.put_away, (seat, card)))


def _with_hand(hands: Hands, seat: int, hand: tuple[Card, ...]) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _with(state: DealState, action: Action) -> tuple[tuple[int, Action], ...]:
    assert state.turn is not None
    return (*state.history, (state.turn, action))


def _discards(cards: Iterable[Card]) -> tuple[Action, ...]:
    return tuple([DISCARD[card] for card in cards])


# Going alone (R35-R38, G8-G10)

_ALONE_ORDER = (0, 2, 1, 3)
"""Asked in this order, counted from the maker: maker, partner, left and right opponent (G8)."""


def _ask_alone(state: DealState, first: int) -> DealState:
    """Ask the next seat that may go alone, from place ``first`` of the order; else begin play."""
    if state.rules.alone_who != "none":
        assert state.maker is not None
        for place in range(first, 4):
            seat = (state.maker + _ALONE_ORDER[place]) % 4
            if _may_go_alone(state, place, seat):
                return state._replace(phase="alone", turn=seat, legal=(ALONE, TOGETHER))
    return _begin_play(state)


def _may_go_alone(state: DealState, place: int, seat: int) -> bool:
    rules, loners = state.rules, state.loners
    if seat in loners or (seat + 2) % 4 in loners:  # one loner a side (G9)
        return False
    if place <= 1:
        if rules.alone_timing == "with_call":
            return False
        return place == 0 or rules.alone_who in ("any", "maker_side")
    return rules.alone_who == "any" and (
        rules.defend_alone == "any" or (rules.defend_alone == "vs_loner" and bool(loners))
    )


def _answer_alone(state: DealState, action: Action) -> DealState:
    seat = state.turn
    assert seat is not None
    state = state._replace(history=_with(state, action))
    if action == ALONE:
        state = state._replace(loners=(*state.loners, seat))
        if state.rules.partners_best:
            return _ask_best(state, seat)
    return _ask_alone(state, _alone_place(state, seat) + 1)


def _alone_place(state: DealState, seat: int) -> int:
    assert state.maker is not None
    return _ALONE_ORDER.index((seat - state.maker) % 4)


# Calling for partner's best (V6, O17)


def _ask_best(state: DealState, loner: int) -> DealState:
    return state._replace(phase="best", turn=loner, legal=(KEEP, *_discards(state.hands[loner])))


def _discard_for_best(state: DealState, card: Card) -> DealState:
    loner = state.turn
    assert loner is not None
    partner = (loner + 2) % 4
    gifts = state.hands[partner]
    if partner == state.dealer and state.up_card_state == "declined":
        gifts = (*gifts, state.up_card)
    return _put_away(state, loner, card)._replace(turn=partner, legal=tuple([GIVE[gift] for gift in gifts]))


def _give(state: DealState, action: Action) -> DealState:
    partner, card = state.turn, action.card
    assert partner is not None
    assert card is not None
    loner = (partner + 2) % 4
    hands = _with_hand(state.hands, loner, (*state.hands[loner], card))
    hands = _with_hand(hands, partner, tuple([held for held in hands[partner] if held != card]))
    up_card_state: UpCardState = "given" if card == state.up_card else state.up_card_state
    state = state._replace(history=_with(state, action), hands=hands, up_card_state=up_card_state)
    return _after_best(state, loner)


def _after_best(state: DealState, loner: int) -> DealState:
    return _ask_alone(state, _alone_place(state, loner) + 1)


# Play (R39-R47)


def _begin_play(state: DealState) -> DealState:
    sitting_out = tuple([(seat + 2) % 4 for seat in state.loners])
    leader = _first_leader(state, sitting_out)
    state = state._replace(phase="play", turn=leader, sitting_out=sitting_out)
    return state._replace(legal=_leads(state, state.hands[leader], leader))


def _first_leader(state: DealState, sitting_out: tuple[int, ...]) -> int:
    loners = state.loners
    if loners and state.rules.lone_lead == "left_of_loner":
        if len(loners) == 2:
            return loners[1]  # the defender, who is asked after the makers (R41)
        return (loners[0] + 1) % 4  # R40
    return _next_active(state.dealer, sitting_out, state.rules.players)  # R39


def _next_active(seat: int, sitting_out: tuple[int, ...], players: int) -> int:
    """The next seat clockwise that plays (G1)."""
    seat = (seat + 1) % players
    while seat in sitting_out:
        seat = (seat + 1) % players
    return seat


def _leads(state: DealState, hand: tuple[Card, ...], leader: int) -> tuple[Action, ...]:
    """Any card may be led (R39, R47); and a claim may be made when it is certain (O16)."""
    leads = tuple([PLAY[card] for card in hand])
    if state.rules.claim and _rest_is_certain(state, hand, leader, state.played):
        return (*leads, CLAIM)
    return leads


def _rest_is_certain(state: DealState, hand: tuple[Card, ...], leader: int, played: int) -> bool:
    """Section 5.1: every card outranks all unseen ones of its suit, and there are enough trumps
    to draw what may be out. The last card needs no claim."""
    trump = state.trump
    if len(hand) < 2:
        return False
    assert trump is not None
    unseen = PACK_MASK[state.rules.pack] & ~(played | mask(hand))
    higher = HIGHER[trump]
    if higher[hand[0]] & unseen & ~_known_dead(state, leader):
        return False
    unseen &= ~_known_dead(state, leader)
    for card in hand:
        if higher[card] & unseen:
            return False
    trumps = TRUMP_MASK[trump]
    bosses = sum([1 for card in hand if BIT[card] & trumps])
    return trump == NO_TRUMP or bosses == len(hand) or (unseen & trumps).bit_count() <= bosses


def _known_dead(state: DealState, seat: int) -> int:
    """What a seat knows to be out of play: its own discards, and the up-card left lying unless a
    dealer may have given it to a loner."""
    dead = mask([card for owner, card in state.put_away if owner == seat])
    if state.up_card_state == "turned_down" or (state.up_card_state == "declined" and not state.rules.partners_best):
        dead |= BIT[state.up_card]
    return dead


def _claim(state: DealState, action: Action) -> DealState:
    """The remaining tricks are the claimant's."""
    seat = state.turn
    assert seat is not None
    assert state.maker is not None
    sides = len(state.tricks_won)
    left = len(state.hands[seat])
    won = tuple([tricks + (left if side == seat % sides else 0) for side, tricks in enumerate(state.tricks_won)])
    points = deal_points(state.rules, state.maker, state.loners, won)
    return state._replace(
        phase="done", turn=None, legal=(), history=_with(state, action), tricks_won=won, points=points
    )


def _play(state: DealState, action: Action) -> DealState:
    # Most actions are plays, and so the state is taken apart and put together by position,
    # which costs a quarter of what _replace does.
    (rules, dealer, hands, up_card, kitty, phase, turn, legal, history, trump, maker, loners, sitting_out,
     trick, tricks, discard, put_away, played, up_card_state, tricks_won, points, redeal) = state  # fmt: skip
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
    played |= BIT[card]
    players = len(hands)
    if len(trick) + len(sitting_out) < players:
        next_turn = _next_active(turn, sitting_out, players)
        legal = tuple([PLAY[card] for card in legal_cards(hands[next_turn], trick[0][1], trump)])
    else:
        next_turn = winner = trick_winner(trick, trump)
        tricks = (*tricks, Trick(trick, winner))
        side = winner % len(tricks_won)
        tricks_won = (*tricks_won[:side], tricks_won[side] + 1, *tricks_won[side + 1 :])
        trick = ()
        hand = hands[winner]
        legal = tuple([PLAY[card] for card in hand])  # any card may be led (R39, R47)
        if len(tricks) == 5:
            phase, next_turn = "done", None
            points = deal_points(rules, maker, loners, tricks_won)
        elif rules.claim and _rest_is_certain(state, hand, winner, played):
            legal = (*legal, CLAIM)
    return DealState(
        rules, dealer, hands, up_card, kitty, phase, next_turn, legal, history, trump, maker, loners, sitting_out,
        trick, tricks, discard, put_away, played, up_card_state, tricks_won, points, redeal,
    )  # fmt: skip


_EFFECTS = {
    "declare": _declare,
    "keep": _keep,
    "pass": _pass,
    "order_up": _order_up,
    "order_up_alone": _order_up,
    "call": _call,
    "call_alone": _call,
    "decline": _decline,
    "discard": _discard,
    "alone": _answer_alone,
    "together": _answer_alone,
    "give": _give,
    "play": _play,
    "claim": _claim,
}
