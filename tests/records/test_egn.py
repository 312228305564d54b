"""Euchre Game Notation and back, files of others, bad files, and anything at all."""

from __future__ import annotations

import copy
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import engine
from games.engine import PRESETS, EngineError, GameRecord, Rules, format_game, replay
from games.records import LIMIT, BadRecord, from_egn, read_record, ruleset, to_egn
from tests.engine.any_rules import ANY_RULES, random_rules
from tests.records.made import random_game, without_kitty_order
from tests.scale import scale

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ann", "Bob", "Cy", "Di")


def deal(
    dealer: int, up: str, calls: str, tricks: str = "", *, hands: str = "", number: int = 0, **bidding: Any
) -> dict[str, Any]:
    """A deal in EGN; tricks and hands are parted by strokes."""
    state: dict[str, Any] = {"dealer": dealer, "upCard": up}
    if hands:
        state["playerCards"] = [hand.split() for hand in hands.split("/")]
    return {
        "dealNumber": number,
        "initialState": state,
        "phases": [
            {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": calls.split(), **bidding},
            {"phaseNumber": 1, "type": "TRICK_PLAY", "tricks": [trick.split() for trick in tricks.split("/") if trick]},
        ],
    }


def file(*deals: Any, ruleset: dict[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
    about = {"players": list(NAMES), "initialScore": [0, 0], **metadata}
    if ruleset is not None:
        about["ruleset"] = ruleset
    return {"fileType": "Euchre Game Notation", "version": "1.4", "metadata": about, "deals": list(deals)}


T56 = deal(
    3,
    "Js",
    "Pass Pass Pass Order",
    "Ad 9h 9d Jd/Kd Th Td 9s/Js Jc Qc Ac/Ts 9c Jh Qh/Ah Tc Kc Kh",
    discard="Qd",
)
"""The deal of vector T56: 4 tricks for the makers, seats 1 and 3."""


def read(document: Any) -> Any:
    return from_egn(json.dumps(document))


# --- there and back --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", range(2))
def test_a_game_of_every_preset_comes_back_whole(name, seed):
    record = random_game(PRESETS[name], seed)
    back = from_egn(to_egn(record, NAMES[: record.rules.players], title="A game"))
    assert without_kitty_order(back.record) == without_kitty_order(record)
    assert (back.players, back.title, back.guessed) == (NAMES[: record.rules.players], "A game", False)


@pytest.mark.parametrize("seed", range(30))
def test_a_game_of_any_options_comes_back_whole(seed):
    record = random_game(random_rules(random.Random(seed)), seed, deals=12)
    assert without_kitty_order(from_egn(to_egn(record)).record) == without_kitty_order(record)


@given(ANY_RULES, st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_an_unfinished_game_of_any_rules_comes_back(rules, seed):
    record = random_game(rules, seed, deals=2)
    last = record.deals[-1]
    cut = random.Random(seed).randrange(len(last.actions) + 1)
    part = GameRecord(rules, record.first_dealer, (*record.deals[:-1], last.__class__(last.deck, last.actions[:cut])))
    assert without_kitty_order(from_egn(to_egn(part)).record) == without_kitty_order(part)


def test_a_game_without_deals_keeps_its_dealer_and_its_start():
    record = GameRecord(PRESETS["railroad"], 2, (), (3, 0))
    assert from_egn(to_egn(record)).record == record


def test_a_file_fits_the_format():
    written = json.loads(to_egn(random_game(PRESETS["british"], 1), date="2026-11-30T20:15", game_id="7"))
    assert set(written) == {"fileType", "version", "metadata", "deals"}
    assert set(written["metadata"]) == {
        "gameId", "description", "date", "players", "initialScore", "finalScore", "ruleset",
    }  # fmt: skip
    assert len(written["metadata"]["description"]) <= 1024
    for one in written["deals"]:
        notes = one["phases"][0].get("callAnnotations", {"0": [""]})
        assert len(notes["0"][0]) <= 1024


def test_more_deals_than_the_format_holds_are_refused():
    rules = Rules(target_score=21)
    passed = ("pass",) * 8
    actions = tuple(map(engine.parse_action, passed))
    record = GameRecord(rules, 0, (engine.DealRecord(engine.pack(), actions),) * 101)
    with pytest.raises(BadRecord, match="at most 100 deals"):
        to_egn(record)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.egn.json")), ids=lambda path: path.name)
def test_a_golden_file_still_gives_the_same_record(path):
    text = path.read_text("utf-8")
    back = from_egn(text)
    assert format_game(back.record) == path.with_name(path.name.replace(".egn.json", ".txt")).read_text()
    if "notes" in path.name:
        assert to_egn(back.record, back.players, title=back.title) == text


# --- files of others -------------------------------------------------------------------------------


def test_a_file_that_names_no_rules_has_those_of_the_format():
    assert format_game(read(file(T56)).record).splitlines()[1] == (
        "rules article stick_the_dealer=on dealer_exchange=mandatory alone_who=maker_only alone_timing=with_call"
        " defend_alone=off lone_lead=left_of_dealer claim=off"
    )


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ({"std": False}, {"stick_the_dealer": False}),
        ({"min_rank": 7}, {"pack": 32}),
        ({"min_rank": 8}, {"pack": 28}),
        ({"joker": True}, {"pack": 25}),
        ({"joker": True, "min_rank": 7}, {"pack": 33}),
        ({"winning_score": 5}, {"target_score": 5}),
        ({"num_deals": 8}, {"num_deals": 8}),
        ({"canadian": True}, {"canadian_loner": True}),
        ({"loner_lead": "LEFT_OF_LONER"}, {"lone_lead": "left_of_loner"}),
        ({"loner_euchred_score": 4}, {"lone_euchred": 4}),
        ({"defend_alone": True}, {"alone_who": "any", "defend_alone": "vs_loner", "lone_defender": "4"}),
        ({"farmers": True}, {"weak_hand": "farmers_redeal"}),
        ({"go_under": True}, {"weak_hand": "farmers_swap"}),
        ({"partners_best": True}, {"partners_best": True}),
        ({"num_players": 2}, {"players": 2, "alone_who": "none"}),
        ({"num_players": 3}, {"players": 3, "alone_who": "none"}),
        ({"allow_no_trump": True}, {"no_trump": "round2"}),
    ],
)
def test_each_rule_of_the_format_has_its_option(ruleset, options):
    rules = read(file(ruleset=ruleset, players=[])).record.rules
    plain = read(file()).record.rules
    assert {name for name in engine.OPTIONS if getattr(rules, name) != getattr(plain, name)} == {
        name for name, value in options.items() if getattr(plain, name) != value
    }
    assert all(getattr(rules, name) == value for name, value in options.items())


def test_what_the_file_does_not_tell_is_filled_in():
    told = copy.deepcopy(T56)
    del told["phases"][0]["discard"]
    back = read(file(told))
    assert back.guessed
    state = replay(back.record).deals[0]
    assert (state.tricks_won, state.points) == ((1, 4), (0, 1))


def test_hands_and_discard_that_the_tricks_show_are_not_guessed():
    back = read(file(T56))
    assert not back.guessed
    assert replay(back.record).deals[0].discard == "QD"


def test_a_discard_that_is_not_told_follows_from_the_hands():
    told = copy.deepcopy(T56)
    hands = "Ad Kd Jc 9c Tc/9h Th Qc Jh Kc/9d Td Ac Qh Kh/Jd 9s Ts Ah Qd"
    told["initialState"]["playerCards"] = [hand.split() for hand in hands.split("/")]
    del told["phases"][0]["discard"]
    back = read(file(told))
    assert not back.guessed
    assert replay(back.record).deals[0].discard == "QD"


def test_players_may_be_objects_and_names_keep_only_what_can_be_printed():
    players = ["Ann\u202e", {"name": "Bob", "playerIds": []}, "\ud800", "D" * 80]
    assert read(file(players=players)).players == ("Ann", "Bob", "", "D" * 64)


def test_nine_may_be_n_and_bowers_r_and_l():
    told = copy.deepcopy(T56)
    told["phases"][1]["tricks"] = [
        ["Ad", "Nh", "9d", "Jd"], ["Kd", "Th", "Td", "9s"], ["R", "L", "Qc", "Ac"], ["Ts", "9c", "Jh", "Qh"],
        ["Ah", "Tc", "Kc", "Kh"],
    ]  # fmt: skip
    assert replay(read(file(told)).record).deals[0].tricks_won == (1, 4)


@pytest.mark.parametrize("seed", range(12))
def test_a_game_whose_hands_and_discards_are_not_told_is_the_same_game(seed):
    rng = random.Random(seed)
    values = {"std": [True, False], "min_rank": [9, 7], "canadian": [True, False], "defend_alone": [True, False],
              "loner_lead": ["LEFT_OF_DEALER", "LEFT_OF_LONER"], "allow_no_trump": [True, False]}  # fmt: skip
    told = {name: rng.choice(choice) for name, choice in values.items()}
    record = random_game(ruleset.rules_of(ruleset.checked(told, ""), ""), seed, deals=5)
    document = json.loads(to_egn(record))
    for one in document["deals"]:
        del one["initialState"]["playerCards"]
        one["phases"][0].pop("discard", None)
    back = read(document).record
    assert [final.tricks for final in replay(back).deals] == [final.tricks for final in replay(record).deals]


def test_a_deal_that_breaks_off_is_filled_so_that_nobody_has_revoked():
    for upto in range(1, 6):
        told = copy.deepcopy(T56)
        told["phases"][1]["tricks"] = told["phases"][1]["tricks"][:upto]
        del told["phases"][1]["tricks"][-1][2:]
        assert len(replay(read(file(told)).record).deals[0].tricks) == upto - 1


def test_cards_that_a_partner_gave_are_told_once_and_by_who_gave_them():
    record = next(
        record
        for seed in range(20)
        if format_game(record := random_game(PRESETS["railroad"], seed, deals=1)).count("give:") == 1
    )
    document = json.loads(to_egn(record))
    bidding = document["deals"][0]["phases"][0]
    bidding.pop("callAnnotations", None)
    (gift,) = bidding["cardExchanges"]
    for wrong in ([gift, gift], [{**gift, "receiver": (gift["receiver"] + 1) % 4}], [{**gift, "cards": []}]):
        bidding["cardExchanges"] = wrong
        with pytest.raises(BadRecord, match=r"cardExchanges: |cardExchanges\[1\]: |You do not hold"):
            read(document)


def test_the_play_may_tell_who_is_alone_as_well_as_the_bidding():
    told = deal(
        3, "Js", "Order", "9c Ac Jd", discard="9d", hands="9c Tc Jc Qc Kc/Ac 9h Th Jh Qh/Kh Ah Td Qd Kd/Jd 9d Ad 9s Ts"
    )
    told["phases"][1]["isAlone"] = True
    assert replay(read(file(told)).record).deals[0].loners == (0,)


def test_a_loner_who_plays_all_he_was_dealt_put_no_card_away():
    told = deal(
        3,
        "Qs",
        "Pass Pass Pass Pass Pass Pass d",
        "Ac Td Th/Jd Qh 9d/Ad Kh Qc/Kd Ah Kc/Qd Ks As",
        hands="9h Tc 9c 9s Ts/9d Ac Qc Kc As/Jd Ad Kd Qd Td/Th Qh Kh Ah Ks",
        isAlone=True,
    )
    best = {"partners_best": True}
    assert replay(read(file(told, ruleset=best)).record).scores == ((4, 0),)
    told["phases"][0]["cardExchanges"] = [{"sender": 0, "receiver": 2, "cards": ["9h"]}]
    with pytest.raises(BadRecord, match=r"cardExchanges: Seat 2 should put a card away, but uses all it holds"):
        read(file(told, ruleset=best))


# --- bad files -------------------------------------------------------------------------------------


def damaged(path: str, value: Any) -> dict[str, Any]:
    """The file of T56 with one value changed; path as ``deals.0.phases``."""
    document = file(copy.deepcopy(T56))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    at: Any = document
    for step in way:
        at = at[step]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "where", "reason"),
    [
        ("fileType", "PGN", "fileType", "should be 'Euchre Game Notation'"),
        ("fileType", None, "fileType", "missing"),
        ("version", "2.0", "version", "Versions 1.2 to 1.6"),
        ("version", 1, "version", "should be a text"),
        ("metadata", [], "metadata", "should be an object"),
        ("metadata.players", ["Ann"], "metadata.players", "for 4 players"),
        ("metadata.players.2", 7, "metadata.players[2]", "should be a text"),
        ("metadata.initialScore", [0], "metadata.initialScore", "two scores"),
        ("metadata.initialScore", [0, -1], "metadata.initialScore", "two scores"),
        ("metadata.initialScore", [10, 0], "deals[0]", "over before this deal"),
        ("metadata.ruleset", {"fast": True}, "metadata.ruleset", "no rule 'fast'"),
        ("metadata.ruleset", {"std": 1}, "metadata.ruleset.std", "true or false"),
        ("metadata.ruleset", {"fast_break": True}, "metadata.ruleset.fast_break", "always false"),
        ("metadata.ruleset", {"loner_march_score": 5}, "metadata.ruleset.loner_march_score", "always 4"),
        ("metadata.ruleset", {"winning_score": 3}, "metadata.ruleset", "target_score is one of"),
        ("metadata.ruleset", {"winning_score": 10, "num_deals": 8}, "metadata.ruleset", "not at both"),
        ("metadata.ruleset", {"min_rank": 6}, "metadata.ruleset", "no such pack"),
        ("metadata.ruleset", {"farmers": True, "go_under": True}, "metadata.ruleset", "only one"),
        ("metadata.ruleset", {"joker": True, "allow_no_trump": True}, "metadata.ruleset", "exclude each other"),
        ("metadata.ruleset", {"num_players": 3}, "deals[0].initialState.dealer", "from 0 to 2"),
        ("metadata.description", "euchre 1; rules x", "metadata.description", "A game begins"),
        ("metadata.description", "euchre 1; rules article; first_dealer 3", "metadata.description", "other rules"),
        ("deals", {}, "deals", "should be a list"),
        ("deals.0", "QUJD", "deals[0]", "packed"),
        ("deals.0.initialState.dealer", 4, "deals[0].initialState.dealer", "a seat from 0 to 3"),
        ("deals.0.initialState.dealer", True, "deals[0].initialState.dealer", "a seat from 0 to 3"),
        ("deals.0.initialState.upCard", "Zz", "deals[0].initialState.upCard", "no card 'Zz'"),
        ("deals.0.initialState.upCard", "7s", "deals[0].initialState.upCard", "not in this pack of 24"),
        ("deals.0.initialState.upCard", "Xx", "deals[0].initialState.upCard", "unknown card"),
        ("deals.0.initialState.upCard", "R", "deals[0].initialState.upCard", "no bower"),
        ("deals.0.initialState.playerCards", [["9c"]] * 4, "deals[0].initialState.playerCards[0]", "five cards"),
        ("deals.0.initialState.playerCards", [["Jc", "Js", "Xx", "Xx", "Xx"], [], [], []],
         "deals[0].initialState.playerCards[0][1]", "JS is there twice"),
        ("deals.0.initialState.playerCards", [["Jt", "Xx", "Xx", "Xx", "Xx"], [], [], []],
         "deals[0].initialState.playerCards[0][0]", "'Jt' is no card of a pack"),
        ("deals.0.phases.0.type", "BIDS", "deals[0].phases[0].type", "EUCHRE_BIDDING"),
        ("deals.0.phases.1.type", "EUCHRE_BIDDING", "deals[0].phases[1]", "one bidding and then one play"),
        ("deals.0.phases.0.calls.3", "Take", "deals[0].phases[0].calls[3]", "no call 'Take'"),
        ("deals.0.phases.0.calls.3", "x", "deals[0].phases[0].calls[3]", "unknown call"),
        ("deals.0.phases.0.calls.3", "h", "deals[0].phases[0].calls[3]", "Order the up-card or pass"),
        ("deals.0.phases.0.calls", ["Order", "Pass"], "deals[0].phases[0].calls[1]", "over before this call"),
        ("deals.0.phases.0.calls", ["Pass"] * 4 + ["h"], "deals[0].phases[1].tricks", "Follow "),
        ("deals.0.phases.0.calls", ["Pass"] * 8, "deals[0].phases[0].calls[7]", "may not pass now"),
        ("deals.0.phases.0.calls", [], "deals[0].phases[1].tricks[0]", "before the bidding is over"),
        ("deals.0.phases.0.discard", "Ad", "deals[0].phases[0]", "do not hold"),
        ("deals.0.phases.0.isAlone", True, "deals[0].phases[1].tricks[0]", "has 3 cards"),
        ("deals.0.phases.0.aloneDefender", 0, "deals[0].phases[0].aloneDefender", "nobody defends alone"),
        ("deals.0.phases.0.cardExchanges", [{"cards": []}], "deals[0].phases[0].cardExchanges[0].receiver", "a seat"),
        ("deals.0.phases.0.cardExchanges", [{"receiver": 0, "cards": ["Qs", "Ks", "As", "9c"]}],
         "deals[0].phases[0].cardExchanges", "not so many cards in the kitty"),
        ("deals.0.phases.0.cardExchanges", [{"receiver": 0, "cards": ["Qs", "Ks", "As"]}],
         "deals[0].phases[0].cardExchanges[0]", "did not change hands"),
        ("deals.0.phases.0.cardExchanges", [{"sender": 0, "receiver": 2, "cards": ["Ad"]}],
         "deals[0].phases[0].cardExchanges[0]", "did not change hands"),
        ("deals.0.phases.0.callAnnotations", {"0": ["euchre 1; deal 9C"]},
         "deals[0].phases[0].callAnnotations", "A deck"),
        ("deals.0.phases.1.tricks.0.0", "Xx", "deals[0].phases[1].tricks[0][0]", "unknown card"),
        ("deals.0.phases.1.tricks.2.1", "9c", "deals[0].phases[1].tricks", ""),
        ("deals.0.phases.1.tricks.0", ["Ad", "9h"], "deals[0].phases[1].tricks", ""),
        ("deals.0.phases.1.tricks", [*T56["phases"][1]["tricks"], ["Ad"]],
         "deals[0].phases[1].tricks", "was over before"),
    ],
)  # fmt: skip
def test_a_bad_file_gets_its_place_and_its_reason(path, value, where, reason):
    document = damaged(path, value)
    with pytest.raises(BadRecord) as caught:
        read(document)
    assert caught.value.where.startswith(where), str(caught.value)
    assert reason in caught.value.reason, str(caught.value)


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ('{\n"a": }', "line 2", "not JSON"),
        ("[]", "file", "should be an object"),
        ('{"a": 1, "a": 2}', "file", "'a' stands twice"),
        ('{"a": 12345678901}', "file", "too large"),
        ('{"a": NaN}', "file", "NaN is no number"),
        ('{"a":' * 50_000, "file", "nested too deeply"),
        (b'{"a":\n"\xff"}', "line 2", "not UTF-8"),
        ("{" + " " * LIMIT, "file", "at most 1,000,000"),
        ("chess", "line 1", "A record begins with 'euchre 1'"),
        ("", "line 1", "A record begins with 'euchre 1'"),
    ],
)
def test_what_is_no_record_gets_its_place_and_its_reason(text, where, reason):
    with pytest.raises(BadRecord) as caught:
        read_record(text)
    assert caught.value.where == where
    assert reason in caught.value.reason


