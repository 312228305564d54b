"""Hints between processes: which tables have moved on, and to which revision. Never a card.

A hint may be lost: the hub compares revisions with the database every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Mapping

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

GROUP = "tables"
"""The group of the channel layer that every hub listens to."""

Revisions = Mapping[int, int]
"""Tables by id, each with its revision."""


async def send(revisions: Revisions, origin: str) -> None:
    """Tell every hub but ``origin``'s own. Logs a failure: the layer may be away."""
    message = {"type": "table.hint", "tables": list(revisions.items()), "origin": origin}
    try:
        await get_channel_layer().group_send(GROUP, message)
    except Exception:  # whatever redis or the socket raises
        log.warning("no hint could be sent for tables %s", ", ".join(map(str, revisions)))


class Sender:
    """Sends the hints of one event loop. What comes while a message is on its way is gathered
    for the next: the busier a process, the less a hint costs."""

    def __init__(self, origin: str = "") -> None:
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
                await send(revisions, self.origin)
        finally:
            self._task = None


async def heard(channel: str, listening: asyncio.Event) -> AsyncIterator[Revisions]:
    """The hints of other processes as they come, on a channel of one's own, which is the origin
    of one's own hints; ``listening`` is set once none is missed."""
    layer = get_channel_layer()
    await layer.group_add(GROUP, channel)
    listening.set()
    while True:
        message = await layer.receive(channel)
        if message["origin"] != channel:
            yield dict(message["tables"])


class ThreadSender:
    """Sends hints from a process without an event loop (a worker, a command), on a thread of its own."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sender = Sender()
        self._pid = 0
        self._lock = threading.Lock()

    def tell(self, table_id: int, revision: int) -> None:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():  # a forked child needs its own thread
                self._loop, self._sender, self._pid = asyncio.new_event_loop(), Sender(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="hints", daemon=True).start()
        self._loop.call_soon_threadsafe(self._sender.tell, table_id, revision)
