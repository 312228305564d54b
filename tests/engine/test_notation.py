"""Texts and back, and what readers do with anything else."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    OPTIONS,
    PRESETS,
    Action,
    DealRecord,
    GameRecord,
    IllegalAction,
    Match,
    NotationError,
    Rules,
    apply,
    format_actions,
    format_deck,
    format_game,
    format_match,
    format_rules,
    format_score,
    next_dealer,
    pack,
    parse_action,
    parse_actions,
    parse_deck,
    parse_game,
    parse_match,
    parse_rules,
    parse_score,
    replay,
    start_deal,
    winner,
)
from games.engine.actions import ACTIONS
from tests.engine.any_rules import ANY_RULES, allowed
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


KINDS = (
    *("declare", "keep", "pass", "order_up", "order_up_alone", "call:H", "call:N", "call_alone:H", "call_alone:N"),
    *("decline", "discard:9S", "alone", "together", "give:AC", "play:JD", "play:B", "claim"),
)


def test_the_notation_of_each_kind_of_action_is_pinned():
    for text in KINDS:
        assert str(parse_action(text)) == text
    assert len(ACTIONS) == 9 + 2 * 5 + 3 * 33


def test_a_discard_seen_by_others_has_no_card_and_cannot_be_read_back_G6():
    assert str(Action("discard")) == "discard"
    with pytest.raises(NotationError, match="There is no action 'discard'"):
        parse_action("discard")


@given(st.lists(st.sampled_from(list(ACTIONS.values()))))
def test_actions_round_trip(actions):
    assert parse_actions(format_actions(actions)) == tuple(actions)


@given(st.sampled_from([24, 25, 28, 32, 33]).flatmap(lambda size: st.permutations(pack(size))))
def test_decks_of_every_pack_round_trip(deck):
    text = format_deck(deck)
    assert len(text) == 2 * len(deck) - ("B" in deck)
    assert parse_deck(text) == tuple(deck)


@pytest.mark.parametrize("size", [24, 25, 28, 32, 33])
def test_a_deck_is_a_whole_pack_each_card_once(size):
    text = format_deck(pack(size))
    for damaged in (text[2:], text + "9C", text[2:] + "AS", text + "BB", text.replace("9C", "1C"), text + " "):
        with pytest.raises(NotationError, match="A deck is the 24, 25, 28, 32 or 33 cards"):
            parse_deck(damaged)


@given(ANY_RULES)
def test_rules_round_trip(rules):
    assert parse_rules(format_rules(rules)) == rules


def test_rules_are_written_as_what_differs_from_the_preset():
    assert format_rules(PRESETS["article"]) == "article"
    assert format_rules(Rules(stick_the_dealer=True, target_score=15)) == "article target_score=15 stick_the_dealer=on"
    assert parse_rules("article stick_the_dealer=off") == ARTICLE


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in OPTIONS for value in OPTIONS[name]])
def test_every_value_of_every_option_round_trips(name, value):
    rules = allowed({name: value})
    assert parse_rules(format_rules(rules)) == rules
    if getattr(rules, name) != getattr(ARTICLE, name):
        assert f" {name}=" in format_rules(rules)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_can_be_read_by_name(preset):
    assert parse_rules(preset) == PRESETS[preset]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("british no_trump=round2", ("no_trump", "joker")),
        ("two_handed alone_who=any", ("alone_who", "players")),
        ("article all_pass_penalty=1", ("all_pass_penalty", "stick_the_dealer")),
    ],
)
def test_rules_that_exclude_each_other_get_a_sentence_that_names_both(text, named):
    with pytest.raises(NotationError) as caught:
        parse_rules(text)
    assert all(name in str(caught.value) for name in named)


def test_scores_and_matches_round_trip():
    for score in ((), (3, 0), (0, 12), (1, 0, 9)):
        assert parse_score(format_score(score)) == score
    assert format_score((0, 0)) == ""
    for match in (Match((0, 0), (0, 0)), Match((2, 1), (3, 0)), Match((0, 104, 2), (0, 0, 1))):
        assert parse_match(format_match(match)) == match
    assert format_match(Match((2, 0), (3, 0))) == "2 0 / 3 0"
    for text in ("3  0", "-1 0", "03 0", "3 x", " ", "1 99999"):
        with pytest.raises(NotationError, match="A score is a number for each side"):
            parse_score(text)


def test_a_game_that_starts_with_points_says_so_V6():
    deals = (DealRecord(stacked_deck(2, "9H"), ()),)
    record = GameRecord(ARTICLE, 2, deals, start=(3, 0))
    assert "\nstart 3 0\ndeal " in format_game(record)
    assert parse_game(format_game(record)) == record
    assert "start" not in format_game(GameRecord(ARTICLE, 2, deals, start=(0, 0)))


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
        ("euchre 1\nrules two_handed\nfirst_dealer 2\n", "The first dealer is a seat from 0 to 1"),
        ("euchre 1\nrules article\nfirst_dealer 0\nstart 1\n", "A start is a score for each side"),
        ("euchre 1\nrules three_handed\nfirst_dealer 0\nstart 1 2\n", "A start is a score for each side"),
        ("euchre 1\nrules article\nfirst_dealer 0\nstart 0 0\n", "A start at nothing is not written"),
        ("euchre 1\nrules article\nfirst_dealer 0\nstart one two\n", "A score is a number for each side"),
        (f"euchre 1\nrules british\nfirst_dealer 0\ndeal {format_deck(pack())}\n", "These rules are played with 25"),
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
    for read in (parse_action, parse_actions, parse_deck, parse_rules, parse_score, parse_match, parse_game):
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
