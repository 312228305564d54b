"""The fill-in bot under every preset and house rule: legal, better than chance, plausible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from games import bots, engine
from games.engine import PRESETS, Action, DealState, Rules, SeatView
from tests.engine.any_rules import random_rules

BOT = bots.get_bot(bots.FILL_IN)
TWO, THREE = PRESETS["two_handed"], PRESETS["three_handed"]


def decide(view: SeatView) -> Action:
    return BOT.choose(view, random.Random(0))


def deal_at_random(rules: Rules, dealer: int, rng: random.Random) -> DealState:
    deck = list(engine.pack(rules.pack))
    rng.shuffle(deck)
    return engine.start_deal(rules, dealer, deck)


def play_deal(state: DealState, chooser: Callable[[SeatView], Action]) -> DealState:
    while state.turn is not None:
        state = engine.apply(state, chooser(engine.view(state, state.turn)))
    return state


def deal_with(
    rules: Rules, hands: dict[int, str], up_card: str, dealer: int | None = None, kitty: str = ""
) -> DealState:
    """A deal in which the seats named hold these cards, the last seat being the dealer, and the
    kitty begins with these; the rest falls as it may."""
    players = rules.players
    dealer = players - 1 if dealer is None else dealer
    named = [*" ".join(hands.values()).split(), up_card, *kitty.split()]
    rest = [card for card in engine.pack(rules.pack) if card not in named]
    full = [hands[seat].split() if seat in hands else [rest.pop() for _ in range(5)] for seat in range(players)]
    around = [(dealer + place) % players for place in range(1, players + 1)]
    sizes = [3 if place % 2 == 0 else 2 for place in range(players)]
    first = [card for seat, size in zip(around, sizes, strict=True) for card in full[seat][:size]]
    second = [card for seat, size in zip(around, sizes, strict=True) for card in full[seat][size:]]
    return engine.start_deal(rules, dealer, (*first, *second, up_card, *kitty.split(), *rest))


def after(state: DealState, actions: str) -> DealState:
    for text in actions.split():
        state = engine.apply(state, engine.parse_action(text))
    return state


def choice(state: DealState, score: tuple[int, ...] = ()) -> str:
    assert state.turn is not None
    return str(decide(engine.view(state, state.turn, score)))


# --- legal under any rules


def test_every_choice_is_legal_under_random_rules_at_any_score_even_after_foolish_play():
    rng = random.Random(21)
    phases: Counter[str] = Counter()
    for _ in range(2_000):
        rules = random_rules(rng)
        state = deal_at_random(rules, rng.randrange(rules.players), rng)
        score = tuple(rng.randrange(rules.target_score) for _ in range(rules.sides))
        while state.turn is not None:
            view = engine.view(state, state.turn, score)
            action = decide(view)
            assert action in view.legal_actions, rules
            phases[view.phase] += 1
            state = engine.apply(state, action if rng.random() < 0.7 else rng.choice(view.legal_actions))
    assert set(phases) >= {"weak", "swap", "benny", "bid1", "exchange", "bid2", "dummy", "alone", "best", "play"}


def test_under_random_rules_a_choice_does_not_depend_on_hidden_cards_or_on_chance():
    rng = random.Random(22)
    for _ in range(300):
        rules = random_rules(rng)
        state = deal_at_random(rules, rng.randrange(rules.players), rng)
        for _ in range(rng.randrange(25)):
            if state.turn is not None:
                state = engine.apply(state, decide(engine.view(state, state.turn)))
        if state.turn is None:
            continue
        seat, sizes = state.turn, [len(hand) for hand in state.hands]
        hidden = [card for other, hand in enumerate(state.hands) if other != seat for card in hand]
        hidden += state.kitty
        rng.shuffle(hidden)
        hands = tuple(
            state.hands[other] if other == seat else tuple(hidden.pop() for _ in range(size))
            for other, size in enumerate(sizes)
        )
        otherwise = state._replace(hands=hands, kitty=tuple(hidden))
        view = engine.view(state, seat)
        assert decide(engine.view(otherwise, seat)) == decide(view) == BOT.choose(view, random.Random(99))


# --- every preset


def points_above_others(state: DealState, side: int) -> float:
    others = [points for other, points in enumerate(state.points) if other != side]
    return state.points[side] - sum(others) / len(others)


@pytest.mark.parametrize("name", PRESETS)
def test_random_players_lose_to_it_in_every_preset(name: str):
    rules, rng = PRESETS[name], random.Random(7)
    balance = 0.0
    for number in range(150):
        start = deal_at_random(rules, number % rules.players, rng)
        for side in range(rules.sides):

            def chooser(view: SeatView, side: int = side) -> Action:
                assert view.seat is not None
                return decide(view) if view.side(view.seat) == side else rng.choice(view.legal_actions)

            balance += points_above_others(play_deal(start, chooser), side)
    assert balance / (150 * rules.sides) > 0.7


BANDS = {
    "article": ((0.95, 1.0), (0.09, 0.21), (0.02, 0.11)),
    "tournament_scene": ((1.0, 1.0), (0.09, 0.21), (0.02, 0.11)),
    "british": ((0.95, 1.0), (0.09, 0.24), (0.03, 0.17)),
    "pack32": ((0.95, 1.0), (0.09, 0.23), (0.01, 0.09)),
    "two_handed": ((0.95, 1.0), (0.08, 0.24), (0.0, 0.0)),
    "three_handed": ((0.7, 0.95), (0.07, 0.25), (0.0, 0.0)),
    "railroad": ((0.95, 1.0), (0.09, 0.24), (0.06, 0.25)),
}
"""Deals in which somebody calls, calls that are euchred, calls that a maker plays alone."""


@pytest.mark.parametrize("name", PRESETS)
def test_it_calls_is_euchred_and_goes_alone_about_as_often_as_it_should(name: str):
    rules, rng, count = PRESETS[name], random.Random(11), Counter[str]()
    for number in range(400):
        state = play_deal(deal_at_random(rules, number % rules.players, rng), decide)
        if state.maker is None:
            continue
        makers = state.maker % rules.sides
        count["called"] += 1
        count["euchred"] += state.tricks_won[makers] < 3
        count["alone"] += any(seat % rules.sides == makers for seat in state.loners)
    calls, euchres, loners = BANDS[name]
    assert calls[0] <= count["called"] / 400 <= calls[1]
    assert euchres[0] <= count["euchred"] / count["called"] <= euchres[1]
    assert loners[0] <= count["alone"] / count["called"] <= loners[1]


# --- weak hands


@pytest.mark.parametrize(
    ("option", "hand"),
    [
        ("farmers_redeal", "9S TS 9H TD 9C"),
        ("farmers_swap", "9S TS 9H TD 9C"),
        ("ace_no_face", "9S TS 9H TD AC"),
    ],
)
def test_a_weak_hand_is_declared(option, hand):
    assert choice(deal_with(Rules(weak_hand=option), {0: hand}, "QD")) == "declare"


def test_three_low_cards_go_under_but_not_those_of_the_suit_that_is_proposed():
    state = after(deal_with(Rules(weak_hand="farmers_swap"), {0: "9S TS 9H TH 9C"}, "QH"), "declare")
    for _ in range(3):
        state = after(state, choice(state))
    assert set(state.hands[0]) >= {"9H", "TH"}


# --- the joker


def test_unseen_cards_are_named_by_lot_and_no_suit_more_often_than_another():
    rules = PRESETS["british"]
    named: Counter[str] = Counter()
    for dealer in range(4):
        for score in ((0, 0), (1, 0), (1, 2), (4, 2)):
            named[choice(deal_with(rules, {}, "B", dealer), score)] += 1
    assert named == {f"call:{suit}": 4 for suit in "CDHS"}


def test_a_dealer_who_sees_his_cards_names_his_best_suit_for_the_joker():
    state = deal_with(Rules(pack=25, joker_up="dealer_sees"), {3: "JD JH AH 9C TC"}, "B")
    assert choice(state) == "call:H"
    state = after(state, "call:H")
    assert choice(state) in ("discard:9C", "discard:TC")


def test_the_joker_is_led_before_the_bowers():
    state = after(deal_with(Rules(pack=25, claim=False), {0: "JH B JD 9H 9S"}, "9C"), "pass pass pass pass call:H")
    assert choice(after(state, "together together together together")) == "play:B"


def test_no_loner_while_the_joker_may_be_against():
    hand = {0: "JH JD AH KH AS"}
    four = "pass pass pass pass call:H"
    assert choice(after(deal_with(Rules(), hand, "9C"), four)) == "alone"
    assert choice(after(deal_with(Rules(pack=25), hand, "9C"), four)) == "together"


def test_the_right_bower_keeps_its_guard_while_the_joker_is_out():
    rules = Rules(pack=25)
    state = deal_with(rules, {0: "AC 9D TD QD AS", 1: "JH 9H KS TS 9S", 2: "B AH KH TH QS", 3: "QC KD AD JD JS"}, "QH")
    state = after(state, "pass pass order_up decline together together together together play:AC")
    assert choice(state) != "play:9H"


# --- no-trump, and what else round two may bring


def test_aces_are_called_at_no_trump_and_bowers_are_not():
    rules = Rules(no_trump="round2")
    passes = "pass pass pass pass"
    assert choice(after(deal_with(rules, {0: "AC KC AD AS 9S"}, "9H"), passes)) == "call:N"
    assert choice(after(deal_with(rules, {0: "JC JS AS KS 9D"}, "9H"), passes)) == "call:S"


def test_at_no_trump_a_run_is_led_from_its_ace():
    state = after(
        deal_with(Rules(no_trump="round2", claim=False), {0: "AC KC QC AD 9S"}, "9H"), "pass pass pass pass call:N"
    )
    assert choice(after(state, "together together together together")) == "play:AC"


def test_a_stuck_dealer_pays_the_point_with_nothing_but_not_when_it_loses_the_game():
    rules = Rules(stick_the_dealer=True, all_pass_penalty=1)
    state = deal_with(rules, {3: "9C QD 9D 9S TH"}, "AH")
    state = after(state, " ".join(["pass"] * 7))
    assert choice(state) == "pass"
    assert choice(state, (9, 0)).startswith("call:")


# --- going alone


def test_alone_is_said_with_the_call_where_the_rules_ask_it_then():
    rules = Rules(alone_timing="with_call")
    passes = "pass pass pass pass"
    assert choice(after(deal_with(rules, {0: "JH JD AH KH AS"}, "9C"), passes)) == "call_alone:H"
    assert choice(after(deal_with(rules, {0: "JH KH 9H KD 9S"}, "9C"), passes)) == "call:H"
    assert choice(after(deal_with(rules, {3: "JH JD AH AS 9S"}, "KH"), "pass pass pass")) == "order_up_alone"


def test_the_canadian_partner_orders_up_only_a_lone_hand():
    rules = Rules(canadian_loner=True)
    assert choice(after(deal_with(rules, {1: "JH JD AH KH AS"}, "9H"), "pass")) == "order_up_alone"
    assert choice(after(deal_with(rules, {1: "JH JD 9C TS AS"}, "9H"), "pass")) == "pass"


def test_a_loner_beyond_the_target_is_worth_it_with_laps_or_a_number_of_deals():
    strong = {0: "JH JD AH KH AS"}
    four = "pass pass pass pass call:H"
    for rules, expected in ((Rules(), "together"), (Rules(laps=True), "alone"), (Rules(num_deals=12), "alone")):
        assert choice(after(deal_with(rules, strong, "9C"), four), (9, 0)) == expected


def test_a_loner_calls_for_the_best_unless_he_has_only_trumps_and_gets_the_highest_trump():
    rules = Rules(partners_best=True)
    state = deal_with(rules, {0: "JH JD AH KH 9S", 2: "QH AS AC 9D 9C"}, "TC")
    state = after(state, "pass pass pass pass call:H alone")
    assert choice(state) == "discard:9S"
    assert choice(after(state, "discard:9S")) == "give:QH"
    state = deal_with(rules, {0: "JH JD AH KH 9S", 2: "KS QS AC 9D 9C"}, "TC")
    assert choice(after(state, "pass pass pass pass call:H alone discard:9S")) == "give:AC"
    state = deal_with(rules, {0: "JH JD AH KH QH"}, "TC")
    assert choice(after(state, "pass pass pass pass call:H alone")) == "keep"


def test_a_defender_with_three_certain_tricks_goes_alone_where_three_are_worth_four():
    hands = {1: "JH JD AH 9S 9C"}
    calls = "pass pass pass pass pass pass call:H together together"
    state = deal_with(Rules(lone_defender="4"), hands, "TC")
    assert state.dealer == 3
    assert choice(after(state, f"{calls} together")) == "alone"
    assert choice(after(deal_with(Rules(), hands, "TC"), f"{calls} together")) == "together"


def test_a_defender_goes_alone_against_a_loner_where_his_partner_gives_him_his_best():
    hands = {0: "JH JD AH KH 9S", 1: "QH AS AC KS 9D", 3: "TH 9H AD TC QS"}
    calls = "pass pass pass pass call:H alone"
    with_best = deal_with(PRESETS["railroad"], hands, "9C")
    assert choice(after(with_best, f"{calls} keep")) == "together"  # 1 has one low trump
    hands[1], hands[3] = "B AC AS 9D TD", "QH 9H AD TC QS"
    with_best = deal_with(PRESETS["railroad"], hands, "9C")
    assert choice(after(with_best, f"{calls} keep")) == "alone"
    assert choice(after(deal_with(Rules(pack=25), hands, "9C"), calls)) == "together"


# --- two and three


def test_of_two_the_maker_keeps_the_best_five_of_seven():
    rules = Rules(players=2, alone_who="none", two_handed_dummy=2)
    state = deal_with(rules, {0: "JH JD 9C TC AS", 1: "9S TS QS KS 9D"}, "9H", kitty="AH AC")
    state = after(state, "order_up discard:9S")
    assert state.phase == "dummy"
    for _ in range(2):
        state = after(state, choice(state))
    assert set(state.hands[0]) == {"JH", "JD", "AH", "AC", "AS"}


def test_of_three_the_defenders_do_not_beat_each_other_but_both_beat_the_maker():
    hands = {0: "AC 9D TD 9S TS", 1: "9H QD KS QS TH", 2: "JH JD AH 9C KC"}
    calls = "pass pass pass pass pass call:H"
    for_ally = after(deal_with(THREE, hands, "QC"), f"{calls} play:AC")
    assert for_ally.turn == 1
    assert choice(for_ally) in ("play:QD", "play:QS")
    swapped = {0: hands[2], 1: hands[1], 2: hands[0]}
    for_maker = after(deal_with(THREE, swapped, "QC"), "pass pass pass call:H play:KC")
    assert choice(for_maker) == "play:9H"


def test_of_three_a_hand_that_partners_would_call_is_passed():
    hand = "JD AD 9C TS QS"
    assert choice(after(deal_with(Rules(), {0: hand}, "9H"), "pass pass pass pass")) == "call:D"
    assert choice(after(deal_with(THREE, {0: hand}, "9H"), "pass pass pass")) == "pass"
    assert choice(after(deal_with(TWO, {0: hand}, "9H"), "pass pass")) == "call:D"


def test_a_certain_rest_is_claimed():
    state = after(deal_with(Rules(), {0: "JH JD AH KH QH"}, "9C"), "pass pass pass pass call:H")
    assert choice(after(state, "together together together together")) == "claim"
