"""Reasons as values, and the table of words for them (tournaments/formats/words.py)."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import NullTranslations
from pathlib import Path
from string import Formatter

import pytest
from django.utils import translation

import tournaments.formats
from tournaments.formats.event import CannotPair
from tournaments.formats.words import (
    TEXTS,
    TITLES,
    TROUBLES,
    Plural,
    Reason,
    because,
    ordinal,
    restored,
    stored,
    title,
    words,
)

FOLDER = Path(tournaments.formats.__file__).parent
SOURCES = [file for file in (*FOLDER.glob("*.py"), FOLDER.parent / "standings.py") if file.name != "words.py"]
SAY = ("because", "CannotPair", "EventError", "BadScore")


def said() -> Iterator[tuple[str, set[str]]]:
    """Every code that is written out where something is said, with the fields given."""
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAY:
                for code in literals(node.args[0]):
                    yield code, {str(keyword.arg) for keyword in node.keywords}


def literals(code: ast.expr) -> Iterator[str]:
    if isinstance(code, ast.Constant):
        yield code.value
    elif isinstance(code, ast.IfExp):
        yield from literals(code.body)
        yield from literals(code.orelse)


def texts(code: str) -> list[str]:
    found = []
    for each in (code, f"{code}_advice") if code in TROUBLES else (code,):
        text = TEXTS[each]
        found += [text.one, text.many] if isinstance(text, Plural) else [text]
    return found


def fields(text: str) -> set[str]:
    return {name for _literal, name, _form, _conversion in Formatter().parse(text) if name}


def test_codes_and_words() -> None:
    """Codes that are worked out are of names that are written out too, or of these few."""
    written = "".join(source.read_text() for source in SOURCES)
    worked_out = {f"count_{name}" for name in ("euchres", "euchred", "loners", "loners_tried", "marches")}
    worked_out |= {"withdrawn_before", "disqualified_before", *(code for code in TEXTS if code.startswith("title_"))}
    codes = {code for code in TEXTS if code.removesuffix("_advice") not in TROUBLES} | set(TROUBLES)
    assert {code for code in codes if f'"{code}"' not in written} == worked_out
    assert {code for code, _given in said()} <= codes


def test_fields() -> None:
    count = 0
    for code, given in said():
        for text in texts(code):
            assert fields(text) <= given, code
            count += 1
    assert count > 300
    for code, text in TEXTS.items():
        if isinstance(text, Plural):
            assert fields(text.one) == fields(text.many) and text.by in fields(text.many) | {"count"}, code


def test_names() -> None:
    def stayed(*who: int) -> str:
        return words(because("stay", who=who), {3: "Ann", 4: "Bob", 9: "Cy"}.__getitem__)

    assert [stayed(3), stayed(3, 4), stayed(3, 4, 9)] == ["Ann stays", "Ann and Bob stay", "Ann, Bob and Cy stay"]
    assert words(because("bracket_over", who=())) == "Every match of the bracket is decided: nobody has won."
    held = (because("waits_for", match="R1-1", who=(3,)), because("waits_for", match="R1-2", who=(4, 9)))
    assert str(because("nothing_ready", held=held)) == (
        "No match can be played. R1-1 waits for #3. R1-2 waits for #4 and #9."
    )
    assert str(because("planned", why=because("as_before"))) == "planned round by round: as the rounds before"


def test_numbers() -> None:
    shown = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 111: "111th"}
    assert {number: ordinal(number) for number in shown} == shown
    levels = [str(because("level", wins=halves / 2)).removeprefix("both have ") for halves in range(6)]
    assert levels == ["0 wins", "½ win", "1 win", "1½ wins", "2 wins", "2½ wins"]
    when = datetime(2026, 1, 17, tzinfo=UTC)
    assert str(because("played_lately_advice", when=when)) == "Challenge again from 2026-01-17 00:00 on."


def test_errors() -> None:
    refused = CannotPair("seated_not_here", who=(7,))
    assert str(refused) == "#7 is put at a table, but is not here."
    assert words(refused.problem, lambda _entrant: "Ann") == "Ann is put at a table, but is not here."
    assert words(refused.advice) == "Bring the entrant back, or undo it."


class German(NullTranslations):
    def gettext(self, message: str) -> str:
        texts = {"{some} and {last}": "{some} und {last}", TEXTS["partners_again"]: "{who} spielen zum {times}. Mal"}
        return texts[message]

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return "{who} bleibt" if number == 1 else "{who} bleiben"


def test_another_language() -> None:
    names = {1: "Änne", 2: "Uwe"}.__getitem__
    again = because("partners_again", who=(1, 2), times=2)
    assert words(again, names, German()) == "Änne und Uwe spielen zum 2. Mal"
    assert words(because("stay", who=(1,)), names, German()) == "Änne bleibt"
    assert words(again, names, translation) == "Änne and Uwe are partners for the 2nd time"


def test_stored() -> None:
    for reason in (
        because("head_table"),
        because("floated_down", who=(7,), wins=2.5, times=2),
        because("match", match="WR2-1", one=because("seed", seed=3), other=because("winner", match="WR1-2")),
        because("nothing_ready", held=(because("waits_for", match="T", who=(1, 2)),)),
    ):
        assert restored(json.loads(json.dumps(stored(reason)))) == reason
    assert stored(because("stay", who=(7,))) == ["stay", {"who": [7]}]


def test_titles() -> None:
    labels = {
        "R1-4": "Round 1, match 4", "WR2-1": "Winners' round 2, match 1", "LR12-3": "Losers' round 12, match 3",
        "T": "Third place", "F": "Final", "F2": "Second final", "G3": "Group 3", "S12": "Set 12",
    }  # fmt: skip
    assert {label: str(title(label)) for label in labels} == labels
    assert {title(label).code for label in labels} == set(TITLES.values())
    for label in ("", "R1", "WR-1", "X", "F3", "S", "T1"):
        with pytest.raises(ValueError, match="no label of a table"):
            title(label)


def test_unknown_codes_are_our_fault() -> None:
    with pytest.raises(KeyError):
        words(Reason("nonsense"))
