"""``python -m tests.bench.decks [number]``: how evenly a million shuffled decks spread every card over
every place (``make decks``, about two minutes). The decks are those of real games: secrets of chains,
four nonces, deals counted from 1; others in every run."""

from __future__ import annotations

import sys
from hashlib import sha256
from secrets import token_bytes
from time import perf_counter

from games import fairness
from games.chance import ChiSquare, chi_square_tail
from games.engine import pack


def spread(decks: int, label: bytes = b"") -> ChiSquare:
    """Chi-square of card by place; another ``label`` makes other decks. Rows and columns are fixed, hence
    23 x 23 degrees of freedom."""
    cards = pack()
    at = {card: index for index, card in enumerate(cards)}
    counts = [[0] * len(cards) for _ in cards]
    for game in range(-(-decks // fairness.LENGTH)):
        secret = sha256(b"%b seed %d" % (label, game)).digest()
        added = [sha256(b"%b nonce %d %d" % (label, game, seat)).hexdigest()[:32] for seat in range(4)]
        chain = fairness.settle(secret, 1, added)
        for number in range(fairness.LENGTH, max(0, fairness.LENGTH - (decks - game * fairness.LENGTH)), -1):
            for place, card in enumerate(fairness.deck(cards, secret, chain, number)):
                counts[place][at[card]] += 1
            secret = sha256(secret).digest()
    expected = decks / len(cards)
    statistic = sum((count - expected) ** 2 / expected for row in counts for count in row)
    freedom = (len(cards) - 1) ** 2
    # Each deck holds every card once: counts in a row or column stray by 24/23 more than free ones would.
    statistic *= (len(cards) - 1) / len(cards)
    return ChiSquare(statistic, freedom, chi_square_tail(statistic, freedom))


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    began = perf_counter()
    found = spread(wanted, token_bytes(16))
    print(f"{wanted:,} decks in {perf_counter() - began:.0f} s")
    print(f"chi-square of card by place {found.statistic:.1f}, {found.freedom} degrees of freedom, p = {found.p:.3f}")
