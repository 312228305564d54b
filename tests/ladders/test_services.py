"""Ladders through their services: joined, climbed, left, put right."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.models import Game, Participation, Player
from games.models import Table as LiveTable
from games.services import seating
from games.services.accounts import delete_account
from games.services.errors import UserError
from games.signals import game_finished
from tests.ladders.conftest import Clock
from tests.services.conftest import play_out_deal
from tournaments.formats import ladder as pure
from tournaments.formats.ladder import Entry
from tournaments.models import Club, Ladder, LadderAsk, LadderEntry, LadderMatch, LadderPair, LogEntry, Membership, Role
from tournaments.selectors import ladders as selectors
from tournaments.services import clubs, floor, joining, ladders
from tournaments.services.book import NotAllowed
from tournaments.services.ladders import Correction, NotAgreed, Settings, terms

pytestmark = pytest.mark.django_db

TOP, UPPER, LOWER = "Old Tom & Ann", "North & South", "East & West"


def read(ladder: Ladder) -> selectors.Board:
    return selectors.read_board(Ladder.objects.select_related("club").get(pk=ladder.pk))


def version(ladder: Ladder) -> int:
    return Ladder.objects.get(pk=ladder.pk).version


def put_right(ladder: Ladder, by: Player, change: Correction) -> ladders.Preview:
    seen = ladders.preview(ladder_id=ladder.pk, by=by.pk, change=change)
    ladders.correct(ladder_id=ladder.pk, by=by.pk, change=change, version=seen.version, reason="Told by both")
    return seen


def result_of(match: int) -> LadderEntry:
    return LadderEntry.objects.get(match=match, kind="result")


# --- joining and leaving


def test_members_who_agree_join_at_the_bottom(ladder, cast, order) -> None:
    assert not ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)
    assert not ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)
    assert LadderAsk.objects.count() == 1 and len(order()) == 3
    for _twice in range(2):
        ladders.accept(ladder_id=ladder.pk, by=cast.friend.pk, asked_by=cast.member.pk)
    assert order() == [TOP, UPPER, LOWER, "Member & Friend"] and not LadderAsk.objects.exists()


def test_two_who_ask_each_other_are_a_pair(ladder, cast, order) -> None:
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)
    assert ladders.ask_partner(ladder_id=ladder.pk, by=cast.friend.pk, to=cast.member.pk)
    assert order()[-1] == "Member & Friend"


@pytest.mark.parametrize(
    ("by", "to", "told"),
    [
        ("member", "member", "A pair is two people"),
        ("member", "stranger", "Only members of the club"),
        ("stranger", "member", "Join the club first"),
        ("member", "north", "with somebody else"),
        ("north", "member", "You are on the ladder already"),
        ("banned", "member", "banned from this club"),
    ],
)
def test_who_cannot_be_partners(ladder, cast, by: str, to: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        ladders.ask_partner(ladder_id=ladder.pk, by=getattr(cast, by).pk, to=getattr(cast, to).pk)


def test_a_question_is_declined_or_taken_back(ladder, cast) -> None:
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)
    with pytest.raises(NotAllowed):
        ladders.drop_ask(ladder_id=ladder.pk, by=cast.north.pk, asked_by=cast.member.pk, to=cast.friend.pk)
    for _twice in range(2):
        ladders.drop_ask(ladder_id=ladder.pk, by=cast.friend.pk, asked_by=cast.member.pk, to=cast.friend.pk)
    with pytest.raises(UserError, match="taken back"):
        ladders.accept(ladder_id=ladder.pk, by=cast.friend.pk, asked_by=cast.member.pk)


def test_a_list_of_pairs_gives_back_what_it_cannot_use(ladder, cast, order) -> None:
    text = "1. Member & Zoë\nAlone\nnorth & Nobody\nA & B & C\n“שרה” & דוד"
    entered, refused = ladders.enter_pairs(ladder_id=ladder.pk, by=cast.director.pk, text=text)
    assert entered == 2 and order()[3:] == ["Member & Zoë", "שרה & דוד"]
    assert [line.line for line in refused] == [2, 3, 4]
    assert LadderPair.objects.get(partner_name="Zoë").player == cast.member


def test_who_leaves_leaves_no_gap_and_comes_back_as_the_same_pair(ladder, pairs, match, cast, order) -> None:
    for _twice in range(2):
        ladders.leave(ladder_id=ladder.pk, by=cast.south.pk, pair_id=pairs.upper.pk)
    assert order() == [TOP, LOWER]
    with pytest.raises(UserError, match="called off"):
        ladders.report(match_id=match, by=cast.east.pk, points=(10, 3))
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.north.pk, to=cast.south.pk)
    ladders.accept(ladder_id=ladder.pk, by=cast.south.pk, asked_by=cast.north.pk)
    assert order() == [TOP, LOWER, UPPER] and LadderPair.objects.count() == 3
    with pytest.raises(NotAllowed):
        ladders.leave(ladder_id=ladder.pk, by=cast.north.pk, pair_id=pairs.lower.pk)


def test_an_account_that_ends_takes_its_pair_off_and_its_name_away(ladder, match, cast, order) -> None:
    delete_account(player_id=cast.south.pk)
    assert order() == [TOP, LOWER]
    assert [str(pair) for pair in LadderPair.objects.filter(number=2)] == ["North & a former player"]


# --- matches


def test_a_challenge_is_taken_played_and_confirmed(ladder, match, cast, order) -> None:
    assert not ladders.report(match_id=match, by=cast.west.pk, points=(10, 7))
    assert order() == [TOP, UPPER, LOWER]
    with pytest.raises(UserError, match="The other side confirms"):
        ladders.confirm(match_id=match, by=cast.east.pk, points=(10, 7))
    with pytest.raises(UserError, match="changed meanwhile"):
        ladders.confirm(match_id=match, by=cast.north.pk, points=(10, 8))
    for _twice in range(2):
        ladders.confirm(match_id=match, by=cast.north.pk, points=(10, 7))
    assert order() == [TOP, LOWER, UPPER] and result_of(match).points == [10, 7]
    assert ladders.report(match_id=match, by=cast.west.pk, points=(10, 7))
    with pytest.raises(UserError, match="result already: East & West won 10–7"):
        ladders.report(match_id=match, by=cast.north.pk, points=(3, 10))


def test_the_same_score_from_both_sides_counts_and_different_ones_wait(match, cast, order) -> None:
    assert not ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    assert not ladders.report(match_id=match, by=cast.south.pk, points=(7, 10))
    assert order() == [TOP, UPPER, LOWER]
    assert ladders.report(match_id=match, by=cast.south.pk, points=(10, 7))
    assert order() == [TOP, LOWER, UPPER]


def test_a_directors_word_counts_at_once(match, cast, order) -> None:
    ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    assert ladders.report(match_id=match, by=cast.director.pk, points=(4, 11))
    assert order() == [TOP, UPPER, LOWER] and result_of(match).points == [11, 4]


@pytest.mark.parametrize("points", [(10, 10), (9, 8), (15, 2), (0, 0)])
def test_a_score_that_cannot_be_is_refused(match, cast, points: tuple[int, int]) -> None:
    with pytest.raises(UserError):
        ladders.report(match_id=match, by=cast.east.pk, points=points)


def test_who_does_not_come_loses(match, cast, order) -> None:
    with pytest.raises(NotAllowed):
        ladders.walk_over(match_id=match, by=cast.east.pk, winner=0)
    ladders.walk_over(match_id=match, by=cast.director.pk, winner=0)
    assert order() == [TOP, LOWER, UPPER]
    with pytest.raises(UserError, match="won without a game"):
        ladders.report(match_id=match, by=cast.north.pk, points=(3, 10))


def test_refused_the_place_is_lost(ladder, pairs, cast, order) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    with pytest.raises(UserError, match="not been taken yet"):
        ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    with pytest.raises(NotAllowed):
        ladders.answer(match_id=match, by=cast.east.pk)
    ladders.refuse(match_id=match, by=cast.north.pk)
    assert order() == [TOP, LOWER, UPPER]


def test_not_answered_the_place_is_lost(ladder, pairs, cast, clock: Clock, order) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    clock.pass_days(5.1)
    assert order() == [TOP, LOWER, UPPER]
    with pytest.raises(UserError, match="The time to answer ran out on"):
        ladders.answer(match_id=match, by=cast.director.pk)


def test_who_has_no_account_need_not_answer(ladder, pairs, cast, clock: Clock, order) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.top.pk)
    clock.pass_days(5.1)
    assert order() == [TOP, UPPER, LOWER]
    ladders.report(match_id=match, by=cast.director.pk, points=(10, 7))
    assert order() == [LOWER, TOP, UPPER]


def test_the_rules_of_challenges_hold(ladder, pairs, match, cast) -> None:
    with pytest.raises(UserError, match="in a match already"):
        ladders.challenge(ladder_id=ladder.pk, by=cast.north.pk, upper=pairs.top.pk)
    with pytest.raises(UserError, match="on no rung"):
        ladders.challenge(ladder_id=ladder.pk, by=cast.member.pk, upper=pairs.top.pk)
    with pytest.raises(NotAllowed):
        ladders.challenge(ladder_id=ladder.pk, by=cast.north.pk, lower=pairs.lower.pk, upper=pairs.top.pk)
    ladders.report(match_id=match, by=cast.director.pk, points=(3, 10))
    with pytest.raises(UserError, match="not above"):
        ladders.challenge(ladder_id=ladder.pk, by=cast.director.pk, lower=pairs.top.pk, upper=pairs.lower.pk)
    with pytest.raises(UserError, match="within 14 days"):
        ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)


def test_a_double_click_challenges_once(ladder, pairs, cast) -> None:
    made = {ladders.challenge(ladder_id=ladder.pk, by=who.pk, upper=pairs.upper.pk) for who in (cast.east, cast.west)}
    assert len(made) == 1 and LadderMatch.objects.count() == 1


def test_a_match_played_without_a_word_is_entered_at_once(ladder, pairs, cast, order) -> None:
    entered = {"ladder_id": ladder.pk, "lower": pairs.lower.pk, "upper": pairs.top.pk}
    with pytest.raises(NotAllowed):
        ladders.enter_match(by=cast.east.pk, points=(10, 2), **entered)
    ladders.enter_match(by=cast.director.pk, points=(10, 2), **entered)
    assert order() == [LOWER, TOP, UPPER]


# --- online


def finish(table: int, winner: int, points: tuple[int, int]) -> Game:
    """The game at a live table has ended."""
    game = Game.objects.create(
        table_id=table,
        ranked=False,
        pace=20,
        first_dealer=0,
        rules="article",
        status=Game.Status.FINISHED,
        score_0=points[0],
        score_1=points[1],
    )
    seats = LiveTable.objects.get(pk=table).seats.order_by("index")
    Participation.objects.bulk_create(
        Participation(game=game, seat=seat.index, player=seat.player, won=seat.index % 2 == winner) for seat in seats
    )
    LiveTable.objects.filter(pk=table).update(phase=LiveTable.Phase.OVER)
    return game


def test_the_result_of_the_online_table_comes_in_by_itself(ladder, match, cast, order) -> None:
    opened = ladders.open_table(match_id=match, by=cast.south.pk)
    assert ladders.open_table(match_id=match, by=cast.west.pk) == opened
    seats = list(LiveTable.objects.get(pk=opened).seats.order_by("index").values_list("player__name", flat=True))
    assert seats == ["East", "North", "West", "South"]
    floor.tidy()
    assert LiveTable.objects.get(pk=opened).phase == LiveTable.Phase.OPEN
    with pytest.raises(UserError, match="gives the result by itself"):
        ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    game = finish(opened, 0, (11, 6))
    for _twice in range(2):
        game_finished.send(Game, game_id=game.pk)
    assert order() == [TOP, LOWER, UPPER]
    assert (result_of(match).points, result_of(match).game_id) == ([11, 6], game.pk)


def test_four_play_their_match_at_the_online_table(match, cast, order, django_capture_on_commit_callbacks: Any) -> None:
    Ladder.objects.update(target=5)
    opened = ladders.open_table(match_id=match, by=cast.south.pk)
    with django_capture_on_commit_callbacks(execute=True):
        for player in (cast.north, cast.east, cast.south, cast.west):
            seating.sit(table_id=opened, player_id=player.pk)
        LiveTable.objects.filter(pk=opened).update(score_0=4, score_1=4)
        play_out_deal(opened)
    game = Game.objects.get()
    assert game.status == Game.Status.FINISHED and not game.ranked
    assert (result_of(match).game_id, sum(result_of(match).points)) == (game.pk, game.score_0 + game.score_1)
    lower_won = game.score_0 > game.score_1
    assert order() == ([TOP, LOWER, UPPER] if lower_won else [TOP, UPPER, LOWER])


def test_a_game_whose_end_was_not_told_is_found(match, cast, order) -> None:
    finish(ladders.open_table(match_id=match, by=cast.south.pk), 0, (10, 6))
    for _twice in range(2):
        ladders.take_games()
    assert order() == [TOP, LOWER, UPPER] and result_of(match).points == [10, 6]


def test_a_table_is_closed_again_and_the_score_typed(match, cast, order) -> None:
    opened = ladders.open_table(match_id=match, by=cast.south.pk)
    for _twice in range(2):
        ladders.close_table(match_id=match, by=cast.east.pk)
    assert LiveTable.objects.get(pk=opened).phase == LiveTable.Phase.CLOSED
    assert not ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))


@pytest.mark.parametrize("phase", ["play", "over"])
def test_nobody_ends_a_game_he_plays_nor_hides_its_result(ladder, match, pairs, cast, order, phase: str) -> None:
    """Not even a director: a rated game that is lost would be lost no more."""
    Membership.objects.filter(player=cast.east).update(role=Role.DIRECTOR)
    ladders.report(match_id=match, by=cast.north.pk, points=(7, 10))
    opened = ladders.open_table(match_id=match, by=cast.south.pk)
    if phase == "over":
        finish(opened, 1, (3, 10))
    else:
        for player in (cast.north, cast.east, cast.south, cast.west):
            seating.sit(table_id=opened, player_id=player.pk)
    made = Correction("strike", LadderEntry.objects.get(match=match, kind="challenge").pk)
    for act in (
        lambda: ladders.leave(ladder_id=ladder.pk, by=cast.north.pk, pair_id=pairs.upper.pk),
        lambda: ladders.leave(ladder_id=ladder.pk, by=cast.east.pk, pair_id=pairs.upper.pk),
        lambda: ladders.close_table(match_id=match, by=cast.south.pk),
        lambda: ladders.close_table(match_id=match, by=cast.east.pk),
        lambda: ladders.walk_over(match_id=match, by=cast.east.pk, winner=0),
        lambda: ladders.confirm(match_id=match, by=cast.east.pk, points=(7, 10)),
        lambda: ladders.close_ladder(ladder_id=ladder.pk, by=cast.east.pk),
        lambda: put_right(ladder, cast.east, made),
    ):
        with pytest.raises(UserError, match="comes in by itself"):
            act()
    if phase == "over":
        with pytest.raises(UserError, match="comes in by itself"):
            ladders.open_table(match_id=match, by=cast.south.pk)
        ladders.take_games()
        assert result_of(match).points == [10, 3] and order() == [TOP, UPPER, LOWER]
    else:
        ladders.leave(ladder_id=ladder.pk, by=cast.director.pk, pair_id=pairs.upper.pk)
        assert LiveTable.objects.get(pk=opened).phase == LiveTable.Phase.CLOSED


def test_a_match_that_was_struck_out_closes_its_table_and_takes_no_game(ladder, match, cast, order) -> None:
    opened = ladders.open_table(match_id=match, by=cast.south.pk)
    challenge = LadderEntry.objects.get(match=match, kind="challenge")
    assert put_right(ladder, cast.director, Correction("strike", challenge.pk)).ignored == 1
    assert LiveTable.objects.get(pk=opened).phase == LiveTable.Phase.CLOSED
    game_finished.send(Game, game_id=finish(opened, 0, (10, 6)).pk)
    assert order() == [TOP, UPPER, LOWER]


@pytest.mark.parametrize(("where", "told"), [("hall", "real cards"), ("online", "")])
def test_only_four_with_accounts_play_online(ladder, pairs, match, cast, where: str, told: str) -> None:
    Ladder.objects.update(where=where)
    with pytest.raises(NotAllowed):
        ladders.open_table(match_id=match, by=cast.member.pk)
    if told:
        with pytest.raises(UserError, match=told):
            ladders.open_table(match_id=match, by=cast.north.pk)
    else:
        assert ladders.open_table(match_id=match, by=cast.north.pk)


# --- what directors do


def test_new_rules_hold_from_now_on_and_say_what_they_move(ladder, match, cast, clock: Clock, order) -> None:
    clock.pass_days(1)
    ladders.report(match_id=match, by=cast.director.pk, points=(3, 10))
    clock.pass_days(6.5)
    terms = Settings("Winter ladder", idle_days=7)
    with pytest.raises(NotAgreed) as refused:
        ladders.edit_ladder(ladder_id=ladder.pk, by=cast.director.pk, terms=terms)
    assert [(str(one.pair), one.old, one.new) for one in refused.value.moved] == [(UPPER, 2, 1), (TOP, 1, 2)]
    assert order() == [TOP, UPPER, LOWER]
    ladders.edit_ladder(ladder_id=ladder.pk, by=cast.director.pk, terms=terms, agreed=True)
    assert order() == [UPPER, TOP, LOWER]
    before = version(ladder)
    ladders.edit_ladder(ladder_id=ladder.pk, by=cast.director.pk, terms=terms)
    assert version(ladder) == before
    ladders.edit_ladder(ladder_id=ladder.pk, by=cast.director.pk, terms=Settings("Summer ladder", idle_days=7))
    assert Ladder.objects.get().name == "Summer ladder"
    assert LogEntry.objects.filter(kind="reladder").count() == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reach": 0}, "reach"),
        ({"share": 101}, "share"),
        ({"answer_days": 0}, "answer_days"),
        ({"rest_days": 366}, "rest_days"),
        ({"idle_days": -1}, "idle_days"),
        ({"target": 7}, "target"),
        ({"where": "moon"}, "where"),
        ({"pace": 1}, "pace"),
        ({"rated": True, "where": "hall"}, "rated"),
        ({"rated": True, "target": 5}, "rated"),
    ],
)
def test_settings_that_cannot_be_are_refused(club, cast, change: dict[str, Any], field: str) -> None:
    with pytest.raises(ladders.BadSetting) as refused:
        ladders.create_ladder(club_id=club.pk, by=cast.owner.pk, terms=Settings(**{"name": "Cup"} | change))
    assert refused.value.field == field and not Ladder.objects.exists()


def test_a_closed_ladder_stands_still(ladder, pairs, match, cast, clock: Clock, order) -> None:
    ladders.close_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    clock.pass_days(100)
    assert order() == [TOP, UPPER, LOWER]
    with pytest.raises(UserError, match="This ladder has closed"):
        ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    assert list(LogEntry.objects.values_list("kind", flat=True)) == ["unladder", "ladder"]
    delete_account(player_id=cast.east.pk)
    assert order() == [TOP, UPPER, "a former player & West"]


def test_an_opened_ladder_goes_on_as_it_stood(ladder, pairs, match, cast, clock: Clock, order) -> None:
    """For the time between nobody goes down; who has left the club meanwhile goes off."""
    clock.pass_days(1)
    ladders.report(match_id=match, by=cast.director.pk, points=(10, 7))
    ladders.enter_pairs(ladder_id=ladder.pk, by=cast.director.pk, text="Member & Friend")
    late = ladders.challenge(ladder_id=ladder.pk, by=cast.member.pk, upper=pairs.upper.pk)
    ladders.close_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    clock.pass_days(100)
    with pytest.raises(NotAllowed):
        ladders.reopen_ladder(ladder_id=ladder.pk, by=cast.north.pk)
    ladders.reopen_ladder(ladder_id=ladder.pk, by=cast.owner.pk)
    with pytest.raises(UserError, match="is open"):
        ladders.reopen_ladder(ladder_id=ladder.pk, by=cast.owner.pk)
    stood = [TOP, LOWER, UPPER, "Member & Friend"]
    assert order() == stood
    with pytest.raises(UserError, match="called off"):
        ladders.answer(match_id=late, by=cast.north.pk)
    clock.pass_days(20)
    assert order() == stood
    clock.pass_days(2)
    assert order() == ["Member & Friend", TOP, LOWER, UPPER]
    ladders.close_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    delete_account(player_id=cast.east.pk)
    joining.leave_club(club_id=ladder.club_id, player_id=cast.north.pk)
    assert order() == ["Member & Friend", TOP, "a former player & West", UPPER]
    ladders.reopen_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    assert order() == ["Member & Friend", TOP]
    assert LogEntry.objects.filter(kind="openladder").count() == 2


def test_who_goes_out_of_the_club_goes_off_its_ladders(ladder, pairs, match, cast, order) -> None:
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)
    joining.leave_club(club_id=ladder.club_id, player_id=cast.friend.pk)
    assert not LadderAsk.objects.exists()
    waits = ladders.open_table(match_id=match, by=cast.north.pk)
    joining.leave_club(club_id=ladder.club_id, player_id=cast.east.pk)
    assert order() == [TOP, UPPER]
    assert LiveTable.objects.get(pk=waits).phase == LiveTable.Phase.CLOSED
    joining.ban_player(club_id=ladder.club_id, by=cast.director.pk, player_id=cast.south.pk, reason="Threw cards")
    assert order() == [TOP]


def test_nobody_leaves_the_club_in_the_middle_of_a_match(ladder, pairs, match, cast, order) -> None:
    """Nor does it close meanwhile; a director who does not play may take somebody out."""
    opened = ladders.open_table(match_id=match, by=cast.south.pk)
    for player in (cast.north, cast.east, cast.south, cast.west):
        seating.sit(table_id=opened, player_id=player.pk)
    for act in (
        lambda: joining.leave_club(club_id=ladder.club_id, player_id=cast.east.pk),
        lambda: clubs.close_club(club_id=ladder.club_id, by=cast.owner.pk),
    ):
        with pytest.raises(UserError, match="is being played just now"):
            act()
    assert Membership.objects.filter(player=cast.east).exists()
    joining.remove_member(club_id=ladder.club_id, by=cast.director.pk, player_id=cast.east.pk)
    assert (order(), LiveTable.objects.get(pk=opened).phase) == ([TOP, UPPER], LiveTable.Phase.CLOSED)


def test_a_closed_clubs_tables_wait_for_nobody(ladder, match, cast) -> None:
    waits = ladders.open_table(match_id=match, by=cast.north.pk)
    clubs.close_club(club_id=ladder.club_id, by=cast.owner.pk)
    assert LiveTable.objects.get(pk=waits).phase == LiveTable.Phase.CLOSED


def test_a_club_closes_with_its_ladders_and_nobody_goes_down_while_it_is(ladder, match, cast, clock, order) -> None:
    """Opened again they go on from where they stood, without those who have left the club."""
    clubs.close_club(club_id=ladder.club_id, by=cast.owner.pk)
    joining.leave_club(club_id=ladder.club_id, player_id=cast.east.pk)
    clock.pass_days(100)
    assert order() == [TOP, UPPER, LOWER]
    clubs.reopen_club(club_id=ladder.club_id, by=cast.owner.pk)
    with pytest.raises(UserError, match="This ladder has closed"):
        ladders.open_table(match_id=match, by=cast.north.pk)
    ladders.reopen_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    assert order() == [TOP, UPPER]


def test_years_without_a_game_are_counted_once(ladder, pairs, clock: Clock, order) -> None:
    """36,000 moves took a second a page: what time has done is kept, and only the lines shown are made."""
    clock.pass_days(3650)
    board = selectors.read_board(ladder)
    page = selectors.read_history(board, 2)
    assert (page.total, len(page.rows)) == (len(board.state.changes) + 4, selectors.HISTORY_A_PAGE)
    assert [line.at for line in page.rows] == sorted((line.at for line in page.rows), reverse=True)
    last = selectors.read_history(board, page.pages).rows
    assert [line.row.kind for line in last[-4:]] == ["join", "join", "join", "terms"]
    clock.pass_days(50)
    later = selectors.read_board(ladder).state
    assert later.changes[: len(board.state.changes)] == board.state.changes
    kept = board.book
    assert later == pure.replay(kept.log, kept.course, later.at)


def test_a_result_is_put_right_after_a_look_at_it(ladder, match, cast, order) -> None:
    ladders.report(match_id=match, by=cast.director.pk, points=(10, 7))
    change = Correction("points", result_of(match).pk, points=(7, 10))
    seen = put_right(ladder, cast.director, change)
    assert [(str(one.pair), one.old, one.new) for one in seen.moved] == [(UPPER, 3, 2), (LOWER, 2, 3)]
    assert order() == [TOP, UPPER, LOWER]
    kept = result_of(match).corrections.get()
    assert (kept.reason, kept.was, kept.after["points"]) == ("Told by both", [7, 10], [10, 7])
    with pytest.raises(UserError, match="moved on"):
        ladders.correct(ladder_id=ladder.pk, by=cast.director.pk, change=change, version=seen.version)
    with pytest.raises(NotAllowed):
        ladders.preview(ladder_id=ladder.pk, by=cast.north.pk, change=change)


def test_an_entry_struck_out_counts_again_when_put_back(ladder, match, cast, order) -> None:
    ladders.report(match_id=match, by=cast.director.pk, points=(10, 7))
    entry = result_of(match).pk
    put_right(ladder, cast.director, Correction("strike", entry))
    assert order() == [TOP, UPPER, LOWER]
    with pytest.raises(UserError, match="corrected meanwhile"):
        ladders.preview(ladder_id=ladder.pk, by=cast.director.pk, change=Correction("strike", entry))
    put_right(ladder, cast.director, Correction("restore", entry))
    assert order() == [TOP, LOWER, UPPER] and LadderEntry.objects.get(pk=entry).corrections.count() == 2


def test_a_challenge_answered_in_time_after_all(ladder, pairs, cast, clock: Clock, order) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    change = Correction("answered", match_id=match)
    with pytest.raises(UserError, match="not lost by time"):
        ladders.preview(ladder_id=ladder.pk, by=cast.director.pk, change=change)
    clock.pass_days(6)
    assert order() == [TOP, LOWER, UPPER]
    assert len(put_right(ladder, cast.director, change).moved) == 2
    assert order() == [TOP, UPPER, LOWER]
    ladders.report(match_id=match, by=cast.director.pk, points=(3, 10))


def test_a_result_that_was_typed_late_is_moved_to_its_day(ladder, match, cast, clock: Clock, order) -> None:
    """Nobody goes down for days on which he had played; a time that cannot be is refused."""
    joined = LadderEntry.objects.filter(kind="join").latest("at").at
    clock.pass_days(30)
    ladders.report(match_id=match, by=cast.director.pk, points=(3, 10))
    entry = result_of(match).pk
    board = read(ladder)
    assert board.state.active[2] > joined + timedelta(days=29)
    change = Correction("time", entry, at=joined + timedelta(days=2))
    put_right(ladder, cast.director, change)
    codes = [(one.entrant, one.why.code) for one in read(ladder).state.changes]
    assert (2, "no_game") in codes and order() == [str(read(ladder).pairs[n]) for n in read(ladder).state.order]
    assert LadderEntry.objects.get(pk=entry).corrections.get().was_at is not None
    for at in (joined - timedelta(days=1), joined + timedelta(days=99), None):
        with pytest.raises(UserError, match="between the first day"):
            ladders.preview(ladder_id=ladder.pk, by=cast.director.pk, change=replace(change, at=at))


def test_a_correction_that_puts_somebody_on_two_rungs_is_refused(ladder, pairs, cast) -> None:
    ladders.leave(ladder_id=ladder.pk, by=cast.north.pk, pair_id=pairs.upper.pk)
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.north.pk, to=cast.member.pk)
    ladders.accept(ladder_id=ladder.pk, by=cast.member.pk, asked_by=cast.north.pk)
    left = LadderEntry.objects.get(kind="leave")
    with pytest.raises(UserError, match="stand on the ladder twice"):
        ladders.preview(ladder_id=ladder.pk, by=cast.director.pk, change=Correction("strike", left.pk))


# --- a whole ladder


def test_a_whole_ladder_is_what_its_log_replays_to(club, cast, clock: Clock) -> None:
    """Half a year with late entries, leavers, answers that do not come, and corrections: at each step
    the ladder of the services is that of the pure format over a log kept beside it."""
    luck = random.Random(11)
    ladder_id = ladders.create_ladder(
        club_id=club.pk, by=cast.owner.pk, terms=Settings("Long", reach=2, answer_days=3, rest_days=4, idle_days=20)
    )
    ladder = Ladder.objects.get(pk=ladder_id)
    by = cast.director.pk
    names = "\n".join(f"Ann {letter} & Bob {letter}" for letter in "abcdefgh")
    ladders.enter_pairs(ladder_id=ladder_id, by=by, text=names)
    rules = pure.Rules(2, 0, timedelta(days=3), timedelta(days=4), timedelta(days=20))
    done = dict.fromkeys(("challenge", "answer", "refuse", "result", "leave", "join", "correction", "refused"), 0)
    for step in range(45):
        clock.pass_days(luck.choice((0.2, 1, 2, 4)))
        board = read(ladder)
        numbers, state = board.pairs, board.state
        try:
            kind = luck.choice(("challenge", "challenge", "challenge", "answer", "result", "refuse", "people", "right"))
            if kind == "challenge":
                lower = luck.choice(state.order[1:])
                open_to = pure.challenges_open_to(state, lower, rules)
                upper = luck.choice(open_to or state.order[:1])
                ladders.challenge(ladder_id=ladder_id, by=by, lower=numbers[lower].pk, upper=numbers[upper].pk)
            elif kind in ("answer", "refuse", "result") and state.challenges:
                one = luck.choice(state.challenges)
                match = selectors.read_matches(board)[one.pair].id
                if kind == "result":
                    ladders.report(match_id=match, by=by, points=luck.choice(((10, 4), (6, 11))))
                else:
                    getattr(ladders, kind)(match_id=match, by=by)
            elif kind == "people" and step % 2:
                kind = "join"
                ladders.enter_pairs(ladder_id=ladder_id, by=by, text=f"Cy {step} & Dot {step}")
            elif kind == "people":
                kind = "leave"
                ladders.leave(ladder_id=ladder_id, by=by, pair_id=numbers[luck.choice(state.order)].pk)
            elif kind == "right":
                kind = "correction"
                row = luck.choice(board.book.of_log[8:])
                put_right(ladder, cast.director, Correction("strike", row.pk))
            done[kind] = done.get(kind, 0) + 1
        except (UserError, IndexError):
            done["refused"] += 1
        rows = LadderEntry.objects.filter(ladder=ladder, struck=False, kind__in=LadderEntry.TOLD)
        log = [
            Entry(row.at, row.kind, row.pair.number, row.other.number if row.other else 0)  # type: ignore[arg-type]
            for row in rows.select_related("pair", "other").order_by("at")
        ]
        board = read(ladder)
        assert board.state.order == pure.replay(log, rules, board.state.at).order
        assert board.state.challenges == pure.replay(log, rules, board.state.at).challenges
    codes = {change.why.code for change in board.state.changes}
    assert min(done[kind] for kind in ("challenge", "answer", "result", "leave", "join", "correction")) > 0, done
    assert {"no_answer", "no_game", "won_place"} <= codes


def test_a_club_has_so_many_ladders(club, cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "LADDERS", 1)
    ladders.create_ladder(club_id=club.pk, by=cast.owner.pk, terms=Settings("One"))
    with pytest.raises(UserError, match="Close one first"):
        ladders.create_ladder(club_id=club.pk, by=cast.owner.pk, terms=Settings("Two"))
    assert Club.objects.get().ladders.count() == 1 and Membership.objects.exists()
