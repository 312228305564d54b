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

_PUNCTUATION: Final = frozenset(" -'’._")
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


def validate_name(name: str, longest: int = MAX_LENGTH) -> str:
    """The stored form of a name that somebody wants to have, of ``longest`` characters at most.

    Raises ``ValidationError`` with a sentence saying what to change. Whether somebody has the
    name already is the database's question.
    """
    if any(unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp") for char in name):
        raise ValidationError(_("There is an invisible character in that name. Type it again without it."), "invisible")
    name = clean_name(name)
    if not MIN_LENGTH <= len(name) <= longest:
        raise ValidationError(
            _("A name has %(min)d to %(max)d characters; this one has %(count)d."),
            "length",
            {"min": MIN_LENGTH, "max": longest, "count": len(name)},
        )
    _refuse_strange_characters(name)
    _refuse_mixed_scripts(name)
    if name_key(name) in _reserved_keys():
        raise ValidationError(_("That name is kept for the site itself. Try another."), "reserved")
    return name


def _refuse_strange_characters(name: str) -> None:
    kinds = [unicodedata.category(char) for char in name]
    if not all(kind[0] in "LM" or kind == "Nd" or char in _PUNCTUATION for char, kind in zip(name, kinds, strict=True)):
        raise ValidationError(
            _("A name is made of letters, digits, spaces, dots, hyphens, apostrophes and underscores."), "characters"
        )
    if not any(kind[0] == "L" for kind in kinds):
        raise ValidationError(_("A name needs at least one letter."), "letter")
    if kinds[0][0] not in "LN" or not (kinds[-1][0] in "LMN" or name.endswith(".")):
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
