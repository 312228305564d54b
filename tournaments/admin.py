"""The staff's desk: look at clubs. What staff do to a club they do on its own pages, where it is logged."""

from __future__ import annotations

from django.contrib import admin

from games.admin.base import ReadOnly
from tournaments.models import Ban, Club, LogEntry, Membership


@admin.register(Club)
class ClubAdmin(ReadOnly):
    list_display = ("name", "slug", "joining", "public", "founded_at", "closed_at")
    list_filter = ("joining", "public")
    search_fields = ("name_key", "name", "slug")
    fields = ("name", "slug", "line", "about", "joining", "public", "founded_at", "closed_at")


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ("player", "club", "role", "joined_at")
    list_filter = ("role",)
    list_select_related = ("player", "club")
    search_fields = ("player__name_key", "club__name_key")
    fields = ("player", "club", "role", "joined_at", "note")


@admin.register(Ban)
class BanAdmin(ReadOnly):
    list_display = ("player", "club", "reason", "by", "at")
    list_select_related = ("player", "club", "by")
    search_fields = ("player__name_key", "club__name_key")
    fields = ("player", "club", "reason", "by", "at")


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly):
    list_display = ("at", "club", "by", "kind", "target", "detail", "as_staff")
    list_filter = ("kind", "as_staff")
    list_select_related = ("club", "by", "target")
    search_fields = ("club__name_key",)
    fields = ("at", "club", "by", "kind", "target", "detail", "as_staff")
