"""Who is in a club: joining, leaving, invitations, bans."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final, Literal

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import UserError
from tournaments.models import Ban, Club, Invitation, JoinRequest, LogEntry, Membership, Role
from tournaments.selectors.clubs import find_invitation, hash_of
from tournaments.services import clubs, ladders, texts
from tournaments.services.book import Book, NotAllowed, open_as_director, open_book

LONGEST: Final = 300
"""Characters of a message, a note or a reason."""

LONGEST_LABEL: Final = 60

DAYS: Final = (1, 7, 30)
"""How long an invitation may hold."""

LINKS: Final = 20
"""Invitations of one club that hold at the same time."""


def join_club(*, club_id: int, player_id: int, message: str = "") -> Literal["joined", "asked"]:
    """Join an open club, or ask a club that lets in on request. Locks player and club. Idempotent.
    UserError for who is banned, and where only an invitation lets in."""
    message = texts.one_line(message, LONGEST)
    with transaction.atomic():
        book = open_book(club_id, player_id)
        if book.viewer.member:
            return "joined"
        _check_not_banned(book)
        if book.club.joining == Club.Joining.OPEN:
            _let_in(book, player_id)
            book.note(LogEntry.Kind.JOINED)
            return "joined"
        if book.club.joining == Club.Joining.INVITATION:
            raise UserError(_("This club takes members by invitation only. Ask one of its directors for a link."))
        if not book.viewer.asking:
            JoinRequest.objects.create(club=book.club, player_id=player_id, message=message)
            book.note(LogEntry.Kind.ASKED, detail=message)
    return "asked"


def join_by_invitation(*, token: str, player_id: int) -> str:
    """Join by a link, whatever the club's way of joining; the club's address. Locks player and
    club. Idempotent. UserError for a link that does not let in any more, and for who is banned."""
    stale = _("That invitation has expired or was revoked. Ask the club for a new one.")
    found = find_invitation(token)
    if found is None:
        raise UserError(stale)
    with transaction.atomic():
        book = open_book(found.club_id, player_id)
        if not book.viewer.member:
            _check_not_banned(book)
            if not _holding(book.club).filter(token_hash=hash_of(token)).update(used=F("used") + 1):
                raise UserError(stale)
            _let_in(book, player_id)
            book.note(LogEntry.Kind.INVITED, detail=found.label)
    return found.club.slug


def withdraw_request(*, club_id: int, player_id: int) -> None:
    """Ask no longer. Idempotent."""
    JoinRequest.objects.filter(club=club_id, player=player_id).delete()


def accept_request(*, club_id: int, by: int, player_id: int) -> None:
    """Let in who has asked. Directors only. Locks both people and the club. Idempotent. UserError
    if the request is gone or the player is banned."""
    with transaction.atomic():
        book = open_as_director(club_id, by, player_id)
        if Membership.objects.filter(club=book.club, player=player_id).exists():
            return
        if not JoinRequest.objects.filter(club=book.club, player=player_id).exists():
            raise UserError(_("That request is gone: it was withdrawn or answered."))
        _let_in(book, player_id)
        book.note(LogEntry.Kind.ACCEPTED, target_id=player_id)


def decline_request(*, club_id: int, by: int, player_id: int) -> None:
    """Turn down who has asked; he may ask again. Directors only. Locks both people and the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by, player_id)
        if JoinRequest.objects.filter(club=book.club, player=player_id).delete()[0]:
            book.note(LogEntry.Kind.DECLINED, target_id=player_id)


def leave_club(*, club_id: int, player_id: int) -> None:
    """Leave a club, a closed one included. UserError for its last owner. Locks player and club. Idempotent."""
    with transaction.atomic():
        closed = Club.objects.filter(pk=club_id).exclude(closed_at=None).exists()
        book = open_book(club_id, player_id, closed=closed)
        if not book.viewer.member:
            return
        if book.viewer.role == Role.OWNER and not closed:
            clubs.check_other_owner(book, player_id)
        if not closed:
            ladders.leave_with_club(club_id=club_id, player_id=player_id, by=player_id)
        Membership.objects.filter(club=book.club, player=player_id).delete()
        book.note(LogEntry.Kind.LEFT)


