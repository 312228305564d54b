"""Any process may be killed in the middle of a deal: the same cards, the same turn, no move that
was acknowledged is lost, and the game finishes."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.faults.stack import PATIENCE, ROOT, Stack, wait_until

SEATS = """
import json, os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "euchre_site.settings"
django.setup()
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from games.engine import Rules, format_rules
from games.models import Player, Table
from games.services import seating
for line in sys.stdin:
    if os.fork():  # each has connections of its own, as what was at their other end has been killed meanwhile
        _pid, status = os.wait()
        if status:
            break
        continue
    sessions, players = [], []
    for name in json.loads(line):
        player = Player.objects.create_user(name)
        session = SessionStore()
        session[SESSION_KEY], session[HASH_SESSION_KEY] = str(player.pk), player.get_session_auth_hash()
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session.save()
        sessions.append(session.session_key); players.append(player)
    table = seating.open_table(host=players[0], ranked=True, pace=45, rules=seating.rules_text(stick_the_dealer=True))
    # However long a killed process takes to come back, and a game of five points is as good as one of ten.
    rules = format_rules(Rules(stick_the_dealer=True, target_score=5))
    Table.objects.filter(pk=table).update(pace=600, rules=rules)
    for player in players[1:]:
        seating.sit(table_id=table, player_id=player.pk)
    if len(players) < 4:
        seating.ask_for_bots(table_id=table, player_id=players[0].pk)
    print(json.dumps([table, sessions]), flush=True)
    os._exit(0)
"""


class Browser:
    """A player's socket that reconnects like htmx does, and plays by the buttons it is shown."""

    def __init__(self, stack: Stack, table_id: int, session: str) -> None:
        self.stack, self.table_id, self.session = stack, table_id, session
        self.frame = ""
        self.socket: ClientConnection | None = None
        self.connect()

    def connect(self) -> None:
        def opened() -> bool:
            try:
                self.socket = connect(
                    f"{self.stack.socket_url}/ws/tables/{self.table_id}/",
                    origin=self.stack.url,
                    additional_headers={"Cookie": f"sessionid={self.session}"},
                    open_timeout=PATIENCE,
                    legacy=True,
                )
            except OSError:
                return False
            return True

        wait_until(opened, "a new connection")
        self.receive()

    def receive(self, timeout: float = PATIENCE) -> str:
        """The next message; after a lost connection, the table as the new one shows it."""
        assert self.socket is not None
        try:
            text = str(self.socket.recv(timeout=timeout))
        except ConnectionClosed:
            self.connect()
            return self.frame
        if "data-revision" in text:
            self.frame = text
        return text

    def follow(self) -> None:
        """Take everything that has arrived."""
        try:
            while True:
                self.receive(timeout=0)
        except TimeoutError:
            return

    def number(self, name: str) -> int:
        found = re.search(rf'data-{name}="(\d+)"', self.frame)
        assert found
        return int(found[1])

    @property
    def phase(self) -> str:
        found = re.search(r'data-phase="(\w+)"', self.frame)
        assert found
        return found[1]

    def hand(self) -> list[str]:
        hand = re.search(r'<ul id="hand".*?</ul>', self.frame, re.S)
        return re.findall(r'data-card="(\w\w)"', hand[0]) if hand else []

    def moves(self) -> list[str]:
        buttons = re.findall(r'name="action" value="([^"]+)"', self.frame)
        return [
            value for value in buttons if value.split(":")[0] in ("pass", "order_up", "call", "discard", "play", "next")
        ]

    def post(self, action: str) -> None:
        assert self.socket is not None
        body = {"action": action, "version": str(self.number("version"))}
        try:
            self.socket.send(json.dumps({"headers": {}, "body": body}))
        except ConnectionClosed:
            self.connect()

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with Stack(
        EUCHRE_BOT_DELAY="0.05", EUCHRE_TRICK_PAUSE="0", EUCHRE_DEAL_PAUSE="1", EUCHRE_AWAY_AFTER="600"
    ) as stack:
        yield stack


TALKS = pytest.mark.database
"""Its death may leave a transaction open."""

ENDED = ("over", "closed")

Seat = Callable[..., list[Browser]]


