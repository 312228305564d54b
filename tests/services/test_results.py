"""The end of a game: deeds counted, ratings moved once, everybody told after the commit."""

from __future__ import annotations

import logging

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import engine, ratings
from games.models import Deal, Game, Participation, Player, Rating, RatingChange, Seat
from games.ratings import RatedSeat, Skill
from games.services import results
from games.services.results import count_deeds, finish_game
from games.signals import game_finished
from tests.factories import Cast, make_bots, make_cast, play_game

ARTICLE = engine.PRESETS["article"]


@pytest.fixture
def cast(db) -> Cast:
    return make_cast()


def skills(players) -> list[Skill]:
    held = {rating.player_id: rating for rating in Rating.objects.all()}
    return [Skill(held[player.pk].mu, held[player.pk].sigma) for player in players]


def reopened(game: Game) -> Game:
    """The same game once more before its end: deals stored, nothing recorded."""
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    results.ensure_ratings(Player.objects.all())
    game.status, game.finished_at = Game.Status.PLAYING, None
    game.save()
    return game


def finish(game: Game) -> None:
    with transaction.atomic():
        finish_game(game_id=game.pk, score=(game.score_0, game.score_1), now=timezone.now())


def leave(game: Game, *seats: int, players) -> None:
    now = timezone.now()
    for index, player in enumerate(players):
        Seat.objects.create(
            table=game.table, index=index, player=player, left_at=now if index in seats else None,
            bot_since=now if index in seats else None,
        )  # fmt: skip


def test_the_result_is_recorded_and_the_ratings_move_as_the_policy_says(cast):
    game = play_game(cast.seated, winner=0)
    assert game.status == Game.Status.FINISHED
    assert game.score_0 >= ARTICLE.target_score > game.score_1
    parts = list(Participation.objects.order_by("seat"))
    assert [part.won for part in parts] == [True, False, True, False]
    assert all(part.finished_at == game.finished_at and part.deals == game.deals.count() for part in parts)
    assert skills(cast.seated) == list(ratings.rate([RatedSeat(ratings.START)] * 4, 0))
    assert RatingChange.objects.count() == 4


def test_a_friendly_game_moves_no_rating(cast):
    play_game(cast.seated, ranked=False)
    assert not RatingChange.objects.exists()
    assert skills(cast.seated) == [ratings.START] * 4
    assert Participation.objects.filter(won=True).count() == 2


def test_a_ranked_game_with_three_bots_is_rated_for_the_person_only(cast):
    """Complaint: bots farmed for rating; bot games silently unrated."""
    bots = make_bots()
    play_game([cast.north, *bots])
    assert skills(bots) == [ratings.Skill(1500.0, 30.0)] * 3
    assert RatingChange.objects.get().player == cast.north


def test_recording_the_end_twice_changes_nothing(cast):
    game = play_game(cast.seated)
    before = (list(Rating.objects.order_by("pk").values()), list(Participation.objects.order_by("pk").values()))
    finish(game)
    assert (list(Rating.objects.order_by("pk").values()), list(Participation.objects.order_by("pk").values())) == before
    assert RatingChange.objects.count() == 4


def test_a_score_that_ends_no_game_is_our_mistake(cast):
    game = reopened(play_game(cast.seated))
    with pytest.raises(ValueError, match="not over"):
        finish_game(game_id=game.pk, score=(9, 3), now=timezone.now())
    assert Game.objects.get().status == Game.Status.PLAYING


@pytest.mark.parametrize("winner", [0, 1])
def test_who_left_and_is_not_back_takes_the_loss_and_the_partner_is_not_charged(cast, winner):
    game = reopened(play_game(cast.seated, winner=winner))
    leave(game, 0, players=cast.seated)
    finish(game)
    north, _east, south, _west = skills(cast.seated)
    assert Participation.objects.get(seat=0).left
    assert north.mu < ratings.START.mu
    assert south.mu > ratings.START.mu if winner == 0 else south == ratings.START


@pytest.mark.parametrize("winner", [0, 1])
def test_two_partners_who_both_left_both_take_the_loss(cast, winner):
    game = reopened(play_game(cast.seated, winner=winner))
    leave(game, 0, 2, players=cast.seated)
    finish(game)
    lost, as_played = (
        ratings.rate([RatedSeat(ratings.START)] * 4, 1),
        ratings.rate([RatedSeat(ratings.START)] * 4, winner),
    )
    assert skills(cast.seated) == [lost[0], as_played[1], lost[2], as_played[3]]


def test_who_has_taken_his_seat_back_by_the_end_has_not_left(cast):
    game = reopened(play_game(cast.seated, winner=0))
    leave(game, 0, players=cast.seated)
    Seat.objects.update(left_at=None, bot_since=None)
    finish(game)
    assert not Participation.objects.filter(left=True).exists()
    assert skills(cast.seated)[0].mu > ratings.START.mu


def test_a_bot_in_its_own_seat_has_not_left(cast):
    bots = make_bots()
    game = reopened(play_game([cast.north, *bots], winner=1))
    leave(game, 1, players=[cast.north, *bots])
    finish(game)
    assert not Participation.objects.filter(left=True).exists()


