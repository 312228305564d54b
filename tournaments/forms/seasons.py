"""What directors fill in for a season, and for an event that repeats."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.services.errors import UserError
from tournaments.forms.clubs import Words
from tournaments.models import Season, Series
from tournaments.services import seasons

DEFAULT_POINTS = "10, 7, 5, 3, 2, 1"


class Points(Words):
    """Points by place, as typed."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(str, **kwargs)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return seasons.read_points(text)
        except UserError as error:
            raise forms.ValidationError(str(error)) from None


def _day(label: str) -> forms.DateField:
    return forms.DateField(
        label=label,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Choose a day."), "invalid": _("Type the day as year, month, day: 2027-01-31.")},
    )


class SeasonForm(forms.Form):
    name = Words(seasons.clean_name, label=_("Name"))
    starts_on = _day(_("First day"))
    ends_on = _day(_("Last day"))
    counts = forms.ChoiceField(
        label=_("What counts"),
        choices=Season.Counts.choices,
        initial=Season.Counts.PLACE,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what counts."), "invalid_choice": _("Choose what counts.")},
    )
    points = Points(
        label=_("Points for first, second … place"),
        initial=DEFAULT_POINTS,
        help_text=_("Whoever comes after the last place named gets the last number."),
    )
    drop = forms.IntegerField(
        label=_("Worst evenings left out"),
        initial=0,
        min_value=0,
        max_value=seasons.MOST_DROPPED,
        help_text=_("An evening that somebody missed is the first to be left out."),
        error_messages={"required": _("Type a number, 0 for none."), "invalid": _("Type a whole number.")},
    )

    @classmethod
    def of(cls, season: Season) -> SeasonForm:
        points = ", ".join(map(str, season.points)) or DEFAULT_POINTS
        return cls(
            initial={
                "name": season.name,
                "starts_on": season.starts_on,
                "ends_on": season.ends_on,
                "counts": season.counts,
                "points": points,
                "drop": season.drop,
            }
        )

    def clean(self) -> None:
        by_place = self.cleaned_data.get("counts") == Season.Counts.PLACE
        if by_place and self.cleaned_data.get("points") == ():
            self.add_error("points", str(_("Type what each place gives.")))
        if not self.errors:
            try:
                seasons.check(self.terms)
            except UserError as error:
                self.add_error("ends_on", str(error))

    @property
    def terms(self) -> seasons.Terms:
        """What was filled in, once it is valid."""
        data = self.cleaned_data
        by_place = data["counts"] == Season.Counts.PLACE
        points = data["points"] if by_place else ()
        return seasons.Terms(data["name"], data["starts_on"], data["ends_on"], points, data["drop"])


class RepeatForm(forms.Form):
    every = forms.ChoiceField(
        label=_("It repeats"),
        choices=Series.Every.choices,
        initial=Series.Every.WEEK,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose how often it repeats."),
            "invalid_choice": _("Choose how often it repeats."),
        },
    )
    until = _day(_("Up to"))
