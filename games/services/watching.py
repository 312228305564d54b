"""Who may look on at a table, and who should not: nobody watches his own game under another name.

A browser remembers who has used it, in a signed cookie. Addresses are compared at ranked tables only,
by a hash that is good for one table and forgotten after a few hours; what two accounts have in common
is noted for staff, and keeps nobody out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Container, Iterable
from datetime import datetime, timedelta
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Game, Participation, Player, SameAddress, Table
from games.selectors.tables import TableSnapshot
from games.services import sanctions
from games.services.errors import UserError

COOKIE: Final = "users"
COOKIE_AGE: Final = 24 * 3600
"""Seconds."""
_SALT: Final = "games.watching"
_MOST: Final = 8
"""People whom a browser remembers; the newest stay."""

ADDRESS_AGE: Final = 3 * 3600
"""Seconds for which the hash of an address is kept."""

JUST_BEGUN: Final = timedelta(minutes=3)


class NotForYou(UserError):
    """This person may not look on at this table."""


def check(snapshot: TableSnapshot, player_id: int | None, *, code: str = "", users: Iterable[int] = ()) -> None:
    """NotForYou, with a sentence, for who may not look at a table: by page, frame, socket or talk.

    ``code`` is of the link that brought him; ``users`` are those who have used his browser.
    """
    if snapshot.place_of(player_id) is not None:
        return
    if not snapshot.admits(player_id, code):
        if snapshot.private and code != snapshot.code:
            raise NotForYou(_("This table is private. Ask somebody who plays there for its link."))
        raise NotForYou(_("This table is not open to watchers."))
    playing = {seat.player_id for seat in snapshot.seats if seat.player_id and seat.person}
    own = playing.intersection(users) if snapshot.phase in Table.RUNNING else ()
    for banned in own:
        if reason := sanctions.ban_sentence(banned, timezone.now()):
            raise NotForYou(reason)
    if own:
        raise NotForYou(
            _("Somebody plays at this table in this browser, under another name. Nobody watches his own game.")
        )


def users_of(cookie: str) -> tuple[int, ...]:
    """Who has used a browser, by its cookie; nobody if it is forged, old or missing."""
    try:
        found = signing.loads(cookie, salt=_SALT, max_age=COOKIE_AGE) if cookie else ()
    except signing.BadSignature:
        return ()
    return tuple(one for one in found if isinstance(one, int)) if isinstance(found, list) else ()


def with_user(cookie: str, player_id: int) -> str:
    """The cookie that a browser should have, with one more person."""
    others = [one for one in users_of(cookie) if one != player_id]
    return signing.dumps([player_id, *others][:_MOST], salt=_SALT)


def address_of(request: HttpRequest) -> str | None:
    """Where a request comes from: the proxies in front are believed, and nobody else. None if that
    cannot be told."""
    try:
        return str(get_adapter().get_client_ip(request))
    except (PermissionDenied, ImproperlyConfigured):
        return None


def note_address(snapshot: TableSnapshot, player_id: int | None, address: str | None) -> None:
    """Somebody looks at a ranked table from an address: who else is there from the same one is noted
    for staff. Idempotent; does nothing anywhere else."""
    if not snapshot.ranked or not address or snapshot.phase not in (Table.Phase.OPEN, *Table.RUNNING):
        return
    place = _place(snapshot.id, address)
    who = player_id or 0
    here: tuple[int, ...] = cache.get(place, ())
    if who not in here:
        here = (*here, who)
        cache.set(place, here, ADDRESS_AGE)
    if player_id is not None:
        cache.set(_last(snapshot.id, player_id), place, ADDRESS_AGE)
    if snapshot.phase in Table.RUNNING and snapshot.game_id is not None:
        _record(snapshot.game_id, {seat.player_id for seat in snapshot.seats if seat.person}, here)


def note_of_games(now: datetime) -> None:
    """For the sweep: compare those who came to a ranked table before its game began."""
    begun = Game.objects.filter(status=Game.Status.PLAYING, ranked=True, started_at__gt=now - JUST_BEGUN)
    for game_id, table_id in begun.filter(table__isnull=False).values_list("pk", "table_id"):
        seated = set(
            Participation.objects.filter(game_id=game_id, player__bot_level="").values_list("player_id", flat=True)
        )
        places = set(cache.get_many([_last(table_id, player_id) for player_id in seated if player_id]).values())
        for here in cache.get_many(places).values():
            _record(game_id, seated, here)


def _record(game_id: int, seated: Container[int | None], here: Iterable[int]) -> None:
    """Note every pair at one address of which at least one plays; an address is remembered longer than
    some accounts last. One query if all are known."""
    players = sorted(one for one in here if one in seated)
    strangers = [one or None for one in here if one not in seated]
    pairs = {(one, other) for one in players for other in (*(more for more in players if more > one), *strangers)}
    if not pairs:
        return
    pairs -= set(SameAddress.objects.filter(game=game_id).values_list("player", "other"))
    wanted = {who for pair in pairs for who in pair if who is not None}
    there = {None, *Player.objects.filter(pk__in=wanted).values_list("pk", flat=True)} if pairs else {None}
    SameAddress.objects.bulk_create(
        [
            SameAddress(game_id=game_id, player_id=one, other_id=other, watching=other not in seated)
            for one, other in sorted(pairs, key=str)
            if one in there and other in there
        ],
        ignore_conflicts=True,
    )


def _place(table_id: int, address: str) -> str:
    """An address at one table, as it is kept: nobody can tell it from there, nor find it at another."""
    secret = settings.SECRET_KEY.encode()
    return "at:" + hmac.new(secret, f"{table_id} {address}".encode(), hashlib.sha256).hexdigest()[:40]


def _last(table_id: int, player_id: int) -> str:
    return f"at:{table_id}:{player_id}"
