"""Who may look on at a table, by page, frame, socket and talk; two accounts at one address."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.live.hub import hub
from games.models import Game, Player, SameAddress, Table
from games.selectors import tables
from games.services import sanctions, watching
from tests.services.conftest import cast, table  # noqa: F401
from tests.web.test_socket import PATIENCE, Browser, in_database, run

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = {"HTTP_HX_REQUEST": "true"}
NOT_OPEN = "This table is not open to watchers."
OWN_GAME = "Nobody watches his own game."


@pytest.fixture(autouse=True)
def nothing_remembered(db):
    cache.clear()


def client_of(player: Player | None, address: str = "198.51.100.1") -> Client:
    client = Client(REMOTE_ADDR=address)
    if player:
        client.force_login(player)
    return client


def ways_in(table_id: int) -> list[str]:
    return [reverse("table", args=[table_id]), reverse("table_talk", args=[table_id])]


def test_a_table_without_watchers_tells_strangers_so_and_lets_its_players_in(table, cast):  # noqa: F811
    Table.objects.filter(pk=table).update(watchable=False)
    for stranger in (client_of(None), client_of(cast.stranger)):
        for address in ways_in(table):
            for how in ({}, SCRIPT):
                answer = stranger.get(address, **how)
                assert answer.status_code == 403 and NOT_OPEN in answer.content.decode()
                assert "data-card" not in answer.content.decode()
        act = stranger.post(reverse("table_act", args=[table]), {"action": "pass"}, **SCRIPT)
        assert act.status_code == 403
    assert all(client_of(cast.north).get(address).status_code == 200 for address in ways_in(table))


def test_while_a_seat_is_free_a_table_without_watchers_can_be_looked_at(cast):  # noqa: F811
    from games.services import seating

    waiting = seating.open_table(host=cast.north, ranked=False, pace=20, rules="article")
    Table.objects.filter(pk=waiting).update(watchable=False)
    assert client_of(cast.stranger).get(reverse("table", args=[waiting])).status_code == 200


def test_a_private_table_is_watched_by_its_link_alone(table, cast):  # noqa: F811
    Table.objects.filter(pk=table).update(private=True, code="plum-tree", ranked=False)
    stranger = client_of(cast.stranger)
    for address in ways_in(table):
        for code in ("", "?code=plum"):
            assert stranger.get(address + code).status_code == 403
    assert stranger.get(reverse("table_talk", args=[table]) + "?code=plum-tree").status_code == 200
    assert stranger.get(reverse("door", args=["plum-tree"])).status_code == 200


def test_nor_does_the_link_let_anybody_watch_his_own_game(table, cast):  # noqa: F811
    Table.objects.filter(pk=table).update(private=True, code="plum-tree", ranked=False)
    browser = client_of(cast.north)
    browser.get(reverse("table", args=[table]))
    browser.post(reverse("account_logout"))
    refused = browser.get(reverse("door", args=["plum-tree"]))
    assert refused.status_code == 403 and OWN_GAME in refused.content.decode()


async def first_words(browser: Browser) -> tuple[str, bool]:
    """What a socket is sent first, and whether it is closed then."""
    await browser.socket.connect(timeout=PATIENCE)
    text = await browser.receive()
    if "data-revision" in text:
        await browser.socket.disconnect()
        return text, False
    return text, (await browser.socket.receive_output(PATIENCE))["type"] == "websocket.close"


def test_the_socket_refuses_whom_the_page_refuses(table, cast):  # noqa: F811
    async def scenario() -> None:
        await in_database(Table.objects.filter(pk=table).update)(watchable=False)
        for stranger in (None, cast.stranger):
            text, closed = await first_words(Browser(table, stranger))
            assert NOT_OPEN in text and closed
        text, closed = await first_words(Browser(table, cast.north))
        assert "data-revision" in text and not closed
        assert table not in hub.rooms

    run(scenario)


def test_nobody_watches_his_own_game_from_a_second_account_in_the_same_browser(table, cast):  # noqa: F811
    browser = client_of(cast.north)
    address = reverse("table", args=[table])
    assert browser.get(address).status_code == 200
    kept = browser.cookies[watching.COOKIE]
    assert kept["httponly"] and kept["samesite"] == "Lax"
    browser.post(reverse("account_logout"))
    for way in ways_in(table):
        assert OWN_GAME in browser.get(way).content.decode()
    browser.force_login(cast.stranger)
    refused = browser.get(address)
    assert refused.status_code == 403 and OWN_GAME in refused.content.decode()
    assert client_of(cast.stranger).get(address).status_code == 200
    Table.objects.filter(pk=table).update(phase=Table.Phase.OVER)
    assert browser.get(address).status_code == 200


def test_who_was_banned_while_he_played_is_told_that_at_his_table(table, cast):  # noqa: F811
    umpire = Player.objects.create_user("Umpire", "a good long password", is_staff=True)
    browser = client_of(cast.north)
    browser.get(reverse("table", args=[table]))
    sanctions.impose(by=umpire, player_id=cast.north.pk, kind="ban", reason="Insults.")
    refused = browser.get(reverse("table", args=[table]))
    assert refused.status_code == 403 and "Insults." in refused.content.decode()


def test_nor_by_the_socket(table, cast):  # noqa: F811
    async def scenario() -> None:
        cookie = watching.with_user("", cast.north.pk)
        for other in (None, cast.stranger):
            browser = Browser(table, other)
            browser.socket.scope["cookies"] = {watching.COOKIE: cookie}
            text, closed = await first_words(browser)
            assert OWN_GAME in text and closed
        partner = Browser(table, cast.south)  # two who share a browser may both play
        partner.socket.scope["cookies"] = {watching.COOKIE: cookie}
        assert "data-revision" in (await first_words(partner))[0]

    run(scenario)


def test_a_forged_cookie_of_users_is_none(table, cast):  # noqa: F811
    for cookie in ("", "1", f"[{cast.north.pk}]", watching.with_user("", cast.north.pk)[:-1] + "x"):
        assert watching.users_of(cookie) == ()
    cookie = ""
    for number in range(12):
        cookie = watching.with_user(cookie, number)
    assert watching.users_of(cookie) == (11, 10, 9, 8, 7, 6, 5, 4)


def pairs() -> set[tuple[str, str | None, bool]]:
    return {
        (same.player.name, same.other and same.other.name, same.watching)
        for same in SameAddress.objects.select_related("player", "other")
    }


def test_accounts_of_one_address_at_a_ranked_game_are_noted_and_let_in(table, cast):  # noqa: F811
    """complaints.md: partners in one room shout their cards to each other."""
    address = reverse("table", args=[table])
    for player, at in (
        (cast.north, "198.51.100.1"),
        (cast.east, "198.51.100.2"),
        (cast.south, "198.51.100.1"),
        (cast.stranger, "198.51.100.2"),
        (None, "198.51.100.2"),
    ):
        for _twice in range(2):
            assert client_of(player, at).get(address).status_code == 200
    assert pairs() == {("North", "South", False), ("East", "Stranger", True), ("East", None, True)}


def test_an_account_that_looked_on_and_is_gone_keeps_nobody_from_his_table(table, cast):  # noqa: F811
    address = reverse("table", args=[table])
    for player in (cast.east, cast.stranger):
        client_of(player).get(address)
    cast.stranger.delete()
    assert client_of(cast.east).get(address).status_code == 200
    assert pairs() == set()


def test_who_came_before_the_game_began_is_compared_by_the_sweep(table, cast):  # noqa: F811
    game = Game.objects.get()
    Table.objects.filter(pk=table).update(phase=Table.Phase.OPEN)
    for player in (cast.north, cast.stranger):
        client_of(player).get(reverse("table", args=[table]))
    assert pairs() == set()
    Table.objects.filter(pk=table).update(phase=Table.Phase.BID1)
    watching.note_of_games(timezone.now())
    watching.note_of_games(timezone.now())
    assert pairs() == {("North", "Stranger", True)}
    assert SameAddress.objects.get().game == game


def test_addresses_are_neither_kept_nor_compared_elsewhere(table, cast):  # noqa: F811
    Table.objects.filter(pk=table).update(ranked=False)
    snapshot = tables.load_table(table)
    for player in (cast.north, cast.south):
        watching.note_address(snapshot, player.pk, "198.51.100.1")
    assert pairs() == set()
    assert watching._place(1, "198.51.100.1") != watching._place(2, "198.51.100.1")
    assert "198" not in watching._place(1, "198.51.100.1")


def test_the_front_page_shows_no_private_table_and_none_without_watchers(table, cast):  # noqa: F811
    lobby = reverse("lobby")
    link = f'href="{reverse("table", args=[table])}"'
    assert link in client_of(cast.stranger).get(lobby).content.decode()
    for hidden in ({"private": True, "code": "plum-tree"}, {"private": False, "code": "", "watchable": False}):
        Table.objects.filter(pk=table).update(**hidden)
        assert link not in client_of(cast.stranger).get(lobby).content.decode()
