"""A club with a ladder, pairs called after the seats, and a clock that tests move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.utils import timezone

from games.models import Player
from tests.clubs.conftest import as_  # noqa: F401  the browsers of that cast are those of this one
from tournaments.models import Club, Ladder, LadderPair, Membership, Role
from tournaments.selectors import ladders as selectors
from tournaments.services import ladders
from tournaments.services.ladders import Settings

MEMBERS = ("owner", "director", "north", "south", "east", "west", "member", "friend")
WHO = (*MEMBERS, "stranger", "banned", "staff")


class Clock:
    """What time ladders think it is."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def pass_days(self, days: float) -> None:
        self.ahead += timedelta(days=days)

    def now(self) -> datetime:
        return datetime.now(tz=timezone.get_default_timezone()) + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(selectors, "clock", made.now)
    return made


@pytest.fixture
def cast(db) -> SimpleNamespace:
    cache.clear()
    return SimpleNamespace(
        **{
            who: Player.objects.create_user(
                who.title().replace("Staff", "Umpire"), None, email=f"{who}@mail.example", is_staff=who == "staff"
            )
            for who in WHO
        }
    )


@pytest.fixture
def club(cast) -> Club:
    made = Club.objects.create(name="Lakeside", name_key="lakeslde", slug="lakeside")
    roles = {"owner": Role.OWNER, "director": Role.DIRECTOR}
    Membership.objects.bulk_create(
        Membership(club=made, player=getattr(cast, who), role=roles.get(who, Role.MEMBER)) for who in MEMBERS
    )
    made.bans.create(player=cast.banned, reason="Threw the cards")
    return made


@pytest.fixture
def ladder(club, cast) -> Ladder:
    """Old Tom & Ann (no accounts) on top, then north and south, then east and west."""
    made = ladders.create_ladder(club_id=club.pk, by=cast.owner.pk, terms=Settings("Winter ladder"))
    ladders.enter_pairs(ladder_id=made, by=cast.director.pk, text="Old Tom & Ann\nNorth & South\nEast & West")
    return Ladder.objects.select_related("club").get(pk=made)


@pytest.fixture
def pairs(ladder) -> SimpleNamespace:
    top, upper, lower = LadderPair.objects.filter(ladder=ladder).order_by("number")
    return SimpleNamespace(top=top, upper=upper, lower=lower)


@pytest.fixture
def match(ladder, pairs, cast) -> int:
    """East and west have challenged north and south, who have taken it."""
    made = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    ladders.answer(match_id=made, by=cast.north.pk)
    return made


@pytest.fixture
def order(ladder) -> Callable[[], list[str]]:
    """The names from the top."""

    def names() -> list[str]:
        board = selectors.read_board(Ladder.objects.select_related("club").get(pk=ladder.pk))
        return [str(board.pairs[number]) for number in board.state.order]

    return names
