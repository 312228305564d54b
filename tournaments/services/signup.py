"""Signing up: alone, with a partner who is asked, as a team.

Of those with an account nobody is in an event twice, and nobody is made somebody's partner
without having said so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import UserError
from tournaments.models import Ban, Entrant, Event, Member, Membership, PartnerRequest
from tournaments.selectors.rights import Actor
from tournaments.services import field, people
from tournaments.services.book import NotAllowed
from tournaments.services.desk import Desk, open_desk
from tournaments.services.event_fields import plan_of
from tournaments.services.pasted import check_name, key_of, tidy

REQUESTS: Final = 10
"""Partners that one can ask at the same time."""

State = Entrant.State


@dataclass(frozen=True, slots=True)
class Entry:
    """What signing up has come to. ``asked`` is the partner who has to answer."""

    entrant_id: int
    state: str
    asked: str = ""


def sign_up(*, event_id: int, by: Actor, partner: str = "", team: str = "", others: Sequence[str] = ()) -> Entry:
    """Enter oneself. Where pairs play, ``partner`` is somebody's name: with an account he is asked
    first; in a hall anybody else will do; without a name one looks for a partner. A team has a
    name, ``team``, and the names of the ``others``.

    Who withdrew may come back. Full events have a waiting list; where directors accept entries one
    waits for them; a running event takes late entries up to its round. Locks the people and the
    event. Idempotent: who is in stays as he is; who looks for a partner may name one now.

    UserError before the announcement, once sign-up is closed, for who is banned or disqualified,
    and for names that cannot be.
    """
    names = [tidy(name) for name in ([partner] if partner else others) if tidy(name)]
    found = people.meant(Event.objects.filter(pk=event_id).first(), names)
    with open_desk(event_id, by=by, needs="see", kind="signed_up", people=[one.pk for one in found.values()]) as desk:
        me = _oneself(desk)
        mine = _entrant_of(desk, me)
        names_partner = bool(partner) and mine is not None and mine.state == State.SPARE
        if mine is not None and mine.state not in (State.WITHDRAWN, State.DISQUALIFIED) and not names_partner:
            return Entry(mine.pk, mine.state)
        if mine is not None and mine.state == State.DISQUALIFIED:
            raise UserError(_("You were disqualified from this event. Ask a director."))
        _check_open_to_entries(desk)
        if mine is not None and field.was_seated(mine):
            raise NotAllowed(_("Ask a director to bring you back."))
        members = plan_of(desk.event).members
        if names_partner and mine is not None and members == 2 and names and key_of(names[0]) in found:
            desk.kind = "asked_partner"
            return _ask(desk, mine, found[key_of(names[0])])
        if members > 2:
            return _sign_up_team(desk, me, mine, team, names, found, members)
        if mine is not None:
            _clear(desk, mine, me)
        if members == 1:
            return _entered(desk, [me])
        return _sign_up_pair(desk, me, names[0] if names else "", found)


def ask_partner(*, event_id: int, by: Actor, name: str) -> Entry:
    """Ask somebody to play as a pair, while one looks for a partner; who has asked oneself before
    is taken at his word. Locks both people and the event. Idempotent. UserError for who cannot be
    asked, and for one request too many."""
    name = tidy(name)
    found = people.accounts_called([name])
    with open_desk(
        event_id, by=by, needs="see", kind="asked_partner", people=[one.pk for one in found.values()]
    ) as desk:
        _oneself(desk)
        mine = _spare(desk)
        _check_open_to_entries(desk)
        other = found.get(key_of(name))
        if other is None:
            raise UserError(_("Nobody on this site is called “%(name)s”.") % {"name": name})
        return _ask(desk, mine, other)


def answer_partner(*, event_id: int, by: Actor, request_id: int, accept: bool) -> Entry | None:
    """Play with who has asked, or not. Locks the event and oneself. None where it was declined.
    UserError if the request is gone, or one is in the event with somebody else."""
    kind = "paired" if accept else "declined_partner"
    with open_desk(event_id, by=by, needs="see", kind=kind) as desk:
        me = _oneself(desk)
        request = desk.event.partner_requests.filter(pk=request_id, to=me[0]).select_related("by").first()
        if request is None:
            raise UserError(_("That request is gone: it was taken back or answered."))
        desk.say(name=request.by.name, partner=me[1])
        if not accept:
            desk.delete(request)
            return None
        _check_open_to_entries(desk)
        mine = _entrant_of(desk, me)
        if mine is not None and mine.state not in (State.SPARE, State.WITHDRAWN):
            raise UserError(_("You are in this event with somebody else. Withdraw first."))
        return _pair(desk, request.by, me, mine)


def take_back_request(*, event_id: int, by: Actor, request_id: int) -> None:
    """Ask somebody no longer. Locks the event. Idempotent."""
    with open_desk(event_id, by=by, needs="see", kind="asked_no_longer") as desk:
        request = desk.event.partner_requests.filter(pk=request_id).select_related("by").first()
        if request is not None:
            if request.by_id != desk.by.entrant_id and not desk.by.directs:
                raise NotAllowed(_("Only they themselves and the event’s directors can do that."))
            desk.say(name=request.by.name)
            desk.delete(request)


# --- with an open desk --------------------------------------------------------------------------------


def _oneself(desk: Desk) -> tuple[int, str]:
    """Who signs up. UserError without an account, and for who is banned."""
    if desk.by.player_id is None:
        raise NotAllowed(_("Join the site or log in first."))
    if desk.by.banned:
        raise UserError(_("You are banned from this club. The reason given: %(reason)s") % {"reason": desk.by.banned})
    return desk.by.player_id, desk.by.name


def _check_open_to_entries(desk: Desk) -> None:
    """UserError if nobody can enter himself now, with the reason."""
    event = desk.event
    if event.state == Event.State.DRAFT:
        raise UserError(_("This event is not announced yet."))
    if event.state in (Event.State.FINISHED, Event.State.CANCELLED):
        raise UserError(_("This event is over."))
    if event.state == Event.State.RUNNING:
        late, number = event.late_until, field.next_round(event)
        if number > late:
            raise UserError(
                _("The event has started; one could join until round %(number)d. Ask a director.") % {"number": late}
                if late
                else _("The event has started, and takes no late entries. Ask a director.")
            )
        if field.places_left(event) == 0:
            raise UserError(_("It is too late to join: this format takes nobody new into the next round."))
        return
    closes = event.closes_at or event.starts_at
    if closes is not None and closes <= desk.now:
        raise UserError(
            _("Sign-up ended on %(time)s. Ask a director.")
            % {"time": formats.date_format(timezone.localtime(closes, ZoneInfo(event.zone)), "j F Y, H:i")}
        )


def _entrant_of(desk: Desk, me: field.Person) -> Entrant | None:
    member = Member.objects.filter(event=desk.event, player=me[0], gone=False).select_related("entrant").first()
    return member.entrant if member is not None else None


def _spare(desk: Desk) -> Entrant:
    mine = _entrant_of(desk, (desk.by.player_id, desk.by.name))
    if mine is None or mine.state != State.SPARE:
        raise UserError(_("Only who looks for a partner can ask somebody. Sign up alone first."))
    return mine


def _entered(desk: Desk, persons: Sequence[field.Person], team: str = "") -> Entry:
    """A complete entrant of these people, with a place or waiting for one."""
    state, joined = field.let_in(desk, free=field.free_places(desk), approved=desk.by.directs, here=True)
    made = field.enter(desk, persons, state=state, joined=joined, team=team)
    desk.say(name=made.name, state=state.value)
    desk.hurry()
    return Entry(made.pk, state)


def _sign_up_pair(desk: Desk, me: field.Person, name: str, found: people.Accounts) -> Entry:
    other = found.get(key_of(name)) if name else None
    if name and other is None:
        if desk.event.kind == Event.Kind.ONLINE:
            raise UserError(
                _("Nobody on this site is called “%(name)s”. Online a partner needs an account.") % {"name": name}
            )
        return _entered(desk, [me, people.person(desk, name, {})])
    if other is not None:
        _check_can_be_asked(desk, other)
    mine = field.enter(desk, [me], state=State.SPARE)
    desk.say(name=mine.name, state=State.SPARE.value)
    return Entry(mine.pk, mine.state) if other is None else _ask(desk, mine, other)


def _sign_up_team(
    desk: Desk, me: field.Person, mine: Entrant | None, team: str, names: Sequence[str], found: people.Accounts,
    members: int,
) -> Entry:  # fmt: skip
    team = tidy(team)
    if reason := check_name(team):
        raise UserError(_("Give the team a name. %(reason)s") % {"reason": reason})
    if len(names) != members - 1:
        raise UserError(
            _("A team is %(members)d people: give the names of the %(others)d others.")
            % {"members": members, "others": members - 1}
        )
    called = desk.event.entrants.filter(name__iexact=team)
    if (called.exclude(pk=mine.pk) if mine is not None else called).exists():
        raise UserError(_("There is a team called “%(name)s” already.") % {"name": team})
    if mine is not None:
        _clear(desk, mine, me)
    persons = [me]
    for name in names:
        if key_of(name) in {key_of(one) for _account, one in persons}:
            raise UserError(_("%(name)s is there twice.") % {"name": name})
        if (other := found.get(key_of(name))) is not None:
            _check_may_play(desk, other)
        elif desk.event.kind == Event.Kind.ONLINE:
            raise UserError(
                _("Nobody on this site is called “%(name)s”. Online a partner needs an account.") % {"name": name}
            )
        persons.append(people.person(desk, name, found))
    return _entered(desk, persons, team)


def _clear(desk: Desk, mine: Entrant, me: field.Person) -> None:
    """Somebody who had withdrawn enters anew: what is left of his old entry goes, or goes on without him."""
    others = [person for person in field.present(mine) if person.player_id != me[0]]
    if others or field.was_seated(mine):
        for person in field.present(mine):
            if person.player_id == me[0]:
                desk.change(person, gone=True)
    else:
        desk.delete(mine)


def _check_may_play(desk: Desk, other: Player) -> None:
    if Ban.objects.filter(club=desk.event.club_id, player=other).exists():
        raise UserError(_("%(name)s cannot take part in this event.") % {"name": other.name})
    belongs = Membership.objects.filter(club=desk.event.club_id, player=other).exists()
    if not desk.event.club.public and not belongs:
        raise UserError(_("%(name)s is no member of this club, so they cannot see its events.") % {"name": other.name})


def _check_can_be_asked(desk: Desk, other: Player) -> Entrant | None:
    """His own entrant, if he looks for a partner too. UserError if he cannot be anybody's partner."""
    if other.pk == desk.by.player_id:
        raise UserError(_("That is you. Name somebody else, or nobody."))
    _check_may_play(desk, other)
    theirs = _entrant_of(desk, (other.pk, other.name))
    if theirs is not None and theirs.state not in (State.SPARE, State.WITHDRAWN):
        raise UserError(_("%(name)s is in this event with somebody else.") % {"name": other.name})
    return theirs if theirs is not None and theirs.state == State.SPARE else None


