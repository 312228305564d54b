"""A shuffled pack that anybody can compute again from the deal's secret (G17)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from games.engine.cards import Card


def shuffled(cards: Sequence[Card], secret: bytes, deal_number: int, nonces: Sequence[bytes] = ()) -> tuple[Card, ...]:
    """The cards in the order of HMAC-SHA-256(secret, nonces, deal number, card).

    With a secret of 32 random bytes every order is equally likely (up to collisions of the
    hash), and without it none can be told from another. ``secret`` 32 bytes; ``deal_number``
    counts from 1; ``nonces`` are bytes from the players, in seat order.
    """
    prefix = b"|".join([*(nonce.hex().encode() for nonce in nonces), str(deal_number).encode(), b""])
    return tuple(sorted(cards, key=lambda card: hmac.digest(secret, prefix + card.encode(), hashlib.sha256)))
