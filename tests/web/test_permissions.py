"""Who may do what, for everything but clubs and events (tests/clubs/test_rights.py, tests/events/test_rights.py):
everybody by every address, by every action at a table, and by every call of the API."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.auth.models import Permission
from django.contrib.messages import ERROR, get_messages
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games import consumers, engine
from games.api import limits
from games.api.v1 import api
from games.engine import OPTIONS, PRESETS
from games.live.hub import Viewer
from games.models import Game, Player, RuleSet, Sanction, Seat, Table
from games.selectors import daily as read_daily
from games.selectors import tables
from games.services import daily, play, presence, seating
from games.services.errors import UserError
from games.services.programs import make_token
from tests.factories import play_game
from tests.scale import THOROUGH
from tests.services.conftest import play_out_deal
from tests.web.programs import ROOT, Program, assert_refusal

pytestmark = pytest.mark.django_db

ROLES = ("visitor", "banned", "guest", "watcher", "muted", "staff", "seat", "other", "left")
"""``banned``: his browser still has the session of before. ``seat`` is on turn at the running table, ``other`` sits
beside him, and his partner has ``left`` to a bot. The tables below have a column for each, in this order."""

PASSWORD = "a good long password"


@pytest.fixture(autouse=True)
def nobody_has_asked_yet(db) -> Iterator[None]:
    cache.clear()
    for rate in (limits.BY_ADDRESS, limits.BY_PERSON):
        rate.forget()
    yield
    for rate in (limits.BY_ADDRESS, limits.BY_PERSON):
        rate.forget()


@contextmanager
def undone() -> Iterator[None]:
    """What happens within has not happened after it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    tables._seats_at.cache_clear()


# --- the scene --------------------------------------------------------------------------------------


def sit_all(host: Player, *others: Player, **terms: Any) -> int:
    terms = {"ranked": False, "pace": 20, "rules": "article"} | terms
    table_id = seating.open_table(host=host, **terms)
    for index, player in enumerate(others, start=1):
        seating.sit(table_id=table_id, player_id=player.pk, index=index, code=tables.read_row(table_id).code)
    return table_id


@pytest.fixture
def cast(db) -> SimpleNamespace:
    def person(name: str, **more: Any) -> Player:
        return Player.objects.create_user(name, PASSWORD, **more)

    names = {"watcher": "Wanda", "banned": "Bjorn", "muted": "Mona", "seat": "North", "other": "East", "left": "South"}
    people = {who: person(name) for who, name in names.items()}
    people |= {
        "guest": Player.objects.create_user("Gus", None, guest=True),
        "staff": Player.objects.create_superuser("Umpire", PASSWORD),
        "fourth": person("West"),
        "host": person("Hanna"),
    }
    for name in ("Clover", "Otto", "Hazel"):
        Player.objects.create_user(name, None, bot_level="fill_in")
    return SimpleNamespace(visitor=None, **people)


def player_id(cast: SimpleNamespace, role: str) -> int | None:
    player = getattr(cast, role)
    return player and player.pk


@pytest.fixture
def cookies(cast) -> dict[str, str]:
    """The sessions of everybody; one was banned after he had logged in, one is muted."""
    kept = {}
    for role in ROLES:
        client = Client()
        if role != "visitor":
            client.force_login(getattr(cast, role))
            kept[role] = client.cookies["sessionid"].value
    Player.objects.filter(pk=cast.banned.pk).update(is_active=False)
    for role, kind in (("banned", "ban"), ("muted", "mute")):
        Sanction.objects.create(player=getattr(cast, role), kind=kind, reason="Rude", until=later(days=1))
    return kept


def later(**span: int) -> Any:
    return timezone.now() + timedelta(**span)


def browser(cookies: dict[str, str], role: str) -> Client:
    client = Client()
    if role in cookies:
        client.cookies["sessionid"] = cookies[role]
    return client


def stored(*models: Any) -> dict[str, Any]:
    """All rows of the games, without the notes of when somebody was seen."""
    return {model.__name__: rows(model) for model in models or apps.get_app_config("games").get_models()}


