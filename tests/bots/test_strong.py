"""The strongest bot and the learner: honest, repeatable, and free of what players hold against bots."""

from __future__ import annotations

import random

import pytest

from games import bots
from games.bots import strong, winning, worlds
from games.engine import PRESETS, Action, Rules, SeatView, apply, legal_actions, view
from tests.bots.test_heuristic import after, deal_with
from tests.bots.test_worlds import moments
from tests.engine.any_rules import random_rules
from tests.scale import scale

ARTICLE = PRESETS["article"]
STRONG, LEARNER, CLUB = (bots.get_bot(level) for level in ("strong", "learner", "club"))


@pytest.fixture
def _compiled():
    before = strong._evaluate, strong._row
    if not strong.warm():
        pytest.skip("numba is not installed")
    yield
    strong._evaluate, strong._row = before


def chosen(state, score: tuple[int, int] = (0, 0), bot=STRONG) -> str:
    return str(bot.choose(view(state, state.turn, score), random.Random(5)))


# Levels


def test_every_level_has_a_key_a_name_a_rating_and_a_sentence():
    assert list(bots.LEVELS) == ["learner", "club", "strong", "fill_in"]
    for key, level in bots.LEVELS.items():
        assert key == level.key and len(key) <= 16 and level.name and level.thinks.endswith(".")
    ratings = [bots.LEVELS[key].rating[0] for key in ("learner", "club", "strong")]
    strengths = [bots.LEVELS[key].against_club[0] for key in ("learner", "club", "strong")]
    assert ratings == sorted(ratings) and strengths == sorted(strengths)
    with pytest.raises(KeyError):
        bots.get_bot("none")


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("bot", [STRONG, LEARNER], ids=["strong", "learner"])
def test_under_any_rules_it_chooses_what_is_legal_and_the_same_again(bot):
    rng = random.Random(61)
    for _ in range(scale(100, daily=15)):
        for state in moments(random_rules(rng), rng):
            assert state.turn is not None
            seen = view(state, state.turn)
            action = bot.choose(seen, random.Random(3))
            assert action in legal_actions(state)
            assert bot.choose(seen, random.Random(3)) == action


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("bot", [STRONG, LEARNER], ids=["strong", "learner"])
def test_its_choice_is_the_same_when_all_cards_that_it_cannot_see_are_dealt_anew(bot):
    rng, tried = random.Random(67), 0
    while tried < scale(10_000, daily=300):
        for state in moments(ARTICLE, rng, foolish=0.1):
            assert state.turn is not None
            seen = view(state, state.turn)
            if len(seen.legal_actions) == 1:
                continue
            (other,) = worlds.sample(seen, rng)
            assert bot.choose(view(other, state.turn), random.Random(1)) == bot.choose(seen, random.Random(1))
            tried += 1


def test_without_the_compiled_play_out_the_strongest_plays_by_the_rules_of_thumb():
    assert not strong.is_warm()
    rng = random.Random(71)
    for state in moments(ARTICLE, rng, foolish=0.0):
        assert state.turn is not None
        seen = view(state, state.turn)
        assert STRONG.choose(seen, rng) == CLUB.choose(seen, rng)


@pytest.mark.usefixtures("_compiled")
def test_plain_python_finds_the_same_values_as_the_compiled_play_out():
    state = after(deal_with({0: "JH JD AH KH AS"}, "9C"), "pass pass pass pass")
    seen = view(state, 0)
    compiled = strong.values(seen, random.Random(1), 60)
    strong._evaluate, strong._row = strong.rollout.evaluate, list
    assert strong.values(seen, random.Random(1), 60) == compiled
    assert max(compiled, key=lambda action: compiled[action].points) == Action("call", suit="H")


def test_what_is_left_behind_on_the_way_would_not_have_been_the_best_in_the_end(monkeypatch: pytest.MonkeyPatch):
    rng, tried, fewer = random.Random(79), 0, 0
    while tried < scale(100, daily=5):
        for state in moments(ARTICLE, rng, foolish=0.1):
            if len(state.legal) < 3 or rng.random() < 0.7:
                continue
            seen = view(state, state.turn)
            found = strong.values(seen, random.Random(1), 100)
            with monkeypatch.context() as patch:
                patch.setattr(strong.rollout, "LOOKS", 1_000)
                whole = strong.values(seen, random.Random(1), 100)
            best = max(whole, key=lambda action: whole[action].worth)
            assert max(found, key=lambda action: found[action].worth) == best
            fewer += found != whole
            tried += 1
    assert fewer


