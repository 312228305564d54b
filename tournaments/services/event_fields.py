"""What an event says of itself and how it is played: which values can be, alone and together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from games.engine import OPTIONS, NotationError, Rules, RulesExcluded, format_rules, parse_rules
from games.services.errors import UserError
from games.services.seating import PACES, is_rated
from tournaments import recurrence
from tournaments.formats.event import EventError
from tournaments.formats.words import words
from tournaments.models import Event
from tournaments.playbook import PLAYBOOKS, Plan
from tournaments.services import texts

LONGEST_TITLE: Final = 60
LONGEST_ABOUT: Final = 2000
LONGEST_FEE: Final = 120
"""Characters."""

AHEAD: Final = timedelta(days=2 * 366)
"""No event is further ahead."""

MOST: Final[Mapping[str, int]] = {
    "rounds_planned": 200,
    "check_in": 24 * 60,
    "capacity": 10_000,
    "late_until": 200,
    "round_minutes": 14 * 24 * 60,
    "break_minutes": 14 * 24 * 60,
    "no_show_minutes": 240,
}
"""The greatest number each can be; the least is 0."""

CHOICES: Final[Mapping[str, Any]] = {
    "kind": Event.Kind,
    "no_show": Event.NoShow,
    "pairing": Event.Pairing,
}


class Fields(TypedDict, total=False):
    """What one can say of an event. Times are aware, or naive and then read in ``zone``;
    ``settings`` are the format's (``tournaments.playbook``), ``rules`` the game's in notation."""

    title: str
    about: str
    fee: str
    format: str
    settings: Mapping[str, Any]
    rounds_planned: int
    rules: str
    pace: int
    rated: bool
    kind: str
    starts_at: datetime | None
    zone: str
    closes_at: datetime | None
    check_in: int
    capacity: int
    late_until: int
    bots_fill: bool
    approval: bool
    pairing: str
    round_minutes: int
    break_minutes: int
    no_show_minutes: int
    no_show: str


class BadField(UserError):
    """A value that cannot be; ``field`` is the name of the one to change."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def sentence(error: EventError) -> str:
    """What a format refuses, and what to change, in the reader's language."""
    told = (error.problem, error.advice)
    return " ".join(words(reason, language=translation) for reason in told)


def plan_of(event: Event) -> Plan:
    """The plan of a stored event."""
    return PLAYBOOKS[event.format].read(event.settings)