def _ask(desk: Desk, mine: Entrant, other: Player) -> Entry:
    theirs = _check_can_be_asked(desk, other)
    me = (desk.by.player_id, desk.by.name)
    if theirs is not None and theirs.asked.filter(to=me[0]).exists():
        desk.kind = "paired"
        desk.say(name=theirs.name, partner=me[1])
        return _pair(desk, theirs, me, mine)
    if not mine.asked.filter(to=other).exists():
        if mine.asked.count() >= REQUESTS:
            raise UserError(_("You have asked %(most)d people. Take one request back first.") % {"most": REQUESTS})
        desk.create(PartnerRequest, by=mine, to=other)
        desk.say(name=mine.name, asked=other.name)
    return Entry(mine.pk, mine.state, other.name)


def _pair(desk: Desk, kept: Entrant, me: field.Person, mine: Entrant | None) -> Entry:
    """Who has asked (``kept``) and oneself are a pair."""
    if kept.state != State.SPARE:
        raise UserError(_("%(name)s does not look for a partner any more.") % {"name": kept.name})
    people.drop_requests(desk, kept)
    for request in desk.event.partner_requests.filter(Q(to=me[0]) | Q(by=mine) if mine else Q(to=me[0])):
        desk.delete(request)
    if mine is not None:
        _clear(desk, mine, me)
    desk.create(Member, entrant=kept, position=1, player_id=me[0], name=me[1])
    state, joined = field.let_in(desk, free=field.free_places(desk), approved=False, here=True)
    desk.change(kept, name=field.label_of(field.names_of(kept)), state=state, joined=joined, left=None)
    desk.hurry()
    return Entry(kept.pk, state)
