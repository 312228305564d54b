"""The house rules of a game: one frozen value, and the named presets (section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OPTIONS: dict[str, tuple[object, ...]] = {
    "target_score": (5, 7, 10, 11, 15, 21),
    "stick_the_dealer": (False, True),
    "turned_down_callable": (False, True),
    "dealer_exchange": ("optional", "mandatory"),
    "alone_who": ("any", "maker_side", "maker_only", "none"),
    "defend_alone": ("any", "vs_loner", "off"),
    "lone_lead": ("left_of_loner", "left_of_dealer"),
    "lone_defender": ("2/4", "4"),
    "lone_euchred": (2, 4),
}
"""The values each option may take (section 5)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Every option the engine plays. The defaults are the preset ``article``."""

    target_score: int = 10
    """Points that win the game (R2, O1)."""
    stick_the_dealer: bool = False
    """The dealer may not pass in round two (R32, O3)."""
    turned_down_callable: bool = False
    """Round two may name the suit that was turned down (G4, O4)."""
    dealer_exchange: Literal["optional", "mandatory"] = "optional"
    """Whether a dealer who was ordered up may leave the up-card (R27, O5)."""
    alone_who: Literal["any", "maker_side", "maker_only", "none"] = "any"
    """Who may go alone (R37, O7)."""
    defend_alone: Literal["any", "vs_loner", "off"] = "any"
    """When a defender may go alone (O8)."""
    lone_lead: Literal["left_of_loner", "left_of_dealer"] = "left_of_loner"
    """Who leads when somebody is alone (R40, R41, O9)."""
    lone_defender: Literal["2/4", "4"] = "2/4"
    """What a lone defender's euchre is worth: 4 only for all five tricks, or always (R53-R55, O10)."""
    lone_euchred: Literal[2, 4] = 2
    """What a lone maker's euchre is worth to two defenders (G11, O11)."""

    def __post_init__(self) -> None:
        for name, values in OPTIONS.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name} is one of {values}, not {getattr(self, name)!r}")


PRESETS: dict[str, Rules] = {"article": Rules()}
