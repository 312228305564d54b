"""Who may look on at a table, as pages know it: by the browser, the link and the address he comes with."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games import cookies
from games.selectors.tables import TableSnapshot
from games.services import watching
from games.services.watching import NotForYou

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def guarded(view: View[P]) -> View[P]:
    """A view of tables: whoever may not look on is told so, by a page or, for a script, a sentence."""

    @wraps(view)
    def guarding(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except NotForYou as error:
            if request.headers.get("HX-Request"):
                return HttpResponse(str(error), status=403, content_type="text/plain; charset=utf-8")
            return render(request, "talk/closed.html", {"sentence": str(error)}, status=403)
        return _remember(request, response)

    return guarding


def enter(request: HttpRequest, snapshot: TableSnapshot, code: str = "") -> None:
    """Somebody looks at a table. NotForYou if he may not."""
    users = watching.users_of(request.COOKIES.get(watching.COOKIE, ""))
    watching.check(snapshot, request.user.pk, code=code, users=users)
    watching.note_address(snapshot, request.user.pk, watching.address_of(request))


def way_in(snapshot: TableSnapshot) -> str:
    """Where a visitor who looks on gives a name, or logs in, and comes back to the table from."""
    table = reverse("door", args=[snapshot.code]) if snapshot.private else reverse("table", args=[snapshot.id])
    return f"{reverse('guest')}?{urlencode({'next': table})}"


def _remember(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The browser keeps who has used it."""
    cookie = request.COOKIES.get(watching.COOKIE, "")
    if request.user.is_authenticated and watching.users_of(cookie)[:1] != (request.user.pk,):
        cookies.keep(
            request, response, watching.COOKIE, watching.with_user(cookie, request.user.pk), watching.COOKIE_AGE
        )
    return response
