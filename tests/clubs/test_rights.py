"""Who may do what in a club: everybody by every page and every form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.engine import OPTIONS, PRESETS
from tests.clubs.conftest import PEOPLE
from tournaments.models import Ban, Club, ClubRules, Invitation, JoinRequest, LogEntry, Membership, Notice, Role
from tournaments.services import clubs, joining, noticeboard

EVERYBODY = ("visitor", *PEOPLE)
DIRECTS = {"owner", "director", "staff"}
OWNS = {"owner", "staff"}
RULES = {name: str(values[0]) for name, values in OPTIONS.items()}
SETTINGS = {"name": "Lakeside", "line": "New", "about": "", "joining": "request", "public": "on"}

PAGES = {
    "club": (set(EVERYBODY), set(DIRECTS | {"member"})),
    "club_members": (set(EVERYBODY), DIRECTS | {"member"}),
    "club_rules": (set(EVERYBODY), DIRECTS | {"member"}),
    "club_door": (DIRECTS, DIRECTS),
    "club_log": (DIRECTS, DIRECTS),
    "club_settings": (OWNS, OWNS),
    "club_new_notice": (DIRECTS, DIRECTS),
    "club_new_rules": (DIRECTS, DIRECTS),
    "club_notice": (DIRECTS, DIRECTS),
    "club_edit_rules": (DIRECTS, DIRECTS),
    "club_member": (DIRECTS | {"member"}, DIRECTS | {"member"}),
}
"""By address: who sees it in a public club, and in a private one."""


class Form(NamedTuple):
    """A form: its address, whom or what it is about, what it sends, who may send it, and whether
    it has done its work."""

    name: str
    about: str
    sent: dict[str, Any]
    allowed: set[str]
    worked: Callable[[Club], bool]


def is_in(name: str) -> Callable[[Club], bool]:
    return lambda club: Membership.objects.filter(club=club, player__name=name).exists()


def has_role(name: str, role: Role) -> Callable[[Club], bool]:
    return lambda club: Membership.objects.filter(club=club, player__name=name, role=role).exists()


def is_banned(name: str) -> Callable[[Club], bool]:
    return lambda club: Ban.objects.filter(club=club, player__name=name).exists()


def none(model: Any) -> Callable[[Club], bool]:
    return lambda club: not model.objects.filter(club=club).exists()


def revoked(club: Club) -> bool:
    return not Invitation.objects.filter(club=club, revoked_at=None).exists()


def name_of(form: Form) -> str:
    return "-".join((form.name, form.about, *form.sent.values()))[:48]


def closed(club: Club) -> bool:
    return Club.objects.filter(pk=club.pk).exclude(closed_at=None).exists()


FORMS = (
    Form("club_member_role", "member", {"role": "director"}, OWNS, has_role("Marta", Role.DIRECTOR)),
    Form("club_member_role", "member", {"role": "owner"}, OWNS, has_role("Marta", Role.OWNER)),
    Form("club_member_role", "director", {"role": "owner"}, OWNS, has_role("Dmitri", Role.OWNER)),
    Form("club_member_role", "director", {"role": "member"}, OWNS | {"director"}, has_role("Dmitri", Role.MEMBER)),
    Form("club_member_role", "owner", {"role": "member"}, set(), has_role("Ruth", Role.MEMBER)),
    Form("club_member_note", "member", {"note": "Plays slowly"}, DIRECTS,
         lambda club: Membership.objects.filter(note="Plays slowly").exists()),
    Form("club_member_remove", "member", {}, DIRECTS, lambda club: not is_in("Marta")(club)),
    Form("club_member_remove", "director", {}, OWNS, lambda club: not is_in("Dmitri")(club)),
    Form("club_member_remove", "owner", {}, set(), lambda club: not is_in("Ruth")(club)),
    Form("club_member_ban", "member", {"reason": "Rude"}, DIRECTS, is_banned("Marta")),
    Form("club_member_ban", "director", {"reason": "Rude"}, OWNS, is_banned("Dmitri")),
    Form("club_member_ban", "owner", {"reason": "Rude"}, set(), is_banned("Ruth")),
    Form("club_ban", "", {"name": "paula", "reason": "Rude"}, DIRECTS, is_banned("Paula")),
    Form("club_lift", "banned", {}, DIRECTS, lambda club: not is_banned("Bjorn")(club)),
    Form("club_answer", "asking", {"answer": "accept"}, DIRECTS, is_in("Astrid")),
    Form("club_answer", "asking", {"answer": "decline"}, DIRECTS, none(JoinRequest)),
    Form("club_invite", "", {"days": "7", "label": "New"}, DIRECTS,
         lambda club: Invitation.objects.filter(label="New").exists()),
    Form("club_revoke", "invitation", {}, DIRECTS, revoked),
    Form("club_new_notice", "", {"title": "New", "text": ""}, DIRECTS,
         lambda club: Notice.objects.filter(title="New").exists()),
    Form("club_notice", "notice", {"title": "Changed", "text": ""}, DIRECTS,
         lambda club: Notice.objects.filter(title="Changed").exists()),
    Form("club_delete_notice", "notice", {}, DIRECTS, none(Notice)),
    Form("club_new_rules", "", {"name": "New", **RULES}, DIRECTS,
         lambda club: ClubRules.objects.filter(name="New").exists()),
    Form("club_edit_rules", "rules", {"name": "Changed", **RULES}, DIRECTS,
         lambda club: ClubRules.objects.filter(name="Changed").exists()),
    Form("club_delete_rules", "rules", {}, DIRECTS, none(ClubRules)),
    Form("club_settings", "", SETTINGS, OWNS, lambda club: Club.objects.filter(line="New").exists()),
    Form("club_close", "", {}, OWNS, closed),
)  # fmt: skip


@contextmanager
def undone() -> Iterator[None]:
    """What happens within has not happened after it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def things(club, cast):
    """What the addresses are about, by name."""
    notice = noticeboard.post_notice(club_id=club.pk, by=cast.owner.pk, title="Old", text="")
    rules = noticeboard.save_rules(club_id=club.pk, by=cast.owner.pk, name="Old", rules=PRESETS["british"])
    joining.invite(club_id=club.pk, by=cast.owner.pk, days=7)
    people = {who: [getattr(cast, who).pk] for who in PEOPLE}
    return people | {"": [], "notice": [notice], "rules": [rules], "invitation": [Invitation.objects.get().pk]}


