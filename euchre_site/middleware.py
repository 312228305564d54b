"""Headers that neither Django nor django-csp sets; the language a person has chosen for himself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from games.preferences import keep_language

PERMISSIONS: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "microphone",
        "midi",
        "payment",
        "usb",
        "xr-spatial-tracking",
        "browsing-topics",
    )
)
"""The browser's abilities that no page here asks for; passkeys stay allowed."""


def permissions_policy(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Send ``Permissions-Policy`` with every answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response

    return middleware


def own_language(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Speak the language a person has chosen for himself, on whatever device he logs in. The cookie takes it
    on: sockets and the pages after a log-out go by it alone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
        chosen = request.user.language if known else ""
        if chosen and chosen != translation.get_language() and chosen in dict(settings.LANGUAGES):
            translation.activate(chosen)
            request.LANGUAGE_CODE = chosen
        response = get_response(request)
        cookie = settings.LANGUAGE_COOKIE_NAME
        if chosen and request.COOKIES.get(cookie) != chosen and cookie not in response.cookies:
            keep_language(chosen, request, response)
        return response

    return middleware
