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
from typing import Any, Literal, NamedTuple

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
    FOLLOWERS,
    HIGHER,
    NO_TRUMP,
    PACK_MASK,
    SUITS,
    TRUMP_MASK,
    Card,
    Play,
    Trump,
    pack,
    trick_winner,
)
from games.engine.rules import Rules
from games.engine.scoring import deal_points

Phase = Literal["weak", "swap", "benny", "bid1", "exchange", "bid2", "dummy", "alone", "best", "play", "done"]
UpCardState = Literal["up", "taken", "declined", "turned_down", "given"]
Hands = tuple[tuple[Card, ...], ...]
History = tuple[tuple[int, Action], ...]


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
    history: History = ()
    """Every action so far with the seat that took it."""
    trump: Trump | None = None
    maker: int | None = None
    """The seat whose call fixed trump; its side are the makers (R33)."""
    loners: tuple[int, ...] = ()
    sitting_out: tuple[int, ...] = ()
    trick: tuple[Play, ...] = ()
    """The plays of the unfinished trick."""
    tricks: tuple[Trick, ...] = ()
    discard: Card | None = None
    """The card the dealer put away after taking the up-card."""
    put_away: tuple[tuple[int, Card], ...] = ()
    """Every card put away, with the only seat that knows it."""
    dead: tuple[int, ...] = ()
    """The cards each seat knows to be out of play when the first is led, as bits; () before."""
    played: int = 0
    """The cards played so far, as bits."""
    up_card_state: UpCardState = "up"
    tricks_won: tuple[int, ...] = (0, 0)
    """By side; a claim counts all that was left."""
    points: tuple[int, ...] = (0, 0)
    """By side; all 0 until the deal is done."""
    redeal: bool = False
    """A weak hand was declared: the same dealer deals again (O13)."""

    @property
    def passed_out(self) -> bool:
        """All passed twice: nothing is played, and nobody scores unless O21 says so (R31)."""
        return self.phase == "done" and self.trump is None and not self.redeal


_PLACES = {name: place for place, name in enumerate(DealState._fields)}


def _replace(state: DealState, /, **changes: Any) -> DealState:
    """What NamedTuple gives every class of its kind, in half the time."""
    fields = list(state)
    for name, value in changes.items():
        fields[_PLACES[name]] = value
    return tuple.__new__(DealState, fields)


DealState._replace = _replace  # type: ignore[method-assign, assignment]


def start_deal(rules: Rules, dealer: int, deck: Sequence[Card]) -> DealState:
    """Deal five cards to each seat from the top of the deck and turn up the next (R16-R19).

    ``deck`` is the whole pack of the rules in shuffled order; ValueError if it is not, or if
    there is no seat ``dealer``.
    """
    deck = tuple(deck)
    cards, players = _PACKS[rules.pack], rules.players
    if len(deck) != len(cards) or cards.difference(deck):
        raise ValueError("a deck holds every card of the pack once")
    if not 0 <= dealer < players:
        raise ValueError(f"the dealer is a seat from 0 to {players - 1}")
    up_card, eldest = deck[5 * players], (dealer + 1) % players
    dealt = [deck[a:b] + deck[c:d] for a, b, c, d in _PACKETS[players, rules.packets]]
    hands = tuple(dealt[-eldest:] + dealt[:-eldest])
    nothing = (0, 0) if players != 3 else (0, 0, 0)
    state = DealState(
        rules,
        dealer,
        hands,
        up_card,
        kitty=deck[5 * players + 1 :],
        phase="bid1",
        turn=eldest,
        legal=_bids1(rules, dealer, eldest, hands[eldest], up_card),
        tricks_won=nothing,
        points=nothing,
    )
    if rules.weak_hand != "off" and (up_card != BENNY or rules.joker_up != "dealer_blind"):
        return _ask_weak_hand(state, eldest)
    return state if rules.proposed_suit(up_card) else _begin_bidding(state)


def legal_actions(state: DealState) -> tuple[Action, ...]:
    """What the seat to act may do, () when the deal is done. The one source of legality."""
    return state.legal


