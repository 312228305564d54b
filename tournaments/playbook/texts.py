"""The words of the playbooks: names of formats, options and their values, what was wrong with one.

All are marked for xgettext and none is translated here. Names are texts to translate as they are;
``TEXTS`` has those with fields, for :func:`tournaments.formats.words.words`.
"""

from __future__ import annotations

from tournaments.formats import words
from tournaments.formats.words import Plural


def _(text: str) -> str:
    """Marks a text for xgettext, as ``ngettext`` does."""
    return text


def ngettext(one: str, many: str, by: str) -> Plural:
    return Plural(one, many, by)


FORMATS: dict[str, tuple[str, str]] = {
    "single_elimination": (_("Knock-out"), _("Who loses a match is out.")),
    "double_elimination": (_("Double knock-out"), _("Who loses twice is out.")),
    "round_robin": (_("Round robin"), _("Everybody plays everybody.")),
    "groups": (_("Groups and playoffs"), _("Everybody plays the own group; the best of each play knock-out matches.")),
    "swiss": (_("Swiss, fixed pairs"), _("In each round pairs of about the same score meet; nobody is out.")),
    "swiss_individuals": (
        _("Swiss, new partner each round"),
        _("People of about the same score share a table, with another partner each time."),
    ),
    "rotation": (_("Rotation"), _("Everybody partners everybody, by a schedule as even as there is.")),
    "progressive": (_("Progressive"), _("After each round people move to another table, by how they did there.")),
    "arena": (_("Arena"), _("Short games, one after the other, against others of about the same rank.")),
    "duplicate": (_("Duplicate"), _("The same cards are dealt at many tables and the results compared.")),
    "teams": (_("Teams of four"), _("Two pairs make a team and play at two tables.")),
}
"""The name of each format, and a line about it."""

OPTIONS: dict[str, tuple[str, str]] = {
    "target": (_("Points that win a game"), _("Who has so many first has won the game.")),
    "hands": (_("Hands in a round"), _("0: a game goes to its points; else it ends after so many hands.")),
    "ties": (_("A level score"), _("What counts if both sides have as many points after the last hand.")),
    "house": (_("What hands are worth"), _("The points for hands that are made, and for those that are not.")),
    "thrown_in": (_("Hands may be thrown in"), _("If nobody calls trump, the hand gives no points.")),
    "loner_bonus": (_("Extra points for a loner"), _("Who makes a loner has so many more than the partner.")),
    "ranking": (_("Ranked by"), _("What counts first.")),
    "tiebreaks": (_("Tie-breaks"), _("What counts next, in this order, for those who are level.")),
    "rest_average": (_("A rest gives the own average"), _("Who rests is credited with the own average of points.")),
    "rest_half": (_("A rest is half a win"), _("Who rests is credited with half a win.")),
    "late_half": (_("Late entry gives half a win"), _("Who comes late is credited with half a win for one round.")),
    "first_round": (_("First round"), _("How it is drawn.")),
    "repeats": (_("Meet again if need be"), _("If there is no other way, the draw lets some meet a second time.")),
    "fair_seats": (_("Deal first in turn"), _("Who had the first seat less often has it next.")),
    "split": (_("Partners at a table"), _("Who of the four, by score, plays with whom.")),
    "choice": (_("Schedule"), _("Where the partners come from.")),
    "movement": (_("Movement"), _("Where people go after a round.")),
    "steps": (_("Steps"), _("How many tables each seat moves.")),
    "third_place": (_("Match for third place"), _("The losers of the semi-finals play for third place.")),
    "band": (_("Lots within bands of"), _("Seeds of one band are drawn by lot; 0 keeps all seeds.")),
    "legs": (_("How often two meet"), _("So many times everybody plays everybody.")),
    "seats_matter": (_("The first seat matters"), _("Nobody has it three times running at the turn of two legs.")),
    "groups": (_("Number of groups"), _("The entrants are dealt to so many groups by their seeds.")),
    "qualify": (_("Go on from each group"), _("So many of each group reach the playoffs.")),
    "playoffs": (_("Playoffs"), _("What who goes on then plays.")),
    "lots": (
        _("Lots decide what is level"),
        _("Who is level by every rule is ranked by lot; else a director enters an order."),
    ),
    "individuals": (_("Everybody alone"), _("People enter alone, with another partner each time.")),
    "streaks": (_("Streaks"), _("After two wins in a row each counts double until the first defeat.")),
    "late_games": (_("Late games count"), _("A game that ends after the time is up counts.")),
    "rank_withdrawn": (_("Who withdraws keeps a place"), _("Who withdraws is ranked like the others.")),
    "game_minutes": (_("Minutes of a game"), _("How long a game is expected to last.")),
    "deals": (_("Deals"), _("How many deals a table plays in a round or match.")),
    "share": (_("Share deals"), _("Two tables share their deals, so that an even number loses no round.")),
    "by_lot": (_("Places by lot"), _("Places are drawn by lot, not given by seed.")),
    "scoring": (_("Scoring of a deal"), _("What a result is compared by with the others of the same deal.")),
    "boards": (_("Same deals"), _("Both tables of a match play the same deals.")),
    "meeting": (_("How teams meet"), _("What decides which teams meet.")),
}
"""Of each option the name and a line of explanation."""

