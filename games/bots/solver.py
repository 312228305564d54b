"""What perfect play of all sides brings, every card known (double dummy).

Makers play against all others for points. These never fall when the makers take a trick more,
whatever the rules, and change at one, three and five tricks only (section 4.6, V4, V5): so who
plays for tricks plays for points, and points need no more than two or three questions "do they
reach that many?" where exact tricks need up to three of five.

Everything here works in plain Python. :func:`warm` puts the compiled search in its place; it is
for workers, since it loads numba. Nothing here may decide for a player who does not see all
cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from games.bots import search
from games.engine import (
    BENNY,
    NO_TRUMP,
    SUITS,
    Card,
    DealState,
    Rules,
    Trump,
    deal_points,
    legal_cards,
    next_suit,
    trick_winner,
)
from games.engine.cards import CARDS, RANKS, TRUMPS, Play

Hands = tuple[tuple[Card, ...], ...]
Search = tuple[int, int, int, int, int, int, int, int, bool]
"""What :func:`games.bots.search.reached` is told of a trick: all but steps and trump."""


def _bits(trump: Trump) -> dict[Card, int]:
    suits = SUITS
    if trump != NO_TRUMP:
        colour = next_suit(trump) + trump
        suits = "".join(suit for suit in SUITS if suit not in colour) + colour
    bits = {rank + suit: 1 << 9 * place + RANKS.index(rank) for place, suit in enumerate(suits) for rank in RANKS}
    if trump != NO_TRUMP:
        bits |= {"J" + next_suit(trump): 1 << 35, "J" + trump: 1 << 36, BENNY: 1 << 37}
    return {card: bits[card] for card in CARDS if card in bits}


BITS: dict[Trump, dict[Card, int]] = {trump: _bits(trump) for trump in TRUMPS}
"""``BITS[trump][card]``: each card as the bit that the search knows it by."""


class Position(NamedTuple):
    """Cards being played, as :class:`~games.engine.DealState` has them in its phase ``play``."""

    rules: Rules
    trump: Trump
    maker: int
    loners: tuple[int, ...]
    hands: Hands
    """The cards each seat holds; those of a seat that sits out do not matter."""
    trick: tuple[Play, ...]
    turn: int
    tricks_won: tuple[int, ...]
    """By side."""


class Outcome(NamedTuple):
    tricks: int
    """The makers', of all five."""
    points: tuple[int, ...]
    """By side."""


class Contract(NamedTuple):
    """What a call would bring."""

    maker: int
    trump: Trump
    loners: tuple[int, ...]
    """The maker, or nobody."""
    ordered_up: bool
    """Made by the up-card, in the first round or by the joker."""
    discard: Card | None
    """What the dealer puts away; None if the up-card is left lying."""
    hands: Hands
    """With what it is played: after the exchange, the dummy and partner's best."""
    tricks: int
    points: tuple[int, ...]


_reached: Callable[..., int] = search.reached


def warm() -> bool:
    """Use the compiled search from now on, in this process. False, and nothing changes, if numba
    is not installed. The first start ever takes some seconds, any other half a second."""
    global _reached
    try:
        from games.bots import kernel
    except ImportError:
        return False
    _reached = kernel.reached
    return True


def position(state: DealState) -> Position:
    """ValueError unless cards are being played."""
    if state.phase != "play":
        raise ValueError("no cards are being played")
    assert state.trump is not None and state.maker is not None and state.turn is not None
    return Position(
        state.rules, state.trump, state.maker, state.loners, state.hands, state.trick, state.turn, state.tricks_won
    )


def solve(at: DealState | Position) -> Outcome:
    """The makers' tricks, exactly, and everybody's points. ValueError unless cards are being played."""
    at = _position(at)
    tricks = _tricks(at, _EXACT)
    return Outcome(tricks, _points(at, tricks))


def points(at: DealState | Position) -> tuple[int, ...]:
    """The points by side, as of :func:`solve` but in half the time."""
    at = _position(at)
    return _points(at, _tricks(at, _steps(at.rules, at.maker, at.loners)))


