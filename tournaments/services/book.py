"""A club's book: opened by one writer at a time, and what he has done is written into it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import UserError
from tournaments.models import Club, LogEntry
from tournaments.selectors.clubs import Viewer, read_viewer


class NotAllowed(UserError):
    """Somebody asked for what only others may do."""


@dataclass(frozen=True, slots=True)
class Book:
    """A locked club, and who has opened its book."""

    club: Club
    by: Player
    viewer: Viewer

    def note(self, kind: LogEntry.Kind, *, target_id: int | None = None, detail: str = "") -> None:
        """Write down that it was done."""
        LogEntry.objects.create(
            club=self.club,
            kind=kind,
            by_id=self.by.pk,
            as_staff=not self.viewer.member and self.viewer.staff and kind not in _BY_ANYBODY,
            target_id=target_id,
            detail=detail,
        )


_BY_ANYBODY = (
    *(LogEntry.Kind.FOUNDED, LogEntry.Kind.JOINED, LogEntry.Kind.INVITED),
    *(LogEntry.Kind.ASKED, LogEntry.Kind.LEFT),
)


def lock_people(*player_ids: int) -> dict[int, Player]:
    """Those of them who are there, locked until the transaction ends."""
    people = Player.objects.select_for_update(no_key=True).filter(pk__in=player_ids)
    return {player.pk: player for player in people.order_by("pk")}


def open_book(club_id: int, player_id: int, *others: int, closed: bool = False) -> Book:
    """Lock the people, then the club, until the transaction ends. ``others`` are those about whom
    something is to be stored. UserError if a person or the club is gone, or the club has closed
    (with ``closed``: if it has not)."""
    people = lock_people(player_id, *others)
    if player_id not in people:
        raise UserError(_("Your account is gone. Join the site again first."))
    if any(other not in people for other in others):
        raise UserError(_("That player’s account is gone."))
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None:
        raise UserError(_("That club is gone."))
    if (club.closed_at is not None) != closed:
        raise UserError(_("This club is open.") if closed else _("This club has closed. Nothing in it can be changed."))
    return Book(club, people[player_id], read_viewer(club.pk, people[player_id]))


def open_as_director(club_id: int, player_id: int, *others: int) -> Book:
    """The same for who directs the club. NotAllowed for everybody else."""
    book = open_book(club_id, player_id, *others)
    if not book.viewer.directs:
        raise NotAllowed(_("Only the club’s directors can do that."))
    return book


def open_as_owner(club_id: int, player_id: int, *others: int) -> Book:
    """The same for who owns the club. NotAllowed for everybody else."""
    book = open_book(club_id, player_id, *others)
    if not book.viewer.owns:
        raise NotAllowed(_("Only the club’s owners can do that."))
    return book
