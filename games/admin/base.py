"""What the pages of the staff's desk have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.services.errors import UserError


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Facts of the game are changed through the services, not by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline):  # type: ignore[type-arg]
    extra = 0
    can_delete = False
    related: ClassVar[tuple[str, ...]] = ()
    """What a row shows of other rows, fetched with it."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows.select_related(*self.related) if self.related else rows

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReasonForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500, widget=forms.Textarea(attrs={"rows": 3}))


def act_on_each(
    desk: admin.ModelAdmin[Any],
    request: HttpRequest,
    rows: QuerySet[Any],
    form: forms.Form,
    *,
    action: str,
    title: str,
    do: Callable[[Any], object],
    template: str = "admin/games/why.html",
) -> HttpResponse | None:
    """An action of a list that asks for something first: the page that asks, or, once the form is filled in,
    ``do`` for each row, with a word about what came of it."""
    if not form.is_valid():
        context = {
            **desk.admin_site.each_context(request),
            "title": title,
            "rows": rows,
            "action": action,
            "form": form,
        }
        return TemplateResponse(request, template, context)
    for row in rows:
        try:
            do(row)
        except UserError as error:
            desk.message_user(request, f"{row}: {error}", messages.ERROR)
        else:
            desk.message_user(request, f"{row}: {_('done.')}", messages.SUCCESS)
    return None
