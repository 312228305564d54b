"""What a director has ordered by hand (tournaments/formats/orders.py)."""

from __future__ import annotations

import pytest

from tournaments.formats.event import CannotPair, Constraints, pair_of
from tournaments.formats.orders import check, clashes, numbers

HERE = frozenset(range(1, 13))
PAIRS = (((1,), (2,)), ((3,), (4,)), ((5,), (6,)))


@pytest.mark.parametrize(
    ("orders", "side", "told"),
    [
        ({"tables": (((1, 2), (3, 4)),)}, 1, "needs one entrant on each side"),
        ({"tables": (((1,), (2, 3)),)}, 2, "needs two partners on each side"),
        ({"tables": (((1,), (1,)),)}, 1, "#1 is put at a table, but already has a table"),
        ({"tables": (((1,), (2,)), ((2,), (3,)))}, 1, "#2 is put at a table, but already"),
        ({"tables": (((1,), (77,)),)}, 1, "#77 is put at a table, but is not here"),
        ({"byes": (77,)}, 1, "#77 is given a bye, but is not here"),
        ({"byes": (1, 1)}, 1, "#1 is given a bye, but already"),
        ({"tables": (((1,), (2,)),), "byes": (2,)}, 1, "#2 is given a bye, but already"),
        (
            {"tables": (((1,), (2,)),), "never_opponents": frozenset({pair_of(1, 2)})},
            1,
            "#1 and #2 must never meet",
        ),
        (
            {"tables": (((1, 2), (3, 4)),), "never_together": frozenset({pair_of(3, 4)})},
            2,
            "#3 and #4 must never be partners",
        ),
        ({"fixed_table": {1: 0}}, 1, "#1 is to stay at table 0"),
        ({"fixed_table": {1: 3, 2: 3}}, 1, "#1 and #2 are both to stay at table 3"),
    ],
)
def test_refused(orders, side, told):
    with pytest.raises(CannotPair, match=told) as refused:
        check(Constraints(**orders), HERE, side)
    assert str(refused.value.advice).endswith((".",))


def test_who_is_done():
    orders = Constraints(
        tables=(((1,), (2,)),), byes=(9,), fixed_table={1: 3, 2: 3, 77: 3}, never_opponents=frozenset({pair_of(1, 3)})
    )
    assert check(orders, HERE, 1) == {1, 2, 9}
    assert check(Constraints(tables=(((1, 2), (3, 4)),)), HERE, 2) == {1, 2, 3, 4}


def test_fixed_tables():
    assert numbers(PAIRS, Constraints()) == [1, 2, 3]
    assert numbers(PAIRS, Constraints(fixed_table={6: 1, 1: 40, 2: 40})) == [40, 2, 1]
    with pytest.raises(CannotPair, match="#1 and #2 meet, but are to stay at tables 1 and 2"):
        numbers(PAIRS, Constraints(fixed_table={1: 1, 2: 2}))
    with pytest.raises(CannotPair, match="Table 4 is kept for #1 and for #5"):
        numbers(PAIRS, Constraints(fixed_table={1: 4, 6: 4}))


def test_clashes():
    assert clashes(Constraints(fixed_table={1: 1, 2: 2, 3: 1, 77: 5}), [1, 2, 3, 4]) == [(2, 1), (3, 2)]
