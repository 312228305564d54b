"""What staff do about somebody, what he is told, and how it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Player, Report, Sanction, Seat
from games.selectors import sanctions as selectors
from games.services import sanctions, talk
from games.services.errors import UserError

DAY = timedelta(days=1)


@pytest.fixture
def umpire(db) -> Player:
    return Player.objects.create_user("Umpire", "a good long password", is_staff=True)


def impose(umpire: Player, player: Player, kind: str, span=None, reason: str = "Be kind.") -> int:
    return sanctions.impose(by=umpire, player_id=player.pk, kind=kind, reason=reason, span=span)


def test_a_muted_person_is_told_why_and_how_long_and_may_talk_again_after_it(table, cast, umpire):
    """complaints.md: muted without being told."""
    number = impose(umpire, cast.stranger, "mute", DAY)
    until = Sanction.objects.get(pk=number).until
    with pytest.raises(UserError) as refused:
        talk.say(table_id=table, player_id=cast.stranger.pk, text="hello")
    assert "Be kind." in str(refused.value) and sanctions.moment(until) in str(refused.value)
    Sanction.objects.filter(pk=number).update(until=timezone.now())
    talk.say(table_id=table, player_id=cast.stranger.pk, text="hello")


def test_of_several_mutes_the_one_that_lasts_longest_counts(cast, umpire):
    impose(umpire, cast.north, "mute", DAY, "short")
    long = impose(umpire, cast.north, "mute", 2 * DAY, "long")
    assert selectors.holding(cast.north.pk, "mute", timezone.now()).reason == "long"
    open_end = impose(umpire, cast.north, "mute", None, "open")
    assert selectors.holding(cast.north.pk, "mute", timezone.now()).reason == "open"
    sanctions.lift(by=umpire, sanction_id=open_end, why="enough")
    sanctions.lift(by=umpire, sanction_id=long, why="enough")
    assert selectors.holding(cast.north.pk, "mute", timezone.now()).reason == "short"


def test_a_warning_is_unread_until_its_person_puts_it_away(cast, umpire):
    number = impose(umpire, cast.north, "warn", DAY)
    assert Sanction.objects.get(pk=number).until is None
    sanctions.put_away(player_id=cast.south.pk, sanction_id=number)
    assert [one.pk for one in selectors.unread_warnings(cast.north.pk)] == [number]
    sanctions.put_away(player_id=cast.north.pk, sanction_id=number)
    assert selectors.unread_warnings(cast.north.pk) == ()


def test_a_banned_person_is_shut_out_and_a_bot_keeps_his_seat(table, cast, umpire):
    impose(umpire, cast.north, "ban", DAY, "Insults.")
    cast.north.refresh_from_db()
    seat = Seat.objects.get(table_id=table, index=0)
    assert not cast.north.is_active
    assert seat.player == cast.north and not seat.held and seat.bot_since
    assert "Insults." in sanctions.ban_sentence(cast.north.pk, timezone.now())


def test_a_ban_for_a_time_ends_by_itself_and_an_open_one_does_not(cast, umpire):
    short = impose(umpire, cast.north, "ban", DAY)
    impose(umpire, cast.south, "ban")
    assert sanctions.end_bans(timezone.now()) == 0
    Sanction.objects.filter(pk=short).update(until=timezone.now())
    assert sanctions.end_bans(timezone.now()) == 1
    cast.north.refresh_from_db()
    cast.south.refresh_from_db()
    assert cast.north.is_active and not cast.south.is_active
    assert sanctions.end_bans(timezone.now()) == 0


def test_who_was_shut_out_by_hand_is_not_let_in_by_an_old_ban(cast, umpire):
    number = impose(umpire, cast.north, "ban", DAY)
    sanctions.lift(by=umpire, sanction_id=number, why="a mistake")
    Player.objects.filter(pk=cast.north.pk).update(is_active=False)
    Sanction.objects.filter(pk=number).update(until=timezone.now())
    assert sanctions.end_bans(timezone.now()) == 0
    with pytest.raises(UserError, match="cannot log in"):
        impose(umpire, cast.north, "ban", DAY)


def test_whatever_is_lifted_stays_written_down(cast, umpire):
    number = impose(umpire, cast.north, "ban")
    sanctions.lift(by=umpire, sanction_id=number, why="It was his brother.")
    cast.north.refresh_from_db()
    lifted = Sanction.objects.get(pk=number)
    assert cast.north.is_active
    assert (lifted.lifted_by, lifted.lifted_why) == (umpire, "It was his brother.")
    with pytest.raises(UserError, match="already"):
        sanctions.lift(by=umpire, sanction_id=number, why="again")


def test_nothing_is_done_by_others_without_a_reason_or_to_staff_bots_and_oneself(cast, umpire):
    other = Player.objects.create_user("Referee", "a good long password", is_staff=True)
    bot = Player.objects.create_user("Clover", None, bot_level="fill_in")
    owner = Player.objects.create_superuser("Owner", "a good long password")
    for by, player, reason in (
        (cast.south, cast.north, "because"),
        (umpire, cast.north, "  "),
        (umpire, other, "because"),
        (umpire, bot, "because"),
        (umpire, umpire, "because"),
    ):
        with pytest.raises(UserError):
            impose(by, player, "mute", DAY, reason)
    assert impose(owner, other, "mute", DAY)


def test_a_report_is_closed_once_and_can_be_opened_again(cast, umpire):
    report = Report.objects.create(reporter=cast.south, reported=cast.north, reason="talk")
    sanctions.close_report(by=umpire, report_id=report.pk, outcome="Warned.")
    with pytest.raises(UserError, match="closed already"):
        sanctions.close_report(by=umpire, report_id=report.pk, outcome="Twice.")
    sanctions.reopen_report(by=umpire, report_id=report.pk)
    report.refresh_from_db()
    assert report.closed_at is None and report.outcome == "Warned."
