"""Teams of four: two pairs each, two tables a match, brackets or a round robin of teams.

| rule | test (test_teams) |
|---|---|
| team A's pair 1 N-S v B's pair 1, A's pair 2 E-W v B's pair 2; halfway pairs swap opponents | test_sittings |
| with boards both tables play the same deals; without, each its own; points of both are added | test_totals |
| total difference wins | test_settled_by_difference |
| level in a bracket: a set of 4 deals, then one by one; it decides, its points are not recorded | test_extra_sets |
| level in a round robin: a tie | test_ties_of_a_round_robin |
| brackets, byes, late entry, withdrawal as in single and double elimination | test_brackets_of_teams |
| round robin: 20 victory points a match, VP = 10 + 10(1-t^(3d/B))/(1-t^3), t = (sqrt5-1)/2 | test_victory_points |
| B = scale x sqrt(deals); a difference of B or more is 20 to 0 | test_victory_points |
| forfeit: the side that came has its own average of victory points, the other 0 | test_victory_table_with_forfeits |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from math import sqrt

from tournaments.formats import double_elimination, round_robin, single_elimination
from tournaments.formats.event import BadScore, Draw, DrawnTable, EventError, Result, Snapshot
from tournaments.formats.words import because

Points = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rules:
    """``event``: how teams meet. ``deals`` of a match, even, at each table. ``boards``: both
    tables play the same deals. ``extra_sets``: deals of the sets that follow a level match, the
    last size again and again. ``deal_points``: what one side can score in a deal. ``scale`` of
    the victory points, in points."""

    event: single_elimination.Rules | double_elimination.Rules | round_robin.Rules = field(
        default_factory=single_elimination.Rules
    )
    deals: int = 16
    boards: bool = True
    extra_sets: tuple[int, ...] = (4, 1)
    deal_points: frozenset[int] = frozenset({1, 2, 4})
    scale: float = 5.0

    def __post_init__(self) -> None:
        if self.deals < 2 or self.deals % 2:
            raise EventError("two_halves", deals=self.deals)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One of the two tables of a match: team and pair (1 or 2) N-S and E-W."""

    number: int
    north_south: tuple[int, int]
    east_west: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Settled:
    """A match so far: ``points`` by team as they are recorded, the side that has won, and how
    many deals the next extra set has, 0 if there is none to play."""

    points: Points
    winner: int | None
    more: int

    @property
    def result(self) -> Result:
        """As a snapshot wants it. Raises EventError while a set is missing."""
        if self.more:
            raise EventError("match_level", deals=self.more)
        return Result(self.points, winner=self.winner)


@dataclass(frozen=True, slots=True)
class VictoryRow:
    """A team of a round robin and its victory points, match by match; their sum is ``total``."""

    place: int
    team: int
    terms: tuple[Decimal, ...]
    difference: int

    @property
    def total(self) -> Decimal:
        return sum(self.terms, Decimal(0))


def pair(snapshot: Snapshot, rules: Rules, seed: int) -> Draw:
    """The matches that can be played now, entrants are teams; match n is played at the tables
    2n-1 and 2n. Raises CannotPair, EventError."""
    if isinstance(rules.event, round_robin.Rules):
        draw = round_robin.pair(snapshot, rules.event, seed)
    elif isinstance(rules.event, double_elimination.Rules):
        draw = double_elimination.pair(snapshot, rules.event, seed)
    else:
        draw = single_elimination.pair(snapshot, rules.event, seed)
    how = "team_boards" if rules.boards else "team_tables"
    told = tuple(
        table._replace(
            reasons=(
                *table.reasons,
                because(
                    how,
                    first=2 * table.number - 1,
                    second=2 * table.number,
                    deals=rules.deals,
                    half=rules.deals // 2,
                ),
            ),
        )
        for table in draw.tables
    )
    return replace(draw, tables=told)


