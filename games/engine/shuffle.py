"""A deck from a secret: unbiased, and re-computable by anybody who is given the secret."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from games.engine.cards import Card


def shuffled(pack: Sequence[Card], secret: bytes, deal_number: int, nonces: Sequence[str] = ()) -> tuple[Card, ...]:
    """The pack in the order of HMAC-SHA-256(secret, "nonce,nonce:deal_number:card") (G17).

    ``secret`` should be 32 random bytes and is what hides the deck. ``nonces`` are hexadecimal
    texts that others add, so that nobody alone decides the deck; their order matters.
    """
    keyed = hmac.new(secret, f"{','.join(nonces)}:{deal_number}:".encode(), "sha256")
    keys = {}
    for card in pack:
        of_card = keyed.copy()  # the part all cards share is hashed once
        of_card.update(card.encode())
        keys[card] = of_card.digest()
    return tuple(sorted(pack, key=keys.__getitem__))
