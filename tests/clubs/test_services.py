"""Clubs as the services keep them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine import PRESETS
from games.models import Player
from games.services.accounts import delete_account
from games.services.errors import UserError
from tournaments.models import Ban, Club, ClubRules, Invitation, JoinRequest, LogEntry, Membership, Notice, Role
from tournaments.selectors.clubs import read_listed, read_members, read_viewer
from tournaments.services import clubs, joining, noticeboard

pytestmark = pytest.mark.django_db


def found(founder: Player, name: str = "Lakeside", **more) -> Club:
    return Club.objects.get(slug=clubs.found_club(founder_id=founder.pk, name=name, **more))


def roles(club: Club) -> dict[str, Role]:
    return {name: Role(role) for name, role in club.memberships.values_list("player__name", "role")}


def kinds(club: Club) -> list[str]:
    return list(club.log.order_by("pk").values_list("kind", flat=True))


class TestFounding:
    def test_the_founder_owns_it(self, cast):
        club = found(cast.owner, "  Lakeside   Euchre Club ")
        assert (club.name, club.slug) == ("Lakeside Euchre Club", "lakeside-euchre-club")
        assert roles(club) == {"Ruth": Role.OWNER}
        assert kinds(club) == ["founded"]

    @pytest.mark.parametrize("other", ["LAKESIDE", "Lake-side", "Lakes1de", "Ｌａｋｅｓｉｄｅ"])
    def test_a_name_that_could_be_taken_for_another_is_refused(self, cast, other):
        found(cast.owner)
        with pytest.raises(UserError, match="or much like it"):
            found(cast.member, other)
        assert Club.objects.count() == 1

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("", "A name has 2 to 48 characters; this one has 0."),
            ("x" * 49, "A name has 2 to 48 characters; this one has 49."),
            ("Party @ 9", "“@” cannot stand in the name of a club"),
            ("Lake\u202eside", "invisible"),
            ("Lake\nside", "invisible"),
            ("Lake\0side", "invisible"),
            ("Staff", "kept for the site"),
            ("דוד Club", "one alphabet"),
            ("<b>Lakeside</b>", "“<” cannot stand"),
            ("12345", "at least one letter"),
        ],
    )
    def test_a_bad_name_is_refused_with_the_reason(self, cast, name, sentence):
        with pytest.raises(UserError, match=sentence):
            found(cast.owner, name)
        assert not Club.objects.exists()

    @pytest.mark.parametrize("name", ["W" * 48, "מועדון הקלפים", "Клуб друзей", "山田クラブ", "Žiga’s Club No. 2"])
    def test_any_one_alphabet_will_do(self, cast, name):
        club = found(cast.owner, name)
        assert club.name == name
        assert re.fullmatch(r"[a-z0-9-]{2,48}", club.slug)

    def test_names_with_nothing_between_a_and_z_get_addresses_of_their_own(self, cast):
        assert [found(cast.owner, name).slug for name in ("מועדון", "Клуб", "New", "Join")] == [
            "club-2", "club-3", "new-2", "join-2",
        ]  # fmt: skip

    def test_two_names_with_one_address_get_two(self, cast):
        assert [found(cast.owner, name).slug for name in ("Café", "Cafe")] == ["cafe", "cafe-2"]

    @pytest.mark.parametrize(
        ("slug", "sentence"),
        [
            ("x", "letters a to z"),
            ("-lake", "letters a to z"),
            ("lake--side", "letters a to z"),
            ("lake side", "letters a to z"),
            ("laké", "letters a to z"),
            ("lake/side", "letters a to z"),
            ("x" * 49, "to 48 characters; it has 49"),
            ("new", "“new” is taken"),
            ("JOIN", "“join” is taken"),
        ],
    )
    def test_a_bad_address_is_refused_with_the_reason(self, cast, slug, sentence):
        with pytest.raises(UserError, match=sentence):
            found(cast.owner, slug=slug)

    def test_an_address_belongs_to_one_club(self, cast):
        found(cast.owner, slug="Thursday")
        with pytest.raises(clubs.Taken) as refused:
            found(cast.owner, "Other", slug="thursday")
        assert refused.value.field == "slug"

    def test_there_is_a_limit(self, cast):
        for number in range(clubs.OWNED):
            found(cast.owner, f"Club {'abcdefghjk'[number]}")
        with pytest.raises(UserError, match="all one player may"):
            found(cast.owner, "One more")
        clubs.close_club(club_id=Club.objects.first().pk, by=cast.owner.pk)
        found(cast.owner, "One more")

    def test_texts_are_tidied_and_measured(self, cast):
        club = found(cast.owner, line=" Thursdays \t at\x07 eight ", about="One\r\n\r\n\r\n\r\nTwo  \r\nThree\n")
        assert (club.line, club.about) == ("Thursdays at eight", "One\n\nTwo\nThree")
        with pytest.raises(UserError, match="Keep it to 2000 characters; this has 2999"):
            found(cast.owner, "Other", about="\n".join("x" * 9 for _ in range(300)))

    @pytest.mark.parametrize("joining", ["open", "request"])
    def test_a_private_club_cannot_be_asked(self, cast, joining):
        with pytest.raises(UserError, match="by invitation"):
            found(cast.owner, joining=joining, public=False)
        with pytest.raises(UserError, match="how people join"):
            found(cast.owner, joining="somehow")


class TestRoles:
    def test_the_last_owner_stays(self, club, cast):
        for act in (
            lambda: joining.leave_club(club_id=club.pk, player_id=cast.owner.pk),
            lambda: clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.owner.pk, role=Role.MEMBER),
            lambda: clubs.set_role(club_id=club.pk, by=cast.staff.pk, player_id=cast.owner.pk, role=Role.MEMBER),
            lambda: joining.remove_member(club_id=club.pk, by=cast.staff.pk, player_id=cast.owner.pk),
            lambda: joining.ban_player(club_id=club.pk, by=cast.staff.pk, player_id=cast.owner.pk, reason="Rude"),
        ):
            with pytest.raises(UserError, match="Name another one first"):
                act()
        assert roles(club)["Ruth"] == Role.OWNER

    def test_an_owner_whose_account_is_closed_does_not_count(self, club, cast):
        clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.director.pk, role=Role.OWNER)
        Player.objects.filter(pk=cast.director.pk).update(is_active=False)
        with pytest.raises(UserError, match="Name another one first"):
            joining.leave_club(club_id=club.pk, player_id=cast.owner.pk)

    def test_with_another_owner_one_may_go(self, club, cast):
        clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk, role=Role.OWNER)
        joining.leave_club(club_id=club.pk, player_id=cast.owner.pk)
        assert roles(club) == {"Dmitri": Role.DIRECTOR, "Marta": Role.OWNER}

    def test_one_owner_does_not_put_down_another(self, club, cast):
        clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.director.pk, role=Role.OWNER)
        with pytest.raises(UserError, match="until they step down"):
            clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.director.pk, role=Role.MEMBER)
        with pytest.raises(UserError, match="nobody in the club removes an owner"):
            joining.remove_member(club_id=club.pk, by=cast.owner.pk, player_id=cast.director.pk)
        clubs.set_role(club_id=club.pk, by=cast.staff.pk, player_id=cast.director.pk, role=Role.MEMBER)
        entry = club.log.first()
        assert (entry.by, entry.as_staff, entry.words) == (cast.staff, True, "Member")

    def test_who_is_no_member_has_no_role(self, club, cast):
        with pytest.raises(UserError, match="no member"):
            clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.player.pk, role=Role.DIRECTOR)


class TestTheEndOfAnAccount:
    def test_the_longest_director_owns_the_club_then(self, club, cast):
        clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk, role=Role.DIRECTOR)
        delete_account(player_id=cast.owner.pk)
        assert roles(club) == {"Dmitri": Role.OWNER, "Marta": Role.DIRECTOR}
        assert kinds(club)[-2:] == ["gone", "inherited"]
        assert club.log.first().by == cast.director

    def test_without_directors_the_longest_member_does(self, cast):
        club = found(cast.owner)
        for who in (cast.banned, cast.member, cast.player):
            joining.join_club(club_id=club.pk, player_id=who.pk)
        Player.objects.filter(pk=cast.banned.pk).update(is_active=False)
        delete_account(player_id=cast.owner.pk)
        assert roles(club) == {"Bjorn": Role.MEMBER, "Marta": Role.OWNER, "Paula": Role.MEMBER}

    def test_with_nobody_left_it_closes(self, cast):
        club = found(cast.owner)
        delete_account(player_id=cast.owner.pk)
        club.refresh_from_db()
        assert club.closed_at is not None
        with pytest.raises(UserError, match="Nobody owns this club"):
            clubs.reopen_club(club_id=club.pk, by=cast.staff.pk)

    def test_another_owner_keeps_it(self, club, cast):
        clubs.set_role(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk, role=Role.OWNER)
        delete_account(player_id=cast.owner.pk)
        assert roles(club) == {"Dmitri": Role.DIRECTOR, "Marta": Role.OWNER}

    def test_what_somebody_did_stays_without_the_name(self, club, cast):
        noticeboard.post_notice(club_id=club.pk, by=cast.director.pk, title="Hello", text="")
        delete_account(player_id=cast.director.pk)
        assert Notice.objects.get().by is None
        assert not LogEntry.objects.filter(by=cast.director.pk).exists()


class TestJoining:
    def test_a_ban_outlasts_leaving_and_can_be_lifted(self, club, cast):
        Club.objects.update(joining="open")
        joining.ban_player(club_id=club.pk, by=cast.director.pk, player_id=cast.member.pk, reason="Rude")
        token = joining.invite(club_id=club.pk, by=cast.owner.pk, days=1)
        for act in (
            lambda: joining.join_club(club_id=club.pk, player_id=cast.member.pk),
            lambda: joining.join_by_invitation(token=token, player_id=cast.member.pk),
        ):
            with pytest.raises(UserError, match="The reason given: Rude"):
                act()
        joining.lift_ban(club_id=club.pk, by=cast.director.pk, player_id=cast.member.pk)
        assert joining.join_club(club_id=club.pk, player_id=cast.member.pk) == "joined"

    def test_a_ban_ends_a_request(self, club, cast):
        joining.ban_player(club_id=club.pk, by=cast.director.pk, player_id=cast.asking.pk, reason="Rude")
        assert not JoinRequest.objects.exists()
        with pytest.raises(UserError, match="That request is gone"):
            joining.accept_request(club_id=club.pk, by=cast.director.pk, player_id=cast.asking.pk)

    @pytest.mark.parametrize(("reason", "sentence"), [("", "Say why"), (" \u200b", "Say why"), ("x" * 301, "has 301")])
    def test_a_ban_needs_a_reason_that_can_be_read(self, club, cast, reason, sentence):
        with pytest.raises(UserError, match=sentence):
            joining.ban_player(club_id=club.pk, by=cast.director.pk, player_id=cast.member.pk, reason=reason)
        assert Ban.objects.count() == 1

    def test_nobody_bans_himself_or_a_bot(self, club, cast):
        bot = Player.objects.create_user("Clover", None, bot_level="fill_in")
        for who, sentence in ((cast.director, "cannot ban yourself"), (bot, "Bots join no clubs")):
            with pytest.raises(UserError, match=sentence):
                joining.ban_player(club_id=club.pk, by=cast.director.pk, player_id=who.pk, reason="Rude")

    def test_everything_can_be_sent_twice(self, club, cast):
        acts = (
            lambda: joining.accept_request(club_id=club.pk, by=cast.owner.pk, player_id=cast.asking.pk),
            lambda: joining.join_club(club_id=club.pk, player_id=cast.player.pk),
            lambda: joining.remove_member(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk),
            lambda: joining.lift_ban(club_id=club.pk, by=cast.owner.pk, player_id=cast.banned.pk),
            lambda: joining.leave_club(club_id=club.pk, player_id=cast.director.pk),
        )
        before = LogEntry.objects.count()
        for act in acts:
            act()
            act()
        assert LogEntry.objects.count() == before + len(acts)

    def test_requests_end_with_the_possibility_to_ask(self, club, cast):
        clubs.edit_club(
            club_id=club.pk, by=cast.owner.pk, name="Lakeside", line="", about="", joining="invitation", public=False
        )
        assert not JoinRequest.objects.exists()

    def test_of_a_link_only_the_hash_is_kept(self, club, cast):
        token = joining.invite(club_id=club.pk, by=cast.director.pk, days=7, label="Thursday crew")
        kept = Invitation.objects.get()
        assert token not in str(vars(kept))
        assert joining.join_by_invitation(token=token, player_id=cast.player.pk) == club.slug
        assert joining.join_by_invitation(token=token, player_id=cast.player.pk) == club.slug
        kept.refresh_from_db()
        assert kept.used == 1

    def test_an_old_a_revoked_and_a_wrong_link_let_nobody_in(self, club, cast):
        tokens = [joining.invite(club_id=club.pk, by=cast.director.pk, days=1) for _link in range(2)]
        old, revoked = Invitation.objects.order_by("pk")
        Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        joining.revoke_invitation(club_id=club.pk, by=cast.owner.pk, invitation_id=revoked.pk)
        for token in (*tokens, "", "x" * 500, "\0"):
            with pytest.raises(UserError, match="expired or was revoked"):
                joining.join_by_invitation(token=token, player_id=cast.player.pk)

    def test_links_are_few_and_of_three_kinds(self, club, cast):
        for _link in range(joining.LINKS):
            joining.invite(club_id=club.pk, by=cast.director.pk, days=30)
        with pytest.raises(UserError, match="Revoke one first"):
            joining.invite(club_id=club.pk, by=cast.director.pk, days=30)
        with pytest.raises(UserError, match="how long"):
            joining.invite(club_id=club.pk, by=cast.director.pk, days=3000)

    def test_who_has_no_account_any_more_is_told(self, club, cast):
        with pytest.raises(UserError, match="Your account is gone"):
            joining.join_club(club_id=club.pk, player_id=10**6)
        with pytest.raises(UserError, match="That player’s account is gone"):
            joining.ban_player(club_id=club.pk, by=cast.owner.pk, player_id=10**6, reason="Rude")


class TestTheNoticeboard:
    def test_a_change_is_told_and_pinning_is_none(self, club, cast):
        notice = noticeboard.post_notice(club_id=club.pk, by=cast.owner.pk, title=" Hello ", text="You")
        change = {"club_id": club.pk, "by": cast.director.pk, "notice_id": notice}
        noticeboard.rewrite_notice(**change, title="Hello", text="You", pinned=True)
        assert Notice.objects.get().changed_at is None
        noticeboard.rewrite_notice(**change, title="Hello", text="All", pinned=True)
        assert Notice.objects.get().changed_at is not None

    def test_a_notice_of_another_club_is_not_there(self, club, cast):
        other = found(cast.member, "Other")
        notice = noticeboard.post_notice(club_id=other.pk, by=cast.member.pk, title="Hello", text="")
        with pytest.raises(UserError, match="taken down"):
            noticeboard.rewrite_notice(
                club_id=club.pk, by=cast.owner.pk, notice_id=notice, title="Mine", text="", pinned=False
            )
        noticeboard.take_notice_down(club_id=club.pk, by=cast.owner.pk, notice_id=notice)
        assert Notice.objects.get().title == "Hello"

    def test_a_set_of_rules_is_found_by_its_name_or_its_number(self, club, cast):
        who = {"club_id": club.pk, "by": cast.director.pk}
        first = noticeboard.save_rules(**who, name="Thursday", rules=PRESETS["british"])
        assert noticeboard.save_rules(**who, name="THURSDAY", rules=PRESETS["railroad"]) == first
        second = noticeboard.save_rules(**who, name="Friday", rules=PRESETS["british"])
        with pytest.raises(UserError, match="of this name already"):
            noticeboard.save_rules(**who, name="thursday", rules=PRESETS["british"], set_id=second)
        noticeboard.delete_rules(**who, set_id=first)
        with pytest.raises(UserError, match="is gone"):
            noticeboard.save_rules(**who, name="Thursday", rules=PRESETS["british"], set_id=first)

    def test_there_is_a_limit_of_sets(self, club, cast):
        who = {"club_id": club.pk, "by": cast.director.pk, "rules": PRESETS["british"]}
        for number in range(noticeboard.SETS):
            noticeboard.save_rules(**who, name=f"Set {number}")
        with pytest.raises(UserError, match="Delete one first"):
            noticeboard.save_rules(**who, name="One more")
        assert ClubRules.objects.count() == noticeboard.SETS


class TestReading:
    def test_names_are_found_in_any_case_and_spelling(self, club, cast):
        assert [row.player.name for row in read_members(club, "MART", 1).rows] == ["Marta"]
        assert [row.club.name for row in read_listed("lake", 1).rows] == ["Lakeside"]
        for nothing in ("%", "_", "\0", "🎉", "-"):
            assert not read_members(club, nothing, 1).rows

    def test_the_list_leaves_out_private_and_closed_clubs(self, club, cast):
        found(cast.member, "Hidden", joining="invitation", public=False)
        clubs.close_club(club_id=found(cast.member, "Over").pk, by=cast.member.pk)
        assert [(row.club.name, row.members) for row in read_listed("", 1).rows] == [("Lakeside", 3)]

    def test_staff_are_staff_while_their_account_is_open(self, club, cast):
        assert read_viewer(club.pk, cast.staff).owns
        cast.staff.is_active = False
        assert not read_viewer(club.pk, cast.staff).owns


def test_a_members_note_goes_with_the_membership(club, cast):
    joining.set_note(club_id=club.pk, by=cast.director.pk, player_id=cast.member.pk, note="Has the key")
    joining.leave_club(club_id=club.pk, player_id=cast.member.pk)
    assert not Membership.objects.exclude(note="").exists()
