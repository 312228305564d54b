"""Who is who in an event, and what the draw has to know of them: substitutes, names, notes, seeds, wishes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from games.services.errors import UserError
from tournaments.models import Entrant, Event, Member, Wish
from tournaments.selectors.rights import Actor
from tournaments.services import field, floor, people, texts
from tournaments.services.desk import Desk, open_desk
from tournaments.services.event_fields import plan_of
from tournaments.services.pasted import tidy

LONGEST_NOTE: Final = 300
"""Characters."""

MOST_TABLES: Final = 500


def substitute(*, event_id: int, by: Actor, member_id: int, name: str = "", bot: bool = False) -> int:
    """Let somebody else, or a bot, take a member's place from now on; the new member's id. The name
    of an account means that person. Directors only. Locks the event and the account.

    Repeating it finds the member replaced: UserError. Also for somebody who is in the event already.
    At an online table that is open, the seat is the other's from now on.
    """
    name = tidy(name)
    found = {} if bot else people.meant(Event.objects.filter(pk=event_id).first(), [name])
    with open_desk(event_id, by=by, needs="direct", kind="substituted", people=[p.pk for p in found.values()]) as desk:
        old = desk.find(Member, member_id)
        if old.gone:
            raise UserError(_("%(name)s was replaced already.") % {"name": old.name})
        if bot and desk.event.kind == Event.Kind.HALL:
            raise UserError(_("Bots cannot hold real cards. Seat a person."))
        entrant = old.entrant
        before = field.names_of(entrant)
        if bot:
            put_in = field.free_bots(desk.event, 1)[0]
            person: field.Person = (put_in.pk, put_in.name)
        else:
            person = people.person(desk, name, found, but=old)
        desk.change(old, gone=True)
        new = desk.create(Member, entrant=entrant, position=old.position, player_id=person[0], name=person[1])
        field.relabel(desk, entrant, before)
        desk.say(name=old.name, substitute=person[1])
        if old.player_id is not None:
            if person[0] is not None:
                floor.reseat(desk, out=old.player_id, put_in=person[0])
            elif floor.plays_online(desk, old.player_id):
                told = _("%(name)s has a seat at an online table. A substitute there needs an account on this site.")
                raise UserError(told % {"name": old.name})
        desk.hurry()
        return new.pk


def swap_members(*, event_id: int, by: Actor, one_id: int, other_id: int) -> None:
    """Let two people change places, each playing for the other's entrant from now on. Directors
    only. Locks the event. UserError for two of one entrant, and for who was replaced."""
    with open_desk(event_id, by=by, needs="direct", kind="swapped_members") as desk:
        one, other = desk.find(Member, one_id), desk.find(Member, other_id)
        if one.gone or other.gone or one.entrant_id == other.entrant_id:
            raise UserError(_("Choose two people of different entrants who are in the event."))
        entrants = {one.entrant_id: one.entrant, other.entrant_id: other.entrant}
        before = {key: field.names_of(row) for key, row in entrants.items()}
        (mine, my_place), (theirs, their_place) = (
            (one.entrant_id, one.position),
            (other.entrant_id, other.position),
        )
        desk.change(one, entrant_id=theirs, position=their_place)
        desk.change(other, entrant_id=mine, position=my_place)
        for key, row in entrants.items():
            field.relabel(desk, row, before[key])
        desk.say(name=one.name, other=other.name)
        desk.hurry()


def rename(*, event_id: int, by: Actor, member_id: int, name: str) -> None:
    """Write a member's name another way; one that belongs to a member of the club means that
    account. Directors only. Locks the event. Idempotent. UserError for a name that cannot be or is
    there already, and for who has an account: his name is his own."""
    name = tidy(name)
    found = people.meant(Event.objects.filter(pk=event_id).first(), [name])
    with open_desk(event_id, by=by, needs="direct", kind="renamed", people=[p.pk for p in found.values()]) as desk:
        member = desk.find(Member, member_id)
        if member.player_id is not None:
            if member.name == name:
                return
            raise UserError(_("%(name)s has an account and is called as they wish.") % {"name": member.name})
        before, old = field.names_of(member.entrant), member.name
        player_id, called = people.person(desk, name, found, but=member)
        desk.change(member, name=called, player_id=player_id)
        field.relabel(desk, member.entrant, before)
        desk.say(name=old, to=called)


def set_note(*, event_id: int, by: Actor, entrant_id: int, note: str) -> None:
    """What the directors note on an entrant, for themselves: paid, comes by train. Deputies and
    directors. Locks the event. Idempotent."""
    note = texts.one_line(note, LONGEST_NOTE)
    with open_desk(event_id, by=by, needs="deputy", kind="noted") as desk:
        entrant = desk.find(Entrant, entrant_id)
        desk.change(entrant, note=note)
        desk.say(name=entrant.name)


def set_seed(*, event_id: int, by: Actor, entrant_id: int, seed: int) -> None:
    """Seed an entrant: 1 is the strongest, who has none (0) comes after all who have. Directors
    only. Locks the event. Idempotent. UserError once a round is published."""
    with open_desk(event_id, by=by, needs="direct", kind="seeded") as desk:
        entrant = desk.find(Entrant, entrant_id)
        _check_seedable(desk)
        if not 0 <= seed <= 10_000:
            raise UserError(_("A seed is a number from 1 to 10000, or 0 for none."))
        desk.change(entrant, seed=seed)
        desk.say(name=entrant.name, seed=seed)
        desk.hurry()


def set_order(*, event_id: int, by: Actor, entrant_ids: Sequence[int]) -> None:
    """Seed these entrants 1, 2, 3 ... in this order, and nobody else. Directors only. Locks the
    event. Idempotent. UserError once a round is published."""
    with open_desk(event_id, by=by, needs="direct", kind="seeded_all") as desk:
        _check_seedable(desk)
        order = {key: seed for seed, key in enumerate(dict.fromkeys(entrant_ids), 1)}
        rows = list(desk.event.entrants.all())
        if not order.keys() <= {row.pk for row in rows}:
            raise UserError(_("The list has changed meanwhile. Look at it again."))
        for row in rows:
            desk.change(row, seed=order.get(row.pk, 0))
        desk.say(entrants=len(order))
        desk.hurry()


def set_extra(*, event_id: int, by: Actor, entrant_id: int, extra: int) -> None:
    """What an entrant has won by an extra hand or a cut of the cards, where all else is level: the
    higher the better. Directors only. Locks the event. Idempotent."""
    with open_desk(event_id, by=by, needs="direct", kind="set_extra") as desk:
        entrant = desk.find(Entrant, entrant_id)
        if not -1000 <= extra <= 1000:
            raise UserError(_("Choose a number from -1000 to 1000."))
        desk.change(entrant, extra=extra)
        desk.say(name=entrant.name, extra=extra)


def add_wish(
    *, event_id: int, by: Actor, kind: str, one_id: int, other_id: int | None = None, table: int | None = None
) -> int:
    """Wish something of every draw from now on: two entrants ``never_together``, ``always_together``
    (partners) or ``never_opponents``, or one at a ``fixed_table``; the wish's id. Directors only.
    Locks the event. Idempotent. UserError for what contradicts another wish, or means nothing where
    pairs are fixed."""
    with open_desk(event_id, by=by, needs="direct", kind="wished") as desk:
        one = desk.find(Entrant, one_id)
        if kind == Wish.Kind.FIXED_TABLE:
            return _fix(desk, one, table)
        if kind not in Wish.Kind.values:
            raise UserError(_("Choose what the draw has to keep."))
        if other_id is None or other_id == one_id:
            raise UserError(_("Choose two different ones."))
        other = desk.find(Entrant, other_id)
        if kind != Wish.Kind.NEVER_OPPONENTS and plan_of(desk.event).side == 1:
            raise UserError(_("Partners are fixed in this format, so there is nothing to wish."))
        one, other = sorted((one, other), key=lambda row: row.number)
        between = {wish.kind: wish for wish in desk.event.wishes.filter(one=one, other=other)}
        if kind in between:
            return between[kind].pk
        if {kind, *between} >= {Wish.Kind.NEVER_TOGETHER, Wish.Kind.ALWAYS_TOGETHER}:
            raise UserError(_("They cannot be partners always and never. Take the other wish back first."))
        if kind == Wish.Kind.ALWAYS_TOGETHER:
            _check_single(desk, one, other)
        desk.say(wish=kind, name=one.name, other=other.name)
        desk.hurry()
        return desk.create(Wish, kind=kind, one=one, other=other).pk


def remove_wish(*, event_id: int, by: Actor, wish_id: int) -> None:
    """Take a wish back. Directors only. Locks the event. Idempotent."""
    with open_desk(event_id, by=by, needs="direct", kind="wished_no_longer") as desk:
        wish = desk.event.wishes.filter(pk=wish_id).select_related("one", "other").first()
        if wish is not None:
            desk.say(wish=wish.kind, name=wish.one.name, other=wish.other.name if wish.other else "", table=wish.table)
            desk.delete(wish)
            desk.hurry()


def _fix(desk: Desk, one: Entrant, table: int | None) -> int:
    if table is None or not 1 <= table <= MOST_TABLES:
        raise UserError(_("Choose the table, from 1 to %(most)d.") % {"most": MOST_TABLES})
    desk.say(wish=Wish.Kind.FIXED_TABLE.value, name=one.name, table=table)
    kept = desk.event.wishes.filter(kind=Wish.Kind.FIXED_TABLE, one=one).first()
    if kept is not None and kept.table == table:
        return kept.pk
    plan = plan_of(desk.event)
    there = desk.event.wishes.filter(kind=Wish.Kind.FIXED_TABLE, table=table).exclude(one=one).count()
    if there >= 2 * plan.side:
        raise UserError(_("Table %(number)d is full of those who stay there.") % {"number": table})
    desk.hurry()
    if kept is not None:
        desk.change(kept, table=table)
        return kept.pk
    return desk.create(Wish, kind=Wish.Kind.FIXED_TABLE, one=one, table=table).pk


def _check_single(desk: Desk, *entrants: Entrant) -> None:
    for entrant in entrants:
        others = desk.event.wishes.filter(Q(one=entrant) | Q(other=entrant), kind=Wish.Kind.ALWAYS_TOGETHER)
        if others.exists():
            raise UserError(_("%(name)s has a partner for always. Take that wish back first.") % {"name": entrant.name})


def _check_seedable(desk: Desk) -> None:
    if field.next_round(desk.event) > 1:
        raise UserError(_("Round 1 is published: seeds change nothing any more. Take it back first."))
