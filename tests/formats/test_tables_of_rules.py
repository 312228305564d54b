"""Every format opens with a table of its rules and the tests of each."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tournaments import formats, standings

FOLDER = Path(formats.__file__).parent
NO_RULES = {"__init__.py", "event.py", "history.py", "starters.py"}
"""What formats are told and answer, how a past is read, and stored tables: tests of others cover them."""


def test_rules_and_their_tests() -> None:
    here = [(file, ast.parse(file.read_text())) for file in Path(__file__).parent.glob("test_*.py")]
    tests = {file.stem for file, _tree in here}
    tests |= {node.name for _file, tree in here for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for file in (*FOLDER.glob("*.py"), Path(standings.__file__)):
        text = ast.get_docstring(ast.parse(file.read_text())) or ""
        tables = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
        rows = [row for table in tables if "| test" in table.splitlines()[0] for row in table.splitlines()[2:]]
        assert bool(rows) != (file.name in NO_RULES), file.name
        for row in rows:
            named = re.findall(r"\btest_\w+", row)
            there = re.findall(r"(?:tests/bench/)?\w+\.py", row)
            assert (named or there) and set(named) <= tests, (file.name, row)
