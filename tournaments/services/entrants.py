"""Who takes part: accepted, checked in, entered from a list, leaving and coming back.

Whoever acts for himself is a member of the entrant he acts for; directors act for everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.models import Entrant, Event
from tournaments.selectors.rights import Actor
from tournaments.services import field, people, rounds, texts
from tournaments.services.book import NotAllowed
from tournaments.services.desk import Desk, open_desk
from tournaments.services.event_fields import plan_of
from tournaments.services.pasted import Named, Refused, has_comma, key_of, read_names

LONGEST_REASON: Final = 300
"""Characters."""

State = Entrant.State


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a pasted list: entrants made, those of them that look for a partner, people
    who were found among the club's members and people who were not, lines that named several people
    who play singly, names read with the surname first, and the lines that could not be used."""

    entrants: list[int]
    spare: int
    accounts: int
    strangers: int
    waiting: int
    shared: int
    surnames: int
    refused: list[Refused]


def accept(*, event_id: int, by: Actor, entrant_id: int) -> None:
    """Let in who has asked or waits for a place, also beyond the limit. Directors only. Locks the
    event. Idempotent. UserError for who has no partner yet, or is out."""
    with open_desk(event_id, by=by, needs="direct", kind="accepted") as desk:
        entrant = desk.find(Entrant, entrant_id)
        if entrant.state in field.IN:
            return
        if entrant.state not in (State.ASKED, State.WAITING):
            raise UserError(_("%(name)s is not waiting to be let in.") % {"name": entrant.name})
        was_asked = entrant.state == State.ASKED
        state, joined = field.let_in(desk, free=None if not was_asked else field.free_places(desk), approved=True)
        desk.change(entrant, state=state, joined=joined)
        desk.say(name=entrant.name, waiting=state == State.WAITING)
        desk.hurry()


def decline(*, event_id: int, by: Actor, entrant_id: int, reason: str = "") -> None:
    """Turn down who waits to be let in; he reads the reason and may ask again. Directors only.
    Locks the event. Idempotent."""
    reason = texts.one_line(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="direct", kind="declined", reason=reason) as desk:
        entrant = desk.find(Entrant, entrant_id)
        if entrant.state == State.WITHDRAWN:
            return
        if entrant.state not in (State.ASKED, State.WAITING, State.SPARE):
            raise UserError(_("%(name)s is in already. Withdraw them instead.") % {"name": entrant.name})
        _out(desk, entrant, State.WITHDRAWN)


def check_in(*, event_id: int, by: Actor, entrant_id: int, here: bool = True) -> None:
    """Say that an entrant is here, or that it is not. Its members once check-in is open; deputies
    and directors any time before the start. Locks the event. Idempotent."""
    with open_desk(event_id, by=by, needs="see", kind="checked_in" if here else "checked_out") as desk:
        entrant = desk.find(Entrant, entrant_id)
        if entrant.pk != desk.by.entrant_id and not desk.by.scores:
            raise NotAllowed(_("Only they themselves and the event’s directors can do that."))
        if desk.event.state not in field.BEFORE:
            raise UserError(_("Check-in is over: the event has started or was called off."))
        if desk.event.state != Event.State.CHECK_IN and not desk.by.scores:
            raise UserError(_("Check-in is not open yet."))
        if entrant.state not in Entrant.LISTED:
            raise UserError(_("%(name)s has no place in the event.") % {"name": entrant.name})
        desk.change(entrant, state=State.CHECKED_IN if here else State.ENTERED)
        desk.say(name=entrant.name)


def check_in_all(*, event_id: int, by: Actor) -> int:
    """Everybody who has signed up is here; how many that were. Deputies and directors. Locks the
    event. Idempotent."""
    with open_desk(event_id, by=by, needs="deputy", kind="checked_in_all") as desk:
        if desk.event.state not in field.BEFORE:
            raise UserError(_("Check-in is over: the event has started or was called off."))
        count = desk.change_all(desk.event.entrants.filter(state=State.ENTERED), state=State.CHECKED_IN)
        desk.say(entrants=count)
        return count


# --- lists and bots -----------------------------------------------------------------------------------


