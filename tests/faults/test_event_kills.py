"""An event runs by itself: worker or beat may be killed at any step of it, and nothing is lost or doubled."""

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
number = events.create_event(
    club_id=club.pk, by=director.pk, title="Evening", format="swiss", settings={"target": 5}, rounds_planned=2,
    kind="online", bots_fill=True, pairing="automatic",
)
by = read_actor(Event.objects.select_related("club").get(pk=number), director)
events.announce(event_id=number, by=by)
entrants.fill_with_bots(event_id=number, by=by, entrants=4)
events.start(event_id=number, by=by)
print(json.dumps(number))
"""


@pytest.fixture(scope="module")
def stack():
    quick = {"EUCHRE_BOT_DELAY": "0", "EUCHRE_TRICK_PAUSE": "0", "EUCHRE_DEAL_PAUSE": "0"}
    with Stack(**quick) as running:
        yield running


def state(stack: Stack, event: int) -> str:
    return str(stack.rows("SELECT state FROM tournaments_event WHERE id = %s", event)[0][0])


def steps(stack: Stack, event: int) -> int:
    return int(stack.rows("SELECT count(*) FROM tournaments_step WHERE event_id = %s", event)[0][0])


def test_an_event_resumes_after_each_kill_with_nothing_lost_or_doubled(stack: Stack) -> None:
    event = json.loads(stack.python("-c", EVENING))
    killed = itertools.cycle(("worker", "beat", "worker"))
    seen = steps(stack, event)
    for _kill in range(5):
        wait_until(lambda: state(stack, event) == "finished" or steps(stack, event) > seen, "a step of the event")
        if state(stack, event) == "finished":
            break
        seen = steps(stack, event)
        stack.restart(next(killed))
    wait_until(lambda: state(stack, event) == "finished", "the end of the event")

    rounds = stack.rows("SELECT number, state FROM tournaments_round WHERE event_id = %s ORDER BY number", event)
    assert rounds == [(1, "closed"), (2, "closed")]
    tables = stack.rows(
        "SELECT r.number, t.number, t.state, t.points_0, t.points_1, g.status FROM tournaments_eventtable t"
        " JOIN tournaments_round r ON r.id = t.round_id JOIN games_game g ON g.id = t.game_id"
        " WHERE t.event_id = %s ORDER BY 1, 2",
        event,
    )
    assert [row[:3] for row in tables] == [(number, table, "confirmed") for number in (1, 2) for table in (1, 2)]
    assert all(max(row[3:5]) >= 5 > min(row[3:5]) and row[5] == "finished" for row in tables)
    seated = stack.rows(
        "SELECT s.round_id, count(*), count(DISTINCT s.entrant_id) FROM tournaments_seating s"
        " JOIN tournaments_round r ON r.id = s.round_id WHERE r.event_id = %s GROUP BY 1",
        event,
    )
    assert [row[1:] for row in seated] == [(4, 4), (4, 4)]
    places = stack.rows("SELECT count(*) FROM tournaments_place WHERE event_id = %s", event)
    assert places == [(8,)]
    games = stack.rows("SELECT count(*) FROM games_game")
    assert games == [(4,)]
    kinds = [row[0] for row in stack.rows("SELECT kind FROM tournaments_step WHERE event_id = %s", event)]
    assert kinds.count("finished") == kinds.count("started") == 1
