"""Start a process that neither outlives its parent nor runs twice.

``python -I child.py <pid file> <command> [argument ...]`` becomes the command, which

- holds a lock on the pid file for as long as it lives, whatever kills it: the lock, not the
  number in the file, tells whether the process is still there and really ours;
- gets SIGTERM when its parent dies, even by SIGKILL (where the system can do that);
- may open as many files, and so sockets, as the system allows.

Run as a file, so that it starts without importing the site.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import sys

LOCK_FD = 3
"""Where the lock stays open. Supervisord closes all it inherits from 5 upwards."""

OPEN_FILES = 65536
PR_SET_PDEATHSIG = 1


def main(pid_file: str, *command: str) -> None:
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            raise SystemExit("The parent process is gone.")

    lock = os.open(pid_file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"{pid_file} belongs to a running process.") from None
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()} {parent}\n".encode())
    if lock != LOCK_FD:
        os.dup2(lock, LOCK_FD)
    os.set_inheritable(LOCK_FD, True)

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    os.execvp(command[0], command)  # noqa: S606  the point of it


if __name__ == "__main__":
    main(*sys.argv[1:])
