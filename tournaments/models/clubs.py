"""Clubs, who belongs to them and in which part; who may do what is in ``tournaments.selectors.clubs``."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Player


class Role(models.IntegerChoices):
    """A member's part in a club, the weightiest first."""

    OWNER = 1, pgettext_lazy("role in a club", "Owner")
    DIRECTOR = 2, pgettext_lazy("role in a club", "Director")
    MEMBER = 3, pgettext_lazy("role in a club", "Member")


class Club(models.Model):
    """A club. As long as it is open somebody owns it; ``public`` clubs are seen by everybody."""

    class Joining(models.TextChoices):
        OPEN = "open", _("Anybody joins")
        REQUEST = "request", _("On request")
        INVITATION = "invitation", _("By invitation only")

    name = models.CharField(max_length=48)
    name_key = models.CharField(max_length=96, unique=True, editable=False)
    slug = models.SlugField(max_length=48, unique=True)
    line = models.CharField(max_length=120, blank=True, help_text=_("what it is, in one line"))
    about = models.TextField(max_length=2000, blank=True)
    joining = models.CharField(max_length=10, choices=Joining.choices, default=Joining.OPEN)
    public = models.BooleanField(default=True)
    founded_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name_key",)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])


class Membership(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=timezone.now)
    note = models.CharField(max_length=300, blank=True, help_text=_("for the directors' eyes"))

    class Meta:
        constraints = (models.UniqueConstraint(fields=("club", "player"), name="member_once"),)
        indexes = (models.Index(fields=("club", "role", "joined_at"), name="membership_role"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.player_id}"


class JoinRequest(models.Model):
    """Somebody waits to be let in."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="join_requests")
    player = models.ForeignKey(Player, models.CASCADE, related_name="join_requests")
    message = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at",)
        constraints = (models.UniqueConstraint(fields=("club", "player"), name="join_request_once"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.player_id}"


class Ban(models.Model):
    """Somebody may not join, whether or not he was a member."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="bans")
    player = models.ForeignKey(Player, models.CASCADE, related_name="bans")
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)
        constraints = (models.UniqueConstraint(fields=("club", "player"), name="ban_once"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.player_id}"


class Invitation(models.Model):
    """A link that lets in whoever has it. The link's token is not kept, only its hash."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    label = models.CharField(max_length=60, blank=True)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.label or f"Invitation {self.pk}"


class Notice(models.Model):
    """Something that a club's directors tell everybody."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="notices")
    title = models.CharField(max_length=80)
    text = models.TextField(max_length=2000, blank=True)
    pinned = models.BooleanField(default=False)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pinned", "-at", "-pk")
        indexes = (models.Index(fields=("club", "-pinned", "-at"), name="notice_board"),)

    def __str__(self) -> str:
        return self.title


class ClubRules(models.Model):
    """House rules, in notation, that a club plays under a name."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="rule_sets")
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=160, editable=False)
    rules = models.CharField(max_length=800)

    class Meta:
        ordering = ("club", "name_key")
        constraints = (models.UniqueConstraint(fields=("club", "name_key"), name="club_rules_once"),)

    def __str__(self) -> str:
        return self.name


SETTINGS: Final = {
    "name": _("Name"),
    "line": _("In one line"),
    "about": _("About the club"),
    "joining": _("How people join"),
    "public": _("Who sees it"),
}
"""What a club's owners may change."""


class LogEntry(models.Model):
    """Who did what in a club. Its people are not constrained: to write about somebody must never
    wait for whoever holds that person's row."""

    class Kind(models.TextChoices):
        FOUNDED = "founded", _("founded the club")
        EDITED = "edited", _("changed the club’s settings")
        CLOSED = "closed", _("closed the club")
        REOPENED = "reopened", _("opened the club again")
        JOINED = "joined", _("joined")
        INVITED = "invited", _("joined by an invitation")
        ASKED = "asked", _("asked to join")
        LEFT = "left", _("left")
        GONE = "gone", _("left with their account")
        ACCEPTED = "accepted", _("let in")
        DECLINED = "declined", _("turned down")
        REMOVED = "removed", _("removed")
        BANNED = "banned", pgettext_lazy("club log", "banned")
        UNBANNED = "unbanned", _("lifted the ban of")
        ROLE = "role", _("changed the role of")
        INHERITED = "inherited", _("owns the club now: its last owner is gone")
        NOTED = "noted", _("changed the note on")
        POSTED = "posted", _("posted a notice")
        REWROTE = "rewrote", _("changed a notice")
        UNPOSTED = "unposted", _("took a notice down")
        LINKED = "linked", _("made an invitation link")
        REVOKED = "revoked", _("revoked an invitation link")
        RULED = "ruled", _("saved house rules")
        UNRULED = "unruled", _("deleted house rules")
        SERIES = "series", _("let an event repeat")
        UNSERIES = "unseries", _("ended a series")
        SEASON = "season", _("saved a season")
        UNSEASON = "unseason", _("deleted a season")
        LADDER = "ladder", _("put up a ladder")
        RELADDER = "reladder", _("changed a ladder")
        UNLADDER = "unladder", _("closed a ladder")
        OPENLADDER = "openladder", _("opened a ladder again")

    club = models.ForeignKey(Club, models.CASCADE, related_name="log")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+", db_constraint=False)
    as_staff = models.BooleanField(default=False, help_text=_("by the site's staff, without a part in the club"))
    target = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+", db_constraint=False)
    detail = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "log entries"
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("club", "-at", "-id"), name="club_log"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.kind}"

    @property
    def words(self) -> str:
        """The detail as people read it."""
        if self.kind == self.Kind.ROLE:
            return str(Role[self.detail.upper()].label)
        if self.kind == self.Kind.EDITED:
            return ", ".join(str(SETTINGS[name]) for name in self.detail.split(", "))
        return self.detail
