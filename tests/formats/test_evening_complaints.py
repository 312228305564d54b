"""What directors of other programs complained of, for the formats in which partners change."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.formats.evenings import Format, faults, people, played, wishing
from tests.formats.sayings import said
from tournaments.formats import planner, progressive, rotation
from tournaments.formats.event import CannotPair, Draw, Entrant, Snapshot, pair_of

FORMATS: dict[str, Format] = {
    "planner": lambda snapshot, seed: planner.pair(snapshot, planner.Rules(tries=60, searches=1), seed),
    "rotation": lambda snapshot, seed: rotation.pair(snapshot, rotation.Rules(), seed),
    "winners_up": lambda snapshot, seed: progressive.pair(snapshot, progressive.Rules(), seed),
    "steps": lambda snapshot, seed: progressive.pair(snapshot, progressive.Rules("steps"), seed),
}

draws = pytest.mark.parametrize("draw", FORMATS.values(), ids=FORMATS)


def begun(draw: Format, count: int, rounds: int, planned: int = 8) -> Snapshot:
    snapshot = people(count, planned=planned)
    for _ in range(rounds):
        snapshot = played(snapshot, draw(snapshot, 1))
    return snapshot


@draws
def test_dropped_after_a_result(draw: Format) -> None:
    """tournament-organizer #10: who was dropped after a result was paired, or against himself."""
    for rounds in range(1, 6):
        snapshot = begun(draw, 9, rounds)
        for gone in (1, 5, 9):
            left = tuple(
                replace(one, state="withdrawn", left=rounds + 1) if one.id == gone else one for one in snapshot.entrants
            )
            here = replace(snapshot, entrants=left)
            drawn = draw(here, 1)
            assert faults(here, drawn) == []
            assert gone not in {one for table in drawn.tables for one in table.seated} | set(drawn.rests)


@draws
def test_added_and_removed_in_every_round(draw: Format) -> None:
    """liwords #855, #481, #1039; PGSwiss #77: adding or removing people broke rounds or history."""
    snapshot = people(10, planned=8)
    history: tuple[Draw, ...] = ()
    for number in range(1, 9):
        entrants = snapshot.entrants
        if number > 1:
            entrants = tuple(
                replace(one, state="withdrawn", left=number) if one.id == number else one for one in entrants
            )
            entrants += (Entrant(10 + number, seed=10 + number, joined=number),)
        snapshot = replace(snapshot, entrants=entrants)
        drawn = draw(snapshot, 1)
        assert faults(snapshot, drawn) == []
        history += (drawn,)
        snapshot = played(snapshot, drawn)
    assert [[table.sides for table in done.tables] for done in snapshot.rounds] == [
        [table.sides for table in drawn.tables] for drawn in history
    ]


@draws
def test_rest_by_hand_and_paired_again(draw: Format) -> None:
    """liwords #792, PreRegMe #81: a bye by hand and pairing again gave three byes."""
    snapshot = begun(draw, 9, 2)
    plain = draw(snapshot, 1)
    told = draw(wishing(snapshot, byes=(3,)), 1)
    assert len(plain.rests) == 1 and told.rests == (3,)
    assert draw(wishing(snapshot, byes=(3,)), 1) == told and draw(snapshot, 1) == plain, "and taken back"
    two = draw(wishing(snapshot, byes=(3, 4)), 1)
    assert two.rests[:2] == (3, 4) and len(two.rests) <= 5
    with pytest.raises(CannotPair):
        draw(wishing(snapshot, byes=(3, 3)), 1)


@draws
def test_nobody_rests_again_before_all_have(draw: Format) -> None:
    """lila #6619, online-go #2412, ANRTournament #22: the same person had the bye again."""
    snapshot = people(9, planned=9)
    rested: Counter[int] = Counter()
    for _ in range(9):
        drawn = draw(snapshot, 1)
        rested.update(drawn.rests)
        snapshot = played(snapshot, drawn)
    assert rested == Counter(range(1, 10))


@draws
def test_dropped_and_back(draw: Format) -> None:
    """liwords #792: who is brought back is seated once, and his rests are not made up for."""
    snapshot = begun(draw, 13, 3)
    away = replace(snapshot, entrants=(replace(snapshot.entrants[0], state="paused"), *snapshot.entrants[1:]))
    after = played(away, draw(away, 1))
    back = replace(after, entrants=snapshot.entrants)
    drawn = draw(back, 1)
    assert faults(back, drawn) == []
    assert 1 not in drawn.rests


@draws
def test_why_this_table(draw: Format) -> None:
    """tabbycat #60, mage #1438: nobody could tell why the draw was as it was."""
    snapshot = begun(draw, 11, 3)
    drawn = draw(snapshot, 1)
    assert all(table.reasons for table in drawn.tables)
    assert all(any(note.startswith(f"#{one} rests") for note in said(drawn.notes)) for one in drawn.rests) or (
        "whist table" in said(drawn.notes)[0]
    )


@pytest.mark.parametrize(
    "draw", [FORMATS["rotation"], lambda snapshot, seed: planner.pair(snapshot, planner.Rules(), seed)]
)
def test_no_partner_again_while_it_can_be_avoided(draw: Format) -> None:
    """phase #7937, PreRegMe #90: an avoidable repeat."""
    for count in (8, 11, 12, 13, 16):
        partners: Counter[frozenset[int]] = Counter()
        snapshot = people(count, planned=6)
        for _ in range(6):
            drawn = draw(snapshot, 1)
            partners.update(pair_of(*side) for table in drawn.tables for side in table.sides)
            snapshot = played(snapshot, drawn)
        assert max(partners.values()) == 1
