"""What formats have to say, as values, and the one table of the words for it.

A format gives a :class:`Reason`: a code and what it is about. Entrants are named and a language is
chosen by who shows it: ``words(reason, name_of, django.utils.translation)``, also for the problem
and the advice of an :class:`~tournaments.formats.event.EventError`.

| rule | test (test_words) |
|---|---|
| every code that a format uses has words, every word is used | test_codes_and_words |
| every field of a text is given, in both numbers of a plural, and in the advice | test_fields |
| entrants by the names that the caller knows, in lists of any length | test_names |
| another language: its words, its plurals, with or without ordinals | test_another_language |
| a reason survives being stored | test_stored |
| every label of a table has a title | test_titles |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from gettext import NullTranslations
from math import ceil
from string import Formatter
from typing import Any, Protocol, Union

Value = Union[int, float, str, datetime, tuple[int, ...], "Reason", tuple["Reason", ...]]
"""Entrants are a tuple, also one alone. What is counted or numbered is a number; text is for what
no language changes: a label, a score."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something to be said: the code of a text below, and the values of its fields by name."""

    code: str
    values: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return words(self)


def because(code: str, **values: Value) -> Reason:
    """A reason from its code and the fields of its text."""
    return Reason(code, tuple(values.items()))


class Language(Protocol):
    """What ``django.utils.translation`` and the classes of ``gettext`` have."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str: ...


ENGLISH: Language = NullTranslations()


def number_of(entrant: int) -> str:
    """``#7``, where no name is known."""
    return f"#{entrant}"


def words(reason: Reason, name_of: Callable[[int], str] = number_of, language: Language = ENGLISH) -> str:
    """A reason as text, not escaped for any page. KeyError for a code that there is no text for."""
    text = TEXTS[reason.code] if reason.code in TEXTS else MORE[reason.code]
    values = dict(reason.values)
    if isinstance(text, Plural):
        number = values[text.by]
        count = len(number) if isinstance(number, tuple) else ceil(float(number))  # type: ignore[arg-type]
        template = language.ngettext(text.one, text.many, count)
    else:
        template = language.gettext(text)
    return _Fields(name_of, language).vformat(template, (), values)


def stored(reason: Reason) -> list[Any]:
    """A reason of a draw for JSON: the code and the fields. Entrants become a list."""
    return [reason.code, {name: _plain(value) for name, value in reason.values}]


def restored(kept: Sequence[Any]) -> Reason:
    """The reason that :func:`stored` made this of."""
    code, values = kept
    return Reason(code, tuple((name, _value(value)) for name, value in values.items()))


def title(label: str) -> Reason:
    """What a label of a table means: ``WR2-1``, ``R1-4``, ``T``, ``F2``, ``G3``, ``S12``. ValueError
    for what is no label."""
    found = LABEL.fullmatch(label)
    if found is None:
        raise ValueError(f"{label!r} is no label of a table")
    one_of_round, number, place, whole, of_whole, single = found.groups()
    if one_of_round:
        return because(TITLES[one_of_round], number=int(number), place=int(place))
    return because(TITLES[whole], number=int(of_whole)) if whole else because(TITLES[single])


LABEL = re.compile(r"([WL]?R)(\d+)-(\d+)|([GS])(\d+)|(T|F2?)")


MORE: dict[str, str | Plural] = {}
"""Texts of those who build on the formats, for codes of their own."""


class _Fields(Formatter):
    def __init__(self, name_of: Callable[[int], str], language: Language) -> None:
        self.name_of, self.language = name_of, language

    def format_field(self, value: Any, form: str) -> str:
        if isinstance(value, Reason):
            return words(value, self.name_of, self.language)
        if isinstance(value, tuple):
            if value and isinstance(value[0], Reason):
                return " ".join(words(each, self.name_of, self.language) for each in value)
            return self._listed([self.name_of(each) for each in value])
        if form == "ordinal":
            return ordinal(value)
        return _halves(value) if form == "half" else str(super().format_field(value, form))

    def _listed(self, names: list[str]) -> str:
        if len(names) < 2:
            return names[0] if names else self.language.gettext(NOBODY)
        both: str = self.language.gettext(AND)
        return both.format(some=", ".join(names[:-1]), last=names[-1])


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``13th``: English; texts of other languages have the bare number."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _halves(number: float) -> str:
    whole, half = divmod(round(2 * number), 2)
    return f"{whole or ''}½" if half else str(whole)


