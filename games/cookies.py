"""How the site keeps something in somebody's browser."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase


def keep(request: HttpRequest, response: HttpResponseBase, name: str, value: str, age: int) -> None:
    """Put ``value`` into a cookie for ``age`` seconds: no script reads it, and no form of another site sends it."""
    response.set_cookie(name, value, max_age=age, samesite="Lax", httponly=True, secure=request.is_secure())
