"""The real site as separate processes, each of which can be killed and started again.

    with Stack() as stack:
        stack.kill("worker")
        stack.start("worker")
        stack.wait_for_sweep()

The processes are those of ``make run``, without its process manager: nothing restarts what a
test has killed. Everything lives in a temporary folder and on a free loopback port, Valkey is
always one of its own, and the database is a new one on the server of ``DATABASE_URL`` if that
is set. A stack has no event loop, so tests talk to it with ``websockets.sync`` and ``urllib``.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import resource
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

from euchre_site import processes
from tests import servers

ROOT = processes.BASE_DIR

PATIENCE = 120.0
"""Seconds that anything may take before it counts as broken: many, as the machine may be slow and busy.
Nothing waits for that long."""

NOT_INHERITED = (
    "DATA_DIR", "DATABASE_URL", "REDIS_URL", "REDIS_PREFIX", "SECRET_KEY", "EMAIL_URL", "DJANGO_SETTINGS_MODULE",
    "EUCHRE_BOT_DELAY", "EUCHRE_TRICK_PAUSE", "EUCHRE_DEAL_PAUSE", "EUCHRE_FILL_AFTER", "EUCHRE_GRACE",
    "EUCHRE_AWAY_AFTER", "PRODUCTION", "DEBUG", "ALLOWED_HOSTS", "PORT", "BIND", "DEMO", "MAKEFLAGS", "MAKELEVEL",
)  # fmt: skip
"""Variables of the suite that a site under test must not see."""


def wait_until(happened: Callable[[], Any], what: str, *, pause: float = 0.02) -> Any:
    """Ask again and again, with a pause of so many seconds, until the answer is true; the answer. AssertionError if
    it never is."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := happened()):
        assert time.monotonic() < deadline, f"{what} did not happen within {PATIENCE:g} s"
        time.sleep(pause)
    return answer


