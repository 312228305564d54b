"""The site as one ASGI application: pages, static files and the sockets of the tables.

Daphne serves it here; nothing in it depends on Daphne.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from asgiref.wsgi import WsgiToAsgi
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import re_path
from whitenoise import WhiteNoise

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "euchre_site.settings")
pages = get_asgi_application()

from games.routing import websocket_urlpatterns  # noqa: E402  needs the applications loaded


def _not_found(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response(f"{HTTPStatus.NOT_FOUND.value} {HTTPStatus.NOT_FOUND.phrase}", [("Content-Type", "text/plain")])
    return [b"There is no such file."]


def _add_headers(headers: Any, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"


# WhiteNoise as an application of its own: as middleware it would put its synchronous file
# reading, and Django's warning about it, between every request and its page.
static_files = WsgiToAsgi(
    WhiteNoise(
        _not_found,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        immutable_file_test=r"\.[0-9a-f]{12}\.[^/]+$",
        allow_all_origins=False,
        add_headers_function=_add_headers,
    )
)

application = ProtocolTypeRouter(
    {
        "http": URLRouter([re_path(rf"^{settings.STATIC_URL.lstrip('/')}", static_files), re_path(r"", pages)]),
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
