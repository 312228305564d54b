"""Cards, suits, scores and people as markup."""

from __future__ import annotations

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.utils.html import SafeString
from django.utils.translation import override

from games.preferences import Preferences, from_text
from games.templatetags import chrome, euchre
from games.templatetags.quilts import BLOCKS, CLOTHS, quilt_paths

ALL = [
    euchre.icon("bot"),
    euchre.suit("H"),
    euchre.suit("H", label=False),
    euchre.face("back"),
    euchre.card("JD", tag="left bower"),
    euchre.card("B"),
    euchre.mini("9S"),
    euchre.backs(3),
    euchre.quilt(7),
    euchre.fives(7),
    euchre.geese("WLW"),
]


@pytest.mark.parametrize("markup", ALL)
def test_every_piece_is_safe_and_well_formed(markup: SafeString) -> None:
    assert isinstance(markup, SafeString)
    ElementTree.fromstring(markup)


def test_a_card_is_named_in_words_and_carries_its_code() -> None:
    markup = euchre.card("JD")
    assert 'aria-label="Jack of diamonds"' in markup
    assert 'data-card="JD"' in markup
    assert "view-transition-name" not in markup
    assert "view-transition-name:card-JD" in euchre.card("JD", named=True)


def test_a_card_that_does_not_exist_is_a_bug() -> None:
    with pytest.raises(KeyError):
        euchre.card("1X")


def test_backs_tell_a_number_and_nothing_else() -> None:
    markup = euchre.backs(5)
    assert 'aria-label="5 cards, face down"' in markup
    assert "data-card" not in markup
    assert markup.count("#c-back") == 5


@pytest.mark.parametrize("points", range(11))
def test_a_score_fills_one_square_a_point(points: int) -> None:
    hollow, filled = (path.count("M") for path in euchre.fives(points).split('class="on"'))
    assert (hollow, filled) == (10 - points, points)


def test_form_is_told_in_words() -> None:
    assert "oldest first: won, lost, won" in euchre.geese("WLW")


def test_what_is_given_is_escaped() -> None:
    evil = '"><script>alert(1)</script>'
    player = SimpleNamespace(player_id=1, name="x", bot_level="")
    for markup in (
        euchre.icon(evil),
        euchre.icon("bot", evil),
        euchre.card("JD", cls=evil),
        euchre.card("JD", tag=evil),
        euchre.mini("JD", evil),
        euchre.backs(1, evil),
        euchre.quilt(evil, evil),
        euchre.who(player, sub=evil),
    ):
        assert "<script>" not in markup


def test_people_are_linked_isolated_and_bots_called_bots() -> None:
    person = SimpleNamespace(player_id=1, name="דוד", bot_level="")
    markup = euchre.who(person, rating=1642)
    assert "<bdi>דוד</bdi>" in markup
    assert "1642" in markup
    assert "Bot" not in markup
    assert "Bot" in euchre.who(SimpleNamespace(player_id=2, name="Otto", bot_level="fill_in"))
    assert "a former player" in euchre.who(None)


def test_pieces_follow_the_language() -> None:
    """The cache keeps the languages apart."""
    with override("en"):
        assert "Jack of diamonds" in euchre.card("JD")
    with override("de"):
        euchre.card("JD")
    with override("en"):
        assert "Jack of diamonds" in euchre.card("JD")


def test_a_quilt_stays_the_same_and_there_are_many() -> None:
    assert quilt_paths("7") == quilt_paths("7")
    assert len({quilt_paths(str(seed)) for seed in range(2000)}) == len(BLOCKS) * len(CLOTHS)


def test_the_tags_work_in_a_template() -> None:
    text = "{% load euchre %}"
    text += "{% card 'JD' %}{% mini 'AS' %}{% suit 'H' %}{% fives 3 %}{% icon 'up' %}{{ 'H'|suit_name }}"
    page = Template(text).render(Context())
    assert page.count("<svg") == 5
    assert page.endswith("hearts")


def test_the_navigation_marks_where_one_is() -> None:
    page = Template("{% load chrome %}{% navigation %}rules{% endnavigation %}").render(Context())
    assert page.count("aria-current") == 1
    assert 'href="/rules/" aria-current="page"' in page
    assert set(euchre.FUNCTIONS) >= {"card", "mini", "quilt", "who"}
    assert [key for key, *_ in chrome.NAVIGATION] == ["play", "events", "clubs", "standings", "rules"]


def test_looks_go_through_the_cookie_and_back() -> None:
    looks = Preferences().updated({"theme": "dark", "deck": "four", "felt": "mud"})
    assert looks == Preferences(theme="dark", deck="four")
    assert from_text(looks.cookie()) == looks
    assert Preferences().cookie() == ""


@pytest.mark.parametrize("text", ["", "x", "theme=%00", "theme=<script>", "theme=dark&theme=light;=;&&", "é" * 3000])
def test_a_forged_cookie_is_the_defaults_or_a_valid_choice(text: str) -> None:
    assert from_text(text).theme in ("auto", "dark", "light")


@pytest.mark.parametrize(
    ("value", "written"),
    [("points|signed", "+2"), ("lost|signed", "−3"), ("mean|signed_points", "−0.25")],
)
def test_a_sign_stays_before_its_number_where_people_write_from_right_to_left(value: str, written: str) -> None:
    page = Template("{% load records %}{{ " + value + " }}").render(Context({"points": 2, "lost": -3, "mean": -0.25}))
    assert page == f'<bdi dir="ltr">{written}</bdi>'
