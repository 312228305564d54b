"""What people report, what was said, and what staff do about it: warn, mute, ban, lift.

A report leads to the replay of its deal with all hands face up, once that deal is scored; until then
its cards are shown to nobody.
"""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.base import ReadOnly, ReasonForm, act_on_each
from games.converters import whole_number
from games.models import Game, Message, Report, SameAddress, Sanction, UnwantedWord
from games.selectors import games as replays
from games.selectors import sanctions as read_sanctions
from games.services import sanctions
from games.services.errors import UserError
from games.views.replay import replay_context

SPANS = (
    ("hour", gettext_lazy("one hour")),
    ("day", gettext_lazy("one day")),
    ("week", gettext_lazy("a week")),
    ("month", gettext_lazy("30 days")),
    ("open", gettext_lazy("until it is lifted")),
)


class SanctionForm(forms.Form):
    """What is done to somebody, and what he reads of it."""

    do = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=(
            (Sanction.Kind.WARN, gettext_lazy("Warn")),
            (Sanction.Kind.MUTE, gettext_lazy("Mute")),
            (Sanction.Kind.BAN, gettext_lazy("Ban")),
        ),
    )
    span = forms.ChoiceField(label=gettext_lazy("For how long, if not a warning"), choices=SPANS, initial="day")
    why = forms.CharField(
        label=gettext_lazy("Reason; the person reads it"), max_length=300, widget=forms.Textarea(attrs={"rows": 2})
    )

    def impose(self, by: Any, player_id: int, report_id: int | None = None) -> None:
        """Do it. UserError if it cannot be done."""
        sanctions.impose(
            by=by,
            player_id=player_id,
            kind=self.cleaned_data["do"],
            reason=self.cleaned_data["why"],
            span=sanctions.SPANS[self.cleaned_data["span"]],
            report_id=report_id,
        )


class DecisionForm(SanctionForm):
    """How a report is closed."""

    outcome = forms.CharField(
        label=gettext_lazy("Outcome; for staff only"), max_length=300, widget=forms.Textarea(attrs={"rows": 2})
    )
    field_order = ("do", "span", "why", "outcome")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["do"]
        choice.choices = [("", _("Nothing")), *choice.choices]  # type: ignore[attr-defined]
        choice.required = self.fields["why"].required = False

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("do") and not self.cleaned_data.get("why", "").strip():
            self.add_error("why", _("Say why: the person reads it."))
        return self.cleaned_data


