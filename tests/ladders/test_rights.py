"""Who may do what on a ladder: everybody by every page and every form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.urls import reverse

from tests.ladders.conftest import WHO
from tournaments.models import Club, Ladder, LadderAsk, LadderEntry
from tournaments.services import ladders
from tournaments.services.ladders import Settings

pytestmark = pytest.mark.django_db

EVERYBODY = ("visitor", *WHO)
INSIDE = {"owner", "director", "north", "south", "east", "west", "member", "friend", "staff"}
DIRECTS = {"owner", "director", "staff"}
TERMS = {
    "name": "New", "reach": "3", "share": "0", "answer_days": "5", "rest_days": "14", "idle_days": "21",
    "target": "10", "where": "either", "pace": "20",
}  # fmt: skip

PAGES = {
    "club_ladders": (set(EVERYBODY), INSIDE),
    "club_ladder": (set(EVERYBODY), INSIDE),
    "club_ladder_history": (set(EVERYBODY), INSIDE),
    "club_ladder_csv": (set(EVERYBODY), INSIDE),
    "club_ladder_json": (set(EVERYBODY), INSIDE),
    "club_ladder_match": (set(EVERYBODY), INSIDE),
    "club_new_ladder": (DIRECTS, DIRECTS),
    "club_edit_ladder": (DIRECTS, DIRECTS),
    "club_ladder_desk": (DIRECTS, DIRECTS),
    "club_ladder_entry": (DIRECTS, DIRECTS),
    "club_ladder_late": (DIRECTS, DIRECTS),
}
"""By address: who sees it in a public club, and in a private one."""


class Form(NamedTuple):
    """A form: its address, what it sends, who may send it, and whether it has done its work."""

    name: str
    sent: dict[str, Any]
    allowed: set[str]
    worked: Callable[[], bool]


def entered(kind: str, number: int = 1) -> Callable[[], bool]:
    return lambda: LadderEntry.objects.filter(kind=kind).count() == number


FORMS = (
    Form("club_new_ladder", TERMS, DIRECTS, lambda: Ladder.objects.filter(name="New").exists()),
    Form("club_edit_ladder", TERMS, DIRECTS, lambda: Ladder.objects.filter(name="New").exists()),
    Form("club_close_ladder", {}, DIRECTS, entered("close")),
    Form("club_ladder_desk", {"action": "pairs", "pairs": "A & B"}, DIRECTS, entered("join", 4)),
    Form("club_ladder_join", {"action": "ask", "player": "member"}, {"owner", "director", "friend"},
         lambda: LadderAsk.objects.exists()),
    Form("club_ladder_leave", {}, DIRECTS | {"north", "south"}, entered("leave")),
    Form("club_ladder_match", {"action": "report", "points-0": "10", "points-1": "7"}, DIRECTS, entered("result")),
    Form("club_ladder_match", {"action": "report", "points-0": "10", "points-1": "8"},
         {"north", "south", "east", "west"},
         lambda: any(match.said for ladder in Ladder.objects.all() for match in ladder.matches.all())),
    Form("club_ladder_match", {"action": "walk_over", "winner": "0"}, DIRECTS, entered("result")),
    Form("club_ladder_match", {"action": "open"}, {"north", "south", "east", "west"},
         lambda: Ladder.objects.filter(matches__live_table__isnull=False).exists()),
    Form("club_ladder_entry", {"do": "strike", "version": "VERSION"}, DIRECTS,
         lambda: LadderEntry.objects.filter(struck=True).exists()),
)  # fmt: skip


@pytest.fixture
def address(ladder, pairs, match) -> Callable[[str], str]:
    entry = LadderEntry.objects.get(kind="challenge").pk
    rest = {"club_ladder_match": match, "club_ladder_late": match, "club_ladder_entry": entry}
    rest["club_ladder_leave"] = pairs.upper.pk

    def found(name: str) -> str:
        args = [] if name in ("club_ladders", "club_new_ladder") else [ladder.pk]
        return reverse(name, args=["lakeside", *args, *([rest[name]] if name in rest else [])])

    return found


@pytest.mark.parametrize("public", [True, False], ids=["public", "private"])
@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_for_whom_it_is_and_nobody_else(ladder, address, as_, name: str, public: bool) -> None:
    Club.objects.update(public=public)
    for who in EVERYBODY if public else ("visitor", "stranger", "banned", "member", "director", "staff"):
        if who in PAGES[name][0 if public else 1]:
            expected = 200
        elif not public and who not in INSIDE:
            expected = 404
        else:
            expected = 302 if who == "visitor" else 403
        assert (who, as_(who).get(address(name)).status_code) == (who, expected)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join((form.name, *form.sent.values()))[:40])
def test_every_form_does_its_work_for_whom_it_is_and_nothing_for_others(ladder, address, cast, as_, form: Form) -> None:
    version = str(Ladder.objects.get().version)
    sent = {name: {"VERSION": version, "member": cast.member.pk}.get(value, value) for name, value in form.sent.items()}
    for who in EVERYBODY:
        with transaction.atomic():
            answer = as_(who).post(address(form.name), sent)
            assert answer.status_code in (302, 403, 422)
            assert (who, form.worked()) == (who, who in form.allowed)
            transaction.set_rollback(True)


def test_directors_open_a_closed_ladder_again(ladder, address, cast, as_) -> None:
    ladders.close_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    for who in EVERYBODY:
        with transaction.atomic():
            as_(who).post(address("club_reopen_ladder"))
            assert (who, entered("reopen")()) == (who, who in DIRECTS)
            transaction.set_rollback(True)
        offered = "Open the ladder again" in as_(who).get(address("club_ladder")).content.decode()
        assert (who, offered) == (who, who in DIRECTS)


def test_only_those_of_the_pair_and_directors_answer(ladder, pairs, cast, as_) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    for who in EVERYBODY:
        with transaction.atomic():
            as_(who).post(reverse("club_ladder_match", args=["lakeside", ladder.pk, match]), {"action": "answer"})
            assert (who, entered("answer")()) == (who, who in DIRECTS | {"north", "south"})
            transaction.set_rollback(True)


def test_a_ladder_is_not_found_under_another_club(ladder, match, cast, as_) -> None:
    other = Club.objects.create(name="Other", name_key="other", slug="other")
    other.memberships.create(player=cast.owner, role=1)
    made = ladders.create_ladder(club_id=other.pk, by=cast.owner.pk, terms=Settings("Other"))
    for address in (
        reverse("club_ladder", args=["other", ladder.pk]),
        reverse("club_ladder_match", args=["lakeside", made, match]),
        reverse("club_ladder_match", args=["lakeside", ladder.pk, 999]),
        reverse("club_ladder_entry", args=["lakeside", ladder.pk, 999]),
    ):
        assert as_("owner").get(address).status_code == 404
