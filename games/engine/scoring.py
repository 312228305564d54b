"""What a deal is worth (section 4.6)."""

from __future__ import annotations

from collections.abc import Collection

from games.engine.rules import Rules


def deal_points(rules: Rules, maker: int, loners: Collection[int], tricks_won: tuple[int, int]) -> tuple[int, int]:
    """Points of team 0 and team 1 for five played tricks. Exactly one side scores (G14).

    ``loners`` are the seats that went alone; a maker's partner who did counts as a lone
    maker (G10).
    """
    makers = maker % 2
    lone_maker = any(seat % 2 == makers for seat in loners)
    lone_defender = any(seat % 2 != makers for seat in loners)
    tricks = tricks_won[makers]
    if tricks == 5:
        points = 4 if lone_maker else 2  # march: R49, R51
    elif tricks >= 3:
        points = 1  # R48, R52
    elif lone_defender:
        points = 4 if tricks == 0 or rules.lone_defender == "4" else 2  # R53-R55
    else:
        points = rules.lone_euchred if lone_maker else 2  # R50, G11
    scorer = makers if tricks >= 3 else 1 - makers
    return (points, 0) if scorer == 0 else (0, points)
