"""Standings, players' pages and replays in a real browser: filters, arrow keys, axe in both themes."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from games.bots import analysis as pure
from games.bots import solver
from games.models import Game, Player
from games.services import analysis
from tests.browser.axe import WIDTHS, assert_sound
from tests.factories import Cast, make_bots, make_cast, play_game

pytestmark = pytest.mark.django_db(transaction=True)

LADDER_ROWS = "#ladder tbody tr:not(.rank__g)"
"""The players of the standings, without the headings of their groups."""

ON_THE_TABLE = """() => [...document.querySelectorAll("#replay [data-since]")].map((item) =>
  [item.dataset.card ?? item.textContent, item.hidden, item.className, item.getAttribute("aria-hidden")].join())"""
LONG_NAMES = ("Wwwwwwwwwwwwwwwwwwwwwwww", "Mmmmmm Mmmmmm Mmmmmm Mmm", "פלונית אלמונית ישראלית")


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def game(cast: Cast) -> Game:
    return play_game(cast.seated, seed=3)


def test_a_filter_changes_the_table_and_the_address_without_a_new_page(
    page: Page, live_server, game: Game, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}/standings/")
    page.evaluate("document.body.dataset.kept = true")
    page.get_by_label("Period").select_option("All time")
    expect(page.get_by_role("heading", name="Everyone, all time")).to_be_visible()
    page.get_by_label("Find a player").fill("nor")  # a pause between letters would add an address
    expect(page.locator(LADDER_ROWS)).to_have_count(1)
    expect(page).to_have_url(re.compile(r"period=all.*q=nor"))
    expect(page.locator("#ladder-news")).to_have_text("Everyone, all time: 1 player")
    expect(page.get_by_label("Find a player")).to_be_focused()
    assert page.evaluate("document.body.dataset.kept")
    page.go_back()
    expect(page.locator(LADDER_ROWS)).to_have_count(4)


def test_arrow_keys_show_the_same_as_the_server_at_every_step(
    page: Page, live_server, game: Game, complaints: list[str]
) -> None:
    """Complaint: live viewing and analysis unusable blind (try: replay by keyboard too)."""
    address = f"{live_server.url}/games/{game.pk}/?deal=2&step="
    page.goto(f"{address}0")
    last = int(page.locator("#replay").get_attribute("data-last") or 0)
    stepped = []
    for step in range(last + 1):
        expect(page.locator("#where")).to_contain_text(f"Move {step} of {last}")
        stepped.append(page.evaluate(ON_THE_TABLE))
        if step < last:
            page.keyboard.press("ArrowRight")
    for step in range(last + 1):
        page.goto(f"{address}{step}")
        assert page.evaluate(ON_THE_TABLE) == stepped[step], step


def test_keys_lead_from_deal_to_deal_and_jump(page: Page, live_server, game: Game, complaints: list[str]) -> None:
    page.goto(f"{live_server.url}/games/{game.pk}/")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Deal 2 of")
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Deal 1 of")
    page.wait_for_load_state()  # the script comes after the heading
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_contain_text("Move 0 of")
    expect(page.get_by_role("link", name="Back one")).to_be_disabled()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_label("Link to this position")).to_have_value(
        f"{live_server.url}/games/{game.pk}/?deal=1&step=0"
    )


def test_the_replay_works_without_a_script(browser: Browser, live_server, game: Game) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_server.url}/games/{game.pk}/")
    page.get_by_role("link", name="On one").click()
    page.get_by_role("link", name="On one").click()
    expect(page.locator("#where")).to_contain_text("Move 2 of")
    page.goto(f"{live_server.url}/standings/")
    page.get_by_label("Find a player").fill("north")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(LADDER_ROWS)).to_have_count(1)
    page.context.close()


def test_axe_finds_nothing_and_nothing_is_too_wide(browser: Browser, live_server, cast: Cast) -> None:
    people = [Player.objects.create_user(name) for name in LONG_NAMES]
    for seed in range(3):
        game = play_game([*people, make_bots()[0] if not seed else cast.north], seed=seed, marks="hbc")
    client = Client()
    client.force_login(people[0])
    record = client.get(f"/games/{game.pk}/record/").content.decode()
    outside = client.post("/records/", {"record": record})["Location"]
    context = browser.new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    for address in (
        "/standings/", "/standings/?q=nobody", people[0].get_absolute_url(), "/players/Stranger/", "/players/Clover/",
        f"{people[0].get_absolute_url()}statistics/",
        f"/games/{game.pk}/?deal=1&step=9", f"{outside}?deal=1&step=9",
    ):  # fmt: skip
        page.goto(live_server.url + address)
        assert_sound(page, address, WIDTHS)
    context.close()


def test_the_analysis_fills_the_page_at_the_step_that_is_shown(
    page: Page, live_server, game: Game, complaints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pure, "PLAIN_WORLDS", 4)
    monkeypatch.setattr(solver, "par", lambda _start: ())
    monkeypatch.setattr(analysis.current_app, "send_task", lambda *_args, **_options: None)
    cache.clear()
    game.deals.filter(number__gt=2).delete()
    page.goto(f"{live_server.url}/games/{game.pk}/?deal=2")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Look at the play").click()
    expect(page.get_by_text("A worker is looking at the play.")).to_be_visible()
    page.wait_for_load_state()
    expect(page.locator("#where")).to_contain_text("Move 1 of")
    page.keyboard.press("ArrowRight")
    analysis.analyse(game_id=game.pk)
    expect(page.locator(".eval")).to_be_visible()
    expect(page.locator("#where")).to_contain_text("Move 2 of")
    last = int(page.locator("#replay").get_attribute("data-last") or 0)
    for step in range(3, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#where")).to_contain_text(f"Move {step} of {last}")
        assert page.locator(".verdict:visible").count() <= 1
        assert page.locator(".eval b:visible").count() == 1
    page.emulate_media(reduced_motion="reduce")
    assert_sound(page, "a replay with its analysis")
