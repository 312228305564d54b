"""Exact matching: everybody in pairs, as many as there can be, at the least cost.

| rule | test |
|---|---|
| as many pairs as any matching has, and none cheaper | tests/formats/test_matching.py |
| a more important level is never traded for a less important one | tests/formats/test_matching.py |
| the same costs give the same pairs, in any process | tests/formats/test_matching.py |
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import rustworkx as rx

from tournaments.formats.columns import Flags, Ints

EXACT_BITS = 62


def lexicographic(levels: Sequence[Ints], nodes: int) -> Ints:
    """One matrix of costs from several, the most important first: no sum over a matching of a later
    level weighs as much as 1 of an earlier one. Costs are whole numbers from 0."""
    pairs = nodes // 2 + 1
    scales = [int(level.max(initial=0)) * pairs + 1 for level in levels]
    bits = sum(scale.bit_length() for scale in scales)
    total = np.zeros_like(levels[0], dtype=np.int64 if bits <= EXACT_BITS else object)
    for level, scale in zip(levels, scales, strict=True):
        total = total * scale + level
    return total


def cheapest(cost: Ints, allowed: Flags) -> list[tuple[int, int]]:
    """The pairs (smaller number first, in order) of a largest matching of least cost. ``cost`` and
    ``allowed`` are square; what lies above the diagonal counts."""
    one, other = np.nonzero(np.triu(allowed, 1))
    if not len(one):
        return []
    return cheapest_of(len(cost), one, other, cost[one, other])


def cheapest_of(nodes: int, one: Ints, other: Ints, cost: Ints) -> list[tuple[int, int]]:
    """The same from a list of edges ``one`` - ``other`` with their ``cost``."""
    weights = (cost.max() + 1 - cost).tolist()
    graph: rx.PyGraph[int | None, int] = rx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.extend_from_weighted_edge_list(list(zip(one.tolist(), other.tolist(), weights, strict=True)))
    found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)
