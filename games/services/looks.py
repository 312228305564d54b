"""Writes of what somebody wants his pages and tables to look like."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from games import preferences
from games.models import Player
from games.preferences import Preferences


def choose(*, player_id: int, cookie: str, values: Mapping[str, str]) -> Preferences:
    """Take ``values`` over into the profile, or what is valid of them; how everything stands then.
    A profile without any begins with what the ``cookie`` of this device holds."""
    with transaction.atomic():
        kept = Player.objects.select_for_update(no_key=True).filter(pk=player_id).values_list("looks", flat=True)
        looks = preferences.from_text(kept.first() or cookie).updated(values)
        Player.objects.filter(pk=player_id).update(looks=looks.profile())
    return looks


def adopt(*, player_id: int, cookie: str) -> Preferences:
    """Who logs in brings his profile's choices to this device, or this device's to a profile without any."""
    return choose(player_id=player_id, cookie=cookie, values={})
