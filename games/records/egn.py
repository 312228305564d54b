"""Euchre Game Notation written, version 1.4.

EGN tells the rules, the hands, the up-card, the calls, who is alone, the dealer's discard, cards
exchanged and the tricks. The format allows no fields of one's own, but free text: where
it cannot tell what happened, a line of our record stands there after ``euchre 1; ``.

- In ``metadata.description``, as the last line, the rules, the first dealer and the start, when
  the ruleset tells less (:mod:`games.records.ruleset`)::

      euchre 1; rules article; first_dealer 3

- In ``callAnnotations`` of a deal's first call the deck and all actions, when the deal read
  from the rest is another: a maker's partner alone, a lone defender against two, a claim, a
  declared weak hand, cards put away in an order the tricks do not show::

      euchre 1; deal 9CTCJC...KSAS pass pass order_up discard:9S together alone ...

What is lost for good is the order of the cards left in the kitty, which nobody ever saw.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from games import engine
from games.engine import Card, DealState, GameRecord
from games.records import ruleset
from games.records.common import BadRecord
from games.records.egn_body import body_of
from games.records.egn_reader import FILE_TYPE, MAX_DEALS, NAME_LENGTH, NOTE, TITLE_LENGTH, deal_of, told_of

VERSION = "1.4"


def to_egn(
    record: GameRecord, players: Sequence[str] = (), *, title: str = "", game_id: str = "", date: str = ""
) -> str:
    """A game as an EGN file. ``players`` are names by seat, ``date`` is as in ``2026-05-29T16:30``.

    BadRecord if it has more deals than EGN allows, IllegalAction if it breaks the rules.
    """
    if len(record.deals) > MAX_DEALS:
        raise BadRecord("deals", f"Euchre Game Notation holds at most {MAX_DEALS} deals.")
    rules, game = record.rules, engine.replay(record)
    told = ruleset.ruleset_of(rules)
    names = [name[:NAME_LENGTH] for name in players] or [f"Seat {seat}" for seat in range(rules.players)]
    metadata: dict[str, Any] = {
        "gameId": game_id,
        "title": title[:TITLE_LENGTH],
        "description": _head(record, told),
        "date": date,
        "players": names,
        "initialScore": list(record.start or (0, 0))[:2] if rules.sides == 2 else [0, 0],
    }
    metadata = {name: value for name, value in metadata.items() if value != ""}
    if game.winner is not None and rules.sides == 2:
        metadata["finalScore"] = list(game.scores[-1] if game.scores else record.start)
    told.pop("winning_score" if rules.num_deals else "num_deals")
    metadata["ruleset"] = told
    deals = []
    for number, (deal, final) in enumerate(zip(record.deals, game.deals, strict=True)):
        body = body_of(final, deal.deck, number)
        if not _tells_all(body, final, deal.deck):
            note = NOTE + f"deal {engine.format_deck(deal.deck)} {engine.format_actions(deal.actions)}".rstrip()
            body["phases"][0]["callAnnotations"] = {"0": [note]}
        deals.append(body)
    document = {"fileType": FILE_TYPE, "version": VERSION, "metadata": metadata, "deals": deals}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _head(record: GameRecord, told: dict[str, Any]) -> str:
    """The note of a game, "" if its ruleset and its first deal tell as much."""
    try:
        same = ruleset.rules_of(told, "") == record.rules
    except BadRecord:
        same = False
    if same and record.deals and record.rules.sides == 2:
        return ""
    bare = GameRecord(record.rules, record.first_dealer, (), record.start)
    return "; ".join(engine.format_game(bare).splitlines())


def _tells_all(body: dict[str, Any], final: DealState, deck: Sequence[Card]) -> bool:
    """Whether the deal read back is the same, the order of the kitty apart."""
    try:
        played = deal_of(final.rules, told_of(final.rules, body, ""))
    except BadRecord:
        return False
    seen = len(deck) - len(final.kitty)
    actions = tuple(action for _seat, action in final.history)
    return played.deal.deck[:seen] == deck[:seen] and played.deal.actions == actions
