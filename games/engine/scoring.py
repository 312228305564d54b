"""Points of a deal (R48-R54, rules.md 4.6)."""

from __future__ import annotations


def deal_points(makers: int, maker_tricks: int, *, lone_maker: bool, lone_defender: bool) -> tuple[int, int]:
    """Points of (team 0, team 1) for a deal that team ``makers`` called and took
    ``maker_tricks`` of five tricks in (0-5)."""
    if maker_tricks == 5:
        points, team = (4 if lone_maker else 2), makers  # R49, R51
    elif maker_tricks >= 3:
        points, team = 1, makers  # R48, R52
    else:
        points, team = (4 if lone_defender and maker_tricks == 0 else 2), 1 - makers  # R50, R53, R54
    return (points, 0) if team == 0 else (0, points)