def apply(state: DealState, action: Action) -> DealState:
    """The state after the seat to act does ``action``. IllegalAction if it may not."""
    if action not in state.legal:
        raise refusals.refuse(state, action)
    return _EFFECTS[action.kind](state, action)


# Weak hands, before any bid (O13)


def _ask_weak_hand(state: DealState, seat: int) -> DealState:
    """Every seat is asked, also one that can only say no: who was asked would tell. Not where the
    dealer names the joker's suit blind: there nobody has seen his hand (V3)."""
    legal = (KEEP, DECLARE) if _is_weak(state.hands[seat], state.rules.weak_hand) else (KEEP,)
    return state._replace(phase="weak", turn=seat, legal=legal)


def _is_weak(hand: Iterable[Card], option: str) -> bool:
    """Farmer's hand: nothing above a ten, sevens and eights of the longer packs included. Ace no
    face: one ace, and the rest nothing above a ten."""
    high = [card[0] for card in hand if card[0] not in _LOW_RANKS]
    return high == (["A"] if option == "ace_no_face" else [])


def _declare(state: DealState, action: Action) -> DealState:
    history = _with(state, action)
    if state.rules.weak_hand != "farmers_swap":
        return state._replace(phase="done", turn=None, legal=(), history=history, redeal=True)
    assert state.turn is not None
    return state._replace(phase="swap", legal=_discards(state.hands[state.turn]), history=history)


def _swap(state: DealState, card: Card) -> DealState:
    """Three cards go under, then three of the kitty come up; nobody is shown either. Bidding
    begins, and nobody else is asked: one swap a deal, the first to declare it."""
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
    rules, dealer = state.rules, state.dealer
    if not rules.proposed_suit(state.up_card):
        # The dealer names the joker's suit, any of the four: he cannot pass, and so he needs no
        # natural trump even where a caller does (V3, O12).
        legal = tuple(CALL[suit] for suit in SUITS)
        if rules.alone_with_call:
            legal += tuple(CALL_ALONE[suit] for suit in SUITS)
        return state._replace(phase="benny", turn=dealer, legal=legal)
    eldest = (dealer + 1) % rules.players
    return state._replace(
        phase="bid1", turn=eldest, legal=_bids1(rules, dealer, eldest, state.hands[eldest], state.up_card)
    )


def _bids1(rules: Rules, dealer: int, seat: int, hand: tuple[Card, ...], up_card: Card) -> tuple[Action, ...]:
    """Whoever needs a natural trump must hold it: the up-card does not count, nor do the joker
    and the left bower (O12)."""
    if rules.must_have_trump != "off" and (rules.must_have_trump == "any" or seat == dealer):
        suit = rules.proposed_suit(up_card)
        if not any(card[-1] == suit for card in hand):
            return (PASS,)
    if rules.canadian_loner and seat == (dealer + 2) % 4:
        return (PASS, ORDER_UP_ALONE)
    return (PASS, ORDER_UP, ORDER_UP_ALONE) if rules.alone_with_call else (PASS, ORDER_UP)


def _bids2(state: DealState, seat: int) -> tuple[Action, ...]:
    """A stuck dealer who holds no suit he could name needs none, and no-trump needs none (O12)."""
    rules = state.rules
    barred = None if rules.turned_down_callable else rules.proposed_suit(state.up_card)
    stuck = rules.stick_the_dealer and seat == state.dealer
    trumps: list[Trump] = [suit for suit in SUITS if suit != barred]
    if rules.must_have_trump == "any":
        held = [suit for suit in trumps if any(card[-1] == suit for card in state.hands[seat])]
        trumps = held or (trumps if stuck else [])
    if rules.no_trump == "round2" or (rules.no_trump == "stuck_dealer" and stuck):
        trumps.append(NO_TRUMP)
    legal = [] if stuck and not rules.all_pass_penalty else [PASS]  # R32, O21
    legal += [CALL[trump] for trump in trumps]
    if rules.alone_with_call:
        legal += [CALL_ALONE[trump] for trump in trumps]
    return tuple(legal)


