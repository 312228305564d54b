"""Who takes part: every way in, out and back, and every refusal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Player
from games.services.accounts import delete_account
from games.services.errors import UserError
from tests.events.test_desk import picture
from tests.events.test_events import entered, played
from tournaments.models import Entrant, Event, Member, Membership, PartnerRequest, Place, Step, Wish
from tournaments.selectors.rights import Actor, read_actor
from tournaments.selectors.steps import tell
from tournaments.services import entrants, events, lineup, signup
from tournaments.services.book import NotAllowed
from tournaments.services.desk import find_undoable, undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def alone(event) -> Event:
    """The same event for single people."""
    return changed(event, format="swiss_individuals")


@pytest.fixture
def hall(event) -> Event:
    return changed(event, kind="hall")


def changed(event: Event, **values: Any) -> Event:
    Event.objects.filter(pk=event.pk).update(**values)
    event.refresh_from_db()
    return event


def states(event: Event) -> dict[str, str]:
    return dict(event.entrants.values_list("name", "state"))


def told() -> list[str]:
    return [tell(step) for step in Step.objects.order_by("number")]


def enter(event: Event, by: Actor, **more: Any) -> signup.Entry:
    return signup.sign_up(event_id=event.pk, by=by, **more)


def undo_last(event: Event, by: Actor) -> None:
    undo(event_id=event.pk, by=by, step_number=find_undoable(event.pk).number)


class TestSigningUp:
    def test_alone(self, alone, as_):
        for _twice in range(2):
            assert enter(alone, as_("north")).state == "entered"
        assert states(alone) == {"North": "entered"}
        assert told() == ["signed up: North"]
        assert as_("north").entrant_id == alone.entrants.get().pk

    def test_a_full_event_has_a_waiting_list_that_moves_up(self, alone, as_):
        changed(alone, capacity=2)
        for who in ("north", "east", "south", "west"):
            enter(alone, as_(who))
        assert states(alone) == {"North": "entered", "East": "entered", "South": "waiting", "West": "waiting"}
        entrants.withdraw(event_id=alone.pk, by=as_("north"), entrant_id=as_("north").entrant_id)
        assert states(alone) == {"North": "withdrawn", "East": "entered", "South": "entered", "West": "waiting"}
        undo_last(alone, as_("director"))
        assert states(alone)["South"] == "waiting"

    def test_where_directors_accept_one_waits_for_them(self, alone, as_):
        changed(alone, approval=True, capacity=1)
        for who in ("north", "east"):
            assert enter(alone, as_(who)).state == "asked"
        north, east = as_("north").entrant_id, as_("east").entrant_id
        for _twice in range(2):
            entrants.accept(event_id=alone.pk, by=as_("director"), entrant_id=north)
        entrants.accept(event_id=alone.pk, by=as_("director"), entrant_id=east)
        assert states(alone) == {"North": "entered", "East": "waiting"}
        entrants.accept(event_id=alone.pk, by=as_("director"), entrant_id=east)
        assert states(alone) == {"North": "entered", "East": "entered"}
        assert enter(alone, as_("director")).state == "waiting"

    def test_who_was_turned_down_reads_why_and_may_ask_again(self, alone, as_):
        changed(alone, approval=True)
        asked = enter(alone, as_("north")).entrant_id
        for _twice in range(2):
            entrants.decline(event_id=alone.pk, by=as_("director"), entrant_id=asked, reason="Full of beginners")
        assert Step.objects.get(kind="declined").reason == "Full of beginners"
        assert enter(alone, as_("north")).state == "asked"
        gone = entered(alone, 1, state="withdrawn")[0]
        with pytest.raises(UserError, match="not waiting to be let in"):
            entrants.accept(event_id=alone.pk, by=as_("director"), entrant_id=gone.pk)
        with pytest.raises(UserError, match="is in already"):
            entrants.decline(event_id=alone.pk, by=as_("director"), entrant_id=entered(alone, 1)[0].pk)

    @pytest.mark.parametrize(
        ("values", "sentence"),
        [
            ({"state": "finished"}, "This event is over"),
            ({"state": "cancelled"}, "This event is over"),
            ({"state": "running"}, "takes no late entries. Ask a director"),
            ({"starts_at": timezone.now() - timedelta(hours=1)}, "Sign-up ended on .* Ask a director"),
            (
                {
                    "starts_at": timezone.now() + timedelta(days=99),
                    "closes_at": timezone.now() - timedelta(hours=1),
                },
                "Sign-up ended on",
            ),
        ],
    )
    def test_closed_is_said(self, alone, as_, values, sentence):
        changed(alone, **values)
        with pytest.raises(UserError, match=sentence):
            enter(alone, as_("north"))

    def test_who_may_not(self, alone, as_, cast):
        with pytest.raises(UserError, match="The reason given: Threw the cards"):
            enter(alone, as_("banned"))
        with pytest.raises(NotAllowed, match="log in first"):
            enter(alone, as_("visitor"))
        changed(alone, state="draft")
        with pytest.raises(NotAllowed, match="cannot see this event"):
            enter(alone, as_("north"))
        changed(alone, state="open")
        entrant_id = enter(alone, as_("north")).entrant_id
        entrants.disqualify(event_id=alone.pk, by=as_("director"), entrant_id=entrant_id, reason="Peeked")
        with pytest.raises(UserError, match="You were disqualified"):
            enter(alone, as_("north"))

    def test_late_entry_until_its_round(self, alone, as_):
        changed(alone, state="running", late_until=2)
        entered(alone, 4, state="active")
        played(alone)
        assert enter(alone, as_("north")).state == "active"
        assert alone.entrants.get(name="North").joined == 2
        played(alone, number=2, state="published")
        with pytest.raises(UserError, match="one could join until round 2"):
            enter(alone, as_("east"))

    def test_who_signs_up_while_check_in_is_open_is_there(self, alone, as_):
        changed(alone, state="check_in")
        assert enter(alone, as_("north")).state == "checked_in"

    def test_a_late_withdrawal_is_taken_back_by_directors_only(self, alone, as_):
        entrant_id = enter(alone, as_("north")).entrant_id
        entered(alone, 3, state="active")
        changed(alone, state="running", late_until=5)
        alone.entrants.update(state="active")
        played(alone)
        entrants.withdraw(event_id=alone.pk, by=as_("north"), entrant_id=entrant_id)
        with pytest.raises(NotAllowed, match="Ask a director"):
            enter(alone, as_("north"))


class TestPartners:
    def test_asked_and_answered(self, event, as_):
        mine = enter(event, as_("north"), partner="SOUTH")
        assert (mine.state, mine.asked) == ("spare", "South")
        request = PartnerRequest.objects.get()
        pair = signup.answer_partner(event_id=event.pk, by=as_("south"), request_id=request.pk, accept=True)
        assert (pair.entrant_id, pair.state) == (mine.entrant_id, "entered")
        assert states(event) == {"North & South": "entered"}
        assert told() == ["signed up: North", "made a pair: North"]
        with pytest.raises(UserError, match="That request is gone"):
            signup.answer_partner(event_id=event.pk, by=as_("south"), request_id=request.pk, accept=True)
        undo_last(event, as_("director"))
        assert states(event) == {"North": "spare"}
        assert PartnerRequest.objects.get() == request

    def test_declined(self, event, as_):
        enter(event, as_("north"), partner="South")
        request = PartnerRequest.objects.get()
        assert signup.answer_partner(event_id=event.pk, by=as_("south"), request_id=request.pk, accept=False) is None
        assert states(event) == {"North": "spare"}

    def test_two_who_ask_each_other_are_a_pair(self, event, as_):
        enter(event, as_("north"), partner="South")
        assert enter(event, as_("south"), partner="North").state == "entered"
        assert states(event) == {"North & South": "entered"}
        assert not PartnerRequest.objects.exists()

    def test_from_the_list_of_those_who_look_for_one(self, event, as_):
        for who in ("north", "east", "south"):
            assert enter(event, as_(who)).state == "spare"
        for _twice in range(2):
            signup.ask_partner(event_id=event.pk, by=as_("north"), name="east")
        signup.ask_partner(event_id=event.pk, by=as_("south"), name="East")
        assert PartnerRequest.objects.count() == 2
        request = PartnerRequest.objects.get(to__name="East", by__name="North")
        signup.answer_partner(event_id=event.pk, by=as_("east"), request_id=request.pk, accept=True)
        assert states(event) == {"North & East": "entered", "South": "spare"}
        assert not PartnerRequest.objects.exists()

    def test_taken_back(self, event, as_):
        enter(event, as_("north"), partner="South")
        request = PartnerRequest.objects.get()
        with pytest.raises(NotAllowed):
            signup.take_back_request(event_id=event.pk, by=as_("east"), request_id=request.pk)
        for _twice in range(2):
            signup.take_back_request(event_id=event.pk, by=as_("north"), request_id=request.pk)
        assert not PartnerRequest.objects.exists()

    @pytest.mark.parametrize(
        ("partner", "sentence"),
        [
            ("Nobody Known", "Nobody on this site is called “Nobody Known”. Online a partner needs an account"),
            ("north", "That is you"),
            ("Banned", "Banned cannot take part"),
            ("East", "East is in this event with somebody else"),
            ("Clover", "Nobody on this site"),
        ],
    )
    def test_who_cannot_be_asked(self, event, as_, bots, partner, sentence):
        enter(event, as_("east"), partner="West")
        enter(event, as_("west"), partner="East")
        before = picture()
        with pytest.raises(UserError, match=sentence):
            enter(event, as_("north"), partner=partner)
        assert picture() == before

    def test_strangers_cannot_be_asked_into_a_private_club(self, event, as_, club):
        club.public, club.joining = False, "invitation"
        club.save()
        with pytest.raises(UserError, match="no member of this club"):
            enter(event, as_("north"), partner="Stranger")

    def test_only_so_many(self, event, as_, monkeypatch):
        monkeypatch.setattr(signup, "REQUESTS", 1)
        enter(event, as_("north"), partner="South")
        with pytest.raises(UserError, match="Take one request back first"):
            signup.ask_partner(event_id=event.pk, by=as_("north"), name="East")
        with pytest.raises(UserError, match="Sign up alone first"):
            signup.ask_partner(event_id=event.pk, by=as_("east"), name="North")
        with pytest.raises(UserError, match="Nobody on this site"):
            signup.ask_partner(event_id=event.pk, by=as_("north"), name="Nemo")

    def test_in_a_hall_a_partner_needs_no_account(self, hall, as_):
        assert enter(hall, as_("north"), partner="“Grandma  Joan”").state == "entered"
        assert states(hall) == {"North & Grandma Joan": "entered"}
        with pytest.raises(UserError, match="grandma joan is in the event already"):
            enter(hall, as_("south"), partner="grandma joan")

    def test_who_looks_for_a_partner_may_name_one_later(self, hall, as_):
        first = enter(hall, as_("north"))
        assert enter(hall, as_("north"), partner="South").asked == "South"
        assert enter(hall, as_("north")).entrant_id == first.entrant_id
        assert enter(hall, as_("north"), partner="Joan").state == "entered"
        assert states(hall) == {"North & Joan": "entered"}
        assert not PartnerRequest.objects.exists()

    def test_directors_make_pairs(self, event, as_):
        for who in ("north", "east", "south"):
            enter(event, as_(who))
        ids = list(event.entrants.order_by("number").values_list("pk", flat=True))
        by = as_("director")
        with pytest.raises(UserError, match="2 people make an entrant here; you chose 3"):
            entrants.pair_up(event_id=event.pk, by=by, entrant_ids=ids)
        with pytest.raises(UserError, match="2 people make an entrant"):
            entrants.pair_up(event_id=event.pk, by=by, entrant_ids=[ids[0], ids[0]])
        before = picture()
        entrants.pair_up(event_id=event.pk, by=by, entrant_ids=ids[1:])
        assert states(event) == {"North": "spare", "East & South": "entered"}
        with pytest.raises(UserError, match="Only who looks for a partner"):
            entrants.pair_up(event_id=event.pk, by=by, entrant_ids=ids[:2])
        undo_last(event, by)
        assert picture() == before

    def test_who_withdraws_asks_nobody_any_more(self, event, as_):
        mine = enter(event, as_("north"), partner="South")
        entrants.withdraw(event_id=event.pk, by=as_("north"), entrant_id=mine.entrant_id)
        assert not PartnerRequest.objects.exists()
        assert enter(event, as_("north")).state == "spare"
        assert event.entrants.count() == 1


class TestTeams:
    @pytest.fixture
    def teams(self, hall, monkeypatch) -> Event:
        if "teams" not in events.PLAYBOOKS:
            pytest.skip("no teams yet")
        return changed(hall, format="teams")

    def test_a_team_has_a_name_and_four_people(self, teams, as_):
        others = ["South", "Ann", "Bob"]
        assert enter(teams, as_("north"), team=" The  Aces ", others=others).state == "entered"
        assert states(teams) == {"The Aces": "entered"}
        assert [member.name for member in teams.members.all()] == ["North", *others]
        assert as_("south").entrant_id == as_("north").entrant_id
        with pytest.raises(UserError, match="a team called “the aces”"):
            enter(teams, as_("east"), team="the aces", others=["C", "D", "E"])

    @pytest.mark.parametrize(
        ("team", "others", "sentence"),
        [
            ("", ["Ann", "Bob", "Cy"], "Give the team a name. A name needs at least one letter"),
            ("Aces", ["Ann", "Bob"], "give the names of the 3 others"),
            ("Aces", ["Ann", "ann", "Cy"], "there twice"),
            ("Aces", ["Ann", "Bob", "North"], "there twice"),
            ("Aces", ["Ann", "Bob", "x" * 61], "60 characters"),
        ],
    )
    def test_refusals(self, teams, as_, team, others, sentence):
        with pytest.raises(UserError, match=sentence):
            enter(teams, as_("north"), team=team, others=others)
        assert not teams.entrants.exists()


class TestCheckIn:
    def test_by_themselves_once_it_is_open(self, alone, as_):
        mine = enter(alone, as_("north")).entrant_id
        with pytest.raises(UserError, match="not open yet"):
            entrants.check_in(event_id=alone.pk, by=as_("north"), entrant_id=mine)
        changed(alone, state="check_in")
        for _twice in range(2):
            entrants.check_in(event_id=alone.pk, by=as_("north"), entrant_id=mine)
        assert states(alone) == {"North": "checked_in"}
        entrants.check_in(event_id=alone.pk, by=as_("north"), entrant_id=mine, here=False)
        assert told()[1:] == ["checked in: North", "not here after all: North"]
        with pytest.raises(NotAllowed):
            entrants.check_in(event_id=alone.pk, by=as_("east"), entrant_id=mine)

    def test_at_the_door_any_time(self, alone, as_):
        rows = entered(alone, 3)
        assert entrants.check_in_all(event_id=alone.pk, by=as_("director")) == 3
        assert entrants.check_in_all(event_id=alone.pk, by=as_("director")) == 0
        entrants.check_in(event_id=alone.pk, by=as_("director"), entrant_id=rows[0].pk, here=False)
        waits = entered(alone, 1, state="waiting")[0]
        with pytest.raises(UserError, match="has no place"):
            entrants.check_in(event_id=alone.pk, by=as_("director"), entrant_id=waits.pk)
        changed(alone, state="running")
        for act in (
            lambda: entrants.check_in(event_id=alone.pk, by=as_("director"), entrant_id=rows[0].pk),
            lambda: entrants.check_in_all(event_id=alone.pk, by=as_("director")),
        ):
            with pytest.raises(UserError, match="Check-in is over"):
                act()


class TestLists:
    def test_a_pasted_list(self, hall, as_):
        text = "1. North & Ann\n2. Bob / Cy\n3. Dot\n4. A & B & C\n5. bob & Eve\n\n"
        added = entrants.add_names(event_id=hall.pk, by=as_("director"), text=text)
        assert states(hall) == {"North & Ann": "entered", "Bob & Cy": "entered", "Dot": "spare"}
        assert (len(added.entrants), added.spare, added.accounts, added.waiting) == (3, 1, 1, 0)
        assert [(line.line, line.text) for line in added.refused] == [(4, "4. A & B & C"), (5, "5. bob & Eve")]
        assert hall.members.get(name="North").player.name == "North"
        assert told() == ["entered 3 from a list"]

    def test_the_same_list_again_changes_nothing(self, hall, as_):
        text = "Ann & Bob\nNorth & South"
        entrants.add_names(event_id=hall.pk, by=as_("director"), text=text)
        before = picture()
        added = entrants.add_names(event_id=hall.pk, by=as_("director"), text=text)
        assert (added.entrants, len(added.refused)) == ([], 2)
        assert "Ann is in the event already" in added.refused[0].reason
        assert picture() == before and Step.objects.count() == 1

    def test_somebody_who_has_another_name_by_now_is_not_there_twice(self, hall, as_, cast):
        entrants.add_names(event_id=hall.pk, by=as_("director"), text="North & Ann")
        cast.north.name = "Northwind"
        cast.north.save()
        added = entrants.add_names(event_id=hall.pk, by=as_("director"), text="Northwind & Bob")
        assert [line.text for line in added.refused] == ["Northwind & Bob"]

    def test_online_anybody_of_the_site_is_meant_in_a_hall_members(self, event, as_):
        assert entrants.add_names(event_id=event.pk, by=as_("director"), text="Stranger & Ann").accounts == 1
        changed(event, kind="hall")
        assert entrants.add_names(event_id=event.pk, by=as_("director"), text="Umpire & Bob").accounts == 0

    def test_who_is_too_many_waits(self, hall, as_):
        changed(hall, capacity=2)
        added = entrants.add_names(event_id=hall.pk, by=as_("director"), text="A1&B1\nA2&B2\nA3&B3\nA4")
        assert added.waiting == 1
        assert sorted(states(hall).values()) == ["entered", "entered", "spare", "waiting"]

    def test_late_entries_play_from_the_next_round(self, hall, as_):
        entered(hall, 2, state="active")
        changed(hall, state="running", rounds_planned=5)
        played(hall)
        entrants.add_names(event_id=hall.pk, by=as_("director"), text="Ann & Bob")
        late = hall.entrants.get(name="Ann & Bob")
        assert (late.state, late.joined) == ("active", 2)

    def test_a_format_that_takes_nobody_new_says_so(self, hall, as_):
        entered(hall, 2, state="active")
        changed(hall, state="running", format="single_elimination")
        played(hall)
        hall.tables.update(label="R1-1")
        with pytest.raises(UserError, match="It is too late to join: this format takes nobody new"):
            entrants.add_names(event_id=hall.pk, by=as_("director"), text="Cy & Dot")

    def test_three_hundred_lines_in_a_few_queries(self, hall, as_, django_assert_max_num_queries):
        by = as_("director")
        with django_assert_max_num_queries(24):
            added = entrants.add_names(
                event_id=hall.pk, by=by, text="\n".join(f"{n}. Ann {n} & Bob {n}" for n in range(1, 301))
            )
        assert len(added.entrants) == hall.entrants.count() == 300
        assert list(hall.entrants.values_list("number", flat=True)) == list(range(1, 301))
        undo_last(hall, by)
        assert not Entrant.objects.exists() and not Member.objects.exists()

    def test_not_once_it_is_over(self, hall, as_):
        changed(hall, state="cancelled")
        with pytest.raises(UserError, match="This event is over"):
            entrants.add_names(event_id=hall.pk, by=as_("director"), text="Ann & Bob")


class TestBots:
    def test_up_to_a_number_and_no_bot_twice(self, event, as_, bots):
        by = as_("director")
        entered(event, 1)
        assert entrants.fill_with_bots(event_id=event.pk, by=by, entrants=4) == 3
        assert entrants.fill_with_bots(event_id=event.pk, by=by, entrants=4) == 0
        names = [member.name for member in event.members.all()]
        assert names == ["Clover", "Otto", "Hazel", "Clover 2", "Otto 2", "Hazel 2"]
        assert Player.objects.get(name="Otto 2").rating
        undo_last(event, by)
        assert entrants.fill_with_bots(event_id=event.pk, by=by) == 1
        assert entrants.fill_with_bots(event_id=event.pk, by=by) == 0

    def test_they_need_no_check_in(self, event, as_, bots):
        entrants.fill_with_bots(event_id=event.pk, by=as_("director"), entrants=2)
        changed(event, state="check_in")
        events.start(event_id=event.pk, by=Actor.SYSTEM)
        assert set(states(event).values()) == {"active"}

    def test_refusals(self, event, as_, bots):
        by = as_("director")
        with pytest.raises(UserError, match="takes at most 10000"):
            entrants.fill_with_bots(event_id=event.pk, by=by, entrants=10_001)
        with pytest.raises(UserError, match="An event takes 200 bots"):
            entrants.fill_with_bots(event_id=event.pk, by=by, entrants=101)
        changed(event, kind="hall")
        with pytest.raises(UserError, match="Bots cannot hold real cards"):
            entrants.fill_with_bots(event_id=event.pk, by=by)
        changed(event, kind="online", state="finished")
        with pytest.raises(UserError, match="is over"):
            entrants.fill_with_bots(event_id=event.pk, by=by)
        changed(event, state="open")
        Player.objects.exclude(bot_level="").delete()
        with pytest.raises(UserError, match="not enough bots on this site"):
            entrants.fill_with_bots(event_id=event.pk, by=by)


class TestLeavingAndComingBack:
    def test_before_the_start(self, event, as_):
        row = entered(event, 1)[0]
        row.members.create(event=event, name="Ann")
        row.members.create(event=event, name="Bob", position=1)
        by = as_("director")
        for _twice in range(2):
            entrants.withdraw(event_id=event.pk, by=by, entrant_id=row.pk, reason="Ill")
        assert (states(event), Step.objects.get().reason) == ({"Pair 1": "withdrawn"}, "Ill")
        for _twice in range(2):
            entrants.bring_back(event_id=event.pk, by=by, entrant_id=row.pk)
        row.refresh_from_db()
        assert (row.state, row.left) == ("entered", None)

    def test_during_the_event(self, event, as_):
        changed(event, state="running")
        first, second = entered(event, 2, state="active")
        for row, names in ((first, "AB"), (second, "CD")):
            for position, name in enumerate(names):
                row.members.create(event=event, name=name, position=position)
        played(event)
        by = as_("director")
        entrants.withdraw(event_id=event.pk, by=by, entrant_id=first.pk)
        for _twice in range(2):
            entrants.pause(event_id=event.pk, by=by, entrant_id=second.pk)
        first.refresh_from_db()
        assert (first.state, first.left) == ("withdrawn", 2)
        with pytest.raises(UserError, match="is not playing"):
            entrants.pause(event_id=event.pk, by=by, entrant_id=first.pk)
        for row in (first, second):
            entrants.bring_back(event_id=event.pk, by=by, entrant_id=row.pk)
            row.refresh_from_db()
            assert (row.state, row.left, row.joined) == ("active", None, 1)

    def test_one_may_pause_and_come_back_oneself_but_not_after_leaving(self, alone, as_):
        mine = enter(alone, as_("north")).entrant_id
        changed(alone, state="running")
        alone.entrants.update(state="active")
        by = as_("north")
        entrants.pause(event_id=alone.pk, by=by, entrant_id=mine)
        entrants.bring_back(event_id=alone.pk, by=by, entrant_id=mine)
        entrants.withdraw(event_id=alone.pk, by=by, entrant_id=mine)
        with pytest.raises(NotAllowed, match="Ask a director to bring you back"):
            entrants.bring_back(event_id=alone.pk, by=by, entrant_id=mine)
        for act in (entrants.withdraw, entrants.pause, entrants.bring_back):
            with pytest.raises(NotAllowed, match="Only they themselves"):
                act(event_id=alone.pk, by=as_("east"), entrant_id=mine)

    def test_disqualified_with_a_reason(self, event, as_):
        row = entered(event, 1)[0]
        with pytest.raises(UserError, match="Say why"):
            entrants.disqualify(event_id=event.pk, by=as_("director"), entrant_id=row.pk, reason="")
        for _twice in range(2):
            entrants.disqualify(event_id=event.pk, by=as_("director"), entrant_id=row.pk, reason="Peeked")
        assert states(event) == {"Pair 1": "disqualified"} and Step.objects.count() == 1

    def test_struck_off_the_list_only_before_the_first_seat(self, event, as_):
        rows = entered(event, 3)
        entrants.remove(event_id=event.pk, by=as_("director"), entrant_id=rows[2].pk)
        played(event, state="drawn")
        entrants.remove(event_id=event.pk, by=as_("director"), entrant_id=entered(event, 1)[0].pk)
        event.rounds.update(state="published")
        with pytest.raises(UserError, match="has had a seat"):
            entrants.remove(event_id=event.pk, by=as_("director"), entrant_id=rows[0].pk)

    def test_not_once_it_is_over(self, event, as_):
        row = entered(event, 1)[0]
        changed(event, state="finished")
        for act in (entrants.withdraw, entrants.bring_back):
            with pytest.raises(UserError, match="is over"):
                act(event_id=event.pk, by=as_("director"), entrant_id=row.pk)


class TestLineUp:
    @pytest.fixture
    def pairs(self, hall, as_) -> list[Member]:
        entrants.add_names(event_id=hall.pk, by=as_("director"), text="Ann & North\nBob & Cy")
        return list(hall.members.order_by("entrant__number", "position"))

    def test_a_substitute_plays_from_now_on(self, hall, pairs, as_, cast):
        ann, north, _bob, _cy = pairs
        by = as_("director")
        before = picture()
        new = lineup.substitute(event_id=hall.pk, by=by, member_id=north.pk, name="south")
        assert Member.objects.get(pk=new).player == cast.south
        assert set(states(hall)) == {"Ann & South", "Bob & Cy"}
        assert (as_("north").entrant_id, as_("south").entrant_id) == (None, north.entrant_id)
        with pytest.raises(UserError, match="North was replaced already"):
            lineup.substitute(event_id=hall.pk, by=by, member_id=north.pk, name="East")
        with pytest.raises(UserError, match="Bob is in the event already"):
            lineup.substitute(event_id=hall.pk, by=by, member_id=ann.pk, name="Bob")
        lineup.substitute(event_id=hall.pk, by=by, member_id=new, name="North")
        assert as_("north").entrant_id == north.entrant_id
        for _two in range(2):
            undo_last(hall, by)
        assert picture() == before
        assert told()[1] == "South plays instead of North"

    def test_a_bot_online(self, hall, pairs, as_, bots):
        by = as_("director")
        with pytest.raises(UserError, match="Bots cannot hold real cards"):
            lineup.substitute(event_id=hall.pk, by=by, member_id=pairs[0].pk, bot=True)
        changed(hall, kind="online")
        lineup.substitute(event_id=hall.pk, by=by, member_id=pairs[0].pk, bot=True)
        assert "Clover & North" in states(hall)

    def test_two_change_places(self, hall, pairs, as_):
        ann, north, bob, _cy = pairs
        by = as_("director")
        lineup.swap_members(event_id=hall.pk, by=by, one_id=north.pk, other_id=bob.pk)
        assert set(states(hall)) == {"Ann & Bob", "North & Cy"}
        for one, other in ((ann, ann), (ann, bob)):
            with pytest.raises(UserError, match="two people of different entrants"):
                lineup.swap_members(event_id=hall.pk, by=by, one_id=one.pk, other_id=other.pk)

    def test_names_are_written_another_way(self, hall, pairs, as_, cast):
        ann, north, bob, cy = pairs
        by = as_("director")
        lineup.rename(event_id=hall.pk, by=by, member_id=ann.pk, name=" Anne ")
        lineup.rename(event_id=hall.pk, by=by, member_id=bob.pk, name="East")
        assert set(states(hall)) == {"Anne & North", "East & Cy"}
        assert Member.objects.get(pk=bob.pk).player == cast.east
        with pytest.raises(UserError, match="North has an account"):
            lineup.rename(event_id=hall.pk, by=by, member_id=north.pk, name="Norton")
        for name, sentence in (("ANNE", "in the event already"), ("7", "one letter"), ("x" * 61, "60 characters")):
            with pytest.raises(UserError, match=sentence):
                lineup.rename(event_id=hall.pk, by=by, member_id=cy.pk, name=name)

    def test_notes_seeds_and_cuts(self, hall, pairs, as_):
        by = as_("director")
        one, other = hall.entrants.order_by("number")
        lineup.set_note(event_id=hall.pk, by=by, entrant_id=one.pk, note=" Paid\n")
        lineup.set_seed(event_id=hall.pk, by=by, entrant_id=one.pk, seed=7)
        lineup.set_extra(event_id=hall.pk, by=by, entrant_id=one.pk, extra=2)
        one.refresh_from_db()
        assert (one.note, one.seed, one.extra) == ("Paid", 7, 2)
        lineup.set_order(event_id=hall.pk, by=by, entrant_ids=[other.pk, one.pk, other.pk])
        assert list(hall.entrants.order_by("number").values_list("seed", flat=True)) == [2, 1]
        for act, sentence in (
            (lambda: lineup.set_note(event_id=hall.pk, by=by, entrant_id=one.pk, note="x" * 301), "300 characters"),
            (lambda: lineup.set_seed(event_id=hall.pk, by=by, entrant_id=one.pk, seed=-1), "from 1 to 10000"),
            (lambda: lineup.set_extra(event_id=hall.pk, by=by, entrant_id=one.pk, extra=1001), "-1000 to 1000"),
            (lambda: lineup.set_order(event_id=hall.pk, by=by, entrant_ids=[10**9]), "list has changed"),
        ):
            with pytest.raises(UserError, match=sentence):
                act()
        played(hall, state="published")
        with pytest.raises(UserError, match="seeds change nothing any more"):
            lineup.set_seed(event_id=hall.pk, by=by, entrant_id=one.pk, seed=1)


class TestWishes:
    def test_kept_once_and_taken_back(self, alone, as_):
        one, other = entered(alone, 2)
        by = as_("director")

        def wish(kind: str, **more: Any) -> int:
            return lineup.add_wish(event_id=alone.pk, by=by, kind=kind, **more)

        first = wish("never_together", one_id=one.pk, other_id=other.pk)
        assert wish("never_together", one_id=other.pk, other_id=one.pk) == first
        wish("never_opponents", one_id=one.pk, other_id=other.pk)
        table = wish("fixed_table", one_id=one.pk, table=3)
        assert wish("fixed_table", one_id=one.pk, table=4) == table
        assert told() == [
            "for every draw: Never partners (Pair 1, Pair 2)",
            "for every draw: Never opponents (Pair 1, Pair 2)",
            "for every draw: Stays at a table (Pair 1, table 3)",
            "for every draw: Stays at a table (Pair 1, table 4)",
        ]
        for _twice in range(2):
            lineup.remove_wish(event_id=alone.pk, by=by, wish_id=first)
        assert Wish.objects.count() == 2

    def test_what_contradicts_is_refused(self, alone, as_):
        rows = entered(alone, 7)
        by = as_("director")
        one, other, third = (row.pk for row in rows[:3])

        def refused(sentence: str, **more: Any) -> None:
            with pytest.raises(UserError, match=sentence):
                lineup.add_wish(event_id=alone.pk, by=by, **more)

        lineup.add_wish(event_id=alone.pk, by=by, kind="always_together", one_id=one, other_id=other)
        refused("always and never", kind="never_together", one_id=other, other_id=one)
        refused("has a partner for always", kind="always_together", one_id=third, other_id=other)
        refused("two different ones", kind="never_together", one_id=one, other_id=one)
        refused("two different ones", kind="never_together", one_id=one)
        refused("what the draw has to keep", kind="peace", one_id=one, other_id=other)
        refused("Choose the table", kind="fixed_table", one_id=one)
        refused("Choose the table", kind="fixed_table", one_id=one, table=0)
        for row in rows[:4]:
            lineup.add_wish(event_id=alone.pk, by=by, kind="fixed_table", one_id=row.pk, table=1)
        refused("Table 1 is full", kind="fixed_table", one_id=rows[4].pk, table=1)
        changed(alone, format="swiss")
        refused("Partners are fixed", kind="never_together", one_id=third, other_id=one)


class TestTheEndOfAnAccount:
    def test_before_the_start_a_partner_is_left(self, event, as_, cast):
        enter(event, as_("north"), partner="South")
        enter(event, as_("south"), partner="North")
        enter(event, as_("east"))
        delete_account(player_id=cast.north.pk)
        assert states(event) == {"South": "spare", "East": "spare"}
        delete_account(player_id=cast.east.pk)
        assert states(event) == {"South": "spare"}

    def test_what_was_played_stays_without_the_name(self, event, as_, cast):
        enter(event, as_("north"), partner="South")
        enter(event, as_("south"), partner="North")
        changed(event, state="running")
        event.entrants.update(state="active")
        row = event.entrants.get()
        Place.objects.create(event=event, entrant=row, player=cast.north, name="North", place=1)
        delete_account(player_id=cast.north.pk)
        assert states(event) == {"a former player & South": "withdrawn"}  # nobody can take that seat
        assert Place.objects.get().name == "a former player"
        everything = str(list(Step.objects.values())) + str(picture())
        assert "North" not in everything
        assert "South" in everything

    def test_undo_does_not_bring_the_account_back(self, event, as_, cast):
        enter(event, as_("north"), partner="South")
        enter(event, as_("south"), partner="North")
        by = as_("director")
        entrants.remove(event_id=event.pk, by=by, entrant_id=event.entrants.get().pk)
        delete_account(player_id=cast.north.pk)
        undo_last(event, by)
        assert list(event.members.values_list("name", "player")) == [("North", None), ("South", cast.south.pk)]
        assert Membership.objects.filter(player=cast.south).exists()
        assert read_actor(event, cast.south).entrant_id == event.entrants.get().pk
