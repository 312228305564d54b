"""An event from its making to its end: every verb, every refusal."""

from __future__ import annotations

import itertools
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games.models import Table as LiveTable
from games.services.errors import UserError
from tests.events.test_desk import picture
from tournaments.models import Entrant, Event, EventLink, EventTable, Place, Round, Seating, Step
from tournaments.playbook import PLAYBOOKS
from tournaments.selectors.rights import Actor, Part, find_link, read_actor
from tournaments.selectors.steps import SENTENCES, read_log, tell
from tournaments.services import entrants, events
from tournaments.services.book import NotAllowed
from tournaments.services.desk import find_undoable, undo
from tournaments.services.event_fields import MOST, BadField, Fields, advice_on_time, clean

pytestmark = pytest.mark.django_db

SOON = timedelta(days=3)


def made(club, cast, **fields: Any) -> Event:
    given = {"title": "Friday", "format": "swiss", **fields}
    return Event.objects.get(pk=events.create_event(club_id=club.pk, by=cast.director.pk, **given))


def cleaned(event: Event, **given: Any) -> tuple[dict[str, Any] | None, str]:
    try:
        return clean(event, given, timezone.now()), ""
    except BadField as error:
        return None, str(error)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def entered(event: Event, count: int, **values: Any) -> list[Entrant]:
    first = event.entrants.count() + 1
    return [
        Entrant.objects.create(event=event, number=n, name=f"Pair {n}", **values) for n in range(first, first + count)
    ]


def played(event: Event, number: int = 1, state: str = "closed", points: tuple[int, int] = (10, 4)) -> Round:
    """A round with one table, between the first two entrants."""
    row = Round.objects.create(event=event, number=number, state=state)
    done = state == "closed"
    table = EventTable.objects.create(
        event=event, round=row, number=1, kind="hall", sides=[[1], [2]], state="confirmed" if done else "waiting",
        points_0=points[0] if done else None, points_1=points[1] if done else None, winner=0 if done else None,
    )  # fmt: skip
    for side, entrant in enumerate(event.entrants.order_by("number")[:2]):
        Seating.objects.create(round=row, table=table, entrant=entrant, side=side)
    return row


