"""What directors fill in for a ladder."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.services.seating import PACES
from tournaments.forms.clubs import Words
from tournaments.models import Ladder
from tournaments.services import ladders

USUAL: Final = ladders.Settings(name="")


def _number(label: Any, initial: int, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        initial=initial,
        min_value=0,
        max_value=10_000,
        help_text=help_text,
        error_messages={"required": _("Type a whole number."), "invalid": _("Type a whole number.")},
    )


def _one_of(label: Any, choices: Any, initial: Any, sentence: Any, coerce: Any = str) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=choices,
        initial=initial,
        coerce=coerce,
        widget=forms.RadioSelect,
        error_messages={"required": sentence, "invalid_choice": sentence},
    )


class LadderForm(forms.Form):
    name = Words(ladders.clean_name, label=_("Name"))
    reach = _number(_("Rungs up that a pair may challenge"), USUAL.reach)
    share = _number(
        _("Or a share of the ladder, in percent"),
        USUAL.share,
        _("20 lets the tenth of ten challenge two rungs up. 0: rungs."),
    )
    answer_days = _number(_("Days to answer"), USUAL.answer_days, _("Who has not answered by then loses the place."))
    rest_days = _number(
        _("Days of rest"), USUAL.rest_days, _("For so long the same two may not challenge each other again.")
    )
    idle_days = _number(_("Days without a game"), USUAL.idle_days, _("After them a pair goes down a rung. 0: never."))
    target = _one_of(
        _("A game goes to"),
        [(str(number), str(number)) for number in ladders.TARGETS],
        str(USUAL.target),
        _("A game goes to 5 or to 10 points."),
        int,
    )
    where = _one_of(
        _("Matches are played"), Ladder.Where.choices, USUAL.where, _("Choose where the matches are played.")
    )
    pace = _one_of(
        _("Seconds a move, online"),
        [(str(pace), str(pace)) for pace in PACES],
        str(USUAL.pace),
        _("Choose how long a move may take."),
        int,
    )
    rated = forms.BooleanField(label=_("Games at this site’s tables count for the rating"), required=False)

    @classmethod
    def of(cls, ladder: Ladder) -> LadderForm:
        return cls(initial={name: getattr(ladder, name) for name in cls.base_fields})

    @property
    def terms(self) -> ladders.Settings:
        """What was filled in, once it is valid."""
        return ladders.Settings(**self.cleaned_data)
