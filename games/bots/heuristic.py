"""The fill-in bot: rules of thumb for bidding and play, no search, no sampling.

Bidding adds up what a hand is worth under a trump (:func:`hand_worth`) and compares it with a
threshold for the seat. Play follows the usual advice: makers draw trumps, defenders lead
aces, nobody beats his own partner, tricks are won as cheaply as possible.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.engine import SUITS, Action, Card, SeatView, Suit, effective_suit, pack

PLAIN_ORDER = "789TJQKA"
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}

TRUMP_WORTH = {"7": 0.8, "8": 0.9, "9": 1.0, "T": 1.1, "Q": 1.3, "K": 1.6, "A": 2.0}
LEFT_WORTH, RIGHT_WORTH = 2.6, 3.2
ACE_WORTH, BARE_KING_WORTH, VOID_WORTH = 1.2, 0.2, 0.5

UP_CARD_SHARE = 0.6
"""Of the up-card's worth, what a call gains (or gives away) by putting it in the dealer's hand."""

# What a hand must be worth to call, by place after the dealer: eldest, partner, pone, dealer.
# Measured: about where a call begins to bring more than a pass, bots of this kind all round.
FIRST_ROUND = (7.2, 5.8, 6.4, 5.1)
SECOND_ROUND = (5.9, 5.6, 6.0, 5.4)
NEXT_BONUS = 1.6
"""Eldest and pone make it next: the dealer's side has just shown weakness in that colour."""
CROSS_BONUS = 1.2
"""The dealer's side crosses the suit, for the same reason turned round."""

ALONE_WORTH = 9.3
"""Measured, going alone pays from 8.2 on; but a loner that fails annoys people more than a march
with a partner pleases them, so the bot wants to make about half of its loners."""


@dataclass(frozen=True, slots=True)
class Trump:
    """Cards under one trump: suit followed, power inside that suit, worth in bidding."""

    suit: dict[Card, Suit]
    power: dict[Card, int]
    worth: dict[Card, float]


@lru_cache(maxsize=4)
def under(trump: Suit) -> Trump:
    """The table of all cards under ``trump``."""
    suit, power, worth = {}, {}, {}
    for card in pack(32):
        suit[card] = effective_suit(card, trump)
        power[card] = PLAIN_ORDER.index(card[0])
        worth[card] = 0.0
        if suit[card] == trump:
            power[card] += 10
            worth[card] = TRUMP_WORTH.get(card[0], 0.0)
    left, right = "J" + SAME_COLOUR[trump], "J" + trump
    power[left], power[right] = 18, 19
    worth[left], worth[right] = LEFT_WORTH, RIGHT_WORTH
    return Trump(suit, power, worth)


def hand_worth(hand: Iterable[Card], trump: Suit) -> float:
    """What a hand is worth under a trump, in units of a low trump: trumps by rank, plain aces,
    kings without their ace, and plain suits to ruff when there are trumps to ruff with."""
    table = under(trump)
    total = 0.0
    trumps = 0
    plain: dict[Suit, str] = {}
    for card in hand:
        suit = table.suit[card]
        if suit == trump:
            trumps += 1
            total += table.worth[card]
        else:
            plain[suit] = plain.get(suit, "") + card[0]
    for ranks in plain.values():
        if "A" in ranks:
            total += ACE_WORTH
        elif "K" in ranks:
            total += BARE_KING_WORTH
    if trumps >= 2:
        total += VOID_WORTH * (3 - len(plain))
    return total


def best_discard(six: Sequence[Card], trump: Suit) -> Card:
    """The card the dealer buries: what costs the hand least, then the lowest. Trumps and aces
    are worth keeping, a void is worth making."""
    power = under(trump).power
    return max(six, key=lambda card: (hand_worth((kept for kept in six if kept != card), trump), -power[card]))


