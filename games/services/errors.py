"""What goes wrong because of what a user asked for. Our own bugs never use these classes."""

from __future__ import annotations


class UserError(Exception):
    """A refusal; its text is a translated sentence that says what to do. Nothing has changed."""


class StaleVersion(UserError):
    """The table has moved on since the page showed it; the answer is the table as it stands."""
