"""Hints between processes: which tables (or whatever a hub shows) have moved on, and to which
revision. Never a card.

A hint may be lost: a hub compares revisions with the database every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Mapping

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

TABLES = "tables"
"""The group of the channel layer that every hub of tables listens to."""

PAUSE = 0.02
"""Seconds between two messages of a busy process."""

Revisions = Mapping[int, int]
"""Tables by id, each with its revision."""


async def send(group: str, revisions: Revisions, origin: str) -> None:
    """Tell every hub of a group but ``origin``'s own. Logs a failure: the layer may be away."""
    message = {"type": "hub.hint", "revisions": list(revisions.items()), "origin": origin}
    try:
        await get_channel_layer().group_send(group, message)
    except Exception:  # whatever redis or the socket raises
        log.warning("no hint could be sent for %s %s", group, ", ".join(map(str, revisions)))


class Sender:
    """Sends the hints of one event loop. The first goes at once; what comes while it is on its way,
    and for a moment after it, is gathered for the next: the busier a process, the less a hint costs."""

    def __init__(self, group: str, origin: str = "") -> None:
        self.group = group
        self.origin = origin
        self._waiting: dict[int, int] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, table_id: int, revision: int) -> None:
        self._waiting[table_id] = revision
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        try:
            while self._waiting:
                revisions, self._waiting = self._waiting, {}
                await send(self.group, revisions, self.origin)
                await asyncio.sleep(PAUSE)
        finally:
            self._task = None


async def heard(group: str, channel: str, listening: asyncio.Event) -> AsyncIterator[Revisions]:
    """The hints of other processes of a group as they come, on a channel of one's own, which is the
    origin of one's own hints; ``listening`` is set once none is missed."""
    layer = get_channel_layer()
    await layer.group_add(group, channel)
    listening.set()
    while True:
        message = await layer.receive(channel)
        if message["origin"] != channel:
            yield dict(message["revisions"])


class ThreadSender:
    """Sends hints from a process without an event loop (a worker, a command), on a thread of its own."""

    def __init__(self, group: str) -> None:
        self._group = group
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sender = Sender(group)
        self._pid = 0
        self._lock = threading.Lock()

    def tell(self, table_id: int, revision: int) -> None:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():  # a forked child needs its own thread
                self._loop, self._sender, self._pid = asyncio.new_event_loop(), Sender(self._group), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="hints", daemon=True).start()
        self._loop.call_soon_threadsafe(self._sender.tell, table_id, revision)
