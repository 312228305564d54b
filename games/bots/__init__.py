"""Bots. A bot sees a :class:`~games.engine.SeatView` and nothing else, never a deal.

Reading order: weights, thumb and heuristic (the rule bot), layout and encoding (deals as integers),
playout, guess and worlds (hidden cards filled in), rollout, winning and strong (the strongest),
levels; analysis and advice (what a choice was worth, and is); search and solver see all cards and
play for nobody; kernel compiles.
"""

from games.bots.levels import FILL_IN, LEVELS, Bot, Level, get_bot

__all__ = ["FILL_IN", "LEVELS", "Bot", "Level", "get_bot"]
