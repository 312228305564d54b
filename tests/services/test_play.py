"""A table's moves and commands, through the one door that people, bots and the clock share."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import engine, fairness
from games.models import Deal, Game, Participation, Player, Rating, Seat, Table
from games.selectors import tables
from games.services import clock, play, presence, seating
from games.services.errors import StaleVersion, UserError
from tests.services.conftest import choices, on_turn, play_out_deal, submit

# Dealer 3 (west): north 9C TC JC KD AD, east QC KC 9H TH JH, south AC 9D TD QH KH, west JD QD AH 9S TS; up JS (T16)
T16 = "9CTCJCQCKCAC9DTDJDQDKDAD9HTHJHQHKHAH9STSJSQSKSAS"


def row_of(table_id: int) -> tables.LiveRow:
    row = tables.read_row(table_id)
    assert row is not None
    return row


def make_overdue(table_id: int) -> None:
    Table.objects.filter(pk=table_id).update(due_at=timezone.now() - timedelta(seconds=1))


def test_the_fourth_player_to_sit_begins_a_game_with_four_hands_of_five(table):
    row = row_of(table)
    assert row.phase == "bid1"
    assert row.deal_number == 1
    assert [len(hand) for hand in row.deal().hands] == [5, 5, 5, 5]
    assert Game.objects.get().participations.count() == 4


def test_eldest_bids_first_and_the_clock_is_the_pace_and_the_grace(table, settings):
    row = row_of(table)
    assert row.turn == (row.dealer + 1) % 4
    left = (row.due_at - timezone.now()).total_seconds()
    assert row.pace < left <= row.pace + settings.EUCHRE_GRACE


def test_a_move_raises_version_and_revision_and_passes_the_turn(table):
    before = row_of(table)
    submit(table, on_turn(table), "pass")
    after = row_of(table)
    assert after.version == before.version + 1
    assert after.revision > before.revision
    assert after.turn == (before.turn + 1) % 4
    assert after.actions == "pass"
    assert after.played_by == "h"


def test_a_double_click_moves_once(table):
    version, player = row_of(table).version, on_turn(table)
    submit(table, player, "pass", version=version)
    with pytest.raises(StaleVersion):
        submit(table, player, "pass", version=version)
    assert row_of(table).actions == "pass"


@pytest.mark.parametrize("action", ["", "dance", "play:ZZ", "call:X", "play:" + "J" * 500, "order_up:H", "None"])
def test_an_unknown_action_is_refused_with_a_sentence(table, action):
    before = row_of(table)
    with pytest.raises(UserError) as refusal:
        submit(table, on_turn(table), action)
    assert str(refusal.value).endswith(".")
    assert row_of(table) == before


def test_an_action_that_the_rules_forbid_is_refused_and_changes_nothing(table):
    before = row_of(table)
    with pytest.raises(UserError):
        submit(table, on_turn(table), "play:9C")
    assert row_of(table) == before


def test_nobody_plays_for_somebody_else(table, cast):
    before = row_of(table)
    turn = on_turn(table)
    for player in (cast.north, cast.east, cast.south, cast.west, cast.stranger):
        if player != turn:
            with pytest.raises(UserError):
                submit(table, player, "pass")
    with pytest.raises(UserError):
        play.submit_action(table_id=table, player_id=None, action="pass", version=before.version)
    assert row_of(table) == before


def accept_jack_of_spades(table, cast, stack_deal) -> None:
    """T16 with trump spades: three passes, west accepts and buries the queen of diamonds."""
    stack_deal(table, T16, dealer=3)
    for player in (cast.north, cast.east, cast.south):
        submit(table, player, "pass")
    submit(table, cast.west, "order_up")
    submit(table, cast.west, "discard:QD")


def test_following_suit_is_asked_for_in_words(table, cast, stack_deal):
    accept_jack_of_spades(table, cast, stack_deal)
    for player, card in ((cast.north, "AD"), (cast.east, "9H")):
        submit(table, player, f"play:{card}")
    with pytest.raises(UserError, match="diamonds"):
        submit(table, cast.south, "play:AC")


def test_t56_is_one_point_for_the_makers(table, cast, stack_deal):
    accept_jack_of_spades(table, cast, stack_deal)
    seats = (cast.north, cast.east, cast.south, cast.west)
    plays = "AD 9H 9D JD / KD TH TD 9S / JS JC QC AC / TS 9C JH QH / AH TC KC KH"
    for card in plays.replace("/", " ").split():
        submit(table, seats[row_of(table).turn], f"play:{card}")
    deal = Deal.objects.get()
    assert (deal.maker, deal.trump, deal.tricks_0, deal.tricks_1) == (3, "S", 1, 4)
    assert (deal.points_0, deal.points_1) == (0, 1)


def test_the_callers_switch_is_kept_until_the_dealer_has_discarded(table, cast, stack_deal):
    """G8: what a player has decided in advance is not shown before it is asked."""
    stack_deal(table, T16, dealer=3)
    submit(table, cast.north, "order_up", alone=True)
    row = row_of(table)
    assert row.phase == "exchange"
    assert row.deal().loners == ()
    assert "alone" not in row.actions
    submit(table, cast.west, "decline")
    row = row_of(table)
    assert row.deal().loners == (0,)
    assert row.phase == "play"
    assert row.turn == 1  # R40: left of the loner leads


def test_nobody_is_asked_about_going_alone_unless_he_wants_to_be(table, cast, stack_deal):
    stack_deal(table, T16, dealer=3)
    submit(table, cast.north, "order_up")
    submit(table, cast.west, "decline")
    assert row_of(table).phase == "play"


def test_who_wants_to_be_asked_is_asked_in_the_order_of_the_poll(table, cast, stack_deal):
    """G8: maker, partner, the opponent on the maker's left, the one on his right."""
    submit(table, cast.south, "ask_alone:on")
    submit(table, cast.west, "ask_alone:on")
    stack_deal(table, T16, dealer=3)
    submit(table, cast.north, "order_up")
    submit(table, cast.west, "decline")
    assert (row_of(table).phase, row_of(table).turn) == ("alone", 2)
    submit(table, cast.south, "together")
    assert (row_of(table).phase, row_of(table).turn) == ("alone", 3)
    submit(table, cast.west, "alone")
    row = row_of(table)
    assert row.deal().loners == (3,)
    assert row.phase == "play"


