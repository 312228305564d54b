"""Tables and their seats. The live state of a table is one row of :class:`Table`."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.players import Player


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
    bots = models.CharField(
        max_length=16, blank=True, help_text=_("level of the bots wanted; empty: any; none: people only")
    )
    private = models.BooleanField(default=False, help_text=_("in nobody's lobby; who has the link may sit"))
    code = models.CharField(max_length=16, blank=True, editable=False, help_text=_("of the link to a private table"))
    watchable = models.BooleanField(default=True, help_text=_("others may watch"))
    patient = models.BooleanField(default=False, help_text=_("waits for who is away instead of a bot"))
    hints = models.BooleanField(default=False, help_text=_("whoever is on turn may ask for a hint"))
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
    win_offered = models.PositiveSmallIntegerField(null=True, help_text=_("side whose opponents have all left"))
    answers = models.PositiveSmallIntegerField(
        default=0, help_text=_("bit per seat: takes the win that is offered; four bits on: plays on")
    )

    class Meta:
        indexes = (
            models.Index(fields=("due_at",), condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(fields=("fill_at",), condition=Q(fill_at__isnull=False), name="table_fill"),
            models.Index(fields=("phase", "-id"), name="table_phase"),
        )
        constraints = (
            models.UniqueConstraint(fields=("code",), condition=~Q(code=""), name="table_code"),
            models.CheckConstraint(
                condition=Q(hints=False) | Q(ranked=False, reserved=False), name="hints_in_friendly_games"
            ),
        )

    def __str__(self) -> str:
        return self.title or f"Table {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.pk])


class Seat(models.Model):
    """One of a table's seats, clockwise from 0. Of four, partners sit at 0 and 2, 1 and 3.

    At a reserved table, and where a seat is kept for a partner, the player is known before he comes; he
    is there once he holds the seat.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="seats")
    kept_until = models.DateTimeField(null=True, help_text=_("kept for a partner who was asked, until then"))
    held = models.BooleanField(default=False, help_text=_("a person holds it: no other running seat for that person"))
    ask_alone = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True)
    lost_at = models.DateTimeField(null=True, help_text=_("connection lost since"))
    left_at = models.DateTimeField(null=True, help_text=_("left a running game"))
    bot_since = models.DateTimeField(null=True, help_text=_("a bot keeps the seat for its owner since"))
    missed = models.PositiveSmallIntegerField(default=0, help_text=_("moves in a row played by the clock"))
    missed_all = models.PositiveSmallIntegerField(default=0, help_text=_("moves of this game played by the clock"))
    program = models.BooleanField(default=False, help_text=_("a program plays it, with its owner's token"))
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
