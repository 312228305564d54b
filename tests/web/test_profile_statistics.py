"""A player's numbers: by call, by seat, by partner; and the rating in numbers."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import engine
from games.models import Deal, Game, Participation, Player, RatingChange
from games.selectors import statistics as selectors
from games.services import moderation, results
from tests.factories import Cast, make_bots, make_cast, play_game
from tests.services.test_results import HEARTS, PASSES, deal

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def numbers(player: Player, **changes) -> selectors.Statistics:
    asked = {"period": "all", "people_only": False} | changes
    return selectors.read_statistics(player, asked["period"], asked["people_only"], timezone.now())


def by_hand(player: Player) -> dict[str, list[int]]:
    """The same from the records, deal by deal: deals, made, own points, theirs for each kind of call."""
    found: dict[str, list[int]] = {}
    for part in Participation.objects.filter(player=player):
        rules = engine.parse_rules(part.game.rules)
        for held in Deal.objects.filter(game=part.game):
            state = engine.replay_deal(rules, held.dealer, engine.parse_deck(held.deck), held.actions)
            place, ours = (part.seat - held.dealer) % 4, part.seat % 2
            if state.maker is None:
                kind, made = "passed", False
            else:
                made = state.tricks_won[state.maker % 2] >= 3
                kind = "defended" if state.maker % 2 != ours else "partner"
                if state.maker == part.seat:
                    up = any(str(action) == "order_up" for _seat, action in state.history)
                    kind = "alone" if part.seat in state.loners else "up" if up else "named"
            for key in (kind, f"place {place}"):
                row = found.setdefault(key, [0, 0, 0, 0])
                for column, number in enumerate((1, made, state.points[ours], state.points[1 - ours])):
                    row[column] += number
    return found


def test_the_database_counts_what_the_records_tell(cast: Cast):
    for seed in range(1, 7):
        seats = cast.seated if seed % 2 else (cast.east, cast.north, cast.west, cast.south)
        play_game(seats, seed=seed)
    for player in cast.seated:
        told, hand = numbers(player), by_hand(player)
        for kind, line in told.calls:
            assert [line.deals, line.made, line.ours, line.theirs] == hand.get(kind, [0, 0, 0, 0]), kind
        for place in told.places:
            line = place.all
            assert [line.deals, line.made, line.ours, line.theirs] == hand[f"place {place.place}"]
        assert told.deals == sum(place.all.deals for place in told.places) == Deal.objects.count()
        own = sum(Participation.objects.filter(player=player).values_list("calls", flat=True))
        assert sum(place.calls.deals for place in told.places) == own


def store(game: Game, number: int, actions: str) -> None:
    """One more deal of a game: west deals, north is eldest and holds the best hearts."""
    record = deal(3, HEARTS, actions)
    state = engine.replay_deal(engine.parse_rules("article"), 3, engine.parse_deck(record.deck), actions)
    while state.phase != "done":
        state = engine.apply(state, engine.legal_actions(state)[-1])
    record.actions = engine.format_actions(action for _seat, action in state.history)
    for name, value in results.outcome(state).items():
        setattr(record, name, value)
    record.game, record.number, record.secret = game, number, bytes(32)
    record.save()


def test_each_kind_of_call_is_told_from_the_others(cast: Cast):
    game = play_game(cast.seated)
    game.deals.all().delete()
    nobody = "together together together together"
    calls = (
        f"{PASSES} call:H {nobody}",
        f"{PASSES} call:H alone together together",
        "order_up",
        f"{PASSES} {PASSES}",
        f"{PASSES} pass call:D {nobody}",
        f"{PASSES} pass pass call:S {nobody}",
    )
    for number, actions in enumerate(calls, start=1):
        store(game, number, actions)
    kinds = {kind: line.deals for kind, line in numbers(cast.north).calls}
    assert kinds == {"named": 1, "alone": 1, "up": 1, "passed": 1, "defended": 1, "partner": 1}
    theirs = {kind for kind, line in numbers(cast.south).calls if line.deals}
    assert theirs == {"partner", "passed", "defended", "named"}
    assert {kind: row[0] for kind, row in by_hand(cast.north).items() if kind in kinds} == kinds


def test_partners_stand_in_the_order_of_games_and_bots_are_marked(client: Client, cast: Cast):
    clover, *_others = make_bots()
    for seed in (1, 2):
        play_game(cast.seated, seed=seed, winner=0)
    play_game((cast.north, cast.east, clover, cast.west), seed=3, winner=1)
    assert [(partner.name, partner.games, partner.won) for partner in numbers(cast.north).partners] == [
        ("South", 2, 2), ("Clover", 1, 0),
    ]  # fmt: skip
    assert [partner.name for partner in numbers(cast.north, people_only=True).partners] == ["South"]
    page = client.get("/players/North/statistics/").content.decode()
    assert "South" in page
    assert page.index("Clover") < page.index("Bot", page.index("Clover"))


def test_only_finished_ranked_games_that_stand_count(cast: Cast):
    play_game(cast.seated, ranked=False)
    assert numbers(cast.north).deals == 0
    game = play_game(cast.seated, seed=2)
    assert numbers(cast.north).deals
    cast.stranger.is_staff = True
    cast.stranger.save()
    moderation.void_ratings(by=cast.stranger, game_id=game.pk, reason="a test")
    assert numbers(cast.north).deals == 0
    assert numbers(cast.north).partners == ()
    Game.objects.filter(pk=game.pk).update(voided_at=None, status=Game.Status.ENDED)
    assert numbers(cast.north).deals == 0


@pytest.mark.parametrize("games", [1, 3])
def test_the_number_of_queries_is_constant(client: Client, cast: Cast, games: int):
    for seed in range(games):
        play_game(cast.seated, seed=seed + 1)
    with CaptureQueriesContext(connection) as queries:
        client.get("/players/North/statistics/")
    assert len(queries) == 3


def test_a_partner_who_is_gone_is_not_named(client: Client, cast: Cast):
    play_game(cast.seated)
    cast.south.delete()
    page = client.get("/players/North/statistics/")
    assert page.status_code == 200
    assert numbers(cast.north).partners == ()


@pytest.mark.parametrize("query", ["", "?period=30days", "?period=x", "?people=1", "?people=x&period=%00"])
def test_the_page_stands_whatever_is_asked(client: Client, cast: Cast, query: str):
    assert client.get(f"/players/Stranger/statistics/{query}").status_code == 200
    play_game(cast.seated)
    assert client.get(f"/players/North/statistics/{query}").status_code == 200


def test_other_spellings_lead_to_the_name_and_nobody_is_not_found(client: Client, cast: Cast):
    response = client.get("/players/NORTH/statistics/?period=all")
    assert (response.status_code, response["Location"]) == (301, "/players/North/statistics/?period=all")
    assert client.get("/players/nobody/statistics/").status_code == 404


def test_the_profile_leads_to_it_and_tells_the_rating_in_numbers(client: Client, cast: Cast):
    for seed in range(3):
        play_game(cast.seated, seed=seed, winner=0)
    page = client.get("/players/North/").content.decode()
    assert 'href="/players/North/statistics/?period=season"' in page
    table = page[page.index("The same in numbers") : page.index("</details>")]
    rating = round(RatingChange.objects.filter(player=cast.north).latest("at", "pk").mu_after)
    assert table.count("<tr>") == 1 + 4
    assert table.index(f">{rating}<") < table.index(">1500<"), "the newest first, the first one before any game"


def test_a_game_won_by_leaving_says_so(client: Client, cast: Cast):
    game = play_game(cast.seated, winner=0)
    Game.objects.filter(pk=game.pk).update(won_by_leave=True)
    assert "the others had left" in client.get("/players/North/").content.decode()
    assert "took the win" in client.get(game.get_absolute_url()).content.decode()
