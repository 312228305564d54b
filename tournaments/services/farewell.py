"""The end of an account, in the events it was in: results stay, the name goes."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Entrant, Event, Member, Place, Report, Step
from tournaments.selectors.rights import Actor
from tournaments.services import field, people
from tournaments.services.desk import Desk, open_desk


def forget_player(*, player_id: int) -> None:
    """Somebody's account is about to be deleted, in the same transaction. In events to come he
    withdraws, and his partner looks for another one; where he has played "a former player" stays,
    in the log too, and his entrant is out of a running event online: nobody can take that seat.

    The caller has locked the player. Locks his events in the order of their ids. Idempotent.
    """
    with translation.override(settings.LANGUAGE_CODE):
        former = _("a former player")
    mine = Member.objects.filter(player=player_id)
    names: dict[int, set[str]] = {}
    for event_id, name in mine.values_list("event", "name"):
        names.setdefault(event_id, set()).add(name)
    for event_id in sorted(names):
        with open_desk(event_id, by=Actor.SYSTEM, needs="direct", kind="account_ended") as desk:
            for member in desk.event.members.filter(player=player_id).select_related("entrant"):
                _forget(desk, member, former)
            field.fit(desk)
        _scrub(event_id, names[event_id], former)
    Place.objects.filter(player=player_id).update(name=former)
    Step.objects.filter(by=player_id).update(by_name="")
    Report.objects.filter(by=player_id).update(by_name="")


def _forget(desk: Desk, member: Member, former: str) -> None:
    entrant = member.entrant
    before = field.names_of(entrant)
    if desk.event.state in field.BEFORE and not member.gone:
        people.drop_requests(desk, entrant)
        desk.delete(member)
        left = field.present(entrant)
        if left:
            desk.change(entrant, state=Entrant.State.SPARE, name=field.label_of([one.name for one in left]))
        else:
            desk.delete(entrant)
        return
    desk.change(member, name=former, player=None)
    field.relabel(desk, entrant, before)
    if before and desk.event.state == Event.State.RUNNING:
        if desk.event.kind == Event.Kind.ONLINE and not member.gone and entrant.state in Entrant.PLAYING:
            desk.change(entrant, state=Entrant.State.WITHDRAWN, left=field.next_round(desk.event))
        desk.hurry()


def _scrub(event_id: int, names: set[str], former: str) -> None:
    """Write the log as if he had never had a name."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names))

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(former, value)
        if isinstance(value, list):
            return [clean(each) for each in value]
        if isinstance(value, dict):
            return {key: clean(each) for key, each in value.items()}
        return value

    for step in Step.objects.filter(event=event_id):
        words, changes = clean(step.words), clean(step.changes)
        if (words, changes) != (step.words, step.changes):
            Step.objects.filter(pk=step.pk).update(words=words, changes=changes)
