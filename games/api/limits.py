"""How often somebody may ask, and how many streams he may hold, of this process."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

KNOWN = 10_000
"""Callers that a limit remembers; who asked longest ago is forgotten first."""


class Rate:
    """``burst`` requests at once and ``per_second`` in the long run, for each caller."""

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst, self.per_second = burst, per_second
        self._credits: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, caller: Hashable) -> float:
        """Count a request: 0 where it may go on, else the seconds after which the next one may."""
        now = time.monotonic()
        with self._lock:
            credit, at = self._credits.pop(caller, (self.burst, now))
            credit = min(self.burst, credit + (now - at) * self.per_second)
            allowed = credit >= 1
            self._credits[caller] = (credit - allowed, now)
            if len(self._credits) > KNOWN:
                self._credits.popitem(last=False)
        return 0.0 if allowed else (1 - credit) / self.per_second

    def forget(self) -> None:
        """Everybody begins anew."""
        with self._lock:
            self._credits.clear()


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


BY_ADDRESS = Rate(burst=60, per_second=2)
"""Without a token, and with one that is refused."""

BY_PERSON = Rate(burst=60, per_second=10)

STREAMS_BY_ADDRESS = Places(each=10, together=500)
STREAMS_BY_PERSON = Places(each=4, together=500)
