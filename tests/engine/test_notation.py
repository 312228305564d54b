"""Texts and back, and what readers do with anything else."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    PRESETS,
    Action,
    DealRecord,
    GameRecord,
    IllegalAction,
    NotationError,
    Rules,
    apply,
    format_actions,
    format_deck,
    format_game,
    format_rules,
    next_dealer,
    pack,
    parse_action,
    parse_actions,
    parse_deck,
    parse_game,
    parse_rules,
    replay,
    start_deal,
    winner,
)
from games.engine.actions import ACTIONS
from tests.engine.any_rules import ANY_RULES
from tests.engine.table import ARTICLE, stacked_deck

SCRAPS = (
    "euchre",
    "1",
    "rules",
    "article",
    "stick_the_dealer=on",
    "first_dealer",
    "deal",
    "pass",
    "play:JD",
    "9C",
    "\n",
)
NEARLY = st.lists(st.sampled_from(SCRAPS), max_size=12).map(" ".join)


def random_game(seed: int, rules: Rules = ARTICLE) -> GameRecord:
    """A whole game of random legal actions."""
    rng = random.Random(seed)
    dealer = first_dealer = rng.randrange(4)
    score, deals = (0, 0), []
    while winner(score, rules) is None:
        deck = tuple(rng.sample(pack(), 24))
        state = start_deal(rules, dealer, deck)
        while state.legal:
            state = apply(state, rng.choice(state.legal))
        deals.append(DealRecord(deck, tuple(action for _seat, action in state.history)))
        score = (score[0] + state.points[0], score[1] + state.points[1])
        dealer = next_dealer(dealer)
    return GameRecord(rules, first_dealer, tuple(deals))


@pytest.mark.parametrize("text", sorted(ACTIONS))
def test_every_action_is_its_own_text(text):
    assert str(parse_action(text)) == text


def test_the_notation_of_each_kind_of_action_is_pinned():
    for text in ["pass", "order_up", "call:H", "decline", "discard:9S", "alone", "together", "play:JD"]:
        assert str(parse_action(text)) == text


def test_a_discard_seen_by_others_has_no_card_and_cannot_be_read_back_G6():
    assert str(Action("discard")) == "discard"
    with pytest.raises(NotationError, match="There is no action 'discard'"):
        parse_action("discard")


@given(st.lists(st.sampled_from(list(ACTIONS.values()))))
def test_actions_round_trip(actions):
    assert parse_actions(format_actions(actions)) == tuple(actions)


@given(st.permutations(pack()))
def test_decks_round_trip(deck):
    text = format_deck(deck)
    assert len(text) == 48
    assert parse_deck(text) == tuple(deck)


@given(ANY_RULES)
def test_rules_round_trip(rules):
    assert parse_rules(format_rules(rules)) == rules


def test_rules_are_written_as_what_differs_from_the_preset():
    assert format_rules(PRESETS["article"]) == "article"
    assert format_rules(Rules(stick_the_dealer=True, target_score=15)) == "article target_score=15 stick_the_dealer=on"
    assert parse_rules("article stick_the_dealer=off") == ARTICLE


@pytest.mark.parametrize("seed", range(5))
def test_games_round_trip_and_replay(seed):
    record = random_game(seed)
    assert parse_game(format_game(record)) == record
    game = replay(record)
    assert game.winner == winner(game.scores[-1], record.rules)
    assert len(game.deals) == len(game.scores) == len(record.deals)


def test_an_unfinished_game_round_trips():
    record = GameRecord(ARTICLE, 2, (DealRecord(stacked_deck(2, "9H"), ()),))
    assert parse_game(format_game(record)) == record
    assert replay(record).winner is None


def test_a_game_needs_no_deals():
    assert parse_game("euchre 1\nrules article\nfirst_dealer 0\n") == GameRecord(ARTICLE, 0, ())


def test_a_record_that_goes_on_after_the_end_is_refused():
    record = random_game(1)
    more = GameRecord(record.rules, record.first_dealer, (*record.deals, record.deals[0]))
    with pytest.raises(IllegalAction) as caught:
        replay(more)
    assert caught.value.code == "game_over"


def test_a_record_that_leaves_a_deal_half_played_is_refused():
    record = random_game(1)
    half = DealRecord(record.deals[0].deck, record.deals[0].actions[:-1])
    with pytest.raises(IllegalAction) as caught:
        replay(GameRecord(record.rules, record.first_dealer, (half, record.deals[1])))
    assert caught.value.code == "deal_running"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "A game begins with"),
        ("chess 1\nrules article\nfirst_dealer 0\n", "A game begins with"),
        ("euchre 1\nrules article\nfirst_dealer 0", "A game begins with"),
        ("euchre 1\nrule article\nfirst_dealer 0\n", "A line that begins with 'rules'"),
        ("euchre 1\nrules railway\nfirst_dealer 0\n", "There are no rules called 'railway'"),
        ("euchre 1\nrules article target_score=3\nfirst_dealer 0\n", "There is no rule 'target_score=3'"),
        ("euchre 1\nrules article jokers=on\nfirst_dealer 0\n", "There is no rule 'jokers=on'"),
        (
            "euchre 1\nrules article stick_the_dealer=on stick_the_dealer=off\nfirst_dealer 0\n",
            "There is no rule 'stick_the_dealer=off'",
        ),
        ("euchre 1\nrules article\nfirst_dealer 4\n", "The first dealer is a seat from 0 to 3"),
        ("euchre 1\nrules article\nfirst_dealer 0\ndeal 9C\n", "A deck is the 24, 25"),
        (f"euchre 1\nrules article\nfirst_dealer 0\ndeal {format_deck(pack())} bid\n", "There is no action 'bid'"),
    ],
)
def test_a_bad_record_gets_its_reason(text, reason):
    with pytest.raises(NotationError, match=reason):
        parse_game(text)


@given(st.one_of(st.text(), NEARLY))
@settings(max_examples=150)
def test_no_text_crashes_a_reader(text):
    for read in (parse_action, parse_actions, parse_deck, parse_rules, parse_game):
        with suppress(NotationError):
            read(text)


@given(st.data())
@settings(max_examples=100)
def test_no_damage_to_a_record_crashes_the_reader(data):
    text = format_game(random_game(data.draw(st.integers(0, 3))))
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 60))
    damaged = text[:at] + data.draw(st.one_of(st.text(max_size=5), NEARLY)) + text[at + cut :]
    with suppress(NotationError, IllegalAction):
        replay(parse_game(damaged))
