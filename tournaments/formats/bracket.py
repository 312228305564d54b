"""A knock-out bracket as a value: every match, where its two entrants come from, who they are.

A format says which matches there are (:class:`Planned`); :func:`resolve` fills them in from a
snapshot. Nothing is kept between draws: the same snapshot gives the same bracket, and a
corrected result moves whoever it moves.

| rule | test |
|---|---|
| seed order: o(2) = 1 2; o(2m) = for s in o(m): s, 2m+1-s | test_bracket: test_round_one_as_brackets_manager |
| fewer entrants than slots: the missing seeds are byes; no two meet, nobody has a second | test_byes_of_round_one |
| a bye travels until it meets an entrant; two byes make a bye | test_double_elimination: test_every_size_to_the_end |
| a withdrawn entrant forfeits what he has not played, in both parts | test_withdrawal_at_every_point |
| both absent: nobody goes on, the next opponent has a bye | test_double_forfeit_in_each_match |
| late entry only into a first-round bye that nobody has played beyond | test_late_entry |
| entrants who shall not meet are kept apart in the first round, the nearest seeds swapped | test_apart |
| draw number: seeds are drawn by lot within bands of so many | test_bands |
| no game against oneself, nobody twice in a round | test_event: test_nobody_is_twice_in_a_round |
| corrected, next match not played: the entrants are swapped | test_correction_swaps |
| corrected, next match played: that one stands, this is marked; void, the chain is replayed | test_correction_stands |
| undone after somebody went on because of it (withdrawal, double forfeit): the same | test_undone_too_late |
| a first round that no longer fits its results is refused: seeds stay once played | test_reseeding_refused |
| a level score decides nothing: an extra hand must | test_level_score_refused |
| absent or paused: the match is held, nobody is out | test_held_matches |
| every slot is in the picture, byes too | test_every_slot_is_there |
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.formats.event import CannotPair, Draw, Entrant, EventError, Result, Snapshot, Table, pair_of
from tournaments.formats.seating import Meeting, by_hand, numbered, refuse_wishes
from tournaments.formats.words import Reason, because

Part = Literal["main", "winners", "losers", "final", "third"]
MatchState = Literal["waiting", "ready", "played", "walkover", "unneeded"]
Finished = tuple[int, Table]
"""A table and the round it was played in."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entrant comes from: a seed, or the winner or loser of the match labelled ``match``."""

    kind: Literal["seed", "winner", "loser"]
    seed: int = 0
    match: str = ""

    @property
    def reason(self) -> Reason:
        return because("seed", seed=self.seed) if self.kind == "seed" else because(self.kind, match=self.match)


@dataclass(frozen=True, slots=True)
class Planned:
    """A match of a bracket before anybody is in it. ``stage`` orders who is out: the later the
    better. ``spare``: the first side has a defeat to spare (double elimination's final);
    ``last_of_winners``: who wins this is that side.
    ``reset``: played only if the entrant of the second source's match was its second side."""

    label: str
    part: Part
    round: int
    number: int
    sources: tuple[Source, Source]
    stage: int
    spare: bool = False
    last_of_winners: bool = False
    reset: bool = False


