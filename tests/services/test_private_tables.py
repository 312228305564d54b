"""Tables for friends: the link, the host's choices and seats, people only."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games.models import Game, Player, Seat, Table
from games.selectors import games, lobby, players, tables
from games.services import play, presence, seating
from games.services.errors import UserError

pytestmark = pytest.mark.django_db


def open_by(host: Player, **wishes) -> int:
    wishes = {"ranked": False, "pace": 20, "rules": "article", "private": True} | wishes
    return seating.open_table(host=host, **wishes)


def code_of(table_id: int) -> str:
    return tables.read_row(table_id).code


def sitting(table_id: int) -> list[str]:
    return [seat.name for seat in tables.read_seats(table_id)]


def sit(table_id: int, player: Player, index: int | None = None) -> None:
    seating.sit(table_id=table_id, player_id=player.pk, index=index, code=code_of(table_id))


class TestTheLink:
    def test_who_has_it_sits_and_nobody_else(self, cast):
        table_id = open_by(cast.north)
        for code in ("", "abcdefghjk"):
            with pytest.raises(UserError, match="This table is private"):
                seating.sit(table_id=table_id, player_id=cast.east.pk, code=code)
        sit(table_id, cast.east, 1)
        assert sitting(table_id) == ["North", "East", "", ""]

    def test_links_differ_and_lead_to_their_table(self, cast):
        codes = {code_of(open_by(player)): player for player in cast.__dict__.values()}
        assert len(codes) == 5
        assert all(len(code) == seating.CODE_LENGTH for code in codes)
        for code, player in codes.items():
            assert tables.read_row(tables.find_private(code)).host_id == player.pk
        assert tables.find_private("") is None
        assert tables.find_private("abcdefghjk") is None

    def test_who_sits_there_moves_without_it(self, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.north.pk, index=2)
        assert sitting(table_id) == ["", "", "North", ""]

    def test_it_stands_in_no_list(self, cast, bots_about):
        table_id = open_by(cast.north)
        read = lobby.read_lobby(cast.east.pk, timezone.now())
        assert (read.open_tables, read.top) == ((), None)
        assert seating.quick_match(player_id=cast.east.pk, ranked=False, pace=20, stick="no") != table_id
        seating.ask_for_bots(table_id=table_id, player_id=cast.north.pk)
        top = lobby.read_lobby(None, timezone.now()).top
        assert top is None or top.id != table_id

    def test_its_games_are_read_by_those_who_played_them(self, cast):
        from tests.factories import play_game

        game = play_game([cast.north, cast.east, cast.south, cast.west], ranked=False)
        Table.objects.filter(pk=game.table_id).update(private=True)
        for reader, reads in ((None, False), (cast.stranger, False), (cast.south, True)):
            pk = reader and reader.pk
            assert (games.find_game(game.pk, pk) is not None) == reads
            assert bool(players.read_games(cast.north, False, 1, pk).games) == reads

    def test_who_may_look_at_it(self, cast):
        table_id = open_by(cast.north)
        table = tables.load_table(table_id)
        assert table.admits(cast.north.pk)
        assert table.admits(None, table.code)
        assert not table.admits(None)
        assert not table.admits(cast.east.pk, "abcdefghjk")


class TestTheHostsChoices:
    def test_they_are_kept_and_shown_with_the_table(self, cast):
        table_id = open_by(cast.north, pace=300, bots="none", watchable=False, patient=True)
        kept = tables.load_table(table_id)
        assert (kept.pace, kept.bots, kept.private, kept.watchable, kept.patient) == (300, "none", True, False, True)

    @pytest.mark.parametrize("choice", [{"private": True}, {"patient": True}, {"watchable": False}, {"pace": 90}])
    def test_ranked_tables_are_open_to_all_and_keep_moving(self, cast, choice):
        with pytest.raises(UserError, match="Ranked tables are open to all"):
            open_by(cast.north, **({"ranked": True, "private": False} | choice))

    def test_at_a_table_for_people_only_nobody_calls_bots(self, cast, bots_about):
        table_id = open_by(cast.north, bots="none")
        with pytest.raises(UserError, match="people only"):
            play.submit_action(table_id=table_id, player_id=cast.north.pk, action="bots")
        for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
            assert tables.read_row(table_id).fill_at is None
            sit(table_id, player, index)
        assert tables.read_row(table_id).running

    def test_where_nobody_watches_a_free_seat_is_seen_and_a_full_table_is_not(self, cast):
        table_id = open_by(cast.north, private=False, watchable=False)
        assert tables.load_table(table_id).admits(None)
        for player in (cast.east, cast.south, cast.west):
            seating.sit(table_id=table_id, player_id=player.pk)
        assert not tables.load_table(table_id).admits(cast.stranger.pk)
        assert tables.load_table(table_id).admits(cast.west.pk)


class TestTheHostsSeats:
    @pytest.fixture
    def table(self, cast) -> int:
        table_id = open_by(cast.north)
        sit(table_id, cast.east, 1)
        sit(table_id, cast.south, 2)
        return table_id

    def act(self, table_id: int, player: Player, action: str) -> None:
        play.submit_action(table_id=table_id, player_id=player.pk, action=action)

    def test_somebody_is_put_elsewhere_and_two_change_places(self, cast, table):
        Seat.objects.filter(player=cast.east).update(nonce="e" * 32)
        self.act(table, cast.north, "move:1:3")
        assert sitting(table) == ["North", "", "South", "East"]
        self.act(table, cast.north, "move:3:2")
        assert sitting(table) == ["North", "", "East", "South"]
        self.act(table, cast.north, "move:0:2")
        assert sitting(table) == ["East", "", "North", "South"]
        assert Seat.objects.get(player=cast.east).nonce == "e" * 32
        assert Seat.objects.filter(table=table, held=True).count() == 3

    def test_who_is_asked_to_get_up_may_sit_elsewhere(self, cast, table):
        self.act(table, cast.north, "up:1")
        self.act(table, cast.north, "up:1")
        assert sitting(table) == ["North", "", "South", ""]
        sit(table, cast.east, 3)
        assert sitting(table) == ["North", "", "South", "East"]

    def test_it_is_the_hosts_alone_and_passes_on_with_his_leaving(self, cast, table):
        for player in (cast.east, cast.stranger):
            with pytest.raises(UserError, match="Only the host"):
                self.act(table, player, "move:0:3")
            with pytest.raises(UserError, match="Only the host"):
                self.act(table, player, "up:0")
        presence.leave(table_id=table, player_id=cast.north.pk)
        self.act(table, cast.east, "up:2")
        assert sitting(table) == ["", "East", "", ""]
        with pytest.raises(UserError, match="Only the host"):
            self.act(table, cast.north, "up:1")

    def test_it_passes_on_with_the_rematch_of_those_who_are_still_there(self, cast):
        table = open_by(cast.north, bots="none")
        for index, player in enumerate((cast.east, cast.south, cast.west), 1):
            sit(table, player, index)
        for player in (cast.north, cast.south):
            self.act(table, player, "leave")
        for action in ("take_win", "rematch"):
            for player in (cast.east, cast.west):
                self.act(table, player, action)
        assert sitting(table) == ["", "East", "", "West"]
        self.act(table, cast.east, "move:3:0")
        assert sitting(table) == ["West", "East", "", ""]

    def test_not_once_the_game_has_begun(self, cast, table):
        sit(table, cast.west, 3)
        for action in ("move:1:3", "up:1"):
            with pytest.raises(UserError, match="has begun"):
                self.act(table, cast.north, action)

    @pytest.mark.parametrize("action", ["move", "move:1", "move:1:9", "move:a:b", "move:3:1", "up", "up:9", "up:0"])
    def test_what_makes_no_sense_is_refused_with_a_sentence(self, cast, table, action):
        with pytest.raises(UserError):
            self.act(table, cast.north, action)
        assert sitting(table) == ["North", "East", "South", ""]

    def test_at_a_quick_match_nobody_gives_seats(self, cast, bots_about):
        Player.objects.filter(pk=cast.stranger.pk).update(seen_at=timezone.now())
        table_id = seating.quick_match(player_id=cast.north.pk, ranked=False, pace=20, stick="no")
        with pytest.raises(UserError, match="Only the host"):
            self.act(table_id, cast.north, "up:1")
        assert not Game.objects.exists()
