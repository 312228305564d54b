"""The lobby as visitors, members and people with a seat meet it."""

from __future__ import annotations

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games import engine
from games.models import Game, Participation, Player, Rating, RatingChange, Seat, Table
from games.selectors import lobby, tables
from games.services import deals, seating
from games.services.row import lock_table, save_row

pytestmark = pytest.mark.django_db

WISHES = {"kind": "ranked", "pace": "20", "stick": "no"}
OWN = {"title": "", "kind": "ranked", "pace": "20", "save_as": ""} | {
    name: str(values[0]) for name, values in engine.OPTIONS.items()
}
"""What the form for a table of one's own sends when nothing was changed."""


@pytest.fixture
def cast() -> SimpleNamespace:
    names = ("north", "east", "south", "west", "stranger")
    return SimpleNamespace(**{name: Player.objects.create_user(name.title(), "a good long password") for name in names})


@pytest.fixture(autouse=True)
def bots() -> list[Player]:
    return [Player.objects.create_user(name, None, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel")]


@pytest.fixture
def as_(client):
    """A browser logged in as somebody, or a visitor's."""

    def log_in(player: Player | None) -> Client:
        browser = Client()
        if player is not None:
            browser.force_login(player)
        return browser

    return log_in


def open_by(host: Player, **wishes) -> int:
    wishes = {"ranked": True, "pace": 20, "rules": seating.rules_text(stick_the_dealer=False)} | wishes
    return seating.open_table(host=host, **wishes)


def game_of(*players: Player) -> int:
    """A running game of four; the first of them opened the table."""
    table_id = open_by(players[0])
    for index, player in enumerate(players[1:], 1):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    return table_id


def strangers(count: int, word: str = "Guest") -> list[Player]:
    return [Player.objects.create_user(f"{word} {chr(65 + number)}", "a good long password") for number in range(count)]


def play(table_id: int, moves: int) -> None:
    for _move in range(moves):
        row = lock_table(table_id)
        options = {str(action): action for action in engine.legal_actions(row.deal())}
        action = options.get("order_up") or next(iter(options.values()))
        deals.make_move(row, tables.seats_of(row), action, by="h", alone=False, now=timezone.now())
        save_row(row)


def fingerprint(page: str) -> str:
    return re.search(r"seen=(\w+)", page).group(1)


def checked(page: str) -> set[str]:
    """The radio buttons that are on."""
    return {
        f"{match['name']}={match['value']}"
        for match in re.finditer(r'name="(?P<name>\w+)" value="(?P<value>\w+)"[^>]* checked', page)
    }


class TestTheFrontPage:
    def test_a_visitor_sees_the_tables_and_is_asked_to_join_for_ranked_ones(self, client, cast):
        table_id = open_by(cast.north, title="Back room")
        page = client.get("/")
        assertContains(page, "Back room")
        assertContains(page, "North, alone so far".replace("North", "<bdi>North</bdi>"))
        assertContains(page, "Deal me in")
        assertContains(page, "ranked ones need an account")
        assertContains(page, f'href="/accounts/signup/?next=/tables/{table_id}/"')
        assertNotContains(page, 'name="action" value="sit"')

    def test_a_member_can_sit_with_one_click(self, as_, cast):
        table_id = open_by(cast.north)
        browser = as_(cast.east)
        assertContains(browser.get("/"), f'action="/tables/{table_id}/act/"')
        assertRedirects(
            browser.post(f"/tables/{table_id}/act/", {"action": "sit"}),
            f"/tables/{table_id}/",
            status_code=303,
            fetch_redirect_response=False,
        )
        assert Seat.objects.get(player=cast.east).table_id == table_id

    def test_somebody_with_a_seat_is_led_back_to_it_and_offered_no_other(self, as_, cast):
        table_id = open_by(cast.north)
        open_by(cast.east)
        page = as_(cast.north).get("/")
        assertContains(page, f"You have a seat at <bdi>Table {table_id}</bdi>. It waits for more players.")
        assertContains(page, f'aria-label="Back to Table {table_id}"')
        assertNotContains(page, 'name="action" value="sit"')
        assertNotContains(page, "Start your own")

    def test_the_rules_are_shown_before_anybody_sits(self, client, cast):
        """Complaint: up-card discard and stick-the-dealer arguments, the rule not shown before sitting."""
        table_id = open_by(cast.north, ranked=False, pace=45, rules=seating.rules_text(stick_the_dealer=True))
        lobby, table = client.get("/"), client.get(f"/tables/{table_id}/")
        for chip in ("Friendly", "45 s a move", "Stick the dealer"):
            assertContains(lobby, f"{chip}</span>")
        in_words = "Friendly, 45 s a move, stick the dealer"
        for place in ('<p class="tmenu__chips">', "</strong><span>", '<p class="mat__played">'):
            assertContains(table, place + in_words)

    def test_who_needs_a_partner_is_said(self, client, cast):
        table_id = open_by(cast.north)
        seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
        seating.sit(table_id=table_id, player_id=cast.west.pk, index=3)
        assertContains(client.get("/"), "<bdi>North</bdi> needs a partner; <bdi>East</bdi>, <bdi>West</bdi>")

    def test_an_empty_lobby_says_what_to_do(self, client):
        page = client.get("/")
        assertContains(page, "Nobody’s waiting. Start a table and bots will keep you company.")
        assertContains(page, "No game is on just now.")
        assertContains(page, "Nobody else is waiting: bots take the other seats at once.")

    def test_with_others_about_the_longest_wait_is_said(self, as_, cast, settings):
        settings.EUCHRE_FILL_AFTER = 7
        as_(cast.north).get("/")
        wait = "You wait 7 seconds at most, then bots take the empty seats."
        assertContains(as_(cast.east).get("/"), f"{wait} 2 people here.")

    def test_a_title_cannot_be_markup(self, client, cast):
        open_by(cast.north, title="<script>alert(1)</script>")
        page = client.get("/")
        assertNotContains(page, "<script>alert")
        assertContains(page, "&lt;script&gt;alert(1)&lt;/script&gt;")

    @pytest.mark.parametrize("visitor", [True, False])
    def test_the_number_of_queries_does_not_depend_on_the_number_of_rows(
        self, as_, cast, visitor, django_assert_num_queries
    ):
        def rows(number: int) -> None:
            guests = strangers(5, f"Row{number}")
            game_of(*guests[:4])
            open_by(guests[4], title=f"Table of {number}")

        browser = as_(None if visitor else cast.north)
        rows(1)
        browser.get("/")  # notes the visit
        queries = 7 if visitor else 20
        for more in ((), (2, 3)):
            for number in more:
                rows(number)
            tables._seats_at.cache_clear()
            with django_assert_num_queries(queries):
                browser.get("/")

    def test_many_open_tables_are_cut_and_counted(self, client):
        for host in strangers(3):
            open_by(host)
        shown = lobby.SHOWN_TABLES
        try:
            lobby.SHOWN_TABLES = 2
            page = client.get("/")
        finally:
            lobby.SHOWN_TABLES = shown
        assertContains(page, "And 1 more table.")


class TestYourSeat:
    @pytest.fixture
    def table(self, cast) -> int:
        return game_of(cast.north, cast.east, cast.south, cast.west)

    def sentence(self, browser: Client) -> str:
        page = browser.get("/").content.decode()
        return re.sub(r"</?bdi>", "", re.search(r'<div class="resume">\s*<p>(.*?)</p>', page).group(1))

    def test_it_says_whose_turn_it_is(self, as_, cast, table):
        row = tables.read_row(table)
        turn = Seat.objects.get(table=table, index=row.turn).player
        other = Seat.objects.get(table=table, index=(row.turn + 1) % 4).player
        assert self.sentence(as_(turn)) == f"Your seat at Table {table} is kept. It’s your turn."
        assert self.sentence(as_(other)) == f"Your seat at Table {table} is kept."

    def test_it_says_that_a_bot_keeps_it(self, as_, cast, table):
        Seat.objects.filter(player=cast.east).update(bot_since=timezone.now())
        assert self.sentence(as_(cast.east)).startswith(f"A bot is keeping your seat at Table {table}.")

    def test_who_left_is_told_what_is_at_stake_and_may_play_elsewhere(self, as_, cast, table):
        Seat.objects.filter(player=cast.east).update(held=False, left_at=timezone.now(), bot_since=timezone.now())
        browser = as_(cast.east)
        assert "the loss is yours" in self.sentence(browser)
        assertContains(browser.get("/"), "Deal me in")

    def test_a_friendly_game_that_one_left_costs_nothing(self, as_, cast, table):
        Table.objects.filter(pk=table).update(ranked=False)
        Seat.objects.filter(player=cast.east).update(held=False, left_at=timezone.now(), bot_since=timezone.now())
        sentence = self.sentence(as_(cast.east))
        assert "it costs you nothing" in sentence
        assert "loss" not in sentence

    def test_a_stranger_has_none(self, as_, cast, table):
        assertNotContains(as_(cast.stranger).get("/"), 'class="resume"')


class TestTheTopTable:
    @pytest.fixture
    def table(self, cast) -> int:
        table_id = game_of(cast.north, cast.east, cast.south, cast.west)
        play(table_id, 8)
        return table_id

    def test_it_shows_the_trick_the_score_and_the_call(self, client, table):
        state = tables.read_row(table).deal()
        page = client.get("/")
        assert state.trick or state.tricks
        for _seat, card in state.trick:
            assertContains(page, f'data-card="{card}"')
        assertContains(page, "trump, <bdi>")
        assertContains(page, f'href="/tables/{table}/"')

    @pytest.mark.parametrize("who", ["visitor", "stranger", "north"])
    def test_nobody_sees_a_hidden_card(self, as_, cast, table, who):
        state = tables.read_row(table).deal()
        hidden = {card for hand in state.hands for card in hand} | set(state.kitty[1:])
        assert len(hidden) > 10
        browser = as_(getattr(cast, who, None))
        page = browser.get("/").content.decode() + browser.get("/?seen=old").content.decode()
        shown = set(re.findall(r'data-card="(\w+)"', page))
        assert shown == {card for _seat, card in state.trick}
        assert not shown & hidden

    def test_people_come_before_bots_and_better_players_first(self, cast, table):
        seating.quick_match(player_id=cast.stranger.pk, ranked=True, pace=20, stick="no")
        assert lobby.read_lobby(None, timezone.now()).top.id == table
        masters = strangers(4, "Master")
        for master in masters:
            Rating.objects.update_or_create(player=master, defaults={"mu": 1900, "sigma": 50})
        best = game_of(*masters)
        assert lobby.read_lobby(None, timezone.now()).top.id == best

    def test_a_bot_is_called_a_bot(self, client, cast):
        seating.quick_match(player_id=cast.stranger.pk, ranked=True, pace=20, stick="no")
        assert client.get("/").content.decode().count("bot · 1500") == 3


class TestWhatThePageAsksEveryFewSeconds:
    def test_nothing_new_is_an_empty_answer(self, as_, cast):
        open_by(cast.north)
        browser = as_(cast.east)
        browser.get("/")
        seen = fingerprint(browser.get("/").content.decode())
        answer = browser.get("/", {"seen": seen}, headers={"HX-Request": "true"})
        assert (answer.status_code, answer.content) == (204, b"")

    def test_a_new_table_is_sent_and_the_form_left_alone(self, as_, cast):
        browser = as_(cast.east)
        seen = fingerprint(browser.get("/").content.decode())
        open_by(cast.north, title="Back room")
        answer = browser.get("/", {"seen": seen})
        assertContains(answer, "Back room")
        assertContains(answer, 'hx-swap-oob="outerMorph"', count=5)
        assertNotContains(answer, "<fieldset")
        assert fingerprint(answer.content.decode()) != seen

    def test_asking_counts_as_standing_in_the_lobby(self, as_, cast):
        Player.objects.filter(pk=cast.east.pk).update(seen_at=timezone.now() - timedelta(minutes=3))
        assert not lobby.company_about(timezone.now(), besides=[])
        as_(cast.east).get("/?seen=old")
        assert lobby.company_about(timezone.now(), besides=[])
        assert not lobby.company_about(timezone.now(), besides=[cast.east.pk])

    def test_a_visit_is_written_down_once_in_a_while(self, as_, cast, django_assert_num_queries):
        as_(cast.east).get("/")
        noted = Player.objects.get(pk=cast.east.pk)
        with django_assert_num_queries(0):
            seating.look_in(player=noted, now=timezone.now())


class TestDealMeIn:
    def test_a_member_alone_has_cards_after_one_click(self, as_, cast):
        answer = as_(cast.north).post("/play/", WISHES)
        seat = Seat.objects.select_related("table").get(player=cast.north)
        assertRedirects(answer, f"/tables/{seat.table_id}/", fetch_redirect_response=False)
        assert seat.table.phase == Table.Phase.BID1

    def test_the_wishes_are_the_table_s(self, as_, cast):
        as_(cast.north).post("/play/", {"kind": "friendly", "pace": "45", "stick": "yes"})
        table = Table.objects.get()
        assert (table.ranked, table.pace) == (False, 45)
        assert engine.parse_rules(table.rules).stick_the_dealer

    def test_a_visitor_joins_before_a_ranked_game_and_is_dealt_in_as_he_chose(self, client):
        answer = client.post("/play/", {"kind": "ranked", "pace": "10", "stick": "yes"}, follow=True)
        assert answer.redirect_chain == [("/accounts/signup/?next=%2Fplay%2F", 302)]
        assertContains(answer, "Join and sit down")
        fields = {"username": "Newcomer", "password1": "a good long password", "next": "/play/"}
        answer = client.post("/accounts/signup/", fields, follow=True)
        table = Table.objects.get()
        assert answer.redirect_chain == [("/play/", 302), (f"/tables/{table.pk}/", 302)]
        assert (table.ranked, table.pace, table.phase) == (True, 10, Table.Phase.BID1)
        assertNotContains(answer, "signed in")
        assert client.cookies["wish"].value == ""

    def test_a_visitor_s_choices_are_remembered(self, client, cast):
        client.post("/play/", {"kind": "friendly", "pace": "10", "stick": "either"})
        assert not Table.objects.exists()
        client.force_login(cast.north)
        page = client.get("/").content.decode()
        assert checked(page) == {"kind=friendly", "pace=10", "stick=either", "bots=any"}
        assert "Deal me in" in page

    def test_the_address_alone_deals_nobody_in(self, as_, cast):
        assertRedirects(as_(cast.north).get("/play/"), "/", fetch_redirect_response=False)
        assertRedirects(as_(None).get("/play/"), "/", fetch_redirect_response=False)
        assert not Table.objects.exists()

    @pytest.mark.parametrize("cookie", ["nonsense", "ranked.7.no", "", "...", "friendly"])
    def test_a_forged_cookie_gives_the_defaults(self, client, cookie):
        client.cookies["quick"] = cookie
        on = checked(client.get("/").content.decode())
        assert "pace=20" in on
        assert "stick=no" in on

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [
            ({"pace": "7"}, "Choose 10, 20 or 45 seconds a move."),
            ({"kind": ""}, "Choose a ranked or a friendly game."),
            ({"stick": "maybe"}, "Choose no, yes or either for stick the dealer."),
        ],
    )
    def test_a_bad_choice_gets_a_sentence_and_the_others_stay(self, as_, cast, wrong, sentence):
        wishes = {"kind": "friendly", "pace": "45", "stick": "either"}
        answer = as_(cast.north).post("/play/", wishes | wrong)
        assertContains(answer, sentence, status_code=422)
        assert checked(answer.content.decode()) == {f"{name}={wishes[name]}" for name in wishes.keys() - wrong.keys()}
        assert not Table.objects.exists()

    def test_a_site_without_bots_says_so(self, as_, cast, bots):
        Player.objects.filter(pk__in=[bot.pk for bot in bots]).delete()
        assertContains(as_(cast.north).post("/play/", WISHES), "not enough bots", status_code=409)


class TestATableOfOnesOwn:
    def test_a_visitor_gives_his_name_and_comes_back(self, client):
        for method in (client.get, client.post):
            assertRedirects(method("/tables/new/"), "/guest/?next=%2Ftables%2Fnew%2F", fetch_redirect_response=False)

    def test_a_member_opens_it_and_sits(self, as_, cast):
        answer = as_(cast.north).post(
            "/tables/new/", OWN | {"title": "  Back   room ", "kind": "friendly", "pace": "45"}
        )
        table = Table.objects.get()
        assertRedirects(answer, f"/tables/{table.pk}/", fetch_redirect_response=False)
        assert (table.title, table.ranked, table.pace, table.host, table.quick) == (
            "Back room", False, 45, cast.north, False,
        )  # fmt: skip
        assert Seat.objects.get(player=cast.north).held

    def test_somebody_with_a_seat_is_told_before_he_fills_anything_in(self, as_, cast):
        table_id = open_by(cast.north)
        page = as_(cast.north).get("/tables/new/")
        assertContains(page, f"You hold a seat at <bdi>Table {table_id}</bdi>.")
        assertContains(page, f'href="{reverse("table", args=[table_id])}"')
        assertNotContains(as_(cast.stranger).get("/tables/new/"), "You hold a seat")

    def test_somebody_with_a_seat_gets_a_link_to_it_and_loses_nothing(self, as_, cast):
        table_id = open_by(cast.north)
        answer = as_(cast.north).post(
            "/tables/new/",
            OWN | {"title": "Another", "kind": "friendly", "pace": "10", "stick_the_dealer": "True"},
        )
        assertContains(answer, f"You already hold a seat at Table {table_id}.", status_code=422)
        assertContains(answer, f'href="{reverse("table", args=[table_id])}"', status_code=422)
        assertContains(answer, 'value="Another"', status_code=422)
        assert checked(answer.content.decode()) >= {"kind=friendly", "pace=10", "stick_the_dealer=True"}
        assert Table.objects.count() == 1

    def test_somebody_who_left_ranked_games_reads_at_the_kind_of_game_how_long_he_waits(self, as_, cast):
        Player.objects.filter(pk=cast.north.pk).update(leaves=3, leaves_at=timezone.now())
        standard = {name: str(getattr(engine.PRESETS["article"], name)) for name in engine.OPTIONS}
        answer = as_(cast.north).post("/tables/new/", OWN | standard)
        said = answer.context["form"].errors
        assert list(said) == ["kind"]
        assert "open to you in 5 minutes. Friendly games are open now." in str(said["kind"])

    @pytest.mark.parametrize(
        ("title", "sentence"),
        [
            ("x" * 41, "Keep the name to 40 characters; it has 41."),
            ("\u200b\u2060", "Give the table a name that can be seen, or leave it empty."),
        ],
    )
    def test_a_bad_name_gets_a_sentence_and_nothing_typed_is_lost(self, as_, cast, title, sentence):
        answer = as_(cast.north).post("/tables/new/", OWN | {"title": title, "pace": "45"})
        assertContains(answer, sentence, status_code=422)
        assertContains(answer, f'value="{title}"', status_code=422)
        assert checked(answer.content.decode()) >= {"kind=ranked", "pace=45", "stick_the_dealer=False"}


class TestYourWeek:
    @pytest.fixture
    def played(self, cast):
        now = timezone.now()
        Rating.objects.create(player=cast.north, mu=1620, sigma=80)
        for days, won, before, after in ((20, True, 1500, 1540), (3, True, 1590, 1633), (1, False, 1633, 1620)):
            game = Game.objects.create(ranked=True, pace=20, rules="article", first_dealer=0, status="finished")
            at = now - timedelta(days=days)
            part = Participation.objects.create(game=game, seat=0, player=cast.north, won=won, finished_at=at)
            RatingChange.objects.create(
                participation=part, player=cast.north, at=at,
                mu_before=before, sigma_before=80, mu_after=after, sigma_after=80,
            )  # fmt: skip

    def test_it_counts_seven_days_and_shows_the_last_games(self, cast, played):
        week = lobby.read_week(cast.north.pk, timezone.now())
        assert (week.rating, week.give_or_take, week.change, week.games, week.form) == (1620, 80, 30, 2, "WWL")

    def test_the_page_says_the_same(self, as_, cast, played):
        page = as_(cast.north).get("/")
        assertContains(page, "+30")
        assertContains(page, "Last 3")

    def test_without_a_game_it_says_what_to_do(self, as_, cast):
        assertContains(as_(cast.north).get("/"), "Finish a game and it counts here.")
