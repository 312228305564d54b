"""Round robin: everybody plays everybody, in one group or several, once or in legs.

| rule | test (test_round_robin) |
|---|---|
| rounds and seats are those of the Berger tables, of any number | test_berger_as_published, test_everybody_meets |
| odd number: one bye each a leg, flagged; it counts for nothing | test_odd_counts, test_counted |
| leg 2 is leg 1 with seats swapped; if seats matter, leg 1 ends with its last two rounds swapped | test_legs |
| groups by snake: 1..g, g..1 | test_snake |
| late entry before round 2: round 1 stays, what the newcomer missed is an extra match at the end | test_late_entry |
| later: refused | test_too_late |
| withdrawal below half of the games: his results are taken out, the archive keeps them | test_withdrawal_below_half |
| at half or above: what he has not played are forfeits | test_withdrawal_above_half |
| absent or paused: the match is postponed, to the end or to when its two are free | test_postponed |
| tables by hand: any match still due; who is left without opponent gets another | test_tables_by_hand |
| who shall not meet does not: no match, nobody's point | test_never_opponents |
| level in a group: the table among the level, then overall, then the director | test_level_in_a_group |
| playoffs: group winners by score, runners-up and so on; no two of a group meet in round 1 | test_playoff_seeding |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from tournaments.formats import history
from tournaments.formats.bracket import field_of, keep_apart
from tournaments.formats.event import CannotPair, Draw, EventError, Result, Round, Snapshot, Table, pair_of
from tournaments.formats.seating import Meeting, by_hand, numbered, refuse_wishes
from tournaments.formats.words import Reason, because


@dataclass(frozen=True, slots=True)
class Rules:
    """``seats_matter``: who sits first has an advantage (he deals first, say)."""

    legs: int = 1
    groups: int = 1
    seats_matter: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """A line of a group's table. Lines of one ``place`` are level by every rule: the director
    decides. ``score`` is 2 for a win, 1 for a tie; forfeits are ``games``, byes are not."""

    place: int
    entrant: int
    score: int
    games: int
    difference: int
    points: int
    withdrawn: bool = False


Scheduled = tuple[int, int | None]
"""Who plays whom, the first seat first; None is the bye."""


@cache
def berger(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The Berger table of an even number of entrants: its rounds of pairs, first seat first.
    Of an odd number take the next even one; its highest number is the bye.

    >>> berger(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    rounds = []
    ring = count - 1
    for number in range(1, count):
        if number % 2:
            centre = (number + 1) // 2
            pairs = [(centre, count)]
        else:
            centre = (count + number) // 2
            pairs = [(count, centre)]
        pairs += [((centre + k - 1) % ring + 1, (centre - k - 1) % ring + 1) for k in range(1, count // 2)]
        rounds.append(tuple(pairs))
    return tuple(rounds)


def groups(snapshot: Snapshot, rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The entrants of each group in the order of their Berger numbers: seeds by snake, who came
    late at the end of the smallest. Raises CannotPair for a group of one and for who is too late."""
    field = [entrant.id for entrant in field_of(snapshot)]
    if len(field) < 2 * rules.groups:
        if rules.groups > 1:
            raise CannotPair("groups_too_few", groups=rules.groups, needed=2 * rules.groups, count=len(field))
        raise CannotPair("berger_too_few", count=len(field))
    found: list[list[int]] = [[] for _ in range(rules.groups)]
    for place, entrant in enumerate(field):
        row, column = divmod(place, rules.groups)
        found[column if row % 2 == 0 else rules.groups - 1 - column].append(entrant)
    for late in sorted(snapshot.entrants, key=lambda one: (one.joined, one.seed, one.id)):
        if 1 < late.joined <= snapshot.number:
            if late.joined > 2:
                raise CannotPair("berger_too_late", who=(late.id,))
            min(found, key=len).append(late.id)
    return tuple(map(tuple, found))


def schedule(snapshot: Snapshot, rules: Rules) -> tuple[tuple[tuple[Scheduled, ...], ...], ...]:
    """For each group the rounds of all legs as planned. With late entrants round 1 is what was
    played, filled up by matches that were missed. Raises CannotPair."""
    late = {one.id for one in snapshot.entrants if one.joined == 2}
    return tuple(
        _rounds(_renumbered(group, snapshot) if late & set(group) else _numbered(group), rules)
        for group in groups(snapshot, rules)
    )


