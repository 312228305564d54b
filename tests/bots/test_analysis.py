"""The post-mortem of a deal: golden mistakes and their reasons, honest, repeatable, right within its own error."""

from __future__ import annotations

import json
import random
from math import sqrt
from statistics import mean, stdev

import pytest

from games import engine
from games.bots import analysis, get_bot, solver, worlds
from games.bots.analysis import Decision, Reason, analyse, from_json, to_json
from games.engine import PRESETS, DealState, Rules
from games.engine.rules import OPTIONS
from tests.bots.test_heuristic import after, deal_with
from tests.records.made import random_game
from tests.scale import THOROUGH, scale

ARTICLE = PRESETS["article"]
BOT = get_bot("fill_in")


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 160)


def decided(state: DealState, actions: str, then: str) -> Decision:
    """The decision ``then`` after some actions."""
    before = after(state, actions)
    found = analysis._decision(before, len(before.history), engine.parse_action(then), (0, 0), seed=1)
    assert found is not None
    return found


def names(decision: Decision) -> list[str]:
    return [reason.name for reason in decision.reasons]


LONER = Rules(alone_timing="with_call", lone_lead="left_of_dealer", defend_alone="off")
LAST_TWO = (
    "pass pass pass pass pass call_alone:C play:AS play:KC play:AC play:TH play:KH play:QH play:9D play:JS play:AD "
    "play:JC play:9C"
)


def test_the_card_to_keep_against_a_loners_last_one():
    """Tom, alone in clubs, has ruffed a spade and a diamond: his last card is a heart or a trump."""
    hands = {0: "AS KH 9D AH KS", 1: "KC QH JS JC 9H", 2: "AC TH AD 9C QD", 3: "QC JD TD JH QS"}
    found = decided(deal_with(hands, "9S", dealer=3, rules=LONER), LAST_TWO, "play:AH")
    assert (found.kind, found.seat, found.mistake) == ("follow", 0, True)
    assert [option.action for option in found.options] == ["play:KS", "play:AH"]
    assert found.cost > 0.3
    assert found.reasons[:2] == (
        Reason("holds", {"seat": 1, "suits": "HC", "count": 1}),
        Reason("beats", {"card": "AH", "better": "KS"}),
    )


def test_a_trick_that_the_partner_has_won(monkeypatch: pytest.MonkeyPatch):
    """Last hand, and the ace falls on the partner's king."""
    monkeypatch.setattr(analysis, "MISTAKE", 0.05)
    monkeypatch.setattr(analysis, "SURE", 0)
    hands = {0: "AH TS 9D TC KC", 1: "9S JC AS JD KS", 2: "KH 9C AC JH AD", 3: "TD KD QC 9H QS"}
    bidding = "pass pass pass order_up discard:KH together together together together"
    found = decided(deal_with(hands, "QD", dealer=2), f"{bidding} play:QC play:KC play:JC", "play:AC")
    assert found.options[0].action == "play:9C"
    assert found.reasons[0] == Reason("partner_wins", {"seat": 0, "card": "KC"})


@pytest.mark.parametrize(
    ("hand", "up_card", "done", "better"),
    [("JH JD AH KH AS", "9H", "pass", "order_up"), ("9C TC 9D TD QS", "JH", "order_up", "pass")],
)
def test_calls_that_cost_points(hand: str, up_card: str, done: str, better: str):
    found = decided(deal_with({0: hand}, up_card), "", done)
    assert (found.mistake, found.kind) == (True, "call")
    assert found.options[0].action == better
    assert names(found)[0] == "hand"
    assert names(found)[-1] == ("called" if done == "pass" else "called_badly")


def test_a_trump_put_away_for_a_void():
    hands = {3: "JD 9H KS QS 9C"}
    found = decided(deal_with(hands, "JH"), "pass pass pass order_up", "discard:JD")
    assert found.mistake
    assert found.options[0].action == "discard:9C"
    assert names(found)[:2] == ["void", "keep_trump"]


def test_all_five_alone():
    hands = {0: "JH JD AH KH AS"}
    found = decided(deal_with(hands, "QH"), "order_up decline", "together")
    assert found.options[0].action == "alone"
    assert found.mistake
    assert "alone" in names(found)


def bot_deal(rng: random.Random, rules: Rules = ARTICLE) -> list[DealState]:
    """A deal of the rule bot with one action in six at random."""
    states = [
        engine.start_deal(rules, rng.randrange(rules.players), tuple(rng.sample(engine.pack(rules.pack), rules.pack)))
    ]
    while states[-1].legal:
        view = engine.view(states[-1], states[-1].turn)
        action = BOT.choose(view, rng) if rng.random() < 0.84 else rng.choice(states[-1].legal)
        states.append(engine.apply(states[-1], action))
    return states


def test_the_same_deal_and_seed_give_the_same_numbers_and_they_survive_as_json(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 6)
    states = bot_deal(random.Random(4))
    actions = [action for _seat, action in states[-1].history]
    found = analyse(states[0], actions, (3, 4), seed=9)
    assert found == analyse(states[0], actions, (3, 4), seed=9)
    assert from_json(json.loads(json.dumps(to_json(found)))) == found
    assert len(found.expected) == len(actions) + 1
    assert found.expected[-1] == states[-1].points
    assert all(decision.cost >= 0 for decision in found.decisions)
    assert all(decision.options[0].value >= decision.options[-1].value for decision in found.decisions)