@pytest.fixture(scope="module")
def seat(stack: Stack) -> Iterator[Seat]:
    """Players of these names, new ones at each call, at a table whose game has begun: ``seat("North")``."""
    with subprocess.Popen(
        [sys.executable, "-c", SEATS],
        cwd=ROOT,
        env=stack.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        evenings = itertools.count(2)

        def sit(*names: str) -> list[Browser]:
            assert process.stdin and process.stdout
            evening = next(evenings)
            print(json.dumps([f"{name} {evening}" for name in names]), file=process.stdin, flush=True)
            said = process.stdout.readline()
            assert said, "nobody could be seated"
            table, sessions = json.loads(said)
            return [Browser(stack, table, session) for session in sessions]

        yield sit


def record(stack: Stack, table_id: int) -> tuple[str, str, int | None]:
    [row] = stack.rows("SELECT deck, actions, turn FROM games_table WHERE id = %s", table_id)
    return row


def move_once(browsers: list[Browser]) -> None:
    """Whoever has a move makes it, and everybody sees it."""

    def moved() -> bool:
        for browser in browsers:
            browser.follow()
            if browser.moves():
                before = browser.number("version"), browser.phase, browser.number("revision")
                browser.post(browser.moves()[-1])
                wait_until(
                    lambda: (
                        browser.follow()
                        or (browser.number("version"), browser.phase, browser.number("revision")) != before
                    ),
                    "the answer to a move",
                )
                return True
        # Bots may have ended the game since the last move.
        return any(browser.phase in ENDED for browser in browsers)

    wait_until(moved, "somebody's turn")


def asked_for(browsers: list[Browser]) -> list[str]:
    """What somebody may do now, once he has been asked."""

    def seen() -> list[str]:
        for browser in browsers:
            browser.follow()
            assert browser.phase not in ENDED
        return [move for browser in browsers for move in browser.moves()]

    return wait_until(seen, "somebody's turn")


def play_to_the_end(browsers: list[Browser]) -> None:
    for _ in range(1500):
        browsers[0].follow()
        if browsers[0].phase in ENDED:
            return
        move_once(browsers)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("victim", [*(pytest.param(name, marks=TALKS) for name in ("web", "worker")), "beat", "valkey"])
def test_a_killed_process_costs_no_move_and_no_game(stack: Stack, seat: Seat, victim: str) -> None:
    people = seat("North", "East", "South", "West")
    table_id = people[0].table_id
    while not any(move.startswith("play:") for move in asked_for(people)):
        move_once(people)
    move_once(people)
    for browser in people:
        browser.follow()
    acknowledged = max(browser.number("version") for browser in people)
    hands = [browser.hand() for browser in people]
    deck, actions, turn = record(stack, table_id)

    stack.restart(victim)

    assert record(stack, table_id)[0] == deck
    assert record(stack, table_id)[1].startswith(actions)
    for browser, hand in zip(people, hands, strict=True):
        browser.close()
        browser.connect()
        assert browser.hand() == hand
        assert browser.number("version") >= acknowledged
    assert record(stack, table_id)[2] == turn
    play_to_the_end(people)
    [status] = stack.rows("SELECT status FROM games_game WHERE table_id = %s", table_id)
    assert status == ("finished",)


@pytest.mark.database
def test_everything_killed_at_once_while_bots_play_resumes_by_itself(stack: Stack, seat: Seat) -> None:
    [north] = seat("North")
    move_once([north])
    before = record(stack, north.table_id)
    for name in reversed(stack.names):
        stack.kill(name)
    assert record(stack, north.table_id)[0]
    for name in stack.names:
        stack.start(name)
    stack.wait_for_sweep()
    deck, actions, _ = record(stack, north.table_id)
    assert deck != before[0] or actions.startswith(before[1])
    play_to_the_end([north])


@pytest.mark.parametrize("missing", ["worker", "valkey"])
def test_without_a_worker_or_valkey_people_at_one_server_play_on(stack: Stack, seat: Seat, missing: str) -> None:
    people = seat("North", "East", "South", "West")
    stack.kill(missing)
    try:
        for _ in range(6):
            move_once(people)
    finally:
        stack.start(missing)
    stack.wait_for_sweep()
    play_to_the_end(people)
