"""Seats before a game: races, quick match, bots, people who go away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Game, Player, Seat, Table
from games.selectors import tables
from games.services import play, presence, seating
from games.services.errors import UserError
from games.services.row import lock_table, save_row
from games.services.seating import SeatHeld
from tests.services.conftest import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_seats() -> None:
    """Ids of rolled-back rows come back on SQLite; what was cached for them must not."""
    tables._seats_at.cache_clear()


def open_by(host: Player, **wishes) -> int:
    wishes = {"ranked": True, "pace": 20, "rules": seating.rules_text(stick_the_dealer=False)} | wishes
    return seating.open_table(host=host, **wishes)


def match(player: Player, **wishes) -> int:
    return seating.quick_match(player_id=player.pk, **({"ranked": True, "pace": 20, "stick": "no"} | wishes))


def sitting(table_id: int) -> list[str]:
    return [seat.name for seat in tables.read_seats(table_id)]


def phase(table_id: int) -> str:
    return Table.objects.get(pk=table_id).phase


def stands_in_lobby(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(seen_at=timezone.now())


class TestOpeningATable:
    def test_the_host_sits_at_once_and_the_table_waits(self, cast):
        table_id = open_by(cast.north, title="Back room", pace=45)
        table = Table.objects.get(pk=table_id)
        assert (table.phase, table.host, table.pace, table.title, table.fill_at) == (
            Table.Phase.OPEN, cast.north, 45, "Back room", None,
        )  # fmt: skip
        assert sitting(table_id) == ["North", "", "", ""]

    def test_a_second_table_is_refused_and_leaves_nothing_behind(self, cast):
        table_id = open_by(cast.north)
        with pytest.raises(SeatHeld, match=f"You already hold a seat at Table {table_id}") as refused:
            open_by(cast.north)
        assert refused.value.table_id == table_id
        assert Table.objects.count() == 1

    def test_the_refusal_uses_the_name_of_the_table(self, cast):
        open_by(cast.north, title="Back room")
        with pytest.raises(SeatHeld, match="at Back room"):
            open_by(cast.north)


class TestSitting:
    def test_the_fourth_player_starts_the_game(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
        seating.sit(table_id=table_id, player_id=cast.south.pk, index=2)
        assert phase(table_id) == Table.Phase.OPEN
        seating.sit(table_id=table_id, player_id=cast.west.pk)
        assert phase(table_id) == Table.Phase.BID1
        assert sitting(table_id) == ["North", "East", "South", "West"]
        game = Game.objects.get(table=table_id)
        assert [part.player for part in game.participations.order_by("seat")] == [
            cast.north, cast.east, cast.south, cast.west,
        ]  # fmt: skip
        assert not game.with_bots

    def test_every_change_of_seats_raises_roster_and_revision(self, cast):
        table_id = open_by(cast.north)
        before = tables.read_row(table_id)
        seating.sit(table_id=table_id, player_id=cast.east.pk)
        after = tables.read_row(table_id)
        assert after.roster > before.roster
        assert after.revision > before.revision

    def test_sitting_twice_changes_nothing(self, cast):
        table_id = open_by(cast.north)
        before = tables.read_row(table_id)
        seating.sit(table_id=table_id, player_id=cast.north.pk)
        seating.sit(table_id=table_id, player_id=cast.north.pk, index=0)
        assert tables.read_row(table_id) == before

    def test_a_player_may_move_to_another_empty_seat(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.north.pk, index=3)
        assert sitting(table_id) == ["", "", "", "North"]

    def test_a_taken_seat_is_refused_and_the_old_one_kept(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
        with pytest.raises(UserError, match="Somebody took that seat before you"):
            seating.sit(table_id=table_id, player_id=cast.east.pk, index=0)
        assert sitting(table_id) == ["North", "East", "", ""]

    def test_a_player_seated_elsewhere_is_told_where(self, cast):
        first, second = open_by(cast.north), open_by(cast.east)
        with pytest.raises(SeatHeld, match=f"Table {first}"):
            seating.sit(table_id=second, player_id=cast.north.pk)
        assert sitting(second) == ["East", "", "", ""]

    def test_a_running_game_takes_nobody(self, cast, table):
        with pytest.raises(UserError, match=r"has begun\. You can watch it"):
            seating.sit(table_id=table, player_id=cast.stranger.pk)

    def test_a_closed_table_takes_nobody(self, cast):
        table_id = open_by(cast.north)
        presence.leave(table_id=table_id, player_id=cast.north.pk)
        with pytest.raises(UserError, match="is closed"):
            seating.sit(table_id=table_id, player_id=cast.east.pk)

    def test_a_table_that_does_not_exist_is_a_sentence(self, cast):
        with pytest.raises(UserError, match="That table is gone"):
            seating.sit(table_id=0, player_id=cast.north.pk)

    def test_the_player_s_standing_answer_comes_along(self, cast):
        cast.east.ask_alone = True
        cast.east.save()
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
        assert [seat.ask_alone for seat in tables.read_seats(table_id)] == [False, True, False, False]

    def test_the_database_itself_allows_one_held_seat(self, cast):
        first, second = open_by(cast.north), open_by(cast.east)
        with pytest.raises(IntegrityError), transaction.atomic():
            Seat.objects.filter(table=second, index=1).update(player=cast.north, held=True)
        assert first != second


class TestLeavingAWaitingTable:
    def test_the_last_to_leave_closes_it(self, cast):
        table_id = open_by(cast.north)
        presence.leave(table_id=table_id, player_id=cast.north.pk)
        assert phase(table_id) == Table.Phase.CLOSED
        assert sitting(table_id) == ["", "", "", ""]
        open_by(cast.north)

    def test_the_next_person_becomes_host(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk)
        presence.leave(table_id=table_id, player_id=cast.north.pk)
        table = Table.objects.get(pk=table_id)
        assert (table.phase, table.host) == (Table.Phase.OPEN, cast.east)


class TestQuickMatch:
    def test_alone_on_the_site_bots_come_at_once(self, cast, bots_about):
        table_id = match(cast.north)
        assert phase(table_id) == Table.Phase.BID1
        assert sorted(sitting(table_id)) == ["Clover", "Hazel", "North", "Otto"]
        assert Game.objects.get(table=table_id).with_bots

    def test_with_somebody_in_the_lobby_the_table_waits_twenty_seconds(self, cast, bots_about):
        stands_in_lobby(cast.east)
        before = timezone.now()
        table = Table.objects.get(pk=match(cast.north))
        assert table.phase == Table.Phase.OPEN
        assert timedelta(seconds=20) <= table.fill_at - before < timedelta(seconds=25)

    def test_two_who_look_for_the_same_meet(self, cast, bots_about):
        stands_in_lobby(cast.east)
        assert match(cast.north) == match(cast.east)

    def test_the_deadline_is_the_first_player_s(self, cast, bots_about):
        stands_in_lobby(cast.east)
        table_id = match(cast.north)
        first = Table.objects.get(pk=table_id).fill_at
        stands_in_lobby(cast.south)
        match(cast.east)
        assert Table.objects.get(pk=table_id).fill_at == first

    @pytest.fixture
    def levels(self, bots_about):
        """Four bots of two levels beside the three that are about."""
        for number in range(4):
            Player.objects.create_user(f"Learner {number}", None, bot_level="learner")
            Player.objects.create_user(f"Strong {number}", None, bot_level="strong")

    @staticmethod
    def levels_at(table_id: int) -> set[str]:
        return set(
            Seat.objects.filter(table=table_id)
            .exclude(player__bot_level="")
            .values_list("player__bot_level", flat=True)
        )

    def test_a_friendly_game_calls_bots_of_the_level_wanted(self, cast, levels):
        table_id = seating.quick_match(player_id=cast.north.pk, ranked=False, pace=20, stick="no", bots="strong")
        assert self.levels_at(table_id) == {"strong"}
        rules = seating.rules_text(stick_the_dealer=False)
        table_id = seating.open_table(host=cast.east, ranked=False, pace=20, rules=rules, bots="learner")
        seating.ask_for_bots(table_id=table_id, player_id=cast.east.pk)
        assert self.levels_at(table_id) == {"learner"}

    def test_where_too_few_are_of_that_level_others_come_too(self, cast, levels):
        Player.objects.filter(name__in=("Strong 0", "Strong 1")).delete()
        table_id = seating.quick_match(player_id=cast.north.pk, ranked=False, pace=20, stick="no", bots="strong")
        assert "strong" in self.levels_at(table_id)
        assert Seat.objects.filter(table=table_id, player=None).count() == 0

    def test_nobody_chooses_bots_for_a_ranked_game(self, cast, levels):
        table_id = seating.quick_match(player_id=cast.north.pk, ranked=True, pace=20, stick="no", bots="learner")
        assert Table.objects.get(pk=table_id).bots == ""

    def test_four_people_begin_without_bots(self, cast, bots_about):
        everybody = (cast.north, cast.east, cast.south, cast.west)
        for player in everybody:
            stands_in_lobby(player)
        table_ids = {match(player) for player in everybody}
        assert len(table_ids) == 1
        assert not Game.objects.get(table=table_ids.pop()).with_bots

    def test_somebody_with_a_seat_is_sent_back_to_it(self, cast, bots_about):
        table_id = match(cast.north)
        assert match(cast.north, pace=45, ranked=False) == table_id
        assert Table.objects.count() == 1

    @pytest.mark.parametrize(
        ("first", "second", "meet"),
        [
            ({}, {}, True),
            ({"ranked": False}, {"ranked": True}, False),
            ({"pace": 10}, {"pace": 45}, False),
            ({"stick": "yes"}, {"stick": "no"}, False),
            ({"stick": "yes"}, {"stick": "yes"}, True),
            ({"stick": "yes"}, {"stick": "either"}, True),
            ({"stick": "no"}, {"stick": "either"}, True),
            ({"stick": "either"}, {"stick": "no"}, True),
            ({"stick": "either"}, {"stick": "yes"}, False),
        ],
    )
    def test_wishes_that_agree_meet(self, cast, bots_about, first, second, meet):
        stands_in_lobby(cast.east)
        stands_in_lobby(cast.south)
        assert (match(cast.north, **first) == match(cast.east, **second)) is meet

    def test_the_fullest_table_is_joined(self, cast, bots_about):
        for player in (cast.east, cast.south, cast.stranger):
            stands_in_lobby(player)
        lonely = match(cast.north)
        fuller = match(cast.east, stick="yes")
        assert match(cast.south, stick="yes") == fuller != lonely
        assert match(cast.stranger, stick="either") == fuller

    def test_a_table_opened_by_hand_is_joined_as_its_fourth_only(self, cast, bots_about):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk)
        other = match(cast.stranger)
        assert other != table_id
        seating.sit(table_id=table_id, player_id=cast.south.pk)
        assert match(cast.west) == table_id
        assert phase(table_id) == Table.Phase.BID1

    def test_a_person_long_gone_is_not_waited_for(self, cast, bots_about):
        table_id = open_by(cast.east)
        Seat.objects.filter(table=table_id, held=True).update(seen_at=timezone.now() - timedelta(minutes=5))
        Player.objects.filter(pk=cast.south.pk).update(seen_at=timezone.now() - timedelta(minutes=5))
        assert phase(match(cast.north)) == Table.Phase.BID1

    def test_people_in_a_game_are_not_waited_for(self, cast, bots_about, table):
        stands_in_lobby(cast.north)
        assert phase(match(cast.stranger)) == Table.Phase.BID1

    def test_a_site_without_bots_says_so_and_opens_nothing(self, cast):
        with pytest.raises(UserError, match="not enough bots"):
            match(cast.north)
        assert not Table.objects.exists()


class TestBots:
    def test_the_host_calls_them_when_he_likes(self, cast, bots_about):
        table_id = open_by(cast.north)
        play.submit_action(table_id=table_id, player_id=cast.north.pk, action="bots")
        assert phase(table_id) == Table.Phase.BID1
        assert len(set(sitting(table_id))) == 4

    def test_asking_twice_begins_one_game(self, cast, bots_about):
        table_id = open_by(cast.north)
        for _again in range(2):
            seating.ask_for_bots(table_id=table_id, player_id=cast.north.pk)
        assert Game.objects.count() == 1

    def test_a_guest_leaves_it_to_the_host(self, cast, bots_about):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk)
        with pytest.raises(UserError, match="Only North"):
            seating.ask_for_bots(table_id=table_id, player_id=cast.east.pk)
        presence.leave(table_id=table_id, player_id=cast.north.pk)
        seating.ask_for_bots(table_id=table_id, player_id=cast.east.pk)
        assert phase(table_id) == Table.Phase.BID1

    def test_anybody_at_a_quick_match_may_call_them(self, cast, bots_about):
        stands_in_lobby(cast.east)
        table_id = match(cast.north)
        match(cast.east)
        seating.ask_for_bots(table_id=table_id, player_id=cast.east.pk)
        assert phase(table_id) == Table.Phase.BID1

    def test_anybody_where_the_host_has_no_account_any_more(self, cast, bots_about):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk)
        presence.leave(table_id=table_id, player_id=cast.north.pk)
        Table.objects.filter(pk=table_id).update(host=None)
        seating.ask_for_bots(table_id=table_id, player_id=cast.east.pk)
        assert tables.read_row(table_id).running

    def test_a_watcher_cannot(self, cast, bots_about):
        table_id = open_by(cast.north)
        with pytest.raises(UserError, match="Sit down first"):
            seating.ask_for_bots(table_id=table_id, player_id=cast.stranger.pk)

    def test_bots_sit_at_many_tables_at_once(self, cast, bots_about):
        assert phase(match(cast.north)) == phase(match(cast.east)) == Table.Phase.BID1


class TestTheSweep:
    def test_bots_come_when_the_time_is_up_and_not_before(self, cast, bots_about):
        stands_in_lobby(cast.east)
        table_id = match(cast.north)
        fill_at = Table.objects.get(pk=table_id).fill_at
        seating.fill_due(fill_at - timedelta(milliseconds=1))
        assert phase(table_id) == Table.Phase.OPEN
        seating.fill_due(fill_at)
        seating.fill_due(fill_at + timedelta(seconds=1))
        assert phase(table_id) == Table.Phase.BID1
        assert Game.objects.count() == 1

    def test_a_table_that_cannot_be_filled_does_not_hold_up_another(self, cast, bots_about, monkeypatch):
        stands_in_lobby(cast.stranger)
        broken, sound = match(cast.north), match(cast.east, pace=45)
        fill = seating.fill

        def breaks_once(row, now):
            if row.id == broken:
                raise RuntimeError("broken")
            fill(row, now)

        monkeypatch.setattr(seating, "fill", breaks_once)
        seating.fill_due(timezone.now() + timedelta(seconds=30))
        assert (phase(broken), phase(sound)) == (Table.Phase.OPEN, Table.Phase.BID1)

    def test_the_seat_of_somebody_who_went_away_is_free_again(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
        now = timezone.now()
        Seat.objects.filter(player=cast.north).update(seen_at=now - timedelta(minutes=2))
        seating.tidy(now)
        assert sitting(table_id) == ["", "East", "", ""]
        assert Table.objects.get(pk=table_id).host == cast.east

    def test_a_table_everybody_went_away_from_closes(self, cast):
        table_id = open_by(cast.north)
        seating.tidy(timezone.now() + timedelta(minutes=2))
        assert phase(table_id) == Table.Phase.CLOSED

    def test_a_running_game_is_left_alone(self, cast, table):
        seating.tidy(timezone.now() + timedelta(minutes=2))
        assert sitting(table) == ["North", "East", "South", "West"]


class TestARematch:
    @staticmethod
    def finish(table_id: int) -> None:
        with transaction.atomic():
            row = lock_table(table_id)
            row.phase, row.turn, row.score_0 = Table.Phase.OVER, None, 10
            row.roster += 1
            Seat.objects.filter(table_id=table_id).update(held=False)
            save_row(row)

    @staticmethod
    def again(table_id: int) -> None:
        with transaction.atomic():
            row = lock_table(table_id)
            seating.play_again(row, timezone.now())
            save_row(row)

    def test_the_same_four_begin_a_new_game_from_nothing(self, cast, table):
        self.finish(table)
        self.again(table)
        row = tables.read_row(table)
        assert (row.phase, row.score_0, row.deal_number) == (Table.Phase.BID1, 0, 1)
        assert Game.objects.filter(table=table).count() == 2
        assert Seat.objects.filter(table=table, held=True).count() == 4

    def test_who_sits_elsewhere_by_now_makes_room(self, cast, table, bots_about):
        self.finish(table)
        stands_in_lobby(cast.stranger)
        open_by(cast.west)
        self.again(table)
        assert sitting(table) == ["North", "East", "South", ""]
        row = tables.read_row(table)
        assert row.phase == Table.Phase.OPEN
        assert row.fill_at is not None
        assert row.deal() is None

    def test_with_nobody_to_wait_for_bots_take_the_free_seats(self, cast, table, bots_about):
        self.finish(table)
        Seat.objects.filter(table=table, player=cast.west).update(player=None)
        self.again(table)
        assert phase(table) == Table.Phase.BID1

    def test_bots_do_not_go_on_by_themselves(self, cast, bots_about):
        table_id = match(cast.north)
        self.finish(table_id)
        open_by(cast.north)
        self.again(table_id)
        assert phase(table_id) == Table.Phase.CLOSED


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_of_two_people_one_gets_the_seat_and_the_other_is_told(self, cast):
        table_id = open_by(cast.north)
        results = at_once(
            *(
                lambda player=player: seating.sit(table_id=table_id, player_id=player.pk, index=1)
                for player in (cast.east, cast.south)
            )
        )
        assert sorted(map(str, results)) == ["None", "Somebody took that seat before you. Pick another one."]
        assert sitting(table_id)[1] in ("East", "South")

    def test_of_two_people_one_gets_the_last_seat_and_the_game_begins_once(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk)
        seating.sit(table_id=table_id, player_id=cast.south.pk)
        results = at_once(
            *(
                lambda player=player: seating.sit(table_id=table_id, player_id=player.pk)
                for player in (cast.west, cast.stranger)
            )
        )
        assert sorted(map(str, results)) == [
            "None", f"The game at Table {table_id} has begun. You can watch it.",
        ]  # fmt: skip
        assert Game.objects.count() == 1

    def test_one_person_at_two_tables_gets_one_seat(self, cast):
        """Complaint: a player grabs two seats in a window of a second or two."""
        first, second = open_by(cast.north), open_by(cast.east)
        results = at_once(
            *(
                lambda table_id=table_id: seating.sit(table_id=table_id, player_id=cast.south.pk)
                for table_id in (first, second)
            )
        )
        assert [type(result) for result in results if result is not None] == [SeatHeld]
        assert Seat.objects.filter(player=cast.south).count() == 1

    def test_a_double_click_on_deal_me_in_seats_once(self, cast, bots_about):
        results = at_once(*(lambda: match(cast.north) for _click in range(3)))
        assert len(set(results)) == 1
        assert Table.objects.count() == Game.objects.count() == 1

    def test_newcomers_at_the_same_moment_meet(self, cast, bots_about):
        everybody = (cast.north, cast.east, cast.south, cast.west)
        for player in everybody:
            stands_in_lobby(player)
        results = at_once(*(lambda player=player: match(player) for player in everybody))
        assert len(set(results)) == 1
        assert Game.objects.count() == 1

    def test_several_workers_fill_a_table_once(self, cast, bots_about):
        stands_in_lobby(cast.east)
        match(cast.north)
        now = timezone.now() + timedelta(seconds=30)
        assert at_once(*(lambda: seating.fill_due(now) for _worker in range(3))) == [None] * 3
        assert Game.objects.count() == 1
