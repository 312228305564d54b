"""The public pages of events: who sees what, what stands on them, signing up, how many queries."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from games.models import Player
from tests.events.evening import Evening
from tournaments.live import frames, pages
from tournaments.models import Club, Entrant, Event, EventTable, PartnerRequest, Round, Seating
from tournaments.selectors.rights import Actor
from tournaments.services import entrants, events, rounds, schedule
from tournaments.services.desk import open_desk

pytestmark = pytest.mark.django_db

TABS = ("", "standings/", "entrants/", "about/")
MORE = ("wall/", "embed/", "print/cards/", "print/chart/", "print/numbers/", "mine/")
FILES = ("standings.csv", "standings.json", "pairings.csv", "pairings.json")


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    pages._kept._parts.clear()


@pytest.fixture
def as_client(cast: Any) -> Any:
    def client(who: str = "") -> Client:
        made = Client()
        if who:
            made.force_login(getattr(cast, who))
        return made

    return client


@pytest.fixture
def evening(club: Club, cast: Any) -> Evening:
    """Eight pairs, North and East among them, in the second of four Swiss rounds; two tables are done."""
    made = Evening(club, cast.director, "swiss", 0, title="Thursday", rounds_planned=4)
    entrants.add_names(event_id=made.id, by=made.by, text="North & East")
    made.add(7)
    made.start()
    made.play_round()
    for table in made.tables()[:2]:
        made.enter(table, again=False)
    return made


def address(event_id: int, rest: str = "") -> str:
    return f"/events/{event_id}/{rest}"


# --- who sees what ------------------------------------------------------------------------------------


def test_everybody_sees_an_event_of_a_public_club(evening: Evening, as_client: Any) -> None:
    for who in ("", "north"):
        client = as_client(who)
        for rest in (*TABS, *MORE, *FILES, "entrants/1/", "entrants/1/terms/", "rounds/1/why/", "?round=1"):
            assert client.get(address(evening.id, rest)).status_code == 200, (who, rest)


def test_an_event_of_a_private_club_is_not_there_for_strangers(evening: Evening, club: Club, as_client: Any) -> None:
    Club.objects.update(public=False)
    for rest in (*TABS, *MORE, *FILES, "entrants/1/", "entrants/1/terms/", "rounds/1/why/", "print/slips/"):
        for who in ("", "stranger"):
            assert as_client(who).get(address(evening.id, rest)).status_code == 404, (who, rest)
        if rest != "print/slips/":
            assert as_client("member").get(address(evening.id, rest)).status_code == 200, rest
    assertNotContains(as_client().get("/events/"), "Thursday")
    assertContains(as_client("member").get("/events/"), "Thursday")
    assert as_client().get(f"/clubs/{club.slug}/calendar.ics").status_code == 404


def test_a_draft_is_not_there(event: Event, as_client: Any) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    for rest in (*TABS, *MORE, *FILES):
        assert as_client("member").get(address(event.pk, rest)).status_code == 404
    assert as_client("director").get(address(event.pk)).status_code == 200
    assertNotContains(as_client("director").get("/events/"), "Thursday")


def test_a_round_that_is_not_published_is_shown_nowhere(evening: Evening, as_client: Any) -> None:
    events.edit_event(event_id=evening.id, by=evening.by, agreed=True, pairing="draft")
    evening.play_round()
    drawn = Round.objects.get(event=evening.id, number=3)
    assert drawn.state == Round.State.DRAWN
    for rest in ("?round=3", "rounds/3/why/"):
        assert as_client("north").get(address(evening.id, rest)).status_code == 404
    told = as_client("north").get(address(evening.id, "pairings.json")).json()
    assert [each["number"] for each in told["rounds"]] == [1, 2]
    page = as_client("north").get(address(evening.id))
    assertContains(page, "Round 2 is over")
    code = drawn.tables.first().code
    assert code and as_client().get(address(evening.id, f"t/{code}/")).status_code == 404
    rounds.publish(event_id=evening.id, by=evening.by, number=3)
    assertContains(as_client("north").get(address(evening.id)), "Round 3 is on")


def test_late_entry_is_offered_for_as_long_as_it_is_taken(evening: Evening, as_client: Any) -> None:
    offered = 'name="action" value="sign_up"'
    Event.objects.filter(pk=evening.id).update(late_until=evening.round.number + 1, rounds_planned=9)
    assertContains(as_client("south").get(address(evening.id)), offered)
    Event.objects.filter(pk=evening.id).update(late_until=evening.round.number)
    for rest in ("", "entrants/"):
        assertNotContains(as_client("south").get(address(evening.id, rest)), offered)
    refused = act(as_client("south"), evening.id, "sign_up", partner="Old Tom")
    assertContains(refused, "one could join until round 2", status_code=422)


def test_slips_are_for_who_types_scores(evening: Evening, as_client: Any) -> None:
    code = EventTable.objects.filter(event=evening.id, round__number=2).first().code
    assert as_client("north").get(address(evening.id, "print/slips/")).status_code == 403
    assert as_client().get(address(evening.id, "print/slips/")).status_code == 302
    assertContains(as_client("director").get(address(evening.id, "print/slips/")), code)


def test_slips_of_a_round_that_is_none_are_kept_for_no_other(evening: Evening, as_client: Any) -> None:
    director = as_client("director")
    for asked, round_ in (("00001", 2), ("0001", 1), ("1", 1), ("x", 2), ("2", 2)):
        assertContains(director.get(address(evening.id, "print/slips/"), {"round": asked}), f"Round {round_}, table")


def test_nothing_private_leaks(evening: Evening, cast: Any, as_client: Any) -> None:
    """No e-mail address, no note, no code of somebody else's table on any page or in any file."""
    Player.objects.filter(pk=cast.north.pk).update(email="north@example.org")
    with open_desk(evening.id, by=Actor.SYSTEM, needs="direct", kind="noted") as desk:
        for entrant in desk.event.entrants.all():
            desk.change(entrant, note="owes us five")
    entrants.withdraw(event_id=evening.id, by=evening.by, entrant_id=Entrant.objects.get(number=8).pk, reason="row")
    mine = Seating.objects.get(round__number=2, entrant__number=1).table_id
    codes = EventTable.objects.filter(event=evening.id).exclude(pk=mine).values_list("code", flat=True)
    everything = (*TABS, *MORE, *FILES, "entrants/1/", "entrants/8/", "entrants/1/terms/", "rounds/1/why/", "?round=1")
    for who in ("", "member", "north"):
        for rest in everything:
            text = as_client(who).get(address(evening.id, rest)).content.decode()
            assert "@" not in text, (who, rest)
            assert "owes us" not in text and "row" not in text.split(), (who, rest)
            assert not any(code in text for code in codes if code), (who, rest)
    for page in ("now", "standings", "bracket", "entrants", "wall", "told", "about", "embed"):
        frame = frames.render(evening.id, page, "en")
        text = "".join(frame.parts)
        assert "@" not in text and "owes us" not in text
        assert not any(code in text for code in codes if code), page


