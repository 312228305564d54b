"""The solver: no answer other than plain minimax gives, compiled or not, under any rules."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from time import process_time

import pytest

import games.bots
from games.bots import search, solver
from games.bots.solver import Contract, Position, best_cards, par, points, solve
from games.engine import (
    NO_TRUMP,
    PRESETS,
    SUITS,
    Action,
    DealState,
    Rules,
    apply,
    deal_points,
    legal_actions,
    next_suit,
    pack,
    parse_action,
    start_deal,
)
from games.engine.actions import CLAIM
from tests.bots import minimax
from tests.engine.any_rules import random_rules
from tests.engine.table import act, deal

ROOT = Path(games.bots.__file__).parents[2]
GOLDEN = [minimax.parsed(text) for text in minimax.GOLDEN.read_text().splitlines()]


@pytest.fixture(scope="module")
def kernel():
    """The compiled search; not loaded where no test of it runs."""
    return pytest.importorskip("games.bots.kernel", exc_type=ImportError)


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    """Every test begins with plain Python."""
    monkeypatch.setattr(solver, "_reached", search.reached)


def makers_points(at: Position, found: tuple[int, ...]) -> int:
    makers = at.rules.side(at.maker)
    return found[makers] - found[makers - 1]


def positions(count: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    return [minimax.random_position(rng, rng.choice((5, 5, 4, 3, 2, 1))) for _ in range(count)]


# Right answers


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_minimax_says_the_same_of_every_golden_position(compiled):
    if compiled and not solver.warm():
        pytest.skip("numba is not installed")
    wrong = []
    for at, tricks, worth in GOLDEN:
        outcome = solve(at)
        answers = outcome.tricks, makers_points(at, outcome.points), makers_points(at, points(at))
        if answers != (tricks, worth, worth):
            wrong.append((minimax.line(at), answers))
    assert len(GOLDEN) == 2000 and not wrong


def test_the_golden_answers_are_those_of_minimax():
    for at, tricks, worth in [golden for golden in GOLDEN if len(golden[0].hands[golden[0].turn]) < 5][::50]:
        assert minimax.minimax(at, lambda made: made) == tricks
        assert minimax.minimax(at, minimax.points_of_makers(at)) == worth


def test_the_golden_positions_are_of_every_kind():
    kinds: Counter[object] = Counter()
    for at, tricks, _worth in GOLDEN:
        lone_sides = tuple(sorted(seat % 2 == at.maker % 2 for seat in at.loners))
        kinds.update([
            ("pack", at.rules.pack), ("players", at.rules.players), ("no-trump", at.trump == NO_TRUMP),
            ("lone", lone_sides), ("cards on the table", len(at.trick)), ("tricks", tricks),
            ("cards", len(at.hands[at.turn])),
        ])  # fmt: skip
    wanted = [
        *(("pack", size) for size in (24, 25, 28, 32, 33)), *(("players", players) for players in (2, 3, 4)),
        *(("lone", sides) for sides in ((), (True,), (False,), (False, True))),
        *(("cards on the table", cards) for cards in range(4)), *(("tricks", tricks) for tricks in range(6)),
        ("no-trump", True), *(("cards", cards) for cards in (2, 3, 4, 5)),
    ]  # fmt: skip
    assert min(kinds[kind] for kind in wanted) > 50, kinds


def test_compiled_and_plain_agree_on_3000_positions(kernel):
    for at in positions(3000, seed=1):
        trump = 0 if at.trump == NO_TRUMP else search.TOP
        asked = (*solver.encode(at), 0b111110, trump)
        assert search.reached(*asked) == kernel.reached(*asked), minimax.line(at)


def test_many_deals_at_once_are_answered_as_one_by_one(kernel):
    import numpy

    deals = [solver.encode(at) for at, _tricks, _points in GOLDEN if not at.trick and at.trump != NO_TRUMP]
    ours = [deal for deal in deals if deal[-1]]
    hands = [hand for deal in ours for hand in deal[:4]]
    rest = (0, 0, 0, 0, True, 0b101010, search.TOP)
    plain, compiled = [0] * len(ours), numpy.zeros(len(ours), numpy.int64)
    search.reached_all(hands, *rest, plain)
    kernel.reached_all(numpy.array(hands, numpy.int64), *rest, compiled)
    assert plain == list(compiled) == [search.reached(*deal, 0b101010, search.TOP) for deal in ours]
    assert set(plain) == {0, 1, 3, 5}


def test_points_never_fall_with_a_trick_more_and_change_at_one_three_and_five_only():
    loners = [(), (0,), (2,), (1,), (3,), (0, 1), (2, 3)]
    for players, lone_defender, lone_euchred, super_euchre in product((2, 3, 4), ("2/4", "4"), (2, 4), (False, True)):
        who = {} if players == 4 else {"alone_who": "none"}
        rules = Rules(
            players=players, lone_defender=lone_defender, lone_euchred=lone_euchred, super_euchre=super_euchre, **who
        )
        for lone in loners if players == 4 else [()]:
            at = Position(rules, "H", 0, lone, (), (), 0, (0,) * rules.sides)
            worth = [minimax.points_of_makers(at)(tricks) for tricks in range(6)]
            assert worth == sorted(worth)
            changes = {tricks for tricks in range(1, 6) if worth[tricks] != worth[tricks - 1]}
            assert {3, 5} <= changes <= {1, 3, 5}


# Properties


def test_it_does_not_matter_where_the_seats_begin():
    for at in positions(200, seed=2):
        players, sides = at.rules.players, at.rules.sides
        turned = at._replace(
            maker=(at.maker + 1) % players, turn=(at.turn + 1) % players,
            loners=tuple((seat + 1) % players for seat in at.loners), hands=(at.hands[-1], *at.hands[:-1]),
            trick=tuple(((seat + 1) % players, card) for seat, card in at.trick),
            tricks_won=(at.tricks_won[-1], *at.tricks_won[:-1]),
        )  # fmt: skip
        found, other = solve(at), solve(turned)
        assert other.tricks == found.tricks
        assert other.points == tuple(found.points[side - 1] for side in range(sides))


def test_it_does_not_matter_which_suit_is_which():
    for at in positions(60, seed=3):
        expected = solve(at)
        for order in permutations(SUITS):
            to = dict(zip(SUITS, order, strict=True))
            if at.trump != NO_TRUMP and any(to[next_suit(suit)] != next_suit(to[suit]) for suit in SUITS):
                continue
            renamed = at._replace(
                trump=to.get(at.trump, NO_TRUMP),
                hands=tuple(tuple(renamed_card(card, to) for card in hand) for hand in at.hands),
                trick=tuple((seat, renamed_card(card, to)) for seat, card in at.trick),
            )
            assert solve(renamed) == expected


def renamed_card(card: str, to: dict[str, str]) -> str:
    return card if card == "B" else card[0] + to[card[1]]


def test_a_claim_that_is_offered_takes_all_tricks_left():
    rng = random.Random(4)
    claims = 0
    while claims < 50:
        rules = replace(random_rules(rng), claim=True)
        state = start_deal(rules, rng.randrange(rules.players), rng.sample(pack(rules.pack), rules.pack))
        while state.legal:
            if CLAIM in state.legal:
                claims += 1
                side, makers = rules.side(state.turn), rules.side(state.maker)
                left = len(state.hands[state.turn])
                won = state.tricks_won[makers]
                assert solve(state).tricks == (won + left if side == makers else won)
            state = apply(state, rng.choice([action for action in state.legal if action != CLAIM]))


def test_the_best_cards_lead_to_what_was_promised():
    rng = random.Random(5)
    for _ in range(60):
        rules = replace(random_rules(rng), claim=False)
        state = start_deal(rules, rng.randrange(rules.players), rng.sample(pack(rules.pack), rules.pack))
        while state.legal and state.phase != "play":
            state = apply(state, rng.choice(state.legal))
        if not state.legal:
            continue
        promised = solve(state)
        while state.legal:
            found = best_cards(state)
            assert set(found) == {action.card for action in state.legal}
            best = next(iter(found))
            assert found[best] == promised
            making = rules.side(state.turn) == rules.side(state.maker)
            tricks = [outcome.tricks for outcome in found.values()]
            assert tricks == sorted(tricks, reverse=making)
            state = apply(state, Action("play", card=best))
        assert state.points == promised.points
        assert state.tricks_won[rules.side(state.maker)] == promised.tricks


# Par

PAR_RULES = {
    **PRESETS,
    "no_trump": Rules(no_trump="round2", turned_down_callable=True, dealer_exchange="mandatory"),
    "stuck_dealer": Rules(no_trump="stuck_dealer", stick_the_dealer=True, lone_lead="left_of_dealer", pack=28),
    "with_call": Rules(alone_timing="with_call", partners_best=True, pack=33, joker_up="dealer_sees"),
    "dummy": Rules(players=2, alone_who="none", two_handed_dummy=2),
}


@pytest.mark.parametrize("name", PAR_RULES)
def test_par_is_what_the_engine_lets_happen(name):
    """Every contract of some deals, called in the engine, with every exchange and answer tried."""
    solver.warm()
    rules, rng = PAR_RULES[name], random.Random(6)
    seen = set()
    for number in range(4):
        deck = rng.sample(pack(rules.pack), rules.pack)
        if rules.joker and number == 0:  # the joker turned up
            at = 5 * rules.players
            joker = deck.index("B")
            deck[at], deck[joker] = deck[joker], deck[at]
        state = start_deal(rules, rng.randrange(rules.players), deck)
        for contract in par(state):
            called = call(state, contract)
            if called is not None:
                assert contract.tricks == reached(called, contract), contract
                makers = rules.side(contract.maker)
                won = [contract.tricks if side == makers else 5 - contract.tricks for side in range(rules.sides)]
                assert contract.points == deal_points(rules, contract.maker, contract.loners, won)
                seen.add((contract.ordered_up, bool(contract.loners)))
    assert len(seen) == (2 if rules.players != 4 else 4)


def call(state: DealState, contract: Contract) -> DealState | None:
    """The deal once this contract is called; None where the rules forbid it."""
    while state.trump is None and state.legal:
        names = ["order_up"] if contract.ordered_up and state.phase == "bid1" else [f"call:{contract.trump}"]
        if state.rules.alone_with_call and contract.loners:
            names = [name.replace("call", "call_alone").replace("up", "up_alone") for name in names]
        wanted = [action for action in state.legal if str(action) in names]
        first_round = state.phase in ("bid1", "benny")
        if state.turn == contract.maker and first_round == contract.ordered_up:
            return apply(state, wanted[0]) if wanted else None
        if parse_action("pass") not in state.legal:
            return None
        state = act(state, "pass")
    return None


def reached(state: DealState, contract: Contract) -> int:
    """The makers' tricks when everybody answers as the contract says and exchanges for the best."""
    if state.phase == "play":
        return solve(state).tricks
    if state.phase == "alone":
        alone = state.turn in contract.loners
        return reached(act(state, "alone" if alone else "together"), contract)
    rules = state.rules
    values = [reached(apply(state, action), contract) for action in legal_actions(state)]
    return (max if rules.side(state.turn) == rules.side(contract.maker) else min)(values)


