"""Guests: people who play by a name alone, until they keep it with a password or are forgotten."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.models import Participation, Player, Seat
from games.services.accounts import delete_account
from games.services.errors import UserError

log = logging.getLogger(__name__)

STAYS = timedelta(days=90)
"""A browser remembers a guest this long after he was given his name."""

FORGOTTEN = timedelta(days=120)
"""A guest who was not seen for this long, and has no game that recent, is tidied away."""

_TIDY_EVERY, _TIDY_AT_ONCE = timedelta(hours=1), 200
_LAST_TIDY = "guests-tidied"


def add_guest(*, name: str) -> Player:
    """A guest of this name, which the caller has checked by :func:`games.names.validate_name`. UserError
    if somebody else has just taken it."""
    try:
        with transaction.atomic():
            return Player.objects.create_user(name, None, guest=True)
    except IntegrityError:
        raise UserError(_("Somebody has just taken that name. Try another.")) from None


def tidy_guests(now: datetime) -> None:
    """Delete guests who have not been here for long, at most once an hour: their names are free, their
    games stay under "a former player". Locks each of them in turn; safe with any number of workers."""
    if not cache.add(_LAST_TIDY, 1, _TIDY_EVERY.total_seconds()):
        return
    for player_id in _forgotten(now - FORGOTTEN):
        try:
            delete_account(player_id=player_id)
        except UserError as error:  # he has just come back
            log.info("guest %s stays: %s", player_id, error)


def _forgotten(since: datetime) -> list[int]:
    at_table = Seat.objects.filter(player=OuterRef("pk")).filter(Q(held=True) | Q(seen_at__gte=since))
    played = Participation.objects.filter(player=OuterRef("pk"), game__started_at__gte=since)
    guests = Player.objects.filter(guest=True, date_joined__lt=since)
    unseen = guests.exclude(seen_at__gte=since).exclude(last_login__gte=since)
    forgotten = unseen.exclude(Exists(at_table)).exclude(Exists(played))
    return list(forgotten.order_by("pk").values_list("pk", flat=True)[:_TIDY_AT_ONCE])
