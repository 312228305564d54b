"""Guests: a name is enough for friendly games; a password keeps it; who never comes back is forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from games.models import Participation, Player, Seat, Table
from games.selectors import standings
from games.services import guests, seating
from games.services.errors import UserError
from games.services.seating import NeedsAccount
from tests.factories import play_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(db) -> Player:
    return guests.add_guest(name="Pip")


@pytest.fixture(autouse=True)
def _not_tidied_yet():
    cache.clear()


def long_ago(player: Player) -> None:
    past = timezone.now() - guests.FORGOTTEN - timedelta(days=1)
    Player.objects.filter(pk=player.pk).update(date_joined=past, seen_at=past, last_login=past)


def test_a_name_that_was_taken_in_this_moment_is_refused(guest):
    with pytest.raises(UserError, match="just taken that name"):
        guests.add_guest(name="PIP")


def test_a_guest_has_no_password(guest):
    assert guest.guest
    assert not guest.has_usable_password()


class TestRankedGames:
    """They need an account, whatever the way to them."""

    def test_by_quick_match(self, guest, bots_about):
        with pytest.raises(NeedsAccount, match="Ranked games need an account"):
            seating.quick_match(player_id=guest.pk, ranked=True, pace=20, stick="no")
        assert not Table.objects.exists()

    def test_by_opening_a_table(self, guest):
        with pytest.raises(NeedsAccount):
            seating.open_table(host=guest, ranked=True, pace=20, rules="article")

    def test_by_sitting_down(self, guest, cast):
        table_id = seating.open_table(host=cast.north, ranked=True, pace=20, rules="article")
        with pytest.raises(NeedsAccount):
            seating.sit(table_id=table_id, player_id=guest.pk)
        assert not Seat.objects.filter(player=guest).exists()

    def test_friendly_ones_do_not(self, guest, bots_about):
        assert seating.quick_match(player_id=guest.pk, ranked=False, pace=20, stick="no")


def test_guests_stand_in_no_standings(guest, cast):
    play_game([guest, cast.east, cast.south, cast.west], ranked=False)
    play_game([cast.north, cast.east, cast.south, cast.west])
    ranking = standings.read_ranking(standings.Filters(), None, timezone.now())
    names = {row.name for row in ranking.rows}
    assert "North" in names
    assert "Pip" not in names


class TestForgottenGuests:
    def test_who_was_never_seen_again_goes_and_his_games_stay(self, guest, cast):
        game = play_game([guest, cast.east, cast.south, cast.west], ranked=False)
        long_ago(guest)
        type(game).objects.filter(pk=game.pk).update(started_at=timezone.now() - guests.FORGOTTEN - timedelta(days=2))
        guests.tidy_guests(timezone.now())
        assert not Player.objects.filter(name="Pip").exists()
        assert Participation.objects.get(game=game, seat=0).player is None

    @pytest.mark.parametrize("what", ["account", "seen", "logged in", "played", "seated", "new"])
    def test_who_is_no_guest_or_was_here_stays(self, guest, cast, what):
        now = timezone.now()
        if what == "played":
            play_game([guest, cast.east, cast.south, cast.west], ranked=False)
        if what != "new":
            long_ago(guest)
        if what == "account":
            Player.objects.filter(pk=guest.pk).update(guest=False)
        elif what == "seen":
            Player.objects.filter(pk=guest.pk).update(seen_at=now)
        elif what == "logged in":
            Player.objects.filter(pk=guest.pk).update(last_login=now)
        elif what == "seated":
            seating.open_table(host=guest, ranked=False, pace=20, rules="article")
        guests.tidy_guests(now)
        assert Player.objects.filter(pk=guest.pk).exists()

    def test_it_looks_once_an_hour(self, guest):
        guests.tidy_guests(timezone.now())
        long_ago(guest)
        guests.tidy_guests(timezone.now())
        assert Player.objects.filter(pk=guest.pk).exists()
