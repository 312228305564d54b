"""The end of a game on the felt: result, score chart, ratings, rematch."""

from __future__ import annotations

from itertools import pairwise

from django.urls import reverse

from games.live import words
from games.live.pieces import Over, OverFoot, Race, RaceLine, Standing
from games.live.texts import gettext as _
from games.live.texts import ngettext
from games.live.words import Names
from games.models import Table
from games.selectors.tables import GameOver, RatingLine, SeatInfo, TableSnapshot

LABEL_GAP = 14
"""Least distance of the chart's labels, in its units."""


def panel(table: TableSnapshot, over: GameOver, place: int | None, names: Names, teams: tuple[str, ...]) -> Over:
    """The result as seat ``place`` sees it (None: watchers); ``teams`` are its words for the
    sides, its own first."""
    return Over(
        table=_table_line(table),
        title=title(table, over, place, names),
        text=_summary(table, over, place),
        race=_race(over, _top(table), table.rules.side(place or 0), teams),
        players=tuple(_standing(table.seats[line.seat], line, place) for line in over.ratings),
        surer=_surer(table, over, place),
    )


def foot(table: TableSnapshot, place: int | None) -> OverFoot:
    """What may follow, for the same."""
    own = table.seats[place] if place is not None else None
    waits = table.phase == Table.Phase.OVER
    people = [] if table.reserved else [seat for seat in table.seats if seat.person and not seat.keeper]
    ready = [seat for seat in people if table.ready & 1 << seat.index]
    return OverFoot(
        rematch_words=_rematch_words(people, ready, place) if waits and people else "",
        dots=tuple(not seat.person or seat in ready for seat in table.seats),
        replay=reverse("game", args=[table.game_id]) if table.game_id else "",
        seated=own is not None and waits,
        rematch=waits and own is not None and own not in ready and not table.reserved,
        timed=waits and table.due_at is not None,
        back=table.back,
    )


def title(table: TableSnapshot, over: GameOver, place: int | None, names: Names) -> str:
    """Who won, in a sentence without its full stop."""
    if over.by_leave:
        return _title_by_leave(table, over, place, names)
    won, *rest = [table.score[over.winner], *(points for side, points in enumerate(table.score) if side != over.winner)]
    if len(rest) == 2:
        who = {"who": names[over.winner], "first": won, "second": rest[0], "third": rest[1]}
        if place == over.winner:
            return _("You won with %(first)d, to %(second)d and %(third)d") % who
        return _("%(who)s won with %(first)d, to %(second)d and %(third)d") % who
    if place is None:
        team = words.team_name(names, over.winner)
        return _("%(team)s won, %(first)d to %(second)d") % {"team": team, "first": won, "second": rest[0]}
    if over.winner == table.rules.side(place):
        return _("You won, %(first)d to %(second)d") % {"first": won, "second": rest[0]}
    return _("You lost, %(second)d to %(first)d") % {"first": won, "second": rest[0]}


def _title_by_leave(table: TableSnapshot, over: GameOver, place: int | None, names: Names) -> str:
    if place is None:
        return _("%(team)s won: the others have left") % {"team": words.team_name(names, over.winner)}
    if over.winner == table.rules.side(place):
        return _("You won: the others have left")
    return _("You lost: you were not there when the others took the win")


def _table_line(table: TableSnapshot) -> str:
    name = table.title or _("Table %(number)d") % {"number": table.id}
    return (_("%(table)s, ranked") if table.ranked else _("%(table)s, friendly")) % {"table": name}


def _summary(table: TableSnapshot, over: GameOver, place: int | None) -> str:
    hands = ngettext("%(count)d hand.", "%(count)d hands.", len(over.deals)) % {"count": len(over.deals)}
    if over.by_leave:
        side = table.rules.side(place or 0)
        order = [(side + offset) % len(table.score) for offset in range(len(table.score))]
        return (
            f"{hands} {_('It stood at %(score)s.') % {'score': ' : '.join(str(table.score[each]) for each in order)}}"
        )
    if place is None:
        return hands
    rules = table.rules
    there = sum(deal.score[rules.side(place)] == rules.target_score - 1 for deal in over.deals)
    if rules.num_deals:
        there = 0
    text = " ".join(filter(None, [hands, _match_words(table, place)]))
    if not there:
        return text
    barn = ngettext("You were in the barn for one of them.", "You were in the barn for %(count)d of them.", there)
    return f"{text} {barn % {'count': there}}"


