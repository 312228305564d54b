"""One hub per process: the sockets of every table this process serves.

The hub renders a table once per audience (a seat, or all watchers, in one language) and writes
the frame to each of its sockets. It listens on one channel of its own for the hints of other
processes, compares the revisions it has shown with the database every few seconds, and reports
which seats are connected.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import connection
from django.utils import timezone, translation

from games.live import felt
from games.selectors import tables
from games.selectors.tables import TableSnapshot

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

DATABASE_THREADS = 4
"""Threads with a connection each on PostgreSQL; SQLite has one writer anyway."""

CATCH_UP = 3.0
"""Seconds between two comparisons of what was shown with the database."""

HEARTBEAT = 10.0
"""Seconds between two reports of the connected seats."""

FAREWELL = 2.5
"""Seconds a seat may be without a socket (a reload) before its connection counts as lost."""


class Viewer(NamedTuple):
    """Who looks: a player (None: not logged in) in a language."""

    player_id: int | None
    language: str


class Socket(Protocol):
    """What the hub needs of a consumer. ``shown`` is the newest revision it has been sent."""

    viewer: Viewer
    shown: int

    async def send_frame(self, frame: str) -> None: ...


class Presence(Protocol):
    """The services that want to know who is connected (given by the consumers, a layer above)."""

    def heartbeat(self, seat_pks: Iterable[int]) -> None: ...

    def lose(self, *, seat_pks: Iterable[int], since: datetime) -> None: ...


class Frames(NamedTuple):
    """A revision of a table, rendered for some viewers; ``seats`` are the seats of persons."""

    revision: int
    by_viewer: dict[Viewer, str]
    seats: dict[int, int]


def render(snapshot: TableSnapshot, viewers: Iterable[Viewer]) -> Frames:
    """The frames of a snapshot: one for each seat that is looked from, one for all watchers, in
    each language, whatever the number of viewers."""
    made: dict[tuple[int | None, str], str] = {}
    by_viewer = {}
    for viewer in viewers:
        audience = snapshot.place_of(viewer.player_id), viewer.language
        frame = made.get(audience)
        if frame is None:
            with translation.override(viewer.language):
                frame = made[audience] = felt.render(snapshot, audience[0])
        by_viewer[viewer] = frame
    seats = {seat.player_id: seat.pk for seat in snapshot.seats if seat.player_id is not None and seat.person}
    return Frames(snapshot.revision, by_viewer, seats)


class Room:
    """The sockets of one table in this process, by viewer."""

    def __init__(self) -> None:
        self.sockets: dict[Viewer, list[Socket]] = {}
        self.viewers: tuple[Viewer, ...] = ()
        self.seats: dict[int, int] = {}
        self.revision = 0
        self.refreshing = False
        self.stale = False

    def add(self, socket: Socket) -> None:
        self.sockets.setdefault(socket.viewer, []).append(socket)
        self.viewers = tuple(self.sockets)  # read by other threads, hence replaced as a whole

    def remove(self, socket: Socket) -> None:
        rest = [other for other in self.sockets.pop(socket.viewer, ()) if other is not socket]
        if rest:
            self.sockets[socket.viewer] = rest
        self.viewers = tuple(self.sockets)

    def seats_here(self) -> set[int]:
        """The seats (primary keys) whose players have a socket here."""
        return {self.seats[v.player_id] for v in self.viewers if v.player_id is not None and v.player_id in self.seats}

    async def show(self, frames: Frames) -> bool:
        """Send each socket its frame if it is news to it. True if a viewer had no frame (he came
        while the frames were made)."""
        if frames.revision >= self.revision:
            self.revision, self.seats = frames.revision, frames.seats
        missed = False
        for viewer, sockets in list(self.sockets.items()):
            frame = frames.by_viewer.get(viewer)
            for socket in list(sockets):
                if socket.shown >= frames.revision:
                    continue
                if frame is None:
                    missed = True
                    continue
                socket.shown = frames.revision
                await socket.send_frame(frame)
        return missed


class Hub:
    def __init__(self) -> None:
        self.rooms: dict[int, Room] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        self._presence: Presence | None = None
        self._executor: ThreadPoolExecutor | None = None
        self._channel: str | None = None
        self._heard = asyncio.Event()
        self._joined: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sender = _Sender()

    # --- from any thread -------------------------------------------------------------------

    def publish(self, table_id: int, revision: int, snapshot: Callable[[], TableSnapshot]) -> None:
        """Show a committed revision: to the sockets here at once, to other processes by a hint."""
        loop = self.loop
        if loop is None or not loop.is_running():
            self._sender.tell(table_id, revision)
            return
        room = self.rooms.get(table_id)
        frames = render(snapshot(), room.viewers) if room else None
        loop.call_soon_threadsafe(self._published, table_id, revision, frames)

    # --- in the event loop -----------------------------------------------------------------

    def start(self, presence: Presence) -> None:
        """Bind the hub to the running loop; the first socket of the process does it."""
        loop = asyncio.get_running_loop()
        if self.loop is loop:
            return
        self.loop, self._presence, self.rooms, self._joined, self._channel = loop, presence, {}, set(), None
        self._heard = asyncio.Event()
        threads = 1 if connection.vendor == "sqlite" else DATABASE_THREADS
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="table")
        for work in (self._listen, self._catch_up, self._report):
            self._spawn(self._forever(work))

    async def stop(self) -> None:
        """End the hub's work in this loop and close its threads' connections."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._executor is not None:
            await asyncio.gather(*(self.run(_close_connection) for _ in range(DATABASE_THREADS)))
            self._executor.shutdown()
        self.loop, self._executor = None, None

    async def listening(self) -> None:
        """Wait until the hints of other processes are heard here."""
        await self._heard.wait()

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a function that uses the database in one of the hub's few threads, whose
        connections stay open."""
        call = database_sync_to_async(function, thread_sensitive=False, executor=self._executor)
        return await call(*args, **kwargs)

    async def join(self, table_id: int, socket: Socket) -> bool:
        """Subscribe a socket, then let it have the table as it is now. False if there is none."""
        room = self.rooms.setdefault(table_id, Room())
        room.add(socket)
        await self._subscribe(table_id)
        await self._refresh(table_id, room)
        return room.revision > 0

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
            self._spawn(self._unsubscribe(table_id))

    async def show_again(self, table_id: int, socket: Socket) -> None:
        """Send a socket the table as it is now, even if it has seen this revision."""
        socket.shown = -1
        room = self.rooms.get(table_id)
        if room is not None:
            await self._refresh(table_id, room)

    def _published(self, table_id: int, revision: int, frames: Frames | None) -> None:
        self._spawn(_send_hint(table_id, revision, self._channel or ""))
        room = self.rooms.get(table_id)
        if room is not None:
            self._spawn(self._deliver(table_id, room, frames))

    async def _deliver(self, table_id: int, room: Room, frames: Frames | None) -> None:
        if frames is None or await room.show(frames):
            await self._refresh(table_id, room)

    async def _refresh(self, table_id: int, room: Room) -> None:
        """Read, render and deliver; calls that come meanwhile are answered by one more round."""
        if room.refreshing:
            room.stale = True
            return
        room.refreshing = True
        try:
            while True:
                room.stale = False
                frames = await self.run(_read_and_render, table_id, room.viewers)
                if frames is None or not (await room.show(frames) or room.stale):
                    return
        finally:
            room.refreshing = False

    # --- other processes --------------------------------------------------------------------

    async def _subscribe(self, table_id: int) -> None:
        if self._channel is None or table_id in self._joined:
            return
        try:
            await get_channel_layer().group_add(group_name(table_id), self._channel)
            self._joined.add(table_id)
        except Exception:  # the layer is away: whatever redis or the socket raises
            log.warning("table %s is shown without hints from other processes for now", table_id)

    async def _unsubscribe(self, table_id: int) -> None:
        if table_id in self.rooms or table_id not in self._joined:
            return
        self._joined.discard(table_id)
        await get_channel_layer().group_discard(group_name(table_id), self._channel)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        if self._channel is None:
            self._channel = await layer.new_channel("hub.")
        for table_id in list(self.rooms):
            await self._subscribe(table_id)
        self._heard.set()
        while True:
            hint = await layer.receive(self._channel)
            room = self.rooms.get(hint["table"])
            if room is not None and hint["origin"] != self._channel and hint["revision"] > room.revision:
                self._spawn(self._refresh(hint["table"], room))

    async def _catch_up(self) -> None:
        await asyncio.sleep(CATCH_UP)
        shown = {table_id: room.revision for table_id, room in self.rooms.items()}
        for table_id in await self.run(tables.newer_than, shown) if shown else ():
            if room := self.rooms.get(table_id):
                await self._refresh(table_id, room)
        for table_id in [table_id for table_id in self.rooms if table_id not in self._joined]:
            await self._subscribe(table_id)

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

    # --- tasks ------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a push failed", exc_info=error)

    async def _forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                await work()
            except Exception as error:
                log.warning("%s: %s; trying again", work.__name__, error)
                await asyncio.sleep(1)


def group_name(table_id: int) -> str:
    return f"table.{table_id}"


async def _send_hint(table_id: int, revision: int, origin: str) -> None:
    try:
        await get_channel_layer().group_send(
            group_name(table_id), {"type": "table.hint", "table": table_id, "revision": revision, "origin": origin}
        )
    except Exception:  # the layer is away; others find the revision by their own comparison
        log.warning("no hint could be sent for table %s", table_id)


def _close_connection() -> None:
    connection.close()


def _read_and_render(table_id: int, viewers: tuple[Viewer, ...]) -> Frames | None:
    snapshot = tables.load_table(table_id)
    return render(snapshot, viewers) if snapshot else None


class _Sender:
    """Sends hints from processes without a hub (workers, commands), on a loop of its own."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0
        self._lock = threading.Lock()

    def tell(self, table_id: int, revision: int) -> None:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():  # a forked child needs its own thread
                self._loop, self._pid = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="hints", daemon=True).start()
        asyncio.run_coroutine_threadsafe(_send_hint(table_id, revision, ""), self._loop)


hub = Hub()
