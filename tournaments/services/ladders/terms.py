"""Ladders put up, their rules changed, closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.services.errors import UserError
from games.services.seating import PACES
from tournaments.formats import ladder as pure
from tournaments.models import Ladder, LadderEntry, LadderMatch, LogEntry
from tournaments.selectors import ladders as selectors
from tournaments.selectors.ladders import TICK, Moved
from tournaments.services import texts
from tournaments.services.book import Book, open_as_director
from tournaments.services.ladders.desk import Desk, Kind, open_desk
from tournaments.services.ladders.matches import call_off, check_nothing_played
from tournaments.services.ladders.pairs import take_off_strangers

LONGEST_NAME: Final = 48

LADDERS: Final = 20
"""Open ladders that one club may have."""

TARGETS: Final = (5, 10)
MOST_DAYS: Final = 365
MOST_REACH: Final = 50


@dataclass(frozen=True, slots=True)
class Settings:
    """What a club's officers decide about a ladder."""

    name: str
    reach: int = 3
    share: int = 0
    answer_days: int = 5
    rest_days: int = 14
    idle_days: int = 21
    target: int = 10
    where: str = Ladder.Where.EITHER
    pace: int = 20
    rated: bool = False


class BadSetting(UserError):
    """A setting that cannot be; ``field`` names it."""

    def __init__(self, field: str, told: str) -> None:
        super().__init__(told)
        self.field = field


class NotAgreed(UserError):
    """The change moves pairs at once: ``moved``, to be agreed to first."""

    def __init__(self, moved: tuple[Moved, ...]) -> None:
        super().__init__(_("By these rules pairs change their places at once."))
        self.moved = moved


def create_ladder(*, club_id: int, by: int, terms: Settings) -> int:
    """Put up a ladder; its id. Directors only. Locks the club. Not idempotent. BadSetting names the
    setting to change."""
    _check(terms)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        _check_room(book)
        ladder = Ladder.objects.create(club=book.club, **asdict(terms))
        LadderEntry.objects.create(
            ladder=ladder, at=ladder.created_at, kind=Kind.TERMS, by_id=by, terms=selectors.terms_of(ladder)
        )
        book.note(LogEntry.Kind.LADDER, detail=terms.name)
    return ladder.pk


def edit_ladder(*, ladder_id: int, by: int, terms: Settings, agreed: bool = False) -> None:
    """Change settings; the rules hold from now on. Directors only. Locks the club and the ladder. The same
    again changes nothing. NotAgreed, unless ``agreed``, if that moves pairs at once."""
    _check(terms)
    with _open_with_club(ladder_id, by) as (book, desk):
        ladder, before = desk.ladder, selectors.terms_of(desk.ladder)
        changed = {name: value for name, value in asdict(terms).items() if getattr(ladder, name) != value}
        if not changed:
            return
        for name, value in changed.items():
            setattr(ladder, name, value)
        after = selectors.terms_of(ladder)
        if after != before:
            course = (*desk.board.book.course, (desk.now, selectors.rules_of(after)))
            moved = pure.moved(desk.state, pure.replay(desk.board.book.log, course, desk.now + TICK))
            if moved and not agreed:
                raise NotAgreed(desk.board.named(moved))
        ladder.save(update_fields=list(changed))
        book.note(LogEntry.Kind.RELADDER, detail=ladder.name)
        if after != before:
            desk.write(Kind.TERMS, terms=after)
        else:
            desk.touch()


def close_ladder(*, ladder_id: int, by: int) -> None:
    """It stays to be read, as it stands; open matches end without a result. Directors only. Locks the club
    and the ladder."""
    with _open_with_club(ladder_id, by) as (book, desk):
        _close(desk)
        book.note(LogEntry.Kind.UNLADDER, detail=desk.ladder.name)


def close_with_club(book: Book) -> None:
    """The club is about to be closed, in the same transaction, and its open ladders with it: so nobody goes down
    while it is. Locks them in the order of their ids. UserError while a game of one is played."""
    open_now = Ladder.objects.filter(club=book.club, closed_at=None).order_by("pk")
    for ladder_id in open_now.values_list("pk", flat=True):
        with open_desk(ladder_id, book.by.pk, directs=True) as desk:
            check_nothing_played(desk.ladder)
            _close(desk)


def _close(desk: Desk) -> None:
    desk.write(Kind.CLOSE)
    desk.ladder.closed_at = desk.now
    desk.ladder.save(update_fields=["closed_at"])
    desk.ladder.asks.all().delete()
    for match in LadderMatch.objects.filter(ladder=desk.ladder, live_table__isnull=False):
        call_off(match, desk.by.pk if desk.by is not None else None)


def reopen_ladder(*, ladder_id: int, by: int) -> None:
    """It goes on as it stood when it was closed; pairs of whom somebody is no member any more are taken off,
    and nobody goes down for the time between. Directors only. Locks the club and the ladder."""
    with _open_with_club(ladder_id, by, closed=True) as (book, desk):
        _check_room(book)
        desk.ladder.closed_at = None
        desk.ladder.save(update_fields=["closed_at"])
        desk.write_reopening()
        book.note(LogEntry.Kind.OPENLADDER, detail=desk.ladder.name)
        take_off_strangers(desk)


def _check_room(book: Book) -> None:
    if Ladder.objects.filter(club=book.club, closed_at=None).count() >= LADDERS:
        raise UserError(_("A club has %(most)d ladders at most. Close one first.") % {"most": LADDERS})


@contextmanager
def _open_with_club(ladder_id: int, by: int, *, closed: bool = False) -> Iterator[tuple[Book, Desk]]:
    """The ladder for a director, and the book of its club, which is locked first."""
    club_id = Ladder.objects.filter(pk=ladder_id).values_list("club", flat=True).first()
    if club_id is None:
        raise UserError(_("That ladder is gone."))
    with transaction.atomic():
        book = open_as_director(club_id, by)
        with open_desk(ladder_id, by, directs=True, closed=closed) as desk:
            yield book, desk


def clean_name(text: str) -> str:
    """The name as it is stored. UserError for one that cannot be seen, or is too long."""
    return texts.one_line(text, LONGEST_NAME, empty=str(_("Give the ladder a name: Winter ladder, for instance.")))


def _check(terms: Settings) -> None:
    clean_name(terms.name)
    if not 1 <= terms.reach <= MOST_REACH:
        raise BadSetting("reach", _("Let pairs challenge 1 to %(most)d rungs up.") % {"most": MOST_REACH})
    if not 0 <= terms.share <= 100:
        raise BadSetting("share", _("A share is 1 to 100 percent; 0 counts rungs instead."))
    for name, least in (("answer_days", 1), ("rest_days", 0), ("idle_days", 0)):
        if not least <= getattr(terms, name) <= MOST_DAYS:
            raise BadSetting(name, _("Type %(least)d to %(most)d days.") % {"least": least, "most": MOST_DAYS})
    if terms.target not in TARGETS:
        raise BadSetting("target", _("A game goes to 5 or to 10 points."))
    if terms.where not in Ladder.Where.values:
        raise BadSetting("where", _("Choose where the matches are played."))
    if terms.pace not in PACES:
        raise BadSetting("pace", _("Choose how long a move may take."))
    if terms.rated and terms.where == Ladder.Where.HALL:
        raise BadSetting("rated", _("Only games at this site’s tables are rated. Play online, or make it unrated."))
    if terms.rated and terms.target != 10:
        raise BadSetting(
            "rated", _("Ranked games are played by the site’s own rules, to 10 points. Make the ladder unrated.")
        )
