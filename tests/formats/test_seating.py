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


@pytest.mark.parametrize(
    ("fixed", "told"),
    [({1: 1, 2: 2}, "to stay at tables 1 and 2"), ({1: 5, 4: 5}, "Table 5 is kept for #1 and #2 and for #3 and #4")],
)
def test_fixed_tables_that_clash(fixed: dict[int, int], told: str) -> None:
    with pytest.raises(CannotPair, match=told) as refused:
        numbered(MEETINGS, wishing(fixed_table=fixed))
    assert "move" in str(refused.value.advice)


@pytest.mark.parametrize(
    ("wishes", "told"),
    [({"always_together": frozenset({pair_of(1, 2)})}, "joins nobody"), ({"byes": (3,)}, "not by hand: #3")],
)
def test_wishes_refused(wishes: dict[str, object], told: str) -> None:
    with pytest.raises(CannotPair, match=told) as refused:
        refuse_wishes(wishing(**wishes), "berger_byes")
    assert str(refused.value.advice)
    refuse_wishes(wishing(never_together=frozenset({pair_of(1, 2)})), "berger_byes")


def test_tables_by_hand() -> None:
    made = wishing(tables=(((2,), (1,)), ((5,), (3,))))
    assert by_hand(made, lambda one, other: True, "bracket_by_hand") == ((2, 1), (5, 3))


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ((((1, 2), (3, 4)),), "one entrant on each side"),
        ((((1,), (2,)), ((2,), (3,))), "#2 is put at a table, but already"),
        ((((1,), (1,)),), "#1 is put at a table, but already"),
        ((((1,), (99,)),), "#99 is put at a table, but is not here"),
        ((((1,), (8,)),), "cannot be put at a table now"),
    ],
)
def test_tables_by_hand_refused(tables: object, told: str) -> None:
    with pytest.raises(CannotPair, match=told) as refused:
        by_hand(wishing(tables=tables), lambda one, other: other != 8, "bracket_by_hand")
    assert str(refused.value.advice)
