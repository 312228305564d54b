"""What is decided before the first card is led: calls, exchanges, going alone.

A call is made when what the hand is worth (:func:`~games.bots.worth.hand_worth`) reaches the bar
of the seat. The bars are measured: about where a call begins to bring more than a pass, bots of
this kind all round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from games.bots.worth import TABLES, best_five, hand_worth, worst
from games.engine import BENNY, NO_TRUMP, SUITS, Action, Card, Rules, SeatView, Trump, next_suit
from games.engine.cards import BIT, HIGHER, PACK_MASK, mask

UP_CARD_SHARE = 0.6
"""Of the up-card's worth, what a call gains (or gives away) by putting it in the dealer's hand."""

# Bars by players, and then by place after the dealer; the dealer is last.
FIRST_ROUND: dict[int, tuple[float, ...]] = {
    4: (7.2, 5.8, 6.4, 5.1),
    3: (6.8, 7.1, 6.4),
    2: (8.0, 3.5),
}
SECOND_ROUND: dict[int, tuple[float, ...]] = {
    4: (5.9, 5.6, 6.0, 5.4),
    3: (6.5, 6.6, 6.35),
    2: (3.0, 3.3),
}
DUMMY_BARS = (2.0, 0.0), (0.0, 0.0)
"""Both rounds of two players where the maker takes two cards of the kitty."""
PACK_SHIFT: dict[int, float] = {24: 0.0, 25: 0.0, 28: -0.3, 32: -0.6, 33: 0.0}
"""Added to every bar: in a large pack more of the trumps are out of play; the joker makes up for it."""
NO_TRUMP_BAR: dict[int, float] = {4: 3.0, 3: 4.7, 2: 1.3}
"""The worth of a no-trump hand is another measure."""
NEXT_BONUS = 1.6
"""Eldest and pone make it next: the dealer's side has just shown weakness in that colour."""
CROSS_BONUS = 1.2
"""The dealer's side crosses the suit, for the same reason turned round."""

ALONE_WORTH = 9.3
"""Measured, going alone pays from 8.2 on; but a loner that fails annoys people more than a march
with a partner pleases them, so the bot wants to make about half of its loners."""
ALONE_SHIFT: dict[int, float] = {24: 0.0, 25: 0.5, 28: -0.1, 32: -0.3, 33: 0.2}
"""Added by pack to what a loner, maker or defender, must be worth."""
ALONE_WITH_BEST = -0.8
"""Added to it where the loner may have the partner's best card."""
DEFENDS_ALONE_WORTH = 7.0
"""Measured, where a lone defender's euchre always pays 4."""
STOPS_LONER_WORTH = 4.5
"""Measured, a defender with his partner's best card stops a lone march more often than two without."""


def _named(view: SeatView, kind: str) -> Action:
    return next(action for action in view.legal_actions if action.kind == kind)


def _with_card(view: SeatView, card: Card) -> Action:
    return next(action for action in view.legal_actions if action.card == card)


# --- weak hands


def weak_hand(view: SeatView) -> Action:
    """Whoever has nothing but low cards is better off with others."""
    return _named(view, "declare")


def swap(view: SeatView) -> Action:
    """The lowest card goes under; of the suit that is proposed only when nothing else is left."""
    return min(view.legal_actions, key=lambda action: _low_worth(view, action.card))


def _low_worth(view: SeatView, card: Card | None) -> tuple[bool, int, int, Card]:
    assert card is not None
    mates = sum(other[1] == card[1] for other in view.hand)
    return card[1] == view.proposed, mates, TABLES[view.rules.pack][NO_TRUMP].power[card], card


# --- calls


def _place(view: SeatView) -> int:
    """0 eldest, and so on to the dealer."""
    assert view.seat is not None
    return (view.seat - view.dealer - 1) % view.rules.players


def _bar(rules: Rules, bidding_round: int, place: int) -> float:
    """What a hand must be worth to call."""
    if rules.two_handed_dummy:
        return DUMMY_BARS[bidding_round][place] + PACK_SHIFT[rules.pack]
    bars = SECOND_ROUND if bidding_round else FIRST_ROUND
    return bars[rules.players][place] + PACK_SHIFT[rules.pack]


def _dealer_is_on_my_side(view: SeatView) -> bool:
    assert view.seat is not None
    return view.side(view.dealer) == view.side(view.seat)


def _counts_to_target(view: SeatView) -> bool:
    """Whether points beyond the target are worth nothing."""
    return not view.rules.num_deals and not view.rules.laps


