"""Two at once at an event, in threads with a connection each: one effect, the other is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.services.accounts import delete_account
from games.services.errors import UserError
from tests.clubs.test_races import none_failed, one_refused
from tests.services.conftest import at_once
from tournaments.models import Entrant, Event, Member, PartnerRequest, Step
from tournaments.selectors.rights import Actor
from tournaments.services import entrants, events, lineup, signup
from tournaments.services.desk import undo

pytestmark = pytest.mark.django_db(transaction=True)


def told_or_done(outcomes: list[object]) -> None:
    assert all(not isinstance(outcome, Exception) or isinstance(outcome, UserError) for outcome in outcomes), outcomes


def test_a_double_click_does_everything_once(event, as_, bots):
    Event.objects.update(format="swiss_individuals", state="draft")
    by = as_("director")
    row = Entrant.objects.create(event=event, number=1, name="Ann")
    member = row.members.create(event=event, name="Ann")
    acts: tuple[Callable[[], Any], ...] = (
        lambda: events.announce(event_id=event.pk, by=by),
        lambda: signup.sign_up(event_id=event.pk, by=as_("north")),
        lambda: entrants.add_names(event_id=event.pk, by=by, text="Bob\nCy"),
        lambda: entrants.fill_with_bots(event_id=event.pk, by=by, entrants=6),
        lambda: events.open_check_in(event_id=event.pk, by=Actor.SYSTEM),
        lambda: entrants.check_in_all(event_id=event.pk, by=by),
        lambda: entrants.withdraw(event_id=event.pk, by=by, entrant_id=row.pk),
        lambda: entrants.bring_back(event_id=event.pk, by=by, entrant_id=row.pk),
        lambda: lineup.rename(event_id=event.pk, by=by, member_id=member.pk, name="Anna"),
        lambda: events.start(event_id=event.pk, by=Actor.SYSTEM),
        lambda: undo(event_id=event.pk, by=by, step_number=Step.objects.get(kind="started").number),
        lambda: events.cancel(event_id=event.pk, by=by, reason="Snow"),
        lambda: events.reopen(event_id=event.pk, by=by),
    )
    for act in acts:
        before = Step.objects.count()
        none_failed(at_once(act, act))
        assert Step.objects.count() == before + 1
    assert event.entrants.count() == 6
    assert sorted(Step.objects.values_list("number", flat=True)) == list(range(1, Step.objects.count() + 1))
    assert Event.objects.get().version == Step.objects.count()


def test_the_last_place_is_given_once(event, as_):
    Event.objects.update(format="swiss_individuals", capacity=1)
    people = [as_(who) for who in ("north", "east", "south")]
    none_failed(at_once(*(lambda by=by: signup.sign_up(event_id=event.pk, by=by) for by in people)))
    assert sorted(event.entrants.values_list("state", flat=True)) == ["entered", "waiting", "waiting"]
    assert sorted(event.entrants.values_list("number", flat=True)) == [1, 2, 3]


def test_two_who_say_yes_at_once_are_not_both_the_partner(event, as_):
    signup.sign_up(event_id=event.pk, by=as_("north"))
    for name in ("South", "East"):
        signup.ask_partner(event_id=event.pk, by=as_("north"), name=name)
    keys = {request.to.name: request.pk for request in PartnerRequest.objects.select_related("to")}
    one_refused(
        at_once(
            *(
                lambda who=who: signup.answer_partner(
                    event_id=event.pk, by=as_(who.lower()), request_id=keys[who], accept=True
                )
                for who in keys
            )
        )
    )
    assert Member.objects.count() == 2


def test_two_who_ask_each_other_at_once_are_a_pair(event, as_):
    none_failed(
        at_once(
            lambda: signup.sign_up(event_id=event.pk, by=as_("north"), partner="South"),
            lambda: signup.sign_up(event_id=event.pk, by=as_("south"), partner="North"),
        )
    )
    assert event.entrants.get().state == "entered"
    assert not PartnerRequest.objects.exists()


def test_one_person_replaced_by_two_is_replaced_once(event, as_):
    row = Entrant.objects.create(event=event, number=1, name="Ann")
    member = row.members.create(event=event, name="Ann")
    one_refused(
        at_once(
            *(
                lambda name=name: lineup.substitute(
                    event_id=event.pk, by=as_("director"), member_id=member.pk, name=name
                )
                for name in ("East", "West")
            )
        )
    )
    assert Member.objects.filter(gone=False).count() == 1


def test_an_account_that_ends_while_others_act_leaves_nothing_half_done(event, as_, cast):
    by = as_("director")
    signup.sign_up(event_id=event.pk, by=as_("north"), partner="South")
    outcomes = at_once(
        lambda: signup.sign_up(event_id=event.pk, by=as_("south"), partner="North"),
        lambda: delete_account(player_id=cast.north.pk),
        lambda: entrants.add_names(event_id=event.pk, by=by, text="East & West"),
        lambda: undo(event_id=event.pk, by=by, step_number=1),
    )
    told_or_done(outcomes)
    assert outcomes[1] is None
    assert not Member.objects.filter(name="North").exists()
