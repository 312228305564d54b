"""A whole event played through the real services by typed scores, and counted again from its log."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.models import Player
from tournaments.formats.event import Constraints, NotPlayed, Result, Round, Snapshot, Table
from tournaments.formats.event import Entrant as Taking
from tournaments.formats.words import title
from tournaments.models import Club, Entrant, Event, EventTable, Member, Place, Report, Seating, Step
from tournaments.models import Round as Row
from tournaments.playbook import PLAYBOOKS, Plan
from tournaments.selectors.rights import Actor, read_actor
from tournaments.services import entrants, events, results, schedule
from tournaments.services.desk import _all_values
from tournaments.services.event_fields import plan_of
from tournaments.services.scoring import Score

KEPT = (Entrant, Member, Row, EventTable, Seating, Report, Place)
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "June")


class Evening:
    """An event in the hall that runs by itself; a director types."""

    def __init__(self, club: Club, director: Player, key: str, count: int, *, seed: int = 7, **fields: Any) -> None:
        self.director = director
        self.rng = random.Random(seed)
        self.key = key
        wanted = {"kind": Event.Kind.HALL, "title": key, "format": key, "late_until": 2} | fields
        self.id = events.create_event(club_id=club.pk, by=director.pk, **wanted)
        self.added = 0
        self.add(count)

    @property
    def event(self) -> Event:
        return Event.objects.select_related("club").get(pk=self.id)

    @property
    def by(self) -> Actor:
        return read_actor(self.event, self.director)

    @property
    def plan(self) -> Plan:
        return plan_of(self.event)

    @property
    def round(self) -> Row | None:
        return Row.objects.filter(event=self.id).order_by("-number").first()

    def add(self, count: int) -> None:
        """Paste the names of so many entrants."""
        members = self.plan.members
        lines = []
        for _entrant in range(count):
            names = [f"{NAMES[(self.added + at) % 10]} {chr(65 + (self.added + at) // 10)}" for at in range(members)]
            lines.append(" & ".join(names))
            self.added += members
        told = entrants.add_names(event_id=self.id, by=self.by, text="\n".join(lines))
        assert len(told.entrants) == count, told

    def start(self) -> None:
        events.announce(event_id=self.id, by=self.by)
        events.start(event_id=self.id, by=self.by)
        self.sweep()

    def sweep(self, later: timedelta = timedelta()) -> int:
        return schedule.sweep(timezone.now() + later)

    def tables(self, *states: str) -> list[EventTable]:
        found = EventTable.objects.filter(round=self.round).select_related("round").order_by("number")
        return list(found.filter(state__in=states or EventTable.OPEN))

    def score(self, table: EventTable) -> Score:
        """A score that the hands of a game of this event give."""
        if self.key == "duplicate":
            number = dict(title(table.label).values)["number"]
            deals = self.plan.number("deals")
            first = (number - 1) * deals + 1
            return Score(deals={deal: self.rng.choice((-4, -2, -1, 1, 2, 4)) for deal in range(first, first + deals)})
        rules = self.plan.score
        hands = sorted(rules.points.outcomes())
        points = [0, 0]
        played = 0
        while played < rules.hands if rules.hands else max(points) < rules.target:
            one, other = self.rng.choice(hands)
            points = [points[0] + one, points[1] + other]
            played += 1
        level = points[0] == points[1]
        settled = level and (rules.ties == "extra_hand" or table.label.startswith(("WR", "LR", "R", "F", "T")))
        return Score((points[0], points[1]), winner=self.rng.choice((0, 1)) if settled else None)

    def enter(self, table: EventTable, score: Score | None = None, *, again: bool = True) -> None:
        """Type a result; once more nothing happens."""
        score, by = score or self.score(table), self.by
        results.report(event_id=self.id, by=by, table_id=table.pk, score=score)
        if again:
            before = self.steps
            results.report(event_id=self.id, by=by, table_id=table.pk, score=score)
            assert self.steps == before

    @property
    def steps(self) -> int:
        return Step.objects.filter(event=self.id).count()

    def play_round(self) -> None:
        for place, table in enumerate(self.tables()):
            self.enter(table, again=not place)
        self.sweep()

    def play_on(self, incident: Callable[[Evening, int], None] = lambda evening, number: None) -> Event:
        """To the end; ``incident`` may do something in every round before its scores are typed."""
        for _round in range(80):
            event, found = self.event, self.round
            if event.state == Event.State.FINISHED:
                return event
            assert found is not None and found.state == Row.State.PLAYING, (self.key, found, found and found.state)
            incident(self, found.number)
            self.play_round()
        raise AssertionError("it never ends")


# --- counting again ---------------------------------------------------------------------------------------


def replay(event_id: int) -> dict[tuple[str, int], dict[str, Any]]:
    """Every row of the event as its log has it."""
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for step in Step.objects.filter(event=event_id).order_by("number"):
        for model, key, before, after in step.changes:
            if after is None:
                del rows[model, key]
            elif before is None:
                rows[model, key] = dict(after)
            else:
                known = rows.setdefault((model, key), dict(before))
                assert {name: known.get(name) for name in before if name in known} == {
                    name: before[name] for name in before if name in known
                }
                known.update(after)
    return rows


def check_log(event_id: int) -> None:
    """The log gives the rows that are stored, each value of them."""
    rows = replay(event_id)
    for model in KEPT:
        name = model._meta.model_name
        path = {Seating: "round__event", Report: "table__event"}.get(model, "event")
        stored = {row.pk: _all_values(row) for row in model.objects.filter(**{path: event_id})}
        logged = {key: values for (kind, key), values in rows.items() if kind == name}
        assert logged == stored, name


def recompute(event_id: int) -> list[tuple[int, int | None, float]]:
    """Number, place and score of every line of the standings, from the log and the formats alone."""
    rows = replay(event_id)
    event = Event.objects.get(pk=event_id)

    def of(kind: str) -> list[dict[str, Any]]:
        return [values for (model, _key), values in sorted(rows.items()) if model == kind]

    taking = []
    seen = {number for table in of("eventtable") for side in table["sides"] for number in side}
    for each in sorted(of("entrant"), key=lambda one: one["number"]):
        state = {"entered": "active", "checked_in": "active"}.get(each["state"], each["state"])
        gone = state in ("withdrawn", "disqualified")
        if state not in ("asked", "spare", "waiting") and not (gone and each["number"] not in seen):
            seed = each["seed"] or 100_000 + each["number"]
            taking.append(Taking(each["number"], seed, state, each["joined"], each["left"] if gone else None))
    played = []
    for each in sorted(of("round"), key=lambda one: one["number"]):
        if each["state"] != "closed":
            continue
        tables = sorted((t for t in of("eventtable") if t["round_id"] == each["id"]), key=lambda one: one["number"])
        played.append(
            Round(each["number"], tuple(_table(one) for one in tables), tuple(each["byes"]), tuple(each["rests"]))
        )
    extra = {one["number"]: one["extra"] for one in of("entrant") if one["extra"]}
    plan = PLAYBOOKS[event.format].read(event.settings, extra)
    snapshot = Snapshot(tuple(taking), tuple(played), event.rounds_planned, Constraints())
    return [(line.entrant, line.place, line.score) for line in plan.rows(snapshot, event.seed)]


def _table(row: dict[str, Any]) -> Table:
    sides = tuple(tuple(side) for side in row["sides"])
    result = {
        "confirmed": lambda: Result(
            (row["points_0"], row["points_1"]),
            winner=row["winner"],
            counters={name: {int(k): v for k, v in each.items()} for name, each in row["counters"].items()},
            deals={
                int(deal): NotPlayed(frozenset(score["at_fault"])) if isinstance(score, dict) else score
                for deal, score in row["deals"].items()
            },
        ),
        "forfeit": lambda: Result(outcome="forfeit", absent=row["absent"], winner=1 - row["absent"]),
        "double": lambda: Result(outcome="double_forfeit"),
        "void": lambda: Result(outcome="void"),
    }[row["state"]]()
    return Table(row["number"], sides, result, row["label"])


def check_places(event_id: int) -> None:
    """The places that were written are those of the recomputation."""
    counted = recompute(event_id)
    assert counted
    written = {
        (place.entrant.number, place.place, place.score)
        for place in Place.objects.filter(event=event_id).select_related("entrant")
    }
    assert written == {(number, place, float(score)) for number, place, score in counted}


def at(minutes: float) -> datetime:
    return timezone.now() + timedelta(minutes=minutes)
