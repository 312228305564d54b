"""Pushes: what a committed change sends to whom.

``show`` is called after the commit with the table's row. A web process hands it to its hub, which
renders one frame for each audience that this process serves. All other processes get a hint -
table and revision, never a card - and render for their own sockets from the database. A frame is
the whole table as its audience may see it, so a frame that is lost, late or doubled harms nobody,
and hidden cards never pass through the channel layer.
"""

from __future__ import annotations

from games.live.hub import hub as _hub
from games.selectors import tables
from games.selectors.tables import LiveRow
from games.selectors.talk import Line


def show(row: LiveRow) -> None:
    """Show a committed row to everybody who looks at the table. Never raises for a missing
    channel layer: whoever missed the hint is found by the sweep of revisions."""
    _hub.publish(row.id, row.revision, lambda: tables.snapshot_of(row))


def said(line: Line) -> None:
    """Show a committed message to everybody who may read it. Never raises."""
    _hub.talk.said(line)


def look_again(player_id: int) -> None:
    """Whom somebody reads, or whether he may be here, has changed: his open pages see to it."""
    _hub.talk.look_again(player_id)


def watching(table_id: int) -> int:
    """How many look on at a table, as far as this process knows."""
    return _hub.talk.watching(table_id)


__all__ = ["look_again", "said", "show", "watching"]