def best_cards(at: DealState | Position) -> dict[Card, Outcome]:
    """What each card that may be played brings, the best for who plays it first."""
    at = _position(at)
    hand = at.hands[at.turn]
    legal = legal_cards(hand, at.trick[0][1], at.trump) if at.trick else hand
    outcomes = {}
    for card in legal:
        tricks = _tricks(_after(at, card), _EXACT)
        outcomes[card] = Outcome(tricks, _points(at, tricks))
    making = at.rules.side(at.turn) == at.rules.side(at.maker)
    return dict(sorted(outcomes.items(), key=lambda found: found[1].tricks, reverse=making))


def par(state: DealState) -> tuple[Contract, ...]:
    """What every call brings that may still be made, by any maker, with partner and alone, whether
    or not he may call it with his hand (O6, O12). The dealer exchanges, a maker of two picks from
    his dummy and partner gives his best as perfect play wants it. ValueError once trump is fixed.
    """
    if state.phase not in ("weak", "benny", "bid1", "bid2"):
        raise ValueError("the bidding is over")
    alone = state.rules.alone_who != "none"
    return tuple(
        [
            _contract(state, maker, trump, loners, ordered_up)
            for maker, trump, ordered_up in _calls(state)
            for loners in (((), (maker,)) if alone else ((),))
        ]
    )


# Positions


def _position(at: DealState | Position) -> Position:
    return at if isinstance(at, Position) else position(at)


