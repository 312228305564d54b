"""An event's rows as the formats want them: who takes part, what has been played, what is wished.

Only tables of closed rounds count, so that standings and draws are those of whole rounds. A
constant number of queries, however large the event.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from django.utils import translation

from tournaments.formats.bracket import Bracket
from tournaments.formats.event import (
    Constraints,
    EventError,
    NotPlayed,
    Result,
    Sides,
    Snapshot,
    pair_of,
)
from tournaments.formats.event import Entrant as Taking
from tournaments.formats.event import Round as Played
from tournaments.formats.event import State as Standing
from tournaments.formats.event import Table as Finished
from tournaments.formats.words import Reason, number_of, words
from tournaments.models import Entrant, Event, EventTable, Round, Wish
from tournaments.playbook import PLAYBOOKS, Line, Plan

UNSEEDED: Final = 100_000
"""Who has no seed comes after all who have one, in order of number."""

_OF_RESULT: Final = ("state", "points_0", "points_1", "winner", "absent", "counters", "deals")

_STANDING: Final[dict[str, Standing]] = {
    Entrant.State.ENTERED: "active",
    Entrant.State.CHECKED_IN: "active",
    Entrant.State.ACTIVE: "active",
    Entrant.State.PAUSED: "paused",
    Entrant.State.WITHDRAWN: "withdrawn",
    Entrant.State.DISQUALIFIED: "disqualified",
}


@dataclass(frozen=True)
class Course:
    """An event as far as it has been played. ``names`` are those of all entrants by number."""

    event: Event
    plan: Plan
    snapshot: Snapshot
    names: Mapping[int, str]

    def name_of(self, number: int) -> str:
        return self.names.get(number, number_of(number))

    def tell(self, reason: Reason) -> str:
        """A reason of a format in the active language."""
        return words(reason, self.name_of, translation)

    def lines(self) -> tuple[Line, ...]:
        """The standings over the closed rounds, worked out once. Raises EventError."""
        return self._lines

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return self.plan.rows(self.snapshot, self.event.seed)

    def bracket(self) -> Bracket | None:
        """Raises EventError."""
        return self.plan.bracket(self.snapshot, self.event.seed)

    def over(self) -> bool:
        """Whether no round is left to draw. Raises EventError."""
        return self.plan.over(self.snapshot, self.event.seed)

    @property
    def fingerprint(self) -> str:
        """Of everything that a draw depends on."""
        told, wishes = self.snapshot, self.snapshot.constraints
        kinds = (wishes.never_together, wishes.always_together, wishes.never_opponents)
        pairs = [sorted(sorted(pair) for pair in kind) for kind in kinds]
        options = sorted(self.plan.settings.items())
        whole = (self.plan.book.key, options, self.event.seed, told.entrants, told.rounds, told.planned, pairs)
        return hashlib.sha256(repr((*whole, sorted(wishes.fixed_table.items()))).encode()).hexdigest()

    def with_constraints(self, **changes: Any) -> Course:
        """The same course, with more orders of the director."""
        constraints = replace(self.snapshot.constraints, **changes)
        return replace(self, snapshot=replace(self.snapshot, constraints=constraints))


def tell(error: EventError, course: Course | None = None) -> str:
    """What is wrong and what to change, in the active language; names as the course knows them."""
    name_of = course.name_of if course is not None else number_of
    return " ".join(words(reason, name_of, translation) for reason in (error.problem, error.advice))


def read_course(event: Event | int, *, rounds_before: int | None = None) -> Course:
    """The course of an event; with ``rounds_before``, as it was before the round of that number.
    Four queries, five for an id. Raises EventError for settings that cannot be."""
    if isinstance(event, int):
        event = Event.objects.select_related("club").get(pk=event)
    entrants = list(Entrant.objects.filter(event=event).order_by("number"))
    rounds = _closed_rounds(event, rounds_before)
    plan = PLAYBOOKS[event.format].read(event.settings, {one.number: one.extra for one in entrants if one.extra})
    snapshot = Snapshot(
        entrants=_taking(entrants, rounds),
        rounds=rounds,
        planned=event.rounds_planned,
        constraints=_constraints(event, {one.pk: one.number for one in entrants}),
    )
    return Course(event, plan, snapshot, {one.number: one.name for one in entrants})


def look_at(event: Event) -> Course:
    """The course of an event for a page: as :func:`read_course`, and remembered until the event has
    changed. Not for who is changing it. Raises EventError."""
    return _remembered(_Key(event))


class _Key:
    """An event as it was at one version."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.at = event.pk, event.created_at, event.version

    def __hash__(self) -> int:
        return hash(self.at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.at == other.at


@lru_cache(maxsize=64)
def _remembered(key: _Key) -> Course:
    return read_course(key.event)


def snapshot(event_id: int, *, rounds_before: int | None = None) -> Snapshot:
    """What the formats are told of an event. Five queries."""
    return read_course(event_id, rounds_before=rounds_before).snapshot


def result_of(table: EventTable) -> Result:
    """The result of a table as it counts now; of one that has none, that of a void one."""
    return _result(*(getattr(table, name) for name in _OF_RESULT))


def _result(
    state: str,
    points_0: int | None,
    points_1: int | None,
    winner: int | None,
    absent: int | None,
    counters: Mapping[str, Mapping[str, int]],
    deals: Mapping[str, Any],
) -> Result:
    match state:
        case EventTable.State.CONFIRMED:
            return Result(
                (points_0 or 0, points_1 or 0),
                winner=winner,
                counters={
                    name: {int(entrant): number for entrant, number in numbers.items()}
                    for name, numbers in counters.items()
                },
                deals=read_deals(deals),
            )
        case EventTable.State.FORFEIT:
            assert absent is not None
            return Result(outcome="forfeit", absent=absent, winner=1 - absent)
        case EventTable.State.DOUBLE:
            return Result(outcome="double_forfeit")
    return Result(outcome="void")


def read_deals(kept: Mapping[str, Any]) -> dict[int, int | NotPlayed]:
    """Scores by deal, from JSON: a number, or who is at fault that it was not played."""
    return {
        int(deal): NotPlayed(frozenset(score["at_fault"])) if isinstance(score, Mapping) else int(score)
        for deal, score in kept.items()
    }


def keep_deals(deals: Mapping[int, int | NotPlayed]) -> dict[str, Any]:
    """The same for JSON."""
    return {
        str(deal): {"at_fault": sorted(score.at_fault)} if isinstance(score, NotPlayed) else score
        for deal, score in deals.items()
    }


def sides_of(table: EventTable) -> Sides:
    one, other = table.sides
    return tuple(one), tuple(other)


def _closed_rounds(event: Event, before: int | None) -> tuple[Played, ...]:
    rounds = Round.objects.filter(event=event, state=Round.State.CLOSED).order_by("number")
    tables = EventTable.objects.filter(event=event, round__state=Round.State.CLOSED).order_by("round__number", "number")
    if before is not None:
        rounds, tables = rounds.filter(number__lt=before), tables.filter(round__number__lt=before)
    found: dict[int, list[Finished]] = {}
    for round_id, number, (one, other), label, *result in tables.values_list(
        "round_id", "number", "sides", "label", *_OF_RESULT
    ):
        found.setdefault(round_id, []).append(Finished(number, (tuple(one), tuple(other)), _result(*result), label))
    return tuple(
        Played(each.number, tuple(found.get(each.pk, ())), tuple(each.byes), tuple(each.rests)) for each in rounds
    )


def _taking(entrants: Iterable[Entrant], rounds: Iterable[Played]) -> tuple[Taking, ...]:
    """Who takes part or has; who never could play a round, or waits to be let in, is left out."""
    seen: set[int] = set()
    for each in rounds:
        seen.update(each.byes, each.rests)
        for table in each.tables:
            seen.update(table.seated)
    found = []
    for one in entrants:
        standing = _STANDING.get(one.state)
        if standing is None:
            continue
        if standing in ("withdrawn", "disqualified"):
            left = one.left if one.left is not None else one.joined
            if left <= one.joined and one.number not in seen:
                continue
        else:
            left = None
        found.append(Taking(one.number, one.seed or UNSEEDED + one.number, standing, one.joined, left))
    return tuple(found)


def _constraints(event: Event, number: Mapping[int, int]) -> Constraints:
    pairs: dict[str, set[frozenset[int]]] = {kind: set() for kind in Wish.Kind.values}
    fixed = {}
    for wish in Wish.objects.filter(event=event):
        if wish.kind == Wish.Kind.FIXED_TABLE and wish.table is not None:
            fixed[number[wish.one_id]] = wish.table
        elif wish.other_id is not None:
            pairs[wish.kind].add(pair_of(number[wish.one_id], number[wish.other_id]))
    return Constraints(
        never_together=frozenset(pairs[Wish.Kind.NEVER_TOGETHER]),
        always_together=frozenset(pairs[Wish.Kind.ALWAYS_TOGETHER]),
        never_opponents=frozenset(pairs[Wish.Kind.NEVER_OPPONENTS]),
        fixed_table=fixed,
    )
