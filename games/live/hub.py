"""One hub per process: the sockets of every table this process serves.

The hub renders a table once per audience (a seat, or all watchers, in one language) and writes
the frame to each of its sockets: in the event loop, so that the threads have only the database to
wait for. It listens for the hints of other processes, compares the revisions it has shown with
the database every few seconds, and reports which seats are connected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime
from typing import Any, NamedTuple, ParamSpec, Protocol

from django.db import connection
from django.utils import timezone

from games.live import data, felt, hints
from games.live.talk import Talk, told
from games.live.texts import speaking
from games.live.work import Work
from games.models import Table
from games.selectors import tables
from games.selectors.tables import TableSnapshot

P = ParamSpec("P")

DATABASE_THREADS = 4
"""Threads with a connection each on PostgreSQL; SQLite has one writer anyway."""

CATCH_UP = 3.0
"""Seconds between two comparisons of what was shown with the database."""

HEARTBEAT = 10.0
"""Seconds between two reports of the connected seats."""

FAREWELL = 2.5
"""Seconds a seat may be without a socket (a reload) before its connection counts as lost."""


class Viewer(NamedTuple):
    """Who looks: a player (None: not logged in) in a language, or a program, which gets ``data``."""

    player_id: int | None
    language: str
    data: bool = False


class Socket(Protocol):
    """What the hub needs of a consumer. ``shown`` is the newest revision it has been sent."""

    viewer: Viewer
    shown: int
    muted: frozenset[int] | None
    """Whom its person does not read; None until that is known."""

    async def send_frame(self, frame: str) -> None: ...

    async def turn_away(self, frame: str) -> None:
        """Its person may not look on any more: show this, and end."""

    async def look_again(self) -> None:
        """Whom its person reads, or whether he may be here, has changed."""


class Presence(Protocol):
    """The services that want to know who is connected (given by the consumers, a layer above)."""

    def heartbeat(self, seat_pks: Iterable[int]) -> None: ...

    def lose(self, *, seat_pks: Iterable[int], since: datetime) -> None: ...


class Room:
    """The sockets of one table in this process, by viewer."""

    def __init__(self) -> None:
        self.sockets: dict[Viewer, list[Socket]] = {}
        self.seats: dict[int, int] = {}
        """The seats (primary keys) of the persons at the table, by player."""
        self.revision = 0
        self.refreshing = False
        self.stale = False
        self.heard = 0
        """The newest message that was shown."""
        self.told = told()
        self.watched = 0
        """How many look on, as was shown last."""

    def add(self, socket: Socket) -> None:
        self.sockets.setdefault(socket.viewer, []).append(socket)

    def remove(self, socket: Socket) -> None:
        rest = [other for other in self.sockets.pop(socket.viewer, ()) if other is not socket]
        if rest:
            self.sockets[socket.viewer] = rest

    def seats_here(self) -> set[int]:
        """The seats (primary keys) whose players have a socket here."""
        return {self.seats[viewer.player_id] for viewer in self.sockets if viewer.player_id in self.seats}

    async def show(self, snapshot: TableSnapshot) -> None:
        """Send each socket to which it is news the frame of its audience: a seat, or all
        watchers, in one language or as data. Each frame is rendered once, whatever the number of
        sockets."""
        got_up: set[int] = set()
        if snapshot.revision >= self.revision:
            self.revision, before = snapshot.revision, set(self.seats)
            self.seats = {seat.player_id: seat.pk for seat in snapshot.seats if seat.player_id and seat.person}
            got_up = before - set(self.seats) if snapshot.phase == Table.Phase.OPEN else got_up
        for socket, viewer, frame in self._frames(snapshot):
            if socket.shown >= snapshot.revision:  # a newer one has come in between
                continue
            socket.shown = snapshot.revision
            if frame is None:
                await socket.turn_away(felt.not_watched(viewer.language))
                continue
            await socket.send_frame(frame)
            if viewer.player_id in got_up and not viewer.data:
                await socket.send_frame(felt.asked_up(viewer.language))

    def _frames(self, snapshot: TableSnapshot) -> list[tuple[Socket, Viewer, str | None]]:
        """What is news to each socket; None for who may not look on any more."""
        shut = not snapshot.admits(None, snapshot.code)  # who had come in by a code brought it
        frames: dict[tuple[int | None, str, bool], str] = {}
        shared = felt.Shared()
        found: list[tuple[Socket, Viewer, str | None]] = []
        with speaking():  # most of them hear the site's language
            for viewer, sockets in self.sockets.items():
                behind = [socket for socket in sockets if socket.shown < snapshot.revision]
                if not behind:
                    continue
                place = snapshot.place_of(viewer.player_id)
                frame: str | None = None
                if not shut or place is not None or viewer.data:
                    audience = place, viewer.language, viewer.data
                    frame = frames.get(audience)
                    if frame is None:
                        frame = frames[audience] = self._frame(snapshot, place, viewer, shared)
                found += [(socket, viewer, frame) for socket in behind]
        return found

    def _frame(self, snapshot: TableSnapshot, place: int | None, viewer: Viewer, shared: felt.Shared) -> str:
        if viewer.data:
            return data.render(snapshot, place)
        return felt.render(snapshot, place, viewer.language, shared)


class Hub(Work):
    def __init__(self) -> None:
        super().__init__(hints.TABLES)
        self.rooms: dict[int, Room] = {}
        self._presence: Presence | None = None
        self.talk = Talk(self)

    # --- from any thread -------------------------------------------------------------------

    def call_soon(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Call it in the hub's event loop; False, and nothing is called, in a process without one."""
        loop, threads = self.loop, self._threads
        if loop is None or threads is None or not loop.is_running():
            return False
        threads.call_soon(callback, *args, **kwargs)
        return True

    def publish(self, table_id: int, revision: int, snapshot: Callable[[], TableSnapshot]) -> None:
        """Show a committed revision: to the sockets here at once, to other processes by a hint."""
        if not self.call_soon(self._published, table_id, revision, snapshot() if table_id in self.rooms else None):
            self._elsewhere.tell(table_id, revision)

    # --- in the event loop -----------------------------------------------------------------

    def start(self, presence: Presence) -> None:
        """Bind the hub to the running loop; the first socket of the process does it."""
        if self.loop is asyncio.get_running_loop():
            return
        self._presence, self.rooms = presence, {}
        self._bind(
            1 if connection.vendor == "sqlite" else DATABASE_THREADS, self._catch_up, self._report, *self.talk.works()
        )

    async def join(self, table_id: int, socket: Socket) -> bool:
        """Let a socket have the table as it is now, and from now on. False if there is none."""
        room = self.rooms.setdefault(table_id, Room())
        room.add(socket)
        # Its own reading, not one on its way for others: that one may not have come back yet.
        snapshot = await self.run(tables.load_table, table_id)
        if snapshot is not None:
            await room.show(snapshot)
        return snapshot is not None

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it beside everything else; a failure is logged."""
        self._spawn(work)

    def leave(self, table_id: int, socket: Socket) -> None:
        room = self.rooms.get(table_id)
        if room is None:
            return
        before = room.seats_here()
        room.remove(socket)
        for seat_pk in before - room.seats_here():
            self._spawn(self._farewell(table_id, seat_pk))
        if not room.sockets:
            del self.rooms[table_id]

    async def show_again(self, table_id: int, socket: Socket) -> None:
        """Send a socket the table as it is now, even if it has seen this revision."""
        socket.shown = -1
        room = self.rooms.get(table_id)
        if room is not None:
            await self._refresh(table_id, room)

    def _published(self, table_id: int, revision: int, snapshot: TableSnapshot | None) -> None:
        self._hints.tell(table_id, revision)
        room = self.rooms.get(table_id)
        if room is not None:
            self._spawn(room.show(snapshot) if snapshot else self._refresh(table_id, room))

    async def _refresh(self, table_id: int, room: Room) -> None:
        """Read the table and show it; calls that come meanwhile are answered by one more round."""
        if room.refreshing:
            room.stale = True
            return
        room.refreshing = True
        try:
            while True:
                room.stale = False
                snapshot = await self.run(tables.load_table, table_id)
                if snapshot is None:
                    return
                await room.show(snapshot)
                if not room.stale:
                    return
        finally:
            room.refreshing = False

    # --- other processes --------------------------------------------------------------------

    def _moved(self, key: int, revision: int) -> None:
        room = self.rooms.get(key)
        if room is not None and revision > room.revision:
            self._spawn(self._refresh(key, room))

    async def _catch_up(self) -> None:
        await asyncio.sleep(CATCH_UP)
        shown = {table_id: room.revision for table_id, room in self.rooms.items()}
        for table_id in await self.run(tables.newer_than, shown) if shown else ():
            if room := self.rooms.get(table_id):
                await self._refresh(table_id, room)

    # --- who is here ------------------------------------------------------------------------

    async def _report(self) -> None:
        await asyncio.sleep(HEARTBEAT)
        pks = set().union(*(room.seats_here() for room in self.rooms.values()))
        if pks and self._presence:
            await self.run(self._presence.heartbeat, pks)

    async def _farewell(self, table_id: int, seat_pk: int) -> None:
        left_at = timezone.now()
        await asyncio.sleep(FAREWELL)
        room = self.rooms.get(table_id)
        if self._presence and (room is None or seat_pk not in room.seats_here()):
            await self.run(self._presence.lose, seat_pks=[seat_pk], since=left_at)


hub = Hub()
