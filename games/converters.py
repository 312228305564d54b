"""Numbers in addresses and forms: ``<id:...>``, registered by importing this module, and
:func:`whole_number` for what comes as text."""

from __future__ import annotations

from typing import TypeVar

from django.urls import register_converter
from django.urls.converters import IntConverter

D = TypeVar("D")


class IdConverter(IntConverter):
    """The number of a table or game: ASCII digits, no more of them than the database can hold."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")


def whole_number(text: object, digits: int, default: D) -> int | D:
    """A number of at most so many ASCII digits; ``default`` for anything else that a browser may
    send."""
    text = str(text)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else default
