"""Everything about oneself, as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import cast

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Player
from games.selectors.export import read_export

PIECE = 64 * 1024
"""Characters sent at once, at least."""


@never_cache
@login_required
@require_safe
def export(request: HttpRequest) -> StreamingHttpResponse:
    """All of it at one address, sent while it is read: nothing of it lies anywhere."""
    pieces = _pieces(read_export(cast(Player, request.user)))
    body = _one_by_one(pieces) if isinstance(request, ASGIRequest) else pieces
    response = StreamingHttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="euchre-{timezone.now():%Y-%m-%d}.json"'
    return response


def _pieces(texts: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for text in texts:
        held.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


async def _one_by_one(pieces: Iterator[str]) -> AsyncIterator[str]:
    """Each read in the request's thread, which has the database."""
    read = sync_to_async(next)
    while (piece := await read(pieces, None)) is not None:
        yield piece
