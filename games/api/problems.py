"""What goes wrong, in one shape: ``{"error": a code, "message": a sentence}``, with a status of 4xx."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from games.engine import IllegalAction
from games.services.errors import StaleVersion, UserError
from games.services.programs import NotForPrograms
from games.services.seating import SeatHeld


class Refusal(Exception):
    """An answer instead of what was asked for. ``more``: what stands beside code and message."""

    def __init__(
        self, status: int, code: str, message: str, more: Mapping[str, Any] = {}, headers: Mapping[str, str] = {}
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.more, self.headers = dict(more), dict(headers)

    def answer(self) -> HttpResponse:
        body = {"error": self.code, "message": self.message} | self.more
        return JsonResponse(body, status=self.status, headers=self.headers)


def not_found(message: str = "") -> Refusal:
    return Refusal(404, "not_found", message or _("There is nothing at this address. The page /api/ lists them all."))


def not_allowed(allowed: str) -> Refusal:
    message = _("This address takes %(methods)s only.") % {"methods": allowed}
    return Refusal(405, "method_not_allowed", message, headers={"Allow": allowed})


def too_often(seconds: float) -> Refusal:
    wait = max(1, ceil(seconds))
    message = _("That was too often. Wait %(seconds)d s, then go on.") % {"seconds": wait}
    return Refusal(429, "too_often", message, headers={"Retry-After": str(wait)})


def from_user_error(error: UserError, table: Mapping[str, Any] | None = None) -> Refusal:
    """What a service refused; with a stale version goes the table as it stands."""
    match error:
        case StaleVersion():
            return Refusal(409, "stale_version", str(error), {"table": table} if table else {})
        case SeatHeld():
            return Refusal(409, "seat_held", str(error), {"table_id": error.table_id})
        case NotForPrograms():
            return Refusal(403, "people_only", str(error))
    cause = error.__cause__
    return Refusal(409, cause.code if isinstance(cause, IllegalAction) else "refused", str(error))
