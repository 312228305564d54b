"""No hidden card leaves the server early: whole games, everything that anybody receives, searched
for the cards he may not know. What he may know is worked out here from the stored deck and
actions, not by the engine's view that the site itself uses."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, field
from itertools import count

import pytest
from django.test import Client
from django.urls import reverse

from games import consumers, engine
from games.models import Game, Player, Table
from games.selectors import tables
from tests.services.conftest import bots_about, cast, choices, table  # noqa: F401
from tests.web.test_socket import Browser, browsers, in_database, players_of, run

pytestmark = pytest.mark.django_db(transaction=True)

RANKS = {"9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
PACK = [rank + suit for suit in SUITS for rank in RANKS]
CODE = re.compile(r"(?<![A-Za-z0-9])([9TJQKA][CDHS])(?![A-Za-z0-9])")
WORDS = re.compile(rf"\b({'|'.join(RANKS.values())}) of ({'|'.join(SUITS.values())})\b", re.IGNORECASE)
DRAWN = re.compile(r'\b(10|[9JQKA])<svg class="suit" data-suit="([CDHS])"')
ORNAMENT = re.compile(r'<div class="fan".*?</div>|<aside class="auth__art.*?</aside>', re.DOTALL)
"""Cards that only decorate the lobby and the log-in page, the same at all times."""


def cards_in(text: str) -> set[str]:
    """Every card that a text names, as a code in any attribute, in words, or as rank and symbol."""
    text = ORNAMENT.sub("", text)
    ranks = {word: rank for rank, word in RANKS.items()}
    suits = {word: suit for suit, word in SUITS.items()}
    found = set(CODE.findall(text))
    found |= {ranks[rank.lower()] + suits[suit.lower()] for rank, suit in WORDS.findall(text)}
    return found | {("T" if rank == "10" else rank) + suit for rank, suit in DRAWN.findall(text)}


def unknown_to(place: int | None, row: tables.LiveRow) -> set[str]:
    """The cards of the running deal that a seat, or somebody without one, may not know."""
    deck = [row.deck[at : at + 2] for at in range(0, 48, 2)]
    hands: list[list[str]] = [[], [], [], []]
    at = 0
    for turn, size in enumerate((3, 2, 3, 2, 2, 3, 2, 3)):
        hands[(row.dealer + 1 + turn) % 4] += deck[at : at + size]
        at += size
    known = {deck[20]} | {word[5:] for word in row.actions.split() if word.startswith("play:")}
    if place is not None:
        known |= set(hands[place])
    return set(PACK) - known


@pytest.mark.parametrize(
    "text",
    [
        '<li data-card="JD">', '<use href="/static/cards.1f.svg#c-JD"/>', '<use href="#m-JD"/>',
        "view-transition-name:card-JD",
        'id="card-JD"', 'value="play:JD"', "the jack of diamonds", "Jack of Diamonds", '{"card": "JD"}',
        'J<svg class="suit" data-suit="D"',
    ],
)  # fmt: skip
def test_the_search_finds_a_card_in_every_form_that_the_site_uses(text):
    assert cards_in(text) == {"JD"}


@dataclass
class Search:
    """What was searched, and what had to stay hidden while it was."""

    leaks: list[str] = field(default_factory=list)
    texts: int = 0
    least_hidden: int = 24

    def check(self, what: str, text: str, place: int | None, row: tables.LiveRow) -> None:
        hidden = unknown_to(place, row)
        self.texts += 1
        self.least_hidden = min(self.least_hidden, len(hidden))
        if leaked := cards_in(text) & hidden:
            self.leaks.append(f"{what} to {place} after {row.actions!r}: {sorted(leaked)}")


def pages(table_id: int, game_id: int, player: Player | None) -> list[tuple[str, str]]:
    """Pages and answers that somebody may ask for while the deal runs."""
    client = Client()
    if player is not None:
        client.force_login(player)
    found = []
    for address in (
        reverse("table", args=[table_id]),
        reverse("lobby"),
        reverse("game", args=[game_id]),
        reverse("game", args=[game_id]) + "?deal=1&step=3",
        reverse("game_record", args=[game_id]),
        reverse("player", args=["North"]),
        reverse("standings") + "?format=json",
        reverse("status"),
    ):
        found.append((address, client.get(address).content.decode()))
    act = reverse("table_act", args=[table_id])
    for header in ({}, {"HX-Request": "true"}):
        answer = client.post(act, {"action": "play:ZZ", "version": "1"}, headers=header, follow=True)
        found.append((act, answer.content.decode()))
    return found


def test_over_whole_games_nobody_receives_a_card_that_he_may_not_know(table, cast, caplog, monkeypatch):  # noqa: F811
    """Four seats, a player who watches and a visitor, with lone hands, exchanges and passed deals."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(consumers, "BURST", 1e9)  # these four click faster than people
    monkeypatch.setattr(consumers, "PER_SECOND", 1e9)
    search = Search()

    async def look(everybody: list[Browser], row: tables.LiveRow) -> None:
        for browser, place in zip(everybody, (0, 1, 2, 3, None, None), strict=True):
            while browser.revision < row.revision:
                await browser.receive()
            search.check("a frame", browser.frame, place, row)

    async def scenario() -> None:
        seats = players_of(cast)
        async with browsers(table, *seats, cast.stranger, None) as everybody:
            for step in count():
                row = await in_database(tables.read_row)(table)
                if not row.running or step > 900:
                    break
                await look(everybody, row)
                if step % 40 == 7:
                    for player, place in zip([*seats, cast.stranger, None], (0, 1, 2, 3, None, None), strict=True):
                        for address, text in await in_database(pages)(table, row.game_id, player):
                            now = await in_database(tables.read_row)(table)
                            search.check(address, text, place, now)
                if row.phase == "between":
                    for browser in everybody[:4]:
                        await browser.post("next")
                    while (await in_database(tables.read_row)(table)).deal_number == row.deal_number:
                        await asyncio.sleep(0)
                    continue
                options = await in_database(choices)(table)
                action = options[(step * 7 + row.deal_number) % len(options)]
                alone = {"alone": "on"} if step % 5 == 0 else {}
                await everybody[row.turn].post(action, **alone)
                while (await in_database(tables.read_row)(table)).version == row.version:
                    await asyncio.sleep(0)
            assert not search.leaks, search.leaks[:5]

    run(scenario)
    assert search.texts > 500
    assert search.least_hidden > 0
    deck = Table.objects.get(pk=table).deck
    messages = [record.getMessage() for record in caplog.records if record.name.startswith(("games", "django.request"))]
    assert not any(deck[:10] in message or cards_in(message) for message in messages)
    assert Game.objects.get().status == Game.Status.FINISHED


