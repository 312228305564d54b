"""What this site asks of django-allauth: names instead of usernames, our rules and our words."""

from __future__ import annotations

from typing import Any, Final

from allauth.account import forms as account_forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import preferences
from games.models import Player, Sanction
from games.names import clean_name, name_key, validate_name
from games.selectors.sanctions import in_force
from games.services import sanctions, unwanted
from games.services.errors import UserError
from games.services.looks import adopt

LONGEST_PASSWORD: Final = 256
"""Characters. Nothing longer is accepted, and so nothing longer is ever hashed to compare it."""


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account has been closed by the site's staff. Write to them if that is a mistake."),
        "username_password_mismatch": _("That name and password don’t match. Check caps lock, or reset the password."),
        "email_password_mismatch": _("That e-mail and password don’t match. Check caps lock, or reset the password."),
        "too_many_login_attempts": _("Too many tries. Wait five minutes and try again, or reset the password."),
        "rate_limited": _("That was too often in a short time. Wait a minute and try again."),
        "unknown_email": _("No account has that e-mail. Check its spelling, or join."),
        "enter_current_password": _("That is not your present password. Type the one you log in with."),
        "incorrect_password": _("That is not your password. Check caps lock and try again."),
        "incorrect_code": _("That code is not right. Wait for the next one and type that."),
        "invalid_password_reset": _("That link has been used or is too old. Ask for a new one."),
        "same_as_current": _("That is the one you have now. Choose another."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The stored form of a new name. ``shallow`` leaves out the question whether it is free."""
        name = validate_name(username)
        try:
            unwanted.check_name(name)
        except UserError as error:
            raise ValidationError(str(error), code="unwanted") from None
        if not shallow:
            holder = Player.objects.filter(name_key=name_key(name)).first()
            if holder is not None:
                raise ValidationError(_taken(name, holder), code="taken")
        return name

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        super().send_mail(template_prefix, email, context | {"SITE_NAME": settings.SITE_NAME})

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Whoever has confirmed that address for another account is told so instead: the page that asked
        for the mail looks the same either way."""
        address = emailconfirmation.email_address
        if address.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(address.email)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> Any:
        """What one has chosen for his pages and tables comes along to this device."""
        response = super().post_login(request, user, **kwargs)
        looks = adopt(player_id=user.pk, cookie=request.COOKIES.get(preferences.COOKIE, ""))
        preferences.keep(looks, request, response)
        return response

    def set_password(self, user: Any, password: str) -> None:
        """Whoever has a password is no guest any more."""
        user.guest = False
        super().set_password(user, password)

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Whoever is shut out is told why and until when, once he has shown who he is."""
        sentence = sanctions.ban_sentence(user.pk, timezone.now())
        return render(request, "account/account_inactive.html", {"sentence": sentence}, status=403)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("account") if self.request.user.is_authenticated else reverse("account_login")


class MFAAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("That code is not right. Wait for the next one and type that."),
    }

    def get_totp_issuer(self) -> str:
        return str(settings.SITE_NAME)

    def get_totp_label(self, user: Any) -> str:
        return str(user.name)


class NameBackend(AuthenticationBackend):
    """Log-in by name in any spelling with the same key, or by e-mail."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        if len(credentials.get("password") or "") > LONGEST_PASSWORD:
            return None
        return super().authenticate(request, **credentials)

    def user_can_authenticate(self, user: Any) -> bool:
        """Not who is shut out; a ban that has run out is over."""
        if not user.is_active and sanctions.ended(user.pk, timezone.now()):
            user.is_active = True
        return super().user_can_authenticate(user)

    def get_user(self, user_id: Any) -> Any:
        """Whose session it is, with what staff have warned him of and he has not put away
        (``warning_id``, ``warning``), and the mute that holds (``mute_id``), in one query."""
        unread = Sanction.objects.filter(player=OuterRef("pk"), kind="warn", seen_at=None, lifted_at=None).order_by(
            "pk"
        )
        mutes = in_force(timezone.now()).filter(player=OuterRef("pk"), kind=Sanction.Kind.MUTE)
        player = (
            Player.objects.annotate(
                warning_id=Subquery(unread.values("pk")[:1]),
                warning=Subquery(unread.values("reason")[:1]),
                mute_id=Subquery(mutes.values("pk")[:1]),
            )
            .filter(pk=user_id)
            .first()
        )
        return player if player is not None and self.user_can_authenticate(player) else None

    def _authenticate_by_username(self, username: str, password: str) -> Any:
        player = Player.objects.filter(name_key=name_key(username), bot_level="").first()
        return self._check_password(player, password)


class SignupForm(account_forms.SignupForm):
    """A name and a password; an e-mail if one likes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label = _("Name at the table")
        name.error_messages["required"] = _("Choose the name that others will see at the table.")
        name.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}
        # The name's own sentences say how long it may be, counted after spaces are cleaned up.
        name.validators = []
        name.widget.attrs.pop("maxlength", None)
        email = self.fields["email"]
        email.label = _("E-mail, if you like")
        email.help_text = _("Only to reset a forgotten password. Nobody sees it.")
        email.error_messages["invalid"] = _("Write the e-mail like name@example.org, or leave it empty.")
        password = self.fields["password1"]
        password.label = _("Password")
        password.help_text = _("Eight characters or more. A few words are fine.")
        password.error_messages["required"] = _("Choose a password of eight characters or more.")


class GuestForm(forms.Form):
    """A name, and nothing else."""

    name = forms.CharField(
        label=_("Your name at the table"),
        widget=forms.TextInput(
            attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "nickname", "autofocus": True}
        ),
        error_messages={"required": _("Choose the name that others will see at the table.")},
    )

    def clean_name(self) -> str:
        return AccountAdapter().clean_username(self.cleaned_data["name"])


class LoginForm(account_forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = _("Name or e-mail")
        login.error_messages["required"] = _("Type your name at the table, or your e-mail.")
        login.widget.attrs |= {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        self.fields["password"].error_messages["required"] = _("Type your password.")
        self.fields["password"].help_text = ""  # the link to a new password stands below the button
        self.fields["remember"].label = _("Stay logged in on this device")
        self.fields["remember"].initial = True


class OnePassword:
    """A form with one box for a new password, as when joining: a browser can show what is typed."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["password1"].label = _("New password")


class ChangePasswordForm(OnePassword, account_forms.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Present password")


class SetPasswordForm(OnePassword, account_forms.SetPasswordForm):
    pass


class ResetPasswordKeyForm(OnePassword, account_forms.ResetPasswordKeyForm):
    pass


class AddEmailForm(account_forms.AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email = self.fields["email"]
        email.label = _("E-mail")
        email.error_messages |= {
            "required": _("Type the e-mail to add."),
            "invalid": _("Write the e-mail like name@example.org."),
        }


class AddPasskeyForm(AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")
        self.fields["credential"].error_messages["required"] = _("The passkey did not answer. Try again.")
        alone = self.fields["passwordless"]
        alone.label = _("Log in with it alone, without a password")
        alone.help_text = _("It asks for your finger, face or PIN then. Without this it is a second step.")
        alone.initial = True


class DeleteForm(forms.Form):
    """Asks for the password before an account is deleted; a guest has none."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": _("Type your password to delete the account.")},
    )

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if player.guest:
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if len(password) > LONGEST_PASSWORD or not self.player.check_password(password):
            raise ValidationError(AccountAdapter.error_messages["incorrect_password"], code="incorrect")
        return password


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return str(_("That password is too short. Make it %(min)d characters or more.") % {"min": self.min_length})

    def get_help_text(self) -> str:
        return str(_("%(min)d characters or more. A few words are fine.") % {"min": self.min_length})


class MaximumLengthValidator:
    def validate(self, password: str, user: Any = None) -> None:
        if len(password) > LONGEST_PASSWORD:
            sentence = _("That password is too long. Keep it to %(max)d characters; it has %(length)d.")
            raise ValidationError(sentence, "too_long", {"max": LONGEST_PASSWORD, "length": len(password)})

    def get_help_text(self) -> str:
        return str(_("%(max)d characters at most.") % {"max": LONGEST_PASSWORD})


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return str(_("Too many people use that password. Choose a few words that do not belong together."))

    def get_help_text(self) -> str:
        return str(_("Not one that many people use."))


class SimilarityValidator(password_validation.UserAttributeSimilarityValidator):
    """Django's, for the attributes that players have."""

    def __init__(self) -> None:
        super().__init__(user_attributes=("name", "email"))

    def get_error_message(self) -> str:
        return str(_("That password is too much like your name or e-mail. Choose another."))

    def get_help_text(self) -> str:
        return str(_("Nothing like your name or e-mail."))


def _taken(name: str, holder: Player) -> str:
    if holder.is_bot:
        return str(_("%(name)s is one of our bots. Try another.") % {"name": holder.name})
    if clean_name(name).casefold() == holder.name.casefold():
        return str(_("Somebody is called %(name)s already. Try another.") % {"name": holder.name})
    return str(_("That looks too much like %(name)s, who plays here already. Try another.") % {"name": holder.name})
