"""Who meets whom in a field sorted by score: the aims of a Swiss draw, in their order.

Positions count from 0, the best first. Up to ``EXACT`` positions one exact matching finds the best
draw there is. A larger field is swept from the top: small score groups are matched exactly together,
in a large one those who come down meet the highest they may, an odd one goes down, the others fold
with the nearest transposition where two have met; what stays over at the bottom is matched exactly
with the lowest pairs, more and more of them until everybody has a partner.

| rule | test |
|---|---|
| nobody meets twice, nor whom the director keeps apart | test_fold: test_against_every_matching |
| then the bye as preferred, least squared gaps, no float repeated, fold | test_against_every_matching |
| a large field: gaps of the parity bound + 2, the fold of an exact matching | test_large_fields_are_nearly_exact |
| where only a few remain for some, they are found wherever they stand | test_who_may_meet_hardly_anybody |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tournaments.formats.columns import NOBODY, Ints
from tournaments.formats.matching import cheapest, lexicographic

EXACT = 160
"""A whole field up to this is one exact matching: some 10 ms."""
SMALL = 64
"""Neighbouring score groups that together are no larger are matched exactly."""
LOOK = 8
"""How many residents are passed over to spare one a second float the same way."""
WINDOWS = (16, 32, 64, 128)
"""Pairs from the bottom that are drawn anew with who is left over."""
REACH = (32, 128, 512)
"""Neighbours considered for each if that does not help."""
MOST_EDGES = 1_500_000
"""Beyond the first reach no larger graph is searched: some ten seconds."""
BYES_TRIED = 12
"""How many are tried for the bye of a large field, beside those who have nobody to meet."""

Pairs = list[tuple[int, int]]


class Stuck(Exception):
    """Not everybody can be paired."""


@dataclass(frozen=True, slots=True)
class Field:
    """``score`` in half wins by position, falling. ``met`` has a row per round with everybody's
    opponent's position, ``apart`` rows of those whom the director keeps apart; NOBODY fills both.
    ``floated`` is 1 for who last met a higher score, -1 for a lower one."""

    score: Ints
    met: Ints
    apart: Ints
    floated: Ints

    @property
    def barred(self) -> Ints:
        return np.concatenate((self.met, self.apart))


class Folding:
    """Pairs the positions ``nodes`` of a field, in order."""

    def __init__(self, field: Field, nodes: Ints) -> None:
        self.field = field
        self.nodes = nodes
        self.barred = field.barred
        score = field.score[nodes]
        starts = np.flatnonzero(np.diff(score, prepend=score[:1] + 1))
        sizes = np.diff(starts, append=len(nodes))
        count = len(field.score)
        self.starts, self.sizes = starts, sizes
        self.place = np.zeros(count, dtype=np.int64)
        self.size = np.ones(count, dtype=np.int64)
        self.place[nodes] = np.arange(len(nodes)) - np.repeat(starts, sizes)
        self.size[nodes] = np.repeat(sizes, sizes)

    def natural(self) -> Ints:
        """By position, whom the fold of the own score group names; the last of an odd group the
        first of the next. NOBODY for who is not to be paired."""
        at = np.arange(len(self.nodes))
        half = self.size[self.nodes] // 2
        place = self.place[self.nodes]
        upper = place < half
        goal = np.where(upper, at + half, at - half)
        odd = (place == 2 * half) & (at + 1 < len(at))
        goal[odd] = at[odd] + 1
        natural = np.full(len(self.field.score), NOBODY, dtype=np.int64)
        natural[self.nodes] = np.where(goal == at, NOBODY, self.nodes[goal])
        return natural

    def pairs(self, *, repeats: bool = False) -> Pairs:
        """Everybody paired. Raises Stuck."""
        if len(self.nodes) <= EXACT:
            pairs, _bye, left = self._exact(self.nodes, repeats=repeats)
            if left:
                raise Stuck
            return pairs
        return self._sweep()

    def pairs_and_bye(self, preference: Ints, *, repeats: bool = False) -> tuple[Pairs, int]:
        """An odd field: everybody paired but one, of least ``preference`` (by position) among those
        whose absence leaves the rest pairable. Raises Stuck."""
        if len(self.nodes) <= EXACT:
            ends = [preference[self.nodes], *(np.zeros(len(self.nodes), dtype=np.int64),) * 3]
            pairs, bye, left = self._exact(self.nodes, ends, repeats=repeats)
            if left:
                raise Stuck
            return pairs, bye
        order = self.nodes[np.argsort(preference[self.nodes], kind="stable")]
        for bye in chain(order[:1].tolist(), self._alone(order), order[1:BYES_TRIED].tolist()):
            try:
                return Folding(self.field, self.nodes[self.nodes != bye]).pairs(), bye
            except Stuck:
                continue
        raise Stuck

    def alone(self) -> list[int]:
        """Who may meet nobody of the field."""
        return list(self._alone(self.nodes))

    def _alone(self, order: Ints) -> Iterator[int]:
        here = np.zeros(len(self.field.score) + 1, dtype=np.bool_)
        here[self.nodes] = True
        others = np.sort(self.barred[:, order], axis=0)
        fresh = np.diff(others, axis=0, prepend=NOBODY - 1) > 0
        count = (fresh & here[others]).sum(axis=0)
        yield from order[count >= len(self.nodes) - 1].tolist()

    def _levels(self, one: Ints, other: Ints) -> list[Ints]:
        """The costs of pairing each of ``one`` with a lower one of ``other``: the squared gap of
        their scores, floats that repeat, the squared distance from the fold."""
        field = self.field
        gap = field.score[one] - field.score[other]
        floats = (gap > 0) * ((field.floated[one] == -1).astype(np.int64) + (field.floated[other] == 1))
        within = 2 * (self.place[other] - self.place[one]) - self.size[one]
        across = 2 * (self.size[one] - 1 - self.place[one] + self.place[other])
        return [gap * gap, floats, np.where(gap == 0, within, across) ** 2]

    def _exact(
        self, nodes: Ints, ends: list[Ints] | None = None, *, repeats: bool = False
    ) -> tuple[Pairs, int, list[int]]:
        """The best matching of some nodes, and who is left over. ``ends`` are costs, the most
        important first, by node for the one who is paired with nobody; he is the second answer."""
        count = len(nodes)
        allowed = np.triu(np.ones((count, count), dtype=np.bool_), 1)
        again = self._meetings(nodes, self.field.met)
        if not repeats:
            allowed &= again == 0
        if len(self.field.apart):
            allowed &= self._meetings(nodes, self.field.apart) == 0
        one, other = np.nonzero(allowed)
        levels = self._levels(nodes[one], nodes[other])
        if ends is not None:
            levels = [np.zeros_like(levels[0])] * (len(ends) - len(levels)) + levels
            levels = [np.concatenate((level, end)) for level, end in zip(levels, ends, strict=True)]
        if repeats:
            last = again[one, other]
            last = np.concatenate((last, np.zeros(len(levels[0]) - len(last), dtype=np.int64)))
            levels = [(last > 0).astype(np.int64), last * last, *levels]
        if ends is not None:
            one = np.concatenate((one, np.arange(count)))
            other = np.concatenate((other, np.full(count, count)))
            count += 1
        found = cheapest(count, one, other, lexicographic(levels, count))
        at = [*nodes.tolist(), NOBODY]
        left = set(at[:-1])
        pairs, single = [], NOBODY
        for i, j in found:
            left.discard(at[i])
            left.discard(at[j])
            if at[j] == NOBODY:
                single = at[i]
            else:
                pairs.append((at[i], at[j]))
        return pairs, single, sorted(left)

    def _meetings(self, nodes: Ints, rows: Ints) -> Ints:
        """By two nodes, the last of the rows (from 1) that names them together, or 0."""
        local = np.full(len(self.field.score) + 1, NOBODY, dtype=np.int64)
        local[nodes] = np.arange(len(nodes))
        found = np.zeros((len(nodes), len(nodes)), dtype=np.int64)
        where = local[rows[:, nodes]]
        row, at = np.nonzero(where != NOBODY)
        np.maximum.at(found, (at, where[row, at]), row + 1)
        return found

    def _sweep(self) -> Pairs:
        pairs: Pairs = []
        down: list[int] = []
        for block, below in self._blocks():
            if len(block) <= SMALL:
                found, down = self._small_block(np.array(down + block, dtype=np.int64), below)
            else:
                found, down = self._large_block(down, block)
            pairs += found
        return self._close(pairs, down) if down else pairs

    def _blocks(self) -> Iterator[tuple[list[int], int | None]]:
        """Score groups from the top, small ones together, each with the score below it."""
        nodes = self.nodes.tolist()
        ends = (self.starts + self.sizes).tolist()
        start = 0
        for index, end in enumerate(ends):
            last = index + 1 == len(ends)
            if last or ends[index + 1] - start > SMALL:
                yield nodes[start:end], None if last else int(self.field.score[nodes[end]])
                start = end

    def _small_block(self, nodes: Ints, below: int | None) -> tuple[Pairs, list[int]]:
        ends = None
        if len(nodes) % 2 and below is not None:
            gap = self.field.score[nodes] - below
            lower = 2 * (self.size[nodes] - 1 - self.place[nodes])
            ends = [gap * gap, (self.field.floated[nodes] == -1).astype(np.int64), lower * lower]
        pairs, single, left = self._exact(nodes, ends)
        return pairs, left if single == NOBODY else sorted([*left, single])

    def _large_block(self, down: list[int], block: list[int]) -> tuple[Pairs, list[int]]:
        floated = self.field.floated
        pairs: Pairs = []
        left: list[int] = []
        free = list(block)
        for high in down:
            barred = self._barred_by(high)
            best: tuple[int, int] | None = None
            for k, low in enumerate(free):
                if best is not None and k > best[0]:
                    break
                if low not in barred:
                    mark = (k + LOOK * int(floated[low] == 1), k)
                    best = mark if best is None else min(best, mark)
            if best is None:
                left.append(high)
            else:
                pairs.append((high, free.pop(best[1])))
        if len(free) % 2:
            lowest = range(len(free) - 1, max(-1, len(free) - 1 - LOOK), -1)
            left.append(free.pop(next((k for k in lowest if floated[free[k]] != -1), len(free) - 1)))
        half = len(free) // 2
        upper, lower = free[:half], free[half:]
        clash = (self.barred[:, upper] == np.array(lower, dtype=np.int64)).any(axis=0)
        for k in np.flatnonzero(clash).tolist():
            self._transpose(upper, lower, k)
        clash = (self.barred[:, upper] == np.array(lower, dtype=np.int64)).any(axis=0)
        for pair, barred in zip(zip(upper, lower, strict=True), clash.tolist(), strict=True):
            if barred:
                left += pair
            else:
                pairs.append(pair)
        return pairs, sorted(left)

    def _transpose(self, upper: list[int], lower: list[int], k: int) -> None:
        """Cure a clash at ``k`` by the nearest exchange that makes no other."""
        barred = self._barred_by(upper[k])
        if lower[k] not in barred:
            return
        for distance in range(1, len(upper)):
            for at in (k + distance, k - distance):
                if 0 <= at < len(upper) and lower[at] not in barred and lower[k] not in self._barred_by(upper[at]):
                    lower[k], lower[at] = lower[at], lower[k]
                    return

    def _close(self, pairs: Pairs, left: list[int]) -> Pairs:
        pairs.sort(key=lambda pair: pair[1])
        for window in WINDOWS:
            nodes = sorted([*left, *chain.from_iterable(pairs[-window:])])
            found, _single, over = self._exact(np.array(nodes, dtype=np.int64))
            if not over:
                return pairs[:-window] + found
        return self._wide(left)

    def _wide(self, left: list[int]) -> Pairs:
        """Everybody drawn among his neighbours, who was left over among all."""
        nodes = self.nodes
        count = len(nodes)
        places = np.searchsorted(nodes, np.array(left, dtype=np.int64))
        for reach in REACH:
            if reach > REACH[0] and reach * count > MOST_EDGES:
                break
            ends = [(np.arange(count - step), np.arange(step, count)) for step in range(1, min(reach, count - 1) + 1)]
            for place in places.tolist():
                far = np.flatnonzero(abs(np.arange(count) - place) > reach)
                ends.append((np.minimum(far, place), np.maximum(far, place)))
            one, other = (np.concatenate(side) for side in zip(*ends, strict=True))
            free = ~(self.barred[:, nodes[one]] == nodes[other]).any(axis=0)
            one, other = one[free], other[free]
            cost = lexicographic(self._levels(nodes[one], nodes[other]), count)
            found = cheapest(count, one, other, cost)
            if 2 * len(found) == count:
                return [(int(nodes[i]), int(nodes[j])) for i, j in found]
        raise Stuck

    def _barred_by(self, position: int) -> set[int]:
        return set(self.barred[:, position].tolist())
