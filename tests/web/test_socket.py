"""The table's socket: what it accepts, what it answers, whom it shows what."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from games import consumers
from games.live.hub import hub
from games.models import Player, Seat, Table
from games.routing import nothing_here, websocket_urlpatterns
from games.selectors import tables
from games.services import play
from tests.hubs import runner
from tests.services.conftest import bots_about, cast, on_turn, table  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)

application = URLRouter([*websocket_urlpatterns, nothing_here])
in_database = database_sync_to_async
run = runner(hub)

PATIENCE = 60
"""Seconds that an answer may take on a busy machine."""

WATCHED = 'id="watched"'
"""In what tells how many look on."""


class Browser:
    """A socket as a browser holds it."""

    def __init__(self, table_id: int, player: Player | None) -> None:
        self.socket = WebsocketCommunicator(application, f"/ws/tables/{table_id}/")
        self.socket.scope["user"] = player or AnonymousUser()
        self.frame = ""

    async def open(self) -> Browser:
        connected, _ = await self.socket.connect(timeout=PATIENCE)
        assert connected
        await self.receive()
        return self

    async def receive(self) -> str:
        text = WATCHED
        while WATCHED in text:  # how many look on is told when it has changed
            text = await self.socket.receive_from(timeout=PATIENCE)
        if "data-revision" in text:
            self.frame = text
        return text

    async def post(self, action: Any, **body: Any) -> None:
        body = {"action": action, "version": self.version, **body}
        await self.socket.send_to(text_data=json.dumps({"headers": {"HX-Request": "true"}, "body": body}))

    @property
    def version(self) -> str:
        return re.search(r'data-version="(\d+)"', self.frame)[1]

    @property
    def revision(self) -> int:
        return int(re.search(r'data-revision="(\d+)"', self.frame)[1])

    def cards(self) -> set[str]:
        return set(re.findall(r'data-card="([9TJQKA][CDHS])"', self.frame))


@asynccontextmanager
async def browsers(table_id: int, *players: Player | None) -> AsyncIterator[list[Browser]]:
    opened = [await Browser(table_id, player).open() for player in players]
    try:
        yield opened
    finally:
        for browser in opened:
            await browser.socket.disconnect()


def players_of(cast: SimpleNamespace) -> list[Player]:  # noqa: F811
    return [cast.north, cast.east, cast.south, cast.west]


def test_a_move_reaches_the_four_seats_and_a_watcher_at_once(table, cast):  # noqa: F811
    async def scenario() -> None:
        turn = await in_database(on_turn)(table)
        async with browsers(table, *players_of(cast), cast.stranger, None) as everybody:
            mover = next(browser for browser in everybody if browser.socket.scope["user"] == turn)
            await mover.post("pass")
            for browser in everybody:
                await browser.receive()
            assert len({browser.revision for browser in everybody}) == 1

    run(scenario)


def test_each_seat_is_shown_its_own_five_cards_and_the_up_card_and_nothing_else(table, cast):  # noqa: F811
    async def scenario() -> None:
        deal = (await in_database(tables.load_table)(table)).deal
        async with browsers(table, *players_of(cast), None) as (*seats, watcher):
            for place, browser in enumerate(seats):
                assert browser.cards() == {*deal.hands[place], deal.up_card}
            assert watcher.cards() == {deal.up_card}

    run(scenario)


def test_a_move_that_cannot_be_made_is_answered_to_the_mover_alone_and_the_socket_stays(table, cast):  # noqa: F811
    async def scenario() -> None:
        before = await in_database(tables.read_row)(table)
        async with browsers(table, *players_of(cast)) as everybody:
            turn = await in_database(on_turn)(table)
            other = next(browser for browser in everybody if browser.socket.scope["user"] != turn)
            await other.post("pass")
            answer = await other.receive()
            assert 'role="alert"' in answer
            assert await in_database(tables.read_row)(table) == before
            for browser in everybody:
                assert await browser.socket.receive_nothing(timeout=0.05)
            mover = next(browser for browser in everybody if browser.socket.scope["user"] == turn)
            await mover.post("pass")
            await other.receive()
            assert other.revision > before.revision

    run(scenario)


@pytest.mark.parametrize(
    "text",
    [
        " ", "null", "[]", "{}", "not json", '{"body": 3}', '{"body": {"action": []}}', '{"body": {"version": {}}}',
        '{"body": {"action": "play:JD", "version": "99999999999999999999"}}', '{"body": {"action": "sit:9"}}',
        '{"body": {"action": "sit:-1"}}', '{"body": {"action": "\\u0000"}}',
        '{"headers": 1, "body": {"action": "pass"}}',
        "[" * 4000, '{"body": {"action": "' + "x" * 9000 + '"}}', '{"body": {"action": "take_back"}}',
    ],
)  # fmt: skip
def test_whatever_a_browser_sends_it_gets_a_sentence_and_keeps_its_socket(table, cast, text):  # noqa: F811
    async def scenario() -> None:
        before = await in_database(tables.read_row)(table)
        async with browsers(table, cast.stranger) as (stranger,):
            await stranger.socket.send_to(text_data=text)
            assert 'role="alert"' in await stranger.receive()
            await stranger.socket.send_to(bytes_data=b"\x00\xff")
            assert 'role="alert"' in await stranger.receive()
            assert await in_database(tables.read_row)(table) == before

    run(scenario)


def test_a_stale_move_is_refused_and_answered_with_the_table_as_it_stands(table, cast):  # noqa: F811
    async def scenario() -> None:
        turn = await in_database(on_turn)(table)
        async with browsers(table, turn, turn) as (first, second):
            await first.post("pass")
            await first.receive()
            await second.receive()
            await second.post("pass", version=int(second.version) - 1)
            answers = [await second.receive(), await second.receive()]
            assert any('role="alert"' in answer for answer in answers)
            assert any("data-revision" in answer for answer in answers)

    run(scenario)


def test_two_tabs_that_click_at_once_move_once(table, cast):  # noqa: F811
    async def scenario() -> None:
        turn = await in_database(on_turn)(table)
        async with browsers(table, turn, turn) as tabs:
            await asyncio.gather(*(tab.post("pass") for tab in tabs))
            for tab in tabs:
                while "data-revision" not in await tab.receive():
                    pass
        assert (await in_database(tables.read_row)(table)).actions == "pass"

    run(scenario)


def test_a_burst_of_messages_is_answered_and_then_slowed_down(table, cast):  # noqa: F811
    async def scenario() -> None:
        async with browsers(table, cast.stranger) as (stranger,):
            for _ in range(30):
                await stranger.post("pass")
            answers = [await stranger.receive() for _ in range(30)]
            assert "too much" in answers[-1]
            assert "too much" not in answers[0]

    run(scenario)


def test_what_the_socket_itself_says_is_said_in_the_language_of_its_viewer(
    table,  # noqa: F811
    cast,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    async def scenario() -> None:
        stranger = Browser(table, cast.stranger)
        stranger.socket.scope["cookies"] = {"django_language": "sl"}
        await stranger.open()
        await stranger.post("pass")
        assert said("Something broke on our side. Your game is safe; try again.") in await stranger.receive()
        await stranger.receive()
        monkeypatch.setattr(consumers.TableConsumer, "_allowed", lambda _self: False)
        await stranger.post("pass")
        assert said("That was too much at once. Wait a moment, then go on.") in await stranger.receive()
        await stranger.socket.disconnect()

    def said(sentence: str) -> str:
        with translation.override("sl"):
            assert gettext(sentence) != sentence
            return gettext(sentence)

    def broken(**_sent: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(play, "submit_action", broken)
    run(scenario)


def test_who_sits_down_over_the_socket_is_shown_his_own_cards_from_then_on(cast, bots_about, settings):  # noqa: F811
    async def scenario() -> None:
        from games.services import seating

        settings.EUCHRE_BOT_DELAY = 60
        table_id = await in_database(seating.open_table)(host=cast.north, ranked=False, pace=45, rules="article")
        async with browsers(table_id, cast.north, cast.south) as (north, south):
            await south.post("sit:2")
            await south.receive()
            await north.receive()
            await north.post("bots")
            await north.receive()
            await south.receive()
            deal = (await in_database(tables.load_table)(table_id)).deal
            assert set(deal.hands[2]) <= south.cards()
            assert set(deal.hands[0]) <= north.cards()
            assert not set(deal.hands[0]) & (south.cards() - {deal.up_card})

    run(scenario)


def test_another_process_that_moves_only_sends_a_hint_and_the_table_is_shown_here(table, cast):  # noqa: F811
    """A worker's move: its hint carries the table's number and revision, never a card."""

    async def scenario() -> None:
        from games.live import hints

        async with browsers(table, cast.north) as (north,):
            await asyncio.wait_for(hub.listening(), PATIENCE)
            revision = north.revision
            await in_database(Table.objects.filter(pk=table).update)(revision=revision + 1)
            await hints.send(hints.TABLES, {table: revision + 1}, "another process")
            await north.receive()
            assert north.revision == revision + 1

    run(scenario)


def test_a_lost_hint_is_made_good_by_the_comparison_of_revisions(table, cast, monkeypatch):  # noqa: F811
    async def scenario() -> None:
        from games.live import hub as hub_module

        monkeypatch.setattr(hub_module, "CATCH_UP", 0.05)
        async with browsers(table, cast.north) as (north,):
            revision = north.revision
            await in_database(Table.objects.filter(pk=table).update)(revision=revision + 1)
            await north.receive()
            assert north.revision == revision + 1

    run(scenario)


def test_a_seat_counts_as_lost_when_its_last_socket_closes_and_as_back_when_one_opens(table, cast, monkeypatch):  # noqa: F811
    async def scenario() -> None:
        from games.live import hub as hub_module

        monkeypatch.setattr(hub_module, "FAREWELL", 0.0)
        seat = Seat.objects.filter(table_id=table, player=cast.north)
        async with browsers(table, cast.south) as (south,):
            async with browsers(table, cast.north, cast.north):
                pass
            while not await in_database(seat.filter(lost_at__isnull=False).exists)():
                await south.receive()
            async with browsers(table, cast.north):
                assert not await in_database(seat.filter(lost_at__isnull=False).exists)()

    run(scenario)


def test_all_who_come_back_at_the_same_moment_are_shown_the_table(table, cast):  # noqa: F811
    async def scenario() -> None:
        deal = (await in_database(tables.load_table)(table)).deal
        everybody = [Browser(table, player) for player in [*players_of(cast), cast.stranger, None]]
        await asyncio.gather(*(browser.open() for browser in everybody))
        for place, browser in enumerate(everybody):
            assert browser.cards() == {*(deal.hands[place] if place < 4 else ()), deal.up_card}
            await browser.socket.disconnect()

    run(scenario)


@pytest.mark.parametrize("table_id", [987654, 10**18 - 1])
def test_an_address_without_a_table_says_so_and_closes(cast, table_id):  # noqa: F811
    async def scenario() -> None:
        browser = Browser(table_id, cast.north)
        connected, _ = await browser.socket.connect(timeout=PATIENCE)
        assert connected
        assert 'role="alert"' in await browser.receive()
        assert table_id not in hub.rooms
        assert await browser.socket.receive_output(PATIENCE) == {"type": "websocket.close", "code": 4404}

    run(scenario)


def test_who_looked_on_while_a_table_waited_that_nobody_watches_is_told_once_and_closed(table, cast):  # noqa: F811
    async def scenario() -> None:
        async with browsers(table, cast.north, cast.stranger) as (north, stranger):
            await in_database(Table.objects.filter(pk=table).update)(watchable=False)
            turn = await in_database(on_turn)(table)
            await in_database(play.submit_action)(
                table_id=table, player_id=turn.pk, action="pass", version=int(north.version)
            )
            assert "nobody watches this table" in await stranger.receive()
            assert await stranger.socket.receive_output(PATIENCE) == {"type": "websocket.close", "code": 4003}
            assert "data-revision" in await north.receive()

    run(scenario)


def test_a_socket_at_an_unknown_address_is_refused(db):
    async def scenario() -> None:
        for path in ("/ws/tables/", "/ws/tables/x/", f"/ws/tables/{2**63}/", "/ws/tables/\u0663/", "/ws/", "/"):
            connected, code = await WebsocketCommunicator(application, path).connect(timeout=PATIENCE)
            assert (connected, code) == (False, 4404)

    run(scenario)


def test_a_socket_that_breaks_while_it_is_written_to_keeps_no_frame_from_the_others(table, cast):  # noqa: F811
    async def scenario() -> None:
        turn = await in_database(on_turn)(table)
        async with browsers(table, *players_of(cast)) as everybody:

            async def broken(message: object) -> None:
                raise ConnectionError("closed protocol")

            first = next(iter(hub.rooms[table].sockets.values()))[0]
            first.base_send = broken
            mover = next(browser for browser in everybody if browser.socket.scope["user"] == turn)
            await mover.post("pass")
            rest = [browser for browser in everybody if browser.socket.scope["user"].pk != first.viewer.player_id]
            for browser in rest:
                await browser.receive()
            assert len({browser.revision for browser in rest}) == 1

    run(scenario)


@pytest.fixture
def logged_in(table, cast, monkeypatch) -> tuple[Client, Browser]:  # noqa: F811
    """North's browser, and a socket of it that is not open yet and looks at each message whether he is logged in."""
    monkeypatch.setattr(consumers, "TRUSTED", 0)
    client = Client()
    client.force_login(cast.north)
    browser = Browser(table, cast.north)
    browser.socket.scope["session"] = client.session
    return client, browser


