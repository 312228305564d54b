"""Groups, then playoffs: a round robin in groups and a bracket of the best of each.

A round with a match of a bracket is one of the playoffs. Who plays in them, and where, is worked out
from the groups until the first of their rounds is played; from then on it stands, whatever is
corrected in the groups.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from tournaments.formats import bracket as brackets
from tournaments.formats import double_elimination, round_robin, scores, single_elimination
from tournaments.formats.bracket import Bracket, Match, seed_order, slots_for
from tournaments.formats.event import CannotPair, Draw, EventError, NotPlayed, Result, Round, Sides, Snapshot
from tournaments.formats.round_robin import Finish
from tournaments.formats.words import because
from tournaments.playbook.brackets import Rules, double_rounds, lines, resolve
from tournaments.playbook.ranked import league_counting, league_ready, league_rounds, matches_left, terms_of
from tournaments.playbook.shape import Column, Counters, Line, Plan
from tournaments.standings import Row, StandingsRules, standings

IN_GROUP = StandingsRules("wins", ("difference",))


@dataclass(frozen=True)
class Groups(Plan):
    @cached_property
    def rules(self) -> round_robin.Rules:
        return round_robin.Rules(self.number("legs"), self.number("groups"))

    @cached_property
    def playoff_rules(self) -> Rules:
        if self.word("playoffs") == "double":
            return double_elimination.Rules()
        return single_elimination.Rules(self.flag("third_place"))

    def check(self) -> None:
        super().check()
        if self.number("groups") * self.number("qualify") < 2:
            raise EventError("one_playoff")

    def rounds(self, entrants: int) -> int:
        groups = self.rules.groups
        if entrants < 2 * groups:
            return 0
        through = sum(
            min(self.number("qualify"), entrants // groups + (group < entrants % groups)) for group in range(groups)
        )
        last = double_rounds(through) if self.word("playoffs") == "double" else (through - 1).bit_length()
        return league_rounds(-(-entrants // groups), self.rules.legs) + last

    def length(self, snapshot: Snapshot) -> int:
        return 0

    def late_until(self, rounds: int) -> int:
        return min(2, rounds)

    def places_left(self, snapshot: Snapshot, seed: int = 0) -> int | None:
        return None if snapshot.number <= 2 else 0

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        if not self._grouped(snapshot):
            return round_robin.pair(snapshot, self.rules, seed)
        playoffs = self._playoffs(snapshot, seed)
        drawn = brackets.draw(resolve(playoffs, self.playoff_rules, seed), playoffs)
        notes = drawn.notes
        if len(playoffs.rounds) == 0:
            notes += tuple(because("level_drawn", who=level) for level in self._level(snapshot))
        return replace(drawn, round=snapshot.number, notes=notes)

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        if not league_ready(snapshot, self.rules):
            return True
        bracket = self.bracket(snapshot, seed)
        return self._grouped(snapshot) and (bracket is None or bracket.over)

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
        rules = replace(self.score, ties="extra_hand") if _of_playoffs(label) else self.score
        return scores.result(rules, points, winner, counters, sides)

    def bracket(self, snapshot: Snapshot, seed: int = 0) -> Bracket | None:
        if not (league_ready(snapshot, self.rules) and self._grouped(snapshot)):
            return None
        playoffs = self._playoffs(snapshot, seed)
        return resolve(playoffs, self.playoff_rules, seed) if len(playoffs.entrants) >= 2 else None

    def affected(self, snapshot: Snapshot, label: str, seed: int = 0) -> tuple[Match, ...]:
        if not self._later(snapshot):
            return ()
        bracket = self.bracket(snapshot, seed)
        assert bracket is not None
        if _of_playoffs(label):
            return brackets.affected(bracket, label)
        return tuple(match for match in bracket.matches if match.decided or match.state == "ready")

    def groups(self, snapshot: Snapshot, seed: int = 0) -> tuple[tuple[Line, ...], ...]:
        if not league_ready(snapshot, self.rules):
            return ()
        league = self._league(snapshot)
        rows = {row.entrant: row for row in standings(league_counting(league, self.rules), IN_GROUP)}
        return tuple(
            tuple(_line(finish, number, finishes, rows[finish.entrant]) for finish in finishes)
            for number, finishes in enumerate(round_robin.tables(league, self.rules), 1)
        )

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        """The playoffs, then who is not in them by place in the group. Until then by place there."""
        groups = self.groups(snapshot, seed)
        if not groups:
            return lines(snapshot, None)
        grouped = sorted(
            (line for group in groups for line in group), key=lambda line: (line.place is None, line.place, -line.score)
        )
        home = {line.entrant: line for line in grouped}
        missing = [one.id for one in snapshot.entrants if one.id not in home]
        bracket = self.bracket(snapshot, seed)
        if bracket is None:
            return (*grouped, *lines(snapshot, None, missing))
        inside = {one for match in bracket.matches for one in match.entrants}
        top = [replace(line, group=home[line.entrant].group) for line in lines(snapshot, bracket, inside)]
        out = [line for line in grouped if line.entrant not in inside]
        counts = Counter(line.place for line in out)
        return (
            *top,
            *(
                replace(
                    line,
                    place=None
                    if line.place is None
                    else len(inside) + 1 + sum(n for place, n in counts.items() if place and place < line.place),
                    tied=counts[line.place] > 1,
                )
                for line in out
            ),
            *lines(snapshot, None, missing),
        )

    def _later(self, snapshot: Snapshot) -> tuple[Round, ...]:
        """The rounds of the playoffs."""
        first = next(
            (at for at, played in enumerate(snapshot.rounds) if any(_of_playoffs(one.label) for one in played.tables)),
            len(snapshot.rounds),
        )
        return snapshot.rounds[first:]

    def _league(self, snapshot: Snapshot) -> Snapshot:
        """The event as it was when the last of the group matches had been played."""
        later = self._later(snapshot)
        last = len(snapshot.rounds) - len(later)
        members = set(_members(later))
        entrants = tuple(
            replace(one, state="active", left=None) if one.id in members and (one.left or 0) > last else one
            for one in snapshot.entrants
        )
        return replace(snapshot, rounds=snapshot.rounds[:last], entrants=entrants) if later else snapshot

    def _grouped(self, snapshot: Snapshot) -> bool:
        """Whether the groups have been played."""
        return bool(self._later(snapshot)) or not matches_left(snapshot, self.rules)

    def _tables(self, snapshot: Snapshot) -> tuple[tuple[Finish, ...], ...]:
        return round_robin.tables(self._league(snapshot), self.rules)

    def _level(self, snapshot: Snapshot) -> list[tuple[int, ...]]:
        """Who is level by every rule, where that decides who goes on or how."""
        found = []
        for finishes in self._tables(snapshot):
            places = Counter(line.place for line in finishes if not line.withdrawn)
            found += [
                tuple(line.entrant for line in finishes if line.place == place and not line.withdrawn)
                for place, count in places.items()
                if count > 1 and place <= self.number("qualify")
            ]
        return found

    def _order(self, snapshot: Snapshot, seed: int) -> tuple[int, ...]:
        """Who goes on, in the order of seeds, by the groups."""
        tables = self._tables(snapshot)
        everybody = sorted(line.entrant for finishes in tables for line in finishes)
        if self.flag("lots"):
            random.Random(f"groups {seed}").shuffle(everybody)
        else:
            everybody = [one for one in everybody if self.extra.get(one)]
        decided = sorted(everybody, key=lambda one: -self.extra.get(one, 0))
        qualify = self.number("qualify")
        try:
            return round_robin.playoff_seeding(tables, qualify, decided)
        except CannotPair:
            through = [self._through(finishes, decided) for finishes in tables]
            return tuple(group[at] for at in range(qualify) for group in through if at < len(group))

    def _through(self, finishes: Sequence[Finish], decided: Sequence[int]) -> list[int]:
        staying = [line for line in finishes if not line.withdrawn]
        order = sorted(
            staying, key=lambda line: (line.place, decided.index(line.entrant) if line.entrant in decided else 0)
        )
        return [line.entrant for line in order][: self.number("qualify")]

    def _playoffs(self, snapshot: Snapshot, seed: int) -> Snapshot:
        """The playoffs as an event of their own."""
        later = self._later(snapshot)
        before = len(snapshot.rounds) - len(later)
        order = self._order(snapshot, seed)
        if later:
            order = _as_played(order, later)
        known = {one.id: one for one in snapshot.entrants}
        members = set(_members(later))
        entrants = tuple(
            replace(
                known[entrant],
                seed=place,
                joined=1,
                left=None if (left := known[entrant].left) is None else max(left - before, 1 + (entrant in members)),
            )
            for place, entrant in enumerate(order, 1)
        )
        rounds = tuple(replace(played, number=played.number - before) for played in later)
        return replace(snapshot, entrants=entrants, rounds=rounds, planned=0)


def _of_playoffs(label: str) -> bool:
    return bool(label) and not label.startswith("G")


def _members(later: Sequence[Round]) -> list[int]:
    """Who was in the playoffs when they began, as far as their first round tells, and later ones."""
    found = [one for played in later for table in played.tables for one in table.seated]
    return list(dict.fromkeys([*found, *(one for played in later for one in (*played.byes, *played.rests))]))


def _as_played(order: Sequence[int], later: Sequence[Round]) -> tuple[int, ...]:
    """The order of seeds by which the playoffs were begun: as the groups have it now, but for what
    has been played since."""
    count = len(order)
    size = slots_for(count)
    slots = seed_order(size)
    known = {one: at for at, one in enumerate(order)}
    tables = {
        table.label.lstrip("W"): table.seated
        for played in later
        for table in played.tables
        if table.result.outcome != "void"
    }
    fixed: dict[int, int] = {}
    for match in range(size // 2):
        seated = sorted(tables.get(f"R1-{match + 1}", ()), key=lambda one: known.get(one, count))
        fixed.update(zip(sorted(slots[2 * match : 2 * match + 2]), seated, strict=False))
    for match in range(size // 4):
        waiting = [seed for seed in sorted(slots[4 * match : 4 * match + 4]) if size + 1 - seed > count >= seed]
        seated = [one for one in tables.get(f"R2-{match + 1}", ()) if one not in fixed.values()]
        fixed.update(zip(waiting, sorted(seated, key=lambda one: known.get(one, count)), strict=False))
    members = [*_members(later), *order]
    members = list(dict.fromkeys(members))[:count]
    free = sorted((one for one in members if one not in fixed.values()), key=lambda one: known.get(one, count))
    seeds = [seed for seed in range(1, count + 1) if seed not in fixed]
    kept = {seed: order[seed - 1] for seed in seeds if order[seed - 1] in free}
    free = [one for one in free if one not in kept.values()]
    rest = iter(free)
    return tuple(fixed.get(seed) or kept.get(seed) or next(rest) for seed in range(1, count + 1))


def _line(finish: Finish, group: int, finishes: Sequence[Finish], row: Row) -> Line:
    level = [one for one in finishes if one.place == finish.place]
    columns = (
        Column("wins", finish.score / 2, partial(terms_of, row, "wins")),
        Column("games", finish.games),
        Column("difference", finish.difference, partial(terms_of, row, "difference")),
        Column("points", finish.points),
    )
    place = None if finish.withdrawn else finish.place
    return Line(place, finish.entrant, columns[0].value, columns, row.notes, len(level) > 1, group)
