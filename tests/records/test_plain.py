"""Our own record, read with the line where it goes wrong."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import PRESETS, GameRecord, format_game
from games.records import BadRecord, from_plain, read_record
from tests.engine.any_rules import random_rules
from tests.records.made import random_game

RECORD = random_game(PRESETS["article"], 1)
TEXT = format_game(RECORD)


@pytest.mark.parametrize("seed", range(20))
def test_a_game_of_any_rules_comes_back_without_loss(seed):
    record = random_game(random_rules(random.Random(seed)), seed, deals=8)
    assert read_record(format_game(record)).record == record


@pytest.mark.parametrize(
    "text", [TEXT.replace("\n", "\r\n"), TEXT.rstrip("\n"), "\ufeff" + TEXT, TEXT + "# secret 1 x\n"]
)
def test_what_a_paste_does_to_a_text_does_no_harm(text):
    assert read_record(text.encode()).record == RECORD


@pytest.mark.parametrize(
    ("line", "players"),
    [
        ("# players Ann, Ben, ?, Hazel", ("Ann", "Ben", "", "Hazel")),
        ("# players Ann, Ben", ()),
        ("# players A\u202enn,,, ", ("Ann", "", "", "")),
        ("# players", ()),
    ],
)
def test_who_played_is_a_comment(line, players):
    assert read_record(f"{TEXT.rstrip()}\n{line}\n").players == players


def test_a_start_is_kept():
    record = GameRecord(PRESETS["railroad"], 2, (), (3, 0))
    assert from_plain(format_game(record)).record == record


LINES = TEXT.split("\n")


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ("euchre 2", "line 1", "A record begins"),
        ("euchre 1", "line 2", "begins with 'rules'"),
        ("euchre 1\nrules railway", "line 2", "no rules called 'railway'"),
        ("euchre 1\nrules article\nfirst_dealer 9", "line 3", "a seat from 0 to 3"),
        ("euchre 1\nrules article\nfirst_dealer 0\nstart 1 1\nstart 1 1", "line 5", "comes once"),
        ("# so\neuchre 1\nrules article\nfirst_dealer 0\nplay", "line 5", "begins with 'deal'"),
        (TEXT.replace("pass", "play:9C", 1), "line 4, action 1 (play:9C)", "Order the up-card or pass"),
        ("\n".join([*LINES[:3], LINES[3].rsplit(" ", 1)[0], LINES[4]]), "line 5", "not finished"),
        (TEXT + LINES[3], f"line {len(LINES)}", "over before this deal"),
        ("\n".join([*LINES[:3], LINES[3] + " pass"]), "line 4, action", "This deal is over"),
    ],
)
def test_a_bad_record_gets_its_line_and_its_reason(text, where, reason):
    with pytest.raises(BadRecord) as caught:
        read_record(text)
    assert caught.value.where.startswith(where)
    assert reason in caught.value.reason


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_no_damage_crashes_the_reader(data):
    at, cut = data.draw(st.integers(0, len(TEXT))), data.draw(st.integers(0, 60))
    with suppress(BadRecord):
        read_record(TEXT[:at] + data.draw(st.text(max_size=5)) + TEXT[at + cut :])
