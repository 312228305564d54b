"""Players and games for the tests of what is kept. Games are really played, by random legal actions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from games import engine
from games.engine import DealState, Rules
from games.models import Deal, Game, Participation, Player, Table
from games.services import results

NAMES = ("north", "east", "south", "west", "stranger")


class Cast(NamedTuple):
    """The fixed cast: four players and somebody who looks on."""

    north: Player
    east: Player
    south: Player
    west: Player
    stranger: Player

    @property
    def seated(self) -> tuple[Player, Player, Player, Player]:
        return self[:4]


def make_cast() -> Cast:
    return Cast(*(Player.objects.create_user(name.title()) for name in NAMES))


def make_bots() -> list[Player]:
    return [Player.objects.create_user(name, None, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel")]


def random_deal(rng: random.Random, rules: Rules, dealer: int, number: int) -> tuple[str, DealState]:
    """A deal played to its end by random legal actions, and its deck. Passing and going alone are
    chosen less often than chance would: they end a deal early."""
    deck = engine.shuffled(engine.pack(), rng.randbytes(32), number)
    state = engine.start_deal(rules, dealer, deck)
    while state.phase != "done":
        choices = engine.legal_actions(state)
        rare = ("pass", "alone") if rng.random() < 0.8 else ()
        state = engine.apply(state, rng.choice([c for c in choices if c.kind not in rare] or choices))
    return engine.format_deck(deck), state


def play_game(
    seated: Sequence[Player | None],
    *,
    seed: int = 1,
    ranked: bool = True,
    at: datetime | None = None,
    rules: str = "article",
    winner: int | None = None,
    marks: str = "h",
) -> Game:
    """A finished game of these four, recorded and rated as the site does it.

    ``winner``: the team that has to win (other seeds are tried until it does). ``marks`` are
    repeated for ``played_by``.
    """
    at = at or timezone.now()
    with transaction.atomic():
        deals, score = _deals(engine.parse_rules(rules), seed, winner)
        game = Game.objects.create(
            table=Table.objects.create(phase=Table.Phase.CLOSED, ranked=ranked, rules=rules),
            ranked=ranked,
            pace=20,
            rules=rules,
            first_dealer=0,
            started_at=at,
            with_bots=any(player is not None and player.is_bot for player in seated),
        )
        Participation.objects.bulk_create(
            Participation(game=game, seat=seat, player=player) for seat, player in enumerate(seated)
        )
        Deal.objects.bulk_create(_stored(game, number, *deal, marks, at) for number, deal in enumerate(deals, start=1))
        results.ensure_ratings(player for player in seated if player)
        results.finish_game(game_id=game.pk, score=score, now=at)
    game.refresh_from_db()
    return game


def _deals(rules: Rules, seed: int, winner: int | None) -> tuple[list[tuple[str, DealState]], tuple[int, int]]:
    while True:
        rng, deals, score = random.Random(seed), [], (0, 0)
        while engine.winner(score, rules) is None:
            deal = random_deal(rng, rules, len(deals) % 4, len(deals) + 1)
            deals.append(deal)
            score = (score[0] + deal[1].points[0], score[1] + deal[1].points[1])
        if winner in (None, engine.winner(score, rules)):
            return deals, score
        seed += 1000


def _stored(game: Game, number: int, deck: str, state: DealState, marks: str, at: datetime) -> Deal:
    count = len(state.history)
    return Deal(
        game=game,
        number=number,
        dealer=state.dealer,
        secret=bytes(32),
        deck=deck,
        actions=engine.format_actions(action for _seat, action in state.history),
        played_by=(marks * count)[:count],
        finished_at=at,
        **results.outcome(state),
    )
