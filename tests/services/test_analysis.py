"""Analyses: asked for once, stored deal by deal, resumed by whoever asks again, never of a running game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.cache import cache

from games.bots import analysis as pure
from games.bots.analysis import Decision, Option, PostMortem
from games.models import Accuracy, Analysis, Game
from games.selectors import analyses
from games.selectors.games import StillPlayed
from games.services import analysis
from games.services.errors import UserError
from tests.factories import make_bots, make_cast, play_game

pytestmark = pytest.mark.django_db

OPTIONS = (Option("play:9C", 0.5, 0.6), Option("play:TC", 0.0, 0.5))


def decision(at: int, seat: int, kind: str, cost: float) -> Decision:
    return Decision(at, seat, kind, "play:TC", OPTIONS, cost, 0.01, 100, cost > 0.2, ())


def made_up(decisions: Sequence[Decision] = ()) -> PostMortem:
    return PostMortem(((0.0, 0.0), (1.0, 0.0)), tuple(decisions), None, (), None, None, None)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr(analysis.current_app, "send_task", lambda *args, **_options: messages.append(args))
    return messages


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    found = [decision(0, 0, "call", 0.5), decision(1, 1, "lead", 0.0), decision(2, 2, "follow", 0.1)]
    monkeypatch.setattr(pure, "analyse", lambda *_args: made_up(found))
    cache.clear()
    return play_game(make_cast().seated, seed=3)


def test_a_worker_is_told_once_however_many_ask(game: Game, sent: list[tuple[Any, ...]]):
    for _ in range(3):
        analysis.ask(game_id=game.pk)
    assert sent == [("games.tasks.bot_analyse", (game.pk,))]
    assert analyses.is_asked(game)


def test_nobody_is_told_when_all_is_known(game: Game, sent: list[tuple[Any, ...]]):
    analysis.analyse(game_id=game.pk)
    analysis.ask(game_id=game.pk)
    assert sent == []


def test_a_broker_that_is_away_harms_nobody(game: Game, monkeypatch: pytest.MonkeyPatch):
    def away(*_args: Any, **_options: Any) -> None:
        raise OSError("no broker")

    monkeypatch.setattr(analysis.current_app, "send_task", away)
    analysis.ask(game_id=game.pk)


def test_every_deal_is_kept_and_a_second_time_changes_nothing(game: Game):
    deals = game.deals.count()
    assert analysis.analyse(game_id=game.pk) == deals
    first = list(Analysis.objects.values())
    assert len(first) == deals
    assert analysis.analyse(game_id=game.pk) == 0
    assert list(Analysis.objects.values()) == first


def test_what_a_dead_worker_has_left_is_done_by_the_next(game: Game, monkeypatch: pytest.MonkeyPatch):
    done: list[int] = []

    def dying(*_args: Any) -> PostMortem:
        if len(done) == 3:
            raise SystemExit
        done.append(1)
        return made_up()

    monkeypatch.setattr(pure, "analyse", dying)
    with pytest.raises(SystemExit):
        analysis.analyse(game_id=game.pk)
    assert Analysis.objects.count() == 3
    assert not Accuracy.objects.exists()
    monkeypatch.setattr(pure, "analyse", lambda *_args: made_up())
    assert analysis.analyse(game_id=game.pk) == game.deals.count() - 3
    assert Accuracy.objects.count() == 4


def test_another_version_is_made_again(game: Game, monkeypatch: pytest.MonkeyPatch):
    analysis.analyse(game_id=game.pk)
    monkeypatch.setattr(pure, "VERSION", pure.VERSION + 1)
    assert analyses.read_analyses(game) == {}
    assert analysis.analyse(game_id=game.pk) == game.deals.count()
    assert set(Analysis.objects.values_list("version", flat=True)) == {pure.VERSION}


def test_who_called_and_played_how_well(game: Game):
    deals = game.deals.count()
    analysis.analyse(game_id=game.pk)
    rows = list(Accuracy.objects.order_by("participation__seat"))
    assert (rows[0].calls, rows[0].calls_right, rows[0].calls_lost) == (deals, 0, pytest.approx(deals * 0.5))
    assert (rows[1].leads, rows[1].leads_right) == (deals, deals)
    assert (rows[2].cards, rows[2].cards_right) == (deals, 0)
    assert rows[3].calls == rows[3].leads == rows[3].cards == 0


def test_what_others_did_in_ones_place_does_not_count(monkeypatch: pytest.MonkeyPatch):
    found = [decision(at, at, "call", 0.0) for at in range(3)]
    monkeypatch.setattr(pure, "analyse", lambda *_args: made_up(found))
    north, *_others = make_cast()
    game = play_game([north, *make_bots()], marks="bbc")
    analysis.analyse(game_id=game.pk)
    calls = Accuracy.objects.order_by("participation__seat").values_list("calls", flat=True)
    assert list(calls) == [0, game.deals.count(), 0, 0]


def test_nothing_of_a_game_that_is_being_played(game: Game, sent: list[tuple[Any, ...]]):
    analysis.analyse(game_id=game.pk)
    Game.objects.update(status=Game.Status.PLAYING)
    Analysis.objects.all().delete()
    game.refresh_from_db()
    with pytest.raises(UserError):
        analysis.ask(game_id=game.pk)
    with pytest.raises(UserError):
        analysis.ask(game_id=0)
    assert analysis.analyse(game_id=game.pk) == 0
    assert sent == []
    assert not Analysis.objects.exists()
    with pytest.raises(StillPlayed):
        analyses.read_analyses(game)
    with pytest.raises(StillPlayed):
        analyses.read_analysis(game, 1)
