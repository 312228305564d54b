"""Rounds, tables and results: what opens, who may say what, what a correction changes, and back again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Game, Participation, Player, Seat
from games.models import Table as LiveTable
from games.selectors import tables as live_tables
from games.services import clock, play
from games.services.errors import UserError
from games.signals import game_finished
from tests.events.evening import Evening, check_log
from tournaments.models import Entrant, Event, EventTable, Member, Place, Report, Seating, Step
from tournaments.models import Round as Row
from tournaments.selectors import snapshots
from tournaments.selectors.rights import Actor, Part, read_actor
from tournaments.services import entrants, events, field, floor, no_shows, results, rounds, schedule
from tournaments.services.book import NotAllowed
from tournaments.services.desk import open_desk, undo
from tournaments.services.scoring import DOUBLE, FORFEIT_1, VOID, Score

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_seats() -> None:
    live_tables._seats_at.cache_clear()


@pytest.fixture
def bots_about(db) -> list[Player]:
    return [Player.objects.create(name=name, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel", "Moss")]


@pytest.fixture
def hall(club, cast):
    """An evening of typed scores that waits for its director; round 1 is being played."""

    def make(key: str = "swiss", count: int = 6, **fields: Any) -> Evening:
        tonight = Evening(club, cast.director, key, count, **({"pairing": "draft"} | fields))
        events.announce(event_id=tonight.id, by=tonight.by)
        events.start(event_id=tonight.id, by=tonight.by)
        rounds.next_round(event_id=tonight.id, by=tonight.by, after=0)
        return tonight

    return make


@pytest.fixture
def online(club, cast):
    """An evening at live tables; round 1 is being played by pairs of these people."""

    def make(*people: Player, **fields: Any) -> Evening:
        wanted = {"pairing": "draft", "kind": "online", "no_show_minutes": 5} | fields
        tonight = Evening(club, cast.director, "swiss", 0, **wanted)
        with open_desk(tonight.id, by=tonight.by, needs="direct", kind="added") as desk:
            pairs = [people[at : at + 2] for at in range(0, len(people), 2)]
            field.enter_all(desk, [([(one.pk, one.name) for one in pair], "", "entered") for pair in pairs])
        events.announce(event_id=tonight.id, by=tonight.by)
        events.start(event_id=tonight.id, by=tonight.by)
        rounds.next_round(event_id=tonight.id, by=tonight.by, after=0)
        return tonight

    return make


def crowd(count: int) -> list[Player]:
    return Player.objects.bulk_create(Player(name=f"P{n}", name_key=f"p{n}") for n in range(count))


def score(one: int, other: int, **more: Any) -> Score:
    return Score((one, other), **more)


def report(tonight: Evening, table: EventTable, said: Score, **more: Any) -> str:
    return results.report(**({"event_id": tonight.id, "by": tonight.by, "table_id": table.pk, "score": said} | more))


def at_code(tonight: Evening, table: EventTable) -> Actor:
    """Who has typed the code of a table in the hall."""
    return Actor(tonight.id, None, "Somebody", Part.VISITOR).at_table(table.pk)


def close(tonight: Evening, **more: Any) -> None:
    rounds.close_round(event_id=tonight.id, by=tonight.by, number=tonight.round.number, **more)


def go_on(tonight: Evening) -> None:
    rounds.next_round(event_id=tonight.id, by=tonight.by, after=tonight.round.number)


def play_all(tonight: Evening) -> None:
    """The first side wins everywhere."""
    for table in tonight.tables():
        report(tonight, table, score(10, 4))


# --- rounds -----------------------------------------------------------------------------------------------


class TestTheCourseOfARound:
    def test_each_verb_has_one_effect(self, hall):
        tonight = hall()
        play_all(tonight)
        close(tonight)
        steps = tonight.steps
        close(tonight)
        assert rounds.draw(event_id=tonight.id, by=tonight.by, number=2) == 2
        assert rounds.draw(event_id=tonight.id, by=tonight.by, number=2) == 2
        for verb in (rounds.publish, rounds.publish, rounds.begin):
            verb(event_id=tonight.id, by=tonight.by, number=2)
        assert tonight.steps == steps + 2
        assert tonight.round.state == Row.State.PLAYING
        assert rounds.next_round(event_id=tonight.id, by=tonight.by, after=1) == 2

    def test_a_round_with_results_missing_is_not_closed_unless_asked_for(self, hall):
        tonight = hall()
        first, *_others = tonight.tables()
        report(tonight, first, score(10, 4))
        with pytest.raises(UserError, match="no result yet from table 2, 3"):
            close(tonight)
        with pytest.raises(UserError, match="no result yet"):
            go_on(tonight)
        close(tonight, unplayed=True)
        assert [table.state for table in tonight.tables(*EventTable.State)] == ["confirmed", "void", "void"]

    def test_what_one_side_has_said_is_taken_when_the_round_closes(self, hall):
        tonight = hall(count=2)
        (table,) = tonight.tables()
        report(tonight, table, score(10, 4), by=at_code(tonight, table), side=0)
        close(tonight)
        assert tonight.tables("confirmed") == [table]

    def test_only_directors_lead(self, hall, cast):
        tonight = hall()
        by = read_actor(tonight.event, cast.member)
        with pytest.raises(NotAllowed):
            rounds.next_round(event_id=tonight.id, by=by, after=1)

    def test_two_change_places_before_the_round(self, hall):
        tonight = hall(count=5)
        play_all(tonight)
        close(tonight)
        rounds.draw(event_id=tonight.id, by=tonight.by)
        (bye,) = tonight.round.byes
        other = tonight.tables()[0].sides[0][0]
        rounds.swap(event_id=tonight.id, by=tonight.by, number=2, one=bye, other=other)
        assert tonight.round.byes == [other]
        seated = Seating.objects.filter(round=tonight.round, table__number=1)
        assert sorted(seated.values_list("entrant__number", "side")) == sorted(
            (number, side) for side, members in enumerate(tonight.tables()[0].sides) for number in members
        )
        check_log(tonight.id)

    def test_a_locked_table_and_one_made_by_hand_outlast_a_new_draw(self, hall):
        tonight = hall(count=6)
        play_all(tonight)
        close(tonight)
        rounds.draw(event_id=tonight.id, by=tonight.by)
        kept = tonight.tables()[0]
        rounds.lock_table(event_id=tonight.id, by=tonight.by, table_id=kept.pk)
        free = [number for table in tonight.tables()[1:] for side in table.sides for number in side]
        met = EventTable.objects.filter(round__number=1).values_list("sides", flat=True)
        one, other = next(
            (a, b) for a in free for b in free if a < b and [[a], [b]] not in met and [[b], [a]] not in met
        )
        rounds.redraw(event_id=tonight.id, by=tonight.by, number=2, tables=[((one,), (other,))])
        sides = [{number for side in table.sides for number in side} for table in tonight.tables()]
        assert {number for side in kept.sides for number in side} in sides
        assert {one, other} in sides
        check_log(tonight.id)

    def test_the_clock_stops_and_runs_on(self, hall):
        tonight = hall(round_minutes=20)
        ends = tonight.round.ends_at
        rounds.add_minutes(event_id=tonight.id, by=tonight.by, number=1, minutes=5)
        assert tonight.round.ends_at == ends + timedelta(minutes=5)
        for verb in (rounds.pause_clock, rounds.pause_clock):
            verb(event_id=tonight.id, by=tonight.by, number=1)
        assert (tonight.round.ends_at, tonight.round.left // 60) == (None, 24)
        rounds.add_minutes(event_id=tonight.id, by=tonight.by, number=1, minutes=-4)
        rounds.resume_clock(event_id=tonight.id, by=tonight.by, number=1)
        assert tonight.round.left is None
        assert tonight.round.ends_at < ends + timedelta(minutes=2)

    def test_a_step_back_at_a_time_to_the_very_beginning(self, hall):
        tonight = hall("single_elimination", count=5)
        pictures = []

        def picture() -> list[Any]:
            return [
                list(model.objects.order_by("pk").values())
                for model in (Entrant, Member, Row, EventTable, Seating, Report, Place)
            ] + [Event.objects.values_list("state", flat=True).get()]

        def did(verb: Any, **more: Any) -> None:
            pictures.append(picture())
            verb(event_id=tonight.id, by=tonight.by, **more)

        first = tonight.tables()[0]
        for table in tonight.tables():
            did(results.report, table_id=table.pk, score=score(10, 4))
        did(rounds.next_round, after=1)
        for table in tonight.tables():
            did(results.report, table_id=table.pk, score=score(7, 11))
        did(rounds.close_round, number=2)
        did(results.correct, table_id=first.pk, score=score(2, 10), choice="void_chain")
        did(rounds.draw)
        did(rounds.redraw, number=3)
        did(rounds.publish, number=3)
        did(rounds.close_round, number=3, unplayed=True)
        while pictures:
            newest = Step.objects.filter(event=tonight.id, undone=None).exclude(kind="undid").order_by("-number")[0]
            undo(event_id=tonight.id, by=tonight.by, step_number=newest.number)
            assert picture() == pictures.pop(), newest.kind
        check_log(tonight.id)


# --- results ----------------------------------------------------------------------------------------------------


class TestSaying:
    def test_two_taps_in_the_hall(self, hall):
        tonight = hall()
        table = tonight.tables()[0]
        by = at_code(tonight, table)
        assert report(tonight, table, score(10, 7), by=by, side=0) == "reported"
        with pytest.raises(UserError, match="the other side confirms"):
            results.confirm(event_id=tonight.id, by=by, table_id=table.pk, side=0)
        assert results.confirm(event_id=tonight.id, by=by, table_id=table.pk, side=1) == "confirmed"
        assert report(tonight, table, score(10, 7), by=by, side=1) == "confirmed"
        with pytest.raises(UserError, match="has a result already: 10–7"):
            report(tonight, table, score(10, 8), by=by, side=1)

    def test_both_type_and_agree_or_not(self, hall):
        tonight = hall()
        one, other, _third = tonight.tables()
        assert report(tonight, one, score(10, 7), by=at_code(tonight, one), side=1) == "reported"
        assert report(tonight, one, score(10, 6), by=at_code(tonight, one), side=1) == "reported"
        assert report(tonight, one, score(10, 6), by=at_code(tonight, one), side=0) == "confirmed"
        assert report(tonight, other, score(10, 7), by=at_code(tonight, other), side=0) == "reported"
        assert report(tonight, other, score(7, 10), by=at_code(tonight, other), side=1) == "disputed"
        assert report(tonight, other, score(10, 7), by=at_code(tonight, other), side=1) == "confirmed"

    def test_a_director_settles_a_dispute(self, hall):
        tonight = hall()
        table = tonight.tables()[0]
        by = at_code(tonight, table)
        report(tonight, table, score(10, 7), by=by, side=0)
        assert results.dispute(event_id=tonight.id, by=by, table_id=table.pk, side=1) == "disputed"
        assert report(tonight, table, score(10, 9)) == "confirmed"

    def test_two_directors_type_one_score(self, hall):
        tonight = hall()
        table = tonight.tables()[0]
        report(tonight, table, score(10, 7))
        steps = tonight.steps
        report(tonight, table, score(10, 7))
        with pytest.raises(UserError, match=r"has a result already: 10–7\. Correct it"):
            report(tonight, table, score(10, 6))
        assert tonight.steps == steps

    def test_impossible_scores_and_strangers(self, hall, cast):
        tonight = hall()
        table, other, _third = tonight.tables()
        for bad in (score(9, 9), score(10, 10), score(15, 0), score(-1, 10)):
            with pytest.raises(UserError):
                report(tonight, table, bad)
        with pytest.raises(NotAllowed):
            report(tonight, table, score(10, 3), by=at_code(tonight, other), side=0)
        with pytest.raises(NotAllowed):
            report(tonight, table, score(10, 3), by=read_actor(tonight.event, cast.member))
        with pytest.raises(NotAllowed):
            report(tonight, table, FORFEIT_1, by=at_code(tonight, table), side=0)
        with pytest.raises(UserError, match="which side"):
            report(tonight, table, score(10, 3), by=at_code(tonight, table))
        assert not Report.objects.exists()

    def test_no_score_for_a_round_that_is_not_on(self, hall):
        tonight = hall()
        table = tonight.tables()[0]
        play_all(tonight)
        close(tonight)
        with pytest.raises(UserError, match="already: 10–4"):
            report(tonight, table, score(10, 3), by=at_code(tonight, table), side=0)
        rounds.draw(event_id=tonight.id, by=tonight.by)
        with pytest.raises(UserError, match="has not begun"):
            report(tonight, tonight.tables()[0], score(10, 3))


class TestCorrecting:
    def test_a_draw_nobody_has_seen_is_made_anew(self, hall):
        tonight = hall(count=8)
        play_all(tonight)
        first = tonight.tables("confirmed")[0]
        close(tonight)
        rounds.draw(event_id=tonight.id, by=tonight.by)
        seen = results.preview(tonight.id, first.pk, score(4, 10))
        assert (seen.redrawn, seen.choices) == (2, ())
        assert {moved.entrant for moved in seen.moved} >= {number for side in first.sides for number in side}
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(4, 10), reason="Typo")
        assert tonight.round.drawn_from == snapshots.read_course(tonight.id).fingerprint
        said = Report.objects.filter(table=first).order_by("-pk")[0]
        assert (said.reason, said.values["points"], said.by_name) == ("Typo", [4, 10], "Director")

    def test_of_a_published_draw_the_director_chooses(self, hall):
        tonight = hall(count=8)
        play_all(tonight)
        first = tonight.tables("confirmed")[0]
        close(tonight)
        rounds.draw(event_id=tonight.id, by=tonight.by)
        rounds.publish(event_id=tonight.id, by=tonight.by, number=2, at=timezone.now() + timedelta(minutes=9))
        before = tonight.round
        assert before.state == Row.State.PUBLISHED
        assert results.preview(tonight.id, first.pk, score(4, 10)).choices == ("keep", "redraw")
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(4, 10))
        assert tonight.round == before
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(3, 10), choice="redraw")
        assert tonight.round != before
        assert (tonight.round.state, tonight.round.starts_at) == (before.state, before.starts_at)

    def test_a_round_that_has_begun_stays(self, hall):
        tonight = hall(count=8)
        play_all(tonight)
        first = tonight.tables("confirmed")[0]
        go_on(tonight)
        before = [table.sides for table in tonight.tables()]
        seen = results.preview(tonight.id, first.pk, VOID)
        assert (seen.redrawn, seen.choices) == (None, ())
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=VOID)
        assert [table.sides for table in tonight.tables()] == before
        with pytest.raises(UserError, match="moved on"):
            results.correct(
                event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(4, 10), choice="void_chain"
            )

    def test_the_next_match_of_a_bracket_gets_the_right_entrant(self, hall):
        tonight = hall("single_elimination", count=4)
        play_all(tonight)
        first = tonight.tables("confirmed")[0]
        close(tonight)
        rounds.draw(event_id=tonight.id, by=tonight.by)
        assert results.preview(tonight.id, first.pk, score(4, 10)).redrawn == 2
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(4, 10))
        (final,) = tonight.tables()
        assert first.sides[1][0] in final.sides[0] + final.sides[1]

    def test_a_chain_that_was_played_stands_or_is_void(self, hall):
        tonight = hall("single_elimination", count=4)
        play_all(tonight)
        first = tonight.tables("confirmed")[0]
        go_on(tonight)
        play_all(tonight)
        (final,) = tonight.tables("confirmed")
        close(tonight)
        seen = results.preview(tonight.id, first.pk, score(4, 10))
        assert seen.choices == ("let_stand", "void_chain")
        assert [each.table_id for each in seen.touched] == [final.pk]
        assert results.preview(tonight.id, first.pk, score(10, 9)).choices == ()
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(4, 10))
        assert snapshots.read_course(tonight.id).over()
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(10, 4))
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(4, 10), choice="void_chain")
        final.refresh_from_db()
        assert final.state == EventTable.State.VOID
        go_on(tonight)
        (final,) = tonight.tables()
        assert first.sides[1][0] in final.sides[0] + final.sides[1]
        check_log(tonight.id)

    def test_a_finished_event_gets_new_places(self, hall):
        tonight = hall("single_elimination", count=2)
        play_all(tonight)
        close(tonight)
        events.finish(event_id=tonight.id, by=tonight.by)
        won = Place.objects.filter(event=tonight.id, place=1).values_list("entrant__number", flat=True)
        assert set(won) == {1}
        table = EventTable.objects.get(event=tonight.id)
        results.correct(event_id=tonight.id, by=tonight.by, table_id=table.pk, score=score(4, 10))
        assert set(won.all()) == {2}
        check_log(tonight.id)

    def test_reading_costs_as_much_for_many_as_for_few(self, hall, django_assert_num_queries):
        for count in (4, 24):
            tonight = hall(count=count)
            play_all(tonight)
            first = tonight.tables("confirmed")[0]
            go_on(tonight)
            with django_assert_num_queries(5):
                snapshots.snapshot(tonight.id)
            with django_assert_num_queries(5):
                lines = snapshots.look_at(tonight.event).lines()
            with django_assert_num_queries(1):
                assert snapshots.look_at(tonight.event).lines() is lines
            with django_assert_num_queries(3):  # the event as the pages before it have read it
                results.preview(tonight.id, first.pk, score(4, 10))


# --- live tables --------------------------------------------------------------------------------------------------


def live(tonight: Evening, number: int = 1) -> LiveTable:
    return EventTable.objects.select_related("live_table").get(round=tonight.round, number=number).live_table


def come(tonight: Evening, *people: Player) -> None:
    for player in people:
        seat = Seat.objects.filter(player=player, table__event_table__round=tonight.round).get()
        play.submit_action(table_id=seat.table_id, player_id=player.pk, action="sit")


def end_game(table: LiveTable, points: tuple[int, int] = (10, 6), left: tuple[int, ...] = ()) -> int:
    """The game of a live table has ended so."""
    game = Game.objects.get(table=table)
    game.status, game.score_0, game.score_1, game.finished_at = Game.Status.FINISHED, *points, timezone.now()
    game.save()
    for part in Participation.objects.filter(game=game):
        part.won, part.left, part.loners_made, part.euchres = (
            part.seat % 2 == points.index(max(points)),
            part.seat in left,
            1,
            2,
        )
        part.save()
    table.phase = LiveTable.Phase.OVER
    table.save(update_fields=["phase"])
    return game.pk


class TestLiveTables:
    def test_their_titles_say_which_round_and_table_they_are_and_read_as_no_score(self, online, cast):
        table = live(online(cast.north, cast.south, cast.east, cast.west))
        assert table.title.endswith(", round 1, table 1") and "–" not in table.title
        long = floor.title_of(Event(title="Thursday evening at the boathouse"), 12, 104)
        assert long == "Thursday evening a…, round 12, table 104"

    def test_partners_sit_opposite_each_other_and_the_game_gives_the_result(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west, rated=True)
        table = live(tonight)
        (mine,) = tonight.tables()
        names = dict(Entrant.objects.filter(event=tonight.id).values_list("number", "name"))
        seats = [seat.name for seat in live_tables.read_seats(table.pk)]
        assert [names[side[0]] for side in mine.sides] == [f"{seats[0]} & {seats[2]}", f"{seats[1]} & {seats[3]}"]
        assert (table.reserved, table.ranked, table.back) == (True, True, f"/events/{tonight.id}/")
        with pytest.raises(UserError, match="gives the result by itself"):
            report(tonight, mine, score(10, 4), by=read_actor(tonight.event, cast.north))
        come(tonight, cast.north, cast.south, cast.east, cast.west)
        game_id = end_game(table)
        for _again in range(2):
            game_finished.send(Game, game_id=game_id)
        mine.refresh_from_db()
        assert (mine.state, mine.points_0, mine.points_1, mine.winner, mine.game_id) == ("confirmed", 10, 6, 0, game_id)
        one, other = (str(side[0]) for side in mine.sides)
        assert mine.counters["loners"] == {one: 2, other: 2}
        assert mine.counters["euchres"] == {one: 2, other: 2}
        assert mine.reports.get().source == Report.Source.GAME

    def test_a_game_whose_end_nobody_heard_is_found(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west, pairing="automatic")
        come(tonight, cast.north, cast.south, cast.east, cast.west)
        end_game(live(tonight), (3, 10))
        Event.objects.update(due_at=timezone.now())
        tonight.sweep()
        assert EventTable.objects.get().winner == 1

    def test_the_last_game_ends_while_the_round_is_closed(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west)
        come(tonight, cast.north, cast.south, cast.east, cast.west)
        game_id = end_game(live(tonight))
        close(tonight, unplayed=True)
        results.report_game(game_id=game_id)
        assert EventTable.objects.get().state == EventTable.State.CONFIRMED
        assert Report.objects.count() == 1

    def test_who_has_no_account_plays_in_the_hall(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west, rounds_planned=2, late_until=0)
        close(tonight, unplayed=True)
        Member.objects.filter(player=cast.west).update(player=None)
        go_on(tonight)
        (mine,) = tonight.tables()
        assert (mine.kind, mine.live_table, len(mine.code)) == ("hall", None, floor.CODE_LENGTH)
        assert LiveTable.objects.get().phase == LiveTable.Phase.CLOSED

    def test_a_table_moves_to_the_hall_and_back(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west)
        (mine,) = tonight.tables()
        first = live(tonight)
        rounds.set_kind(event_id=tonight.id, by=tonight.by, table_id=mine.pk, kind="hall")
        first.refresh_from_db()
        assert first.phase == LiveTable.Phase.CLOSED
        rounds.set_kind(event_id=tonight.id, by=tonight.by, table_id=mine.pk, kind="online")
        assert live(tonight).phase == LiveTable.Phase.OPEN
        Member.objects.filter(player=cast.west).update(player=None)
        rounds.set_kind(event_id=tonight.id, by=tonight.by, table_id=mine.pk, kind="hall")
        with pytest.raises(UserError, match="no account"):
            rounds.set_kind(event_id=tonight.id, by=tonight.by, table_id=mine.pk, kind="online")

    def test_a_substitute_gets_the_seat(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west)
        with open_desk(tonight.id, by=tonight.by, needs="direct", kind="substituted") as desk:
            floor.reseat(desk, out=cast.west.pk, put_in=cast.member.pk)
        assert "Member" in [seat.name for seat in live_tables.read_seats(live(tonight).pk)]

    def test_undoing_the_start_of_a_round_calls_its_tables_off(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west)
        table = live(tonight)
        undo(event_id=tonight.id, by=tonight.by, step_number=tonight.steps)
        tonight.sweep()
        table.refresh_from_db()
        assert table.phase == LiveTable.Phase.CLOSED
        assert tonight.round is None

    def test_a_hundred_tables_open_in_few_queries(self, online, django_assert_max_num_queries):
        tonight = online(*crowd(400), pairing="draft")
        close(tonight, unplayed=True)
        with django_assert_max_num_queries(90):
            go_on(tonight)
        assert LiveTable.objects.filter(phase=LiveTable.Phase.OPEN, event_table__round=tonight.round).count() == 100

    def test_bots_play_an_event_alone(self, online, bots_about, settings):
        settings.EUCHRE_BOT_DELAY = settings.EUCHRE_DEAL_PAUSE = 0
        tonight = online(*bots_about, pairing="automatic", settings={"target": 5}, rules="article target_score=5")
        clock.sweep(timezone.now())
        table = live(tonight)
        LiveTable.objects.update(score_0=4, score_1=4)
        while (row := live_tables.read_row(table.pk)).running:
            clock.act(table_id=table.pk, version=row.version, claim=row.due_at)
        game_finished.send(Game, game_id=Game.objects.get().pk)
        for _look in range(3):
            tonight.sweep()
        assert tonight.event.state == Event.State.FINISHED
        assert sorted(Place.objects.values_list("place", flat=True)) == [1, 1, 2, 2]


class TestWhoDoesNotCome:
    def wait(self, tonight: Evening, minutes: int = 6) -> None:
        tonight.sweep(timedelta(minutes=minutes))
        tonight.sweep(timedelta(minutes=minutes))

    def test_a_bot_keeps_the_seat(self, online, cast, bots_about):
        tonight = online(cast.north, cast.south, cast.east, cast.west, rated=True)
        come(tonight, cast.north, cast.south, cast.east)
        self.wait(tonight, minutes=4)
        assert live(tonight).phase == LiveTable.Phase.OPEN
        self.wait(tonight)
        table = live(tonight)
        assert table.phase in LiveTable.RUNNING
        assert not table.ranked
        late = Entrant.objects.get(members__player=cast.west)
        assert (late.missed, late.state) == (1, "active")
        end_game(table, left=tuple(s.index for s in live_tables.read_seats(table.pk) if s.name == "West"))
        results.report_game(game_id=Game.objects.get().pk)
        late.refresh_from_db()
        assert late.missed == 1

    def test_who_comes_late_has_missed_nothing(self, online, cast, bots_about):
        tonight = online(cast.north, cast.south, cast.east, cast.west)
        come(tonight, cast.north, cast.south, cast.east)
        self.wait(tonight)
        play.submit_action(table_id=live(tonight).pk, player_id=cast.west.pk, action="take_back")
        end_game(live(tonight))
        results.report_game(game_id=Game.objects.get().pk)
        assert not Entrant.objects.filter(missed__gt=0).exists()

    def test_a_forfeit_where_the_event_says_so(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west, no_show="forfeit")
        come(tonight, cast.north, cast.south, cast.east)
        Entrant.objects.filter(members__player=cast.west).update(missed=1)
        self.wait(tonight)
        (table,) = tonight.tables("forfeit")
        late = Entrant.objects.get(members__player=cast.west)
        assert table.sides[table.absent] == [late.number]
        assert (late.missed, late.state) == (2, "paused")
        assert table.live_table.phase == LiveTable.Phase.CLOSED

    def test_nobody_at_all(self, online, cast):
        tonight = online(cast.north, cast.south, cast.east, cast.west)
        self.wait(tonight)
        assert [table.state for table in tonight.tables("double")] == ["double"]

    def test_a_substitute_is_waited_for(self, online, cast, bots_about):
        tonight = online(cast.north, cast.south, cast.east, cast.west, no_show="substitute")
        come(tonight, cast.north, cast.south, cast.east)
        self.wait(tonight)
        assert live(tonight).phase == LiveTable.Phase.OPEN
        later = timezone.now() + timedelta(minutes=6)
        assert no_shows.overdue(tonight.event, later) == {tonight.tables()[0].pk: (cast.west.pk,)}
        assert not Entrant.objects.filter(missed__gt=0).exists()


# --- the schedule ---------------------------------------------------------------------------------------------------


class TestTheSchedule:
    def test_an_evening_begins_by_itself(self, club, cast):
        starts = timezone.now() + timedelta(hours=2)
        tonight = Evening(club, cast.director, "swiss", 5, starts_at=starts, check_in=30)
        events.announce(event_id=tonight.id, by=tonight.by)
        tonight.sweep()
        assert tonight.event.due_at == starts - timedelta(minutes=30)
        tonight.sweep(timedelta(minutes=91))
        assert tonight.event.state == Event.State.CHECK_IN
        for entrant in Entrant.objects.filter(event=tonight.id, number__lt=5):
            entrants.check_in(event_id=tonight.id, by=tonight.by, entrant_id=entrant.pk)
        tonight.sweep(timedelta(minutes=121))
        assert (tonight.event.state, tonight.round.state) == (Event.State.RUNNING, Row.State.PLAYING)
        assert Entrant.objects.get(event=tonight.id, number=5).state == Entrant.State.WITHDRAWN

    def test_too_few_to_start_is_tried_again_and_harms_nobody(self, club, cast):
        tonight = Evening(club, cast.director, "swiss", 1, starts_at=timezone.now() + timedelta(hours=1))
        events.announce(event_id=tonight.id, by=tonight.by)
        tonight.sweep(timedelta(hours=2))
        assert tonight.event.state == Event.State.OPEN
        assert tonight.event.due_at > timezone.now() + timedelta(hours=2)

    def test_where_the_director_starts_each_round_the_hall_waits_for_the_click(self, hall):
        tonight = hall(pairing="click", rounds_planned=2, late_until=0)
        play_all(tonight)
        tonight.sweep()
        assert (tonight.round.number, tonight.round.state) == (1, Row.State.CLOSED)
        tonight.sweep(timedelta(days=1))
        assert tonight.round.number == 1
        rounds.next_round(event_id=tonight.id, by=tonight.by, after=1)
        assert (tonight.round.number, tonight.round.state) == (2, Row.State.PLAYING)
        play_all(tonight)
        tonight.sweep()
        tonight.sweep()
        assert tonight.event.state == Event.State.FINISHED

    def test_a_worker_with_an_old_look_does_nothing_twice(self, hall):
        tonight = hall(pairing="automatic")
        play_all(tonight)
        due = Event.objects.get(pk=tonight.id).due_at
        now = timezone.now()
        assert schedule.sweep(now) == 1
        kinds = list(Step.objects.filter(event=tonight.id).values_list("kind", flat=True))
        for _worker in range(3):
            schedule.advance(tonight.id, now, claim=due)
            schedule.sweep(now)
        assert list(Step.objects.filter(event=tonight.id).values_list("kind", flat=True)) == kinds
        assert kinds[-3:] == ["closed_round", "drew", "published"]

    def test_a_claim_whose_worker_died_runs_out(self, hall):
        tonight = hall(pairing="automatic")
        play_all(tonight)
        now = timezone.now()
        Event.objects.filter(pk=tonight.id).update(due_at=now + schedule.CLAIM)
        assert schedule.sweep(now) == 0
        assert schedule.sweep(now + schedule.CLAIM) == 1
        assert tonight.round.number == 2

    def test_workers_that_die_before_and_after_every_step_lose_and_double_nothing(self, club, cast, monkeypatch):
        tonight = Evening(club, cast.director, "single_elimination", 3, starts_at=timezone.now() + timedelta(minutes=1))
        events.announce(event_id=tonight.id, by=tonight.by)
        look, died = schedule._next, set()

        def dying(event, now):
            doing = look(event, now)

            def run() -> None:
                for when, act in (("before", lambda: None), ("after", doing)):
                    mark = when, tonight.steps
                    act()
                    if mark not in died:
                        died.add(mark)
                        raise RuntimeError("killed")

            return doing and run

        monkeypatch.setattr(schedule, "_next", dying)
        for minute in range(2, 40):
            tonight.sweep(timedelta(minutes=minute))
            for table in tonight.tables():
                if table.round.state == Row.State.PLAYING:
                    tonight.enter(table, score(10, 4))
        assert tonight.event.state == Event.State.FINISHED
        kinds = Step.objects.filter(event=tonight.id, by_name="").values_list("kind", flat=True)
        assert list(kinds) == ["started", *("drew", "published", "closed_round") * 2, "finished"]
        check_log(tonight.id)

    def test_a_result_that_comes_while_the_schedule_looks_is_not_missed(self, hall, monkeypatch):
        tonight = hall(pairing="automatic", count=2)
        (table,) = tonight.tables()
        look = schedule.next_look

        def meanwhile(event, now):
            monkeypatch.setattr(schedule, "next_look", look)
            report(tonight, table, score(10, 4))
            return look(event, now)

        monkeypatch.setattr(schedule, "next_look", meanwhile)
        tonight.sweep()
        assert tonight.event.due_at <= timezone.now()

    def test_one_event_that_fails_does_not_hold_up_the_others(self, hall, monkeypatch):
        one, other = hall(pairing="automatic"), hall(pairing="automatic")
        play_all(other)
        advance = schedule.advance

        def breaks(event_id, now, **more):
            if event_id == one.id:
                raise RuntimeError("broken")
            return advance(event_id, now, **more)

        monkeypatch.setattr(schedule, "advance", breaks)
        one.sweep()
        assert other.round.number == 2

    def test_the_director_sees_each_draw_first(self, hall):
        tonight = hall()
        play_all(tonight)
        tonight.sweep()
        assert (tonight.round.number, tonight.round.state) == (2, Row.State.DRAWN)
        rounds.publish(event_id=tonight.id, by=tonight.by, number=2)
        assert tonight.round.state == Row.State.PLAYING

    def test_a_draw_nobody_has_seen_follows_who_takes_part(self, hall):
        tonight = hall(count=6)
        play_all(tonight)
        tonight.sweep()
        before = tonight.round
        leaver = Entrant.objects.get(event=tonight.id, number=before.tables.all()[0].sides[0][0])
        entrants.withdraw(event_id=tonight.id, by=tonight.by, entrant_id=leaver.pk)
        tonight.sweep()
        after = tonight.round
        assert (after.number, after.state, after.pk != before.pk) == (2, Row.State.DRAWN, True)
        assert leaver.number not in {number for table in after.tables.all() for side in table.sides for number in side}
        steps = tonight.steps
        tonight.sweep()
        tonight.sweep(timedelta(minutes=2))
        assert tonight.steps == steps

    def test_what_is_undone_is_not_done_again_at_once(self, hall):
        tonight = hall(pairing="automatic")
        play_all(tonight)
        close(tonight)
        undo(event_id=tonight.id, by=tonight.by, step_number=tonight.steps)
        tonight.sweep()
        assert (tonight.round.number, tonight.round.state) == (1, Row.State.PLAYING)
        first = tonight.tables("confirmed")[0]
        results.correct(event_id=tonight.id, by=tonight.by, table_id=first.pk, score=score(10, 9))
        tonight.sweep()
        assert tonight.round.number == 2

    def test_breaks_and_time_that_is_up(self, hall):
        tonight = hall(pairing="automatic", break_minutes=10, round_minutes=20)
        first, *others = tonight.tables()
        report(tonight, first, score(10, 7), by=at_code(tonight, first), side=0)
        tonight.sweep(timedelta(minutes=1))
        assert tonight.tables("reported") == [first]
        tonight.sweep(timedelta(minutes=21))
        assert tonight.tables("confirmed") == [first]
        for table in others:
            report(tonight, table, DOUBLE)
        tonight.sweep()
        assert tonight.round.state == Row.State.CLOSED
        tonight.sweep(timedelta(minutes=9))
        assert tonight.round.number == 1
        tonight.sweep(timedelta(minutes=11))
        assert tonight.round.number == 2

    def test_a_reported_score_that_nobody_disputes_is_taken(self, hall):
        tonight = hall(pairing="automatic")
        first = tonight.tables()[0]
        report(tonight, first, score(10, 7), by=at_code(tonight, first), side=0)
        tonight.sweep(timedelta(minutes=4))
        assert tonight.tables("confirmed") == [first]

    def test_events_that_are_over_or_not_announced_are_left_alone(self, club, cast):
        tonight = Evening(club, cast.director, "swiss", 4)
        assert tonight.sweep() == 0
        assert schedule.next_look(tonight.event, timezone.now()) is None
