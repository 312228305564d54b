"""What the pages of ladders are sent: that the ladder has moved on. They read themselves anew, since who
may challenge whom, and what is asked of whom, depends on who reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.live.frames import Frame
from tournaments.models import Ladder

PAGE: Final = "ladder"
"""All pages of a ladder are told the same."""

_MOVED: Final = (
    '<div id="moved" data-version="{}" hidden hx-swap-oob="outerHTML" hx-get="" hx-trigger="load" hx-target="#ladder"'
    ' hx-select="#ladder" hx-swap="outerMorph" hx-status:4xx="swap:none" hx-status:5xx="swap:none"></div>'
)


def render(ladder_id: int, name: str, language: str) -> Frame | None:
    """The frame as of the ladder's version; None if it is gone. One query."""
    found = Ladder.objects.filter(pk=ladder_id).order_by().values_list("version", "club__public").first()
    if found is None:
        return None
    version, public = found
    return Frame(version, (_MOVED.format(version),), public)


def newer_than(versions: Mapping[int, int]) -> list[int]:
    """Those ladders that were written to since the versions given. One query."""
    found = Ladder.objects.filter(pk__in=versions).order_by().values_list("pk", "version")
    return [ladder_id for ladder_id, version in found if version > versions[ladder_id]]
