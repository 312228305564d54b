"""Events of a club: who plays, the rounds and tables drawn, what was reported, every step taken.

The rows are the event as it stands. :class:`Step` is its log: each step keeps what every row it
touched was before and is after, so it can be read, undone, and played again.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.models import Table as LiveTable
from tournaments.models.clubs import Club


class Event(models.Model):
    """A tournament of a club, from its announcement to its last result.

    ``format`` names a playbook (``tournaments.playbook``), ``settings`` are that format's, the
    scores' and the ranking's options as it reads them. ``due_at`` is when the scheduler has to
    look again; ``version`` counts everything visible. ``seed`` is the draw number, shown.
    """

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("event", "Not announced yet")
        OPEN = "open", pgettext_lazy("event", "Sign-up is open")
        CHECK_IN = "check_in", pgettext_lazy("event", "Check-in is open")
        RUNNING = "running", pgettext_lazy("event", "Running")
        FINISHED = "finished", pgettext_lazy("event", "Finished")
        CANCELLED = "cancelled", pgettext_lazy("event", "Cancelled")

    AHEAD = (State.OPEN, State.CHECK_IN)
    ENDED = (State.FINISHED, State.CANCELLED)

    class Kind(models.TextChoices):
        ONLINE = "online", _("Online, at this site’s tables")
        HALL = "hall", _("In a hall, with real cards")

    class NoShow(models.TextChoices):
        BOT = "bot", _("A bot plays until they come")
        SUBSTITUTE = "substitute", _("The director seats a substitute")
        FORFEIT = "forfeit", _("The table is forfeited")

    class Pairing(models.TextChoices):
        AUTOMATIC = "automatic", _("Rounds start by themselves")
        CLICK = "click", _("The director starts each round")
        DRAFT = "draft", _("The director sees each draw first")

    club = models.ForeignKey(Club, models.CASCADE, related_name="events")
    series = models.ForeignKey("Series", models.SET_NULL, null=True, related_name="events")
    title = models.CharField(max_length=60)
    about = models.TextField(max_length=2000, blank=True)
    fee = models.CharField(max_length=120, blank=True, help_text=_("what it costs and how it is paid, in words"))
    made_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    seed = models.PositiveIntegerField(default=0)

    format = models.CharField(max_length=20)
    settings = models.JSONField(default=dict)
    rounds_planned = models.PositiveSmallIntegerField(default=0, help_text=_("0: as many as the format needs"))
    rules = models.CharField(max_length=800, default="article", help_text=_("of the game, in notation"))
    pace = models.PositiveSmallIntegerField(default=20, help_text=_("seconds a move, online"))
    rated = models.BooleanField(default=False)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.ONLINE, help_text=_("of a new table"))

    starts_at = models.DateTimeField(null=True)
    zone = models.CharField(max_length=40, default="UTC", help_text=_("where the times are read"))
    closes_at = models.DateTimeField(null=True, help_text=_("end of sign-up; null: the start"))
    check_in = models.PositiveSmallIntegerField(default=0, help_text=_("minutes before the start; 0: none"))
    capacity = models.PositiveSmallIntegerField(default=0, help_text=_("entrants; 0: no limit"))
    late_until = models.PositiveSmallIntegerField(default=0, help_text=_("last round one can join in; 0: none"))
    bots_fill = models.BooleanField(default=False, help_text=_("bots make the number even, or come to the minimum"))
    approval = models.BooleanField(default=False, help_text=_("a director accepts each entry"))

    pairing = models.CharField(max_length=9, choices=Pairing.choices, default=Pairing.AUTOMATIC)
    round_minutes = models.PositiveSmallIntegerField(default=0, help_text=_("0: until all are done"))
    break_minutes = models.PositiveSmallIntegerField(default=0, help_text=_("between two rounds"))
    no_show_minutes = models.PositiveSmallIntegerField(default=10)
    no_show = models.CharField(max_length=10, choices=NoShow.choices, default=NoShow.BOT)

    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-starts_at", "-pk")
        indexes = (
            models.Index(fields=("due_at",), condition=Q(due_at__isnull=False), name="event_due"),
            models.Index(fields=("club", "state", "-starts_at"), name="event_of_club"),
            models.Index(fields=("state", "starts_at"), name="event_state"),
        )

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.pk])

    @property
    def club_closed(self) -> bool:
        """Whether it stands still because its club has closed before its end."""
        return self.state not in self.ENDED and self.club.closed_at is not None

    @property
    def word(self) -> str:
        """Its state in words."""
        return gettext("The club has closed") if self.club_closed else str(self.get_state_display())

    def word_of(self, state: str) -> str:
        """What an entrant in this state does in the event, or did when it is over."""
        if self.state in self.ENDED and state in Entrant.PLAYING:
            return pgettext("entrant", "Took part")
        return str(Entrant.State(state).label)


class Entrant(models.Model):
    """Who takes part: a person, a fixed pair or a team, known to the formats by ``number``.

    ``spare`` looks for a partner, ``asked`` waits to be accepted, ``waiting`` for a place.
    ``joined`` is the first round it could play, ``left`` the first it could not.
    """

    class State(models.TextChoices):
        ASKED = "asked", pgettext_lazy("entrant", "Waiting to be accepted")
        SPARE = "spare", pgettext_lazy("entrant", "Looking for a partner")
        WAITING = "waiting", pgettext_lazy("entrant", "On the waiting list")
        ENTERED = "entered", pgettext_lazy("entrant", "Signed up")
        CHECKED_IN = "checked_in", pgettext_lazy("entrant", "Checked in")
        ACTIVE = "active", pgettext_lazy("entrant", "Playing")
        PAUSED = "paused", pgettext_lazy("entrant", "Pausing")
        WITHDRAWN = "withdrawn", pgettext_lazy("entrant", "Withdrawn")
        DISQUALIFIED = "disqualified", pgettext_lazy("entrant", "Disqualified")

    LISTED = (State.ENTERED, State.CHECKED_IN)
    PLAYING = (State.ACTIVE, State.PAUSED)

    event = models.ForeignKey(Event, models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=140, help_text=_("of all its members, as shown"))
    state = models.CharField(max_length=12, choices=State.choices, default=State.ENTERED)
    seed = models.PositiveSmallIntegerField(default=0, help_text=_("1 is the strongest; 0: in order of number"))
    joined = models.PositiveSmallIntegerField(default=1)
    left = models.PositiveSmallIntegerField(null=True)
    missed = models.PositiveSmallIntegerField(default=0, help_text=_("no-shows in a row"))
    extra = models.IntegerField(default=0, help_text=_("won by an extra hand or a cut, where all else is level"))
    note = models.CharField(max_length=300, blank=True, help_text=_("for the directors' eyes"))
    entered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("event", "number")
        constraints = (models.UniqueConstraint(fields=("event", "number"), name="entrant_number"),)
        indexes = (models.Index(fields=("event", "state"), name="entrant_state"),)

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person of an entrant; without an account only a name. ``gone`` has been replaced for good."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="members")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="members")
    position = models.PositiveSmallIntegerField(default=0)
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="event_members")
    name = models.CharField(max_length=60)
    gone = models.BooleanField(default=False)

    class Meta:
        ordering = ("entrant", "position", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("event", "player"), condition=Q(player__isnull=False, gone=False), name="in_an_event_once"
            ),
        )

    def __str__(self) -> str:
        return self.name


class PartnerRequest(models.Model):
    """Somebody on the spare list asks another one to play as a pair."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="partner_requests")
    by = models.ForeignKey(Entrant, models.CASCADE, related_name="asked")
    to = models.ForeignKey(Player, models.CASCADE, related_name="partner_requests")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("by", "to"), name="partner_asked_once"),)

    def __str__(self) -> str:
        return f"{self.by_id}: {self.to_id}"


