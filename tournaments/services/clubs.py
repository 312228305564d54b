"""The club itself: founded, changed, closed; who owns and directs it."""

from __future__ import annotations

import re
from typing import Final, Literal

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.names import club_key, validate_club_name
from games.services.errors import UserError
from tournaments.models import Club, Event, LogEntry, Membership, Role
from tournaments.services import ladders, texts
from tournaments.services.book import Book, NotAllowed, lock_people, open_as_owner, open_book

LONGEST_NAME: Final = 48
LONGEST_SLUG: Final = 48
LONGEST_LINE: Final = 120
LONGEST_TEXT: Final = 2000
"""Characters."""

OWNED: Final = 10
"""Open clubs that one player may own."""

TAKEN_SLUGS: Final = frozenset({"new", "join", "mine", "all", "search", "api", "feed"})
"""Addresses kept for the site's own pages."""


class Taken(UserError):
    """Another club has this name or address; ``field`` tells which of them."""

    def __init__(self, field: Literal["name", "slug"], value: str) -> None:
        if field == "name":
            sentence = _("There is a club called %(value)s, or much like it. Try another name.")
        else:
            sentence = _("The address “%(value)s” is taken. Try another.")
        super().__init__(sentence % {"value": value})
        self.field = field


def found_club(
    *, founder_id: int, name: str, slug: str = "", line: str = "", about: str = "", joining: str = "open",
    public: bool = True,
) -> str:  # fmt: skip
    """Found a club; its address. The founder owns it. Without ``slug`` the address is made of the name.

    Locks the founder. UserError says what to change: of a name or address that is not allowed or
    is taken, of a text that is too long, and for one club too many.
    """
    club = Club(name=clean_name(name), joining=joining, public=public)
    club.name_key = club_key(club.name)
    club.line, club.about = texts.one_line(line, LONGEST_LINE), texts.paragraphs(about, LONGEST_TEXT)
    check_joining(joining, public)
    wanted = clean_slug(slug) if slug else ""
    with transaction.atomic():
        founder = lock_people(founder_id).get(founder_id)
        if founder is None:
            raise UserError(_("Your account is gone. Join the site again first."))
        own = Membership.objects.filter(player=founder, role=Role.OWNER, club__closed_at=None)
        if own.count() >= OWNED:
            raise UserError(_("You own %(limit)d clubs, and that is all one player may.") % {"limit": OWNED})
        if Club.objects.filter(name_key=club.name_key).exists():
            raise Taken("name", club.name)
        club.slug = wanted or _free_slug(club.name)
        try:
            with transaction.atomic():
                club.save(force_insert=True)
        except IntegrityError:  # somebody was faster, or chose this address before
            taken = Club.objects.filter(name_key=club.name_key).exists()
            raise (Taken("name", club.name) if taken else Taken("slug", club.slug)) from None
        Membership.objects.create(club=club, player=founder, role=Role.OWNER)
        LogEntry.objects.create(club=club, kind=LogEntry.Kind.FOUNDED, by_id=founder.pk)
    return club.slug


def edit_club(*, club_id: int, by: int, name: str, line: str, about: str, joining: str, public: bool) -> None:
    """Change what a club says of itself and whom it lets in. Owners only. Requests that wait when
    nobody can ask any more are dropped. Locks the club. Idempotent. UserError as for
    :func:`found_club`."""
    check_joining(joining, public)
    name, line, about = clean_name(name), texts.one_line(line, LONGEST_LINE), texts.paragraphs(about, LONGEST_TEXT)
    values = {"name": name, "line": line, "about": about, "joining": joining, "public": public}
    with transaction.atomic():
        book = open_as_owner(club_id, by)
        club = book.club
        changed = [field for field, value in values.items() if getattr(club, field) != value]
        if not changed:
            return
        for field, value in values.items():
            setattr(club, field, value)
        club.name_key = club_key(name)
        try:
            with transaction.atomic():
                club.save(update_fields=[*values, "name_key"])
        except IntegrityError:
            raise Taken("name", name) from None
        if joining == Club.Joining.INVITATION:
            club.join_requests.all().delete()
        book.note(LogEntry.Kind.EDITED, detail=", ".join(changed))


def close_club(*, club_id: int, by: int) -> None:
    """Close a club: its pages stay, nothing in it can be changed, nobody joins, no event starts, its
    ladders are closed too. Owners only. Locks the club and its ladders. UserError while an event, or a game of
    a ladder, is being played."""
    with transaction.atomic():
        book = open_as_owner(club_id, by)
        if reason := why_not_closed(book.club):
            raise UserError(reason)
        ladders.close_with_club(book)
        _close(book.club)
        book.note(LogEntry.Kind.CLOSED)


def why_not_closed(club: Club) -> str:
    """The event that keeps a club from being closed now, in a sentence, "" for none. One query."""
    running = club.events.filter(state=Event.State.RUNNING).first()
    if running is None:
        return ""
    return _("“%(event)s” is being played. Finish it, or call it off.") % {"event": running.title}