@pytest.mark.parametrize("end", ["logout", "password", "deactivated"])
def test_a_socket_does_not_outlive_its_session(logged_in, cast, end):  # noqa: F811
    client, browser = logged_in

    async def scenario() -> None:
        await browser.open()
        await browser.post("ask_alone:on")
        await browser.receive()
        await in_database(finish)()
        await browser.post("ask_alone:off")
        assert "logged out" in await browser.receive()
        assert (await browser.socket.receive_output(PATIENCE))["type"] == "websocket.close"
        await browser.socket.disconnect()

    def finish() -> None:
        assert Seat.objects.get(player=cast.north).ask_alone
        if end == "logout":
            client.logout()
        elif end == "password":
            cast.north.set_password("another good password")
            cast.north.save()
        else:
            Player.objects.filter(pk=cast.north.pk).update(is_active=False)

    run(scenario)
    assert Seat.objects.get(player=cast.north).ask_alone, "the second message changed nothing"


def test_a_password_changed_while_the_socket_opens_is_noticed(logged_in, cast):  # noqa: F811
    _client, browser = logged_in

    async def scenario() -> None:
        await in_database(change)()
        await browser.open()
        await browser.post("ask_alone:on")
        assert "logged out" in await browser.receive()
        await browser.socket.disconnect()

    def change() -> None:
        other = Player.objects.get(pk=cast.north.pk)
        other.set_password("another good password")
        other.save()

    run(scenario)
    assert not Seat.objects.get(player=cast.north).ask_alone
