"""Words and times of events."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.filter
def clock(seconds: int | None) -> str:
    """``18:42`` for a number of seconds, ``1:05:00`` for more than an hour."""
    if seconds is None:
        return ""
    minutes, rest = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def of(values: Any, key: Any) -> Any:
    """The value of a key, nothing where there is none."""
    return values.get(key, "") if values else ""
