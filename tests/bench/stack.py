"""The servers of a run, each a child of this process on addresses of this machine only."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from euchre_site import processes
from tests import servers

ROOT = Path(__file__).resolve().parents[2]

Seats = list[tuple[int, list[str]]]
"""Of each table the id and the Cookie headers of its four players."""


@dataclass(frozen=True)
class Server:
    """A running Daphne. ``groups``: the processes whose CPU time is told apart, by name."""

    port: int
    pid: int
    groups: dict[str, list[int]]
    seats: Seats


def server_cpu() -> set[int]:
    """The CPU that the measured server has to itself; all where there is only one."""
    cpus = sorted(_allowed)
    return {cpus[-1]} if len(cpus) > 1 else _allowed


def pin_client() -> None:
    """Keep this process, and what it starts from now on, off the server's CPU."""
    os.sched_setaffinity(0, (_allowed - server_cpu()) or _allowed)


_allowed = os.sched_getaffinity(0)


@contextlib.contextmanager
def bare(port: int, tables: int) -> Iterator[Server]:
    """The yardstick under Daphne."""
    with _daphne("tests.bench.bare:application", port, dict(os.environ)) as pid:
        yield Server(port, pid, {"server": [pid]}, [(number, [""] * 4) for number in range(1, tables + 1)])


@contextlib.contextmanager
def site(port: int, tables: int, database: str) -> Iterator[Server]:
    """The site on ``database`` ("sqlite" or "postgres"), its Valkey, and so many tables with
    four people each. No worker runs: with people only, nothing waits for one."""
    data_dir = servers.folder("bench")
    before = _children()
    environment = os.environ | {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "DEMO": "0",
        "EUCHRE_DEAL_PAUSE": "0",
        "EUCHRE_TRICK_PAUSE": "0",
        "REDIS_URL": servers.valkey(data_dir),
    }
    valkey = _children() - before
    environment.pop("DATABASE_URL", None)
    if database == "postgres":
        environment["DATABASE_URL"] = servers.postgres(data_dir, fsync=True)
    backends = _children() - before - valkey
    seed = [sys.executable, "-m", "tests.bench.seed", str(tables)]
    seats = json.loads(subprocess.run(seed, env=environment, cwd=ROOT, check=True, capture_output=True).stdout)
    with _daphne("euchre_site.asgi:application", port, environment) as pid:
        yield Server(port, pid, {"server": [pid], "valkey": sorted(valkey), "database": sorted(backends)}, seats)


def _children() -> set[int]:
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


@contextlib.contextmanager
def _daphne(application: str, port: int, environment: dict[str, str]) -> Iterator[int]:
    command = processes.commands(Path(environment.get("DATA_DIR", "/tmp")), "127.0.0.1", port, own_valkey=False)["web"]
    process = subprocess.Popen([*command[:-1], application], env=environment, cwd=ROOT)
    try:
        os.sched_setaffinity(process.pid, server_cpu())
        _wait_for(port, process)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("Daphne did not start")
        time.sleep(0.05)
