"""The talk of a table as it stands in the table's page, and on a page of its own."""

from __future__ import annotations

from math import ceil

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import live
from games.live import sayings
from games.models import LONGEST_MESSAGE, Sanction, Table
from games.selectors import sanctions as read_sanctions
from games.selectors import talk as selectors
from games.selectors.tables import TableSnapshot
from games.services import sanctions
from games.services import talk as services
from games.views.entrance import way_in


def panel(request: HttpRequest, snapshot: TableSnapshot, code: str = "", error: str = "", text: str = "") -> SafeString:
    """What the talk of a table shows a reader: the last messages, and what he may say. One query, and
    one more for who is muted (``NameBackend`` knows)."""
    user, reader = request.user, request.user.pk
    standing = sanctions.Standing.of(user)
    seated = snapshot.place_of(request.user.pk) is not None
    lines = selectors.read_lines(snapshot.id, seated=seated, reader=reader)
    mute = read_sanctions.holding(reader, Sanction.Kind.MUTE, timezone.now()) if standing.mute else None
    waits = services.refusal_at(snapshot.ranked, snapshot.phase, seated=seated, phrase=True)
    context = {
        "lines": sayings.items(lines, reader),
        "phrases": sayings.phrases(),
        "longest": LONGEST_MESSAGE,
        "player": request.user.is_authenticated,
        "way_in": way_in(snapshot),
        "muted": sanctions.mute_sentence(mute) if mute else "",
        "waits": waits,
        "only_phrases": snapshot.ranked and seated,
        "closed": snapshot.phase == Table.Phase.CLOSED,
        "seated": seated,
        "watched": sayings.watched(live.watching(snapshot.id), pushed=False),
        "dealing": " ".join(Table.DEALING),
        "address": reverse("table_talk", args=[snapshot.id]),
        "code": code,
        "standing": standing.key,
        "muted_for": ceil((mute.until - timezone.now()).total_seconds()) if mute and mute.until else None,
        "warning": {"pk": standing.warning, "reason": user.warning} if standing.warning else None,
        "error": error,
        "text": text,
        "csrf_input": format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request)),
    }
    return SafeString(render_to_string("table/talk.html", {"talk": context}, using="jinja2"))
