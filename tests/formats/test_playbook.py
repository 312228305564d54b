"""Playbooks: whole events by nothing but a plan, and settings of any kind."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tournaments.formats.event import (
    CannotPair,
    Draw,
    DrawnTable,
    Entrant,
    Result,
    Round,
    Snapshot,
    Table,
)
from tournaments.playbook import PLAYBOOKS, Plan


def event(count: int, planned: int = 0) -> Snapshot:
    return Snapshot(tuple(Entrant(number, number) for number in range(1, count + 1)), planned=planned)


def game(plan: Plan, dice: random.Random, label: str) -> tuple[tuple[int, int], int | None]:
    """Points of a game played hand by hand by lot, and who won an extra hand."""
    points = [0, 0]
    hands = plan.score.hands
    played = 0
    while played < hands or (not hands and max(points) < plan.score.target):
        side, worth = dice.randrange(2), dice.choice((1, 1, 1, 2, 2, 4))
        points[side] += worth
        played += 1
    level = points[0] == points[1]
    settled = plan.score.ties == "extra_hand" or label.startswith(("R", "W", "L", "F", "T"))
    return (points[0], points[1]), dice.randrange(2) if level and settled else None


def outcome(plan: Plan, table: DrawnTable | Table, dice: random.Random, no_shows: float = 0.05) -> Result:
    luck = dice.random()
    if luck < no_shows / 5:
        return Result(outcome="double_forfeit")
    if luck < no_shows:
        return Result(outcome="forfeit", absent=dice.randrange(2))
    if plan.book.key == "duplicate":
        first = plan.number("deals") * (int(table.label[1:]) - 1) + 1
        deals = {deal: dice.choice((-4, -2, -1, 1, 2, 4)) for deal in range(first, first + plan.number("deals"))}
        return plan.result((0, 0), deals=deals, label=table.label)
    points, winner = game(plan, dice, table.label)
    return plan.result(points, winner, {"loners": {table.sides[0][0]: 0}}, table.sides, label=table.label)


def finished(snapshot: Snapshot, draw: Draw, plan: Plan, dice: random.Random) -> Snapshot:
    assert draw.round == snapshot.number
    tables = tuple(Table(one.number, one.sides, outcome(plan, one, dice), one.label) for one in draw.tables)
    done = Round(draw.round, tables, draw.byes, draw.rests)
    return replace(snapshot, rounds=(*snapshot.rounds, done))


def come_and_go(snapshot: Snapshot, plan: Plan, dice: random.Random, seed: int) -> Snapshot:
    """Some leave, pause or come back; who comes late is asked whether there is room."""
    entrants = []
    for entrant in snapshot.entrants:
        luck = dice.random()
        if entrant.state == "active" and luck < 0.02:
            entrant = replace(entrant, state="withdrawn", left=snapshot.number)
        elif entrant.state == "active" and luck < 0.03:
            entrant = replace(entrant, state="disqualified", left=snapshot.number)
        elif entrant.state == "active" and luck < 0.06:
            entrant = replace(entrant, state="paused")
        elif entrant.state == "paused" and luck < 0.5:
            entrant = replace(entrant, state="active")
        entrants.append(entrant)
    snapshot = replace(snapshot, entrants=tuple(entrants))
    last = plan.late_until(plan.length(snapshot) or snapshot.number)
    if 1 < snapshot.number <= last and dice.random() < 0.4 and plan.places_left(snapshot, seed) != 0:
        number = len(snapshot.entrants) + 1
        late = Entrant(number, dice.randint(1, number), joined=snapshot.number)
        snapshot = replace(snapshot, entrants=(*snapshot.entrants, late))
    return snapshot


def back(snapshot: Snapshot) -> Snapshot:
    entrants = (replace(one, state="active") if one.state == "paused" else one for one in snapshot.entrants)
    return replace(snapshot, entrants=tuple(entrants))


def corrected(snapshot: Snapshot, plan: Plan, dice: random.Random) -> Snapshot:
    """Another score of some table, or the same sides the other way round."""
    rounds = list(snapshot.rounds)
    row = dice.randrange(len(rounds))
    tables = list(rounds[row].tables)
    at = dice.randrange(len(tables))
    tables[at] = replace(tables[at], result=outcome(plan, tables[at], dice))
    rounds[row] = replace(rounds[row], tables=tuple(tables))
    return replace(snapshot, rounds=tuple(rounds))


def check_draw(snapshot: Snapshot, draw: Draw, plan: Plan) -> None:
    here = {one.id for one in snapshot.present()}
    told = [one for table in draw.tables for one in table.seated]
    told += [*draw.byes, *draw.rests]
    assert len(told) == len(set(told))
    assert set(told) <= here
    if plan.bracket(snapshot) is None:
        assert set(told) == here, "somebody is lost"
    for table in draw.tables:
        assert all(1 <= len(side) <= plan.side for side in table.sides)


def check_rows(snapshot: Snapshot, plan: Plan, seed: int) -> None:
    lines = plan.rows(snapshot, seed)
    assert sorted(line.entrant for line in lines) == sorted(one.id for one in snapshot.entrants)
    for line in lines:
        assert line.columns
        assert line.columns[0].value == line.score
        for column in line.columns:
            assert column.label
            assert isinstance(column.terms, tuple)


def play(plan: Plan, count: int, seed: int) -> Snapshot:
    """The whole event, with everything that happens in a hall."""
    dice = random.Random(f"{plan.book.key} {count} {seed}")
    snapshot = event(count)
    check_rows(snapshot, plan, seed)
    for _round in range(12 * count):
        if plan.over(snapshot, seed):
            check_rows(snapshot, plan, seed)
            return snapshot
        if snapshot.number > 1 or dice.random() < 0.2:
            snapshot = come_and_go(snapshot, plan, dice, seed)
            if plan.over(snapshot, seed):
                continue
        try:
            draw = plan.pair(snapshot, seed)
        except CannotPair:
            snapshot = back(snapshot)
            draw = plan.pair(snapshot, seed)
        assert draw == plan.pair(snapshot, seed)
        check_draw(snapshot, draw, plan)
        snapshot = finished(snapshot, draw, plan, dice)
        if dice.random() < 0.2:
            snapshot = corrected(snapshot, plan, dice)
        check_rows(snapshot, plan, seed)
    raise AssertionError("the event does not end")


@pytest.mark.parametrize("key", PLAYBOOKS)
@pytest.mark.parametrize("count", [5, 8, 13])
def test_whole_events(key, count):
    plan = PLAYBOOKS[key].read()
    for seed in range(3):
        play(plan, count, seed)
