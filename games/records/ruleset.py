"""The rules of EGN 1.4 and ours, name by name.

========================  =======================================================================
EGN (its default)         ours
========================  =======================================================================
``num_players`` (4)       ``players``
``min_rank`` (9)          ``pack``: 9 is 24 cards, 8 is 28, 7 is 32
``joker`` (false)         ``pack``: 25 for 24, 33 for 32
``winning_score`` (10)    ``target_score``; EGN writes either this or ``num_deals``
``num_deals`` (0)         ``num_deals``
``std`` (true)            ``stick_the_dealer`` without ``all_pass_penalty``
``canadian`` (false)      ``canadian_loner``
``loner_lead``            ``lone_lead`` (LEFT_OF_DEALER)
``loner_march_score``     4, the only value we play
``loner_euchred_score``   ``lone_euchred`` (2)
``defend_alone`` (false)  ``defend_alone=vs_loner`` with ``lone_defender=4``; ``any`` is written as true
``partners_best``         ``partners_best``
``go_under`` (false)      ``weak_hand=farmers_swap``
``farmers`` (false)       ``weak_hand=farmers_redeal``; ``ace_no_face`` is written as true
``allow_no_trump``        ``no_trump=round2``; ``stuck_dealer`` is written as true
``fast_break``            false, the only value we play
``four_trick_tokens``     false, the only value we play
========================  =======================================================================

What EGN has no name for is, when a file of others is read: ``dealer_exchange=mandatory``,
``alone_timing=with_call``, ``alone_who=maker_only``, ``claim=off``, and else as in the article.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine import Rules
from games.records.common import BadRecord

DEFAULTS: Mapping[str, Any] = {
    "std": True,
    "min_rank": 9,
    "winning_score": 10,
    "num_deals": 0,
    "canadian": False,
    "loner_lead": "LEFT_OF_DEALER",
    "loner_march_score": 4,
    "loner_euchred_score": 2,
    "defend_alone": False,
    "farmers": False,
    "partners_best": False,
    "go_under": False,
    "joker": False,
    "num_players": 4,
    "allow_no_trump": False,
    "fast_break": False,
    "four_trick_tokens": False,
}
"""Every rule EGN knows, with the value of a file that does not name it."""

_KINDS = {bool: "true or false", int: "a whole number", str: "a text"}
_LOWEST = {24: 9, 25: 9, 28: 8, 32: 7, 33: 7}


def ruleset_of(rules: Rules) -> dict[str, Any]:
    """Rules as EGN tells them, every name written; what it cannot tell is left out."""
    told: dict[str, Any] = dict(DEFAULTS)
    told |= {
        "std": rules.stick_the_dealer and not rules.all_pass_penalty,
        "min_rank": _LOWEST[rules.pack],
        "winning_score": 0 if rules.num_deals else rules.target_score,
        "num_deals": rules.num_deals,
        "canadian": rules.canadian_loner,
        "loner_lead": rules.lone_lead.upper(),
        "loner_euchred_score": rules.lone_euchred,
        "defend_alone": rules.defend_alone != "off" and rules.alone_who == "any",
        "farmers": rules.weak_hand in ("farmers_redeal", "ace_no_face"),
        "partners_best": rules.partners_best,
        "go_under": rules.weak_hand == "farmers_swap",
        "joker": rules.joker,
        "num_players": rules.players,
        "allow_no_trump": rules.no_trump != "off",
    }
    return told


def checked(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A ruleset with its defaults filled in. BadRecord for a name or a kind of value EGN has not."""
    for name, value in given.items():
        if name not in DEFAULTS:
            raise BadRecord(where, f"There is no rule {name[:40]!r}.")
        kind = type(DEFAULTS[name])
        if type(value) is not kind:
            raise BadRecord(f"{where}.{name}", f"This should be {_KINDS[kind]}.")
    if given.get("num_deals") and given.get("winning_score"):
        raise BadRecord(where, "A game ends at winning_score or after num_deals, not at both.")
    full = {**DEFAULTS, **given}
    if full["num_deals"]:
        full["winning_score"] = 0
    return full


def rules_of(told: Mapping[str, Any], where: str) -> Rules:
    """The rules of a :func:`checked` ruleset. BadRecord where we do not play them."""
    for name in ("loner_march_score", "fast_break", "four_trick_tokens"):
        if told[name] != DEFAULTS[name]:
            raise BadRecord(f"{where}.{name}", f"Here this is always {str(DEFAULTS[name]).lower()}.")
    if told["farmers"] and told["go_under"]:
        raise BadRecord(where, "Of farmers and go_under only one can be played here.")
    packs = {(lowest, size in (25, 33)): size for size, lowest in _LOWEST.items()}
    size = packs.get((told["min_rank"], told["joker"]))
    if size is None:
        raise BadRecord(where, "There is no such pack: min_rank is 9, 8 or 7, and 8 goes without a joker.")
    options: dict[str, Any] = {
        "players": told["num_players"],
        "pack": size,
        "num_deals": told["num_deals"],
        "stick_the_dealer": told["std"],
        "dealer_exchange": "mandatory",
        "no_trump": "round2" if told["allow_no_trump"] else "off",
        "weak_hand": "farmers_redeal" if told["farmers"] else "farmers_swap" if told["go_under"] else "off",
        "alone_who": "any" if told["defend_alone"] else "maker_only" if told["num_players"] == 4 else "none",
        "alone_timing": "with_call",
        "canadian_loner": told["canadian"],
        "defend_alone": "vs_loner" if told["defend_alone"] else "off",
        "partners_best": told["partners_best"],
        "lone_lead": told["loner_lead"].lower(),
        "lone_defender": "4" if told["defend_alone"] else "2/4",
        "lone_euchred": told["loner_euchred_score"],
        "claim": False,
    }
    if not told["num_deals"]:
        options["target_score"] = told["winning_score"]
    try:
        return Rules(**options)
    except ValueError as error:
        raise BadRecord(where, f"These rules are not played here: {error}") from None
