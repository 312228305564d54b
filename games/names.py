"""Names at the table: which are allowed, and when two of them are the same.

A name is shown as its owner writes it. Its *key* decides whether two names are the same:
two names that a player could mistake for each other have one key, and keys are unique.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs import categories, confusables
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MIN_LENGTH: Final = 2
MAX_LENGTH: Final = 24
MAX_KEY_LENGTH: Final = 96
"""The room for a key in the database; a look-alike may stand for several letters (m for rn)."""

RESERVED: Final = (
    "a former player", "former player", "deleted", "admin", "administrator", "administration", "staff", "moderator",
    "mod", "director", "operator", "owner", "host", "root", "system", "server", "site", "support", "help", "security",
    "official", "bot", "bots", "computer", "robot", "dealer", "euchre", "anonymous", "guest", "nobody", "everybody",
    "everyone", "somebody", "player", "you", "me", "none", "null", "undefined", "watcher", "spectator", "empty seat",
)  # fmt: skip
"""Names that would pass for the site, its staff, a bot or nobody."""

_PUNCTUATION: Final = frozenset(" -\u05be'’._")
"""\u05be is the hyphen of Hebrew, the maqaf."""

_OF_CLUBS: Final = frozenset("&+!")
"""What may stand in a club's name besides; that and emoji tell no two clubs apart."""

_PICTURE: Final = (
    "[\u2600-\u2767\u2794-\u27bf\u2b1b\u2b1c\u2b50\u2b55\U0001f1e6-\U0001f1ff\U0001f300-\U0001f64f"
    "\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7f0\U0001f90c-\U0001faff]"
)
_EMOJI: Final = re.compile(f"{_PICTURE}\ufe0f?(?:\u200d{_PICTURE}\ufe0f?)*")
"""A picture, or several that joiners make one of; the colours of skin are pictures too."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_UNSEEN_LETTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Fillers, joiners and selectors that Unicode calls letters or marks."""

_ANY_SCRIPT: Final = frozenset({"COMMON", "INHERITED"})
_ONE_WRITING: Final = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts that one language writes together."""

_PLAIN_ALPHABETS: Final = frozenset({"LATIN", "GREEK", "CYRILLIC"})
"""Here a mark that does not compose with its letter is decoration."""

_VOWEL_SIGNS: Final = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]")
"""Hebrew points, Arabic vowel signs and the stroke that only stretches a word: optional in writing."""

_LATIN_TWINS: Final = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
"""Twins left in lower case: a capital I looks like a small l."""


def clean_name(name: str) -> str:
    """The name in its stored form: compatibility forms replaced (NFKC), runs of spaces made one."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def name_key(name: str) -> str:
    """What is the same for names that are the same: ``north``, ``NORTH`` and ``N0rth`` share one.

    Case, spaces, punctuation, optional vowel signs and look-alike letters of every alphabet
    (Unicode's confusables) make no difference. Accents do: ``Ceh`` and ``Čeh`` are two people.
    """
    text = _VOWEL_SIGNS.sub("", clean_name(name)).casefold().replace("i\u0307", "i")  # the Turkish capital
    text = "".join(_prototype(char) for char in text if char not in _PUNCTUATION)
    return text.casefold().translate(_LATIN_TWINS)[:MAX_KEY_LENGTH]


def club_key(name: str) -> str:
    """:func:`name_key` of a club: emoji and ``& + !`` make no difference either."""
    key = name_key("".join(char for char in _EMOJI.sub("", name) if char not in _OF_CLUBS))
    return "".join(char for char in key if char not in _OF_CLUBS)  # of what looks like one of them


def validate_name(name: str, longest: int = MAX_LENGTH) -> str:
    """The stored form of a name that somebody wants to have, of ``longest`` characters at most.

    Raises ``ValidationError`` with a sentence saying what to change. Whether somebody has the
    name already is the database's question.
    """
    return _validated(name, longest, of_club=False)


def validate_club_name(name: str, longest: int) -> str:
    """:func:`validate_name` for a club, which may have ``& + !`` and emoji in its name."""
    return _validated(name, longest, of_club=True)


