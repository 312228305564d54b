"""The addresses of version 1, below ``/api/v1/``. The stream of a table is in :mod:`games.api.stream`."""

from __future__ import annotations

import logging
from functools import cache
from typing import Annotated, Any, Final, Literal

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Path, Query, Router
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.responses import Response

from games.api import schemas
from games.api.callers import NEEDED, WELCOME, Caller
from games.api.problems import Refusal, from_user_error, not_found
from games.api.schemas import Problem, StaleProblem
from games.live import data
from games.names import MAX_LENGTH
from games.records import BadRecord
from games.selectors import games, lobby, players, published, standings
from games.selectors.games import StillPlayed
from games.selectors.paging import page_of
from games.selectors.tables import TableSnapshot, load_table
from games.services import presence, programs, watching
from games.services.errors import StaleVersion, UserError

log = logging.getLogger(__name__)

ROOT: Final = "/api/v1"

ABOUT: Final = """\
Read standings, players, games and live tables; play a seat with a personal token.

**Tokens.** Make one on your account's page “Programs” and send it as `Authorization: Bearer <token>`. Reading
needs none, playing does. A session's cookie counts for nothing here.

**Programs** play friendly games only: ranked games and those of events are for people, so that nobody's rating
is won from a machine, or by one. A seat that a program plays is marked at the table and in the game's result.

**Cards, actions and rules** are written in the site's notation.

**How often.** Without a token 60 requests at once and 2 a second, by address; with one 60 and 10, by person; more is
answered by 429 and `Retry-After`.

**Versions.** Within version 1 fields and addresses are added, never changed or taken away: pass over what you do
not know. What must change becomes version 2, and version 1 stays for a year beside it.
"""

READS: Final = {200: None, frozenset({401, 404, 422, 429}): Problem}
ACTS: Final = frozenset({400, 401, 403, 404, 413, 415, 422, 429})

TableId = Annotated[int, Path(description="The number of the table.")]
GameId = Annotated[int, Path(description="The number of the game.")]


