"""What all tests share.

Which of them run on another database too (the marker ``database``): those that use one, but for
:data:`ABOUT_PAGES`. A test in a browser says so itself, as most are about what the browser makes of a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase
from xdist.scheduler import LoadScopeScheduling

from games.selectors import tables
from tests.scale import scale

# Whatever hypothesis finds is found again by the next run; how long an example takes tells nothing.
hypothesis.settings.register_profile(
    "suite",
    max_examples=scale(1_000, daily=100),
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")

REAL_PROCESSES = ("faults", "browser")
"""Folders whose tests run real processes or browsers."""

TOGETHER = {
    "tests/faults/test_kills.py": "one site",
    "tests/bots/test_solver.py": "compiled bots", "tests/bots/test_strong.py": "compiled bots",
    "tests/bots/test_playout.py": "compiled bots", "tests/bots/test_analysis.py": "compiled bots",
    "tests/bots/test_heuristic.py": "many games",
    "tests/engine/test_shuffle.py": "many decks",
}  # fmt: skip
"""Files whose tests share something that takes long to make, and what: they go to one xdist worker, and first."""

USES_A_DATABASE = {"db", "transactional_db", "stack"}
"""Fixtures that do."""

ABOUT_PAGES = {
    "tests/web/test_bad_messages.py", "tests/web/test_felt.py", "tests/web/test_hidden_cards.py",
    "tests/web/test_house_rules.py", "tests/web/test_permissions.py", "tests/web/test_variant_felts.py",
    "tests/web/test_variant_replay.py", "tests/events/test_desk_pages.py", "tests/clubs/test_rights.py",
}  # fmt: skip
"""Files that ask what is made of the database's answers, for everybody and in every state: others ask the
database the same questions, once each."""

SHORT_BROWSING = ("test_accounts.py", "test_records.py", "test_weight.py")
"""They come last, so that no xdist worker waits long for another."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "database: may turn out differently on another database (set by itself, except in browsers)"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Start with what takes long, end with the browsers': Playwright leaves an event loop in its
    thread, which asynchronous tests after it would stumble over."""
    for item in items:
        real = folder_of(item) in REAL_PROCESSES
        if real:
            item.add_marker(pytest.mark.stack)
        if folder_of(item) != "browser" and file_of(item.nodeid) not in ABOUT_PAGES and meets_the_database(item):
            item.add_marker(pytest.mark.database)
    yield
    items.sort(key=place)


def place(item: pytest.Item) -> int:
    if folder_of(item) == "browser":
        return 4 if item.path.name in SHORT_BROWSING else 3
    return 0 if file_of(item.nodeid) in TOGETHER else 1 if folder_of(item) in REAL_PROCESSES else 2


def folder_of(item: pytest.Item) -> str:
    return item.nodeid.removeprefix("tests/").partition("/")[0]


def meets_the_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or not USES_A_DATABASE.isdisjoint(fixtures)


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Scheduler(LoadScopeScheduling):
    """Gives each test to the next xdist worker that is free, but all that share something to one."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(file_of(nodeid), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduler:
    config.option.loadscopereorder = False
    return Scheduler(config, log)


KEPT = {"django_content_type", "auth_permission"}
"""Tables of what migrations make, and no test changes."""


def empty_the_database(case: TransactionTestCase) -> None:
    """Delete every row. Django's own way truncates, which costs many times as much where all is
    small, waits for whatever a server of the test still does, and makes content types anew."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with transaction.atomic(), connection.cursor() as cursor:
        for name in sorted({*names} - KEPT):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")


@pytest.fixture(scope="session", autouse=True)
def quickly_emptied() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_the_database)
        yield


@pytest.fixture(autouse=True)
def no_seats_remembered():
    """Tests begin with the same table numbers again; what was cached of the last one's is void."""
    tables._seats_at.cache_clear()
