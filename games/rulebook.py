"""What a page of rules shows of a ``Rules`` value: every order, example and number in it is worked
out by the engine, so that the page cannot say anything else than what is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine import (
    NO_TRUMP,
    Card,
    Rules,
    Trump,
    deal_points,
    effective_suit,
    legal_cards,
    next_suit,
    pack,
    start_deal,
    strength,
    trick_winner,
)

TRUMP: Final = "H"
"""The trump of the examples."""


@dataclass(frozen=True, slots=True)
class Following:
    """A card led, a hand, and which of its cards may be played."""

    trump: Trump
    led: Card
    hand: tuple[Card, ...]
    legal: frozenset[Card]

    @property
    def free(self) -> bool:
        """Whether any card may be played."""
        return len(self.legal) == len(self.hand)


@dataclass(frozen=True, slots=True)
class ExampleTrick:
    """Cards in the order in which they were played, and the one that wins."""

    trump: Trump
    cards: tuple[Card, ...]
    wins: Card

    @property
    def by_trump(self) -> bool:
        return effective_suit(self.wins, self.trump) == self.trump


@dataclass(frozen=True, slots=True)
class Case:
    """Who went alone: a column of the table of points."""

    lone_maker: bool
    lone_defender: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """Tricks of the makers from ``least`` to ``most``, and for each case the makers' points and
    those of each other side."""

    least: int
    most: int
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Dealing:
    """How many cards each seat gets in the first round, eldest first, and in the second; and how
    many are left, the up-card among them."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Rulebook:
    rules: Rules
    trumps: tuple[Card, ...]
    """The cards of the trump suit, strongest first."""
    next_suit: tuple[Card, ...]
    """Those of the other suit of its colour."""
    plain_suit: tuple[Card, ...]
    """Those of any other suit."""
    dealing: Dealing
    following: tuple[Following, ...]
    tricks: tuple[ExampleTrick, ...]
    cases: tuple[Case, ...]
    outcomes: tuple[Outcome, ...]


def rulebook(rules: Rules) -> Rulebook:
    """Everything the page shows, for the rules at hand."""
    return Rulebook(
        rules=rules,
        trumps=in_order(rules, TRUMP, TRUMP),
        next_suit=in_order(rules, TRUMP, next_suit(TRUMP)),
        plain_suit=in_order(rules, TRUMP, "S"),
        dealing=_dealing(rules),
        following=_following(rules),
        tricks=_tricks(rules),
        cases=cases(rules),
        outcomes=_outcomes(rules),
    )


def in_order(rules: Rules, trump: Trump, suit: str) -> tuple[Card, ...]:
    """The cards of the pack that belong to a suit, strongest first (R9-R13)."""
    cards = [card for card in pack(rules.pack) if effective_suit(card, trump) == suit]
    return tuple(sorted(cards, key=lambda card: strength(card, trump), reverse=True))


def _dealing(rules: Rules) -> Dealing:
    """Read off a deal from a pack in order: what came in one packet lies together (R19)."""
    deck = sorted(pack(rules.pack))
    state = start_deal(rules, rules.players - 1, deck)
    first = []
    for hand in state.hands:
        places = [deck.index(card) for card in hand]
        first.append(next((at for at in range(1, 5) if places[at] != places[at - 1] + 1), 5))
    return Dealing(tuple(first), tuple(5 - cards for cards in first), len(state.kitty) + 1)


def _following(rules: Rules) -> tuple[Following, ...]:
    """The left bower follows trump and not its printed suit; so does the joker."""
    left = "J" + next_suit(TRUMP)
    asked = [(TRUMP, "9" + TRUMP, (left, "9S", "AC")), (TRUMP, "K" + next_suit(TRUMP), (left, "9S", "AC"))]
    if rules.joker:
        asked.append((TRUMP, "KS", ("B", "9S", "AC")))
    if rules.no_trump != "off":
        asked.append((NO_TRUMP, "KD", ("JD", "JH", "AS")))
    return tuple(Following(trump, led, hand, frozenset(legal_cards(hand, led, trump))) for trump, led, hand in asked)


def _tricks(rules: Rules) -> tuple[ExampleTrick, ...]:
    """A trick that trumps decide, one without any, and one at no-trump where that can be called."""
    left = "J" + next_suit(TRUMP)
    by_trump = {2: ("AS", "9H"), 3: ("AS", "AH", left), 4: ("AS", "9S", "AH", left)}[rules.players]
    plain = ("TC", "AS", "QC", "9C")[: rules.players]
    asked: list[tuple[Trump, tuple[Card, ...]]] = [(TRUMP, by_trump), (TRUMP, plain)]
    if rules.joker:
        asked.insert(1, (TRUMP, ("J" + TRUMP, "B", "9H", "QH")[: rules.players]))
    if rules.no_trump != "off":
        asked.append((NO_TRUMP, ("9D", "JD", "AS", "TD")[: rules.players]))
    return tuple(
        ExampleTrick(trump, cards, cards[trick_winner(tuple(enumerate(cards)), trump)]) for trump, cards in asked
    )


def cases(rules: Rules) -> tuple[Case, ...]:
    """Who can be alone in a deal (R37, R38, O7, O8)."""
    found = [Case(False, False)]
    if rules.alone_who != "none":
        found.append(Case(True, False))
        if rules.alone_who == "any" and rules.defend_alone == "any":
            found.append(Case(False, True))
        if rules.alone_who == "any" and rules.defend_alone != "off":
            found.append(Case(True, True))
    return tuple(found)


def _outcomes(rules: Rules) -> tuple[Outcome, ...]:
    """The points for every number of tricks, most first; numbers worth the same are one row."""
    rows: list[Outcome] = []
    for tricks in range(5, -1, -1):
        points = tuple(_points(rules, case, tricks) for case in cases(rules))
        if rows and rows[-1].points == points:
            rows[-1] = Outcome(tricks, rows[-1].most, points)
        else:
            rows.append(Outcome(tricks, tricks, points))
    return tuple(rows)


def _points(rules: Rules, case: Case, tricks: int) -> tuple[int, int]:
    loners = [seat for seat, alone in ((0, case.lone_maker), (1, case.lone_defender)) if alone]
    won = (tricks, 5 - tricks, 0)[: rules.sides]
    makers, others = deal_points(rules, 0, loners, won)[:2]
    return makers, others