def test_a_scored_deal_is_stored_whole_and_the_next_one_waits_for_all_four(table, cast):
    play_out_deal(table)
    row = row_of(table)
    assert row.phase == "between"
    deal = Deal.objects.get()
    state = engine.replay_deal(engine.parse_rules(row.rules), deal.dealer, engine.parse_deck(deal.deck), deal.actions)
    assert state.points == (deal.points_0, deal.points_1) == (row.score_0, row.score_1)
    assert len(deal.played_by) == len(deal.actions.split())
    for player in (cast.north, cast.east, cast.south):
        submit(table, player, "next")
        submit(table, player, "next")
        assert row_of(table).deal_number == 1
    submit(table, cast.west, "next")
    row = row_of(table)
    assert row.deal_number == 2
    assert row.dealer == (deal.dealer + 1) % 4  # G2


def test_the_next_deal_comes_by_itself_when_somebody_does_not_press_the_button(table):
    play_out_deal(table)
    make_overdue(table)
    clock.sweep(timezone.now())
    assert row_of(table).deal_number == 2


def test_every_deal_has_a_secret_of_its_own_and_its_deck_follows_from_it(table):
    play_out_deal(table)
    make_overdue(table)
    clock.sweep(timezone.now())
    play_out_deal(table)
    first, second = Deal.objects.order_by("number")
    assert bytes(first.secret) != bytes(second.secret)
    for deal in (first, second):
        nonces = fairness.parse_chain(deal.game.chains).added
        deck = engine.shuffled(engine.pack(), bytes(deal.secret), deal.number, nonces)
        assert engine.format_deck(deck) == deal.deck


