"""Where a server's CPU time goes: its stacks, sampled by py-spy, sorted into parts."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.bench import machine

RATE = 200
"""Samples a second."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("render", ("games/live/felt.py", "games/live/words.py", "games/live/texts.py", "jinja2/", "(render games/live")),
    ("engine", ("games/engine/",)),
    ("database", ("django/db/", "sqlite3", "psycopg", "games/selectors/", "games/services/row.py")),
    ("layer", ("channels_redis/", "redis/", "channels/layers", "games/live/hints.py")),
    ("socket", ("daphne/", "autobahn/", "twisted/")),
    ("thread hop", ("asgiref/", "concurrent/futures", "threading.py", "asyncio/futures.py", "games/live/threads.py")),
    ("services", ("games/",)),
    ("event loop", ("asyncio/", "selectors.py")),
)
"""The parts, and what stands in the frames of their functions. A sample belongs to the innermost
of its frames that is listed, so that what the database does for a service is the database's."""

OTHER = "other"

_IDLE = re.compile(r"(_worker|DatabaseThreads\._work|EpollSelector\.select|Condition\.wait) ?\(")
"""The innermost frame of a thread that waits for work."""

_THREAD = re.compile(r"^thread \((\d+)\)")


def available() -> bool:
    return _py_spy() is not None


def sample(pid: int, seconds: float) -> dict[str, float]:
    """The share of each part in the CPU time of a process.

    A thread that waits for the interpreter's lock is sampled too, so each thread's samples share
    the CPU time that it really uses: measured afterwards, since being sampled costs time as well.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stacks"
        command = [str(_py_spy()), "record", "--pid", str(pid), "--format", "raw", "--output", str(path), "--threads"]
        command += ["--rate", str(RATE), "--duration", str(max(1, round(seconds * 0.7))), "--full-filenames"]
        subprocess.run(command, check=True, capture_output=True)
        before = machine.threads(pid)
        time.sleep(seconds * 0.3)
        after = machine.threads(pid)
        return shares(path.read_text(), {thread: cpu - before.get(thread, 0.0) for thread, cpu in after.items()})


def shares(stacks: str, used: dict[int, float]) -> dict[str, float]:
    """From py-spy's raw lines - the thread, its frames from the outermost, the number of samples -
    and the CPU seconds of each thread, the share of each part, the largest first."""
    by_thread: dict[int, Counter[str]] = defaultdict(Counter)
    for line in stacks.splitlines():
        text, _space, count = line.rpartition(" ")
        thread, *frames = text.split(";")
        found = _THREAD.match(thread)
        if found and frames and not _IDLE.match(frames[-1]):
            by_thread[int(found[1])][_part(frames)] += int(count)
    seconds: Counter[str] = Counter()
    for number, samples in by_thread.items():
        for part, count in samples.items():
            seconds[part] += used.get(number, 0.0) * count / samples.total()  # type: ignore[assignment]  seconds
    whole = sum(seconds.values()) or 1.0
    return {part: value / whole for part, value in seconds.most_common()}


def _part(frames: list[str]) -> str:
    for frame in reversed(frames):
        for part, marks in PARTS:
            if any(mark in frame for mark in marks):
                return part
    return OTHER


def _py_spy() -> Path | None:
    beside = Path(sys.executable).with_name("py-spy")
    found = str(beside) if beside.exists() else shutil.which("py-spy")
    return Path(found) if found else None
