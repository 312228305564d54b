"""What every hub does its work with: the event loop it is bound to, the tasks it has there, a few
threads with the database, and the hints of other processes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, ParamSpec, TypeVar

from channels.layers import get_channel_layer

from games.live import hints
from games.live.threads import DatabaseThreads

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


class Work:
    """A hub of a group of hints, one in each process."""

    def __init__(self, group: str) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._group = group
        self._threads: DatabaseThreads | None = None
        self._channel: str | None = None
        self._heard = asyncio.Event()
        self._hints = hints.Sender(group)
        self._tasks: set[asyncio.Task[None]] = set()
        self._elsewhere = hints.ThreadSender(group)

    async def stop(self) -> None:
        """End the hub's work in this loop and close its threads' connections."""
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
        """Run a function that uses the database in one of the hub's few threads, whose
        connections stay open. What it publishes is shown before this returns to its caller."""
        assert self._threads is not None
        return await self._threads.run(partial(function, *args, **kwargs))

    def _moved(self, key: int, revision: int) -> None:
        """Something that this hub may show has moved on, as another process hints."""
        raise NotImplementedError

    def _bind(self, threads: int, *works: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin the works anew in the running loop, each again and again."""
        self.loop, self._channel = asyncio.get_running_loop(), None
        self._heard, self._hints = asyncio.Event(), hints.Sender(self._group)
        self._threads = DatabaseThreads(threads)
        for work in (self._listen, *works):
            self._spawn(self._forever(work))

    async def _listen(self) -> None:
        if self._channel is None:
            self._channel = self._hints.origin = await get_channel_layer().new_channel("hub.")
        async for revisions in hints.heard(self._group, self._channel, self._heard):
            for key, revision in revisions.items():
                self._moved(key, revision)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

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