def finish(table_id: int) -> None:
    while row_of(table_id).running:
        play_out_deal(table_id)
        if row_of(table_id).phase == "between":
            make_overdue(table_id)
            clock.sweep(timezone.now())


def test_a_game_ends_at_ten_moves_the_ratings_and_frees_the_players(table, cast):
    finish(table)
    row = row_of(table)
    assert row.phase == "over"
    assert max(row.score_0, row.score_1) >= 10
    game = Game.objects.get()
    assert game.status == Game.Status.FINISHED
    assert (game.score_0, game.score_1) == (row.score_0, row.score_1)
    winners = Participation.objects.filter(won=True).values_list("seat", flat=True)
    assert {seat % 2 for seat in winners} == {0 if row.score_0 > row.score_1 else 1}
    assert Rating.objects.get(player=cast.north).mu != Rating.objects.get(player=cast.east).mu
    assert not Seat.objects.filter(held=True).exists()
    over = tables.load_table(table).over
    assert over.deals[-1].score == (row.score_0, row.score_1)


def test_nothing_can_be_played_after_the_end(table, cast):
    finish(table)
    before = row_of(table)
    for action in ("pass", "play:JD", "order_up"):
        with pytest.raises(UserError, match=r"\.$"):
            submit(table, cast.north, action)
    submit(table, cast.north, "next")
    assert row_of(table) == before


def test_a_rematch_needs_everybody_and_starts_at_nil(table, cast):
    finish(table)
    for player in (cast.north, cast.east, cast.south):
        submit(table, player, "rematch")
    assert row_of(table).phase == "over"
    submit(table, cast.west, "rematch")
    row = row_of(table)
    assert row.phase == "bid1"
    assert (row.score_0, row.score_1, row.deal_number) == (0, 0, 1)
    assert Game.objects.count() == 2
    assert Seat.objects.filter(held=True).count() == 4


# --- the clock -----------------------------------------------------------------------------------


def test_when_the_clock_runs_out_a_bot_plays_that_one_move(table):
    before, player = row_of(table), on_turn(table)
    make_overdue(table)
    clock.sweep(timezone.now())
    after = row_of(table)
    assert after.version == before.version + 1
    assert after.played_by == "c"
    seat = Seat.objects.get(table_id=table, player=player)
    assert (seat.missed, seat.bot_since) == (1, None)


def test_before_the_time_is_up_the_clock_does_nothing(table):
    before = row_of(table)
    clock.sweep(timezone.now())
    clock.act(table_id=table, version=before.version)
    assert row_of(table) == before


def test_two_workers_that_find_one_table_overdue_make_one_move(table):
    version = row_of(table).version
    make_overdue(table)
    clock.act(table_id=table, version=version)
    clock.act(table_id=table, version=version)
    assert row_of(table).version == version + 1


def test_after_three_missed_moves_in_a_row_a_bot_keeps_the_seat(table, cast):
    """Complaint: deadbeats spoil real-time games (try: limits on missed turns)."""
    seat = Seat.objects.get(table_id=table, player=cast.north)
    Seat.objects.filter(pk=seat.pk).update(missed=2)
    Table.objects.filter(pk=table).update(roster=row_of(table).roster + 1)
    while on_turn(table) != cast.north:
        submit(table, on_turn(table), choices(table)[0])
    make_overdue(table)
    clock.sweep(timezone.now())
    seat.refresh_from_db()
    assert seat.bot_since is not None
    with pytest.raises(UserError, match="bot"):
        submit(table, cast.north, "pass")


def test_a_move_of_ones_own_clears_the_count_of_missed_moves(table):
    player = on_turn(table)
    Seat.objects.filter(table_id=table, player=player).update(missed=2)
    Table.objects.filter(pk=table).update(roster=row_of(table).roster + 1)
    submit(table, player, "pass")
    assert Seat.objects.get(table_id=table, player=player).missed == 0


