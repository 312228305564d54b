"""What an account keeps, and its end."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.models import Message, Player, Report, Seat, Table
from games.services import presence
from games.services.errors import UserError
from games.signals import account_ends


def delete_account(*, player_id: int) -> None:
    """Delete a player. Games and results stay, under "a former player".

    Raises :class:`UserError` while he has a seat, or a game that he left is still being played:
    its result has to count for somebody. Idempotent. Locks his own row against other writers, then
    what ``account_ends`` locks, then the tables he sits at, then his row against all: whoever
    seats him elsewhere at the same moment fails, or makes this fail.
    """
    try:
        with transaction.atomic():
            account = Player.objects.filter(pk=player_id, bot_level="")
            player = account.select_for_update(no_key=True).first()
            if player is None:
                return
            check_free(player)
            account_ends.send(Player, player_id=player_id)
            seated = Table.objects.filter(seats__player=player_id)
            list(Table.objects.select_for_update().filter(pk__in=seated.values("pk")).order_by("pk"))
            account.select_for_update().get()
            check_free(player)
            waiting = list(seated.filter(phase=Table.Phase.OVER).values_list("pk", flat=True))
            _forget_talk(player)
            seated.update(roster=F("roster") + 1)  # who sits there is cached by this number
            player.delete()
            for table_id in waiting:
                presence.wait_no_longer(table_id=table_id)
    except IntegrityError:  # a seat was taken in between, and a held seat needs its player
        raise UserError(_("You have just taken a seat. Leave it first, then delete the account.")) from None


def speak(*, player_id: int, language: str) -> None:
    """Keep the language that somebody wants the site to speak to him, on every device. One UPDATE."""
    Player.objects.filter(pk=player_id).update(language=language)


def _forget_talk(player: Player) -> None:
    """What he said goes. Where it was reported it stays with the report, without his name."""
    Message.objects.filter(sender=player).delete()
    for report in Report.objects.exclude(reported=player).filter(said__contains=f"] {player.name}: "):
        report.said = report.said.replace(f"] {player.name}: ", f"] {_('a former player')}: ")
        report.save(update_fields=["said"])


def check_free(player: Player) -> None:
    """Raise :class:`UserError` with what has to end before this account can."""
    seats = Seat.objects.filter(player=player).select_related("table")
    running = [seat for seat in seats if seat.table.phase in Table.RUNNING]
    if any(seat.held for seat in running):
        raise UserError(_("A game of yours is being played. The account can be deleted once it is over."))
    if running:
        raise UserError(_("A game that you left is still being played. The account can be deleted once it is over."))
    if any(seat.held for seat in seats):
        raise UserError(_("You still have a seat at a table. Leave it first, then delete the account."))