def clean(event: Event, given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The stored form of the values given, checked alone and beside the others ``event`` has.
    Times that stay as they are may be past. BadField names the first one to change."""
    unknown = given.keys() - Fields.__annotations__.keys()
    assert not unknown, f"events have no {unknown}"
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name in MOST:
            values[name] = _number(name, value)
        elif name in CHOICES:
            values[name] = _choice(name, value)
        elif name in ("rated", "bots_fill", "approval"):
            values[name] = bool(value)
    values |= _texts(given)
    if "zone" in given:
        values["zone"] = read_zone(given["zone"]).key
    zone = ZoneInfo(values.get("zone", event.zone))
    for name in ("starts_at", "closes_at"):
        if name in given:
            values[name] = _time(name, given[name], zone, getattr(event, name), now)
    return _together(event, given, values)


def read_zone(name: str) -> ZoneInfo:
    """BadField for a time zone that there is not."""
    try:
        if name in available_timezones():
            return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError):
        pass
    raise BadField("zone", _("There is no time zone called “%(zone)s”.") % {"zone": str(name)[:40]})


def read_time(when: datetime, zone: ZoneInfo, field: str = "starts_at") -> datetime:
    """A time of the wall clock as a moment; an aware one stays. Of an hour that the clock shows
    twice the first is meant. BadField for one that it leaves out."""
    if timezone.is_aware(when):
        return when
    moment = when.replace(tzinfo=zone, fold=0)
    if not recurrence.exists(moment):
        later = recurrence.at(when.date(), when.time(), zone)
        raise BadField(
            field,
            _("On %(day)s the clocks go forward in %(zone)s, and there is no %(time)s. Say %(later)s, for instance.")
            % {
                "day": formats.date_format(when, "DATE_FORMAT"),
                "zone": zone.key,
                "time": formats.time_format(when.time(), "H:i"),
                "later": formats.time_format(later.time(), "H:i"),
            },
        )
    return moment


def advice_on_time(when: datetime | None, zone: str) -> str:
    """A sentence where the clock shows that hour twice, else an empty text."""
    if when is None:
        return ""
    moment = when.astimezone(ZoneInfo(zone))
    if not recurrence.twice(moment):
        return ""
    told = _("On %(day)s the clocks go back in %(zone)s and show %(time)s twice. The first is meant.")
    if moment.fold:
        told = _("On %(day)s the clocks go back in %(zone)s and show %(time)s twice. The second is meant.")
    return told % {
        "day": formats.date_format(moment, "DATE_FORMAT"),
        "zone": zone,
        "time": formats.time_format(moment.time(), "H:i"),
    }


# --- one by one ---------------------------------------------------------------------------------------


def _texts(given: Mapping[str, Any]) -> dict[str, str]:
    values = {}
    for name, longest in (("title", LONGEST_TITLE), ("fee", LONGEST_FEE)):
        if name in given:
            empty = _("Give the event a title.") if name == "title" else ""
            values[name] = _said(name, lambda n=name, m=longest, e=empty: texts.one_line(given[n], m, empty=e))
    if "about" in given:
        values["about"] = _said("about", lambda: texts.paragraphs(given["about"], LONGEST_ABOUT))
    return values


def _said(name: str, read: Any) -> str:
    try:
        return str(read())
    except UserError as error:
        raise BadField(name, str(error)) from None


def _number(name: str, value: Any) -> int:
    label = _LABELS[name]()
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST[name]:
        raise BadField(name, _("%(what)s: choose a number from 0 to %(most)d.") % {"what": label, "most": MOST[name]})
    return value


_LABELS: Final = {
    "rounds_planned": lambda: _("Rounds"),
    "check_in": lambda: _("Minutes of check-in"),
    "capacity": lambda: _("Places"),
    "late_until": lambda: _("Last round to join in"),
    "round_minutes": lambda: _("Minutes of a round"),
    "break_minutes": lambda: _("Minutes between rounds"),
    "no_show_minutes": lambda: _("Minutes to wait for who is missing"),
}


def _choice(name: str, value: Any) -> str:
    if value not in CHOICES[name].values:
        told = {
            "kind": _("Choose where the event is played."),
            "no_show": _("Choose what happens when somebody does not come."),
            "pairing": _("Choose how rounds begin."),
        }
        raise BadField(name, told[name])
    return str(CHOICES[name](value).value)


def _time(name: str, value: Any, zone: ZoneInfo, stored: datetime | None, now: datetime) -> datetime | None:
    if value is None:
        return None
    moment = read_time(value, zone, name)
    if moment == stored:
        return stored
    if moment <= now:
        told = {
            "starts_at": _("That start is past. Choose a time to come."),
            "closes_at": _("That end of sign-up is past. Choose a time to come."),
        }
        raise BadField(name, told[name])
    if moment > now + AHEAD:
        raise BadField(name, _("That is more than two years ahead. Is the year right?"))
    return moment


# --- together -----------------------------------------------------------------------------------------


def _together(event: Event, given: Mapping[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    whole = {name: getattr(event, name) for name in Fields.__annotations__} | values
    if not {"format", "settings", "rules", "kind", "rated", "pace"}.isdisjoint(given):
        whole |= _game(event, given, whole)
    plan = PLAYBOOKS[whole["format"]].read(whole["settings"])
    _check_numbers(whole, plan)
    _check_times(whole)
    if whole["bots_fill"] and whole["kind"] == Event.Kind.HALL:
        raise BadField("bots_fill", _("Bots cannot hold real cards. Play online, or leave the bots out."))
    kept = set(values) | {"format", "settings", "rules", "kind", "rated", "pace"}
    return {name: whole[name] for name in kept}


def _game(event: Event, given: Mapping[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Format, settings and rules that agree: online games end as the format's options say, and
    options that were not given follow the rules."""
    name = given.get("format", event.format)
    if not isinstance(name, str) or name not in PLAYBOOKS:
        raise BadField("format", _("Choose a format."))
    rules = _rules(given.get("rules", event.rules))
    settings = given.get("settings", event.settings if name == event.format else {})
    options = {option.name for option in PLAYBOOKS[name].options}
    if isinstance(settings, Mapping) and "settings" in given:
        settings = {name: value for name, value in _from_rules(rules).items() if name in options} | dict(settings)
    elif "rules" in given and given["rules"] != event.rules:
        settings = dict(settings) | {name: value for name, value in _from_rules(rules).items() if name in options}
    try:
        plan = PLAYBOOKS[name].read(settings)
    except EventError as error:
        raise BadField("settings", sentence(error)) from None
    text = str(given.get("rules", event.rules))
    if whole["kind"] == Event.Kind.ONLINE and (played := _to_rules(plan, rules)) != rules:
        text = format_rules(played)
    if whole["rated"] and whole["kind"] == Event.Kind.HALL:
        raise BadField("rated", _("Only games at this site’s tables are rated. Play online, or make it unrated."))
    if whole["rated"] and not is_rated(text):
        raise BadField(
            "rated", _("Ranked games are played by the site’s own rules, to 10 points. Make the event unrated.")
        )
    pace = given.get("pace", event.pace)
    if pace not in PACES:
        raise BadField("pace", _("Choose how long a move may take."))
    return {"format": name, "settings": plan.settings, "rules": text, "pace": pace}


def _rules(text: Any) -> Rules:
    try:
        rules = parse_rules(str(text))
    except NotationError as error:
        raise BadField("rules", str(error)) from None
    if rules.players != 4:
        raise BadField("rules", _("Events are played by four at a table. Choose rules for four."))
    return rules


_HOUSES: Final[Mapping[int, str]] = {2: "standard", 4: "loner_euchred_4"}
"""By what a lone maker's euchre is worth."""


def _from_rules(rules: Rules) -> dict[str, Any]:
    """The options of a format that say what the rules say; only those that differ from the usual."""
    found: dict[str, Any] = {}
    if rules.target_score != Rules().target_score:
        found["target"] = rules.target_score
    if rules.num_deals:
        found["hands"] = rules.num_deals
    if rules.lone_euchred != Rules().lone_euchred:
        found["house"] = _HOUSES[rules.lone_euchred]
    return found


def _to_rules(plan: Plan, rules: Rules) -> Rules:
    """The rules of online games whose results the plan can count."""
    try:
        return _adapted(plan, rules)
    except RulesExcluded as error:
        raise BadField("rules", str(error)) from None


def _adapted(plan: Plan, rules: Rules) -> Rules:
    values = plan.values
    hands, target, house = (values.get(name) for name in ("hands", "target", "house"))
    if hands is not None:
        if hands not in OPTIONS["num_deals"]:
            raise BadField("settings", _online(_("Hands in a round"), OPTIONS["num_deals"]))
        rules = replace(rules, num_deals=hands)  # type: ignore[arg-type]
    if target is not None and not hands:
        if target not in OPTIONS["target_score"]:
            raise BadField("settings", _online(_("Points that win a game"), OPTIONS["target_score"]))
        rules = replace(rules, target_score=target)  # type: ignore[arg-type]
    if house is not None:
        worth = {name: points for points, name in _HOUSES.items()}
        if house not in worth:
            raise BadField("settings", _("Tables online do not score that way. Choose another scoring, or a hall."))
        rules = replace(rules, lone_euchred=worth[str(house)])  # type: ignore[arg-type]
    return rules


def _online(what: str, values: tuple[object, ...]) -> str:
    return _("%(what)s: tables online offer %(values)s.") % {"what": what, "values": ", ".join(map(str, values))}


def _check_numbers(whole: Mapping[str, Any], plan: Plan) -> None:
    book, capacity = plan.book, whole["capacity"]
    if capacity and capacity < book.least:
        raise BadField(
            "capacity",
            _("This format needs at least %(least)d. Make room for them, or set no limit (0).") % {"least": book.least},
        )
    if capacity > book.most:
        raise BadField("capacity", _("This format takes at most %(most)d.") % {"most": book.most})
    rounds, late = whole["rounds_planned"], whole["late_until"]
    if rounds and late > rounds:
        raise BadField(
            "late_until",
            _("There are %(rounds)d rounds: nobody can join in round %(late)d.") % {"rounds": rounds, "late": late},
        )
    if rounds and late > plan.late_until(rounds):
        raise BadField(
            "late_until",
            _("In this format nobody can join later than round %(last)d of %(rounds)d.")
            % {"last": plan.late_until(rounds), "rounds": rounds},
        )
    minutes, wait = whole["round_minutes"], whole["no_show_minutes"]
    if minutes and wait >= minutes:
        raise BadField(
            "no_show_minutes",
            _("A round takes %(minutes)d minutes: waiting %(wait)d for who is missing is too long.")
            % {"minutes": minutes, "wait": wait},
        )


def _check_times(whole: Mapping[str, Any]) -> None:
    starts, closes = whole["starts_at"], whole["closes_at"]
    if starts and closes and closes > starts:
        raise BadField("closes_at", _("Sign-up cannot end after the start. For who comes later there is late entry."))
