"""Fair deals: the chain, what is made of it, and that every change of a record is found."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from itertools import pairwise
from math import sqrt
from pathlib import Path
from types import CodeType

import pytest
from django.core.management import CommandError, call_command

from games import engine, fairness
from games.engine import DealRecord, GameRecord, Rules
from games.fairness import Nonce, Proof, RecordError
from tests.scale import scale

SCRIPT = Path(__file__).parents[2] / "euchre_site" / "static" / "verify_deal.py"
IN_THE_DOCS = (
    (Path(__file__).parents[2] / "docs" / "fair-deals.md").read_text().split("```")[1].removeprefix("python\n")
)
RECIPE = compile(SCRIPT.read_text(), str(SCRIPT), "exec")
SHORT = compile(SCRIPT.read_text().replace("LENGTH = 200", "LENGTH = 3"), str(SCRIPT), "exec")
"""The script for chains of three deals."""
SEED = bytes(range(32))


def a_record(seed: int, rules: Rules | None = None) -> tuple[GameRecord, Proof]:
    """A whole game, by random legal actions, of people and bots."""
    rng = random.Random(seed)
    rules = rules or Rules()
    start = rng.randbytes(32)
    added = [rng.randbytes(16).hex() if rng.random() < 0.5 else "" for _ in range(rules.players)]
    chain = fairness.settle(start, 1, added)
    dealer = first = fairness.drawn_dealer(rules, fairness.link(start, 0), chain.added)
    deals, secrets, score = [], {}, (0,) * rules.sides
    while engine.winner(score, rules, len(deals)) is None:
        number = len(deals) + 1
        secrets[number] = fairness.secret(start, chain, number)
        deck = fairness.deck(engine.pack(rules.pack), secrets[number], chain, number)
        state = engine.start_deal(rules, dealer, deck)
        while state.phase != "done":
            state = engine.apply(state, rng.choice(engine.legal_actions(state)))
        deals.append(DealRecord(deck, tuple(action for _seat, action in state.history)))
        score = tuple(a + b for a, b in zip(score, state.points, strict=True))
        dealer = engine.dealer_after(state)
    return GameRecord(rules, first, tuple(deals)), Proof((chain,), secrets)


def as_text(record: GameRecord, proof: Proof) -> str:
    return engine.format_game(record) + fairness.format_proof(proof)


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """What the script that stands alone says of a text, and its exit code."""
    file = tmp_path / "record.txt"
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(file)])

    def run(text: str, recipe: CodeType = RECIPE) -> tuple[list[str], int]:
        file.write_text(text)
        with pytest.raises(SystemExit) as exit_code:
            exec(recipe, {"__name__": "__main__"})
        code = exit_code.value.code
        return capsys.readouterr().out.splitlines(), int(bool(code))

    return run


def test_the_script_in_the_docs_has_thirty_lines_and_checks_the_decks_of_games(script):
    assert len(IN_THE_DOCS.splitlines()) <= 30
    assert max(map(len, IN_THE_DOCS.splitlines())) <= 120
    recipe = compile(IN_THE_DOCS, "check.py", "exec")
    others = [Rules(pack=28), Rules(pack=33), *(rules for rules in engine.PRESETS.values() if rules != Rules())]
    for seed in range(scale(1000, 20)):
        record, proof = a_record(seed, others[seed] if seed < len(others) else None)
        text = as_text(record, proof)
        said, code = script(text, recipe)
        assert code == 0, said
        assert len(said) == len(record.deals)
        assert all(line.endswith("OK") for line in said)
    deck = "".join(record.deals[0].deck)
    commitment, secret = proof.chains[0].commitment, proof.secrets[1].hex()
    nonces = proof.chains[0].added
    for old, new in (
        (deck, deck[2:4] + deck[:2] + deck[4:]),
        (commitment, commitment[::-1]),
        (secret, secret[::-1]),
        (nonces[0], nonces[0][::-1]),
    ):
        assert script(text.replace(old, new), recipe)[1] == 1


def faults_of(text: str) -> dict[int, tuple[str, ...]]:
    """What :func:`fairness.verify` finds in a record, by deal."""
    game, proof = fairness.split_record(text)
    record = engine.parse_game(game)
    decks = {number: deal.deck for number, deal in enumerate(record.deals, 1)}
    checked = fairness.verify(proof, record.rules, record.first_dealer, decks)
    return {deal.number: deal.faults for deal in checked if deal.faults}


# --- the chain ---------------------------------------------------------------------------------


def test_each_link_hashed_is_the_one_before_it_and_the_last_is_the_commitment():
    links = [fairness.link(SEED, index) for index in range(-1, fairness.LENGTH + 1)]
    assert all(sha256(after).digest() == before for before, after in pairwise(links))
    assert links[0].hex() == fairness.commitment(SEED)
    assert links[-1] == SEED
    assert len(set(links)) == fairness.LENGTH + 2


@pytest.mark.parametrize("index", [-2, fairness.LENGTH + 1])
def test_a_chain_has_no_link_beyond_its_ends(index: int):
    with pytest.raises(ValueError, match="no link"):
        fairness.link(SEED, index)


def test_a_later_chain_serves_the_deals_from_its_first_on():
    chain = fairness.settle(SEED, 201, [""] * 4)
    assert fairness.secret(SEED, chain, 201) == fairness.link(SEED, 1)
    assert [number for number in range(500) if fairness.ends_chain(number)] == [200, 400]
    with pytest.raises(ValueError, match="before this chain"):
        fairness.secret(SEED, chain, 200)


def test_a_nonce_that_is_missing_is_fixed_by_the_chain_and_marked():
    chain = fairness.settle(SEED, 1, ["a" * 32, "", "", "b" * 32])
    assert [nonce.by for nonce in chain.nonces] == ["browser", "server", "server", "browser"]
    assert chain == fairness.settle(SEED, 1, ["a" * 32, "", "", "b" * 32])
    assert all(fairness.is_nonce(text) for text in chain.added)
    assert len(set(chain.added)) == 4


@pytest.mark.parametrize("text", ["", "a" * 31, "a" * 33, "A" * 32, "g" * 32, "a" * 31 + "\n", "ａ" * 32])
def test_a_nonce_is_32_hexadecimal_digits(text: str):
    assert not fairness.is_nonce(text)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_deals_first_equally_often(players: int):
    rules = next(rules for rules in engine.PRESETS.values() if rules.players == players)
    games = 3000
    drawn = Counter(
        fairness.drawn_dealer(rules, sha256(b"%d" % number).digest(), ["a" * 32] * players) for number in range(games)
    )
    assert set(drawn) == set(range(players))
    spread = 4.5 * sqrt(games * (1 / players) * (1 - 1 / players))
    assert all(abs(count - games / players) < spread for count in drawn.values())


@pytest.mark.parametrize(("draw", "cards"), [("random", ["AS"]), ("first_black_jack", ["JC", "JS"])])
def test_the_cards_that_decide_are_those_of_the_rules(draw: str, cards: list[str]):
    rules = Rules(first_dealer=draw)
    for number in range(200):
        secret = b"%d" % number
        first = min(engine.shuffled(engine.pack(), secret, 0).index(card) for card in cards)
        assert fairness.drawn_dealer(rules, secret, ()) == first % 4


# --- checking ------------------------------------------------------------------------------------


def test_the_script_alone_verifies_games(script):
    for seed in range(scale(1_000)):
        record, proof = a_record(seed)
        said, code = script(as_text(record, proof))
        assert code == 0, (seed, said)
        assert said == [f"deal {number}: OK" for number in range(1, len(record.deals) + 1)]


@pytest.mark.parametrize("name", sorted(engine.PRESETS))
def test_every_preset_can_be_checked(name: str, script):
    record, proof = a_record(7, engine.PRESETS[name])
    text = as_text(record, proof)
    assert script(text)[1] == 0
    assert faults_of(text) == {}


def changes() -> Iterator[tuple[str, str, str, set[int]]]:
    """What somebody might do to a record: how, the pattern, what is put there, and the deals it shows in."""
    every = {1, 2, 3, 4, 5}
    yield "a secret", r"(# secret 2 ).", r"\1" + "x", {2}
    yield "two secrets changed places", r"# secret 2 (\w+)\n# secret 3 (\w+)", r"# secret 2 \2\n# secret 3 \1", {2, 3}
    yield "a secret is missing", r"# secret 3 \w+\n", "", {3}
    yield "the nonce of a browser", r"(browser:).", r"\1" + "x", every
    yield "the nonce of the server", r"(server:).", r"\1" + "x", every
    yield "two nonces changed places", r"(browser:\w+) (\w+:\w+)", r"\2 \1", every
    yield "the commitment", r"(# chain 1 ).", r"\1" + "x", every
    yield "the commitment is missing", r"# chain .*\n", "", every
    yield "the first dealer", r"(first_dealer )\d", r"\1" + "d", {1}
    yield "two cards of a deck", r"(?m)^(deal )(..)(..)(.*)$", r"\1\3\2\4", {1}
    yield "two deals changed places", r"(?m)^deal (.*)\ndeal (.*)$", r"deal \2\ndeal \1", {1, 2}


@pytest.mark.parametrize(("how", "pattern", "new", "shows"), list(changes()), ids=lambda value: str(value)[:30])
def test_what_was_changed_is_found(how: str, pattern: str, new: str, shows: set[int], script):
    record, _proof = a_record(3)
    chain = fairness.settle(SEED, 1, ["a" * 32, "", "c" * 32, ""])
    secrets = {number: fairness.secret(SEED, chain, number) for number in range(1, 6)}
    decks = [fairness.deck(engine.pack(), secrets[number], chain, number) for number in secrets]
    dealer = fairness.drawn_dealer(record.rules, fairness.link(SEED, 0), chain.added)
    record = replace(record, first_dealer=dealer, deals=tuple(DealRecord(deck, ()) for deck in decks))
    text = as_text(record, Proof((chain,), secrets))
    assert faults_of(text) == {}
    assert script(text)[1] == 0
    other = "d" if how == "the first dealer" else "x"

    def put(match: re.Match[str]) -> str:
        done = match.expand(new)
        if done.endswith(other):
            digits = "0123" if other == "d" else "0123456789abcdef"
            was = match[0][-1]
            done = done[:-1] + digits[(digits.index(was) + 1) % len(digits)]
        return done

    changed = re.sub(pattern, put, text, count=1)
    assert changed != text
    found = faults_of(changed)
    assert set(found) == shows, found
    said, code = script(changed)
    assert code == 1
    assert {number for number, line in enumerate(said, 1) if not line.endswith(": OK")} == shows


def a_proof(begun: list[int], deals: int, nonces: int = 4) -> tuple[GameRecord, Proof]:
    """Deals, not played, of chains that begin where they are told to, each made after all nonces were known."""
    seeds = [sha256(bytes([at])).digest() for at in range(len(begun))]
    added = [f"{seat:032x}" for seat in range(nonces)]
    chains = [fairness.settle(seed, first, added) for seed, first in zip(seeds, begun, strict=True)]
    secrets, decks = {}, []
    for number in range(1, deals + 1):
        at = max(at for at, first in enumerate(begun) if first <= number)
        secrets[number] = fairness.secret(seeds[at], chains[at], number)
        decks.append(fairness.deck(engine.pack(), secrets[number], chains[at], number))
    dealer = fairness.drawn_dealer(Rules(), fairness.link(seeds[0], 0), chains[0].added)
    return GameRecord(Rules(), dealer, tuple(DealRecord(deck, ()) for deck in decks)), Proof(tuple(chains), secrets)


def test_a_deal_after_a_new_chain_is_held_against_it(script, monkeypatch):
    monkeypatch.setattr(fairness, "LENGTH", 3)
    text = as_text(*a_proof([1, 4], 6))
    assert faults_of(text) == {}
    assert script(text, SHORT) == ([f"deal {number}: OK" for number in range(1, 7)], 0)
    without = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# chain 4"))
    assert set(faults_of(without)) == {4, 5, 6}


def test_a_chain_may_have_been_begun_for_a_deal_that_was_never_scored(script, monkeypatch):
    monkeypatch.setattr(fairness, "LENGTH", 3)
    text = as_text(*a_proof([1, 4], 3))
    assert faults_of(text) == {}
    assert script(text, SHORT)[1] == 0


@pytest.mark.parametrize(
    ("begun", "deals"),
    [
        (list(range(1, 10)), 9),
        ([1, 2], 3),
        ([1, 3], 5),
        ([1, 4, 6], 8),
        ([1, 1], 3),
        ([1, 4, 4], 6),
        ([1, 4, 7], 5),
        ([1, 4], 2),
    ],
    ids=str,
)
def test_a_chain_begins_where_the_one_before_it_ends_and_nowhere_else(script, monkeypatch, begun, deals):
    monkeypatch.setattr(fairness, "LENGTH", 3)
    text = as_text(*a_proof(begun, deals))
    assert set(faults_of(text)) == set(range(1, deals + 1))
    assert all("chains" in faults for faults in faults_of(text).values())
    said, code = script(text, SHORT)
    assert code == 1
    assert all("there is not one chain for every 3 deals" in line for line in said)


def test_a_new_chain_for_each_deal_is_found_at_full_length(script):
    """Each made after all numbers were known: the operator would choose every deck from deal 2 on."""
    text = as_text(*a_proof(list(range(1, 10)), 9))
    assert all("chains" in faults for faults in faults_of(text).values())
    assert len(faults_of(text)) == 9
    assert script(text)[1] == 1


def test_the_lines_of_two_chains_in_another_order_are_a_fault(script, monkeypatch):
    monkeypatch.setattr(fairness, "LENGTH", 3)
    record, proof = a_proof([1, 4], 6)
    text = as_text(record, proof._replace(chains=proof.chains[::-1]))
    assert len(faults_of(text)) == 6
    assert script(text, SHORT)[1] == 1


@pytest.mark.parametrize("nonces", [1, 3, 5, 9])
def test_a_chain_has_a_nonce_for_each_seat(script, nonces: int):
    text = as_text(*a_proof([1], 2, nonces))
    assert all("nonces" in faults for faults in faults_of(text).values())
    assert len(faults_of(text)) == 2
    assert all("not one nonce for each seat" in line for line in script(text)[0])


@pytest.mark.parametrize("rules", [*sorted(engine.PRESETS), "article players=3 alone_who=none", "article pack=33"])
def test_the_script_knows_how_many_play_and_with_which_cards(script, rules: str):
    record, proof = a_record(5, engine.parse_rules(rules))
    text = as_text(record, proof)
    assert script(text)[1] == 0
    wrong = re.sub(r"(?m)^(# chain .*)$", r"\1 browser:" + "a" * 32, text)
    assert all("not one nonce for each seat" in line for line in script(wrong)[0])


@pytest.mark.parametrize("draw", ["random", "first_black_jack"])
@pytest.mark.parametrize("line", ["", "# draw TH\n", "# draw AS\n", "# draw JC JS\n", "# draw\n"])
def test_what_a_record_says_of_its_draw_changes_nothing(script, draw: str, line: str):
    """The rules name the cards that decide; a line that older records have is a remark."""
    record, proof = a_record(6, Rules(first_dealer=draw))
    assert script(as_text(record, proof) + line)[1] == 0
    for dealer in range(4):
        text = as_text(replace(record, first_dealer=dealer), proof) + line
        found = {1: ("first_dealer",)} if dealer != record.first_dealer else {}
        assert faults_of(text) == found
        assert script(text)[1] == bool(found)


def test_a_pack_with_a_card_twice_is_found(script):
    """In the right order, of a deck that the rules do not know."""
    record, proof = a_record(3)
    cards = [card for card in engine.pack() if card != "9C"] + ["AS"]
    deck = fairness.deck(cards, proof.secrets[1], proof.chains[0], 1)
    text = as_text(replace(record, deals=(DealRecord(deck, ()), *record.deals[1:])), proof)
    assert script(text)[0][:2] == ["deal 1: secret and nonces give another deck", "deal 2: OK"]


@pytest.mark.parametrize(
    ("pattern", "new"),
    [
        ("(?m)^deal ", "deal:"),
        ("(?m)^deal ", "a"),
        ("euchre 1", "euchre 2"),
        ("first_dealer", "dealer"),
        ("rules", ""),
        ("article", "articel"),
        ("article", "article players"),
        ("article", "article players=many"),
    ],
)
def test_the_script_refuses_a_game_that_is_not_in_order(script, pattern: str, new: str):
    text = as_text(*a_record(3))
    assert script(re.sub(pattern, new, text, count=1)) == ([], 1)


@pytest.mark.parametrize(
    "line",
    [
        "# chain 1 abc browser:" + "a" * 32,
        "#  chain 1 " + "a" * 64 + " browser:" + "a" * 32,
        "# chain 1 " + "a" * 64 + " phone:" + "a" * 32,
        "# secret 1 " + "a" * 63,
        "# secret 1 " + "a" * 64,
    ],
)
def test_the_script_refuses_what_it_cannot_read(script, line: str):
    assert script(as_text(*a_record(3)) + line + "\n")[1] == 1
    assert script("")[1] == 1
    assert script("chess 1\n")[1] == 1


def test_without_a_proof_nothing_is_ok(script):
    record, _proof = a_record(2)
    text = engine.format_game(record)
    assert set(faults_of(text)) == set(range(1, len(record.deals) + 1))
    assert script(text)[1] == 1


# --- as text ---------------------------------------------------------------------------------------


def test_a_proof_is_read_as_it_was_written():
    record, proof = a_record(4)
    game, again = fairness.split_record(as_text(record, proof))
    assert engine.parse_game(game) == record
    assert again == proof


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("# chain 1 abc browser:" + "a" * 32, "a chain is"),
        ("# chain 0 " + "a" * 64 + " browser:" + "a" * 32, "a chain is"),
        ("# chain 1 " + "a" * 64, "a chain is"),
        ("# chain 1 " + "a" * 64 + " phone:" + "a" * 32, "a nonce is"),
        ("# chain 1 " + "a" * 64 + " server:" + "a" * 31, "a nonce is"),
        ("# secret one " + "a" * 64, "a secret is"),
        ("# secret 1 " + "z" * 64, "a secret is"),
        ("# secret 1", "a secret is"),
        ("# secret 1 " + "a" * 64 + "\n# secret 1 " + "a" * 64, "a second secret"),
    ],
)
def test_a_proof_that_cannot_be_read_is_refused_with_its_line(line: str, reason: str):
    with pytest.raises(RecordError, match=rf"line \d: {reason}"):
        fairness.split_record(f"euchre 1\n{line}\n")


def test_other_comments_are_passed_over():
    assert fairness.split_record("# a remark\neuchre 1\n#\n") == ("euchre 1\n", Proof((), {}))


def test_nonces_compare_by_both_their_parts():
    assert Nonce("a" * 32, "browser") != Nonce("a" * 32, "server")


# --- the command ---------------------------------------------------------------------------------


def test_the_command_says_ok_of_each_deal(tmp_path: Path):
    record, proof = a_record(5)
    file = tmp_path / "game.txt"
    file.write_text(as_text(record, proof))
    out = StringIO()
    call_command("verify_game", str(file), stdout=out)
    assert out.getvalue().splitlines() == [f"deal {number}: OK" for number in range(1, len(record.deals) + 1)]


def test_the_command_names_the_fault_and_fails(tmp_path: Path):
    record, proof = a_record(5)
    file = tmp_path / "game.txt"
    file.write_text(as_text(record, proof._replace(secrets=dict(proof.secrets) | {2: bytes(32)})))
    out = StringIO()
    with pytest.raises(CommandError, match="Not every deal"):
        call_command("verify_game", str(file), stdout=out)
    assert "deal 2: its secret does not lead back to the commitment; secret and nonces give another deck" in (
        out.getvalue()
    )
    assert "deal 3: OK" in out.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "cannot be checked"),
        (b"", "cannot be checked"),
        (b"chess 1\n", "cannot be checked"),
        (b"euchre 1\nrules article\nfirst_dealer 0\n", "no deal"),
        (b"euchre 1\nrules article\nfirst_dealer 0\n# secret x\n", "line 4"),
    ],
)
def test_a_bad_file_gets_a_sentence(tmp_path: Path, content: bytes, reason: str):
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=reason):
        call_command("verify_game", str(file))
    with pytest.raises(CommandError, match="cannot be checked"):
        call_command("verify_game", str(tmp_path / "missing.txt"))
