"""Files for spreadsheets."""

from __future__ import annotations


def cell(value: object) -> object:
    """What goes into a cell: a text that no spreadsheet takes for a formula; numbers are numbers."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) and not _is_number(value):
        return f"'{value}"
    return value


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdecimal() and text.isascii()
