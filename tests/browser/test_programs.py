"""A person makes a token, and the example client of the documentation plays a whole game with it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable

from playwright.sync_api import expect

from euchre_site.processes import BASE_DIR
from tests.browser.test_axe import assert_nothing_found
from tests.browser.visitor import Visitor
from tests.faults.stack import PATIENCE, Stack


def test_the_example_client_plays_a_whole_game_with_a_token_from_the_page(
    stack: Stack, joined: Callable[..., Visitor]
) -> None:
    north = joined("North")
    page = north.page
    page.goto("/accounts/")
    page.get_by_role("link", name="Manage the programs").click()
    page.get_by_label("What it is").fill("Example client")
    page.get_by_role("button", name="Make a token").click()
    token = page.get_by_label("The new token").input_value()
    assert_nothing_found(north, "a new token")
    page.goto("/accounts/programs/")
    expect(page.get_by_label("The new token")).to_have_count(0)
    expect(page.get_by_text(f"…{token[-4:]}")).to_be_visible()

    client = [sys.executable, str(BASE_DIR / "docs" / "example_client.py"), stack.url, token]
    said = subprocess.run(client, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert said.returncode == 0, said.stderr
    number = re.match(r"Game (\d+): \[\d+, \d+\], side [01] won\. I was seat [0-3]\.", said.stdout)[1]
    with urllib.request.urlopen(f"{stack.url}/api/v1/games/{number}", timeout=PATIENCE) as answer:
        game = json.load(answer)
    own = [seat for seat in game["seats"] if seat["player"] == north.name]
    assert [(seat["program"], seat["bot"], seat["left"]) for seat in own] == [(True, False, False)]
    assert sum(seat["bot"] for seat in game["seats"]) == 3

    page.goto("/accounts/programs/")
    expect(page.get_by_text("Last used on")).to_be_visible()
    page.get_by_role("button", name="Revoke Example client").click()
    expect(page.get_by_text("It can do nothing any more.")).to_be_visible()


def test_axe_finds_nothing_on_the_page_about_the_api(visit: Callable[..., Visitor]) -> None:
    stranger = visit()
    page = stranger.page
    page.goto("/fair-play/")
    page.get_by_role("contentinfo").get_by_role("link", name="API").click()
    page.get_by_text("example_client.py", exact=True).click()
    assert_nothing_found(stranger, "the API")
    page.get_by_role("link", name="TableState").first.click()
    expect(page.get_by_role("heading", name="TableState")).to_be_in_viewport()