def reopen_club(*, club_id: int, by: int) -> None:
    """Open a closed club again; its ladders stay closed until a director opens them. Its owners may, and staff.
    UserError without an owner. Locks the club."""
    with transaction.atomic():
        book = open_book(club_id, by, closed=True)
        if not book.viewer.owns:
            raise NotAllowed(_("Only the club’s owners can do that."))
        if not _owners(book.club).exists():
            raise UserError(_("Nobody owns this club any more, so it stays closed."))
        book.club.closed_at = None
        book.club.save(update_fields=["closed_at"])
        book.note(LogEntry.Kind.REOPENED)


def set_role(*, club_id: int, by: int, player_id: int, role: Role) -> None:
    """Make a member an owner, a director or a plain member. Owners may, and everybody for himself
    downwards. An owner loses the role by his own wish or the staff's only, and never the last one.

    Locks both people and the club. Idempotent.
    """
    with transaction.atomic():
        book = open_book(club_id, by, player_id)
        member = find_member(book, player_id)
        if role == member.role:
            return
        steps_down = by == player_id and role > member.role
        if not (book.viewer.owns or steps_down):
            raise NotAllowed(_("Only the club’s owners can do that."))
        if member.role == Role.OWNER:
            if not (steps_down or book.viewer.staff):
                raise NotAllowed(_("An owner stays one until they step down themselves."))
            check_other_owner(book, player_id)
        member.role = role
        member.save(update_fields=["role"])
        book.note(LogEntry.Kind.ROLE, target_id=player_id, detail=role.name.lower())


def hand_on_clubs(*, player_id: int) -> None:
    """Somebody's account is about to be deleted, in the same transaction. Where he is the last
    owner the club goes to its longest director, or else member; with nobody left it closes.

    The caller has locked the player. Locks his clubs in the order of their ids. Idempotent.
    """
    his = Membership.objects.filter(player=player_id).order_by("club").values_list("club", flat=True)
    for club_id in his:
        club = Club.objects.select_for_update().get(pk=club_id)
        LogEntry.objects.create(club=club, kind=LogEntry.Kind.GONE)
        others = Membership.objects.filter(club=club, player__is_active=True).exclude(player=player_id)
        if club.closed_at is not None or others.filter(role=Role.OWNER).exists():
            continue
        if not Membership.objects.filter(club=club, player=player_id, role=Role.OWNER).exists():
            continue
        heir = others.order_by("role", "joined_at", "pk").first()
        if heir is None:
            _close(club)
            LogEntry.objects.create(club=club, kind=LogEntry.Kind.CLOSED)
        else:
            heir.role = Role.OWNER
            heir.save(update_fields=["role"])
            LogEntry.objects.create(club=club, kind=LogEntry.Kind.INHERITED, by_id=heir.player_id)


# --- for a club that the caller has locked ---------------------------------------------------------


def find_member(book: Book, player_id: int) -> Membership:
    """UserError for who is no member."""
    member = Membership.objects.filter(club=book.club, player=player_id).first()
    if member is None:
        raise UserError(_("That player is no member of the club."))
    return member


def check_other_owner(book: Book, player_id: int) -> None:
    """UserError if nobody else owns the club."""
    if not _owners(book.club).exclude(player=player_id).exists():
        raise UserError(_("A club always has an owner. Name another one first, or close the club."))


# --- what is allowed ----------------------------------------------------------------------------------


def clean_name(name: str) -> str:
    """The stored form of a club's name. UserError says what to change."""
    try:
        return validate_club_name(name, LONGEST_NAME)
    except ValidationError as error:
        raise UserError(" ".join(error.messages)) from None


def clean_slug(slug: str) -> str:
    """An address that somebody has chosen, in small letters. UserError says what to change."""
    slug = slug.strip().lower()
    if len(slug) > LONGEST_SLUG:
        raise UserError(
            _("Keep the address to %(limit)d characters; it has %(length)d.")
            % {"limit": LONGEST_SLUG, "length": len(slug)}
        )
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) or len(slug) < 2:
        raise UserError(_("An address is made of the letters a to z, digits, and single hyphens between them."))
    if slug in TAKEN_SLUGS:
        raise Taken("slug", slug)
    return slug


def check_joining(joining: str, public: bool) -> None:
    """UserError for a way of joining that there is not, or that nobody could go."""
    if joining not in Club.Joining.values:
        raise UserError(_("Choose how people join."))
    if not public and joining != Club.Joining.INVITATION:
        raise UserError(_("Only members see a private club, so nobody else could ask: let people join by invitation."))


def _free_slug(name: str) -> str:
    base = slugify(name)[: LONGEST_SLUG - 5].strip("-")
    if len(base) < 2:  # no letter of it is between a and z
        base = "club"
    taken = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | TAKEN_SLUGS
    if base not in taken and base != "club":
        return base
    return next(slug for number in range(2, 10_000) if (slug := f"{base}-{number}") not in taken)


def _owners(club: Club) -> QuerySet[Membership]:
    return Membership.objects.filter(club=club, role=Role.OWNER, player__is_active=True)


def _close(club: Club) -> None:
    club.closed_at = timezone.now()
    club.save(update_fields=["closed_at"])
    club.join_requests.all().delete()
