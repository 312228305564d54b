"""A table as data: for programs what a frame is for browsers.

One state for each audience (a seat, or everybody without one), complete in itself, with exactly
what :func:`games.engine.view` lets that audience know.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from games.engine import SeatView, view
from games.models import Table
from games.selectors.tables import SeatInfo, TableSnapshot


def for_programs(snapshot: TableSnapshot) -> bool:
    """Whether programs may play at a table: a friendly one whose seats are kept for nobody."""
    return not (snapshot.ranked or snapshot.reserved)


def place_for(snapshot: TableSnapshot, player_id: int | None) -> int | None:
    """The seat that a program may play for this player; None where it sees what watchers see: without
    a seat, and at tables that are for people only."""
    return snapshot.place_of(player_id) if for_programs(snapshot) else None


def state(snapshot: TableSnapshot, place: int | None) -> dict[str, Any]:
    """The table for the program in seat ``place``, or for whoever has none. Cards and actions are in
    notation (docs/notation.md), times in UTC."""
    deal = None
    if snapshot.deal is not None and snapshot.phase != Table.Phase.OPEN:
        deal = view(snapshot.deal, place)
    return {
        "id": snapshot.id,
        "title": snapshot.title,
        "revision": snapshot.revision,
        "version": snapshot.version,
        "phase": snapshot.phase,
        "ranked": snapshot.ranked,
        "pace": snapshot.pace,
        "rules": snapshot.rules_text,
        "game": snapshot.game_id,
        "deal_number": snapshot.deal_number,
        "score": list(snapshot.score),
        "winner": snapshot.over.winner if snapshot.over is not None else None,
        "win_offered": snapshot.win_offered,
        "turn": snapshot.turn,
        "due_at": _moment(snapshot.due_at) if snapshot.due_at is not None else None,
        "seconds_left": _seconds_left(snapshot),
        "commitment": snapshot.commitment,
        "seats": [_seat(snapshot, seat) for seat in snapshot.seats],
        "deal": _deal(deal) if deal is not None else None,
        "own": _own(snapshot, snapshot.seats[place], deal) if place is not None else None,
    }


def render(snapshot: TableSnapshot, place: int | None) -> str:
    """The state as JSON in one line; "" for an audience that may not look at the table."""
    if place is None and not snapshot.admits(None):
        return ""
    return json.dumps(state(snapshot, place), ensure_ascii=False, separators=(",", ":"))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _seconds_left(snapshot: TableSnapshot) -> float | None:
    if snapshot.due_at is None:
        return None
    return round(max(0.0, (snapshot.due_at - snapshot.made_at).total_seconds()), 1)


def _seat(snapshot: TableSnapshot, seat: SeatInfo) -> dict[str, Any]:
    return {
        "index": seat.index,
        "player": seat.name or None,
        "bot": bool(seat.bot_level),
        "program": seat.program,
        "rating": seat.rating,
        "give_or_take": seat.give_or_take,
        "kept_by_bot": seat.keeper,
        "left": seat.left,
        "connected": seat.person and seat.lost_at is None and not (snapshot.phase == Table.Phase.OPEN and seat.awaited),
        "ready": bool(snapshot.ready & 1 << seat.index),
    }


def _deal(seen: SeatView) -> dict[str, Any]:
    return {
        "phase": seen.phase,
        "dealer": seen.dealer,
        "turn": seen.turn,
        "leader": seen.leader,
        "counts": list(seen.counts),
        "up_card": seen.up_card,
        "up_card_state": seen.up_card_state,
        "trump": seen.trump,
        "maker": seen.maker,
        "loners": list(seen.loners),
        "sitting_out": list(seen.sitting_out),
        "history": [{"seat": seat, "action": str(action)} for seat, action in seen.history],
        "trick": _plays(seen.trick),
        "tricks": [{"plays": _plays(plays), "winner": winner} for plays, winner in seen.tricks],
        "tricks_won": list(seen.tricks_won),
        "points": list(seen.points),
        "passed_out": seen.passed_out,
        "redeal": seen.redeal,
        "shown": list(seen.shown),
    }


def _plays(plays: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": card} for seat, card in plays]


def _own(snapshot: TableSnapshot, seat: SeatInfo, seen: SeatView | None) -> dict[str, Any]:
    acts = snapshot.phase in Table.DEALING and not seat.keeper
    return {
        "seat": seat.index,
        "hand": list(seen.hand) if seen is not None else [],
        "discard": seen.discard if seen is not None else None,
        "put_away": list(seen.put_away) if seen is not None else [],
        "legal_actions": [str(action) for action in seen.legal_actions] if seen is not None and acts else [],
        "commands": _commands(snapshot, seat),
    }


def _commands(snapshot: TableSnapshot, seat: SeatInfo) -> list[str]:
    ready = bool(snapshot.ready & 1 << seat.index)
    match snapshot.phase:
        case Table.Phase.OPEN:
            return ["bots", "leave"]
        case Table.Phase.CLOSED:
            return []
        case Table.Phase.OVER:
            return ["leave"] if ready else ["rematch", "leave"]
        case _ if seat.keeper:
            return ["take_back"]
    may = ["next", "leave"] if snapshot.phase == Table.Phase.BETWEEN and not ready else ["leave"]
    if snapshot.win_offered is not None and snapshot.win_offered == snapshot.rules.side(seat.index):
        may += ["take_win", "play_on"]
    return may
