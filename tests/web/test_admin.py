"""The staff's desk."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game, Player, StaffAction
from games.selectors import tables
from tests.services.conftest import cast, table  # noqa: F401
from tests.services.test_play import finish


@pytest.fixture
def desk(client, db):
    client.force_login(Player.objects.create_superuser("Umpire", "a good long password"))
    return client


PAGES = ("player", "table", "game")


@pytest.mark.parametrize("model", PAGES)
def test_lists_and_forms_open_at_a_constant_number_of_queries(desk, table, model, django_assert_max_num_queries):  # noqa: F811
    with django_assert_max_num_queries(16):
        assert desk.get(reverse(f"admin:games_{model}_changelist")).status_code == 200
    pk = {"player": Player.objects.first().pk, "table": table, "game": Game.objects.get().pk}[model]
    assert desk.get(reverse(f"admin:games_{model}_change", args=[pk])).status_code == 200


def test_nobody_but_staff_gets_in(client, cast):  # noqa: F811
    client.force_login(cast.north)
    assert client.get(reverse("admin:games_game_changelist")).status_code == 302


def test_the_cards_of_a_running_deal_are_shown_to_nobody(desk, table):  # noqa: F811
    deck = tables.read_row(table).deck
    assert len(deck) == 48
    for model, pk in (("table", table), ("game", Game.objects.get().pk)):
        page = desk.get(reverse(f"admin:games_{model}_change", args=[pk])).content.decode()
        assert deck not in page
        assert deck[:8] not in page


def act(desk, action: str, game_id: int, **data):
    return desk.post(reverse("admin:games_game_changelist"), {"action": action, "_selected_action": [game_id], **data})


def test_ending_a_game_asks_for_the_reason_first(desk, table):  # noqa: F811
    game_id = Game.objects.get().pk
    answer = act(desk, "end_games", game_id)
    assert b'name="reason"' in answer.content
    assert Game.objects.get().status == Game.Status.PLAYING
    act(desk, "end_games", game_id, reason="It was broken.")
    assert Game.objects.get().status == Game.Status.ENDED
    assert StaffAction.objects.get().by.name == "Umpire"


def test_voiding_and_restoring_go_through_the_services(desk, table):  # noqa: F811
    finish(table)
    game_id = Game.objects.get().pk
    act(desk, "void_games", game_id, reason="One household.")
    assert Game.objects.get().voided_at is not None
    act(desk, "restore_games", game_id, reason="Two households.")
    assert Game.objects.get().voided_at is None
    answer = desk.get(reverse("admin:games_game_change", args=[game_id])).content.decode()
    assert "One household." in answer