def test_nobody_is_charged_for_a_game_in_which_somebody_deleted_his_account(cast):
    game = reopened(play_game(cast.seated))
    cast.east.delete()
    finish(game)
    assert not RatingChange.objects.exists()
    assert Participation.objects.get(seat=1).player is None


def test_the_number_of_queries_does_not_grow_with_the_deals(cast):
    counts = set()
    for seed in range(1, 6):
        game = reopened(play_game(cast.seated, seed=seed))
        with CaptureQueriesContext(connection) as queries:
            finish(game)
        counts.add((len(queries), game.deals.count()))
        game.delete()
    assert len({deals for _queries, deals in counts}) > 1
    assert {count for count, _deals in counts} == {9 + 2}, "and a savepoint of the test"


@pytest.mark.django_db(transaction=True)
def test_listeners_hear_of_it_once_after_the_commit_and_cannot_break_it(caplog):
    heard = []

    def break_down(**_kwargs) -> None:
        raise RuntimeError("a listener's own fault")

    def listen(game_id: int, **_kwargs) -> None:
        heard.append((game_id, connection.in_atomic_block))

    game_finished.connect(break_down)
    game_finished.connect(listen)
    try:
        with caplog.at_level(logging.CRITICAL, logger="games.services.results"):
            game = play_game(make_cast().seated)
            finish(game)
    finally:
        game_finished.disconnect(break_down)
        game_finished.disconnect(listen)
    assert heard == [(game.pk, False)]
    assert RatingChange.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_an_end_that_is_rolled_back_has_not_happened_and_is_announced_to_nobody():
    heard = []

    def listen(game_id: int, **_kwargs) -> None:
        heard.append(game_id)

    game = reopened(play_game(make_cast().seated))
    game_finished.connect(listen)
    try:
        with transaction.atomic():
            finish_game(game_id=game.pk, score=(game.score_0, game.score_1), now=timezone.now())
            transaction.set_rollback(True)
        assert heard == []
        assert Game.objects.get().status == Game.Status.PLAYING
        assert not RatingChange.objects.exists()
        finish(game)
        assert heard == [game.pk], "it happens all the same, later"
    finally:
        game_finished.disconnect(listen)


# --- deeds


def deal(dealer: int, hands: str, actions: str) -> Deal:
    """A stored deal: ``hands`` from eldest to dealer, separated by ``/``; then what was done."""
    packets = [hand.split() for hand in hands.split("/")]
    first = [card for hand, size in zip(packets, (3, 2, 3, 2), strict=True) for card in hand[:size]]
    second = [card for hand, size in zip(packets, (3, 2, 3, 2), strict=True) for card in hand[size:]]
    dealt = [*first, *second]
    rest = [card for card in engine.pack() if card not in dealt]
    return Deal(dealer=dealer, deck=engine.format_deck((*dealt, *rest)), actions=actions)


HEARTS = "JH JD AH KH QH / 9C TC QC KC AC / 9S TS QS KS AS / 9D TD QD KD AD"
PASSES = "pass pass pass pass"


def test_a_lone_march_is_a_call_made_a_march_and_a_loner_made(db):
    # Eldest alone: his left-hand opponent leads (R40).
    state = f"{PASSES} call:H alone together together"
    led = "play:9C play:9D play:JH play:JD play:TC play:TD play:AH play:QC play:QD"
    led += " play:KH play:KC play:KD play:QH play:AC play:AD"
    north, east, south, west = count_deeds(ARTICLE, [deal(3, HEARTS, f"{state} {led}")])
    assert (north.deals, north.calls, north.calls_made, north.euchred) == (1, 1, 1, 0)
    assert (north.marches, north.loners_tried, north.loners_made) == (1, 1, 1)
    assert (south.deals, south.calls, south.marches, south.loners_tried) == (1, 0, 0, 0), "he sat out"
    assert (east.euchres, west.euchres) == (0, 0)


def test_a_euchre_is_suffered_by_the_caller_and_made_by_both_defenders(db):
    plays = (
        "play:JH play:9C play:9S play:9D play:JD play:TC play:TS play:TD play:AH play:QC play:QS play:QD "
        "play:KH play:KC play:KS play:KD play:QH play:AC play:AS play:AD"
    )
    actions = f"{PASSES} pass call:H together together together together {plays}"
    north, east, south, west = count_deeds(ARTICLE, [deal(3, HEARTS, actions)])
    assert (east.calls, east.calls_made, east.euchred) == (1, 0, 1)
    assert (west.calls, west.euchred) == (0, 0)
    assert (north.euchres, south.euchres) == (1, 1)
    assert (north.marches, south.marches) == (0, 0), "a march is the makers' (R49)"


def test_a_deal_passed_out_counts_as_a_deal_and_nothing_else(db):
    for deeds in count_deeds(ARTICLE, [deal(2, HEARTS, f"{PASSES} {PASSES}")]):
        assert (deeds.deals, deeds.calls, deeds.euchres) == (1, 0, 0)
