"""Numbers and days in addresses and forms: ``<id:...>`` and ``<day:...>``, registered by importing
this module, and :func:`whole_number` for what comes as text."""

from __future__ import annotations

from datetime import date
from typing import TypeVar

from django.urls import register_converter
from django.urls.converters import IntConverter

D = TypeVar("D")


class IdConverter(IntConverter):
    """The number of a table or game: ASCII digits, no more of them than the database can hold."""

    regex = "[0-9]{1,18}"


class DayConverter:
    """A day as ``2026-11-30``; what is none is no such address."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(IdConverter, "id")
register_converter(DayConverter, "day")


def whole_number(text: object, digits: int, default: D) -> int | D:
    """A number of at most so many digits, Arabic keyboards' own among them; ``default`` for anything else
    that a browser may send."""
    text = str(text)
    return int(text) if text.isdecimal() and len(text) <= digits else default
