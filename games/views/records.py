"""Anybody's record, ours or EGN, checked and stepped through. Nothing is stored: the link itself is the record."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Final

from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import engine, records
from games.converters import whole_number
from games.records import BadRecord, Imported
from games.selectors.games import lay_out_record
from games.views.pages import too_many
from games.views.replay import replay_context

LONGEST_LINK: Final = 6000
"""Characters of a record in a link: some fifty deals. Proxies refuse much longer addresses."""

LONGEST_TEXT: Final = 40_000
"""Characters of the record that such a link unpacks to: it is played again at every request."""


@require_http_methods(["GET", "HEAD", "POST"])
def given(request: HttpRequest) -> HttpResponse:
    """The form for a record. A POST with ``record`` (text) or ``file`` checks it and goes on to its page."""
    if request.method != "POST":
        return render(request, "records/given.html")
    if not ratelimit.consume(request, action="records"):
        return too_many(request)
    text = request.POST.get("record", "")
    upload = request.FILES.get("file")
    try:
        imported = records.read_record(upload.read(records.LIMIT + 1) if upload else text)
    except BadRecord as error:
        return render(request, "records/given.html", {"bad": error, "text": text}, status=422)
    token = link_of(imported)
    if not token:
        return render(request, "records/given.html", {"sound": len(imported.record.deals)})
    return redirect("record", token)


@require_safe
def record(request: HttpRequest, token: str) -> HttpResponse:
    """The record of a link, face up: ``?deal=3&step=7``; numbers out of range become the nearest."""
    imported = read_link(token)
    rules = imported.record.rules
    names = tuple(
        name or _("Seat %(number)d") % {"number": seat + 1}
        for seat, name in enumerate(imported.players or ("",) * rules.players)
    )
    replay = lay_out_record(imported.record, names, whole_number(request.GET.get("deal"), 4, 1))
    context = {"title": imported.title or _("A record"), "rules": rules, "guessed": imported.guessed}
    context |= replay_context(request, replay, names, 0, request.path)
    response = render(request, "records/record.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response


def link_of(imported: Imported) -> str:
    """A record as the last part of an address: title, names and our own notation, compressed. ""
    if that would be too long."""
    mark = "guessed" if imported.guessed else "told"
    head = "\t".join([mark, imported.title, *imported.players]).replace("\n", " ")
    text = f"{head}\n{engine.format_game(imported.record)}"
    token = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return token if len(token) <= LONGEST_LINK and len(text) <= LONGEST_TEXT else ""


def read_link(token: str) -> Imported:
    """The record of :func:`link_of`. Http404 for anything else."""
    try:
        unpacker = zlib.decompressobj()
        packed = base64.urlsafe_b64decode(token[:LONGEST_LINK].encode() + b"==")
        text = unpacker.decompress(packed, 2 * LONGEST_TEXT).decode()
        if len(text) > LONGEST_TEXT:
            raise Http404("no such record")
        head, _break, body = text.partition("\n")
        mark, title, *players = head.split("\t")
        read = records.from_plain(body)
    except (binascii.Error, zlib.error, ValueError, BadRecord):
        raise Http404("no such record") from None
    if len(players) not in (0, read.record.rules.players):
        raise Http404("no such record")
    names = tuple(records.printable(name) for name in players)
    return Imported(read.record, names, records.printable(title), mark == "guessed")