class Api(NinjaAPI):
    """Ninja's, with a document that tells where a token is welcome and where needed, and of the stream."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__.removeprefix("read_")

    def get_openapi_schema(self, **_ninjas: Any) -> Any:
        from games.api.stream import DESCRIPTION

        schema = super().get_openapi_schema(path_prefix=ROOT.lstrip("/"))
        schema["paths"][f"{ROOT}/tables/{{table_id}}/stream"] = DESCRIPTION
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                if method == "get" and operation.get("operationId") != "me":
                    operation["security"] = [{}, {"Token": []}]
        return schema


api = Api(
    title=f"{settings.SITE_NAME} API",
    version="1.0",
    description=ABOUT,
    urls_namespace="api-v1",
    docs_url=None,
    openapi_url=None,
    auth=WELCOME,
)
reading = Router(tags=["Read"])
playing = Router(tags=["Play"], auth=NEEDED)


# --- what goes wrong ----------------------------------------------------------------------------


@api.exception_handler(Refusal)
def _refused(request: HttpRequest, error: Refusal) -> HttpResponse:
    return error.answer()


@api.exception_handler(UserError)
def _not_done(request: HttpRequest, error: UserError) -> HttpResponse:
    return from_user_error(error).answer()


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return not_found().answer()


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    message = _("%(field)s: %(fault)s.") % {"field": where or "body", "fault": first["msg"].rstrip(".")}
    return Refusal(422, "invalid", message).answer()


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    return Refusal(400, "malformed", _("The body is not JSON.")).answer()


@api.exception_handler(Exception)
def _broken(request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("the API broke at %s", request.path, exc_info=error)
    return Refusal(500, "broken", _("Something broke on our side. Your game is safe; try again.")).answer()


# --- reading ------------------------------------------------------------------------------------


@api.get("/openapi.json", auth=None, include_in_schema=False)
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_document(), content_type="application/json")


@cache
def _document() -> bytes:
    return Response(api.get_openapi_schema()).content


@reading.get("/standings", response=READS | {200: schemas.Standings})
def read_standings(
    request: HttpRequest,
    pool: Annotated[Literal["everyone", "bots"], Query(description="Bots alone, or everyone.")] = "everyone",
    period: Annotated[Literal["season", "90days", "all"], Query(description="A season is a quarter.")] = "season",
    minimum: Annotated[
        Literal["1", "10", "25", "100"], Query(alias="min", description="Ranked games in the period.")
    ] = "1",
    people: Annotated[bool, Query(description="Games among people only.")] = False,
    q: Annotated[str, Query(max_length=MAX_LENGTH, description="Part of a name.")] = "",
    page: schemas.Page = 1,
) -> Any:
    """Everybody with ranked games in a period, by rating: the same filters as the page, 50 to a page."""
    filters = standings.Filters(pool, period, int(minimum), people, " ".join(q.split()))
    ranking = standings.read_ranking(filters, None, timezone.now())
    total = len(ranking.rows)
    number, pages, shown = page_of(total, page, published.PAGE_SIZE)
    rows = [_standing(row) for row in ranking.rows[shown]]
    return {"page": number, "pages": pages, "total": total, "ranked": ranking.ranked, "players": rows}


def _standing(row: standings.Row) -> dict[str, Any]:
    names = schemas.Standing.model_fields
    return {name: bool(row.bot_level) if name == "bot" else getattr(row, name) for name in names}


@reading.get("/players/{name}", response=READS | {200: schemas.Profile})
def read_player(
    request: HttpRequest,
    name: Annotated[str, Path(description="In any spelling that counts as the same.")],
    period: Annotated[Literal["30days", "season", "all"], Query(description="Of the record.")] = "season",
) -> Any:
    """What everybody may know of a player, a person or a bot."""
    found = players.find_player(name)
    if found is None:
        raise not_found(_("There is no such player."))
    now = timezone.now()
    standing = players.read_standing(found, now)
    among_people, with_bots = players.read_records(found, period, now)
    record = among_people + with_bots
    return {
        "name": found.name,
        "bot": found.bot_level,
        "guest": found.guest,
        "rating": standing.rating if standing else None,
        "give_or_take": standing.give_or_take if standing else None,
        "rank": standing.rank if standing else None,
        "of": standing.of if standing else 0,
        "record": {field: getattr(record, field) for field in schemas.Record.model_fields},
    }


@reading.get("/games", response=READS | {200: schemas.Games})
def read_games(
    request: HttpRequest,
    player: Annotated[str, Query(max_length=100, description="Games of this player only.")] = "",
    page: schemas.Page = 1,
) -> Any:
    """Games that were played to their end, 50 to a page; those of private tables for who played them, by his token."""
    found = players.find_player(player) if player else None
    if player and found is None:
        raise not_found(_("There is no such player."))
    listed = published.read_games(found, page, _caller(request).player_id)
    return {"page": listed.number, "pages": listed.pages, "total": listed.total, "games": listed.lines}


@reading.get("/games/{id:game_id}", response=READS | {200: schemas.GameLine})
def read_game(request: HttpRequest, game_id: GameId) -> Any:
    """One game that was played to its end."""
    found = published.read_game(game_id, _caller(request).player_id)
    if found is None:
        raise not_found(_("There is no such game, or it is not over."))
    return found


_TEXT: Final = {"responses": {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}}
_EGN: Final = {"responses": {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}}


@reading.get("/games/{id:game_id}/record", response=READS, openapi_extra=_TEXT)
def read_record(request: HttpRequest, game_id: GameId) -> HttpResponse:
    """The whole game in the site's notation: every deck, every action, and what the deals are checked by."""
    try:
        text = games.read_record(_found(request, game_id))
    except StillPlayed:
        raise not_found(_("That game is being played; its record comes when it is over.")) from None
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@reading.get("/games/{id:game_id}/record.egn.json", response=READS, openapi_extra=_EGN)
def read_egn(request: HttpRequest, game_id: GameId) -> HttpResponse:
    """The whole game in Euchre Game Notation 1.4."""
    try:
        text = games.read_egn(_found(request, game_id), _("Game %(number)d") % {"number": game_id})
    except StillPlayed:
        raise not_found(_("That game is being played; its record comes when it is over.")) from None
    except BadRecord:
        message = _("Euchre Game Notation cannot hold so many deals. The plain record has them all.")
        raise Refusal(404, "not_in_egn", message) from None
    return HttpResponse(text, content_type="application/json")


def _found(request: HttpRequest, game_id: int) -> Any:
    found = games.find_game(game_id, _caller(request).player_id)
    if found is None:
        raise not_found(_("There is no such game."))
    return found


@reading.get("/tables", response=READS | {200: schemas.Tables})
def read_tables(
    request: HttpRequest,
    state: Annotated[Literal["open", "running", "any"], Query(description="Waiting for players, or playing.")] = "any",
    page: schemas.Page = 1,
) -> Any:
    """Tables that wait for players, and those being played at which others may watch; no private ones."""
    listed = published.read_tables(state, page)
    return {"page": listed.number, "pages": listed.pages, "total": listed.total, "tables": listed.lines}


_SEEN: Final = READS | {200: schemas.TableState, 403: Problem}


@reading.get("/tables/{id:table_id}", response=_SEEN)
def read_table(request: HttpRequest, table_id: TableId) -> Any:
    """A table as a watcher sees it; with a token of somebody who plays there, as his seat sees it."""
    caller = _caller(request)
    snapshot, place = look(table_id, caller.player_id)
    note_look(request, caller, snapshot, place)
    return data.state(snapshot, place)


