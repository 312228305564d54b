"""What people fill in: a quick match, a table of one's own."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.engine import OPTIONS, PRESETS, Rules, RulesExcluded, format_rules
from games.models import Table
from games.services import rule_sets, unwanted
from games.services.errors import UserError
from games.services.seating import NO_BOTS, PACES, SLOW_PACES, is_rated
from games.templatetags.house_rules import EXCLUSION_WORDS, GROUPS, OPTION_WORDS, Words

KINDS: Final = (
    ("ranked", pgettext_lazy("kind of game", "Ranked")),
    ("friendly", pgettext_lazy("kind of game", "Friendly")),
)
PACE_CHOICES: Final = tuple((str(pace), str(pace)) for pace in PACES)
ALL_PACES: Final = tuple((str(pace), str(pace)) for pace in (*PACES, *SLOW_PACES))
STICK_CHOICES: Final = (
    ("no", pgettext_lazy("stick the dealer", "No")),
    ("yes", pgettext_lazy("stick the dealer", "Yes")),
    ("either", pgettext_lazy("stick the dealer", "Either")),
)


BOT_CHOICES: Final = (
    ("any", pgettext_lazy("level of bots", "Any")),
    ("learner", pgettext_lazy("level of bots", "Learner")),
    ("club", pgettext_lazy("level of bots", "Club")),
    ("strong", pgettext_lazy("level of bots", "Strong")),
)
OWN_BOTS: Final = (*BOT_CHOICES, (NO_BOTS, pgettext_lazy("level of bots", "None")))
COMPANY: Final = (
    ("anybody", pgettext_lazy("who may sit", "Anybody")),
    ("link", pgettext_lazy("who may sit", "Who has the link")),
)
WATCHERS: Final = (("yes", pgettext_lazy("watchers", "Welcome")), ("no", pgettext_lazy("watchers", "None")))
ABSENCE: Final = (
    ("bot", pgettext_lazy("when somebody is away", "A bot plays on")),
    ("wait", pgettext_lazy("when somebody is away", "The table waits")),
)
HINTS: Final = (("off", pgettext_lazy("hints", "Off")), ("on", pgettext_lazy("hints", "On")))


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

    bots = Choice(
        label=_("Bots, in friendly games"),
        choices=BOT_CHOICES,
        initial="any",
        required=False,
        sentence=_("Choose which bots may come."),
    )

    @property
    def bot_level(self) -> str:
        """The level of bots wanted; "" for any."""
        level: str = self.cleaned_data["bots"]
        return "" if level == "any" else level

    @property
    def ranked(self) -> bool:
        return bool(self.cleaned_data["kind"] == "ranked")

    @property
    def seconds(self) -> int:
        return int(self.cleaned_data["pace"])


class QuickMatchForm(GameForm):
    """What a player looks for; remembered in one cookie."""

    field_order = ("kind", "pace", "stick", "bots")

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
    def remembered(cls, cookies: Mapping[str, str], kind: str = "ranked") -> QuickMatchForm:
        """The form with the choices of last time; what is unknown or forged is as by default, ``kind`` the
        kind of game."""
        values = dict(zip(cls.base_fields, cookies.get(cls.COOKIE, "").split("."), strict=False))
        return cls(
            initial={"kind": kind}
            | {
                name: values[name]
                for name, field in cls.base_fields.items()
                if isinstance(field, Choice) and field.valid_value(values.get(name, ""))
            }
        )

    @classmethod
    def repeated(cls, cookies: Mapping[str, str], **others: str) -> QuickMatchForm:
        """The same choices as if they had just been sent, but for ``others``."""
        remembered = cls.remembered(cookies)
        return cls(
            {name: remembered.get_initial_for_field(field, name) for name, field in cls.base_fields.items()} | others
        )

    def cookie(self) -> str:
        """The valid choices as text for the cookie."""
        return ".".join(self.cleaned_data[name] for name in self.base_fields)


_VALUES: Final[dict[str, dict[str, Any]]] = {
    name: {str(value): value for value in values} for name, values in OPTIONS.items()
}


class RuleField(forms.TypedChoiceField):
    """One option of the rules: few short words side by side, many or long ones in a list."""

    def __init__(self, name: str) -> None:
        option = OPTION_WORDS[name]
        values = _VALUES[name]
        side_by_side = len(values) <= 3 or name in ("pack", "target_score")
        super().__init__(
            label=option.label,
            help_text=option.line,
            choices=[(str(value), words.word) for value, words in option.values.items()],
            coerce=values.__getitem__,
            initial=next(iter(values)),
            widget=forms.RadioSelect if side_by_side else forms.Select(attrs={"class": "input"}),
            error_messages={"required": _("Choose one of these."), "invalid_choice": _("Choose one of these.")},
        )


class Group(NamedTuple):
    """Options that are asked for together."""

    title: Words
    fields: list[forms.BoundField]


class OpenTableForm(GameForm):
    """A table of one's own. Every option of the rules is a field; what excludes each other is an
    error at both."""

    title = forms.CharField(
        label=_("Name of the table"),
        required=False,
        max_length=Table._meta.get_field("title").max_length,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
        error_messages={"max_length": _("Keep the name to %(limit_value)d characters; it has %(show_value)d.")},
    )
    save_as = forms.CharField(
        label=_("Save these rules as"),
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )

    pace = Choice(
        label=_("Seconds a move"),
        choices=ALL_PACES,
        initial="20",
        sentence=_("Choose 10, 20, 45, 90 or 300 seconds a move."),
    )
    bots = Choice(
        label=_("Bots, in friendly games"),
        choices=OWN_BOTS,
        initial="any",
        required=False,
        sentence=_("Choose which bots may come."),
    )
    who = Choice(
        label=_("Who may sit down"),
        choices=COMPANY,
        initial="anybody",
        required=False,
        sentence=_("Choose who may sit down."),
    )
    watchers = Choice(
        label=_("Watchers"),
        choices=WATCHERS,
        initial="yes",
        required=False,
        sentence=_("Choose whether others may watch."),
    )
    absence = Choice(
        label=_("When somebody is away"),
        choices=ABSENCE,
        initial="bot",
        required=False,
        sentence=_("Choose what happens when somebody is away."),
    )

    hints = Choice(
        label=_("Hints"),
        choices=HINTS,
        initial="off",
        required=False,
        sentence=_("Choose whether there are hints."),
    )

    field_order = ("title", "who", "kind", "pace", "bots", "watchers", "absence", "hints")

    @classmethod
    def by_rules(cls, rules: Rules, wishes: Mapping[str, str]) -> OpenTableForm:
        """The form for a table with these rules; of ``wishes`` title, kind and pace are taken over
        where they can be."""
        rated = is_rated(format_rules(rules))
        initial: dict[str, Any] = {name: str(getattr(rules, name)) for name in OPTIONS}
        initial["title"] = wishes.get("title", "")
        initial["pace"] = _one_of(ALL_PACES, wishes.get("pace"), "20")
        initial["bots"] = _one_of(OWN_BOTS, wishes.get("bots"), "any")
        initial["who"] = _one_of(COMPANY, wishes.get("who"), "anybody")
        initial["watchers"] = _one_of(WATCHERS, wishes.get("watchers"), "yes")
        initial["absence"] = _one_of(ABSENCE, wishes.get("absence"), "bot")
        initial["hints"] = _one_of(HINTS, wishes.get("hints"), "off")
        initial["kind"] = _one_of(KINDS, wishes.get("kind"), "ranked") if rated else "friendly"
        if initial["who"] == "link":
            initial["kind"] = "friendly"
        return cls(initial=initial)

    @property
    def terms(self) -> dict[str, Any]:
        """How the table is kept, as :func:`games.services.seating.open_table` wants it."""
        return {
            "ranked": self.ranked,
            "pace": self.seconds,
            "bots": self.bot_level,
            "private": self.cleaned_data["who"] == "link",
            "watchable": self.cleaned_data["watchers"] != "no",
            "patient": self.cleaned_data["absence"] == "wait",
            "hints": self.cleaned_data["hints"] == "on",
        }

    def clean_title(self) -> str:
        title = " ".join(self.cleaned_data["title"].split())
        if title and not any(unicodedata.category(character)[0] in "LNPS" for character in title):
            raise ValidationError(_("Give the table a name that can be seen, or leave it empty."))
        try:
            unwanted.check_name(title)
        except UserError as error:
            raise ValidationError(str(error)) from None
        return title

    def clean_save_as(self) -> str:
        name: str = self.cleaned_data["save_as"]
        try:
            return rule_sets.clean_name(name) if name else ""
        except UserError as error:
            raise ValidationError(str(error)) from None

    def clean(self) -> None:
        """All exclusions at once: after each, the options concerned are taken for standard ones."""
        options = {name: self.cleaned_data[name] for name in OPTIONS if name in self.cleaned_data}
        if len(options) < len(OPTIONS):
            return
        if options["players"] != 4:
            options |= FOR_FEWER
        rules = None
        while rules is None:
            try:
                rules = Rules(**options)
            except RulesExcluded as error:
                for name in error.options:
                    self.add_error(name, EXCLUSION_WORDS[error.options])
                    options[name] = OPTIONS[name][0]
        self.cleaned_data["rules"] = rules
        self._check_ranked()

    def _check_ranked(self) -> None:
        given = self.cleaned_data
        if given.get("kind") != "ranked":
            return
        if not is_rated(format_rules(given["rules"])):
            self.add_error(
                "kind",
                _(
                    "Ranked games go by the standard rules, with or without “stick the dealer”. "
                    "Make this a friendly table, or choose the standard rules."
                ),
            )
        elif (
            given.get("who") == "link"
            or given.get("watchers") == "no"
            or given.get("absence") == "wait"
            or given.get("hints") == "on"
            or given.get("bots") == NO_BOTS
            or given.get("pace") in dict(ALL_PACES[len(PACES) :])
        ):
            self.add_error(
                "kind",
                _(
                    "Ranked tables are open to everybody and keep moving: no link, no slow clock, no waiting, "
                    "no hints. Make this a friendly table, or leave those as they were."
                ),
            )

    @property
    def rules(self) -> Rules | None:
        """The rules of a form that has been checked, or those it was made with; None while they
        exclude each other."""
        if not self.is_bound:
            return Rules(**{name: values[self.initial[name]] for name, values in _VALUES.items()})
        if any(self.errors.get(name) for name in OPTIONS):
            return None
        rules: Rules | None = self.cleaned_data.get("rules")
        return rules

    @cached_property
    def groups(self) -> list[Group]:
        return [Group(title, [self[name] for name in names]) for title, names in GROUPS]

    @property
    def house_rules_open(self) -> bool:
        """Whether there is something to see among the house rules: one that is not standard, or
        an error."""
        return self.rules != PRESETS["article"]

    @property
    def wrong_rules(self) -> list[forms.BoundField]:
        """The options with an error."""
        return [field for group in self.groups for field in group.fields if field.errors]


OpenTableForm.base_fields |= {name: RuleField(name) for name in OPTIONS}

FOR_FEWER: Final = {"alone_who": "none", "canadian_loner": False, "partners_best": False}
"""Of two or three players nobody has a partner: what was chosen about going alone means nothing."""


def _one_of(choices: tuple[tuple[str, Any], ...], value: str | None, default: str) -> str:
    return value if value is not None and value in dict(choices) else default
