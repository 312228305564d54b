"""Knock-out events behind the shape of a plan."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial

from tournaments.formats import bracket as brackets
from tournaments.formats import double_elimination, single_elimination
from tournaments.formats.bracket import Bracket, Match, field_of
from tournaments.formats.event import Draw, Snapshot
from tournaments.playbook.shape import Column, Line, Plan
from tournaments.standings import StandingsRules, Term, standings

BY_GAMES = StandingsRules("wins", ("won", "difference", "points"))
SHOWN = ("won", "difference", "points")

Rules = single_elimination.Rules | double_elimination.Rules


@dataclass(frozen=True)
class Knockout(Plan):
    """A plan whose whole event is one bracket."""

    @property
    @abstractmethod
    def rules(self) -> Rules: ...

    def length(self, snapshot: Snapshot) -> int:
        return 0

    def late_until(self, rounds: int) -> int:
        return min(2, rounds)

    def places_left(self, snapshot: Snapshot, seed: int = 0) -> int | None:
        return len(open_byes(snapshot, self.rules, seed)) if enough(snapshot) else None

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return brackets.draw(resolve(snapshot, self.rules, seed), snapshot)

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        return not enough(snapshot) or resolve(snapshot, self.rules, seed).over

    def bracket(self, snapshot: Snapshot, seed: int = 0) -> Bracket | None:
        return resolve(snapshot, self.rules, seed) if enough(snapshot) else None

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        return lines(snapshot, self.bracket(snapshot, seed))

    def affected(self, snapshot: Snapshot, label: str, seed: int = 0) -> tuple[Match, ...]:
        return brackets.affected(resolve(snapshot, self.rules, seed), label)


@dataclass(frozen=True)
class SingleElimination(Knockout):
    @cached_property
    def rules(self) -> single_elimination.Rules:
        return single_elimination.Rules(self.flag("third_place"), self.number("band"))

    def rounds(self, entrants: int) -> int:
        return (entrants - 1).bit_length() if entrants >= 2 else 0


@dataclass(frozen=True)
class DoubleElimination(Knockout):
    @cached_property
    def rules(self) -> double_elimination.Rules:
        return double_elimination.Rules(self.number("band"))

    def rounds(self, entrants: int) -> int:
        return double_rounds(entrants)


def double_rounds(entrants: int) -> int:
    """Waves of a double knock-out without a second final: the losers' side decides."""
    return 2 * (entrants - 1).bit_length() if entrants >= 3 else 2 * (entrants == 2)


def resolve(snapshot: Snapshot, rules: Rules, seed: int) -> Bracket:
    if isinstance(rules, single_elimination.Rules):
        return single_elimination.bracket(snapshot, rules, seed)
    return double_elimination.bracket(snapshot, rules, seed)


def open_byes(snapshot: Snapshot, rules: Rules, seed: int) -> tuple[int, ...]:
    if isinstance(rules, single_elimination.Rules):
        return single_elimination.open_byes(snapshot, rules, seed)
    return double_elimination.open_byes(snapshot, rules, seed)


def enough(snapshot: Snapshot) -> bool:
    return len(field_of(snapshot)) >= 2


def lines(snapshot: Snapshot, bracket: Bracket | None, only: Iterable[int] | None = None) -> tuple[Line, ...]:
    """Who is still in first, without a place, then who has one, then who never was in the bracket.
    With ``only``, the lines of these."""
    among = {one.id for one in snapshot.entrants} if only is None else set(only)
    barred = {one.id for one in snapshot.entrants if one.state == "disqualified"}
    place: dict[int, int] = {}
    shared: set[int] = set()
    inside: list[int] = []
    if bracket is not None:
        inside = [slot.entrant for match in bracket.matches for slot in match.slots if slot.entrant is not None]
        first = 1 + len(set(inside)) - sum(map(len, bracket.places))
        for level in bracket.places:
            place.update(dict.fromkeys(level, first))
            shared |= set(level) if len(level) > 1 else set()
            first += len(level)
    rows = {row.entrant: row for row in standings(snapshot, BY_GAMES)}
    seeds = {one.id: (one.seed, one.id) for one in snapshot.entrants}

    def rank(entrant: int) -> tuple[bool, int, tuple[int, int]]:
        return entrant not in inside, place.get(entrant, 0), seeds[entrant]

    def terms(entrant: int, key: str) -> tuple[Term, ...]:
        return rows[entrant].breakdown(key).terms  # type: ignore[arg-type]

    found = []
    for entrant in sorted(among, key=rank):
        values = dict(zip(BY_GAMES.keys, rows[entrant].values, strict=True))
        columns = tuple(Column(key, values[key], partial(terms, entrant, key)) for key in SHOWN)  # type: ignore[index]
        where = None if entrant in barred else place.get(entrant)
        found.append(Line(where, entrant, columns[0].value, columns, rows[entrant].notes, entrant in shared))
    return tuple(found)