class Round(models.Model):
    """A round: drawn for the directors' eyes, published, played, closed. ``ends_at`` is when its
    time is up; while the clock is stopped it is null and ``left`` holds the seconds left.
    ``drawn_from`` is the fingerprint of the snapshot it was drawn from."""

    class State(models.TextChoices):
        DRAWN = "drawn", pgettext_lazy("round", "Drawn, not published")
        PUBLISHED = "published", pgettext_lazy("round", "Published")
        PLAYING = "playing", pgettext_lazy("round", "Being played")
        CLOSED = "closed", pgettext_lazy("round", "Closed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAWN)
    drawn_from = models.CharField(max_length=64, blank=True)
    notes = models.JSONField(default=list)
    byes = models.JSONField(default=list, help_text=_("numbers of entrants with a win and no opponent"))
    rests = models.JSONField(default=list, help_text=_("numbers of entrants that neither win nor lose"))
    starts_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    left = models.PositiveIntegerField(null=True)
    said = models.CharField(max_length=200, blank=True, help_text=_("announced to all tables"))
    published_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("event", "number")
        constraints = (models.UniqueConstraint(fields=("event", "number"), name="round_number"),)

    def __str__(self) -> str:
        return f"{self.event_id} round {self.number}"


class EventTable(models.Model):
    """A table of a round, and its result as it counts now. ``sides`` are two lists of entrants'
    numbers. Only a confirmed or forfeited table counts; its reports are kept beside it."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("table", "Not started")
        PLAYING = "playing", pgettext_lazy("table", "Playing")
        REPORTED = "reported", pgettext_lazy("table", "Reported by one side")
        DISPUTED = "disputed", pgettext_lazy("table", "Disputed")
        CONFIRMED = "confirmed", pgettext_lazy("table", "Done")
        FORFEIT = "forfeit", pgettext_lazy("table", "Forfeit")
        DOUBLE = "double", pgettext_lazy("table", "Nobody came")
        VOID = "void", pgettext_lazy("table", "Does not count")

    OPEN = (State.WAITING, State.PLAYING, State.REPORTED, State.DISPUTED)
    COUNTS = (State.CONFIRMED, State.FORFEIT, State.DOUBLE, State.VOID)

    event = models.ForeignKey(Event, models.CASCADE, related_name="tables")
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Event.Kind.choices)
    label = models.CharField(max_length=24, blank=True, help_text=_("the match of a bracket"))
    sides = models.JSONField(default=list)
    reasons = models.JSONField(default=list)
    locked = models.BooleanField(default=False, help_text=_("kept when the round is drawn again"))
    code = models.CharField(max_length=8, blank=True, help_text=_("opens the score page in the hall"))
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    points_0 = models.SmallIntegerField(null=True)
    points_1 = models.SmallIntegerField(null=True)
    winner = models.PositiveSmallIntegerField(null=True)
    absent = models.PositiveSmallIntegerField(null=True)
    counters = models.JSONField(default=dict, help_text=_("euchres, loners ... by name, then entrant"))
    deals = models.JSONField(default=dict, help_text=_("of a duplicate event: points by deal"))
    live_table = models.OneToOneField(LiveTable, models.SET_NULL, null=True, related_name="event_table")
    game_id = models.PositiveBigIntegerField(null=True, help_text=_("that gave the result"))
    started_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("round", "number")
        constraints = (
            models.UniqueConstraint(fields=("round", "number"), name="event_table_number"),
            models.UniqueConstraint(fields=("event", "code"), condition=~Q(code=""), name="event_table_code"),
        )
        indexes = (models.Index(fields=("event", "state"), name="event_table_state"),)

    def __str__(self) -> str:
        return f"{self.event_id} round {self.round_id} table {self.number}"


class Seating(models.Model):
    """An entrant at a table: nobody is twice in a round, whoever draws it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="seatings")
    table = models.ForeignKey(EventTable, models.CASCADE, related_name="seatings")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="seatings")
    side = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("table", "side", "pk")
        constraints = (models.UniqueConstraint(fields=("round", "entrant"), name="seated_once"),)

    def __str__(self) -> str:
        return f"{self.table_id}: {self.entrant_id}"


