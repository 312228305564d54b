"""An event's desk: opened by one writer at a time; what he changes is written down as one step.

A verb opens the desk, changes rows through it, and names what it did::

    with open_desk(event_id, by=by, needs="direct", kind="withdrew", reason=reason) as desk:
        entrant = desk.find(Entrant, entrant_id)
        desk.change(entrant, state=Entrant.State.WITHDRAWN, left=number)
        desk.say(name=entrant.name)

The people concerned are locked first, in the order of their ids, and then the event: as in
``tournaments.services.book``, so that nobody waits for somebody who waits for him. Desks are
not opened within one another.

After the commit the signal ``tournaments.signals.event_changed`` is sent, once a step, with the
event's id and version: the live pages listen to it, and nothing depends on its arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, Final, TypeVar

from django.db import models, transaction
from django.db.models.deletion import Collector
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Player
from games.models import Table as LiveTable
from games.services import reserved
from games.services.errors import UserError
from tournaments.models import (
    Entrant,
    Event,
    EventLink,
    EventTable,
    Member,
    PartnerRequest,
    Place,
    Report,
    Round,
    Seating,
    Step,
    Wish,
)
from tournaments.selectors.rights import Actor, Needs, Part, read_actor
from tournaments.services.book import NotAllowed, lock_people
from tournaments.signals import event_changed

UNDO: Final = "undid"
"""The kind of a step that undoes another one."""

CREATED: Final = "created"
"""The kind of an event's first step."""

_FOR_GOOD: Final = (UNDO, CREATED)
_LIVE: Final = "live_table_id"

WRITTEN: Final[dict[str, type[models.Model]]] = {
    str(model._meta.model_name): model
    for model in (
        Event, Entrant, Member, PartnerRequest, Round, EventTable, Seating, Report, Wish, EventLink, Place,
    )
}  # fmt: skip
"""The rows a step tells of, by the name it has for their model."""

Row = TypeVar("Row", bound=models.Model)
Values = dict[str, Any]
Key = tuple[str, int]


