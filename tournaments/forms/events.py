"""What directors fill in for an event, and at its desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.utils import translation
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.converters import whole_number
from games.engine import format_rules, parse_rules
from games.services.seating import PACES
from games.templatetags.house_rules import STARTS, chips
from tournaments.formats.event import EventError
from tournaments.formats.words import words
from tournaments.models import Event
from tournaments.playbook import PLAYBOOKS, Advice, Option, Playbook, advice, choose
from tournaments.playbook.shape import Plan
from tournaments.selectors.clubs import SavedRules
from tournaments.services import event_fields
from tournaments.services.event_fields import BadField

TIEBREAKS: Final = 6
"""Tie-breaks that can be chosen, one after the other."""

EXPECTED: Final = 16
"""People a new event is thought to have, until somebody says something else."""

MOST_EXPECTED: Final = 1000
"""For more the chooser says what it says for so many."""

KEPT: Final = "kept"
"""Rules of the game that are none of those offered: they stay as they are."""

USUAL: Final = "usual"
"""Rounds begin as suits where it is played."""

OPTIONS_OF: Final = "options_of"
"""The field that names the format whose options were on the page."""

_WHEN: Final = "%Y-%m-%dT%H:%M"
_WHOLE: Final = {"invalid": _("Type a whole number.")}


class WallTime(forms.Field):
    """A day and an hour as a clock on the wall shows them, without a zone."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_WHEN)

    def to_python(self, value: Any) -> datetime | None:
        if value in self.empty_values:
            return None
        try:
            found = datetime.fromisoformat(str(value).strip())
        except ValueError:
            raise ValidationError(_("Type the day and the hour like this: 2027-01-31 19:30.")) from None
        return found.replace(tzinfo=None, second=0, microsecond=0)


def _number(label: Any, *, initial: int = 0, most: int = 0, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        initial=initial,
        required=False,
        help_text=help_text,
        error_messages=_WHOLE,
        widget=forms.NumberInput(attrs={"min": 0, "inputmode": "numeric"} | ({"max": most} if most else {})),
    )


def _text(label: Any, *, rows: int = 0, help_text: Any = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows}) if rows else forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, required=False, strip=False, widget=widget, help_text=help_text)


def _one_of(label: Any, choices: Any, initial: str, *, radio: bool = True, help_text: Any = "") -> forms.ChoiceField:
    told = _("Choose one of these.")
    return forms.ChoiceField(
        label=label,
        choices=choices,
        initial=initial,
        help_text=help_text,
        widget=forms.RadioSelect if radio else forms.Select,
        error_messages={"required": told, "invalid_choice": told},
    )


@cache
def _zones() -> dict[str, list[str]]:
    """Zones by the part of the world they are in."""
    groups: dict[str, list[str]] = {"": ["UTC"]}
    for name in sorted(available_timezones()):
        world, _slash, place = name.partition("/")
        if place and world not in ("Etc", "SystemV", "US", "Canada", "Brazil", "Chile", "Mexico"):
            groups.setdefault(world, []).append(name)
    return groups


