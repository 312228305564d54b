"""Sockets of events."""

from django.urls import path

import games.converters  # noqa: F401  makes <id:...> known
from tournaments.consumers import EventConsumer

websocket_urlpatterns = [path("ws/events/<id:event_id>/", EventConsumer.as_asgi())]