def _most_of_others(view: SeatView) -> int:
    assert view.seat is not None
    mine = view.side(view.seat)
    return max([points for side, points in enumerate(view.score) if side != mine])


def _nerve(view: SeatView) -> float:
    """How much less a hand needs to be worth at this score."""
    assert view.seat is not None
    if view.rules.num_deals:
        return 0.0
    them = view.rules.target_score - _most_of_others(view)
    if them <= 1:
        return 0.4  # whatever they score ends the game, being euchred costs no more than a pass
    return -0.3 if them == 2 else 0.0  # being euchred ends it


def name_benny(view: SeatView) -> Action:
    """The suit of the turned-up joker: the best, or any when no card has been seen. Nothing
    tells one suit from another then, and none is named more often over the deals of a game."""
    if not view.hand:
        suit = SUITS[(view.dealer + sum(view.score)) % 4]
        return next(action for action in view.legal_actions if action.suit == suit)
    tables = TABLES[view.rules.pack]
    six = (*view.hand, BENNY)
    kept = {suit: best_five(six, tables[suit]) for suit in SUITS}
    suit = max(SUITS, key=lambda suit: hand_worth(kept[suit], tables[suit]))
    return _call(view, suit, kept[suit])


def first_round(view: SeatView) -> Action:
    trump = view.proposed
    assert trump is not None
    place, table = _place(view), TABLES[view.rules.pack][trump]
    hand: Collection[Card] = view.hand
    if place == view.rules.players - 1:
        hand = best_five((*hand, view.up_card), table)
        share = 0.0
    else:
        share = UP_CARD_SHARE * table.worth[view.up_card] * (1 if _dealer_is_on_my_side(view) else -1)
    if view.legal_actions[1].kind == "order_up_alone":  # the Canadian loner
        return view.legal_actions[1 if _pays_alone(view, trump, hand, True) else 0]
    if hand_worth(hand, table) + share + _nerve(view) < _bar(view.rules, 0, place):
        return view.legal_actions[0]
    return _call(view, None, hand)


def second_round(view: SeatView) -> Action:
    place = _place(view)
    best: Trump | None = None
    most = 0.0
    for action in view.legal_actions:
        if action.kind == "call" and action.suit is not None:
            over = _over_the_bar(view, place, action.suit)
            if best is None or over > most:
                best, most = action.suit, over
    passing = view.legal_actions[0].kind == "pass"
    if best is None or (passing and most + _price_of_passing(view, place) < 0):
        return view.legal_actions[0]
    return _call(view, best, view.hand)


def _price_of_passing(view: SeatView, place: int) -> float:
    """How much less a hand needs to be worth when a pass is paid for: a point (O21)."""
    if not view.rules.all_pass_penalty or place != view.rules.players - 1:
        return 0.0
    return 9.9 if _most_of_others(view) >= view.rules.target_score - 1 and not view.rules.num_deals else 2.0


def _over_the_bar(view: SeatView, place: int, trump: Trump) -> float:
    """By how much a call in the second round is worth it."""
    rules, turned_down = view.rules, view.proposed
    assert turned_down is not None
    worth = hand_worth(view.hand, TABLES[rules.pack][trump]) + _nerve(view)
    if trump == NO_TRUMP:
        return worth - NO_TRUMP_BAR[rules.players]
    if rules.players == 4:
        for_dealer = _dealer_is_on_my_side(view)
        if trump == next_suit(turned_down):
            worth += 0.0 if for_dealer else NEXT_BONUS
        elif trump != turned_down:
            worth += CROSS_BONUS if for_dealer else 0.0
    return worth - _bar(rules, 1, place)


def _call(view: SeatView, trump: Trump | None, hand: Collection[Card]) -> Action:
    """Order up (``trump`` None) or name a suit: alone, where that is said with the call, if it pays."""
    kind = "order_up" if trump is None else "call"
    calls = [action for action in view.legal_actions if action.kind.startswith(kind) and action.suit == trump]
    if len(calls) == 2:
        suit = trump or view.proposed
        assert suit is not None
        with_partner = trump is None and _dealer_is_on_my_side(view)
        return calls[1 if _pays_alone(view, suit, hand, with_partner) else 0]
    return calls[0]


# --- cards put away, given and taken


def exchange(view: SeatView) -> Action:
    """Take the up-card and bury the worst of six. Declining is never better: burying the up-card
    itself leaves the same five cards, and nobody else knows that it is gone (R27, G5)."""
    assert view.trump is not None
    return _with_card(view, worst((*view.hand, view.up_card), TABLES[view.rules.pack][view.trump]))


