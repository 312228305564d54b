"""Clubs in a real browser: from founding to a second member by clicks alone; axe on every page in
both themes, on a desktop and on a phone, with long and right-to-left names."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from games.engine import PRESETS
from games.models import Player
from games.services.results import ensure_ratings
from tests.browser.axe import WIDTHS
from tests.browser.visitor import look_over
from tournaments.models import Club, Membership, Role
from tournaments.services import clubs, joining, noticeboard

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("W" * 24, "פלונית אלמונית ישראלית", "Marta")


@pytest.fixture
def people() -> list[Player]:
    made = [Player.objects.create_user(name) for name in (*NAMES, "Astrid", "Bjorn")]
    ensure_ratings(made)
    return made


@pytest.fixture
def club(people: list[Player]) -> Club:
    owner, director, member, asking, banned = people
    slug = clubs.found_club(
        founder_id=owner.pk, name=f"{'W' * 24} {'M' * 23}", line="W" * 120, about=f"{'M' * 200}\n\nשלום"
    )
    made = Club.objects.get(slug=slug)
    for who in (director, member):
        joining.join_club(club_id=made.pk, player_id=who.pk)
    clubs.set_role(club_id=made.pk, by=owner.pk, player_id=director.pk, role=Role.DIRECTOR)
    clubs.edit_club(
        club_id=made.pk, by=owner.pk, name=made.name, line=made.line, about=made.about, joining="request", public=True
    )
    joining.join_club(club_id=made.pk, player_id=asking.pk, message="W" * 300)
    joining.ban_player(club_id=made.pk, by=owner.pk, player_id=banned.pk, reason="W" * 300)
    joining.invite(club_id=made.pk, by=owner.pk, days=7, label="W" * 60)
    noticeboard.post_notice(club_id=made.pk, by=owner.pk, title="W" * 80, text="W" * 400, pinned=True)
    noticeboard.post_notice(club_id=made.pk, by=director.pk, title="מודעה", text="ביום חמישי\nבשמונה")
    noticeboard.save_rules(club_id=made.pk, by=owner.pk, name="W" * 40, rules=PRESETS["railroad"])
    return made


def logged_in(browser: Browser, site: str, player: Player | None, **options: object) -> Page:
    context = browser.new_context(**options)  # type: ignore[arg-type]
    if player is not None:
        client = Client()
        client.force_login(player)
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
    return context.new_page()


def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, live_server, people: list[Player], club: Club
) -> None:
    owner, _director, member, asking, banned = people
    token = joining.invite(club_id=club.pk, by=owner.pk, days=7)
    notice, rules = club.notices.earliest("pk"), club.rule_sets.get()
    here = club.get_absolute_url()
    views = {
        owner: (
            "/clubs/", "/clubs/?q=nobody", "/clubs/new/", here, f"{here}members/", f"{here}members/?q=nobody",
            f"{here}members/{member.pk}/", f"{here}rules/", f"{here}rules/new/", f"{here}rules/{rules.pk}/",
            f"{here}door/", f"{here}log/", f"{here}settings/", f"{here}notices/new/", f"{here}notices/{notice.pk}/",
            f"/tables/new/?club={club.slug}&set={rules.pk}",
        ),
        asking: (here, f"/clubs/join/{token}/"),
        banned: (here,),
        None: ("/clubs/", here, "/clubs/join/nothing/"),
    }  # fmt: skip
    for who, addresses in views.items():
        page = logged_in(browser, live_server.url, who, reduced_motion="reduce")
        for address in addresses:
            look_over(page, live_server.url, address, WIDTHS)
        page.context.close()


def test_a_club_is_founded_and_a_second_member_comes_by_a_link(
    browser: Browser, live_server, people: list[Player]
) -> None:
    """Two fields and five clicks for the one, one click for the other."""
    founder, guest = people[2:4]
    page = logged_in(browser, live_server.url, founder)
    page.goto(f"{live_server.url}/")
    page.get_by_role("link", name="Clubs").click()
    page.get_by_role("link", name="Found a club").first.click()
    page.get_by_label("Name").fill("Boathouse")
    page.get_by_role("button", name="Found the club").click()
    expect(page.get_by_role("heading", name="Boathouse", level=1)).to_be_visible()
    page.get_by_role("link", name="Invite").click()
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_text(re.compile(r"^http.*/clubs/join/")).inner_text()
    other = logged_in(browser, live_server.url, guest)
    other.goto(link)
    other.get_by_role("button", name="Join the club").click()
    expect(other.get_by_text("You are a member now.")).to_be_visible()
    assert set(Membership.objects.values_list("player__name", flat=True)) == {"Marta", "Astrid"}
    page.reload()
    expect(page.get_by_text("1 player came by it.")).to_be_visible()
    expect(page.get_by_text(link)).to_have_count(0)
    page.context.close()
    other.context.close()