def rows(model: Any) -> list[tuple[Any, ...]]:
    seen = {"seen_at", "lost_at"} if model is Seat else {"seen_at", "last_login"} if model is Player else {"used_at"}
    names = [field.attname for field in model._meta.concrete_fields if field.attname not in seen]
    return list(model.objects.order_by("pk").values_list(*names))


# --- by address -------------------------------------------------------------------------------------


class Route(NamedTuple):
    """An address: what everybody gets there (a letter for each of ROLES), and what its form does.

    ``+`` is shown the page; with a form: it is done, and something else is stored than before. For all others it
    changes nothing: ``a`` is asked to log in, or for a name; ``>`` is led elsewhere; ``-`` is refused with a sentence;
    ``=`` is answered, and nothing is stored. Empty: there is no such form, or no such page.
    """

    get: str
    post: str = ""
    args: tuple[str, ...] = ()
    sent: Mapping[str, Any] = MappingProxyType({})


ALL = "+++++++++"
OWN = {
    "title": "", "kind": "friendly", "pace": "20", "save_as": "", "bots": "any", "who": "anybody", "watchers": "yes",
    "absence": "bot",
} | {name: str(getattr(PRESETS["article"], name)) for name in OPTIONS}  # fmt: skip
NEW_PASSWORD = "another good password"

