"""The table's socket: who it is, what he posts, what he is shown.

How it ends, and what the page (``table.js``) makes of that. Before a code of ours the socket has sent the
sentence that says why; those who are told so are not helped by trying again.

=========================================  ==========  ===========================================
logged out, banned, password changed       4001        keeps the sentence in sight, with a link that
                                                       opens the page anew; does not try again
may not look on here, or not any more      4003        the same
there is no such table                     4404        the same
no such address, origin of another site    none, 1006  (the handshake is refused with 403) tries again,
                                                       as below; no page of this site meets it
site stops or starts, line breaks          1001, 1006  tries again at once, then every second, then
                                           1012        every ten; forms go by plain requests meanwhile
a bad message, too many messages           none        the socket stays open: the answer is a sentence
=========================================  ==========  ===========================================

There is no limit to the sockets of one person: each of them is one more reader of the same frames.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.converters import whole_number
from games.live import felt, sayings
from games.live.hub import Viewer, hub
from games.selectors import sessions, tables
from games.services import play, presence, sanctions, watching
from games.services.errors import StaleVersion, UserError

log = logging.getLogger(__name__)

MESSAGE_LIMIT = 4096
"""Longest message a browser may send, in characters; htmx sends about 500."""

TRUSTED = 5.0
"""Seconds after which a message makes the socket look again whether its browser is still logged in."""

LOGGED_OUT, NOT_YOURS, NO_TABLE = 4001, 4003, 4404
"""With which a socket is closed for good."""

BURST, PER_SECOND = 20.0, 10.0
"""A socket may send this many messages at once, and this many a second in the long run."""


class Entrance(NamedTuple):
    """What a socket brings along, besides who it is."""

    code: str
    """Of the link to a private table."""
    users: str
    """The cookie with those who have used this browser."""
    address: str | None

    @classmethod
    def of(cls, scope: dict[str, Any]) -> Entrance:
        code = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("code", [""])[0]
        return cls(code, scope.get("cookies", {}).get(watching.COOKIE, ""), address_of(scope))


class LoggedOut(UserError):
    """The socket outlived its browser's session."""


