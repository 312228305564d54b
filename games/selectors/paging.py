"""Lists in pages."""

from __future__ import annotations

from math import ceil


def page_of(total: int, number: int, size: int) -> tuple[int, int, slice]:
    """The page that is nearest to ``number``, how many there are, and what of the list it holds."""
    pages = max(1, ceil(total / size))
    number = min(max(1, number), pages)
    return number, pages, slice((number - 1) * size, number * size)