class ZoneSelect(forms.Widget):
    """All time zones to choose from: written at once, a template for each takes a tenth of a second."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = str(value or "UTC")
        found = [] if any(chosen in names for names in _zones().values()) else [("", [chosen])]
        parts = [self._group(world, names, chosen) for world, names in [*found, *_zones().items()]]
        return format_html('<select name="{}"{}>{}</select>', name, flatatt(attrs or {}), SafeString("".join(parts)))

    @staticmethod
    def _group(world: str, names: list[str], chosen: str) -> SafeString:
        options = format_html_join(
            "",
            '<option value="{}"{}>{}</option>',
            (
                (
                    name,
                    SafeString(" selected" if name == chosen else ""),
                    name.partition("/")[2].replace("_", " ") or name,
                )
                for name in names
            ),
        )
        return format_html('<optgroup label="{}">{}</optgroup>', world, options) if world else options


class EventForm(forms.Form):
    """An event: what it is called, when and how it is played. Every field has a sensible default; what
    the format has to choose from comes after it, as ``o_<option>``."""

    title = _text(_("Title"))
    starts_at = WallTime(
        label=_("Start"),
        required=False,
        help_text=_("Left empty, it begins when you press Start."),
    )
    zone = forms.CharField(label=_("Time zone"), initial="UTC", required=False, widget=ZoneSelect)
    kind = _one_of(_("Where it is played"), Event.Kind.choices, Event.Kind.ONLINE)
    expected = _number(_("People you expect"), initial=EXPECTED, most=MOST_EXPECTED)
    hours = forms.FloatField(
        label=_("Hours you have"),
        required=False,
        error_messages={"invalid": _("Type a number, or leave it empty.")},
        widget=forms.NumberInput(attrs={"min": 0, "step": "0.25", "inputmode": "decimal"}),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        initial="swiss",
        choices=lambda: [(key, gettext(book.label)) for key, book in PLAYBOOKS.items()],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a format."), "invalid_choice": _("Choose a format.")},
    )

    about = _text(_("What people should know"), rows=5)
    fee = _text(_("Fee"), help_text=_("What it costs and how it is paid, in words."))
    closes_at = WallTime(label=_("End of sign-up"), required=False, help_text=_("Left empty: the start."))
    capacity = _number(_("Places"), help_text=_("Pairs, people or teams; who comes later waits. 0: no limit."))
    check_in = _number(_("Minutes of check-in before the start"), help_text=_("0: nobody has to check in."))
    late_until = _number(_("Last round somebody can join in"), help_text=_("0: nobody joins after the start."))
    approval = forms.BooleanField(label=_("A director accepts each entry"), required=False)
    bots_fill = forms.BooleanField(label=_("Bots make the number even at the start (online)"), required=False)

    rounds_planned = _number(_("Rounds"), help_text=_("0: as many as the format needs."))
    pairing = _one_of(
        _("How rounds begin"),
        [(USUAL, _("As suits the place")), *Event.Pairing.choices],
        USUAL,
    )
    round_minutes = _number(_("Minutes of a round"), help_text=_("0: until every score is in."))
    break_minutes = _number(_("Minutes between rounds"))
    no_show_minutes = _number(_("Minutes to wait for who is missing"), initial=10)
    no_show = _one_of(_("When somebody does not come"), Event.NoShow.choices, Event.NoShow.BOT)

    rules = _one_of(_("Rules of the game"), (), "article", radio=False)
    pace = _one_of(_("Seconds a move, online"), [(str(pace), str(pace)) for pace in PACES], "20")
    rated = forms.BooleanField(label=_("Games at online tables count for ratings"), required=False)

    SIGN_UP: Final = ("about", "fee", "closes_at", "capacity", "check_in", "late_until", "approval", "bots_fill")
    ROUNDS: Final = ("rounds_planned", "pairing", "round_minutes", "break_minutes", "no_show_minutes", "no_show")
    GAME: Final = ("rules", "pace", "rated")

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        sets: list[SavedRules],
        event: Event | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        self.event = event
        self.sets = sets
        stored = initial_of(event) if event is not None else {}
        super().__init__(data, initial={**stored, **(initial or {})})
        self._offer_rules()
        options = dict(option_fields(self.book))
        self.fields |= {f"o_{name}": field for name, field in options.items()}
        if event is not None and event.format == self.book.key:
            for name, value in option_values(self.book, event.settings).items():
                self.initial.setdefault(f"o_{name}", value)
        if data is not None and data.get(OPTIONS_OF) != self.book.key:
            self.data = {name: data[name] for name in data} | self._unseen(options)

    def _unseen(self, options: Mapping[str, forms.Field]) -> dict[str, Any]:
        """Options of a format that was chosen without looking at them, as they are at first."""
        found = {}
        for name, field in options.items():
            value = self.get_initial_for_field(field, f"o_{name}")
            if value is not None and value is not False and value != "":
                found[f"o_{name}"] = value
        return found

    @classmethod
    def looking(cls, data: Mapping[str, Any], *, sets: list[SavedRules], event: Event | None = None) -> EventForm:
        """The form as it was filled in so far, not judged yet."""
        filled: dict[str, Any] = {name: data[name] for name in data}
        book = PLAYBOOKS.get(str(data.get("format")))
        seen = book is not None and data.get(OPTIONS_OF) == book.key
        flags = [f"o_{option.name}" for option in book.options if option.kind == "flag"] if book and seen else []
        filled |= {name: name in data for name in ("approval", "bots_fill", "rated", *flags)}
        return cls(initial=filled, sets=sets, event=event)

    # --- the format ---------------------------------------------------------------------------------

    @cached_property
    def book(self) -> Playbook:
        """That of the format chosen."""
        asked = self.data.get("format") if self.is_bound else self.initial.get("format")
        return PLAYBOOKS.get(str(asked), PLAYBOOKS["swiss"])

    @cached_property
    def people(self) -> int:
        return min(MOST_EXPECTED, whole_number(self["expected"].value(), 5, EXPECTED))

    @cached_property
    def minutes(self) -> int:
        try:
            return min(10_000, max(0, int(float(self["hours"].value() or 0) * 60)))
        except (ValueError, OverflowError):
            return 0

    @cached_property
    def formats(self) -> list[tuple[str, list[Choice]]]:
        """Formats by who enters, each with what it is like for so many people."""
        groups: dict[int, list[Choice]] = {2: [], 1: [], 4: []}
        about = {one.key: one for one in choose(self.people, self.minutes)}
        for radio in self["format"]:
            key = str(radio.data["value"])
            book = PLAYBOOKS[key]
            groups[book.members].append(Choice(radio, book, about[key]))
        titles = {
            2: gettext("Fixed pairs"),
            1: gettext("People, with another partner each round"),
            4: gettext("Teams"),
        }
        return [(titles[members], choices) for members, choices in groups.items() if choices]

    @cached_property
    def told(self) -> str:
        """What the format chosen is like with the options chosen; empty while they cannot be."""
        try:
            plan = self.book.read(self.settings if self.is_bound and self.is_valid() else stored_options(self))
        except EventError:
            return ""
        rounds = whole_number(self["rounds_planned"].value(), 3, 0)
        length = whole_number(self["round_minutes"].value(), 5, 0)
        pause = whole_number(self["break_minutes"].value(), 5, 0)
        return said(advice(self.people // plan.members, rounds, plan, length, pause), plan)

    @property
    def book_label(self) -> str:
        return gettext(self.book.label)

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("o_")]

    def group(self, names: tuple[str, ...]) -> list[forms.BoundField]:
        return [self[name] for name in names]

    @property
    def sign_up(self) -> list[forms.BoundField]:
        return self.group(self.SIGN_UP)

    @property
    def rounds(self) -> list[forms.BoundField]:
        return self.group(self.ROUNDS)

    @property
    def game(self) -> list[forms.BoundField]:
        return self.group(self.GAME)

    @property
    def wrong(self) -> set[str]:
        """Groups in which something has to be changed: they are shown open."""
        groups = {"sign_up": self.SIGN_UP, "rounds": self.ROUNDS, "game": self.GAME}
        found = {group for group, names in groups.items() if any(name in self.errors for name in names)}
        return found | ({"options"} if any(name.startswith("o_") for name in self.errors) else set())

    # --- what was filled in -----------------------------------------------------------------------------

    @property
    def settings(self) -> dict[str, Any]:
        """The format's options that are not as by default."""
        found: dict[str, Any] = {}
        for option in self.book.options:
            if option.kind == "order":
                keys = [self.cleaned_data.get(f"o_{option.name}_{place}") for place in range(1, TIEBREAKS + 1)]
                if any(keys):
                    found[option.name] = [key for key in keys if key]
                continue
            value = self.cleaned_data.get(f"o_{option.name}")
            if value is not None and value != option.default:
                found[option.name] = value
        return found

    def values(self) -> dict[str, Any]:
        """The event's fields, for its services."""
        data = self.cleaned_data
        names = (*self.SIGN_UP, *self.ROUNDS, "title", "zone", "kind", "format", "rated")
        found = {name: 0 if data[name] is None and name in event_fields.MOST else data[name] for name in names} | {
            "pace": int(data["pace"]),
            "rules": self._notation(data["rules"]),
            "settings": self.settings,
        }
        if found["pairing"] == USUAL:
            in_hall = found["kind"] == Event.Kind.HALL
            found["pairing"] = Event.Pairing.CLICK if in_hall else Event.Pairing.AUTOMATIC
        for name in ("starts_at", "closes_at"):
            found[name] = self._moment(name)
        return found

    def refuse(self, error: Exception) -> None:
        """Put a refusal beside the field that it is about."""
        name = error.field if isinstance(error, BadField) else None
        self.add_error(name if name in self.fields else None, str(error))

    def _moment(self, name: str) -> datetime | None:
        """The time as typed; the stored one if it was not touched, so that its seconds and the second
        of two equal hours stay."""
        typed: datetime | None = self.cleaned_data[name]
        stored = getattr(self.event, name, None) if self.event is not None else None
        if stored is not None and self.event is not None and self.cleaned_data["zone"] == self.event.zone:
            shown = _wall(stored, self.event.zone)
            if typed == shown:
                return stored  # type: ignore[no-any-return]
        return typed

    # --- rules of the game ----------------------------------------------------------------------------------

    def _offer_rules(self) -> None:
        offered: list[tuple[str, Any]] = [
            (start.name, start.words.chip if start.name != "article" else gettext("Standard rules"))
            for start in STARTS
            if start.rules.players == 4
        ]
        own = [(f"set-{kept.id}", kept.name) for kept in self.sets if kept.rules.players == 4]
        if own:
            offered = [(gettext("Of the site"), offered), (gettext("House rules of the club"), own)]
        if self.initial.get("rules") == KEPT and self.event is not None:
            chosen = chips(parse_rules(self.event.rules))
            offered.insert(0, (KEPT, ", ".join(chosen) or gettext("Standard rules")))
        self.fields["rules"].choices = offered  # type: ignore[attr-defined]

    def _notation(self, chosen: str) -> str:
        if chosen == KEPT and self.event is not None:
            return self.event.rules
        for start in STARTS:
            if start.name == chosen:
                return format_rules(start.rules)
        return next(format_rules(kept.rules) for kept in self.sets if f"set-{kept.id}" == chosen)


