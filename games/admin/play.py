"""Players, tables and games; end a broken game, void its ratings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.base import ReadOnly, ReadOnlyInline, ReasonForm, act_on_each
from games.admin.talk import SanctionForm
from games.models import Deal, Game, Participation, Player, RuleSet, Seat, StaffAction, Table
from games.services import moderation, waiting


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "bot_level", "rating", "date_joined", "is_active", "is_staff")
    list_filter = ("is_staff", "is_active", "bot_level")
    list_select_related = ("rating",)
    search_fields = ("name_key", "name")
    fields = (
        "name",
        "email",
        "is_active",
        "is_staff",
        "is_superuser",
        "groups",
        "date_joined",
        "last_login",
        "leaves",
        "leaves_at",
    )
    readonly_fields = ("date_joined", "last_login", "leaves", "leaves_at")
    filter_horizontal = ("groups",)

    actions = ("sanction", "forget_leaves")

    @admin.action(description=gettext_lazy("Warn, mute or ban"), permissions=["sanction"])
    def sanction(self, request: HttpRequest, players: QuerySet[Player]) -> HttpResponse | None:
        form = SanctionForm(request.POST if "sure" in request.POST else None)
        return act_on_each(
            self,
            request,
            players,
            form,
            action="sanction",
            title=_("Warn, mute or ban"),
            do=lambda player: form.impose(request.user, player.pk),
        )

    def has_sanction_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_sanction")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Only a superuser makes others staff: nobody hands out rights that he has not got."""
        rights = () if request.user.is_superuser else ("is_staff", "is_superuser", "groups")
        return (*self.readonly_fields, *rights)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people sign up; bots are seeded

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # results must stay: the owner deletes his account, staff deactivate it

    @admin.action(
        description=gettext_lazy("Forget the ranked games they left: they wait no longer"), permissions=["change"]
    )
    def forget_leaves(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        for player in players:
            self.log_change(request, player, [{"changed": {"fields": ["leaves"]}}])
        waiting.forget([player.pk for player in players])
        self.message_user(request, _("Forgotten: nobody of them has to wait."), messages.SUCCESS)


class SeatInline(ReadOnlyInline):
    model = Seat
    related = ("table", "player")
    fields = ("index", "player", "held", "bot_since", "left_at", "lost_at", "missed", "missed_all")


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("__str__", "phase", "ranked", "pace", "rules", "game", "created_at", "due_at")
    list_filter = ("phase", "ranked")
    list_select_related = ("game",)
    fields = (
        "title", "phase", "ranked", "pace", "rules", "host", "game", "deal_number", "dealer", "turn", "score_0",
        "score_1", "version", "revision", "created_at", "due_at", "fill_at",
    )  # fmt: skip
    inlines = (SeatInline,)


class ParticipationInline(ReadOnlyInline):
    model = Participation
    related = ("player",)
    fields = ("seat", "player", "won", "left", "deals", "calls", "calls_made", "euchred", "loners_tried", "loners_made")


class DealInline(ReadOnlyInline):
    model = Deal
    fields = ("number", "dealer", "maker", "trump", "tricks_0", "tricks_1", "points_0", "points_1", "played_by")


class StaffActionInline(ReadOnlyInline):
    model = StaffAction
    related = ("by",)
    fields = ("at", "kind", "by", "reason")


@admin.register(RuleSet)
class RuleSetAdmin(ReadOnly):
    list_display = ("name", "owner", "rules")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__name_key")
    fields = ("owner", "name", "rules")


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ("__str__", "status", "ranked", "with_bots", "score_0", "score_1", "started_at", "voided_at")
    list_filter = ("status", "ranked", "with_bots")
    search_fields = ("=id", "participations__player__name_key")
    fields = (
        "table", "status", "ranked", "pace", "rules", "score_0", "score_1", "with_bots", "started_at", "finished_at",
        "voided_at",
    )  # fmt: skip
    inlines = (ParticipationInline, DealInline, StaffActionInline)
    actions = ("end_games", "resume_games", "void_games", "restore_games")

    verbs: ClassVar[dict[str, Callable[..., None]]] = {
        "end_games": moderation.end_game,
        "resume_games": moderation.resume_game,
        "void_games": moderation.void_ratings,
        "restore_games": moderation.restore_ratings,
    }

    @admin.action(description=gettext_lazy("End the running game, without a result"), permissions=["decide"])
    def end_games(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return self._with_reason(request, games, "end_games", _("End these games"))

    @admin.action(description=gettext_lazy("Let a game that was ended go on"), permissions=["decide"])
    def resume_games(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return self._with_reason(request, games, "resume_games", _("Let these games go on"))

    @admin.action(description=gettext_lazy("Take the rating changes back"), permissions=["decide"])
    def void_games(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return self._with_reason(request, games, "void_games", _("Take the rating changes back"))

    @admin.action(description=gettext_lazy("Put the rating changes into force again"), permissions=["decide"])
    def restore_games(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return self._with_reason(request, games, "restore_games", _("Put the rating changes into force again"))

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_game")

    def _with_reason(self, request: HttpRequest, games: QuerySet[Game], action: str, title: str) -> HttpResponse | None:
        """Ask for the reason on a page of its own, then do it to each game."""
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        return act_on_each(
            self,
            request,
            games,
            form,
            action=action,
            title=title,
            do=lambda game: self.verbs[action](by=request.user, game_id=game.pk, reason=form.cleaned_data["reason"]),
            template="admin/games/reason.html",
        )
