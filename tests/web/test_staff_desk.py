"""Reports and sanctions at the staff's desk."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Message, Player, Report, SameAddress, Sanction, UnwantedWord
from games.selectors import tables
from games.services import reports, seating, talk
from tests.factories import make_cast, play_game
from tests.services.conftest import cast, play_out_deal, table  # noqa: F401


@pytest.fixture
def desk(client, db):
    client.force_login(Player.objects.create_superuser("Umpire", "a good long password"))
    return client


@pytest.fixture
def reported(cast) -> Report:  # noqa: F811
    """North reports East, who tells his cards, in the first deal of a friendly game."""
    table_id = seating.open_table(host=cast.north, ranked=False, pace=20, rules="article")
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    talk.say(table_id=table_id, player_id=cast.east.pk, text="I hold <both> bowers")
    made = reports.report(reporter_id=cast.north.pk, reported_id=cast.east.pk, table_id=table_id)
    return Report.objects.get(pk=made)


def page_of(report: Report) -> str:
    return reverse("admin:games_report_change", args=[report.pk])


def decide(desk, report: Report, **fields):
    fields = {"do": "", "span": "day", "why": "", "outcome": "Looked at."} | fields
    return desk.post(page_of(report), {"decide": "1"} | fields)


def test_a_report_shows_what_was_said_and_never_a_card_of_a_deal_that_is_played(desk, reported):
    shown = desk.get(page_of(reported)).content.decode()
    row = tables.read_row(reported.table_id)
    assert "I hold &lt;both&gt; bowers" in shown and "shown to nobody before it is scored" in shown
    assert row.deck not in shown and row.deck[:8] not in shown
    assert desk.get(reverse("admin:games_report_deal", args=[reported.pk])).status_code == 404


def test_once_the_deal_is_scored_it_lies_open_for_staff_and_once_the_game_is_over_for_all(desk, client, reported):
    """Complaint: everybody accuses everybody of cheating (try: one click opens the replay)."""
    play_out_deal(reported.table_id)
    address = reverse("admin:games_report_deal", args=[reported.pk])
    assert address in desk.get(page_of(reported)).content.decode()
    shown = desk.get(address)
    assert shown.status_code == 200 and "still being played" in shown.content.decode()
    assert desk.get(reported.game.get_absolute_url()).status_code == 404  # not for everybody
    Report.objects.filter(pk=reported.pk).update(deal_number=2)
    assert desk.get(address).status_code == 404
    game = play_game(Player.objects.filter(name__in=("North", "East", "South", "West")))
    Report.objects.filter(pk=reported.pk).update(game=game, deal_number=2)
    assert f"{game.get_absolute_url()}?deal=2" in desk.get(page_of(reported)).content.decode()


def test_a_decision_sanctions_and_closes_and_both_can_be_taken_back(desk, reported):
    assert (
        decide(desk, reported, do="mute", why="Do not tell your cards.", outcome="Muted for a day.").status_code == 302
    )
    reported.refresh_from_db()
    made = Sanction.objects.get()
    assert (made.player, made.kind, made.report) == (reported.reported, "mute", reported)
    assert reported.closed_by.name == "Umpire" and made.until is not None
    assert "Do not tell your cards." in desk.get(page_of(reported)).content.decode()
    desk.post(page_of(reported), {"reopen": "1"})
    reported.refresh_from_db()
    assert reported.closed_at is None
    lift = {"action": "lift", "_selected_action": [made.pk]}
    asked = desk.post(reverse("admin:games_sanction_changelist"), lift)
    assert 'name="reason"' in asked.content.decode()
    desk.post(reverse("admin:games_sanction_changelist"), lift | {"reason": "A joke."})
    made.refresh_from_db()
    assert made.lifted_why == "A joke."


def test_a_sanction_without_a_reason_is_asked_for_again_and_nothing_is_lost(desk, reported):
    answer = decide(desk, reported, do="ban", outcome="Banned, of course.")
    assert answer.status_code == 200
    assert "Say why" in answer.content.decode() and "Banned, of course." in answer.content.decode()
    assert not Sanction.objects.exists()


def test_a_message_is_taken_away_and_put_back(desk, reported):
    message = Message.objects.get()
    for name, hidden in (("hide", True), ("show", False)):
        desk.post(page_of(reported), {name: message.pk})
        message.refresh_from_db()
        assert (message.hidden_at is not None) == hidden


def test_people_are_warned_muted_and_banned_from_their_list(desk, cast):  # noqa: F811
    address = reverse("admin:games_player_changelist")
    chosen = {"action": "sanction", "_selected_action": [cast.north.pk, cast.east.pk]}
    assert 'name="why"' in desk.post(address, chosen).content.decode()
    desk.post(address, chosen | {"sure": "1", "do": "ban", "span": "week", "why": "Two accounts."})
    assert Sanction.objects.filter(kind="ban").count() == 2
    assert not Player.objects.get(pk=cast.north.pk).is_active


def test_staff_without_the_right_look_but_do_not_touch(client, reported):
    helper = Player.objects.create_user("Helper", "a good long password", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__in=("view_report", "view_sanction")))
    client.force_login(helper)
    assert 'name="decide"' not in client.get(page_of(reported)).content.decode()
    assert decide(client, reported, do="ban", why="because").status_code == 403
    client.force_login(reported.reported)
    assert client.get(page_of(reported)).status_code == 302


def test_the_list_of_words_is_edited_here(desk):
    desk.post(reverse("admin:games_unwantedword_add"), {"word": "toad"})
    assert UnwantedWord.objects.get().word == "toad"


def test_lists_open_at_a_constant_number_of_queries(desk):
    people = make_cast()
    addresses = [
        reverse(f"admin:games_{model}_changelist") for model in ("report", "sanction", "message", "sameaddress")
    ]
    counts = []
    for number in range(3):
        game = play_game(people.seated, seed=number)
        Report.objects.create(reporter=people.north, reported=people.east, game=game, reason="talk")
        Sanction.objects.create(player=people.east, kind="warn", reason="because")
        Message.objects.create(table=game.table, room="seats", sender=people.east, text="bla")
        SameAddress.objects.create(game=game, player=people.north, other=people.south)
        counts.append([])
        for address in addresses:
            desk.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert desk.get(address).status_code == 200
            counts[-1].append(len(queries))
    assert counts[0] == counts[2]
