"""Sockets of events and ladders."""

from django.urls import path

import games.converters  # noqa: F401  makes <id:...> known
from tournaments.consumers import EventConsumer, LadderConsumer

websocket_urlpatterns = [
    path("ws/events/<id:key>/", EventConsumer.as_asgi()),
    path("ws/ladders/<id:key>/", LadderConsumer.as_asgi()),
]
