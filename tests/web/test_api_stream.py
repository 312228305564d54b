"""A table as a stream: what comes, to whom, how it ends; and over a whole game no program is sent a card
that it may not know."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter

from games import engine
from games.api import limits
from games.api import stream as streaming
from games.api.urls import streams
from games.live import hub as hub_module
from games.live.hub import hub
from games.models import Game, Sanction, Seat, Table, Token
from games.selectors import tables
from games.services import presence, seating
from games.services.programs import act, make_token, revoke_token
from tests.services.conftest import cast, choices, submit, table  # noqa: F401
from tests.web.test_api import friendly  # noqa: F401
from tests.web.test_hidden_cards import cards_in, unknown_to
from tests.web.test_socket import PATIENCE, in_database, players_of, run

pytestmark = pytest.mark.django_db(transaction=True)

application = URLRouter([*streams])


@pytest.fixture(autouse=True)
def nobody_has_asked_yet() -> None:
    for rate in (limits.BY_ADDRESS, limits.BY_PERSON):
        rate.forget()


class Listener:
    """A stream as a client holds it."""

    def __init__(self, table_id: int, token: str = "", **headers: str) -> None:
        given = {"authorization": f"Bearer {token}"} if token else {}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"/api/v1/tables/{table_id}/stream"
        self.scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()], "http_version": "1.1",
            "scheme": "http", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
        }  # fmt: skip
        self.communicator = ApplicationCommunicator(application, self.scope)
        self.status = 0
        self.headers: dict[str, str] = {}
        self.texts: list[str] = []
        self.state: dict[str, Any] = {}

    async def open(self) -> Listener:
        await self.communicator.send_input({"type": "http.request", "body": b""})
        start = await self.communicator.receive_output(PATIENCE)
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        if self.status == 200:
            assert await self.read() == "retry: 2000\n\n"
        return self

    async def read(self) -> str:
        text = (await self.communicator.receive_output(PATIENCE))["body"].decode()
        self.texts.append(text)
        return text

    async def event(self) -> dict[str, Any]:
        """The next state."""
        while not (text := await self.read()).startswith("event: table\n"):
            assert text.startswith(": "), text
        _event, revision, data, *rest = text.split("\n")
        assert rest == ["", ""]
        self.state = json.loads(data.removeprefix("data: "))
        assert revision == f"id: {self.state['revision']}"
        return self.state

    async def refusal(self) -> dict[str, Any]:
        return json.loads(await self.read())

    async def close(self) -> None:
        await self.communicator.send_input({"type": "http.disconnect"})
        await self.communicator.wait(PATIENCE)


@asynccontextmanager
async def listeners(table_id: int, *tokens: str) -> AsyncIterator[list[Listener]]:
    opened = [await Listener(table_id, token).open() for token in tokens]
    try:
        for listener in opened:
            await listener.event()
        yield opened
    finally:
        for listener in opened:
            await listener.close()


@pytest.fixture
def tokens(cast) -> list[str]:  # noqa: F811
    """Of north, east, south, west and the stranger."""
    return [make_token(player_id=player.pk, name="A test") for player in (*players_of(cast), cast.stranger)]


def test_it_begins_with_the_table_as_it_stands_and_goes_on_with_every_move(friendly, cast, tokens):  # noqa: F811
    async def scenario() -> None:
        row = await in_database(tables.read_row)(friendly)
        async with listeners(friendly, *tokens, "") as everybody:
            assert everybody[0].headers["content-type"] == "text/event-stream; charset=utf-8"
            assert everybody[0].headers["cache-control"] == "no-store"
            assert [listener.state["own"] is not None for listener in everybody] == [True] * 4 + [False] * 2
            await in_database(submit)(friendly, players_of(cast)[row.turn], "pass")
            for listener in everybody:
                state = await listener.event()
                assert state["version"] == row.version + 1
                assert state["turn"] == (row.turn + 1) % 4
            assert len({listener.state["revision"] for listener in everybody}) == 1

    run(scenario)


def test_it_says_the_same_as_a_look_at_the_table(friendly, cast, tokens, client):  # noqa: F811
    async def scenario() -> None:
        async with listeners(friendly, tokens[0], "") as both:
            for listener, token in zip(both, (tokens[0], ""), strict=True):
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                answer = await in_database(client.get)(f"/api/v1/tables/{friendly}", headers=headers)
                looked = json.loads(answer.content)
                assert looked | {"seconds_left": 0} == listener.state | {"seconds_left": 0}

    run(scenario)


def test_each_state_is_made_once_for_each_audience(friendly, cast, tokens, monkeypatch):  # noqa: F811
    made: list[int | None] = []
    render = hub_module.data.render

    def noting(snapshot: Any, place: int | None) -> str:
        made.append(place)
        return render(snapshot, place)

    async def scenario() -> None:
        row = await in_database(tables.read_row)(friendly)
        async with listeners(friendly, tokens[0], tokens[0], "", "", tokens[4]) as everybody:
            monkeypatch.setattr(hub_module.data, "render", noting)
            await in_database(submit)(friendly, players_of(cast)[row.turn], "pass")
            for listener in everybody:
                await listener.event()
            assert sorted(map(str, made)) == ["0", "None"]

    run(scenario)


def test_who_comes_back_is_sent_what_is_newer_than_what_he_saw(friendly, cast, tokens):  # noqa: F811
    async def scenario() -> None:
        row = await in_database(tables.read_row)(friendly)
        seen = await Listener(friendly, last_event_id=str(row.revision)).open()
        await in_database(submit)(friendly, players_of(cast)[row.turn], "pass")
        assert (await seen.event())["revision"] == row.revision + 1
        await seen.close()
        for missed in (str(row.revision), str(row.revision + 999), "x", "9" * 40):
            behind = await Listener(friendly, last_event_id=missed).open()
            assert (await behind.event())["revision"] == row.revision + 1
            await behind.close()

    run(scenario)


def test_who_reads_slowly_is_sent_the_newest_only(friendly):  # noqa: F811
    async def scenario() -> None:
        listener = streaming.Stream(friendly, streaming.Caller(None, "x"), None, -1)
        for number in range(1000):
            listener.shown = number
            await listener.send_frame(f"state {number}")
        gone = asyncio.get_running_loop().create_future()
        hub.start(presence)
        listener.shown = 10**6  # nothing of the hub's own
        events = listener._events(gone)
        assert (await anext(events)).startswith("retry")
        assert "state 999" in await anext(events)
        await events.aclose()
        assert friendly not in hub.rooms

    run(scenario)


def test_silence_is_broken_by_comments(friendly, monkeypatch):  # noqa: F811
    monkeypatch.setattr(streaming, "HEARTBEAT", 0.01)

    async def scenario() -> None:
        async with listeners(friendly, "") as (listener,):
            assert (await listener.read()).startswith(": ")
            assert (await listener.read()).startswith(": ")

    run(scenario)


def test_a_seat_is_there_by_its_stream_alone_and_lost_when_that_ends(friendly, cast, tokens, monkeypatch):  # noqa: F811
    monkeypatch.setattr(hub_module, "FAREWELL", 0.0)
    seat = Seat.objects.filter(table_id=friendly, player=cast.north)

    async def scenario() -> None:
        async with listeners(friendly, "") as (watcher,):
            async with listeners(friendly, tokens[0]):
                assert len(hub.rooms[friendly].seats_here()) == 1
            while watcher.state["seats"][0]["connected"]:
                await watcher.event()
            assert await in_database(seat.filter(lost_at__isnull=False).exists)()
            async with listeners(friendly, tokens[0]):
                assert not await in_database(seat.filter(lost_at__isnull=False).exists)()

    run(scenario)


def test_who_sits_down_is_shown_his_own_cards_from_then_on(cast, tokens):  # noqa: F811
    async def scenario() -> None:
        table_id = await in_database(seating.open_table)(host=cast.stranger, ranked=False, pace=45, rules="article")
        async with listeners(table_id, tokens[0]) as (north,):
            assert north.state["own"] is None
            await in_database(act)(table_id=table_id, player_id=cast.north.pk, action="sit:1")
            while north.state["own"] is None or not north.state["seats"][1]["program"]:
                await north.event()
            for index, player in ((2, cast.south), (3, cast.west)):
                await in_database(seating.sit)(table_id=table_id, player_id=player.pk, index=index)
            while north.state["phase"] == "open":
                await north.event()
            deal = (await in_database(tables.load_table)(table_id)).deal
            assert north.state["own"]["hand"] == list(deal.hands[1])

    run(scenario)


def test_at_a_ranked_table_a_program_watches_and_nobody_is_there_by_it(table, cast, tokens):  # noqa: F811
    async def scenario() -> None:
        async with listeners(table, tokens[0]) as (listener,):
            assert listener.state["own"] is None
            assert hub.rooms[table].seats_here() == set()

    run(scenario)


def test_nothing_is_left_of_streams_that_ended(friendly, tokens):  # noqa: F811
    async def scenario() -> None:
        for _round in range(3):
            async with listeners(friendly, *tokens, "", ""):
                assert limits.STREAMS_BY_PERSON.taken.total() == 5
                assert limits.STREAMS_BY_ADDRESS.taken.total() == 2
        assert hub.rooms == {}
        assert not limits.STREAMS_BY_PERSON.taken
        assert not limits.STREAMS_BY_ADDRESS.taken

    run(scenario)


def test_a_line_that_breaks_while_it_is_written_to_leaves_nothing(friendly, cast, tokens):  # noqa: F811
    async def scenario() -> None:
        stream = streaming.Stream(friendly, streaming.Caller(None, "x"), None, -1)
        hub.start(presence)

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.body":
                raise ConnectionResetError

        async def receive() -> None:
            await asyncio.Event().wait()

        await asyncio.wait_for(stream.serve(receive, send), PATIENCE)
        assert hub.rooms == {}

    run(scenario)


def test_a_person_and_an_address_hold_so_many(friendly, tokens, monkeypatch):  # noqa: F811
    monkeypatch.setattr(limits.STREAMS_BY_PERSON, "each", 2)
    monkeypatch.setattr(limits.STREAMS_BY_ADDRESS, "each", 1)

    async def scenario() -> None:
        async with listeners(friendly, tokens[0], tokens[0], tokens[1], ""):
            for token in (tokens[0], ""):
                one_more = await Listener(friendly, token).open()
                assert one_more.status == 429
                assert one_more.headers["retry-after"] == "15"
                assert (await one_more.refusal())["error"] == "too_many_streams"
                await one_more.close()
        async with listeners(friendly, tokens[0]):
            pass

    run(scenario)


@pytest.mark.parametrize("end", ["revoked", "banned", "not watched", "private"])
def test_it_ends_when_one_may_not_look_any_more(friendly, cast, tokens, end):  # noqa: F811
    def finish() -> None:
        if end == "revoked":
            revoke_token(player_id=cast.stranger.pk, token_id=Token.objects.get(player=cast.stranger).pk)
        elif end == "banned":
            Sanction.objects.create(player=cast.stranger, kind=Sanction.Kind.BAN, reason="x")
        else:
            Table.objects.filter(pk=friendly).update(
                **({"watchable": False} if end == "not watched" else {"private": True})
            )
        row = tables.read_row(friendly)
        submit(friendly, players_of(cast)[row.turn], "pass")

    async def scenario() -> None:
        async with listeners(friendly, tokens[4]) as (listener,):
            await in_database(finish)()
            if end in ("revoked", "banned"):
                await listener.event()
                hub.talk.look_again(cast.stranger.pk)
            while not (text := await listener.read()).startswith("event: end\n"):
                assert text.startswith(": ")
            assert json.loads(text.split("\n")[1].removeprefix("data: "))["error"] == "ended"
            assert await listener.read() == ""

    run(scenario)


def test_what_is_no_stream_is_refused_as_everywhere(friendly, cast, tokens):  # noqa: F811
    async def scenario() -> None:
        for table_id, token, method, status, code in (
            (987654, "", "GET", 404, "not_found"), (friendly, "guess", "GET", 401, "bad_token"),
            (friendly, "", "POST", 405, "method_not_allowed"), (friendly, "", "HEAD", 405, "method_not_allowed"),
        ):  # fmt: skip
            listener = Listener(table_id, token)
            listener.scope["method"] = method
            await listener.open()
            assert (listener.status, (await listener.refusal())["error"]) == (status, code)
            await listener.close()
        await in_database(Table.objects.update)(watchable=False)
        listener = await Listener(friendly).open()
        assert (listener.status, (await listener.refusal())["error"]) == (403, "not_watchable")
        await listener.close()
        assert hub.rooms == {}

    run(scenario)


# --- hidden cards ---------------------------------------------------------------------------------


def test_over_whole_games_no_program_is_sent_a_card_that_it_may_not_know(friendly, cast, tokens, client, monkeypatch):  # noqa: F811
    """Every event and every answer, to the four seats, a stranger and nobody in particular."""
    monkeypatch.setattr(limits.BY_PERSON, "burst", 10**6)
    monkeypatch.setattr(limits.BY_ADDRESS, "burst", 10**6)
    rng = random.Random(4)
    for kept in (Table, Game):  # half a game has all there is to see
        kept.objects.update(rules="article target_score=5")
    searched: dict[str, int] = {"event": 0, "look": 0, "answer": 0, "own": 0}

    def check(what: str, text: str, place: int | None, row: Any) -> None:
        searched[what] += 1
        if row.deck:
            hidden = unknown_to(place, row)
            found = cards_in(text)
            assert not found & hidden, (what, place, row.actions, sorted(found & hidden))
            assert row.deck[:12] not in text
            if place is not None and row.phase in Table.DEALING:
                own = set(row.deal().hands[place])
                assert own <= found, "the search finds what is there"
                searched["own"] += bool(own & unknown_to(None, row))

    def look(row: Any) -> None:
        for place, token in enumerate([*tokens, ""]):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            for path in (f"tables/{friendly}", "tables", f"games/{row.game_id}", f"games/{row.game_id}/record", "me"):
                answer = client.get(f"/api/v1/{path}", headers=headers)
                if path == f"tables/{friendly}":
                    check("look", answer.content.decode(), place if place < 4 else None, row)
                elif row.phase != Table.Phase.OVER:
                    assert not cards_in(answer.content.decode()) & unknown_to(None, row)

    def move(row: Any) -> None:
        """A wrong move by somebody, then the right one; each answer is searched."""
        options = [one for one in choices(friendly) if one != "pass"] or ["pass"]
        wrong = rng.randrange(4)
        for place, action in ((wrong, f"play:{rng.choice(engine.pack())}"), (row.turn, rng.choice(options))):
            body = {"action": action, "version": row.version if place == row.turn and action in options else 0}
            headers = {"Authorization": f"Bearer {tokens[place]}"}
            address = f"/api/v1/tables/{friendly}/act"
            answer = client.post(address, json.dumps(body), content_type="application/json", headers=headers)
            check("answer", answer.content.decode(), place, tables.read_row(friendly))

    async def scenario() -> None:
        async with listeners(friendly, *tokens, "") as everybody:
            row = await in_database(tables.read_row)(friendly)
            phases: set[str] = set()
            while row.phase != Table.Phase.OVER:
                if row.phase not in phases:
                    phases.add(row.phase)
                    await in_database(look)(row)
                if row.phase == Table.Phase.BETWEEN:
                    for player in players_of(cast):
                        await in_database(act)(table_id=friendly, player_id=player.pk, action="next")
                else:
                    await in_database(move)(row)
                row = await in_database(tables.read_row)(friendly)
                for place, listener in enumerate(everybody):
                    while listener.state["revision"] < row.revision:
                        await listener.event()
                    check("event", listener.texts[-1], place if place < 4 else None, row)
            await in_database(look)(row)
            assert phases >= {"bid1", "exchange", "play", "between"}

    run(scenario)
    assert Game.objects.get().status == Game.Status.FINISHED
    assert min(searched["event"], searched["own"]) > 150, searched
    assert searched["answer"] > 60
    assert searched["look"] >= 24
