"""What workers do. Messages carry ids and versions, and are hints: the due columns are the truth."""

from __future__ import annotations

import threading
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import connection
from django.utils import timezone

from games.services import analysis as analyses
from games.services import clock, counts, daily, guests, hints, sanctions, talk, warmth, watching


@worker_ready.connect
def warm_bots(sender: Any, **_kwargs: Any) -> None:
    """A worker that serves the bots' queue gets ready for it, beside its work."""
    if "bots" in sender.app.amqp.queues.consume_from:
        threading.Thread(target=_warm_bots, name="warm-bots", daemon=True).start()


def _warm_bots() -> None:
    try:
        warmth.warm_up(timezone.now())
    finally:
        connection.close()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every second: everything that is due."""
    clock.sweep(timezone.now())


@shared_task(ignore_result=True)
def bot_turn(table_id: int, version: int) -> None:
    """A table waits for a bot, or for its bots to deal on."""
    clock.act(table_id=table_id, version=version)


@shared_task(ignore_result=True)
def bot_hint(table_id: int, version: int) -> None:
    """Somebody at a friendly table asks what to do at this version."""
    hints.advise(table_id=table_id, version=version)


@shared_task(ignore_result=True)
def bot_analyse(game_id: int) -> None:
    """Somebody wants to look at the play of a game that is over."""
    analyses.analyse(game_id=game_id)


@shared_task(ignore_result=True)
def daily_par(deal_id: int) -> None:
    """The deal of a day has been made, or somebody looks at one whose par is not known."""
    daily.find_par(deal_id=deal_id)


@shared_task(ignore_result=True)
def count_deals() -> None:
    """Every half minute: what the deals scored since held, for their statistics; now and then, guests
    who were forgotten."""
    counts.count_deals(timezone.now())
    guests.tidy_guests(timezone.now())


@shared_task(ignore_result=True)
def tidy_talk() -> None:
    """Every minute: old talk is deleted, bans that have run out end, addresses at new ranked games are
    compared."""
    now = timezone.now()
    talk.tidy(now)
    sanctions.end_bans(now)
    watching.note_of_games(now)
