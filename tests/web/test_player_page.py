"""A player's page: the rating and its chart, the record, the games, the partners."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import ratings
from games.models import Game, Participation, Player, Rating, RatingChange
from games.selectors import players as selectors
from games.selectors.players import CHART_POINTS
from tests.factories import Cast, make_bots, make_cast, play_game

pytestmark = pytest.mark.django_db

NOW = timezone.now


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def bots() -> list[Player]:
    return make_bots()


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def recent(text: str) -> str:
    """The list of games, without what stands beside it."""
    return text[text.index('id="games-title"') : text.index("<aside")]


class TestTheAddress:
    @pytest.mark.parametrize("spelling", ["north", "NORTH", "N0rth", "No.rth"])
    def test_other_spellings_lead_to_the_name(self, client: Client, cast: Cast, spelling: str):
        response = client.get(f"/players/{spelling}/?period=all")
        assert response.status_code == 301
        assert response["Location"] == "/players/North/?period=all"

    def test_names_of_every_alphabet_have_one(self, client: Client):
        player = Player.objects.create_user("מרתה לוין")
        assert "<bdi>מרתה לוין</bdi>" in page(client, player.get_absolute_url())

    @pytest.mark.parametrize("name", ["nobody-at-all", "%00", "%2e%2e", "x" * 500, "%E2%80%AE", "'%22%3E"])
    def test_nobody_is_not_found(self, client: Client, name: str):
        assert client.get(f"/players/{name}/").status_code == 404

    def test_somebody_who_is_shut_out_is_not_found(self, client: Client, cast: Cast):
        Player.objects.filter(pk=cast.north.pk).update(is_active=False)
        assert client.get("/players/North/").status_code == 404

    @pytest.mark.parametrize(
        "query", ["?period=x", "?page=x", "?page=-1", "?page=99999999999", "?people=x", "?page=%00"]
    )
    def test_parameters_that_make_no_sense_fall_back(self, client: Client, cast: Cast, query: str):
        play_game(cast.seated)
        assert "Playing here since" in page(client, f"/players/North/{query}")


class TestTheRating:
    def test_it_is_told_with_its_error(self, client: Client, cast: Cast):
        play_game(cast.seated)
        rating = Rating.objects.get(player=cast.north)
        text = page(client, "/players/North/")
        assert f'<b class="num">{ratings.shown(rating.mu)}</b>' in text
        assert f"give or take {ratings.give_or_take(rating.sigma)}" in text

    def test_the_rank_is_that_of_the_standings(self, client: Client, cast: Cast):
        for seed in range(10):
            play_game(cast.seated, winner=0, seed=seed)
        assert re.search(r"number [12] of 4 this season", page(client, "/players/North/"))

    def test_there_is_no_rank_before_ten_games(self, client: Client, cast: Cast):
        play_game(cast.seated)
        assert "no rank yet, 1 of 10 games this season" in page(client, "/players/North/")

    def test_a_newcomer_is_not_rated_yet(self, client: Client, cast: Cast):
        text = page(client, "/players/Stranger/")
        assert "not rated yet" in text
        assert "No finished game yet" in text
        assert '<svg viewBox="0 0 760' not in text

    def test_the_chart_tells_its_numbers_in_words(self, client: Client, cast: Cast):
        for seed in range(3):
            play_game(cast.seated, winner=0, seed=seed)
        rating = Rating.objects.get(player=cast.north)
        text = page(client, "/players/North/")
        assert 'role="img" aria-labelledby="chart-title chart-text"' in text
        assert "Starts at 1500, give or take 220." in text
        assert f"After 3 rated games it is {rating.mu:.0f}, give or take {rating.sigma:.0f}." in text
        assert 'class="band"' in text

    def test_games_that_were_taken_back_are_not_on_it(self, client: Client, cast: Cast):
        play_game(cast.seated)
        RatingChange.objects.update(voided=True)
        assert "the rating has not moved" in page(client, "/players/North/")

    def test_a_long_history_is_thinned_out_and_keeps_its_ends(self, cast: Cast):
        game = Game.objects.create(ranked=True, pace=20, rules="article", first_dealer=0)
        parts = Participation.objects.bulk_create(
            Participation(game=game, seat=number, player=cast.north) for number in range(1000)
        )
        begins = NOW() - timedelta(days=3)
        RatingChange.objects.bulk_create(
            RatingChange(
                participation=part,
                player=cast.north,
                mu_before=1500 + number,
                sigma_before=200,
                mu_after=1501 + number,
                sigma_after=100,
                at=begins + timedelta(minutes=number),
            )
            for number, part in enumerate(parts)
        )
        history = selectors.read_history(cast.north, "all", NOW())
        assert history.games == 1000
        assert len(history.moments) <= CHART_POINTS + 1
        assert (history.moments[0].mu, history.moments[-1].mu) == (1500, 2500)


class TestTheRecord:
    def test_it_counts_what_the_games_hold(self, client: Client, cast: Cast):
        for seed in range(4):
            play_game(cast.seated, seed=seed)
        rows = Participation.objects.filter(player=cast.north)
        among_people, with_bots = selectors.read_records(cast.north, "season", NOW())
        assert with_bots.games == 0
        for name in ("deals", "calls", "calls_made", "euchred", "euchres", "marches", "loners_tried", "loners_made"):
            assert getattr(among_people, name) == sum(rows.values_list(name, flat=True))
        assert among_people.calls == among_people.calls_made + among_people.euchred
        text = page(client, "/players/North/")
        assert f"{among_people.won} of 4" in text
        assert f"{among_people.calls_made} of {among_people.calls}" in text
        assert f"{among_people.loners_made} of {among_people.loners_tried}" in text

    def test_games_with_people_and_with_bots_are_told_apart(self, client: Client, cast: Cast, bots: list[Player]):
        play_game([cast.north, *bots])
        for seed in range(2):
            play_game(cast.seated, seed=seed)
        among_people, with_bots = selectors.read_records(cast.north, "season", NOW())
        assert (among_people.games, with_bots.games) == (2, 1)
        assert (among_people + with_bots).games == 3

    def test_games_with_bots_can_be_left_out(self, client: Client, cast: Cast, bots: list[Player]):
        play_game([cast.north, *bots])
        play_game(cast.seated)
        text = page(client, "/players/North/?people=1")
        assert "Clover" not in text
        assert recent(text).count("/games/") == 1
        assert recent(page(client, "/players/North/")).count("/games/") == 2

    def test_the_chart_says_that_it_leaves_none_out(self, client: Client, cast: Cast):
        play_game(cast.seated)
        assert "those with bots too" in page(client, "/players/North/?people=1")
        assert "those with bots too" not in page(client, "/players/North/")

    def test_friendly_games_are_listed_and_not_counted(self, client: Client, cast: Cast):
        play_game(cast.seated, ranked=False)
        text = page(client, "/players/North/")
        assert "friendly" in recent(text)
        assert "No ranked game in this period" in text


class TestTheGames:
    def test_each_leads_to_its_replay(self, client: Client, cast: Cast):
        game = play_game(cast.seated, winner=1)
        text = recent(page(client, "/players/North/"))
        assert f'href="/games/{game.pk}/"' in text
        assert f"{game.score_0}–{game.score_1}" in text
        assert "Lost" in text
        assert text.index("South") < text.index("East") < text.index("West")

    def test_they_come_in_pages_newest_first(self, client: Client, cast: Cast):
        games = [play_game(cast.seated, seed=n, at=NOW() - timedelta(hours=n)) for n in range(22)]
        first, second = (recent(page(client, f"/players/North/?page={n}")) for n in (1, 2))
        assert first.count("/games/") == 20
        assert first.index(f"/games/{games[0].pk}/") < first.index(f"/games/{games[1].pk}/")
        assert f"/games/{games[21].pk}/" in second

    def test_somebody_who_is_gone_is_a_former_player(self, client: Client, cast: Cast):
        play_game(cast.seated)
        cast.south.delete()
        assert "a former player" in recent(page(client, "/players/North/"))

    def test_a_game_that_was_left_or_taken_back_says_so(self, client: Client, cast: Cast):
        play_game(cast.seated)
        Participation.objects.filter(player=cast.north).update(left=True)
        Game.objects.update(voided_at=NOW())
        text = recent(page(client, "/players/North/"))
        assert ">a bot finished it<" in text
        assert "taken back" in text

    def test_a_running_game_is_not_among_them(self, client: Client, cast: Cast):
        play_game(cast.seated)
        Game.objects.update(status=Game.Status.PLAYING)
        assert "/games/" not in recent(page(client, "/players/North/"))


class TestPartners:
    def test_one_lucky_game_does_not_make_the_best_partner(self, cast: Cast):
        play_game([cast.north, cast.east, cast.stranger, cast.west], winner=0)
        for seed in range(6):
            play_game(cast.seated, seed=seed, winner=0 if seed else 1)
        partners = selectors.read_partners(cast.north, "season", False, NOW())
        assert [(one.name, one.games, one.won) for one in partners] == [("South", 6, 5), ("Stranger", 1, 1)]

    def test_those_who_are_gone_are_left_out(self, client: Client, cast: Cast):
        play_game(cast.seated)
        cast.south.delete()
        assert selectors.read_partners(cast.north, "season", False, NOW()) == []


def test_a_bots_page_says_how_it_plays(client: Client, cast: Cast, bots: list[Player]):
    play_game([cast.north, *bots])
    text = page(client, "/players/Clover/")
    assert "rules of thumb" in text
    assert "Its rating is fixed" in text
    assert "badge--bot" in text
    assert "bots have no rank" in text
    assert "Playing here since" not in text


@pytest.mark.parametrize("logged_in", [False, True])
def test_the_number_of_queries_does_not_grow_with_the_games(client: Client, cast: Cast, logged_in: bool):
    counts = []
    if logged_in:
        client.force_login(cast.north)
    for number in (1, 2, 5):
        for seed in range(number):
            play_game(cast.seated, seed=seed)
        with CaptureQueriesContext(connection) as queries:
            page(client, "/players/North/")
        counts.append(len(queries))
    assert len(set(counts)) == 1


def test_nobodys_mail_is_on_it(client: Client, cast: Cast):
    Player.objects.filter(pk=cast.north.pk).update(email="north@example.org")
    assert "@" not in page(client, "/players/North/")
