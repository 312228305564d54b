from __future__ import annotations

import pytest

from tests.formats.bracket_play import DOUBLE_FORFEIT, by_lot, entrants, favourite, finish, leave, play_out, published
from tests.scale import THOROUGH
from tournaments.formats.event import DrawnTable, Result, Snapshot
from tournaments.formats.single_elimination import Rules, bracket, pair

THIRD = Rules(third_place=True)


@pytest.mark.parametrize("size", [4, 8, 16, 32])
def test_favourites_as_brackets_manager(size: int) -> None:
    snapshot, _ = play_out(lambda now: pair(now, THIRD, 0), Snapshot(entrants(size)), favourite)
    run = [
        [2 if match.part == "third" else 1, match.round, match.number, *match.entrants, match.winner]
        for match in bracket(snapshot, THIRD, 0).matches
    ]
    assert sorted(run, key=str) == sorted(published("brackets_manager")["single"][str(size)]["chalk"], key=str)


SIZES = range(2, 129) if THOROUGH else (*range(2, 20), 24, 31, 32, 33, 48, 63, 64, 65, 127, 128)


@pytest.mark.parametrize("third", [False, True])
def test_every_size_to_the_end(third: bool) -> None:
    rules = Rules(third_place=third)
    for count in SIZES:
        snapshot, draws = play_out(lambda now: pair(now, rules, 0), Snapshot(entrants(count)), by_lot(count))
        assert sum(len(draw.tables) for draw in draws) == count - 1 + (third and count > 3)
        assert len(draws) == (count - 1).bit_length()
        drawn = bracket(snapshot, rules, 0)
        assert drawn.champion is not None
        ahead = [1, 1, 1 if third or count == 3 else 2][:count]
        assert [len(place) for place in drawn.places[:3]] == ahead
        assert sorted(one for place in drawn.places for one in place) == list(range(1, count + 1))


def test_third_place() -> None:
    snapshot, draws = play_out(lambda now: pair(now, THIRD, 0), Snapshot(entrants(8)), favourite)
    assert [table.label for table in draws[-1].tables] == ["T", "R3-1"]
    assert bracket(snapshot, THIRD, 0).places[:4] == ((1,), (2,), (3,), (4,))


def test_no_third_place_of_two() -> None:
    assert [match.label for match in bracket(Snapshot(entrants(2)), THIRD, 0).matches] == ["R1-1"]


def test_third_place_without_a_match() -> None:
    snapshot = Snapshot(entrants(4))
    semis = finish(snapshot, pair(snapshot, THIRD, 0), favourite)
    withdrawn = leave(semis, 3)
    assert [table.label for table in pair(withdrawn, THIRD, 0).tables] == ["R2-1"]
    done, _ = play_out(lambda now: pair(now, THIRD, 0), withdrawn, favourite)
    assert bracket(done, THIRD, 0).places == ((1,), (2,), (4,), (3,))

    def nobody(table: DrawnTable) -> Result:
        return DOUBLE_FORFEIT if table.label == "R1-1" else favourite(table)

    done, draws = play_out(lambda now: pair(now, THIRD, 0), snapshot, nobody)
    assert len(draws) == 1, "the other finalist has no opponent"
    assert bracket(done, THIRD, 0).places == ((2,), (3,), (1, 4))
