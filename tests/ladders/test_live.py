"""The sockets of ladders: who looks at one is told whenever it has moved on; the pages read themselves anew."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client

from tests.events.test_live import PATIENCE, application, in_database, opened, refused, session_of
from tests.hubs import runner
from tournaments.live import hub as hub_module
from tournaments.live.hub import ladder_hub
from tournaments.models import Club, Ladder
from tournaments.services import ladders

pytestmark = pytest.mark.django_db(transaction=True)

run = runner(ladder_hub)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "PAUSE", 0.01)


def socket(ladder: Ladder, session: Any = None, page: str = "ladder") -> WebsocketCommunicator:
    version = Ladder.objects.values_list("version", flat=True).get(pk=ladder.pk)
    made = WebsocketCommunicator(application, f"/ws/ladders/{ladder.pk}/?page={page}&version={version}")
    if session is not None:
        made.scope["session"] = session
    return made


def test_whatever_is_done_on_a_ladder_is_told_once_and_nothing_done_is_not(
    ladder: Ladder, pairs: SimpleNamespace, cast: SimpleNamespace
) -> None:
    watcher = socket(ladder)
    asked = {"ladder_id": ladder.pk, "by": cast.member.pk, "to": cast.friend.pk}
    answered = {"ladder_id": ladder.pk, "by": cast.friend.pk, "asked_by": cast.member.pk, "to": cast.friend.pk}
    done = [
        lambda: ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk),
        lambda: ladders.ask_partner(**asked),
        lambda: ladders.drop_ask(**answered),
        lambda: ladders.enter_pairs(ladder_id=ladder.pk, by=cast.director.pk, text="Ann & Bob\nCid & Dan"),
    ]

    async def scenario() -> None:
        async with opened(watcher):
            for act in done:
                await in_database(act)()
                assert 'hx-select="#ladder"' in await watcher.receive_from(timeout=PATIENCE)
            await in_database(ladders.drop_ask)(**answered)
            assert await watcher.receive_nothing(timeout=0.1)

    run(scenario)


def test_a_ladder_of_a_private_club_is_told_to_its_members_alone(
    ladder: Ladder, pairs: SimpleNamespace, club: Club, cast: SimpleNamespace
) -> None:
    Club.objects.filter(pk=club.pk).update(public=False)
    member, stranger = Client(), Client()
    member.force_login(cast.member)
    stranger.force_login(cast.stranger)
    of_member, of_stranger = socket(ladder, session_of(member)), socket(ladder, session_of(stranger))
    of_nobody, of_no_page = socket(ladder), socket(ladder, session_of(member), page="desk")

    async def scenario() -> None:
        async with opened(of_member):
            await in_database(ladders.challenge)(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
            assert "moved" in await of_member.receive_from(timeout=PATIENCE)
            for made in (of_stranger, of_nobody, of_no_page):
                assert await refused(made)

    run(scenario)


def test_pages_of_a_ladder_open_its_socket(ladder: Ladder, match: int, as_: Callable[[str], Client]) -> None:
    here = ladder.get_absolute_url()
    version = Ladder.objects.get(pk=ladder.pk).version
    for address in (here, f"{here}history/", f"{here}matches/{match}/"):
        page = as_("visitor").get(address).content.decode()
        assert f'hx-ws:connect="/ws/ladders/{ladder.pk}/?page=ladder&amp;version={version}"' in page
        assert 'id="ladder"' in page and 'id="moved"' in page
