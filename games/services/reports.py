"""Somebody tells staff about somebody else: the deal, and what was said, go with it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Message, Participation, Player, Report, Seat
from games.selectors import talk
from games.services.errors import UserError
from games.services.row import find_table
from games.services.talk import one_line

LIMITS: Final = ((5, timedelta(minutes=10)), (20, timedelta(days=1)))
"""Reports by one person."""

ONE: Final = timedelta(minutes=10)
"""Within this time a second report of the same person at the same table adds to the first."""

ATTACHED: Final = 30
"""Messages."""


def report(*, reporter_id: int, reported_id: int, table_id: int) -> int:
    """Report somebody who is or was at a table; the report's number. No reason is asked for yet.

    A second one soon after adds what was said since to the first. UserError for oneself, bots,
    strangers to the table, and too many reports at once.
    """
    if reporter_id == reported_id:
        raise UserError(_("That is you."))
    reported = Player.objects.filter(pk=reported_id).first()
    if reported is None:
        raise UserError(_("That account is gone."))
    if reported.is_bot:
        raise UserError(
            _("%(name)s is a bot. Write to the people who run the site if it plays oddly.") % {"name": reported.name}
        )
    row = find_table(table_id)
    if not _was_there(reported_id, table_id):
        raise UserError(_("%(name)s has not been at this table.") % {"name": reported.name})
    now = timezone.now()
    said = "\n".join(_said(table_id))
    with transaction.atomic():
        list(Player.objects.select_for_update(no_key=True).filter(pk=reporter_id).values_list("pk"))
        earlier = Report.objects.filter(reporter_id=reporter_id)
        same = earlier.filter(reported_id=reported_id, table_id=table_id, closed_at=None, at__gt=now - ONE).first()
        if same is not None:
            Report.objects.filter(pk=same.pk).update(said=said)
            return same.pk
        for most, span in LIMITS:
            if earlier.filter(at__gt=now - span).count() >= most:
                raise UserError(_("You have reported several people lately. Staff will look at that first."))
        return Report.objects.create(
            reporter_id=reporter_id,
            reported_id=reported_id,
            table_id=table_id,
            game_id=row.game_id,
            deal_number=row.deal_number,
            reason=Report.Reason.OTHER,
            said=said,
            at=now,
        ).pk


def explain(*, reporter_id: int, report_id: int, reason: str, words: str) -> None:
    """Say more about a report of one's own while it is open. UserError for an unknown reason, too
    many words, and a report that is not his or is closed."""
    if reason not in Report.Reason.values:
        raise UserError(_("Choose one of the reasons."))
    words = one_line(words)
    longest = Report._meta.get_field("words").max_length or 0
    if len(words) > longest:
        raise UserError(_("Keep it to %(most)d characters.") % {"most": longest})
    own = Report.objects.filter(pk=report_id, reporter_id=reporter_id, closed_at=None)
    if not own.update(reason=reason, words=words):
        raise UserError(_("Staff have seen to that report already. Make another one if it goes on."))


def _was_there(player_id: int, table_id: int) -> bool:
    return (
        Seat.objects.filter(table_id=table_id, player_id=player_id).exists()
        or talk.wrote_at(player_id, table_id)
        or Participation.objects.filter(game__table_id=table_id, player_id=player_id).exists()
    )


def _said(table_id: int) -> list[str]:
    """The last messages, a line each."""
    found = Message.objects.filter(table_id=table_id).select_related("sender").order_by("-pk")[:ATTACHED]
    return [
        f"{message.at:%Y-%m-%d %H:%M:%S} [{message.room}] {message.sender or '-'}: {message.text or message.phrase}"
        for message in reversed(found)
    ]