# --- what stands on them --------------------------------------------------------------------------------


def test_the_round_says_who_sits_where_and_why(evening: Evening, as_client: Any) -> None:
    page = as_client("north").get(address(evening.id))
    table = evening.tables(EventTable.State.CONFIRMED)[0]
    assertContains(page, f"{table.points_0} to {table.points_1}")
    assertContains(page, "Why these tables")
    assertContains(page, "2 of 4 done")
    assertContains(page, "Round 2 is on")
    mine = Seating.objects.get(round__number=2, entrant__number=1).table
    assertContains(page, f'id="t-{mine.pk}" class="is-me')


def test_one_tap_leads_to_the_own_table(evening: Evening, as_client: Any) -> None:
    for table in evening.tables():
        if 1 in table.sides[0] + table.sides[1]:
            page = as_client("north").get(address(evening.id))
            assertContains(page, reverse("event_hall", args=[evening.id, table.code]))
            assertContains(page, "Enter the score")
            break
    else:
        table = Seating.objects.get(round__number=2, entrant__number=1).table
        assertContains(as_client("north").get(address(evening.id)), "It ended")


def test_standings_open_to_their_terms(evening: Evening, as_client: Any) -> None:
    page = as_client("north").get(address(evening.id, "standings/"))
    assertContains(page, "Buchholz: wins of the opponents")
    assertContains(page, 'id="s-1" class="is-me')
    assertContains(page, f'hx-get="/events/{evening.id}/entrants/1/terms/"')
    assertContains(page, "After round 1")
    assertContains(as_client().get(address(evening.id, "entrants/1/terms/")), "round 1:")
    assert as_client().get(address(evening.id, "entrants/99/terms/")).status_code == 404