class Desk:
    """A locked event (``event``), who sits at its desk (``by``), and what he has done so far."""

    def __init__(self, event: Event, by: Actor, kind: str, reason: str) -> None:
        self.event = event
        self.by = by
        self.kind = kind
        self.reason = reason
        self.words: Values = {}
        self.now = timezone.now()
        self._touched: dict[Key, list[Values | None]] = {}
        self._due: list[datetime | None] = []

    @property
    def changed(self) -> bool:
        """Whether anything is different from what it was when the desk was opened."""
        return any(before != after for before, after in self._touched.values())

    def find(self, model: type[Row], key: int) -> Row:
        """A row of this event. UserError if it is gone."""
        row = _of_event(model, self.event.pk).filter(pk=key).first()
        if row is None:
            raise UserError(_("That is gone: somebody has changed it meanwhile. Look at the page again."))
        return row

    def change(self, row: models.Model, **values: Any) -> bool:
        """Store new values of a row's fields; whether any of them was different. The row has been
        read since the desk was opened. A JSON field gets a new value, never its own, changed."""
        return self.change_all([row], **values) > 0

    def change_all(self, rows: Iterable[Row], **values: Any) -> int:
        """Store the same values in several rows of one model, in one query; how many were different."""
        names: list[str] = []
        changed: list[Row] = []
        for row in rows:
            names = names or [_attname(type(row), name) for name in values]
            before = _values(row, names)
            for name, value in values.items():
                setattr(row, name, value)
            after = _values(row, names)
            different = [name for name in names if before[name] != after[name]]
            if different:
                self._touch(row, {name: before[name] for name in different}, {name: after[name] for name in different})
                changed.append(row)
        if changed:
            type(changed[0])._base_manager.filter(pk__in=[row.pk for row in changed]).update(**values)
        return len(changed)

    def change_each(self, rows: Iterable[tuple[Row, Values]]) -> int:
        """Store values of its own in each of several rows of one model, all of the same fields, in few
        queries; how many rows were different."""
        fields: list[str] = []
        changed: list[Row] = []
        for row, values in rows:
            fields = fields or list(values)
            names = [_attname(type(row), name) for name in values]
            before = _values(row, names)
            for name, value in values.items():
                setattr(row, name, value)
            after = _values(row, names)
            if before != after:
                self._touch(row, before, after)
                changed.append(row)
        if changed:
            type(changed[0])._base_manager.bulk_update(changed, fields)
        return len(changed)

    def create(self, model: type[Row], **values: Any) -> Row:
        """A new row of the event."""
        return self.create_all(model, [values])[0]

    def create_all(self, model: type[Row], rows: Iterable[Values]) -> list[Row]:
        """New rows of one model, in one query."""
        whole = {"event": self.event} if _has_event(model) else {}
        made = model._base_manager.bulk_create([model(**(whole | values)) for values in rows])
        for row in made:
            self._touch(row, None, _all_values(row))
        return made

    def delete(self, row: models.Model) -> None:
        """Delete a row, and with it all that belongs to it."""
        self.delete_all([row])

    def delete_all(self, rows: Iterable[Row]) -> None:
        """Delete rows of one model, and with them all that belongs to them, in a few queries."""
        collector = _collect(list(rows))
        for row in _collected(collector):
            self._touch(row, _all_values(row), None)
        collector.delete()

    def say(self, **words: Any) -> None:
        """What the sentence about this step is filled with: plain JSON values."""
        self.words.update(words)

    def due(self, at: datetime | None) -> None:
        """When the schedule has to look again. The last word counts."""
        self._due = [at]

    def hurry(self) -> None:
        """Let the schedule look at once."""
        self.due(self.now)

    def _touch(self, row: models.Model, before: Values | None, after: Values | None) -> None:
        key = _key(row)
        assert key[0] in WRITTEN, f"steps do not tell of {key[0]}"
        if key not in self._touched:
            self._touched[key] = [before, after]
            return
        entry = self._touched[key]
        if after is None:
            entry[0] = before | entry[0] if before is not None and entry[0] is not None else entry[0]
            entry[1] = None
        elif before is None:  # a row that was deleted is there again
            entry[1] = after
        else:
            if entry[0] is not None:
                entry[0] = before | entry[0]
            entry[1] = (entry[1] or {}) | after

    def _close(self) -> None:
        changes = [
            [model, pk, *_only_different(before, after)]
            for (model, pk), (before, after) in self._touched.items()
            if before != after
        ]
        due = self._due and self._due[0] != self.event.due_at
        if changes:
            self._write(changes)
            self.event.version += 1
        if changes or due:
            if due:
                self.event.due_at = self._due[0]
            self.event.save(update_fields=["version", "due_at"])
        if changes:
            event_id, version = self.event.pk, self.event.version
            transaction.on_commit(
                lambda: event_changed.send_robust(sender=Event, event_id=event_id, version=version), robust=True
            )

    def _write(self, changes: list[list[Any]]) -> Step:
        last = Step.objects.filter(event=self.event).order_by("-number").values_list("number", flat=True).first()
        self.step = Step.objects.create(
            event=self.event,
            number=(last or 0) + 1,
            kind=self.kind,
            by_id=self.by.player_id,
            by_name=self.by.name,
            reason=self.reason,
            words=self.words,
            changes=changes,
            at=self.now,
        )
        return self.step


@contextmanager
def open_desk(
    event_id: int, *, by: Actor, needs: Needs, kind: str, reason: str = "", people: Iterable[int] = ()
) -> Iterator[Desk]:
    """Lock ``people`` (players about whom something is stored; ``by`` himself always), then the
    event; on leaving write one step, if anything was changed, and raise the event's version.

    ``kind`` (at most 24 characters) names what was done; ``selectors.steps`` has the sentence.
    ``needs`` is the least part: ``see``, ``player``, ``deputy``, ``direct`` or ``own``; what ``by``
    is, is read again under the lock. An error leaves everything as it was. UserError if the event
    or a person is gone, or the club has closed; NotAllowed for who may not.
    """
    with transaction.atomic():
        wanted = {*people} | ({by.player_id} if by.player_id is not None else set())
        there = lock_people(*wanted) if wanted else {}
        if by.player_id is not None and by.player_id not in there:
            raise UserError(_("Your account is gone. Join the site again first."))
        if any(player_id not in there for player_id in wanted):
            raise UserError(_("That player’s account is gone."))
        event = Event.objects.select_for_update(of=("self",)).select_related("club").filter(pk=event_id).first()
        if event is None:
            raise UserError(_("That event is gone."))
        by = _as_it_stands(event, by, there)
        if not by.may(needs):
            raise NotAllowed(_REFUSED[needs]())
        if event.club.closed_at is not None and by.part != Part.SYSTEM:
            raise UserError(_("This club has closed. Nothing in it can be changed."))
        desk = Desk(event, by, kind, reason)
        yield desk
        desk._close()