def add_names(*, event_id: int, by: Actor, text: str) -> Added:
    """Enter people from a pasted list (:mod:`tournaments.services.pasted`), with or without
    accounts: who is called like a member of the club is taken for him. Before the start they are
    entered, later they join in from the next round. Single names where pairs play look for a
    partner. What cannot be used comes back, with the reason.

    Directors only. Locks the event and the members found. Names that are there already are
    refused, so that repeating it changes nothing. UserError for an event that is over, and for a
    text too long.
    """
    event = Event.objects.filter(pk=event_id).first()
    members = plan_of(event).members if event is not None else 1
    named, refused = read_names(text, members)
    accounts = people.meant(event, [name for one in named for name in one.names])
    concerned = [player.pk for player in accounts.values()]
    with open_desk(event_id, by=by, needs="direct", kind="added", people=concerned) as desk:
        if desk.event.state in (Event.State.FINISHED, Event.State.CANCELLED):
            raise UserError(_("This event is over. Open it again first."))
        if plan_of(desk.event).members != members:
            raise UserError(_("Somebody has changed the format meanwhile. Look at the list again."))
        usable, doubled = _not_there_yet(desk, named, accounts)
        _check_late(desk, usable)
        free = field.free_places(desk)
        running, checking = (desk.event.state == state for state in (Event.State.RUNNING, Event.State.CHECK_IN))
        placed = State.ACTIVE if running else State.CHECKED_IN if checking else State.ENTERED
        groups = []
        for one in usable:
            state = State.SPARE
            if len(one.names) == members:
                state = State.WAITING if free == 0 else placed
                free = free - 1 if free else free
            groups.append(([(people.account(accounts, name), name) for name in one.names], one.team, state.value))
        made = field.enter_all(desk, groups, joined=field.next_round(desk.event)) if groups else []
        states = [row.state for row in made]
        desk.say(entrants=len(made), names=[row.name for row in made[:5]])
        desk.hurry()
        known = [people.account(accounts, name) is not None for one in usable for name in one.names]
        return Added(
            entrants=[row.pk for row in made],
            spare=states.count(State.SPARE),
            accounts=known.count(True),
            strangers=known.count(False),
            waiting=states.count(State.WAITING),
            shared=sum(count > 1 for count in Counter(one.line for one in usable).values()),
            surnames=sum(has_comma(name) for one in usable for name in one.names) if members == 1 else 0,
            refused=sorted([*refused, *doubled], key=lambda line: line.line),
        )


def pair_up(*, event_id: int, by: Actor, entrant_ids: Sequence[int]) -> int:
    """Make one entrant of some who look for a partner, or for a team; its id. Directors only.
    Locks the event. Repeating it finds them paired: UserError."""
    with open_desk(event_id, by=by, needs="direct", kind="paired") as desk:
        rows = [desk.find(Entrant, key) for key in dict.fromkeys(entrant_ids)]
        members = plan_of(desk.event).members
        persons = [person for row in rows for person in field.present(row)]
        if any(row.state != State.SPARE for row in rows):
            raise UserError(_("Only who looks for a partner can be paired. Look at the list again."))
        if len(persons) != members or len(rows) < 2:
            raise UserError(
                _("%(members)d people make an entrant here; you chose %(count)d.")
                % {"members": members, "count": len(persons)}
            )
        kept = rows[0]
        for position, person in enumerate(persons):
            desk.change(person, entrant=kept, position=position)
        for row in rows:
            people.drop_requests(desk, row)
        for row in rows[1:]:
            desk.delete(row)
        state, joined = field.let_in(desk, free=field.free_places(desk), approved=True)
        desk.change(kept, name=field.label_of([person.name for person in persons]), state=state, joined=joined)
        desk.say(name=kept.name)
        desk.hurry()
        return kept.pk


def fill_with_bots(*, event_id: int, by: Actor, entrants: int | None = None) -> int:
    """Add bots until there are so many entrants, or, without a number, until tables are full and
    the format has enough; how many were added. Directors only. Locks the event. Idempotent.
    UserError in a hall, for an event that is over, and where the site has no bots."""
    with open_desk(event_id, by=by, needs="direct", kind="filled") as desk:
        if desk.event.state in (Event.State.FINISHED, Event.State.CANCELLED):
            raise UserError(_("This event is over. Open it again first."))
        if desk.event.kind == Event.Kind.HALL:
            raise UserError(_("Bots cannot hold real cards. Play online, or leave the bots out."))
        plan = plan_of(desk.event)
        count = desk.event.entrants.filter(state__in=field.IN).count()
        if entrants is not None and not 0 <= entrants <= plan.book.most:
            raise UserError(_("This format takes at most %(most)d.") % {"most": plan.book.most})
        wanted = field.missing(plan, count) if entrants is None else entrants - count
        state = State.ACTIVE if desk.event.state == Event.State.RUNNING else State.ENTERED
        if state == State.ACTIVE and wanted > 0:
            field.check_places(desk.event, wanted)
        added = field.add_bots(desk, plan, max(0, wanted), state)
        desk.say(entrants=added)
        desk.hurry()
        return added


# --- leaving and coming back --------------------------------------------------------------------------


def withdraw(*, event_id: int, by: Actor, entrant_id: int, reason: str = "") -> None:
    """Take an entrant out: before the start it gives up its place, to who has waited longest;
    later it is drawn no more, and what it has played stays. Its members and directors. Locks the
    event. Idempotent. UserError for an event that is over."""
    reason = texts.one_line(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="see", kind="withdrew", reason=reason) as desk:
        entrant = desk.find(Entrant, entrant_id)
        _own_or_direct(desk, entrant)
        _check_not_over(desk)
        if entrant.state not in (State.WITHDRAWN, State.DISQUALIFIED):
            _out(desk, entrant, State.WITHDRAWN)


