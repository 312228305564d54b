"""What every answer carries, and what no form does without."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import Player

pytestmark = pytest.mark.django_db

PAGES = ["/rules/", "/accounts/login/", "/accounts/signup/", "/preferences/", "/no/such/page/", "/status/"]


@pytest.mark.parametrize("address", PAGES)
def test_every_answer_carries_the_headers(client: Client, address: str) -> None:
    headers = client.get(address).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


@pytest.mark.parametrize(
    "name", ["account_login", "account_signup", "account_logout", "account_delete", "account_email", "preferences"]
)
def test_a_form_without_its_token_changes_nothing_and_says_what_to_do(name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(Player.objects.create_user("north", "correct horse battery"))
    response = client.post(reverse(name), {"password": "correct horse battery", "theme": "dark"})
    assert response.status_code == 403
    assert "Nothing was changed. Go back, reload the page" in response.content.decode()
    assert Player.objects.exists()
    assert "_auth_user_id" in client.session


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client: Client) -> None:
    cache.clear()
    client.post("/accounts/signup/", {"username": "north", "password1": "correct horse battery"})
    client.post("/preferences/", {"theme": "dark"})
    for name in ("sessionid", "looks"):
        assert client.cookies[name]["httponly"]
        assert client.cookies[name]["samesite"] == "Lax"


def test_over_tls_the_looks_are_kept_over_tls_only(client: Client) -> None:
    client.post("/preferences/", {"theme": "dark"}, secure=True)
    assert client.cookies["looks"]["secure"]


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_the_way_on_stays_on_the_site(client: Client, name: str, target: str) -> None:
    client.force_login(Player.objects.create_user("north"))
    assert client.get(reverse(name), {"next": target}).url == reverse("lobby")


def test_an_account_page_is_not_kept_by_caches(client: Client) -> None:
    client.force_login(Player.objects.create_user("north"))
    assert "no-store" in client.get(reverse("account")).headers["Cache-Control"]
