"""House rules in words: every option, each of its values, the presets, and what excludes what.

Whatever the site says about an option is said here: the form of a table, its chips and the page
of rules print these words. ``sentence`` is a statement of the rule, true of a table that plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django import template
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext_lazy, npgettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine import BENNY, OPTIONS, PRESETS, Rules, effective_suit

register = template.Library()

Words = Any
"""A text, most often one that is translated when it is shown."""


class Value(NamedTuple):
    """A value of an option: its word in the form, its chip, and the rule as a sentence."""

    word: Words
    chip: Words
    sentence: Words


class Option(NamedTuple):
    label: Words
    line: Words
    """One line of explanation for who chooses."""
    values: Mapping[Any, Value]


class Preset(NamedTuple):
    label: Words
    chip: Words
    line: Words


class Difference(NamedTuple):
    """An option that is not played as in the standard rules."""

    label: str
    word: str
    sentence: str


NO: Final = pgettext_lazy("house rule", "No")
YES: Final = pgettext_lazy("house rule", "Yes")


def _filled(words: Words, count: int) -> str:
    return str(words) % {"count": count}


_fill: Final[Callable[[Words, int], Words]] = lazy(_filled, str)


def _targets() -> dict[Any, Value]:
    return {
        count: Value(
            str(count),
            _fill(pgettext_lazy("house rule: points that win", "first to %(count)d"), count),
            _fill(
                ngettext_lazy(
                    "The first side with %(count)d point or more wins the game.",
                    "The first side with %(count)d points or more wins the game.",
                    count,
                ),
                count,
            ),
        )
        for count in (5, 7, 10, 11, 15, 21)
    }


def _numbers_of_deals() -> dict[Any, Value]:
    no_number = Value(
        pgettext_lazy("fixed number of deals", "None"),
        _("no fixed number of deals"),
        _("The game goes to a score, not for a number of deals."),
    )
    return {0: no_number} | {
        count: Value(
            str(count),
            _fill(npgettext_lazy("length of a game", "%(count)d deal", "%(count)d deals", count), count),
            _fill(
                ngettext_lazy(
                    "The game has %(count)d deal, a passed one counting too, and then the most points win. "
                    "Level at the top, more deals follow until one side leads.",
                    "The game has %(count)d deals, a passed one counting too, and then the most points win. "
                    "Level at the top, more deals follow until one side leads.",
                    count,
                ),
                count,
            ),
        )
        for count in (4, 5, 6, 8, 10, 12, 16, 20, 24)
    }


def _packs() -> dict[Any, Value]:
    sentences = {
        24: _("The pack has 24 cards: nine to ace in each suit."),
        25: _("The pack has 25 cards: nine to ace in each suit, and the joker, the highest trump of all."),
        28: _("The pack has 28 cards: eight to ace in each suit."),
        32: _("The pack has 32 cards: seven to ace in each suit."),
        33: _("The pack has 33 cards: seven to ace in each suit, and the joker, the highest trump of all."),
    }
    return {
        size: Value(
            str(size), _fill(npgettext_lazy("size of the pack", "%(count)d card", "%(count)d cards", size), size), words
        )
        for size, words in sentences.items()
    }


OPTION_WORDS: Final[dict[str, Option]] = {
    "players": Option(
        _("Players"),
        _("Four play in two partnerships; two or three play each for themselves."),
        {
            2: Value(
                "2",
                _("two players"),
                _("Two people play against each other: nobody has a partner, so nobody goes alone."),
            ),
            3: Value(
                "3",
                _("three players"),
                _(
                    "Three people play each for themselves: in each deal two are against the one who named trump. "
                    "All five tricks score 3 points, and both others score if the maker is euchred."
                ),
            ),
            4: Value(
                "4", _("four players"), _("Four people play in two partnerships; partners sit opposite each other.")
            ),
        },
    ),
    "pack": Option(
        _("Cards"),
        _("24 is nine to ace. 28 adds the eights, 32 the sevens too; 25 and 33 hold the joker, the highest trump."),
        _packs(),
    ),
    "target_score": Option(_("Points to win"), _("The first side with so many points wins the game."), _targets()),
    "num_deals": Option(
        _("Fixed number of deals"),
        _("Instead of playing to a score: after so many deals the most points win."),
        _numbers_of_deals(),
    ),
    "first_dealer": Option(
        _("First dealer"),
        _("Drawn by lot, or whoever is dealt the first black jack."),
        {
            "random": Value(
                pgettext_lazy("first dealer", "By lot"),
                _("first dealer by lot"),
                _("The first dealer is drawn by lot."),
            ),
            "first_black_jack": Value(
                pgettext_lazy("first dealer", "First black jack"),
                _("first black jack deals"),
                _("The pack is dealt out in turn, and whoever gets the first black jack is the first dealer."),
            ),
        },
    ),
    "packets": Option(
        _("Dealing"),
        _("Five cards come in two rounds: three and two by turns, or two and three."),
        {
            "3-2": Value(
                pgettext_lazy("dealing", "3, then 2"),
                _("dealt by threes first"),
                _(
                    "The dealer gives three cards to the first player, two to the next and so on, "
                    "and then the other way round."
                ),
            ),
            "2-3": Value(
                pgettext_lazy("dealing", "2, then 3"),
                _("dealt by twos first"),
                _(
                    "The dealer gives two cards to the first player, three to the next and so on, "
                    "and then the other way round."
                ),
            ),
        },
    ),
    "stick_the_dealer": Option(
        _("Stick the dealer"),
        _("When all others have passed twice, the dealer must name trump."),
        {
            False: Value(
                NO,
                _("dealer may pass"),
                _("When everybody has passed in both rounds, nothing is played and the next player deals."),
            ),
            True: Value(
                YES,
                _("stick the dealer"),
                _("When all others have passed in both rounds, the dealer is stuck and must name trump."),
            ),
        },
    ),
    "all_pass_penalty": Option(
        _("Price of passing"),
        _("A stuck dealer may pass after all, for a point to each other side. Only with stick the dealer."),
        {
            0: Value(
                pgettext_lazy("price of passing", "None"),
                _("no price for passing"),
                _("A stuck dealer cannot buy the way out."),
            ),
            1: Value(
                pgettext_lazy("price of passing", "1 point"),
                _("a stuck dealer may pass for a point"),
                _("A stuck dealer may pass after all: each other side gets a point, and the next player deals."),
            ),
        },
    ),
    "turned_down_callable": Option(
        _("Turned-down suit"),
        _("Whether the second round may name the suit that was turned down."),
        {
            False: Value(
                pgettext_lazy("turned-down suit", "Out"),
                _("turned-down suit is out"),
                _("In the second round the suit that was turned down may not be named."),
            ),
            True: Value(
                pgettext_lazy("turned-down suit", "May be named"),
                _("turned-down suit may be named"),
                _("In the second round any suit may be named, the one that was turned down included."),
            ),
        },
    ),
    "must_have_trump": Option(
        _("A trump in hand"),
        _("Who has to hold a card of a suit to make it trump. The left bower and the joker do not count."),
        {
            "off": Value(
                pgettext_lazy("a trump in hand", "Nobody"), _("no trump needed to call"), _("Any hand may call a suit.")
            ),
            "dealer": Value(
                pgettext_lazy("a trump in hand", "The dealer"),
                _("dealer needs a trump to take up"),
                _(
                    "The dealer may take up the card only with another of its suit in hand; "
                    "the left bower and the joker do not count."
                ),
            ),
            "any": Value(
                pgettext_lazy("a trump in hand", "Whoever calls"),
                _("a trump needed to call"),
                _(
                    "Whoever calls a suit needs a card of it in hand; the up-card, the left bower and the joker do not "
                    "count. A dealer who has to name a suit and holds none that may be named is excused."
                ),
            ),
        },
    ),
    "dealer_exchange": Option(
        _("The up-card"),
        _("Whether a dealer who was ordered up may leave the card."),
        {
            "optional": Value(
                pgettext_lazy("the up-card", "May be left"),
                _("dealer may leave the up-card"),
                _("When somebody else has called, the dealer may take the up-card or leave it."),
            ),
            "mandatory": Value(
                pgettext_lazy("the up-card", "Must be taken"),
                _("dealer must take the up-card"),
                _("The dealer must take the up-card, whoever has called."),
            ),
        },
    ),
    "no_trump": Option(
        _("No-trump"),
        _("A call without trumps or bowers, in the second round. Not with a joker."),
        {
            "off": Value(NO, _("suits only"), _("Only suits can be named.")),
            "round2": Value(
                pgettext_lazy("no-trump", "Anybody"),
                _("no-trump may be called"),
                _(
                    "In the second round anybody may call no-trump: no suit is trump, every jack is a plain jack, "
                    "and the highest card of the suit led wins."
                ),
            ),
            "stuck_dealer": Value(
                pgettext_lazy("no-trump", "Stuck dealer"),
                _("no-trump for a stuck dealer"),
                _(
                    "A stuck dealer may call no-trump: no suit is trump, every jack is a plain jack, "
                    "and the highest card of the suit led wins."
                ),
            ),
        },
    ),
    "joker_up": Option(
        _("The joker turned up"),
        _("What happens when the up-card is the joker."),
        {
            "dealer_blind": Value(
                pgettext_lazy("the joker turned up", "Dealer names a suit unseen"),
                _("joker up: named unseen"),
                _(
                    "When the joker is turned up there is no bidding: before anybody looks at a card the dealer names "
                    "trump, takes the joker and puts a card away."
                ),
            ),
            "dealer_sees": Value(
                pgettext_lazy("the joker turned up", "Dealer looks, then names a suit"),
                _("joker up: dealer looks first"),
                _(
                    "When the joker is turned up there is no bidding: after a look at the hand the dealer names trump, "
                    "takes the joker and puts a card away."
                ),
            ),
            "hearts": Value(
                pgettext_lazy("the joker turned up", "Stands for hearts"),
                _("joker up is hearts"),
                _("A joker turned up proposes hearts; a dealer who takes it up has the joker."),
            ),
            "spades": Value(
                pgettext_lazy("the joker turned up", "Stands for spades"),
                _("joker up is spades"),
                _("A joker turned up proposes spades; a dealer who takes it up has the joker."),
            ),
        },
    ),
    "weak_hand": Option(
        _("Weak hands"),
        _("What a hand without court cards may ask for before the bidding."),
        {
            "off": Value(
                pgettext_lazy("weak hands", "Nothing"),
                _("weak hands are played"),
                _("Weak hands are played like any other."),
            ),
            "farmers_redeal": Value(
                pgettext_lazy("weak hands", "Nothing above a ten: new deal"),
                _("farmer’s hand: new deal"),
                _(
                    "Before the bidding, the first hand from the dealer’s left with nothing above a ten (a farmer’s "
                    "hand) is shown, and the same dealer deals again. The table does it by itself."
                ),
            ),
            "farmers_swap": Value(
                pgettext_lazy("weak hands", "Nothing above a ten: swap three cards"),
                _("farmer’s hand: swap three"),
                _(
                    "Before the bidding, the first player from the dealer’s left with nothing above a ten (a farmer’s "
                    "hand) puts three cards under for three of those left over. Nobody sees them."
                ),
            ),
            "ace_no_face": Value(
                pgettext_lazy("weak hands", "An ace, else nothing above a ten: new deal"),
                _("ace, no face: new deal"),
                _(
                    "Before the bidding, the first hand from the dealer’s left with one ace and else nothing above a "
                    "ten is shown, and the same dealer deals again. The table does it by itself."
                ),
            ),
        },
    ),
    "alone_who": Option(
        _("Who may go alone"),
        _("To play without one’s partner, who sits the deal out. Only with four players."),
        {
            "any": Value(
                pgettext_lazy("who may go alone", "Anybody"),
                _("anybody may go alone"),
                _(
                    "A player may go alone, at most one of a side: the partner lays the cards face down and sits "
                    "the deal out."
                ),
            ),
            "maker_side": Value(
                pgettext_lazy("who may go alone", "The makers"),
                _("only makers go alone"),
                _(
                    "Only one of the side that named trump may go alone: the partner lays the cards face down "
                    "and sits the deal out."
                ),
            ),
            "maker_only": Value(
                pgettext_lazy("who may go alone", "The caller"),
                _("only the caller goes alone"),
                _(
                    "Only the player who named trump may go alone: the partner lays the cards face down "
                    "and sits the deal out."
                ),
            ),
            "none": Value(pgettext_lazy("who may go alone", "Nobody"), _("nobody goes alone"), _("Nobody goes alone.")),
        },
    ),
    "alone_timing": Option(
        _("When to say so"),
        _("Before the first card is led, or together with the call."),
        {
            "before_lead": Value(
                pgettext_lazy("when to go alone", "Before the lead"),
                _("alone before the lead"),
                _("Going alone is declared after trump is fixed and before the first card is led."),
            ),
            "with_call": Value(
                pgettext_lazy("when to go alone", "With the call"),
                _("alone with the call"),
                _("Who names trump goes alone with the call itself or not at all; the partner is not asked."),
            ),
        },
    ),
    "canadian_loner": Option(
        _("Partner’s call is alone"),
        _("The dealer’s partner may order up only by going alone."),
        {
            False: Value(NO, _("partner may assist"), _("The dealer’s partner may call like everybody else.")),
            True: Value(
                YES,
                _("dealer’s partner calls alone"),
                _("In the first round the dealer’s partner may call only by going alone."),
            ),
        },
    ),
    "defend_alone": Option(
        _("Defenders alone"),
        _("When a defender may go alone, where anybody may."),
        {
            "any": Value(
                pgettext_lazy("defenders alone", "Always"),
                _("defenders may go alone"),
                _("A defender may go alone whether or not a maker does."),
            ),
            "vs_loner": Value(
                pgettext_lazy("defenders alone", "Against a loner"),
                _("defend alone only against a loner"),
                _("A defender may go alone only against a maker who does."),
            ),
            "off": Value(
                pgettext_lazy("defenders alone", "Never"), _("nobody defends alone"), _("Defenders do not go alone.")
            ),
        },
    ),
    "partners_best": Option(
        _("Partner’s best"),
        _("Who goes alone may put a card away and have one from the partner."),
        {
            False: Value(NO, _("no partner’s best"), _("Who goes alone plays the cards in hand.")),
            True: Value(
                YES,
                _("partner’s best"),
                _(
                    "Who goes alone may put a card away, face down, and call for the partner’s best: the partner, "
                    "who may choose any card, gives one face down."
                ),
            ),
        },
    ),
    "lone_lead": Option(
        _("Lead against a loner"),
        _("Who leads to the first trick when somebody is alone."),
        {
            "left_of_loner": Value(
                pgettext_lazy("lead against a loner", "Left of the loner"),
                _("lead from the loner’s left"),
                _("If one player is alone, the player to that player’s left leads. If two are, the defender leads."),
            ),
            "left_of_dealer": Value(
                pgettext_lazy("lead against a loner", "Left of the dealer"),
                _("lead from the dealer’s left"),
                _("Even if somebody is alone, the first player from the dealer’s left leads who still plays."),
            ),
        },
    ),
    "lone_defender": Option(
        _("A lone defender’s points"),
        _("What a defender alone scores who euchres the makers."),
        {
            "2/4": Value(
                pgettext_lazy("a lone defender's points", "2, or 4 for all tricks"),
                _("lone defender 2 or 4"),
                _("A defender alone who euchres the makers scores 2 points, and 4 with all five tricks."),
            ),
            "4": Value(
                pgettext_lazy("a lone defender's points", "4"),
                _("lone defender 4"),
                _("A defender alone who euchres the makers scores 4 points."),
            ),
        },
    ),
    "lone_euchred": Option(
        _("A loner euchred"),
        _("What the defenders score when the two of them euchre a maker alone."),
        {
            2: Value("2", _("loner euchred 2"), _("Two defenders who euchre a maker alone score 2 points.")),
            4: Value("4", _("loner euchred 4"), _("Two defenders who euchre a maker alone score 4 points.")),
        },
    ),
    "super_euchre": Option(
        _("Makers without a trick"),
        _("Whether makers who take no trick at all give 4 points."),
        {
            False: Value(NO, _("no extra for no trick"), _("Makers without a single trick are euchred like others.")),
            True: Value(YES, _("makers without a trick give 4"), _("Makers without a single trick give 4 points.")),
        },
    ),
    "two_handed_dummy": Option(
        _("Extra cards for two"),
        _("With two players: who names trump takes two cards of the pack and puts two away."),
        {
            0: Value(pgettext_lazy("extra cards", "None"), _("no extra cards"), _("Nobody takes extra cards.")),
            2: Value(
                pgettext_lazy("extra cards", "Two"),
                _("maker takes two extra cards"),
                _(
                    "Who has named trump takes two of the cards left over, and puts any two away, "
                    "before the first lead."
                ),
            ),
        },
    ),
    "claim": Option(
        _("Claiming"),
        _("Who leads may claim the remaining tricks when they are certain."),
        {
            True: Value(
                YES,
                _("claims"),
                _(
                    "Who is to lead may claim all remaining tricks where they are certain; "
                    "the button comes up only then."
                ),
            ),
            False: Value(NO, _("no claims"), _("Every trick is played out, certain or not.")),
        },
    ),
    "laps": Option(
        _("Laps"),
        _("Points beyond the target count for the winner’s next game at the table."),
        {
            False: Value(NO, _("no laps"), _("Points beyond the target count for nothing.")),
            True: Value(YES, _("laps"), _("Points beyond the target open the winner’s next game at the table.")),
        },
    ),
    "slam": Option(
        _("Slam"),
        _("A game won while the others have no point counts as two."),
        {
            False: Value(NO, _("no slam"), _("Every game won counts as one.")),
            True: Value(YES, _("slam"), _("A game won while the others have no point counts as two games.")),
        },
    ),
}
"""Every option of the engine and each of its values."""

GROUPS: Final[tuple[tuple[Words, tuple[str, ...]], ...]] = (
    (_("Players and cards"), ("players", "pack", "joker_up", "two_handed_dummy", "packets", "first_dealer")),
    (
        _("Calling trump"),
        (
            "stick_the_dealer", "all_pass_penalty", "turned_down_callable", "no_trump", "must_have_trump",
            "dealer_exchange", "weak_hand",
        ),
    ),
    (
        _("Going alone"),
        ("alone_who", "defend_alone", "alone_timing", "canadian_loner", "lone_lead", "partners_best"),
    ),
    (
        _("Points and the end of the game"),
        (
            "target_score", "num_deals", "lone_defender", "lone_euchred", "super_euchre", "claim", "laps", "slam",
        ),
    ),
)  # fmt: skip
"""The options in the order in which a form asks for them."""

PRESET_WORDS: Final[dict[str, Preset]] = {
    "article": Preset(
        pgettext_lazy("preset", "Standard"),
        pgettext_lazy("preset", "standard rules"),
        _("Four players, 24 cards, first to ten. Ranked."),
    ),
    "tournament_scene": Preset(
        pgettext_lazy("preset", "Stick the dealer"),
        pgettext_lazy("preset", "stick the dealer"),
        _("The standard rules, but every deal is played. Ranked, too."),
    ),
    "british": Preset(
        pgettext_lazy("preset", "British"),
        pgettext_lazy("preset", "British, 25 cards"),
        _("The joker, called Benny, is the highest trump. First to eleven."),
    ),
    "pack32": Preset(
        pgettext_lazy("preset", "32 cards"),
        pgettext_lazy("preset", "32 cards"),
        _("The sevens and eights come back in; all else is standard."),
    ),
    "two_handed": Preset(
        pgettext_lazy("preset", "Two-handed"),
        pgettext_lazy("preset", "two-handed"),
        _("Two players, no partners, nobody goes alone."),
    ),
    "three_handed": Preset(
        pgettext_lazy("preset", "Three-handed"),
        pgettext_lazy("preset", "three-handed"),
        _("Each for themselves, and whoever calls against the two others."),
    ),
    "railroad": Preset(
        pgettext_lazy("preset", "Railroad"),
        pgettext_lazy("preset", "Railroad, 25 cards"),
        _("A joker, partner’s best, laps and slam: games that go fast."),
    ),
}

EXCLUSION_WORDS: Final[dict[tuple[str, ...], Words]] = {
    ("no_trump", "pack"): _(
        "No-trump and a pack with the joker exclude each other: the joker would have no suit. "
        "Choose 24, 28 or 32 cards, or play without no-trump."
    ),
    ("no_trump", "stick_the_dealer"): _(
        "No-trump for a stuck dealer needs “stick the dealer”: otherwise no dealer is stuck."
    ),
    ("all_pass_penalty", "stick_the_dealer"): _(
        "A price of passing needs “stick the dealer”: otherwise the dealer may pass for nothing."
    ),
    ("players", "alone_who"): _(
        "With two or three players nobody has a partner, so who may go alone has to be “nobody”; "
        "or choose four players."
    ),
    ("canadian_loner", "alone_who"): _(
        "A partner who may call only alone does not go with “nobody” for who may go alone."
    ),
    ("partners_best", "alone_who"): _(
        "Partner’s best does not go with “nobody” for who may go alone: only a loner calls for it."
    ),
    ("num_deals", "laps", "slam"): _(
        "A fixed number of deals does not go with laps or slam: both count from the points to win."
    ),
    ("two_handed_dummy", "players"): _("Extra cards are for two players: choose two, or no extra cards."),
}
"""What the engine says of options that exclude each other, by their names."""


def matters(rules: Rules, name: str) -> bool:
    """Whether an option makes any difference beside the others: without a joker in the pack, say,
    it does not matter what is played when one is turned up."""
    match name:
        case "target_score":
            return not rules.num_deals
        case "joker_up":
            return rules.joker
        case "all_pass_penalty":
            return rules.stick_the_dealer
        case "alone_who":
            return rules.players == 4
        case "alone_timing" | "canadian_loner" | "partners_best" | "lone_lead" | "lone_euchred":
            return rules.alone_who != "none"
        case "defend_alone":
            return rules.alone_who == "any"
        case "lone_defender":
            return rules.alone_who == "any" and rules.defend_alone != "off"
        case "two_handed_dummy":
            return rules.players == 2
    return True


class Start(NamedTuple):
    """A preset to choose."""

    name: str
    words: Preset
    rules: Rules


STARTS: Final = tuple(Start(name, words, PRESETS[name]) for name, words in PRESET_WORDS.items())


@lru_cache(maxsize=4096)
def _changes(rules: Rules, preset: str) -> tuple[str, ...]:
    """The options that matter and are not as in a preset."""
    base = PRESETS[preset]
    return tuple(name for name in OPTIONS if getattr(rules, name) != getattr(base, name) and matters(rules, name))


def value_of(rules: Rules, name: str) -> Value:
    """The words for what the rules say about an option."""
    return OPTION_WORDS[name].values[getattr(rules, name)]


def preset_of(rules: Rules) -> str | None:
    """The name of the preset that plays exactly like these rules, None if there is none."""
    return next((name for name in PRESETS if not _changes(rules, name)), None)


@register.filter
def chips(rules: Rules) -> list[str]:
    """What is not as in the standard rules, in a few words each; the nearest preset first if that
    tells more: ``["British, 25 cards", "first to 15"]``. Empty for the standard rules."""
    near = min(PRESETS, key=lambda name: _distance(rules, name))
    words = PRESET_WORDS[near]
    another_pack = PRESETS[near].joker and rules.pack != PRESETS[near].pack  # its chip tells the pack
    named = [str(words.label if another_pack else words.chip)] if near != "article" else []
    return named + [str(value_of(rules, name).chip) for name in _changes(rules, near)]


def _distance(rules: Rules, preset: str) -> float:
    changes = len(_changes(rules, preset))
    return changes + (preset != "article") if changes else 0.5 * (preset != "article")


@register.filter
def differences(rules: Rules) -> list[Difference]:
    """What is not as in the standard rules, option by option."""
    return [
        Difference(str(OPTION_WORDS[name].label), str(value_of(rules, name).word), str(value_of(rules, name).sentence))
        for name in _changes(rules, "article")
    ]


@register.filter
def bower(card: str, trump: str) -> str:
    """What a card is called as a trump, if it has a name of its own; else an empty text."""
    if card == BENNY:
        return pgettext("card", "Joker")
    if card[0] != "J" or effective_suit(card, trump) != trump:
        return ""
    return gettext("Right bower") if card[1] == trump else gettext("Left bower")


@register.simple_tag
def rule(rules: Rules, name: str) -> str:
    """What the rules say about an option, as a sentence."""
    return str(value_of(rules, name).sentence)
