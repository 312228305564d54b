"""Ladders in a real browser: a challenge from the button to the confirmed score; axe on the pages,
with long and right-to-left names."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Player
from games.services.results import ensure_ratings
from tests.browser.axe import WIDTHS
from tests.browser.test_clubs import logged_in
from tests.browser.visitor import look_over
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
        page = logged_in(browser, live_server.url, who, reduced_motion="reduce")
        for address in addresses:
            look_over(page, live_server.url, here + address, WIDTHS)
        page.context.close()


def test_a_challenge_is_made_taken_typed_and_confirmed(
    browser: Browser, live_server, people: list[Player], ladder: Ladder
) -> None:
    """Three clicks and a score for the one, three clicks for the other."""
    _owner, north, _south, upper, _partner = people

    def at_ladder(who: Player) -> Page:
        page = logged_in(browser, live_server.url, who)
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
