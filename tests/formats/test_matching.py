"""Exact matching (tournaments/formats/matching.py)."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys

import numpy as np
import pytest

from tests.formats.rounds import matchings
from tournaments.formats.matching import cheapest, lexicographic

COUNT = 6


def random_edges(rng: random.Random, share: float, most: int):
    edges = [(i, j) for i in range(COUNT) for j in range(i + 1, COUNT) if rng.random() < share]
    one, other = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    cost = np.array([rng.randrange(most) for _ in edges], dtype=np.int64)
    return one, other, cost


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_no_matching_is_larger_or_cheaper(share):
    rng = random.Random(share)
    for _ in range(60):
        one, other, cost = random_edges(rng, share, 5)
        price = {edge: int(c) for edge, c in zip(zip(one.tolist(), other.tolist(), strict=True), cost, strict=True)}
        best = min(
            (-len(there), sum(price[edge] for edge in there))
            for every in matchings(tuple(range(COUNT)))
            for there in [[edge for edge in every if edge in price]]
        )
        found = cheapest(COUNT, one, other, cost)
        assert found == sorted(found) and all(i < j for i, j in found)
        assert (-len(found), sum(price[edge] for edge in found)) == best


@pytest.mark.parametrize("large", [3, 10**12])
def test_levels_are_never_traded(large):
    """However much the second costs; with 10**12 the whole leaves 64 bits."""
    first = np.array([0, 1, 1, 0, 0, 0], dtype=np.int64)
    second = np.array([large, 0, 0, large, large, large], dtype=np.int64)
    third = np.array([large, 1, 2, 3, 4, 5], dtype=np.int64)
    total = lexicographic([first, second, third], 4)
    one, other = np.triu_indices(4, 1)
    assert cheapest(4, one, other, total) in ([(0, 1), (2, 3)], [(0, 3), (1, 2)])
    assert min(total[first == 1]) > 2 * max(total[first == 0])


def test_nobody():
    empty = np.zeros(0, dtype=np.int64)
    assert cheapest(3, empty, empty, empty) == []
    assert len(lexicographic([empty, empty], 0)) == 0


def digest() -> str:
    rng = random.Random(1)
    found = [cheapest(COUNT, *random_edges(rng, 0.8, 2)) for _ in range(50)]
    return hashlib.sha256(repr(found).encode()).hexdigest()


def test_the_same_costs_give_the_same_pairs():
    program = "from tests.formats.test_matching import digest; print(digest())"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest()
