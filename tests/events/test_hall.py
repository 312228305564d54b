"""The score page of a table in the hall: by code, without an account, in at most four taps."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from tests.events.evening import Evening
from tournaments.models import Club, EventTable, Report, Step
from tournaments.services import entrants, events, results
from tournaments.services.scoring import Score

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(club: Club, cast: Any) -> Evening:
    made = Evening(club, cast.director, "swiss", 0, title="Thursday", rounds_planned=3)
    entrants.add_names(event_id=made.id, by=made.by, text="North & East")
    made.add(3)
    made.start()
    return made


@pytest.fixture
def table(evening: Evening) -> EventTable:
    """Not North's."""
    return next(table for table in evening.tables() if [1] not in table.sides)


def page_of(table: EventTable) -> str:
    return f"/events/{table.event_id}/t/{table.code}/"


def send(client: Client, table: EventTable, points: tuple[object, object], side: int | None = 0, **more: Any) -> Any:
    data = {"action": "report", "points-0": points[0], "points-1": points[1], **more}
    return client.post(page_of(table), data if side is None else data | {"side": side})


def state_of(table: EventTable) -> tuple[str, int | None, int | None]:
    table.refresh_from_db()
    return table.state, table.points_0, table.points_1


def test_two_phones_agree(table: EventTable) -> None:
    """Side, points, points, send; and one tap of the other side."""
    one, other = Client(), Client()
    assertContains(one.get(page_of(table)), 'type="radio" name="points-0" value="13"')
    assert send(one, table, (10, 7)).status_code == 302
    assert state_of(table) == ("reported", 10, 7)
    assertContains(one.get(page_of(table)), "Your side said 10–7")
    assertContains(other.get(page_of(table)), "Yes, that is right")
    assert other.post(page_of(table), {"action": "confirm", "side": 1}).status_code == 302
    assert state_of(table) == ("confirmed", 10, 7)
    assertContains(one.get(page_of(table)), "Both sides agree")
    assertNotContains(one.get(page_of(table)), "Send the score")


def test_sending_twice_changes_nothing(table: EventTable) -> None:
    one, other = Client(), Client()
    for _time in range(3):
        assert send(one, table, (10, 7)).status_code == 302
    assert Report.objects.count() == 1
    for _time in range(3):
        assert other.post(page_of(table), {"action": "confirm", "side": 1}).status_code == 302
    assert Step.objects.filter(kind="confirmed").count() == 1
    assert send(one, table, (10, 7)).status_code == 302  # the phone that was offline comes late
    assert state_of(table) == ("confirmed", 10, 7)


def test_an_event_that_is_called_off_takes_no_score_of_a_phone(evening: Evening, table: EventTable) -> None:
    phone = Client()
    assertContains(phone.get(page_of(table)), "Send the score")
    events.cancel(event_id=evening.id, by=evening.by, reason="Snow")
    assertContains(send(phone, table, (10, 7)), "This event is over.", status_code=422)
    assertNotContains(phone.get(page_of(table)), "Send the score")
    assert state_of(table) == ("playing", None, None)


def test_the_own_side_cannot_confirm(table: EventTable) -> None:
    one = Client()
    send(one, table, (10, 7))
    page = one.post(page_of(table), {"action": "confirm", "side": 1})  # the session knows better
    assertContains(page, "the other side confirms it", status_code=422)
    assert state_of(table)[0] == "reported"


def test_one_phone_does_not_confirm_its_own_score(table: EventTable) -> None:
    """Who has sent it is told who confirms it and where, whatever becomes of the session meanwhile."""
    phone = Client()
    phone.get(page_of(table))
    send(phone, table, (10, 7))
    del phone.cookies["sessionid"]
    for address in (page_of(table), page_of(table) + "?part=1"):
        page = phone.get(address)
        assertContains(page, "confirm it on their own phone")
        assertContains(page, f"http://testserver{page_of(table)}")
        assertNotContains(page, "is that right?")
    phone.post(page_of(table), {"action": "confirm", "side": 1})
    assert state_of(table)[0] == "reported"
    assertContains(Client().get(page_of(table)), "is that right?")


