"""Sockets."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

import games.converters  # noqa: F401  makes <id:...> known
from games.consumers import TableConsumer


async def _nothing_here(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Refuse a socket at an address that does not exist."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})


nothing_here = re_path(r"", _nothing_here)
"""The last of all: whatever no other takes."""

websocket_urlpatterns = [path("ws/tables/<id:table_id>/", TableConsumer.as_asgi())]
