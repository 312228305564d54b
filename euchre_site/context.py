"""What every page knows."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """The site's name, for titles and the header."""
    return {"SITE_NAME": settings.SITE_NAME}