class TestMaking:
    def test_what_is_given_is_kept_and_the_rest_is_sensible(self, club, cast):
        at = timezone.now() + SOON
        event = made(club, cast, starts_at=at, about="One\r\n\r\n\r\n\r\nTwo", fee=" Ten  at the door ")
        assert (event.state, event.made_by, event.club, event.starts_at) == ("draft", cast.director, club, at)
        assert (event.about, event.fee) == ("One\n\nTwo", "Ten at the door")
        assert event.settings == PLAYBOOKS["swiss"].read({}).settings
        assert event.rules == "article" and event.seed
        step = Step.objects.get()
        assert (step.kind, tell(step), step.by) == ("created", "made the event", cast.director)
        with pytest.raises(UserError, match="nothing to undo"):
            undo(event_id=event.pk, by=read_actor(event, cast.director), step_number=1)

    @pytest.mark.parametrize("key", sorted(PLAYBOOKS))
    def test_every_format_is_kept_as_it_was_read(self, club, cast, key):
        event = made(club, cast, format=key, kind="hall")
        plan = PLAYBOOKS[key].read({})
        assert event.settings == plan.settings
        events.edit_event(event_id=event.pk, by=read_actor(event, cast.director), settings=event.settings)
        assert fresh(event).settings == plan.settings

    @pytest.mark.parametrize(
        ("field", "value", "sentence"),
        [
            ("title", " \u200b ", "Give the event a title"),
            ("title", "x" * 61, "Keep it to 60 characters; this has 61"),
            ("about", "x" * 2001, "Keep it to 2000 characters"),
            ("fee", "x" * 121, "Keep it to 120 characters"),
            ("format", "chess", "Choose a format"),
            ("format", "", "Choose a format"),
            ("settings", {"colours": True}, "colours"),
            ("settings", {"target": "ten"}, "ten"),
            ("settings", [], r"\w"),
            ("rules", "nonsense", "no rules called"),
            ("rules", "two_handed", "four at a table"),
            ("pace", 7, "how long a move"),
            ("kind", "moon", "where the event is played"),
            ("no_show", "shrug", "does not come"),
            ("pairing", "magic", "how rounds begin"),
            ("zone", "Mars/Olympus", "no time zone called “Mars/Olympus”"),
            ("zone", "../../etc/passwd", "no time zone"),
            ("capacity", -1, "Places: choose a number from 0 to 10000"),
            ("capacity", True, "Places"),
            ("capacity", 1, "at least 2"),
            ("round_minutes", "9", "Minutes of a round"),
            ("no_show_minutes", 241, "from 0 to 240"),
        ],
    )
    def test_a_value_that_cannot_be_is_refused_by_name(self, club, cast, field, value, sentence):
        with pytest.raises(BadField, match=sentence) as refused:
            made(club, cast, **{field: value})
        assert refused.value.field == field
        assert not Event.objects.exists()

    @pytest.mark.parametrize(
        ("fields", "field", "sentence"),
        [
            ({"kind": "hall", "bots_fill": True}, "bots_fill", "Bots cannot hold real cards"),
            ({"kind": "hall", "rated": True}, "rated", "Only games at this site’s tables are rated"),
            ({"rated": True, "rules": "british"}, "rated", "site’s own rules"),
            ({"rated": True, "settings": {"hands": 8}}, "rated", "site’s own rules"),
            ({"settings": {"hands": 9}}, "settings", "tables online offer 0, 4, 5"),
            ({"settings": {"target": 13}}, "settings", "tables online offer 5, 7, 10"),
            ({"settings": {"house": "points_off"}}, "settings", "do not score that way"),
            ({"rounds_planned": 3, "late_until": 4}, "late_until", "There are 3 rounds"),
            ({"rounds_planned": 6, "late_until": 5}, "late_until", "no|No|nobody can join later than round 3 of 6"),
            ({"format": "double_elimination", "capacity": 300}, "capacity", "at most 256"),
            ({"round_minutes": 10, "no_show_minutes": 10}, "no_show_minutes", "waiting 10"),
        ],
    )
    def test_values_that_contradict_each_other(self, club, cast, fields, field, sentence):
        with pytest.raises(BadField, match=sentence) as refused:
            made(club, cast, **fields)
        assert refused.value.field == field

    def test_rules_and_options_agree(self, club, cast):
        british = made(club, cast, rules="british")
        assert british.settings["target"] == 11
        short = made(club, cast, settings={"target": 5})
        assert short.rules == "article target_score=5"
        evening = made(club, cast, format="rotation", settings={"house": "loner_euchred_4"})
        assert evening.rules == "article num_deals=8 lone_euchred=4"
        events.edit_event(event_id=short.pk, by=read_actor(short, cast.director), rules="british")
        assert (fresh(short).settings["target"], fresh(short).rules) == (11, "british")
        hall = made(club, cast, kind="hall", settings={"target": 13, "house": "points_off"})
        assert (hall.settings["target"], hall.rules) == (13, "article")

    def test_every_combination_is_kept_or_refused_with_a_sentence(self):
        """Twelve options of two or three values each, every pair of which occurs."""
        values: dict[str, list[Any]] = {
            "format": ["swiss", "progressive", "single_elimination"],
            "kind": ["online", "hall"],
            "rated": [False, True],
            "bots_fill": [False, True],
            "rules": ["article", "british", "railroad"],
            "capacity": [0, 4, 600],
            "rounds_planned": [0, 3],
            "late_until": [0, 2, 9],
            "round_minutes": [0, 8],
            "check_in": [0, 30],
            "pairing": ["automatic", "click", "draft"],
            "no_show": ["bot", "forfeit"],
        }
        kept = refused = 0
        for (one, firsts), (other, seconds) in itertools.combinations(values.items(), 2):
            for first, second in itertools.product(firsts, seconds):
                given = {"format": "swiss", "settings": {}, one: first, other: second}
                found, sentence = cleaned(Event(), **given)
                if found is None:
                    assert sentence.endswith("."), sentence
                    refused += 1
                    continue
                kept += 1
                assert {name: found[name] for name in (one, other) if name != "rules"} == {
                    name: given[name] for name in (one, other) if name != "rules"
                }
                assert cleaned(Event(**found), **found) == (found, "")
        assert kept > 150 and refused > 30

    def test_only_directors_make_events(self, club, cast):
        for who in (cast.member, cast.stranger, cast.banned):
            with pytest.raises(NotAllowed):
                events.create_event(club_id=club.pk, by=who.pk, title="Mine", format="swiss")
        for who in (cast.owner, cast.director, cast.staff):
            events.create_event(club_id=club.pk, by=who.pk, title="Ours", format="swiss")

    def test_there_is_a_limit(self, club, cast, monkeypatch):
        monkeypatch.setattr(events, "COMING", 1)
        event = made(club, cast)
        with pytest.raises(UserError, match="Finish or cancel one first"):
            made(club, cast)
        events.cancel(event_id=event.pk, by=read_actor(event, cast.director), reason="Rain")
        made(club, cast)


