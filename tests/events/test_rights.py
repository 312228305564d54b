"""Who may do what with an event: everybody by every verb."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from games.services.errors import UserError
from tournaments.models import Entrant, Event, EventLink, EventTable, Round, Seating
from tournaments.selectors.rights import Actor, Part, hash_of, read_actor
from tournaments.services import entrants, events, lineup, results, rounds, signup
from tournaments.services.desk import open_desk, undo

pytestmark = pytest.mark.django_db

EVERYBODY = (
    *("visitor", "player_link", "deputy_link", "director_link", "stranger", "banned", "member", "north"),
    *("director", "owner", "staff"),
)
"""North takes part; the links are a visitor's."""

DIRECTS = {"director_link", "director", "owner", "staff"}
SCORES = DIRECTS | {"deputy_link"}
ACCOUNTS = {"stranger", "member", "director", "owner", "staff"}
"""Who has one, is not banned, and is not in the event yet."""


@pytest.fixture
def scene(event, cast) -> SimpleNamespace:
    """North & South are entered, a pair waits to be let in, East looks for a partner and has asked
    North's nobody; a round is drawn; a step can be undone."""
    Event.objects.update(kind="hall", late_until=9)
    north = Entrant.objects.create(event=event, number=1, name="North & South")
    members = [
        north.members.create(event=event, position=position, player=player, name=player.name)
        for position, player in enumerate((cast.north, cast.south))
    ]
    asked = Entrant.objects.create(event=event, number=2, name="Ann & Bob", state="asked")
    ann = asked.members.create(event=event, name="Ann")
    asked.members.create(event=event, name="Bob", position=1)
    spares = [Entrant.objects.create(event=event, number=n, name=f"Spare {n}", state="spare") for n in (3, 4)]
    for spare in spares:
        spare.members.create(event=event, name=spare.name)
    links = {
        part: EventLink.objects.create(event=event, part=part, token_hash=hash_of(part)).pk
        for part in EventLink.Part.values
    }
    return SimpleNamespace(
        event=event,
        id=event.pk,
        north=north,
        asked=asked,
        spares=spares,
        members=members,
        ann=ann,
        links=links,
        cast=cast,
    )


def actor(scene: SimpleNamespace, who: str) -> Actor:
    event = Event.objects.select_related("club").get(pk=scene.id)
    if who.endswith("_link"):
        return read_actor(event, AnonymousUser(), [scene.links[who.removesuffix("_link")]], "Somebody")
    return read_actor(event, getattr(scene.cast, who, AnonymousUser()))