def test_a_part_that_is_fetched_meanwhile_does_not_write_the_session(table: EventTable) -> None:
    phone = Client()
    assert "sessionid" in phone.get(page_of(table)).cookies
    assert "sessionid" not in phone.get(page_of(table) + "?part=1").cookies


@pytest.mark.parametrize("account", [False, True])
def test_a_phone_that_both_sides_share_is_handed_over(
    evening: Evening, table: EventTable, cast: Any, account: bool
) -> None:
    phone = Client()
    if account:
        phone.force_login(cast.north)
        table = next(each for each in evening.tables() if [1] in each.sides)
    own = table.sides.index([1]) if account else 0
    send(phone, table, (10, 7), None if account else 0)
    assertContains(phone.get(page_of(table)), 'href="?hand=1"')
    handed = page_of(table) + "?hand=1"
    assertContains(phone.get(handed), "is that right?")
    send_other = {"action": "report", "points-0": 7, "points-1": 10}
    assert phone.post(handed, send_other).url == page_of(table)
    assert state_of(table)[0] == "disputed"
    assert phone.post(handed, {"action": "report", "points-0": 10, "points-1": 7}).status_code == 302
    assert state_of(table)[0] == "confirmed"
    assert list(Report.objects.values_list("side", flat=True)) == [own, 1 - own, 1 - own]


def test_another_score_is_a_dispute(table: EventTable, evening: Evening) -> None:
    one, other = Client(), Client()
    send(one, table, (10, 7))
    assert send(other, table, (7, 10), 1).status_code == 302
    assert state_of(table)[0] == "disputed"
    for client in (one, other):
        page = client.get(page_of(table))
        assertContains(page, "different scores")
        assertContains(page, "10–7")
        assertContains(page, "7–10")
    assert send(other, table, (10, 7), 1).status_code == 302  # one of them sees the mistake
    assert state_of(table) == ("confirmed", 10, 7)


def test_who_sits_there_need_not_say_for_which_side(evening: Evening, cast: Any) -> None:
    client = Client()
    client.force_login(cast.north)
    table = next(table for table in evening.tables() if [1] in table.sides)
    assertNotContains(client.get(page_of(table)), "We are")
    side = table.sides.index([1])
    assert send(client, table, (10, 3), None).status_code == 302
    assert Report.objects.get().side == side
    assertContains(client.get(f"/events/{evening.id}/"), "Your side said 10–3")


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ((10, 10), "Both sides cannot have"),
        ((9, 3), "is not over"),
        ((99, 3), "Nobody can win with 99"),
        (("", 3), "as numbers"),
        (("ten", "x" * 400), "as numbers"),
        ((-3, 10), "10"),
        (("9" * 30, 1), "as numbers"),
    ],
)
def test_absurd_scores_keep_what_was_typed(table: EventTable, points: tuple[object, object], sentence: str) -> None:
    page = send(Client(), table, points)
    assertContains(page, sentence, status_code=422)
    assert state_of(table)[0] in ("waiting", "playing")
    text = page.content.decode()
    for at, typed in enumerate(points):
        if str(typed) in map(str, range(14)) and all(str(each) in ("", *map(str, range(14))) for each in points):
            assert f'name="points-{at}" value="{typed}" checked' in text
        elif typed:
            assert f'name="points-{at}" value="{str(typed)[:20]}"' in text


def test_a_side_has_to_be_said(table: EventTable) -> None:
    page = send(Client(), table, (10, 4), None)
    assertContains(page, "Say for which side you speak.", status_code=422)
    assertContains(page, 'name="points-0" value="10" checked', status_code=422)
    for junk in ("2", "x", "-1"):
        assert Client().post(page_of(table), {"side": junk, "points-0": 10, "points-1": 4}).status_code == 422


def test_what_is_counted_beside_the_points(table: EventTable) -> None:
    number = table.sides[0][0]
    page = send(Client(), table, (10, 4), **{f"loners-{number}": "99"})
    assertContains(page, 'value="99"', status_code=422)
    assert send(Client(), table, (10, 4), **{f"loners-{number}": "1", f"euchres-{number}": ""}).status_code == 302
    table.refresh_from_db()
    assert table.counters == {"loners": {str(number): 1}}


