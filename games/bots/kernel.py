"""The search compiled by numba; the same source as :mod:`games.bots.search`, a hundred times as fast and more.

For workers only: importing it loads numba and numpy, some 150 MB and half a second. What is
compiled is kept in ``NUMBA_CACHE_DIR``, by default ``numba`` below ``DATA_DIR``, so that the next
process loads it instead; the folder of the code is never written to. ImportError without numba.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import boolean, config, int64, njit, void
from numba.extending import intrinsic

from games.bots import search

_settings: Any = config
if not _settings.CACHE_DIR:
    _data_dir = Path(os.environ.get("DATA_DIR", Path(__file__).parents[2] / "var"))
    _settings.CACHE_DIR = str(_data_dir.expanduser().absolute() / "numba")


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

_compiled: dict[str, Any] = {**vars(search), **_INSTRUCTIONS}


def _compile(name: str, *signature: Any, **options: Any) -> Any:
    function = FunctionType(getattr(search, name).__code__, _compiled, name)
    _compiled[name] = njit(*signature, nogil=True, error_model="numpy", **options)(function)
    return _compiled[name]


for _name, _function in vars(search).items():
    if isinstance(_function, FunctionType) and _name not in _INSTRUCTIONS:
        _compile(_name)

# Only what is called from outside is kept; the rest is part of it.
reached: Callable[..., int] = _compile("reached", int64(*[int64] * 8, boolean, int64, int64), cache=True)
reached_all: Callable[..., None] = _compile(
    "reached_all", void(int64[::1], *[int64] * 4, boolean, int64, int64, int64[::1]), cache=True
)
