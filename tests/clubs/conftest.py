"""A club and what people may be to it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from games.models import Player
from tournaments.models import Club, Role
from tournaments.services import clubs, joining

PEOPLE = ("owner", "director", "member", "player", "asking", "banned", "staff")


@pytest.fixture
def cast(db) -> SimpleNamespace:
    """Everybody has an e-mail address, which no page of a club shows."""
    cache.clear()
    names = {"owner": "Ruth", "director": "Dmitri", "member": "Marta", "player": "Paula"}
    names |= {"asking": "Astrid", "banned": "Bjorn", "staff": "Umpire"}
    return SimpleNamespace(
        **{
            who: Player.objects.create_user(name, None, email=f"{name}@mail.example", is_staff=who == "staff")
            for who, name in names.items()
        }
    )


@pytest.fixture
def club(cast) -> Club:
    """A club that lets in on request, with an owner, a director, a member, somebody who asks and
    somebody who is banned."""
    slug = clubs.found_club(founder_id=cast.owner.pk, name="Lakeside", line="Thursdays at the boathouse")
    made = Club.objects.get(slug=slug)
    for who in (cast.director, cast.member):
        joining.join_club(club_id=made.pk, player_id=who.pk)
    clubs.set_role(club_id=made.pk, by=cast.owner.pk, player_id=cast.director.pk, role=Role.DIRECTOR)
    joining.ban_player(club_id=made.pk, by=cast.owner.pk, player_id=cast.banned.pk, reason="Threw the cards")
    clubs.edit_club(
        club_id=made.pk, by=cast.owner.pk, name="Lakeside", line=made.line, about="", joining="request", public=True
    )
    joining.join_club(club_id=made.pk, player_id=cast.asking.pk, message="Please")
    made.refresh_from_db()
    return made


@pytest.fixture
def as_(cast) -> Callable[[str], Client]:
    """A browser of one of the cast, or a visitor's."""

    def browser(who: str) -> Client:
        client = Client()
        if who != "visitor":
            client.force_login(getattr(cast, who))
        return client

    return browser
