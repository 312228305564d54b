"""Whole deals that agree with all that a seat knows: its hand, the cards seen, suits that others
could not follow, the up-card and what the dealer did with it, calls and passes.

A seat's view goes in and nothing else. The same view and the same chance give the same deals.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.bots import encoding, guess, layout, weights
from games.engine import Card, DealState, SeatView
from games.engine.actions import DISCARD, GIVE, Action
from games.engine.cards import BIT, CARDS, PACK_MASK, mask

PATIENCE = 14
PASSED, CALLED, ALONE, DISCARDED = 10, 25, 25, 10
"""In how many of 100 cases others pass, call, go or stay alone and discard otherwise than the rule bot."""
BURIES, GIVES = 5, 50
"""In how many of 100 cases a dealer buries the up-card itself, and a partner keeps a declined one."""

_LOW = mask(card for card in CARDS if card[0] in "789T")
_CALLS = ("order_up", "order_up_alone", "call", "call_alone")
_SLOTS = {"exchange": guess.DISCARD, "swap": guess.SWAPPED, "best": guess.OTHERWISE}
_TELLING = {
    "benny": layout.BENNY,
    "bid1": layout.BID1,
    "bid2": layout.BID2,
    "exchange": layout.EXCHANGE,
    "alone": layout.ALONE,
}
"""The phases whose actions tell of cards."""


class Unknowable(ValueError):
    """The seat has not seen its hand, or weak hands are still being asked for."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A view as rows of integers: the deal, what is known of the cards, what others did, the rules."""

    deal: list[int]
    known: list[int]
    bids: list[int]
    rules: tuple[int, ...]
    weights: tuple[int, ...]


def sample(view: SeatView, rng: random.Random, number: int = 1) -> list[DealState]:
    """``number`` deals as they may be at this moment, seen whole; ``Unknowable`` before a seat
    knows anything. It must be the seat's turn. Seen by the seat, each is ``view`` again."""
    about, chance = knowledge(view), [rng.getrandbits(62)]
    scratch, found = [0] * layout.LENGTH, [0] * guess.FOUND_LENGTH
    guess.prepare(about.deal, scratch)
    deals = []
    for _ in range(number):
        if guess.world(about.deal, about.known, about.bids, about.rules, about.weights, chance, found, scratch):
            deals.append(_whole(view, about, found, chance))
    return deals


def knowledge(view: SeatView, by: weights.Weights = weights.TUNED) -> Knowledge:
    """What a view tells. ``by``: how others are thought to bid."""
    if view.seat is None or view.turn != view.seat or not view.hand or view.phase in ("weak", "swap"):
        raise Unknowable(f"nothing can be guessed in phase {view.phase}")
    return told(view, by)


def told(view: SeatView, by: weights.Weights = weights.TUNED) -> Knowledge:
    """The same unchecked, and for a spectator too, to whom every hand is unknown."""
    deal = encoding.view_row(view)
    known = [0] * guess.KNOWLEDGE_LENGTH
    pool = encoding.cards_row(CARDS, None) & PACK_MASK[view.rules.pack]
    if view.trump is not None:
        pool = layout.in_order(pool, deal[layout.TRUMP])
    pool &= ~deal[layout.PLAYED]
    if view.seat is not None:
        pool &= ~(deal[layout.HAND + view.seat] | deal[layout.DEAD + view.seat])
    for seat in range(view.rules.players):
        if seat != view.seat:
            known[guess.NEED + seat] = view.counts[seat]
            known[guess.FORBIDDEN + seat] = deal[layout.VOID + seat]
    for plays in (*[trick.plays for trick in view.tricks], view.trick):
        for seat, card in plays:
            known[guess.WENT + seat] |= encoding.cards_row((card,), view.trump)
    known[guess.PATIENCE] = PATIENCE
    known[guess.ODDS : guess.ODDS + 4] = PASSED, CALLED, ALONE, DISCARDED
    _put_away(view, known)
    known[guess.POOL] = _place_up_card(view, deal, known, pool)
    _put_in_order(known)
    bids = _bids(view)
    known[guess.BIDS] = len(bids)
    return Knowledge(deal, known, bids, encoding.rules_row(view.rules), weights.row(view.rules, by))