def _pass(state: DealState, action: Action) -> DealState:
    rules, dealer, seat = state.rules, state.dealer, state.turn
    assert seat is not None
    history = (*state.history, (seat, action))
    turn = (seat + 1) % rules.players
    if state.phase == "bid1" and seat != dealer:
        legal = _bids1(rules, dealer, turn, state.hands[turn], state.up_card)
        return state._replace(turn=turn, legal=legal, history=history)
    if seat != dealer or state.phase == "bid1":  # the up-card is turned face down (R29)
        return state._replace(
            phase="bid2", turn=turn, legal=_bids2(state, turn), history=history, up_card_state="turned_down"
        )
    points = state.points
    if rules.all_pass_penalty:  # O21
        sides = len(points)
        points = tuple([int(side != dealer % sides) for side in range(sides)])
    return state._replace(phase="done", turn=None, legal=(), history=history, points=points)  # R31


def _order_up(state: DealState, action: Action) -> DealState:
    seat, dealer, rules, up_card = state.turn, state.dealer, state.rules, state.up_card
    assert seat is not None
    loners = (seat,) if action == ORDER_UP_ALONE else ()
    legal = _discards((*state.hands[dealer], up_card))  # any of the six (G5)
    if seat != dealer and rules.dealer_exchange == "optional":
        legal = (DECLINE, *legal)  # R27; a dealer who accepts must take it (R25)
    state = state._replace(
        phase="exchange", turn=dealer, legal=legal, history=_with(state, action),
        trump=rules.proposed_suit(up_card), maker=seat, loners=loners,
    )  # fmt: skip
    if loners and (seat + 2) % 4 == dealer:  # the dealer sits out and needs no card (O6, O20)
        return _settle(state._replace(up_card_state="declined"))
    return state


def _call(state: DealState, action: Action) -> DealState:
    seat = state.turn
    assert seat is not None
    loners = (seat,) if action.kind == "call_alone" else ()
    called = state._replace(history=_with(state, action), trump=action.suit, maker=seat, loners=loners)
    if state.phase == "benny":  # the dealer must take the joker (V3)
        return called._replace(phase="exchange", legal=_discards((*state.hands[seat], state.up_card)))
    return _settle(called)


# Cards that change places: the dealer's exchange (R25, R27, G5, G6), the dummy of two (V4 b)


def _decline(state: DealState, action: Action) -> DealState:
    return _settle(state._replace(history=_with(state, action), up_card_state="declined"))


def _discard(state: DealState, action: Action) -> DealState:
    card, phase = action.card, state.phase
    assert card is not None
    if phase == "exchange":
        dealer = state.dealer
        hand = _without((*state.hands[dealer], state.up_card), card)
        return _settle(
            state._replace(
                hands=_with_hand(state.hands, dealer, hand), history=_with(state, action), up_card_state="taken",
                discard=card, put_away=(*state.put_away, (dealer, card)),
            )
        )  # fmt: skip
    state = state._replace(history=_with(state, action))
    if phase == "swap":
        return _swap(state, card)
    return _discard_for_best(state, card) if phase == "best" else _discard_of_dummy(state, card)


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
    return _ask_alone(state, state.history, state.loners)


def _discard_of_dummy(state: DealState, card: Card) -> DealState:
    maker = state.maker
    assert maker is not None
    state = _put_away(state, maker, card)
    hand = state.hands[maker]
    return state._replace(legal=_discards(hand)) if len(hand) > 5 else _begin_play(state, state.history, state.loners)


def _put_away(state: DealState, seat: int, card: Card) -> DealState:
    hand = _without(state.hands[seat], card)
    return state._replace(hands=_with_hand(state.hands, seat, hand), put_away=(*state.put_away, (seat, card)))


def _with_hand(hands: Hands, seat: int, hand: tuple[Card, ...]) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    left = list(hand)
    left.remove(card)
    return tuple(left)


