"""The worked vectors of the rules specification, section 7. Seats are S0 to S3 clockwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine import (
    PRESETS,
    DealRecord,
    GameRecord,
    Match,
    Rules,
    apply,
    deal_points,
    effective_suit,
    legal_actions,
    legal_cards,
    next_dealer,
    pack,
    parse_action,
    replay,
    start_deal,
    strength,
    trick_winner,
    view,
    winner,
)
from tests.engine.table import (
    ARTICLE,
    act,
    choices,
    deal,
    hands,
    may_play,
    order_of_play,
    stacked_deck,
    to_the_lead,
    who_wins,
)

STUCK = replace(ARTICLE, stick_the_dealer=True)
DEALER_HAND = hands(s3="AH KD QD 9S TS")
ROUND_TWO = "pass pass pass pass"


# Following suit


def test_t01_the_left_bower_is_no_diamond_when_diamonds_are_led_R11_R12_R42_R44():
    assert may_play("H", "KD", "JD 9D AS") == {"9D"}


def test_t02_the_left_bower_must_follow_a_trump_lead_R12_R42_R44():
    assert may_play("H", "9H", "JD AC") == {"JD"}


def test_t03_a_hand_void_but_for_the_left_bower_plays_any_card_R12_R43():
    assert may_play("H", "KD", "JD AC 9S") == {"JD", "AC", "9S"}


def test_t04_the_left_bower_led_calls_for_trump_R12_R42_R44():
    assert may_play("S", "JC", "9C AC 9S") == {"9S"}


def test_t05_clubs_do_not_follow_the_left_bower_of_spades_R12_R43():
    assert may_play("S", "JC", "9C AC KD") == {"9C", "AC", "KD"}


def test_t06_jacks_of_the_other_colour_are_plain_R9_R11_R42():
    assert may_play("C", "JD", "JH 9D") == {"9D"}


def test_t07_the_left_bower_does_not_follow_its_printed_suit_R11_R12_R42():
    assert may_play("C", "9S", "JS KS AH") == {"KS"}


def test_t08_the_leader_may_lead_any_card_trump_included_R39():
    state = deal(up="QH", held=hands(s0="JH 9H AS KD TC"))
    state = act(state, "order_up decline together together together together")
    assert state.trump == "H"
    assert choices(state) == {"play:JH", "play:9H", "play:AS", "play:KD", "play:TC"}


# Winning a trick


@pytest.mark.parametrize(
    ("trump", "plays", "seat"),
    [
        pytest.param("D", "S0 AH, S1 JH, S2 9H, S3 AD", 1, id="T09 left bower over ace R11 R46 R47"),
        pytest.param("D", "S0 JH, S1 JD, S2 AD, S3 KH", 1, id="T10 right over left R10 R11 R46"),
        pytest.param("C", "S1 9H, S2 AD, S3 KD, S0 TH", 0, id="T11 off-suit aces cannot win R45"),
        pytest.param("S", "S0 QH, S1 JH, S2 9H, S3 TD", 0, id="T12 a plain jack is below the queen R9 R45"),
        pytest.param("H", "S3 QD, S0 JD, S1 AD, S2 KD", 0, id="T13 the left bower trumps its printed suit R11 R12 R46"),
        pytest.param("C", "S2 AS, S3 KS, S0 9C, S1 TC", 1, id="T14 higher of two trumps R46"),
        pytest.param("S", "S2 AS, S3 JC, S0 JS, S1 9S", 0, id="T15 the winner leads R10 R46 R47"),
    ],
)
def test_the_right_seat_wins_the_trick_and_leads(trump, plays, seat):
    assert who_wins(trump, plays) == seat


# Dealing and bidding


def test_t16_packets_of_three_and_two_up_card_and_kitty_R16_R17_R19():
    state = start_deal(ARTICLE, 3, pack())
    assert [" ".join(hand) for hand in state.hands] == [
        "9C TC JC KD AD",
        "QC KC 9H TH JH",
        "AC 9D TD QH KH",
        "JD QD AH 9S TS",
    ]
    assert state.up_card == "JS"
    assert state.kitty == ("QS", "KS", "AS")


def test_t17_in_round_one_each_seat_may_pass_or_take_the_suit_R20_R21_R22_R23_R24():
    state = deal(dealer=3)
    for seat in (0, 1, 2, 3):
        assert state.turn == seat
        assert choices(state) == {"pass", "order_up"}
        state = act(state, "pass")


def test_t18_an_assisted_dealer_may_decline_or_discard_any_of_six_R22_R27_R28_R33_G5():
    state = act(deal(dealer=3, up="9H", held=DEALER_HAND), "pass order_up")
    assert (state.trump, state.maker, state.turn) == ("H", 1, 3)
    assert choices(state) == {"decline", *(f"discard:{card}" for card in ["AH", "KD", "QD", "9S", "TS", "9H"])}


def test_t19_a_declined_up_card_is_dead_and_its_suit_still_trump_R28_G6():
    state = act(deal(dealer=3, up="9H", held=DEALER_HAND), "pass order_up decline")
    assert state.hands[3] == ("AH", "KD", "QD", "9S", "TS")
    assert (state.trump, state.up_card_state, state.discard) == ("H", "declined", None)


def test_t20_a_mandatory_exchange_leaves_exactly_six_discards_O5():
    rules = replace(ARTICLE, dealer_exchange="mandatory")
    state = act(deal(dealer=3, up="9H", held=DEALER_HAND, rules=rules), "order_up")
    assert choices(state) == {f"discard:{card}" for card in ["AH", "KD", "QD", "9S", "TS", "9H"]}


def test_t21_a_dealer_who_accepts_must_take_the_up_card_R24_R25_G5():
    state = act(deal(dealer=3, up="9H", held=DEALER_HAND), "pass pass pass order_up")
    assert choices(state) == {f"discard:{card}" for card in ["AH", "KD", "QD", "9S", "TS", "9H"]}


def test_t22_the_turned_down_suit_is_barred_in_round_two_R26_R29_R30_G4():
    state = act(deal(dealer=3, up="9H"), ROUND_TWO)
    assert (state.phase, state.turn, state.up_card_state) == ("bid2", 0, "turned_down")
    assert choices(state) == {"pass", "call:C", "call:D", "call:S"}


def test_t23_the_turned_down_suit_may_be_named_where_the_table_plays_so_O4():
    state = act(deal(dealer=3, up="9H", rules=replace(ARTICLE, turned_down_callable=True)), ROUND_TWO)
    assert choices(state) == {"pass", "call:C", "call:D", "call:H", "call:S"}


def test_t24_the_dealer_may_pass_in_round_two_R31():
    state = act(deal(dealer=3, up="9H"), f"{ROUND_TWO} pass pass pass")
    assert state.turn == 3
    assert choices(state) == {"pass", "call:C", "call:D", "call:S"}


def test_t25_when_all_pass_twice_nobody_scores_and_the_next_seat_deals_R31_G2():
    state = act(deal(dealer=3, up="9H"), f"{ROUND_TWO} {ROUND_TWO}")
    assert (state.phase, state.passed_out, state.turn, state.points) == ("done", True, None, (0, 0))
    assert choices(state) == set()
    assert next_dealer(3) == 0
    passed = tuple(parse_action("pass") for _ in range(8))
    fresh = DealRecord(stacked_deck(0, "AS"), ())
    game = replay(GameRecord(ARTICLE, 3, (DealRecord(stacked_deck(3, "9H"), passed), fresh)))
    assert game.scores == ((0, 0), (0, 0))
    assert [state.dealer for state in game.deals] == [3, 0]


def test_t26_a_stuck_dealer_must_name_a_suit_R32_O3_G4():
    state = act(deal(dealer=3, up="9H", rules=STUCK), f"{ROUND_TWO} pass pass")
    assert choices(state) == {"pass", "call:C", "call:D", "call:S"}, "only the dealer is stuck"
    assert choices(act(state, "pass")) == {"call:C", "call:D", "call:S"}


def test_t27_a_suit_named_in_round_two_needs_no_exchange_and_eldest_leads_R30_R33_R39():
    state = act(deal(dealer=3, up="9H"), f"{ROUND_TWO} pass pass call:C")
    assert (state.phase, state.trump, state.maker) == ("alone", "C", 2)
    state = act(state, "together together together together")
    assert order_of_play(state) == [0, 1, 2, 3]


def test_t28_next_may_be_named_though_its_left_bower_is_dead_R11_R29_G4():
    state = act(deal(dealer=3, up="JD"), f"{ROUND_TWO} call:H")
    assert (state.trump, state.up_card, state.up_card_state) == ("H", "JD", "turned_down")
    assert not any("JD" in hand for hand in state.hands)
    live = [card for card in (*sum(state.hands, ()), *state.kitty) if card[1] == "H" or card == "JD"]
    assert len(live) == 6


# Going alone


def call_by(maker, dealer=3, rules=ARTICLE):
    """A round-two call by ``maker``, who is about to be asked whether he goes alone."""
    passes = " ".join(["pass"] * (4 + (maker - dealer - 1) % 4))
    return act(deal(dealer=dealer, up="9H", rules=rules), f"{passes} call:S")


LEFT_OF_DEALER = replace(ARTICLE, lone_lead="left_of_dealer")


@pytest.mark.parametrize(
    ("rules", "dealer", "maker", "answers", "out", "order"),
    [
        pytest.param(ARTICLE, 3, 0, "alone together together", {2}, [1, 3, 0], id="T29 R36 R40"),
        pytest.param(LEFT_OF_DEALER, 3, 0, "alone together together", {2}, [0, 1, 3], id="T30 O9"),
        pytest.param(ARTICLE, 3, 2, "alone together together", {0}, [3, 1, 2], id="T31 R36 R40"),
        pytest.param(LEFT_OF_DEALER, 3, 2, "alone together together", {0}, [1, 2, 3], id="T32 O9"),
        pytest.param(ARTICLE, 3, 0, "together alone together together", {0}, [3, 1, 2], id="T34 R37 R40 G10"),
        pytest.param(ARTICLE, 3, 0, "together together alone", {3}, [2, 0, 1], id="T35 R37 R40"),
        pytest.param(ARTICLE, 3, 0, "alone together alone", {2, 1}, [3, 0], id="T36 R38 R41"),
        pytest.param(ARTICLE, 1, 1, "alone alone", {3, 0}, [2, 1], id="T37 R38 R41"),
        pytest.param(LEFT_OF_DEALER, 3, 0, "alone together alone", {2, 1}, [0, 3], id="two loners, left of dealer O9"),
    ],
)
def test_partners_of_loners_sit_out_and_the_right_seat_leads(rules, dealer, maker, answers, out, order):
    state = act(call_by(maker, dealer, rules), answers)
    assert set(state.sitting_out) == out
    assert order_of_play(state) == order


def test_t33_a_dealer_who_accepts_may_go_alone_R36_R40():
    state = act(deal(dealer=3, up="9H", held=DEALER_HAND), "pass pass pass order_up discard:9S alone together together")
    assert state.sitting_out == (1,)
    assert order_of_play(state) == [0, 2, 3]


def test_a_dealer_who_will_sit_out_still_makes_the_exchange_first_R27_G8():
    state = act(deal(dealer=3, up="9H", held=DEALER_HAND), "pass order_up")
    assert (state.phase, state.turn) == ("exchange", 3)
    state = act(state, "discard:9S alone together together")
    assert state.sitting_out == (3,)
    assert state.discard == "9S"


def asked_in_order(state, wishes=()):
    """The seats asked whether they go alone; those in ``wishes`` say yes."""
    asked = []
    while state.phase == "alone":
        asked.append(state.turn)
        state = act(state, "alone" if state.turn in wishes else "together")
    return asked, state


def test_t38_makers_are_asked_first_then_the_opponents_from_the_left_R37_G8():
    assert asked_in_order(call_by(2))[0] == [2, 0, 3, 1]


def test_t39_a_partner_and_a_defender_may_both_go_alone_R37_R38_G8_G9():
    _asked, state = asked_in_order(call_by(2), wishes={0, 1})
    assert state.loners == (0, 1)
    assert set(state.sitting_out) == {2, 3}


def test_t40_a_loners_partner_is_never_asked_G8_G9():
    asked, state = asked_in_order(call_by(2), wishes={2, 0, 3})
    assert asked == [2, 3]
    assert state.loners == (2, 3)


def test_t41_where_only_the_maker_may_go_alone_only_the_maker_is_asked_O7():
    assert asked_in_order(call_by(2, rules=replace(ARTICLE, alone_who="maker_only")))[0] == [2]


def test_the_makers_side_alone_may_be_asked_or_nobody_O7():
    assert asked_in_order(call_by(2, rules=replace(ARTICLE, alone_who="maker_side")))[0] == [2, 0]
    assert asked_in_order(call_by(2, rules=replace(ARTICLE, alone_who="none")))[0] == []


def test_t42_defenders_are_not_asked_without_a_lone_maker_where_they_need_one_O8():
    rules = replace(ARTICLE, defend_alone="vs_loner")
    assert asked_in_order(call_by(2, rules=rules), wishes={3})[0] == [2, 0]
    assert asked_in_order(call_by(2, rules=rules), wishes={2})[0] == [2, 3, 1]


def test_defenders_are_never_asked_where_they_may_not_go_alone_O8():
    rules = replace(ARTICLE, defend_alone="off")
    assert asked_in_order(call_by(2, rules=rules), wishes={2})[0] == [2]


# Scoring: makers are S0 and S2, the first points of a pair are theirs


LONE_MAKER, LONE_PARTNER, LONE_DEFENDER, BOTH = (0,), (2,), (1,), (0, 1)
FOUR_FOR_DEFENDER = replace(ARTICLE, lone_defender="4")
FOUR_FOR_EUCHRE = replace(ARTICLE, lone_euchred=4)


@pytest.mark.parametrize(
    ("rules", "loners", "tricks", "points"),
    [
        pytest.param(ARTICLE, (), 3, (1, 0), id="T43 three tricks R48"),
        pytest.param(ARTICLE, (), 4, (1, 0), id="T43 four tricks R48"),
        pytest.param(ARTICLE, (), 5, (2, 0), id="T43 march R49"),
        pytest.param(ARTICLE, (), 2, (0, 2), id="T44 euchred R50"),
        pytest.param(ARTICLE, (), 0, (0, 2), id="T44 euchred without a trick R50"),
        pytest.param(ARTICLE, LONE_MAKER, 3, (1, 0), id="T45 loner with three R52"),
        pytest.param(ARTICLE, LONE_MAKER, 4, (1, 0), id="T45 loner with four R52"),
        pytest.param(ARTICLE, LONE_MAKER, 5, (4, 0), id="T45 lone march R51"),
        pytest.param(ARTICLE, LONE_PARTNER, 5, (4, 0), id="T34 a maker's partner is a lone maker R51 G10"),
        pytest.param(ARTICLE, LONE_MAKER, 2, (0, 2), id="T46 loner euchred R50 G11"),
        pytest.param(FOUR_FOR_EUCHRE, LONE_MAKER, 2, (0, 4), id="T47 loner euchred for four O11"),
        pytest.param(FOUR_FOR_EUCHRE, (), 2, (0, 2), id="euchred together O11"),
        pytest.param(ARTICLE, LONE_DEFENDER, 2, (0, 2), id="T48 lone defender with three R53"),
        pytest.param(ARTICLE, LONE_DEFENDER, 1, (0, 2), id="T48 lone defender with four R53"),
        pytest.param(ARTICLE, LONE_DEFENDER, 0, (0, 4), id="T48 lone defender with five R54"),
        pytest.param(FOUR_FOR_DEFENDER, LONE_DEFENDER, 2, (0, 4), id="T49 R55 O10"),
        pytest.param(FOUR_FOR_DEFENDER, LONE_DEFENDER, 1, (0, 4), id="T49 four R55 O10"),
        pytest.param(FOUR_FOR_DEFENDER, LONE_DEFENDER, 0, (0, 4), id="T49 five R55 O10"),
        pytest.param(ARTICLE, LONE_DEFENDER, 3, (1, 0), id="T50 makers against a lone defender R48 G12"),
        pytest.param(ARTICLE, LONE_DEFENDER, 5, (2, 0), id="T50 march against a lone defender R49 G12"),
        pytest.param(ARTICLE, BOTH, 5, (4, 0), id="T51 lone march R51 G13"),
        pytest.param(ARTICLE, BOTH, 3, (1, 0), id="T51 three R52 G13"),
        pytest.param(ARTICLE, BOTH, 2, (0, 2), id="T51 euchred R53 G13"),
        pytest.param(ARTICLE, BOTH, 0, (0, 4), id="T51 no trick R54 G13"),
        pytest.param(FOUR_FOR_DEFENDER, BOTH, 2, (0, 4), id="T52 R55 G13"),
    ],
)
def test_a_deal_is_worth_its_points(rules: Rules, loners, tricks, points):
    assert deal_points(rules, 0, loners, (tricks, 5 - tricks)) == points
    turned = tuple(seat + 1 for seat in loners)
    assert deal_points(rules, 1, turned, (5 - tricks, tricks)) == points[::-1], "the same one seat on"


@pytest.mark.parametrize(
    ("score", "maker", "loners", "tricks_won", "after", "won"),
    [
        pytest.param((9, 9), 1, (), (2, 3), (9, 10), 1, id="T53 R2 R48 R56 G14"),
        pytest.param((9, 8), 0, (0,), (5, 0), (13, 8), 0, id="T54 R2 R51 G14"),
        pytest.param((8, 9), 1, (), (3, 2), (10, 9), 0, id="T55 R50 R56"),
        pytest.param((8, 9), 0, (), (3, 2), (9, 9), None, id="nobody there yet R2"),
    ],
)
def test_the_first_team_at_the_target_wins(score, maker, loners, tricks_won, after, won):
    points = deal_points(ARTICLE, maker, loners, tricks_won)
    total = (score[0] + points[0], score[1] + points[1])
    assert total == after
    assert winner(total, ARTICLE) == won


def test_t56_a_whole_deal_R24_R25_R39_to_R48():
    state = act(start_deal(ARTICLE, 3, pack()), "pass pass pass order_up discard:QD")
    state = act(state, "together together together together")
    for trick in ("AD 9H 9D JD", "KD TH TD 9S", "JS JC QC AC", "TS 9C JH QH", "AH TC KC KH"):
        for card in trick.split():
            if card == "JC":
                assert choices(state) == {"play:JC"}, "the left bower is forced"
            state = act(state, f"play:{card}")
    assert [trick.winner for trick in state.tricks] == [0, 3, 3, 3, 3]
    assert state.tricks_won == (1, 4)
    assert state.points == (0, 1)


# Other packs and options


@pytest.mark.parametrize(("size", "left"), [(24, 4), (25, 5), (28, 8), (32, 12), (33, 13)])
def test_t57_cards_left_after_dealing_five_to_four_hands_R4_to_R7_V2_V3(size, left):
    state = start_deal(Rules(pack=size), 0, pack(size))
    assert len({state.up_card, *state.kitty}) == left


def test_t58_the_seven_of_trump_beats_a_plain_ace_R5_R46_V2():
    assert trick_winner([(0, "7S"), (1, "8S"), (2, "7H"), (3, "AS")], "H") == 2
    assert trick_winner([(3, "AS"), (0, "7S"), (1, "8S"), (2, "7H")], "H") == 2, "though the ace came first"


def test_t59_the_order_of_trumps_in_the_long_pack_R5_R9_to_R12_V2():
    trumps = [card for card in pack(32) if effective_suit(card, "H") == "H"]
    trumps.sort(key=lambda card: strength(card, "H"), reverse=True)
    assert trumps == ["JH", "JD", "AH", "KH", "QH", "TH", "9H", "8H", "7H"]


def test_t60_the_benny_beats_the_right_bower_R6_V3():
    assert trick_winner([(1, "AH"), (2, "JH"), (3, "B"), (0, "JD")], "H") == 3


def test_t61_the_benny_led_calls_for_trump_R12_V3():
    assert legal_cards(("JS", "AH"), "B", "C") == ["JS"]


def test_t62_the_benny_is_a_trump_and_does_not_follow_a_plain_suit_R42_V3():
    assert legal_cards(("B", "9S"), "KS", "D") == ["9S"]


# The joker turned up, and Railroad


BRITISH, RAILROAD = PRESETS["british"], PRESETS["railroad"]


def test_t63_a_dealer_who_turns_up_the_benny_names_its_suit_blind_V3_O15():
    state = deal(dealer=2, up="B", rules=BRITISH)
    assert [view(state, seat).hand for seat in (0, 1, 2, 3)] == [(), (), (), ()]
    assert state.turn == 2
    assert choices(state) == {"call:C", "call:D", "call:H", "call:S"}
    state = act(state, "call:H")
    assert (state.trump, state.maker) == ("H", 2)
    assert view(state, 0).hand == state.hands[0]
    assert choices(state) == {f"discard:{card}" for card in (*state.hands[2], "B")}
    state = act(state, str(state.legal[0]))
    assert "B" in state.hands[2]
    assert len(state.hands[2]) == 5
    assert (state.phase, state.turn) == ("alone", 2)


def test_t64_a_joker_that_stood_for_hearts_bars_hearts_V6_G4():
    state = deal(dealer=3, up="B", rules=RAILROAD)
    assert view(state, 0).proposed == "H"
    state = act(state, ROUND_TWO)
    assert state.turn == 0
    assert choices(state) == {"pass", "call:C", "call:D", "call:S"}


def test_t65_a_loner_puts_a_card_away_and_has_any_one_of_his_partners_V6():
    held = hands(s0="9C JS AS KS QS", s2="AC JD QH KH 9D")
    state = act(deal(dealer=3, up="TS", held=held, rules=RAILROAD), "order_up decline alone")
    assert choices(state) == {"keep", *(f"discard:{card}" for card in held[0])}
    state = act(state, "discard:9C")
    assert state.turn == 2
    assert choices(state) == {f"give:{card}" for card in held[2]}
    state = act(state, "give:AC")
    assert state.hands[0] == ("JS", "AS", "KS", "QS", "AC")
    assert state.put_away == ((0, "9C"),)
    for seat, told in ((0, "discard:9C give:AC"), (1, "discard give"), (2, "discard give:AC"), (3, "discard give")):
        assert " ".join(str(action) for _seat, action in view(state, seat).history[-2:]) == told


def test_t66_a_slam_counts_twice_and_a_lap_opens_the_next_game_V6():
    points = deal_points(RAILROAD, 0, (0,), (5, 0))
    score = (9 + points[0], 0 + points[1])
    assert winner(score, RAILROAD) == 0
    assert Match((0, 0), (0, 0)).after(score, RAILROAD) == Match(games_won=(2, 0), carry=(3, 0))


def test_t67_a_lone_maker_euchred_by_a_lone_defender_gives_four_V6_O10():
    assert deal_points(RAILROAD, 0, (0, 1), (2, 3)) == (0, 4)


# Two and three players


TWO, THREE = PRESETS["two_handed"], PRESETS["three_handed"]


def test_t68_two_players_bid_in_turn_and_the_other_one_leads_V4():
    state = deal(dealer=1, up="9H", rules=TWO)
    assert (state.up_card, len(state.kitty)) == ("9H", 13)
    for seat in (0, 1):
        assert (state.turn, choices(state)) == (seat, {"pass", "order_up"})
        state = act(state, "pass" if seat == 0 else "order_up")
    assert len(choices(state)) == 6, "a dealer who accepts must take the up-card"
    by_dealer = act(state, str(state.legal[0]))
    by_other = act(deal(dealer=1, up="9H", rules=TWO), "order_up decline")
    assert [order_of_play(played) for played in (by_dealer, by_other)] == [[0, 1], [0, 1]]


@pytest.mark.parametrize(("tricks", "points"), [(5, (2, 0)), (3, (1, 0)), (2, (0, 2))])
def test_t69_of_two_the_maker_scores_or_the_other_V4(tricks, points):
    assert deal_points(TWO, 0, (), (tricks, 5 - tricks)) == points


def test_t70_of_three_eldest_leads_whoever_is_maker_V5():
    state = deal(dealer=2, up="9H", rules=THREE)
    assert [len(state.kitty), *map(len, state.hands)] == [8, 5, 5, 5]
    state = act(state, "pass order_up decline")
    assert (state.maker, order_of_play(state)) == (1, [0, 1, 2])


@pytest.mark.parametrize(
    ("tricks_won", "points"), [((0, 5, 0), (0, 3, 0)), ((1, 4, 0), (0, 1, 0)), ((1, 2, 2), (2, 0, 2))]
)
def test_t71_of_three_the_maker_scores_or_both_others_V5(tricks_won, points):
    assert deal_points(THREE, 1, (), tricks_won) == points


@pytest.mark.parametrize(
    ("score", "after", "won"),
    [
        pytest.param((9, 3, 8), (11, 3, 10), 0, id="T72 the higher total wins V5 G14"),
        pytest.param((9, 3, 9), (11, 3, 11), None, id="T73 level at the top: deal again V5 G14"),
    ],
)
def test_two_of_three_may_reach_the_target_in_the_same_deal(score, after, won):
    points = deal_points(THREE, 1, (), (2, 1, 2))
    assert tuple(map(sum, zip(score, points, strict=True))) == after
    assert winner(after, THREE) == won


# House rules


def test_t74_the_dealers_partner_may_only_assist_alone_and_is_free_in_round_two_O6():
    state = act(deal(dealer=3, up="9H", rules=replace(ARTICLE, canadian_loner=True)), "pass")
    assert (state.turn, choices(state)) == (1, {"pass", "order_up_alone"})
    state = act(state, "pass pass pass pass")
    assert (state.turn, choices(state)) == (1, {"pass", "call:C", "call:D", "call:S"})


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        pytest.param("JD AS KS QC 9C", {"pass"}, id="T75 the left bower is no natural trump O12"),
        pytest.param("TH AS KS QC 9C", {"pass", "order_up"}, id="T76 O12"),
    ],
)
def test_a_dealer_may_need_a_natural_trump_to_accept(hand, may):
    rules = replace(ARTICLE, must_have_trump="dealer")
    state = deal(dealer=3, up="9H", held=hands(s0="9D TD QD KD AD", s3=hand), rules=rules)
    assert choices(state) == {"pass", "order_up"}, "only the dealer"
    assert choices(act(state, "pass pass pass")) == may


@pytest.mark.parametrize(
    ("option", "hand", "weak"),
    [
        ("farmers_redeal", "9S TS 9H TD 9C", True),
        ("farmers_redeal", "9S TS 9H TD AC", False),
        ("farmers_redeal", "9S TS 9H TD QC", False),
        ("ace_no_face", "9S TS 9H TD 9C", False),
        ("ace_no_face", "9S TS 9H TD AC", True),
        ("ace_no_face", "9S TS 9H TD QC", False),
    ],
)
def test_t77_a_farmers_hand_and_an_ace_without_a_face_O13(option, hand, weak):
    state = deal(dealer=3, up="AS", held=hands(s0=hand), rules=replace(ARTICLE, weak_hand=option))
    assert choices(state) == ({"keep", "declare"} if weak else {"keep"})


NO_TRUMP = replace(ARTICLE, no_trump="round2")


def no_trump(**held):
    """Seat 0 has called no-trump and leads."""
    return to_the_lead(act(deal(dealer=3, up="9H", held=hands(**held), rules=NO_TRUMP), f"{ROUND_TWO} call:N"))


def test_t78_no_jack_is_a_bower_at_no_trump_O14():
    assert may_play("N", "KD", "JD JH AS") == {"JD"}
    state = act(no_trump(s0="KD 9C TC QC KC", s1="JD JH AS KS QS"), "play:KD")
    assert choices(state) == {"play:JD"}


def test_t79_the_highest_of_the_suit_led_wins_at_no_trump_O14():
    assert who_wins("N", "S0 9D, S1 JD, S2 AS, S3 TD") == 1
    held = {"s0": "9D 9C TC QC KC", "s1": "JD JH KS QS AH", "s2": "AS TS 9S JC AC", "s3": "TD TH QH KH JS"}
    state = act(no_trump(**held), "play:9D play:JD play:AS play:TD")
    assert state.turn == 1


# Claims: seat 0 leads twice and nobody else holds a trump, for those not named lie in the kitty


def leading(up, hand, *leads):
    """Seat 0 orders spades up, the dealer leaves the up-card, and seat 0 wins these leads."""
    state = to_the_lead(act(deal(dealer=3, up=up, held=hands(s0=hand)), "order_up decline"))
    for card in leads:
        state = act(state, f"play:{card}")
        while state.turn != 0:
            state = apply(state, legal_actions(state)[0])
    return state


def test_t80_two_boss_trumps_draw_two_that_may_be_out_O16():
    state = leading("KS", "JS JC AH QS TS", "QS", "TS")
    assert {"AS", "9S"} < set(state.kitty)
    assert choices(state) == {"play:JS", "play:JC", "play:AH", "claim"}
    done = act(state, "claim")
    assert (done.phase, done.tricks_won, done.points) == ("done", (5, 0), (2, 0))


def test_t81_two_boss_trumps_do_not_draw_three_O16():
    state = leading("TS", "JS JC AH QS AD", "QS", "AD")
    assert set(state.kitty) == {"AS", "KS", "9S"}
    assert choices(state) == {"play:JS", "play:JC", "play:AH"}


def test_t82_the_left_bower_is_not_boss_while_the_right_is_out_O16():
    state = leading("9S", "JC AH KS QS TS", "KS", "QS", "TS")
    assert "JS" in state.kitty
    assert choices(state) == {"play:JC", "play:AH"}
