"""Hints in friendly games: for the seat on turn alone, from what that seat sees alone, never in ranked
or event games; and the move waits for nothing."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from games import engine
from games.bots import advice, analysis, worlds
from games.engine import PRESETS
from games.models import Game, Player, Seat, Table
from games.selectors import tables
from games.services import hints, seating
from games.services.errors import StaleVersion, UserError
from games.tasks import bot_hint
from games.templatetags.lobby import terms
from games.views.hints import sentences
from tests.bots.test_analysis import LAST_TWO, LONER
from tests.bots.test_heuristic import after, deal_with
from tests.bots.test_worlds import moments
from tests.engine.any_rules import random_rules
from tests.services.conftest import on_turn, submit

NAMES = ("North", "East", "South", "West")


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What workers are told; each decision is tried on few deals."""
    told: list[tuple] = []
    monkeypatch.setattr(hints.current_app, "send_task", lambda name, args, **_options: told.append((name, *args)))
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 12)
    return told


@pytest.fixture
def table_with(cast) -> Callable[..., int]:
    """A friendly table at which the four have begun a game, with hints unless said otherwise."""
    cache.clear()

    def open_table(**terms) -> int:
        terms = {"ranked": False, "hints": True} | terms
        rules = seating.rules_text(stick_the_dealer=False)
        table_id = seating.open_table(host=cast.north, pace=20, rules=rules, **terms)
        for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
            seating.sit(table_id=table_id, player_id=player.pk, index=index)
        return table_id

    return open_table


def version_of(table_id: int) -> int:
    return Table.objects.values_list("version", flat=True).get(pk=table_id)


def ask(table_id: int, player: Player | None, **others):
    wanted = {"version": version_of(table_id)} | others
    return hints.ask(table_id=table_id, player_id=player and player.pk, **wanted)


# The service


def test_who_is_on_turn_asks_and_a_worker_answers_him(table_with, asked):
    table_id = table_with()
    first, version = on_turn(table_id), version_of(table_id)
    seen, found = ask(table_id, first)
    assert found is None
    assert seen.seat == tables.read_row(table_id).turn
    assert asked == [(hints.BOT_HINT, table_id, version)]
    ask(table_id, first)
    assert len(asked) == 1, "a worker is at it already"
    bot_hint(table_id, version)
    seen, found = hints.find(table_id=table_id, player_id=first.pk, version=version)
    assert engine.parse_action(found.action) in seen.legal_actions
    assert ask(table_id, first)[1] == found, "who looks again gets the same"
    assert len(asked) == 1


def test_nobody_else_is_given_it_neither_before_nor_after(table_with, cast):
    table_id = table_with()
    first = on_turn(table_id)
    ask(table_id, first)
    hints.advise(table_id=table_id, version=version_of(table_id))
    for player in (cast.north, cast.east, cast.south, cast.west):
        if player != first:
            with pytest.raises(UserError, match="not your turn"):
                ask(table_id, player)
    for outsider in (cast.stranger, None):
        with pytest.raises(UserError, match="only the players"):
            ask(table_id, outsider)


def test_a_hint_is_dropped_when_the_table_has_moved_on(table_with):
    table_id = table_with()
    first, version = on_turn(table_id), version_of(table_id)
    ask(table_id, first)
    submit(table_id, first, "pass")
    assert not hints.advise(table_id=table_id, version=version)
    with pytest.raises(StaleVersion):
        hints.find(table_id=table_id, player_id=first.pk, version=version)
    with pytest.raises(StaleVersion):
        ask(table_id, on_turn(table_id), version=version)


def test_the_move_waits_for_no_hint_and_a_broker_that_is_away_harms_nobody(table_with, monkeypatch):
    def away(*_args, **_options):
        raise ConnectionError

    monkeypatch.setattr(hints.current_app, "send_task", away)
    table_id = table_with()
    first = on_turn(table_id)
    assert ask(table_id, first)[1] is None
    submit(table_id, first, "pass")
    assert on_turn(table_id) != first


def test_a_table_without_hints_gives_none_and_that_is_usual(table_with):
    table_id = table_with(hints=False)
    with pytest.raises(UserError, match="opened without hints"):
        ask(table_id, on_turn(table_id))
    assert not hints.advise(table_id=table_id, version=version_of(table_id))
    assert not Table._meta.get_field("hints").default


def test_there_are_none_in_ranked_games(table, cast):
    with pytest.raises(UserError, match="ranked games"):
        ask(table, on_turn(table))
    with pytest.raises(UserError, match="friendly table"):
        seating.open_table(host=cast.stranger, ranked=True, pace=20, rules="article", hints=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table).update(hints=True)


def test_there_are_none_in_the_games_of_an_event(table_with):
    table_id = table_with()
    Table.objects.filter(pk=table_id).update(back="/events/1/")
    with pytest.raises(UserError, match="of an event"):
        ask(table_id, on_turn(table_id))
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table_id).update(reserved=True)


