"""Season tables: points, evenings left out, prizes."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.seasons import Evening, Rules, points, prizes, table

BY_PLACE = Rules(points=(10, 7, 5, 3, 1))


def evening(event: int, place: int | None, score: int = 0, **more: object) -> Evening:
    return Evening(event, place, Fraction(score), **more)  # type: ignore[arg-type]


def test_points_by_place() -> None:
    assert [points(BY_PLACE, evening(1, place)) for place in (1, 2, 5, 6, 40)] == [10, 7, 1, 1, 1]


def test_level_places_share() -> None:
    assert points(BY_PLACE, evening(1, 2, level=2)) == 6
    assert points(BY_PLACE, evening(1, 4, level=4)) == Fraction(3 + 1 + 1 + 1, 4)


def test_scores() -> None:
    assert points(Rules(), evening(1, 7, 43)) == 43


def test_wins_are_not_added_to_points() -> None:
    """A knock-out's score is the matches won."""
    evenings = {
        "North": [evening(1, 1, 40), evening(2, 1, 3, by_points=False)],
        "East": [evening(2, 2, 2, by_points=False)],
    }
    (row,) = table(evenings, 1, Rules(drop=1))
    assert (row.who, row.total, [term.event for term in row.terms]) == ("North", 40, [1])
    assert [(row.who, row.total) for row in table(evenings, 2, BY_PLACE)] == [("North", 20), ("East", 7)]


def test_the_worst_are_dropped() -> None:
    rules = Rules(points=(10, 7, 5), drop=2)
    first, second = table(
        {
            "North": [evening(1, 1), evening(2, 3), evening(3, 2), evening(4, 1)],
            "East": [evening(1, 2), evening(2, 1), evening(3, 1)],
        },
        4,
        rules,
    )
    assert (first.who, first.total) == ("East", 20)  # one evening missed, one dropped
    assert [term.counts for term in first.terms] == [False, True, True]
    assert (second.who, second.total) == ("North", 20)
    assert [term.counts for term in second.terms] == [True, False, False, True]


def test_somebody_who_came_once_keeps_that_evening() -> None:
    (row,) = table({"North": [evening(1, 3)]}, 1, Rules(points=(10, 7, 5), drop=3))
    assert row.total == 5


def test_withdrawn() -> None:
    (row,) = table({"North": [evening(1, None, 20)]}, 1, BY_PLACE)
    assert (row.place, row.total) == (1, 0)


def test_level_totals() -> None:
    rows = table(
        {
            "North": [evening(1, 2, wins=Fraction(3)), evening(2, 2, wins=Fraction(4))],
            "East": [evening(1, 1, wins=Fraction(5)), evening(2, 4, wins=Fraction(1))],
            "South": [evening(1, 2, wins=Fraction(4)), evening(2, 2, wins=Fraction(4))],
            "West": [evening(1, 2, wins=Fraction(4)), evening(2, 2, wins=Fraction(4))],
        },
        2,
        Rules(points=(11, 7, 5, 3)),
    )
    assert [(row.place, row.who) for row in rows] == [(1, "East"), (2, "South"), (2, "West"), (4, "North")]


def test_prizes() -> None:
    found = prizes(
        {
            "North": [evening(1, 1, 60, counters={"loners": 2}), evening(2, 2, 41, counters={"loners": 1})],
            "East": [evening(1, 2, 30, counters={"loners": 3, "euchres": 4})],
            "South": [evening(1, None, 5, counters={"euchres": 1})],
        }
    )
    assert [(prize.kind, prize.best, prize.who) for prize in found] == [
        ("loners", 3, ("East", "North")),
        ("euchres", 4, ("East",)),
        ("high", 60, ("North",)),
        ("low", 30, ("East",)),
    ]
    assert prizes({}) == ()
    assert [prize.kind for prize in prizes({"North": [evening(1, 1, 9)]})] == ["high", "low"]


def test_scores_of_other_kinds_are_not_compared() -> None:
    knocked_out = evening(1, 8, 0, by_points=False, counters={"loners": 2})
    found = prizes({"North": [knocked_out, evening(2, 1, 60)], "East": [evening(2, 2, 41)]})
    assert [(prize.kind, prize.best) for prize in found] == [("loners", 2), ("high", 60), ("low", 41)]
    assert [prize.kind for prize in prizes({"North": [knocked_out]})] == ["loners"]


@given(
    st.dictionaries(
        st.sampled_from(["North", "East", "South", "West"]),
        st.lists(st.builds(evening, st.integers(1, 9), st.none() | st.integers(1, 12), st.integers(0, 99)), max_size=6),
        max_size=4,
    ),
    st.integers(0, 4),
)
def test_terms_add_up(evenings: dict[str, list[Evening]], drop: int) -> None:
    rows = table(evenings, 6, Rules(points=(9, 6, 4, 1), drop=drop))
    assert sorted(row.who for row in rows) == sorted(who for who, played in evenings.items() if played)
    for row in rows:
        assert row.total == sum(term.points for term in row.terms if term.counts)
        left_out = [term.points for term in row.terms if not term.counts]
        assert max(left_out, default=0) <= min(term.points for term in row.terms if term.counts)
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