class Choice:
    """A format to choose: its radio button, what it is, and what it is like for so many."""

    def __init__(self, radio: Any, book: Playbook, about: Advice) -> None:
        self.radio = radio
        self.key = book.key
        self.label = gettext(book.label)
        self.line = gettext(book.line)
        self.fits = about.fits
        self.figures = figures(about) if about.entrants and about.rounds else ""
        self.said = said_of(about)


def figures(about: Advice) -> str:
    """Rounds, tables and time in a line."""
    parts = [
        ngettext("%(n)d round", "%(n)d rounds", about.rounds) % {"n": about.rounds},
        ngettext("%(n)d table", "%(n)d tables", about.tables) % {"n": about.tables},
        length(about.minutes),
    ]
    return " · ".join(parts)


def length(minutes: int) -> str:
    """How long something takes, about."""
    if minutes < 60:
        return ngettext("about %(n)d minute", "about %(n)d minutes", minutes) % {"n": minutes}
    hours, rest = divmod(5 * round(minutes / 5), 60)
    if rest:
        return gettext("about %(hours)d h %(minutes)d min") % {"hours": hours, "minutes": rest}
    return gettext("about %(hours)d h") % {"hours": hours}


def said_of(about: Advice) -> str:
    told = [words(reason, language=translation) for reason in about.said]
    if about.spare:
        told.append(
            ngettext("%(n)d person is left over.", "%(n)d people are left over.", about.spare) % {"n": about.spare}
        )
    return " ".join(told)


