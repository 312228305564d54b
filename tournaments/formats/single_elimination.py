"""Single elimination: who loses is out.

| rule | test (test_single_elimination, test_bracket) |
|---|---|
| slots are the next power of two, by seed order; byes for the missing seeds | test_round_one_as_brackets_manager |
| the favourites' run, third place included, is brackets-manager's | test_favourites_as_brackets_manager |
| N entrants play N-1 matches, one more for third place | test_every_size_to_the_end |
| third place: the losers of the semi-finals, if asked for | test_third_place |
| no such match if one of them withdrew or is missing: the other is third | test_third_place_without_a_match |
| a semi-final that nobody came to: no such match, who lost the other is third | test_third_place_without_a_match |
| nobody came to the final: no champion, two in second place | test_double_forfeit_in_each_match |
| late entry, withdrawal, double forfeit, correction | bracket.py |

Labels: ``R1-1`` is the first match of round 1, ``T`` the match for third place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tournaments.formats import bracket as brackets
from tournaments.formats.bracket import Bracket, Match, Plan, Planned, Source
from tournaments.formats.event import Draw, Snapshot


@dataclass(frozen=True, slots=True)
class Rules:
    """``band``: seeds are drawn by lot within bands of so many; 0 takes them as they are."""

    third_place: bool = False
    band: int = 0


def bracket(snapshot: Snapshot, rules: Rules, seed: int) -> Bracket:
    """Every match as it stands. ``seed`` is the draw number, the same all through an event.
    Raises CannotPair, EventError."""
    return brackets.resolve(lambda size: _plan(size, rules.third_place), snapshot, rules.band, seed)


def pair(snapshot: Snapshot, rules: Rules, seed: int) -> Draw:
    """The matches that can be played now. Raises CannotPair, EventError."""
    return brackets.draw(bracket(snapshot, rules, seed), snapshot)


def affected(snapshot: Snapshot, match: str, rules: Rules, seed: int) -> tuple[Match, ...]:
    """The matches known so far that depend on the one of this label. Raises EventError."""
    return brackets.affected(bracket(snapshot, rules, seed), match)


def open_byes(snapshot: Snapshot, rules: Rules, seed: int) -> tuple[int, ...]:
    """The seeds whose place a late entrant can still take. Raises CannotPair, EventError."""
    drawn = bracket(snapshot, rules, seed)
    return brackets.open_byes(lambda size: _plan(size, rules.third_place), snapshot, drawn)


@cache
def _plan(size: int, third_place: bool) -> Plan:
    order = brackets.seed_order(size)
    last = size.bit_length() - 1
    planned = [
        Planned(
            f"R1-{place}",
            "main",
            1,
            place,
            (Source("seed", order[2 * place - 2]), Source("seed", order[2 * place - 1])),
            1,
        )
        for place in range(1, size // 2 + 1)
    ]
    for number in range(2, last + 1):
        if number == last and third_place:
            semis = Source("loser", match=f"R{number - 1}-1"), Source("loser", match=f"R{number - 1}-2")
            planned.append(Planned("T", "third", 1, 1, semis, number - 1))
        for place in range(1, (size >> number) + 1):
            before = tuple(Source("winner", match=f"R{number - 1}-{2 * place - 1 + i}") for i in (0, 1))
            planned.append(Planned(f"R{number}-{place}", "main", number, place, (before[0], before[1]), number))
    return Plan(planned)