#                                       visitor banned guest watcher muted staff seat other left
ROUTES: dict[str, Route] = {
    # The site
    "lobby": Route(ALL),
    "about_ratings": Route(ALL),
    "bots": Route(ALL),
    "fair_play": Route(ALL),
    "privacy": Route(ALL),
    "rules": Route(ALL),
    "fair": Route(ALL),
    "fair_deals": Route(ALL),
    "standings": Route(ALL),
    "status": Route(ALL),
    "api": Route(ALL),
    "player": Route(ALL, "", ("North",)),
    "player_statistics": Route(ALL, "", ("North",)),
    "preferences": Route(ALL, ">>+++++++", sent={"theme": "dark"}),
    "records": Route(ALL, "---------", sent={"record": "no record"}),
    "record": Route("---------", "", ("nothing",)),
    # Tables
    "quick": Route(">>>>>>>>>", "aa++++>>+", sent={"kind": "friendly", "pace": "20", "stick": "no", "bots": "any"}),
    "open_table": Route("aa+++++++", "aa++++--+", sent=OWN),
    "delete_rules": Route("", "aa>>>>+>>", ("set",)),
    "table": Route(ALL, "", ("table",)),
    "table of a private table": Route("------+++", "", ("table",)),
    "table_rules": Route(ALL, "", ("table",)),
    "table_act": Route("", "aa----+++", ("table",), {"action": "ask_alone:on"}),
    "table_act of a private table": Route("", "------+++", ("table",), {"action": "ask_alone:on"}),
    "table_hint": Route("---------", "---------", ("table",), {"version": "0"}),
    "table_talk": Route(ALL, "--++-++++", ("table",), {"text": "Hello"}),
    "table_talk of a private table": Route("------+++", "------+++", ("table",), {"text": "Hello"}),
    "table_seat": Route(ALL, "", ("table", "second")),
    "table_seat of a private table": Route("------+++", "", ("table", "second")),
    "table_check": Route(">>>>>>>>>", "", ("table",)),
    "door": Route(ALL, "++++++--+", ("code",), {"name": "Newcomer"}),
    "door_act": Route("", "aa++++--+", ("code",), {"action": "sit"}),
    "door_picture": Route(ALL, "", ("code",)),
    # Games
    "game": Route(ALL, "", ("game",)),
    "game_record": Route(ALL, "", ("game",)),
    "game_egn": Route(ALL, "", ("game",)),
    "game_analysis": Route(ALL, ">>>>>>>>>", ("game",)),
    "game_analysis_json": Route(ALL, "", ("game",)),
    "game_check": Route(ALL, "", ("game",)),
    "game at a private table": Route("------+++", "", ("private game",)),
    "game_record at a private table": Route("------+++", "", ("private game",)),
    "game_egn at a private table": Route("------+++", "", ("private game",)),
    "game_analysis at a private table": Route("------+++", "------>>>", ("private game",)),
    "game_analysis_json at a private table": Route("------+++", "", ("private game",)),
    "game_check at a private table": Route("------+++", "", ("private game",)),
    "daily": Route(ALL, "aa++++>++"),
    "daily_day": Route(">>>>>>+>>", "", ("day",)),
    "daily_act": Route("", "aa----+--", ("day",), {"action": "daily action", "version": "daily version"}),
    # People
    "people": Route("aa+++++++"),
    "people_act": Route("", "aa+++++++", sent={"act": "ask", "player": "fourth"}),
    "table_person": Route(ALL, "", ("table", "fourth")),
    "table_person_act": Route("", "aa+++++++", ("table", "fourth"), {"do": "report"}),
    "warning_seen": Route("", ">>>>>>+>>", ("warning",)),
    # Accounts
    "guest": Route("++>>>>>>>", "++>>>>>>>", sent={"name": "Newcomer"}),
    "account_login": Route("++>>>>>>>", "==>>>>>>>", sent={"login": "North", "password": "wrong"}),
    "account_signup": Route("++>>>>>>>", "++>>>>>>>", sent={"username": "Newcomer", "password1": PASSWORD}),
    "account_logout": Route(">>+++++++", ">>=>>>>>>"),
    "account_inactive": Route(ALL),
    "account": Route("aa+++++++", "aa"),
    "export": Route("aa+++++++", "aa"),
    "account_delete": Route("aa+++++++", "aa++++---", sent={"password": PASSWORD}),
    "programs": Route("aa+++++++", "aa-++++++", sent={"name": "Robot"}),
    "program_revoke": Route("aa", "aa>>>>+>>", ("token",)),
    "account_email": Route("aa+++++++", "aa>>>>>>>", sent={"action_add": "1", "email": "new@mail.example"}),
    "account_email_verification_sent": Route(ALL),
    "account_confirm_email": Route(ALL, "---------", ("nothing",)),
    "account_change_password": Route(
        "aa>++++++", "aa>++++++", sent={"oldpassword": PASSWORD, "password1": NEW_PASSWORD}
    ),
    "account_set_password": Route("aa+>>>>>>", "aa+>>>>>>", sent={"password1": NEW_PASSWORD}),
    "account_reset_password": Route(ALL, ">>>>>>>>>", sent={"email": "new@mail.example"}),
    "account_reset_password_done": Route(ALL),
    "account_reset_password_from_key": Route(ALL, "=========", ("1", "nothing")),
    "account_reset_password_from_key_done": Route(ALL),
    "account_reauthenticate": Route("aa-++++++", "aa->>>>>>", sent={"password": PASSWORD}),
    "account_request_reauthentication_code": Route("aa->>>>>>", "aa->>>>>>"),
    "account_confirm_reauthentication_code": Route("aa>>>>>>>", "aa>>>>>>>"),
    "account_confirm_login_code": Route("aa>>>>>>>", "aa>>>>>>>"),
    "mfa_index": Route("aa+++++++", "aa"),
    "mfa_authenticate": Route("aa>>>>>>>", "aa>>>>>>>"),
    "mfa_reauthenticate": Route("aa->>>>>>", "aa->>>>>>"),
    "mfa_activate_totp": Route("aa->>>>>>", "aa->>>>>>"),
    "mfa_deactivate_totp": Route("aa-------", "aa-------"),
    "mfa_view_recovery_codes": Route("aa-------", "aa"),
    "mfa_generate_recovery_codes": Route("aa->>>>>>", "aa->>>>>>"),
    "mfa_download_recovery_codes": Route("aa-------", "aa-------"),
    "mfa_list_webauthn": Route("aa+++++++", "aa"),
    "mfa_add_webauthn": Route("aa->>>>>>", "aa->>>>>>"),
    "mfa_edit_webauthn": Route("aa->>>>>>", "aa->>>>>>", ("1",)),
    "mfa_remove_webauthn": Route("aa->>>>>>", "aa->>>>>>", ("1",)),
    "mfa_login_webauthn": Route("aa>>>>>>>", "aa>>>>>>>"),
    "mfa_reauthenticate_webauthn": Route("aa->>>>>>", "aa->>>>>>"),
}
"""By name; "of a private table" after it: the running table is private, and they do not bring its code."""