def test_with_all_four_gone_the_game_still_finishes(table, cast):
    for player in (cast.north, cast.east, cast.south, cast.west):
        submit(table, player, "leave")
    for _ in range(3000):
        row = row_of(table)
        if not row.running:
            break
        make_overdue(table)
        clock.act(table_id=table, version=row.version)
    assert row_of(table).phase == "over"
    assert Game.objects.get().status == Game.Status.FINISHED
    assert set(Participation.objects.values_list("left", flat=True)) == {True}


def test_time_during_which_the_site_was_down_is_charged_to_nobody(table):
    now = timezone.now()
    clock.sweep(now)
    due = row_of(table).due_at
    clock.sweep(now + timedelta(seconds=600))
    row = row_of(table)
    assert row.due_at == due + timedelta(seconds=600)
    assert row.actions == ""
    assert not Seat.objects.filter(bot_since__isnull=False).exists()


# --- leaving and coming back --------------------------------------------------------------------


def test_who_leaves_is_kept_by_a_bot_and_takes_the_seat_back_with_one_command(table, cast):
    player = on_turn(table)
    submit(table, player, "leave")
    make_overdue(table)
    clock.sweep(timezone.now())
    assert row_of(table).played_by == "b"
    submit(table, player, "take_back")
    submit(table, player, "take_back")
    while on_turn(table) != player:
        submit(table, on_turn(table), choices(table)[0])
    submit(table, player, choices(table)[0])
    assert row_of(table).played_by[-1] == "h"


def test_a_bot_that_had_already_chosen_does_not_move_once_the_owner_is_back(table):
    player, version = on_turn(table), row_of(table).version
    submit(table, player, "leave")
    submit(table, player, "take_back")
    clock.act(table_id=table, version=version)
    assert row_of(table).version == version


def test_who_has_left_may_sit_elsewhere_and_then_cannot_take_the_old_seat_back(table, cast):
    submit(table, cast.north, "leave")
    seating.open_table(host=cast.north, ranked=False, pace=45, rules="article")
    with pytest.raises(UserError, match="another table"):
        submit(table, cast.north, "take_back")


def test_a_seat_unseen_for_a_minute_is_given_to_a_bot_and_its_owner_stays_the_owner(table, cast, settings):
    seen = timezone.now() - timedelta(seconds=30)
    Seat.objects.filter(table_id=table, player=cast.east).update(seen_at=seen)
    presence.keep_seats(timezone.now())
    seat = Seat.objects.get(table_id=table, player=cast.east)
    assert seat.lost_at == seen
    assert seat.bot_since is None
    presence.keep_seats(seen + timedelta(seconds=settings.EUCHRE_AWAY_AFTER + 1))
    seat.refresh_from_db()
    assert seat.bot_since is not None
    assert seat.player == cast.east


def test_coming_back_in_time_is_enough(table, cast):
    Seat.objects.filter(table_id=table, player=cast.east).update(seen_at=timezone.now() - timedelta(seconds=30))
    presence.keep_seats(timezone.now())
    presence.arrive(table_id=table, player_id=cast.east.pk)
    seat = Seat.objects.get(table_id=table, player=cast.east)
    assert (seat.lost_at, seat.bot_since) == (None, None)


def test_the_choice_to_be_asked_is_remembered_for_the_next_table(table, cast):
    submit(table, cast.north, "ask_alone:on")
    assert Player.objects.get(pk=cast.north.pk).ask_alone is True


def test_a_rematch_does_not_wait_for_somebody_who_sits_elsewhere_by_now(table, cast, bots_about):
    finish(table)
    seating.open_table(host=cast.west, ranked=False, pace=45, rules="article")
    for player in (cast.north, cast.east, cast.south):
        submit(table, player, "rematch")
    row = row_of(table)
    assert row.phase != "over"
    assert Seat.objects.get(table_id=table, index=3).player != cast.west
