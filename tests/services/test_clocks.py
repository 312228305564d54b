"""Clocks and restarts, row by row of what users of such software complain about. Real processes are
killed in tests/faults; here the time passes."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.live import felt
from games.models import Game, Seat, Table
from games.selectors import tables
from games.services import clock, presence, reserved, seating
from tests.services.conftest import choices, on_turn, submit
from tests.services.test_play import T16, accept_jack_of_spades, row_of


def everybody_gone(table_id: int, since: datetime) -> None:
    """All four clients were closed; their last sign of life is that old."""
    Seat.objects.filter(table_id=table_id).update(seen_at=since)


def test_a_clock_never_runs_negative_and_times_out_with_all_four_clients_closed_at_the_deadline(table):
    """Complaint: clock runs negative and never times out."""
    row = row_of(table)
    clock.sweep(row.due_at - timedelta(seconds=2))
    everybody_gone(table, row.due_at)
    Table.objects.filter(pk=table).update(due_at=timezone.now() - timedelta(seconds=3))
    assert "--left:0.0s" in felt.render(tables.load_table(table), None), "a late frame shows nothing left"
    clock.sweep(row.due_at)
    assert row_of(table).played_by == "c"
    assert row_of(table).due_at > timezone.now()


def test_with_all_four_closed_the_clock_goes_on_from_move_to_move_until_bots_keep_the_seats(table, settings):
    """Complaint: seat stays occupied by the ghost; game cannot finish."""
    start = timezone.now()
    everybody_gone(table, start)
    clock.sweep(start)
    for second in range(2, int(settings.EUCHRE_AWAY_AFTER) + 4, 2):
        clock.sweep(start + timedelta(seconds=second))
    assert all(seat.keeper for seat in tables.seats_of(row_of(table)))
    assert row_of(table).win_offered is None


@pytest.mark.parametrize("down", [timedelta(seconds=40), timedelta(minutes=9), timedelta(days=1)])
def test_a_restart_in_the_middle_of_a_trick_charges_nobody_and_ends_nothing(table, cast, stack_deal, down):
    """Complaints: deploy ended a game wrongly; whole-day outage."""
    accept_jack_of_spades(table, cast, stack_deal)
    submit(table, cast.north, "play:AD")
    before, now = row_of(table), timezone.now()
    clock.sweep(now)
    clock.sweep(now + down)
    row = row_of(table)
    assert (row.version, row.actions, row.turn) == (before.version, before.actions, before.turn)
    assert row.due_at - (now + down) == before.due_at - now, "the same time is left"
    assert {(seat.missed, seat.keeper) for seat in tables.seats_of(row)} == {(0, False)}
    assert Game.objects.get().status == Game.Status.PLAYING


def test_the_deadline_fires_after_a_restart(table, cast, stack_deal):
    """Complaint: turn timers not restored."""
    stack_deal(table, T16, dealer=3)
    now, due = timezone.now(), row_of(table).due_at
    down = timedelta(minutes=5)
    clock.sweep(now)
    clock.sweep(now + down)
    assert row_of(table).due_at == due + down
    for second in range(6, 25, 6):  # of a clock of 20 and the grace
        assert row_of(table).actions == ""
        clock.sweep(now + down + timedelta(seconds=second))
    assert row_of(table).played_by == "c"


def test_tables_of_a_whole_site_go_on_after_a_restart(bots_about, cast):
    """Complaint: server restart kills all games."""
    rules = seating.rules_text(stick_the_dealer=False)
    seats = (cast.north.pk, *(bot.pk for bot in bots_about))
    opened = reserved.reserve([reserved.Booking(f"Table {number}", rules, 20, False, seats) for number in range(12)])
    for table_id in opened:
        reserved.begin_without(table_id=table_id)
    now = timezone.now()
    clock.sweep(now)
    before = {table_id: row_of(table_id) for table_id in opened}
    clock.sweep(now + timedelta(hours=1))
    for table_id in opened:
        row = row_of(table_id)
        assert (row.deal_number, row.version, row.phase) == (
            before[table_id].deal_number, before[table_id].version, before[table_id].phase,
        )  # fmt: skip
        clock.act(table_id=table_id, version=row.version, claim=row.due_at)
        assert row_of(table_id).version == row.version + 1


def test_who_was_away_before_the_outage_has_his_whole_minute_after_it(table, cast, settings):
    """Complaint: less than a minute's drop and no way back in."""
    now = timezone.now()
    clock.sweep(now)
    presence.lose(seat_pks=[Seat.objects.get(player=cast.east).pk], since=now)
    Seat.objects.filter(player=cast.east).update(seen_at=now - timedelta(seconds=1))
    presence.lose(seat_pks=[Seat.objects.get(player=cast.east).pk], since=now)
    back = now + timedelta(minutes=30)
    clock.sweep(back)
    clock.sweep(back + timedelta(seconds=5))
    assert Seat.objects.get(player=cast.east).bot_since is None
    submit(table, on_turn(table), choices(table)[0])
    presence.arrive(table_id=table, player_id=cast.east.pk)
    assert Seat.objects.get(player=cast.east).lost_at is None
