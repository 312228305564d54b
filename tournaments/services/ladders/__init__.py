"""Ladders of clubs: all that is written to them. Whoever writes has locked the ladder's row.

Reading order: desk, pairs, matches, corrections, terms.
"""

from tournaments.services.ladders.corrections import Correction, Preview, correct, preview
from tournaments.services.ladders.matches import (
    answer,
    challenge,
    close_table,
    confirm,
    enter_match,
    open_table,
    refuse,
    report,
    report_game,
    take_games,
    walk_over,
)
from tournaments.services.ladders.pairs import (
    accept,
    ask_partner,
    drop_ask,
    enter_pairs,
    forget_player,
    leave,
    leave_with_club,
)
from tournaments.services.ladders.terms import (
    TARGETS,
    BadSetting,
    NotAgreed,
    Settings,
    clean_name,
    close_ladder,
    close_with_club,
    create_ladder,
    edit_ladder,
    reopen_ladder,
)

__all__ = [
    "TARGETS",
    "BadSetting",
    "Correction",
    "NotAgreed",
    "Preview",
    "Settings",
    "accept",
    "answer",
    "ask_partner",
    "challenge",
    "clean_name",
    "close_ladder",
    "close_table",
    "close_with_club",
    "confirm",
    "correct",
    "create_ladder",
    "drop_ask",
    "edit_ladder",
    "enter_match",
    "enter_pairs",
    "forget_player",
    "leave",
    "leave_with_club",
    "open_table",
    "preview",
    "refuse",
    "reopen_ladder",
    "report",
    "report_game",
    "take_games",
    "walk_over",
]
