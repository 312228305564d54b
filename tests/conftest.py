"""What all tests share."""

from __future__ import annotations

import pytest

from games.selectors import tables


@pytest.fixture(autouse=True)
def no_seats_remembered():
    """Tests begin with the same table numbers again; what was cached of the last one's is void."""
    tables._seats_at.cache_clear()
