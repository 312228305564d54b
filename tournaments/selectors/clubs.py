"""Clubs as somebody may see them, and what he may do there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Lower
from django.utils import timezone

from games.engine import Rules, parse_rules
from games.models import Player
from games.names import club_key, name_key
from games.selectors.paging import page_of
from tournaments.models import (
    Ban,
    Club,
    ClubRules,
    Invitation,
    JoinRequest,
    LogEntry,
    Membership,
    Notice,
    Role,
)

CLUBS_A_PAGE: Final = 20
MEMBERS_A_PAGE: Final = 60
NOTICES_A_PAGE: Final = 10
ENTRIES_A_PAGE: Final = 50
FIRST_MEMBERS: Final = 9
"""Members whom the club's first page shows."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody before a club: a visitor (no ``player_id``), or what he is to it.

    ``banned`` is the reason, empty for who is not. ``staff`` are the site's: they may do what an
    owner does, in any club.
    """

    player_id: int | None
    staff: bool = False
    role: Role | None = None
    asking: bool = False
    banned: str = ""

    @property
    def member(self) -> bool:
        return self.role is not None

    @property
    def enters(self) -> bool:
        """Sees a club that is not public."""
        return self.member or self.staff

    @property
    def directs(self) -> bool:
        return self.staff or self.role in (Role.OWNER, Role.DIRECTOR)

    @property
    def owns(self) -> bool:
        return self.staff or self.role == Role.OWNER

    def commands(self, role: Role | None) -> bool:
        """Whether he may remove or ban who has this role (None: no member). Owners answer to the staff."""
        if self.staff:
            return True
        return self.directs and (role is None or (self.role is not None and self.role < role))


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a list; ``number`` counts from 1."""

    rows: list[T]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class ListedClub:
    club: Club
    members: int


@dataclass(frozen=True, slots=True)
class SavedRules:
    """A club's set of house rules."""

    id: int
    name: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class Door:
    """Who waits to be let in, the links that let in, and who stays out."""

    requests: list[JoinRequest]
    invitations: list[Invitation]
    bans: list[Ban]


def find_club(slug: str) -> Club | None:
    """The club at an address. One query."""
    return Club.objects.filter(slug=slug).first()


def read_viewer(club_id: int, player: Any) -> Viewer:
    """What somebody is to a club; ``player`` may be anonymous, and a guest counts as that. One query,
    none for visitors."""
    if not player.is_authenticated or player.guest:
        return Viewer(None)
    his = {"club": OuterRef("pk"), "player": player.pk}
    role, asking, banned = (
        Club.objects.filter(pk=club_id)
        .values_list(
            Subquery(Membership.objects.filter(**his).values("role")[:1]),
            Exists(JoinRequest.objects.filter(**his)),
            Subquery(Ban.objects.filter(**his).values("reason")[:1]),
        )
        .get()
    )
    staff = bool(player.is_active and player.is_staff)
    return Viewer(player.pk, staff, Role(role) if role else None, asking, banned or "")


def count_members(club: Club) -> int:
    """One query."""
    return _members(club).count()


def read_listed(search: str, number: int) -> Page[ListedClub]:
    """Open, public clubs by name. Three queries."""
    clubs = Club.objects.filter(public=True, closed_at=None).order_by(Lower("name"), "pk")
    page = _page(clubs.filter(_called(search)) if search else clubs, number, CLUBS_A_PAGE)
    counts = dict(
        Membership.objects.filter(club__in=[club.pk for club in page.rows], player__is_active=True)
        .order_by()
        .values_list("club")
        .annotate(Count("pk"))
    )
    rows = [ListedClub(club, counts.get(club.pk, 0)) for club in page.rows]
    return Page(rows, page.number, page.pages, page.total)


def read_own(player_id: int) -> list[Membership]:
    """Somebody's memberships in open clubs, by the clubs' names. One query."""
    own = Membership.objects.filter(player=player_id, club__closed_at=None)
    return list(own.select_related("club").order_by(Lower("club__name"), "pk"))


