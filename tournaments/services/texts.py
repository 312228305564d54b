"""What people write, as it is stored. Every refusal is a :class:`UserError` with the number to get to."""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import gettext as _

from games.services.errors import UserError


def one_line(text: str, longest: int, *, empty: str = "") -> str:
    """A line without control characters, runs of spaces made one. ``empty`` is the refusal of a
    line in which nothing can be seen; without it that is an empty line."""
    text = " ".join(_composed(text.replace("\n", " ")).split())
    if not any(unicodedata.category(character)[0] in "LNPS" for character in text):
        if empty:
            raise UserError(empty)
        return ""
    return _checked(text, longest)


def cut(text: str, longest: int) -> str:
    """A line as :func:`one_line` makes it, of which the end is left out where it is too long."""
    return one_line(text[:longest], longest)


def paragraphs(text: str, longest: int) -> str:
    """Text of several lines; more than one empty line in a row are one."""
    text = _composed(text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    return _checked(re.sub(r"\n{3,}", "\n\n", text).strip(), longest)


def _composed(text: str) -> str:
    text = unicodedata.normalize("NFC", text.replace("\t", " "))
    return "".join(
        character
        for character in text
        if character == "\n" or unicodedata.category(character) not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
    )


def _checked(text: str, longest: int) -> str:
    if len(text) > longest:
        raise UserError(
            _("Keep it to %(limit)d characters; this has %(length)d.") % {"limit": longest, "length": len(text)}
        )
    return text
