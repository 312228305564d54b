"""What is said, on its way to the sockets of this process; who looks on is counted here too.

A message goes to the readers here at once, and as a hint (table and number) to other processes,
which read it from the database. Nobody is sent what he has muted, and no player what is said among
the watchers of his game. A comparison every few seconds finds what was missed; talk.js leaves out
what stands on the page already, so that a message that comes twice harms nobody.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer

from games.live import hints, sayings
from games.selectors import people, talk
from games.selectors.talk import Line

if TYPE_CHECKING:
    from games.live.hub import Hub, Room, Socket

TALK, PEOPLE, WATCHERS = "talk", "people", "watchers"
"""Groups of the channel layer: new messages; people whose mutes or rights have changed; how many look on."""

CATCH_UP = 3.0
"""Seconds between two comparisons with the database."""

COUNT, TELL = 2.0, 10.0
"""Seconds between two counts of the watchers; after which other processes are told again in any case."""

REMEMBERED = 200
"""Messages of a room of which it is known that they were shown."""


class Talk:
    """The part of a hub that talk is."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._said = hints.Sender(TALK)
        self._looked = hints.Sender(PEOPLE)
        self._said_elsewhere, self._looked_elsewhere = hints.ThreadSender(TALK), hints.ThreadSender(PEOPLE)
        self._counts: dict[str, tuple[float, Mapping[int, int]]] = {}
        """Watchers at the tables of other processes, by process, and when it told so."""
        self._told: tuple[float, Mapping[int, int]] = (0.0, {})
        self._origin = ""
        self._deaf = 0
        self.listening = asyncio.Event()
        """No hint of other processes is missed any more."""

    # --- from any thread -------------------------------------------------------------------

    def said(self, line: Line) -> None:
        """Show a committed message: to the sockets here at once, to other processes by a hint."""
        if not self._hub.call_soon(self._show, line):
            self._said_elsewhere.tell(line.table_id, line.pk)

    def look_again(self, player_id: int) -> None:
        """What somebody may read or do has changed: his sockets, in all processes, see to it."""
        if not self._hub.call_soon(self._look, player_id):
            self._looked_elsewhere.tell(player_id, 0)

    def watching(self, table_id: int) -> int:
        """How many look on at a table, as far as is known here."""
        room = self._hub.rooms.get(table_id)
        others = sum(counts.get(table_id, 0) for _at, counts in self._counts.values())
        return others + (_watchers(room) if room else 0)

    # --- in the event loop -----------------------------------------------------------------

    def works(self) -> tuple[Callable[[], Coroutine[Any, Any, None]], ...]:
        """What the hub does again and again for it."""
        self._said, self._looked = hints.Sender(TALK), hints.Sender(PEOPLE)
        self._counts, self._told, self._origin = {}, (0.0, {}), ""
        self._deaf, self.listening = 3, asyncio.Event()
        return self._hear_talk, self._hear_people, self._hear_counts, self._catch_up, self._count

    async def join(self, table_id: int, socket: Socket) -> None:
        """Let a socket that looks at a table have what was said, and from now on what is said."""
        socket.muted = await self._hub.run(people.muted_by, socket.viewer.player_id)
        await self._send_all(table_id, socket, again=False)

    async def hear_again(self, table_id: int, socket: Socket) -> None:
        """Show a socket what its person wants to read now, and nothing else."""
        socket.muted = await self._hub.run(people.muted_by, socket.viewer.player_id)
        await self._send_all(table_id, socket, again=True)

    async def _send_all(self, table_id: int, socket: Socket, *, again: bool) -> None:
        room = self._hub.rooms.get(table_id)
        if room is None or socket.muted is None:
            return
        seated = socket.viewer.player_id in room.seats
        lines = await self._hub.run(talk.read_lines, table_id, seated=seated, reader=socket.viewer.player_id)
        _note(room, lines)
        if lines or again:
            frame = sayings.whole if again else sayings.more
            await socket.send_frame(frame(lines, socket.viewer.player_id, socket.viewer.language))

    def _show(self, line: Line) -> None:
        self._said.tell(line.table_id, line.pk)
        room = self._hub.rooms.get(line.table_id)
        if room is not None:
            self._hub.spawn(_tell(room, [line]))

    def _look(self, player_id: int) -> None:
        self._looked.tell(player_id, 0)
        self._look_here(player_id)

    def _look_here(self, player_id: int) -> None:
        for room in list(self._hub.rooms.values()):
            for viewer, sockets in list(room.sockets.items()):
                if viewer.player_id == player_id:
                    for socket in sockets:
                        self._hub.spawn(socket.look_again())

    # --- other processes --------------------------------------------------------------------

    async def _hear_talk(self) -> None:
        async for _origin, tables in self._heard(TALK, self._said):
            for table_id in tables:
                await self._fetch(table_id)

    async def _hear_people(self) -> None:
        async for _origin, players in self._heard(PEOPLE, self._looked):
            for player_id in players:
                self._look_here(player_id)

    async def _hear_counts(self) -> None:
        async for origin, counts in self._heard(WATCHERS, None):
            self._counts[origin] = time.monotonic(), counts

    async def _heard(self, group: str, sender: hints.Sender | None) -> AsyncIterator[tuple[str, hints.Revisions]]:
        layer = get_channel_layer()
        channel = await layer.new_channel(f"{group}.")
        if sender is None:
            self._origin = channel
        else:
            sender.origin = channel
        await layer.group_add(group, channel)
        self._deaf -= 1
        if self._deaf <= 0:
            self.listening.set()
        while True:
            message = await layer.receive(channel)
            if message["origin"] != channel:
                yield message["origin"], dict(message["revisions"])

    async def _fetch(self, table_id: int) -> None:
        room = self._hub.rooms.get(table_id)
        if room is not None:
            await _tell(room, await self._hub.run(talk.read_after, table_id, room.heard))

    async def _catch_up(self) -> None:
        await asyncio.sleep(CATCH_UP)
        tables = list(self._hub.rooms)
        for table_id, newest in (await self._hub.run(talk.newest, tables) if tables else {}).items():
            room = self._hub.rooms.get(table_id)
            if room is not None and newest > room.heard:
                await self._fetch(table_id)

    # --- who looks on ------------------------------------------------------------------------

    async def _count(self) -> None:
        """Count the watchers here, tell other processes if that is news, and show the sum."""
        await asyncio.sleep(COUNT)
        counts = {table_id: count for table_id, room in self._hub.rooms.items() if (count := _watchers(room))}
        told_at, told = self._told
        now = time.monotonic()
        self._counts = {origin: one for origin, one in self._counts.items() if now - one[0] < 3 * TELL}
        if self._origin and (counts != told or (counts and now - told_at > TELL)):
            self._told = now, counts
            await hints.send(WATCHERS, counts, self._origin)
        for table_id, room in list(self._hub.rooms.items()):
            count = self.watching(table_id)
            if count != room.watched:
                room.watched = count
                for viewer, sockets in list(room.sockets.items()):
                    if not viewer.data:
                        for socket in list(sockets):
                            await socket.send_frame(sayings.watched(count, viewer.language))


