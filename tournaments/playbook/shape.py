"""The one shape of all formats: options that are read into a plan, a plan that draws and ranks.

A *playbook* is a format with its options; :meth:`Playbook.read` makes a *plan* of an event's
settings. A plan answers everything the site asks of a format, from a snapshot and the draw number
(``seed``), which is the same all through an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from tournaments.formats import scores
from tournaments.formats.bracket import Bracket, Match, field_of
from tournaments.formats.event import Draw, EventError, NotPlayed, Result, Sides, Snapshot
from tournaments.formats.rotation import Profile, profile
from tournaments.formats.scores import ScoreRules
from tournaments.formats.words import Reason, because
from tournaments.playbook import texts
from tournaments.standings import Term

Value = bool | int | str | tuple[str, ...]
Values = Mapping[str, Value]
Counters = Mapping[str, Mapping[int, int]]
Kind = Literal["choice", "number", "flag", "order"]

SHOWN: Final = 40
"""Characters of a wrong value that an error repeats."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose. ``default`` of an order is worked out from the other options where it is
    empty. ``needs``: it makes a difference only if the option named there has one of those values."""

    name: str
    kind: Kind
    default: Value
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    needs: tuple[str, tuple[Value, ...]] | None = None

    @property
    def label(self) -> str:
        """To be translated."""
        return texts.OPTIONS[self.name][0]

    @property
    def line(self) -> str:
        """A line of explanation, to be translated."""
        return texts.OPTIONS[self.name][1]

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """The values of a choice or an order, each with its name, to be translated."""
        return tuple((choice, texts.VALUES[self.name][choice]) for choice in self.choices)

    def matters(self, values: Mapping[str, Any]) -> bool:
        """Whether it makes a difference beside the others."""
        return self.needs is None or values[self.needs[0]] in self.needs[1]

    def read(self, given: object) -> Value:
        """The value as plans have it. Raises EventError for one that cannot be."""
        if self.kind == "flag" and isinstance(given, bool):
            return given
        if self.kind == "number" and type(given) is int and self.least <= given <= self.most:
            return given
        if self.kind == "choice" and isinstance(given, str) and given in self.choices:
            return given
        if self.kind == "order" and isinstance(given, (list, tuple)):
            keys = tuple(key for key in given if isinstance(key, str) and key in self.choices)
            if len(keys) == len(given) == len(set(keys)):
                return keys
        limits = {"least": self.least, "most": self.most} if self.kind == "number" else {}
        raise EventError(
            f"wrong_{self.kind}", option=because(f"option_{self.name}"), given=f"{given!r:.{SHOWN}}", **limits
        )


@dataclass(frozen=True, slots=True)
class Column:
    """A number of the standings, and the terms that add up to it (divided, for an average)."""

    key: str
    value: float
    tell: Callable[[], tuple[Term, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Worked out when asked for."""
        return self.tell()

    @property
    def label(self) -> str:
        """The heading, to be translated."""
        return texts.COLUMNS[self.key]


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant in the standings. ``place`` is None for who has none: still playing in a bracket,
    withdrawn, disqualified. The first of the ``columns`` is the ``score``. ``group`` counts from 1
    where there are several; two ``lines`` of a duplicate event are its groups."""

    place: int | None
    entrant: int
    score: float
    columns: tuple[Column, ...]
    notes: tuple[Reason, ...] = ()
    tied: bool = False
    group: int = 0


@dataclass(frozen=True)
class Plan:
    """A format with the options of an event. ``extra`` is what the director has entered of extra
    hands or cuts by entrant, the higher the better."""

    book: Playbook
    values: Values
    extra: Mapping[int, int] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """The options as plain JSON; reading them gives this plan again."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.values.items()}

    @property
    def by_points(self) -> bool:
        """Whether the score of an entrant is the points of his games."""
        return self.values.get("ranking") == "points"

    @property
    def members(self) -> int:
        """People of an entrant: 1, a fixed pair 2, a team 4."""
        return self.book.members

    @property
    def side(self) -> int:
        """Entrants on a side of a table. A side of two may once have one who plays alone, where
        the format says so (progressive, three left over)."""
        return self.book.side

    @cached_property
    def score(self) -> ScoreRules:
        """What a game of the event can end with."""
        values = self.values
        points = scores.HOUSES[str(values["house"])]
        return ScoreRules(
            target=self.number("target"),
            hands=self.number("hands"),
            ties="half" if values.get("ties") == "half" else "extra_hand",
            points=replace(points, thrown_in=self.flag("thrown_in")),
        )

    def check(self) -> None:
        """Raises EventError for options that contradict each other."""
        _ = self.score

    def rounds(self, entrants: int) -> int:
        """How many rounds are suggested for so many; 0 for too few."""
        raise NotImplementedError

    def length(self, snapshot: Snapshot) -> int:
        """How many rounds the event has: as planned, else as suggested for who was there at the
        start; 0 if only its results tell."""
        return snapshot.planned or self.rounds(len(field_of(snapshot)))

    def late_until(self, rounds: int) -> int:
        """The last of so many rounds that somebody new can start in."""
        return rounds

    def places_left(self, snapshot: Snapshot, seed: int = 0) -> int | None:
        """How many could still enter for the next round; None for any number."""
        planned = self.length(snapshot)
        return 0 if planned and snapshot.number > self.late_until(planned) else None

    def pair(self, snapshot: Snapshot, seed: int = 0) -> Draw:
        """The draw of the next round; in a movement that many have left it may have no table, and
        the round is over at once. Raises CannotPair, EventError."""
        return self.draw(replace(snapshot, planned=self.length(snapshot)), seed)

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        raise NotImplementedError

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        """The standings of all entrants, the first first. Raises EventError."""
        raise NotImplementedError

    def over(self, snapshot: Snapshot, seed: int = 0) -> bool:
        """Whether nothing is left to draw: all rounds are played, all matches decided, or too few
        are left. Raises EventError."""
        planned = self.length(snapshot)
        return 0 < planned < snapshot.number or self.done(snapshot, seed)

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        return len(still_in(snapshot)) < 2 * self.side

    def result(
        self,
        points: tuple[int, int],
        winner: int | None = None,
        counters: Counters | None = None,
        sides: Sides | None = None,
        *,
        deals: Mapping[int, int | NotPlayed] | None = None,
        label: str = "",
    ) -> Result:
        """The result of a table as it was typed. ``winner`` is the side that won an extra hand;
        ``deals`` and the table's ``label`` are for a duplicate event. Raises BadScore, EventError."""
        return scores.result(self.score, points, winner, counters, sides)

    def bracket(self, snapshot: Snapshot, seed: int = 0) -> Bracket | None:
        """The bracket as it stands; None where there is none, or not yet. Raises EventError."""
        return None

    def groups(self, snapshot: Snapshot, seed: int = 0) -> tuple[tuple[Line, ...], ...]:
        """The table of each group, where there are any. Raises EventError."""
        return ()

    def affected(self, snapshot: Snapshot, label: str, seed: int = 0) -> tuple[Match, ...]:
        """The matches drawn or played that another winner of the one of this label would touch.
        Raises EventError."""
        return ()

    def proof(self, snapshot: Snapshot) -> Profile | None:
        """Who partnered and met whom how often, where partners change."""
        return profile(snapshot.rounds) if self.side == 2 else None

    def flag(self, name: str) -> bool:
        return bool(self.values[name])

    def number(self, name: str) -> int:
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def word(self, name: str) -> Any:
        """A choice, to be given to the rules of a format."""
        return self.values[name]


