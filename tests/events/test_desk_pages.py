"""The pages of the director's desk: who may see and send what, what stays of what was typed, how many
queries they take, and that nothing anybody is called gets into the markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from games.engine import PRESETS, format_rules
from games.models import Player
from games.services import clock
from tests.events.evening import Evening
from tournaments.forms.events import EventForm
from tournaments.live import desk, frames
from tournaments.models import Entrant, Event, EventLink, EventTable, Member, Round, Seating, Step, Wish
from tournaments.playbook import PLAYBOOKS
from tournaments.services import entrants, events, rounds
from tournaments.templatetags.event_rows import apart

pytestmark = pytest.mark.django_db

DIRECTS = {"owner", "director", "staff", "link_director"}
DEPUTIES = DIRECTS | {"link_deputy"}
EVERYBODY = (
    *("visitor", "stranger", "member", "north", "banned", "director", "owner", "staff"),
    *("link_player", "link_deputy", "link_director"),
)
NAMES = "\n".join(f"Ada {number} & Ben {number}" for number in range(1, 5))

Sent = dict[str, str]


def at(event: Event, name: str, *args: object) -> str:
    return reverse(name, args=[event.pk, *args])


@pytest.fixture
def running(event: Event, as_: Any) -> Event:
    """Four pairs without accounts in the hall, round 1 closed, round 2 being played."""
    Event.objects.filter(pk=event.pk).update(kind=Event.Kind.HALL, rounds_planned=3)
    entrants.add_names(event_id=event.pk, by=as_("director"), text=NAMES)
    events.start(event_id=event.pk, by=as_("director"))
    rounds.next_round(event_id=event.pk, by=as_("director"), after=0)
    client = browser_of(event, as_, "director")
    for table in event.tables.all():
        client.post(at(event, "desk_score", table.pk), {"a": "10", "b": "6"})
    rounds.next_round(event_id=event.pk, by=as_("director"), after=1)
    event.refresh_from_db()
    return event


def browser_of(event: Event, as_: Any, who: str) -> Client:
    """A browser of somebody: logged in, or with a link opened."""
    client = Client()
    if who.startswith("link_"):
        token = events.make_link(event_id=event.pk, by=as_("director"), part=who.removeprefix("link_"))
        assert client.get(at(event, "event_link", token)).status_code == 302
    elif who != "visitor":
        client.force_login(Player.objects.get(name=who.title().replace("Staff", "Umpire")))
    return client


@pytest.fixture
def visitor(event: Event, as_: Any) -> Callable[[str], Client]:
    return lambda who: browser_of(event, as_, who)


def said(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


# --- who may what -------------------------------------------------------------------------------------------

PAGES = {
    "event_desk": DEPUTIES,
    "desk_round": DEPUTIES,
    "desk_table": DEPUTIES,
    "desk_correct": DEPUTIES,
    "desk_people": DEPUTIES,
    "desk_person": DEPUTIES,
    "desk_add": DIRECTS,
    "desk_wishes": DIRECTS,
    "desk_links": DIRECTS,
    "desk_log": DIRECTS,
    "desk_settings": DIRECTS,
}
"""By address: who sees it."""


class Form(NamedTuple):
    """A form and who may send it. ``about``: what its address tells of besides the event."""

    name: str
    about: str
    sent: Sent
    allowed: set[str]


FORMS = (
    Form("desk_go", "", {"do": "cancel", "reason": "Flood"}, DIRECTS),
    Form("desk_round_go", "round", {"do": "minutes", "minutes": "5"}, DIRECTS),
    Form("desk_round_go", "round", {"do": "close_unplayed"}, DIRECTS),
    Form("desk_say", "", {"text": "Soup is ready"}, DIRECTS),
    Form("desk_undo", "", {"step": "last"}, DIRECTS),
    Form("desk_all", "", {"do": "fill"}, set()),
    Form("desk_score", "table", {"a": "10", "b": "3"}, DEPUTIES),
    Form("desk_table_do", "table", {"do": "double", "reason": "Nobody"}, DEPUTIES),
    Form("desk_table_do", "table", {"do": "online"}, set()),
    Form("desk_correct", "closed", {"a": "3", "b": "10", "reason": "Typed wrong"}, DIRECTS),
    Form("desk_add", "", {"names": "Cleo & Dora"}, DIRECTS),
    Form("desk_person_do", "entrant", {"do": "note", "note": "Paid"}, DEPUTIES),
    Form("desk_person_do", "entrant", {"do": "pause"}, DIRECTS),
    Form("desk_person_do", "entrant", {"do": "withdraw", "reason": "Ill"}, DIRECTS),
    Form("desk_person_do", "entrant", {"do": "disqualify", "reason": "Threw cards"}, DIRECTS),
    Form("desk_member_do", "member", {"do": "substitute", "name": "Cleo"}, DIRECTS),
    Form("desk_member_do", "member", {"do": "rename", "name": "Ada the first"}, DIRECTS),
    Form("desk_pair", "", {}, set()),
    Form("desk_wishes", "", {"kind": "never_opponents", "one": "one", "other": "other"}, DIRECTS),
    Form("desk_unwish", "wish", {}, DIRECTS),
    Form("desk_links", "", {"part": "deputy"}, DIRECTS),
    Form("desk_revoke", "link", {}, DIRECTS),
    Form("desk_settings", "", {"title": "Friday"}, DIRECTS),
)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def things(event: Event) -> dict[str, list[int]]:
    """What the addresses are about, by name."""
    people = list(Entrant.objects.filter(event=event).order_by("number"))
    wish, _made = Wish.objects.get_or_create(event=event, kind="fixed_table", one=people[0], table=1)
    link, _made = EventLink.objects.get_or_create(event=event, part="player", token_hash="0" * 64)
    return {
        "": [],
        "round": [2],
        "table": [EventTable.objects.filter(event=event, round__number=2)[0].pk],
        "closed": [EventTable.objects.filter(event=event, round__number=1)[0].pk],
        "entrant": [people[0].pk],
        "member": [Member.objects.filter(event=event)[0].pk],
        "wish": [wish.pk],
        "link": [link.pk],
    }


ABOUT = {"desk_round": "round", "desk_table": "table", "desk_correct": "closed", "desk_person": "entrant"}


def test_every_page_opens_for_whom_it_is_and_nobody_else(running: Event, visitor: Any) -> None:
    about = things(running)
    for who in EVERYBODY:
        client = visitor(who)
        for name, allowed in PAGES.items():
            answer = client.get(at(running, name, *about[ABOUT.get(name, "")]))
            refused = 302 if who in ("visitor", "link_player", "link_deputy") else 403
            assert (who, name, answer.status_code) == (who, name, 200 if who in allowed else refused)


def test_of_a_private_clubs_event_strangers_are_not_told(running: Event, visitor: Any) -> None:
    running.club.public = False
    running.club.save()
    about = things(running)
    for who in ("visitor", "stranger", "banned"):
        client = visitor(who)
        for name in PAGES:
            assert client.get(at(running, name, *about[ABOUT.get(name, "")])).status_code == 404
        for form in FORMS:
            assert client.post(at(running, form.name, *about[form.about]), form.sent).status_code == 404


def test_every_form_does_its_work_for_whom_it_is_and_nothing_for_others(running: Event, visitor: Any) -> None:
    about = things(running)
    visitors = {who: visitor(who) for who in EVERYBODY}
    steps = Step.objects.filter(event=running)
    people = [str(one.pk) for one in Entrant.objects.filter(event=running).order_by("number")[:2]]
    more = {"one": people[0], "other": people[1], "last": str(steps.latest("number").number)}
    settings = filled(visitors["director"].get(at(running, "desk_settings")).context["form"])
    for form in FORMS:
        sent = {name: more.get(value, value) for name, value in form.sent.items()}
        sent = settings | sent if form.name == "desk_settings" else sent
        for who, client in visitors.items():
            if who in ("owner", "staff", "link_director") and form.name != "desk_say":
                continue  # as directors; the verbs are tried by everybody in test_rights
            with undone():
                before = steps.count()
                answer = client.post(at(running, form.name, *about[form.about]), sent)
                assert answer.status_code in (200, 302, 403, 422)
                assert (form, who, steps.count() > before) == (form, who, who in form.allowed)


def test_only_directors_of_the_club_make_events(club: Any, visitor: Any) -> None:
    address = reverse("club_new_event", args=["lakeside"])
    for who in EVERYBODY:
        client = visitor(who)
        with undone():
            before = Event.objects.count()
            client.post(address, {"title": "Friday", "kind": "hall", "format": "swiss", **REST})
            assert (who, Event.objects.count() > before) == (who, who in {"owner", "director", "staff"})


def test_a_deputy_sees_no_button_that_is_not_for_him(running: Event, visitor: Any) -> None:
    text = visitor("link_deputy").get(at(running, "event_desk")).content.decode()
    assert at(running, "desk_score", things(running)["table"][0]) in text
    for name in ("desk_go", "desk_undo", "desk_say", "desk_add", "desk_links", "desk_settings", "desk_log"):
        assert at(running, name) not in text


def test_drafts_are_listed_for_directors_alone(event: Event, visitor: Any) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    for who in ("visitor", "member", "director", "staff"):
        text = visitor(who).get(reverse("club_events", args=["lakeside"])).content.decode()
        assert ("Thursday" in text) == (who in DIRECTS)


# --- making and changing an event ---------------------------------------------------------------------------------

REST = {
    "starts_at": "",
    "zone": "UTC",
    "about": "",
    "fee": "",
    "closes_at": "",
    "pairing": "usual",
    "no_show": "bot",
    "no_show_minutes": "10",
    "rules": "article",
    "pace": "20",
}


def filled(form: EventForm) -> Sent:
    """What a browser would send of a form as it stands."""
    sent = {"options_of": form.book.key}
    for field in form:
        value = field.value()
        if value is True:
            sent[field.html_name] = "on"
        elif value is not None and value is not False:
            sent[field.html_name] = f"{value:%Y-%m-%dT%H:%M}" if isinstance(value, datetime) else str(value)
    return sent


def test_every_format_is_made_by_default_and_saved_again_without_a_change(club: Any, visitor: Any) -> None:
    client = visitor("director")
    new = reverse("club_new_event", args=["lakeside"])
    for key in PLAYBOOKS:
        for kind in ("online", "hall"):
            sent = filled(EventForm(sets=[], initial={"format": key, "zone": "UTC"})) | {"title": "Cup", "kind": kind}
            answer = client.post(new, sent)
            if answer.status_code == 422:  # online tables cannot play everything by default: then it says why
                assert kind == "online" and answer.context["form"].errors, key
                continue
            made = Event.objects.latest("pk")
            assert (made.format, made.kind, made.title) == (key, kind, "Cup")
            assert made.pairing == ("click" if kind == "hall" else "automatic")
            assert answer.headers["Location"] == at(made, "event_desk")
            assert client.post(at(made, "desk_settings"), filled(EventForm(sets=[], event=made))).status_code == 302
            assert not Step.objects.filter(event=made, kind="edited").exists(), (key, kind)


def test_a_format_chosen_without_a_script_has_its_options_by_default(visitor: Any, club: Any) -> None:
    client = visitor("director")
    new = reverse("club_new_event", args=["lakeside"])
    sent = filled(client.get(new).context["form"]) | {"title": "Cup", "format": "rotation", "kind": "hall"}
    looked = client.post(new, sent | {"look": "1"})
    assert looked.status_code == 200
    assert looked.context["form"].book.key == "rotation"
    assert looked.context["form"]["title"].value() == "Cup"
    assert client.post(new, sent).status_code == 302
    made = Event.objects.latest("pk")
    assert (made.format, made.settings["hands"]) == ("rotation", 8)


BAD_SETTINGS = [
    ({"title": " "}, "Give the event a title."),
    ({"title": "W" * 61}, "Keep it to 60 characters"),
    ({"starts_at": "tomorrow"}, "Type the day and the hour like this"),
    ({"starts_at": "2020-01-01T19:30"}, "That start is past"),
    ({"starts_at": "2028-12-31T19:30"}, "more than two years ahead"),
    ({"starts_at": "2027-03-14T02:30", "zone": "America/Chicago"}, "the clocks go forward"),
    ({"zone": "Moon/Base"}, "There is no time zone called “Moon/Base”"),
    ({"capacity": "many"}, "Type a whole number"),
    ({"capacity": "1"}, "needs at least 2"),
    ({"rounds_planned": "3", "late_until": "5"}, "nobody can join in round 5"),
    ({"round_minutes": "5", "no_show_minutes": "10"}, "is too long"),
    ({"bots_fill": "on"}, "Bots cannot hold real cards"),
    ({"rated": "on"}, "Only games at this site’s tables are rated"),
    ({"o_target": "0"}, "number from 1"),
    ({"o_tiebreaks_1": "points", "o_tiebreaks_2": "points"}, "different tie-breaks"),
    ({"o_ranking": "luck"}, "Choose one of these"),
    ({"rules": "poker"}, "Choose one of these"),
    ({"format": "lottery"}, "Choose a format"),
    ({"closes_at": "2027-06-02T10:00", "starts_at": "2027-06-01T10:00"}, "cannot end after the start"),
]


def test_bad_settings_get_a_sentence_and_lose_nothing(visitor: Any, club: Any) -> None:
    client = visitor("director")
    new = reverse("club_new_event", args=["lakeside"])
    whole = filled(EventForm(sets=[])) | {"title": "Cup", "kind": "hall", "about": "Soup & <bread>", "capacity": "12"}
    before = Event.objects.count()
    for change, sentence in BAD_SETTINGS:
        sent = whole | change
        answer = client.post(new, sent)
        assert answer.status_code == 422, change
        text = answer.content.decode()
        assert sentence in text, change
        assert "Soup &amp; &lt;bread&gt;" in text
        form = answer.context["form"]
        for name in ("title", "about", "capacity", *change):
            if name in form.fields:
                assert form[name].value() in (sent[name], True), change
    assert Event.objects.count() == before


def test_an_hour_that_the_clock_shows_twice_is_told(visitor: Any, club: Any) -> None:
    client = visitor("director")
    new = reverse("club_new_event", args=["lakeside"])
    sent = filled(client.get(new).context["form"])
    sent |= {"title": "Cup", "starts_at": "2027-11-07T01:30", "zone": "America/Chicago"}
    answer = client.post(new, sent, follow=True)
    assert any("twice" in sentence for sentence in said(answer))
    made = Event.objects.latest("pk")
    assert made.starts_at == datetime(2027, 11, 7, 6, 30, tzinfo=UTC)
    Event.objects.filter(pk=made.pk).update(starts_at=made.starts_at + timedelta(hours=1))  # the second one
    settings = at(made, "desk_settings")
    client.post(settings, filled(client.get(settings).context["form"]) | {"title": "Cup II"})
    made.refresh_from_db()
    assert (made.title, made.starts_at) == ("Cup II", datetime(2027, 11, 7, 7, 30, tzinfo=UTC))


def test_a_clubs_own_rules_can_be_chosen(visitor: Any, club: Any) -> None:
    kept = club.rule_sets.create(
        name="Boathouse", name_key="boathouse", rules=format_rules(PRESETS["tournament_scene"])
    )
    client = visitor("director")
    new = reverse("club_new_event", args=["lakeside"])
    sent = filled(client.get(new).context["form"]) | {"title": "Cup", "rules": f"set-{kept.pk}"}
    assert client.post(new, sent).status_code == 302
    made = Event.objects.latest("pk")
    assert made.rules == kept.rules
    assert "stick the dealer" in client.get(at(made, "desk_settings")).content.decode()


def test_what_a_change_would_undo_is_said_first(running: Event, visitor: Any) -> None:
    client = visitor("director")
    settings = at(running, "desk_settings")
    sent = filled(client.get(settings).context["form"]) | {"format": "round_robin"}
    answer = client.post(settings, sent)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "2 rounds are taken back" in text
    assert "with 2 results." in text
    running.refresh_from_db()
    assert running.format == "swiss"
    assert client.post(settings, sent | {"agreed": "1"}).status_code == 302
    running.refresh_from_db()
    assert running.format == "round_robin"
    assert not running.rounds.exists()


def test_the_chooser_says_how_each_format_behaves_for_so_many(visitor: Any, club: Any) -> None:
    client = visitor("director")
    new = reverse("club_new_event", args=["lakeside"])
    for people, figures in ((8, "2 tables"), (20, "5 tables"), (400, "100 tables")):
        form = client.get(f"{new}?look=1&expected={people}&hours=3&format=rotation").context["form"]
        told = {choice.key: choice for _title, choices in form.formats for choice in choices}
        assert set(told) == set(PLAYBOOKS)
        assert figures in told["rotation"].figures
        assert told["rotation"].said
        assert form.told.startswith("Rotation")
    for odd in ("expected=0&hours=-1", "expected=&hours=nan", "expected=99999&hours=1e99", "format=lottery"):
        assert client.get(f"{new}?look=1&{odd}").status_code == 200


# --- an evening at the desk ---------------------------------------------------------------------------------------


def test_a_list_gives_back_what_cannot_be_used(event: Event, visitor: Any) -> None:
    client = visitor("director")
    pasted = "1. Ann & Bob\nCy / Dot\n12345 & 6\nAnn & Eve\n\n“Zed” & מַרְתָּה"
    answer = client.post(at(event, "desk_add"), {"names": pasted})
    assert answer.status_code == 422
    assert [refused.line for refused in answer.context["refused"]] == [3, 4]
    assert answer.context["text"] == "12345 & 6\nAnn & Eve"
    assert event.entrants.count() == 3
    assert client.post(at(event, "desk_add"), {"names": "Ann2 & Eve"}).status_code == 302
    for text in ("", "   \n \t", "x" * 200_001):
        answer = client.post(at(event, "desk_add"), {"names": text})
        assert answer.status_code == 422
        assert answer.context["told"]
    assert answer.context["text"] == "x" * 200_001
    assert event.entrants.count() == 4


def test_an_evening_by_the_buttons_alone(event: Event, visitor: Any, bots: Any) -> None:
    client = visitor("director")
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT, kind=Event.Kind.HALL, rounds_planned=2)
    desk = at(event, "event_desk")

    def press(do: str, **more: str) -> Any:
        assert client.get(desk).context["desk"].next.do == do or more.pop("other", "")
        name = "desk_round_go" if do in ("publish", "begin") else "desk_go"
        args = [client.get(desk).context["desk"].round.number] if name == "desk_round_go" else []
        after = len(client.get(desk).context["desk"].rounds)
        return client.post(at(event, name, *args), {"do": do, "after": str(after), **more}, follow=True)

    press("announce")
    assert "Needs at least" in client.get(desk).context["desk"].next.why
    client.post(at(event, "desk_add"), {"names": NAMES})
    client.post(at(event, "desk_go"), {"do": "check_in"})
    client.post(at(event, "desk_all"), {"do": "check_in_all"})
    assert client.get(desk).context["desk"].counts.here == 4
    press("start")
    for number in (1, 2):
        view = client.get(desk).context["desk"]
        assert (view.round.number, view.next.do, view.next.why) == (number, "go_on", "Needs every score")
        for row in view.rows:
            client.post(at(event, "desk_score", row.table.pk), {"a": "10", "b": str(row.table.number)})
        view = client.get(desk).context["desk"]
        assert (view.missing, view.next.why, view.bars) == (0, "", ["on", "on"])
        press("go_on")
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    view = client.get(desk).context["desk"]
    assert view.next is None
    client.post(at(event, "desk_undo"), {"step": str(view.undo[0])})
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING


def test_the_director_sees_a_draw_first_swaps_locks_and_draws_again(event: Event, visitor: Any, as_: Any) -> None:
    client = visitor("director")
    Event.objects.filter(pk=event.pk).update(kind=Event.Kind.HALL, pairing=Event.Pairing.DRAFT)
    client.post(at(event, "desk_add"), {"names": NAMES})
    client.post(at(event, "desk_go"), {"do": "start"})
    view = client.get(at(event, "event_desk")).context["desk"]
    assert (view.round.state, view.next.do) == (Round.State.DRAWN, "publish")
    first, second = view.rows
    one, other = first.table.sides[0][0], second.table.sides[0][0]
    sent = {"do": "swap", "one": str(one), "other": str(other)}
    assert "have changed places" in said(client.post(at(event, "desk_round_go", 1), sent, follow=True))[0]
    client.post(at(event, "desk_table_do", second.table.pk), {"do": "unlock"})
    client.post(at(event, "desk_round_go", 1), {"do": "redraw"})
    kept = event.tables.get(locked=True)
    assert other in kept.sides[0]
    client.post(at(event, "desk_round_go", 1), {"do": "publish"})
    assert client.get(at(event, "event_desk")).context["desk"].begun


BAD_SCORES = [
    ({"a": "10", "b": ""}, "Type the points of both sides"),
    ({"a": "ten", "b": "6"}, "Type the points of both sides"),
    ({"a": "-3", "b": "10"}, "Type the points of both sides"),
    ({"a": "10", "b": "10"}, "Table 1:"),
    ({"a": "9", "b": "8"}, "Table 1:"),
    ({"a": "999", "b": "8"}, "Table 1:"),
]


def test_a_score_that_cannot_be_is_refused_and_stays_typed(running: Event, visitor: Any) -> None:
    client = visitor("director")
    table = running.tables.get(round__number=2, number=1)
    for sent, sentence in BAD_SCORES:
        answer = client.post(at(running, "desk_score", table.pk), sent, follow=True)
        assert sentence in said(answer)[0], sent
        assert (answer.context["typed"]["a"], answer.context["typed"]["b"]) == (sent["a"], sent["b"])
    within = client.post(at(running, "desk_score", table.pk), {"a": "9", "b": "8"}, headers={"HX-Request": "true"})
    assert within.headers["Location"] == at(running, "event_desk")
    table.refresh_from_db()
    assert table.state == EventTable.State.PLAYING


def test_the_digits_of_an_arabic_keyboard_are_digits(running: Event, visitor: Any) -> None:
    table = running.tables.get(round__number=2, number=1)
    visitor("director").post(at(running, "desk_score", table.pk), {"a": "١٠", "b": "٧"})
    table.refresh_from_db()
    assert (table.points_0, table.points_1) == (10, 7)


def test_who_is_taken_out_after_the_draw_is_told_to_have_a_table_still(running: Event, visitor: Any) -> None:
    table = running.tables.get(round__number=2, number=1)
    entrant = Entrant.objects.get(event=running, number=table.sides[0][0])
    client = visitor("director")
    answer = client.post(at(running, "desk_person_do", entrant.pk), {"do": "withdraw"}, follow=True)
    assert said(answer) == [
        f"{entrant.name} still has table 1 of this round: seat a substitute, or forfeit the table.",
    ]


def test_a_score_typed_over_a_game_that_is_being_played_asks_first(
    event: Event, as_: Any, visitor: Any, bots: list[Player]
) -> None:
    Event.objects.filter(pk=event.pk).update(kind=Event.Kind.ONLINE, rounds_planned=3)
    entrants.fill_with_bots(event_id=event.pk, by=as_("director"), entrants=2)
    events.start(event_id=event.pk, by=as_("director"))
    rounds.next_round(event_id=event.pk, by=as_("director"), after=0)
    table = event.tables.get()
    clock.sweep(timezone.now())
    client = visitor("director")
    asked = client.post(at(event, "desk_score", table.pk), {"a": "10", "b": "6"}, follow=True)
    table.refresh_from_db()
    assert table.state == EventTable.State.PLAYING
    assert "A score saved here ends their game" in asked.text
    assert asked.context["typed"]["a"] == "10"
    client.post(at(event, "desk_score", table.pk), {"a": "10", "b": "6", "sure": "1"})
    table.refresh_from_db()
    assert (table.state, table.points_0) == (EventTable.State.CONFIRMED, 10)


def test_another_score_of_a_table_that_has_one_shows_what_it_changes_first(running: Event, visitor: Any) -> None:
    client = visitor("director")
    table = running.tables.get(round__number=1, number=1)
    score = at(running, "desk_score", table.pk)
    assert client.post(score, {"a": "10", "b": "6"}).headers["Location"].startswith(at(running, "event_desk"))
    answer = client.post(score, {"a": "4", "b": "10"}, follow=True)
    assert (table.points_0, table.points_1) == (10, 6)
    moved = {one["name"]: (one["before"], one["after"]) for one in answer.context["moved"]}
    assert moved
    assert all(before != after for before, after in moved.values())
    within = client.post(score, {"a": "4", "b": "10"}, headers={"HX-Request": "true"})
    assert within.headers["HX-Redirect"].startswith(at(running, "desk_correct", table.pk))
    client.post(at(running, "desk_correct", table.pk), {"a": "4", "b": "10", "reason": "Typed wrong"})
    table.refresh_from_db()
    assert (table.points_0, table.points_1) == (4, 10)
    Event.objects.filter(pk=running.pk).update(zone="Asia/Kolkata")
    text = client.get(at(running, "desk_log")).content.decode()
    step = Step.objects.filter(event=running).latest("number")
    assert f"{step.at.astimezone(ZoneInfo('Asia/Kolkata')):%H:%M:%S}" in text  # as the clock in the hall has it
    assert "Typed wrong" in text
    assert "10–6" in text
    assert "4–10" in text
    deputy = visitor("link_deputy")
    deputy.post(at(running, "desk_correct", table.pk), {"a": "10", "b": "0"})
    table.refresh_from_db()
    assert (table.points_0, table.points_1) == (4, 10)


def test_a_correction_asks_what_becomes_of_later_matches(club: Any, cast: Any) -> None:
    evening = Evening(club, cast.director, "single_elimination", 4)
    evening.start()
    evening.play_round()
    client = Client()
    client.force_login(cast.director)
    table = EventTable.objects.filter(event=evening.id, round__number=1)[0]
    wanted = {"a": "10", "b": "2"} if table.points_0 < table.points_1 else {"a": "2", "b": "10"}
    answer = client.get(at(evening.event, "desk_correct", table.pk), wanted)
    assert answer.context["preview"].choices == ("let_stand", "void_chain")
    assert "Later matches rest on this result" in answer.content.decode()
    client.post(at(evening.event, "desk_correct", table.pk), wanted | {"choice": "void_chain"})
    assert EventTable.objects.filter(event=evening.id, round__number=2, state=EventTable.State.VOID).exists()


def test_deals_of_a_duplicate_event_are_typed_one_by_one(club: Any, cast: Any) -> None:
    evening = Evening(club, cast.director, "duplicate", 4)
    evening.start()
    client = Client()
    client.force_login(cast.director)
    table = evening.tables()[0]
    page = client.get(at(evening.event, "desk_table", table.pk))
    deals = page.context["row"].deals
    assert deals
    assert "Deals of table" in client.get(at(evening.event, "event_desk")).content.decode()
    sent = {f"d{deal}": "2" for deal in deals}
    refused = client.post(at(evening.event, "desk_score", table.pk), sent | {f"d{deals[0]}": "?"}, follow=True)
    assert f"Deal {deals[0]}" in said(refused)[0]
    assert refused.context["typed"]["deals"][deals[1]] == "2"
    client.post(at(evening.event, "desk_score", table.pk), sent | {f"d{deals[0]}": "-1"})
    table.refresh_from_db()
    assert table.deals == {str(deal): -1 if deal == deals[0] else 2 for deal in deals}


REFUSED = [
    ("desk_person_do", {"do": "disqualify", "reason": ""}, ""),
    ("desk_person_do", {"do": "note", "note": "n" * 301}, "n" * 301),
    ("desk_person_do", {"do": "withdraw", "reason": "r" * 301}, "r" * 301),
    ("desk_person_do", {"do": "seed", "seed": "first"}, "first"),
    ("desk_person_do", {"do": "seed", "seed": "1"}, "1"),
    ("desk_person_do", {"do": "remove"}, ""),
    ("desk_person_do", {"do": "extra", "extra": "much"}, "much"),
    ("desk_person_do", {"do": "dance"}, ""),
    ("desk_member_do", {"do": "substitute", "name": "12"}, "12"),
    ("desk_member_do", {"do": "substitute", "name": "Ben 2"}, "Ben 2"),
    ("desk_member_do", {"do": "bot"}, ""),
    ("desk_wishes", {"kind": "fixed_table", "one": "one", "table": "0"}, "0"),
    ("desk_wishes", {"kind": "never_together", "one": "one", "other": "other"}, ""),
    ("desk_wishes", {"kind": "", "one": "one", "other": "other"}, ""),
]


def test_what_is_refused_stays_typed(running: Event, visitor: Any) -> None:
    client = visitor("director")
    about = things(running)
    people = [str(one.pk) for one in Entrant.objects.filter(event=running).order_by("number")[:2]]
    before = Step.objects.filter(event=running).count()
    for name, given, kept in REFUSED:
        sent = {key: {"one": people[0], "other": people[1]}.get(value, value) for key, value in given.items()}
        args = about[{"desk_person_do": "entrant", "desk_member_do": "member"}.get(name, "")]
        answer = client.post(at(running, name, *args), sent)
        assert answer.status_code == 422, given
        assert answer.context["told"]
        assert kept in answer.content.decode(), given
    assert Step.objects.filter(event=running).count() == before


def test_odd_numbers_and_addresses_get_a_sentence(running: Event, visitor: Any) -> None:
    client = visitor("director")
    for address, sent in (
        (at(running, "desk_undo"), {"step": "x"}),
        (at(running, "desk_undo"), {"step": "999"}),
        (at(running, "desk_go"), {"do": "fly"}),
        (at(running, "desk_go"), {"do": "go_on", "after": ""}),
        (at(running, "desk_round_go", 2), {"do": "minutes", "minutes": "9" * 30}),
        (at(running, "desk_round_go", 77), {"do": "pause"}),
        (at(running, "desk_round_go", 2), {"do": "swap"}),
        (at(running, "desk_all"), {"do": "fill", "entrants": "lots"}),
        (at(running, "desk_table_do", 10**17), {"do": "double"}),
        (at(running, "desk_links"), {"part": "king"}),
        (at(running, "desk_say"), {"text": "x" * 201}),
    ):
        answer = client.post(address, sent, follow=True)
        assert answer.status_code in (200, 404), address
        if answer.status_code == 200:
            assert said(answer), (address, sent)
    for address in (
        at(running, "desk_round", 77),
        at(running, "desk_table", 10**17),
        at(running, "desk_person", 10**17),
    ):
        assert client.get(address).status_code == 404
    foreign = client.post(at(running, "desk_say"), {"text": "", "next": "//evil.example/"})
    assert foreign.headers["Location"] == at(running, "event_desk")


def test_links_are_shown_once_and_end_when_they_are_revoked(event: Event, visitor: Any) -> None:
    client = visitor("director")
    answer = client.post(at(event, "desk_links"), {"part": "deputy"})
    address = answer.context["shown"]["address"]
    assert address in answer.content.decode()
    assert "data:image/svg+xml" in answer.content.decode()
    assert address not in client.get(at(event, "desk_links")).content.decode()
    guest = Client()
    assert guest.get(address).headers["Location"] == at(event, "event_desk")
    assert guest.get(at(event, "event_desk")).status_code == 200
    client.post(at(event, "desk_revoke", event.links.get().pk))
    assert guest.get(at(event, "event_desk")).status_code == 302
    assert Client().get(address).status_code == 404


def test_names_stay_names(event: Event, visitor: Any, as_: Any) -> None:
    """Quotes, markup, emoji and right-to-left names, on every page."""
    client = visitor("director")
    Event.objects.filter(pk=event.pk).update(kind=Event.Kind.HALL, title="<b>Cup</b> \"'&")
    odd = ["<script>alert(1) & O'Brien", 'Bo "B" <i> & 🂡 Ace', "פלונית & علي", f"{'W' * 60} & {'M' * 60}"]
    client.post(at(event, "desk_add"), {"names": "\n".join(odd)})
    client.post(at(event, "desk_go"), {"do": "start"})
    assert event.entrants.count() == 4
    for one in event.entrants.all():
        client.post(at(event, "desk_person_do", one.pk), {"do": "note", "note": "<u>paid</u>"})
    table = event.tables.first()
    client.post(at(event, "desk_say"), {"text": '"><script>'})
    about = {"desk_round": [1], "desk_table": [table.pk], "desk_correct": [table.pk]}
    about["desk_person"] = [event.entrants.get(number=1).pk]
    for name in PAGES:
        text = client.get(at(event, name, *about.get(name, []))).content.decode()
        for markup in ("<script>alert", "<i>", "<b>Cup", "<u>paid", '"><script'):
            assert markup not in text, (name, markup)
        assert not re.search(r'="[^"<>]*<', text.replace("data:image", "")), name


# --- how much it takes ---------------------------------------------------------------------------------------------


@pytest.fixture
def large(event: Event) -> Event:
    """400 people, 12 rounds of 100 tables, written without the services."""
    Event.objects.filter(pk=event.pk).update(
        kind=Event.Kind.HALL, format="rotation", state=Event.State.RUNNING, rounds_planned=12
    )
    people = Entrant.objects.bulk_create(
        Entrant(event=event, number=number, name=f"Person {number}", state=Entrant.State.ACTIVE)
        for number in range(1, 401)
    )
    Member.objects.bulk_create(Member(event=event, entrant=one, name=one.name) for one in people)
    for number in range(1, 13):
        state = Round.State.PLAYING if number == 12 else Round.State.CLOSED
        shown = Round.objects.create(event=event, number=number, state=state, starts_at=timezone.now())
        EventTable.objects.bulk_create(
            EventTable(
                event=event,
                round=shown,
                number=place + 1,
                kind=Event.Kind.HALL,
                sides=[[4 * place + 1, 4 * place + 2], [4 * place + 3, 4 * place + 4]],
                code=f"{number}-{place}",
                state=EventTable.State.PLAYING if number == 12 else EventTable.State.CONFIRMED,
                points_0=None if number == 12 else 10,
                points_1=None if number == 12 else place % 10,
                winner=None if number == 12 else 0,
            )
            for place in range(100)
        )
    event.refresh_from_db()
    return event


MOST = {
    "event_desk": 12,
    "desk_round": 12,
    "desk_table": 12,
    "desk_people": 12,
    "desk_person": 8,
    "desk_add": 8,
    "desk_log": 12,
    "desk_links": 8,
    "desk_settings": 8,
    "desk_wishes": 8,
}


def test_a_constant_number_of_queries_for_400_entrants_and_12_rounds(
    large: Event, visitor: Any, django_assert_max_num_queries: Any
) -> None:
    client = visitor("director")
    client.get(at(large, "event_desk"))
    tables = list(large.tables.filter(round__number__in=(1, 12)).order_by("round__number", "number"))
    about = {"desk_round": [1], "desk_table": [tables[-1].pk], "desk_person": [large.entrants.first().pk]}
    for name, most in MOST.items():
        with django_assert_max_num_queries(most):
            answer = client.get(at(large, name, *about.get(name, [])))
        assert answer.status_code == 200
    with django_assert_max_num_queries(14):
        answer = client.get(at(large, "desk_correct", tables[0].pk), {"a": "3", "b": "10"})
    assert answer.context["preview"] is not None
    found = client.get(at(large, "desk_people"), {"q": "person 39"}).context["page"]
    assert found.found == 11
    assert Seating.objects.count() == 0


def test_the_clubs_list_takes_as_many_queries_for_many_events(
    club: Any, event: Event, visitor: Any, django_assert_max_num_queries: Any
) -> None:
    when = timezone.now()
    Event.objects.bulk_create(
        Event(club=club, title=f"Night {n}", format="swiss", state=state, starts_at=when, finished_at=when)
        for n in range(30)
        for state in (Event.State.OPEN, Event.State.FINISHED)
    )
    client = visitor("director")
    with django_assert_max_num_queries(12):
        page = client.get(reverse("club_events", args=["lakeside"])).context["events"]
    assert (len(page.coming), len(page.past), page.pages) == (31, 20, 2)


# --- live ---------------------------------------------------------------------------------------------------------


def test_the_desks_sockets_are_told_the_version_alone(running: Event) -> None:
    assert frames.PAGES[frames.DESK] is desk.moved
    assert desk.moved(running.pk) == f'{{"version": {running.version}}}'
    frame = frames.render(running.pk, frames.DESK, "en")
    assert frame is not None
    assert not frame.public


def test_a_page_read_anew_leaves_messages_for_the_answer_they_belong_to(running: Event, visitor: Any) -> None:
    client = visitor("director")
    client.post(at(running, "desk_say"), {"text": "Soup"})
    assert "All tables are told" not in client.get(at(running, "event_desk") + "?fresh=1").content.decode()
    assert "All tables are told" in client.get(at(running, "event_desk")).content.decode()


@pytest.mark.parametrize(("language", "before"), [("en", ""), ("he", "\u200f")])
def test_the_names_of_a_pair_stand_each_by_itself(language: str, before: str) -> None:
    """In one isolate the first name's script would turn the order of both."""
    with override(language):
        assert apart("פלונית & O'Brien <b>") == f"{before}<bdi>פלונית</bdi> &amp; <bdi>O&#x27;Brien &lt;b&gt;</bdi>"
        assert apart("פלונית") == "<bdi>פלונית</bdi>"


def test_a_pasted_list_says_how_its_commas_were_read(club: Any, cast: Any, as_: Any) -> None:
    evening = Evening(club, cast.director, "rotation", 0)
    director = browser_of(evening.event, as_, "director")
    assert "“Ann, Bob” is two people" in director.get(at(evening.event, "desk_add")).content.decode()
    for names, sentence in (
        ("Tom, Priya\nMarta", "1 line was read as several people, who play singly here."),
        ("Smith, John\nDoe, Jane", "2 were read as one person each, the surname before the comma"),
    ):
        answer = director.post(at(evening.event, "desk_add"), {"names": names}, follow=True)
        assert sentence in answer.content.decode()
