"""What is stored. Constraints only: rules live in ``games.engine``, writes in ``games.services``.

The live state of a table is one row of :class:`Table`. Everything else here is who sits
where (:class:`Seat`) and what has been finished (:class:`Game`, :class:`Deal`,
:class:`Participation`, :class:`RatingChange`).
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class PlayerManager(BaseUserManager["Player"]):
    def get_by_natural_key(self, username: str | None) -> Player:
        """Log-in is by name, whatever the case and spelling look-alikes."""
        from games.names import name_key

        return self.get(name_key=name_key(username or ""))

    def create_user(self, name: str, password: str | None = None, **extra: Any) -> Player:
        player = self.model(name=name, **extra)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, name: str, password: str | None = None, **extra: Any) -> Player:
        return self.create_user(name, password, is_staff=True, is_superuser=True, **extra)


class Player(AbstractBaseUser, PermissionsMixin):
    """A person with an account, or a bot (``bot_level`` set, no usable password)."""

    name = models.CharField(_("name"), max_length=24)
    name_key = models.CharField(max_length=96, unique=True, editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    bot_level = models.CharField(max_length=16, blank=True, editable=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    ask_alone = models.BooleanField(default=False, help_text=_("Ask me whether I go alone on other people's calls"))
    seen_at = models.DateTimeField(null=True, editable=False, help_text=_("last look at the lobby"))

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = PlayerManager()

    class Meta:
        ordering = ("name_key",)
        indexes = (models.Index(fields=("seen_at",), condition=Q(seen_at__isnull=False), name="player_seen"),)

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        from games.names import name_key

        self.name_key = name_key(self.name)
        super().save(*args, **kwargs)

    @property
    def is_bot(self) -> bool:
        return bool(self.bot_level)

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.name])


class Rating(models.Model):
    """A player's rating now. Bots keep the published rating of their level."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="rating", primary_key=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    updated_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.mu:.0f} ± {self.sigma:.0f}"


