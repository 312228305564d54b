"""A pasted list of names, read as people wrote it: numbered, with bullets, from a table, in quotes.

| what is written | what is read |
|---|---|
| ``1. Ann``, ``2) Ann``, ``- Ann``, ``• Ann``, ``[x] Ann``, ``1<tab>Ann`` | Ann |
| ``Ann & Bob``, ``Ann / Bob``, ``Ann; Bob``, ``Ann and Bob``, ``Ann - Bob``, ``Ann, Bob``, two cells | a pair |
| ``"Smith, John","Doe, Jane"``, ``Smith, John & Doe, Jane`` | a pair, the commas belong to the names |
| one name where pairs play | somebody who looks for a partner |
| ``Ann, Bob`` in a list of single people | two people; if every line is ``Smith, John``, one in each |
| ``The Aces: Ann, Bob, Cy, Dot`` where teams play | a team with its name |

What cannot be used is given back line by line, with the reason.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from games.names import name_key
from games.services.errors import UserError

LONGEST_NAME: Final = 60
"""Characters of a person's name; a team's may have as many."""

MOST_LINES: Final = 1000
LONGEST: Final = 200_000
"""Characters of the whole."""


@dataclass(frozen=True, slots=True)
class Named:
    """Who is to take part: a person, a pair, a team, by line (from 1). Fewer names than an entrant
    has members: they look for others. ``text`` is the line, or his part of one that names several
    people who play singly. ``team`` is the team's name."""

    line: int
    text: str
    names: tuple[str, ...]
    team: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line, or a part of one, that could not be used."""

    line: int
    text: str
    reason: str


def read_names(text: str, members: int) -> tuple[list[Named], list[Refused]]:
    """What a list says, for entrants of so many members: 1, 2 or 4. UserError if it is endless."""
    if len(text) > LONGEST:
        raise UserError(
            _("That is a very long list: %(length)d characters. Paste it in parts of %(limit)d.")
            % {"length": len(text), "limit": LONGEST}
        )
    lines = [(number, line) for number, line in enumerate(re.split(r"\r\n|[\n\r\v\f\x85\u2028\u2029]", text), 1)]
    lines = [(number, line) for number, line in lines if _visible(line)]
    numbered = len(lines) > 1 and all(re.match(r"\s*\d{1,4}\s+[^\W\d_]", line) for _number, line in lines)
    found: list[Named] = []
    refused: list[Refused] = []
    seen: dict[str, int] = {}
    surnames = members == 1 and _surnames_first(line for _number, line in lines)
    for count, (number, line) in enumerate(lines):
        shown = " ".join(line.split())
        if count >= MOST_LINES:
            refused.append(Refused(number, shown, _("Only %(limit)d lines are read at once.") % {"limit": MOST_LINES}))
            continue
        bare = re.sub(r"^\s*\d{1,4}\s+", "", line) if numbered else line
        entries = list(_entries(bare, members, surnames=surnames))
        for names, team in entries:
            if len(entries) > 1:  # each can be used, refused and written anew without the others
                shown = names[0]
            reason = _wrong(names, team, members, first=count == 0) or _again(names, seen)
            if reason:
                refused.append(Refused(number, shown, reason))
                continue
            seen |= {key_of(name): number for name in names}
            found.append(Named(number, shown, names, team))
    return found, refused


def tidy(name: str) -> str:
    """A name as it is stored: without invisible characters, spaces made one, quotes around it gone."""
    name = unicodedata.normalize("NFC", name)
    name = "".join(char for char in name if char in _JOINERS or unicodedata.category(char) not in _INVISIBLE)
    name = " ".join(name.split()).strip("".join(_JOINERS)).strip(",;:·|\t ")
    while len(name) > 2 and (name[0] + name[-1]) in _QUOTES and name[0] not in name[1:-1]:
        name = name[1:-1].strip(" ,;")
    return name


def check_name(name: str) -> str:
    """What is wrong with a tidy name; an empty text if nothing is."""
    if not any(unicodedata.category(char)[0] == "L" for char in name):
        return _("A name needs at least one letter.")
    if len(name) > LONGEST_NAME:
        return _("Keep a name to %(limit)d characters; this has %(length)d.") % {
            "limit": LONGEST_NAME,
            "length": len(name),
        }
    if re.search("m{4}", "".join("m" if unicodedata.category(char)[0] == "M" else "." for char in name)):
        return _("That name has too many marks on its letters. Leave some out.")
    return ""


def has_comma(name: str) -> bool:
    """Whether a name was read with its surname first."""
    return _COMMA.search(name) is not None


def key_of(name: str) -> str:
    """The same for names that one could take for each other."""
    return name_key("".join(char for char in name if unicodedata.category(char) not in _INVISIBLE))


_INVISIBLE: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_JOINERS: Final = frozenset("\u200c\u200d")
"""Persian, Indic scripts and emoji are spelt with them."""

_QUOTES: Final = frozenset({'""', "''", "“”", "„“", "„”", "‘’", "‚‘", "«»", "»«", "‹›", "「」", "`´", "``"})

_BULLET: Final = re.compile(
    r"""\s*(?:
        [(\[]?\#?\d{1,4}(?:[.):\]]+|\s*[-–—]\s|\t)     # 1.  2)  (3)  #4:  5 -  6<tab>
        | \#\d{1,4}\s
        | \[[ xX✓✔]?\]
        | [•‣◦▪▫■□●○☐☑☒✓✔➤→>]
        | [-–—*+·]+(?:\s|(?=\w))
    )\s*""",
    re.VERBOSE,
)
_HEADINGS: Final = frozenset(
    {
        *("name", "names", "first name", "last name", "player", "players", "partner", "partners"),
        *("pair", "pairs", "team", "teams"),
    }
)
_CELLS: Final = re.compile(r"[\t|]")
_STRONG: Final = re.compile(r"\s*[&＆/／+＋;；]\s*|\s+and\s+", re.IGNORECASE)
_DASH: Final = re.compile(r"\s+[-–—]\s+")
_COMMA: Final = re.compile(r"\s*[,，、،]\s*")
_QUOTED: Final = re.compile(r'(?<![^\s,;&/|])"([^"]*)"(?![^\s,;&/|])')


def _entries(line: str, members: int, *, surnames: bool) -> Iterable[tuple[tuple[str, ...], str]]:
    line = "".join(char for char in line if unicodedata.category(char) not in ("Co", "Cs"))
    line = line.strip("\ufeff\u200e\u200f ")
    for _twice in range(3):
        bare = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
        if not _visible(bare) or bare == line:
            break
        line = bare
    kept: list[str] = []

    def keep(quoted: re.Match[str]) -> str:
        kept.append(quoted[0])
        return f"\ue000{len(kept) - 1}\ue001"

    line = _QUOTED.sub(keep, line)

    def back(part: str) -> str:
        return tidy(re.sub("\ue000(\\d+)\ue001", lambda found: kept[int(found[1])], part))

    team = ""
    if members > 2 and ":" in line:
        team, line = line.split(":", 1)
    parts = [name for part in _split(line, members, surnames=surnames) if (name := back(part))]
    if members == 1:
        return [((name,), "") for name in parts] or [((tidy(line),), "")]
    return [(tuple(parts), back(team))]


def _split(line: str, members: int, *, surnames: bool) -> list[str]:
    cells = [cell for cell in _CELLS.split(line) if cell.strip() and not cell.strip().isdigit()]
    if members == 1:
        people = [part for part in _STRONG.split(" ".join(cells)) if part.strip()]
        surnames = surnames or (len(people) > 1 and all(_commas(part) == 1 for part in people))
        return [one for part in people for one in ([part] if surnames else _COMMA.split(part))]
    if members > 2:
        return [one for cell in cells for part in _STRONG.split(cell) for one in _COMMA.split(part)]
    if len(cells) > 1:
        return cells
    for separator in (_STRONG, _DASH, _COMMA):
        parts = [part for part in separator.split(line) if part.strip()]
        if len(parts) > 1:
            return parts
    return cells


def _surnames_first(lines: Iterable[str]) -> bool:
    """Whether each of several lines is a surname, a comma and a name."""
    there = [line for at, line in enumerate(lines) if at or tidy(line).casefold() not in _HEADINGS]
    return len(there) > 1 and all(_commas(line) == 1 and not _STRONG.search(line.strip(" ;")) for line in there)


def _commas(part: str) -> int:
    return len(_COMMA.findall(part.strip(" ,")))


def _wrong(names: tuple[str, ...], team: str, members: int, *, first: bool) -> str:
    if first and all(name.casefold() in _HEADINGS for name in names):
        return _("That looks like a heading.")
    if len(names) > members:
        told = {2: _("A pair is two people; this line has %(count)d names.")}
        return told.get(members, _("A team is %(members)d people; this line has %(count)d names.")) % {
            "members": members,
            "count": len(names),
        }
    for name in (*names, team) if team else names:
        if reason := check_name(name):
            return reason
    keys = [key_of(name) for name in names]
    if len(set(keys)) < len(keys):
        return _("The same name is there twice.")
    return "" if names else _("There is no name.")


def _again(names: tuple[str, ...], seen: dict[str, int]) -> str:
    for name in names:
        if (line := seen.get(key_of(name))) is not None:
            return _("%(name)s is in line %(line)d already. Add something to tell them apart.") % {
                "name": name,
                "line": line,
            }
    return ""


def _visible(text: str) -> bool:
    return any(unicodedata.category(char)[0] in "LNPS" for char in text)
