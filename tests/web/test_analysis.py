"""The analysis on the replay's page, as JSON and on a player's page; nothing of a running game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from games.bots import analysis as pure
from games.bots import solver
from games.bots.analysis import Decision, Option, PostMortem, Reason
from games.engine import Action, DealState, Rules
from games.models import Accuracy, Analysis, Game, Participation
from games.services import analysis
from games.templatetags.records import signed_points
from games.views import verdicts
from tests.bots.test_heuristic import after, deal_with
from tests.factories import Cast, make_cast, play_game

pytestmark = pytest.mark.django_db

ANALYSE = pure.analyse


@pytest.fixture
def cast() -> Cast:
    cache.clear()
    return make_cast()


@pytest.fixture
def game(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(pure, "analyse", made_up)
    monkeypatch.setattr(analysis.current_app, "send_task", lambda *_args, **_options: None)
    return play_game(cast.seated, seed=3)


def made_up(start: DealState, actions: Sequence[Action], _score: tuple[int, ...]) -> PostMortem:
    """A deal whose first choice was a mistake."""
    options = (Option(str(start.legal[1]), 0.6, 0.7), Option(str(start.legal[0]), 0.1, 0.4))
    assert start.turn is not None
    one = Decision(0, start.turn, "call", str(actions[0]), options, 0.5, 0.05, 100, True, ())
    return PostMortem(((0.0, 0.0),) * (len(actions) + 1), (one,), None, (), None, None, None)


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


class TestAskingAndSeeing:
    def test_a_button_asks_a_worker_and_the_page_fills_itself(self, client: Client, game: Game):
        address, asked = f"/games/{game.pk}/?deal=2&step=3", f"/games/{game.pk}/analysis/"
        assert "Look at the play" in page_of(client, address)
        response = client.post(asked, {"deal": 2, "step": 3})
        assert response["Location"] == address
        page = page_of(client, address)
        assert "Look at the play" not in page
        assert f'hx-get="{asked}?deal=2"' in page
        assert client.get(f"{asked}?deal=2").status_code == 204
        analysis.analyse(game_id=game.pk)
        for filled in (page_of(client, f"{asked}?deal=2"), page_of(client, address)):
            assert 'class="eval"' in filled
            assert "hx-get" not in filled[filled.index('id="replay"') :]

    def test_a_worker_that_never_comes_can_be_asked_again(self, client: Client, game: Game):
        client.post(f"/games/{game.pk}/analysis/", {"deal": 1})
        cache.clear()
        assert "Look at the play" in page_of(client, f"/games/{game.pk}/analysis/?deal=1")

    def test_every_deal_that_is_really_analysed_has_its_page(
        self, client: Client, cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(pure, "analyse", ANALYSE)
        monkeypatch.setattr(pure, "PLAIN_WORLDS", 2)
        monkeypatch.setattr(solver, "par", lambda _start: ())
        game.deals.filter(number__gt=3).delete()
        analysis.analyse(game_id=game.pk)
        client.force_login(cast.north)
        for number in range(1, game.deals.count() + 1):
            page = page_of(client, f"/games/{game.pk}/?deal={number}&step=999")
            last = int(re.search(r'data-last="(\d+)"', page).group(1))  # type: ignore[union-attr]
            curve = page[page.index('class="ln"') :]
            assert curve[: curve.index("/>")].count("L") == last
            assert page.count('class="verdict') >= 5

    def test_the_same_numbers_as_json(self, client: Client, game: Game):
        address = f"/games/{game.pk}/analysis.json"
        assert client.get(address).json() == {"game": game.pk, "version": pure.VERSION, "deals": []}
        analysis.analyse(game_id=game.pk)
        deals = client.get(address).json()["deals"]
        assert [deal["number"] for deal in deals] == list(range(1, game.deals.count() + 1))
        kept = Analysis.objects.get(deal__game=game, deal__number=2).numbers
        assert deals[1] == {"number": 2} | kept

    def test_the_number_of_queries_does_not_grow(self, client: Client, game: Game):
        analysis.analyse(game_id=game.pk)
        with CaptureQueriesContext(connection) as made:
            client.get(f"/games/{game.pk}/?deal=2")
        assert len(made) == 4

    def test_too_many_questions_in_a_minute_have_to_wait(self, client: Client, game: Game, settings: Any):
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "analysis": "2/m/ip"}
        codes = [client.post(f"/games/{game.pk}/analysis/").status_code for _ in range(3)]
        assert codes == [302, 302, 429]

    def test_a_record_from_outside_is_not_analysed(self, client: Client, game: Game):
        record = client.get(f"/games/{game.pk}/record/").content.decode()
        page = client.post("/records/", {"record": record}, follow=True).content.decode()
        assert "Look at the play" not in page


@pytest.mark.parametrize("address", ["", "?deal=1&step=3", "analysis/", "analysis/?deal=1", "analysis.json"])
def test_a_running_game_answers_404_and_tells_nothing(client: Client, cast: Cast, game: Game, address: str):
    analysis.analyse(game_id=game.pk)
    Game.objects.update(status=Game.Status.PLAYING)
    for viewer in (None, cast.north, cast.stranger):
        if viewer:
            client.force_login(viewer)
        response = client.get(f"/games/{game.pk}/{address}")
        page = response.content.decode()
        assert response.status_code == 404
        for trace in ("data-card", "verdict", "eval", "expected", "play:", "Look at the play"):
            assert trace not in page
    assert client.post(f"/games/{game.pk}/analysis/").status_code == 404


# Sentences

LONER = Rules(alone_timing="with_call", lone_lead="left_of_dealer", defend_alone="off")
HANDS = {0: "AS KH 9D AH KS", 1: "KC QH JS JC 9H", 2: "AC TH AD 9C QD", 3: "QC JD TD JH QS"}
PLAYED = (
    "pass pass pass pass pass call_alone:C play:AS play:KC play:AC play:TH play:KH play:QH play:9D play:JS play:AD "
    "play:JC play:9C play:AH"
)


def decision(at: int, seat: int, kind: str, chosen: str, best: str, *reasons: Reason) -> Decision:
    options = (Option(best, 0.61, 0.4), Option(chosen, -0.36, 0.2))
    return Decision(at, seat, kind, chosen, options, 0.97, 0.05, 240, True, reasons)


def looked(final: DealState, one: Decision, you: int | None) -> verdicts.Looked:
    expected = tuple((0.1 * at, 0.0) for at in range(len(final.history) + 1))
    found = PostMortem(expected, (one,), None, (), None, None, min(3, len(final.history) - 1))
    steps = tuple(range(len(final.history) + 1))
    seen = verdicts.Seen(final, ("Marta", "Tom", "Priya", "Hazel"), you, 0, steps)
    return verdicts.look(found, seen, 0, signed_points)


def told(final: DealState, one: Decision, you: int | None = 0) -> list[str]:
    [verdict] = [verdict for verdict in looked(final, one, you).verdicts if verdict.bars]
    return [strip_tags(verdict.title), *verdict.reasons]


class TestSentences:
    def test_the_card_to_keep(self):
        final = after(deal_with(HANDS, "9S", rules=LONER), PLAYED)
        reasons = (
            Reason("holds", {"seat": 1, "suits": "HC", "count": 1}),
            Reason("beats", {"card": "AH", "better": "KS"}),
            Reason("euchred", {"better": 34, "chosen": 18}),
        )
        one = decision(17, 0, "follow", "play:AH", "play:KS", *reasons)
        assert told(final, one) == [
            "You threw the ace of hearts. Throw the king of spades.",
            "The last card of Tom is a heart or a trump.",
            "The ace of hearts beats every other card of its suit; the king of spades beats nothing.",
            "The makers are euchred in 34 of 100 ways rather than 18.",
        ]
        assert told(final, one, you=1)[0] == "Marta threw the ace of hearts. Better: throw the king of spades."
        mark = looked(final, one, 0).marks[18]
        assert mark.cost == "−0.97"
        assert looked(final, one, 0).turn == 4

    @pytest.mark.parametrize(
        ("actions", "seat", "kind", "chosen", "best", "sentence"),
        [
            ("", 0, "call", "pass", "order_up", "You passed. Order it up."),
            ("pass pass pass", 3, "call", "order_up", "pass", "You took it up. Pass."),
            ("pass pass pass pass", 0, "call", "pass", "call:H", "You passed. Call hearts."),
            ("pass pass pass pass pass", 1, "call", "call_alone:C", "call:C", "You called clubs alone. Call clubs."),
            ("pass pass pass order_up", 3, "discard", "discard:JD", "discard:TD",
             "You put the jack of diamonds away. Put the ten of diamonds away."),
        ],
    )  # fmt: skip
    def test_calls_and_discards(self, actions: str, seat: int, kind: str, chosen: str, best: str, sentence: str):
        final = after(deal_with(HANDS, "9S", rules=LONER), f"{actions} {chosen}")
        one = decision(len(final.history) - 1, seat, kind, chosen, best)
        assert told(final, one, you=seat) == [sentence]

    @pytest.mark.parametrize(
        ("reason", "sentence"),
        [
            (Reason("hand", {"trump": "H", "trumps": 3, "best": "JH", "aces": 1}),
             "The hand has 3 trumps, the best the jack of hearts. Beside them 1 ace."),
            (Reason("hand", {"trump": "H", "trumps": 0, "best": "", "aces": 1}), "There is no trump in the hand."),
            (Reason("called", {"made": 71}), "Called, it is made in 71 of 100 ways in which the unseen cards can lie."),
            (Reason("partner_wins", {"seat": 2, "card": "KC"}),
             "Priya wins the trick already, with the king of clubs."),
            (Reason("holds", {"seat": 1, "suits": "DC", "count": 2}), "Tom holds nothing but diamonds and trumps."),
            (Reason("void", {"suit": "D"}), "No card of diamonds is left then: such tricks can be ruffed."),
            (Reason("of another version", {}), ""),
        ],
    )  # fmt: skip
    def test_reasons(self, reason: Reason, sentence: str):
        final = after(deal_with(HANDS, "9S", rules=LONER), PLAYED)
        seen = verdicts.Seen(final, ("Marta", "Tom", "Priya", "Hazel"), 0, 0, (0,))
        assert verdicts.why(reason, seen) == sentence

    def test_every_reason_that_is_given_has_a_sentence(self):
        given = re.findall(r'Reason\(\s*"(\w+)"', Path(pure.__file__).read_text())
        known = re.findall(r'case "(\w+)"', Path(verdicts.__file__).read_text())
        assert {*given, "made", "marched", "euchred", "unmarched"} <= {*known}

    def test_names_are_text(self):
        final = after(deal_with(HANDS, "9S", rules=LONER), PLAYED)
        one = decision(17, 0, "follow", "play:AH", "play:KS", Reason("holds", {"seat": 1, "suits": "HC", "count": 1}))
        found = PostMortem(((0.0, 0.0),) * 19, (one,), None, (), None, None, None)
        seen = verdicts.Seen(final, ("<b>", "<i>", "C", "D"), None, 0, tuple(range(19)))
        [verdict] = [verdict for verdict in verdicts.look(found, seen, 0, signed_points).verdicts if verdict.bars]
        assert "&lt;b&gt;" in verdict.title
        assert "<b>" not in verdict.title


class TestAPlayersPage:
    def test_accuracy_stands_beside_that_of_everybody(self, client: Client, cast: Cast, game: Game):
        assert "Accuracy" not in page_of(client, "/players/North/")
        for seat in Participation.objects.filter(game=game):
            good = seat.player == cast.north
            Accuracy.objects.create(
                participation=seat, calls=10, calls_right=10 if good else 6, leads=4, leads_right=3, cards=1
            )
        page = page_of(client, "/players/North/")
        table = page[page.index('id="accuracy-title"') :]
        cells = [strip_tags(cell) for cell in re.findall(r'<td class="num">(.*?)</td>', table)[:4]]
        assert cells == ["100\u00a0% 10", "70\u00a0%", "75\u00a0% 4", "75\u00a0%"]

    def test_it_takes_two_queries(self, client: Client, cast: Cast, game: Game):
        with CaptureQueriesContext(connection) as before:
            client.get("/players/North/")
        for seat in Participation.objects.filter(game=game):
            Accuracy.objects.create(participation=seat, calls=10, calls_right=6)
        with CaptureQueriesContext(connection) as after_it:
            client.get("/players/North/")
        assert len(before) == len(after_it)