def test_a_decision_is_judged_by_what_its_player_knew_alone(monkeypatch: pytest.MonkeyPatch):
    """Every card he did not see may have lain elsewhere: the numbers stay."""
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 20)
    rng, seen = random.Random(6), 0
    for _ in range(3):
        states = bot_deal(rng)
        for at, (state, (_seat, action)) in enumerate(zip(states, states[-1].history, strict=False)):
            if at % 5 or len(state.legal) < 2:
                continue
            other = worlds.sample(engine.view(state, state.turn), rng)[0]
            found, again = (analysis._decision(one, at, action, (0, 0), seed=2) for one in (state, other))
            assert found == again
            seen += 1
    assert seen > 5


def long_simulation(state: DealState, place: int, deals: int, rng: random.Random) -> list[float]:
    """What one action brings, deal by deal: played by the bot through the engine."""
    assert state.turn is not None
    side, brought = state.rules.side(state.turn), []
    for deal in worlds.sample(engine.view(state, state.turn), rng, deals):
        played = engine.apply(deal, state.legal[place])
        while played.turn is not None:
            played = engine.apply(played, BOT.choose(engine.view(played, played.turn), rng))
        brought.append(float(2 * played.points[side] - sum(played.points)))
    return brought


def test_expected_points_agree_with_a_long_simulation(monkeypatch: pytest.MonkeyPatch):
    """Within two standard errors as often as chance allows, and not to one side."""
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 60)
    rng, offs = random.Random(20), []
    positions = scale(200, daily=12)
    while len(offs) < positions:
        states = [state for state in bot_deal(rng) if len(state.legal) > 1 and state.legal[-1].kind != "claim"]
        state = rng.choice(states)
        place = rng.randrange(len(state.legal))
        found = analysis._decision(state, 0, state.legal[place], (0, 0), seed=len(offs))
        assert found is not None
        value = next(option.value for option in found.options if option.action == str(state.legal[place]))
        brought = long_simulation(state, place, scale(400, daily=60), rng)
        spread = max(stdev(brought), 0.3)  # what is rare may be missing from either
        offs.append((value - mean(brought)) / (spread * sqrt(1 / len(brought) + 1 / found.deals)))
    assert sum(abs(off) <= 2 for off in offs) >= 0.88 * positions
    assert abs(mean(offs)) <= 3 / sqrt(positions)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_analysed(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 3)
    game = random_game(PRESETS[name], 3, deals=2)
    for deal, final in zip(game.deals, engine.replay(game).deals, strict=True):
        start = engine.start_deal(game.rules, final.dealer, deal.deck)
        found = analyse(start, deal.actions)
        assert from_json(to_json(found)) == found
        assert found.decisions or len(deal.actions) < 6


def test_house_rules_are_analysed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 2)
    monkeypatch.setattr("games.bots.solver.par", lambda _state: ())
    rng, tried = random.Random(8), 0
    while tried < scale(300, daily=15):
        try:
            rules = Rules(**{name: rng.choice(values) for name, values in OPTIONS.items()})  # type: ignore[arg-type]
        except ValueError:
            continue
        game = random_game(rules, tried, deals=1)
        for deal, final in zip(game.deals, engine.replay(game).deals, strict=True):
            analyse(engine.start_deal(rules, final.dealer, deal.deck), deal.actions)
        tried += 1


def test_par_is_what_nobody_would_rather_have_otherwise(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 2)
    hands = {0: "JH JD AH KH QH", 1: "9C TC QC KC 9D", 2: "TD QD KD 9S TS", 3: "AC JC AS KS QS"}
    state = deal_with(hands, "9H")
    found = analyse(state, [action for _seat, action in after(state, "pass " * 8).history])
    assert found.par is not None
    assert (found.par.maker, found.par.trump, found.par.alone, found.par.points) == (0, "H", True, (4, 0))
    assert found.played is None


@pytest.mark.skipif(not THOROUGH, reason="compiling takes half a minute")
def test_compiled_or_not_the_numbers_are_the_same(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(analysis, "PLAIN_WORLDS", 12)
    monkeypatch.setattr(analysis, "WORLDS", 12)
    monkeypatch.setattr(analysis, "WATCHED", 12)
    rng, deals = random.Random(31), [*map(bot_deal, [random.Random(seed) for seed in range(8)])]
    deals += [bot_deal(rng, rules) for rules in PRESETS.values()]
    games = [(states[0], [action for _seat, action in states[-1].history]) for states in deals]
    monkeypatch.setattr(solver, "par", lambda _state: ())
    plain = [analyse(*game, seed=5) for game in games]
    for name in ("_branch", "_row"):
        monkeypatch.setattr(analysis, name, getattr(analysis, name))  # put back afterwards
    monkeypatch.setattr(solver, "_reached", solver._reached)
    assert analysis.warm()
    assert [analyse(*game, seed=5) for game in games] == plain
