"""Who a browser's session belongs to now."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest


def player_of(session_key: str) -> int | None:
    """The player whose session this still is: None once he has logged out, changed his password or
    lost his account. Two queries."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return user.pk if user.is_authenticated and user.is_active else None