@pytest.mark.parametrize(("key", "count"), [("single_elimination", 5), ("double_elimination", 6), ("groups", 6)])
def test_a_bracket_shows_every_slot(club: Club, cast: Any, as_client: Any, key: str, count: int) -> None:
    evening = Evening(club, cast.director, key, count)
    path = address(evening.id, "bracket/")
    assert as_client().get(path).status_code == 404  # a draft
    events.announce(event_id=evening.id, by=evening.by)
    assert as_client().get(path).status_code == 200
    events.start(event_id=evening.id, by=evening.by)
    evening.sweep()
    for _round in range(12):
        page = as_client().get(path)
        assert page.status_code == 200
        if evening.event.state == Event.State.FINISHED:
            break
        evening.play_round()
    assertContains(page, "has won the bracket")
    if key != "groups":
        assertContains(page, "bye")
    if key == "double_elimination":
        assertContains(page, "Losers’ bracket")


def test_partners_that_change_have_a_proof_of_balance(club: Club, cast: Any, as_client: Any) -> None:
    evening = Evening(club, cast.director, "rotation", 9, rounds_planned=5)
    evening.start()
    evening.play_round()
    page = as_client().get(address(evening.id, "balance/"))
    assertContains(page, "Everybody against everybody")
    assertContains(page, "1 person 1×")
    chart = as_client().get(address(evening.id, "print/chart/"))
    assertContains(chart, "if nobody comes or goes", count=3)


@pytest.mark.database
@pytest.mark.parametrize("key", ["swiss_individuals", "progressive", "arena", "round_robin", "duplicate", "teams"])
def test_pages_of_every_format(club: Club, cast: Any, as_client: Any, key: str) -> None:
    evening = Evening(club, cast.director, key, 8)
    events.announce(event_id=evening.id, by=evening.by)
    client = as_client("director")
    wanted = (*TABS, *MORE, *FILES, "print/slips/")
    for rest in ("", "standings/", "about/", "print/cards/"):
        assert client.get(address(evening.id, rest)).status_code == 200, rest
    events.start(event_id=evening.id, by=evening.by)
    evening.sweep()
    evening.play_round()
    for rest in (*wanted, "entrants/1/", "entrants/1/terms/", "rounds/1/why/", "bracket/", "balance/"):
        assert client.get(address(evening.id, rest)).status_code in (200, 404), rest
    table = evening.tables()[0]
    assert client.get(address(evening.id, f"t/{table.code}/")).status_code == 200


def test_names_of_any_kind_are_shown_as_they_are(club: Club, cast: Any, as_client: Any) -> None:
    evening = Evening(club, cast.director, "swiss_individuals", 4)
    names = ("<b>Bold</b>", "פלונית אלמונית", "W" * 40, "=SUM(A1)")
    entrants.add_names(event_id=evening.id, by=evening.by, text="\n".join(names))
    evening.start()
    for rest in ("", "entrants/", "standings/", "wall/", "print/cards/"):
        page = as_client().get(address(evening.id, rest))
        assertNotContains(page, "<b>Bold")
        assertContains(page, "<bdi>פלונית אלמונית</bdi>")


# --- signing up -----------------------------------------------------------------------------------------


def act(client: Client, event_id: int, action: str, **data: Any) -> Any:
    return client.post(address(event_id, "entry/"), {"action": action, **data})


def test_a_pair_finds_together(event: Event, cast: Any, as_client: Any) -> None:
    Event.objects.update(kind="online")
    north, east = as_client("north"), as_client("east")
    assert act(north, event.pk, "sign_up", partner="East").status_code == 302
    request = PartnerRequest.objects.get()
    assertContains(east.get(address(event.pk)), "asks you to play as a pair")
    assert act(east, event.pk, "accept", request=request.pk).status_code == 302
    assert Entrant.objects.get().name == "North & East"
    assertContains(north.get(address(event.pk)), "Signed up")
    assert act(north, event.pk, "withdraw").status_code == 302
    assert Entrant.objects.get().state == Entrant.State.WITHDRAWN