class Plan:
    """The matches of a bracket, sources first, and where winners and losers of each go."""

    def __init__(self, matches: Sequence[Planned]) -> None:
        self.matches = tuple(matches)
        self.labels = {match.label for match in matches}
        self.up: dict[str, str] = {}
        self.down: dict[str, str] = {}
        self.first: dict[int, str] = {}
        for match in matches:
            for source in match.sources:
                if source.kind == "seed":
                    self.first[source.seed] = match.label
                else:
                    (self.up if source.kind == "winner" else self.down)[source.match] = match.label
        self.ways: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        """Of each match, the next ones that its winner can come to and its loser cannot, and the
        other way round."""
        for match in matches:
            up, down = self.up.get(match.label), self.down.get(match.label)
            self.ways[match.label] = self._only(up, down), self._only(down, up)

    def beyond(self, label: str) -> Iterator[str]:
        """Every match that depends on this one, some more than once."""
        for following in (self.up.get(label), self.down.get(label)):
            if following is not None:
                yield following
                yield from self.beyond(following)

    def _only(self, way: str | None, other: str | None) -> frozenset[str]:
        labels = set()
        while way is not None:
            labels.add(way)
            way = self.up.get(way)
        return frozenset(labels.difference([other], self.beyond(other) if other else ()))


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a match. ``known`` with no entrant is an empty slot: a bye for the other side.
    ``since`` is the first round in whose draw it was known."""

    source: Source
    known: bool = False
    entrant: int | None = None
    since: int = 1


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands. ``winner`` goes on and ``loser`` goes down or out; none of both if
    nobody came. ``stands``: a later match was played by who, as things are known now, would not
    have come to it: he did go on, though not as the winner. ``since``: the first round whose draw knows who goes on."""

    label: str
    part: Part
    round: int
    number: int
    slots: tuple[Slot, Slot]
    state: MatchState
    stage: int
    table: Table | None = None
    winner: int | None = None
    loser: int | None = None
    since: int = 1
    stands: bool = False

    @property
    def entrants(self) -> tuple[int, ...]:
        return tuple(slot.entrant for slot in self.slots if slot.entrant is not None)

    @property
    def decided(self) -> bool:
        return self.state in ("played", "walkover")


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches, sources before what depends on them, the decisive one last. ``size`` is the
    number of slots of round 1, ``notes`` are for the director."""

    size: int
    matches: tuple[Match, ...]
    notes: tuple[Reason, ...] = ()

    def match(self, label: str) -> Match:
        """Raises EventError if there is no such match."""
        for match in self.matches:
            if match.label == label:
                return match
        raise EventError("no_such_match", match=label, last=self.matches[-1].label)

    @property
    def over(self) -> bool:
        return not any(match.state in ("waiting", "ready") for match in self.matches)

    @property
    def champion(self) -> int | None:
        """Who has won the bracket; None while it is open, or if nobody came to the final."""
        decisive = [match for match in self.matches[-2:] if match.part != "third" and match.state != "unneeded"][-1]
        return decisive.winner

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Who has a place, best first: the champion and all who are out, those together who went
        out at the same stage. A third place is played for or falls to who is left for it."""
        last: dict[int, Match] = {}
        champion = self.champion
        for match in self.matches:
            last.update(dict.fromkeys(match.entrants, match))
        found: dict[tuple[int, int], list[int]] = {}
        for entrant, match in last.items():
            if match.decided and (match.winner != entrant or match.part == "third" or entrant == champion):
                found.setdefault((match.stage, match.winner == entrant), []).append(entrant)
        return tuple(tuple(sorted(found[key])) for key in sorted(found, reverse=True))


def slots_for(entrants: int) -> int:
    """The least power of two that holds them all, at least 2."""
    return max(2, 1 << (entrants - 1).bit_length())


