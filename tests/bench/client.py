"""People at tables: sockets that read the frames they are sent and answer by their forms.

One event loop plays them all. The WebSocket protocol is done by hand, and a frame is searched
rather than parsed, so that the client stays cheaper than the server it measures.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

_HANDSHAKE = (
    "GET /ws/tables/{table}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
    "Cookie: {cookie}\r\n\r\n"
)
_REVISION = re.compile(rb'data-revision="(\d+)" data-version="(\d+)" data-phase="(\w+)" data-turn="(\w+)"')
_MOVE = re.compile(rb'name="action" value="(pass|order_up|decline|alone|together|(?:call|discard|play):\w+)"')
_COMMANDS = {b"between": "next", b"over": "rematch"}
_HTMX_HEADERS = {
    "HX-Request": "true", "HX-Request-Type": "partial", "HX-Source": "button", "HX-Target": "main#felt",
    "HX-Current-URL": "http://127.0.0.1:8000/tables/1/",
}  # fmt: skip

R = TypeVar("R")

WAIT = 20.0
"""Seconds after which a table that shows nothing new counts as stalled."""


@dataclass
class Tally:
    """What happened while it was measured. Times in seconds."""

    first: list[float] = field(default_factory=list)
    """From sending an action to its frame at the first of the other seats."""
    last: list[float] = field(default_factory=list)
    """From sending an action to its frame at the last socket of the table."""
    moves: int = 0
    frames: int = 0
    octets: int = 0
    games: int = 0


class Socket(asyncio.Protocol):
    """One browser: a seat's, or a watcher's (``seat`` None)."""

    def __init__(self, table: Table, seat: int | None, cookie: str, port: int) -> None:
        self.table, self.seat, self.cookie, self.port = table, seat, cookie, port
        self.revision = 0
        self.frame = b""
        self.closed = False
        self._buffer = b""
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        hello = _HANDSHAKE.format(table=self.table.id, port=self.port, key=key, cookie=self.cookie)
        transport.write(hello.encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data
        if not self._upgraded:
            head, sep, rest = buffer.partition(b"\r\n\r\n")
            if not sep:
                self._buffer = buffer
                return
            if b" 101 " not in head[:20]:
                raise RuntimeError(f"the server refused a socket: {head[:80]!r}")
            self._upgraded, buffer = True, rest
        at = 0
        while len(buffer) >= at + 10 or (len(buffer) >= at + 2 and buffer[at + 1] < 126):
            kind, length, start = buffer[at] & 15, buffer[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + length:
                break
            payload = buffer[start : start + length]
            if kind == 1:
                self._message(payload)
            elif kind == 9:  # a ping, to be answered
                self.transport.write(bytes((0x8A, 0x80 | length)) + b"\0\0\0\0" + payload)
            at = start + length
        self._buffer = buffer[at:]

    def _message(self, frame: bytes) -> None:
        found = _REVISION.search(frame, 0, 300)
        if found is None:
            if b'id="watched"' not in frame[:40]:  # how many look on is told by itself
                self.table.refused(frame)
            return
        self.frame = frame
        self.table.shown(self, int(found[1]))

    def post(self, action: str) -> None:
        found = _REVISION.search(self.frame, 0, 300)
        assert found
        body = {"action": action, "version": found[2].decode()}
        payload = json.dumps({"headers": _HTMX_HEADERS, "body": body}, separators=(",", ":")).encode()
        # Masked, as a client has to, with a mask of zeros.
        self.transport.write(b"\x81\xfe" + len(payload).to_bytes(2, "big") + b"\0\0\0\0" + payload)


class Table:
    """Four seats and their watchers. An action is posted when every socket shows the last one."""

    def __init__(self, table_id: int, fleet: Fleet) -> None:
        self.id, self.fleet = table_id, fleet
        self.sockets: list[Socket] = []
        self.revision = 0
        self._behind = 0
        self._sent = 0.0
        self._actor: int | None = None
        self._heard_first = False
        self._waiting = False

    @property
    def resting(self) -> bool:
        """Every socket shows the newest revision."""
        return not self._waiting and self._behind == 0

    async def connect(self, cookies: Sequence[str], port: int) -> None:
        first = len(self.sockets)
        added = [
            Socket(self, first + at if first + at < 4 else None, cookie, port) for at, cookie in enumerate(cookies)
        ]
        self.sockets += added
        self._behind += len(added)
        loop = asyncio.get_running_loop()
        for socket in added:
            await loop.create_connection(lambda socket=socket: socket, "127.0.0.1", port)  # type: ignore[misc]
            deadline = time.monotonic() + WAIT
            while not socket.frame:
                await asyncio.sleep(0.001)
                if time.monotonic() > deadline or socket.closed:
                    raise RuntimeError(f"table {self.id} showed nothing")

    def shown(self, socket: Socket, revision: int) -> None:
        tally = self.fleet.tally
        tally.frames += 1
        tally.octets += len(socket.frame)
        if revision > self.revision:
            self.revision, self._behind = revision, len(self.sockets)
        if revision < self.revision or socket.revision == revision:
            return
        socket.revision = revision
        self._behind -= 1
        if self._waiting and not self._heard_first and socket.seat != self._actor:
            self._heard_first = True
            tally.first.append(time.perf_counter() - self._sent)
        if self._behind == 0:
            if self._waiting:
                tally.last.append(time.perf_counter() - self._sent)
                self._waiting = False
            self.fleet.ready(self)

    def refused(self, notice: bytes) -> None:
        self._waiting = False
        self.fleet.complain(self, notice)

    def act(self) -> None:
        """Post what the form of whoever has one offers, at random."""
        seats = self.sockets[:4]
        found = _REVISION.search(seats[0].frame, 0, 300)
        assert found
        command = _COMMANDS.get(found[3])
        if command:
            value = f'value="{command}"'.encode()
            seat, action = next(seat for seat in seats if value in seat.frame), command
            self.fleet.tally.games += command == "rematch" and seat is seats[0]
        else:
            seat = next(seat for seat in seats if b'data-turn="mine"' in seat.frame[:300])
            action = self.fleet.rng.choice(_MOVE.findall(seat.frame)).decode()
            self.fleet.tally.moves += 1
        self._actor, self._waiting, self._heard_first, self._sent = seat.seat, True, False, time.perf_counter()
        seat.post(action)

    def hang_up(self) -> None:
        for socket in self.sockets:
            socket.transport.abort()


class Fleet:
    """All tables of one server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.tables: list[Table] = []
        self.tally = Tally()
        self.rng = random.Random(1)
        self._pace: float | None = None
        self._running = False
        self._timers: set[asyncio.TimerHandle] = set()
        self._complaints: list[str] = []

    async def grow(self, seats: Sequence[tuple[int, Sequence[str]]]) -> None:
        """Connect the four players of more tables: id and cookies of each."""
        for table_id, cookies in seats:
            table = Table(table_id, self)
            await table.connect(cookies, self.port)
            self.tables.append(table)

    async def watch(self, tables: int, watchers: int) -> None:
        """Put so many watchers, who are not logged in, at the first tables."""
        for table in self.tables[:tables]:
            await table.connect([""] * watchers, self.port)

    async def play(
        self, tables: int, seconds: float, probe: Callable[[], R], *, warm: float, pace: float | None = None
    ) -> tuple[Tally, R, R]:
        """Play at the first so many tables, as fast as they can (``pace`` None) or with a mean of
        ``pace`` seconds between an action's frames and the next action.

        After ``warm`` seconds the measuring begins: what came of it, and ``probe`` before and
        after it. In the end every table is at rest.
        """
        self._pace, self._running, self._complaints = pace, True, []
        for table in self.tables[:tables]:
            self.ready(table)
        await asyncio.sleep(warm)
        self.tally = tally = Tally()
        before = probe()
        await asyncio.sleep(seconds)
        after = probe()
        self._running, self.tally = False, Tally()
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        deadline = time.monotonic() + WAIT
        while not all(table.resting for table in self.tables[:tables]):
            await asyncio.sleep(0.01)
            if time.monotonic() > deadline:
                stalled = [table.id for table in self.tables[:tables] if not table.resting]
                raise RuntimeError(f"tables {stalled} stalled; refusals: {self._complaints[:3]}")
        if self._complaints:
            raise RuntimeError(f"{len(self._complaints)} actions were refused: {self._complaints[:3]}")
        return tally, before, after

    def ready(self, table: Table) -> None:
        if not self._running:
            return
        if self._pace is None:
            table.act()
        else:
            self._act_in(self.rng.expovariate(1 / self._pace), table)

    def _act_in(self, seconds: float, table: Table) -> None:
        def act() -> None:
            self._timers.discard(timer)
            table.act()

        timer = asyncio.get_running_loop().call_later(seconds, act)
        self._timers.add(timer)

    def complain(self, table: Table, notice: bytes) -> None:
        """A refusal: note it, and let the table go on a little later."""
        self._complaints.append(notice.decode()[:200])
        if self._running:
            self._act_in(0.5, table)

    def hang_up(self) -> None:
        for table in self.tables:
            table.hang_up()
        self.tables = []
