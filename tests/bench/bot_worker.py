"""The site's worker with a stop-watch: ``celery -A tests.bench.bot_worker worker``.

Writes a line of JSON for each move of a bot to the file ``BENCH_MOVES``: ``late``, seconds from when
the pause before it was over to its commit; ``swept``, whether the sweep came before the message; ``wall``
and ``cpu``, seconds that the choice took, null where there was none to make; ``warm``, whether all that
the bots think with was there.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from celery.signals import worker_init

from euchre_site.celery import app

__all__ = ["app"]

_here = threading.local()


@worker_init.connect
def watch(**_kwargs: Any) -> None:
    from django.utils import timezone

    from games.bots import analysis
    from games.bots.strong import Strong
    from games.engine import Action, SeatView
    from games.selectors import tables
    from games.services import clock

    act, choose = clock.act, Strong.choose
    log = Path(os.environ["BENCH_MOVES"]).open("a", buffering=1)  # noqa: SIM115  for as long as the worker lives

    def timed_choice(bot: Strong, view: SeatView, rng: random.Random) -> Action:
        wall, cpu = time.perf_counter(), time.thread_time()
        action = choose(bot, view, rng)
        if len(view.legal_actions) > 1:
            _here.took = time.perf_counter() - wall, time.thread_time() - cpu
        return action

    def timed_act(*, table_id: int, version: int, claim: datetime | None = None) -> None:
        before, _here.took = tables.read_row(table_id), (None, None)
        act(table_id=table_id, version=version, claim=claim)
        now, after = timezone.now(), tables.read_row(table_id)
        if before is None or before.turn is None or after is None or before.version != version == after.version:
            return
        due = claim - clock.CLAIM if claim else before.due_at
        if due is not None and after.version > version:
            wall, cpu = _here.took
            late = (now - due).total_seconds()
            told = {"late": late, "swept": claim is not None, "wall": wall, "cpu": cpu, "warm": analysis.compiled()}
            log.write(json.dumps(told) + "\n")

    clock.act, Strong.choose = timed_act, timed_choice  # type: ignore[method-assign]
