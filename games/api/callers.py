"""Who asks: somebody by his token, or nobody in particular, known by his address. Sessions count for
nothing here, so that no page of another site can act for who visits it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from games.api import limits
from games.api.problems import Refusal, too_often
from games.selectors.programs import owner_of
from games.services import watching
from games.services.programs import note_use

LONGEST_TOKEN = 200


@dataclass(frozen=True, slots=True)
class Caller:
    """``player_id`` is None without a token. ``key`` tells callers apart for the limits."""

    player_id: int | None
    key: Hashable
    name: str = ""
    token: str = ""


def identify(request: HttpRequest, *, needs_token: bool = False) -> Caller:
    """Who asks, with this request counted. Two queries with a token at most. Refusal for a bad token, for
    none where one is needed, and for too many requests."""
    header = request.headers.get("Authorization", "")
    if header:
        scheme, _space, token = header.partition(" ")
        token = token.strip()
        now = timezone.now()
        known = scheme.lower() == "bearer" and 0 < len(token) <= LONGEST_TOKEN
        owner = owner_of(token, now) if known else None
        if owner is not None:
            _count(limits.BY_PERSON, owner.player_id)
            note_use(owner, now)
            return Caller(owner.player_id, owner.player_id, owner.name, token)
    address = _network_of(watching.address_of(request) or "")
    _count(limits.BY_ADDRESS, address)
    if header:
        message = _("This token is not valid: revoked, mistyped, or its owner may not play. Make one on your account.")
        raise Refusal(401, "bad_token", message, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
    if needs_token:
        message = _("This needs a personal token, sent as “Authorization: Bearer …”. Make one on your account.")
        raise Refusal(401, "token_needed", message, headers={"WWW-Authenticate": "Bearer"})
    return Caller(None, address)


def _network_of(address: str) -> str:
    """By what an address is counted: one of IPv6 by its network, all of which is a single caller's."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return address
    return str(known.ipv4_mapped or IPv6Network((int(known), 64), strict=False))


def _count(rate: limits.Rate, key: Hashable) -> None:
    if wait := rate.wait(key):
        raise too_often(wait)


class Token(HttpBearer):
    """A personal token; where it is not ``needed`` it is welcome, and must be a good one."""

    def __init__(self, *, needed: bool) -> None:
        super().__init__()
        self.needed = needed

    def __call__(self, request: HttpRequest) -> Caller:
        return identify(request, needs_token=self.needed)

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        raise NotImplementedError


WELCOME, NEEDED = Token(needed=False), Token(needed=True)
