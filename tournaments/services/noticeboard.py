"""What a club's directors put up for everybody: notices and house rules."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import Rules, format_rules
from games.services import rule_sets
from games.services.errors import UserError
from tournaments.models import ClubRules, LogEntry, Notice
from tournaments.services import texts
from tournaments.services.book import open_as_director

LONGEST_TITLE: Final = 80
LONGEST_TEXT: Final = 2000
"""Characters."""

SETS: Final = 20
"""Sets of house rules that one club may keep."""


def post_notice(*, club_id: int, by: int, title: str, text: str, pinned: bool = False) -> int:
    """Put up a notice; its id. Directors only. Locks the club. UserError for a title that cannot
    be seen, and for what is too long."""
    title, text = clean_title(title), texts.paragraphs(text, LONGEST_TEXT)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        notice = Notice.objects.create(club=book.club, title=title, text=text, pinned=pinned, by_id=by)
        book.note(LogEntry.Kind.POSTED, detail=title)
    return notice.pk


def rewrite_notice(*, club_id: int, by: int, notice_id: int, title: str, text: str, pinned: bool) -> None:
    """Change a notice; it says so. Directors only, whoever wrote it. Locks the club. Idempotent.
    UserError as for a new one, or if it is gone."""
    title, text = clean_title(title), texts.paragraphs(text, LONGEST_TEXT)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        notice = Notice.objects.filter(club=book.club, pk=notice_id).first()
        if notice is None:
            raise UserError(_("That notice was taken down."))
        if (notice.title, notice.text, notice.pinned) == (title, text, pinned):
            return
        if (notice.title, notice.text) != (title, text):
            notice.changed_at = timezone.now()
        notice.title, notice.text, notice.pinned = title, text, pinned
        notice.save()
        book.note(LogEntry.Kind.REWROTE, detail=title)


def take_notice_down(*, club_id: int, by: int, notice_id: int) -> None:
    """Directors only. Locks the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by)
        notice = Notice.objects.filter(club=book.club, pk=notice_id).first()
        if notice is not None:
            notice.delete()
            book.note(LogEntry.Kind.UNPOSTED, detail=notice.title)


def save_rules(*, club_id: int, by: int, name: str, rules: Rules, set_id: int | None = None) -> int:
    """Keep house rules under a name; the set's id. With ``set_id`` that set is changed; without,
    one of the same name is replaced, whatever its case. Directors only. Locks the club.
    Idempotent. UserError for a bad name, a name that another set has, and one set too many."""
    name = rule_sets.clean_name(name)
    key = rule_sets.key_of(name)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        sets = ClubRules.objects.filter(club=book.club)
        kept = sets.filter(pk=set_id).first() if set_id else sets.filter(name_key=key).first()
        if set_id and kept is None:
            raise UserError(_("That set of rules is gone."))
        if set_id and sets.filter(name_key=key).exclude(pk=set_id).exists():
            raise UserError(_("The club has a set of this name already."))
        if kept is None and sets.count() >= SETS:
            raise UserError(_("The club has %(limit)d sets, and that is all. Delete one first.") % {"limit": SETS})
        kept = kept or ClubRules(club=book.club)
        if (kept.name, kept.rules) != (name, format_rules(rules)):
            kept.name, kept.name_key, kept.rules = name, key, format_rules(rules)
            kept.save()
            book.note(LogEntry.Kind.RULED, detail=name)
    return kept.pk


def delete_rules(*, club_id: int, by: int, set_id: int) -> None:
    """Directors only. Locks the club. Idempotent."""
    with transaction.atomic():
        book = open_as_director(club_id, by)
        kept = ClubRules.objects.filter(club=book.club, pk=set_id).first()
        if kept is not None:
            kept.delete()
            book.note(LogEntry.Kind.UNRULED, detail=kept.name)


def clean_title(title: str) -> str:
    """The title of a notice as it is stored. UserError says what to change."""
    return texts.one_line(title, LONGEST_TITLE, empty=_("Give the notice a title that can be seen."))
