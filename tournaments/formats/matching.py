"""Exact matching: everybody in pairs, as many as there can be, at the least cost.

| rule | test |
|---|---|
| as many pairs as any matching has, and none cheaper | test_matching: test_no_matching_is_larger_or_cheaper |
| a more important cost is never traded for a less important one | test_levels_are_never_traded |
| the same costs give the same pairs, in any process | test_the_same_costs_give_the_same_pairs |
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import rustworkx as rx

from tournaments.formats.columns import Ints

EXACT_BITS = 62


def lexicographic(levels: Sequence[Ints], nodes: int) -> Ints:
    """One cost for each edge from several, the most important first: no sum over a matching of a
    later level weighs as much as 1 of an earlier one. Costs are whole numbers from 0."""
    scales = [int(level.max(initial=0)) * (nodes // 2 + 1) + 1 for level in levels]
    bits = sum(scale.bit_length() for scale in scales)
    total = np.zeros(len(levels[0]), dtype=np.int64 if bits <= EXACT_BITS else object)
    for level, scale in zip(levels, scales, strict=True):
        total = total * scale + level
    return total


def cheapest(nodes: int, one: Ints, other: Ints, cost: Ints) -> list[tuple[int, int]]:
    """The pairs (smaller number first, in order) of a largest matching of least cost in the graph
    of nodes 0 to ``nodes`` - 1 with the edges ``one`` - ``other``."""
    if not len(one):
        return []
    weights = (cost.max() + 1 - cost).tolist()
    graph: rx.PyGraph[int | None, int] = rx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.extend_from_weighted_edge_list(list(zip(one.tolist(), other.tolist(), weights, strict=True)))
    found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)
