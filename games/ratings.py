"""Ratings: what one finished game does to the skills of the four who played it. Pure.

**Model.** openskill's Bradley-Terry (full pairing). A game of Euchre has exactly two sides
and no draw, so the multi-team models (Plackett-Luce, partial pairing) reduce to this one,
and Thurstone-Mosteller only adds a draw margin that is never used. The chance of a win is
logistic in the difference of the sides' summed skills, as in Elo, and every partner has a
rating of his own: a side's change is split by how uncertain each partner still is.

**Scale.** ``BETA`` is chosen so that, once ratings are settled, a difference of *d* between
the averages of two pairs means what *d* points mean in Elo: 100 points win 64 % of the games,
200 points 76 %. Everybody starts at 1500, give or take 220, where "give or take" is one
standard deviation. The fill-in bot is fixed at 1500 and so anchors the scale. There is much
luck in Euchre: give or take reaches about 110 after 50 games, 80 after 100 and 55 after 250,
and in simulation the true skill lies within it for 67 to 77 % of the players at every stage.

**Exact take-back.** A game's effect is a change of ``mu`` and a gain of precision
(1 / sigma squared). Both are kept on a fine integer grid, so that adding and subtracting them
is exact in any order: :func:`take_back` and :func:`put_back` undo each other to the last
bit, however many games came in between. Those later games keep the changes they
had; they are not rated again. A game never loses precision (sigma never rises), so
taking back any set of games leaves a sigma between zero and the starting one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

MU_GRID = 2**20
"""Steps a rating point: a whole number of steps is exact in a float."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed about a player: a mean and one standard deviation, in points."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """One seat at the end of a game. ``left``: its person was not back when the game ended."""

    skill: Skill
    is_bot: bool = False
    left: bool = False


START = Skill(1500.0, 220.0)

PRECISION_GRID = START.sigma**2 * 2**35
"""Precision is counted in steps of 2**-35 of a newcomer's; few enough that the whole number of
steps is recovered exactly from the float sigma, and START is on the grid."""

ELO_POINTS = 400 / math.log(10)
"""Points per unit of log-odds in Elo."""

BETA = math.sqrt(2) * ELO_POINTS
"""The luck in one game. Between settled pairs the log-odds are (difference of the sums) /
(sqrt(2) * BETA), and the sums of two pairs differ by twice as much as their averages."""

TAU = 2.6
"""How much a skill may drift a game; settles sigma near 40 and keeps ratings alive."""


def _full_information(
    c: float, k: int, mu: float, sigma_squared: float, team: object, rank: int, weights: object
) -> float:
    """Take a game's whole information: openskill's default damps it, which leaves sigma too wide."""
    return 1.0


_MODEL = BradleyTerryFull(mu=START.mu, sigma=START.sigma, beta=BETA, tau=TAU, gamma=_full_information, limit_sigma=True)


def shown(mu: float) -> int:
    """The rating as people see it, in points."""
    return round(mu)


def give_or_take(sigma: float) -> int:
    """One standard deviation as people see it, in points."""
    return round(sigma)


def rate(seats: Sequence[RatedSeat], winner: int) -> tuple[Skill, ...]:
    """The skills of seats 0 to 3 after a game won by team ``winner`` (seat ``i`` is in team ``i % 2``).

    - Bots keep their published rating; it counts for the others.
    - Who left and did not come back takes the loss, whichever side won.
    - The partner of a leaver is not charged: his skill stays when the side lost, and gains as
      usual when it won. Two partners who both left are both charged.
    - The opponents are rated by the result as it stands.

    Raises ``ValueError`` unless there are four seats and ``winner`` is 0 or 1.
    """
    if len(seats) != 4 or winner not in (0, 1):
        raise ValueError(f"four seats and a winning team are needed, not {len(seats)} and {winner}")
    as_played = _updated(seats, winner)
    after = []
    for index, seat in enumerate(seats):
        won = index % 2 == winner
        if seat.is_bot:
            after.append(seat.skill)
        elif seat.left:
            after.append(_updated(seats, 1 - winner)[index] if won else as_played[index])
        elif seats[(index + 2) % 4].left and not won:
            after.append(seat.skill)
        else:
            after.append(as_played[index])
    return tuple(after)


def take_back(now: Skill, before: Skill, after: Skill) -> Skill:
    """``now`` without the game that turned ``before`` into ``after``."""
    return _moved(now, after, before)


def put_back(now: Skill, before: Skill, after: Skill) -> Skill:
    """``now`` with that game again: the exact opposite of :func:`take_back`."""
    return _moved(now, before, after)


def _updated(seats: Sequence[RatedSeat], winner: int) -> list[Skill]:
    ratings = [_MODEL.rating(mu=seat.skill.mu, sigma=seat.skill.sigma) for seat in seats]
    teams = [[ratings[0], ratings[2]], [ratings[1], ratings[3]]]
    rated = _MODEL.rate(teams, ranks=[0, 1] if winner == 0 else [1, 0])
    return [_on_grid(rated[index % 2][index // 2]) for index in range(4)]


def _on_grid(rating: BradleyTerryFullRating) -> Skill:
    return _skill(_steps(rating.mu), _precision(rating.sigma))


def _moved(now: Skill, source: Skill, target: Skill) -> Skill:
    """``now`` moved by the difference from ``source`` to ``target``, in whole steps of the grid."""
    return _skill(
        _steps(now.mu) + _steps(target.mu) - _steps(source.mu),
        _precision(now.sigma) + _precision(target.sigma) - _precision(source.sigma),
    )


def _steps(mu: float) -> int:
    return round(mu * MU_GRID)


def _precision(sigma: float) -> int:
    return round(PRECISION_GRID / (sigma * sigma))


def _skill(steps: int, precision: int) -> Skill:
    return Skill(steps / MU_GRID, math.sqrt(PRECISION_GRID / precision))
