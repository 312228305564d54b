"""Everything about oneself as a file; what stays after an account; no address of anybody anywhere."""

from __future__ import annotations

import json

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from games.models import (
    Block,
    Friendship,
    Game,
    Message,
    Participation,
    Player,
    Report,
    RuleSet,
    Sanction,
    Table,
    Token,
)
from games.selectors.export import read_export
from games.services import accounts, seating
from tests.factories import Cast, make_cast, play_game
from tournaments.models import Club, Membership, Role

pytestmark = pytest.mark.django_db

DIGEST = "d1gest" * 10


@pytest.fixture
def cast() -> Cast:
    """Everybody has an address, and north has left traces of every kind."""
    cast = make_cast()
    for player in cast:
        player.email = f"{player.name.lower()}@example.org"
        player.set_password("a good long password")
        player.save()
        EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    north, east, south, west, stranger = cast
    play_game(cast.seated, seed=1)
    table = Table.objects.create(title="Porch", phase=Table.Phase.CLOSED)
    Message.objects.create(table=table, room="seats", sender=north, text="What a hand")
    Message.objects.create(table=table, room="seats", sender=east, text="A secret of east")
    Friendship.objects.create(asker=north, asked=south, accepted_at=timezone.now())
    Friendship.objects.create(asker=west, asked=north)
    Block.objects.create(player=north, blocked=stranger)
    Block.objects.create(player=east, blocked=north)
    Report.objects.create(
        reporter=north, reported=east, table=table, reason="talk", said="[seats] East: A secret of east"
    )
    Report.objects.create(
        reporter=west, reported=east, table=table, reason="talk", words="Wests words",
        said="2026-01-01 [seats] North: What a hand\n2026-01-01 [seats] East: A secret of east",
    )  # fmt: skip
    Report.objects.create(reporter=west, reported=north, table=table, reason="talk", words="Wests words")
    Sanction.objects.create(player=north, kind="mute", reason="Too loud", by=stranger)
    Token.objects.create(player=north, name="My bot", digest=DIGEST, tail="9f9f")
    RuleSet.objects.create(owner=north, name="Barn rules", name_key="barn rules", rules="article")
    club = Club.objects.create(name="Quilters", name_key="quilters", slug="quilters")
    Membership.objects.create(club=club, player=north, role=Role.MEMBER, note="a director's note")
    return cast


def exported(player: Player) -> dict:
    return json.loads("".join(read_export(player)))


def test_it_holds_everything_about_oneself(cast: Cast):
    told = exported(cast.north)
    assert told["profile"]["name"] == "North"
    assert told["profile"]["emails"][0]["email"] == "north@example.org"
    assert told["rating"]["mu"]
    assert [message["text"] for message in told["messages"]] == ["What a hand"]
    assert {(friend["name"], friend["asked_by"]) for friend in told["friends"]} == {("South", "me"), ("West", "them")}
    assert [block["name"] for block in told["blocks"]] == ["Stranger"]
    assert [report["reported__name"] for report in told["reports_made"]] == ["East"]
    assert [sanction["reason"] for sanction in told["sanctions"]] == ["Too loud"]
    assert [(token["name"], token["tail"]) for token in told["tokens"]] == [("My bot", "9f9f")]
    assert [rules["name"] for rules in told["rule_sets"]] == ["Barn rules"]
    assert [club["club__name"] for club in told["clubs"]] == ["Quilters"]
    (game,) = told["games"]
    assert game["won"] in (True, False)
    assert game["rating"]["before"] == [1500.0, 220.0]
    assert game["record"].count("\n") > 5


def test_it_holds_nothing_private_of_others_and_no_secret(cast: Cast):
    text = "".join(read_export(cast.north))
    for private in ("A secret of east", "Wests words", "a director's note", DIGEST, "pbkdf2", cast.north.password):
        assert private not in text
    for other in cast[1:]:
        assert other.email not in text
    assert '"blocked_by"' not in text


def test_a_game_that_is_being_played_is_named_without_its_cards(cast: Cast):
    Block.objects.all().delete()
    rules = seating.rules_text(stick_the_dealer=False)
    table = seating.open_table(host=cast.north, ranked=False, pace=20, rules=rules)
    for player in cast.seated[1:]:
        seating.sit(table_id=table, player_id=player.pk)
    last = exported(cast.north)["games"][-1]
    assert (last["status"], last["record"], last["score"]) == ("playing", None, None)
    deck = Table.objects.get(pk=table).deck
    assert deck
    assert deck not in "".join(read_export(cast.north))


@pytest.mark.parametrize("games", [1, 4])
def test_it_takes_the_same_queries_for_few_games_and_for_many(cast: Cast, games: int):
    for seed in range(games):
        play_game(cast.seated, seed=seed + 2)
    with CaptureQueriesContext(connection) as queries:
        assert len(exported(cast.north)["games"]) == games + 1
    assert len(queries) <= 32


