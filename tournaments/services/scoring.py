"""How a table ended, written down: what was typed is checked, what a live game gave is taken over.

For the services of an event, at an open desk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from games.models import Game, Participation
from games.services.errors import UserError
from tournaments.formats.event import EventError, NotPlayed, Outcome, Result
from tournaments.models import Entrant, Event, EventTable, Report, Round
from tournaments.selectors import snapshots
from tournaments.services.desk import Desk
from tournaments.services.event_fields import plan_of

STATES: Mapping[Outcome, str] = {
    "played": EventTable.State.CONFIRMED,
    "forfeit": EventTable.State.FORFEIT,
    "double_forfeit": EventTable.State.DOUBLE,
    "void": EventTable.State.VOID,
}
_ADDED = ("euchred", "loners", "loners_tried")
"""What the partners of a fixed pair have done together; the rest both are counted for."""

_OF_GAME = {
    "euchres": "euchres",
    "euchred": "euchred",
    "loners": "loners_made",
    "loners_tried": "loners_tried",
    "marches": "marches",
}


@dataclass(frozen=True, slots=True)
class Score:
    """What somebody says of a table. ``points`` by side; ``winner`` is the side that won an extra hand;
    of a forfeit, ``absent`` is the side that was not there; ``counters`` by name and entrant's number;
    ``deals`` of a duplicate event."""

    points: tuple[int, int] = (0, 0)
    winner: int | None = None
    outcome: Outcome = "played"
    absent: int | None = None
    counters: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    deals: Mapping[int, int | NotPlayed] = field(default_factory=dict)


FORFEIT_0, FORFEIT_1 = Score(outcome="forfeit", absent=0), Score(outcome="forfeit", absent=1)
DOUBLE, VOID = Score(outcome="double_forfeit"), Score(outcome="void")


def checked(score: Score, table: EventTable, event: Event) -> Result:
    """The result a score stands for. UserError for one that no table of the event can end with."""
    if table.round.state not in (Round.State.PLAYING, Round.State.CLOSED):
        raise UserError(_("Round %(number)d has not begun.") % {"number": table.round.number})
    if score.outcome == "forfeit":
        if score.absent not in (0, 1):
            raise UserError(_("Say which side was not there."))
        return Result(outcome="forfeit", absent=score.absent, winner=1 - score.absent)
    if score.outcome != "played":
        return Result(outcome=score.outcome)
    try:
        return plan_of(event).result(
            score.points,
            score.winner,
            score.counters,
            snapshots.sides_of(table),
            deals=score.deals or None,
            label=table.label,
        )
    except EventError as error:
        raise UserError(snapshots.tell(error, snapshots.read_course(event))) from error


def stored(result: Result) -> dict[str, Any]:
    """The columns of a table that keep a result."""
    played = result.outcome == "played"
    return {
        "points_0": result.points[0] if played else None,
        "points_1": result.points[1] if played else None,
        "winner": result.winner,
        "absent": result.absent,
        "counters": {
            name: {str(entrant): number for entrant, number in numbers.items()}
            for name, numbers in result.counters.items()
        },
        "deals": snapshots.keep_deals(result.deals),
    }


def said(result: Result) -> dict[str, Any]:
    """A result as a report keeps it."""
    columns = stored(result)
    return {
        "outcome": result.outcome,
        "points": list(result.points) if result.outcome == "played" else None,
        **{name: columns[name] for name in ("winner", "absent", "counters", "deals")},
    }


def agree(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two reports say the same, counters apart."""
    return all(one.get(name) == other.get(name) for name in ("outcome", "points", "winner", "absent", "deals"))


def write(
    desk: Desk,
    table: EventTable,
    result: Result,
    *,
    source: str,
    state: str | None = None,
    side: int | None = None,
    reason: str = "",
    away: frozenset[int] = frozenset(),
) -> None:
    """Keep a report and make it the table's result, in ``state`` (confirmed, or what the outcome is).
    Who has played has missed nothing in a row, but for the entrants (numbers) that were ``away``."""
    before = said(snapshots.result_of(table)) if table.state in EventTable.COUNTS else None
    desk.create(
        Report,
        table=table,
        source=source,
        side=side,
        by_id=desk.by.player_id,
        by_name=desk.by.name,
        values=said(result),
        reason=reason,
        at=desk.now,
    )
    state = state or STATES[result.outcome]
    done = desk.now if state in EventTable.COUNTS else None
    desk.change(table, **stored(result), state=state, done_at=done)
    if state == EventTable.State.CONFIRMED:
        here = {number for each in table.sides for number in each} - away
        for entrant in Entrant.objects.filter(event=desk.event, number__in=here, missed__gt=0):
            desk.change(entrant, missed=0)
    desk.say(
        round=table.round.number,
        table=table.number,
        outcome=result.outcome,
        points=list(result.points),
        absent=result.absent,
        **({"before": before} if before else {}),
    )


def take_game(desk: Desk, table: EventTable) -> bool:
    """Take the result of the live game that was played at a table, if it has ended and the table has
    none. Whose seat a bot held at the end was away."""
    if table.state not in EventTable.OPEN or table.live_table_id is None:
        return False
    game = Game.objects.filter(table=table.live_table_id, status=Game.Status.FINISHED).order_by("-pk").first()
    if game is None:
        return False
    parts = list(Participation.objects.filter(game=game).order_by("seat"))
    one, other = table.sides

    def entrant(seat: int) -> int:
        side = (one, other)[seat % 2]
        number: int = side[seat // 2] if len(side) == 2 else side[0]
        return number

    counters: dict[str, dict[int, int]] = {name: {} for name in _OF_GAME}
    for part in parts:
        who = entrant(part.seat)
        for name, column in _OF_GAME.items():
            done, had = getattr(part, column), counters[name].get(who, 0)
            counters[name][who] = had + done if name in _ADDED else max(had, done)
    winner = next(part.seat % 2 for part in parts if part.won)
    result = Result((game.score_0, game.score_1), winner=winner, counters=counters)
    away = frozenset(entrant(part.seat) for part in parts if part.left)
    desk.change(table, game_id=game.pk)
    write(desk, table, result, source=Report.Source.GAME, away=away)
    return True
