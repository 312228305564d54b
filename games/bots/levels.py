"""The levels of bots: each under its key, with its name, how it thinks, and how strong it is.

Pure, and cheap to import. Whoever shows a level translates ``name`` and ``thinks``, which are
message ids; whoever seats one stores its key (at most 16 characters) and asks :func:`get_bot`.

A worker that plays for bots calls :func:`games.bots.strong.warm` when it starts, which loads numba
and takes about a second (the first time ever 45, for everything that is compiled is
kept below ``DATA_DIR``); it runs one decision at a time, in a few milliseconds. Where
:func:`games.bots.strong.is_warm` is False afterwards numba is not there, and the level ``strong``
plays like ``club``: the log and the status page should say so. No other process should call
``warm``, and no choice may be made for ``strong`` where the table's clock is served.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from games.bots.heuristic import Heuristic
from games.bots.learner import Learner
from games.bots.strong import Strong
from games.engine import Action, SeatView


class Bot(Protocol):
    """Chooses for any seat whose turn it is; one instance may serve any number of tables."""

    def choose(self, view: SeatView, rng: random.Random) -> Action:
        """One of ``view.legal_actions``, which must not be empty.

        All randomness comes from ``rng``: the same view and the same seed give the same action.
        """
        ...


@dataclass(frozen=True)
class Level:
    key: str
    name: str
    """A message id."""
    thinks: str
    """A message id: how it comes to its choice, in a sentence or two."""
    bot: Bot
    rating: tuple[float, float]
    """Published and fixed: mean and one standard deviation (:mod:`games.ratings`)."""
    against_club: tuple[float, float]
    """Points a deal more than the level ``club`` under the article's rules, and half of the 95 %
    interval, by ``make bench-bots``."""
    compiled: bool = False
    """Whether it needs the compiled play-out to think at its level."""


FILL_IN = "fill_in"
"""The level that takes empty seats and keeps the seats of people who are away."""

_CLUB = Heuristic()
_ALL = (
    Level(
        "learner",
        "Learner",
        "Plays by simple rules of thumb, waits for good hands and errs as careful beginners do, but never "
        "against its partner.",
        Learner(),
        (1400.0, 30.0),
        (-0.21, 0.02),
    ),
    Level(
        "club",
        "Club",
        "Plays by rules of thumb that were tuned over millions of deals, with the conventions of club players.",
        _CLUB,
        (1500.0, 30.0),
        (0.0, 0.0),
    ),
    Level(
        "strong",
        "Strong",
        "Imagines hundreds of deals that agree with all it has seen, tries each of its cards on them, and takes "
        "what wins the game most often.",
        Strong(),
        (1550.0, 30.0),
        (0.14, 0.02),
        compiled=True,
    ),
    Level(
        FILL_IN,
        "Fill-in",
        "Fills empty seats and keeps those of people who are away, by the same rules of thumb as the level Club.",
        _CLUB,
        (1500.0, 30.0),
        (0.0, 0.0),
    ),
)

LEVELS: dict[str, Level] = {level.key: level for level in _ALL}
"""From the weakest to the strongest, and the fill-in."""


def get_bot(level: str) -> Bot:
    """The bot of a level; ``KeyError`` for a level that does not exist."""
    return LEVELS[level].bot
