"""Clubs as their pages show them."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games.engine import OPTIONS, PRESETS, format_rules
from games.models import Player, RuleSet, Table
from games.names import name_key
from games.services.results import ensure_ratings
from tests.clubs.conftest import PEOPLE
from tournaments.models import Club, ClubRules, Invitation, Membership, Notice, Role
from tournaments.services import clubs, joining, noticeboard

pytestmark = pytest.mark.django_db

EVERYBODY = ("visitor", *PEOPLE)
RULES = {name: str(values[0]) for name, values in OPTIONS.items()}
SETTINGS = {"name": "Boathouse", "slug": "", "line": "", "about": "", "joining": "open", "public": "on"}


def at(club: Club, name: str, *args: object) -> str:
    return reverse(name, args=[club.slug, *args])


def crowd(club: Club, count: int, word: str = "Guest") -> None:
    """More of everything that the pages of a club list."""
    names = [f"{word} {number:03}" for number in range(count)]
    people = [Player(name=name, name_key=name_key(name)) for name in names]
    Player.objects.bulk_create(people)
    ensure_ratings(people)
    Membership.objects.bulk_create(Membership(club=club, player=person) for person in people)
    owner = club.memberships.get(role=Role.OWNER).player_id
    for name in names[:3]:
        noticeboard.post_notice(club_id=club.pk, by=owner, title="More", text="More")
        noticeboard.save_rules(club_id=club.pk, by=owner, name=f"By {name}", rules=PRESETS["british"])


class TestWhatIsNotShown:
    @pytest.fixture
    def pages(self, club, cast):
        """Every page of the club, full of secrets."""
        joining.set_note(club_id=club.pk, by=cast.owner.pk, player_id=cast.member.pk, note="SECRET-NOTE")
        joining.invite(club_id=club.pk, by=cast.owner.pk, days=7, label="SECRET-LABEL")
        notice = noticeboard.post_notice(club_id=club.pk, by=cast.owner.pk, title="Hello", text="All")
        rules = noticeboard.save_rules(club_id=club.pk, by=cast.owner.pk, name="Thursday", rules=PRESETS["british"])
        names = ("club", "club_members", "club_rules", "club_door", "club_log", "club_settings", "club_new_notice")
        people = [at(club, "club_member", getattr(cast, who).pk) for who in PEOPLE]
        return [
            reverse("clubs"), *(at(club, name) for name in names), *people, at(club, "club_notice", notice),
            at(club, "club_edit_rules", rules), "/tables/new/",
        ]  # fmt: skip

    @pytest.mark.parametrize("who", EVERYBODY)
    def test_no_page_shows_an_address_and_only_directors_see_what_is_theirs(self, pages, as_, who):
        browser = as_(who)
        text = "".join(browser.get(page).content.decode() for page in pages)
        assert "@mail.example" not in text
        for secret in ("SECRET-NOTE", "SECRET-LABEL", "Please"):
            assert (secret in text) == (who in ("owner", "director", "staff")), secret
        assert ("Threw the cards" in text) == (who in ("owner", "director", "staff", "banned"))
        assert Invitation.objects.get().token_hash not in text

    def test_a_link_is_shown_once_to_who_made_it(self, club, as_):
        browser = as_("director")
        assert browser.post(at(club, "club_invite"), {"days": "7", "label": ""}).status_code == 302
        page = browser.get(at(club, "club_door")).content.decode()
        path = re.search(r"http://testserver(/clubs/join/[\w-]+/)", page).group(1)
        assert path not in browser.get(at(club, "club_door")).content.decode()
        assertContains(as_("visitor").get(path), "You are invited to <bdi>Lakeside</bdi>")
        assertRedirects(as_("player").post(path), club.get_absolute_url())

    def test_markup_is_text(self, club, cast, as_):
        evil = "<script>alert(1)</script>"
        clubs.edit_club(
            club_id=club.pk, by=cast.owner.pk, name="Lakeside", line=evil, about=evil, joining="open", public=True
        )
        noticeboard.post_notice(club_id=club.pk, by=cast.owner.pk, title=evil, text=evil)
        for address in (club.get_absolute_url(), reverse("clubs"), at(club, "club_log")):
            assertNotContains(as_("owner").get(address), "<script>alert")


class TestTheNumberOfQueries:
    def counts(self, club: Club, cast, browser) -> dict[str, int]:
        """By page; of those that are not open to the browser, that of the refusal."""
        names = ("club", "club_members", "club_rules", "club_door", "club_log", "club_settings")
        addresses = [reverse("clubs"), reverse("open_table"), at(club, "club_member", cast.member.pk)]
        counts = {}
        for address in (*addresses, *(at(club, name) for name in names)):
            with CaptureQueriesContext(connection) as queries:
                browser.get(address)
            counts[address] = len(queries)
        return counts

    @pytest.mark.parametrize("who", ["owner", "member", "visitor"])
    def test_it_is_the_same_with_500_members(self, club, cast, as_, who):
        crowd(club, 1, "First")
        joining.invite(club_id=club.pk, by=cast.owner.pk, days=7)
        browser = as_(who)
        few = self.counts(club, cast, browser)
        crowd(club, 500)
        for number in range(3):
            joining.invite(club_id=club.pk, by=cast.owner.pk, days=7)
            clubs.found_club(founder_id=cast.owner.pk, name=f"Other {'abc'[number]}")
        for person in Player.objects.filter(name__startswith="Guest")[:4]:
            joining.ban_player(club_id=club.pk, by=cast.owner.pk, player_id=person.pk, reason="Rude")
        assert self.counts(club, cast, browser) == few
        assert max(few.values()) <= 12

    def test_500_members_come_in_pages_and_can_be_found(self, club, cast, as_):
        crowd(club, 500)
        browser = as_("visitor")
        first, last = (browser.get(at(club, "club_members"), {"page": page}) for page in ("1", "9"))
        assertContains(first, "Page 1 of 9")
        assertContains(last, "Guest 499")
        assertContains(browser.get(at(club, "club_members"), {"page": "junk"}), "Page 1 of 9")
        found = browser.get(at(club, "club_members"), {"q": "guest 37"}).content.decode()
        assert found.count('class="who"') == 10
        assertContains(browser.get(at(club, "club_members"), {"q": "\0%"}), "No member is called that")


class TestForms:
    @pytest.mark.parametrize(
        ("field", "value", "sentence"),
        [
            ("name", "", "A name has 2 to 48 characters"),
            ("name", "x" * 49, "this one has 49"),
            ("name", "Party @ 9", "“@” cannot stand in the name of a club"),
            ("name", "\u202eLakeside", "an invisible character"),
            ("name", "lakes1de", "or much like it"),
            ("slug", "no way", "letters a to z"),
            ("slug", "lakeside", "is taken"),
            ("line", "x" * 121, "this has 121"),
            ("about", "line\r\n" * 500, "this has 2499"),
            ("joining", "", "Choose how people join"),
            ("joining", "magic", "Choose how people join"),
            ("public", "", "Only members see a private club"),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_typed_is_lost(self, club, as_, field, value, sentence):
        sent = SETTINGS | {"line": "What we typed"} | {field: value}
        answer = as_("player").post(reverse("found_club"), sent)
        assertContains(answer, sentence, status_code=422)
        if field != "line":
            assertContains(answer, "What we typed", status_code=422)
        assert Club.objects.count() == 1

    @pytest.mark.parametrize("joining", Club.Joining.values)
    @pytest.mark.parametrize("public", ["on", ""])
    def test_every_combination_of_settings_is_kept_or_refused_with_the_reason(self, club, as_, joining, public):
        answer = as_("owner").post(at(club, "club_settings"), SETTINGS | {"joining": joining, "public": public})
        club.refresh_from_db()
        if joining == "invitation" or public:
            assert answer.status_code == 302
            assert (club.joining, club.public) == (joining, bool(public))
        else:
            assertContains(answer, "Only members see a private club", status_code=422)
            assert club.name == "Lakeside"

    @pytest.mark.parametrize(
        ("name", "sent", "sentence"),
        [
            ("club_new_notice", {"title": "", "text": "Typed"}, "a title that can be seen"),
            ("club_new_notice", {"title": "\u200b", "text": "Typed"}, "a title that can be seen"),
            ("club_new_notice", {"title": "x" * 81, "text": "Typed"}, "this has 81"),
            ("club_new_notice", {"title": "Typed", "text": "x\n" * 1500}, "this has 2999"),
            ("club_new_rules", RULES | {"name": ""}, "a name that can be seen"),
            ("club_new_rules", RULES | {"name": "x" * 41}, "it has 41"),
            ("club_new_rules", RULES | {"name": "Two", "players": "2", "pack": "99"}, "Choose one of these"),
            ("club_new_rules", {"name": "Nothing"}, "Choose one of these"),
            ("club_invite", {"days": "8", "label": "Typed"}, "Choose how long"),
            ("club_invite", {"days": "7", "label": "x" * 61}, "this has 61"),
            ("club_ban", {"name": "", "reason": "Typed"}, "Whose name?"),
            ("club_ban", {"name": "No such soul", "reason": "Typed"}, "Nobody here is called that"),
            ("club_ban", {"name": "Marta", "reason": ""}, "Say why"),
        ],
    )
    def test_a_refusal_is_a_page_with_a_sentence(self, club, as_, name, sent, sentence):
        answer = as_("owner").post(at(club, name), sent)
        assertContains(answer, sentence, status_code=422)
        if "Typed" in sent.values():
            assertContains(answer, "Typed", status_code=422)
        assert not Notice.objects.exists()
        assert not ClubRules.objects.exists()

    @pytest.mark.parametrize(
        "text", ["Party 🎉🎉", "שלום \u202e לכולם", "a\0b", "tab\tand\x1bescape", "W" * 24, "e\u0301"]
    )
    def test_whatever_is_written_on_the_noticeboard_is_shown(self, club, as_, text):
        browser = as_("director")
        assert browser.post(at(club, "club_new_notice"), {"title": text, "text": f"{text}\r\n" * 30}).status_code == 302
        assert browser.get(club.get_absolute_url()).status_code == 200
        assert "\0" not in Notice.objects.get().text

    def test_a_member_page_of_a_stranger_is_not_there(self, club, cast, as_):
        assert as_("owner").get(at(club, "club_member", cast.player.pk)).status_code == 404
        assert as_("owner").get(at(club, "club_member", 10**17)).status_code == 404
        answer = as_("owner").post(at(club, "club_member_remove", 10**17), follow=True)
        assertContains(answer, "That player’s account is gone")

    @pytest.mark.parametrize("role", ["", "king", "1"])
    def test_there_are_three_roles(self, club, cast, as_, role):
        answer = as_("owner").post(at(club, "club_member_role", cast.member.pk), {"role": role}, follow=True)
        assertContains(answer, "Choose a role")

    def test_while_an_event_runs_the_settings_say_why_the_club_cannot_be_closed(self, club, as_):
        settings = at(club, "club_settings")
        assertContains(as_("owner").get(settings), at(club, "club_close"))
        club.events.create(title="Thursday", format="swiss", state="running")
        assertContains(as_("owner").get(settings), "“Thursday” is being played. Finish it, or call it off.")
        assertNotContains(as_("owner").get(settings), at(club, "club_close"))

    def test_founding_and_joining_are_counted(self, club, as_, settings):
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
            "club_founding": "1/d/user",
            "club_joining": "1/m/user",
        }
        browser = as_("player")
        assert [browser.post(reverse("found_club"), SETTINGS).status_code for _try in range(2)] == [302, 429]
        assert [browser.post(at(club, "club_join")).status_code for _try in range(2)] == [302, 429]
        cache.clear()

    def test_a_club_that_is_not_there(self, as_):
        for path in ("/clubs/nothing/", "/clubs/nothing/members/", "/clubs/Nothing/", "/clubs/a%00b/"):
            assert as_("owner").get(path).status_code == 404
        answer = as_("player").get("/clubs/join/nothing/")
        assertContains(answer, "This invitation does not hold", status_code=410)


class TestATableByTheClubsRules:
    @pytest.fixture
    def kept(self, club, cast) -> int:
        return noticeboard.save_rules(club_id=club.pk, by=cast.owner.pk, name="Thursday", rules=PRESETS["railroad"])

    def test_members_find_them_and_start_from_them(self, club, kept, as_):
        browser = as_("member")
        address = f"/tables/new/?club=lakeside&amp;set={kept}"
        assertContains(browser.get("/tables/new/"), f'href="{address}"><b><bdi>Thursday</bdi>')
        page = browser.get(address.replace("&amp;", "&"))
        assertContains(page, f'href="{address}" aria-current="true"')
        assert page.context["rules"] == PRESETS["railroad"]
        assert page.content.decode().count('aria-current="true"') == 1
        assertContains(browser.get(club.get_absolute_url()), address)
        sent = {name: str(getattr(PRESETS["railroad"], name)) for name in OPTIONS}
        browser.post("/tables/new/", {"kind": "friendly", "pace": "20", "title": "", "save_as": ""} | sent)
        assert Table.objects.get().rules == format_rules(PRESETS["railroad"])

    @pytest.mark.parametrize("who", ["player", "asking", "banned", "staff"])
    def test_others_do_not(self, club, kept, as_, who):
        assertNotContains(as_(who).get("/tables/new/"), "Thursday")
        assert as_(who).get(f"/tables/new/?club=lakeside&set={kept}").status_code == 404

    def test_a_set_of_ones_own_with_that_number_is_something_else(self, club, kept, cast, as_):
        RuleSet.objects.create(pk=kept, owner=cast.member, name="Mine", name_key="mine", rules="british")
        page = as_("member").get(f"/tables/new/?set={kept}")
        assert page.context["rules"] == PRESETS["british"]
        assert page.content.decode().count('aria-current="true"') == 1
        for query in ("club=lakeside", "club=lakeside&set=x", "club=other&set=1", "club=&set="):
            assert as_("member").get(f"/tables/new/?{query}").status_code == 404

    def test_a_closed_club_offers_none(self, club, kept, cast, as_):
        clubs.close_club(club_id=club.pk, by=cast.owner.pk)
        assertNotContains(as_("member").get("/tables/new/"), "Thursday")


class TestTheWayIn:
    def test_the_navigation_and_the_list_lead_to_a_club(self, club, as_):
        assertContains(as_("visitor").get("/"), 'href="/clubs/"')
        page = as_("member").get("/clubs/")
        assertContains(page, "Your clubs")
        assertContains(page, 'href="/clubs/lakeside/"', count=2)
        assertContains(as_("asking").get("/clubs/"), "You have asked")
        assertContains(as_("visitor").get("/clubs/", {"q": "nothing"}), "No club is called that")

    def test_without_clubs_the_list_says_what_to_do(self, cast, as_):
        assertContains(as_("visitor").get("/clubs/"), "Found the first one")

    def test_from_an_empty_account_to_a_member_let_in(self, cast, as_):
        owner, player = as_("owner"), as_("player")
        assertRedirects(owner.post(reverse("found_club"), SETTINGS | {"joining": "request"}), "/clubs/boathouse/")
        assertContains(player.get("/clubs/boathouse/"), "Ask to join")
        answer = player.post("/clubs/boathouse/join/", {"message": "Let me in"}, follow=True)
        assertContains(answer, "You have asked. A director will answer.")
        assertContains(owner.get("/clubs/boathouse/door/"), "Let me in")
        owner.post(f"/clubs/boathouse/door/requests/{cast.player.pk}/", {"answer": "accept"})
        assertContains(player.get("/clubs/boathouse/"), "You are a member.")
        assertContains(player.post("/clubs/boathouse/leave/", follow=True), "You have left Boathouse.")

    @pytest.mark.parametrize("who", EVERYBODY)
    def test_every_page_has_one_heading_and_nothing_inline(self, club, cast, as_, who):
        for name in ("club", "club_members", "club_rules", "club_door", "club_log", "club_settings", "club_new_rules"):
            answer = as_(who).get(at(club, name))
            if answer.status_code == 200:
                page = answer.content.decode()
                assert page.count("<h1") == 1
                assert "<script>" not in page
                assert " style=" not in page
                assert answer["Cache-Control"].startswith("max-age=0")


def test_staff_look_at_clubs_at_their_desk_and_change_nothing_there(client, club, cast):
    client.force_login(Player.objects.create_superuser("Chief", "a good long password"))
    for model, pk in (
        ("club", club.pk),
        ("membership", club.memberships.first().pk),
        ("ban", club.bans.get().pk),
        ("logentry", club.log.first().pk),
    ):
        assert client.get(reverse(f"admin:tournaments_{model}_changelist"), {"q": "lakeside"}).status_code == 200
        page = client.get(reverse(f"admin:tournaments_{model}_change", args=[pk]))
        assertNotContains(page, 'name="_save"')
        assert client.get(reverse(f"admin:tournaments_{model}_add")).status_code == 403
