"""What compiles for a worker."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from games.bots import search

COMPILES = "from games.bots import kernel; print('compiling', flush=True); import time; time.sleep(100)"
WAITS = (
    "import os, subprocess, sys; "
    f"subprocess.run([sys.executable, '-c', {COMPILES!r}], env=os.environ | {{'EUCHRE_COMPILES': str(os.getpid())}})"
)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent is gone")
def test_what_compiles_ends_with_the_worker_that_waits_for_it(tmp_path):
    pytest.importorskip("numba")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", WAITS], cwd=root, env=environment, stdout=subprocess.PIPE) as worker:
        assert worker.stdout and worker.stdout.readline() == b"compiling\n"
        worker.kill()
        assert worker.stdout.read() == b""  # at its end: nobody holds the other one any more


def test_a_card_is_found_by_how_many_lie_below_it():
    rng = random.Random(3)
    for _ in range(500):
        places = sorted(rng.sample(range(38), rng.randint(1, 33)))
        cards = sum(1 << place for place in places)
        assert [search.nth(cards, number) for number in range(len(places))] == [1 << place for place in places]


def test_a_name_means_the_same_in_all_that_is_compiled_together():
    kernel = pytest.importorskip("games.bots.kernel", exc_type=ImportError)
    meant: dict[str, object] = {}
    for module in kernel._SOURCES:
        for name, value in vars(module).items():
            if not name.startswith("__"):
                assert meant.setdefault(name, value) == value, (module.__name__, name)
