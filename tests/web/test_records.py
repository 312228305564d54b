"""Records that leave the site and come to it: downloads, and the page that steps through a record of anybody's."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from django.test import Client

from games import engine
from games.models import Game
from games.records import read_record
from games.selectors.games import read_record as stored_record
from tests.factories import Cast, make_cast, play_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def game(cast: Cast) -> Game:
    return play_game(cast.seated, seed=3, at=datetime(2026, 11, 30, 20, 15, tzinfo=UTC))


class TestDownloads:
    def test_a_finished_game_in_euchre_game_notation(self, client: Client, cast: Cast, game: Game):
        response = client.get(f"/games/{game.pk}/record.egn.json")
        assert response["Content-Type"] == "application/json"
        assert response["Content-Disposition"] == f'attachment; filename="euchre-{game.pk}.egn"'
        metadata = json.loads(response.content)["metadata"]
        assert (metadata["title"], metadata["date"]) == (f"Game {game.pk}", f"{game.finished_at:%Y-%m-%dT%H:%M}")
        back = read_record(response.content)
        assert back.players == tuple(player.name for player in cast.seated)
        ours = read_record(stored_record(game)).record
        assert [deal.actions for deal in back.record.deals] == [deal.actions for deal in ours.deals]
        assert engine.replay(back.record).scores == engine.replay(ours).scores

    def test_the_replay_leads_to_both(self, client: Client, game: Game):
        page = client.get(f"/games/{game.pk}/").content.decode()
        assert f'href="/games/{game.pk}/record/"' in page
        assert f'href="/games/{game.pk}/record.egn.json"' in page
