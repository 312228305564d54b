"""Talk: who may say what, when, and who reads it; reports."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import LONGEST_MESSAGE, Game, Message, Report, Table, UnwantedWord
from games.selectors import talk as selectors
from games.services import people, reports, seating, talk, unwanted
from games.services.errors import UserError
from tests.services.conftest import play_out_deal


@pytest.fixture
def friendly(cast) -> int:
    """A friendly table at which north (0), east (1), south (2) and west (3) have begun a game."""
    table_id = seating.open_table(host=cast.north, ranked=False, pace=20, rules="article")
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    return table_id


def read(table_id: int, player, *, seated: bool) -> list[str]:
    player_id = player.pk if player else None
    lines = selectors.read_lines(table_id, seated=seated, reader=player_id)
    return [line.text or line.phrase for line in lines]


def say(table_id: int, player, text: str = "", **more) -> int:
    return talk.say(table_id=table_id, player_id=player.pk if player else None, text=text, **more)


def test_what_a_player_says_is_read_at_the_table_and_by_those_who_watch(friendly, cast):
    say(friendly, cast.north, "  Nice  to\nsee you ")
    assert read(friendly, cast.south, seated=True) == read(friendly, None, seated=False) == ["Nice to see you"]


def test_what_the_watchers_say_is_kept_from_the_players_until_the_game_is_over(friendly, cast):
    """No partner learns from a friend who looks on."""
    say(friendly, cast.stranger, "North holds nothing")
    assert read(friendly, None, seated=False) == ["North holds nothing"]
    assert read(friendly, cast.north, seated=True) == []
    assert selectors.read_after(friendly, 0)[0].secret
    Table.objects.filter(pk=friendly).update(phase=Table.Phase.OVER)
    assert read(friendly, cast.north, seated=True) == ["North holds nothing"]


def test_what_was_said_before_the_game_stays_readable_in_it(friendly, cast):
    Message.objects.create(table_id=friendly, room="watchers", sender=cast.stranger, text="Good luck to all")
    assert read(friendly, cast.north, seated=True) == ["Good luck to all"]


def test_in_a_ranked_game_players_talk_by_phrases_and_between_the_deals_only(table, cast):
    with pytest.raises(UserError, match="between the deals"):
        say(table, cast.north, phrase="hello")
    play_out_deal(table)
    say(table, cast.north, phrase="nice")
    with pytest.raises(UserError, match="quick phrases only"):
        say(table, cast.north, "Lead trump next time")
    say(table, cast.stranger, "What a hand")
    assert read(table, cast.south, seated=True) == ["nice"]


def test_nobody_is_heard_at_a_closed_table(friendly, cast):
    Table.objects.filter(pk=friendly).update(phase=Table.Phase.CLOSED)
    with pytest.raises(UserError, match="closed"):
        say(friendly, cast.north, "Still here?")


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("<b>hi</b>", "<b>hi</b>"),
        ("a\u202eb\u2066c", "abc"),
        ("\x00x\x07", "x"),
        ("e\u0301\u0301\u0301\u0301\u0301\u0301", "\u00e9\u0301\u0301"),
        ("שלום", "שלום"),
        ("x" * LONGEST_MESSAGE, "x" * LONGEST_MESSAGE),
    ],
)
def test_a_message_is_stored_as_one_plain_line(text, stored):
    assert talk.clean(text) == stored


@pytest.mark.parametrize("text", ["", " \n\t ", "\u200b\u200d", "\u202e", "x" * (LONGEST_MESSAGE + 1)])
def test_nothing_and_too_much_are_refused(text):
    with pytest.raises(UserError):
        talk.clean(text)


def test_an_unknown_phrase_and_a_visitor_are_refused(friendly, cast):
    with pytest.raises(UserError, match="not known"):
        say(friendly, cast.north, phrase="nine")
    with pytest.raises(UserError, match="Log in"):
        say(friendly, None, "hello")


def test_who_says_much_at_once_has_to_wait_whatever_the_table(friendly, cast):
    for number in range(4):
        say(friendly, cast.north, f"number {number}")
    with pytest.raises(UserError, match="a lot at once"):
        say(friendly, cast.north, "and one more")
    say(friendly, cast.south, "I may")
    Message.objects.filter(sender=cast.north).update(at=timezone.now() - timedelta(seconds=9))
    say(friendly, cast.north, "now")


@pytest.mark.parametrize(
    "text",
    ["you Toad", "TOAD!", "t-o-a-d", "ｔｏａｄ", "tоad", "to\u200bad", "t0ad", "such a toad.", "_toad_"],
    ids=["word", "case", "hyphens", "wide", "cyrillic", "invisible", "digit", "stop", "underscores"],
)
def test_a_word_of_the_list_is_refused_however_it_is_spelt(db, text):
    UnwantedWord.objects.create(word="toad")
    with pytest.raises(UserError, match="not wanted"):
        unwanted.check(text)


def test_a_word_that_only_holds_one_of_the_list_is_none_of_it(db):
    UnwantedWord.objects.create(word="toad")
    for text in ("toadstool", "a road", "to a duck", "טוד"):
        unwanted.check(text)


def test_a_muted_person_is_not_read_anywhere_and_the_mute_is_taken_back_the_same_way(friendly, cast):
    """complaints.md: personal mute hides everywhere."""
    say(friendly, cast.north, "bla")
    people.mute(player_id=cast.south.pk, other_id=cast.north.pk)
    assert read(friendly, cast.south, seated=True) == []
    assert read(friendly, cast.east, seated=True) == ["bla"]
    people.unmute(player_id=cast.south.pk, other_id=cast.north.pk)
    assert read(friendly, cast.south, seated=True) == ["bla"]


def test_who_comes_late_is_shown_the_last_fifty(friendly, cast):
    Message.objects.bulk_create(
        Message(table_id=friendly, room="seats", sender=cast.north, text=f"{number}") for number in range(70)
    )
    assert read(friendly, None, seated=False) == [f"{number}" for number in range(20, 70)]


def test_what_was_said_is_deleted_after_thirty_days_unless_it_was_reported(friendly, cast):
    old = timezone.now() - timedelta(days=31)
    Message.objects.create(table_id=friendly, room="seats", sender=cast.north, text="old", at=old)
    say(friendly, cast.north, "new")
    report = Report.objects.create(reporter=cast.south, reported=cast.north, table_id=friendly, reason="talk")
    assert talk.tidy(timezone.now()) == 0
    Report.objects.filter(pk=report.pk).update(closed_at=timezone.now())
    assert talk.tidy(timezone.now()) == 1
    assert read(friendly, cast.south, seated=True) == ["new"]


# --- reports -------------------------------------------------------------------------------------


def test_a_report_takes_the_deal_and_what_was_said_along(friendly, cast):
    """complaints.md: everybody accuses everybody of cheating."""
    say(friendly, cast.east, "I have both bowers")
    made = Report.objects.get(pk=reports.report(reporter_id=cast.north.pk, reported_id=cast.east.pk, table_id=friendly))
    assert (made.game, made.deal_number, made.reason) == (Game.objects.get(), 1, "other")
    assert "East: I have both bowers" in made.said
    reports.explain(reporter_id=cast.north.pk, report_id=made.pk, reason="cheating", words="  he said\nso ")
    made.refresh_from_db()
    assert (made.reason, made.words) == ("cheating", "he said so")


def test_a_second_tap_makes_no_second_report(friendly, cast):
    first, second = (
        reports.report(reporter_id=cast.north.pk, reported_id=cast.east.pk, table_id=friendly) for _ in range(2)
    )
    assert first == second


def test_reports_have_a_limit(friendly, cast):
    for _ in range(5):
        Report.objects.create(reporter=cast.north, reported=cast.south, reason="other")
    with pytest.raises(UserError, match="lately"):
        reports.report(reporter_id=cast.north.pk, reported_id=cast.east.pk, table_id=friendly)


def test_nobody_reports_himself_a_stranger_to_the_table_or_anothers_report(friendly, cast):
    with pytest.raises(UserError, match="That is you"):
        reports.report(reporter_id=cast.north.pk, reported_id=cast.north.pk, table_id=friendly)
    with pytest.raises(UserError, match="has not been at this table"):
        reports.report(reporter_id=cast.north.pk, reported_id=cast.stranger.pk, table_id=friendly)
    made = reports.report(reporter_id=cast.north.pk, reported_id=cast.east.pk, table_id=friendly)
    with pytest.raises(UserError):
        reports.explain(reporter_id=cast.south.pk, report_id=made, reason="talk", words="")
    with pytest.raises(UserError, match="reasons"):
        reports.explain(reporter_id=cast.north.pk, report_id=made, reason="envy", words="")