def said(about: Advice, plan: Plan) -> str:
    whole = figures(about) if about.fits else ""
    return ". ".join(part for part in (gettext(plan.book.label), whole) if part) + ". " + said_of(about)


def option_fields(book: Playbook) -> Iterator[tuple[str, forms.Field]]:
    """A field for each option of a format; an order has one for each place."""
    for option in book.options:
        if option.kind == "order":
            yield from _order_fields(option)
        else:
            yield option.name, _option_field(option)


def _option_field(option: Option) -> forms.Field:
    label, line = gettext(option.label), gettext(option.line)
    if option.kind == "flag":
        return forms.BooleanField(label=label, help_text=line, initial=bool(option.default), required=False)
    if option.kind == "number":
        return forms.IntegerField(
            label=label,
            help_text=line,
            initial=option.default,
            required=False,
            error_messages=_WHOLE,
            widget=forms.NumberInput(attrs={"min": option.least, "max": option.most, "inputmode": "numeric"}),
        )
    named = [(value, gettext(name)) for value, name in option.named]
    return _one_of(label, named, str(option.default), radio=False, help_text=line)


def _order_fields(option: Option) -> Iterator[tuple[str, forms.Field]]:
    usual = book_order(option)
    for place in range(1, TIEBREAKS + 1):
        named = [("", usual if place == 1 else "–"), *((value, gettext(name)) for value, name in option.named)]
        label = gettext("Tie-break %(place)d") % {"place": place}
        yield (
            f"{option.name}_{place}",
            forms.ChoiceField(
                label=label,
                choices=named,
                required=False,
                error_messages={"invalid_choice": _("Choose one of these.")},
            ),
        )


def book_order(option: Option) -> str:
    return gettext("As usual for the format")


def option_values(book: Playbook, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Stored settings as the fields of the options have them; the usual order of tie-breaks is empty."""
    found: dict[str, Any] = {}
    usual = book.read({name: value for name, value in settings.items() if book.option(name).kind != "order"}).settings
    for option in book.options:
        value = settings.get(option.name, option.default)
        if option.kind != "order":
            found[option.name] = value
        elif list(value) != list(usual[option.name]):
            found |= {f"{option.name}_{place}": key for place, key in enumerate(value[:TIEBREAKS], start=1)}
    return found


def stored_options(form: EventForm) -> Mapping[str, Any]:
    """The settings of the event, for a form that was not sent yet."""
    event = form.event
    return event.settings if event is not None and event.format == form.book.key else {}


def initial_of(event: Event) -> dict[str, Any]:
    """An event as its form has it."""
    plain = (*EventForm.SIGN_UP, *EventForm.ROUNDS, "title", "zone", "kind", "format", "rated")
    found = {name: getattr(event, name) for name in plain} | {"pace": str(event.pace), "rules": KEPT}
    for name in ("starts_at", "closes_at"):
        moment = getattr(event, name)
        found[name] = _wall(moment, event.zone) if moment is not None else None
    found["expected"] = max(EXPECTED, event.capacity * event_fields.plan_of(event).members)
    return found


def _wall(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None, second=0, microsecond=0, fold=0)
