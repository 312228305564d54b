"""What clubs and their events store about somebody, for himself."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from tournaments.models import (
    Ban,
    JoinRequest,
    LadderAsk,
    LadderEntry,
    LadderPair,
    Member,
    Membership,
    PartnerRequest,
    Place,
    Report,
)


def read_own_data(player_id: int) -> dict[str, list[dict[str, Any]]]:
    """By part, as rows. The notes of directors about him are theirs. Ten queries."""
    own = {"player": player_id}
    return {
        "clubs": list(Membership.objects.filter(**own).order_by("pk").values("club__name", "role", "joined_at")),
        "club_requests": list(JoinRequest.objects.filter(**own).values("club__name", "message", "at")),
        "club_bans": list(Ban.objects.filter(**own).values("club__name", "reason", "at")),
        "event_entries": list(
            Member.objects.filter(**own)
            .order_by("pk")
            .values("event", "event__title", "name", "gone", "entrant__state", "entrant__entered_at")
        ),
        "event_places": list(
            Place.objects.filter(**own)
            .order_by("pk")
            .values("event", "event__title", "place", "score", "games", "wins", "points", "counters")
        ),
        "event_reports": list(
            Report.objects.filter(by=player_id).order_by("pk").values("table", "source", "values", "reason", "at")
        ),
        "partner_requests": list(PartnerRequest.objects.filter(to=player_id).values("event", "event__title", "at")),
        "ladder_pairs": list(
            LadderPair.objects.filter(Q(player=player_id) | Q(partner=player_id))
            .order_by("pk")
            .values("ladder", "ladder__name", "number", "player_name", "partner_name")
        ),
        "ladder_entries": list(
            LadderEntry.objects.filter(by=player_id).order_by("pk").values("ladder", "at", "kind", "points", "struck")
        ),
        "ladder_requests": list(
            LadderAsk.objects.filter(Q(by=player_id) | Q(to=player_id)).values("ladder", "by__name", "to__name", "at")
        ),
    }
