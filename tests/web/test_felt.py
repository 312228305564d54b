"""The felt: what a frame shows to whom, and what its forms can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import translation

from games.engine import DealState, pack
from games.live import felt
from games.selectors.tables import TableSnapshot
from games.templatetags.euchre import card_name
from tests.web import snapshots

PLACES = (0, 1, 2, 3, None)
STATES = snapshots.states()
COMMANDS = ("next", "take_back", "leave", "rematch", "bots", "ask_alone:on", "ask_alone:off", "sit")
VOID = {"input", "path", "use", "rect", "circle", "meta", "link", "img", "br", "hr"}


class Markup(HTMLParser):
    """A frame taken apart: elements, texts and forms. Fails on tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.forms: list[dict[str, Any]] = []
        self.words: list[str] = []
        self.form: dict[str, Any] | None = None
        self.feed(text)
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "form":
            assert self.form is None, "a form within a form"
            self.form = {"attrs": found, "actions": [], "fields": {}}
            self.forms.append(self.form)
        elif tag == "button" and found.get("type", "submit") == "submit":
            assert self.form is not None, f"a button that submits nothing: {found}"
            assert "aria-disabled" not in found
            if "disabled" not in found and self.form["attrs"]["action"].endswith("/act/"):
                assert found["name"] == "action"
                self.form["actions"].append(found["value"])
        elif tag == "input" and self.form is not None:
            self.form["fields"][found["name"]] = found.get("value", "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "form":
            self.form = None

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def actions(self) -> list[str]:
        return [action for form in self.forms for action in form["actions"]]

    def moves(self) -> set[str]:
        return {action for action in self.actions() if not action.startswith(COMMANDS)}


SAID = ("aria-label", "title", "data-bury", "data-copy", "data-title", "data-soon", "data-again", "data-last")
"""Attributes that hold words."""


def everything() -> Iterator[tuple[str, TableSnapshot, int | None]]:
    for name, snapshot in STATES.items():
        for place in PLACES:
            yield name, snapshot, place


def announced(snapshot: TableSnapshot, place: int | None) -> str:
    return re.search(r'id="announce"[^>]*>([^<]*)<', felt.render(snapshot, place)).group(1)


def chair(frame: str, position: str) -> str:
    return re.search(rf'<section id="seat-{position}".*?</section>', frame, re.DOTALL).group()


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("place", PLACES)
def test_every_state_is_sound_markup_for_every_place(name: str, place: int | None):
    frame = felt.render(STATES[name], place)
    markup = Markup(frame)
    ids = [attrs["id"] for _tag, attrs in markup.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    swapped = {attrs["id"] for _tag, attrs in markup.elements if "hx-swap-oob" in attrs}
    assert swapped == {"felt", "score", "log", "announce", "own", "offer"}
    names = re.findall(r"view-transition-name:\s*([\w-]+)", frame)
    assert len(names) == len(set(names)), "a card is in two places"
    assert not any(mark in frame for mark in "\x02\x03\x04")
    assert f'data-revision="{STATES[name].revision}" data-version="{STATES[name].version}"' in frame
    for form in markup.forms:
        assert form["attrs"]["method"] == "post"
        assert form["attrs"]["action"] == "/tables/214/act/"
        assert form["fields"]["version"] == str(STATES[name].version)


@pytest.mark.parametrize("name", STATES)
def test_frames_made_together_are_those_made_alone(name: str):
    for language in ("en", "he"):
        shared = felt.Shared()
        for place in PLACES:
            if place is None or place < len(STATES[name].seats):
                together = felt.render(STATES[name], place, language, shared)
                assert together == felt.render(STATES[name], place, language)


@pytest.mark.parametrize("name", STATES)
def test_no_frame_carries_a_script_or_a_handler(name: str):
    for place in PLACES:
        for tag, attrs in Markup(felt.render(STATES[name], place)).elements:
            assert tag not in ("script", "style", "iframe")
            assert not any(key.startswith(("on", "hx-on")) for key in attrs)
            assert not any(value.strip().lower().startswith("javascript:") for value in attrs.values())


def known_cards(deal: DealState, place: int | None) -> set[str]:
    """What a seat may know (4.7): its hand, the up-card, the cards played, its own discard."""
    known = {deal.up_card}
    known |= {card for _seat, card in deal.trick}
    known |= {card for trick in deal.tricks for _seat, card in trick.plays}
    if place is not None:
        known |= set(deal.hands[place])
    if place == deal.dealer and deal.discard:
        known.add(deal.discard)
    return known


def test_no_frame_shows_a_card_that_its_place_may_not_know():
    names = {card: card_name(card).lower() for card in pack()}
    hidden_cards = 0
    deals = [*snapshots.playouts(6, seed=3), *snapshots.deals().values()]
    for deal in deals:
        for place in PLACES:
            hidden = set(pack()) - known_cards(deal, place)
            hidden_cards += len(hidden)
            frame = felt.render(snapshots.table(deal), place)
            words, codes = frame.lower(), set(re.findall(r"\b[9TJQKA][CDHS]\b", frame))
            shown = [card for card in hidden if card in codes or names[card] in words]
            assert not shown, (deal.phase, place, shown)
    assert hidden_cards > 10 * len(deals), "there was something to leak"


def test_a_seat_is_shown_exactly_its_own_hand():
    for deal in snapshots.playouts(3, seed=8):
        for place in range(4):
            frame = felt.render(snapshots.table(deal), place)
            hand = re.search(r'<ul id="hand".*?</ul>', frame, re.DOTALL)
            if deal.phase == "done":
                assert hand is None
                continue
            cards = set(re.findall(r'data-card="(\w+)"', hand.group()))
            taking = deal.phase == "exchange" and deal.turn == place
            assert cards == set(deal.hands[place]) | ({deal.up_card} if taking else set())


def test_the_forms_offer_exactly_the_legal_actions():
    for deal in snapshots.playouts(6, seed=1):
        for place in PLACES:
            moves = Markup(felt.render(snapshots.table(deal), place)).moves()
            legal = {str(action) for action in deal.legal} if place is not None and place == deal.turn else set()
            assert moves == legal, (deal.phase, place)


def test_a_call_has_the_switch_for_going_alone_beside_it():
    for name in ("bid1 third", "bid2", "bid2 stuck"):
        deal = snapshots.deals()[name]
        forms = Markup(felt.render(snapshots.table(deal), deal.turn)).forms
        calls = [form for form in forms if any(a.startswith(("order_up", "call")) for a in form["actions"])]
        assert len(calls) == 1
        assert "alone" in calls[0]["fields"]


def test_a_card_that_may_not_be_played_says_why():
    frame = felt.render(STATES["play follow"], 0)
    card = unescape(re.search(r'<button id="card-JD"[^>]*>', frame).group())
    assert 'type="button"' in card
    assert 'aria-disabled="true"' in card
    assert "Jack of diamonds, left bower, can’t be played: follow diamonds" in card


@pytest.mark.parametrize(
    ("name", "place", "commands"),
    [
        ("open", 0, {"bots", "sit:1", "sit:3", "leave", "ask_alone:on"}),
        ("open", None, {"sit", "sit:1", "sit:3"}),
        ("done", 0, {"next", "leave", "ask_alone:on"}),
        ("between ready", 0, {"leave", "ask_alone:on"}),
        ("done", None, set()),
        ("kept", 0, {"take_back", "leave", "ask_alone:on"}),
        ("left", 1, {"take_back"}),
        ("asks", 0, {"play:QD", "play:TD", "leave", "ask_alone:off"}),
        ("over", 0, {"rematch", "leave"}),
        ("over ready", 0, {"leave"}),
        ("over", None, set()),
        ("closed after game", 0, set()),
        ("closed", None, set()),
    ],
)
def test_the_commands_of_a_state_are_those_that_do_something(name: str, place: int | None, commands: set[str]):
    assert set(Markup(felt.render(STATES[name], place)).actions()) == commands


def test_the_up_card_stands_apart_from_the_hand_and_its_button_says_that_it_is_taken():
    frame = felt.render(STATES["exchange"], 0)
    cards = re.findall(r'<li( class="is-up")?><button id="card-(\w+)"[^>]*data-bury="([^"]*)"', frame)
    assert [card for up, card, _note in cards if up] == ["KH"] == [cards[-1][1]]
    assert cards[0][2] == "Take it, bury the ace of spades"
    assert "Bury the ace of spades" in felt.render(STATES["exchange own"], 0)


def test_who_left_reads_what_it_costs():
    assert "or the loss is yours" in felt.render(STATES["left"], 1)
    friendly = felt.render(replace(STATES["left"], ranked=False), 1)
    assert "costs you nothing" in friendly
    assert "loss" not in friendly


def test_a_chair_is_offered_for_moving_to_who_sits_already():
    assert "Move here" in felt.render(STATES["open"], 0)
    assert "Sit here" in felt.render(STATES["open"], None)


def test_only_the_host_calls_bots_to_a_table_that_he_opened():
    waiting = snapshots.table(seats=STATES["open"].seats, quick=False, host_id=10)
    assert "bots" in Markup(felt.render(waiting, 0)).actions()
    assert "bots" not in Markup(felt.render(waiting, 2)).actions()


def test_the_viewer_sits_south_and_play_runs_clockwise():
    """G1: the next player is on the viewer's left, which is west on the screen."""
    for place in range(4):
        frame = felt.render(STATES["play follow"], place)
        for offset, position in enumerate("SWNE"):
            name = snapshots.NAMES[(place + offset) % 4]
            assert (">You<" if offset == 0 else f"<bdi>{name}</bdi>") in chair(frame, position)
    watched = felt.render(STATES["play follow"], None)
    assert "<bdi>Marta</bdi>" in chair(watched, "S")


def test_watchers_hear_names_and_no_you():
    for name, snapshot in STATES.items():
        words = " ".join(Markup(felt.render(snapshot, None)).words)
        assert not re.search(r"\b(you|your|us|them)\b", words.replace("Give us", ""), re.IGNORECASE), (name, words)


def test_marks_of_a_seat_are_words():
    frame = felt.render(STATES["lone"], 1)  # Marta dealt; Priya called; Marta goes alone, so Priya sits out
    assert "Sitting out" in chair(frame, "W")
    assert "Called it" in chair(frame, "W")
    assert "Dealer" in chair(frame, "E")
    assert "Alone" in chair(frame, "E")
    assert "Bot" in chair(frame, "N")
    assert "Reconnecting" in chair(felt.render(STATES["lost"], 0), "N")
    assert "--from:42" in chair(felt.render(STATES["lost"], 0), "N")
    assert "Missed 2 of 3" in chair(felt.render(STATES["missed"], 0), "S")
    assert "Left, a bot plays" in chair(felt.render(STATES["left"], 0), "W")


def test_the_clock_shows_what_the_server_waits():
    frame = felt.render(STATES["play follow"], 0)
    assert "--total:21s;--left:13.0s;--whole:13" in frame  # 20 s a move and a second's grace
    assert "clock__left" in chair(frame, "S")
    assert "clock__left is-still" in chair(felt.render(STATES["bid1 third"], 0), "E")  # bots have no clock


def test_whoever_is_asked_has_the_seconds_beside_the_question():
    for name, snapshot, place in everything():
        frame = felt.render(snapshot, place)
        assert ('role="timer"' in frame) == ('data-turn="mine"' in frame), (name, place)


@pytest.mark.parametrize(
    ("name", "place", "scores", "said"),
    [
        ("done", 0, "Us6+1 Them7", "Score: us 6, them 7."),
        ("done", 1, "Us7 Them6+1", "Score: us 7, them 6."),
        ("done", None, "Marta and Priya6+1 Tom and Hazel7", "Score: Marta and Priya 6, Tom and Hazel 7."),
        ("passed out", 0, "Us6 Them7", "Score: us 6, them 7."),
    ],
)
def test_a_result_names_both_scores_and_is_marked_for_who_gained(name: str, place: int | None, scores: str, said: str):
    frame = felt.render(STATES[name], place)
    result = re.search(r'<div id="result".*?</div>', frame, re.DOTALL).group()
    shown = re.search(r'<p class="result__s"[^>]*>(.*?)</p>', result).group(1)
    assert re.sub("<[^>]+>", "", shown.replace("</span><span", "</span> <span")) == scores
    assert said in Markup(result).words
    assert ("result--us" in result) == scores.startswith("Us6+1")


def test_a_rematch_with_bots_asks_only_the_one_person():
    bots = tuple(snapshots.seat(index, bot_level="fill_in") for index in (1, 2, 3))
    alone = snapshots.table(seats=(snapshots.SEATS[0], *bots), phase="over", score=(10, 7), over=snapshots.game_over())
    assert "The bots are ready. Play again?" in felt.render(alone, 0)
    assert "The bots are ready." in felt.render(alone, None)
    assert "0 of 3 want a rematch." in felt.render(STATES["over"], 0)


def test_a_finished_trick_lies_until_the_next_card_is_led():
    """Complaints: a finished trick vanishes too fast; no way to see the previous trick."""
    done, following = felt.render(STATES["trick done"], 0), felt.render(STATES["trick next"], 0)
    assert re.search(r'<ol class="trick past" aria-label="Finished trick">.*data-card="KD".*</ol>', done)
    assert "is-swept to-e" in following
    assert 'popovertarget="last-trick"' in following


@pytest.mark.parametrize(
    ("name", "place", "sentence"),
    [
        ("bid1", 1, "Marta dealt. The king of hearts is up. Your turn. Pass, or order it up."),
        ("bid1 third", 0, "Priya passed."),
        (
            "bid2",
            1,
            "Marta passed. Everybody passed. The king of hearts is turned down. Your turn. Name spades, clubs or",
        ),
        ("exchange", 0, "Priya ordered up the king of hearts. Trump is hearts. Your turn. Bury one of your six cards."),
        ("alone", 2, "Marta buried a card. Your turn. Do you go alone?"),
        ("alone defender", 3, "Marta buried a card. Priya goes alone. Your turn. Do you go alone?"),
        (
            "play follow",
            0,
            "Hazel played the ace of diamonds and is winning. Your turn. Follow diamonds. Your left bower is a heart "
            "now. You may play the queen of diamonds or the ten of diamonds.",
        ),
        ("trick done", 3, "You took the trick. Tricks: us 1, them 0. Your turn."),
        ("trick done", None, "Hazel took the trick. Tricks: Marta and Priya 0, Tom and Hazel 1."),
        ("passed out", 0, "All passed. Nobody scores."),
        ("kept", 0, "A bot is playing for you."),
        ("over", 0, "Game over. You won, 10 to 7"),
        ("over", 1, "Game over. You lost, 7 to 10"),
        ("over", None, "Game over. Marta and Priya won, 10 to 7"),
    ],
)
def test_screen_readers_hear_what_happened_and_what_to_do(name: str, place: int | None, sentence: str):
    heard = announced(STATES[name], place)
    assert sentence in heard
    assert ("Your turn." in heard) == ("Your turn." in sentence)


def test_the_page_has_the_token_in_every_form_and_nothing_to_swap():
    token = '<input type="hidden" name="csrfmiddlewaretoken" value="secret">'
    for name, snapshot, place in everything():
        page = "".join(felt.render_page(snapshot, place, token))
        assert "hx-swap-oob" not in page
        assert all(form["fields"]["csrfmiddlewaretoken"] == "secret" for form in Markup(page).forms), name
        assert "csrfmiddlewaretoken" not in felt.render(snapshot, place)


def test_a_frame_stays_small():
    sizes = [len(felt.render(snapshot, place).encode()) for _name, snapshot, place in everything()]
    sizes += [len(felt.render(snapshots.table(deal), 0).encode()) for deal in snapshots.playouts(3)]
    assert max(sizes) < 14_500
    assert sum(sizes) / len(sizes) < 11_500


def test_names_are_escaped_and_isolated():
    seats = (snapshots.SEATS[0], snapshots.seat(1, name="<b>&\"'"), *snapshots.SEATS[2:])
    frame = felt.render(snapshots.table(snapshots.deals()["play follow"], seats=seats), 0)
    Markup(frame)
    assert "<b>&" not in frame
    assert "<bdi>&lt;b&gt;&amp;" in frame


class _Marked:
    """Stands in for the catalogues: every translated text is put in brackets."""

    @staticmethod
    def gettext(message: str) -> str:
        return f"⟦{message}⟧" if message else ""

    @staticmethod
    def pgettext(context: str, message: str) -> str:
        return f"⟦{message}⟧"

    @staticmethod
    def ngettext(singular: str, plural: str, number: int) -> str:
        return f"⟦{singular if number == 1 else plural}⟧"


def unbracketed(text: str) -> str:
    depth, outside = 0, []
    for letter in text:
        if letter == "⟦":
            depth += 1
        elif letter == "⟧":
            depth -= 1
        elif depth == 0:
            outside.append(letter)
    return "".join(outside)


def test_every_word_of_a_frame_can_be_translated(monkeypatch: pytest.MonkeyPatch):
    for name in ("gettext", "pgettext", "ngettext"):
        monkeypatch.setattr(translation._trans, name, getattr(_Marked, name))
    with translation.override("eo"):  # a language of its own, for the caches
        for name, snapshot, place in everything():
            markup = Markup(felt.render(snapshot, place))
            texts = ["".join(markup.words)]
            for _tag, attrs in markup.elements:
                texts += [attrs.get(key, "") for key in SAID]
            for text in texts:
                rest = unbracketed(text)
                for known in (*snapshots.NAMES, *snapshots.LONG_NAMES):
                    rest = rest.replace(known, "")
                assert not re.search(r"[A-Za-z]{2,}", rest), (name, place, text)