def write_first_step(event: Event, *, player_id: int, name: str) -> None:
    """The step that tells how an event began, in the transaction that has made it."""
    desk = Desk(event, Actor(event.pk, player_id, name, Part.DIRECTOR), CREATED, "")
    desk._touch(event, None, _all_values(event))
    desk._close()


def undo(*, event_id: int, by: Actor, step_number: int) -> None:
    """Put back what a step has changed, exactly as it was. Directors only. Locks the event and the
    people the step tells of. Idempotent: what is undone stays undone.

    UserError if the step is gone or itself undoes another, if a later step has to be undone first
    (it touched the same rows, or rounds and the event's course have changed since), or a game
    that was opened by it is being played; tables that still wait are called off.
    """
    step = Step.objects.filter(event=event_id, number=step_number).first()
    there = _people_of(step.changes) if step else set()
    here = set(Player.objects.filter(pk__in=there).values_list("pk", flat=True))
    with open_desk(event_id, by=by, needs="direct", kind=UNDO, people=here) as desk:
        step = Step.objects.filter(event=event_id, number=step_number).first()
        if step is None or step.kind in _FOR_GOOD:
            raise UserError(_("There is nothing to undo there."))
        if step.undone_id is not None:
            return
        _check_undoable(desk, step)
        opened = [after[_LIVE] for _model, _key, _before, after in step.changes if after and after.get(_LIVE)]
        reserved.call_off(LiveTable.objects.filter(pk__in=opened).values_list("pk", flat=True))
        _put_back(desk, step)
        desk.say(step=step.number, kind=step.kind, words=step.words)
        desk.hurry()
        desk._close()
        step.undone = desk.step
        step.save(update_fields=["undone"])
        desk._touched.clear()


def find_undoable(event_id: int) -> Step | None:
    """The last step that was not undone. One query."""
    steps = Step.objects.filter(event=event_id, undone=None).exclude(kind__in=_FOR_GOOD)
    return steps.order_by("-number").first()


def _as_it_stands(event: Event, by: Actor, people: dict[int, Player]) -> Actor:
    if by.part == Part.SYSTEM:
        return by
    if by.event_id != event.pk:
        raise NotAllowed(_("That is another event’s page. Open this event again."))
    user = people[by.player_id] if by.player_id is not None else _Nobody()
    now = read_actor(event, user, by.links, by.name)
    return now.at_table(by.table_id) if by.table_id is not None else now


class _Nobody:
    is_authenticated = False


_REFUSED: Final = {
    "see": lambda: _("You cannot see this event."),
    "player": lambda: _("Join the site or log in first."),
    "deputy": lambda: _("Only the event’s directors and deputies can do that."),
    "direct": lambda: _("Only the event’s directors can do that."),
    "own": lambda: _("Only the club’s owners can do that."),
}


# --- undoing ------------------------------------------------------------------------------------------


def _check_undoable(desk: Desk, step: Step) -> None:
    turns = _turns_the_event(step.changes)
    later = Step.objects.filter(event=desk.event, number__gt=step.number, undone=None).exclude(kind=UNDO)
    for other in later.order_by("-number"):
        if turns or _turns_the_event(other.changes) or _overlap(step.changes, other.changes):
            raise _rested_on()
    tables = [key for model, key, _b, after in step.changes if model == "eventtable" and (after or {}).get(_LIVE)]
    games = LiveTable.objects.filter(event_table__in=tables, phase__in=LiveTable.RUNNING)
    if games.exists():
        raise UserError(_("A game that was opened by it is being played. Let it end, or call it off first."))


def _overlap(some: list[list[Any]], others: list[list[Any]]) -> bool:
    """Whether both touched a field of one row; rows that come or go are touched as a whole."""
    rows = {(model, key): (before, after) for model, key, before, after in some}
    for model, key, before, after in others:
        if (model, key) in rows:
            was, now = rows[model, key]
            if None in (before, after, was, now) or not now.keys().isdisjoint(after):
                return True
    return False


def _rested_on() -> UserError:
    return UserError(_("Something was done after it that rests on it. Undo that first, the last step first."))


def _turns_the_event(changes: list[list[Any]]) -> bool:
    """Whether a step moved the event or its rounds on: everything after it rests on that."""
    return any(model == "round" or (model == "event" and "state" in (after or {})) for model, _k, _b, after in changes)


