"""Two of everything at once, in threads with a connection each: one effect, the others are told,
and the table goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.utils import timezone

from games import live, tasks
from games.models import Deal, Game, Participation, Player, Pulse, Rating, RatingChange, Seat, Table
from games.selectors import tables
from games.services import clock, play, presence, results, seating
from games.services import row as rows
from games.services.errors import StaleVersion, UserError
from games.signals import game_finished
from tests.factories import play_game
from tests.services.conftest import at_once, choices, on_turn, play_out_deal, submit

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)


# --- what happens at a table, and what is said about it -------------------------------------------


@pytest.fixture(autouse=True)
def told(monkeypatch) -> Iterator[SimpleNamespace]:
    """The revisions that are shown and the bots that are woken, in place of sockets and workers.

    At the end of every test here, each table has shown every revision once and waits for
    somebody who knows: a clock runs, and where a bot is next it has been told.
    """
    told = SimpleNamespace(shown=[], woken=[])
    monkeypatch.setattr(live, "show", lambda row: told.shown.append((row.id, row.revision)))
    monkeypatch.setattr(rows, "wake_bot", lambda row: told.woken.append((row.id, row.version)))
    yield told
    assert len(told.shown) == len(set(told.shown))
    for table in Table.objects.all():
        row = row_of(table.pk)
        assert (row.id, row.revision) in told.shown or not row.deck, "the newest state was shown to nobody"
        if row.running:
            assert row.due_at is not None
            assert not rows.bot_is_next(row) or (row.id, row.version) in told.woken


def row_of(table_id: int) -> tables.LiveRow:
    row = tables.read_row(table_id)
    assert row is not None
    return row


def make_overdue(table_id: int) -> None:
    Table.objects.filter(pk=table_id).update(due_at=timezone.now() - SECOND)


def meet(monkeypatch, module: object, name: str, parties: int = 2) -> None:
    """Let the callers of a function go on only when ``parties`` of them have come back from it."""
    function, barrier, met = getattr(module, name), threading.Barrier(parties), threading.local()

    def meeting(*args, **kwargs):
        answer = function(*args, **kwargs)
        if not getattr(met, "once", False):
            met.once = True
            barrier.wait(60)
        return answer

    monkeypatch.setattr(module, name, meeting)


def meanwhile(monkeypatch, module: object, name: str, event: Callable[[], object], *, after: bool = True) -> None:
    """Once, right after (or before) a call of a function, something else happens from start to end
    in another thread."""
    function, pending = getattr(module, name), [event]

    def interrupted(*args, **kwargs):
        answer = function(*args, **kwargs) if after else None
        if pending:
            assert at_once(pending.pop()) == [None]
        return answer if after else function(*args, **kwargs)

    monkeypatch.setattr(module, name, interrupted)


def one_refused(outcomes: list[object], *, of: type[Exception] = UserError) -> None:
    """One call succeeded, and all others were told why not in a sentence."""
    refused = [outcome for outcome in outcomes if outcome is not None]
    assert len(refused) == len(outcomes) - 1, outcomes
    assert all(isinstance(outcome, of) and str(outcome).endswith(".") for outcome in refused), outcomes


def people(cast: SimpleNamespace) -> list[Player]:
    return [cast.north, cast.east, cast.south, cast.west]


# --- moves ------------------------------------------------------------------------------------------


def test_a_move_sent_twice_at_once_is_made_once(table, monkeypatch):
    player, version = on_turn(table), row_of(table).version
    meet(monkeypatch, play, "find_table")
    one_refused(at_once(*[lambda: submit(table, player, "pass", version=version)] * 2), of=StaleVersion)
    row = row_of(table)
    assert (row.actions, row.played_by, row.version) == ("pass", "h", version + 1)


def test_of_two_different_moves_sent_at_once_one_is_made(table, monkeypatch):
    player, version = on_turn(table), row_of(table).version
    meet(monkeypatch, play, "find_table")
    outcomes = at_once(*(lambda a=a: submit(table, player, a, version=version) for a in ("pass", "order_up")))
    one_refused(outcomes, of=StaleVersion)
    assert row_of(table).actions in ("pass", "order_up")


def test_a_move_that_needs_the_lock_is_made_once_too(table, monkeypatch):
    """His last move was missed: a move of his own writes his seat as well."""
    player, version = on_turn(table), row_of(table).version
    Seat.objects.filter(table_id=table, player=player).update(missed=1)
    Table.objects.filter(pk=table).update(roster=row_of(table).roster + 1)
    meet(monkeypatch, play, "find_table")
    one_refused(at_once(*[lambda: submit(table, player, "pass", version=version)] * 2), of=StaleVersion)
    assert row_of(table).actions == "pass"
    assert Seat.objects.get(table_id=table, player=player).missed == 0


def test_the_card_that_ends_a_deal_scores_it_once(table, monkeypatch):
    play_to_last_card(table)
    player, version, card = on_turn(table), row_of(table).version, choices(table)[0]
    meet(monkeypatch, play, "find_table")
    one_refused(at_once(*[lambda: submit(table, player, card, version=version)] * 2), of=StaleVersion)
    deal, row = Deal.objects.get(), row_of(table)
    assert (row.score_0, row.score_1) == (deal.points_0, deal.points_1)


def test_a_move_is_not_lost_to_a_change_of_seats_between_its_reading_and_its_writing(table, cast, monkeypatch):
    player = on_turn(table)
    other = next(person for person in people(cast) if person != player)
    meanwhile(monkeypatch, play, "find_table", lambda: submit(table, other, "leave"))
    submit(table, player, "pass")
    assert row_of(table).actions == "pass"
    assert Seat.objects.get(table_id=table, player=other).left_at is not None


def play_to_last_card(table_id: int) -> None:
    """Play, each the first legal action but never alone, until one card of the deal is left."""
    while sum(map(len, row_of(table_id).deal().hands)) != 1:
        options = choices(table_id)
        submit(table_id, on_turn(table_id), "order_up" if "order_up" in options else options[0])


# --- the clock --------------------------------------------------------------------------------------


def test_the_player_who_moves_just_before_the_clock_keeps_his_move(table, monkeypatch):
    player, version = on_turn(table), row_of(table).version
    make_overdue(table)
    meanwhile(monkeypatch, clock, "_choose", lambda: submit(table, player, "pass", version=version))
    clock.sweep(timezone.now())
    assert (row_of(table).actions, row_of(table).played_by) == ("pass", "h")
    assert Seat.objects.get(table_id=table, player=player).missed == 0


def test_the_player_who_moves_just_after_the_clock_is_told(table, monkeypatch):
    player, version = on_turn(table), row_of(table).version
    make_overdue(table)
    meanwhile(monkeypatch, play, "find_table", lambda: clock.act(table_id=table, version=version))
    with pytest.raises(StaleVersion):
        submit(table, player, "pass", version=version)
    assert row_of(table).played_by == "c"
    assert Seat.objects.get(table_id=table, player=player).missed == 1


@pytest.mark.parametrize("attempt", range(4))
def test_at_the_deadline_either_the_player_moves_or_the_clock_for_him(table, attempt):
    player, version = on_turn(table), row_of(table).version
    make_overdue(table)
    moved, _swept = at_once(
        lambda: submit(table, player, "pass", version=version), lambda: clock.sweep(timezone.now()) and None
    )
    row = row_of(table)
    assert row.version == version + 1
    assert row.played_by == ("h" if moved is None else "c")
    assert Seat.objects.get(table_id=table, player=player).missed == (moved is not None)


def test_workers_that_sweep_at_once_act_once_for_each_table(cast, table, monkeypatch, bots_about):
    """An overdue move, a seat lost for too long and a table whose bots are due."""
    waiting = seating.open_table(host=cast.stranger, ranked=True, pace=20, rules="article")
    Table.objects.filter(pk=waiting).update(fill_at=timezone.now() - SECOND)
    player, version = on_turn(table), row_of(table).version
    absent = next(person for person in people(cast) if person != player)
    Seat.objects.filter(table_id=table, player=absent).update(lost_at=timezone.now() - timedelta(minutes=2))
    make_overdue(table)
    roster = row_of(table).roster
    meet(monkeypatch, clock, "_forgive_outage", parties=3)
    outcomes = at_once(*[lambda: clock.sweep(timezone.now())] * 3)
    assert sum(outcomes) <= 2, "the overdue move, and perhaps a bot's first move at the new game"
    row = row_of(table)
    assert (row.version, row.played_by) == (version + 1, "c")
    assert row.roster == roster + 2, "one seat kept, one move missed"
    assert Seat.objects.get(table_id=table, player=absent).bot_since is not None
    assert Game.objects.filter(table_id=waiting).count() == 1


def test_a_table_that_two_workers_found_due_is_claimed_by_one(table, monkeypatch):
    version = row_of(table).version
    make_overdue(table)
    meet(monkeypatch, seating, "tidy")
    assert sorted(at_once(*[lambda: clock.sweep(timezone.now())] * 2)) == [0, 1]
    assert row_of(table).version == version + 1


def test_the_time_of_an_outage_is_given_back_once_and_before_anybody_acts(table, monkeypatch, told):
    now = timezone.now()
    clock.sweep(now)
    Pulse.objects.update(at=now - timedelta(minutes=10))
    due = now - timedelta(minutes=5)
    Table.objects.filter(pk=table).update(due_at=due)
    revision = row_of(table).revision
    swept: list[int] = []
    meanwhile(monkeypatch, transaction, "atomic", lambda: swept.append(clock.sweep(now)), after=False)
    swept.append(clock.sweep(now))
    row = row_of(table)
    assert swept == [0, 0]
    assert (row.actions, row.due_at, row.revision) == ("", due + timedelta(minutes=10), revision + 1)
    told.shown.append((table, row.revision))  # where it matters, the hubs' comparison of revisions does it


# --- bots -------------------------------------------------------------------------------------------


def leave_on_turn(table_id: int) -> Player:
    player = on_turn(table_id)
    submit(table_id, player, "leave")
    return player


def test_a_hint_that_comes_twice_moves_the_bot_once(table, told):
    leave_on_turn(table)
    version = row_of(table).version
    assert at_once(*[lambda: tasks.bot_turn(table, version)] * 3) == [None] * 3
    assert row_of(table).version == version + 1
    assert row_of(table).played_by == "b"


def test_a_hint_that_comes_late_or_early_moves_nobody(table, settings):
    settings.EUCHRE_BOT_DELAY = 5
    version = row_of(table).version
    submit(table, on_turn(table), "pass")
    leave_on_turn(table)
    before = row_of(table)
    for hint in (version, before.version, before.version + 1):
        tasks.bot_turn(table, hint)
    assert row_of(table) == before


def test_a_lost_hint_costs_until_the_next_sweep(table):
    leave_on_turn(table)
    clock.sweep(timezone.now() + SECOND / 10)
    assert row_of(table).played_by == "b"


def test_a_seat_taken_back_while_the_bot_thinks_is_its_owners(table, monkeypatch):
    player = leave_on_turn(table)
    version = row_of(table).version
    meanwhile(monkeypatch, clock, "_choose", lambda: submit(table, player, "take_back"))
    clock.sweep(timezone.now() + SECOND / 10)
    assert row_of(table).actions == ""
    submit(table, player, "pass", version=version)
    assert row_of(table).played_by == "h"


@pytest.mark.parametrize("attempt", range(4))
def test_a_seat_taken_back_as_its_bot_moves_is_its_owners_from_the_next_action_on(table, attempt):
    player = leave_on_turn(table)
    version = row_of(table).version
    at_once(lambda: submit(table, player, "take_back"), lambda: tasks.bot_turn(table, version))
    assert row_of(table).played_by in ("", "b")
    assert Seat.objects.get(table_id=table, player=player).held
    while on_turn(table) != player:
        submit(table, on_turn(table), choices(table)[0])
    submit(table, player, choices(table)[0])
    assert row_of(table).played_by[-1] == "h"


def test_a_seat_taken_back_in_two_tabs_is_taken_back_once(table):
    player = leave_on_turn(table)
    roster = row_of(table).roster
    assert at_once(*[lambda: submit(table, player, "take_back")] * 2) == [None, None]
    assert row_of(table).roster == roster + 1


def test_who_comes_back_in_the_moment_his_seat_would_be_given_away_keeps_it(table, cast, monkeypatch):
    """Seen again, then lost again: his minute starts anew."""
    now = timezone.now()
    seat = Seat.objects.filter(table_id=table, player=cast.east)
    seat.update(lost_at=now - timedelta(minutes=2), seen_at=now)

    def back_and_lost() -> None:
        presence.arrive(table_id=table, player_id=cast.east.pk)
        presence.lose(seat_pks=[seat.get().pk], since=timezone.now())

    meanwhile(monkeypatch, transaction, "atomic", back_and_lost, after=False)
    presence.keep_seats(now)
    assert seat.get().lost_at > now
    assert seat.get().bot_since is None


# --- between deals ----------------------------------------------------------------------------------


def test_the_last_two_who_are_ready_at_once_are_dealt_one_deal(table, cast):
    play_out_deal(table)
    version = row_of(table).version
    for player in (cast.north, cast.east):
        submit(table, player, "next")
    assert at_once(*(lambda p=p: submit(table, p, "next") for p in (cast.south, cast.west))) == [None, None]
    assert (row_of(table).deal_number, row_of(table).version, row_of(table).ready) == (2, version + 1, 0)


def test_the_last_who_is_ready_and_the_clock_deal_one_deal(table, cast):
    play_out_deal(table)
    version = row_of(table).version
    for player in (cast.north, cast.east, cast.south):
        submit(table, player, "next")
    make_overdue(table)
    at_once(lambda: submit(table, cast.west, "next"), lambda: clock.sweep(timezone.now()))
    assert (row_of(table).deal_number, row_of(table).version, row_of(table).ready) == (2, version + 1, 0)


def test_the_last_who_is_ready_and_one_who_leaves_hold_up_nobody(table, cast):
    play_out_deal(table)
    for player in (cast.north, cast.east):
        submit(table, player, "next")
    at_once(lambda: submit(table, cast.south, "next"), lambda: submit(table, cast.west, "leave"))
    assert row_of(table).deal_number in (1, 2)
    clock.sweep(row_of(table).due_at)
    assert row_of(table).deal_number == 2


# --- the end of a game ------------------------------------------------------------------------------


def play_to_the_last_card_of_the_game(table_id: int) -> None:
    """Nine all, and one card left of the deal: whoever it helps wins with it."""
    Table.objects.filter(pk=table_id).update(score_0=9, score_1=9)
    play_to_last_card(table_id)


def finish(table_id: int) -> None:
    play_to_the_last_card_of_the_game(table_id)
    submit(table_id, on_turn(table_id), choices(table_id)[0])
    assert row_of(table_id).phase == Table.Phase.OVER


@pytest.mark.parametrize("first", ["leaves", "plays", "either"])
def test_who_leaves_at_the_very_end_has_left_before_it_or_after_it(table, cast, monkeypatch, first):
    play_to_the_last_card_of_the_game(table)
    player, version, card = on_turn(table), row_of(table).version, choices(table)[0]
    other = next(person for person in people(cast) if person != player)

    def last_card() -> None:
        submit(table, player, card, version=version)

    def leave() -> None:
        submit(table, other, "leave")

    if first == "leaves":
        meanwhile(monkeypatch, play, "find_table", leave)
        last_card()
    elif first == "plays":
        meanwhile(monkeypatch, transaction, "atomic", last_card, after=False)
        leave()
    else:
        assert at_once(last_card, leave) == [None, None]
    assert row_of(table).phase == Table.Phase.OVER
    assert not Seat.objects.filter(held=True).exists()
    part, change = Participation.objects.get(player=other), RatingChange.objects.get(player=other)
    got_up = not Seat.objects.filter(table_id=table, player=other).exists()
    assert part.left is not got_up
    assert part.left is {"leaves": True, "plays": False, "either": part.left}[first]
    assert RatingChange.objects.count() == 4
    if part.left:
        assert change.mu_after < change.mu_before


@pytest.mark.parametrize("attempt", range(3))
def test_who_leaves_in_one_tab_and_plays_the_last_card_in_another_does_one_of_them_first(table, told, attempt):
    play_to_the_last_card_of_the_game(table)
    player, version, card = on_turn(table), row_of(table).version, choices(table)[0]
    played, left = at_once(lambda: submit(table, player, card, version=version), lambda: submit(table, player, "leave"))
    assert left is None
    if played is not None:
        assert isinstance(played, UserError)
        assert told.woken[-1] == (table, version)
        tasks.bot_turn(table, version)
    assert row_of(table).phase == Table.Phase.OVER
    assert Participation.objects.get(player=player).left is (played is not None)


def test_the_clock_and_the_player_end_a_game_once(table):
    play_to_the_last_card_of_the_game(table)
    player, version, card = on_turn(table), row_of(table).version, choices(table)[0]
    make_overdue(table)
    at_once(lambda: submit(table, player, card, version=version), lambda: clock.sweep(timezone.now()))
    assert row_of(table).phase == Table.Phase.OVER
    assert (Deal.objects.count(), RatingChange.objects.count()) == (1, 4)


def test_a_game_whose_end_is_recorded_twice_at_once_ends_once(cast):
    game = play_game(people(cast))
    rated = Rating.objects.filter(player__in=people(cast)).order_by("pk").values_list("mu", "sigma")
    after = list(rated)
    reopen(game)
    heard: list[int] = []

    def listen(game_id: int, **_kwargs: object) -> None:
        heard.append(game_id)

    game_finished.connect(listen)
    try:
        assert at_once(*[lambda: end(game)] * 3) == [None] * 3
    finally:
        game_finished.disconnect(listen)
    assert heard == [game.pk]
    assert list(rated.all()) == after


@pytest.mark.parametrize("attempt", range(3))
def test_two_games_of_the_same_people_that_end_at_once_are_rated_one_after_the_other(cast, attempt):
    """Each locks the ratings in the order of the players, whatever their seats."""
    four = people(cast)
    games = [play_game(four, seed=1), play_game([four[2], four[3], four[0], four[1]], seed=2)]
    for game in games:
        reopen(game)
    assert at_once(*(lambda game=game: end(game) for game in games)) == [None, None]
    for player in four:
        one, other = RatingChange.objects.filter(player=player)
        first, second = (one, other) if one.mu_after == other.mu_before else (other, one)
        assert (first.mu_after, first.sigma_after) == (second.mu_before, second.sigma_before)
        rating = Rating.objects.get(player=player)
        assert (rating.mu, rating.sigma) == (second.mu_after, second.sigma_after)


def reopen(game: Game) -> None:
    RatingChange.objects.filter(participation__game=game).delete()
    Rating.objects.all().delete()
    results.ensure_ratings(Player.objects.all())
    Game.objects.filter(pk=game.pk).update(status=Game.Status.PLAYING, finished_at=None)


def end(game: Game) -> None:
    with transaction.atomic():
        results.finish_game(game_id=game.pk, score=(game.score_0, game.score_1), now=timezone.now())


# --- the rematch ------------------------------------------------------------------------------------


def test_a_rematch_that_all_ask_for_at_once_is_one_new_game(table, cast):
    finish(table)
    version = row_of(table).version
    assert at_once(*(lambda p=p: submit(table, p, "rematch") for p in people(cast))) == [None] * 4
    row = row_of(table)
    assert Game.objects.count() == 2
    assert (row.deal_number, row.score_0, row.score_1, row.version, row.ready) == (1, 0, 0, version + 1, 0)
    assert Participation.objects.filter(game_id=row.game_id).count() == 4


def test_a_rematch_asked_for_as_the_table_closes_is_either_played_or_not(table, cast):
    finish(table)
    for player in (cast.north, cast.east, cast.south):
        submit(table, player, "rematch")
    make_overdue(table)
    at_once(lambda: submit(table, cast.west, "rematch"), lambda: clock.sweep(timezone.now()))
    row = row_of(table)
    assert (row.phase, Game.objects.count()) in [(Table.Phase.BID1, 2), (Table.Phase.CLOSED, 1)]
    assert Seat.objects.filter(held=True).count() == (4 if row.running else 0)


@pytest.mark.parametrize("attempt", range(3))
def test_a_rematch_does_not_wait_for_the_one_who_leaves_instead(table, cast, bots_about, attempt):
    finish(table)
    for player in (cast.north, cast.east):
        submit(table, player, "rematch")
    assert (
        at_once(lambda: submit(table, cast.south, "rematch"), lambda: submit(table, cast.west, "leave")) == [None] * 2
    )
    row = row_of(table)
    assert row.phase == Table.Phase.BID1
    assert Game.objects.count() == 2
