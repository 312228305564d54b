"""One hub per process for events and one for ladders: the sockets of all whose pages are open here.

A page is rendered once for all who look at it in one language, at most once in ``PAUSE``
seconds, in a thread of its own; the event loop only writes. Hints of other processes make it
prompt, a comparison of versions every few seconds makes up for lost ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from games.live.work import Work
from tournaments.live import frames, ladders

EVENTS: Final = "events"
"""The group of the channel layer that every hub of events listens to."""

LADDERS: Final = "ladders"
"""And that of ladders."""

PAUSE: Final = 1.0
"""Seconds between two renderings of the pages of an event or a ladder, at least."""

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


class Source(Protocol):
    """Where a hub's frames come from. It is asked in a thread."""

    def render(self, key: int, name: str, language: str, /) -> frames.Frame | None: ...

    def newer_than(self, versions: Mapping[int, int], /) -> list[int]: ...


class Room:
    """The sockets of one event or ladder in this process."""

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
    """``rooms`` by the id of what their pages show."""

    def __init__(self, group: str, source: Source) -> None:
        super().__init__(group)
        self.source = source
        self.rooms: dict[int, Room] = {}

    # --- from any thread -------------------------------------------------------------------

    def publish(self, key: int, version: int) -> None:
        """Tell of a committed version: the sockets here, and other processes by a hint."""
        loop = self.loop
        if loop is None or not loop.is_running():
            self._elsewhere.tell(key, version)
        else:
            loop.call_soon_threadsafe(self._published, key, version)

    # --- in the event loop -----------------------------------------------------------------

    def start(self) -> None:
        """Bind the hub to the running loop; the first socket of the process does it."""
        if self.loop is asyncio.get_running_loop():
            return
        self.rooms = {}
        self._bind(1, self._catch_up)

    def join(self, key: int, socket: Socket) -> None:
        """From now on a socket has what is newer than its page."""
        room = self.rooms.setdefault(key, Room())
        room.sockets.add(socket)
        self._refresh(key, room)

    def leave(self, key: int, socket: Socket) -> None:
        room = self.rooms.get(key)
        if room is not None:
            room.sockets.discard(socket)
            if not room.sockets:
                del self.rooms[key]

    def _published(self, key: int, version: int) -> None:
        self._hints.tell(key, version)
        self._moved(key, version)

    def _moved(self, key: int, revision: int) -> None:
        room = self.rooms.get(key)
        if room is not None and revision > room.version:
            self._refresh(key, room)

    def _refresh(self, key: int, room: Room) -> None:
        """Show it as it is now; what comes meanwhile is answered by one more round."""
        room.stale = True
        if room.task is None:
            room.task = self._spawn(self._show(key, room))

    async def _show(self, key: int, room: Room) -> None:
        try:
            while room.stale and room.sockets:
                room.stale = False
                newest = await self.run(self.source.newer_than, {key: min(each.shown for each in room.sockets)})
                for audience in {each.audience for each in room.sockets} if newest else ():
                    frame = await self.run(self.source.render, key, audience.page, audience.language)
                    if frame is not None:
                        await room.show(audience, frame)
                await asyncio.sleep(PAUSE)
        finally:
            room.task = None

    # --- other processes --------------------------------------------------------------------

    async def _catch_up(self) -> None:
        await asyncio.sleep(CATCH_UP)
        shown = {key: room.version for key, room in self.rooms.items()}
        for key in await self.run(self.source.newer_than, shown) if shown else ():
            if room := self.rooms.get(key):
                self._refresh(key, room)


hub = Hub(EVENTS, frames)
ladder_hub = Hub(LADDERS, ladders)
