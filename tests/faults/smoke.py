"""``python -m tests.faults.smoke``: start the site as a new user would, stop it, and start it
again. Prints what it measured; fails with an AssertionError."""

from __future__ import annotations

import time
import urllib.request
from pathlib import Path

from tests import servers
from tests.faults.stack import PATIENCE, MadeRun, crowding

SECOND_START = 5.0
"""Seconds that the second start may take, to the first page, on a machine that does nothing else."""

ATTEMPTS = 3
"""A busy machine may need more than one for that."""


def start(site: MadeRun) -> float:
    began = time.monotonic()
    line = site.first_line()
    assert f"http://localhost:{site.port}/" in line, line
    with urllib.request.urlopen(f"{site.url}/", timeout=PATIENCE) as page:
        assert page.status == 200
    return time.monotonic() - began


def stop(site: MadeRun) -> None:
    began = time.monotonic()
    site.stop()
    print(f"stopped in {time.monotonic() - began:.1f} s")
    assert not site.pids(), f"left running: {site.pids()}"


def second_start(data_dir: Path) -> float:
    with MadeRun(data_dir, DEMO="1") as site:
        took = start(site)
        crowd = crowding()
        print(f"second start {took:.1f} s, with everything {crowd:.1f} times as slow as alone")
        stop(site)
    return took / crowd


def main() -> None:
    data_dir = servers.folder("smoke")
    with MadeRun(data_dir, DEMO="1") as site:
        print(f"first start {start(site):.1f} s")
        assert len(site.pids()) == 5, site.pids()
        stop(site)
    assert any(second_start(data_dir) < SECOND_START for _attempt in range(ATTEMPTS))


if __name__ == "__main__":
    main()
