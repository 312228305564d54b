"""House rules that have no worked vector: what section 5 says of them, and the rulings of the engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.engine import (
    PRESETS,
    DealRecord,
    GameRecord,
    IllegalAction,
    Match,
    Rules,
    deal_points,
    dealer_after,
    first_dealer,
    pack,
    parse_action,
    replay,
    start_deal,
    view,
    winner,
)
from tests.engine.table import ARTICLE, act, choices, deal, hands, order_of_play, stacked_deck, to_the_lead

BRITISH, RAILROAD, TWO, THREE = (PRESETS[name] for name in ("british", "railroad", "two_handed", "three_handed"))
ROUND_TWO = "pass pass pass pass"
WEAK = "9S TS 9H TD 9C"


def house(**options):
    return replace(ARTICLE, **options)


# The first dealer and the deal (O2)


def test_the_first_dealer_is_whoever_is_dealt_the_ace_of_spades_each_as_often_R15():
    for players, rules in ((4, ARTICLE), (2, TWO), (3, THREE)):
        places = Counter()
        for at in range(24):
            cards = [card for card in pack() if card != "AS"]
            cards.insert(at, "AS")
            places[first_dealer(rules, cards)] += 1
        assert places == dict.fromkeys(range(players), 24 / players)


def test_the_first_black_jack_may_decide_who_deals_O2():
    rest = [card for card in pack() if card not in ("JC", "JS")]
    for first in ("JC", "JS"):
        cards = [*rest[:6], first, *rest[6:], "JS" if first == "JC" else "JC"]
        assert first_dealer(house(first_dealer="first_black_jack"), cards) == 6 % 4


def test_two_and_three_and_two_may_be_dealt_instead_O2():
    state = start_deal(house(packets="2-3"), 3, pack())
    assert state.hands == (
        ("9C", "TC", "KD", "AD", "9H"),
        ("JC", "QC", "KC", "TH", "JH"),
        ("AC", "9D", "QH", "KH", "AH"),
        ("TD", "JD", "QD", "9S", "TS"),
    )
    assert state.up_card == "JS"


@pytest.mark.parametrize(("rules", "dealer"), [(ARTICLE, 4), (ARTICLE, -1), (TWO, 2), (THREE, 3)])
def test_only_a_seat_of_the_table_deals(rules, dealer):
    with pytest.raises(ValueError, match="the dealer is a seat from 0 to"):
        start_deal(rules, dealer, pack())


# The end of a game


def test_a_fixed_number_of_deals_ends_a_game_unless_it_is_level_O22():
    rules = house(num_deals=4)
    assert winner((12, 3), rules, deals=3) is None
    assert winner((12, 3), rules, deals=4) == 0
    assert winner((7, 7), rules, deals=4) is None
    assert winner((7, 8), rules, deals=5) == 1


def test_a_match_counts_games_of_two_and_three_sides():
    assert Match((1, 2), (0, 0)).after((3, 10), ARTICLE) == Match((1, 3), (0, 0))
    rules = replace(THREE, laps=True, slam=True)
    assert Match((0, 0, 1), (0, 0, 2)).after((0, 0, 12), rules) == Match((0, 0, 3), (0, 0, 2))
    assert Match((0, 0, 0), (0, 0, 0)).after((1, 0, 10), rules) == Match((0, 0, 1), (0, 0, 0))
    with pytest.raises(ValueError, match="a game is won by one side"):
        Match((0, 0), (0, 0)).after((9, 9), ARTICLE)


def test_a_record_may_start_with_points_carried_over_V6():
    record = GameRecord(RAILROAD, 0, (DealRecord(stacked_deck(0, "9H", rules=RAILROAD), ()),), start=(3, 0))
    assert replay(record).scores == ((3, 0),)
    with pytest.raises(IllegalAction) as caught:
        replay(replace(record, start=(0, 10)))
    assert caught.value.code == "game_over"


# Passing (O3, O21)


def test_a_stuck_dealer_may_buy_his_freedom_for_a_point_O21():
    state = act(deal(rules=house(stick_the_dealer=True, all_pass_penalty=1)), f"{ROUND_TWO} pass pass pass")
    assert choices(state) == {"pass", "call:C", "call:D", "call:S"}
    state = act(state, "pass")
    assert (state.phase, state.passed_out, state.points) == ("done", True, (1, 0)), "seat 3 dealt"
    three = replace(THREE, stick_the_dealer=True, all_pass_penalty=1)
    assert act(deal(dealer=1, rules=three), "pass " * 6).points == (1, 0, 1)


# Who needs a natural trump (O12)


def test_any_caller_may_need_a_natural_trump_O12():
    rules = house(must_have_trump="any", stick_the_dealer=True)
    held = hands(s0="JD AC KC QC TC", s1="TH AS KS QS 9S", s3="AH KH QH JH 9C")
    state = deal(dealer=3, up="9H", held=held, rules=rules)
    assert choices(state) == {"pass"}, "the left bower is not enough"
    assert choices(act(state, "pass")) == {"pass", "order_up"}
    state = act(state, ROUND_TWO)
    assert choices(state) == {"pass", "call:C", "call:D"}
    assert choices(act(state, "pass pass pass")) == {"call:C"}, "the only suit he holds"


def test_a_stuck_dealer_without_any_suit_to_name_is_excused_O12():
    rules = house(must_have_trump="any", stick_the_dealer=True, no_trump="stuck_dealer")
    state = act(deal(dealer=3, up="9H", held=hands(s3="AH KH QH JH TH"), rules=rules), f"{ROUND_TWO} pass pass pass")
    assert choices(state) == {"call:C", "call:D", "call:S", "call:N"}


def test_a_hand_without_any_suit_to_name_may_only_pass_O12():
    state = act(deal(dealer=3, up="9H", held=hands(s0="AH KH QH JH TH"), rules=house(must_have_trump="any")), ROUND_TWO)
    assert choices(state) == {"pass"}


def test_the_joker_is_no_natural_trump_but_its_suit_may_be_named_without_one_O12_V3():
    rules = replace(RAILROAD, must_have_trump="any")
    assert choices(deal(up="9H", held=hands(s0="B AC KC QC TC"), rules=rules)) == {"pass"}
    rules = replace(BRITISH, must_have_trump="any")
    state = deal(dealer=3, up="B", held=hands(s3="AC KC QC JC TC"), rules=rules)
    assert choices(state) == {"call:C", "call:D", "call:H", "call:S"}


# No-trump (O14)


def test_no_trump_may_be_open_to_all_in_round_two_or_to_a_stuck_dealer_O14():
    state = act(deal(dealer=3, rules=house(no_trump="round2")), ROUND_TWO)
    assert choices(state) == {"pass", "call:C", "call:D", "call:S", "call:N"}
    stuck = house(no_trump="stuck_dealer", stick_the_dealer=True, alone_timing="with_call")
    state = act(deal(dealer=3, rules=stuck), ROUND_TWO)
    assert "call:N" not in choices(state)
    state = act(state, "pass pass pass")
    assert {"call:N", "call_alone:N"} < choices(state)


def test_every_card_must_be_boss_for_a_claim_at_no_trump_O16():
    rules = house(no_trump="round2")
    held = hands(s0="AC KC QC AD AH", s1="JC TC 9C KD QD")
    state = to_the_lead(act(deal(dealer=3, up="9H", held=held, rules=rules), f"{ROUND_TWO} call:N"))
    assert "claim" in choices(state)
    held = hands(s0="AC KC JC AD AH", s1="QC TC 9C KD QD")
    state = to_the_lead(act(deal(dealer=3, up="9H", held=held, rules=rules), f"{ROUND_TWO} call:N"))
    assert "claim" not in choices(state)


# The joker turned up (O15)


def test_a_dealer_may_look_before_he_names_the_jokers_suit_O15():
    state = deal(dealer=2, up="B", rules=replace(BRITISH, joker_up="dealer_sees"))
    assert (state.phase, state.turn, view(state, 2).hand) == ("benny", 2, state.hands[2])
    assert view(state, 2).proposed is None


@pytest.mark.parametrize(("word", "suit"), [("hearts", "H"), ("spades", "S")])
def test_the_joker_may_stand_for_a_suit_and_is_taken_like_any_up_card_O15(word, suit):
    state = act(deal(dealer=3, up="B", rules=replace(BRITISH, joker_up=word)), "pass order_up")
    assert state.trump == suit
    state = act(state, str(state.legal[0]))
    assert "B" in state.hands[3]


def test_a_dealer_names_the_jokers_suit_and_goes_alone_in_one_breath_O20_V3():
    state = deal(dealer=2, up="B", rules=replace(BRITISH, alone_timing="with_call"))
    assert {"call:H", "call_alone:H"} < choices(state)
    state = act(state, "call_alone:H")
    assert state.phase == "exchange", "he plays, and so he takes the joker"
    state = act(state, str(state.legal[0]))
    assert (state.loners, state.turn) == ((2,), 3), "defenders are asked, the makers are not"


# Weak hands (O13)


def test_a_declared_weak_hand_is_shown_and_the_same_dealer_deals_again_O13():
    state = act(deal(dealer=3, up="AS", held=hands(s1=WEAK), rules=house(weak_hand="farmers_redeal")), "keep declare")
    assert (state.phase, state.redeal, state.passed_out, state.points) == ("done", True, False, (0, 0))
    assert dealer_after(state) == 3
    for seat in (0, 1, 2, 3, None):
        assert view(state, seat).shown == state.hands[1]
    assert dealer_after(act(deal(dealer=3), f"{ROUND_TWO} {ROUND_TWO}")) == 0
    assert view(deal(), 0).shown == ()


def test_a_redeal_does_not_count_as_a_deal_O13_O22():
    rules = house(weak_hand="farmers_redeal", num_deals=4)
    redeal = DealRecord(stacked_deck(3, "AS", hands(s0=WEAK), rules), (parse_action("declare"),))
    game = replay(GameRecord(rules, 3, (redeal,) * 6))
    assert [state.dealer for state in game.deals] == [3] * 6
    assert game.winner is None


def test_a_farmer_goes_under_for_three_cards_of_the_kitty_once_a_deal_O13():
    rules = house(weak_hand="farmers_swap")
    state = deal(dealer=3, up="AS", held=hands(s0="9S TS 9H TD 9C", s1="TC 9D TH QC KC"), rules=rules)
    kitty = state.kitty
    state = act(state, "declare")
    assert (state.phase, state.turn) == ("swap", 0)
    state = act(state, "discard:9S discard:9H discard:9C")
    assert state.hands[0] == ("TS", "TD", *kitty)
    assert (state.phase, state.turn) == ("bid1", 0), "seat 1 has nobody above a ten but a queen and a king"
    assert view(state, 0).put_away == ("9S", "9H", "9C")
    assert [str(action) for _seat, action in view(state, 1).history] == ["declare", "discard", "discard", "discard"]


def test_only_the_first_to_declare_goes_under_O13():
    held = hands(s0="9S TS 9H TD 9C", s1="TC 9D TH KC QC")
    state = deal(dealer=3, up="AS", held=held, rules=house(weak_hand="farmers_swap"))
    assert act(state, "declare discard:9S discard:9H discard:9C").phase == "bid1"
    assert [act(state, "keep " * asked).turn for asked in (0, 1, 2, 3)] == [0, 1, 2, 3], "every seat is asked"
    assert act(state, "keep keep keep keep").phase == "bid1"


def test_nothing_above_a_ten_is_weak_in_the_longer_packs_too_O13():
    rules = house(pack=32, weak_hand="farmers_redeal")
    assert "declare" in choices(deal(up="AS", held=hands(s0="7S 8S 9H TD 7C"), rules=rules))
    rules = house(pack=33, weak_hand="ace_no_face")
    assert "declare" not in choices(deal(up="AS", held=hands(s0="7S 8S 9H TD B"), rules=rules)), "the joker is no ace"


def test_nobody_is_asked_for_a_weak_hand_that_nobody_has_seen_O13_V3():
    rules = replace(BRITISH, weak_hand="farmers_redeal")
    assert deal(dealer=3, up="B", rules=rules).phase == "benny"
    state = deal(dealer=3, up="B", rules=replace(rules, joker_up="dealer_sees"))
    assert state.phase == "weak"
    assert act(state, "keep keep keep keep").phase == "benny"


# Going alone with the call (O6, O20)


def test_a_maker_goes_alone_with_the_call_or_not_at_all_O20():
    rules = house(alone_timing="with_call")
    state = deal(dealer=3, up="9H", rules=rules)
    assert choices(state) == {"pass", "order_up", "order_up_alone"}
    state = act(state, "order_up_alone")
    assert (state.phase, state.loners) == ("exchange", (0,)), "the dealer plays, and so he may take the card"
    state = act(state, "decline")
    assert (state.phase, state.turn) == ("alone", 1), "only the defenders are asked"
    state = act(deal(dealer=3, up="9H", rules=rules), "order_up decline")
    assert (state.phase, state.turn) == ("alone", 1), "nor is his partner"
    rules = house(alone_timing="with_call", alone_who="none")
    assert choices(deal(rules=rules)) == {"pass", "order_up"}


@pytest.mark.parametrize("options", [{"alone_timing": "with_call"}, {"canadian_loner": True}])
def test_a_dealer_who_is_known_to_sit_out_makes_no_exchange_O6_O20(options):
    state = act(deal(dealer=3, up="9H", rules=house(**options)), "pass order_up_alone")
    assert (state.phase, state.turn, state.up_card_state, state.discard) == ("alone", 2, "declined", None)
    state = to_the_lead(state)
    assert state.sitting_out == (3,)
    assert order_of_play(state) == [2, 0, 1]


def test_where_the_dealers_partner_assists_alone_others_may_call_alone_O6_O20():
    state = act(deal(dealer=3, up="9H", rules=house(canadian_loner=True, alone_timing="with_call")), "pass")
    assert choices(state) == {"pass", "order_up_alone"}
    state = act(state, "pass pass pass call_alone:S")
    assert state.loners == (0,)


# Partner's best (O17)


BEST = house(partners_best=True)


def test_each_loner_in_turn_may_call_for_a_card_the_maker_before_defenders_are_asked_V6():
    state = act(deal(dealer=3, up="9H", rules=BEST), "order_up decline alone")
    assert (state.phase, state.turn) == ("best", 0)
    state = act(state, "keep")
    assert (state.phase, state.turn) == ("alone", 1)
    state = act(state, "alone")
    assert (state.phase, state.turn) == ("best", 1)
    state = act(act(state, str(state.legal[1])), "give:9H")
    assert (state.phase, state.up_card_state) == ("play", "given"), "his partner is the dealer, who had left the card"


def test_a_maker_who_is_alone_with_the_call_calls_for_a_card_before_defenders_are_asked_V6_O20():
    rules = replace(BEST, alone_timing="with_call")
    state = act(deal(dealer=3, up="9H", rules=rules), f"{ROUND_TWO} call_alone:S")
    assert (state.phase, state.turn) == ("best", 0)
    assert (act(state, "keep").phase, act(state, "keep").turn) == ("alone", 1)


def test_a_dealer_who_was_not_asked_to_take_the_up_card_may_give_it_V6_O6():
    rules = replace(BEST, canadian_loner=True)
    state = act(deal(dealer=3, up="9H", rules=rules), "pass order_up_alone")
    assert (state.phase, state.turn) == ("best", 1)
    assert "give:9H" in choices(act(state, str(state.legal[1])))


def test_an_up_card_the_dealer_took_is_given_like_any_of_his_cards_V6():
    held = hands(s1="AS KS QS JS TS", s3="AC KC QC JC TC")
    state = act(deal(dealer=3, up="9H", held=held, rules=BEST), "pass order_up discard:TC alone discard:TS give:9H")
    assert state.up_card_state == "taken"
    assert "9H" in state.hands[1]
    assert "9H" not in state.hands[3]
    assert view(state, None).up_card_state == "taken"


def test_a_turned_down_card_is_not_given_V6():
    state = act(deal(dealer=3, up="9H", rules=BEST), f"{ROUND_TWO} pass call:S alone")
    state = act(state, str(state.legal[1]))
    assert state.turn == 3
    assert "give:9H" not in choices(state)


def test_only_a_claimant_who_knows_the_up_card_dead_counts_it_as_dead_O16_O17():
    held = hands(s0="JD AC KC QC TC", s1="AH QS JS TS 9S", s2="JH QH TH KS AS", s3="9C JC 9D TD QD")

    def dead(actions):
        state = act(deal(dealer=3, up="9H", held=held, rules=BEST), actions)
        assert state.phase == "play"
        return [bool(bits & ~own) for bits, own in zip(state.dead, own_cards(state), strict=True)]

    def own_cards(state):
        return [sum(1 << pack(33).index(card) for who, card in state.put_away if who == seat) for seat in range(4)]

    assert dead("order_up decline together together together together") == [True] * 4
    call = "pass order_up decline alone discard:AH"
    assert dead(f"{call} give:9C together together") == [False, True, False, True], "the loner and the dealer know"
    assert dead(f"{call} give:9H together together") == [False] * 4
    assert dead("order_up decline alone discard:JD give:QH together together") == [True] * 4, "the dealer gave nothing"


# Two players and a dummy (V4 b)


def test_a_maker_of_two_takes_two_cards_and_puts_two_away_V4():
    state = deal(dealer=1, up="9H", rules=replace(TWO, two_handed_dummy=2))
    kitty = state.kitty
    state = act(state, "order_up decline")
    assert (state.phase, state.turn) == ("dummy", 0)
    assert state.hands[0][5:] == kitty[:2]
    state = act(state, f"discard:{state.hands[0][0]} discard:{kitty[0]}")
    assert (state.phase, state.turn, len(state.hands[0])) == ("play", 0, 5)
    assert len(view(state, 0).put_away) == 2
    assert view(state, 1).put_away == ()


# Points (O10, O11, O18)


def test_makers_without_a_trick_may_give_four_O18():
    rules = house(super_euchre=True)
    assert deal_points(rules, 0, (), (0, 5)) == (0, 4)
    assert deal_points(rules, 0, (), (1, 4)) == (0, 2)
    assert deal_points(rules, 0, (0,), (0, 5)) == (0, 4)
    assert deal_points(rules, 0, (1,), (1, 4)) == (0, 2)
    assert deal_points(replace(THREE, super_euchre=True), 0, (), (0, 2, 3)) == (0, 4, 4)


def test_a_claim_can_be_off_O16():
    held = hands(s0="JH JD AH KH QH")
    for claim in (True, False):
        state = to_the_lead(act(deal(dealer=3, up="9H", held=held, rules=house(claim=claim)), "order_up decline"))
        assert ("claim" in choices(state)) == claim


def test_the_last_card_is_played_and_not_claimed_O16():
    held = hands(s0="JH JD AH KH QH")
    state = to_the_lead(act(deal(dealer=3, up="9H", held=held), "order_up decline"))
    for card in held[0][:4]:
        assert "claim" in choices(state)
        state = act(state, f"play:{card}")
        while state.turn != 0:
            state = act(state, str(state.legal[0]))
    assert choices(state) == {"play:QH"}


# What excludes what


EXCLUDED = [
    ({"no_trump": "round2", "pack": 25}, ("no_trump", "joker")),
    ({"no_trump": "stuck_dealer"}, ("no_trump", "stick_the_dealer")),
    ({"all_pass_penalty": 1}, ("all_pass_penalty", "stick_the_dealer")),
    ({"players": 2}, ("alone_who", "players")),
    ({"players": 3}, ("alone_who", "players")),
    ({"alone_who": "none", "canadian_loner": True}, ("alone_who", "canadian_loner")),
    ({"alone_who": "none", "partners_best": True}, ("alone_who", "partners_best")),
    ({"num_deals": 4, "laps": True}, ("num_deals", "laps")),
    ({"num_deals": 4, "slam": True}, ("num_deals", "slam")),
    ({"two_handed_dummy": 2}, ("two_handed_dummy", "players")),
]


@pytest.mark.parametrize(("options", "named"), EXCLUDED)
def test_options_that_exclude_each_other_are_refused_in_a_sentence_that_names_both(options, named):
    with pytest.raises(ValueError, match=r"\.$") as caught:
        Rules(**options)
    assert all(name in str(caught.value) for name in named)


def test_every_preset_is_as_section_5_3_has_it():
    assert PRESETS["article"] == Rules()
    assert PRESETS["tournament_scene"] == Rules(stick_the_dealer=True)
    assert Rules(pack=25, target_score=11, dealer_exchange="mandatory", lone_defender="4") == BRITISH
    assert PRESETS["pack32"] == Rules(pack=32)
    assert Rules(players=2, alone_who="none") == TWO
    assert Rules(players=3, alone_who="none") == THREE
    assert (
        Rules(
            pack=25,
            defend_alone="vs_loner",
            lone_defender="4",
            joker_up="hearts",
            partners_best=True,
            laps=True,
            slam=True,
        )
        == RAILROAD
    )
