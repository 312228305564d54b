"""What the pages of the director's desk are sent: that the event has moved on. They read themselves
anew, since what is on them depends on who reads and on what he looks for."""

from __future__ import annotations

import json

from tournaments.live import frames
from tournaments.models import Event


@frames.page(frames.DESK)
def moved(event_id: int) -> str:
    """The version the event has now, for the desk's script."""
    version = Event.objects.filter(pk=event_id).values_list("version", flat=True).first()
    return json.dumps({"version": version or 0})
