"""Arena by waves, duplicate, and teams behind the shape of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

from tournaments.formats import arena, duplicate, round_robin, scores, teams
from tournaments.formats import rotation as whist
from tournaments.formats.bracket import Bracket, Match, field_of
from tournaments.formats.event import CannotPair, Draw, Entrant, EventError, NotPlayed, Result, Sides, Snapshot
from tournaments.formats.planner import rest_levels
from tournaments.formats.scores import ScoreRules
from tournaments.formats.words import because, title
from tournaments.playbook.brackets import DoubleElimination, SingleElimination, lines
from tournaments.playbook.ranked import EVENING_ROUNDS, RoundRobin, league_ready
from tournaments.playbook.shape import Column, Counters, Line, Plan
from tournaments.standings import Term

DEALS_OF_AN_EVENING = 24
FEWEST_ROUNDS = 3


@dataclass(frozen=True)
class Arena(Plan):
    """An arena of rounds: in each wave all who are here are drawn, and the next begins when all are
    done. Somebody who runs a true arena hands over a :class:`~tournaments.formats.arena.Moment`,
    which is drawn as it is, often without any table."""

    @property
    def members(self) -> int:
        return 1 if self.flag("individuals") else 2

    @property
    def side(self) -> int:
        return 2 if self.flag("individuals") else 1

    @cached_property
    def rules(self) -> arena.Rules:
        return arena.Rules(
            60 * self.number("game_minutes"),
            self.flag("individuals"),
            self.flag("streaks"),
            self.flag("late_games"),
            self.flag("rank_withdrawn"),
        )

    def check(self) -> None:
        super().check()
        _ = self.rules

    def rounds(self, entrants: int) -> int:
        return EVENING_ROUNDS if entrants >= 2 * self.side else 0

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        drawn = arena.pair(self._moment(snapshot), self.rules, seed)
        if isinstance(snapshot, arena.Moment):
            return drawn
        if not drawn.tables:
            raise CannotPair("nobody_to_pair")
        seated = {one for table in drawn.tables for one in table.seated}
        return replace(drawn, rests=tuple(one.id for one in snapshot.present() if one.id not in seated))

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        return super().done(snapshot, seed) or (isinstance(snapshot, arena.Moment) and snapshot.over)

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        rows = arena.standings(self._moment(snapshot), self.rules)
        shared = [row.rank for row in rows]
        return tuple(
            Line(
                row.rank,
                row.entrant,
                row.score,
                (
                    Column("total", row.score, partial(_games, row.sheet)),
                    Column("won", row.wins),
                    Column("games", row.games),
                    Column("performance", row.performance or 0),
                    Column("difference", row.difference),
                ),
                (because("on_streak"),) if row.on_streak else (),
                row.rank is not None and shared.count(row.rank) > 1,
            )
            for row in rows
        )

    def _moment(self, snapshot: Snapshot) -> arena.Moment:
        """The wave as a tick at which everybody has waited long enough, who sat out more longer."""
        if isinstance(snapshot, arena.Moment):
            return snapshot
        levels = rest_levels(snapshot)
        wait = self.rules.wait
        return arena.Moment(
            snapshot.entrants,
            snapshot.rounds,
            snapshot.planned,
            snapshot.constraints,
            tick=snapshot.number,
            waiting={one.id: wait * (1 + levels[one.id]) for one in snapshot.present()},
        )


def _games(sheet: tuple[int, ...]) -> tuple[Term, ...]:
    return tuple(Term(points, because("game_of_arena", number=number)) for number, points in enumerate(sheet, 1))


@dataclass(frozen=True)
class Duplicate(Plan):
    @property
    def members(self) -> int:
        return 1 if self.flag("individuals") else 2

    @property
    def side(self) -> int:
        return 2 if self.flag("individuals") else 1

    @cached_property
    def score(self) -> ScoreRules:
        points = replace(scores.HOUSES[str(self.values["house"])], thrown_in=self.flag("thrown_in"))
        return ScoreRules(hands=self.number("deals"), points=points)

    @cached_property
    def rules(self) -> duplicate.Rules:
        """Without the schedule of individuals, which depends on their number."""
        return duplicate.Rules(
            "barometer" if self.flag("individuals") else self.word("movement"),
            deals=self.number("deals"),
            share=self.flag("share"),
            by_lot=self.flag("by_lot"),
            scoring=self.word("scoring"),
            hand=self.score.points,
        )

    def scheduled(self, entrants: int) -> duplicate.Rules:
        """The rules for so many at the start. Raises CannotPair."""
        if not self.flag("individuals"):
            return self.rules
        schedule = tuple(tuple(table.sides for table in drawn.tables) for drawn in whist.table(entrants))
        return replace(self.rules, schedule=schedule)

    def whole(self, entrants: int) -> int:
        """Rounds of the movement for so many, 0 if there is none."""
        try:
            rules = self.scheduled(entrants)
            return len(duplicate.movement(Snapshot(_people(entrants)), rules).rounds)
        except CannotPair:
            return 0

    def rounds(self, entrants: int) -> int:
        return min(self.whole(entrants), max(FEWEST_ROUNDS, DEALS_OF_AN_EVENING // self.number("deals")))

    def length(self, snapshot: Snapshot) -> int:
        count = len(field_of(snapshot))
        return min(snapshot.planned, self.whole(count)) if snapshot.planned else self.rounds(count)

    def places_left(self, snapshot: Snapshot, seed: int = 0) -> int | None:
        count = len(field_of(snapshot))
        if snapshot.number == 1 or not self.whole(count):
            return None
        if snapshot.number > self.length(snapshot):
            return 0
        rules = self.scheduled(count)
        taken = duplicate.places(snapshot, rules, seed)
        gone = {one.id for one in snapshot.entrants if one.left is not None}
        return duplicate.movement(snapshot, rules).places - len(set(taken) - gone)

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return duplicate.pair(snapshot, self.scheduled(len(field_of(snapshot))), seed)

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
        """The points follow from the ``deals``; ``points`` and ``winner`` are not asked for."""
        if deals is None:
            raise EventError("deals_needed")
        number = dict(title(label).values)["number"]
        assert isinstance(number, int)
        return duplicate.result(deals, number, self.rules)

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        rows = duplicate.standings(snapshot, self.rules)
        shared = [(row.line, row.rank) for row in rows]
        return tuple(
            Line(
                row.rank,
                row.entrant,
                columns[0].value,
                columns,
                (),
                row.rank is not None and shared.count((row.line, row.rank)) > 1,
                0 if row.line is None else row.line + 1,
            )
            for row in rows
            for columns in [tuple(_deal_columns(row))]
        )


def _people(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, number) for number in range(1, count + 1))


def _deal_columns(row: duplicate.Row) -> Iterator[Column]:
    if row.percent is not None:
        yield Column("percent", _rounded(row.percent))
    yield Column("mean", _rounded(row.mean or Fraction()))
    yield Column("total", _rounded(row.total), partial(_dealt, row))


def _dealt(row: duplicate.Row) -> tuple[Term, ...]:
    terms = [
        Term(
            _rounded(term.points),
            because("dealt_not_played", deal=term.deal)
            if isinstance(term.score, NotPlayed)
            else because("dealt", deal=term.deal, score=f"{term.score:+d}"),
        )
        for term in row.terms
    ]
    if row.credit:
        terms.append(Term(_rounded(row.credit), because("deals_sat_out")))
    return tuple(terms)


def _rounded(value: Fraction) -> float:
    return round(float(value), 4)


@dataclass(frozen=True)
class Teams(Plan):
    """Teams meet as in a bracket or a round robin of their own; a match has two tables."""

    @cached_property
    def inner(self) -> SingleElimination | DoubleElimination | RoundRobin:
        """How teams meet, as a plan."""
        values = {**self.values, "seats_matter": False, "ranking": "wins", "tiebreaks": ("difference", "points")}
        if self.word("meeting") == "round_robin":
            return RoundRobin(self.book, values, self.extra)
        if self.word("meeting") == "double":
            return DoubleElimination(self.book, values, self.extra)
        return SingleElimination(self.book, values, self.extra)

    @cached_property
    def score(self) -> ScoreRules:
        points = replace(scores.HOUSES[str(self.values["house"])], thrown_in=self.flag("thrown_in"))
        ties = "half" if self.word("meeting") == "round_robin" else "extra_hand"
        return ScoreRules(hands=2 * self.number("deals"), ties=ties, points=points)  # type: ignore[arg-type]

    @cached_property
    def rules(self) -> teams.Rules:
        return teams.Rules(self.inner.rules, self.number("deals"), self.flag("boards"))

    def check(self) -> None:
        super().check()
        _ = self.rules

    def rounds(self, entrants: int) -> int:
        return self.inner.rounds(entrants)

    def length(self, snapshot: Snapshot) -> int:
        return self.inner.length(snapshot)

    def late_until(self, rounds: int) -> int:
        return self.inner.late_until(rounds)

    def places_left(self, snapshot: Snapshot, seed: int = 0) -> int | None:
        return self.inner.places_left(snapshot, seed)

    def draw(self, snapshot: Snapshot, seed: int) -> Draw:
        return teams.pair(snapshot, self.rules, seed)

    def done(self, snapshot: Snapshot, seed: int) -> bool:
        return self.inner.done(snapshot, seed)

    def bracket(self, snapshot: Snapshot, seed: int = 0) -> Bracket | None:
        return self.inner.bracket(snapshot, seed)

    def affected(self, snapshot: Snapshot, label: str, seed: int = 0) -> tuple[Match, ...]:
        return self.inner.affected(snapshot, label, seed)

    def rows(self, snapshot: Snapshot, seed: int = 0) -> tuple[Line, ...]:
        if not isinstance(self.rules.event, round_robin.Rules):
            return self.inner.rows(snapshot, seed)
        if not league_ready(snapshot, self.rules.event):
            return lines(snapshot, None)
        rows = teams.victory_table(snapshot, self.rules)
        gone = {one.id for one in snapshot.entrants if one.state in ("withdrawn", "disqualified")}
        places = [row.place for row in rows]
        known = {row.team for row in rows}
        return (
            *(
                Line(
                    None if row.team in gone else row.place,
                    row.team,
                    float(row.total),
                    (
                        Column("victory_points", float(row.total), partial(_matches, row)),
                        Column("difference", row.difference),
                    ),
                    (),
                    places.count(row.place) > 1,
                )
                for row in rows
            ),
            *lines(snapshot, None, (one.id for one in snapshot.entrants if one.id not in known)),
        )


def _matches(row: teams.VictoryRow) -> tuple[Term, ...]:
    return tuple(
        Term(float(points), because("match_of_team", number=number)) for number, points in enumerate(row.terms, 1)
    )
