"""How often somebody may ask, of all processes together, and how many streams he may hold, of this process."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from math import ceil
from typing import cast

import redis
from django.conf import settings

KNOWN = 10_000
"""Callers that a process remembers while it counts alone; who asked longest ago is forgotten first."""

PATIENCE = 0.25
"""Seconds to wait for Valkey."""

ALONE = 5.0
"""Seconds for which a process counts alone, after Valkey has not answered."""

_TAKE = """
local kept = redis.call('HMGET', KEYS[1], 'credit', 'at')
local burst, per_second = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local credit, at = tonumber(kept[1]) or burst, tonumber(kept[2]) or now
credit = math.min(burst, credit + math.max(0, now - at) * per_second)
local wait = credit < 1 and (1 - credit) / per_second or 0
if credit >= 1 then credit = credit - 1 end
redis.call('HSET', KEYS[1], 'credit', string.format('%.6f', credit), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], ARGV[3])
return string.format('%.6f', wait)
"""
"""Takes one of a caller's credits, in one step whatever other processes do; the seconds to wait, 0 if it was there."""


@cache
def _valkey() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, decode_responses=True
    )


class Rate:
    """``burst`` requests at once and ``per_second`` in the long run, for each caller: counted in Valkey, for
    all processes together; while that is away by each process for itself."""

    def __init__(self, name: str, burst: float, per_second: float) -> None:
        self.name, self.burst, self.per_second = name, burst, per_second
        self._alone_until = 0.0
        self._credits: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, caller: Hashable) -> float:
        """Count a request: 0 where it may go on, else the seconds after which the next one may."""
        if time.monotonic() >= self._alone_until:
            try:
                return self._take(caller)
            except redis.RedisError:
                self._alone_until = time.monotonic() + ALONE
        return self._take_here(caller)

    def _take(self, caller: Hashable) -> float:
        forgotten = ceil(self.burst / self.per_second) + 1
        wait = _valkey().eval(_TAKE, 1, f"{self._prefix}{caller}", self.burst, self.per_second, forgotten)
        return float(cast(str, wait))

    def _take_here(self, caller: Hashable) -> float:
        now = time.monotonic()
        with self._lock:
            credit, at = self._credits.pop(caller, (self.burst, now))
            credit = min(self.burst, credit + (now - at) * self.per_second)
            allowed = credit >= 1
            self._credits[caller] = (credit - allowed, now)
            if len(self._credits) > KNOWN:
                self._credits.popitem(last=False)
        return 0.0 if allowed else (1 - credit) / self.per_second

    @property
    def _prefix(self) -> str:
        return f"{settings.REDIS_PREFIX}:rate:{self.name}:"

    def forget(self) -> None:
        """Everybody begins anew."""
        with self._lock:
            self._credits.clear()
        for key in _valkey().scan_iter(f"{self._prefix}*"):
            _valkey().delete(key)


class Places:
    """So many at a time for each caller, and for all together. Used in one event loop."""

    def __init__(self, each: int, together: int) -> None:
        self.each, self.together = each, together
        self.taken: Counter[Hashable] = Counter()

    def full(self, caller: Hashable) -> bool:
        return self.taken[caller] >= self.each or self.taken.total() >= self.together

    @contextmanager
    def take(self, caller: Hashable) -> Iterator[None]:
        self.taken[caller] += 1
        try:
            yield
        finally:
            self.taken[caller] -= 1
            self.taken += Counter()  # forgets who has none


BY_ADDRESS = Rate("address", burst=60, per_second=2)
"""Without a token, and with one that is refused."""

BY_PERSON = Rate("person", burst=60, per_second=10)

STREAMS_BY_ADDRESS = Places(each=10, together=500)
STREAMS_BY_PERSON = Places(each=4, together=500)