def sittings(match: DrawnTable, part: int) -> tuple[Sitting, Sitting]:
    """Who sits where in a part of a match: 0 and 1 are the halves, 2, 3 ... the extra sets."""
    (one,), (other,) = match.sides
    theirs = (1, 2) if part % 2 == 0 else (2, 1)
    return (
        Sitting(2 * match.number - 1, (one, 1), (other, theirs[0])),
        Sitting(2 * match.number, (other, theirs[1]), (one, 2)),
    )


def totals(deals: Sequence[Points], rules: Rules) -> Points:
    """The points of both teams from the N-S points of each deal at the first and the second
    table, negative if E-W scored. Raises BadScore for what no deal can bring."""
    points = [0, 0]
    for number, scores in enumerate(deals, 1):
        for north_south, score in enumerate(scores):
            if abs(score) not in rules.deal_points:
                possible = ", ".join(map(str, sorted(rules.deal_points)))
                raise BadScore("deal_points", deal=number, points=abs(score), possible=possible)
            points[north_south if score > 0 else 1 - north_south] += abs(score)
    return points[0], points[1]


def settle(regular: Points, extra: Sequence[Points], rules: Rules) -> Settled:
    """The match from the points of both teams in the regular deals and in each extra set.
    Raises EventError if a set was played that nobody needed."""
    needed = not isinstance(rules.event, round_robin.Rules)
    sets = (regular, *extra)
    level = next((number for number, (one, other) in enumerate(sets) if one != other), len(sets))
    if level < len(extra) or (extra and not needed):
        raise EventError("extra_set")
    if level < len(sets):
        return Settled(regular, int(sets[level][0] < sets[level][1]), 0)
    return Settled(regular, None, rules.extra_sets[min(len(extra), len(rules.extra_sets) - 1)] if needed else 0)


def victory_points(difference: int, rules: Rules) -> tuple[Decimal, Decimal]:
    """The 20 victory points of a match that the first team won by ``difference`` (negative: lost)."""
    ratio = (sqrt(5) - 1) / 2
    full = rules.scale * sqrt(rules.deals)
    share = min(1.0, abs(difference) / full)
    more = _hundredths(Decimal(10 + 10 * (1 - ratio ** (3 * share)) / (1 - ratio**3)))
    return (more, 20 - more) if difference >= 0 else (20 - more, more)


def victory_table(snapshot: Snapshot, rules: Rules) -> tuple[VictoryRow, ...]:
    """The teams of a round robin of one group by victory points, then difference, who withdrew
    last; teams level by both share a place. Raises EventError for another format."""
    if not isinstance(rules.event, round_robin.Rules):
        raise EventError("victory_points")
    counting = round_robin.counted(snapshot, rules.event)
    lines = [line for group in round_robin.tables(snapshot, rules.event) for line in group]
    played: dict[int, list[Decimal]] = {line.entrant: [] for line in lines}
    won: list[Decimal] = []
    for _, table in counting.tables():
        if table.result.played:
            points = victory_points(table.result.points[0] - table.result.points[1], rules)
            won.append(max(points))
            for (team,), gained in zip(table.sides, points, strict=True):
                played[team].append(gained)
    terms = {team: list(gained) for team, gained in played.items()}
    for _, table in counting.tables():
        for side, (team,) in enumerate(table.sides):
            if table.result.outcome == "double_forfeit" or table.result.absent == side:
                terms[team].append(Decimal(0))
            elif table.result.outcome == "forfeit":
                terms[team].append(_average(played[team] or won or [Decimal(10)]))
    rows = [VictoryRow(0, line.entrant, tuple(terms[line.entrant]), line.difference) for line in lines]
    last = {line.entrant: line.withdrawn for line in lines}

    def rank(row: VictoryRow) -> tuple[bool, Decimal, int]:
        return last[row.team], -row.total, -row.difference

    return tuple(
        replace(row, place=1 + sum(rank(other) < rank(row) for other in rows)) for row in sorted(rows, key=rank)
    )


def _average(gained: Sequence[Decimal]) -> Decimal:
    return _hundredths(sum(gained, Decimal(0)) / len(gained))


def _hundredths(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)
