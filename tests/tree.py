"""What may not be in the repository: lock files, addresses of package registries, paths of
somebody's machine. ``python -m tests.tree`` prints each place and fails if there is one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LOCK_FILES = {"poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml"}
FORBIDDEN = {
    "the address of a package registry": re.compile(
        rb"(?i)(?:https?://|[\w.-]*\b)(?:py[p]i|python[h]osted|npm[j]s|registry[.]yarn[p]kg)[.](?:org|com)\b"
        rb"|^\s*--(?:extra-)?index-url\b|^\s*--find-links\b",
        re.MULTILINE,
    ),
    "a path of one machine": re.compile(rb"(?<![\w./$}-])/(?:root|home/\w+|Users/\w+|work)/\w"),
}
BINARY = {".png", ".ico", ".woff2", ".mo", ".gz"}


def faults(root: Path) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout
    found = []
    for name in filter(None, listed.decode().split("\0")):
        path = root / name
        if path.name in LOCK_FILES:
            found.append(f"{name}: a lock file")
        if path.suffix in BINARY or not path.is_file():
            continue
        content = path.read_bytes()
        for what, pattern in FORBIDDEN.items():
            for match in pattern.finditer(content):
                line = content.count(b"\n", 0, match.start()) + 1
                found.append(f"{name}:{line}: {what}: {match.group().decode(errors='replace').strip()}")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(faults(Path.cwd())) or 0)
