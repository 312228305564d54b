"""Pages about the site, preferences, and what a visitor sees when something goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from unittest import mock

import pytest
from django.db import DatabaseError
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from games import ratings
from games.bots import LEVELS
from games.models import Player, Pulse
from games.preferences import COOKIE
from games.selectors import health
from games.views import pages

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["rules", "about_ratings", "bots", "fair_play", "privacy", "preferences", "status"])
@pytest.mark.parametrize("logged_in", [False, True])
def test_every_page_opens_for_everybody(client: Client, name: str, logged_in: bool) -> None:
    Pulse.objects.create(name="sweep", at=timezone.now())
    if logged_in:
        client.force_login(Player.objects.create_user("north"))
    response = client.get(reverse(name))
    assert response.status_code == 200
    page = response.content.decode()
    assert page.count("<h1") == 1
    assert 'id="main"' in page
    assert "<script>" not in page
    assert " onclick" not in page


def test_the_rules_draw_the_order_of_trumps(client: Client) -> None:
    """R10, R11, R13: hearts as trump."""
    page = client.get("/rules/").content.decode()
    places = [page.index(f'data-card="{card}"') for card in ("JH", "JD", "AH", "KH", "QH", "TH", "9H")]
    assert places == sorted(places)


def test_the_page_about_ratings_tells_the_numbers_in_use(client: Client) -> None:
    page = client.get("/ratings/").content.decode()
    assert f"starts at {ratings.shown(ratings.START.mu)}" in page
    assert f"give or take {ratings.give_or_take(ratings.START.sigma)}" in page


def test_the_page_about_bots_tells_of_every_level_and_who_plays_at_it(
    client: Client, django_assert_num_queries: Any
) -> None:
    Player.objects.create_user("Basil", bot_level="strong")
    with django_assert_num_queries(1):
        page = client.get("/bots/").content.decode()
    for level in LEVELS.values():
        assert level.name in page
        assert level.thinks in page
        assert str(ratings.shown(level.rating[0])) in page
        gain, within = level.against_club
        if within:
            told = f"{gain:+.2f} points a deal against the level Club, give or take {within:.2f}"
            assert told.replace("-", "−") in strip_tags(page)
    assert "/players/Basil/" in page


def test_the_navigation_has_no_links_to_what_is_not_there(client: Client) -> None:
    page = client.get("/ratings/").content.decode()
    assert "ournament" not in page


class TestPreferences:
    def test_a_choice_is_kept_and_stands_on_the_page(self, client: Client) -> None:
        response = client.post("/preferences/", {"theme": "dark", "felt": "indigo", "deck": "four", "next": "/rules/"})
        assert response.status_code == 302
        assert response.url == "/rules/"
        page = client.get("/rules/").content.decode()
        assert 'data-theme="dark" data-felt="indigo" data-deck="four"' in page

    def test_one_choice_leaves_the_others(self, client: Client) -> None:
        client.post("/preferences/", {"theme": "dark"})
        client.post("/preferences/", {"felt": "barn"})
        page = client.get("/rules/").content.decode()
        assert 'data-theme="dark" data-felt="barn"' in page

    def test_the_defaults_need_no_cookie(self, client: Client) -> None:
        client.post("/preferences/", {"theme": "dark"})
        client.post("/preferences/", {"theme": "auto"})
        assert not client.cookies[COOKIE].value
        assert "data-theme" not in client.get("/rules/").content.decode()

    def test_an_unknown_choice_is_ignored(self, client: Client) -> None:
        client.post("/preferences/", {"theme": '"><script>', "language": "xx"})
        assert "<script>" not in client.get("/rules/").content.decode()

    @pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
    def test_the_way_back_stays_on_the_site(self, client: Client, target: str) -> None:
        assert client.post("/preferences/", {"next": target}).url == reverse("preferences")


class TestStatus:
    def test_the_last_round_is_told_with_its_time_zone(self, client: Client) -> None:
        Pulse.objects.create(name="sweep", at=datetime(2026, 11, 3, 14, 5, 9, tzinfo=UTC))
        assert ">3 November 2026, 14:05:09 UTC</time>" in client.get("/status/").content.decode()

    def test_a_late_sweep_is_told(self, client: Client) -> None:
        Pulse.objects.create(name="sweep", at=timezone.now() - timedelta(minutes=5))
        response = client.get("/status/")
        assert response.status_code == 503
        assert "stand still" in response.content.decode()

    def test_a_dead_valkey_is_told_and_nothing_of_where_it_lives(self, client: Client, settings) -> None:
        settings.REDIS_URL = "redis://:secret@127.0.0.1:1/0"
        response = client.get("/status/")
        assert response.status_code == 503
        page = response.content.decode()
        assert "do not answer" in page
        assert "secret" not in page

    def test_a_dead_database_is_told(self) -> None:
        with mock.patch.object(Pulse.objects, "all", side_effect=DatabaseError):
            assert not health.read_health(timezone.now()).database


class TestErrors:
    @pytest.fixture
    def log(self) -> Iterator[StringIO]:
        handler = next(one for one in logging.getLogger("django").handlers if one.name == "stderr")
        with mock.patch.object(handler, "stream", StringIO()) as stream:
            yield stream

    @pytest.mark.parametrize(
        ("handler", "status", "heading", "advice"),
        [
            (pages.bad_request, 400, "Misread", "reload the page"),
            (pages.not_allowed, 403, "Not your table", "Log in with another name"),
            (pages.not_found, 404, "Misdeal", "Back to the lobby"),
        ],
    )
    def test_an_error_page_says_what_to_do(self, rf: RequestFactory, handler, status, heading, advice) -> None:
        response = handler(rf.get("/x/"), Exception())
        assert response.status_code == status
        assert heading in response.content.decode()
        assert advice in response.content.decode()

    def test_an_unknown_address_is_a_misdeal(self, client: Client) -> None:
        response = client.get("/no/such/page/")
        assert response.status_code == 404
        assert "Misdeal" in response.content.decode()

    @pytest.mark.parametrize(
        ("host", "fields", "line"),
        [("evil.example", 0, "Invalid HTTP_HOST header"), ("testserver", 2000, "exceeded")],
    )
    def test_a_refusal_is_one_line_in_the_log(
        self, client: Client, log: StringIO, host: str, fields: int, line: str
    ) -> None:
        response = client.post("/preferences/", {f"f{n}": "" for n in range(fields)}, headers={"host": host})
        assert response.status_code == 400
        (said,) = log.getvalue().splitlines()
        assert line in said

    def test_a_bug_keeps_its_traceback(self, client: Client, log: StringIO) -> None:
        client.raise_request_exception = False
        with mock.patch("games.views.pages.read_health", side_effect=RuntimeError("ours")):
            client.get("/status/")
        assert "Traceback" in log.getvalue()

    def test_too_often_says_to_wait(self, rf: RequestFactory) -> None:
        response = pages.too_many(rf.get("/"))
        assert response.status_code == 429
        assert "Wait a minute" in response.content.decode()

    def test_our_own_bug_is_told_without_asking_the_database(
        self, rf: RequestFactory, django_assert_num_queries
    ) -> None:
        request = rf.get("/", headers={"cookie": f"{COOKIE}=theme%3Ddark"})
        with django_assert_num_queries(0):
            response = pages.broken(request)
        page = response.content.decode()
        assert response.status_code == 500
        assert "Dropped the deck" in page
        assert "Your game is safe" in page

    def test_a_view_that_breaks_shows_that_page(self, client: Client) -> None:
        client.raise_request_exception = False
        with mock.patch("games.views.pages.read_health", side_effect=RuntimeError("inner secret")):
            response = client.get("/status/")
        assert response.status_code == 500
        assert "Dropped the deck" in response.content.decode()
        assert "inner secret" not in response.content.decode()