def note_look(request: HttpRequest, caller: Caller, snapshot: TableSnapshot, place: int | None) -> None:
    """Somebody looks at a table: in his seat he is there; at a ranked one staff may want to know from where."""
    if place is not None:
        presence.arrive(table_id=snapshot.id, player_id=caller.player_id)
    watching.note_address(snapshot, caller.player_id, watching.address_of(request))


def look(table_id: int, player_id: int | None) -> tuple[TableSnapshot, int | None]:
    """A table for whoever asks, and the seat that a program may play for him there. One query, or two.
    Refusal where there is none, or none that he may look at."""
    snapshot = load_table(table_id)
    if snapshot is None:
        raise not_found(_("There is no such table."))
    place = data.place_for(snapshot, player_id)
    if place is None and not snapshot.admits(None):
        if snapshot.private:
            raise not_found(_("There is no such table."))
        raise Refusal(403, "not_watchable", _("Nobody may watch this table."))
    return snapshot, place


# --- playing ------------------------------------------------------------------------------------

_DONE: Final = {200: schemas.TableState, ACTS: Problem, 409: StaleProblem}


@playing.get("/me", response={200: schemas.Me, frozenset({401, 429}): Problem})
def read_me(request: HttpRequest) -> Any:
    """Whom your token speaks for, and where you have a seat."""
    caller = _caller(request)
    return {"name": caller.name, "table": lobby.held_table(caller.player_id)}


@playing.post("/quick-match", response=_DONE)
def quick_match(request: HttpRequest, body: schemas.QuickMatch) -> Any:
    """Take a seat where a friendly game can begin soonest. Who has a seat already is sent back to it."""
    if body.ranked:
        raise Refusal(403, "people_only", _("Programs play friendly games only. Play ranked games yourself."))
    caller = _caller(request)
    table_id = programs.quick_match(player_id=caller.player_id, pace=body.pace, stick=body.stick, bots=body.bots)
    return _now(table_id, caller.player_id)


@playing.post("/tables/{id:table_id}/sit", response=_DONE)
def sit(request: HttpRequest, table_id: TableId, body: schemas.Sit) -> Any:
    """Take a seat at a table that waits. The last one taken begins the game."""
    return _act(request, table_id, "sit" if body.seat is None else f"sit:{body.seat}", code=body.code)


@playing.post("/tables/{id:table_id}/act", response=_DONE)
def act(request: HttpRequest, table_id: TableId, body: schemas.Move) -> Any:
    """Do one of your legal actions, or one of your commands; the answer is the table after it."""
    return _act(request, table_id, body.action, body.version, alone=body.alone)


@playing.post("/tables/{id:table_id}/bots", response=_DONE)
def bots(request: HttpRequest, table_id: TableId) -> Any:
    """Have bots take the empty seats now, and the game begins."""
    return _act(request, table_id, "bots")


@playing.post("/tables/{id:table_id}/take-back", response=_DONE)
def take_back(request: HttpRequest, table_id: TableId) -> Any:
    """A bot has kept your seat; the next action is yours again."""
    return _act(request, table_id, "take_back")


@playing.post("/tables/{id:table_id}/leave", response={204: None, ACTS: Problem, 409: StaleProblem})
def leave(request: HttpRequest, table_id: TableId) -> HttpResponse:
    """Get up. In a running game a bot plays on for you, and you may take the seat back."""
    _do(request, table_id, "leave")
    return HttpResponse(status=204, content_type="application/json")


def _act(
    request: HttpRequest, table_id: int, action: str, version: int | None = None, *, alone: bool = False, code: str = ""
) -> dict[str, Any]:
    _do(request, table_id, action, version, alone=alone, code=code)
    return _now(table_id, _caller(request).player_id)


def _do(
    request: HttpRequest, table_id: int, action: str, version: int | None = None, *, alone: bool = False, code: str = ""
) -> None:
    player_id = _caller(request).player_id
    try:
        programs.act(table_id=table_id, player_id=player_id, action=action, version=version, alone=alone, code=code)
    except programs.NoTable as error:
        raise not_found(str(error)) from None
    except StaleVersion as error:
        raise from_user_error(error, _now(table_id, player_id)) from None


def _now(table_id: int, player_id: int) -> dict[str, Any]:
    return data.state(*look(table_id, player_id))


def _caller(request: HttpRequest) -> Any:
    """The :class:`games.api.callers.Caller`."""
    return request.auth  # type: ignore[attr-defined]  # ninja puts it there


api.add_router("", reading)
api.add_router("", playing)
