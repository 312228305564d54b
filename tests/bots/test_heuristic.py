"""The fill-in bot: legal, honest, and free of the faults that players hold against bots."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import bots, engine
from games.engine import PRESETS, Action, DealState, Rules, SeatView

ARTICLE = PRESETS["article"]
STUCK = Rules(stick_the_dealer=True)
BOT = bots.get_bot(bots.FILL_IN)


def decide(view: SeatView) -> Action:
    return BOT.choose(view, random.Random(0))


def shuffled(rng: random.Random) -> tuple[str, ...]:
    deck = list(engine.pack())
    rng.shuffle(deck)
    return tuple(deck)


def play_deal(state: DealState, chooser: Callable[[SeatView], Action], score: tuple[int, int] = (0, 0)) -> DealState:
    while state.turn is not None:
        state = engine.apply(state, chooser(engine.view(state, state.turn, score)))
    return state


def deal_with(hands: dict[int, str], up_card: str, dealer: int = 3, rules: Rules = ARTICLE) -> DealState:
    """A deal in which the seats named hold these cards; the rest falls as it may."""
    given_cards = [card for hand in hands.values() for card in hand.split()]
    rest = [card for card in engine.pack() if card not in (*given_cards, up_card)]
    full = [hands[seat].split() if seat in hands else [rest.pop() for _ in range(5)] for seat in range(4)]
    deck: list[str] = []
    taken = [0, 0, 0, 0]
    for turn, size in enumerate((3, 2, 3, 2, 2, 3, 2, 3)):
        seat = (dealer + 1 + turn) % 4
        deck += full[seat][taken[seat] : taken[seat] + size]
        taken[seat] += size
    return engine.start_deal(rules, dealer, (*deck, up_card, *rest))


def after(state: DealState, actions: str) -> DealState:
    for text in actions.split():
        state = engine.apply(state, engine.parse_action(text))
    return state


def choice(state: DealState, score: tuple[int, int] = (0, 0)) -> str:
    assert state.turn is not None
    return str(decide(engine.view(state, state.turn, score)))


@given(st.randoms(use_true_random=False), st.sampled_from([ARTICLE, STUCK]))
def test_whatever_is_dealt_every_choice_is_legal_and_the_same_view_gives_the_same_choice(rng, rules):
    state = engine.start_deal(rules, rng.randrange(4), shuffled(rng))
    while state.turn is not None:
        view = engine.view(state, state.turn)
        action = decide(view)
        assert action in engine.legal_actions(state)
        assert BOT.choose(view, random.Random(99)) == action
        state = engine.apply(state, action if rng.random() < 0.5 else rng.choice(engine.legal_actions(state)))


def test_a_choice_does_not_depend_on_cards_that_the_bot_cannot_see():
    rng = random.Random(5)
    for _ in range(300):
        state = engine.start_deal(ARTICLE, rng.randrange(4), shuffled(rng))
        for _ in range(rng.randrange(20)):
            if state.turn is None:
                break
            state = engine.apply(state, decide(engine.view(state, state.turn)))
        if state.turn is None:
            continue
        seat = state.turn
        hidden = [card for other in range(4) if other != seat for card in state.hands[other]]
        rng.shuffle(hidden)
        sizes = [len(hand) for hand in state.hands]
        hands = tuple(
            state.hands[other] if other == seat else tuple(hidden.pop() for _ in range(sizes[other]))
            for other in range(4)
        )
        assert decide(engine.view(state._replace(hands=hands), seat)) == decide(engine.view(state, seat))


def test_random_players_lose_to_it_by_a_wide_margin():
    rng = random.Random(7)
    balance = 0
    for number in range(600):
        deck, dealer = shuffled(rng), number % 4
        for team in (0, 1):
            state = play_deal(
                engine.start_deal(ARTICLE, dealer, deck),
                lambda view, team=team: (
                    decide(view) if (view.seat or 0) % 2 == team else rng.choice(view.legal_actions)
                ),
            )
            balance += state.points[team] - state.points[1 - team]
    assert balance / 1200 > 0.7


@pytest.fixture(scope="module")
def selfplay() -> Counter[str]:
    """Counts over 3,000 deals among four of the bot."""
    rng = random.Random(11)
    counts: Counter[str] = Counter()
    for number in range(3000):
        state = play_deal(engine.start_deal(ARTICLE, number % 4, shuffled(rng)), decide)
        counts["deals"] += 1
        if state.passed_out:
            counts["passed out"] += 1
            continue
        assert state.maker is not None
        makers = state.maker % 2
        counts["called"] += 1
        counts["euchred"] += state.tricks_won[makers] < 3
        alone = any(seat % 2 == makers for seat in state.loners)
        counts["alone"] += alone
        counts["alone marched"] += alone and state.tricks_won[makers] == 5
        counts["defended alone"] += any(seat % 2 != makers for seat in state.loners)
    return counts


def test_it_calls_as_often_and_is_euchred_as_seldom_as_people(selfplay):
    assert 0.90 < selfplay["called"] / selfplay["deals"] < 0.995
    assert 0.10 < selfplay["euchred"] / selfplay["called"] < 0.26


def test_it_goes_alone_seldom_and_then_mostly_for_a_reason(selfplay):
    assert 0.02 < selfplay["alone"] / selfplay["called"] < 0.10
    assert selfplay["alone marched"] / selfplay["alone"] > 0.4
    assert selfplay["defended alone"] < 0.002 * selfplay["called"]


# --- complaints that players have about bots -----------------------------------------------------------


def test_no_loner_when_the_right_bower_goes_to_the_other_side():
    state = deal_with({0: "JD AH KH QH AS"}, "JH")
    state = after(state, "order_up")
    state = engine.apply(state, decide(engine.view(state, 3)))
    assert choice(state) == "together"


def test_no_loner_at_eight_or_nine_points_where_one_or_two_suffice():
    strong = after(deal_with({0: "JH JD AH KH AS"}, "9C"), "pass pass pass pass call:H")
    assert choice(strong, (0, 0)) == "alone"
    for points in (8, 9):
        assert choice(strong, (points, 0)) == "together"


def test_eldest_calls_next_with_right_king_ten():
    assert choice(after(deal_with({0: "JD KD TD AS 9C"}, "9H"), "pass pass pass pass")) == "call:D"


def test_the_dealers_partner_does_not_pass_both_bowers():
    assert choice(after(deal_with({1: "JH JD 9C TS AS"}, "9H"), "pass")) == "order_up"


def test_a_partner_with_a_bower_leads_it_to_the_maker():
    state = after(deal_with({0: "JD 9C TC 9S TS", 2: "JH AH KH QC QS"}, "QH"), "pass pass order_up decline")
    state = after(state, "together together together together")
    assert state.turn == 0
    assert choice(state) == "play:JD"


def test_the_maker_stops_leading_trumps_when_both_defenders_are_out_of_them():
    state = deal_with({0: "JH JD AH KH AS", 1: "9C TC QC 9D TD", 3: "9S TS QS KC AC", 2: "9H TH QH KS JS"}, "QD")
    state = after(
        state, "pass pass pass pass call:H together together together together play:JH play:9C play:9H play:9S"
    )
    assert choice(state) == "play:AS"


def test_the_left_bower_keeps_its_guard_while_the_right_is_out():
    state = deal_with({0: "AC 9D TD QD 9H", 1: "JD 9C KS TS 9S", 2: "JH AH KH TH QS"}, "QH", dealer=3)
    state = after(state, "pass pass order_up decline together together together together")
    state = after(state, "play:AC")
    assert choice(state) == "play:9C"


def test_nobody_leads_trump_to_a_partner_who_was_stuck():
    state = deal_with({1: "JD 9C TC KS TS", 0: "9D TD QD QC AC"}, "9S", dealer=3, rules=STUCK)
    state = after(state, "pass pass pass pass pass pass pass call:H together together together together play:AC")
    state = after(state, "play:9C")
    while state.turn != 1 or state.trick:
        state = engine.apply(state, decide(engine.view(state, state.turn)))
        if state.phase == "done":
            return
    assert not choice(state).endswith("JD")
