"""What people fill in for their club."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine import OPTIONS, Rules
from games.forms import OpenTableForm
from games.services import rule_sets
from games.services.errors import UserError
from tournaments.models import SETTINGS, Club
from tournaments.services import clubs, joining, noticeboard, texts

JOINING: Final = (
    (Club.Joining.OPEN, _("Anybody joins at once")),
    (Club.Joining.REQUEST, _("People ask, a director lets them in")),
    (Club.Joining.INVITATION, _("By an invitation link only")),
)


class Words(forms.CharField):
    """A text as it will be stored: a function of the services cleans it, and refuses it."""

    def __init__(self, cleaner: Callable[[str], str], *, rows: int = 0, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows}) if rows else forms.TextInput(attrs={"autocomplete": "off"})
        super().__init__(required=False, strip=False, widget=widget, **kwargs)
        self.cleaner = cleaner

    def clean(self, value: Any) -> str:
        text = str(self.to_python(value))
        try:
            return self.cleaner(text.replace("\0", ""))
        except UserError as error:
            raise ValidationError(str(error)) from None


def _address(text: str) -> str:
    return clubs.clean_slug(text) if text.strip() else ""


class ClubForm(forms.Form):
    """What a club says of itself and whom it lets in."""

    name = Words(clubs.clean_name, label=SETTINGS["name"])
    line = Words(
        lambda text: texts.one_line(text, clubs.LONGEST_LINE),
        label=SETTINGS["line"],
        help_text=_("Such as: Thursdays at the boathouse, any day here."),
    )
    about = Words(lambda text: texts.paragraphs(text, clubs.LONGEST_TEXT), rows=6, label=SETTINGS["about"])
    joining = forms.ChoiceField(
        label=SETTINGS["joining"],
        choices=JOINING,
        initial=Club.Joining.OPEN,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how people join."), "invalid_choice": _("Choose how people join.")},
    )
    public = forms.BooleanField(
        label=_("Everybody may see the club, its members and its notices"), required=False, initial=True
    )

    def clean(self) -> None:
        if (chosen := self.cleaned_data.get("joining")) is not None:
            try:
                clubs.check_joining(chosen, self.cleaned_data["public"])
            except UserError as error:
                self.add_error("joining", str(error))


class FoundingForm(ClubForm):
    slug = Words(
        _address,
        label=_("Address"),
        help_text=_("The last part of the club’s address, in the letters a to z. Left empty, it is made of the name."),
    )

    field_order = ("name", "slug")


class NoticeForm(forms.Form):
    title = Words(noticeboard.clean_title, label=_("Title"))
    text = Words(lambda text: texts.paragraphs(text, noticeboard.LONGEST_TEXT), rows=8, label=_("Text"))
    pinned = forms.BooleanField(label=_("Keep it on top"), required=False)


class RequestForm(forms.Form):
    message = Words(lambda text: texts.one_line(text, joining.LONGEST), label=_("A word to the directors, if you like"))


class NoteForm(forms.Form):
    note = Words(
        lambda text: texts.one_line(text, joining.LONGEST),
        label=_("Note"),
        help_text=_("Only the club’s directors and the site’s staff see it."),
    )


def _reason(text: str) -> str:
    return texts.one_line(text, joining.LONGEST, empty=str(_("Say why: the person and the directors read it.")))


class BanForm(forms.Form):
    reason = Words(_reason, label=_("Reason"), help_text=_("The person and the directors read it."))


class BanByNameForm(BanForm):
    name = Words(lambda text: texts.one_line(text, 100, empty=str(_("Whose name?"))), label=_("Name of the player"))

    field_order = ("name", "reason")


def _days() -> list[tuple[int, str]]:
    return [(days, ngettext("%(days)d day", "%(days)d days", days) % {"days": days}) for days in joining.DAYS]


class InvitationForm(forms.Form):
    days = forms.TypedChoiceField(
        label=_("It lets people in for"),
        choices=_days,
        coerce=int,
        initial=7,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose how long the link lets people in."),
            "invalid_choice": _("Choose how long the link lets people in."),
        },
    )
    label = Words(
        lambda text: texts.one_line(text, joining.LONGEST_LABEL),
        label=_("Whom it is for"),
        help_text=_("If you like. Only the directors see it."),
    )


class ClubRulesForm(OpenTableForm):
    """A set of house rules under a name: the form of a table without the table."""

    title = None  # type: ignore[assignment]
    kind = None  # type: ignore[assignment]
    pace = None  # type: ignore[assignment]
    save_as = None  # type: ignore[assignment]
    name = Words(rule_sets.clean_name, label=_("Name of the rules"))

    field_order = ("name",)  # type: ignore[assignment]

    @classmethod
    def of(cls, rules: Rules, name: str = "") -> ClubRulesForm:
        return cls(initial={option: str(getattr(rules, option)) for option in OPTIONS} | {"name": name})
