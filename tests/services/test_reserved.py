"""Tables whose seats are kept: who may sit, when the game begins, who plays for whom is missing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertNumQueries

from games.models import Game, Participation, Player, Seat, Table
from games.selectors import lobby, tables
from games.services import play, presence, reserved, seating
from games.services.errors import UserError
from games.services.reserved import Booking
from games.services.row import lock_table, save_row
from games.services.seating import SeatHeld

pytestmark = pytest.mark.django_db

RULES = seating.rules_text(stick_the_dealer=False)


@pytest.fixture(autouse=True)
def _fresh_seats() -> None:
    tables._seats_at.cache_clear()


def booking(*players: Player, **wishes) -> Booking:
    seats = tuple(player.pk for player in players)
    return Booking(
        **({"title": "Friday", "rules": RULES, "pace": 20, "ranked": True, "back": "/events/7/"} | wishes), seats=seats
    )


def reserve(*players: Player, **wishes) -> int:
    return reserved.reserve([booking(*players, **wishes)])[0]


@pytest.fixture
def kept(cast) -> int:
    """A table kept for the four of the cast; nobody has come."""
    return reserve(cast.north, cast.east, cast.south, cast.west)


def take(table_id: int, *players: Player) -> None:
    for player in players:
        play.submit_action(table_id=table_id, player_id=player.pk, action="sit")


def phase(table_id: int) -> str:
    return Table.objects.get(pk=table_id).phase


class TestTakingASeat:
    def test_the_game_begins_when_all_are_there(self, cast, kept):
        take(kept, cast.north, cast.east, cast.south)
        assert phase(kept) == Table.Phase.OPEN
        assert tables.awaited([kept]) == {kept: (cast.west.pk,)}
        take(kept, cast.west)
        assert phase(kept) == Table.Phase.BID1
        game = Game.objects.get(table=kept)
        assert game.ranked
        assert list(game.participations.order_by("seat").values_list("player", flat=True)) == [
            cast.north.pk, cast.east.pk, cast.south.pk, cast.west.pk,
        ]  # fmt: skip
        assert Seat.objects.filter(table=kept, held=True).count() == 4
        assert tables.awaited([kept]) == {}

    def test_taking_it_twice_changes_nothing(self, cast, kept):
        take(kept, cast.north)
        before = tables.read_row(kept)
        take(kept, cast.north)
        assert tables.read_row(kept) == before

    def test_a_stranger_and_another_seat_are_refused(self, cast, kept):
        with pytest.raises(UserError, match="kept for others"):
            take(kept, cast.stranger)
        with pytest.raises(UserError, match="yours is seat 2"):
            play.submit_action(table_id=kept, player_id=cast.east.pk, action="sit:3")
        with pytest.raises(UserError, match="begins when everybody is here"):
            play.submit_action(table_id=kept, player_id=cast.east.pk, action="bots")

    def test_who_sits_elsewhere_is_told_where(self, cast, kept):
        other = seating.open_table(host=cast.north, ranked=True, pace=20, rules=RULES)
        with pytest.raises(SeatHeld) as refused:
            take(kept, cast.north)
        assert refused.value.table_id == other
        assert tables.awaited([kept])[kept][0] == cast.north.pk

    def test_getting_up_and_going_away_leave_the_seat_kept(self, cast, kept):
        take(kept, cast.north, cast.east)
        presence.leave(table_id=kept, player_id=cast.north.pk)
        seating.tidy(timezone.now() + timedelta(minutes=5))
        assert phase(kept) == Table.Phase.OPEN
        assert tables.awaited([kept])[kept] == (cast.north.pk, cast.east.pk, cast.south.pk, cast.west.pk)
        take(kept, cast.north, cast.east, cast.south, cast.west)
        assert phase(kept) == Table.Phase.BID1

    def test_a_nonce_of_before_counts(self, cast, kept):
        nonce = "ab" * 16
        seating.add_nonce(table_id=kept, player_id=cast.east.pk, nonce=nonce)
        take(kept, cast.north, cast.east, cast.south, cast.west)
        assert nonce in Game.objects.get(table=kept).chains

    def test_bots_are_there_at_once_and_alone_begin_with_the_sweep(self, cast, bots_about):
        clover, otto, hazel = bots_about
        ivy = Player.objects.create_user("Ivy", None, bot_level="fill_in")
        one, four = reserved.reserve([booking(cast.north, clover, otto, hazel), booking(ivy, clover, otto, hazel)])
        seating.fill_due(timezone.now())
        assert (phase(one), phase(four)) == (Table.Phase.OPEN, Table.Phase.BID1)
        take(one, cast.north)
        assert phase(one) == Table.Phase.BID1


class TestReserving:
    def test_many_tables_cost_as_many_queries_as_a_few(self, bots_about, django_assert_max_num_queries):
        people = [Player(name=f"P{number}", name_key=f"p{number}") for number in range(80)]
        Player.objects.bulk_create(people)
        with django_assert_max_num_queries(8):
            opened = reserved.reserve([booking(*people[at : at + 4]) for at in range(0, 80, 4)])
        assert len(set(opened)) == 20

    def test_what_cannot_be_opened_opens_nothing(self, cast):
        four = (cast.north, cast.east, cast.south, cast.west)
        wrong = [booking(*four[:3], cast.north), booking(*four[:3]), booking(*four, rules="article target_score=5")]
        gone = Player.objects.create_user("Gone")
        wrong.append(booking(*four[:3], gone))
        Player.objects.filter(pk=gone.pk).delete()
        for bad in wrong:
            with pytest.raises(UserError):
                reserved.reserve([booking(*four), bad])
        assert not Table.objects.exists()


class TestBeginningWithoutSomebody:
    def test_a_bot_keeps_the_seat_and_one_click_gives_it_back(self, cast, kept, bots_about):
        take(kept, cast.north, cast.east, cast.south)
        assert reserved.begin_without(table_id=kept) == (cast.west.pk,)
        assert reserved.begin_without(table_id=kept) == ()
        assert not Game.objects.get(table=kept).ranked
        assert tables.read_seats(kept)[3].played_by_bot
        assert lobby.read_resume(cast.west.pk).state == "bot"
        play.submit_action(table_id=kept, player_id=cast.west.pk, action="take_back")
        assert not tables.read_seats(kept)[3].played_by_bot
        assert Game.objects.count() == 1

    def test_the_place_of_an_account_that_is_gone_is_a_bot_s(self, cast, kept, bots_about):
        take(kept, cast.north, cast.east, cast.south)
        Player.objects.filter(pk=cast.west.pk).delete()
        tables._seats_at.cache_clear()
        assert reserved.begin_without(table_id=kept) == ()
        assert tables.read_seats(kept)[3].bot_level

    def test_who_left_after_the_start_is_as_at_any_table(self, cast, kept):
        take(kept, cast.north, cast.east, cast.south, cast.west)
        presence.leave(table_id=kept, player_id=cast.west.pk)
        assert lobby.read_resume(cast.west.pk).state == "left"


class TestSubstituting:
    def test_before_the_game(self, cast, kept):
        take(kept, cast.north, cast.east, cast.south)
        reserved.substitute(table_id=kept, out=cast.west.pk, put_in=cast.stranger.pk)
        reserved.substitute(table_id=kept, out=cast.west.pk, put_in=cast.stranger.pk)
        assert lobby.read_resume(cast.west.pk) is None
        take(kept, cast.stranger)
        assert phase(kept) == Table.Phase.BID1

    def test_a_bot_may_be_the_last_to_come(self, cast, kept, bots_about):
        take(kept, cast.north, cast.east, cast.south)
        reserved.substitute(table_id=kept, out=cast.west.pk, put_in=bots_about[0].pk)
        assert phase(kept) == Table.Phase.BID1

    def test_in_the_game(self, cast, kept, bots_about):
        take(kept, cast.north, cast.east, cast.south, cast.west)
        reserved.substitute(table_id=kept, out=cast.west.pk, put_in=cast.stranger.pk)
        assert tables.read_seats(kept)[3].keeper
        play.submit_action(table_id=kept, player_id=cast.stranger.pk, action="take_back")
        assert Participation.objects.get(game__table=kept, seat=3).player == cast.stranger
        with pytest.raises(UserError, match="does not fit"):
            reserved.substitute(table_id=kept, out=cast.north.pk, put_in=cast.stranger.pk)


class TestCallingOff:
    def test_waiting_and_running_tables_close_and_free_their_players(self, cast, kept):
        other = reserve(cast.north, cast.east, cast.south, cast.west)
        take(kept, cast.north, cast.east, cast.south, cast.west)
        for _again in range(2):
            reserved.call_off([kept, other])
        assert (phase(kept), phase(other)) == (Table.Phase.CLOSED, Table.Phase.CLOSED)
        assert Game.objects.get(table=kept).status == Game.Status.ENDED
        assert lobby.held_table(cast.north.pk) is None
        assert lobby.read_resume(cast.north.pk) is None


class TestTheRestOfTheSite:
    def test_lobby_and_quick_match_leave_it_alone(self, cast, kept, bots_about):
        take(kept, cast.north, cast.east, cast.south)
        now = timezone.now()
        assert not lobby.read_lobby(None, now).open_tables
        assert not lobby.company_about(now, besides=[cast.stranger.pk])
        assert seating.quick_match(player_id=cast.stranger.pk, ranked=True, pace=20, stick="no") != kept

    def test_the_lobby_calls_the_player_and_lets_him_play_meanwhile(self, cast, kept):
        shown = lobby.read_lobby(cast.north.pk, timezone.now())
        assert (shown.resume.table_id, shown.resume.state, shown.seated) == (kept, "kept", False)
        client = Client()
        client.force_login(cast.north)
        assertContains(client.get(reverse("lobby")), "waits for you: your seat is kept")
        seating.open_table(host=cast.north, ranked=True, pace=20, rules=RULES)
        assert lobby.read_resume(cast.north.pk).state == "waiting"

    def test_no_rematch_but_a_way_back(self, cast, kept):
        take(kept, cast.north, cast.east, cast.south, cast.west)
        row = lock_table(kept)
        row.phase, row.turn = Table.Phase.OVER, None
        Game.objects.filter(table=kept).update(status=Game.Status.FINISHED, finished_at=timezone.now())
        Participation.objects.filter(game__table=kept).update(won=True)
        save_row(row)
        with pytest.raises(UserError, match="no rematch"):
            play.submit_action(table_id=kept, player_id=cast.north.pk, action="rematch")
        client = Client()
        client.force_login(cast.north)
        page = client.get(reverse("table", args=[kept]))
        assertContains(page, "Back to the event")
        assertContains(page, 'href="/events/7/"')
        assertNotContains(page, 'value="rematch"')

    def test_the_page_offers_the_seat_to_its_owner_only(self, cast, kept):
        address = reverse("table", args=[kept])
        owner, stranger = Client(), Client()
        owner.force_login(cast.north)
        stranger.force_login(cast.stranger)
        assertContains(owner.get(address), "Take your seat")
        assertContains(owner.get(address), "Not here yet")
        assertContains(owner.get(address), "0 of 4 are here")
        assertNotContains(stranger.get(address), 'value="sit')
        assertNotContains(stranger.get(address), "Invite link")
        owner.post(reverse("table_act", args=[kept]), {"action": "sit"})
        assertNotContains(owner.get(address), "Take your seat")
        assertContains(owner.get(address), "1 of 4 is here")

    def test_a_look_at_a_kept_table_costs_no_more(self, cast, kept):
        tables.load_table(kept)
        with assertNumQueries(1):
            tables.load_table(kept)
