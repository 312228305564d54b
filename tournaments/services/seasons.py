"""A club's seasons: the tables that add its evenings up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.models import LogEntry, Season
from tournaments.services import texts
from tournaments.services.book import open_as_director

LONGEST_NAME: Final = 48
"""Characters."""

LONGEST: Final = 750
"""Days of a season."""

SEASONS: Final = 50
"""Seasons that one club may keep."""

PLACES: Final = 40
"""Places that may have points of their own."""

MOST_POINTS: Final = 1000

MOST_DROPPED: Final = 20


@dataclass(frozen=True, slots=True)
class Terms:
    """What a season counts: the evenings from one day to another, in the club's events' own zones.
    ``points`` for first, second ... place; without any, the scores themselves."""

    name: str
    starts_on: date
    ends_on: date
    points: tuple[int, ...] = ()
    drop: int = 0


def save_season(*, club_id: int, by: int, terms: Terms, season_id: int | None = None) -> int:
    """Make a season, or change one; its id. Directors only. Locks the club. Idempotent but for a new
    one. UserError for terms that make no sense, for one too many, and if it is gone."""
    check(terms)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        values = {
            "name": terms.name,
            "starts_on": terms.starts_on,
            "ends_on": terms.ends_on,
            "counts": Season.Counts.PLACE if terms.points else Season.Counts.SCORE,
            "points": list(terms.points),
            "drop": terms.drop,
        }
        if season_id is None:
            if Season.objects.filter(club=book.club).count() >= SEASONS:
                raise UserError(_("A club keeps %(most)d seasons. Delete one first.") % {"most": SEASONS})
            season_id = Season.objects.create(club=book.club, **values).pk
        elif not Season.objects.filter(club=book.club, pk=season_id).update(**values):
            raise UserError(_("That season was deleted."))
        book.note(LogEntry.Kind.SEASON, detail=terms.name)
    return season_id


def delete_season(*, club_id: int, by: int, season_id: int) -> None:
    """Directors only; its events stay. Locks the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by)
        season = Season.objects.filter(club=book.club, pk=season_id).first()
        if season is not None:
            season.delete()
            book.note(LogEntry.Kind.UNSEASON, detail=season.name)


def clean_name(text: str) -> str:
    """The name as it is stored. UserError for one that cannot be seen, or is too long."""
    return texts.one_line(text, LONGEST_NAME, empty=str(_("Give the season a name: Winter 2027, for instance.")))


def read_points(text: str) -> tuple[int, ...]:
    """Points by place as they were typed: ``10, 7, 5``. UserError for what is no list of falling
    whole numbers."""
    parts = text.replace(",", " ").replace(";", " ").split()
    if not all(part.isdecimal() and len(part) <= 4 for part in parts):
        raise UserError(_("Type whole numbers with commas between them: 10, 7, 5, 3, 1."))
    points = tuple(int(part) for part in parts)
    if len(points) > PLACES:
        raise UserError(_("Name at most %(most)d places; who comes after has the last number.") % {"most": PLACES})
    if any(number > MOST_POINTS for number in points):
        raise UserError(_("A place gives at most %(most)d points.") % {"most": MOST_POINTS})
    if any(after > before for before, after in pairwise(points)):
        raise UserError(_("A lower place cannot give more points than a higher one."))
    return points


def check(terms: Terms) -> None:
    """UserError if the days or the numbers make no sense."""
    if terms.ends_on < terms.starts_on:
        raise UserError(_("The season ends before it starts. Exchange the two days."))
    if (terms.ends_on - terms.starts_on).days > LONGEST:
        raise UserError(_("A season lasts two years at most."))
    if not 0 <= terms.drop <= MOST_DROPPED:
        raise UserError(_("Leave out 0 to %(most)d evenings.") % {"most": MOST_DROPPED})
