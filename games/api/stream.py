"""A table as it moves, as server-sent events: ``GET /api/v1/tables/<id>/stream``.

A socket of the hub like a browser's, except that it is sent data (:mod:`games.live.data`) and takes
nothing. It is an ASGI application of its own, so that no thread waits for as long as a stream lasts.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from io import BytesIO
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.api import limits, v1
from games.api.callers import Caller, identify
from games.api.problems import Refusal, not_allowed
from games.converters import whole_number
from games.live import data
from games.live.hub import Viewer, hub
from games.selectors.programs import owner_of
from games.services import presence

log = logging.getLogger(__name__)

HEARTBEAT = 15.0
"""Seconds of silence after which a comment tells both ends that the other is there; the token is
looked at again then."""

RETRY = 2000
"""Milliseconds after which a client that has lost its stream should ask for it again."""

HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
)

DESCRIPTION: Final[dict[str, Any]] = {
    "get": {
        "operationId": "stream",
        "summary": "A table as it moves",
        "description": "Server-sent events. Each event `table` is the whole table as it stands, in one line of JSON, "
        "and its id is the revision: who comes back with `Last-Event-ID` is sent what is newer. Who reads slowly is "
        "sent the newest only. A comment comes every 15 seconds of silence. The event `end` is the last, with the "
        "reason. With a token of somebody who plays there it is what his seat sees, and the seat counts as connected. "
        "Four streams for each person at a time, ten for each address.",
        "tags": ["Read"],
        "parameters": [
            {
                "in": "path", "name": "table_id", "required": True, "schema": {"type": "integer"},
                "description": "The number of the table.",
            },
            {
                "in": "header", "name": "Last-Event-ID", "required": False, "schema": {"type": "integer"},
                "description": "The revision that was seen last.",
            },
        ],
        "responses": {
            "200": {
                "description": "OK",
                "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/TableState"}}},
            },
            **{
                str(status): {
                    "description": words,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
                }
                for status, words in (
                    (401, "Unauthorized"), (403, "Forbidden"), (404, "Not Found"), (429, "Too Many Requests"),
                )
            },
        },
    }
}  # fmt: skip


async def stream(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The ASGI application."""
    request = ASGIRequest(scope, BytesIO())
    hub.start(presence)
    try:
        opened = await hub.run(_open, request, scope["url_route"]["kwargs"]["table_id"])
    except Refusal as refusal:
        await _answer(send, refusal.answer())
    except Exception:
        log.exception("a stream could not be opened")
        await _answer(send, Refusal(500, "broken", _("Something broke on our side.")).answer())
    else:
        places = limits.STREAMS_BY_ADDRESS if opened.caller.player_id is None else limits.STREAMS_BY_PERSON
        if places.full(opened.caller.key):
            await _answer(send, _too_many(request).answer())
            return
        with places.take(opened.caller.key):
            await opened.serve(receive, send)


async def _answer(send: Any, response: HttpResponse) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})


def _open(request: ASGIRequest, table_id: int) -> Stream:
    with translation.override(translation.get_language_from_request(request)):
        if request.method != "GET":
            raise not_allowed("GET")
        caller = identify(request)
        snapshot, place = v1.look(table_id, caller.player_id)
        v1.note_look(request, caller, snapshot, place)
        seen = whole_number(request.headers.get("Last-Event-ID"), 9, -1)
        player_id = caller.player_id if data.for_programs(snapshot) else None
        return Stream(table_id, caller, player_id, seen if seen <= snapshot.revision else -1)


def _too_many(request: ASGIRequest) -> Refusal:
    with translation.override(translation.get_language_from_request(request)):
        message = _("You hold as many streams as you may. Close one first.")
    return Refusal(429, "too_many_streams", message, headers={"Retry-After": "15"})


class Stream:
    """One stream. ``frame`` is the newest state that has not been sent yet: each is whole, so that what
    a slow reader misses harms nobody, and nothing piles up. ``player_id``: whose seat it sees, where
    programs may play."""

    muted: frozenset[int] | None = None
    """Talk is for people."""

    def __init__(self, table_id: int, caller: Caller, player_id: int | None, seen: int) -> None:
        self.table_id = table_id
        self.caller = caller
        self.viewer = Viewer(player_id, "", data=True)
        self.shown = seen
        self._frame: str | None = None
        self._news = asyncio.Event()

    async def send_frame(self, frame: str) -> None:
        self._frame = frame
        self._news.set()

    async def turn_away(self, frame: str) -> None:
        await self.send_frame("")

    async def look_again(self) -> None:
        self._news.set()

    async def serve(self, receive: Any, send: Any) -> None:
        """Send what there is until the client is gone, or may not look any more."""
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        gone = asyncio.create_task(_gone(receive))
        try:
            async with contextlib.aclosing(self._events(gone)) as events:
                async for text in events:
                    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except OSError:
            log.debug("table %s: a stream met a closed line", self.table_id)
        except Exception:
            log.exception("table %s: a stream broke", self.table_id)
        finally:
            gone.cancel()

    async def _events(self, gone: asyncio.Task[None]) -> AsyncGenerator[str, None]:
        yield f"retry: {RETRY}\n\n"
        try:
            await hub.join(self.table_id, self)
            while not gone.done():
                news = asyncio.create_task(self._news.wait())
                try:
                    await asyncio.wait((news, gone), timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    news.cancel()
                if gone.done():
                    return
                self._news.clear()
                frame, revision, self._frame = self._frame, self.shown, None
                if frame:
                    yield f"event: table\nid: {revision}\ndata: {frame}\n\n"
                elif frame is None and await hub.run(self._still_good):
                    yield ": still here\n\n"
                else:
                    yield 'event: end\ndata: {"error":"ended","message":"You may not look at this table any more."}\n\n'
                    return
        finally:
            hub.leave(self.table_id, self)

    def _still_good(self) -> bool:
        return self.caller.player_id is None or owner_of(self.caller.token, timezone.now()) is not None


async def _gone(receive: Any) -> None:
    """Until the client has hung up."""
    with contextlib.suppress(Exception):
        while (await receive())["type"] != "http.disconnect":
            pass
