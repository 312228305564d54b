"""What workers do for events. Messages are hints: ``Event.due_at`` is the truth."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.services import schedule


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every two seconds: every event that is due."""
    schedule.sweep(timezone.now())