def test_a_final_score_must_be_the_one_the_deals_lead_to():
    document = json.loads(to_egn(random_game(PRESETS["article"], 4)))
    document["metadata"]["finalScore"] = [10, 10]
    with pytest.raises(BadRecord, match=r"metadata.finalScore: The deals lead to"):
        read(document)


def test_a_note_must_tell_the_deal_it_is_written_in():
    document = json.loads(to_egn(random_game(PRESETS["article"], 4)))
    noted = [one for one in document["deals"] if "callAnnotations" in one["phases"][0]]
    noted[0]["phases"][1]["tricks"] = []
    with pytest.raises(BadRecord, match="tells another deal"):
        read(document)


# --- anything at all -------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["Js", "Pass", 0, 4]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=10,
)
WHOLE = json.loads(to_egn(random_game(PRESETS["railroad"], 3, deals=3)))


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a document, as its holder and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [spot for key, inner in items for spot in ((value, key), *spots(inner))]


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_no_damage_to_a_file_crashes_the_reader(data):
    document = copy.deepcopy(data.draw(st.sampled_from([WHOLE, file(T56)])))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(spots(document)))
        if data.draw(st.booleans()):
            holder[key] = data.draw(JSON)
        else:
            del holder[key]
    with suppress(BadRecord):
        replay(read(document).record)


