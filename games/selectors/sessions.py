"""Who a browser's session belongs to now."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from games.models import Player

_EVIDENCE = (
    f"SELECT s.session_data, p.password, p.is_active FROM {Session._meta.db_table} s, {Player._meta.db_table} p"  # noqa: S608  ours alone
    " WHERE s.session_key = %s AND s.expire_date > %s AND p.id = %s"
)


class Evidence(NamedTuple):
    """What says to whom a session belongs, as it is stored."""

    data: str
    """Of the session, signed."""
    password: str
    """Of the player, hashed."""
    is_active: bool


def player_of(session_key: str) -> int | None:
    """The player whose session this still is: None once he has logged out, changed his password or
    lost his account. Two queries."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return user.pk if user.is_authenticated and user.is_active else None


def evidence(session_key: str, player_id: int) -> Evidence | None:
    """All that :func:`player_of` judges by, as it is stored: as long as it stays the same, so does the
    answer. None once the session or the player is gone. One query."""
    with connection.cursor() as cursor:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        cursor.execute(_EVIDENCE, [session_key, now, player_id])
        found = cursor.fetchone()
    return Evidence(*found) if found else None
