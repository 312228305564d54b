"""What is refused before anybody looks at it: bodies that are too long or of another kind, other
methods, addresses that are not there. Every answer below ``/api/`` is JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from games.api.callers import identify
from games.api.problems import Refusal, not_allowed, not_found

LONGEST_BODY = 4096
"""Bytes."""

View = Callable[..., HttpResponse]


def guarded(view: View) -> View:
    """A view of the API behind all this. No session counts here, so that no form can be forged."""

    @csrf_exempt
    @wraps(view)
    def guard(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            _check_body(request)
        except Refusal as refusal:
            return refusal.answer()
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            return not_allowed(response.headers["Allow"]).answer()
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guard


@csrf_exempt
def nothing_here(request: HttpRequest) -> HttpResponse:
    try:
        identify(request)
    except Refusal as refusal:
        return refusal.answer()
    return not_found().answer()


def _check_body(request: HttpRequest) -> None:
    if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
        raise Refusal(411, "length_required", _("Send the body with its Content-Length."))
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdigit()):
        raise Refusal(400, "malformed", _("The Content-Length is not a number."))
    if int(length[:12]) > LONGEST_BODY:
        message = _("The body is too long: %(count)d bytes at most.") % {"count": LONGEST_BODY}
        raise Refusal(413, "too_long", message)
    if int(length[:12]) and request.content_type != "application/json":
        raise Refusal(415, "not_json", _("Send the body as application/json."))
