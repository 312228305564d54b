"""Tables of four strong bots on a site: how long a choice takes there, and how late moves come.

The site's own worker and beat, on two queues as always, with its usual pauses; SQLite unless
``DATABASE_URL`` names another. ``python -m tests.bench.bot_tables`` runs nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from euchre_site import processes
from tests import servers
from tests.bench import machine
from tests.bench.stack import ROOT

TABLES, SECONDS = 50, 60.0
PATIENCE = 120.0
"""Seconds that the first start of all may take, which compiles the bots."""


def seed(tables: int) -> None:
    """Prepare the site's database: games of four bots, each at another score."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "euchre_site.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import transaction
    from django.utils import timezone

    from games.models import Player, Seat, Table
    from games.services import deals, seating
    from games.services.row import lock_table, save_row

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    with transaction.atomic():
        for number in range(tables):
            bots = [Player.objects.create_user(f"Bot {number} {seat}", None, bot_level="strong") for seat in range(4)]
            table = Table.objects.create(host=bots[0], ranked=False, rules="article", pace=20)
            Seat.objects.bulk_create(Seat(table=table, index=index, player=bot) for index, bot in enumerate(bots))
            row = lock_table(table.pk)
            seating.promises.promise(row)
            deals.begin_game(row=row, now=timezone.now())
            row.score = number % 8, number // 8 % 8
            save_row(row)


@contextlib.contextmanager
def site(tables: int) -> Iterator[tuple[Path, dict[str, list[int]]]]:
    """Valkey, a worker and a beat; the file of the moves, and the processes by name."""
    data_dir = servers.folder("bots")
    moves = data_dir / "moves"
    moves.touch()
    kept = ROOT / ".pytest_cache" / "numba"
    kept.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {
        "DATA_DIR": str(data_dir),
        "REDIS_URL": servers.valkey(data_dir),
        "NUMBA_CACHE_DIR": str(kept),
        "DEMO": "0",
        "EUCHRE_COMPILED": "1",
        "BENCH_MOVES": str(moves),
    }
    code = f"from tests.bench.bot_tables import seed; seed({tables})"
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, check=True)
    commands = processes.commands(data_dir, "127.0.0.1", 0, own_valkey=False)
    running = []
    try:
        for name in ("worker", "beat"):
            command = ["tests.bench.bot_worker" if word == "euchre_site" else word for word in commands[name]]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            running.append(subprocess.Popen(command, env=environment, cwd=ROOT, **quiet))
        yield moves, {"worker": [running[0].pid]}
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(20)


def measure(tables: int = TABLES, seconds: float = SECONDS) -> str:
    with site(tables) as (moves, groups):
        deadline = time.monotonic() + PATIENCE
        while not any(move["warm"] for move in _read(moves)):
            if time.monotonic() > deadline:
                return "The worker's bots did not get ready."
            time.sleep(0.5)
        time.sleep(3)
        skip, before = len(_read(moves)), machine.read(groups)
        time.sleep(seconds)
        found, usage = _read(moves)[skip:], machine.usage(before, machine.read(groups))
    late = sorted(1000 * move["late"] for move in found)
    wall = sorted(1000 * move["wall"] for move in found if move["wall"] is not None)
    cpu = sorted(1000 * move["cpu"] for move in found if move["cpu"] is not None)
    return (
        f"{tables} tables of four strong bots, {len(found) / usage.seconds:.0f} moves a second for {seconds:.0f} s: "
        f"a choice takes p50 {_at(wall, 50):.1f}, p95 {_at(wall, 95):.1f} ms wall (p95 {_at(cpu, 95):.1f} ms CPU); "
        f"moves come p50 {_at(late, 50):.0f}, p95 {_at(late, 95):.0f}, at most {late[-1]:.0f} ms after the pause "
        f"({sum(move['swept'] for move in found) / len(found):.0%} by the sweep); "
        f"the worker used {usage.cpu['worker'] / usage.seconds:.0%} of a core, others {usage.others:.0%}."
    )


def _read(moves: Path) -> list[dict[str, Any]]:
    lines = moves.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def _at(ordered: list[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


if __name__ == "__main__":
    print(measure())
