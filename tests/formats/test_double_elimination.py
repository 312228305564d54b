from __future__ import annotations

import pytest

from tests.formats.bracket_play import (
    DOUBLE_FORFEIT,
    by_lot,
    correct,
    entrants,
    favourite,
    finish,
    leave,
    play_out,
    published,
    won_by,
)
from tests.scale import THOROUGH
from tournaments.formats.double_elimination import Ordering, Rules, best_drops, bracket, pair, plan
from tournaments.formats.event import DrawnTable, Result, Snapshot

RULES = Rules()


@pytest.mark.parametrize("size", [4, 8, 16, 32])
def test_favourites_as_brackets_manager(size: int) -> None:
    """But for the second final, which it leaves to be played although nobody needs it."""
    drops = tuple(published("double_elim_crossing")["orderings"].get(str(size), {}).get("brackets_manager", ()))
    rules = Rules(drops=drops)
    snapshot, _ = play_out(lambda now: pair(now, rules, 0), Snapshot(entrants(size)), favourite)
    part = {"winners": 1, "losers": 2, "final": 3}
    run = [
        [part[match.part], match.round, match.number, *match.entrants, match.winner]
        for match in bracket(snapshot, rules, 0).matches
        if match.state != "unneeded"
    ]
    theirs = published("brackets_manager")["double"][str(size)]["chalk"]
    assert theirs[-1] == [3, 2, 1, 1, 2, 1]
    assert sorted(run) == sorted(theirs[:-1])


def first_rematch(size: int, drops: tuple[Ordering, ...]) -> str:
    """The first losers round in which two could meet again. Who may be in a match are sets of
    seeds; two have met if one lost a winners match that the other was in."""
    inside: dict[str, frozenset[int]] = {}
    fell: dict[str, dict[str, frozenset[int]]] = {}
    for match in plan(size, drops).matches:
        if match.part == "winners":
            inside[match.label] = frozenset().union(
                *({source.seed} if source.kind == "seed" else inside[source.match] for source in match.sources)
            )
        elif match.part == "losers":
            sides = [
                fell[source.match] if source.kind == "winner" else {source.match: inside[source.match]}
                for source in match.sources
            ]
            if any(one & other for one in sides[0].values() for other in sides[1].values()):
                return f"LR{match.round}"
            fell[match.label] = sides[0] | sides[1]
    return "none"


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_crossing(size: int) -> None:
    known = published("double_elim_crossing")["orderings"][str(size)]
    assert list(best_drops(size)) == known["best"]
    assert first_rematch(size, best_drops(size)) == known["first_rematch"]
    assert first_rematch(size, tuple(known["brackets_manager"])) == known["bm_first"]
    assert first_rematch(size, ("natural",) * len(known["best"])) == known["uncrossed_first"]


def test_crossing_beyond() -> None:
    assert first_rematch(128, best_drops(128)) == "LR8"
    assert first_rematch(4, best_drops(4)) == "LR2"
    assert best_drops(2) == ()


@pytest.mark.parametrize(("size", "first"), [(8, 3), (16, 4), (32, 5), (64, 7)])
def test_no_early_rematch(size: int, first: int) -> None:
    for seed in range(160 // size):
        for count in (size, size - seed % (size // 2)):
            _, draws = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(count)), by_lot(seed))
            met = set()
            for table in (table for draw in draws for table in draw.tables):
                pairing = frozenset(table.seated)
                if table.label.startswith("LR") and int(table.label[2:].split("-")[0]) < first:
                    assert pairing not in met, table
                met.add(pairing)


SIZES = range(2, 129) if THOROUGH else (*range(2, 20), 24, 31, 32, 33, 48, 63, 64, 65, 127, 128)


def test_every_size_to_the_end() -> None:
    for count in SIZES:
        snapshot, draws = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(count)), by_lot(count))
        drawn = bracket(snapshot, RULES, 0)
        again = drawn.match("F2").state == "played"
        assert sum(len(draw.tables) for draw in draws) == 2 * count - 2 + again
        assert drawn.champion is not None
        losses = dict.fromkeys(range(1, count + 1), 0)
        for match in drawn.matches:
            if match.state == "played":
                losses[match.loser or 0] += 1
        assert losses.pop(drawn.champion) < 2
        assert set(losses.values()) <= {2}
        assert sorted(one for place in drawn.places for one in place) == list(range(1, count + 1))


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_reset_only_when_needed(count: int) -> None:
    snapshot, draws = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(count)), favourite)
    assert bracket(snapshot, RULES, 0).match("F2").state == "unneeded"
    assert bracket(snapshot, RULES, 0).match("F2").entrants == ()
    assert len([draw for draw in draws if draw.tables[0].label.startswith("F")]) == 1
    for last, champion in ((0, 1), (1, 2)):

        def upset(table: DrawnTable, last: int = last) -> Result:
            return won_by(1) if table.label == "F" else won_by(last) if table.label == "F2" else favourite(table)

        snapshot, draws = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(count)), upset)
        assert [table.label for table in draws[-1].tables] == ["F2"]
        assert bracket(snapshot, RULES, 0).champion == champion
        assert bracket(snapshot, RULES, 0).places[:2] == ((champion,), (3 - champion,))


def test_final_corrected_after_the_reset() -> None:
    def upset(table: DrawnTable) -> Result:
        return won_by(1) if table.label in ("F", "F2") else favourite(table)

    snapshot, _ = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(4)), upset)
    corrected = bracket(correct(snapshot, "F", won_by(0)), RULES, 0)
    assert corrected.match("F").stands and corrected.champion == 2
    before_the_reset = Snapshot(snapshot.entrants, snapshot.rounds[:-1])
    assert bracket(correct(before_the_reset, "F", won_by(0)), RULES, 0).champion == 1


def test_nobody_comes_to_the_final() -> None:
    def nobody(table: DrawnTable) -> Result:
        return DOUBLE_FORFEIT if table.label == "F" else favourite(table)

    snapshot, _ = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(4)), nobody)
    assert bracket(snapshot, RULES, 0).places[:2] == ((1,), (2,))


def test_nobody_comes_to_the_reset() -> None:
    def nobody(table: DrawnTable) -> Result:
        return DOUBLE_FORFEIT if table.label == "F2" else won_by(1) if table.label == "F" else favourite(table)

    snapshot, _ = play_out(lambda now: pair(now, RULES, 0), Snapshot(entrants(4)), nobody)
    drawn = bracket(snapshot, RULES, 0)
    assert drawn.champion is None and drawn.places[0] == (1, 2)


def test_champion_of_the_winners_leaves_before_the_final() -> None:
    snapshot = Snapshot(entrants(4))
    while all(table.label != "F" for table in pair(snapshot, RULES, 0).tables):
        snapshot = finish(snapshot, pair(snapshot, RULES, 0), favourite)
    drawn = bracket(leave(snapshot, 1), RULES, 0)
    assert drawn.over and drawn.champion == 2
    assert [drawn.match(label).state for label in ("F", "F2")] == ["walkover", "walkover"]


def test_withdrawn_forfeits_below_too() -> None:
    snapshot = Snapshot(entrants(8))
    snapshot = finish(snapshot, pair(snapshot, RULES, 0), favourite)
    snapshot = leave(snapshot, 4)
    snapshot = finish(snapshot, pair(snapshot, RULES, 0), favourite)
    drawn = bracket(snapshot, RULES, 0)
    assert drawn.match("WR2-1").loser == 4
    assert drawn.match("LR2-2").state == "walkover" and drawn.match("LR2-2").loser == 4
