"""Whatever legal actions are taken, the deal keeps its promises (Hypothesis state machine)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine import (
    OPTIONS,
    Rules,
    apply,
    effective_suit,
    format_actions,
    format_deck,
    format_rules,
    legal_actions,
    next_dealer,
    pack,
    parse_deck,
    parse_rules,
    replay_deal,
    start_deal,
    view,
    winner,
)

ANY_RULES = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()})


def cards_in(value: object) -> set[str]:
    """Every card that can be read out of a value."""
    return set(re.findall(r"[9TJQKA][CDHS]", repr(value)))


class Deals(RuleBasedStateMachine):
    """Deals played by any legal actions, one after the other, and games one after the other."""

    @initialize(
        options=st.one_of(st.just({}), st.just({"stick_the_dealer": True}), ANY_RULES),
        deck=st.permutations(pack()),
        dealer=st.integers(0, 3),
    )
    def begin(self, options: dict[str, Any], deck: list[str], dealer: int) -> None:
        self.rules = Rules(**options)
        self.score = (0, 0)
        self.deal(dealer, deck)

    def deal(self, dealer: int, deck: list[str]) -> None:
        self.deck = tuple(deck)
        self.state = start_deal(self.rules, dealer, self.deck)

    @precondition(lambda self: self.state.phase != "done")
    @rule(choice=st.integers(0, 5))
    def act(self, choice: int) -> None:
        before = self.state
        legal = legal_actions(before)
        self.state = apply(before, legal[choice % len(legal)])
        assert self.state.history[:-1] == before.history
        assert self.state.history[-1] == (before.turn, legal[choice % len(legal)])

    @precondition(lambda self: self.state.phase == "done")
    @rule(deck=st.permutations(pack()))
    def deal_again(self, deck: list[str]) -> None:
        self.score = (self.score[0] + self.state.points[0], self.score[1] + self.state.points[1])
        if winner(self.score, self.rules) is not None:
            assert max(self.score) >= self.rules.target_score > min(self.score)
            self.score = (0, 0)
        self.deal(next_dealer(self.state.dealer), deck)

    @invariant()
    def cards_always_partition_the_pack(self) -> None:
        state = self.state
        places = [*state.kitty, *(card for hand in state.hands for card in hand)]
        places += [card for _seat, card in state.trick]
        places += [card for trick in state.tricks for _seat, card in trick.plays]
        if state.up_card_state != "taken":
            places.append(state.up_card)
        elif state.discard is not None:
            places.append(state.discard)
        assert sorted(places) == sorted(pack())

    @invariant()
    def the_turn_and_the_choices_fit_the_phase(self) -> None:
        state = self.state
        kinds = {action.kind for action in state.legal}
        assert (
            kinds
            <= {
                "bid1": {"pass", "order_up"},
                "exchange": {"decline", "discard"},
                "bid2": {"pass", "call"},
                "alone": {"alone", "together"},
                "play": {"play"},
                "done": set(),
            }[state.phase]
        )
        assert len(set(state.legal)) == len(state.legal)
        assert (state.turn is None) == (not state.legal) == (state.phase == "done")
        assert state.turn not in state.sitting_out

    @invariant()
    def suit_is_followed_by_whoever_can_R42(self) -> None:
        state = self.state
        if state.phase != "play" or state.turn is None or state.trump is None:
            return
        playable = {action.card for action in state.legal}
        hand = set(state.hands[state.turn])
        if state.trick:
            led = effective_suit(state.trick[0][1], state.trump)
            follows = {card for card in hand if effective_suit(card, state.trump) == led}
            assert playable == (follows or hand)
        else:
            assert playable == hand

    @invariant()
    def a_finished_deal_has_five_tricks_and_the_points_of_section_4_6(self) -> None:
        state = self.state
        assert sum(state.tricks_won) == len(state.tricks) <= 5
        if state.phase != "done" or state.maker is None:
            assert state.points == (0, 0)
            assert not state.passed_out or state.phase == "done"
            return
        assert len(state.tricks) == 5
        winners = Counter(trick.winner % 2 for trick in state.tricks)
        assert state.tricks_won == (winners[0], winners[1])
        makers = state.maker % 2
        m, lone = winners[makers], {seat % 2 for seat in state.loners}
        if m >= 3:
            expected = {3: 1, 4: 1, 5: 4 if makers in lone else 2}[m]
            assert state.points[1 - makers] == 0
            assert state.points[makers] == expected
        else:
            if 1 - makers in lone:
                expected = 4 if m == 0 or self.rules.lone_defender == "4" else 2
            else:
                expected = self.rules.lone_euchred if makers in lone else 2
            assert state.points[makers] == 0
            assert state.points[1 - makers] == expected

    @invariant()
    def replaying_the_record_gives_the_same_state(self) -> None:
        state = self.state
        again = replay_deal(
            parse_rules(format_rules(self.rules)),
            state.dealer,
            parse_deck(format_deck(self.deck)),
            format_actions(action for _seat, action in state.history),
        )
        assert again == state

    @invariant()
    def no_view_holds_a_card_its_seat_may_not_know(self) -> None:
        state = self.state
        played = {card for plays in (*(trick.plays for trick in state.tricks), state.trick) for _seat, card in plays}
        for seat in (None, 0, 1, 2, 3):
            seen = view(state, seat, self.score)
            known = {state.up_card, *played}
            if seat is not None:
                known |= {*state.hands[seat]}
            if seat == state.dealer and state.discard:
                known.add(state.discard)
            hidden = cards_in(state) - known
            assert hidden >= set(state.kitty), "there is always something to leak"
            assert cards_in(seen) <= known
            assert seen.legal_actions == (state.legal if seat is not None and seat == state.turn else ())
            assert seen.counts == tuple(len(hand) for hand in state.hands)


TestDeals = Deals.TestCase
TestDeals.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
