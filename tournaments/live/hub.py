"""One hub per process: the sockets of every event whose pages are open here.

A page is rendered once for all who look at it in one language, at most once in ``PAUSE``
seconds, in a thread of its own; the event loop only writes. Hints of other processes make it
prompt, a comparison of versions every few seconds makes up for lost ones.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple, Protocol

from games.live.work import Work
from tournaments.live import frames

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


class Hub(Work):
    def __init__(self) -> None:
        super().__init__(EVENTS)
        self.rooms: dict[int, Room] = {}

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
        if self.loop is asyncio.get_running_loop():
            return
        self.rooms = {}
        self._bind(1, self._catch_up)

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

    def _moved(self, key: int, revision: int) -> None:
        room = self.rooms.get(key)
        if room is not None and revision > room.version:
            self._refresh(key, room)

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

    async def _catch_up(self) -> None:
        await asyncio.sleep(CATCH_UP)
        shown = {event_id: room.version for event_id, room in self.rooms.items()}
        for event_id in await self.run(frames.newer_than, shown) if shown else ():
            if room := self.rooms.get(event_id):
                self._refresh(event_id, room)


hub = Hub()
