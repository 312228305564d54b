"""Agreement with an engine that nobody here wrote: ``euchre`` of OpenSpiel (PyPI ``open-spiel``).

Both play the same deal by the same actions. At every step they name the same seat and the same
legal actions, and in the end the same winners of the tricks and the same points.

Where OpenSpiel differs by design, house rules of ours are set to what it plays, or the comparison
says so:

- It asks the declarer alone whether he goes alone, his partner never (R37, O7). ``alone_who`` has
  no value for "the maker or a defender", so where defenders may go alone the partner answers no.
- Defenders are asked from the dealer's left, not from the maker's (G8).
- A dealer who is ordered up must take the up-card (R27): ``dealer_exchange=mandatory``, O5.
- The up-card that was taken may not be put away again (G5).
- The first active seat from the dealer's left leads against a loner (R40, R41):
  ``lone_lead=left_of_dealer``, O9.
- A lone defender's euchre is always worth 4 (R53): ``lone_defender=4``, O10.
- It deals one card at a time, the dealer first (R19), and it has no claims (O16): ``claim=off``.
- It plays single deals: no score, no next dealer (R31, R56). What the makers win the others lose.
- The dealer is stuck unless it is told otherwise (R31, R32, O3): both are compared.

Its header speaks of four points for makers without a trick (O18); its code, like our default,
gives two.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.engine import SUITS, Rules, apply, legal_actions, pack, parse_action, start_deal
from tests.scale import scale

pyspiel = pytest.importorskip(
    "pyspiel", reason="there is no open-spiel for this Python or machine", exc_type=ImportError
)

DEALS = scale(20_000)
PASS, ALONE, TOGETHER = 24, 29, 30
NUMBER = {rank + suit: number for number, (rank, suit) in enumerate((r, s) for r in "9TJQKA" for s in SUITS)}
SUIT = {suit: number for number, suit in enumerate(SUITS, start=25)}


def number(action, up_card: str) -> int:
    """An action of ours as OpenSpiel counts it: cards by rank and suit, then pass, the suits and
    the answers about going alone."""
    if action.card:
        return NUMBER[action.card]
    if action.kind in ("order_up", "call"):
        return SUIT[action.suit or up_card[1]]
    return {"pass": PASS, "alone": ALONE, "together": TOGETHER}[action.kind]


def dealt(game, ours):
    """OpenSpiel's state with the same hands, dealer and up-card."""
    theirs = game.new_initial_state()
    theirs.apply_action(ours.dealer)
    for place in range(20):
        theirs.apply_action(NUMBER[ours.hands[(ours.dealer + place) % 4][place // 4]])
    theirs.apply_action(NUMBER[ours.up_card])
    return theirs


def answer_alone(ours, theirs, rng, defenders):
    """Who goes alone is said to each engine in the order in which it asks."""
    assert theirs.current_player() == ours.turn == ours.maker
    wishes = [ours.maker, (ours.maker + rng.choice((1, 3))) % 4][: 1 + defenders]
    alone = {seat for seat in wishes if rng.random() < 0.5}
    while ours.phase == "alone":
        ours = apply(ours, parse_action("alone" if ours.turn in alone else "together"))
    while theirs.legal_actions() == [ALONE, TOGETHER]:
        theirs.apply_action(ALONE if theirs.current_player() in alone else TOGETHER)
    return ours


@pytest.mark.parametrize("lone_defender", [False, True], ids=["makers alone", "defenders alone too"])
@pytest.mark.parametrize("stuck", [True, False], ids=["stick the dealer", "or pass out"])
def test_openspiel_agrees(stuck, lone_defender):
    options = {"allow_lone_defender": lone_defender, "stick_the_dealer": stuck}
    game = pyspiel.load_game("euchre", options)
    rules = Rules(
        stick_the_dealer=stuck,
        dealer_exchange="mandatory",
        alone_who="any" if lone_defender else "maker_only",
        lone_lead="left_of_dealer",
        lone_defender="4",
        claim=False,
    )
    rng = random.Random(f"{stuck} {lone_defender}")
    met = Counter()
    for _ in range(DEALS // 4):
        ours = start_deal(rules, rng.randrange(4), rng.sample(pack(), 24))
        theirs = dealt(game, ours)
        while ours.phase != "done":
            if ours.phase == "alone":
                ours = answer_alone(ours, theirs, rng, lone_defender)
                continue
            assert theirs.current_player() == ours.turn
            may = {number(action, ours.up_card): action for action in legal_actions(ours)}
            if ours.phase == "exchange":
                del may[NUMBER[ours.up_card]]  # G5
            assert theirs.legal_actions() == sorted(may)
            chosen = PASS if PASS in may and rng.random() < 0.7 else rng.choice(list(may))
            ours = apply(ours, may[chosen])
            theirs.apply_action(chosen)
        assert theirs.is_terminal()
        assert [trick.winner() for trick in theirs.tricks() if trick.leader() >= 0] == [t.winner for t in ours.tricks]
        met[ours.passed_out, len(ours.loners)] += 1
        gain = ours.points[0] - ours.points[1]
        assert theirs.returns() == [gain, -gain, gain, -gain]
    assert set(met) == {(False, loners) for loners in range(2 + lone_defender)} | ({(True, 0)} if not stuck else set())
