"""Sampled deals: in agreement with all that a seat knows, and with nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import pytest

from games import bots
from games.bots import encoding, guess, worlds
from games.engine import DealState, Rules, apply, effective_suit, legal_actions, pack, start_deal, view
from tests.engine.any_rules import random_rules

RULE_BOT = bots.get_bot(bots.FILL_IN)


def dealt(rules: Rules, rng: random.Random) -> DealState:
    return start_deal(rules, rng.randrange(rules.players), rng.sample(pack(rules.pack), rules.pack))


def moments(rules: Rules, rng: random.Random, foolish: float = 0.3) -> Iterator[DealState]:
    """All states of a deal by the rule bot, which errs this often."""
    state = dealt(rules, rng)
    while state.turn is not None:
        yield state
        legal = legal_actions(state)
        seen = view(state, state.turn)
        state = apply(state, rng.choice(legal) if rng.random() < foolish else RULE_BOT.choose(seen, rng))


def cards(state: DealState) -> list[str]:
    """Every card wherever it lies."""
    found = [card for hand in state.hands for card in hand] + [card for _, card in state.put_away]
    found += [card for trick in state.tricks for _, card in trick.plays] + [card for _, card in state.trick]
    return [*found, *state.kitty, *({state.up_card} - {*found})]


def test_under_any_rules_a_sampled_deal_looks_to_the_seat_as_the_true_one():
    rng = random.Random(41)
    for _ in range(60):
        rules = random_rules(rng)
        for state in moments(rules, rng):
            assert state.turn is not None
            seen = view(state, state.turn)
            if state.phase in ("weak", "swap") or not seen.hand:
                with pytest.raises(worlds.Unknowable):
                    worlds.sample(seen, rng)
                continue
            (sampled,) = worlds.sample(seen, random.Random(7))
            assert view(sampled, state.turn) == seen
            assert sorted(cards(sampled)) == sorted(pack(rules.pack))
            assert worlds.sample(seen, random.Random(7)) == [sampled]


def test_it_is_not_guessed_what_somebody_else_must_decide():
    state = dealt(Rules(), random.Random(1))
    assert state.turn is not None
    with pytest.raises(worlds.Unknowable):
        worlds.sample(view(state, (state.turn + 1) % 4), random.Random(1))


# The right chance of each


def chi_square(found: Counter[object], expected: dict[object, float]) -> float:
    """In standard deviations above what chance would give."""
    total = sum(found.values())
    assert set(found) <= set(expected)
    degrees = len(expected) - 1
    square = sum((found[kind] - total * share) ** 2 / (total * share) for kind, share in expected.items())
    return (square - degrees) / (2 * degrees) ** 0.5


def test_before_anybody_has_spoken_every_hand_is_as_likely_as_the_cards_make_it():
    state = start_deal(Rules(), 3, pack())
    seen = view(state, 0)
    trumps = [card for card in pack() if effective_suit(card, "H") == "H"]
    out = [card for card in trumps if card not in (*seen.hand, state.up_card)]
    expected = {number: comb(len(out), number) * comb(18 - len(out), 5 - number) / comb(18, 5) for number in range(6)}
    expected = {number: share for number, share in expected.items() if share}
    deals = worlds.sample(seen, random.Random(3), 4000)
    for seat in (1, 2, 3):
        assert chi_square(Counter(len({*out} & {*deal.hands[seat]}) for deal in deals), expected) < 4
    kitty = Counter(card for deal in deals for card in deal.kitty)
    assert chi_square(kitty, {card: 1 / 18 for card in pack() if card not in (*seen.hand, state.up_card)}) < 4


def test_with_suits_that_others_could_not_follow_every_deal_that_is_left_is_equally_likely():
    rng = random.Random(29)
    checked = 0
    while checked < 3:
        states = [state for state in moments(Rules(alone_who="none"), rng, foolish=1.0) if len(state.tricks) == 3]
        if not states or states[0].trick:
            continue
        state = states[0]
        assert state.turn is not None and state.trump is not None
        about = worlds.knowledge(view(state, state.turn))
        about.known[guess.PATIENCE] = 0  # the calls were foolish, and are not to be asked about
        voids = [about.known[guess.FORBIDDEN + seat] for seat in range(4)]
        unknown = encoding.cards_of(about.known[guess.POOL], state.trump)
        if sum(map(bool, voids)) < 2 or len(unknown) > 10 or about.known[guess.UP_LOOSE] >= 0:
            continue
        bits = {card: encoding.cards_row([card], state.trump) for card in unknown}
        others = [seat for seat in range(4) if seat != state.turn and about.known[guess.NEED + seat]]
        possible: set[object] = set()

        def give(left: list[str], hands: tuple[tuple[str, ...], ...]) -> None:
            if len(hands) == len(others):
                possible.add(hands)
                return
            seat = others[len(hands)]
            for hand in combinations(left, about.known[guess.NEED + seat]):
                if not any(bits[card] & voids[seat] for card in hand):
                    give([card for card in left if card not in hand], (*hands, hand))

        give(unknown, ())
        if not 5 < len(possible) < 300:
            continue
        found: Counter[object] = Counter()
        chance, hands = [rng.getrandbits(62)], [0] * guess.FOUND_LENGTH
        while found.total() < 20 * len(possible):
            if guess.fill(about.known, chance, hands):
                forced = [about.known[guess.FORCED + seat] for seat in range(4)]
                rest = [encoding.cards_of(hands[seat] & ~forced[seat], state.trump) for seat in others]
                found[tuple(tuple(card for card in unknown if card in hand) for hand in rest)] += 1
        assert chi_square(found, dict.fromkeys(possible, 1 / len(possible))) < 4
        checked += 1


def test_after_calls_and_passes_of_the_rule_bot_sampled_hands_are_like_the_true_ones():
    """What the others hold, as the seat to act in the first round must guess and as it is."""
    rng = random.Random(31)
    true, sampled = Counter[object](), Counter[object]()
    for _ in range(1500):
        state = dealt(Rules(), rng)
        for _pass in range(3):
            assert state.turn is not None
            state = apply(state, RULE_BOT.choose(view(state, state.turn), rng))
            if state.phase != "bid1":
                break
        if state.phase != "bid1" or state.turn != state.dealer:
            continue
        (guessed,) = worlds.sample(view(state, state.dealer), rng)
        suit = state.up_card[1]
        for deal, counts in ((state, true), (guessed, sampled)):
            for seat in range(4):
                if seat != state.dealer:
                    counts[sum(effective_suit(card, suit) == suit for card in deal.hands[seat])] += 1
    few = true.total()
    assert few > 1200
    for number in range(3):
        share = true[number] / few
        assert abs(sampled[number] / sampled.total() - share) < 4 * (2 * share * (1 - share) / few) ** 0.5


def test_the_cards_that_lie_are_not_known():
    rng = random.Random(37)
    kept, chance, views = 0, 0.0, 0
    for _ in range(30):
        for state in moments(Rules(), rng, foolish=0.0):
            assert state.turn is not None
            seen = view(state, state.turn)
            (sampled,) = worlds.sample(seen, rng)
            views += 1
            unknown = 24 - len(seen.hand) - 1 - state.played.bit_count()
            kept += len({*sampled.kitty} & {*state.kitty})
            chance += 3 * 3 / max(3, unknown)
    assert kept < 1.6 * chance + 4 * chance**0.5