def pause(*, event_id: int, by: Actor, entrant_id: int, reason: str = "") -> None:
    """Draw an entrant no more until it is brought back. Its members and directors. Locks the event.
    Idempotent. UserError for who is not playing."""
    reason = texts.one_line(reason, LONGEST_REASON)
    with open_desk(event_id, by=by, needs="see", kind="paused", reason=reason) as desk:
        entrant = desk.find(Entrant, entrant_id)
        _own_or_direct(desk, entrant)
        if entrant.state == State.PAUSED:
            return
        if entrant.state != State.ACTIVE:
            raise UserError(_("%(name)s is not playing.") % {"name": entrant.name})
        desk.change(entrant, state=State.PAUSED)
        desk.say(name=entrant.name)
        desk.hurry()


def bring_back(*, event_id: int, by: Actor, entrant_id: int) -> None:
    """Let an entrant go on that pauses (its members may), or that had withdrawn or was disqualified
    (directors only). Before the start it has a place again, or waits for one. Locks the event.
    Idempotent. UserError for an event that is over."""
    with open_desk(event_id, by=by, needs="see", kind="brought_back") as desk:
        entrant = desk.find(Entrant, entrant_id)
        _own_or_direct(desk, entrant)
        _check_not_over(desk)
        if entrant.state not in (State.PAUSED, State.WITHDRAWN, State.DISQUALIFIED):
            return
        if entrant.state != State.PAUSED and not desk.by.directs:
            raise NotAllowed(_("Ask a director to bring you back."))
        desk.say(name=entrant.name)
        desk.hurry()
        if entrant.state == State.PAUSED:
            desk.change(entrant, state=State.ACTIVE, missed=0)
            return
        if len(field.present(entrant)) < plan_of(desk.event).members:
            desk.change(entrant, state=State.SPARE, left=None)
            return
        seen = field.was_seated(entrant)
        state, joined = field.let_in(desk, free=field.free_places(desk), approved=True, new=not seen)
        desk.change(entrant, state=state, left=None, missed=0, joined=entrant.joined if seen else joined)


def disqualify(*, event_id: int, by: Actor, entrant_id: int, reason: str) -> None:
    """Take an entrant out for what it did; everybody reads the reason. Directors only. Locks the
    event. Idempotent. UserError without a reason."""
    reason = texts.one_line(reason, LONGEST_REASON, empty=_("Say why: the entrant and the directors read it."))
    with open_desk(event_id, by=by, needs="direct", kind="disqualified", reason=reason) as desk:
        entrant = desk.find(Entrant, entrant_id)
        if entrant.state != State.DISQUALIFIED:
            _out(desk, entrant, State.DISQUALIFIED)


def remove(*, event_id: int, by: Actor, entrant_id: int) -> None:
    """Strike an entrant off the list as if it had never been there. Directors only. Locks the event.
    UserError once it has had a seat."""
    with open_desk(event_id, by=by, needs="direct", kind="removed") as desk:
        entrant = desk.find(Entrant, entrant_id)
        if field.was_seated(entrant):
            raise UserError(_("%(name)s has had a seat in a round: withdraw them instead.") % {"name": entrant.name})
        desk.say(name=entrant.name)
        desk.delete(entrant)
        rounds.without_those_gone(desk)
        field.fit(desk)
        desk.hurry()


# --- with an open desk --------------------------------------------------------------------------------


def _own_or_direct(desk: Desk, entrant: Entrant) -> None:
    if entrant.pk != desk.by.entrant_id and not desk.by.directs:
        raise NotAllowed(_("Only they themselves and the event’s directors can do that."))


def _check_not_over(desk: Desk) -> None:
    if desk.event.state in (Event.State.FINISHED, Event.State.CANCELLED):
        raise UserError(_("This event is over. Open it again first."))


def _out(desk: Desk, entrant: Entrant, state: Entrant.State) -> None:
    people.drop_requests(desk, entrant)
    desk.change(entrant, state=state, left=max(field.next_round(desk.event), 1))
    desk.say(name=entrant.name)
    field.fit(desk)
    desk.hurry()


def _not_there_yet(desk: Desk, named: Sequence[Named], accounts: people.Accounts) -> tuple[list[Named], list[Refused]]:
    """Those whose names nobody in the event has, and the lines of the others."""
    there, taking = people.keys_in(desk.event), people.accounts_in(desk.event)
    usable, doubled = [], []
    for one in named:
        taken = next(
            (name for name in one.names if key_of(name) in there or people.account(accounts, name) in taking), None
        )
        if taken is None:
            usable.append(one)
        else:
            told = _("%(name)s is in the event already. Add something to tell them apart.") % {"name": taken}
            doubled.append(Refused(one.line, one.text, told))
    return usable, doubled


def _check_late(desk: Desk, named: Sequence[Named]) -> None:
    """UserError if the format takes nobody new into the next round, or not so many."""
    if desk.event.state != Event.State.RUNNING or not named:
        return
    field.check_places(desk.event, len(named))
