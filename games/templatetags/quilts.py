"""Barn-quilt avatars: a block and a cloth chosen by a hash of the player's id. Pure.

12 blocks in 8 cloths make 96 looks. Nothing is uploaded, so nothing has to be moderated.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

BLOCKS: tuple[tuple[str, str], ...] = (
    ("M0 0H12V12ZM24 0V12H12ZM24 24H12V12ZM0 24V12H12Z", "M12 6l6 6-6 6-6-6z"),
    ("M8 0L12 4 16 0V8H8ZM24 8L20 12 24 16H16V8ZM16 24L12 20 8 24V16H16ZM0 16L4 12 0 8H8V16Z", "M8 8h8v8H8z"),
    ("M0 0h8v8H0zM16 0h8v8h-8zM0 16h8v8H0zM16 16h8v8h-8z", "M8 8h8v8H8z"),
    ("M0 12L12 0 24 12ZM0 24L12 12 24 24Z", "M7 12L12 7 17 12ZM7 24L12 19 17 24Z"),
    ("M12 0L24 12 12 24 0 12Z", "M12 6l6 6-6 6-6-6z"),
    ("M0 0H24L12 12ZM0 24H24L12 12Z", "M0 6L6 12 0 18ZM24 6L18 12 24 18Z"),
    (
        "M12 0L15.5 8.5 12 12 8.5 8.5ZM24 12L15.5 15.5 12 12 15.5 8.5Z"
        "M12 24L8.5 15.5 12 12 15.5 15.5ZM0 12L8.5 8.5 12 12 8.5 15.5Z",
        "M3.5 3.5L12 7.2V12H7.2ZM20.5 3.5L16.8 12H12V7.2ZM20.5 20.5L12 16.8V12H16.8ZM3.5 20.5L7.2 12H12V16.8Z",
    ),
    ("M2 22V7L7 13 12 4 17 13 22 7V22Z", "M2 18.5H22V22H2Z"),
    ("M0 24L24 0V12L12 24ZM0 12L12 0H0Z", "M24 24V18L18 24Z"),
    ("M0 0H24V24H18V6H0ZM6 12H12V18H6Z", "M0 6H6V24H0ZM12 12H18V24H6V18H12Z"),
    ("M0 0H12L0 12ZM12 0H24L12 12ZM0 12H12L0 24ZM12 12H24L12 24Z", ""),
    ("M4 24V12L7 6 12 3 17 6 20 12V24Z", "M12 8l5 5-5 5-5-5z"),
)
"""Two paths each, on a square of 24 by 24."""

CLOTHS: tuple[tuple[str, str, str], ...] = (
    ("#efe9d8", "#1f5a4c", "#e0a21b"),
    ("#9e2f2a", "#f3ebd9", "#e0a21b"),
    ("#27406f", "#edeff0", "#8fb3d9"),
    ("#e0a21b", "#2a2a22", "#f6efdc"),
    ("#3e5059", "#eef0ea", "#c4574c"),
    ("#5a3352", "#f1e7ec", "#dda63a"),
    ("#7e9c86", "#f5f5ec", "#24362f"),
    ("#9cc3d8", "#1e3a4c", "#f7f4e8"),
)
"""Ground, first and second colour. They are the avatar's own and do not follow the theme."""


@lru_cache(maxsize=4096)
def quilt_paths(seed: str) -> str:
    """The three ``<path>`` elements of the quilt for ``seed``; the same seed, the same quilt."""
    digest = hashlib.sha256(seed.encode()).digest()
    first, second = BLOCKS[digest[0] % len(BLOCKS)]
    ground, one, two = CLOTHS[digest[1] % len(CLOTHS)]
    paths = f'<path fill="{ground}" d="M0 0h24v24H0z"/><path fill="{one}" d="{first}"/>'
    return f'{paths}<path fill="{two}" d="{second}"/>' if second else paths
