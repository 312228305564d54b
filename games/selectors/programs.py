"""Whose token it is that a program shows, and which tokens somebody has made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db.models import Exists, OuterRef

from games.models import Sanction, Token
from games.selectors.sanctions import in_force

NOTED = 60
"""A use of a token is written down at most once in so many seconds."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom a token speaks for."""

    token_id: int
    player_id: int
    name: str
    used_at: datetime | None


def digest_of(token: str) -> str:
    """What is stored of a token. It has 256 random bits, so that one round of SHA-256 is enough."""
    return sha256(token.encode(errors="replace")).hexdigest()


def owner_of(token: str, now: datetime) -> Owner | None:
    """Whom a token speaks for now: None for a token that is unknown or revoked, and while its owner is
    banned, deactivated or a guest. One query."""
    banned = in_force(now).filter(player=OuterRef("player"), kind=Sanction.Kind.BAN)
    row = (
        Token.objects.filter(~Exists(banned), digest=digest_of(token), player__is_active=True, player__guest=False)
        .values_list("pk", "player_id", "player__name", "used_at")
        .first()
    )
    return Owner(*row) if row else None


def read_tokens(player_id: int) -> list[Token]:
    """Somebody's tokens, the newest first. One query."""
    return list(Token.objects.filter(player_id=player_id).order_by("-made_at", "-pk"))
