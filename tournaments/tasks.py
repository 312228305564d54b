"""What workers do for events and ladders. Messages are hints: ``Event.due_at`` is the truth."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.services import ladders, schedule


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every two seconds: every event that is due, and games of ladders whose end was not told."""
    schedule.sweep(timezone.now())
    ladders.take_games()
