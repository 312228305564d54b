"""What people fill in: a quick match, a table of one's own."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Table
from games.services.seating import PACES

KINDS: Final = (
    ("ranked", pgettext_lazy("kind of game", "Ranked")),
    ("friendly", pgettext_lazy("kind of game", "Friendly")),
)
PACE_CHOICES: Final = tuple((str(pace), str(pace)) for pace in PACES)
STICK_CHOICES: Final = (
    ("no", pgettext_lazy("stick the dealer", "No")),
    ("yes", pgettext_lazy("stick the dealer", "Yes")),
    ("either", pgettext_lazy("stick the dealer", "Either")),
)


class Choice(forms.ChoiceField):
    """One of a few, as radio buttons."""

    widget = forms.RadioSelect

    def __init__(self, **kwargs: Any) -> None:
        sentence = kwargs.pop("sentence")
        super().__init__(error_messages={"required": sentence, "invalid_choice": sentence}, **kwargs)


class GameForm(forms.Form):
    """What both kinds of table have in common."""

    kind = Choice(label=_("Game"), choices=KINDS, initial="ranked", sentence=_("Choose a ranked or a friendly game."))
    pace = Choice(
        label=_("Seconds a move"), choices=PACE_CHOICES, initial="20", sentence=_("Choose 10, 20 or 45 seconds a move.")
    )

    @property
    def ranked(self) -> bool:
        return bool(self.cleaned_data["kind"] == "ranked")

    @property
    def seconds(self) -> int:
        return int(self.cleaned_data["pace"])


class QuickMatchForm(GameForm):
    """What a player looks for; remembered in one cookie."""

    COOKIE: Final = "quick"
    COOKIE_AGE: Final = 60 * 60 * 24 * 365
    """Seconds."""

    stick = Choice(
        label=_("Stick the dealer"),
        choices=STICK_CHOICES,
        initial="no",
        sentence=_("Choose no, yes or either for stick the dealer."),
    )

    @classmethod
    def remembered(cls, cookies: Mapping[str, str]) -> QuickMatchForm:
        """The form with the choices of last time; what is unknown or forged is as by default."""
        values = dict(zip(cls.base_fields, cookies.get(cls.COOKIE, "").split("."), strict=False))
        return cls(
            initial={
                name: values[name]
                for name, field in cls.base_fields.items()
                if isinstance(field, Choice) and field.valid_value(values.get(name, ""))
            }
        )

    @classmethod
    def repeated(cls, cookies: Mapping[str, str]) -> QuickMatchForm:
        """The same choices as if they had just been sent."""
        remembered = cls.remembered(cookies)
        return cls({name: remembered.get_initial_for_field(field, name) for name, field in cls.base_fields.items()})

    def cookie(self) -> str:
        """The valid choices as text for the cookie."""
        return ".".join(self.cleaned_data[name] for name in self.base_fields)


class OpenTableForm(GameForm):
    """A table of one's own."""

    title = forms.CharField(
        label=_("Name of the table"),
        required=False,
        max_length=Table._meta.get_field("title").max_length,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
        error_messages={"max_length": _("Keep the name to %(limit_value)d characters; it has %(show_value)d.")},
    )
    stick = Choice(
        label=_("Stick the dealer"),
        choices=STICK_CHOICES[:2],
        initial="no",
        sentence=_("Choose no or yes for stick the dealer."),
    )

    def clean_title(self) -> str:
        title = " ".join(self.cleaned_data["title"].split())
        if title and not any(unicodedata.category(character)[0] in "LNPS" for character in title):
            raise ValidationError(_("Give the table a name that can be seen, or leave it empty."))
        return title
