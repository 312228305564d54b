"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.selectors import tables

REAL_PROCESSES = ("faults", "browser")
"""Folders whose tests run real processes or browsers: one after the other on one xdist worker."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the long tests of faults, end with the browsers': Playwright leaves an event
    loop in its thread, which asynchronous tests after it would stumble over."""
    here = Path(__file__).parent

    def folder(item: pytest.Item) -> str:
        return item.path.relative_to(here).parts[0] if item.path.is_relative_to(here) else ""

    for item in items:
        if folder(item) in REAL_PROCESSES:
            item.add_marker(pytest.mark.stack)
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(folder(item)))
    items.sort(key=lambda item: {"faults": 0, "browser": 2}.get(folder(item), 1))


@pytest.fixture(autouse=True)
def no_seats_remembered():
    """Tests begin with the same table numbers again; what was cached of the last one's is void."""
    tables._seats_at.cache_clear()
