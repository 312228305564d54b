"""What anybody may list through the API: tables, and games that are over. Nothing of private tables, but
to those who played there.

Each at a constant number of queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q

from games import ratings
from games.engine import parse_rules
from games.models import Game, Participation, Player, Seat, Table
from games.selectors.games import open_to
from games.selectors.paging import page_of

PAGE_SIZE = 50

State = Literal["open", "running", "any"]
"""Of a table: waiting for players, or playing."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a seat; None where nobody has."""

    index: int
    player: str | None
    bot: bool = False
    program: bool = False


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in the list: open to anybody, or running with watchers welcome."""

    id: int
    title: str
    phase: str
    ranked: bool
    pace: int
    rules: str
    score: tuple[int, ...]
    deal_number: int
    seats: tuple[Sitter, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """Who sat at a seat of a game that is over, and what it did to the rating in points (None: nothing).
    ``player`` is None for who is gone."""

    index: int
    player: str | None
    bot: bool
    program: bool
    won: bool
    left: bool
    change: int | None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game that was played to its end. ``voided``: staff took its rating changes back."""

    id: int
    started_at: datetime
    finished_at: datetime | None
    ranked: bool
    voided: bool
    pace: int
    rules: str
    score: tuple[int, ...]
    seats: tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of a list."""

    lines: Sequence[TableLine | GameLine]
    number: int
    pages: int
    total: int


def read_tables(state: State, number: int) -> Listed:
    """Page ``number`` of the tables, or the nearest there is, the newest first. Three queries."""
    waiting, playing = Q(phase=Table.Phase.OPEN), Q(phase__in=Table.RUNNING, watchable=True)
    wanted = {"open": waiting, "running": playing, "any": waiting | playing}[state]
    found = Table.objects.filter(wanted, private=False).order_by("-pk")
    total = found.count()
    number, pages, shown = page_of(total, number, PAGE_SIZE)
    rows = list(found[shown])
    sitters: dict[int, list[Sitter]] = {row.pk: [] for row in rows}
    for seat in Seat.objects.filter(table__in=sitters).select_related("player").order_by("table", "index"):
        player = seat.player
        sitters[seat.table_id].append(
            Sitter(seat.index, player.name, player.is_bot, seat.program) if player else Sitter(seat.index, None)
        )
    lines = [
        TableLine(
            id=row.pk,
            title=row.title,
            phase=row.phase,
            ranked=row.ranked,
            pace=row.pace,
            rules=row.rules,
            score=_score(row),
            deal_number=row.deal_number,
            seats=tuple(sitters[row.pk]),
        )
        for row in rows
    ]
    return Listed(lines, number, pages, total)


def read_games(player: Player | None, number: int, viewer_id: int | None) -> Listed:
    """Page ``number`` of the games that were played to their end, or the nearest there is, the newest
    first: all, or those of one player; of private tables only what the viewer played. Three queries."""
    found = Game.objects.filter(open_to(viewer_id), status=Game.Status.FINISHED)
    if player is not None:
        found = found.filter(participations__player=player)
    total = found.count()
    number, pages, shown = page_of(total, number, PAGE_SIZE)
    return Listed(_lines(list(found.order_by("-finished_at", "-pk")[shown])), number, pages, total)


def read_game(game_id: int, viewer_id: int | None) -> GameLine | None:
    """A game that was played to its end and that the viewer may read of; None for any other. Two queries."""
    found = Game.objects.filter(open_to(viewer_id), pk=game_id, status=Game.Status.FINISHED).first()
    return _lines([found])[0] if found else None


def _lines(games: list[Game]) -> list[GameLine]:
    played: dict[int, list[Played]] = {game.pk: [] for game in games}
    parts = Participation.objects.filter(game__in=played).select_related("player", "rating_change")
    for part in parts.order_by("game", "seat"):
        played[part.game_id].append(_played(part))
    return [
        GameLine(
            id=game.pk,
            started_at=game.started_at,
            finished_at=game.finished_at,
            ranked=game.ranked,
            voided=game.voided_at is not None,
            pace=game.pace,
            rules=game.rules,
            score=_score(game),
            seats=tuple(played[game.pk]),
        )
        for game in games
    ]


def _played(part: Participation) -> Played:
    player, change = part.player, getattr(part, "rating_change", None)
    return Played(
        index=part.seat,
        player=player.name if player else None,
        bot=player is not None and player.is_bot,
        program=part.program,
        won=bool(part.won),
        left=part.left,
        change=ratings.shown(change.mu_after) - ratings.shown(change.mu_before) if change else None,
    )


def _score(row: Table | Game) -> tuple[int, ...]:
    return (row.score_0, row.score_1, row.score_2)[: parse_rules(row.rules).sides]