def test_par_tells_the_discard_and_the_hands_that_are_played():
    state = deal(dealer=3, up="9H", held={3: ["JH", "JD", "AH", "KH", "9C"]})
    best = par(state)[6]
    assert (best.maker, best.trump, best.loners, best.ordered_up) == (3, "H", (), True)
    assert best.discard in ("9C", "9H") and best.tricks >= 4
    assert set(best.hands[3]) == {"JH", "JD", "AH", "KH", "9C", "9H"} - {best.discard}
    second_round = par(act(state, "pass pass pass pass"))
    assert {contract.trump for contract in second_round} == set("CDS")
    assert all(contract.discard is None and contract.hands == state.hands for contract in second_round)


def test_what_cannot_be_solved_is_refused():
    state = deal()
    for question in (solve, points, best_cards):
        with pytest.raises(ValueError, match="no cards are being played"):
            question(state)
    with pytest.raises(ValueError, match="the bidding is over"):
        par(act(state, "order_up"))


# Where it runs


def test_the_compiled_search_is_many_times_as_fast_as_plain_python(kernel):
    """A tenth of what `make bench` finds on a quiet machine, which gives deals a second."""
    import numpy

    rng = random.Random(7)
    deals = []
    for _deal in range(1000):
        deck = rng.sample(pack(24), 20)
        hands = tuple(tuple(deck[5 * seat : 5 * seat + 5]) for seat in range(4))
        deals += solver.encode(Position(PRESETS["article"], "H", 0, (), hands, (), 0, (0, 0)))[:4]
    rest = (0, 0, 0, 0, True, 0b101000, search.TOP)
    few, all_ = [0] * 60, numpy.zeros(1000, numpy.int64)
    bits = numpy.array(deals, numpy.int64)

    def seconds(job: Callable[[], object]) -> float:
        began = process_time()
        job()
        return process_time() - began

    def times() -> float:
        plain = seconds(lambda: search.reached_all(deals, *rest, few)) / 60
        return plain / (seconds(lambda: kernel.reached_all(bits, *rest, all_)) / 1000)

    assert any(times() > 10 for _attempt in range(10)), "and a busy machine slows the one more than the other"


