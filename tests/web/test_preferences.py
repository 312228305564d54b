"""Looks and switches: kept in the profile of who has one, and in the cookie for the next visit."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.conf import settings
from django.test import Client

from games import preferences
from games.models import Player
from games.preferences import CHOICES, Preferences, from_text
from games.services import looks
from games.views.pages import LOOKS

PASSWORD = "correct horse battery"


@pytest.fixture
def north(db: Any) -> Player:
    return Player.objects.create_user("North", PASSWORD)


def log_in(client: Client) -> None:
    assert client.post("/accounts/login/", {"login": "North", "password": PASSWORD}).status_code == 302


def cookie(client: Client) -> dict[str, str]:
    return dict(parse_qsl(client.cookies[preferences.COOKIE].value))


class TestChoices:
    def test_each_is_on_the_page_and_in_the_menu_of_the_table(self) -> None:
        assert set(LOOKS) == set(CHOICES) == set(Preferences.__dataclass_fields__)
        for name, values in CHOICES.items():
            assert set(LOOKS[name][1]) == set(values)
            assert getattr(Preferences(), name) == values[0]

    def test_all_of_them_fit_into_a_profile(self) -> None:
        longest = Preferences(**{name: max(values, key=len) for name, values in CHOICES.items()})
        assert len(longest.profile()) < Player._meta.get_field("looks").max_length
        assert from_text(longest.profile()) == from_text(longest.cookie()) == longest

    @pytest.mark.parametrize("text", ["", "theme=<script>", "sort=up&keys=maybe", "%%%", "theme", "=&=&"])
    def test_what_is_forged_is_the_default(self, text: str) -> None:
        assert from_text(text) == Preferences()

    def test_four_colours_count_wherever_a_suit_is_drawn(self) -> None:
        sheets = {path.name: path.read_text() for path in (settings.BASE_DIR / "euchre_site/static/css").glob("*.css")}
        four = re.search(r"\[data-deck=\"four\"\] \{([^}]*)\}", sheets["tokens.css"])[1]
        drawn = r"\[data-suit=\"[CD]\"\][^{}]*\{[^}]*?\bcolor: ([^;}]*)"
        colours = {colour.strip() for sheet in sheets.values() for colour in re.findall(drawn, sheet)}
        assert len(colours) > 3
        assert [colour for colour in colours if f"{colour.removeprefix('var(').removesuffix(')')}:" not in four] == []


class TestProfile:
    def test_a_choice_is_kept_in_the_profile_and_the_cookie(self, client: Client, north: Player) -> None:
        client.force_login(north)
        client.post("/preferences/", {"felt": "barn", "keys": "off", "sort": "left"})
        north.refresh_from_db()
        assert from_text(north.looks) == Preferences(felt="barn", keys="off", sort="left")
        assert cookie(client) == {"felt": "barn", "keys": "off", "sort": "left"}

    def test_it_comes_along_to_another_device_at_log_in(self, client: Client, north: Player) -> None:
        looks.choose(player_id=north.pk, cookie="", values={"theme": "dark", "taps": "two"})
        client.cookies[preferences.COOKIE] = "theme=light&deck=four"
        log_in(client)
        assert cookie(client) == {"theme": "dark", "taps": "two"}
        assert 'data-theme="dark" data-taps="two"' in client.get("/rules/").content.decode()

    def test_a_profile_without_any_takes_what_this_device_shows(self, client: Client, north: Player) -> None:
        client.cookies[preferences.COOKIE] = "theme=dark"
        log_in(client)
        north.refresh_from_db()
        assert from_text(north.looks) == Preferences(theme="dark")

    def test_the_profile_counts_where_an_old_cookie_says_otherwise(self, client: Client, north: Player) -> None:
        client.force_login(north)
        client.post("/preferences/", {"felt": "barn"})
        looks.choose(player_id=north.pk, cookie="", values={"felt": "indigo", "tags": "off"})  # on another device
        assert 'data-felt="indigo"' in client.get("/rules/").content.decode()
        client.post("/preferences/", {"deck": "four"})
        assert cookie(client) == {"felt": "indigo", "tags": "off", "deck": "four"}

    def test_back_to_the_defaults_is_a_choice_too(self, client: Client, north: Player) -> None:
        client.force_login(north)
        client.post("/preferences/", {"theme": "dark"})
        client.post("/preferences/", {"theme": "auto"})
        north.refresh_from_db()
        assert north.looks and from_text(north.looks) == Preferences()

    def test_a_guest_keeps_his_too(self, client: Client, north: Player) -> None:
        Player.objects.filter(pk=north.pk).update(guest=True)
        client.force_login(north)
        client.post("/preferences/", {"only": "on"})
        north.refresh_from_db()
        assert from_text(north.looks).only == "on"

    def test_an_account_that_is_gone_harms_nothing(self, db: Any) -> None:
        assert looks.choose(player_id=0, cookie="theme=dark", values={"deck": "four"}) == Preferences(
            "dark", deck="four"
        )


def test_the_page_of_preferences_offers_every_switch_without_a_script(client: Client, north: Player) -> None:
    client.force_login(north)
    client.post("/preferences/", {"sound": "off"})
    page = client.get("/preferences/").content.decode()
    assert set(re.findall(r'<input type="radio" name="(\w+)"', page)) == set(CHOICES)
    assert '<input type="radio" name="sound" value="off" checked>' in page
    assert "Kept in your profile" in page
