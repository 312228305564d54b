"""The desk: one writer, one step, and everything can be put back exactly."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Table as LiveTable
from games.services.errors import UserError
from tournaments.models import Entrant, Event, EventTable, Member, Report, Round, Seating, Step, Wish
from tournaments.selectors.rights import Actor
from tournaments.services.book import NotAllowed
from tournaments.services.desk import WRITTEN, find_undoable, open_desk, undo
from tournaments.signals import event_changed

pytestmark = pytest.mark.django_db

LEFT_ALONE = ("version", "due_at")


def picture() -> dict[str, list[dict[str, Any]]]:
    """Every row of every model that steps tell of, as it is stored."""
    rows = {name: list(model._base_manager.order_by("pk").values()) for name, model in WRITTEN.items()}
    for event in rows["event"]:
        for name in LEFT_ALONE:
            del event[name]
    return rows


def steps() -> list[tuple[int, str, str | None]]:
    return list(Step.objects.order_by("number").values_list("number", "kind", "undone__kind"))


@pytest.fixture
def pairs(event) -> list[Entrant]:
    names = ("North & South", "East & West")
    return [Entrant.objects.create(event=event, number=n, name=name) for n, name in enumerate(names, 1)]


@pytest.fixture
def everything(event, pairs, cast) -> Event:
    """A round that is being played, with all that hangs on it."""
    for pair, people in zip(pairs, ((cast.north, cast.south), (cast.east, cast.west)), strict=True):
        for position, player in enumerate(people):
            pair.members.create(event=event, position=position, player=player, name=player.name)
    round_ = Round.objects.create(event=event, number=1, byes=[], starts_at=timezone.now())
    table = EventTable.objects.create(
        event=event, round=round_, number=1, kind="hall", sides=[[1], [2]], counters={"euchres": {"1": 2}}
    )
    for side, pair in enumerate(pairs):
        Seating.objects.create(round=round_, table=table, entrant=pair, side=side)
    table.reports.create(source="side", side=0, values={"points": [10, 4]}, by=cast.north)
    Wish.objects.create(event=event, kind="never_opponents", one=pairs[0], other=pairs[1])
    return event


def changed(event: Event, by: Actor, kind: str = "changed", **values: Any) -> None:
    with open_desk(event.pk, by=by, needs="direct", kind=kind) as desk:
        desk.change(desk.event, **values)


class TestSteps:
    def test_what_was_done_is_one_step_that_tells_before_and_after(self, event, pairs, as_):
        by = as_("director")
        with open_desk(event.pk, by=by, needs="direct", kind="tidied", reason="Late") as desk:
            desk.change(desk.find(Entrant, pairs[0].pk), seed=1)
            desk.change(desk.find(Entrant, pairs[0].pk), seed=2, note="Kind")
            made = desk.create(Entrant, number=3, name="Third")
            desk.delete(desk.find(Entrant, pairs[1].pk))
            desk.say(name="Third")
        step = Step.objects.get()
        assert (step.number, step.kind, step.reason, step.words) == (1, "tidied", "Late", {"name": "Third"})
        assert (step.by_id, step.by_name) == (by.player_id, "Director")
        kept, came, went = step.changes
        assert kept == ["entrant", pairs[0].pk, {"seed": 0, "note": ""}, {"seed": 2, "note": "Kind"}]
        assert came[:3] == ["entrant", made.pk, None] and came[3]["name"] == "Third"
        assert went[3] is None and went[2]["name"] == "East & West"

    def test_the_version_rises_and_listeners_are_told_after_the_commit(
        self, event, as_, django_capture_on_commit_callbacks
    ):
        told = []
        hear = lambda event_id, version, **_more: told.append((event_id, version))  # noqa: E731
        event_changed.connect(hear)
        try:
            with django_capture_on_commit_callbacks(execute=True):
                changed(event, as_("director"), title="Friday")
                assert not told
        finally:
            event_changed.disconnect(hear)
        assert told == [(event.pk, 1)]
        assert Event.objects.get().version == 1

    def test_where_nothing_is_different_nothing_is_written(self, event, pairs, as_):
        with open_desk(event.pk, by=as_("director"), needs="direct", kind="nothing") as desk:
            desk.change(desk.event, title="Thursday")
            desk.change(pairs[0], seed=4)
            desk.change(pairs[0], seed=0)
            desk.delete(desk.create(Entrant, number=3, name="Third"))
        assert not Step.objects.exists()
        assert Event.objects.get().version == 0

    def test_an_error_leaves_everything_as_it_was(self, event, as_):
        def half(by: Actor) -> None:
            with open_desk(event.pk, by=by, needs="direct", kind="x") as desk:
                desk.change(desk.event, title="Friday")
                desk.find(Entrant, desk.create(Entrant, number=3, name="Third").pk + 1)

        before = picture()
        with pytest.raises(UserError, match="That is gone"):
            half(as_("owner"))
        assert picture() == before
        assert not Step.objects.exists()

    def test_the_schedule_is_told_when_to_look(self, event, as_):
        at = timezone.now() + timedelta(hours=1)
        with open_desk(event.pk, by=Actor.SYSTEM, needs="direct", kind="x") as desk:
            desk.due(at)
        assert Event.objects.get().due_at == at
        assert not Step.objects.exists()

    def test_rows_of_another_event_are_out_of_reach(self, event, club, as_):
        other = Event.objects.create(club=club, title="Other", format="swiss", state="open")
        stranger = Entrant.objects.create(event=other, number=1, name="Other")
        with (
            pytest.raises(UserError, match="That is gone"),
            open_desk(event.pk, by=as_("director"), needs="direct", kind="x") as desk,
        ):
            desk.find(Entrant, stranger.pk)
        with pytest.raises(NotAllowed, match="another event"):
            changed(other, as_("director"), title="Mine")

    def test_in_a_closed_club_only_the_schedule_goes_on(self, event, club, as_):
        club.closed_at = timezone.now()
        club.save()
        with pytest.raises(UserError, match="club has closed"):
            changed(event, as_("owner"), title="Friday")
        changed(event, Actor.SYSTEM, title="Friday")

    def test_gone_is_said(self, event, cast, as_):
        by = as_("director")
        with pytest.raises(UserError, match="event is gone"):
            changed(Event(pk=event.pk + 99), by, title="Friday")
        with (
            pytest.raises(UserError, match="player’s account is gone"),
            open_desk(event.pk, by=by, needs="direct", kind="x", people=[cast.staff.pk + 99]),
        ):
            pass
        cast.director.delete()
        with pytest.raises(UserError, match="Your account is gone"):
            changed(event, by, title="Friday")

    def test_a_part_that_was_lost_meanwhile_does_not_count(self, event, club, cast, as_):
        by = as_("director")
        club.memberships.filter(player=cast.director).delete()
        with pytest.raises(NotAllowed, match="Only the event’s directors"):
            changed(event, by, title="Friday")


class TestUndo:
    def test_whatever_a_step_has_done_is_put_back_exactly(self, everything, as_):
        before = picture()
        by = as_("director")
        with open_desk(everything.pk, by=by, needs="direct", kind="upheaval") as desk:
            table = EventTable.objects.get()
            desk.change(table, points_0=10, points_1=4, counters={}, done_at=timezone.now(), state="confirmed")
            desk.delete(Report.objects.get())
            desk.delete(Wish.objects.get())
            desk.delete(Entrant.objects.get(number=2))
            third = desk.create(Entrant, number=2, name="Third")
            desk.create_all(Member, [{"entrant": third, "name": name} for name in ("Ann", "Bob")])
            desk.create(Seating, round=table.round, table=table, entrant=third, side=1)
            desk.change(desk.event, settings={"deep": [1, {"two": None}]}, starts_at=timezone.now())
        assert picture() != before
        undo(event_id=everything.pk, by=by, step_number=1)
        assert picture() == before
        assert steps() == [(1, "upheaval", "undid"), (2, "undid", None)]
        assert Event.objects.get().version == 2

    def test_a_whole_round_that_went_comes_back_with_all_that_hung_on_it(self, everything, as_):
        before = picture()
        with open_desk(everything.pk, by=as_("director"), needs="direct", kind="swept") as desk:
            desk.delete(Round.objects.get())
        assert not Report.objects.exists() and not Seating.objects.exists()
        undo(event_id=everything.pk, by=as_("director"), step_number=1)
        assert picture() == before

    def test_a_double_click_undoes_once(self, event, as_):
        changed(event, as_("director"), title="Friday")
        for _twice in range(2):
            undo(event_id=event.pk, by=as_("director"), step_number=1)
        assert Event.objects.get().title == "Thursday"
        assert len(steps()) == 2

    def test_steps_are_undone_from_the_last_one_back(self, event, as_):
        by = as_("director")
        pictures = []
        for title in ("Friday", "Saturday", "Sunday"):
            pictures.append(picture())
            changed(event, by, title=title)
        with pytest.raises(UserError, match="Undo that first"):
            undo(event_id=event.pk, by=by, step_number=2)
        for was in reversed(pictures):
            undo(event_id=event.pk, by=by, step_number=find_undoable(event.pk).number)
            assert picture() == was
        assert find_undoable(event.pk) is None

    def test_a_step_that_rests_on_nothing_of_it_does_not_stand_in_the_way(self, event, pairs, as_):
        for pair in pairs:
            with open_desk(event.pk, by=as_("director"), needs="direct", kind="seeded") as desk:
                desk.change(pair, seed=pair.number)
        changed(event, as_("director"), fee="Ten")
        undo(event_id=event.pk, by=as_("director"), step_number=1)
        assert list(Entrant.objects.values_list("seed", flat=True)) == [0, 2]

    def test_who_was_seated_since_is_not_taken_out_under_the_table(self, event, as_):
        with open_desk(event.pk, by=as_("director"), needs="direct", kind="added") as desk:
            made = desk.create(Entrant, number=1, name="Ann")
        Wish.objects.create(event=event, kind="fixed_table", one=made, table=3)
        before = picture()
        with pytest.raises(UserError, match="Undo that first"):
            undo(event_id=event.pk, by=as_("director"), step_number=1)
        assert picture() == before

    def test_once_a_round_is_drawn_what_it_was_drawn_from_stays(self, event, pairs, as_):
        with open_desk(event.pk, by=as_("director"), needs="direct", kind="withdrew") as desk:
            desk.change(pairs[0], state="withdrawn")
        with open_desk(event.pk, by=Actor.SYSTEM, needs="direct", kind="drew") as desk:
            desk.create(Round, number=1)
        with pytest.raises(UserError, match="Undo that first"):
            undo(event_id=event.pk, by=as_("director"), step_number=1)
        for number in (2, 1):
            undo(event_id=event.pk, by=as_("director"), step_number=number)
        assert Entrant.objects.get(number=1).state == "entered"

    def test_a_game_that_is_being_played_is_not_taken_away(self, everything, cast, as_):
        live = LiveTable.objects.create(host=cast.north, phase=LiveTable.RUNNING[0])
        with open_desk(everything.pk, by=Actor.SYSTEM, needs="direct", kind="began") as desk:
            desk.change(EventTable.objects.get(), live_table=live, state="playing")
        with pytest.raises(UserError, match="is being played"):
            undo(event_id=everything.pk, by=as_("director"), step_number=1)
        LiveTable.objects.update(phase=LiveTable.Phase.OVER)
        undo(event_id=everything.pk, by=as_("director"), step_number=1)
        assert EventTable.objects.get().live_table is None

    def test_somebody_whose_account_is_gone_comes_back_without_it(self, everything, cast, as_):
        with open_desk(everything.pk, by=as_("director"), needs="direct", kind="removed") as desk:
            desk.delete(Entrant.objects.get(number=1))
        cast.north.delete()
        undo(event_id=everything.pk, by=as_("director"), step_number=1)
        assert list(Member.objects.filter(entrant__number=1).values_list("name", "player")) == [
            ("North", None),
            ("South", cast.south.pk),
        ]

    @pytest.mark.parametrize("who", ["stranger", "member", "north"])
    def test_only_directors_undo(self, event, as_, who):
        changed(event, as_("director"), title="Friday")
        with pytest.raises(NotAllowed):
            undo(event_id=event.pk, by=as_(who), step_number=1)

    def test_there_has_to_be_something_to_undo(self, event, as_):
        changed(event, as_("director"), title="Friday")
        undo(event_id=event.pk, by=as_("director"), step_number=1)
        for number in (2, 99):
            with pytest.raises(UserError, match="nothing to undo"):
                undo(event_id=event.pk, by=as_("director"), step_number=number)