class TestTimes:
    def test_the_wall_clock_of_the_zone_is_meant(self, club, cast):
        event = made(club, cast, zone="America/New_York", starts_at=datetime(2027, 7, 1, 19, 30))  # noqa: DTZ001
        assert event.starts_at == datetime(2027, 7, 1, 23, 30, tzinfo=UTC)

    @pytest.mark.parametrize("field", ["starts_at", "closes_at"])
    @pytest.mark.parametrize(
        ("at", "sentence"),
        [
            (timedelta(minutes=-1), "is past. Choose a time to come"),
            (timedelta(days=800), "more than two years ahead"),
        ],
    )
    def test_neither_past_nor_far(self, club, cast, field, at, sentence):
        with pytest.raises(BadField, match=sentence) as refused:
            made(club, cast, **{field: timezone.now() + at})
        assert refused.value.field == field

    def test_an_hour_that_the_clock_leaves_out_is_named(self, club, cast):
        gap = datetime(2027, 3, 28, 2, 30)  # noqa: DTZ001
        with pytest.raises(BadField, match=r"28 March 2027|March 28, 2027") as refused:
            made(club, cast, zone="Europe/Berlin", starts_at=gap)
        assert "there is no 02:30. Say 03:30, for instance." in str(refused.value)
        made(club, cast, zone="America/New_York", starts_at=gap)

    def test_of_an_hour_shown_twice_the_first_counts_and_that_is_said(self, club, cast):
        event = made(club, cast, zone="Europe/Berlin", starts_at=datetime(2027, 10, 31, 2, 30))  # noqa: DTZ001
        assert event.starts_at == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
        assert "show 02:30 twice. The first is meant." in advice_on_time(event.starts_at, event.zone)
        assert "The second is meant." in advice_on_time(event.starts_at + timedelta(hours=1), event.zone)
        assert advice_on_time(event.starts_at + timedelta(hours=2), event.zone) == advice_on_time(None, "UTC") == ""

    def test_sign_up_ends_before_the_start(self, club, cast):
        at = timezone.now() + SOON
        with pytest.raises(BadField, match="Sign-up cannot end after the start"):
            made(club, cast, starts_at=at, closes_at=at + timedelta(minutes=1))
        made(club, cast, starts_at=at, closes_at=at)

    def test_what_is_past_may_stay_when_something_else_changes(self, event, as_):
        Event.objects.update(starts_at=timezone.now() - SOON)
        stored = fresh(event).starts_at
        events.edit_event(event_id=event.pk, by=as_("director"), title="Friday", starts_at=stored)
        assert fresh(event).title == "Friday"


