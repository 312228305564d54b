"""The deal of the day and what people made of it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.players import Player


class DailyDeal(models.Model):
    """The deal that everybody may play on one day (UTC), each against the same bots."""

    day = models.DateField(unique=True)
    rules = models.CharField(max_length=800)
    deck = models.CharField(max_length=80, editable=False)
    dealer = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(help_text=_("the player's"))
    secret = models.BinaryField(max_length=32, editable=False, help_text=_("all else follows from it"))
    par = models.JSONField(null=True, editable=False, help_text=_("once a worker has seen to it"))

    class Meta:
        ordering = ("-day",)

    def __str__(self) -> str:
        return f"deal of {self.day}"


class DailyPlay(models.Model):
    """Somebody's one attempt at the deal of a day. What it came to is empty until it is finished."""

    deal = models.ForeignKey(DailyDeal, models.CASCADE, related_name="plays")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="daily_plays")
    actions = models.TextField(blank=True, editable=False, help_text=_("of all seats, in notation"))
    points = models.SmallIntegerField(null=True, help_text=_("own side's less the other's"))
    maker = models.PositiveSmallIntegerField(null=True)
    trump = models.CharField(max_length=1, blank=True)
    alone = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("deal", "player"), name="daily_play_once"),
            models.CheckConstraint(
                condition=Q(points__isnull=True, finished_at__isnull=True)
                | Q(points__isnull=False, finished_at__isnull=False),
                name="daily_play_finished_with_points",
            ),
        )
        indexes = (models.Index(fields=("player", "finished_at"), name="daily_play_player"),)

    def __str__(self) -> str:
        return f"{self.deal_id}/{self.player_id}"
