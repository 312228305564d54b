"""The end of a game: who won, what everybody did in it, and what it does to the ratings."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from games import engine, ratings
from games.bots import LEVELS
from games.engine import DealState, Rules, Score
from games.models import Deal, Game, Participation, Player, Rating, RatingChange, Seat
from games.ratings import RatedSeat, Skill
from games.services import waiting
from games.signals import game_finished

log = logging.getLogger(__name__)


def ensure_ratings(players: Iterable[Player]) -> None:
    """Give everybody who has none a rating to start with: people the same, bots that of their
    level. One INSERT; players who have one keep it."""
    Rating.objects.bulk_create(
        (
            Rating(player=player, mu=skill.mu, sigma=skill.sigma)
            for player in players
            for skill in (Skill(*LEVELS[player.bot_level].rating) if player.is_bot else ratings.START,)
        ),
        ignore_conflicts=True,
    )


def finish_game(*, game_id: int, score: Score, now: datetime, taken_by: int | None = None) -> None:
    """Record the result of a game whose deals are all stored, inside the caller's transaction,
    which holds its table's lock.

    Fills the Participations, and for a ranked game moves the ratings of its people (locked in
    the order of their ids) with a RatingChange each, and counts who left it. Nine queries, however many
    deals, and as many again as people have left. Repeating it changes nothing. ``game_finished`` follows
    the commit.

    ``taken_by``: the side that took the win when the other one had left, whatever the score.
    """
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.status != Game.Status.PLAYING:
        return
    rules = engine.parse_rules(game.rules)
    winner = engine.winner(score, rules, counted_deals(game_id, rules)) if taken_by is None else taken_by
    if winner is None:
        raise ValueError(f"game {game_id} is not over at {score}")
    assert game.table_id is not None  # the caller holds its lock
    parts = list(Participation.objects.filter(game=game).select_related("player").order_by("seat"))
    kept = Seat.objects.filter(table_id=game.table_id, bot_since__isnull=False, player__bot_level="")
    gone = {
        index
        for index, left_at in kept.values_list("index", "left_at")
        # Nobody is charged for being away in the moment in which his own side takes the win.
        if left_at is not None or taken_by is None or rules.side(index) != taken_by
    }
    tallies = count_deeds(rules, Deal.objects.filter(game=game))
    for part in parts:
        part.won, part.left, part.finished_at = rules.side(part.seat) == winner, part.seat in gone, now
        for name, value in vars(tallies[part.seat]).items():
            setattr(part, name, value)
    columns = ["won", "left", "finished_at", *vars(tallies[0])]
    # A twentieth of the time of bulk_update, whose SQL has a CASE for each value.
    Participation.objects.bulk_create(parts, update_conflicts=True, unique_fields=["id"], update_fields=columns)
    game.status, game.finished_at = Game.Status.FINISHED, now
    game.score_0, game.score_1, game.score_2 = (*score, 0)[:3]
    game.won_by_leave = taken_by is not None
    game.save(update_fields=["status", "finished_at", "score_0", "score_1", "score_2", "won_by_leave"])
    if game.ranked:
        _rate(parts, winner, now)
        waiting.charge([part.player_id for part in parts if part.left and part.player_id], now)
    transaction.on_commit(lambda: _announce(game_id), robust=True)


def counted_deals(game_id: int, rules: Rules) -> int:
    """How many deals count where their number is fixed: all but redeals (O13, O22). One query
    there, none elsewhere."""
    if not rules.num_deals:
        return 0
    return Deal.objects.filter(game_id=game_id).exclude(actions__endswith="declare").count()


def _announce(game_id: int) -> None:
    for receiver, answer in game_finished.send_robust(Game, game_id=game_id):
        if isinstance(answer, Exception):
            log.error("%s failed for game %s", receiver, game_id, exc_info=answer)


def _rate(parts: list[Participation], winner: int, now: datetime) -> None:
    players = [part.player for part in parts]
    if any(player is None for player in players):
        return  # somebody deleted his account in mid-game: nobody is charged for it
    held = {
        rating.player_id: rating
        for rating in Rating.objects.select_for_update()
        .filter(player__in=[player.pk for player in players if player])
        .order_by("player_id")
    }
    seats = [
        RatedSeat(Skill(held[player.pk].mu, held[player.pk].sigma), is_bot=player.is_bot, left=part.left)
        for part, player in zip(parts, players, strict=True)
        if player
    ]
    changes, moved = [], []
    for part, seat, after in zip(parts, seats, ratings.rate(seats, winner), strict=True):
        if seat.is_bot or part.player_id is None:
            continue
        changes.append(
            RatingChange(
                participation=part,
                player_id=part.player_id,
                mu_before=seat.skill.mu,
                sigma_before=seat.skill.sigma,
                mu_after=after.mu,
                sigma_after=after.sigma,
                at=now,
            )
        )
        rating = held[part.player_id]
        rating.mu, rating.sigma, rating.updated_at = after.mu, after.sigma, now
        moved.append(rating)
    RatingChange.objects.bulk_create(changes)
    columns = ["mu", "sigma", "updated_at"]
    Rating.objects.bulk_create(moved, update_conflicts=True, unique_fields=["player"], update_fields=columns)


def outcome(state: DealState) -> dict[str, Any]:
    """The columns of Deal that say how a finished deal ended."""
    by_side = {
        f"{name}_{side}": value
        for name, values in (("tricks", state.tricks_won), ("points", state.points))
        for side, value in enumerate(values)
    }
    loners = sum(1 << seat for seat in state.loners)
    return {"maker": state.maker, "trump": state.trump or "", "loners": loners, **by_side}


@dataclass
class Deeds:
    """What one seat did in a game; the names are those of Participation's columns."""

    deals: int = 0
    calls: int = 0
    calls_made: int = 0
    euchred: int = 0
    euchres: int = 0
    marches: int = 0
    loners_tried: int = 0
    loners_made: int = 0


def count_deeds(rules: Rules, deals: Iterable[Deal]) -> tuple[Deeds, ...]:
    """The deeds of each seat over the stored deals of a game, replayed from their records.

    A call is the maker's own; a euchre suffered (``euchred``) is his too. A euchre made counts
    for both defenders who played, a march for both makers who played, a loner for who went alone
    (made: all five tricks, R51, R54).
    """
    deeds = tuple(Deeds() for _seat in range(rules.players))
    for deal in deals:
        deck = engine.parse_deck(deal.deck)
        state = engine.replay_deal(rules, deal.dealer, deck, deal.actions)
        for done in deeds:
            done.deals += 1
        if state.maker is not None:
            _count(deeds, state)
    return deeds


def _count(deeds: tuple[Deeds, ...], state: DealState) -> None:
    assert state.maker is not None
    side = state.rules.side
    makers = side(state.maker)
    made = state.tricks_won[makers] >= 3
    deeds[state.maker].calls += 1
    deeds[state.maker].calls_made += made
    deeds[state.maker].euchred += not made
    for seat in range(len(deeds)):
        if seat in state.sitting_out:
            continue
        deeds[seat].euchres += side(seat) != makers and not made
        deeds[seat].marches += side(seat) == makers and state.tricks_won[makers] == 5
    for seat in state.loners:
        deeds[seat].loners_tried += 1
        deeds[seat].loners_made += state.tricks_won[side(seat)] == 5
