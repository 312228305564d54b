"""The API: what anybody may read, what a program does with a token, and how everything else is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from games import engine
from games.api import limits, v1
from games.models import Game, Participation, Player, Seat, Table
from games.selectors import tables
from games.services import presence, reserved, seating
from games.services.programs import make_token
from tests.factories import play_game
from tests.services.conftest import bots_about, cast, choices, on_turn, submit, table  # noqa: F401
from tests.web.programs import ROOT, Program, assert_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_has_asked_yet() -> Iterator[None]:
    limits.BY_ADDRESS.forget()
    limits.BY_PERSON.forget()
    yield
    limits.BY_ADDRESS.forget()
    limits.BY_PERSON.forget()


@pytest.fixture
def anybody() -> Program:
    return Program()


@pytest.fixture
def friendly(cast) -> int:  # noqa: F811
    """A friendly table at which north (0), east (1), south (2) and west (3) have begun a game."""
    table_id = seating.open_table(host=cast.north, ranked=False, pace=20, rules="article")
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    return table_id


@pytest.fixture
def four(cast) -> list[Program]:  # noqa: F811
    """The programs of north, east, south and west."""
    return [Program(player) for player in (cast.north, cast.east, cast.south, cast.west)]


# --- reading --------------------------------------------------------------------------------------


class TestReading:
    def test_the_standings_are_those_of_the_page(self, anybody: Program, cast):  # noqa: F811
        for seed in range(3):
            play_game([cast.north, cast.east, cast.south, cast.west], seed=seed)
        page = json.loads(Client().get("/standings/?format=json&period=all").content)["players"]
        said = anybody.get("/standings", period="all")
        assert [row["name"] for row in said["players"]] == [row["name"] for row in page]
        assert said["players"] == page
        assert (said["total"], said["page"], said["pages"]) == (4, 1, 1)
        assert [row["name"] for row in anybody.get("/standings", q="nor")["players"]] == ["North"]
        assert anybody.get("/standings", min="10")["players"] == []
        assert anybody.get("/standings", pool="bots")["players"] == []

    def test_a_player_is_found_in_any_spelling_and_his_record_is_told(self, anybody: Program, cast):  # noqa: F811
        play_game([cast.north, cast.east, cast.south, cast.west], winner=0)
        said = anybody.get("/players/N0RTH", period="all")
        assert said["name"] == "North"
        assert said["rating"] > 0
        assert (said["record"]["games"], said["record"]["won"]) == (1, 1)
        assert said["bot"] == ""
        anybody.get("/players/nobody-at-all", 404)

    def test_games_are_listed_by_player_with_what_they_did(self, anybody: Program, cast):  # noqa: F811
        everybody = [cast.north, cast.east, cast.south, cast.west]
        first, other = play_game(everybody, winner=0), play_game([*everybody[:3], cast.stranger], ranked=False)
        assert {game["id"] for game in anybody.get("/games")["games"]} == {first.pk, other.pk}
        (only,) = anybody.get("/games", player="west")["games"]
        assert only == anybody.get(f"/games/{first.pk}")
        assert [seat["player"] for seat in only["seats"]] == ["North", "East", "South", "West"]
        assert only["seats"][0]["won"] and only["seats"][0]["change"] > 0
        assert only["score"][0] >= 10
        assert anybody.get(f"/games/{other.pk}")["seats"][0]["change"] is None
        anybody.get("/games", 404, player="nobody-at-all")

    def test_games_of_private_tables_are_there_for_those_who_played_them(self, anybody: Program, cast, four):  # noqa: F811
        game = play_game([cast.north, cast.east, cast.south, cast.west], ranked=False)
        Table.objects.filter(pk=game.table_id).update(private=True)
        assert anybody.get("/games")["games"] == []
        assert anybody.get("/games", player="North")["games"] == []
        anybody.get(f"/games/{game.pk}", 404)
        anybody.get(f"/games/{game.pk}/record", 404)
        Program(cast.stranger).get(f"/games/{game.pk}", 404)
        assert four[3].get(f"/games/{game.pk}") == four[0].get("/games")["games"][0]
        assert four[0].client.get(f"{ROOT}/games/{game.pk}/record", headers=four[0].headers).status_code == 200

    def test_a_record_is_the_file_of_the_replay(self, anybody: Program, cast):  # noqa: F811
        game = play_game([cast.north, cast.east, cast.south, cast.west])
        text = anybody.client.get(f"{ROOT}/games/{game.pk}/record")
        assert text.headers["Content-Type"].startswith("text/plain")
        assert text.content == anybody.client.get(f"/games/{game.pk}/record/").content
        egn = anybody.client.get(f"{ROOT}/games/{game.pk}/record.egn.json")
        assert json.loads(egn.content)["metadata"]

    def test_of_a_game_that_is_played_nothing_is_told(self, anybody: Program, table: int):  # noqa: F811
        game = Game.objects.get()
        for path in (f"/games/{game.pk}", f"/games/{game.pk}/record", f"/games/{game.pk}/record.egn.json"):
            said = anybody.get(path, 404)
            assert "over" in said["message"]
        assert anybody.get("/games")["games"] == []

    def test_tables_that_wait_and_that_run_are_listed_and_no_private_ones(self, anybody: Program, cast, friendly):  # noqa: F811
        waits = seating.open_table(host=cast.stranger, ranked=True, pace=45, rules="article", title="Come in")
        said = anybody.get("/tables")
        assert [line["id"] for line in said["tables"]] == [waits, friendly]
        (line,) = anybody.get("/tables", state="open")["tables"]
        assert (line["title"], line["phase"], line["pace"]) == ("Come in", "open", 45)
        assert [seat["player"] for seat in line["seats"]] == ["Stranger", None, None, None]
        (line,) = anybody.get("/tables", state="running")["tables"]
        assert line["score"] == [0, 0]
        Table.objects.filter(pk=friendly).update(watchable=False)
        Table.objects.filter(pk=waits).update(private=True)
        assert anybody.get("/tables")["tables"] == []

    def test_no_answer_holds_an_e_mail(self, anybody: Program, cast, friendly):  # noqa: F811
        """complaints.md: e-mail addresses leak through an API."""
        Player.objects.update(email="north@example.org")
        game = play_game([cast.north, cast.east, cast.south, cast.west])
        token = {"Authorization": f"Bearer {make_token(player_id=cast.north.pk, name='x')}"}
        paths = ["/standings?period=all", "/players/north", "/games", f"/games/{game.pk}", f"/games/{game.pk}/record"]
        for path in [*paths, "/tables", f"/tables/{friendly}", "/me"]:
            answer = anybody.client.get(ROOT + path, headers=token)
            assert answer.status_code == 200
            assert b"@" not in answer.content

    @pytest.mark.parametrize(
        "path", ["/standings?period=all", "/games", "/games?player=North", "/tables", "/players/North"]
    )
    def test_a_list_takes_the_same_queries_at_one_and_at_three(self, anybody: Program, cast, path: str):  # noqa: F811
        def add(count: int) -> None:
            for _number in range(count):
                play_game([cast.north, cast.east, cast.south, cast.west])
                Seat.objects.filter(held=True).update(held=False)
                seating.open_table(host=cast.north, ranked=False, pace=20, rules="article")

        def queries() -> int:
            with CaptureQueriesContext(
                connection,
            ) as made:
                assert anybody.client.get(ROOT + path).status_code == 200
            return len(made)

        add(1)
        one = queries()
        add(2)
        assert queries() == one <= 5

    def test_a_table_takes_the_same_queries_for_seat_and_watcher_at_any_time(
        self, anybody: Program, friendly, four, django_assert_max_num_queries
    ):  # fmt: skip
        with django_assert_max_num_queries(2):
            anybody.get(f"/tables/{friendly}")
        four[0].get(f"/tables/{friendly}")
        with django_assert_max_num_queries(4):
            four[0].get(f"/tables/{friendly}")


# --- a table --------------------------------------------------------------------------------------


class TestATable:
    def test_a_watcher_gets_what_the_engine_lets_a_watcher_know(self, anybody: Program, friendly: int):
        submit(friendly, on_turn(friendly), "pass")
        said, row = anybody.get(f"/tables/{friendly}"), tables.read_row(friendly)
        seen = engine.view(row.deal(), None)
        assert said["own"] is None
        assert said["deal"]["up_card"] == seen.up_card
        assert said["deal"]["counts"] == list(seen.counts)
        assert said["deal"]["history"] == [{"seat": (row.dealer + 1) % 4, "action": "pass"}]
        assert (said["turn"], said["phase"], said["version"]) == (row.turn, "bid1", row.version)
        assert [seat["player"] for seat in said["seats"]] == ["North", "East", "South", "West"]

    def test_a_seat_gets_its_hand_and_whose_turn_it_is_what_it_may_do(self, friendly: int, four: list[Program]):
        row = tables.read_row(friendly)
        for place, program in enumerate(four):
            said = program.get(f"/tables/{friendly}")
            seen = engine.view(row.deal(), place)
            assert said["own"]["seat"] == place
            assert said["own"]["hand"] == list(seen.hand)
            assert said["own"]["legal_actions"] == (["pass", "order_up"] if place == row.turn else [])
            assert said["own"]["commands"] == ["leave"]
            assert 0 < said["seconds_left"] <= 21

    def test_at_a_ranked_table_a_program_sees_what_a_watcher_sees(self, anybody, table: int, four: list[Program]):  # noqa: F811
        watched = anybody.get(f"/tables/{table}")
        said = four[0].get(f"/tables/{table}")
        assert said["own"] is None
        assert said["deal"] == watched["deal"]

    def test_who_looks_at_his_table_is_there(self, friendly: int, four: list[Program]):
        Seat.objects.filter(index=0).update(lost_at=timezone.now())
        Table.objects.update(roster=1000)
        four[0].get(f"/tables/{friendly}")
        assert Seat.objects.get(index=0).lost_at is None

    def test_a_private_table_is_not_there_and_an_unwatchable_one_refuses(self, anybody, friendly, four):
        Table.objects.update(watchable=False)
        assert anybody.get(f"/tables/{friendly}", 403)["error"] == "not_watchable"
        assert four[0].get(f"/tables/{friendly}")["own"]["seat"] == 0
        Table.objects.update(watchable=True, private=True, code="abc")
        assert anybody.get(f"/tables/{friendly}", 404)["error"] == "not_found"
        assert anybody.get("/tables/987654", 404)["message"] == "There is no such table."
        assert four[0].get(f"/tables/{friendly}")["own"]["seat"] == 0


# --- playing --------------------------------------------------------------------------------------


class TestPlaying:
    def test_four_programs_play_a_whole_game_and_it_says_so(self, friendly: int, four, anybody, monkeypatch):
        monkeypatch.setattr(limits.BY_PERSON, "burst", 10**6)
        state = self._play(friendly, four)
        assert state["winner"] in (0, 1)
        assert max(state["score"]) >= 10
        game = anybody.get(f"/games/{state['game']}")
        assert all(seat["program"] and not seat["bot"] for seat in game["seats"])
        assert game["score"] == state["score"]
        assert all(seat["change"] is None for seat in game["seats"])
        assert Client().get(f"/games/{game['id']}/").content.decode().count("a program played") == 4

    def _play(self, table_id: int, four: list[Program]) -> dict[str, Any]:
        state = four[0].get(f"/tables/{table_id}")
        for _move in range(2000):
            if state["phase"] == "over":
                return state
            if state["phase"] == "between":
                for program in four:
                    state = program.post(f"/tables/{table_id}/act", {"action": "next"})
                    if state["phase"] != "between":
                        break
                continue
            program = four[state["turn"]]
            own = program.get(f"/tables/{table_id}")["own"]
            chosen = next(
                (one for one in ("order_up", "together") if one in own["legal_actions"]), own["legal_actions"][0]
            )
            state = program.act(table_id, chosen)
        raise AssertionError("the game has no end")

    def test_who_acts_by_token_is_marked_before_anybody_answers(self, friendly: int, four: list[Program], cast):  # noqa: F811
        place = tables.read_row(friendly).turn
        assert not Seat.objects.filter(program=True).exists()
        said = four[place].act(friendly, "pass")
        assert [seat["program"] for seat in said["seats"]] == [at == place for at in range(4)]
        assert list(Participation.objects.filter(program=True).values_list("seat", flat=True)) == [place]
        page = Client().get(f"/tables/{friendly}/").content.decode()
        assert page.count("Program<span") == 1

    def test_what_is_refused_marks_nobody(self, friendly: int, four: list[Program]):
        place = tables.read_row(friendly).turn
        four[(place + 1) % 4].act(friendly, "pass", 409)
        four[place].act(friendly, "play:9C", 409)
        assert not Seat.objects.filter(program=True).exists()

    def test_the_mark_goes_with_who_gets_up_and_moves_with_who_moves(self, cast, four, bots_about):  # noqa: F811
        table_id = seating.open_table(host=cast.stranger, ranked=False, pace=20, rules="article")
        said = four[0].post(f"/tables/{table_id}/sit", {"seat": 1})
        assert [seat["program"] for seat in said["seats"]] == [False, True, False, False]
        said = four[0].post(f"/tables/{table_id}/sit", {"seat": 2})
        assert [seat["program"] for seat in said["seats"]] == [False, False, True, False]
        assert said["own"]["commands"] == ["bots", "leave"]
        four[0].post(f"/tables/{table_id}/leave", status=204)
        assert not Seat.objects.filter(program=True).exists()

    def test_quick_match_sits_down_and_bots_come_when_asked(self, cast, four, bots_about):  # noqa: F811
        seating.look_in(player=cast.stranger, now=timezone.now())  # somebody to wait for
        said = four[0].post("/quick-match", {"pace": 45, "stick": "yes"})
        assert (said["phase"], said["ranked"], said["pace"]) == ("open", False, 45)
        assert four[0].get("/me") == {"name": "North", "table": said["id"]}
        assert four[0].post("/quick-match", {})["id"] == said["id"], "who has a seat is sent back to it"
        said = four[0].post(f"/tables/{said['id']}/bots")
        assert sum(seat["bot"] for seat in said["seats"]) == 3
        assert sum(seat["program"] for seat in said["seats"]) == 1
        assert Participation.objects.get(program=True).player == cast.north

    def test_two_programs_meet_by_quick_match(self, cast, four, bots_about):  # noqa: F811
        seating.look_in(player=cast.stranger, now=timezone.now())
        first = four[0].post("/quick-match", {})
        second = four[1].post("/quick-match", {})
        assert first["id"] == second["id"]
        assert sum(seat["program"] for seat in second["seats"]) == 2

    def test_a_seat_that_a_bot_keeps_is_taken_back(self, friendly: int, four: list[Program], cast):  # noqa: F811
        presence.leave(table_id=friendly, player_id=cast.north.pk)
        said = four[0].get(f"/tables/{friendly}")
        assert said["own"]["commands"] == ["take_back"]
        assert said["own"]["legal_actions"] == []
        said = four[0].post(f"/tables/{friendly}/take-back")
        assert not said["seats"][0]["kept_by_bot"]
        assert said["seats"][0]["program"]

    def test_the_win_is_offered_to_a_program_too_when_the_other_side_has_left(self, friendly: int, four, cast):  # noqa: F811
        for player in (cast.east, cast.west):
            presence.leave(table_id=friendly, player_id=player.pk)
        said = four[0].get(f"/tables/{friendly}")
        assert said["win_offered"] == 0
        assert said["own"]["commands"] == ["leave", "take_win", "play_on"]
        assert four[1].get(f"/tables/{friendly}")["own"]["commands"] == ["take_back"]
        for program in (four[0], four[2]):
            said = program.act(friendly, "take_win")
        assert (said["phase"], said["winner"]) == ("over", 0)

    def test_a_private_table_takes_who_brings_its_code(self, cast, four):  # noqa: F811
        table_id = seating.open_table(host=cast.stranger, ranked=False, pace=20, rules="article", private=True)
        code = Table.objects.get().code
        four[0].refused(four[0].send(f"/tables/{table_id}/sit", {"code": "wrong"}), 409, "refused")
        assert four[0].post(f"/tables/{table_id}/sit", {"code": code})["own"]["seat"] in (1, 2, 3)

    def test_going_alone_goes_with_the_call(self, friendly: int, four: list[Program]):
        place = tables.read_row(friendly).turn
        said = four[place].act(friendly, "order_up", alone=True)
        while said["phase"] == "exchange":
            dealer = four[said["turn"]]
            said = dealer.act(friendly, dealer.get(f"/tables/{friendly}")["own"]["legal_actions"][0])
        assert said["deal"]["loners"] == [place]


class TestRefusals:
    @pytest.mark.parametrize("action", ["pass", "next", "leave", "take_back", "sit", "bots", "ask_alone:on"])
    def test_programs_do_not_play_ranked_games(self, table: int, four: list[Program], action: str):  # noqa: F811
        """complaints.md: bots farmed for rating."""
        before = tables.read_row(table)
        for program in four:
            said = program.refused(program.send(f"/tables/{table}/act", {"action": action}), 403, "people_only")
            assert "ranked" in said["message"]
        assert tables.read_row(table) == before

    def test_nor_do_they_look_for_one_or_sit_down_for_one(self, cast, four):  # noqa: F811
        waits = seating.open_table(host=cast.stranger, ranked=True, pace=20, rules="article")
        four[0].refused(four[0].send("/quick-match", {"ranked": True}), 403, "people_only")
        four[0].refused(four[0].send(f"/tables/{waits}/sit", {}), 403, "people_only")
        seating.sit(table_id=waits, player_id=cast.north.pk)
        four[0].refused(four[0].send("/quick-match", {}), 403, "people_only")
        assert not Seat.objects.filter(program=True).exists()

    def test_nor_games_of_events(self, cast, four):  # noqa: F811
        players = tuple(player.pk for player in (cast.north, cast.east, cast.south, cast.west))
        booking = reserved.Booking(title="Final", rules="article", pace=20, ranked=False, seats=players)
        (table_id,) = reserved.reserve([booking])
        four[0].refused(four[0].send(f"/tables/{table_id}/sit", {}), 403, "people_only")

    def test_a_stale_move_is_answered_with_the_table_as_it_stands(self, friendly: int, four: list[Program]):
        place = tables.read_row(friendly).turn
        body = {"action": "pass", "version": tables.read_row(friendly).version - 1}
        said = four[place].refused(four[place].send(f"/tables/{friendly}/act", body), 409, "stale_version")
        assert said["table"] == four[place].get(f"/tables/{friendly}") | {"seconds_left": said["table"]["seconds_left"]}
        assert said["table"]["own"]["seat"] == place

    def test_the_engine_says_why_by_code_and_with_the_sentence_of_the_table(self, friendly: int, four: list[Program]):
        row = tables.read_row(friendly)
        mover = four[row.turn]
        said = mover.act(friendly, "play:9C", 409)
        assert (said["error"], said["message"]) == ("wrong_phase", "Order the up-card or pass.")
        four[row.turn].act(friendly, "order_up")
        dealer = four[row.dealer]
        other = next(card for card in engine.pack() if card not in dealer.get(f"/tables/{friendly}")["own"]["hand"])
        assert dealer.act(friendly, f"discard:{other}", 409)["error"] == "not_in_hand"

    def test_others_than_the_seat_whose_turn_it_is_are_told_so(self, friendly: int, four: list[Program], cast):  # noqa: F811
        place = tables.read_row(friendly).turn
        assert "not your turn" in four[(place + 1) % 4].act(friendly, "pass", 409)["message"]
        assert "watching" in Program(cast.stranger).act(friendly, "pass", 409)["message"]

    def test_who_has_a_seat_is_told_where(self, friendly: int, four, cast):  # noqa: F811
        other = seating.open_table(host=cast.stranger, ranked=False, pace=20, rules="article")
        said = four[0].refused(four[0].send(f"/tables/{other}/sit", {}), 409, "seat_held")
        assert said["table_id"] == friendly

    def test_without_a_token_nothing_is_done(self, anybody: Program, friendly: int):
        for path in ("act", "sit", "leave", "take-back", "bots"):
            anybody.refused(anybody.send(f"/tables/{friendly}/{path}", {"action": "pass"}), 401, "token_needed")
        anybody.refused(anybody.send("/quick-match", {}), 401, "token_needed")

    def test_a_bug_of_ours_says_nothing_of_the_inside(self, anybody: Program, friendly: int, monkeypatch, caplog):
        monkeypatch.setattr(v1, "load_table", lambda _table_id: 1 / 0)
        answer = anybody.client.get(f"{ROOT}/tables/{friendly}")
        assert answer.status_code == 500
        said = json.loads(answer.content)
        assert said["error"] == "broken"
        assert "division" not in said["message"]
        assert "ZeroDivisionError" in caplog.text


class TestTooOften:
    def test_an_address_may_ask_so_often_and_is_told_how_long_to_wait(self, anybody: Program, monkeypatch):
        monkeypatch.setattr(limits.BY_ADDRESS, "burst", 3)
        monkeypatch.setattr(limits.BY_ADDRESS, "per_second", 1e-3)
        for _number in range(3):
            anybody.get("/tables")
        answer = anybody.client.get(f"{ROOT}/tables")
        anybody.refused(answer, 429, "too_often")
        assert 900 <= int(answer.headers["Retry-After"]) <= 1000
        anybody.refused(anybody.client.get(f"{ROOT}/no/such/address"), 429, "too_often")

    def test_all_addresses_of_a_network_are_one_caller(self, anybody: Program, monkeypatch):
        """Of IPv6 everybody has 2**64 of them."""
        monkeypatch.setattr(limits.BY_ADDRESS, "burst", 2)
        monkeypatch.setattr(limits.BY_ADDRESS, "per_second", 1e-3)
        answers = [
            anybody.client.get(f"{ROOT}/tables", REMOTE_ADDR=address).status_code
            for address in ("2001:db8::1", "2001:db8::2", "2001:db8::ffff:3", "2001:db8:0:1::1", "::ffff:198.51.100.1")
        ]
        assert answers == [200, 200, 429, 200, 200]

    def test_a_person_is_counted_by_himself_wherever_he_asks_from(self, cast, monkeypatch, anybody: Program):  # noqa: F811
        monkeypatch.setattr(limits.BY_PERSON, "burst", 2)
        monkeypatch.setattr(limits.BY_PERSON, "per_second", 1e-3)
        north, also_north, east = Program(cast.north), Program(cast.north), Program(cast.east)
        north.get("/me")
        also_north.get("/me")
        north.refused(north.send("/quick-match", {}), 429, "too_often")
        east.get("/me")
        anybody.get("/tables")

    def test_guessing_tokens_is_counted_for_the_address(self, monkeypatch):
        monkeypatch.setattr(limits.BY_ADDRESS, "burst", 2)
        monkeypatch.setattr(limits.BY_ADDRESS, "per_second", 1e-3)
        answers = [Client().get(f"{ROOT}/me", headers={"Authorization": "Bearer guess"}).status_code for _ in range(3)]
        assert answers == [401, 401, 429]

    def test_what_is_remembered_of_callers_has_an_end(self, monkeypatch):
        rate = limits.Rate("test", burst=1, per_second=1e-3)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "KNOWN", 5)
            patch.setattr(limits, "_valkey", lambda: redis.Redis(unix_socket_path="/nowhere"))
            assert [rate.wait(caller) for caller in range(20)] == [0] * 20
            assert len(rate._credits) == 5
            assert rate.wait(19) > 0

    def test_all_processes_count_together_and_each_for_itself_while_valkey_is_away(self, monkeypatch):
        one, other = (limits.Rate("test", burst=3, per_second=1e-3) for _process in range(2))
        assert [process.wait("South") for process in (one, other, one)] == [0, 0, 0]
        assert 900 < other.wait("South") <= 1000
        assert other.wait("East") == 0
        with monkeypatch.context() as patch:
            patch.setattr(limits, "_valkey", lambda: redis.Redis(unix_socket_path="/nowhere"))
            assert [other.wait("South") for _request in range(3)] == [0, 0, 0]
            assert other.wait("South") > 900
        assert other.wait("East") == 0  # of its own count still
        assert one.wait("South") > 900
        one.forget()
        assert one.wait("South") == 0
        one.forget()


# --- whatever comes -------------------------------------------------------------------------------

READ = (
    "/standings", "/players/North", "/games", "/games/1", "/games/1/record", "/games/1/record.egn.json", "/tables",
    "/tables/1", "/me",
)  # fmt: skip
ACT = ("/quick-match", "/tables/{}/sit", "/tables/{}/act")
BARE = ("/tables/{}/bots", "/tables/{}/take-back", "/tables/{}/leave")

BODIES = [
    b"", b" ", b"null", b"[]", b"3", b'"pass"', b"true", b"not json", b"{", b'{"action"}', b"\xff\xfe", b"\x00",
    b"[" * 4000, b'{"a":' * 700, b"NaN", b'{"version": NaN}', b'{"action": "pass", "version": ' + b"9" * 4000 + b"}",
    b'{"nothing": 1}', b'{"action": null, "seat": "x", "pace": 7}', b'{"action": [], "seat": [], "pace": []}',
    b'{"action": {}, "seat": {}, "pace": {}}', b'{"action": "\\ud800", "seat": 9, "stick": "\\ud800"}',
    b'{"action": "' + b"x" * 3000 + b'", "seat": -1, "bots": "' + b"x" * 900 + b'"}',
    b'{"action": "pass", "version": -1, "seat": 1.5, "pace": "20 "}',
    b'{"action": "pass", "version": 1e99, "seat": 4, "bots": "no such"}',
    b'{"action": "pass", "alone": "perhaps", "code": 7, "ranked": "maybe"}',
]  # fmt: skip
QUERIES = [
    "page=0", "page=-1", "page=x", "page=1e9", "page=99999999999999999999999", "page=", "page=%00", "pool=all",
    "period=%FF",
    "min=2", "min=-1", "people=perhaps", "q=" + "x" * 400, "state=closed", "player=" + "x" * 400, "player=%00",
]  # fmt: skip
ADDRESSES = [
    "/api/v1", "/api/v1/", "/api/v2/tables", "/api/x", "/api/v1/tables/", "/api/v1/tables/x", "/api/v1/tables/-1",
    "/api/v1/tables/%D9%A3", "/api/v1/tables/1/x", "/api/v1/tables/" + "9" * 19, "/api/v1/tables/" + "9" * 18,
    "/api/v1/games/" + "9" * 18, "/api/v1/players/", "/api/v1/players/a/b", "/api/v1/players/%00",
    "/api/v1/players/%2e%2e",
    "/api/v1/players/" + "x" * 500, "/api/v1/docs", "/api/v1/tables/1/stream/x", "/api//v1/tables", "/api/v1/me/",
]  # fmt: skip


class TestWhateverComes:
    """Each of some three hundred calls is refused with a sentence, and none breaks anything."""

    @pytest.fixture(autouse=True)
    def without_limits(self, monkeypatch) -> None:
        monkeypatch.setattr(limits.BY_PERSON, "burst", 10**6)
        monkeypatch.setattr(limits.BY_ADDRESS, "burst", 10**6)

    def test_bodies_that_are_nothing(self, cast, four, friendly: int):  # noqa: F811
        before = tables.read_row(friendly)
        for path, body in product(ACT, BODIES):
            answer = four[0].client.post(
                ROOT + path.format(friendly), body, content_type="application/json", headers=four[0].headers
            )
            assert_refusal(answer)
        assert tables.read_row(friendly) == before

    def test_bodies_of_another_kind_or_too_long(self, four, friendly: int):
        for path, kind in product(
            (*ACT, *BARE), ("text/plain", "multipart/form-data; boundary=x", "application/xml", "x")
        ):
            answer = four[0].client.post(
                ROOT + path.format(friendly), b'{"action": "pass"}', content_type=kind, headers=four[0].headers
            )
            four[0].refused(answer, 415, "not_json")
        for path in (*ACT, *BARE):
            answer = four[0].client.post(
                ROOT + path.format(friendly), b" " * 5000, content_type="application/json", headers=four[0].headers
            )
            four[0].refused(answer, 413, "too_long")
            answer = four[0].client.generic(
                "POST", ROOT + path.format(friendly), b"", content_type="application/json",
                headers=four[0].headers | {"Transfer-Encoding": "chunked"},
            )  # fmt: skip
            four[0].refused(answer, 411, "length_required")

    def test_other_methods(self, four, friendly: int):
        for path, method in product(READ, ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")):
            answer = four[0].client.generic(method, ROOT + path, headers=four[0].headers)
            four[0].refused(answer, 405, "method_not_allowed")
            assert answer.headers["Allow"] == "GET"
        for path, method in product((*ACT, *BARE), ("GET", "PUT", "DELETE", "OPTIONS")):
            answer = four[0].client.generic(method, ROOT + path.format(friendly), headers=four[0].headers)
            four[0].refused(answer, 405, "method_not_allowed")

    def test_addresses_that_are_not_there(self, anybody: Program):
        for address in ADDRESSES:
            answer = anybody.client.get(address)
            assert answer.status_code == 404, address
            assert_refusal(answer)
            assert anybody.client.post(address, b"{}", content_type="application/json").status_code in (404, 405), (
                address
            )

    def test_queries_that_are_nothing(self, anybody: Program, cast):  # noqa: F811
        refused = 0
        for path, query in product(("/standings", "/games", "/tables", "/players/North"), QUERIES):
            answer = anybody.client.get(f"{ROOT}{path}?{query}")
            if answer.status_code != 200:  # a field that this address does not know is passed over
                assert_refusal(answer)
                refused += 1
        assert refused > 25

    def test_actions_that_are_nothing(self, four, friendly: int):
        before = tables.read_row(friendly)
        for action in ("", " ", "sit:9", "play:XX", "call:Z", "nonce", "play:", ":", "pass:H", "\u0000", "PASS"):
            answer = four[before.turn].send(f"/tables/{friendly}/act", {"action": action, "version": before.version})
            four[0].refused(answer, 409, "refused")
        assert tables.read_row(friendly) == before


# --- what is written about it ---------------------------------------------------------------------


class TestTheDocument:
    @pytest.fixture
    def document(self, anybody: Program) -> dict[str, Any]:
        return anybody.get("/openapi.json")

    def test_every_address_in_it_is_there_and_every_address_is_in_it(self, document):
        for path, methods in document["paths"].items():
            if not path.endswith("/stream"):
                assert resolve(re.sub(r"{\w+}", "1", path)).namespaces == ["api-v1"]
            assert set(methods) <= {"get", "post"}
        assert len(document["paths"]) == 16
        names = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
        assert len(set(names)) == len(names)

    def test_whatever_it_refers_to_is_in_it(self, document):
        refers = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
        assert refers == set(document["components"]["schemas"])
        assert document["openapi"].startswith("3.1")
        assert set(document["info"]) >= {"title", "version", "description"}
        assert document["components"]["securitySchemes"]["Token"] == {"type": "http", "scheme": "bearer"}
        for methods in document["paths"].values():
            for operation in methods.values():
                assert operation["security"] in ([{"Token": []}], [{}, {"Token": []}])
                assert operation["summary"] and operation["description"] and operation["responses"]
                in_path = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
                assert all(one["required"] for one in operation["parameters"] if one["in"] == "path")
                assert in_path <= {"table_id", "game_id", "name"}

    def test_what_is_answered_is_what_it_says(self, document, anybody: Program, friendly: int, four):
        """Each state has exactly the fields of the schema, a seat's and a watcher's."""
        schemas = document["components"]["schemas"]
        for said in (anybody.get(f"/tables/{friendly}"), four[0].get(f"/tables/{friendly}")):
            assert list(said) == list(schemas["TableState"]["properties"])
            assert list(said["deal"]) == list(schemas["DealState"]["properties"])
            assert list(said["seats"][0]) == list(schemas["SeatState"]["properties"])
        assert list(said["own"]) == list(schemas["OwnSeat"]["properties"])

    def test_it_tells_who_may_play_what_and_how_long_a_version_lasts(self, document):
        for words in ("friendly games only", "Retry-After", "version 1 stays for a year"):
            assert words in document["info"]["description"]


class TestThePage:
    @pytest.fixture
    def written(self) -> str:
        answer = Client().get("/api/")
        assert answer.status_code == 200
        return answer.content.decode()

    def test_it_lists_every_address_and_links_lead_somewhere(self, written: str, anybody: Program):
        for path in anybody.get("/openapi.json")["paths"]:
            assert path.replace("{", "&#123;") in written or path in written
        ids = set(re.findall(r' id="([^"]+)"', written))
        assert set(re.findall(r'href="#([^"]+)"', written)) <= ids
        assert written.count("<h1") == 1
        assert "<script>" not in written
        assert " style=" not in written

    def test_it_shows_the_example_which_is_short_and_needs_only_python(self, written: str):
        text = (settings.BASE_DIR / "docs" / "example_client.py").read_text()
        assert len(text.splitlines()) <= 50
        assert "urllib.request.urlopen" in written
        assert set(re.findall(r"^import (\w+)", text, re.MULTILINE)) == {"json", "sys", "time", "urllib"}

    def test_every_page_leads_there(self):
        assert 'href="/api/"' in Client().get("/fair-play/").content.decode()
