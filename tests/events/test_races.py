"""Two at once at one event, in threads with a connection each: one effect, the other is told."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games.services.errors import UserError
from tests.events.evening import Evening, check_log
from tests.services.conftest import at_once
from tournaments.models import Event, EventTable, Report, Round, Step
from tournaments.selectors.rights import Actor
from tournaments.services import events, results, rounds, schedule
from tournaments.services.scoring import Score

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tonight(club, cast) -> Evening:
    made = Evening(club, cast.director, "swiss", 4, pairing="draft")
    events.announce(event_id=made.id, by=made.by)
    events.start(event_id=made.id, by=made.by)
    rounds.next_round(event_id=made.id, by=made.by, after=0)
    return made


def steps(kind: str) -> int:
    return Step.objects.filter(kind=kind).count()


def test_one_round_at_a_time_whoever_asks(tonight):
    """Workers, a director's double click and a co-director: one draw; one score; one closing."""
    first, other = tonight.tables()
    by = tonight.by

    def enter(points: tuple[int, int]) -> str:
        return results.report(event_id=tonight.id, by=by, table_id=first.pk, score=Score(points))

    told = at_once(lambda: enter((10, 4)), lambda: enter((10, 5)), lambda: enter((10, 4)))
    refused = [each for each in told if each != "confirmed"]
    assert all(isinstance(each, UserError) and "has a result already" in str(each) for each in refused)
    assert 1 <= len(refused) <= 2
    assert Report.objects.count() == 1

    def last_result() -> str:
        return results.report(event_id=tonight.id, by=by, table_id=other.pk, score=Score((3, 10)))

    closing = at_once(
        last_result, lambda: rounds.close_round(event_id=tonight.id, by=by, number=1, unplayed=True), tonight.sweep
    )
    other.refresh_from_db()
    assert (other.state, closing[0]) in (("confirmed", "confirmed"), ("void", closing[0]))
    assert other.state == "confirmed" or isinstance(closing[0], UserError)
    assert steps("closed_round") == 1

    Round.objects.filter(number__gt=1).delete()
    Step.objects.filter(kind="drew").delete()
    Event.objects.update(due_at=timezone.now(), pairing="automatic")
    drawn = at_once(
        lambda: rounds.draw(event_id=tonight.id, by=Actor.SYSTEM, number=2),
        lambda: rounds.next_round(event_id=tonight.id, by=by, after=1),
        tonight.sweep,
        lambda: schedule.advance(tonight.id, timezone.now()),
    )
    assert not [each for each in drawn if isinstance(each, Exception)]
    assert Round.objects.filter(number=2).count() == 1
    assert Round.objects.count() == 2
    assert EventTable.objects.filter(round__number=2).count() == 2


def test_two_sides_confirm_at_once(tonight, cast):
    (table, _other) = tonight.tables()
    visitor = Actor(tonight.id, None, "", tonight.by.part).at_table(table.pk)

    def say(side: int) -> str:
        return results.report(event_id=tonight.id, by=visitor, table_id=table.pk, score=Score((10, 4)), side=side)

    assert sorted(map(str, at_once(lambda: say(0), lambda: say(1)))) == ["confirmed", "reported"]
    assert Report.objects.count() == 2
    check_log(tonight.id)