def _put_back(desk: Desk, step: Step) -> None:
    """Rows that came are deleted, the last first, after what was moved to them has moved back; rows
    that went are made again, those they belong to first; the others get back what they had."""
    came = {(model, key) for model, key, before, _after in step.changes if before is None}
    kept = [change for change in step.changes if None not in change]
    moved = [change for change in kept if not came.isdisjoint(_targets(change))]
    for change in moved:
        _restore(desk, change)
    for name, model in reversed(WRITTEN.items()):
        rows = list(model._base_manager.filter(pk__in=[key for made, key in came if made == name]))
        if any(_key(row) not in came for row in _collected(_collect(rows))):
            raise _rested_on()
        desk.delete_all(rows)
    for name, model in WRITTEN.items():
        gone = [_read(model, before) for made, _pk, before, after in step.changes if after is None and made == name]
        needed = [field.attname for field in model._meta.concrete_fields if not field.null]
        desk.create_all(model, [values for values in gone if all(values[each] is not None for each in needed)])
    for change in kept:
        if change not in moved:
            _restore(desk, change)


def _restore(desk: Desk, change: list[Any]) -> None:
    model, key, before, _after = change
    row = desk.event if model == "event" else WRITTEN[model]._base_manager.filter(pk=key).first()
    if row is None:
        raise _rested_on()
    desk.change(row, **_read(type(row), before))


def _targets(change: list[Any]) -> set[Key]:
    """The rows that a changed row was made to belong to."""
    model, _key, _before, after = change
    related = {field.attname: field.related_model for field in WRITTEN[model]._meta.concrete_fields}
    return {
        (str(target._meta.model_name), value)
        for name, value in after.items()
        if isinstance(target := related[name], type) and value is not None
    }


def _people_of(changes: list[list[Any]]) -> set[int]:
    people = set()
    for model, _key, *states in changes:
        for field in WRITTEN[model]._meta.concrete_fields:
            if field.related_model is Player:
                people |= {state[field.attname] for state in states if state and state.get(field.attname)}
    return people


def _collect(rows: list[Row]) -> Collector:
    """All that goes with these rows of one model."""
    collector = Collector(using="default")
    if rows:
        collector.collect(rows)
    return collector


def _collected(collector: Collector) -> Iterator[models.Model]:
    """Those rows with all their values: the collector reads of most only the keys."""
    for found in (*collector.fast_deletes, *collector.data.values()):
        rows = list(found)
        if any(row.get_deferred_fields() for row in rows):
            rows = list(type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]))
        yield from rows


def _key(row: models.Model) -> Key:
    return str(row._meta.model_name), row.pk


# --- rows as plain values -----------------------------------------------------------------------------


def _read(model: type[models.Model], values: Values) -> Values:
    """Stored values as Python has them. A player or a live table that is gone meanwhile is nobody."""
    read = {}
    for name, value in values.items():
        field = _by_attname(model, name)
        value = field.to_python(value) if not field.is_relation else value
        kept: type[models.Model] | None = field.related_model
        if value is not None and kept in (Player, LiveTable):
            value = value if kept._base_manager.filter(pk=value).exists() else None
        read[name] = value
    return read


def _values(row: models.Model, names: Iterable[str]) -> Values:
    return {name: _plain(getattr(row, name)) for name in names}


def _all_values(row: models.Model) -> Values:
    return _values(row, [field.attname for field in row._meta.concrete_fields])


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return timezone.localtime(value, timezone.get_fixed_timezone(0)).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, str):
        return str(value)
    return value


def _only_different(before: Values | None, after: Values | None) -> tuple[Values | None, Values | None]:
    if before is None or after is None:
        return before, after
    names = [name for name in after if name not in before or before[name] != after[name]]
    return {name: before[name] for name in names}, {name: after[name] for name in names}


def _attname(model: type[models.Model], name: str) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field.attname


def _by_attname(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    return next(field for field in model._meta.concrete_fields if field.attname == name)


def _has_event(model: type[models.Model]) -> bool:
    return any(field.name == "event" for field in model._meta.concrete_fields)


def _of_event(model: type[Row], event_id: int) -> models.QuerySet[Row]:
    path = {Seating: "round__event", Report: "table__event"}.get(model, "event")
    return model._base_manager.filter(**{path: event_id})
