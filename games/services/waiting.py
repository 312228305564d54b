"""Who leaves ranked games waits before the next one: each adds to a number that fades, and the
number sets the time. Nothing else is closed to him."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Participation, Player, Seat, Table
from games.services.errors import UserError

HALF_LIFE = timedelta(days=7)
"""After this long a game that was left counts half."""

WAITS = (0, 0, 2, 5, 15, 60)
"""Minutes, by the games left of late, rounded; more are as many as the last."""


class MustWait(UserError):
    """Ranked games are not open to the player until ``until``."""

    def __init__(self, sentence: str, until: datetime) -> None:
        super().__init__(sentence)
        self.until = until


def charge(player_ids: Collection[int], at: datetime) -> None:
    """These people are not back at the end of a ranked game. Locks them in the order of their ids;
    two queries and one for each."""
    for player in _locked(player_ids):
        if player.leaves_at is None or player.leaves_at <= at:
            player.leaves = (_faded(player.leaves, player.leaves_at, at) if player.leaves_at else 0.0) + 1
            player.leaves_at = at
        else:  # put back after the next one was counted
            player.leaves += _faded(1.0, at, player.leaves_at)
        player.save(update_fields=["leaves", "leaves_at"])


def give_back(game: Game) -> None:
    """A finished game was taken back: nobody left it."""
    assert game.finished_at is not None
    for player in _locked(_leavers(game)):
        if player.leaves_at is not None:
            player.leaves = max(0.0, player.leaves - _faded(1.0, game.finished_at, player.leaves_at))
            player.save(update_fields=["leaves"])


def charge_again(game: Game) -> None:
    """The opposite of :func:`give_back`."""
    assert game.finished_at is not None
    charge(_leavers(game), game.finished_at)


def forget(player_ids: Collection[int]) -> None:
    """Staff let bygones be bygones: these people wait no longer."""
    Player.objects.filter(pk__in=player_ids).update(leaves=0, leaves_at=None)


def until(player: Player, now: datetime) -> datetime | None:
    """When ranked games are open to the player again; None if they are now."""
    if player.leaves_at is None:
        return None
    minutes = WAITS[min(round(player.leaves), len(WAITS) - 1)]
    end = player.leaves_at + timedelta(minutes=minutes)
    return end if end > now else None


def check(player_id: int, now: datetime) -> None:
    """Raise MustWait, with the time that is left and what is open meanwhile, if the player may not
    sit down to a ranked game yet. One query, another one if so."""
    player = Player.objects.only("leaves", "leaves_at").filter(pk=player_id).first()
    end = until(player, now) if player else None
    if end is None:
        return
    minutes = ceil((end - now).total_seconds() / 60)
    said = ngettext(
        "You have left ranked games before their end: the next one is open to you in %(count)d minute.",
        "You have left ranked games before their end: the next one is open to you in %(count)d minutes.",
        minutes,
    ) % {"count": minutes}
    said += " " + _("Friendly games are open now.")
    if Seat.objects.filter(player_id=player_id, held=False, table__phase__in=Table.RUNNING).exists():
        said += " " + _("So is the seat that a bot keeps for you: take it back, and nothing is charged for that game.")
    raise MustWait(said, end)


def _locked(player_ids: Collection[int]) -> list[Player]:
    if not player_ids:
        return []
    return list(Player.objects.select_for_update(no_key=True).filter(pk__in=player_ids).order_by("pk"))


def _leavers(game: Game) -> list[int]:
    left = Participation.objects.filter(game=game, left=True, player__isnull=False)
    return [part.player_id for part in left if part.player_id is not None]


def _faded(leaves: float, since: datetime, at: datetime) -> float:
    return float(leaves * 0.5 ** ((at - since) / HALF_LIFE))
