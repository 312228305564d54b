"""Our own record, read with the line where it goes wrong. Of the comments (lines with ``#``) one tells
who played, by seat, ``?`` for somebody who is gone; all others are passed over::

    # players Ann, Ben, ?, Hazel
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games import engine
from games.engine import DealRecord, EngineError, GameRecord
from games.records.common import LIMIT, BadRecord, Course, Imported, printable

PLAYERS: Final = "# players "


def format_players(names: Sequence[str]) -> str:
    """The line that tells who played; names hold no comma."""
    return PLAYERS + ", ".join(name or "?" for name in names) + "\n"


def text_of(data: str | bytes) -> str:
    """The text with plain line breaks and no mark of byte order. BadRecord if it is too long or not UTF-8."""
    if len(data) > LIMIT:
        raise BadRecord("file", f"A record has at most {LIMIT:,} characters.")
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise BadRecord(f"line {line}", "This is not UTF-8 text.") from None
    else:
        text = data
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def from_plain(data: str | bytes) -> Imported:
    """The game of a text made by :func:`games.engine.format_game`. BadRecord says in which line it
    cannot be read or breaks the rules."""
    text = text_of(data).rstrip("\n").split("\n")
    lines = [(number, line) for number, line in enumerate(text, start=1) if not line.startswith("#")]
    head = ["euchre 1", "rules article", "first_dealer 0"]
    for at, expected in enumerate(head):
        number, line = lines[at] if at < len(lines) else (lines[-1][0] + 1 if lines else 1, "")
        if at == 0 and line != expected:
            raise BadRecord(f"line {number}", f"A record begins with {expected!r} or, in EGN, with a brace.")
        head[at] = line
        _parse(number, head)
    record = _parse(0, head)
    deals: list[DealRecord] = []
    course: Course | None = None
    for number, line in lines[len(head) :]:
        read = _parse(number, [*head, line])
        if read.start:
            if course is not None or record.start:
                raise BadRecord(f"line {number}", "The start comes once, before the deals.")
            record = read
            continue
        course = course or Course(record.rules, record.first_dealer, record.start)
        course.check_next(f"line {number}")
        _follow(course, read.deals[0], number)
        deals.append(read.deals[0])
    game = GameRecord(record.rules, record.first_dealer, tuple(deals), record.start)
    return Imported(game, _players(text, record.rules.players))


def _players(text: Sequence[str], seats: int) -> tuple[str, ...]:
    """The names of the first line that tells them; () without one for these seats."""
    told = next((line.removeprefix(PLAYERS) for line in text if line.startswith(PLAYERS)), "")
    names = [printable(name) for name in told.split(",")]
    return tuple("" if name == "?" else name for name in names) if len(names) == seats else ()


def _parse(number: int, lines: list[str]) -> GameRecord:
    try:
        return engine.parse_game("\n".join(lines) + "\n")
    except EngineError as error:
        raise BadRecord(f"line {number}", str(error)) from None


def _follow(course: Course, deal: DealRecord, number: int) -> None:
    state = engine.start_deal(course.rules, course.dealer, deal.deck)
    for place, action in enumerate(deal.actions, start=1):
        try:
            state = engine.apply(state, action)
        except EngineError as error:
            raise BadRecord(f"line {number}, action {place} ({action})", str(error)) from None
    course.add(state)
