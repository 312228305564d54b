"""The addresses below ``/api/``; :data:`streams` are those that are served beside Django's views."""

from __future__ import annotations

from django.urls import URLPattern, include, path, re_path

import games.converters  # noqa: F401  makes <id:...> known
from games.api import pages
from games.api.guard import guarded, nothing_here
from games.api.stream import stream
from games.api.v1 import api


def _guarded() -> list[URLPattern]:
    patterns = [one for one in api.urls[0] if isinstance(one, URLPattern) and one.name != "api-root"]
    for pattern in patterns:
        pattern.callback = guarded(pattern.callback)
    return patterns


urlpatterns = [
    path("", pages.reference, name="api"),
    path("v1/", include((_guarded(), "api"), namespace="api-v1")),
    re_path(r"", nothing_here),
]

streams = [path("api/v1/tables/<id:table_id>/stream", stream)]  # type: ignore[arg-type]  # none of Django's
"""ASGI applications: at these addresses Django's views are not asked."""