VALUES: dict[str, dict[str, str]] = {
    "ties": {"half": _("Half a win each"), "extra_hand": _("One more hand decides")},
    "house": {
        "standard": _("1, 2 for a march or a euchre, 4 for a loner"),
        "loner_euchred_3": _("3 for a loner euchred"),
        "loner_euchred_4": _("4 for a loner euchred"),
        "points_off": _("Points off for who is euchred: 2, 4 for a loner"),
    },
    "ranking": {"wins": _("Wins"), "points": _("Points"), "average": _("Average points a game")},
    "tiebreaks": {
        "wins": _("Wins"),
        "points": _("Points"),
        "average": _("Average points a game"),
        "won": _("Games won"),
        "head_to_head": _("Head-to-head"),
        "buchholz": _("Buchholz: wins of the opponents"),
        "buchholz_cut1": _("Buchholz without the lowest"),
        "sonneborn_berger": _("Sonneborn-Berger: wins of those beaten"),
        "euchres": _("Euchres made"),
        "loners": _("Loners made"),
        "marches": _("Marches made"),
        "difference": _("Point difference"),
        "extra": _("Extra hand or cut"),
    },
    "first_round": {"seed": _("By seed, top half against bottom half"), "random": _("By lot")},
    "split": {
        "1+4 v 2+3": _("First and last against the middle two"),
        "1+3 v 2+4": _("First and third against second and last"),
        "1+2 v 3+4": _("The first two against the last two"),
    },
    "choice": {
        "best": _("The better of both"),
        "table": _("The whist table"),
        "planner": _("Planned round by round"),
    },
    "movement": {
        "winners_up": _("Winners go up a table"),
        "losers_down": _("Losers go down a table"),
        "steps": _("Each seat moves by its steps"),
        "colours": _("Two colours of card, one moves up, one down"),
        "chart": _("A printed rotation"),
        "barometer": _("Barometer: all tables play the same deals"),
        "mitchell": _("Mitchell: half of the pairs sit, half move"),
        "howell": _("Howell: everybody meets everybody"),
    },
    "steps": {
        "World Euchre Federation": "World Euchre Federation: 0, +1, +2, −2",
        "Chatgamers": "Chatgamers: 0, −1, +1, +2",
        "plain": _("plain: 0, +1, +2, +3"),
    },
    "playoffs": {"single": _("Knock-out"), "double": _("Double knock-out")},
    "scoring": {
        "matchpoints": _("Matchpoints: 1 for each result beaten"),
        "difference": _("Difference to the other results"),
        "board_a_match": _("Board-a-match: won, tied or lost"),
    },
    "meeting": {
        "single": _("Knock-out"),
        "double": _("Double knock-out"),
        "round_robin": _("Everybody plays everybody"),
    },
}
"""Of each option that is a choice, or an order, the name of each value."""

