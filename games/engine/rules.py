"""The house rules of a game: one frozen value, and the named presets (section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Literal

from games.engine.cards import BENNY, JOKER_PACKS, Card, Suit

OPTIONS: dict[str, tuple[object, ...]] = {
    "players": (4, 2, 3),
    "pack": (24, 25, 28, 32, 33),
    "target_score": (5, 7, 10, 11, 15, 21),
    "num_deals": (0, 4, 5, 6, 8, 10, 12, 16, 20, 24),
    "first_dealer": ("random", "first_black_jack"),
    "packets": ("3-2", "2-3"),
    "stick_the_dealer": (False, True),
    "all_pass_penalty": (0, 1),
    "turned_down_callable": (False, True),
    "must_have_trump": ("off", "dealer", "any"),
    "dealer_exchange": ("optional", "mandatory"),
    "no_trump": ("off", "round2", "stuck_dealer"),
    "joker_up": ("dealer_blind", "dealer_sees", "hearts", "spades"),
    "weak_hand": ("off", "farmers_redeal", "farmers_swap", "ace_no_face"),
    "alone_who": ("any", "maker_side", "maker_only", "none"),
    "alone_timing": ("before_lead", "with_call"),
    "canadian_loner": (False, True),
    "defend_alone": ("any", "vs_loner", "off"),
    "partners_best": (False, True),
    "lone_lead": ("left_of_loner", "left_of_dealer"),
    "lone_defender": ("2/4", "4"),
    "lone_euchred": (2, 4),
    "super_euchre": (False, True),
    "two_handed_dummy": (0, 2),
    "claim": (True, False),
    "laps": (False, True),
    "slam": (False, True),
}
"""The values each option may take (section 5), the article's first."""


class RulesExcluded(ValueError):
    """Options that exclude each other: ``options`` are their names, ``str()`` names them in a sentence."""

    def __init__(self, options: tuple[str, ...], sentence: str) -> None:
        super().__init__(sentence)
        self.options = options


@dataclass(frozen=True, slots=True)
class Rules:
    """Every option the engine plays. The defaults are the preset ``article``.

    RulesExcluded for two options that exclude each other, ValueError for a value there is not.
    """

    players: Literal[2, 3, 4] = 4
    """Two and three play each for himself (V4, V5), four in two partnerships (R1)."""
    pack: Literal[24, 25, 28, 32, 33] = 24
    """Cards in the pack; 25 and 33 hold the joker (R4-R7, V2, V3)."""
    target_score: int = 10
    """Points that win the game (R2, O1)."""
    num_deals: int = 0
    """A fixed number of deals instead of a target; 0 is none. Level at the end: play on (O22)."""
    first_dealer: Literal["random", "first_black_jack"] = "random"
    """How the first dealer is found (R15, O2)."""
    packets: Literal["3-2", "2-3"] = "3-2"
    """The deal: 3 2 3 2 then 2 3 2 3, or the other way round (R19, O2)."""
    stick_the_dealer: bool = False
    """The dealer may not pass in round two (R32, O3)."""
    all_pass_penalty: Literal[0, 1] = 0
    """A stuck dealer may pass after all, and gives each opposing side this point (O21)."""
    turned_down_callable: bool = False
    """Round two may name the suit that was turned down (G4, O4)."""
    must_have_trump: Literal["off", "dealer", "any"] = "off"
    """Who needs a natural trump in hand to make it: the dealer who accepts, or anybody who calls (O12)."""
    dealer_exchange: Literal["optional", "mandatory"] = "optional"
    """Whether a dealer who was ordered up may leave the up-card (R27, O5)."""
    no_trump: Literal["off", "round2", "stuck_dealer"] = "off"
    """Who may call no-trump in round two: nobody, anybody, a stuck dealer (O14)."""
    joker_up: Literal["dealer_blind", "dealer_sees", "hearts", "spades"] = "dealer_blind"
    """The joker as up-card: the dealer names its suit before or after looking, or it stands for
    a suit. Without a joker in the pack it means nothing (V3, O15)."""
    weak_hand: Literal["off", "farmers_redeal", "farmers_swap", "ace_no_face"] = "off"
    """What a hand without court cards may ask for: a new deal, or three cards of the kitty (O13)."""
    alone_who: Literal["any", "maker_side", "maker_only", "none"] = "any"
    """Who may go alone (R37, O7)."""
    alone_timing: Literal["before_lead", "with_call"] = "before_lead"
    """When a maker says so: asked before the lead, or with the call; then his partner is not asked (O20)."""
    canadian_loner: bool = False
    """The dealer's partner may order up only alone (O6)."""
    defend_alone: Literal["any", "vs_loner", "off"] = "any"
    """When a defender may go alone (O8)."""
    partners_best: bool = False
    """A loner may put a card away and have one of his partner's (V6, O17)."""
    lone_lead: Literal["left_of_loner", "left_of_dealer"] = "left_of_loner"
    """Who leads when somebody is alone (R40, R41, O9)."""
    lone_defender: Literal["2/4", "4"] = "2/4"
    """What a lone defender's euchre is worth: 4 only for all five tricks, or always (R53-R55, O10)."""
    lone_euchred: Literal[2, 4] = 2
    """What a lone maker's euchre is worth to two defenders (G11, O11)."""
    super_euchre: bool = False
    """Makers without a trick give 4 (O18)."""
    two_handed_dummy: Literal[0, 2] = 0
    """Cards of the kitty a maker of two takes before he puts as many away (V4 b)."""
    claim: bool = True
    """Who leads may claim the remaining tricks when they are certain (O16, section 5.1)."""
    laps: bool = False
    """Points beyond the target open the winner's next game (V6, O19)."""
    slam: bool = False
    """A game against no point counts twice (V6, O19)."""

    def __post_init__(self) -> None:
        for name, values in OPTIONS.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name} is one of {values}, not {getattr(self, name)!r}")
        for options, excluded, sentence in EXCLUSIONS:
            if excluded(self):
                raise RulesExcluded(options, sentence)

    @property
    def sides(self) -> int:
        """How many sides score: two, or three of three players."""
        return 3 if self.players == 3 else 2

    def side(self, seat: int) -> int:
        """The side a seat plays for."""
        return seat % self.sides

    @property
    def joker(self) -> bool:
        """Whether the pack holds the joker."""
        return self.pack in JOKER_PACKS

    @property
    def alone_with_call(self) -> bool:
        """Whether a maker goes alone with the call, or not at all (O20)."""
        return self.alone_timing == "with_call" and self.alone_who != "none"

    def proposed_suit(self, up_card: Card) -> Suit | None:
        """The suit an up-card proposes (R18); None where the dealer names it (V3)."""
        if up_card != BENNY:
            return up_card[1]
        return {"hearts": "H", "spades": "S"}.get(self.joker_up)