def test_there_are_none_where_a_program_plays(table_with):
    table_id = table_with()
    first = on_turn(table_id)
    Seat.objects.filter(table_id=table_id).exclude(player=first).update(program=True)
    Table.objects.filter(pk=table_id).update(roster=99)
    with pytest.raises(UserError, match="A program plays"):
        ask(table_id, first)
    assert not hints.advise(table_id=table_id, version=version_of(table_id))


def test_everybody_knows_that_a_table_has_them_and_so_does_the_record(table_with, client: Client, cast):
    table_id = table_with()
    assert "with hints" in terms(tables.load_table(table_id))
    client.force_login(cast.stranger)
    page = client.get(f"/tables/{table_id}/").content.decode()
    assert "with hints" in page
    assert '<button id="ask-hint" class="iconbtn" type="button" disabled hidden' in page
    assert Game.objects.get(table=table_id).hints


def test_quick_match_seats_nobody_at_such_a_table(cast):
    rules = seating.rules_text(stick_the_dealer=False)
    for_hints = seating.open_table(host=cast.north, ranked=False, pace=20, rules=rules, hints=True)
    Table.objects.filter(pk=for_hints).update(fill_at=timezone.now())
    found = seating.quick_match(player_id=cast.east.pk, ranked=False, pace=20, stick="no", bots="", nonce="")
    assert found != for_hints


# In words, to a browser


def test_it_is_told_in_sentences_to_a_browser(table_with, client: Client):
    table_id = table_with()
    first, version = on_turn(table_id), version_of(table_id)
    client.force_login(first)
    address = f"/tables/{table_id}/hint/"
    assert client.post(address, {"version": version}).json() == {"state": "wait"}
    assert client.get(address, {"version": version}).json() == {"state": "wait"}
    hints.advise(table_id=table_id, version=version)
    told = client.get(address, {"version": version})
    assert told.json()["state"] == "ready"
    assert told.json()["said"][0] in ("Pass.", "Order it up.", "Order it up alone.")
    assert "no-store" in told["Cache-Control"]
    submit(table_id, first, "pass")
    gone = client.get(address, {"version": version})
    assert (gone.status_code, gone.json()["state"]) == (409, "moved")
    client.logout()
    refused = client.post(address, {"version": version})
    assert (refused.status_code, refused.json()["state"]) == (403, "refused")


def test_who_asks_too_often_is_told_so(table_with, client: Client, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"hints": "2/m/user"}
    table_id = table_with()
    client.force_login(on_turn(table_id))
    asking = [client.post(f"/tables/{table_id}/hint/", {"version": version_of(table_id)}) for _again in range(3)]
    assert [response.status_code for response in asking] == [200, 200, 429]
    assert asking[-1].json()["said"][0].endswith(".")


# What is advised


def said(state: engine.DealState, worlds_tried: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", worlds_tried)
    seen = engine.view(state, state.turn)
    return list(sentences(seen, advice.advise(seen), NAMES))


def test_the_card_to_throw_and_why(monkeypatch):
    """East, alone in clubs, has ruffed a spade and a diamond: his last card is a heart or a trump."""
    hands = {0: "AS KH 9D AH KS", 1: "KC QH JS JC 9H", 2: "AC TH AD 9C QD", 3: "QC JD TD JH QS"}
    told = said(after(deal_with(hands, "9S", dealer=3, rules=LONER), LAST_TWO), 160, monkeypatch)
    assert told[:2] == ["Throw the king of spades.", "The last card of East is a heart or a trump."]


def test_a_weak_hand_is_passed_and_a_strong_one_ordered_up_alone(monkeypatch):
    weak = said(deal_with({0: "9C TC 9D TD QS"}, "JH"), 60, monkeypatch)
    assert weak[0] == "Pass."
    assert weak[2].startswith("Called, it is euchred in ")
    assert said(deal_with({0: "JH JD AH KH AS"}, "QH"), 60, monkeypatch)[0] == "Order it up alone."


def test_whatever_is_played_something_legal_is_advised_and_said(monkeypatch):
    """Every phase under random house rules; where nothing can be weighed, by the rule of thumb."""
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 4)
    rng, phases = random.Random(4), set()
    for number in range(20):
        rules = PRESETS["article"] if number < 2 else random_rules(rng)
        for state in moments(rules, rng):
            if rng.random() < 0.7:
                continue
            seen = engine.view(state, state.turn, (0,) * rules.sides)
            found = advice.advise(seen)
            assert engine.parse_action(found.action) in seen.legal_actions
            assert found == advice.advise(seen)
            told = list(sentences(seen, found, NAMES[: rules.players]))
            assert told and all(sentence.endswith(".") for sentence in told), told
            phases.add(state.phase)
    assert phases >= {"bid1", "bid2", "exchange", "alone", "play"}


def test_the_hint_is_the_same_when_all_cards_that_the_seat_cannot_see_are_dealt_anew():
    rng, tried = random.Random(8), 0
    while tried < 25:
        for state in moments(random_rules(rng) if tried % 2 else PRESETS["article"], rng):
            seen = engine.view(state, state.turn)
            if state.phase in ("weak", "swap") or not seen.hand or rng.random() < 0.7:
                continue
            other = worlds.sample(seen, rng)[0]
            assert advice.advise(engine.view(other, state.turn)) == advice.advise(seen)
            tried += 1