ALIKE = {name for name, route in ROUTES.items() if route.get == ALL and not route.post and not route.sent}
"""Pages that anybody may see: each of ROLES looks at a third of them, and in a thorough run at all."""


def scene_of(cast: SimpleNamespace) -> dict[str, Any]:
    """What the addresses are of: a running table, one that waits behind a link, games that are over, one's own."""
    four = (cast.seat, cast.other, cast.left, cast.fourth)
    game, private_game = play_game(four, ranked=False), play_game(four, seed=2, ranked=False)
    Table.objects.filter(pk=private_game.table_id).update(private=True, code="kept-for-us")
    waits = sit_all(cast.host, private=True)
    running = sit_all(*four)
    presence.leave(table_id=running, player_id=cast.left.pk)
    of_today = daily.start(player_id=cast.seat.pk, now=timezone.now())
    state = read_daily.state_of(of_today.deal, of_today)
    make_token(player_id=cast.seat.pk, name="Mine")
    return {
        "table": running,
        "second": 2,
        "fourth": cast.fourth.pk,
        "code": tables.read_row(waits).code,
        "game": game.pk,
        "private game": private_game.pk,
        "set": RuleSet.objects.create(owner=cast.seat, name="Ours", rules="article").pk,
        "warning": Sanction.objects.create(player=cast.seat, kind="warn", reason="Slow").pk,
        "day": of_today.deal.day,
        "daily action": str(engine.legal_actions(state)[0]),
        "daily version": str(len(state.history)),
        "North": "North",
        "token": cast.seat.tokens.get().pk,
        "nothing": "x",
        "1": 1,
    }