def seed_order(size: int) -> tuple[int, ...]:
    """Seeds in the order of the slots of round 1; the first two meet, the next two, and so on.

    >>> seed_order(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < size:
        order = [seed for strong in order for seed in (strong, 2 * len(order) + 1 - strong)]
    return tuple(order)


def keep_apart(order: Sequence[int], apart: Callable[[int, int], bool]) -> tuple[int, ...]:
    """Entrants in seed order, the weaker half of the slots so rearranged that nobody meets in
    round 1 whom he must stay ``apart`` from. Who must move swaps with the nearest seed that may,
    in a longer chain if no swap does. Raises CannotPair if there is no such order.
    """
    size = slots_for(len(order))
    weaker = range(size // 2, len(order))
    seats = {place: order[place] for place in weaker}

    def fits(entrant: int, place: int) -> bool:
        return not apart(order[size - 1 - place], entrant)

    clashing = [place for place in weaker if not fits(order[place], place)]
    for place in clashing:
        del seats[place]
    for home in clashing:
        seats.update(_chain(order[home], home, seats, weaker, fits))
    return tuple(order[: size // 2]) + tuple(seats[place] for place in weaker)


def _chain(
    entrant: int, home: int, seats: Mapping[int, int], places: Sequence[int], fits: Callable[[int, int], bool]
) -> dict[int, int]:
    """The shortest chain of moves that seats an entrant, nearest places first: who moves where."""
    came: dict[int, tuple[int, int | None]] = {}
    queue: deque[tuple[int, int, int | None]] = deque([(entrant, home, None)])
    while queue:
        moving, near, via = queue.popleft()
        for place in sorted(places, key=lambda place: abs(place - near)):
            if place in came or not fits(moving, place):
                continue
            came[place] = moving, via
            if place in seats:
                queue.append((seats[place], place, place))
                continue
            moves: dict[int, int] = {}
            step: int | None = place
            while step is not None:
                moves[step], step = came[step]
            return moves
    raise CannotPair("meets_nobody", who=(entrant,))


def field_of(snapshot: Snapshot) -> tuple[Entrant, ...]:
    """Who was in the bracket when it was drawn, by seed; who left before the start was not."""
    return tuple(
        sorted(
            (one for one in snapshot.entrants if one.joined <= 1 and (one.left is None or one.left > 1)),
            key=lambda one: (one.seed, one.id),
        )
    )


def resolve(plan: Callable[[int], Plan], snapshot: Snapshot, band: int, seed: int) -> Bracket:
    """The bracket of a snapshot. ``plan`` makes the matches for a number of slots. Seeds are
    drawn by lot within bands of ``band`` with the draw number ``seed``, the same all through
    an event; 0 keeps them. Raises CannotPair, EventError."""
    field = field_of(snapshot)
    if len(field) < 2:
        raise CannotPair("bracket_too_few", count=len(field))
    order = [entrant.id for entrant in field]
    notes: tuple[Reason, ...] = ()
    if band > 1:
        lots = random.Random(seed)
        for start in range(0, len(order), band):
            part = order[start : start + band]
            lots.shuffle(part)
            order[start : start + band] = part
        notes = (because("bands", band=band, draw=seed),)
    size = slots_for(len(order))
    made = plan(size)
    tables = _tables(snapshot, made)
    begun = {pair_of(*tables[label][1].seated) for label in made.first.values() if label in tables}
    unwanted = snapshot.constraints.never_opponents - begun
    drawn = order
    order = list(keep_apart(drawn, lambda one, other: pair_of(one, other) in unwanted))
    if order != drawn:
        notes += (because("seeds_moved"),)
    places = {place: Slot(Source("seed", place), True) for place in range(1, size + 1)}
    for place, entrant in enumerate(order, 1):
        places[place] = Slot(Source("seed", place), True, entrant)
    for late in _late(snapshot):
        barred = frozenset(one for pair in unwanted if late.id in pair for one in pair)
        free = _open_byes(places, made, tables, late.joined, barred)
        if not free:
            raise CannotPair("bracket_too_late", who=(late.id,))
        places[free[0]] = Slot(Source("seed", free[0]), True, late.id, late.joined)
        notes += (because("came_late", who=(late.id,), round=late.joined, seed=free[0]),)
    return Bracket(size, tuple(_Filling(snapshot, places, made, tables).fill()), notes)


def open_byes(plan: Callable[[int], Plan], snapshot: Snapshot, bracket: Bracket) -> tuple[int, ...]:
    """The seeds whose place is free for a late entry in the next round."""
    made = plan(bracket.size)
    places = {slot.source.seed: slot for match in bracket.matches for slot in match.slots if slot.source.kind == "seed"}
    return _open_byes(places, made, _tables(snapshot, made), snapshot.number)


def affected(bracket: Bracket, label: str) -> tuple[Match, ...]:
    """The matches that depend on who wins this one and are already known, decided or ready:
    what a correction would touch. Raises EventError if there is no such match."""
    touched = {bracket.match(label).label}
    found = []
    for match in bracket.matches:
        if any(slot.source.match in touched for slot in match.slots):
            touched.add(match.label)
            if match.decided or match.state == "ready":
                found.append(match)
    return tuple(found)


def draw(bracket: Bracket, snapshot: Snapshot) -> Draw:
    """The matches that can be played now: also those that were drawn before and have no result
    yet; fix its entrants to a table, to keep it there. A bye is of who goes on without a game
    since the last draw, a rest of who waits.
    Raises CannotPair if nothing can be played."""
    refuse_wishes(snapshot, "bracket_byes")
    if bracket.over:
        raise CannotPair("bracket_over", who=() if bracket.champion is None else (bracket.champion,))
    here = {entrant.id for entrant in snapshot.present()}
    unwanted = snapshot.constraints.never_opponents
    meetings, held = [], []
    for match in bracket.matches:
        if match.state != "ready":
            continue
        one, other = match.entrants
        if missing := {one, other} - here:
            held.append(because("waits_for", match=match.label, who=tuple(sorted(missing))))
            continue
        sources = [slot.source.reason for slot in match.slots]
        reasons = [because("match", match=match.label, one=sources[0], other=sources[1])]
        if pair_of(one, other) in unwanted:
            reasons.append(because("unwanted"))
        meetings.append(Meeting(one, other, tuple(reasons), match.label))
    if not meetings:
        raise CannotPair("nothing_ready", held=tuple(held))
    pairs = {meeting.pair for meeting in meetings}
    by_hand(snapshot, lambda one, other: pair_of(one, other) in pairs, "bracket_by_hand")
    seated = {entrant for pair in pairs for entrant in pair}
    placed = {entrant for place in bracket.places for entrant in place}
    alive = ({entrant for match in bracket.matches for entrant in match.entrants} & here) - placed - seated
    byes = {
        match.winner
        for match in bracket.matches
        if match.state == "walkover" and match.since == snapshot.number and match.winner in alive
    }
    return Draw(
        snapshot.number,
        numbered(meetings, snapshot),
        tuple(entrant for entrant in sorted(alive) if entrant in byes),
        tuple(entrant for entrant in sorted(alive) if entrant not in byes),
        (*bracket.notes, *held),
    )


def winning_side(result: Result) -> int | None:
    """0 or 1, or None of a double forfeit. Raises EventError if the score decides nothing."""
    if result.outcome == "double_forfeit":
        return None
    side = 1 - result.absent if result.outcome == "forfeit" and result.absent is not None else result.winner
    if side is None:
        raise EventError("knockout_level")
    return side


def _tables(snapshot: Snapshot, plan: Plan) -> dict[str, Finished]:
    """Round and table by label, without those that are void."""
    found: dict[str, Finished] = {}
    for played, table in snapshot.tables():
        if table.result.outcome == "void":
            continue
        if table.label not in plan.labels or table.label in found:
            raise (
                EventError("strange_label", table=table.number, round=played.number, match=table.label)
                if table.label
                else EventError("no_label", table=table.number, round=played.number)
            )
        found[table.label] = played.number, table
    return found


def _late(snapshot: Snapshot) -> list[Entrant]:
    came = [one for one in snapshot.entrants if 1 < one.joined <= snapshot.number]
    return sorted(came, key=lambda one: (one.joined, one.seed, one.id))


def _open_byes(
    places: Mapping[int, Slot],
    plan: Plan,
    tables: Mapping[str, Finished],
    joined: int,
    barred: frozenset[int] = frozenset(),
) -> tuple[int, ...]:
    """Empty places, the weakest opponent first, beyond whose match no table was finished before
    the round ``joined``."""
    played = {label for label, (number, _) in tables.items() if number < joined}
    found = []
    for place, slot in sorted(places.items()):
        opponent = places[len(places) + 1 - place].entrant
        if slot.entrant is None and opponent is not None and opponent not in barred:
            label = plan.first[place]
            if label not in played and played.isdisjoint(plan.beyond(label)):
                found.append(place)
    return tuple(found)


class _Filling:
    """Fills in the matches one after the other, each from those before it."""

    def __init__(
        self,
        snapshot: Snapshot,
        places: Mapping[int, Slot],
        plan: Plan,
        tables: Mapping[str, Finished],
    ) -> None:
        self.places, self.plan, self.tables = places, plan, tables
        self.left = {
            one.id: one.left or 1
            for one in snapshot.entrants
            if one.state in ("withdrawn", "disqualified") and (one.left or 1) <= snapshot.number
        }
        self.done: dict[str, Match] = {}

    def fill(self) -> Iterator[Match]:
        for match in self.plan.matches:
            self.done[match.label] = self._match(match)
            yield self.done[match.label]

    def _match(self, planned: Planned) -> Match:
        one, other = (self._slot(source) for source in planned.sources)
        if planned.reset and one.known and not self._reset_due(planned):
            open_slots = Slot(one.source), Slot(other.source)
            match = self._made(planned, open_slots, "unneeded")
        elif not (one.known and other.known):
            match = self._made(planned, (one, other), "waiting")
        else:
            match = self._known(planned, (one, other))
        if planned.label in self.tables and match.table is None:
            raise self._misfit(planned.label)
        return match

    def _known(self, planned: Planned, slots: tuple[Slot, Slot]) -> Match:
        """Both sides are known: the match is played, walked over or ready."""
        here = [slot.entrant for slot in slots if slot.entrant is not None]
        since = max(slot.since for slot in slots)
        table = None
        ready = False
        if planned.label in self.tables:
            number, table = self.tables[planned.label]
            if {(slot.entrant,) for slot in slots} != set(table.sides):
                raise self._misfit(planned.label)
            side = winning_side(table.result)
            spared = slots[0].entrant if planned.spare else None
            winner = spared if side is None else table.sides[side][0]
            since = number + 1
        else:
            winner, since, ready = self._without_a_game(here, since)
        went_on = self._went_on(planned, here)
        stands = went_on is not None and went_on != winner
        if stands:
            winner, ready = went_on, False
        loser = next((entrant for entrant in here if entrant != winner), None) if winner is not None else None
        state: MatchState = "ready" if ready else "walkover" if table is None else "played"
        return self._made(planned, slots, state, table, winner, loser, since, stands)

    def _without_a_game(self, here: Sequence[int], since: int) -> tuple[int | None, int, bool]:
        """Who goes on, from which round on that is known, and whether they have to play for it.
        Who leaves first loses to whoever, or whatever, is opposite at that moment."""
        ends = {entrant: max(since, self.left[entrant]) for entrant in here if entrant in self.left}
        if len(here) < 2:
            return next((entrant for entrant in here if ends.get(entrant, since + 1) > since), None), since, False
        if not ends:
            return None, since, True
        moment = min(ends.values())
        return next((entrant for entrant in here if ends.get(entrant, moment + 1) > moment), None), moment, False

    def _went_on(self, planned: Planned, here: Sequence[int]) -> int | None:
        """Who went on from here, if a table of a later match shows it: what was played there
        stands, whatever is corrected here."""
        if planned.spare:
            return here[-1] if len(here) == 2 and self.plan.up[planned.label] in self.tables else None
        following = self.tables.get(self.plan.up.get(planned.label, ""))
        if planned.last_of_winners and following is not None:
            first = following[1].sides[0][0]
            return first if first in here else None
        ups, downs = self.plan.ways[planned.label]
        up, down = self._alone(here, ups), self._alone(here, downs)
        return next((entrant for entrant in here if entrant != down), None) if up is None and down is not None else up

    def _alone(self, here: Sequence[int], labels: frozenset[str]) -> int | None:
        """Which of them, without the other, sat at a table of these matches."""
        for label in labels & self.tables.keys():
            seated = [entrant for entrant in here if entrant in self.tables[label][1].seated]
            if len(seated) == 1:
                return seated[0]
        return None

    def _reset_due(self, planned: Planned) -> bool:
        """Whether the final was won by its second side, from a first side that was there."""
        final = self.done[planned.sources[0].match]
        first, second = (slot.entrant for slot in final.slots)
        return first is not None and final.winner is not None and final.winner == second

    def _slot(self, source: Source) -> Slot:
        if source.kind == "seed":
            return self.places[source.seed]
        match = self.done[source.match]
        if not match.decided:
            return Slot(source)
        return Slot(source, True, match.winner if source.kind == "winner" else match.loser, match.since)

    def _made(
        self,
        planned: Planned,
        slots: tuple[Slot, Slot],
        state: MatchState,
        table: Table | None = None,
        winner: int | None = None,
        loser: int | None = None,
        since: int = 1,
        stands: bool = False,
    ) -> Match:
        return Match(
            planned.label, planned.part, planned.round, planned.number, slots, state, planned.stage,
            table, winner, loser, since, stands,
        )  # fmt: skip

    def _misfit(self, label: str) -> EventError:
        number, table = self.tables[label]
        return EventError("misfit", table=table.number, round=number, match=label)
