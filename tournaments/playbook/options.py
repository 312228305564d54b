"""The options that several formats have."""

from __future__ import annotations

from tournaments.formats.progressive import STEPS
from tournaments.formats.scores import HOUSES, LONGEST
from tournaments.playbook.shape import Option, Value, Values
from tournaments.standings import CLUB, CLUB_WINS, KEYS, ONE_AGAINST_ONE, SCORES, SWISS, Key


def flag(name: str, default: bool = False, needs: tuple[str, tuple[Value, ...]] | None = None) -> Option:
    return Option(name, "flag", default, needs=needs)


def number(
    name: str, default: int, least: int, most: int, needs: tuple[str, tuple[Value, ...]] | None = None
) -> Option:
    return Option(name, "number", default, least=least, most=most, needs=needs)


def choice(name: str, default: str, *others: str, needs: tuple[str, tuple[Value, ...]] | None = None) -> Option:
    return Option(name, "choice", default, (default, *others), needs=needs)


TARGET = number("target", 10, 1, LONGEST, ("hands", (0,)))
HANDS = number("hands", 0, 0, LONGEST)
EIGHT_HANDS = number("hands", 8, 0, LONGEST)
OVER_HANDS = ("hands", tuple(range(1, LONGEST + 1)))
TIES = choice("ties", "half", "extra_hand", needs=OVER_HANDS)
SETTLED = choice("ties", "extra_hand", "half", needs=OVER_HANDS)
HOUSE = choice("house", *HOUSES)
THROWN_IN = flag("thrown_in", needs=OVER_HANDS)
LONER_BONUS = number("loner_bonus", 0, 0, 10)

TO_THE_END = (TARGET, HANDS, HOUSE, THROWN_IN)
"""A match that cannot end level."""
GAME = (TARGET, HANDS, TIES, HOUSE, THROWN_IN)
EVENING = (TARGET, EIGHT_HANDS, TIES, HOUSE, THROWN_IN, LONER_BONUS)
MOVING = (TARGET, EIGHT_HANDS, SETTLED, HOUSE, THROWN_IN, LONER_BONUS)

OF_PEOPLE = tuple(key for key in KEYS if key not in ONE_AGAINST_ONE)
REST_AVERAGE = flag("rest_average", True, ("ranking", ("points",)))
REST_HALF = flag("rest_half")
LATE_HALF = flag("late_half")

STEP_NAMES = tuple(sorted(STEPS, key=lambda name: name != "Chatgamers"))


def ranking(first: str) -> Option:
    return choice("ranking", first, *(key for key in SCORES if key != first))


def tiebreaks(keys: tuple[Key, ...] = KEYS) -> Option:
    return Option("tiebreaks", "order", (), keys)


def order_of_pairs(values: Values) -> Values:
    """The tie-breaks of a Swiss for pairs, by what ranks."""
    return {"tiebreaks": SWISS if values["ranking"] == "wins" else CLUB}


def order_of_people(values: Values) -> Values:
    """The tie-breaks of a club evening, by what ranks."""
    return {"tiebreaks": CLUB_WINS if values["ranking"] == "wins" else CLUB}


def order_of_league(values: Values) -> Values:
    """The tie-breaks where everybody has played everybody."""
    return {
        "tiebreaks": (
            ("head_to_head", "difference", "points", "extra")
            if values["ranking"] == "wins"
            else ("won", "head_to_head", "difference", "extra")
        )
    }
