"""Double elimination: who loses twice is out.

| rule | test (test_double_elimination, test_bracket) |
|---|---|
| losers round 1: losers of winners round 1 in neighbouring pairs | test_favourites_as_brackets_manager |
| even losers rounds: losers of the next winners round against the survivors | test_favourites_as_brackets_manager |
| odd losers rounds: survivors among themselves | test_favourites_as_brackets_manager |
| losers drop in the order that puts off the first rematch longest | test_crossing |
| the first rematch: losers round 3, 4, 5, 7 at 8, 16, 32, 64 slots (8 at 128) | test_no_early_rematch |
| byes of round 1 send byes down | test_every_size_to_the_end |
| N entrants play 2N-2 matches, or 2N-1 | test_every_size_to_the_end |
| the final is played again only if the losers' champion has won it | test_reset_only_when_needed |
| a withdrawn entrant forfeits the match at hand and the one he drops into | test_withdrawal_at_every_point |
| nobody came to the final: the winners' champion has a defeat to spare and wins | test_double_forfeit_in_each_match |
| nobody came to the second final: no champion | test_nobody_comes_to_the_reset |
| late entry, withdrawal, double forfeit, correction | bracket.py |

Labels: ``WR2-1`` winners round 2, ``LR3-1`` losers round 3, ``F`` final, ``F2`` the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from tournaments.formats import bracket as brackets
from tournaments.formats.bracket import Bracket, Match, Plan, Planned, Source
from tournaments.formats.event import Draw, Snapshot

Ordering = Literal["natural", "reverse", "half_shift", "reverse_half_shift"]

ORDERINGS: dict[Ordering, Callable[[list[int]], list[int]]] = {
    "natural": lambda drops: drops,
    "reverse": lambda drops: drops[::-1],
    "half_shift": lambda drops: drops[len(drops) // 2 :] + drops[: len(drops) // 2],
    "reverse_half_shift": lambda drops: drops[: len(drops) // 2][::-1] + drops[len(drops) // 2 :][::-1],
}


@dataclass(frozen=True, slots=True)
class Rules:
    """``band``: seeds are drawn by lot within bands of so many; 0 takes them as they are.
    ``drops``: in which order the losers of winners rounds 2, 3 ... drop, else the best known."""

    band: int = 0
    drops: tuple[Ordering, ...] = ()


def best_drops(size: int) -> tuple[Ordering, ...]:
    """The orders for winners rounds 2, 3 ... of a bracket of ``size`` slots. Found by trying all
    of the four in each round; beyond 128 slots the same beginning is no worse than any found.

    >>> best_drops(32)
    ('reverse', 'half_shift', 'natural', 'natural')
    """
    first: tuple[Ordering, ...] = ("reverse", "half_shift", "reverse_half_shift")
    rounds = size.bit_length() - 2
    return tuple(
        first[place] if place < 3 and (place == 0 or size >> (place + 2) > 2) else "natural" for place in range(rounds)
    )


def bracket(snapshot: Snapshot, rules: Rules, seed: int) -> Bracket:
    """Every match as it stands. ``seed`` is the draw number, the same all through an event.
    Raises CannotPair, EventError."""
    return brackets.resolve(lambda size: plan(size, rules.drops or best_drops(size)), snapshot, rules.band, seed)


def pair(snapshot: Snapshot, rules: Rules, seed: int) -> Draw:
    """The matches that can be played now. Raises CannotPair, EventError."""
    return brackets.draw(bracket(snapshot, rules, seed), snapshot)


def affected(snapshot: Snapshot, match: str, rules: Rules, seed: int) -> tuple[Match, ...]:
    """The matches known so far that depend on the one of this label. Raises EventError."""
    return brackets.affected(bracket(snapshot, rules, seed), match)


def open_byes(snapshot: Snapshot, rules: Rules, seed: int) -> tuple[int, ...]:
    """The seeds whose place a late entrant can still take. Raises CannotPair, EventError."""
    drawn = bracket(snapshot, rules, seed)
    return brackets.open_byes(lambda size: plan(size, rules.drops or best_drops(size)), snapshot, drawn)


@cache
def plan(size: int, drops: tuple[Ordering, ...]) -> Plan:
    """The matches for ``size`` slots; ``drops`` are the orders for winners rounds 2, 3 ..."""
    return Plan([*_winners(size), *_losers(size, drops), *_finals(size)])


def _winners(size: int) -> list[Planned]:
    order = brackets.seed_order(size)
    planned = []
    for number in range(1, size.bit_length()):
        for place in range(1, (size >> number) + 1):
            before = 2 * place - 1, 2 * place
            sources = (
                (Source("seed", order[before[0] - 1]), Source("seed", order[before[1] - 1]))
                if number == 1
                else (_winner(f"WR{number - 1}-{before[0]}"), _winner(f"WR{number - 1}-{before[1]}"))
            )
            stage = max(1, 2 * number - 2)
            last = size >> number == 1
            planned.append(
                Planned(f"WR{number}-{place}", "winners", number, place, sources, stage, last_of_winners=last)
            )
    return planned


def _losers(size: int, drops: Sequence[Ordering]) -> list[Planned]:
    planned = []

    def add(number: int, place: int, one: Source, other: Source) -> None:
        planned.append(Planned(f"LR{number}-{place}", "losers", number, place, (one, other), number))

    for place in range(1, size // 4 + 1):
        add(1, place, _loser(f"WR1-{2 * place - 1}"), _loser(f"WR1-{2 * place}"))
    for upper in range(2, size.bit_length()):
        count = size >> upper
        number = 2 * upper - 2
        dropping = ORDERINGS[drops[upper - 2]](list(range(1, count + 1)))
        for place, drop in enumerate(dropping, 1):
            add(number, place, _loser(f"WR{upper}-{drop}"), _winner(f"LR{number - 1}-{place}"))
        for place in range(1, count // 2 + 1):
            add(number + 1, place, _winner(f"LR{number}-{2 * place - 1}"), _winner(f"LR{number}-{2 * place}"))
    return planned


def _finals(size: int) -> list[Planned]:
    rounds = size.bit_length() - 1
    below = _winner(f"LR{2 * rounds - 2}-1") if rounds > 1 else _loser("WR1-1")
    final = (_winner(f"WR{rounds}-1"), below)
    return [
        Planned("F", "final", 1, 1, final, 2 * rounds - 1, spare=True),
        Planned("F2", "final", 2, 1, (_loser("F"), _winner("F")), 2 * rounds, reset=True),
    ]


def _winner(label: str) -> Source:
    return Source("winner", match=label)


def _loser(label: str) -> Source:
    return Source("loser", match=label)
