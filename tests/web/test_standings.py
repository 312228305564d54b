"""The standings: who is on them, in which order, and one's own row."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Participation, Player, Rating
from games.names import name_key
from games.selectors import standings
from games.selectors.standings import Filters, Row, period_start, rank, read_ranking
from tests.factories import Cast, make_bots, make_cast, play_game

pytestmark = pytest.mark.django_db

NOW = timezone.now


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def bots() -> list[Player]:
    return make_bots()


def listed(client: Client, **query: str) -> list[str]:
    response = client.get("/standings/", {**query, "format": "json"})
    return [line["name"] for line in json.loads(response.content)["players"]]


def page(client: Client, **query: str) -> str:
    response = client.get("/standings/", query)
    assert response.status_code == 200
    return response.content.decode()


def crowd(count: int, games: int = 12) -> list[Player]:
    """Players with that many won games each, without playing them; later ones are rated lower."""
    have, at = Player.objects.count(), NOW()
    people = [Player(name=f"Player {have + n}", name_key=name_key(f"Player {have + n}")) for n in range(count)]
    Player.objects.bulk_create(people)
    Rating.objects.bulk_create(Rating(player=one, mu=2500 - have - n, sigma=50) for n, one in enumerate(people))
    played = Game.objects.bulk_create(
        Game(status="finished", ranked=True, pace=20, rules="article", first_dealer=0, finished_at=at)
        for _number in range(games)
    )
    Participation.objects.bulk_create(
        Participation(game=game, seat=place, player=one, won=True, finished_at=at, calls=2, euchred=1)
        for game in played
        for place, one in enumerate(people)
    )
    return people


def row(**changes: object) -> Row:
    return Row(1, "North", "north", "", 1500.0, 50.0)._replace(**changes)


class TestTheOrder:
    def test_it_goes_by_rating_less_one_deviation(self):
        lucky, steady = (
            row(player_id=1, mu=1700.0, sigma=150.0, games=20),
            row(player_id=2, mu=1640.0, sigma=40.0, games=20),
        )
        assert [(one.player_id, one.rank) for one in rank([lucky, steady])] == [(2, 1), (1, 2)]

    def test_who_has_few_games_stands_after_the_rest_without_a_rank(self):
        new, old = row(player_id=1, mu=1900.0, games=9), row(player_id=2, mu=1200.0, games=10)
        assert [(one.player_id, one.rank) for one in rank([new, old])] == [(2, 1), (1, None)]

    def test_bots_come_last_and_take_no_rank(self):
        bot, best, worst, new = (
            row(player_id=number, mu=mu, games=games, bot_level=level)
            for number, (mu, games, level) in enumerate(
                [(1700.0, 20, "fill_in"), (1600.0, 20, ""), (1400.0, 20, ""), (1650.0, 3, "")]
            )
        )
        assert [(one.player_id, one.rank, one.group) for one in rank([worst, bot, new, best])] == [
            (1, 1, "ranked"), (2, 2, "ranked"), (3, None, "new"), (0, None, "bots"),
        ]  # fmt: skip

    def test_equals_stand_in_a_fixed_order(self):
        equals = [row(player_id=number, name_key=key, games=10) for number, key in enumerate("cab")]
        assert [one.name_key for one in rank(equals)] == [one.name_key for one in rank(equals[::-1])] == ["a", "b", "c"]


class TestWhoIsOnThem:
    def test_after_one_ranked_game_all_four_are(self, client: Client, cast: Cast):
        play_game(cast.seated)
        assert sorted(listed(client)) == ["East", "North", "South", "West"]

    def test_the_result_moves_the_standings(self, client: Client, cast: Cast):
        for seed in range(3):
            play_game(cast.seated, winner=1, seed=seed)
        assert set(listed(client)[:2]) == {"East", "West"}

    def test_friendly_games_do_not_count(self, client: Client, cast: Cast):
        play_game(cast.seated, ranked=False)
        assert listed(client) == []

    def test_games_that_staff_took_back_do_not_count(self, client: Client, cast: Cast):
        play_game(cast.seated)
        Game.objects.update(voided_at=NOW())
        assert listed(client) == []

    def test_bots_stand_among_everyone_and_alone(self, client: Client, cast: Cast, bots: list[Player]):
        play_game([cast.north, *bots])
        assert sorted(listed(client)) == ["Clover", "Hazel", "North", "Otto"]
        assert sorted(listed(client, pool="bots")) == ["Clover", "Hazel", "Otto"]
        assert "badge--bot" in page(client)

    def test_games_with_bots_can_be_left_out(self, client: Client, cast: Cast, bots: list[Player]):
        play_game([cast.north, *bots])
        play_game(cast.seated)
        assert sorted(listed(client, people="1")) == ["East", "North", "South", "West"]
        lines = client.get("/standings/?people=1&format=json").json()["players"]
        assert {line["games"] for line in lines} == {1}

    def test_a_period_holds_its_games_only(self, client: Client, cast: Cast):
        play_game(cast.seated, at=NOW() - timedelta(days=200))
        assert listed(client) == listed(client, period="90days") == []
        assert len(listed(client, period="all")) == 4

    def test_a_minimum_of_games_leaves_the_others_out(self, client: Client, cast: Cast, bots: list[Player]):
        for seed in range(10):
            play_game([cast.north, *bots], seed=seed)
        play_game([cast.east, *bots])
        assert "East" not in listed(client, min="10")
        assert "North" in listed(client, min="10")

    @pytest.mark.parametrize(
        ("search", "found"), [("nor", ["North"]), ("NORTH", ["North"]), ("N0rth", ["North"]), ("zzz", [])]
    )
    def test_a_search_finds_parts_of_names_and_look_alikes(
        self, client: Client, cast: Cast, search: str, found: list[str]
    ):
        play_game(cast.seated)
        assert listed(client, q=search) == found

    def test_a_search_keeps_the_true_rank(self, client: Client):
        crowd(30)
        lines = client.get("/standings/?q=Player 17&format=json").json()["players"]
        assert [(line["name"], line["rank"]) for line in lines] == [("Player 17", 18)]

    def test_a_season_is_a_quarter(self):
        assert period_start("season", datetime(2026, 11, 30, 12, tzinfo=UTC)) == datetime(2026, 10, 1, tzinfo=UTC)
        assert period_start("season", datetime(2026, 1, 1, tzinfo=UTC)) == datetime(2026, 1, 1, tzinfo=UTC)
        assert period_start("season", datetime(2026, 6, 30, 23, 59, tzinfo=UTC)) == datetime(2026, 4, 1, tzinfo=UTC)


class TestOnesOwnRow:
    @pytest.mark.parametrize(("place", "number", "gap"), [(0, 1, False), (0, 2, True), (110, 1, True), (110, 3, False)])
    def test_it_is_in_sight_on_every_page(self, client: Client, place: int, number: int, gap: bool):
        people = crowd(120)
        client.force_login(people[place])
        text = page(client, page=str(number))
        assert text.count('id="me"') == 1
        assert ("is-gap" in text) == gap
        own = text[text.index('id="me"') :]
        assert own.index(f"<bdi>Player {place}</bdi>") < own.index("</tr>")

    def test_it_stands_above_or_below_the_page_as_it_ranks(self, client: Client):
        people = crowd(120)
        client.force_login(people[0])
        text = page(client, page="2")
        assert text.index('id="me"') < text.index("<bdi>Player 60</bdi>")
        client.force_login(people[110])
        text = page(client, page="1")
        assert text.index('id="me"') > text.index("<bdi>Player 49</bdi>")

    def test_a_link_jumps_to_its_page(self, client: Client):
        people = crowd(120)
        client.force_login(people[110])
        assert 'href="?page=3#me"' in page(client)

    @pytest.mark.parametrize("query", [{"q": "East"}, {"min": "100"}, {"pool": "bots"}, {"people": "1"}])
    def test_it_stays_when_the_filters_leave_it_out(
        self, client: Client, cast: Cast, bots: list[Player], query: dict[str, str]
    ):
        play_game([cast.north, cast.east, *bots[:2]])
        client.force_login(cast.north)
        assert page(client, **query).count('id="me"') == 1

    def test_a_stranger_to_all_games_has_none(self, client: Client, cast: Cast):
        play_game(cast.seated)
        client.force_login(cast.stranger)
        assert 'id="me"' not in page(client)
        assert "Jump to me" not in page(client)

    def test_a_player_without_a_game_in_the_period_reads_that(self, client: Client, cast: Cast):
        play_game(cast.seated, at=NOW() - timedelta(days=200))
        client.force_login(cast.north)
        assert "no ranked game in this period" in page(client)


class TestThePage:
    @pytest.mark.parametrize(
        "query",
        [
            "?pool=x&period=y&min=z&people=w&page=v&format=u",
            "?page=-1", "?page=0", "?page=999999999999999999999", "?page=1e9", "?page=%D9%A3", "?min=-5", "?min=11",
            "?q=%00", "?q=%25%5F%27%22%3Cscript%3E", "?q=" + "x" * 5000, "?pool=bots&pool=everyone", "?period[]=all",
            "?%FF=%FE", "?q=%ED%A0%80",
        ],
    )  # fmt: skip
    def test_parameters_that_make_no_sense_fall_back(self, client: Client, cast: Cast, query: str):
        play_game(cast.seated)
        response = client.get(f"/standings/{query}")
        assert response.status_code == 200
        assert "<script>alert" not in response.content.decode()

    def test_it_is_a_plain_form_without_a_script(self, client: Client, cast: Cast):
        play_game(cast.seated)
        text = page(client, pool="everyone", period="all", min="1", q="nor")
        assert '<option value="all" selected>' in text
        assert 'value="nor"' in text
        assert "<button" in text

    def test_htmx_gets_the_table_alone(self, client: Client, cast: Cast):
        play_game(cast.seated)
        response = client.get("/standings/?q=east", headers={"HX-Request": "true", "HX-Target": "section#ladder"})
        text = response.content.decode()
        assert text.startswith('<section id="ladder"')
        assert "<html" not in text
        assert 'hx-swap-oob="innerHTML">Everyone, this season: 1 player<' in text
        assert "HX-Target" in response["Vary"]

    def test_htmx_gets_the_whole_page_for_its_history(self, client: Client):
        headers = {"HX-Request": "true", "HX-History-Restore-Request": "true", "HX-Target": "body"}
        assert "<html" in client.get("/standings/", headers=headers).content.decode()

    def test_pages_hold_fifty_and_keep_the_filters(self, client: Client):
        crowd(60)
        text = page(client, period="all")
        assert text.count('<th scope="row">') == 50
        assert "1 to 50 of 60" in text
        assert 'href="?period=all&amp;page=2"' in text
        assert "51 to 60 of 60" in page(client, period="all", page="2")

    def test_form_shows_the_last_ten_ranked_games_oldest_first(self, cast: Cast, bots: list[Player]):
        wins = [seed % 3 == 0 for seed in range(12)]
        for number, won in enumerate(wins):
            play_game([cast.north, *bots], winner=0 if won else 1, at=NOW() - timedelta(hours=20 - number))
        play_game(cast.seated, ranked=False, winner=1)
        ranking = read_ranking(Filters(period="all"), None, NOW())
        forms = standings.read_page(ranking, 1).forms
        assert forms[cast.north.pk] == "".join("W" if won else "L" for won in wins[-10:])

    def test_form_leaves_out_games_with_bots_if_asked(self, client: Client, cast: Cast, bots: list[Player]):
        for number in range(11):
            play_game([cast.north, *bots], winner=0, at=NOW() - timedelta(hours=number))
        play_game(cast.seated, winner=1, at=NOW() - timedelta(days=2))
        assert 'aria-label="Last results, oldest first: lost"' in page(client, period="all", people="1")

    def test_a_dash_is_explained(self, client: Client, cast: Cast):
        play_game(cast.seated)
        assert "It comes with 10 ranked games in the period." in page(client)

    def test_the_percentages_are_of_games_and_of_own_calls(self, client: Client):
        crowd(1)
        (line,) = client.get("/standings/?format=json").json()["players"]
        assert (line["games"], line["won_percent"], line["calls"], line["euchred_percent"]) == (12, 100, 24, 50)

    def test_an_empty_site_says_how_the_list_starts(self, client: Client):
        assert "No one stands here yet" in page(client)
        assert "The first ranked game" in page(client, period="all")


class TestExports:
    def test_csv_holds_every_row_of_the_filters(self, client: Client):
        crowd(60)
        response = client.get("/standings/?format=csv&page=2")
        rows = list(csv.DictReader(StringIO(response.content.decode("utf-8-sig"))))
        assert len(rows) == 60
        assert rows[0]["name"] == "Player 0"
        assert rows[0]["rank"] == "1"
        assert rows[0]["give_or_take"] == "50"
        assert "attachment" in response["Content-Disposition"]

    def test_names_of_every_alphabet_survive(self, client: Client):
        player = Player.objects.create_user("מרתה לוין")
        play_game([player, *make_bots()])
        assert "מרתה לוין" in client.get("/standings/?format=csv").content.decode("utf-8-sig")
        assert "מרתה לוין" in listed(client)

    @pytest.mark.parametrize("kind", ["csv", "json"])
    def test_nothing_is_exported_as_nothing(self, client: Client, kind: str):
        assert client.get("/standings/", {"format": kind}).status_code == 200


class TestQueries:
    @pytest.mark.parametrize("logged_in", [False, True])
    def test_their_number_is_the_same_for_one_three_and_many_rows(self, client: Client, logged_in: bool):
        counts = []
        for size in (1, 2, 57):
            people = crowd(size, games=1)
            if logged_in:
                client.force_login(people[0])
            with CaptureQueriesContext(connection) as queries:
                client.get("/standings/")
            counts.append(len(queries))
        assert len(set(counts)) == 1
        if not logged_in:
            assert counts[0] == 4