class Report(models.Model):
    """A result as somebody gave it. Reports are never changed; ``side`` is None for a director."""

    class Source(models.TextChoices):
        SIDE = "side", _("a side of the table")
        DIRECTOR = "director", _("a director")
        GAME = "game", _("the game itself")
        CLOCK = "clock", _("the schedule")

    table = models.ForeignKey(EventTable, models.CASCADE, related_name="reports")
    source = models.CharField(max_length=8, choices=Source.choices)
    side = models.PositiveSmallIntegerField(null=True)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(max_length=60, blank=True)
    values = models.JSONField(default=dict)
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("table", "pk")

    def __str__(self) -> str:
        return f"{self.table_id}: {self.source}"


class Wish(models.Model):
    """What the director wants of every draw: two entrants never or always together, never opponents;
    an entrant that stays at a table."""

    class Kind(models.TextChoices):
        NEVER_TOGETHER = "never_together", _("Never partners")
        ALWAYS_TOGETHER = "always_together", _("Always partners")
        NEVER_OPPONENTS = "never_opponents", _("Never opponents")
        FIXED_TABLE = "fixed_table", _("Stays at a table")

    event = models.ForeignKey(Event, models.CASCADE, related_name="wishes")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    one = models.ForeignKey(Entrant, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entrant, models.CASCADE, null=True, related_name="+")
    table = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("event", "kind", "one", "other"), name="wish_once"),
            models.CheckConstraint(condition=Q(other__isnull=True) ^ Q(table__isnull=True), name="wish_of_one_kind"),
        )

    def __str__(self) -> str:
        return f"{self.event_id}: {self.kind}"


