"""A ladder locked for one writer at a time, and its log, to which he writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import UserError
from tournaments.formats import ladder as pure
from tournaments.formats.event import EventError
from tournaments.formats.ladder import Entry, State
from tournaments.models import Ladder, LadderEntry, LadderPair
from tournaments.selectors import ladders as selectors
from tournaments.selectors.clubs import Viewer, read_viewer
from tournaments.selectors.ladders import TICK, Board
from tournaments.services.book import NotAllowed, lock_people
from tournaments.signals import ladder_changed

Kind = LadderEntry.Kind


@dataclass
class Desk:
    """A locked ladder, and who writes to it (None: the site itself)."""

    board: Board
    by: Player | None
    viewer: Viewer
    now: datetime
    state: State = field(init=False)
    _told: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.state = self.board.state

    @property
    def ladder(self) -> Ladder:
        return self.board.ladder

    @property
    def by_id(self) -> int | None:
        return self.by.pk if self.by is not None else None

    @property
    def directs(self) -> bool:
        return self.viewer.directs

    def own(self) -> LadderPair:
        """The pair of who writes. UserError if he is on no rung."""
        pair = self.board.pair_of(self.by_id)
        if pair is None:
            raise UserError(_("You are on no rung of this ladder. Join it with a partner first."))
        return pair

    def pair(self, pair_id: int) -> LadderPair:
        """A pair that is or was on the ladder. UserError for any other."""
        found = next((pair for pair in self.board.pairs.values() if pair.pk == pair_id), None)
        if found is None:
            raise UserError(_("That pair is not of this ladder."))
        return found

    def write(
        self, kind: LadderEntry.Kind, pair: LadderPair | None = None, other: LadderPair | None = None, **more: Any
    ) -> LadderEntry:
        """Put an entry into the log. UserError if the rules of the ladder do not allow it."""
        if kind in LadderEntry.TOLD:
            assert pair is not None
            entry = Entry(self.now, kind.value, pair.number, other.number if other is not None else 0)  # type: ignore[arg-type]
            try:
                self.state = pure.record(self.state, entry, self.board.rules)
            except EventError as error:
                raise UserError(self.board.refusal(error)) from error
        row = LadderEntry.objects.create(
            ladder=self.ladder, at=self.now, kind=kind, pair=pair, other=other, by_id=self.by_id, **more
        )
        self.now += TICK
        self.touch()
        return row

    def write_reopening(self) -> None:
        """The ladder goes on from now."""
        self.now = max(self.now, selectors.clock())
        self.write(Kind.REOPEN)
        self.board = selectors.read_board(self.ladder, afresh=True)
        self.state = self.board.state
        self.now = max(self.now, self.state.at)

    def touch(self) -> None:
        """Count a change; once it is committed, those who look at the ladder are told."""
        count_change(self.ladder.pk, tell=not self._told)
        self._told = True


def count_change(ladder_id: int, *, tell: bool = True) -> None:
    """As ``Desk.touch``, for who needs no desk."""
    Ladder.objects.filter(pk=ladder_id).update(version=F("version") + 1)
    if tell:
        transaction.on_commit(partial(_tell, ladder_id), robust=True)


def _tell(ladder_id: int) -> None:
    version = Ladder.objects.filter(pk=ladder_id).order_by().values_list("version", flat=True).first()
    if version is not None:
        ladder_changed.send_robust(sender=Ladder, ladder_id=ladder_id, version=version)


@contextmanager
def open_desk(
    ladder_id: int, by: int | None, *others: int, directs: bool = False, closed: bool = False
) -> Iterator[Desk]:
    """Lock the people, then the ladder, until the end of the block. UserError if one is gone, the club
    has closed, or the ladder has (with ``closed``: has not); NotAllowed for who is banned, or no officer
    where one is needed."""
    with transaction.atomic():
        people = lock_people(*(pk for pk in (by, *others) if pk is not None))
        if by is not None and by not in people:
            raise UserError(_("Your account is gone. Join the site again first."))
        if any(other not in people for other in others):
            raise UserError(_("That player’s account is gone."))
        # Not ordered by its club, which would be locked with it, and read before: who closes a club locks it first.
        ladder = Ladder.objects.select_for_update().filter(pk=ladder_id).order_by("pk").first()
        if ladder is None:
            raise UserError(_("That ladder is gone."))
        viewer = read_viewer(ladder.club_id, people[by]) if by is not None else Viewer(None)
        if by is not None:
            _check_rights(ladder, viewer, directs=directs)
            if (ladder.closed_at is not None) != closed:
                raise UserError(
                    _("This ladder is open.") if closed else _("This ladder has closed. Nothing on it can be changed.")
                )
        board = selectors.read_board(ladder, afresh=True)
        now = max(board.state.at, board.book.rows[-1].at + TICK)
        yield Desk(board, people[by] if by is not None else None, viewer, now)


def _check_rights(ladder: Ladder, viewer: Viewer, *, directs: bool) -> None:
    if not (ladder.club.public or viewer.enters):
        raise NotAllowed(_("Only members of the club can do that."))
    if viewer.banned:
        raise NotAllowed(_("You are banned from this club."))
    if directs and not viewer.directs:
        raise NotAllowed(_("Only the club’s directors can do that."))
    if ladder.club.closed_at is not None:
        raise UserError(_("This club has closed. Nothing in it can be changed."))