class Heuristic:
    """Rules of thumb. Stateless and deterministic: it draws nothing from ``rng``."""

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        match view.phase:
            case "bid1":
                return _named(legal, "order_up" if _orders_up(view) else "pass")
            case "bid2":
                return _second_round(view)
            case "exchange":
                return _exchange(view)
            case "alone":
                return _named(legal, "alone" if _goes_alone(view) else "together")
            case _:
                return _with_card(legal, _Play(view).card())


def _named(legal: Iterable[Action], kind: str) -> Action:
    return next(action for action in legal if action.kind == kind)


def _with_card(legal: Iterable[Action], card: Card) -> Action:
    return next(action for action in legal if action.card == card)


# --- bidding


def _place(view: SeatView) -> int:
    """0 eldest, 1 dealer's partner, 2 pone, 3 dealer."""
    assert view.seat is not None
    return (view.seat - view.dealer - 1) % 4


def _nerve(view: SeatView) -> float:
    """How much less a hand needs to be worth at this score."""
    assert view.seat is not None
    them = view.rules.target_score - view.score[1 - view.seat % 2]
    if them <= 1:
        return 0.4  # whatever they score ends the game, being euchred costs no more than a pass
    return -0.3 if them == 2 else 0.0  # being euchred ends it


def _orders_up(view: SeatView) -> bool:
    assert view.up_card is not None
    place, trump = _place(view), view.up_card[1]
    if place == 3:
        six = (*view.hand, view.up_card)
        buried = best_discard(six, trump)
        worth = hand_worth((card for card in six if card != buried), trump)
    else:
        share = UP_CARD_SHARE * under(trump).worth[view.up_card]
        worth = hand_worth(view.hand, trump) + (share if place == 1 else -share)
    return worth + _nerve(view) >= FIRST_ROUND[place]


def _second_round(view: SeatView) -> Action:
    assert view.up_card is not None
    place, turned_down = _place(view), view.up_card[1]
    best, best_worth = None, 0.0
    for action in view.legal_actions:
        if action.suit is None:
            continue
        worth = hand_worth(view.hand, action.suit)
        if action.suit == SAME_COLOUR[turned_down]:
            worth += NEXT_BONUS if place in (0, 2) else 0.0
        else:
            worth += CROSS_BONUS if place in (1, 3) else 0.0
        if best is None or worth > best_worth:
            best, best_worth = action, worth
    stuck = all(action.kind != "pass" for action in view.legal_actions)
    if best is not None and (stuck or best_worth + _nerve(view) >= SECOND_ROUND[place]):
        return best
    return _named(view.legal_actions, "pass")


def _exchange(view: SeatView) -> Action:
    """Take the up-card and bury the worst of six. Declining is never better: burying the up-card
    itself leaves the same five cards, and nobody else knows that it is gone (R27, G5)."""
    assert view.up_card is not None and view.trump is not None
    return _with_card(view.legal_actions, best_discard((*view.hand, view.up_card), view.trump))


# --- going alone


def _goes_alone(view: SeatView) -> bool:
    assert view.seat is not None and view.maker is not None and view.trump is not None
    if view.seat % 2 != view.maker % 2:
        return _defends_alone(view)
    if view.rules.target_score - view.score[view.seat % 2] <= 2:
        return False  # one or two points are enough, and a partner makes them safer
    if _right_is_against(view):
        return False
    return hand_worth(view.hand, view.trump) >= ALONE_WORTH


def _right_is_against(view: SeatView) -> bool:
    """Whether the right bower may be held by an opponent."""
    assert view.trump is not None and view.seat is not None
    right = "J" + view.trump
    if right in view.hand or right == view.discard:
        return False
    if right != view.up_card:
        return True
    return view.up_card_state == "taken" and view.dealer % 2 != view.seat % 2