class EventLink(models.Model):
    """A link that makes whoever opens it a director or a deputy (types scores), or shows the players'
    page, without a part in the club. The token is not kept, only its hash."""

    class Part(models.TextChoices):
        PLAYER = "player", pgettext_lazy("part in an event", "Player")
        DEPUTY = "deputy", pgettext_lazy("part in an event", "Deputy")
        DIRECTOR = "director", pgettext_lazy("part in an event", "Director")

    event = models.ForeignKey(Event, models.CASCADE, related_name="links")
    part = models.CharField(max_length=8, choices=Part.choices)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.part}"


class Place(models.Model):
    """Where somebody ended in a finished event: what season tables and profiles add up."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="places")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="places")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="event_places")
    name = models.CharField(max_length=60)
    place = models.PositiveSmallIntegerField(null=True, help_text=_("null: withdrawn"))
    score = models.FloatField(default=0)
    games = models.PositiveSmallIntegerField(default=0)
    wins = models.FloatField(default=0)
    points = models.IntegerField(default=0)
    counters = models.JSONField(default=dict)

    class Meta:
        ordering = ("event", "place", "pk")
        indexes = (models.Index(fields=("player", "event"), name="place_of_player"),)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.place} {self.name}"


class Step(models.Model):
    """What was done to an event, by whom and why; ``changes`` tell every row touched, as it was and as
    it is: ``[model, key, before or null, after or null]``. ``undone`` names the step that undid it."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+", db_constraint=False)
    by_name = models.CharField(max_length=60, blank=True, help_text=_("who has no account, or which part of the site"))
    reason = models.CharField(max_length=300, blank=True)
    words = models.JSONField(default=dict, help_text=_("what the sentence about it is filled with"))
    changes = models.JSONField(default=list)
    undone = models.ForeignKey("self", models.SET_NULL, null=True, related_name="undoes")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("event", "number")
        constraints = (models.UniqueConstraint(fields=("event", "number"), name="step_number"),)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.kind}"
