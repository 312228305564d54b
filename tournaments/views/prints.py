"""What is printed for an evening, and what a projector shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import segno
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from games.converters import whole_number
from tournaments.formats.event import EventError, Result
from tournaments.live import pages
from tournaments.models import Event, EventTable
from tournaments.selectors import event_pages
from tournaments.selectors.event_pages import Board, RoundView, Shown
from tournaments.selectors.rights import Actor
from tournaments.templatetags.event_rows import apart
from tournaments.views.event_frame import at_event
from tournaments.views.frame import log_in_first

AHEAD: Final = 40
"""Rounds that a chart foretells at most."""

PEOPLE: Final = 64
"""For so many at most."""

FORETOLD: Final = ("rotation", "round_robin")
"""Formats whose draws do not depend on results."""

WHAT: Final = ("slips", "cards", "chart", "numbers")


@at_event("see", "GET", "HEAD")
def wall(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """For a projector: large, live, and turning its pages by itself."""
    return render(request, "events/wall.html", {"event": event, "parts": pages.parts(event, "wall")})


@at_event("see", "GET", "HEAD")
def printed(request: HttpRequest, event: Event, actor: Actor, what: str) -> HttpResponse:
    """Result slips (they carry the codes of the tables: for who types scores), score cards, the chart of
    all rounds, the numbers of the tables."""
    if what not in WHAT:
        raise Http404("nothing to print")
    if what == "slips" and not actor.scores:
        if actor.player_id is None:
            return log_in_first(request.get_full_path())
        raise PermissionDenied
    asked = [str(whole_number(request.GET.get(name), 4, "")) for name in ("round", "tables")]
    key = " ".join((what, *asked, request.build_absolute_uri("/")))
    sheets = pages.sheet(event, key, lambda: _sheets(request, event, what))
    return render(request, f"events/print/{what}.html", {"event": event, "club": event.club, "sheets": sheets})


def _sheets(request: HttpRequest, event: Event, what: str) -> str:
    board = event_pages.read_board(event)
    context: dict[str, Any] = {"event": event, "board": board, "plan": board.plan}
    if what == "slips":
        context["slips"] = list(_slips(request, board))
    elif what == "cards":
        context["cards"] = _cards(board, event_pages.read_rounds(board))
    elif what == "chart":
        context["charts"] = _chart(board, event_pages.read_rounds(board))
    else:
        context["numbers"] = range(1, _tables(request, board) + 1)
    return render_to_string(f"events/print/_{what}.html", context)


@dataclass(frozen=True, slots=True)
class PrintedSlip:
    round: int
    table: event_pages.TableView
    code: str
    address: str
    qr: SafeString


def _slips(request: HttpRequest, board: Board) -> Iterator[PrintedSlip]:
    number = whole_number(request.GET.get("round"), 4, board.last.number if board.last else 0)
    found = next((each for each in board.rounds if each.number == number), None)
    if found is None:
        return
    for table in EventTable.objects.filter(round=found, kind=Event.Kind.HALL).order_by("number"):
        if table.code:
            address = request.build_absolute_uri(reverse("event_hall", args=[board.event.pk, table.code]))
            yield PrintedSlip(found.number, event_pages.table_view(board, table), table.code, address, code_of(address))


@lru_cache(maxsize=2048)
def code_of(address: str) -> SafeString:
    """What a phone reads, as a picture: it takes milliseconds, and a hall has a hundred tables."""
    made = segno.make(address, error="m", micro=False, mask=2)  # trying all masks takes five times as long
    return SafeString(made.svg_inline(scale=1, border=2, omitsize=True, dark="#000", light="#fff"))


@dataclass(frozen=True, slots=True)
class CardLine:
    round: int
    table: str
    partner: str
    against: str
    points: str


def _cards(board: Board, rounds: list[RoundView]) -> list[tuple[Shown, SafeString]]:
    """A card for everybody who takes part, with what is known filled in: the lines as rows of a table, written
    at once, since four hundred people have thousands of them."""
    if board.course is None:
        return []
    lines: dict[int, dict[int, CardLine]] = {one.id: {} for one in board.course.snapshot.entrants}
    for each in rounds:
        for table in each.tables:
            for at, side in enumerate(table.sides):
                for who in side:
                    partner = ", ".join(other.name for other in side if other.number != who.number)
                    against = ", ".join(other.name for other in table.sides[1 - at])
                    points = f"{table.points[at]}–{table.points[1 - at]}" if table.points and table.done else ""
                    line = CardLine(each.number, str(table.number), partner, against, points)
                    lines.setdefault(who.number, {})[each.number] = line
        for who in (*each.byes, *each.rests):
            lines.setdefault(who.number, {})[each.number] = CardLine(each.number, "–", "", "", "–")
    count = max(event_pages.rounds_of(board), len(rounds), 1)
    partners = board.plan is not None and board.plan.side == 2
    rest = {at: _row(CardLine(at, "", "", "", ""), partners) for at in range(1, min(count, AHEAD) + 1)}
    return [
        (
            board.shown([number])[0],
            SafeString("".join([_row(known[at], partners) if at in known else row for at, row in rest.items()])),
        )
        for number, known in sorted(lines.items())
    ]


def _row(line: CardLine, partners: bool) -> str:
    partner = f"<td>{apart(line.partner)}</td>" if partners else ""
    return (
        f'<tr><th scope="row" class="num">{line.round}</th><td class="num">{line.table}</td>{partner}'
        f'<td>{apart(line.against)}</td><td class="num"><bdi dir="ltr">{line.points}</bdi></td><td></td></tr>'
    )


@dataclass(frozen=True, slots=True)
class ChartRound:
    number: int
    tables: tuple[tuple[int, tuple[tuple[Shown, ...], ...]], ...]
    idle: tuple[Shown, ...]
    foretold: bool


def _chart(board: Board, rounds: list[RoundView]) -> list[ChartRound]:
    """All rounds that are published, and those to come where results do not matter."""
    made = [
        ChartRound(
            each.number, tuple((table.number, table.sides) for table in each.tables), (*each.byes, *each.rests), False
        )
        for each in rounds
    ]
    return made + list(_foretold(board, len(made)))


def _foretold(board: Board, published: int) -> Iterator[ChartRound]:
    course = board.course
    event = board.event
    if course is None or course.plan.book.key not in FORETOLD or len(course.snapshot.entrants) > PEOPLE:
        return
    if event.state != Event.State.RUNNING or event.pairing != Event.Pairing.AUTOMATIC:
        return
    snapshot = course.snapshot
    try:
        for _round in range(AHEAD):
            if course.plan.over(snapshot, event.seed):
                return
            drawn = course.plan.pair(snapshot, event.seed)
            if drawn.round > published:
                yield ChartRound(
                    drawn.round,
                    tuple((table.number, tuple(board.shown(side) for side in table.sides)) for table in drawn.tables),
                    board.shown((*drawn.byes, *drawn.rests)),
                    True,
                )
            results = {table.number: Result((1, 0), winner=0) for table in drawn.tables}
            snapshot = replace(snapshot, rounds=(*snapshot.rounds, drawn.finished(results)))
    except EventError:
        return


def _tables(request: HttpRequest, board: Board) -> int:
    """How many tables there may be; ``?tables=12`` says it otherwise."""
    seats = 2 * (board.plan.side if board.plan else 1)
    return min(whole_number(request.GET.get("tables"), 3, max(1, -(-max(board.taking, 1) // seats))), 200)
