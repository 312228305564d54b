"""Evenings of a new organiser in a real browser, by what the pages say; every click and every field
filled counts as an action."""

from __future__ import annotations

import re
import time

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import Game, Player
from games.models import Table as LiveTable
from games.selectors import tables
from games.services import clock
from games.services.results import ensure_ratings
from tests.browser.axe import WIDTHS, assert_panel_sound
from tests.browser.test_clubs import logged_in
from tests.browser.visitor import look_over
from tests.events.evening import Evening
from tournaments.models import Club, Event, EventTable, Membership, Role
from tournaments.services import entrants, events, results, rounds

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "June")
GUESTS = "\n".join(f"{number}. {FIRST[number % 10]} {'Voss' if number > 10 else 'Maher'}" for number in range(1, 21))
LONG = ("W" * 60, "פלונית אלמונית ישראלית", 'O\'Brien "Bo" <b>', "🂡 Ace")


THINKING = 10
"""Seconds that a person takes for an action, with reading what is there."""


class Organiser:
    """Somebody at a page, who counts what he does, with a stopwatch."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0
        self.began = time.monotonic()

    @property
    def seconds(self) -> float:
        """What the pages have taken since he began, and what he would have."""
        return time.monotonic() - self.began + THINKING * self.actions

    def click(self, role: str, name: str, *, exact: bool = True) -> None:
        self.actions += 1
        self.page.get_by_role(role, name=name, exact=exact).first.click()  # type: ignore[arg-type]

    def choose(self, label: str | re.Pattern[str]) -> None:
        self.actions += 1
        self.page.get_by_label(label).first.check(force=True)

    def fill(self, label: str, text: str) -> None:
        self.actions += 1
        self.page.get_by_label(label, exact=True).fill(text)


@pytest.fixture
def people() -> list[Player]:
    made = [Player.objects.create_user(name) for name in ("Marta", "Tom")]
    made += [Player.objects.create_user(name, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel")]
    ensure_ratings(made)
    return made


@pytest.fixture
def club(people: list[Player]) -> Club:
    made = Club.objects.create(name="Boathouse", name_key="boathouse", slug="boathouse")
    Membership.objects.create(club=made, player=people[0], role=Role.OWNER)
    return made


def test_from_an_empty_account_to_a_running_online_event_of_eight_with_bots(
    browser: Browser, live_server, people: list[Player]
) -> None:
    page = logged_in(browser, live_server.url, people[0])
    page.goto(f"{live_server.url}/")
    one = Organiser(page)
    one.click("link", "Clubs")
    one.click("link", "Found a club")
    one.fill("Name", "Boathouse")
    one.click("button", "Found the club")
    one.click("link", "New event")
    one.fill("Title", "First cup")
    one.click("button", "Make the event")
    one.fill("Fill up with bots to", "8")
    one.click("button", "Fill with bots")
    expect(page.get_by_text("8 pairs of bots play with you.")).to_be_visible()
    one.click("button", "Start the event now")
    expect(page.get_by_role("heading", name=re.compile("^Round 1 of"))).to_be_visible()
    expect(page.get_by_text("0 of 4 scores in")).to_be_visible()
    assert one.actions <= 12, one.actions
    assert one.seconds <= 180, one.seconds
    tables = EventTable.objects.filter(event__title="First cup")
    assert [table.live_table_id is not None for table in tables] == [True] * 4
    page.context.close()


def test_a_hall_night_of_twenty_pasted_names(browser: Browser, live_server, people: list[Player], club: Club) -> None:
    page = logged_in(browser, live_server.url, people[0])
    page.goto(live_server.url + club.get_absolute_url())
    one = Organiser(page)
    one.click("link", "New event")
    one.fill("Title", "Thursday")
    one.choose("In a hall, with real cards")
    one.choose(re.compile("^Rotation"))
    one.click("button", "Make the event")
    one.fill("Names, one a line", GUESTS)
    one.click("button", "Add them")
    one.click("button", "Start the event now")
    expect(page.get_by_text("0 of 5 scores in")).to_be_visible()
    assert one.actions <= 8, one.actions
    assert one.seconds <= 180, one.seconds
    evening = Organiser(page)
    for number in range(1, 6):  # typed by keyboard: Tab moves across, Enter saves the row
        first = page.get_by_role("textbox", name=re.compile(f"^Table {number},")).first
        first.focus()
        page.keyboard.type("9")
        page.keyboard.press("Tab")
        page.keyboard.type(str(number))
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"{number} of 5 scores in")).to_be_visible()
    evening.click("button", "Next round: 2")
    assert evening.actions == 1
    expect(page.get_by_role("heading", name=re.compile("^Round 2 of"))).to_be_visible()
    page.context.close()


def test_check_in_takes_two_taps(browser: Browser, live_server, people: list[Player], club: Club) -> None:
    evening = Evening(club, people[0], "rotation", 8)
    Event.objects.filter(pk=evening.id).update(state=Event.State.CHECK_IN)
    page = logged_in(browser, live_server.url, people[0], has_touch=True, viewport={"width": 390, "height": 844})
    page.goto(live_server.url + club.get_absolute_url() + "events/")
    one = Organiser(page)
    one.click("link", "Desk of rotation")
    one.click("button", "Check in Ada A")
    expect(page.get_by_text("1 checked in")).to_be_visible()
    assert one.actions == 2
    page.context.close()


def test_a_score_of_two_rounds_ago_is_put_right_in_four_clicks(
    browser: Browser, live_server, people: list[Player], club: Club
) -> None:
    evening = Evening(club, people[0], "swiss", 8, rounds_planned=5)
    evening.start()
    evening.play_round()
    evening.play_round()
    table = EventTable.objects.get(event=evening.id, round__number=1, number=1)
    page = logged_in(browser, live_server.url, people[0])
    page.goto(live_server.url + reverse("event_desk", args=[evening.id]))
    one = Organiser(page)
    one.click("link", "Round 1")
    fields = page.get_by_role("textbox", name=re.compile("^Table 1,"))
    fields.first.fill(str(table.points_1))
    fields.last.fill(str(table.points_0))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What it changes")).to_be_visible()
    one.click("button", "Correct the result")
    expect(page.get_by_text("Table 1 is corrected.")).to_be_visible()
    assert one.actions + 1 <= 4
    changed = EventTable.objects.get(pk=table.pk)
    assert (changed.points_0, changed.points_1) == (table.points_1, table.points_0)
    page.context.close()


def test_two_tables_online_and_three_in_the_hall_have_one_ranking(
    browser: Browser, live_server, people: list[Player], club: Club, settings
) -> None:
    settings.EUCHRE_BOT_DELAY = settings.EUCHRE_TRICK_PAUSE = settings.EUCHRE_DEAL_PAUSE = 0
    wanted = {"kind": "online", "pairing": "draft", "rounds_planned": 1, "late_until": 0}
    evening = Evening(
        club, people[0], "swiss", 6, settings={"target": 5}, rules="article target_score=5", bots_fill=True, **wanted
    )
    for number in range(8):
        Player.objects.create_user(f"Bot {number}", bot_level="fill_in")
    entrants.fill_with_bots(event_id=evening.id, by=evening.by, entrants=10)
    events.announce(event_id=evening.id, by=evening.by)
    events.start(event_id=evening.id, by=evening.by)
    rounds.draw(event_id=evening.id, by=evening.by, number=1)
    pairs_of_bots = evening.event.entrants.filter(members__player__isnull=False).order_by("number")
    bots = list(pairs_of_bots.values_list("number", flat=True).distinct())
    for one, other in (bots[:2], bots[2:]):  # they meet each other: who has no account is in the hall
        sides = next(table.sides for table in EventTable.objects.filter(event=evening.id) if [one] in table.sides)
        against = sides[1 - sides.index([one])][0]
        rounds.swap(event_id=evening.id, by=evening.by, number=1, one=against, other=other)
    page = logged_in(browser, live_server.url, people[0])
    page.goto(live_server.url + reverse("event_desk", args=[evening.id]))
    marta = Organiser(page)
    marta.click("button", "Publish round 1")
    expect(page.get_by_text("0 of 5 scores in")).to_be_visible()
    expect(page.get_by_text("Hall", exact=True)).to_have_count(3)
    play_out_live_games(evening)
    page.reload()
    expect(page.get_by_text("2 of 5 scores in")).to_be_visible()
    for table in evening.tables():
        page.get_by_role("textbox", name=re.compile(f"^Table {table.number},")).first.fill("5")
        page.get_by_role("textbox", name=re.compile(f"^Table {table.number},")).last.fill("3")
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Table {table.number} is saved.")).to_be_visible()
    marta.click("button", "Finish the event")
    expect(page.get_by_text("Finished", exact=True).first).to_be_visible()
    page.goto(live_server.url + reverse("event_standings", args=[evening.id]))
    ranking = page.get_by_role("table").first
    for entrant in evening.event.entrants.all():
        expect(ranking.get_by_text(entrant.name.split(" & ")[0]).first).to_be_visible()
    expect(ranking.locator("tbody tr")).to_have_count(10)
    page.context.close()


def play_out_live_games(evening: Evening) -> None:
    """Bots play the last deals of their games, and the event hears of it."""
    clock.sweep(timezone.now())
    live = LiveTable.objects.filter(event_table__event=evening.id)
    live.update(score_0=4, score_1=4)
    for table_id in live.values_list("pk", flat=True):
        while (row := tables.read_row(table_id)) is not None and row.running:
            clock.act(table_id=table_id, version=row.version, claim=row.due_at)
    for game_id in Game.objects.values_list("pk", flat=True):
        results.report_game(game_id=game_id)


def test_what_is_typed_stays_while_another_director_saves(
    browser: Browser, live_server, people: list[Player], club: Club
) -> None:
    evening = Evening(club, people[0], "swiss", 8)
    evening.start()
    page = logged_in(browser, live_server.url, people[0])
    page.goto(live_server.url + reverse("event_desk", args=[evening.id]))
    first = page.get_by_role("textbox", name=re.compile("^Table 1,")).first
    first.press_sequentially("7")
    evening.enter(evening.tables()[3])
    page.get_by_role("button", name="+ 5 min").click()  # any answer brings the others' changes
    expect(page.get_by_text("1 of 4 scores in")).to_be_visible()
    expect(first).to_have_value("7")
    page.get_by_role("link", name="More for table 2").click()
    expect(page.get_by_role("dialog", name="Table 2")).to_be_visible()
    page.get_by_role("dialog").get_by_text("No score: forfeit or void").click()
    page.get_by_role("dialog").get_by_role("button", name="Nobody came").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("2 of 4 scores in")).to_be_visible()
    expect(first).to_have_value("7")
    page.context.close()


def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, live_server, people: list[Player], club: Club
) -> None:
    evening = Evening(club, people[0], "rotation", 4, title="W" * 60)
    Event.objects.filter(pk=evening.id).update(state=Event.State.OPEN)
    for entrant, name in zip(evening.event.entrants.all(), LONG, strict=True):
        entrant.name = name
        entrant.save()
    evening.start()
    evening.play_round()
    table = evening.tables()[0]
    args = {"desk_table": [table.pk], "desk_correct": [table.pk], "desk_person": [evening.event.entrants.first().pk]}  # type: ignore[union-attr]
    names = ("event_desk", "desk_table", "desk_correct", "desk_people", "desk_person", "desk_add", "desk_wishes",
             "desk_links", "desk_log", "desk_settings")  # fmt: skip
    addresses = [reverse(name, args=[evening.id, *args.get(name, [])]) for name in names]
    addresses += [club.get_absolute_url() + rest for rest in ("events/", "events/new/", "events/month/")]
    page = logged_in(browser, live_server.url, people[0], reduced_motion="reduce")
    for address in addresses:
        look_over(page, live_server.url, address, WIDTHS)
    page.goto(live_server.url + addresses[0])
    page.locator("a[data-sheet]").first.click()
    expect(page.locator("#desk-sheet[open]")).to_be_visible()
    assert_panel_sound(page, "#desk-sheet")
    page.context.close()