class TableConsumer(AsyncConsumer):
    """One socket of one table.

    The seat comes from the session, never from a message. Nothing a browser sends closes the
    socket: what cannot be done is answered by a sentence and the table as it stands. Messages
    are taken one after the other; the hub pushes, so the consumer has no channel of its own.
    """

    _evidence: sessions.Evidence | None = None
    """By which the session was found good when it was checked last."""

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        self.base_send = send
        self.table_id: int = scope["url_route"]["kwargs"]["table_id"]
        user = scope.get("user")
        player_id = user.pk if user is not None and user.is_authenticated else None
        self.viewer = Viewer(player_id, language_of(scope))
        self._session_key = getattr(scope.get("session"), "session_key", None)
        self._trusted_at = time.monotonic()
        self.shown = -1
        self.muted: frozenset[int] | None = None
        self._told = sanctions.Standing.of(user)
        self._password = user.password if player_id is not None else ""
        self._entrance = Entrance.of(scope)
        self._credit, self._at = BURST, time.monotonic()
        hub.start(presence)
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await send({"type": "websocket.accept"})
                    await self._arrive()
                elif message["type"] == "websocket.receive":
                    await self._receive(message.get("text"))
        finally:
            hub.leave(self.table_id, self)

    async def _arrive(self) -> None:
        try:
            await hub.run(self._enter)
        except UserError as error:
            await self.turn_away(felt.notice(str(error)))
            return
        if await hub.join(self.table_id, self):
            await hub.talk.join(self.table_id, self)
        else:
            hub.leave(self.table_id, self)
            with translation.override(self.viewer.language):
                await self._end(_("There is no such table. Pick one in the lobby."), NO_TABLE)

    def _enter(self) -> None:
        """Note that he is here, and from where; UserError if he may not look on."""
        self._evidence = self._found_good()
        presence.arrive(table_id=self.table_id, player_id=self.viewer.player_id)
        snapshot = tables.load_table(self.table_id)
        if snapshot is not None:
            with translation.override(self.viewer.language):
                watching.check(
                    snapshot,
                    self.viewer.player_id,
                    code=self._entrance.code,
                    users=watching.users_of(self._entrance.users),
                )
            watching.note_address(snapshot, self.viewer.player_id, self._entrance.address)

    async def look_again(self) -> None:
        """What he may do or wants to read has changed: show him so, or end here."""
        try:
            news = await hub.run(self._look_at_person)
        except LoggedOut as error:
            await self._end(str(error), LOGGED_OUT)
        else:
            if news:
                await self.send_frame(news)
            await hub.talk.hear_again(self.table_id, self)

    def _look_at_person(self) -> str:
        """What staff have said to him, or taken back, since it was looked at last, as a frame. LoggedOut,
        with a sentence, for who is banned."""
        self._check_person()
        if self.viewer.player_id is None:
            return ""
        with translation.override(self.viewer.language):
            before, self._told = self._told, sanctions.standing(self.viewer.player_id, timezone.now())
            sentence = self._told.news_since(before)
        return felt.notice(sentence) + sayings.standing(self._told.key) if sentence else ""

    def _check_person(self) -> None:
        """LoggedOut, with a sentence, for who is banned."""
        player_id = self.viewer.player_id
        with translation.override(self.viewer.language):
            if player_id is not None and (reason := sanctions.ban_sentence(player_id, timezone.now())):
                raise LoggedOut(reason)

    async def turn_away(self, frame: str) -> None:
        """Say with a last frame that he may not look on, and end here."""
        await self.send_frame(frame)
        await self._close(NOT_YOURS)

    async def _end(self, sentence: str, code: int) -> None:
        await self.send_frame(felt.notice(sentence))
        await self._close(code)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(Exception):  # the server's own kind, as for a frame: the line is gone
            await self.base_send({"type": "websocket.close", "code": code})

    async def send_frame(self, frame: str) -> None:
        try:
            await self.base_send({"type": "websocket.send", "text": frame})
        except Exception:  # the server's own kind: the line is gone, and its end is on the way here
            log.debug("table %s: a frame met a closed socket", self.table_id)

    async def _receive(self, text: str | None) -> None:
        """htmx sends ``{"headers": {...}, "body": {"action": ..., "version": ...}}``."""
        try:
            if not self._allowed():
                with translation.override(self.viewer.language):
                    raise UserError(_("That was too much at once. Wait a moment, then go on."))
            await hub.run(self._submit, text)
        except LoggedOut as error:
            await self._end(str(error), LOGGED_OUT)
        except StaleVersion as error:
            await self.send_frame(felt.notice(str(error)))
            await hub.show_again(self.table_id, self)
        except UserError as error:
            await self.send_frame(felt.notice(str(error)))
        except Exception:  # a bug of ours: say so, keep the socket and the game
            log.exception("table %s: a message failed", self.table_id)
            with translation.override(self.viewer.language):
                sentence = _("Something broke on our side. Your game is safe; try again.")
            await self.send_frame(felt.notice(sentence))
            await hub.show_again(self.table_id, self)

    def _submit(self, text: str | None) -> None:
        with translation.override(self.viewer.language):
            self._check_session()
            body = _body(text)
            play.submit_action(
                table_id=self.table_id,
                player_id=self.viewer.player_id,
                action=str(body.get("action", "")),
                version=whole_number(body.get("version"), play.VERSION_DIGITS, None),
                alone=str(body.get("alone", "")) not in ("", "off", "0", "False", "false"),
                nonce=str(body.get("nonce", "")),
                code=str(body.get("code", "")),
            )

    def _found_good(self) -> sessions.Evidence | None:
        """By what the session is known to be good that has just been opened; None if that has changed since."""
        if self._session_key is None or self.viewer.player_id is None:
            return None
        found = sessions.evidence(self._session_key, self.viewer.player_id)
        return found if found and found.password == self._password and found.is_active else None

    def _check_session(self) -> None:
        """LoggedOut when the browser's session has ended, its password changed or its account gone."""
        now = time.monotonic()
        if self._session_key is None or self.viewer.player_id is None or now - self._trusted_at < TRUSTED:
            return
        evidence = sessions.evidence(self._session_key, self.viewer.player_id)
        if evidence is None or evidence != self._evidence:
            if sessions.player_of(self._session_key) != self.viewer.player_id:
                self._check_person()
                raise LoggedOut(_("You are logged out. Log in again to play on."))
            self._evidence = evidence
        self._trusted_at = now

    def _allowed(self) -> bool:
        now = time.monotonic()
        self._credit = min(BURST, self._credit + (now - self._at) * PER_SECOND)
        self._at = now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True


def _body(text: str | None) -> dict[str, Any]:
    """The fields of a message; UserError if it is not one of ours."""
    try:
        if text is None or len(text) > MESSAGE_LIMIT:
            raise ValueError
        message = json.loads(text)
        body = message["body"]
        if not isinstance(body, dict):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(_("The table did not understand that message.")) from None
    return body


def address_of(scope: dict[str, Any]) -> str | None:
    """Where a connection comes from, as for pages: the proxies in front are believed, and nobody else."""
    client = scope.get("client")
    request = HttpRequest()
    request.META = {"REMOTE_ADDR": client[0] if client else ""}
    for name, value in scope.get("headers", ()):
        if name == b"x-forwarded-for":
            request.META["HTTP_X_FORWARDED_FOR"] = value.decode("latin-1")
    return watching.address_of(request)


def language_of(scope: dict[str, Any]) -> str:
    """The viewer's language, found as for his pages: his cookie, what his browser asks for, the site's."""
    header = dict(scope.get("headers", ())).get(b"accept-language", b"").decode("latin-1")
    asked = SimpleNamespace(COOKIES=scope.get("cookies", {}), META={"HTTP_ACCEPT_LANGUAGE": header})
    return translation.get_language_from_request(asked)  # type: ignore[arg-type]  these two are all it reads
