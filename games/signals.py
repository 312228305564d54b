"""What other apps may listen to."""

from typing import NamedTuple

from django.dispatch import Signal

from games.engine import Rules

game_finished = Signal()
"""A game has been played to its end and the transaction has committed. Argument: ``game_id``."""


class OfferedRules(NamedTuple):
    """House rules for a table, by somebody else than its host: ``?club=<source>&set=<set_id>``."""

    source: str
    title: str
    """What people call the source."""
    set_id: int
    name: str
    rules: Rules


rules_offered = Signal()
"""Somebody is about to open a table. Argument: ``player_id``; answer: a list of :class:`OfferedRules`."""


class HomeBlocks(NamedTuple):
    """Parts of the front page as safe HTML, empty for none."""

    above: str = ""
    """What waits for an answer of his: it stands above all else."""
    beside: str = ""


home_shown = Signal()
"""The front page is shown to somebody with an account. Argument: ``player_id``; answer: :class:`HomeBlocks`."""

account_ends = Signal()
"""An account is about to be deleted, in the same transaction, which has locked the player and no table yet.
Argument: ``player_id``. What fails keeps the account."""

data_asked = Signal()
"""Somebody asks for everything that is stored about him. Argument: ``player_id``; answer: a dict from the
name of a part to what JSON can hold, nothing in it about others but their names."""