ABOUT = {"club_notice": "notice", "club_edit_rules": "rules", "club_member": "member"}


@pytest.mark.parametrize("public", [True, pytest.param(False, marks=pytest.mark.database)], ids=["public", "private"])
def test_every_page_opens_for_whom_it_is_and_nobody_else(club, things, as_, public):
    Club.objects.filter(pk=club.pk).update(public=public)
    for who in EVERYBODY:
        browser = as_(who)
        for name, seen_by in PAGES.items():
            with undone():
                answer = browser.get(reverse(name, args=[club.slug, *things[ABOUT.get(name, "")]]))
            if who in seen_by[0 if public else 1]:
                expected = 200
            elif not public and who not in DIRECTS | {"member"}:
                expected = 404  # not even that there is such a club
            else:
                expected = 302 if who == "visitor" else 403
            assert (name, who, answer.status_code) == (name, who, expected)
            assert expected != 302 or answer.url.startswith(reverse("account_login"))


@pytest.mark.parametrize("who", EVERYBODY)
def test_every_form_does_its_work_for_whom_it_is_and_nothing_for_others(club, things, as_, who):
    before, login = LogEntry.objects.count(), as_(who).cookies
    for form in FORMS:
        with undone():
            browser = Client()
            browser.cookies.load(login)
            answer = browser.post(reverse(form.name, args=[club.slug, *things[form.about]]), form.sent)
            assert answer.status_code in (302, 403)
            done = form.worked(club), LogEntry.objects.count() - before
        assert (name_of(form), *done) == (name_of(form), who in form.allowed, int(who in form.allowed))


def test_in_a_private_club_strangers_are_not_told_that_there_is_one(club, things, as_):
    Club.objects.filter(pk=club.pk).update(public=False, joining="invitation")
    for who in ("visitor", "player", "asking", "banned"):
        browser = as_(who)
        for form in FORMS:
            with undone():
                answer = browser.post(reverse(form.name, args=[club.slug, *things[form.about]]), form.sent)
                assert (name_of(form), who, answer.status_code) == (name_of(form), who, 404)
                assert not form.worked(club)


@pytest.mark.parametrize("mode", Club.Joining.values)
def test_joining_by_the_button(club, cast, as_, mode):
    Club.objects.filter(pk=club.pk).update(joining=mode)
    for who in EVERYBODY:
        with undone():
            assert as_(who).post(reverse("club_join", args=[club.slug]), {"message": ""}).status_code == 302
            name = getattr(cast, who).name if who != "visitor" else ""
            welcome = who in ("player", "asking", "staff") and mode == "open"
            assert (who, is_in(name)(club)) == (who, welcome or who in ("owner", "director", "member"))
            asks = JoinRequest.objects.filter(club=club, player__name=name).exists()
            assert (who, asks) == (
                who,
                (who == "asking" and mode != "open") or (who in ("player", "staff") and mode == "request"),
            )


def test_an_invitation_lets_in_everybody_but_the_banned(club, cast, as_):
    Club.objects.filter(pk=club.pk).update(joining="invitation", public=False)
    address = reverse("club_invitation", args=[joining.invite(club_id=club.pk, by=cast.director.pk, days=1)])
    for who in EVERYBODY:
        with undone():
            assert as_(who).get(address).status_code == 200
            as_(who).post(address)
            inside = who != "visitor" and is_in(getattr(cast, who).name)(club)
            assert (who, inside) == (who, who not in ("visitor", "banned"))


def test_leaving(club, cast, as_):
    """The only owner cannot."""
    for who in EVERYBODY:
        with undone():
            as_(who).post(reverse("club_leave", args=[club.slug]))
            gone = {getattr(cast, who).name} if who in ("director", "member") else set()
            assert set(Membership.objects.values_list("player__name", flat=True)) == {"Ruth", "Dmitri", "Marta"} - gone


def test_founding_asks_for_an_account_only(cast, as_):
    for who in EVERYBODY:
        with undone():
            assert as_(who).post(reverse("found_club"), SETTINGS | {"slug": ""}).status_code == 302
            assert (who, Club.objects.exists()) == (who, who != "visitor")


def test_a_closed_club_can_be_read_and_opened_again_but_not_changed(club, things, cast, as_):
    clubs.close_club(club_id=club.pk, by=cast.owner.pk)
    before = LogEntry.objects.count()
    for who in EVERYBODY:
        for form in FORMS if who in ("owner", "staff") else FORMS[:1]:
            as_(who).post(reverse(form.name, args=[club.slug, *things[form.about]]), form.sent)
        as_(who).post(reverse("club_join", args=[club.slug]))
        assert LogEntry.objects.count() == before
        assert as_(who).get(club.get_absolute_url()).status_code == 200
        with undone():
            as_(who).post(reverse("club_reopen", args=[club.slug]))
            assert (who, closed(club)) == (who, who not in OWNS)
