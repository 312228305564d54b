"""Where a server's CPU time goes: its stacks, sampled by py-spy, sorted into parts."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

RATE = 200
"""Samples a second."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("render", ("games/live/felt.py", "games/live/words.py", "games/live/texts.py", "jinja2/", "(render games/live")),
    ("engine", ("games/engine/",)),
    ("database", ("django/db/", "sqlite3", "psycopg", "games/selectors/", "games/services/row.py")),
    ("layer", ("channels_redis/", "redis/", "channels/layers", "_send_hint", "games/live/hub.py:_listen")),
    ("socket", ("daphne/", "autobahn/", "twisted/")),
    ("thread hop", ("asgiref/", "concurrent/futures", "threading.py", "asyncio/futures.py")),
    ("services", ("games/",)),
    ("event loop", ("asyncio/", "selectors.py")),
)
"""The parts, and what stands in the frames of their functions. A sample belongs to the innermost
of its frames that is listed, so that what the database does for a service is the database's."""

OTHER = "other"


def available() -> bool:
    return _py_spy() is not None


def sample(pid: int, seconds: float) -> Counter[str]:
    """Samples of a process by part. Only threads that run are sampled."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stacks"
        command = [str(_py_spy()), "record", "--pid", str(pid), "--format", "raw", "--output", str(path)]
        command += ["--rate", str(RATE), "--duration", str(max(1, round(seconds))), "--full-filenames"]
        subprocess.run(command, check=True, capture_output=True)
        return sort(path.read_text())


def sort(stacks: str) -> Counter[str]:
    """Count py-spy's raw lines - frames, outermost first, then the number of samples - by part."""
    found: Counter[str] = Counter()
    for line in stacks.splitlines():
        frames, _space, count = line.rpartition(" ")
        found[_part(frames.split(";"))] += int(count)
    return found


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
