"""Events in a real browser: a score in four taps, a new round that comes by itself, axe on every kind
of page in both themes, on a desktop and on a phone, with long and right-to-left names."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Player
from games.services.results import ensure_ratings
from tests.browser.axe import WIDTHS
from tests.browser.test_clubs import logged_in
from tests.browser.test_late_scripts import hold
from tests.browser.visitor import Visitor, look_over
from tests.events.evening import Evening
from tests.faults.stack import Stack
from tournaments.models import Club
from tournaments.services import clubs, entrants, events

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("W" * 24, "פלונית אלמונית ישראלית", "Marta")


@pytest.fixture
def people() -> list[Player]:
    made = [Player.objects.create_user(name) for name in NAMES]
    ensure_ratings(made)
    return made


@pytest.fixture
def club(people: list[Player]) -> Club:
    slug = clubs.found_club(founder_id=people[0].pk, name=f"{'W' * 24} {'M' * 23}", line="W" * 120)
    return Club.objects.get(slug=slug)


def quiet(page: Page) -> Page:
    """A page whose sockets open, and say nothing: the test's server has none."""
    page.context.route_web_socket("**/ws/**", lambda socket: None)
    return page


def an_evening(club: Club, owner: Player, key: str, count: int, **fields: Any) -> Evening:
    made = Evening(club, owner, key, 0, title=f"{'W' * 30} תחרות", **fields)
    names = [f"{'W' * 30} A", "פלונית אלמונית ישראלית"]
    lines = names if made.plan.members == 1 else [" & ".join(names)]
    entrants.add_names(event_id=made.id, by=made.by, text="\n".join(lines))
    made.add(count - len(lines))
    return made


def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, live_server: Any, people: list[Player], club: Club
) -> None:
    owner = people[0]
    swiss = an_evening(club, owner, "swiss", 6, rounds_planned=3, fee="W" * 100, about="W" * 200)
    ahead = an_evening(club, owner, "swiss", 2, capacity=4, late_until=2)
    events.announce(event_id=ahead.id, by=ahead.by)
    double = an_evening(club, owner, "double_elimination", 6)
    rotation = an_evening(club, owner, "rotation", 9, rounds_planned=4)
    for each in (swiss, double, rotation):
        each.start()
        each.play_round()
        each.enter(each.tables()[0], again=False)
    table, other = swiss.tables()[-1], rotation.tables()[-1]
    here, there = f"/events/{swiss.id}/", f"/events/{rotation.id}/"
    views = {
        people[1]: (
            "/events/", here, f"{here}standings/", f"{here}entrants/", f"{here}about/", f"{here}entrants/1/",
            f"/events/{double.id}/bracket/", f"{there}", f"{there}balance/", f"/events/{ahead.id}/",
            f"{here}print/cards/", f"{there}print/chart/", f"{here}print/numbers/",
        ),
        owner: (f"{here}print/slips/",),
        None: ("/t/", f"{here}t/{table.code}/", f"{there}t/{other.code}/", f"{here}wall/", f"{here}embed/"),
    }  # fmt: skip
    for who, addresses in views.items():
        page = quiet(logged_in(browser, live_server.url, who, reduced_motion="reduce"))
        for address in addresses:
            look_over(page, live_server.url, address, WIDTHS)
        page.context.close()


def test_a_score_is_four_taps_and_one_of_the_other_side(
    browser: Browser, live_server: Any, people: list[Player], club: Club
) -> None:
    evening = an_evening(club, people[0], "swiss", 4, rounds_planned=3)
    evening.start()
    table = evening.tables()[0]
    address = f"{live_server.url}/events/{evening.id}/t/{table.code}/"
    one, other = (quiet(logged_in(browser, live_server.url, None, has_touch=True)) for _phone in range(2))
    one.goto(address)
    one.locator("input[name=side]").first.tap()
    one.locator("input[name=points-0][value='10']").tap()
    one.locator("input[name=points-1][value='6']").tap()
    one.get_by_role("button", name="Send the score").tap()
    expect(one.get_by_text("Your side said 10–6")).to_be_visible()
    other.goto(address)
    other.get_by_role("button", name="Yes, that is right").tap()
    expect(other.get_by_text("Both sides agree")).to_be_visible()
    for page in (one, other):
        page.context.close()


MADE = """
import django; django.setup()
from games.models import Player
from tests.events.evening import Evening
from tournaments.models import Club, EventTable
from tournaments.services import clubs, entrants, joining
owner = Player.objects.create_user("Owner of the evening")
club = Club.objects.get(slug=clubs.found_club(founder_id=owner.pk, name="Evening club"))
joining.join_club(club_id=club.pk, player_id=Player.objects.get(name={name!r}).pk)
evening = Evening(club, owner, "swiss", 0, title="Live evening", rounds_planned=3)
entrants.add_names(event_id=evening.id, by=evening.by, text={name!r} + " & Partner")
evening.add(3)
evening.start()
print(evening.id, owner.pk, *EventTable.objects.filter(event=evening.id).values_list("code", flat=True))
"""

ROUND = """
import django; django.setup()
from games.models import Player
from tests.events.evening import Evening
import random
evening = Evening.__new__(Evening)
evening.id, evening.director, evening.key = {event}, Player.objects.get(pk={owner}), "swiss"
evening.rng = random.Random(3)
for table in evening.tables():
    evening.enter(table, again=False)
evening.sweep()
"""


def test_a_new_round_comes_without_reloading(stack: Stack, visit: Any, joined: Any) -> None:
    """Also one's own table in it, which nobody else is sent."""
    north: Visitor = joined("North")
    event, owner, *codes = stack.python("-c", MADE.format(name=north.name)).split()
    page = north.page
    release = hold(page, "django_htmx/ext/hx-ws-4.min.js")
    page.goto(f"/events/{event}/", wait_until="commit")
    expect(page.get_by_text("Round 1 is on")).to_be_visible()
    page.wait_for_function("() => window.htmx && new Promise((done) => setTimeout(done, 0, true))")
    release()  # on a slow line the extension comes after htmx has looked the page over
    page.evaluate("window.same = true")
    phone: Visitor = visit()
    phone.page.goto(f"/events/{event}/t/{codes[0]}/")
    phone.page.locator("input[name=side]").first.check()
    phone.page.locator("input[name=points-0][value='10']").check()
    phone.page.locator("input[name=points-1][value='6']").check()
    phone.page.get_by_role("button", name="Send the score").click()
    expect(phone.page.get_by_text("Your side said 10–6")).to_be_visible()
    expect(page.get_by_text("Reported by one side")).to_be_visible()
    stack.python("-c", ROUND.format(event=event, owner=owner))
    expect(page.get_by_text("Round 2 is on")).to_be_visible()
    expect(page.get_by_role("heading", name="Round 2 tables")).to_be_visible()
    expect(page.locator("#mine").get_by_text("Round 2.")).to_be_visible()
    expect(page.locator("#round tr.is-me")).to_be_visible()
    expect(phone.page.get_by_text("Both sides agree")).to_be_visible()
    assert page.evaluate("window.same")
