"""Who plays with whom, and who would rather not."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.players import Player


class Friendship(models.Model):
    """``asker`` would like to be friends with ``asked``; they are once it is accepted."""

    asker = models.ForeignKey(Player, models.CASCADE, related_name="friends_asked")
    asked = models.ForeignKey(Player, models.CASCADE, related_name="friends_offered")
    asked_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("asker", "asked"), name="friendship_once"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="no_friend_of_oneself"),
        )

    def __str__(self) -> str:
        return f"{self.asker_id} → {self.asked_id}"


class Block(models.Model):
    """``player`` does not read ``blocked``; with ``seats`` they are not seated together either."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Player, models.CASCADE, related_name="blocked_by")
    seats = models.BooleanField(default=True, help_text=_("never at one table either"))
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("player", "blocked"), name="block_once"),
            models.CheckConstraint(condition=~Q(player=F("blocked")), name="no_block_of_oneself"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} × {self.blocked_id}"