def test_who_is_asked_to_be_a_partner_reads_so_high_in_the_lobby(event: Event, as_client: Any) -> None:
    north, east = as_client("north"), as_client("east")
    act(north, event.pk, "sign_up", partner="East")
    page = east.get("/").content.decode()
    assert page.index("<bdi>North</bdi></bdi> asks you to play as a pair.") < page.index("Pull up a chair")
    assertNotContains(north.get("/"), "asks you to play as a pair")
    Club.objects.update(closed_at=timezone.now())
    assertNotContains(east.get("/"), "asks you to play as a pair")
    assertNotContains(east.get(address(event.pk)), "asks you to play as a pair")


def test_an_event_of_a_closed_club_offers_nothing_and_says_why(event: Event, as_client: Any) -> None:
    north, stranger = as_client("north"), as_client("stranger")
    act(north, event.pk, "sign_up", alone="1")
    assertContains(stranger.get(address(event.pk)), "Sign-up is open")
    Club.objects.update(closed_at=timezone.now())
    for client in (north, stranger):
        page = client.get(address(event.pk))
        assertContains(page, "This club closed on")
        assertContains(page, "The club has closed</span>")
        assertNotContains(page, "Sign-up is open")
        assertNotContains(page, address(event.pk, "entry/"))
    page = stranger.get(address(event.pk))
    assertContains(page, "The club has closed, so nobody can sign up.")
    assertContains(page, "It does not start while the club is closed.")
    assertNotContains(stranger.get("/events/"), "Thursday")
    assertContains(stranger.get("/events/?when=past"), "The club has closed</span>")
    assertContains(as_client().get(f"/clubs/{event.club.slug}/events/"), "The club has closed</span>")
    refused = act(stranger, event.pk, "sign_up", partner="South")
    assert refused.status_code == 422 and "This club has closed." in refused.content.decode()
    Club.objects.update(closed_at=None)
    assertContains(stranger.get(address(event.pk)), "Sign-up is open")


def test_who_has_played_in_an_event_that_is_over_plays_no_more(evening: Evening, as_client: Any) -> None:
    event, client = Event.objects.get(pk=evening.id), as_client("director")
    pages = [address(evening.id, rest) for rest in ("entrants/", "desk/entrants/")]
    for page in pages:
        assertContains(client.get(page), "Playing")
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    for page in pages:
        assertContains(client.get(page), "Took part")
        assertNotContains(client.get(page), "Playing")
    assertContains(client.get(address(evening.id, "entrants/1/")), "Took part</span>")


def test_slips_are_offered_where_a_table_is_in_the_hall(evening: Evening, as_client: Any) -> None:
    desk = address(evening.id, "desk/")
    evening.event.tables.update(kind=Event.Kind.ONLINE)
    assertNotContains(as_client("director").get(desk), "Print slips")
    evening.event.tables.update(kind=Event.Kind.HALL)
    assertContains(as_client("director").get(desk), "Print slips")


def test_the_spare_list(event: Event, as_client: Any) -> None:
    north = as_client("north")
    assert act(north, event.pk, "sign_up", alone="1", partner="left over").status_code == 302
    assertContains(north.get(address(event.pk)), "Looking for a partner")
    assert act(north, event.pk, "ask", partner="South").status_code == 302
    assertContains(north.get(address(event.pk)), "You have asked")
    assert act(north, event.pk, "take_back", request=PartnerRequest.objects.get().pk).status_code == 302
    assert not PartnerRequest.objects.exists()


def test_what_cannot_be_keeps_what_was_typed(event: Event, as_client: Any) -> None:
    Event.objects.update(kind="online")
    page = act(as_client("north"), event.pk, "sign_up", partner="Nobody <Known>")
    assert page.status_code == 422
    assertContains(page, "Nobody on this site is called", status_code=422)
    assertContains(page, 'value="Nobody &lt;Known&gt;"', status_code=422)
    assert act(as_client("banned"), event.pk, "sign_up").status_code == 422
    assert act(as_client("north"), event.pk, "check_in").status_code == 422
    for junk in ({"request": "x"}, {"request": "9" * 40}, {}):
        assert act(as_client("north"), event.pk, "accept", **junk).status_code == 422
    assert act(as_client("north"), event.pk, "fly").status_code == 302
    assert act(as_client(), event.pk, "sign_up").status_code == 302
    assert not Entrant.objects.exists()


