"""Ladder: a standing order in which the lower challenge the upper.

The log is the truth; a state is what :func:`replay` makes of it. Time passes only as entries
and callers say; all times know their zone.

| rule | test (test_ladder) |
|---|---|
| join at the bottom; who leaves leaves no gap | test_join_and_leave |
| challenge up to 3 rungs, or a share of the ladder | test_reach |
| the lower wins: he takes the place, those between go down one | test_lower_wins |
| the upper wins: nothing changes | test_upper_wins |
| no answer within 5 days, or a refusal: the place is lost as by a defeat | test_no_answer, test_refusal |
| the same two not again for 14 days | test_rest |
| one rung down after 21 days without a game, not while a match is open | test_idle, test_not_idle_in_a_match |
| no challenge by or of who is in a match already | test_busy |
| correction: the log is played again; who has another place is listed | test_correction |
| replay(log) = state; time may pass at once or bit by bit | test_replay_is_the_state |
| new rules hold from their moment on: what was before stays, a term that is over by them ends then | test_new_rules |
| opened again: no challenge is open, and all count as if they had just played | test_opened_again |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from typing import Literal

from tournaments.formats.event import EventError, pair_of
from tournaments.formats.words import Reason, because

Kind = Literal["join", "leave", "challenge", "answer", "refuse", "result", "reopen"]

START = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Rules:
    """``reach`` in rungs; or ``share``, the percentage of the ladder, rounded up, if not 0."""

    reach: int = 3
    share: int = 0
    answer: timedelta = timedelta(days=5)
    rest: timedelta = timedelta(days=14)
    idle: timedelta = timedelta(days=21)

    def rungs(self, size: int) -> int:
        """How far up one may challenge on a ladder of ``size``."""
        return max(1, -(-size * self.share // 100)) if self.share else self.reach


Course = tuple[tuple[datetime, Rules], ...]
"""Rules and the moments from which they hold, in order; the first hold from the start."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What somebody did: ``entrant`` joined, left, challenged ``other``, answered or refused a
    challenge of ``other``, won against ``other``. A match that ``other`` did not come to is won. Of nobody is
    ``reopen``: the ladder was closed until then."""

    at: datetime
    kind: Kind
    entrant: int
    other: int = 0


@dataclass(frozen=True, slots=True)
class Challenge:
    lower: int
    upper: int
    at: datetime
    answered: bool = False

    @property
    def pair(self) -> frozenset[int]:
        return pair_of(self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Change:
    """Somebody's place changed by more than the moves of others; places count from 1 at the top."""

    at: datetime
    entrant: int
    old: int
    new: int
    why: Reason


