"""Friends, partners by wish, people who are never seated together."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Block, Friendship, Player, Seat, Table
from games.selectors import lobby, tables
from games.selectors import people as selectors
from games.services import people, presence, seating
from games.services.errors import UserError
from tests.services.conftest import at_once

pytestmark = pytest.mark.django_db

STRANGER = "You cannot sit at this table. Pick another one in the lobby."


def befriend(one: Player, other: Player) -> None:
    people.ask(player_id=one.pk, other_id=other.pk)
    people.ask(player_id=other.pk, other_id=one.pk)


def stands_in_lobby(*players: Player) -> None:
    Player.objects.filter(pk__in=[player.pk for player in players]).update(seen_at=timezone.now())


def match(player: Player, **wishes) -> int:
    return seating.quick_match(player_id=player.pk, **({"ranked": False, "pace": 20, "stick": "no"} | wishes))


def open_by(host: Player, **wishes) -> int:
    wishes = {"ranked": False, "pace": 20, "rules": "article"} | wishes
    return seating.open_table(host=host, **wishes)


def seat_of(table_id: int, player: Player) -> Seat:
    return Seat.objects.get(table_id=table_id, player=player)


class TestFriends:
    def test_who_is_asked_and_asks_back_is_a_friend(self, cast):
        assert people.ask(player_id=cast.north.pk, other_id=cast.south.pk) is False
        assert selectors.read_relation(cast.north.pk, cast.south.pk).state == "asked"
        assert selectors.read_relation(cast.south.pk, cast.north.pk).state == "asking"
        assert selectors.requests_to(cast.south.pk) == 1
        assert people.ask(player_id=cast.south.pk, other_id=cast.north.pk) is True
        assert selectors.are_friends(cast.north.pk, cast.south.pk)
        assert selectors.read_relation(cast.north.pk, cast.south.pk).state == "friends"

    def test_asking_twice_is_asking_once(self, cast):
        for _time in range(2):
            people.ask(player_id=cast.north.pk, other_id=cast.south.pk)
        assert Friendship.objects.count() == 1

    def test_a_request_is_declined_and_a_friendship_ended_by_either(self, cast):
        people.ask(player_id=cast.north.pk, other_id=cast.south.pk)
        people.part(player_id=cast.south.pk, other_id=cast.north.pk)
        assert not Friendship.objects.exists()
        befriend(cast.north, cast.south)
        people.part(player_id=cast.north.pk, other_id=cast.south.pk)
        assert not selectors.are_friends(cast.south.pk, cast.north.pk)

    def test_nobody_is_a_friend_of_himself_or_of_a_bot(self, cast, bots_about):
        with pytest.raises(UserError, match="That is you"):
            people.ask(player_id=cast.north.pk, other_id=cast.north.pk)
        with pytest.raises(UserError, match="Clover is a bot"):
            people.ask(player_id=cast.north.pk, other_id=bots_about[0].pk)

    def test_requests_that_wait_are_limited(self, cast, monkeypatch):
        monkeypatch.setattr(people, "MOST_WAITING", 1)
        people.ask(player_id=cast.north.pk, other_id=cast.south.pk)
        with pytest.raises(UserError, match="Many of your requests"):
            people.ask(player_id=cast.north.pk, other_id=cast.east.pk)

    def test_where_friends_are_is_known_and_how_to_get_there(self, cast):
        for friend in (cast.east, cast.south, cast.west, cast.stranger):
            befriend(cast.north, friend)
        stands_in_lobby(cast.south)
        waiting = open_by(cast.east)
        open_by(cast.west, private=True)
        found = {friend.player.name: friend for friend in selectors.read_friends(cast.north.pk, timezone.now())}
        assert (found["South"].where, found["Stranger"].where) == ("lobby", "away")
        assert (found["East"].where, found["East"].way, found["East"].table_id) == ("waiting", "join", waiting)
        assert (found["West"].where, found["West"].way, found["West"].table_id) == ("waiting", "", None)
        assert list(found)[-1] == "Stranger"

    def test_the_list_costs_the_same_queries_however_many_they_are(self, cast, django_assert_num_queries):
        befriend(cast.north, cast.south)
        for name in ("Ada", "Ben", "Cleo"):
            befriend(cast.north, Player.objects.create_user(name))
        with django_assert_num_queries(3):
            assert len(selectors.read_people(cast.north.pk, timezone.now()).friends) == 4


class TestBlocking:
    """complaints.md: a personal mute hides everywhere."""

    def test_a_mute_is_for_reading_and_a_block_for_sitting_too(self, cast):
        people.mute(player_id=cast.north.pk, other_id=cast.east.pk)
        people.block(player_id=cast.north.pk, other_id=cast.west.pk)
        assert selectors.muted_by(cast.north.pk) == {cast.east.pk, cast.west.pk}
        assert selectors.apart_from(cast.north.pk) == {cast.west.pk}
        assert selectors.apart_from(cast.west.pk) == {cast.north.pk}
        assert selectors.muted_by(cast.west.pk) == selectors.muted_by(None) == frozenset()

    def test_muting_who_is_blocked_leaves_him_blocked(self, cast):
        people.block(player_id=cast.north.pk, other_id=cast.west.pk)
        people.mute(player_id=cast.north.pk, other_id=cast.west.pk)
        people.unmute(player_id=cast.north.pk, other_id=cast.west.pk)
        assert Block.objects.get().seats
        people.unblock(player_id=cast.north.pk, other_id=cast.west.pk)
        assert not Block.objects.exists()

    def test_a_block_ends_a_friendship_and_is_told_to_nobody(self, cast):
        befriend(cast.north, cast.west)
        people.block(player_id=cast.north.pk, other_id=cast.west.pk)
        assert not Friendship.objects.exists()
        assert selectors.read_relation(cast.west.pk, cast.north.pk) == selectors.Relation()
        people.ask(player_id=cast.west.pk, other_id=cast.north.pk)
        assert selectors.read_relation(cast.west.pk, cast.north.pk).state == "asked"
        assert selectors.read_people(cast.north.pk, timezone.now()).asking == ()
        assert selectors.requests_to(cast.north.pk) == 0
        with pytest.raises(UserError, match="Unblock first"):
            people.ask(player_id=cast.north.pk, other_id=cast.west.pk)

    @pytest.mark.parametrize("blocker", ["host", "comer"])
    def test_neither_sits_at_the_table_of_the_other_and_the_sentence_is_the_same(self, cast, blocker):
        pair = (cast.north, cast.east) if blocker == "host" else (cast.east, cast.north)
        people.block(player_id=pair[0].pk, other_id=pair[1].pk)
        table_id = open_by(cast.north)
        with pytest.raises(UserError) as refused:
            seating.sit(table_id=table_id, player_id=cast.east.pk)
        assert str(refused.value) == STRANGER
        assert not Seat.objects.filter(player=cast.east).exists()

    @pytest.mark.parametrize("blocker", ["first", "second"])
    def test_quick_match_gives_them_two_tables(self, cast, bots_about, blocker):
        pair = (cast.north, cast.east) if blocker == "first" else (cast.east, cast.north)
        people.block(player_id=pair[0].pk, other_id=pair[1].pk)
        stands_in_lobby(cast.stranger)
        assert match(cast.north) != match(cast.east)
        assert match(cast.south) in (match(cast.north), match(cast.east))

    def test_a_mute_keeps_nobody_apart(self, cast):
        people.mute(player_id=cast.north.pk, other_id=cast.east.pk)
        stands_in_lobby(cast.stranger)
        assert match(cast.north) == match(cast.east)

    def test_quick_match_costs_the_same_queries_however_many_are_blocked(
        self, cast, bots_about, django_assert_max_num_queries
    ):
        stands_in_lobby(cast.stranger)
        match(cast.north)
        for number in range(4):
            other = Player.objects.create_user(f"Other {chr(65 + number)}")
            people.block(player_id=cast.east.pk, other_id=other.pk)
            open_by(other)
        with django_assert_max_num_queries(24):
            match(cast.east)


class TestPartners:
    """complaints.md: random rated tables never seat friends as partners; friendly ones do, if both wish."""

    @pytest.fixture(autouse=True)
    def _friends(self, cast, bots_about):
        befriend(cast.north, cast.south)
        stands_in_lobby(cast.south, cast.stranger)

    def test_the_seat_opposite_is_kept_and_taken_by_one_click(self, cast, settings):
        table_id = match(cast.north, partner_id=cast.south.pk)
        own, kept = seat_of(table_id, cast.north), seat_of(table_id, cast.south)
        assert (own.index + 2) % 4 == kept.index
        assert (own.held, kept.held) == (True, False)
        resume = lobby.read_resume(cast.south.pk)
        assert (resume.state, resume.asker, resume.table_id, resume.held) == ("kept", "North", table_id, False)
        seating.sit(table_id=table_id, player_id=cast.south.pk)
        assert seat_of(table_id, cast.south).index == kept.index
        assert (seat_of(table_id, cast.south).held, seat_of(table_id, cast.south).kept_until) == (True, None)
        assert Table.objects.get(pk=table_id).phase == Table.Phase.OPEN  # somebody else is about
        assert tables.read_row(table_id).fill_at < timezone.now() + timedelta(seconds=settings.EUCHRE_FILL_AFTER + 1)

    def test_nobody_else_gets_the_seat_meanwhile(self, cast):
        table_id = match(cast.north, partner_id=cast.south.pk)
        assert match(cast.east) == match(cast.west) == table_id
        with pytest.raises(UserError, match="All seats are taken"):
            seating.sit(table_id=table_id, player_id=cast.stranger.pk)
        assert Table.objects.get(pk=table_id).phase == Table.Phase.OPEN
        seating.sit(table_id=table_id, player_id=cast.south.pk)
        assert tables.read_row(table_id).running

    def test_who_does_not_come_loses_the_seat_and_quick_match_goes_on(self, cast):
        table_id = match(cast.north, partner_id=cast.south.pk)
        later = timezone.now() + seating.KEPT + timedelta(seconds=1)
        Seat.objects.filter(held=True).update(seen_at=later)
        Player.objects.update(seen_at=None)
        seating.tidy(later)
        assert not Seat.objects.filter(player=cast.south).exists()
        assert tables.read_row(table_id).running  # nobody else is about: bots have come

    def test_who_declines_frees_the_seat_at_once(self, cast):
        table_id = match(cast.north, partner_id=cast.south.pk)
        presence.leave(table_id=table_id, player_id=cast.south.pk)
        assert not Seat.objects.filter(player=cast.south).exists()
        assert match(cast.east) == table_id

    def test_when_who_asked_goes_the_table_closes_and_keeps_nothing(self, cast):
        table_id = match(cast.north, partner_id=cast.south.pk)
        presence.leave(table_id=table_id, player_id=cast.north.pk)
        assert Table.objects.get(pk=table_id).phase == Table.Phase.CLOSED
        assert not Seat.objects.filter(player=cast.south).exists()
        assert lobby.read_resume(cast.south.pk) is None

    def test_bots_called_at_once_take_the_kept_seat_too(self, cast):
        table_id = match(cast.north, partner_id=cast.south.pk)
        seating.ask_for_bots(table_id=table_id, player_id=cast.north.pk)
        assert tables.read_row(table_id).running
        assert not Seat.objects.filter(player=cast.south).exists()

    def test_a_table_that_waits_takes_both_where_opposite_seats_are_free(self, cast):
        first = match(cast.east)
        assert match(cast.north, partner_id=cast.south.pk) == first
        second = open_by(cast.west)
        assert second != first

    @pytest.mark.parametrize("ranked", [True, False])
    def test_partners_by_wish_are_for_friends_and_friendly_games(self, cast, ranked):
        asked, said = (cast.south, "drawn by lot") if ranked else (cast.stranger, "Ask to be friends first")
        with pytest.raises(UserError, match=said):
            match(cast.north, ranked=ranked, partner_id=asked.pk)
        assert not Table.objects.exists()

    def test_a_friend_who_is_away_or_sits_elsewhere_is_not_asked(self, cast):
        Player.objects.filter(pk=cast.south.pk).update(seen_at=None)
        with pytest.raises(UserError, match="South is away just now"):
            match(cast.north, partner_id=cast.south.pk)
        open_by(cast.south)
        with pytest.raises(UserError, match="South has a seat at a table just now"):
            match(cast.north, partner_id=cast.south.pk)

    def test_whom_the_friend_has_blocked_is_not_at_their_table(self, cast):
        people.block(player_id=cast.south.pk, other_id=cast.east.pk)
        assert match(cast.north, partner_id=cast.south.pk) != match(cast.east)


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_each_other_at_once_are_friends(cast):
    at_once(
        lambda: people.ask(player_id=cast.north.pk, other_id=cast.south.pk),
        lambda: people.ask(player_id=cast.south.pk, other_id=cast.north.pk),
    )
    assert selectors.are_friends(cast.north.pk, cast.south.pk)
    assert Friendship.objects.count() == 1
