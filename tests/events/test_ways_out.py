"""What once left an event with nowhere to go: accounts that end, people struck off, steps taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from games.models import Seat
from games.models import Table as LiveTable
from games.selectors import tables as live_tables
from games.services import play
from games.services.accounts import delete_account
from games.services.errors import UserError
from tests.events.evening import Evening, at, check_log
from tests.services.conftest import at_once
from tournaments.models import Club, Entrant, Event, EventTable, Member, Seating
from tournaments.models import Round as Row
from tournaments.services import clubs, entrants, events, field, lineup, results, rounds, schedule
from tournaments.services.desk import find_undoable, open_desk, undo
from tournaments.services.event_fields import BadField
from tournaments.services.scoring import Score

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_seats() -> None:
    live_tables._seats_at.cache_clear()


@pytest.fixture
def hall(club, cast) -> Callable[..., Evening]:
    def make(key: str = "swiss", count: int = 6, **fields) -> Evening:
        tonight = Evening(club, cast.director, key, count, **({"pairing": "draft"} | fields))
        events.announce(event_id=tonight.id, by=tonight.by)
        events.start(event_id=tonight.id, by=tonight.by)
        return tonight

    return make


@pytest.fixture
def online(club, cast, bots) -> Evening:
    """North and South meet East and West at a live table."""
    fields = {"pairing": "draft", "kind": "online", "no_show_minutes": 5}
    tonight = Evening(club, cast.director, "swiss", 0, **fields)
    with open_desk(tonight.id, by=tonight.by, needs="direct", kind="added") as desk:
        pairs = ((cast.north, cast.south), (cast.east, cast.west))
        field.enter_all(desk, [([(one.pk, one.name) for one in pair], "", "entered") for pair in pairs])
    events.announce(event_id=tonight.id, by=tonight.by)
    events.start(event_id=tonight.id, by=tonight.by)
    rounds.draw(event_id=tonight.id, by=tonight.by, number=1)
    return tonight


def begin(tonight: Evening) -> LiveTable:
    rounds.begin(event_id=tonight.id, by=tonight.by, number=1)
    return live(tonight)


def live(tonight: Evening) -> LiveTable:
    return tonight.tables()[0].live_table


def come(*people) -> None:
    for player in people:
        seat = Seat.objects.get(player=player)
        play.submit_action(table_id=seat.table_id, player_id=player.pk, action="sit")


def numbers(found: Row) -> set[int]:
    drawn = {one for table in found.tables.all() for side in table.sides for one in side}
    return drawn | set(found.byes) | set(found.rests)


class TestADrawnRound:
    def test_who_is_struck_off_is_not_in_it(self, hall):
        tonight = hall("swiss", 5)
        rounds.draw(event_id=tonight.id, by=tonight.by, number=1)
        gone = Entrant.objects.get(event=tonight.id, number=2)
        entrants.remove(event_id=tonight.id, by=tonight.by, entrant_id=gone.pk)
        assert numbers(tonight.round) == {1, 3, 4, 5}
        assert Seating.objects.filter(round=tonight.round).count() == 4
        check_log(tonight.id)

    def test_is_drawn_anew_before_it_is_shown(self, hall):
        tonight = hall("swiss", 6)
        rounds.draw(event_id=tonight.id, by=tonight.by, number=1)
        first, other = tonight.tables()[:2]
        for table in (first, other):
            rounds.lock_table(event_id=tonight.id, by=tonight.by, table_id=table.pk)
        gone = Entrant.objects.get(event=tonight.id, number=first.sides[0][0])
        entrants.withdraw(event_id=tonight.id, by=tonight.by, entrant_id=gone.pk)
        rounds.publish(event_id=tonight.id, by=tonight.by, number=1)
        assert tonight.round.state == Row.State.PLAYING
        assert gone.number not in numbers(tonight.round)
        assert other.sides in [table.sides for table in tonight.tables()]
        check_log(tonight.id)

    def test_who_has_left_since_it_was_published_forfeits(self, hall):
        tonight = hall("swiss", 4)
        rounds.draw(event_id=tonight.id, by=tonight.by, number=1)
        rounds.publish(event_id=tonight.id, by=tonight.by, number=1, at=at(5))
        first, other = tonight.tables()
        for number in (first.sides[1][0], *other.sides[0], *other.sides[1]):
            row = Entrant.objects.get(event=tonight.id, number=number)
            entrants.withdraw(event_id=tonight.id, by=tonight.by, entrant_id=row.pk)
        rounds.begin(event_id=tonight.id, by=tonight.by, number=1)
        states = EventTable.objects.filter(event=tonight.id).order_by("number").values_list("state", "absent", "winner")
        assert list(states) == [("forfeit", 1, 0), ("double", None, None)]

    def test_costs_as_much_with_many_tables(self, hall, django_assert_max_num_queries):
        tonight = hall("swiss", 40)
        rounds.draw(event_id=tonight.id, by=tonight.by, number=1)
        with django_assert_max_num_queries(60):
            rounds.redraw(event_id=tonight.id, by=tonight.by, number=1)


class TestTheEndOfAnAccount:
    def test_online_his_entrant_is_out_and_the_event_goes_on(self, online, cast):
        delete_account(player_id=cast.north.pk)
        assert Entrant.objects.get(event=online.id, number=1).state == Entrant.State.WITHDRAWN
        online.sweep()
        online.sweep()
        assert Event.objects.get(pk=online.id).state == Event.State.FINISHED

    def test_his_side_and_nobody_else_forfeits(self, online, cast):
        events.edit_event(event_id=online.id, by=online.by, no_show="forfeit")
        begin(online)
        come(cast.south, cast.east, cast.west)
        delete_account(player_id=cast.north.pk)
        schedule.advance(online.id, at(6))
        table = EventTable.objects.get(event=online.id)
        gone = next(side for side in (0, 1) if table.sides[side] == [1])
        assert (table.state, table.absent) == (EventTable.State.FORFEIT, gone)


@pytest.mark.django_db(transaction=True)
def test_an_account_ends_while_its_table_is_called_off(online, cast):
    table = begin(online)

    def call_off() -> None:
        rounds.set_kind(event_id=online.id, by=online.by, table_id=online.tables()[0].pk, kind="hall")

    told = at_once(lambda: delete_account(player_id=cast.north.pk), call_off)
    assert told == [None, None]
    assert LiveTable.objects.get(pk=table.pk).phase == LiveTable.Phase.CLOSED
    assert not Member.objects.filter(name="North").exists()


class TestTablesThatWereCalledOff:
    def test_open_again_when_that_is_undone(self, online):
        old = begin(online)
        table = online.tables()[0]
        results.report(event_id=online.id, by=online.by, table_id=table.pk, score=Score((10, 4)))
        undo(event_id=online.id, by=online.by, step_number=find_undoable(online.id).number)
        online.sweep()
        assert live(online).pk != old.pk
        assert live(online).phase == LiveTable.Phase.OPEN
        assert [each.player_id for each in live_tables.read_seats(live(online).pk)].count(None) == 0
        check_log(online.id)

    def test_nobody_waits_at_a_table_of_an_event_that_is_called_off(self, online, cast):
        table = begin(online)
        come(cast.north)
        events.cancel(event_id=online.id, by=online.by, reason="Snow")
        assert not Seat.objects.filter(held=True).exists()
        assert LiveTable.objects.get(pk=table.pk).phase == LiveTable.Phase.CLOSED
        events.reopen(event_id=online.id, by=online.by)
        online.sweep()
        assert live(online).phase == LiveTable.Phase.OPEN

    def test_a_substitute_at_one_needs_an_account(self, online, cast):
        begin(online)
        north = Member.objects.get(event=online.id, player=cast.north)
        with pytest.raises(UserError, match="needs an account"):
            lineup.substitute(event_id=online.id, by=online.by, member_id=north.pk, name="Uncle Joe")


class TestWhatIsRefusedAtOnce:
    def test_bots_in_the_hall(self, online):
        entrants.fill_with_bots(event_id=online.id, by=online.by, entrants=3)
        with pytest.raises(BadField, match="1 plays here") as refused:
            events.edit_event(event_id=online.id, by=online.by, kind="hall")
        assert refused.value.field == "kind"

    def test_a_format_for_fewer_while_it_runs(self, hall):
        tonight = hall("swiss", 3)
        with pytest.raises(UserError, match="at least 4; there are 3"):
            events.edit_event(event_id=tonight.id, by=tonight.by, agreed=True, format="groups")

    def test_coming_late_to_what_takes_nobody_new(self, hall):
        tonight = hall("single_elimination", 4, late_until=0)
        asked = Entrant.objects.create(event=tonight.event, number=9, name="Ask", state="asked")
        rounds.next_round(event_id=tonight.id, by=tonight.by, after=0)
        with pytest.raises(UserError, match="too late to join"):
            entrants.accept(event_id=tonight.id, by=tonight.by, entrant_id=asked.pk)

    def test_closing_a_club_in_the_middle_of_an_event(self, hall, cast):
        tonight = hall()
        with pytest.raises(UserError, match="is being played"):
            clubs.close_club(club_id=tonight.event.club_id, by=cast.owner.pk)
        Club.objects.update(closed_at=timezone.now())  # its last member's account has ended
        assert tonight.sweep() == 0
        assert schedule.advance(tonight.id, timezone.now()) == 0

    def test_reasons_with_what_no_database_keeps(self, hall):
        tonight = hall()
        rounds.draw(event_id=tonight.id, by=tonight.by, number=1)
        rounds.redraw(event_id=tonight.id, by=tonight.by, number=1, reason="a\x00b\n" + "x" * 400)
        kept = find_undoable(tonight.id).reason
        assert kept.startswith("ab x") and len(kept) <= 300
