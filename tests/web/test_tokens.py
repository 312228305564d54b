"""Personal tokens: made, shown once, used, revoked; whose they are, and when they are nothing."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.api import limits
from games.models import Player, Sanction, Token
from games.services import programs
from games.services.errors import UserError
from tests.web.programs import Program

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_has_asked_yet() -> None:
    limits.BY_ADDRESS.forget()
    limits.BY_PERSON.forget()


@pytest.fixture
def north() -> Player:
    return Player.objects.create_user("North", "a good long password")


@pytest.fixture
def browser(north: Player) -> Client:
    client = Client()
    client.force_login(north)
    return client


def made(browser: Client, name: str = "My first bot") -> str:
    page = browser.post("/accounts/programs/", {"name": name}).content.decode()
    return re.search(r'id="token" readonly value="(euchre_[\w-]{43})"', page)[1]


def test_a_new_token_is_shown_once_and_stored_nowhere(browser: Client, north: Player):
    token = made(browser)
    kept = Token.objects.get()
    assert (kept.player, kept.name, kept.tail) == (north, "My first bot", token[-4:])
    assert token not in str(vars(kept))
    page = browser.get("/accounts/programs/").content.decode()
    assert token not in page
    assert f"…{token[-4:]}" in page
    assert "My first bot" in page
    assert "Not used yet." in page


def test_every_token_is_another_of_256_bits(north: Player):
    tokens = {programs.make_token(player_id=north.pk, name="x") for _number in range(programs.MOST_TOKENS)}
    assert len(tokens) == programs.MOST_TOKENS
    assert {len(token) for token in tokens} == {len(programs.PREFIX) + 43}


def test_the_page_is_kept_by_no_cache_and_needs_its_own_form(browser: Client, north: Player):
    assert "no-store" in browser.get("/accounts/programs/").headers["Cache-Control"]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(north)
    assert strict.post("/accounts/programs/", {"name": "x"}).status_code == 403
    assert not Token.objects.exists()


@pytest.mark.parametrize("name", ["", "   ", "\u202e", "x" * 41, "a\0b"])
def test_a_bad_name_is_said_and_what_was_typed_stays(browser: Client, name: str):
    answer = browser.post("/accounts/programs/", {"name": name})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    if name == "x" * 41:
        assert name in answer.content.decode()
    assert not Token.objects.exists()


def test_a_person_has_ten_at_most(browser: Client, north: Player):
    for number in range(programs.MOST_TOKENS):
        programs.make_token(player_id=north.pk, name=f"bot {number}")
    assert "Make a token" not in browser.get("/accounts/programs/").content.decode()
    assert browser.post("/accounts/programs/", {"name": "one more"}).status_code == 422
    assert Token.objects.count() == programs.MOST_TOKENS


def test_a_guest_has_none(north: Player):
    Player.objects.filter(pk=north.pk).update(guest=True)
    with pytest.raises(UserError, match="Guests"):
        programs.make_token(player_id=north.pk, name="bot")


def test_visitors_are_asked_to_log_in(client: Client):
    assert client.get("/accounts/programs/").status_code == 302
    assert client.post("/accounts/programs/1/revoke/").status_code == 302


def test_a_revoked_token_is_nothing_from_then_on(browser: Client):
    program = Program(token=made(browser))
    assert program.get("/me")["name"] == "North"
    page = browser.post(f"/accounts/programs/{Token.objects.get().pk}/revoke/", follow=True).content.decode()
    assert "revoked" in page
    program.refused(program.client.get("/api/v1/me", headers=program.headers), 401, "bad_token")


def test_nobody_revokes_the_token_of_another(browser: Client):
    west = Player.objects.create_user("West")
    program = Program(west)
    browser.post(f"/accounts/programs/{Token.objects.get().pk}/revoke/")
    assert program.get("/me")["name"] == "West"


def test_the_last_use_is_written_down_once_a_minute(north: Player, django_assert_num_queries):
    program = Program(north)
    program.get("/me")
    used = Token.objects.get().used_at
    assert used is not None
    with django_assert_num_queries(2):  # the token's owner and his table
        program.get("/me")
    Token.objects.update(used_at=used - timedelta(minutes=2))
    program.get("/me")
    assert Token.objects.get().used_at >= used


@pytest.mark.parametrize("end", ["inactive", "guest", "banned", "banned for now"])
def test_the_token_of_somebody_who_may_not_play_is_refused(north: Player, end: str):
    program = Program(north)
    if end == "inactive":
        Player.objects.update(is_active=False)
    elif end == "guest":
        Player.objects.update(guest=True)
    else:
        until = timezone.now() + timedelta(days=1) if end.endswith("now") else None
        Sanction.objects.create(player=north, kind=Sanction.Kind.BAN, reason="cheated", until=until)
    program.refused(program.client.get("/api/v1/me", headers=program.headers), 401, "bad_token")
    program.refused(program.send("/quick-match", {}), 401, "bad_token")


def test_a_ban_that_is_over_or_lifted_and_a_mute_stop_no_program(north: Player):
    now = timezone.now()
    Sanction.objects.create(player=north, kind=Sanction.Kind.BAN, reason="x", until=now - timedelta(days=1))
    Sanction.objects.create(player=north, kind=Sanction.Kind.BAN, reason="x", lifted_at=now)
    Sanction.objects.create(player=north, kind=Sanction.Kind.MUTE, reason="x")
    assert Program(north).get("/me")["name"] == "North"


@pytest.mark.parametrize(
    "header",
    [
        "Bearer", "Bearer ", "Bearer x", "Basic x", "euchre_x", "Bearer " + "x" * 5000, "Bearer \xe9", "bearer  a b",
        "Token x",
    ],
)  # fmt: skip
def test_whatever_is_no_token_is_refused_even_where_none_is_needed(north: Player, header: str):
    client = Client()
    for path in ("/api/v1/me", "/api/v1/tables", "/api/v1/standings"):
        said = Program().refused(client.get(path, headers={"Authorization": header}), 401, "bad_token")
        assert "euchre_" not in said["message"]


def test_a_session_counts_for_nothing(browser: Client):
    """No page of another site makes a browser play: its cookie is not looked at."""
    answer = browser.post("/api/v1/quick-match", "{}", content_type="application/json")
    Program().refused(answer, 401, "token_needed")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    Program().refused(browser.get("/api/v1/me"), 401, "token_needed")


def test_tokens_go_with_the_account(north: Player):
    program = Program(north)
    north.delete()
    program.refused(program.client.get("/api/v1/me", headers=program.headers), 401, "bad_token")


def test_the_account_leads_to_its_programs(browser: Client):
    page = browser.get("/accounts/").content.decode()
    assert 'href="/accounts/programs/"' in page
    assert 'href="/api/"' in page
