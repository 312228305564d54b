"""What is played and was played: games, deals, who sat where, what came of it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.players import Player
from games.models.tables import Table


class Game(models.Model):
    """A game from the first deal to the target. Its live part is in its table's row."""

    class Status(models.TextChoices):
        PLAYING = "playing", _("being played")
        FINISHED = "finished", _("finished")
        ENDED = "ended", _("ended by staff")

    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="games")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.PLAYING)
    ranked = models.BooleanField()
    pace = models.PositiveSmallIntegerField()
    rules = models.CharField(max_length=800)
    first_dealer = models.PositiveSmallIntegerField()
    start = models.CharField(max_length=12, blank=True, help_text=_("the score it began with: laps of the game before"))
    chains = models.TextField(blank=True, help_text=_("commitments and nonces, a line for each chain"))
    score_0 = models.PositiveSmallIntegerField(default=0)
    score_1 = models.PositiveSmallIntegerField(default=0)
    score_2 = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    with_bots = models.BooleanField(default=False)
    hints = models.BooleanField(default=False, help_text=_("whoever was on turn could ask for a hint"))
    won_by_leave = models.BooleanField(default=False, help_text=_("the other side had left, and the win was taken"))
    voided_at = models.DateTimeField(null=True, help_text=_("its rating changes are taken back"))

    class Meta:
        indexes = (models.Index(fields=("status", "-finished_at"), name="game_finished"),)

    def __str__(self) -> str:
        return f"Game {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.pk])


class Deal(models.Model):
    """A scored or passed-out deal: enough to replay it, and its result for statistics."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    secret = models.BinaryField(max_length=32)
    deck = models.CharField(max_length=80)
    actions = models.TextField()
    played_by = models.CharField(max_length=80)
    maker = models.PositiveSmallIntegerField(null=True)
    trump = models.CharField(max_length=1, blank=True)
    loners = models.PositiveSmallIntegerField(default=0, help_text=_("bit per seat: went alone"))
    tricks_0 = models.PositiveSmallIntegerField(default=0)
    tricks_1 = models.PositiveSmallIntegerField(default=0)
    tricks_2 = models.PositiveSmallIntegerField(default=0)
    points_0 = models.PositiveSmallIntegerField(default=0)
    points_1 = models.PositiveSmallIntegerField(default=0)
    points_2 = models.PositiveSmallIntegerField(default=0)
    finished_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("game", "number")
        constraints = (models.UniqueConstraint(fields=("game", "number"), name="deal_once"),)

    def __str__(self) -> str:
        return f"{self.game_id} deal {self.number}"


class Participation(models.Model):
    """Who sat at a seat of a game, and what came of it (filled when the game finishes)."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="participations")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="participations")
    won = models.BooleanField(null=True)
    left = models.BooleanField(default=False, help_text=_("a bot held the seat at the end"))
    program = models.BooleanField(default=False, help_text=_("a program played it, with its owner's token"))
    finished_at = models.DateTimeField(null=True)
    deals = models.PositiveSmallIntegerField(default=0)
    calls = models.PositiveSmallIntegerField(default=0)
    calls_made = models.PositiveSmallIntegerField(default=0)
    euchred = models.PositiveSmallIntegerField(default=0)
    euchres = models.PositiveSmallIntegerField(default=0)
    marches = models.PositiveSmallIntegerField(default=0)
    loners_tried = models.PositiveSmallIntegerField(default=0)
    loners_made = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "seat"), name="participation_once"),)
        indexes = (
            models.Index(fields=("player", "-finished_at"), name="participation_player"),
            models.Index(fields=("finished_at",), name="participation_finished"),
        )

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"


class RatingChange(models.Model):
    """What one rated game did to one player's rating."""

    participation = models.OneToOneField(Participation, models.CASCADE, related_name="rating_change", primary_key=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="rating_changes")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    voided = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=("player", "at"), name="rating_change_player"),)
        constraints = (
            models.CheckConstraint(condition=Q(sigma_after__gt=0) & Q(sigma_before__gt=0), name="sigma_positive"),
        )

    def __str__(self) -> str:
        return f"{self.mu_before:.0f} → {self.mu_after:.0f}"


class Analysis(models.Model):
    """What a deal that is over might have brought (``games.bots.analysis``), by one version of the
    analysis."""

    deal = models.OneToOneField(Deal, models.CASCADE, related_name="analysis", primary_key=True)
    version = models.PositiveSmallIntegerField()
    numbers = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"Analysis {self.deal_id}"


class Accuracy(models.Model):
    """How well somebody called and played in one game, once all its deals are analysed: decisions
    with a choice, those that were as good as the best, and the points that the others cost."""

    participation = models.OneToOneField(Participation, models.CASCADE, related_name="accuracy", primary_key=True)
    calls = models.PositiveSmallIntegerField(default=0)
    calls_right = models.PositiveSmallIntegerField(default=0)
    calls_lost = models.FloatField(default=0)
    leads = models.PositiveSmallIntegerField(default=0)
    leads_right = models.PositiveSmallIntegerField(default=0)
    leads_lost = models.FloatField(default=0)
    cards = models.PositiveSmallIntegerField(default=0)
    cards_right = models.PositiveSmallIntegerField(default=0)
    cards_lost = models.FloatField(default=0)

    class Meta:
        verbose_name_plural = "accuracies"

    def __str__(self) -> str:
        return f"Accuracy {self.participation_id}"


class StaffAction(models.Model):
    """What staff did to a game, why, and whether it was taken back."""

    class Kind(models.TextChoices):
        END = "end", _("ended the game")
        RESUME = "resume", _("let the game go on")
        VOID = "void", _("took the rating changes back")
        RESTORE = "restore", _("put the rating changes back")

    game = models.ForeignKey(Game, models.CASCADE, related_name="staff_actions")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.game_id}"


class DealCounts(models.Model):
    """What all scored deals held, by the kind of deal (``games.chance``), up to and with one of them."""

    name = models.CharField(max_length=16, primary_key=True, default="all")
    last_deal = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"deals up to {self.last_deal}"
