"""Whatever legal actions are taken, the deal keeps its promises (Hypothesis state machine)."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine import (
    PRESETS,
    Rules,
    apply,
    dealer_after,
    effective_suit,
    format_actions,
    format_deck,
    format_rules,
    legal_actions,
    pack,
    parse_deck,
    parse_rules,
    replay_deal,
    start_deal,
    view,
    winner,
)
from tests.engine.any_rules import ANY_RULES
from tests.engine.promises import cards_add_up, points_add_up

KINDS = {
    "weak": {"keep", "declare"},
    "swap": {"discard"},
    "benny": {"call", "call_alone"},
    "bid1": {"pass", "order_up", "order_up_alone"},
    "exchange": {"decline", "discard"},
    "bid2": {"pass", "call", "call_alone"},
    "dummy": {"discard"},
    "alone": {"alone", "together"},
    "best": {"keep", "discard", "give"},
    "play": {"play", "claim"},
    "done": set(),
}


def cards_in(value: object) -> set[str]:
    """Every card that can be read out of a value."""
    return set(re.findall(r"(?<![A-Z0-9a-z])(?:[7-9TJQKA][CDHS]|B)(?![A-Z0-9a-z])", repr(value)))


class Deals(RuleBasedStateMachine):
    """Deals played by any legal actions, one after the other, and games one after the other."""

    @initialize(
        rules=st.one_of(st.sampled_from(list(PRESETS.values())), ANY_RULES), data=st.data(), dealer=st.integers(0, 3)
    )
    def begin(self, rules: Rules, data: Any, dealer: int) -> None:
        self.rules = rules
        self.begin_game()
        self.deal(dealer % rules.players, data)

    def begin_game(self) -> None:
        self.score = (0,) * self.rules.sides
        self.counted = 0

    def deal(self, dealer: int, data: Any) -> None:
        self.deck = tuple(data.draw(st.permutations(pack(self.rules.pack))))
        self.state = start_deal(self.rules, dealer, self.deck)

    @precondition(lambda self: self.state.phase != "done")
    @rule(choice=st.integers(0, 11))
    def act(self, choice: int) -> None:
        before = self.state
        legal = legal_actions(before)
        self.state = apply(before, legal[choice % len(legal)])
        assert self.state.history[:-1] == before.history
        assert self.state.history[-1] == (before.turn, legal[choice % len(legal)])

    @precondition(lambda self: self.state.phase == "done")
    @rule(data=st.data())
    def deal_again(self, data: Any) -> None:
        state, rules = self.state, self.rules
        self.score = tuple(map(sum, zip(self.score, state.points, strict=True)))
        self.counted += not state.redeal
        won = winner(self.score, rules, self.counted)
        if won is not None:
            assert sorted(self.score)[-2] < self.score[won]
            assert self.counted >= rules.num_deals if rules.num_deals else self.score[won] >= rules.target_score
            self.begin_game()
        self.deal(dealer_after(state), data)

    @invariant()
    def cards_always_partition_the_pack(self) -> None:
        cards_add_up(self.state)

    @invariant()
    def the_turn_and_the_choices_fit_the_phase(self) -> None:
        state = self.state
        assert {action.kind for action in state.legal} <= KINDS[state.phase]
        assert len(set(state.legal)) == len(state.legal)
        assert (state.turn is None) == (not state.legal) == (state.phase == "done")
        assert state.turn not in state.sitting_out

    @invariant()
    def suit_is_followed_by_whoever_can_R42(self) -> None:
        state = self.state
        if state.phase != "play" or state.turn is None or state.trump is None:
            return
        playable = {action.card for action in state.legal if action.card}
        hand = set(state.hands[state.turn])
        if state.trick:
            led = effective_suit(state.trick[0][1], state.trump)
            follows = {card for card in hand if effective_suit(card, state.trump) == led}
            assert playable == (follows or hand)
        else:
            assert playable == hand

    @invariant()
    def a_finished_deal_has_five_tricks_and_the_points_of_section_4_6(self) -> None:
        points_add_up(self.state)

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
        blind = state.phase == "benny" and self.rules.joker_up == "dealer_blind"
        for seat in (None, *range(self.rules.players)):
            seen = view(state, seat, self.score)
            known = {state.up_card, *played}
            if seat is not None:
                if not blind:
                    known |= {*state.hands[seat]}
                known |= {card for owner, card in state.put_away if owner == seat}
                known |= {a.card for who, a in state.history if a.kind == "give" and who in (seat, (seat + 2) % 4)}
            if state.redeal:
                known |= {*state.hands[state.history[-1][0]]}
            hidden = cards_in(state._replace(rules=None, legal=())) - known
            assert hidden >= set(state.kitty) - known
            assert cards_in(seen) <= known
            assert seen.legal_actions == (state.legal if seat is not None and seat == state.turn else ())
            counts = [len(hand) for hand in state.hands]
            told = state.up_card in played or (seat is not None and seat % 2 == state.dealer % 2)
            if state.up_card_state == "given" and not told:
                counts[state.dealer] -= 1  # it might as well have been a card of the dealer's hand
            assert seen.counts == tuple(counts)


TestDeals = Deals.TestCase
TestDeals.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
