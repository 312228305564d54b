"""The end of a game on the felt: result, score chart, ratings, rematch."""

from __future__ import annotations

from django.urls import reverse

from games.live import pieces, words
from games.live.pieces import Over, Race, Standing
from games.live.texts import gettext as _
from games.live.texts import ngettext
from games.live.words import Names
from games.models import Table
from games.selectors.tables import GameOver, RatingLine, SeatInfo, TableSnapshot

LABEL_GAP = 14
"""Least distance of the chart's two labels, in its units."""


def panel(table: TableSnapshot, over: GameOver, place: int | None, names: Names, teams: tuple[str, str]) -> Over:
    """The result as seat ``place`` sees it (None: watchers); ``teams`` are its words for the two
    sides, its own first."""
    own = table.seats[place] if place is not None else None
    waits = table.phase == Table.Phase.OVER
    people = [seat for seat in table.seats if seat.person]
    ready = [seat for seat in people if table.ready & 1 << seat.index]
    return Over(
        table=_table_line(table),
        title=title(table, over, place, names),
        text=_summary(table, over, place),
        race=_race(over, table.rules.target_score, (place or 0) % 2, teams, labelled=place is not None),
        players=tuple(_standing(table.seats[line.seat], line, place) for line in over.ratings),
        surer=_surer(over, place),
        rematch_words=_rematch_words(people, ready, place) if waits and people else "",
        dots=tuple(not seat.person or seat in ready for seat in table.seats),
        replay=reverse("game", args=[table.game_id]) if table.game_id else "",
        seated=own is not None and waits,
        rematch=waits and own is not None and own not in ready,
        left=pieces.seconds(table.due_at, table.made_at) if waits else None,
    )


def title(table: TableSnapshot, over: GameOver, place: int | None, names: Names) -> str:
    """Who won, in a sentence without its full stop."""
    first, second = table.score[over.winner], table.score[1 - over.winner]
    if place is None:
        team = words.team_name(names, over.winner)
        return _("%(team)s won, %(first)d to %(second)d") % {"team": team, "first": first, "second": second}
    if over.winner == place % 2:
        return _("You won, %(first)d to %(second)d") % {"first": first, "second": second}
    return _("You lost, %(second)d to %(first)d") % {"first": first, "second": second}


def _table_line(table: TableSnapshot) -> str:
    name = table.title or _("Table %(number)d") % {"number": table.id}
    return (_("%(table)s, ranked") if table.ranked else _("%(table)s, friendly")) % {"table": name}


def _summary(table: TableSnapshot, over: GameOver, place: int | None) -> str:
    hands = ngettext("%(count)d hand.", "%(count)d hands.", len(over.deals)) % {"count": len(over.deals)}
    if place is None:
        return hands
    there = sum(deal.score[place % 2] == table.rules.target_score - 1 for deal in over.deals)
    if not there:
        return hands
    barn = ngettext("You were in the barn for one of them.", "You were in the barn for %(count)d of them.", there)
    return f"{hands} {barn % {'count': there}}"


def _race(over: GameOver, target: int, side: int, teams: tuple[str, str], *, labelled: bool) -> Race | None:
    """The score after each deal as two lines; ``labelled``: the teams' words fit beside them."""
    if not over.deals:
        return None
    ours, theirs = ([deal.score[team] for deal in over.deals] for team in (side, 1 - side))
    caption = _("Score after each hand. %(us)s: %(ours)s. %(them)s: %(theirs)s.") % {
        "us": teams[0],
        "ours": ", ".join(map(str, ours)),
        "them": teams[1],
        "theirs": ", ".join(map(str, theirs)),
    }
    first, second = _height(ours[-1], target), _height(theirs[-1], target)
    label = second
    if abs(first - second) < LABEL_GAP:
        label = first + (LABEL_GAP if first <= second else -LABEL_GAP)
    return Race(
        caption=caption,
        target=target,
        half=target // 2,
        us=_path(ours, target),
        them=_path(theirs, target),
        us_y=first,
        us_label=first + 4,
        them_label=label + 4,
        us_words=f"{teams[0]} {ours[-1]}" if labelled else str(ours[-1]),
        them_words=f"{teams[1]} {theirs[-1]}" if labelled else str(theirs[-1]),
    )


def _height(score: int, target: int) -> int:
    return round(98 - 90 * min(score, target) / target)


def _path(scores: list[int], target: int) -> str:
    step = 356 / len(scores)
    points = [f"{24 + step * at:.0f} {_height(score, target)}" for at, score in enumerate([0, *scores])]
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
    )


def _surer(over: GameOver, place: int | None) -> str:
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
