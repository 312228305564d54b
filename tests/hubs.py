"""Scenarios with the sockets of a hub."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from asgiref.sync import async_to_sync

from games.live.work import Work

Scenario = Callable[[], Coroutine[Any, Any, None]]


def runner(hub: Work) -> Callable[[Scenario], None]:
    """What runs a scenario in a loop of its own, and stops the hub at its end: the next one has another loop."""

    def run(scenario: Scenario) -> None:
        async def whole() -> None:
            try:
                await scenario()
            finally:
                await hub.stop()

        async_to_sync(whole)()

    return run
