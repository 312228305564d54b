"""What staff may do about somebody: warn him, mute him for a time, ban him. Everything asks for a
reason, which the person reads; everything is written down, ends by itself if it was for a time, and
can be lifted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import live
from games.models import Message, Player, Report, Sanction, Seat
from games.selectors import sanctions
from games.services import presence
from games.services.errors import UserError

WARN, MUTE, BAN = Sanction.Kind.WARN, Sanction.Kind.MUTE, Sanction.Kind.BAN

SPANS: Final = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "open": None,
}
"""For how long, by key; None until it is lifted."""


def impose(
    *, by: Player, player_id: int, kind: str, reason: str, span: timedelta | None = None, report_id: int | None = None
) -> int:
    """Warn, mute or ban somebody; the number of what is written down.

    A ban ends his sessions and sockets at once and gives his seats to bots. Locks the player, then
    the tables he sits at, one after the other. UserError for others than staff, without a reason, for
    bots, for oneself and for staff (but a superuser may), and for a ban of who is shut out already.
    """
    _check(by, reason)
    if kind not in Sanction.Kind.values:
        raise UserError(_("Choose whether to warn, mute or ban."))
    now = timezone.now()
    until = None if span is None or kind == WARN else now + span
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, bot_level="").first()
        if player is None:
            raise UserError(_("There is no such person."))
        _check_target(by, player)
        if kind == BAN and not player.is_active:
            raise UserError(_("%(name)s cannot log in as it is.") % {"name": player.name})
        sanction = Sanction.objects.create(
            player=player, kind=kind, reason=reason.strip()[:300], by=by, report_id=report_id, at=now, until=until
        )
        if kind == BAN:
            Player.objects.filter(pk=player_id).update(is_active=False)
        transaction.on_commit(lambda: live.look_again(player_id), robust=True)
    if kind == BAN:
        _clear_seats(player_id)
    return sanction.pk


def _clear_seats(player_id: int) -> None:
    """Get up everywhere: bots keep the seats of games that run."""
    for table_id in Seat.objects.filter(player_id=player_id, held=True).values_list("table_id", flat=True):
        try:
            presence.leave(table_id=table_id, player_id=player_id)
        except UserError:  # he has got up meanwhile
            continue


def lift(*, by: Player, sanction_id: int, why: str) -> None:
    """Take something back; the row stays. Locks it and its player. UserError for others than staff,
    without a reason, and if it was lifted before."""
    _check(by, why)
    with transaction.atomic():
        sanction = Sanction.objects.select_for_update().filter(pk=sanction_id).first()
        if sanction is None or sanction.lifted_at is not None:
            raise UserError(_("That has been lifted already."))
        if not by.is_superuser and sanction.player_id == by.pk:
            raise UserError(_("Somebody else has to decide about you."))
        sanction.lifted_at, sanction.lifted_by, sanction.lifted_why = timezone.now(), by, why.strip()[:300]
        sanction.save(update_fields=["lifted_at", "lifted_by", "lifted_why"])
        if sanction.kind == BAN:
            _let_in(sanction.player_id, timezone.now())
        transaction.on_commit(lambda: live.look_again(sanction.player_id), robust=True)


def end_bans(now: datetime) -> int:
    """For the sweep: let those in again whose ban has run out; how many. Any number of callers."""
    over = Sanction.objects.filter(kind=BAN, lifted_at=None, until__lte=now, player__is_active=False)
    return sum(_let_in(player_id, now) for player_id in set(over.values_list("player_id", flat=True)))


def ended(player_id: int, now: datetime) -> bool:
    """Whether somebody who is shut out may come in after all, his ban being over; then he may."""
    over = Sanction.objects.filter(player_id=player_id, kind=BAN, lifted_at=None, until__lte=now)
    return over.exists() and _let_in(player_id, now)


def _let_in(player_id: int, now: datetime) -> bool:
    """Open the account of somebody who was banned, unless another ban holds."""
    if sanctions.holding(player_id, BAN, now) is not None:
        return False
    return bool(Player.objects.filter(pk=player_id, is_active=False).update(is_active=True))


@dataclass(frozen=True, slots=True)
class Standing:
    """What staff have said to somebody and holds still."""

    mute: int | None = None
    """The number of the mute, as of what is written down."""
    warning: int | None = None
    """The first one that he has not put away."""
    said: tuple[str, str] = ("", "")
    """About both, in the language of who is told."""

    @classmethod
    def of(cls, user: Any) -> Standing:
        """As ``NameBackend`` found it; nothing for who is not logged in."""
        return cls(getattr(user, "mute_id", None), getattr(user, "warning_id", None))

    @property
    def key(self) -> str:
        return f"{self.mute or 0} {self.warning or 0}"

    def news_since(self, before: Standing) -> str:
        """What he is told at once, in the active language; "" if there is nothing new."""
        muted, warned = self.said
        news = [muted] if self.mute not in (None, before.mute) else []
        if before.mute and not self.mute:
            news.append(_("You are no longer muted. You may talk again."))
        if self.warning not in (None, before.warning):
            news.append(warned)
        return " ".join(news)


def standing(player_id: int, now: datetime) -> Standing:
    """What somebody has been told and holds, in the active language. Two queries."""
    mute = sanctions.holding(player_id, MUTE, now)
    warning = next(iter(sanctions.unread_warnings(player_id)), None)
    muted = mute_sentence(mute) if mute else ""
    warned = _("The staff of this site warn you: %(reason)s") % {"reason": warning.reason} if warning else ""
    return Standing(mute.pk if mute else None, warning.pk if warning else None, (muted, warned))


def check_may_talk(player_id: int, now: datetime) -> None:
    """UserError for somebody who is muted: why, and how long."""
    mute = sanctions.holding(player_id, MUTE, now)
    if mute is not None:
        raise UserError(mute_sentence(mute))


def mute_sentence(mute: Sanction) -> str:
    """What a muted person is told."""
    if mute.until is None:
        return _("Staff have muted you until further notice: %(reason)s") % {"reason": mute.reason}
    return _("Staff have muted you until %(when)s: %(reason)s") % {"when": moment(mute.until), "reason": mute.reason}


def ban_sentence(player_id: int, now: datetime) -> str:
    """What somebody who is shut out is told; "" if no ban holds."""
    ban = sanctions.holding(player_id, BAN, now)
    if ban is None:
        return ""
    if ban.until is None:
        return _("Staff have closed this account: %(reason)s") % {"reason": ban.reason}
    return _("Staff have closed this account until %(when)s: %(reason)s") % {
        "when": moment(ban.until),
        "reason": ban.reason,
    }


def moment(at: datetime) -> str:
    """A point in time, in words."""
    local = timezone.localtime(at)
    return f"{date_format(local, 'DATETIME_FORMAT')} ({local:%Z})"


def put_away(*, player_id: int, sanction_id: int) -> None:
    """Somebody has read a warning. Idempotent; changes nothing of others'."""
    Sanction.objects.filter(pk=sanction_id, player_id=player_id, kind=WARN, seen_at=None).update(seen_at=timezone.now())


