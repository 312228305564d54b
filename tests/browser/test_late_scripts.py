"""A page whose scripts come late: what is pressed or chosen before is not lost, or cannot be pressed yet."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_accounts import PASSWORD, a_site_that_is_well, add_authenticator, join
from tests.browser.visitor import Visitor

__all__ = ["a_site_that_is_well"]  # for each of these tests too

pytestmark = pytest.mark.django_db(transaction=True)

Release = Callable[[], None]


def hold(page: Page, script: str) -> Release:
    """Keep this script on its way, until what is returned is called. (Its address may have a digest in it.)"""
    held: list[Route] = []
    released: list[bool] = []
    address = re.compile(rf"/{re.escape(script.removesuffix('.js'))}(\.[0-9a-f]{{12}})?\.js$")
    page.route(address, lambda route: route.continue_() if released else held.append(route))

    def release() -> None:
        released.append(True)
        for route in held:
            route.continue_()

    return release


@pytest.mark.parametrize("script", ["mfa/js/webauthn.js", "account/js/onload.js", "js/site.js"])
def test_a_passkey_can_be_asked_for_once_its_scripts_are_there(page: Page, live_server: Any, script: str) -> None:
    add_authenticator(page)
    join(page, live_server.url)
    page.goto(f"{live_server.url}/accounts/reauthenticate/?next=/accounts/2fa/webauthn/add/")
    release = hold(page, script)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    button = page.get_by_role("button", name="Add it")
    expect(button).to_be_disabled()
    release()
    button.click()
    expect(page.get_by_role("heading", level=1, name="Recovery codes")).to_be_visible()


@pytest.mark.parametrize("script", ["js/site.js", "django_htmx/htmx-4.min.js"])
def test_a_filter_chosen_early_filters(page: Page, live_server: Any, script: str) -> None:
    release = hold(page, script)
    page.goto(f"{live_server.url}/standings/", wait_until="commit")
    page.get_by_label("Period").select_option("All time")
    release()
    expect(page.get_by_role("heading", name="Everyone, all time")).to_be_visible()
    expect(page).to_have_url(re.compile("period=all"))


@pytest.mark.parametrize("script", ["django_htmx/htmx-4.min.js", "django_htmx/ext/hx-ws-4.min.js", "js/table.js"])
def test_a_table_serves_who_is_early(joined: Callable[..., Visitor], script: str) -> None:
    """A look is taken as chosen, and a button sends its form by itself."""
    north = joined("North")
    address = north.open_table(Game="Friendly", Seconds="45")
    page = north.page
    release = hold(page, script)
    page.goto(address, wait_until="commit")
    page.get_by_role("button", name="Table menu").click()
    page.get_by_label("Damson").check(force=True)
    release()
    expect(page.locator("html")).to_have_attribute("data-felt", "damson")

    release = hold(page, script)
    page.goto(address, wait_until="commit")
    north.button("Start with bots now").click()
    north.sees_a_hand()
    release()
    north.wait_until_asked()
    assert north.act() != "over"
