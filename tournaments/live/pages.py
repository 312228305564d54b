"""The parts of an event's pages that are the same for everybody who may see them.

A page is made of parts, each an element with an id and ``data-part``; the views put them into their
places, the sockets are sent them all, to be swapped in by their ids. They are kept until the event
has another version, so that four hundred readers cost one rendering in each language.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments.live import frames
from tournaments.models import Event
from tournaments.selectors import event_pages
from tournaments.selectors.event_pages import Board, RoundView, StandingsView

Parts = Mapping[str, SafeString]
"""By name. ``last`` is no part but the number of the newest round, "" before the first."""

KEPT: Final = 48
"""Pages kept in each process."""

SHEETS: Final = 16
"""Sheets to print and files kept in each process: up to a megabyte each."""

WALL_ROWS: Final = 10
"""Lines of a page of the projector's view."""

TOP: Final = 8
"""Lines of the standings beside the round."""

_MARK: Final = " data-part"
_OOB: Final = ' data-part hx-swap-oob="outerMorph"'


class _Kept:
    """The newest parts, the longest unused forgotten first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._parts: OrderedDict[tuple[Any, ...], Parts] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[Any, ...], make: Callable[[], Parts]) -> Parts:
        with self._lock:
            if key in self._parts:
                self._parts.move_to_end(key)
                return self._parts[key]
        made = make()
        with self._lock:
            self._parts[key] = made
            while len(self._parts) > self.most:
                self._parts.popitem(last=False)
        return made


_kept = _Kept(KEPT)
_sheets = _Kept(SHEETS)


def parts(event: Event, page: str) -> Parts:
    """The parts of a page by name. No query if they are kept, else eight at most."""
    at = event.pk, event.created_at, event.version, event.state, event.club_id, event.club_closed
    key = (*at, page, get_language())
    return _kept.get(key, lambda: dict(_make(event, page)))


def sheet(event: Event, what: str, make: Callable[[], str]) -> SafeString:
    """What is printed, a file: :func:`kept` while the event stays as it is."""
    return kept((event.pk, event.created_at, event.version, event.state, what), make)


def kept(key: tuple[Any, ...], make: Callable[[], str]) -> SafeString:
    """Something long that is the same for everybody who may see it: made once for what the key tells of, in
    each language."""
    return _sheets.get((*key, get_language()), lambda: {"": SafeString(make())})[""]


def round_parts(event: Event, number: int) -> Parts | None:
    """The page of one round, also of one that is past; None if there is none that may be seen."""
    board = event_pages.read_board(event)
    seen = event_pages.read_round(board, number)
    if seen is None:
        return None
    last = SafeString(board.last.number if board.last else "")
    return {"last": last, **dict(_head(board)), "round": _render("round", board, round=seen)}


def _make(event: Event, page: str) -> Iterator[tuple[str, SafeString]]:
    board = event_pages.read_board(event)
    if page == "embed":
        yield "standings", _render("standings", board, view=event_pages.standings(board), bare=True)
        return
    seen = event_pages.read_round(board)
    if page == "wall":
        yield "wall", _wall(board, seen)
        return
    yield "last", SafeString(board.last.number if board.last else "")
    yield "told", _render("told", board, round=seen)
    if page == "told":
        return
    yield from _head(board)
    match page:
        case "now":
            view = event_pages.standings(board)
            yield "round", _render("round", board, round=seen)
            yield "top", _top(board, view)
        case "standings":
            yield "standings", _render("standings", board, view=event_pages.standings(board))
        case "bracket":
            yield "bracket", _bracket(board)
        case "balance":
            yield "balance", _render("balance", board, balance=event_pages.balance(board))
        case "entrants":
            yield "entrants", _render("entrants", board, lists=event_pages.read_entrants(event))


def _head(board: Board) -> Iterator[tuple[str, SafeString]]:
    yield "state", _render("state", board, badge=event_pages.badge(board))
    yield "stages", _render("stages", board, stages=event_pages.stages(board))


def _bracket(board: Board) -> SafeString:
    groups = event_pages.groups_of(board)
    more: dict[str, Any] = {}
    if groups is not None:
        more["headings"] = [groups.columns[at][1] for at in groups.brief]
        more["group_rows"] = [(name, [(row, row.some(groups.brief)) for row in rows]) for name, rows in groups.groups]
    return _render("bracket", board, view=event_pages.read_bracket(board), groups=groups, **more)


def _top(board: Board, view: StandingsView) -> SafeString:
    headings = [view.columns[at][1] for at in view.brief]
    first = [(row, row.some(view.brief)) for row in view.rows[:TOP]]
    return _render("top", board, view=view, headings=headings, first=first)


def _wall(board: Board, seen: RoundView | None) -> SafeString:
    view = event_pages.standings(board)
    tables = _cut(seen.tables if seen else ())
    standings = [(name, rows, view.columns[:3]) for name, all_rows in view.groups for rows in _cut(all_rows)]
    if not board.closed:
        standings = []
    return _render("wall", board, round=seen, tables=tables, standings=standings, badge=event_pages.badge(board))


def _cut(rows: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    return [rows[at : at + WALL_ROWS] for at in range(0, len(rows), WALL_ROWS)]


def _render(name: str, board: Board, **more: Any) -> SafeString:
    context = {"event": board.event, "board": board, "plan": board.plan, **more}
    return SafeString(render_to_string(f"events/parts/{name}.html", context).strip())


def _registered(page: str) -> None:
    @frames.page(page)
    def push(event_id: int) -> tuple[str, ...]:
        event = Event.objects.select_related("club").get(pk=event_id)
        made = parts(event, page)
        return tuple(str(part).replace(_MARK, _OOB, 1) for name, part in made.items() if name != "last")


for _page in ("now", "standings", "bracket", "balance", "entrants", "about", "told", "wall", "embed"):
    _registered(_page)