def dummy(view: SeatView) -> Action:
    """Keep the best five of seven (V4 b)."""
    assert view.trump is not None
    kept = best_five(view.hand, TABLES[view.rules.pack][view.trump])
    return next(action for action in view.legal_actions if action.card not in kept)


def partners_best(view: SeatView) -> Action:
    """A loner puts away his worst card unless it is a trump; his partner gives the highest he has (V6)."""
    assert view.trump is not None
    table = TABLES[view.rules.pack][view.trump]
    if view.legal_actions[0].kind == "give":
        return max(view.legal_actions, key=lambda action: table.power[action.card or ""])
    card = worst(view.hand, table)
    if view.trump == NO_TRUMP:
        wins = not HIGHER[NO_TRUMP][card] & unseen(view, view.hand)
    else:
        wins = table.suit[card] == view.trump  # even for an ace the best is worth it
    return view.legal_actions[0] if wins else _with_card(view, card)


def unseen(view: SeatView, hand: Collection[Card]) -> int:
    """The cards that others may hold, as bits: not one's own and not known to be out of play."""
    seen = mask(hand) | mask(view.put_away)
    if view.up_card_state == "turned_down" or (view.up_card_state == "declined" and not view.rules.partners_best):
        seen |= BIT[view.up_card]  # a dealer may have given a declined one to his partner
    for trick in view.tricks:
        for _, card in trick.plays:
            seen |= BIT[card]
    for _, card in view.trick:
        seen |= BIT[card]
    return PACK_MASK[view.rules.pack] & ~seen


# --- going alone


def alone(view: SeatView) -> Action:
    assert view.seat is not None and view.maker is not None and view.trump is not None
    if view.side(view.seat) != view.side(view.maker):
        goes = _defends_alone(view)
    else:
        partner_took_it = view.up_card_state == "taken" and view.dealer == (view.seat + 2) % 4
        goes = _pays_alone(view, view.trump, view.hand, partner_took_it)
    return _named(view, "alone" if goes else "together")


def _pays_alone(view: SeatView, trump: Trump, hand: Collection[Card], up_card_is_out: bool) -> bool:
    """Whether the maker's side should go alone with this hand. ``up_card_is_out``: it lies, or
    is with the partner who sits out."""
    assert view.seat is not None
    if _counts_to_target(view) and view.rules.target_score - view.score[view.side(view.seat)] <= 2:
        return False  # one or two points are enough, and a partner makes them safer
    if trump == NO_TRUMP:
        return False  # the others lead, and one suit that is missing loses the rest
    rules = view.rules
    table = TABLES[rules.pack][trump]
    out = unseen(view, (*view.hand, *hand))
    if up_card_is_out:
        out &= ~BIT[view.up_card]
    top = max(hand, key=table.power.__getitem__)
    if table.suit[top] != trump or HIGHER[trump][top] & out:
        return False  # an opponent may hold the best trump
    bar = ALONE_WORTH + ALONE_SHIFT[rules.pack] + (ALONE_WITH_BEST if rules.partners_best else 0.0)
    return hand_worth(hand, table) >= bar


def _defends_alone(view: SeatView) -> bool:
    """With five tricks in hand; three or four score the same with a partner, unless a lone
    defender's euchre always pays 4: then with three, or against two makers with a good hand.
    Against a loner where partners give their best, to stop the march."""
    assert view.trump is not None
    out, table = unseen(view, view.hand), TABLES[view.rules.pack][view.trump]
    trumps = [card for card in view.hand if table.suit[card] == view.trump]
    bosses = sum(not HIGHER[view.trump][card] & out for card in trumps)
    worth = hand_worth(view.hand, table)
    if view.loners and view.rules.partners_best and worth >= STOPS_LONER_WORTH:
        return True
    bar = DEFENDS_ALONE_WORTH + ALONE_SHIFT[view.rules.pack]
    if view.rules.lone_defender == "4" and (bosses >= 3 or (not view.loners and worth >= bar)):
        return True
    aces = sum(card[0] == "A" for card in view.hand if card not in trumps)
    return len(trumps) >= 4 and bosses >= 3 and len(trumps) + aces == len(view.hand)


DECISIONS: dict[str, Callable[[SeatView], Action]] = {
    "weak": weak_hand,
    "swap": swap,
    "benny": name_benny,
    "bid1": first_round,
    "bid2": second_round,
    "exchange": exchange,
    "dummy": dummy,
    "alone": alone,
    "best": partners_best,
}
"""By phase."""