@dataclass(frozen=True, slots=True)
class State:
    """The ladder at a moment, top first. ``active``: when each played last, or joined, or was
    moved down for it. ``met``: when two played last. ``ignored``: entries of the log that make no
    sense any more, after a correction."""

    at: datetime = START
    order: tuple[int, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    active: Mapping[int, datetime] = field(default_factory=dict)
    met: Mapping[frozenset[int], datetime] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    log: tuple[Entry, ...] = ()
    ignored: tuple[Entry, ...] = ()

    def place(self, entrant: int) -> int | None:
        """From 1 at the top; None for who is not on the ladder."""
        return self.order.index(entrant) + 1 if entrant in self.order else None

    def match_of(self, entrant: int) -> Challenge | None:
        """The open challenge he is in."""
        return next((one for one in self.challenges if entrant in one.pair), None)


Moved = tuple[int, int | None, int | None]
"""An entrant, the place that was and the one that is; None is off the ladder."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """What another log makes of the ladder, and what :func:`moved` by that."""

    state: State
    moved: tuple[Moved, ...]


def replay(log: Iterable[Entry], rules: Rules | Course, now: datetime) -> State:
    """The state that a log leads to, by the same rules all the time or by those that held at each.
    Entries of equal time keep their order. What was allowed when it was entered is not checked
    again; what has become impossible is ignored and listed."""
    course = ((START, rules),) if isinstance(rules, Rules) else rules
    state = State()
    for entry in sorted(log, key=lambda entry: entry.at):
        state = _through(state, course, entry.at)
        state = replace(state, log=(*state.log, entry))
        try:
            _possible(state, entry)
        except EventError:
            state = replace(state, ignored=(*state.ignored, entry))
        else:
            state = _applied(state, entry)
    return _through(state, course, now)


def record(state: State, entry: Entry, rules: Rules) -> State:
    """The state after one more entry. Raises EventError if the rules do not allow it."""
    if entry.at < state.at:
        raise EventError("too_early")
    state = advance(state, rules, entry.at)
    _possible(state, entry)
    if entry.kind == "challenge":
        _allowed(state, entry, rules)
    return _applied(replace(state, log=(*state.log, entry)), entry)


def advance(state: State, rules: Rules, now: datetime) -> State:
    """What time alone does until ``now``: challenges without an answer are lost, who does not
    play goes down. A term that ends at ``now`` has not run out yet."""
    while True:
        first = min((one for one in state.challenges if not one.answered), key=lambda one: one.at, default=None)
        ends = first.at + rules.answer if first is not None else now
        state = _rested(state, rules, min(ends, now))
        if first is None or ends >= now:
            return replace(state, at=max(state.at, now))
        state = _won(state, max(ends, state.at), first, first.lower, because("no_answer"))


def challenges_open_to(state: State, entrant: int, rules: Rules) -> tuple[int, ...]:
    """Whom he may challenge at the moment of the state, nearest first. Raises EventError if he is
    not on the ladder."""
    _on(state, entrant)
    found = []
    for other in reversed(state.order):
        entry = Entry(state.at, "challenge", entrant, other)
        try:
            _possible(state, entry)
            _allowed(state, entry, rules)
        except EventError:
            continue
        found.append(other)
    return tuple(found)


def correct(
    log: tuple[Entry, ...], number: int, entry: Entry | None, rules: Rules | Course, now: datetime
) -> Corrected:
    """The ladder with entry ``number`` (from 0) replaced, or taken away, and all since played again."""
    before = replay(log, rules, now)
    after = replay((*log[:number], *([entry] if entry else []), *log[number + 1 :]), rules, now)
    return Corrected(after, moved(before, after))


def moved(before: State, after: State) -> tuple[Moved, ...]:
    """Who has another place, from the top of what comes out."""
    return tuple(
        (entrant, before.place(entrant), after.place(entrant))
        for entrant in dict.fromkeys((*after.order, *before.order))
        if before.place(entrant) != after.place(entrant)
    )


def _through(state: State, course: Course, now: datetime) -> State:
    """Time passes until ``now``, by the rules of each stretch of it."""
    ends = [since for since, _rules in course[1:]]
    for (_since, rules), end in zip(course, [*ends, now], strict=True):
        if state.at <= end <= now:
            state = advance(state, rules, end)
        elif now < end:
            return advance(state, rules, now)
    return state


def _rested(state: State, rules: Rules, until: datetime) -> State:
    """Who has not played goes down a rung, as often as that falls before ``until``; of several at one
    moment the lowest first. In steps that do not grow with the ladder."""
    busy = {entrant for one in state.challenges for entrant in one.pair}
    dues = [(state.active[entrant] + rules.idle, entrant) for entrant in state.order if entrant not in busy]
    if not any(due < until for due, _entrant in dues):
        return state
    heapify(dues)
    order, active, changes = list(state.order), dict(state.active), list(state.changes)
    places = {entrant: place for place, entrant in enumerate(order)}
    why = because("no_game")
    while dues and dues[0][0] < until:
        due, idle = dues[0][0], []
        while dues and dues[0][0] == due:
            idle.append(heappop(dues)[1])
        at = max(due, state.at)
        for entrant in sorted(idle, key=places.__getitem__, reverse=True):
            active[entrant] = at
            heappush(dues, (at + rules.idle, entrant))
            place = places[entrant]
            for other in order[place + 1 : place + 2]:
                order[place], order[place + 1] = other, entrant
                places[other], places[entrant] = place, place + 1
                changes.append(Change(at, entrant, place + 1, place + 2, why))
    return replace(state, order=tuple(order), active=active, changes=tuple(changes))


def _on(state: State, entrant: int) -> None:
    if entrant not in state.order:
        raise EventError("not_on_ladder", who=(entrant,))


def _possible(state: State, entry: Entry) -> None:
    """Raises EventError for what cannot be, whatever the rules."""
    if entry.kind == "reopen":
        return
    if entry.kind == "join":
        if entry.entrant in state.order:
            raise EventError("on_ladder", who=(entry.entrant,))
        return
    _on(state, entry.entrant)
    if entry.kind == "leave":
        return
    _on(state, entry.other)
    if entry.kind == "challenge":
        for entrant in (entry.entrant, entry.other):
            if state.match_of(entrant):
                raise EventError("in_match", who=(entrant,))
        return
    match = state.match_of(entry.entrant)
    if match is None or match.pair != pair_of(entry.entrant, entry.other):
        raise EventError("no_challenge", who=(entry.entrant, entry.other))
    if entry.kind != "result" and (match.answered or match.upper != entry.entrant):
        raise EventError("nothing_to_answer", who=(entry.entrant,))


def _allowed(state: State, entry: Entry, rules: Rules) -> None:
    """Raises EventError for a challenge against the rules."""
    rungs = state.order.index(entry.entrant) - state.order.index(entry.other)
    reach = rules.rungs(len(state.order))
    upper, lower = (entry.other,), (entry.entrant,)
    if rungs <= 0:
        raise EventError("not_above", who=upper, other=lower)
    if rungs > reach:
        raise EventError("too_far", who=upper, rungs=rungs, other=lower, reach=reach)
    met = state.met.get(pair_of(entry.entrant, entry.other))
    if met is not None and entry.at - met < rules.rest:
        raise EventError("played_lately", who=lower + upper, days=rules.rest.days, when=met + rules.rest)


def _applied(state: State, entry: Entry) -> State:
    entrant, other, at = entry.entrant, entry.other, entry.at
    if entry.kind == "reopen":
        return replace(state, challenges=(), active=dict.fromkeys(state.order, at))
    match = state.match_of(entrant)
    if entry.kind == "join":
        return replace(state, order=(*state.order, entrant), active={**state.active, entrant: at})
    if entry.kind == "leave":
        freed = dict.fromkeys(match.pair, at) if match else {}
        active = {one: when for one, when in {**state.active, **freed}.items() if one != entrant}
        return replace(
            state,
            order=tuple(one for one in state.order if one != entrant),
            challenges=tuple(one for one in state.challenges if one != match),
            active=active,
        )
    if match is None:
        return replace(state, challenges=(*state.challenges, Challenge(entrant, other, at)))
    if entry.kind == "answer":
        answered = tuple(replace(one, answered=True) if one == match else one for one in state.challenges)
        return replace(state, challenges=answered)
    if entry.kind == "refuse":
        return _won(state, at, match, match.lower, because("refused"))
    return _won(state, at, match, entrant, because("lost_place"))


def _won(state: State, at: datetime, match: Challenge, winner: int, why: Reason) -> State:
    """The match is over; if its winner is below, he takes the place of the loser."""
    (loser,) = match.pair - {winner}
    order = list(state.order)
    if order.index(winner) > order.index(loser):
        order.remove(winner)
        order.insert(order.index(loser), winner)
    closed = replace(
        state,
        order=tuple(order),
        challenges=tuple(one for one in state.challenges if one != match),
        active={**state.active, winner: at, loser: at},
        met={**state.met, match.pair: at},
    )
    return _noted(state, _noted(state, closed, at, winner, because("won_place")), at, loser, why)


def _noted(before: State, after: State, at: datetime, entrant: int, why: Reason) -> State:
    """With the change of somebody's place, if it has changed."""
    old, new = before.order.index(entrant) + 1, after.order.index(entrant) + 1
    return after if old == new else replace(after, changes=(*after.changes, Change(at, entrant, old, new, why)))