class TestEditing:
    def test_a_change_is_one_step_that_names_the_fields(self, event, as_):
        events.edit_event(event_id=event.pk, by=as_("director"), title="Friday", fee="Ten", capacity=8)
        step = Step.objects.get()
        assert tell(step) == "changed: places, fee, title"
        undo(event_id=event.pk, by=as_("director"), step_number=step.number)
        assert (fresh(event).title, fresh(event).fee, fresh(event).capacity) == ("Thursday", "", 0)
        assert tell(read_log(event.pk)[0]) == f"undid step {step.number}: changed: places, fee, title"

    def test_nothing_different_is_no_step(self, event, as_):
        events.edit_event(event_id=event.pk, by=as_("director"), title="Thursday", capacity=0)
        assert not Step.objects.exists()

    def test_what_it_would_undo_is_said_first(self, event, as_):
        entered(event, 3)
        event.starts_at = timezone.now() + SOON
        event.save()
        later = event.starts_at + SOON
        sentences = events.consequences(fresh(event), starts_at=later, capacity=2)
        assert sentences == [
            "3 have signed up for the old time.",
            "1 who signed up last goes to the waiting list.",
        ]
        with pytest.raises(events.NotAgreed) as refused:
            events.edit_event(event_id=event.pk, by=as_("director"), starts_at=later, capacity=2)
        assert refused.value.consequences == sentences
        assert fresh(event).capacity == 0
        events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, starts_at=later, capacity=2)
        assert list(event.entrants.values_list("state", flat=True)) == ["entered", "entered", "waiting"]
        events.edit_event(event_id=event.pk, by=as_("director"), capacity=0)
        assert set(event.entrants.values_list("state", flat=True)) == {"entered"}

    def test_a_drawn_round_is_drawn_again(self, event, as_):
        entered(event, 2)
        Event.objects.update(state="running")
        played(event, state="drawn")
        changed = {**PLAYBOOKS["swiss"].read({}).settings, "first_round": "random"}
        assert events.consequences(fresh(event), settings=changed) == ["Round 1 is drawn again."]
        events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, settings=changed)
        assert not Round.objects.exists()

    def test_what_only_counts_results_leaves_them(self, event, as_):
        entered(event, 2)
        Event.objects.update(state="running")
        played(event)
        changed = {"ranking": "points"}
        assert events.consequences(fresh(event), settings=changed) == ["The standings after 1 round are counted anew."]
        events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, settings=changed)
        assert EventTable.objects.get().points_0 == 10

    def test_results_that_could_not_be_stand_in_the_way(self, event, as_):
        entered(event, 2)
        Event.objects.update(state="running")
        played(event)
        with pytest.raises(UserError, match=r"could not be then: round 1, table 1\. Correct them first"):
            events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, settings={"target": 5})

    def test_another_format_takes_the_rounds_back_and_undo_brings_them_again(self, event, as_):
        entered(event, 2)
        Event.objects.update(state="running")
        played(event)
        before = picture()
        assert events.consequences(fresh(event), format="round_robin") == ["1 round is taken back with 1 result."]
        events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, format="round_robin")
        assert fresh(event).format == "round_robin"
        assert not Round.objects.exists() and not Seating.objects.exists()
        undo(event_id=event.pk, by=as_("director"), step_number=find_undoable(event.pk).number)
        assert picture() == before

    def test_not_while_a_game_is_played(self, event, as_, cast):
        entered(event, 2)
        Event.objects.update(state="running")
        played(event, state="playing")
        EventTable.objects.update(live_table=LiveTable.objects.create(host=cast.north, phase=LiveTable.RUNNING[0]))
        with pytest.raises(UserError, match="Let them end before the format changes"):
            events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, format="round_robin")

    def test_pairs_are_split_where_people_play_alone(self, event, as_):
        entrants.add_names(event_id=event.pk, by=as_("director"), text="Ann & Bob\nCy")
        before = picture()
        sentences = events.consequences(fresh(event), format="rotation")
        assert sentences == ["Pairs and teams are split: everybody plays alone."]
        events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, format="rotation")
        assert list(event.entrants.order_by("name").values_list("name", "state")) == [
            ("Ann", "entered"),
            ("Bob", "entered"),
            ("Cy", "entered"),
        ]
        events.edit_event(event_id=event.pk, by=as_("director"), agreed=True, format="swiss")
        assert set(event.entrants.values_list("state", flat=True)) == {"spare"}
        for _two in range(2):
            undo(event_id=event.pk, by=as_("director"), step_number=find_undoable(event.pk).number)
        assert picture() == before

    def test_once_it_runs_its_start_stays(self, event, as_):
        Event.objects.update(state="running")
        for fields in ({"starts_at": timezone.now() + SOON}, {"check_in": 30}):
            with pytest.raises(UserError, match="The event has started"):
                events.edit_event(event_id=event.pk, by=as_("director"), **fields)

    def test_once_it_is_over_only_its_texts_change(self, event, as_):
        Event.objects.update(state="finished")
        events.edit_event(event_id=event.pk, by=as_("director"), about="Thank you all")
        with pytest.raises(UserError, match="This event is over"):
            events.edit_event(event_id=event.pk, by=as_("director"), capacity=8)


