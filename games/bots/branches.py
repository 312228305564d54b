"""What every action open to a seat brings: over and over, the cards it does not see are filled in,
each action is tried on the same deal, and the rule bot plays all of them to their end.

Plain Python, and source of what :mod:`games.bots.kernel` compiles.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from games.bots.guess import put_in, world
from games.bots.layout import HAND, LENGTH, POINTS
from games.bots.layout import SIDES as HOW_MANY_SIDES
from games.bots.playout import act, finish_deal

Row = Sequence[int]
Rows = MutableSequence[int]

HANDS_EACH, POINTS_EACH = 4, 3
"""Places for the hands of a deal, and for points by side."""
NETS_EACH, LEVEL = 17, 8
"""Places for how often an action brought each net of points, and the place of none."""


def net_of(points: Row, rules: Row, side: int) -> int:
    """Twice a side's own points less the mean of the others'."""
    total = points[POINTS] + points[POINTS + 1]
    if rules[HOW_MANY_SIDES] == 2:
        return 4 * points[POINTS + side] - 2 * total
    return 3 * points[POINTS + side] - total - points[POINTS + 2]


def branch(
    deal: Row, known: Row, bids: Row, rules: Row, weights: Row,
    chance: Rows, found: Rows, scratch: Rows, whole: Rows, tried: Rows,
    seat: int, actions: Row, number: int, hands: Rows, points: Rows, nets: Rows, products: Rows, latest: Rows,
) -> int:  # fmt: skip
    """Try ``actions`` on ``number`` deals; how many were found. ``seat`` is -1 for a spectator, an
    action below 0 what the rule bot does. ``scratch`` comes from :func:`~games.bots.guess.prepare`,
    what follows it is filled in.

    ``hands``: deal by deal. Added up over all deals: ``points`` by action and side, ``nets`` how often
    each action brought each net, ``products`` of the nets of each two actions; ``latest``: one of each action.
    """
    done, tries, side = 0, len(actions), max(seat, 0) % rules[HOW_MANY_SIDES]
    for _attempt in range(number):
        if not world(deal, known, bids, rules, weights, chance, found, scratch):
            continue
        put_in(deal, known, rules, chance, found, seat, whole)
        for other in range(HANDS_EACH):
            hands[done * HANDS_EACH + other] = whole[HAND + other]
        for place in range(tries):
            for at in range(LENGTH):
                tried[at] = whole[at]
            if actions[place] >= 0:
                act(tried, rules, actions[place])
            finish_deal(tried, rules, weights)
            for each in range(POINTS_EACH):
                points[place * POINTS_EACH + each] += tried[POINTS + each]
            latest[place] = net_of(tried, rules, side)
            nets[place * NETS_EACH + LEVEL + latest[place]] += 1
            for before in range(place):
                products[place * tries + before] += latest[place] * latest[before]
        done += 1
    return done