def _with(state: DealState, action: Action) -> History:
    assert state.turn is not None
    return (*state.history, (state.turn, action))


def _discards(cards: Iterable[Card]) -> tuple[Action, ...]:
    return tuple([DISCARD[card] for card in cards])


# Going alone (R35-R38, G8-G10)

_ALONE_OR_NOT = (ALONE, TOGETHER)
_ALONE_ORDER = (0, 2, 1, 3)
"""Asked in this order, counted from the maker: maker, partner, left and right opponent (G8)."""


def _ask_alone(state: DealState, history: History, loners: tuple[int, ...], first: int = 0) -> DealState:
    """Ask the next seat that may go alone, from place ``first`` of the order; else begin play."""
    rules, maker = state.rules, state.maker
    if rules.alone_who != "none":
        assert maker is not None
        for place in range(first, 4):
            seat = (maker + _ALONE_ORDER[place]) % 4
            if _may_go_alone(rules, loners, place, seat):
                return state._replace(phase="alone", turn=seat, legal=_ALONE_OR_NOT, history=history, loners=loners)
    return _begin_play(state, history, loners)


def _may_go_alone(rules: Rules, loners: tuple[int, ...], place: int, seat: int) -> bool:
    if loners and (seat in loners or (seat + 2) % 4 in loners):  # one loner a side (G9)
        return False
    if place <= 1:
        if rules.alone_timing == "with_call":
            return False
        return place == 0 or rules.alone_who != "maker_only"
    return rules.alone_who == "any" and (
        rules.defend_alone == "any" or (rules.defend_alone == "vs_loner" and bool(loners))
    )


def _answer_alone(state: DealState, action: Action) -> DealState:
    seat = state.turn
    assert seat is not None
    history, loners = (*state.history, (seat, action)), state.loners
    if action == ALONE:
        loners = (*loners, seat)
        if state.rules.partners_best:
            return _ask_best(state._replace(history=history, loners=loners), seat)
    return _ask_alone(state, history, loners, _alone_place(state, seat) + 1)


def _alone_place(state: DealState, seat: int) -> int:
    assert state.maker is not None
    return _ALONE_ORDER.index((seat - state.maker) % 4)


# Calling for partner's best (V6, O17)


def _ask_best(state: DealState, loner: int) -> DealState:
    return state._replace(phase="best", turn=loner, legal=(KEEP, *_discards(state.hands[loner])))


def _discard_for_best(state: DealState, card: Card) -> DealState:
    """The partner gives any card held. One who is the dealer and left the up-card lying, also
    because he sits out and was not asked, may give that instead."""
    loner = state.turn
    assert loner is not None
    partner = (loner + 2) % 4
    gifts = state.hands[partner]
    if partner == state.dealer and state.up_card_state == "declined":
        gifts = (*gifts, state.up_card)
    return _put_away(state, loner, card)._replace(turn=partner, legal=tuple([GIVE[gift] for gift in gifts]))


def _give(state: DealState, action: Action) -> DealState:
    partner, card, up_card_state = state.turn, action.card, state.up_card_state
    assert partner is not None
    assert card is not None
    loner = (partner + 2) % 4
    hands = _with_hand(state.hands, loner, (*state.hands[loner], card))
    if card == state.up_card and up_card_state == "declined":
        up_card_state = "given"
    else:
        hands = _with_hand(hands, partner, _without(hands[partner], card))
    state = state._replace(history=_with(state, action), hands=hands, up_card_state=up_card_state)
    return _after_best(state, loner)


def _after_best(state: DealState, loner: int) -> DealState:
    return _ask_alone(state, state.history, state.loners, _alone_place(state, loner) + 1)


# Play (R39-R47)


def _begin_play(state: DealState, history: History, loners: tuple[int, ...]) -> DealState:
    sitting_out = tuple([(seat + 2) % 4 for seat in loners])
    leader = _first_leader(state, loners, sitting_out)
    dead, trump = _known_dead(state), state.trump
    assert trump is not None
    legal = _leads(state.rules, trump, state.hands[leader], dead[leader])
    return state._replace(
        phase="play", turn=leader, legal=legal, history=history, loners=loners, sitting_out=sitting_out, dead=dead
    )