class Table(models.Model):
    """A table and, in one row, the whole live state of the game on it.

    ``version`` counts moves: every form of the table carries it, and a move with another
    version is refused. ``revision`` counts everything visible, seat changes included: it
    orders what browsers receive. ``due_at`` is when the clock or a bot has to act;
    ``fill_at`` when bots take the seats still empty. ``roster`` counts changes of seats.
    """

    class Phase(models.TextChoices):
        OPEN = "open", _("waiting for players")
        SWAP = "swap", _("cards put under")
        BENNY = "benny", _("the joker's suit")
        BID1 = "bid1", _("first round of bidding")
        BID2 = "bid2", _("second round of bidding")
        EXCHANGE = "exchange", _("the dealer's exchange")
        DUMMY = "dummy", _("the maker's extra cards")
        ALONE = "alone", _("going alone")
        BEST = "best", _("partner's best")
        PLAY = "play", _("play")
        BETWEEN = "between", _("between deals")
        OVER = "over", _("game over")
        CLOSED = "closed", _("closed")

    DEALING = (
        *(Phase.SWAP, Phase.BENNY, Phase.BID1, Phase.BID2, Phase.EXCHANGE),
        *(Phase.DUMMY, Phase.ALONE, Phase.BEST, Phase.PLAY),
    )
    RUNNING = (*DEALING, Phase.BETWEEN)

    title = models.CharField(max_length=40, blank=True)
    ranked = models.BooleanField(default=True)
    pace = models.PositiveSmallIntegerField(default=20, help_text=_("seconds a move"))
    rules = models.CharField(max_length=800, default="article")
    quick = models.BooleanField(default=False, help_text=_("made by quick match"))
    reserved = models.BooleanField(default=False, help_text=_("its seats are kept for given players"))
    back = models.CharField(max_length=120, blank=True, help_text=_("the address of what the game belongs to"))
    bots = models.CharField(max_length=16, blank=True, help_text=_("level of the bots wanted; empty: any"))
    host = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.OPEN)
    version = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    roster = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    fill_at = models.DateTimeField(null=True)

    game = models.OneToOneField("Game", models.SET_NULL, null=True, related_name="live_table")
    deal_number = models.PositiveSmallIntegerField(default=0)
    dealer = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(null=True)
    score_0 = models.PositiveSmallIntegerField(default=0)
    score_1 = models.PositiveSmallIntegerField(default=0)
    score_2 = models.PositiveSmallIntegerField(default=0, help_text=_("of the third side, where three play"))
    match = models.CharField(max_length=40, blank=True, help_text=_("games won, and laps carried on, by side"))
    seed = models.BinaryField(max_length=32, default=b"", editable=False, help_text=_("of the chain in use"))
    next_seed = models.BinaryField(max_length=32, default=b"", editable=False, help_text=_("of the chain promised"))
    commitment = models.CharField(max_length=64, blank=True, help_text=_("of the newest chain"))
    deck = models.CharField(max_length=80, blank=True, editable=False)
    actions = models.TextField(blank=True, editable=False, help_text=_("the deal so far, in notation"))
    played_by = models.CharField(max_length=80, blank=True, editable=False, help_text=_("h, b or c for each action"))
    maker_alone = models.BooleanField(null=True, editable=False, help_text=_("the caller's switch, until it is asked"))
    ready = models.PositiveSmallIntegerField(default=0, help_text=_("bit per seat: next deal, or rematch"))

    class Meta:
        indexes = (
            models.Index(fields=("due_at",), condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(fields=("fill_at",), condition=Q(fill_at__isnull=False), name="table_fill"),
            models.Index(fields=("phase", "-id"), name="table_phase"),
        )

    def __str__(self) -> str:
        return self.title or f"Table {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.pk])


class Seat(models.Model):
    """One of a table's seats, clockwise from 0. Of four, partners sit at 0 and 2, 1 and 3.

    At a reserved table the player is known before he comes; he is there once he holds the seat.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="seats")
    held = models.BooleanField(default=False, help_text=_("a person holds it: no other running seat for that person"))
    ask_alone = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True)
    lost_at = models.DateTimeField(null=True, help_text=_("connection lost since"))
    left_at = models.DateTimeField(null=True, help_text=_("left a running game"))
    bot_since = models.DateTimeField(null=True, help_text=_("a bot keeps the seat for its owner since"))
    missed = models.PositiveSmallIntegerField(default=0, help_text=_("moves in a row played by the clock"))
    nonce = models.CharField(max_length=32, blank=True, help_text=_("added by the browser for the chain promised"))

    class Meta:
        ordering = ("table", "index")
        constraints = (
            models.UniqueConstraint(fields=("table", "index"), name="seat_once"),
            models.UniqueConstraint(fields=("player",), condition=Q(held=True), name="one_held_seat_per_player"),
            models.CheckConstraint(condition=Q(held=False) | Q(player__isnull=False), name="held_by_somebody"),
            models.CheckConstraint(condition=Q(index__lt=4), name="four_seats"),
        )

    def __str__(self) -> str:
        return f"{self.table_id}/{self.index}"


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


class RuleSet(models.Model):
    """House rules, in notation, that a player has saved under a name."""

    owner = models.ForeignKey(Player, models.CASCADE, related_name="rule_sets")
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=160, editable=False)
    rules = models.CharField(max_length=800)

    class Meta:
        ordering = ("owner", "name_key")
        constraints = (models.UniqueConstraint(fields=("owner", "name_key"), name="rule_set_once"),)

    def __str__(self) -> str:
        return self.name


class DealCounts(models.Model):
    """What all scored deals held, by the kind of deal (``games.chance``), up to and with one of them."""

    name = models.CharField(max_length=16, primary_key=True, default="all")
    last_deal = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"deals up to {self.last_deal}"


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


class Pulse(models.Model):
    """When something last happened that must happen regularly (``sweep``), or when a worker starts
    (``bots``: how its bots think)."""

    name = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()
    note = models.CharField(max_length=16, blank=True)

    def __str__(self) -> str:
        return self.name


__all__ = [
    "Accuracy",
    "Analysis",
    "DailyDeal",
    "DailyPlay",
    "Deal",
    "DealCounts",
    "Game",
    "Participation",
    "Player",
    "Pulse",
    "Rating",
    "RatingChange",
    "RuleSet",
    "Seat",
    "StaffAction",
    "Table",
]