def _defends_alone(view: SeatView) -> bool:
    """Only with five tricks in hand: three or four tricks score the same with a partner."""
    assert view.trump is not None
    table = under(view.trump)
    trumps = sorted((table.power[card] for card in view.hand if table.suit[card] == view.trump), reverse=True)
    aces = sum(card[0] == "A" for card in view.hand if table.suit[card] != view.trump)
    return len(trumps) >= 4 and trumps[:3] == [19, 18, 17] and len(trumps) + aces == len(view.hand)


# --- play


class _Play:
    """One decision in the play, with what can be deduced from the view."""

    def __init__(self, view: SeatView) -> None:
        assert view.seat is not None and view.maker is not None and view.trump is not None
        self.view = view
        self.seat: int = view.seat
        self.trump: Suit = view.trump
        self.table = under(view.trump)
        self.legal: list[Card] = [action.card for action in view.legal_actions if action.card is not None]
        self.making = self.seat % 2 == view.maker % 2
        self.partner_plays = (self.seat + 2) % 4 not in view.sitting_out
        seen = {*view.hand, view.discard}
        if view.up_card_state in ("declined", "turned_down"):
            seen.add(view.up_card)
        for trick in view.tricks:
            seen.update(card for _, card in trick.plays)
        seen.update(card for _, card in view.trick)
        self.top_out: dict[Suit, int] = dict.fromkeys(SUITS, -1)
        """The greatest power still out in each suit; -1 where nothing is out."""
        for card in pack():
            if card not in seen:
                suit, power = self.table.suit[card], self.table.power[card]
                if power > self.top_out[suit]:
                    self.top_out[suit] = power

    def card(self) -> Card:
        if len(self.legal) == 1:
            return self.legal[0]
        return self._follow() if self.view.trick else self._lead()

    def _boss(self, card: Card) -> bool:
        return self.table.power[card] > self.top_out[self.table.suit[card]]

    def _power(self, card: Card) -> int:
        return self.table.power[card]

    def _trumps(self) -> list[Card]:
        """Own trumps, highest first."""
        trumps = [card for card in self.view.hand if self.table.suit[card] == self.trump]
        return sorted(trumps, key=self._power, reverse=True)

    def _shown_void(self, seat: int, suit: Suit) -> bool:
        """Whether the seat has failed to follow the suit."""
        for trick in self.view.tricks:
            led = self.table.suit[trick.plays[0][1]]
            if led == suit and any(who == seat and self.table.suit[card] != suit for who, card in trick.plays):
                return True
        return False

    def _opponents_may_hold_trump(self) -> bool:
        if self.top_out[self.trump] < 0:
            return False
        opponents = ((self.seat + 1) % 4, (self.seat + 3) % 4)
        return any(seat not in self.view.sitting_out and not self._shown_void(seat, self.trump) for seat in opponents)

    # leading

    def _lead(self) -> Card:
        trumps = self._trumps()
        plain = [card for card in self.view.hand if self.table.suit[card] != self.trump]
        if trumps and self._opponents_may_hold_trump():
            drawn = self._draw_trumps(trumps) if self.making else None
            if drawn is not None:
                return drawn
        if not plain:
            return trumps[0] if self._boss(trumps[0]) or len(trumps) == 1 else trumps[-1]
        winners = [card for card in plain if self._boss(card)]
        if winners:
            # the shortest suit is the one least likely to be ruffed
            return min(winners, key=lambda card: (self._length(card), card))
        return min(plain, key=lambda card: (self._partner_threw(card), self._length(card), self._power(card), card))

    def _draw_trumps(self, trumps: list[Card]) -> Card | None:
        """The trump that the makers' side leads, or None when something else is better."""
        view = self.view
        if self.seat == view.maker or self.seat in view.loners:
            if self._boss(trumps[0]):
                return trumps[0]
            if len(trumps) >= 3:
                left = "J" + SAME_COLOUR[self.trump]
                return trumps[-1] if trumps[0] == left else trumps[0]
            return None
        if self._stuck_maker():
            return None
        bower = trumps[0][0] == "J"
        return trumps[0] if bower or not view.tricks else None

    def _stuck_maker(self) -> bool:
        """Whether the maker had no choice: the dealer, stuck after seven passes."""
        view = self.view
        passes = sum(action.kind == "pass" for _, action in view.history)
        return view.rules.stick_the_dealer and view.maker == view.dealer and passes == 7

    def _length(self, card: Card) -> int:
        suit = self.table.suit[card]
        return sum(self.table.suit[other] == suit for other in self.view.hand)

    def _partner_threw(self, card: Card) -> bool:
        """Whether the partner has thrown this suit away, which says that he has nothing in it."""
        if not self.partner_plays:
            return False
        partner, suit = (self.seat + 2) % 4, self.table.suit[card]
        for trick in self.view.tricks:
            led = self.table.suit[trick.plays[0][1]]
            for who, thrown in trick.plays:
                if who == partner and self.table.suit[thrown] == suit != led:
                    return True
        return False

    # following

    def _follow(self) -> Card:
        view, table = self.view, self.table
        led = table.suit[view.trick[0][1]]
        winner, best = max(view.trick, key=lambda play: self._in_trick(play[1], led))
        winning = [card for card in self.legal if self._in_trick(card, led) > self._in_trick(best, led)]
        if not winning:
            return self._throw(led)
        last = len(view.trick) == 3 - len(view.sitting_out)
        partner_wins = winner == (self.seat + 2) % 4
        if last:
            return self._throw(led) if partner_wins else min(winning, key=self._power)
        following = table.suit[self.legal[0]] == led
        if partner_wins and not self._worth_beating_partner(best, winning, following):
            return self._throw(led)
        if not following:
            return self._ruff(winning, led)
        top = max(winning, key=self._power)
        if led == self.trump and not self._boss(top):
            return min(winning, key=self._power)
        return top

    def _in_trick(self, card: Card, led: Suit) -> int:
        """Power to win a trick: -1 for a card that cannot."""
        suit = self.table.suit[card]
        return self.table.power[card] if suit == led or suit == self.trump else -1

    def _worth_beating_partner(self, best: Card, winning: list[Card], following: bool) -> bool:
        """Third hand beats the partner only with a boss, or by ruffing what is likely to lose."""
        if self._boss(best):
            return False
        if following:
            return any(self._boss(card) for card in winning)
        return best[0] != "A" and self.table.suit[best] != self.trump

    def _ruff(self, winning: list[Card], led: Suit) -> Card:
        """The lowest trump that wins, unless it guards the left bower against a right still out."""
        lowest = min(winning, key=self._power)
        trumps = self._trumps()
        guards_left = (
            len(trumps) == 2 and self._power(trumps[0]) == 18 and self.top_out[self.trump] == 19 and lowest == trumps[1]
        )
        if guards_left and not self.making and self.partner_plays and len(self.view.trick) == 1:
            return self._throw(led)
        return lowest

    def _throw(self, led: Suit) -> Card:
        """The card that is missed least: low, from a suit that becomes void, no boss, no bare king."""
        table = self.table
        if table.suit[self.legal[0]] == led and table.suit[self.legal[-1]] == led:
            return min(self.legal, key=self._power)
        plain = [card for card in self.legal if table.suit[card] != self.trump]
        if not plain:
            return min(self.legal, key=self._power)
        has_trump = len(plain) < len(self.legal)

        def missed(card: Card) -> tuple[int, str]:
            length = self._length(card)
            regret = self._power(card) + (10 if self._boss(card) else 0)
            if not (length == 1 and has_trump):
                regret += 3
            if length == 2 and self._guards(card):
                regret += 3
            return regret, card

        return min(plain, key=missed)

    def _guards(self, card: Card) -> bool:
        """Whether the card protects a king of its suit from the ace that is still out."""
        suit = self.table.suit[card]
        king = "K" + suit
        return card != king and king in self.view.hand and not self._boss(king)
