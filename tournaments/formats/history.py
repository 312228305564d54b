"""What a snapshot says of the past: who met whom, who partnered whom, who rested, who scored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tournaments.formats.event import Snapshot, pair_of


@dataclass(slots=True)
class History:
    """Counts over the finished rounds of a snapshot. Tables that are void count for nothing;
    forfeits count as met, so that nobody is drawn twice against who did not come."""

    partners: Counter[frozenset[int]] = field(default_factory=Counter)
    opponents: Counter[frozenset[int]] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    rests: Counter[int] = field(default_factory=Counter)
    last_rest: dict[int, int] = field(default_factory=dict)
    wins: Counter[int] = field(default_factory=Counter)
    ties: Counter[int] = field(default_factory=Counter)
    games: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    against: Counter[int] = field(default_factory=Counter)

    def met(self, one: int, other: int) -> int:
        """How often two entrants were opponents."""
        return self.opponents[pair_of(one, other)]

    def partnered(self, one: int, other: int) -> int:
        """How often two entrants were partners."""
        return self.partners[pair_of(one, other)]


def read(snapshot: Snapshot) -> History:
    """The history of a snapshot. A bye is a win; a rest is nothing; of a forfeit the side that
    was there wins, of a double forfeit nobody."""
    past = History()
    for played in snapshot.rounds:
        for entrant in played.byes:
            past.byes[entrant] += 1
            past.wins[entrant] += 1
        for entrant in played.rests:
            past.rests[entrant] += 1
            past.last_rest[entrant] = played.number
        for table in played.tables:
            result = table.result
            if result.outcome == "void":
                continue
            for side, members in enumerate(table.sides):
                if len(members) == 2:
                    past.partners[pair_of(*members)] += 1
                for entrant in members:
                    past.games[entrant] += result.played
                    past.points[entrant] += result.points[side]
                    past.against[entrant] += result.points[1 - side]
                    past.wins[entrant] += _won(result.winner, result.outcome, result.absent, side)
                    past.ties[entrant] += result.played and result.winner is None
            for one in table.sides[0]:
                for other in table.sides[1]:
                    past.opponents[pair_of(one, other)] += 1
    return past


def _won(winner: int | None, outcome: str, absent: int | None, side: int) -> bool:
    if outcome == "forfeit":
        return absent == 1 - side
    return outcome == "played" and winner == side
