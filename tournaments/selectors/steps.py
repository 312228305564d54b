"""The log of an event as people read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.models import EventLink, Step, Wish

_FIELDS: Final[Mapping[str, Any]] = {
    "title": pgettext_lazy("of an event", "title"),
    "about": gettext_lazy("description"),
    "fee": gettext_lazy("fee"),
    "format": gettext_lazy("format"),
    "settings": gettext_lazy("options of the format"),
    "rounds_planned": gettext_lazy("rounds"),
    "rules": gettext_lazy("rules of the game"),
    "pace": gettext_lazy("pace"),
    "rated": gettext_lazy("rating"),
    "kind": gettext_lazy("online or hall"),
    "starts_at": gettext_lazy("start"),
    "zone": gettext_lazy("time zone"),
    "closes_at": gettext_lazy("end of sign-up"),
    "check_in": gettext_lazy("check-in"),
    "capacity": gettext_lazy("places"),
    "late_until": gettext_lazy("late entry"),
    "bots_fill": gettext_lazy("bots"),
    "approval": gettext_lazy("who accepts entries"),
    "pairing": gettext_lazy("how rounds begin"),
    "round_minutes": gettext_lazy("minutes of a round"),
    "break_minutes": gettext_lazy("minutes between rounds"),
    "no_show_minutes": gettext_lazy("minutes to wait for who is missing"),
    "no_show": gettext_lazy("what happens when somebody does not come"),
}

SENTENCES: Final[Mapping[str, Any]] = {
    "created": gettext_lazy("made the event"),
    "edited": gettext_lazy("changed: %(fields)s"),
    "announced": gettext_lazy("announced the event"),
    "opened_check_in": gettext_lazy("opened check-in"),
    "started": gettext_lazy("started the event with %(entrants)s entrants"),
    "cancelled": gettext_lazy("called the event off"),
    "finished": gettext_lazy("finished the event"),
    "reopened": gettext_lazy("took the event up again"),
    "said": gettext_lazy("told all tables: %(text)s"),
    "linked": gettext_lazy("made a link: %(part)s"),
    "revoked": gettext_lazy("revoked a link: %(part)s"),
    "undid": gettext_lazy("undid step %(step)s: %(sentence)s"),
    "signed_up": gettext_lazy("signed up: %(name)s"),
    "asked_partner": gettext_lazy("%(name)s asked %(asked)s to be partners"),
    "asked_no_longer": gettext_lazy("took back a request of %(name)s"),
    "declined_partner": gettext_lazy("%(partner)s does not play with %(name)s"),
    "paired": gettext_lazy("made a pair: %(name)s"),
    "accepted": gettext_lazy("let in: %(name)s"),
    "declined": gettext_lazy("turned down: %(name)s"),
    "checked_in": gettext_lazy("checked in: %(name)s"),
    "checked_out": gettext_lazy("not here after all: %(name)s"),
    "checked_in_all": gettext_lazy("checked in all: %(entrants)s"),
    "added": gettext_lazy("entered %(entrants)s from a list"),
    "filled": gettext_lazy("added bots: %(entrants)s"),
    "withdrew": gettext_lazy("withdrew: %(name)s"),
    "paused": gettext_lazy("pauses: %(name)s"),
    "brought_back": gettext_lazy("back again: %(name)s"),
    "disqualified": gettext_lazy("disqualified: %(name)s"),
    "removed": gettext_lazy("struck off the list: %(name)s"),
    "substituted": gettext_lazy("%(substitute)s plays instead of %(name)s"),
    "swapped_members": gettext_lazy("%(name)s and %(other)s changed places"),
    "renamed": gettext_lazy("%(name)s is written %(to)s"),
    "noted": gettext_lazy("changed the note on %(name)s"),
    "seeded": gettext_lazy("seeded %(name)s: %(seed)s"),
    "seeded_all": gettext_lazy("seeded %(entrants)s entrants"),
    "set_extra": gettext_lazy("extra hand or cut of %(name)s: %(extra)s"),
    "wished": gettext_lazy("for every draw: %(wish)s (%(who)s)"),
    "wished_no_longer": gettext_lazy("no longer for every draw: %(wish)s (%(who)s)"),
    "account_ended": gettext_lazy("an account was deleted"),
    "drew": gettext_lazy("drew round %(round)s"),
    "redrew": gettext_lazy("drew round %(round)s again"),
    "published": gettext_lazy("published round %(round)s"),
    "began": gettext_lazy("began round %(round)s"),
    "opened_again": gettext_lazy("opened online tables of round %(round)s again"),
    "closed_round": gettext_lazy("closed round %(round)s"),
    "next_round": gettext_lazy("went on to round %(round)s"),
    "locked_table": gettext_lazy("round %(round)s: locked table %(table)s"),
    "unlocked_table": gettext_lazy("round %(round)s: unlocked table %(table)s"),
    "set_kind": gettext_lazy("round %(round)s: moved table %(table)s online or to the hall"),
    "swapped": gettext_lazy("round %(round)s: swapped two entrants"),
    "added_minutes": gettext_lazy("round %(round)s: added %(minutes)s minutes"),
    "paused_clock": gettext_lazy("round %(round)s: stopped the clock"),
    "resumed_clock": gettext_lazy("round %(round)s: let the clock go on"),
    "no_shows": gettext_lazy("saw to who had not come"),
    "reported": gettext_lazy("round %(round)s, table %(table)s: reported %(points)s"),
    "entered": gettext_lazy("round %(round)s, table %(table)s: entered %(points)s"),
    "confirmed": gettext_lazy("round %(round)s, table %(table)s: confirmed"),
    "disputed": gettext_lazy("round %(round)s, table %(table)s: disputed"),
    "decided": gettext_lazy("round %(round)s, table %(table)s: decided %(points)s"),
    "corrected": gettext_lazy("round %(round)s, table %(table)s: corrected to %(points)s"),
    "game_ended": gettext_lazy("round %(round)s, table %(table)s: the game ended %(points)s"),
    "took_as_said": gettext_lazy("round %(round)s: took the reported scores as they are"),
}
"""What each kind of step says, after the name of who did it."""


def read_log(event_id: int) -> QuerySet[Step]:
    """The steps of an event, the newest first, with who took them, without their changes."""
    steps = Step.objects.filter(event=event_id).select_related("by", "undone").defer("changes", "undone__changes")
    return steps.order_by("-number")


def tell(step: Step) -> str:
    """What was done, in the active language, to follow the name of who did it."""
    return _told(step.kind, step.words)


def _told(kind: str, words: Mapping[str, Any]) -> str:
    sentence = SENTENCES.get(kind)
    if sentence is None:
        return kind
    return str(sentence) % _Words(words)


class _Words(dict[str, Any]):
    """The words of a step as they are read."""

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        match name:
            case "fields":
                return ", ".join(str(_FIELDS.get(field, field)) for field in value or ())
            case "part" if value in EventLink.Part.values:
                return str(EventLink.Part(value).label)
            case "wish" if value in Wish.Kind.values:
                return str(Wish.Kind(value).label)
            case "who":
                where = _("table %(number)s") % {"number": self["table"]} if self.get("table") else self.get("other")
                return f"{self.get('name', '')}, {where}"
            case "sentence":
                return _told(str(self.get("kind", "")), self.get("words") or {})
            case "points" if isinstance(value, list):
                return "–".join(map(str, value))
        return "" if value is None else str(value)
