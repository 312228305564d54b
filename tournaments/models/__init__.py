"""What is stored of clubs and their events. Constraints only: questions are asked in
``tournaments.selectors``, writes are made in ``tournaments.services``."""

from tournaments.models.clubs import (
    SETTINGS,
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
from tournaments.models.events import (
    Entrant,
    Event,
    EventLink,
    EventTable,
    Member,
    PartnerRequest,
    Place,
    Report,
    Round,
    Seating,
    Step,
    Wish,
)
from tournaments.models.seasons import Season, Series

__all__ = [
    "SETTINGS",
    "Ban",
    "Club",
    "ClubRules",
    "Entrant",
    "Event",
    "EventLink",
    "EventTable",
    "Invitation",
    "JoinRequest",
    "LogEntry",
    "Member",
    "Membership",
    "Notice",
    "PartnerRequest",
    "Place",
    "Report",
    "Role",
    "Round",
    "Season",
    "Seating",
    "Series",
    "Step",
    "Wish",
]