@contextmanager
def undone() -> Iterator[None]:
    """What happens within has not happened after it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def running(scene: SimpleNamespace, state: str = "playing") -> EventTable:
    Event.objects.update(state="running")
    scene.event.entrants.update(state="active")
    row = Round.objects.create(event=scene.event, number=1, state=state)
    table = EventTable.objects.create(event=scene.event, round=row, number=1, kind="hall", sides=[[1], [2]])
    for side, entrant in enumerate((scene.north, scene.asked)):
        Seating.objects.create(round=row, table=table, entrant=entrant, side=side)
    return table


def one_step(scene: SimpleNamespace, by: Actor) -> None:
    with open_desk(scene.id, by=Actor.SYSTEM, needs="direct", kind="said") as desk:
        desk.change(desk.event, title="Friday")
    undo(event_id=scene.id, by=by, step_number=1)


def table_and(act: Callable[..., Any], state: str = "playing", **more: Any) -> Callable[[SimpleNamespace, Actor], Any]:
    def do(scene: SimpleNamespace, by: Actor) -> Any:
        table = running(scene, state)
        about = {"table": {"table_id": table.pk}, "round": {"number": 1}}[more.get("about", "table")]
        given = {name: value for name, value in more.items() if name != "about"}
        return act(event_id=scene.id, by=by, **about, **given)

    return do


def spare_asks(scene: SimpleNamespace, by: Actor) -> Any:
    """Who is not in it yet looks for a partner already."""
    if by.player_id is not None and by.entrant_id is None:
        own = Entrant.objects.create(event=scene.event, number=9, name=by.name, state="spare")
        own.members.create(event=scene.event, player_id=by.player_id, name=by.name)
    return signup.ask_partner(event_id=scene.id, by=by, name="West")


SCORE = results.Score(points=(10, 4))

VERBS: dict[str, tuple[set[str], Callable[[SimpleNamespace, Actor], Any]]] = {
    "edit": (DIRECTS, lambda s, by: events.edit_event(event_id=s.id, by=by, title="New")),
    "check-in opens": (DIRECTS, lambda s, by: events.open_check_in(event_id=s.id, by=by)),
    "start": (DIRECTS, lambda s, by: (s.event.entrants.update(state="entered"), events.start(event_id=s.id, by=by))),
    "cancel": (DIRECTS, lambda s, by: events.cancel(event_id=s.id, by=by, reason="Snow")),
    "reopen": (DIRECTS, lambda s, by: (Event.objects.update(state="finished"), events.reopen(event_id=s.id, by=by))),
    "finish": (DIRECTS, lambda s, by: (Event.objects.update(state="running"), events.finish(event_id=s.id, by=by))),
    "make a link": (DIRECTS, lambda s, by: events.make_link(event_id=s.id, by=by, part="deputy")),
    "revoke a link": (DIRECTS, lambda s, by: events.revoke_link(event_id=s.id, by=by, link_id=s.links["player"])),
    "tell the tables": (
        DIRECTS, lambda s, by: (running(s), events.announce_to_tables(event_id=s.id, by=by, text="Hi"))
    ),
    "undo": (DIRECTS, one_step),
    "sign up": (ACCOUNTS | {"north"}, lambda s, by: signup.sign_up(event_id=s.id, by=by)),
    "ask": (ACCOUNTS, spare_asks),
    "accept": (DIRECTS, lambda s, by: entrants.accept(event_id=s.id, by=by, entrant_id=s.asked.pk)),
    "decline": (DIRECTS, lambda s, by: entrants.decline(event_id=s.id, by=by, entrant_id=s.asked.pk)),
    "check in": (
        SCORES | {"north"},
        lambda s, by: (
            Event.objects.update(state="check_in"),
            entrants.check_in(event_id=s.id, by=by, entrant_id=s.north.pk),
        ),
    ),
    "check in all": (SCORES, lambda s, by: entrants.check_in_all(event_id=s.id, by=by)),
    "add names": (DIRECTS, lambda s, by: entrants.add_names(event_id=s.id, by=by, text="Cy & Dot")),
    "pair up": (DIRECTS, lambda s, by: entrants.pair_up(event_id=s.id, by=by, entrant_ids=[r.pk for r in s.spares])),
    "withdraw": (DIRECTS | {"north"}, lambda s, by: entrants.withdraw(event_id=s.id, by=by, entrant_id=s.north.pk)),
    "withdraw others": (DIRECTS, lambda s, by: entrants.withdraw(event_id=s.id, by=by, entrant_id=s.asked.pk)),
    "pause": (
        DIRECTS | {"north"},
        lambda s, by: (running(s), entrants.pause(event_id=s.id, by=by, entrant_id=s.north.pk)),
    ),
    "bring back": (
        DIRECTS | {"north"},
        lambda s, by: (
            running(s),
            Entrant.objects.update(state="paused"),
            entrants.bring_back(event_id=s.id, by=by, entrant_id=s.north.pk),
        ),
    ),
    "disqualify": (
        DIRECTS, lambda s, by: entrants.disqualify(event_id=s.id, by=by, entrant_id=s.north.pk, reason="Peeked")
    ),
    "remove": (DIRECTS, lambda s, by: entrants.remove(event_id=s.id, by=by, entrant_id=s.asked.pk)),
    "substitute": (DIRECTS, lambda s, by: lineup.substitute(event_id=s.id, by=by, member_id=s.ann.pk, name="Eve")),
    "swap members": (
        DIRECTS,
        lambda s, by: lineup.swap_members(event_id=s.id, by=by, one_id=s.ann.pk, other_id=s.members[0].pk),
    ),
    "rename": (DIRECTS, lambda s, by: lineup.rename(event_id=s.id, by=by, member_id=s.ann.pk, name="Anna")),
    "note": (SCORES, lambda s, by: lineup.set_note(event_id=s.id, by=by, entrant_id=s.north.pk, note="Paid")),
    "seed": (DIRECTS, lambda s, by: lineup.set_seed(event_id=s.id, by=by, entrant_id=s.north.pk, seed=1)),
    "order": (DIRECTS, lambda s, by: lineup.set_order(event_id=s.id, by=by, entrant_ids=[s.north.pk])),
    "extra": (DIRECTS, lambda s, by: lineup.set_extra(event_id=s.id, by=by, entrant_id=s.north.pk, extra=1)),
    "wish": (
        DIRECTS,
        lambda s, by: lineup.add_wish(
            event_id=s.id, by=by, kind="never_opponents", one_id=s.north.pk, other_id=s.asked.pk
        ),
    ),
    "wish no longer": (DIRECTS, lambda s, by: lineup.remove_wish(event_id=s.id, by=by, wish_id=0)),
    "draw": (
        DIRECTS,
        lambda s, by: (
            Event.objects.update(state="running"),
            s.event.entrants.update(state="active"),
            rounds.draw(event_id=s.id, by=by),
        ),
    ),
    "publish": (DIRECTS, table_and(rounds.publish, "drawn", about="round")),
    "lock a table": (DIRECTS, table_and(rounds.lock_table, "drawn")),
    "add minutes": (DIRECTS, table_and(rounds.add_minutes, about="round", minutes=5)),
    "report any table": (SCORES, table_and(results.report, score=SCORE, side=None)),
}  # fmt: skip
"""Who may, and what is done."""


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_everybody_by_every_verb(scene, verb):
    allowed, do = VERBS[verb]
    if verb == "report any table":
        allowed = allowed | {"north"}  # of his own table
    may = set()
    for who in EVERYBODY:
        with undone(), suppress(UserError):
            do(scene, actor(scene, who))
            may.add(who)
    assert may == allowed


def test_what_everybody_is(scene, cast):
    assert {who: actor(scene, who).part for who in EVERYBODY} == {
        "visitor": Part.VISITOR,
        "player_link": Part.PLAYER,
        "deputy_link": Part.DEPUTY,
        "director_link": Part.DIRECTOR,
        "stranger": Part.VISITOR,
        "banned": Part.VISITOR,
        "member": Part.VISITOR,
        "north": Part.PLAYER,
        "director": Part.DIRECTOR,
        "owner": Part.OWNER,
        "staff": Part.OWNER,
    }
    north = actor(scene, "north")
    assert (north.entrant_id, north.member, north.name) == (scene.north.pk, True, "North")
    assert actor(scene, "deputy_link").name == "Somebody"
    assert [actor(scene, who).signs_up for who in ("visitor", "stranger", "banned")] == [False, True, False]


@pytest.mark.parametrize(
    ("state", "public", "sees"),
    [
        ("draft", True, DIRECTS | {"deputy_link"}),
        ("draft", False, DIRECTS | {"deputy_link"}),
        ("open", True, set(EVERYBODY)),
        ("open", False, DIRECTS | {"player_link", "deputy_link", "member", "north"}),
        ("cancelled", True, set(EVERYBODY)),
    ],
)
def test_who_sees_it(scene, club, state, public, sees):
    Event.objects.update(state=state)
    club.public = public
    club.save()
    assert {who for who in EVERYBODY if actor(scene, who).sees} == sees


def test_a_closed_account_is_a_visitor(scene, cast):
    cast.director.is_active = False
    cast.director.save()
    assert actor(scene, "director").part == Part.VISITOR
    cast.staff.is_active = False
    assert read_actor(scene.event, cast.staff).part == Part.VISITOR


def test_the_links_of_another_event_count_for_nothing(scene, club, cast):
    other = Event.objects.create(club=club, title="Other", format="swiss", state="open")
    assert read_actor(other, AnonymousUser(), scene.links.values()).part == Part.VISITOR


def test_a_tables_code_in_the_hall_is_a_part(scene):
    visitor = actor(scene, "visitor")
    assert not visitor.may("player")
    assert visitor.at_table(7).may("player") and not visitor.at_table(7).scores


def test_two_queries_at_most(scene, cast, django_assert_max_num_queries):
    event = Event.objects.select_related("club").get(pk=scene.id)
    with django_assert_max_num_queries(2):
        read_actor(event, cast.north, scene.links.values())
    with django_assert_max_num_queries(0):
        read_actor(event, AnonymousUser())
