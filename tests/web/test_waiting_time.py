"""Waiting time after leaving ranked games, as people and staff meet it on pages."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import engine
from games.models import Player, Seat
from games.services import waiting
from tests.web.test_lobby import OWN

pytestmark = pytest.mark.django_db


@pytest.fixture
def north() -> Player:
    """He has just left his third ranked game."""
    player = Player.objects.create_user("North", "a good long password")
    for _game in range(3):
        waiting.charge([player.pk], timezone.now())
    return player


def test_the_lobby_says_how_long_and_seats_nobody(client: Client, north: Player):
    client.force_login(north)
    asked = {"kind": "ranked", "pace": "20", "stick": "no"}
    page = client.post("/play/", asked, follow=True).content.decode()
    assert "the next one is open to you in 5 minutes" in page
    assert "Friendly games are open now" in page
    assert not Seat.objects.exists()


def test_a_ranked_table_is_not_opened_and_what_was_typed_stays(client: Client, north: Player):
    client.force_login(north)
    rated = {name: str(getattr(engine.Rules(), name)) for name in engine.OPTIONS}
    page = client.post("/tables/new/", OWN | rated | {"title": "Porch"}).content.decode()
    assert "the next one is open to you in 5 minutes" in page
    assert 'value="Porch"' in page
    assert not Seat.objects.exists()


def test_staff_can_forget_it_and_it_is_written_down(client: Client, north: Player):
    client.force_login(Player.objects.create_superuser("Umpire", "a good long password"))
    form = {"action": "forget_leaves", "_selected_action": [north.pk]}
    page = client.post(reverse("admin:games_player_changelist"), form, follow=True).content.decode()
    assert "nobody of them has to wait" in page
    north.refresh_from_db()
    assert (north.leaves, north.leaves_at) == (0, None)
    assert LogEntry.objects.get().object_id == str(north.pk)


def test_staff_without_the_right_cannot(client: Client, north: Player):
    client.force_login(Player.objects.create_user("Helper", "a good long password", is_staff=True))
    form = {"action": "forget_leaves", "_selected_action": [north.pk]}
    client.post(reverse("admin:games_player_changelist"), form)
    north.refresh_from_db()
    assert north.leaves


def test_the_policy_stands_on_a_page_of_the_site_with_its_numbers(client: Client):
    page = client.get("/fair-play/").content.decode()
    for said in ("2, 5, 15, 60 minutes", "half after 7 days", "The partner of a leaver is never charged", "10 minutes"):
        assert said in page
    assert '/fair-play/#leaving"' in client.get("/ratings/").content.decode()
