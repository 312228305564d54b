"""The sockets of events and ladders: they only receive; whatever is done goes by forms."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Container
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer
from django.utils import translation
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.consumers import language_of
from games.converters import whole_number
from tournaments.live import desk, frames, ladders, pages  # noqa: F401  they register themselves
from tournaments.live.hub import Audience, Hub, hub, ladder_hub
from tournaments.selectors import rights

log = logging.getLogger(__name__)

TRUSTED: Final = 5.0
"""Seconds for which a socket's right to its page need not be looked up again."""

NOT_YOURS: Final = 4404
"""With which a socket is closed for good."""

TURNED_AWAY: Final = (
    '<p id="line" class="note note--warn" role="alert" hx-swap-oob="outerMorph">{} <a href="">{}</a></p>'
)


class EventConsumer(AsyncConsumer):
    """One socket of one page of an event: ``?page=standings&version=17``. ``key`` is the event's id.

    Who may see the page is decided as for the page itself, and looked at again before frames. A
    socket without that right, or of a page that does not exist, is told so and closed with 4404:
    its page (``line.js``) keeps the sentence in sight and tries no more.
    """

    hub: ClassVar[Hub] = hub
    pages: ClassVar[Container[str]] = frames.PAGES

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        self.base_send = send
        self.scope = scope
        self.key: int = scope["url_route"]["kwargs"]["key"]
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        self.audience = Audience(asked.get("page", [""])[0], language_of(scope))
        self.shown = whole_number(asked.get("version", [""])[0], 9, 0)
        self.known: frozenset[str] = frozenset()
        self._trusted_at = -TRUSTED
        self.hub.start()
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await send({"type": "websocket.accept"})
                    if self.audience.page not in self.pages:
                        await self._turn_away()
                    elif await self.may_see():
                        self.hub.join(self.key, self)
        finally:
            self.hub.leave(self.key, self)

    async def send_frame(self, frame: str) -> None:
        try:
            await self.base_send({"type": "websocket.send", "text": frame})
        except Exception:  # the server's own kind: the line is gone, and its end is on the way here
            log.debug("%s %s: a frame met a closed socket", type(self).__name__, self.key)

    async def may_see(self) -> bool:
        now = time.monotonic()
        if now - self._trusted_at < TRUSTED:
            return True
        allowed = await self.hub.run(self.looks_up_right, self.scope.get("session"))
        if allowed:
            self._trusted_at = now
        else:
            await self._turn_away()
        return allowed

    def looks_up_right(self, session: Any) -> bool:
        """Whether a browser's session may be sent this page, as the database has it now."""
        return rights.may_watch(self.key, session, desk=self.audience.page.startswith(frames.DESK))

    async def _turn_away(self) -> None:
        self.hub.leave(self.key, self)
        with translation.override(self.audience.language):
            sentence = _("This page is not there for you, or not any more. You may have to log in.")
            frame = format_html(TURNED_AWAY, sentence, _("Open the page anew"))
        await self.send_frame(frame)
        with contextlib.suppress(Exception):  # as above
            await self.base_send({"type": "websocket.close", "code": NOT_YOURS})


class LadderConsumer(EventConsumer):
    """One socket of a page of a ladder, whose id is ``key``: ``?page=ladder&version=17``."""

    hub = ladder_hub
    pages = (ladders.PAGE,)

    def looks_up_right(self, session: Any) -> bool:
        return rights.may_watch_ladder(self.key, session)
