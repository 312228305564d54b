"""Who plays here: people and bots, their ratings, the rules they have saved."""

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
    """A person with an account, a guest who only gave a name, or a bot (``bot_level`` set). Neither guests
    nor bots have a password."""

    name = models.CharField(_("name"), max_length=24)
    name_key = models.CharField(max_length=96, unique=True, editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    bot_level = models.CharField(max_length=16, blank=True, editable=False)
    guest = models.BooleanField(default=False, editable=False, help_text=_("gave a name, has no password yet"))
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    ask_alone = models.BooleanField(default=False, help_text=_("Ask me whether I go alone on other people's calls"))
    seen_at = models.DateTimeField(null=True, editable=False, help_text=_("last look at the lobby"))
    language = models.CharField(_("language"), max_length=8, blank=True, help_text=_("empty: as the browser asks"))
    looks = models.CharField(max_length=300, blank=True, editable=False, help_text=_("theme, felt, hand and keys"))
    leaves = models.FloatField(default=0, editable=False, help_text=_("ranked games left of late, fading"))
    leaves_at = models.DateTimeField(null=True, editable=False, help_text=_("when they were counted last"))

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
