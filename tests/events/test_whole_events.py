"""Whole events of every format through the real services, 5 to 40 entrants, with all that happens on
an evening: the places are those that the formats give for the log alone."""

from __future__ import annotations

import pytest

from games.services.errors import UserError
from tests.events.evening import Evening, check_log, check_places
from tournaments.models import Entrant, Event, EventTable
from tournaments.playbook import PLAYBOOKS
from tournaments.services import entrants, results
from tournaments.services.scoring import DOUBLE, FORFEIT_0, FORFEIT_1, VOID, Score

pytestmark = pytest.mark.django_db

SEASON = {
    "single_elimination": (13, {}, {"third_place": True}),
    "double_elimination": (6, {}, {}),
    "round_robin": (5, {}, {}),
    "groups": (8, {}, {}),
    "swiss": (21, {"rounds_planned": 4}, {}),
    "swiss_individuals": (40, {"rounds_planned": 4}, {}),
    "rotation": (11, {"rounds_planned": 5}, {}),
    "progressive": (19, {"rounds_planned": 4}, {}),
    "arena": (9, {"rounds_planned": 4}, {}),
    "duplicate": (8, {"rounds_planned": 3}, {}),
    "teams": (5, {}, {}),
}
"""Entrants, fields of the event and options of the format."""


@pytest.fixture
def evening(club, cast):
    def make(key: str, **fields) -> Evening:
        count, planned, settings = SEASON[key]
        return Evening(club, cast.director, key, fields.pop("count", count), settings=settings, **planned, **fields)

    return make


def test_every_format_is_played():
    assert SEASON.keys() == PLAYBOOKS.keys()


def lively(tonight: Evening, number: int) -> None:
    """What happens in round ``number`` before its scores are typed."""
    tables = tonight.tables()
    if number == 1:
        first = tables[0]
        sides = [tonight.by.at_table(first.pk), tonight.by.at_table(first.pk)]
        _reported_and_confirmed(tonight, first, sides)
        _late_entry(tonight)
    elif number == 2:
        tonight.enter(tables[0], FORFEIT_1)
        if len(tables) > 2:
            tonight.enter(tables[1], DOUBLE)
        leaver = Entrant.objects.filter(event=tonight.id, number=tables[-1].sides[0][0]).get()
        for _again in range(2):
            entrants.withdraw(event_id=tonight.id, by=tonight.by, entrant_id=leaver.pk)
    elif number == 3:
        _correct(tonight, 1)
        pausing = Entrant.objects.filter(event=tonight.id, state=Entrant.State.ACTIVE).order_by("-number").first()
        if tonight.key not in ("round_robin", "groups", "single_elimination", "double_elimination", "teams"):
            entrants.pause(event_id=tonight.id, by=tonight.by, entrant_id=pausing.pk)


def _reported_and_confirmed(tonight: Evening, table: EventTable, _sides) -> None:
    from tournaments.selectors.rights import Actor, Part

    visitor = Actor(tonight.id, None, "", Part.VISITOR).at_table(table.pk)
    score = tonight.score(table)
    for _again in range(2):
        assert results.report(event_id=tonight.id, by=visitor, table_id=table.pk, score=score, side=0) == "reported"
    for _again in range(2):
        assert results.confirm(event_id=tonight.id, by=visitor, table_id=table.pk, side=1) == "confirmed"


def _late_entry(tonight: Evening) -> None:
    if tonight.key == "duplicate":  # eight pairs fill the movement
        return
    try:
        tonight.add(1)
    except UserError:
        assert tonight.key in ("single_elimination", "double_elimination", "duplicate", "teams", "groups")


def _correct(tonight: Evening, number: int) -> None:
    table = EventTable.objects.filter(event=tonight.id, round__number=number, state="confirmed").order_by("number")[0]
    other = Score((table.points_1, table.points_0), winner=None if table.winner is None else 1 - table.winner)
    if tonight.key == "duplicate":
        other = Score(deals={int(deal): -score for deal, score in table.deals.items()})
    results.preview(tonight.id, table.pk, other)
    for _again in range(2):
        steps = tonight.steps
        results.correct(event_id=tonight.id, by=tonight.by, table_id=table.pk, score=other, reason="Misread")
    assert tonight.steps == steps


@pytest.mark.parametrize("key", SEASON)
def test_a_lively_evening(evening, key):
    tonight = evening(key, seed=11)
    tonight.start()
    assert tonight.play_on(lively).state == Event.State.FINISHED
    check_log(tonight.id)
    check_places(tonight.id)


def test_void_and_forfeits_of_both_sides_in_every_place(evening):
    tonight = evening("swiss", count=8)
    tonight.start()

    def incident(tonight: Evening, number: int) -> None:
        for table, score in zip(tonight.tables(), (VOID, FORFEIT_0, DOUBLE, FORFEIT_1)[number - 1 :], strict=False):
            tonight.enter(table, score)

    tonight.play_on(incident)
    check_log(tonight.id)
    check_places(tonight.id)
