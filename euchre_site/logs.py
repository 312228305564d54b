"""What the log is spared."""

from __future__ import annotations

from logging import LogRecord


def in_one_line(record: LogRecord) -> bool:
    """Take the traceback off a request that was refused (status below 500): the fault is not ours.
    A filter that lets everything pass."""
    if getattr(record, "status_code", 500) < 500:
        record.exc_info = None
    return True
