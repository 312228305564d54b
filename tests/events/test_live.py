"""The sockets of events: who is sent what, how often it is rendered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from games.live import hints
from tests.hubs import runner
from tournaments.live import frames
from tournaments.live import hub as hub_module
from tournaments.live.hub import EVENTS, hub
from tournaments.models import Event, EventLink
from tournaments.routing import websocket_urlpatterns
from tournaments.selectors.rights import LINKS

pytestmark = pytest.mark.django_db(transaction=True)

application = URLRouter(websocket_urlpatterns)
in_database = database_sync_to_async
run = runner(hub)

PATIENCE = 60
"""Seconds that an answer may take on a busy machine."""


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A page for everybody and one for the desk; the versions at which the first was rendered."""
    versions: list[int] = []

    def noted(event_id: int) -> str:
        versions.append(Event.objects.get(pk=event_id).version)
        return f'<p id="state">version {versions[-1]}</p>'

    monkeypatch.setitem(frames._pages, "state", noted)
    monkeypatch.setitem(frames._pages, "desk_state", lambda event_id: "<p>for directors</p>")
    monkeypatch.setattr(hub_module, "PAUSE", 0.01)
    return versions


def session_of(client: Client, *links: int) -> Any:
    session = client.session
    session[LINKS] = list(links)
    session.save()
    return import_module(settings.SESSION_ENGINE).SessionStore(session.session_key)


def socket(event: Event, page: str, session: Any = None, version: int | None = None) -> WebsocketCommunicator:
    shown = event.version if version is None else version
    made = WebsocketCommunicator(application, f"/ws/events/{event.pk}/?page={page}&version={shown}")
    if session is not None:
        made.scope["session"] = session
    return made


@asynccontextmanager
async def opened(*sockets: WebsocketCommunicator) -> AsyncIterator[None]:
    for each in sockets:
        assert (await each.connect(timeout=PATIENCE))[0]
    try:
        yield
    finally:
        for each in sockets:
            await each.disconnect()


async def refused(made: WebsocketCommunicator) -> bool:
    """It is opened, for the page would try again for ever if not, told why, and closed for good."""
    assert (await made.connect(timeout=PATIENCE))[0]
    return await turned_away(made)


async def turned_away(made: WebsocketCommunicator) -> bool:
    assert "You may have to log in." in await made.receive_from(timeout=PATIENCE)
    closed = await made.receive_output(timeout=PATIENCE)
    return closed == {"type": "websocket.close", "code": 4404}


async def move(event: Event, by: int = 1) -> int:
    """The event moves on, as another process would do it."""
    version = event.version + by
    await in_database(Event.objects.filter(pk=event.pk).update)(version=version)
    return version


def test_a_change_is_rendered_once_for_all_who_look_at_a_page(event: Event, rendered: list[int]) -> None:
    async def scenario() -> None:
        watchers = [socket(event, "state") for _watcher in range(40)]
        async with opened(*watchers):
            version = await move(event)
            hub.publish(event.pk, version)
            for watcher in watchers:
                assert await watcher.receive_from(timeout=PATIENCE) == f'<p id="state">version {version}</p>'
        assert rendered == [version]

    run(scenario)


def test_a_page_that_is_behind_when_its_socket_opens_is_brought_up_to_date(event: Event, rendered: list[int]) -> None:
    async def scenario() -> None:
        version = await move(event, by=3)
        late = socket(event, "state", version=1)
        async with opened(late):
            assert f"version {version}" in await late.receive_from(timeout=PATIENCE)

    run(scenario)


def test_the_hint_of_another_process_is_heard(event: Event, rendered: list[int]) -> None:
    async def scenario() -> None:
        watcher = socket(event, "state")
        async with opened(watcher):
            await asyncio.wait_for(hub.listening(), PATIENCE)
            version = await move(event)
            await hints.send(EVENTS, {event.pk: version}, "another process")
            assert f"version {version}" in await watcher.receive_from(timeout=PATIENCE)

    run(scenario)


def test_a_lost_hint_is_made_good(event: Event, rendered: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "CATCH_UP", 0.05)

    async def scenario() -> None:
        watcher = socket(event, "state")
        async with opened(watcher):
            version = await move(event)
            assert f"version {version}" in await watcher.receive_from(timeout=PATIENCE)

    run(scenario)


def test_the_desk_is_for_directors_and_deputies(event: Event, cast: Any, rendered: list[int]) -> None:
    director, north = Client(), Client()
    director.force_login(cast.director)
    north.force_login(cast.north)
    link = EventLink.objects.create(event=event, part=EventLink.Part.DEPUTY, token_hash="x")
    sessions = [session_of(director), session_of(north), session_of(Client()), session_of(Client(), link.pk)]

    async def scenario() -> None:
        of_director, of_north, of_nobody, of_deputy = (socket(event, "desk_state", session) for session in sessions)
        async with opened(of_director, of_deputy):
            hub.publish(event.pk, await move(event))
            assert "for directors" in await of_director.receive_from(timeout=PATIENCE)
            assert "for directors" in await of_deputy.receive_from(timeout=PATIENCE)
        assert await refused(of_north)
        assert await refused(of_nobody)

    run(scenario)


def test_a_revoked_link_is_sent_nothing_more(
    event: Event, rendered: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.consumers.TRUSTED", 0.0)
    kept, gone = (EventLink.objects.create(event=event, part="deputy", token_hash=name) for name in ("a", "b"))
    of_kept, of_gone = (session_of(Client(), link.pk) for link in (kept, gone))

    async def scenario() -> None:
        deputy, former = socket(event, "desk_state", of_kept), socket(event, "desk_state", of_gone)
        async with opened(deputy, former):
            await in_database(EventLink.objects.filter(pk=gone.pk).delete)()
            hub.publish(event.pk, await move(event))
            await deputy.receive_from(timeout=PATIENCE)
            assert await turned_away(former)
            hub.publish(event.pk, await move(event))
            assert await former.receive_nothing(timeout=0.05)

    run(scenario)


@pytest.mark.parametrize("page", ["", "nothing", "../desk"])
def test_a_page_that_does_not_exist_has_no_socket(event: Event, rendered: list[int], page: str) -> None:
    async def scenario() -> None:
        assert await refused(socket(event, page))

    run(scenario)


def test_an_event_that_is_not_announced_or_is_gone_has_none(event: Event, rendered: list[int]) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)

    async def scenario() -> None:
        assert await refused(socket(event, "state"))
        event.pk += 1000
        assert await refused(socket(event, "state"))

    run(scenario)


def test_whatever_a_browser_sends_changes_nothing(event: Event, rendered: list[int]) -> None:
    async def scenario() -> None:
        watcher = socket(event, "state")
        async with opened(watcher):
            for text in (" ", "{", '{"body": {"action": "withdraw"}}', "x" * 100_000):
                await watcher.send_to(text_data=text)
            version = await move(event)
            hub.publish(event.pk, version)
            assert f"version {version}" in await watcher.receive_from(timeout=PATIENCE)

    run(scenario)