def test_a_team_keeps_its_names(event: Event, as_client: Any) -> None:
    Event.objects.update(format="teams", kind="hall")
    north = as_client("north")
    page = act(north, event.pk, "sign_up", team="Four Winds", others=["A", "B", ""])
    assertContains(page, 'value="Four Winds"', status_code=422)
    assertContains(page, 'value="B"', status_code=422)
    assert act(north, event.pk, "sign_up", team="Four Winds", others=["A", "B", "C"]).status_code == 302
    assertContains(as_client().get(address(event.pk, "entrants/")), "Four Winds")


def test_check_in_is_one_tap_on_the_page(event: Event, as_client: Any) -> None:
    Event.objects.update(
        format="swiss_individuals", check_in=30, starts_at=timezone.now() + timedelta(minutes=20), late_until=3
    )
    north = as_client("north")
    act(north, event.pk, "sign_up")
    schedule.sweep(timezone.now())
    assertContains(north.get(address(event.pk)), 'value="check_in"')
    act(north, event.pk, "check_in")
    assert Entrant.objects.get().state == Entrant.State.CHECKED_IN
    assertNotContains(north.get(address(event.pk)), 'value="check_in"')
    assertContains(as_client("south").get(address(event.pk)), "Late entry until round 3")


def test_the_end_of_sign_up_and_the_waiting_list_are_printed(event: Event, as_client: Any) -> None:
    Event.objects.update(
        format="swiss_individuals", capacity=1, starts_at=timezone.now() + timedelta(hours=2), fee="5 dollars"
    )
    act(as_client("north"), event.pk, "sign_up")
    act(as_client("south"), event.pk, "sign_up")
    assertContains(as_client("south").get(address(event.pk)), "On the waiting list")
    assertContains(as_client().get(address(event.pk)), "5 dollars")
    assertContains(as_client().get(address(event.pk)), "1 place; who comes later waits for one.")


# --- lists ------------------------------------------------------------------------------------------------


@pytest.mark.database
def test_the_list_is_ordered_searched_and_paged(club: Club, cast: Any, as_client: Any, event: Event) -> None:
    now = timezone.now()
    swiss = {"club": club, "format": "swiss"}
    Event.objects.bulk_create(
        Event(**swiss, title=f"Evening {number:02}", state="open", starts_at=now + timedelta(days=number))
        for number in range(1, 25)
    )
    Event.objects.create(**swiss, title="Long ago", state="finished", finished_at=now)
    page = as_client().get("/events/")
    text = page.content.decode()
    assert text.index("Evening 01") < text.index("Evening 02")
    assertContains(page, "25 events")
    assertContains(page, "?page=2")
    assertNotContains(page, "Long ago")
    assertContains(as_client().get("/events/?when=past"), "Long ago")
    assertContains(as_client().get("/events/?q=evening+07"), "1 event")
    assertContains(as_client().get("/events/?q=lakeside"), "25 events")
    assertContains(as_client().get("/events/?q=" + "x" * 500), "No event is called that")
    assert as_client().get("/events/?page=99999999999999999").status_code == 200


def test_the_front_page_shows_the_own_events(event: Event, as_client: Any) -> None:
    Event.objects.update(starts_at=timezone.now() + timedelta(days=1))
    assertContains(as_client("member").get("/"), "At your clubs")
    assertNotContains(as_client("stranger").get("/"), "At your clubs")
    assertNotContains(as_client().get("/"), "At your clubs")


# --- how much work it is ----------------------------------------------------------------------------------