COLUMNS: dict[str, str] = {
    **VALUES["tiebreaks"],
    "lost": _("Games lost"),
    "games": _("Games"),
    "total": _("Total"),
    "mean": _("Average of a deal"),
    "percent": _("Percent"),
    "performance": _("Performance"),
    "victory_points": _("Victory points"),
}
"""The heading of each column of the standings."""

TROUBLES: dict[str, tuple[str, str]] = {
    "settings_no_table": (_("These settings are no list of options."), _("Choose the format again.")),
    "option_unknown": (_("This format has no option {given}."), _("Leave it out.")),
    "wrong_flag": (_("“{option}” is yes or no, not {given}."), _("Choose one of both.")),
    "wrong_number": (
        _("“{option}” is a number from {least} to {most}, not {given}."),
        _("Choose a number within these."),
    ),
    "wrong_choice": (_("“{option}” cannot be {given}."), _("Choose one of the values offered.")),
    "wrong_order": (_("“{option}” is an order of different tie-breaks, not {given}."), _("Choose them again.")),
    "ranked_twice": (_("“{key}” ranks already, so it breaks no tie."), _("Take it out of the tie-breaks.")),
    "winner_needed": (
        _("Where winners move each table needs a winner, so a level score cannot stay level."),
        _("Let one more hand decide, or choose another movement."),
    ),
    "one_playoff": (
        _("One group from which one goes on leaves nobody to play against."),
        _("Make more groups, or let more go on."),
    ),
    "deals_needed": (_("A result of this event is told deal by deal."), _("Enter the points of every deal.")),
    "nobody_to_pair": (
        _("Nobody can be drawn now without playing the same again."),
        _("Bring back who is absent, or wait for somebody to come."),
    ),
}
"""What may be wrong, and the advice for it."""

TEXTS: dict[str, str | Plural] = {
    "advice_entrants": _("This is for {least} to {most} entrants."),
    "advice_no_schedule": _("There is no schedule for so many with these options."),
    "advice_single": ngettext(
        "{matches} match; half of those who play are out after their first.",
        "{matches} matches; half of those who play are out after their first.",
        "matches",
    ),
    "advice_double": _("{matches} matches, or one more; everybody plays at least two."),
    "advice_everybody": ngettext(
        "Everybody plays everybody once.", "Everybody plays everybody {times} times.", "times"
    ),
    "advice_part": _("Not everybody meets everybody in so few rounds."),
    "advice_groups": ngettext(
        "Matches for everybody: {least} or more; the best of each group goes on.",
        "Matches for everybody: {least} or more; the best {count} of each group go on.",
        "count",
    ),
    "advice_alone": _("A seat stays empty: somebody plays alone, another one each round."),
    "advice_unbeaten": _("At most one wins every match."),
    "advice_many_unbeaten": _("More than one may win every match: a few more rounds would tell them apart."),
    "advice_first_byes": _("The strongest seeds have a bye in the first round."),
    "advice_all_play": _("Everybody plays in every round."),
    "advice_rest": ngettext("Everybody sits out once.", "Everybody sits out {times} times.", "times"),
    "advice_rest_most": ngettext(
        "Nobody sits out more than once.", "Nobody sits out more than {times} times.", "times"
    ),
    "advice_new_partners": _("Nobody has the same partner twice."),
    "advice_new_opponents": _("Nobody meets the same opponents twice."),
    "advice_may_repeat": _("Some may have the same partner twice."),
    "advice_may_meet": _("Some may meet the same opponents twice."),
    "advice_repeats": _("Of a hundred partnerships about {percent} will be a repeat."),
    "game_of_arena": _("game {number}"),
    "on_streak": _("on a streak"),
    "match_of_team": _("match {number}"),
    "dealt": _("deal {deal}: {score}"),
    "dealt_not_played": _("deal {deal}: not played"),
    "deals_sat_out": _("rounds sat out, at the own average"),
    "level_drawn": _("{who} were level by every rule: the order is by the cut of the cards, else by lot."),
}

words.MORE.update(TEXTS)
words.MORE.update({f"option_{name}": label for name, (label, _line) in OPTIONS.items()})
words.MORE.update({code: problem for code, (problem, _advice) in TROUBLES.items()})
words.MORE.update({f"{code}_advice": advice for code, (_problem, advice) in TROUBLES.items()})