def _watchers(room: Room) -> int:
    """People without a seat: a person once, each visitor's page."""
    return sum(
        1 if viewer.player_id is not None else len(sockets)
        for viewer, sockets in room.sockets.items()
        if viewer.player_id not in room.seats and not viewer.data
    )


def _note(room: Room, lines: Iterable[Line]) -> None:
    for line in lines:
        room.heard = max(room.heard, line.pk)


async def _tell(room: Room, lines: Sequence[Line]) -> None:
    """Send messages that are news to the sockets of a room that may show them; each frame is made once."""
    news = [line for line in lines if line.pk not in room.told]
    room.told.extend(line.pk for line in news)
    _note(room, lines)
    if not news:
        return
    senders = {line.sender_id for line in news}
    frames: dict[tuple[str, int | None, tuple[int, ...]], str] = {}
    for viewer, sockets in list(room.sockets.items()):
        if viewer.data:
            continue
        seated, reader = viewer.player_id in room.seats, viewer.player_id if viewer.player_id in senders else None
        for socket in list(sockets):
            muted = socket.muted
            if muted is None:
                continue  # it is about to be sent all
            shown = [line for line in news if line.shown_to(seated=seated, muted=muted)]
            if shown:
                key = viewer.language, reader, tuple(line.pk for line in shown)
                if key not in frames:
                    frames[key] = sayings.more(shown, reader, viewer.language)
                await socket.send_frame(frames[key])


def told() -> deque[int]:
    """Room for the numbers of the messages that were shown lately."""
    return deque(maxlen=REMEMBERED)
