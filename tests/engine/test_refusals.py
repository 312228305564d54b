"""What is refused, and the sentence that says so."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from games.engine import PRESETS, Action, IllegalAction, Rules, apply, pack, parse_action, start_deal
from games.engine.actions import ACTIONS
from tests.engine.table import ARTICLE, act, deal, hands, table_in_play, to_the_lead

BID2 = "pass pass pass pass"


def refusal(state, text):
    with pytest.raises(IllegalAction) as caught:
        apply(state, parse_action(text))
    return caught.value


def test_a_player_who_can_follow_is_told_with_which_cards_R42():
    state = act(table_in_play("S", 0, {0: ["KD"], 1: ["QD", "TD", "AC"]}), "play:KD")
    error = refusal(state, "play:AC")
    assert str(error) == "Follow diamonds: queen or ten."
    assert (error.code, error.params) == ("follow_suit", {"suit": "D", "cards": ("QD", "TD")})


def test_the_left_bower_is_named_in_full_among_trumps_R12_R42():
    state = act(table_in_play("S", 0, {0: ["KS"], 1: ["9S", "JC", "AC"]}), "play:KS")
    assert str(refusal(state, "play:AC")) == "Follow spades: nine or jack of clubs."


@pytest.mark.parametrize(
    ("actions", "refused", "code", "params", "sentence"),
    [
        ("", "play:AH", "wrong_phase", {"phase": "bid1"}, "Order the up-card or pass."),
        ("", "call:S", "wrong_phase", {"phase": "bid1"}, "Order the up-card or pass."),
        ("order_up", "pass", "wrong_phase", {"phase": "exchange"}, "Choose one of your six cards to discard."),
        ("order_up", "discard:AC", "not_in_hand", {"card": "AC"}, "You do not hold that card."),
        (
            "pass pass pass order_up",
            "decline",
            "must_take",
            {},
            "You must take the up-card: choose a card to discard.",
        ),
        (BID2, "order_up", "wrong_phase", {"phase": "bid2"}, "Name a suit."),
        (BID2, "call:H", "turned_down", {"suit": "H"}, "Hearts was turned down: name another suit."),
        (
            f"{BID2} call:S",
            "play:AH",
            "wrong_phase",
            {"phase": "alone"},
            "Say whether you go alone or play together.",
        ),
        (
            f"{BID2} call:S together together together together",
            "alone",
            "wrong_phase",
            {"phase": "play"},
            "Play a card.",
        ),
        (
            f"{BID2} call:S together together together together",
            "play:AH",
            "not_in_hand",
            {"card": "AH"},
            "You do not hold that card.",
        ),
        (f"{BID2} {BID2}", "pass", "deal_over", {}, "This deal is over."),
    ],
)
def test_a_refusal_says_what_to_do_instead(actions, refused, code, params, sentence):
    state = act(deal(dealer=3, up="9H", held=hands(s3="AH KD QD 9S TS")), actions)
    error = refusal(state, refused)
    assert (error.code, error.params, str(error)) == (code, params, sentence)


def test_a_stuck_dealer_may_not_pass_R32():
    state = act(deal(rules=replace(ARTICLE, stick_the_dealer=True)), f"{BID2} pass pass pass")
    error = refusal(state, "pass")
    assert (error.code, str(error)) == ("stuck", "The dealer may not pass now: name a suit.")


def house(actions="", held="", up="9H", preset="article", **options):
    """Dealer 3, seat 0 with these cards, after these actions."""
    rules = replace(PRESETS[preset], **options)
    return act(deal(dealer=3, up=up, held=hands(s0=held) if held else None, rules=rules), actions)


WEAK, NO_TRUMP_HELD = "9S TS 9H TD 9C", "JD AC KC QC TC"
NEED_TRUMP = "You need a card of that suit to make it trump."
LATER = "You are asked about going alone later, if at all."
MUST_TAKE = "You must take the up-card: choose a card to discard."
NOT_HELD = "You do not hold that card."
NO_NO_TRUMP = "No-trump may not be called here: name a suit."
PUT_UNDER, GIVE_A_CARD = "Choose a card to put under.", "Answer the call for the best card."
ALONE_ONLY = "The dealer's partner orders up alone or passes."

HOUSE_REFUSALS = {
    "a hand that is not weak O13": (
        house(weak_hand="farmers_redeal", held="9S TS 9H TD AC", up="AS"),
        *("declare", "not_weak", {}, "Your hand is not weak enough to declare it."),
    ),
    "a bid before weak hands O13": (
        house(weak_hand="farmers_redeal"),
        *("order_up", "wrong_phase", {"phase": "weak"}, "Say whether you declare a weak hand."),
    ),
    "no way back from a swap O13": (
        house("declare", weak_hand="farmers_swap", held=WEAK, up="AS"),
        *("keep", "wrong_phase", {"phase": "swap"}, PUT_UNDER),
    ),
    "a card under that is not held O13": (
        house("declare", weak_hand="farmers_swap", held=WEAK, up="AS"),
        *("discard:AS", "not_in_hand", {"card": "AS"}, NOT_HELD),
    ),
    "the joker's suit must be named V3": (
        house(preset="british", up="B"),
        *("pass", "wrong_phase", {"phase": "benny"}, "Name a suit for the joker."),
    ),
    "the joker's suit is a suit V3": (house(preset="british", up="B"), "call:N", "no_trump", {}, NO_NO_TRUMP),
    "the joker must be taken V3": (house("call:S", preset="british", up="B"), "decline", "must_take", {}, MUST_TAKE),
    "no natural trump O12": (
        house(must_have_trump="any", held=NO_TRUMP_HELD),
        *("order_up", "need_trump", {}, NEED_TRUMP),
    ),
    "no natural trump and alone O12 O20": (
        house(must_have_trump="any", alone_timing="with_call", held=NO_TRUMP_HELD),
        *("order_up_alone", "need_trump", {}, NEED_TRUMP),
    ),
    "no card of the suit called O12": (
        house(BID2, must_have_trump="any", held=NO_TRUMP_HELD),
        *("call:S", "need_trump", {}, NEED_TRUMP),
    ),
    "assisting together O6": (house("pass", canadian_loner=True), "order_up", "alone_only", {}, ALONE_ONLY),
    "assisting alone without a trump O6 O12": (
        house("pass", canadian_loner=True, must_have_trump="any", held="9D TD KH TH JH"),
        *("order_up_alone", "need_trump", {}, NEED_TRUMP),
    ),
    "others are asked later O6": (house(canadian_loner=True), "order_up_alone", "not_with_call", {}, LATER),
    "alone before the lead R37": (house(), "order_up_alone", "not_with_call", {}, LATER),
    "alone before the lead in round two R37": (house(BID2), "call_alone:S", "not_with_call", {}, LATER),
    "no-trump is off O14": (house(BID2), "call:N", "no_trump", {}, NO_NO_TRUMP),
    "turned down alone too G4": (
        house(BID2, alone_timing="with_call"),
        *("call_alone:H", "turned_down", {"suit": "H"}, "Hearts was turned down: name another suit."),
    ),
    "two cards go first V4": (
        act(deal(dealer=1, rules=replace(PRESETS["two_handed"], two_handed_dummy=2)), "order_up decline"),
        *("play:9C", "wrong_phase", {"phase": "dummy"}, "Choose a card to put away."),
    ),
    "a loner gives nothing O17": (
        house("order_up decline alone", partners_best=True),
        *("give:9C", "wrong_phase", {"phase": "best"}, GIVE_A_CARD),
    ),
    "a partner must give O17": (
        house("order_up decline alone discard:AC", partners_best=True, held=NO_TRUMP_HELD),
        *("keep", "wrong_phase", {"phase": "best"}, GIVE_A_CARD),
    ),
    "a gift that is not held O17": (
        house("order_up decline alone discard:AC", partners_best=True, held=NO_TRUMP_HELD),
        *("give:KC", "not_in_hand", {"card": "KC"}, NOT_HELD),
    ),
    "a claim that is not certain O16": (
        house(f"{BID2} call:S together together together together"),
        *("claim", "not_certain", {}, "The remaining tricks are not certain: play a card."),
    ),
}


@pytest.mark.parametrize(
    ("state", "refused", "code", "params", "sentence"), HOUSE_REFUSALS.values(), ids=HOUSE_REFUSALS
)
def test_house_rules_have_their_own_refusals(state, refused, code, params, sentence):
    error = refusal(state, refused)
    assert (error.code, error.params, str(error)) == (code, params, sentence)


def test_the_joker_is_named_in_full_among_trumps_V3_R42():
    held = hands(s0="AH KC QC JC TC", s1="B QH AC 9C 9S")
    state = to_the_lead(act(deal(dealer=3, up="9H", held=held, rules=PRESETS["railroad"]), "order_up decline"))
    assert str(refusal(act(state, "play:AH"), "play:AC")) == "Follow hearts: joker or queen."


def test_an_action_nobody_has_heard_of_is_refused():
    with pytest.raises(IllegalAction, match=r"There is no such action\."):
        apply(deal(), Action("play", card="1X"))


def test_actions_made_by_hand_count_like_those_that_are_read():
    state = apply(act(deal(), f"{BID2} call:S"), Action("alone"))
    assert state.loners == (0,)


def test_every_action_is_either_legal_or_refused_and_a_refusal_changes_nothing():
    states = [deal()]
    for text in ["pass", "pass", "pass", "order_up", "discard:9H", "together", "together", "together", "together"]:
        states.append(act(states[-1], text))
    for state in (*states, act(deal(), f"{BID2} call:S"), act(deal(), f"{BID2} {BID2}"), act(deal(), BID2)):
        before = repr(state)
        for action in ACTIONS.values():
            if action in state.legal:
                assert apply(state, action).history[-1] == (state.turn, action)
            else:
                with pytest.raises(IllegalAction):
                    apply(state, action)
        assert repr(state) == before


def test_a_refusal_survives_a_journey_between_processes():
    error = refusal(deal(), "play:AH")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.params, str(again)) == (error.code, error.params, str(error))


@pytest.mark.parametrize("instead", [(), ("7H",), ("AS",), ("9C", "AS")], ids=["short", "foreign", "twice", "long"])
def test_only_a_whole_pack_can_be_dealt_R4(instead):
    deck = (*instead, *pack()[1:])  # the nine of clubs is first
    with pytest.raises(ValueError, match="every card of the pack once"):
        start_deal(ARTICLE, 0, deck)


@pytest.mark.parametrize("wrong", [{"target_score": 3}, {"lone_euchred": 3}, {"dealer_exchange": "never"}])
def test_rules_take_only_the_values_of_section_5(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is one of"):
        Rules(**wrong)
