"""Joining, logging in, changing and ending an account."""

from __future__ import annotations

import re
from unittest import mock
from urllib.parse import unquote

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import Game, Participation, Player, Rating, RatingChange, Seat, Table
from games.services.accounts import delete_account
from games.services.errors import UserError

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()


@pytest.fixture
def north() -> Player:
    return Player.objects.create_user("North", PASSWORD)


def join(client: Client, name: str = "North", **fields: str):
    return client.post("/accounts/signup/", {"username": name, "password1": PASSWORD} | fields)


def log_in(client: Client, login: str = "North", password: str = PASSWORD, **fields: str):
    return client.post("/accounts/login/", {"login": login, "password": password} | fields)


def prove_oneself(client: Client) -> None:
    """What the pages ask for that change how one logs in."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


class TestJoining:
    def test_a_name_and_a_password_are_enough(self, client: Client) -> None:
        response = join(client)
        assert response.status_code == 302
        assert response.url == reverse("lobby")
        assert logged_in(client)
        assert Player.objects.get().name == "North"
        assert mail.outbox == []

    def test_one_goes_where_one_wanted_to(self, client: Client) -> None:
        assert join(client, next="/standings/").url == "/standings/"

    @pytest.mark.parametrize(
        ("query", "button"),
        [("", "Join"), ("?next=/play/", "Join and sit down"), ("?next=/tables/7/", "Join and go to the table")],
    )
    def test_the_button_says_where_it_leads(self, client: Client, query: str, button: str) -> None:
        page = client.get(f"/accounts/signup/{query}").content.decode()
        assert f'<button class="btn btn--lg btn--wide">{button}</button>' in page

    def test_the_lobby_says_nothing_of_what_everybody_sees(self, client: Client) -> None:
        join(client)
        assert 'class="messages"' not in client.get("/").content.decode()

    def test_nobody_is_sent_to_another_site(self, client: Client) -> None:
        assert join(client, next="https://evil.example/").url == reverse("lobby")

    def test_the_form_has_one_password_box_and_an_optional_email(self, client: Client) -> None:
        page = client.get("/accounts/signup/").content.decode()
        assert page.count('type="password"') == 1
        assert "E-mail, if you like" in page

    def test_an_email_is_verified_by_a_link(self, client: Client) -> None:
        join(client, email="north@example.org")
        address = EmailAddress.objects.get()
        assert not address.verified
        link = re.search(r"https?://\S+", mail.outbox[0].body).group()
        client.post(link)
        address.refresh_from_db()
        assert address.verified

    @pytest.mark.parametrize("twin", ["north", "NORTH", "N0RTH", "nοrth", " north "])
    def test_a_name_that_looks_like_another_is_refused(self, client: Client, north: Player, twin: str) -> None:
        response = join(client, twin)
        assert response.status_code == 200
        assert not logged_in(client)
        assert "Try another" in response.content.decode() or "one alphabet" in response.content.decode()
        assert Player.objects.count() == 1

    def test_a_bots_name_is_refused_in_these_words(self, client: Client) -> None:
        Player.objects.create(name="Hazel", bot_level="fill_in")
        assert "Hazel is one of our bots. Try another." in join(client, "hazel").content.decode()

    def test_a_name_is_stored_cleaned(self, client: Client) -> None:
        join(client, "  Ann   Lee ")
        assert Player.objects.get().name == "Ann Lee"

    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"username": ""}, "Choose the name that others will see"),
            ({"password1": "correct horse " * 20}, "That password is too long. Keep it to 256 characters; it has 280."),
            ({"username": "x"}, "A name has 2 to 24 characters; this one has 1."),
            ({"username": "x" * 40}, "this one has 40"),
            ({"username": "admin"}, "kept for the site itself"),
            ({"username": "Nor\u202eth"}, "invisible character"),
            ({"password1": ""}, "Choose a password"),
            ({"password1": "x7!q"}, "Make it 8 characters or more"),
            ({"password1": "password123"}, "Too many people use that password"),
            ({"password1": "northnorth", "username": "northnort"}, "too much like your name"),
            ({"email": "north"}, "name@example.org"),
        ],
    )
    def test_every_refusal_says_what_to_do(self, client: Client, fields: dict[str, str], sentence: str) -> None:
        page = client.post("/accounts/signup/", {"username": "North", "password1": PASSWORD} | fields).content.decode()
        assert sentence in page
        assert 'aria-invalid="true"' in page
        assert not Player.objects.exists()

    def test_nothing_tells_whether_an_email_has_an_account(self, client: Client, north: Player) -> None:
        EmailAddress.objects.create(user=north, email="north@example.org", verified=True, primary=True)
        pages = []
        for name, email in (("South", "north@example.org"), ("Souths", "nobody@example.org")):
            visitor = Client()
            assert join(visitor, name, email=email).url == reverse("lobby")
            text = visitor.get(reverse("account")).content.decode() + visitor.get("/accounts/email/").content.decode()
            text = re.sub(r"csrfmiddlewaretoken.*?>|quilt.*?</svg>", "", text, flags=re.DOTALL)
            pages.append(text.replace(email, "EMAIL").replace(name, "NAME"))
        assert pages[0] == pages[1]

    def test_the_owner_of_an_email_in_use_is_told_and_keeps_it(self, client: Client, north: Player) -> None:
        EmailAddress.objects.create(user=north, email="north@example.org", verified=True, primary=True)
        join(client, "South", email="North@example.org")
        (letter,) = mail.outbox
        assert letter.to == ["north@example.org"]
        assert letter.subject == "[Euchre] You have an account already"
        assert "/accounts/password/reset/" in letter.body
        assert "/confirm-email/" not in letter.body
        Client().post("/accounts/password/reset/", {"email": "north@example.org"})
        assert "for North." in mail.outbox[1].body
        assert len(mail.outbox) == 2


class TestLoggingIn:
    @pytest.mark.parametrize("login", ["North", "north", "NORTH", " north ", "n0rth"])
    def test_by_name_in_any_spelling(self, client: Client, north: Player, login: str) -> None:
        assert log_in(client, login).status_code == 302
        assert logged_in(client)

    def test_by_email(self, client: Client, north: Player) -> None:
        EmailAddress.objects.create(user=north, email="north@example.org", verified=True, primary=True)
        log_in(client, "North@Example.org")
        assert logged_in(client)

    def test_one_goes_where_one_wanted_to(self, client: Client, north: Player) -> None:
        assert log_in(client, next="/rules/").url == "/rules/"

    def test_a_wrong_password_says_what_to_do(self, client: Client, north: Player) -> None:
        page = log_in(client, password="wrong").content.decode()
        assert "Check caps lock, or reset the password" in page
        assert 'role="alert"' in page

    def test_no_password_longer_than_any_can_be_is_hashed(self, client: Client, north: Player) -> None:
        with mock.patch("django.contrib.auth.hashers.MD5PasswordHasher.encode", side_effect=AssertionError):
            assert "don’t match" in log_in(client, password="x" * 257).content.decode()
            assert "don’t match" in log_in(client, "nobody", password="x" * 100_000).content.decode()

    def test_an_unknown_name_is_answered_alike(self, client: Client) -> None:
        assert "name and password don’t match" in log_in(client, "stranger").content.decode()

    def test_a_bot_cannot_log_in(self, client: Client) -> None:
        Player.objects.create_user("Hazel", PASSWORD, bot_level="fill_in")
        log_in(client, "Hazel")
        assert not logged_in(client)

    def test_a_closed_account_cannot_log_in(self, client: Client, north: Player) -> None:
        Player.objects.update(is_active=False)
        page = client.post("/accounts/login/", {"login": "North", "password": PASSWORD}, follow=True).content.decode()
        assert not logged_in(client)
        assert "Write to them" in page

    def test_guessing_is_stopped_and_the_right_password_too(self, client: Client, north: Player) -> None:
        for _ in range(5):
            log_in(client, password="wrong")
        page = log_in(client).content.decode()
        assert "Wait five minutes" in page
        assert not logged_in(client)

    def test_guessing_at_one_name_leaves_others_alone(self, client: Client, north: Player) -> None:
        for _ in range(6):
            log_in(client, "South", "wrong")
        log_in(client)
        assert logged_in(client)

    def test_joining_too_often_from_one_address_is_stopped(self, client: Client, settings) -> None:
        settings.ACCOUNT_RATE_LIMITS = {"signup": "3/m/ip"}
        answers = [join(Client(), f"player {letter}").status_code for letter in "abcd"]
        assert answers == [302, 302, 302, 429]

    def test_the_limits_do_not_need_valkey(self, client: Client, north: Player, settings) -> None:
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        assert "db.DatabaseCache" in settings.CACHES["default"]["BACKEND"]
        assert log_in(client, password="wrong").status_code == 200

    def test_the_session_may_end_with_the_browser(self, client: Client, north: Player) -> None:
        log_in(client)
        assert client.session.get_expire_at_browser_close()
        log_in(other := Client(), remember="on")
        assert not other.session.get_expire_at_browser_close()

    def test_logging_out_needs_a_post(self, client: Client, north: Player) -> None:
        log_in(client)
        assert client.get("/accounts/logout/").status_code == 200
        assert logged_in(client)
        assert client.post("/accounts/logout/").url == reverse("lobby")
        assert not logged_in(client)


class TestPasswords:
    def test_a_change_asks_for_the_old_one(self, client: Client, north: Player) -> None:
        client.force_login(north)
        fields = {"oldpassword": "wrong", "password1": "another fine phrase"}
        assert "not your present password" in client.post("/accounts/password/change/", fields).content.decode()
        fields["oldpassword"] = PASSWORD
        assert client.post("/accounts/password/change/", fields).url == reverse("account")
        north.refresh_from_db()
        assert north.check_password("another fine phrase")

    def test_a_new_one_is_typed_once(self, client: Client, north: Player) -> None:
        client.force_login(north)
        assert client.get("/accounts/password/change/").content.decode().count('type="password"') == 2

    def test_a_forgotten_one_is_reset_by_mail(self, client: Client, north: Player) -> None:
        EmailAddress.objects.create(user=north, email="north@example.org", verified=True, primary=True)
        client.post("/accounts/password/reset/", {"email": "north@example.org"})
        assert mail.outbox[0].to == ["north@example.org"]
        assert mail.outbox[0].subject == "[Euchre] Choose a new password"
        link = re.search(r"https?://\S+", mail.outbox[0].body).group()
        form = client.get(link, follow=True)
        new = {"password1": "another fine phrase"}
        assert form.content.decode().count('type="password"') == 1
        done = client.post(form.redirect_chain[-1][0], new, follow=True).content.decode()
        assert done.count("Your password is changed.") == 1
        north.refresh_from_db()
        assert north.check_password("another fine phrase")
        assert "spent" in Client().get(link, follow=True).content.decode()

    def test_an_unknown_email_is_answered_alike(self, client: Client) -> None:
        response = client.post("/accounts/password/reset/", {"email": "stranger@example.org"}, follow=True)
        assert "Look in your mail" in response.content.decode()
        assert mail.outbox == []


PRIVATE = [
    "account",
    "account_delete",
    "account_email",
    "account_change_password",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
]
OPEN = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]


class TestPages:
    @pytest.mark.parametrize("name", PRIVATE)
    def test_a_stranger_is_sent_to_log_in_and_back(self, client: Client, name: str) -> None:
        response = client.get(reverse(name))
        assert response.status_code == 302
        assert unquote(response.url) == f"{reverse('account_login')}?next={reverse(name)}"

    @pytest.mark.parametrize("name", PRIVATE)
    def test_a_player_sees_his_pages(self, client: Client, north: Player, name: str) -> None:
        log_in(client)
        prove_oneself(client)
        response = client.get(reverse(name))
        assert response.status_code == 200
        assert response.content.decode().count("<h1") == 1

    @pytest.mark.parametrize("name", OPEN)
    def test_the_open_pages_are_open(self, client: Client, name: str) -> None:
        page = client.get(reverse(name)).content.decode()
        assert page.count("<h1") == 1
        assert "<script>" not in page

    @pytest.mark.parametrize("name", ["account_login", "account_signup"])
    def test_who_is_in_already_goes_on_to_the_lobby(self, client: Client, north: Player, name: str) -> None:
        client.force_login(north)
        assert client.get(reverse(name)).url == reverse("lobby")

    def test_changing_how_one_logs_in_asks_for_the_password_again(self, client: Client, north: Player) -> None:
        log_in(client)
        response = client.get(reverse("mfa_activate_totp"))
        assert response.url.startswith(reverse("account_reauthenticate"))
        page = client.get(response.url).content.decode()
        assert "Is it you?" in page

    def test_an_unproven_email_does_not_keep_one_from_a_second_step(self, client: Client, north: Player) -> None:
        EmailAddress.objects.create(user=north, email="north@example.org", verified=False, primary=True)
        log_in(client)
        prove_oneself(client)
        assert client.get(reverse("mfa_activate_totp")).status_code == 200

    def test_the_second_step_is_asked_and_recovery_codes_open_it(self, client: Client, north: Player) -> None:
        from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
        from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

        TOTP.activate(north, generate_totp_secret())
        code = RecoveryCodes.activate(north).get_unused_codes()[0]
        assert log_in(client).url.startswith(reverse("mfa_authenticate"))
        assert not logged_in(client)
        page = client.get(reverse("mfa_authenticate")).content.decode()
        assert "The second step" in page
        assert "That code is not right" in client.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert logged_in(client)

    def test_a_passkey_log_in_offers_a_challenge(self, client: Client) -> None:
        answer = client.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"})
        assert answer.json()["request_options"]["publicKey"]["challenge"]


class TestDeleting:
    def test_the_password_is_asked(self, client: Client, north: Player) -> None:
        client.force_login(north)
        response = client.post(reverse("account_delete"), {"password": "wrong"})
        assert response.status_code == 422
        assert "That is not your password" in response.content.decode()
        assert Player.objects.exists()

    def test_the_account_goes_and_the_results_stay(self, client: Client, north: Player) -> None:
        Rating.objects.create(player=north, mu=1510, sigma=90)
        game = Game.objects.create(ranked=True, pace=20, rules="article", first_dealer=0)
        seat = Participation.objects.create(game=game, seat=0, player=north, won=True)
        RatingChange.objects.create(
            participation=seat, player=north, mu_before=1500, sigma_before=99, mu_after=1510, sigma_after=90
        )
        Authenticator.objects.create(user=north, type=Authenticator.Type.TOTP, data={})
        client.force_login(north)
        response = client.post(reverse("account_delete"), {"password": PASSWORD})
        assert response.url == reverse("lobby")
        assert not logged_in(client)
        assert not Player.objects.exists()
        seat.refresh_from_db()
        assert seat.player is None
        assert seat.won

    @pytest.mark.parametrize("phase", Table.RUNNING)
    def test_not_from_a_running_game(self, client: Client, north: Player, phase: str) -> None:
        table = Table.objects.create(phase=phase)
        Seat.objects.create(table=table, index=0, player=north, held=True)
        client.force_login(north)
        response = client.post(reverse("account_delete"), {"password": PASSWORD})
        assert response.status_code == 422
        assert (
            "A game of yours is being played. The account can be deleted once it is over." in response.content.decode()
        )
        assert Player.objects.exists()

    def test_not_while_a_game_that_he_left_goes_on(self, north: Player) -> None:
        table = Table.objects.create(phase=Table.Phase.PLAY)
        Seat.objects.create(table=table, index=0, player=north, held=False)
        with pytest.raises(UserError, match="once it is over"):
            delete_account(player_id=north.pk)

    @pytest.mark.parametrize("held", [True, False])
    def test_a_game_in_the_way_is_told_before_the_password_is_asked(
        self, client: Client, north: Player, held: bool
    ) -> None:
        table = Table.objects.create(phase=Table.Phase.PLAY)
        Seat.objects.create(table=table, index=0, player=north, held=held)
        client.force_login(north)
        page = client.get(reverse("account_delete")).content.decode()
        assert "The account can be deleted once it is over." in page
        assert 'name="password"' not in page

    def test_not_from_a_waiting_table(self, north: Player) -> None:
        table = Table.objects.create(phase=Table.Phase.OPEN)
        Seat.objects.create(table=table, index=0, player=north, held=True)
        with pytest.raises(UserError, match="Leave it first"):
            delete_account(player_id=north.pk)

    def test_an_old_table_forgets_him(self, north: Player) -> None:
        table = Table.objects.create(phase=Table.Phase.CLOSED, roster=4)
        Seat.objects.create(table=table, index=0, player=north)
        delete_account(player_id=north.pk)
        table.refresh_from_db()
        assert table.roster == 5
        assert Seat.objects.get().player is None

    def test_twice_is_once(self, north: Player) -> None:
        delete_account(player_id=north.pk)
        delete_account(player_id=north.pk)

    def test_guessing_the_password_there_is_stopped_too(self, client: Client, north: Player) -> None:
        client.force_login(north)
        answers = [client.post(reverse("account_delete"), {"password": "wrong"}).status_code for _ in range(11)]
        assert answers[-1] == 429
