"""Who meets whom in a field sorted by score (tournaments/formats/fold.py)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.formats.rounds import crowded, had_bye, matchings
from tests.scale import scale
from tournaments.formats import fold
from tournaments.formats.columns import NOBODY
from tournaments.formats.event import Snapshot
from tournaments.formats.fold import Field, Folding, Stuck


def rows(count: int, rounds: list[list[tuple[int, int]]]) -> np.ndarray:
    made = np.full((len(rounds), count), NOBODY, dtype=np.int64)
    for row, pairs in enumerate(rounds):
        for one, other in pairs:
            made[row, one], made[row, other] = other, one
    return made


def field(score: list[int], met=(), apart=(), floated=None) -> Field:
    count = len(score)
    return Field(
        np.array(score, dtype=np.int64),
        rows(count, list(met)),
        rows(count, list(apart)),
        np.array(floated or [0] * count, dtype=np.int64),
    )


def cost(made: Field, pairs: list[tuple[int, int]]) -> tuple[int, int, int]:
    """Squared gaps, floats repeated, squared distance from the fold; told anew, one pair at a time."""
    score = made.score.tolist()
    gaps = repeated = apart = 0
    for one, other in pairs:
        group = [k for k in range(len(score)) if score[k] == score[one]]
        below = [k for k in range(len(score)) if score[k] == score[other]]
        gap = score[one] - score[other]
        gaps += gap**2
        if gap:
            repeated += int(made.floated[one] == -1) + int(made.floated[other] == 1)
            apart += (2 * (len(group) - 1 - group.index(one) + below.index(other))) ** 2
        else:
            apart += (2 * (other - one) - len(group)) ** 2
    return gaps, repeated, apart


def random_field(rng: random.Random, count: int, rounds: int, most: int) -> Field:
    score = sorted((rng.randrange(most) for _ in range(count)), reverse=True)
    met = []
    for _ in range(rounds):
        order = rng.sample(range(count), count)
        met.append([(order[2 * k], order[2 * k + 1]) for k in range(count // 2)])
    return field(score, met, floated=[rng.choice((-1, 0, 0, 1)) for _ in range(count)])


def legal(made: Field, pairs: list[tuple[int, int]]) -> bool:
    return not any((made.barred[:, one] == other).any() for one, other in pairs)


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_against_every_matching(count):
    rng = random.Random(count)
    for _ in range(25):
        made = random_field(rng, count, rng.randrange(count), 5)
        nodes = np.arange(count)
        best = min((cost(made, pairs) for pairs in matchings(tuple(range(count))) if legal(made, pairs)), default=None)
        if best is None:
            with pytest.raises(Stuck):
                Folding(made, nodes).pairs()
        else:
            found = Folding(made, nodes).pairs()
            assert legal(made, found) and cost(made, found) == best


@pytest.mark.parametrize("count", [3, 5, 7])
def test_bye_against_every_matching(count):
    rng = random.Random(count)
    for _ in range(25):
        made = random_field(rng, count, rng.randrange(count), 3)
        preference = np.array(rng.sample(range(count), count))
        options = [
            (int(preference[bye]),)
            for bye in range(count)
            if any(legal(made, pairs) for pairs in matchings(tuple(k for k in range(count) if k != bye)))
        ]
        folding = Folding(made, np.arange(count))
        if options:
            pairs, bye = folding.pairs_and_bye(preference)
            assert legal(made, pairs) and (preference[bye],) == min(options)
        else:
            with pytest.raises(Stuck):
                folding.pairs_and_bye(preference)


def test_repeats_are_as_few_and_old_as_can_be():
    """Four who have all met, 0-1 and 2-3 first, 0-3 and 1-2 last."""
    met = [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]]
    assert sorted(Folding(field([3, 2, 1, 0], met), np.arange(4)).pairs(repeats=True)) == [(0, 1), (2, 3)]
    pairs, bye = Folding(field([3, 2, 1], [[(0, 1)], [(1, 2)], [(0, 2)]]), np.arange(3)).pairs_and_bye(
        np.array([2, 1, 0]), repeats=True
    )
    assert pairs == [(0, 1)] and bye == 2


def test_only_some_of_a_field():
    made = field([2, 2, 1, 1, 0, 0])
    assert Folding(made, np.array([0, 2, 3, 5])).pairs() == [(0, 2), (3, 5)]
    assert Folding(made, np.array([0, 2, 3, 5])).natural().tolist() == [2, NOBODY, 3, 2, NOBODY, NOBODY]


def bound(score: list[int]) -> int:
    """The least sum of gaps that the parities of the score groups leave."""
    least = 0
    for above in range(1, len(score)):
        if score[above] < score[above - 1] and above % 2:
            least += score[above - 1] - score[above]
    return least


def swiss_scores(rng: random.Random, count: int, rounds: int, leave: float = 0.0):
    """Fields round by round, with chance results and positions by score and number."""
    wins, met = [0] * count, []
    last = [0] * count
    here = list(range(count))
    for _ in range(rounds):
        here = [one for one in here if rng.random() >= leave]
        here = here[: len(here) - len(here) % 2]
        order = sorted(here, key=lambda one: (-wins[one], one))
        at = {one: k for k, one in enumerate(order)}
        made = field(
            [2 * wins[one] for one in order],
            [[(at[a], at[b]) for a, b in pairs if a in at and b in at] for pairs in met],
            floated=[last[one] for one in order],
        )
        pairs = Folding(made, np.arange(len(order))).pairs()
        yield made, pairs
        met.append([(order[a], order[b]) for a, b in pairs])
        for a, b in met[-1]:
            last[a] = (wins[a] < wins[b]) - (wins[a] > wins[b])
            last[b] = -last[a]
        for a, b in met[-1]:
            wins[rng.choice((a, b))] += 1


@pytest.mark.parametrize(("count", "rounds", "leave"), [(200, 12, 0.03), (1000, 12, 0.0)])
def test_large_fields_are_nearly_exact(count, rounds, leave):
    for made, pairs in swiss_scores(random.Random(count), count, rounds, leave):
        assert legal(made, pairs) and sorted(k for pair in pairs for k in pair) == list(range(len(made.score)))
        score = made.score.tolist()
        gaps = sum(score[one] - score[other] for one, other in pairs)
        assert gaps <= bound(score) + 2 * 2
        repeated = sum(made.floated[a] == -1 or made.floated[b] == 1 for a, b in pairs if score[a] > score[b])
        assert repeated <= (1 if count >= 1000 else 3)


def test_a_swept_field_is_as_good_as_an_exact_one(monkeypatch):
    exact = list(swiss_scores(random.Random(5), 150, 7))
    monkeypatch.setattr(fold, "EXACT", 0)
    for made, pairs in exact:
        swept = Folding(made, np.arange(150)).pairs()
        assert legal(made, swept)
        assert cost(made, swept)[0] <= cost(made, pairs)[0] + 8


def test_a_crowded_field_can_be_swept_too(monkeypatch):
    """What stays over goes through every window."""
    monkeypatch.setattr(fold, "EXACT", 0)
    monkeypatch.setattr(fold, "SMALL", 1)
    for event in crowded()[:: scale(1, 9)]:
        sweep(event)


def sweep(event: Snapshot) -> None:
    count = len(event.entrants)
    met = [[(t.sides[0][0] - 1, t.sides[1][0] - 1) for t in played.tables] for played in event.rounds]
    made = field([0] * count, met)
    if count % 2:
        first = np.array([(one in had_bye(event)) * count + one for one in range(1, count + 1)])
        pairs, bye = Folding(made, np.arange(count)).pairs_and_bye(first)
        assert bye + 1 not in had_bye(event)
    else:
        pairs = Folding(made, np.arange(count)).pairs()
    assert legal(made, pairs) and len(pairs) == count // 2


COUNT = 200


def only(one: int, *others: int, count: int = COUNT) -> list[list[tuple[int, int]]]:
    """Rows that bar somebody from all but some others."""
    return [[(min(one, k), max(one, k))] for k in range(count) if k != one and k not in others]


@pytest.mark.parametrize("windows", [fold.WINDOWS, (2,)])
def test_who_may_meet_hardly_anybody(windows, monkeypatch):
    """The last may meet the first only, and nobody of 200 is left over."""
    monkeypatch.setattr(fold, "WINDOWS", windows)
    made = field([COUNT - k for k in range(COUNT)], apart=only(COUNT - 1, 0))
    pairs = Folding(made, np.arange(COUNT)).pairs()
    assert (0, COUNT - 1) in pairs and legal(made, pairs) and len(pairs) == COUNT // 2


def test_who_may_meet_nobody():
    made = field([0] * COUNT, apart=only(7))
    folding = Folding(made, np.arange(COUNT))
    assert folding.alone() == [7]
    with pytest.raises(Stuck):
        folding.pairs()
    rest = np.arange(COUNT - 1)
    preference = np.arange(COUNT)[::-1].copy()
    pairs, bye = Folding(made, rest).pairs_and_bye(preference)
    assert bye == 7 and legal(made, pairs)


def test_a_search_that_would_be_too_long(monkeypatch):
    monkeypatch.setattr(fold, "MOST_EDGES", 0)
    with pytest.raises(Stuck):
        Folding(field([0] * COUNT, apart=only(7)), np.arange(COUNT)).pairs()


def test_no_bye_helps(monkeypatch):
    monkeypatch.setattr(fold, "EXACT", 0)
    made = field([0] * 9, apart=only(3, count=9) + only(7, count=9))
    with pytest.raises(Stuck):
        Folding(made, np.arange(9)).pairs_and_bye(np.arange(9))


def test_a_large_group_with_nothing_to_exchange():
    """Half a group may only meet the other half's one: the clash cannot be cured inside it."""
    count = 166
    first, *others = range(count // 2)
    barred = [[(first, k)] for k in range(count // 2, count)]
    made = field([1] * count, apart=barred)
    pairs = Folding(made, np.arange(count)).pairs()
    assert legal(made, pairs) and len(pairs) == count // 2
    assert others


def test_floaters_into_a_large_group():
    """The one who comes down has met the highest; one floated up last time is spared."""
    score = [3] + [2] * 165
    met = [[(0, 1)]]
    made = field(score, met, floated=[0, 0, 1] + [0] * 163)
    pairs = Folding(made, np.arange(166)).pairs()
    assert (0, 3) in pairs
    barred = field(score, apart=only(0, count=166))
    with pytest.raises(Stuck):
        Folding(barred, np.arange(166)).pairs()


def test_an_odd_large_group_floats_its_lowest_who_did_not():
    score = [3] * 165 + [1] * 165
    floated = [0] * 164 + [-1] + [0] * 165
    pairs = Folding(field(score, floated=floated), np.arange(330)).pairs()
    assert (163, 165) in pairs
    floated = [-1] * 165 + [0] * 165
    assert (164, 165) in Folding(field(score, floated=floated), np.arange(330)).pairs()