def pair(snapshot: Snapshot, rules: Rules, seed: int) -> Draw:
    """The next round: as scheduled, and after that what was postponed or missed. ``seed`` does
    nothing: no lots are drawn. Raises CannotPair when all is played, or all who are due are absent."""
    refuse_wishes(snapshot, "berger_byes")
    return _Drawing(snapshot, rules).draw()


def counted(snapshot: Snapshot, rules: Rules) -> Snapshot:
    """What counts for the standings: without the results of who withdrew before half of his
    games, with forfeits for the rest of who withdrew later (in a round of their own at the end),
    and with byes as rests, since everybody has as many unless others came or went."""
    drawing = _Drawing(snapshot, rules)
    removed = drawing.removed()
    void = Result(outcome="void")
    rounds = [
        replace(
            played,
            tables=tuple(
                replace(table, result=void) if removed & set(table.seated) else table for table in played.tables
            ),
            byes=(),
            rests=played.rests + played.byes,
        )
        for played in snapshot.rounds
    ]
    forfeits: list[Table] = []
    for group in drawing.groups:
        for entrant in group:
            for gone in group:
                if gone in drawing.gone - removed and entrant not in drawing.gone:
                    for _ in range(drawing.due(entrant, gone)):
                        lost = Result(outcome="forfeit", absent=1)
                        forfeits.append(Table(len(forfeits) + 1, ((entrant,), (gone,)), lost))
    if forfeits:
        rounds.append(Round(len(rounds) + 1, tuple(forfeits)))
    return replace(snapshot, rounds=tuple(rounds))


def tables(snapshot: Snapshot, rules: Rules) -> tuple[tuple[Finish, ...], ...]:
    """The table of each group, best first, who withdrew last. Raises CannotPair."""
    drawing = _Drawing(snapshot, rules)
    counting = counted(snapshot, rules)
    past = history.read(counting)
    games = Counter(
        entrant for _, table in counting.tables() if table.result.outcome != "void" for entrant in table.seated
    )
    found = []
    for group in drawing.groups:
        lines: list[Finish] = []
        for withdrawn in (False, True):
            members = [entrant for entrant in group if (entrant in drawing.gone) == withdrawn]
            for level in _ranked(members, past, counting):
                place = len(lines) + 1
                for entrant in level:
                    score, points = _score(past, entrant), past.points[entrant]
                    difference = points - past.against[entrant]
                    lines.append(Finish(place, entrant, score, games[entrant], difference, points, withdrawn))
        found.append(tuple(lines))
    return tuple(found)


def playoff_seeding(
    finished: Sequence[Sequence[Finish]], qualify: int, by_director: Sequence[int] = ()
) -> tuple[int, ...]:
    """Who goes on from the groups, ``qualify`` of each, in the order of seeds: group winners by
    score a game, difference a game, points a game, group; then runners-up, and so on; so moved
    that no two of a group meet in round 1. ``by_director`` orders who is level in a group.

    Raises EventError if the director has to decide first, CannotPair if two of a group must meet.
    """
    tiers: list[list[Finish]] = [[] for _ in range(qualify)]
    home: dict[int, int] = {}
    for number, lines in enumerate(finished):
        for place, line in enumerate(_decided(lines, qualify, by_director)):
            tiers[place].append(line)
            home[line.entrant] = number

    def strength(line: Finish) -> tuple[float, float, float]:
        games = max(1, line.games)
        return -line.score / games, -line.difference / games, -line.points / games

    order = [line.entrant for tier in tiers for line in sorted(tier, key=strength)]
    return keep_apart(order, lambda one, other: home[one] == home[other])


def _numbered(group: Sequence[int]) -> list[int | None]:
    return [*group, *([None] * (len(group) % 2))]


