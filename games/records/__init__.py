"""Records of games as text that comes from outside, and goes there. Pure.

Two formats: our own lines (:func:`games.engine.format_game`), without loss, and Euchre Game
Notation 1.4 (EGN), the open JSON format (:mod:`games.records.ruleset` has the rules, name by
name). Whatever is read is played again by the engine; :class:`BadRecord` says where and why not.
"""

from __future__ import annotations

from games.records.common import LIMIT, BadRecord, Imported, printable
from games.records.egn import to_egn
from games.records.egn_reader import from_egn
from games.records.plain import format_players, from_plain, text_of

__all__ = [
    "LIMIT",
    "BadRecord",
    "Imported",
    "format_players",
    "from_egn",
    "from_plain",
    "printable",
    "read_record",
    "to_egn",
]


def read_record(data: str | bytes) -> Imported:
    """A record in either format, told apart by its first character. BadRecord for anything else."""
    text = text_of(data)
    return from_egn(text) if text.lstrip()[:1] in ("{", "[") else from_plain(text)
