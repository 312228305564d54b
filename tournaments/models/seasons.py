"""What connects events: a season whose table adds them up, a series that repeats."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Player
from tournaments.models.clubs import Club


class Season(models.Model):
    """A table over the finished events of a club between two days: points by place, or the scores
    themselves; the worst results dropped."""

    class Counts(models.TextChoices):
        PLACE = "place", _("Points by place")
        SCORE = "score", _("The score itself")

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=48)
    starts_on = models.DateField()
    ends_on = models.DateField()
    counts = models.CharField(max_length=5, choices=Counts.choices, default=Counts.PLACE)
    points = models.JSONField(default=list, help_text=_("for first, second ... place; who comes after has the last"))
    drop = models.PositiveSmallIntegerField(default=0, help_text=_("worst results left out"))

    class Meta:
        ordering = ("-ends_on", "-pk")
        constraints = (models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="season_forward"),)

    def __str__(self) -> str:
        return self.name


class Series(models.Model):
    """Events that repeat at the same hour of the wall clock, all made when the series is."""

    class Every(models.TextChoices):
        WEEK = "week", _("Every week")
        TWO_WEEKS = "two_weeks", _("Every second week")
        MONTH = "month", _("Every month, the same weekday")

    club = models.ForeignKey(Club, models.CASCADE, related_name="series")
    title = models.CharField(max_length=60)
    every = models.CharField(max_length=9, choices=Every.choices, default=Every.WEEK)
    first_at = models.DateTimeField()
    zone = models.CharField(max_length=40, default="UTC")
    until = models.DateField()
    made_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("club", "first_at")

    def __str__(self) -> str:
        return self.title