def named(patterns: Any, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from named(pattern.url_patterns, (*namespaces, *filter(None, [pattern.namespace])))
        elif pattern.name:
            yield ":".join((*namespaces, pattern.name)), pattern


def test_every_address_stands_in_the_table() -> None:
    """But those of the API and of the admin, which are looked at below."""
    ours = {
        name
        for name, pattern in named(get_resolver().url_patterns)
        if not name.startswith(("admin:", "api-v1:")) and not pattern.callback.__module__.startswith("tournaments")
    }
    assert {name.partition(" ")[0] for name in ROUTES} == ours


def letter(response: HttpResponse) -> str:
    if response.status_code in (301, 302, 303):
        asks = tuple(reverse(name) for name in ("account_login", "account_signup", "guest"))
        if response.headers["Location"].startswith(asks):
            return "a"
        return "-" if any(one.level == ERROR for one in get_messages(response.wsgi_request)) else ">"
    if response.status_code in (200, 204, 503):  # a page of the site's state says so of a site that is not well
        return "="
    assert 400 <= response.status_code < 500, (response.request["PATH_INFO"], response.status_code)
    if response.status_code == 405:
        return ""
    assert len(re.sub(r"<[^>]+>|\\s", "", response.content.decode())) > 20, "a sentence says why"
    return "-"


PLAIN = ("muted", "staff", "seat", "other", "left")
"""To the pages of accounts they are the same as ``watcher``: they look at those in a thorough run."""


def looks_at(role: str, name: str, place: int) -> bool:
    if THOROUGH:
        return True
    if name in ALIKE:
        return place % 3 == ROLES.index(role) % 3
    return role not in PLAIN or name == "account_delete" or not name.startswith(("mfa_", "account_"))


@contextmanager
def noting_writes() -> Iterator[list[str]]:
    """What is written to tables of the games, within."""
    written: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        if sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE")) and "games_" in sql:
            written.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(note):
        yield written


@pytest.mark.parametrize("role", ROLES)
def test_everybody_by_every_address(role, cast, cookies):
    things = scene_of(cast)
    private = {"private": True, "code": "our-secret"}
    before = stored()
    column, expected, found = ROLES.index(role), {}, {}
    for place, (name, route) in enumerate(ROUTES.items()):
        if not looks_at(role, name, place):
            continue
        address = reverse(name.partition(" ")[0], args=[things[arg] for arg in route.args])
        expected[name] = route.get[column : column + 1], route.post[column : column + 1]
        sent = {field: things.get(value, value) for field, value in route.sent.items()}
        closed = name.endswith("of a private table")
        with undone():
            if closed:
                Table.objects.filter(pk=things["table"]).update(**private)
            got = letter(browser(cookies, role).get(address)).replace("=", "+")
            start = stored() if closed else before
            with noting_writes() as written:
                posted = letter(browser(cookies, role).post(address, sent))
            if written and stored() != start:
                posted = "+"
        found[name] = got, posted
    assert found == expected


@pytest.mark.parametrize("role", ["watcher", pytest.param("seat", marks=pytest.mark.database)])
def test_to_look_changes_nothing(role, cast, cookies):
    """But the notes of when somebody was seen."""
    things = scene_of(cast)
    before = stored()
    client = browser(cookies, role)
    for name, route in ROUTES.items():
        if route.args and route.get:
            client.get(reverse(name.partition(" ")[0], args=[things[arg] for arg in route.args]))
    assert stored() == before


# --- at the staff's desk ----------------------------------------------------------------------------

OPEN_DESK = {"admin:login", "admin:logout"}
"""They ask everybody who he is, or let him go."""


def desk() -> dict[str, str]:
    """Every address of the admin, of clubs and events too."""
    args = {"content_type_id": 1, "app_label": "games", "pk": 1, "object_id": "1"}
    return {
        name: reverse(
            name, kwargs={arg: args[arg] for arg in pattern.pattern.regex.groupindex or pattern.pattern.converters}
        )
        for name, pattern in named(get_resolver().url_patterns)
        if name.startswith("admin:") and name not in OPEN_DESK
    }


@pytest.mark.parametrize(
    "role", [role for role in ROLES if role != "staff"] if THOROUGH else ["visitor", "banned", "seat"]
)
def test_the_staffs_desk_is_shut_to_everybody_else(role, cast, cookies):
    before = stored()
    for name, address in desk().items():
        client = browser(cookies, role)
        for answer in (client.get(address), client.post(address, {"action": "sanction", "_selected_action": "1"})):
            assert answer.status_code in (302, 403), (name, answer.status_code)
            assert answer.status_code == 403 or answer.headers["Location"].startswith("/admin/login/"), name
    assert stored() == before


def test_who_is_staff_without_a_right_sees_the_desk_and_can_do_nothing_there(cast):
    """Nor does who may only look: every action asks for the right to change."""
    helper = Player.objects.create_user("Helper", PASSWORD, is_staff=True)
    game = play_game((cast.seat, cast.other, cast.left, cast.fourth))
    client = Client()
    client.force_login(helper)
    shown = {name for name, address in desk().items() if client.get(address).status_code == 200}
    assert shown == {"admin:index", "admin:jsi18n", "admin:password_change", "admin:password_change_done"}
    helper.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    before = stored()
    for model, admin in site._registry.items():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        chosen = [str(pk) for pk in (game.pk, cast.seat.pk)]
        for action in (action if isinstance(action, str) else action.__name__ for action in admin.actions or ()):
            form = {"action": action, "_selected_action": chosen, "reason": "Because", "sure": "1", "post": "yes"}
            client.post(address, form | {"do": "ban", "span": "day", "why": "Because"})
    assert stored() == before


# --- at a table -------------------------------------------------------------------------------------


def waiting(cast: SimpleNamespace) -> int:
    """``seat`` is its host, ``other`` sits beside him, and ``left`` has got up again."""
    table_id = sit_all(cast.seat, cast.other, cast.left)
    presence.leave(table_id=table_id, player_id=cast.left.pk)
    return table_id


def dealing(cast: SimpleNamespace, **terms: Any) -> int:
    """``seat`` is on turn."""
    table_id = sit_all(cast.seat, cast.other, cast.left, cast.fourth, **terms)
    row = tables.read_row(table_id)
    Table.objects.filter(pk=table_id).update(dealer=3, turn=0, actions="", played_by="", phase="bid1")
    assert tables.read_row(table_id).deal().turn == 0, row
    presence.leave(table_id=table_id, player_id=cast.left.pk)
    return table_id


def offered(cast: SimpleNamespace) -> int:
    """Both opponents of ``seat`` have left."""
    table_id = dealing(cast)
    for gone in (cast.other, cast.fourth):
        presence.leave(table_id=table_id, player_id=gone.pk)
    return table_id


def patient(cast: SimpleNamespace) -> int:
    """The time of ``other`` is up."""
    table_id = dealing(cast, patient=True)
    Seat.objects.filter(table_id=table_id, index=1).update(missed=1)
    Table.objects.filter(pk=table_id).update(roster=100)
    return table_id


def between(cast: SimpleNamespace) -> int:
    """Nobody has said that he is ready; then ``left`` leaves."""
    table_id = sit_all(cast.seat, cast.other, cast.left, cast.fourth)
    play_out_deal(table_id)
    presence.leave(table_id=table_id, player_id=cast.left.pk)
    return table_id


def over(cast: SimpleNamespace) -> int:
    """``other`` and his partner were left alone and have taken the win."""
    table_id = sit_all(cast.seat, cast.other, cast.left, cast.fourth)
    for role, action in (("seat", "leave"), ("left", "leave"), ("other", "take_win"), ("fourth", "take_win")):
        play.submit_action(table_id=table_id, player_id=getattr(cast, role).pk, action=action)
    presence.leave(table_id=table_id, player_id=cast.left.pk)
    return table_id


NOBODY = "---------"
RUNNING = {
    "sit": "------==-",
    "bots": "------===",
    "leave": "------++=",
    "nonce": "------===",
    "ask_alone:on": "------+++",
    "take_back": "------==+",
    "next": "------===",
    "rematch": "------===",
}
"""What is left to do of the commands while a game runs."""

SITUATIONS: dict[str, tuple[Callable[[SimpleNamespace], int], dict[str, str]]] = {
    #                  visitor banned guest watcher muted staff seat other left
    "waiting": (
        waiting,
        {
            "sit": "--++++==+",
            "sit:2": "--+++++++",
            "bots": "------+--",
            "move:0:1": "------+--",
            "up:1": "------+--",
            "leave": "------++-",
            "nonce": "------++-",
            "ask_alone:on": "------++-",
            "next": "------==-",
            "rematch": "------==-",
        },
    ),
    "dealing": (dealing, RUNNING | {"pass": "------+--", "order_up": "------+--"}),
    "offered": (
        offered,
        RUNNING
        | {
            "sit": "------=--",
            "leave": "------+==",
            "take_back": "------=++",
            "take_win": "------+--",
            "play_on": "------+--",
            "stand_in:1": "------=--",
            "pass": "------+--",
            "order_up": "------+--",
        },
    ),
    "patient": (patient, RUNNING | {"stand_in:1": "------+--", "pass": "------+--", "order_up": "------+--"}),
    "between": (between, RUNNING | {"next": "------++-"}),
    "over": (
        over,
        {
            "bots": "------==-",
            "leave": "------++-",
            "nonce": "------++-",
            "ask_alone:on": "------++-",
            "next": "------==-",
            "rematch": "------++-",
        },
    ),
}
"""What may be done when: ``+`` is done, ``=`` there is nothing to do and nothing is said, ``-`` is refused with a
sentence; what is not named is refused to everybody."""

NONCE = "0123456789abcdef0123456789abcdef"
COMMANDS = (
    *("sit", "sit:2", "bots", "move:0:1", "up:1", "leave", "nonce", "ask_alone:on", "take_back", "next", "rematch"),
    *("take_win", "play_on", "stand_in:1"),
)
MOVES = tuple({action.kind: str(action) for action in engine.actions.ACTIONS.values()}.values())
"""One of each kind."""


def test_every_command_of_a_table_is_tried() -> None:
    compared = re.findall(r"name (?:==|in) .*", inspect.getsource(play.submit_action))
    known = set(re.findall(r'"(\w+)"', "".join(compared)))
    assert len(known) >= 12
    assert known <= {command.partition(":")[0] for command in COMMANDS}


def state_of() -> Any:
    return stored(Table, Seat, Game, Player)


def by_socket(cast: SimpleNamespace, cookies: dict[str, str], role: str, table_id: int, **body: Any) -> str:
    consumer = consumers.TableConsumer()
    consumer.table_id, consumer.viewer = table_id, Viewer(player_id(cast, role), "en")
    consumer._session_key, consumer._trusted_at = cookies.get(role), float("-inf")
    try:
        consumer._submit(json.dumps({"headers": {}, "body": body}))
    except UserError as error:
        return "-" if str(error) else "refused without a word"
    return "="


def by_form(cast: SimpleNamespace, cookies: dict[str, str], role: str, table_id: int, **body: Any) -> str:
    answer = letter(browser(cookies, role).post(reverse("table_act", args=[table_id]), body))
    return {"a": "-", ">": "="}.get(answer, answer)


def by_program(
    cast: SimpleNamespace, cookies: dict[str, str], role: str, table_id: int, *, action: str, version: int, nonce: str
) -> str:
    limits.BY_ADDRESS.forget()
    if role == "visitor":
        client = Program()
    else:
        Player.objects.filter(guest=True).update(guest=False)
        client = Program(getattr(cast, role))
        Player.objects.filter(name="Gus").update(guest=True)
    answer = client.send(f"/tables/{table_id}/act", {"action": action, "version": version})
    if answer.status_code in (200, 204):
        return "="
    assert_refusal(answer)
    return "-"


@pytest.mark.parametrize("situation", SITUATIONS)
def test_everybody_by_every_action(situation, cast, cookies):
    """Complaint: spectators can act in the game (try: send every action as spectator)."""
    prepare, allowed = SITUATIONS[situation]
    table_id = prepare(cast)
    actions = (*COMMANDS, *(MOVES if THOROUGH or situation == "dealing" else ("pass", "order_up")))
    expected = {action: allowed.get(action, NOBODY) for action in actions}
    assert allowed.keys() <= expected.keys()
    assert all_try(by_socket, cast, cookies, table_id, actions) == expected


SOME = (*COMMANDS, "pass", "play:JD") if THOROUGH else ("sit", "leave", "nonce", "take_back", "up:1", "pass", "play:JD")


@pytest.mark.parametrize("situation", ["waiting", "dealing"] if THOROUGH else ["dealing"])
def test_the_plain_form_serves_the_same_people_as_the_socket(situation, cast, cookies):
    prepare, allowed = SITUATIONS[situation]
    expected = {action: allowed.get(action, NOBODY) for action in SOME}
    assert all_try(by_form, cast, cookies, prepare(cast), SOME) == expected


def test_a_program_may_what_its_owner_may(cast, cookies):
    """But it adds no nonce. What it does marks its seat, even where there is nothing else to do."""
    expected = {action: RUNNING.get(action, NOBODY).replace("=", "+") for action in SOME}
    expected |= {"nonce": NOBODY, "pass": "------+--"}
    assert all_try(by_program, cast, cookies, dealing(cast), SOME) == expected


def all_try(
    way: Callable[..., str], cast: SimpleNamespace, cookies: dict[str, str], table_id: int, actions: tuple[str, ...]
) -> dict[str, str]:
    before = state_of()
    version = tables.read_row(table_id).version
    return {
        action: "".join(outcome(way, cast, cookies, role, table_id, action, version, before) for role in ROLES)
        for action in actions
    }


def outcome(
    way: Callable[..., str], cast: Any, cookies: Any, role: str, table_id: int, action: str, version: int, before: Any
) -> str:
    with undone():
        with noting_writes() as written:
            got = way(cast, cookies, role, table_id, action=action, version=version, nonce=NONCE)
        if not written or state_of() == before:
            return got
        assert got == "=", (role, action, "refused, and yet something is stored")
        return "+"


# --- by the API -------------------------------------------------------------------------------------

CALLERS = (*ROLES, "forged")
"""With a token each, made while they could make one; the visitor has none, and one is made up."""

#                    visitor banned guest watcher muted staff seat other left forged
READS = "+!!++++++!"
PRIVATE = "-!!---+++!"
"""What is of a private table is there for who played at it."""
ACTS = "!!!------!"
"""Nobody may, but who they are is asked first."""

CALLS: dict[str, tuple[str, str, Any]] = {
    "standings": ("/standings", READS, None),
    "player": ("/players/North", READS, None),
    "games": ("/games", READS, None),
    "game": ("/games/{game}", READS, None),
    "game at a private table": ("/games/{private_game}", PRIVATE, None),
    "record": ("/games/{game}/record", READS, None),
    "record at a private table": ("/games/{private_game}/record", PRIVATE, None),
    "egn": ("/games/{game}/record.egn.json", READS, None),
    "egn at a private table": ("/games/{private_game}/record.egn.json", PRIVATE, None),
    "tables": ("/tables", READS, None),
    "table": ("/tables/{table}", READS, None),
    "table that is private": ("/tables/{private}", "-!!------!", None),
    "me": ("/me", "!!!++++++!", None),
    "quick_match": ("/quick-match", "!!!++++++!", {}),
    "sit": ("/tables/{waiting}/sit", "!!!+++--+!", {}),
    "sit at a private table": ("/tables/{private}/sit", ACTS, {}),
    "act": ("/tables/{table}/act", "!!!---+--!", {"action": "pass", "version": 0}),
    "act at a ranked table": ("/tables/{ranked}/act", ACTS, {"action": "sit"}),
    "bots": ("/tables/{waiting}/bots", ACTS, ""),
    "take_back": ("/tables/{table}/take-back", "!!!---+++!", ""),
    "leave": ("/tables/{table}/leave", "!!!---+++!", ""),
}
"""Of each call its address, whom it serves (``+``; ``!`` has no good token, ``-`` is refused) and what is sent."""


def test_every_call_is_tried() -> None:
    methods = [methods for path, methods in api.get_openapi_schema()["paths"].items() if not path.endswith("/stream")]
    known = {operation["operationId"] for operations in methods for operation in operations.values()}
    assert {name.partition(" ")[0] for name in CALLS} == known


def tokens_of(cast: SimpleNamespace) -> dict[str, str]:
    Player.objects.filter(pk=cast.guest.pk).update(guest=False)
    made = {role: make_token(player_id=getattr(cast, role).pk, name="Robot") for role in ROLES if role != "visitor"}
    Player.objects.filter(pk=cast.guest.pk).update(guest=True)
    return made | {"visitor": "", "forged": "euchre_" + "x" * 43}


@pytest.mark.parametrize("callers", [CALLERS[::2], CALLERS[1::2]], ids=" ".join)
def test_everybody_by_every_call(callers, cast, cookies):
    four = (cast.seat, cast.other, cast.left, cast.fourth)
    games = [play_game(four, seed=seed, ranked=False) for seed in (1, 2)]
    Table.objects.filter(pk=games[1].table_id).update(private=True, code="kept-for-us")
    hosts = [Player.objects.create_user(name, None) for name in ("Anna", "Boris", "Cora")]
    places = {
        "game": games[0].pk,
        "private_game": games[1].pk,
        "table": dealing(cast),
        "waiting": sit_all(hosts[0]),
        "private": sit_all(hosts[1], private=True),
        "ranked": sit_all(hosts[2], ranked=True),
    }
    tokens = tokens_of(cast)
    before, version = stored(), tables.read_row(places["table"]).version
    for caller in callers:
        client = Program(token=tokens[caller])
        expected, found = {}, {}
        for name, (path, letters, body) in CALLS.items():
            expected[name] = letters[CALLERS.index(caller)]
            limits.BY_ADDRESS.forget()
            with undone(), noting_writes() as written:
                if body is None:
                    answer = client.client.get(ROOT + path.format(**places), headers=client.headers)
                elif body == "":
                    answer = client.send(path.format(**places))
                else:
                    answer = client.send(
                        path.format(**places), {**body, **({"version": version} if "version" in body else {})}
                    )
                found[name] = "+" if answer.status_code < 300 else "!" if answer.status_code == 401 else "-"
                if found[name] != "+":
                    assert_refusal(answer)
                    assert not written or stored() == before
        assert found == expected, caller
