"""The log of a ladder put right by an officer, after a look at what that changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.formats import ladder as pure
from tournaments.models import LadderCorrection, LadderEntry, LadderMatch
from tournaments.selectors import ladders as selectors
from tournaments.selectors.ladders import TICK, Moved
from tournaments.services import texts
from tournaments.services.ladders.desk import Desk, Kind, open_desk
from tournaments.services.ladders.matches import call_off, check_score, winner_first, winner_of

LONGEST_REASON: Final = 300
"""Characters; of longer reasons the end is left out."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of the log: ``entry_id`` struck out or put back, given other points (of lower and
    upper) or another time; or the challenge of ``match_id`` answered in time after all."""

    do: Literal["strike", "restore", "points", "time", "answered"]
    entry_id: int = 0
    match_id: int = 0
    points: tuple[int, int] | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction does: whose place changes, and how many entries make no sense any more."""

    version: int
    moved: tuple[Moved, ...]
    ignored: int


def preview(*, ladder_id: int, by: int, change: Correction) -> Preview:
    """What :func:`correct` would do. Directors only. UserError for what cannot be."""
    with open_desk(ladder_id, by, directs=True) as desk:
        _row, corrected = _corrected(desk, change)
        ignored = len(corrected.state.ignored) - len(desk.state.ignored)
        return Preview(desk.ladder.version, desk.board.named(corrected.moved), max(0, ignored))


def correct(*, ladder_id: int, by: int, change: Correction, version: int, reason: str = "") -> None:
    """Put the log right, as it was shown at ``version``; all since is played again. Directors only. Locks
    the ladder. UserError if somebody has written to it meanwhile."""
    reason = texts.cut(reason, LONGEST_REASON)
    with open_desk(ladder_id, by, directs=True) as desk:
        if desk.ladder.version != version:
            raise UserError(_("The ladder has moved on. Look again at what the correction changes."))
        row, corrected = _corrected(desk, change)
        old = LadderEntry.objects.filter(pk=row.pk).first()
        row.save()
        LadderCorrection.objects.create(
            entry=row,
            by_id=by,
            at=desk.now,
            reason=reason,
            before=_kept(old) if old is not None else {},
            after=_kept(row),
        )
        desk.touch()
        board = replace(desk.board, state=corrected.state)
        at_tables = LadderMatch.objects.filter(ladder=desk.ladder, live_table__isnull=False)
        for match in at_tables.prefetch_related("entries"):
            if board.challenge_of(match) is None:
                call_off(match, by)


def _kept(row: LadderEntry) -> dict[str, Any]:
    columns = {name: getattr(row, name) for name in ("struck", "pair_id", "other_id", "points")}
    return columns | {"at": row.at.isoformat()}


def _corrected(desk: Desk, change: Correction) -> tuple[LadderEntry, pure.Corrected]:
    """The entry as it would be, not saved, and the ladder that follows."""
    book, numbers = desk.board.book, {pair.pk: pair.number for pair in desk.board.pairs.values()}
    if change.do == "answered":
        row = _late_answer(desk, change.match_id)
        number = len(book.log)
    else:
        found = LadderEntry.objects.filter(ladder=desk.ladder, pk=change.entry_id, kind__in=LadderEntry.TOLD).first()
        if found is None:
            raise UserError(_("That entry cannot be corrected."))
        row, at = found, book.number_of(found.pk)
        if (at is None) != (change.do == "restore"):
            raise UserError(_("That entry was corrected meanwhile. Look at it again."))
        number = len(book.log) if at is None else at
        row.struck = change.do == "strike"
        if change.do == "points":
            _rewrite(desk, row, change.points)
        elif change.do == "time":
            row.at = _another_time(desk, row, change.at)
    entry = None if row.struck else selectors.entry_of(row, numbers)
    corrected = pure.correct(book.log, number, entry, book.course, desk.state.at)
    people = [pk for on in corrected.state.order for pk in desk.board.pairs[on].player_ids]
    if len(set(people)) < len(people):
        raise UserError(_("Then somebody would stand on the ladder twice. Take the other pair out first."))
    return row, corrected


def _late_answer(desk: Desk, match_id: int) -> LadderEntry:
    match = selectors.find_match(desk.ladder, match_id)
    ran_out = selectors.read_match(desk.board, match, None).ran_out if match is not None else None
    if match is None or ran_out is None:
        raise UserError(_("That challenge was not lost by time."))
    return LadderEntry(
        ladder=desk.ladder,
        at=ran_out - TICK,
        kind=Kind.ANSWER,
        pair=match.upper,
        other=match.lower,
        match=match,
        by=desk.by,
    )


def _another_time(desk: Desk, row: LadderEntry, at: datetime | None) -> datetime:
    first = desk.board.book.rows[0].at
    if at is None or not first <= at <= desk.state.at:
        raise UserError(_("Choose a time between the first day of the ladder and now."))
    taken = {other.at for other in desk.board.book.rows if other.pk != row.pk}
    while at in taken:
        at += TICK
    return at


def _rewrite(desk: Desk, row: LadderEntry, points: tuple[int, int] | None) -> None:
    if row.kind != Kind.RESULT or row.match is None or points is None:
        raise UserError(_("Only a result has points."))
    check_score(desk, points)
    winner = winner_of(row.match, points)
    row.pair, row.other = winner, row.match.lower if winner == row.match.upper else row.match.upper
    row.points = list(winner_first(points))
