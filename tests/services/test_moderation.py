"""What staff may do to a game, and undo."""

from __future__ import annotations

import pytest

from games.models import Game, Player, Rating, RatingChange, Seat, StaffAction
from games.selectors import tables
from games.services import moderation
from games.services.errors import UserError
from tests.services.conftest import on_turn, submit
from tests.services.test_play import finish, row_of


@pytest.fixture
def staff(db) -> Player:
    return Player.objects.create_user("Umpire", "a good long password", is_staff=True)


def ratings_now() -> dict[int, tuple[float, float]]:
    return {rating.player_id: (rating.mu, rating.sigma) for rating in Rating.objects.all()}


VERBS = (moderation.end_game, moderation.resume_game, moderation.void_ratings, moderation.restore_ratings)


@pytest.mark.parametrize("verb", VERBS)
def test_only_staff_with_a_reason_may_act(table, cast, staff, verb):
    game_id = Game.objects.get().pk
    with pytest.raises(UserError, match="staff"):
        verb(by=cast.north, game_id=game_id, reason="because")
    with pytest.raises(UserError, match="why"):
        verb(by=staff, game_id=game_id, reason="  ")
    assert not StaffAction.objects.exists()


def test_a_broken_game_is_ended_its_players_are_free_and_nothing_is_rated(table, cast, staff):
    game = Game.objects.get()
    moderation.end_game(by=staff, game_id=game.pk, reason="The wrong people sat down.")
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert row_of(table).phase == "closed"
    assert not Seat.objects.filter(held=True).exists()
    assert not RatingChange.objects.exists()
    with pytest.raises(UserError):
        submit(table, cast.north, "pass")
    assert StaffAction.objects.get().reason == "The wrong people sat down."
    assert tables.load_table(table).phase == "closed"


def test_a_game_ended_by_mistake_goes_on_where_it_was(table, cast, staff):
    submit(table, on_turn(table), "pass")
    before = row_of(table)
    game_id = Game.objects.get().pk
    moderation.end_game(by=staff, game_id=game_id, reason="By mistake.")
    moderation.resume_game(by=staff, game_id=game_id, reason="It was a mistake.")
    after = row_of(table)
    assert (after.phase, after.turn, after.actions) == (before.phase, before.turn, before.actions)
    submit(table, on_turn(table), "pass")


def test_voided_ratings_come_back_to_the_last_bit_even_after_a_later_game(table, cast, staff):
    start = ratings_now()
    finish(table)
    game_id = Game.objects.get().pk
    after_one = ratings_now()
    moderation.void_ratings(by=staff, game_id=game_id, reason="One household.")
    assert ratings_now() == start
    moderation.restore_ratings(by=staff, game_id=game_id, reason="Two households.")
    assert ratings_now() == after_one
    for player in (cast.north, cast.east, cast.south, cast.west):
        submit(table, player, "rematch")
    finish(table)
    after_two = ratings_now()
    moderation.void_ratings(by=staff, game_id=game_id, reason="One household.")
    assert ratings_now() != after_two
    moderation.restore_ratings(by=staff, game_id=game_id, reason="Two households.")
    assert ratings_now() == after_two


def test_what_cannot_be_done_is_refused(table, cast, staff):
    game_id = Game.objects.get().pk
    for verb in (moderation.resume_game, moderation.void_ratings, moderation.restore_ratings):
        with pytest.raises(UserError):
            verb(by=staff, game_id=game_id, reason="because")
    finish(table)
    moderation.void_ratings(by=staff, game_id=game_id, reason="because")
    for verb in (moderation.end_game, moderation.resume_game, moderation.void_ratings):
        with pytest.raises(UserError):
            verb(by=staff, game_id=game_id, reason="because")
    with pytest.raises(UserError):
        moderation.end_game(by=staff, game_id=999, reason="because")


def test_a_game_that_goes_on_has_everybody_back_who_got_up_from_its_table(table, cast, staff):
    game_id = Game.objects.get().pk
    moderation.end_game(by=staff, game_id=game_id, reason="By mistake.")
    submit(table, cast.east, "leave")
    moderation.resume_game(by=staff, game_id=game_id, reason="It was a mistake.")
    seat = row_of(table) and tables.read_seats(table)[1]
    assert (seat.name, seat.keeper, seat.left) == ("East", True, True)
    submit(table, cast.east, "take_back")
    assert not tables.read_seats(table)[1].keeper
