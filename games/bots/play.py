"""The play of the cards: makers draw trumps, defenders lead aces, nobody beats his own partner,
tricks are won as cheaply as possible."""

from __future__ import annotations

from games.bots.bidding import unseen
from games.bots.worth import TABLES
from games.engine import NO_TRUMP, Action, Card, SeatView, Suit, Trump
from games.engine.cards import HIGHER, TRUMP_MASK


def play(view: SeatView) -> Action:
    """A claim is offered only when it is certain, so it is always made (section 5.1)."""
    claim = view.legal_actions[-1]
    if claim.kind == "claim":
        return claim
    card = _Play(view).card()
    return next(action for action in view.legal_actions if action.card == card)


class _Play:
    """One decision, with what can be deduced from the view."""

    def __init__(self, view: SeatView) -> None:
        assert view.seat is not None and view.maker is not None and view.trump is not None
        self.view = view
        self.seat: int = view.seat
        self.trump: Trump = view.trump
        table = TABLES[view.rules.pack][view.trump]
        self.suit, self.power = table.suit, table.power
        self.higher = HIGHER[view.trump]
        self.legal: list[Card] = [action.card for action in view.legal_actions if action.card is not None]
        self.making = view.side(self.seat) == view.side(view.maker)
        self.ally = self._ally()
        self.unseen = unseen(view, view.hand)

    def _ally(self) -> int | None:
        """Who plays on the same side: the partner of four, the other defender of three."""
        seat, view = self.seat, self.view
        if view.rules.players == 4:
            partner = (seat + 2) % 4
            return None if partner in view.sitting_out else partner
        if view.rules.players == 3 and not self.making:
            assert view.maker is not None
            return 3 - seat - view.maker
        return None

    def card(self) -> Card:
        if len(self.legal) == 1:
            return self.legal[0]
        return self._follow() if self.view.trick else self._lead()

    def _boss(self, card: Card) -> bool:
        return not self.higher[card] & self.unseen

    def _power(self, card: Card) -> int:
        return self.power[card]

    def _trumps(self) -> list[Card]:
        """Own trumps, highest first."""
        trumps = [card for card in self.view.hand if self.suit[card] == self.trump]
        return sorted(trumps, key=self._power, reverse=True)

    def _shown_void(self, seat: int, suit: Suit) -> bool:
        """Whether the seat has failed to follow the suit."""
        for trick in self.view.tricks:
            led = self.suit[trick.plays[0][1]]
            if led == suit and any(who == seat and self.suit[card] != suit for who, card in trick.plays):
                return True
        return False

    def _opponents_may_hold_trump(self) -> bool:
        if not TRUMP_MASK[self.trump] & self.unseen:
            return False
        view = self.view
        friends = (self.seat, self.ally, *view.sitting_out)
        return any(seat not in friends and not self._shown_void(seat, self.trump) for seat in range(view.rules.players))

    # leading

    def _lead(self) -> Card:
        trumps = self._trumps()
        plain = [card for card in self.view.hand if self.suit[card] != self.trump]
        if trumps and self._opponents_may_hold_trump():
            drawn = self._draw_trumps(trumps) if self.making else None
            if drawn is not None:
                return drawn
        if not plain:
            return trumps[0] if self._boss(trumps[0]) or len(trumps) == 1 else trumps[-1]
        winners = [card for card in plain if self._boss(card)]
        if self.trump == NO_TRUMP:
            return self._lead_without_trumps(winners)
        if winners:
            # the shortest suit is the one least likely to be ruffed
            return min(winners, key=lambda card: (self._length(card), card))
        return min(plain, key=lambda card: (self._ally_threw(card), self._length(card), self._power(card), card))

    def _lead_without_trumps(self, winners: list[Card]) -> Card:
        """The longest suit runs; one without its ace is led to make its other cards high."""
        if winners:
            return max(winners, key=lambda card: (self._length(card), self._power(card), card))
        return min(
            self.view.hand,
            key=lambda card: (self._ally_threw(card), -self._length(card), -self._power(card), card),
        )

    def _draw_trumps(self, trumps: list[Card]) -> Card | None:
        """The trump that the makers' side leads, or None when something else is better."""
        view = self.view
        if self.seat == view.maker or self.seat in view.loners:
            if self._boss(trumps[0]):
                return trumps[0]
            if len(trumps) >= 3:
                return trumps[-1] if self._is_second(trumps[0]) else trumps[0]
            return None
        if self._stuck_maker():
            return None
        return trumps[0] if self._is_bower(trumps[0]) or not view.tricks else None

    def _is_bower(self, trump: Card) -> bool:
        """A bower, or the joker."""
        return trump[0] in "JB"

    def _is_second(self, trump: Card) -> bool:
        """A bower that one card out still beats."""
        return self._is_bower(trump) and (self.higher[trump] & self.unseen).bit_count() == 1

    def _stuck_maker(self) -> bool:
        """Whether the maker had no choice: the dealer, stuck when all others have passed twice."""
        view = self.view
        passes = sum(action.kind == "pass" for _, action in view.history)
        return view.rules.stick_the_dealer and view.maker == view.dealer and passes == 2 * view.rules.players - 1

    def _length(self, card: Card) -> int:
        suit = self.suit[card]
        return sum(self.suit[other] == suit for other in self.view.hand)

    def _ally_threw(self, card: Card) -> bool:
        """Whether the ally has thrown this suit away, which says that he has nothing in it."""
        if self.ally is None:
            return False
        suit = self.suit[card]
        for trick in self.view.tricks:
            led = self.suit[trick.plays[0][1]]
            for who, thrown in trick.plays:
                if who == self.ally and self.suit[thrown] == suit != led:
                    return True
        return False

    # following

    def _follow(self) -> Card:
        view, suit = self.view, self.suit
        led = suit[view.trick[0][1]]
        winner, best = max(view.trick, key=lambda play: self._in_trick(play[1], led))
        winning = [card for card in self.legal if self._in_trick(card, led) > self._in_trick(best, led)]
        if not winning:
            return self._throw(led)
        last = len(view.trick) == view.rules.players - 1 - len(view.sitting_out)
        ally_wins = winner == self.ally
        if last:
            return self._throw(led) if ally_wins else min(winning, key=self._power)
        following = suit[self.legal[0]] == led
        if ally_wins and not self._worth_beating_ally(best, winning, following):
            return self._throw(led)
        if not following:
            return self._ruff(winning, led)
        top = max(winning, key=self._power)
        if led == self.trump and not self._boss(top):
            return min(winning, key=self._power)
        return top

    def _in_trick(self, card: Card, led: Suit) -> int:
        """Power to win a trick: -1 for a card that cannot."""
        suit = self.suit[card]
        return self.power[card] if suit == led or suit == self.trump else -1

    def _worth_beating_ally(self, best: Card, winning: list[Card], following: bool) -> bool:
        """Third hand beats the ally only with a boss, or by ruffing what is likely to lose."""
        if self._boss(best):
            return False
        if following:
            return any(self._boss(card) for card in winning)
        return best[0] != "A" and self.suit[best] != self.trump

    def _ruff(self, winning: list[Card], led: Suit) -> Card:
        """The lowest trump that wins, unless it guards a bower against the one above it."""
        lowest = min(winning, key=self._power)
        trumps = self._trumps()
        guards = len(trumps) == 2 and lowest == trumps[1] and self._is_second(trumps[0])
        if guards and not self.making and self.ally is not None and len(self.view.trick) == 1:
            return self._throw(led)
        return lowest

    def _throw(self, led: Suit) -> Card:
        """The card that is missed least: low, from a suit that becomes void, no boss, no bare king."""
        suit = self.suit
        if suit[self.legal[0]] == led and suit[self.legal[-1]] == led:
            return min(self.legal, key=self._power)
        plain = [card for card in self.legal if suit[card] != self.trump]
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
        suit = self.suit[card]
        king = "K" + suit
        return card != king and king in self.view.hand and not self._boss(king)