def test_a_seat_that_a_bot_keeps_shows_its_cards_to_its_owner_only(table, cast, bots_about):  # noqa: F811
    async def scenario() -> None:
        from games.services import presence

        search = Search()
        await in_database(presence.leave)(table_id=table, player_id=cast.east.pk)
        async with browsers(table, *players_of(cast), None) as everybody:
            row = await in_database(tables.read_row)(table)
            for browser, place in zip(everybody, (0, 1, 2, 3, None), strict=True):
                search.check("a frame", browser.frame, place, row)
        assert not search.leaks
        assert search.least_hidden == 18

    run(scenario)


def test_what_processes_tell_each_other_is_a_number_and_a_revision(table, cast, monkeypatch):  # noqa: F811
    from games.live import hints

    sent = []
    layer = type("Layer", (), {"group_send": lambda self, group, message: sent.append(message) or asyncio.sleep(0)})()
    monkeypatch.setattr(hints, "get_channel_layer", lambda: layer)

    async def scenario() -> None:
        async with browsers(table, *players_of(cast)) as everybody:
            row = await in_database(tables.read_row)(table)
            await everybody[row.turn].post("pass")
            for browser in everybody:
                await browser.receive()

    run(scenario)
    assert all(not cards_in(str(message)) for message in sent)


def test_the_engine_agrees_about_what_is_hidden(table):  # noqa: F811
    row = tables.read_row(table)
    for place in range(4):
        view = engine.view(row.deal(), place)
        assert set(view.hand) | {view.up_card} == set(PACK) - unknown_to(place, row)
