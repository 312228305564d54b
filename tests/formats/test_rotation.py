"""Rotation and its whist tables: see the table of rules in the module."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from tests.formats.evenings import crowd, evening, eventful, faults, people, played, wishing
from tests.formats.sayings import said
from tests.scale import scale
from tournaments.formats import history, planner, rotation
from tournaments.formats.event import CannotPair, Draw, Entrant, Round, Snapshot, pair_of
from tournaments.formats.rotation import Rules, best_order, has_table, profile, promise, table

STORED = json.loads((Path(__file__).parent / "tables" / "whist_starters.json").read_text())["starters"]

QUICK = Rules(planner=planner.Rules(tries=60, searches=1))

PRIME_POWERS = (5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61, 73, 81, 89, 97, 101, 109, 113, 121, 125)


def quick(snapshot: Snapshot, seed: int) -> Draw:
    return rotation.pair(snapshot, QUICK, seed)


def recounted(rounds: Sequence[Draw]) -> tuple[dict[int, int], dict[int, int], dict[int, int], int]:
    """Pairs by times partnered, by times opposed, people by rests, and the largest difference of
    rests after any round: counted by hand from the seats, without the product's own profile."""
    here = sorted({one for draw in rounds for four in draw.tables for one in four.seated} | set(rounds[0].rests))
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    rests = dict.fromkeys(here, 0)
    spread = 0
    for draw in rounds:
        seated = [one for four in draw.tables for one in four.seated]
        assert sorted([*seated, *draw.rests]) == here, "everybody once"
        for (a, b), (c, d) in (four.sides for four in draw.tables):  # type: ignore[misc]
            partners.update(tuple(sorted(pair)) for pair in ((a, b), (c, d)))  # type: ignore[misc]
            opponents.update(tuple(sorted(pair)) for pair in ((a, c), (a, d), (b, c), (b, d)))  # type: ignore[misc]
        for one in draw.rests:
            rests[one] += 1
        spread = max(spread, max(rests.values()) - min(rests.values()))
    pairs = list(combinations(here, 2))
    return (
        dict(Counter(partners[pair] for pair in pairs)),
        dict(Counter(opponents[pair] for pair in pairs)),
        dict(Counter(rests.values())),
        spread,
    )


