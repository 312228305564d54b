"""Headers that neither Django nor django-csp sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

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
