"""Whom a name means: an account, a member of the club, somebody without either."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import UserError
from tournaments.models import Entrant, Event, Member, PartnerRequest
from tournaments.services import field
from tournaments.services.desk import Desk
from tournaments.services.pasted import check_name, key_of

Accounts = Mapping[str, Player]
"""People with accounts by the key of their name."""


def accounts_called(names: Iterable[str]) -> dict[str, Player]:
    """Who on this site is called so. One query."""
    keys = {key_of(name) for name in names if name}
    found = Player.objects.filter(name_key__in=keys, is_active=True, bot_level="") if keys else ()
    return {player.name_key: player for player in found}


def meant(event: Event | None, names: Iterable[str]) -> dict[str, Player]:
    """Whom names in a list mean: online anybody on this site, in a hall members of the club. One query."""
    keys = {key_of(name) for name in names if name}
    if event is None or not keys:
        return {}
    found = Player.objects.filter(name_key__in=keys, is_active=True, bot_level="")
    if event.kind == Event.Kind.HALL:
        found = found.filter(memberships__club=event.club_id)
    return {player.name_key: player for player in found}


def account(accounts: Accounts, name: str) -> int | None:
    player = accounts.get(key_of(name))
    return player.pk if player is not None else None


def accounts_in(event: Event) -> set[int]:
    """The accounts of everybody who is in the event. One query."""
    there = Member.objects.filter(event=event, gone=False, player__isnull=False)
    return set(there.values_list("player", flat=True))


def keys_in(event: Event, but: Member | None = None) -> set[str]:
    """The keys of the names of everybody who is, or was, in the event. One query."""
    there = Member.objects.filter(event=event, gone=False)
    if but is not None:
        there = there.exclude(pk=but.pk)
    return {key_of(name) for name in there.values_list("name", flat=True)}


def person(desk: Desk, name: str, accounts: Accounts, but: Member | None = None) -> field.Person:
    """Somebody new in the event, called ``name``. UserError for a name that cannot be, or that
    somebody in the event has (``but`` him who is replaced)."""
    if reason := check_name(name):
        raise UserError(reason)
    if key_of(name) in keys_in(desk.event, but):
        raise UserError(_("%(name)s is in the event already. Add something to tell them apart.") % {"name": name})
    found = accounts.get(key_of(name))
    if found is None:
        return None, name
    there = Member.objects.filter(event=desk.event, player=found, gone=False)
    if (there.exclude(pk=but.pk) if but is not None else there).exists():
        raise UserError(_("%(name)s is in the event already.") % {"name": found.name})
    return found.pk, found.name


def drop_requests(desk: Desk, entrant: Entrant) -> None:
    """Nobody waits any more for an answer of its members, nor they for one."""
    players = entrant.members.filter(gone=False, player__isnull=False).values("player")
    requests = PartnerRequest.objects.filter(event=desk.event)
    for request in [*requests.filter(by=entrant), *requests.filter(to__in=players).exclude(by=entrant)]:
        desk.delete(request)