@pytest.mark.parametrize("count", [*range(4, 52), 53, 54, 55, 59])
def test_every_table(count: int) -> None:
    quarter, kind = divmod(count, 4)
    rounds = table(count)
    assert len(rounds) == (count - 1 if kind == 0 else count)
    order = best_order(count, len(rounds))
    assert sorted(order) == list(range(len(rounds)))
    partners, opponents, rests, spread = recounted([rounds[at] for at in order])
    pairs = count * (count - 1) // 2
    missed = {0: 0, 1: 0, 2: count // 2, 3: count}[kind]
    assert partners == {k: v for k, v in {0: missed, 1: pairs - missed}.items() if v}
    assert rests == {kind: count}
    assert spread == {0: 0, 1: 1, 2: 2 if quarter % 2 else 1, 3: 1}[kind]
    if kind < 2:
        assert opponents == {2: pairs}
    elif count in (6, 14):
        assert opponents == {6: {1: 6, 2: 9}, 14: {1: 14, 2: 77}}[count]
    elif kind == 2:
        assert opponents == {0: count // 2, 2: pairs - count // 2}
        proof = profile(rounds)
        assert all(proof.opponents[pair_of(*pair)] == 2 * proof.partners[pair_of(*pair)] for pair in _all(count))
    else:
        assert set(opponents) == ({0, 2} if count == 7 else {1, 2})


def _all(count: int) -> list[tuple[int, int]]:
    return list(combinations(range(count), 2))


@pytest.mark.parametrize("count", PRIME_POWERS)
def test_prime_powers(count: int) -> None:
    assert has_table(count)
    partners, opponents, rests, spread = recounted(table(count))
    pairs = count * (count - 1) // 2
    assert (partners, opponents, rests, spread) == ({1: pairs}, {2: pairs}, {1: count}, 1)


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: str(stored["v"]))
def test_as_the_stored_starters(stored: dict[str, object]) -> None:
    count = stored["v"]
    assert isinstance(count, int)
    partners, opponents, rests, spread = recounted([table(count)[at] for at in best_order(count, len(table(count)))])
    assert {str(k): v for k, v in sorted(partners.items())} == stored["partner"]
    assert {str(k): v for k, v in sorted(opponents.items())} == stored["oppose"]
    assert {str(k): v for k, v in rests.items()} == stored["sitouts"]
    assert spread == stored["prefix_sit_spread"]
    first = table(count)[0]
    if count not in PRIME_POWERS:
        star = {"inf": count - 1}
        assert [list(four.seated) for four in first.tables] == [
            [star.get(one, one) for one in four]
            for four in stored["tables"]  # type: ignore[attr-defined]
        ]
        assert list(first.rests) == stored["sit"]


def test_which_have_none() -> None:
    assert [count for count in range(4, 62) if not has_table(count)] == [52, 56, 57, 58, 60]
    assert not any(has_table(count) for count in (0, 1, 2, 3, 7 * 19, 65))
    with pytest.raises(CannotPair, match="no whist table for 52"):
        table(52)


def test_promises() -> None:
    assert str(promise(8)) == "7 rounds: each partners everybody once and meets everybody exactly twice; nobody rests."
    assert str(promise(9)).endswith("everybody rests once.")
    assert str(promise(10)) == (
        "10 rounds: each partners everybody but one once and meets everybody but that one exactly twice; "
        "everybody rests twice."
    )
    assert "once or twice" in str(promise(14)) and "never or twice" in str(promise(7))
    assert "but two once" in str(promise(11))


def test_profile_of_what_was_played() -> None:
    snapshot = people(9, planned=9)
    draws = []
    for before, draw in evening(snapshot, 9, quick):
        draws.append(draw)
        snapshot = played(before, draw)
    proof = profile(snapshot.rounds)
    assert proof == profile(draws)
    assert (proof.partner_times, proof.opponent_times, proof.rest_times) == ({1: 36}, {2: 36}, {1: 9})
    assert proof.rest_spread == 1 and proof.badness == (0, False, 0, 4 * 36) and proof.people == tuple(range(1, 10))
    alone = Round(1, (replace(snapshot.rounds[0].tables[0], sides=((1,), (2, 3))),))
    assert profile([alone]).partners == {pair_of(2, 3): 1} and profile([]).rest_times == {}


@pytest.mark.parametrize("count", [4, 7, 12, 14, 21])
def test_whole_tables(count: int) -> None:
    draws = rotation.plan(people(count, planned=len(table(count))), QUICK, 3)
    assert profile(draws).partner_times == profile(table(count)).partner_times
    assert profile(draws).opponent_times == profile(table(count)).opponent_times
    assert said(draws[0].notes) == (f"round 1 of {len(draws)} of the whist table for {count}, which has {len(draws)}",)
    whole = [draw for _snapshot, draw in evening(people(count), len(draws), quick, seed=3)]
    assert profile(whole) == profile(draws), "without a number of rounds the table is played whole"


@pytest.mark.parametrize(("count", "rounds", "twice"), [(12, 9, 43), (16, 12, 72), (20, 16, 131), (22, 19, 161)])
def test_fewer_rounds(count: int, rounds: int, twice: int) -> None:
    chosen = [table(count)[at] for at in best_order(count, rounds)]
    partners, opponents, _rests, spread = recounted(chosen)
    assert set(partners) <= {0, 1} and opponents[2] == twice
    plain = recounted([table(count)[at] for at in range(rounds)])[1]
    assert opponents[2] <= plain[2]
    assert spread <= (2 if count == 22 else 1)
    draws = rotation.plan(people(count, planned=rounds), Rules("table"), 1)
    assert profile(draws).badness == profile(chosen).badness
    assert (
        said(draws[-1].notes)[0]
        == f"round {rounds} of {rounds} of the whist table for {count}, which has {len(table(count))}"
    )


@pytest.mark.parametrize("count", [7, 10, 11, 15, 18, 19, 23, 26, 34, 42])
def test_rests_even_in_fewer_rounds(count: int) -> None:
    for rounds in range(count // 2, count, 3):
        assert recounted([table(count)[at] for at in best_order(count, rounds)])[3] <= 1


def test_more_rounds() -> None:
    draws = rotation.plan(people(8, planned=10), QUICK, 1)
    proof = profile(draws)
    assert proof.partner_times == {1: 16, 2: 12} and max(proof.opponent_times) <= 4
    assert said(draws[7].notes) == (
        "round 1 of 3 of the whist table for 8, which has 7",
        "the table has been played and starts anew",
    )
    assert any("are partners for the 2nd time" in reason for four in draws[7].tables for reason in said(four.reasons))


def test_rounds_added() -> None:
    snapshot = people(12, planned=9)
    for before, draw in evening(snapshot, 9, lambda snapshot, seed: rotation.pair(snapshot, Rules("table"), seed)):
        snapshot = played(before, draw)
    more = replace(snapshot, planned=10)
    while more.number <= 13:
        draw = quick(more, 1)
        assert "whist table for 12" in said(draw.notes)[0]
        more = played(more, draw)
        if more.number == 12:
            assert profile(more.rounds).partner_times == {1: 66}
    short = rotation.plan(people(16, planned=10), Rules("table"), 1)
    begun = people(16, planned=15)
    for draw in short[:4]:
        begun = played(begun, draw)
    draws = rotation.plan(begun, QUICK, 1)
    assert profile([*begun.rounds, *draws]).opponent_times == {2: 120}, "other rounds are chosen, none is played twice"


@pytest.mark.parametrize(
    ("count", "rounds", "what"),
    [
        (12, 10, "whist table"),
        (12, 7, "planned round by round: fewer meet again"),
        (16, 13, "whist table"),
        (16, 8, "planned round by round: fewer meet again"),
        (20, 16, "whist table"),
        (24, 8, "planned round by round: fewer meet again"),
        (52, 3, "planned round by round: there is no whist table for 52"),
    ],
)
def test_the_better_is_chosen(count: int, rounds: int, what: str) -> None:
    draw = rotation.pair(people(count, planned=rounds), Rules(), 1)
    assert what in said(draw.notes)[0]


def test_the_director_chooses() -> None:
    table_wanted = rotation.pair(people(12, planned=6), Rules("table"), 1)
    assert "whist table" in said(table_wanted.notes)[0]
    assert said(rotation.pair(people(12, planned=11), Rules("planner"), 1).notes)[0].endswith("as the director chose")


@pytest.mark.parametrize(
    ("count", "rounds"),
    [
        (8, 4),
        (8, 5),
        (9, 6),
        (10, 7),
        (10, 8),
        (11, 8),
        (12, 9),
        (12, 10),
        (13, 10),
        (14, 11),
        (15, 12),
        (20, 12),
        (33, 12),
    ],
)
def test_no_partner_again(count: int, rounds: int) -> None:
    draws = rotation.plan(people(count, planned=rounds), Rules(), 1)
    proof = profile(draws)
    assert max(proof.partner_times) == 1
    assert proof.rest_spread <= 1
    assert max(proof.opponent_times) <= (3 if count == 14 else 2)


def test_late_and_leaving() -> None:
    for change in ("late", "leaves", "absent"):
        snapshot = people(13, planned=13)
        for number in range(1, 10):
            entrants = snapshot.entrants
            if number == 4 and change == "late":
                entrants += (Entrant(14, seed=14, joined=4), Entrant(15, seed=15, joined=4))
            if number == 4 and change == "leaves":
                entrants = (replace(entrants[0], state="withdrawn", left=4), *entrants[1:])
            snapshot = replace(snapshot, entrants=entrants)
            if number == 4 and change == "absent":
                snapshot = wishing(snapshot, absent=frozenset((3,)))
            draw = rotation.pair(snapshot, Rules(), 5)
            assert faults(snapshot, draw) == []
            assert ("planned round by round" in said(draw.notes)[0]) == (number >= 4)
            snapshot = played(snapshot, draw)
        partners = history.read(snapshot).partners
        assert max(partners.values()) == 1
        assert profile(snapshot.rounds[3:]).rest_spread <= 1


def test_why_planned() -> None:
    away = wishing(played(people(9, 9), quick(people(9, 9), 1)), absent=frozenset((1,)))
    assert said(quick(away, 1).notes)[0] == "planned round by round: not the same people as at the start"
    after = played(away, quick(away, 1))
    assert said(quick(after, 1).notes)[0] == "planned round by round: as the rounds before"


def test_wishes() -> None:
    for wishes in (
        {"never_together": frozenset((pair_of(1, 2),))},
        {"never_opponents": frozenset((pair_of(1, 2),))},
        {"always_together": frozenset((pair_of(1, 2),))},
        {"tables": (((1, 2), (3, 4)),)},
        {"byes": (5,)},
        {"fixed_table": {1: 1, 2: 2}},
    ):
        snapshot = wishing(people(12, planned=11), **wishes)
        draw = quick(snapshot, 1)
        assert faults(snapshot, draw) == []
        assert said(draw.notes)[0].startswith("planned round by round")


def test_one_cannot_move() -> None:
    snapshot = people(12, planned=11)
    for _ in range(11):
        snapshot = wishing(snapshot, fixed_table={5: 3})
        draw = quick(snapshot, 2)
        assert faults(snapshot, draw) == [] and "whist table" in said(draw.notes)[0]
        assert "#5 stays at this table" in said(draw.tables[2].reasons)
        snapshot = played(snapshot, draw)
    assert profile(snapshot.rounds).opponent_times == {2: 66}


def test_generated_events() -> None:
    whist = 0
    events = scale(2_000, 100)
    for seed in range(events):
        for snapshot, draw in eventful(seed, quick):
            assert faults(snapshot, draw) == [], seed
            whist += draw.notes[0].code == "whist_round"
    assert whist > events / 20


def test_same_seed() -> None:
    for seed in range(12):
        log = list(eventful(seed, quick))
        assert [quick(snapshot, seed) for snapshot, _draw in log] == [draw for _snapshot, draw in log]
    one, two = (quick(people(12, planned=11), seed) for seed in (1, 2))
    assert crowd(four.sides for four in one.tables) != crowd(four.sides for four in two.tables)


def test_too_few() -> None:
    with pytest.raises(CannotPair, match="needs four"):
        quick(people(3), 1)


def test_progress() -> None:
    told = []
    rotation.pair(people(16, planned=11), Rules(), 1, lambda progress: told.append(progress.round) is None)
    assert set(told) > {9, 10, 11}, "all rounds were planned to compare them with the table"
