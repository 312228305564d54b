"""Talk at a table as pages and sockets show it; mute and report from the table."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.live import hints
from games.live import talk as live_talk
from games.live.hub import hub
from games.models import Block, Message, Player, Report, Sanction, Seat, Table, UnwantedWord
from games.selectors import talk as selectors
from games.services import people, sanctions, talk
from tests.services.conftest import cast, play_out_deal, table  # noqa: F401
from tests.web.test_socket import PATIENCE, Browser, browsers, in_database, run

SCRIPT = {"HTTP_HX_REQUEST": "true"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def friendly(table) -> int:  # noqa: F811
    """The table of the four, where they play for fun."""
    Table.objects.filter(pk=table).update(ranked=False)
    return table


def client_of(player: Player | None) -> Client:
    client = Client()
    if player:
        client.force_login(player)
    return client


def address(table_id: int) -> str:
    return reverse("table_talk", args=[table_id])


def page(client: Client, table_id: int) -> str:
    return client.get(reverse("table", args=[table_id])).content.decode()


def say(player: Player, table_id: int, text: str = "", **more):
    return client_of(player).post(address(table_id), {"text": text} | more, **SCRIPT)


def card_of(player: Player, table_id: int) -> str:
    return reverse("table_person", args=[table_id, player.pk])


def press(client: Client, table_id: int, other: Player, do: str, **more):
    return client.post(reverse("table_person_act", args=[table_id, other.pk]), {"do": do} | more)


# --- pages ---------------------------------------------------------------------------------------


def test_what_is_said_is_escaped_wherever_it_is_shown(friendly, cast):  # noqa: F811
    """complaints.md: XSS; script in names and ids."""
    answer = say(cast.north, friendly, "<script>alert(1)</script>&amp;").content.decode()
    for text in (answer, page(client_of(cast.south), friendly), page(client_of(None), friendly)):
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;" in text
        assert "<script>alert" not in text


def test_a_phrase_is_shown_to_each_reader_in_his_language(friendly, cast):  # noqa: F811
    say(cast.north, friendly, phrase="thanks")
    assert Message.objects.get().phrase == "thanks"
    english = client_of(cast.south)
    assert "Thanks" in english.get(address(friendly), **SCRIPT).content.decode()
    other = english.get(address(friendly), HTTP_ACCEPT_LANGUAGE="sl", **SCRIPT).content.decode()
    assert 'id="said-' in other


def test_talk_works_by_plain_forms(friendly, cast):  # noqa: F811
    client = client_of(cast.north)
    answer = client.post(address(friendly), {"text": "hello"})
    assert (answer.status_code, answer.url) == (303, address(friendly))
    assert "hello" in client.get(address(friendly)).content.decode()
    refused = client.post(address(friendly), {"text": "x" * 241})
    assert refused.status_code == 409
    assert f'value="{"x" * 241}"' in refused.content.decode()


def test_a_refusal_is_a_sentence_and_nothing_typed_is_lost(friendly, cast):  # noqa: F811
    UnwantedWord.objects.create(word="toad")
    answer = say(cast.north, friendly, "you toad")
    assert answer.status_code == 409 and "not wanted" in answer.content.decode()
    kept = client_of(cast.north).post(address(friendly), {"text": "you toad"}).content.decode()
    assert 'value="you toad"' in kept and not Message.objects.exists()


def test_during_a_deal_of_a_ranked_game_the_phrases_wait(table, cast):  # noqa: F811
    shown = page(client_of(cast.north), table)
    assert "<fieldset disabled>" in shown and 'id="say-text"' not in shown
    play_out_deal(table)
    assert "<fieldset disabled>" not in page(client_of(cast.north), table)


def test_a_visitor_reads_and_is_asked_to_log_in(friendly):
    shown = page(client_of(None), friendly)
    assert "data-say" not in shown
    assert f'<a href="/guest/?next=%2Ftables%2F{friendly}%2F">Give a name, or log in, to talk.</a>' in shown
    assert client_of(None).post(address(friendly), {"text": "hello"}).status_code == 409


def test_a_muted_person_sees_why_and_how_long_in_place_of_the_box(friendly, cast):  # noqa: F811
    """complaints.md: muted without being told."""
    Sanction.objects.create(player=cast.north, kind="mute", reason="Too loud.")
    shown = page(client_of(cast.north), friendly)
    assert "Staff have muted you until further notice: Too loud." in shown and "data-say" not in shown


def test_from_the_table_a_person_is_muted_in_two_actions(friendly, cast):  # noqa: F811
    """Tap the name, tap Mute; the same way back. complaints.md: personal mute hides everywhere."""
    say(cast.east, friendly, "bla bla")
    client = client_of(cast.north)
    shown = page(client, friendly)
    card = reverse("table_seat", args=[friendly, 2])
    assert f'href="{card}" data-person' in shown and f'href="{card_of(cast.east, friendly)}"' in shown
    assert 'value="mute"' in client.get(card, **SCRIPT).content.decode()
    assert press(client, friendly, cast.east, "mute").status_code == 303
    assert "bla bla" not in page(client, friendly)
    assert 'value="unmute"' in client.get(card_of(cast.east, friendly)).content.decode()
    press(client, friendly, cast.east, "unmute")
    assert "bla bla" in page(client, friendly)
    press(client, friendly, cast.east, "block")
    assert Block.objects.get().seats and "bla bla" not in page(client, friendly)


def test_a_report_is_one_tap_and_the_reason_comes_afterwards_if_at_all(friendly, cast):  # noqa: F811
    client = client_of(cast.north)
    answer = press(client, friendly, cast.east, "report").content.decode()
    made = Report.objects.get()
    assert "Reported." in answer and made.reason == "other"
    more = {"report": made.pk, "reason": "stalling", "words": "twenty seconds a card"}
    press(client, friendly, cast.east, "explain", **more)
    made.refresh_from_db()
    assert made.words == "twenty seconds a card"
    refused = press(client_of(cast.south), friendly, cast.east, "explain", **more)
    assert refused.status_code == 409


@pytest.mark.parametrize("do", ["", "promote", "mute"])
def test_a_forged_button_gets_a_sentence(friendly, cast, do):  # noqa: F811
    other = cast.north if do == "mute" else cast.east
    answer = press(client_of(cast.north), friendly, other, do)
    assert answer.status_code == 409 and 'role="alert"' in answer.content.decode()


def test_addresses_of_nobody_are_not_found(friendly, cast):  # noqa: F811
    client = client_of(cast.north)
    for wrong in (
        reverse("table_talk", args=[987654]),
        reverse("table_seat", args=[friendly, 0]),
        reverse("table_seat", args=[friendly, 5]),
        reverse("table_person", args=[friendly, 987654]),
    ):
        assert client.get(wrong).status_code == 404
    assert client_of(None).post(reverse("table_person_act", args=[friendly, cast.east.pk])).status_code == 302


def test_a_warning_stands_on_top_of_the_next_page_until_it_is_read(cast):  # noqa: F811
    client = client_of(cast.north)
    number = Sanction.objects.create(player=cast.north, kind="warn", reason="Be kind <3").pk
    lobby = reverse("lobby")
    assert "Be kind &lt;3" in client.get(lobby).content.decode()
    seen = reverse("warning_seen", args=[number])
    client_of(cast.south).post(seen)
    assert "Be kind" in client.get(lobby).content.decode()
    assert client.post(seen, {"next": "https://elsewhere.example/"}).url == lobby
    assert "Be kind" not in client.get(lobby).content.decode()


def test_an_unwanted_word_is_refused_in_names_of_players_and_tables(db, cast):  # noqa: F811
    UnwantedWord.objects.create(word="toad")
    answer = Client().post(reverse("account_signup"), {"username": "Mr T0ad", "password1": "a good long password"})
    assert "not wanted" in answer.content.decode()
    assert not Player.objects.filter(name="Mr T0ad").exists()
    form = client_of(cast.north).post(reverse("open_table"), {"title": "The Toad"})
    assert "not wanted" in form.content.decode()


def test_a_banned_person_reads_at_log_in_why_and_until_when(cast):  # noqa: F811
    umpire = Player.objects.create_user("Umpire", "a good long password", is_staff=True)
    client = client_of(cast.north)
    number = sanctions.impose(
        by=umpire, player_id=cast.north.pk, kind="ban", reason="Insults.", span=sanctions.SPANS["day"]
    )
    assert "Log in" in client.get(reverse("lobby")).content.decode()
    credentials = {"login": "North", "password": "a good long password"}
    refused = Client().post(reverse("account_login"), credentials, follow=True).content.decode()
    assert "Insults." in refused and sanctions.moment(Sanction.objects.get().until) in refused
    Sanction.objects.filter(pk=number).update(until="2020-01-01T00:00Z")
    let_in = Client()
    let_in.post(reverse("account_login"), credentials)
    assert "_auth_user_id" in let_in.session


# --- sockets ---------------------------------------------------------------------------------------


def items(text: str) -> dict[str, str]:
    """What was said, by the numbers of the messages."""
    return dict(re.findall(r'<li id="said-(\d+)"[^>]*>.*?<bdi class="said__w" dir="auto">(.*?)</bdi></li>', text))


async def hears(browser: Browser) -> list[str]:
    """The next messages that a page has not got yet: one may come twice, and is shown once."""
    known = browser.__dict__.setdefault("known", {})
    news: dict[str, str] = {}
    while not news:
        text = await browser.receive()
        assert "data-revision" not in text or "said-" not in text
        news = {number: said for number, said in items(text).items() if number not in known}
    known |= news
    return list(news.values())


def test_a_message_reaches_the_sockets_of_its_room_and_no_frame(friendly, cast):  # noqa: F811
    async def scenario() -> None:
        async with browsers(friendly, cast.north, cast.south, cast.stranger) as (north, south, watcher):
            await in_database(talk.say)(table_id=friendly, player_id=cast.south.pk, text="well played")
            for browser in (north, south, watcher):
                assert await hears(browser) == ["well played"]
            await in_database(talk.say)(table_id=friendly, player_id=cast.stranger.pk, text="he holds both bowers")
            assert await hears(watcher) == ["he holds both bowers"]
            await in_database(talk.say)(table_id=friendly, player_id=cast.north.pk, text="thank you")
            for browser in (north, south):  # the watchers' message has passed them by
                assert await hears(browser) == ["thank you"]

    run(scenario)


def test_who_is_muted_is_not_pushed_and_a_mute_redraws_the_list_at_once(friendly, cast):  # noqa: F811
    async def scenario() -> None:
        await in_database(people.mute)(player_id=cast.north.pk, other_id=cast.south.pk)
        async with browsers(friendly, cast.north, cast.east) as (north, east):
            await in_database(talk.say)(table_id=friendly, player_id=cast.south.pk, text="bla")
            assert await hears(east) == ["bla"]
            await in_database(talk.say)(table_id=friendly, player_id=cast.west.pk, text="quite so")
            assert await hears(north) == await hears(east) == ["quite so"]
            await in_database(people.unmute)(player_id=cast.north.pk, other_id=cast.south.pk)
            again = ""
            while "bla" not in again:
                again = await north.receive()
            assert [*items(again).values()] == ["bla", "quite so"] and "innerHTML:#said" in again

    run(scenario)


def test_who_comes_late_or_back_is_sent_what_was_said(friendly, cast):  # noqa: F811
    async def scenario() -> None:
        await in_database(talk.say)(table_id=friendly, player_id=cast.south.pk, text="early")
        async with browsers(friendly, cast.north) as (north,):
            assert await hears(north) == ["early"]

    run(scenario)


def test_a_message_of_another_process_comes_by_its_number_alone(friendly, cast):  # noqa: F811
    async def scenario() -> None:
        async with browsers(friendly, cast.north) as (north,):
            await asyncio.wait_for(hub.talk.listening.wait(), PATIENCE)
            kept = await in_database(Message.objects.create)(
                table_id=friendly, room="seats", sender=cast.south, text="hi"
            )
            await hints.send(live_talk.TALK, {friendly: kept.pk}, "another process")
            assert await hears(north) == ["hi"]

    run(scenario)


def test_a_lost_hint_of_a_message_is_made_good(friendly, cast, monkeypatch):  # noqa: F811
    async def scenario() -> None:
        monkeypatch.setattr(live_talk, "CATCH_UP", 0.05)
        async with browsers(friendly, cast.north) as (north,):
            await in_database(Message.objects.create)(table_id=friendly, room="seats", sender=cast.south, text="hi")
            assert await hears(north) == ["hi"]

    run(scenario)


def test_a_ban_closes_the_sockets_at_once_with_the_reason(friendly, cast):  # noqa: F811
    async def scenario() -> None:
        umpire = await in_database(Player.objects.create_user)("Umpire", "a good long password", is_staff=True)
        async with browsers(friendly, cast.north) as (north,):
            await in_database(sanctions.impose)(
                by=umpire, player_id=cast.north.pk, kind="ban", reason="Insults.", span=None
            )
            text = ""
            while "Insults." not in text:
                text = await north.receive()
            while (message := await north.socket.receive_output(PATIENCE))["type"] != "websocket.close":
                pass
            assert message["code"] == 4001
            seat = await in_database(Seat.objects.get)(table_id=friendly, index=0)
            assert seat.bot_since and not seat.held

    run(scenario)


def test_a_mute_and_its_end_are_told_at_once_where_a_page_is_open(friendly, cast):  # noqa: F811
    """ "Muted without being told; muted user sees why/how long"."""

    async def scenario() -> None:
        umpire = await in_database(Player.objects.create_user)("Umpire", "a good long password", is_staff=True)
        async with browsers(friendly, cast.north, cast.south) as (north, south):
            given = {"by": umpire, "player_id": cast.north.pk, "span": timedelta(hours=1)}
            mute = await in_database(sanctions.impose)(kind="mute", reason="Shouting.", **given)
            told = await north.receive()
            assert "Staff have muted you until" in told and "Shouting." in told
            assert f'data-standing="{mute} 0"' in told
            assert "said" in await north.receive()  # what he reads, as after every look
            await in_database(people.mute)(player_id=cast.north.pk, other_id=cast.east.pk)
            assert "Shouting." not in await north.receive()
            warned = await in_database(sanctions.impose)(kind="warn", reason="Mind your words.", **given)
            told = await north.receive()
            assert "Mind your words." in told and "Shouting." not in told
            assert f'data-standing="{mute} {warned}"' in told
            await north.receive()
            await in_database(sanctions.lift)(by=umpire, sanction_id=mute, why="A mistake.")
            told = await north.receive()
            assert "You may talk again." in told and f'data-standing="0 {warned}"' in told
            assert await south.socket.receive_nothing()

    run(scenario)


def test_the_page_knows_what_staff_have_said_as_its_socket_does(friendly, cast):  # noqa: F811
    umpire = Player.objects.create_user("Umpire", "a good long password", is_staff=True)
    assert 'data-standing="0 0"' in page(client_of(cast.north), friendly)
    given = {"by": umpire, "player_id": cast.north.pk, "kind": "mute", "reason": "Shouting."}
    sanctions.impose(**given, span=timedelta(hours=1))
    long = sanctions.impose(**given, span=timedelta(days=1))
    shown = page(client_of(cast.north), friendly)
    left = re.search(rf'data-standing="{long} 0" data-left="(\d+)"', shown)
    assert left and 86_000 < int(left[1]) <= 86_400
    open_end = sanctions.impose(**given)
    assert f'data-standing="{open_end} 0"></span>' in page(client_of(cast.north), friendly)
    assert sanctions.standing(cast.north.pk, timezone.now()).key == f"{open_end} 0"


def test_the_watchers_are_counted_and_their_number_is_shown(friendly, cast, monkeypatch):  # noqa: F811
    async def scenario() -> None:
        monkeypatch.setattr(live_talk, "COUNT", 0.05)
        async with browsers(friendly, cast.north, cast.stranger, None, None) as (north, *_watchers):
            shown = ""
            while "3 watching" not in shown:
                shown = await north.socket.receive_from(timeout=PATIENCE)
            assert hub.talk.watching(friendly) == 3

    run(scenario)


def test_watchers_of_other_processes_count_too(friendly, cast, monkeypatch):  # noqa: F811
    async def scenario() -> None:
        monkeypatch.setattr(live_talk, "COUNT", 0.05)
        async with browsers(friendly, cast.north) as (north,):
            await asyncio.wait_for(hub.talk.listening.wait(), PATIENCE)
            await hints.send(live_talk.WATCHERS, {friendly: 2}, "another process")
            shown = ""
            while "2 watching" not in shown:
                shown = await north.socket.receive_from(timeout=PATIENCE)

    run(scenario)


def test_what_is_read_costs_the_same_however_much_was_said(friendly, cast, django_assert_num_queries):  # noqa: F811
    for count in (1, 20):
        Message.objects.bulk_create(
            Message(table_id=friendly, room="seats", sender=cast.north, text="again") for _ in range(count)
        )
        with django_assert_num_queries(1):
            assert selectors.read_lines(friendly, seated=True, reader=None)
