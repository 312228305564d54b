"""What staff have said to somebody, and what he may not do because of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F, Q, QuerySet

from games.models import Message, Report, SameAddress, Sanction


def in_force(now: datetime) -> QuerySet[Sanction]:
    """Mutes and bans that hold now; what does not end comes first, then what ends last."""
    open_end = Q(until=None) | Q(until__gt=now)
    return Sanction.objects.filter(open_end, lifted_at=None).order_by(F("until").desc(nulls_first=True), "-pk")


def holding(player_id: int, kind: str, now: datetime) -> Sanction | None:
    """The mute or ban of somebody that holds longest; None if there is none. One query."""
    return in_force(now).filter(player_id=player_id, kind=kind).first()


def unread_warnings(player_id: int) -> tuple[Sanction, ...]:
    """What somebody was warned of and has not put away. One query."""
    return tuple(
        Sanction.objects.filter(player_id=player_id, kind=Sanction.Kind.WARN, seen_at=None, lifted_at=None).order_by(
            "pk"
        )
    )


def history(player_id: int) -> Sequence[Sanction]:
    """Everything staff did to somebody, the newest first. One query."""
    return Sanction.objects.filter(player_id=player_id).select_related("by", "lifted_by")


def said_around(report: Report) -> Sequence[Message]:
    """What has been said at the table of a report, the hidden included. One query."""
    if report.table_id is None:
        return ()
    return Message.objects.filter(table_id=report.table_id).select_related("sender").order_by("pk")[:300]


def same_addresses(game_id: int | None) -> Sequence[SameAddress]:
    """Who shared an address at a ranked game. One query."""
    return SameAddress.objects.filter(game_id=game_id).select_related("player", "other") if game_id else ()
