"""What the readers share: the error, the result, and a game that is followed deal by deal."""

from __future__ import annotations

from dataclasses import dataclass

from games import engine
from games.engine import DealState, EngineError, GameRecord, Rules

LIMIT = 1_000_000
"""The longest text that is read, in characters."""


class BadRecord(EngineError):
    """A record that cannot be read or breaks the rules. ``where`` is the line (``line 4``) or the
    path (``deals[3].phases[1].tricks[0][2]``), ``reason`` a sentence."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(where, reason)
        self.where = where
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Imported:
    """A record that has been read, and played again by the engine.

    ``players`` are names by seat, () if the format has none; ``title`` may be empty; ``guessed``:
    cards nobody saw were filled in, for the file does not tell them.
    """

    record: GameRecord
    players: tuple[str, ...] = ()
    title: str = ""
    guessed: bool = False


def printable(text: str, length: int = 128) -> str:
    """What of a name or a title can be printed, cut to so many characters."""
    return "".join(filter(str.isprintable, text))[:length].strip()


class Course:
    """A game as it goes on from deal to deal: who deals, the score, and whether there may be one more."""

    def __init__(self, rules: Rules, dealer: int, start: tuple[int, ...]) -> None:
        self.rules = rules
        self.dealer = dealer
        self.score = start or (0,) * rules.sides
        self.winner = engine.winner(self.score, rules, 0)
        self._counted = 0
        self._running = False

    def check_next(self, where: str) -> None:
        """BadRecord if no deal may follow here."""
        if self.winner is not None:
            raise BadRecord(where, "The game was over before this deal.")
        if self._running:
            raise BadRecord(where, "The deal before this one is not finished.")

    def add(self, final: DealState) -> None:
        """Count a deal by its last state."""
        self.score = engine.add_points(self.score, final.points)
        self._running = final.phase != "done"
        self._counted += final.phase == "done" and not final.redeal
        self.dealer = engine.dealer_after(final)
        self.winner = engine.winner(self.score, self.rules, self._counted)
