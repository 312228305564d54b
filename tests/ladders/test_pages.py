"""Ladders as their pages show them."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games.models import Player
from games.names import name_key
from tests.ladders.conftest import Clock
from tournaments.models import Club, Ladder, LadderEntry, LadderPair, Membership
from tournaments.services import ladders

pytestmark = pytest.mark.django_db


def shown(pair: str) -> str:
    """A pair within a sentence: each name by itself, whatever it is written in."""
    one, other = pair.split(" & ")
    return f"<bdi><bdi>{one}</bdi> &amp; <bdi>{other}</bdi></bdi>"


def at(ladder: Ladder, name: str = "club_ladder", *args: object) -> str:
    return reverse(name, args=["lakeside", ladder.pk, *args])


def test_buttons_stand_only_beside_those_whom_one_may_challenge(ladder, pairs, match, as_) -> None:
    label = 'aria-label="Challenge '
    for who in ("visitor", "member", "north", "east"):
        assertNotContains(as_(who).get(at(ladder)), label)
    ladders.report(match_id=match, by=Player.objects.get(name="Director").pk, points=(3, 10))
    page = as_("east").get(at(ladder)).content.decode()
    assert page.count(label) == 1 and "Challenge Old Tom &amp; Ann" in page


def test_a_match_from_the_challenge_to_the_confirmed_score(ladder, pairs, as_, order) -> None:
    made = as_("east").post(at(ladder, "club_ladder_challenge", pairs.upper.pk))
    page = made.headers["Location"]
    assertContains(as_("north").get(at(ladder)), "challenge you. Answer until")
    assertContains(as_("north").get("/"), "challenge you")
    assertNotContains(as_("west").get(page), "Take the challenge</button>")
    as_("north").post(page, {"action": "answer"})
    refused = as_("west").post(page, {"action": "report", "points-0": "10", "points-1": "x"})
    assert refused.status_code == 422
    assertContains(refused, "Type the points of both sides", status_code=422)
    assertContains(refused, 'value="10"', status_code=422)
    as_("west").post(page, {"action": "report", "points-0": "10", "points-1": "7"})
    assertContains(as_("south").get(page), "Confirm 10–7")
    assertContains(as_("south").get("/"), "waits to be confirmed")
    assertContains(as_("east").get("/"), "Your score waits for")
    assertNotContains(as_("east").get(page), "Confirm 10–7")
    as_("south").post(page, {"action": "confirm", "points-0": "10", "points-1": "7"})
    assert order() == ["Old Tom & Ann", "East & West", "North & South"]
    assertContains(as_("visitor").get(at(ladder)), "won the place")
    assertContains(as_("visitor").get(page), "Won")


def test_a_director_confirms_what_those_without_accounts_cannot(ladder, pairs, cast, as_) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.north.pk, upper=pairs.top.pk)
    address = reverse("club_ladder_match", args=["lakeside", ladder.pk, match])
    north = as_("north")
    assert "A director confirms it." in north.get(address).content.decode()
    north.post(address, {"action": "report", "points-0": "10", "points-1": "4"})
    assert "A director confirms it, as the others have no accounts." in north.get(address).content.decode()


def test_who_was_asked_is_not_offered_again(ladder, cast, as_) -> None:
    page = reverse("club_ladder", args=["lakeside", ladder.pk])
    offered = {
        who: f'<option value="{getattr(cast, who).pk}">' in as_("member").get(page).content.decode()
        for who in ("member", "friend", "owner")
    }
    assert offered == {"member": False, "friend": True, "owner": True}
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)
    assert f'<option value="{cast.friend.pk}">' not in as_("member").get(page).content.decode()


def test_what_waits_for_somebodys_answer_stands_high_in_the_lobby(ladder, pairs, cast, as_) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    ladders.ask_partner(ladder_id=ladder.pk, by=cast.member.pk, to=cast.friend.pk)

    def is_high(who: str, told: str) -> bool:
        page = as_(who).get("/").content.decode()
        return page.index(told) < page.index("Pull up a chair")

    assert is_high("north", f"{shown('East & West')} challenge you")
    assert is_high("friend", "<bdi>Member</bdi></bdi> asks you to be a pair")
    assert not is_high("west", f"You have challenged {shown('North & South')}")
    ladders.answer(match_id=match, by=cast.north.pk)
    ladders.report(match_id=match, by=cast.east.pk, points=(10, 7))
    assert is_high("south", f"A score against {shown('East & West')} waits to be confirmed")
    assert not is_high("east", "Your score waits for")


def test_who_leaves_the_club_reads_first_what_becomes_of_his_pair_and_the_partner_learns_of_it(
    ladder, pairs, cast, as_, clock: Clock
) -> None:
    club = ladder.club.get_absolute_url()
    told = f"Your pair with <bdi>South</bdi> leaves the ladder “<bdi>{ladder.name}</bdi>”."
    assertContains(as_("north").get(club), told)
    assertNotContains(as_("member").get(club), "leaves the ladder")
    north = reverse("club_member", args=["lakeside", cast.north.pk])
    told = f"The pair with <bdi>South</bdi> leaves the ladder “<bdi>{ladder.name}</bdi>”."
    assertContains(as_("director").get(north), told, 2)  # where he is removed and where he is banned
    off = "Your pair with <bdi><bdi>North</bdi></bdi> is off the ladder"
    assertNotContains(as_("south").get("/"), off)
    as_("north").post(f"{club}leave/")
    assertContains(as_("south").get("/"), off)
    assertNotContains(as_("north").get("/"), "is off the ladder")
    clock.pass_days(8)
    assertNotContains(as_("south").get("/"), off)


def test_a_pair_is_taken_out_after_a_question(ladder, pairs, as_) -> None:
    desk = as_("director").get(at(ladder, "club_ladder_desk")).content.decode()
    question, answer = desk.index("Take North &amp; South out"), desk.index(f"Take {shown('North & South')} out")
    assert desk.rindex("<summary", 0, question) > desk.rindex("</details>", 0, question) and question < answer
    page = as_("director").post(at(ladder, "club_ladder_leave", pairs.upper.pk), follow=True)
    assertContains(page, "Strike that out in the history, and they stand where they stood.")


def test_the_page_says_what_time_did_and_why(ladder, pairs, cast, as_, clock: Clock) -> None:
    match = ladders.challenge(ladder_id=ladder.pk, by=cast.east.pk, upper=pairs.upper.pk)
    clock.pass_days(6)
    page = as_("visitor").get(at(ladder))
    assertContains(page, "no answer to a challenge")
    assertContains(as_("director").get(at(ladder, "club_ladder_match", match)), "answered in time after all")
    assertContains(
        as_("east").post(at(ladder, "club_ladder_match", match), {"action": "answer"}), "Only those", status_code=422
    )


def test_a_correction_shows_first_what_it_changes(ladder, match, cast, as_) -> None:
    ladders.report(match_id=match, by=cast.director.pk, points=(10, 7))
    entry = LadderEntry.objects.get(kind="result")
    address = at(ladder, "club_ladder_entry", entry.pk)
    shown = as_("director").post(address, {"do": "points", "points-0": "7", "points-1": "10"})
    assertContains(shown, "from rung 3 to 2")
    entry.refresh_from_db()
    assert entry.points == [10, 7] and entry.pair.number == 3
    version = Ladder.objects.get().version
    sent = {"do": "points", "points-0": "7", "points-1": "10", "version": version, "reason": "Typed the wrong way"}
    assertRedirects(as_("director").post(address, sent), at(ladder, "club_ladder_history"))
    assertContains(as_("visitor").get(at(ladder, "club_ladder_history")), "Typed the wrong way")
    assertContains(as_("director").post(address, {"do": "strike", "version": "1"}), "moved on", status_code=422)
    assertContains(as_("director").post(address, {"do": "nothing"}), "Choose what to change", status_code=422)
    for typed in ("soon", "", "2026-02-31T10:00", "0001-01-01T00:00", "9999-12-31T23:59"):
        told = as_("director").post(address, {"do": "time", "at": typed})
        assertContains(told, "between the first day", status_code=422)


def test_the_time_of_an_entry_is_put_right(ladder, match, as_, clock: Clock) -> None:
    clock.pass_days(1)
    entry = LadderEntry.objects.get(kind="answer")
    address = at(ladder, "club_ladder_entry", entry.pk)
    later = (entry.at + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M")
    assertContains(as_("director").post(address, {"do": "time", "at": later}), f'name="at" value="{later}"')
    as_("director").post(address, {"do": "time", "at": later, "version": Ladder.objects.get().version})
    entry.refresh_from_db()
    assert entry.at.strftime("%Y-%m-%dT%H:%M") == later
    assertContains(as_("visitor").get(at(ladder, "club_ladder_history")), "it was ")


def test_new_settings_say_whom_they_move(ladder, match, cast, as_, clock: Clock) -> None:
    clock.pass_days(1)
    ladders.report(match_id=match, by=cast.director.pk, points=(3, 10))
    clock.pass_days(6.5)
    sent = {
        "name": "Winter ladder", "reach": "3", "share": "0", "answer_days": "5", "rest_days": "14", "idle_days": "7",
        "target": "10", "where": "either", "pace": "20",
    }  # fmt: skip
    told = as_("director").post(at(ladder, "club_edit_ladder"), sent)
    assertContains(told, "from rung 1 to 2", status_code=422)
    assertRedirects(as_("director").post(at(ladder, "club_edit_ladder"), sent | {"agreed": "1"}), at(ladder))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": " "}, "Give the ladder a name"),
        ({"reach": "many"}, "Type a whole number"),
        ({"reach": "0"}, "1 to 50 rungs"),
        ({"answer_days": "0"}, "Type 1 to 365 days"),
        ({"target": "7"}, "5 or to 10"),
        ({"rated": "on", "where": "hall"}, "Only games at this site’s tables"),
    ],
)
def test_bad_settings_get_a_sentence_and_lose_nothing(club, as_, change: dict[str, str], sentence: str) -> None:
    sent = {
        "name": "Zebra cup", "reach": "4", "share": "0", "answer_days": "6", "rest_days": "13", "idle_days": "22",
        "target": "10", "where": "either", "pace": "20",
    } | change  # fmt: skip
    answer = as_("director").post(reverse("club_new_ladder", args=["lakeside"]), sent)
    assertContains(answer, sentence, status_code=422)
    for name in ("name", "reach", "answer_days", "rest_days", "idle_days"):
        assertContains(answer, sent[name].strip(), status_code=422)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"action": "match", "lower": "x", "upper": "1", "points-0": "1", "points-1": "2"},
        {"action": "match", "lower": "1", "upper": "1", "points-0": "10", "points-1": "2"},
        {"action": "match", "lower": "9" * 18, "upper": "1", "points-0": "10", "points-1": "2"},
        {"action": "pairs", "pairs": "Alone\n\x00"},
        {"action": "pairs", "pairs": "x" * 200_001},
    ],
)
def test_bad_input_at_the_desk_gets_a_sentence(ladder, as_, sent: dict[str, str]) -> None:
    assert as_("director").post(at(ladder, "club_ladder_desk"), sent).status_code in (302, 422)
    assert LadderEntry.objects.filter(kind="join").count() == 3


def test_the_list_counts_who_stands_on_each(ladder, pairs, cast, as_) -> None:
    ladders.leave(ladder_id=ladder.pk, by=cast.north.pk, pair_id=pairs.upper.pk)
    assertContains(as_("visitor").get(reverse("club_ladders", args=["lakeside"])), "2 pairs")


def test_as_csv_and_json(ladder, as_) -> None:
    LadderPair.objects.filter(number=1).update(player_name="=1+1")
    head, first, *_others = csv.reader(
        io.StringIO(as_("visitor").get(at(ladder, "club_ladder_csv")).content.decode("utf-8-sig"))
    )
    assert head[:3] == ["Place", "Name", "Partner"] and first[:3] == ["1", "'=1+1", "Ann"]
    told = as_("visitor").get(at(ladder, "club_ladder_json")).json()
    assert [row["names"] for row in told["rows"]] == [["=1+1", "Ann"], ["North", "South"], ["East", "West"]]


def test_a_closed_ladder_has_no_buttons(ladder, match, cast, as_) -> None:
    ladders.close_ladder(ladder_id=ladder.pk, by=cast.director.pk)
    for address in (at(ladder), at(ladder, "club_ladder_match", match)):
        text = as_("director").get(address).content.decode()
        assert '<form method="post" action="/clubs/' not in text and 'name="action"' not in text


def test_a_constant_number_of_queries_with_40_pairs(ladder, match, cast, as_) -> None:
    names = ("club_ladder", "club_ladder_history", "club_ladder_desk", "club_ladder_csv")

    def counts() -> list[int]:
        found = []
        browser = as_("owner")
        for address in (*(at(ladder, name) for name in names), at(ladder, "club_ladder_match", match)):
            with CaptureQueriesContext(connection) as queries:
                assert browser.get(address).status_code == 200
            found.append(len(queries))
        return found

    few = counts()
    people = [Player(name=f"Guest {number:02}", name_key=name_key(f"Guest {number:02}")) for number in range(80)]
    Player.objects.bulk_create(people)
    Membership.objects.bulk_create(Membership(club=Club.objects.get(), player=one) for one in people)
    text = "\n".join(f"{one.name} & {other.name}" for one, other in zip(people[::2], people[1::2], strict=True))
    assert ladders.enter_pairs(ladder_id=ladder.pk, by=cast.owner.pk, text=text) == (40, [])
    on = list(LadderPair.objects.filter(ladder=ladder).order_by("number"))
    for upper, lower in zip(on[4::2], on[5::2], strict=False):
        ladders.challenge(ladder_id=ladder.pk, by=cast.owner.pk, lower=lower.pk, upper=upper.pk)
    assert counts() == few and max(few) <= 17, few


def test_no_page_shows_an_address(ladder, match, as_: Any) -> None:
    for who in ("visitor", "director", "north"):
        for address in (at(ladder), at(ladder, "club_ladder_history"), at(ladder, "club_ladder_match", match)):
            assertNotContains(as_(who).get(address), "@mail.example")
