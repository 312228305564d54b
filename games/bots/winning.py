"""The chance to win the game from a score, and so what points are worth at that score."""

from __future__ import annotations

from functools import lru_cache

OUTCOMES: dict[bool, tuple[int, ...]] = {
    False: (64, 1606, 1364, 4, 5019, 1564, 380),
    True: (64, 1609, 1364, 0, 5020, 1564, 380),
}
"""Of 10,000 deals, by whether the dealer may be stuck: how many bring the dealer's side -4, -2, -1,
0, 1, 2 and 4 points, the rule bot in every seat (``python -m tests.bench.bots --outcomes``)."""
_POINTS = (-4, -2, -1, 0, 1, 2, 4)


@lru_cache(maxsize=64)
def chances(target: int, stick: bool) -> dict[tuple[int, int, bool], float]:
    """``chances[points own side is short, points the others are short, own side deals]``: of winning
    the game, two sides dealing in turn. Nobody is short of 0 points or fewer in it."""
    found: dict[tuple[int, int, bool], float] = {}
    total = sum(OUTCOMES[stick])
    shares = [number / total for number in OUTCOMES[stick]]

    def ahead(own: int, other: int, deals: bool) -> float:
        chance = 0.0
        for points, share in zip(_POINTS, shares, strict=True):
            gained = points if deals else -points
            if gained:
                left = own - max(gained, 0), other - max(-gained, 0)
                chance += share * (1.0 if left[0] <= 0 else 0.0 if left[1] <= 0 else found[*left, not deals])
        return chance

    nothing = shares[3]
    for own in range(1, target + 1):
        for other in range(1, target + 1):
            # After a deal without points the other side deals at the same score.
            dealing, waiting = ahead(own, other, True), ahead(own, other, False)
            found[own, other, True] = (dealing + nothing * waiting) / (1 - nothing**2)
            found[own, other, False] = (waiting + nothing * dealing) / (1 - nothing**2)
    return found


@lru_cache(maxsize=1024)
def worth(target: int, stick: bool, own: int, other: int, deals: bool) -> tuple[float, ...]:
    """The chance to win after a deal that brings a side -8 to 8 half points more than the other;
    ``deals``: it deals now, and the other side next."""
    table = chances(target, stick)
    found = []
    for net in range(-8, 9):
        points = net // 2 if net > 0 else -(-net // 2)
        left = target - own - max(points, 0), target - other - max(-points, 0)
        found.append(1.0 if left[0] <= 0 else 0.0 if left[1] <= 0 else table[*left, not deals])
    return tuple(found)
