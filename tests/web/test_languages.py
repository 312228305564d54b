"""Whose language a page and a socket speak, and what the check of the catalogues finds."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from django.test import Client

from euchre_site import translations
from games.consumers import language_of
from games.models import Player


def written(catalog: Catalog) -> bytes:
    text = BytesIO()
    write_po(text, catalog)
    return text.getvalue()


def texts(**said: str) -> Catalog:
    found = Catalog(charset="utf-8")
    for text in said.values():
        found.add(text)
    return found


class TestWhoIsSpokenToHow:
    def test_a_visitor_is_spoken_to_as_his_browser_asks(self, client: Client) -> None:
        page = client.get("/rules/", headers={"accept-language": "he-IL,en;q=0.5"}).text
        assert '<html lang="he" dir="rtl"' in page

    @pytest.mark.django_db
    def test_a_choice_goes_before_what_the_browser_asks(self, client: Client) -> None:
        client.post("/preferences/", {"language": "sl"})
        assert '<html lang="sl" dir="ltr"' in client.get("/rules/", headers={"accept-language": "he"}).text

    @pytest.mark.django_db
    def test_a_players_choice_follows_him_to_another_device(self, client: Client) -> None:
        maya = Player.objects.create_user("Maya")
        client.force_login(maya)
        client.post("/preferences/", {"language": "ar"})
        phone = Client()
        phone.force_login(maya)
        page = phone.get("/rules/")
        assert '<html lang="ar" dir="rtl"' in page.text
        assert phone.cookies["django_language"].value == "ar", "his sockets go by the cookie"

    @pytest.mark.django_db
    def test_a_new_choice_replaces_the_old_one(self, client: Client) -> None:
        client.force_login(Player.objects.create_user("Maya", language="ar"))
        client.post("/preferences/", {"language": "en"})
        assert '<html lang="en" dir="ltr"' in client.get("/rules/").text

    def test_a_socket_speaks_as_the_page_did(self) -> None:
        hebrew = [(b"accept-language", b"he-IL,en;q=0.5")]
        assert language_of({"headers": hebrew, "cookies": {}}) == "he"
        assert language_of({"headers": hebrew, "cookies": {"django_language": "sl"}}) == "sl"
        assert language_of({"headers": [], "cookies": {"django_language": "xx"}}) == "en"


class TestTheCheck:
    @pytest.fixture(autouse=True)
    def elsewhere(self, settings, tmp_path: Path) -> None:
        settings.LOCALE_PATHS = [tmp_path]

    def test_every_text_needs_a_translation(self) -> None:
        wanted = texts(a="Deal me in")
        translations.update("sl", wanted)
        assert list(translations.faults("sl", wanted)) == ["is not translated: 'Deal me in'"]

    def test_english_says_what_is_written(self) -> None:
        wanted = texts(a="Deal me in")
        translations.update("en", wanted)
        assert not list(translations.faults("en", wanted))

    def test_a_text_that_came_and_one_that_went_are_told(self) -> None:
        translations.update("en", texts(a="Deal me in"))
        assert list(translations.faults("en", texts(a="Sit down")))[:2] == [
            "is not in the catalogue: 'Sit down'",
            "is said nowhere any more: 'Deal me in'",
        ]

    @pytest.mark.parametrize(("text", "string"), [("%(name)s sits", "%(ime)s sedi"), ("<b>Sit</b> down", "Sedite")])
    def test_values_and_markup_stay(self, text: str, string: str) -> None:
        translations.update("sl", texts(a=text))
        path = translations.po_path("sl")
        own = translations.read("sl")
        own[text].string = string
        path.write_bytes(written(own))
        path.with_suffix(".mo").write_bytes(translations.compiled(translations.read("sl")))
        assert list(translations.faults("sl", texts(a=text))) == [
            f"has other values or markup than its original: {text!r}"
        ]

    def test_a_compiled_catalogue_that_was_forgotten_is_told(self) -> None:
        wanted = texts(a="Deal me in")
        translations.update("en", wanted)
        own = translations.read("en")
        own["Deal me in"].string = "Deal me in, please"
        translations.po_path("en").write_bytes(written(own))
        assert list(translations.faults("en", wanted)) == ["the compiled catalogue is out of date"]

    def test_an_update_keeps_what_is_translated(self) -> None:
        translations.update("en", texts(a="Deal me in"))
        own = translations.read("en")
        own["Deal me in"].string = "Deal me in, please"
        translations.po_path("en").write_bytes(written(own))
        translations.update("en", texts(a="Deal me in", b="Sit down"))
        assert translations.read("en")["Deal me in"].string == "Deal me in, please"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("games/consumers.py", "There is no such table. Pick one in the lobby."),
        ("templates/base.html", "Skip to content"),
        ("templates/table/page.html", "Skip to the table"),
    ],
)
def test_the_texts_of_code_and_of_both_kinds_of_templates_are_found(place: str, text: str) -> None:
    assert text in [message for message, _context in translations.texts_in(translations.ROOT / place)]