def _known_dead(state: DealState) -> tuple[int, ...]:
    """What each seat put away itself, and the up-card that was left lying: unless the dealer gave
    his partner a card, which may for all the others know be that one (O17)."""
    dead = [0] * len(state.hands)
    for seat, card in state.put_away:
        dead[seat] |= BIT[card]
    if state.up_card_state in ("declined", "turned_down"):
        dealer = state.dealer
        gave = state.rules.partners_best and any(
            seat == dealer and action.kind == "give" for seat, action in state.history
        )
        for seat in range(len(dead)):
            if not gave or seat % 2 == dealer % 2:
                dead[seat] |= BIT[state.up_card]
    return tuple(dead)


def _first_leader(state: DealState, loners: tuple[int, ...], sitting_out: tuple[int, ...]) -> int:
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


def _leads(rules: Rules, trump: Trump, hand: tuple[Card, ...], gone: int) -> tuple[Action, ...]:
    """Any card may be led (R39, R47); and a claim may be made when it is certain (O16). ``gone``:
    the cards that were played or that the leader knows to be dead, as bits."""
    leads, unseen = [], PACK_MASK[rules.pack] & ~gone
    for card in hand:
        leads.append(PLAY[card])
        unseen -= BIT[card]
    if rules.claim and len(hand) > 1 and _rest_is_certain(trump, hand, unseen):  # the last card needs no claim
        leads.append(CLAIM)
    return tuple(leads)


def _rest_is_certain(trump: Trump, hand: tuple[Card, ...], unseen: int) -> bool:
    """Section 5.1: every card outranks all unseen ones of its suit, and there are enough trumps
    to draw what may be out."""
    higher = HIGHER[trump]
    for card in hand:
        if higher[card] & unseen:
            return False
    trumps = TRUMP_MASK[trump]
    bosses = sum([1 for card in hand if BIT[card] & trumps])
    return trump == NO_TRUMP or bosses == len(hand) or (unseen & trumps).bit_count() <= bosses


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
    # which costs half of what _replace does.
    (rules, dealer, hands, up_card, kitty, phase, turn, legal, history, trump, maker, loners, sitting_out,
     trick, tricks, discard, put_away, dead, played, up_card_state, tricks_won, points, redeal) = state  # fmt: skip
    card = action.card
    assert turn is not None
    assert card is not None
    assert trump is not None
    next_turn: int | None
    held = list(hands)
    hand = held[turn]
    at = hand.index(card)
    held[turn] = hand[:at] + hand[at + 1 :]
    hands = tuple(held)
    history += ((turn, action),)
    trick += ((turn, card),)
    played |= BIT[card]
    players = len(hands)
    if len(trick) + len(sitting_out) < players:
        next_turn = (turn + 1) % players
        while next_turn in sitting_out:
            next_turn = (next_turn + 1) % players
        followers, follows = FOLLOWERS[trump][trick[0][1]], []
        hand = held[next_turn]
        for card in hand:
            if card in followers:
                follows.append(PLAY[card])
        legal = tuple(follows or [PLAY[card] for card in hand])  # R42, R43
    else:
        next_turn = winner = trick_winner(trick, trump)
        tricks += (tuple.__new__(Trick, (trick, winner)),)
        won = list(tricks_won)
        won[winner % len(won)] += 1
        tricks_won = tuple(won)
        trick = ()
        if len(tricks) < 5:
            legal = _leads(rules, trump, hands[winner], played | dead[winner])
        else:
            assert maker is not None
            phase, next_turn, legal = "done", None, ()
            points = deal_points(rules, maker, loners, tricks_won)
    return tuple.__new__(DealState, (
        rules, dealer, hands, up_card, kitty, phase, next_turn, legal, history, trump, maker, loners, sitting_out,
        trick, tricks, discard, put_away, dead, played, up_card_state, tricks_won, points, redeal,
    ))  # fmt: skip


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
