"""Formats whose standings are those of tournaments.standings: Swiss, evenings, a round robin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

from tournaments.formats import progressive, rotation, round_robin, swiss, swiss_individuals
from tournaments.formats.bracket import field_of
from tournaments.formats.columns import Scoring
from tournaments.formats.event import Draw, EventError, Round, Snapshot, pair_of
from tournaments.formats.words import because
from tournaments.playbook.shape import Column, Line, Plan, still_in
from tournaments.standings import Row, StandingsRules, Term, standings

EVENING_ROUNDS = 10
WHOLE = 13
"""A whist table of so many rounds is played whole."""
INDIVIDUAL_ROUNDS = 8


@dataclass(frozen=True)
class Ranked(Plan):
    """``ranking`` and ``tiebreaks`` are options."""

    @cached_property
    def scoring(self) -> Scoring:
        values = self.values
        return Scoring(
            rest_halves=int(values.get("rest_half", 0)),  # type: ignore[arg-type]
            late_halves=int(values.get("late_half", 0)),  # type: ignore[arg-type]
            rest_average=bool(values.get("rest_average", False)),
            loner_bonus=int(values.get("loner_bonus", 0)),  # type: ignore[arg-type]
        )

    @cached_property
    def ranking(self) -> StandingsRules:
        return StandingsRules(self.word("ranking"), self.word("tiebreaks"), self.scoring, self.extra)

    def check(self) -> None:
        super().check()
        score, order = self.word("ranking"), self.word("tiebreaks")
        if score in order:
            raise EventError("ranked_twice", key=because(score))
        _ = self.ranking

    def counting(self, snapshot: Snapshot) -> Snapshot:
        """What counts for the standings."""
        return snapshot

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        gone = {one.id for one in snapshot.entrants if one.state in ("withdrawn", "disqualified")}
        return tuple(
            Line(
                None if row.entrant in gone else row.place,
                row.entrant,
                row.values[0],
                tuple(
                    Column(key, value, partial(terms_of, row, key))
                    for key, value in zip(self.ranking.keys, row.values, strict=True)
                ),
                row.notes,
                row.tied,
            )
            for row in standings(self.counting(snapshot), self.ranking)
        )


def terms_of(row: Row, key: str) -> tuple[Term, ...]:
    """The terms of one of the numbers of a row."""
    return row.breakdown(key).terms  # type: ignore[arg-type]


@dataclass(frozen=True)
class Swiss(Ranked):
    @cached_property
    def rules(self) -> swiss.SwissRules:
        return swiss.SwissRules(self.word("first_round"), self.flag("repeats"), self.flag("fair_seats"), self.scoring)

    def rounds(self, entrants: int) -> int:
        return swiss.recommended_rounds(entrants)

    def late_until(self, rounds: int) -> int:
        return swiss.last_joinable_round(rounds)

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return swiss.pair(snapshot, self.rules, seed)


@dataclass(frozen=True)
class Individuals(Ranked):
    @cached_property
    def rules(self) -> swiss_individuals.IndividualRules:
        by = "wins" if self.word("ranking") == "wins" else "points"
        return swiss_individuals.IndividualRules(
            "wins" if by == "wins" else "points", self.word("split"), self.flag("repeats"), self.scoring
        )

    def rounds(self, entrants: int) -> int:
        return min(INDIVIDUAL_ROUNDS, max(0, entrants - 1)) if entrants >= 4 else 0

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return swiss_individuals.pair(snapshot, self.rules, seed)


@dataclass(frozen=True)
class Rotation(Ranked):
    @cached_property
    def rules(self) -> rotation.Rules:
        return rotation.Rules(self.word("choice"))

    def rounds(self, entrants: int) -> int:
        if entrants < 4:
            return 0
        whole = entrants - (entrants % 4 == 0)
        return whole if whole <= WHOLE else EVENING_ROUNDS

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return rotation.pair(snapshot, self.rules, seed)


@dataclass(frozen=True)
class Progressive(Ranked):
    @cached_property
    def rules(self) -> progressive.Rules:
        return progressive.Rules(self.word("movement"), progressive.STEPS[self.word("steps")])

    def check(self) -> None:
        super().check()
        moved_by_result = self.word("movement") in ("winners_up", "losers_down")
        if moved_by_result and self.word("ties") == "half" and self.number("hands"):
            raise EventError("winner_needed")

    def rounds(self, entrants: int) -> int:
        return EVENING_ROUNDS if entrants >= 3 else 0

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        return len(still_in(snapshot)) < (4 if self.rules.movement == "chart" else 3)

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return progressive.pair(snapshot, self.rules, seed)


@dataclass(frozen=True)
class RoundRobin(Ranked):
    @cached_property
    def rules(self) -> round_robin.Rules:
        return round_robin.Rules(self.number("legs"), 1, self.flag("seats_matter"))

    def rounds(self, entrants: int) -> int:
        return league_rounds(entrants, self.rules.legs)

    def length(self, snapshot: Snapshot) -> int:
        return snapshot.planned

    def late_until(self, rounds: int) -> int:
        return min(2, rounds)

    def places_left(self, snapshot: Snapshot, seed: int = 0) -> int | None:
        return None if snapshot.number <= 2 else 0

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return round_robin.pair(snapshot, self.rules, seed)

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        return not matches_left(snapshot, self.rules)

    def counting(self, snapshot: Snapshot) -> Snapshot:
        return league_counting(snapshot, self.rules) if league_ready(snapshot, self.rules) else snapshot


def league_rounds(entrants: int, legs: int) -> int:
    """Rounds in which so many can all play each other ``legs`` times."""
    return legs * (entrants - 1 + entrants % 2) if entrants >= 2 else 0


def league_ready(snapshot: Snapshot, rules: round_robin.Rules) -> bool:
    """Whether there are enough for the groups."""
    return len(field_of(snapshot)) >= 2 * rules.groups


def matches_left(snapshot: Snapshot, rules: round_robin.Rules) -> bool:
    """Whether two of a group who may yet play have a match left. Raises CannotPair."""
    staying = set(still_in(snapshot)) | {
        one.id for one in snapshot.entrants if one.left is not None and one.left > snapshot.number
    }
    met: dict[frozenset[int], int] = {}
    for _round, table in snapshot.tables():
        if table.result.outcome != "void":
            pair = pair_of(*table.seated)
            met[pair] = met.get(pair, 0) + 1
    if not league_ready(snapshot, rules):
        return False
    for group in round_robin.groups(snapshot, rules):
        here = [one for one in group if one in staying]
        for at, one in enumerate(here):
            for other in here[:at]:
                pair = pair_of(one, other)
                if met.get(pair, 0) < rules.legs and pair not in snapshot.constraints.never_opponents:
                    return True
    return False


def league_counting(snapshot: Snapshot, rules: round_robin.Rules) -> Snapshot:
    """What counts of a round robin, every forfeit of who withdrew in a round of its own, so that
    none hides another. Raises CannotPair."""
    counted = round_robin.counted(snapshot, rules)
    played, added = counted.rounds[: len(snapshot.rounds)], counted.rounds[len(snapshot.rounds) :]
    each = [Round(0, (table,)) for one_round in added for table in one_round.tables]
    return replace(counted, rounds=(*played, *each))
