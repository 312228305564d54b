"""What tests ask the database, so that another one need not be asked the same again and again.

A run on SQLite notes of each test what statements it made, without their values, and which of them failed. A run on
another database then takes as few of those tests as make every one of these statements (all of them, if it is
thorough, or if nothing has been noted).
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.db.backends.utils import CursorWrapper

NOTES = "euchre/questions"
"""Where they are kept in pytest's cache: how many statements a test makes, and which, by its node id."""

Notes = dict[str, tuple[int, list[str]]]

A_TEST = 20
"""What a test costs besides what it asks, in statements."""

ALIKE = (
    (re.compile(r"'[^']*'"), "'x'"),
    (re.compile(r"SAVEPOINT \S+"), "SAVEPOINT"),
    (re.compile(r"\b\d+\b"), "0"),
    (re.compile(r"\((?:%s(?:, )?)+\)(?:, )?"), "(%s)"),
    (re.compile(r"(?:\(%s\))+"), "(%s)"),
    (re.compile(r"(?:WHEN (?:(?!WHEN|ELSE|END).)*)+", re.DOTALL), "WHEN "),
)
"""Values, names of the moment, and how many there are of something, make no other statement."""


@functools.cache
def kind_of(sql: str) -> str:
    for pattern, instead in ALIKE:
        sql = pattern.sub(instead, sql)
    return hashlib.sha256(sql.encode()).hexdigest()[:12]


class Listener:
    """Hears what is asked in this process, by whichever thread."""

    def __init__(self) -> None:
        self.count = 0
        self.kinds: set[str] = set()

    def begin(self) -> None:
        self.count, self.kinds = 0, set()

    def listen(self, patch: Any) -> None:
        for name in ("execute", "executemany"):
            patch.setattr(CursorWrapper, name, self._heard(getattr(CursorWrapper, name)))

    def _heard(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(ask)
        def asked(cursor: CursorWrapper, sql: Any, *more: Any) -> Any:
            kind = kind_of(str(sql))
            self.count += 1
            self.kinds.add(kind)
            try:
                return ask(cursor, sql, *more)
            except Exception as error:
                self.kinds.add(f"{kind} {type(error).__name__}")
                raise

        return asked


def fewest(notes: Notes, answered: Iterable[str] = ()) -> set[str]:
    """Tests that together ask all that is noted and not ``answered``, chosen one after the other by what is new in
    them and what they cost."""
    left = {kind for _count, kinds in notes.values() for kind in kinds}.difference(answered)
    open_ = {name: (count, set(kinds)) for name, (count, kinds) in sorted(notes.items())}
    chosen: set[str] = set()
    while left:
        best = max(open_, key=lambda name: len(open_[name][1] & left) / (open_[name][0] + A_TEST))
        chosen.add(best)
        left -= open_.pop(best)[1]
    return chosen


def needless(names: Iterable[str], anyway: Iterable[str], notes: Notes) -> set[str]:
    """Those of the tests called ``names`` whose questions others ask: others of them, and those that are run
    ``anyway``. What nothing is noted of is needed."""
    known = {name: notes[name] for name in names if name in notes}
    return known.keys() - fewest(known, (kind for name in anyway if name in notes for kind in notes[name][1]))
