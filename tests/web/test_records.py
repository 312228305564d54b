"""Records that leave the site and come to it: downloads, and the page that steps through a record of anybody's."""

from __future__ import annotations

import base64
import json
import random
import zlib
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games import engine
from games.models import Game
from games.records import Imported, read_record, to_egn
from games.selectors.games import read_record as stored_record
from games.views.records import link_of
from tests.factories import Cast, make_cast, play_game
from tests.records.made import random_game

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


SHORT = engine.format_game(random_game(engine.PRESETS["article"], 1, deals=2))


def sent(client: Client, text: str, **fields: object) -> str:
    """The page a record leads to."""
    response = client.post("/records/", {"record": text, **fields}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


class TestARecordOfAnybodys:
    def test_the_form_is_open_to_visitors(self, client: Client):
        assert 'enctype="multipart/form-data"' in client.get("/records/").content.decode()

    @pytest.mark.parametrize("name", engine.PRESETS)
    def test_every_step_of_every_preset_has_its_page(self, client: Client, name: str):
        played = random_game(engine.PRESETS[name], 5, deals=2)
        response = client.post("/records/", {"record": to_egn(played, title="Ours")})
        address = response["Location"]
        for number, deal in enumerate(played.deals, start=1):
            for step in range(0, len(deal.actions) + 1, 3):
                page = client.get(f"{address}?deal={number}&step={step}").content.decode()
                assert "Ours" in page
                assert f"Deal {number} of 2" in page

    def test_the_hands_of_a_step_are_those_the_engine_has(self, client: Client):
        address = client.post("/records/", {"record": SHORT})["Location"]
        start = engine.replay(engine.parse_game(SHORT)).deals[0]
        page = client.get(f"{address}?step=0").content.decode()
        for card in (card for card in engine.pack() if card not in start.kitty):
            assert f'data-card="{card}"' in page

    def test_it_is_stepped_through_by_the_script_of_the_replay(self, client: Client):
        page = sent(client, SHORT)
        for mark in ('id="replay"', "js/replay", 'data-to="on"', 'id="link"', "This record came from outside."):
            assert mark in page
        assert "Check this deal" not in page

    def test_a_record_may_end_within_a_deal(self, client: Client):
        page = sent(client, SHORT[: SHORT.rindex(" ")] + "\n")
        assert "not finished" in page
        address = client.post("/records/", {"record": SHORT[: SHORT.rindex(" ")] + "\n"})["Location"]
        assert "The record ends within this deal." in client.get(f"{address}?deal=2&step=99").content.decode()

    def test_a_file_does_as_well_as_a_text(self, client: Client):
        page = sent(client, "", file=SimpleUploadedFile("game.txt", SHORT.encode()))
        assert "Deal 1 of 2" in page

    def test_a_downloaded_record_can_be_sent_back(self, client: Client, game: Game):
        for record in ("record/", "record.egn.json"):
            assert "Deal 1 of" in sent(client, client.get(f"/games/{game.pk}/{record}").content.decode())

    def test_a_downloaded_record_keeps_the_names(self, client: Client, game: Game):
        first, *_others = game.participations.order_by("seat")
        first.player.delete()
        text = client.get(f"/games/{game.pk}/record/").content.decode()
        names = [part.player.name for part in game.participations.order_by("seat")[1:]]
        assert f"\n# players ?, {', '.join(names)}\n" in text
        page = sent(client, text)
        for name in (*names, "Seat 1"):
            assert f"<bdi>{name}</bdi>" in page

    def test_a_bad_record_gets_its_place_and_its_reason_and_keeps_the_text(self, client: Client):
        response = client.post("/records/", {"record": SHORT.replace("pass", "play:9C", 1)})
        page = response.content.decode()
        assert response.status_code == 422
        assert "line 4, action 1 (play:9C)" in page
        assert "Order the up-card or pass." in page
        assert "play:9C" in page[page.index("<textarea") :]

    def test_nothing_is_stored(self, client: Client, django_assert_num_queries: Any):
        address = client.post("/records/", {"record": SHORT})["Location"]
        with django_assert_num_queries(0):
            assert client.get(address).status_code == 200
        assert not Game.objects.exists()
        assert "sessionid" not in client.cookies

    def test_a_record_too_long_for_a_link_is_checked_all_the_same(self, client: Client):
        passed = engine.DealRecord(engine.pack(), tuple(map(engine.parse_action, ["pass"] * 8)))
        rng = random.Random(1)
        deals = tuple(engine.DealRecord(tuple(rng.sample(passed.deck, 24)), passed.actions) for _ in range(400))
        page = sent(client, engine.format_game(engine.GameRecord(engine.PRESETS["article"], 0, deals)))
        assert "This record is sound: 400 deals" in page

    def test_a_record_without_deals_has_a_page(self, client: Client):
        assert "No deals" in sent(client, "euchre 1\nrules article\nfirst_dealer 0\n")

    @pytest.mark.parametrize("token", ["x", "eJwLAAA", "%F0%9F%82%A1", "A" * 7000, "..", "eJwDAAAAAAE"])
    def test_a_forged_link_leads_nowhere(self, client: Client, token: str):
        assert client.get(f"/records/{token}/").status_code == 404

    def test_a_link_that_unpacks_to_very_much_leads_nowhere(self, client: Client):
        bomb = base64.urlsafe_b64encode(zlib.compress(b"0" * 3_000_000, 9)).decode().rstrip("=")
        assert client.get(f"/records/{bomb}/").status_code == 404

    def test_names_in_a_link_are_text(self, client: Client):
        imported = Imported(engine.parse_game(SHORT), ("<b>Ann</b>", "B", "C", "D"))
        page = client.get(f"/records/{link_of(imported)}/").content.decode()
        assert "&lt;b&gt;Ann" in page
        assert "<b>Ann" not in page

    def test_the_form_wants_its_token(self):
        assert Client(enforce_csrf_checks=True).post("/records/", {"record": SHORT}).status_code == 403

    def test_too_many_records_in_a_minute_have_to_wait(self, client: Client, settings: Any):
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "records": "2/m/ip"}
        codes = [client.post("/records/", {"record": "?"}).status_code for _ in range(3)]
        assert codes == [422, 422, 429]
