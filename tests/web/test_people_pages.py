"""Guests, friends and private tables as their pages have it."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games import engine
from games.models import Block, Friendship, Player, Seat, Table
from games.services import people, presence, sanctions, seating

pytestmark = pytest.mark.django_db

PASSWORD = "a good long password"
WISHES = {"kind": "friendly", "pace": "20", "stick": "no"}
OWN = {"title": "", "kind": "friendly", "pace": "300", "who": "link", "save_as": ""} | {
    name: str(values[0]) for name, values in engine.OPTIONS.items()
}


@pytest.fixture
def cast() -> SimpleNamespace:
    names = ("north", "east", "south", "west", "stranger")
    return SimpleNamespace(**{name: Player.objects.create_user(name.title(), PASSWORD) for name in names})


@pytest.fixture(autouse=True)
def bots() -> list[Player]:
    return [Player.objects.create_user(name, None, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel")]


def browser(player: Player | None = None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def guest_browser(name: str = "Pip") -> Client:
    client = Client()
    client.post("/guest/", {"name": name, "next": "/"})
    return client


def private_table(host: Player, **wishes) -> Table:
    wishes = {"ranked": False, "pace": 20, "rules": "article", "private": True} | wishes
    return Table.objects.get(pk=seating.open_table(host=host, **wishes))


class TestAGuest:
    def test_is_at_a_table_after_the_button_and_a_name(self, client):
        assertRedirects(client.post("/play/", WISHES), "/guest/?next=%2Fplay%2F", fetch_redirect_response=False)
        assertContains(client.get("/guest/?next=/play/"), "Deal me in")
        answer = client.post("/guest/", {"name": " Pip ", "next": "/play/"}, follow=True)
        assertContains(answer, ">You<")
        guest = Player.objects.get(name="Pip")
        assert guest.guest
        assert Seat.objects.get(player=guest).held

    def test_who_is_banned_reads_why_and_does_not_come_back_under_another_name(self, client, cast):
        client.post("/play/", WISHES)
        client.post("/guest/", {"name": "Pip", "next": "/play/"}, follow=True)
        staff = Player.objects.create_superuser("Umpire", PASSWORD)
        pip = Player.objects.get(name="Pip")
        sanctions.impose(by=staff, player_id=pip.pk, kind="ban", reason="Shouting.", span=None)
        answer = client.post("/guest/", {"name": "Pop"})
        assertContains(answer, "Staff have closed this account: Shouting.", status_code=422)
        assert not Player.objects.filter(name="Pop").exists()

    @pytest.mark.parametrize("name", ["", "x", "admin", "Clover", "NORTH", "a\u202eb", "n" * 99])
    def test_has_a_name_by_the_rules_of_accounts(self, client, cast, name):
        answer = client.post("/guest/", {"name": name, "next": "/play/"})
        assert answer.status_code == 422
        assertContains(answer, 'class="err"', status_code=422)
        assert not Player.objects.filter(guest=True).exists()

    def test_is_sent_to_no_other_site(self, client):
        assertRedirects(client.post("/guest/", {"name": "Pip", "next": "https://example.org/"}), "/")

    def test_is_told_that_ranked_games_need_an_account_and_how_to_get_one(self, cast):
        guest = guest_browser()
        answer = guest.post("/play/", WISHES | {"kind": "ranked"})
        assertContains(answer, "Ranked games need an account.", status_code=409)
        assertContains(answer, reverse("account_set_password"), status_code=409)
        answer = guest.post("/tables/new/", OWN | {"kind": "ranked", "who": "anybody", "pace": "20"})
        assertContains(answer, "Ranked games need an account.", status_code=422)

    def test_keeps_name_and_history_with_a_password(self):
        guest = guest_browser()
        row = Player.objects.get(name="Pip")
        for door in ("account_login", "account_signup"):
            answer = guest.get(reverse(door), {"next": "/play/"})
            assertRedirects(answer, f"{reverse('account_set_password')}?next=%2Fplay%2F", fetch_redirect_response=False)
        assertContains(guest.get(reverse("account_set_password")), "Keep your name and games")
        guest.post(reverse("account_set_password"), {"password1": PASSWORD})
        kept = Player.objects.get(pk=row.pk)
        assert (kept.guest, kept.name, kept.check_password(PASSWORD)) == (False, "Pip", True)
        assertNotContains(guest.get("/accounts/"), "You play as a guest")
        fresh = Client()
        fresh.post("/accounts/login/", {"login": "Pip", "password": PASSWORD})
        assert fresh.session["_auth_user_id"] == str(row.pk)

    def test_is_told_that_the_name_is_lost_before_he_logs_out(self):
        guest = guest_browser()
        answer = guest.post("/accounts/logout/")
        assertContains(answer, "are lost to you")
        assert "_auth_user_id" in guest.session
        guest.post("/accounts/logout/", {"sure": "yes"})
        assert "_auth_user_id" not in guest.session

    def test_deletes_himself_without_a_password(self):
        guest = guest_browser()
        assertNotContains(guest.get("/accounts/delete/"), 'name="password"')
        guest.post("/accounts/delete/")
        assert not Player.objects.filter(name="Pip").exists()

    def test_is_marked_where_others_see_him(self, cast):
        guest_browser()
        assertContains(browser(cast.north).get("/players/Pip/"), '<span class="badge">guest</span>')
        table = private_table(cast.north)
        seating.sit(table_id=table.pk, player_id=Player.objects.get(name="Pip").pk, code=table.code)
        assertContains(browser(cast.north).get(f"/tables/{table.pk}/"), "tag--guest")

    def test_needs_an_account_for_a_club(self):
        answer = guest_browser().get(reverse("found_club"))
        assertRedirects(answer, "/accounts/login/?next=%2Fclubs%2Fnew%2F", fetch_redirect_response=False)

    def test_names_are_given_out_at_a_limited_rate(self, client, settings):
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"signup": "1/m/ip"}
        codes = {client.post("/guest/", {"name": "x"}).status_code for _time in range(3)}
        assert 429 in codes


class TestAPrivateTable:
    def test_is_opened_by_a_link_and_a_button(self, cast):
        host = browser(cast.north)
        assertContains(host.get("/"), 'href="/tables/new/?who=link"')
        assertContains(host.get("/tables/new/?who=link"), 'form="start"')
        answer = host.post("/tables/new/", OWN, follow=True)
        table = Table.objects.get()
        assert (table.private, table.pace, table.ranked) == (True, 300, False)
        assertContains(answer, f"http://testserver/t/{table.code}/")
        assertContains(answer, f'src="/t/{table.code}/qr.svg"')
        assertContains(answer, "by link only")
        assertContains(host.get(f"/t/{table.code}/qr.svg"), "<svg")

    def test_shows_the_hosts_buttons_to_whoever_is_host_after_him(self, cast):
        table = private_table(cast.north)
        seating.sit(table_id=table.pk, player_id=cast.east.pk, code=table.code)
        friend, seats = browser(cast.east), 'popovertarget="chairs"'
        assertNotContains(friend.get(f"/tables/{table.pk}/"), seats)
        presence.leave(table_id=table.pk, player_id=cast.north.pk)
        assertContains(friend.get(f"/tables/{table.pk}/"), seats)

    def test_asks_a_friend_in_who_sits_by_one_click(self, cast):
        table = private_table(cast.north)
        friend = browser(cast.east)
        page = friend.get(f"/t/{table.code}/")
        for said in ("<bdi>North</bdi> invites you to a game", "Friendly", "20 s a move", "Standard rules", "Sit down"):
            assertContains(page, said)
        assertNotContains(page, "Your name at the table")
        assertRedirects(friend.post(f"/t/{table.code}/"), f"/tables/{table.pk}/", fetch_redirect_response=False)
        assert Seat.objects.get(player=cast.east).table_id == table.pk
        assertRedirects(friend.get(f"/t/{table.code}/"), f"/tables/{table.pk}/", fetch_redirect_response=False)

    def test_asks_a_visitor_for_his_name_on_the_same_page(self, client, cast):
        table = private_table(cast.north)
        assertContains(client.get(f"/t/{table.code}/"), "Your name at the table")
        answer = client.post(f"/t/{table.code}/", {"name": "North"})
        assertContains(answer, "Somebody is called North already", status_code=422)
        client.post(f"/t/{table.code}/", {"name": "Pip"})
        assert Seat.objects.get(player__name="Pip").table_id == table.pk

    def test_is_not_there_for_anybody_else(self, cast):
        table = private_table(cast.north)
        for visitor in (browser(), browser(cast.east)):
            answer = visitor.get(f"/tables/{table.pk}/")
            assertContains(answer, "This table is private", status_code=403)
            assertNotContains(answer, table.code, status_code=403)
            assert visitor.post(f"/tables/{table.pk}/act/", {"action": "sit"}).status_code == 403
            assert visitor.get("/t/abcdefghjk/").status_code == 404
        assert Seat.objects.filter(table=table, held=True).count() == 1

    def test_is_watched_by_who_has_the_link_if_the_host_likes(self, cast):
        table = private_table(cast.north)
        for player in (cast.east, cast.south, cast.west):
            seating.sit(table_id=table.pk, player_id=player.pk, code=table.code)
        page = browser(cast.stranger).get(f"/t/{table.code}/")
        assertContains(page, f'hx-ws:connect="/ws/tables/{table.pk}/?code={table.code}"')
        Table.objects.filter(pk=table.pk).update(watchable=False)
        assertContains(browser(cast.stranger).get(f"/t/{table.code}/"), "nobody watches this game")

    def test_keeps_out_who_is_blocked_without_a_word_of_it(self, cast):
        people.block(player_id=cast.north.pk, other_id=cast.east.pk)
        table = private_table(cast.north)
        answer = browser(cast.east).post(f"/t/{table.code}/")
        assertContains(answer, "You cannot sit at this table.", status_code=409)
        assertNotContains(answer, "block", status_code=409)

    def test_says_when_it_is_closed_or_when_one_sits_elsewhere(self, cast):
        table = private_table(cast.north)
        other = private_table(cast.east)
        assertContains(browser(cast.east).post(f"/t/{table.code}/"), f'href="/tables/{other.pk}/"', status_code=409)
        browser(cast.north).post(f"/tables/{table.pk}/act/", {"action": "leave"})
        assertContains(browser(cast.south).get(f"/t/{table.code}/"), "This table is closed")

    def test_choices_that_ranked_games_do_not_have_are_refused_with_nothing_lost(self, cast):
        answer = browser(cast.north).post("/tables/new/", OWN | {"kind": "ranked", "title": "Kitchen"})
        assertContains(answer, "Ranked tables are open to everybody", status_code=422)
        assertContains(answer, 'value="Kitchen"', status_code=422)
        assert not Table.objects.exists()


class TestPeople:
    def act(self, player: Player, verb: str, other: Player, **more) -> Client:
        client = browser(player)
        client.post("/people/act/", {"act": verb, "player": other.pk} | more)
        return client

    def test_friends_are_asked_and_found_by_buttons(self, cast):
        assertContains(browser(cast.north).get("/players/South/"), "Add as a friend")
        self.act(cast.north, "ask", cast.south, next="/players/South/")
        assertContains(browser(cast.north).get("/players/South/"), "You have asked; no answer yet.")
        asked = browser(cast.south)
        assertContains(asked.get("/"), "1 person asks to be your friend.")
        assertContains(asked.get("/people/"), "They ask to be your friends")
        self.act(cast.south, "ask", cast.north)
        assertContains(asked.get("/people/"), 'href="/players/North/"')
        assert Friendship.objects.get().accepted_at is not None

    def test_somebody_is_asked_by_name_too(self, cast):
        browser(cast.north).post("/people/act/", {"act": "ask", "name": "south "})
        assert Friendship.objects.get().asked == cast.south
        answer = browser(cast.north).post("/people/act/", {"act": "ask", "name": "Nobody here"}, follow=True)
        assertContains(answer, "There is nobody of that name.")

    def test_the_lobby_shows_who_is_here_and_deals_partners_in(self, cast):
        people.ask(player_id=cast.north.pk, other_id=cast.south.pk)
        people.ask(player_id=cast.south.pk, other_id=cast.north.pk)
        north, south = browser(cast.north), browser(cast.south)
        assertContains(north.get("/"), "None of your friends has the lobby open or sits at a table just now.")
        south.get("/")
        assertContains(north.get("/"), "Play as partners with South")
        assertContains(north.get("/"), "in ranked ones partners are drawn by lot")
        north.post("/play/", {"partner": cast.south.pk})
        table = Table.objects.get()
        assert not table.ranked
        page = south.get("/")
        assertContains(page, "<bdi>North</bdi> wants you as partner")
        assertContains(page, f'action="/tables/{table.pk}/act/"')
        south.post(f"/tables/{table.pk}/act/", {"action": "sit"})
        assert Seat.objects.get(player=cast.south).held
        places = sorted(Seat.objects.filter(player__in=(cast.north, cast.south)).values_list("index", flat=True))
        assert places[1] - places[0] == 2

    def test_a_block_is_on_the_page_of_the_blocker_alone(self, cast):
        self.act(cast.north, "block", cast.west)
        assert Block.objects.get().seats
        assertContains(browser(cast.north).get("/people/"), "blocked: never at one table")
        assertNotContains(browser(cast.west).get("/people/"), "blocked: never")
        assertNotContains(browser(cast.west).get("/players/North/"), "Blocked")
        self.act(cast.north, "unblock", cast.west)
        assert not Block.objects.exists()

    @pytest.mark.parametrize("fields", [{}, {"act": "marry"}, {"act": "ask", "player": "x"}, {"act": "ask"}])
    def test_what_is_no_button_changes_nothing(self, cast, fields):
        answer = browser(cast.north).post("/people/act/", fields, follow=True)
        assert answer.status_code == 200
        assert not Friendship.objects.exists()

    def test_a_visitor_gives_his_name_first(self, client):
        assert client.get("/people/").url == "/guest/?next=%2Fpeople%2F"
        assert client.post("/people/act/", {"act": "ask"}).url == "/guest/?next=%2Fpeople%2F"

    def test_names_cannot_be_markup_and_pages_do_not_know_mail(self, cast):
        Player.objects.filter(pk=cast.south.pk).update(email="south@example.org")
        people.ask(player_id=cast.south.pk, other_id=cast.north.pk)
        page = browser(cast.north).get("/people/").content.decode()
        assert "example.org" not in page
        assert re.search(r"<bdi>South</bdi>", page)


def test_the_guest_of_a_browser_that_is_logged_in_already_goes_on(cast):
    assert browser(cast.north).get("/guest/?next=/rules/").url == "/rules/"