def test_codes(table: EventTable, evening: Evening) -> None:
    client = Client()
    typed = f" {table.code[:2].lower()}-{table.code[2:].lower()} "
    assert client.get("/t/").status_code == 200
    assert client.post("/t/", {"code": typed}).url == page_of(table)
    assert client.get("/t/", {"code": table.code}).url == page_of(table)
    for wrong in ("", "     ", "ZZZZZ", "x" * 300, "'; drop table", "\x00", "١٢٣٤٥"):
        page = client.post("/t/", {"code": wrong})
        assert page.status_code == 422, wrong
    for wrong in ("ZZZZZ", "0", "%00", "x" * 200):
        assert client.get(f"/events/{evening.id}/t/{wrong}/").status_code == 404
    assert client.get(f"/events/999999/t/{table.code}/").status_code == 404


def test_wrong_codes_are_counted(evening: Evening, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "hall_codes": "3/m/ip"}
    client = Client()
    answers = [client.post("/t/", {"code": f"ZZZZ{number}"}).status_code for number in range(5)]
    assert answers == [422, 422, 422, 429, 429]
    assert client.get(f"/events/{evening.id}/t/ZZZZZ/").status_code == 429


def test_the_code_is_enough_at_a_private_club(table: EventTable, evening: Evening) -> None:
    Club.objects.update(public=False)
    client = Client()
    assert client.get(f"/events/{evening.id}/").status_code == 404
    page = client.get(page_of(table))
    assertContains(page, "Send the score")
    assertNotContains(page, f'href="/events/{evening.id}/"')
    assertNotContains(page, "hx-ws:connect")
    assert send(client, table, (10, 2)).status_code == 302
    assert state_of(table) == ("reported", 10, 2)
    assert client.get(f"/events/{evening.id}/").status_code == 404


def test_a_code_opens_its_own_table_only(evening: Evening, table: EventTable) -> None:
    other = next(each for each in evening.tables() if each.pk != table.pk)
    client = Client()
    client.get(page_of(table))
    client.post(page_of(table), {"action": "report", "side": 0, "points-0": 10, "points-1": 0, "table": other.pk})
    assert state_of(other)[0] in ("waiting", "playing")


def test_before_and_after_the_round(evening: Evening, table: EventTable, cast: Any) -> None:
    results.report(event_id=evening.id, by=evening.by, table_id=table.pk, score=Score((10, 5)))
    assertContains(Client().get(page_of(table)), "10–5")
    page = send(Client(), table, (3, 10))
    assertContains(page, "has a result already", status_code=422)
    evening.play_round()
    assertContains(Client().get(page_of(table)), "10–5")
    events.cancel(event_id=evening.id, by=evening.by, reason="Snow")
    assert Client().get(page_of(table)).status_code == 200


def test_a_level_score_names_who_won_the_extra_hand(club: Club, cast: Any) -> None:
    evening = Evening(club, cast.director, "progressive", 4, settings={"hands": 8, "ties": "extra_hand"})
    evening.start()
    table = evening.tables()[0]
    assertContains(Client().get(page_of(table)), "who won the extra hand")
    assert send(Client(), table, (8, 8)).status_code == 422
    page = send(Client(), table, (8, 8), winner="1")
    assert page.status_code == 302, page.content
    table.refresh_from_db()
    assert (table.state, table.winner) == ("reported", 1)


def test_duplicate_is_scored_deal_by_deal(club: Club, cast: Any) -> None:
    evening = Evening(club, cast.director, "duplicate", 8)
    evening.start()
    table = evening.tables()[0]
    text = Client().get(page_of(table)).content.decode()
    deals = [name for name in (f"deal-{number}" for number in range(1, 60)) if f'name="{name}"' in text]
    assert deals
    wrong = Client().post(page_of(table), {"side": 0, deals[0]: "7"})
    assertContains(wrong, f'name="{deals[0]}" value="7"', status_code=422)
    assert Client().post(page_of(table), {"side": 0} | dict.fromkeys(deals, "-2")).status_code == 302
    assert state_of(table)[0] == "reported"


def test_the_part_that_is_fetched_again(table: EventTable) -> None:
    page = Client().get(page_of(table) + "?part=1")
    assertContains(page, 'id="slip"')
    assertNotContains(page, "<html")
