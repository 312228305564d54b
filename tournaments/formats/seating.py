"""What brackets, leagues and team matches do alike with tables and with wishes.

| rule | test |
|---|---|
| tables are numbered from 1; who cannot move keeps his number | test_seating: test_fixed_tables |
| two who cannot move cannot meet at two numbers, nor two tables have one | test_fixed_tables_that_clash |
| partners are no matter of a draw of pairs or teams, nor are byes where a table gives them | test_wishes_refused |
| a table made by hand seats each once, and only who is here | test_tables_by_hand |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournaments.formats.event import CannotPair, DrawnTable, Sides, Snapshot, pair_of
from tournaments.formats.words import Reason


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two entrants who shall play: a table without a number yet."""

    one: int
    other: int
    reasons: tuple[Reason, ...] = ()
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
            raise CannotPair("stay_apart", who=(meeting.one, meeting.other), table=wanted[0], other=wanted[1])
        if wanted and wanted[0] in taken:
            there = taken[wanted[0]]
            raise CannotPair(
                "kept_for_two", table=wanted[0], who=(there.one, there.other), others=(meeting.one, meeting.other)
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


def refuse_wishes(snapshot: Snapshot, byes: str) -> None:
    """Raises CannotPair for wishes that a draw of fixed entrants has no place for; ``byes`` is the
    code for byes by hand, which says what gives them in this format."""
    wishes = snapshot.constraints
    if wishes.always_together:
        raise CannotPair("fixed_here")
    if wishes.byes:
        raise CannotPair(byes, who=wishes.byes)


def by_hand(snapshot: Snapshot, allowed: Callable[[int, int], bool], refused: str) -> tuple[tuple[int, int], ...]:
    """The pairs that the director has put together himself. Raises CannotPair for one that is
    not ``allowed`` (of the code ``refused``), for an absent entrant and for one who would play twice."""
    here = {entrant.id for entrant in snapshot.present()}
    seated: set[int] = set()
    found = []
    for one, other in snapshot.constraints.tables:
        if len(one) != 1 or len(other) != 1:
            raise CannotPair("one_on_each_side", who=one, others=other)
        pair = pair_of(one[0], other[0])
        if twice := seated & pair or (pair if len(pair) == 1 else None):
            raise CannotPair("seated_twice", who=tuple(sorted(twice)))
        if missing := pair - here:
            raise CannotPair("seated_not_here", who=tuple(sorted(missing)))
        if not allowed(one[0], other[0]):
            raise CannotPair(refused, who=(one[0], other[0]))
        seated |= pair
        found.append((one[0], other[0]))
    return tuple(found)
