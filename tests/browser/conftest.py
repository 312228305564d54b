"""What the tests in a real browser share."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games import engine
from tests.browser.forms import FormReader
from tests.browser.visitor import PATIENCE, Visitor
from tests.faults.stack import Stack

expect.set_options(timeout=PATIENCE * 1000)

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first is the same without a browser's own windows, which cost more than the pages of a test."""


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, without windows where it can be had, and nothing that it would do on its own."""
    return {
        "executable_path": next(filter(None, map(shutil.which, CHROMIUM)), None),
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--js-flags=--no-opt --no-maglev",  # pages do not live long enough to be worth it
        ],
    }


@pytest.fixture(scope="package", autouse=True)
def database_beside_the_browser() -> Iterator[None]:
    """Playwright keeps an event loop in this thread, which Django would take for ours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """The real site. Bots hardly think; a finished deal stays until everybody has seen it."""
    with Stack(
        EUCHRE_BOT_DELAY="0.02",
        EUCHRE_TRICK_PAUSE="0",
        EUCHRE_DEAL_PAUSE="600",
        EUCHRE_AWAY_AFTER="600",
        SIGNUP_RATE="1000/m/ip",
        DJANGO_SETTINGS_MODULE="tests.browser.site_settings",
    ) as site:
        yield site


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(stack: Stack, browser: Browser) -> Iterator[Visit]:
    """Opens a browser of its own for a visitor: ``visit(java_script_enabled=False)``. In the end
    none of them may have complained, or have asked another site for anything."""
    visitors: list[Visitor] = []

    def open_browser(site: str = stack.url, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, site, **options))
        return visitors[-1]

    yield open_browser
    for visitor in visitors:
        visitor.context.close()
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    assert not complaints, "\n".join([*complaints, stack.log("web")[-5000:]])


_numbers = itertools.count(1)


@pytest.fixture
def a_name() -> Callable[[str], str]:
    """A name that nobody has yet: ``a_name("North")``."""
    return lambda kind: f"{kind} {next(_numbers)}"


@pytest.fixture
def joined(stack: Stack, visit: Visit, a_name: Callable[[str], str]) -> Callable[..., Visitor]:
    """Like ``visit``, for somebody who has an account: ``joined("North", is_mobile=True)``."""

    def join(kind: str, **options: Any) -> Visitor:
        script = FormReader(stack.url)
        name = a_name(kind)
        script.join(name)
        visitor = visit(**options)
        visitor.name = name
        visitor.context.add_cookies(
            [{"name": c.name, "value": c.value or "", "url": stack.url} for c in script.cookies]
        )
        return visitor

    return join


@pytest.fixture
def last_deal(stack: Stack) -> Callable[[Visitor], None]:
    """Whatever was played at somebody's table, the next deal there ends its game: each side lacks one point."""

    def bring_near(visitor: Visitor) -> None:
        [(rules,)] = stack.rows("SELECT rules FROM games_table WHERE id = %s", visitor.table_id)
        score = engine.parse_rules(rules).target_score - 1
        stack.rows("UPDATE games_table SET score_0 = %s, score_1 = %s WHERE id = %s", score, score, visitor.table_id)

    return bring_near


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the console says: the policy's refusals among it."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield said
    assert said == []
