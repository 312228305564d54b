"""The package as such: small, pure and quick to import."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import games.engine
from games.engine import apply, parse_action
from tests.engine.table import act, deal

ROOT = Path(games.engine.__file__).parents[2]


def bare(code: str) -> str:
    """What a bare interpreter prints, without site-packages."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-S", "-c", code], env=env, check=True, capture_output=True, text=True
    ).stdout


def test_the_engine_imports_no_framework():
    loaded = bare("import sys, games.engine; print(*{name.partition('.')[0] for name in sys.modules})").split()
    assert set(loaded) - set(sys.stdlib_module_names) - {"__main__"} == {"games"}


NEEDED = "dataclasses, functools, hmac, re, typing"
"""What the engine imports of the standard library: about 12 ms on an idle machine of 2020."""


def test_the_engine_imports_in_a_few_times_what_its_standard_modules_need():
    """`make bench` gives the milliseconds; a test on a busy machine can only compare."""
    code = (
        f"from time import process_time as now; t = now(); import {NEEDED}; u = now(); import games.engine;"
        "print((now() - u) / (u - t))"
    )
    assert any(float(bare(code)) < 2 for _attempt in range(10))


def test_the_example_of_the_package_runs():
    assert doctest.testmod(games.engine).failed == 0


def test_states_are_values_that_never_change():
    state = deal()
    assert apply(state, parse_action("pass")) == act(deal(), "pass")
    assert state == deal()
    assert len({state, deal(), act(state, "pass")}) == 2
