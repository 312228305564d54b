"""A patient table (friendly tables may choose it) waits for who is away or thinking; it never stalls."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.live import felt
from games.models import Seat, Table
from games.selectors import tables
from games.services import clock, leaving, presence, seating
from games.services.errors import UserError
from tests.services.conftest import choices, on_turn, submit
from tests.services.test_play import make_overdue, row_of


@pytest.fixture
def patient(cast) -> int:
    """A friendly, patient table at which north, east, south and west have begun a game."""
    rules = seating.rules_text(stick_the_dealer=False)
    table_id = seating.open_table(host=cast.north, ranked=False, pace=20, rules=rules, patient=True)
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    return table_id


def others(table_id: int) -> list[int]:
    turn = row_of(table_id).turn
    return [place for place in range(4) if place != turn]


def shown(table_id: int, place: int | None) -> str:
    return felt.render(tables.load_table(table_id), place)


def away(table_id: int, player, since: timedelta) -> None:
    Seat.objects.filter(table_id=table_id, player=player).update(
        lost_at=timezone.now() - since, seen_at=timezone.now() - since
    )
    Table.objects.filter(pk=table_id).update(roster=row_of(table_id).roster + 1)


def sweep() -> None:
    clock.sweep(timezone.now())


def test_the_clock_plays_for_nobody_who_is_thinking(patient):
    """Complaint: automatic forced loss is wrong for friendly games."""
    before = row_of(patient)
    for _again in range(5):
        make_overdue(patient)
        sweep()
    row = row_of(patient)
    assert (row.version, row.turn, row.actions) == (before.version, before.turn, "")
    assert not tables.seats_of(row)[row.turn].keeper


def test_when_the_time_is_up_the_clock_stops_and_the_others_may_ask_for_a_bot(patient):
    make_overdue(patient)
    sweep()
    row = row_of(patient)
    assert row.due_at is None
    assert "--left" not in shown(patient, row.turn)
    assert 'role="timer"' not in shown(patient, row.turn)
    assert "Missed" not in shown(patient, row.turn), "he has not missed anything"
    assert "Let a bot play" not in shown(patient, row.turn)
    for place in others(patient):
        assert "time is up" in shown(patient, place)
        assert f'value="stand_in:{row.turn}"' in shown(patient, place)
    assert "Let a bot play" not in shown(patient, None), "watchers have no say"


def test_who_takes_his_time_moves_and_the_next_one_has_a_clock_again(patient):
    make_overdue(patient)
    sweep()
    slow = row_of(patient).turn
    submit(patient, on_turn(patient), "pass")
    row = row_of(patient)
    assert row.due_at is not None
    assert tables.seats_of(row)[slow].missed == 0
    assert "Let a bot play" not in shown(patient, row.turn)


def test_nobody_is_replaced_for_a_lost_connection_but_the_others_are_asked_after_a_minute(patient, cast, settings):
    away(patient, cast.south, timedelta(seconds=settings.EUCHRE_AWAY_AFTER - 10))
    sweep()
    assert "Away" in shown(patient, 0)
    assert "a bot takes over in" not in shown(patient, 0)
    assert "Let a bot play" not in shown(patient, 0)
    with pytest.raises(UserError, match="is here and has time left"):
        submit(patient, cast.north, "stand_in:2")
    away(patient, cast.south, timedelta(seconds=settings.EUCHRE_AWAY_AFTER + 10))
    sweep()
    assert not tables.seats_of(row_of(patient))[2].keeper
    assert "South is away" in shown(patient, 0)
    submit(patient, cast.north, "stand_in:2")
    assert tables.seats_of(row_of(patient))[2].keeper
    assert "Let a bot play" not in shown(patient, 1)


def test_who_comes_back_is_not_asked_about_any_more_and_has_his_time_again(patient, cast):
    first = on_turn(patient)
    away(patient, first, timedelta(minutes=3))
    make_overdue(patient)
    sweep()
    assert row_of(patient).due_at is None
    presence.arrive(table_id=patient, player_id=first.pk)
    row = row_of(patient)
    assert tables.seats_of(row)[row.turn].missed == 0
    assert row.due_at > timezone.now()


def test_the_bot_gives_the_seat_back_by_one_click(patient, cast):
    make_overdue(patient)
    sweep()
    row = row_of(patient)
    first = on_turn(patient)
    helper = next(player for player in vars(cast).values() if player not in (first, cast.stranger))
    submit(patient, helper, f"stand_in:{row.turn}")
    assert tables.seats_of(row_of(patient))[row.turn].keeper
    submit(patient, first, "take_back")
    submit(patient, first, choices(patient)[0])
    assert row_of(patient).played_by[-1] == "h"


@pytest.mark.parametrize("action", ["stand_in:9", "stand_in:", "stand_in:x", "stand_in"])
def test_a_seat_that_is_not_there_is_refused_with_a_sentence(patient, cast, action):
    with pytest.raises(UserError, match="no such seat"):
        submit(patient, cast.north, action)


def test_nobody_asks_for_a_bot_for_himself_or_from_outside(patient, cast):
    make_overdue(patient)
    sweep()
    turn = row_of(patient).turn
    for player in (on_turn(patient), cast.stranger):
        with pytest.raises(UserError):
            submit(patient, player, f"stand_in:{turn}")
    assert not tables.seats_of(row_of(patient))[turn].keeper


def test_at_a_table_with_a_clock_nobody_can_replace_anybody(table, cast):
    Seat.objects.filter(table_id=table, index=1).update(missed=2)
    Table.objects.filter(pk=table).update(roster=99)
    with pytest.raises(UserError, match="has time left"):
        submit(table, cast.north, "stand_in:1")


def test_with_everybody_gone_for_ten_minutes_bots_finish_the_game(patient, cast):
    """Complaint: one idle player blocks everyone indefinitely."""
    now = timezone.now()
    for player in (cast.north, cast.east, cast.south):
        away(patient, player, leaving.PATIENCE + timedelta(minutes=1))
    away(patient, cast.west, leaving.PATIENCE - timedelta(minutes=1))
    leaving.see_to_leavers(now)
    assert not any(seat.keeper for seat in tables.seats_of(row_of(patient))), "one of them has only just gone"
    leaving.see_to_leavers(now + timedelta(minutes=2))
    assert all(seat.keeper for seat in tables.seats_of(row_of(patient)))
    while (row := row_of(patient)).running:
        clock.act(table_id=patient, version=row.version, claim=row.due_at)
    assert row.phase == Table.Phase.OVER


def test_one_who_is_there_keeps_the_others_seats_open(patient, cast):
    for player in (cast.north, cast.east, cast.south):
        away(patient, player, timedelta(hours=2))
    sweep()
    assert not any(seat.keeper for seat in tables.seats_of(row_of(patient)))
    for index in range(3):
        submit(patient, cast.west, f"stand_in:{index}")
    assert [seat.keeper for seat in tables.seats_of(row_of(patient))] == [True, True, True, False]


def test_who_leaves_a_patient_table_leaves_it_to_a_bot_at_once(patient, cast):
    submit(patient, cast.north, "leave")
    seat = tables.seats_of(row_of(patient))[0]
    assert seat.keeper
    assert seat.left


def test_deals_follow_each_other_without_anybodys_word(patient):
    while (row := row_of(patient)).phase in Table.DEALING:
        submit(patient, on_turn(patient), choices(patient)[0])
    assert row.phase == Table.Phase.BETWEEN
    make_overdue(patient)
    sweep()
    assert row_of(patient).deal_number == 2
