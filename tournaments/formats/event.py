"""What every format is told of an event, and what it answers.

An *entrant* is what a format moves about: a fixed pair, a person where partners change, a team.
A *table* seats two sides of one or two entrants each: ``((7,), (3,))`` for two pairs,
``((7, 2), (3, 9))`` for four people, partners together. Numbers of entrants are ids of the
caller's; numbers of rounds and tables count from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Literal, NamedTuple

from tournaments.formats.words import Reason, Value, because

Side = tuple[int, ...]
Sides = tuple[Side, Side]

State = Literal["active", "paused", "withdrawn", "disqualified"]
Outcome = Literal["played", "forfeit", "double_forfeit", "void"]


class EventError(Exception):
    """Something the director can put right: ``problem`` says what is wrong, ``advice`` what to
    change; ``str()`` is the problem in English, entrants by number."""

    def __init__(self, code: str, **values: Value) -> None:
        self.problem = because(code, **values)
        self.advice = because(f"{code}_advice", **values)
        super().__init__(self.problem)


class CannotPair(EventError):
    """No draw keeps the rules and wishes of this snapshot."""


class BadScore(EventError):
    """A score that no game of this event can end with."""


class DrawFault(AssertionError):
    """A draw that breaks a promise of its format: our mistake, never the director's."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part. ``seed`` orders the start, 1 is the strongest. A paused entrant is not
    paired and may come back; a withdrawn or disqualified one keeps his history."""

    id: int
    seed: int
    state: State = "active"
    joined: int = 1
    """The first round he could play in."""
    left: int | None = None
    """The first round he could not, for who has withdrawn."""


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A deal that a table of a duplicate event did not play, and the sides (0, 1) at fault."""

    at_fault: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """How a table ended. ``points`` by side; of a forfeit ``absent`` tells the side that was not
    there (0 or 1). ``counters`` are per entrant: euchres, loners, marches, by name."""

    points: tuple[int, int] = (0, 0)
    outcome: Outcome = "played"
    absent: int | None = None
    winner: int | None = None
    """The side that won, also where a level score was settled by an extra hand; None for a tie."""
    counters: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    deals: Mapping[int, int | NotPlayed] = field(default_factory=dict)
    """Of a duplicate event, by the deal's number: points of side 0 less those of side 1."""

    @property
    def played(self) -> bool:
        return self.outcome == "played"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a finished round. Only confirmed results enter a snapshot."""

    number: int
    sides: Sides
    result: Result
    label: str = ""
    """The match of a bracket it was played for, as drawn."""

    @property
    def seated(self) -> tuple[int, ...]:
        return self.sides[0] + self.sides[1]


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: its tables, who had a bye (a win without an opponent) and who rested
    (neither won nor lost). Who is in none of these was absent."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Constraints:
    """Wishes and orders of the director, inputs of every format.

    ``never_together`` and ``never_opponents`` and ``always_together`` hold unordered pairs of
    entrants. ``fixed_table`` keeps an entrant at a table (cannot move). ``tables`` are pairings
    made by hand, checked and completed; ``byes`` and ``absent`` are of this round only.
    """

    never_together: frozenset[frozenset[int]] = frozenset()
    always_together: frozenset[frozenset[int]] = frozenset()
    never_opponents: frozenset[frozenset[int]] = frozenset()
    fixed_table: Mapping[int, int] = field(default_factory=dict)
    tables: tuple[Sides, ...] = ()
    byes: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()


NO_CONSTRAINTS = Constraints()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a draw depends on. ``rounds`` are the finished ones in order; the draw is for
    the next. ``planned`` is how many rounds the event has, 0 where the format decides."""

    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = ()
    planned: int = 0
    constraints: Constraints = NO_CONSTRAINTS

    @property
    def number(self) -> int:
        """The round to be drawn."""
        return len(self.rounds) + 1

    def present(self) -> tuple[Entrant, ...]:
        """Who can be seated in the round to be drawn, by seed."""
        number, absent = self.number, self.constraints.absent
        here = [
            entrant
            for entrant in self.entrants
            if entrant.state == "active" and entrant.joined <= number and entrant.id not in absent
        ]
        return tuple(sorted(here, key=attrgetter("seed", "id")))

    def tables(self) -> Iterator[tuple[Round, Table]]:
        """Every table of every finished round."""
        for played in self.rounds:
            for table in played.tables:
                yield played, table


class DrawnTable(NamedTuple):
    """A table to be played. ``label`` names what it is played for, a match of a bracket (``WR2-1``),
    a group or a set of deals: :func:`~tournaments.formats.words.title`. ``reasons`` are for the
    director: :func:`~tournaments.formats.words.words`."""

    number: int
    sides: Sides
    reasons: tuple[Reason, ...] = ()
    label: str = ""

    @property
    def seated(self) -> tuple[int, ...]:
        return self.sides[0] + self.sides[1]

    def finished(self, result: Result) -> Table:
        """The table of the finished round, with its label."""
        return Table(self.number, self.sides, result, self.label)


@dataclass(frozen=True, slots=True)
class Draw:
    """A round as it shall be played. ``notes`` concern the whole of it."""

    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()
    notes: tuple[Reason, ...] = ()

    def finished(self, results: Mapping[int, Result]) -> Round:
        """The round as a snapshot wants it, from results by the number of the table; a table without
        one was not played."""
        tables = tuple(table.finished(results[table.number]) for table in self.tables if table.number in results)
        return Round(self.round, tables, self.byes, self.rests)

    def __post_init__(self) -> None:
        sides = chain.from_iterable(table.sides for table in self.tables)
        everybody = [*chain.from_iterable(sides), *self.byes, *self.rests]
        if len(set(everybody)) < len(everybody):
            twice = next(entrant for entrant, times in Counter(everybody).items() if times > 1)
            raise DrawFault(f"entrant {twice} is twice in round {self.round}")


def pair_of(one: int, other: int) -> frozenset[int]:
    """An unordered pair."""
    return frozenset((one, other))
