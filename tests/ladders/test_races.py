"""Two at once on a ladder, in threads with a connection each: one effect, the other is told."""

from __future__ import annotations

import pytest

from games.models import Table as LiveTable
from games.services.errors import UserError
from tests.services.conftest import at_once
from tournaments.models import Ladder, LadderEntry, LadderMatch, LadderPair
from tournaments.selectors import ladders as selectors
from tournaments.services import clubs, joining, ladders
from tournaments.services.ladders import pairs as entering

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(outcomes: list[object]) -> list[str]:
    failed = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert all(isinstance(one, UserError) for one in failed), outcomes
    return [str(one) for one in failed]


def count(kind: str) -> int:
    return LadderEntry.objects.filter(kind=kind).count()


def test_two_pairs_challenge_one_at_once(ladder, pairs, cast) -> None:
    (told,) = refusals(
        at_once(
            lambda: ladders.challenge(ladder_id=ladder.pk, by=cast.north.pk, upper=pairs.top.pk),
            lambda: ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.top.pk),
        )
    )
    assert "in a match already" in told
    assert count("challenge") == LadderMatch.objects.count() == 1


def test_a_double_click_on_everything_does_it_once(ladder, pairs, cast) -> None:
    made = at_once(*[lambda: ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)] * 2)
    assert made[0] == made[1] and count("challenge") == 1
    match = LadderMatch.objects.get().pk
    assert at_once(*[lambda: ladders.answer(match_id=match, by=cast.north.pk)] * 2) == [None, None]
    tables = at_once(
        lambda: ladders.open_table(match_id=match, by=cast.north.pk),
        lambda: ladders.open_table(match_id=match, by=cast.east.pk),
    )
    assert tables[0] == tables[1]
    ladders.close_table(match_id=match, by=cast.north.pk)
    assert at_once(*[lambda: ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))] * 2) == [False, False]
    assert at_once(*[lambda: ladders.confirm(match_id=match, by=cast.south.pk, points=(10, 7))] * 2) == [None, None]
    assert count("answer") == count("result") == 1


def test_both_sides_type_the_same_score_at_once(match, cast) -> None:
    said = at_once(
        lambda: ladders.report(match_id=match, by=cast.east.pk, points=(10, 7)),
        lambda: ladders.report(match_id=match, by=cast.north.pk, points=(10, 7)),
    )
    assert sorted(said) == [False, True] and count("result") == 1  # type: ignore[type-var]


def test_a_director_and_a_side_end_a_match_differently_at_once(match, cast) -> None:
    ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    told = refusals(
        at_once(
            lambda: ladders.confirm(match_id=match, by=cast.north.pk, points=(10, 7)),
            lambda: ladders.report(match_id=match, by=cast.director.pk, points=(2, 10)),
        )
    )
    assert len(told) == 1 and "has a result already" in told[0] and count("result") == 1


def test_somebody_who_agrees_to_two_partners_at_once_stands_on_one_rung(ladder, cast) -> None:
    for who in (cast.member, cast.owner):
        ladders.ask_partner(ladder_id=ladder.pk, by=who.pk, to=cast.friend.pk)
    told = refusals(
        at_once(
            lambda: ladders.accept(ladder_id=ladder.pk, by=cast.friend.pk, asked_by=cast.member.pk),
            lambda: ladders.accept(ladder_id=ladder.pk, by=cast.friend.pk, asked_by=cast.owner.pk),
        )
    )
    assert len(told) == 1 and LadderPair.objects.filter(partner=cast.friend).count() == 1


def test_no_table_is_opened_in_a_club_that_closes_at_once(ladder, match, cast) -> None:
    refused = refusals(
        at_once(
            lambda: clubs.close_club(club_id=ladder.club_id, by=cast.owner.pk),
            lambda: ladders.open_table(match_id=match, by=cast.north.pk),
        )
    )
    assert all("club has closed" in told for told in refused)
    assert not LiveTable.objects.exclude(phase=LiveTable.Phase.CLOSED).exists()


def test_who_leaves_the_club_while_he_is_entered_is_a_name_alone(ladder, cast, monkeypatch) -> None:
    open_desk = entering.open_desk

    def meanwhile(*args, **more):
        monkeypatch.setattr(entering, "open_desk", open_desk)
        joining.leave_club(club_id=ladder.club_id, player_id=cast.friend.pk)
        return open_desk(*args, **more)

    monkeypatch.setattr(entering, "open_desk", meanwhile)
    ladders.enter_pairs(ladder_id=ladder.pk, by=cast.director.pk, text="Member & Friend")
    assert LadderPair.objects.get(player=cast.member).player_ids == (cast.member.pk,)


def test_two_directors_correct_at_once(ladder, match, cast) -> None:
    ladders.report(match_id=match, by=cast.director.pk, points=(10, 7))
    change = ladders.Correction("strike", LadderEntry.objects.get(kind="result").pk)
    version = Ladder.objects.get().version
    told = refusals(
        at_once(
            *(
                lambda who=who: ladders.correct(ladder_id=ladder.pk, by=who.pk, change=change, version=version)
                for who in (cast.owner, cast.director)
            )
        )
    )
    assert len(told) == 1 and "moved on" in told[0]


def test_a_pair_that_joins_while_the_ladder_is_read_breaks_no_page(ladder, cast, monkeypatch) -> None:
    remembered = selectors._remembered

    def meanwhile(key: selectors._Key) -> selectors.Book:
        monkeypatch.setattr(selectors, "_remembered", remembered)
        ladders.enter_pairs(ladder_id=ladder.pk, by=cast.director.pk, text="Late & Later")
        return remembered(key)

    monkeypatch.setattr(selectors, "_remembered", meanwhile)
    board = selectors.read_board(Ladder.objects.select_related("club").get())
    assert {number in board.pairs for number in board.state.order} == {True}