@dataclass(frozen=True, slots=True)
class Playbook:
    """A format and its options. ``least`` and ``most`` entrants; ``members`` of an entrant and
    entrants on a ``side`` with the options as they are by default: a plan says what an event has."""

    key: str
    plan: type[Plan]
    options: tuple[Option, ...]
    least: int
    most: int
    members: int
    side: int
    defaults: Callable[[Mapping[str, Value]], Mapping[str, Value]] = field(default=lambda values: {}, repr=False)
    """What options that were not given are, where that depends on others."""

    @property
    def label(self) -> str:
        """To be translated."""
        return texts.FORMATS[self.key][0]

    @property
    def line(self) -> str:
        """A line about the format, to be translated."""
        return texts.FORMATS[self.key][1]

    def takes(self, entrants: int) -> bool:
        """Whether so many can play it. For others nothing may be worked out: it could take for ever."""
        return self.least <= entrants <= self.most

    def option(self, name: str) -> Option:
        """KeyError if it has none of this name."""
        return {option.name: option for option in self.options}[name]

    def read(self, settings: object = None, extra: Mapping[int, int] | None = None) -> Plan:
        """The plan of an event with these settings, as JSON gives them; what is left out is as by
        default. Raises EventError for what cannot be."""
        if settings is None:
            settings = {}
        if not isinstance(settings, Mapping):
            raise EventError("settings_no_table")
        names = [option.name for option in self.options]
        for name in settings:
            if name not in names:
                raise EventError("option_unknown", given=f"{name!r:.{SHOWN}}")
        given = {option.name: option.read(settings[option.name]) for option in self.options if option.name in settings}
        values = {option.name: option.default for option in self.options} | given
        values = {**values, **self.defaults(values), **given}
        plan = self.plan(self, values, extra or {})
        plan.check()
        return plan

    def rounds(self, entrants: int, settings: object = None) -> int:
        """How many rounds are suggested for so many. Raises EventError."""
        return self.read(settings).rounds(entrants)


def still_in(snapshot: Snapshot) -> list[int]:
    """Who may yet play, here or pausing."""
    return [one.id for one in snapshot.entrants if one.state in ("active", "paused")]
