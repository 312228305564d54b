"""A ladder of a club: pairs in an order, in which the lower challenge the upper.

The log is the truth: what :class:`LadderEntry` rows that are not struck out say, replayed by
``tournaments.formats.ladder``, is the order at any moment. Nothing keeps the order itself.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Player
from games.models import Table as LiveTable
from tournaments.models.clubs import Club


class Ladder(models.Model):
    """The rules as they are now; those of before stand in the log. ``version`` counts what was
    written. Time stops at ``closed_at``."""

    class Where(models.TextChoices):
        ONLINE = "online", _("Online, at this site’s tables")
        HALL = "hall", _("In a hall, with real cards")
        EITHER = "either", _("Either, as the pairs agree")

    club = models.ForeignKey(Club, models.CASCADE, related_name="ladders")
    name = models.CharField(max_length=48)
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=0)

    reach = models.PositiveSmallIntegerField(default=3, help_text=_("rungs up that one may challenge"))
    share = models.PositiveSmallIntegerField(default=0, help_text=_("the same as percentage of the ladder; 0: rungs"))
    answer_days = models.PositiveSmallIntegerField(default=5)
    rest_days = models.PositiveSmallIntegerField(default=14)
    idle_days = models.PositiveSmallIntegerField(default=21, help_text=_("0: nobody goes down for not playing"))
    target = models.PositiveSmallIntegerField(default=10)
    where = models.CharField(max_length=6, choices=Where.choices, default=Where.EITHER)
    pace = models.PositiveSmallIntegerField(default=20, help_text=_("seconds a move, online"))
    rated = models.BooleanField(default=False)

    class Meta:
        ordering = ("club", "-created_at", "-pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club_ladder", args=[self.club.slug, self.pk])


class LadderPair(models.Model):
    """Two people; without accounts only names. Known to the format by ``number``. Whether they are
    on the ladder is in the log."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="pairs")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="ladder_pairs")
    partner = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="ladder_pairs_as_partner")
    player_name = models.CharField(max_length=60)
    partner_name = models.CharField(max_length=60)

    class Meta:
        ordering = ("ladder", "number")
        constraints = (models.UniqueConstraint(fields=("ladder", "number"), name="ladder_pair_number"),)

    def __str__(self) -> str:
        return " & ".join(self.names)

    @property
    def names(self) -> tuple[str, str]:
        """As they are called now."""
        return (
            self.player.name if self.player is not None else self.player_name,
            self.partner.name if self.partner is not None else self.partner_name,
        )

    @property
    def player_ids(self) -> tuple[int, ...]:
        """Of those who have an account."""
        return tuple(pk for pk in (self.player_id, self.partner_id) if pk is not None)


class LadderAsk(models.Model):
    """Somebody asks another one to join as a pair."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="asks")
    by = models.ForeignKey(Player, models.CASCADE, related_name="ladder_asks")
    to = models.ForeignKey(Player, models.CASCADE, related_name="asked_to_ladders")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("ladder", "by", "to"), name="ladder_asked_once"),
            models.CheckConstraint(condition=~Q(by=F("to")), name="ladder_asks_another"),
        )

    def __str__(self) -> str:
        return f"{self.by_id}: {self.to_id}"


class LadderMatch(models.Model):
    """A challenge, and what came of it until it has a result. ``said``: the points of lower and upper
    as each side has typed them, by the side (``"0"`` the lower one)."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="matches")
    lower = models.ForeignKey(LadderPair, models.CASCADE, related_name="challenges_made")
    upper = models.ForeignKey(LadderPair, models.CASCADE, related_name="challenges_met")
    said = models.JSONField(default=dict)
    live_table = models.OneToOneField(LiveTable, models.SET_NULL, null=True, related_name="ladder_match")

    class Meta:
        ordering = ("ladder", "pk")

    def __str__(self) -> str:
        return f"{self.lower_id} against {self.upper_id}"


class LadderEntry(models.Model):
    """Something that happened, as ``tournaments.formats.ladder`` reads it: who (``pair``), with or
    against whom (``other``). ``points`` are of the pair, which has won, and of the other. ``terms``
    are the rules from then on."""

    class Kind(models.TextChoices):
        TERMS = "terms", pgettext_lazy("ladder log", "set the rules")
        JOIN = "join", pgettext_lazy("ladder log", "joined")
        LEAVE = "leave", pgettext_lazy("ladder log", "left")
        CHALLENGE = "challenge", pgettext_lazy("ladder log", "challenged")
        ANSWER = "answer", pgettext_lazy("ladder log", "took the challenge")
        REFUSE = "refuse", pgettext_lazy("ladder log", "refused the challenge")
        RESULT = "result", pgettext_lazy("ladder log", "beat")
        CLOSE = "close", pgettext_lazy("ladder log", "closed the ladder")
        REOPEN = "reopen", pgettext_lazy("ladder log", "opened the ladder again")

    TOLD = (Kind.JOIN, Kind.LEAVE, Kind.CHALLENGE, Kind.ANSWER, Kind.REFUSE, Kind.RESULT)
    """What the format replays."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    at = models.DateTimeField()
    kind = models.CharField(max_length=9, choices=Kind.choices)
    pair = models.ForeignKey(LadderPair, models.CASCADE, null=True, related_name="entries")
    other = models.ForeignKey(LadderPair, models.CASCADE, null=True, related_name="+")
    match = models.ForeignKey(LadderMatch, models.CASCADE, null=True, related_name="entries")
    points = models.JSONField(default=list)
    terms = models.JSONField(default=dict)
    game_id = models.PositiveBigIntegerField(null=True, help_text=_("that gave the result"))
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+", db_constraint=False)
    struck = models.BooleanField(default=False, help_text=_("does not count any more"))

    class Meta:
        verbose_name_plural = "ladder entries"
        ordering = ("ladder", "at", "pk")
        indexes = (models.Index(fields=("ladder", "at", "id"), name="ladder_log"),)

    def __str__(self) -> str:
        return f"{self.ladder_id}: {self.kind}"


class LadderCorrection(models.Model):
    """What an officer changed in an entry; ``before`` and ``after`` hold its columns; ``before`` is
    empty for one that was entered later."""

    entry = models.ForeignKey(LadderEntry, models.CASCADE, related_name="corrections")
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+", db_constraint=False)
    at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=300, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        ordering = ("entry", "at", "pk")

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.before} {self.after}"

    @property
    def was(self) -> list[int]:
        """The points of the one who wins now and of the other, as they were; none if they have not changed."""
        before, after = self.before, self.after
        if not before.get("points") or all(before[name] == after[name] for name in ("points", "pair_id")):
            return []
        points = list(before["points"])
        return points if before["pair_id"] == after["pair_id"] else points[::-1]

    @property
    def was_at(self) -> datetime | None:
        """When it was said to have happened before, if that has changed."""
        before, after = self.before.get("at"), self.after.get("at")
        return datetime.fromisoformat(before) if before and before != after else None
