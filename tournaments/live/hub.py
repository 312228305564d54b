"""One hub per process: the sockets of every event whose pages are open here.

A page is rendered once for all who look at it in one language, at most once in ``PAUSE``
seconds, in a thread of its own; the event loop only writes. Hints of other processes make it
prompt, a comparison of versions every few seconds makes up for lost ones.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar

from channels.layers import get_channel_layer

from games.live import hints
from games.live.threads import DatabaseThreads
from tournaments.live import frames

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

EVENTS: Final = "events"
"""The group of the channel layer that every hub of events listens to."""

PAUSE: Final = 1.0
"""Seconds between two renderings of an event's pages, at least."""

CATCH_UP: Final = 3.0
"""Seconds between two comparisons of what was shown with the database."""


class Audience(NamedTuple):
    """Who is sent the same frame: a page's readers in one language."""

    page: str
    language: str


class Socket(Protocol):
    """What the hub needs of a consumer. ``shown`` is the newest version its page has, ``known`` the
    fragments it was sent last."""

    audience: Audience
    shown: int
    known: frozenset[str]

    async def send_frame(self, frame: str) -> None: ...

    async def may_see(self) -> bool:
        """Whether its reader may still be sent this page; asked before every frame that is not public."""


class Room:
    """The sockets of one event in this process."""

    def __init__(self) -> None:
        self.sockets: set[Socket] = set()
        self.version = 0
        self.stale = False
        self.task: asyncio.Task[None] | None = None

    async def show(self, audience: Audience, frame: frames.Frame) -> None:
        """What has changed, and nothing else: most versions leave most fragments as they were."""
        self.version = max(self.version, frame.version)
        now = frozenset(frame.parts)
        for socket in [each for each in self.sockets if each.audience == audience and each.shown < frame.version]:
            if frame.public or await socket.may_see():
                news = frame.besides(socket.known)
                socket.shown, socket.known = frame.version, now
                if news:
                    await socket.send_frame(news)


class Hub:
    def __init__(self) -> None:
        self.rooms: dict[int, Room] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        self._threads: DatabaseThreads | None = None
        self._heard = asyncio.Event()
        self._hints = hints.Sender(EVENTS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._elsewhere = hints.ThreadSender(EVENTS)

    # --- from any thread -------------------------------------------------------------------

    def publish(self, event_id: int, version: int) -> None:
        """Tell of a committed version: the sockets here, and other processes by a hint."""
        loop = self.loop
        if loop is None or not loop.is_running():
            self._elsewhere.tell(event_id, version)
        else:
            loop.call_soon_threadsafe(self._published, event_id, version)

    # --- in the event loop -----------------------------------------------------------------

    def start(self) -> None:
        """Bind the hub to the running loop; the first socket of the process does it."""
        loop = asyncio.get_running_loop()
        if self.loop is loop:
            return
        self.loop, self.rooms = loop, {}
        self._heard, self._hints = asyncio.Event(), hints.Sender(EVENTS)
        self._threads = DatabaseThreads(1)
        for work in (self._listen, self._catch_up):
            self._spawn(self._forever(work))

    async def stop(self) -> None:
        """End the hub's work in this loop and close its thread's connection."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._threads is not None:
            await self._threads.stop()
        self.loop, self._threads = None, None

    async def listening(self) -> None:
        """Wait until the hints of other processes are heard here."""
        await self._heard.wait()

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a function that uses the database in the hub's thread."""
        assert self._threads is not None
        return await self._threads.run(partial(function, *args, **kwargs))

    def join(self, event_id: int, socket: Socket) -> None:
        """From now on a socket has what is newer than its page."""
        room = self.rooms.setdefault(event_id, Room())
        room.sockets.add(socket)
        self._refresh(event_id, room)

    def leave(self, event_id: int, socket: Socket) -> None:
        room = self.rooms.get(event_id)
        if room is not None:
            room.sockets.discard(socket)
            if not room.sockets:
                del self.rooms[event_id]

    def _published(self, event_id: int, version: int) -> None:
        self._hints.tell(event_id, version)
        self._moved(event_id, version)

    def _moved(self, event_id: int, version: int) -> None:
        room = self.rooms.get(event_id)
        if room is not None and version > room.version:
            self._refresh(event_id, room)

    def _refresh(self, event_id: int, room: Room) -> None:
        """Show the event as it is now; what comes meanwhile is answered by one more round."""
        room.stale = True
        if room.task is None:
            room.task = self._spawn(self._show(event_id, room))

    async def _show(self, event_id: int, room: Room) -> None:
        try:
            while room.stale and room.sockets:
                room.stale = False
                newest = await self.run(frames.newer_than, {event_id: min(each.shown for each in room.sockets)})
                for audience in {each.audience for each in room.sockets} if newest else ():
                    frame = await self.run(frames.render, event_id, audience.page, audience.language)
                    if frame is not None:
                        await room.show(audience, frame)
                await asyncio.sleep(PAUSE)
        finally:
            room.task = None

    # --- other processes --------------------------------------------------------------------

    async def _listen(self) -> None:
        self._hints.origin = await get_channel_layer().new_channel("events.")
        async for versions in hints.heard(EVENTS, self._hints.origin, self._heard):
            for event_id, version in versions.items():
                self._moved(event_id, version)

    async def _catch_up(self) -> None:
        await asyncio.sleep(CATCH_UP)
        shown = {event_id: room.version for event_id, room in self.rooms.items()}
        for event_id in await self.run(frames.newer_than, shown) if shown else ():
            if room := self.rooms.get(event_id):
                self._refresh(event_id, room)

    # --- tasks ------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a push of an event failed", exc_info=error)

    async def _forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                await work()
            except Exception as error:
                log.warning("%s: %s; trying again", work.__name__, error)
                await asyncio.sleep(1)


hub = Hub()