def read_asked(player_id: int) -> list[Club]:
    """The clubs at whose door somebody waits. One query."""
    return list(Club.objects.filter(join_requests__player=player_id, closed_at=None).order_by(Lower("name"), "pk"))


def read_members(club: Club, search: str, number: int) -> Page[Membership]:
    """A club's members: owners, directors, then all others by name. Two queries."""
    members = _members(club).filter(_called(search, "player__")) if search else _members(club)
    members = members.select_related("player__rating").order_by("role", Lower("player__name"), "pk")
    return _page(members, number, MEMBERS_A_PAGE)


def read_first_members(club: Club) -> list[Membership]:
    """One query."""
    return list(_members(club).select_related("player__rating").order_by("role", "joined_at", "pk")[:FIRST_MEMBERS])


def find_member(club: Club, player_id: int) -> Membership | None:
    """One query."""
    return _members(club).filter(player=player_id).select_related("player__rating").first()


def find_ban(club: Club, player_id: int) -> Ban | None:
    """One query."""
    return club.bans.filter(player=player_id).select_related("player", "by").first()


def find_player(name: str) -> Player | None:
    """A person, by any spelling of the name that counts as the same. One query."""
    if not (key := name_key(_printable(name))):
        return None
    return Player.objects.filter(name_key=key, is_active=True, bot_level="").first()


def read_notices(club: Club, number: int) -> Page[Notice]:
    """Pinned ones first, then the newest. Two queries."""
    return _page(club.notices.select_related("by"), number, NOTICES_A_PAGE)


def find_notice(club: Club, notice_id: int) -> Notice | None:
    """One query."""
    return club.notices.filter(pk=notice_id).first()


def read_rules(club: Club) -> list[SavedRules]:
    """A club's house rules by name. One query."""
    sets = ClubRules.objects.filter(club=club).values_list("pk", "name", "rules")
    return [SavedRules(pk, name, parse_rules(rules)) for pk, name, rules in sets]


def read_rules_of_clubs(player_id: int) -> list[tuple[str, str, SavedRules]]:
    """The house rules of all clubs that somebody is in: the club's address and name, the set. One query."""
    sets = (
        ClubRules.objects.filter(club__memberships__player=player_id, club__closed_at=None)
        .order_by(Lower("club__name"), "club", "name_key")
        .values_list("club__slug", "club__name", "pk", "name", "rules")
    )
    return [(slug, club, SavedRules(pk, name, parse_rules(rules))) for slug, club, pk, name, rules in sets]


def count_requests(club: Club) -> int:
    """One query."""
    return club.join_requests.filter(player__is_active=True).count()


def read_door(club: Club) -> Door:
    """Three queries."""
    return Door(
        list(club.join_requests.filter(player__is_active=True).select_related("player__rating")),
        list(_valid(club.invitations.select_related("by"))),
        list(club.bans.select_related("player", "by")),
    )


def read_log(club: Club, number: int) -> Page[LogEntry]:
    """The newest first. Two queries."""
    return _page(club.log.select_related("by", "target"), number, ENTRIES_A_PAGE)


def hash_of(token: str) -> str:
    """What is kept of an invitation's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_invitation(token: str) -> Invitation | None:
    """The invitation of a link, if it still lets in. One query."""
    found = _valid(Invitation.objects.filter(token_hash=hash_of(token), club__closed_at=None))
    return found.select_related("club").first()


def _valid(invitations: QuerySet[Invitation]) -> QuerySet[Invitation]:
    return invitations.filter(revoked_at=None, expires_at__gt=timezone.now())


def _members(club: Club) -> QuerySet[Membership]:
    return Membership.objects.filter(club=club, player__is_active=True)


def _called(search: str, prefix: str = "") -> Q:
    """Names that hold the words looked for, whatever their case and look-alikes."""
    key = club_key(_printable(search))
    return Q(**{f"{prefix}name_key__contains": key}) if key else Q(pk__in=())


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())


def _page(rows: QuerySet[Any], number: int, size: int) -> Page[Any]:
    """Page ``number``, or the nearest there is."""
    total = rows.count()
    number, pages, held = page_of(total, number, size)
    return Page(list(rows[held]), number, pages, total)