class OpenFilter(admin.SimpleListFilter):
    """Open reports, unless others are asked for."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("closed", _("closed")), ("all", _("all"))]

    def choices(self, changelist: Any) -> Any:
        yield {
            "selected": self.value() is None,
            "query_string": changelist.get_query_string(remove=[self.parameter_name]),
            "display": _("open"),
        }
        yield from list(super().choices(changelist))[1:]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        if self.value() == "all":
            return queryset
        return queryset.filter(closed_at__isnull=self.value() != "closed")


@admin.register(Report)
class ReportAdmin(ReadOnly):
    list_display = ("at", "reported", "reason", "words", "reporter", "game", "deal_number", "closed_at")
    list_filter = (OpenFilter, "reason")
    list_select_related = ("reported", "reporter", "game")
    search_fields = ("reported__name_key", "reporter__name_key", "words")
    fields = ("at", "reporter", "reported", "reason", "words", "said", "closed_at", "closed_by", "outcome")
    change_form_template = "admin/games/report.html"

    def get_urls(self) -> list[URLPattern]:
        deal = self.admin_site.admin_view(self.deal_view)
        return [path("<int:pk>/deal/", deal, name="games_report_deal"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        report = self._report(request, whole_number(object_id, 18, 0))
        form = DecisionForm()
        may_decide = request.user.has_perm("games.change_report")
        if request.method == "POST":
            if not may_decide:
                raise PermissionDenied
            form, answer = self._decide(request, report)
            if answer is not None:
                return answer
        context = {
            "decision": form if report.closed_at is None and may_decide else None,
            "may_decide": may_decide,
            "history": read_sanctions.history(report.reported_id),
            "messages_said": read_sanctions.said_around(report),
            "same_addresses": read_sanctions.same_addresses(report.game_id),
            "replay": self._replay_address(report),
        }
        shown = copy(request)
        shown.method = "GET"  # a form with mistakes is shown again
        return super().change_view(shown, object_id, form_url, (extra_context or {}) | context)

    def _report(self, request: HttpRequest, pk: int) -> Report:
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = Report.objects.select_related("game", "reported").filter(pk=pk)
        return get_object_or_404(found)

    def _decide(self, request: HttpRequest, report: Report) -> tuple[DecisionForm, HttpResponse | None]:
        form = DecisionForm(request.POST if "decide" in request.POST else None)
        hide, show = (whole_number(request.POST.get(name), 18, None) for name in ("hide", "show"))
        try:
            if "reopen" in request.POST:
                sanctions.reopen_report(by=request.user, report_id=report.pk)
            elif hide is not None or show is not None:
                pk = hide if hide is not None else show
                sanctions.hide_message(by=request.user, message_id=pk or 0, hidden=hide is not None)
            elif form.is_valid():
                if form.cleaned_data["do"]:
                    form.impose(request.user, report.reported_id, report.pk)
                sanctions.close_report(by=request.user, report_id=report.pk, outcome=form.cleaned_data["outcome"])
            else:
                return form, None
        except UserError as error:
            self.message_user(request, str(error), messages.ERROR)
            return form, None
        self.message_user(request, _("Done."), messages.SUCCESS)
        return form, HttpResponseRedirect(reverse("admin:games_report_change", args=[report.pk]))

    @staticmethod
    def _replay_address(report: Report) -> str:
        """Where the deal lies open; "" while it is played, or if there is none."""
        if report.game is None or not report.deal_number:
            return ""
        if report.game.status != Game.Status.PLAYING:
            return f"{report.game.get_absolute_url()}?deal={report.deal_number}"
        scored = report.game.deals.filter(number=report.deal_number).exists()
        return reverse("admin:games_report_deal", args=[report.pk]) if scored else ""

    def deal_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The deal of a report, of a game that is still played, once it is scored."""
        report = self._report(request, pk)
        if report.game is None:
            raise Http404("no game")
        try:
            replay = replays.read_scored(report.game, report.deal_number)
        except replays.StillPlayed:
            raise Http404("not scored yet") from None
        names = tuple(chair.name or _("a former player") for chair in replay.chairs)
        address = reverse("admin:games_report_deal", args=[pk])
        context = replay_context(request, replay, names, 0, address) | {"game": report.game, "report": report}
        return render(request, "admin/games/deal.html", context)


@admin.register(Sanction)
class SanctionAdmin(ReadOnly):
    list_display = ("at", "player", "kind", "reason", "until", "by", "lifted_at")
    list_filter = ("kind",)
    list_select_related = ("player", "by")
    search_fields = ("player__name_key", "reason")
    fields = (
        "player", "kind", "reason", "by", "report", "at", "until", "seen_at", "lifted_at", "lifted_by", "lifted_why",
    )  # fmt: skip
    actions: ClassVar = ["lift"]

    @admin.action(description=gettext_lazy("Lift"), permissions=["decide"])
    def lift(self, request: HttpRequest, found: QuerySet[Sanction]) -> HttpResponse | None:
        found = found.select_related("player")
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        return act_on_each(
            self,
            request,
            found,
            form,
            action="lift",
            title=_("Lift"),
            do=lambda one: sanctions.lift(by=request.user, sanction_id=one.pk, why=form.cleaned_data["reason"]),
        )

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_sanction")


@admin.register(Message)
class MessageAdmin(ReadOnly):
    list_display = ("at", "sender", "room", "__str__", "at_table", "hidden_at")
    list_filter = ("room",)
    list_select_related = ("sender", "table")
    search_fields = ("text", "sender__name_key", "=table__id")
    fields = ("at", "sender", "room", "phrase", "text", "table", "game", "deal_number", "hidden_at")

    @admin.display(description=gettext_lazy("table"))
    def at_table(self, message: Message) -> str:
        return format_html('<a href="{}">{}</a>', message.table.get_absolute_url(), message.table)


@admin.register(UnwantedWord)
class UnwantedWordAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Whole words, in any spelling that looks the same: a message or a new name with one is refused."""

    list_display = ("word",)
    search_fields = ("word",)


@admin.register(SameAddress)
class SameAddressAdmin(ReadOnly):
    """For staff to know, not a verdict: a household, a club or a school has one address as well."""

    list_display = ("at", "player", "other", "watching", "game")
    list_filter = ("watching",)
    list_select_related = ("player", "other", "game")
    search_fields = ("player__name_key", "other__name_key", "=game__id")
    fields = ("at", "game", "player", "other", "watching")
