"""Who leaves, and what it does: to the seat, to those who stay, to the ratings, to the next ranked game."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import engine
from games.live import felt
from games.models import Deal, Game, Participation, Player, RatingChange, Seat, Table
from games.selectors import games as replays
from games.selectors import tables
from games.selectors.standings import Filters, read_ranking
from games.services import clock, deals, leaving, moderation, offers, presence, reserved, results, seating, waiting
from games.services.errors import UserError
from games.services.row import lock_table, save_row
from tests.services.conftest import choices, on_turn, play_out_deal, submit
from tests.services.test_play import T16, make_overdue, row_of


def leave(table_id: int, *players: Player) -> None:
    for player in players:
        submit(table_id, player, "leave")


def lose_connection(table_id: int, player: Player, ago: timedelta) -> None:
    """He was seen last so long ago."""
    then = timezone.now() - ago
    Seat.objects.filter(table_id=table_id, player=player).update(seen_at=then)


def finish(table_id: int, score: tuple[int, int]) -> None:
    """The game is over at this score, as the last deal would end it."""
    row = lock_table(table_id)
    row.score = score
    results.finish_game(game_id=row.game_id, score=score, now=timezone.now())
    row.phase, row.turn, row.due_at = Table.Phase.OVER, None, timezone.now() + deals.OVER_OPEN
    Seat.objects.filter(table_id=table_id).update(held=False)
    row.roster += 1
    save_row(row)


def rating_of(player: Player) -> float:
    return Player.objects.select_related("rating").get(pk=player.pk).rating.mu


# --- the win that is offered


def test_one_leaver_changes_nothing_for_the_others(table, cast):
    leave(table, cast.north)
    assert row_of(table).win_offered is None


@pytest.mark.parametrize("order", ["north first", "south first"])
def test_when_both_partners_have_left_the_others_are_offered_the_win(table, cast, order):
    party = (cast.north, cast.south) if order == "north first" else (cast.south, cast.north)
    leave(table, *party)
    assert row_of(table).win_offered == 1
    for place, told in ((1, True), (3, True), (0, False), (2, False), (None, False)):
        frame = felt.render(tables.load_table(table), place)
        assert ("Take the win" in frame) is told


def test_a_party_that_left_at_different_moments_is_one_that_left(table, cast):
    leave(table, cast.north)
    play_on(table, moves=3)
    leave(table, cast.south)
    assert row_of(table).win_offered == 1


def play_on(table_id: int, moves: int) -> None:
    """Moves of bots and people, as they come."""
    for _move in range(moves):
        row = row_of(table_id)
        if row.turn is None:
            return
        seat = tables.seats_of(row)[row.turn]
        if seat.played_by_bot:
            clock.act(table_id=table_id, version=row.version, claim=row.due_at)
        else:
            submit(table_id, on_turn(table_id), choices(table_id)[0])


def test_who_comes_back_withdraws_the_offer(table, cast):
    leave(table, cast.north, cast.south)
    submit(table, cast.east, "take_win")
    submit(table, cast.south, "take_back")
    assert (row_of(table).win_offered, row_of(table).answers) == (None, 0)
    with pytest.raises(UserError, match="not on offer any more"):
        submit(table, cast.west, "take_win")
    assert row_of(table).running


def test_the_win_is_taken_once_both_who_are_here_take_it(table, cast):
    leave(table, cast.north, cast.south)
    submit(table, cast.east, "take_win")
    assert row_of(table).running, "the partner may want to play on"
    assert "Waiting" not in felt.render(tables.load_table(table), 3)
    assert "East takes the win" in felt.render(tables.load_table(table), 3)
    submit(table, cast.west, "take_win")
    assert row_of(table).phase == Table.Phase.OVER


def test_one_partner_who_plays_on_is_enough_for_the_game_to_go_on_and_he_is_asked_again_after_the_deal(table, cast):
    leave(table, cast.north, cast.south)
    submit(table, cast.west, "play_on")
    submit(table, cast.east, "take_win")
    assert row_of(table).running
    assert "Take the win" not in felt.render(tables.load_table(table), 3)
    while row_of(table).phase in Table.DEALING:
        play_on(table, moves=1)
    assert "Take it too" in felt.render(tables.load_table(table), 3)
    submit(table, cast.west, "take_win")
    assert row_of(table).phase == Table.Phase.OVER


def test_who_plays_on_may_still_take_the_win_and_the_other_way_round(table, cast):
    leave(table, cast.north, cast.south)
    for answer in ("take_win", "play_on", "take_win", "take_win"):
        submit(table, cast.east, answer)
    submit(table, cast.west, "play_on")
    submit(table, cast.west, "take_win")
    assert row_of(table).phase == Table.Phase.OVER


def test_the_win_is_the_last_ones_if_his_partner_leaves_after_he_took_it(table, cast):
    leave(table, cast.north, cast.south)
    submit(table, cast.east, "take_win")
    leave(table, cast.west)
    assert row_of(table).phase == Table.Phase.OVER
    assert list(Participation.objects.order_by("seat").values_list("won", "left")) == [
        (False, True), (True, False), (False, True), (True, True),
    ]  # fmt: skip


def test_a_side_that_was_bots_from_the_start_has_not_left(cast, bots_about):
    table = seating.quick_match(player_id=cast.north.pk, ranked=True, pace=20, stick="no")
    row = lock_table(table)
    if row.phase == Table.Phase.OPEN:
        seating.fill(row, timezone.now())
        save_row(row)
    assert row_of(table).win_offered is None
    leave(table, cast.north)
    assert row_of(table).win_offered is None, "nobody is there to take it"


@pytest.fixture
def short(cast, bots_about) -> int:
    """North and a bot against east and a bot."""
    rules = seating.rules_text(stick_the_dealer=False)
    table_id = seating.open_table(host=cast.north, ranked=True, pace=20, rules=rules)
    seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
    seating.ask_for_bots(table_id=table_id, player_id=cast.north.pk)
    return table_id


def test_a_bot_for_a_partner_does_not_stay_for_his_side(short, cast):
    leave(short, cast.north)
    assert row_of(short).win_offered == 1
    submit(short, cast.east, "take_win")
    assert row_of(short).phase == Table.Phase.OVER
    assert list(Participation.objects.order_by("seat").values_list("won", flat=True)) == [False, True, False, True]


@pytest.mark.parametrize(("players", "rules"), [(2, "two_handed"), (3, "three_handed")])
def test_with_two_or_three_players_the_last_one_is_offered_the_win(cast, players, rules):
    text = engine.format_rules(engine.PRESETS[rules])
    table = seating.open_table(host=cast.north, ranked=False, pace=20, rules=text)
    for index, player in enumerate((cast.east, cast.south)[: players - 1], start=1):
        seating.sit(table_id=table, player_id=player.pk, index=index)
    assert row_of(table).running
    for player in (cast.east, cast.south)[: players - 1]:
        assert row_of(table).win_offered is None
        leave(table, player)
    assert row_of(table).win_offered == 0
    submit(table, cast.north, "take_win")
    assert [part.won for part in Participation.objects.order_by("seat")] == [True] + [False] * (players - 1)


def test_who_lost_his_connection_has_left_only_when_a_bot_has_kept_his_seat_for_a_while(table, cast, settings):
    """Complaint: <1 min drop and no way back in."""
    for player in (cast.north, cast.south):
        lose_connection(table, player, timedelta(seconds=settings.EUCHRE_AWAY_AFTER + 30))
    now = timezone.now()
    clock.sweep(now)
    clock.sweep(now)
    assert tables.seats_of(row_of(table))[0].keeper
    assert row_of(table).win_offered is None
    leaving.see_to_leavers(now + offers.GONE_AFTER + timedelta(seconds=1))
    assert row_of(table).win_offered == 1
    submit(table, cast.north, "take_back")
    assert row_of(table).win_offered is None


@pytest.mark.parametrize(
    ("who", "action", "why"),
    [
        ("north", "take_win", "offered to the others"),
        ("stranger", "take_win", "watching"),
        ("stranger", "play_on", "watching"),
        ("east", "stand_in:0", "only the others|is here and has time|asks? a bot"),
    ],
)
def test_only_who_is_offered_the_win_can_answer(table, cast, who, action, why):
    leave(table, cast.north, cast.south)
    before = row_of(table)
    if action.startswith("stand_in"):
        submit(table, getattr(cast, who), action)  # a bot plays there already
    else:
        with pytest.raises(UserError, match=why):
            submit(table, getattr(cast, who), action)
    assert row_of(table) == before


def test_there_is_nothing_to_take_at_a_table_where_everybody_plays(table, cast):
    with pytest.raises(UserError, match="not on offer"):
        submit(table, cast.east, "take_win")


def test_all_four_gone_bots_finish_and_nobody_is_offered_anything(table, cast):
    leave(table, *(cast.north, cast.south, cast.east, cast.west))
    assert row_of(table).win_offered is None
    assert all(seat.played_by_bot for seat in tables.seats_of(row_of(table)))


def test_an_event_decides_about_its_tables_itself(cast):
    """A reserved table: bots play on, and the result counts as it stands (the director can correct it)."""
    rules = seating.rules_text(stick_the_dealer=False)
    booking = reserved.Booking("Table 1", rules, 20, True, tuple(player.pk for player in vars(cast).values())[:4])
    (table,) = reserved.reserve([booking])
    for player in (cast.north, cast.east, cast.south, cast.west):
        seating.sit(table_id=table, player_id=player.pk)
    leave(table, cast.north, cast.south)
    assert row_of(table).win_offered is None
    with pytest.raises(UserError):
        submit(table, cast.east, "take_win")


# --- the game it ends


@pytest.fixture
def won(table, cast) -> Game:
    """East and west have taken the win after one deal, 0 or more to 0 or more; a second deal was begun."""
    play_out_deal(table)
    row = row_of(table)
    clock.act(table_id=table, version=row.version, claim=row.due_at)
    leave(table, cast.north, cast.south)
    submit(table, cast.east, "take_win")
    submit(table, cast.west, "take_win")
    return Game.objects.get()


def test_the_game_is_finished_at_the_score_it_had_and_won_by_those_who_stayed(won, table):
    assert won.status == Game.Status.FINISHED
    assert won.won_by_leave
    assert (won.score_0, won.score_1) == (row_of(table).score_0, row_of(table).score_1)
    assert max(won.score_0, won.score_1) < 10
    assert list(Participation.objects.order_by("seat").values_list("won", "left")) == [
        (False, True), (True, False), (False, True), (True, False),
    ]  # fmt: skip
    assert not Seat.objects.filter(held=True).exists(), "all are free for another game"


def test_both_of_the_party_are_charged_and_their_opponents_rated_as_winners(won, cast):
    moved = {change.player_id: change.mu_after - change.mu_before for change in RatingChange.objects.all()}
    assert moved[cast.north.pk] < 0 > moved[cast.south.pk]
    assert moved[cast.east.pk] > 0 < moved[cast.west.pk]


def test_the_standings_count_it_as_a_game_won(won, cast):
    ranking = {row.name: row for row in read_ranking(Filters(), None, timezone.now()).rows}
    assert ranking["East"].won == 1
    assert ranking["North"].won == 0


def test_its_replay_and_its_records_hold_the_deals_that_were_played_and_no_card_of_the_one_that_was_not(won):
    replay = replays.read_replay(won, 1)
    assert len(replay.lines) == Deal.objects.count() == 1
    assert [chair.won for chair in replay.chairs] == [False, True, False, True]
    assert replays.read_record(won).count("deal") >= 1
    assert "finalScore" not in replays.read_egn(won, "A game"), "the notation ends where the cards did"
    assert row_of(won.table_id).deck == ""


def test_a_win_taken_before_the_first_deal_was_played_has_a_replay_too(table, cast, client):
    leave(table, cast.north, cast.south)
    submit(table, cast.east, "take_win")
    submit(table, cast.west, "take_win")
    game = Game.objects.get()
    assert client.get(game.get_absolute_url()).status_code == 200
    assert client.get(f"{game.get_absolute_url()}record/").status_code == 200
    assert client.get(f"{game.get_absolute_url()}record.egn.json").status_code == 200


def test_the_table_says_how_it_ended(won, table):
    snapshot = tables.load_table(table)
    assert "You won: the others have left" in felt.render(snapshot, 1)
    assert "You lost: you were not there" in felt.render(snapshot, 0)
    assert "East and West won: the others have left" in felt.render(snapshot, None)


def test_those_who_stayed_may_play_again_and_the_next_game_begins_without_an_offer(won, table, cast, bots_about):
    submit(table, cast.east, "rematch")
    submit(table, cast.west, "rematch")
    row = row_of(table)
    assert (row.phase, row.win_offered) == ("bid1", None)
    assert {seat.player_id for seat in tables.seats_of(row) if seat.person} == {cast.east.pk, cast.west.pk}


def test_after_the_end_there_is_nothing_to_take(won, table, cast):
    with pytest.raises(UserError, match="over"):
        submit(table, cast.east, "take_win")


def test_a_partner_who_is_away_for_a_moment_when_the_win_is_taken_is_not_charged(table, cast):
    leave(table, cast.north, cast.south)
    row = lock_table(table)
    presence.hand_to_bot(row, tables.read_seats(table)[3], timezone.now())
    save_row(row)
    submit(table, cast.east, "take_win")
    west = Participation.objects.get(seat=3)
    assert (west.won, west.left) == (True, False)
    assert rating_of(cast.west) > 1500


def test_staff_can_take_such_a_result_back_and_put_it_into_force_again(won, cast):
    cast.stranger.is_staff = True
    cast.stranger.save()
    moderation.void_ratings(by=cast.stranger, game_id=won.pk, reason="a broken line")
    assert rating_of(cast.north) == rating_of(cast.east) == 1500
    assert leaves_of(cast.north) == 0
    moderation.restore_ratings(by=cast.stranger, game_id=won.pk, reason="it was not")
    assert rating_of(cast.north) < 1500 < rating_of(cast.east)
    assert leaves_of(cast.north) == 1


# --- who is charged


def leaves_of(player: Player) -> float:
    return Player.objects.get(pk=player.pk).leaves


def test_the_partner_of_a_leaver_is_never_charged(table, cast):
    """Complaint: rating lost because partner abandoned."""
    leave(table, cast.north)
    finish(table, (3, 10))
    assert leaves_of(cast.north) == 1
    assert leaves_of(cast.south) == 0
    assert rating_of(cast.south) == 1500
    assert rating_of(cast.north) < 1500


def test_a_party_that_leaves_together_is_charged_together(table, cast):
    """Complaint: leavers game the rule (party abandons)."""
    leave(table, cast.north, cast.south)
    finish(table, (3, 10))
    assert leaves_of(cast.north) == leaves_of(cast.south) == 1
    assert rating_of(cast.north) < 1500 > rating_of(cast.south)


def test_of_a_party_that_left_the_one_who_is_back_by_the_end_is_not_charged(table, cast):
    leave(table, cast.north)
    leave(table, cast.south)
    submit(table, cast.south, "take_back")
    finish(table, (3, 10))
    assert (leaves_of(cast.north), leaves_of(cast.south)) == (1, 0)
    assert rating_of(cast.south) == 1500


def test_a_lost_connection_that_is_back_in_time_costs_nothing(table, cast):
    row = lock_table(table)
    presence.hand_to_bot(row, tables.read_seats(table)[0], timezone.now())
    save_row(row)
    submit(table, cast.north, "take_back")
    finish(table, (10, 3))
    assert leaves_of(cast.north) == 0
    assert rating_of(cast.north) > 1500


def test_leaving_a_friendly_game_costs_nothing(cast):
    rules = seating.rules_text(stick_the_dealer=False)
    table = seating.open_table(host=cast.north, ranked=False, pace=20, rules=rules)
    for player in (cast.east, cast.south, cast.west):
        seating.sit(table_id=table, player_id=player.pk)
    leave(table, cast.north)
    finish(table, (3, 10))
    assert leaves_of(cast.north) == 0


# --- waiting time

NOW = timezone.now()
"""A moment from which these tests count."""


def charged(player: Player, times: int, apart: timedelta = timedelta(minutes=30)) -> Player:
    for number in range(times):
        waiting.charge([player.pk], NOW - apart * (times - 1 - number))
    return Player.objects.get(pk=player.pk)


@pytest.mark.parametrize(("times", "minutes"), [(0, 0), (1, 0), (2, 2), (3, 5), (4, 15), (5, 60), (9, 60)])
def test_the_time_grows_with_every_game_that_was_left(cast, times, minutes):
    end = waiting.until(charged(cast.north, times), NOW)
    assert end == (NOW + timedelta(minutes=minutes) if minutes else None)


def test_it_fades_by_half_in_a_week(cast):
    north = charged(cast.north, 3, apart=timedelta(days=7))
    assert north.leaves == pytest.approx(1.75)
    assert charged(cast.east, 2, apart=timedelta(days=60)).leaves == pytest.approx(1, abs=0.01)
    assert waiting.until(Player.objects.get(pk=cast.east.pk), NOW) is None


def test_a_game_taken_back_is_taken_back_exactly_even_if_others_came_after_it(cast):
    for days in (9, 4, 0):
        waiting.charge([cast.north.pk], NOW - timedelta(days=days))
    before = leaves_of(cast.north)
    game = Game.objects.create(
        ranked=True, pace=20, rules="article", first_dealer=0, finished_at=NOW - timedelta(days=4)
    )
    Participation.objects.create(game=game, seat=0, player=cast.north, left=True)
    waiting.give_back(game)
    assert leaves_of(cast.north) == pytest.approx(0.5 ** (9 / 7) + 1)
    waiting.charge_again(game)
    assert leaves_of(cast.north) == pytest.approx(before)


def test_ranked_games_are_closed_for_that_time_and_the_sentence_says_how_long_and_what_is_open(cast, table):
    leave(table, cast.north)
    for _game in range(3):
        waiting.charge([cast.north.pk], timezone.now())
    rules = seating.rules_text(stick_the_dealer=False)
    waiting_table = seating.open_table(host=cast.stranger, ranked=True, pace=20, rules=rules)
    tries = (
        lambda: seating.quick_match(player_id=cast.north.pk, ranked=True, pace=20, stick="no"),
        lambda: seating.sit(table_id=waiting_table, player_id=cast.north.pk),
        lambda: seating.open_table(host=cast.north, ranked=True, pace=20, rules=rules),
    )
    for attempt in tries:
        with pytest.raises(waiting.MustWait) as refusal:
            attempt()
        assert "5 minutes" in str(refusal.value)
        assert "Friendly games are open now" in str(refusal.value)
        assert "take it back" in str(refusal.value), "a bot keeps his seat at a table that still plays"
    assert not Seat.objects.filter(player=cast.north, held=True).exists()


def test_friendly_games_and_the_own_seat_are_open_meanwhile(cast, table):
    leave(table, cast.north)
    for _game in range(5):
        waiting.charge([cast.north.pk], timezone.now())
    submit(table, cast.north, "take_back")
    assert Seat.objects.get(player=cast.north).held
    assert seating.quick_match(player_id=cast.north.pk, ranked=True, pace=20, stick="no") == table
    leave(table, cast.north)
    rules = seating.rules_text(stick_the_dealer=False)
    assert seating.open_table(host=cast.north, ranked=False, pace=20, rules=rules)


def test_when_the_time_is_over_ranked_games_are_open_again(cast):
    for _game in range(3):
        waiting.charge([cast.north.pk], timezone.now() - timedelta(minutes=6))
    rules = seating.rules_text(stick_the_dealer=False)
    assert seating.open_table(host=cast.north, ranked=True, pace=20, rules=rules)


def test_staff_can_forget_it(cast):
    charged(cast.north, 5)
    waiting.forget([cast.north.pk])
    assert leaves_of(cast.north) == 0
    waiting.check(cast.north.pk, NOW)


# --- moves that the clock played


def test_everybody_sees_the_moves_somebody_missed_in_a_row_and_in_the_game(table, stack_deal):
    """Complaint: limits on missed turns, with a visible counter."""
    stack_deal(table, T16, dealer=3)
    first = row_of(table).turn
    make_overdue(table)
    clock.sweep(timezone.now())
    assert (seat := tables.seats_of(row_of(table))[first]).missed == seat.missed_all == 1
    for place in (0, 1, 2, 3, None):
        assert "Missed 1 of 3" in felt.render(tables.load_table(table), place)
    while row_of(table).turn != first:
        submit(table, on_turn(table), choices(table)[0])
    submit(table, on_turn(table), choices(table)[0])
    seat = tables.seats_of(row_of(table))[first]
    assert (seat.missed, seat.missed_all) == (0, 1)
    assert "1 move missed in this game" in felt.render(tables.load_table(table), None)


def test_the_next_game_counts_missed_moves_anew(table, cast):
    Seat.objects.filter(table_id=table).update(missed_all=4)
    finish(table, (3, 10))
    for player in (cast.north, cast.east, cast.south, cast.west):
        submit(table, player, "rematch")
    assert row_of(table).running
    assert {seat.missed_all for seat in tables.seats_of(row_of(table))} == {0}
