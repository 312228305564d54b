"""What brackets, leagues and team matches do alike with tables and with wishes.

| rule | test |
|---|---|
| tables are numbered from 1; who cannot move keeps his number | test_seating: test_fixed_tables |
| two who cannot move cannot meet at two numbers, nor two tables have one | test_fixed_tables_that_clash |
| partners are no matter of a draw of pairs or teams, nor are byes where a table gives them | test_wishes_refused |
| a table made by hand seats each once, and only who is here | test_tables_by_hand |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tournaments.formats.event import CannotPair, DrawnTable, Sides, Snapshot, pair_of


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two entrants who shall play: a table without a number yet."""

    one: int
    other: int
    reasons: tuple[str, ...] = ()
    label: str = ""

    @property
    def pair(self) -> frozenset[int]:
        return pair_of(self.one, self.other)

    @property
    def sides(self) -> Sides:
        return (self.one,), (self.other,)


def numbered(meetings: Sequence[Meeting], snapshot: Snapshot) -> tuple[DrawnTable, ...]:
    """The meetings as tables by number, those with a fixed table there, the others from 1 on in
    the order given. Raises CannotPair where fixed tables contradict each other."""
    fixed = snapshot.constraints.fixed_table
    taken: dict[int, Meeting] = {}
    for meeting in meetings:
        wanted = sorted({fixed[entrant] for entrant in meeting.pair if entrant in fixed})
        if len(wanted) > 1:
            raise CannotPair(
                f"Entrants {meeting.one} and {meeting.other} meet, but neither can leave his table: "
                f"{wanted[0]} and {wanted[1]}.",
                "Let one of them move.",
            )
        if wanted and wanted[0] in taken:
            raise CannotPair(
                f"Table {wanted[0]} is kept for two matches: {meeting.one} v {meeting.other} "
                f"and {taken[wanted[0]].one} v {taken[wanted[0]].other}.",
                "Let one of the entrants move.",
            )
        if wanted:
            taken[wanted[0]] = meeting
    number = 0
    for meeting in meetings:
        if meeting not in taken.values():
            number += 1
            while number in taken:
                number += 1
            taken[number] = meeting
    return tuple(
        DrawnTable(number, meeting.sides, meeting.reasons, meeting.label) for number, meeting in sorted(taken.items())
    )


def refuse_wishes(snapshot: Snapshot, byes_by: str) -> None:
    """Raises CannotPair for wishes that a draw of fixed entrants has no place for; ``byes_by``
    is what gives the byes of this format."""
    wishes = snapshot.constraints
    if wishes.always_together:
        raise CannotPair(
            "Entrants are fixed here: the draw joins nobody to a partner.",
            "Enter the two as one pair or team, and take the wish away.",
        )
    if wishes.byes:
        raise CannotPair(
            f"Byes are given by {byes_by}, not by hand: {_names(wishes.byes)}.",
            "Mark who cannot play as absent: the match is postponed.",
        )


def by_hand(snapshot: Snapshot, allowed: Callable[[int, int], bool], advice: str) -> tuple[tuple[int, int], ...]:
    """The pairs that the director has put together himself. Raises CannotPair for one that is
    not ``allowed``, for an absent entrant and for one who would play twice."""
    here = {entrant.id for entrant in snapshot.present()}
    seated: set[int] = set()
    found = []
    for one, other in snapshot.constraints.tables:
        if len(one) != 1 or len(other) != 1:
            raise CannotPair(
                f"A table seats one entrant on each side, not {_names(one)} and {_names(other)}.",
                "Name one entrant for each side.",
            )
        pair = pair_of(one[0], other[0])
        if twice := seated & pair or (pair if len(pair) == 1 else None):
            raise CannotPair(f"Entrant {_names(twice)} is put at a table twice.", "Take one of the tables away.")
        if missing := pair - here:
            raise CannotPair(
                f"A table is made for entrant {_names(missing)}, who is not here.",
                "Bring him back, or unmake the table.",
            )
        if not allowed(one[0], other[0]):
            raise CannotPair(f"Entrants {one[0]} and {other[0]} cannot be put at a table now.", advice)
        seated |= pair
        found.append((one[0], other[0]))
    return tuple(found)


def _names(entrants: Iterable[int]) -> str:
    return " and ".join(str(entrant) for entrant in sorted(entrants))