def _sitting_out(loners: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([(seat + 2) % 4 for seat in loners])


def _after(at: Position, card: Card) -> Position:
    """The position once the seat to act has played a card."""
    hand = tuple([held for held in at.hands[at.turn] if held != card])
    hands = (*at.hands[: at.turn], hand, *at.hands[at.turn + 1 :])
    trick, sitting_out, players = (*at.trick, (at.turn, card)), _sitting_out(at.loners), at.rules.players
    if len(trick) + len(sitting_out) < players:
        return at._replace(hands=hands, trick=trick, turn=_next_active(at.turn, sitting_out, players))
    winner = trick_winner(trick, at.trump)
    side = at.rules.side(winner)
    won = tuple([tricks + (each == side) for each, tricks in enumerate(at.tricks_won)])
    return at._replace(hands=hands, trick=(), turn=winner, tricks_won=won)


def _next_active(seat: int, sitting_out: tuple[int, ...], players: int) -> int:
    seat = (seat + 1) % players
    return _next_active(seat, sitting_out, players) if seat in sitting_out else seat


def first_leader(rules: Rules, dealer: int, loners: tuple[int, ...]) -> int:
    """Who leads to the first trick (R39-R41, O9); of two loners the defender comes last."""
    if loners and rules.lone_lead == "left_of_loner":
        return loners[1] if len(loners) == 2 else (loners[0] + 1) % 4
    return _next_active(dealer, _sitting_out(loners), rules.players)


# Tricks and points

_EXACT = 0b111110
"""Every number of tricks from one to five, as bits."""


@lru_cache(maxsize=1024)
def _steps(rules: Rules, maker: int, loners: tuple[int, ...]) -> int:
    """The numbers of tricks that bring other points than one trick fewer, as bits."""
    values = [_points_for(rules, maker, loners, tricks) for tricks in range(6)]
    return sum(1 << tricks for tricks in range(1, 6) if values[tricks] != values[tricks - 1])


def _points(at: Position, tricks: int) -> tuple[int, ...]:
    return _points_for(at.rules, at.maker, at.loners, tricks)


@lru_cache(maxsize=4096)
def _points_for(rules: Rules, maker: int, loners: tuple[int, ...], tricks: int) -> tuple[int, ...]:
    makers = rules.side(maker)
    won = [tricks if side == makers else 5 - tricks for side in range(rules.sides)]
    return deal_points(rules, maker, loners, won)


def _tricks(at: Position, steps: int) -> int:
    """The makers' tricks: exactly if all steps are asked for, else a number between the same steps."""
    won = at.tricks_won[at.rules.side(at.maker)]
    steps = steps >> won & _EXACT
    if not steps or not at.hands[at.turn]:
        return won
    return won + _reached(*encode(at), steps, 0 if at.trump == NO_TRUMP else search.TOP)


def encode(at: Position) -> Search:
    """A position as the search wants it."""
    bits, places = BITS[at.trump], _places(at.rules.players, at.maker)
    hands, sitting_out = [0, 0, 0, 0], _sitting_out(at.loners)
    for seat, hand in enumerate(at.hands):
        if seat not in sitting_out:
            hands[places[seat]] = sum([bits[card] for card in hand])
    turn = places[at.turn]
    leader = places[at.trick[0][0]] if at.trick else turn
    best, winner, led = 0, 0, 0
    if at.trick:
        led = search.suit_of(bits[at.trick[0][1]])
        seat = trick_winner(at.trick, at.trump)
        winner, best = (places[seat] - leader) % 4, bits[dict(at.trick)[seat]]
    ours = (leader - places[at.maker]) % 2 == 0
    h0, h1, h2, h3 = hands[turn:] + hands[:turn]
    return h0, h1, h2, h3, (turn - leader) % 4, best, winner, led, ours


@lru_cache
def _places(players: int, maker: int) -> tuple[int, ...]:
    """Where each seat sits among the four of the search, so that partners sit opposite: a maker
    of three has an empty seat there, and so have two players."""
    if players == 4:
        return 0, 1, 2, 3
    order = (0, 1, 3)
    return tuple([order[(seat - maker) % players] for seat in range(players)])


# Par


def _calls(state: DealState) -> Iterator[tuple[int, Trump, bool]]:
    """Maker, trump, and whether the up-card makes it."""
    rules, dealer, seats = state.rules, state.dealer, range(state.rules.players)
    proposed = rules.proposed_suit(state.up_card)
    if not proposed:
        yield from [(dealer, suit, True) for suit in SUITS]
        return
    if state.phase != "bid2":
        yield from [(seat, proposed, True) for seat in seats]
    for suit in SUITS:
        if suit != proposed or rules.turned_down_callable:
            yield from [(seat, suit, False) for seat in seats]
    if rules.no_trump != "off":
        yield from [(seat, NO_TRUMP, False) for seat in seats if rules.no_trump == "round2" or seat == dealer]


def _contract(state: DealState, maker: int, trump: Trump, loners: tuple[int, ...], ordered_up: bool) -> Contract:
    rules, dealer = state.rules, state.dealer
    leader = first_leader(rules, dealer, loners)
    found = []
    for discard, dealt in _exchanges(state, maker, loners, ordered_up):
        results = []
        for hands in _improved(state, maker, loners, dealt, ordered_up):
            at = Position(rules, trump, maker, loners, hands, (), leader, (0,) * rules.sides)
            results.append((_tricks(at, _EXACT), discard, hands))
        found.append(max(results, key=lambda result: result[0]))
    choose = max if rules.side(dealer) == rules.side(maker) else min
    tricks, discard, hands = choose(found, key=lambda result: result[0])
    value = _points_for(rules, maker, loners, tricks)
    return Contract(maker, trump, loners, ordered_up, discard, hands, tricks, value)


def _exchanges(
    state: DealState, maker: int, loners: tuple[int, ...], ordered_up: bool
) -> Iterator[tuple[Card | None, Hands]]:
    """What the dealer may put away, and the hands then (R25, R27, G5); one who sits out need not."""
    dealer, hands = state.dealer, state.hands
    if not ordered_up or dealer in _sitting_out(loners):
        yield None, hands
        return
    if maker != dealer and state.rules.dealer_exchange == "optional":
        yield None, hands
    six = (*hands[dealer], state.up_card)
    for card in six:
        yield card, _with_hand(hands, dealer, _without(six, card))


def _improved(state: DealState, maker: int, loners: tuple[int, ...], hands: Hands, ordered_up: bool) -> Iterator[Hands]:
    """The hands that the maker may choose among: five of his dummy (V4 b), or partner's best for
    one of his own (V6), where a dealer has the up-card to give too."""
    yield hands
    if state.rules.two_handed_dummy:
        for kept in combinations((*hands[maker], *state.kitty[:2]), 5):
            yield _with_hand(hands, maker, kept)
    if loners and state.rules.partners_best:
        partner = (maker + 2) % 4
        gifts = (*hands[partner], state.up_card) if ordered_up and partner == state.dealer else hands[partner]
        for card in hands[maker]:
            for gift in gifts:
                yield _with_hand(hands, maker, (*_without(hands[maker], card), gift))


def _with_hand(hands: Hands, seat: int, hand: tuple[Card, ...]) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple([held for held in cards if held != card])
