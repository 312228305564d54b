"""Pasted lists: whatever people write, every name is read or given back with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.services.errors import UserError
from tournaments.services.pasted import LONGEST_NAME, MOST_LINES, read_names


def names(text: str, members: int = 1) -> list[tuple[str, ...]]:
    found, refused = read_names(text, members)
    assert not refused, refused
    return [one.names for one in found]


def reasons(text: str, members: int = 1) -> list[tuple[int, str]]:
    return [(line.line, line.reason) for line in read_names(text, members)[1]]


@pytest.mark.parametrize(
    "line",
    [
        "Ann Lee", "  Ann \t Lee ", "1. Ann Lee", "12) Ann Lee", "(3) Ann Lee", "#4 Ann Lee", "5 - Ann Lee",
        "6\tAnn Lee",
        "- Ann Lee", "• Ann Lee", "* Ann Lee", "-Ann Lee", "[x] Ann Lee", "☐ Ann Lee", "1. - Ann Lee", "٣. Ann Lee",
        '"Ann Lee"', "“Ann Lee”", "„Ann Lee“", "«Ann Lee»", "'Ann Lee'", "Ann\u00a0Lee", "Ann\u3000Lee",
        "\ufeffAnn Lee",
        "Ann\u200b Lee", "\u202eAnn Lee", "\u2066Ann Lee\u2069", "Ann Lee,", "Ann Lee;", "| Ann Lee |",
        "7\tAnn Lee\t1500",
    ],
)  # fmt: skip
def test_one_person_however_she_is_listed(line):
    assert names(line) == [("Ann Lee",)]


@pytest.mark.parametrize(
    "line",
    [
        "Ann & Bob", "Ann&Bob", "Ann / Bob", "Ann/Bob", "Ann + Bob", "Ann; Bob", "Ann, Bob", "Ann,Bob", "Ann and Bob",
        "Ann AND Bob", "Ann - Bob", "Ann – Bob", "Ann\tBob", "| Ann | Bob |", "1. Ann & Bob", "3\tAnn\tBob",
        '"Ann","Bob"',
        "“Ann” & “Bob”", "Ann、Bob", "Ann ＆ Bob", '"Ann" / Bob', "Ann & Bob,",
    ],
)  # fmt: skip
def test_a_pair_however_it_is_written(line):
    assert names(line, 2) == [("Ann", "Bob")]


def test_a_comma_may_belong_to_a_name():
    assert names('"Smith, John","Doe, Jane"\nPoe, Jo & Roe, Al\nOak, Bo / Elm, Cy', 2) == [
        ("Smith, John", "Doe, Jane"),
        ("Poe, Jo", "Roe, Al"),
        ("Oak, Bo", "Elm, Cy"),
    ]
    assert names("Smith, John\nDoe, Jane") == [("Smith, John",), ("Doe, Jane",)]
    assert names("Ann, Bob") == names("Ann, Bob\n") == [("Ann",), ("Bob",)]
    assert names("Ann, Bob, Cy\nDot") == [("Ann",), ("Bob",), ("Cy",), ("Dot",)]
    assert names("Smith, John & Doe, Jane") == [("Smith, John",), ("Doe, Jane",)]
    assert names("Ann & Bob\nCy / Dot") == [("Ann",), ("Bob",), ("Cy",), ("Dot",)]


def test_a_comma_in_a_list_of_single_people_parts_them_unless_every_line_has_one():
    assert names("Tom, Priya\nDot & Ray\nMarta") == [(name,) for name in ("Tom", "Priya", "Dot", "Ray", "Marta")]
    assert names("Tom, Priya\nDot, Ray & Eve") == [(name,) for name in ("Tom", "Priya", "Dot", "Ray", "Eve")]
    assert names("1. Smith, John\n2. Doe, Jane") == [("Smith, John",), ("Doe, Jane",)]
    assert names("Tom, Priya, \nMarta") == [("Tom",), ("Priya",), ("Marta",)]


def test_of_a_line_with_several_people_only_the_part_that_cannot_be_used_comes_back():
    found, refused = read_names("Ann & Bob\nCy / Ann", 1)
    assert [one.names for one in found] == [("Ann",), ("Bob",), ("Cy",)]
    assert [(line.line, line.text) for line in refused] == [(2, "Ann")]


def test_names_keep_what_is_theirs():
    kept = [
        "O’Brien",
        "Anne-Marie",
        "Jean–Luc",
        'John "Ace" Smith',
        "D'Arcy",
        "Žiga Čeh",
        "Ann 🎉",
        "Player 7",
        "Al (late)",
    ]
    kept += ["דוד בן־גוריון", "محمد رضا", "می‌روم", "山田太郎", "नंदिनी", "Владимир"]
    assert names("\n".join(kept)) == [(name,) for name in kept]


def test_one_name_looks_for_a_partner():
    assert names("Ann & Bob\nCy", 2) == [("Ann", "Bob"), ("Cy",)]


def test_teams_with_and_without_a_name():
    found, refused = read_names("The Aces: Ann, Bob, Cy & Dot\nEve / Fay / Gus / Hal\nIda, Jo\nA, B, C, D, E", 4)
    assert [(one.team, one.names) for one in found] == [
        ("The Aces", ("Ann", "Bob", "Cy", "Dot")),
        ("", ("Eve", "Fay", "Gus", "Hal")),
        ("", ("Ida", "Jo")),
    ]
    assert [line.reason for line in refused] == ["A team is 4 people; this line has 5 names."]


def test_numbers_alone_before_names_go_where_every_line_has_one():
    assert names("1 Ann\n2 Bob\n10 Cy") == [("Ann",), ("Bob",), ("Cy",)]
    assert names("3 Kings\nAnn") == [("3 Kings",), ("Ann",)]


def test_line_ends_of_every_machine():
    assert names("Ann\r\nBob\rCy\n\n\u2028Dot\n") == [("Ann",), ("Bob",), ("Cy",), ("Dot",)]


@pytest.mark.parametrize(
    ("text", "members", "line", "reason"),
    [
        ("Ann\nann", 1, 2, "ann is in line 1 already. Add something to tell them apart."),
        ("Ann Lee\nAnn-Lee", 1, 2, "Ann-Lee is in line 1 already. Add something to tell them apart."),
        ("Ivo\n\u0406vo", 1, 2, "\u0406vo is in line 1 already. Add something to tell them apart."),
        ("Ann & Bob\nCy & Ann", 2, 2, "Ann is in line 1 already. Add something to tell them apart."),
        ("Ann & Ann", 2, 1, "The same name is there twice."),
        ("A1 & B1 & C1", 2, 1, "A pair is two people; this line has 3 names."),
        ("🎉", 1, 1, "A name needs at least one letter."),
        ("Ann\n42", 1, 2, "A name needs at least one letter."),
        ("Ann\nx" + "x" * 60, 1, 2, "Keep a name to 60 characters; this has 61."),
        ("Name\nAnn", 1, 1, "That looks like a heading."),
        ("Player\tPartner\nAnn\tBob", 2, 1, "That looks like a heading."),
        ("A" + "\u0301" * 1 + "\u0489" * 9, 1, 1, "That name has too many marks on its letters. Leave some out."),
    ],
)
def test_what_cannot_be_used_comes_back_with_the_reason(text, members, line, reason):
    assert reasons(text, members) == [(line, reason)]


def test_long_lists():
    assert len(names("\n".join(f"{number}. Player {number}" for number in range(1, 301)))) == 300
    found, refused = read_names("\n".join(f"P{number}" for number in range(MOST_LINES + 2)), 1)
    assert (len(found), [line.line for line in refused]) == (MOST_LINES, [MOST_LINES + 1, MOST_LINES + 2])
    with pytest.raises(UserError, match="very long list"):
        read_names("x" * 200_001, 1)


def test_nothing_is_no_list():
    assert read_names(" \n\t\n\u200b\n", 1) == ([], [])


ODD = "Ab é&/,;:\t|\n\"'“-•1.)#[x]\u202e\u200d🎉א\ue000\ue001\ud800"


@given(st.text(alphabet=st.sampled_from(ODD), max_size=60), st.sampled_from([1, 2, 4]))
def test_any_text_is_read_and_every_line_with_a_letter_is_answered(text, members):
    found, refused = read_names(text, members)
    answered = {one.line for one in found} | {line.line for line in refused}
    lines = text.split("\n")
    assert {number for number, line in enumerate(lines, 1) if any(char.isalpha() for char in line)} <= answered
    for one in found:
        for name in one.names:
            assert 0 < len(name) <= LONGEST_NAME
            assert name == name.strip() and not {"\u202e", "\ue000", "\n", "\t"} & set(name)
            name.encode()