def run(code: str, **env: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT), **env}, check=True,
                          capture_output=True, text=True).stdout.strip()  # fmt: skip


def test_bots_and_the_solver_import_neither_numba_nor_numpy():
    code = (
        "import sys, games.bots; from games.bots import solver; from games.engine import *;"
        "deck = pack(); solver.par(start_deal(PRESETS['article'], 0, deck));"
        "print({'numba', 'numpy', 'llvmlite'} & set(sys.modules))"
    )
    assert run(code) == "set()"


def test_without_numba_the_solver_goes_on_in_plain_python(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "games.bots.kernel", raising=False)
    monkeypatch.delattr(games.bots, "kernel", raising=False)
    assert not solver.warm()
    at, tricks, _points = GOLDEN[0]
    assert solver._reached is search.reached and solve(at).tricks == tricks


def test_what_was_compiled_lies_in_the_data_folder_and_is_found_there_by_the_next_process(kernel):
    assert kernel.reached and kernel.reached_all
    assert list((Path(os.environ["DATA_DIR"]) / "numba").rglob("search.reached-*.nbc"))
    code = (
        "from games.bots import kernel, solver; assert solver.warm();"
        "both = kernel.reached.stats, kernel.reached_all.stats;"
        "print([sum(each.cache_hits.values()) for each in both], [sum(each.cache_misses.values()) for each in both])"
    )
    assert run(code) == "[1, 1] [0, 0]"
    assert not list((ROOT / "games").rglob("*.nb[ci]"))
