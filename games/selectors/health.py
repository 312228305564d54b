"""Whether the parts of the site work: for its status page, without any secret."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError

from games.models import Pulse

PATIENCE: Final = 1.0
"""Seconds to wait for Valkey."""

LATE: Final = timedelta(seconds=15)
"""The sweep runs every second; one older than this means that worker or beat is down."""


@dataclass(frozen=True, slots=True)
class Health:
    """``swept_at`` is the last sweep, None when there was none yet or the database is away.
    ``bots`` is how the bots of the worker that started last think: ``compiled``, ``plain`` (numba is
    missing there), or "" before one has said so."""

    database: bool
    valkey: bool
    swept_at: datetime | None
    sweeping: bool
    bots: str = ""

    @property
    def well(self) -> bool:
        return self.database and self.valkey and self.sweeping


def read_health(now: datetime) -> Health:
    """Ask the database and Valkey; never raises for one that is away."""
    try:
        pulses = {pulse.name: pulse for pulse in Pulse.objects.all()}
        database = True
    except DatabaseError:
        pulses, database = {}, False
    swept_at = pulses["sweep"].at if "sweep" in pulses else None
    return Health(
        database=database,
        valkey=_valkey_answers(),
        swept_at=swept_at,
        sweeping=swept_at is not None and now - swept_at < LATE,
        bots=pulses["bots"].note if "bots" in pulses else "",
    )


def _valkey_answers() -> bool:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        ) as connection:
            return bool(connection.ping())
    except redis.RedisError:
        return False
