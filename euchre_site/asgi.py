"""The site as one ASGI application: pages, static files and the sockets of the tables.

Daphne serves it here; nothing in it depends on Daphne.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from typing import Any

from blacknoise import BlackNoise
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "euchre_site.settings")
pages = get_asgi_application()

from games.api.urls import streams  # noqa: E402  needs the applications loaded
from games.routing import nothing_here  # noqa: E402  needs the applications loaded
from games.routing import websocket_urlpatterns as tables  # noqa: E402
from tournaments.routing import websocket_urlpatterns as events  # noqa: E402


async def _with_nosniff(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Static files, with the header that Django gives every page."""

    async def send_on(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"x-content-type-options", b"nosniff")]
        await send(message)

    await static_files(scope, receive, send_on)


async def _http(scope: dict[str, Any], receive: Any, send: Any) -> None:
    path = scope["path"]
    if path.startswith(settings.STATIC_URL):
        await _with_nosniff(scope, receive, send)
    elif path.startswith("/api/") and path.endswith("/stream"):
        await _streams(scope, receive, send)
    else:
        await pages(scope, receive, send)


_streams = URLRouter([*streams, re_path(r"", pages)])
static_files = BlackNoise(pages, immutable_file_test=re.compile(r"\.[0-9a-f]{12}\.[^/]+$").search)
static_files.add(settings.STATIC_ROOT, settings.STATIC_URL)

application = ProtocolTypeRouter(
    {
        "http": _http,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter([*tables, *events, nothing_here]))),
    }
)

# Hardly anything here is freed by the search for cycles, which takes a tenth of the CPU time of a
# busy process and makes pauses: what is loaded by now is left out of it, and it is done less often.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 20)

# A thread that has waited for the database gets the interpreter back from a busy event loop after so
# many seconds: ten times as soon as usual, for each move waits several times.
sys.setswitchinterval(0.0005)
