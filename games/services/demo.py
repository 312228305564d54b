"""A small demo: players that are marked as such, and games that bots have really played for them."""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from games import bots, engine, fairness
from games.engine import DealState, Rules
from games.models import Deal, Game, Participation, Player, Seat, Table
from games.names import name_key
from games.services import results

NAMES = ("Demo Aoife", "Demo Bruno", "Demo Ingrid", "Demo Jun", "Demo Lena", "Demo Noor", "Demo Priya", "Demo Tom")
GAMES = 24
DAYS = 21


@transaction.atomic
def create(now: datetime) -> None:
    """The demo's players and their games over the last three weeks; nothing if they are there."""
    if Player.objects.filter(name_key=name_key(NAMES[0])).exists():
        return
    rng = random.Random(24)
    people = [Player.objects.create_user(name, date_joined=now - timedelta(days=DAYS)) for name in NAMES]
    crowd = [*people, *Player.objects.exclude(bot_level="")[:4]]
    results.ensure_ratings(crowd)
    for number in range(GAMES):
        seats = rng.sample(crowd, 4)
        started = now - timedelta(days=DAYS) * (GAMES - number) / (GAMES + 1)
        _play_game(seats, started, rng)


def _play_game(seats: list[Player], started: datetime, rng: random.Random) -> None:
    rules = Rules(stick_the_dealer=rng.random() < 0.3)
    text = engine.format_rules(rules)
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    chain = fairness.settle(seed, 1, [""] * len(seats))
    table = Table.objects.create(rules=text, phase=Table.Phase.CLOSED, quick=True, created_at=started, host=None)
    Seat.objects.bulk_create(Seat(table=table, index=index) for index in range(rules.players))
    game = Game.objects.create(
        table=table,
        ranked=True,
        pace=20,
        rules=text,
        first_dealer=fairness.drawn_dealer(rules, fairness.link(seed, 0), chain.added),
        chains=fairness.format_chain(chain),
        started_at=started,
        with_bots=any(player.is_bot for player in seats),
    )
    Participation.objects.bulk_create(
        Participation(game=game, seat=seat, player=player) for seat, player in enumerate(seats)
    )
    score: engine.Score = (0, 0)
    dealer, now = game.first_dealer, started
    deals: list[Deal] = []
    while engine.winner(score, rules) is None:
        secret = fairness.secret(seed, chain, len(deals) + 1)
        deck = fairness.deck(engine.pack(), secret, chain, len(deals) + 1)
        state = _play_deal(engine.start_deal(rules, dealer, deck), score, rng)
        score = engine.add_points(score, state.points)
        now += timedelta(seconds=rng.randrange(60, 150))
        deals.append(_row(game, len(deals) + 1, state, deck, secret, seats, now))
        dealer = engine.next_dealer(dealer)
    Deal.objects.bulk_create(deals)
    results.finish_game(game_id=game.pk, score=score, now=now)


def _play_deal(state: DealState, score: engine.Score, rng: random.Random) -> DealState:
    bot = bots.get_bot(bots.FILL_IN)
    while state.turn is not None:
        state = engine.apply(state, bot.choose(engine.view(state, state.turn, score), rng))
    return state


def _row(
    game: Game,
    number: int,
    state: DealState,
    deck: tuple[str, ...],
    secret: bytes,
    seats: list[Player],
    now: datetime,
) -> Deal:
    return Deal(
        game=game,
        number=number,
        dealer=state.dealer,
        secret=secret,
        deck=engine.format_deck(deck),
        actions=engine.format_actions(action for _, action in state.history),
        played_by="".join("b" if seats[seat].is_bot else "h" for seat, _ in state.history),
        finished_at=now,
        **results.outcome(state),
    )
