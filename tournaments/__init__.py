"""Tournaments, leagues and clubs (to come): formats are pure, everything else as in ``games``."""
