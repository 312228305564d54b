"""No hidden card leaves the server: whole games, everything that anybody receives, searched for the
cards he may not know. What he may know is worked out here from the stored deck and actions, not by
the engine's view that the site itself uses (rules.md 4.7)."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import logging
import random
import re
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import lru_cache
from unittest import mock

import pytest
from celery import current_app
from channels.layers import get_channel_layer
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import consumers, engine, fairness, live
from games.models import Deal, Game, Player, Table
from games.selectors import tables
from games.selectors.health import Health
from games.selectors.tables import LiveRow
from games.services import clock, deals
from tests.services.conftest import bots_about, cast, choices, table  # noqa: F401
from tests.web.test_socket import PATIENCE, Browser, browsers, in_database, players_of, run

pytestmark = pytest.mark.django_db(transaction=True)

RANKS = {"9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
PACK = [rank + suit for suit in SUITS for rank in RANKS]
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


# --- what a text names ------------------------------------------------------------------------------

_RANK = {word: rank for rank, word in RANKS.items()} | {rank: rank for rank in RANKS} | {"10": "T"}
_SUIT = {word: suit for suit, word in SUITS.items()} | {suit: suit for suit in SUITS} | dict(zip("♣♦♥♠", "CDHS"))  # noqa: B905
_RANKS = "nine|ten|jack|queen|king|ace"
_CODES = re.compile(r"(?<![A-Za-z0-9])(?:[9TJQKA][CDHS])+(?![A-Za-z0-9])")
_SYMBOL = r'<svg class="suit" data-suit="([CDHS])"'
_NAMED = [
    re.compile(rf"\b({_RANKS})s? of ({'|'.join(SUITS.values())})\b", re.IGNORECASE),
    re.compile(rf"\b(10|[9JQKA]|{_RANKS})\s*(?:{_SYMBOL}|([♣♦♥♠]))", re.IGNORECASE),
]
_AFTER_SYMBOL = re.compile(
    rf"{_SYMBOL}[^>]*>(?:<use[^>]*>)?(?:</use>)?</svg>\s*(10|[9TJQKA]|{_RANKS})\b", re.IGNORECASE
)
_BOWER = re.compile(r"\b(right|left) bower\b", re.IGNORECASE)
_HEXES = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])")
_DENSE = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{43}(?![A-Za-z0-9+/_-])")
"""32 bytes in base64, without its sign of equality."""
_ORNAMENT = re.compile(r'<div class="fan".*?</div>|<aside class="auth__art.*?</aside>', re.DOTALL)
"""Cards that only decorate the lobby and the log-in page, the same at all times."""


@lru_cache(maxsize=8)  # watchers receive the same
def cards_in(text: str, trump: str | None = None) -> frozenset[str]:
    """Every card that a text names: as a code in any attribute or in a run of codes, in words, as
    rank and symbol, or with a trump as a bower."""
    text = _ORNAMENT.sub("", text)
    found = {run[at : at + 2] for run in _CODES.findall(text) for at in range(0, len(run), 2)}
    for pattern in _NAMED:
        for rank, *suits in pattern.findall(text):
            found.add(_RANK[_plain(rank)] + _SUIT[_plain(next(filter(None, suits)))])
    found |= {_RANK[_plain(rank)] + suit for suit, rank in _AFTER_SYMBOL.findall(text)}
    if trump:
        found |= {"J" + {"right": trump, "left": SAME_COLOUR[trump]}[side.lower()] for side in _BOWER.findall(text)}
    return frozenset(found)


def _plain(word: str) -> str:
    return word.lower() if len(word) > 1 else word


@pytest.mark.parametrize(
    "text",
    [
        '<li data-card="JD">', '<use href="/static/cards.1f.svg#c-JD"/>', '<use href="#m-JD"/>', 'id="card-JD"',
        "view-transition-name:card-JD", 'value="play:JD"', 'action=discard:JD&amp;version=3', '{"card": "JD"}',
        "the jack of diamonds", "Jack of Diamonds", "two jacks of diamonds", "J♦", 'J<svg class="suit" data-suit="D"',
        '<svg class="suit" data-suit="D" aria-hidden="true"><use href="/static/cards.svg#suit-D"/></svg> jack',
        "Your left bower is a heart now.", '<span aria-label="Right bower">JD</span>',
    ],
)  # fmt: skip
def test_the_search_finds_a_card_in_every_form(text):
    assert "JD" in cards_in(text, trump="D" if "Right" in text else "H")


def test_the_search_finds_whole_decks_and_nothing_where_there_is_nothing():
    assert cards_in(f"deck={''.join(PACK)}") == set(PACK)
    assert (
        cards_in('<svg class="suit" data-suit="D"/> are trump, the jacks of that colour <use href="#c-back"/>') == set()
    )
    assert cards_in('<div class="fan">a <b>JD</b></div>') == set()


# --- who may know what ------------------------------------------------------------------------------


def dealt(row: LiveRow) -> list[set[str]]:
    """The five cards each seat was dealt: three and two by turns, from eldest on (R19)."""
    deck = [row.deck[at : at + 2] for at in range(0, 48, 2)]
    hands: list[set[str]] = [set(), set(), set(), set()]
    at = 0
    for turn, size in enumerate((3, 2, 3, 2, 2, 3, 2, 3)):
        hands[(row.dealer + 1 + turn) % 4] |= set(deck[at : at + size])
        at += size
    return hands


def unknown_to(place: int | None, row: LiveRow) -> set[str]:
    """The cards of the deal that a seat, or somebody without one, may not know: all but those he was
    dealt, the up-card and what was played. The buried card and the kitty stay hidden."""
    known = {row.deck[40:42]} | {word[5:] for word in row.actions.split() if word.startswith("play:")}
    if place is not None:
        known |= dealt(row)[place]
    return set(PACK) - known


def trump_of(row: LiveRow) -> str | None:
    for action in row.actions.split():
        if action == "order_up":
            return row.deck[41]
        if action.startswith("call:"):
            return action[5:]
    return None


def test_the_engine_agrees_about_what_is_hidden(table):  # noqa: F811
    row = tables.read_row(table)
    for place in range(4):
        view = engine.view(row.deal(), place)
        assert set(view.hand) | {view.up_card} == set(PACK) - unknown_to(place, row)


class Search:
    """All that was received, each text searched for what its receiver might not know just then."""

    def __init__(self, row: LiveRow, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows = {row.revision: row}
        self.newest = row
        self.leaks: list[str] = []
        self.searched: Counter[str] = Counter()
        self.controls = 0
        self.hexes: dict[str, tuple[int | None, int]] = {}
        """Every text of 64 hexadecimal digits, and the game and deal scored last when it was first seen."""
        self.seeds: set[bytes] = set()
        self.dense: set[str] = set()
        show = live.show

        def noting(row: LiveRow) -> None:
            self.seeds.update(map(bytes, Table.objects.values_list("seed", "next_seed").get(pk=row.id)))
            self.rows[row.revision] = dataclasses.replace(row)
            self.newest = self.rows[max(self.rows)]  # two threads may show what they have saved in either order
            show(row)

        monkeypatch.setattr(live, "show", noting)

    def check(self, what: str, text: str, place: int | None, row: LiveRow | None = None) -> None:
        """Judge a text by the revision it shows, else by the newest one."""
        shown = re.search(r'data-revision="(\d+)"', text)
        row = self.rows[int(shown[1])] if shown else row or self.newest
        self.searched[what] += 1
        scored = row.deal_number - (row.phase in Table.DEALING)
        for found in _HEXES.findall(text):
            self.hexes.setdefault(found.lower(), (row.game_id, scored))
        self.dense.update(_DENSE.findall(text))
        if not row.deck:
            return
        hidden = unknown_to(place, row)
        assert len(hidden) >= 3, "there is always something to hide: at least the kitty"
        found = cards_in(text, trump_of(row) if shown else None)
        if found & hidden or row.deck[:12] in text:
            self.leaks.append(f"{what} to {place} after {row.actions!r}: {sorted(found & hidden)}")
        if what == "a frame" and place is not None and row.phase in Table.DEALING:
            # The same search finds, in a frame of somebody else, cards that are hidden from others.
            own = set(row.deal().hands[place])
            assert own <= found
            self.controls += bool(own & unknown_to(None, row))

    def secrets_given_out(self) -> Counter[str]:
        """How many links of all chains were in what anybody received: each at the right time, if at all."""
        found: Counter[str] = Counter()
        for seed in filter(None, self.seeds):
            games = Game.objects.filter(chains__contains=fairness.commitment(seed))
            game = games.get().pk if games else None
            for index in range(-1, fairness.LENGTH + 1):
                link = fairness.link(seed, index)
                assert not self.dense & {
                    b64encode(link).decode().rstrip("="),
                    urlsafe_b64encode(link).decode().rstrip("="),
                }
                if index < 0:
                    found["commitment"] += link.hex() in self.hexes
                elif link.hex() in self.hexes:
                    at_game, scored = self.hexes[link.hex()]
                    assert at_game is not None
                    assert at_game > game or (at_game == game and index <= scored), f"link {index} came too early"
                    found["secret"] += 1
        return found


class Listener(Browser):
    """A socket whose every message is searched."""

    def __init__(self, table_id: int, player: Player | None, place: int | None, search: Search) -> None:
        super().__init__(table_id, player)
        self.player, self.place, self.search = player, place, search
        self.client = Client(raise_request_exception=False)
        if player is not None:
            self.client.force_login(player)

    async def receive(self) -> str:
        text = await super().receive()
        self.search.check("a frame" if "data-revision" in text else "a notice", text, self.place)
        return text

    async def catch_up(self) -> None:
        while self.revision < self.search.newest.revision:
            await self.receive()

    def request(self, what: str, method: str, address: str, *args: object, **extra: object) -> None:
        answer = getattr(self.client, method)(address, *args, **extra)
        head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items() if name != "Set-Cookie")
        self.search.check(f"{what} {answer.status_code}", f"{head}\n\n{answer.content.decode()}", self.place)


# --- the games --------------------------------------------------------------------------------------


def look_at_the_table(listener: Listener, row: LiveRow) -> None:
    """Its page, and every answer that refuses."""
    act = reverse("table_act", args=[row.id])
    address = reverse("table", args=[row.id])
    listener.request("the table", "get", address)
    listener.request("the table", "get", address, headers={"HX-Request": "true"})
    listener.request("an error", "get", act)
    for number, (action, version) in enumerate(
        (("play:ZZ", row.version), ("pass", row.version + 7), ("", "x"), ("ask_alone:", ""))
    ):
        headers = {"HX-Request": "true"} if number % 2 else {}
        body = {"action": action, "version": version}
        listener.request("an answer", "post", act, body, headers=headers, follow=True)


def look_around(listener: Listener, row: LiveRow) -> None:
    """Every other page that somebody may ask for at this moment."""
    listener.request("the lobby", "get", reverse("lobby"))
    listener.request("the lobby", "get", reverse("lobby"), headers={"HX-Request": "true"})
    if row.phase != Table.Phase.OVER:  # the replay of a finished game is open to all
        game = reverse("game", args=[row.game_id])
        for query in ("", "?deal=1&step=3", "?format=json"):
            listener.request("the game", "get", game + query)
        for record in ("game_record", "game_egn"):
            listener.request("the game", "get", reverse(record, args=[row.game_id]))
        listener.request("the check", "get", reverse("game_check", args=[row.game_id]) + "?deal=1")
    for name in ("North", "East"):
        listener.request("a player", "get", reverse("player", args=[name]))
    for query in ("", "?format=json", "?format=csv"):
        listener.request("the standings", "get", reverse("standings") + query)
    listener.request("status", "get", reverse("status"))
    with mock.patch("games.views.pages.read_health", return_value=Health(True, True, timezone.now(), True)):
        listener.request("status", "get", reverse("status"))
    listener.request("an error", "get", reverse("table", args=[10**6]))


def plan(row: LiveRow, options: list[str], rng: random.Random) -> tuple[str, bool]:
    """What the seat on turn does, and whether with the switch "go alone": the first four deals are
    passed out, ordered up for a lone hand, declined, and called in the second round; the others
    are as chance will have it."""
    bidding = row.phase in (Table.Phase.BID1, Table.Phase.BID2)
    match row.deal_number:
        case 1 if bidding and "pass" in options:
            return "pass", False
        case 2 if "order_up" in options:
            return "order_up", True
        case 2 if row.phase == Table.Phase.EXCHANGE:
            return options[-1], False
        case 3 if "order_up" in options:
            return "order_up", False
        case 3 if "decline" in options:
            return "decline", False
        case 4 if row.phase == Table.Phase.BID1:
            return "pass", False
        case 4 if row.phase == Table.Phase.BID2:
            return options[-1], False
    return rng.choice(options), rng.random() < 0.3


@asynccontextmanager
async def audience(table_id: int, players: list[Player | None], search: Search) -> AsyncIterator[list[Listener]]:
    """Four seats, a player who watches and a visitor."""
    places = (0, 1, 2, 3, None, None)
    listeners = [
        await in_database(Listener)(table_id, player, place, search)
        for player, place in zip(players, places, strict=True)
    ]
    for listener in listeners:
        await listener.open()
    try:
        yield listeners
    finally:
        for listener in listeners:
            await listener.socket.disconnect()


async def play_games(everybody: list[Listener], search: Search, rng: random.Random, *, games: int) -> None:
    """Play games to their ends; from the second on, after a rematch, a bot keeps east's seat."""
    seen: set[tuple[int, str]] = set()
    for turn in itertools.count():
        for listener in everybody:
            await listener.catch_up()
        row = search.newest
        if (games, row.phase) not in seen:
            seen.add((games, row.phase))
            for place, listener in enumerate(everybody):
                if place % 2 == games % 2:  # in each phase, in one game one half of them, in the next the other
                    await in_database(look_at_the_table)(listener, row)
                    await in_database(look_around)(listener, row)
            continue
        if row.phase == Table.Phase.OVER:
            games -= 1
            if not games:
                return
            for listener in everybody[:4]:
                await listener.post("rematch")
            await moved_on(search, row)
            await in_database(everybody[1].request)("an answer", "post", act_at(row), {"action": "leave"}, follow=True)
        elif row.phase == Table.Phase.BETWEEN:
            address = reverse("game_check", args=[row.game_id])
            await in_database(everybody[4].request)("the check", "get", address)
            for listener in everybody[:4]:
                await listener.post("next")
            await moved_on(search, row)
        else:
            await make_move(everybody, search, row, rng, turn)


def act_at(row: LiveRow) -> str:
    return reverse("table_act", args=[row.id])


async def make_move(everybody: list[Listener], search: Search, row: LiveRow, rng: random.Random, turn: int) -> None:
    """One move: by the bot that keeps the seat, by the clock, or by the player, over his socket or
    by form; before it, something that is refused."""
    seats = await in_database(tables.seats_of)(row)
    mover = everybody[row.turn]
    in_time = row.phase != Table.Phase.PLAY or turn % 9
    if in_time and not seats[row.turn].keeper:
        options = await in_database(choices)(row.id)
        action, alone = plan(row, options, rng)
        body = {"action": action, "version": row.version} | ({"alone": "on"} if alone else {})
        match turn % 4:
            case 0:
                await in_database(mover.request)("an answer", "post", act_at(row), body, follow=True)
            case 1:
                headers = {"HX-Request": "true"}
                await in_database(mover.request)("an answer", "post", act_at(row), body, headers=headers)
            case _:
                wrong = rng.choice(PACK)
                await everybody[turn % 6].post(f"discard:{wrong}" if turn % 8 < 4 else f"play:{wrong}", version=0)
                await mover.post(**body)
    else:
        if not seats[row.turn].keeper:
            await in_database(Table.objects.filter(pk=row.id).update)(due_at=timezone.now() - timedelta(seconds=1))
        await in_database(clock.act)(table_id=row.id, version=row.version)
    await moved_on(search, row)


async def moved_on(search: Search, row: LiveRow) -> None:
    """Wait until the table is beyond a row's version, or no longer waits for it."""
    async with asyncio.timeout(PATIENCE):
        while search.newest.version == row.version:
            await asyncio.sleep(0.0005)


def test_over_whole_games_nobody_receives_a_card_that_he_may_not_know(
    table, cast, bots_about, caplog, monkeypatch  # noqa: F811
):  # fmt: skip
    """Complaint: full game state is broadcast; cheating by reading the socket."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(consumers, "BURST", 1e9)  # these four click faster than people
    told: list[object] = []
    layer = get_channel_layer()
    send = layer.group_send
    monkeypatch.setattr(layer, "group_send", lambda *message: told.append(message) or send(*message))
    monkeypatch.setattr(current_app, "send_task", lambda *task, **options: told.append((task, options)))
    search = Search(tables.read_row(table), monkeypatch)
    rng = random.Random(2)

    async def scenario() -> None:
        async with audience(table, [*players_of(cast), cast.stranger, None], search) as everybody:
            await in_database(everybody[2].request)(
                "an answer", "post", act_at(search.newest), {"action": "ask_alone:on"}
            )
            await play_games(everybody, search, rng, games=2)

    run(scenario)
    assert not search.leaks, search.leaks[:5]
    kinds_of_deals_were_all_there()
    assert search.searched["a frame"] > 1000
    assert search.controls > 300
    given_out = search.secrets_given_out()
    assert given_out["commitment"] >= 2, "the search would have found a secret"
    assert given_out["secret"] >= 10
    for what in (
        "a notice",
        "the table 200",
        "the lobby 200",
        "the game 404",
        "the check 200",
        "an error 404",
        "an answer 200",
    ):
        assert search.searched[what], search.searched
    nothing_about_cards_in(map(str, told))
    assert told
    nothing_about_cards_in(said(caplog.records))


def kinds_of_deals_were_all_there() -> None:
    """What the games have to contain for the search to mean something."""
    assert Game.objects.filter(status=Game.Status.FINISHED).count() == 2
    played = list(Deal.objects.values_list("actions", "played_by"))
    actions = " ".join(text for text, _by in played).split()
    assert any(text == "pass pass pass pass pass pass pass pass" for text, _by in played)
    assert {"alone", "together", "decline", "order_up"} <= set(actions)
    assert any(action.startswith("discard:") for action in actions)
    assert any(action.startswith("call:") for action in actions)
    assert {"h", "b", "c"} <= set("".join(by for _text, by in played))


def said(records: Iterable[logging.LogRecord]) -> list[str]:
    """Log records as they would be written, tracebacks included, and their bare arguments."""
    written = logging.Formatter("%(message)s")
    return [f"{written.format(record)} {record.args!r}" for record in records]


def nothing_about_cards_in(texts: Iterable[str]) -> None:
    seeds = filter(None, map(bytes, itertools.chain(*Table.objects.values_list("seed", "next_seed"))))
    secrets = {fairness.link(seed, index).hex() for seed in seeds for index in range(fairness.LENGTH + 1)}
    secrets |= {
        deck[:12]
        for deck in (*Table.objects.values_list("deck", flat=True), *Deal.objects.values_list("deck", flat=True))
        if deck
    }
    for text in texts:
        assert not cards_in(text), text
        assert not any(secret in text for secret in secrets), text


# --- when something is refused or breaks ------------------------------------------------------------


def test_a_refusal_is_the_same_wherever_the_card_is(table, cast):  # noqa: F811
    """Nobody finds out by asking whether a card lies in a hand or in the kitty."""
    row = tables.read_row(table)
    client = Client()
    player = players_of(cast)[row.turn]
    client.force_login(player)
    answers = Counter(
        re.sub(r"[\w-]*(time|now|csrf)[\w-]*", "", client.post(
            act_at(row), {"action": f"{verb}:{card}", "version": row.version}, headers={"HX-Request": "true"}
        ).content.decode().rpartition('role="alert"')[2])
        for card in unknown_to(row.turn, row) for verb in ("play", "discard")
    )  # fmt: skip
    assert len(answers) == 1, answers
    assert answers.total() == 36


def test_what_breaks_on_our_side_says_nothing_about_the_cards(table, cast, caplog, monkeypatch):  # noqa: F811
    """The answer to a form, the notice on a socket and what is logged about a bug of ours."""
    assert not settings.DEBUG
    caplog.set_level(logging.DEBUG)
    search = Search(tables.read_row(table), monkeypatch)
    row = search.newest

    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("a bug of ours")

    async def scenario() -> None:
        async with audience(table, [*players_of(cast), cast.stranger, None], search) as everybody:
            monkeypatch.setattr(deals, "follow", broken)
            mover = everybody[row.turn]
            await mover.post("pass")
            assert "broke" in await mover.receive()
            body = {"action": "pass", "version": row.version}
            await in_database(mover.request)("an answer", "post", act_at(row), body)
            monkeypatch.setattr(tables, "snapshot_of", broken)
            for listener in everybody:
                await in_database(listener.request)("the table", "get", reverse("table", args=[table]))

    run(scenario)
    assert not search.leaks, search.leaks
    assert search.searched["an answer 500"] == 1
    assert search.searched["the table 500"] == 6
    assert any("a bug of ours" in text for text in said(caplog.records))
    nothing_about_cards_in(said(caplog.records))


def test_a_rendering_that_breaks_says_nothing_about_the_cards(table, cast, caplog, monkeypatch):  # noqa: F811
    from games.live import hub as hub_module

    async def scenario() -> None:
        async with browsers(table, *players_of(cast)) as everybody:
            row = await in_database(tables.read_row)(table)
            monkeypatch.setattr(hub_module.felt, "render", lambda *_args: 1 / 0)
            await everybody[row.turn].post("pass")
            while not caplog.records:
                await asyncio.sleep(0.001)

    run(scenario)
    assert any("ZeroDivisionError" in text for text in said(caplog.records))
    nothing_about_cards_in(said(caplog.records))