class TestCourse:
    def test_announced_once_and_not_too_late(self, event, as_):
        Event.objects.update(state="draft", starts_at=timezone.now() - SOON)
        with pytest.raises(UserError, match="That start is past"):
            events.announce(event_id=event.pk, by=as_("director"))
        Event.objects.update(starts_at=timezone.now() + SOON, closes_at=timezone.now() - SOON)
        with pytest.raises(UserError, match="end of sign-up is past"):
            events.announce(event_id=event.pk, by=as_("director"))
        Event.objects.update(closes_at=None)
        for _twice in range(2):
            events.announce(event_id=event.pk, by=as_("director"))
        assert (fresh(event).state, Step.objects.count()) == ("open", 1)
        assert fresh(event).due_at is not None
        Event.objects.update(state="running")
        with pytest.raises(UserError, match="long ago"):
            events.announce(event_id=event.pk, by=as_("director"))

    def test_check_in_decides_who_plays(self, event, as_):
        here, away, spare = entered(event, 2), entered(event, 1), entered(event, 1, state="spare")
        for _twice in range(2):
            events.open_check_in(event_id=event.pk, by=Actor.SYSTEM)
        for row in here:
            entrants.check_in(event_id=event.pk, by=as_("director"), entrant_id=row.pk)
        for _twice in range(2):
            events.start(event_id=event.pk, by=Actor.SYSTEM)
        states = dict(event.entrants.values_list("number", "state"))
        assert states == {1: "active", 2: "active", 3: "withdrawn", 4: "spare"}
        assert (fresh(event).state, Step.objects.filter(kind="started").count()) == ("running", 1)
        assert away[0].number == 3 and spare[0].number == 4
        with pytest.raises(UserError, match="before the start"):
            events.open_check_in(event_id=event.pk, by=as_("director"))

    def test_without_check_in_everybody_plays(self, event, as_):
        entered(event, 3)
        events.start(event_id=event.pk, by=as_("director"))
        assert set(event.entrants.values_list("state", flat=True)) == {"active"}
        assert fresh(event).started_at is not None

    def test_a_hall_night_starts_from_the_draft(self, event, as_):
        Event.objects.update(state="draft")
        entered(event, 2)
        events.start(event_id=event.pk, by=as_("director"))
        assert fresh(event).state == "running"

    def test_too_few_do_not_start(self, event, as_):
        entered(event, 1)
        before = picture()
        with pytest.raises(UserError, match="at least 2; there are 1"):
            events.start(event_id=event.pk, by=as_("director"))
        assert picture() == before

    def test_bots_make_up_the_number(self, event, as_, bots):
        Event.objects.update(bots_fill=True)
        entered(event, 3)
        events.start(event_id=event.pk, by=as_("director"))
        assert event.entrants.filter(state="active").count() == 4
        filled = event.entrants.get(number=4)
        assert [member.player.bot_level for member in filled.members.all()] == ["fill_in", "fill_in"]

    def test_finished_with_places(self, event, as_):
        rows = entered(event, 2, state="active")
        for row, name in zip(rows, ("Ann", "Bob"), strict=True):
            row.members.create(event=event, name=name)
        Event.objects.update(state="running")
        played(event)
        for _twice in range(2):
            events.finish(event_id=event.pk, by=Actor.SYSTEM)
        assert list(Place.objects.values_list("place", "name", "games", "wins", "points")) == [
            (1, "Ann", 1, 1.0, 10),
            (2, "Bob", 1, 0.0, 4),
        ]
        assert (fresh(event).state, fresh(event).due_at) == ("finished", None)
        for _twice in range(2):
            events.reopen(event_id=event.pk, by=as_("director"))
        assert (fresh(event).state, Place.objects.count()) == ("open", 0)

    def test_not_finished_under_the_players_hands(self, event, as_):
        with pytest.raises(UserError, match="Only an event that has started"):
            events.finish(event_id=event.pk, by=as_("director"))
        entered(event, 2, state="active")
        Event.objects.update(state="running", started_at=timezone.now())
        played(event, state="playing")
        with pytest.raises(UserError, match="Round 1 is being played"):
            events.finish(event_id=event.pk, by=as_("director"))
        Round.objects.update(state="drawn")
        events.finish(event_id=event.pk, by=as_("director"))
        assert not Round.objects.exists()
        events.reopen(event_id=event.pk, by=as_("director"))
        assert fresh(event).state == "running"

    def test_called_off_with_a_reason(self, event, as_):
        with pytest.raises(UserError, match="Say why"):
            events.cancel(event_id=event.pk, by=as_("director"), reason=" ")
        for _twice in range(2):
            events.cancel(event_id=event.pk, by=as_("director"), reason="Snow")
        assert (fresh(event).state, Step.objects.get().reason) == ("cancelled", "Snow")
        with pytest.raises(UserError, match="is over"):
            events.start(event_id=event.pk, by=as_("director"))
        undo(event_id=event.pk, by=as_("director"), step_number=1)
        assert fresh(event).state == "open"
        Event.objects.update(state="finished")
        with pytest.raises(UserError, match="is finished"):
            events.cancel(event_id=event.pk, by=as_("director"), reason="Snow")

    def test_told_to_all_tables(self, event, as_):
        with pytest.raises(UserError, match="no tables to tell"):
            events.announce_to_tables(event_id=event.pk, by=as_("director"), text="Pizza")
        entered(event, 2)
        played(event, state="playing")
        events.announce_to_tables(event_id=event.pk, by=as_("director"), text=" Pizza\nis here ")
        assert Round.objects.get().said == "Pizza is here"
        events.announce_to_tables(event_id=event.pk, by=as_("director"), text="")
        assert Round.objects.get().said == ""
        with pytest.raises(UserError, match="200 characters"):
            events.announce_to_tables(event_id=event.pk, by=as_("director"), text="x" * 201)


