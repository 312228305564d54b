"""Events run by themselves, a Swiss one and a bracket: worker or beat may be killed at any step of them, and nothing
is lost or doubled. (Every format, at every kind of step: tests/events/test_killed_steps.py.)"""

from __future__ import annotations

import itertools
import json

import pytest

from tests.faults.stack import Stack, wait_until

EVENING = """
import json, os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "euchre_site.settings"
django.setup()
from games.models import Player
from tournaments.models import Club, Event
from tournaments.selectors.rights import read_actor
from tournaments.services import clubs, entrants, events
director = Player.objects.create_user("Dmitri")
club = Club.objects.get(slug=clubs.found_club(founder_id=director.pk, name="Lakeside"))
made = []
for format, planned in (("swiss", 2), ("single_elimination", 0)):
    number = events.create_event(
        club_id=club.pk, by=director.pk, title=format, format=format, settings={"target": 5}, rounds_planned=planned,
        kind="online", bots_fill=True, pairing="automatic",
    )
    by = read_actor(Event.objects.select_related("club").get(pk=number), director)
    events.announce(event_id=number, by=by)
    entrants.fill_with_bots(event_id=number, by=by, entrants=4)
    events.start(event_id=number, by=by)
    made.append(number)
print(json.dumps(made))
"""


@pytest.fixture(scope="module")
def stack():
    quick = {"EUCHRE_BOT_DELAY": "0", "EUCHRE_TRICK_PAUSE": "0", "EUCHRE_DEAL_PAUSE": "0"}
    with Stack(**quick) as running:
        yield running


def running(stack: Stack) -> int:
    return int(stack.rows("SELECT count(*) FROM tournaments_event WHERE state <> 'finished'")[0][0])


def steps(stack: Stack) -> int:
    return int(stack.rows("SELECT count(*) FROM tournaments_step")[0][0])


@pytest.mark.database
def test_events_resume_after_each_kill_with_nothing_lost_or_doubled(stack: Stack) -> None:
    made = json.loads(stack.python("-c", EVENING))
    killed = itertools.cycle(("worker", "beat", "worker"))
    seen = steps(stack)
    for _kill in range(5):
        wait_until(lambda: not running(stack) or steps(stack) > seen, "a step of an event", pause=0.05)
        if not running(stack):
            break
        seen = steps(stack)
        stack.restart(next(killed))
    wait_until(lambda: not running(stack), "the end of the events", pause=0.2)
    for event in made:
        check(stack, event)
    played = stack.rows("SELECT count(*) FROM tournaments_eventtable")
    assert stack.rows("SELECT count(*) FROM games_game") == played


def check(stack: Stack, event: int) -> None:
    """Two rounds, every table with the result of its own game, nobody at two, everybody with one place."""
    rounds = stack.rows("SELECT number, state FROM tournaments_round WHERE event_id = %s ORDER BY number", event)
    assert rounds == [(1, "closed"), (2, "closed")]
    tables = stack.rows(
        "SELECT r.number, t.number, t.state, t.points_0, t.points_1, g.status FROM tournaments_eventtable t"
        " JOIN tournaments_round r ON r.id = t.round_id JOIN games_game g ON g.id = t.game_id"
        " WHERE t.event_id = %s ORDER BY 1, 2",
        event,
    )
    here = stack.rows("SELECT count(*) FROM tournaments_eventtable WHERE event_id = %s", event)
    assert [(len(tables),)] == here and len(tables) in (3, 4)
    assert all(row[2] == "confirmed" and max(row[3:5]) >= 5 > min(row[3:5]) and row[5] == "finished" for row in tables)
    seated = stack.rows(
        "SELECT s.round_id, count(*), count(DISTINCT s.entrant_id) FROM tournaments_seating s"
        " JOIN tournaments_round r ON r.id = s.round_id WHERE r.event_id = %s GROUP BY 1",
        event,
    )
    assert [one for _round, one, _other in seated] == [other for _round, _one, other in seated]
    places = stack.rows("SELECT count(*), count(DISTINCT player_id) FROM tournaments_place WHERE event_id = %s", event)
    assert places == [(8, 8)]
    kinds = [row[0] for row in stack.rows("SELECT kind FROM tournaments_step WHERE event_id = %s", event)]
    assert kinds.count("finished") == kinds.count("started") == 1
