"""What a deal is worth (section 4.6, V4, V5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.engine.rules import Rules


def deal_points(rules: Rules, maker: int, loners: Collection[int], tricks_won: Sequence[int]) -> tuple[int, ...]:
    """Points by side for five played tricks, ``tricks_won`` by side. Of two sides exactly one
    scores (G14); of three, the maker or both others.

    ``loners`` are the seats that went alone; a maker's partner who did counts as a lone
    maker (G10).
    """
    sides = len(tricks_won)
    makers = maker % sides
    lone_sides = [seat % sides for seat in loners]
    lone_maker, lone_defender = makers in lone_sides, lone_sides.count(makers) < len(lone_sides)
    tricks = tricks_won[makers]
    if tricks == 5:
        points = 4 if lone_maker else sides  # march: R49, R51, V5
    elif tricks >= 3:
        points = 1  # R48, R52
    elif lone_defender:
        points = 4 if tricks == 0 or rules.lone_defender == "4" else 2  # R53-R55
    elif tricks == 0 and rules.super_euchre:
        points = 4  # O18
    else:
        points = rules.lone_euchred if lone_maker else 2  # R50, G11
    theirs, others = (points, 0) if tricks >= 3 else (0, points)
    scored = [others] * sides
    scored[makers] = theirs
    return tuple(scored)
