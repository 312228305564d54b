"""What workers do. Messages carry ids and versions, and are hints: the due columns are the truth."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from games.bots import analysis
from games.services import analysis as analyses
from games.services import clock, counts, daily


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every second: everything that is due."""
    clock.sweep(timezone.now())


@shared_task(ignore_result=True)
def bot_turn(table_id: int, version: int) -> None:
    """A table waits for a bot, or for its bots to deal on."""
    clock.act(table_id=table_id, version=version)


@shared_task(ignore_result=True)
def bot_analyse(game_id: int) -> None:
    """Somebody wants to look at the play of a game that is over."""
    analysis.warm()
    analyses.analyse(game_id=game_id)


@shared_task(ignore_result=True)
def daily_par(deal_id: int) -> None:
    """The deal of a day has been made, or somebody looks at one whose par is not known."""
    daily.find_par(deal_id=deal_id)


@shared_task(ignore_result=True)
def count_deals() -> None:
    """Every half minute: what the deals scored since held, for their statistics."""
    counts.count_deals(timezone.now())
