"""``python -m tests.faults.smoke``: start the site as a new user would, with an idle machine's
timing. Prints what it measured; fails with an AssertionError."""

from __future__ import annotations

import time
import urllib.request

from tests import servers
from tests.faults.stack import MadeRun

SECOND_START = 5.0
"""Seconds that the second start may take, to the first page."""


def start(site: MadeRun) -> float:
    began = time.monotonic()
    line = site.first_line()
    assert f"http://localhost:{site.port}/" in line, line
    with urllib.request.urlopen(f"{site.url}/", timeout=10) as page:
        assert page.status == 200
    return time.monotonic() - began


def main() -> None:
    data_dir = servers.folder("smoke")
    with MadeRun(data_dir, DEMO="1") as site:
        print(f"first start {start(site):.1f} s")
        assert len(site.pids()) == 5, site.pids()
    with MadeRun(data_dir, DEMO="1") as site:
        took = start(site)
        print(f"second start {took:.1f} s")
        began = time.monotonic()
        site.stop()
        print(f"stopped in {time.monotonic() - began:.1f} s")
        assert not site.pids(), f"left running: {site.pids()}"
    assert took < SECOND_START, f"the second start took {took:.1f} s"


if __name__ == "__main__":
    main()