def _plain(value: Value) -> Any:
    if isinstance(value, Reason):
        return {"reason": stored(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _value(kept: Any) -> Value:
    if isinstance(kept, Mapping):
        return restored(kept["reason"])
    if isinstance(kept, list):
        return tuple(_value(each) for each in kept)  # type: ignore[return-value]
    return kept  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Plural:
    """A text for one and a text for many of the field ``by``: of a number, or of entrants."""

    one: str
    many: str
    by: str


def _(text: str) -> str:
    """Marks a text for xgettext, as ``ngettext`` does."""
    return text


def ngettext(one: str, many: str, by: str) -> Plural:
    return Plural(one, many, by)


NOBODY = _("nobody")
AND = _("{some} and {last}")

TEXTS: dict[str, str | Plural] = {
    # By hand, and rests
    "by_hand": _("put together by hand"),
    "bye_by_hand": _("{who} has a bye by hand"),
    "bye_by_hand_again": _("{who} has a bye by hand, the {times:ordinal}"),
    "rests_by_hand": _("{who} rests by hand"),
    "rests_first": _("{who} rests: has not rested yet"),
    "rests_again": ngettext("{who} rests: has rested {times} time", "{who} rests: has rested {times} times", "times"),
    "rests_lowest_first": _("{who} rests: has not rested yet, lowest of those who have rested least"),
    "rests_lowest_again": ngettext(
        "{who} rests: has rested {times} time, lowest of those who have rested least",
        "{who} rests: has rested {times} times, lowest of those who have rested least",
        "times",
    ),
    "not_fairest": _("not those who have rested least: a wish could not be kept without them"),
    "stays_at_table": _("{who} stays at this table"),
    # Swiss
    "level": ngettext("both have {wins:half} win", "both have {wins:half} wins", "wins"),
    "floated_down": ngettext(
        "{who} floated down from {wins:half} win, the {times:ordinal} time",
        "{who} floated down from {wins:half} wins, the {times:ordinal} time",
        "wins",
    ),
    "floated_down_again": ngettext(
        "{who} floated down from {wins:half} win, the {times:ordinal} time, twice running for want of another",
        "{who} floated down from {wins:half} wins, the {times:ordinal} time, twice running for want of another",
        "wins",
    ),
    "floated_up": ngettext(
        "{who} floated up from {wins:half} win, the {times:ordinal} time",
        "{who} floated up from {wins:half} wins, the {times:ordinal} time",
        "wins",
    ),
    "floated_up_again": ngettext(
        "{who} floated up from {wins:half} win, the {times:ordinal} time, twice running for want of another",
        "{who} floated up from {wins:half} wins, the {times:ordinal} time, twice running for want of another",
        "wins",
    ),
    "repeat_avoided": _("repeat of round {round} avoided: {who}"),
    "apart_as_asked": _("kept apart as the director asked: {who}"),
    "met_before": _("they met in round {round}"),
    "oldest_repeat": _("a repeat of round {round}: all others have met more lately"),
    "bye_lowest": ngettext(
        "{who} has the bye with {wins:half} win, the lowest who had none and could sit out",
        "{who} has the bye with {wins:half} wins, the lowest who had none and could sit out",
        "wins",
    ),
    "bye_again": ngettext(
        "{who} has the bye with {wins:half} win, the {times:ordinal}: nobody else could sit out",
        "{who} has the bye with {wins:half} wins, the {times:ordinal}: nobody else could sit out",
        "wins",
    ),
    "scores_points": _("points {scores}"),
    "scores_wins": _("wins {scores}"),
    "exchanged": _("{who} changed places so that fewer meet again"),
    "drawn_anew": _("drawn anew with the tables near it"),
    "were_partners": _("{who} were partners in round {round}"),
    "kept_together": _("{who} are kept together"),
    "partners_no_other_way": _("{who} are partners again: no other way"),
    # Rotation and progressive
    "always_together": _("{who} always play together"),
    "partners_again": _("{who} are partners for the {times:ordinal} time"),
    "meets_again": _("{who} meets {other} for the {times:ordinal} time"),
    "new_opponents": _("new opponents for everybody"),
    "would_be_partners": _("{who} would be partners."),
    "would_be_opponents": _("{who} would be opponents."),
    "would_share": _("{who} would share a table, but are to stay at two."),
    "planned": _("planned round by round: {why}"),
    "fewer_meet": _("fewer meet again than by the whist table"),
    "director_chose": _("as the director chose"),
    "no_whist_table": _("there is no whist table for {people}"),
    "not_same_people": _("not the same people as at the start"),
    "as_before": _("as the rounds before"),
    "no_room_for_wishes": _("a whist table has no room for wishes"),
    "two_cannot_move": _("more than one cannot move"),
    "whist_round": _("round {round} of {rounds} of the whist table for {people}, which has {length}"),
    "whist_anew": _("the table has been played and starts anew"),
    "whist_4n": _("{rounds} rounds: each partners everybody once and meets everybody exactly twice; nobody rests."),
    "whist_4n1": _(
        "{rounds} rounds: each partners everybody once and meets everybody exactly twice; everybody rests once."
    ),
    "whist_4n2": _(
        "{rounds} rounds: each partners everybody but one once and meets everybody but that one exactly twice; "
        "everybody rests twice."
    ),
    "whist_4n2_uneven": _(
        "{rounds} rounds: each partners everybody but one once and meets everybody once or twice; "
        "everybody rests twice."
    ),
    "whist_4n3": _(
        "{rounds} rounds: each partners everybody but two once and meets everybody once or twice; "
        "everybody rests three times."
    ),
    "whist_7": _(
        "{rounds} rounds: each partners everybody but two once and meets everybody never or twice; "
        "everybody rests three times."
    ),
    "winners_up": _("winners go up, losers stay; the head table's losers go to the last table"),
    "losers_down": _("winners stay, losers go down; the last table's losers go to the head table"),
    "steps": _("every seat moves by its steps"),
    "colours": _("white cards go down a table, blue cards up; at two tables blue cards stay"),
    "by_lot": _("seats by lot"),
    "drew_lots": _("table {table} had no winner: the sides drew lots"),
    "exchanged_to_stay": _("{who} changed places so that who cannot move stays"),
    "exchanged_for_wish": _("{who} changed places to keep a wish"),
    "head_table": _("head table"),
    "stay": ngettext("{who} stays", "{who} stay", "who"),
    "come_from": ngettext("{who} comes from table {table}", "{who} come from table {table}", "who"),
    "come_in": ngettext("{who} comes in", "{who} come in", "who"),
    "alone": _("{who} plays alone, for the {times:ordinal} time"),
    "planner_draws": _("The planner draws every round."),
    "colours_even": _(
        "At an even number of tables half of the people never meet, and partners repeat soon: use the planner."
    ),
    "repeats_most": _("Of ten rounds' partnerships most will be a repeat. The planner avoids that."),
    "repeats_third": _("Of ten rounds' partnerships about one in three will be a repeat. The planner avoids that."),
    "repeats_sixth": _("Of ten rounds' partnerships about one in six will be a repeat. The planner avoids that."),
    "repeats_ninth": _("Of ten rounds' partnerships about one in nine will be a repeat. The planner avoids that."),
    "steps_full": _(
        "Moving by steps needs full tables: with a seat short or people resting others meet again. Use the planner."
    ),
    "steps_free": _("Nobody meets anybody twice in {rounds} rounds."),
    "steps_free_until": _("Nobody meets anybody twice in {rounds} rounds; in round {again} the first would."),
    "steps_repeat": _(
        "At {tables} tables the first meet again in round {again}. Use the planner, "
        "or 5, 7, 11 or another number of tables that neither 2 nor 3 divides."
    ),
    # Arena
    "time_up": _("The time is up: no more games are drawn."),
    "waiting": _("{count} waiting."),
    "drawn_at_once": _("Drawn at once: {who} had been left sitting."),
    "ranks_two": _("{one:ordinal} against {other:ordinal}"),
    "ranks_four": _("{one:ordinal} and {partner:ordinal} against {other:ordinal} and {others:ordinal}"),
    "parted": _("partners of the last game parted: {who}"),
    "rematch": _("a rematch: nobody else is there for them"),
    "rematch_avoided": _("rematch avoided: {who}"),
    # Brackets and leagues
    "bands": _("Seeds drawn by lot within bands of {band}, draw number {draw}."),
    "seeds_moved": _("Seeds moved so that entrants who shall not meet are apart in round 1."),
    "came_late": _("{who} came late, in round {round}, to the place of seed {seed}."),
    "waits_for": _("{match} waits for {who}."),
    "match": _("{match}: {one} against {other}"),
    "seed": _("seed {seed}"),
    "winner": _("winner of {match}"),
    "loser": _("loser of {match}"),
    "unwanted": _("they wished not to meet, but the bracket brings them together"),
    "berger": _("round {round} of the Berger table"),
    "berger_leg": _("round {round} of the Berger table, leg {leg}"),
    "has_bye": _("{who} has the bye of this round."),
    "extra_missed": _("extra match: postponed or missed before"),
    "extra_else": _("extra match: nothing else could be played in this round"),
    "not_free": _("their opponents are not free in this round"),
    "free": _("{who} is free: {left} has withdrawn."),
    "no_match": _("No match between {who}, who shall not meet."),
    "postponed": _("The match of {who} is postponed: {absent} absent."),
    # Duplicate and teams
    "deal": _("deal {deal}"),
    "deals": _("deals {first} to {last}"),
    "shares_deals": _("shares its deals with table {table}"),
    "sitting_out": _("Sitting out, with the own average: {who}."),
    "set_rests": _("Half way up, set {set} rests between two tables."),
    "team_boards": _("tables {first} and {second}, {deals} deals, the same deals; pairs swap opponents after {half}"),
    "team_tables": _(
        "tables {first} and {second}, {deals} deals, deals of its own at each; pairs swap opponents after {half}"
    ),
    # Ladder
    "no_answer": _("no answer to a challenge"),
    "no_game": _("no game for long"),
    "refused": _("refused a challenge"),
    "lost_place": _("lost the place in a match"),
    "won_place": _("won the place"),
    # Standings: what ranks, and the terms of a number
    "wins": _("wins, a tie half"),
    "points": _("points"),
    "average": _("average points a game"),
    "won": _("games won"),
    "head_to_head": _("head-to-head"),
    "buchholz": _("Buchholz: wins of the opponents"),
    "buchholz_cut1": _("Buchholz without the lowest"),
    "sonneborn_berger": _("Sonneborn-Berger: wins of those beaten, half of those tied"),
    "euchres": _("euchres made"),
    "loners": _("loners made"),
    "marches": _("marches made"),
    "difference": _("point difference"),
    "extra": _("extra hand or cut"),
    "late": _("late, joined in round {round}"),
    "withdrawn": _("withdrawn"),
    "withdrawn_before": _("withdrawn before round {round}"),
    "disqualified": _("disqualified"),
    "disqualified_before": _("disqualified before round {round}"),
    "won_against": _("won against {who}"),
    "tied_with": _("tied with {who}"),
    "lost_to": _("lost to {who}"),
    "late_half": _("half a win for a round missed before entering"),
    "absent": _("absent"),
    "void": _("the table is void"),
    "bye": _("bye"),
    "rest": _("rest"),
    "forfeit_won": _("the others did not come"),
    "forfeit_lost": _("did not come"),
    "scored": _("{score} against {who}"),
    "own_average": _("{what}: own average"),
    "own_wins": _("not played ({what}): own {wins:g}"),
    "strength": _("{who} with {wins:g}"),
    "strength_missed": _("{who} with {wins:g} and {missed:g} for rounds missed at the end"),
    "share": _("{share:g} x {what}"),
    "by_director": _("entered by the director"),
    "loner_bonus": _("extra for loners made"),
    "at_table": _("table {table}"),
    # Counters of a game
    "count_euchres": _("euchres"),
    "count_euchred": _("euchres suffered"),
    "count_loners": _("loners"),
    "count_loners_tried": _("loners tried"),
    "count_marches": _("marches"),
    # Titles of tables
    "title_round": _("Round {number}, match {place}"),
    "title_winners": _("Winners' round {number}, match {place}"),
    "title_losers": _("Losers' round {number}, match {place}"),
    "title_third": _("Third place"),
    "title_final": _("Final"),
    "title_reset": _("Second final"),
    "title_group": _("Group {number}"),
    "title_set": _("Set {number}"),
}

TITLES = {
    "R": "title_round", "WR": "title_winners", "LR": "title_losers", "T": "title_third",
    "F": "title_final", "F2": "title_reset", "G": "title_group", "S": "title_set",
}  # fmt: skip

TROUBLES: dict[str, tuple[str | Plural, str]] = {
    # Any format
    "all_played": (
        ngettext("The {rounds} round planned has been played.", "All {rounds} rounds have been played.", "rounds"),
        _("Close the event, or plan more rounds."),
    ),
    "unknown_in_round": (
        _("Round {round} seats {who}, not among the entrants."),
        _("Add the entrant again; who has left stays in the list as withdrawn."),
    ),
    "too_few": (_("Here to play: only {who}."), _("Wait until there are two.")),
    "too_few_for_four": (_("Here to play: only {who}."), _("A table needs four people.")),
    "needs_four": (
        _("A table needs four, but only {count} can play this round."),
        _("Let somebody in, or bring back who is absent."),
    ),
    "needs_three": (
        _("A table needs three at least, but only {count} can play this round."),
        _("Let somebody in, or bring back who is absent."),
    ),
    "one_on_each_side": (
        _("The table of {who} against {others} needs one entrant on each side."),
        _("Put the table together again."),
    ),
    "two_on_each_side": (
        _("The table of {who} against {others} needs two partners on each side."),
        _("Put the table together again."),
    ),
    "seated_not_here": (
        ngettext("{who} is put at a table, but is not here.", "{who} are put at a table, but are not here.", "who"),
        _("Bring the entrant back, or undo it."),
    ),
    "bye_not_here": (_("{who} is given a bye, but is not here."), _("Bring the entrant back, or undo it.")),
    "seated_twice": (
        ngettext(
            "{who} is put at a table, but already has a table or a bye.",
            "{who} are put at a table, but already have a table or a bye.",
            "who",
        ),
        _("Undo one of the two."),
    ),
    "bye_twice": (_("{who} is given a bye, but already has a table or a bye."), _("Undo one of the two.")),
    "no_such_table": (_("{who} is to stay at table {table}."), _("Tables are numbered from 1.")),
    "two_to_stay": (
        _("{who} are both to stay at table {table}."),
        _("Let one of them move, or seat them together by hand."),
    ),
    "never_opponents": (_("{who} must never meet, but are seated so."), _("Undo one of the two.")),
    "never_partners": (_("{who} must never be partners, but are seated so."), _("Undo one of the two.")),
    "stay_apart": (
        _("{who} meet, but are to stay at tables {table} and {other}."),
        _("Let one of them move."),
    ),
    "kept_for_two": (_("Table {table} is kept for {who} and for {others}."), _("Let one of them move.")),
    "fixed_pairs": (
        _("Partners are fixed in this event, so wishes about partners have no meaning."),
        _("Take them away, or say who must never be opponents."),
    ),
    "together_with_two": (_("{who} must always be the partner of two people."), _("Undo one of the two.")),
    "always_and_never": (_("{who} must always and never be partners."), _("Undo one of the two.")),
    "parted_by_hand": (
        _("{who} must always be partners, but are parted by a table made by hand."),
        _("Undo one of the two."),
    ),
    # Swiss
    "joined_late": (
        _("{who} joined after round {last}, the last to start in of {rounds} rounds."),
        _("Take the late entrants back, or plan more rounds."),
    ),
    "no_draw_all_met": (
        _("Round {round} cannot be drawn without a repeat: {who} met everybody who is here."),
        _(
            "Allow repeats (the oldest meeting is taken), or end the event here; for so many rounds a round "
            "robin is the better format."
        ),
    ),
    "no_draw": (
        _("Round {round} cannot be drawn without a repeat: some would have to meet again."),
        _(
            "Allow repeats (the oldest meeting is taken), or end the event here; for so many rounds a round "
            "robin is the better format."
        ),
    ),
    "no_draw_apart": (
        _("Round {round} cannot be drawn while everybody is kept apart as asked."),
        _("Take back a wish about who never meets, a fixed table, or a table made by hand."),
    ),
    "no_new_partners": (
        _("Round {round} cannot be drawn with a new partner for everybody."),
        _("Allow repeats (the fewest are taken), or end the event here."),
    ),
    "no_draw_wishes": (
        _("Round {round} cannot be drawn with everybody kept together and apart as asked."),
        _("Take back a wish about partners or opponents, a fixed table, or a table made by hand."),
    ),
    # Rotation and progressive
    "wishes_broken": (_("No tables found that keep every wish. {broken}"), _("Take one of the wishes back.")),
    "no_table": (_("There is no whist table for {people} people."), _("Let the rounds be planned one at a time.")),
    "partners_change": (
        _("Partners change every round here."),
        _("Choose a format for fixed pairs, or undo the wish."),
    ),
    "table_not_free": (_("Table {table} is kept for {who}, but is not free."), _("Let them move.")),
    "ended_level": (
        _("Table {table} ended level, and winners must move."),
        _("Play one more hand and enter who won it."),
    ),
    "stay_not_free": (_("{who} is to stay at table {table}, which is not free."), _("Let {who} move.")),
    "come_together": (
        _("{who} come together, and no change of places keeps every wish."),
        _("Take one of the wishes back, or make a table by hand."),
    ),
    # Arena
    "unknown_in_game": (
        _("A game seats {who}, not among the entrants."),
        _("Add the entrant again; who has left stays in the list as withdrawn."),
    ),
    "arena_byes": (_("An arena has no byes, but {who} is given one."), _("Pause who shall not play.")),
    "arena_pairs": (_("Entrants are fixed pairs: nobody is joined to a partner."), _("Take the wish away.")),
    "cannot_sit": (
        _("Table {table} is wanted by {who}, who cannot all sit there."),
        _("Let one of them move."),
    ),
    "table_of_others": (
        _("Table {table} is wanted by {who}, who cannot all sit there: it is that of {others}."),
        _("Let one of them move."),
    ),
    # Brackets
    "no_such_match": (_("There is no match {match} in this bracket."), _("The last is {last}.")),
    "meets_nobody": (
        _("{who} may meet nobody that round 1 could give."),
        _("Take a wish away, or change the seeds."),
    ),
    "bracket_too_few": (
        _("A bracket needs two entrants; there is {count}."),
        _("Enter more before the draw."),
    ),
    "bracket_too_late": (
        _("{who} is too late: no first-round bye is left that nobody has played beyond."),
        _("Enter the next event."),
    ),
    "bracket_over": (_("Every match of the bracket is decided: {who} has won."), _("Close the event.")),
    "nothing_ready": (
        _("No match can be played. {held}"),
        _("Bring the absent back, or let them forfeit or withdraw."),
    ),
    "knockout_level": (
        _("A knock-out match cannot end level."),
        _("Play an extra hand: it decides, and its points are not recorded."),
    ),
    "no_label": (
        _("Table {table} of round {round} does not say which match of the bracket it was."),
        _("Mark the result void, or say which match it was."),
    ),
    "strange_label": (
        _("Table {table} of round {round} is no match of this bracket, or its second result: {match}."),
        _("Mark the result void, or say which match it was."),
    ),
    "misfit": (
        _("Table {table} of round {round} was played for {match}, but other entrants belong there."),
        _("Mark the result void and play the match again. Seeds and wishes cannot change once a match is played."),
    ),
    "fixed_here": (
        _("Entrants are fixed here: the draw joins nobody to a partner."),
        _("Enter the two as one pair or team, and take the wish away."),
    ),
    "bracket_byes": (
        _("Byes are given by the bracket, not by hand: {who}."),
        _("Mark who cannot play as absent: the match is postponed."),
    ),
    "berger_byes": (
        _("Byes are given by the table of the round robin, not by hand: {who}."),
        _("Mark who cannot play as absent: the match is postponed."),
    ),
    "bracket_by_hand": (
        _("{who} cannot be put at a table now."),
        _("The bracket says who meets; change seeds before round 1."),
    ),
    "berger_by_hand": (_("{who} cannot be put at a table now."), _("They have no match left to play.")),
    # Round robin
    "groups_too_few": (
        _("{groups} groups need {needed} entrants; there are {count}."),
        _("Enter more, or make fewer groups."),
    ),
    "berger_too_few": (_("A round robin needs two entrants; there are {count}."), _("Enter more.")),
    "berger_too_late": (
        _("{who} is too late: a round robin takes nobody after its first round."),
        _("Enter the next event."),
    ),
    "berger_over": (
        _("Every match of the round robin is decided."),
        _("Close the event, or draw the playoffs."),
    ),
    "berger_stuck": (
        _("No match can be played: everybody who is here has played all who are here."),
        _("Bring the absent back, or let them withdraw."),
    ),
    "level_by_all": (_("{who} are level by every rule."), _("Cut the cards, and enter the order you found.")),
    # Duplicate
    "no_deals": (_("A set has at least one deal."), _("Choose how many deals are played in a round.")),
    "schedule_small": (
        _("The schedule is for {places}, but {count} are entered."),
        _("Choose a larger schedule."),
    ),
    "deals_missing": (
        ngettext("There is no score for deal {deals}.", "There is no score for deals {deals}.", "count"),
        _("Enter it, or say that it was not played."),
    ),
    "deals_strange": (
        ngettext("Set {set} has no deal {deals}.", "Set {set} has no deals {deals}.", "count"),
        _("Its deals are {expected}."),
    ),
    "deal_score": (
        _("Deal {deal} cannot give north-south {score}."),
        _("It can give {possible}; minus is for east-west."),
    ),
    "no_set": (
        _("A table of this event has no set of deals, but {label!r}."),
        _("Keep its label as drawn."),
    ),
    "howell_one": (_("In a Howell movement one pair can stay, not {who}."), _("Let the others move.")),
    "cannot_stay": (
        _("{who} is to stay at table {table}, where nobody can."),
        _("There are tables 1 to {tables}, with one pair each that stays."),
    ),
    "line_full": (
        _("{who} shall not meet, but one line has no room for all of them."),
        _("Take a wish away, or let one who stays move."),
    ),
    "movement_full": (
        _("{who} is too late: this movement has no empty place."),
        _("Wait until somebody leaves, or enter the next event."),
    ),
    "movement_over": (_("All {rounds} rounds of this movement are played."), _("Close the event.")),
    "movement_by_hand": (
        _("Who meets whom is given by the movement, not by hand."),
        _("Change the seeds, or mark who is absent."),
    ),
    "movement_partners": (
        _("A movement joins nobody to a partner."),
        _("Enter the two as a pair, or not at all."),
    ),
    "movement_meets": (
        _("{who} shall be kept apart, but round {round} brings them together."),
        _("Play fewer rounds, choose another movement or schedule, or take the wish away."),
    ),
    "movement_changed": (
        _("Round {round} was not played as this movement has it: {who} against {others}."),
        _("Take back what has been changed since: seeds, wishes, schedule or the table."),
    ),
    "mitchell_small": (_("A Mitchell movement needs two tables."), _("Enter more, or play a single game.")),
    "pairs_few": (
        _("Two tables are needed to compare results: four pairs."),
        _("Enter more, or play a single game."),
    ),
    "no_howell": (
        _("There is no Howell movement for {pairs} pairs, only for 4 to 32."),
        _("Choose a Mitchell movement, or a barometer."),
    ),
    # Teams
    "two_halves": (
        _("A match of {deals} deals has no two halves."),
        _("Choose an even number of deals, at least 2."),
    ),
    "match_level": (_("The match is level."), _("Play a set of {deals} more.")),
    "deal_points": (_("Deal {deal} cannot bring {points} points."), _("Possible are {possible}.")),
    "extra_set": (_("An extra set was entered after the match was settled."), _("Take it away.")),
    "victory_points": (_("Victory points are of a round robin."), _("Look at the bracket instead.")),
    # Ladder
    "too_early": (_("This happened before what is already entered."), _("Correct the log instead.")),
    "not_on_ladder": (_("{who} is not on the ladder."), _("Join first.")),
    "on_ladder": (_("{who} is on the ladder already."), _("There is nothing to do.")),
    "in_match": (_("{who} is in a match already."), _("Wait until it is played.")),
    "no_challenge": (_("There is no open challenge between {who}."), _("Enter the challenge first.")),
    "nothing_to_answer": (_("{who} has no challenge to answer."), _("Enter the result of the match.")),
    "too_far": (
        _("{who} is {rungs} rungs above {other}; allowed are 1 to {reach}."),
        _("Challenge somebody nearer above."),
    ),
    "not_above": (_("{who} is not above {other}."), _("Challenge somebody nearer above.")),
    "played_lately": (
        _("{who} have played within {days} days."),
        _("Challenge again from {when:%Y-%m-%d %H:%M} on."),
    ),
    # Scores
    "hand_points": (
        _("A hand is worth 0 to 10 points, and at least 1 to those who make it."),
        _("Change the table."),
    ),
    "penalties": (_("A penalty takes 0 to 10 points."), _("Change the table.")),
    "game_length": (
        _("A game goes to 1 to {most} points, or over 1 to {most} hands."),
        _("Choose numbers within these."),
    ),
    "score_level": (
        _("{score} is level."),
        _("Play one more hand and say who won it; its points are not recorded."),
    ),
    "tie_has_winner": (
        _("{score} is level, and a tie counts half a win each."),
        _("Leave the winner open."),
    ),
    "wrong_winner": (
        _("With {score} the other side has won."),
        _("Exchange the points, or the winner."),
    ),
    "winner_unknown": (_("An extra hand is won by one of the two sides."), _("Say which.")),
    "not_over": (_("{score} is not over: nobody has {target} points."), _("Type the score at the end.")),
    "both_over": (
        _("Both sides cannot have {target} points: the game ends as soon as one has."),
        _("The loser has at most {most}."),
    ),
    "too_many_points": (
        _("Nobody can win with {points} points in a game to {target}."),
        _("The winner has at most {most}."),
    ),
    "no_such_game": (
        _("No game to {target} ends {score} with what hands are worth here."),
        _("Check both scores."),
    ),
    "hands_sum": (
        _("{score} gives {total} points in {hands} hands; together they are {least} to {most}."),
        _("Check both scores, and whether all hands were played."),
    ),
    "no_such_hands": (
        _("No {hands} hands give {score} with what hands are worth here."),
        _("Check both scores."),
    ),
    "not_counted": (_("{counter!r} is not counted in euchre events."), _("Count {possible}.")),
    "not_at_table": (_("{who} does not sit at this table."), _("Count for those who do.")),
    "counter_wrong": (_("{who} cannot have {number} {counter}."), _("Check the number.")),
    "loners_tried": (_("{who} has made {made} loners of {tried} tried."), _("Check the two numbers.")),
    "counters_many": (
        _("{who} cannot have so many loners, euchres or marches with {points} points."),
        _("Check the points and the counts."),
    ),
    # Standings
    "missed_worth": (
        _("A rest or a missed round is worth nothing or half a win."),
        _("Choose 0 or 1 half wins."),
    ),
    "not_a_score": (_("An event is not ranked by {key!r}."), _("Choose one of {possible}.")),
    "not_a_tie_break": (_("There is no tie-break {key!r}."), _("Choose among {possible}.")),
    "key_twice": (_("In the order stands twice: {key}."), _("Keep it where it counts first.")),
    "no_buchholz": (
        _("Buchholz and Sonneborn-Berger have no meaning where partners change."),
        _("Choose other tie-breaks: games won, euchres, loners, point difference."),
    ),
    "not_ranked_by": (_("Does not count in this event: {key}."), _("Ask for what it is ranked by.")),
}

TEXTS |= {code: sentence for code, (sentence, _advice) in TROUBLES.items()}
TEXTS |= {f"{code}_advice": advice for code, (_sentence, advice) in TROUBLES.items()}