EXCLUSIONS: list[tuple[tuple[str, ...], Callable[[Rules], bool], str]] = [
    (
        ("no_trump", "pack"),
        lambda r: r.no_trump != "off" and r.joker,
        "no_trump and a pack with the joker exclude each other: at no-trump the joker would have no suit (O14).",
    ),
    (
        ("no_trump", "stick_the_dealer"),
        lambda r: r.no_trump == "stuck_dealer" and not r.stick_the_dealer,
        "no_trump=stuck_dealer needs stick_the_dealer: otherwise no dealer is stuck (O14, O3).",
    ),
    (
        ("all_pass_penalty", "stick_the_dealer"),
        lambda r: bool(r.all_pass_penalty) and not r.stick_the_dealer,
        "all_pass_penalty needs stick_the_dealer: it is the price of not being stuck (O21, O3).",
    ),
    (
        ("players", "alone_who"),
        lambda r: r.players != 4 and r.alone_who != "none",
        "alone_who and players other than four exclude each other: who has no partner is alone (V4, V5).",
    ),
    (
        ("canadian_loner", "alone_who"),
        lambda r: r.alone_who == "none" and r.canadian_loner,
        "canadian_loner and alone_who=none exclude each other: it makes the dealer's partner go alone (O6, O7).",
    ),
    (
        ("partners_best", "alone_who"),
        lambda r: r.alone_who == "none" and r.partners_best,
        "partners_best and alone_who=none exclude each other: only a loner calls for it (O17, O7).",
    ),
    (
        ("num_deals", "laps", "slam"),
        lambda r: bool(r.num_deals) and (r.laps or r.slam),
        "num_deals and laps or slam exclude each other: they count from the target score (O22, O19).",
    ),
    (
        ("two_handed_dummy", "players"),
        lambda r: bool(r.two_handed_dummy) and r.players != 2,
        "two_handed_dummy and players other than two exclude each other (V4 b).",
    ),
]
"""What cannot be played together: the options, when, and why."""

ARTICLE = Rules()
_FOR_FEWER = replace(ARTICLE, alone_who="none", players=2)
PRESETS: dict[str, Rules] = {
    "article": ARTICLE,
    "tournament_scene": replace(ARTICLE, stick_the_dealer=True),
    "british": replace(ARTICLE, pack=25, target_score=11, dealer_exchange="mandatory", lone_defender="4"),
    "pack32": replace(ARTICLE, pack=32),
    "two_handed": _FOR_FEWER,
    "three_handed": replace(_FOR_FEWER, players=3),
    "railroad": replace(
        ARTICLE, pack=25, defend_alone="vs_loner", lone_defender="4", joker_up="hearts", partners_best=True,
        laps=True, slam=True,
    ),
}  # fmt: skip
"""The presets of section 5.3; ``tournament_scene`` is its column "ranked"."""

assert [field.name for field in fields(Rules)] == list(OPTIONS)
