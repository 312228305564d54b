"""What must happen regularly, and when it last did."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """When something last happened that must happen regularly (``sweep``), or when a worker starts
    (``bots``: how its bots think)."""

    name = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()
    note = models.CharField(max_length=16, blank=True)

    def __str__(self) -> str:
        return self.name