def _match_words(table: TableSnapshot, place: int) -> str:
    """How the games at this table stand, where laps or slams count (O19)."""
    if table.match is None:
        return ""
    ours = table.match.games_won[table.rules.side(place)]
    theirs = sum(table.match.games_won) - ours
    said = _("Games so far: you %(ours)d, they %(theirs)d.") % {"ours": ours, "theirs": theirs}
    laps = max(table.match.carry)
    if not laps:
        return said
    lead = ngettext("The next one starts at %(laps)d to 0.", "The next one starts at %(laps)d to 0.", laps)
    return f"{said} {lead % {'laps': laps}}"


def _top(table: TableSnapshot) -> int:
    """The highest line of the chart."""
    return max(table.rules.target_score, *table.score) if table.rules.num_deals else table.rules.target_score


def _race(over: GameOver, target: int, side: int, teams: tuple[str, ...]) -> Race | None:
    """The score after each deal as a line for each side."""
    if not over.deals:
        return None
    sides = [(side + offset) % len(teams) for offset in range(len(teams))]
    scores = [[deal.score[other] for deal in over.deals] for other in sides]
    each = " ".join(
        [
            _("%(who)s: %(scores)s.") % {"who": team, "scores": ", ".join(map(str, points))}
            for team, points in zip(teams, scores, strict=True)
        ]
    )
    lines = tuple(
        RaceLine(_path(points, target), label, team, points[-1])
        for team, points, label in zip(teams, scores, _labels([points[-1] for points in scores], target), strict=True)
    )
    return Race(
        caption=_("Score after each hand. %(each)s") % {"each": each},
        target=target,
        half=target // 2,
        lines=lines,
        us_y=_height(scores[0][-1], target),
    )


def _labels(ends: list[int], target: int) -> list[int]:
    """Where the labels of the lines stand: beside their ends, apart from each other."""
    heights = [_height(end, target) for end in ends]
    order = sorted(range(len(ends)), key=lambda at: (heights[at], at))
    for before, after in pairwise(order):
        heights[after] = max(heights[after], heights[before] + LABEL_GAP)
    over = max(0, heights[order[-1]] - 98)
    return [height - over for height in heights]


def _height(score: int, target: int) -> int:
    return round(98 - 90 * min(score, target) / target)


def _path(scores: list[int], target: int) -> str:
    step = 340 / len(scores)
    points = [f"{step * at:.0f} {_height(score, target)}" for at, score in enumerate([0, *scores])]
    return f"M{' L'.join(points)}"


def _standing(seat: SeatInfo, line: RatingLine, place: int | None) -> Standing:
    rated = line.before is not None and line.after is not None and not seat.bot_level
    return Standing(
        name=seat.name or _("somebody who left"),
        seed=seat.player_id,
        you=line.seat == place,
        bot=bool(seat.bot_level),
        left=line.left,
        before=line.before if line.before is not None else seat.rating,
        after=line.after if line.after is not None else seat.rating,
        change=line.after - line.before if rated and line.before is not None and line.after is not None else None,
        number=seat.index + 1 if seat.person and line.seat != place else 0,
    )


def _surer(table: TableSnapshot, over: GameOver, place: int | None) -> str:
    if not table.ranked:
        return _("A friendly game: nobody’s rating changes, and leaving costs nothing.")
    own = next((line for line in over.ratings if line.seat == place), None)
    if own is None or own.give_or_take_before is None or own.give_or_take_after is None:
        return ""
    if own.give_or_take_after >= own.give_or_take_before:
        return _("Give or take %(points)d.") % {"points": own.give_or_take_after}
    return _("Give or take %(after)d now, %(before)d before: the number is getting surer.") % {
        "after": own.give_or_take_after,
        "before": own.give_or_take_before,
    }


def _rematch_words(people: list[SeatInfo], ready: list[SeatInfo], place: int | None) -> str:
    if len(people) == 1:
        return _("The bots are ready. Play again?") if people[0].index == place else _("The bots are ready.")
    said = ngettext("%(ready)d of %(all)d wants a rematch.", "%(ready)d of %(all)d want a rematch.", len(ready)) % {
        "ready": len(ready),
        "all": len(people),
    }
    waiting = [seat for seat in people if seat not in ready]
    if len(waiting) == 1 and waiting[0].index != place:
        return f"{said} {_('Waiting for %(who)s.') % {'who': waiting[0].name}}"
    return said
