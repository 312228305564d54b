"""Rules at random: every option, and only combinations that the rules allow."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from games.engine import OPTIONS, Rules


def allowed(options: dict[str, Any]) -> Rules:
    """The rules with these options; of two that exclude each other, one gives way."""
    chosen = {name: values[0] for name, values in OPTIONS.items()} | options
    if chosen["players"] != 4:
        chosen["alone_who"] = "none"
    if chosen["alone_who"] == "none":
        chosen["canadian_loner"] = chosen["partners_best"] = False
    if chosen["players"] != 2:
        chosen["two_handed_dummy"] = 0
    if chosen["pack"] in (25, 33):
        chosen["no_trump"] = "off"
    if not chosen["stick_the_dealer"]:
        chosen["all_pass_penalty"] = 0
        if chosen["no_trump"] == "stuck_dealer":
            chosen["no_trump"] = "off"
    if chosen["num_deals"]:
        chosen["laps"] = chosen["slam"] = False
    return Rules(**chosen)


def random_rules(rng: random.Random) -> Rules:
    """Each option at random, or half of the time as the article has it."""
    return allowed({name: rng.choice(values) for name, values in OPTIONS.items() if rng.random() < 0.5})


ANY_RULES = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()}).map(
    allowed
)
