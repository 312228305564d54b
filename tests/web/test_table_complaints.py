"""What people hold against tables of other sites (complaints.md) and no other test here tries."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Message, Seat, Table
from games.selectors import tables
from games.services import deals, play, presence, seating, talk
from games.services.errors import UserError
from tests.services.conftest import at_once, cast, choices, on_turn, submit, table  # noqa: F401
from tests.web.test_socket import browsers, in_database, run


def waits_for_company(cast, **terms) -> int:  # noqa: F811
    terms = {"ranked": False, "pace": 20, "rules": "article"} | terms
    return seating.open_table(host=cast.north, **terms)


@pytest.mark.django_db(transaction=True)
def test_two_seats_of_one_table_asked_for_at_once_are_one_seat(cast):  # noqa: F811
    """Complaint: a player grabs two seats in a window of a second or two (try: two parallel requests to sit)."""
    table_id = waits_for_company(cast)

    def sit(index: int) -> None:
        seating.sit(table_id=table_id, player_id=cast.east.pk, index=index)

    at_once(lambda: sit(1), lambda: sit(2), lambda: sit(3))
    assert Seat.objects.filter(player=cast.east).count() == 1
    assert Seat.objects.filter(table_id=table_id, player=None).count() == 2


@pytest.mark.django_db(transaction=True)
def test_who_watches_and_sits_down_in_the_same_moment_has_one_role(cast):  # noqa: F811
    """Complaint: joined as player and as spectator while lagging, and stuck (try: sit and watch in parallel)."""

    async def scenario() -> None:
        table_id = await in_database(waits_for_company)(cast)
        async with browsers(table_id, cast.east, cast.east) as (watching, sitting):
            assert 'value="leave"' not in watching.frame
            await sitting.post("sit:1")
            for browser in (watching, sitting):
                while 'value="leave"' not in browser.frame:
                    await browser.receive()
            await watching.post("leave")
            while 'value="leave"' in sitting.frame:
                await sitting.receive()
        assert not await in_database(Seat.objects.filter(player=cast.east).exists)()

    run(scenario)


@pytest.mark.django_db
def test_a_seat_that_somebody_else_has_taken_answers_to_nobody_but_him(cast):  # noqa: F811
    """Complaint: the credential of a seat survives leaving, and the new occupant can be impersonated (try: leave, seat
    somebody else, replay what was sent before)."""
    table_id = waits_for_company(cast)
    seating.sit(table_id=table_id, player_id=cast.east.pk, index=1)
    old = Client()
    old.force_login(cast.east)
    form = {"action": "ask_alone:on", "version": 0, "code": "", "nonce": ""}
    old.post(reverse("table_act", args=[table_id]), form)
    presence.leave(table_id=table_id, player_id=cast.east.pk)
    for index, player in ((1, cast.stranger), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    before = tables.read_row(table_id)
    for action in ("ask_alone:on", "leave", "take_back", "next", *choices(table_id)):
        old.post(reverse("table_act", args=[table_id]), form | {"action": action, "version": before.version})
    hand = before.deal().hands[1]
    page = old.get(reverse("table", args=[table_id])).content.decode()
    assert not any(f'data-card="{card}"' in page for card in hand if card != before.deal().up_card)
    assert tables.read_row(table_id) == before
    assert not Seat.objects.get(player=cast.stranger).ask_alone


@pytest.mark.django_db
def test_what_has_been_played_is_not_taken_back(table, cast):  # noqa: F811
    """Complaint: take-backs are used to test illegal or risky plays."""
    mover = on_turn(table)
    submit(table, mover, "pass")
    before = tables.read_row(table)
    for action in ("undo", "take_back", "pass", "order_up", "back"):
        try:
            submit(table, mover, action)
        except UserError:
            continue
    assert tables.read_row(table) == before


@pytest.mark.django_db
def test_who_comes_back_acts_next_and_the_bot_does_not(cast):  # noqa: F811
    """Complaint: returning after a bot took over, the game plays by itself and clicks do nothing (try: take the seat
    back in the middle of a trick)."""
    table_id = waits_for_company(cast)
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    while tables.read_row(table_id).phase != Table.Phase.PLAY or not tables.read_row(table_id).deal().trick:
        options = choices(table_id)
        submit(table_id, on_turn(table_id), "order_up" if "order_up" in options else options[0])
    mover = on_turn(table_id)
    presence.leave(table_id=table_id, player_id=mover.pk)
    with pytest.raises(UserError, match="A bot is playing for you"):
        submit(table_id, mover, choices(table_id)[0])
    submit(table_id, mover, "take_back")
    submit(table_id, mover, choices(table_id)[0])
    assert tables.read_row(table_id).played_by.endswith("h")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pace", "said"),
    [(10, "10 s a move"), (20, "20 s a move"), (45, "45 s a move"), (90, "90 s a move"), (300, "5 min a move")],
)
def test_the_time_for_a_move_is_told_before_one_sits_down(cast, pace, said):  # noqa: F811
    """Complaint: house-mates and children need slower turns, strangers fast ones (try: turn time per table, shown
    before sitting)."""
    table_id = waits_for_company(cast, pace=pace)
    assert said in Client().get(reverse("lobby")).content.decode()
    for name in ("table", "table_rules"):
        assert said in Client().get(reverse(name, args=[table_id])).content.decode()
    table_id = seating.open_table(host=cast.east, ranked=False, pace=pace, rules="article", private=True)
    play.submit_action(table_id=table_id, player_id=cast.east.pk, action="ask_alone:on")
    door = reverse("door", args=[tables.read_row(table_id).code])
    assert said in Client().get(door).content.decode()


@pytest.mark.django_db
def test_a_blocked_person_is_not_read_among_the_watchers_either(table, cast):  # noqa: F811
    """Complaint: block does not hide public chat."""
    from games.services import people

    talk.say(table_id=table, player_id=cast.stranger.pk, text="You all play badly")
    other = Client()
    reader = type(cast.north).objects.create_user("Reader", "a good long password")
    other.force_login(reader)
    address = reverse("table_talk", args=[table])
    assert "play badly" in other.get(address).content.decode()
    people.block(player_id=reader.pk, other_id=cast.stranger.pk)
    assert "play badly" not in other.get(address).content.decode()
    assert "play badly" not in other.get(reverse("table", args=[table])).content.decode()
    assert Message.objects.count() == 1


@pytest.mark.django_db
def test_a_finished_trick_stays_for_as_long_as_the_site_says_and_no_longer_for_who_is_quick(cast, settings):  # noqa: F811
    """Complaint: a finished trick vanishes too fast (try: visible for a configurable time, still quick for fast
    players)."""
    settings.EUCHRE_BOT_DELAY, settings.EUCHRE_TRICK_PAUSE = 1, 7
    table_id = waits_for_company(cast)
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    while not tables.read_row(table_id).deal().tricks:
        options = choices(table_id)
        submit(table_id, on_turn(table_id), "order_up" if "order_up" in options else options[0])
    row = tables.read_row(table_id)
    leader = tables.seats_of(row)[row.turn]
    bot = replace(leader, bot_level="fill_in")
    assert deals.due_in(row, row.deal(), bot) == timedelta(seconds=8)
    submit(table_id, on_turn(table_id), choices(table_id)[0])
    assert deals.due_in(tables.read_row(table_id), tables.read_row(table_id).deal(), bot) == timedelta(seconds=1)