def large(club: Club, cast: Any, entrants_: int, played: int) -> Event:
    """Swiss for pairs, closed rounds written straight into the database."""
    event = Event.objects.create(
        club=club, title="Large", format="swiss", state="running", kind="hall", rounds_planned=12, seed=5,
        started_at=timezone.now(),
    )  # fmt: skip
    rows = Entrant.objects.bulk_create(
        Entrant(event=event, number=number, name=f"Pair {number}", state="active") for number in range(1, entrants_ + 1)
    )
    rows[0].members.create(event=event, player=cast.north, name="North")
    for number in range(1, played + 2):
        open_ = number > played
        each = Round.objects.create(event=event, number=number, state="playing" if open_ else "closed")
        order = [1 + (number * step) % entrants_ for step in range(entrants_)] if number % 2 else None
        if order is None or len(set(order)) < entrants_:
            order = list(range(1, entrants_ + 1))[number:] + list(range(1, entrants_ + 1))[:number]
        tables = EventTable.objects.bulk_create(
            EventTable(
                event=event, round=each, number=at // 2 + 1, kind="hall", sides=[[order[at]], [order[at + 1]]],
                reasons=[["level", {"wins": 1}]], code=f"{number:02}{at // 2:03}",
                **({} if open_ else {"state": "confirmed", "points_0": 10, "points_1": at % 9, "winner": 0}),
            )
            for at in range(0, entrants_, 2)
        )  # fmt: skip
        if open_:
            Seating.objects.bulk_create(
                Seating(round=each, table=table, entrant=rows[number_ - 1], side=side)
                for table in tables
                for side, numbers in enumerate(table.sides)
                for number_ in numbers
            )
    return event


FILES_KEPT = dict.fromkeys(("standings.csv", "standings.json", "pairings.csv", "pairings.json"), 4)
PRINTS_KEPT = {f"print/{what}/": 6 for what in ("cards", "chart", "numbers")}
COLD = {"": 17, "standings/": 17, "entrants/": 19, "wall/": 11, "embed/": 10}
COLD |= {"entrants/1/": 15, "entrants/1/terms/": 11} | dict.fromkeys((*FILES_KEPT, *PRINTS_KEPT), 12)
WARM = {"": 10, "standings/": 10, "entrants/": 10, "wall/": 4, "embed/": 4} | FILES_KEPT | PRINTS_KEPT
"""Queries of a page that nobody has looked at since the event changed, and of one that somebody has."""


@pytest.mark.parametrize("size", [(8, 2), (400, 11)])
def test_queries_do_not_grow(
    club: Club, cast: Any, as_client: Any, size: tuple[int, int], django_assert_max_num_queries: Any
) -> None:
    cache.clear()
    event = large(club, cast, *size)
    client, director = as_client("north"), as_client("director")
    client.get(address(event.pk, "about/"))  # notes the visit
    director.get(address(event.pk, "about/"))
    for rest, most in COLD.items():
        for kept in (pages._kept, pages._sheets):
            kept._parts.clear()
        with django_assert_max_num_queries(most):
            assert client.get(address(event.pk, rest)).status_code == 200
        if rest in WARM:
            with django_assert_max_num_queries(WARM[rest]):
                client.get(address(event.pk, rest))
    for most in (12, 6):  # the codes of a hundred tables, then as they are kept
        with django_assert_max_num_queries(most):
            slips = director.get(address(event.pk, "print/slips/"))
        assert slips.content.count(b'class="slip-p"') == size[0] // 2


def test_a_page_is_rendered_once_for_all(evening: Evening, as_client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    render = pages._render

    def noted(name: str, *args: Any, **kwargs: Any) -> Any:
        made.append(name)
        return render(name, *args, **kwargs)

    monkeypatch.setattr(pages, "_render", noted)
    for who in ("", "north", "stranger", ""):
        as_client(who).get(address(evening.id, "standings/"))
    assert made.count("standings") == 1
    evening.enter(evening.tables()[0], again=False)
    as_client().get(address(evening.id, "standings/"))
    assert made.count("standings") == 2


def test_only_what_has_changed_is_pushed(evening: Evening) -> None:
    before = frames.render(evening.id, "standings", "en")
    evening.enter(evening.tables()[0], again=False)
    after = frames.render(evening.id, "standings", "en")
    news = after.besides(frozenset(before.parts))
    assert after.version > before.version
    assert 'id="told"' in news and 'id="standings"' not in news
    assert 'hx-swap-oob="outerMorph"' in news