def _acts(view: SeatView) -> Iterator[tuple[int, Action, str]]:
    """Seat, action and phase of all before the first lead."""
    passes, called, before = 0, False, ""
    for seat, action in view.history:
        kind = action.kind
        if kind == "play":
            return
        if kind in ("declare", "keep") and not called:
            phase = "weak"
        elif kind == "pass":
            phase = "bid1" if passes < view.rules.players else "bid2"
            passes += 1
        elif kind in _CALLS:
            called, phase = True, "bid1" if kind.startswith("order_up") else "bid2" if view.proposed else "benny"
        elif kind == "decline":
            phase = "exchange"
        elif kind == "discard":
            takes = before.startswith("order_up") or (before in _CALLS and not view.proposed)
            if not called:
                phase = "swap"
            elif takes and seat == view.dealer:
                phase = "exchange"
            else:
                phase = "dummy" if view.rules.two_handed_dummy else "best"
        else:
            phase = "alone" if kind in ("alone", "together") else "best"
        before = kind
        yield seat, action, phase


def _put_away(view: SeatView, known: list[int]) -> None:
    """What others put away and did not show."""
    low = layout.in_order(_LOW, encoding.NUMBER[view.trump]) if view.trump else _LOW
    known[guess.SWAPPER], known[guess.LOW_CARDS] = -1, low
    known[guess.FORBIDDEN + guess.SWAPPED] = ~low & (1 << 40) - 1
    for seat, action, phase in _acts(view):
        if action.kind != "discard" or seat == view.seat:
            continue
        known[guess.NEED + _SLOTS.get(phase, guess.OTHERWISE)] += 1
        if phase == "swap":
            known[guess.SWAPPER] = seat


def _place_up_card(view: SeatView, deal: list[int], known: list[int], pool: int) -> int:
    """The cards whose place is unknown once the up-card has been dealt with, and a gift."""
    up_card, dealer = deal[layout.UP], view.dealer
    known[guess.UP_LOOSE] = known[guess.UP_ELSE] = -1
    for seat, action in view.history:  # a gift that one gave lies in the partner's hand until it is played
        if action.kind == "give" and seat == view.seat:
            gift = encoding.cards_row([action.card or ""], view.trump) & pool
            known[guess.FORCED + (seat + 2) % 4] |= gift
            known[guess.NEED + (seat + 2) % 4] -= bool(gift)
            pool &= ~gift
    if not pool & up_card:
        return pool
    if view.up_card_state == "taken":
        # In his hand, unless he buried it: then it is his discard that is known.
        held = view.counts[dealer] and not up_card & known[guess.FORBIDDEN + dealer]
        if held:
            known[guess.UP_LOOSE], known[guess.UP_ELSE], known[guess.UP_ODDS] = dealer, guess.DISCARD, BURIES
            known[guess.NEED + dealer] -= 1
        else:
            known[guess.FORCED + guess.DISCARD] = up_card
        known[guess.NEED + guess.DISCARD] = 0
    elif deal[layout.GAVE] and view.seat is not None and view.seat % 2 != dealer % 2:
        loner = (dealer + 2) % 4
        if view.counts[loner] and not up_card & known[guess.FORBIDDEN + loner]:
            known[guess.UP_LOOSE], known[guess.UP_ODDS] = loner, GIVES
            known[guess.NEED + loner] -= 1
    return pool & ~up_card


def _put_in_order(known: list[int]) -> None:
    """Slots that cannot hold every card come first, those with the least choice before others."""
    pool = known[guess.POOL]
    slots = [slot for slot in range(guess.SLOTS) if known[guess.NEED + slot]]
    constrained = [slot for slot in slots if known[guess.FORBIDDEN + slot] & pool]
    choice = {slot: (pool & ~known[guess.FORBIDDEN + slot]).bit_count() - known[guess.NEED + slot] for slot in slots}
    order = sorted(slots, key=lambda slot: (slot not in constrained, choice[slot]))
    known[guess.ORDER : guess.ORDER + guess.SLOTS] = order + [-1] * (guess.SLOTS - len(order))
    known[guess.CONSTRAINED] = len(constrained)


