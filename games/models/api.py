"""How programs come in."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from games.models.players import Player


class Token(models.Model):
    """A personal token of the API. Only a digest is stored; ``tail`` is for people to tell theirs apart."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    tail = models.CharField(max_length=4, editable=False)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return f"{self.name} (…{self.tail})"
