"""What the machine tells: CPU time and memory of processes, and how much of it others used."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

_TICK = os.sysconf("SC_CLK_TCK")


class Reading(NamedTuple):
    """``cpu``: seconds used so far by each group of processes. ``busy``: by the whole machine."""

    at: float
    cpu: dict[str, float]
    busy: float


class Usage(NamedTuple):
    """Between two readings: seconds passed, CPU seconds of each group, and cores used by others."""

    seconds: float
    cpu: dict[str, float]
    others: float


def read(groups: Mapping[str, Iterable[int]]) -> Reading:
    """``groups``: the processes of each name, counted with their descendants."""
    cpu = {name: sum(_cpu(member) for pid in pids for member in family(pid)) for name, pids in groups.items()}
    user, nice, system, _idle, _wait, irq, softirq = map(int, Path("/proc/stat").read_text().split()[1:8])
    return Reading(time.perf_counter(), cpu, (user + nice + system + irq + softirq) / _TICK)


def usage(before: Reading, after: Reading) -> Usage:
    seconds = after.at - before.at
    cpu = {name: after.cpu[name] - before.cpu[name] for name in after.cpu}
    return Usage(seconds, cpu, max(0.0, after.busy - before.busy - sum(cpu.values())) / seconds)


def family(pid: int) -> list[int]:
    """A process and all its descendants, itself first."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                found += map(int, task.read_text().split())
    return found


def memory(pid: int) -> int:
    """Bytes of a process in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def threads(pid: int) -> dict[int, float]:
    """CPU seconds used so far by each thread of a process."""
    found = {}
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has ended meanwhile
            found[int(task.parent.name)] = int(task.read_text().split()[0]) / 1e9
    return found


def _cpu(pid: int) -> float:
    return sum(threads(pid).values())
