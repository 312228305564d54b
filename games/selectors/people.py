"""Whom a person knows: friends and requests, whom he does not read, whom he is never seated with.

Each at a constant number of queries, however many they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q, QuerySet

from games.models import Block, Friendship, Player, Seat, Table
from games.selectors.lobby import AWAY, IN_LOBBY

SHOWN_PEOPLE = 200


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend, and where he is now. ``table_id`` only where one may go there: to sit down (``join``) or
    to watch (``watch``)."""

    player: Player
    where: Literal["away", "lobby", "waiting", "playing"]
    table_id: int | None = None
    way: Literal["", "join", "watch"] = ""

    @property
    def here(self) -> bool:
        return self.where != "away"


@dataclass(frozen=True, slots=True)
class People:
    """The people of one person: friends, who is here first; who asked him; whom he asked; whom he does not
    read or sit with."""

    friends: tuple[Friend, ...]
    asking: tuple[Player, ...]
    asked: tuple[Player, ...]
    blocked: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """What one person has to do with another, as he may know it: never whether he is blocked himself."""

    state: Literal["none", "asked", "asking", "friends"] = "none"
    """``asked``: he has asked the other; ``asking``: the other has asked him."""
    muted: bool = False
    blocked: bool = False


def muted_by(player_id: int | None) -> frozenset[int]:
    """Whose words this person does not want to read: muted or blocked by him. One query."""
    if player_id is None:
        return frozenset()
    return frozenset(Block.objects.filter(player_id=player_id).values_list("blocked_id", flat=True))


def apart_from(player_id: int) -> frozenset[int]:
    """Who is never seated with this person, whoever of the two has blocked the other. One query."""
    rows = Block.objects.filter(Q(player=player_id) | Q(blocked=player_id), seats=True)
    return frozenset(pk for pair in rows.values_list("player_id", "blocked_id") for pk in pair) - {player_id}


def are_friends(player_id: int, other_id: int) -> bool:
    """Whether one has asked and the other accepted. One query."""
    return between(player_id, other_id).filter(accepted_at__isnull=False).exists()


def read_relation(player_id: int, other_id: int) -> Relation:
    """What ``player_id`` has to do with ``other_id``. Two queries."""
    friendships = list(between(player_id, other_id))
    block = Block.objects.filter(player_id=player_id, blocked_id=other_id).first()
    state: Literal["none", "asked", "asking", "friends"] = "none"
    if any(friendship.accepted_at for friendship in friendships):
        state = "friends"
    elif friendships:
        state = "asked" if friendships[0].asker_id == player_id else "asking"
    return Relation(state, muted=block is not None, blocked=block is not None and block.seats)


def read_people(player_id: int, now: datetime) -> People:
    """Everybody a person knows. Three queries."""
    rows = list(
        Friendship.objects.filter(Q(asker=player_id) | Q(asked=player_id))
        .select_related("asker__rating", "asked__rating")
        .order_by("-asked_at")[:SHOWN_PEOPLE]
    )
    blocks = list(
        Block.objects.filter(player=player_id).select_related("blocked").order_by("blocked__name_key")[:SHOWN_PEOPLE]
    )
    unheard = {block.blocked_id for block in blocks if block.seats}
    known = [row.asked if row.asker_id == player_id else row.asker for row in rows if row.accepted_at]
    return People(
        friends=_with_places(known, now),
        asking=tuple(
            row.asker
            for row in rows
            if not row.accepted_at and row.asked_id == player_id and row.asker_id not in unheard
        ),
        asked=tuple(row.asked for row in rows if not row.accepted_at and row.asker_id == player_id),
        blocked=tuple(blocks),
    )


def read_friends(player_id: int, now: datetime) -> tuple[Friend, ...]:
    """A person's friends, who is here first. Two queries."""
    known = Player.objects.filter(
        Q(friends_asked__asked=player_id, friends_asked__accepted_at__isnull=False)
        | Q(friends_offered__asker=player_id, friends_offered__accepted_at__isnull=False)
    )
    return _with_places(known.distinct().order_by("name_key")[:SHOWN_PEOPLE], now)


def requests_to(player_id: int) -> int:
    """How many wait for this person's answer. One query."""
    waiting = Friendship.objects.filter(asked=player_id, accepted_at__isnull=True)
    blocked = Block.objects.filter(player=player_id, seats=True).values("blocked")
    return waiting.exclude(asker__in=blocked).count()


def between(player_id: int, other_id: int) -> QuerySet[Friendship]:
    """Friendships and requests of these two, either way."""
    return Friendship.objects.filter(Q(asker=player_id, asked=other_id) | Q(asker=other_id, asked=player_id))


def _with_places(players: Iterable[Player], now: datetime) -> tuple[Friend, ...]:
    known = list(players)
    if not known:
        return ()
    seats = Seat.objects.filter(
        player__in=known, held=True, lost_at__isnull=True, bot_since__isnull=True, seen_at__gte=now - AWAY
    )
    seat_of = {seat.player_id: seat for seat in seats.select_related("table")}
    friends = [_placed(player, seat_of.get(player.pk), now) for player in known]
    return tuple(sorted(friends, key=lambda friend: (not friend.here, friend.player.name_key)))


def _placed(player: Player, seat: Seat | None, now: datetime) -> Friend:
    if seat is None:
        return Friend(player, "lobby" if player.seen_at and player.seen_at >= now - IN_LOBBY else "away")
    table = seat.table
    if table.phase == Table.Phase.OPEN:
        open_to_all = not table.private and not table.reserved
        return Friend(player, "waiting", table.pk if open_to_all else None, "join" if open_to_all else "")
    watched = table.watchable and not table.private
    return Friend(player, "playing", table.pk if watched else None, "watch" if watched else "")