class TestLinks:
    @pytest.mark.parametrize(
        ("part", "is_"), [("player", Part.PLAYER), ("deputy", Part.DEPUTY), ("director", Part.DIRECTOR)]
    )
    def test_a_link_gives_its_part_until_it_is_revoked(self, event, cast, as_, part, is_):
        token = events.make_link(event_id=event.pk, by=as_("director"), part=part)
        link = find_link(event.pk, token)
        assert token not in str(Step.objects.get().changes)
        assert read_actor(event, cast.stranger, [link.pk]).part == is_
        for _twice in range(2):
            events.revoke_link(event_id=event.pk, by=as_("director"), link_id=link.pk)
        assert find_link(event.pk, token) is None
        assert read_actor(event, cast.stranger, [link.pk]).part == Part.VISITOR
        assert Step.objects.count() == 2

    def test_refusals(self, event, as_, monkeypatch):
        with pytest.raises(UserError, match="what the link is for"):
            events.make_link(event_id=event.pk, by=as_("director"), part="king")
        monkeypatch.setattr(events, "LINKS", 1)
        events.make_link(event_id=event.pk, by=as_("director"), part="player")
        with pytest.raises(UserError, match="Revoke one first"):
            events.make_link(event_id=event.pk, by=as_("director"), part="player")
        assert EventLink.objects.count() == 1


def test_every_number_has_a_name():
    for name in MOST:
        with pytest.raises(BadField, match=r"\w: choose a number from 0 to \d"):
            clean(Event(format="swiss"), {name: -1}, timezone.now())


def test_every_step_has_a_sentence():
    kinds = set()
    for path in Path(events.__file__).parent.glob("*.py"):
        kinds |= set(re.findall(r'kind = ?"([a-z_]+)"|kind="([a-z_]+)"(?: if \w+ else "([a-z_]+)")?', path.read_text()))
    kinds = {kind for found in kinds for kind in found if kind}
    assert kinds - {"fill_in"} <= SENTENCES.keys() - {""}, kinds - SENTENCES.keys()


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-10, 100_000), st.text(max_size=8), st.floats(allow_nan=True),
    st.dictionaries(st.sampled_from(["target", "hands", "ranking", "house", "x"]), st.integers() | st.text(max_size=4)),
    st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1)), st.lists(st.integers(), max_size=2),  # noqa: DTZ001
)  # fmt: skip
TYPED = {"title": st.text(), "about": st.text(), "fee": st.text()} | {
    name: st.none() | st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1))  # noqa: DTZ001
    for name in ("starts_at", "closes_at")
}
"""Fields whose type a form sees to."""


@given(
    st.dictionaries(st.sampled_from(sorted(Fields.__annotations__.keys() - TYPED)), ANYTHING, max_size=4),
    st.fixed_dictionaries({}, optional=TYPED),
    st.sampled_from(sorted(PLAYBOOKS)),
    st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"]),
)
def test_whatever_is_sent_is_kept_or_refused_with_a_sentence(anything, typed, key, zone):
    given_ = {"format": key, "settings": {}, "zone": zone, **anything, **typed}
    found, told = cleaned(Event(), **given_)
    assert told if found is None else cleaned(Event(**found), **found) == (found, "")
