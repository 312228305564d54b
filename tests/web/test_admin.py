"""The staff's desk."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Game, Player, StaffAction
from games.selectors import tables
from games.services import moderation
from tests.factories import make_cast, play_game
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


def test_a_list_and_a_game_cost_the_same_queries_with_one_row_as_with_three(desk):
    umpire, seated = Player.objects.get(), make_cast().seated
    addresses = [reverse(f"admin:games_{model}_changelist") for model in PAGES]
    counts = []
    for number in range(3):
        game = play_game(seated, seed=number)
        first = Game.objects.order_by("pk")[0]
        verb = moderation.restore_ratings if first.voided_at else moderation.void_ratings
        verb(by=umpire, game_id=first.pk, reason="because")
        counts.append([])
        for address in (*addresses, reverse("admin:games_game_change", args=[first.pk])):
            desk.get(address)  # warm: the first request looks up content types
            with CaptureQueriesContext(connection) as queries:
                assert desk.get(address).status_code == 200
            counts[-1].append(len(queries))
    assert game.pk != first.pk
    assert counts[0] == counts[2]


def test_staff_cannot_make_themselves_superusers(client, db):
    helper = Player.objects.create_user("Helper", "a good long password", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__in=("view_player", "change_player")))
    client.force_login(helper)
    address = reverse("admin:games_player_change", args=[helper.pk])
    answer = client.post(
        address, {"name": "Helper", "email": "", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    )
    assert answer.status_code == 302
    helper.refresh_from_db()
    assert helper.is_active
    assert not helper.is_superuser


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


def test_staff_log_in_at_the_sites_own_door_with_its_limits_and_second_step(client, db):
    answer = client.post(reverse("admin:login"), {"username": "Umpire", "password": "a good long password"})
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))
