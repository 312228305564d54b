"""Friends asked, found and parted with; people muted and blocked.

Nobody learns that he is blocked: who asks a person that has blocked him sees the same as when his
request waits for an answer.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import live
from games.models import Block, Friendship, Player
from games.selectors import people
from games.services.errors import UserError

MOST_WAITING = 50
"""Requests of one person that may wait for an answer at a time."""


def ask(*, player_id: int, other_id: int) -> bool:
    """Ask somebody to be friends, or accept; True if they are now, because he had asked before.

    Locks the two of them. Repeating it changes nothing. UserError for oneself, bots, people the asker
    has blocked, and too many requests that wait. Who is blocked by the other seems to have asked, and is not heard.
    """
    other = _other(player_id, other_id)
    if other.is_bot:
        raise UserError(_("%(name)s is a bot, and plays with everybody.") % {"name": other.name})
    with transaction.atomic():
        pair = Player.objects.select_for_update(no_key=True).filter(pk__in=(player_id, other_id))
        list(pair.order_by("pk").values_list("pk"))  # two who ask each other at once find each other
        if Block.objects.filter(player_id=player_id, blocked_id=other_id, seats=True).exists():
            raise UserError(_("You have blocked %(name)s. Unblock first, then ask.") % {"name": other.name})
        offered = Friendship.objects.filter(asker_id=other_id, asked_id=player_id, accepted_at__isnull=True)
        if offered.update(accepted_at=timezone.now()) or people.are_friends(player_id, other_id):
            return True
        if Friendship.objects.filter(asker_id=player_id, accepted_at__isnull=True).count() >= MOST_WAITING:
            raise UserError(_("Many of your requests wait for an answer. Take some back, then ask again."))
        try:
            with transaction.atomic():
                Friendship.objects.get_or_create(asker_id=player_id, asked_id=other_id)
        except IntegrityError:  # the account has gone in this very moment
            raise UserError(_("There is nobody of that name.")) from None
    return False


def part(*, player_id: int, other_id: int) -> None:
    """Decline or take back a request, or be friends no more. Idempotent; the other is not told."""
    people.between(player_id, other_id).delete()


def mute(*, player_id: int, other_id: int) -> None:
    """Do not read what somebody writes; they may still be seated together. Whoever is blocked stays
    so. Idempotent. UserError for oneself and for nobody."""
    _other(player_id, other_id)
    Block.objects.get_or_create(player_id=player_id, blocked_id=other_id, defaults={"seats": False})
    _read_anew(player_id)


def unmute(*, player_id: int, other_id: int) -> None:
    """Read again what somebody writes; who is blocked stays so. Idempotent."""
    Block.objects.filter(player_id=player_id, blocked_id=other_id, seats=False).delete()
    _read_anew(player_id)


def block(*, player_id: int, other_id: int) -> None:
    """Never be seated with somebody, nor read him; friends they are no more. A game that runs goes on.
    Idempotent. UserError for oneself, for a bot and for nobody."""
    other = _other(player_id, other_id)
    if other.is_bot:
        raise UserError(_("%(name)s is a bot. Open a table without bots instead.") % {"name": other.name})
    with transaction.atomic():
        Block.objects.update_or_create(player_id=player_id, blocked_id=other_id, defaults={"seats": True})
        people.between(player_id, other_id).delete()
        _read_anew(player_id)


def unblock(*, player_id: int, other_id: int) -> None:
    """Be seated with somebody and read him again. Idempotent."""
    Block.objects.filter(player_id=player_id, blocked_id=other_id).delete()
    _read_anew(player_id)


def _read_anew(player_id: int) -> None:
    """His open tables show what he wants to read now."""
    transaction.on_commit(lambda: live.look_again(player_id), robust=True)


def _other(player_id: int, other_id: int) -> Player:
    if player_id == other_id:
        raise UserError(_("That is you."))
    other = Player.objects.filter(pk=other_id, is_active=True).first()
    if other is None:
        raise UserError(_("There is nobody of that name."))
    return other
