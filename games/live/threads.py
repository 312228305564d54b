"""A few threads with a database connection each, for coroutines.

``asyncio.to_thread`` and Channels' own helper cost several times as much for each call, and the
latter opens and closes the connections that here stay open.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
R = TypeVar("R")

RESTED = 1.0
"""Seconds without use after which a connection is looked at before it is used again: the database
may have been restarted."""


class DatabaseThreads:
    """Threads that work for one event loop, in which all methods but :meth:`call_soon` are called."""

    def __init__(self, count: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._here = threading.local()
        self._threads = [threading.Thread(target=self._work, name=f"table-{n}", daemon=True) for n in range(count)]
        for thread in self._threads:
            thread.start()

    async def run(self, call: Callable[[], R]) -> R:
        """Call it in one of the threads; its result, or its exception. A caller who is cancelled
        meanwhile does not stop it."""
        waiter: asyncio.Future[R] = self._loop.create_future()
        self._jobs.put((call, waiter))
        return await waiter

    def call_soon(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call it in the event loop: when the call that runs in this thread ends, just before its
        caller goes on; from any other thread at once. One wake-up of the loop serves both."""
        later = getattr(self._here, "later", None)
        if later is None:
            self._loop.call_soon_threadsafe(lambda: callback(*args, **kwargs))
        else:
            later.append(lambda: callback(*args, **kwargs))

    async def stop(self) -> None:
        """Let the threads do what they have got, close their connections and end."""
        for _thread in self._threads:
            self._jobs.put(None)
        await asyncio.gather(*(asyncio.to_thread(thread.join) for thread in self._threads))

    def _work(self) -> None:
        used = time.monotonic()
        while (job := self._jobs.get()) is not None:
            call, waiter = job
            later: list[Callable[[], object]] = []
            self._here.later = later
            result, error = None, None
            try:
                if connection.errors_occurred or time.monotonic() - used > RESTED:
                    connection.close_if_unusable_or_obsolete()
                result = call()
            except BaseException as caught:  # whatever it is, it is the caller's
                error = caught
            used = time.monotonic()
            self._loop.call_soon_threadsafe(_finish, waiter, result, error, later)
            del job, call, waiter, result, error, later
        connection.close()


def _finish(
    waiter: asyncio.Future[Any], result: Any, error: BaseException | None, later: list[Callable[[], object]]
) -> None:
    for callback in later:
        callback()
    if waiter.cancelled():
        return
    if error is None:
        waiter.set_result(result)
    else:
        waiter.set_exception(error)
