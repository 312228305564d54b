"""Ladders in a real browser: a challenge from the button to the confirmed score; axe on the pages,
with long and right-to-left names."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Player
from games.services.results import ensure_ratings
from tests.browser.axe import WIDTHS
from tests.browser.test_clubs import logged_in
from tests.browser.test_event_pages import quiet
from tests.browser.visitor import look_over
from tests.faults.stack import Stack
from tournaments.models import Club, Ladder, LadderPair, Membership, Role
from tournaments.services import ladders
from tournaments.services.ladders import Settings

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ruth", "North", "South", "W" * 24, "פלונית אלמונית ישראלית")


@pytest.fixture
def people() -> list[Player]:
    made = [Player.objects.create_user(name) for name in NAMES]
    ensure_ratings(made)
    return made


@pytest.fixture
def ladder(people: list[Player]) -> Ladder:
    """A pair without accounts on top, then the long names, then north and south."""
    club = Club.objects.create(name="Lakeside", name_key="lakeslde", slug="lakeside")
    Membership.objects.bulk_create(
        Membership(club=club, player=one, role=Role.OWNER if one == people[0] else Role.MEMBER) for one in people
    )
    made = ladders.create_ladder(club_id=club.pk, by=people[0].pk, terms=Settings(f"{'W' * 24} {'M' * 23}"))
    text = f"Old Tom & شادية\n{NAMES[3]} & {NAMES[4]}\nNorth & South"
    ladders.enter_pairs(ladder_id=made, by=people[0].pk, text=text)
    return Ladder.objects.select_related("club").get(pk=made)


def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, live_server, people: list[Player], ladder: Ladder
) -> None:
    owner, north, _south, upper, _partner = people
    pair = LadderPair.objects.get(number=2)
    match = ladders.challenge(ladder_id=ladder.pk, by=north.pk, upper=pair.pk)
    here = ladder.get_absolute_url()
    views = {owner: ("", "desk/", "edit/", "history/"), upper: (f"matches/{match}/",)}
    for who, addresses in views.items():
        page = quiet(logged_in(browser, live_server.url, who, reduced_motion="reduce"))
        for address in addresses:
            look_over(page, live_server.url, here + address, WIDTHS)
        page.context.close()


def test_a_challenge_is_made_taken_typed_and_confirmed(
    browser: Browser, live_server, people: list[Player], ladder: Ladder
) -> None:
    """Three clicks and a score for the one, three clicks for the other."""
    _owner, north, _south, upper, _partner = people

    def at_ladder(who: Player) -> Page:
        page = quiet(logged_in(browser, live_server.url, who))
        page.goto(live_server.url + ladder.get_absolute_url())
        return page

    lower = at_ladder(north)
    lower.get_by_role("button", name=f"Challenge {NAMES[3]}").click()
    expect(lower.get_by_text("The challenge is made.")).to_be_visible()
    other = at_ladder(upper)
    other.get_by_role("link", name="Answer").click()
    other.get_by_role("button", name="Take the challenge").click()
    expect(other.get_by_text("Agree on a time, and play.")).to_be_visible()
    lower.reload()
    lower.get_by_label("Points of North & South").fill("10")
    lower.get_by_label(f"Points of {NAMES[3]}").fill("7")
    lower.get_by_role("button", name="Send the score").click()
    expect(lower.get_by_text("The other side confirms it.").first).to_be_visible()
    other.reload()
    other.get_by_role("button", name="Confirm 10–7").click()
    expect(other.get_by_text("The result counts.")).to_be_visible()
    lower.goto(live_server.url + ladder.get_absolute_url())
    expect(lower.locator(".rungs > li.is-me")).to_contain_text("won the place")
    expect(lower.locator(".rungs > li").nth(1)).to_contain_text("North")
    lower.context.close()
    other.context.close()


MADE = """
import django; django.setup()
from games.models import Player
from tournaments.models import Club, Ladder
from tournaments.services import clubs, joining, ladders
from tournaments.services.ladders import Settings
owner = Player.objects.create_user("Owner of the ladder")
club = Club.objects.get(slug=clubs.found_club(founder_id=owner.pk, name="Ladder club"))
for name in {names!r}:
    joining.join_club(club_id=club.pk, player_id=Player.objects.get(name=name).pk)
made = ladders.create_ladder(club_id=club.pk, by=owner.pk, terms=Settings("Live ladder"))
ladders.enter_pairs(ladder_id=made, by=owner.pk, text="{names[1]} & Ann\\n{names[0]} & Bob")
print(Ladder.objects.get(pk=made).get_absolute_url())
"""


def test_what_the_others_do_comes_without_reloading(stack: Stack, joined: Any) -> None:
    """Also what is asked of oneself alone; what one is typing meanwhile stays."""
    north, upper = joined("North"), joined("Upper")
    here = stack.python("-c", MADE.format(names=(north.name, upper.name))).strip()
    upper.page.goto(here)
    north.page.goto(here)
    for each in (upper, north):
        each.page.evaluate("window.same = true")
    north.page.get_by_role("button", name=f"Challenge {upper.name}").click()
    expect(upper.page.get_by_text("challenge you.")).to_be_visible()
    assert upper.page.evaluate("window.same")
    upper.page.get_by_role("link", name="Answer").click()
    upper.page.get_by_role("button", name="Take the challenge").click()
    mine = north.page.get_by_label(f"Points of {north.name}")
    mine.fill("9")
    upper.page.get_by_label(f"Points of {upper.name}").fill("10")
    upper.page.get_by_label(f"Points of {north.name}").fill("7")
    upper.page.get_by_role("button", name="Send the score").click()
    expect(north.page.get_by_role("button", name="Confirm 7–10")).to_be_visible()
    expect(mine).to_have_value("9")
