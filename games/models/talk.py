"""What people say at tables, and what staff do about it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.players import Player
from games.models.tables import Table

LONGEST_MESSAGE = 240
"""Characters."""


class Message(models.Model):
    """Something said at a table, to the players or among the watchers. A quick phrase is stored by its
    key and shown to each in his language."""

    class Room(models.TextChoices):
        SEATS = "seats", _("players")
        WATCHERS = "watchers", _("watchers")

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    deal_number = models.PositiveSmallIntegerField(default=0)
    room = models.CharField(max_length=8, choices=Room.choices)
    sender = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="messages")
    phrase = models.CharField(max_length=16, blank=True)
    text = models.CharField(max_length=LONGEST_MESSAGE, blank=True)
    at = models.DateTimeField(default=timezone.now)
    hidden_at = models.DateTimeField(null=True, help_text=_("staff took it away"))

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("table", "room", "-id"), name="message_table"),)
        constraints = (models.CheckConstraint(condition=Q(phrase="") ^ Q(text=""), name="message_phrase_or_text"),)

    def __str__(self) -> str:
        return self.text or self.phrase


class Report(models.Model):
    """Somebody tells staff about somebody else: the deal and what was said go with it."""

    class Reason(models.TextChoices):
        TALK = "talk", _("insults or unwanted talk")
        CHEATING = "cheating", _("partners tell each other their cards")
        STALLING = "stalling", _("plays slowly on purpose, or leaves")
        NAME = "name", _("an offensive name")
        OTHER = "other", _("something else")

    reporter = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="reports_made")
    reported = models.ForeignKey(Player, models.CASCADE, related_name="reports")
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="+")
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="reports")
    deal_number = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=10, choices=Reason.choices)
    words = models.CharField(max_length=500, blank=True)
    said = models.TextField(blank=True, help_text=_("the last messages of the table at that moment"))
    at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    outcome = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("-at",)
        indexes = (models.Index(fields=("-at",), condition=Q(closed_at__isnull=True), name="report_open"),)

    def __str__(self) -> str:
        return f"Report {self.pk}"


class Sanction(models.Model):
    """What staff did to somebody, why, for how long, and whether it was taken back."""

    class Kind(models.TextChoices):
        WARN = "warn", _("warned")
        MUTE = "mute", _("muted")
        BAN = "ban", _("banned")

    player = models.ForeignKey(Player, models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=4, choices=Kind.choices)
    reason = models.CharField(max_length=300, help_text=_("the person reads it"))
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    report = models.ForeignKey(Report, models.SET_NULL, null=True, related_name="sanctions")
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, help_text=_("empty: until it is lifted"))
    seen_at = models.DateTimeField(null=True, help_text=_("the person has read it"))
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    lifted_why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("-at",)
        indexes = (models.Index(fields=("player", "kind"), name="sanction_player"),)

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.player}"


class UnwantedWord(models.Model):
    """A word that is not shown in talk or accepted in names; the site's owner edits the list."""

    word = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ("word",)

    def __str__(self) -> str:
        return self.word


class SameAddress(models.Model):
    """Two accounts at one ranked table, at it or looking on, came from one address: for staff to know,
    not a verdict."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="same_addresses")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+", help_text=_("empty: a visitor"))
    watching = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "same addresses"
        constraints = (models.UniqueConstraint(fields=("game", "player", "other"), name="same_address_once"),)

    def __str__(self) -> str:
        return f"{self.game_id}: {self.player_id}, {self.other_id}"
