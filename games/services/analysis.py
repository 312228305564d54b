"""The analysis of a game that is over: asked for by anybody, worked out by a worker, kept.

Nothing is locked: a deal that is over never changes, and its analysis is the same whoever makes it.
"""

from __future__ import annotations

import logging
from typing import Final

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import engine
from games.bots import analysis
from games.bots.analysis import Decision, PostMortem
from games.models import Accuracy, Analysis, Deal, Game, Participation
from games.selectors import analyses
from games.services.errors import UserError

log = logging.getLogger(__name__)

BOT_ANALYSE: Final = "games.tasks.bot_analyse"


def ask(*, game_id: int) -> None:
    """Have a worker analyse what is not yet analysed of a game. UserError while it is played, or
    if there is none.

    A worker that dies leaves what it has done; when :data:`~games.selectors.analyses.PATIENCE`
    is over, whoever asks again has the rest done.
    """
    game = Game.objects.filter(pk=game_id).first()
    if game is None or game.status == Game.Status.PLAYING:
        raise UserError(_("A game is analysed when it is over."))
    if not _missing(game_id) or not cache.add(analyses.asked_key(game_id), True, analyses.PATIENCE):
        return
    try:
        current_app.send_task(BOT_ANALYSE, (game_id,), queue="bots", expires=analyses.PATIENCE, retry=False)
    except Exception:  # the broker is away: any of kombu's, redis' or the socket's errors
        log.warning("no worker could be told to analyse game %s", game_id)


def analyse(*, game_id: int) -> int:
    """Analyse the deals of a game that is over and are not yet analysed by this version; how many.
    Each is kept at once. Two that work at the same game do no harm. Nothing for a game being played."""
    game = Game.objects.filter(pk=game_id).exclude(status=Game.Status.PLAYING).first()
    if game is None:
        return 0
    rules = engine.parse_rules(game.rules)
    missing = {deal.pk for deal in _missing(game_id)}
    score = engine.parse_score(game.start) or (0,) * rules.sides
    for deal in Deal.objects.filter(game=game).order_by("number") if missing else ():
        if deal.pk in missing:
            start = engine.start_deal(rules, deal.dealer, engine.parse_deck(deal.deck))
            found = analysis.analyse(start, engine.parse_actions(deal.actions), score)
            _keep(deal, found)
        score = engine.add_points(score, (deal.points_0, deal.points_1, deal.points_2)[: rules.sides])
    if missing:
        _count(game)
    return len(missing)


def _missing(game_id: int) -> list[Deal]:
    return list(Deal.objects.filter(game_id=game_id).exclude(analysis__version=analysis.VERSION).order_by("number"))


def _keep(deal: Deal, found: PostMortem) -> None:
    Analysis.objects.bulk_create(
        [Analysis(deal=deal, version=analysis.VERSION, numbers=analysis.to_json(found), at=timezone.now())],
        update_conflicts=True,
        unique_fields=["deal"],
        update_fields=["version", "numbers", "at"],
    )


def _count(game: Game) -> None:
    """How well everybody called and played, from the whole game."""
    with transaction.atomic():
        found = analyses.read_analyses(game)
        seats = list(Participation.objects.filter(game=game).select_related("player").order_by("seat"))
        rows = [Accuracy(participation=seat) for seat in seats]
        bots = [seat.player is not None and seat.player.is_bot for seat in seats]
        played_by = dict(Deal.objects.filter(game=game).values_list("number", "played_by"))
        for number, post_mortem in found.items():
            for decision in post_mortem.decisions:
                by = played_by[number][decision.at : decision.at + 1]
                if by != "c" and (by != "b" or bots[decision.seat]):  # what others did in his place is not his
                    _add(rows[decision.seat], decision)
        names = [field.name for field in Accuracy._meta.concrete_fields if not field.primary_key]
        Accuracy.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["participation"], update_fields=names
        )  # fmt: skip


def _add(row: Accuracy, decision: Decision) -> None:
    kind = {"call": "calls", "lead": "leads"}.get(decision.kind, "cards")
    for name, value in ((kind, 1), (f"{kind}_right", decision.right), (f"{kind}_lost", decision.cost)):
        setattr(row, name, getattr(row, name) + value)
