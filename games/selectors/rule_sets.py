"""The house rules that a player has saved."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import Rules, parse_rules
from games.models import RuleSet


@dataclass(frozen=True, slots=True)
class SavedRules:
    id: int
    name: str
    rules: Rules


def read_rule_sets(player_id: int) -> tuple[SavedRules, ...]:
    """A player's sets by name. One query."""
    return tuple(
        SavedRules(pk, name, parse_rules(rules))
        for pk, name, rules in RuleSet.objects.filter(owner_id=player_id).values_list("pk", "name", "rules")
    )
