"""What all tests share.

Which of them run on another database too (the marker ``database``): those that use one, but for
:data:`ABOUT_PAGES`; there, as few of them as ask it all that they ask together (tests/questions.py), and all that
are about transactions. Tests in browsers, and whole sites that are killed, say so themselves, as most are about what
the browser makes of a page, or about the processes.
"""

from __future__ import annotations

import gc
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest.assertion import rewrite
from _pytest.doctest import DoctestModule
from django.db import connection, transaction
from django.template.base import Template
from django.test import TransactionTestCase
from django.test.utils import instrumented_test_render
from xdist.scheduler import LoadScopeScheduling

from games.selectors import tables
from tests import questions, servers
from tests.faults import stack
from tests.scale import THOROUGH, scale

# Whatever hypothesis finds is found again by the next run; how long an example takes tells nothing.
hypothesis.settings.register_profile(
    "suite",
    max_examples=scale(1_000, daily=100),
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")

gc.disable()  # until all is collected: nothing of it goes

A_DOCTEST = re.compile(rb"^ *>>> ", re.MULTILINE)

REAL_PROCESSES = ("faults", "browser")
"""Folders whose tests run real processes or browsers."""

WITHOUT_A_DATABASE = ("engine", "formats", "bots", "fairness", "records")
"""Folders of which no test uses one: they are not even read where only such tests are asked for."""

TOGETHER = {
    "tests/faults/test_kills.py": "one site",
    "tests/bots/test_solver.py": "compiled bots", "tests/bots/test_strong.py": "compiled bots",
    "tests/bots/test_playout.py": "compiled bots", "tests/bots/test_analysis.py": "compiled bots",
    "tests/bots/test_heuristic.py": "many games",
    "tests/engine/test_shuffle.py": "many decks",
}  # fmt: skip
"""Files whose tests share something that takes long to make, and what: they go to one xdist worker, and first."""

USES_A_DATABASE = {"db", "transactional_db"}
"""Fixtures that do."""

ABOUT_PAGES = {
    *(f"tests/web/test_{about}.py" for about in (
        "accounts", "analysis", "announcements", "api", "api_stream", "bad_messages", "controls", "daily", "fair",
        "felt", "hidden_cards", "house_rules", "languages", "names", "pages", "people_pages", "permissions",
        "preferences", "records", "replay", "security", "table", "table_complaints", "talk", "templatetags", "tokens",
        "variant_felts", "variant_replay", "waiting_time", "watching",
    )),
    *(f"tests/{part}/test_{about}.py" for part in ("clubs", "events", "ladders") for about in (
        "desk_pages", "event_pages", "exports", "pages", "rights",
    )),
    "tests/services/test_promises.py", "tests/services/test_variants.py",
}  # fmt: skip
"""Files that ask what is made of the database's answers, for everybody and in every state: others ask the
database the same questions, once each, and in these the tests that are marked one by one."""

LONG_BROWSING = (
    "test_axe_", "test_a_whole_game", "test_a_stranger_plays_", "test_a_reload_in_any_phase_",
    "test_a_restarted_server_", "test_a_deal_by_keyboard", "test_nothing_lies_on_", "test_a_script_that_knows_",
)  # fmt: skip
"""How the names of those begin that take longest: they come first, so that in the end no xdist worker waits long for
another."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "database: may turn out differently on another database (set by itself, see tests/conftest.py)"
    )
    servers.shared_folder()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        stack.drop_prepared()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return (config.option.markexpr == "database" and collection_path.name in WITHOUT_A_DATABASE) or None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[list[pytest.Collector]]:
    """Only files of which some line is a doctest are looked through for them: half of what collecting took."""
    found = yield
    if not any(isinstance(each, DoctestModule) for each in found) or A_DOCTEST.search(file_path.read_bytes()):
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_collection_finish() -> None:
    """What is loaded by now stays: nothing is gained by searching it again and again for what may go."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionstart(session: pytest.Session) -> None:
    """On a clean clone each xdist worker would rewrite the assertions of every file, as all go through them in one
    order: each does a share of its own first, and finds the others'."""
    told = getattr(session.config, "workerinput", None)
    if told is None or sys.dont_write_bytecode:
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = len(files) * int(told["workerid"].removeprefix("gw")) // told["workercount"]
    state = session.config.stash[rewrite.assertstate_key]
    for file in (*files[first:], *files[:first]):
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if not kept.exists() or kept.stat().st_mtime < file.stat().st_mtime:
            kept.parent.mkdir(parents=True, exist_ok=True)
            rewrite._write_pyc(state, *reversed(rewrite._rewrite_test(file, session.config)), kept)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Start with what takes long, end with the browsers': Playwright leaves an event loop in its
    thread, which asynchronous tests after it would stumble over."""
    for item in items:
        if folder_of(item) in REAL_PROCESSES:
            item.add_marker(pytest.mark.stack)
    meeting = {item.nodeid: item for item in items if meets_the_database(item)}
    for name in meeting.keys() - needless_elsewhere(config, meeting):
        meeting[name].add_marker(pytest.mark.database)
    yield
    items.sort(key=place)


def place(item: pytest.Item) -> int:
    if folder_of(item) == "browser":
        return 3 if item.name.startswith(LONG_BROWSING) else 4
    return 0 if file_of(item.nodeid) in TOGETHER else 1 if folder_of(item) in REAL_PROCESSES else 2


def folder_of(item: pytest.Item) -> str:
    return item.nodeid.removeprefix("tests/").partition("/")[0]


def meets_the_database(item: pytest.Item) -> bool:
    """Does it ask something that another database might answer otherwise?"""
    uses = item.get_closest_marker("django_db") or not USES_A_DATABASE.isdisjoint(getattr(item, "fixturenames", ()))
    assert not uses or folder_of(item) not in WITHOUT_A_DATABASE, f"{item.nodeid} is overlooked on other databases"
    return bool(uses) and folder_of(item) not in REAL_PROCESSES and file_of(item.nodeid) not in ABOUT_PAGES


def needless_elsewhere(config: pytest.Config, meeting: dict[str, pytest.Item]) -> set[str]:
    """Which of these need not run on another database than SQLite, as others of them ask it the same."""
    cache = getattr(config, "cache", None)
    if THOROUGH or cache is None or connection.vendor == "sqlite":
        return set()
    about_transactions = {name for name, item in meeting.items() if commits(item)}
    return questions.needless(meeting.keys() - about_transactions, about_transactions, cache.get(questions.NOTES, {}))


def commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return bool(mark and mark.kwargs.get("transaction")) or "transactional_db" in getattr(item, "fixturenames", ())


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Scheduler(LoadScopeScheduling):
    """Gives each test to the next xdist worker that is free, but all that share something to one."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(file_of(nodeid), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduler:
    config.option.loadscopereorder = False
    return Scheduler(config, log)


_listener = questions.Listener()
_noted: questions.Notes = {}


@pytest.fixture(scope="session", autouse=True)
def listened_to() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "sqlite":
            _listener.listen(patch)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    _listener.begin()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    if _listener.kinds and item.get_closest_marker("database"):
        item.user_properties.append((questions.NOTES, (_listener.count, sorted(_listener.kinds))))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown" and questions.NOTES in (properties := dict(report.user_properties)):
        _noted[report.nodeid] = properties[questions.NOTES]


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if _noted and not hasattr(config, "workerinput") and (cache := getattr(config, "cache", None)):
        cache.set(questions.NOTES, cache.get(questions.NOTES, {}) | _noted)


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


_rendering = threading.local()


def render_and_tell(template: Template, context: Any) -> str:
    """Render, and tell the test's client of the page; Django's own way tells of each of the hundreds of
    parts that a page includes, with a copy of all that it was given."""
    if getattr(_rendering, "page", False):
        return template.nodelist.render(context)
    _rendering.page = True
    try:
        return instrumented_test_render(template, context)
    finally:
        _rendering.page = False


@pytest.fixture(scope="session", autouse=True)
def pages_told_of(django_test_environment: None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render_and_tell)
        yield


@pytest.fixture(autouse=True)
def no_seats_remembered():
    """Tests begin with the same table numbers again; what was cached of the last one's is void."""
    tables._seats_at.cache_clear()
