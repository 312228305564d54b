from __future__ import annotations

import pytest

from tests.formats.bracket_play import entrants
from tournaments.formats.event import CannotPair, Constraints, Snapshot, pair_of
from tournaments.formats.seating import Meeting, by_hand, numbered, refuse_wishes

MEETINGS = (Meeting(1, 2), Meeting(3, 4), Meeting(5, 6), Meeting(7, 8))


def wishing(**wishes: object) -> Snapshot:
    return Snapshot(entrants(8), constraints=Constraints(**wishes))  # type: ignore[arg-type]


def test_fixed_tables() -> None:
    tables = numbered(MEETINGS, wishing(fixed_table={6: 1, 3: 3}))
    assert [(table.number, table.seated) for table in tables] == [(1, (5, 6)), (2, (1, 2)), (3, (3, 4)), (4, (7, 8))]
    assert [table.number for table in numbered(MEETINGS, wishing(fixed_table={1: 9, 2: 9}))] == [1, 2, 3, 9]


@pytest.mark.parametrize(("fixed", "told"), [({1: 1, 2: 2}, "neither can leave"), ({1: 5, 4: 5}, "kept for two")])
def test_fixed_tables_that_clash(fixed: dict[int, int], told: str) -> None:
    with pytest.raises(CannotPair, match=told) as refused:
        numbered(MEETINGS, wishing(fixed_table=fixed))
    assert "move" in refused.value.advice


@pytest.mark.parametrize(
    ("wishes", "told"),
    [({"always_together": frozenset({pair_of(1, 2)})}, "joins nobody"), ({"byes": (3,)}, "not by hand: 3")],
)
def test_wishes_refused(wishes: dict[str, object], told: str) -> None:
    with pytest.raises(CannotPair, match=told) as refused:
        refuse_wishes(wishing(**wishes), "the table")
    assert refused.value.advice
    refuse_wishes(wishing(never_together=frozenset({pair_of(1, 2)})), "the table")


def test_tables_by_hand() -> None:
    made = wishing(tables=(((2,), (1,)), ((5,), (3,))))
    assert by_hand(made, lambda one, other: True, "") == ((2, 1), (5, 3))


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ((((1, 2), (3, 4)),), "one entrant on each side"),
        ((((1,), (2,)), ((2,), (3,))), "Entrant 2 is put at a table twice"),
        ((((1,), (1,)),), "Entrant 1 is put at a table twice"),
        ((((1,), (99,)),), "entrant 99, who is not here"),
        ((((1,), (8,)),), "cannot be put at a table now"),
    ],
)
def test_tables_by_hand_refused(tables: object, told: str) -> None:
    with pytest.raises(CannotPair, match=told) as refused:
        by_hand(wishing(tables=tables), lambda one, other: other != 8, "Not 8.")
    assert refused.value.advice
