"""Who somebody is to an event: one answer for pages, forms and services."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, ClassVar, Final, Literal

from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, Subquery

from games.models import Player
from games.selectors import sessions
from tournaments.models import Ban, Club, Event, EventLink, Member, Membership, Role
from tournaments.selectors.clubs import read_viewer

Needs = Literal["see", "player", "deputy", "direct", "own"]

LINKS: Final = "event_links"
"""In the session: ids of the links of events that this browser has opened."""


class Part(IntEnum):
    """What somebody is to an event; each may do what those before it may."""

    NOBODY = 0
    """May not see it: not announced yet, or of a private club he does not belong to."""
    VISITOR = 1
    PLAYER = 2
    """Takes part, or holds a player's link, or the code of a table."""
    DEPUTY = 3
    """Types scores."""
    DIRECTOR = 4
    OWNER = 5
    """Owns the club, or is of the site's staff."""
    SYSTEM = 6


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something to an event. ``links`` are ids of the event's links that his session
    holds, ``entrant_id`` the entrant he is a member of, ``table_id`` the table in the hall whose
    code he has typed, ``banned`` the reason of a ban from the club."""

    event_id: int | None
    player_id: int | None
    name: str
    part: Part
    links: frozenset[int] = frozenset()
    entrant_id: int | None = None
    table_id: int | None = None
    member: bool = False
    banned: str = ""

    SYSTEM: ClassVar[Actor]
    """The schedule, or a game that has ended."""

    @property
    def sees(self) -> bool:
        return self.part >= Part.VISITOR

    @property
    def scores(self) -> bool:
        """Types results of every table."""
        return self.part >= Part.DEPUTY

    @property
    def directs(self) -> bool:
        return self.part >= Part.DIRECTOR

    @property
    def owns(self) -> bool:
        return self.part >= Part.OWNER

    @property
    def signs_up(self) -> bool:
        """May enter himself, if the event takes entries."""
        return self.sees and self.player_id is not None and not self.banned

    def may(self, needs: Needs) -> bool:
        """Whether his part is at least the one needed; ``player`` is anybody who sees the event and
        has an account, a link or a table's code."""
        if needs == "player":
            return self.sees and (self.player_id is not None or self.part >= Part.PLAYER)
        return self.part >= _LEAST[needs]

    def at_table(self, table_id: int) -> Actor:
        """The same person with the code of a table in hand: he may say how it ended."""
        return replace(self, table_id=table_id, part=max(self.part, Part.PLAYER))


Actor.SYSTEM = Actor(None, None, "", Part.SYSTEM)

_LEAST: dict[Needs, Part] = {
    "see": Part.VISITOR,
    "deputy": Part.DEPUTY,
    "direct": Part.DIRECTOR,
    "own": Part.OWNER,
}
_OF_LINK = {
    EventLink.Part.PLAYER: Part.PLAYER,
    EventLink.Part.DEPUTY: Part.DEPUTY,
    EventLink.Part.DIRECTOR: Part.DIRECTOR,
}
_OF_ROLE = {Role.OWNER: Part.OWNER, Role.DIRECTOR: Part.DIRECTOR}


def read_actor(event: Event, user: Any, session_links: Iterable[int] = (), name: str = "") -> Actor:
    """What ``user`` (a Player, or anonymous) is to an event, with the links his session holds (ids
    of :class:`EventLink`, also of other events and revoked ones: those count for nothing).
    ``name`` is how somebody without an account calls himself. At most two queries."""
    player_id: int | None = user.pk if user.is_authenticated and user.is_active and not user.guest else None
    links = _holding(event, frozenset(session_links))
    part = max((_OF_LINK[EventLink.Part(link)] for link in links.values()), default=Part.NOBODY)
    role, banned, entrant_id, public = _standing(event, player_id)
    if player_id is not None and user.is_staff:
        part = Part.OWNER
    if role is not None:
        part = max(part, _OF_ROLE.get(role, Part.NOBODY))
    if event.state == Event.State.DRAFT and part < Part.DEPUTY:
        part = Part.NOBODY
    elif entrant_id is not None:
        part = max(part, Part.PLAYER)
    elif public or role is not None:
        part = max(part, Part.VISITOR)
    called = user.get_username() if player_id is not None else name
    return Actor(
        event.pk, player_id, called[:60], part, frozenset(links), entrant_id, None, role is not None, banned or ""
    )


def may_watch(event_id: int, session: Any, *, desk: bool) -> bool:
    """Whether a browser's session (None: it has none) may be sent an event's pages, or its desk's.
    Six queries at most."""
    event = Event.objects.select_related("club").filter(pk=event_id).first()
    if event is None:
        return False
    links = session.get(LINKS, ()) if session is not None else ()
    actor = read_actor(event, _user_of(session), links)
    return actor.scores if desk else actor.sees


def may_watch_ladder(ladder_id: int, session: Any) -> bool:
    """As ``may_watch``, for the pages of a ladder. Five queries at most."""
    club = Club.objects.filter(ladders=ladder_id).first()
    return club is not None and (club.public or read_viewer(club.pk, _user_of(session)).enters)


def _user_of(session: Any) -> Player | AnonymousUser:
    key = session.session_key if session is not None else None
    player_id = sessions.player_of(key) if key else None
    return Player.objects.get(pk=player_id) if player_id is not None else AnonymousUser()


def find_link(event_id: int, token: str) -> EventLink | None:
    """The link of a token, if it still holds. One query."""
    return EventLink.objects.filter(event=event_id, token_hash=hash_of(token), revoked_at=None).first()


def hash_of(token: str) -> str:
    """What is kept of a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _holding(event: Event, links: frozenset[int]) -> dict[int, str]:
    if not links:
        return {}
    return dict(EventLink.objects.filter(event=event, pk__in=links, revoked_at=None).values_list("pk", "part"))


def _standing(event: Event, player_id: int | None) -> tuple[Role | None, str | None, int | None, bool]:
    """Role in the club, reason of a ban, entrant, and whether the club is public."""
    if player_id is None:
        return None, None, None, event.club.public
    in_club = {"club": OuterRef("club"), "player": player_id}
    role, banned, entrant_id, public = (
        Event.objects.filter(pk=event.pk)
        .values_list(
            Subquery(Membership.objects.filter(**in_club).values("role")[:1]),
            Subquery(Ban.objects.filter(**in_club).values("reason")[:1]),
            Subquery(Member.objects.filter(event=OuterRef("pk"), player=player_id, gone=False).values("entrant")[:1]),
            "club__public",
        )
        .get()
    )
    return Role(role) if role else None, banned, entrant_id, public