def remove_member(*, club_id: int, by: int, player_id: int) -> None:
    """Take a member out of the club; he may come back as anybody may. Directors remove members,
    owners directors too. Locks both people and the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by, player_id)
        if _take_out(book, player_id):
            book.note(LogEntry.Kind.REMOVED, target_id=player_id)


def ban_player(*, club_id: int, by: int, player_id: int, reason: str) -> None:
    """Keep somebody out, member or not, until the ban is lifted. Who is banned reads the reason.
    Directors ban members and others, owners directors too. Locks both people and the club.
    Repeating it changes the reason."""
    reason = texts.one_line(reason, LONGEST, empty=_("Say why: the person and the directors read it."))
    with transaction.atomic():
        book = open_as_director(club_id, by, player_id)
        if by == player_id:
            raise UserError(_("You cannot ban yourself. To go, leave the club."))
        if Player.objects.filter(pk=player_id).exclude(bot_level="").exists():
            raise UserError(_("Bots join no clubs, so there is nobody to ban."))
        _take_out(book, player_id)
        JoinRequest.objects.filter(club=book.club, player=player_id).delete()
        Ban.objects.update_or_create(
            club=book.club, player_id=player_id, defaults={"reason": reason, "by_id": by, "at": timezone.now()}
        )
        book.note(LogEntry.Kind.BANNED, target_id=player_id, detail=reason)


def lift_ban(*, club_id: int, by: int, player_id: int) -> None:
    """Let somebody join again like anybody. Directors only. Locks both people and the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by, player_id)
        if Ban.objects.filter(club=book.club, player=player_id).delete()[0]:
            book.note(LogEntry.Kind.UNBANNED, target_id=player_id)


def set_note(*, club_id: int, by: int, player_id: int, note: str) -> None:
    """What the directors note on a member, for themselves. Directors only. Locks both people and
    the club. Idempotent."""
    note = texts.one_line(note, LONGEST)
    with transaction.atomic():
        book = open_as_director(club_id, by, player_id)
        member = clubs.find_member(book, player_id)
        if member.note != note:
            member.note = note
            member.save(update_fields=["note"])
            book.note(LogEntry.Kind.NOTED, target_id=player_id)


def invite(*, club_id: int, by: int, days: int, label: str = "") -> str:
    """Make a link that lets in whoever has it, for some days; its token, which is told this once.
    Directors only. Locks the club. UserError for one link too many."""
    label = texts.one_line(label, LONGEST_LABEL)
    if days not in DAYS:
        raise UserError(_("Choose how long the link lets people in."))
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        if _holding(book.club).count() >= LINKS:
            raise UserError(_("There are %(limit)d links that hold. Revoke one first.") % {"limit": LINKS})
        Invitation.objects.create(
            club=book.club,
            token_hash=hash_of(token),
            label=label,
            by_id=by,
            expires_at=timezone.now() + timedelta(days=days),
        )
        book.note(LogEntry.Kind.LINKED, detail=label)
    return token


def revoke_invitation(*, club_id: int, by: int, invitation_id: int) -> None:
    """Let nobody in by a link any more. Directors only. Locks the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by)
        links = Invitation.objects.filter(club=book.club, pk=invitation_id, revoked_at=None)
        label = links.values_list("label", flat=True).first()
        if links.update(revoked_at=timezone.now()):
            book.note(LogEntry.Kind.REVOKED, detail=label or "")


def _holding(club: Club) -> QuerySet[Invitation]:
    return Invitation.objects.filter(club=club, revoked_at=None, expires_at__gt=timezone.now())


def _check_not_banned(book: Book) -> None:
    if book.viewer.banned:
        raise UserError(
            _("You are banned from this club. The reason given: %(reason)s") % {"reason": book.viewer.banned}
        )


def _let_in(book: Book, player_id: int) -> None:
    if Ban.objects.filter(club=book.club, player=player_id).exists():
        raise UserError(_("That player is banned. Lift the ban first."))
    Membership.objects.create(club=book.club, player_id=player_id)
    JoinRequest.objects.filter(club=book.club, player=player_id).delete()


def _take_out(book: Book, player_id: int) -> bool:
    member = Membership.objects.filter(club=book.club, player=player_id).first()
    if member is None:
        return False
    if book.by.pk == player_id:
        raise UserError(_("To go yourself, leave the club."))
    if not book.viewer.commands(Role(member.role)):
        raise NotAllowed(_("Only an owner removes a director, and nobody in the club removes an owner."))
    if member.role == Role.OWNER:
        clubs.check_other_owner(book, player_id)
    ladders.leave_with_club(club_id=book.club.pk, player_id=player_id, by=book.by.pk)
    member.delete()
    return True
