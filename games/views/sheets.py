"""Files for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse


def sheet(file: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A file of comma separated values, with the mark by which spreadsheets know UTF-8."""
    return download(file, text_of(head, rows))


def text_of(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """The text of such a file."""
    written = io.StringIO()
    writer = csv.writer(written)
    for row in (head, *rows):
        writer.writerow([cell(value) for value in row])
    return written.getvalue()


def download(file: str, text: str) -> HttpResponse:
    response = HttpResponse(f"\ufeff{text}", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{file}.csv"'
    return response


def cell(value: object) -> object:
    """What goes into a cell: a text that no spreadsheet takes for a formula; numbers are numbers."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) and not _is_number(value):
        return f"'{value}"
    return value


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdecimal() and text.isascii()
