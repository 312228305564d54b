"""What a seat may know (section 4.7). The state machine searches every view for hidden cards;
here stands what a view does tell."""

from __future__ import annotations

from dataclasses import replace

from games.engine import PRESETS, format_actions, view
from tests.engine.table import ARTICLE, act, deal, hands

TAKEN = "pass pass pass order_up discard:9S"


def accepted():
    return act(deal(dealer=3, up="9H", held=hands(s0="AC KC QC TC 9C", s3="AH KD QD 9S TS")), TAKEN)


def told(state, seat):
    return format_actions(action for _seat, action in view(state, seat).history)


def test_only_the_dealer_knows_the_discard_G6():
    state = accepted()
    assert told(state, 3) == TAKEN
    assert view(state, 3).discard == "9S"
    for seat in (0, 1, 2, None):
        assert told(state, seat) == "pass pass pass order_up discard"
        assert view(state, seat).discard is None


def test_that_the_up_card_was_taken_declined_or_turned_down_is_public_G6():
    assert view(accepted(), None).up_card_state == "taken"
    assert view(act(deal(), "order_up decline"), None).up_card_state == "declined"
    assert told(act(deal(), "order_up decline"), None) == "order_up decline"
    assert view(act(deal(), "pass pass pass pass"), None).up_card_state == "turned_down"
    assert view(deal(), None).up_card_state == "up"


def test_a_spectator_sees_the_table_and_no_hand():
    seen = view(accepted(), None, (4, 6))
    assert (seen.seat, seen.hand, seen.counts, seen.score) == (None, (), (5, 5, 5, 5), (4, 6))
    assert (seen.trump, seen.maker, seen.turn, seen.up_card) == ("H", 3, 3, "9H")
    assert seen.legal_actions == ()


def test_only_the_seat_to_act_is_offered_actions():
    state = act(accepted(), "together together together together")
    assert format_actions(view(state, 0).legal_actions) == "play:AC play:KC play:QC play:TC play:9C"
    assert [view(state, seat).legal_actions for seat in (1, 2, 3)] == [(), (), ()]


def test_the_leader_is_told_while_cards_are_played():
    state = accepted()
    assert view(state, 1).leader is None
    state = act(state, "together together together together")
    assert view(state, 1).leader == 0
    assert view(act(state, "play:AC"), 1).leader == 0


def test_a_player_who_sits_out_keeps_a_hand_that_nobody_sees_G7():
    state = act(accepted(), "alone together together")
    assert view(state, 3).sitting_out == (1,)
    assert view(state, 1).hand == state.hands[1]
    assert view(state, 1).counts == (5, 5, 5, 5)


def test_a_finished_deal_reveals_no_more():
    state = act(accepted(), "together together together together")
    while state.legal:
        state = act(state, str(state.legal[0]))
    for seat in (0, 1, 2, None):
        seen = view(state, seat)
        assert seen.phase == "done"
        assert seen.discard is None
        assert "9S" not in repr(seen)
        assert (seen.points, seen.tricks_won, seen.passed_out) == (state.points, state.tricks_won, False)
    assert view(act(deal(), "pass " * 8), 0).passed_out


BEST = replace(ARTICLE, partners_best=True)


def gift(given):
    """Seat 1 is alone, has put the nine of clubs away and been given a card by the dealer."""
    held = hands(s1="AS KS QS JS 9C", s3="AC KC QC JC TC")
    state = deal(dealer=3, up="9H", held=held, rules=BEST)
    return act(state, f"pass order_up decline alone discard:9C give:{given}")


def test_a_card_put_away_is_known_to_one_seat_and_a_gift_to_two_V6():
    state = gift("AC")
    assert [told(state, seat).split()[4:] for seat in (0, 1, 2, 3, None)] == [
        ["discard", "give"],
        ["discard:9C", "give:AC"],
        ["discard", "give"],
        ["discard", "give:AC"],
        ["discard", "give"],
    ]
    assert [view(state, seat).put_away for seat in (0, 1, 2, 3, None)] == [(), ("9C",), (), (), ()]
    assert "AC" in view(state, 1).hand


def test_to_the_others_a_given_up_card_looks_like_any_gift_V6():
    for seat in (0, 2, None):
        given, kept = view(gift("9H"), seat), view(gift("AC"), seat)
        assert given == kept
        assert (given.up_card_state, given.counts) == ("declined", (5, 5, 5, 4))
    for seat in (1, 3):
        assert view(gift("9H"), seat).up_card_state == "given"
        assert view(gift("9H"), seat).counts == (5, 5, 5, 5)
        assert view(gift("AC"), seat).up_card_state == "declined"


def test_all_know_a_given_up_card_once_it_is_played_V6():
    state = act(gift("9H"), "together together play:AD play:9D play:9H")
    for seat in (0, 1, 2, 3, None):
        assert (view(state, seat).up_card_state, view(state, seat).counts[3]) == ("given", 5)


def test_nobody_sees_a_hand_while_the_jokers_suit_is_named_blind_V3():
    blind = deal(dealer=3, up="B", rules=PRESETS["british"])
    for seat in (0, 1, 2, 3, None):
        seen = view(blind, seat)
        assert (seen.hand, seen.counts, seen.up_card) == ((), (5, 5, 5, 5), "B")
    named = act(blind, "call:S")
    assert tuple(view(named, seat).hand for seat in (0, 1, 2, 3)) == named.hands


def test_a_seat_plays_for_its_side():
    assert [view(deal(), 0).side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [view(deal(dealer=0, rules=PRESETS["three_handed"]), 0).side(seat) for seat in range(3)] == [0, 1, 2]
