"""Words that are not wanted here: in what people say, in the names of players and of tables."""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import gettext as _

from games.names import name_key
from games.selectors import talk
from games.services.errors import UserError

_WORDS = re.compile(r"[^\W_]+")


def find(text: str) -> bool:
    """Whether a text has a word of the site owner's list, whole, in any case and spelling that looks
    the same: with other alphabets' letters, full-width, with dots or invisible characters between.
    One query, and none for an empty text."""
    if not text:
        return False
    unwanted = {name_key(word) for word in talk.unwanted_words()} - {""}
    return bool(unwanted) and not unwanted.isdisjoint(_keys(text))


def check(text: str) -> None:
    """UserError for a text with such a word."""
    if find(text):
        raise UserError(_("There is a word in it that is not wanted here. Say it in another way."))


def check_name(name: str) -> None:
    """UserError for a name with such a word, or that is one written apart."""
    if find(name):
        raise UserError(_("There is a word in that name that is not wanted here. Try another."))


def _keys(text: str) -> set[str]:
    visible = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    parts = {visible, *visible.split(), *_WORDS.findall(visible)}
    return {name_key(part) for part in parts}