def _renumbered(group: Sequence[int], snapshot: Snapshot) -> list[int | None]:
    """Berger numbers by which round 1 is what was played: its pairs stay, who was free in it is
    paired, first who had a bye, with a bye if the number is odd."""
    first = snapshot.rounds[0]
    pairs: list[tuple[int | None, int | None]] = [
        (table.sides[0][0], table.sides[1][0]) for table in first.tables if table.sides[0][0] in group
    ]
    paired = {entrant for pair in pairs for entrant in pair}
    free: list[int | None] = sorted(
        (entrant for entrant in group if entrant not in paired),
        key=lambda one: (one not in first.byes, group.index(one)),
    )
    if len(group) % 2:
        pairs.insert(0, (free.pop(0), None))
    pairs += zip(free[::2], free[1::2], strict=True)
    size = 2 * len(pairs)
    numbers: list[int | None] = [None] * size
    for (one, other), (first_seat, second_seat) in zip(pairs, berger(size)[0], strict=True):
        numbers[first_seat - 1], numbers[second_seat - 1] = one, other
    return numbers


def _rounds(numbers: Sequence[int | None], rules: Rules) -> tuple[tuple[Scheduled, ...], ...]:
    once = [
        tuple(_scheduled(numbers[one - 1], numbers[other - 1]) for one, other in pairs)
        for pairs in berger(len(numbers))
    ]
    swapped = [tuple((one, other) if other is None else (other, one) for one, other in pairs) for pairs in once]
    found: list[tuple[Scheduled, ...]] = []
    for leg in range(rules.legs):
        rounds = list(swapped if leg % 2 else once)
        if leg % 2 == 0 and leg + 1 < rules.legs and rules.seats_matter:
            rounds[-2:] = rounds[:-3:-1]
        found += rounds
    return tuple(found)


def _scheduled(one: int | None, other: int | None) -> Scheduled:
    if one is None:
        one, other = other, one
    assert one is not None
    return one, other


