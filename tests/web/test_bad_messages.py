"""Whatever anybody sends - malformed, forged, oversized, out of order, twice - is answered by a sentence, changes
nothing, breaks nothing and leaves nothing behind. A seeded generator makes messages, besides a list of the worst."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import random
from collections.abc import Iterator
from datetime import date
from itertools import count
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from games import consumers, engine
from games.api import limits
from games.live.hub import hub
from games.models import Deal, Friendship, Game, Message, Player, Report, RuleSet, Seat, Table, Token
from games.selectors import tables
from tests.services.conftest import cast, choices, on_turn, submit, table  # noqa: F401
from tests.web.programs import ROOT, Program, assert_refusal
from tests.web.test_api import friendly  # noqa: F401
from tests.web.test_socket import Browser, browsers, in_database, players_of, run

SCRIPT = "<script>alert(1)</script>"

TEXTS = (
    "", " ", "0", "-1", "\0", "pass\0", "\x1b[31m", "\x02\x03\x04", "\ud800", "\udfff\ud800", "\u202epass",
    "\u2066x", "\u0663", "PASS", "pass ", "pass:H", "a" * 200, "\u0301" * 300, "\U0001f600" * 100, SCRIPT,
    '"><img src=x onerror=a>',
    "' OR 1=1 --", "{{ 7*7 }}", "%s%n", "../../etc/passwd", "null", "true", "NaN", "[]", "{}", "javascript:alert(1)",
)  # fmt: skip
"""Of these none is an action."""

VALUES: tuple[Any, ...] = (
    *TEXTS, None, True, False, 0, -1, 1.5, -(2**31), 2**63, 10**40, 1e308, [], {}, [[]], ["pass"], {"pass": 1},
    {"action": "pass"}, [None] * 50,
)  # fmt: skip

NOT_ACTIONS = (
    *TEXTS, "sit:4", "sit:-1", "sit:1:2", "sit:\u0661", "sit:" + SCRIPT, "move", "move:0", "move:9:9", "up:", "up:7",
    "stand_in", "stand_in:9", "play", "play:", "play:1C", "play:XX", "play:jd", "play:JD:JD", "call:", "call:Z",
    "nonce", "discard:", "claim:1", "take_win", "play_on", "admin", "leave\0", "__class__", "submit_action",
)  # fmt: skip

RAW = (
    "", " ", "null", "true", "3", '"pass"', "[]", "{}", "{", "}", "[[[[", "not json", "{'body': 1}", '{"body"}',
    '{"body": null}', '{"body": []}', '{"body": "pass"}', '{"body": 3}', '{"headers": {}}',
    '{"BODY": {"action": "pass"}}',
    '{"body": {"action": "pass", "version": NaN}}', '{"body": {"action": "pass", "version": Infinity}}',
    '{"body": {"action": "pass", "version": 1e999}}', '{"body": {"action": "pass", "version": ' + "9" * 3900 + "}}",
    "[" * 4000, '{"body":' * 500, '{"a":' * 700 + "1" + "}" * 700, "\ufeff{}", "\0", '{"body": {"action": "\0"}}',
    '{"body": {"action": "\\u0000"}}', '{"body": {"action": "\\ud800"}}', '{"body": {"action": "\\u202epass"}}',
    '{"body": {"action": "' + "x" * 5_000 + '"}}', '{"body": {"action": "' + "x" * 5_000_000 + '"}}',
    '{"headers": ' + "[" * 1000 + "]" * 1000 + "}", '{"body": {"__proto__": {"action": "pass"}}}',
    json.dumps({"headers": {"HX-Request": "true"}, "body": {}}), json.dumps({"body": {"action": SCRIPT}}),
)  # fmt: skip

FORGED = (
    "seat",
    "index",
    "player",
    "player_id",
    "user",
    "user_id",
    "table",
    "table_id",
    "host",
    "by",
    "session",
    "turn",
)
"""Fields that say who one is; nobody reads them."""


def made_up(rng: random.Random, version: int) -> str:
    """A message that asks for nothing that can be done."""
    body: dict[str, Any] = {"action": rng.choice((*NOT_ACTIONS, *VALUES)), "version": str(version)}
    if rng.random() < 0.6:
        body["version"] = rng.choice((*VALUES, str(version + 1), str(version - 1), -version, "9" * rng.randint(1, 60)))
    for field in rng.sample((*FORGED, "alone", "nonce", "code"), rng.randint(0, 4)):
        body[field] = rng.choice(VALUES)
    if rng.random() < 0.1:
        del body["action"]
    message: dict[str, Any] = {"headers": rng.choice(({}, {"HX-Request": "true"}, None, [], 7)), "body": body}
    if rng.random() < 0.2:
        del message["headers"]
    return json.dumps(message)[: rng.choice((10_000, 10_000, 10_000, rng.randint(0, 40)))]


def kept() -> list[Any]:
    """What no message may change: the tables, their seats, and how much there is of everything else."""
    seats = Seat.objects.order_by("pk").values_list("player_id", "held", "left_at", "bot_since", "ask_alone", "nonce")
    others = [model.objects.count() for model in (Deal, Friendship, Game, Message, Player, Report, RuleSet, Token)]
    return [list(Table.objects.order_by("pk").values()), list(seats), others]


@pytest.fixture(autouse=True)
def nothing_breaks(caplog, db) -> Iterator[None]:
    """Nor is anybody stopped for asking too often, here."""
    caplog.set_level(logging.ERROR)
    cache.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(consumers, "BURST", 1e9)
        for rate in (limits.BY_PERSON, limits.BY_ADDRESS):
            rate.forget()
            patch.setattr(rate, "burst", 1e9)
        yield
    for rate in (limits.BY_PERSON, limits.BY_ADDRESS):
        rate.forget()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


# --- over the socket --------------------------------------------------------------------------------


async def refused(browser: Browser, text: str | bytes) -> str:
    """Send something; the sentence that comes back."""
    kind = "bytes" if isinstance(text, bytes) else "text"
    await browser.socket.send_input({"type": "websocket.receive", kind: text})
    while 'role="alert"' not in (answer := await browser.receive()):
        pass
    assert SCRIPT not in answer
    assert "Something broke" not in answer
    return answer


def as_text(**body: Any) -> str:
    return json.dumps({"headers": {"HX-Request": "true"}, "body": body})


@pytest.mark.django_db(transaction=True)
class TestTheSocket:
    def test_messages_that_are_none(self, table, cast):  # noqa: F811
        async def scenario() -> None:
            before, turn = await in_database(kept)(), await in_database(on_turn)(table)
            async with browsers(table, turn, cast.stranger, None) as everybody:
                for browser in everybody:
                    for text in (*RAW, b"", b"\x00\xff", b'{"body": {"action": "pass"}}', b"\xff" * 5000):
                        await refused(browser, text)
                assert await in_database(kept)() == before
                await everybody[0].post("pass")  # all three are still there
                for browser in everybody:
                    while "data-revision" not in await browser.receive():
                        pass

        run(scenario)

    def test_hundreds_of_made_up_messages_leave_nothing_behind(self, table, cast):  # noqa: F811
        async def scenario() -> None:
            rng = random.Random(7)
            turn = await in_database(on_turn)(table)
            other = next(player for player in players_of(cast) if player != turn)
            before = await in_database(kept)()
            version = before[0][0]["version"]
            async with browsers(table, turn, other, cast.stranger, None) as everybody:
                objects = []
                for number in range(300):
                    await refused(everybody[number % 4], made_up(rng, version))
                    if number % 100 == 99:
                        gc.collect()
                        objects.append(len(gc.get_objects()))
                assert await in_database(kept)() == before
                assert objects[2] - objects[1] < 1_000, objects
                assert len(hub.rooms) == 1
                await everybody[0].post("pass")
                for browser in everybody:
                    while "data-revision" not in await browser.receive():
                        pass
            assert not hub.rooms

        run(scenario)

    def test_who_one_is_stands_in_no_message(self, table, cast):  # noqa: F811
        """Complaints: sync as another player returns his secret state (replay messages with a forged seat id); a seat's
        credential survives leaving."""

        async def scenario() -> None:
            row, turn = await in_database(tables.read_row)(table), await in_database(on_turn)(table)
            hand = row.deal().hands[row.turn]
            others = [player for player in (*players_of(cast), cast.stranger, None) if player != turn]
            async with browsers(table, *others) as everybody:
                for browser in everybody:
                    for field in FORGED:
                        for value in (row.turn, str(row.turn), turn.pk, turn.name, [turn.pk], {"id": turn.pk}, table):
                            text = as_text(action="pass", version=row.version, **{field: value})
                            answer = await refused(browser, text)
                            assert not any(f'data-card="{card}"' in answer for card in hand)
            assert (await in_database(tables.read_row)(table)) == row

        run(scenario)

    def test_a_message_that_comes_again_or_too_late_or_too_early_counts_once(self, table, cast):  # noqa: F811
        async def scenario() -> None:
            before, turn = await in_database(tables.read_row)(table), await in_database(on_turn)(table)
            async with browsers(table, turn) as (browser,):
                for version in (before.version - 1, before.version + 1, 0, 10**8, "", None):
                    await refused(browser, as_text(action="pass", version=version))
                once = as_text(action="pass", version=str(before.version))
                await browser.socket.send_to(text_data=once)
                while "data-revision" not in await browser.receive():
                    pass
                for _again in range(5):
                    await refused(browser, once)
            row = await in_database(tables.read_row)(table)
            assert (row.actions, row.version) == ("pass", before.version + 1)

        run(scenario)

    def test_another_seats_cards_and_the_actions_of_other_phases(self, table, cast):  # noqa: F811
        def to_the_first_trick() -> None:
            while tables.read_row(table).phase != Table.Phase.PLAY:
                options = choices(table)
                submit(table, on_turn(table), "order_up" if "order_up" in options else options[0])

        async def scenario() -> None:
            await in_database(to_the_first_trick)()
            row, turn = await in_database(tables.read_row)(table), await in_database(on_turn)(table)
            legal = set(await in_database(choices)(table))
            before = await in_database(kept)()
            async with browsers(table, turn) as (browser,):
                for action in engine.actions.ACTIONS:
                    if action not in legal:
                        await refused(browser, as_text(action=action, version=row.version))
                assert await in_database(kept)() == before
                assert row.deal().hands[row.turn] and legal

        run(scenario)

    def test_sockets_that_come_and_go_are_forgotten(self, table, cast):  # noqa: F811
        async def scenario() -> None:
            objects = []
            for number in range(30):
                async with browsers(table, cast.north if number % 2 else None) as (browser,):
                    await browser.socket.send_to(text_data="nonsense")
                if number % 10 == 9:
                    await asyncio.sleep(0)
                    gc.collect()
                    objects.append(len(gc.get_objects()))
            assert not hub.rooms
            assert objects[2] - objects[1] < 1_000, objects

        run(scenario)


# --- by form ----------------------------------------------------------------------------------------


@pytest.mark.django_db
class TestForms:
    def forms(self, table_id: int, other: Player) -> dict[str, tuple[str, ...]]:
        """Addresses, and the fields that are filled with nonsense."""
        person = reverse("table_person_act", args=[table_id, other.pk])
        return {
            reverse("table_act", args=[table_id]): ("action", "version", "alone", "nonce", "code"),
            reverse("table_talk", args=[table_id]): ("phrase", "code"),
            person: ("do", "report", "reason", "words"),
            reverse("people_act"): ("act", "player", "name", "next"),
            reverse("quick"): ("kind", "pace", "stick", "bots", "nonce", "partner"),
            reverse("open_table"): ("title", "kind", "pace", "save_as", "save", "bots", "who", "watchers", "pack"),
            reverse("warning_seen", args=[1]): ("next",),
            reverse("daily_act", args=[date(2026, 11, 30)]): ("action", "version", "alone"),
            reverse("preferences"): ("theme", "language", "next", "sort"),
            reverse("programs"): ("other",),
            reverse("account_login"): ("login", "password"),
        }

    def test_nonsense_in_every_field_is_answered_and_stored_nowhere(self, friendly, cast):  # noqa: F811
        north, visitor = Client(raise_request_exception=False), Client(raise_request_exception=False)
        north.force_login(cast.north)
        before, number = kept(), count()
        for client in (north, visitor):
            for address, fields in self.forms(friendly, cast.east).items():
                for at in range(0, len(TEXTS), 4):
                    texts = TEXTS[at : at + 4]
                    filled = {field: texts[next(number) % len(texts)] for field in fields}
                    filled = {name: text.encode(errors="replace").decode() for name, text in filled.items()}
                    if "act" in filled:
                        filled["act"] = "none " + filled["act"]
                    answer = client.post(address, filled)
                    assert answer.status_code < 500, (address, filled)
                    assert SCRIPT not in answer.content.decode(), (address, filled)
        assert kept() == before

    @pytest.mark.parametrize("field", ["text", "words", "name", "title"])
    def test_text_that_is_kept_is_one_plain_line(self, field, friendly, cast):  # noqa: F811
        """Also on a database that takes no NUL."""
        client = Client(raise_request_exception=False)
        client.force_login(cast.north)
        said = f"a\0b\x1b[31m\u202e{SCRIPT}\r\nc"
        person = reverse("table_person_act", args=[friendly, cast.east.pk])
        if field == "text":
            assert client.post(reverse("table_talk", args=[friendly]), {"text": said}).status_code == 303
            assert Message.objects.get().text == f"a b [31m{SCRIPT} c"
            shown = client.get(reverse("table_talk", args=[friendly])).content.decode()
        elif field == "words":
            client.post(person, {"do": "report"})
            form = {"do": "explain", "report": Report.objects.get().pk, "reason": "talk", "words": said}
            shown = client.post(person, form).content.decode()
            assert Report.objects.get().words == f"a b [31m{SCRIPT} c"
        elif field == "name":
            shown = client.post(reverse("programs"), {"name": said}).content.decode()
            assert escape(SCRIPT) in shown and not Token.objects.exists()
        else:
            shown = client.post(reverse("open_table"), {"title": said, "kind": "friendly"}).content.decode()
            assert Table.objects.count() == 1
        assert SCRIPT not in shown

    def test_bodies_that_are_no_form(self, friendly, cast):  # noqa: F811
        client = Client(raise_request_exception=False)
        client.force_login(cast.north)
        before = kept()
        kinds = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data", "x", "")
        bodies = (b"", b"\xff\xfe", b"action", b"&=&=;", b"&a=1" * 1500)
        for place, address in enumerate(self.forms(friendly, cast.east)):
            for number, kind in enumerate(kinds):
                body = bodies[(place + number) % len(bodies)]
                answer = client.post(address, body, content_type=kind)
                assert answer.status_code < 500, (address, kind, body[:20])
        for address in (reverse("table_act", args=[friendly]), reverse("table_talk", args=[friendly])):
            answer = client.post(address, b"action=" + b"x" * 5_000_000, content_type=kinds[0])
            assert answer.status_code < 500
        assert kept() == before


# --- by the API -------------------------------------------------------------------------------------


SEATS = (-1, 4, 1.5, "x", "", "\u0661", [], {}, 10**40, -(2**63), "0;", SCRIPT)
"""Of these none is a seat."""


def call(rng: random.Random, version: int) -> tuple[str, dict[str, Any]]:
    """An address and a body that asks for nothing that can be done."""
    more = {field: rng.choice(VALUES) for field in rng.sample(FORGED, rng.randint(0, 2))}
    path = rng.choice(("act", "act", "sit", "quick-match"))
    if path == "sit":
        return path, {"seat": rng.choice(SEATS), "code": rng.choice(VALUES)} | more
    if path == "quick-match":
        return path, {"pace": rng.choice((None, "x", [], -20, 21, 10**40)), "stick": rng.choice(VALUES)} | more
    return path, {"action": rng.choice((*NOT_ACTIONS, *VALUES)), "version": rng.choice((*VALUES, version))} | more


@pytest.mark.django_db
def test_hundreds_of_made_up_calls_of_the_api_are_refused(cast, friendly):  # noqa: F811
    rng = random.Random(11)
    programs = [Program(player) for player in (*players_of(cast), cast.stranger)]
    before, version = kept(), tables.read_row(friendly).version
    for number in range(250):
        program = programs[number % 5]
        path, body = call(rng, version)
        address = f"{ROOT}/{path}" if path == "quick-match" else f"{ROOT}/tables/{friendly}/{path}"
        text = json.dumps(body)
        answer = program.client.post(
            address,
            text[: rng.randint(0, 30)] if rng.random() < 0.1 else text,
            content_type=rng.choice(("application/json",) * 8 + ("text/plain", "application/xml")),
            headers=rng.choice((program.headers,) * 8 + ({}, {"Authorization": "Bearer x"}, {"Authorization": "\xff"})),
        )
        assert_refusal(answer)
    assert kept() == before


@pytest.mark.django_db
def test_bodies_of_five_megabytes_are_refused_unread(cast, friendly):  # noqa: F811
    program = Program(cast.north)
    before = kept()
    for path in (f"/tables/{friendly}/act", f"/tables/{friendly}/sit", f"/tables/{friendly}/leave", "/quick-match"):
        for size in (5_000, 5_000_000):
            answer = program.client.post(
                ROOT + path, b" " * size, content_type="application/json", headers=program.headers
            )
            program.refused(answer, 413, "too_long")
    assert kept() == before


@pytest.mark.django_db
def test_a_call_that_comes_again_counts_once(cast, friendly):  # noqa: F811
    row = tables.read_row(friendly)
    program = Program(on_turn(friendly))
    body = {"action": "pass", "version": row.version}
    program.post(f"/tables/{friendly}/act", body)
    for _again in range(5):
        assert_refusal(program.send(f"/tables/{friendly}/act", body))
    assert tables.read_row(friendly).actions == "pass"
