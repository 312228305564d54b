"""Accounts and the site's pages in a real browser: passkeys under the policy, axe in both themes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import Player, Pulse
from tests.browser.axe import WIDTHS, assert_sound

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def a_site_that_is_well() -> None:
    cache.clear()
    Pulse.objects.create(name="sweep", at=timezone.now() + timedelta(hours=1))


def join(page: Page, site: str, name: str = "North") -> None:
    page.goto(f"{site}/accounts/signup/")
    page.get_by_label("Name at the table").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("link", name=f"{name}, your profile")).to_be_visible()


def add_authenticator(page: Page) -> None:
    """A key built into this browser, whose owner always agrees."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_added_and_then_opens_the_account_by_itself(
    page: Page, live_server: Any, complaints: list[str]
) -> None:
    add_authenticator(page)
    join(page, live_server.url)
    page.get_by_role("link", name="Account and settings").click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", level=1, name="Recovery codes")).to_be_visible()

    page.goto(f"{live_server.url}/accounts/")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("link", name="Log in").click()
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("link", name="North, your profile")).to_be_visible()


def test_a_refused_passkey_is_told_beside_the_button(page: Page, live_server: Any, complaints: list[str]) -> None:
    add_authenticator(page)
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("The passkey did not work. Try again, or use your password.")).to_be_visible()


def test_a_look_is_shown_at_once_and_kept(page: Page, live_server: Any, complaints: list[str]) -> None:
    page.goto(f"{live_server.url}/preferences/")
    page.get_by_label("Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.get_by_role("button", name="Save").click()
    page.goto(f"{live_server.url}/rules/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_accounts_and_preferences_need_no_script(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    join(page, live_server.url)
    page.goto(f"{live_server.url}/preferences/")
    page.get_by_label("Damson").check(force=True)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-felt", "damson")
    context.close()


OPEN = [
    "/rules/",
    "/ratings/",
    "/fair-play/",
    "/privacy/",
    "/status/",
    "/preferences/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/no/such/page/",
]
PRIVATE = [
    "/accounts/",
    "/accounts/delete/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/2fa/webauthn/add/",
]


def test_axe_finds_nothing_and_nothing_runs_over(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()

    def check(address: str) -> None:
        page.goto(live_server.url + address)
        assert_sound(page, address, WIDTHS)

    for address in OPEN:
        check(address)
    page.goto(f"{live_server.url}/accounts/signup/")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_label("Name at the table")).to_have_attribute("aria-invalid", "true")
    page.wait_for_load_state()
    assert_sound(page, "a refused form", WIDTHS)
    join(page, live_server.url, "South")
    page.goto(f"{live_server.url}/accounts/reauthenticate/?next=/accounts/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    expect(page).to_have_url(f"{live_server.url}/accounts/")
    for address in PRIVATE:
        check(address)
    assert Player.objects.filter(name="South").exists()
    context.close()
