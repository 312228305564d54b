"""Counting what the deals played here held, a batch at a time, for the page of deal statistics."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from games import chance, engine
from games.models import Deal, DealCounts

BATCH = 2000
"""Deals counted at once: a third of a second of work."""

SETTLED = timedelta(minutes=1)
"""A deal is counted when it has been scored for this long: by then none with a lower number can
still be on its way into the database."""


def count_deals(now: datetime) -> int:
    """Count the deals scored since the last time; how many. Three queries and no lock: of two who
    do it at once, one does nothing."""
    kept, _created = DealCounts.objects.get_or_create(pk="all")
    counts, last = kept.counts, kept.last_deal
    rows = Deal.objects.filter(pk__gt=last, finished_at__lt=now - SETTLED).order_by("pk")
    counted = 0
    for pk, rules, dealer, deck, actions in rows.values_list("pk", "game__rules", "dealer", "deck", "actions")[:BATCH]:
        _add(counts, rules, dealer, deck, actions)
        last, counted = pk, counted + 1
    if not counted:
        return 0
    mine = DealCounts.objects.filter(pk="all", last_deal=kept.last_deal)
    return counted if mine.update(counts=counts, last_deal=last, at=now) else 0


def _add(counts: dict[str, Any], rules_text: str, dealer: int, deck_text: str, actions: str) -> None:
    rules, deck = engine.parse_rules(rules_text), engine.parse_deck(deck_text)
    seen = chance.look(engine.start_deal(rules, dealer, deck), deck)
    final = engine.replay_deal(rules, dealer, deck, actions)
    name = ".".join(map(str, seen.kind.places))
    of_kind = counts.setdefault(
        name,
        {
            "deals": 0,
            "passed_out": 0,
            "loners": 0,
            "loners_made": 0,
            "up": {},
            "right": [0] * len(seen.kind.places),
            "left": [0] * len(seen.kind.places),
        },
    )
    of_kind["deals"] += 1
    of_kind["passed_out"] += final.passed_out
    of_kind["loners"] += len(final.loners)
    of_kind["loners_made"] += sum(final.tricks_won[seat % len(final.tricks_won)] == 5 for seat in final.loners)
    up = seen.up_card[-1]
    of_kind["up"][up] = of_kind["up"].get(up, 0) + 1
    if seen.right is not None:
        of_kind["right"][seen.right] += 1
    if seen.left is not None:
        of_kind["left"][seen.left] += 1
