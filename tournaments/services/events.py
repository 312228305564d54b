"""The event itself: made, changed, announced, started, ended; its links."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Unpack

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Table as LiveTable
from games.services.errors import UserError
from tournaments.formats.event import BadScore, EventError
from tournaments.models import Entrant, Event, EventLink, EventTable, Place, Round
from tournaments.playbook import PLAYBOOKS, Plan
from tournaments.selectors.rights import Actor, hash_of
from tournaments.services import field, floor, texts
from tournaments.services.book import open_as_director
from tournaments.services.desk import open_desk, write_first_step
from tournaments.services.event_fields import BadField, Fields, clean, plan_of

LONGEST_REASON: Final = 300
LONGEST_SAID: Final = 200
"""Characters."""

COMING: Final = 200
"""Events of a club that are not over."""

LINKS: Final = 20
"""Links of an event that hold at the same time."""

COUNTED_ONLY: Final = frozenset(
    {
        *("ranking", "tiebreaks", "rest_average", "rest_half", "late_half", "loner_bonus"),
        *("streaks", "late_games", "rank_withdrawn", "scoring", "lots"),
    }
)
"""Options that change how results are counted, and nothing that was drawn or typed."""

SCORES: Final = frozenset({"target", "hands", "ties", "house", "thrown_in"})
"""Options that say what results there can be."""

FORWARD: Final = frozenset({"first_round", "repeats", "fair_seats", "split", "movement", "steps", "choice"})
"""Options that only the draws to come follow."""

TEXTS: Final = ("title", "about", "fee")
"""What may change even after the end."""

BEFORE_START: Final = ("starts_at", "closes_at", "check_in")


class NotAgreed(UserError):
    """A change would undo something; ``consequences`` are the sentences to be agreed to first."""

    def __init__(self, consequences: list[str]) -> None:
        super().__init__(" ".join(consequences))
        self.consequences = consequences


def create_event(*, club_id: int, by: int, series_id: int | None = None, **fields: Unpack[Fields]) -> int:
    """Make an event, which only directors see until it is announced; its id. ``by`` is a player, a
    director of the club; ``title`` and ``format`` at least are given.

    Locks the player and the club. Not idempotent. BadField (a UserError) names the field to
    change; UserError for one event too many.
    """
    given: dict[str, Any] = {"title": "", "format": "", "settings": {}, **fields}
    with transaction.atomic():
        book = open_as_director(club_id, by)
        coming = Event.objects.filter(club=book.club).exclude(state__in=Event.ENDED)
        if coming.count() >= COMING:
            raise UserError(
                _("The club has %(most)d events that are not over. Finish or cancel one first.") % {"most": COMING}
            )
        now = timezone.now()
        event = Event(club=book.club, series_id=series_id, made_by=book.by, seed=secrets.randbelow(1_000_000_000))
        for name, value in clean(event, given, now).items():
            setattr(event, name, value)
        event.save(force_insert=True)
        write_first_step(event, player_id=by, name=book.by.name)
    return event.pk


def edit_event(*, event_id: int, by: Actor, agreed: bool = False, **fields: Unpack[Fields]) -> None:
    """Change what an event says of itself or how it is played. Directors only. Locks the event. Idempotent.

    NotAgreed (a UserError) without ``agreed`` where :func:`consequences` has sentences; BadField
    names a value that cannot be; UserError for what cannot be changed any more.
    """
    with open_desk(event_id, by=by, needs="direct", kind="edited") as desk:
        values = _changes(desk.event, fields)
        if not values:
            return
        effects = _effects(desk.event, values)
        if effects.sentences and not agreed:
            raise NotAgreed(effects.sentences)
        desk.say(fields=sorted(values))
        desk.change(desk.event, **values)
        if effects.rounds:
            floor.call_off(desk, desk.event.tables.filter(round__in=effects.rounds))
            for row in Round.objects.filter(pk__in=effects.rounds).order_by("-number"):
                desk.delete(row)
        if effects.members:
            field.resize(desk, effects.members)
        field.fit(desk)
        if desk.event.state not in (Event.State.DRAFT, *Event.ENDED):
            desk.hurry()


def consequences(event: Event, **fields: Unpack[Fields]) -> list[str]:
    """Sentences of what a change would undo or touch; an empty list where it touches nothing.
    BadField and UserError as :func:`edit_event`. A few queries."""
    values = _changes(event, fields)
    return _effects(event, values).sentences if values else []


def announce(*, event_id: int, by: Actor) -> None:
    """Let everybody see an event and sign up. Directors only. Locks the event. Idempotent.
    UserError if its start or the end of sign-up is past."""
    with open_desk(event_id, by=by, needs="direct", kind="announced") as desk:
        event = desk.event
        if event.state in (Event.State.OPEN, Event.State.CHECK_IN):
            return
        _require(event, Event.State.DRAFT, told=_("This event was announced long ago."))
        if event.starts_at is not None and event.starts_at <= desk.now:
            raise UserError(_("That start is past. Choose a time to come."))
        if event.closes_at is not None and event.closes_at <= desk.now:
            raise UserError(_("That end of sign-up is past. Choose a time to come."))
        desk.change(event, state=Event.State.OPEN)
        desk.hurry()


def open_check_in(*, event_id: int, by: Actor) -> None:
    """Let those who have signed up say that they are here. Directors and the schedule. Locks the
    event. Idempotent. UserError before it is announced and once it has started."""
    with open_desk(event_id, by=by, needs="direct", kind="opened_check_in") as desk:
        if desk.event.state == Event.State.CHECK_IN:
            return
        _require(desk.event, Event.State.OPEN, told=_("Check-in opens before the start of an event that is announced."))
        desk.change(desk.event, state=Event.State.CHECK_IN)
        desk.hurry()


def start(*, event_id: int, by: Actor) -> None:
    """Start an event: who has signed up plays; where check-in was open, who is not there is out.
    Directors and the schedule. Locks the event and the bots that fill it. Idempotent.

    Nobody new signs up any more but as a late entry; requests and those without a partner stay as
    they are, for a director to bring in. UserError, and nothing changes, if there are too few or
    too many for the format.
    """
    with open_desk(event_id, by=by, needs="direct", kind="started") as desk:
        event = desk.event
        if event.state == Event.State.RUNNING:
            return
        if event.state in Event.ENDED:
            raise UserError(_("This event is over. Open it again first."))
        checked = event.state == Event.State.CHECK_IN
        listed = list(event.entrants.filter(state__in=Entrant.LISTED))
        bots = field.of_bots(event) if checked else set()
        here = [row for row in listed if not checked or row.state == Entrant.State.CHECKED_IN or row.pk in bots]
        desk.change_all([row for row in listed if row not in here], state=Entrant.State.WITHDRAWN, left=1)
        desk.change_all(here, state=Entrant.State.ACTIVE)
        plan = plan_of(event)
        count = len(here)
        if event.bots_fill:
            count += field.add_bots(desk, plan, field.missing(plan, count), Entrant.State.ACTIVE)
        _check_size(plan, count)
        desk.change(event, state=Event.State.RUNNING, started_at=event.started_at or desk.now)
        desk.say(entrants=count)
        desk.hurry()


def cancel(*, event_id: int, by: Actor, reason: str) -> None:
    """Call an event off; everybody reads the reason. Directors only. Locks the event. Idempotent.
    UserError without a reason, and for an event that is finished."""
    reason = texts.one_line(reason, LONGEST_REASON, empty=_("Say why: everybody who signed up reads it."))
    with open_desk(event_id, by=by, needs="direct", kind="cancelled", reason=reason) as desk:
        if desk.event.state == Event.State.CANCELLED:
            return
        if desk.event.state == Event.State.FINISHED:
            raise UserError(_("This event is finished. Open it again before calling it off."))
        waiting = desk.event.tables.filter(state__in=EventTable.OPEN, live_table__phase=LiveTable.Phase.OPEN)
        floor.call_off(desk, waiting)
        desk.change(desk.event, state=Event.State.CANCELLED, finished_at=desk.now)
        desk.due(None)


def finish(*, event_id: int, by: Actor, places: list[dict[str, Any]] | None = None) -> None:
    """End a running event and write down who ended where. Directors and the schedule. Locks the
    event. Idempotent. ``places`` are the values of :class:`Place`; without them they are read from
    the standings. UserError while a round is being played."""
    with open_desk(event_id, by=by, needs="direct", kind="finished") as desk:
        event = desk.event
        if event.state == Event.State.FINISHED:
            return
        _require(event, Event.State.RUNNING, told=_("Only an event that has started can be finished."))
        for row in event.rounds.exclude(state=Round.State.CLOSED):
            if row.state == Round.State.PLAYING:
                raise UserError(
                    _("Round %(number)d is being played. Close it first, or take it back.") % {"number": row.number}
                )
            desk.delete(row)
        desk.create_all(Place, places if places is not None else field.places_of(event))
        desk.change(event, state=Event.State.FINISHED, finished_at=desk.now)
        desk.due(None)


def reopen(*, event_id: int, by: Actor, reason: str = "") -> None:
    """Take up an event again that is finished or was called off. Directors only. Locks the event. Idempotent."""
    reason = texts.one_line(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="direct", kind="reopened", reason=reason) as desk:
        event = desk.event
        if event.state not in Event.ENDED:
            return
        for place in event.places.all():
            desk.delete(place)
        state = Event.State.RUNNING if event.started_at else Event.State.OPEN
        desk.change(event, state=state, finished_at=None)
        desk.hurry()


def announce_to_tables(*, event_id: int, by: Actor, text: str) -> None:
    """Say something on the page of every table of the round that is published or being played; an
    empty text takes it back. Directors only. Locks the event. Idempotent. UserError between rounds."""
    text = texts.one_line(text, LONGEST_SAID)
    with open_desk(event_id, by=by, needs="direct", kind="said") as desk:
        shown = (Round.State.PUBLISHED, Round.State.PLAYING)
        row = desk.event.rounds.filter(state__in=shown).order_by("-number").first()
        if row is None:
            raise UserError(_("No round is being played, so there are no tables to tell."))
        desk.change(row, said=text)
        desk.say(text=text, round=row.number)


def make_link(*, event_id: int, by: Actor, part: str) -> str:
    """Make a link that gives whoever has it a part (``player``, ``deputy``, ``director``); its
    token, which is told this once. Directors only. Locks the event. UserError for one too many."""
    if part not in EventLink.Part.values:
        raise UserError(_("Choose what the link is for."))
    token = secrets.token_urlsafe(18)
    with open_desk(event_id, by=by, needs="direct", kind="linked") as desk:
        if desk.event.links.filter(revoked_at=None).count() >= LINKS:
            raise UserError(_("There are %(limit)d links that hold. Revoke one first.") % {"limit": LINKS})
        desk.create(EventLink, part=part, token_hash=hash_of(token), by_id=desk.by.player_id)
        desk.say(part=part)
    return token


def revoke_link(*, event_id: int, by: Actor, link_id: int) -> None:
    """Let a link give nobody a part any more. Directors only. Locks the event. Idempotent."""
    with open_desk(event_id, by=by, needs="direct", kind="revoked") as desk:
        link = desk.find(EventLink, link_id)
        if link.revoked_at is None:
            desk.change(link, revoked_at=desk.now)
            desk.say(part=link.part)


# --- what a change does -------------------------------------------------------------------------------


@dataclass(slots=True)
class _Effects:
    """What has to happen with a change: sentences that tell it, rounds (ids) that go, and how many
    people an entrant has from now on (0: as many as now)."""

    sentences: list[str]
    rounds: list[int]
    members: int = 0


def _changes(event: Event, fields: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in fields.items() if value != getattr(event, name)}
    cleaned = clean(event, values, timezone.now())
    changed = {name: value for name, value in cleaned.items() if value != getattr(event, name)}
    if event.state in Event.ENDED and not changed.keys() <= set(TEXTS):
        raise UserError(_("This event is over. Open it again to change more than its texts."))
    if event.state == Event.State.RUNNING and not changed.keys().isdisjoint(BEFORE_START):
        raise UserError(_("The event has started: its start, sign-up and check-in cannot be changed any more."))
    return changed


def _effects(event: Event, values: Mapping[str, Any]) -> _Effects:
    effects = _Effects([], [])
    if values.get("kind") == Event.Kind.HALL:
        _check_no_bots(event)
    if "format" in values or "settings" in values:
        _of_format(event, values, effects)
    ahead = event.state in (Event.State.OPEN, Event.State.CHECK_IN)
    entered = event.entrants.filter(state__in=Entrant.LISTED).count() if ahead else 0
    if "starts_at" in values and entered:
        effects.sentences.append(
            ngettext("%(count)d has signed up for the old time.", "%(count)d have signed up for the old time.", entered)
            % {"count": entered}
        )
    over = entered - values.get("capacity", 0) if values.get("capacity") else 0
    if over > 0:
        effects.sentences.append(
            ngettext(
                "%(count)d who signed up last goes to the waiting list.",
                "%(count)d who signed up last go to the waiting list.",
                over,
            )
            % {"count": over}
        )
    return effects


def _of_format(event: Event, values: Mapping[str, Any], effects: _Effects) -> None:
    old = plan_of(event)
    new = PLAYBOOKS[values.get("format", event.format)].read(values.get("settings", event.settings))
    if new.members != old.members:
        _of_members(event, old, new, effects)
    elif "format" in values and event.state == Event.State.RUNNING:
        _check_size(new, event.entrants.filter(state__in=field.IN).count())
    shown = list(event.rounds.order_by("number"))
    if not shown:
        return
    different = {
        name for name in {*old.values, *new.values} if old.values.get(name) != new.values.get(name)
    }  # fmt: skip
    if "format" in values or different - COUNTED_ONLY - SCORES - FORWARD:
        _take_back(event, shown, effects)
        return
    if different & SCORES:
        _check_scores(event, new)
    drawn = [row for row in shown if row.state == Round.State.DRAWN]
    if drawn and different - COUNTED_ONLY - SCORES:
        effects.rounds += [row.pk for row in drawn]
        effects.sentences.append(_("Round %(number)d is drawn again.") % {"number": drawn[0].number})
    closed = sum(row.state == Round.State.CLOSED for row in shown)
    if closed and different & (COUNTED_ONLY | SCORES):
        effects.sentences.append(
            ngettext(
                "The standings after %(count)d round are counted anew.",
                "The standings after %(count)d rounds are counted anew.",
                closed,
            )
            % {"count": closed}
        )


def _take_back(event: Event, shown: list[Round], effects: _Effects) -> None:
    if LiveTable.objects.filter(event_table__event=event, phase__in=LiveTable.RUNNING).exists():
        raise UserError(_("Games are being played. Let them end before the format changes."))
    effects.rounds += [row.pk for row in shown]
    results = event.tables.filter(state__in=EventTable.COUNTS).count()
    effects.sentences.append(
        ngettext("%(count)d round is taken back", "%(count)d rounds are taken back", len(shown)) % {"count": len(shown)}
        + " "
        + ngettext("with %(count)d result.", "with %(count)d results.", results) % {"count": results}
    )


def _of_members(event: Event, old: Plan, new: Plan, effects: _Effects) -> None:
    count = event.entrants.count()
    effects.members = new.members
    if not count:
        return
    told = {
        1: _("Pairs and teams are split: everybody plays alone."),
        2: _("Everybody looks for a partner anew: pairs have to be made."),
    }
    effects.sentences.append(told.get(new.members) or _("Everybody has to be put into teams anew."))


def _check_no_bots(event: Event) -> None:
    bots = field.of_bots(event) if event.state not in Event.ENDED else set()
    count = event.entrants.filter(pk__in=bots, state__in=field.IN).count()
    if count:
        raise BadField(
            "kind",
            ngettext(
                "Bots cannot hold real cards, and %(count)d plays here. Withdraw it first.",
                "Bots cannot hold real cards, and %(count)d play here. Withdraw them first.",
                count,
            )
            % {"count": count},
        )


def _check_scores(event: Event, plan: Plan) -> None:
    """UserError if results are there that could not be."""
    bad: list[str] = []
    for table in event.tables.filter(state=EventTable.State.CONFIRMED).select_related("round"):
        try:
            plan.result((table.points_0 or 0, table.points_1 or 0), table.winner)
        except BadScore:
            bad.append(_("round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number})
        except EventError:
            continue
    if bad:
        raise UserError(
            _("There are results that could not be then: %(tables)s. Correct them first.")
            % {"tables": "; ".join(bad[:5])}
        )


def _check_size(plan: Plan, count: int) -> None:
    least = max(plan.book.least, 2 * plan.side)
    if count < least:
        raise UserError(
            _("This format needs at least %(least)d; there are %(count)d. Add some, or let bots fill up.")
            % {"least": least, "count": count}
        )
    if count > plan.book.most:
        raise UserError(
            _("This format takes at most %(most)d; there are %(count)d. Choose another format.")
            % {"most": plan.book.most, "count": count}
        )


def _require(event: Event, state: str, *, told: str) -> None:
    if event.state != state:
        raise UserError(told)