def close_report(*, by: Player, report_id: int, outcome: str) -> None:
    """A report is seen to; ``outcome`` is for staff. UserError for others than staff, without an
    outcome, and if it is closed already."""
    _check(by, outcome)
    now = timezone.now()
    changed = Report.objects.filter(pk=report_id, closed_at=None).update(
        closed_at=now, closed_by=by, outcome=outcome.strip()[:300]
    )
    if not changed:
        raise UserError(_("That report is closed already."))


def reopen_report(*, by: Player, report_id: int) -> None:
    """Look at a closed report again; what was noted stays. Idempotent."""
    _check(by, "-")
    Report.objects.filter(pk=report_id).update(closed_at=None, closed_by=None)


def hide_message(*, by: Player, message_id: int, hidden: bool) -> None:
    """Take a message away from everybody, or put it back. It is shown so with the next page.
    Idempotent."""
    _check(by, "-")
    Message.objects.filter(pk=message_id).update(hidden_at=timezone.now() if hidden else None)


def _check(by: Player, reason: str) -> None:
    if not (by.is_active and by.is_staff):
        raise UserError(_("Only the staff of this site can do that."))
    if not reason.strip():
        raise UserError(_("Say why: players can ask for the reason."))


def _check_target(by: Player, player: Player) -> None:
    if player.pk == by.pk:
        raise UserError(_("Somebody else has to decide about you."))
    if player.is_staff and not by.is_superuser:
        raise UserError(_("%(name)s is staff too. Ask the site’s owner.") % {"name": player.name})
