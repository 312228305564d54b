"""Two at once in a club, in threads with a connection each: one effect, the other is told, and
there is always an owner."""

from __future__ import annotations

import pytest

from games.models import Player
from games.services.accounts import delete_account
from games.services.errors import UserError
from tests.services.conftest import at_once
from tournaments.models import Ban, Club, JoinRequest, LogEntry, Membership, Role
from tournaments.services import clubs, joining

pytestmark = pytest.mark.django_db(transaction=True)


def make_owner(club: Club, cast, player: Player) -> None:
    clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=player.pk, role=Role.OWNER)


def owners(club: Club) -> set[str]:
    return set(Membership.objects.filter(club=club, role=Role.OWNER).values_list("player__name", flat=True))


def one_refused(outcomes: list[object]) -> None:
    """The others succeeded; the refusal is a sentence."""
    refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert len(refused) == 1, outcomes
    assert isinstance(refused[0], UserError), outcomes
    assert str(refused[0]).endswith("."), outcomes


def none_failed(outcomes: list[object]) -> None:
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes


def test_two_owners_who_step_down_at_once_leave_one(club, cast):
    make_owner(club, cast, cast.director)
    one_refused(
        at_once(
            *(
                lambda who=who: clubs.set_role(club_id=club.pk, by=who.pk, player_id=who.pk, role=Role.MEMBER)
                for who in (cast.owner, cast.director)
            )
        )
    )
    assert len(owners(club)) == 1


def test_two_owners_who_leave_at_once_leave_one(club, cast):
    make_owner(club, cast, cast.director)
    one_refused(
        at_once(
            *(
                lambda who=who: joining.leave_club(club_id=club.pk, player_id=who.pk)
                for who in (cast.owner, cast.director)
            )
        )
    )
    assert len(owners(club)) == 1


def test_owner_and_heir_who_delete_their_accounts_at_once_leave_the_club_to_the_next(club, cast):
    none_failed(at_once(*(lambda who=who: delete_account(player_id=who.pk) for who in (cast.owner, cast.director))))
    assert owners(club) == {"Marta"}


def test_when_all_members_delete_their_accounts_at_once_the_club_closes(club, cast):
    people = (cast.owner, cast.director, cast.member)
    none_failed(at_once(*(lambda who=who: delete_account(player_id=who.pk) for who in people)))
    assert not Membership.objects.exists()
    assert Club.objects.get().closed_at is not None


def test_somebody_who_is_banned_while_he_joins_is_out(club, cast):
    Club.objects.update(joining="open")
    for _round in range(5):
        outcomes = at_once(
            lambda: joining.join_club(club_id=club.pk, player_id=cast.player.pk),
            lambda: joining.ban_player(club_id=club.pk, by=cast.owner.pk, player_id=cast.player.pk, reason="Rude"),
        )
        assert outcomes[1] is None
        assert outcomes[0] == "joined" or isinstance(outcomes[0], UserError)
        assert Ban.objects.filter(player=cast.player).exists()
        assert not Membership.objects.filter(player=cast.player).exists()
        joining.lift_ban(club_id=club.pk, by=cast.owner.pk, player_id=cast.player.pk)


def test_somebody_who_is_banned_while_he_is_let_in_is_out(club, cast):
    outcomes = at_once(
        lambda: joining.accept_request(club_id=club.pk, by=cast.director.pk, player_id=cast.asking.pk),
        lambda: joining.ban_player(club_id=club.pk, by=cast.owner.pk, player_id=cast.asking.pk, reason="Rude"),
    )
    assert outcomes[1] is None
    assert not Membership.objects.filter(player=cast.asking).exists()
    assert not JoinRequest.objects.exists()


def test_a_double_click_does_everything_once(club, cast):
    Club.objects.update(joining="open")
    token = joining.invite(club_id=club.pk, by=cast.owner.pk, days=1)
    for act in (
        lambda: joining.join_club(club_id=club.pk, player_id=cast.player.pk),
        lambda: joining.join_by_invitation(token=token, player_id=cast.staff.pk),
        lambda: joining.accept_request(club_id=club.pk, by=cast.owner.pk, player_id=cast.asking.pk),
        lambda: joining.remove_member(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk),
        lambda: clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.director.pk, role=Role.OWNER),
        lambda: joining.lift_ban(club_id=club.pk, by=cast.owner.pk, player_id=cast.banned.pk),
        lambda: joining.leave_club(club_id=club.pk, player_id=cast.director.pk),
    ):
        before = LogEntry.objects.count()
        none_failed(at_once(act, act))
        assert LogEntry.objects.count() == before + 1
    assert set(Membership.objects.values_list("player__name", flat=True)) == {"Ruth", "Paula", "Umpire", "Astrid"}


def test_of_two_clubs_of_one_name_founded_at_once_there_is_one(cast):
    one_refused(
        at_once(
            lambda: clubs.found_club(founder_id=cast.owner.pk, name="Lakeside"),
            lambda: clubs.found_club(founder_id=cast.member.pk, name="LAKESIDE"),
        )
    )
    assert Club.objects.count() == Membership.objects.count() == 1


def test_two_names_with_one_address_founded_at_once_do_not_fail_unsaid(cast):
    outcomes = at_once(
        lambda: clubs.found_club(founder_id=cast.owner.pk, name="Café"),
        lambda: clubs.found_club(founder_id=cast.member.pk, name="Cafe"),
    )
    assert all(isinstance(outcome, str | UserError) for outcome in outcomes), outcomes
    assert Club.objects.filter(slug="cafe").exists()


def test_two_directors_who_ban_each_others_people_wait_for_nobody_who_waits(club, cast):
    """People are locked in the order of their ids, whoever acts on whom."""
    make_owner(club, cast, cast.director)
    outcomes = at_once(
        lambda: clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk, role=Role.DIRECTOR),
        lambda: joining.set_note(club_id=club.pk, by=cast.member.pk, player_id=cast.owner.pk, note="Kind"),
        lambda: joining.set_note(club_id=club.pk, by=cast.director.pk, player_id=cast.owner.pk, note="Fair"),
        lambda: delete_account(player_id=cast.banned.pk),
    )
    assert all(outcome is None or isinstance(outcome, UserError) for outcome in outcomes), outcomes


def test_an_account_that_ends_while_its_owner_acts_leaves_nothing_half_done(club, cast):
    for act, gone in (
        (
            lambda: joining.ban_player(club_id=club.pk, by=cast.director.pk, player_id=cast.player.pk, reason="Rude"),
            cast.director,
        ),
        (lambda: joining.accept_request(club_id=club.pk, by=cast.owner.pk, player_id=cast.asking.pk), cast.asking),
    ):
        outcomes = at_once(act, lambda gone=gone: delete_account(player_id=gone.pk))
        assert outcomes[1] is None
        assert outcomes[0] is None or isinstance(outcomes[0], UserError), outcomes
    assert owners(club) == {"Ruth"}