def _validated(name: str, longest: int, *, of_club: bool) -> str:
    _refuse_unseen(_EMOJI.sub("", name))
    name = clean_name(name)
    if not MIN_LENGTH <= len(name) <= longest:
        raise ValidationError(
            _("A name has %(min)d to %(max)d characters; this one has %(count)d."),
            "length",
            {"min": MIN_LENGTH, "max": longest, "count": len(name)},
        )
    bare = clean_name(_EMOJI.sub(" ", name)) if of_club else name
    _refuse_strange_characters(bare, _PUNCTUATION | _OF_CLUBS if of_club else _PUNCTUATION, of_club=of_club)
    _refuse_mixed_scripts(bare)
    if (club_key(name) if of_club else name_key(name)) in _reserved_keys():
        raise ValidationError(_("That name is kept for the site itself. Try another."), "reserved")
    return name


def _refuse_unseen(name: str) -> None:
    for char in name:
        if unicodedata.category(char) in _UNSEEN or _UNSEEN_LETTERS.match(char):
            raise ValidationError(
                _("There is an invisible character in that name (%(code)s). Type it again without it."),
                "invisible",
                {"code": f"U+{ord(char):04X}"},
            )


def _refuse_strange_characters(name: str, allowed: frozenset[str], *, of_club: bool) -> None:
    kinds = [unicodedata.category(char) for char in name]
    for char, kind in zip(name, kinds, strict=True):
        if kind[0] in "LM" or kind == "Nd" or char in allowed:
            continue
        if of_club:
            sentence = _(
                "“%(char)s” cannot stand in the name of a club: that is made of letters, digits, spaces, emoji, "
                "dots, hyphens, apostrophes, underscores and the signs & + !."
            )
        elif _EMOJI.match(char):
            sentence = _(
                "The name of a player has no emoji: leave out “%(char)s”. Letters, digits and spaces are fine."
            )
        else:
            sentence = _(
                "“%(char)s” cannot stand in a name: that is made of letters, digits, spaces, dots, hyphens, "
                "apostrophes and underscores."
            )
        raise ValidationError(sentence, "characters", {"char": char})
    if not any(kind[0] == "L" for kind in kinds):
        raise ValidationError(_("A name needs at least one letter."), "letter")
    if kinds[0][0] not in "LN" or not (kinds[-1][0] in "LMN" or name[-1] in (".!+" if of_club else ".")):
        raise ValidationError(_("A name begins and ends with a letter or a digit."), "ends")


def _refuse_mixed_scripts(name: str) -> None:
    scripts = {categories.alias(char) for char in name} - _ANY_SCRIPT
    if len(scripts) > 1 and not any(scripts <= together for together in _ONE_WRITING):
        raise ValidationError(
            _("Use the letters of one alphabet: this name mixes %(alphabets)s."),
            "scripts",
            {"alphabets": ", ".join(sorted(script.title() for script in scripts))},
        )
    marks = "".join("m" if unicodedata.category(char)[0] == "M" else "." for char in name)
    if "mmm" in marks or (scripts & _PLAIN_ALPHABETS and "m" in marks):
        raise ValidationError(_("That name has too many marks on its letters. Leave some out."), "marks")


@cache
def _prototype(char: str) -> str:
    """The characters that stand for everything that looks like ``char``, which is in lower case.

    A letter of another alphabet counts as the Latin one that it looks like in either case, the
    capital first: Cyrillic em is an M only as a capital.
    """
    if not char.isascii():
        for form in (char.upper(), char):
            if len(form) == 1 and (latin := _twin(form)).isascii():
                return "".join(_twin(letter) for letter in latin.casefold())
    return _twin(char)


def _twin(char: str) -> str:
    twins: list[str] = [entry["c"].strip("\u200e") for entry in confusables.confusables_data.get(char, ())]
    if len(twins) != 1:
        return char  # nothing looks like it, or it is itself the prototype of several
    twin = twins[0]
    if len(twin) > 1 or len(confusables.confusables_data.get(twin, ())) > 1:
        return twin
    return min(char, twin)  # a pair: either will do, if it is always the same


@cache
def _reserved_keys() -> frozenset[str]:
    return frozenset(name_key(name) for name in RESERVED)
