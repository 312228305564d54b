"""A club, its people, and an event that takes entries."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache

from games.models import Player
from tournaments.models import Club, Event, Membership, Role
from tournaments.selectors.rights import Actor, read_actor

WHO = ("owner", "director", "member", "north", "east", "south", "west", "stranger", "banned", "staff")


@pytest.fixture
def cast(db) -> SimpleNamespace:
    """Four members called after the seats, and who stands around them."""
    cache.clear()
    people = {
        who: Player.objects.create(name=who.title().replace("Staff", "Umpire"), is_staff=who == "staff") for who in WHO
    }
    return SimpleNamespace(**people)


@pytest.fixture
def club(cast) -> Club:
    made = Club.objects.create(name="Lakeside", name_key="lakeslde", slug="lakeside")
    roles = {"owner": Role.OWNER, "director": Role.DIRECTOR}
    Membership.objects.bulk_create(
        Membership(club=made, player=getattr(cast, who), role=roles.get(who, Role.MEMBER))
        for who in ("owner", "director", "member", "north", "east", "south", "west")
    )
    made.bans.create(player=cast.banned, reason="Threw the cards")
    return made


@pytest.fixture
def event(club, cast) -> Event:
    """Swiss for pairs, open for sign-up, no hour set."""
    return Event.objects.create(club=club, title="Thursday", format="swiss", state=Event.State.OPEN)


@pytest.fixture
def as_(cast, event):
    """Somebody of the cast, or a visitor, before the event."""

    def actor(who: str, *links: int) -> Actor:
        user = getattr(cast, who, AnonymousUser())
        return read_actor(Event.objects.get(pk=event.pk), user, links)

    return actor


@pytest.fixture
def bots(db) -> list[Player]:
    return [Player.objects.create(name=name, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel")]