class _Drawing:
    """The next round of a snapshot in the making."""

    def __init__(self, snapshot: Snapshot, rules: Rules) -> None:
        self.snapshot, self.rules = snapshot, rules
        self.groups = groups(snapshot, rules)
        self.here = {entrant.id for entrant in snapshot.present()}
        self.gone = {
            entrant.id
            for entrant in snapshot.entrants
            if entrant.state in ("withdrawn", "disqualified") and (entrant.left or 1) <= snapshot.number
        }
        self.met = Counter(pair_of(*table.seated) for _, table in snapshot.tables() if table.result.outcome != "void")
        self.home = {entrant: number for number, group in enumerate(self.groups) for entrant in group}
        self.meetings: list[Meeting] = []
        self.byes: list[int] = []
        self.notes: list[Reason] = []
        self.seated: set[int] = set()

    def due(self, one: int, other: int) -> int:
        """How many matches two of a group still have to play."""
        pair = pair_of(one, other)
        if pair in self.snapshot.constraints.never_opponents or self.home.get(one) != self.home.get(other):
            return 0
        return max(0, self.rules.legs - self.met[pair])

    def removed(self) -> set[int]:
        """Who withdrew before he had played half of his games. A game that only the opponent
        missed was played."""
        games: Counter[int] = Counter()
        for _, table in self.snapshot.tables():
            for side, (entrant,) in enumerate(table.sides):
                games[entrant] += table.result.played or table.result.absent == 1 - side
        return {
            entrant
            for group in self.groups
            for entrant in self.gone.intersection(group)
            if 2 * games[entrant] < self.rules.legs * (len(group) - 1)
        }

    def draw(self) -> Draw:
        staying = [[entrant for entrant in group if entrant not in self.gone] for group in self.groups]
        if not any(self.due(one, other) for group in staying for one in group for other in group if one < other):
            raise CannotPair("berger_over")
        for two in by_hand(self.snapshot, lambda one, other: self.due(one, other) > 0, "berger_by_hand"):
            self._meet(*two, because("by_hand"))
        for number, rounds in enumerate(schedule(self.snapshot, self.rules), 1):
            if self.snapshot.number <= len(rounds):
                self._by_schedule(number, rounds[self.snapshot.number - 1], len(rounds) // self.rules.legs)
            else:
                self._fill(staying[number - 1], because("extra_missed"))
        if not self.meetings:
            self.byes = []
            for group in staying:
                self._fill(group, because("extra_else"))
        if not self.meetings:
            raise CannotPair("berger_stuck")
        free = self.here - self.seated - set(self.byes)
        return Draw(
            self.snapshot.number,
            numbered(self.meetings, self.snapshot),
            tuple(self.byes),
            tuple(sorted(free)),
            (*(because("has_bye", who=(entrant,)) for entrant in self.byes), *self.notes),
        )

    def _by_schedule(self, group: int, pairs: Sequence[Scheduled], length: int) -> None:
        leg = (self.snapshot.number - 1) // length
        round_ = (self.snapshot.number - 1) % length + 1
        several = self.rules.legs > 1
        reason = because("berger_leg", round=round_, leg=leg + 1) if several else because("berger", round=round_)
        displaced: list[int] = []
        for one, other in pairs:
            if other is None:
                if one in self.here - self.seated:
                    self.byes.append(one)
            elif {one, other} & self.gone:
                self.notes += [
                    because("free", who=(stays,), left=(left,))
                    for stays, left in ((one, other), (other, one))
                    if left in self.gone and stays in self.here
                ]
            elif pair_of(one, other) in self.snapshot.constraints.never_opponents:
                self.notes.append(because("no_match", who=(one, other)))
            elif {one, other} <= self.here - self.seated and self.met[pair_of(one, other)] <= leg:
                self._meet(one, other, reason, group)
            else:
                if missing := {one, other} - self.here:
                    self.notes.append(because("postponed", who=(one, other), absent=tuple(sorted(missing))))
                displaced += [one, other]
        self._fill(displaced, because("not_free"))

    def _fill(self, entrants: Iterable[int], reason: Reason) -> None:
        """Seats who can be among these; who has most matches left chooses first, and chooses who
        has most left."""
        free = [entrant for entrant in entrants if entrant in self.here - self.seated]

        def left(entrant: int) -> tuple[int, int]:
            return -sum(self.due(entrant, other) for other in free if other != entrant), entrant

        while free:
            free.sort(key=left)
            one = free.pop(0)
            other = next((other for other in free if self.due(one, other)), None)
            if other is not None:
                free.remove(other)
                self._meet(one, other, reason)

    def _meet(self, one: int, other: int, reason: Reason, group: int = 0) -> None:
        group = group or self.home[one] + 1
        label = f"G{group}" if self.rules.groups > 1 else ""
        self.meetings.append(Meeting(one, other, (reason,), label))
        self.seated |= {one, other}


def _score(past: history.History, entrant: int) -> int:
    return 2 * past.wins[entrant] + past.ties[entrant]


def _ranked(entrants: Sequence[int], past: history.History, snapshot: Snapshot) -> list[list[int]]:
    """Best first; who is level by every rule together."""
    found = []
    for level in _split(entrants, {entrant: (_score(past, entrant),) for entrant in entrants}):
        among = _among(level, snapshot)
        for closer in _split(level, among):
            overall = {
                entrant: (past.points[entrant] - past.against[entrant], past.points[entrant]) for entrant in closer
            }
            found += _split(closer, overall)
    return found


def _split(entrants: Sequence[int], keys: Mapping[int, tuple[int, ...]]) -> list[list[int]]:
    return [
        sorted(entrant for entrant in entrants if keys[entrant] == key)
        for key in sorted({keys[entrant] for entrant in entrants}, reverse=True)
    ]


def _among(entrants: Sequence[int], snapshot: Snapshot) -> dict[int, tuple[int, ...]]:
    """Score and difference in the games that these played against each other."""
    only = replace(
        snapshot,
        rounds=tuple(
            Round(played.number, tuple(table for table in played.tables if set(table.seated) <= set(entrants)))
            for played in snapshot.rounds
        ),
    )
    past = history.read(only)
    return {entrant: (_score(past, entrant), past.points[entrant] - past.against[entrant]) for entrant in entrants}


def _decided(lines: Sequence[Finish], qualify: int, by_director: Sequence[int]) -> list[Finish]:
    """The first ``qualify`` lines of a group, with who is level in the director's order."""
    through: list[Finish] = []
    staying = [line for line in lines if not line.withdrawn]
    for place in sorted({line.place for line in staying if line.place <= qualify}):
        level = [line for line in staying if line.place == place]
        if len(level) > 1:
            if not {line.entrant for line in level} <= set(by_director):
                raise EventError("level_by_all", who=tuple(line.entrant for line in level))
            level.sort(key=lambda line: by_director.index(line.entrant))
        through += level
    return through[:qualify]