class Pace:
    """A stop-watch for what may not take long on a machine that does nothing else."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def took(self) -> float:
        """Seconds since the start, as if this machine had nothing else to do."""
        return (time.monotonic() - self._began) / crowding()


def crowding() -> float:
    """How many times as long as it computes a process takes just now, because of others."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([sys.executable, "-c", "import django.db.models"], check=True)
    after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
    return max(1.0, took / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


def free_port() -> int:
    """One of those that the system gives to nobody by itself, so that it is free a moment later too."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def clean_environment(**changes: str) -> dict[str, str]:
    """The environment of a site under test, whose workers compile nothing: that takes half a minute each."""
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    return inherited | {"EUCHRE_COMPILED": "0"} | changes


def answers(url: str) -> bool:
    """Does a web server answer at this address, whatever it says?"""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def _python(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@functools.cache
def prepared() -> tuple[Path, _Database]:
    """A site as its first start leaves it, made once for all that the workers of the suite start: its folder and
    database."""
    shared = servers.shared_folder()
    data_dir = shared / "site"
    database = _Database(data_dir, f"euchre_{hashlib.sha256(os.fsencode(shared)).hexdigest()[:12]}")
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "prepared").exists():
            data_dir.mkdir(exist_ok=True)
            database.drop()
            database.create()
            environment = clean_environment(DATA_DIR=str(data_dir), DATABASE_URL=database.url, DEMO="0")
            _python(environment, "-c", "from euchre_site.run import prepare; prepare()")
            (shared / "prepared").touch()
    return data_dir, database


def drop_prepared() -> None:
    """Let the database of :func:`prepared` go, if there is one. (Its folder goes by itself.)"""
    if (servers.shared_folder() / "prepared").exists():
        prepared()[1].drop()


def copy_prepared(data_dir: Path) -> None:
    """Fill a folder with what :func:`prepared` has in its own."""
    shutil.copytree(prepared()[0], data_dir, dirs_exist_ok=True)


class Stack:
    """Valkey, worker, beat and web of one site. ``environment`` adds variables such as
    ``EUCHRE_BOT_DELAY="0.1"``."""

    def __init__(self, **environment: str) -> None:
        self.data_dir = servers.folder("stack")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.socket_url = f"ws://127.0.0.1:{self.port}"
        self._database = _Database(self.data_dir)
        self.environment = clean_environment(
            DATA_DIR=str(self.data_dir), PORT=str(self.port), DATABASE_URL=self._database.url, DEMO="0", **environment
        )
        self._commands = processes.commands(self.data_dir, "127.0.0.1", self.port, own_valkey=True)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        try:
            copy_prepared(self.data_dir)
            self._database.create(prepared()[1])
            for name in self._commands:
                self._spawn(name)
            for name in self._commands:
                self._wait_for(name)
            self.wait_for_sweep()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in reversed(self.names):
            if name in self._running:
                self.kill(name)
        self._database.drop()
        shutil.rmtree(self.data_dir, ignore_errors=True)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the processes: valkey, worker, beat, web."""
        return tuple(self._commands)

    def pid(self, name: str) -> int:
        """The process id of a running process. KeyError if it does not run."""
        return self._running[name].pid

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Send a signal that ends the process, and wait for its end."""
        process = self._running.pop(name)
        process.send_signal(number)
        process.wait(PATIENCE)

    def start(self, name: str) -> None:
        """Start a killed process again, and wait until it is ready (see :meth:`wait_for_sweep`
        for worker and beat)."""
        assert name not in self._running, f"{name} runs"
        self._spawn(name)
        self._wait_for(name)

    def restart(self, name: str) -> None:
        """Kill a process and start it again."""
        self.kill(name)
        self.start(name)

    def wait_for_sweep(self) -> None:
        """Wait until beat, Valkey and worker have together done one more sweep."""
        before = self._last_sweep()
        wait_until(lambda: self._last_sweep() != before, "a sweep of what is due", pause=0.05)

    def log(self, name: str) -> str:
        """What a process has printed so far."""
        return self._log_file(name).read_text(errors="replace")

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask or change the site's database; placeholders are ``%s``."""
        return self._database.rows(sql, values)

    def python(self, *arguments: str) -> str:
        """Run Python as the site would (``"manage.py", "seed"``); what it printed."""
        return _python(self.environment, *arguments)

    def _spawn(self, name: str) -> None:
        with self._log_file(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                processes.tethered(name, self._commands[name], self.data_dir),
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _wait_for(self, name: str) -> None:
        ready: dict[str, Callable[[], bool]] = {"web": lambda: answers(f"{self.url}/"), "valkey": self._pong}

        def is_ready() -> bool:
            assert self._running[name].poll() is None, f"{name} ended:\n{self.log(name)}"
            return name not in ready or ready[name]()

        wait_until(is_ready, f"the start of {name}")

    def _pong(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.data_dir / "valkey.sock"))
        with client, contextlib.suppress(redis.RedisError):
            return bool(client.ping())
        return False

    def _last_sweep(self) -> Any:
        return self.rows("SELECT at FROM games_pulse WHERE name = %s", "sweep")

    def _log_file(self, name: str) -> Path:
        return self.data_dir / f"{name}.log"


class _Database:
    """A database of a stack's own: a new one on the server of ``DATABASE_URL``, or SQLite."""

    def __init__(self, data_dir: Path, name: str = "") -> None:
        self._server = os.environ.get("DATABASE_URL", "")
        self._file = data_dir / "euchre.sqlite3"
        self._name = name or f"euchre_{secrets.token_hex(6)}"
        self.url = f"sqlite:///{self._file}"
        if self._server.startswith("postgres"):
            self.url = urlunsplit(urlsplit(self._server)._replace(path=f"/{self._name}"))
        else:
            self._server = ""

    def create(self, template: _Database | None = None) -> None:
        """Make it, with all that stands in another. (A file is copied with its folder.)"""
        self._tell_server(f"CREATE DATABASE {self._name} TEMPLATE {template._name if template else 'DEFAULT'}")

    def drop(self) -> None:
        self._tell_server(f"DROP DATABASE IF EXISTS {self._name} WITH (FORCE)")

    def rows(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        if self._server:
            with psycopg.connect(self.url) as connection:
                cursor = connection.execute(sql.encode(), values)
                return cursor.fetchall() if cursor.description else []
        with contextlib.closing(sqlite3.connect(self._file, timeout=20)) as file, file:
            return file.execute(sql.replace("%s", "?"), values).fetchall()

    def _tell_server(self, sql: str) -> None:
        if self._server:
            with psycopg.connect(self._server, autocommit=True) as connection:
                connection.execute(sql.encode())


class MadeRun:
    """The site as a person starts it: ``make run``, on a free port, in a process group of its own.

    ``said`` is what it prints; the address is the first thing."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = int(environment.setdefault("PORT", str(free_port())))
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            ["make", "--silent", "run"],
            cwd=ROOT,
            env=clean_environment(DATA_DIR=str(data_dir), **{"DEMO": "0", **environment}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        for left in processes.running(self.data_dir):
            processes.stop(left)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def first_line(self) -> str:
        """The first line it prints, when it does: the address, or why it does not start."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def pids(self) -> dict[str, int]:
        """The running processes of the site, the process manager included."""
        return {process.name: process.pid for process in processes.running(self.data_dir)}

    def stop(self) -> None:
        """Ctrl-C: SIGINT to the whole foreground group, then the end of it."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(PATIENCE)
