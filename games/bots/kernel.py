"""The search, the rules of thumb and the play-out compiled by numba: the same source as
:mod:`games.bots.search`, :mod:`~games.bots.thumb` and the rest, a hundred times as fast and more.

For workers only: importing it loads numba and numpy, some 150 MB and half a second. What is
compiled is kept in ``NUMBA_CACHE_DIR``, by default ``numba`` below ``DATA_DIR``, so that the next
process loads it instead; the folder of the code is never written to. ImportError without numba.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from inspect import getsource
from pathlib import Path
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import __version__ as numba_version
from numba import boolean, config, int64, njit, types, void
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from games.bots import branches, guess, layout, playout, rollout, search, thumb, weights

_SOURCES = search, layout, weights, thumb, playout, guess, rollout, branches
"""In the order in which they use each other."""

# numba looks only at the file of the outermost function when it asks whether what it kept is still true.
_read = "".join(map(getsource, (*_SOURCES, sys.modules[__name__])))
_version = sha256((numba_version + _read).encode()).hexdigest()[:12]
_settings: Any = config
_data_dir = Path(os.environ.get("DATA_DIR", Path(__file__).parents[2] / "var"))
_folder = Path(_settings.CACHE_DIR) if _settings.CACHE_DIR else _data_dir.expanduser().absolute() / "numba"
_settings.CACHE_DIR = str(_folder / _version)


_ROW = int64[::1]
_PLACE: Any = types.CPointer(int64)  # type: ignore[no-untyped-call]
_TYPES = {"int": int64, "bool": boolean}


def _instruction(build: Callable[[Any, Any], Any]) -> Any:
    """A function of one integer that is an instruction or two of the machine."""

    def typed(_typing: Any, _argument: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return build(builder, arguments[0])

        return int64(int64), generate

    return intrinsic(typed)


_ZERO_IS_DEFINED = ir.Constant(ir.IntType(1), 0)
_HIGHEST = ir.Constant(ir.IntType(64), 1 << 63)
_INSTRUCTIONS = {
    "high": _instruction(lambda builder, bits: builder.lshr(_HIGHEST, builder.ctlz(bits, _ZERO_IS_DEFINED))),
    "count": _instruction(lambda builder, bits: builder.ctpop(bits)),
}


def _nth(_typing: Any, _cards: Any, _number: Any) -> Any:
    """One instruction where the processor has it: a bit, moved to its place among others."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        cards, number = arguments
        bits = ir.IntType(64)
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(bits, (bits, bits)))
        return builder.call(deposit, (builder.shl(ir.Constant(bits, 1), number), cards))

    return int64(int64, int64), generate


if "+bmi2" in str(cpu_target.target_context.codegen().magic_tuple()):
    _INSTRUCTIONS["nth"] = intrinsic(_nth)


def _row_at(_typing: Any, row: Any) -> Any:
    """Rows are passed on as places in memory: arrays would be counted at every call."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return _PLACE(row), generate


_INSTRUCTIONS["row_at"] = intrinsic(_row_at)

# Something must be compiled before the level is lowered for parts, or it stays low for good.
njit(int64(int64))(lambda number: number)

_compiled: dict[str, Any] = {}
_inner: Any = partial(njit, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
for _module in _SOURCES:
    for _name, _value in vars(_module).items():
        if not isinstance(_value, FunctionType):
            _compiled.setdefault(_name, _value)
        elif _value.__module__ == _module.__name__ and _module is not weights:
            _plain = FunctionType(_value.__code__, _compiled, _name)
            _plain.__annotations__ = _value.__annotations__
            _compiled[_name] = _inner(_plain)
_compiled |= _INSTRUCTIONS

_OUTERMOST: dict[str, tuple[Callable[..., Any], Any]] = {
    "reached": (search.reached, int64(*[int64] * 8, boolean, int64, int64)),
    "reached_all": (search.reached_all, void(_ROW, *[int64] * 4, boolean, int64, int64, _ROW)),
    "evaluate": (rollout.evaluate, int64(*[_ROW] * 13, *[int64] * 3)),
    "branch": (rollout.branch_rows, int64(*[_ROW] * 10, int64, _ROW, int64, *[_ROW] * 5)),
    "play_deals": (rollout.play_deals, void(*[_ROW] * 6, int64)),
}
"""What is called from outside. Only these are kept, the rest is part of them."""
_COMPILES = "EUCHRE_COMPILES"
"""In the process that compiles for another one, the other's id: it ends with it, whatever ends that."""
_PR_SET_PDEATHSIG = 1

if _COMPILES in os.environ and sys.platform == "linux":
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(os.environ[_COMPILES]):
        raise SystemExit("The process that waits for what is compiled is gone.")


def __getattr__(name: str) -> Any:
    """Compile a function, or load it, when it is first asked for: some seconds the first time ever.

    Optimizing it as a whole, and its parts not, takes a third of the time. But a process that has
    compiled the parts calls them as they are, four times as slow: so another process compiles.
    """
    if name not in _OUTERMOST:
        raise AttributeError(name)
    function, signature = _OUTERMOST[name]
    if not _is_kept(function) and _COMPILES not in os.environ:
        environment = os.environ | {_COMPILES: str(os.getpid()), "NUMBA_CACHE_DIR": str(_folder)}
        command = [sys.executable, "-c", f"from games.bots import kernel; kernel.{name}"]
        subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, check=False)  # noqa: S603
    if not _is_kept(function):
        level = _settings.OPT
        _settings.OPT = type(level)(0)
        try:
            _compile_parts(function, {"branch"})
        finally:
            _settings.OPT = level
    plain = FunctionType(function.__code__, _compiled, function.__name__)
    globals()[name] = found = njit(signature, nogil=True, error_model="numpy", cache=True)(plain)
    return found


def _is_kept(function: Callable[..., Any]) -> bool:
    return any((_folder / _version).rglob(f"*.{function.__name__}-*.nbi"))


def _compile_parts(function: Callable[..., Any], done: set[str]) -> None:
    """Whatever a function calls, as its annotations want it."""
    for name in function.__code__.co_names:
        part: Any = _compiled.get(name)
        if name not in done and hasattr(part, "py_func"):
            done.add(name)
            _compile_parts(part.py_func, done)
            if not part.signatures:
                types = [_TYPES.get(text, _PLACE) for text in part.py_func.__annotations__.values()]
                part.compile(tuple(types[:-1]))
