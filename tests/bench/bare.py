"""The yardstick: an ASGI application that sends 4.2 KB to the four sockets of a table for every
message it receives, and nothing else - no Channels, no Django, no game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

SIZE = 4200
"""Bytes of a frame."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Table:
    """The sockets of one path in the order in which they came."""

    def __init__(self) -> None:
        self.sockets: list[Send] = []
        self.revision = 1

    def frame(self, seat: int) -> str:
        """What the client looks for in a frame of the site, padded to its size."""
        turn, form = "other", ""
        if self.revision % 4 == seat:
            turn, form = "mine", '<button name="action" value="pass">'
        head = (
            f'<main data-revision="{self.revision}" data-version="{self.revision}" data-phase="play" '
            f'data-turn="{turn}">{form}'
        )
        return head + _PADDING[len(head) :]


_PADDING = "x" * SIZE
_tables: dict[str, Table] = {}


async def application(scope: dict[str, Any], receive: Callable[[], Awaitable[dict[str, Any]]], send: Send) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    table = _tables.setdefault(scope["path"], Table())
    table.sockets.append(send)
    await send({"type": "websocket.send", "text": table.frame(len(table.sockets) - 1)})
    while (await receive())["type"] == "websocket.receive":
        table.revision += 1
        for seat, socket in enumerate(table.sockets):
            await socket({"type": "websocket.send", "text": table.frame(seat)})