def test_cards_with_none_between_them_that_others_may_hold_are_tried_once():
    state = after(deal_with({0: "9S TS QS KC 9D", 1: "JS JH AH KH TD"}, "9H"), "pass order_up")
    state = apply(state, CLUB.choose(view(state, 3), random.Random(0)))
    seen = view(after(state, "together together together together"), 0)
    alike = [{str(action) for action in actions} for actions in strong._alike(seen, worlds.knowledge(seen)).values()]
    assert sorted(alike, key=sorted) == [{"play:9D"}, {"play:9S", "play:TS"}, {"play:KC"}, {"play:QS"}]
    assert strong.values(seen, random.Random(1), 5).keys() == {*seen.legal_actions}


# The chance to win


def test_the_chance_to_win_is_fair_and_grows_with_the_score():
    table = winning.chances(10, False)
    assert 0.5 < table[10, 10, True] < 0.53 and abs(table[10, 10, True] + table[10, 10, False] - 1) < 1e-9
    assert 0.6 < table[1, 1, True] < 0.75  # 65 % among people
    for own in range(1, 10):
        assert table[own, 5, True] > table[own + 1, 5, True]


def test_at_eight_points_two_are_worth_as_much_as_four():
    worth = winning.worth(10, False, 8, 5, True)
    assert worth[8 + 2 * 2] == worth[8 + 2 * 4] == 1.0 > worth[8 + 2] > worth[8 - 2 * 2]


# What players complain of


@pytest.mark.usefixtures("_compiled")
class TestComplaints:
    def test_no_loner_when_the_right_bower_goes_to_the_other_side(self):
        state = after(deal_with({0: "JD AH KH QH AS"}, "JH"), "order_up")
        state = apply(state, CLUB.choose(view(state, 3), random.Random(0)))
        assert chosen(state) == "together"

    def test_a_sure_loner_is_played_alone_but_not_where_one_point_wins(self):
        state = after(deal_with({0: "JH JD AH KH AS"}, "9C"), "pass pass pass pass call:H")
        assert chosen(state) == "alone"
        assert chosen(state, (9, 0)) == "together"

    def test_eldest_calls_next_with_right_king_ten(self):
        assert chosen(after(deal_with({0: "JD KD TD AS 9C"}, "9H"), "pass pass pass pass")) == "call:D"

    def test_the_dealers_partner_does_not_pass_both_bowers(self):
        assert chosen(after(deal_with({1: "JH JD 9C TS AS"}, "9H"), "pass")) == "order_up"

    def test_the_maker_stops_leading_trumps_when_both_defenders_are_out_of_them(self):
        hands = {0: "JH JD AH KH AS", 1: "9C TC QC 9D TD", 3: "9S TS QS KC AC", 2: "9H TH QH KS JS"}
        state = after(deal_with(hands, "QD", rules=Rules(claim=False)), "pass pass pass pass call:H")
        state = after(state, "together together together together play:JH play:9C play:9H play:9S")
        assert chosen(state) == "play:AS"

    @pytest.mark.parametrize("hand", ["9C TC QS 9D 9H", "9C QC TS KD 9H"])
    def test_a_weak_hand_is_not_called_in_the_second_round(self, hand):
        assert chosen(after(deal_with({0: hand}, "AH"), "pass pass pass pass")) == "pass"


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("bot", [STRONG, LEARNER, CLUB], ids=["strong", "learner", "club"])
def test_nobody_trumps_the_partners_ace(bot):
    state = deal_with({0: "9C AC AS KS QS", 2: "9D TD QH 9S TS", 1: "TC QC JS AH KH", 3: "KC JH JD 9H TH"}, "QD")
    state = after(state, "pass pass pass pass pass call:H together together together together play:AC play:TC")
    for seed in range(8):
        assert str(bot.choose(view(state, 2), random.Random(seed))) != "play:QH"


def test_the_learner_errs_but_never_against_a_partner_who_wins_and_takes_what_is_certain():
    rng = random.Random(73)
    errors = 0
    for _ in range(150):
        for state in moments(ARTICLE, rng, foolish=0.0):
            assert state.turn is not None
            seen: SeatView = view(state, state.turn)
            if state.phase != "play" or not state.trick:
                continue
            careful, played = LEARNER.careful.choose(seen, rng), LEARNER.choose(seen, rng)  # type: ignore[attr-defined]
            errors += played != careful
            if len(state.trick) == 3:
                assert played == careful
    assert errors > 20
