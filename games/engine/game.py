"""Deals to the target: whose deal it is, the score, the winner, matches, and replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.actions import Action, IllegalAction
from games.engine.cards import Card
from games.engine.deal import DealState, apply, start_deal
from games.engine.rules import Rules

Score = tuple[int, ...]
"""Points by side: of team 0 and team 1, or of each of two or three players."""


def first_dealer(rules: Rules, cards: Sequence[Card]) -> int:
    """The first dealer by a shuffled 24-card pack (R15, O2).

    ``random``: whoever would be dealt the ace of spades, card by card from seat 0; each seat
    is equally likely, for 2, 3 and 4 divide 24. ``first_black_jack``: whoever is dealt the
    first black jack.
    """
    wanted = ("JC", "JS") if rules.first_dealer == "first_black_jack" else ("AS",)
    return next(at for at, card in enumerate(cards) if card in wanted) % rules.players


def next_dealer(dealer: int, players: int = 4) -> int:
    """The deal moves one seat left after every deal, played or passed out (R31, G2)."""
    return (dealer + 1) % players


def dealer_after(state: DealState) -> int:
    """Who deals after a deal that is done: the same dealer again when a weak hand was declared (O13)."""
    return state.dealer if state.redeal else next_dealer(state.dealer, state.rules.players)


def add_points(score: Score, points: Score) -> Score:
    """The score after a deal, side by side."""
    return tuple(map(sum, zip(score, points, strict=True)))


def winner(score: Sequence[int], rules: Rules, deals: int = 0) -> int | None:
    """The side that has won, None while nobody has.

    At the target, or after ``num_deals`` of ``deals`` dealt (one that all passed counts, a redeal
    of a weak hand does not), the side with more points than any other; level at the top, the
    game goes on (R2, R56, G14, V5, O22).
    """
    best = max(score)
    if deals < rules.num_deals if rules.num_deals else best < rules.target_score:
        return None
    side = score.index(best)
    return None if best in score[side + 1 :] else side


@dataclass(frozen=True, slots=True)
class Match:
    """Games between the same sides, with what laps and slam carry from one to the next (V6). Of
    three sides, too, only the winner carries points on."""

    games_won: Score
    carry: Score
    """The score the next game starts with."""

    def after(self, score: Sequence[int], rules: Rules) -> Match:
        """The match when a game has ended with ``score``. ValueError if nobody has won it."""
        side = winner(score, rules, rules.num_deals)
        if side is None:
            raise ValueError("a game is won by one side")
        slam = rules.slam and all(points == 0 for other, points in enumerate(score) if other != side)
        won = [games + (other == side) * (2 if slam else 1) for other, games in enumerate(self.games_won)]
        surplus = min(score[side] - rules.target_score, rules.target_score - 1) if rules.laps else 0
        return Match(tuple(won), tuple([surplus if other == side else 0 for other in range(len(score))]))


@dataclass(frozen=True, slots=True)
class DealRecord:
    """All that is needed to play a deal again, its dealer apart."""

    deck: tuple[Card, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """All that is needed to play a game again, finished or not."""

    rules: Rules
    first_dealer: int
    deals: tuple[DealRecord, ...]
    start: Score = ()
    """The score it started with (laps); () is none."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game rebuilt from its record: every deal in its last state, and where that leaves it."""

    deals: tuple[DealState, ...]
    scores: tuple[Score, ...]
    """The score after each deal."""
    winner: int | None
    """The side that won, None while the game goes on."""


def replay(record: GameRecord) -> Game:
    """Play a record again.

    Raises IllegalAction where it breaks the rules: an action that was not allowed, or a deal
    begun before the last was done (code ``deal_running``) or after the game was won
    (``game_over``).
    """
    rules = record.rules
    deals: list[DealState] = []
    scores: list[Score] = []
    dealer, counted = record.first_dealer, 0
    score = record.start or (0,) * rules.sides
    for deal in record.deals:
        if winner(score, rules, counted) is not None:
            raise IllegalAction("game_over", "The game is over.")
        if deals and deals[-1].phase != "done":
            raise IllegalAction("deal_running", "The deal before this one is not finished.")
        state = start_deal(rules, dealer, deal.deck)
        for action in deal.actions:
            state = apply(state, action)
        score = add_points(score, state.points)
        deals.append(state)
        scores.append(score)
        dealer = dealer_after(state)
        counted += state.phase == "done" and not state.redeal
    return Game(tuple(deals), tuple(scores), winner(score, rules, counted))
