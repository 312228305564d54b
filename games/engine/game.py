"""Deals to the target: whose deal it is, the score, the winner, and replay."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.actions import Action, IllegalAction
from games.engine.cards import Card
from games.engine.deal import DealState, apply, start_deal
from games.engine.rules import Rules


def next_dealer(dealer: int) -> int:
    """The deal moves one seat left after every deal, played or passed out (R31, G2)."""
    return (dealer + 1) % 4


def winner(score: tuple[int, int], rules: Rules) -> int | None:
    """The team that has reached the target, None while nobody has (R2, R56, G14)."""
    for team, points in enumerate(score):
        if points >= rules.target_score:
            return team
    return None


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


@dataclass(frozen=True, slots=True)
class Game:
    """A game rebuilt from its record: every deal in its last state, and where that leaves it."""

    deals: tuple[DealState, ...]
    scores: tuple[tuple[int, int], ...]
    """The score after each deal."""
    winner: int | None
    """The team that won, None while the game goes on."""


def replay(record: GameRecord) -> Game:
    """Play a record again.

    Raises IllegalAction where it breaks the rules: an action that was not allowed, or a deal
    begun before the last was done (code ``deal_running``) or after the game was won
    (``game_over``).
    """
    deals: list[DealState] = []
    scores: list[tuple[int, int]] = []
    dealer, score = record.first_dealer, (0, 0)
    for deal in record.deals:
        if winner(score, record.rules) is not None:
            raise IllegalAction("game_over", "The game is over.")
        if deals and deals[-1].phase != "done":
            raise IllegalAction("deal_running", "The deal before this one is not finished.")
        state = start_deal(record.rules, dealer, deal.deck)
        for action in deal.actions:
            state = apply(state, action)
        score = (score[0] + state.points[0], score[1] + state.points[1])
        deals.append(state)
        scores.append(score)
        dealer = next_dealer(dealer)
    return Game(tuple(deals), tuple(scores), winner(score, record.rules))
