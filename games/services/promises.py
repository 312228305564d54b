"""Fair deals at a table: what is promised before the cards, what browsers add, what follows.

Everything here but :func:`add_nonce` (see ``seating``) works on a row that the caller has locked
and will save. Seeds and secrets stay in the database; nothing else here is hidden.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from games import engine, fairness
from games.engine import Card
from games.fairness import Chain
from games.models import Game, Seat, Table
from games.selectors.tables import LiveRow


def promise(row: LiveRow) -> None:
    """Commit to a new chain, for the next game or for the deals after the chain in use. Nonces
    of before are void: one counts only if its browser could see the commitment first."""
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    row.commitment = fairness.commitment(seed)
    Table.objects.filter(pk=row.id).update(next_seed=seed)
    Seat.objects.filter(table_id=row.id).exclude(nonce="").update(nonce="")


def draw(row: LiveRow) -> tuple[Chain, int]:
    """Begin a game with the chain promised: that chain with its nonces, and the first dealer."""
    chain, seed = _settle(row, first=1)
    return chain, fairness.drawn_dealer(engine.parse_rules(row.rules), fairness.link(seed, 0), chain.added)


def deck(row: LiveRow, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The deck of the row's deal. The last deal of a chain promises the next one, which the deal
    after it takes into use."""
    chain, seed = _in_use(row)
    if fairness.ends_chain(row.deal_number - 1):
        chain, seed = _settle(row, first=row.deal_number)
        assert row.game_id is not None
        lines = Game.objects.values_list("chains", flat=True).get(pk=row.game_id)
        Game.objects.filter(pk=row.game_id).update(chains=f"{lines}\n{fairness.format_chain(chain)}")
    if fairness.ends_chain(row.deal_number):
        promise(row)
    return fairness.deck(pack, fairness.secret(seed, chain, row.deal_number), chain, row.deal_number)


def secret(row: LiveRow) -> bytes:
    """The secret of the row's deal, to be kept with it now that it has been scored."""
    chain, seed = _in_use(row)
    return fairness.secret(seed, chain, row.deal_number)


def _in_use(row: LiveRow) -> tuple[Chain, bytes]:
    assert row.game_id is not None
    lines, seed = Game.objects.values_list("chains", "table__seed").get(pk=row.game_id)
    assert seed is not None  # the table that the caller has locked
    return fairness.parse_chain(lines.rpartition("\n")[2]), bytes(seed)


def _settle(row: LiveRow, *, first: int) -> tuple[Chain, bytes]:
    seed = bytes(Table.objects.values_list("next_seed", flat=True).get(pk=row.id))
    if not seed:
        promise(row)
        seed = bytes(Table.objects.values_list("next_seed", flat=True).get(pk=row.id))
    given = Seat.objects.filter(table_id=row.id).order_by("index").values_list("nonce", flat=True)
    Table.objects.filter(pk=row.id).update(seed=seed, next_seed=b"")
    return fairness.settle(seed, first, list(given)), seed