def _bids(view: SeatView) -> list[int]:
    """What others did that tells of the cards they were given. Whoever got other cards in exchange
    later, a dummy or partner's best, is not asked."""
    changed = {seat for seat, action, phase in _acts(view) if phase in ("dummy", "best") and action.kind != "keep"}
    bids: list[int] = []
    loner = -1
    for seat, action, phase in _acts(view):
        if seat != view.seat and seat not in changed and phase in _TELLING and action.kind != "decline":
            hidden = action.kind == "discard"
            code = -1 if hidden else encoding.code_of(action, view.trump)
            bids += [seat, _TELLING[phase], code, loner]
        if action.kind.endswith("alone") and view.maker is not None and seat % 2 == view.maker % 2:
            loner = seat
    return bids


def _whole(view: SeatView, about: Knowledge, found: Sequence[int], chance: list[int]) -> DealState:
    """The engine's state of a deal that was found."""
    trump, dealer, rules = view.trump, view.dealer, view.rules
    hands = [
        tuple(encoding.cards_of(found[seat], trump)) if seat != view.seat else view.hand
        for seat in range(rules.players)
    ]
    put_away = {slot: encoding.cards_of(found[slot], trump) for slot in _SLOTS.values()}
    kitty = encoding.cards_of(found[guess.REST], trump)
    for last in range(len(kitty) - 1, 0, -1):
        at = guess.below(chance, last + 1)
        kitty[at], kitty[last] = kitty[last], kitty[at]
    state = view.up_card_state
    given = any(view.up_card in hand for hand in hands) and state == "declined"
    if given:  # what the dealer gave was not of his hand, which is a card longer
        state = "given"
        hands[dealer] += (kitty.pop(),)
    history, owners, discard = [], [], view.discard
    own = list(view.put_away)
    phases = [phase for *_, phase in _acts(view)]
    for at, (seat, action) in enumerate(view.history):
        if action.kind == "discard":
            cards = own if seat == view.seat else put_away[_SLOTS.get(phases[at], guess.OTHERWISE)]
            card = cards.pop(0)
            action = DISCARD[card]
            owners.append((seat, card))
            if phases[at] == "exchange":
                discard = card
        elif action.kind == "give" and action.card is None:
            action = GIVE[view.up_card if given else _gift(hands[(seat + 2) % 4], view, (seat + 2) % 4)]
        history.append((seat, action))
    partial = DealState(
        rules=rules,
        dealer=dealer,
        hands=tuple(hands),
        up_card=view.up_card,
        kitty=tuple(kitty),
        phase=view.phase,
        turn=view.turn,
        legal=view.legal_actions,
        history=tuple(history),
        trump=trump,
        maker=view.maker,
        loners=view.loners,
        sitting_out=view.sitting_out,
        trick=view.trick,
        tricks=view.tricks,
        discard=discard,
        put_away=tuple(owners),
        dead=(),
        played=mask(card for plays in (*[trick.plays for trick in view.tricks], view.trick) for _, card in plays),
        up_card_state=state,
        tricks_won=view.tricks_won,
        points=view.points,
        redeal=view.redeal,
    )
    return partial._replace(dead=_dead(partial, bool(about.deal[layout.GAVE]))) if view.phase == "play" else partial


def _gift(hand: Sequence[Card], view: SeatView, loner: int) -> Card:
    """Any of a loner's cards, since nobody else knows which of them was given."""
    return next(iter(hand), "") or next(card for trick in view.tricks for seat, card in trick.plays if seat == loner)


def _dead(state: DealState, gave: bool) -> tuple[int, ...]:
    """What each seat knows to be out of play, as the engine has it."""
    dead = [mask(card for owner, card in state.put_away if owner == seat) for seat in range(state.rules.players)]
    if state.up_card_state in ("declined", "turned_down"):
        for seat in range(len(dead)):
            if not gave or seat % 2 == state.dealer % 2:
                dead[seat] |= BIT[state.up_card]
    return tuple(dead)