def made_up(rng: random.Random) -> dict[str, Any]:
    """A file of the format's own words, whatever they mean together."""
    players, alone = rng.choice((2, 3, 4, 4)), rng.random() < 0.3

    def cards(number: int) -> list[str]:
        drawn = [rank + suit for rank in "9TJQKA" for suit in "cdhs"]
        return [rng.choice(("Xx", "B", "L")) if rng.random() < 0.02 else rng.choice(drawn) for _ in range(number)]

    exchanges = [
        {"receiver": rng.randrange(players), "cards": sorted(set(cards(rng.randrange(24))))}
        | ({"sender": rng.randrange(players)} if rng.random() < 0.5 else {})
        for _ in range(rng.randrange(3))
    ]
    tricks = rng.choice((0, 0, 1, 5))
    one = deal(
        rng.randrange(players),
        *cards(1),
        "Pass " * rng.randrange(2 * players) + rng.choice(("", "Order", "h")),
        "/".join(" ".join(cards(rng.randrange(5))) for _ in range(tricks)),
        hands="/".join(" ".join(cards(5)) for _ in range(players)) if rng.random() < 0.2 else "",
        cardExchanges=exchanges,
        **({"isAlone": True, "aloneDefender": rng.randrange(-1, players)} if alone else {}),
    )
    rules = {"std": rng.random() < 0.5, "num_players": players, rng.choice(("farmers", "go_under")): True}
    if players == 4:
        rules |= {"partners_best": rng.random() < 0.5, "defend_alone": alone}
    return file(one, ruleset=rules, players=[])


@pytest.mark.parametrize("seed", range(scale(400)))
def test_no_file_of_the_words_of_the_format_crashes_the_reader(seed):
    with suppress(BadRecord):
        replay(read(made_up(random.Random(seed))).record)


@given(st.one_of(JSON.map(json.dumps), st.text(), st.binary(), st.text().map("{".__add__)))
@settings(max_examples=100, deadline=None)
def test_nothing_crashes_the_reader(data):
    with suppress(BadRecord):
        read_record(data)


def test_a_bad_record_is_the_fault_of_who_gave_it():
    assert issubclass(BadRecord, EngineError)