def test_more_games_than_a_batch_are_all_there_once(cast: Cast, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("games.selectors.export.BATCH", 2)
    for seed in range(4):
        play_game(cast.seated, seed=seed + 2)
    for number in range(5):
        Message.objects.create(table=Table.objects.first(), room="seats", sender=cast.north, text=f"number {number}")
    told = exported(cast.north)
    assert [game["game"] for game in told["games"]] == list(Game.objects.order_by("pk").values_list("pk", flat=True))
    assert len(told["messages"]) == 6


def test_somebody_without_any_trace_gets_a_file_too(cast: Cast):
    told = exported(cast.stranger)
    assert (told["games"], told["messages"], told["rating"]) == ([], [], None)


def test_the_account_page_leads_to_the_file_in_one_more_click(client: Client, cast: Cast):
    client.force_login(cast.north)
    assert 'href="/accounts/export/"' in client.get("/accounts/").content.decode()
    response = client.get("/accounts/export/")
    assert response["Content-Type"].startswith("application/json")
    assert response["Content-Disposition"].startswith("attachment")
    assert response.streaming
    assert json.loads(b"".join(response.streaming_content))["profile"]["name"] == "North"


def test_the_site_streams_it_without_holding_it_as_a_whole(cast: Cast, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("games.views.export.PIECE", 200)

    async def pieces() -> list[bytes]:
        client = AsyncClient()
        await client.aforce_login(cast.north)
        response = await client.get("/accounts/export/")
        return [piece async for piece in response.streaming_content]

    read = async_to_sync(pieces)()
    assert len(read) > 3
    assert json.loads(b"".join(read))["profile"]["name"] == "North"


def test_others_cannot_have_it(client: Client, cast: Cast):
    response = client.get("/accounts/export/")
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")
    client.force_login(cast.east)
    assert "north@example.org" not in b"".join(client.get("/accounts/export/").streaming_content).decode()
    assert client.post("/accounts/export/").status_code == 405


# --- the end of an account


def test_results_stay_under_a_former_player_and_all_else_of_him_goes(client: Client, cast: Cast):
    game = Game.objects.get()
    pk = cast.north.pk
    accounts.delete_account(player_id=pk)
    assert Participation.objects.get(game=game, seat=0).player is None
    assert "a former player" in client.get(game.get_absolute_url()).content.decode()
    assert not Message.objects.filter(text="What a hand").exists()
    assert not Friendship.objects.exists()
    assert not Block.objects.exists()
    assert not Token.objects.filter(player=pk).exists()
    assert not Sanction.objects.filter(player=pk).exists()
    assert not RuleSet.objects.filter(owner=pk).exists()
    assert not EmailAddress.objects.filter(user=pk).exists()
    assert not Membership.objects.exists()


def test_reports_stay_for_staff_without_his_name_and_those_about_him_go(cast: Cast):
    accounts.delete_account(player_id=cast.north.pk)
    made, seen = Report.objects.order_by("pk")
    assert made.reporter is None
    assert "North" not in seen.said
    assert "a former player: What a hand" in seen.said
    assert "East: A secret of east" in seen.said


def test_nothing_in_the_database_names_him_any_more(cast: Cast):
    """Every text column of every model of the games, but for what others wrote."""
    from django.apps import apps
    from django.db.models import CharField, TextField

    accounts.delete_account(player_id=cast.north.pk)
    for model in apps.get_app_config("games").get_models():
        for column in model._meta.get_fields():
            if isinstance(column, CharField | TextField):
                held = model.objects.filter(**{f"{column.name}__icontains": "north"})
                assert not held.exists(), f"{model.__name__}.{column.name}"


# --- addresses


def addresses() -> list[str]:
    """Every address of the site that needs no argument, and those of the cast."""
    found: list[str] = []

    def walk(patterns: list, before: str) -> None:
        for pattern in patterns:
            route = before + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                if not route.startswith("admin/"):
                    walk(pattern.url_patterns, route)
            elif isinstance(pattern, URLPattern) and "<" not in route and "(" not in route:
                found.append("/" + route.replace("^", "").replace("$", "").replace("\\Z", ""))

    walk(get_resolver().url_patterns, "")
    game = Game.objects.get()
    host = Player.objects.get(name="Stranger")
    table = seating.open_table(host=host, ranked=False, pace=20, rules=seating.rules_text(stick_the_dealer=False))
    return [
        *sorted(set(found)),
        *(f"/players/{name}/{page}" for name in ("North", "East", "Stranger") for page in ("", "statistics/")),
        *(f"/games/{game.pk}/{page}" for page in ("", "record/", "record.egn.json", "check/", "analysis/")),
        *(f"/tables/{table}/{page}" for page in ("", "rules/", "check/")),
        "/clubs/quilters/",
        *(f"/api/v1/{page}" for page in ("players/North", "standings", "games", f"games/{game.pk}", f"tables/{table}")),
    ]


@pytest.mark.parametrize("viewer", [None, "West"])
def test_nobodys_address_is_shown_to_others_anywhere(client: Client, cast: Cast, viewer: str | None):
    """Complaint: e-mail addresses leak through API/To: header/public page."""
    assert Player.objects.filter(email__endswith="@example.org").count() == 5, "there is something to leak"
    if viewer:
        client.force_login(Player.objects.get(name=viewer))
    others = {player.email for player in cast if player.name != viewer}
    visited = 0
    for address in addresses():
        if "logout" in address:
            continue
        response = client.get(address)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        text = body.decode(errors="replace") + str(response.headers)
        assert not [email for email in others if email in text], address
        assert response.status_code < 500 or address == "/status/", address
        visited += response.status_code == 200
    assert visited > 20
