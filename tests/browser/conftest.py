"""What the tests in a real browser share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, and nothing that it would do on its own."""
    return {
        "executable_path": shutil.which("chromium") or shutil.which("chromium-browser"),
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }


@pytest.fixture(scope="package", autouse=True)
def database_beside_the_browser() -> Iterator[None]:
    """Playwright keeps an event loop in this thread, which Django would take for ours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield
